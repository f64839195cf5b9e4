//! The judge of promises: what keeps each kind, what breaks it, when, and what is said then.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::model;
use std::collections::HashSet;
use throng_domain::model::{ActionId, GoalId, Model};

use throng_mind::body::Ending;
use throng_mind::events::{Activity, Cause, EventKind};
use throng_mind::words::Word;
use throng_world::story::facts::FactPattern;
use throng_world::story::incident::Incident;
use throng_world::story::promise::{Happening, Idle, Judge, Verdict, View};
use throng_world::story::squads::SquadTold;
use throng_world::story::{Need, Spot, Story};

const TEXT: &str = "domain yard
var where: start, wall, crate
var enemy: up, down
action go(place in where): where -> place
action shoot: enemy up -> down
    kinds snap, aimed
goal fight: enemy = down
goal rest: where = crate
npc Soldier
    can go, shoot
    wants fight, rest
    starts where = start, enemy = up
story cover \"He takes cover.\" lasts 10
map \"s.c.p\"
thing gate at c: door
node wall at c: cover
flavour laugh: after shoot takes 1
actor soldier at s: npc Soldier side red
actor other at p: npc Soldier side red
actor player at p: player side blue
";

/// A moment as the test wants it.
#[derive(Default)]
pub(crate) struct Moment {
    pub(crate) dead: HashSet<usize>,
    pub(crate) at: HashSet<(usize, String)>,
    pub(crate) state: String,
    pub(crate) kinds: HashSet<(usize, String)>,
    pub(crate) plan: Vec<u32>,
    pub(crate) asked: u32,
    pub(crate) idle: Option<Idle>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) picks: Vec<(usize, &'static str, &'static str)>,
    pub(crate) wants: Option<u32>,
    pub(crate) resting: HashSet<usize>,
    pub(crate) seen_dead: HashSet<usize>,
    pub(crate) believed: HashSet<usize>,
    pub(crate) aims: Vec<(usize, usize)>,
    pub(crate) far: Option<f32>,
    pub(crate) seeing: Vec<usize>,
    pub(crate) cloaked: Vec<usize>,
    pub(crate) shown: Option<String>,
    pub(crate) n_questions: usize,
}

impl View for Moment {
    fn is_alive(&self, actor: usize) -> bool {
        !self.dead.contains(&actor)
    }
    fn is_at(&self, actor: usize, spot: &Spot) -> bool {
        self.at.contains(&(actor, spot.name.clone()))
    }
    fn is_so(&self, need: &Need) -> bool {
        self.state == need.state
    }
    fn remembers(&self, actor: usize, kind: &str) -> bool {
        self.kinds.contains(&(actor, kind.to_string()))
    }
    fn kind(&self, kind: Word) -> String {
        ["snap", "aimed"][kind.0 as usize].to_string()
    }
    fn plan(&self, _: usize) -> Vec<u32> {
        self.plan.clone()
    }
    fn asked(&self, _: usize) -> u32 {
        self.asked
    }
    fn idle(&self, actor: usize) -> Idle {
        if actor == 0 { self.idle.unwrap_or(Idle::Busy) } else { Idle::Busy }
    }
    fn whom(&self, voice: usize) -> usize {
        voice
    }
    fn squad_news(&self) -> &[SquadTold] {
        &[]
    }
    fn sharing(&self) -> Option<(&str, &str, &str)> {
        None
    }
    fn incidents(&self) -> &[Incident] {
        &self.incidents
    }
    fn n_questions(&self) -> usize {
        self.n_questions
    }
    fn picked(&self, actor: usize, select: &str) -> Vec<String> {
        let it = |(who, slot, _): &&(usize, &str, &str)| *who == actor && *slot == select;
        self.picks.iter().filter(it).map(|(.., thing)| thing.to_string()).collect()
    }
    fn is_at_pick(&self, actor: usize, select: &str) -> bool {
        self.at.contains(&(actor, select.to_string()))
    }
    fn shown(&self, _: usize, _: u32) -> Option<String> {
        self.shown.clone()
    }
    fn shown_at_end(&self, _: usize, _: u32) -> Option<String> {
        self.shown.clone()
    }
    fn has(&self, actor: usize, what: &str) -> bool {
        self.at.contains(&(actor, what.to_string()))
    }
    fn wants(&self, _: usize) -> Option<u32> {
        self.wants
    }
    fn is_urgent(&self, goal: u32) -> bool {
        goal == 1
    }
    fn rests(&self, actor: usize) -> bool {
        self.resting.contains(&actor)
    }
    fn knows(&self, actor: usize, pattern: &FactPattern) -> bool {
        self.kinds.contains(&(actor, pattern.kind.clone()))
    }
    fn saw_dead(&self, _: usize, dead: usize) -> bool {
        self.seen_dead.contains(&dead)
    }
    fn believes_alive(&self, _: usize, other: usize) -> bool {
        self.believed.contains(&other)
    }
    fn aims_at(&self, actor: usize) -> Option<usize> {
        self.aims.iter().find(|(who, _)| *who == actor).map(|(_, at)| *at)
    }
    fn could_see(&self, actor: usize, _: usize) -> bool {
        self.seeing.contains(&actor)
    }
    fn is_cloaked(&self, actor: usize) -> bool {
        self.cloaked.contains(&actor)
    }
    fn distance(&self, _: usize, _: usize) -> Option<f32> {
        self.far
    }
    fn distance_to_pick(&self, _: usize, who: usize, select: &str) -> Option<f32> {
        self.far.filter(|_| !self.picked(who, select).is_empty())
    }
}

