//! Statements written down as people do: odd blanks, line breaks, comments wherever they may
//! stand.
//!
//! In:   statements as words with single blanks between them; the word [`BREAK`] asks for a
//!       line break.
//! Out:  text of the same meaning, from tidy to wild.

use throng_base::SplitMix;

/// A word that stands for a line break which must be there.
pub(super) const BREAK: &str = "\n";

const COMMENTS: [&str; 9] = [
    "# why",
    "#",
    "#no blank",
    "#  two blanks, a comma: and more = signs -> here",
    "# action looks_like: a -> statement",
    "## ---- section ----",
    "# Zügel 馬 → ok",
    "# \"quoted\" and (open",
    "# tab\there   ",
];

/// Writes a file.
pub(super) fn write(statements: &[String], dice: &mut SplitMix) -> String {
    let mut page = Page { text: String::new(), mess: *dice.pick(&[0, 2, 6, 20]), dice };
    for statement in statements {
        page.between();
        page.statement(statement);
    }
    page.between();
    page.finish()
}

struct Page<'d> {
    text: String,
    /// How often something odd stands between two words, of a hundred.
    mess: usize,
    dice: &'d mut SplitMix,
}

impl Page<'_> {
    fn statement(&mut self, statement: &str) {
        let mut before = "";
        let mut must_break = false;
        for word in statement.split(' ') {
            if word == BREAK {
                must_break = true;
                continue;
            }
            if must_break {
                self.line_break();
            } else if !before.is_empty() {
                self.gap(before, word);
            }
            self.text.push_str(word);
            (before, must_break) = (word, false);
        }
        if self.dice.percent(self.mess) {
            self.blanks(0);
            self.comment();
        } else if self.dice.percent(self.mess) {
            self.blanks(1);
        }
        self.text.push('\n');
    }

    /// What stands between two words of a statement.
    fn gap(&mut self, before: &str, next: &str) {
        let least = usize::from(would_join(before, next));
        if self.dice.percent(self.mess) {
            match self.dice.below(10) {
                0..=4 => self.blanks(least),
                _ => self.line_break(),
            }
        } else if least == 0 && (before == "(" || matches!(next, ")" | "(" | "," | ":" | "..")) {
            // As most people write.
        } else if least == 1 || before != ".." {
            self.text.push(' ');
        }
    }

    /// Ends the line, perhaps with a comment, and begins one that continues the statement.
    fn line_break(&mut self) {
        if self.dice.percent(25) {
            self.blanks(0);
            self.comment();
        }
        self.text.push('\n');
        while self.dice.percent(25) {
            self.odd_line();
        }
        self.blanks(1);
    }

    /// What stands between two statements.
    fn between(&mut self) {
        if self.dice.percent(20) {
            self.text.push('\n');
        }
        while self.dice.percent(self.mess + 5) {
            self.odd_line();
        }
    }

    /// A line without words.
    fn odd_line(&mut self) {
        match self.dice.below(4) {
            0 => {}
            1 => self.blanks(0),
            2 => self.comment(),
            _ => {
                self.blanks(1);
                self.comment();
            }
        }
        self.text.push('\n');
    }

    fn comment(&mut self) {
        let comment = *self.dice.pick(&COMMENTS);
        self.text.push_str(comment);
    }

    fn blanks(&mut self, least: usize) {
        for _ in 0..self.dice.within(least, 6) {
            self.text.push(if self.dice.percent(85) { ' ' } else { '\t' });
        }
    }

    fn finish(mut self) -> String {
        if self.dice.percent(10) {
            self.text.truncate(self.text.trim_end().len());
        }
        if self.dice.percent(10) {
            self.text = self.text.replace('\n', "\r\n");
        }
        if self.dice.percent(5) {
            self.text.insert(0, '\u{feff}');
        }
        self.text
    }
}

/// Whether two words without a blank between them would read as something else.
fn would_join(before: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    let begins = |text: &str| text.starts_with(is_word);
    let is_negative = next.strip_prefix('-').is_some_and(begins);
    // `= =` without a blank is a sign of another language, `< =` another one of ours.
    let is_sign = |text: &str| text.len() <= 2 && text.contains(['=', '<', '>', '!', ':']);
    let signs = is_sign(before) && is_sign(next);
    signs || (before.ends_with(is_word) && (begins(next) || is_negative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_kept_apart_signs_need_not_be() {
        assert!(would_join("cost", "2.5") && would_join("heat", "-3") && would_join("a", "b"));
        assert!(!would_join("a", "->") && !would_join("ammo", "-=") && !would_join("=", "-3"));
        assert!(!would_join("0", "..") && !would_join(")", "in") && !would_join("(", "x"));
    }
}
