//! Minds allocate nothing once warm, whether plans are found or not, recorded or not, and a mind
//! takes little room.
//!
//! Counted, not believed: two hundred minds that sense, plan, act, fail and find no plan, in a
//! world that repeats itself.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use crate::counting::allocations_of;
use throng::Domain;
use throng_mind::Minds;
use throng_mind::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Work};
use throng_mind::events::EventKind;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::orders::{Message, MindId, Order, OrderId, Stimulus};
use throng_mind::time::{NEVER, Tick};
use throng_mind::words::Word;
use throng_trace::{Recorder, RecorderSettings, RecordingSource};

const TEXT: &str = "domain yard
var at: home, crate, wall, gate
var gun: none, held, ready
var foe: alive, dead
var gate: shut, open
action go(place in at): at -> place   takes 0.3
action take: gun none -> held   while at = crate   does act
action load: gun held -> ready   does act
action shoot: foe alive -> dead   while gun = ready, at = wall   if seen   cost 3   does act
action kick: gate shut -> open   while at = gate
    kinds hard if seen, soft cost 2
action shut: gate -> shut   does act
action wait:   takes 0.4
compound rush: load, shoot   cost 9
goal fight: foe = dead   priority 5   relevance sure stimulus of foe   keep 0.5
goal out: gate = open or at = home   priority 2   relevance distance of noise curve 0 1, 9 0.2
goal safe: at = home, gate = shut   relevance if not foe(age < 1)   cooldown 0.3
npc guard
    can go, take, load, shoot, kick, shut, wait, rush
    wants fight, out, safe
    starts at = home, gun = none, gate = shut
    otherwise wait   doubt 2 for 1   retry 0.3   memory 32
sensor eyes: every 0.1 keeps 1 feeds foe, seen
sensor feet: every 0
sensor ears: on noise keeps 2
symbol foe: dead if foe(knowledge = dead), alive if foe
symbol gun: none if thief(age < 0.5), knowledge of gun
check seen: foe(sure stimulus > 0.5)
price go: amount of path(node = it)
learn rush: foe(knowledge = dead)
flavour nod: every 1   takes 0.2
";

/// How often the world repeats itself, in ticks.
const PERIOD: u32 = 40;
const MINDS: u32 = 200;

struct Yard {
    words: Vec<Word>,
}

const WORDS: [&str; 10] =
    ["foe", "gun", "path", "thief", "home", "crate", "wall", "alive", "dead", "noise"];

