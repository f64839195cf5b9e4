//! A steady crowd allocates nothing, and a restless one does not grow: counted on all its threads.
//!
//! In:   the town with two threads, frame after frame, its people with goals and with choices
//!       among them; people who count, by tables and by lists; crowds of one type through millions
//!       of random operations.
//! Out:  no allocation in a thousand frames once every situation has been seen; as many live
//!       bytes after ten million operations as after two, within one percent.
//! Cost: some seconds; `THRONG_LONG=1` does all ten million operations. The short run still warms
//!       up, and only catches what leaks fast.
//!
//! Counted is what this test and the threads of its pools ask for, and nothing else: the thread
//! that waits for the test allocates too, as to say that it has been running for over a minute.
//! One test, as others beside it would be in its way.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]
// A counting allocator cannot be written without `unsafe`; it only forwards and counts.
#![allow(unsafe_code, reason = "it only forwards and counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use throng::crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool,
    Population, TablePolicy,
};
use throng::prelude::*;
use throng::{ActionId, CheckId, GoalId, NpcTypeId};
use throng_base::SplitMix;
use throng_lab::corpus;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Whether this thread is one whose memory is counted.
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

fn count(allocations: u64, bytes: i64) {
    // A thread that ends has no flag any more; nothing is measured there.
    if IS_COUNTED.try_with(Cell::get).unwrap_or(false) {
        ALLOCATIONS.fetch_add(allocations, Ordering::Relaxed);
        LIVE.fetch_add(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call is forwarded unchanged to the system allocator, which upholds the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -(layout.size() as i64));
        // SAFETY: the caller's promises about `pointer` and `layout` are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises about all three are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

fn live() -> i64 {
    LIVE.load(Ordering::Relaxed)
}

/// Two threads, both of them begun and counted: each takes one of two items, as neither is done
/// with its own before the other has one.
fn counted_pool() -> Arc<Pool> {
    let pool = Arc::new(Pool::new(2));
    assert_eq!(pool.threads(), 2, "the system refuses a thread");
    let both = Barrier::new(2);
    pool.each(&mut [(), ()], &|_, ()| {
        both.wait();
        IS_COUNTED.set(true);
    });
    pool
}

#[test]
fn a_steady_crowd_allocates_nothing_and_a_restless_one_does_not_grow() {
    the_counters_count();
    // Tables for small types, memory and planner for the innkeeper; then the kernel for all that
    // it can serve.
    let small_tables =
        CrowdSettings { table_states: 20_000, remembered: 4_096, ..CrowdSettings::default() };
    steady_town(small_tables, &["looked_up", "remembered"]);
    let no_tables =
        CrowdSettings { tables: TablePolicy::Never, remembered: 4_096, ..CrowdSettings::default() };
    steady_town(no_tables, &["computed", "remembered"]);
    let counted = CrowdSettings::default();
    steady_counters("numbers/bench/hpmp.npc", counted, |report| report.looked_up);
    steady_counters("numbers/bench/shooter.npc", counted, |report| report.listed);
    let [on_first_use, never] = [TablePolicy::OnFirstUse, TablePolicy::Never].map(|tables| {
        CrowdSettings { tables, remembered: 4_096, searches: 1, ..CrowdSettings::default() }
    });
    let percent = if is_long() { 1 } else { WARMING_UP };
    for kind in ["blacksmith", "courier"] {
        restless_crowd(kind, on_first_use, Wants::Goals, percent);
        restless_crowd(kind, never, Wants::Goals, percent);
        // There is more to meet with more to want.
        restless_crowd(kind, on_first_use, Wants::Choices, WARMING_UP);
        restless_crowd(kind, never, Wants::Choices, WARMING_UP);
    }
    // Each search under way keeps the memory of the largest that its place has met. Eight places
    // take longer than ten million operations until all have met theirs; what they hold is
    // bounded by `CrowdSettings::search_bytes`, but it is not flat yet.
    let many = CrowdSettings { searches: 8, ..on_first_use };
    restless_crowd("courier", many, Wants::Goals, WARMING_UP);
}

fn is_long() -> bool {
    std::env::var_os("THRONG_LONG").is_some()
}

/// By how much, in percent, a crowd may grow that has not met everything yet.
const WARMING_UP: i64 = 3;

fn the_counters_count() {
    IS_COUNTED.set(true);
    let (allocated, kept) = (allocations(), live());
    let vector = std::hint::black_box(vec![1u8; 1000]);
    assert!(allocations() > allocated && live() >= kept + 1000);
    // On any thread, and on both.
    let allocated = allocations();
    let pool = counted_pool();
    let (before, both) = (allocations(), Barrier::new(2));
    assert!(before > allocated, "threads are not for nothing");
    pool.each(&mut [0; 64], &|_, _| drop(std::hint::black_box(vec![1u8; 10])));
    assert_eq!(allocations(), before + 64);
    pool.each(&mut [0; 2], &|_, _| {
        both.wait();
        drop(std::hint::black_box(vec![1u8; 10]));
    });
    assert_eq!(allocations(), before + 66);
    // What others ask for is not counted.
    let (before, others) = (allocations(), std::thread::spawn(|| drop(vec![1u8; 10])));
    let spawned = allocations() - before;
    others.join().unwrap();
    assert_eq!(allocations(), before + spawned);
    drop((vector, pool));
}

/// People whose amounts are others all the time, in states that were never met before.
fn steady_counters(file: &str, settings: CrowdSettings, by: fn(&FrameReport) -> usize) {
    let domain = Domain::from_file(corpus::folder().join(file)).unwrap();
    let kind = &domain.compiled().npcs()[0];
    let mut crowd = Crowd::new(domain.compiled_arc(), kind.id(), settings, counted_pool()).unwrap();
    let goal = crowd.goal(kind.goals()[0]).unwrap();
    let npcs: Vec<NpcHandle> =
        (0..2_000).map(|_| crowd.spawn(GroupId::FIRST, goal).unwrap()).collect();
    crowd.prepare(&|_, _| true);
    let map = domain.compiled().map();
    let ranges = kind.variables().iter().filter_map(|&id| Some((id, map.amount(id)?)));
    let ranges: Vec<_> = ranges.collect();
    let mut dice = SplitMix::new(41);
    let mut frames = |n: usize| {
        let mut all = FrameReport::default();
        for _ in 0..n {
            for _ in 0..40 {
                let npc = *dice.pick(&npcs);
                for &(id, (low, high)) in &ranges {
                    let number = low + dice.below((high - low + 1) as usize) as i64;
                    crowd.set_amount(npc, id, number).unwrap();
                }
            }
            all += crowd.plan(FrameBudget::UNLIMITED);
            crowd.apply_next();
        }
        all
    };
    let _ = frames(300);
    let before = allocations();
    let report = frames(300);
    assert_eq!(allocations() - before, 0, "{file}");
    assert!(report.served > 10_000 && by(&report) == report.served, "{file}: {report:?}");
    assert!(report.plans > 1_000 && report.impossible > 1_000, "{file}: {report:?}");
}

fn town() -> Domain {
    Domain::from_file(corpus::folder().join("papers/town.npc")).unwrap()
}

/// What the NPCs of a crowd are given to want.
#[derive(Clone, Copy, Debug)]
enum Wants {
    Goals,
    /// Goals, and choices among them.
    Choices,
}

/// Each goal, any of them, and the best of them.
fn goals_of(crowd: &mut Crowd, ids: &[GoalId]) -> Vec<CrowdGoalId> {
    let mut goals: Vec<CrowdGoalId> = ids.iter().map(|&id| crowd.goal(id).unwrap()).collect();
    goals.extend([crowd.any_goal(ids).unwrap(), crowd.best().unwrap()]);
    goals
}

/// The parts of a day, by the checks that do not hold.
const CONTEXTS: [&[&str]; 5] = [
    &[],
    &["working_hours"],
    &["working_hours", "daylight"],
    &["dry_weather"],
    &["working_hours", "daylight", "all_quiet"],
];

const NPCS: usize = 20_000;
const GROUPS: usize = 4;

/// A town, and how it is lived in.
struct Town {
    all: Population,
    npcs: Vec<(NpcTypeId, NpcHandle)>,
    groups: Vec<GroupId>,
    checks: Vec<(CheckId, Vec<bool>)>,
    /// Both values of everything that is shared.
    shared: Vec<[Fact; 2]>,
    /// By type: what it wants, and the values of its own variables.
    goals: Vec<Vec<CrowdGoalId>>,
    facts: Vec<Vec<Fact>>,
    idle: Vec<(NpcHandle, CrowdGoalId)>,
    dice: SplitMix,
}

impl Town {
    fn new(settings: CrowdSettings) -> Town {
        let domain = town();
        let (compiled, map) = (domain.compiled(), domain.compiled().map());
        let mut all = Population::new(domain.compiled_arc(), settings, counted_pool());
        let mut groups = vec![GroupId::FIRST];
        groups.extend((1..GROUPS).map(|_| all.add_group().unwrap()));
        let values = |variable: &throng_domain::model::Variable| -> Vec<Fact> {
            let name = variable.name();
            variable.values().iter().map(|value| domain.fact(name, value).unwrap()).collect()
        };
        let is_shared = |fact: &Fact| map.is_shared(fact.variable);
        let facts: Vec<Vec<Fact>> = domain.model().variables().iter().map(values).collect();
        let shared = facts.iter().filter(|facts| is_shared(&facts[0]));
        let shared: Vec<[Fact; 2]> = shared.map(|facts| [facts[0], facts[1]]).collect();
        let own = |npc: &throng_domain::compile::NpcTables| {
            let is_own = |fact: &&Fact| {
                npc.variables().contains(&fact.variable) && !map.is_shared(fact.variable)
            };
            facts.iter().flatten().filter(is_own).copied().collect()
        };
        let facts = compiled.npcs().iter().map(own).collect();
        let mut goals = Vec::new();
        for npc in compiled.npcs() {
            let crowd = all.crowd_mut(npc.id()).unwrap();
            goals.push(goals_of(crowd, npc.goals()));
        }
        let checks = map.check_names().map(|name| {
            let holds = CONTEXTS.iter().map(|without| !without.contains(&name));
            (domain.check(name).unwrap(), holds.collect())
        });
        let checks = checks.collect();
        let (npcs, idle, dice) = (Vec::new(), Vec::with_capacity(NPCS), SplitMix::new(7));
        Town { all, npcs, groups, checks, shared, goals, facts, idle, dice }
    }

    fn settle_in(&mut self) {
        let n_types = self.goals.len();
        for at in 0..NPCS {
            let id = self.all.crowds()[at % n_types].npc();
            let goal = self.goals[id.index()][at / n_types % self.goals[id.index()].len()];
            let group = self.groups[at / 7 % GROUPS];
            let some: Vec<Fact> =
                (0..3).map(|_| *self.dice.pick(&self.facts[id.index()])).collect();
            let crowd = self.all.crowd_mut(id).unwrap();
            self.npcs.push((id, crowd.spawn_with(group, goal, &some).unwrap()));
        }
    }

    fn set_context(&mut self, group: GroupId, context: usize) {
        for (check, holds) in &self.checks {
            self.all.set_check(group, *check, holds[context]).unwrap();
        }
    }

    /// Meets every context with every combination of shared values, and every goal in them.
    fn see_everything(&mut self) {
        for context in 0..CONTEXTS.len() {
            for combination in 0..1usize << self.shared.len() {
                let group = self.groups[combination % GROUPS];
                self.set_context(group, context);
                for (at, facts) in self.shared.iter().enumerate() {
                    self.all.set_shared(group, facts[combination >> at & 1]).unwrap();
                }
                if combination % GROUPS == GROUPS - 1 {
                    self.all.settle();
                    self.all.prepare(&|_, _| true);
                }
            }
        }
    }

    /// Gives everybody another goal and serves them all at once: the most that a frame can be.
    fn serve_all(&mut self) {
        for &(id, npc) in &self.npcs {
            let crowd = self.all.crowd_mut(id).unwrap();
            let goal = *self.dice.pick(&self.goals[id.index()]);
            crowd.set_goal(npc, goal).unwrap();
            let fact = *self.dice.pick(&self.facts[id.index()]);
            crowd.set(npc, fact).unwrap();
        }
        self.all.plan(FrameBudget::UNLIMITED);
    }

    /// Serves a few at a time, which is another way than many: the planner, and not the kernel.
    fn serve_few(&mut self) {
        for &(id, npc) in &self.npcs {
            let crowd = self.all.crowd_mut(id).unwrap();
            crowd.set_goal(npc, *self.dice.pick(&self.goals[id.index()])).unwrap();
            crowd.set(npc, *self.dice.pick(&self.facts[id.index()])).unwrap();
        }
        for at in 0..self.goals.len() {
            let id = self.all.crowds()[at].npc();
            let few = FrameBudget { npcs: 7, nodes: u64::MAX };
            let crowd = self.all.crowd_mut(id).unwrap();
            while crowd.plan(few).deferred > 0 {}
        }
    }

    fn frame(&mut self, number: usize) -> FrameReport {
        for _ in 0..200 {
            let (id, npc) = *self.dice.pick(&self.npcs);
            let fact = *self.dice.pick(&self.facts[id.index()]);
            assert!(self.all.crowd_mut(id).unwrap().set(npc, fact).is_ok());
        }
        if number.is_multiple_of(5) {
            let group = *self.dice.pick(&self.groups);
            let fact = *self.dice.pick(&self.shared);
            let fact = *self.dice.pick(&fact);
            self.all.set_shared(group, fact).unwrap();
        }
        if number.is_multiple_of(20) {
            let group = *self.dice.pick(&self.groups);
            let context = self.dice.below(CONTEXTS.len());
            self.set_context(group, context);
        }
        self.all.apply_next();
        self.all.settle();
        for at in 0..self.goals.len() {
            let id = self.all.crowds()[at].npc();
            let goals = &self.goals[id.index()];
            self.idle.clear();
            for idle in self.all.crowds()[at].idle().take(200) {
                self.idle.push((idle.npc, *self.dice.pick(goals)));
            }
            let crowd = self.all.crowd_mut(id).unwrap();
            for &(npc, goal) in &self.idle {
                assert!(crowd.set_goal(npc, goal).is_ok());
            }
        }
        let budget = FrameBudget { npcs: 5_000, nodes: 20_000 };
        let report = self.all.plan(budget);
        assert!(report.served <= budget.npcs && report.nodes <= budget.nodes, "{report:?}");
        report
    }
}

/// A thousand frames of a town that has seen everything.
fn steady_town(settings: CrowdSettings, sources: &[&str]) {
    let mut town = Town::new(settings);
    town.settle_in();
    town.see_everything();
    (0..12).for_each(|_| town.serve_few());
    (0..12).for_each(|_| town.serve_all());
    // Until as many different plans have been alive at once as ever will be: memory fills slowly.
    (0..2_500).for_each(|number| {
        town.frame(number);
    });
    let (before, bytes) = (allocations(), live());
    let mut report = FrameReport::default();
    for number in 0..1000 {
        report += town.frame(number);
    }
    let (allocated, grown) = (allocations() - before, live() - bytes);
    println!("1000 frames of {NPCS}: {allocated} allocations, {grown} bytes more; {report:?}");
    assert_eq!((allocated, grown), (0, 0));
    for source in sources {
        let n = match *source {
            "looked_up" => report.looked_up,
            "computed" => report.computed,
            _ => report.remembered,
        };
        assert!(n > 10_000, "{source}: {n}");
    }
}

/// Operations of one history.
fn operations() -> u64 {
    if is_long() { 10_000_000 } else { 400_000 }
}

/// The most NPCs at a time.
const MOST: usize = 1_000;

/// Everything that can be said of a crowd, at random.
struct Restless {
    crowd: Crowd,
    npcs: Vec<NpcHandle>,
    goals: Vec<CrowdGoalId>,
    groups: Vec<GroupId>,
    facts: Vec<Fact>,
    shared: Vec<Fact>,
    checks: Vec<CheckId>,
    actions: Vec<ActionId>,
    dice: SplitMix,
}

impl Restless {
    fn new(kind: &str, settings: CrowdSettings, wants: Wants) -> Restless {
        let domain = town();
        let (compiled, map) = (domain.compiled(), domain.compiled().map());
        let id = domain.npc_type(kind).unwrap();
        let npc = compiled.npc(id);
        let mut crowd = Crowd::new(domain.compiled_arc(), id, settings, counted_pool()).unwrap();
        let mut groups = vec![GroupId::FIRST];
        groups.extend((1..GROUPS).map(|_| crowd.add_group().unwrap()));
        let goals = match wants {
            Wants::Goals => npc.goals().iter().map(|&id| crowd.goal(id).unwrap()).collect(),
            Wants::Choices => goals_of(&mut crowd, npc.goals()),
        };
        let of_model = domain.model().variables().iter().flat_map(|variable| {
            let fact = |value| domain.fact(variable.name(), value).unwrap();
            variable.values().iter().map(move |value| fact(value)).collect::<Vec<_>>()
        });
        let touched = of_model.filter(|fact| npc.variables().contains(&fact.variable));
        let (shared, facts) = touched.partition(|fact| map.is_shared(fact.variable));
        let checks = map.check_names().map(|name| domain.check(name).unwrap()).collect();
        let (actions, npcs) = (npc.actions().to_vec(), Vec::with_capacity(MOST));
        let dice = SplitMix::new(9);
        Restless { crowd, npcs, goals, groups, facts, shared, checks, actions, dice }
    }

    fn step(&mut self, report: &mut FrameReport) {
        let Restless { crowd, npcs, goals, groups, facts, shared, checks, actions, dice } = self;
        let group = *dice.pick(groups);
        if npcs.is_empty() || (npcs.len() < MOST && dice.percent(12)) {
            let some = [*dice.pick(facts), *dice.pick(facts)];
            npcs.push(crowd.spawn_with(group, *dice.pick(goals), &some).unwrap());
            return;
        }
        let at = dice.below(npcs.len());
        let npc = npcs[at];
        match dice.below(200) {
            0..=19 => {
                assert!(crowd.despawn(npc));
                npcs.swap_remove(at);
            }
            20..=69 => assert!(crowd.set(npc, *dice.pick(facts)).is_ok()),
            70..=73 => assert!(crowd.forget(npc, dice.pick(facts).variable).is_ok()),
            74..=103 => assert!(crowd.set_goal(npc, *dice.pick(goals)).is_ok()),
            104..=113 => assert!(crowd.set_group(npc, group).is_ok()),
            114..=115 => {
                assert!(crowd.set_check(group, *dice.pick(checks), dice.percent(80)).is_ok())
            }
            116..=117 => assert!(crowd.forbid(group, *dice.pick(actions), dice.percent(4)).is_ok()),
            118..=119 if !shared.is_empty() => {
                assert!(crowd.set_shared(group, *dice.pick(shared)).is_ok());
            }
            120 if !shared.is_empty() && dice.percent(10) => {
                assert!(crowd.forget_shared(group, dice.pick(shared).variable).is_ok());
            }
            121..=194 => {
                crowd.finish_step(npc);
            }
            _ => {
                let budget = FrameBudget { npcs: dice.below(200), nodes: dice.below(1000) as u64 };
                let served = crowd.plan(budget);
                assert!(served.served <= budget.npcs && served.nodes <= budget.nodes, "{served:?}");
                *report += served;
            }
        }
    }
}

/// Live bytes in the second fifth of a history and in the last, each the mean over all of it:
/// tables come and go, so two moments differ by more than a percent.
fn restless_crowd(kind: &str, settings: CrowdSettings, wants: Wants, percent: i64) {
    let mut restless = Restless::new(kind, settings, wants);
    let mut report = FrameReport::default();
    let all = operations();
    let fifth = all / 5;
    let mut sums = [0i64; 5];
    for number in 0..all {
        restless.step(&mut report);
        sums[(number / fifth) as usize] += live();
    }
    let [_, early, _, _, late] = sums.map(|sum| sum / fifth as i64);
    println!(
        "{kind}, {wants:?}, {all} operations, tables {:?}: {early} live bytes, then {late}; {report:?}",
        settings.tables
    );
    assert!(report.served > all as usize / 20, "little was done");
    assert!((late - early).abs() * 100 < early * percent, "{early} bytes became {late}");
}
