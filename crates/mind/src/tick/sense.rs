//! Phase 2: sensors run until one does heavy work.
//!
//! In:   the sensors that are [due](crate::senses), the game's code for them, its world.
//! Out:  facts in memory; shared facts, events and mistakes in the outbox.
//! Cost: what the sensors cost; at most one piece of heavy work.

use super::MindTick;
use crate::ask::{Ask, Reply};
use crate::body::{Sensing, Work};
use crate::condition::Condition;
use crate::events::EventKind;
use crate::mistakes::Noted;
use crate::orders::Stimulus;
use crate::senses::Asked;
use crate::symbols::seen_of;
use crate::tape::MindCall;
use crate::time::NEVER;

impl<W: ?Sized> MindTick<'_, W> {
    pub(super) fn sense(&mut self) {
        let asked = self.asked();
        self.mind.senses.begin();
        let heavy = self.orders_first().or_else(|| self.light_ones());
        let heavy = heavy.or_else(|| self.heavy_ones());
        self.mind.senses.end(asked);
        if let Some(at) = heavy {
            self.event(EventKind::Heavy(self.mind.senses.clocks[at].sensor));
        }
    }

    /// What the `while` of a sensor depends on, as it is now.
    pub(super) fn asked(&self) -> Asked {
        let mind = &*self.mind;
        Asked {
            memory: seen_of(self.context.spec, &mind.memory, &mind.picks),
            state: mind.state.version(),
            here: mind.here,
        }
    }

    /// Runs the sensor for tasks if that is another now; gives it if its work is heavy.
    fn orders_first(&mut self) -> Option<usize> {
        let at = self.mind.senses.of_orders(self.context.spec);
        self.mind.senses.has_orders = false;
        at.filter(|&at| self.serve(at, None) == Work::Heavy)
    }

    /// Runs those whose last work was light; gives the one whose work is heavy now.
    fn light_ones(&mut self) -> Option<usize> {
        // Answers come before a tick, not in it.
        let may_be_answered = !self.mind.questions.are_none();
        for at in 0..self.mind.senses.clocks.len() {
            // What it has asked for is there: no ray is cast for that.
            while may_be_answered && let Some(answer) = self.mind.questions.take_unread(at) {
                if self.serve(at, Some(answer)) == Work::Heavy {
                    return Some(at);
                }
            }
            let times = self.mind.senses.times_due(at, self.context.spec, self.context.now);
            for _ in 0..times {
                if self.mind.senses.clocks[at].heavy {
                    break;
                }
                if self.serve(at, None) == Work::Heavy {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Runs the others, the one that ran longest ago first, until one's work is heavy; gives that one.
    fn heavy_ones(&mut self) -> Option<usize> {
        if self.mind.senses.held_back {
            return None;
        }
        loop {
            let at = self.mind.senses.next_heavy(self.context.spec, self.context.now)?;
            if self.serve(at, None) == Work::Heavy {
                return Some(at);
            }
        }
    }

    /// Runs a sensor once, for an answer to what it has asked, or for the stimulus that waits longest
    /// if it runs on stimuli, unless its `while` does not hold.
    fn serve(&mut self, at: usize, answer: Option<(Ask, Reply)>) -> Work {
        let stimulus = match answer {
            Some(_) => None,
            None => self.mind.senses.take_stimulus(at),
        };
        let spec = &self.context.spec.sensors[usize::from(self.mind.senses.clocks[at].sensor)];
        let mut wake = NEVER;
        let holds = |during: &Condition| during.holds(&self.situation(), &mut wake);
        if !spec.during.as_ref().is_none_or(holds) {
            if answer.is_none() {
                self.mind.senses.put_off(at, spec.when, self.context.now, wake);
            }
            return Work::Light;
        }
        let work = self.run_sensor(at, stimulus.as_ref(), answer);
        if answer.is_none() {
            self.mind.senses.clocks[at].heavy = work == Work::Heavy;
        }
        work
    }

    fn run_sensor(
        &mut self,
        at: usize,
        stimulus: Option<&Stimulus>,
        answer: Option<(Ask, Reply)>,
    ) -> Work {
        let context = self.context;
        let (mind, outbox) = (&mut *self.mind, &mut *self.outbox);
        let sensor = usize::from(mind.senses.clocks[at].sensor);
        let spec = &context.spec.sensors[sensor];
        let state = match answer {
            Some(_) => mind.senses.state(at),
            None => mind.senses.run(at, spec.when, context.now),
        };
        let filed = mind.questions.last();
        let noted = Noted::default();
        let work = match context.code.sensor(sensor) {
            Some(code) => {
                let mut sensing = Sensing {
                    world: context.world,
                    me: mind.me,
                    here: &mut mind.here,
                    now: context.now,
                    spec: context.spec,
                    stimulus,
                    answer,
                    shared: context.shared,
                    state,
                    memory: &mut mind.memory,
                    npc: mind.npc,
                    picks: &mind.picks,
                    questions: &mut mind.questions,
                    asking: &mut outbox.asking,
                    position: at,
                    values: mind.state.values(),
                    shares: &mut outbox.shares,
                    noted: &noted,
                    writer: spec.name,
                    keeps: spec.keeps,
                };
                let call = MindCall::Sensor(sensor as u32);
                outbox.tape.answer(mind.id, call, &mut sensing, |sensing| code.sense(sensing))
            }
            None => {
                // Without code an event-driven sensor remembers what arrived.
                if let Some(stimulus) = stimulus {
                    mind.memory.add(&stimulus.as_fact(), spec.name, context.now, spec.keeps);
                }
                Work::Light
            }
        };
        outbox.asking.clear();
        outbox.filed += mind.questions.last().wrapping_sub(filed);
        noted.memory(context.spec, &mut mind.memory);
        let when = (context.now, mind.id);
        noted.send(spec.name, context.spec, when, &mut outbox.events, &mut outbox.mistakes);
        work
    }
}
