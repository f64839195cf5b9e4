//! `actor`, `thing` and `node`: who and what is in a story.

use super::{NOWHERE, Reading, Whose, at_mark, state_of, whole};
use crate::build::{MOST_ACTORS, MOST_THINGS};
use crate::cell::Cell;
use crate::story::{ActorEntry, Deed, Driver, Need, NodeEntry, Stance, Story, ThingEntry};
use crate::thing::ThingKind;
use throng_domain::notes::{Note, NoteReader, NoteWord, Relation, Reported, WordKind};
use throng_domain::{Code, Model};

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

impl<'m> Reading<'m> {
    /// Whether one more fits.
    fn room(&mut self, note: &Note, have: usize, most: usize) -> Result<(), Reported> {
        if have < most {
            return Ok(());
        }
        let text = format!("more than {most} statements of `{}`", note.keyword.word);
        self.report.say(Code::NoteSense, note.span, text, "leave some out");
        Err(Reported)
    }

    /// `thing NAME at MARK: KIND STATE, STATE … [blocked] [needs THING = STATE, …]`
    pub(super) fn thing(&mut self, note: &'m Note) -> Result<(), Reported> {
        self.room(note, self.story.things.len(), MOST_THINGS)?;
        let name = self.declare(note, "thing")?;
        let position = self.story.things.len();
        self.story.things.push(ThingEntry {
            name,
            cell: Cell::default(),
            kind: ThingKind::Device,
            states: Vec::new(),
            blocked: false,
            rounds: 0,
            needs: Vec::new(),
        });
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(WordKind::Colon)?;
        let word = reader.name("what it is, as `door`")?;
        let Some(&(_, kind, usual)) = KINDS.iter().find(|(name, ..)| *name == word.text) else {
            let known = KINDS.iter().map(|(name, ..)| *name);
            return Err(reader.unknown("kind of thing", &word.text, word.span, known));
        };
        let states = states(&mut reader)?;
        let entry = &mut self.story.things[position];
        (entry.cell, entry.kind) = (cell, kind);
        entry.states = match states.is_empty() {
            true => usual.iter().map(|state| state.to_string()).collect(),
            false => states,
        };
        while !(reader.is_done() || reader.sees("needs")) {
            if kind == ThingKind::Door && !entry.blocked && reader.take_word("blocked") {
                entry.blocked = true;
            } else if kind == ThingKind::Item && reader.take_word("rounds") {
                entry.rounds = whole(&mut reader, "how many rounds", 0.0, MOST_ROUNDS)? as u16;
            } else {
                let what = "`,`, `needs`, `blocked` (doors), `rounds` (items) or the end";
                return Err(reader.expected(what));
            }
        }
        needs(&mut reader, note, Whose::Thing(position), &mut self.needs)?;
        reader.end()
    }

    /// `node NAME at MARK: KIND [radius CELLS] [needs THING = STATE, …]`
    pub(super) fn node(&mut self, note: &'m Note) -> Result<(), Reported> {
        self.room(note, self.story.nodes.len(), MOST_THINGS)?;
        let name = self.declare(note, "node")?;
        let position = self.story.nodes.len();
        let entry = NodeEntry {
            name,
            cell: Cell::default(),
            sort: String::new(),
            radius: None,
            needs: Vec::new(),
        };
        self.story.nodes.push(entry);
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(WordKind::Colon)?;
        let sort = reader.name("what it is good for, as `cover`")?.text.clone();
        let entry = &mut self.story.nodes[position];
        (entry.cell, entry.sort) = (cell, sort);
        if reader.take_word("radius") {
            entry.radius = Some(whole(&mut reader, "how many cells", 1.0, MOST_RADIUS)? as u16);
        }
        needs(&mut reader, note, Whose::Node(position), &mut self.needs)?;
        reader.end()
    }

    /// Looks up what `needs` speak of, now that all things are known.
    pub(super) fn resolve_needs(&mut self) {
        for (whose, note, thing, state) in std::mem::take(&mut self.needs) {
            let mut reader = NoteReader::new(note, &mut self.report);
            let Ok(need) = need(&self.story, thing, state, &mut reader) else { continue };
            match whose {
                Whose::Thing(position) if position == need.thing => {
                    let text = format!("`{}` needs itself", thing.text);
                    let cure = "name another thing, or leave `needs` out";
                    self.report.say(Code::NoteSense, thing.span, text, cure);
                }
                Whose::Thing(position) => self.story.things[position].needs.push(need),
                Whose::Node(position) => self.story.nodes[position].needs.push(need),
            }
        }
    }

