//! `use "assassin.npc" as beast`: the names that a file declares, told apart from those of others.
//!
//! In:   what parsing the file gives, and the name it goes by.
//! Out:  the same with `beast.` before every name that the file itself declares, wherever the file
//!       says it: in statements, in clauses, in notes. Names of other files stay as they are.
//! Cost: a look-up per word.
//!
//! NPC types and capabilities stay plain unless another file has them too. An action's code is
//! called as the file calls it, so each action says by a note whose it is.

mod notes;
mod statements;

use super::Keywords;
use super::statements::{Declares, Parsed};
use super::syntax::*;
use crate::build::{LACKS, select_head};
use crate::diagnostics::Report;
use crate::notes::{Note, Role};
use std::collections::{HashMap, HashSet};

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Variable,
    Action,
    Goal,
    Select,
    Check,
    Beside,
    Test,
    Npc,
    Capability,
}

/// The names that a file declares.
pub(super) struct Declared {
    names: HashSet<(Kind, String)>,
    /// How many slots each select has.
    slots: HashMap<String, usize>,
    /// Of each variable, its words and its groups.
    listed: HashMap<String, (HashSet<String>, HashSet<String>)>,
}

impl Declared {
    /// What a file declares, but for NPC types and capabilities that no other has.
    pub(super) fn of(
        parsed: &Parsed<'_>,
        words: &Keywords<'_>,
        elsewhere: &HashSet<(Kind, String)>,
    ) -> Declared {
        let mut all = Declared {
            names: shared_kinds(parsed, words).intersection(elsewhere).cloned().collect(),
            slots: HashMap::new(),
            listed: HashMap::new(),
        };
        let named = [
            Declares::Variable,
            Declares::VariableTemplate,
            Declares::Action,
            Declares::ActionWithNeeds,
            Declares::Compound,
            Declares::Goal,
            Declares::Test,
        ];
        parsed.each(&named, words, &mut |statement| {
            let (kind, name) = match &statement {
                Statement::Variable(it) => {
                    all.list(it);
                    (Kind::Variable, it.head.name.text)
                }
                Statement::Action(it) => (Kind::Action, it.head.name.text),
                Statement::Compound(it) => (Kind::Action, base_of(&it.name.name)),
                Statement::Goal(it) => (Kind::Goal, it.head.name.text),
                Statement::Test(it) => (Kind::Test, it.draft.name.text),
                _ => return,
            };
            all.names.insert((kind, name.to_string()));
        });
        for note in &parsed.notes {
            let (kind, name) = match (note.keyword.role, note.words.first()) {
                (Role::AnswersCheck, Some(first)) => (Kind::Check, &first.text),
                (Role::Selects, Some(first)) => {
                    // A head that cannot be read is told when it is read again.
                    let head = select_head(note, &mut Report::default());
                    all.slots.insert(first.text.clone(), head.map_or(1, |(_, slots)| slots));
                    (Kind::Select, &first.text)
                }
                (Role::NamesItself, Some(first)) => (Kind::Beside, &first.text),
                _ => continue,
            };
            all.names.insert((kind, name.clone()));
        }
        all
    }

    fn list(&mut self, variable: &VariableSyntax<'_>) {
        let (mut words, mut groups) = (HashSet::new(), HashSet::new());
        for values in &variable.values {
            match values {
                Values::One(word) => _ = words.insert(word.text.to_string()),
                Values::Any(word) => _ = groups.insert(word.text.to_string()),
                Values::Range { .. } => {}
            }
        }
        self.listed.insert(variable.head.name.text.to_string(), (words, groups));
    }

    /// All names as others say them, one after the other, with how each is said inside.
    pub(super) fn outside(&self, prefix: &str) -> Outside {
        let mut inside: Vec<String> = self.names.iter().map(|(_, name)| name.clone()).collect();
        for (name, &slots) in &self.slots {
            inside.extend((1..=slots).map(|at| format!("{name}.{at}")));
        }
        inside.sort_unstable();
        inside.dedup();
        let (mut text, mut places) = (String::new(), Vec::with_capacity(inside.len()));
        for name in inside {
            let start = text.len();
            text.push_str(prefix);
            text.push('.');
            text.push_str(&name);
            places.push((name, start, text.len()));
        }
        (text, places)
    }
}

