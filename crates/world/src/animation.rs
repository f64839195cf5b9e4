//! Animation: plays for as long as it is told.
//!
//! In:   `Animate` orders.
//! Out:  `plays`, for whoever draws; how far a climber has got; the order's end.
//! Cost: one comparison per actor that plays.

use crate::actor::Posture;
use crate::jobs::Ended;
use crate::world::World;
use throng_mind::orders::Order;
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;

impl World {
    pub(crate) fn begin_animation(&mut self, index: usize, what: Word, ticks: Tick) -> Ended {
        let until = after(self.now, ticks);
        if ticks == 0 {
            return Ended::Done;
        }
        self.actors[index].plays = Some((what, until));
        Ended::Later(until)
    }

    pub(crate) fn animate(&mut self, index: usize) {
        let (now, climb) = (self.now, self.words.climb);
        let actor = &mut self.actors[index];
        let plays = actor.jobs.animation.as_ref().map(|job| job.order);
        if actor.posture == Posture::Climbing
            && matches!(plays, Some(Order::Animate { what, .. }) if what == climb)
        {
            actor.climbed = actor.climbed.saturating_add(1);
        }
        let due = self.actors[index].jobs.animation.take_if(|job| job.until <= now);
        if let Some(job) = due {
            self.actors[index].plays = None;
            self.finish(index, job.id);
        }
    }
}
