//! Senses: which sensors run in a tick.
//!
//! In:   the sensors of the type, their rates, stimuli that have arrived.
//! Out:  facts in memory.
//! Cost: at most one piece of heavy work per mind and tick, whatever the sensors.
//!
//! A tick lets sensors run in three rounds: those of every tick, those for which a stimulus has
//! arrived, those whose time has come. As soon as one says that its work was heavy the others
//! wait, and the next tick begins behind it. So nobody starves, and a light sensor never waits
//! unless a heavy one came before it.

use crate::body::{Sensing, Work};
use crate::code::Code;
use crate::condition::Situation;
use crate::events::What;
use crate::fact::{FactDraft, Handle, Place};
use crate::memory::Memory;
use crate::orders::Stimulus;
use crate::spec::{SensorSpec, Spec, When};
use crate::symbols::versions;
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
use std::collections::VecDeque;
use throng_domain::compile::Value;
use throng_domain::model::{NpcId, VariableId};

/// How many stimuli may wait for their sensors; more than that push out the oldest.
const WAITING: usize = 32;

/// One sensor of one mind.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Clock {
    /// Position in the spec.
    sensor: u16,
    /// When it is due.
    next: Tick,
    /// When it ran last, plus one; 0: never.
    ran: Tick,
    /// What it keeps from call to call.
    state: u64,
    /// Of a sensor of every tick: its `while` does not hold, and will not by itself before this
    /// moment; 0: it holds.
    asleep: Tick,
}

/// The sensors of one mind.
#[derive(Clone, PartialEq, Debug)]
pub struct Senses {
    clocks: Vec<Clock>,
    /// Stimuli, each with the sensor it is for (a position in `clocks`).
    waiting: VecDeque<(u16, Stimulus)>,
    /// Where the rounds begin.
    turn: usize,
    /// What the sensors of every tick were asked about when one of them had to wait for its
    /// `while`.
    asked: Option<Asked>,
    missed: u64,
}

/// What a `while` depends on beside time and what all share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Asked {
    pub(crate) memory: (u64, u64),
    pub(crate) state: u64,
    pub(crate) here: Place,
}

/// What sensors may see and touch.
pub(crate) struct Surroundings<'s, W: ?Sized> {
    pub(crate) spec: &'s Spec,
    pub(crate) code: &'s Code<W>,
    pub(crate) world: &'s W,
    pub(crate) me: Handle,
    pub(crate) here: &'s mut Place,
    pub(crate) now: Tick,
    pub(crate) memory: &'s mut Memory,
    pub(crate) shared: &'s Memory,
    pub(crate) values: &'s [Value],
    /// Of the state that the values are of.
    pub(crate) version: u64,
    pub(crate) shares: &'s mut Vec<FactDraft>,
}

impl Senses {
    /// The sensors of a type. `number` spreads minds over the ticks, so that they do not all look
    /// at once.
    pub(crate) fn new(spec: &Spec, npc: NpcId, number: u32, now: Tick) -> Self {
        let clock = |(at, &sensor): (usize, &u16)| {
            let rate = match spec.sensors[usize::from(sensor)].when {
                When::Every(rate) => rate.max(1),
                When::On(_) => 1,
            };
            let spread = number.wrapping_mul(7).wrapping_add(at as u32 * 3) % rate;
            Clock { sensor, next: after(now, spread), ran: 0, state: 0, asleep: 0 }
        };
        let clocks = spec.npcs[npc.index()].sensors.iter().enumerate().map(clock).collect();
        Senses { clocks, waiting: VecDeque::new(), turn: 0, asked: None, missed: 0 }
    }

    /// How many stimuli were lost because too many came at once.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// The sensors by position in the spec, each with the moment it ran last.
    pub fn last_runs(&self) -> impl Iterator<Item = (usize, Option<Tick>)> {
        self.clocks.iter().map(|clock| (usize::from(clock.sensor), clock.ran.checked_sub(1)))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.clocks.capacity() * size_of::<Clock>()
            + self.waiting.capacity() * size_of::<(u16, Stimulus)>()
    }

    /// Takes a stimulus in for every sensor that runs on it; `false` if there is none.
    pub(crate) fn stimulate(&mut self, spec: &Spec, stimulus: &Stimulus) -> bool {
        let mut taken = false;
        for at in 0..self.clocks.len() {
            let sensor = &spec.sensors[usize::from(self.clocks[at].sensor)];
            if sensor.when == When::On(stimulus.kind) {
                if self.waiting.len() >= WAITING {
                    self.waiting.pop_front();
                    self.missed += 1;
                }
                self.waiting.push_back((at as u16, *stimulus));
                taken = true;
            }
        }
        taken
    }

    /// Whether all polled sensors that feed a variable have run since a moment. Sensors that say
    /// nothing about what they feed may feed it.
    pub(crate) fn have_looked(&self, spec: &Spec, variable: VariableId, since: Tick) -> bool {
        self.clocks.iter().all(|clock| {
            let sensor = &spec.sensors[usize::from(clock.sensor)];
            let says_nothing = sensor.feeds_variables.is_empty() && sensor.feeds_checks.is_empty();
            let feeds = says_nothing || sensor.feeds_variables.contains(&variable);
            let polled = matches!(sensor.when, When::Every(_)) && sensor.during.is_none();
            !(feeds && polled) || clock.ran > since.saturating_add(1)
        })
    }

