//! Every instance of every schema as operators and rules over facts.
//!
//! In:   the tuples that were reached.
//! Out:  a ground task; what is static is gone from its conditions.
//! Cost: linear in what comes out, and the joins of effects with `forall` or `when`.

use super::expand::{Expander, Prepared};
use super::formula::{FORMULA_BYTES, Formula, Helpers};
use super::join::Join;
use super::limits::{
    EFFECT_LITERALS, GroundError, Guard, LITERAL_BYTES, Limits, too_many_operators,
};
use super::normalise::{Conjunction, Normal, NormalEffect, Origin, Schema, body_atom};
use super::propositional::{Effect, FactNumbers, Ground, Literal, Operator, Range, Rule};
use super::relation::Relation;
use super::sink::Sink;
use crate::lifted::{Atom, Lifted, Term};

/// The ground task; `None` if its goal is false whatever is done.
pub(super) fn instantiate(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut [Relation],
    facts: &FactNumbers,
    guard: &mut Guard<'_>,
) -> Result<Option<Ground>, GroundError> {
    let starts = facts_of_start(lifted, normal, relations, facts);
    let mut ground = Ground::default();
    let mut helpers = Helpers::new(facts.len());
    let mut expander = Expander::new(normal, relations, facts, &starts);
    let mut buffer = Buffer::default();
    for (at, schema) in normal.schemas.iter().enumerate() {
        let mut schema = PreparedSchema::new(schema, &mut expander, guard)?;
        let relation = lifted.predicates.len() + at;
        for tuple in 0..expander.relations[relation].len() as u32 {
            buffer.binding.clear();
            buffer.binding.resize(schema.schema.n_variables, 0);
            let objects = expander.relations[relation].tuple(tuple);
            for (&variable, &object) in schema.schema.kept.iter().zip(objects) {
                buffer.binding[variable as usize] = object;
            }
            let made = Instance { schema: at as u32, tuple };
            let lent = guard.lent();
            schema.add(made, &mut ground, &mut helpers, &mut expander, &mut buffer, guard)?;
            guard.back_to(lent);
            check_size(&ground, &helpers, schema.schema, lifted, guard.limits)?;
        }
    }
    let goal = expander.prepare(&normal.goal, lifted.n_goal_variables, guard)?;
    let goal = expander.formula(&goal, &mut vec![0; lifted.n_goal_variables], guard)?;
    let Some(goal) = helpers.conjunction(goal, guard)? else { return Ok(None) };
    ground.goal = goal;
    for (body, fact) in &helpers.rules {
        let when = ground.add_literals(body);
        ground.rules.push(Rule { when, fact: *fact });
    }
    ground.is_derived = is_derived(lifted, facts);
    ground.starts = starts;
    ground.is_derived.resize(facts.len() + helpers.len(), true);
    ground.starts.resize(facts.len() + helpers.len(), false);
    sort(&mut ground, normal, &relations[lifted.predicates.len()..]);
    Ok(Some(ground))
}

/// Whether what was made so far is within the limits.
fn check_size(
    ground: &Ground,
    helpers: &Helpers,
    schema: &Schema,
    lifted: &Lifted,
    limits: &Limits,
) -> Result<(), GroundError> {
    if ground.operators.len() > limits.operators {
        return Err(too_many_operators(limits.operators));
    }
    let n_effects = ground.effects.len() + ground.rules.len() + helpers.rules.len();
    let n_literals = ground.literals.len() + helpers.n_literals;
    if n_literals + n_effects * EFFECT_LITERALS > limits.literals {
        let of = match schema.origin {
            Origin::Action(action) => &lifted.actions[action].name,
            Origin::Axiom(axiom) => {
                &lifted.predicates[lifted.axioms[axiom].predicate.0 as usize].name
            }
        };
        return Err(GroundError::TooManyLiterals { limit: limits.literals, of: of.clone() });
    }
    Ok(())
}

