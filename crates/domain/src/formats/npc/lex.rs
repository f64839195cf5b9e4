//! `.npc` text into tokens and comments.
//!
//! In:   the text of one file.
//! Out:  tokens that know whether they begin a statement (column one) or a line, and the
//!       comments with the token they follow; nothing of the text is lost but blanks. All at once,
//!       or one statement after the other, so that nobody need keep those of a whole file.
//! Cost: one pass.

use crate::build::Word;
use crate::diagnostics::{Code, Report};
use crate::names;
use crate::number::plain_number;
use crate::source::{FileId, Span, line_end};
pub(crate) use crate::token::WordKind as Kind;
use crate::token::{Relation, SIGNS};
use std::collections::HashSet;

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    /// First on its line, in column one: a statement begins.
    pub(crate) begins_statement: bool,
    /// First on its line.
    pub(crate) begins_line: bool,
    /// First on its line, with a blank line before.
    pub(crate) blank_before: bool,
}

impl<'t> Token<'t> {
    pub(crate) fn word(&self) -> Word<'t> {
        Word { text: self.text, span: self.span }
    }
}

/// A comment: `#` to the end of the line, without trailing blanks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment<'t> {
    pub(crate) text: &'t str,
    /// How many tokens stand before it.
    pub(crate) after: usize,
    /// It has a line of its own.
    pub(crate) own_line: bool,
    /// It begins in column one.
    pub(crate) at_margin: bool,
    /// It has a line of its own, with a blank line before.
    pub(crate) blank_before: bool,
}

/// One file in tokens.
#[derive(Default)]
pub(crate) struct Lexed<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) comments: Vec<Comment<'t>>,
}

impl Lexed<'_> {
    /// Empty again; it keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.tokens.clear();
        self.comments.clear();
    }
}

/// A token to be kept: the text has the rest of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptToken {
    start: u32,
    length: u16,
    kind: Kind,
    /// [`BEGINS_STATEMENT`] and so on.
    marks: u8,
}

const BEGINS_STATEMENT: u8 = 1;
const BEGINS_LINE: u8 = 2;
const BLANK_BEFORE: u8 = 4;

impl KeptToken {
    /// `None` of one that is too long.
    pub(crate) fn of(token: &Token<'_>) -> Option<Self> {
        let mark = |is: bool, mark: u8| if is { mark } else { 0 };
        let marks = mark(token.begins_statement, BEGINS_STATEMENT)
            | mark(token.begins_line, BEGINS_LINE)
            | mark(token.blank_before, BLANK_BEFORE);
        let length = u16::try_from(token.text.len()).ok()?;
        Some(KeptToken { start: token.span.start, length, kind: token.kind, marks })
    }

    /// The token, as it stood in this text of this file.
    pub(crate) fn token<'t>(&self, text: &'t str, file: FileId) -> Token<'t> {
        let KeptToken { start, length, kind, marks } = *self;
        let end = start.saturating_add(length.into());
        Token {
            kind,
            text: text.get(start as usize..end as usize).unwrap_or_default(),
            span: Span { file, start, end },
            begins_statement: marks & BEGINS_STATEMENT != 0,
            begins_line: marks & BEGINS_LINE != 0,
            blank_before: marks & BLANK_BEFORE != 0,
        }
    }
}

/// Splits a text into tokens; what is no token is reported and marked as broken.
pub(crate) fn lex<'t>(text: &'t str, file: FileId, report: &mut Report) -> Lexed<'t> {
    let mut lexed = Lexed::default();
    let mut lexer = Lexer::new(text, file, report);
    while lexer.statement(&mut lexed, report) {}
    lexed
}

/// Splits a text into tokens, statement by statement.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    /// Where the next line begins.
    at: usize,
    /// A blank line stands before that one.
    blank_line: bool,
    /// What ends a line, beside LF.
    also_ends: Option<char>,
    /// Words that were reported as neither a number nor a name.
    bad_names: HashSet<&'t str>,
}

impl<'t> Lexer<'t> {
    /// At the beginning of a text.
    pub(crate) fn new(text: &'t str, file: FileId, report: &mut Report) -> Self {
        let lone = lone_carriage_return(text);
        if let Some(at) = lone {
            let (span, text) =
                (Span::new(file, at, at + 1), "a line ends with CR alone, as on very old machines");
            let cure = "save the file with line ends LF (Unix) or CRLF (Windows)";
            report.say(Code::UnexpectedCharacter, span, text, cure);
        }
        let also_ends = lone.map(|_| '\r');
        let bad_names = HashSet::new();
        Lexer { text, file, at: 0, blank_line: false, also_ends, bad_names }
    }

