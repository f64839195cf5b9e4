//! Amounts written out: one operator for each choice of values that an action asks for or moves.
//!
//! In:   the tables of an NPC type and a problem.
//! Out:  operators of plain values, with what stands behind their names; a derived fact for each
//!       set of values that a goal wants. Or that these would be too many.
//! Cost: linear in what is written.

use crate::named::{NamedTask, VariableNames};
use throng_domain::ValueSet;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, SourceMap,
    UNKNOWN,
};
use throng_domain::model::Range;
use throng_planner::forward::Atom;
use throng_planner::{Mode, Problem};

/// More operators, or rules for goals, than these are not written.
pub const MOST_WRITTEN_OUT: usize = 65_536;

/// The task would have too many operators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooManyOperators {
    /// The action, or the goal, at which the limit was passed.
    pub at: String,
}

throng_base::error! { TooManyOperators {
    Self { at } =>
        "not expressed: with amounts written out there are more than {MOST_WRITTEN_OUT} \
         operators (at `{at}`); write the task as PDDL, which knows numbers, or use smaller ranges";
} }

/// Adds the variables of a type with their start values: an unknown value is one more.
pub(super) fn add_variables(named: &mut NamedTask, npc: &NpcTables, problem: &Problem) {
    for (variable, &value) in npc.local_variables().zip(problem.start()) {
        let size = npc.n_values(variable) as u32;
        match value {
            UNKNOWN => named.task.add_variable(size + 1, size as PackedValue),
            _ => named.task.add_variable(size.max(1), value),
        };
    }
}

/// Adds the actions that are there.
pub(super) fn add_operators(
    named: &mut NamedTask,
    domain: &CompiledDomain,
    problem: &Problem,
) -> Result<(), TooManyOperators> {
    let npc = problem.kind(domain);
    for action in npc.local_actions().filter(|&action| problem.enabled().has(action)) {
        let name = domain.map().action(npc.actions()[action.index()]);
        let choices = choices(npc, problem, action);
        let count = choices.iter().try_fold(1usize, |count, (_, set)| {
            count.checked_mul(set.count()).filter(|&count| count <= MOST_WRITTEN_OUT)
        });
        let count = count.filter(|count| named.operators.len() + count <= MOST_WRITTEN_OUT);
        let Some(count) = count else { return Err(TooManyOperators { at: name.to_string() }) };
        let plain = name.replace('(', " ").replace(')', "");
        for at in 0..count {
            let chosen = chosen(&choices, at);
            let values = chosen.iter().map(|&fact| domain.map().value(npc.fact(fact)));
            let words: Vec<&str> = std::iter::once(plain.as_str()).chain(values).collect();
            named.operators.push(&words.join(" "));
            add_operator(named, npc, problem, action, &chosen);
        }
    }
    Ok(())
}

/// The variables of which an action takes one of several values now, and these.
fn choices(
    npc: &NpcTables,
    problem: &Problem,
    action: LocalAction,
) -> Vec<(LocalVariable, ValueSet)> {
    let mut sets: Vec<(LocalVariable, ValueSet)> = Vec::new();
    let changes = |variable: LocalVariable| npc.can_change(variable);
    let ranges = npc.ranges(action).iter().filter(|it| changes(it.variable));
    sets.extend(ranges.map(|it| (it.variable, it.values)));
    for it in npc.comparisons(action).iter().filter(|it| changes(it.variable)) {
        let other = problem.start()[it.other.index()];
        let n_values = npc.n_values(it.variable) as PackedValue;
        let holds = |value: &PackedValue| it.comparison.holds(*value, other);
        let allowed = ValueSet::of((0..n_values).filter(holds)).unwrap_or(ValueSet::EMPTY);
        let fact = npc.needs(action).iter().find(|need| need.variable == it.variable);
        match (sets.iter_mut().find(|(variable, _)| *variable == it.variable), fact) {
            (Some((_, set)), _) => *set = set.both(&allowed).unwrap_or(ValueSet::EMPTY),
            // A value that is needed anyway stays, if it compares so.
            (None, Some(need)) if allowed.has(need.value) => {}
            (None, _) => sets.push((it.variable, allowed)),
        }
    }
    sets
}

/// The choice of a number, the last variable first.
fn chosen(choices: &[(LocalVariable, ValueSet)], mut at: usize) -> Vec<LocalFact> {
    let mut facts: Vec<LocalFact> = choices
        .iter()
        .rev()
        .filter_map(|(variable, set)| {
            let count = set.count().max(1);
            let value = set.values().nth(at % count)?;
            at /= count;
            Some(LocalFact { variable: *variable, value })
        })
        .collect();
    facts.reverse();
    facts
}

fn add_operator(
    named: &mut NamedTask,
    npc: &NpcTables,
    problem: &Problem,
    action: LocalAction,
    chosen: &[LocalFact],
) {
    let needs = npc.needs(action).iter().chain(chosen).map(|&fact| Atom::from(fact));
    let mut sets: Vec<Atom> = npc.sets(action).iter().map(|&fact| fact.into()).collect();
    for shift in npc.shifts(action) {
        let from = chosen.iter().find(|fact| fact.variable == shift.variable);
        let moved = from.and_then(|fact| Some((fact, npc.shifted(*shift, fact.value)?)));
        if let Some((fact, value)) = moved.filter(|(fact, value)| fact.value != *value) {
            sets.push(LocalFact { value, ..*fact }.into());
        }
    }
    let cost = problem.step_cost(npc, Mode::Cheapest, action);
    named.task.add_operator(needs, sets.into_iter(), cost);
}

/// Facts that hold where a goal's sets of values do; each is derived from every value. What no
/// action can bring about is a fact that never holds.
pub(super) fn add_ranges(
    named: &mut NamedTask,
    domain: &CompiledDomain,
    problem: &Problem,
) -> Result<Vec<Atom>, TooManyOperators> {
    let (npc, map) = (problem.kind(domain), domain.map());
    let mut atoms = Vec::new();
    for range in problem.goal_ranges() {
        let variable = npc.variables()[range.variable.index()];
        let of = Range { variable, values: range.values };
        let text = map.range(of);
        if range.values.count() > MOST_WRITTEN_OUT {
            return Err(TooManyOperators { at: text });
        }
        let variable = named.task.add_derived(2, 1, 0);
        let reached = Atom { variable, value: 0 };
        for value in range.values.values() {
            let when = LocalFact { variable: range.variable, value };
            named.task.add_axiom([when.into()].into_iter(), reached);
        }
        named.variables.push(names(&text));
        atoms.push(reached);
    }
    atoms.extend(add_lost(named, map, problem));
    Ok(atoms)
}

/// Facts that never hold, for what is wanted that no action can bring about.
pub(super) fn add_lost(named: &mut NamedTask, map: &SourceMap, problem: &Problem) -> Vec<Atom> {
    let lost = problem.outside_ranges().iter().filter(|outside| !outside.holds);
    let mut lost: Vec<String> = lost.map(|outside| map.range(outside.range)).collect();
    lost.extend(problem.is_contradictory().then(|| "contradiction".to_string()));
    let add = |text: String| {
        let variable = named.task.add_variable(2, 1);
        named.variables.push(names(&text));
        Atom { variable, value: 0 }
    };
    lost.into_iter().map(add).collect()
}

fn names(text: &str) -> VariableNames {
    let values = vec![format!("Atom {text}()"), format!("NegatedAtom {text}()")];
    VariableNames { name: text.to_string(), values }
}
