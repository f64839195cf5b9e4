//! `at SECONDS: …`: what happens without a mind's decision.

use super::{LONGEST, Reading, Statement, whole};
use crate::story::facts::Telling;
use crate::story::{Cue, Deed, ScriptEntry};
use crate::thing::ThingKind;
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};

/// What the script may say of an actor that it moves.
const OF_PLAYERS: [&str; 5] = ["moves", "runs", "throws", "aims", "fires"];
/// What it may say of any actor.
const OF_ACTORS: [&str; 5] = ["loses", "dies", "appears", "leaves", "is"];

/// Noises are not heard farther, in cells.
const LOUDEST: f64 = 1000.0;

impl<'m> Reading<'m> {
    /// One entry of the script.
    pub(super) fn script(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut statement = self.statement(note);
        let cue = match note.keyword.word {
            "when" => statement.cue()?,
            _ => statement.time()?,
        };
        statement.sign(WordKind::Colon)?;
        let (who, deed) = statement.deed()?;
        statement.end()?;
        if matches!(cue, Cue::Between(..)) && (who.is_some() || !matches!(deed, Deed::Tells(_))) {
            let text = "only what everybody is told comes to each in a moment of his own";
            let cure = "write one moment, or `everybody is told …`";
            return Err(statement.senseless(note.span, text, cure));
        }
        let text = note.text();
        let text = text.split_once(": ").map_or(text.as_str(), |(_, rest)| rest).to_string();
        self.story.script.push(ScriptEntry { cue, who, deed, text });
        Ok(())
    }
}

impl Statement<'_, '_> {
    /// `ACTOR at MARK`, `ACTOR is dead`, `THING = STATE`.
    fn cue(&mut self) -> Result<Cue, Reported> {
        let (subject, story) = (self.name("an actor or a thing")?, self.story);
        if let Some(actor) = story.find_actor(&subject.text) {
            if self.take_word("at") {
                return Ok(Cue::Reaches(actor, self.spot()?));
            }
            return match self.take_word("is") && self.take_word("dead") {
                true => Ok(Cue::Dead(actor)),
                false => Err(self.expected("`at MARK` or `is dead`")),
            };
        }
        if story.find_thing(&subject.text).is_some() {
            self.sign(WordKind::Compare(Relation::Is))?;
            let state = self.value("a state")?;
            return Ok(Cue::Is(self.need(subject, state)?));
        }
        let known = story.actor_names().chain(story.thing_names());
        Err(self.unknown("actor or thing", &subject.text, subject.span, known))
    }

    /// `SECONDS`, or `SECONDS to SECONDS`.
    fn time(&mut self) -> Result<Cue, Reported> {
        let first = self.moment()?;
        if !self.take_word("to") {
            return Ok(Cue::At(first));
        }
        let place = self.place();
        let last = self.moment()?;
        match first < last {
            true => Ok(Cue::Between(first, last)),
            false => Err(self.senseless(
                place,
                "it ends before it begins",
                "write the later moment last",
            )),
        }
    }

    /// `told KIND(…) and KIND(…) for SECONDS`, behind `is`.
    fn telling(&mut self) -> Result<Deed, Reported> {
        self.keyword("told", "`told` and a fact, as in `is told hunger(amount = 60) for 30`")?;
        let mut facts = Vec::new();
        loop {
            let kind = self.name("a kind of facts")?.text.clone();
            let attributes = self.attributes(&kind)?;
            facts.push((kind, attributes));
            if !self.take_word("and") {
                break;
            }
        }
        self.keyword(
            "for",
            "`and` and another fact, or `for` and how many seconds it is remembered",
        )?;
        let seconds = self.number("how many seconds", 0.1, LONGEST)?;
        let keeps = self.story.pace.ticks(seconds).max(1);
        let telling = |(kind, attributes)| Telling { kind, attributes, keeps };
        Ok(Deed::Tells(facts.into_iter().map(telling).collect()))
    }

