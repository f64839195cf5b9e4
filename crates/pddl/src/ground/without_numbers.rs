//! A task that counts as one that does not, so that it can be grounded.
//!
//! In:   a lifted task with numbers.
//! Out:  the same without: each comparison is a predicate, each change of a number makes a
//!       predicate of its own true, and actions of ours stand for what counting may bring about.
//! Cost: linear in the task; a comparison of two functions looks at pairs of their values.
//!
//! For a function `f` there are, about the same objects, *moved* (some action has changed it) and
//! *valued* (it has a value). An action that changes it makes a *mark* true. Ours are:
//!
//! | action | from | to |
//! |---|---|---|
//! | see | a mark | moved, valued |
//! | again | moved, and that the amount has a value | the mark |
//! | turn | moved, and that the other side has a value | the comparison, or its opposite |
//!
//! So what can be reached is what could be if counting led anywhere, and what counting can lead to
//! matters if the comparison does. A comparison of functions that nothing changes is a fact that
//! never changes. `again` and `turn` keep marks and comparisons out of groups of facts of which
//! one holds at a time: each is a variable of its own.

use super::limits::GroundError;
use crate::counted::turned;
use crate::lifted::{
    Action, Atom, Condition, Effect, FunctionId, GroundAtom, Lifted, NumberEffect,
    NumberEffectKind, NumberTerm, ObjectId, Parameter, Predicate, PredicateId, Term, TypeId,
};
use std::collections::{HashMap, HashSet};
use throng_domain::{Relation, Span};

/// Pairs of values that are compared at most.
const MOST_PAIRS: usize = 1 << 20;

/// A task without numbers, and what stands for them.
pub(super) struct Reduced {
    pub(super) task: Lifted,
    /// How many of its actions are not ours.
    pub(super) n_actions: usize,
    /// By predicate of ours what it stands for.
    pub(super) meanings: HashMap<PredicateId, Meaning>,
}

/// What a predicate of ours stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// Two sides compared, the left one a function; its objects come first, then the right one's.
    Compare(Relation, FunctionId, Side),
    /// The change of this number of the action of this number; the objects of what is changed come
    /// first, then those of what it is changed by.
    Mark(usize, usize),
    /// Moved, or valued.
    Ours,
}

/// Whether a predicate stands for a comparison: only ours have a parenthesis in their names.
pub(super) fn is_comparison(predicate: &Predicate) -> bool {
    predicate.name.contains('(')
}

/// The right side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    Number(i64),
    Function(FunctionId),
}

/// Takes the numbers out of a task.
pub(super) fn without_numbers(lifted: &Lifted) -> Result<Reduced, GroundError> {
    let mut by_function: HashMap<FunctionId, Vec<(&[ObjectId], i64)>> = HashMap::new();
    for (function, objects, number) in &lifted.numbers {
        by_function.entry(*function).or_default().push((objects, *number));
    }
    let mut maker = Maker {
        old: lifted,
        by_function,
        task: lifted.clone(),
        meanings: HashMap::new(),
        compared: HashMap::new(),
        moved: HashMap::new(),
        valued: HashMap::new(),
    };
    maker.replace_conditions();
    let n_actions = maker.task.actions.len();
    for (at, action) in lifted.actions.iter().enumerate() {
        for change in 0..action.changes.len() {
            maker.add_mark(at, change);
        }
    }
    maker.add_turns()?;
    maker.task.functions.iter_mut().for_each(|function| function.is_number = false);
    maker.task.numbers.clear();
    Ok(Reduced { task: maker.task, n_actions, meanings: maker.meanings })
}

/// An action cannot be done where it would give a number two values at once, also if nothing asks for
/// the number. Numbers that are asked for are looked after where they are counted, but for what happens
/// always.
fn forbid_two_values(action: &mut Action, compared: &HashSet<FunctionId>) {
    let always = |change: &NumberEffect| change.condition == Condition::default();
    let mut clashes = Vec::new();
    for (at, one) in action.changes.iter().enumerate() {
        for other in &action.changes[..at] {
            if !compared.contains(&one.function) || (always(one) && always(other)) {
                clashes.extend(clash(one, other));
            }
        }
    }
    if !clashes.is_empty() {
        let own = std::mem::take(&mut action.condition);
        let clashes = clashes.into_iter().map(|clash| Condition::Not(Box::new(clash)));
        action.condition = Condition::And(std::iter::once(own).chain(clashes).collect());
    }
}

