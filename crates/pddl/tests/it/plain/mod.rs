//! Plain twins: a lifted task and a ground task, each followed by its definition.
//!
//! In:   tasks small enough to try everything.
//! Out:  states, steps and shortest lengths.
//! Cost: exponential, on purpose: nothing here is clever, so nothing here is wrong in the way
//!       that clever code is.
#![allow(dead_code, reason = "every test uses the part it needs")]

use std::collections::{BTreeSet, HashSet, VecDeque};
use throng_pddl::lifted::{
    Atom, Condition, CostTerm, GroundAtom, Lifted, ObjectId, Parameter, Term, TypeId,
};
use throng_pddl::named::NamedTask;
use throng_planner::forward::GroundTask;

pub(crate) type State = BTreeSet<GroundAtom>;

/// A lifted task by its definition.
pub(crate) struct Plain<'l> {
    pub(crate) task: &'l Lifted,
    by_type: Vec<Vec<ObjectId>>,
}

impl<'l> Plain<'l> {
    pub(crate) fn new(task: &'l Lifted) -> Self {
        Plain { task, by_type: task.objects_by_type() }
    }

    fn objects(&self, types: &[TypeId]) -> Vec<ObjectId> {
        let all = types.iter().flat_map(|of| &self.by_type[of.0 as usize]);
        all.copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// All ways to give objects to variables.
    fn choices(&self, variables: &[Parameter], binding: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        let mut all = vec![binding.to_vec()];
        for variable in variables {
            let mut longer = Vec::new();
            for binding in &all {
                for object in self.objects(&variable.types) {
                    let mut binding = binding.clone();
                    binding[variable.variable as usize] = object;
                    longer.push(binding);
                }
            }
            all = longer;
        }
        all
    }

    fn ground(atom: &Atom, binding: &[ObjectId]) -> GroundAtom {
        let arguments = atom.arguments.iter().map(|term| match term {
            Term::Object(object) => *object,
            Term::Variable(variable) => binding[*variable as usize],
        });
        GroundAtom { predicate: atom.predicate, arguments: arguments.collect() }
    }

    fn holds(&self, condition: &Condition, state: &State, binding: &[ObjectId]) -> bool {
        let value = |term: &Term| match term {
            Term::Object(object) => *object,
            Term::Variable(variable) => binding[*variable as usize],
        };
        match condition {
            Condition::And(parts) => parts.iter().all(|part| self.holds(part, state, binding)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part, state, binding)),
            Condition::Not(part) => !self.holds(part, state, binding),
            Condition::Imply(from, to) => {
                !self.holds(from, state, binding) || self.holds(to, state, binding)
            }
            Condition::Exists(variables, part) => {
                self.choices(variables, binding).iter().any(|b| self.holds(part, state, b))
            }
            Condition::Forall(variables, part) => {
                self.choices(variables, binding).iter().all(|b| self.holds(part, state, b))
            }
            Condition::Atom(atom) => state.contains(&Self::ground(atom, binding)),
            Condition::Equal(a, b) => value(a) == value(b),
            Condition::Compare(..) => unreachable!("these tasks have no numbers"),
        }
    }

    /// The state with what is derived in it. Derived predicates use the absence only of derived
    /// predicates with smaller numbers.
    pub(crate) fn with_derived(&self, state: &State) -> State {
        let mut state = state.clone();
        let mut heads: Vec<_> = self.task.axioms.iter().map(|axiom| axiom.predicate).collect();
        heads.sort_unstable();
        heads.dedup();
        for head in heads {
            loop {
                let before = state.len();
                for axiom in self.task.axioms.iter().filter(|axiom| axiom.predicate == head) {
                    let empty = vec![ObjectId(0); axiom.n_variables];
                    for binding in self.choices(&axiom.parameters, &empty) {
                        if self.holds(&axiom.condition, &state, &binding) {
                            let own = axiom.parameters.iter();
                            let arguments = own.map(|p| binding[p.variable as usize]).collect();
                            state.insert(GroundAtom { predicate: head, arguments });
                        }
                    }
                }
                if state.len() == before {
                    break;
                }
            }
        }
        state
    }

    pub(crate) fn start(&self) -> State {
        self.task.init.iter().cloned().collect()
    }

    pub(crate) fn is_goal(&self, state: &State) -> bool {
        let binding = vec![ObjectId(0); self.task.n_goal_variables];
        self.holds(&self.task.goal, &self.with_derived(state), &binding)
    }

    /// The state after a step, if the step can be done.
    pub(crate) fn after(
        &self,
        state: &State,
        action: usize,
        arguments: &[ObjectId],
    ) -> Option<State> {
        let of = &self.task.actions[action];
        let mut binding = vec![ObjectId(0); of.n_variables];
        for (parameter, object) in of.parameters.iter().zip(arguments) {
            if !self.objects(&parameter.types).contains(object) {
                return None;
            }
            binding[parameter.variable as usize] = *object;
        }
        let before = self.with_derived(state);
        if !self.holds(&of.condition, &before, &binding) {
            return None;
        }
        let (mut adds, mut deletes) = (Vec::new(), Vec::new());
        for effect in &of.effects {
            for binding in self.choices(&effect.forall, &binding) {
                if self.holds(&effect.condition, &before, &binding) {
                    let into = if effect.adds { &mut adds } else { &mut deletes };
                    into.push(Self::ground(&effect.atom, &binding));
                }
            }
        }
        let mut after = state.clone();
        after.retain(|atom| !deletes.contains(atom));
        after.extend(adds);
        Some(after)
    }

