//! Maps that do not show what was meant: holes in walls, and rows that are comments.
//!
//! In:   the story, its statements, the text.
//! Out:  a mistake for each mark that nothing stands at and that breaks a wall, and for each row
//!       without quotes, which the language reads as a comment.
//! Cost: the words of the story for each mark; the lines of the map.

use crate::cell::Cell;
use crate::story::{Mark, Story};
use std::collections::HashSet;
use throng_domain::notes::{Note, NoteOn, WordKind};
use throng_domain::{Code, Model, Report, Span};

/// Statements that speak of marks.
const SPEAK_OF_MARKS: [&str; 5] = ["actor", "thing", "node", "at", "promise"];

/// Looks for both.
pub(super) fn check(model: &Model, story: &Story, report: &mut Report) {
    let notes = || model.notes().iter().filter(|note| note.on == NoteOn::Itself);
    let Some(map) = notes().find(|note| note.keyword.word == "map") else { return };
    let speak = notes().filter(|note| SPEAK_OF_MARKS.contains(&note.keyword.word));
    let said: HashSet<&str> =
        speak.flat_map(|note| &note.words).map(|word| word.text.as_str()).collect();
    let is_used = |mark: &Mark| said.contains(mark.name.as_str());
    for mark in story.marks.iter().filter(|mark| !is_used(mark) && is_hole(story, mark.cell)) {
        let name = &mark.name;
        let text = format!("the mark `{name}` is a hole in the wall: nothing is there");
        let cure = format!("put something there, as `thing gate at {name}: door`, or write `#`");
        report.say(Code::NoteSense, place_of(map, mark), text, cure);
    }
    rows_as_comments(model, story, map, report);
}

/// Where a mark stands in the text.
fn place_of(map: &Note, mark: &Mark) -> Span {
    let rows = map.words.iter().filter(|word| word.kind == WordKind::Text);
    let row = usize::try_from(mark.cell.y).ok().and_then(|y| rows.clone().nth(y));
    let Some(row) = row else { return map.span };
    match row.text.char_indices().nth(usize::try_from(mark.cell.x).unwrap_or(0)) {
        Some((at, letter)) => {
            // The opening quote stands before the text.
            let start = row.span.start as usize + 1 + at;
            Span::new(row.span.file, start, start + letter.len_utf8())
        }
        None => row.span,
    }
}

fn is_wall(story: &Story, x: i16, y: i16) -> bool {
    let row = usize::try_from(y).ok().and_then(|y| story.map.get(y));
    let letter = row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.chars().nth(x));
    letter.is_none_or(|letter| letter == '#')
}

/// Whether a cell joins two sides of a wall. The cells of a passage stand between walls as well, so
/// one of the sides must be wider.
fn is_hole(story: &Story, Cell { x, y }: Cell) -> bool {
    let wall = |dx: i16, dy: i16| is_wall(story, x + dx, y + dy);
    let between = |dx: i16, dy: i16| wall(dx, dy) && wall(-dx, -dy);
    // Neither wall nor between walls across the way.
    let is_wide = |dx: i16, dy: i16| {
        let narrow = wall(dx + dy, dy + dx) && wall(dx - dy, dy - dx);
        !(wall(dx, dy) || narrow)
    };
    let through = |dx: i16, dy: i16| is_wide(dx, dy) || is_wide(-dx, -dy);
    between(1, 0) && through(0, 1) || between(0, 1) && through(1, 0)
}

/// Comments among the rows of the map, or at its ends, that look like rows.
fn rows_as_comments(model: &Model, story: &Story, map: &Note, report: &mut Report) {
    let Some(file) = model.sources().file(map.span.file) else { return };
    let text = file.text();
    let width = story.map.first().map_or(0, |row| row.chars().count());
    let last = map.span.end as usize;
    let mut start = map.span.start as usize;
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        let (row, from) = (line.trim(), start + line.len() - line.trim_start().len());
        let is_comment = row.starts_with('#');
        // Behind the last row the comments that follow at once.
        if start > last && !is_comment {
            break;
        }
        let inside = start < last;
        start += line.len();
        if is_comment && is_row(row, width, inside) {
            let span = Span::new(map.span.file, from, from + row.len());
            let text = "this row is a comment: put it in quotes";
            let cure = format!("write \"{row}\"");
            report.say(Code::NoteSense, span, text, cure);
        }
    }
}

/// Whether a comment looks like a row of a map so wide. Sentences have blanks; lines of `#` alone
/// are rows among rows, and decoration elsewhere unless they are just as wide.
fn is_row(line: &str, width: usize, inside: bool) -> bool {
    let of_a_map = |c: char| matches!(c, '#' | '.' | ' ') || c.is_alphabetic();
    let as_wide = line.chars().count() == width;
    let walled = line.len() > 2 && line.ends_with('#');
    line.chars().all(of_a_map)
        && (as_wide && (walled || !line.contains(' ')) || inside && walled && !line.contains(' '))
}