/// Shows both sides of every comparison.
fn each_number(condition: &Condition, see: &mut dyn FnMut(&NumberTerm)) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| each_number(part, see));
        }
        Condition::Not(part) | Condition::Exists(_, part) | Condition::Forall(_, part) => {
            each_number(part, see);
        }
        Condition::Imply(first, second) => {
            each_number(first, see);
            each_number(second, see);
        }
        Condition::Atom(_) | Condition::Equal(..) => {}
        Condition::Compare(_, first, second) => {
            see(first);
            see(second);
        }
    }
}

/// When two changes would give one number two values; `None` if they never do.
fn clash(one: &NumberEffect, other: &NumberEffect) -> Option<Condition> {
    let n_sets = [one, other].iter().filter(|it| it.kind == NumberEffectKind::Assign).count();
    if one.function != other.function || n_sets == 0 || (n_sets == 2 && one.by == other.by) {
        return None;
    }
    let same = one.arguments.iter().zip(&other.arguments);
    let mut parts: Vec<Condition> = same.map(|(a, b)| Condition::Equal(*a, *b)).collect();
    parts.extend([one.condition.clone(), other.condition.clone()]);
    if n_sets == 2 {
        let equal = Condition::Compare(Relation::Is, one.by.clone(), other.by.clone());
        parts.push(Condition::Not(Box::new(equal)));
    }
    Some(Condition::And(parts))
}

struct Maker<'l> {
    old: &'l Lifted,
    by_function: HashMap<FunctionId, Vec<(&'l [ObjectId], i64)>>,
    task: Lifted,
    meanings: HashMap<PredicateId, Meaning>,
    compared: HashMap<(Relation, FunctionId, Side), PredicateId>,
    moved: HashMap<FunctionId, PredicateId>,
    valued: HashMap<FunctionId, PredicateId>,
}

