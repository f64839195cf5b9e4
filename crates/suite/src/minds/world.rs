//! A world that is nothing but dice: code of sensors and behaviours that does anything.
//!
//! In:   a seed, who asks, when.
//! Out:  facts, orders, answers; the same for the same mind, moment and past.
//!
//! What a sensor does depends on how often it was called before, so a call too few or too many
//! shows in everything that follows.

use super::notes::{KINDS, STIMULI, WORDS};
use super::text::BEHAVIOURS;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use throng_base::SplitMix;
use throng_mind::blackboard::Blackboard;
use throng_mind::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Work};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::memory::Memory;
use throng_mind::orders::Order;
use throng_mind::questions::{Ask, Point};
use throng_mind::spec::Spec;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// How many things there can be in a world.
pub(super) const THINGS: usize = 4096;

/// What the code of minds sees.
pub struct World {
    seed: u64,
    /// How often in a hundred a sensor finds anything.
    busy: usize,
    kinds: Vec<Word>,
    words: Vec<Word>,
    /// The selections of the file.
    selects: Vec<String>,
    /// By thing: one more than the moment at which a behaviour of it was last called.
    acted: Vec<AtomicU32>,
    /// By thing: one more than the moment of its last heavy work.
    heavy: Vec<AtomicU32>,
    /// A mind did heavy work twice in a tick.
    too_heavy: AtomicBool,
}

impl World {
    pub(super) fn new(seed: u64, spec: &Spec) -> World {
        let find = |text: &&str| spec.words.find(text).unwrap_or(Word::NONE);
        World {
            seed,
            busy: *SplitMix::new(seed ^ 77).pick(&[5, 30, 90]),
            kinds: KINDS.iter().map(find).collect(),
            words: WORDS.iter().map(find).collect(),
            selects: selects_of(spec),
            acted: (0..THINGS).map(|_| AtomicU32::new(0)).collect(),
            heavy: (0..THINGS).map(|_| AtomicU32::new(0)).collect(),
            too_heavy: AtomicBool::new(false),
        }
    }

    fn dice(&self, salt: u64, me: EntityId, now: Tick) -> SplitMix {
        let mut dice = SplitMix::new(self.seed ^ salt.rotate_left(40) ^ me.0.rotate_left(20));
        SplitMix::new(dice.number() ^ u64::from(now))
    }

    /// Whether code of a behaviour was called for this thing in this tick.
    pub fn has_acted(&self, me: EntityId, now: Tick) -> bool {
        self.acted.get(me.0 as usize).is_some_and(|at| at.load(Ordering::Relaxed) == now + 1)
    }

    /// Whether a mind did heavy work twice in a tick.
    pub fn is_too_heavy(&self) -> bool {
        self.too_heavy.load(Ordering::Relaxed)
    }

    fn works_hard(&self, me: EntityId, now: Tick) {
        let last = self.heavy.get(me.0 as usize).map(|at| at.swap(now + 1, Ordering::Relaxed));
        if last == Some(now + 1) {
            self.too_heavy.store(true, Ordering::Relaxed);
        }
    }

    fn acts(&self, me: EntityId, now: Tick) {
        if let Some(acted) = self.acted.get(me.0 as usize) {
            acted.store(now + 1, Ordering::Relaxed);
        }
    }

    /// What there is to be known of a thing at a moment; `None` while it is gone. Things come and
    /// go, move and change every few ticks.
    fn thing(&self, object: EntityId, now: Tick) -> Option<FactDraft> {
        let mut steady = self.dice(501, object, 0);
        let (kind, every) = (*steady.pick(&self.kinds), steady.within(5, 30) as Tick);
        if !self.dice(502, object, now / every).percent(75) {
            return None;
        }
        let mut dice = self.dice(503, object, now / 8);
        let place = [dice.below(6) as f32, dice.below(6) as f32, 0.0];
        let fact = FactDraft::new(kind)
            .with(Attribute::Object, Value::Entity(object), 1.0)
            .with(Attribute::Node, Value::Word(*steady.pick(&self.words)), any_sure(&mut dice))
            .with(Attribute::Knowledge, Value::Word(*dice.pick(&self.words)), any_sure(&mut dice))
            .with(Attribute::Amount, Value::Number(dice.below(4) as f32), 1.0)
            .with(Attribute::Position, Value::Position(place), 1.0);
        Some(fact)
    }

    /// Any fact, of few enough sorts that they meet.
    pub fn any_fact(&self, dice: &mut SplitMix) -> FactDraft {
        any_fact(&self.kinds, &self.words, dice)
    }
}

