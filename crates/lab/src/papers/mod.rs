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

use crate::printed::{Ghosts, Printed};
use crate::record::{self, Record};
use crate::report::{BenchError, Report, Session};
use throng_cli::picture::figure::{Bars, Figure};

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

/// What all parts found.
struct Findings {
    figure_1: Figure,
    figure_2: Figure,
    figure_3: Figure,
    section_6: Bars,
    pairs: Vec<pairs::Row>,
    /// Answers of printed algorithms to members of the families that were not right: who, to
    /// what, how.
    misses: Vec<String>,
    /// Who was asked how many cases of the crowds, and was right how often.
    cases: Vec<crowds::Share>,
    records: Vec<Record>,
    wrong: Vec<String>,
}

/// Runs all of it.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> Result<Report, BenchError> {
    let families = families::measure(session)?;
    let crowds = crowds::measure(session)?;
    let mut pairs = pairs::count(session)?;
    pairs.extend(drawn::count(session)?);
    let mut wrong = families.wrong;
    wrong.extend(crowds.wrong);
    wrong.extend(pairs.iter().filter_map(pairs::Row::fault));
    let records = families.records.into_iter().chain(crowds.records);
    let findings = Findings {
        records: records.chain(pairs::records(&pairs)).collect(),
        figure_1: families.figure_1,
        figure_2: families.figure_2,
        misses: families.misses,
        figure_3: crowds.figure_3,
        section_6: crowds.section_6,
        cases: crowds.shares,
        pairs,
        wrong,
    };
    let mut files = Vec::new();
    for figure in [&findings.figure_1, &findings.figure_2, &findings.figure_3] {
        files.extend(figure.files()?);
    }
    files.extend(findings.section_6.files()?);
    files.push(("answers.csv".to_string(), pairs::csv(&findings.pairs)));
    let page = page::write(&findings);
    files.push(("papers.md".to_string(), page));
    let tables = format!("{}\n{}", page::tables(&findings), record::table(&findings.records));
    Ok(Report { records: findings.records, tables, files, wrong: findings.wrong })
}
