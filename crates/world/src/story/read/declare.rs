//! `actor`, `thing` and `node`: who and what is in a story, once, several times, or at every cell
//! with the mark.

use super::asks::Asks;
use super::{Reading, Statement, statements};
use crate::build::{ActorDraft, MOST_ACTORS, MOST_THINGS, NodeDraft, ThingDraft};
use crate::cell::Cell;
use throng_domain::Code;
use throng_domain::notes::{Note, NoteWord, Reported, WordKind};

impl<'m> Reading<'m> {
    /// `thing NAME at MARK: …`, once or at every cell with the mark.
    pub(super) fn thing(&mut self, note: &'m Note) -> Result<(), Reported> {
        let first = self.story.things.len();
        let name = self.declare(note, first, MOST_THINGS)?;
        let (mut entry, mut asks) = (ThingDraft { name, ..ThingDraft::default() }, Vec::new());
        let mut statement = self.statement(note);
        let read = statement.thing(&mut entry, &mut asks);
        self.story.things.push(entry);
        let cells = self.each_cell(note, first, MOST_THINGS);
        for (name, cell) in cells? {
            let twin = ThingDraft { name, cell, ..self.story.things[first].clone() };
            self.story.things.push(twin);
        }
        let of = first..self.story.things.len();
        let asks = asks.into_iter();
        self.asks.extend(asks.map(|(thing, what)| Asks { of: of.clone(), note, thing, what }));
        read
    }

    /// `node NAME at MARK: …`, once or at every cell with the mark.
    pub(super) fn node(&mut self, note: &'m Note) -> Result<(), Reported> {
        let first = self.story.nodes.len();
        let name = self.declare(note, first, MOST_THINGS)?;
        let mut entry = NodeDraft { name, ..NodeDraft::default() };
        let read = self.statement(note).node(&mut entry);
        self.story.nodes.push(entry);
        for (name, cell) in self.each_cell(note, first, MOST_THINGS)? {
            let twin = NodeDraft { name, cell, ..self.story.nodes[first].clone() };
            self.story.nodes.push(twin);
        }
        read
    }

    /// `each`: the names and cells of all but the first, in reading order: `NAME.2`, `NAME.3` …
    /// None if the statement does not end with it.
    fn each_cell(
        &mut self,
        note: &'m Note,
        have: usize,
        most: usize,
    ) -> Result<Vec<(String, Cell)>, Reported> {
        let [name, _, mark, ..] = &note.words[..] else { return Ok(Vec::new()) };
        let says_each = |word: &&NoteWord| word.kind == WordKind::Name && word.text == "each";
        if note.words.last().filter(says_each).is_none() {
            self.single.push(mark);
            return Ok(Vec::new());
        }
        self.each.insert(&mark.text);
        let marks = self.story.marks.iter().filter(|known| known.name == mark.text);
        let cells: Vec<Cell> = marks.map(|mark| mark.cell).skip(1).collect();
        self.room(note, have + cells.len(), most)?;
        let named = cells.into_iter().enumerate();
        let named = named.map(|(at, cell)| (format!("{}.{}", name.text, at + 2), cell));
        let named: Vec<(String, Cell)> = named.collect();
        for (twin, _) in &named {
            self.is_new(note, twin)?;
        }
        Ok(named)
    }

    /// A name that is made must not be another's.
    fn is_new(&mut self, note: &Note, name: &str) -> Result<(), Reported> {
        if !self.declared.contains_key(name) {
            return Ok(());
        }
        let text = format!("`{name}` is the name of something else in this story");
        self.report.say(Code::NoteTwice, note.span, text, "choose another name");
        Err(Reported)
    }

    /// `actor NAME at MARK: …`, once, several times, or at every cell with the mark.
    pub(super) fn actor(&mut self, note: &'m Note) -> Result<(), Reported> {
        let first = self.story.actors.len();
        let name = self.declare(note, first, MOST_ACTORS)?;
        let mut entry = ActorDraft::new(&name, Cell::default());
        let times = self.statement(note).actor(&mut entry);
        self.story.actors.push(entry);
        let cells = self.each_cell(note, first, MOST_ACTORS)?;
        if cells.is_empty() {
            return self.repeat(note, first, times?);
        }
        for (at, (name, cell)) in cells.into_iter().enumerate() {
            let twin = ActorDraft { name, cell, ..self.twin(first, at + 2) };
            self.story.actors.push(twin);
        }
        times.and_then(|_| self.carried_once(note, first))
    }

    /// One more like the first: what the first owns `THING` of, the second owns `THING.2` of, if there
    /// is one.
    fn twin(&self, first: usize, number: usize) -> ActorDraft {
        let mut twin = self.story.actors[first].clone();
        for own in &mut twin.owns {
            let his = format!("{own}.{number}");
            if self.story.find_thing(&his).is_some() {
                *own = his;
            }
        }
        twin
    }

    /// `times N`: the others are called `NAME.2`, `NAME.3` …
    fn repeat(&mut self, note: &Note, first: usize, times: usize) -> Result<(), Reported> {
        self.room(note, self.story.actors.len() + times - 2, MOST_ACTORS)?;
        for number in 2..=times {
            let mut twin = self.twin(first, number);
            twin.name = format!("{}.{number}", twin.name);
            self.is_new(note, &twin.name)?;
            self.story.actors.push(twin);
        }
        self.carried_once(note, first)
    }

    /// What an actor carries nobody else does.
    fn carried_once(&mut self, note: &Note, first: usize) -> Result<(), Reported> {
        let actors = &self.story.actors;
        let mut others = actors[..first].iter().chain(actors.get(first + 1..).unwrap_or_default());
        let own = &actors[first].carries;
        let Some(other) = others.find(|it| it.carries.iter().any(|item| own.contains(item))) else {
            return Ok(());
        };
        let item = own.iter().find(|item| other.carries.contains(item)).map_or("", |item| item);
        let text = format!("`{}` and `{}` carry one `{item}`", actors[first].name, other.name);
        let cure = "give each an item of its own";
        self.report.say(Code::NoteSense, note.span, text, cure);
        Err(Reported)
    }

    /// More actors than cells, where each needs one of its own.
    pub(super) fn check_crowd(&mut self) {
        let (story, n_actors) = (&self.story, self.story.actors.len());
        let floor = story.map.iter().flat_map(|row| row.chars()).filter(|c| *c != '#').count();
        if story.map.is_empty() || story.bodies_pass || n_actors <= floor {
            return;
        }
        let Some(note) = statements(self.model, "map").next() else { return };
        let text = format!("{n_actors} actors, and {floor} cells that one can stand in");
        let cure = "make the map larger, or say in the first line that `bodies pass`";
        self.report.say(Code::NoteSense, note.span, text, cure);
    }
}

impl Statement<'_, '_> {
    /// `NAME at MARK:`, of which the name is known.
    pub(super) fn placed(&mut self) -> Result<Cell, Reported> {
        self.next();
        let cell = self.at_mark()?;
        self.sign(WordKind::Colon)?;
        Ok(cell)
    }

    /// `each`, which is the last word.
    pub(super) fn take_each(&mut self) -> bool {
        self.peek_second().is_none() && self.take_word("each")
    }
}
