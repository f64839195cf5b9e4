//! One tick of the world: the only place that knows the order.
//!
//! | # | subsystem | reads | writes |
//! |---|---|---|---|
//! | 1 | targeting | jobs | whom actors aim at, facing |
//! | 2 | navigation | jobs, things | cells, facing, doors, nodes taken |
//! | 3 | hands (use, other) | jobs, cells, needs | things, postures, weapons |
//! | 4 | weapons | jobs, sight | rounds, health, grenades, noise |
//! | 5 | animation | jobs | what plays |
//! | 6 | grenades | fuses, sight | health, noise |
//! | 7 | looks | cells, sight | stimuli `sight`, `grenade` |
//! | 8 | clock | – | now, old noises |
//!
//! Within a subsystem actors go by number. Orders are begun when they are given, between steps.

use crate::world::World;

impl World {
    /// One tick.
    pub fn step(&mut self) {
        self.now = self.now.saturating_add(1);
    }
}
