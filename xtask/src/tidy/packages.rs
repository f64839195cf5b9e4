//! Published crates: what a package needs is in it.
//!
//! In:   the manifests and Rust files of the crates that are published.
//! Out:  findings for metadata that is missing, dependencies that are not published, and for
//!       files that code names outside of its package.

use super::manifest::Manifest;
use super::{Finding, files_below, shown};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Keys of the section `[package]` that a stranger looks at.
const KEYS: [&str; 7] =
    ["description", "license", "rust-version", "readme", "keywords", "categories", "include"];
/// Files beside the manifest.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// What names a file relative to the one it stands in.
const RELATIVE: [&str; 3] = ["include_str!(\"", "include_bytes!(\"", "#[path = \""];
/// Folders of a package.
const PARTS: [&str; 4] = ["src", "tests", "examples", "benches"];

/// Every published crate can be packed.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    for manifest in manifests.iter().filter(|manifest| manifest.is_published) {
        let folder = root.join(&manifest.path).with_file_name("");
        let text = fs::read_to_string(root.join(&manifest.path)).unwrap_or_default();
        let has = |key: &&&str| text.lines().any(|line| line.starts_with(**key));
        for key in KEYS.iter().filter(|key| !has(key)) {
            let text = format!("is published, but says no `{key}`");
            findings.push(Finding::error(&manifest.path, 0, text));
        }
        for file in FILES.iter().filter(|file| !folder.join(file).is_file()) {
            findings.push(Finding::error(
                &manifest.path,
                0,
                format!("is published without {file}"),
            ));
        }
        for dependency in &manifest.dependencies {
            let to = manifests.iter().find(|other| other.package == dependency.name);
            if to.is_some_and(|to| !to.is_published) {
                let text = format!("`{}` is not published", dependency.name);
                findings.push(Finding::error(&manifest.path, dependency.line, text));
            }
        }
        // Tests that are not packed may read what they like.
        let packed = PARTS.iter().filter(|part| text.contains(&format!("\"/{part}\"")));
        for path in packed.flat_map(|part| files_below(&folder.join(part), "rs")) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (line, named) in outside(&folder, &path, &text) {
                let text = format!("`{named}` is outside of the package");
                findings.push(Finding::error(&shown(root, &path), line, text));
            }
        }
    }
}

/// Files that code names outside of its package, with the lines.
fn outside(folder: &Path, path: &Path, text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for word in RELATIVE {
            let Some((_, rest)) = line.split_once(word) else { continue };
            let named = rest.split('"').next().unwrap_or("");
            if !plain(&path.with_file_name(named)).starts_with(plain(folder)) {
                found.push((at + 1, named.to_string()));
            }
        }
        if line.contains("CARGO_MANIFEST_DIR") && line.contains("..") {
            found.push((at + 1, "..".to_string()));
        }
    }
    found
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_is_told_from_what_lies_inside() {
        let text = "include_str!(\"../a.npc\")\ninclude_str!(\"../../../b\")\n\
            #[path = \"../../x/c.rs\"]\nenv!(\"CARGO_MANIFEST_DIR\"), \"/tests\"\n\
            env!(\"CARGO_MANIFEST_DIR\")).join(\"../..\")\n";
        let found = outside(Path::new("r/crates/x"), Path::new("r/crates/x/src/y.rs"), text);
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        // From `src`, `../../x` leads back in.
        assert_eq!(lines, [2, 5]);
    }
}
