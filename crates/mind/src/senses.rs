//! Senses: which sensors run in a tick. That they do is in `tick/sense.rs`.
//!
//! In:   the sensors of the type, their rates, stimuli that have arrived.
//! Out:  the sensor to run next.
//! Cost: at most one piece of heavy work per mind and tick, whatever the sensors.
//!
//! Sensors are due in every tick, when their time has come, or when a stimulus has arrived. Those
//! whose last work was light run first, all of them, in the order of the file. Of the others the
//! one that ran longest ago is served, then the next, until one says that its work was heavy. So
//! none starves: with `n` heavy sensors each has its turn within `n` ticks, however fast the
//! others want to look, and light ones hardly ever wait.
//!
//! The sensor `orders` runs before all others in the tick in which a task is told or taken back: what
//! it has written is about the task before, and nothing is to be begun by that.

use crate::fact::Position;
use crate::known::{Known, SensorOf};
use crate::orders::Stimulus;
use crate::spec::{Spec, When};
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
use std::collections::VecDeque;
use throng_base::codec_struct;
use throng_domain::model::{NpcTypeId, VariableId};

/// How many stimuli may wait for their sensors. Beyond that the oldest of the same sensor goes, or
/// the new one: no sensor can push out what another waits for.
const WAITING: usize = 32;

/// One sensor of one mind.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Clock {
    /// Position in the spec.
    pub(crate) sensor: u16,
    /// When it is due.
    next: Tick,
    /// When it ran last, plus one; 0: never.
    ran: Tick,
    /// What it keeps from call to call.
    state: u64,
    /// Its last work was heavy.
    pub(crate) heavy: bool,
    /// Its `while` did not hold when it was last asked.
    idle: bool,
    /// Of a sensor of every tick: its `while` does not hold, and will not by itself before this
    /// moment; 0: it holds.
    asleep: Tick,
}

/// The sensors of one mind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Senses {
    pub(crate) clocks: Vec<Clock>,
    /// Stimuli, each with the sensor it is for (a position in `clocks`).
    waiting: VecDeque<(u16, Stimulus)>,
    /// What the sensors of every tick were asked about when one of them had to wait for its
    /// `while`.
    asked: Option<Asked>,
    missed: u64,
    /// In this tick others do the heavy work. Only while a tick is under way.
    pub(crate) held_back: bool,
    /// In this tick the mind has heard of a task, or that one is over. Only while a tick is under way.
    pub(crate) has_orders: bool,
}

/// What a `while` depends on beside time and what all share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Asked {
    pub(crate) memory: (u64, u64),
    pub(crate) state: u64,
    pub(crate) here: Position,
}

impl Senses {
    /// Whether these are others bit by bit, two zeros may differ in their sign; `true` is certain.
    pub(crate) fn is_same(&self, other: &Senses) -> bool {
        let here = |asked: &Asked| asked.here.map(f32::to_bits);
        self.waiting.is_empty()
            && self.asked.as_ref().map(here) == other.asked.as_ref().map(here)
            && self == other
    }

