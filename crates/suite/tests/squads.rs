//! Squads keep their rules whatever happens: random places, deaths, births, refusals, wishes.
//!
//! Nothing here is inside the crate of minds: the ground is a plane with spots, the members' work is
//! dice, and one behaviour of squads, `form_ring`, is added as a game would add its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use throng_domain::{CompiledDomain, Format, Limits, formats};
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, FactDraft, Handle, Place};
use throng_mind::orders::{Message, MindId, Order, Slot, Stimulus};
use throng_mind::pack::{Pack, Packer, Unpacker};
use throng_mind::spec::Spec;
use throng_mind::squad::{
    AdvanceInCover, Flank, GetToCover, Ground, HoldGround, LayFire, OnDuty, OrderlyAdvance,
    SearchArea, Spot, Squads, Strike, TaskEnd, TaskEvent, Team, my_task, outcome,
};
use throng_mind::time::{Pace, Tick, after};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Body, Mind, Minds, Progress};
use throng_suite::random::Dice;

const TEXT: &str = "
domain squads
var duty: none, cover, move, suppress, flank, attack, search, hold, ring
var mood: good, bad
var did: none, cover, advance, orderly, search, fire, flank, strike, hold, ring
sensor mood: on mood keeps 4 feeds mood
symbol duty: task of task, none
symbol mood: bad if mood, good
action work(what in duty): duty what -> none
action sulk: mood bad -> good takes 2
action get_to_cover: did -> cover
action advance_in_cover: did -> advance
action orderly_advance: did -> orderly
action search_area: did -> search
action lay_fire: did -> fire
action flank: did -> flank
action strike: did -> strike
action hold_ground: did -> hold
action form_ring: did -> ring
goal obey: duty = none priority 50 relevance if task
goal sulks: mood = good priority 90
goal cover: did = cover priority 10 relevance if wish(knowledge = cover)
goal advance: did = advance priority 10 relevance if wish(knowledge = advance)
goal orderly: did = orderly priority 10 relevance if wish(knowledge = orderly)
goal searched: did = search priority 10 relevance if wish(knowledge = search)
goal fire: did = fire priority 10 relevance if wish(knowledge = fire)
goal flanked: did = flank priority 10 relevance if wish(knowledge = flank)
goal struck: did = strike priority 10 relevance if wish(knowledge = strike)
goal held: did = hold priority 10 relevance if wish(knowledge = hold)
goal ringed: did = ring priority 10 relevance if wish(knowledge = ring)
npc soldier
    can work, sulk
    wants obey, sulks
    retry 0.2
npc platoon
    can get_to_cover, advance_in_cover, orderly_advance, search_area, lay_fire, flank, strike,
        hold_ground, form_ring
    wants cover, advance, orderly, searched, fire, flanked, struck, held, ringed
    starts did = none
    retry 0.2
    memory 64
squad platoon: of soldier within 6 most 5 least 2 tasks 8 patience 1
";

const WITHIN: f32 = 6.0;
const WISHES: [&str; 9] =
    ["cover", "advance", "orderly", "search", "fire", "flank", "strike", "hold", "ring"];
const ENEMY: Handle = Handle(9_999);

/// A plane: who is where, and spots.
struct Plain {
    people: BTreeMap<Handle, (Place, Word)>,
    spots: Vec<Spot>,
    enemy: Option<Place>,
    character: Word,
}

impl Plain {
    fn near(&self, around: Place, reach: f32) -> Vec<Spot> {
        let mut spots = self.spots.clone();
        spots.retain(|spot| far(spot.place, around) <= reach);
        spots.sort_by(|a, b| far(a.place, around).total_cmp(&far(b.place, around)));
        spots
    }
}

fn far(a: Place, b: Place) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

impl Ground for Plain {
    fn side(&self, who: Handle) -> Word {
        self.people.get(&who).map_or(Word::NONE, |(_, side)| *side)
    }
    fn known_to(&self, _: &[&Mind]) -> Vec<FactDraft> {
        let fact = |at| {
            FactDraft::new(self.character).with(Attribute::Object, ENEMY, 1.0).with(
                Attribute::Position,
                at,
                1.0,
            )
        };
        self.enemy.map(fact).into_iter().collect()
    }
    fn covers(&self, _: &[Handle], around: Place, reach: f32, _: Option<Place>) -> Vec<Spot> {
        self.near(around, reach)
    }
    fn places(&self, _: &[Handle], around: Place, reach: f32) -> Vec<Spot> {
        self.near(around, reach)
    }
    fn way(&self, from: Place, to: Place, _: Option<Place>) -> Option<f32> {
        Some(far(from, to))
    }
    fn sees(&self, from: Place, to: Place) -> bool {
        // Some things stand in the way.
        (from[0] + to[0]) as i32 % 3 != 0
    }
    fn reaches(&self, from: Place, to: Place) -> bool {
        far(from, to) < 40.0
    }
}

