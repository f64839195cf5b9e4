//! Reviewed texts in files: compared, or with `UPDATE_GOLDEN` in the environment written anew.
//!
//! In:   a file, and the text that it should hold, whole or between two marks.
//! Out:  what differs.
//! Cost: reads the file.
//!
//! Tests of crates that the suite depends on take this file by its path.

use std::fs;
use std::path::Path;

/// What differs between a file and the text it should hold; with `UPDATE_GOLDEN` the file is
/// written instead.
pub fn difference(path: &Path, text: &str) -> Option<String> {
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return None;
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(path, text).err().map(|error| error.to_string());
    }
    let name = path.display();
    Some(format!(
        "{name} differs; if the new text is better, run the tests with UPDATE_GOLDEN=1\n\
         --- expected\n{expected}\n--- now\n{text}"
    ))
}

/// The same of the part of a page that stands between two marks.
pub fn difference_between(path: &Path, marks: [&str; 2], text: &str) -> Option<String> {
    let page = fs::read_to_string(path).unwrap_or_default();
    let [begin, end] = marks;
    let parts = page.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    match parts {
        Some((before, after)) => difference(path, &format!("{before}{begin}{text}{end}{after}")),
        None => Some(format!("{} has not both of {marks:?}", path.display())),
    }
}
