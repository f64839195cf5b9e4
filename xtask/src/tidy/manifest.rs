//! The manifests: which packages depend on what, and whether a decision says why.
//!
//! In:   the `Cargo.toml` of every crate and of `xtask`; the pages in `docs/decisions`.
//! Out:  dependencies with the line they stand on; findings for those from outside that no
//!       page names.
//!
//! Reads the few forms of TOML that manifests use, not all of TOML.

use super::{Finding, files_below, folders, shown};
use std::fs;
use std::path::Path;

/// One package.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The folder's name in `crates`; `xtask` for itself.
    pub(crate) folder: String,
    /// The manifest's path, as shown.
    pub(crate) path: String,
    pub(crate) package: String,
    /// Whether it may be published: it does not say `publish = false`.
    pub(crate) is_published: bool,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Only tests and benches use it.
    pub(crate) is_dev: bool,
}

/// The manifests of all crates and of `xtask`.
pub(crate) fn read_all(root: &Path) -> Vec<Manifest> {
    let crates = folders(&root.join("crates")).into_iter().map(|folder| {
        let path = root.join("crates").join(&folder).join("Cargo.toml");
        (folder, path)
    });
    let own = ("xtask".to_string(), root.join("xtask").join("Cargo.toml"));
    let read = |(folder, path): (String, std::path::PathBuf)| {
        let text = fs::read_to_string(&path).unwrap_or_default();
        Manifest::read(&folder, &shown(root, &path), &text)
    };
    crates.chain([own]).map(read).collect()
}

/// Every dependency from outside is named in a decision.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    let pages = files_below(&root.join("docs").join("decisions"), "md");
    let pages: Vec<String> =
        pages.iter().filter_map(|page| fs::read_to_string(page).ok()).collect();
    for manifest in manifests {
        for Dependency { name, line, .. } in &manifest.dependencies {
            let is_ours = manifests.iter().any(|other| other.package == *name);
            if !is_ours && !pages.iter().any(|page| names(page, name)) {
                let text = format!("no page in docs/decisions says why `{name}` is needed");
                findings.push(Finding::error(&manifest.path, *line, text));
            }
        }
    }
}

/// Whether a page has a name as a whole word: `serde` is not named by `serde_json`.
fn names(page: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    page.match_indices(name)
        .any(|(at, _)| !page[..at].ends_with(joins) && !page[at + name.len()..].starts_with(joins))
}

impl Manifest {
    pub(crate) fn read(folder: &str, path: &str, text: &str) -> Manifest {
        let mut manifest = Manifest {
            folder: folder.to_string(),
            path: path.to_string(),
            package: String::new(),
            is_published: true,
            dependencies: Vec::new(),
        };
        let mut section = "";
        // Inside a list or table that goes over several lines.
        let mut depth = 0;
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if depth == 0 {
                if let Some(head) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    section = head.trim_matches(['[', ']']);
                    manifest.dependencies.extend(of_head(section, at + 1));
                } else if let Some((key, value)) = line.split_once('=') {
                    let key = key.trim();
                    if section == "package" && key == "name" {
                        manifest.package = value.trim().trim_matches('"').to_string();
                    }
                    if section == "package" && key == "publish" && value.trim() == "false" {
                        manifest.is_published = false;
                    }
                    manifest.dependencies.extend(of_key(section, key, at + 1));
                }
            }
            depth += line.matches(['[', '{']).count();
            depth = depth.saturating_sub(line.matches([']', '}']).count());
        }
        manifest
    }
}

/// `[dependencies.name]`, a table of its own.
fn of_head(section: &str, line: usize) -> Option<Dependency> {
    let (kind, name) = section.rsplit_once('.')?;
    let name = name.trim_matches('"').to_string();
    Some(Dependency { name, line, is_dev: is_dev(kind)? })
}

/// `name = …` or `name.workspace = …` in a section of dependencies.
fn of_key(section: &str, key: &str, line: usize) -> Option<Dependency> {
    let is_dev = is_dev(section)?;
    let name = key.split('.').next()?.trim().trim_matches('"').to_string();
    Some(Dependency { name, line, is_dev })
}

/// Whether a section holds dependencies (of tests only); `None` if it holds something else.
fn is_dev(section: &str) -> Option<bool> {
    // `[target.'cfg(windows)'.dependencies]` is about one system.
    match section.rsplit('.').next()? {
        "dependencies" | "build-dependencies" => Some(false),
        "dev-dependencies" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, usize, bool)]) {
        let manifest = Manifest::read("x", "x/Cargo.toml", text);
        let found: Vec<_> =
            manifest.dependencies.iter().map(|d| (d.name.as_str(), d.line, d.is_dev)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn all_forms_of_dependencies_are_read() {
        check(
            "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nb.workspace = true # why\nc = { version = \"1\" }\n[dev-dependencies]\nd = \"1\"\n",
            &[("a", 4, false), ("b", 5, false), ("c", 6, false), ("d", 8, true)],
        );
        check(
            "[dependencies.e]\nversion = \"1\"\n[target.'cfg(unix)'.dependencies]\nf = \"1\"\n[lints]\nworkspace = true\n",
            &[("e", 1, false), ("f", 4, false)],
        );
    }

    #[test]
    fn lists_over_several_lines_hold_no_dependencies() {
        check(
            "[dependencies]\na = { features = [\n  \"x\",\n] }\nb = \"1\"\n",
            &[("a", 2, false), ("b", 5, false)],
        );
    }

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("uses `serde` for", "serde"));
        assert!(!names("uses `serde_json` and my-serde", "serde"));
    }
}
