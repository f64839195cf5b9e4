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
use crate::known::{File, Known};
use crate::memory::Memory;
use crate::orders::MindId;
use crate::pack::{Damaged, Pack, Packer, Unpacker};
use crate::planning::PlanBook;
use crate::senses::Senses;
use crate::spec::Spec;
use crate::symbols::State;
use crate::time::Tick;
use throng_domain::model::NpcId;

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
        let known = File::Present(spec).known(*npc, 0);
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
    pub(crate) fn unpack(
        from: &mut Unpacker<'_>,
        file: File<'_>,
        now: Tick,
    ) -> Result<Mind, Damaged> {
        let (id, me): (MindId, _) = from.take()?;
        let npc = NpcId::at(from.below(file.n_types(), "type of mind")?);
        let known = file.known(npc, now);
        Ok(Mind {
            id,
            me,
            npc,
            here: from.take()?,
            inbox: from.take()?,
            memory: Memory::unpack(from, known.memory(), now)?,
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
        let mut flavours = Vec::with_capacity(known.n_flavours().min(from.left()));
        for _ in 0..known.n_flavours() {
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
        let doing = match (from.take::<u8>()?, known.otherwise()) {
            (0, _) => Doing::Step(known.certain_action(from)?),
            (1, Some(action)) => Doing::Otherwise(action),
            (2, _) => Doing::Flavour(from.below(known.n_flavours(), "flavour")? as u16),
            _ => return from.damaged("action under way"),
        };
        let n_parts = match doing {
            Doing::Step(action) | Doing::Otherwise(action) => known.n_parts(action),
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
