//! What is true of a small lifted task: by definition, state by state.
//!
//! In:   a [`Lifted`] task with few ground atoms, and how many states may be looked at.
//! Out:  a [`Truth`]: the shortest length, the least cost, or that there is no plan; and whether
//!       a given list of steps is a plan.
//! Cost: every action with every tuple of objects in every state; for small tasks only.
//!
//! Plain on purpose. Conditions are evaluated as they are written, over all objects; nothing
//! is normalised, grounded or joined. Shares nothing with what it judges but the lifted task.

use std::collections::{BTreeMap, HashMap};
use throng_lab::choices::choices;
use throng_lab::seed::plain::fitting;
use throng_pddl::lifted::{
    Condition, CostTerm, GroundAtom, Lifted, ObjectId, Parameter, PredicateId, Term,
};

/// A set of ground atoms.
type State = u128;

/// What is true of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// There is a plan.
    Plan {
        /// Fewest steps.
        length: usize,
        /// Least cost, in thousandths; by steps if there is no metric.
        cost: u64,
    },
    /// There is none.
    Impossible,
    /// Too many states to know.
    Unknown,
}

/// From a state to another by an action, at a cost.
type Way = (usize, usize, u64);

/// A task to be asked about.
pub struct Oracle<'t> {
    task: &'t Lifted,
    /// The number of a predicate's first ground atom.
    first: Vec<u32>,
    objects_of: Vec<Vec<ObjectId>>,
    /// Every action with every tuple of objects that fits its parameters.
    instances: Vec<(usize, Vec<ObjectId>, u64)>,
    derived: State,
    /// Derived predicates, to be completed one layer after the other.
    layers: Vec<Vec<usize>>,
}

