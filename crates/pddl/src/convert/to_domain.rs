//! A ground task as one of our domains, in the JSON twin.
//!
//! In:   a named task.
//! Out:  the text of a domain with one NPC and one goal, or every reason why there is none.
//! Cost: linear in the text.
//!
//! A goal that is derived from alternatives becomes a goal with alternatives.
//!
//! Names become those of `.npc`: `move a b` is `move(a b)`, and `Atom on(a, b)` of variable
//! `var3` is `on_a_b`. So the text can be turned into `.npc` as it is.

use super::either::{alternatives, either};
use super::names::{Free, LONGEST, plain, value_words};
use crate::named::NamedTask;
use crate::text::Growing;
use std::collections::HashSet;
use std::fmt::{self, Write};
use throng_domain::Cost;
use throng_domain::names::{is_npc_ground_name, is_npc_name, is_npc_value};
use throng_planner::forward::{Atom, GroundTask};

/// How many operators a reason names.
const MOST_NAMED: usize = 3;

/// Writes a task as the JSON twin of a domain.
///
/// # Errors
///
/// What our domains cannot say, all of it.
pub fn to_domain(named: &NamedTask, name: &str) -> Result<String, Vec<String>> {
    Ok(to_domain_until(named, name, &|| false)?.unwrap_or_default())
}

/// The same; `None` if `stop`, asked now and then, said so before all was written.
///
/// # Errors
///
/// As [`to_domain`].
pub fn to_domain_until(
    named: &NamedTask,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<String>, Vec<String>> {
    let reasons = obstacles(named, |_| false);
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let names = names_of(named, &mut Free::default());
    let mut text = Growing::new(usize::MAX, stop);
    // Writing fails only if the caller says stop.
    let _ = write_all(&mut text, named, &plain(name, '_'), &names);
    Ok(text.finished())
}

/// Legal names of variables and their values.
pub(super) fn names_of(named: &NamedTask, variables: &mut Free) -> Vec<(String, Vec<String>)> {
    let names = named.variables.iter().map(|names| {
        let own = legal(&names.name, is_npc_name);
        let own = variables.take(own.clone(), |number| format!("{own}_{number}"));
        let mut free = Free::default();
        let mut value = |value: &String| {
            let words = legal(&value_words(&names.name, value), is_npc_value);
            free.take(words.clone(), |number| format!("{words}_{number}"))
        };
        (own, names.values.iter().map(&mut value).collect())
    });
    names.collect()
}

/// What stands in the way; some derived variables do not.
pub(super) fn obstacles(named: &NamedTask, is_fine: impl Fn(u32) -> bool) -> Vec<String> {
    let task = &named.task;
    let operators = || 0..task.n_operators() as u32;
    let mut reasons = Vec::new();
    let mut tell = |which: Vec<u32>, why: &str| {
        if which.is_empty() {
            return;
        }
        let names = which.iter().map(|&at| named.operators.get(at as usize));
        reasons.push(format!("{}: {why}", listed(names)));
    };
    let with_effects = operators().filter(|&at| task.effects(at).next().is_some()).collect();
    tell(with_effects, "conditional effects; a domain's actions always do the same");
    if named.has_metric {
        let free = operators().filter(|&at| task.cost(at) == 0).collect();
        tell(free, "cost 0; in a domain every action costs something");
        let dear = operators().filter(|&at| task.cost(at) > Cost::MAX.0).collect();
        tell(dear, "cost more than 1000000, the most a domain knows");
    }
    let either = either(task);
    let is_told = |&at: &u32| task.layer(at).is_some() && Some(at) != either && !is_fine(at);
    let derived = (0..task.sizes().len() as u32).filter(is_told);
    let derived: Vec<String> = derived.map(|at| named.variable_text(at as usize)).collect();
    if !derived.is_empty() {
        reasons.push(format!(
            "{}: derived by rules; in a domain only actions set values",
            listed(derived.iter().map(String::as_str))
        ));
    }
    if wanted(task).any(<[Atom]>::is_empty) {
        reasons.push("the goal is empty; a domain's goal wants something".to_owned());
    }
    reasons
}

/// What each alternative of the goal asks for; one, if it has no others.
fn wanted(task: &GroundTask) -> impl Iterator<Item = &[Atom]> {
    let either = either(task);
    let only = either.is_none().then(|| task.goal());
    only.into_iter().chain(either.into_iter().flat_map(|variable| alternatives(task, variable)))
}

/// The first names, each once, and how many more there are.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut known = HashSet::new();
    let distinct: Vec<&str> = names.filter(|&name| known.insert(name)).collect();
    let shown: Vec<String> = distinct.iter().take(MOST_NAMED).map(|n| format!("`{n}`")).collect();
    let more = distinct.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn write_all(
    text: &mut Growing<'_>,
    named: &NamedTask,
    name: &str,
    names: &[(String, Vec<String>)],
) -> fmt::Result {
    let task = &named.task;
    write!(text, "{{\"throng\": 1, \"domain\": \"{name}\",\n \"variables\": [")?;
    let plain = (0..names.len() as u32).filter(|&at| task.layer(at).is_none());
    for (at, variable) in plain.clone().enumerate() {
        let (name, values) = &names[variable as usize];
        let values = values.join("\", \"");
        write!(text, "{}{{\"name\": \"{name}\", \"values\": [\"{values}\"]}}", separator(at))?;
    }
    write!(text, "],\n \"actions\": [")?;
    let mut free = Free::default();
    let mut actions = Vec::new();
    for operator in 0..task.n_operators() as u32 {
        let action = action_name(named.operators.get(operator as usize), &mut free);
        let [needs, sets] = [task.needs(operator), task.sets(operator)].map(|of| Facts(of, names));
        write!(text, "{}{{\"name\": \"{action}\", ", separator(operator as usize))?;
        write!(text, "\"requires\": {needs}, \"sets\": {sets}")?;
        let cost = Cost(task.cost(operator));
        if named.has_metric && cost != Cost::ONE {
            write!(text, ", \"cost\": {cost}")?;
        }
        write!(text, "}}")?;
        actions.push(format!("\"{action}\""));
    }
    write!(text, "],\n \"goals\": [")?;
    let mut goals = Vec::new();
    let serves = if either(task).is_some() { ", \"serves\": \"any\"" } else { "" };
    for (at, wants) in wanted(task).enumerate() {
        let name = if at == 0 { "goal".to_owned() } else { format!("goal_{}", at + 1) };
        let wants = Facts(wants, names);
        write!(text, "{}{{\"name\": \"{name}\", \"wants\": {wants}{serves}}}", separator(at))?;
        goals.push(format!("\"{name}\""));
    }
    let (can, wants) = (actions.join(", "), goals.join(", "));
    write!(text, "],\n \"npcs\": [\n  {{\"name\": \"npc\", \"can\": [{can}], ")?;
    let start = plain.map(|variable| Atom { variable, value: task.start()[variable as usize] });
    let start: Vec<Atom> = start.collect();
    writeln!(text, "\"wants\": [{wants}], \"starts\": {}}}]}}", Facts(&start, names))
}

pub(super) fn separator(at: usize) -> &'static str {
    if at == 0 { "\n  " } else { ",\n  " }
}

