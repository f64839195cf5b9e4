//! From notes to a story: every mistake at once, with its place and the nearest name.
//!
//! In:   the notes of a model.
//! Out:  a [`Story`], or a report.
//! Cost: one pass for what is declared, one for what speaks of it.
//!
//! Names are declared before anything is looked up, so statements may stand in any order, and a
//! mistake inside a declaration does not make every mention of its name another mistake.

mod actors;
mod all;
mod asks;
mod declare;
mod facts;
mod hidden;
mod map;
mod notes_read;
mod promises;
mod script;
mod things;

pub(crate) use asks::build_order;
pub use notes_read::NotesRead;
pub(crate) use things::usual_states;

use super::{Need, Story};
use crate::build::ThingDraft;
use crate::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use throng_base::codec::Encoder;
use throng_domain::compile::Digest;
use throng_domain::notes::{Note, NoteOn, NoteReader, NoteWord, Reported, WordKind};
use throng_domain::{Code, Model, Report, Span};
use throng_mind::PreparedDomain;
use throng_mind::spec::Spec;
use throng_mind::time::{Pace, Tick};

/// For files that say nothing of a pace.
pub const USUAL_PACE: Pace = Pace { ticks_per_second: 10 };
/// The longest story, in seconds: a day.
const LONGEST: f64 = 86_400.0;
/// The most ticks a second.
const FASTEST: f64 = 1000.0;
/// The largest seed.
const LARGEST: f64 = 1e9;
/// Names with a meaning of their own at the beginning of a line.
const RESERVED: [&str; 11] = [
    "noise",
    "calls",
    "heavy",
    "nobody",
    "squad",
    "everybody",
    "some",
    "side",
    "after",
    "every",
    "most",
];

impl Story {
    /// Reads the story of a model.
    ///
    /// # Errors
    ///
    /// Every mistake, if there is one.
    pub fn read(model: &Model) -> Result<Story, Report> {
        let (story, report, _) = Story::read_what_is_right(model);
        if report.has_errors() { Err(report) } else { Ok(story) }
    }

    /// Reads the story of a model and what it says about minds, and holds them against each other.
    ///
    /// # Errors
    ///
    /// Every mistake in either, in the order of the text. Who or what is in the story must be known
    /// before its vocabulary is judged: a declaration that cannot be read puts that off.
    pub fn with_minds(model: &Model) -> Result<(Story, Spec), Report> {
        let (story, told, complete) = Story::read_what_is_right(model);
        let domain = Arc::new(PreparedDomain::new(model));
        let read = Spec::read_with_asked(model, domain, story.pace);
        let (spec, asked) = read.map_err(|other| in_order(&[&told, &other]))?;
        let check = || story.check(model, &spec, &asked, !told.has_errors()).err();
        match complete.then(check).flatten() {
            Some(other) => Err(in_order(&[&told, &other])),
            None if told.has_errors() => Err(told),
            None => Ok((story, spec)),
        }
    }

    /// The story without what is wrong in it, every mistake, and whether it has all that is declared.
    fn read_what_is_right(model: &Model) -> (Story, Report, bool) {
        let mut reading = Reading::new(model);
        reading.story.digest = digest(model);
        reading.head();
        reading.each("map", Reading::map);
        reading.each("thing", Reading::thing);
        reading.each("node", Reading::node);
        reading.each("actor", Reading::actor);
        reading.resolve_asks();
        reading.check_things();
        reading.check_crowd();
        reading.check_marks();
        reading.squads();
        reading.each("at", Reading::script);
        reading.each("when", Reading::script);
        reading.each("promise", Reading::promise);
        reading.finish()
    }
}

/// A story being read.
struct Reading<'m> {
    model: &'m Model,
    report: Report,
    story: Story,
    /// Where each name of an actor, thing or node was declared.
    declared: HashMap<&'m str, Span>,
    /// Names whose declaration was given up: what speaks of them is not judged.
    broken: HashSet<&'m str>,
    /// The flavours of the file, in order.
    flavours: Vec<&'m str>,
    /// What it has beside steps, in order.
    besides: Vec<&'m str>,
    /// What things `need` and `follow`, which may not have been declared yet.
    asks: Vec<asks::Asks<'m>>,
    /// Marks of which `each` is said.
    each: HashSet<&'m str>,
    /// Marks at which one thing is said to be.
    single: Vec<&'m NoteWord>,
}

