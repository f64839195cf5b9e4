//! A folder that keeps the tables of crowds from run to run.
//!
//! In:   the folder, given to `prepare_from` of a crowd or a population.
//! Out:  tables read; what was refused or could not be written, in words. A file that is refused
//!       is built and written anew.
//! Cost: a file per table. A file is written beside its place and then moved there, so that who
//!       reads meanwhile finds the old one or the new one, never a half.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use throng_crowd::TableStore;
use throng_crowd::table_file::Refused;

/// A file with more bytes is no table: four for each of a million states, and plans.
const MOST_BYTES: u64 = 64 << 20;

/// Tables in a folder.
#[derive(Debug)]
pub struct TableFolder {
    folder: PathBuf,
    said: Vec<String>,
}

impl TableFolder {
    /// A folder for tables; it is made when the first table is.
    pub fn new(folder: impl AsRef<Path>) -> TableFolder {
        TableFolder { folder: folder.as_ref().to_path_buf(), said: Vec::new() }
    }

    /// What was refused, and what could not be read or written: a sentence each.
    pub fn messages(&self) -> &[String] {
        &self.said
    }

    /// Where the table of a name lies.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.table"))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let beside = path.with_extension(format!("{}.part", std::process::id()));
        fs::write(&beside, bytes)?;
        fs::rename(&beside, path).inspect_err(|_| {
            // Nothing more can be done about it; the next run would only pass it over.
            let _ = fs::remove_file(&beside);
        })
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
        match read {
            Ok(n) if n as u64 <= MOST_BYTES => Some(bytes),
            Ok(_) => {
                let path = path.display();
                self.said.push(format!("{path}: more than {MOST_BYTES} bytes, so it is no table"));
                None
            }
            Err(why) => {
                self.said.push(format!("{}: cannot be read: {why}", path.display()));
                None
            }
        }
    }

    fn keep(&mut self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        if let Err(why) = self.write(&path, bytes) {
            self.said.push(format!("{}: cannot be written: {why}", path.display()));
        }
    }

    fn refused(&mut self, name: &str, why: &Refused) {
        self.said.push(format!("{}: {why}; built anew", self.path(name).display()));
    }
}
