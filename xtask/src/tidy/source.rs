//! Rust files: headers, words that libraries must not use, length.
//!
//! In:   every `.rs` file of the crates and of `xtask`.
//! Out:  findings with their lines; long files are warnings.

use super::code;
use super::manifest::Manifest;
use super::{Finding, files_below, shown};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The one published package that is a program. All others must not print or panic, whatever
/// they are given.
const PROGRAM: &str = "cli";
/// Files of theirs that only tests call, also those of users.
const FOR_TESTS: [&str; 1] = ["crates/base/src/codec/trial.rs"];
/// Words that they must not use.
const LOUD: [&str; 11] = [
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
    ".unwrap()",
    ".expect(",
    "panic!",
    "todo!",
    "unimplemented!",
    "unreachable!",
];
/// The one library that reads and writes files; all others are without I/O and clocks.
const WITH_FILES: &str = "throng";
/// Words that they must not use.
const IMPURE: [&str; 5] = ["std::time", "SystemTime", "Instant", "std::fs", "std::net"];
/// Where a terminal is spoken to: `main.rs` has the streams, the console prints.
const PRINTERS: [&str; 2] = ["crates/cli/src/program.rs", "crates/cli/src/console.rs"];
/// Words of who prints.
const PRINTING: [&str; 7] =
    ["println!", "print!", "eprintln!", "eprint!", "dbg!", "stdout()", "stderr()"];
/// Where files are written: all as a whole, but a recording that grows while it is made; the
/// console opens the terminal.
const WRITERS: [&str; 3] = [
    "crates/throng/src/replace.rs",
    "crates/cli/src/commands/play/recorded.rs",
    "crates/cli/src/console.rs",
];
/// Words of who writes files.
const WRITING: [&str; 6] =
    ["fs::write", "File::create", "File::create_new", "File::options", "OpenOptions", "fs::rename"];
/// Crates whose programs are for those who work on this one.
const OWN_TOOLS: [&str; 3] = ["lab", "suite", "xtask"];
/// Lines of a file, tests excluded, beyond which it should become two.
const LONG: usize = 500;

/// Looks at every Rust file.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    for manifest in manifests {
        let folder = root.join(&manifest.path).with_file_name("");
        let name = manifest.folder.as_str();
        let is_library = manifest.is_published && name != PROGRAM;
        let others = ["tests", "benches", "examples"].map(|part| folder.join(part));
        let others = others.iter().flat_map(|part| files_below(part, "rs"));
        for (path, is_test) in sources(&folder).into_iter().chain(others.map(|path| (path, true))) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let path = shown(root, &path);
            let is_source = !is_test && !FOR_TESTS.contains(&path.as_str());
            findings.extend(Rules { name, is_library, is_source }.findings(&path, &text));
        }
    }
}

/// The files of a package's `src`, each with whether it is there for tests only.
pub(crate) fn sources(folder: &Path) -> Vec<(PathBuf, bool)> {
    let all = files_below(&folder.join("src"), "rs");
    let for_tests: HashSet<PathBuf> = all.iter().flat_map(|path| tests_of(path)).collect();
    all.into_iter().map(|path| (path.clone(), for_tests.contains(&path))).collect()
}

/// The files of modules that are there for tests only, as the file that declares them says.
fn tests_of(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let is_root = ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| path.ends_with(name));
    let folder = if is_root { path.with_file_name("") } else { path.with_extension("") };
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|after| {
        let name = after.lines().next()?.trim().strip_suffix(';')?.rsplit_once("mod ")?.1;
        Some(folder.join(format!("{name}.rs")))
    });
    declared.collect()
}

/// What holds for a file: whose it is, and whether it is code or a test.
struct Rules<'r> {
    name: &'r str,
    is_library: bool,
    is_source: bool,
}