/// The statements of stories, each with its words, in one number.
fn digest(model: &Model) -> u128 {
    let mut to = Encoder::default();
    for keyword in ["story", "map", "thing", "node", "actor", "at", "when", "promise"] {
        for note in statements(model, keyword) {
            to.write(keyword);
            to.list(note.words.iter().map(|word| (word.kind == WordKind::Text, &word.text)));
        }
    }
    Digest::of(&to.bytes).0
}

type Part<'m> = fn(&mut Reading<'m>, &'m Note) -> Result<(), Reported>;

impl<'m> Reading<'m> {
    fn new(model: &'m Model) -> Self {
        let story = Story {
            name: String::new(),
            sentence: String::new(),
            lasts: Tick::MAX,
            pace: USUAL_PACE,
            seed: 0,
            accuracy: None,
            bodies_pass: false,
            map: Vec::new(),
            marks: Vec::new(),
            actors: Vec::new(),
            things: Vec::new(),
            nodes: Vec::new(),
            squads: Vec::new(),
            script: Vec::new(),
            promises: Vec::new(),
            digest: 0,
        };
        let named = |keyword| {
            let notes = statements(model, keyword);
            notes.filter_map(|note| Some(note.words.first()?.text.as_str())).collect()
        };
        Reading {
            model,
            report: Report::default(),
            story,
            declared: HashMap::new(),
            broken: HashSet::new(),
            flavours: named("flavour"),
            besides: named("beside"),
            asks: Vec::new(),
            each: HashSet::new(),
            single: Vec::new(),
        }
    }

    /// Reads all statements of a kind; one that is given up does not stop the others.
    fn each(&mut self, keyword: &str, part: Part<'m>) {
        for note in statements(self.model, keyword) {
            let subject = note.words.iter().find(|word| word.kind == WordKind::Name);
            let subject = subject.map_or("", |word| word.text.as_str());
            let declares = matches!(keyword, "actor" | "thing" | "node");
            if !declares && self.broken.contains(subject) {
                continue;
            }
            // The mistake is in the report.
            if part(self, note).is_err() && declares {
                self.broken.insert(subject);
            }
        }
    }

    /// `story NAME "sentence" lasts SECONDS [pace N] [seed N] [accuracy F] [bodies pass]`, exactly
    /// once.
    fn head(&mut self) {
        let model = self.model;
        let mut notes = statements(model, "story");
        let Some(first) = notes.next() else {
            let text = "there is no story in this file";
            let cure = "write `story NAME \"what it tells\" lasts SECONDS`";
            self.report.say(Code::NoteExpected, Span::default(), text, cure);
            return;
        };
        for other in notes {
            let text = "a second story in one file".to_string();
            let cure = "write one story per file".to_string();
            self.report.say_twice(Code::NoteTwice, other.span, first.span, text, cure);
        }
        let _ = self.head_words(first);
        if statements(model, "map").next().is_none() {
            let text = format!("the story `{}` has no map", self.story.name);
            let cure = "write `map` and its rows in quotes, `#` for walls and `.` for floor";
            self.report.say(Code::NoteExpected, first.span, text, cure);
        }
    }

    /// The types of the `squad` statements, which the reader of minds reads in full.
    fn squads(&mut self) {
        let npcs = self.model.npcs();
        let named = statements(self.model, "squad").filter_map(|note| note.words.first());
        let at = |word: &NoteWord| npcs.iter().position(|npc| npc.name() == word.text);
        self.story.squads = named.filter_map(at).collect();
    }

