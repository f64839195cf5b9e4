//! Maps that do not show what was meant: holes in walls, and rows that are comments.
//!
//! In:   the story, its statements, the text.
//! Out:  a mistake for each mark that nothing stands at and that breaks a wall, and for each row
//!       without quotes, which the language reads as a comment.
//! Cost: the words of the story for each mark; the lines of the map.

use crate::cell::Cell;
use crate::grid::Grid;
use crate::story::read::statements;
use crate::story::{Mark, Story};
use std::collections::HashSet;
use throng_domain::notes::Note;
use throng_domain::{Code, Model, Report, Span};

/// Statements that speak of marks.
const SPEAK_OF_MARKS: [&str; 6] = ["actor", "thing", "node", "at", "when", "promise"];

/// Looks for both.
pub(super) fn check(model: &Model, story: &Story, report: &mut Report) {
    let Some(map) = statements(model, "map").next() else { return };
    let floor = story.floor();
    let rows: Vec<&str> = floor.iter().map(String::as_str).collect();
    let Ok(grid) = Grid::read(&rows) else { return };
    let speak = SPEAK_OF_MARKS.into_iter().flat_map(|keyword| statements(model, keyword));
    let said: HashSet<&str> =
        speak.flat_map(|note| &note.words).map(|word| word.text.as_str()).collect();
    let is_used = |mark: &Mark| said.contains(mark.name.as_str());
    for mark in story.marks.iter().filter(|mark| !is_used(mark) && is_hole(&grid, mark.cell)) {
        let name = &mark.name;
        let text = format!("the mark `{name}` is a hole in the wall: nothing is there");
        let cure = format!(
            "put something there, as `thing gate at {name}: door`, or write `#`, or `.` if it is open"
        );
        report.say(Code::NoteSense, mark.span, text, cure);
    }
    rows_as_comments(model, story, map, report);
}

/// Whether a cell joins two sides of a wall. The cells of a passage stand between walls as well, so
/// one of the sides must be wider.
fn is_hole(grid: &Grid, Cell { x, y }: Cell) -> bool {
    let wall = |dx: i16, dy: i16| grid.is_wall(Cell::new(x + dx, y + dy));
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
