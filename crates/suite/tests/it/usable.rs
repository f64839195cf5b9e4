//! Which actions can be in a plan: the library's answers against trying everything on the model.
//!
//! The other side is deliberately plain: states are vectors of options, every answer to every
//! check is tried, and distances are improved until nothing changes any more.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod wishes;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use throng_base::SplitMix;
use throng_domain::compile::UNKNOWN;
use throng_domain::model::{Action, CheckUse, Conditions, Goal, NpcType};
use throng_domain::{Format, Model};
use throng_lab::corpus::{self, load_text};
use throng_planner::PreparedDomain;
use throng_planner::explain::{Circumstances, Undecided, Usable, UsableLimits, Usage, usable};
use throng_suite::random;
use throng_suite::random::stated::Stated;

type State = Vec<Option<usize>>;

/// Trying everything is for small types only.
const MOST_STATES: usize = 1_500;
const MOST_CHECKS: usize = 8;

/// All that there is to know about the actions of a type.
struct Everything {
    /// By action: in how many states it can be done, and in how many it changes something.
    ready: BTreeMap<usize, (usize, usize)>,
    /// By action: how much dearer than the cheapest plan the best plan is that begins with it.
    dearer: BTreeMap<usize, u64>,
}

fn hold(conditions: Conditions<'_>, state: &State) -> bool {
    conditions.hold(|id| state[id.index()].map_or(UNKNOWN, |value| value as u16))
}

/// `None` if it cannot be done.
fn after(model: &Model, action: &Action, state: &State) -> Option<State> {
    if !hold(action.conditions(), state) {
        return None;
    }
    let mut next = state.clone();
    for fact in action.sets() {
        next[fact.variable.index()] = Some(fact.value.index());
    }
    for shift in action.shifts() {
        let at = shift.variable.index();
        let n_values = model.variables()[at].values().len() as u16;
        next[at] = Some(usize::from(shift.by.apply(state[at]? as u16, n_values)?));
    }
    Some(next)
}

/// The variables that the type touches; others are of no concern to it.
fn touched(model: &Model, npc: &NpcType) -> BTreeSet<usize> {
    let actions = npc.can().iter().map(|id| &model.actions()[id.index()]);
    let mut touched = BTreeSet::new();
    for action in actions {
        touched.extend(action.conditions().variables().chain(action.changed()));
    }
    for goal in npc.wants() {
        touched.extend(model.goals()[goal.index()].conditions().variables());
    }
    touched.extend(npc.starts().iter().map(|fact| fact.variable));
    touched.into_iter().map(|variable| variable.index()).collect()
}

fn all_starts(model: &Model, npc: &NpcType) -> Option<BTreeSet<State>> {
    let mut states = BTreeSet::from([vec![None; model.variables().len()]]);
    for variable in touched(model, npc) {
        let said = npc.starts().iter().find(|fact| fact.variable.index() == variable);
        let values: Vec<Option<usize>> = match said {
            Some(fact) => vec![Some(fact.value.index())],
            None => {
                let n = model.variables()[variable].values().len();
                (0..n).map(Some).chain([None]).collect()
            }
        };
        let with = |state: &State, value: Option<usize>| {
            let mut state = state.clone();
            state[variable] = value;
            state
        };
        states = states.iter().flat_map(|s| values.iter().map(move |&v| with(s, v))).collect();
        if states.len() > MOST_STATES {
            return None;
        }
    }
    Some(states)
}

/// Every set of actions that some answer to all checks leaves there.
fn all_sets(model: &Model, npc: &NpcType) -> Option<BTreeSet<BTreeSet<usize>>> {
    if model.checks().len() > MOST_CHECKS {
        return None;
    }
    let sets = (0..1usize << model.checks().len()).map(|answers| {
        let hold = |uses: &[CheckUse]| {
            uses.iter().all(|used| (answers >> used.check.index() & 1 == 1) == used.expected)
        };
        let enabled = |at: usize| {
            let action = &model.actions()[at];
            let kinds = action.kinds();
            hold(action.checks()) && (kinds.is_empty() || kinds.iter().any(|k| hold(k.checks())))
        };
        let can: Vec<usize> = npc.can().iter().map(|id| id.index()).collect();
        let overrides = |by: usize, at: usize| {
            enabled(by) && model.actions()[by].overrides().iter().any(|id| id.index() == at)
        };
        let there = |&at: &usize| enabled(at) && !can.iter().any(|&by| overrides(by, at));
        can.iter().copied().filter(there).collect::<BTreeSet<usize>>()
    });
    Some(sets.collect())
}

