//! Phase 4: the ground task as variables, operators, rules and names.
//!
//! In:   the ground task and the groups.
//! Out:  a [`Grounded`] task.
//! Cost: linear in the task.

use super::cover::cover;
use super::invariants::Groups;
use super::knowledge::Knowledge;
use super::layers::layers;
use super::limits::Refusal;
use super::normalise::{Normal, Origin};
use super::operators::{Encoding, NONE, Setting, To};
use super::propositional::{Ground, Literal, Operator, fact_of, holds};
use super::prune::prune;
use super::reach::{Reached, unreachable_text};
use super::relation::Relation;
use super::relevance::keep_relevant;
use super::{Counts, Grounded};
use crate::lifted::{Cost, Lifted, Term};
use crate::named::{NamedTask, VariableNames};
use throng_planner::forward::{Atom, Task};

/// A variable has at most so many facts: values are 16 bits wide, and one stands for none.
const MOST_VALUES: usize = 60_000;

/// Makes the task.
///
/// # Errors
///
/// If a cost is missing or derived predicates depend on their own negation.
pub fn build(
    lifted: &Lifted,
    normal: &Normal,
    reached: &Reached,
    groups: &Groups,
) -> Result<Grounded, Refusal> {
    let counts = Counts { joins: reached.work, groups: groups.groups.len(), ..Counts::default() };
    if let Some(unreachable) = &reached.unreachable {
        return Ok(without_plan(lifted, unreachable.clone(), counts));
    }
    let mut ground = match keep_useful(&reached.ground) {
        Ok(ground) => ground,
        Err(never) => {
            let name = |fact| reached.facts.pddl(fact, lifted, &reached.relations);
            return Ok(without_plan(lifted, unreachable_text(never, name), counts));
        }
    };
    drop_dominated(&mut ground, lifted, normal, reached);
    let layers = layers(&ground).map_err(|fact| Refusal::NotStratified {
        fact: reached.facts.pddl(fact, lifted, &reached.relations),
    })?;
    let mut wanted = vec![false; ground.n_facts()];
    for effect in ground.operators.iter().flat_map(|operator| ground.effects(operator)) {
        wanted[effect.fact as usize] = true;
    }
    let atoms = wanted.iter().filter(|wanted| **wanted).count();
    let encoding = Encoding::new(cover(&groups.groups, &wanted, MOST_VALUES), &ground);
    let mut builder = Builder {
        lifted,
        normal,
        reached,
        ground: &ground,
        derived_of: vec![NONE; ground.n_facts()],
        encoding,
        costs: Costs::new(lifted),
        made: Grounded::default(),
    };
    builder.variables(&layers);
    builder.operators()?;
    builder.rules();
    let Some(goal) = builder.atoms(&ground.goal, &[]) else {
        return Ok(without_plan(lifted, "the goal".to_owned(), counts));
    };
    let mut made = builder.finish(groups);
    made.named.task.set_goal(goal.into_iter());
    made.named.has_metric = lifted.has_metric;
    let (variables, operators) = (made.named.variables.len(), made.named.operators.len());
    made.counts = Counts { atoms, operators, variables, ..counts };
    Ok(made)
}

/// The task without what does not help. Without operators that do not help, facts may hold for
/// ever that did not before, so what asks for their end can never happen: both are taken out
/// until nothing more goes.
fn keep_useful(ground: &Ground) -> Result<Ground, Literal> {
    let size = |of: &Ground| (of.operators.len(), of.effects.len(), of.rules.len());
    let mut kept = keep_relevant(ground);
    while size(&kept) < size(ground) {
        let before = size(&kept);
        kept = keep_relevant(&prune(&kept, &Knowledge::default())?);
        if size(&kept) == before {
            break;
        }
    }
    Ok(kept)
}