    /// What happens, and which actor does it.
    fn deed(&mut self) -> Result<(Option<usize>, Deed), Reported> {
        let story = self.story;
        if self.take_word("noise") {
            let at = self.at_one_mark()?;
            self.keyword("radius", "`radius` and how far it is heard")?;
            let radius = whole(self, "how far it is heard, in cells", 1.0, LOUDEST)? as u16;
            let event = match self.take_word("event") {
                true => Some(self.name("what it is, as `scream`")?.text.clone()),
                false => None,
            };
            return Ok((None, Deed::Noise { at, radius, event }));
        }
        if self.take_word("everybody") {
            self.keyword("is", "`is told` and a fact")?;
            return Ok((None, self.telling()?));
        }
        let subject = self.name("an actor, a thing, `noise` or `everybody`")?;
        if let Some(actor) = story.find_actor(&subject.text) {
            return Ok((Some(actor), self.of_actor(actor)?));
        }
        if let Some(thing) = story.find_thing(&subject.text) {
            return Ok((None, self.of_thing(thing, subject)?));
        }
        let known = story.actor_names().chain(story.thing_names()).chain(["noise", "everybody"]);
        Err(self.unknown_in_order("actor or thing", &subject.text, subject.span, known))
    }

    fn of_thing(&mut self, thing: usize, subject: &NoteWord) -> Result<Deed, Reported> {
        if self.take_sign(WordKind::Compare(Relation::Is)) {
            let state = self.value("a state")?;
            return Ok(Deed::Becomes(self.need(subject, state)?));
        }
        self.keyword("is", "`= STATE`, `is blocked` or `is free`")?;
        let blocked = match (self.take_word("blocked"), self.take_word("free")) {
            (true, false) => true,
            (false, true) => false,
            _ => return Err(self.expected("`blocked` or `free`")),
        };
        if self.story.things[thing].kind != ThingKind::Door {
            let text = format!("`{}` is no door, so nothing can block it", subject.text);
            return Err(self.senseless(subject.span, text, "name a door"));
        }
        Ok(Deed::Blocked { thing, blocked })
    }

    fn of_actor(&mut self, actor: usize) -> Result<Deed, Reported> {
        let verb = self.name("what it does, as `moves to`")?;
        let entry = &self.story.actors[actor];
        // What minds decide for themselves, the script may not do for them.
        if entry.is_minded() && OF_PLAYERS.contains(&verb.text.as_str()) {
            let text = format!("`{}` has a mind: the script cannot do this for it", entry.name);
            let cure = "let a `player` do it; minds may only lose weapons, die, appear and leave";
            return Err(self.senseless(verb.span, text, cure));
        }
        match verb.text.as_str() {
            "moves" | "runs" => {
                self.keyword("to", "`to`")?;
                let to = self.one_mark()?;
                Ok(if verb.text == "runs" { Deed::Runs(to) } else { Deed::Moves(to) })
            }
            "throws" => {
                self.keyword("grenade", "`grenade`")?;
                Ok(Deed::Throws(self.at_one_mark()?))
            }
            "aims" => Ok(Deed::Aims(self.other(actor)?)),
            "fires" => {
                let at = self.other(actor)?;
                if entry.weapon.is_none() {
                    let text = format!("`{}` has no weapon", entry.name);
                    self.senseless(verb.span, text, "give it one: `weapon rifle`");
                }
                Ok(Deed::Fires(at))
            }
            "loses" => self.keyword("weapon", "`weapon`").map(|()| Deed::LosesWeapon),
            "dies" => Ok(Deed::Dies),
            "appears" => Ok(Deed::Appears(self.at_one_mark()?)),
            "leaves" => Ok(Deed::Leaves),
            "is" if entry.is_minded() => self.telling(),
            "is" => {
                let text = format!("`{}` has no mind that could be told", entry.name);
                Err(self.senseless(verb.span, text, "tell an actor with `npc TYPE`"))
            }
            _ => {
                let known = OF_PLAYERS.into_iter().chain(OF_ACTORS);
                Err(self.unknown("deed", &verb.text, verb.span, known))
            }
        }
    }

    /// `at ACTOR`, another one.
    fn other(&mut self, actor: usize) -> Result<usize, Reported> {
        self.keyword("at", "`at`")?;
        let word = self.name("an actor")?;
        let at = self.find("actor", word, self.story.actor_names())?;
        if at == actor {
            let text = format!("`{}` at itself", word.text);
            return Err(self.senseless(word.span, text, "name somebody else"));
        }
        Ok(at)
    }
}
