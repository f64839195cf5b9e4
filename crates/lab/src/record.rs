//! One measured comparison, in the form that all suites share.
//!
//! In:   two figures of the same unit, and what the second is.
//! Out:  a row `{"name", "ours", "theirs", "against", "ratio", "unit"}`.
//!
//! One rule says what the ratio divides by what. Beside another way to get the same plans (a
//! planner, a kernel, one thread) it is theirs by ours: how many times as fast. Beside anything
//! else (a copy, a budget, a claim, a smaller size) it is ours by theirs: how much of it. Figures
//! are kept to four digits; more would be noise.

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
}

impl Record {
    /// Beside another way to get the same plans: how many times as fast ours is.
    pub fn theirs_by_ours(
        name: impl Into<String>,
        ours: f64,
        theirs: f64,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        Record::new(name.into(), ours, theirs, against.into(), theirs / ours, unit)
    }

    /// Beside what is no way to plan, as a copy, a budget or a claim: how much of it ours is.
    pub fn ours_by_theirs(
        name: impl Into<String>,
        ours: f64,
        theirs: f64,
        against: impl Into<String>,
        unit: &str,
    ) -> Record {
        Record::new(name.into(), ours, theirs, against.into(), ours / theirs, unit)
    }

    fn new(
        name: String,
        ours: f64,
        theirs: f64,
        against: String,
        ratio: f64,
        unit: &str,
    ) -> Record {
        let (ours, theirs, ratio) = (rounded(ours), rounded(theirs), rounded(ratio));
        Record { name, ours, theirs, against, ratio, unit: unit.to_string() }
    }
}

/// The records as a table for people.
pub fn table(records: &[Record]) -> String {
    let mut text =
        "| row | ours | theirs | unit | against | ratio |\n|---|--:|--:|---|---|--:|\n".to_string();
    for record in records {
        let Record { name, ours, theirs, against, ratio, unit } = record;
        text += &format!("| {name} | {ours} | {theirs} | {unit} | {against} | {ratio} |\n");
    }
    text
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
}
