//! One tick of the world: the only place that knows the order.
//!
//! | # | subsystem | reads | writes |
//! |---|---|---|---|
//! | 1 | clock | – | now, old noises |
//! | 2 | targeting | jobs | whom actors aim at, facing |
//! | 3 | navigation | jobs, things | cells, facing, doors, nodes taken |
//! | 4 | hands (use, other) | jobs, cells, needs | things, postures, weapons |
//! | 5 | weapons | jobs, sight | rounds, health, grenades, noise |
//! | 6 | animation | jobs | what plays |
//! | 7 | grenades | fuses, sight | health, noise |
//! | 8 | looks | cells, sight | stimuli `sight`, `grenade` |
//!
//! Within a subsystem actors go by number. Orders are begun when they are given, between steps.
//! Only actors with orders under way are visited, and for looks each in his turn.

use crate::world::World;

impl World {
    /// One tick.
    pub fn step(&mut self) {
        self.now = self.now.saturating_add(1);
        self.forget_noises();
        // Orders are given between steps, so nobody joins the list while it is away.
        let mut active = std::mem::take(&mut self.active);
        let subsystems =
            [World::target, World::navigate, World::use_hands, World::use_weapon, World::animate];
        for subsystem in subsystems {
            active.iter().for_each(|&index| subsystem(self, index as usize));
        }
        active.retain(|&index| !self.actors[index as usize].jobs.is_empty());
        self.active = active;
        self.burn_fuses();
        self.look();
    }
}