pub(crate) struct Court {
    pub(crate) model: Model,
    pub(crate) judge: Judge,
    pub(crate) moment: Moment,
    pub(crate) now: u32,
}

impl Court {
    pub(crate) fn of(promise: &str) -> Court {
        Court::with("", promise)
    }

    /// The same in a file that says more.
    pub(crate) fn with(more: &str, promise: &str) -> Court {
        let text = format!("{TEXT}{more}promise {promise}\n");
        let (model, _) = model(&text);
        let story = Story::read(&model).unwrap_or_else(|report| panic!("{report:#?}"));
        let judge = Judge::new(&story, &model);
        Court { model, judge, moment: Moment::default(), now: 0 }
    }

    /// What is said of a promise that cannot be made.
    pub(crate) fn refused(promise: &str) -> Vec<String> {
        let (model, sources) = model(&format!("{TEXT}promise {promise}\n"));
        let report = Story::read(&model).expect_err(promise);
        crate::tale::told(&report, &sources)
    }

    /// Ticks of ten a second until the moment `tick`, in which all this happens to the first.
    pub(crate) fn at(&mut self, tick: u32, whats: &[EventKind]) -> &mut Court {
        while self.now + 1 < tick {
            self.now += 1;
            self.judge.see(self.now, &[], &self.moment);
        }
        self.now = tick;
        let happenings: Vec<Happening> =
            whats.iter().map(|&what| Happening { actor: 0, what }).collect();
        self.judge.see(tick, &happenings, &self.moment);
        self
    }

    /// A tick in which this happens to another.
    pub(crate) fn by(&mut self, tick: u32, actor: usize, what: EventKind) -> &mut Court {
        self.at(tick - 1, &[]);
        self.now = tick;
        self.judge.see(tick, &[Happening { actor, what }], &self.moment);
        self
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.judge.verdicts().next().unwrap().1.clone()
    }

    /// The story ends after a hundred ticks.
    pub(crate) fn end(&mut self) -> Verdict {
        self.at(100, &[]);
        self.judge.finish(100, &self.moment);
        self.verdict()
    }

    pub(crate) fn action(&self, name: &str) -> ActionId {
        let can = self.model.npcs()[0].can();
        *can.iter().find(|id| self.model.actions()[id.index()].name() == name).unwrap()
    }

