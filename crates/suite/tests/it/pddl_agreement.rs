//! Random PDDL tasks: lifted planner, grounded planner in every mode, validator and `.sas` agree
//! with a plain oracle.
//!
//! Each task is named by its seed. Usually some thousands; `THRONG_LONG=1` tries more than a
//! hundred thousand.
//!
//! Also: other names, another order and parts that nothing leads to change no length.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "what was tried is worth telling")]

use std::sync::atomic::{AtomicU64, Ordering};
use throng_base::SplitMix;
use throng_lab::seed::{self, KEEPS, Silent, Tuples};
use throng_lab::tasks::lifted_of;
use throng_pddl::convert::for_sas;
use throng_pddl::ground::{self, Grounded, ground};
use throng_pddl::lifted::{Lifted, ObjectId};
use throng_pddl::named::NamedTask;
use throng_pddl::plan::PlanStep;
use throng_pddl::sas;
use throng_pddl::validate::{Verdict, validate};
use throng_planner::forward::{Found, Search};
use throng_planner::{Mode, SearchBudget};
use throng_suite::pddl::{Draft, Features, Oracle, Truth, deep_draft, lifted, renamed};

const TUPLES: [Tuples; 2] = [Tuples::Counted, Tuples::Joined];
/// Tasks with more states are left out: the oracle is plain.
const STATES: usize = 400;

fn n_tasks() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 120_000 } else { 6_000 }
}

/// What a task may contain, in turn.
fn features(seed: u64) -> Features {
    let strips = Features::STRIPS;
    match seed % 8 {
        0 => strips,
        1 => Features { negative: true, types: true, ..strips },
        2 => Features { negative: true, costs: true, equality: true, ..strips },
        3 => Features { conditional: true, costs: true, ..strips },
        4 => Features { conditional: true, negative: true, types: true, ..strips },
        5 => Features { quantified: true, negative: true, equality: true, ..strips },
        6 => Features::ALL,
        _ => Features::any(&mut SplitMix::new(seed)),
    }
}

/// What the tasks came to: that they are not all of one kind is part of the promise.
#[derive(Default)]
struct Tally {
    plans: AtomicU64,
    long_plans: AtomicU64,
    impossible: AtomicU64,
    too_many: AtomicU64,
    by_the_seed: AtomicU64,
    judged: AtomicU64,
}

impl Tally {
    fn count(&self, counter: impl Fn(&Tally) -> &AtomicU64) {
        counter(self).fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn planners_validator_and_oracle_agree() {
    let tally = Tally::default();
    in_two_halves(n_tasks(), |seed| check(seed, &tally));
    let [plans, long_plans, impossible, too_many, by_the_seed, judged] = [
        &tally.plans,
        &tally.long_plans,
        &tally.impossible,
        &tally.too_many,
        &tally.by_the_seed,
        &tally.judged,
    ]
    .map(|counter| counter.load(Ordering::Relaxed));
    println!(
        "{} tasks: {plans} with a plan, {long_plans} of them of three steps or more, {impossible} \
         without, {too_many} too large; {by_the_seed} by the seed's planner, {judged} damaged \
         plans judged",
        n_tasks()
    );
    let n = n_tasks();
    assert!(plans > n / 2 && long_plans > n / 20 && impossible > n / 20 && too_many < n / 4);
    assert!(by_the_seed > n / 4 && judged > n);
}

#[test]
fn names_order_and_what_nothing_leads_to_change_no_length() {
    in_two_halves(n_tasks() / 4, |seed| {
        let draft = deep_draft(seed, features(seed));
        let length = |task: &Lifted| shortest(&grounded(task, seed).named, seed);
        let first = length(&read(&draft, seed));
        let texts = renamed(&draft.texts());
        let other =
            lifted_of([&texts[0], &texts[1]]).unwrap_or_else(|| panic!("seed {seed}: {texts:?}"));
        assert_eq!(length(&other), first, "seed {seed}: other names");
        assert_eq!(length(&read(&draft.reordered(seed), seed)), first, "seed {seed}: order");
        let more = draft.with_unreachable();
        assert_eq!(length(&read(&more, seed)), first, "seed {seed}: unreachable facts");
    });
}

/// Even seeds on one thread, odd ones on another.
fn in_two_halves(n: u64, check: impl Fn(u64) + Sync) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            let check = &check;
            scope.spawn(move || (half..n).step_by(2).for_each(check));
        }
    });
}