/// Facts by the names of variables and values: `{"door": "open"}`.
pub(super) struct Facts<'a>(pub(super) &'a [Atom], pub(super) &'a [(String, Vec<String>)]);

impl fmt::Display for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{")?;
        for (at, atom) in self.0.iter().enumerate() {
            let (variable, values) = &self.1[atom.variable as usize];
            let value = &values[usize::from(atom.value)];
            write!(f, "{}\"{variable}\": \"{value}\"", if at == 0 { "" } else { ", " })?;
        }
        write!(f, "}}")
    }
}

/// `move a b` as `move(a b)`; the second of this name is `move_2(a b)`.
pub(super) fn action_name(operator: &str, free: &mut Free) -> String {
    let mut words = operator.split_whitespace();
    let base = legal(words.next().unwrap_or_default(), is_npc_name);
    let arguments: Vec<String> = words.map(|word| legal(word, is_npc_value)).collect();
    let make = |base: &str| match arguments.is_empty() {
        true => base.to_owned(),
        false => format!("{base}({})", arguments.join(" ")),
    };
    let name = make(&base);
    if is_npc_ground_name(&name) {
        return free.take(name, |number| make(&format!("{base}_{number}")));
    }
    // `f(a in b)` would declare a template.
    let name = plain(operator, '_');
    free.take(name.clone(), |number| format!("{name}_{number}"))
}

/// The name as it is, if it is legal and in ASCII, or one that is.
pub(super) fn legal(name: &str, is_legal: fn(&str) -> bool) -> String {
    match name.is_ascii() && name.len() <= LONGEST && is_legal(name) {
        true => name.to_owned(),
        false => plain(name, '_'),
    }
}
