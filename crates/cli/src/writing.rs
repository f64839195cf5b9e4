//! Files that commands write, each as a whole (`throng::replace`), with a sentence if they cannot.
//!
//! In:   a path, and what is to be in the file.
//! Out:  the file, or why it is as it was.
//! Cost: that of `throng::replace`.
//!
//! Only a recording that grows while it is played is written piece by piece
//! (`commands/play/recorded.rs`): whatever ends the program must leave what was recorded.

use crate::console::{Fail, bad, plain};
use std::path::Path;

/// Gives a file a new content.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Fail> {
    throng::replace::replace(path, content)
        .or_else(|error| bad(format!("cannot write `{}`: {}", path.display(), plain(&error))))
}

/// Makes a folder, and those that it is in.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn make_folder(folder: &Path) -> Result<(), Fail> {
    std::fs::create_dir_all(folder).or_else(|error| {
        bad(format!("cannot make the folder `{}`: {}", folder.display(), plain(&error)))
    })
}

/// Writes files into a folder.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn fill(folder: &Path, files: &[(String, String)]) -> Result<(), Fail> {
    files.iter().try_for_each(|(name, text)| replace(&folder.join(name), text))
}
