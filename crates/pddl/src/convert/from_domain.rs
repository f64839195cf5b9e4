//! An NPC's problem as a named task.
//!
//! In:   a compiled domain and a problem: the NPC, its state, the goal, its actions; or one
//!       for each alternative of a goal.
//! Out:  the same task with the names of the source map.
//! Cost: linear in the NPC type's tables.
//!
//! Variables are those of the NPC type; of the rest only what the goal asks for, as variables
//! that no action sets. An unknown value is a value more, which no action sets or needs. A value is
//! named as translators do, `Atom haystack(stored)`, and an action `give(bread joe)` as a plan's
//! line does, `give bread joe`. Amounts are written out: an operator for each choice of values,
//! which stand behind its name, as in `chop 3`.

use super::written_out::{TooManyOperators, add_operators, add_ranges, add_variables};
use crate::named::{NamedTask, VariableNames};
use std::collections::HashMap;
use throng_domain::Cost;
use throng_domain::compile::{CompiledDomain, PackedValue, SourceMap, UNKNOWN};
use throng_domain::model::{Fact, VariableId};
use throng_planner::forward::Atom;
use throng_planner::{OutsideFact, Problem};

/// What an unknown value is called.
const UNKNOWN_NAME: &str = "<unknown>";
/// What a variable has that is not what the goal wants.
const OTHER_NAME: &str = "<other>";

/// Makes problems that differ in their goals alone one task: a plan that reaches one of the goals
/// reaches the goal called `name`. Without a problem the task is empty.
///
/// # Errors
///
/// With amounts written out there are too many operators.
pub fn from_alternatives(
    domain: &CompiledDomain,
    problems: &[Problem],
    name: &str,
) -> Result<NamedTask, TooManyOperators> {
    let mut named = NamedTask::default();
    let Some(problem) = problems.first() else { return Ok(named) };
    let (map, kind) = (domain.map(), problem.kind(domain));
    add_variables(&mut named, kind, problem);
    for (&id, &value) in kind.variables().iter().zip(problem.start()) {
        named.variables.push(variable_names(map, id, value != UNKNOWN));
    }
    let outside = add_outside(&mut named, map, problems);
    let mut wanted = Vec::with_capacity(problems.len());
    for problem in problems {
        let mut all: Vec<Atom> = problem.goal().iter().map(|&fact| fact.into()).collect();
        all.extend(outside_facts(problem, &outside));
        all.extend(add_ranges(&mut named, domain, problem)?);
        wanted.push(all);
    }
    // Above what sets of values are derived from.
    let layer = u32::from(problems.iter().any(|problem| !problem.goal_ranges().is_empty()));
    set_goal(&mut named, wanted, name, layer);
    add_operators(&mut named, domain, problem)?;
    named.has_metric = has_metric(&named);
    Ok(named)
}

/// Makes one of some lists of facts the goal; of several it is a fact of a layer called `name`.
pub(super) fn set_goal(named: &mut NamedTask, wanted: Vec<Vec<Atom>>, name: &str, layer: u32) {
    if wanted.len() == 1 {
        return named.task.set_goal(wanted.concat().into_iter());
    }
    // A fact of its own, derived from each of the goals: no plan has a step more.
    let variable = named.task.add_derived(2, 1, layer);
    let reached = Atom { variable, value: 0 };
    for atoms in wanted {
        named.task.add_axiom(atoms.into_iter(), reached);
    }
    let values = vec![format!("Atom {name}()"), format!("NegatedAtom {name}()")];
    named.variables.push(VariableNames { name: name.to_owned(), values });
    named.task.set_goal([reached].into_iter());
}

/// Whether some operator costs more or less than one.
pub(super) fn has_metric(named: &NamedTask) -> bool {
    let mut operators = 0..named.task.n_operators() as u32;
    operators.any(|at| named.task.cost(at) != Cost::ONE.0)
}

/// What a variable of a type and its values are called.
pub(super) fn variable_names(map: &SourceMap, id: VariableId, is_known: bool) -> VariableNames {
    let name = map.variable(id);
    let values = map.values(id).iter().map(|value| format!("Atom {name}({value})"));
    let unknown = (!is_known).then(|| UNKNOWN_NAME.to_owned());
    VariableNames { name: name.to_owned(), values: values.chain(unknown).collect() }
}

/// What is wanted of variables that the type does not have.
pub(super) fn outside_facts(problem: &Problem, places: &Places) -> impl Iterator<Item = Atom> {
    problem.outside().iter().filter_map(|fact| places.get(&fact.fact).copied())
}

/// Where facts about variables that the type does not have are.
pub(super) type Places = HashMap<Fact, Atom>;

/// Adds the variables that goals speak of and the NPC type does not have; tells where the facts
/// about them are.
pub(super) fn add_outside(named: &mut NamedTask, map: &SourceMap, problems: &[Problem]) -> Places {
    let mut facts: Vec<OutsideFact> = problems.iter().flat_map(|p| p.outside()).copied().collect();
    facts.sort_by_key(|outside| outside.fact);
    facts.dedup_by_key(|outside| outside.fact);
    let mut places = HashMap::new();
    for same in facts.chunk_by(|a, b| a.fact.variable == b.fact.variable) {
        let name = map.variable(same[0].fact.variable);
        let held = same.iter().position(|outside| outside.holds).unwrap_or(same.len());
        let variable = named.task.add_variable(same.len() as u32 + 1, held as PackedValue);
        let word = |outside: &OutsideFact| format!("Atom {name}({})", map.value(outside.fact));
        let mut values: Vec<String> = same.iter().map(word).collect();
        values.push(if same[0].known { OTHER_NAME } else { UNKNOWN_NAME }.to_owned());
        named.variables.push(VariableNames { name: name.to_owned(), values });
        places.extend(same.iter().zip(0..).map(|(of, value)| (of.fact, Atom { variable, value })));
    }
    places
}