/// The goals of a type; those that serve one name are one, and any of them will do.
fn wishes_of<'m>(model: &'m Model, npc: &NpcType) -> Vec<Vec<&'m Goal>> {
    let mut preferences: BTreeMap<&str, Vec<&Goal>> = BTreeMap::new();
    for goal in npc.wants().iter().map(|id| &model.goals()[id.index()]) {
        preferences.entry(goal.serves().unwrap_or(goal.name())).or_default().push(goal);
    }
    preferences.into_values().collect()
}

/// `None` if that would be too much.
fn everything(model: &Model, npc: &NpcType) -> Option<Everything> {
    let sets = all_sets(model, npc)?;
    let ever: BTreeSet<usize> = sets.iter().flatten().copied().collect();
    let mut states: Vec<State> = all_starts(model, npc)?.into_iter().collect();
    let mut known: HashMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut steps: Vec<(usize, usize, usize)> = Vec::new();
    let mut ready: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut at = 0;
    while at < states.len() {
        for &deed in &ever {
            let action = &model.actions()[deed];
            let Some(next) = after(model, action, &states[at]) else { continue };
            let counts = ready.entry(deed).or_default();
            counts.0 += 1;
            counts.1 += usize::from(next != states[at]);
            let to = *known.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            steps.push((at, deed, to));
        }
        if states.len() > MOST_STATES {
            return None;
        }
        at += 1;
    }
    let mut dearer: BTreeMap<usize, u64> = BTreeMap::new();
    for goals in wishes_of(model, npc) {
        let holds = |state: &State| goals.iter().any(|goal| hold(goal.conditions(), state));
        for set in &sets {
            let mut distance: Vec<Option<u64>> =
                states.iter().map(|state| holds(state).then_some(0)).collect();
            let there = || steps.iter().filter(|(_, deed, _)| set.contains(deed));
            loop {
                let mut better = false;
                for &(from, deed, to) in there() {
                    let Some(rest) = distance[to] else { continue };
                    let all = rest + model.actions()[deed].cost().0;
                    if distance[from].is_none_or(|known| all < known) {
                        (distance[from], better) = (Some(all), true);
                    }
                }
                if !better {
                    break;
                }
            }
            for &(from, deed, to) in there().filter(|(from, _, to)| from != to) {
                if let (Some(before @ 1..), Some(rest)) = (distance[from], distance[to]) {
                    let by = rest + model.actions()[deed].cost().0 - before;
                    let least = dearer.entry(deed).or_insert(by);
                    *least = by.min(*least);
                }
            }
        }
    }
    Some(Everything { ready, dearer })
}

fn asked(domain: &PreparedDomain, at: usize, states: usize) -> Usable {
    let npc = domain.npcs()[at].id();
    let limits = UsableLimits { states, ..UsableLimits::DEFAULT };
    usable(domain, npc, &Circumstances::default(), &limits, &mut |_| false)
}

/// Compares the types of a model; gives how many actions were compared and how many of them are
/// in no plan.
fn compare(model: &Model, name: &str) -> (usize, usize) {
    let (compared, never, _) = compare_all(model, name);
    (compared, never)
}

