//! A row of limits: a record, the bar it is held against, and which of three numbers it belongs to.
//!
//! In:   a record.
//! Out:  a table in which every row says whether its bar holds.
//!
//! A bar that is missed is shown and is no error: the machine decides that. A wrong answer is one.

use crate::record::Record;
use std::fmt;

/// The three numbers that are never mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// A plan is computed for every NPC.
    Direct,
    /// A plan is computed once per state and goal, and looked up after.
    Shared,
    /// All that a frame of a crowd does.
    EndToEnd,
}

impl Number {
    pub(super) const ALL: [Number; 3] = [Number::Direct, Number::Shared, Number::EndToEnd];
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Number::Direct => "direct",
            Number::Shared => "shared",
            Number::EndToEnd => "end to end",
        })
    }
}

/// What a ratio should be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Bar {
    AtMost(f64),
    AtLeast(f64),
}

impl Bar {
    pub(super) fn holds(self, ratio: f64) -> bool {
        match self {
            Bar::AtMost(most) => ratio <= most,
            Bar::AtLeast(least) => ratio >= least,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bar::AtMost(most) => write!(f, "≤ {most}"),
            Bar::AtLeast(least) => write!(f, "≥ {least}"),
        }
    }
}

/// A measured row.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) record: Record,
    pub(super) bar: Option<Bar>,
    pub(super) number: Number,
}

impl Row {
    /// A row that states something.
    pub(super) fn stated(number: Number, record: Record) -> Row {
        Row { record, bar: None, number }
    }

    /// A row with a bar.
    pub(super) fn held(number: Number, record: Record, bar: Bar) -> Row {
        Row { record, bar: Some(bar), number }
    }

    /// Whether its bar is missed.
    pub(super) fn is_missed(&self) -> bool {
        self.bar.is_some_and(|bar| !bar.holds(self.record.ratio))
    }

    fn verdict(&self) -> &'static str {
        match self.bar {
            None => "stated",
            Some(_) if self.is_missed() => "**missed**",
            Some(_) => "pass",
        }
    }
}

/// The rows as a table for people.
pub(super) fn table<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    let mut text = "| row | ours | theirs | unit | against | ratio | bar | |\n\
                    |---|--:|--:|---|---|--:|--:|---|\n"
        .to_string();
    for row in rows {
        let Record { name, ours, theirs, against, ratio, unit } = &row.record;
        let bar = row.bar.map_or_else(String::new, |bar| bar.to_string());
        text += &format!(
            "| {name} | {ours} | {theirs} | {unit} | {against} | {ratio} | {bar} | {} |\n",
            row.verdict()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_whether_its_bar_holds() {
        let record = |ratio: f64| Record::theirs_by_ours("x", 1.0, ratio, "y", "ns");
        let [low, high] = [11.9, 12.0].map(record);
        let rows = [
            Row::held(Number::Direct, low.clone(), Bar::AtLeast(12.0)),
            Row::held(Number::Direct, high.clone(), Bar::AtLeast(12.0)),
            Row::held(Number::Shared, low, Bar::AtMost(12.0)),
            Row::stated(Number::EndToEnd, high),
        ];
        assert_eq!(rows.each_ref().map(Row::is_missed), [true, false, false, false]);
        let table = table(rows.iter());
        let ends: Vec<&str> = table.lines().skip(2).filter_map(|l| l.rsplit('|').nth(1)).collect();
        assert_eq!(ends, [" **missed** ", " pass ", " pass ", " stated "]);
    }
}
