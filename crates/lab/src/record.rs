//! One measured comparison, in the form that all suites share.
//!
//! In:   two figures of the same unit, and what the second is.
//! Out:  a row `{"name", "ours", "theirs", "against", "ratio", "unit"}`, with `spread` and
//!       `protocol` where it was measured by turns.
//!
//! One rule says what the ratio divides by what. Beside another way to get the same plans (a
//! planner, a kernel, one thread) it is theirs by ours: how many times as fast. Beside anything
//! else (a copy, a budget, a claim, a smaller size) it is ours by theirs: how much of it. Figures
//! are kept to four digits; more would be noise.

use crate::figures::{self, Figure};
use crate::table::{NONE, Table, known};
use crate::timed::Timed;
use serde::Serialize;
use std::io;
use throng_picture::rounded;

/// A row of a record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Record {
    /// What was measured.
    pub name: String,
    /// Our figure.
    pub ours: f64,
    /// The figure to compare with.
    pub theirs: f64,
    /// What that is.
    pub against: String,
    /// One divided by the other.
    pub ratio: f64,
    /// Of both figures.
    pub unit: String,
    /// How it was measured, and how much more the round in the middle took than the one that
    /// counts, as a share: of the two figures the larger. 0 where something was counted.
    #[serde(flatten)]
    pub protocol: Option<Protocol>,
    /// What the ratio should be; `None` where the row only states something. A bar that is missed
    /// is shown and is no error: the machine decides that.
    #[serde(skip)]
    pub bar: Option<Bar>,
    /// Of the two figures, whatever measured them.
    #[serde(skip)]
    pub(crate) spread: Option<f64>,
}

/// How a row was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Protocol {
    /// In words: which time, which of how many rounds.
    pub protocol: String,
    /// How much more the round in the middle took than the one that counts, as a share; `None` of a
    /// single round.
    pub spread: Option<f64>,
}

/// What a ratio should be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bar {
    /// No more than this.
    AtMost(f64),
    /// No less.
    AtLeast(f64),
}

throng_base::display! { Bar {
    Self::AtMost(most) => "≤ {most}";
    Self::AtLeast(least) => "≥ {least}";
} }

impl Record {
    /// Beside another way to get the same plans: how many times as fast ours is.
    pub fn theirs_by_ours(
        name: impl Into<String>,
        ours: impl Into<Timed>,
        theirs: impl Into<Timed>,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        let (ours, theirs) = (ours.into(), theirs.into());
        let ratio = rounded(theirs.fastest / ours.fastest);
        Record { ratio, ..Record::ours_by_theirs(name, ours, theirs, against, unit) }
    }

    /// Beside what is no way to plan, as a copy, a budget or a claim: how much of it ours is.
    pub fn ours_by_theirs(
        name: impl Into<String>,
        ours: impl Into<Timed>,
        theirs: impl Into<Timed>,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        let (ours, theirs) = (ours.into(), theirs.into());
        Record {
            name: name.into(),
            ours: rounded(ours.fastest),
            theirs: rounded(theirs.fastest),
            against: against.into(),
            ratio: rounded(ours.fastest / theirs.fastest),
            unit: unit.to_string(),
            protocol: None,
            bar: None,
            spread: [ours, theirs]
                .into_iter()
                .filter_map(Timed::spread)
                .reduce(f64::max)
                .map(rounded),
        }
    }

    /// The same, measured in this way.
    pub fn by(self, protocol: impl Into<String>) -> Record {
        let protocol = Protocol { protocol: protocol.into(), spread: self.spread };
        Record { protocol: Some(protocol), ..self }
    }

    /// The same, of which every run gives the same figures.
    pub fn counted(self) -> Record {
        Record { spread: Some(0.0), ..self }.by("counted")
    }

    /// The same with a bar, or with none.
    pub fn held(self, bar: impl Into<Option<Bar>>) -> Record {
        Record { bar: bar.into(), ..self }
    }

    /// The word for its verdict: whether its bar holds.
    fn verdict(&self) -> &'static str {
        match self.bar {
            None => "stated",
            Some(_) if self.is_missed() => "**missed**",
            Some(_) => "pass",
        }
    }

    /// Its line among all figures, of the command that measured it.
    pub fn figure(&self, command: &str) -> Figure {
        Figure {
            command: command.to_string(),
            name: self.name.clone(),
            ours: self.ours,
            theirs: self.theirs,
            unit: self.unit.clone(),
            against: self.against.clone(),
            ratio: self.ratio,
            bar: self.bar.map(|bar| bar.to_string()).unwrap_or_default(),
            holds: self.bar.is_none_or(|_| !self.is_missed()),
            spread: self.protocol.as_ref().and_then(|by| by.spread),
            protocol: self.protocol.as_ref().map(|by| by.protocol.clone()).unwrap_or_default(),
        }
    }

    /// Whether its bar is missed.
    pub fn is_missed(&self) -> bool {
        match self.bar {
            None => false,
            // What could not be measured holds nothing.
            Some(_) if !self.ours.is_finite() || !self.ratio.is_finite() => true,
            Some(Bar::AtMost(most)) => self.ratio > most,
            Some(Bar::AtLeast(least)) => self.ratio < least,
        }
    }
}

