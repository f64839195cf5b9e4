//! Dependencies that nobody uses.
//!
//! In:   the manifests and the Rust files of each package.
//! Out:  a finding for each dependency that no code of the package names, or that only its tests
//!       name though it is declared for all of it.

use super::code;
use super::manifest::Manifest;
use super::source::has_word;
use super::{Finding, files_below};
use std::fs;
use std::path::Path;

/// Every declared dependency is named in code.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    for manifest in manifests {
        let folder = root.join(&manifest.path).with_file_name("");
        let sources = files_below(&folder.join("src"), "rs").into_iter();
        let sources = sources.chain([folder.join("build.rs")]);
        let own: Vec<String> = sources.flat_map(|path| code_of(&path)).collect();
        let parts =
            ["tests", "examples", "benches"].map(|part| files_below(&folder.join(part), "rs"));
        let mut tests: Vec<String> =
            parts.iter().flatten().flat_map(|path| code_of(path)).collect();
        // What stands in comments and under `#[cfg(test)]` may also be all that needs it.
        let all = files_below(&folder.join("src"), "rs");
        tests.extend(all.iter().filter_map(|path| fs::read_to_string(path).ok()));
        findings.extend(unused(manifest, &own, &tests));
    }
}

fn code_of(path: &Path) -> Vec<String> {
    code::lines(&fs::read_to_string(path).unwrap_or_default())
}

fn unused(manifest: &Manifest, own: &[String], tests: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for dependency in &manifest.dependencies {
        let name = dependency.name.replace('-', "_");
        let is_named = |texts: &[String]| {
            texts
                .iter()
                .any(|text| text.contains(&name) && text.lines().any(|line| has_word(line, &name)))
        };
        let is_for_tests = dependency.is_dev || !manifest.is_published;
        if is_named(own) || is_for_tests && is_named(tests) {
            continue;
        }
        let text = match !is_for_tests && is_named(tests) {
            true => format!("only tests name `{name}`: it is a dev-dependency"),
            false => format!("no code names `{name}`: remove the edge"),
        };
        findings.push(Finding::error(&manifest.path, dependency.line, text));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_used_or_found() {
        let text = "[package]\nname = \"x\"\n[dependencies]\na-b = \"1\"\nc = \"1\"\nd = \"1\"\n\
            [dev-dependencies]\ne = \"1\"\nf = \"1\"\n";
        let manifest = Manifest::read("x", "x/Cargo.toml", text);
        let own = ["use a_b::C;".to_string(), "d_not();".to_string()];
        let tests = ["c::d_not(e::f_not());".to_string()];
        let found = unused(&manifest, &own, &tests);
        let found: Vec<_> = found.iter().map(|f| (f.line, f.text.as_str())).collect();
        assert_eq!(
            found,
            [
                (5, "only tests name `c`: it is a dev-dependency"),
                (6, "no code names `d`: remove the edge"),
                (9, "no code names `f`: remove the edge")
            ]
        );
    }
}
