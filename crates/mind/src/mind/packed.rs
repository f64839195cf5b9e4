//! A mind as bytes and back, part by part; each part's own file says how.
//!
//! In:   a mind; or bytes, not to be trusted, and the file that it is a mind of.
//! Out:  bytes; or the mind that goes on exactly as the other would have.
//! Cost: one pass; reading takes the room that the file says, never what the bytes say.
//!
//! Everything that later code relies on is checked here and in the parts: what is under way is
//! of this type, lists are as long as the file makes them, moments that were are over, counts do
//! not run over. A field that is added to a part must be packed, or it does not compile.

use super::{Ask, Follow, Mind, Run};
use crate::choose::Goals;
use crate::events::Doing;
use crate::memory::Memory;
use crate::orders::MindId;
use crate::pack::{Damaged, Pack, Packer, Unpacker};
use crate::planning::PlanBook;
use crate::senses::Senses;
use crate::spec::{NpcSpec, Spec};
use crate::symbols::State;
use crate::time::Tick;
use throng_domain::compile::{LocalAction, NpcType};
use throng_domain::model::{ActionId, GoalId, NpcId};

/// What is known of a mind before its bytes are read.
pub(crate) struct Known<'s> {
    pub(crate) spec: &'s Spec,
    pub(crate) kind: &'s NpcType,
    pub(crate) own: &'s NpcSpec,
    pub(crate) now: Tick,
}

impl<'s> Known<'s> {
    fn new(spec: &'s Spec, npc: NpcId, now: Tick) -> Self {
        Known { spec, kind: spec.domain.npc(npc), own: &spec.npcs[npc.index()], now }
    }

    /// An action of the type; 0 for none.
    pub(crate) fn pack_action(&self, action: Option<ActionId>, to: &mut Packer) {
        let local = action.and_then(|action| self.kind.local_action(action));
        to.number(local.map_or(0, |local| local.index() as u64 + 1));
    }

    pub(crate) fn action(&self, from: &mut Unpacker<'_>) -> Result<Option<ActionId>, Damaged> {
        let at = from.below(self.kind.n_actions() + 1, "action of the type")?;
        Ok(at.checked_sub(1).map(|at| self.kind.actions()[LocalAction(at as u32).index()]))
    }

    pub(crate) fn certain_action(&self, from: &mut Unpacker<'_>) -> Result<ActionId, Damaged> {
        match self.action(from)? {
            Some(action) => Ok(action),
            None => from.damaged("action of the type"),
        }
    }

    /// A goal of the type; 0 for none.
    pub(crate) fn pack_goal(&self, goal: Option<GoalId>, to: &mut Packer) {
        let at = goal.and_then(|goal| self.kind.goals().iter().position(|own| *own == goal));
        to.number(at.map_or(0, |at| at as u64 + 1));
    }

    pub(crate) fn goal(&self, from: &mut Unpacker<'_>) -> Result<Option<GoalId>, Damaged> {
        let at = from.below(self.kind.goals().len() + 1, "goal of the type")?;
        Ok(at.checked_sub(1).map(|at| self.kind.goals()[at]))
    }
}

impl Mind {
    pub(crate) fn pack(&self, spec: &Spec, to: &mut Packer) {
        let Mind {
            id,
            me,
            npc,
            here,
            inbox,
            memory,
            senses,
            state,
            goals,
            plan,
            follow,
            board,
            wake,
            shared_seen,
        } = self;
        // No moment is held against another while writing.
        let known = Known::new(spec, *npc, 0);
        to.put(id).put(me).put(&npc.index()).put(here).put(inbox);
        memory.pack(to);
        senses.pack(to);
        state.pack(to, &known);
        goals.pack(to);
        plan.pack(to, &known);
        follow.pack(to, &known);
        to.put(board).put(wake).put(shared_seen);
    }

