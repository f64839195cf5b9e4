//! A lifted task made ready for the search that unifies.
//!
//! In:   a [`Lifted`] task.
//! Out:  a [`Program`]: action arrays, what holds forever, the start and the goal as rows; or
//!       what is not served.
//! Cost: linear in the task, and once per parameter the number of objects.
//!
//! Predicates that no action changes are kept here once, not in every state.

use super::refused::{Feature, SeedError, Where};
use super::schema::Schema;
use super::shared::Shared;
use throng_pddl::lifted::{Atom, Condition, Lifted, Parameter, Term};

/// Terms below are positions of parameters, from here on they are objects.
pub(super) const CONSTANTS: u32 = 256;

/// A task made ready.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) schemas: Vec<Schema>,
    /// Predicates with their terms, each once for all actions.
    pub(super) written: Shared,
    /// By predicate, whether no action changes it.
    pub(super) is_fixed: Vec<bool>,
    /// Atoms that hold forever, and by predicate where they are.
    pub(super) fixed: Shared,
    pub(super) fixed_columns: Vec<Vec<u32>>,
    /// Atoms that hold at the start and may change.
    pub(super) start: Vec<Vec<u32>>,
    /// Atoms that must hold at the end, or must not.
    pub(super) goal: Vec<(Vec<u32>, bool)>,
    /// Whether what never changes stands in the way of the goal.
    pub(super) is_hopeless: bool,
}

impl Program {
    /// Makes a task ready.
    ///
    /// # Errors
    ///
    /// If it has more than conjunctions of literals.
    pub fn new(task: &Lifted) -> Result<Program, SeedError> {
        if !task.axioms.is_empty() {
            return Err(SeedError { feature: Feature::Derived, place: Where::Domain });
        }
        if task.has_numbers() {
            return Err(SeedError { feature: Feature::Numbers, place: Where::Domain });
        }
        let refuse = |feature| SeedError { feature, place: Where::Goal };
        let goal = Flat::new(&task.goal).map_err(refuse)?;
        let mut is_fixed = vec![true; task.predicates.len()];
        for effect in task.actions.iter().flat_map(|action| &action.effects) {
            is_fixed[effect.atom.predicate.0 as usize] = false;
        }
        let mut program = Program {
            schemas: Vec::new(),
            written: Shared::default(),
            is_fixed,
            fixed: Shared::default(),
            fixed_columns: vec![Vec::new(); task.predicates.len()],
            start: Vec::new(),
            goal: Vec::new(),
            is_hopeless: false,
        };
        program.add_start(task);
        program.add_goal(&goal).ok_or(refuse(Feature::Quantifier))?;
        let objects_by_type = task.objects_by_type();
        for number in 0..task.actions.len() {
            let schema = Schema::new(task, number, &objects_by_type, &mut program.written)?;
            program.schemas.extend(schema);
        }
        Ok(program)
    }

    /// About what the program of a task takes: each parameter has a list of its objects, and a
    /// mark per object.
    pub fn bytes_for(task: &Lifted) -> usize {
        let by_type = task.objects_by_type();
        let parameters = task.actions.iter().flat_map(|action| &action.parameters);
        let of_parameter = |parameter: &Parameter| {
            let listed = parameter.types.iter().map(|of| by_type[of.0 as usize].len());
            64 + task.objects.len() + 4 * listed.sum::<usize>()
        };
        let facts = task.init.iter().map(|atom| 64 + 8 * atom.arguments.len());
        parameters.map(of_parameter).sum::<usize>() + facts.sum::<usize>()
    }

    fn add_start(&mut self, task: &Lifted) {
        for atom in &task.init {
            let mut row = vec![atom.predicate.0];
            row.extend(atom.arguments.iter().map(|object| object.0));
            match self.is_fixed[atom.predicate.0 as usize] {
                true => {
                    if let (position, true) = self.fixed.share(&row) {
                        self.fixed_columns[atom.predicate.0 as usize].push(position);
                    }
                }
                false => self.start.push(row),
            }
        }
    }

    /// Adds what is wanted; `None` if a variable is in it, which only a quantifier can bring.
    fn add_goal(&mut self, goal: &Flat<'_>) -> Option<()> {
        for &(atom, wanted) in &goal.atoms {
            let mut row = vec![atom.predicate.0];
            for term in &atom.arguments {
                row.push(object(*term)?);
            }
            match self.is_fixed[atom.predicate.0 as usize] {
                true => self.is_hopeless |= self.fixed.find(&row).is_some() != wanted,
                false => self.goal.push((row, wanted)),
            }
        }
        for &(a, b, same) in &goal.equalities {
            self.is_hopeless |= (object(a)? == object(b)?) != same;
        }
        Some(())
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.fixed_columns.iter().map(|column| column.len() * 4).sum();
        let arrays: usize = self.schemas.iter().map(|schema| schema.predicates.bytes()).sum();
        self.written.bytes() + self.fixed.bytes() + columns + arrays
    }
}

fn object(term: Term) -> Option<u32> {
    match term {
        Term::Object(object) => Some(object.0),
        Term::Variable(_) => None,
    }
}

/// A condition as literals.
#[derive(Debug, Default)]
pub(super) struct Flat<'c> {
    /// Atoms, and whether they must hold.
    pub(super) atoms: Vec<(&'c Atom, bool)>,
    /// Terms, and whether they must be the same.
    pub(super) equalities: Vec<(Term, Term, bool)>,
}

impl<'c> Flat<'c> {
    pub(super) fn new(condition: &'c Condition) -> Result<Flat<'c>, Feature> {
        let mut flat = Flat::default();
        flat.add(condition, true)?;
        Ok(flat)
    }

    /// Conditions nest no deeper than the reader allows, so this may recurse.
    fn add(&mut self, condition: &'c Condition, holds: bool) -> Result<(), Feature> {
        match condition {
            Condition::And(parts) if holds => {
                parts.iter().try_for_each(|part| self.add(part, true))?;
            }
            // Not one of several: none of them.
            Condition::Or(parts) if !holds => {
                parts.iter().try_for_each(|part| self.add(part, false))?;
            }
            Condition::And(parts) | Condition::Or(parts) if parts.len() == 1 => {
                self.add(&parts[0], holds)?;
            }
            Condition::Not(part) => self.add(part, !holds)?,
            Condition::Atom(atom) => self.atoms.push((atom, holds)),
            Condition::Equal(a, b) => self.equalities.push((*a, *b, holds)),
            Condition::Exists(..) | Condition::Forall(..) => return Err(Feature::Quantifier),
            Condition::Compare(..) => return Err(Feature::Numbers),
            Condition::And(_) | Condition::Or(_) | Condition::Imply(..) => {
                return Err(Feature::Disjunction);
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.equalities.is_empty()
    }
}

#[cfg(test)]
impl Program {
    /// The array of an action's predicates, as positions of [`Program::written`], and its six
    /// borders; nothing if there is no such action or it never can be done.
    pub fn array(&self, action: usize) -> Option<(Vec<u32>, super::Ranges)> {
        let schema = self.schemas.iter().find(|schema| schema.action as usize == action)?;
        let mut array = Vec::new();
        schema.predicates.append_to(0..schema.predicates.len(), &mut array);
        Some((array, schema.ranges))
    }

    /// Predicates with their terms, in the order they are read: the number of the predicate,
    /// then positions of parameters, or 256 and the number of an object.
    pub fn written(&self) -> &Shared {
        &self.written
    }
}