    /// Adds the tokens up to the next that begins a statement, the first one aside; whether there
    /// were any. Comments before a statement belong to the one before it.
    pub(crate) fn statement(&mut self, lexed: &mut Lexed<'t>, report: &mut Report) -> bool {
        let first = lexed.tokens.len();
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return lexed.tokens.len() > first;
            }
            let end = match self.also_ends {
                None => line_end(rest.as_bytes()),
                Some(other) => rest.find(['\n', other]),
            };
            let length = end.map_or(rest.len(), |end| end + 1);
            let content = rest[..length].trim_end_matches(['\n', '\r']);
            // A byte-order mark at the very beginning is an editor's habit, not a mistake.
            let margin = if self.at == 0 && content.starts_with('\u{feff}') { 3 } else { 0 };
            let begin = content[margin..].chars().next();
            let begins = begin.is_some_and(|c| c != '#' && !c.is_whitespace());
            if begins && lexed.tokens.len() > first {
                return true;
            }
            if !begins && content[margin..].trim_start().is_empty() {
                self.blank_line = true;
            } else {
                let (base, blank_line, file) = (self.at, self.blank_line, self.file);
                let bad_names = &mut self.bad_names;
                Line { content, base, margin, blank_line, file, bad_names, report: &mut *report }
                    .tokens(lexed);
                self.blank_line = false;
            }
            self.at += length;
        }
    }
}

/// Where a line ends with CR and no LF behind it.
fn lone_carriage_return(text: &str) -> Option<usize> {
    // Mostly there is no CR at all.
    let first = text.find('\r')?;
    let mut base = text[..first].rfind('\n').map_or(0, |end| end + 1);
    for line in text[base..].split_inclusive('\n') {
        if let Some(at) = line.trim_end_matches(['\n', '\r']).find('\r') {
            return Some(base + at);
        }
        base += line.len();
    }
    None
}

struct Line<'t, 'r> {
    content: &'t str,
    base: usize,
    margin: usize,
    /// A blank line stands before this one.
    blank_line: bool,
    file: FileId,
    /// Words that were reported as neither a number nor a name.
    bad_names: &'r mut HashSet<&'t str>,
    report: &'r mut Report,
}

/// The sign that two bytes begin with and no other sign, of ours or of others, is longer than;
/// `None` if it takes a longer look.
fn plain_sign(first: u8, second: Option<u8>) -> Option<(Kind, usize)> {
    Some(match (first, second) {
        (b',', _) => (Kind::Comma, 1),
        (b'(', _) => (Kind::Open, 1),
        (b')', _) => (Kind::Close, 1),
        (b':', other) if other != Some(b'=') => (Kind::Colon, 1),
        (b'-', Some(b'>')) => (Kind::Arrow, 2),
        (b'=', Some(b' ')) => (Kind::Compare(Relation::Is), 1),
        _ => return None,
    })
}

