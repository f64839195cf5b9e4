//! Senses: which sensors run in a tick.
//!
//! In:   the sensors of the type, their rates, stimuli that have arrived.
//! Out:  facts in memory.
//! Cost: at most one piece of heavy work per mind and tick, whatever the sensors.
//!
//! Sensors are due in every tick, when their time has come, or when a stimulus has arrived. Those
//! whose last work was light run first, all of them, in the order of the file. Of the others the
//! one that ran longest ago is served, then the next, until one says that its work was heavy. So
//! nobody starves: with `n` heavy sensors each has its turn within `n` ticks, however fast the
//! others want to look, and light ones hardly ever wait.

mod codec;

use crate::body::{Sensing, Work};
use crate::code::Code;
use crate::condition::Situation;
use crate::events::{Event, What};
use crate::fact::{FactDraft, Handle, Place};
use crate::memory::Memory;
use crate::mistakes::{Mistake, Noted};
use crate::orders::{MindId, Stimulus};
use crate::spec::{SensorSpec, Spec, When};
use crate::symbols::versions;
use crate::tape::Tape;
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
use std::collections::VecDeque;
use throng_domain::compile::Value;
use throng_domain::model::{NpcId, VariableId};

/// How many stimuli may wait for their sensors. Beyond that the oldest of the same sensor goes, or
/// the new one: no sensor can push out what another waits for.
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
    /// Its last work was heavy.
    heavy: bool,
    /// Its `while` did not hold when it was last asked.
    idle: bool,
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
    pub(crate) id: MindId,
    pub(crate) me: Handle,
    pub(crate) here: &'s mut Place,
    pub(crate) now: Tick,
    pub(crate) memory: &'s mut Memory,
    pub(crate) shared: &'s Memory,
    pub(crate) values: &'s [Value],
    /// Of the state that the values are of.
    pub(crate) version: u64,
    pub(crate) shares: &'s mut Vec<FactDraft>,
    pub(crate) events: &'s mut Vec<Event>,
    pub(crate) mistakes: &'s mut Vec<Mistake>,
    pub(crate) tape: &'s mut Tape,
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
            Clock {
                sensor,
                next: after(now, spread),
                ran: 0,
                state: 0,
                heavy: false,
                idle: false,
                asleep: 0,
            }
        };
        let clocks = spec.npcs[npc.index()].sensors.iter().enumerate().map(clock).collect();
        Senses { clocks, waiting: VecDeque::new(), asked: None, missed: 0 }
    }

    /// Stimuli that their sensors have not seen yet, in the order of arrival.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Stimulus> {
        self.waiting.iter().map(|(_, stimulus)| stimulus)
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

    /// Whether a sensor runs on stimuli of this kind.
    pub(crate) fn hears(&self, spec: &Spec, kind: Word) -> bool {
        let when = |clock: &Clock| spec.sensors[usize::from(clock.sensor)].when;
        self.clocks.iter().any(|clock| when(clock) == When::On(kind))
    }

    /// Takes a stimulus in for every sensor that runs on it; `false` if there is none.
    pub(crate) fn stimulate(&mut self, spec: &Spec, stimulus: &Stimulus) -> bool {
        let mut taken = false;
        for at in 0..self.clocks.len() {
            let sensor = &spec.sensors[usize::from(self.clocks[at].sensor)];
            if sensor.when == When::On(stimulus.kind) {
                self.line_up(at as u16, stimulus);
                taken = true;
            }
        }
        taken
    }

    /// Lets a stimulus wait for a sensor. One about the same thing is brought up to date instead.
    fn line_up(&mut self, at: u16, stimulus: &Stimulus) {
        let same = |(known, other): &&mut (u16, Stimulus)| {
            *known == at && stimulus.object.is_some() && other.object == stimulus.object
        };
        if let Some((_, older)) = self.waiting.iter_mut().find(same) {
            *older = *stimulus;
            return;
        }
        if self.waiting.len() >= WAITING {
            self.missed += 1;
            let Some(oldest) = self.waiting.iter().position(|(known, _)| *known == at) else {
                return;
            };
            self.waiting.remove(oldest);
        }
        self.waiting.push_back((at, *stimulus));
    }

    /// Whether all polled sensors that feed a variable have run since a moment. Sensors that say
    /// nothing about what they feed may feed it.
    pub(crate) fn have_looked(&self, spec: &Spec, variable: VariableId, since: Tick) -> bool {
        self.clocks.iter().all(|clock| {
            let sensor = &spec.sensors[usize::from(clock.sensor)];
            let says_nothing = sensor.feeds_variables.is_empty() && sensor.feeds_checks.is_empty();
            let feeds = says_nothing || sensor.feeds_variables.contains(&variable);
            let polled = matches!(sensor.when, When::Every(_)) && !clock.idle;
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
    pub(crate) fn sense<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) {
        let asked = Asked {
            memory: versions(around.spec, around.memory),
            state: around.version,
            here: *around.here,
        };
        // All are asked again; who has to wait until the next tick is due then.
        self.clocks.iter_mut().for_each(|clock| clock.asleep = 0);
        let heavy = self.light_ones(around).or_else(|| self.heavy_ones(around));
        self.asked = self.clocks.iter().any(|clock| clock.asleep > 0).then_some(asked);
        if let Some(at) = heavy {
            let what = What::Heavy(self.clocks[at].sensor);
            around.events.push(Event { at: around.now, mind: around.id, what });
        }
    }

    /// Runs those whose last work was light; gives the one whose work is heavy now.
    fn light_ones<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) -> Option<usize> {
        for at in 0..self.clocks.len() {
            // Of stimuli, as many as have arrived.
            let times = match self.when(at, around.spec) {
                When::On(_) => self.waiting.iter().filter(|(of, _)| usize::from(*of) == at).count(),
                When::Every(_) => usize::from(self.clocks[at].next <= around.now),
            };
            for _ in 0..times {
                if self.clocks[at].heavy {
                    break;
                }
                if self.serve(at, around) == Work::Heavy {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Runs the others, who ran longest ago first, until one's work is heavy; gives that one.
    fn heavy_ones<W: ?Sized>(&mut self, around: &mut Surroundings<'_, W>) -> Option<usize> {
        loop {
            let is_due = |at: &usize| {
                let clock = &self.clocks[*at];
                let due = match self.when(*at, around.spec) {
                    When::On(_) => self.waiting.iter().any(|(of, _)| usize::from(*of) == *at),
                    When::Every(_) => clock.next <= around.now && clock.asleep == 0,
                };
                clock.heavy && due
            };
            let due = (0..self.clocks.len()).filter(is_due);
            let at = due.min_by_key(|&at| (self.clocks[at].ran, at))?;
            if self.serve(at, around) == Work::Heavy {
                return Some(at);
            }
        }
    }

    fn when(&self, at: usize, spec: &Spec) -> When {
        spec.sensors[usize::from(self.clocks[at].sensor)].when
    }

    /// Runs a sensor once, for the stimulus that waits longest if it runs on stimuli; if its
    /// `while` does not hold, it is not asked again in this tick.
    fn serve<W: ?Sized>(&mut self, at: usize, around: &mut Surroundings<'_, W>) -> Work {
        let spec = &around.spec.sensors[usize::from(self.clocks[at].sensor)];
        let first = self.waiting.iter().position(|(of, _)| usize::from(*of) == at);
        let stimulus = first.and_then(|first| self.waiting.remove(first)).map(|(_, it)| it);
        let mut wake = NEVER;
        self.clocks[at].idle = !is_wanted(spec, around, &mut wake);
        if self.clocks[at].idle {
            match spec.when {
                When::On(_) => {}
                When::Every(0) => self.clocks[at].asleep = wake.max(1),
                When::Every(rate) => self.clocks[at].next = after(around.now, rate),
            }
            return Work::Light;
        }
        self.clocks[at].asleep = 0;
        let work = self.run(at, stimulus.as_ref(), around);
        self.clocks[at].heavy = work == Work::Heavy;
        work
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
        let noted = Noted::default();
        let work = match around.code.sensor(sensor) {
            Some(code) => {
                let mut sensing = Sensing {
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
                    noted: &noted,
                    writer: spec.name,
                    keeps: spec.keeps,
                };
                around.tape.sense(around.id, sensor, code, &mut sensing)
            }
            None => {
                // Without code an event-driven sensor remembers what arrived.
                if let Some(stimulus) = stimulus {
                    around.memory.add(&stimulus.as_fact(), spec.name, around.now, spec.keeps);
                }
                Work::Light
            }
        };
        noted.memory(around.spec, around.memory);
        let when = (around.now, around.id);
        noted.send(spec.name, around.spec, when, around.events, around.mistakes);
        work
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
