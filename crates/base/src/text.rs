//! Counts and columns as people read them.
//!
//! In:   numbers, words, cells.
//! Out:  text.
//! Cost: linear in the text.

/// `1 file`, `2 files`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A table, a line per row: columns as wide as their widest cell, two blanks between them. The
/// first `n_left` stand at the left, the others at the right; `width` says how wide a text is.
pub fn columns<R: AsRef<[String]>>(
    rows: &[R],
    n_left: usize,
    width: impl Fn(&str) -> usize,
) -> Vec<String> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows.iter().map(AsRef::as_ref) {
        widths.resize(widths.len().max(row.len()), 0);
        row.iter().zip(&mut widths).for_each(|(cell, widest)| *widest = width(cell).max(*widest));
    }
    let line = |row: &R| {
        let mut line = String::new();
        for (at, (cell, widest)) in row.as_ref().iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(widest - width(cell));
            let between = if at == 0 { "" } else { "  " };
            let [first, second] = if at < n_left { [cell, &blanks] } else { [&blanks, cell] };
            line.extend([between, first, second]);
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let said = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(said, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["type", "plans", "s"], ["ox", "7", "12.5"]].map(|row| row.map(String::from));
        let characters = |cell: &str| cell.chars().count();
        assert_eq!(columns(&rows, 1, characters), ["type  plans     s", "ox        7  12.5"]);
        assert_eq!(columns(&rows, 3, characters), ["type  plans  s", "ox    7      12.5"]);
    }
}