    fn head_words(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut reader = NoteReader::new(note, &mut self.report);
        self.story.name = reader.name("the name of the story")?.text.clone();
        self.story.sentence = reader.text("what the story tells, in quotes")?.text.clone();
        let (mut lasts, mut pace, mut seed, mut accuracy) = (None, None, None, None);
        let mut bodies_pass = false;
        while !reader.is_done() {
            if lasts.is_none() && reader.take_word("lasts") {
                lasts = Some(reader.number("seconds, as in `lasts 30`", 0.1, LONGEST)?);
            } else if pace.is_none() && reader.take_word("pace") {
                pace = Some(whole(&mut reader, "ticks per second", 1.0, FASTEST)?);
            } else if seed.is_none() && reader.take_word("seed") {
                seed = Some(whole(&mut reader, "a whole number, as in `seed 7`", 0.0, LARGEST)?);
            } else if accuracy.is_none() && reader.take_word("accuracy") {
                let what = "how often a shot hits at best, from 0 to 1";
                accuracy = Some(reader.number(what, 0.0, 1.0)? as f32);
            } else if !bodies_pass && reader.take_word("bodies") {
                if !reader.take_word("pass") {
                    return Err(reader.expected("`pass`: any number may be in one cell"));
                }
                bodies_pass = true;
            } else {
                let what = "`lasts SECONDS`, `pace TICKS`, `seed NUMBER`, `accuracy FRACTION` or \
                            `bodies pass`, once each";
                return Err(reader.expected(what));
            }
        }
        let Some(lasts) = lasts else {
            return Err(reader.expected("`lasts` and how many seconds"));
        };
        (self.story.accuracy, self.story.bodies_pass) = (accuracy, bodies_pass);
        if let Some(pace) = pace {
            self.story.pace = Pace { ticks_per_second: pace };
        }
        self.story.lasts = self.story.pace.ticks(lasts).max(1);
        self.story.seed = seed.unwrap_or(0).into();
        Ok(())
    }

    /// Whether one more fits.
    fn room(&mut self, note: &Note, have: usize, most: usize) -> Result<(), Reported> {
        if have < most {
            return Ok(());
        }
        let text = format!("more than {most} statements of `{}`", note.keyword.word);
        self.report.say(Code::NoteSense, note.span, text, "leave some out");
        Err(Reported)
    }

    /// Takes a name for one more actor, thing or node: they share one space of names.
    fn declare(&mut self, note: &'m Note, have: usize, most: usize) -> Result<String, Reported> {
        self.room(note, have, most)?;
        let mut reader = NoteReader::new(note, &mut self.report);
        let word = reader.name(&format!("the name of the {}", note.keyword.word))?;
        if RESERVED.contains(&word.text.as_str()) {
            let text = format!("`{}` has a meaning of its own in stories", word.text);
            reader.report.say(Code::NoteSense, word.span, text, "choose another name");
        }
        if let Some(&first) = self.declared.get(word.text.as_str()) {
            let text = format!("`{}` is the name of something else in this story", word.text);
            let cure = "choose another name".to_string();
            reader.report.say_twice(Code::NoteTwice, word.span, first, text, cure);
            return Err(Reported);
        }
        self.declared.insert(&word.text, word.span);
        Ok(word.text.clone())
    }

    /// A statement from its first word on.
    fn statement(&mut self, note: &'m Note) -> Statement<'m, '_> {
        let Reading { model, report, story, flavours, besides, .. } = self;
        Statement { model, story, flavours, besides, reader: NoteReader::new(note, report) }
    }

    fn finish(mut self) -> (Story, Report, bool) {
        // Stable: what happens at the same time happens in the order of the text.
        self.story.script.sort_by_key(|entry| entry.cue.tick().unwrap_or(Tick::MAX));
        (self.story, in_order(&[&self.report]), self.broken.is_empty())
    }
}

/// Several reports as one, in the order of the text.
#[must_use]
pub fn in_order(reports: &[&Report]) -> Report {
    let mut all: Vec<_> = reports.iter().flat_map(|report| report.diagnostics()).collect();
    all.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    let mut report = Report::default();
    all.into_iter().for_each(|diagnostic| report.add(diagnostic.clone()));
    report
}

/// The statements of a kind, in the order of the text.
pub(super) fn statements<'m>(
    model: &'m Model,
    keyword: &str,
) -> impl Iterator<Item = &'m Note> + Clone {
    let is = move |note: &&Note| note.on == NoteOn::Itself && note.keyword.word == keyword;
    model.notes().iter().filter(is)
}

