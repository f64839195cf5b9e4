//! A domain: loaded, checked, compiled; a handle that can be cloned and shared.

pub use crate::files::{
    LoadError, NOTE_WORDS, Surroundings, load_file, load_file_seen, read_bounded,
};
use crate::request::Target;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use throng_domain::compile::{Digest, DomainId, IdOrName, SourceMap, UnknownNameError};
use throng_domain::formats::{self, Format, Loaded, Setting};
use throng_domain::model::*;
use throng_domain::{Level, Limits, Report};
use throng_planner::PreparedDomain;

/// The folder that all files lie in, with its last `/`.
fn common_folder<'n>(mut names: impl Iterator<Item = &'n str>) -> &'n str {
    let folder = |name: &'n str| &name[..name.rfind('/').map_or(0, |at| at + 1)];
    let first = folder(names.next().unwrap_or_default());
    names.fold(first, |mut shared, name| {
        while !name.starts_with(shared) {
            shared = folder(shared.trim_end_matches('/'));
        }
        shared
    })
}

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

    /// Loads a file in a level: `any SORT` in it stands for the members that the level has, and
    /// included files may lie in a folder above that of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or all mistakes in it and in what it includes, at once.
    pub fn from_file_in(
        path: impl AsRef<Path>,
        surroundings: &Surroundings,
    ) -> Result<Domain, LoadError> {
        let name = path.as_ref().display().to_string();
        let format = Format::of_path(&name).unwrap_or(Format::Npc);
        let limits = Limits::default();
        let loaded = load_file_seen(path.as_ref(), format, &limits, surroundings, &mut |_| {})?;
        Domain::from_loaded(loaded)
    }

    /// Loads `.npc` text that includes nothing, in a level.
    ///
    /// ```
    /// use throng::{Domain, Level};
    ///
    /// let text = "domain quest
    /// var place: nowhere, any landmark
    /// action go(to in place except nowhere): place -> to
    /// goal there: place = mill";
    /// let level = Level::new().add("landmark", "mill", 7).add("landmark", "well", 8);
    /// let domain = Domain::from_text_in(text, &level)?;
    /// assert!(domain.action("go(well)").is_ok());
    /// // Another level, the same NPCs.
    /// let other = domain.with_level(&Level::new().add("landmark", "mill", 1))?;
    /// assert!(other.action("go(well)").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All mistakes in the text, at once.
    pub fn from_text_in(text: &str, level: &Level) -> Result<Domain, LoadError> {
        let limits = Limits::default();
        let setting = Setting { limits: &limits, words: NOTE_WORDS, level, root: "" };
        let fetch = &mut formats::no_includes;
        Domain::from_loaded(formats::load_in("text.npc", text, Format::Npc, &setting, fetch))
    }

    /// The same domain in another level: read again from the texts that it was read from.
    ///
    /// # Errors
    ///
    /// All mistakes at once, such as a sort of which this level has nothing.
    pub fn with_level(&self, level: &Level) -> Result<Domain, LoadError> {
        let files = self.model().sources().files();
        let Some(first) = files.first() else { return Ok(self.clone()) };
        let format = Format::of_path(first.name()).unwrap_or(Format::Npc);
        // Included files are found by how their names end: all lie below one folder.
        let mut fetch = |path: &str| {
            let found = files.iter().skip(1).find(|file| {
                let folder = file.name().strip_suffix(path);
                folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
            });
            found.map(|file| file.text().to_string()).ok_or_else(|| "no such file".to_string())
        };
        let shared = common_folder(files.iter().map(|file| file.name()));
        let limits = Limits::default();
        let setting = Setting { limits: &limits, words: NOTE_WORDS, level, root: shared };
        let loaded = formats::load_in(first.name(), first.text(), format, &setting, &mut fetch);
        Domain::from_loaded(loaded)
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