/// The same, and how many of them are known to be in no plan by lists alone, without all states.
fn compare_all(model: &Model, name: &str) -> (usize, usize, usize) {
    let domain = PreparedDomain::new(model);
    let (mut compared, mut never, mut by_lists) = (0, 0, 0);
    for (at, npc) in model.npcs().iter().enumerate() {
        let Some(truth) = everything(model, npc) else { continue };
        let told = asked(&domain, at, 100_000);
        assert!(told.states.is_some(), "{name}");
        for (action, usage) in &told.uses {
            let deed = action.index();
            let about =
                format!("{name} {}: {} {usage:?}", npc.name(), model.actions()[deed].name());
            let (ready, changes) = truth.ready.get(&deed).copied().unwrap_or_default();
            let dearer = truth.dearer.get(&deed).copied();
            compared += 1;
            never += usize::from(usage.is_never());
            assert_eq!(matches!(usage, Usage::InPlans(_)), dearer == Some(0), "{about}");
            match usage {
                Usage::InPlans(_) => {}
                Usage::NeverThere(_) | Usage::NeverReady(_) | Usage::NeverTogether(_) => {
                    assert_eq!(ready, 0, "{about}");
                }
                Usage::ChangesNothing | Usage::HoldsAlready => {
                    assert_eq!((changes, dearer), (0, None), "{about}")
                }
                Usage::NothingWanted => assert!(npc.wants().is_empty(), "{about}"),
                Usage::TooLate | Usage::DeadEnd => assert_eq!(dearer, None, "{about}"),
                Usage::NotAsked | Usage::Twin(_) => assert!(ready > 0, "{about}"),
                Usage::Beaten { by, .. } => assert_eq!(Some(by.0), dearer, "{about}"),
                Usage::InNoPlan | Usage::Undecided(_) => panic!("{about}"),
            }
        }
        // One state too few: each goal is looked at with what matters to it.
        let all = told.states.unwrap_or_default();
        let by_goal = asked(&domain, at, all.saturating_sub(1));
        assert_eq!(by_goal.states, None, "{name}");
        for ((action, full), (_, goals)) in told.uses.iter().zip(&by_goal.uses) {
            let about =
                format!("{name}: {} {full:?} {goals:?}", model.actions()[action.index()].name());
            match (goals, by_goal.states_of_a_goal) {
                (Usage::Undecided(why), None) => {
                    assert_eq!(*why, Undecided::TooManyStates, "{about}");
                }
                (Usage::InPlans(_), _) => assert!(matches!(full, Usage::InPlans(_)), "{about}"),
                (Usage::Beaten { .. }, _) => assert_eq!(full, goals, "{about}"),
                (goals, _) => assert!(goals.is_never() && full.is_never(), "{about}"),
            }
        }
        // With fewer states than there are, less may be known, but nothing otherwise.
        let less = asked(&domain, at, 2);
        for ((action, full), (_, less)) in told.uses.iter().zip(&less.uses) {
            let about =
                format!("{name}: {} {full:?} {less:?}", model.actions()[action.index()].name());
            by_lists += usize::from(*less == Usage::InNoPlan);
            match less {
                Usage::Undecided(why) => assert_eq!(*why, Undecided::TooManyStates, "{about}"),
                less => assert_eq!(less.is_never(), full.is_never(), "{about}"),
            }
        }
    }
    (compared, never, by_lists)
}

#[test]
fn the_corpus_agrees_with_trying_everything() {
    let folders = ["papers", "fear", "strategy", "beyond", "classes", "stress", "stories"];
    let (mut compared, mut never) = (0, 0);
    for path in folders.iter().flat_map(|folder| corpus::files(folder, "npc").unwrap()) {
        let model = corpus::read(&path).unwrap().model.unwrap();
        let (all, none) = compare(&model, &path.display().to_string());
        (compared, never) = (compared + all, never + none);
    }
    assert!(compared > 300 && never > 20, "{compared} compared, {never} in no plan");
}

#[test]
fn random_domains_agree_with_trying_everything() {
    let (mut compared, mut never) = (0, 0);
    for seed in 0..4_000 {
        let model = random::instance(seed).load().model.unwrap();
        let (all, none) = compare(&model, &format!("seed {seed}"));
        (compared, never) = (compared + all, never + none);
    }
    assert!(compared > 8_000 && never > 800, "{compared} compared, {never} in no plan");
}