impl Rules<'_> {
    fn findings(&self, path: &str, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !text.starts_with("//!") {
            let text = "begins with no `//!`: say what the file turns into what";
            findings.push(Finding::error(path, 1, text));
        }
        if !self.is_source {
            return findings;
        }
        let lines = code::lines(text);
        if self.is_library {
            self.forbid(&LOUD, "libraries do not print or panic", path, &lines, &mut findings);
        }
        let is_ours = !OWN_TOOLS.contains(&self.name);
        if is_ours && !PRINTERS.contains(&path) {
            let why = "only the console prints, so that nothing a terminal obeys gets through";
            let lines: Vec<String> = lines.iter().map(|line| asked_of_streams(line)).collect();
            self.forbid(&PRINTING, why, path, &lines, &mut findings);
        }
        if is_ours && !WRITERS.contains(&path) {
            let why = "files are written as a whole, by `throng::replace`";
            self.forbid(&WRITING, why, path, &lines, &mut findings);
        }
        if self.is_library && self.name != WITH_FILES {
            let why = "this crate does no I/O and reads no clock";
            self.forbid(&IMPURE, why, path, &lines, &mut findings);
        }
        let tests = text.lines().zip(&lines).filter(|(line, code)| {
            // A line that was there and is gone altogether belonged to a test.
            code.is_empty() && !line.is_empty()
        });
        let length = lines.len() - tests.count();
        if length > LONG {
            let text = format!("{length} lines without its tests; make two files of it");
            findings.push(Finding::warning(path, 0, text));
        }
        findings
    }

    fn forbid(
        &self,
        words: &[&str],
        why: &str,
        path: &str,
        lines: &[String],
        findings: &mut Vec<Finding>,
    ) {
        for (at, line) in lines.iter().enumerate() {
            for word in words.iter().filter(|word| has_word(line, word)) {
                findings.push(Finding::error(path, at + 1, format!("`{word}`: {why}")));
            }
        }
    }
}

/// A line without questions about the size of the terminal, which print nothing.
fn asked_of_streams(line: &str) -> String {
    line.replace("tcgetwinsize(rustix::stdio::stdout())", "")
}

/// Whether a line has a word that is not a part of a longer one.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let begins = !word.starts_with(joins) || !before.ends_with(joins);
        begins && (!word.ends_with(joins) || !after.starts_with(joins))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, is_source: bool, text: &str, expected: &[(usize, &str)]) {
        let is_library = matches!(name, "domain" | "planner" | "throng");
        let findings = Rules { name, is_library, is_source }.findings("x.rs", text);
        let found: Vec<_> =
            findings.iter().map(|f| (f.line, f.text.split(':').next().unwrap_or(""))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn libraries_stay_quiet_outside_their_tests() {
        let text =
            "//! x\nfn f() { a.unwrap(); }\n// panic!\n#[cfg(test)]\nmod t {\n panic!();\n}\n";
        check("domain", true, text, &[(2, "`.unwrap()`")]);
        check("cli", true, text, &[]);
        check("domain", false, text, &[]);
    }

    #[test]
    fn nobody_prints_or_writes_but_who_does_it_for_all() {
        let text = "//! x\nfn f() { println!(); io::stdout(); fs::write(); }\n";
        let expected = [(2, "`println!`"), (2, "`stdout()`"), (2, "`fs")];
        check("cli", true, text, &expected);
        check("typed", true, text, &expected);
        check("suite", true, text, &[]);
        let rules = Rules { name: "cli", is_library: false, is_source: true };
        assert!(rules.findings("crates/cli/src/program.rs", "//! x\nio::stdout();\n").is_empty());
        assert!(
            rules.findings("crates/throng/src/replace.rs", "//! x\nfs::rename();\n").is_empty()
        );
    }

    #[test]
    fn clocks_are_told_from_similar_words() {
        check("planner", true, "//! x\nInstantiate Instance\nuse std::time;\n", &[(3, "`std")]);
        check("throng", true, "//! x\nuse std::fs;\n", &[]);
    }

    #[test]
    fn headers_are_wanted_everywhere_and_long_files_are_noticed() {
        check("suite", false, "use x;\n", &[(1, "begins with no `//!`")]);
        let long = format!("//! x\n{}", "a;\n".repeat(LONG));
        check("cli", true, &long, &[(0, "501 lines without its tests; make two files of it")]);
        let tests = format!("//! x\n#[cfg(test)]\nmod t {{\n{}}}\n", "a;\n".repeat(LONG));
        check("cli", true, &tests, &[]);
    }
}
