//! The edge: what becomes of any text before a terminal sees it.
//!
//! In:   text of whatever origin: a stranger's file, a name, an argument, a message of ours.
//! Out:  the same with every character visible that a terminal would obey instead of showing:
//!       controls, and those that turn the direction of text around. Each stays one character,
//!       so that columns stay columns.
//! Cost: a look at each character; nothing is copied if there is nothing to hide.
//!
//! Only codes of our own pass: [`Styled`] takes them as literals, or from a renderer whose text
//! without codes is the plain text. The console prints nothing else (`console.rs`), and nobody
//! but the console prints (`tests/it/terminal.rs`).

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Shown in place of what has no picture of its own.
const HIDDEN: char = '\u{fffd}';

/// Whether a terminal would obey this character instead of showing it. Line breaks are not among
/// them: they are what lines are made of.
pub fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c != '\n' && (c.is_control() || turns)
}

/// What is shown in place of a character that would be obeyed.
fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        // The pictures of the first 32, and of the one beyond the letters.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(HIDDEN),
        '\x7f' => '\u{2421}',
        _ => HIDDEN,
    }
}

/// Text that nobody obeys; lines stay lines.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.contains(is_obeyed) {
        true => text.chars().map(|c| if is_obeyed(c) { shown(c) } else { c }).collect(),
        false => Cow::Borrowed(text),
    }
}

/// The same of JSON, where any character of a text can be written by its number.
pub fn escaped(json: &str) -> Cow<'_, str> {
    if !json.contains(is_obeyed) {
        return Cow::Borrowed(json);
    }
    let one = |c: char| match c {
        // Within texts these are written by their numbers already.
        '\t' | '\r' => " ".to_string(),
        c if is_obeyed(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    json.chars().map(one).collect()
}

/// Text with codes of our own, and no others.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Styled(String);

impl Styled {
    /// Text without codes; lines stay lines.
    pub fn plain(text: &str) -> Styled {
        Styled(visible(text).into_owned())
    }

    /// The same on one line.
    pub(crate) fn line(text: &str) -> Styled {
        Styled(visible(text).replace('\n', "\u{240a}"))
    }

    /// What a renderer made of a text: in colour, if that has the plain text's characters and
    /// colours, and nothing else.
    pub fn coloured(plain: &str, coloured: String) -> Styled {
        match plain.contains(is_obeyed) || without_colours(&coloured) != plain {
            true => Styled::plain(plain),
            false => Styled(coloured),
        }
    }

    /// Adds a code that stands in our own text.
    pub(crate) fn code(&mut self, code: &'static str) {
        self.0.push_str(code);
    }

    pub(crate) fn push(&mut self, more: &Styled) {
        self.0.push_str(&more.0);
    }

    /// As much of it as fits into so many columns; for text without codes.
    pub(crate) fn first(&self, columns: usize) -> Styled {
        Styled(fitting(&self.0, columns).to_string())
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Styled> {
        self.0.lines().map(|line| Styled(line.to_string()))
    }

    /// Without blanks and line breaks at its end.
    pub(crate) fn trimmed(&self) -> Styled {
        Styled(self.0.trim_end().to_string())
    }

    /// Whether there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many columns it takes; colours take none.
    pub(crate) fn width(&self) -> usize {
        cells(&without_colours(&self.0))
    }
}

/// How many columns of a terminal a text takes: wide characters take two.
pub fn cells(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that fits into so many columns.
fn fitting(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let is_beyond = |&(_, c): &(usize, char)| {
        taken += c.width().unwrap_or(0);
        taken > columns
    };
    let end = text.char_indices().find(is_beyond).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// A text that is not wider than this; `…` where something is missing.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if cells(text) <= columns {
        return text.to_string();
    }
    columns.checked_sub(1).map_or(String::new(), |kept| format!("{}…", fitting(text, kept)))
}

/// A text with blanks behind it up to this width.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(cells(text))))
}

/// A text without colours, as renderers add them: `ESC [ numbers m`.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let code = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match code.strip_prefix('m') {
            Some(behind) => rest = behind,
            None => {
                plain.push_str("\u{1b}[");
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_terminal_obeys_is_shown_and_takes_one_column() {
        let text = "a\u{1b}[2J\tb\r\n\u{7f}\u{9b}\u{202e}é\u{200f}\u{2066}\u{61c}日";
        let seen = visible(text);
        assert_eq!(seen, "a␛[2J b␍\n␡\u{fffd}\u{fffd}é\u{fffd}\u{fffd}\u{fffd}日");
        assert_eq!(seen.chars().count(), text.chars().count());
        assert!(matches!(visible("plain, ümlaut\n"), Cow::Borrowed(_)));
        let all = (0..0x3000).filter_map(char::from_u32).collect::<String>();
        assert!(!visible(&all).contains(is_obeyed));
        assert!(!Styled::line(&all).as_str().contains('\n'));
    }

    #[test]
    fn json_says_the_same_with_numbers() {
        let text = "x\u{7f}\u{9b}\u{202e}\"\n";
        let json = serde_json::to_string(text).unwrap();
        let seen = escaped(&json);
        assert_eq!(seen, r#""x\u007f\u009b\u202e\"\n""#);
        assert_eq!(serde_json::from_str::<String>(&seen).unwrap(), text);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((cells("馬 ü"), cells("abc")), (4, 3));
        assert_eq!((cut("馬馬馬", 6), cut("馬馬馬", 5)), ("馬馬馬".into(), "馬馬…".into()));
        assert_eq!((cut("馬馬馬", 4), cut("abc", 0)), ("馬…".into(), String::new()));
        assert_eq!((padded("馬", 4), padded("abcd", 2)), ("馬  ".into(), "abcd".into()));
        assert_eq!(Styled::line("a馬b").first(2).as_str(), "a");
    }

    #[test]
    fn colours_pass_only_around_a_text_that_has_no_codes() {
        let good = Styled::coloured("wrong", "\u{1b}[1;31mwrong\u{1b}[0m".to_string());
        assert_eq!((good.as_str(), good.width()), ("\u{1b}[1;31mwrong\u{1b}[0m", 5));
        for (plain, coloured) in [
            ("\u{1b}[31mwrong", "\u{1b}[1m\u{1b}[31mwrong\u{1b}[0m"),
            ("wrong", "\u{1b}[2Jwrong"),
            ("wrong", "\u{1b}]0;title\u{7}wrong"),
            ("wrong", "other"),
        ] {
            let seen = Styled::coloured(plain, coloured.to_string());
            assert_eq!(seen.as_str(), visible(plain), "{coloured:?}");
        }
    }
}
