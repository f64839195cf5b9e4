//! `at SECONDS: …`: what happens without anybody's mind deciding it.

use super::declare::need;
use super::{Reading, at_mark, mark, spelled, whole};
use crate::story::{Deed, Driver, ScriptEntry, Story};
use crate::thing::ThingKind;
use throng_domain::Code;
use throng_domain::notes::{Note, NoteReader, NoteWord, Relation, Reported, WordKind};

/// What the script may say of an actor.
const OF_ACTORS: [&str; 9] =
    ["moves", "runs", "throws", "aims", "fires", "loses", "dies", "appears", "leaves"];

/// Noises are not heard farther, in cells.
const LOUDEST: f64 = 1000.0;

impl<'m> Reading<'m> {
    /// One entry of the script.
    pub(super) fn script(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut reader = NoteReader::new(note, &mut self.report);
        let at = Self::moment(&self.story, &mut reader)?;
        reader.sign(WordKind::Colon)?;
        let deed = deed(&self.story, &mut reader)?;
        reader.end()?;
        let text = spelled(&note.words);
        let text = text.split_once(": ").map_or(text.as_str(), |(_, rest)| rest).to_string();
        self.story.script.push(ScriptEntry { at, deed, text });
        Ok(())
    }
}

fn deed(story: &Story, reader: &mut NoteReader<'_, '_>) -> Result<Deed, Reported> {
    if reader.take_word("noise") {
        let at = at_mark(story, reader)?;
        if !reader.take_word("radius") {
            return Err(reader.expected("`radius` and how far it is heard"));
        }
        let radius = whole(reader, "how far it is heard, in cells", 1.0, LOUDEST)? as u16;
        return Ok(Deed::Noise { at, radius });
    }
    let subject = reader.name("an actor, a thing, or `noise`")?;
    if let Some(actor) = story.actors.iter().position(|actor| actor.name == subject.text) {
        return of_actor(story, actor, reader);
    }
    if let Some(thing) = story.things.iter().position(|thing| thing.name == subject.text) {
        return of_thing(story, thing, subject, reader);
    }
    let known = names(story).chain(["noise"]);
    Err(reader.unknown_in_order("actor or thing", &subject.text, subject.span, known))
}

/// The names of all actors and things.
pub(super) fn names(story: &Story) -> impl Iterator<Item = &str> + Clone {
    let actors = story.actors.iter().map(|actor| actor.name.as_str());
    actors.chain(story.things.iter().map(|thing| thing.name.as_str()))
}

fn of_thing(
    story: &Story,
    thing: usize,
    subject: &NoteWord,
    reader: &mut NoteReader<'_, '_>,
) -> Result<Deed, Reported> {
    if reader.take_sign(WordKind::Compare(Relation::Is)) {
        let state = reader.value("a state")?;
        return Ok(Deed::Becomes(need(story, subject, state, reader)?));
    }
    if !reader.take_word("is") {
        return Err(reader.expected("`= STATE`, `is blocked` or `is free`"));
    }
    let blocked = match (reader.take_word("blocked"), reader.take_word("free")) {
        (true, false) => true,
        (false, true) => false,
        _ => return Err(reader.expected("`blocked` or `free`")),
    };
    if story.things[thing].kind != ThingKind::Door {
        let text = format!("`{}` is no door, so nothing can block it", subject.text);
        reader.report.say(Code::NoteSense, subject.span, text, "name a door");
        return Err(Reported);
    }
    Ok(Deed::Blocked { thing, blocked })
}

fn of_actor(
    story: &Story,
    actor: usize,
    reader: &mut NoteReader<'_, '_>,
) -> Result<Deed, Reported> {
    let verb = reader.name("what it does, as `moves to`")?;
    match verb.text.as_str() {
        "moves" | "runs" => {
            driven(story, actor, verb, reader)?;
            keyword(reader, "to")?;
            Ok(Deed::Moves { actor, to: mark(story, reader)?, runs: verb.text == "runs" })
        }
        "throws" => {
            driven(story, actor, verb, reader)?;
            keyword(reader, "grenade")?;
            Ok(Deed::Throws { actor, to: at_mark(story, reader)? })
        }
        "aims" => {
            driven(story, actor, verb, reader)?;
            Ok(Deed::Aims { actor, at: other(story, actor, reader)? })
        }
        "fires" => {
            driven(story, actor, verb, reader)?;
            let at = other(story, actor, reader)?;
            if story.actors[actor].weapon.is_none() {
                let text = format!("`{}` has no weapon", story.actors[actor].name);
                let cure = "give it one: `weapon rifle`";
                reader.report.say(Code::NoteSense, verb.span, text, cure);
            }
            Ok(Deed::Fires { actor, at })
        }
        "loses" => keyword(reader, "weapon").map(|()| Deed::LosesWeapon(actor)),
        "dies" => Ok(Deed::Dies(actor)),
        "appears" => Ok(Deed::Appears { actor, at: at_mark(story, reader)? }),
        "leaves" => Ok(Deed::Leaves(actor)),
        _ => Err(reader.unknown("deed", &verb.text, verb.span, OF_ACTORS.into_iter())),
    }
}

/// What minds decide for themselves, the script may not do for them.
fn driven(
    story: &Story,
    actor: usize,
    verb: &NoteWord,
    reader: &mut NoteReader<'_, '_>,
) -> Result<(), Reported> {
    let actor = &story.actors[actor];
    if actor.driver == Driver::Script {
        return Ok(());
    }
    let text = format!("`{}` has a mind: the script cannot do this for it", actor.name);
    let cure = "let a `player` do it; minds may only lose weapons, die, appear and leave";
    reader.report.say(Code::NoteSense, verb.span, text, cure);
    Err(Reported)
}

fn keyword(reader: &mut NoteReader<'_, '_>, word: &str) -> Result<(), Reported> {
    if reader.take_word(word) { Ok(()) } else { Err(reader.expected(&format!("`{word}`"))) }
}

/// `at ACTOR`, somebody else.
fn other(story: &Story, actor: usize, reader: &mut NoteReader<'_, '_>) -> Result<usize, Reported> {
    keyword(reader, "at")?;
    let word = reader.name("an actor")?;
    match story.actors.iter().position(|known| known.name == word.text) {
        Some(at) if at != actor => Ok(at),
        Some(_) => {
            let text = format!("`{}` at itself", word.text);
            reader.report.say(Code::NoteSense, word.span, text, "name somebody else");
            Err(Reported)
        }
        None => {
            let known = story.actors.iter().map(|known| known.name.as_str());
            Err(reader.unknown("actor", &word.text, word.span, known))
        }
    }
}
