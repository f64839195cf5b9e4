//! Senses as bytes and back: which sensors there are is the file's, the rest is theirs.

use super::{Asked, Clock, Senses, WAITING};
use crate::known::Known;
use crate::orders::Stimulus;
use crate::pack::{Damaged, Pack, Packer, Unpacker};
use crate::time::after;
use std::collections::VecDeque;

impl Pack for Asked {
    fn pack(&self, to: &mut Packer) {
        let Asked { memory, state, here } = self;
        to.put(memory).put(state).put(here);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Asked { memory: from.take()?, state: from.take()?, here: from.take()? })
    }
}

impl Senses {
    pub(crate) fn pack(&self, to: &mut Packer) {
        let Senses { clocks, waiting, asked, missed } = self;
        for clock in clocks {
            let Clock { sensor: _, next, ran, state, heavy, idle, asleep } = clock;
            to.put(next).put(ran).put(state).put(heavy).put(idle).put(asleep);
        }
        to.number(waiting.len() as u64);
        waiting.iter().for_each(|entry| _ = to.put(entry));
        to.put(asked).put(missed);
    }

    pub(crate) fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Self, Damaged> {
        let mut clocks = Vec::with_capacity(known.n_sensors().min(from.left()));
        for at in 0..known.n_sensors() {
            clocks.push(Clock {
                sensor: known.sensor(at),
                next: from.take()?,
                ran: from.past(after(known.now, 1))?,
                state: from.take()?,
                heavy: from.take()?,
                idle: from.take()?,
                asleep: from.take()?,
            });
        }
        let count = from.below(WAITING + 1, "list of stimuli that wait")?;
        let mut waiting = VecDeque::with_capacity(count);
        for _ in 0..count {
            let (at, stimulus): (u16, Stimulus) = from.take()?;
            if !known.runs_on(usize::from(at), &stimulus) {
                return from.damaged("stimulus that a sensor waits for");
            }
            waiting.push_back((at, stimulus));
        }
        Ok(Senses { clocks, waiting, asked: from.take()?, missed: from.long_counter()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

    #[test]
    fn what_a_sensor_was_asked_about_comes_back() {
        comes_back::<Asked>(|trial, _| Asked {
            memory: trial.any(),
            state: trial.any(),
            here: trial.any(),
        });
    }
}
