//! `cargo xtask tidy`: what the repository promises about itself, compared with what it is.
//!
//! In:   the repository.
//! Out:  every finding at once, each with its place; warnings do not fail.
//! Cost: a second, and the README's commands.
//!
//! | rule | in |
//! |---|---|
//! | crates, their edges and their paths are as ARCHITECTURE.md says | `architecture` |
//! | every dependency has a decision | `manifest` |
//! | every dependency is used | `edges` |
//! | modules that need one another do not become more | `knots` |
//! | one public name, one type | `duplicates` |
//! | the main types show how they are used | `examples` |
//! | published crates have what a package needs | `packages` |
//! | headers, forbidden words, long files | `source` |
//! | no path of one machine | `tracked` |
//! | the README's commands run | `readme` |

mod architecture;
pub(crate) mod code;
mod duplicates;
mod edges;
mod examples;
mod knots;
pub(crate) mod manifest;
mod packages;
mod readme;
pub(crate) mod source;
mod tracked;

use crate::command::{Outcome, root};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Something that is not as promised.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    text: String,
    is_error: bool,
}

impl Finding {
    /// Fails the check. Lines count from 1; 0 is the whole file.
    pub(crate) fn error(path: &str, line: usize, text: impl Into<String>) -> Finding {
        Finding { path: path.to_string(), line, text: text.into(), is_error: true }
    }

    /// Is only shown.
    pub(crate) fn warning(path: &str, line: usize, text: impl Into<String>) -> Finding {
        Finding { is_error: false, ..Finding::error(path, line, text) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error { "error" } else { "warning" };
        match self.line {
            0 => write!(f, "{}: {word}: {}", self.path, self.text),
            line => write!(f, "{}:{line}: {word}: {}", self.path, self.text),
        }
    }
}

/// Looks at everything; the README's commands need a build.
pub(crate) fn run(with_readme: bool) -> Outcome {
    let root = root();
    let mut findings = Vec::new();
    let manifests = manifest::read_all(&root);
    architecture::check(&root, &manifests, &mut findings);
    manifest::check(&root, &manifests, &mut findings);
    edges::check(&root, &manifests, &mut findings);
    packages::check(&root, &manifests, &mut findings);
    source::check(&root, &manifests, &mut findings);
    knots::check(&root, &manifests, &mut findings);
    duplicates::check(&root, &mut findings);
    examples::check(&root, &mut findings);
    tracked::check(&root, &mut findings);
    if with_readme {
        readme::check(&root, &mut findings);
    }
    findings.sort();
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    let errors = findings.iter().filter(|finding| finding.is_error).count();
    println!("tidy: {errors} errors, {} warnings", findings.len() - errors);
    if errors == 0 { Ok(()) } else { Err(format!("tidy found {errors} errors")) }
}

/// The folders in a folder, by name.
fn folders(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// All files with an ending below a folder, by path.
pub(crate) fn files_below(path: &Path, ending: &str) -> Vec<PathBuf> {
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|its| its == ending);
    files_in(path, |path| path.is_dir() || has_ending(path))
}

/// All files below a folder, by path; what is not wanted is left out, folders with all in them.
fn files_in(path: &Path, is_wanted: impl Fn(&PathBuf) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![path.to_path_buf()];
    while let Some(folder) = left.pop() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(&is_wanted) {
            let list = if path.is_dir() { &mut left } else { &mut found };
            list.push(path);
        }
    }
    found.sort();
    found
}

/// A path as shown: relative to the repository, `/` between parts.
pub(crate) fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