#[test]
fn goals_with_alternatives_agree_with_trying_everything() {
    let (mut compared, mut never, mut several) = (0, 0, 0);
    for seed in 0..3_000 {
        let text = wishes::text(seed);
        let loaded = load_text(&text, Format::Npc);
        // An action or a goal that can never be is refused by some.
        let Some(model) = loaded.model else { continue };
        several += usize::from(model.goals().iter().any(|goal| goal.serves().is_some()));
        let (all, none) = compare(&model, &format!("seed {seed}\n{text}"));
        (compared, never) = (compared + all, never + none);
    }
    println!(
        "{compared} actions compared, {never} in no plan, {several} domains with alternatives"
    );
    assert!(several > 1_500 && compared > 15_000 && never > 5_000, "{several} {compared} {never}");
}

#[test]
fn domains_that_count_agree_with_trying_everything() {
    let (mut compared, mut never, mut by_lists) = (0, 0, 0);
    for seed in 0..3_000 {
        let dice = &mut SplitMix::new(seed ^ 0x0005_ab1e);
        let mut stated = match seed % 2 {
            0 => Stated::any_counting(dice),
            _ => Stated::any_recipes(dice),
        };
        stated.keep_possible();
        let text = stated.text();
        let Some(model) = load_text(&text, Format::Npc).model else { continue };
        let (all, none, lists) = compare_all(&model, &format!("seed {seed}\n{text}"));
        (compared, never, by_lists) = (compared + all, never + none, by_lists + lists);
    }
    println!("{compared} actions compared, {never} in no plan, {by_lists} by lists alone");
    assert!(compared > 3_000 && never > 300 && by_lists > 50, "{compared} {never} {by_lists}");
}

/// Two long lists of numbers, and an action from anywhere to anywhere, written out for each pair.
fn wide(size: usize) -> Model {
    let numbers: Vec<String> = (0..=size).map(|number| number.to_string()).collect();
    let numbers = numbers.join(", ");
    let text = format!(
        "domain wide\nvar a: {numbers}\nvar b: {numbers}\n\
         action go(p in a, q in b): a -> p, b -> q\ngoal far: a = 5, b > 2\n\
         npc n\n    can go\n    wants far\n    starts a = 1, b = 1\n"
    );
    let loaded = load_text(&text, Format::Npc);
    loaded.model.unwrap()
}

#[test]
fn more_work_than_allowed_is_not_done_and_what_is_unknown_is_said() {
    let domain = PreparedDomain::new(&wide(40));
    let npc = domain.npcs()[0].id();
    for (states, work) in [(100, 1 << 30), (1 << 20, 3_000_000), (1 << 20, 40_000), (9, 9)] {
        let (limits, mut most) = (UsableLimits { states, work }, 0);
        let mut watch = |done| {
            most = done;
            false
        };
        let told = usable(&domain, npc, &Circumstances::default(), &limits, &mut watch);
        assert!(most <= work, "{most} of {work}");
        assert_eq!(told.states, None);
        let open = told.uses.iter().filter(|(_, usage)| matches!(usage, Usage::Undecided(_)));
        assert!(open.count() > 0, "{states} {work}");
        // What needs no states is proved whatever is allowed: nobody asks to be elsewhere.
        let proved = told.uses.iter().filter(|(_, usage)| *usage == Usage::NotAsked);
        assert_eq!(proved.count(), 40 * 3, "{states} {work}");
    }
}

#[test]
fn whoever_watches_can_stop_it_at_any_word() {
    let domain = PreparedDomain::new(&wide(60));
    let npc = domain.npcs()[0].id();
    for patience in 0..4 {
        let mut words = 0;
        let mut watch = |_| {
            words += 1;
            words > patience
        };
        let limits = UsableLimits { states: 1 << 20, work: 40_000_000 };
        let told = usable(&domain, npc, &Circumstances::default(), &limits, &mut watch);
        assert_eq!(words, patience + 1);
        let stopped = Usage::Undecided(Undecided::Stopped);
        assert!(told.uses.iter().any(|(_, usage)| *usage == stopped), "{patience}");
    }
}
