//! An NPC's problem as a named task.
//!
//! In:   a compiled domain and a problem: who, from where, to where, with which actions.
//! Out:  the same task with the names of the source map.
//! Cost: linear in the NPC type's tables.
//!
//! Variables are those of the NPC type; of the rest only what the goal asks for, as variables
//! that nobody sets. An unknown value is a value more, which nobody sets or needs. A value is
//! named as translators do, `Atom haystack(stored)`, and an action `give(bread joe)` as a plan's
//! line does, `give bread joe`.

use crate::named::{NamedTask, VariableNames};
use throng_domain::Milli;
use throng_domain::compile::{CompiledDomain, UNKNOWN};
use throng_planner::forward::Atom;
use throng_planner::{Mode, Problem};

/// What an unknown value is called.
const UNKNOWN_NAME: &str = "<unknown>";
/// What a variable has that is not what the goal wants.
const OTHER_NAME: &str = "<other>";

/// Makes a problem a task.
pub fn from_domain(domain: &CompiledDomain, problem: &Problem) -> NamedTask {
    let (map, kind) = (domain.map(), problem.kind(domain));
    let mut named = NamedTask::default();
    let mut actions = Vec::new();
    named.task.fill(kind, problem, Mode::Cheapest, |_| true, &mut actions);
    for (&id, &value) in kind.variables().iter().zip(problem.start()) {
        let name = map.variable(id);
        let mut values: Vec<String> =
            map.values(id).iter().map(|value| format!("Atom {name}({value})")).collect();
        if value == UNKNOWN {
            values.push(UNKNOWN_NAME.to_owned());
        }
        named.variables.push(VariableNames { name: name.to_owned(), values });
    }
    let mut goal = named.task.goal().to_vec();
    for outside in problem.outside() {
        let name = map.variable(outside.fact.variable);
        let wanted = format!("Atom {name}({})", map.value(outside.fact));
        let other = if outside.known { OTHER_NAME } else { UNKNOWN_NAME };
        let variable = named.task.add_variable(2, u16::from(!outside.holds));
        goal.push(Atom { variable, value: 0 });
        let values = vec![wanted, other.to_owned()];
        named.variables.push(VariableNames { name: name.to_owned(), values });
    }
    named.task.set_goal(goal.into_iter());
    for &action in &actions {
        let name = map.action(kind.actions()[action.index()]);
        named.operators.push(&name.replace('(', " ").replace(')', ""));
    }
    let costs = 0..named.task.n_operators() as u32;
    named.has_metric = costs.into_iter().any(|at| named.task.cost(at) != Milli::ONE.0);
    named
}
