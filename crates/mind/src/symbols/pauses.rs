//! Actions that are not there for a while: they cool, or chance says no.
//!
//! In:   when they were begun, by the mind or by others of its team; the chance of the mind.
//! Out:  the same actions forbidden; and the moment at which that may change.
//! Cost: nothing in a file without such clauses; else one pass over the actions.
//!
//! An action that is under way goes on: a pause is for what would be begun. Only where two of a
//! team began the same in one tick the one that lost lets go of it.

use super::State;
use crate::chance::Luck;
use crate::effects::{Circle, TeamCooling};
use crate::known::Known;
use crate::seldom::{Empty, Seldom};
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::Word;
use std::sync::LazyLock;
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_base::{codec_enum, codec_struct};
use throng_domain::compile::LocalAction;
use throng_domain::model::ActionId;
use throng_planner::ActionMask;

/// An action that cools, by its bare name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cooling {
    pub(crate) template: Word,
    pub(crate) until: Tick,
    pub(crate) by: CooledBy,
}

/// Who began an action that cools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CooledBy {
    /// The mind itself.
    Me,
    /// The mind itself, in the same tick as another of its team, who was first.
    MeToo,
    /// Another of its team.
    Other(Circle),
}

codec_enum!("those who share a cooldown" Circle { 0 => Squad, 1 => Side, 2 => All });
codec_enum!("who began what cools" CooledBy { 0 => Me, 1 => MeToo, 2 => Other(of) });
codec_struct!(Cooling { template, until, by });

/// What keeps actions from being there for a while.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Pauses {
    pub(crate) cooling: Vec<Cooling>,
    /// Those that are not there for no other reason, and so go on if they are under way, unless
    /// another of the team was first.
    pub(crate) paused: ActionMask,
    /// The chance of the mind, as it was last asked.
    pub(crate) luck: Luck,
}

/// So much cools at a time for a mind, usually: there is room for it from the beginning.
const USUAL_COOLING: usize = 8;

impl Empty for Pauses {
    fn empty() -> &'static Self {
        static EMPTY: LazyLock<Pauses> = LazyLock::new(Pauses::default);
        &EMPTY
    }
}

impl Pauses {
    /// None; with room for some where there can be any.
    pub(super) fn new(spec: &Spec) -> Seldom<Self> {
        let mut pauses = Seldom::default();
        if spec.has_pauses {
            pauses = Seldom::filled(Pauses {
                cooling: Vec::with_capacity(USUAL_COOLING),
                ..Pauses::default()
            });
        }
        pauses
    }

    /// Whether there is nothing to say of them.
    pub(crate) fn are_none(&self) -> bool {
        self.cooling.is_empty() && self.paused.words().is_empty() && self.luck == Luck::default()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.cooling.capacity() * size_of::<Cooling>() + self.paused.words().len() * 8
    }
}

/// Which rules a mind asks again: symbols, checks, prices, the relevance of goals.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AskRules {
    /// Those for which something has changed.
    #[default]
    Changed,
    /// All if anything has changed that any of them may depend on.
    AllOnChange,
    /// All in every tick in which it runs.
    Always,
}

/// What is around a mind that its actions depend on.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) luck: Luck,
    /// What cools for all; those that are of the mind's teams are for it.
    pub(crate) cooling: &'a [TeamCooling],
    pub(crate) is_of: &'a dyn Fn(&TeamCooling) -> bool,
    /// Which rules are asked again.
    pub(crate) rules: AskRules,
}

impl State {
    /// An action begins, and is not there again before a moment.
    pub(crate) fn cool(&mut self, template: Word, until: Tick) {
        let is_own = |it: &&mut Cooling| !matches!(it.by, CooledBy::Other(_));
        let mut own = self.pauses.cooling.iter_mut().filter(is_own);
        match own.find(|it| it.template == template) {
            Some(it) => (it.until, it.by) = (until.max(it.until), CooledBy::Me),
            None => self.pauses.cooling.push(Cooling { template, until, by: CooledBy::Me }),
        }
        self.touch();
    }

