//! `cargo xtask lines`: how large the repository is, crate by crate.
//!
//! In:   the repository, or another folder of the same layout (an older state of it).
//! Out:  for each package its lines of code, documents, comments, blanks and tests, how many
//!       tests and documented items it has; sums of what is published and of everything.
//! Cost: reads every Rust file once.
//!
//! A line of a test is any line of a file under `tests`, `examples` or `benches`, or of an item
//! under `#[cfg(test)]`. So code can be compared before and after without its tests.

use crate::command::{Outcome, root};
use crate::tidy::code::tests_in;
use crate::tidy::files_below;
use crate::tidy::manifest::{Manifest, read_all};
use crate::tidy::source::sources;
use std::fmt::Display;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

/// What is counted of a package: lines of code, documents, comments, blanks and tests; functions
/// under `#[test]`; items with `///` before them.
const COLUMNS: [(&str, usize); 7] = [
    ("code", 8),
    ("documents", 9),
    ("comments", 8),
    ("blank", 7),
    ("tests", 7),
    ("n tests", 8),
    ("documented", 10),
];

/// What was counted, by [`COLUMNS`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Count([usize; COLUMNS.len()]);

const CODE: usize = 0;
const DOCUMENTS: usize = 1;
const COMMENTS: usize = 2;
const BLANK: usize = 3;
const TESTS: usize = 4;
const N_TESTS: usize = 5;
const DOCUMENTED: usize = 6;

/// Prints the table.
pub(crate) fn run(folder: Option<&str>) -> Outcome {
    let root = folder.map_or_else(root, PathBuf::from);
    let manifests = read_all(&root);
    if manifests.iter().all(|manifest| manifest.package.is_empty()) {
        return Err(format!("no packages in `{}`", root.display()));
    }
    print("package", COLUMNS.map(|(head, _)| head));
    let (mut published, mut all) = (Count::default(), Count::default());
    for manifest in &manifests {
        let count = of_package(&root, manifest);
        if manifest.is_published {
            published += count;
        }
        all += count;
        let mark = if manifest.is_published { "" } else { " *" };
        print(&format!("{}{mark}", manifest.package), count.0);
    }
    print("published", published.0);
    print("together", all.0);
    println!("* is not published");
    Ok(())
}

fn print<T: Display>(name: &str, cells: [T; COLUMNS.len()]) {
    let cells = cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!(" {cell:>width$}"));
    println!("{name:<16}{}", cells.collect::<String>());
}

fn of_package(root: &Path, manifest: &Manifest) -> Count {
    let folder = root.join(&manifest.path).with_file_name("");
    let others = ["tests", "examples", "benches"].map(|part| folder.join(part));
    let others = others.iter().flat_map(|part| files_below(part, "rs")).map(|path| (path, true));
    let own = sources(&folder).into_iter().chain([(folder.join("build.rs"), false)]);
    let mut count = Count::default();
    for (path, is_test) in own.chain(others) {
        count += of_file(&fs::read_to_string(&path).unwrap_or_default(), is_test);
    }
    count
}

fn of_file(text: &str, is_test: bool) -> Count {
    let mut count = Count::default();
    let tests = tests_in(text);
    let mut was_document = false;
    for (at, line) in text.lines().map(str::trim).enumerate() {
        let is_document = line.starts_with("///");
        let kind = if is_test || tests.iter().any(|test| test.contains(&at)) {
            TESTS
        } else if line.is_empty() {
            BLANK
        } else if is_document || line.starts_with("//!") {
            DOCUMENTS
        } else if line.starts_with("//") {
            COMMENTS
        } else {
            CODE
        };
        count.0[kind] += 1;
        count.0[N_TESTS] += usize::from(line == "#[test]");
        count.0[DOCUMENTED] += usize::from(is_document && !was_document && !is_test);
        was_document = is_document;
    }
    count
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.0.iter_mut().zip(other.0).for_each(|(own, more)| *own += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! a\n\n// b\n/// c\n/// d\nfn f() {\n    \"\n//\n\"\n}\n#[cfg(test)]\n\
        mod tests {\n    #[test]\n\n    fn g() {}\n}\n";

    #[test]
    fn every_line_is_of_one_kind() {
        let count = of_file(TEXT, false);
        // The line `//` inside a text passes for a comment: this is no parser.
        assert_eq!(count, Count([4, 3, 2, 1, 6, 1, 1]));
        let as_test = of_file(TEXT, true);
        assert_eq!([TESTS, CODE, N_TESTS].map(|column| as_test.0[column]), [16, 0, 1]);
    }
}
