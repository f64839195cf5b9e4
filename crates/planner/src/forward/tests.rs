//! Every mode agrees with the definition on random ground tasks.
//!
//! In:   tasks of a few variables with conditional effects, rules in layers that ask for
//!       defaults of lower ones, costs, some of them zero; each is named by its seed.
//! Out:  the lengths and costs that plain searches on vectors of values find, by the words of
//!       `task`; plans replayed the same way; the same answers after the same number of nodes
//!       when a search is run in slices, by each engine alone and by two in turns.

mod limits;

use super::{Atom, Found, GroundTask, Search};
use crate::budget::{Mode, SearchBudget};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use throng_base::SplitMix;
use throng_domain::compile::PackedValue;

const N_TASKS: u64 = 24_000;

struct Dice(SplitMix);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(SplitMix::new(seed))
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n as usize) as u32
    }
}

/// So many atoms of variables among `variables`, or fewer: each variable once.
fn some_atoms(dice: &mut Dice, task: &GroundTask, n: u32, variables: &[u32]) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    for _ in 0..n {
        let Some(&variable) = variables.get(dice.below(variables.len().max(1) as u32) as usize)
        else {
            continue;
        };
        let value = dice.below(task.sizes()[variable as usize]) as PackedValue;
        if atoms.iter().all(|atom| atom.variable != variable) {
            atoms.push(Atom { variable, value });
        }
    }
    atoms
}

fn any_task(seed: u64) -> GroundTask {
    let mut dice = Dice::new(seed);
    let mut task = GroundTask::default();
    let n_stored = 4 + dice.below(4);
    for _ in 0..n_stored {
        let size = 2 + dice.below(2);
        task.add_variable(size, dice.below(size) as PackedValue);
    }
    let stored: Vec<u32> = (0..n_stored).collect();
    let n_derived = if dice.below(3) == 0 { 0 } else { dice.below(5) };
    // Layers with gaps, in any order of variables.
    let layers: Vec<u32> = (0..n_derived).map(|_| 3 * dice.below(3)).collect();
    for &layer in &layers {
        task.add_derived(2, dice.below(2) as PackedValue, layer);
    }
    let all: Vec<u32> = (0..n_stored + n_derived).collect();
    for _ in 0..2 * n_derived {
        let head = n_stored + dice.below(n_derived);
        let layer = layers[(head - n_stored) as usize];
        let n = dice.below(4);
        let mut when = some_atoms(&mut dice, &task, n, &all);
        when.retain_mut(|atom| match task.layer(atom.variable) {
            Some(other) if other == layer => {
                atom.value = 1 - task.start()[atom.variable as usize];
                true
            }
            Some(other) => other < layer,
            None => true,
        });
        let value = 1 - task.start()[head as usize];
        task.add_axiom(when.into_iter(), Atom { variable: head, value });
    }
    let has_effects = dice.below(3) > 0;
    for _ in 0..6 + dice.below(20) {
        let (n_needs, n_sets) = (1 + dice.below(3), 1 + dice.below(2));
        let needs = some_atoms(&mut dice, &task, n_needs, &all);
        let sets = some_atoms(&mut dice, &task, n_sets, &stored);
        let cost = u64::from(dice.below(4)) * 500;
        task.add_operator(needs.into_iter(), sets.into_iter(), cost);
        for _ in 0..if has_effects { dice.below(3) } else { 0 } {
            let n = dice.below(3);
            let when = some_atoms(&mut dice, &task, n, &all);
            let variable = dice.below(n_stored);
            let value = dice.below(task.sizes()[variable as usize]) as PackedValue;
            task.add_effect(when.into_iter(), Atom { variable, value });
        }
    }
    let n = 2 + dice.below(6);
    let mut goal = some_atoms(&mut dice, &task, n, &all);
    // Most goals hold somewhere: at the end of a walk.
    if dice.below(4) > 0 {
        let end = walk(&mut dice, &task);
        goal.iter_mut().for_each(|atom| atom.value = end[atom.variable as usize]);
    }
    task.set_goal(goal.into_iter());
    task
}

fn walk(dice: &mut Dice, task: &GroundTask) -> Vec<PackedValue> {
    let mut state = task.start().to_vec();
    derive(task, &mut state);
    for _ in 0..60 {
        let operator = dice.below(task.n_operators() as u32);
        state = after(task, &state, operator).unwrap_or(state);
    }
    state
}