/// A whole number that must come next.
fn whole(
    reader: &mut NoteReader<'_, '_>,
    what: &str,
    least: f64,
    most: f64,
) -> Result<u32, Reported> {
    let (place, word) = (reader.place(), reader.peek());
    let number = reader.number(what, least, most)?;
    if number.fract() != 0.0 {
        let text = format!("`{}` is not a whole number", word.map_or("", |word| &word.text));
        reader.report.say(Code::NoteNumber, place, text, "leave the fraction out");
        return Err(Reported);
    }
    // Within the range that was asked for, which is far below what fits.
    Ok(number as u32)
}

/// Where something stands whose mark is not on the map: it is a mistake already, and what else is
/// said of it is judged all the same.
const NOWHERE: Cell = Cell::new(i16::MIN, i16::MIN);

/// A statement being read, and what it may speak of.
struct Statement<'m, 'r> {
    model: &'m Model,
    story: &'r Story,
    flavours: &'r [&'m str],
    besides: &'r [&'m str],
    reader: NoteReader<'m, 'r>,
}

impl<'m, 'r> Deref for Statement<'m, 'r> {
    type Target = NoteReader<'m, 'r>;

    fn deref(&self) -> &NoteReader<'m, 'r> {
        &self.reader
    }
}

impl DerefMut for Statement<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

impl Statement<'_, '_> {
    /// Reports what makes no sense.
    fn senseless(
        &mut self,
        span: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) -> Reported {
        self.report.say(Code::NoteSense, span, text, cure);
        Reported
    }

    /// A word that must come next; `what` says so, with what follows it.
    fn keyword(&mut self, word: &str, what: &str) -> Result<(), Reported> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// A moment from the beginning to the end of the story.
    fn moment(&mut self) -> Result<Tick, Reported> {
        let (pace, lasts) = (self.story.pace, self.story.lasts);
        let end = pace.seconds(lasts).min(LONGEST);
        Ok(pace.ticks(self.number("a moment of the story, in seconds", 0.0, end)?))
    }

    /// `at MARK`, a mark of the map.
    fn at_mark(&mut self) -> Result<Cell, Reported> {
        self.keyword("at", "`at` and a mark of the map")?;
        self.mark()
    }

    /// The same, a mark that names one place.
    fn at_one_mark(&mut self) -> Result<Cell, Reported> {
        self.keyword("at", "`at` and a mark of the map")?;
        self.one_mark()
    }

    /// A mark of the map; of several cells the first.
    fn mark(&mut self) -> Result<Cell, Reported> {
        let word = self.name("a mark of the map")?;
        // Without a map every mark would be a mistake, and the missing map is one already.
        if self.story.map.is_empty() {
            return Ok(NOWHERE);
        }
        let found = self.find("mark", word, self.story.mark_names());
        Ok(found.map_or(NOWHERE, |at| self.story.marks[at].cell))
    }

    /// A mark that names one place.
    fn one_mark(&mut self) -> Result<Cell, Reported> {
        let word = self.peek();
        let cell = self.mark()?;
        let names = |name: &str| self.story.mark_names().filter(|known| *known == name).count();
        let times = word.map_or(0, |word| names(&word.text));
        if let Some(word) = word.filter(|_| times > 1) {
            let text = format!("the mark `{}` is on the map {times} times", word.text);
            self.senseless(word.span, text, "name one place: use another letter for it");
        }
        Ok(cell)
    }

    /// The position of a name among those that are known; else it is told with the nearest.
    fn find<'k>(
        &mut self,
        what: &str,
        word: &NoteWord,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Result<usize, Reported> {
        let position = known.clone().position(|name| name == word.text);
        position.ok_or_else(|| self.unknown(what, &word.text, word.span, known))
    }

    /// A thing in a state, both looked up.
    fn need(&mut self, thing: &NoteWord, state: &NoteWord) -> Result<Need, Reported> {
        let position = self.find("thing", thing, self.story.thing_names())?;
        let ThingDraft { name, states, .. } = &self.story.things[position];
        if !states.is_empty() {
            self.find(&format!("state of `{name}`"), state, states.iter().map(String::as_str))?;
        }
        Ok(Need { thing: position, state: state.text.clone() })
    }
}
