//! Modules that need one another in a circle.
//!
//! In:   the Rust files of each crate: who says `crate::a`, `super::a`, or a name that the
//!       crate's root takes from `a`.
//! Out:  a finding for each crate whose top modules have a circle.

use super::manifest::Manifest;
use super::{Finding, code, files_below, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Which top modules of a crate need which.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Every crate is without circles.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    for manifest in manifests {
        let source = root.join(&manifest.path).with_file_name("src");
        let files: Vec<(String, String)> = files_below(&source, "rs")
            .iter()
            .map(|path| (shown(&source, path), fs::read_to_string(path).unwrap_or_default()))
            .collect();
        let knot = largest_knot(&graph(&files));
        if knot.len() > 1 {
            let text = format!("{} modules need one another: {}", knot.len(), knot.join(", "));
            findings.push(Finding::error(&shown(root, &source), 0, text));
        }
    }
}

/// The edges between the top modules, from files by path below `src`.
fn graph(files: &[(String, String)]) -> Graph {
    let top = |path: &str| path.split('/').next().unwrap_or("").trim_end_matches(".rs").to_string();
    let is_root = |path: &str| matches!(path, "lib.rs" | "main.rs");
    let modules = files.iter().filter(|(path, _)| !is_root(path) && !path.starts_with("bin/"));
    let names: BTreeSet<String> = modules.clone().map(|(path, _)| top(path)).collect();
    let root = files.iter().find(|(path, _)| path == "lib.rs");
    let root = root.or_else(|| files.iter().find(|(path, _)| path == "main.rs"));
    let reexports = root.map(|(_, text)| reexported(text, &names)).unwrap_or_default();
    let mut graph: Graph = names.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
    for (path, text) in modules {
        let from = top(path);
        // `mod.rs` is the module of its folder.
        let depth = path.trim_end_matches("/mod.rs").matches('/').count() + 1;
        let text = code::lines(text).join("\n");
        let up = "super::".repeat(depth);
        let said = heads(&text, "crate::").into_iter().chain(heads(&text, &up));
        let edges = graph.entry(from.clone()).or_default();
        for name in said {
            let to = if names.contains(&name) { Some(&name) } else { reexports.get(&name) };
            edges.extend(to.filter(|to| **to != from).cloned());
        }
    }
    graph
}

/// The first names behind a prefix, those in braces too.
fn heads(text: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        // `super::super::` is not `super::`, and `other_crate::` is not `crate::`.
        let before = &text[..at];
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list_heads(list)),
            None => found.push(word(rest)),
        }
    }
    found
}

/// The first name of each tree in a list, up to its closing brace.
fn list_heads(list: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut depth, mut begins) = (1, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => begins = true,
            c if begins && !c.is_whitespace() => {
                found.push(word(&list[at..]));
                begins = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Names that the root takes from its modules: name → module.
fn reexported(root: &str, names: &BTreeSet<String>) -> BTreeMap<String, String> {
    let text = code::lines(root).join("\n");
    let mut found = BTreeMap::new();
    for item in text.split(';').filter_map(|item| item.trim().split_once("use ")) {
        let path = item.1.trim().trim_start_matches("crate::").trim_start_matches("self::");
        let module = word(path);
        if !names.contains(&module) {
            continue;
        }
        // Every word counts: what is no name of something is not asked for.
        let words = path.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        found.extend(words.filter(|w| !w.is_empty()).map(|w| (w.to_string(), module.clone())));
    }
    found.retain(|name, _| !names.contains(name));
    found
}

/// The largest set of modules each of which needs each other one, by name.
fn largest_knot(graph: &Graph) -> Vec<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|from| (from, reachable(graph, from))).collect();
    let knot = |from: &String| -> Vec<String> {
        let back = |to: &&String| reached[from].contains(*to) && reached[*to].contains(from);
        graph.keys().filter(back).cloned().collect()
    };
    graph.keys().map(knot).max_by_key(Vec::len).unwrap_or_default()
}

fn reachable<'g>(graph: &'g Graph, from: &String) -> BTreeSet<&'g String> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&String> = graph[from].iter().collect();
    while let Some(next) = left.pop() {
        if let Some((own, edges)) = graph.get_key_value(next)
            && found.insert(own)
        {
            left.extend(edges);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knot(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        largest_knot(&graph(&files))
    }

    #[test]
    fn circles_are_found_however_they_are_written() {
        let root = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{Thing, part::Other as Else};\n");
        assert!(knot(&[root, ("a.rs", "use crate::b::X;"), ("b.rs", ""), ("c.rs", "")]).is_empty());
        for back in [
            "use crate::{c::Y, a};",
            "use super::a;",
            "fn f() { crate::a::g() }",
            "use crate::{\n    c::{Y, Z},\n    a::X,\n};",
        ] {
            assert_eq!(knot(&[root, ("a.rs", "use crate::Else;"), ("b.rs", back)]), ["a", "b"]);
        }
        for none in
            ["// crate::a", "use super::super::a;", "use other_crate::a;", "use crate::{c, d::a};"]
        {
            assert!(knot(&[root, ("a.rs", "use crate::Thing;"), ("b.rs", none)]).is_empty());
        }
    }

    #[test]
    fn parts_of_a_module_speak_for_it() {
        let files =
            [("a/mod.rs", "use super::b;"), ("b.rs", ""), ("b/deep.rs", "use super::super::a;")];
        assert_eq!(knot(&files), ["a", "b"]);
        let inside = [("a/mod.rs", "use super::b;"), ("b.rs", ""), ("b/deep.rs", "use super::a;")];
        assert!(knot(&inside).is_empty());
    }
}
