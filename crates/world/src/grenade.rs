//! Grenades: a fuse, a radius, and walls that shield.
//!
//! In:   who throws, where to.
//! Out:  stimuli while the fuse burns; damage to everybody in the radius with a clear line.
//! Cost: per grenade and look, the actors near it.

use crate::cell::Cell;
use throng_mind::fact::Handle;
use throng_mind::time::Tick;

/// A grenade on the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grenade {
    /// Its number.
    pub handle: Handle,
    /// Where it lies.
    pub cell: Cell,
    /// Ticks until it goes off.
    pub fuse: Tick,
    /// How far it reaches, in cells.
    pub radius: u16,
    /// Who threw it.
    pub thrower: Option<Handle>,
}