fn read(draft: &Draft, seed: u64) -> Lifted {
    lifted(draft).unwrap_or_else(|| panic!("seed {seed}: {:?}", draft.texts()))
}

fn grounded(task: &Lifted, seed: u64) -> Grounded {
    ground(task, &ground::Limits::default(), None)
        .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}"))
}

/// How a search is begun: as users do, or with the part at once that comes into play only on
/// large tasks.
#[derive(Clone, Copy, Debug)]
enum Way {
    Usual(Mode),
    /// By the lower bound alone.
    Bounded(Mode),
    Greedy,
}

const WAYS: [Way; 6] = [
    Way::Usual(Mode::Shortest),
    Way::Usual(Mode::Cheapest),
    Way::Usual(Mode::Fast),
    Way::Bounded(Mode::Shortest),
    Way::Bounded(Mode::Cheapest),
    Way::Greedy,
];

impl Way {
    fn mode(self) -> Mode {
        match self {
            Way::Usual(mode) | Way::Bounded(mode) => mode,
            Way::Greedy => Mode::Fast,
        }
    }
}

/// The operators of a plan, or that there is none.
fn search(named: &NamedTask, way: Way, seed: u64) -> Option<Vec<u32>> {
    let mut search = Search::default();
    match way {
        Way::Usual(mode) => search.begin(&named.task, mode),
        Way::Bounded(mode) => search.begin_bounded(&named.task, mode),
        Way::Greedy => search.begin_greedily(&named.task),
    }
    match search.run(&named.task, &SearchBudget::DEFAULT) {
        Found::Goal(state) => {
            let mut plan = Vec::new();
            search.extract_plan(state, &mut plan);
            Some(plan)
        }
        Found::Nothing => None,
        Found::Limit(limit) => panic!("seed {seed}: {limit:?}"),
    }
}

fn shortest(named: &NamedTask, seed: u64) -> Option<usize> {
    search(named, Way::Usual(Mode::Shortest), seed).map(|plan| plan.len())
}

fn check(seed: u64, tally: &Tally) {
    let draft = deep_draft(seed, features(seed));
    let task = read(&draft, seed);
    let Some(oracle) = Oracle::new(&task) else { return tally.count(|tally| &tally.too_many) };
    let truth = oracle.truth(STATES);
    let (length, cost) = match truth {
        Truth::Unknown => return tally.count(|tally| &tally.too_many),
        Truth::Impossible => {
            tally.count(|tally| &tally.impossible);
            (None, None)
        }
        Truth::Plan { length, cost } => {
            tally.count(|tally| &tally.plans);
            if length >= 3 {
                tally.count(|tally| &tally.long_plans);
            }
            (Some(length), Some(cost))
        }
    };
    let grounded = grounded(&task, seed);
    for way in WAYS {
        let mode = way.mode();
        let plan = search(&grounded.named, way, seed);
        assert_eq!(plan.is_some(), length.is_some(), "seed {seed}: {way:?}");
        let Some(plan) = plan else { continue };
        let steps: Vec<Step> = plan
            .iter()
            .map(|&operator| {
                let (action, arguments) = grounded.step(operator);
                (action as usize, arguments.to_vec())
            })
            .collect();
        let paid = oracle.follow(&steps).unwrap_or_else(|at| panic!("seed {seed}: step {at}"));
        match mode {
            Mode::Shortest => assert_eq!(Some(plan.len()), length, "seed {seed}: {way:?}"),
            Mode::Cheapest => assert_eq!(Some(paid), cost, "seed {seed}: {way:?}"),
            Mode::Fast => {}
        }
        judge(&task, &oracle, &steps, seed, tally);
    }
    by_the_seed(&task, &oracle, length, seed, tally);
    through_sas(&grounded.named, length, seed);
}