impl<'t> Line<'t, '_> {
    fn tokens(&mut self, lexed: &mut Lexed<'t>) {
        let (mut at, mut first) = (self.margin, true);
        let bytes = self.content.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            if byte == b' ' {
                at += 1;
                continue;
            }
            if byte == b'#' {
                lexed.comments.push(Comment {
                    text: self.content[at..].trim_end(),
                    after: lexed.tokens.len(),
                    own_line: first,
                    at_margin: at == self.margin,
                    blank_before: first && self.blank_line,
                });
                return;
            }
            let (kind, length) = match plain_sign(byte, bytes.get(at + 1).copied()) {
                Some(sign) => sign,
                None => {
                    let rest = &self.content[at..];
                    let blank = rest.chars().next().filter(|c| c.is_whitespace());
                    if let Some(blank) = blank {
                        at += blank.len_utf8();
                        continue;
                    }
                    self.one(rest, at)
                }
            };
            lexed.tokens.push(Token {
                kind,
                text: &self.content[at..at + length],
                span: self.span(at, at + length),
                begins_statement: at == self.margin,
                begins_line: first,
                blank_before: first && self.blank_line,
            });
            first = false;
            at += length;
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// The token at the beginning of `rest` and its length; `Broken` after reporting.
    fn one(&mut self, rest: &'t str, at: usize) -> (Kind, usize) {
        let name = names::name_length(rest);
        if name > 0 {
            return (Kind::Name, name);
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number(rest, at, 0);
        }
        for (sign, ours) in FOREIGN_SIGNS {
            // Four dots are two signs of ours, as notes may have them.
            if rest.starts_with(sign) && !rest.starts_with("....") {
                let text = format!("unexpected `{sign}`");
                let cure = match sign {
                    "=>" => "write `->` for a change, `>=` to compare".to_string(),
                    _ => format!("write `{ours}`"),
                };
                self.unexpected_character(at, sign.len(), text, cure);
                // Read as what was meant, so that the rest of the statement is judged too.
                return (kind_of(ours), sign.len());
            }
        }
        if let Some(&(sign, kind)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return (kind, sign.len());
        }
        let digits_at = usize::from(rest.starts_with('-'));
        if rest[digits_at..].starts_with(|c: char| c.is_ascii_digit()) {
            return self.number(rest, at, digits_at);
        }
        if rest.starts_with('"') {
            return self.quoted(rest, at);
        }
        self.unexpected(rest, at)
    }

    fn unexpected_character(
        &mut self,
        at: usize,
        length: usize,
        text: String,
        cure: impl Into<String>,
    ) {
        self.report.say(Code::UnexpectedCharacter, self.span(at, at + length), text, cure);
    }

    fn unexpected(&mut self, rest: &str, at: usize) -> (Kind, usize) {
        if rest.starts_with("//") || rest.starts_with("/*") {
            let text = format!("`{}` begins no comment", &rest[..2]);
            self.unexpected_character(at, 2, text, "begin comments with `#`");
            return (Kind::Broken, rest.len());
        }
        // `&&` is one mistake, not two.
        let c = rest.chars().next().unwrap_or(' ');
        let length = rest.len() - rest.trim_start_matches(c).len();
        let is_digit = |c: char| c.is_ascii_digit();
        let before = self.content[..at].trim_end();
        let between = before.ends_with(is_digit)
            && rest[length..].trim_start().starts_with(is_digit)
            && matches!(c, '-' | '–' | '—' | '−');
        let cure = match (instead_of(c), instead_of_sum(before, c, &rest[length..])) {
            _ if between => "write `..` for a range, as in `0..6`".to_string(),
            _ if rest.starts_with("--") => "write `-= 1` to take away".to_string(),
            (_, Some(cure)) => cure,
            (Some(cure), None) => cure.to_string(),
            (None, None) => {
                "remove it; names are made of letters, digits, `_`, and single inner `.` or `-`"
                    .to_string()
            }
        };
        let text = match c {
            '-' | '.' => format!("`{c}` stands alone"),
            '\\' | '\'' => format!("unexpected `{}`", &rest[..length]),
            _ => format!("unexpected `{}`", rest[..length].escape_debug()),
        };
        self.unexpected_character(at, length, text, cure);
        (Kind::Broken, length)
    }

    fn number(&mut self, rest: &'t str, at: usize, digits_at: usize) -> (Kind, usize) {
        let digits = |from: usize| {
            from + rest[from..].bytes().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let whole = digits(digits_at);
        let after_dot = rest[whole..].strip_prefix('.').unwrap_or("");
        let is_decimal = after_dot.starts_with(|c: char| c.is_ascii_digit());
        let end = if is_decimal { digits(whole + 1) } else { whole };
        let tail = rest[end..].chars().take_while(|&c| names::continues_name(c));
        let tail: usize = tail.map(char::len_utf8).sum();
        if tail == 0 {
            return (if is_decimal { Kind::Decimal } else { Kind::Integer }, end);
        }
        let word = &rest[..end + tail];
        // Said where the word stands first: its other uses are the same mistake.
        if self.bad_names.insert(word) {
            let text = format!("`{word}` is neither a number nor a name");
            let cure = match plain_number(word) {
                None => "begin names with a letter or `_`".to_string(),
                Some(number) if word.ends_with(|c: char| c.is_ascii_digit()) => {
                    format!("write `{number}`")
                }
                Some(number) => format!("write `{number}`; a name begins with a letter"),
            };
            self.report.say(Code::BadName, self.span(at, at + word.len()), text, cure);
        }
        (Kind::Broken, word.len())
    }

    fn quoted(&mut self, rest: &str, at: usize) -> (Kind, usize) {
        if let Some(end) = rest[1..].find('"') {
            return (Kind::Text, end + 2);
        }
        let span = self.span(at, at + rest.trim_end().len());
        let text = "a quoted text is not closed on its line";
        self.report.say(Code::UnclosedText, span, text, "add the missing `\"`");
        (Kind::Broken, rest.len())
    }
}

/// What to write instead of a sum: `hp = hp + 5`, `gold >= price + 5`.
fn instead_of_sum(before: &str, sign: char, after: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let last_word = |text: &str| text.trim_end_matches(is_word).len();
    let after = after.trim_start();
    let by = &after[..after.find(|c| !is_word(c)).unwrap_or(after.len())];
    let start = last_word(before);
    let (head, left) = (before[..start].trim_end(), &before[start..]);
    if !matches!(sign, '+' | '-' | '*') || by.is_empty() || left.is_empty() {
        return None;
    }
    let plain = head.strip_suffix("->").or_else(|| head.strip_suffix('='));
    let variable = plain.map(|it| it.trim_end()).map(|it| &it[last_word(it)..]);
    if variable == Some(left) && matches!(sign, '+' | '-') {
        return Some(format!("write `{left} {sign}= {by}`"));
    }
    let changes = ["->", "+=", "-=", ":="].iter().any(|sign| head.ends_with(sign));
    let by_size = [">", "<", ">=", "<="].iter().any(|sign| head.ends_with(sign));
    let of_numbers = [left, by].iter().any(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    let compares = by_size || (head.ends_with('=') && of_numbers);
    (compares && !changes).then(|| {
        "compare with a number, or with an amount that nothing changes: sums are not computed"
            .to_string()
    })
}

/// What to write instead of a character that other languages use.
fn instead_of(c: char) -> Option<&'static str> {
    Some(match c {
        '-' => {
            "write `->` for a change and `-= 1` to take away; \
             a name has single `-` only between letters"
        }
        '.' => "write `0..6` for a range; a name has single `.` only between letters",
        '&' => "separate conditions by `,`: all of them must hold",
        '|' => "write `or` between conditions, `,` between values",
        '/' => "separate items by `,`",
        '!' => "write `not` before a check, and `!=` between a variable and a value",
        '+' => "write `+= 1` to add",
        '–' | '—' | '−' => "write the plain `-`, as in `->`, `-= 1` and `-3`",
        '*' => "write names; of an NPC that can do all actions, write `can everything`",
        '%' => "write the number alone: amounts have no unit",
        '０'..='９' => "write plain digits, `0` to `9`",
        ';' => "remove it: a statement ends with its line; separate items by `,`",
        '[' | ']' => "remove it: lists have no brackets; parameters stand between `(` and `)`",
        '{' | '}' => "remove it: lines that begin with a blank belong to the statement before them",
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '\'' => {
            "write names without quotes, and file names between plain `\"`"
        }
        _ => return None,
    })
}

/// Signs of other languages and of other keyboards, and ours.
#[rustfmt::skip]
const FOREIGN_SIGNS: [(&str, &str); 28] = [
    ("==", "="), ("=>", "->"), ("<>", "!="), (":=", "->"), ("-->", "->"),
    ("...", ".."), ("…", ".."), ("~=", "!="),
    // What word processors make of signs.
    ("–>", "->"), ("—>", "->"), ("−>", "->"), ("→", "->"), ("⇒", "->"), ("➔", "->"), ("➜", "->"),
    ("≥", ">="), ("≤", "<="), ("≠", "!="), ("–=", "-="), ("−=", "-="),
    // Full width.
    ("：", ":"), ("，", ","), ("、", ","), ("（", "("), ("）", ")"), ("＝", "="), ("＜", "<"),
    ("＞", ">"),
];

/// What a sign of ours is.
fn kind_of(sign: &str) -> Kind {
    SIGNS.iter().find(|(ours, _)| *ours == sign).map_or(Kind::Broken, |&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Kind, &str)]) {
        let lexed = lex(text, FileId(0), &mut Report::default());
        let tokens: Vec<_> = lexed.tokens.iter().map(|t| (t.kind, t.text)).collect();
        assert_eq!(tokens, expected);
    }

    #[test]
    fn arrows_ranges_and_negative_numbers_need_no_blanks() {
        use Kind::*;
        check("a->b", &[(Name, "a"), (Arrow, "->"), (Name, "b")]);
        check("0..6", &[(Integer, "0"), (Range, ".."), (Integer, "6")]);
        check("-3..3", &[(Integer, "-3"), (Range, ".."), (Integer, "3")]);
        check("ammo-=1", &[(Name, "ammo"), (MinusIs, "-="), (Integer, "1")]);
        check("cost 2.5# dear", &[(Name, "cost"), (Decimal, "2.5")]);
    }

    #[test]
    fn comments_remember_the_token_they_follow() {
        let text = "# top\nvar x: on,  # first\n  # own\n  off\n";
        let lexed = lex(text, FileId(0), &mut Report::default());
        let seen: Vec<_> = lexed.comments.iter().map(|c| (c.after, c.own_line)).collect();
        assert_eq!(seen, [(0, true), (5, false), (5, true)]);
    }
}