    /// Every step that can be done.
    pub(crate) fn steps(&self, state: &State) -> Vec<(usize, Vec<ObjectId>, State)> {
        let mut steps = Vec::new();
        for (action, of) in self.task.actions.iter().enumerate() {
            for binding in self.choices(&of.parameters, &vec![ObjectId(0); of.n_variables]) {
                let arguments = binding[..of.parameters.len()].to_vec();
                if let Some(after) = self.after(state, action, &arguments) {
                    steps.push((action, arguments, after));
                }
            }
        }
        steps
    }

    pub(crate) fn cost(&self, action: usize, arguments: &[ObjectId]) -> u64 {
        if !self.task.has_metric {
            return 1000;
        }
        let of = &self.task.actions[action];
        let parts = of.cost.iter().map(|part| match part {
            CostTerm::Number(number) => number.0,
            CostTerm::Function(function, terms) => {
                let objects: Vec<ObjectId> = terms
                    .iter()
                    .map(|term| match term {
                        Term::Object(object) => *object,
                        Term::Variable(variable) => arguments[*variable as usize],
                    })
                    .collect();
                let mut values = self.task.values.iter();
                values.find(|(f, a, _)| f == function && *a == objects).map_or(0, |v| v.2.0)
            }
        });
        parts.sum()
    }

    /// The length of a shortest plan; `Ok(None)` if there is none, `Err` beyond so many states.
    pub(crate) fn shortest(&self, most_states: usize) -> Result<Option<usize>, ()> {
        let start = self.start();
        let mut seen: HashSet<State> = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([(start, 0)]);
        while let Some((state, length)) = open.pop_front() {
            if self.is_goal(&state) {
                return Ok(Some(length));
            }
            for (_, _, after) in self.steps(&state) {
                if seen.insert(after.clone()) {
                    open.push_back((after, length + 1));
                }
            }
            if seen.len() > most_states {
                return Err(());
            }
        }
        Ok(None)
    }
}

/// The values that rules give derived variables.
pub(crate) fn settle(task: &GroundTask, state: &mut [u16]) {
    let layers = (0..state.len() as u32).filter_map(|variable| task.layer(variable));
    let n_layers = layers.max().map_or(0, |highest| highest + 1);
    for (variable, value) in state.iter_mut().enumerate() {
        if task.layer(variable as u32).is_some() {
            *value = task.start()[variable];
        }
    }
    for layer in 0..n_layers {
        loop {
            let mut changed = false;
            for rule in task.axioms().filter(|r| task.layer(r.sets.variable) == Some(layer)) {
                let applies = rule.when.iter().all(|a| state[a.variable as usize] == a.value);
                let at = rule.sets.variable as usize;
                if applies && state[at] != rule.sets.value {
                    state[at] = rule.sets.value;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// The state after an operator, if it can be done; derived variables settled.
pub(crate) fn ground_after(task: &GroundTask, state: &[u16], operator: u32) -> Option<Vec<u16>> {
    if !task.needs(operator).iter().all(|a| state[a.variable as usize] == a.value) {
        return None;
    }
    let mut after = state.to_vec();
    for set in task.sets(operator) {
        after[set.variable as usize] = set.value;
    }
    for effect in task.effects(operator) {
        if effect.when.iter().all(|a| state[a.variable as usize] == a.value) {
            after[effect.sets.variable as usize] = effect.sets.value;
        }
    }
    settle(task, &mut after);
    Some(after)
}

/// The state a ground task starts with.
pub(crate) fn ground_start(task: &GroundTask) -> Vec<u16> {
    let mut start = task.start().to_vec();
    settle(task, &mut start);
    start
}

/// A shortest plan of a ground task; `Ok(None)` if there is none, `Err` beyond so many states.
pub(crate) fn ground_shortest(
    task: &GroundTask,
    most_states: usize,
) -> Result<Option<Vec<u32>>, ()> {
    let start = ground_start(task);
    let mut seen: HashSet<Vec<u16>> = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([(start, Vec::new())]);
    while let Some((state, plan)) = open.pop_front() {
        if task.goal().iter().all(|a| state[a.variable as usize] == a.value) {
            return Ok(Some(plan));
        }
        for operator in 0..task.n_operators() as u32 {
            if let Some(after) = ground_after(task, &state, operator)
                && seen.insert(after.clone())
            {
                open.push_back((after, [&plan[..], &[operator]].concat()));
            }
        }
        if seen.len() > most_states {
            return Err(());
        }
    }
    Ok(None)
}

/// Whether a ground state says of every fact that it names what the lifted state says.
pub(crate) fn disagreement(
    named: &NamedTask,
    state: &[u16],
    lifted: &Lifted,
    facts: &State,
) -> Option<String> {
    let holding: HashSet<String> = facts.iter().map(|atom| fact_text(lifted, atom)).collect();
    for (variable, names) in named.variables.iter().enumerate() {
        for (value, name) in names.values.iter().enumerate() {
            let is_so = state[variable] == value as u16;
            let Some(fact) = name.strip_prefix("Atom ") else { continue };
            if !fact.starts_with("new-axiom@") && holding.contains(fact) != is_so {
                return Some(format!("{fact} is {is_so} in the ground state"));
            }
        }
    }
    for group in &named.mutexes {
        if group.iter().filter(|a| state[a.variable as usize] == a.value).count() > 1 {
            return Some(format!("two of a group hold: {group:?}"));
        }
    }
    None
}

fn fact_text(lifted: &Lifted, atom: &GroundAtom) -> String {
    let name = |object: &ObjectId| lifted.objects[object.0 as usize].name.clone();
    let objects: Vec<String> = atom.arguments.iter().map(name).collect();
    format!("{}({})", lifted.predicates[atom.predicate.0 as usize].name, objects.join(", "))
}
