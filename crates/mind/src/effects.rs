//! Effects: what actions do to memory and to others, as the file says it.
//!
//! In:   the clauses `first`, `then`, `else` and `finally` of actions, read from the file.
//! Out:  the same in numbers, for [`tick`](crate::tick) to carry out.
//! Cost: none; see there.
//!
//! Effects come after what the behaviour's own code does at that moment. Facts that they write have
//! `ACTION.then` as their writer, so that it can be seen where they come from.

use crate::condition::{Pattern, Ref};
use crate::fact::{Attribute, FactDraft, Position, Value};
use crate::orders::MindId;
use crate::time::Tick;
use crate::words::Word;
use throng_base::{codec_enum, codec_struct};

/// When effects come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectMoment {
    /// `first`: the action begins.
    First,
    /// `then`: it is done.
    Then,
    /// `else`: it has failed.
    Else,
    /// `finally`: it has ended, however that was.
    Finally,
}

impl EffectMoment {
    /// All of them, in the order in which they come.
    pub const ALL: [EffectMoment; 4] =
        [EffectMoment::First, EffectMoment::Then, EffectMoment::Else, EffectMoment::Finally];

    /// The word that begins the clause.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["first", "then", "else", "finally"][self as usize]
    }
}

/// Those who share a cooldown, or are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Circle {
    /// The members of the mind's squad.
    Squad,
    /// All of its side.
    Side,
    /// All minds.
    All,
}

impl Circle {
    /// All of them.
    pub const ALL: [Circle; 3] = [Circle::Squad, Circle::Side, Circle::All];

    /// As files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["squad", "side", "all"][self as usize]
    }
}

/// Who is told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Audience {
    /// These.
    pub circle: Circle,
    /// Only if they are so near.
    pub within: Option<f32>,
}

impl Audience {
    /// Whether what is told goes into the memory that all share.
    #[must_use]
    pub fn is_everybody(self) -> bool {
        self == Audience { circle: Circle::All, within: None }
    }
}

/// What a fact to be remembered says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Given {
    /// This.
    Value(Value),
    /// What the name stands for when the effect comes: the thing, word or position of it. If it
    /// stands for nothing, the fact is not written: it would be about nothing.
    Of(Ref),
}

/// What an action does besides its behaviour.
#[derive(Clone, PartialEq, Debug)]
pub enum ActionEffect {
    /// `forgets PATTERN`: facts of the mind's own are gone.
    Forgets(Pattern),
    /// `remembers KIND(ATTRIBUTE = VALUE, …) for SECONDS`.
    Remembers {
        /// The kind.
        kind: Word,
        /// What it says.
        says: Vec<(Attribute, Given)>,
        /// For how many ticks it is believed.
        keep: Tick,
    },
    /// `tells PATTERN to …`: copies of such facts, with the mind as their source.
    Tells(Pattern, Audience),
    /// `noise WORD radius N at …`: something that others hear.
    Noise {
        /// The kind of the stimulus.
        kind: Word,
        /// What it is: a shout, a bang.
        what: Word,
        /// How far it is heard.
        radius: f32,
        /// Where; `None`: where the mind is.
        at: Option<Ref>,
    },
}

/// The effects of one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct EffectClause {
    /// Who writes the facts: `inspect.then`.
    pub writer: Word,
    /// In the order to carry them out.
    pub effects: Vec<ActionEffect>,
}

/// All effects of an action, by [`EffectMoment`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Effects(pub [Option<EffectClause>; 4]);

impl Effects {
    /// Those of a moment.
    #[must_use]
    pub fn at(&self, moment: EffectMoment) -> Option<&EffectClause> {
        self.0[moment as usize].as_ref()
    }
}

/// `cooldown SECONDS of CIRCLE`: for so long after it began an action is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cooldown {
    /// For how many ticks.
    pub ticks: Tick,
    /// For whom; `None`: only for who began it.
    pub of: Option<Circle>,
}

/// Who tells or begins something: it may have ended before others learn of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Teller {
    pub(crate) mind: MindId,
    pub(crate) squad: Option<MindId>,
    pub(crate) side: Word,
    pub(crate) here: Position,
}

impl Teller {
    /// Those of a circle; `None` for the squad of a mind that is in none.
    pub(crate) fn team(&self, of: Circle) -> Option<Team> {
        match of {
            Circle::Squad => self.squad.map(Team::Squad),
            Circle::Side => Some(Team::Side(self.side)),
            Circle::All => Some(Team::All),
        }
    }
}

/// What a mind tells others at the end of a tick.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Telling {
    pub(crate) by: Teller,
    pub(crate) to: Audience,
    pub(crate) fact: FactDraft,
}

/// An action that others share the cooldown of was begun.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Begun {
    pub(crate) by: Teller,
    pub(crate) template: Word,
    pub(crate) of: Circle,
    pub(crate) until: Tick,
}

/// Those who share a cooldown, each circle known by what makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Team {
    /// The members of the squad of this mind.
    Squad(MindId),
    /// Those of this side.
    Side(Word),
    /// Everybody.
    All,
}

codec_enum!("those who share a cooldown" Team { 0 => Squad(mind), 1 => Side(side), 2 => All });

/// An action that is not there for a team for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TeamCooling {
    pub(crate) of: Team,
    pub(crate) template: Word,
    pub(crate) until: Tick,
    /// Who began it, and when: of several in one tick the smallest number has.
    pub(crate) by: MindId,
    pub(crate) since: Tick,
}

codec_struct!(TeamCooling { of, template, until, by, since });

impl Team {
    /// Whether a mind of this squad and side is one of them.
    pub(crate) fn has(self, squad: Option<MindId>, side: Word) -> bool {
        match self {
            Team::Squad(mind) => squad == Some(mind),
            Team::Side(of) => side == of,
            Team::All => true,
        }
    }

    pub(crate) fn circle(self) -> Circle {
        match self {
            Team::Squad(_) => Circle::Squad,
            Team::Side(_) => Circle::Side,
            Team::All => Circle::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::{Trial, comes_back};

    #[test]
    fn what_teams_share_comes_back() {
        let team = |trial: &mut Trial, round| match round % 3 {
            0 => Team::Squad(MindId(trial.any())),
            1 => Team::Side(trial.any()),
            _ => Team::All,
        };
        comes_back::<Team>(team);
        comes_back::<TeamCooling>(|trial, round| TeamCooling {
            of: team(trial, round),
            template: trial.any(),
            until: trial.any(),
            by: MindId(trial.any()),
            since: trial.any(),
        });
    }
}
