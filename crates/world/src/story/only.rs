//! The one that `--npc` asks for: an actor, a squad, or a mind by its number.
//!
//! In:   a word, and the recording tick by tick.
//! Out:  the name to tell of, once it is known; the number of the mind.
//! Cost: a look at all minds per tick until the mind of that number has come.
//!
//! Squads form, and people appear, while a recording runs: a number may belong to no mind at its
//! beginning, and a squad may not be there yet.

use super::run::Play;
use throng_mind::orders::MindId;

/// Who is asked for.
pub struct Only {
    /// The word that was given.
    said: String,
    /// What the story calls it; `None` until the mind of this number has come.
    name: Option<String>,
    mind: Option<MindId>,
    /// Whether it was there at any tick.
    seen: bool,
}

/// There is no mind of that name, or not then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownActorError(String);

throng_base::error! { UnknownActorError { Self(why) => "{why}"; } }

impl Only {
    /// Who is meant by a word; without a play there are only numbers.
    ///
    /// # Errors
    ///
    /// If no mind in it has that name or could have that number.
    pub fn find(said: &str, play: Option<&Play>) -> Result<Only, UnknownActorError> {
        let number = said.parse().ok().map(MindId);
        let mut only = Only { said: said.to_string(), name: None, mind: number, seen: false };
        let Some(play) = play else {
            return match number {
                Some(_) => Ok(only),
                None => Err(UnknownActorError(format!(
                    "minds of this recording have numbers, not names: `{said}` is none"
                ))),
            };
        };
        let (actors, squads) = (minded(play), squad_types(play));
        if is_squad(said, &squads) || actors.contains(&said) {
            (only.name, only.mind) = (Some(said.to_string()), None);
        } else if number.is_none() {
            return Err(UnknownActorError(nobody(said, &actors, &squads)));
        }
        only.look_at(play);
        Ok(only)
    }

    /// What the story calls it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The number of its mind.
    pub fn mind(&self) -> Option<MindId> {
        self.mind
    }

    /// Looks who is there after a tick: in the play, or among minds without a world.
    pub fn look(&mut self, play: Option<&Play>, is_there: impl Fn(MindId) -> bool) {
        match (play, self.mind) {
            (Some(play), _) => self.look_at(play),
            (None, Some(mind)) => self.seen |= is_there(mind),
            (None, None) => {}
        }
    }

    /// The same on the stage.
    pub fn look_at(&mut self, play: &Play) {
        let (cast, actors) = (play.cast(), play.story().actors.len());
        for voice in (0..actors).chain(cast.squad_voices()) {
            let Some(mind) = cast.mind(voice).map(|mind| mind.id()) else { continue };
            let name = cast.voice_name(voice);
            let is_it = match &self.name {
                Some(known) => known == name,
                None => self.mind == Some(mind),
            };
            if is_it {
                (self.name, self.mind) = (Some(name.to_string()), Some(mind));
                self.seen = true;
                return;
            }
        }
    }

    /// Refuses a moment at which there is no such mind. An actor without one is told of as such.
    ///
    /// # Errors
    ///
    /// If it is not there.
    pub fn must_be_there(&self, play: Option<&Play>) -> Result<(), UnknownActorError> {
        let Some(play) = play else { return self.must_have_been() };
        let is_actor = |name: &str| minded(play).contains(&name);
        let is_there = |name: &str| {
            let cast = play.cast();
            is_actor(name) || cast.squad_voices().any(|squad| cast.voice_name(squad) == name)
        };
        match self.name().is_some_and(is_there) {
            true => Ok(()),
            false => {
                let (said, now) = (&self.said, play.now());
                Err(UnknownActorError(format!("there is no `{said}` at tick {now}")))
            }
        }
    }

    /// Refuses who never came.
    ///
    /// # Errors
    ///
    /// If no mind of that name or number was seen.
    pub fn must_have_been(&self) -> Result<(), UnknownActorError> {
        match self.seen {
            true => Ok(()),
            false => {
                Err(UnknownActorError(format!("`{}` never was there in this recording", self.said)))
            }
        }
    }
}

/// Actors that may have minds.
fn minded(play: &Play) -> Vec<&str> {
    let minded = play.story().actors.iter().filter(|actor| actor.is_minded());
    minded.map(|actor| actor.name.as_str()).collect()
}

/// What squads of the story are called: as their types.
fn squad_types(play: &Play) -> Vec<&str> {
    let domain = &play.minds().spec().domain;
    let npcs = play.story().squads.iter().filter_map(|&npc| domain.npcs().get(npc));
    npcs.map(|npc| domain.map().npc(npc.id())).collect()
}

/// `fireteam`, or `fireteam.2` for the second of a type.
fn is_squad(said: &str, types: &[&str]) -> bool {
    let counted = said.rsplit_once('.').filter(|(_, number)| number.parse::<u32>().is_ok());
    types.contains(&said) || counted.is_some_and(|(base, _)| types.contains(&base))
}

/// Says who there is instead.
fn nobody(said: &str, actors: &[&str], squads: &[&str]) -> String {
    let known: Vec<&str> = actors.iter().chain(squads).copied().collect();
    let near = throng_base::nearest(said, known.iter().copied());
    let did = throng_base::DidYouMean(near);
    let listed = match known.len() {
        0..=12 => format!(" (there are: {})", known.join(", ")),
        n => format!(" (there are {n})"),
    };
    format!("nobody with a mind is called `{said}` here{did}{listed}")
}