fn mixed(me: EntityId, now: Tick, salt: u64) -> u64 {
    let mixed =
        (me.0 << 32 | u64::from(now % PERIOD) << 8 | salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

fn look(s: &mut Sensing<'_, Yard>) -> Work {
    let dice = mixed(s.me, s.now, 1);
    let [foe, _, path, thief, home, ..] = s.world.words[..] else { return Work::Light };
    let knowledge = s.world.words[7 + usize::from(dice.is_multiple_of(5))];
    let sure = (dice >> 8 & 3) as f32 / 3.0;
    match dice % 4 {
        0 => {}
        1 => drop_old(s, thief),
        _ => {
            let fact = FactDraft::new(foe).with(Attribute::Stimulus, Value::Word(foe), sure).with(
                Attribute::Knowledge,
                Value::Word(knowledge),
                1.0,
            );
            s.remember_one(fact, &[]);
        }
    }
    let node = s.world.words[4 + (dice >> 16) as usize % 3];
    let fact = FactDraft::new(path).with(Attribute::Node, Value::Word(node), 1.0).with(
        Attribute::Amount,
        Value::Number(1.0 + (dice >> 24 & 3) as f32),
        1.0,
    );
    s.remember_one(fact, &[Attribute::Node]);
    if dice.is_multiple_of(7) {
        s.share(FactDraft::new(home).keep(5));
    }
    if dice.is_multiple_of(3) { Work::Heavy } else { Work::Light }
}

fn drop_old(s: &mut Sensing<'_, Yard>, thief: Word) {
    s.remember(FactDraft::new(thief));
    s.forget_the_rest();
}

fn stand(s: &mut Sensing<'_, Yard>) -> Work {
    *s.here = [(s.now % PERIOD / 8) as f32, 0.0, 0.0];
    Work::Light
}

struct Act;

impl Behaviour<Yard> for Act {
    fn start(&self, a: &mut Acting<'_, Yard>) -> Progress {
        let what = a.action.map_or(Word::NONE, |_| a.world.words[1]);
        a.board.order(Order::Weapon { what, at: None, to: None });
        a.board.order(Order::Animate { what, ticks: 3 });
        match mixed(a.me, a.now, 2) % 6 {
            0 => Progress::Failed(Word::NONE),
            1 => Progress::Until(a.now + 2),
            _ => Progress::Waiting,
        }
    }

    fn end(&self, a: &mut Acting<'_, Yard>, _: Ending) {
        a.remember_one(FactDraft::new(a.world.words[1]), &[], 4);
    }
}

/// Minds, their world, the orders that are to be reported.
struct Game {
    minds: Minds<Yard>,
    yard: Yard,
    open: Vec<(MindId, OrderId)>,
    noise: Word,
    plans: u64,
    no_plans: u64,
    orders: u64,
}

impl Game {
    fn new() -> Game {
        let domain = Domain::from_text(TEXT).unwrap();
        let spec = domain.mind_spec(10).unwrap_or_else(|error| panic!("{error}"));
        let body = Body::new()
            .words(&WORDS)
            .sensor("eyes", look)
            .sensor("feet", stand)
            .behaviour("act", Act);
        let mut minds = Minds::new(spec, body, 1).unwrap();
        let guard = domain.npc_type("guard").unwrap();
        for at in 0..MINDS {
            minds.spawn(guard, EntityId(u64::from(at))).unwrap();
        }
        let words: Vec<Word> =
            WORDS.iter().map(|word| minds.spec().words.find(word).unwrap()).collect();
        let noise = words[9];
        let open = Vec::with_capacity(4096);
        let (plans, no_plans, orders) = (0, 0, 0);
        Game { minds, yard: Yard { words }, open, noise, plans, no_plans, orders }
    }

    fn tick(&mut self, now: Tick) {
        for (id, order) in self.open.drain(..) {
            self.minds.tell(id, Message::Done(order)).unwrap();
        }
        for at in (1..=MINDS).filter(|at| (at + now % PERIOD).is_multiple_of(17)) {
            let noise = Stimulus::new(self.noise, [2.0, 3.0, 0.0]);
            self.minds.tell(MindId(at), Message::Stimulus(noise)).unwrap();
        }
        self.minds.tick(&self.yard, now);
        for sent in self.minds.orders() {
            self.orders += 1;
            if sent.order.is_reported() && self.open.len() < self.open.capacity() {
                self.open.push((sent.mind, sent.id));
            }
        }
        for event in self.minds.events() {
            self.plans += u64::from(matches!(event.what, EventKind::Planned { .. }));
            self.no_plans += u64::from(matches!(event.what, EventKind::NoPlan(_)));
        }
    }
}

#[test]
fn the_counter_counts() {
    assert!(allocations_of(|| drop(std::hint::black_box(vec![1u8; 100]))) > 0);
}

#[test]
fn warm_minds_allocate_nothing() {
    check_warm(None);
}

#[test]
fn warm_minds_with_a_budget_allocate_nothing() {
    check_warm(Some(30));
}

fn check_warm(budget: Option<u32>) {
    let mut game = Game::new();
    game.minds.set_budget(budget);
    let warm = 30 * PERIOD;
    (0..warm).for_each(|now| game.tick(now));
    let before = (game.plans, game.no_plans, game.orders, game.minds.totals());
    let ticks = 10 * PERIOD;
    let allocations = allocations_of(|| (warm..warm + ticks).for_each(|now| game.tick(now)));
    let totals = game.minds.totals();
    let searches = totals.calls - before.3.calls;
    let (plans, no_plans) = (game.plans - before.0, game.no_plans - before.1);
    let orders = game.orders - before.2;
    println!(
        "{MINDS} minds, {ticks} ticks: {plans} plans, {no_plans} times none, {searches} searches, \
         {orders} orders, {allocations} allocations"
    );
    assert_eq!(allocations, 0);
    assert!(plans > 1_000 && no_plans > 1_000 && searches > 1_000 && orders > 1_000);
}

/// Lives, warm, with a recorder, at most so often: how often the thread of the ticks asks for memory
/// each time, up to the first that it does not.
fn recorded_allocations(
    times: u32,
    begin: impl FnOnce(RecorderSettings, &mut Game, RecordingSource) -> Recorder,
) -> Vec<u64> {
    let mut game = Game::new();
    let domain = Domain::from_text(TEXT).unwrap();
    let source = RecordingSource::of(domain.model().sources(), game.minds.spec().pace);
    // A keyframe is all that minds are, and what follows it is read without what came before: so
    // both need room again, and are not in what is counted.
    let settings = RecorderSettings::default().keyframe_every(1e6);
    let mut recorder = begin(settings, &mut game, source);
    let mut tick = |now| {
        game.tick(now);
        recorder.after_tick(&mut game.minds, &[]).unwrap();
    };
    let warm = 30 * PERIOD;
    (1..warm).for_each(&mut tick);
    let ticks = 10 * PERIOD;
    let mut allocations = Vec::new();
    let mut now = warm;
    while now < warm + times * ticks && !allocations.contains(&0) {
        allocations.push(allocations_of(|| (now..now + ticks).for_each(&mut tick)));
        now += ticks;
    }
    let figures = recorder.figures();
    println!("{ticks} ticks of {figures:?} recorded: {allocations:?} allocations");
    assert_eq!(figures.ticks, u64::from(now - 1));
    assert!(figures.entries > 100_000);
    allocations
}

/// A recorder writes into a file; here the bytes go nowhere, so that nothing but it is counted.
#[test]
fn recording_warm_minds_allocates_nothing() {
    let allocations = recorded_allocations(1, |settings, game, source| {
        Recorder::to(std::io::sink(), settings, &mut game.minds, source, &[]).unwrap()
    });
    assert_eq!(allocations, [0]);
}

/// What the recorder's own thread takes, for what is kept, is not the tick's. While that thread has
/// no time the tick needs room for more jobs, of which there is a bound, so that ends.
#[test]
fn a_ring_lets_the_tick_allocate_nothing() {
    let allocations = recorded_allocations(30, |settings, game, source| {
        Recorder::ring(1e6, settings, &mut game.minds, source, &[]).unwrap()
    });
    assert!(allocations.contains(&0), "{allocations:?}");
}

#[test]
fn a_mind_that_acts_with_32_facts_takes_at_most_5_kilobytes() {
    let mut game = Game::new();
    (0..10 * PERIOD).for_each(|now| game.tick(now));
    // A few at a time, as they come in games: a box keeps the room it once needed.
    let mut facts = 0;
    for n in 0..64 {
        for at in 1..=MINDS {
            let fact = FactDraft::new(game.noise)
                .with(Attribute::Index, Value::Number(n as f32), 1.0)
                .with(Attribute::Position, Value::Position([1.0; 3]), 1.0)
                .keep(NEVER);
            game.minds.tell(MindId(at), Message::Told(Box::new(fact))).unwrap();
        }
        game.tick(10 * PERIOD + n);
        facts = game.minds.iter().map(|mind| mind.memory().len()).fold(facts, usize::max);
    }
    let bytes = game.minds.bytes() / game.minds.len();
    println!(
        "{bytes} bytes per mind with up to {facts} facts, {} of them memory",
        game.minds.iter().map(|mind| mind.memory().bytes()).max().unwrap_or(0)
    );
    assert_eq!(facts, 32);
    assert!(bytes <= 5_000, "{bytes}");
}
