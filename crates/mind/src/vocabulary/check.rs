//! A file against what a body can do: no slip of the fingers passes silently.
//!
//! In:   a model, what its minds are made of, what its notes ask of memory, a vocabulary, the names
//!       of a level.
//! Out:  every name that there is no code for or that nothing writes, with the nearest that there
//!       is; facts that a mind asks for and has no sense for.
//! Cost: one pass over the notes; for each pattern a walk over the vocabulary.

use super::fitting::Wrong;
use super::{BehaviourWords, BodyVocabulary, LevelWords, UsualTime, Writers};
use crate::spec::{AskedPattern, SelectSpec, Spec};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::DidYouMean;
use throng_domain::model::SelectId;
use throng_domain::names::{plain_of, template_of};
use throng_domain::notes::{Note, NoteOn, NoteReader, NoteWord, WordKind};
use throng_domain::{Code, Model, Report};

/// A file that is being held against a vocabulary.
pub struct FileCheck<'m> {
    pub(super) model: &'m Model,
    pub(super) spec: &'m Spec,
    pub(super) body: &'m BodyVocabulary,
    pub(super) level: &'m dyn LevelWords,
    /// What writes facts in this file, and in any.
    pub(super) all: Writers<'m>,
    pub(super) whole: Writers<'m>,
    /// The NPC types that are judged, and what writes facts for them.
    types: BTreeMap<usize, Writers<'m>>,
    /// Every mistake so far.
    pub report: Report,
}

impl<'m> FileCheck<'m> {
    /// A file, judged for minds of these NPC types.
    pub fn new(
        model: &'m Model,
        spec: &'m Spec,
        body: &'m BodyVocabulary,
        level: &'m dyn LevelWords,
        types: &BTreeSet<usize>,
    ) -> Self {
        FileCheck {
            model,
            spec,
            body,
            level,
            all: Writers::of_file(body, spec),
            whole: Writers::of_body(body),
            types: types.iter().map(|&npc| (npc, Writers::of_type(body, spec, npc))).collect(),
            report: Report::default(),
        }
    }

    /// Judges all notes and what they ask of memory.
    pub fn check(&mut self, asked: &[AskedPattern]) {
        let mut asked = asked.iter().peekable();
        for (at, note) in self.model.notes().iter().enumerate() {
            match (&note.on, note.keyword.word) {
                (NoteOn::Itself, "sensor") => self.sensor(note),
                (NoteOn::Itself, "check") => self.question(note),
                (NoteOn::Action(_), "does") => self.does(note, note.words.first()),
                // Behind its name and a colon.
                (NoteOn::Itself, "beside") => self.does(note, note.words.get(2)),
                (NoteOn::Itself, "select") => self.select(note),
                _ => {}
            }
            while let Some(asked) = asked.next_if(|asked| asked.note == at) {
                self.pattern(note, asked);
            }
        }
        self.given();
        self.remembers();
    }

    /// Judges a kind of facts that a mind of a type should remember or forget.
    pub fn remembered(&mut self, note: &Note, kind: &NoteWord, npc: usize) {
        if !self.spec.writes_by_effect(&kind.text, false)
            && !is_declared(self.spec, &kind.text)
            && self.kind(note, kind, false)
            && self.types.get(&npc).is_some_and(|it| !it.writes(&kind.text, false))
        {
            self.lacks(kind, npc);
        }
    }

