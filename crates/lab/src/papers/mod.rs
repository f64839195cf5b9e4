//! `throng bench papers`: the experiments of the papers, with their planners and ours.
//!
//! In:   a session.
//! Out:  figures 1 to 3 of "SAS Planning As Topological Sorting", the experiment of section 6 of
//!       "Topological Planning with Post-unique and Unary Actions", a count of wrong answers, and
//!       a page that says what holds.
//! Cost: two or three minutes.
//!
//! The figures in the papers are pictures; what is redrawn here follows their captions and text.
//! Every answer is judged by replay and by the known length. A wrong one of ours fails the run;
//! those of the printed algorithms are counted and shown.

mod crowds;
mod drawn;
mod families;
mod page;
mod pairs;

use crate::harness::Timed;
use crate::printed::{Ghosts, Printed};
use crate::record::Record;
use crate::report::{BenchResult, Report, Session};
use throng_picture::figure::{Bars, Figure, Line};

/// The printed algorithms in the order of the legends.
const PRINTED: [Printed; 3] = [Printed::P, Printed::TopoPlan(Ghosts::Handled), Printed::Backstrom];

/// Names and colours of everybody, ours first.
const OURS: &str = "Throng";
const FLAT: &str = "Throng, flat rows only";
const KERNEL: &str = "Throng, kernel alone";
const COPY: &str = "copying 8 bytes each (memcpy)";
const CLAIM: &str = "the paper's claim for P (a processor of eight cores)";

fn name_of(printed: Printed) -> &'static str {
    match printed {
        Printed::P => "P as printed",
        Printed::TopoPlan(_) => "TopoPlan as printed",
        Printed::Backstrom => "Bäckström",
    }
}

fn colour_of(name: &str) -> usize {
    let printed = PRINTED.map(name_of);
    let all = [OURS, printed[0], printed[1], printed[2], KERNEL, COPY, FLAT, CLAIM];
    all.iter().position(|known| *known == name).unwrap_or(7)
}

/// A name as a part of a record's name.
fn slug(name: &str) -> String {
    let plain = |c: char| match c {
        'ä' => 'a',
        'ö' => 'o',
        _ if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ => ' ',
    };
    let words: String = name.chars().map(plain).collect();
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Ours against everybody else at the largest size; lines begin with ours. How far the rounds of
/// each lay apart is told by name.
fn of_largest(
    prefix: &str,
    unit: &str,
    lines: &[Line],
    spreads: &[(&str, f64)],
    rounds: usize,
) -> Vec<Record> {
    let timed = |line: &str, fastest: f64| {
        let spread = spreads.iter().filter(|(name, _)| *name == line).map(|(_, spread)| spread);
        Timed { fastest, median: fastest * (1.0 + spread.copied().fold(f64::NAN, f64::max)) }
    };
    let who = lines.first().map_or("", |line| &line.name);
    let Some((ours, others)) = lines.split_first() else { return Vec::new() };
    let Some(&(size, ours)) = ours.points.last() else { return Vec::new() };
    let others = others.iter().filter_map(|line| {
        let name = format!("{prefix}_{size}_{}", slug(&line.name));
        let (_, time) = *line.points.last().filter(|(at, _)| *at == size)?;
        let (ours, theirs, against) = (timed(who, ours), timed(&line.name, time), &line.name);
        let record = match line.name == COPY {
            true => Record::ours_by_theirs(name, ours, theirs, against, unit),
            false => Record::theirs_by_ours(name, ours, theirs, against, unit),
        };
        Some(record.by(format!("thread time, best of {rounds}")))
    });
    others.collect()
}

/// What the parts found beside their figures.
#[derive(Default)]
struct Notes {
    records: Vec<Record>,
    /// Answers of printed algorithms to members of the families that were not right: who, to
    /// what, how.
    misses: Vec<String>,
    /// Who was asked how many cases of the crowds, and was right how often.
    cases: Vec<crowds::Share>,
}

/// What all parts found.
struct Findings {
    figure_1: Figure,
    figure_2: Figure,
    figure_3: Figure,
    section_6: Bars,
    pairs: Vec<pairs::Row>,
    notes: Notes,
}

/// Runs all of it.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> BenchResult<Report> {
    let mut notes = Notes::default();
    let [figure_1, figure_2] = families::measure(session, &mut notes)?;
    let (figure_3, section_6) = crowds::measure(session, &mut notes)?;
    let mut pairs = pairs::count(session)?;
    pairs.extend(drawn::count(session)?);
    session.wrong.extend(pairs.iter().filter_map(pairs::Row::fault));
    notes.records.extend(pairs::records(&pairs));
    let found = Findings { figure_1, figure_2, figure_3, section_6, pairs, notes };
    let (tables, page) = (page::tables(&found), page::write(&found));
    let Findings { figure_1, figure_2, figure_3, section_6, pairs, notes } = found;
    let mut report = Report::new(&tables, notes.records);
    for figure in [figure_1, figure_2, figure_3] {
        report.files.extend(figure.files()?);
    }
    let answers = ("answers.csv".to_string(), pairs::csv(&pairs));
    Ok(report.with(section_6.files()?).with([answers, ("papers.md".to_string(), page)]))
}
