//! Which files a line of `throng solve` may name: whoever writes lines need not be whom the
//! machine belongs to.
//!
//! In:   the path of a line, the folder that confines it.
//! Out:  the path to read, or why it is refused; of a file that is no domain, nothing but that.
//! Cost: a question to the file system for each folder of the path.
//!
//! Links are followed before it is decided. What lies outside is refused in the same words whether
//! it is there or not. Only files that end are read (`throng::domain`): no pipes, no devices.

use crate::args::SolveArgs;
use crate::console::{Fail, bad, plain};
use crate::loading::{has_throng_key, not_a_domain, short};
use std::io;
use std::path::{Component, Path, PathBuf};
use throng::domain::{Surroundings, load_file_seen};
use throng::{Domain, LoadError};
use throng_domain::formats::Loaded;
use throng_domain::{Format, Limits, Report, Severity, Sources};

/// Where domains may be read from.
pub(super) enum Files {
    /// Nowhere: a domain stands in the line itself.
    None,
    /// Below this folder, all links followed; the name that was given, if one was.
    Below { folder: PathBuf, given: Option<PathBuf> },
}

impl Files {
    pub(super) fn of(args: &SolveArgs) -> Result<Files, Fail> {
        if args.no_files {
            return Ok(Files::None);
        }
        let given = args.root.clone();
        let named = given.as_deref().unwrap_or(Path::new("."));
        let cannot =
            |why: &str| bad(format!("cannot confine files to `{}`: {why}", named.display()));
        match named.canonicalize() {
            Ok(folder) if folder.is_dir() => Ok(Files::Below { folder, given }),
            Ok(_) => cannot("it is no folder"),
            Err(error) => cannot(&plain(&error)),
        }
    }

    /// The folder that it is run in.
    pub(super) fn here() -> Files {
        let folder = Path::new(".").canonicalize();
        folder.map_or(Files::None, |folder| Files::Below { folder, given: None })
    }

    /// Reads the domain of a line.
    pub(super) fn load(&self, name: &str) -> Result<Loaded, Fail> {
        let path = self.find(name)?;
        if let Some(text) = not_a_domain(&path) {
            return Err(Fail::known("bad_domain", text));
        }
        let format = Format::of_path(name).unwrap_or(Format::Npc);
        let root = match self {
            Files::Below { given, .. } => given.clone(),
            Files::None => None,
        };
        let inside = Surroundings { root, ..Surroundings::default() };
        let loaded = load_file_seen(&path, format, &Limits::default(), &inside, &mut |_| {});
        let loaded = loaded.map_err(|error| Fail::known("bad_domain", error.to_string()))?;
        match loaded.model.is_some() || is_meant_as_domain(&loaded.sources, format) {
            true => Ok(loaded),
            false => {
                let name = path.display();
                let text = format!("`{name}` is no domain; `throng check {name}` says more");
                Err(Fail::known("bad_domain", text))
            }
        }
    }

    /// The path that a name means, if it may be read.
    fn find(&self, name: &str) -> Result<PathBuf, Fail> {
        let refused = |text: String| Err(Fail::known("file_refused", text));
        let Files::Below { folder, given } = self else {
            return refused("`file` is refused here (`--no-files`); give the `domain`".to_string());
        };
        // A name belongs to the folder; one that is not there may be seen from where it is run.
        let own = given.as_deref().unwrap_or(Path::new("")).join(name);
        let path = match given.is_some() && !own.exists() && Path::new(name).exists() {
            true => PathBuf::from(name),
            false => own,
        };
        let is_inside = match path.canonicalize() {
            Ok(found) => found.starts_with(folder),
            Err(_) => as_written(&path).is_ok_and(|path| path.starts_with(folder)),
        };
        match is_inside {
            true => Ok(path),
            false => refused(format!(
                "`{name}` lies outside of the folder that files are read from; put it there, or \
                 name another folder with `--root`"
            )),
        }
    }
}

/// A path that leads to nothing, without `.` and `..`: the folders that are there as they are,
/// links followed, the rest as it is written.
fn as_written(path: &Path) -> io::Result<PathBuf> {
    let mut so_far = PathBuf::from(".").canonicalize()?;
    for part in path.components() {
        match part {
            Component::ParentDir => drop(so_far.pop()),
            Component::CurDir => {}
            part => so_far.push(part),
        }
        so_far = so_far.canonicalize().unwrap_or(so_far);
    }
    Ok(so_far)
}

/// Whether a text that has mistakes was meant to be a domain: only then its words may be quoted.
fn is_meant_as_domain(sources: &Sources, format: Format) -> bool {
    let Some(text) = sources.files().first().map(|file| file.text()) else { return false };
    match format {
        Format::Npc => {
            let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
            let mut said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
            said.next().is_some_and(|line| line.split_whitespace().next() == Some("domain"))
        }
        Format::Json => has_throng_key(text) == Some(true),
    }
}

/// A domain of what was read, or its mistakes.
pub(super) fn domain_of(loaded: Result<Loaded, Fail>) -> Result<Domain, Fail> {
    Domain::from_loaded(loaded?).map_err(|error| {
        let text = match &error {
            LoadError::Rejected { report, sources } => mistakes(report, sources),
            unreadable => unreadable.to_string(),
        };
        Fail::known("bad_domain", text)
    })
}

/// The errors of a domain in one line; a stream has no room for pictures. Those of a domain that
/// stands in the line itself are places of that line.
fn mistakes(report: &Report, sources: &Sources) -> String {
    let mut errors = short(report, Severity::Error, sources);
    errors.truncate(5);
    let more = report.errors().saturating_sub(errors.len());
    match more {
        0 => errors.join(" · "),
        _ => format!("{} · and {more} more", errors.join(" · ")),
    }
}
