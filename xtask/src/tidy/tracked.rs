//! All files of the repository: no path that exists on one machine only.
//!
//! In:   the files that git knows or would take in; without git, all but the build folder.
//! Out:  a finding for each line with such a path.

use super::{Finding, files_in, shown};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// First folders of paths that belong to one machine.
const PRIVATE: [&str; 4] = ["work", "root", "home", "tmp"];

/// Looks at every file.
pub(super) fn check(root: &Path, findings: &mut Vec<Finding>) {
    for path in files(root) {
        // What is no text cannot be read and has no lines.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (line, found) in private_paths(&text) {
            let text = format!("`{found}` is a path of one machine");
            findings.push(Finding::error(&shown(root, &path), line, text));
        }
    }
}

fn files(root: &Path) -> Vec<PathBuf> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).current_dir(root);
    match git.output() {
        Ok(output) if output.status.success() => {
            let listed = String::from_utf8_lossy(&output.stdout).into_owned();
            listed.split_terminator('\0').map(|name| root.join(name)).collect()
        }
        _ => {
            let skipped = ["target", ".git"].map(|name| root.join(name));
            let is_ours = |path: &PathBuf| !skipped.iter().any(|folder| path.starts_with(folder));
            files_in(root, is_ours)
        }
    }
}

/// Lines with a path that begins in a private folder. A name before the first `/` makes it a
/// path inside something, or an address.
fn private_paths(text: &str) -> Vec<(usize, String)> {
    let inside = |c: char| c.is_alphanumeric() || "._-~)}]>*".contains(c);
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for path in PRIVATE.map(|folder| format!("/{folder}/")) {
            let begins = |(start, _): (usize, &str)| !line[..start].ends_with(inside);
            if line.match_indices(&path).any(begins) {
                found.push((at + 1, path));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_machine_are_told_from_paths_inside_the_repository() {
        let own = |folder: &str| format!("/{folder}/");
        let text = format!("a {}x\n\"{}y\"\nplay{}z\n", own("work"), own("tmp"), own("work"));
        assert_eq!(private_paths(&text), [(1, own("work")), (2, own("tmp"))]);
        assert!(
            private_paths(&format!("https://a.org{}x target{}", own("home"), own("tmp")))
                .is_empty()
        );
    }
}