/// A member's work: some moments, and then it is done, or it cannot be done.
struct Work;

impl Behaviour<Plain> for Work {
    fn start(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let mut dice = Dice::new(acting.me.0 << 32 | u64::from(acting.now));
        *acting.state = dice.number() % 100;
        Progress::Until(after(acting.now, 1 + (dice.number() % 20) as Tick))
    }
    fn go_on(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        match *acting.state {
            0..70 => Progress::Done,
            70..85 => Progress::Failed(acting.word("gone")),
            // As long as it lasts.
            _ => Progress::Until(after(acting.now, 5)),
        }
    }
}

/// A squad behaviour of one's own: everybody to a point of a ring around the middle.
struct FormRing;

impl Behaviour<Plain> for FormRing {
    fn start(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let team = Team::of(acting);
        let n = team.mates.len().max(1) as f32;
        for (at, mate) in team.mates.iter().enumerate() {
            let angle = at as f32 / n * std::f32::consts::TAU;
            let place =
                [team.middle[0] + 3.0 * angle.cos(), team.middle[1] + 3.0 * angle.sin(), 0.0];
            let (what, slot) = (acting.word("ring"), Slot::Free);
            acting.board.order(Order::Task { what, to: mate.me, place, slot, about: None });
        }
        Progress::Waiting
    }
    fn go_on(&self, acting: &mut Acting<'_, Plain>) -> Progress {
        let all = outcome(acting.board, throng_mind::orders::OrderId(0));
        match (all.open, all.done) {
            (0, 0) => Progress::Failed(all.why.unwrap_or(Word::NONE)),
            (0, _) => Progress::Done,
            _ => Progress::Waiting,
        }
    }
}

fn body() -> Body<Plain> {
    Body::new()
        .behaviour("work", OnDuty { does: Work, is_all: true })
        .behaviour("get_to_cover", GetToCover)
        .behaviour("advance_in_cover", AdvanceInCover)
        .behaviour("orderly_advance", OrderlyAdvance)
        .behaviour("search_area", SearchArea)
        .behaviour("lay_fire", LayFire)
        .behaviour("flank", Flank)
        .behaviour("strike", Strike)
        .behaviour("hold_ground", HoldGround)
        .behaviour("form_ring", FormRing)
        .words(&["wish", "red", "blue", "mood"])
}

fn minds(threads: usize) -> Minds<Plain> {
    let limits = Limits::default();
    let loaded = formats::load("t", TEXT, Format::Npc, &limits, &mut formats::no_includes);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.report));
    let pace = Pace { ticks_per_second: 10 };
    let spec = Spec::read(&model, Arc::new(CompiledDomain::new(&model)), pace).unwrap();
    Minds::new(spec, body(), threads).unwrap()
}

/// A life of squads, with all rules looked at after each step.
struct Life {
    minds: Minds<Plain>,
    squads: Squads,
    plain: Plain,
    dice: Dice,
    now: Tick,
    next: u64,
    open: BTreeSet<u32>,
    ended: BTreeSet<u32>,
    ends: BTreeMap<&'static str, u32>,
    squads_before: BTreeSet<u32>,
}

impl Life {
    fn new(seed: u64, threads: usize) -> Life {
        let minds = minds(threads);
        let mut dice = Dice::new(seed);
        let mut spots = Vec::new();
        // Names of spots are numbers far above those of words.
        for at in 0..dice.number() % 30 {
            let place = [(dice.number() % 40) as f32, (dice.number() % 40) as f32, 0.0];
            spots.push(Spot { slot: Slot::Place(Word(1_000_000 + at as u32)), place });
        }
        let character = minds.word("character").unwrap();
        let plain = Plain { people: BTreeMap::new(), spots, enemy: None, character };
        Life {
            minds,
            squads: Squads::new(),
            plain,
            dice,
            now: 0,
            next: 1,
            open: BTreeSet::new(),
            ended: BTreeSet::new(),
            ends: BTreeMap::new(),
            squads_before: BTreeSet::new(),
        }
    }

