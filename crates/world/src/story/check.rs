//! A story against what the world's body can do: no slip of the fingers passes silently.
//!
//! In:   a model, its story, and what its minds are made of, each found right by itself.
//! Out:  every name that the world has no code for or never writes, with the nearest that it has;
//!       facts that a mind asks for and has no sense for; maps with a hole.
//! Cost: one pass over the notes.
//!
//! Memory takes any word, so that games can think of their own. The world of the stories has a
//! fixed vocabulary, and a word outside it is a fact that never comes.

mod map;
mod squads;
mod words;
mod writers;

use crate::body::vocabulary::{
    self, SENSORS, SORTS, STIMULI, Usual, behaviour_named, sensor_named,
};
use crate::story::Story;
use crate::story::read::in_order;
use std::collections::{BTreeMap, BTreeSet};
use throng_domain::names::template_of;
use throng_domain::notes::{Note, NoteOn, NoteReader, NoteWord, Relation, WordKind};
use throng_domain::{Code, Model, Report};
use throng_mind::fact::{Attribute, Sort};
use throng_mind::spec::{AskedPattern, AskedTest, Spec};
use words::StoryWords;
use writers::Writers;

impl Story {
    /// Holds a story against the vocabulary of the world. The spec, and what it asks of memory, is
    /// read from the same model. Of a story that is not `whole`, which lacks what is wrong in it,
    /// what only follows from that is not told.
    ///
    /// # Errors
    ///
    /// Every mistake, in the order of the text.
    pub(super) fn check(
        &self,
        model: &Model,
        spec: &Spec,
        asked: &[AskedPattern],
        whole: bool,
    ) -> Result<(), Report> {
        let minded = self.actors.iter().filter_map(|actor| actor.npc);
        let squads = spec.squads.iter().map(|squad| squad.npc.index());
        let minded: BTreeSet<usize> = minded.chain(squads).collect();
        let mut checking = Checking {
            model,
            story: self,
            spec,
            words: StoryWords::new(model, self),
            all: Writers::of_all(spec),
            types: minded.into_iter().map(|npc| (npc, Writers::of_type(spec, npc))).collect(),
            sorts: sorts_asked_for(asked),
            report: Report::default(),
        };
        squads::actors_that_are_squads(model, self, spec, &mut checking.report);
        if checking.report.has_errors() {
            return Err(checking.report);
        }
        let mut asked = asked.iter().peekable();
        for (at, note) in model.notes().iter().enumerate() {
            checking.note(note);
            while let Some(asked) = asked.next_if(|asked| asked.note == at) {
                checking.pattern(note, asked);
            }
        }
        if whole {
            map::check(model, self, &mut checking.report);
        }
        if checking.report.has_errors() {
            return Err(in_order(&[&checking.report]));
        }
        Ok(())
    }

    /// What is probably not meant in a story that [`Story::with_minds`] finds right: warnings, in the
    /// order of the text.
    pub fn doubts(model: &Model, spec: &Spec) -> Report {
        let mut report = Report::default();
        squads::doubts(model, spec, &mut report);
        in_order(&[&report])
    }
}

struct Checking<'m> {
    model: &'m Model,
    story: &'m Story,
    spec: &'m Spec,
    words: StoryWords<'m>,
    /// What writes facts in this file.
    all: Writers,
    /// The NPC types of the actors, and what writes facts for them.
    types: BTreeMap<usize, Writers>,
    /// The sorts of nodes that some condition asks for.
    sorts: BTreeSet<&'m str>,
    report: Report,
}

impl<'m> Checking<'m> {
    fn note(&mut self, note: &'m Note) {
        match (&note.on, note.keyword.word) {
            (NoteOn::Itself, "sensor") => self.sensor(note),
            (NoteOn::Itself, "node") => self.node(note),
            (NoteOn::Itself, "promise") => self.promise(note),
            (NoteOn::Action(_), "does") => self.does(note),
            _ => {}
        }
    }

    /// A name that is not known, told with the nearest that is.
    fn unknown(&mut self, note: &'m Note, what: &str, word: &NoteWord, known: &[&str]) {
        let mut reader = NoteReader::new(note, &mut self.report);
        let _ = reader.unknown(what, &word.text, word.span, known.iter().copied());
    }