    /// An action of any type.
    pub(crate) fn any_action(&self, name: &str) -> ActionId {
        let at = self.model.actions().iter().position(|it| it.name() == name).unwrap();
        ActionId::from_index(at).unwrap()
    }

    pub(crate) fn goal(&self, name: &str) -> GoalId {
        let wants = self.model.npcs()[0].wants();
        *wants.iter().find(|id| self.model.goals()[id.index()].name() == name).unwrap()
    }

    pub(crate) fn done(&self, name: &str) -> EventKind {
        let doing = Activity::Step(self.action(name));
        EventKind::Ended { run: 1, doing, how: Ending::Done }
    }

    pub(crate) fn planned(&mut self, names: &[&str]) -> EventKind {
        self.moment.plan = names.iter().map(|n| self.action(n).index() as u32).collect();
        EventKind::Planned { cause: Cause::NothingToDo, goal: self.goal("fight"), steps: 1 }
    }
}

pub(crate) fn is_broken(verdict: &Verdict, tick: u32, part: &str) {
    match verdict {
        Verdict::Broken(at, why) => {
            assert_eq!(*at, tick, "{why}");
            assert!(why.contains(part), "`{part}` is missing in {why}");
        }
        other => panic!("{other:?} instead of broken at {tick}: {part}"),
    }
}

#[test]
fn a_plan_must_be_exactly_as_promised() {
    let mut court = Court::of("soldier plans go, shoot by 5");
    let longer = court.planned(&["go(crate)", "go(wall)", "shoot"]);
    court.at(3, &[longer]);
    assert_eq!(court.verdict(), Verdict::Open);
    let right = court.planned(&["go(wall)", "shoot"]);
    court.at(7, &[right]);
    assert_eq!(court.verdict(), Verdict::Kept(7));

    let mut court = Court::of("soldier plans go(wall), shoot by 5");
    let other = court.planned(&["go(crate)", "shoot"]);
    court.at(3, &[other]).at(60, &[]);
    is_broken(&court.verdict(), 50, "instead: go(crate), shoot");
    is_broken(&Court::of("soldier plans shoot").end(), 100, "there was no plan");
}

#[test]
fn deeds_come_in_order_and_must_end_well() {
    let mut court = Court::of("soldier does go(wall), laugh, shoot");
    let (go, shoot) = (court.done("go(wall)"), court.done("shoot"));
    let other = court.done("go(crate)");
    let laugh = EventKind::Ended { run: 2, doing: Activity::Flavour(0), how: Ending::Done };
    court.at(2, &[shoot, go, other]).at(4, &[laugh]);
    assert_eq!(court.verdict(), Verdict::Open, "the first shot came too early");
    court.at(9, &[shoot]);
    assert_eq!(court.verdict(), Verdict::Kept(9));

    let mut court = Court::of("soldier does go, shoot");
    let doing = Activity::Step(court.action("shoot"));
    let failed = EventKind::Ended { run: 1, doing, how: Ending::Failed(Word(0)) };
    let go = court.done("go(wall)");
    court.at(12, &[go, failed]);
    is_broken(&court.end(), 100, "`go` was done at 1.2 s, `shoot` was not after it");
}

#[test]
fn what_happens_to_others_counts_for_nobody_else() {
    let mut court = Court::of("other does shoot");
    let shoot = court.done("shoot");
    court.at(2, &[shoot]);
    is_broken(&court.end(), 100, "`shoot` was not done");
}