    /// When a sensor is due next.
    pub(crate) fn next_due(&self, spec: &Spec, now: Tick, is: &Asked) -> Tick {
        if !self.waiting.is_empty() {
            return after(now, 1);
        }
        let mut next = NEVER;
        for clock in &self.clocks {
            match spec.sensors[usize::from(clock.sensor)].when {
                When::On(_) => {}
                // Each tick that runs asks again; but what came after the question in this one
                // may have changed the answer.
                When::Every(0) if clock.asleep > 0 => {
                    let same = self.asked.as_ref() == Some(is);
                    next = next.min(if same { clock.asleep } else { after(now, 1) });
                }
                When::Every(_) => next = next.min(clock.next),
            }
        }
        next
    }

    /// Lets sensors run until one does heavy work.
    pub(crate) fn sense<W: ?Sized>(
        &mut self,
        around: &mut Surroundings<'_, W>,
        mut event: impl FnMut(What),
    ) {
        let n = self.clocks.len();
        let heavy = self.every_tick(around).or_else(|| self.on_stimuli(around));
        let heavy = heavy.or_else(|| self.in_time(around));
        if let Some(at) = heavy {
            self.turn = (at + 1) % n.max(1);
            event(What::Heavy(self.clocks[at].sensor));
        }
    }

    fn every_tick<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) -> Option<usize> {
        let is = |spec: &SensorSpec| spec.when == When::Every(0);
        let asked = Asked {
            memory: versions(around.spec, around.memory),
            state: around.version,
            here: *around.here,
        };
        let heavy = self.round(around, is);
        self.asked = self.clocks.iter().any(|clock| clock.asleep > 0).then_some(asked);
        heavy
    }

    fn in_time<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) -> Option<usize> {
        let is = |spec: &SensorSpec| matches!(spec.when, When::Every(1..));
        self.round(around, is)
    }

    /// Runs the sensors that are due and of which `is` holds, in turn; gives the one whose work
    /// was heavy.
    fn round<W: ?Sized>(
        &mut self,
        around: &mut Surroundings<'_, W>,
        is: impl Fn(&SensorSpec) -> bool,
    ) -> Option<usize> {
        let n = self.clocks.len();
        for offset in 0..n {
            let at = (self.turn + offset) % n;
            let clock = self.clocks[at];
            let spec = &around.spec.sensors[usize::from(clock.sensor)];
            if clock.next > around.now || !is(spec) {
                continue;
            }
            let mut wake = NEVER;
            if !is_wanted(spec, around, &mut wake) {
                let When::Every(rate) = spec.when else { continue };
                match rate {
                    0 => self.clocks[at].asleep = wake.max(1),
                    _ => self.clocks[at].next = after(around.now, rate),
                }
                continue;
            }
            self.clocks[at].asleep = 0;
            if self.run(at, None, around) == Work::Heavy {
                return Some(at);
            }
        }
        None
    }

    /// Serves stimuli in the order of arrival.
    fn on_stimuli<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) -> Option<usize> {
        while let Some((at, stimulus)) = self.waiting.pop_front() {
            let at = usize::from(at);
            let spec = &around.spec.sensors[usize::from(self.clocks[at].sensor)];
            let wanted = is_wanted(spec, around, &mut { NEVER });
            if wanted && self.run(at, Some(&stimulus), around) == Work::Heavy {
                return Some(at);
            }
        }
        None
    }

    fn run<W: ?Sized>(
        &mut self,
        at: usize,
        stimulus: Option<&Stimulus>,
        around: &mut Surroundings<'_, W>,
    ) -> Work {
        let clock = &mut self.clocks[at];
        let sensor = usize::from(clock.sensor);
        let spec = &around.spec.sensors[sensor];
        clock.ran = after(around.now, 1);
        if let When::Every(rate) = spec.when {
            clock.next = after(around.now, rate.max(1));
        }
        let Some(code) = around.code.sensor(sensor) else {
            // Without code an event-driven sensor remembers what arrived.
            if let Some(stimulus) = stimulus {
                around.memory.add(&stimulus.as_fact(), spec.name, around.now, spec.keeps);
            }
            return Work::Light;
        };
        code.sense(&mut Sensing {
            world: around.world,
            me: around.me,
            here: around.here,
            now: around.now,
            spec: around.spec,
            stimulus,
            shared: around.shared,
            state: &mut clock.state,
            memory: around.memory,
            shares: around.shares,
            writer: spec.name,
            keeps: spec.keeps,
        })
    }
}

fn is_wanted<W: ?Sized>(spec: &SensorSpec, around: &Surroundings<'_, W>, wake: &mut Tick) -> bool {
    let situation = Situation {
        memory: around.memory,
        shared: around.shared,
        values: around.values,
        here: *around.here,
        now: around.now,
        pace: around.spec.pace,
        it: Word::NONE,
    };
    spec.during.as_ref().is_none_or(|condition| condition.holds(&situation, wake))
}
