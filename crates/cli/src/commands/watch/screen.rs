//! What is watched, drawn on a terminal: the answer above, what changed or is wrong below.
//!
//! In:   the state of everything watched, and the size of the terminal.
//! Out:  text from the top of a clean screen that fits into it; what does not fit is counted.
//! Cost: linear in the text.
//!
//! Where there is too little room the answer comes first: it is what an author looks for while
//! a file is broken. What stands below keeps [`LEAST_BELOW`] rows.

use super::Watched;
use super::subject::Broken;
use crate::console::count;
use crate::edge::Styled;
use crate::screen::Size;

/// Differences and warnings that are shown however large the terminal is.
const MOST_NAMED: usize = 30;
/// Rows that each of those watched is given even if the terminal is small.
const LEAST_ROWS: usize = 5;
/// Rows under an answer that are left to what is wrong: a blank one, the first mistake, how many
/// more there are, and whose answer stands above.
const LEAST_BELOW: usize = 4;

/// Rows and columns of a terminal that shows all.
const WITHOUT_END: (usize, usize) = (usize::MAX, usize::MAX);

/// Everything, to be written from the top of a clean screen.
pub(super) fn drawn(all: &[Watched], size: Size) -> Styled {
    let width = size.width.max(1);
    let heads: Vec<Styled> = all.iter().map(|one| Styled::line(&head(one))).collect();
    // Under each a blank row; at the end the last line, and the row that the cursor stands in.
    let taken: usize = heads.iter().map(|head| rows(head, width) + 1).sum::<usize>() + 2;
    let whole: Vec<_> = all.iter().map(|one| (answer(one), below(one, WITHOUT_END))).collect();
    let need =
        |(answer, below): &(Vec<_>, Vec<_>)| all_rows(answer, width) + all_rows(below, width);
    let needs: Vec<usize> = whole.iter().map(need).collect();
    let mut text = Styled::default();
    let rooms = shares(&needs, size.height.saturating_sub(taken));
    for (at, one) in all.iter().enumerate() {
        let room = rooms[at].max(LEAST_ROWS);
        let (answer, all_below) = &whole[at];
        let for_below = all_rows(all_below, width);
        let for_answer = room.saturating_sub(for_below.min(LEAST_BELOW)).max(1);
        let answer = cut(answer, for_answer, width, "more line");
        let left = room.saturating_sub(all_rows(&answer, width));
        let below = below(one, if for_below <= left { WITHOUT_END } else { (left, width) });
        for line in std::iter::once(&heads[at]).chain(&answer).chain(&below) {
            text.push(line);
            text.code("\n");
        }
        text.code("\n");
    }
    text.code("Ctrl-C ends\n");
    text
}

/// Divides rows: who needs little leaves the rest to the others.
fn shares(needs: &[usize], mut room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&at| needs[at]);
    let mut shares = vec![0; needs.len()];
    for (served, &at) in order.iter().enumerate() {
        shares[at] = needs[at].min(room / (needs.len() - served));
        room -= shares[at];
    }
    shares
}

/// How many rows a line takes; colours take none.
fn rows(line: &Styled, width: usize) -> usize {
    line.width().div_ceil(width).max(1)
}

fn all_rows(lines: &[Styled], width: usize) -> usize {
    lines.iter().map(|line| rows(line, width)).sum()
}

/// The first lines that fit, and how many more there are.
fn cut(lines: &[Styled], room: usize, width: usize, what: &str) -> Vec<Styled> {
    if all_rows(lines, width) <= room {
        return lines.to_vec();
    }
    let mut left = room.saturating_sub(1);
    let mut kept = Vec::new();
    for line in lines {
        match left.checked_sub(rows(line, width)) {
            Some(rest) => left = rest,
            None => break,
        }
        kept.push(line.clone());
    }
    let more = count(lines.len() - kept.len(), what);
    kept.push(Styled::line(&format!("  … and {more}")));
    kept
}

