//! What a line of `solve` wants: `"to": {"hp": [[50, 100]], "mood": "3", "pick": ["stone", "iron"]}`.
//! A name of several values, as the slots of a select, asks for one of them.
//!
//! In:   the value of `to`: an object of variables.
//! Out:  facts and sets of values; or what is wrong with it.
//! Cost: a look-up for each name.

use super::wrong;
use crate::console::Fail;
use crate::question::fact;
use throng::{Domain, Fact};
use throng_domain::ValueSet;
use throng_domain::formats::json::tree::{JsonMember, JsonValue, JsonValueKind};
use throng_domain::model::{Range, ValueId, VariableId, Wants};
use throng_domain::names::as_integer;

/// What should hold.
pub(super) fn wanted(value: &JsonValue<'_>, domain: &Domain) -> Result<Wants, Fail> {
    match &value.kind {
        JsonValueKind::Object(members) => of_members(members, domain),
        other => Err(wrong("to", "an object of variables and values", other)),
    }
}

fn of_members(members: &[JsonMember<'_>], domain: &Domain) -> Result<Wants, Fail> {
    let mut sets: Vec<(VariableId, ValueSet)> = Vec::with_capacity(members.len());
    for member in members {
        let variable = domain.variable(&member.key)?;
        let set = match &member.value.kind {
            JsonValueKind::List(items) => of_items(items, &member.key, variable, domain)?,
            JsonValueKind::Text(text) => {
                let set = meant(&member.value, &member.key, variable, domain);
                set.map_err(|fail| compared(&member.key, text, domain).unwrap_or(fail))?
            }
            _ => ValueSet::one(position(&member.value, &member.key, domain)?),
        };
        sets.push((variable, set));
    }
    sets.sort_by_key(|(variable, _)| *variable);
    let map = domain.compiled().map();
    let mut wants = Wants::default();
    for (at, &(variable, values)) in sets.iter().enumerate() {
        if at > 0 && sets[at - 1].0 == variable {
            let of =
                |set: ValueSet| Some(Fact { variable, value: ValueId::at(set.only()?.into()) });
            if let (Some(first), Some(second)) = (of(sets[at - 1].1), of(values)) {
                crate::question::one_value_each(domain, &[first, second])?;
            }
            let text = format!("`{}` stands twice in `to`", map.variable(variable));
            return Err(Fail::known("key_twice", text));
        }
        match values.only() {
            Some(only) => wants.facts.push(Fact { variable, value: ValueId::at(only.into()) }),
            None => wants.ranges.push(Range { variable, values }),
        }
    }
    Ok(wants)
}

/// A list: words, numbers, and runs of numbers `[first, last]`.
fn of_items(
    items: &[JsonValue<'_>],
    name: &str,
    variable: VariableId,
    domain: &Domain,
) -> Result<ValueSet, Fail> {
    let mut runs = Vec::with_capacity(items.len());
    for item in items {
        match &item.kind {
            JsonValueKind::List(ends) if domain.range_of(variable).is_some() => {
                let [first, last] = &ends[..] else { return Err(no_run(name, &item.kind)) };
                let run = (position(first, name, domain)?, position(last, name, domain)?);
                if run.0 > run.1 {
                    let text = format!("a range of `{name}` ends before it begins");
                    return Err(Fail::known("bad_question", text));
                }
                runs.push(run);
            }
            JsonValueKind::List(_) => return Err(wrong(name, "a list of values", &item.kind)),
            _ => runs.extend(meant(item, name, variable, domain)?.runs()),
        }
    }
    runs.sort_unstable();
    match ValueSet::of_runs(runs) {
        Some(set) if !set.is_empty() => Ok(set),
        Some(_) => {
            let text = format!("`{name}` may have no value at all: the list is empty");
            Err(Fail::known("bad_question", text))
        }
        None => {
            let text = format!("the values of `{name}` lie in too many places");
            Err(Fail::known("bad_question", text))
        }
    }
}

/// What is wrong with a condition in words, as `>=50`, and how it is written.
fn compared(name: &str, text: &str, domain: &Domain) -> Option<Fail> {
    let (low, high) = domain.range_of(name)?;
    let wants = domain.conditions(&format!("{name}{text}")).ok()?;
    let number = |at: u16| low + i64::from(at);
    let runs = wants.ranges.first()?.values;
    let runs = runs.runs().iter().map(|run| format!("[{}, {}]", number(run.0), number(run.1)));
    let runs = runs.collect::<Vec<_>>().join(", ");
    let text = format!("`{name}` is {low}..{high}; `{text}` is no number: write `[{runs}]`");
    Some(Fail::known("unknown_name", text))
}

fn no_run(name: &str, found: &JsonValueKind<'_>) -> Fail {
    wrong(name, "numbers and ranges of two, `[first, last]`", found)
}

/// The values that a text, a number or a bool tells of.
fn meant(
    value: &JsonValue<'_>,
    name: &str,
    variable: VariableId,
    domain: &Domain,
) -> Result<ValueSet, Fail> {
    match &value.kind {
        JsonValueKind::Text(text) if domain.range_of(variable).is_none() => {
            Ok(domain.compiled().map().values_named(variable, text)?)
        }
        _ => Ok(ValueSet::one(position(value, name, domain)?)),
    }
}

/// The position of a value that is told as a text, a number or a bool.
fn position(value: &JsonValue<'_>, name: &str, domain: &Domain) -> Result<u16, Fail> {
    let fact = value_fact(value, name, domain)?;
    Ok(fact.value.index() as u16)
}

/// A variable having a value.
pub(super) fn value_fact(value: &JsonValue<'_>, name: &str, domain: &Domain) -> Result<Fact, Fail> {
    let text = match &value.kind {
        JsonValueKind::Text(text) => text.as_ref(),
        JsonValueKind::Number(text) => text,
        JsonValueKind::Bool(true) => "true",
        JsonValueKind::Bool(false) => "false",
        other => return Err(wrong(name, "a value", other)),
    };
    // As JSON may write it: `3.0` and `3e1` are no whole numbers here.
    let is_number = matches!(value.kind, JsonValueKind::Number(_));
    if is_number && as_integer(text).is_none() && domain.range_of(name).is_some() {
        let text = format!("`{name}` must be a whole number; found {text}");
        return Err(Fail::known("wrong_type", text));
    }
    fact(domain, name, text)
}
