//! Phase 4: the ground task as variables, operators, rules and names.
//!
//! In:   the ground task and the groups.
//! Out:  a [`Grounded`] task.
//! Cost: linear in the task.

use super::costs::Costs;
use super::cover::cover;
use super::dominated::drop_dominated;
use super::grounded::{Counts, Grounded};
use super::invariants::Groups;
use super::knowledge::{Asked, Knowledge};
use super::layers::layers;
use super::limits::{Checked, GroundError, Guard};
use super::operators::{Encoding, NONE, Setting};
use super::propositional::{Ground, Literal, Operator, fact_of, holds};
use super::prune::prune;
use super::reach::Reached;
use super::relevance::keep_relevant;
use super::unreachable::{Halt, Unreachable};
use crate::lifted::{Lifted, ObjectId};
use crate::named::{NamedTask, VariableNames, clash};
use throng_planner::forward::{Atom, GroundTask};

/// A variable has at most so many facts: values are 16 bits wide, and one stands for none.
const MOST_VALUES: usize = 60_000;

/// Makes the task.
pub(super) fn build(
    reached: &Reached<'_>,
    ground: &Ground,
    groups: &Groups,
    counts: Counts,
    guard: &Guard<'_>,
) -> Result<Grounded, Halt> {
    let mut ground = keep_useful(ground, guard)?;
    let same_step = |a: &Operator, b: &Operator| reached.step(a) == reached.step(b);
    drop_dominated(&mut ground, same_step, guard)?;
    let layers = layers(&ground, guard)?;
    let layers = layers.map_err(|fact| GroundError::NotStratified { fact: reached.pddl(fact) })?;
    let mut wanted = vec![false; ground.n_facts()];
    for effect in ground.operators.iter().flat_map(|operator| ground.effects(operator)) {
        wanted[effect.fact as usize] = true;
    }
    let atoms = wanted.iter().filter(|wanted| **wanted).count();
    let cover = cover(groups, &wanted, MOST_VALUES, guard)?;
    let mut builder = Builder {
        reached,
        guard,
        ground: &ground,
        derived_of: vec![NONE; ground.n_facts()],
        encoding: Encoding::new(cover, &ground, guard)?,
        costs: Costs::new(reached.lifted),
        made: Grounded::default(),
    };
    builder.variables(&layers)?;
    builder.operators()?;
    builder.rules()?;
    let goal = builder.atoms(&ground.goal, &Asked::default());
    let goal = goal.ok_or_else(|| Halt::Goal("the goal".to_owned()))?;
    let mut made = builder.finish(groups);
    made.named.task.set_goal(goal.into_iter());
    made.named.has_metric = reached.lifted.has_metric;
    let (variables, operators) = (made.named.variables.len(), made.named.operators.len());
    made.counts = Counts { atoms, operators, variables, ..counts };
    Ok(made)
}

/// The task without what does not help. Without operators that do not help, facts may hold for
/// ever that did not before, so what asks for their end can never happen: both are taken out
/// until nothing more goes.
fn keep_useful(ground: &Ground, guard: &Guard<'_>) -> Result<Ground, Halt> {
    let size = |of: &Ground| (of.operators.len(), of.effects.len(), of.rules.len());
    let mut before = size(ground);
    let mut kept = keep_relevant(ground, guard)?;
    while size(&kept) < before {
        before = size(&kept);
        kept = keep_relevant(&prune(&kept, &Knowledge::default(), guard)?, guard)?;
    }
    Ok(kept)
}

/// A task that has no plan: a variable that nothing sets to its goal value.
pub(super) fn without_plan(lifted: &Lifted, unreachable: Unreachable, counts: Counts) -> Grounded {
    let mut task = GroundTask::default();
    let variable = task.add_variable(2, 0);
    task.set_goal(std::iter::once(Atom { variable, value: 1 }));
    let part = unreachable.part();
    let values = vec![format!("NegatedAtom {part}"), format!("Atom {part}")];
    let variables = vec![VariableNames { name: "var0".to_owned(), values }];
    let has_metric = lifted.has_metric;
    let named = NamedTask { task, variables, has_metric, ..NamedTask::default() };
    let counts = Counts { variables: 1, ..counts };
    Grounded { named, unreachable: Some(unreachable), counts, ..Grounded::default() }
}