/// A task that has no plan: a variable that nothing sets to its goal value.
fn without_plan(lifted: &Lifted, unreachable: String, counts: Counts) -> Grounded {
    let mut task = Task::default();
    let variable = task.add_variable(2, 0);
    task.set_goal(std::iter::once(Atom { variable, value: 1 }));
    let values = vec![format!("NegatedAtom {unreachable}"), format!("Atom {unreachable}")];
    let variables = vec![VariableNames { name: "var0".to_owned(), values }];
    let has_metric = lifted.has_metric;
    let named = NamedTask { task, variables, has_metric, ..NamedTask::default() };
    let counts = Counts { variables: 1, ..counts };
    Grounded { named, unreachable: Some(unreachable), counts, ..Grounded::default() }
}

/// The action of an operator and its arguments.
fn step<'a>(
    operator: &Operator,
    lifted: &Lifted,
    normal: &Normal,
    reached: &'a Reached,
) -> (usize, &'a [u32]) {
    let schema = &normal.schemas[operator.schema as usize];
    let Origin::Action(action) = schema.origin else { return (usize::MAX, &[]) };
    let instances = &reached.relations[lifted.predicates.len() + operator.schema as usize];
    (action, &instances.tuple(operator.tuple)[..schema.n_parameters])
}

/// Drops operators that are another's copy, or need more for the same: alternatives of one step.
fn drop_dominated(ground: &mut Ground, lifted: &Lifted, normal: &Normal, reached: &Reached) {
    let operators = std::mem::take(&mut ground.operators);
    let mut kept: Vec<Operator> = Vec::with_capacity(operators.len());
    for same in operators
        .chunk_by(|a, b| step(a, lifted, normal, reached) == step(b, lifted, normal, reached))
    {
        if let [only] = same {
            kept.push(*only);
            continue;
        }
        let effects = |operator: &Operator| -> Vec<(u32, bool, &[Literal])> {
            let of = ground.effects(operator).iter();
            of.map(|effect| (effect.fact, effect.adds, ground.when(effect))).collect()
        };
        let covers = |by: &Operator, operator: &Operator| {
            let needs = ground.needs(operator);
            ground.needs(by).iter().all(|need| needs.contains(need))
                && effects(by) == effects(operator)
        };
        for (at, operator) in same.iter().enumerate() {
            let is_covered = same.iter().enumerate().any(|(other, by)| {
                // Of equals the first stays.
                let stays = other < at || other > at && !covers(operator, by);
                stays && covers(by, operator)
            });
            if !is_covered {
                kept.push(*operator);
            }
        }
    }
    ground.operators = kept;
}

struct Builder<'a> {
    lifted: &'a Lifted,
    normal: &'a Normal,
    reached: &'a Reached,
    ground: &'a Ground,
    encoding: Encoding,
    /// By fact, its derived variable.
    derived_of: Vec<u32>,
    costs: Costs,
    made: Grounded,
}

