//! The repository's `domains/` folder, for tests.
//!
//! In:   a sub-folder and an ending, or one file.
//! Out:  the files in order of their names; a file loaded with what it includes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use throng_domain::formats::no_includes;
use throng_domain::{Format, Limits, Loaded, load};

/// The `domains/` folder of this repository.
pub fn folder() -> PathBuf {
    repository().join("domains")
}

pub(crate) fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The files of `domains/<sub_folder>` whose name ends in `.<ending>`, by name.
///
/// # Errors
///
/// If there is no such folder.
pub fn files(sub_folder: &str, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = sorted(&folder().join(sub_folder))?;
    found.retain(|path| path.is_file() && path.extension().is_some_and(|its| its == ending));
    Ok(found)
}

/// Every file with a story: the stories, then the levels.
///
/// # Errors
///
/// If a folder is not there.
pub fn stories() -> io::Result<Vec<PathBuf>> {
    Ok([files("stories", "npc")?, files("levels", "npc")?].concat())
}

/// Whether a story has so many minds, or is so long, that once is enough of it.
pub fn is_large(file: &Path) -> bool {
    let name = file.file_stem().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("western_day") || name == "market_hundred")
}

/// The story or level of this bare name; one that is not there is a file that cannot be read.
pub fn story(name: &str) -> PathBuf {
    let level = folder().join("levels").join(name).with_extension("npc");
    if level.is_file() { level } else { folder().join("stories").join(name).with_extension("npc") }
}

/// What is in a folder, by name.
///
/// # Errors
///
/// If it cannot be read.
pub fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Reads one file and what it includes. It is named by its path in the repository, `/` between
/// parts, so that diagnostics read the same on every machine.
///
/// # Errors
///
/// If the file cannot be read, or its ending tells no format of domains. Mistakes in its text
/// are no errors here: they are in the report.
pub fn read(path: &Path) -> io::Result<Loaded> {
    let text = fs::read_to_string(path)?;
    let inside = path.strip_prefix(repository()).unwrap_or(path);
    let name = inside.to_string_lossy().replace('\\', "/");
    let format = Format::of_path(&name)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("no domain: {name}")))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut fetch =
        |wanted: &str| fs::read_to_string(beside.join(wanted)).map_err(|error| error.to_string());
    Ok(load(&name, &text, format, &Limits::default(), &throng_mind::notes::WORDS, &mut fetch))
}

/// Loads a text that includes nothing, with the usual limits and the words of minds.
pub fn load_text(text: &str, format: Format) -> Loaded {
    let words = &throng_mind::notes::WORDS;
    load("text", text, format, &Limits::default(), words, &mut no_includes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_are_in_the_corpus_and_load() {
        let papers = files("papers", "npc").unwrap();
        assert!(papers.iter().any(|path| path.ends_with("papers/horse_breeder_000.npc")));
        for path in papers {
            let loaded = read(&path).unwrap();
            assert!(!loaded.report.has_errors(), "{}", path.display());
            assert!(loaded.sources.files()[0].name().starts_with("domains/papers/"));
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(files("no_such_folder", "npc").is_err());
    }
}