impl<'t> Oracle<'t> {
    /// An oracle for a task; `None` if it has too many ground atoms or instances, or an action's
    /// cost is not given.
    pub fn new(task: &'t Lifted) -> Option<Oracle<'t>> {
        let n_objects = task.objects.len() as u32;
        let mut first = Vec::new();
        let (mut n_atoms, mut derived) = (0u32, 0);
        for predicate in &task.predicates {
            first.push(n_atoms);
            let n = n_objects.checked_pow(predicate.arguments.len() as u32)?;
            n_atoms = n_atoms.checked_add(n)?;
            if n_atoms > State::BITS {
                return None;
            }
            if predicate.is_derived {
                derived |= (first[first.len() - 1]..n_atoms).fold(0, |set, at| set | 1 << at);
            }
        }
        let objects_of = task.objects_by_type();
        let (instances, layers) = (Vec::new(), layers(task));
        let mut oracle = Oracle { task, first, objects_of, instances, derived, layers };
        for (number, action) in task.actions.iter().enumerate() {
            for tuple in oracle.tuples(&action.parameters) {
                let cost = oracle.cost(number, &tuple)?;
                oracle.instances.push((number, tuple, cost));
            }
        }
        Some(oracle)
    }

    /// All tuples of objects for some parameters, in order.
    fn tuples(&self, parameters: &[Parameter]) -> Vec<Vec<ObjectId>> {
        choices(parameters.iter().map(|parameter| fitting(parameter, &self.objects_of)))
    }

    fn cost(&self, action: usize, tuple: &[ObjectId]) -> Option<u64> {
        if !self.task.has_metric {
            return Some(1000);
        }
        let mut sum = 0;
        for part in &self.task.actions[action].cost {
            sum += match part {
                CostTerm::Number(number) => number.0,
                CostTerm::Function(function, arguments) => {
                    let arguments: Vec<ObjectId> =
                        arguments.iter().map(|&term| value(term, tuple)).collect();
                    let is = |of: &&(_, Vec<ObjectId>, _)| of.0 == *function && of.1 == arguments;
                    self.task.values.iter().find(is)?.2.0
                }
            };
        }
        Some(sum)
    }

    fn number(&self, predicate: usize, arguments: impl Iterator<Item = ObjectId>) -> u32 {
        let n_objects = self.task.objects.len() as u32;
        self.first[predicate] + arguments.fold(0, |number, object| number * n_objects + object.0)
    }

    fn start(&self) -> State {
        let of = |atom: &GroundAtom| {
            1 << self.number(atom.predicate.0 as usize, atom.arguments.iter().copied())
        };
        self.complete(self.task.init.iter().fold(0, |state, atom| state | of(atom)))
    }

    /// A state with what is derived from it.
    fn complete(&self, state: State) -> State {
        let mut state = state & !self.derived;
        for layer in &self.layers {
            loop {
                let before = state;
                for axiom in &self.task.axioms {
                    if !layer.contains(&(axiom.predicate.0 as usize)) {
                        continue;
                    }
                    for tuple in self.tuples(&axiom.parameters) {
                        let mut values = tuple.clone();
                        values.resize(axiom.n_variables, ObjectId(0));
                        if self.holds(&axiom.condition, &mut values, state) {
                            let of = axiom.predicate.0 as usize;
                            state |= 1 << self.number(of, tuple.into_iter());
                        }
                    }
                }
                if state == before {
                    break;
                }
            }
        }
        state
    }

    fn holds(&self, condition: &Condition, values: &mut Vec<ObjectId>, state: State) -> bool {
        match condition {
            Condition::And(all) => all.iter().all(|one| self.holds(one, values, state)),
            Condition::Or(any) => any.iter().any(|one| self.holds(one, values, state)),
            Condition::Not(not) => !self.holds(not, values, state),
            Condition::Imply(one, other) => {
                !self.holds(one, values, state) || self.holds(other, values, state)
            }
            Condition::Exists(parameters, inner) => self.tuples(parameters).iter().any(|tuple| {
                assign(parameters, tuple, values);
                self.holds(inner, values, state)
            }),
            Condition::Forall(parameters, inner) => self.tuples(parameters).iter().all(|tuple| {
                assign(parameters, tuple, values);
                self.holds(inner, values, state)
            }),
            Condition::Atom(atom) => {
                let arguments = atom.arguments.iter().map(|&term| value(term, values));
                state >> self.number(atom.predicate.0 as usize, arguments) & 1 == 1
            }
            Condition::Equal(one, other) => value(*one, values) == value(*other, values),
            Condition::Compare(..) => unreachable!("no draft has numbers"),
        }
    }

    /// The state after an action, if it can be done.
    fn after(&self, action: usize, tuple: &[ObjectId], state: State) -> Option<State> {
        let action = &self.task.actions[action];
        let mut values = tuple.to_vec();
        values.resize(action.n_variables, ObjectId(0));
        if !self.holds(&action.condition, &mut values, state) {
            return None;
        }
        let (mut adds, mut deletes) = (0, 0);
        for effect in &action.effects {
            for objects in self.tuples(&effect.forall) {
                assign(&effect.forall, &objects, &mut values);
                if self.holds(&effect.condition, &mut values, state) {
                    let arguments = effect.atom.arguments.iter().map(|&term| value(term, &values));
                    let bit = 1 << self.number(effect.atom.predicate.0 as usize, arguments);
                    *(if effect.adds { &mut adds } else { &mut deletes }) |= bit;
                }
            }
        }
        Some(self.complete(state & !deletes | adds))
    }

    fn is_goal(&self, state: State) -> bool {
        let mut values = vec![ObjectId(0); self.task.n_goal_variables];
        self.holds(&self.task.goal, &mut values, state)
    }

    /// States with their depths, nearest first, while so many are not too many; and the ways
    /// between them with their costs.
    fn explore(&self, goes_on: impl Fn(usize) -> bool) -> (Vec<(State, usize)>, Vec<Way>) {
        let start = self.start();
        let mut number = HashMap::from([(start, 0)]);
        let (mut states, mut ways) = (vec![(start, 0)], Vec::new());
        let mut at = 0;
        while at < states.len() && goes_on(states.len()) {
            let (state, depth) = states[at];
            for (action, tuple, cost) in &self.instances {
                let Some(next) = self.after(*action, tuple, state) else { continue };
                let to = *number.entry(next).or_insert(states.len());
                if to == states.len() {
                    states.push((next, depth + 1));
                }
                ways.push((at, to, *cost));
            }
            at += 1;
        }
        (states, ways)
    }

    /// What is true, after at most so many states.
    pub fn truth(&self, most: usize) -> Truth {
        // All states with the ways between them, then least costs on these.
        let (states, moves) = self.explore(|met| met <= most);
        if states.len() > most {
            return Truth::Unknown;
        }
        let goals: Vec<usize> =
            (0..states.len()).filter(|&at| self.is_goal(states[at].0)).collect();
        let Some(length) = goals.iter().map(|&at| states[at].1).min() else {
            return Truth::Impossible;
        };
        let mut costs = vec![u64::MAX; states.len()];
        costs[0] = 0;
        // Until nothing changes: plain, and small enough.
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for &(from, to, cost) in &moves {
                let total = costs[from].saturating_add(cost);
                if total < costs[to] {
                    (costs[to], changes) = (total, true);
                }
            }
        }
        let cost = goals.iter().map(|&at| costs[at]).min().unwrap_or(u64::MAX);
        Truth::Plan { length, cost }
    }

