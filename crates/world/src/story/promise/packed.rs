//! Verdicts as bytes and back, with what is remembered of promises that are open.

use super::{Judge, Progress, TOLD, Verdict};
use crate::story::Claim;
use std::collections::BTreeMap;
use throng_mind::pack::{Damaged, Pack, Packer, Unpacker};
use throng_mind::time::Tick;

impl Pack for Verdict {
    fn pack(&self, to: &mut Packer) {
        match self {
            Verdict::Open => to.put(&0u8),
            Verdict::Kept(since) => to.put(&1u8).put(since),
            Verdict::Broken(at, why) => to.put(&2u8).put(at).put(why),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Verdict::Open,
            1 => Verdict::Kept(from.take()?),
            2 => Verdict::Broken(from.take()?, from.take()?),
            _ => return from.damaged("verdict"),
        })
    }
}

impl Judge {
    pub(in crate::story) fn pack(&self, to: &mut Packer) {
        // The rest is the story's.
        let Judge { promises, actors: _, minds: _, actions: _, goals: _, pace: _ } = self;
        for (_, verdict, progress) in promises {
            to.put(verdict);
            progress.pack(to);
        }
    }

    /// Reads how the promises stood at this moment: all of them, in the order of the text.
    pub(in crate::story) fn unpack(
        &self,
        from: &mut Unpacker<'_>,
        now: Tick,
    ) -> Result<Standing, Damaged> {
        let mut standing = Vec::with_capacity(self.promises.len());
        for (promise, ..) in &self.promises {
            let (verdict, progress) = (from.take()?, self.unpack_progress(from, now)?);
            let n_steps = match &promise.claim {
                Claim::Does(_, steps) => steps.len(),
                _ => 0,
            };
            if progress.done > n_steps {
                return from.damaged("number of steps that were done");
            }
            standing.push((verdict, progress));
        }
        Ok(Standing(standing))
    }

    fn unpack_progress(&self, from: &mut Unpacker<'_>, now: Tick) -> Result<Progress, Damaged> {
        let progress = Progress {
            done: from.take()?,
            done_at: from.past(now)?,
            had: from.take()?,
            forgotten: from.take()?,
            instead: from.take()?,
            between: self.unpack_by_mind(from)?,
            asked: self.unpack_by_mind(from)?,
        };
        // What is counted by the tick is counted once a tick.
        let counts = progress.between.values().chain(progress.asked.values().map(|(_, n)| n));
        let fits = counts.into_iter().all(|&ticks| ticks <= now);
        match fits && progress.instead.len() <= TOLD {
            true => Ok(progress),
            false => from.damaged("progress of a promise"),
        }
    }

    /// A table by actor, all of whom have minds.
    fn unpack_by_mind<T: Pack>(
        &self,
        from: &mut Unpacker<'_>,
    ) -> Result<BTreeMap<usize, T>, Damaged> {
        let mut table = BTreeMap::new();
        for _ in 0..from.below(self.minds.len() + 1, "table of actors")? {
            let actor = from.take()?;
            let is_next = table.last_key_value().is_none_or(|(last, _)| *last < actor);
            if !is_next || self.minds.binary_search(&actor).is_err() {
                return from.damaged("actor with a mind");
            }
            table.insert(actor, from.take()?);
        }
        Ok(table)
    }

    pub(in crate::story) fn take(&mut self, standing: Standing) {
        for (promise, (verdict, progress)) in self.promises.iter_mut().zip(standing.0) {
            (promise.1, promise.2) = (verdict, progress);
        }
    }
}

/// How all promises stood.
pub(in crate::story) struct Standing(Vec<(Verdict, Progress)>);

impl Progress {
    fn pack(&self, to: &mut Packer) {
        let Progress { done, done_at, had, forgotten, instead, between, asked } = self;
        to.put(done).put(done_at).put(had).put(forgotten).put(instead);
        to.number(between.len() as u64);
        between.iter().for_each(|(actor, ticks)| _ = to.put(actor).put(ticks));
        to.number(asked.len() as u64);
        asked.iter().for_each(|(actor, counts)| _ = to.put(actor).put(counts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::comes_back;

    #[test]
    fn verdicts_come_back() {
        comes_back::<Verdict>(|trial, round| match round % 3 {
            0 => Verdict::Open,
            1 => Verdict::Kept(trial.any()),
            _ => Verdict::Broken(trial.any(), trial.any()),
        });
    }
}
