//! Lives of random minds in a random world: every rule that the documents state holds after
//! every tick, sleep is invisible, and threads do not matter.
//!
//! Each life is named by its seed. Usually more than 300,000 ticks of minds; `THRONG_LONG=1`
//! watches more than ten million. `THRONG_SEED=n` watches one life and prints its file.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng_base::SplitMix;
use throng_mind::events::Event;
use throng_mind::orders::{IssuedOrder, MindId};
use throng_mind::time::Tick;
use throng_mind::{Mind, Minds};
use throng_suite::minds::{Company, Op, Script, Seen, Stage, Watch, World};

const TICKS: u32 = 150;
const CAST: usize = 10;

/// Minds that sleep, their twins that do not, and somebody who watches.
struct Life<'s> {
    stage: &'s Stage,
    minds: Minds<World>,
    world: World,
    twins: Minds<World>,
    twin_world: World,
    watches: Vec<Watch>,
    company: Company,
    seen: Seen,
}

fn of_mind<T: Clone>(all: &[T], id: MindId, whose: impl Fn(&T) -> MindId) -> Vec<T> {
    all.iter().filter(|one| whose(one) == id).cloned().collect()
}

impl Life<'_> {
    fn apply(&mut self, op: &Op) -> Result<(), String> {
        let (n_events, n_orders) = (self.minds.events().len(), self.minds.orders().len());
        op.apply(self.stage, &mut self.minds, &self.world);
        op.apply(self.stage, &mut self.twins, &self.twin_world);
        self.watches.iter_mut().for_each(|watch| watch.hear(op));
        self.company.hear(op, &self.minds);
        match op {
            Op::Spawn(npc, me) => {
                let id = self.minds.iter().last().unwrap().id();
                self.watches.push(Watch::new(self.minds.spec(), id, *npc, *me));
            }
            Op::Despawn(id) | Op::Interrupt(id) => {
                let (events, orders) =
                    (&self.minds.events()[n_events..], &self.minds.orders()[n_orders..]);
                let at = self.watches.iter().position(|watch| watch.id == *id).unwrap();
                self.watches[at].between(self.minds.spec(), events, orders, &mut self.seen)?;
                if matches!(op, Op::Despawn(_)) {
                    self.watches.remove(at);
                }
            }
            Op::Reload => {
                let events = &self.minds.events()[n_events..];
                let orders = &self.minds.orders()[n_orders..];
                for watch in &mut self.watches {
                    let events = of_mind(events, watch.id, |event| event.mind);
                    let orders = of_mind(orders, watch.id, |sent| sent.mind);
                    watch.between(self.minds.spec(), &events, &orders, &mut self.seen)?;
                    watch.reloaded(&self.minds);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn tick(&mut self, now: Tick) -> Result<(), String> {
        // What minds share in a tick they know in the next.
        let mut shared = self.minds.shared().clone();
        shared.forget(now);
        self.company.before_tick(&self.minds);
        self.minds.tick(&self.world, now);
        self.twins.tick(&self.twin_world, now);
        self.compare()?;
        if self.world.is_too_heavy() {
            return Err("heavy work twice in a tick".to_string());
        }
        self.company.after_tick(&self.minds, &mut self.seen)?;
        let (events, orders) = (self.minds.events(), self.minds.orders());
        let before = (&shared, self.company.claims());
        for watch in &mut self.watches {
            let own: (Vec<Event>, Vec<IssuedOrder>) = (
                of_mind(events, watch.id, |event| event.mind),
                of_mind(orders, watch.id, |sent| sent.mind),
            );
            let seen = &mut self.seen;
            watch
                .after_tick(self.stage, &self.minds, &self.world, before, (&own.0, &own.1), seen)
                .map_err(|wrong| format!("mind {}: {wrong}", watch.id.0))?;
        }
        Ok(())
    }

    /// Sleep is invisible.
    fn compare(&self) -> Result<(), String> {
        let (one, two) = (&self.minds, &self.twins);
        if one.events() != two.events() {
            let differ = one.events().iter().zip(two.events()).find(|(a, b)| a != b);
            return Err(format!(
                "events: {differ:?} of {:?}\nand {:?}",
                one.events(),
                two.events()
            ));
        }
        if one.mistakes() != two.mistakes() {
            return Err(format!("mistakes: {:?}\nand {:?}", one.mistakes(), two.mistakes()));
        }
        if one.orders() != two.orders() {
            return Err(format!("orders: {:?}\nand {:?}", one.orders(), two.orders()));
        }
        for (a, b) in one.iter().zip(two.iter()) {
            let parts = [
                (a.memory() == b.memory(), "memory"),
                (a.here() == b.here(), "place"),
                (a.senses() == b.senses(), "senses"),
                (a.picks() == b.picks(), "picks"),
                (a.state() == b.state(), "state"),
                (a.goals() == b.goals(), "goals"),
                (a.plan() == b.plan(), "plan"),
                (a.follow() == b.follow(), "run"),
                (a.board() == b.board(), "board"),
                (a.sleeps_until() == b.sleeps_until(), "wake"),
            ];
            if let Some((_, part)) = parts.iter().find(|(same, _)| !same) {
                return Err(format!("{part} of mind {}:{}", a.id().0, difference(a, b)));
            }
        }
        if one.claims() != two.claims() {
            return Err(format!("claims: {:?}\nand {:?}", one.claims(), two.claims()));
        }
        if one.digest() != two.digest() { Err("digests".to_string()) } else { Ok(()) }
    }
}

/// The lines in which two minds differ.
fn difference(one: &Mind, two: &Mind) -> String {
    let (one, two) = (format!("{one:#?}"), format!("{two:#?}"));
    let pairs = one.lines().zip(two.lines()).enumerate();
    let differ = pairs.filter(|(_, (a, b))| a != b).take(12);
    differ.map(|(at, (a, b))| format!("\n{at}: {} / {}", a.trim(), b.trim())).collect()
}

fn live(stage: &Stage) -> Result<Seen, String> {
    let ((minds, world), (mut twins, twin_world)) = (stage.minds(1)?, stage.minds(1)?);
    twins.never_sleep();
    let mut script = Script::new(stage, &minds);
    let (watches, company, seen) = (Vec::new(), Company::default(), Seen::default());
    let mut life = Life { stage, minds, world, twins, twin_world, watches, company, seen };
    for op in script.cast(stage, CAST) {
        life.apply(&op)?;
    }
    let mut dice = SplitMix::new(stage.seed);
    let mut now = if dice.percent(50) { 0 } else { 1000 };
    for _ in 0..TICKS {
        for op in script.next(stage, &life.world, now) {
            life.apply(&op).map_err(|wrong| format!("before tick {now}: {op:?}: {wrong}"))?;
        }
        life.tick(now).map_err(|wrong| format!("tick {now}: {wrong}"))?;
        script.hear(life.minds.orders(), now);
        script.hear_questions(life.minds.questions(), now);
        // Games pause.
        now += if dice.percent(2) { 7 } else { 1 };
    }
    let ids: Vec<MindId> = life.watches.iter().map(|watch| watch.id).collect();
    for id in ids {
        life.apply(&Op::Despawn(id))?;
    }
    Ok(life.seen)
}

fn live_seed(seed: u64) -> Result<(Seen, usize), String> {
    let stage = Stage::new(seed)?;
    let seen = live(&stage).map_err(|wrong| format!("seed {seed}: {wrong}\n{}", stage.text))?;
    Ok((seen, stage.refused))
}

#[test]
fn lives_obey_every_rule_and_sleep_is_invisible() {
    let one = std::env::var("THRONG_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let is_long = std::env::var_os("THRONG_LONG").is_some();
    let lives = if is_long { 7_000 } else { 220 };
    let seeds: Vec<u64> = one.map_or((0..lives).collect(), |seed| vec![seed]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut seen, mut refused) = (Seen::default(), 0);
    std::thread::scope(|scope| {
        let part = |at: usize| {
            let own = seeds.iter().skip(at).step_by(threads);
            own.map(|&seed| live_seed(seed)).collect::<Result<Vec<_>, String>>()
        };
        let parts: Vec<_> = (0..threads).map(|at| scope.spawn(move || part(at))).collect();
        for part in parts {
            for (life, tries) in part.join().unwrap().unwrap_or_else(|wrong| panic!("{wrong}")) {
                seen += life;
                refused += tries;
            }
        }
    });
    println!("{} lives, {refused} texts refused: {seen:#?}", seeds.len());
    if one.is_some() {
        return;
    }
    check_that_much_was_seen(&seen);
    assert!(seen.get("ticks") >= if is_long { 10_000_000 } else { 300_000 });
    assert!(refused < seeds.len() / 2, "most texts can be loaded");
}

/// A watch over nothing proves nothing: at least so many in a hundred thousand ticks.
fn check_that_much_was_seen(seen: &Seen) {
    let counts = [
        (seen.get("asleep"), 20_000, "asleep"),
        (seen.get("truths"), 50_000, "truths"),
        (seen.get("plans"), 1_000, "plans"),
        (seen.get("steps"), 1_500, "steps"),
        (seen.get("no_plans"), 1_000, "times without a plan"),
        (seen.get("rests"), 5_000, "rests"),
        (seen.get("better"), 30, "better goals"),
        (seen.get("resting"), 1_000, "resting goals"),
        (seen.get("held back"), 100, "goals held back by what lingers"),
        (seen.get("beliefs"), 200, "beliefs"),
        (seen.get("reasons"), 1_000, "reasons"),
        (seen.get("bound"), 10_000, "slots that hold something"),
        (seen.get("pinned"), 500, "picks that are not exchanged"),
        (seen.get("off"), 1_000, "selections that are off"),
        (seen.get("claimed"), 300, "claims"),
        (seen.get("claimed by two"), 30, "claims of two minds on one thing"),
        (seen.get("given"), 300, "things that the game keeps for a mind"),
        (seen.get("chance is against"), 1_000, "actions that chance is against"),
        (seen.get("cools"), 100, "actions that cool"),
        (seen.get("cools (squad)"), 5, "actions that cool for a squad"),
        (seen.get("cools (side)"), 100, "actions that cool for a side"),
        (seen.get("cools (all)"), 50, "actions that cool for all"),
        (seen.get("forgets"), 50, "effects that forget"),
        (seen.get("remembers"), 50, "effects that remember"),
        (seen.get("tells"), 50, "effects that tell"),
        (seen.get("told"), 50, "facts that others have told"),
        (seen.get("noise"), 20, "noises"),
    ];
    let events = [
        ("beside", 1_000),
        ("beside done", 300),
        ("beside failed", 100),
        ("beside cancelled", 300),
        ("wrong channel", 20),
        ("cancelled", 700),
        ("compound", 15),
        ("done", 4_000),
        ("doubted", 150),
        ("failed", 400),
        ("flavour", 150),
        ("heavy", 5_000),
        ("kind", 80),
        ("learnt", 60),
        ("mistake", 20),
        ("no effect", 300),
        ("otherwise", 3_000),
        ("planned GoalIrrelevant", 10),
        ("planned GoalReached", 60),
        ("planned PlanEnded", 150),
        ("planned PlanInvalid", 80),
        ("planned Cheaper", 2),
        ("planned Reloaded", 20),
        ("planned Reselected", 50),
        ("planned StepFailed", 60),
        ("planned TryAgain", 200),
        ("no plan PlanInvalid", 30),
        ("skipped", 1),
        ("picked Best", 1_000),
        ("picked Better", 20),
        ("picked Gone", 1_000),
        ("picked Off", 50),
        ("picked Shared", 10),
        ("picked Taken", 30),
    ];
    let events = events.map(|(name, least)| (seen.get(name), least, name));
    for (count, least, name) in counts.into_iter().chain(events) {
        assert!(count * 100_000 >= least * seen.get("ticks"), "{name}: {count}");
    }
}

/// What minds are and did in a tick.
type Page = (u64, Vec<Event>, Vec<IssuedOrder>);

/// All that minds do and are, tick by tick.
fn history(seed: u64, threads: usize) -> Result<Vec<Page>, String> {
    let stage = Stage::new(seed)?;
    let (mut minds, world) = stage.minds(threads)?;
    let mut script = Script::new(&stage, &minds);
    script.cast(&stage, 300).iter().for_each(|op| op.apply(&stage, &mut minds, &world));
    let mut all = Vec::new();
    for now in 0..40 {
        script.next(&stage, &world, now).iter().for_each(|op| op.apply(&stage, &mut minds, &world));
        minds.tick(&world, now);
        script.hear(minds.orders(), now);
        script.hear_questions(minds.questions(), now);
        all.push((minds.digest(), minds.events().to_vec(), minds.orders().to_vec()));
    }
    Ok(all)
}

#[test]
fn lives_are_the_same_twice_and_for_any_number_of_threads() {
    for seed in 0..6 {
        let once = history(seed, 1).unwrap();
        assert!(once.iter().any(|(_, events, _)| !events.is_empty()));
        for threads in [1, 2, 7] {
            assert!(history(seed, threads).unwrap() == once, "seed {seed}, {threads} threads");
        }
    }
}