    fn chance(&mut self, of: u64) -> bool {
        self.dice.number() % of == 0
    }

    fn place(&mut self) -> Place {
        [(self.dice.number() % 40) as f32, (self.dice.number() % 40) as f32, 0.0]
    }

    fn soldiers(&self) -> Vec<(MindId, Handle)> {
        let people = self.minds.iter().filter(|mind| self.plain.people.contains_key(&mind.me()));
        people.map(|mind| (mind.id(), mind.me())).collect()
    }

    fn be_born(&mut self) {
        let (me, place) = (Handle(self.next), self.place());
        self.next += 1;
        let side = if self.chance(3) { "blue" } else { "red" };
        self.plain.people.insert(me, (place, self.minds.word(side).unwrap()));
        let soldier = self.minds.spec().squads[0].of[0];
        let mind = self.minds.spawn(soldier, me);
        self.minds.set_place(mind, place);
    }

    fn die(&mut self, mind: MindId, me: Handle) {
        self.plain.people.remove(&me);
        self.minds.despawn(mind, &self.plain);
    }

    /// Whatever may happen between two ticks.
    fn happen(&mut self) {
        if self.plain.people.len() < 12 && self.chance(12) {
            self.be_born();
        }
        if self.chance(40) {
            self.plain.enemy = if self.chance(3) { None } else { Some(self.place()) };
        }
        for (mind, me) in self.soldiers() {
            match self.dice.number() % 400 {
                0..2 => self.die(mind, me),
                2..4 => {
                    let to = self.place();
                    self.plain.people.get_mut(&me).unwrap().0 = to;
                }
                4..60 => {
                    let step = (self.dice.number() % 3) as f32 - 1.0;
                    self.plain.people.get_mut(&me).unwrap().0[0] += step;
                }
                60..63 => {
                    let mood = self.minds.word("mood").unwrap();
                    self.minds.tell(mind, Stimulus::new(mood, [0.0; 3]));
                }
                _ => {}
            }
            if let Some(&(place, _)) = self.plain.people.get(&me) {
                self.minds.set_place(mind, place);
            }
        }
        let squads: Vec<MindId> = self.squads.all().iter().map(|squad| squad.mind).collect();
        for squad in squads {
            if self.chance(25) {
                let wish = WISHES[(self.dice.number() % WISHES.len() as u64) as usize];
                let (kind, wish) =
                    (self.minds.word("wish").unwrap(), self.minds.word(wish).unwrap());
                let fact = FactDraft::new(kind).with(Attribute::Knowledge, wish, 1.0).keep(100);
                self.minds.tell(squad, Message::Retold(Box::new(fact)));
            }
        }
    }

    fn tick(&mut self) {
        self.now += 1;
        self.squads.step(&mut self.minds, &self.plain, self.now);
        self.look();
        self.minds.tick(&self.plain, self.now);
        let sent: Vec<_> = self.minds.orders().to_vec();
        for sent in sent {
            let is_task = matches!(sent.order, Order::Task { .. });
            assert!(self.squads.take(&sent) || !is_task, "a task that nobody takes: {sent:?}");
        }
    }

