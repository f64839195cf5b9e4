//! The same search without any of the seed's structures: where it began, and what judges it.
//!
//! In:   a lifted task of literals.
//! Out:  a shortest plan or that there is none, and the same counts.
//! Cost: per state, every action with every choice of objects; a set of trees per state, and a
//!       plan of its own.
//!
//! Shares no code with the rest of this folder: conditions and effects are read from the task as
//! it is. The goal is looked for when a state is taken out.

use super::Step;
use crate::choices::choices;
use std::collections::{BTreeSet, HashSet, VecDeque};
use throng_pddl::lifted::{Action, Atom, Condition, GroundAtom, Lifted, ObjectId, Parameter, Term};

/// A state: the atoms that hold.
pub type State = BTreeSet<GroundAtom>;

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// A shortest plan; `None` if there is none.
    pub plan: Option<Vec<Step>>,
    /// States taken out whose successors were made.
    pub expanded: u64,
    /// Successors made, known states among them.
    pub generated: u64,
    /// Different states met.
    pub states: u64,
    /// Bytes of the states and plans that were kept, counted by what their containers hold.
    pub bytes: u64,
    /// Of these what the states' own contents take.
    pub row_bytes: u64,
}

/// Solves a task of literals; `None` if more than `most_states` are met, or if it has axioms,
/// quantifiers or conditional effects.
pub fn solve(task: &Lifted, most_states: usize) -> Option<Answer> {
    let objects = task.objects_by_type();
    let start: State = task.init.iter().cloned().collect();
    let mut known = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, Vec::new())]);
    let mut answer =
        Answer { plan: None, expanded: 0, generated: 0, states: 1, bytes: 0, row_bytes: 0 };
    if !task.axioms.is_empty() || known.len() > most_states {
        return None;
    }
    while let Some((state, plan)) = queue.pop_front() {
        if holds(&task.goal, &[], &state)? {
            answer.plan = Some(plan);
            break;
        }
        for (number, action) in task.actions.iter().enumerate() {
            for arguments in choices(action.parameters.iter().map(|of| fitting(of, &objects))) {
                if !holds(&action.condition, &arguments, &state)? {
                    continue;
                }
                let after = apply(action, &arguments, &state)?;
                answer.generated += 1;
                if known.insert(after.clone()) {
                    let mut longer: Vec<Step> = plan.clone();
                    longer.push((number, arguments));
                    answer.row_bytes += 2 * bytes_of_state(&after);
                    answer.bytes += 2 * bytes_of_state(&after) + bytes_of_plan(&longer);
                    queue.push_back((after, longer));
                }
            }
        }
        answer.expanded += 1;
        if known.len() > most_states {
            return None;
        }
    }
    answer.states = known.len() as u64;
    Some(answer)
}

/// The objects that a parameter can stand for, in their order.
pub fn fitting(parameter: &Parameter, objects: &[Vec<ObjectId>]) -> Vec<ObjectId> {
    let of_types = parameter.types.iter().flat_map(|kind| objects[kind.0 as usize].clone());
    of_types.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The state after an action; `None` if it has conditional effects.
pub fn apply(action: &Action, arguments: &[ObjectId], state: &State) -> Option<State> {
    let mut after = state.clone();
    for adds in [false, true] {
        for effect in action.effects.iter().filter(|effect| effect.adds == adds) {
            if effect.condition != Condition::default() || !effect.forall.is_empty() {
                return None;
            }
            let atom = ground(&effect.atom, arguments)?;
            match adds {
                true => after.insert(atom),
                false => after.remove(&atom),
            };
        }
    }
    Some(after)
}

/// Whether a condition holds; `None` if it has quantifiers or numbers.
pub fn holds(condition: &Condition, arguments: &[ObjectId], state: &State) -> Option<bool> {
    let all = |parts: &[Condition], wanted: bool| -> Option<bool> {
        for part in parts {
            if holds(part, arguments, state)? != wanted {
                return Some(!wanted);
            }
        }
        Some(wanted)
    };
    match condition {
        Condition::And(parts) => all(parts, true),
        Condition::Or(parts) => all(parts, false),
        Condition::Not(part) => Some(!holds(part, arguments, state)?),
        Condition::Imply(first, second) => {
            Some(!holds(first, arguments, state)? || holds(second, arguments, state)?)
        }
        Condition::Atom(atom) => Some(state.contains(&ground(atom, arguments)?)),
        Condition::Equal(a, b) => Some(object(*a, arguments)? == object(*b, arguments)?),
        Condition::Exists(..) | Condition::Forall(..) | Condition::Compare(..) => None,
    }
}

fn object(term: Term, arguments: &[ObjectId]) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(object),
        Term::Variable(variable) => arguments.get(variable as usize).copied(),
    }
}

fn ground(atom: &Atom, arguments: &[ObjectId]) -> Option<GroundAtom> {
    let objects = atom.arguments.iter().map(|&term| object(term, arguments));
    Some(GroundAtom { predicate: atom.predicate, arguments: objects.collect::<Option<_>>()? })
}

/// What a state takes; it is kept in the set of known states and once more in the queue.
fn bytes_of_state(state: &State) -> u64 {
    let atom = |atom: &GroundAtom| size_of::<GroundAtom>() + atom.arguments.len() * 4;
    (size_of::<State>() + state.iter().map(atom).sum::<usize>()) as u64
}

fn bytes_of_plan(plan: &[Step]) -> u64 {
    let step = |step: &Step| size_of::<Step>() + step.1.len() * 4;
    (size_of::<Vec<Step>>() + plan.iter().map(step).sum::<usize>()) as u64
}
