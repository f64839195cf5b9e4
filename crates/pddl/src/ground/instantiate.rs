//! Every instance of every schema as operators and rules over facts.
//!
//! In:   the tuples that were reached.
//! Out:  a ground task; what is static is gone from its conditions.
//! Cost: linear in what comes out, and the joins of effects with `forall` or `when`.

use super::expand::{Expander, Prepared, bind_row};
use super::formula::{FORMULA_BYTES, Formula, Helpers};
use super::join::Join;
use super::limits::{
    Checked, EFFECT_LITERALS, GroundError, Guard, LITERAL_BYTES, too_many_operators,
};
use super::normalise::{Conjunction, Normal, NormalEffect, Origin, Schema};
use super::propositional::{Effect, FactNumbers, Ground, Operator, Range};
use super::relation::Relation;
use super::without_numbers::is_comparison;
use crate::lifted::{Lifted, Term};

/// The ground task; `None` if its goal is false whatever is done.
pub(super) fn instantiate(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut [Relation],
    guard: &Guard<'_>,
) -> Checked<Option<Ground>> {
    let facts = &FactNumbers::new(relations, &normal.is_static);
    let starts = facts_of_start(lifted, normal, relations, facts);
    let (joins, key) = (Vec::new(), Vec::new());
    let expander = Expander { normal, relations, facts, starts: &starts, guard, joins, key };
    let mut maker = Maker {
        expander,
        guard,
        ground: Ground::default(),
        helpers: Helpers::new(facts.len(), guard),
        binding: Vec::new(),
        found: Vec::new(),
    };
    for (at, schema) in normal.schemas.iter().enumerate() {
        let relation = lifted.predicates.len() + at;
        let mut schema = PreparedSchema::new(at as u32, schema, &mut maker.expander)?;
        for tuple in 0..maker.expander.relations[relation].len() as u32 {
            maker.bind(&schema, relation, tuple);
            let lent = guard.lent.get();
            maker.add(&mut schema, tuple)?;
            guard.lent.set(lent);
            maker.check_size(schema.schema, lifted)?;
        }
    }
    let n_variables = lifted.n_goal_variables;
    let goal = maker.expander.prepare(&normal.goal, n_variables)?;
    let goal = maker.expander.formula(&goal, &mut vec![0; n_variables])?;
    let Maker { mut ground, mut helpers, .. } = maker;
    let Some(goal) = helpers.conjunction(goal)? else { return Ok(None) };
    ground.goal = goal;
    for (body, fact) in &helpers.rules {
        ground.add_rule(body, *fact);
    }
    let n_helpers = helpers.len();
    ground.is_derived = is_derived(lifted, facts);
    ground.is_derived.resize(facts.len() + n_helpers, true);
    if lifted.predicates.iter().any(is_comparison) {
        let predicates = lifted.predicates.iter().enumerate();
        let by_fact = predicates.flat_map(|(at, of)| facts.of(at).map(|_| is_comparison(of)));
        ground.is_comparison = by_fact.collect();
        ground.is_comparison.resize(facts.len() + n_helpers, false);
    }
    ground.starts = starts;
    ground.starts.resize(facts.len() + n_helpers, false);
    sort(&mut ground, normal, &relations[lifted.predicates.len()..]);
    Ok(Some(ground))
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
        let predicate = atom.predicate.index();
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
    let predicates = lifted.predicates.iter().enumerate();
    predicates.flat_map(|(at, of)| facts.of(at).map(|_| of.is_derived)).collect()
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

struct PreparedSchema<'a> {
    number: u32,
    schema: &'a Schema,
    rest: Vec<Prepared>,
    effects: Vec<PreparedEffect<'a>>,
}

struct PreparedEffect<'a> {
    effect: &'a NormalEffect,
    rest: Vec<Prepared>,
    /// `None` if there is nothing to choose: one effect per instance.
    join: Option<Join<'a>>,
    variables: Vec<Term>,
}

impl<'a> PreparedSchema<'a> {
    fn new(number: u32, schema: &'a Schema, expander: &mut Expander<'a>) -> Checked<Self> {
        let n = schema.n_variables;
        let (guard, domains) = (expander.guard, &expander.normal.domains);
        let mut rest = |conjunction: &Conjunction| {
            let parts = conjunction.rest.iter();
            parts.map(|part| expander.prepare(part, n)).collect::<Checked<Vec<_>>>()
        };
        let own_rest = rest(&schema.condition)?;
        let effects = schema.effects.iter().map(|effect| {
            let mut body = effect.condition.body.clone();
            let variables = body.variables.iter().map(|&(at, _)| Term::Variable(at)).collect();
            let is_plain =
                body.atoms.is_empty() && body.filters.is_empty() && body.variables.is_empty();
            if !effect.adds {
                // Only what can hold can be lost.
                body.atoms.push(effect.atom.clone());
            }
            guard.hold(size_of::<PreparedEffect<'_>>())?;
            let join = match is_plain {
                true => None,
                false => Some(Join::new(body, n, &schema.kept, domains, guard)?),
            };
            Ok(PreparedEffect { effect, rest: rest(&effect.condition)?, join, variables })
        });
        let effects = effects.collect::<Checked<Vec<_>>>()?;
        Ok(PreparedSchema { number, schema, rest: own_rest, effects })
    }
}

/// The ground task on its way.
struct Maker<'a> {
    expander: Expander<'a>,
    guard: &'a Guard<'a>,
    ground: Ground,
    helpers: Helpers<'a>,
    /// The objects of the variables now.
    binding: Vec<u32>,
    /// What a join found; filled again and again.
    found: Vec<u32>,
}