fn facts_of_start(
    lifted: &Lifted,
    normal: &Normal,
    relations: &[Relation],
    facts: &FactNumbers,
) -> Vec<bool> {
    let mut starts = vec![false; facts.len()];
    let mut tuple = Vec::new();
    for atom in &lifted.init {
        let predicate = atom.predicate.0 as usize;
        if normal.is_static[predicate] || lifted.predicates[predicate].is_derived {
            continue;
        }
        tuple.clear();
        tuple.extend(atom.arguments.iter().map(|object| object.0));
        if let Some(number) = relations[predicate].find(&tuple) {
            starts[facts.number(predicate, number) as usize] = true;
        }
    }
    starts
}

fn is_derived(lifted: &Lifted, facts: &FactNumbers) -> Vec<bool> {
    let mut derived = vec![false; facts.len()];
    for (at, _) in lifted.predicates.iter().enumerate().filter(|(_, p)| p.is_derived) {
        facts.of(at).for_each(|fact| derived[fact as usize] = true);
    }
    derived
}

/// Operators in the order of their actions, then of their arguments.
fn sort(ground: &mut Ground, normal: &Normal, instances: &[Relation]) {
    let key = |operator: &Operator| {
        let schema = &normal.schemas[operator.schema as usize];
        let action = match schema.origin {
            Origin::Action(action) => action,
            Origin::Axiom(_) => usize::MAX,
        };
        let tuple = instances[operator.schema as usize].tuple(operator.tuple);
        (action, &tuple[..schema.n_parameters])
    };
    ground.operators.sort_by(|a, b| key(a).cmp(&key(b)));
}

/// Rows that are filled again and again.
#[derive(Default)]
struct Buffer {
    binding: Vec<u32>,
    found: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Instance {
    schema: u32,
    tuple: u32,
}

struct PreparedSchema<'a> {
    schema: &'a Schema,
    rest: Vec<Prepared>,
    effects: Vec<PreparedEffect<'a>>,
}

struct PreparedEffect<'a> {
    effect: &'a NormalEffect,
    rest: Vec<Prepared>,
    /// `None` if there is nothing to choose: one effect per instance.
    join: Option<Join>,
    variables: Vec<Term>,
}

impl<'a> PreparedSchema<'a> {
    fn new(
        schema: &'a Schema,
        expander: &mut Expander<'_>,
        guard: &mut Guard<'_>,
    ) -> Result<Self, GroundError> {
        let n = schema.n_variables;
        let mut rest = |conjunction: &Conjunction, guard: &mut Guard<'_>| {
            let parts = conjunction.rest.iter();
            parts.map(|part| expander.prepare(part, n, guard)).collect::<Result<Vec<_>, _>>()
        };
        let own_rest = rest(&schema.condition, guard)?;
        let effects = schema.effects.iter().map(|effect| -> Result<_, GroundError> {
            let mut body = effect.condition.body.clone();
            let variables = body.variables.iter().map(|&(at, _)| Term::Variable(at)).collect();
            let is_plain =
                body.atoms.is_empty() && body.filters.is_empty() && body.variables.is_empty();
            if !effect.adds {
                // Only what can hold can be lost.
                body.atoms.push(body_atom(&effect.atom));
            }
            guard.hold(size_of::<PreparedEffect<'_>>())?;
            let join = match is_plain {
                true => None,
                false => Some(Join::new(body, n, &schema.kept, guard)?),
            };
            Ok(PreparedEffect { effect, rest: rest(&effect.condition, guard)?, join, variables })
        });
        let effects = effects.collect::<Result<Vec<_>, _>>()?;
        Ok(PreparedSchema { schema, rest: own_rest, effects })
    }

