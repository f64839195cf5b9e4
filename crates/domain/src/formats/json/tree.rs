//! JSON text into values that know their places.
//!
//! In:   a text, exactly RFC 8259 (a byte-order mark in front is forgiven).
//! Out:  a tree of [`JsonValue`]s; numbers stay as written, so nothing is rounded.
//! Cost: one pass; nesting is bounded by the caller, memory by the text.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::{FileId, Span};
use std::borrow::Cow;

/// Nothing nests deeper than this, whatever the caller allows: the reader recurses.
const DEEPEST: usize = 200;

/// A JSON value and where it stands.
#[derive(Clone, Debug)]
pub struct JsonValue<'t> {
    /// What it is.
    pub kind: JsonValueKind<'t>,
    /// Its place.
    pub span: Span,
}

/// What a JSON value is.
#[derive(Clone, Debug)]
pub enum JsonValueKind<'t> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(&'t str),
    /// A text, unescaped.
    Text(Cow<'t, str>),
    /// `[…]`
    List(Vec<JsonValue<'t>>),
    /// `{…}` in the order written; keys may stand twice.
    Object(Vec<JsonMember<'t>>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct JsonMember<'t> {
    /// The key, unescaped.
    pub key: Cow<'t, str>,
    /// The key's place.
    pub key_span: Span,
    /// The value.
    pub value: JsonValue<'t>,
}

impl JsonValueKind<'_> {
    /// What it is, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            JsonValueKind::Null => "null",
            JsonValueKind::Bool(_) => "true or false",
            JsonValueKind::Number(_) => "a number",
            JsonValueKind::Text(_) => "a text",
            JsonValueKind::List(_) => "a list",
            JsonValueKind::Object(_) => "an object",
        }
    }
}

/// Parses a whole text.
///
/// # Errors
///
/// The first place where it is not JSON, or nests deeper than `depth`.
pub fn parse(text: &str, file: FileId, depth: usize) -> Result<JsonValue<'_>, Diagnostic> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let deepest = depth.min(DEEPEST);
    let mut parser = Parser { text, at: start, file, deepest };
    let value = parser.value(deepest)?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.expected("the end of the text"));
    }
    Ok(value)
}

type Parse<T> = Result<T, Diagnostic>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
    deepest: usize,
}

