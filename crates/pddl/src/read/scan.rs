//! PDDL text into parentheses and words.
//!
//! In:   a text; any characters.
//! Out:  tokens with their places; blanks and comments are dropped.
//! Cost: one pass, no memory.
//!
//! A word ends only at a blank, a parenthesis, a comment or where a variable begins: `at-o`,
//! `3rd`, `?x`, `:action`, `-` and `0.5` are words alike, and `at?x` is two, as the field's
//! parsers have it. A `?` that nothing follows begins no variable: `open?` is one word. Bytes that no keyboard puts into a name on purpose (controls,
//! blanks and dashes of other alphabets) are part of the word they stand in; the tree reports
//! them.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything between blanks and parentheses.
    Word,
}

/// The tokens of a text, one by one.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// At the beginning of a text; a mark of the byte order there is no part of it.
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner { text, at }
    }

    fn skip_blanks_and_comments(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b';' {
                let rest = &bytes[self.at..];
                let is_break = |&byte: &u8| byte == b'\n' || byte == b'\r';
                self.at += rest.iter().position(is_break).unwrap_or(rest.len());
            } else if is_blank(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = (Token, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks_and_comments();
        let bytes = self.text.as_bytes();
        let from = self.at;
        let token = match *bytes.get(from)? {
            b'(' => Token::Open,
            b')' => Token::Close,
            _ => Token::Word,
        };
        self.at += match token {
            Token::Word => {
                let is_end = |at: &usize| ends_word(bytes[*at]) || begins_variable(bytes, *at);
                (from + 1..bytes.len()).find(is_end).unwrap_or(bytes.len()) - from
            }
            _ => 1,
        };
        Some((token, from..self.at))
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')' | b';')
}

/// Whether a `?` stands here with a name after it.
fn begins_variable(bytes: &[u8], at: usize) -> bool {
    let follows = |&byte: &u8| !ends_word(byte) && byte != b'?';
    bytes[at] == b'?' && bytes.get(at + 1).is_some_and(follows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Scanner::new(text).map(|(_, place)| &text[place]).collect()
    }

    #[test]
    fn blanks_comments_and_line_breaks_of_all_systems_separate_words() {
        let text = "\u{feff}(a;c (\r\n\tB-2) ; end\r(?x\x0c3rd)";
        assert_eq!(words(text), ["(", "a", "B-2", ")", "(", "?x", "3rd", ")"]);
        assert!(words("; only\n\t \r\n").is_empty() && words("").is_empty());
    }

    #[test]
    fn a_question_mark_begins_a_variable_wherever_it_stands() {
        assert_eq!(words("(at?x?y)"), ["(", "at", "?x", "?y", ")"]);
        assert_eq!(words("(open? ?x?)"), ["(", "open?", "?x?", ")"]);
        assert_eq!(words("??x ?"), ["?", "?x", "?"]);
    }
}
