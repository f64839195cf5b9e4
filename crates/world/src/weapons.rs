//! Weapons: draw, holster, reload, fire, melee, throw.