    /// Reads a mind of this file, as it was at this moment or before.
    pub(crate) fn unpack(from: &mut Unpacker<'_>, spec: &Spec, now: Tick) -> Result<Mind, Damaged> {
        let (id, me): (MindId, _) = from.take()?;
        let npc = from.below(spec.npcs.len(), "type of mind")?;
        let npc = spec.domain.npcs()[npc].id();
        let known = Known::new(spec, npc, now);
        Ok(Mind {
            id,
            me,
            npc,
            here: from.take()?,
            inbox: from.take()?,
            memory: Memory::unpack(from, known.own.memory, now)?,
            senses: Senses::unpack(from, &known)?,
            state: State::unpack(from, &known)?,
            goals: Goals::unpack(from, &known)?,
            plan: PlanBook::unpack(from, &known)?,
            follow: Follow::unpack(from, &known)?,
            board: from.take()?,
            wake: from.take()?,
            shared_seen: from.take()?,
        })
    }
}

impl Follow {
    fn pack(&self, to: &mut Packer, known: &Known<'_>) {
        let Follow { run, started, ended, news, last_done, flavours, otherwise_after } = self;
        to.put(started).put(ended).put(&run.is_some());
        if let Some(run) = run {
            run.pack(to, known);
        }
        to.put(news);
        known.pack_action(*last_done, to);
        flavours.iter().for_each(|flavour| _ = to.put(flavour));
        to.put(otherwise_after);
    }

    fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Self, Damaged> {
        let (started, ended) = (from.counter()?, from.counter()?);
        let runs: bool = from.take()?;
        // Each has exactly one end, so all but the one under way have ended.
        if started != ended + u32::from(runs) {
            return from.damaged("number of actions that have ended");
        }
        let run = if runs { Some(Run::unpack(from, known, started)?) } else { None };
        let (news, last_done) = (from.take()?, known.action(from)?);
        let mut flavours = Vec::with_capacity(known.spec.flavours.len());
        for _ in &known.spec.flavours {
            flavours.push(from.take()?);
        }
        let otherwise_after = from.take()?;
        Ok(Follow { run, started, ended, news, last_done, flavours, otherwise_after })
    }
}

impl Run {
    fn pack(&self, to: &mut Packer, known: &Known<'_>) {
        let Run { run: _, doing, kind, since, part, part_since, ask, state, serial, step } = self;
        match *doing {
            Doing::Step(action) => known.pack_action(Some(action), to.put(&0u8)),
            // The file says which.
            Doing::Otherwise(_) => _ = to.put(&1u8),
            Doing::Flavour(at) => _ = to.put(&2u8).put(&at),
        }
        to.put(kind).put(since).put(part).put(part_since).put(ask);
        to.put(state).put(serial).put(step);
    }

    fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>, run: u32) -> Result<Self, Damaged> {
        let doing = match (from.take::<u8>()?, known.own.otherwise) {
            (0, _) => Doing::Step(known.certain_action(from)?),
            (1, Some(action)) => Doing::Otherwise(action),
            (2, _) => Doing::Flavour(from.below(known.spec.flavours.len(), "flavour")? as u16),
            _ => return from.damaged("action under way"),
        };
        let n_parts = match doing {
            Doing::Step(action) | Doing::Otherwise(action) => known.spec.action(action).parts.len(),
            Doing::Flavour(_) => 0,
        };
        Ok(Run {
            run,
            doing,
            kind: from.take()?,
            since: from.past(known.now)?,
            part: from.below(n_parts.max(1), "part of an action")? as u16,
            part_since: from.past(known.now)?,
            ask: from.take()?,
            state: from.take()?,
            serial: from.counter()?,
            step: from.take()?,
        })
    }
}

impl Pack for Ask {
    fn pack(&self, to: &mut Packer) {
        match self {
            Ask::Orders => to.put(&0u8),
            Ask::At(tick) => to.put(&1u8).put(tick),
            Ask::Over(tick) => to.put(&2u8).put(tick),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Ask::Orders,
            1 => Ask::At(from.take()?),
            2 => Ask::Over(from.take()?),
            _ => return from.damaged("moment to be asked again"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

    #[test]
    fn moments_to_be_asked_again_come_back() {
        comes_back::<Ask>(|trial, round| match round % 3 {
            0 => Ask::Orders,
            1 => Ask::At(trial.any()),
            _ => Ask::Over(trial.any()),
        });
    }
}
