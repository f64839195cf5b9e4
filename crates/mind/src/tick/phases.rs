//! The table of the phases is the truth: what a phase does not write stays, what it does not read
//! does not matter, and nothing in the table is there for nothing.
//!
//! Minds live through random messages. Before each phase the mind is copied; the phase runs on
//! the copy, and on a copy of which one part is another mind's. A part that the table does not
//! name must make no difference; one that it names must make one at some time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::{Context, MindTick, PHASES, Part};
use crate::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Sensor, Work};
use crate::code::Code;
use crate::fact::{Attribute, EntityId, FactDraft, Position, Value};
use crate::memory::Memory;
use crate::mind::{Mind, Outbox};
use crate::orders::{Message, MindId, Order, OrderId, Stimulus};
use crate::planning::Scratch;
use crate::spec::Spec;
use crate::time::{NEVER, Pace, Tick};
use crate::words::Word;
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_base::SplitMix;
use throng_domain::formats::{load, no_includes};
use throng_domain::{CompiledDomain, Format, Limits};

const TEXT: &str = "domain d
var v0: a, b, c, d
var v1: a, b, c
var v2: a, b
var v3: a, b, c
action go(p in v0): v0 -> p   takes 0.2
action take: v1 -> b   while v0 = b   if near   does code
action drop: v1 b -> a   kinds roll if near, duck cost 2   does code
action press: v2 -> b   while v1 = b   takes 0.3
action turn: v3 -> c   while v0 = c   does code
action back: v3 c -> a   does code
action look:   takes 0.4   does code
compound both: take, press   cost 1
goal g0: v2 = b   priority 3   relevance if k0 curve 0 0.4, 1 1   keep 0.5   cooldown 0.3
goal g1: v0 = d or v3 = c   priority 2   relevance distance of k1 curve 0 1, 6 0.2   margin 0.2
goal g2: v1 = a, v0 = a   priority 2   relevance count of shared k2 curve 0 0.3, 2 1   cooldown 1
goal g3: v3 = a   priority 5   relevance if v0 = b and k2(age < 0.4)   urgent
npc one
    can go, take, drop, press, turn, look, back, both
    wants g0, g1, g2, g3
    starts v0 = a, v1 = a, v2 = a, v3 = a
    otherwise look   memory 6   doubt 1 for 0.5   retry 0.3
npc two
    can go, take, drop, press, turn, back
    wants g0, g1, g2
    starts v0 = c, v1 = c, v2 = a, v3 = b
sensor s0: every 0 keeps 1 while v0 = a or shared k2 or k1(distance < 3)
sensor s1: every 0.3 keeps 0.5 feeds v0
sensor s2: on k0 keeps 2
sensor s3: on k1 while k0
sensor s4: every 0.2 feeds v3 while v0 = a or v1 = b
symbol v0: node of k0(sure node >= 0.5), c if shared k1(distance < 2), a
symbol v3: b if k3(age < 0.5)
check near: k1 or v3 = b
price go: 2 if k2, amount of k0(node = it)
learn turn: k3
flavour nod: if not k3   every 0.5   takes 0.2
";

const KINDS: [&str; 4] = ["k0", "k1", "k2", "k3"];
const WORDS: [&str; 4] = ["a", "b", "c", "d"];
const PARTS: [Part; 14] = {
    use Part::*;
    [
        World, Shared, Clock, Inbox, Memory, Senses, Place, State, Goals, Plan, Run, Board, Turn,
        Outbox,
    ]
};

#[derive(Clone)]
struct Dice(SplitMix);

