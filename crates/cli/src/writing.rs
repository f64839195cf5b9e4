//! Files that commands write, each as a whole (`throng::replace`), with a sentence if they cannot.
//!
//! In:   a path, and what is to be in the file.
//! Out:  the file, or why it is as it was.
//! Cost: that of `throng::replace`.
//!
//! Only a recording that grows while it is played is written piece by piece
//! (`commands/play/recorded.rs`): whatever ends the program must leave what was recorded.

use crate::console::{Fail, bad, cannot};
use crate::loading::{BEGIN, begin_of};
use std::path::Path;

/// Gives a file a new content.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Fail> {
    throng::replace::replace(path, content).or_else(cannot("write", path))
}

/// Refuses to write over a file that is none of ours: most likely a name was given twice, and a
/// slip of the pen must not cost a story. What is empty may be written over.
pub(crate) fn may_replace(
    path: &Path,
    is_ours: impl FnOnce(Vec<u8>) -> bool,
    is_not: &str,
    option: &str,
) -> Result<(), Fail> {
    let name = path.display();
    if path.is_dir() {
        return bad(format!("`{name}` is a folder; name a file in it"));
    }
    // A file that cannot be read is left to who opens it to write.
    match begin_of(path, BEGIN).is_some_and(|begin| !begin.is_empty() && !is_ours(begin)) {
        true => bad(format!("`{name}` is there and is {is_not}; name another file for `{option}`")),
        false => Ok(()),
    }
}

/// Whether two paths lead to one file, whatever it is called.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Makes a folder, and those that it is in.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn make_folder(folder: &Path) -> Result<(), Fail> {
    std::fs::create_dir_all(folder).or_else(cannot("make the folder", folder))
}

/// Writes files into a folder.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn fill(folder: &Path, files: &[(String, String)]) -> Result<(), Fail> {
    files.iter().try_for_each(|(name, text)| replace(&folder.join(name), text))
}