    /// Adds the operators or rules of one instance, whose objects are in the buffer.
    fn add(
        &mut self,
        instance: Instance,
        ground: &mut Ground,
        helpers: &mut Helpers,
        expander: &mut Expander<'_>,
        buffer: &mut Buffer,
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let literals = &self.schema.condition.literals;
        let needs = formula(literals, &self.rest, expander, buffer, guard)?;
        if needs.is_false() {
            return Ok(());
        }
        let needs = helpers.alternatives(needs, guard)?;
        if let Origin::Axiom(_) = self.schema.origin {
            let head = expander.fact(&self.schema.effects[0].atom, &buffer.binding);
            for body in needs.iter().filter(|_| head.is_some()) {
                hold_effect(body, guard)?;
                let when = ground.add_literals(body);
                ground.rules.push(Rule { when, fact: head.unwrap_or_default() });
            }
            return Ok(());
        }
        let first = ground.effects.len();
        for effect in &mut self.effects {
            effect.add(ground, helpers, expander, buffer, guard)?;
        }
        let effects = Range::new(first, ground.effects.len());
        for body in needs {
            hold_effect(&body, guard)?;
            let needs = ground.add_literals(&body);
            let Instance { schema, tuple } = instance;
            ground.operators.push(Operator { schema, tuple, needs, effects });
        }
        Ok(())
    }
}

impl PreparedEffect<'_> {
    fn add(
        &mut self,
        ground: &mut Ground,
        helpers: &mut Helpers,
        expander: &mut Expander<'_>,
        buffer: &mut Buffer,
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let Some(join) = &mut self.join else {
            return self.add_one(ground, helpers, expander, buffer, guard);
        };
        let mut found = std::mem::take(&mut buffer.found);
        found.clear();
        let lent = guard.lent();
        let n_found = join.run(
            expander.relations,
            &expander.normal.domains,
            None,
            &mut buffer.binding,
            &self.variables,
            &mut Sink::Row(&mut found, guard.limits.operators),
            guard,
        )?;
        for at in 0..n_found {
            let objects = &found[at * self.variables.len()..(at + 1) * self.variables.len()];
            for (&term, &object) in self.variables.iter().zip(objects) {
                if let Term::Variable(variable) = term {
                    buffer.binding[variable as usize] = object;
                }
            }
            self.add_one(ground, helpers, expander, buffer, guard)?;
        }
        buffer.found = found;
        guard.back_to(lent);
        Ok(())
    }

    /// The effect for the objects in the buffer.
    fn add_one(
        &self,
        ground: &mut Ground,
        helpers: &mut Helpers,
        expander: &mut Expander<'_>,
        buffer: &mut Buffer,
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let Some(fact) = expander.fact(&self.effect.atom, &buffer.binding) else { return Ok(()) };
        let literals = &self.effect.condition.literals;
        let lent = guard.lent();
        let when = formula(literals, &self.rest, expander, buffer, guard)?;
        if when.is_false() {
            guard.back_to(lent);
            return Ok(());
        }
        for body in helpers.alternatives(when, guard)? {
            hold_effect(&body, guard)?;
            let when = ground.add_literals(&body);
            let (adds, source) = (self.effect.adds, self.effect.source as u32);
            ground.effects.push(Effect { when, fact, adds, source });
        }
        guard.back_to(lent);
        Ok(())
    }
}

/// Counts what an effect, a rule or what an operator needs takes.
fn hold_effect(literals: &[Literal], guard: &mut Guard<'_>) -> Result<(), GroundError> {
    guard.hold((EFFECT_LITERALS + literals.len()) * LITERAL_BYTES)
}

/// All literals and all of the rest.
fn formula(
    literals: &[(Atom, bool)],
    rest: &[Prepared],
    expander: &mut Expander<'_>,
    buffer: &mut Buffer,
    guard: &mut Guard<'_>,
) -> Result<Formula, GroundError> {
    guard.work(1 + literals.len() as u64)?;
    guard.lend((literals.len() + rest.len()) * FORMULA_BYTES)?;
    let mut parts = Vec::with_capacity(literals.len() + rest.len());
    for (atom, positive) in literals {
        let part = expander.atom(atom, *positive, &buffer.binding);
        if part.is_false() {
            return Ok(part);
        }
        parts.push(part);
    }
    for part in rest {
        let part = expander.formula(part, &mut buffer.binding, guard)?;
        if part.is_false() {
            return Ok(part);
        }
        parts.push(part);
    }
    Ok(Formula::all(parts))
}