    /// There is code for it, and what it waits for is sent.
    fn sensor(&mut self, note: &'m Note) {
        let [name, _, when, stimulus, ..] = &note.words[..] else { return };
        let Some(entry) = sensor_named(&name.text) else {
            let known = SENSORS.map(|entry| entry.name);
            return self.unknown(note, "sensor of the world", name, &known);
        };
        let is_on = when.text == "on";
        if is_on && !STIMULI.contains(&stimulus.text.as_str()) {
            return self.unknown(note, "stimulus", stimulus, &STIMULI);
        }
        if let Usual::On(usual) = entry.when
            && !(is_on && stimulus.text == usual)
        {
            let text = format!("`{}` looks at a `{usual}`, and none comes this way", name.text);
            let cure = format!("write `{}`", entry.statement());
            self.report.say(Code::NoteSense, when.span.to(stimulus.span), text, cure);
        }
    }

    /// What a node is good for is known to the world, or asked for somewhere.
    fn node(&mut self, note: &'m Note) {
        let sort = note.words.iter().skip_while(|word| word.text != ":").nth(1);
        let Some(sort) = sort.filter(|sort| !SORTS.contains(&sort.text.as_str())) else { return };
        if !self.sorts.contains(sort.text.as_str()) {
            let known: Vec<&str> = SORTS.into_iter().chain(self.sorts.iter().copied()).collect();
            self.unknown(note, "sort of nodes", sort, &known);
        }
    }

    /// `does NAME`: there is code for it.
    fn does(&mut self, note: &'m Note) {
        let Some(name) = note.words.first() else { return };
        if behaviour_named(&name.text).is_none() {
            // What is most likely meant first: the list is cut.
            let is_squad =
                matches!(&note.on, NoteOn::Action(of) if squads::is_of_squad(self.spec, of));
            let known = squads::behaviours(is_squad);
            let mut reader = NoteReader::new(note, &mut self.report);
            let _ =
                reader.unknown_in_order("behaviour", &name.text, name.span, known.iter().copied());
        }
    }

    /// `ACTOR remembers KIND`, `ACTOR forgets KIND`.
    fn promise(&mut self, note: &'m Note) {
        let [actor, verb, kind, ..] = &note.words[..] else { return };
        if !matches!(verb.text.as_str(), "remembers" | "forgets") {
            return;
        }
        let actor = self.story.find_actor(&actor.text);
        if let Some(npc) = actor.and_then(|actor| self.story.actors[actor].npc)
            && self.kind(note, kind, false)
            && self.types.get(&npc).is_some_and(|it| !it.writes(&kind.text, false))
        {
            self.lacks(kind, npc);
        }
    }

    /// A pattern: kind, attributes, words; and whether those who ask have it.
    fn pattern(&mut self, note: &'m Note, asked: &AskedPattern) {
        if !self.kind(note, &asked.kind, asked.shared) {
            return;
        }
        for test in &asked.tests {
            self.test(note, asked, test);
        }
        let lacks = |(_, writers): &(&usize, &Writers)| !writers.writes(&asked.kind.text, false);
        let mut lacking = self.types.iter().filter(|_| !asked.shared).filter(lacks);
        // One type is enough to tell.
        let found = lacking.find(|(npc, _)| self.is_asked_by(note, **npc)).map(|(npc, _)| *npc);
        if let Some(npc) = found {
            self.lacks(&asked.kind, npc);
        }
    }

    /// Whether something in the file writes facts of the kind; told if not.
    fn kind(&mut self, note: &'m Note, word: &NoteWord, shared: bool) -> bool {
        let kind = &word.text;
        if self.all.writes(kind, shared) {
            return true;
        }
        if Writers::of_world().writes(kind, shared) {
            let which = if shared { "shared facts" } else { "facts" };
            let text = format!("nothing here writes {which} `{kind}`");
            self.report.say(Code::NoteSense, word.span, text, cure_for(kind, shared));
        } else if Writers::of_world().writes(kind, !shared) {
            let (text, cure) = match shared {
                true => ("nobody shares", format!("ask one's own memory: `{kind}`")),
                false => ("nobody has of his own", format!("ask for `shared {kind}`")),
            };
            let text = format!("facts `{kind}` {text}");
            self.report.say(Code::NoteSense, word.span, text, cure);
        } else {
            let known = Writers::of_world().kinds(shared);
            self.unknown(note, "kind of facts", word, &known);
        }
        false
    }