fn head(one: &Watched) -> String {
    // Those of the title are named already.
    let others = one.eyes.len().saturating_sub(one.subject.files().len());
    let included = match others {
        0 => String::new(),
        _ => format!(" with {}", count(others, "other file")),
    };
    format!("── {}{included}, version {} ──", one.subject.title(), one.version)
}

fn answer(one: &Watched) -> Vec<Styled> {
    one.good.as_ref().map_or(Vec::new(), |good| good.text.lines().map(Styled::line).collect())
}

/// What stands under an answer: differences, warnings, mistakes; within so many rows of so many
/// columns.
fn below(one: &Watched, (room, width): (usize, usize)) -> Vec<Styled> {
    match &one.broken {
        Some(broken) => wrong(broken, one.good.is_some(), room, width),
        None => cut(&news(one), room, width, "more line"),
    }
}

fn news(one: &Watched) -> Vec<Styled> {
    let mut lines = Vec::new();
    if let Some(news) = &one.news {
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
    }
    let warnings = one.good.as_ref().map_or(&[][..], |good| &good.warnings);
    if !warnings.is_empty() {
        lines.push(String::new());
        lines.extend(warnings.iter().take(MOST_NAMED).cloned());
    }
    lines.iter().map(|line| Styled::line(line)).collect()
}

/// The mistakes: the first as pictures, the others a line each, the rest counted.
fn wrong(broken: &Broken, has_answer: bool, room: usize, width: usize) -> Vec<Styled> {
    let last = has_answer
        .then(|| Styled::line("the answer above is that of the last version without errors"));
    let mut room = room.saturating_sub(1 + last.as_ref().map_or(0, |line| rows(line, width)));
    let mut lines = vec![Styled::default()];
    let pictures = &broken.pictures[..pictured(broken, room, width)];
    for (at, picture) in pictures.iter().enumerate() {
        lines.extend((at > 0).then(Styled::default));
        lines.extend(picture.lines());
        room = room.saturating_sub(picture_rows(picture, width) + usize::from(at > 0));
    }
    let rest = &broken.lines[pictures.len().min(broken.lines.len())..];
    let unnamed = broken.errors.saturating_sub(broken.lines.len());
    let apart = usize::from(!pictures.is_empty());
    let named = match rest.len() + apart + usize::from(unnamed > 0) <= room {
        true => rest.len(),
        false => room.saturating_sub(apart + 1),
    };
    let short = rest.iter().take(named).map(|line| Styled::line(line).first(width));
    lines.extend((named > 0 && apart > 0).then(Styled::default));
    lines.extend(short);
    let more = match rest.len() - named.min(rest.len()) + unnamed {
        0 => None,
        more if more == broken.errors => Some(count(more, "error")),
        more => Some(format!("… and {}", count(more, "more error"))),
    };
    let more = more.map(|more| Styled::line(&more));
    lines.into_iter().chain(more).chain(last).collect()
}

fn picture_rows(picture: &Styled, width: usize) -> usize {
    picture.lines().map(|line| rows(&line, width)).sum()
}

/// How many mistakes are drawn: as many as leave a line for each of the others; if there are too
/// many for that, the first one, where it fits.
fn pictured(broken: &Broken, room: usize, width: usize) -> usize {
    let n = broken.pictures.len();
    let unnamed = usize::from(broken.errors > n);
    let mut taken = 0_usize;
    let mut best = None;
    for drawn in 0..=n {
        if drawn > 0 {
            taken += picture_rows(&broken.pictures[drawn - 1], width) + usize::from(drawn > 1);
        }
        let others = n - drawn + unnamed;
        let apart = usize::from(drawn > 0 && others > 0);
        if taken.saturating_add(others + apart) <= room {
            best = Some(drawn);
        }
    }
    let first = || broken.pictures.first().is_some_and(|it| picture_rows(it, width) < room);
    best.unwrap_or_else(|| usize::from(first()))
}

#[cfg(test)]
mod tests {
    use super::super::subject::{Answered, Good, Subject};
    use super::*;
    use crate::shapes::ReasonShape;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// What is wrong with nothing.
    const NONE: ReasonShape = ReasonShape { code: "none", text: String::new() };