/// Any fact of these kinds with these words.
pub fn any_fact(kinds: &[Word], words: &[Word], dice: &mut SplitMix) -> FactDraft {
    let mut fact = FactDraft::new(*dice.pick(kinds));
    for attribute in [Attribute::Node, Attribute::Knowledge, Attribute::Stimulus] {
        if dice.percent(60) {
            fact = fact.with(attribute, Value::Word(*dice.pick(words)), any_sure(dice));
        }
    }
    for attribute in [Attribute::Amount, Attribute::Index] {
        if dice.percent(40) {
            fact = fact.with(attribute, Value::Number(dice.below(4) as f32), any_sure(dice));
        }
    }
    if dice.percent(50) {
        let place = [dice.below(6) as f32, dice.below(6) as f32, 0.0];
        fact = fact.with(Attribute::Position, Value::Position(place), any_sure(dice));
    }
    for (attribute, chance) in [(Attribute::Object, 35), (Attribute::Source, 20)] {
        if dice.percent(chance) {
            fact = fact.with(attribute, Value::Entity(any_thing(dice)), 1.0);
        }
    }
    match dice.below(4) {
        0 => fact.keep(dice.below(40) as Tick),
        _ => fact,
    }
}

/// One of the few things that there are.
pub(super) fn any_thing(dice: &mut SplitMix) -> EntityId {
    EntityId(dice.below(9) as u64)
}

fn selects_of(spec: &Spec) -> Vec<String> {
    let map = spec.domain.map();
    spec.selects.iter().map(|select| map.select(select.select).to_string()).collect()
}

fn any_sure(dice: &mut SplitMix) -> f32 {
    *dice.pick(&[0.0, 0.5, 0.5, 0.8, 1.0])
}

/// All code: a sensor for every name in the file that is polled, and for some that are not; all
/// behaviours, whether or not the file has a use for them.
pub(super) fn body(spec: &Spec) -> Body<World> {
    let mut words: Vec<&str> = KINDS.to_vec();
    words.extend(WORDS);
    words.extend(STIMULI);
    let mut body = Body::new().for_many_files().words(&words);
    for (at, sensor) in spec.sensors.iter().enumerate() {
        let polled = matches!(sensor.when, throng_mind::spec::When::Every(_));
        if polled || at % 2 == 0 {
            let code = move |sensing: &mut Sensing<'_, World>| look(at as u64, sensing);
            body = body.sensor(spec.words.text(sensor.name), code);
        }
    }
    for (at, name) in BEHAVIOURS.iter().enumerate() {
        body = body.behaviour(name, Does(at as u64));
    }
    body.behaviour("f0", Does(99))
}

/// What is picked, and what might be, in one number.
fn picked(s: &Sensing<'_, World>) -> u64 {
    s.world.selects.iter().fold(0, |all, select| {
        let since = s.picked(select).map_or(0, |pick| u64::from(pick.since) + 1);
        all * 31 + since * 17 + s.candidates(select).count() as u64
    })
}

/// What a sensor does.
fn look(number: u64, s: &mut Sensing<'_, World>) -> Work {
    let mut dice = s.world.dice(number ^ *s.state ^ picked(s) << 9, s.me, s.now);
    *s.state = s.state.wrapping_mul(31).wrapping_add(dice.number() >> 32);
    if let Some((ask, reply)) = s.answer {
        let sure = if reply.holds() == Some(true) { 1.0 } else { 0.5 };
        let about = ask.about().and_then(|point| point.what);
        let fact = s.world.any_fact(&mut dice).with_some(Attribute::Object, about, sure);
        s.remember(fact);
        return Work::Light;
    }
    if dice.percent(10) {
        let place = [dice.below(6) as f32, dice.below(6) as f32, 0.0];
        let to = Point::of(any_thing(&mut dice), place);
        let reply = match dice.below(3) {
            0 => s.ask_within(Ask::path(to, *dice.pick(&s.world.words)), 2),
            1 => s.ask(Ask::Cover { spot: to, from: Point::at(place) }),
            _ => s.ask(Ask::sight(to)),
        };
        if reply.holds() == Some(true) {
            s.remember(s.world.any_fact(&mut dice));
        }
    }
    // Where something is picked, things are seen.
    if !s.world.selects.is_empty() && dice.percent(50) {
        look_at(any_thing(&mut dice), s);
    }
    if dice.percent(s.world.busy) || s.stimulus.is_some() {
        match dice.below(9) {
            0 | 1 => {
                s.remember(s.world.any_fact(&mut dice));
            }
            2 => {
                s.remember_one(s.world.any_fact(&mut dice), &[Attribute::Node]);
            }
            // The same again: only its age changes.
            3..=5 => {
                let mut steady = s.world.dice(number + dice.below(2) as u64, s.me, 0);
                let fact = s.world.any_fact(&mut steady);
                s.remember_one(fact, &[Attribute::Node, Attribute::Amount]);
            }
            6 => {
                s.remember_one(s.world.any_fact(&mut dice), &[Attribute::Amount]);
                s.forget_the_rest();
            }
            7 => {
                let nth = dice.below(s.memory().len().max(1));
                let id = s.memory().iter().nth(nth).map(|fact| fact.id());
                id.into_iter().for_each(|id| s.forget(id));
            }
            _ => *s.here = [dice.below(6) as f32, dice.below(6) as f32, 0.0],
        }
    }
    if dice.percent(2) {
        s.share(s.world.any_fact(&mut dice));
    }
    // Mistakes are reported and disturb no mind.
    match dice.below(200) {
        0 => _ = s.word("unheard_of"),
        1 => _ = s.remember(s.world.any_fact(&mut dice).with(Attribute::Node, s.me, 1.0)),
        _ => {}
    }
    if dice.percent(70) {
        return Work::Light;
    }
    s.world.works_hard(s.me, s.now);
    Work::Heavy
}

