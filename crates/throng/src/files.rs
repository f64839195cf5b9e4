//! Domains from disk: files, what they include, and why one is refused.
//!
//! In:   a path, limits, what is around the file.
//! Out:  what the reader gave, or what the system said.
//! Cost: each file is read once, and no more of it than the limit.

use std::path::{Path, PathBuf};
use throng_domain::formats::{self, Format, Loaded, Setting};
use throng_domain::{Level, Limits, NoteWords, Report, Sources};

/// The words of notes that this build knows: those of minds and stories. Without the feature
/// `mind` there are none, and a file that has some is refused.
#[cfg(feature = "mind")]
pub static NOTE_WORDS: &[&NoteWords] = &throng_mind::notes::WORDS;
/// The words of notes that this build knows: none without the feature `mind`.
#[cfg(not(feature = "mind"))]
pub static NOTE_WORDS: &[&NoteWords] = &[];

/// Where a file is read: what there is around its NPCs, and how far what it includes may lie.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// What the level has, beside what the file itself places.
    pub level: Level,
    /// The folder that included files lie in; without it, that of the first file.
    pub root: Option<PathBuf>,
}

impl Surroundings {
    /// The root with its last `/`, and the path of a file below it; `None` if it is not below.
    fn below_root(&self, path: &Path) -> Option<(String, String)> {
        let root = self.root.as_ref()?;
        let whole = path.canonicalize().ok()?;
        let below = whole.strip_prefix(root.canonicalize().ok()?).ok()?;
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        let root = root.display().to_string();
        let root = if root.is_empty() { "." } else { root.trim_end_matches('/') };
        Some((format!("{root}/"), parts.join("/")))
    }
}

/// Why a domain could not be loaded. As text it is what `throng check` prints: every mistake with
/// its line quoted and underlined, and the cure.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        why: std::io::Error,
    },
    /// The text has mistakes: all of them are in the report.
    Rejected {
        /// What is wrong, warnings included. Boxed: it is large, and loading mostly succeeds.
        report: Box<Report>,
        /// The texts that the report speaks of.
        sources: Sources,
    },
}

throng_base::error! { LoadError {
    Self::Unreadable { path, why } => "cannot read `{path}`: {}", plain(why);
    Self::Rejected { report, sources } => "{}", shown(report, sources);
} source {
    Self::Unreadable { why, .. } => why;
} }

/// All that is wrong, as `throng check` prints it.
#[cfg(feature = "render")]
fn shown(report: &Report, sources: &Sources) -> String {
    crate::render::render(report, sources).trim_end().to_string()
}

/// All that is wrong, a line each.
#[cfg(not(feature = "render"))]
fn shown(report: &Report, sources: &Sources) -> String {
    let lines = report.diagnostics().iter().map(|diagnostic| diagnostic.short(sources));
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads and checks a file; included files come from its folder and may not leave it, not
/// even by a link.
///
/// # Errors
///
/// If the first file cannot be read. Mistakes are in what is returned.
pub fn load_file(path: &Path, format: Format, limits: &Limits) -> Result<Loaded, LoadError> {
    load_file_seen(path, format, limits, &Surroundings::default(), &mut |_| {})
}

/// The same, telling which included files it asks for, found or not: for those who load again
/// when one of them changes.
///
/// # Errors
///
/// If the first file cannot be read. Mistakes are in what is returned.
pub fn load_file_seen(
    path: &Path,
    format: Format,
    limits: &Limits,
    surroundings: &Surroundings,
    seen: &mut dyn FnMut(&Path),
) -> Result<Loaded, LoadError> {
    let (name, root) = match surroundings.below_root(path) {
        Some((root, below)) => (format!("{root}{below}"), root),
        None => (path.display().to_string(), String::new()),
    };
    let bytes = read_bounded(path, limits)?;
    let text = match formats::decode(&name, bytes) {
        Ok(text) => text,
        Err(loaded) => return Ok(*loaded),
    };
    let folder = match path.parent() {
        _ if !root.is_empty() => Path::new(&root).to_path_buf(),
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => Path::new(".").to_path_buf(),
    };
    let mut fetch = |relative: &str| -> Result<String, String> {
        let wanted = folder.join(relative);
        seen(&wanted);
        let inside = folder
            .canonicalize()
            .and_then(|folder| wanted.canonicalize().map(|wanted| wanted.starts_with(folder)));
        match inside {
            Ok(true) => {}
            Ok(false) if root.is_empty() => {
                let why = "it leads outside the folder of the first file; \
                           `--root DIR` names a folder above that";
                return Err(why.to_string());
            }
            Ok(false) => return Err(format!("it leads outside `{root}`")),
            Err(why) => return Err(plain(&why)),
        }
        let bytes = read_at_most(&wanted, limits.text_bytes).map_err(|why| plain(&why))?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())
    };
    let Surroundings { level, .. } = surroundings;
    let setting = Setting { limits, words: NOTE_WORDS, level, root: &root };
    Ok(formats::load_kept(&name, text, format, &setting, &mut fetch))
}

/// The bytes of a file, at most one more than the limit: enough for a reader to refuse it.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_bounded(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadError> {
    read_at_most(path, limits.text_bytes)
        .map_err(|why| LoadError::Unreadable { path: path.display().to_string(), why })
}

fn read_at_most(path: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    // Asked before it is opened: opening a pipe would wait for somebody to write into it.
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(std::io::Error::other("it is a folder"));
    }
    if !kind.is_file() {
        return Err(std::io::Error::other("it is not a file but a pipe or a device"));
    }
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    // No more than the file is said to have: those that the system makes up while they are read,
    // and that may never end or wait for ever, are said to have nothing.
    file.take(kind.len().min(limit as u64 + 1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the system said, without its error number.
fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string(),
    }
}