impl Dice {
    fn new(seed: u64) -> Self {
        Dice(SplitMix::new(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn place(&mut self) -> Position {
        [self.below(6) as f32, self.below(6) as f32, 0.0]
    }

    fn fact(&mut self, spec: &Spec) -> FactDraft {
        let words = WORDS.map(|word| spec.words.find(word).unwrap());
        let fact = FactDraft::new(spec.words.find(KINDS[self.below(4)]).unwrap());
        fact.with(Attribute::Node, Value::Word(words[self.below(4)]), self.below(5) as f32 / 4.0)
            .with(Attribute::Position, Value::Position(self.place()), 1.0)
            .with(Attribute::Amount, Value::Number(self.below(4) as f32), 1.0)
    }
}

/// The world is a number; everything in it follows from that, who asks and when.
type World = u64;

/// Code that does anything.
struct Any(u64);

impl Sensor<World> for Any {
    fn sense(&self, s: &mut Sensing<'_, World>) -> Work {
        let seen = s.shared.len() as u64;
        let mut dice =
            Dice::new(*s.world ^ self.0 << 8 ^ s.me.0 << 16 ^ u64::from(s.now) << 24 ^ seen);
        *s.state += 1;
        match dice.below(6) {
            0 => *s.here = dice.place(),
            1 => s.share(dice.fact(s.spec).keep(5)),
            2 | 3 => drop(s.memory().len()),
            _ => {
                s.remember_one(dice.fact(s.spec), &[Attribute::Node]);
            }
        }
        if dice.below(4) == 0 { Work::Heavy } else { Work::Light }
    }
}

impl Any {
    fn dice(&self, a: &Acting<'_, World>) -> Dice {
        let past = a.shared.len() as u64 ^ (a.here[0] as u64) << 4 ^ *a.state << 8;
        Dice::new(*a.world ^ a.me.0 << 16 ^ u64::from(a.now) << 24 ^ past << 40)
    }
}

impl Behaviour<World> for Any {
    fn start(&self, a: &mut Acting<'_, World>) -> Progress {
        let mut dice = self.dice(a);
        a.board.order(Order::Animate { what: Word::NONE, ticks: dice.below(9) as Tick });
        match dice.below(5) {
            0 => Progress::Done,
            1 => Progress::Failed(Word::NONE),
            2 => Progress::Until(a.now + 3),
            _ => Progress::Waiting,
        }
    }

    fn end(&self, a: &mut Acting<'_, World>, _: Ending) {
        let mut dice = self.dice(a);
        if dice.below(3) == 0 {
            a.remember(dice.fact(a.spec), 9);
        }
        if dice.below(5) == 0 {
            a.share(dice.fact(a.spec), 7);
        }
    }
}

fn spec() -> Spec {
    let loaded = load(
        "phases.npc",
        TEXT,
        Format::Npc,
        &Limits::default(),
        &crate::notes::WORDS,
        &mut no_includes,
    );
    let lines = loaded.report.diagnostics().iter().map(|d| d.short(&loaded.sources));
    let lines: Vec<String> = lines.collect();
    let model = loaded.model.unwrap_or_else(|| panic!("{lines:?}"));
    let domain = Arc::new(CompiledDomain::new(&model));
    let read = Spec::read(&model, domain, Pace { ticks_per_second: 10 });
    read.unwrap_or_else(|report| panic!("{:?}", report.diagnostics()))
}

/// What is around minds, of which a phase may see another.
#[derive(Clone)]
struct Scene {
    world: World,
    shared: Memory,
    now: Tick,
    /// Whoever wants to ask the planner may.
    may_ask: bool,
}

struct Game {
    spec: Spec,
    code: Code<World>,
}

impl Game {
    fn new() -> Self {
        let mut spec = spec();
        // `s3` has no code: it remembers what arrives.
        let body = Body::new()
            .sensor("s0", Any(0))
            .sensor("s1", Any(1))
            .sensor("s2", Any(2))
            .sensor("s4", Any(4))
            .behaviour("code", Any(99));
        let code = Code::new(body, &mut spec).unwrap();
        Game { spec, code }
    }

    fn run(&self, phase: usize, mind: &mut Mind, scene: &Scene, scratch: &mut Scratch) -> Outbox {
        let context = Context {
            spec: &self.spec,
            code: &self.code,
            world: &scene.world,
            shared: &scene.shared,
            now: scene.now,
            clock: None,
            sleepless: false,
            may_ask: scene.may_ask,
        };
        let mut outbox = Outbox::default();
        MindTick { mind, context: &context, outbox: &mut outbox }.run(phase, scratch);
        outbox
    }
}

/// Puts another mind's part, or another world's, in the place of one.
fn scramble(part: Part, mind: &mut Mind, scene: &mut Scene, donor: &Mind, dice: &mut Dice) {
    match part {
        Part::World => scene.world = dice.0.number(),
        Part::Shared => scene.shared = donor.memory.clone(),
        Part::Clock => scene.now += 1 + dice.below(20) as Tick,
        Part::Inbox => mind.inbox.clone_from(&donor.inbox),
        Part::Memory => mind.memory = donor.memory.clone(),
        Part::Senses => mind.senses = donor.senses.clone(),
        Part::Place => mind.here = dice.place(),
        Part::State => mind.state = donor.state.clone(),
        Part::Goals => mind.goals = donor.goals.clone(),
        Part::Plan => mind.plan = donor.plan.clone(),
        Part::Run => mind.follow = donor.follow.clone(),
        Part::Board => mind.board = donor.board.clone(),
        Part::Turn => scene.may_ask ^= true,
        // Written to, never asked: there is no way to.
        Part::Outbox => {}
    }
}

/// A mind and what left it.
#[derive(Clone)]
struct After {
    mind: Mind,
    outbox: Outbox,
}

impl After {
    fn same(&self, other: &After, part: Part) -> bool {
        let (one, two) = (&self.mind, &other.mind);
        match part {
            Part::World | Part::Shared | Part::Clock | Part::Turn => true,
            Part::Inbox => one.inbox == two.inbox,
            Part::Memory => one.memory == two.memory,
            Part::Senses => one.senses == two.senses,
            Part::Place => one.here == two.here,
            Part::State => one.state == two.state,
            Part::Goals => one.goals == two.goals,
            Part::Plan => one.plan == two.plan,
            Part::Run => one.follow == two.follow,
            Part::Board => one.board == two.board,
            Part::Outbox => self.outbox == other.outbox,
        }
    }
}

/// What was seen, so that no entry of the table is there for nothing.
#[derive(Default)]
struct Seen {
    wrote: BTreeSet<(usize, Part)>,
    mattered: BTreeSet<(usize, Part)>,
    compared: u64,
}

struct Lab {
    game: Game,
    scratch: Scratch,
    dice: Dice,
    seen: Seen,
}

impl Lab {
    /// Tries a phase on a mind that is about to run it.
    fn probe(&mut self, phase: usize, mind: &Mind, scene: &Scene, donor: &Mind) {
        let table = &PHASES[phase];
        let before = After { mind: mind.clone(), outbox: Outbox::default() };
        let mut plain = before.clone();
        plain.outbox = self.game.run(phase, &mut plain.mind, scene, &mut self.scratch);
        for part in PARTS {
            let written = !plain.same(&before, part);
            assert!(!written || table.writes.contains(&part), "{} writes {part:?}", table.name);
            if written {
                self.seen.wrote.insert((phase, part));
            }
        }
        let fixed = |mind: &Mind| (mind.id, mind.me, mind.npc, mind.wake, mind.shared_seen);
        assert_eq!(fixed(&plain.mind), fixed(mind), "{} writes what is nobody's", table.name);
        let part = PARTS[self.dice.below(PARTS.len())];
        let (mut other, mut elsewhere) = (before, scene.clone());
        scramble(part, &mut other.mind, &mut elsewhere, donor, &mut self.dice);
        other.outbox = self.game.run(phase, &mut other.mind, &elsewhere, &mut self.scratch);
        let stamps = |outbox: &mut Outbox| outbox.events.iter_mut().for_each(|event| event.at = 0);
        // Every event is stamped with the moment, whoever tells it.
        [&mut plain.outbox, &mut other.outbox].into_iter().for_each(stamps);
        let written = || table.writes.iter().copied().filter(|&written| written != part);
        let differs = written().find(|&written| !plain.same(&other, written));
        if table.reads.contains(&part) {
            self.seen.mattered.extend(differs.map(|_| (phase, part)));
        } else if !table.writes.contains(&part) {
            assert_eq!(differs, None, "{} reads {part:?}", table.name);
        }
        self.seen.compared += 1;
    }

    fn messages(&mut self, mind: &mut Mind) {
        let spec = &self.game.spec;
        for _ in 0..self.dice.below(3) {
            let word = spec.words.find(KINDS[self.dice.below(2)]).unwrap();
            // Often of the order under way.
            let order = OrderId(mind.board.last.saturating_sub(self.dice.below(2) as u32));
            mind.inbox.push(match self.dice.below(8) {
                0 | 1 => Message::Stimulus(Stimulus::new(word, self.dice.place())),
                2 => Message::Told(Box::new(self.dice.fact(spec).keep(8))),
                3 => Message::Failed(order, word),
                _ => Message::Done(order),
            });
        }
    }
}

#[test]
fn the_table_is_the_truth() {
    let mut lab = Lab {
        game: Game::new(),
        scratch: Scratch::new(50_000),
        dice: Dice::new(1),
        seen: Seen::default(),
    };
    let domain = Arc::clone(&lab.game.spec.domain);
    let types: Vec<_> = domain.npcs().iter().map(|npc| npc.id()).collect();
    let new = |at: u32| {
        let npc = types[at as usize % types.len()];
        Mind::new(&lab.game.spec, npc, MindId(at), EntityId(u64::from(at)), 0)
    };
    let mut minds: Vec<Mind> = (0..16).map(new).collect();
    let mut scene = Scene { world: 7, shared: Memory::new(32), now: 0, may_ask: true };
    for now in 0..1500 {
        scene.now = now;
        scene.shared.forget(now);
        let mut shares = Vec::new();
        for at in 0..minds.len() {
            let mut mind = minds[at].clone();
            // Most have their turn, as they would have with a budget that is seldom used up.
            scene.may_ask = !(now as usize + at).is_multiple_of(4);
            lab.messages(&mut mind);
            // The one before the last has the same type.
            let donor =
                minds[(at + minds.len() - 2 * (1 + lab.dice.below(6))) % minds.len()].clone();
            for phase in 0..PHASES.len() {
                if lab.dice.below(2) == 0 {
                    lab.probe(phase, &mind, &scene, &donor);
                }
                let outbox = lab.game.run(phase, &mut mind, &scene, &mut lab.scratch);
                shares.extend(outbox.shares);
            }
            // Donors have something in their boxes too.
            lab.messages(&mut mind);
            minds[at] = mind;
        }
        for fact in shares {
            scene.shared.add(&fact, lab.game.spec.told, now, NEVER);
        }
    }
    assert!(lab.seen.compared > 50_000, "{}", lab.seen.compared);
    for (at, phase) in PHASES.iter().enumerate() {
        for part in phase.writes {
            assert!(lab.seen.wrote.contains(&(at, *part)), "{} never wrote {part:?}", phase.name);
        }
        // Where nothing else is written it would have to matter to itself.
        for part in phase.reads.iter().filter(|part| phase.writes != [**part]) {
            let mattered = lab.seen.mattered.contains(&(at, *part));
            assert!(mattered, "{part:?} never mattered to {}", phase.name);
        }
    }
}

#[test]
fn the_header_is_the_table() {
    let rows = include_str!("../tick.rs").lines().filter_map(|line| line.strip_prefix("//! | "));
    let rows: Vec<Vec<String>> = rows
        .skip(1)
        .map(|row| row.trim_end_matches(" |").split(" | ").map(str::to_string).collect())
        .collect();
    let names = |parts: &[Part]| {
        let names: Vec<String> =
            parts.iter().map(|part| format!("{part:?}").to_lowercase()).collect();
        names.join(", ")
    };
    let table: Vec<Vec<String>> = PHASES
        .iter()
        .enumerate()
        .map(|(at, phase)| {
            let number = (at + 1).to_string();
            vec![number, phase.name.to_string(), names(phase.reads), names(phase.writes)]
        })
        .collect();
    assert_eq!(rows, table);
}