impl Maker<'_> {
    /// Gives the variables of a schema the objects of one instance.
    fn bind(&mut self, schema: &PreparedSchema<'_>, relation: usize, tuple: u32) {
        self.binding.clear();
        self.binding.resize(schema.schema.n_variables, 0);
        let objects = self.expander.relations[relation].tuple(tuple);
        for (&variable, &object) in schema.schema.kept.iter().zip(objects) {
            self.binding[variable as usize] = object;
        }
    }

    /// Adds the operators or rules of the instance that is bound.
    fn add(&mut self, schema: &mut PreparedSchema<'_>, tuple: u32) -> Checked<()> {
        let needs = self.formula(&schema.schema.condition, &schema.rest)?;
        if needs == Formula::FALSE {
            return Ok(());
        }
        let needs = self.helpers.alternatives(needs)?;
        if let Origin::Axiom(_) = schema.schema.origin {
            let head = self.expander.fact(&schema.schema.effects[0].atom, &self.binding);
            for body in needs.iter().filter(|_| head.is_some()) {
                self.hold_literals(body)?;
                self.ground.add_rule(body, head.unwrap_or_default());
            }
            return Ok(());
        }
        let first = self.ground.effects.len();
        schema.effects.iter_mut().try_for_each(|effect| self.add_effects(effect))?;
        let effects = Range::new(first, self.ground.effects.len());
        for body in needs {
            self.hold_literals(&body)?;
            let needs = self.ground.add_literals(&body);
            self.ground.operators.push(Operator { schema: schema.number, tuple, needs, effects });
        }
        Ok(())
    }

    fn add_effects(&mut self, effect: &mut PreparedEffect<'_>) -> Checked<()> {
        let Some(join) = &mut effect.join else { return self.add_effect(effect) };
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let lent = self.guard.lent.get();
        let (relations, variables) = (&mut *self.expander.relations, &effect.variables);
        for at in 0..join.all(relations, &mut self.binding, variables, &mut found)? {
            bind_row(&effect.variables, &found, at, &mut self.binding);
            self.add_effect(effect)?;
        }
        self.found = found;
        self.guard.lent.set(lent);
        Ok(())
    }

    /// The effect for the objects that are bound.
    fn add_effect(&mut self, prepared: &PreparedEffect<'_>) -> Checked<()> {
        let &NormalEffect { adds, source, ref atom, ref condition } = prepared.effect;
        let Some(fact) = self.expander.fact(atom, &self.binding) else { return Ok(()) };
        let lent = self.guard.lent.get();
        let when = self.formula(condition, &prepared.rest)?;
        if when != Formula::FALSE {
            for body in self.helpers.alternatives(when)? {
                self.hold_literals(&body)?;
                let when = self.ground.add_literals(&body);
                self.ground.effects.push(Effect { when, fact, adds, source: source as u32 });
            }
        }
        self.guard.lent.set(lent);
        Ok(())
    }

    /// What an effect, a rule or an operator needs.
    fn hold_literals(&self, literals: &[u32]) -> Checked<()> {
        self.guard.hold((EFFECT_LITERALS + literals.len()) * LITERAL_BYTES)
    }

    /// All literals of a condition and all of its rest.
    fn formula(&mut self, condition: &Conjunction, rest: &[Prepared]) -> Checked<Formula> {
        let literals = &condition.literals;
        self.guard.work(1 + literals.len() as u64)?;
        self.guard.lend((literals.len() + rest.len()) * FORMULA_BYTES)?;
        let mut parts = Vec::with_capacity(literals.len() + rest.len());
        for (atom, positive) in literals {
            parts.push(self.expander.atom(atom, *positive, &self.binding));
            if parts.last() == Some(&Formula::FALSE) {
                return Ok(Formula::FALSE);
            }
        }
        for part in rest {
            parts.push(self.expander.formula(part, &mut self.binding)?);
            if parts.last() == Some(&Formula::FALSE) {
                return Ok(Formula::FALSE);
            }
        }
        Ok(Formula::several(true, parts))
    }

    /// Whether what was made so far is within the limits.
    fn check_size(&self, schema: &Schema, lifted: &Lifted) -> Checked<()> {
        let (Maker { ground, helpers, .. }, limits) = (self, self.guard.limits);
        if ground.operators.len() > limits.operators {
            return Err(too_many_operators(limits.operators));
        }
        let n_effects = ground.effects.len() + ground.rules.len() + helpers.rules.len();
        let n_literals = ground.literals.len() + helpers.n_literals;
        if n_literals + n_effects * EFFECT_LITERALS <= limits.literals {
            return Ok(());
        }
        let of = match schema.origin {
            Origin::Action(action) => &lifted.actions[action].name,
            Origin::Axiom(axiom) => &lifted.predicates[lifted.axioms[axiom].predicate.index()].name,
        };
        Err(GroundError::TooManyLiterals { limit: limits.literals, of: of.clone() })
    }
}
