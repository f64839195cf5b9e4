//! `thing` and `node`, word by word.

use super::asks::{Asked, AsksRead};
use super::{LONGEST, Statement, whole};
use crate::build::{Facing, NodeDraft, ThingDraft, WareDraft};
use crate::goods::{MOST_OF_ONE, MOST_WARES};
use crate::thing::ThingKind;
use throng_base::nearest;
use throng_domain::Code;
use throng_domain::notes::{NoteWord, Reported, WordKind};

/// Kinds of things, with the states of those that need not list them.
const KINDS: [(&str, ThingKind, &[&str]); 6] = [
    ("door", ThingKind::Door, &["shut", "open"]),
    ("window", ThingKind::Window, &["whole", "broken"]),
    ("ladder", ThingKind::Ladder, &["free"]),
    ("item", ThingKind::Item, &["lying", "taken"]),
    ("vehicle", ThingKind::Vehicle, &["free", "taken"]),
    ("device", ThingKind::Device, USUAL_OF_DEVICES),
];
const USUAL_OF_DEVICES: &[&str] = &["off", "on"];

/// The states of things that do not list theirs.
pub(crate) fn usual_states() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|(_, _, states)| states.iter().copied())
}

/// No map is wider.
const MOST_RADIUS: f64 = 200.0;
/// More rounds or grenades mean nothing.
pub(super) const MOST_ROUNDS: f64 = 10_000.0;

/// The directions of a map, north above; steps to the side and down.
const DIRECTIONS: [(&str, (i16, i16)); 8] = [
    ("north", (0, -1)),
    ("south", (0, 1)),
    ("east", (1, 0)),
    ("west", (-1, 0)),
    ("northeast", (1, -1)),
    ("northwest", (-1, -1)),
    ("southeast", (1, 1)),
    ("southwest", (-1, 1)),
];
/// Cover that faces a direction protects from this many degrees, unless it says otherwise.
const USUAL_ARC: u16 = 180;

