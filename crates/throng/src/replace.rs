//! Files written as a whole: the new one, or the old one, never half of one.
//!
//! In:   a path, and bytes or a function that writes them.
//! Out:  the file with these bytes. Whatever goes wrong before the last moment, as a full disk
//!       does, leaves what was there.
//! Cost: the bytes are written beside the file, brought to the disk, and moved over it.
//!
//! A link stays a link, and permissions stay as they are. What is no file, as a device or a pipe,
//! is written directly: there is nothing to move over.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Gives a file these bytes.
///
/// # Errors
///
/// What the system says; that the path is a folder, or read-only.
pub fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes.as_ref()))
}

/// Gives a file what a function writes. If that fails, the file is as it was.
///
/// # Errors
///
/// That of the function; what the system says; that the path is a folder, or read-only.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let permissions = match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(is_folder().into()),
        Ok(old) if !old.is_file() => {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            fill(&mut out)?;
            return Ok(out.flush()?);
        }
        Ok(old) if old.permissions().readonly() => return Err(is_read_only().into()),
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    let path = &target(path);
    let (file, beside) = make_beside(path)?;
    let written = write_to(file, fill).and_then(|()| {
        if let Some(same) = permissions {
            fs::set_permissions(&beside, same)?;
        }
        Ok(fs::rename(&beside, path)?)
    });
    if written.is_err() {
        // Nothing more can be done about a part that stays.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Whether a file could be written here, as far as can be told before: for those who work for
/// minutes first.
///
/// # Errors
///
/// As [`replace`] would say.
pub fn can_replace(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(is_folder()),
        Ok(old) if !old.is_file() => Ok(()),
        Ok(old) if old.permissions().readonly() => Err(is_read_only()),
        _ => {
            let (_, beside) = make_beside(&target(path))?;
            fs::remove_file(beside)
        }
    }
}

fn is_folder() -> io::Error {
    io::Error::new(ErrorKind::IsADirectory, "it is a folder")
}

fn is_read_only() -> io::Error {
    io::Error::other("it is read-only")
}

/// The file that a path means: behind links, also if there is none yet.
fn target(path: &Path) -> PathBuf {
    let behind = || {
        let link = fs::read_link(path).ok()?;
        Some(path.parent().unwrap_or(Path::new("")).join(link))
    };
    fs::canonicalize(path).ok().or_else(behind).unwrap_or_else(|| path.to_path_buf())
}

/// A new file in the same folder, as only there it can be moved over another.
fn make_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    loop {
        let (process, n) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let beside = path.with_file_name(format!(".throng-new-{process}-{n}"));
        match File::create_new(&beside) {
            Ok(file) => return Ok((file, beside)),
            // What another program of this number left behind.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn write_to<E: From<io::Error>>(
    file: File,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    fill(&mut out)?;
    out.flush()?;
    // Some systems find out only here that there is no room.
    Ok(out.get_ref().sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own; gone at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("throng-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let all = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_writer_that_fails_in_the_middle_leaves_the_old_file() {
        let folder = Folder::new("half");
        let file = folder.0.join("a");
        replace(&file, "old").unwrap();
        let half = |out: &mut dyn Write| {
            out.write_all(&[b'x'; 1 << 20])?;
            Err(io::Error::other("full"))
        };
        let failed: io::Result<()> = replace_with(&file, half);
        assert_eq!(failed.unwrap_err().to_string(), "full");
        assert_eq!(
            (fs::read_to_string(&file).unwrap(), folder.names()),
            ("old".into(), vec!["a".to_string()])
        );
        // Nothing there before, nothing after.
        let _: io::Result<()> = replace_with(&folder.0.join("b"), half);
        assert_eq!(folder.names(), ["a"]);
        replace(&file, "new").unwrap();
        assert_eq!(
            (fs::read_to_string(&file).unwrap(), folder.names()),
            ("new".into(), vec!["a".to_string()])
        );
    }

    #[test]
    fn folders_and_what_is_read_only_are_refused() {
        let folder = Folder::new("refused");
        assert_eq!(replace(&folder.0, "x").unwrap_err().kind(), ErrorKind::IsADirectory);
        assert!(can_replace(&folder.0).is_err());
        let file = folder.0.join("a");
        replace(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert_eq!(replace(&file, "x").unwrap_err().to_string(), "it is read-only");
        assert!(can_replace(&file).is_err());
        assert!(can_replace(&folder.0.join("no/such/b")).is_err());
        assert!(can_replace(&folder.0.join("b")).is_ok());
        assert_eq!(folder.names(), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("links");
        let (file, link, dangling) =
            (folder.0.join("a"), folder.0.join("link"), folder.0.join("later"));
        replace(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        symlink("b", &dangling).unwrap();
        replace(&link, "new").unwrap();
        replace(&dangling, "other").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.0.join("b")).unwrap(), "other");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_directly_and_tells_when_it_is_full() {
        assert!(replace(Path::new("/dev/null"), "x").is_ok());
        let full = replace(Path::new("/dev/full"), "x").unwrap_err();
        assert_eq!(full.kind(), ErrorKind::StorageFull);
    }
}
