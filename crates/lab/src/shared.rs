//! Data that is not in the repository: instances with known answers, files of other planners.
//!
//! In:   an environment variable, else a folder `shared` beside the checkout.
//! Out:  the folder, if there is one. Tests that want it skip without it, and say so.

use crate::corpus::repository;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder with `cases.json`: the one that `THRONG_DATA` names, else `../shared/data` beside
/// the checkout.
pub fn shared_data() -> Option<PathBuf> {
    found("THRONG_DATA", "data")
}

/// The folder with PDDL files: the one that `THRONG_PDDL` names, else `../shared/pddl` beside
/// the checkout.
pub fn shared_pddl() -> Option<PathBuf> {
    found("THRONG_PDDL", "pddl")
}

#[allow(clippy::print_stderr, reason = "a test that skips must say so aloud")]
fn found(variable: &str, name: &str) -> Option<PathBuf> {
    let folder = folder_of(std::env::var_os(variable), &repository(), name);
    if folder.is_none() {
        eprintln!("SKIPPED: {variable} is not set, and there is no ../shared/{name} either");
    }
    folder
}

/// A folder that is named is taken as it is: if it is wrong, reading it must fail, not skip.
fn folder_of(named: Option<OsString>, repository: &Path, name: &str) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(PathBuf::from(named));
    }
    let neighbour = repository.parent()?.join("shared").join(name);
    neighbour.is_dir().then_some(neighbour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_folder_comes_first_then_the_neighbour_then_nothing() {
        let top = std::env::temp_dir().join(format!("throng-shared-{}", std::process::id()));
        let (checkout, data) = (top.join("checkout"), top.join("shared").join("data"));
        std::fs::create_dir_all(&checkout).unwrap();
        std::fs::create_dir_all(&data).unwrap();
        let named = folder_of(Some("elsewhere".into()), &checkout, "data");
        assert_eq!(named, Some(PathBuf::from("elsewhere")));
        assert_eq!(folder_of(None, &checkout, "data"), Some(data));
        assert_eq!(folder_of(None, &checkout, "pddl"), None);
        std::fs::remove_dir_all(&top).unwrap();
    }
}
