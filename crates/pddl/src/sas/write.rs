//! Writes a named task as `.sas`.
//!
//! In:   a named task.
//! Out:  the text, or why there is none.
//! Cost: linear in the text.
//!
//! Nothing is made up here: a task without a goal is refused, as other planners refuse a goal
//! without lines; `convert` knows what to add.
//!
//! What an operator needs of a variable that it sets stands in the effect's line, else in a
//! prevail line. Unconditional effects come first, so that the conditional ones win, as they do
//! in the task.

use super::overruled::that_count;
use super::read::{MOST_COST, VALUES_OF_DERIVED};
use crate::named::NamedTask;
use crate::text::Growing;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};
use throng_domain::Cost;
use throng_planner::forward::{Atom, GroundTask};

/// Why a task cannot be written.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteSasError {
    /// The goal is empty.
    NoGoal,
    /// A cost with a fraction, of this operator.
    Fraction(String, Cost),
    /// A cost beyond 32 bits, of this operator.
    TooLarge(String, Cost),
    /// A name that is not one line: empty, with a line break, or with blanks around it.
    Name(String),
    /// A derived variable with other than two values.
    Derived(String),
    /// Names are missing: the task has more variables, values or operators.
    Nameless,
}

throng_base::error! { WriteSasError {
    Self::NoGoal => "the goal is empty, and `.sas` wants at least one fact in it";
    Self::Fraction(operator, cost) =>
        "`{operator}` costs {cost}, and costs in `.sas` are whole numbers";
    Self::TooLarge(operator, cost) =>
        "`{operator}` costs {cost}, and costs in `.sas` go up to {MOST_COST}";
    Self::Name(name) => "{name:?} is no name in `.sas`: it must be one line";
    Self::Derived(name) => "derived variable `{name}` has other than two values";
    Self::Nameless => "some variables, values or operators have no name";
} }

/// Writes a task.
///
/// # Errors
///
/// What `.sas` has no words for.
pub fn write(named: &NamedTask) -> Result<String, WriteSasError> {
    Ok(write_until(named, &|| false)?.unwrap_or_default())
}

/// The same; `None` if `stop`, asked now and then, said so before all was written.
///
/// # Errors
///
/// As [`write()`].
pub fn write_until(
    named: &NamedTask,
    stop: &dyn Fn() -> bool,
) -> Result<Option<String>, WriteSasError> {
    check(named)?;
    let mut text = Growing::new(usize::MAX, stop);
    // Writing fails only if the caller says stop.
    let _ = write_all(&mut text, named);
    Ok(text.finished())
}

