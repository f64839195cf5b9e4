//! Plans as the field writes them: steps by name, and the files they stand in.
//!
//! In:   the text of a plan file, in any of the spellings that planners write; or an action with
//!       its objects.
//! Out:  the steps, with their lines; or the first line that is no step.
//! Cost: one pass.
//!
//! A step is `(move a b)`, in any case, alone on its line or not; before it may stand a time
//! (`0:`, `0.000:`, `step 3:`), after it a duration (`[1.0]`). A line without parentheses is one
//! step: `move a b`. `;` begins a comment; blank lines count nothing; a text without steps is
//! the empty plan.

use crate::lifted::{Lifted, ObjectId};
use crate::text::shortened;
use throng_domain::Cost;

/// A step as the file says it, in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanStep {
    /// The action's name.
    pub name: String,
    /// The objects' names.
    pub arguments: Vec<String>,
    /// The line it stands on, from 1; 0 if it is from no file.
    pub line: u32,
}

impl PlanStep {
    /// An action of a task with its arguments.
    pub fn of(task: &Lifted, action: usize, arguments: &[ObjectId]) -> PlanStep {
        let object = |argument: &ObjectId| task.objects[argument.0 as usize].name.clone();
        let name = task.actions[action].name.clone();
        PlanStep { name, arguments: arguments.iter().map(object).collect(), line: 0 }
    }

    /// A step from its words, as in `move a b`; `None` without any.
    pub fn from_words(words: &str) -> Option<PlanStep> {
        let mut words = words.split_whitespace().map(str::to_ascii_lowercase);
        Some(PlanStep { name: words.next()?, arguments: words.collect(), line: 0 })
    }
}

throng_base::display! { PlanStep {
    Self { name, arguments, .. } =>
        "({name}{})", arguments.iter().map(|name| format!(" {name}")).collect::<String>();
} }

/// Why a text is no plan.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub cure: &'static str,
}

throng_base::error! { PlanError {
    Self { line, text, cure } => "line {line}: {text}; {cure}";
} }

/// Reads a plan.
///
/// # Errors
///
/// The first line that is neither a step nor blank nor a comment.
pub fn read_plan(text: &str) -> Result<Vec<PlanStep>, PlanError> {
    let mut steps = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.lines().enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let line = line.split(';').next().unwrap_or_default();
        read_line(line.trim(), number, &mut steps)?;
    }
    Ok(steps)
}

fn read_line(mut rest: &str, line: u32, steps: &mut Vec<PlanStep>) -> Result<(), PlanError> {
    let wrong = |text: &str, cure| PlanError { line, text: text.to_owned(), cure };
    while !rest.is_empty() {
        rest = without_time(rest);
        let (words, after) = match rest.strip_prefix('(') {
            Some(inner) => inner.split_once(')').ok_or_else(|| {
                wrong("`(` is not closed on its line", "write one step a line: `(move a b)`")
            })?,
            // Without parentheses the line is one step, up to its duration.
            None => rest.split_at(rest.find('[').unwrap_or(rest.len())),
        };
        if let Some(odd) = words.chars().find(|&c| matches!(c, '(' | ')' | '[' | ']' | ':' | ',')) {
            let text = format!("`{odd}` has no meaning in the step `{}`", shown(words));
            return Err(wrong(&text, "write it as in `(move a b)`"));
        }
        let step = PlanStep::from_words(words)
            .ok_or_else(|| wrong("a step without a name", "write it as in `(move a b)`"))?;
        steps.push(PlanStep { line, ..step });
        let rest_of_line = without_duration(after.trim_start()).ok_or_else(|| {
            let text = format!("`{}` is no duration", shown(after));
            wrong(&text, "write it as in `[1.0]`, or remove it")
        });
        rest = rest_of_line?.trim_start();
    }
    Ok(())
}

/// What follows `0:`, `0.000:` or `step 3:`.
fn without_time(text: &str) -> &str {
    let Some((before, after)) = text.split_once(':') else { return text };
    let time = before.trim();
    let has_step = time.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("step"));
    let time = if has_step { time[4..].trim_start() } else { time };
    match time.parse::<f64>() {
        Ok(_) => after.trim_start(),
        Err(_) => text,
    }
}

/// What follows `[1.0]`; `None` if something else stands in the brackets.
fn without_duration(text: &str) -> Option<&str> {
    let Some(inner) = text.strip_prefix('[') else { return Some(text) };
    let (number, after) = inner.split_once(']')?;
    number.trim().parse::<f64>().ok().map(|_| after)
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    shortened(text.trim(), 60)
}

/// A plan as the field writes it: a step a line, then what it costs.
pub fn plan_text(steps: &[String], cost: Cost, has_metric: bool) -> String {
    let steps: String = steps.iter().map(|step| format!("{step}\n")).collect();
    let kind = if has_metric { "general" } else { "unit" };
    format!("{steps}; cost = {cost} ({kind} cost)\n")
}

/// The cost that a plan's own comment tells, `; cost = 3 (unit cost)`, with its line; the last,
/// if there are several.
pub fn told_cost(text: &str) -> Option<(usize, Cost)> {
    let told = |(at, line): (usize, &str)| {
        let (_, comment) = line.split_once(';')?;
        let (word, value) = comment.split_once('=')?;
        if !word.trim().eq_ignore_ascii_case("cost") {
            return None;
        }
        let value: f64 = value.split_whitespace().next()?.parse().ok()?;
        let is_cost = value.is_finite() && value >= 0.0;
        is_cost.then(|| (at + 1, Cost((value * 1000.0).round() as u64)))
    };
    text.lines().enumerate().filter_map(told).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<String> {
        read_plan(text).unwrap().iter().map(PlanStep::to_string).collect()
    }

    #[test]
    fn all_spellings_of_a_plan_are_one() {
        let expected = ["(move a b)", "(drop b)"];
        for text in [
            "(move a b)\n(drop b)\n; cost = 2 (unit cost)\n",
            "(MOVE A B)\r\n( Drop  b )\r\n",
            "\u{feff}0: (move a b) [1]\n1: (drop b) [1]\n",
            "0.000: (move a b) [1.0]\n\n 1.001 :(drop b)[1.0] ; done\n",
            "move a b\ndrop b",
            "0: move a b [1]\n1: drop b",
            "step    0: MOVE A B\n        1: DROP B\n",
            "(move a b) (drop b)",
            "; a comment\n\n\t(move a b)\n;(no step)\n(drop b);(nor this)",
        ] {
            assert_eq!(steps(text), expected, "{text}");
        }
        for text in ["", "\n\n", "; cost = 0 (unit cost)\n", "\u{feff}"] {
            assert!(steps(text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn lines_are_kept_and_named() {
        assert_eq!(read_plan("; one\n\n(a)\n(b)").unwrap()[1].line, 4);
        for (text, line, words) in [
            ("(a)\n(b", 2, "not closed"),
            ("(a))", 1, "`)`"),
            ("\n()", 2, "without a name"),
            ("(a (b))", 1, "`(`"),
            ("a b)", 1, "`)`"),
            ("(a) [long]", 1, "no duration"),
            ("ff: found legal plan", 1, "`:`"),
            ("[1]", 1, "without a name"),
        ] {
            let error = read_plan(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(words), "{text}: {error}");
        }
    }
}