impl Maker<'_> {
    fn replace_conditions(&mut self) {
        let compared = self.compared_functions();
        let mut actions = std::mem::take(&mut self.task.actions);
        for action in &mut actions {
            forbid_two_values(action, &compared);
            self.replace(&mut action.condition);
            action.effects.iter_mut().for_each(|effect| self.replace(&mut effect.condition));
            action.changes.iter_mut().for_each(|change| self.replace(&mut change.condition));
        }
        self.task.actions = actions;
        let mut axioms = std::mem::take(&mut self.task.axioms);
        axioms.iter_mut().for_each(|axiom| self.replace(&mut axiom.condition));
        self.task.axioms = axioms;
        let mut goal = std::mem::take(&mut self.task.goal);
        self.replace(&mut goal);
        self.task.goal = goal;
    }

    /// Functions that a condition asks for.
    fn compared_functions(&self) -> HashSet<FunctionId> {
        let Lifted { actions, axioms, goal, .. } = self.old;
        let of_action = |action: &Action, see: &mut dyn FnMut(&NumberTerm)| {
            each_number(&action.condition, see);
            action.effects.iter().for_each(|it| each_number(&it.condition, see));
            action.changes.iter().for_each(|it| each_number(&it.condition, see));
        };
        let mut found = HashSet::new();
        let see = &mut |term: &NumberTerm| {
            if let NumberTerm::Function(function, _) = term {
                found.insert(*function);
            }
        };
        actions.iter().for_each(|action| of_action(action, see));
        axioms.iter().for_each(|axiom| each_number(&axiom.condition, see));
        each_number(goal, see);
        found
    }

    /// Puts predicates for comparisons.
    fn replace(&mut self, condition: &mut Condition) {
        match condition {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter_mut().for_each(|part| self.replace(part));
            }
            Condition::Not(part) | Condition::Exists(_, part) | Condition::Forall(_, part) => {
                self.replace(part);
            }
            Condition::Imply(first, second) => {
                self.replace(first);
                self.replace(second);
            }
            Condition::Atom(_) | Condition::Equal(..) => {}
            Condition::Compare(relation, first, second) => {
                let made = self.comparison(*relation, first, second);
                *condition = made;
            }
        }
    }

    fn comparison(
        &mut self,
        relation: Relation,
        first: &NumberTerm,
        second: &NumberTerm,
    ) -> Condition {
        let (relation, function, arguments, second) = match (first, second) {
            (NumberTerm::Function(function, arguments), second) => {
                (relation, *function, arguments, second)
            }
            (first, NumberTerm::Function(function, arguments)) => {
                (turned(relation), *function, arguments, first)
            }
            (NumberTerm::Number(first), NumberTerm::Number(second)) => {
                let holds = relation.holds(first, second);
                let nothing = Vec::new();
                return if holds { Condition::And(nothing) } else { Condition::Or(nothing) };
            }
        };
        let side = match second {
            NumberTerm::Number(number) => Side::Number(*number),
            NumberTerm::Function(function, _) => Side::Function(*function),
        };
        let predicate = self.compared(relation, function, side);
        let arguments = [&arguments[..], second.arguments()].concat();
        Condition::Atom(Atom { predicate, arguments })
    }

    fn compared(&mut self, relation: Relation, function: FunctionId, side: Side) -> PredicateId {
        let key = (relation, function, side);
        if let Some(&known) = self.compared.get(&key) {
            return known;
        }
        let name = |function: FunctionId| &self.old.functions[function.index()].name;
        let right = match side {
            Side::Number(number) => number.to_string(),
            Side::Function(function) => format!("({})", name(function)),
        };
        let text = format!("{} ({}) {right}", relation.sign(), name(function));
        let more = match side {
            Side::Number(_) => 0,
            Side::Function(function) => self.arity(function),
        };
        let n_arguments = self.arity(function) + more;
        let meaning = Meaning::Compare(relation, function, side);
        let predicate = self.add_predicate(text, n_arguments, meaning);
        self.compared.insert(key, predicate);
        predicate
    }

    fn arity(&self, function: FunctionId) -> usize {
        self.old.functions[function.index()].arguments.len()
    }

    /// A predicate about any objects.
    fn add_predicate(&mut self, name: String, n_arguments: usize, meaning: Meaning) -> PredicateId {
        let predicate = PredicateId(self.task.predicates.len() as u32);
        let arguments = vec![vec![TypeId(0)]; n_arguments];
        self.task.predicates.push(Predicate { name, arguments, is_derived: false });
        self.meanings.insert(predicate, meaning);
        predicate
    }

    /// That a function has been changed.
    fn moved(&mut self, function: FunctionId) -> PredicateId {
        if let Some(&known) = self.moved.get(&function) {
            return known;
        }
        let name = format!("moved {}", self.old.functions[function.index()].name);
        let predicate = self.add_predicate(name, self.arity(function), Meaning::Ours);
        self.moved.insert(function, predicate);
        predicate
    }

    /// That a function has a value.
    fn valued(&mut self, function: FunctionId) -> PredicateId {
        if let Some(&known) = self.valued.get(&function) {
            return known;
        }
        let name = format!("valued {}", self.old.functions[function.index()].name);
        let predicate = self.add_predicate(name, self.arity(function), Meaning::Ours);
        self.valued.insert(function, predicate);
        for (objects, _) in self.by_function.get(&function).into_iter().flatten() {
            self.task.init.push(GroundAtom { predicate, arguments: objects.to_vec() });
        }
        predicate
    }

    /// The mark of a change, and what follows from it.
    fn add_mark(&mut self, at: usize, number: usize) {
        let change = &self.old.actions[at].changes[number];
        let (function, n_own) = (change.function, change.arguments.len());
        let n_arguments = n_own + change.by.arguments().len();
        let name = format!("mark {at} {number}");
        let mark = self.add_predicate(name, n_arguments, Meaning::Mark(at, number));
        // The condition as it is now, without comparisons.
        let action = &mut self.task.actions[at];
        let made = &action.changes[number];
        let condition = made.condition.clone();
        let arguments = [&made.arguments[..], made.by.arguments()].concat();
        let atom = Atom { predicate: mark, arguments };
        action.effects.push(Effect { forall: Vec::new(), condition, adds: true, atom });
        let all: Vec<u32> = (0..n_arguments as u32).collect();
        let (own, by) = all.split_at(n_own);
        let (moved, valued) = (self.moved(function), self.valued(function));
        let (of_mark, moved) = (about(mark, &all), about(moved, own));
        let see = vec![of_mark.clone()];
        self.add_action(n_arguments, see, [(moved.clone(), true), (about(valued, own), true)]);
        let mut again = vec![moved];
        if let NumberTerm::Function(of, _) = self.old.actions[at].changes[number].by {
            let valued = self.valued(of);
            again.push(about(valued, by));
        }
        self.add_action(n_arguments, again, [(of_mark, true)]);
    }

    /// All comparisons, in the order they were made.
    fn comparisons(&self) -> Vec<(PredicateId, (Relation, FunctionId, Side))> {
        let mut all: Vec<_> = self.compared.iter().map(|(key, at)| (*at, *key)).collect();
        all.sort_unstable_by_key(|(predicate, _)| *predicate);
        all
    }

    /// What comparisons may become, and what they are at the start.
    fn add_turns(&mut self) -> Result<(), GroundError> {
        let mut pairs = 0;
        for (predicate, (relation, function, side)) in self.comparisons() {
            self.add_start(predicate, (relation, function, side), &mut pairs)?;
            let n_own = self.arity(function);
            let sides = match side {
                Side::Number(_) => vec![(function, 0..n_own, None)],
                Side::Function(other) => {
                    let right = n_own..n_own + self.arity(other);
                    vec![
                        (function, 0..n_own, Some((other, right.clone()))),
                        (other, right, Some((function, 0..n_own))),
                    ]
                }
            };
            for (function, own, other) in sides {
                let Some(&moved) = self.moved.get(&function) else { continue };
                let numbers =
                    |of: std::ops::Range<usize>| of.map(|at| at as u32).collect::<Vec<_>>();
                let mut needs = vec![about(moved, &numbers(own.clone()))];
                let mut n_arguments = own.end;
                if let Some((other, of)) = other {
                    n_arguments = n_arguments.max(of.end);
                    let valued = self.valued(other);
                    needs.push(about(valued, &numbers(of)));
                }
                let atom = about(predicate, &numbers(0..n_arguments));
                for holds in [true, false] {
                    self.add_action(n_arguments, needs.clone(), [(atom.clone(), holds)]);
                }
            }
        }
        Ok(())
    }

    /// Where a comparison holds at the start.
    fn add_start(
        &mut self,
        predicate: PredicateId,
        (relation, function, side): (Relation, FunctionId, Side),
        pairs: &mut usize,
    ) -> Result<(), GroundError> {
        let nothing = Vec::new();
        let values = |of: FunctionId| self.by_function.get(&of).unwrap_or(&nothing);
        let right = match side {
            Side::Number(number) => vec![(&[][..], number)],
            Side::Function(other) => values(other).clone(),
        };
        *pairs += values(function).len().saturating_mul(right.len());
        if *pairs > MOST_PAIRS {
            let name = self.task.predicates[predicate.index()].name.clone();
            return Err(GroundError::TooManyAtoms {
                limit: MOST_PAIRS,
                predicate: name,
                facts: *pairs,
            });
        }
        let left = values(function).iter();
        let pairs = left.flat_map(|one| right.iter().map(move |other| (one, other)));
        let holding = pairs.filter(|(one, other)| relation.holds(one.1, other.1));
        let atoms = holding
            .map(|(one, other)| GroundAtom { predicate, arguments: [one.0, other.0].concat() });
        let atoms: Vec<GroundAtom> = atoms.collect();
        self.task.init.extend(atoms);
        Ok(())
    }

    /// An action of ours: as many parameters, all any objects.
    fn add_action(
        &mut self,
        n_parameters: usize,
        needs: Vec<Atom>,
        effects: impl IntoIterator<Item = (Atom, bool)>,
    ) {
        let parameters = (0..n_parameters as u32).map(any);
        let effects = effects.into_iter().map(|(atom, adds)| Effect {
            forall: Vec::new(),
            condition: Condition::default(),
            adds,
            atom,
        });
        self.task.actions.push(Action {
            name: "counting".to_owned(),
            parameters: parameters.collect(),
            n_variables: n_parameters,
            condition: Condition::And(needs.into_iter().map(Condition::Atom).collect()),
            effects: effects.collect(),
            changes: Vec::new(),
            cost: Vec::new(),
            span: Span::default(),
        });
    }
}

/// A variable that stands for any object.
fn any(variable: u32) -> Parameter {
    Parameter { name: format!("x{variable}"), variable, types: vec![TypeId(0)] }
}

/// A predicate about parameters of one of our actions.
fn about(predicate: PredicateId, parameters: &[u32]) -> Atom {
    Atom { predicate, arguments: parameters.iter().map(|&at| Term::Variable(at)).collect() }
}