    struct Nothing;

    impl Subject for Nothing {
        fn files(&self) -> Vec<PathBuf> {
            ["a.pddl", "b.pddl"].map(PathBuf::from).to_vec()
        }

        fn answer(&mut self, _stop: &Arc<AtomicBool>) -> Answered {
            Answered { files: self.files(), came: Err(Broken::sentence(NONE)) }
        }
    }

    /// A plan of so many steps, and so many mistakes of six rows since.
    fn broken(steps: usize, errors: usize) -> Watched {
        let mut one = Watched::new(Box::new(Nothing));
        let listed: Vec<String> = (1..=steps).map(|at| format!("  {at}. step\n")).collect();
        one.good = Some(Good {
            headline: "the plan".to_string(),
            text: format!("the plan\n{}", listed.concat()),
            steps: Vec::new(),
            outcome: "plan",
            goal: None,
            cost: None,
            reason: None,
            warnings: Vec::new(),
            json: serde_json::Value::Null,
            code: 0,
        });
        one.broken = Some(Broken {
            pictures: (1..=errors)
                .map(|at| Styled::plain(&format!("error {at}\n1\n2\n3\n4\n5")))
                .collect(),
            lines: (1..=errors).map(|at| format!("short {at}")).collect(),
            mistakes: Vec::new(),
            errors,
        });
        one
    }

    /// The rows that are seen: the terminal rolls if there are more than it has.
    fn seen(all: &[Watched], height: usize, width: usize) -> Vec<String> {
        let text = drawn(all, Size { width, height });
        let lines: Vec<Styled> = text.lines().collect();
        assert!(all_rows(&lines, width) < height, "{height} rows, and this:\n{text:?}");
        lines.iter().map(|line| line.as_str().to_string()).collect()
    }

    #[test]
    fn the_last_good_plan_stays_in_sight_however_many_errors_there_are() {
        let lines = seen(&[broken(6, 6)], 24, 80);
        for line in ["the plan", "  6. step", "short 1", "short 6"] {
            assert!(lines.iter().any(|seen| seen == line), "`{line}` is missing in {lines:#?}");
        }
        assert!(lines[0].ends_with("── a.pddl b.pddl, version 0 ──"), "{lines:#?}");
        let lines = seen(&[broken(6, 30)], 24, 80);
        for line in ["the plan", "  6. step", "error 1", "short 2", "… and 26 more errors"] {
            assert!(lines.iter().any(|seen| seen == line), "`{line}` is missing in {lines:#?}");
        }
        // A terminal with room for all shows all.
        let lines = seen(&[broken(6, 6)], 80, 80);
        assert!(lines.iter().any(|line| line == "error 6"), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("more")), "{lines:#?}");
    }

    #[test]
    fn a_long_plan_leaves_the_first_error_a_line() {
        let lines = seen(&[broken(100, 3)], 24, 80);
        for line in ["  1. step", "  … and 86 more lines", "short 1", "… and 2 more errors"] {
            assert!(lines.iter().any(|seen| seen == line), "`{line}` is missing in {lines:#?}");
        }
    }

    #[test]
    fn whatever_the_sizes_are_it_fits() {
        for height in 10..40 {
            for (steps, errors) in [(0, 1), (1, 9), (9, 1), (30, 30)] {
                seen(&[broken(steps, errors)], height, 80);
                seen(&[broken(steps, errors)], height + 10, 30);
            }
            seen(&[broken(3, 2), broken(40, 3)], height + 8, 80);
        }
    }

    #[test]
    fn rows_are_counted_as_a_terminal_breaks_lines() {
        assert_eq!(rows(&Styled::line(""), 10), 1);
        assert_eq!(rows(&Styled::line("0123456789"), 10), 1);
        assert_eq!(rows(&Styled::line("0123456789a"), 10), 2);
        let coloured = "\x1b[1m\x1b[91m0123456789\x1b[0m".to_string();
        assert_eq!(rows(&Styled::coloured("0123456789", coloured), 10), 1);
    }
}
