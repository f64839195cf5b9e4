//! What becomes of a promise that is still open at its deadline, or at the end of the story.
//!
//! In:   the promise and what is remembered of it.
//! Out:  kept, or broken and why.
//! Cost: one look.

use super::{Claim, Judge, Progress, Promise, Step, Tick, Verdict, View};

impl Judge {
    /// Decides a promise at its deadline or at the end of the story.
    pub(super) fn close(
        &self,
        promise: &Promise,
        who: Option<usize>,
        now: Tick,
        view: &dyn View,
        progress: &Progress,
    ) -> Verdict {
        let instead = |what: &str| match progress.instead.is_empty() {
            true => format!("there was no {what}"),
            false => format!("instead: {}", progress.instead.join("; ")),
        };
        let who = who.unwrap_or_default();
        let why = match &promise.claim {
            Claim::NeverDoes(..) | Claim::NeverPlans(..) | Claim::NobodyStands => None,
            Claim::NeverAt(..) | Claim::NeverIs(..) => None,
            Claim::HeavyAtMost(_) | Claim::QuestionsAtMost(_) => None,
            Claim::Alive(true) | Claim::NobodyShares => None,
            Claim::Task(..) => Some(instead("task")),
            Claim::Plans(..) => Some(instead("plan")),
            Claim::Starts(..) => Some(instead("action")),
            Claim::Fails(..) => Some(instead("failure")),
            Claim::Wants(..) => Some(instead("other goal")),
            Claim::Does(steps) => Some(self.how_far(steps, progress)),
            Claim::Learns(..) => Some("it was not learnt".to_string()),
            Claim::Alive(false) => Some("it lives".to_string()),
            Claim::Is(need) if promise.by.is_none() && view.is_so(need) => None,
            Claim::Is(_) => Some("it is in another state".to_string()),
            Claim::At(spot) if promise.by.is_none() && view.is_at(who, spot) => None,
            Claim::Has(what) if promise.by.is_none() && view.has(who, what) => None,
            Claim::Has(..) => Some("it has not".to_string()),
            Claim::At(..) => Some("it is elsewhere".to_string()),
            Claim::Remembers(kind) if view.remembers(who, kind) => None,
            Claim::Remembers(..) if progress.had => Some("it has forgotten".to_string()),
            Claim::Remembers(..) => Some("there was no such fact".to_string()),
            Claim::Forgets(kind) if view.remembers(who, kind) => {
                Some("it still remembers".to_string())
            }
            Claim::Forgets(..) if progress.had => {
                return Verdict::Kept(progress.forgotten.unwrap_or(now));
            }
            Claim::Forgets(..) => Some("there was nothing to forget".to_string()),
            Claim::CallsBelow(most) => self.too_many_calls(*most, progress),
            Claim::Picks(select, _) => Some(match progress.instead.is_empty() {
                true => format!("nothing was picked as `{select}`"),
                false => format!("instead: {}", progress.instead.join("; ")),
            }),
            Claim::AtPick(select) => Some(format!("it never stood at its `{select}`")),
            Claim::Leaves(_) if progress.had => Some("it is still there".to_string()),
            Claim::Leaves(_) => Some("it never was there".to_string()),
            Claim::ComesWithin(_, other) => {
                Some(format!("it was never so near to `{}`", self.name(*other)))
            }
            // What was to come within the time was looked at while it ran.
            Claim::Within(..) | Claim::NobodyIdle(..) | Claim::NobodyDoubles(..) => None,
            Claim::NeverAmong(..) | Claim::Cloaked(..) => None,
            Claim::NobodyKnows(_) => None,
            Claim::AfterKill(_) | Claim::AfterDeath(..) | Claim::NobodyTwitches => None,
            Claim::DeathsHaveCauses | Claim::ThrowsAtMost(..) | Claim::NobodyHurt(..) => None,
        };
        why.map_or(Verdict::Kept(now), |why| Verdict::Broken(now, why))
    }

    fn how_far(&self, steps: &[Step], progress: &Progress) -> String {
        let next = steps.get(progress.done).map_or("", |step| step.text.as_str());
        match progress.done.checked_sub(1).and_then(|last| steps.get(last)) {
            None => format!("`{next}` was not done"),
            Some(last) => {
                let seconds = self.pace.seconds(progress.done_at);
                format!("`{}` was done at {seconds:.1} s, `{next}` was not after it", last.text)
            }
        }
    }

    fn too_many_calls(&self, most: f64, progress: &Progress) -> Option<String> {
        let rate = |&(asked, ticks): &(u32, Tick)| {
            // Who was there for less than a second is taken to have been there for one.
            f64::from(asked) / self.pace.seconds(ticks).max(1.0)
        };
        let rates = progress.asked.iter().map(|(actor, counts)| (rate(counts), *actor));
        let (worst, actor) = rates.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let name = &self.actors[actor];
        (worst >= most).then(|| format!("`{name}` asked for a plan {worst:.2} times a second"))
    }
}