/// What is always set, and what is set under conditions.
type Sets = (Vec<Atom>, Vec<(Vec<Atom>, Atom)>);

struct Builder<'a> {
    reached: &'a Reached<'a>,
    guard: &'a Guard<'a>,
    ground: &'a Ground,
    encoding: Encoding,
    /// By fact, its derived variable.
    derived_of: Vec<u32>,
    costs: Costs<'a>,
    made: Grounded,
}

impl Builder<'_> {
    fn add_names(&mut self, values: Vec<String>) {
        let name = format!("var{}", self.made.named.variables.len());
        self.made.named.variables.push(VariableNames { name, values });
    }

    /// Adds the variables: groups, companions, derived ones.
    fn variables(&mut self, layers: &[u32]) -> Checked<()> {
        for at in 0..self.encoding.groups.len() {
            let group = &self.encoding.groups[at];
            self.guard.pass(group.len())?;
            let start = group.iter().position(|&fact| self.ground.starts[fact as usize]);
            let start = start.unwrap_or(group.len()) as u16;
            let mut values: Vec<String> = Vec::with_capacity(group.len() + 1);
            for &fact in group {
                let text = self.reached.text(fact);
                self.guard.hold(2 * text.len())?;
                values.push(format!("Atom {text}"));
            }
            if self.encoding.has_none[at] {
                values.push(match group[..] {
                    [only] => format!("NegatedAtom {}", self.reached.text(only)),
                    _ => "<none of those>".to_owned(),
                });
            }
            self.made.named.task.add_variable(values.len() as u32, start);
            self.add_names(values);
        }
        for fact in self.encoding.companions.clone() {
            let start = u16::from(!self.ground.starts[fact as usize]);
            self.made.named.task.add_variable(2, start);
            self.add_two_names(fact)?;
        }
        let mut derived: Vec<u32> = self.ground.rules.iter().map(|rule| rule.fact).collect();
        derived.sort_unstable();
        derived.dedup();
        for fact in derived {
            let variable = self.made.named.task.add_derived(2, 1, layers[fact as usize]);
            self.derived_of[fact as usize] = variable;
            self.add_two_names(fact)?;
        }
        Ok(())
    }

    fn add_two_names(&mut self, fact: u32) -> Checked<()> {
        let text = self.reached.text(fact);
        self.guard.pass(1 + text.len() / 16)?;
        self.guard.hold(2 * text.len())?;
        self.add_names(vec![format!("Atom {text}"), format!("NegatedAtom {text}")]);
        Ok(())
    }

    /// Literals as values of variables, each variable once, sorted; `None` if they exclude each
    /// other. What `needs` imply is left out by the caller.
    fn atoms(&self, literals: &[Literal], needs: &Asked) -> Option<Vec<Atom>> {
        let asked = self.encoding.asked(literals);
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
                && !self.encoding.is_implied(fact as u32, &asked, needs)
            {
                atoms.push(Atom { variable: self.encoding.companion_of[fact], value: 1 });
            }
        }
        clash(&mut atoms).is_none().then_some(atoms)
    }

    fn operators(&mut self) -> Checked<()> {
        let mut settings = Vec::new();
        for operator in &self.ground.operators {
            let literals = self.ground.needs(operator);
            self.guard.pass(1 + literals.len())?;
            let Some(needs) = self.atoms(literals, &Asked::default()) else { continue };
            settings.clear();
            self.encoding.settings(self.ground, operator, &mut settings, self.guard)?;
            let asked = self.encoding.asked(literals);
            let (sets, effects) = self.effects(&settings, &asked, &needs)?;
            if sets.is_empty() && effects.is_empty() {
                continue;
            }
            let (action, objects) = self.reached.step(operator);
            let lifted = self.reached.lifted;
            let cost = self.costs.of(lifted, action, objects)?;
            let named = &mut self.made.named;
            named.task.add_operator(needs.into_iter(), sets.into_iter(), cost);
            for (when, to) in effects {
                named.task.add_effect(when.into_iter(), to);
            }
            let names = objects.iter().map(|&object| &lifted.objects[object as usize].name[..]);
            let name = std::iter::once(&lifted.actions[action].name[..]).chain(names);
            let bytes = named.operators.push_words(name);
            self.guard.pass(bytes / 16)?;
            // Rows double when they grow.
            self.guard.hold(2 * bytes)?;
            self.made.actions.push(action as u32);
            self.made.arguments.push_list(objects.iter().map(|&object| ObjectId(object)));
        }
        Ok(())
    }

    /// What an operator always sets, and what it sets under conditions, in order. The settings
    /// come variable by variable, so that what was said of one is what was said last.
    fn effects(&self, settings: &[Setting], asked: &Asked, needs: &[Atom]) -> Checked<Sets> {
        let mut sets: Vec<Atom> = Vec::new();
        let mut effects: Vec<(Vec<Atom>, Atom)> = Vec::new();
        let needed = |variable: u32| {
            let at = needs.binary_search_by_key(&variable, |need| need.variable);
            at.ok().map(|at| needs[at])
        };
        for setting in settings {
            self.guard.pass(1 + setting.when.len())?;
            let to = self.value(setting);
            let Some(mut when) = self.atoms(&setting.when, asked) else { continue };
            if when.iter().any(|atom| needed(atom.variable).is_some_and(|need| need != *atom)) {
                continue;
            }
            when.retain(|atom| needed(atom.variable).is_none());
            let is_said = effects.last().is_some_and(|(_, last)| last.variable == to.variable);
            if !when.is_empty() || is_said {
                effects.push((when, to));
            } else {
                sets.pop_if(|last| last.variable == to.variable);
                sets.push(to);
            }
        }
        let is_changed_later = |set: &Atom| {
            effects.binary_search_by_key(&set.variable, |(_, effect)| effect.variable).is_ok()
        };
        sets.retain(|set| needs.binary_search(set).is_err() || is_changed_later(set));
        Ok((sets, effects))
    }

    fn value(&self, setting: &Setting) -> Atom {
        let variable = setting.variable;
        let value = match self.encoding.groups.get(variable as usize) {
            // A companion.
            None => u16::from(setting.to.is_none()),
            Some(group) => match setting.to {
                Some(fact) => self.encoding.value_of[fact as usize],
                None => group.len() as u16,
            },
        };
        Atom { variable, value }
    }

    fn rules(&mut self) -> Checked<()> {
        for rule in &self.ground.rules {
            let body = self.ground.when(rule);
            self.guard.pass(1 + body.len())?;
            if let Some(when) = self.atoms(body, &Asked::default()) {
                let variable = self.derived_of[rule.fact as usize];
                self.made.named.task.add_axiom(when.into_iter(), Atom { variable, value: 0 });
            }
        }
        Ok(())
    }

    /// The groups that are not just one variable's, and what was made.
    fn finish(mut self, groups: &Groups) -> Grounded {
        for group in groups {
            let atom = |&fact: &u32| {
                let (of, value) = (&self.encoding.variable_of, &self.encoding.value_of);
                Atom { variable: of[fact as usize], value: value[fact as usize] }
            };
            let mut atoms: Vec<Atom> = group.iter().map(atom).collect();
            atoms.retain(|atom| atom.variable != NONE);
            if atoms.iter().any(|atom| atom.variable != atoms[0].variable) {
                self.made.named.mutexes.push(atoms);
            }
        }
        self.made
    }
}