    /// The rules.
    fn look(&mut self) {
        for news in self.squads.news() {
            let number = news.task.number;
            match news.event {
                TaskEvent::Given => {
                    assert!(
                        self.open.insert(number) && !self.ended.contains(&number),
                        "given twice"
                    );
                }
                TaskEvent::Ended(how) => {
                    assert!(self.open.remove(&number), "{number} ended without being open");
                    assert!(self.ended.insert(number), "{number} ended twice");
                    let name = match how {
                        TaskEnd::Done => "done",
                        TaskEnd::Failed(_) => "failed",
                        TaskEnd::Refused => "refused",
                        TaskEnd::Cancelled => "cancelled",
                        TaskEnd::Dead => "dead",
                        TaskEnd::TimedOut => "late",
                    };
                    *self.ends.entry(name).or_default() += 1;
                }
            }
        }
        let tasks: BTreeSet<u32> = self.squads.tasks().iter().map(|task| task.number).collect();
        assert_eq!(tasks, self.open);
        let (mut claims, mut busy) = (BTreeSet::new(), BTreeSet::new());
        for task in self.squads.tasks() {
            assert!(task.slot == Slot::Free || claims.insert(task.slot), "two claims on one slot");
            assert!(busy.insert(task.member), "two tasks for one member");
            assert!(self.minds.mind(task.member).is_some(), "the dead have no tasks");
            let squad = self.squads.all().iter().find(|squad| squad.number == task.squad);
            assert!(squad.unwrap().has(task.member), "a task of another squad");
        }
        let mut members = BTreeSet::new();
        for squad in self.squads.all() {
            assert!(squad.members.len() <= 5 && squad.members.len() >= 2, "{squad:?}");
            assert!(self.minds.mind(squad.mind).is_some());
            let people: Vec<_> =
                squad.members.iter().map(|member| self.plain.people[&member.me]).collect();
            assert!(people.iter().all(|(_, side)| *side == people[0].1), "two sides in a squad");
            assert!(squad.members.iter().all(|member| members.insert(member.mind)));
            if !self.squads_before.contains(&squad.number) {
                self.is_near(&people.iter().map(|(place, _)| *place).collect::<Vec<_>>());
            }
        }
        self.squads_before = self.squads.all().iter().map(|squad| squad.number).collect();
    }

    /// A new squad hangs together.
    fn is_near(&self, places: &[Place]) {
        let mut reached = vec![places[0]];
        while let Some(&next) = places.iter().find(|place| {
            let is_near = reached.iter().any(|known| far(*known, **place) <= WITHIN);
            is_near && !reached.contains(place)
        }) {
            reached.push(next);
        }
        assert!(places.iter().all(|place| reached.contains(place)), "{places:?}");
    }

    fn packed(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        self.squads.pack(&mut packer);
        packer.bytes
    }
}

#[test]
fn squads_keep_their_rules_whatever_happens() {
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..12 {
        let mut life = Life::new(seed, 1);
        for _ in 0..8 {
            life.be_born();
        }
        for _ in 0..3000 {
            life.happen();
            life.tick();
            if life.now % 100 == 0 {
                let bytes = life.packed();
                let mut unpacker = Unpacker::new(&bytes);
                assert_eq!(unpacker.take::<Squads>().unwrap(), life.squads);
                unpacker.finish().unwrap();
            }
        }
        for (mind, me) in life.soldiers() {
            life.die(mind, me);
        }
        life.tick();
        assert!(life.squads.all().is_empty() && life.squads.tasks().is_empty());
        assert!(life.open.is_empty() && life.ended.len() > 100, "{}", life.ended.len());
        assert_eq!(life.minds.len(), 0, "minds of squads that are no more");
        life.ends.iter().for_each(|(how, n)| *ends.entry(how).or_default() += n);
    }
    // Every way in which a task can end was tried.
    for how in ["done", "failed", "refused", "cancelled", "dead", "late"] {
        assert!(ends.get(how).is_some_and(|&n| n >= 5), "{ends:?}");
    }
}

#[test]
fn squads_are_the_same_with_any_number_of_threads() {
    let life = |threads: usize| {
        let mut life = Life::new(77, threads);
        for _ in 0..10 {
            life.be_born();
        }
        for _ in 0..1500 {
            life.happen();
            life.tick();
        }
        (life.packed(), life.minds.digest())
    };
    let one = life(1);
    assert!(one == life(2) && one == life(5));
}

#[test]
fn damaged_squads_are_refused() {
    let mut life = Life::new(5, 1);
    for _ in 0..10 {
        life.be_born();
    }
    while life.squads.tasks().len() < 2 {
        life.happen();
        life.tick();
    }
    let bytes = life.packed();
    for short in 0..bytes.len() {
        assert!(Unpacker::new(&bytes[..short]).take::<Squads>().is_err());
    }
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        // Whatever it is, it can be stepped.
        if let Ok(squads) = Unpacker::new(&other).take::<Squads>() {
            let mut other = Life::new(5, 1);
            other.squads = squads;
            other.squads.step(&mut other.minds, &other.plain, 1);
        }
    }
}