fn hold(state: &[PackedValue], atoms: &[Atom]) -> bool {
    atoms.iter().all(|atom| state[atom.variable as usize] == atom.value)
}

/// Works out the derived variables, by the definition.
fn derive(task: &GroundTask, state: &mut [PackedValue]) {
    let mut layers = BTreeSet::new();
    for (variable, (value, &default)) in state.iter_mut().zip(task.start()).enumerate() {
        if let Some(layer) = task.layer(variable as u32) {
            *value = default;
            layers.insert(layer);
        }
    }
    for layer in layers {
        loop {
            let follows = |rule: &super::Rule<'_>| {
                task.layer(rule.sets.variable) == Some(layer)
                    && hold(state, rule.when)
                    && !hold(state, &[rule.sets])
            };
            let Some(rule) = task.axioms().find(follows) else { break };
            state[rule.sets.variable as usize] = rule.sets.value;
        }
    }
}

/// The state after an operator; `None` if it cannot run.
fn after(task: &GroundTask, state: &[PackedValue], operator: u32) -> Option<Vec<PackedValue>> {
    if !hold(state, task.needs(operator)) {
        return None;
    }
    let mut next = state.to_vec();
    task.sets(operator).iter().for_each(|atom| next[atom.variable as usize] = atom.value);
    for effect in task.effects(operator) {
        if hold(state, effect.when) {
            next[effect.sets.variable as usize] = effect.sets.value;
        }
    }
    derive(task, &mut next);
    Some(next)
}

/// The least cost of a plan.
fn oracle(task: &GroundTask, cost_of: impl Fn(u32) -> u64) -> Option<u64> {
    let mut start = task.start().to_vec();
    derive(task, &mut start);
    let mut best = BTreeMap::from([(start.clone(), 0u64)]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        let cost = best[&state];
        for operator in 0..task.n_operators() as u32 {
            let Some(next) = after(task, &state, operator) else { continue };
            let total = cost + cost_of(operator);
            if best.get(&next).is_none_or(|&known| total < known) {
                best.insert(next.clone(), total);
                open.push_back(next);
            }
        }
    }
    best.iter().filter(|(state, _)| hold(state, task.goal())).map(|(_, &cost)| cost).min()
}

/// Replays a plan by the definition; gives its cost.
fn replay(task: &GroundTask, plan: &[u32]) -> Option<u64> {
    let mut state = task.start().to_vec();
    derive(task, &mut state);
    for &operator in plan {
        state = after(task, &state, operator)?;
    }
    hold(&state, task.goal()).then(|| plan.iter().map(|&operator| task.cost(operator)).sum())
}

/// How a search is begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Alone,
    Bounded,
    InTurns,
    Greedily,
}

fn begin(search: &mut Search, task: &GroundTask, mode: Mode, how: How) {
    match how {
        How::Alone => {
            search.begin(task, mode);
            search.takes_turns = false;
        }
        How::Bounded => search.begin_bounded(task, mode),
        How::InTurns => {
            search.begin(task, mode);
            search.first_turn = 4;
        }
        How::Greedily => search.begin_greedily(task),
    }
}

fn run(search: &mut Search, task: &GroundTask, slice: u64) -> (Found, u64) {
    let budget = SearchBudget { nodes: slice, ..SearchBudget::DEFAULT };
    loop {
        let before = search.nodes();
        let found = search.run(task, &budget);
        assert!(search.nodes() - before <= slice);
        if !matches!(found, Found::Limit(_)) {
            return (found, search.nodes());
        }
        assert_eq!(search.nodes() - before, slice);
    }
}

const WAYS: [(Mode, How); 8] = [
    (Mode::Shortest, How::Alone),
    (Mode::Shortest, How::Bounded),
    (Mode::Shortest, How::InTurns),
    (Mode::Cheapest, How::Alone),
    (Mode::Cheapest, How::Bounded),
    (Mode::Cheapest, How::InTurns),
    (Mode::Fast, How::Alone),
    (Mode::Fast, How::Greedily),
];

