//! A drafted domain as `.npc` text; and its names, for the question.
//!
//! Names are short on purpose: most of the time of a random test goes into reading them.

use super::draft::{Action, Draft, Fact, Kind};
use std::fmt::Write;

/// The name of the NPC type asked.
pub(super) fn npc(draft: &Draft) -> String {
    match draft.shape.npcs {
        0 => "d".to_string(),
        _ => format!("n{}", draft.asked),
    }
}

/// The name of a context check.
pub(super) fn check(index: usize) -> String {
    format!("c{index}")
}

/// Variable and value.
pub(super) fn pair(draft: &Draft, fact: Fact) -> (String, String) {
    (format!("v{}", fact.0), value(draft, fact).to_string())
}

fn value(draft: &Draft, (variable, value): Fact) -> &'static str {
    match draft.variables[variable].kind {
        Kind::Letters => ["a", "b", "c", "d"][value],
        Kind::Numbers => ["0", "1", "2", "3"][value],
        Kind::Bool => ["false", "true"][value],
    }
}

/// The whole domain.
pub(super) fn text(draft: &Draft, starts: &[Vec<Fact>], goal: &[Fact], is_wanted: bool) -> String {
    let mut text = String::with_capacity(1024);
    text.push_str("domain d\n");
    for (index, variable) in draft.variables.iter().enumerate() {
        let values = match variable.kind {
            Kind::Letters => ["a", "a, b", "a, b, c", "a, b, c, d"][variable.size - 1],
            Kind::Numbers => ["0..0", "0..1", "0..2", "0..3"][variable.size - 1],
            Kind::Bool => "bool",
        };
        _ = writeln!(text, "var v{index}: {values}");
    }
    for (index, action) in draft.actions.iter().enumerate() {
        write_action(draft, index, action, &mut text);
    }
    text.push_str("goal g:");
    write_facts(draft, goal, &mut text);
    for (index, starts) in starts.iter().enumerate() {
        _ = write!(text, "\nnpc n{index}");
        write_list("\n    can", &draft.can[index], &mut text, |action, text| {
            _ = write!(text, "a{action}");
        });
        text.push_str(if is_wanted { "\n    wants g" } else { "" });
        text.push_str(if starts.is_empty() { "" } else { "\n    starts" });
        write_facts(draft, starts, &mut text);
    }
    text.push('\n');
    text
}

fn write_action(draft: &Draft, index: usize, action: &Action, text: &mut String) {
    _ = write!(text, "action a{index}:");
    write_list("", &action.effects, text, |effect, text| {
        _ = write!(text, "v{} ", effect.variable);
        if let Some(from) = effect.from {
            _ = write!(text, "{} ", value(draft, (effect.variable, from)));
        }
        _ = write!(text, "-> {}", value(draft, (effect.variable, effect.to)));
    });
    text.push_str(if action.during.is_empty() { "" } else { "  while" });
    write_facts(draft, &action.during, text);
    write_list("  if", &action.checks, text, |&(check, expected), text| {
        _ = write!(text, "{}c{check}", if expected { "" } else { "not " });
    });
    if let Some(other) = action.overrides {
        _ = write!(text, "  overrides a{other}");
    }
    if action.cost != 1000 {
        _ = write!(text, "  cost {}.{:03}", action.cost / 1000, action.cost % 1000);
    }
    text.push('\n');
}

fn write_facts(draft: &Draft, facts: &[Fact], text: &mut String) {
    write_list("", facts, text, |&fact, text| {
        _ = write!(text, "v{} = {}", fact.0, value(draft, fact));
    });
}

/// Writes `word a, b, c`; nothing if there is nothing to list.
fn write_list<T>(word: &str, items: &[T], text: &mut String, write: impl Fn(&T, &mut String)) {
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { word } else { "," });
        text.push(' ');
        write(item, text);
    }
}
