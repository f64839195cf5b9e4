//! Lives of random minds in a random world: every rule that the documents state holds after
//! every tick, sleep is invisible, and threads do not matter.
//!
//! Each life is named by its seed. Usually more than 300,000 ticks of minds; `THRONG_LONG=1`
//! watches more than ten million. `THRONG_SEED=n` watches one life and prints its file.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use throng_mind::events::Event;
use throng_mind::orders::{MindId, Sent};
use throng_mind::time::Tick;
use throng_mind::{Mind, Minds};
use throng_suite::minds::{Op, Script, Seen, Stage, Watch, World};
use throng_suite::random::Dice;

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
    seen: Seen,
}

fn of_mind<T: Clone>(all: &[T], id: MindId, whose: impl Fn(&T) -> MindId) -> Vec<T> {
    all.iter().filter(|one| whose(one) == id).cloned().collect()
}

impl Life<'_> {
    fn apply(&mut self, op: &Op) -> Result<(), String> {
        let (n_events, n_orders) = (self.minds.events().len(), self.minds.orders().len());
        op.apply(&mut self.minds, &self.world);
        op.apply(&mut self.twins, &self.twin_world);
        self.watches.iter_mut().for_each(|watch| watch.hear(op));
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
            _ => {}
        }
        Ok(())
    }

    fn tick(&mut self, now: Tick) -> Result<(), String> {
        // What minds share in a tick they know in the next.
        let mut shared = self.minds.shared().clone();
        shared.forget(now);
        self.minds.tick(&self.world, now);
        self.twins.tick(&self.twin_world, now);
        self.compare()?;
        let (events, orders) = (self.minds.events(), self.minds.orders());
        for watch in &mut self.watches {
            let own: (Vec<Event>, Vec<Sent>) = (
                of_mind(events, watch.id, |event| event.mind),
                of_mind(orders, watch.id, |sent| sent.mind),
            );
            let seen = &mut self.seen;
            watch
                .after_tick(self.stage, &self.minds, &self.world, &shared, (&own.0, &own.1), seen)
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
        if one.orders() != two.orders() {
            return Err(format!("orders: {:?}\nand {:?}", one.orders(), two.orders()));
        }
        for (a, b) in one.iter().zip(two.iter()) {
            let parts = [
                (a.memory() == b.memory(), "memory"),
                (a.here() == b.here(), "place"),
                (a.senses() == b.senses(), "senses"),
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
    let (watches, seen) = (Vec::new(), Seen::default());
    let mut life = Life { stage, minds, world, twins, twin_world, watches, seen };
    for op in script.cast(stage, CAST) {
        life.apply(&op)?;
    }
    let mut dice = Dice::new(stage.seed);
    let mut now = if dice.percent(50) { 0 } else { 1000 };
    for _ in 0..TICKS {
        for op in script.next(stage, &life.world, now) {
            life.apply(&op).map_err(|wrong| format!("before tick {now}: {op:?}: {wrong}"))?;
        }
        life.tick(now).map_err(|wrong| format!("tick {now}: {wrong}"))?;
        script.hear(life.minds.orders(), now);
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
    let count = std::env::var("THRONG_LIVES").ok().and_then(|count| count.parse().ok());
    let lives = count.unwrap_or(if is_long { 7_000 } else { 220 });
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
    assert!(seen.ticks >= if is_long { 10_000_000 } else { 300_000 });
    assert!(refused < seeds.len() / 2, "most texts can be loaded");
}