#[test]
fn every_mode_agrees_with_the_definition() {
    let mut search = Search::default();
    let (mut n_plans, mut n_steps, mut n_impossible) = (0, 0, 0);
    for seed in 0..N_TASKS {
        let task = any_task(seed);
        let length = oracle(&task, |_| 1);
        let cost = oracle(&task, |operator| task.cost(operator));
        n_impossible += u64::from(cost.is_none());
        let mut plan = Vec::new();
        for (mode, how) in WAYS {
            let about = format!("seed {seed}, {mode:?}, {how:?}");
            begin(&mut search, &task, mode, how);
            let (found, nodes) = run(&mut search, &task, u64::MAX);
            limits::check_counts(&search, &about);
            let Found::Goal(state) = found else {
                assert_eq!((found, cost), (Found::Nothing, None), "{about}");
                continue;
            };
            search.extract_plan(state, &mut plan);
            let found = replay(&task, &plan);
            assert!(found.is_some(), "{about}: {plan:?} leads elsewhere");
            match mode {
                Mode::Shortest => assert_eq!(Some(plan.len() as u64), length, "{about}"),
                Mode::Cheapest => assert_eq!(found, cost, "{about}"),
                Mode::Fast => assert!(cost.is_some(), "{about}"),
            }
            n_plans += 1;
            n_steps += plan.len();
            begin(&mut search, &task, mode, how);
            let sliced = run(&mut search, &task, 1 + seed % 5);
            assert_eq!(sliced, (Found::Goal(state), nodes), "{about}, in slices");
            let mut again = Vec::new();
            search.extract_plan(state, &mut again);
            assert_eq!(again, plan, "{about}, in slices");
        }
    }
    // Neither trivial nor hopeless.
    let tally = format!("{n_steps} steps of {n_plans} plans, {n_impossible} impossible");
    assert!(n_plans > 2 * N_TASKS && n_impossible > N_TASKS / 10, "{tally}");
    assert!(n_steps > n_plans as usize, "{tally}");
}

/// Boxes at the first of some places, which a creature carries to the last, one at a time.
fn boxes(n_boxes: u32, n_places: PackedValue) -> GroundTask {
    let mut task = GroundTask::default();
    let (place, hand) = (task.add_variable(n_places.into(), 0), task.add_variable(2, 0));
    let boxes: Vec<u32> =
        (0..n_boxes).map(|_| task.add_variable(u32::from(n_places) + 1, 0)).collect();
    let atom = |variable, value| Atom { variable, value };
    for at in 0..n_places {
        for to in (0..n_places).filter(|&to| to != at) {
            task.add_operator([atom(place, at)].into_iter(), [atom(place, to)].into_iter(), 1);
        }
        for &carried in &boxes {
            let [lies, is_held] = [atom(carried, at), atom(carried, n_places)];
            let [free, full, here] = [atom(hand, 0), atom(hand, 1), atom(place, at)];
            task.add_operator([here, free, lies].into_iter(), [full, is_held].into_iter(), 1);
            task.add_operator([here, full, is_held].into_iter(), [free, lies].into_iter(), 1);
        }
    }
    task.set_goal(boxes.iter().map(|&carried| atom(carried, n_places - 1)));
    task
}

#[test]
fn a_breadth_first_state_takes_eight_bytes_beside_its_variables() {
    // Bits: a place, a hand, and the boxes; rounded up to halves of words.
    for (n_boxes, n_places, variables) in [(10, 2, 4), (13, 2, 4), (7, 3, 4), (16, 2, 8)] {
        let task = boxes(n_boxes, n_places);
        let mut search = Search::default();
        search.begin(&task, Mode::Shortest);
        let budget = SearchBudget { nodes: 997, ..SearchBudget::DEFAULT };
        let mut found = Found::Nothing;
        let mut plan = Vec::new();
        let mut n_looks = 0;
        for _ in 0..400 {
            found = search.run(&task, &budget);
            if search.n_states() >= 10_000 {
                let most = (variables + 8) * search.n_states();
                assert!(search.bytes() <= most, "{} bytes of {most}", search.bytes());
                n_looks += 1;
            }
            if let Found::Goal(state) = found {
                search.extract_plan(state, &mut plan);
                assert_eq!(plan.len(), 4 * n_boxes as usize - 1);
                assert!(replay(&task, &plan).is_some());
                break;
            }
        }
        assert!(n_looks > 2, "{n_boxes} boxes: {found:?}, {} states", search.n_states());
        let progress = search.progress();
        assert_eq!((progress.nodes, progress.bytes), (search.nodes(), search.bytes()));
        assert!(progress.depth <= 4 * n_boxes as usize && progress.depth > 10, "{progress:?}");
    }
}