#[test]
fn starts_wants_and_learns_are_kept_at_once() {
    let mut court = Court::of("soldier starts shoot by 2");
    let started =
        |action| EventKind::Started { run: 1, doing: Activity::Otherwise(action), kind: None };
    let (shoot, go) = (started(court.action("shoot")), started(court.action("go(wall)")));
    court.at(3, &[go]).at(20, &[shoot]);
    assert_eq!(court.verdict(), Verdict::Kept(20), "the very last moment");

    let mut court = Court::of("soldier starts shoot as aimed by 3");
    let doing = Activity::Step(court.action("shoot"));
    let [snap, aimed] =
        [0, 1].map(|kind| EventKind::Started { run: 1, doing, kind: Some(Word(kind)) });
    court.at(3, &[snap]);
    assert_eq!(court.verdict(), Verdict::Open);
    court.at(20, &[aimed]);
    assert_eq!(court.verdict(), Verdict::Kept(20));
    let mut court = Court::of("soldier starts shoot as aimed by 3");
    court.at(3, &[snap]);
    is_broken(&court.end(), 30, "instead: shoot as snap");

    let mut court = Court::of("soldier wants fight by 2");
    let rest = EventKind::Goal(Some(court.goal("rest")));
    court.at(1, &[EventKind::Goal(None), rest]).at(30, &[]);
    is_broken(&court.verdict(), 20, "instead: `rest`");

    let mut court = Court::of("soldier fails shoot by 2");
    let ended = |action, how| EventKind::Ended { run: 1, doing: Activity::Step(action), how };
    let (shoot, go) = (court.action("shoot"), court.action("go(wall)"));
    let failed = Ending::Failed(Word(0));
    court.at(2, &[ended(shoot, Ending::Done), ended(shoot, Ending::Cancelled), ended(go, failed)]);
    assert_eq!(court.verdict(), Verdict::Open, "nothing of that is a shot that failed");
    court.at(7, &[ended(shoot, failed)]);
    assert_eq!(court.verdict(), Verdict::Kept(7));
    let mut court = Court::of("soldier fails shoot by 2");
    court.at(2, &[ended(go, failed)]);
    is_broken(&court.end(), 20, "instead: go(wall)");

    let mut court = Court::of("soldier learns go");
    let learnt = EventKind::Learnt(court.action("go(crate)"));
    court.at(6, &[learnt]);
    assert_eq!(court.verdict(), Verdict::Kept(6));
    is_broken(&Court::of("soldier learns go by 1").end(), 10, "not learnt");
}

#[test]
fn never_means_from_beginning_to_end() {
    let mut court = Court::of("soldier never does go(wall)");
    let (other, wall) = (court.done("go(crate)"), court.done("go(wall)"));
    court.at(3, &[other]);
    assert_eq!(court.verdict(), Verdict::Open);
    court.at(4, &[wall]);
    is_broken(&court.end(), 4, "it did");
    assert_eq!(Court::of("soldier never does go").end(), Verdict::Kept(100));

    let mut court = Court::of("soldier never plans shoot");
    let plan = court.planned(&["go(wall)", "shoot"]);
    court.at(8, &[plan]);
    is_broken(&court.verdict(), 8, "it planned go(wall), shoot");
}

#[test]
fn life_and_death() {
    let mut court = Court::of("soldier is dead by 3");
    court.at(10, &[]).moment.dead.insert(0);
    court.at(11, &[]);
    assert_eq!(court.verdict(), Verdict::Kept(11));
    is_broken(&Court::of("soldier is dead").end(), 100, "it lives");
    is_broken(&Court::of("soldier is dead by 3").end(), 30, "it lives");

    let mut court = Court::of("soldier is alive by 3");
    court.at(31, &[]).moment.dead.insert(0);
    assert_eq!(court.end(), Verdict::Kept(30), "it need not live longer");
    let mut court = Court::of("soldier is alive");
    court.at(31, &[]).moment.dead.insert(0);
    is_broken(&court.end(), 32, "it died");
}

