//! A `.sas` text line by line, and what is wrong with it.
//!
//! In:   a text.
//! Out:  lines without the blanks around them, numbers, or the mistake with its line.
//! Cost: one pass; nothing is copied.
//!
//! Empty lines are no lines: other readers pass over white space too, so a name is never empty.

use crate::text::shortened;
use throng_domain::diagnostics::make_readable;

/// What is wrong with a `.sas` text.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SasError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
    /// What to do about it.
    pub cure: String,
}

impl SasError {
    /// A mistake; what is quoted of the text is made readable.
    pub(super) fn new(line: usize, what: impl Into<String>, cure: impl Into<String>) -> SasError {
        let (mut what, mut cure) = (what.into(), cure.into());
        make_readable(&mut what);
        make_readable(&mut cure);
        SasError { line, what, cure }
    }
}

throng_base::error! { SasError {
    Self { line, what, cure } => "line {line}: {what}; {cure}";
} }

/// How much of a line a message quotes.
const MOST_QUOTED: usize = 40;

/// The lines that are left.
pub(super) struct Lines<'t> {
    rest: &'t str,
    /// Number of the line that was read last.
    number: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lines { rest: text.trim_start_matches('\u{feff}'), number: 0 }
    }

    /// The mistake in the line that was read last.
    pub(super) fn error(&self, what: impl Into<String>, cure: impl Into<String>) -> SasError {
        SasError::new(self.number.max(1), what, cure)
    }

    fn try_next(&mut self) -> Option<&'t str> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            self.rest = rest;
            self.number += 1;
            let line = line.trim();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// The next line; `wanted` says what it should be, for the case that there is none.
    pub(super) fn next(&mut self, wanted: &str) -> Result<&'t str, SasError> {
        self.try_next().ok_or_else(|| {
            let what = format!("the text ends here, and {wanted} is missing");
            self.error(what, "the file was cut off: write it again")
        })
    }

    /// Passes a line that must be this word.
    pub(super) fn word(&mut self, word: &str) -> Result<(), SasError> {
        let line = self.next(&format!("`{word}`"))?;
        if line == word {
            return Ok(());
        }
        let cure = "sections and counts must agree: a count may be wrong just above";
        Err(self.error(format!("expected `{word}`, found {}", quoted(line)), cure))
    }

    /// Fails if anything is left.
    pub(super) fn end(&mut self) -> Result<(), SasError> {
        let Some(line) = self.try_next() else { return Ok(()) };
        let what = format!("expected the end of the file, found {}", quoted(line));
        Err(self.error(what, "remove the rest, or count the rules again"))
    }

    /// A line that is one whole number, from `least` on.
    pub(super) fn number(&mut self, what: &str, least: i64) -> Result<i64, SasError> {
        let mut fields = self.fields(what)?;
        let number = fields.number(what, least)?;
        fields.end()?;
        Ok(number)
    }

    /// A line that says how many things follow. Each takes at least `lines` lines, so a count
    /// beyond the text is found out before anything is read.
    pub(super) fn count(
        &mut self,
        what: &str,
        most: usize,
        lines: usize,
    ) -> Result<usize, SasError> {
        let number = self.number(&format!("the number of {what}"), 0)?;
        let count = usize::try_from(number).unwrap_or(usize::MAX);
        if count > most {
            let what = format!("{number} {what}, at most {most} are allowed");
            let cure = "ground a smaller task, or correct the count if it is wrong";
            return Err(self.error(what, cure));
        }
        // Two bytes are the shortest line: something and its end; the last may lack the end.
        if count.saturating_mul(lines) > self.rest.len().div_ceil(2) {
            let what = format!("{number} {what} are announced, and the text is too short for them");
            return Err(self.error(what, "correct the count, or the file was cut off"));
        }
        Ok(count)
    }

    /// The next line as numbers between blanks.
    pub(super) fn fields(&mut self, what: &str) -> Result<Fields<'t>, SasError> {
        let line = self.next(what)?;
        Ok(Fields { line, rest: line.split_ascii_whitespace(), number: self.number })
    }
}

/// A line of numbers.
pub(super) struct Fields<'t> {
    line: &'t str,
    rest: std::str::SplitAsciiWhitespace<'t>,
    number: usize,
}

impl Fields<'_> {
    /// A mistake in this line.
    pub(super) fn error(&self, what: impl Into<String>, cure: impl Into<String>) -> SasError {
        SasError::new(self.number, what, cure)
    }

    /// The next number, from `least` on.
    pub(super) fn number(&mut self, what: &str, least: i64) -> Result<i64, SasError> {
        let field = self.rest.next();
        let what = match field.map(|field| (field, field.parse::<i64>())) {
            Some((_, Ok(number))) if number >= least => return Ok(number),
            Some((field, _)) => format!("{what} cannot be {}", quoted(field)),
            None => format!("{what} is missing in {}", quoted(self.line)),
        };
        Err(self.error(what, format!("write a whole number, at least {least}")))
    }

    /// Fails if anything is left in the line.
    pub(super) fn end(&mut self) -> Result<(), SasError> {
        let Some(field) = self.rest.next() else { return Ok(()) };
        let what = format!("{} is too much in {}", quoted(field), quoted(self.line));
        Err(self.error(what, "remove it, or correct the count at the line's beginning"))
    }
}

/// A part of the text for a message: short, and nothing a terminal would obey.
fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text, MOST_QUOTED).replace(char::is_control, "?"))
}
