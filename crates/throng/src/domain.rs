//! A domain: loaded, checked, compiled; a handle that can be cloned and shared.

use crate::request::Target;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use throng_domain::compile::{Digest, DomainId, IdOrName, SourceMap, UnknownNameError};
use throng_domain::formats::{self, Format, Loaded};
use throng_domain::model::*;
use throng_domain::{Limits, NoteWords, Report, Sources};
use throng_planner::PreparedDomain;

/// The words of notes that this build knows: those of minds and stories. Without the feature
/// `mind` there are none, and a file that has some is refused.
#[cfg(feature = "mind")]
pub static NOTE_WORDS: &[&NoteWords] = &throng_mind::notes::WORDS;
/// The words of notes that this build knows: none without the feature `mind`.
#[cfg(not(feature = "mind"))]
pub static NOTE_WORDS: &[&NoteWords] = &[];

/// A loaded domain. Cloning it clones a pointer.
///
/// ```
/// use throng::Domain;
///
/// let domain = Domain::from_text(
///     "domain door
/// var door: shut, open
/// action push: door shut -> open
/// goal out: door = open
/// npc guest
///     can push
///     wants out
///     starts door = shut",
/// )?;
/// assert!(domain.goal("out").is_ok());
/// // What is not there is refused, and the nearest name is told.
/// assert!(domain.goal("ouch").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Domain {
    inner: Arc<Inner>,
}

struct Inner {
    model: Model,
    prepared: Arc<PreparedDomain>,
    warnings: Report,
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Domain").field("name", &self.name()).finish_non_exhaustive()
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

impl Domain {
    /// Loads `.npc` text that includes nothing.
    ///
    /// # Errors
    ///
    /// All mistakes in the text, at once.
    pub fn from_text(text: &str) -> Result<Domain, LoadError> {
        Domain::from_text_within(text, Format::Npc, &Limits::default())
    }

    /// Loads the JSON twin.
    ///
    /// # Errors
    ///
    /// All mistakes in the text, at once.
    pub fn from_json(text: &str) -> Result<Domain, LoadError> {
        Domain::from_text_within(text, Format::Json, &Limits::default())
    }

    /// Loads a text that includes nothing, within limits of your own: higher ones for a large
    /// domain that you trust, [`Limits::for_strangers`] for one that came over a wire.
    ///
    /// # Errors
    ///
    /// All mistakes in the text, at once; a limit that is passed is one.
    pub fn from_text_within(
        text: &str,
        format: Format,
        limits: &Limits,
    ) -> Result<Domain, LoadError> {
        let name = match format {
            Format::Npc => "text.npc",
            Format::Json => "text.json",
        };
        Domain::from_loaded(formats::load(
            name,
            text,
            format,
            limits,
            NOTE_WORDS,
            &mut formats::no_includes,
        ))
    }

    /// Loads a file, `.json` as the JSON twin and everything else as `.npc`; included files
    /// are read from its folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or all mistakes in it and in what it includes, at once.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Domain, LoadError> {
        Domain::from_file_within(path, &Limits::default())
    }

    /// Like [`Domain::from_file`], within limits of your own.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or all mistakes in it and in what it includes, at once; a
    /// limit that is passed is one.
    pub fn from_file_within(path: impl AsRef<Path>, limits: &Limits) -> Result<Domain, LoadError> {
        let name = path.as_ref().display().to_string();
        let format = Format::of_path(&name).unwrap_or(Format::Npc);
        Domain::from_loaded(load_file(path.as_ref(), format, limits)?)
    }

    /// Makes a domain of what a reader gave.
    ///
    /// # Errors
    ///
    /// The report, if it has errors.
    pub fn from_loaded(loaded: Loaded) -> Result<Domain, LoadError> {
        match loaded.model {
            Some(model) => Ok(Domain::from_model(model, loaded.report)),
            None => {
                let report = Box::new(loaded.report);
                Err(LoadError::Rejected { report, sources: loaded.sources })
            }
        }
    }

    fn from_model(model: Model, warnings: Report) -> Domain {
        let prepared = Arc::new(PreparedDomain::new(&model));
        Domain { inner: Arc::new(Inner { model, prepared, warnings }) }
    }

    /// The domain's name.
    pub fn name(&self) -> &str {
        self.inner.model.name()
    }

    /// The domain in words.
    pub fn model(&self) -> &Model {
        &self.inner.model
    }

    /// The domain in tables: a [`CompiledDomain`](throng_domain::CompiledDomain), with what engines
    /// make of it.
    pub fn compiled(&self) -> &PreparedDomain {
        &self.inner.prepared
    }

    /// The same to keep, as crowds do.
    pub fn compiled_arc(&self) -> Arc<PreparedDomain> {
        Arc::clone(&self.inner.prepared)
    }

