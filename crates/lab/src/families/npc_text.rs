//! A family member as `.npc` text in canonical layout, written as it is made.
//!
//! In:   a [`Family`].
//! Out:  the text that `throng fmt` would leave as it is.
//! Cost: linear in the text; the names of the longest line are the most that is kept.
//!
//! Neighbours share columns, so the widths must be known before the first line: everything is
//! visited twice, once to measure and once to write. The rules are those of the layout in
//! `throng-domain`; `tests/it/families.rs` holds the two equal.

use super::{Family, Halt, Move, Needed, Sink, Values, sayable, value_name};

/// Lines longer than this are broken.
const WIDTH: usize = 100;
/// Heads and bodies longer than this do not push their neighbours to the right.
const ALIGNED: usize = 48;

pub(super) fn write(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    for line in family.about().lines() {
        sink.put(format!("# {line}").trim_end())?;
        sink.put("\n")?;
    }
    sink.put(&format!("\ndomain {}\n\n", family.domain()))?;
    variables(family, sink)?;
    sink.put("\n")?;
    actions(family, sink)?;
    sink.put("\n")?;
    goal(family, sink)?;
    sink.put("\n")?;
    npc(family, sink)?;
    test(family, sink)
}

fn variables(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let head = |variable: u64| format!("var {}:", family.variable_name(variable));
    let widths = (0..family.n_variables()).map(|variable| aligned(head(variable).len()));
    let widest = widths.max().unwrap_or(0);
    for variable in 0..family.n_variables() {
        let mut line = head(variable);
        pad(&mut line, widest + 1);
        match family.values(variable) {
            Values::Numbers(1) => line.push('0'),
            Values::Numbers(n) => line.push_str(&format!("0..{}", n - 1)),
            Values::Words(words) => line.push_str(&words.join(", ")),
        }
        line.push('\n');
        sink.put(&line)?;
    }
    Ok(())
}

/// The parts of an action's line.
struct Parts {
    head: String,
    body: String,
    /// What it needs, if that fits on the line; empty if not.
    tail: String,
    /// It does not fit.
    broken: bool,
}

impl Parts {
    fn new(family: &dyn Family, action: u64) -> Parts {
        let Move { variable, from, to } = family.action(action);
        let value = |value: u32| value_name(family, (variable, value));
        let mut parts = Parts {
            head: format!("action {}:", family.action_name(action)),
            body: format!("{} {} -> {}", family.variable_name(variable), value(from), value(to)),
            tail: String::new(),
            broken: false,
        };
        let room = WIDTH.saturating_sub(parts.head.len() + parts.body.len() + 3);
        for need in family.needs(action) {
            parts.tail.push_str(if parts.tail.is_empty() { "while " } else { ", " });
            parts.tail.push_str(&fact(family, need));
            if parts.tail.len() > room {
                parts.tail.clear();
                parts.broken = true;
                break;
            }
        }
        parts
    }
}

fn actions(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let (mut head, mut body) = (0, 0);
    for action in 0..family.n_actions() {
        let parts = Parts::new(family, action);
        head = head.max(aligned(parts.head.len()));
        if !parts.tail.is_empty() {
            body = body.max(aligned(parts.body.len()));
        }
    }
    for action in 0..family.n_actions() {
        let parts = Parts::new(family, action);
        let mut line = parts.head;
        pad(&mut line, head + 1);
        line.push_str(&parts.body);
        if !parts.tail.is_empty() {
            pad(&mut line, head + 1 + body + 2);
            line.push_str(&parts.tail);
        }
        line.push('\n');
        sink.put(&line)?;
        if parts.broken {
            let facts = family.needs(action).map(|need| fact(family, need));
            list("    while ", 8, facts, sink)?;
        }
    }
    Ok(())
}

fn goal(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let wanted = |variable| fact(family, (variable, family.start_and_goal(variable).1));
    let head = format!("goal {}: ", family.names().1);
    list(&head, 4, (0..family.n_variables()).map(wanted), sink)
}

fn npc(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let (npc, goal) = family.names();
    sink.put(&format!("npc {npc}\n"))?;
    let names = (0..family.n_actions()).map(|action| family.action_name(action));
    list("    can ", 8, names, sink)?;
    sink.put(&format!("    wants {goal}\n"))?;
    let start = |variable| fact(family, (variable, family.start_and_goal(variable).0));
    list("    starts ", 8, (0..family.n_variables()).map(start), sink)
}

fn test(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let Some((name, length)) = sayable(family.known()) else { return Ok(()) };
    let expected = length.map_or("impossible".to_string(), |length| format!("length {length}"));
    let (npc, goal) = family.names();
    sink.put(&format!("\ntest {name}: {npc}\n    goal {goal}\n    expect {expected}\n"))
}

/// Writes a list on lines of at most [`WIDTH`], broken after commas.
fn list(
    begin: &str,
    margin: usize,
    items: impl Iterator<Item = String>,
    sink: &mut Sink<'_>,
) -> Result<(), Halt> {
    let mut line = begin.to_string();
    let mut first = true;
    for item in items {
        if !first {
            line.push(',');
            // Room for the item itself and a comma after it.
            if line.len() + item.len() + 2 > WIDTH {
                line.push('\n');
                sink.put(&line)?;
                line.clear();
                pad(&mut line, margin);
            } else {
                line.push(' ');
            }
        }
        line.push_str(&item);
        first = false;
    }
    line.push('\n');
    sink.put(&line)
}

fn fact(family: &dyn Family, needed: Needed) -> String {
    format!("{} = {}", family.variable_name(needed.0), value_name(family, needed))
}

/// A width that counts for the column: not one that is too wide.
fn aligned(width: usize) -> usize {
    if width <= ALIGNED { width } else { 0 }
}

/// Fills a line with blanks up to a column, with one at least.
fn pad(line: &mut String, column: usize) {
    let blanks = column.saturating_sub(line.len()).max(1);
    line.extend(std::iter::repeat_n(' ', blanks));
}
