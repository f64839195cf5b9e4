//! `actor`, `thing` and `node`: who and what is in a story.

use super::{NOWHERE, Reading, Statement, whole};
use crate::actor::Posture;
use crate::build::{ActorDraft, MOST_ACTORS, MOST_THINGS, NodeDraft, ThingDraft};
use crate::cell::Cell;
use crate::thing::ThingKind;
use std::collections::HashSet;
use throng_domain::Code;
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};

/// Kinds of things, with the states of those that need not list them.
const KINDS: [(&str, ThingKind, &[&str]); 6] = [
    ("door", ThingKind::Door, &["shut", "open"]),
    ("window", ThingKind::Window, &["whole", "broken"]),
    ("ladder", ThingKind::Ladder, &["free"]),
    ("item", ThingKind::Item, &["lying", "taken"]),
    ("vehicle", ThingKind::Vehicle, &["free", "taken"]),
    ("device", ThingKind::Device, &["off", "on"]),
];

/// The states of things that do not list theirs.
pub(crate) fn usual_states() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|(_, _, states)| states.iter().copied())
}

/// More health means nothing.
const MOST_HEALTH: f64 = 1_000_000.0;
/// No map is wider.
const MOST_RADIUS: f64 = 200.0;
/// More rounds or grenades mean nothing.
const MOST_ROUNDS: f64 = 10_000.0;

/// What can be said of an actor, and what that is about.
const OF_ACTORS: [(&str, &str); 11] = [
    ("side", "side"),
    ("weapon", "weapon"),
    ("rounds", "rounds"),
    ("grenades", "grenades"),
    ("health", "health"),
    ("holstered", "drawing"),
    ("standing", "stance"),
    ("crouched", "stance"),
    ("riding", "stance"),
    ("climbing", "stance"),
    ("times", "times"),
];

/// `THING = STATE` as written, to be looked up when all things are known.
type Needs<'m> = Vec<(&'m NoteWord, &'m NoteWord)>;

impl<'m> Reading<'m> {
    /// `thing NAME at MARK: …`
    pub(super) fn thing(&mut self, note: &'m Note) -> Result<(), Reported> {
        let position = self.story.things.len();
        let name = self.declare(note, position, MOST_THINGS)?;
        let (mut entry, mut needs) = (ThingDraft { name, ..ThingDraft::default() }, Vec::new());
        let read = self.statement(note).thing(&mut entry, &mut needs);
        self.needs.extend(needs.into_iter().map(|(thing, state)| (position, note, thing, state)));
        self.story.things.push(entry);
        read
    }

    /// `node NAME at MARK: …`
    pub(super) fn node(&mut self, note: &'m Note) -> Result<(), Reported> {
        let name = self.declare(note, self.story.nodes.len(), MOST_THINGS)?;
        let mut entry = NodeDraft { name, ..NodeDraft::default() };
        let read = self.statement(note).node(&mut entry);
        self.story.nodes.push(entry);
        read
    }

    /// Looks up what the `needs` of things speak of, now that all things are known.
    pub(super) fn resolve_needs(&mut self) {
        for (position, note, thing, state) in std::mem::take(&mut self.needs) {
            let mut statement = self.statement(note);
            if statement.need(thing, state).is_err() {
                continue;
            }
            if statement.story.things[position].name == thing.text {
                let text = format!("`{}` needs itself", thing.text);
                let cure = "name another thing, or leave `needs` out";
                statement.senseless(thing.span, text, cure);
            } else {
                self.story.things[position].needs.push((thing.text.clone(), state.text.clone()));
            }
        }
    }

    /// Two ways through one cell, and things that need each other in a circle.
    pub(super) fn check_things(&mut self) {
        let things = &self.story.things;
        let links = || {
            let placed = |thing: &ThingDraft| thing.kind.is_link() && thing.cell != NOWHERE;
            things.iter().enumerate().filter(move |(_, thing)| placed(thing))
        };
        let span = |name: &str| self.declared.get(name).copied().unwrap_or_default();
        for (at, thing) in links() {
            if let Some((_, other)) =
                links().take(at).find(|(before, other)| *before < at && other.cell == thing.cell)
            {
                let text = format!("`{}` and `{}` are in one cell", thing.name, other.name);
                let cure = "a cell has one door or one window".to_string();
                let (place, first) = (span(&thing.name), span(&other.name));
                self.report.say_twice(Code::NoteSense, place, first, text, cure);
            }
        }
        let cannot = build_order(things).1;
        let Some(&first) = cannot.first() else { return };
        let mut thing = first;
        // A thing that cannot be placed needs one that cannot: after so many steps we are in a circle.
        for _ in 0..things.len() {
            let called = |name: &String| cannot.iter().find(|&&at| things[at].name == *name);
            let next = things[thing].needs.iter().find_map(|(name, _)| called(name));
            thing = next.copied().unwrap_or(thing);
        }
        let name = &things[thing].name;
        let text = format!("`{name}` needs what in the end needs `{name}`");
        let cure = "break the circle: let one of them need nothing";
        self.report.say(Code::NoteSense, span(name), text, cure);
    }

