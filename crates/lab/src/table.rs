//! A table as Markdown: the one that pages, the terminal and the measuring programs print.
//!
//! In:   heads, then a row after the other.
//! Out:  lines between bars.

use std::fmt::{self, Write};

/// A table in the making.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table(String);

impl Table {
    /// A table with these heads, ` | ` between them; a column whose head ends in `:` holds
    /// numbers, which stand at the right.
    pub fn new(heads: &str) -> Table {
        let side = |head: &str| if head.ends_with(':') { "--:|" } else { "---|" };
        let sides: String = heads.split(" | ").map(side).collect();
        let heads = format!("| {heads} |").replace(": |", " |").replace("|  |", "| |");
        Table(format!("{heads}\n|{sides}\n"))
    }

    /// Adds a row of cells, ` | ` between them.
    pub fn row(&mut self, cells: fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        _ = writeln!(self.0, "| {cells} |");
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What stands for a figure that is not known.
pub const NONE: &str = "–";

/// A figure, or a dash.
pub fn known<T>(figure: Option<T>, text: impl FnOnce(T) -> String) -> String {
    figure.map_or_else(|| NONE.to_string(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_at_the_right() {
        let mut table = Table::new("row | ours: | theirs: | ");
        table.row(format_args!("a | {} | {} | {}", 1, known(None::<u64>, |n| n.to_string()), "x"));
        let expected = "| row | ours | theirs | |\n|---|--:|--:|---|\n| a | 1 | – | x |\n";
        assert_eq!(table.to_string(), expected);
    }
}