/// The NPC types and capabilities that a file declares.
pub(super) fn shared_kinds(parsed: &Parsed<'_>, words: &Keywords<'_>) -> HashSet<(Kind, String)> {
    let mut named = HashSet::new();
    parsed.each(&[Declares::Npc, Declares::Capability], words, &mut |statement| {
        named.extend(match statement {
            Statement::Npc(it) => Some((Kind::Npc, it.name.text.to_string())),
            Statement::Capability(it) => Some((Kind::Capability, it.name.text.to_string())),
            _ => None,
        });
    });
    named
}

/// `go` of `go(pipe)`.
fn base_of(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// Names as others say them, one after the other, and where each stands that is said so inside.
pub(super) type Outside = (String, Vec<(String, usize, usize)>);

/// Renames what a file declares.
pub(super) struct Renaming<'t> {
    declared: &'t Declared,
    outside: HashMap<&'t str, &'t str>,
}

impl<'t> Renaming<'t> {
    /// `text` and `places` are those of [`Declared::outside`].
    pub(super) fn new(
        declared: &'t Declared,
        text: &'t str,
        places: &'t [(String, usize, usize)],
    ) -> Self {
        let outside = places.iter().map(|(name, start, end)| (name.as_str(), &text[*start..*end]));
        Renaming { declared, outside: outside.collect() }
    }

    /// A name as others say it; `None` if the file does not declare it as one of these.
    fn new_name(&self, kinds: &[Kind], name: &str) -> Option<&'t str> {
        let has = |kind: &Kind| self.declared.names.contains(&(*kind, name.to_string()));
        kinds.iter().any(has).then(|| self.outside.get(name).copied()).flatten()
    }

    /// The select that a word names, or one of whose slots it is.
    fn select_of<'w>(&self, word: &'w str) -> Option<&'w str> {
        if self.declared.slots.contains_key(word) {
            return Some(word);
        }
        let (name, number) = word.rsplit_once('.')?;
        let slots = *self.declared.slots.get(name)?;
        number.parse().is_ok_and(|at: usize| at >= 1 && at <= slots).then_some(name)
    }

    /// A select or a slot as others say it.
    fn new_slot(&self, word: &str) -> Option<&'t str> {
        self.select_of(word)?;
        self.outside.get(word).copied()
    }

    /// A value of a variable of the file as others say it: only slots have other names.
    fn new_value(&self, variable: &str, word: &str) -> Option<&'t str> {
        // What says what a slot lacks no file declares: its values are slots.
        if variable == LACKS && !self.declared.listed.contains_key(variable) {
            return self.new_slot(word);
        }
        let (words, groups) = self.declared.listed.get(variable)?;
        let select = self.select_of(word)?;
        (!words.contains(word) && groups.contains(select)).then(|| self.new_slot(word)).flatten()
    }

    /// A name with what stands in its parentheses, as others say it.
    fn new_reference(&self, kinds: &[Kind], name: &str) -> Option<String> {
        let base = base_of(name);
        let new_base = self.new_name(kinds, base);
        let Some(rest) = name.strip_prefix(base).filter(|rest| !rest.is_empty()) else {
            return new_base.map(str::to_string);
        };
        let inside = rest.trim_start_matches('(').trim_end_matches(')');
        let words = inside.split(' ').map(|word| self.new_slot(word).unwrap_or(word));
        Some(format!("{}({})", new_base.unwrap_or(base), words.collect::<Vec<_>>().join(" ")))
    }

    /// Renames all that a file says beside the statements that are read again.
    pub(super) fn file(&self, parsed: &mut Parsed<'t>, words: &Keywords<'_>) {
        if let Some(code) = words.naming_code() {
            let said = self.codes(parsed, words, code);
            parsed.found.tree.notes.extend(said);
        }
        let notes = parsed.notes.iter_mut().chain(&mut parsed.found.tree.notes);
        notes.for_each(|note: &mut Note| self.note(note));
        for name in &mut parsed.found.broken {
            let kinds = [Kind::Variable, Kind::Action, Kind::Goal, Kind::Select];
            if let Some(new) = self.new_name(&kinds, name) {
                *name = std::borrow::Cow::Borrowed(new);
            }
        }
    }
}
