//! Verdicts as bytes and back, with what is remembered of promises that are open.

use super::{Judge, Judged, Progress, TOLD, Verdict};
use crate::story::Claim;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_base::{codec_enum, codec_struct};
use throng_mind::time::Tick;

codec_enum!("verdict" Verdict { 0 => Open, 1 => Kept(since), 2 => Broken(at, why) });
codec_struct!(Progress {
    done,
    done_at,
    had,
    forgotten,
    instead,
    between,
    asked,
    since,
    lasted,
    owed
});

impl Judge {
    pub(in crate::story) fn encode(&self, to: &mut Encoder) {
        // The rest is the story's.
        let Judge { promises, actors: _, sides: _, minds: _, actions: _, goals: _, pace: _ } = self;
        for Judged { verdict, cases, .. } in promises {
            to.write(verdict);
            cases.iter().for_each(|case| _ = to.write(&case.verdict).write(&case.progress));
        }
    }

    /// Reads how the promises stood at this moment: all of them, in the order of the text.
    pub(in crate::story) fn decode(
        &self,
        from: &mut Decoder<'_>,
        now: Tick,
    ) -> Result<Standing, DecodeError> {
        let mut standing = Vec::with_capacity(self.promises.len());
        for Judged { promise, cases, .. } in &self.promises {
            let verdict = from.read()?;
            let mut stood = Vec::with_capacity(cases.len());
            for _ in cases {
                let (verdict, progress): (Verdict, Progress) = from.read()?;
                from.sound((), self.progress_fits(&progress, now), "progress of a promise")?;
                let n_steps = match &promise.claim {
                    Claim::Does(steps) => steps.len(),
                    _ => 0,
                };
                if progress.done > n_steps {
                    return from.error("number of steps that were done");
                }
                stood.push((verdict, progress));
            }
            standing.push((verdict, stood));
        }
        Ok(Standing(standing))
    }

    /// Whether this is known of a promise at this moment, of actors who all have minds.
    fn progress_fits(&self, progress: &Progress, now: Tick) -> bool {
        let Progress { done_at, instead, between, asked, since, lasted, .. } = progress;
        // What is counted by the tick is counted once a tick.
        let mut counts = between.values().chain(asked.values().map(|(_, n)| n));
        let mut moments = since.values().chain(lasted.values());
        let mut actors = between.keys().chain(asked.keys());
        *done_at <= now
            && instead.len() <= TOLD
            && counts.all(|&ticks| ticks <= now)
            && moments.all(|&tick| tick <= now)
            && actors.all(|actor| self.minds.binary_search(actor).is_ok())
    }

    pub(in crate::story) fn take(&mut self, standing: Standing) {
        for (judged, (verdict, cases)) in self.promises.iter_mut().zip(standing.0) {
            judged.verdict = verdict;
            for (case, (verdict, progress)) in judged.cases.iter_mut().zip(cases) {
                (case.verdict, case.progress) = (verdict, progress);
            }
        }
    }
}

/// How all promises stood.
pub(in crate::story) struct Standing(Vec<(Verdict, Vec<(Verdict, Progress)>)>);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn verdicts_come_back() {
        comes_back::<Verdict>(|trial, round| match round % 3 {
            0 => Verdict::Open,
            1 => Verdict::Kept(trial.any()),
            _ => Verdict::Broken(trial.any(), trial.any()),
        });
        comes_back::<Progress>(|trial, _| Progress {
            done: trial.any(),
            done_at: trial.any(),
            had: trial.any(),
            forgotten: trial.any(),
            instead: trial.any(),
            between: trial.any(),
            asked: trial.any(),
            since: trial.any(),
            lasted: trial.any(),
            owed: trial.any(),
        });
    }
}
