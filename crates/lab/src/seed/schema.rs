//! An action as the search reads it: its array of predicates, where its parameters get their
//! values, and what must agree.
//!
//! In:   an action of the lifted task, and predicates shared by position.
//! Out:  a [`Schema`]: digits to count with, checks on them, tests on the values.
//! Cost: quadratic in the predicates of the action, once.
//!
//! A *digit* is a list to choose from: the state's atoms of a positive precondition's predicate,
//! or, for a parameter that no positive precondition names, the objects of its types. A *check*
//! compares two places of the chosen tuple (section 5.2 of the seed: the positions where a
//! parameter occurs, recorded once). Checks are kept in the order of the last digit they look at.

use super::compile::{CONSTANTS, Flat};
use super::narrow::Narrow;
use super::ranges::{Literals, Ranges, ordered};
use super::refused::{Feature, SeedError, Where};
use super::shared::Shared;
use throng_pddl::lifted::{Action, Lifted, ObjectId, PredicateId, Term, TypeId};

/// A list that a tuple takes one of.
#[derive(Clone, Debug)]
pub(super) enum Digit {
    /// Atoms of a predicate that hold.
    Atoms(PredicateId),
    /// Objects, for a parameter that no positive precondition names.
    Objects(Vec<u32>),
}

/// An argument of the atom that a digit chose; 0 for a chosen object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) digit: u8,
    pub(super) argument: u32,
}

/// What a tuple must meet.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// Two spots of one parameter have the same object.
    Same(Spot, Spot),
    /// A spot has this object.
    Constant(Spot, u32),
    /// A spot has an object that the parameter may stand for, by object.
    Type(Spot, Vec<bool>),
}

impl Check {
    /// The last digit it looks at.
    pub(super) fn digit(&self) -> u8 {
        match self {
            Check::Same(first, second) => first.digit.max(second.digit),
            Check::Constant(spot, _) | Check::Type(spot, _) => spot.digit,
        }
    }
}

/// An action.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    /// Its number in the lifted task.
    pub(super) action: u32,
    /// Positions of its predicates, as written, in six ranges.
    pub(super) predicates: Narrow,
    pub(super) ranges: Ranges,
    pub(super) digits: Vec<Digit>,
    pub(super) checks: Vec<Check>,
    /// Per parameter, where its value is.
    pub(super) sources: Vec<Spot>,
    /// Terms that must be the same, or must not.
    pub(super) equalities: Vec<(u32, u32, bool)>,
}

impl Schema {
    /// The schema of an action; nothing if it can never be done.
    pub(super) fn new(
        task: &Lifted,
        number: usize,
        objects_by_type: &[Vec<ObjectId>],
        written: &mut Shared,
    ) -> Result<Option<Schema>, SeedError> {
        let action = &task.actions[number];
        let refuse =
            |feature| SeedError { feature, place: Where::Action(number, action.name.clone()) };
        let condition = Flat::new(&action.condition).map_err(refuse)?;
        let Some((predicates, ranges)) = array(action, &condition, written).map_err(refuse)? else {
            return Ok(None);
        };
        let equalities = condition.equalities;
        let mut schema = Schema {
            action: number as u32,
            predicates: Narrow::default(),
            ranges,
            digits: Vec::new(),
            checks: Vec::new(),
            sources: Vec::new(),
            equalities: equalities.iter().map(|&(a, b, same)| (code(a), code(b), same)).collect(),
        };
        schema.predicates.extend(&predicates);
        schema.record_positions(task, action, objects_by_type, written);
        // More digits than a byte can number: as many preconditions nobody counts through.
        match schema.digits.len() <= 256 {
            true => Ok(Some(schema)),
            false => Err(refuse(Feature::ManyParameters)),
        }
    }

    fn record_positions(
        &mut self,
        task: &Lifted,
        action: &Action,
        objects_by_type: &[Vec<ObjectId>],
        written: &Shared,
    ) {
        let mut sources: Vec<Option<Spot>> = vec![None; action.parameters.len()];
        for at in 0..self.ranges.b {
            let predicate = self.predicates.get(at);
            let digit = self.digits.len() as u8;
            self.digits.push(Digit::Atoms(PredicateId(written.get(predicate, 0))));
            for argument in 1..written.len_of(predicate) {
                let spot = Spot { digit, argument: argument as u32 };
                let term = written.get(predicate, argument);
                match term.checked_sub(CONSTANTS) {
                    Some(object) => self.checks.push(Check::Constant(spot, object)),
                    None => match sources[term as usize] {
                        Some(first) => self.checks.push(Check::Same(first, spot)),
                        None => sources[term as usize] = Some(spot),
                    },
                }
            }
        }
        for (parameter, source) in action.parameters.iter().zip(&mut sources) {
            let allowed = allowed(task, &parameter.types, objects_by_type);
            match source {
                Some(spot) if allowed.contains(&false) => {
                    self.checks.push(Check::Type(*spot, allowed));
                }
                Some(_) => {}
                None => {
                    *source = Some(Spot { digit: self.digits.len() as u8, argument: 0 });
                    let objects = (0..allowed.len() as u32).filter(|&o| allowed[o as usize]);
                    self.digits.push(Digit::Objects(objects.collect()));
                }
            }
        }
        self.sources = sources.into_iter().flatten().collect();
        self.checks.sort_by_key(Check::digit);
    }
}

/// The array of an action's predicates, shared in the order they are written.
fn array(
    action: &Action,
    condition: &Flat<'_>,
    written: &mut Shared,
) -> Result<Option<(Vec<u32>, Ranges)>, Feature> {
    if action.parameters.len() > CONSTANTS as usize {
        return Err(Feature::ManyParameters);
    }
    let mut positions = [const { Vec::new() }; 4];
    for &(atom, holds) in &condition.atoms {
        positions[usize::from(!holds)].push(share(written, atom));
    }
    for effect in &action.effects {
        let condition = Flat::new(&effect.condition).map_err(|_| Feature::ConditionalEffect)?;
        if !effect.forall.is_empty() || !condition.is_empty() {
            return Err(Feature::ConditionalEffect);
        }
        positions[2 + usize::from(effect.adds)].push(share(written, &effect.atom));
    }
    let [needs, needs_not, deletes, adds] = &positions;
    let literals = Literals { needs, needs_not, deletes, adds };
    Ok(ordered(literals, |a, b| written.get(a, 0) == written.get(b, 0)))
}

/// The position of a predicate as written: its number, then its terms.
fn share(written: &mut Shared, atom: &throng_pddl::lifted::Atom) -> u32 {
    let mut row = vec![atom.predicate.0];
    row.extend(atom.arguments.iter().map(|&term| code(term)));
    written.share(&row).0
}

/// A term as a number: a parameter's position, or an object beyond all positions.
fn code(term: Term) -> u32 {
    match term {
        Term::Variable(variable) => variable,
        Term::Object(object) => CONSTANTS + object.0,
    }
}

/// Which objects a variable of these types may stand for, by object.
fn allowed(task: &Lifted, types: &[TypeId], objects_by_type: &[Vec<ObjectId>]) -> Vec<bool> {
    let mut allowed = vec![false; task.objects.len()];
    for object in types.iter().flat_map(|kind| &objects_by_type[kind.0 as usize]) {
        allowed[object.0 as usize] = true;
    }
    allowed
}
