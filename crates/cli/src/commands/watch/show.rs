//! How what is watched is shown: on a terminal drawn anew each time (`screen`), elsewhere a line
//! for each change, for programs a JSON line.
//!
//! In:   the state of everything watched, and who changed.
//! Out:  text on the results.

use super::Watched;
use super::screen::drawn;
use super::subject::{Good, News};
use crate::console::{Console, Fail};
use crate::screen::{Size, cleared};
use serde_json::{Value, json};

/// Steps, mistakes and differences that one line names.
const MOST_NAMED: usize = 30;

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
        Manner::Screen => console.print_styled(&cleared(&drawn(all, Size::now())))?,
        Manner::Lines => writeln!(console, "{}", line(one))?,
        Manner::Json => console.json(&shape(one))?,
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
    let title = one.subject.title();
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

/// A change for programs. `version` counts answers from 1; `good` says whether the files are
/// without errors now; `answer` is then the last one without; `changes` is `null` without a good
/// answer before.
fn shape(one: &Watched) -> Value {
    let changes = one.news.as_ref().filter(|_| one.broken.is_none());
    let good = one.good.as_ref();
    json!({
        "file": one.subject.title(),
        "version": one.version,
        "good": one.broken.is_none(),
        "errors": one.broken.as_ref().map_or(&[][..], |broken| &broken.mistakes),
        "warnings": good.map_or(&[][..], |good| &good.warnings),
        "answer": good.map(|good| &good.json),
        "changes": changes.map(|news| json!({"facts": news.facts, "steps": news.steps})),
    })
}
