//! Grenades: a fuse, a radius, and walls that shield.

use crate::cell::Cell;
use throng_base::codec_struct;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;

/// A grenade on the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grenade {
    /// Its number.
    pub handle: EntityId,
    /// Where it lies.
    pub cell: Cell,
    /// Ticks until it goes off.
    pub fuse: Tick,
    /// How far it reaches, in cells.
    pub radius: u16,
    /// Who threw it.
    pub thrower: Option<EntityId>,
}

/// So many grenades lie about at most.
pub(crate) const MOST_GRENADES: usize = 256;

codec_struct!(Grenade { handle, cell, fuse, radius, thrower });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn grenades_come_back() {
        comes_back::<Grenade>(|trial, _| Grenade {
            handle: trial.any(),
            cell: trial.any(),
            fuse: trial.any(),
            radius: trial.any(),
            thrower: trial.any(),
        });
    }
}
