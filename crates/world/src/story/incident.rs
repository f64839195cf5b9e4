//! What happened in the world of a story in a tick: who shot whom, who died of what, who heard it.
//!
//! In:   the [news](crate::news) of the world, and what is handed to minds.
//! Out:  [`Incident`]s with actors by position in the story; each in words.
//! Cost: an entry each; text is allocated for those who watch.

use super::cast::Cast;
use crate::cell::Cell;
use crate::news::News;
use throng_mind::fact::EntityId;
use throng_mind::inspect::EventText;
use throng_mind::orders::{Message, Stimulus};
use throng_mind::words::Word;

/// Something that happened in the world; who did it is `None` where nobody did, or one who is no
/// actor of the story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Incident {
    /// A round was fired.
    Shot {
        /// By whom.
        by: Option<usize>,
        /// At whom.
        at: Option<usize>,
    },
    /// Somebody was hurt.
    Hurt {
        /// Who.
        whom: usize,
        /// How much health it took.
        amount: i32,
        /// How much is left.
        left: i32,
        /// The kind of harm; [`Word::NONE`]: the script's.
        harm: Word,
        /// By whom.
        by: Option<usize>,
    },
    /// Somebody died.
    Died {
        /// Who.
        whom: usize,
        /// The kind of harm; [`Word::NONE`]: the script's.
        harm: Word,
        /// By whom.
        by: Option<usize>,
    },
    /// A grenade was thrown.
    Thrown {
        /// By whom.
        by: Option<usize>,
        /// Where to.
        to: Cell,
    },
    /// A grenade went off.
    Blast {
        /// Whose it was.
        by: Option<usize>,
        /// Where.
        at: Cell,
    },
    /// Somebody opened a door on his way.
    Opened {
        /// Who.
        by: usize,
        /// The door.
        door: EntityId,
    },
    /// Somebody made himself heard.
    Said {
        /// Who.
        by: usize,
        /// What.
        what: Word,
    },
    /// A mind heard something.
    Heard {
        /// Whose.
        who: usize,
        /// What.
        what: Word,
        /// Who made it.
        by: Option<usize>,
    },
    /// A mind was told a fact by the script.
    Told {
        /// Whose.
        who: usize,
        /// The kind of the fact.
        kind: Word,
    },
}

impl Incident {
    /// Those it is about: who did it first.
    pub fn actors(&self) -> [Option<usize>; 2] {
        match *self {
            Incident::Shot { by, at } => [by, at],
            Incident::Hurt { whom, by, .. } | Incident::Died { whom, by, .. } => [by, Some(whom)],
            Incident::Thrown { by, .. } | Incident::Blast { by, .. } => [by, None],
            Incident::Said { by, .. } | Incident::Opened { by, .. } => [Some(by), None],
            Incident::Heard { who, .. } | Incident::Told { who, .. } => [Some(who), None],
        }
    }
}

impl Cast {
    /// What happened in the world in the last tick, oldest first.
    pub fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// The actor of the story that a number of the world is, also while he is off the map.
    pub fn actor_of(&self, handle: EntityId) -> Option<usize> {
        let known = self.by_handle.get(&handle).copied();
        known.or_else(|| self.roster.away.iter().position(|&away| away == Some(handle)))
    }

    /// Takes over the news of the world.
    pub(super) fn take_news(&mut self) {
        let news: Vec<News> = self.world.news().collect();
        for it in news {
            let of = |handle: Option<EntityId>| handle.and_then(|handle| self.actor_of(handle));
            let incident = match it {
                News::Shot { by, at } => {
                    Some(Incident::Shot { by: of(Some(by)), at: of(Some(at)) })
                }
                // Who leaves the map is gone for the others; he was not hurt and has not died.
                News::Hurt { what, .. } | News::Died { what, .. }
                    if what == self.world.words.gone =>
                {
                    None
                }
                News::Hurt { whom, amount, left, what, by } => of(Some(whom))
                    .map(|whom| Incident::Hurt { whom, amount, left, harm: what, by: of(by) }),
                News::Died { whom, what, by } => {
                    of(Some(whom)).map(|whom| Incident::Died { whom, harm: what, by: of(by) })
                }
                News::Thrown { by, to } => Some(Incident::Thrown { by: of(by), to }),
                News::Blast { by, at } => Some(Incident::Blast { by: of(by), at }),
                News::Opened { by, door } => of(Some(by)).map(|by| Incident::Opened { by, door }),
                News::Noise { what, by, .. } => {
                    of(by).filter(|_| self.is_said(what)).map(|by| Incident::Said { by, what })
                }
            };
            self.incidents.extend(incident);
        }
    }

