//! Changes in words.
//!
//! In:   a change of a question.
//! Out:  an advice, without a full stop.
//! Cost: the length of the text.

use super::{Change, compounds_with};
use crate::absence::WrongCheck;
use crate::asks::as_written;
use crate::explain::asked::Asked;
use crate::reason::{answer_now, quoted};
use throng_domain::compile::PackedValue;
use throng_domain::model::{ActionId, Fact, Range, VariableId};

impl Change {
    /// The change as an advice, without a full stop.
    pub fn sentence(self, asked: &Asked<'_>) -> String {
        let map = asked.domain.map();
        match self {
            Change::Value(fact) => {
                let name = map.variable(fact.variable);
                let now = now(asked, fact.variable)
                    .map_or("it is unknown".to_string(), |now| format!("it is `{now}`"));
                format!("let `{name}` be `{}` at the start ({now})", map.value(fact))
            }
            Change::Amount(range) => amount(asked, range),
            Change::Check { check, holds } => {
                let wrong = WrongCheck::of(asked.checks, check, holds);
                let (name, now) = (map.check(check), answer_now(map, wrong));
                match wrong.told {
                    true => format!("let the check `{name}` be {holds} ({now})"),
                    false => format!("let the check `{name}` be {holds}: {now}"),
                }
            }
            Change::Allow(action) => {
                format!("allow `{}` (the caller forbids it)", map.action(action))
            }
            Change::DropOverride { by, action } => {
                format!("let `{}` not override `{}`", map.action(by), map.action(action))
            }
            Change::Grant(action) => {
                let (who, action) = (map.npc(asked.npc), map.action(action));
                format!("let `{who}` do `{action}`: add it to its `can`")
            }
            Change::DropNeed { action, need } => {
                let text = format!("let `{}` do without `{}`", map.action(action), map.fact(need));
                text + &about_parts(asked, action, need)
            }
            Change::DropRange { action, variable } => {
                let what = asked_now(asked, action, variable)
                    .map_or(String::new(), |range| map.range(range));
                let parts = part_of(asked, action);
                format!("let `{}` do without `{what}`{parts}", map.action(action))
            }
            Change::Loosen { action, range } => {
                let parts = part_of(asked, action);
                let before = asked_now(asked, action, range.variable);
                let before = before.map_or(String::new(), |range| map.range(range));
                let after = written(asked, action, range);
                let (name, range) = (map.action(action), map.range(after));
                format!("let `{name}`{parts} make do with `{range}`; it asks for `{before}`")
            }
            Change::DropComparison { action, comparison } => {
                let (name, what) = (map.action(action), map.comparison(comparison));
                format!("let `{name}` do without `{what}`")
            }
        }
    }
}

/// The name of the value that a variable has now; `None` if that is unknown.
fn now<'q>(asked: &Asked<'q>, variable: VariableId) -> Option<&'q str> {
    name(asked, variable, asked.now(variable)?)
}

fn name<'q>(asked: &Asked<'q>, variable: VariableId, value: PackedValue) -> Option<&'q str> {
    asked.domain.map().values(variable).get(usize::from(value)).map(String::as_str)
}

/// `` `mp` would have to be 61 or more; it is 40 ``. Single values are only the nearest: others may
/// give a plan, too.
fn amount(asked: &Asked<'_>, range: Range) -> String {
    let map = asked.domain.map();
    let top = map.n_values(range.variable).saturating_sub(1);
    let value = |value| name(asked, range.variable, value).unwrap_or_default();
    let run = |&(first, last): &(PackedValue, PackedValue)| match (first, usize::from(last) == top)
    {
        (0, true) => "known".to_string(),
        _ if first == last => value(first).to_string(),
        (first, true) => format!("{} or more", value(first)),
        (0, false) => format!("{} or less", value(last)),
        (first, false) => format!("{} to {}", value(first), value(last)),
    };
    let runs: Vec<String> = range.values.runs().iter().map(run).collect();
    let to = match &runs[..] {
        [] => "another".to_string(),
        runs => runs.join(", or "),
    };
    let (name, now) = (map.variable(range.variable), now(asked, range.variable));
    let nearest = if now.is_some() { "nearest" } else { "least" };
    let now = now.unwrap_or("unknown");
    match &runs[..] {
        [one] if top > 0 && range.values.only().is_some() => {
            format!("the {nearest} `{name}` that gives a plan is {one}; it is {now}")
        }
        [less, more] if as_near(asked, range) => {
            format!("the {nearest} `{name}` that give a plan are {less} and {more}; it is {now}")
        }
        _ => format!("`{name}` would have to be {to}; it is {now}"),
    }
}

/// Whether these are two single values as near to what an amount is.
fn as_near(asked: &Asked<'_>, range: Range) -> bool {
    match (asked.now(range.variable), range.values.runs()) {
        (Some(now), &[(less, less_end), (more, more_end)]) => {
            less == less_end && more == more_end && now.abs_diff(less) == now.abs_diff(more)
        }
        _ => false,
    }
}

/// What an action asks of a variable now, as it is written.
fn asked_now(asked: &Asked<'_>, action: ActionId, variable: VariableId) -> Option<Range> {
    let ranges = asked.model.actions()[action.index()].ranges().iter();
    let range = ranges.into_iter().find(|range| range.variable == variable)?;
    Some(written(asked, action, *range))
}

/// What an action would ask of a variable, without the room that a rise needs.
fn written(asked: &Asked<'_>, action: ActionId, range: Range) -> Range {
    let shifts = asked.model.actions()[action.index()].shifts().iter();
    let shift = shifts.into_iter().find(|shift| shift.variable == range.variable);
    let n_values = asked.domain.map().n_values(range.variable) as PackedValue;
    let (values, _) = as_written(range.values, shift.map(|shift| shift.by), n_values);
    Range { values, ..range }
}

/// Where a need of a compound comes from, and what a part that is only that is a part of.
fn about_parts(asked: &Asked<'_>, action: ActionId, need: Fact) -> String {
    let map = asked.domain.map();
    let requires =
        |part: &&ActionId| asked.model.actions()[part.index()].requires().contains(&need);
    let parts = asked.model.actions()[action.index()].parts();
    if let Some(&part) = parts.iter().find(requires) {
        return format!(" (its part `{}` needs it)", map.action(part));
    }
    part_of(asked, action)
}

/// What an action is a part of that the type does not do by itself.
fn part_of(asked: &Asked<'_>, action: ActionId) -> String {
    match asked.kind().local_action(action) {
        Some(_) => String::new(),
        None => {
            let compounds = quoted(asked.domain.map(), compounds_with(asked, action));
            format!(" (a part of {})", compounds.join(", "))
        }
    }
}
