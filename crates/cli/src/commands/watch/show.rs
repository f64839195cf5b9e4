//! How what is watched is shown: on a terminal drawn anew each time, elsewhere a line for each
//! change, for programs a JSON line.
//!
//! In:   the state of everything watched, and who changed.
//! Out:  text on the results.

use super::Watched;
use super::subject::{Broken, Good, Mistake, News};
use crate::commands::play::layout::Size;
use crate::commands::play::screen::size;
use crate::commands::play::telling::visible;
use crate::console::{Console, Fail, count};
use serde::Serialize;
use serde_json::value::RawValue;

/// Steps, mistakes and differences that one line names.
const MOST_NAMED: usize = 30;
/// Lines of an answer that a terminal shows even if it is small.
const LEAST_LINES: usize = 5;

/// How to show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Screen,
    Lines,
    Json,
}

/// Shows that one of those watched has changed.
pub(crate) fn show(
    manner: Manner,
    all: &[Watched],
    changed: usize,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let one = &all[changed];
    match manner {
        Manner::Screen => console.print(&drawn(all, size()))?,
        Manner::Lines => console.line(&visible(&line(one)))?,
        Manner::Json => console.json(&Shape::of(one))?,
    }
    console.flush()
}

/// At most so many, and how many more there are.
fn some<T: ToString>(all: &[T], between: &str) -> String {
    let named: Vec<String> = all.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    match all.len().saturating_sub(MOST_NAMED) {
        0 => named.join(between),
        more => format!("{}{between}… and {more} more", named.join(between)),
    }
}

/// An answer on one line.
fn answer_line(good: &Good) -> String {
    match good.steps.is_empty() {
        true => good.headline.clone(),
        false => format!("{}: {}", good.headline, some(&good.steps, ", ")),
    }
}

fn news_line(news: &News) -> String {
    let steps: Vec<String> = news.steps.iter().map(ToString::to_string).collect();
    match news.is_none() {
        true => "the same answer".to_string(),
        false => some(&[news.facts.clone(), steps].concat(), "; "),
    }
}

fn line(one: &Watched) -> String {
    let title = one.title();
    match (&one.broken, &one.good) {
        (Some(broken), Some(good)) => {
            let wrong = some(&broken.lines, "; ");
            format!("{title}: broken: {wrong} | still: {}", answer_line(good))
        }
        (Some(broken), None) => format!("{title}: broken: {}", some(&broken.lines, "; ")),
        (None, Some(good)) => {
            let news = one.news.as_ref().map(|news| format!(" | {}", news_line(news)));
            format!("{title}: {}{}", answer_line(good), news.unwrap_or_default())
        }
        (None, None) => title,
    }
}

/// A change for programs.
#[derive(Serialize)]
struct Shape<'s> {
    file: String,
    /// Which answer this is, from 1.
    version: u64,
    /// Whether the files are without errors now.
    good: bool,
    errors: &'s [Mistake],
    warnings: &'s [String],
    /// The answer; with errors, the last one without.
    answer: Option<&'s RawValue>,
    /// What is otherwise than in the good answer before; `null` if there was none.
    changes: Option<ChangesShape<'s>>,
}

#[derive(Serialize)]
struct ChangesShape<'s> {
    facts: &'s [String],
    steps: &'s [super::steps::Change],
}

impl<'s> Shape<'s> {
    fn of(one: &'s Watched) -> Shape<'s> {
        let changes = |news: &'s News| ChangesShape { facts: &news.facts, steps: &news.steps };
        Shape {
            file: one.title(),
            version: one.version,
            good: one.broken.is_none(),
            errors: one.broken.as_ref().map_or(&[], |broken| &broken.mistakes),
            warnings: one.good.as_ref().map_or(&[], |good| &good.warnings),
            answer: one.good.as_ref().and_then(|good| good.json.as_deref()),
            changes: one.news.as_ref().filter(|_| one.broken.is_none()).map(changes),
        }
    }
}

/// Everything, from the top of a clean screen.
fn drawn(all: &[Watched], size: Size) -> String {
    let around: Vec<Vec<String>> = all.iter().map(below).collect();
    let taken: usize = around.iter().map(|lines| lines.len() + 2).sum::<usize>() + 1;
    let room = (size.height.saturating_sub(taken) / all.len().max(1)).max(LEAST_LINES);
    let mut text = "\x1b[H\x1b[2J".to_string();
    for (one, below) in all.iter().zip(&around) {
        text.push_str(&format!("{}\n", visible(&head(one))));
        let answer = one.good.as_ref().map_or("", |good| &good.text);
        let n_lines = answer.lines().count();
        let shown = if n_lines > room { room - 1 } else { n_lines };
        answer.lines().take(shown).for_each(|line| text.push_str(&format!("{}\n", visible(line))));
        if shown < n_lines {
            text.push_str(&format!("  … and {}\n", count(n_lines - shown, "more line")));
        }
        below.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        text.push('\n');
    }
    text.push_str("Ctrl-C ends\n");
    text
}

fn head(one: &Watched) -> String {
    let files = one.paths().len();
    let included = match files {
        0 | 1 => String::new(),
        _ => format!(" with {}", count(files - 1, "other file")),
    };
    format!("── {}{included}, version {} ──", one.title(), one.version)
}

/// What stands under an answer: differences, warnings, mistakes.
fn below(one: &Watched) -> Vec<String> {
    let mut lines = Vec::new();
    if let (None, Some(news)) = (&one.broken, &one.news) {
        lines.push(String::new());
        lines.push(format!(
            "changed: {}",
            match (news.is_none(), news.facts.is_empty()) {
                (true, _) => "nothing in the answer".to_string(),
                (false, true) => "the steps".to_string(),
                (false, false) => news.facts.join(", "),
            }
        ));
        let steps = news.steps.iter().take(MOST_NAMED).map(|step| format!("  {step}"));
        lines.extend(steps);
        let more = news.steps.len().saturating_sub(MOST_NAMED);
        lines.extend((more > 0).then(|| format!("  … and {more} more")));
        lines.iter_mut().for_each(|line| *line = visible(line));
    }
    if let (None, Some(good)) = (&one.broken, &one.good)
        && !good.warnings.is_empty()
    {
        lines.push(String::new());
        let warnings = good.warnings.iter().take(MOST_NAMED).map(|line| visible(line));
        lines.extend(warnings);
    }
    if let Some(broken) = &one.broken {
        lines.push(String::new());
        lines.extend(mistakes(broken));
        if one.good.is_some() {
            lines.push("the answer above is that of the last version without errors".to_string());
        }
    }
    lines
}

fn mistakes(broken: &Broken) -> Vec<String> {
    // Drawn by `render`, which lets nothing of the file steer the terminal.
    broken.picture.lines().map(str::to_string).collect()
}