type Step = (usize, Vec<ObjectId>);

/// The validator and the oracle say the same of a plan, and of the plan damaged.
fn judge(task: &Lifted, oracle: &Oracle<'_>, steps: &[Step], seed: u64, tally: &Tally) {
    let mut dice = SplitMix::new(seed);
    let instances: Vec<Step> =
        oracle.instances().map(|(action, objects)| (action, objects.to_vec())).collect();
    for damage in 0..4 {
        let mut steps = steps.to_vec();
        match damage {
            1 if !steps.is_empty() => _ = steps.remove(dice.below(steps.len())),
            2 if !instances.is_empty() => {
                steps.insert(dice.below(steps.len() + 1), dice.pick(&instances).clone());
            }
            3 if steps.len() > 1 => {
                let at = dice.below(steps.len() - 1);
                steps.swap(at, at + 1);
            }
            0 => {}
            _ => continue,
        }
        tally.count(|tally| &tally.judged);
        let named = |(action, objects): &Step| PlanStep::of(task, *action, objects);
        let named: Vec<PlanStep> = steps.iter().map(named).collect();
        for step in &named {
            let words = step.to_string();
            let words = PlanStep::from_words(words.trim_matches(['(', ')']));
            assert_eq!(words.as_ref(), Some(step), "seed {seed}: the same by its words");
        }
        let said = match validate(task, &named) {
            Verdict::Valid { length, cost } => {
                assert_eq!(length, steps.len(), "seed {seed}");
                let unit = if task.has_metric { cost.0 } else { 1000 * length as u64 };
                Ok(unit)
            }
            Verdict::Invalid(failure) => Err(failure.step.map_or(steps.len(), |step| step - 1)),
        };
        assert_eq!(said, oracle.follow(&steps), "seed {seed}, damage {damage}: {named:?}");
    }
}

/// The lifted planner, where the task is one for it, in all its ways to keep states.
fn by_the_seed(
    task: &Lifted,
    oracle: &Oracle<'_>,
    length: Option<usize>,
    seed: u64,
    tally: &Tally,
) {
    for (keep, tuples) in KEEPS.into_iter().flat_map(|keep| TUPLES.map(|tuples| (keep, tuples))) {
        let answer = seed::solve(task, keep, tuples, &SearchBudget::DEFAULT, &mut Silent);
        let Ok(answer) = answer else { return };
        let found = match answer.found {
            Found::Goal(_) => Some(answer.plan.len()),
            Found::Nothing => None,
            Found::Limit(limit) => panic!("seed {seed}: {limit:?}"),
        };
        assert_eq!(found, length, "seed {seed}: the seed's planner, {}", keep.word());
        if found.is_some() {
            assert!(oracle.follow(&answer.plan).is_ok(), "seed {seed}: {}", keep.word());
        }
    }
    tally.count(|tally| &tally.by_the_seed);
}

/// Written and read again it is the same task; the text is the same too.
fn through_sas(named: &NamedTask, length: Option<usize>, seed: u64) {
    let mut named = named.clone();
    for_sas(&mut named);
    let text = sas::write(&named).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let again = sas::read(&text, &sas::Limits::default())
        .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
    assert_eq!(again.task, named.task, "seed {seed}");
    assert_eq!(sas::write(&again).ok().as_ref(), Some(&text), "seed {seed}");
    assert_eq!(shortest(&again, seed), length, "seed {seed}: through .sas\n{text}");
}