#[test]
fn a_game_adds_a_squad_behaviour_of_its_own() {
    let mut life = Life::new(1, 1);
    for at in 0..4 {
        life.be_born();
        let me = Handle(at + 1);
        let red = life.minds.word("red").unwrap();
        *life.plain.people.get_mut(&me).unwrap() = ([at as f32, 0.0, 0.0], red);
    }
    for (mind, me) in life.soldiers() {
        life.minds.set_place(mind, life.plain.people[&me].0);
    }
    life.tick();
    let squad = life.squads.all()[0].clone();
    assert_eq!((life.squads.all().len(), squad.members.len()), (1, 4));
    let (kind, ring) = (life.minds.word("wish").unwrap(), life.minds.word("ring").unwrap());
    let wish = FactDraft::new(kind).with(Attribute::Knowledge, ring, 1.0).keep(500);
    life.minds.tell(squad.mind, Message::Told(Box::new(wish)));
    life.tick();
    let given = life.minds.mind(squad.mind).unwrap().board().orders().count();
    assert_eq!(given, 4, "a task for each");
    life.tick();
    let mut places: Vec<Place> = life.squads.tasks().iter().map(|task| task.place).collect();
    assert!(life.squads.tasks().iter().all(|task| task.what == ring));
    places.dedup();
    assert_eq!(places.len(), 4);
    for (mind, _) in life.soldiers() {
        let (mind, spec) = (life.minds.mind(mind).unwrap(), life.minds.spec());
        assert_eq!(my_task(mind.memory(), spec).unwrap().what, ring);
    }
    for _ in 0..200 {
        life.tick();
        let mind = life.minds.mind(squad.mind).unwrap();
        let is_open = |(_, state): (_, OrderState)| state == OrderState::Open;
        assert!(mind.board().orders().filter(|&order| is_open(order)).count() <= 4);
    }
    assert!(life.squads.tasks().is_empty());
    assert!(life.ends.get("done").is_some_and(|&n| n >= 1), "{:?}", life.ends);
}

#[test]
fn mistakes_in_a_squad_statement_are_told() {
    let right = "squad platoon: of soldier within 6 most 5 least 2 tasks 8 patience 1";
    let said = |line: &str| {
        let text = TEXT.replace(right, line);
        let limits = Limits::default();
        let loaded = formats::load("t", &text, Format::Npc, &limits, &mut formats::no_includes);
        let model = loaded.model.unwrap();
        let pace = Pace { ticks_per_second: 10 };
        let spec = Spec::read(&model, Arc::new(CompiledDomain::new(&model)), pace);
        let told = spec.err().map(|report| format!("{report:?}"));
        told.unwrap_or_default()
    };
    assert_eq!(said(right), "");
    for (line, told) in [
        ("squad platon: of soldier within 6", "did you mean `platoon`?"),
        ("squad platoon: of soldiers within 6", "did you mean `soldier`?"),
        ("squad platoon: of soldier", "`within` and how near"),
        ("squad platoon: within 6", "`of` and who can be in it"),
        ("squad platoon: of platoon within 6", "is a `platoon` itself"),
        ("squad platoon: of soldier within 6 least 5 most 2", "there is no such squad"),
        ("squad platoon: of soldier within 6 most 99", "out of range"),
        ("squad platoon: of soldier within 6 mots 5", "did you mean `most`?"),
        ("squad platoon: of soldier within 6 within 7", "`within` is written twice"),
        ("squad platoon: of soldier, soldier within 6", "`soldier` is in two squads"),
    ] {
        assert!(said(line).contains(told), "{line}: {}", said(line));
    }
}

#[test]
fn squads_that_are_disbanded_end_their_tasks_and_form_anew() {
    let mut life = Life::new(3, 1);
    for _ in 0..10 {
        life.be_born();
    }
    while life.squads.tasks().len() < 2 {
        life.happen();
        life.tick();
    }
    let (tasks, last) = (life.squads.tasks().len(), life.squads.all().last().unwrap().number);
    life.squads.disband(&mut life.minds, &life.plain);
    let ended = TaskEvent::Ended(TaskEnd::Cancelled);
    assert_eq!(life.squads.news().iter().filter(|news| news.event == ended).count(), tasks);
    assert!(life.squads.all().is_empty() && life.squads.tasks().is_empty());
    assert_eq!(life.minds.len(), life.plain.people.len());
    life.open.clear();
    life.tick();
    assert!(life.squads.all().first().is_some_and(|squad| squad.number > last));
}
