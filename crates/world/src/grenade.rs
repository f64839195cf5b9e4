//! Grenades: a fuse, a radius, and walls that shield.
//!
//! In:   who throws, where to.
//! Out:  stimuli while the fuse burns; damage to everybody in the radius with a clear line.
//! Cost: per grenade and look, the actors near it.

use crate::cell::Cell;
use crate::world::World;
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

impl World {
    /// A grenade with a burning fuse in a cell; `None` in walls, or if there are 256.
    pub fn drop_grenade(&mut self, cell: Cell, thrower: Option<EntityId>) -> Option<EntityId> {
        if self.grid.is_wall(cell) || self.grenades.len() >= MOST_GRENADES {
            return None;
        }
        let (fuse, radius) = (self.rules.fuse.max(1), self.rules.grenade_radius);
        let handle = self.give_handle();
        let grenade = Grenade { handle, cell, fuse, radius, thrower };
        self.grenades.push(grenade);
        self.tell_of_grenade(&grenade);
        Some(handle)
    }

    /// Whether a blast reaches a cell: near enough, and nothing between.
    pub(crate) fn reaches(&self, from: Cell, radius: u16, cell: Cell) -> bool {
        let radius = i64::from(radius);
        from.distance_squared(cell) <= radius * radius && self.line_of_sight(from, cell)
    }

    /// Counts the fuses down; what is due goes off, by number. The others are told of again at
    /// each look.
    pub(crate) fn burn_fuses(&mut self) {
        if self.grenades.is_empty() {
            return;
        }
        self.grenades.iter_mut().for_each(|grenade| grenade.fuse -= 1);
        let due: Vec<Grenade> = self.grenades.extract_if(.., |grenade| grenade.fuse == 0).collect();
        due.iter().for_each(|grenade| self.go_off(grenade));
        if self.now.is_multiple_of(self.rules.look.max(1)) {
            for grenade in self.grenades.clone() {
                self.tell_of_grenade(&grenade);
            }
        }
    }

    fn go_off(&mut self, grenade: &Grenade) {
        let near = self.actors_near.around(grenade.cell, grenade.radius);
        let is_hit =
            |&index: &usize| self.reaches(grenade.cell, grenade.radius, self.actors[index].cell);
        let mut hit: Vec<usize> = near.filter(is_hit).collect();
        hit.sort_unstable();
        let blast = self.words.blast;
        for index in hit {
            let actor = self.actors[index].handle;
            self.hurt(actor, self.rules.blast_damage, blast, grenade.thrower);
        }
        self.make_noise(grenade.cell, self.rules.blast_noise, blast, grenade.thrower);
    }
}
