//! `actor`, word by word.

use super::things::MOST_ROUNDS;
use super::{Statement, whole};
use crate::actor::Posture;
use crate::build::{ActorDraft, MOST_ACTORS};
use crate::thing::ThingKind;
use throng_domain::Code;
use throng_domain::notes::{Reported, WordKind};

/// More health means nothing.
const MOST_HEALTH: f64 = 1_000_000.0;

/// What can be said of an actor, and what that is about.
const OF_ACTORS: [(&str, &str); 16] = [
    ("side", "side"),
    ("weapon", "weapon"),
    ("rounds", "rounds"),
    ("ammo", "ammo"),
    ("grenades", "grenades"),
    ("health", "health"),
    ("holstered", "drawing"),
    ("standing", "stance"),
    ("crouched", "stance"),
    ("riding", "stance"),
    ("climbing", "stance"),
    ("owns", "property"),
    ("carries", "load"),
    ("holds", "goods"),
    ("times", "times"),
    ("each", "each"),
];

impl Statement<'_, '_> {
    /// `actor NAME at MARK: npc TYPE … [times N]` or `actor NAME at MARK: player …`; gives how
    /// many there are.
    pub(super) fn actor(&mut self, entry: &mut ActorDraft) -> Result<usize, Reported> {
        let cell = self.placed()?;
        (entry.npc, entry.cell) = (self.driver()?, cell);
        entry.side = if entry.is_minded() { "npc" } else { "player" }.to_string();
        let mut said: Vec<&str> = Vec::new();
        let mut times = 1;
        while let Some(word) = self.peek() {
            if times == 1 && self.take_each() {
                continue;
            }
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
            "side" => {
                entry.side = self.name("the side it is on, or `none`")?.text.clone();
                if entry.side == "none" {
                    entry.side.clear();
                }
            }
            "holds" => self.wares(&mut entry.wares, false)?,
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
            "ammo" => {
                let what = "how many rounds besides those in the weapon";
                entry.spare = Some(whole(self, what, 0.0, MOST_ROUNDS)? as u16);
            }
            "owns" => self.belongings(&mut entry.owns, None)?,
            "carries" => self.belongings(&mut entry.carries, Some(ThingKind::Item))?,
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
            // Those that are right were taken before.
            "each" => {
                let cure = "put it at the end, without `times`";
                return Err(self.senseless(word.span, "`each` is the last word", cure));
            }
            "times" => return Err(self.unknown(what, &word.text, word.span, known)),
            _ => {}
        }
        Ok(about)
    }

    /// Names of things, separated by commas; of a kind, if one is asked for.
    fn belongings(
        &mut self,
        list: &mut Vec<String>,
        kind: Option<ThingKind>,
    ) -> Result<(), Reported> {
        loop {
            let (word, things) = (self.name("a thing")?, &self.story.things);
            let fit = things.iter().filter(|thing| kind.is_none_or(|kind| thing.kind == kind));
            let what = kind.map_or("thing", ThingKind::name);
            self.find(what, word, fit.map(|thing| thing.name.as_str()))?;
            if !list.contains(&word.text) {
                list.push(word.text.clone());
            }
            if !self.take_sign(WordKind::Comma) {
                return Ok(());
            }
        }
    }

    /// What an actor is on at the beginning.
    fn mount(&mut self, kind: ThingKind, what: &str) -> Result<String, Reported> {
        let (word, things) = (self.name("what it is on")?, &self.story.things);
        let fit = things.iter().filter(|thing| thing.kind == kind);
        self.find(what, word, fit.map(|thing| thing.name.as_str()))?;
        Ok(word.text.clone())
    }
}