/// Looks for what cannot be written.
fn check(named: &NamedTask) -> Result<(), WriteSasError> {
    let NamedTask { task, variables, operators, .. } = named;
    if task.goal().is_empty() {
        return Err(WriteSasError::NoGoal);
    }
    let sizes = variables.iter().map(|names| names.values.len());
    if !sizes.eq(task.sizes().iter().map(|&size| size as usize))
        || operators.len() != task.n_operators()
    {
        return Err(WriteSasError::Nameless);
    }
    for (at, names) in variables.iter().enumerate() {
        check_name(&names.name)?;
        names.values.iter().try_for_each(|name| check_name(name))?;
        if task.layer(at as u32).is_some() && names.values.len() != VALUES_OF_DERIVED {
            return Err(WriteSasError::Derived(names.name.clone()));
        }
    }
    for operator in 0..operators.len() {
        let name = operators.get(operator);
        check_name(name)?;
        let cost = task.cost(operator as u32);
        if cost % Cost::ONE.0 != 0 {
            return Err(WriteSasError::Fraction(name.to_owned(), Cost(cost)));
        }
        if cost / Cost::ONE.0 > MOST_COST as u64 {
            return Err(WriteSasError::TooLarge(name.to_owned(), Cost(cost)));
        }
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), WriteSasError> {
    if name.is_empty() || name.contains('\n') || name.trim().len() != name.len() {
        return Err(WriteSasError::Name(name.to_owned()));
    }
    Ok(())
}

fn write_all(text: &mut Growing<'_>, named: &NamedTask) -> fmt::Result {
    let task = &named.task;
    let metric = u8::from(named.has_metric);
    writeln!(text, "begin_version\n3\nend_version\nbegin_metric\n{metric}\nend_metric")?;
    writeln!(text, "{}", named.variables.len())?;
    for (at, names) in named.variables.iter().enumerate() {
        writeln!(text, "begin_variable\n{}", names.name)?;
        match task.layer(at as u32) {
            None => writeln!(text, "-1")?,
            Some(layer) => writeln!(text, "{layer}")?,
        }
        writeln!(text, "{}", names.values.len())?;
        names.values.iter().try_for_each(|value| writeln!(text, "{value}"))?;
        writeln!(text, "end_variable")?;
    }
    writeln!(text, "{}", named.mutexes.len())?;
    for group in &named.mutexes {
        writeln!(text, "begin_mutex_group")?;
        write_atoms(text, group)?;
        writeln!(text, "end_mutex_group")?;
    }
    writeln!(text, "begin_state")?;
    task.start().iter().try_for_each(|value| writeln!(text, "{value}"))?;
    writeln!(text, "end_state\nbegin_goal")?;
    write_atoms(text, task.goal())?;
    writeln!(text, "end_goal\n{}", named.operators.len())?;
    for operator in 0..named.operators.len() {
        writeln!(text, "begin_operator\n{}", named.operators.get(operator))?;
        write_operator(text, task, operator as u32)?;
        let cost = if named.has_metric { task.cost(operator as u32) / Cost::ONE.0 } else { 1 };
        writeln!(text, "{cost}\nend_operator")?;
    }
    writeln!(text, "{}", task.axioms().count())?;
    for rule in task.axioms() {
        writeln!(text, "begin_rule")?;
        write_atoms(text, rule.when)?;
        let default = task.start()[rule.sets.variable as usize];
        writeln!(text, "{} {default} {}", rule.sets.variable, rule.sets.value)?;
        writeln!(text, "end_rule")?;
    }
    Ok(())
}

fn write_atoms(text: &mut Growing<'_>, atoms: &[Atom]) -> fmt::Result {
    writeln!(text, "{}", atoms.len())?;
    atoms.iter().try_for_each(|atom| writeln!(text, "{} {}", atom.variable, atom.value))
}

fn write_operator(text: &mut Growing<'_>, task: &GroundTask, operator: u32) -> fmt::Result {
    let needs = task.needs(operator);
    let always = task.sets(operator).iter().map(|&sets| (&[][..], sets));
    let effects = task.effects(operator).map(|effect| (effect.when, effect.sets));
    let (mut sets, effects) = that_count(always.chain(effects));
    sets.sort_unstable();
    let all = || sets.iter().chain(effects.iter().map(|(_, sets)| sets));
    let set: HashSet<u32> = all().map(|atom| atom.variable).collect();
    let prevail: Vec<Atom> =
        needs.iter().copied().filter(|atom| !set.contains(&atom.variable)).collect();
    write_atoms(text, &prevail)?;
    writeln!(text, "{}", sets.len() + effects.len())?;
    let needed: HashMap<u32, i32> =
        needs.iter().map(|atom| (atom.variable, i32::from(atom.value))).collect();
    let whens = sets.iter().map(|_| &[][..]).chain(effects.iter().map(|(when, _)| *when));
    for (when, &Atom { variable, value }) in whens.zip(all()) {
        write!(text, "{}", when.len())?;
        when.iter().try_for_each(|a| write!(text, " {} {}", a.variable, a.value))?;
        let before = needed.get(&variable).copied().unwrap_or(-1);
        writeln!(text, " {variable} {before} {value}")?;
    }
    Ok(())
}