/// The records as a table for people; where one has a bar, each says whether its bar holds, and
/// where one says how it was measured, each does.
pub fn table<'r>(records: impl IntoIterator<Item = &'r Record>) -> String {
    let records: Vec<&Record> = records.into_iter().collect();
    let has_bars = records.iter().any(|record| record.bar.is_some());
    let has_protocols = records.iter().any(|record| record.protocol.is_some());
    let mut heads = "row | ours: | theirs: | unit | against | ratio:".to_string();
    if has_bars {
        heads += " | bar: | ";
    }
    if has_protocols {
        heads += " | spread: | protocol";
    }
    let mut table = Table::new(&heads);
    for record in records {
        let Record { name, ours, theirs, against, ratio, unit, bar, protocol, .. } = record;
        let mut cells = format!("{name} | {ours} | {theirs} | {unit} | {against} | {ratio}");
        if has_bars {
            let bar = bar.map(|bar| bar.to_string()).unwrap_or_default();
            cells += &format!(" | {bar} | {}", record.verdict());
        }
        if has_protocols {
            let spread = |by: &Protocol| known(by.spread, |it| format!("{:.0} %", it * 100.0));
            let told = |by: &Protocol| format!("{} | {}", spread(by), by.protocol);
            let told = protocol.as_ref().map_or_else(|| format!("{NONE} | {NONE}"), told);
            cells += &format!(" | {told}");
        }
        table.row(format_args!("{cells}"));
    }
    table.to_string()
}

/// Hands the records to whoever collects all figures, as those of this command; does nothing where
/// nobody does.
///
/// # Errors
///
/// If they cannot be written.
pub fn collect<'r>(command: &str, records: impl IntoIterator<Item = &'r Record>) -> io::Result<()> {
    figures::collect(records.into_iter().map(|record| record.figure(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_six_keys_and_its_own_ratio() {
        let record = Record::theirs_by_ours("x", 2.0, 5.0, "y", "ns");
        let json = serde_json::to_string(&record).unwrap_or_default();
        let expected =
            r#"{"name":"x","ours":2.0,"theirs":5.0,"against":"y","ratio":2.5,"unit":"ns"}"#;
        assert_eq!(json, expected);
        assert_eq!(Record::ours_by_theirs("x", 2.0, 5.0, "y", "ns").ratio, 0.4);
    }

    #[test]
    fn every_row_says_whether_its_bar_holds() {
        let record = |ratio: f64| Record::theirs_by_ours("x", 1.0, ratio, "y", "ns");
        let [low, high] = [11.9, 12.0].map(record);
        let rows = [
            low.clone().held(Bar::AtLeast(12.0)),
            high.clone().held(Bar::AtLeast(12.0)),
            low.held(Bar::AtMost(12.0)),
            high,
        ];
        assert_eq!(rows.each_ref().map(Record::is_missed), [true, false, false, false]);
        let table = table(&rows);
        let ends: Vec<&str> = table.lines().skip(2).filter_map(|l| l.rsplit('|').nth(1)).collect();
        assert_eq!(ends, [" **missed** ", " pass ", " pass ", " stated "]);
    }

    #[test]
    fn a_row_says_how_it_was_measured_where_one_does() {
        let ours = Timed { fastest: 2.0, median: 2.5 };
        let record = Record::theirs_by_ours("x", ours, 5.0, "y", "ns");
        let rows = [record.clone().by("thread time"), record];
        let table = table(&rows);
        assert!(table.contains("| spread | protocol |"), "{table}");
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(rows[0].ends_with("| 2.5 | 25 % | thread time |"), "{table}");
        assert!(rows[1].ends_with("| 2.5 | – | – |"), "{table}");
    }

    #[test]
    fn a_row_that_was_measured_by_turns_says_so_in_json_too() {
        let json =
            serde_json::to_string(&Record::theirs_by_ours("x", 2.0, 5.0, "y", "ns").counted());
        let json = json.unwrap_or_default();
        assert!(json.ends_with(r#""unit":"ns","protocol":"counted","spread":0.0}"#), "{json}");
    }
}
