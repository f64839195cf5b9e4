//! One measured comparison, in the form that all suites share.
//!
//! In:   two figures of the same unit, and what the second is.
//! Out:  a row `{"name", "ours", "theirs", "against", "ratio", "unit"}`.
//!
//! One rule says what the ratio divides by what. Beside another way to get the same plans (a
//! planner, a kernel, one thread) it is theirs by ours: how many times as fast. Beside anything
//! else (a copy, a budget, a claim, a smaller size) it is ours by theirs: how much of it. Figures
//! are kept to four digits; more would be noise.

use crate::table::Table;
use serde::Serialize;
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
    /// What the ratio should be; `None` where the row only states something. A bar that is missed
    /// is shown and is no error: the machine decides that.
    #[serde(skip)]
    pub bar: Option<Bar>,
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
        ours: f64,
        theirs: f64,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        let ours_by_theirs = Record::ours_by_theirs(name, ours, theirs, against, unit);
        Record { ratio: rounded(theirs / ours), ..ours_by_theirs }
    }

    /// Beside what is no way to plan, as a copy, a budget or a claim: how much of it ours is.
    pub fn ours_by_theirs(
        name: impl Into<String>,
        ours: f64,
        theirs: f64,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        Record {
            name: name.into(),
            ours: rounded(ours),
            theirs: rounded(theirs),
            against: against.into(),
            ratio: rounded(ours / theirs),
            unit: unit.to_string(),
            bar: None,
        }
    }

    /// The same with a bar.
    pub fn held(self, bar: Bar) -> Record {
        Record { bar: Some(bar), ..self }
    }

    /// Whether its bar is missed.
    pub fn is_missed(&self) -> bool {
        match self.bar {
            None => false,
            Some(Bar::AtMost(most)) => self.ratio > most,
            Some(Bar::AtLeast(least)) => self.ratio < least,
        }
    }
}

/// The records as a table for people; where one has a bar, each says whether its bar holds.
pub fn table<'r>(records: impl IntoIterator<Item = &'r Record>) -> String {
    let records: Vec<&Record> = records.into_iter().collect();
    let has_bars = records.iter().any(|record| record.bar.is_some());
    let bars = if has_bars { " | bar: | " } else { "" };
    let heads = format!("row | ours: | theirs: | unit | against | ratio:{bars}");
    let mut table = Table::new(&heads);
    for record in records {
        let Record { name, ours, theirs, against, ratio, unit, bar } = record;
        let verdict = match bar {
            _ if !has_bars => String::new(),
            None => " |  | stated".to_string(),
            Some(bar) if record.is_missed() => format!(" | {bar} | **missed**"),
            Some(bar) => format!(" | {bar} | pass"),
        };
        let cells = format!("{name} | {ours} | {theirs} | {unit} | {against} | {ratio}");
        table.row(format_args!("{cells}{verdict}"));
    }
    table.to_string()
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
}