    /// The sensors of a type. `number` spreads minds over the ticks, so that they do not all look
    /// at once.
    pub(crate) fn new(spec: &Spec, npc: NpcTypeId, number: u32, now: Tick) -> Self {
        let clock = |(at, &sensor): (usize, &u16)| {
            let rate = match spec.sensors[usize::from(sensor)].when {
                When::Every(rate) => rate.max(1),
                When::On(_) => 1,
            };
            let spread = number.wrapping_mul(7).wrapping_add(at as u32 * 3) % rate;
            Clock { sensor, next: after(now, spread), ..Clock::default() }
        };
        let clocks = spec.npcs[npc.index()].sensors.iter().enumerate().map(clock).collect();
        Senses { clocks, ..Senses::default() }
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

    /// Takes a stimulus in for every sensor that runs on it.
    pub(crate) fn stimulate(&mut self, spec: &Spec, stimulus: &Stimulus) {
        for at in 0..self.clocks.len() {
            if self.when(at, spec) == When::On(stimulus.kind) {
                self.line_up(at as u16, stimulus);
            }
        }
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

    /// A tick begins: all are asked again; one that has to wait until the next tick is due then.
    pub(crate) fn begin(&mut self) {
        self.clocks.iter_mut().for_each(|clock| clock.asleep = 0);
    }

    /// The tick's sensing is over; `asked` is what the `while`s depended on when it began.
    pub(crate) fn end(&mut self, asked: Asked) {
        self.asked = self.clocks.iter().any(|clock| clock.asleep > 0).then_some(asked);
    }

    /// How often a sensor is due: of stimuli, as often as some have arrived.
    #[inline]
    pub(crate) fn times_due(&self, at: usize, spec: &Spec, now: Tick) -> usize {
        match self.when(at, spec) {
            When::On(_) if self.waiting.is_empty() => 0,
            When::On(_) => self.waiting.iter().filter(|(of, _)| usize::from(*of) == at).count(),
            When::Every(_) => usize::from(self.clocks[at].next <= now),
        }
    }

    /// The sensor that says where the mind stands with its task, if that is another than before and it
    /// may look in this tick.
    pub(crate) fn of_orders(&self, spec: &Spec) -> Option<usize> {
        let orders = |clock: &Clock| {
            let sensor = &spec.sensors[usize::from(clock.sensor)];
            let is_it = sensor.name == spec.squad_words.orders;
            is_it && matches!(sensor.when, When::Every(_)) && !(clock.heavy && self.held_back)
        };
        if self.has_orders { self.clocks.iter().position(orders) } else { None }
    }

    /// Of those that are due and whose last work was heavy, the one that ran longest ago.
    pub(crate) fn next_heavy(&self, spec: &Spec, now: Tick) -> Option<usize> {
        let is_due = |at: usize, clock: &Clock| match self.when(at, spec) {
            When::On(_) => self.waiting.iter().any(|(of, _)| usize::from(*of) == at),
            When::Every(_) => clock.next <= now && clock.asleep == 0,
        };
        let mut first: Option<(Tick, usize)> = None;
        for (at, clock) in self.clocks.iter().enumerate() {
            let is_first = clock.heavy && first.is_none_or(|(ran, _)| clock.ran < ran);
            if is_first && is_due(at, clock) {
                first = Some((clock.ran, at));
            }
        }
        first.map(|(_, at)| at)
    }

    /// When the sensor that is next to do heavy work ran last; `None` if none is due. `arrives` says
    /// whether a stimulus of a kind is about to arrive.
    pub(crate) fn heavy_since(
        &self,
        spec: &Spec,
        now: Tick,
        arrives: impl Fn(Word) -> bool,
    ) -> Option<Tick> {
        let is_due = |(at, clock): &(usize, &Clock)| {
            clock.heavy
                && match self.when(*at, spec) {
                    When::On(kind) => {
                        self.waiting.iter().any(|(of, _)| usize::from(*of) == *at) || arrives(kind)
                    }
                    When::Every(_) => clock.next <= now,
                }
        };
        let due = self.clocks.iter().enumerate().filter(is_due);
        due.map(|(_, clock)| clock.ran).min()
    }

    /// The stimulus that waits longest for a sensor.
    pub(crate) fn take_stimulus(&mut self, at: usize) -> Option<Stimulus> {
        let first = self.waiting.iter().position(|(of, _)| usize::from(*of) == at)?;
        self.waiting.remove(first).map(|(_, stimulus)| stimulus)
    }

    /// Its `while` does not hold, and will not by itself before `wake`: it is not asked again in
    /// this tick.
    pub(crate) fn put_off(&mut self, at: usize, when: When, now: Tick, wake: Tick) {
        let clock = &mut self.clocks[at];
        clock.idle = true;
        match when {
            When::On(_) => {}
            When::Every(0) => clock.asleep = wake.max(1),
            When::Every(rate) => clock.next = after(now, rate),
        }
    }

    /// What a sensor keeps from call to call.
    pub(crate) fn state(&mut self, at: usize) -> &mut u64 {
        &mut self.clocks[at].state
    }

    /// A sensor runs now; gives what it keeps from call to call.
    pub(crate) fn run(&mut self, at: usize, when: When, now: Tick) -> &mut u64 {
        let clock = &mut self.clocks[at];
        (clock.idle, clock.asleep, clock.ran) = (false, 0, after(now, 1));
        if let When::Every(rate) = when {
            clock.next = after(now, rate.max(1));
        }
        &mut clock.state
    }

    #[inline]
    fn when(&self, at: usize, spec: &Spec) -> When {
        spec.sensors[usize::from(self.clocks[at].sensor)].when
    }
}

codec_struct!(Asked { memory, state, here });

codec_struct!(
    in sensor: SensorOf;
    Clock { next, ran: past(after(sensor.now, 1)), state, heavy, idle, asleep }
    given { sensor: sensor.at }
);

codec_struct!(
    in known: Known<'_>;
    Senses { clocks each known.sensors(), waiting, asked, missed: long_counter }
    given { held_back: false, has_orders: false }
    where |senses| senses.waiting.len() <= WAITING, "list of stimuli that wait"
    where |senses| senses.waiting.iter().all(|(at, it)| known.runs_on(usize::from(*at), it)),
        "stimulus that a sensor waits for"
);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_a_sensor_was_asked_about_comes_back() {
        comes_back::<Asked>(|trial, _| Asked {
            memory: trial.any(),
            state: trial.any(),
            here: trial.any(),
        });
    }
}
