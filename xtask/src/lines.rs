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
use crate::tidy::source::tests_of;
use std::collections::HashSet;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Count {
    code: usize,
    documents: usize,
    comments: usize,
    blank: usize,
    tests: usize,
    /// Functions under `#[test]`.
    n_tests: usize,
    /// Items with `///` before them.
    documented: usize,
}

/// Prints the table.
pub(crate) fn run(folder: Option<&str>) -> Outcome {
    let root = folder.map_or_else(root, PathBuf::from);
    let manifests = read_all(&root);
    if manifests.iter().all(|manifest| manifest.package.is_empty()) {
        return Err(format!("no packages in `{}`", root.display()));
    }
    println!(
        "{:<16} {:>8} {:>9} {:>8} {:>7} {:>7} {:>8} {:>10}",
        "package", "code", "documents", "comments", "blank", "tests", "n tests", "documented"
    );
    let (mut published, mut all) = (Count::default(), Count::default());
    for manifest in &manifests {
        let count = of_package(&root, manifest);
        if manifest.is_published {
            published += count;
        }
        all += count;
        let mark = if manifest.is_published { "" } else { " *" };
        print(&format!("{}{mark}", manifest.package), count);
    }
    print("published", published);
    print("together", all);
    println!("* is not published");
    Ok(())
}

fn print(name: &str, count: Count) {
    let Count { code, documents, comments, blank, tests, n_tests, documented } = count;
    println!(
        "{name:<16} {code:>8} {documents:>9} {comments:>8} {blank:>7} {tests:>7} {n_tests:>8} \
         {documented:>10}"
    );
}

fn of_package(root: &Path, manifest: &Manifest) -> Count {
    let folder = root.join(&manifest.path).with_file_name("");
    let sources = files_below(&folder.join("src"), "rs");
    let for_tests: HashSet<PathBuf> = sources.iter().flat_map(|path| tests_of(path)).collect();
    let mut count = Count::default();
    for path in sources.into_iter().chain([folder.join("build.rs")]) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        count += of_file(&text, for_tests.contains(&path));
    }
    for part in ["tests", "examples", "benches"] {
        for path in files_below(&folder.join(part), "rs") {
            count += of_file(&fs::read_to_string(&path).unwrap_or_default(), true);
        }
    }
    count
}

fn of_file(text: &str, is_test: bool) -> Count {
    let mut count = Count::default();
    let tests = tests_in(text);
    let mut was_document = false;
    for (at, line) in text.lines().map(str::trim).enumerate() {
        let is_document = line.starts_with("///");
        count.n_tests += usize::from(line == "#[test]");
        let kind = if is_test || tests.iter().any(|test| test.contains(&at)) {
            &mut count.tests
        } else if line.is_empty() {
            &mut count.blank
        } else if is_document || line.starts_with("//!") {
            &mut count.documents
        } else if line.starts_with("//") {
            &mut count.comments
        } else {
            &mut count.code
        };
        *kind += 1;
        count.documented += usize::from(is_document && !was_document && !is_test);
        was_document = is_document;
    }
    count
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.code += other.code;
        self.documents += other.documents;
        self.comments += other.comments;
        self.blank += other.blank;
        self.tests += other.tests;
        self.n_tests += other.n_tests;
        self.documented += other.documented;
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
        let expected = Count {
            code: 4,
            documents: 3,
            comments: 2,
            blank: 1,
            tests: 6,
            n_tests: 1,
            documented: 1,
        };
        assert_eq!(count, expected);
        let as_test = of_file(TEXT, true);
        assert_eq!((as_test.tests, as_test.code, as_test.n_tests), (16, 0, 1));
    }
}
