//! Hands: uses things, and everything else that is not a weapon.