    /// The atoms of a state that is as far from the start as any of the first `most`, and how
    /// far that is.
    pub fn far_state(&self, most: usize) -> (usize, Vec<GroundAtom>) {
        let (states, _) = self.explore(|met| met < most);
        let (far, depth) = states[states.len() - 1];
        let n_objects = self.task.objects.len() as u32;
        let mut atoms = Vec::new();
        for (number, predicate) in self.task.predicates.iter().enumerate() {
            let n_arguments = predicate.arguments.len() as u32;
            for tuple in 0..n_objects.pow(n_arguments) {
                if far >> (self.first[number] + tuple) & 1 == 1 {
                    let digit = |place| ObjectId(tuple / n_objects.pow(place) % n_objects);
                    let arguments = (0..n_arguments).rev().map(digit).collect();
                    atoms.push(GroundAtom { predicate: PredicateId(number as u32), arguments });
                }
            }
        }
        (depth, atoms)
    }

    /// Whether steps, as an action and its objects each, are a plan: what they cost, or the
    /// first step that cannot be done; the number of steps if the goal does not hold then.
    ///
    /// # Errors
    ///
    /// The step.
    pub fn follow(&self, steps: &[(usize, Vec<ObjectId>)]) -> Result<u64, usize> {
        let (mut state, mut total) = (self.start(), 0);
        for (at, (action, tuple)) in steps.iter().enumerate() {
            let known = |of: &&(usize, Vec<ObjectId>, u64)| of.0 == *action && of.1 == *tuple;
            let cost = self.instances.iter().find(known).ok_or(at)?.2;
            state = self.after(*action, tuple, state).ok_or(at)?;
            total += cost;
        }
        if self.is_goal(state) { Ok(total) } else { Err(steps.len()) }
    }

    /// Every action with every tuple that fits.
    pub fn instances(&self) -> impl Iterator<Item = (usize, &[ObjectId])> {
        self.instances.iter().map(|(action, tuple, _)| (*action, &tuple[..]))
    }
}

/// Derived predicates in layers: each above those whose absence it needs, and not below
/// those it needs.
fn layers(task: &Lifted) -> Vec<Vec<usize>> {
    let mut layer: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, predicate) in task.predicates.iter().enumerate() {
        if predicate.is_derived {
            layer.insert(number, 0);
        }
    }
    // As many rounds as there are predicates settle what can be settled.
    for _ in 0..=layer.len() {
        for axiom in &task.axioms {
            let mut needs = Vec::new();
            gather(&axiom.condition, true, &mut needs);
            for (predicate, is_positive) in needs {
                if let Some(&below) = layer.get(&predicate) {
                    let least = below + usize::from(!is_positive);
                    let own = layer.entry(axiom.predicate.0 as usize).or_default();
                    *own = (*own).max(least);
                }
            }
        }
    }
    let top = layer.values().copied().max().map_or(0, |top| top + 1);
    let of = |at: usize| layer.iter().filter(|&(_, &is)| is == at).map(|(&p, _)| p).collect();
    (0..top).map(of).collect()
}

fn value(term: Term, values: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(variable) => values[variable as usize],
        Term::Object(object) => object,
    }
}

fn assign(parameters: &[Parameter], tuple: &[ObjectId], values: &mut [ObjectId]) {
    for (parameter, &object) in parameters.iter().zip(tuple) {
        values[parameter.variable as usize] = object;
    }
}

/// The predicates of a condition, and whether it needs them to hold.
fn gather(condition: &Condition, is_positive: bool, into: &mut Vec<(usize, bool)>) {
    match condition {
        Condition::And(all) | Condition::Or(all) => {
            all.iter().for_each(|one| gather(one, is_positive, into));
        }
        Condition::Not(not) => gather(not, !is_positive, into),
        Condition::Imply(one, other) => {
            gather(one, !is_positive, into);
            gather(other, is_positive, into);
        }
        Condition::Exists(_, inner) | Condition::Forall(_, inner) => {
            gather(inner, is_positive, into);
        }
        Condition::Atom(atom) => into.push((atom.predicate.0 as usize, is_positive)),
        Condition::Equal(..) | Condition::Compare(..) => {}
    }
}