    /// A name that is not known, told with the nearest that is.
    pub fn unknown<'k>(
        &mut self,
        note: &Note,
        what: &str,
        word: &NoteWord,
        known: impl Iterator<Item = &'k str> + Clone,
    ) {
        let mut reader = NoteReader::new(note, &mut self.report);
        let _ = reader.unknown(what, &word.text, word.span, known);
    }

    /// There is code for it, and what it waits for is sent.
    fn sensor(&mut self, note: &Note) {
        let [name, _, when, stimulus, ..] = &note.words[..] else { return };
        let body = self.body;
        let Some(entry) = body.sensor(&name.text) else {
            let known = body.sensors.iter().map(|entry| entry.name.as_str());
            return self.unknown(note, &format!("sensor of the {}", body.name), name, known);
        };
        let is_on = when.text == "on";
        let is_sent = body.stimuli.is_empty() || body.stimuli.contains(&stimulus.text);
        if is_on && !is_sent {
            let known = body.stimuli.iter().map(String::as_str);
            return self.unknown(note, "stimulus", stimulus, known);
        }
        if let Some(UsualTime::On(usual)) = &entry.when
            && !(is_on && stimulus.text == *usual)
        {
            let text = format!("`{}` looks at a `{usual}`, and none comes this way", name.text);
            let cure = format!("write `{}`", entry.statement());
            self.report.say(Code::NoteSense, when.span.to(stimulus.span), text, cure);
        }
    }

    /// `check NAME: asks QUESTION`: the engine understands it.
    fn question(&mut self, note: &Note) {
        let body = self.body;
        let colon = note.words.iter().position(|word| word.kind == WordKind::Colon);
        let Some([asks, word, ..]) = colon.and_then(|at| note.words.get(at + 1..)) else { return };
        let is_asked = asks.text == "asks" && word.kind == WordKind::Name;
        if is_asked && !body.questions.is_empty() && !body.questions.contains(&word.text) {
            let known = body.questions.iter().map(String::as_str);
            let did = DidYouMean(self.report.nearest(&word.text, known));
            let text = format!("unknown question of the {} `{}`{did}", body.name, word.text);
            let cure = format!(
                "ask one of: {}; a game that answers others has a `body` of its own, which describes \
                 them (`throng check FILE --vocabulary game.json`)",
                body.questions.join(", ")
            );
            self.report.say(Code::NoteUnknown, word.span, text, cure);
        }
    }

    /// `does NAME`, `beside NAME: NAME`: there is code for it.
    fn does(&mut self, note: &Note, name: Option<&NoteWord>) {
        let Some(name) = name else { return };
        // An action that `use … as` renamed is still done as its file calls it, and that may be an
        // animation.
        let is_own_name = matches!(&note.on, NoteOn::Action(of)
            if of.strip_suffix(name.text.as_str()).is_some_and(|prefix| prefix.ends_with('.')));
        if is_own_name || self.body.behaviour(&name.text).is_some() {
            return;
        }
        // What is most likely meant first: the list is cut.
        let is_squad = matches!(&note.on, NoteOn::Action(of) if is_of_squad(self.spec, of));
        let is_first = |entry: &&BehaviourWords| entry.gives.is_empty() != is_squad;
        let (first, last): (Vec<_>, Vec<_>) = self.body.behaviours.iter().partition(is_first);
        let known = first.iter().chain(&last).map(|entry| entry.name.as_str());
        let mut reader = NoteReader::new(note, &mut self.report);
        let _ = reader.unknown_in_order("behaviour", &name.text, name.span, known);
    }

    /// Minds that have a use for what is picked can know what it is picked from.
    fn select(&mut self, note: &Note) {
        let map = self.spec.domain.map();
        let Some(name) = note.words.first() else { return };
        let select = map.find_select(&name.text);
        let Some(select) = self.spec.selects.iter().find(|it| Some(it.select) == select) else {
            return;
        };
        let kinds: Vec<&str> = kinds_of(self.spec, select);
        let has = |writers: &Writers<'_>, kind: &str| {
            writers.writes(kind, false)
                || self.spec.writes_by_effect(kind, false)
                || is_declared(self.spec, kind)
        };
        // What nothing writes at all is told where the kind is asked for.
        if kinds.iter().any(|kind| !has(&self.all, kind)) {
            return;
        }
        let mut lacking = self.types.iter().filter(|(npc, writers)| {
            select.is_used_by(self.spec, **npc) && !kinds.iter().any(|kind| has(writers, kind))
        });
        let Some(npc) = lacking.next().map(|(npc, _)| *npc) else { return };
        let kind = note.words.iter().find(|word| Some(&word.text.as_str()) == kinds.first());
        if let Some(kind) = kind {
            self.lacks(kind, npc);
        }
    }

    /// A pattern: kind, attributes, words; and whether those who ask have it.
    fn pattern(&mut self, note: &Note, asked: &AskedPattern) {
        if let Some(select) = asked.select {
            return self.picked(note, asked, select);
        }
        // What only the file's own effects write says what they say; what the file declares was held
        // against that when it was read.
        let is_own = self.is_own(&asked.kind.text, asked.shared);
        let is_known = self.all.writes(&asked.kind.text, asked.shared);
        // What is told somebody must have known first.
        let begins = asked.shared || self.is_thought_of(&asked.kind.text);
        if is_own && begins && !is_known || !self.kind(note, &asked.kind, asked.shared) {
            return;
        }
        for test in &asked.tests {
            if let Some(wrong) = self.test(&asked.kind.text, asked, test) {
                self.tell(note, wrong);
            }
        }
        let lacks =
            |(_, writers): &(&usize, &Writers<'_>)| !writers.writes(&asked.kind.text, false);
        let mut lacking = self.types.iter().filter(|_| !asked.shared && !is_own).filter(lacks);
        // One type is enough to tell.
        let found = lacking.find(|(npc, _)| self.is_asked_by(note, **npc)).map(|(npc, _)| *npc);
        if let Some(npc) = found {
            self.lacks(&asked.kind, npc);
        }
    }

    /// A pattern about what is picked: an attribute or word that no fact has that it is picked from.
    fn picked(&mut self, note: &Note, asked: &AskedPattern, select: SelectId) {
        let Some(select) = self.spec.selects.iter().find(|it| it.select == select) else { return };
        let kinds = kinds_of(self.spec, select);
        let is_open = |kind: &&str| {
            self.is_own(kind, false) || !self.all.writes(kind, false) || self.all.is_open()
        };
        if kinds.is_empty() || kinds.iter().any(is_open) {
            return;
        }
        for test in &asked.tests {
            let wrong: Option<Vec<Wrong<'_>>> =
                kinds.iter().map(|kind| self.test(kind, asked, test)).collect();
            if let Some(first) = wrong.and_then(|all| all.into_iter().next()) {
                self.tell(note, first);
            }
        }
    }

    fn tell(&mut self, note: &Note, wrong: Wrong<'_>) {
        match wrong {
            Wrong::Unknown(what, word, known) => {
                self.unknown(note, &what, word, known.iter().map(String::as_str));
            }
            Wrong::Lacking(span, text, cure) => {
                self.report.say(Code::NoteSense, span, text, cure);
            }
        }
    }

    /// Whether the file itself writes or declares facts of a kind.
    fn is_own(&self, kind: &str, shared: bool) -> bool {
        self.spec.writes_by_effect(kind, shared) || is_declared(self.spec, kind)
    }

    /// Whether the file declares facts of a kind, or remembers them.
    fn is_thought_of(&self, kind: &str) -> bool {
        self.spec.words.find(kind).is_some_and(|kind| self.spec.is_own_kind(kind))
    }

    /// Kinds of facts and selects that files have thought of, those of a note's own file first, as it
    /// calls them.
    fn thought_of(&self, note: &Note) -> Vec<&'m str> {
        let (spec, notes) = (self.spec, self.model.notes());
        let is_one =
            |it: &&Note| it.on == NoteOn::Itself && matches!(it.keyword.word, "fact" | "select");
        let (here, elsewhere): (Vec<&Note>, Vec<&Note>) =
            notes.iter().filter(is_one).partition(|it| it.span.file == note.span.file);
        let named = |it: &'m Note| it.words.first().map(|name| name.text.as_str());
        let here = here.into_iter().filter_map(named).map(plain_of);
        here.chain(spec.remembered_kinds()).chain(elsewhere.into_iter().filter_map(named)).collect()
    }

    /// Whether something in the file writes facts of the kind; told if not.
    fn kind(&mut self, note: &Note, word: &NoteWord, shared: bool) -> bool {
        let kind = &word.text;
        if self.all.writes(kind, shared) {
            return true;
        }
        if self.whole.is_open() {
            return false;
        }
        if self.whole.writes(kind, shared) {
            let which = if shared { "shared facts" } else { "facts" };
            let text = format!("nothing here writes {which} `{kind}`");
            let cure = self.cure_for(kind, shared);
            self.report.say(Code::NoteSense, word.span, text, cure);
        } else if self.whole.writes(kind, !shared) {
            let (text, cure) = match shared {
                true => ("nobody shares", format!("ask one's own memory: `{kind}`")),
                false => ("nobody has of his own", format!("ask for `shared {kind}`")),
            };
            let text = format!("facts `{kind}` {text}");
            self.report.say(Code::NoteSense, word.span, text, cure);
        } else {
            // What the file has thought of itself first: the list is cut.
            let (own, whole) = (self.thought_of(note), self.whole.kinds(shared));
            let known = own.into_iter().filter(|_| !shared).chain(whole);
            let what = if shared { "kind of facts" } else { "kind of facts or select" };
            let mut reader = NoteReader::new(note, &mut self.report);
            let _ = reader.unknown_in_order(what, kind, word.span, known);
        }
        false
    }

    /// What to add to have facts of a kind.
    fn cure_for(&self, kind: &str, shared: bool) -> String {
        format!("add {}", self.whole.who(kind, shared, None, &|_| true))
    }

    /// Tells that an NPC type has nothing that writes facts of the kind.
    fn lacks(&mut self, word: &NoteWord, npc: usize) {
        let kind = &word.text;
        let name = self.model.npcs()[npc].name();
        let on = NoteOn::Npc(name.to_string());
        let mut clauses = self.model.notes().iter().filter(|clause| clause.on == on);
        let chooses = clauses.any(|clause| clause.keyword.word == "senses");
        let cure = match self.all.sensor_of(kind) {
            Some(sensor) if chooses => format!("add `{}` to the `senses` of `{name}`", sensor.name),
            Some(sensor) => format!(
                "add what this is for to the `feeds` of `{}`, or leave `feeds` out",
                sensor.name
            ),
            None => self.cure_for(kind, false),
        };
        let text = format!("`{name}` has nothing that writes facts `{kind}`");
        self.report.say(Code::NoteSense, word.span, text, cure);
    }

    /// Whether a symbol, check or relevance is one that minds of a type ask.
    fn is_asked_by(&self, note: &Note, npc: usize) -> bool {
        let Some(compiled) = self.spec.domain.npcs().get(npc) else { return false };
        let map = self.spec.domain.map();
        let name = note.words.first().map_or("", |word| word.text.as_str());
        let bare = |name: &'m str| template_of(name).unwrap_or(name);
        match (&note.on, note.keyword.word) {
            (NoteOn::Itself, "symbol") => {
                map.find_variable(name).is_some_and(|id| compiled.variables().contains(&id))
            }
            (NoteOn::Itself, "check") => {
                let Some(check) = map.find_check(name) else { return false };
                let mut actions =
                    self.model.npcs()[npc].can().iter().map(|id| &self.model.actions()[id.index()]);
                actions.any(|action| {
                    let kinds = action.kinds().iter().flat_map(|kind| kind.checks());
                    action.checks().iter().chain(kinds).any(|asked| asked.check == check)
                })
            }
            (NoteOn::Itself, "beside") => {
                let is_it = |at: &u16| {
                    let beside = self.spec.besides.get(usize::from(*at));
                    beside.is_some_and(|it| self.spec.words.text(it.name) == name)
                };
                self.spec.npcs[npc].besides.iter().any(is_it)
            }
            (NoteOn::Goal(goal), "relevance") => {
                let goals = compiled.goals().iter().map(|id| &self.model.goals()[id.index()]);
                goals.map(|goal| bare(goal.name())).any(|name| name == goal)
            }
            _ => false,
        }
    }
}

/// The kinds of facts that a selection picks from.
fn kinds_of<'s>(spec: &'s Spec, select: &SelectSpec) -> Vec<&'s str> {
    select.of.iter().filter_map(|pattern| Some(spec.words.text(pattern.kind()?))).collect()
}

/// Whether a squad can do an action, by its bare name.
fn is_of_squad(spec: &Spec, action: &str) -> bool {
    let squads = spec.squads.iter().map(|squad| &spec.domain.npcs()[squad.npc.index()]);
    let whole = squads.flat_map(|npc| npc.actions()).map(|&id| spec.action(id));
    let mut all = whole.flat_map(|it| it.parts.iter().map(|&id| spec.action(id)).chain([it]));
    all.any(|it| spec.words.text(it.template) == action)
}

/// Whether the file declares a kind of facts: `fact KIND: …`. The game, or the script, tells them.
pub(super) fn is_declared(spec: &Spec, kind: &str) -> bool {
    spec.declared_kinds().any(|known| known == kind)
}