impl Builder<'_> {
    fn text(&self, fact: u32) -> String {
        self.reached.facts.text(fact, self.lifted, &self.reached.relations)
    }

    fn add_names(&mut self, values: Vec<String>) {
        let name = format!("var{}", self.made.named.variables.len());
        self.made.named.variables.push(VariableNames { name, values });
    }

    /// Adds the variables: groups, companions, derived ones.
    fn variables(&mut self, layers: &[u32]) {
        for at in 0..self.encoding.groups.len() {
            let group = &self.encoding.groups[at];
            let start = group.iter().position(|&fact| self.ground.starts[fact as usize]);
            let start = start.unwrap_or(group.len()) as u16;
            let mut values: Vec<String> =
                group.iter().map(|&fact| format!("Atom {}", self.text(fact))).collect();
            if self.encoding.has_none[at] {
                values.push(match group[..] {
                    [only] => format!("NegatedAtom {}", self.text(only)),
                    _ => "<none of those>".to_owned(),
                });
            }
            self.made.named.task.add_variable(values.len() as u32, start);
            self.add_names(values);
        }
        for fact in self.encoding.companions.clone() {
            let start = u16::from(!self.ground.starts[fact as usize]);
            self.made.named.task.add_variable(2, start);
            self.add_names(self.two_names(fact));
        }
        let mut derived: Vec<u32> = self.ground.rules.iter().map(|rule| rule.fact).collect();
        derived.sort_unstable();
        derived.dedup();
        for fact in derived {
            let variable = self.made.named.task.add_derived(2, 1, layers[fact as usize]);
            self.derived_of[fact as usize] = variable;
            self.add_names(self.two_names(fact));
        }
    }

    fn two_names(&self, fact: u32) -> Vec<String> {
        let text = self.text(fact);
        vec![format!("Atom {text}"), format!("NegatedAtom {text}")]
    }

    /// Literals as values of variables, each variable once, sorted; `None` if they exclude each
    /// other. What `needs` imply is left out by the caller.
    fn atoms(&self, literals: &[Literal], needs: &[Literal]) -> Option<Vec<Atom>> {
        let mut atoms = Vec::with_capacity(literals.len());
        for &literal in literals {
            let fact = fact_of(literal) as usize;
            let derived = self.derived_of[fact];
            let group = self.encoding.variable_of[fact];
            if derived != NONE {
                atoms.push(Atom { variable: derived, value: u16::from(!holds(literal)) });
            } else if group == NONE {
                // Nothing changes it any more: it is as at the start.
                if self.ground.starts[fact] != holds(literal) {
                    return None;
                }
            } else if holds(literal) {
                atoms.push(Atom { variable: group, value: self.encoding.value_of[fact] });
            } else if self.encoding.size(group as usize) <= 2 {
                atoms.push(Atom { variable: group, value: 1 - self.encoding.value_of[fact] });
            } else if self.encoding.companion_of[fact] != NONE
                && !self.encoding.is_implied(literal, literals, needs)
            {
                atoms.push(Atom { variable: self.encoding.companion_of[fact], value: 1 });
            }
        }
        atoms.sort_unstable();
        atoms.dedup();
        let clash = atoms.windows(2).any(|pair| pair[0].variable == pair[1].variable);
        (!clash).then_some(atoms)
    }

    fn operators(&mut self) -> Result<(), Refusal> {
        let mut settings = Vec::new();
        let mut name = String::new();
        for operator in &self.ground.operators {
            let literals = self.ground.needs(operator);
            let Some(needs) = self.atoms(literals, &[]) else { continue };
            settings.clear();
            self.encoding.settings(self.ground, operator, &mut settings);
            let (sets, effects) = self.effects(&settings, literals, &needs);
            if sets.is_empty() && effects.is_empty() {
                continue;
            }
            let (action, objects) = step(operator, self.lifted, self.normal, self.reached);
            let cost = self.costs.of(self.lifted, action, objects)?;
            let named = &mut self.made.named;
            named.task.add_operator(needs.into_iter(), sets.into_iter(), cost);
            for (when, to) in effects {
                named.task.add_effect(when.into_iter(), to);
            }
            name.clear();
            name.push_str(&self.lifted.actions[action].name);
            for &object in objects {
                name.push(' ');
                name.push_str(&self.lifted.objects[object as usize].name);
            }
            named.operators.push(&name);
            self.made.steps.push(action as u32, objects);
        }
        Ok(())
    }

    /// What an operator always sets, and what it sets under conditions, in order.
    fn effects(
        &self,
        settings: &[Setting],
        literals: &[Literal],
        needs: &[Atom],
    ) -> (Vec<Atom>, Vec<(Vec<Atom>, Atom)>) {
        let mut sets: Vec<Atom> = Vec::new();
        let mut effects: Vec<(Vec<Atom>, Atom)> = Vec::new();
        for setting in settings {
            let to = self.value(setting);
            let Some(mut when) = self.atoms(&setting.when, literals) else { continue };
            let is_needed = |atom: &Atom| needs.binary_search(atom).is_ok();
            let clash = |atom: &Atom| {
                needs.iter().any(|n| n.variable == atom.variable && n.value != atom.value)
            };
            if when.iter().any(clash) {
                continue;
            }
            when.retain(|atom| !is_needed(atom));
            let before = effects.iter().any(|(_, other)| other.variable == to.variable);
            if !when.is_empty() || before {
                effects.push((when, to));
            } else {
                sets.retain(|other| other.variable != to.variable);
                sets.push(to);
            }
        }
        let is_changed_later = |set: &Atom| effects.iter().any(|(_, e)| e.variable == set.variable);
        sets.retain(|set| !needs.contains(set) || is_changed_later(set));
        (sets, effects)
    }

    fn value(&self, setting: &Setting) -> Atom {
        let variable = setting.variable;
        let value = match self.encoding.groups.get(variable as usize) {
            // A companion.
            None => u16::from(setting.to == To::NoFact),
            Some(group) => match setting.to {
                To::Fact(fact) => self.encoding.value_of[fact as usize],
                To::NoFact => group.len() as u16,
            },
        };
        Atom { variable, value }
    }

    fn rules(&mut self) {
        for rule in &self.ground.rules {
            if let Some(when) = self.atoms(self.ground.body(rule), &[]) {
                let variable = self.derived_of[rule.fact as usize];
                self.made.named.task.add_axiom(when.into_iter(), Atom { variable, value: 0 });
            }
        }
    }

    /// The groups that are not just one variable's, and what was made.
    fn finish(mut self, groups: &Groups) -> Grounded {
        for group in &groups.groups {
            let in_variables = group.iter().map(|&fact| fact as usize);
            let in_variables = in_variables.filter(|&fact| self.encoding.variable_of[fact] != NONE);
            let atoms: Vec<Atom> = in_variables
                .map(|fact| Atom {
                    variable: self.encoding.variable_of[fact],
                    value: self.encoding.value_of[fact],
                })
                .collect();
            if atoms.iter().any(|atom| atom.variable != atoms[0].variable) {
                self.made.named.mutexes.push(atoms);
            }
        }
        self.made
    }
}

