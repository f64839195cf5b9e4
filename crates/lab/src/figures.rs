//! A figure of any measurement, as a line of one table of all of them.
//!
//! In:   what was measured, beside what, how, and how far rounds lay apart.
//! Out:  a line of values between tabs, added to the file that [`FILE`] names; without that, nothing.
//! Cost: a call of git and a write for each measurement.
//!
//! `cargo xtask bench all` names the file, reads it and makes the page of what holds. Depends on
//! nothing but [`machine`], so that packages outside the workspace can take both as
//! files.

use crate::machine;
use std::fs::OpenOptions;
use std::io::{self, Write};

/// The variable of the environment that names the file.
pub const FILE: &str = "THRONG_FIGURES";

/// A figure: a line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The command that measures it.
    pub command: String,
    /// What was measured.
    pub name: String,
    /// Our figure.
    pub ours: f64,
    /// The figure to compare with.
    pub theirs: f64,
    /// Of both.
    pub unit: String,
    /// What theirs is.
    pub against: String,
    /// One divided by the other.
    pub ratio: f64,
    /// What the ratio should be, as `≤ 1`; empty where the figure is only stated.
    pub bar: String,
    /// Whether it is so.
    pub holds: bool,
    /// How much more the round in the middle took than the one that counts, as a share; not known
    /// of a single round.
    pub spread: Option<f64>,
    /// How it was measured.
    pub protocol: String,
}

impl Figure {
    /// Its values between tabs, and the commit.
    fn line(&self, commit: &str) -> String {
        let verdict = match (self.bar.is_empty(), self.holds) {
            (true, _) => "stated",
            (false, true) => "held",
            (false, false) => "missed",
        };
        let spread = self.spread.map(digits).unwrap_or_default();
        let [ours, theirs, ratio] = [self.ours, self.theirs, self.ratio].map(digits);
        let values: [&str; 12] = [
            &self.command,
            &self.name,
            &ours,
            &theirs,
            &self.unit,
            &self.against,
            &ratio,
            &self.bar,
            verdict,
            &spread,
            &self.protocol,
            commit,
        ];
        // A tab or an end of line inside a value would be another column or line.
        values.map(|value| value.replace(['\t', '\n', '\r'], " ")).join("\t")
    }
}

/// A number with four digits behind the point, without those that say nothing.
fn digits(number: f64) -> String {
    format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Adds figures to the file that the environment names, if it names one.
///
/// # Errors
///
/// If they cannot be written.
pub fn collect(figures: impl IntoIterator<Item = Figure>) -> io::Result<()> {
    let Some(file) = std::env::var_os(FILE) else { return Ok(()) };
    let commit = machine::commit();
    let lines: String = figures.into_iter().map(|figure| figure.line(&commit) + "\n").collect();
    OpenOptions::new().create(true).append(true).open(file)?.write_all(lines.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_one_line_of_twelve_values() {
        let figure = Figure {
            command: "throng bench x".to_string(),
            name: "a\tname\nin two".to_string(),
            ours: 1.5,
            theirs: 3.0,
            unit: "ms".to_string(),
            against: "y".to_string(),
            ratio: 0.5,
            bar: "≤ 1".to_string(),
            holds: true,
            spread: None,
            protocol: "thread time".to_string(),
        };
        let line = figure.line("c0ffee");
        let values: Vec<&str> = line.split('\t').collect();
        let wanted = [
            "throng bench x",
            "a name in two",
            "1.5",
            "3",
            "ms",
            "y",
            "0.5",
            "≤ 1",
            "held",
            "",
            "thread time",
            "c0ffee",
        ];
        assert_eq!(values, wanted);
        let stated = Figure { bar: String::new(), ..figure.clone() };
        assert!(stated.line("").contains("\tstated\t"));
        assert!(Figure { holds: false, ..figure }.line("").contains("\tmissed\t"));
    }
}
