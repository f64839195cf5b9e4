//! The table of the phases is the truth: what a phase does not write stays, what it does not read
//! does not matter, and nothing in the table is there for nothing.
//!
//! Minds live through random messages. Before each phase the mind is copied; the phase runs on
//! the copy, and on a copy of which one part is another mind's. A part that the table does not
//! name must make no difference; one that it names must make one at some time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::{Context, MindTick, PHASES, Stopwatch, TickPart};
use crate::ask::Reply;
use crate::code::Code;
use crate::fact::EntityId;
use crate::memory::Memory;
use crate::mind::{Mind, Outbox};
use crate::orders::{Message, MindId, OrderId, Stimulus};
use crate::planning::Scratch;
use crate::select::Others;
use crate::spec::Spec;
use crate::time::{NEVER, Pace, Tick};
use random_life::{Dice, KINDS, TEXT, World, body};
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits};
use throng_planner::PreparedDomain;

#[path = "../../tests/it/random_life.rs"]
mod random_life;

const PARTS: [TickPart; 17] = {
    use TickPart::*;
    [
        World, Shared, Others, Clock, Inbox, Memory, Senses, Place, Picks, Replies, State, Goals,
        Plan, Run, Board, Turn, Outbox,
    ]
};

fn spec() -> Spec {
    let (limits, words) = (Limits::default(), &crate::notes::WORDS);
    let loaded = load("phases.npc", TEXT, Format::Npc, &limits, words, &mut no_includes);
    let model = loaded.model.unwrap();
    let domain = Arc::new(PreparedDomain::new(&model));
    let read = Spec::read(&model, domain, Pace { ticks_per_second: 10 });
    read.unwrap_or_else(|report| panic!("{:?}", report.diagnostics()))
}

/// What is around minds, of which a phase may see another.
#[derive(Clone)]
struct Scene {
    world: World,
    shared: Memory,
    others: Others,
    /// Those of some ticks ago.
    other_others: Others,
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
        let code = Code::new(body(), &mut spec).unwrap();
        Game { spec, code }
    }

    fn run(&self, phase: usize, mind: &mut Mind, scene: &Scene, scratch: &mut Scratch) -> Outbox {
        let context = Context {
            spec: &self.spec,
            code: &self.code,
            world: &scene.world,
            shared: &scene.shared,
            others: &scene.others,
            now: scene.now,
            clock: None,
            sleepless: false,
            rules: crate::AskRules::Changed,
            may_ask: scene.may_ask,
            seed: 5,
            cooling: &[],
        };
        let mut outbox = Outbox::default();
        let mut clock = Stopwatch::new(&context);
        let mut tick = MindTick { mind, context: &context, outbox: &mut outbox };
        tick.run(phase..phase + 1, &mut clock, scratch);
        outbox
    }
}

/// Puts another mind's part, or another world's, in the place of one.
fn scramble(part: TickPart, mind: &mut Mind, scene: &mut Scene, donor: &Mind, dice: &mut Dice) {
    match part {
        TickPart::World => scene.world = dice.0.number(),
        TickPart::Shared => scene.shared = donor.memory.clone(),
        TickPart::Others => scene.others = scene.other_others.clone(),
        TickPart::Clock => scene.now += 1 + dice.below(20) as Tick,
        TickPart::Inbox => mind.inbox.clone_from(&donor.inbox),
        TickPart::Memory => mind.memory = donor.memory.clone(),
        TickPart::Senses => mind.senses = donor.senses.clone(),
        TickPart::Place => mind.here = dice.place(),
        TickPart::Picks => mind.picks = donor.picks.clone(),
        TickPart::Replies => mind.questions = donor.questions.clone(),
        TickPart::State => mind.state = donor.state.clone(),
        TickPart::Goals => mind.goals = donor.goals.clone(),
        TickPart::Plan => mind.plan = donor.plan.clone(),
        TickPart::Run => mind.follow = donor.follow.clone(),
        TickPart::Board => mind.board = donor.board.clone(),
        TickPart::Turn => scene.may_ask ^= true,
        // Written to, never asked: there is no way to.
        TickPart::Outbox => {}
    }
    // Nobody has told the state that its surroundings were exchanged.
    mind.state.forget_answers();
}

/// A mind and what left it.
#[derive(Clone)]
struct After {
    mind: Mind,
    outbox: Outbox,
}

impl After {
    fn same(&self, other: &After, part: TickPart) -> bool {
        let (one, two) = (&self.mind, &other.mind);
        match part {
            TickPart::World
            | TickPart::Shared
            | TickPart::Others
            | TickPart::Clock
            | TickPart::Turn => true,
            TickPart::Inbox => one.inbox == two.inbox,
            TickPart::Memory => one.memory == two.memory,
            TickPart::Senses => one.senses == two.senses,
            TickPart::Place => one.here == two.here,
            TickPart::Picks => one.picks == two.picks,
            TickPart::Replies => one.questions == two.questions,
            TickPart::State => one.state == two.state,
            TickPart::Goals => one.goals == two.goals,
            TickPart::Plan => one.plan == two.plan,
            TickPart::Run => one.follow == two.follow,
            TickPart::Board => one.board == two.board,
            TickPart::Outbox => self.outbox == other.outbox,
        }
    }
}

/// What was seen, so that no entry of the table is there for nothing.
#[derive(Default)]
struct Seen {
    wrote: BTreeSet<(usize, TickPart)>,
    mattered: BTreeSet<(usize, TickPart)>,
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
            let question = mind.questions.last().saturating_sub(self.dice.below(3) as u32);
            mind.inbox.push(match self.dice.below(11) {
                8 | 9 => Message::Answered(question, Reply::Yes),
                10 => Message::Answered(question, Reply::No),
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
    let fresh: Vec<Mind> = (0..16).map(new).collect();
    let mut minds = fresh.clone();
    let mut scene = Scene {
        world: 7,
        shared: Memory::new(32),
        others: Others::default(),
        other_others: Others::default(),
        now: 0,
        may_ask: true,
    };
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
            // Some are new, and want nothing yet.
            minds[at] = if lab.dice.below(60) == 0 { fresh[at].clone() } else { mind };
        }
        if now % 5 == 0 {
            scene.other_others = scene.others.clone();
        }
        scene.others.gather(&lab.game.spec, minds.iter().map(Mind::picker), now);
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
    let names = |parts: &[TickPart]| {
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
