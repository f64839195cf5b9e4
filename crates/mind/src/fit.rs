//! Whether code fits files: every name that one has and the other does not, at once.
//!
//! In:   a [`Body`] and the specs of one file or of many.
//! Out:  nothing, or all [`BodyError`]s with what was probably meant.
//! Cost: look-ups by name, at load.

use crate::body::Body;
use crate::spec::{Spec, When};
use crate::vocabulary::Writers;
use crate::words::Word;
use std::collections::BTreeSet;
use std::fmt;
use throng_base::nearest;

/// A name that code and file do not share.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BodyError {
    /// The file polls a sensor for which there is no code.
    NoCode {
        /// Its name in the file.
        sensor: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
    /// There is code for a sensor that the file does not have.
    NoSensor {
        /// Its name in the code.
        name: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
    /// There is code for a behaviour that no action and no flavour of the file does.
    NoAction {
        /// Its name in the code.
        name: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
    /// An action `does` what there is no code for; told by a [strict](Body::strict) body.
    NoBehaviour {
        /// Its name in the file.
        name: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
    /// The file asks for facts that nothing writes; told by a [strict](Body::strict) body.
    NoWriter {
        /// The kind of facts.
        kind: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
    /// The code [expects](Body::expects) a word that the file does not have.
    NoWord {
        /// As the code writes it.
        word: String,
        /// What was probably meant.
        hint: Option<Hint>,
    },
}

/// What was probably meant by a name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Hint {
    /// This name, which is near.
    Nearest(String),
    /// The sensor of this name, given as a behaviour.
    IsSensor,
    /// The action of this name, given as a sensor.
    IsAction,
    /// The action of this name, which the file lets another behaviour do.
    Does(String),
}

impl Hint {
    fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<Hint> {
        nearest(name, known).map(|name| Hint::Nearest(name.to_string()))
    }
}

// Not `DidYouMean`: a hint stands behind a semicolon of its error, or alone.
throng_base::display! { Hint {
    Self::Nearest(name) => "did you mean `{name}`?";
    Self::IsSensor => "that is a sensor: add it with `Body::sensor`";
    Self::IsAction => "that is an action: add it with `Body::behaviour`";
    Self::Does(other) => "the action of that name does `{other}`";
} }

/// What to do: what is probably meant, or else what cures such a mistake.
fn cure(hint: &Option<Hint>, usual: &str) -> String {
    hint.as_ref().map_or_else(|| usual.to_string(), Hint::to_string)
}

throng_base::error! { BodyError {
    Self::NoCode { sensor, hint } =>
        "the sensor `{sensor}` is polled, but there is no code of that name; {}",
        cure(hint, "add it with `Body::sensor`");
    Self::NoSensor { name, hint } =>
        "there is code for a sensor `{name}`, which the file does not have; {}",
        cure(hint, "remove it, or see `Body::for_many_files`");
    Self::NoAction { name, hint } =>
        "there is code for a behaviour `{name}`, which no action of the file does; {}",
        cure(hint, "remove it, or see `Body::for_many_files`");
    Self::NoBehaviour { name, hint } =>
        "an action `does {name}`, and there is no code of that name; {}",
        cure(hint, "add it with `Body::behaviour`");
    Self::NoWriter { kind, hint } =>
        "the file asks for facts `{kind}`, which nothing writes; {}",
        cure(hint, "describe who writes them with `Body::describes`, or declare `fact` in the file");
    Self::NoWord { word, hint } =>
        "the code expects the word `{word}`, which the file does not have; {}",
        cure(hint, "words that the code brings along are given to `Body::words`");
} }

/// Code that does not fit the file: all that is wrong with it.
#[derive(Clone, PartialEq, Eq)]
pub struct BodyErrors {
    /// What the file has first, then the code's names in their order; at least one.
    pub all: Vec<BodyError>,
}

impl BodyErrors {
    pub(crate) fn if_any(all: Vec<BodyError>) -> Result<(), BodyErrors> {
        if all.is_empty() { Ok(()) } else { Err(BodyErrors { all }) }
    }
}

/// As people read it, for a `main` that returns it shows it so.
impl fmt::Debug for BodyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// One line per error.
throng_base::error! { BodyErrors {
    Self { all } => "{}", all.iter().map(BodyError::to_string).collect::<Vec<_>>().join("\n");
} }

impl<W: ?Sized> Body<W> {
    /// Holds this code against all the files it is for: each must find the code that it needs, and
    /// each name of the code must be of use to one of them. For code that says
    /// [`for_many_files`](Self::for_many_files), in a test; code for one file is checked by
    /// [`Minds::new`](crate::Minds::new).
    ///
    /// # Errors
    ///
    /// All that is wrong.
    pub fn check(&self, files: &[&Spec]) -> Result<(), BodyErrors> {
        let mut all: Vec<BodyError> = files.iter().flat_map(|file| self.missing(file)).collect();
        all.extend(self.unused(files));
        BodyErrors::if_any(all)
    }

    /// The polled sensors of a file that have no code; of a strict body also behaviours, and facts
    /// that nothing writes.
    pub(crate) fn missing(&self, file: &Spec) -> Vec<BodyError> {
        let mut missing = self.without_code(file);
        if self.is_strict {
            missing.extend(self.without_behaviour(file));
            missing.extend(self.without_writer(file));
        }
        missing
    }

    /// What actions are said to do, or what is done beside them, and no code does.
    fn without_behaviour(&self, file: &Spec) -> Vec<BodyError> {
        let named =
            file.actions.iter().map(|it| [it.template, it.does].map(|it| file.words.text(it)));
        // One that `use … as` renamed is done as its file calls it.
        let is_own = |[template, does]: &[&str; 2]| {
            let prefix = template.strip_suffix(does);
            prefix.is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'))
        };
        let mut said: BTreeSet<&str> =
            named.filter(|it| !is_own(it)).map(|[_, does]| does).collect();
        said.extend(file.besides.iter().map(|it| file.words.text(it.does)));
        let known = || self.behaviours.iter().map(|(name, _)| name.as_str());
        let lacking = said.into_iter().filter(|name| !known().any(|known| known == *name));
        lacking
            .map(|name| BodyError::NoBehaviour {
                name: name.to_string(),
                hint: Hint::nearest(name, known()),
            })
            .collect()
    }

    /// Kinds of facts that the file asks for and that nobody writes, if all that writes is known.
    fn without_writer(&self, file: &Spec) -> Vec<BodyError> {
        let described = self.describe();
        let writers = Writers::of_body(&described);
        // A sensor without code remembers what arrives.
        let as_it_is = |kind: &str| {
            let mut on = file.sensors.iter().filter(|it| matches!(it.when, When::On(_)));
            on.any(|it| {
                let name = file.words.text(it.name);
                let has_code = self.sensors.iter().any(|(known, _)| known == name);
                !has_code && matches!(it.when, When::On(word) if file.words.text(word) == kind)
            })
        };
        let lacking = file.asked.iter().filter(|(kind, shared)| {
            let text = file.words.text(*kind);
            let is_written = writers.writes(text, *shared)
                || file.facts.contains(kind)
                || file.writes_by_effect(text, *shared)
                || !shared && as_it_is(text);
            !is_written
        });
        lacking
            .map(|(kind, shared)| {
                let kind = file.words.text(*kind);
                let hint = Hint::nearest(kind, writers.kinds(*shared).into_iter());
                BodyError::NoWriter { kind: kind.to_string(), hint }
            })
            .collect()
    }

    fn without_code(&self, file: &Spec) -> Vec<BodyError> {
        let mut missing = Vec::new();
        for sensor in file.sensors.iter().filter(|sensor| matches!(sensor.when, When::Every(_))) {
            let name = file.words.text(sensor.name);
            let mut known = self.sensors.iter().map(|(name, _)| name.as_str());
            if !known.clone().any(|known| known == name) {
                let hint = Hint::nearest(name, &mut known);
                missing.push(BodyError::NoCode { sensor: name.to_string(), hint });
            }
        }
        missing
    }

    /// The names of this code that are of no use to any of the files.
    pub(crate) fn unused(&self, files: &[&Spec]) -> Vec<BodyError> {
        let all = |names: fn(&Spec) -> Vec<Word>| -> Vec<&str> {
            let names = files.iter().map(|file| (file, names(file)));
            names
                .flat_map(|(file, names)| names.into_iter().map(|it| file.words.text(it)))
                .collect()
        };
        let sensors = all(|file| file.sensors.iter().map(|sensor| sensor.name).collect());
        let templates = all(|file| file.actions.iter().map(|action| action.template).collect());
        let does = all(|file| file.actions.iter().map(|action| action.does).collect());
        let flavours = all(|file| file.flavours.iter().map(|flavour| flavour.name).collect());
        let besides = all(|file| file.besides.iter().map(|beside| beside.does).collect());
        let done = || does.iter().chain(&flavours).chain(&besides).copied();

        let mut unused = Vec::new();
        for (name, _) in self.sensors.iter().filter(|(name, _)| !sensors.contains(&&**name)) {
            let hint = match done().any(|known| known == name) {
                true => Some(Hint::IsAction),
                false => Hint::nearest(name, sensors.iter().copied()),
            };
            unused.push(BodyError::NoSensor { name: name.clone(), hint });
        }
        for (name, _) in self.behaviours.iter().filter(|(name, _)| !done().any(|it| it == name)) {
            let hint = if sensors.contains(&&**name) {
                Some(Hint::IsSensor)
            } else if let Some(at) = templates.iter().position(|known| known == name) {
                Some(Hint::Does(does[at].to_string()))
            } else {
                Hint::nearest(name, done())
            };
            unused.push(BodyError::NoAction { name: name.clone(), hint });
        }
        let known = |word: &str| files.iter().any(|file| file.words.find(word).is_some());
        for word in self.expected.iter().filter(|word| !known(word)) {
            let hint = Hint::nearest(word, files.iter().flat_map(|file| file.words.iter()));
            unused.push(BodyError::NoWord { word: word.clone(), hint });
        }
        unused
    }
}

/// A type of living minds that a new file does not have, neither present nor former.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeGone {
    /// Its name in the old file.
    pub name: String,
    /// How many minds are of it.
    pub minds: usize,
    /// The type of the new file whose name is nearest.
    pub nearest: Option<String>,
}

/// Why the old version of the file stays: all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReloadError {
    /// The code that the new file needs and that is not there.
    pub code: Option<BodyErrors>,
    /// The types of living minds that it does not have.
    pub gone: Vec<TypeGone>,
}

// What is near is in brackets, for the sentence goes on: `DidYouMean` ends one.
throng_base::display! { TypeGone {
    Self { name, minds, nearest } =>
        "the new file has no NPC type `{name}`, which {minds} {} of, and none that `was {name}`{}",
        if *minds == 1 { "mind is" } else { "minds are" },
        nearest.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
} }

throng_base::error! { ReloadError {
    Self { code, gone } => "{}{}the old version stays",
        code.iter().map(|code| format!("{code}; ")).collect::<String>(),
        gone.iter().map(|gone| format!("{gone}; ")).collect::<String>();
} }