#[test]
fn states_and_places_count_at_the_end_unless_a_moment_is_said() {
    let mut court = Court::of("gate = open");
    court.moment.state = "open".to_string();
    court.at(5, &[]).moment.state = "shut".to_string();
    is_broken(&court.end(), 100, "another state");
    let mut court = Court::of("gate = open by 4");
    court.at(5, &[]).moment.state = "open".to_string();
    court.at(6, &[]).moment.state = "shut".to_string();
    assert_eq!(court.end(), Verdict::Kept(6));

    let mut court = Court::of("soldier at wall");
    court.at(5, &[]).moment.at.insert((0, "wall".to_string()));
    assert_eq!(court.end(), Verdict::Kept(100));
    let mut court = Court::of("soldier at wall by 2");
    court.at(25, &[]).moment.at.insert((0, "wall".to_string()));
    is_broken(&court.end(), 20, "elsewhere");
}

#[test]
fn memory_comes_and_goes() {
    let noise = || (0, "noise".to_string());
    let mut court = Court::of("soldier forgets noise");
    court.at(5, &[]).moment.kinds.insert(noise());
    court.at(9, &[]).moment.kinds.clear();
    assert_eq!(court.end(), Verdict::Kept(10), "the moment from which on it was forgotten");
    let mut court = Court::of("soldier forgets noise");
    court.at(5, &[]).moment.kinds.insert(noise());
    court.at(9, &[]).moment.kinds.clear();
    court.at(20, &[]).moment.kinds.insert(noise());
    court.at(30, &[]).moment.kinds.clear();
    assert_eq!(court.end(), Verdict::Kept(31), "what came back was not forgotten before");
    is_broken(&Court::of("soldier forgets noise").end(), 100, "nothing to forget");
    let mut court = Court::of("soldier forgets noise by 2");
    court.at(5, &[]).moment.kinds.insert(noise());
    is_broken(&court.end(), 20, "still remembers");

    let mut court = Court::of("soldier remembers noise by 2");
    court.at(5, &[]).moment.kinds.insert(noise());
    court.at(6, &[]).moment.kinds.clear();
    assert_eq!(court.end(), Verdict::Kept(6));
    let mut court = Court::of("soldier remembers noise");
    court.at(5, &[]).moment.kinds.insert(noise());
    court.at(6, &[]).moment.kinds.clear();
    is_broken(&court.end(), 100, "has forgotten");
    is_broken(&Court::of("soldier remembers noise").end(), 100, "no such fact");
}

#[test]
fn work_is_counted() {
    let mut court = Court::of("heavy at most 1");
    court.at(3, &[EventKind::Heavy(0)]).at(4, &[EventKind::Heavy(1)]);
    assert_eq!(court.verdict(), Verdict::Open);
    court.at(5, &[EventKind::Heavy(0), EventKind::Heavy(1)]);
    is_broken(&court.end(), 5, "`soldier` had 2 heavy sensor runs in one tick");

    let mut court = Court::of("questions at most 4 per tick");
    court.moment.n_questions = 4;
    assert_eq!(court.at(3, &[]).verdict(), Verdict::Open);
    court.moment.n_questions = 5;
    is_broken(&court.at(4, &[]).end(), 4, "5 questions were asked in one tick");

    for (asked, kept) in [(4, true), (5, false)] {
        let mut court = Court::of("calls below 0.5 per second");
        court.moment.asked = asked;
        let verdict = court.end();
        assert_eq!(verdict == Verdict::Kept(100), kept, "{asked} in ten seconds: {verdict:?}");
    }
}

#[test]
fn nobody_stands_without_a_reason() {
    let mut court = Court::of("nobody stands");
    for idle in [Idle::Busy, Idle::Between, Idle::Because, Idle::Between, Idle::Absent] {
        court.moment.idle = Some(idle);
        let next = court.now + 1;
        court.at(next, &[]);
        assert_eq!(court.verdict(), Verdict::Open, "{idle:?}");
    }
    court.moment.idle = Some(Idle::Between);
    court.at(7, &[]);
    is_broken(&court.verdict(), 7, "does not begin its next step");
    let mut court = Court::of("nobody stands");
    court.moment.idle = Some(Idle::Unexplained);
    court.at(1, &[]);
    is_broken(&court.verdict(), 1, "could be pursued");
    assert_eq!(Court::of("nobody stands").end(), Verdict::Kept(100));
}