    /// Tells that an NPC type has nothing that writes facts of the kind.
    fn lacks(&mut self, word: &NoteWord, npc: usize) {
        let kind = &word.text;
        let name = self.model.npcs()[npc].name();
        let on = NoteOn::Npc(name.to_string());
        let mut clauses = self.model.notes().iter().filter(|clause| clause.on == on);
        let chooses = clauses.any(|clause| clause.keyword.word == "senses");
        let mut sensors = self.spec.sensors.iter().map(|it| self.spec.words.text(it.name));
        let sensor = sensors.find(|sensor| {
            sensor_named(sensor).is_some_and(|it| it.writes.iter().any(|it| it.kind == kind))
        });
        let cure = match sensor {
            Some(sensor) if chooses => format!("add `{sensor}` to the `senses` of `{name}`"),
            Some(sensor) => {
                format!("add what this is for to the `feeds` of `{sensor}`, or leave `feeds` out")
            }
            None => cure_for(kind, false),
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
            (NoteOn::Goal(goal), "relevance") => {
                let goals = compiled.goals().iter().map(|id| &self.model.goals()[id.index()]);
                goals.map(|goal| bare(goal.name())).any(|name| name == goal)
            }
            _ => false,
        }
    }

    /// The attribute is one that such facts have, and the word one that it can be.
    fn test(&mut self, note: &'m Note, asked: &AskedPattern, test: &AskedTest) {
        let Some(attribute) = Attribute::named(&test.attribute.text) else { return };
        let (kind, shared) = (&asked.kind.text, asked.shared);
        let can = self.all.can(kind, shared, attribute);
        if can.is_empty() {
            let known = self.all.attributes(kind, shared);
            let what = format!("attribute of `{kind}`");
            return self.unknown(note, &what, &test.attribute, &known);
        }
        let is_word = attribute.sort() == Sort::Word;
        let compared = test.compared.as_ref().filter(|(_, it)| is_word && it.text != "it");
        let Some((_, value)) = compared else { return };
        if can.contains(&vocabulary::Can::State)
            && let Some(thing) = self.thing_of(asked)
        {
            let states: Vec<&str> =
                self.story.things[thing].states.iter().map(String::as_str).collect();
            if !states.contains(&value.text.as_str()) {
                let what = format!("state of `{}`", self.story.things[thing].name);
                self.unknown(note, &what, value, &states);
            }
            return;
        }
        if can.iter().any(|&can| self.words.allows(can, &value.text)) {
            return;
        }
        let world = Writers::of_world();
        let elsewhere = |can: &vocabulary::Can| self.words.allows(*can, &value.text);
        if world.can(kind, shared, attribute).iter().any(elsewhere) {
            let by = world.who(kind, shared, Some(attribute), &elsewhere);
            let text =
                format!("nothing here makes the {} of `{kind}` `{}`", attribute.name(), value.text);
            self.report.say(Code::NoteSense, value.span, text, format!("add {by}"));
            return;
        }
        let mut known: Vec<&str> = can.iter().flat_map(|&can| self.words.of(can)).collect();
        known.sort_unstable();
        known.dedup();
        self.unknown(note, &format!("{} of `{kind}`", attribute.name()), value, &known);
    }

    /// The thing that a pattern names by `node = NAME`.
    fn thing_of(&self, asked: &AskedPattern) -> Option<usize> {
        let tests = asked.tests.iter().filter(|test| test.attribute.text == "node");
        let mut compared = tests.filter_map(|test| test.compared.as_ref());
        let (_, name) = compared.find(|(relation, _)| *relation == Relation::Is)?;
        self.story.find_thing(&name.text).filter(|_| name.kind == WordKind::Name)
    }
}

/// The sorts of nodes that conditions compare with.
fn sorts_asked_for(asked: &[AskedPattern]) -> BTreeSet<&str> {
    let tests = asked.iter().filter(|asked| asked.kind.text == "node").flat_map(|it| &it.tests);
    let sorts = tests.filter(|test| test.attribute.text == "knowledge");
    sorts.filter_map(|test| Some(test.compared.as_ref()?.1.text.as_str())).collect()
}

/// What to add to have facts of a kind.
fn cure_for(kind: &str, shared: bool) -> String {
    let any = |_: &vocabulary::Can| true;
    let by = Writers::of_world().who(kind, shared, None, &any);
    format!("add {by}")
}