    /// Two ways through one cell, and things that need each other in a circle.
    pub(super) fn check_things(&mut self) {
        let things = &self.story.things;
        let links = || {
            let placed = |thing: &ThingEntry| thing.kind.is_link() && thing.cell != NOWHERE;
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
        // Who cannot be placed needs somebody who cannot: after so many steps we are in a circle.
        for _ in 0..things.len() {
            let next = things[thing].needs.iter().find(|need| cannot.contains(&need.thing));
            thing = next.map_or(thing, |need| need.thing);
        }
        let name = &things[thing].name;
        let text = format!("`{name}` needs what in the end needs `{name}`");
        let cure = "break the circle: let one of them need nothing";
        self.report.say(Code::NoteSense, span(name), text, cure);
    }

    /// `actor NAME at MARK: npc TYPE … [times N]` or `actor NAME at MARK: player …`
    pub(super) fn actor(&mut self, note: &'m Note) -> Result<(), Reported> {
        self.room(note, self.story.actors.len(), MOST_ACTORS)?;
        let name = self.declare(note, "actor")?;
        let position = self.story.actors.len();
        self.story.actors.push(ActorEntry {
            name,
            cell: Cell::default(),
            driver: Driver::Script,
            side: String::new(),
            weapon: None,
            drawn: true,
            rounds: 12,
            grenades: 0,
            health: 100,
            stance: Stance::Standing,
            present: true,
        });
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(WordKind::Colon)?;
        let driver = driver(self.model, &mut reader)?;
        let entry = &mut self.story.actors[position];
        entry.cell = cell;
        entry.side = if driver == Driver::Script { "player" } else { "npc" }.to_string();
        entry.driver = driver;
        let mut said: Vec<&str> = Vec::new();
        let mut times = 1;
        while let Some(word) = reader.peek() {
            if times == 1 && reader.take_word("times") {
                times = whole(&mut reader, "how many of them", 2.0, MOST_ACTORS as f64)?;
                continue;
            }
            let kind = attribute(entry, &self.story.things, &mut reader)?;
            if said.contains(&kind) {
                let text = format!("`{}`: the {kind} is said twice", word.text);
                reader.report.say(Code::NoteTwice, word.span, text, "leave one out");
            }
            said.push(kind);
        }
        self.repeat(note, position, times as usize)
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

    /// Whom the script lets appear first is not there from the beginning. Entries are in the
    /// order of the text here, so the earliest is looked for.
    pub(super) fn begin_absent(&mut self) {
        for (position, actor) in self.story.actors.iter_mut().enumerate() {
            let comes_or_goes = |deed: &Deed| match deed {
                Deed::Appears { actor, .. } if *actor == position => Some(true),
                Deed::Leaves(actor) if *actor == position => Some(false),
                _ => None,
            };
            let entries = self.story.script.iter();
            let entries = entries.filter_map(|entry| Some((entry.at, comes_or_goes(&entry.deed)?)));
            let first = entries.min_by_key(|(at, _)| *at);
            actor.present = first.is_none_or(|(_, appears)| !appears);
        }
    }
}

/// Who moves an actor.
fn driver(model: &Model, reader: &mut NoteReader<'_, '_>) -> Result<Driver, Reported> {
    if reader.take_word("player") {
        return Ok(Driver::Script);
    }
    if !reader.take_word("npc") {
        return Err(reader.expected("`npc` and its type, or `player`"));
    }
    let word = reader.name("an NPC type")?;
    match model.npcs().iter().position(|npc| npc.name() == word.text) {
        Some(position) => Ok(Driver::Mind(position)),
        None => {
            let known = model.npcs().iter().map(throng_domain::model::NpcType::name);
            Err(reader.unknown("NPC type", &word.text, word.span, known))
        }
    }
}

/// One more word about an actor; gives what it was about.
fn attribute(
    entry: &mut ActorEntry,
    things: &[ThingEntry],
    reader: &mut NoteReader<'_, '_>,
) -> Result<&'static str, Reported> {
    const WORDS: [&str; 11] = [
        "side",
        "weapon",
        "rounds",
        "grenades",
        "health",
        "holstered",
        "standing",
        "crouched",
        "riding",
        "climbing",
        "times",
    ];
    let word = reader.name("something about the actor, as `side red`")?;
    Ok(match word.text.as_str() {
        "side" => {
            entry.side = reader.name("the side it is on")?.text.clone();
            "side"
        }
        "weapon" => {
            let weapon = reader.name("the name of the weapon, or `none`")?.text.clone();
            entry.weapon = Some(weapon).filter(|weapon| weapon != "none");
            "weapon"
        }
        "rounds" => {
            entry.rounds = whole(reader, "how many rounds", 0.0, MOST_ROUNDS)? as u16;
            "rounds"
        }
        "health" => {
            entry.health = whole(reader, "how much it can bear", 1.0, MOST_HEALTH)? as i32;
            "health"
        }
        "grenades" => {
            entry.grenades = whole(reader, "how many grenades", 0.0, MOST_ROUNDS)? as u16;
            "grenades"
        }
        "holstered" => {
            entry.drawn = false;
            "drawing"
        }
        "standing" => "stance",
        "crouched" => {
            entry.stance = Stance::Crouched;
            "stance"
        }
        "riding" => {
            entry.stance = Stance::Riding(mount(things, ThingKind::Vehicle, reader)?);
            "stance"
        }
        "climbing" => {
            entry.stance = Stance::Climbing(mount(things, ThingKind::Ladder, reader)?);
            "stance"
        }
        _ => {
            let known = WORDS.into_iter();
            return Err(reader.unknown("word about an actor", &word.text, word.span, known));
        }
    })
}

/// What an actor is on at the beginning.
fn mount(
    things: &[ThingEntry],
    kind: ThingKind,
    reader: &mut NoteReader<'_, '_>,
) -> Result<usize, Reported> {
    let word = reader.name("what it is on")?;
    let is = |thing: &ThingEntry| thing.name == word.text && thing.kind == kind;
    match things.iter().position(is) {
        Some(position) => Ok(position),
        None => {
            let known = things.iter().filter(|thing| thing.kind == kind);
            let known = known.map(|thing| thing.name.as_str());
            let what = if kind == ThingKind::Ladder { "ladder" } else { "vehicle" };
            Err(reader.unknown(what, &word.text, word.span, known))
        }
    }
}

/// The states of a thing, separated by commas; none if something else follows.
fn states(reader: &mut NoteReader<'_, '_>) -> Result<Vec<String>, Reported> {
    let mut states: Vec<String> = Vec::new();
    let ends = |word: &NoteWord| {
        word.kind == WordKind::Name && matches!(word.text.as_str(), "needs" | "blocked" | "rounds")
    };
    if reader.peek().is_none_or(ends) {
        return Ok(states);
    }
    loop {
        let word = reader.value("a state")?;
        if states.contains(&word.text) {
            let text = format!("the state `{}` is listed twice", word.text);
            reader.report.say(Code::NoteTwice, word.span, text, "leave one out");
        }
        states.push(word.text.clone());
        if !reader.take_sign(WordKind::Comma) {
            return Ok(states);
        }
    }
}

/// `needs THING = STATE, THING = STATE`, to be looked up later.
fn needs<'m>(
    reader: &mut NoteReader<'m, '_>,
    note: &'m Note,
    whose: Whose,
    needs: &mut Vec<(Whose, &'m Note, &'m NoteWord, &'m NoteWord)>,
) -> Result<(), Reported> {
    if !reader.take_word("needs") {
        return Ok(());
    }
    loop {
        let thing = reader.name("a thing, as in `needs table = flipped`")?;
        reader.sign(WordKind::Compare(Relation::Is))?;
        needs.push((whose, note, thing, reader.value("a state")?));
        if !reader.take_sign(WordKind::Comma) {
            return Ok(());
        }
    }
}

/// A thing in a state, both looked up.
pub(super) fn need(
    story: &Story,
    thing: &NoteWord,
    state: &NoteWord,
    reader: &mut NoteReader<'_, '_>,
) -> Result<Need, Reported> {
    let Some(position) = story.things.iter().position(|known| known.name == thing.text) else {
        let known = story.things.iter().map(|known| known.name.as_str());
        return Err(reader.unknown("thing", &thing.text, thing.span, known));
    };
    let state = state_of(&story.things[position], state, reader)?;
    Ok(Need { thing: position, state })
}

/// Things in an order in which each comes after those that it needs, and those that cannot be
/// put so.
pub(crate) fn build_order(things: &[ThingEntry]) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut rest) = (Vec::new(), (0..things.len()).collect::<Vec<_>>());
    let mut placed = vec![false; things.len()];
    loop {
        let is_ready = |thing: &usize| things[*thing].needs.iter().all(|need| placed[need.thing]);
        let (ready, not_yet): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_ready);
        rest = not_yet;
        if ready.is_empty() {
            return (order, rest);
        }
        ready.iter().for_each(|&thing| placed[thing] = true);
        order.extend(ready);
    }
}