    /// Another of the team began the same in this tick, and was first.
    pub(crate) fn lose(&mut self, template: Word) {
        let mut own = self.pauses.cooling.iter_mut().filter(|it| it.by == CooledBy::Me);
        if let Some(it) = own.find(|it| it.template == template) {
            it.by = CooledBy::MeToo;
        }
        self.touch();
    }

    /// Something around the mind has changed: all is looked at anew.
    pub(crate) fn look_anew(&mut self) {
        self.touch();
    }

    /// Whether an action that is under way may go on, as far as what is forbidden goes.
    pub(crate) fn lets_go_on(&self, spec: &Spec, action: LocalAction) -> bool {
        let template = || spec.action(spec.domain.npc(self.npc).actions()[action.index()]).template;
        let lost = |it: &Cooling| it.by == CooledBy::MeToo && it.template == template();
        !self.forbidden.has(action)
            || self.pauses.paused.has(action) && !self.pauses.cooling.iter().any(lost)
    }

    /// Whether an action is not there for a while for itself: it cools, or chance is against it. One
    /// that is under way goes on.
    pub fn is_paused(&self, action: LocalAction) -> bool {
        self.forbidden.has(action) && self.pauses.paused.has(action)
    }

    /// Whether an action cools at a moment, or chance is against it, whatever else is.
    pub(crate) fn pauses_at(&self, spec: &Spec, action: ActionId, now: Tick) -> bool {
        let action = spec.action(action);
        let Pauses { cooling, luck, .. } = &*self.pauses;
        action.chance.is_some_and(|chance| !chance.says_yes(*luck, now))
            || cooling.iter().any(|it| it.template == action.template && it.until > now)
    }

    /// Forbids what cools, and what chance is against.
    pub(super) fn pause(&mut self, spec: &Spec, now: Tick, around: Around<'_>) {
        if !spec.has_pauses {
            return;
        }
        let kind = spec.domain.npc(self.npc);
        let Pauses { cooling, paused, luck } = &mut *self.pauses;
        *luck = around.luck;
        cooling.retain(|it| it.until > now && !matches!(it.by, CooledBy::Other(_)));
        for shared in around.cooling.iter().filter(|it| it.until > now && (around.is_of)(it)) {
            let by = CooledBy::Other(shared.of.circle());
            cooling.push(Cooling { template: shared.template, until: shared.until, by });
        }
        cooling.iter().for_each(|it| self.wake = self.wake.min(it.until));
        if paused.words().is_empty() {
            *paused = ActionMask::none(kind.n_actions());
        }
        for (&id, local) in kind.actions().iter().zip((0..).map(LocalAction)) {
            paused.set(local, false);
            let action = spec.action(id);
            if let Some(chance) = &action.chance {
                self.wake = self.wake.min(chance.until(now));
            }
            let is_against = action.chance.is_some_and(|chance| !chance.says_yes(*luck, now));
            let cools = cooling.iter().any(|it| it.template == action.template);
            if (is_against || cools) && !self.forbidden.has(local) {
                self.forbidden.set(local, true);
                paused.set(local, true);
            }
        }
    }
}

// Minds of a file that has no pauses say nothing of them, as they did before there were any.
pub(super) fn write_pauses(pauses: &Pauses, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.write(&pauses.cooling).write_in(&pauses.paused, known).write(&pauses.luck.0);
    }
}

pub(super) fn read_pauses(
    from: &mut Decoder<'_>,
    known: &Known<'_>,
) -> Result<Seldom<Pauses>, DecodeError> {
    if !known.says_more {
        return Ok(Seldom::default());
    }
    let (cooling, paused) = (from.read()?, ActionMask::decode_in(from, known)?);
    Ok(Pauses { cooling, paused, luck: Luck(from.read()?) }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_cools_comes_back() {
        let circle = |round: usize| Circle::ALL[round / 3 % Circle::ALL.len()];
        let by = |round: usize| match round % 3 {
            0 => CooledBy::Me,
            1 => CooledBy::MeToo,
            _ => CooledBy::Other(circle(round)),
        };
        comes_back::<Circle>(|_, round| circle(round));
        comes_back::<CooledBy>(|_, round| by(round));
        comes_back::<Cooling>(|trial, round| Cooling {
            template: trial.any(),
            until: trial.any(),
            by: by(round),
        });
    }
}