/// Sees a thing, or that it is gone.
fn look_at(object: EntityId, s: &mut Sensing<'_, World>) {
    if let Some(fact) = s.world.thing(object, s.now) {
        s.remember_one(fact, &[Attribute::Object]);
        return;
    }
    let is_it = |value| value == Some((Value::Entity(object), 1.0));
    let about = s.memory().iter().filter(|fact| is_it(fact.get(Attribute::Object)));
    let about: Vec<_> = about.map(|fact| fact.id()).collect();
    about.into_iter().for_each(|id| s.forget(id));
}

/// A behaviour of many moods.
struct Does(u64);

/// What a run keeps: its mood, and how often it goes on.
const BY_ORDERS: u64 = 1 << 32;

impl Behaviour<World> for Does {
    fn start(&self, a: &mut Acting<'_, World>) -> Progress {
        let mut dice = self.dice(a);
        meddle(a, &mut dice, 25);
        if dice.percent(10) {
            let to = Point::of(any_thing(&mut dice), [1.0, 2.0, 0.0]);
            if a.ask(Ask::sight(to)).holds() == Some(true) {
                return Progress::Done;
            }
        }
        let ticks = dice.within(1, 12);
        match dice.below(10) {
            0 | 1 => Progress::Done,
            2 => Progress::Failed(*dice.pick(&a.world.words)),
            3 => {
                *a.state = ticks as u64;
                Progress::Running
            }
            4 | 5 => {
                *a.state = dice.below(3) as u64;
                Progress::Until(a.now + ticks as Tick)
            }
            // Fire and forget.
            6 => {
                order(a.board, &mut dice, &a.world.words);
                Progress::Done
            }
            _ => {
                *a.state = BY_ORDERS;
                (0..dice.within(1, 3)).for_each(|_| order(a.board, &mut dice, &a.world.words));
                Progress::Waiting
            }
        }
    }

    fn go_on(&self, a: &mut Acting<'_, World>) -> Progress {
        let mut dice = self.dice(a);
        meddle(a, &mut dice, 15);
        if *a.state == BY_ORDERS {
            return a.board.progress();
        }
        match a.state.checked_sub(1) {
            Some(left) => {
                *a.state = left;
                Progress::Running
            }
            None if dice.percent(80) => Progress::Done,
            None => Progress::Failed(Word::NONE),
        }
    }

    fn end(&self, a: &mut Acting<'_, World>, how: Ending) {
        let mut dice = self.dice(a);
        meddle(a, &mut dice, if how == Ending::Done { 40 } else { 20 });
        if dice.percent(5) {
            order(a.board, &mut dice, &a.world.words);
        }
    }
}

impl Does {
    fn dice(&self, a: &Acting<'_, World>) -> SplitMix {
        a.world.acts(a.me, a.now);
        let action = a.action.map_or(999, |action| action.index() as u64);
        // What it is about tells what it does.
        let about = a.object(0).map_or(0, |thing| thing.0 + 1);
        let picked = a.world.selects.iter().filter_map(|select| a.picked(select));
        let about = picked.fold(about, |all, pick| all * 31 + u64::from(pick.since));
        let salt = self.0 << 8 | action << 12 | *a.state << 24;
        a.world.dice(salt ^ about << 48, a.me, a.now)
    }
}

/// A context effect, so many times in a hundred.
fn meddle(a: &mut Acting<'_, World>, dice: &mut SplitMix, chance: usize) {
    if !dice.percent(chance) {
        return;
    }
    match dice.below(5) {
        0 => {
            a.remember(a.world.any_fact(dice), dice.below(60) as Tick);
        }
        1 => {
            a.remember_one(a.world.any_fact(dice), &[], 20);
        }
        2 => a.share(a.world.any_fact(dice), dice.within(1, 30) as Tick),
        3 => forget_some(a.memory, *dice.pick(&a.world.kinds)),
        _ => {
            let nth = dice.below(a.memory.len().max(1));
            let fact = a.memory.iter().nth(nth).map(|fact| (fact.id(), fact.kind()));
            if let Some((id, kind)) = fact {
                a.memory.update(id, &FactDraft::new(kind), a.now, 5);
            }
        }
    }
}

fn forget_some(memory: &mut Memory, kind: Word) {
    memory.remove_if(|fact| fact.kind() == kind);
}

fn order(board: &mut Blackboard, dice: &mut SplitMix, words: &[Word]) {
    let word = *dice.pick(words);
    board.order(match dice.below(3) {
        0 => Order::Move { to: [1.0, 2.0, 0.0], node: word, manner: word },
        1 => Order::Target { at: Some(any_thing(dice)) },
        _ => Order::Other { what: word, on: None, name: word, place: [0.0; 3], amount: 0.0 },
    });
}