    /// Whether a noise is a word that somebody says, and not what his deeds sound like.
    fn is_said(&self, what: Word) -> bool {
        let words = &self.world.words;
        ![words.bang, words.steps, words.blow, words.kick, Word::NONE].contains(&what)
    }

    /// Notes what a mind hears.
    pub(super) fn note_heard(&mut self, who: usize, message: &Message) {
        if let Message::Stimulus(Stimulus { kind, event, source, .. }) = message
            && *kind == self.world.words.noise
        {
            let by = source.and_then(|source| self.actor_of(source));
            self.incidents.push(Incident::Heard { who, what: *event, by });
        }
    }

    /// Who died in the last tick and of what; with nothing to be said of the cause, `None`.
    pub fn cause_of_death(&self, actor: usize) -> Option<String> {
        self.incidents.iter().rev().find_map(|incident| match *incident {
            Incident::Died { whom, harm, by } if whom == actor => self.cause(harm, by),
            _ => None,
        })
    }

    fn cause(&self, harm: Word, by: Option<usize>) -> Option<String> {
        let words = &self.world.words;
        let who = by.map(|by| self.voice_name(by));
        let weapon = by.and_then(|by| self.world.actor(self.handle(by)?)?.weapon);
        let with = weapon
            .map_or(String::new(), |weapon| format!(" with {}", self.words().text(weapon.name)));
        Some(match (harm, who) {
            (Word::NONE, _) => "the script says so".to_string(),
            (_, Some(who)) if harm == words.shot => format!("shot by {who}{with}"),
            (_, Some(who)) if harm == words.blast => format!("blast of {who}'s grenade"),
            (_, Some(who)) if harm == words.blow => format!("struck by {who}{with}"),
            (_, Some(who)) => format!("{} by {who}", self.words().text(harm)),
            (_, None) if harm == words.blast => "blast of a grenade".to_string(),
            (_, None) => self.words().text(harm).to_string(),
        })
    }

    /// An incident in words, and whose line it is; `None`: nobody's.
    pub fn tell_incident(&self, incident: &Incident) -> (Option<usize>, EventText) {
        let (story, text) = (self.story(), |word: Word| self.words().text(word).to_string());
        let name = |actor: Option<usize>| {
            actor.map_or("somebody", |actor| story.actors[actor].name.as_str()).to_string()
        };
        let place = |cell: Cell| match story.place_name(cell) {
            Some(name) => format!("at {name}"),
            None => format!("at ({} {})", cell.x, cell.y),
        };
        match *incident {
            Incident::Shot { by, at } => (by, EventText::new("shot", "shoots at", name(at), None)),
            Incident::Hurt { whom, amount, left, harm, by: Some(by) } => {
                let words = &self.world.words;
                let event = if harm == words.shot { "hits" } else { "hurts" };
                let why = Some(format!("{amount} by {}, {left} left", text(harm)));
                (Some(by), EventText::new("hit", event, name(Some(whom)), why))
            }
            Incident::Hurt { whom, amount, left, harm, by: None } => {
                let by = if harm == Word::NONE { "the script".to_string() } else { text(harm) };
                let why = Some(format!("{amount} by {by}, {left} left"));
                (Some(whom), EventText::new("hit", "is hurt", String::new(), why))
            }
            Incident::Died { whom, harm, by } => {
                let why = self.cause(harm, by);
                (Some(whom), EventText::new("dies", "dies", String::new(), why))
            }
            Incident::Thrown { by, to } => {
                let name = format!("a grenade {}", place(to));
                (by, EventText::new("thrown", "throws", name, None))
            }
            Incident::Blast { by, at } => {
                let whose = by.map(|by| format!("{}'s", name(Some(by))));
                let event = "a grenade goes off";
                (None, EventText::new("blast", event, place(at), whose))
            }
            Incident::Opened { by, door } => {
                (Some(by), EventText::new("opened", "opens", self.thing_name(door), None))
            }
            Incident::Said { by, what } => {
                (Some(by), EventText::new("says", "says", text(what), None))
            }
            Incident::Heard { who, what, by } => {
                let from = by.map(|by| format!(" of {}", name(Some(by)))).unwrap_or_default();
                let heard = format!("{}{from}", text(what));
                (Some(who), EventText::new("heard", "hears", heard, None))
            }
            Incident::Told { who, kind } => {
                (Some(who), EventText::new("told", "is told", text(kind), None))
            }
        }
    }
}
