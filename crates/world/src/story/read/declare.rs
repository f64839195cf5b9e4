//! `actor`, `thing` and `node`: who and what is in a story.

use super::{MOST_ACTORS, Reading, Whose, at_mark, state_of, whole};
use crate::story::{
    ActorEntry, Deed, Driver, Need, NodeEntry, Stance, Story, ThingEntry, ThingSort,
};
use throng_domain::notes::{Lost, Note, NoteReader, NoteWord, WordKind};
use throng_domain::{Code, Model};

/// Kinds of things, with the states of those that need not list them.
const SORTS: [(&str, ThingSort, &[&str]); 6] = [
    ("door", ThingSort::Door, &["shut", "open"]),
    ("window", ThingSort::Window, &["whole", "broken"]),
    ("ladder", ThingSort::Ladder, &["free"]),
    ("item", ThingSort::Item, &["lying", "taken"]),
    ("vehicle", ThingSort::Vehicle, &["free", "taken"]),
    ("device", ThingSort::Device, &["off", "on"]),
];

/// More health or rounds mean nothing.
const MOST: f64 = 1_000_000.0;

impl<'m> Reading<'m> {
    /// `thing NAME at MARK: KIND STATE, STATE … [blocked] [needs THING = STATE, …]`
    pub(super) fn thing(&mut self, note: &'m Note) -> Result<(), Lost> {
        let name = self.declare(note, "thing")?;
        let position = self.story.things.len();
        self.story.things.push(ThingEntry {
            name,
            cell: [0, 0],
            sort: ThingSort::Device,
            states: Vec::new(),
            blocked: false,
            needs: Vec::new(),
        });
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(":")?;
        let word = reader.name("what it is, as `door`")?;
        let Some(&(_, sort, usual)) = SORTS.iter().find(|(sort, ..)| *sort == word.text) else {
            let known = SORTS.iter().map(|(sort, ..)| *sort);
            return Err(reader.unknown("kind of thing", &word.text, word.span, known));
        };
        let states = states(&mut reader)?;
        let entry = &mut self.story.things[position];
        (entry.cell, entry.sort) = (cell, sort);
        entry.states = match states.is_empty() {
            true => usual.iter().map(|state| state.to_string()).collect(),
            false => states,
        };
        entry.blocked = reader.take_word("blocked");
        needs(&mut reader, note, Whose::Thing(position), &mut self.needs)?;
        reader.end()
    }

    /// `node NAME at MARK: KIND [needs THING = STATE, …]`
    pub(super) fn node(&mut self, note: &'m Note) -> Result<(), Lost> {
        let name = self.declare(note, "node")?;
        let position = self.story.nodes.len();
        let entry = NodeEntry { name, cell: [0, 0], sort: String::new(), needs: Vec::new() };
        self.story.nodes.push(entry);
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(":")?;
        let sort = reader.name("what it is good for, as `cover`")?.text.clone();
        let entry = &mut self.story.nodes[position];
        (entry.cell, entry.sort) = (cell, sort);
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

    /// `actor NAME at MARK: npc TYPE …` or `actor NAME at MARK: player …`
    pub(super) fn actor(&mut self, note: &'m Note) -> Result<(), Lost> {
        if self.story.actors.len() >= MOST_ACTORS {
            let text = format!("more than {MOST_ACTORS} actors");
            self.report.say(Code::NoteSense, note.span, text, "leave some out");
            return Err(Lost);
        }
        let name = self.declare(note, "actor")?;
        let position = self.story.actors.len();
        self.story.actors.push(ActorEntry {
            name,
            cell: [0, 0],
            driver: Driver::Script,
            side: String::new(),
            weapon: None,
            drawn: true,
            rounds: 30,
            health: 100,
            stance: Stance::Standing,
            present: true,
        });
        let mut reader = NoteReader::new(note, &mut self.report);
        reader.next();
        let cell = at_mark(&self.story, &mut reader)?;
        reader.sign(":")?;
        let driver = driver(self.model, &mut reader)?;
        let entry = &mut self.story.actors[position];
        entry.cell = cell;
        entry.side = if driver == Driver::Script { "player" } else { "npc" }.to_string();
        entry.driver = driver;
        let mut said: Vec<&str> = Vec::new();
        while let Some(word) = reader.peek() {
            let kind = attribute(entry, &mut reader)?;
            if said.contains(&kind) {
                let text = format!("`{}`: the {kind} is said twice", word.text);
                reader.report.say(Code::NoteTwice, word.span, text, "leave one out");
            }
            said.push(kind);
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
fn driver(model: &Model, reader: &mut NoteReader<'_, '_>) -> Result<Driver, Lost> {
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
            let known = model.npcs().iter().map(throng_domain::model::Npc::name);
            Err(reader.unknown("NPC type", &word.text, word.span, known))
        }
    }
}

/// One more word about an actor; gives what it was about.
fn attribute(
    entry: &mut ActorEntry,
    reader: &mut NoteReader<'_, '_>,
) -> Result<&'static str, Lost> {
    const WORDS: [&str; 9] = [
        "side",
        "weapon",
        "rounds",
        "health",
        "holstered",
        "standing",
        "crouched",
        "riding",
        "climbing",
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
            entry.rounds = whole(reader, "how many rounds", 0.0, MOST)?;
            "rounds"
        }
        "health" => {
            entry.health = whole(reader, "how much it can bear", 1.0, MOST)?;
            "health"
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
            entry.stance = Stance::Riding;
            "stance"
        }
        "climbing" => {
            entry.stance = Stance::Climbing;
            "stance"
        }
        _ => {
            let known = WORDS.into_iter();
            return Err(reader.unknown("word about an actor", &word.text, word.span, known));
        }
    })
}

/// The states of a thing, separated by commas; none if something else follows.
fn states(reader: &mut NoteReader<'_, '_>) -> Result<Vec<String>, Lost> {
    let mut states: Vec<String> = Vec::new();
    let ends = |word: &NoteWord| {
        word.kind == WordKind::Name && matches!(word.text.as_str(), "needs" | "blocked")
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
        if !reader.take_sign(",") {
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
) -> Result<(), Lost> {
    if !reader.take_word("needs") {
        return Ok(());
    }
    loop {
        let thing = reader.name("a thing, as in `needs table = flipped`")?;
        reader.sign("=")?;
        needs.push((whose, note, thing, reader.value("a state")?));
        if !reader.take_sign(",") {
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
) -> Result<Need, Lost> {
    let Some(position) = story.things.iter().position(|known| known.name == thing.text) else {
        let known = story.things.iter().map(|known| known.name.as_str());
        return Err(reader.unknown("thing", &thing.text, thing.span, known));
    };
    let state = state_of(&story.things[position], state, reader)?;
    Ok(Need { thing: position, state })
}