impl<'m> Statement<'m, '_> {
    /// `thing NAME at MARK: KIND STATE, STATE … [blocked] [rounds N] [needs …] [follows …] [holds …]
    /// [lasts SECONDS] [each]`
    pub(super) fn thing(
        &mut self,
        entry: &mut ThingDraft,
        asks: &mut AsksRead<'m>,
    ) -> Result<(), Reported> {
        let cell = self.placed()?;
        let word = self.name("what it is, as `door`")?;
        let (kind, usual) = self.kind(word)?;
        if kind.name() != word.text {
            entry.sort.clone_from(&word.text);
        }
        let states = self.states()?;
        (entry.cell, entry.kind) = (cell, kind);
        entry.arms = (kind == ThingKind::Item).then_some(0);
        entry.states = match states.is_empty() {
            true => usual.iter().map(|state| state.to_string()).collect(),
            false => states,
        };
        while !self.is_done() {
            if kind == ThingKind::Door && !entry.blocked && self.take_word("blocked") {
                entry.blocked = true;
            } else if kind == ThingKind::Item && self.take_word("rounds") {
                entry.arms = Some(whole(self, "how many rounds", 0.0, MOST_ROUNDS)? as u16);
            } else if self.take_word("needs") {
                self.needs(asks)?;
            } else if self.take_word("follows") {
                self.follows(asks)?;
            } else if self.take_word("holds") {
                self.wares(&mut entry.wares, true)?;
            } else if entry.lasts.is_none() && self.take_word("lasts") {
                let what = "how many seconds until it is in its first state again";
                let seconds = self.number(what, 0.1, LONGEST)?;
                entry.lasts = Some(self.story.pace.ticks(seconds).max(1));
            } else if !self.take_each() {
                let what = "`,`, `needs`, `follows`, `holds`, `lasts`, `blocked` (doors), `rounds` \
                            (items), `each` or the end";
                return Err(self.expected(what));
            }
        }
        Ok(())
    }

    /// `WARE N`, and of things `[of MOST] [for PRICE]`, separated by commas.
    pub(super) fn wares(
        &mut self,
        list: &mut Vec<WareDraft>,
        to_be_had: bool,
    ) -> Result<(), Reported> {
        loop {
            let word = self.name("what it has, as `bread`")?;
            let most = f64::from(MOST_OF_ONE);
            let amount = whole(self, "how much of it", 0.0, most)?;
            let mut ware = WareDraft { name: word.text.clone(), amount, most: None, price: 0 };
            if to_be_had && self.take_word("of") {
                let least = f64::from(amount.max(1));
                ware.most = Some(whole(self, "how much there is room for", least, most)?);
            }
            if to_be_had && self.take_word("for") {
                ware.price = whole(self, "how many coins one costs", 0.0, most)?;
            }
            if list.iter().any(|known| known.name == ware.name) {
                let text = format!("`{}` is said twice", ware.name);
                self.report.say(Code::NoteTwice, word.span, text, "leave one out");
            }
            if list.len() == MOST_WARES {
                let text = format!("more than {MOST_WARES} wares");
                return Err(self.senseless(word.span, text, "leave some out"));
            }
            list.push(ware);
            if !self.take_sign(WordKind::Comma) {
                return Ok(());
            }
        }
    }

    /// What kind of thing a word names: one of the world's, or a device of a kind of its own unless
    /// it looks like a slip.
    fn kind(&mut self, word: &NoteWord) -> Result<(ThingKind, &'static [&'static str]), Reported> {
        let known = KINDS.iter().map(|(name, ..)| *name);
        let entry = KINDS.iter().find(|(name, ..)| *name == word.text);
        if entry.is_none() && nearest(&word.text, known.clone()).is_some() {
            return Err(self.unknown("kind of thing", &word.text, word.span, known));
        }
        let device = (ThingKind::Device, USUAL_OF_DEVICES);
        Ok(entry.map_or(device, |&(_, kind, usual)| (kind, usual)))
    }

    /// `node NAME at MARK: KIND [faces DIRECTION [arc DEGREES]] [radius CELLS] [needs THING = STATE,
    /// …] [each]`
    pub(super) fn node(&mut self, entry: &mut NodeDraft) -> Result<(), Reported> {
        entry.cell = self.placed()?;
        entry.sort = self.name("what it is good for, as `cover`")?.text.clone();
        let mut asks = Vec::new();
        while !self.is_done() {
            if entry.faces.is_none() && self.take_word("faces") {
                entry.faces = Some(self.facing()?);
            } else if entry.radius.is_none() && self.take_word("radius") {
                entry.radius = Some(whole(self, "how many cells", 1.0, MOST_RADIUS)? as u16);
            } else if self.take_word("needs") {
                self.needs(&mut asks)?;
            } else if !self.take_each() {
                let what = "`faces`, `radius`, `needs`, `each` or the end";
                return Err(self.expected(what));
            }
        }
        // All things are known before the first node is read.
        for (thing, what) in asks {
            match what {
                Asked::State(state) => {
                    if self.need(thing, state).is_ok() {
                        entry.needs.push((thing.text.clone(), state.text.clone()));
                    }
                }
                Asked::Carried | Asked::Leads(..) => {
                    let text = "a node is there for all or for nobody";
                    let cure = "let a door or device say `by me`";
                    self.senseless(thing.span, text, cure);
                }
            }
        }
        Ok(())
    }

    /// `DIRECTION [arc DEGREES]`
    fn facing(&mut self) -> Result<Facing, Reported> {
        let word = self.name("a direction, as `north`")?;
        let known = DIRECTIONS.iter().map(|(name, _)| *name);
        let (_, towards) = DIRECTIONS[self.find("direction", word, known)?];
        let mut degrees = USUAL_ARC;
        if self.take_word("arc") {
            degrees = whole(self, "how many degrees", 1.0, 360.0)? as u16;
        }
        Ok(Facing { towards, degrees })
    }

    /// The states of a thing, separated by commas; none if something else follows.
    fn states(&mut self) -> Result<Vec<String>, Reported> {
        let mut states: Vec<String> = Vec::new();
        let others = ["needs", "follows", "holds", "lasts", "blocked", "rounds", "each"];
        if self.is_done() || others.iter().any(|word| self.sees(word)) {
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
}
