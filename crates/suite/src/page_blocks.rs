//! A page's fenced blocks, and what tests do with them: statements put into files, lines found in
//! what a program printed.
//!
//! In:   the text of a page. Out:  its blocks, in order, each with what stands behind its fence.
//!
//! Tests of crates that the suite depends on take this file by its path.

#![allow(clippy::panic, clippy::expect_used, reason = "only tests use it, and a test may panic")]

/// The page's fenced blocks: what stands behind the fence, and the text.
#[must_use]
pub fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(_), true) => is_open = false,
            (Some(kind), false) => {
                blocks.push((kind.to_string(), String::new()));
                is_open = true;
            }
            (None, true) => {
                let text = &mut blocks.last_mut().expect("a block is open").1;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    blocks
}

/// The statements of a text: each begins in column one. Comments of their own line are left out.
#[must_use]
pub fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match statements.last_mut() {
            Some(last) if line.starts_with(' ') => last.push_str(&format!("\n{line}")),
            _ => statements.push(line.to_string()),
        }
    }
    statements
}

/// `action walk` of `action walk(place in at): …`.
fn head(statement: &str) -> String {
    let first = statement.lines().next().unwrap_or_default();
    let head = first.split([':', '(']).next().unwrap_or_default();
    head.trim().to_string()
}

/// A text with statements added, or in place of those with the same head.
#[must_use]
pub fn edited(text: &str, with: &str) -> String {
    let mut all = statements(text);
    for statement in statements(with) {
        match all.iter_mut().find(|known| head(known) == head(&statement)) {
            Some(known) => *known = statement,
            None => all.push(statement),
        }
    }
    all.join("\n")
}

/// Whether the lines stand in what was printed, one after the other; `…` skips any number.
#[track_caller]
pub fn is_in(told: &str, printed: &[String]) {
    let mut at = 0;
    let mut may_skip = false;
    for line in told.lines() {
        if line == "…" {
            may_skip = true;
            continue;
        }
        let found = printed[at..].iter().position(|actual| actual == line);
        let found = found.filter(|&n| n == 0 || may_skip);
        let n = found.unwrap_or_else(|| panic!("`{line}` is not there:\n{}", printed.join("\n")));
        at += n + 1;
        may_skip = false;
    }
    assert!(may_skip || at == printed.len(), "it goes on:\n{}", printed[at..].join("\n"));
}