/// The values of the functions, to look up.
struct Costs {
    /// By function, its arguments; in the same order the values.
    arguments: Vec<Relation>,
    values: Vec<Vec<u64>>,
    objects: Vec<u32>,
}

impl Costs {
    fn new(lifted: &Lifted) -> Self {
        let mut costs = Costs {
            arguments: lifted.functions.iter().map(|f| Relation::new(f.arguments.len())).collect(),
            values: vec![Vec::new(); lifted.functions.len()],
            objects: Vec::new(),
        };
        for (function, arguments, value) in &lifted.values {
            let objects: Vec<u32> = arguments.iter().map(|object| object.0).collect();
            if costs.arguments[function.0 as usize].insert(&objects).is_some() {
                costs.values[function.0 as usize].push(value.0);
            }
        }
        costs
    }

    /// What a step costs, in thousandths.
    fn of(&mut self, lifted: &Lifted, action: usize, objects: &[u32]) -> Result<u64, Refusal> {
        if !lifted.has_metric {
            return Ok(1000);
        }
        let action_of = &lifted.actions[action];
        let mut total: u64 = 0;
        for part in &action_of.cost {
            let (function, terms) = match part {
                Cost::Number(number) => {
                    total = total.saturating_add(number.0);
                    continue;
                }
                Cost::Function(function, terms) => (function.0 as usize, terms),
            };
            self.objects.clear();
            self.objects.extend(terms.iter().map(|&term| match term {
                Term::Object(object) => object.0,
                Term::Variable(variable) => objects.get(variable as usize).copied().unwrap_or(0),
            }));
            let Some(at) = self.arguments[function].find(&self.objects) else {
                let name = |object: &u32| lifted.objects[*object as usize].name.clone();
                let text = |head: &str, objects: &[u32]| {
                    let words: Vec<String> = objects.iter().map(name).collect();
                    format!("({})", [&[head.to_owned()][..], &words[..]].concat().join(" "))
                };
                let value = text(&lifted.functions[function].name, &self.objects);
                let step = text(&action_of.name, objects);
                return Err(Refusal::NoCost { value, step });
            };
            total = total.saturating_add(self.values[function][at as usize]);
        }
        Ok(total)
    }
}
