//! A folder that keeps the tables of crowds from run to run.
//!
//! In:   the folder, given to `prepare_from` of a crowd or a population.
//! Out:  tables read; what was refused or could not be written, in words. A file that is refused
//!       is built and written anew. A folder that cannot be written is said once, not per table.
//! Cost: a file per table. A file is written beside its place and then moved there, so that who
//!       reads meanwhile finds the old one or the new one, never a half.

use crate::replace::replace;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use throng_crowd::TableStore;
use throng_crowd::table_file::TableFileError;

/// A file with more bytes is neither read nor written: a foreign file must not fill the memory.
/// The tables of a crowd may take 64 MB by default, their plans as much again, and a game that
/// raises `table_states` or `table_bytes` a good deal more; so this is far above what tables take,
/// and far below what a program cannot have.
const MOST_BYTES: u64 = 1 << 30;

/// Tables in a folder.
#[derive(Debug)]
pub struct TableFolder {
    folder: PathBuf,
    said: Vec<String>,
    trouble: Option<Trouble>,
}

/// Nothing can be written to the folder.
#[derive(Debug)]
struct Trouble {
    why: std::io::Error,
    /// How many tables were not kept for it.
    n_tables: usize,
    /// Where among the sentences it is told.
    told_at: usize,
}

/// What went wrong with writing a table.
enum Failed {
    /// No file can be made in the folder: the next one could not be either.
    Folder(std::io::Error),
    /// Only the place of this one is taken.
    Place(std::io::Error),
}

impl TableFolder {
    /// A folder for tables; it is made when the first table is.
    pub fn new(folder: impl AsRef<Path>) -> TableFolder {
        TableFolder { folder: folder.as_ref().to_path_buf(), said: Vec::new(), trouble: None }
    }

    /// What was refused, and what could not be read or written: a sentence each.
    pub fn messages(&self) -> &[String] {
        &self.said
    }

    /// Where the table of a name lies.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.table"))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failed> {
        fs::create_dir_all(&self.folder).map_err(Failed::Folder)?;
        replace(path, bytes).map_err(|error| match error.kind() {
            ErrorKind::IsADirectory => Failed::Place(error),
            _ => Failed::Folder(error),
        })
    }

    /// Keeps a sentence about a file.
    fn say(&mut self, path: &Path, what: &str) {
        self.said.push(format!("{}: {what}", path.display()));
    }

    /// Counts a table that the folder did not take, and tells all of them in one sentence.
    fn not_kept(&mut self) {
        let Some(trouble) = &mut self.trouble else { return };
        trouble.n_tables += 1;
        let tables = match trouble.n_tables {
            1 => "1 table was".to_string(),
            n => format!("{n} tables were"),
        };
        let folder = self.folder.display();
        self.said[trouble.told_at] =
            format!("{folder}: cannot be written: {}; {tables} not kept", trouble.why);
    }
}

impl TableStore for TableFolder {
    fn fetch(&mut self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name);
        let kind = fs::metadata(&path).ok()?;
        let mut bytes = Vec::new();
        let read = match kind.is_file() {
            true => fs::File::open(&path)
                .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)),
            false => Err(std::io::Error::other("it is not a file")),
        };
        let why = match read {
            Ok(n) if n as u64 <= MOST_BYTES => return Some(bytes),
            Ok(_) => format!("more than {MOST_BYTES} bytes, so it is no table"),
            Err(why) => format!("cannot be read: {why}"),
        };
        self.say(&path, &why);
        None
    }

    fn keep(&mut self, name: &str, bytes: &[u8]) {
        if self.trouble.is_some() {
            return self.not_kept();
        }
        let path = self.path(name);
        if bytes.len() as u64 > MOST_BYTES {
            let most = format!("not kept, since it has more than {MOST_BYTES} bytes");
            return self.say(&path, &most);
        }
        match self.write(&path, bytes) {
            Ok(()) => {}
            Err(Failed::Place(why)) => self.say(&path, &format!("cannot be written: {why}")),
            Err(Failed::Folder(why)) => {
                self.trouble = Some(Trouble { why, n_tables: 0, told_at: self.said.len() });
                self.said.push(String::new());
                self.not_kept();
            }
        }
    }

    fn refused(&mut self, name: &str, why: &TableFileError) {
        self.say(&self.path(name), &format!("{why}; built anew"));
    }
}