    /// How its minds work: sensors, symbols, goals and all else that the file says about them,
    /// for a game with so many ticks in a second.
    ///
    /// # Errors
    ///
    /// All mistakes in what the file says about minds, at once.
    #[cfg(feature = "mind")]
    pub fn mind_spec(&self, ticks_per_second: u32) -> Result<throng_mind::spec::Spec, LoadError> {
        let pace = throng_mind::time::Pace { ticks_per_second };
        throng_mind::spec::Spec::read(self.model(), self.compiled_arc(), pace).map_err(|report| {
            LoadError::Rejected {
                report: Box::new(report),
                sources: self.model().sources().clone(),
            }
        })
    }

    /// Warnings found while loading.
    pub fn warnings(&self) -> &Report {
        &self.inner.warnings
    }

    /// What the domain is, in 128 bits.
    pub fn digest(&self) -> Digest {
        self.compiled().digest()
    }

    /// Whether both are handles to the same loaded domain.
    pub fn is_same(&self, other: &Domain) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A variable by its present or a former name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn variable(&self, name: &str) -> Result<VariableId, UnknownNameError> {
        name.id(self.map())
    }

    /// A variable and its value by name.
    ///
    /// # Errors
    ///
    /// The nearest name, if one of the two does not exist.
    pub fn fact(&self, variable: &str, value: &str) -> Result<Fact, UnknownNameError> {
        (variable, value).id(self.map())
    }

    /// The name of an id: of a variable, an action, a goal, an NPC type or a check; `None` if it
    /// is of another domain.
    #[must_use]
    pub fn name_of(&self, id: impl DomainId) -> Option<&str> {
        self.map().name(id)
    }

    pub(crate) fn map(&self) -> &SourceMap {
        self.compiled().map()
    }

    /// A variable by its position in declared order; `None` if there are not so many.
    pub fn variable_at(&self, index: usize) -> Option<VariableId> {
        self.map().variable_at(index)
    }

    /// An action by its position in declared order; `None` if there are not so many.
    pub fn action_at(&self, index: usize) -> Option<ActionId> {
        self.map().action_at(index)
    }

    /// A goal by its position in declared order; `None` if there are not so many.
    pub fn goal_at(&self, index: usize) -> Option<GoalId> {
        self.map().goal_at(index)
    }

    /// An NPC type by its position in declared order; `None` if there are not so many.
    pub fn npc_type_at(&self, index: usize) -> Option<NpcTypeId> {
        self.map().npc_at(index)
    }

    /// A check by its position in the order of first mention; `None` if there are not so many.
    pub fn check_at(&self, index: usize) -> Option<CheckId> {
        self.map().check_at(index)
    }

    /// A variable having a value, by their positions in declared order, as generated names and
    /// ids of plans tell them; `None` if there are not so many.
    pub fn fact_at(&self, variable: usize, value: usize) -> Option<Fact> {
        self.map().fact_at(variable, value)
    }

    /// A goal by its present or a former name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn goal(&self, name: &str) -> Result<GoalId, UnknownNameError> {
        name.id(self.map())
    }

    /// What a goal's name asks for: the goal, or any of the alternatives that serve the name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn goal_target(&self, name: &str) -> Result<Target, UnknownNameError> {
        self.map().goal_target(name)
    }

    /// An action by its present or a former ground name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn action(&self, name: &str) -> Result<ActionId, UnknownNameError> {
        name.id(self.map())
    }

    /// A context check by name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn check(&self, name: &str) -> Result<CheckId, UnknownNameError> {
        name.id(self.map())
    }

    /// An NPC type by its present or a former name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn npc_type(&self, name: &str) -> Result<NpcTypeId, UnknownNameError> {
        name.id(self.map())
    }
}

/// Reads and checks a file; included files come from its folder and may not leave it, not
/// even by a link.
///
/// # Errors
///
/// If the first file cannot be read. Mistakes are in what is returned.
pub fn load_file(path: &Path, format: Format, limits: &Limits) -> Result<Loaded, LoadError> {
    load_file_seen(path, format, limits, &mut |_| {})
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
    seen: &mut dyn FnMut(&Path),
) -> Result<Loaded, LoadError> {
    let name = path.display().to_string();
    let bytes = read_bounded(path, limits)?;
    let text = match formats::decode(&name, bytes) {
        Ok(text) => text,
        Err(loaded) => return Ok(*loaded),
    };
    let folder = match path.parent() {
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
            Ok(false) => return Err("it leads outside the folder of the first file".to_string()),
            Err(why) => return Err(plain(&why)),
        }
        let bytes = read_at_most(&wanted, limits.text_bytes).map_err(|why| plain(&why))?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())
    };
    Ok(formats::load(&name, &text, format, limits, NOTE_WORDS, &mut fetch))
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