impl<'t> Parser<'t> {
    fn value(&mut self, depth: usize) -> Parse<JsonValue<'t>> {
        self.blanks();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => JsonValueKind::Object(self.object(depth)?),
            Some(b'[') => JsonValueKind::List(self.list(depth)?),
            Some(b'"') => JsonValueKind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => JsonValueKind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(JsonValue { kind, span: Span::new(self.file, start, self.at) })
    }

    fn deeper(&self, depth: usize) -> Parse<usize> {
        depth.checked_sub(1).ok_or_else(|| {
            self.problem(
                Code::JsonTooDeep,
                format!("nested deeper than {} levels", self.deepest),
                "a domain needs six levels at most; remove the inner brackets",
            )
        })
    }

    fn object(&mut self, depth: usize) -> Parse<Vec<JsonMember<'t>>> {
        self.items(depth, b'}', "`,` or `}`", |parser, depth| {
            parser.blanks();
            let start = parser.at;
            if parser.peek() != Some(b'"') {
                return Err(parser.expected("a key in double quotes"));
            }
            let key = parser.string()?;
            let key_span = Span::new(parser.file, start, parser.at);
            parser.blanks();
            if !parser.take(b':') {
                return Err(parser.expected("`:` after the key"));
            }
            Ok(JsonMember { key, key_span, value: parser.value(depth)? })
        })
    }

    fn list(&mut self, depth: usize) -> Parse<Vec<JsonValue<'t>>> {
        self.items(depth, b']', "`,` or `]`", Self::value)
    }

    /// What stands between brackets, separated by commas.
    fn items<T>(
        &mut self,
        depth: usize,
        close: u8,
        next: &str,
        item: impl Fn(&mut Self, usize) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self, depth)?);
            self.blanks();
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(b',') {
                return Err(self.expected(next));
            }
        }
    }

    fn word(&mut self) -> Parse<JsonValueKind<'t>> {
        let rest = &self.text[self.at..];
        let words = [
            ("null", JsonValueKind::Null),
            ("true", JsonValueKind::Bool(true)),
            ("false", JsonValueKind::Bool(false)),
        ];
        for (word, kind) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.expected("a value"))
    }

    fn number(&mut self) -> Parse<&'t str> {
        let start = self.at;
        self.take(b'-');
        let whole = self.digits();
        if whole == 0 || (whole > 1 && self.text.as_bytes()[self.at - whole] == b'0') {
            self.at = start;
            return Err(self.expected("a number without leading zeros"));
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err(self.expected("digits after the point"));
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(self.expected("digits of the exponent"));
            }
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Parse<Cow<'t, str>> {
        self.at += 1;
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut plain = start;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let rest = &self.text[plain..self.at];
                    self.at += 1;
                    return Ok(match owned {
                        None => Cow::Borrowed(rest),
                        Some(mut text) => {
                            text.push_str(rest);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(&self.text[plain..self.at]);
                    self.at += 1;
                    let escaped = self.escape()?;
                    owned.get_or_insert_default().push(escaped);
                    plain = self.at;
                }
                Some(byte) if byte < 0x20 => {
                    return Err(self.expected("no line break or control character in a text"));
                }
                Some(_) => self.at += 1,
                None => return Err(self.expected("the closing `\"` of a text")),
            }
        }
    }

    fn escape(&mut self) -> Parse<char> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some_and(|byte| byte.is_ascii()));
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.expected("an escape such as `\\n` or `\\u0041`")),
        })
    }

    fn unicode(&mut self) -> Parse<char> {
        let first = self.four_digits()?;
        let code = match first {
            0xD800..=0xDBFF => {
                if !(self.take(b'\\') && self.take(b'u')) {
                    return Err(self.expected("the second half of a surrogate pair"));
                }
                match self.four_digits()? {
                    second @ 0xDC00..=0xDFFF => {
                        0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
                    }
                    _ => return Err(self.expected("the second half of a surrogate pair")),
                }
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.expected("the code of a character"))
    }

    fn four_digits(&mut self) -> Parse<u32> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.expected("four hexadecimal digits")),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "the end of the text".to_string(),
        };
        self.problem(
            Code::JsonSyntax,
            format!("expected {what}; found {found}"),
            "the text must be JSON (RFC 8259): no comments, no trailing commas",
        )
    }

    fn problem(&self, code: Code, text: String, cure: &str) -> Diagnostic {
        let length = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let end = self.at + length.map_or(0, char::len_utf8);
        let span = Span::new(self.file, self.at, end);
        Diagnostic { code, span, text, cure: cure.to_string(), also: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        parse(text, FileId(0), 8).is_ok()
    }

    #[test]
    fn accepts_json_and_nothing_else() {
        for text in
            ["{}", "[1, -2.5e3, \"a\\u00e9\\n\"]", " null ", "{\"a\": [true, false]}", "0", "-0.5"]
        {
            assert!(accepts(text), "{text}");
        }
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "+1",
            "'a'",
            "nul",
            "\"a",
            "\"\\x\"",
            "[1] 2",
            "\"\n\"",
            "\"\\ud800\"",
            "-",
            "1e",
            "{1:2}",
            "\"\\u12\"",
        ] {
            assert!(!accepts(text), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded_before_the_stack_is() {
        assert!(accepts(&("[".repeat(8) + &"]".repeat(8))));
        let deep = "[".repeat(1_000_000);
        let problem = parse(&deep, FileId(0), usize::MAX).map(|_| ()).map_err(|d| d.code);
        assert_eq!(problem, Err(Code::JsonTooDeep));
    }

    #[test]
    fn escapes_become_characters() {
        let value = parse(r#""\ud83d\udc0e \"hay\"""#, FileId(0), 8).map(|v| v.kind);
        assert!(matches!(value, Ok(JsonValueKind::Text(text)) if text == "🐎 \"hay\""));
    }
}
