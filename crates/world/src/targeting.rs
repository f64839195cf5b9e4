//! Targeting: looks and aims.
