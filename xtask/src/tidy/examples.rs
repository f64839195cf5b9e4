//! The main types show how they are used.
//!
//! In:   the documentation of the types that most users meet.
//! Out:  a finding for each without an example that is compiled and run.

use super::Finding;
use std::fs;
use std::path::Path;

/// The types, and where they are.
const MAIN: &[(&str, &str)] = &[
    ("crates/throng/src/domain.rs", "Domain"),
    ("crates/throng/src/npc.rs", "Npc"),
    ("crates/throng/src/planner.rs", "Planner"),
    ("crates/throng/src/request.rs", "Request"),
    ("crates/throng/src/offscreen.rs", "Offscreen"),
    ("crates/crowd/src/crowd.rs", "Crowd"),
    ("crates/crowd/src/population.rs", "Population"),
    ("crates/mind/src/minds.rs", "Minds"),
    ("crates/trace/src/replay.rs", "Replay"),
];

/// Every main type has an example.
pub(super) fn check(root: &Path, findings: &mut Vec<Finding>) {
    for (path, name) in MAIN {
        let text = fs::read_to_string(root.join(path)).unwrap_or_default();
        match has_example(&text, name) {
            Some(true) => {}
            Some(false) => {
                let text = format!("`{name}` has no example in its documentation");
                findings.push(Finding::error(path, 0, text));
            }
            None => findings.push(Finding::error(path, 0, format!("there is no `{name}`"))),
        }
    }
}

/// Whether the comment before a public item has a block of code that is run.
fn has_example(text: &str, name: &str) -> Option<bool> {
    let is_item = |line: &str| {
        let kinds = ["pub struct ", "pub enum ", "pub fn "];
        kinds.iter().any(|kind| {
            let rest = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_item(line))?;
    let comment = lines[..at].iter().rev().take_while(|line| {
        let line = line.trim();
        line.starts_with("///") || line.starts_with("#[") || line.starts_with(')')
    });
    let fence = |line: &&&str| matches!(line.trim(), "/// ```" | "/// ```rust");
    // A fence that opens and one that closes: a drawing opens with `text`.
    Some(comment.filter(fence).count() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_told_from_a_drawing() {
        let with =
            "/// A.\n///\n/// ```\n/// let a = A;\n/// ```\n#[derive(Debug)]\npub struct A;\n";
        assert_eq!(has_example(with, "A"), Some(true));
        let drawing = with.replacen("```", "```text", 1);
        assert_eq!(has_example(&drawing, "A"), Some(false));
        assert_eq!(has_example(with, "B"), None);
        assert_eq!(has_example("pub struct Ab;\n", "A"), None);
    }
}
