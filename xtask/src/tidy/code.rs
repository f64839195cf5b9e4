//! Rust text reduced to what counts: comments, texts and tests taken out.
//!
//! In:   a source file.
//! Out:  as many lines as before; what is in a comment, a text or a `#[cfg(test)]` item is
//!       blank.
//! Cost: one pass. Not a parser: good enough to look for words.

use std::ops::Range;

/// The code of a file, line by line, without comments, texts and tests.
pub(crate) fn lines(source: &str) -> Vec<String> {
    let mut lines: Vec<String> = blanked(source).lines().map(str::to_string).collect();
    for test in tests(&lines) {
        lines[test].iter_mut().for_each(String::clear);
    }
    lines
}

/// The lines of items that are there for tests only.
pub(crate) fn tests_in(source: &str) -> Vec<Range<usize>> {
    tests(&blanked(source).lines().map(str::to_string).collect::<Vec<_>>())
}

fn tests(lines: &[String]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim_start().starts_with("#[cfg(test)]") {
            let end = item_end(lines, at);
            found.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// The line after the item whose attribute stands on line `start`: after its closing brace, or
/// after a `;` before any brace.
fn item_end(lines: &[String], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, line) in lines.iter().enumerate().skip(start) {
        for c in line.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => return at + 1,
                '}' => depth = depth.saturating_sub(1),
                ';' if depth == 0 => return at + 1,
                _ => {}
            }
        }
    }
    lines.len()
}

/// The source with comments and the insides of texts blank.
fn blanked(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => text(rest, 1),
            'r' | 'b' | 'c' if !out.ends_with(is_word) => prefixed_text(rest),
            '\'' => character(rest),
            _ => 0,
        };
        let length = if skipped == 0 { c.len_utf8() } else { skipped };
        let (part, after) = rest.split_at(length);
        match skipped {
            0 => out.push_str(part),
            _ => out.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' })),
        }
        rest = after;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of a comment, which may hold others.
fn block_comment(rest: &str) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 && at < rest.len() {
        let (open, close) = (rest[at..].find("/*"), rest[at..].find("*/"));
        match (open, close) {
            (Some(open), Some(close)) if open < close => (at, depth) = (at + open + 2, depth + 1),
            (_, Some(close)) => (at, depth) = (at + close + 2, depth - 1),
            _ => at = rest.len(),
        }
    }
    at
}

/// Length of a text whose quote ends before byte `from`.
fn text(rest: &str, from: usize) -> usize {
    let mut escaped = false;
    for (at, c) in rest[from..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return from + at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of `r"…"`, `r#"…"#`, `b"…"` and the like; 0 for anything else.
fn prefixed_text(rest: &str) -> usize {
    let letters = rest.len() - rest.trim_start_matches(['r', 'b', 'c']).len();
    let hashes = rest[letters..].len() - rest[letters..].trim_start_matches('#').len();
    let quote = letters + hashes;
    if !rest[quote..].starts_with('"') || letters > 2 {
        return 0;
    }
    if !rest[..letters].contains('r') {
        return if hashes == 0 { text(rest, quote + 1) } else { 0 };
    }
    let close = format!("\"{}", "#".repeat(hashes));
    rest[quote + 1..].find(&close).map_or(rest.len(), |at| quote + 1 + at + close.len())
}

/// Length of a character; 0 for the beginning of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some(_)) => rest[3..].find('\'').map_or(rest.len(), |at| 3 + at + 1),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let lines: Vec<String> = lines(source).iter().map(|l| l.trim_end().to_string()).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn comments_and_texts_are_blank() {
        check("a // panic!\nb /* x\n/* y */ z */ c", &["a", "b", "             c"]);
        check("f(\"panic!\\\" {\", g)", &["f(            , g)"]);
        check("f(r#\"a\"b\"#, br\"x\", '\"', '\\'', '{')", &["f(        ,      ,    ,     ,    )"]);
        check("fn f<'a>(x: &'a str) {}", &["fn f<'a>(x: &'a str) {}"]);
    }

    #[test]
    fn tests_are_blank_wherever_they_stand() {
        check("a\n#[cfg(test)]\nmod tests {\n  fn x() {}\n}\nb", &["a", "", "", "", "", "b"]);
        check("#[cfg(test)]\nmod tests;\nb", &["", "", "b"]);
        check("#[cfg(test)]\nuse a::{b};\nc", &["", "", "c"]);
    }
}
