//! Targeting: looks and aims.
//!
//! In:   `Target` orders.
//! Out:  facing at once, `aims_at` after a moment.
//! Cost: a look-up per order.

use crate::jobs::{Ended, Timed};
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;

impl World {
    pub(crate) fn begin_target(&mut self, index: usize, at: Option<EntityId>) -> Ended {
        let Some(at) = at else {
            self.set_aim(index, None);
            return Ended::Done;
        };
        if let Some(why) = self.cannot_aim(at) {
            return Ended::Failed(why);
        }
        self.face(index, at);
        Ended::Later(self.in_ticks(self.rules.aim))
    }

    pub(crate) fn target(&mut self, index: usize) {
        let now = self.now;
        let due = self.actors[index].jobs.targeting.take_if(|job| job.until <= now);
        let Some(Timed { id, order, .. }) = due else { return };
        let Order::Target { at: Some(at) } = order else { return };
        match self.cannot_aim(at) {
            Some(why) => self.fail(index, id, why),
            None => {
                self.face(index, at);
                self.set_aim(index, Some(at));
                self.finish(index, id);
            }
        }
    }

    fn cannot_aim(&self, at: EntityId) -> Option<Word> {
        let is_dead = self.actor(at).is_some_and(|actor| !actor.alive);
        (is_dead || self.cell_of(at).is_none()).then_some(self.words.gone)
    }

    /// Turns somebody towards something.
    pub(crate) fn face(&mut self, index: usize, at: EntityId) {
        let Some(cell) = self.cell_of(at) else { return };
        let (dx, dy) = self.actors[index].cell.to(cell);
        if (dx, dy) != (0, 0) {
            // Distances on a map are below 200.
            self.actors[index].facing = (dx as i16, dy as i16);
        }
    }

    /// The only place where `aims_at` changes.
    pub(crate) fn set_aim(&mut self, index: usize, at: Option<EntityId>) {
        let me = self.actors[index].handle;
        if let Some(before) = std::mem::replace(&mut self.actors[index].aims_at, at) {
            self.aims.remove(&(before, me));
        }
        if let Some(at) = at {
            self.aims.insert((at, me));
        }
    }
}
