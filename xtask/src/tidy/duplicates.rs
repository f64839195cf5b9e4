//! Public names that mean two things to a user of `throng`.
//!
//! In:   the crates that `throng` hands on.
//! Out:  a finding for each public type whose name is taken twice and not in the list; a warning
//!       for each name in the list that is single by now.
//!
//! The list may only become shorter.

use super::source::sources;
use super::{Finding, code, shown};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What a user of `throng` can name.
const CRATES: [&str; 9] =
    ["base", "domain", "planner", "check", "crowd", "mind", "kit", "trace", "throng"];
/// Names that still mean two things.
const KNOWN: &[&str] = &[];

/// Every public name is taken once.
pub(super) fn check(root: &Path, findings: &mut Vec<Finding>) {
    let mut places: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for name in CRATES {
        let all = sources(&root.join("crates").join(name)).into_iter();
        for (path, _) in all.filter(|(_, is_test)| !is_test) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (line, name) in types(&text) {
                places.entry(name).or_default().push((shown(root, &path), line));
            }
        }
    }
    for (name, places) in &places {
        if places.len() > 1 && !KNOWN.contains(&name.as_str()) {
            let first = format!("{}:{}", places[0].0, places[0].1);
            for (path, line) in &places[1..] {
                let text = format!("`{name}` is also the name of a type at {first}");
                findings.push(Finding::error(path, *line, text));
            }
        }
    }
    for known in KNOWN.iter().filter(|known| places.get(**known).is_none_or(|at| at.len() < 2)) {
        let text = format!("`{known}` is single by now: take it from the list");
        findings.push(Finding::warning("xtask/src/tidy/duplicates.rs", 0, text));
    }
}

/// Public types of a file, with their lines.
fn types(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in code::lines(text).iter().enumerate() {
        let Some(item) = line.trim_start().strip_prefix("pub ") else { continue };
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        let Some(rest) = kinds.iter().find_map(|kind| item.strip_prefix(kind)) else { continue };
        // An associated type is indented and has no name of its own.
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        found.push((at + 1, name));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_are_told_from_the_rest() {
        let text = "pub struct A;\npub(crate) struct B;\n// pub enum C\npub enum D<T> {\n\
            #[cfg(test)]\npub struct E;\npub fn f() {}\npub type G = u8;\npub unsafe fn h() {}\n";
        let names: Vec<_> =
            types(text).into_iter().map(|(at, name)| format!("{at}{name}")).collect();
        assert_eq!(names, ["1A", "4D", "8G"]);
    }
}