    /// `actor NAME at MARK: …`, once or several times.
    pub(super) fn actor(&mut self, note: &'m Note) -> Result<(), Reported> {
        let position = self.story.actors.len();
        let name = self.declare(note, position, MOST_ACTORS)?;
        let mut entry = ActorDraft::new(&name, Cell::default());
        let times = self.statement(note).actor(&mut entry);
        self.story.actors.push(entry);
        self.repeat(note, position, times?)
    }

    /// `times N`: the others are called `NAME.2`, `NAME.3` …
    fn repeat(&mut self, note: &Note, first: usize, times: usize) -> Result<(), Reported> {
        self.room(note, self.story.actors.len() + times - 2, MOST_ACTORS)?;
        for number in 2..=times {
            let mut twin = self.story.actors[first].clone();
            twin.name = format!("{}.{number}", twin.name);
            if self.declared.contains_key(twin.name.as_str()) {
                let text = format!("`{}` is the name of something else in this story", twin.name);
                self.report.say(Code::NoteTwice, note.span, text, "choose another name");
                return Err(Reported);
            }
            self.story.actors.push(twin);
        }
        Ok(())
    }
}

impl<'m> Statement<'m, '_> {
    /// `NAME at MARK:`, of which the name is known.
    fn placed(&mut self) -> Result<Cell, Reported> {
        self.next();
        let cell = self.at_mark()?;
        self.sign(WordKind::Colon)?;
        Ok(cell)
    }

    /// `thing NAME at MARK: KIND STATE, STATE … [blocked] [needs THING = STATE, …]`
    fn thing(&mut self, entry: &mut ThingDraft, needs: &mut Needs<'m>) -> Result<(), Reported> {
        let cell = self.placed()?;
        let word = self.name("what it is, as `door`")?;
        let at = self.find("kind of thing", word, KINDS.iter().map(|(name, ..)| *name))?;
        let (_, kind, usual) = KINDS[at];
        let states = self.states()?;
        (entry.cell, entry.kind) = (cell, kind);
        entry.arms = (kind == ThingKind::Item).then_some(0);
        entry.states = match states.is_empty() {
            true => usual.iter().map(|state| state.to_string()).collect(),
            false => states,
        };
        while !(self.is_done() || self.sees("needs")) {
            if kind == ThingKind::Door && !entry.blocked && self.take_word("blocked") {
                entry.blocked = true;
            } else if kind == ThingKind::Item && self.take_word("rounds") {
                entry.arms = Some(whole(self, "how many rounds", 0.0, MOST_ROUNDS)? as u16);
            } else {
                let what = "`,`, `needs`, `blocked` (doors), `rounds` (items) or the end";
                return Err(self.expected(what));
            }
        }
        self.needs(needs)
    }

    /// `node NAME at MARK: KIND [radius CELLS] [needs THING = STATE, …]`
    fn node(&mut self, entry: &mut NodeDraft) -> Result<(), Reported> {
        entry.cell = self.placed()?;
        entry.sort = self.name("what it is good for, as `cover`")?.text.clone();
        if self.take_word("radius") {
            entry.radius = Some(whole(self, "how many cells", 1.0, MOST_RADIUS)? as u16);
        }
        let mut needs = Vec::new();
        let read = self.needs(&mut needs);
        // All things are known before the first node is read.
        needs.retain(|(thing, state)| self.need(thing, state).is_ok());
        let texts =
            |(thing, state): (&NoteWord, &NoteWord)| (thing.text.clone(), state.text.clone());
        entry.needs = needs.into_iter().map(texts).collect();
        read
    }

    /// The states of a thing, separated by commas; none if something else follows.
    fn states(&mut self) -> Result<Vec<String>, Reported> {
        let mut states: Vec<String> = Vec::new();
        if self.is_done() || ["needs", "blocked", "rounds"].iter().any(|word| self.sees(word)) {
            return Ok(states);
        }
        loop {
            let word = self.value("a state")?;
            if states.contains(&word.text) {
                let text = format!("the state `{}` is listed twice", word.text);
                self.report.say(Code::NoteTwice, word.span, text, "leave one out");
            }
            states.push(word.text.clone());
            if !self.take_sign(WordKind::Comma) {
                return Ok(states);
            }
        }
    }

    /// `[needs THING = STATE, THING = STATE]`, to the end.
    fn needs(&mut self, needs: &mut Needs<'m>) -> Result<(), Reported> {
        let mut goes_on = self.take_word("needs");
        while goes_on {
            let thing = self.name("a thing, as in `needs table = flipped`")?;
            self.sign(WordKind::Compare(Relation::Is))?;
            needs.push((thing, self.value("a state")?));
            goes_on = self.take_sign(WordKind::Comma);
        }
        self.end()
    }

    /// `actor NAME at MARK: npc TYPE … [times N]` or `actor NAME at MARK: player …`; gives how
    /// many there are.
    fn actor(&mut self, entry: &mut ActorDraft) -> Result<usize, Reported> {
        let cell = self.placed()?;
        (entry.npc, entry.cell) = (self.driver()?, cell);
        entry.side = if entry.is_minded() { "npc" } else { "player" }.to_string();
        let mut said: Vec<&str> = Vec::new();
        let mut times = 1;
        while let Some(word) = self.peek() {
            if times == 1 && self.take_word("times") {
                times = whole(self, "how many of them", 2.0, MOST_ACTORS as f64)?;
                continue;
            }
            let about = self.attribute(entry)?;
            if said.contains(&about) {
                let text = format!("`{}`: the {about} is said twice", word.text);
                self.report.say(Code::NoteTwice, word.span, text, "leave one out");
            }
            said.push(about);
        }
        Ok(times as usize)
    }

    /// The type of an actor's mind, if the script does not move it.
    fn driver(&mut self) -> Result<Option<usize>, Reported> {
        if self.take_word("player") {
            return Ok(None);
        }
        self.keyword("npc", "`npc` and its type, or `player`")?;
        let word = self.name("an NPC type")?;
        let known = self.model.npcs().iter().map(throng_domain::model::NpcType::name);
        self.find("NPC type", word, known).map(Some)
    }

    /// One more word about an actor; gives what it was about.
    fn attribute(&mut self, entry: &mut ActorDraft) -> Result<&'static str, Reported> {
        let word = self.name("something about the actor, as `side red`")?;
        let (what, known) = ("word about an actor", OF_ACTORS.iter().map(|(word, _)| *word));
        let (_, about) = OF_ACTORS[self.find(what, word, known.clone())?];
        match word.text.as_str() {
            "side" => entry.side = self.name("the side it is on")?.text.clone(),
            "weapon" => {
                let weapon = self.name("the name of the weapon, or `none`")?.text.clone();
                entry.weapon = Some(weapon).filter(|weapon| weapon != "none");
            }
            "rounds" => entry.rounds = whole(self, "how many rounds", 0.0, MOST_ROUNDS)? as u16,
            "health" => {
                entry.health = whole(self, "how much it can bear", 1.0, MOST_HEALTH)? as i32;
            }
            "grenades" => {
                entry.grenades = whole(self, "how many grenades", 0.0, MOST_ROUNDS)? as u16;
            }
            "holstered" => entry.drawn = false,
            "crouched" => entry.posture = Posture::Crouched,
            "riding" => {
                entry.on = Some(self.mount(ThingKind::Vehicle, "vehicle")?);
                entry.posture = Posture::Riding;
            }
            "climbing" => {
                entry.on = Some(self.mount(ThingKind::Ladder, "ladder")?);
                entry.posture = Posture::Climbing;
            }
            // The first was taken before.
            "times" => return Err(self.unknown(what, &word.text, word.span, known)),
            _ => {}
        }
        Ok(about)
    }

    /// What an actor is on at the beginning.
    fn mount(&mut self, kind: ThingKind, what: &str) -> Result<String, Reported> {
        let (word, things) = (self.name("what it is on")?, &self.story.things);
        let fit = things.iter().filter(|thing| thing.kind == kind);
        self.find(what, word, fit.map(|thing| thing.name.as_str()))?;
        Ok(word.text.clone())
    }
}

/// Things in an order in which each comes after those that it needs, and those that cannot be
/// put so.
pub(crate) fn build_order(things: &[ThingDraft]) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut rest) = (Vec::new(), (0..things.len()).collect::<Vec<_>>());
    let mut placed: HashSet<&str> = HashSet::new();
    loop {
        let has = |(name, _): &(String, String)| placed.contains(name.as_str());
        let is_ready = |thing: &usize| things[*thing].needs.iter().all(has);
        let (ready, not_yet): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_ready);
        rest = not_yet;
        if ready.is_empty() {
            return (order, rest);
        }
        placed.extend(ready.iter().map(|&thing| things[thing].name.as_str()));
        order.extend(ready);
    }
}
