//! Promises about what comes soon after a death: who killed, or saw it, picks or wants something.
//!
//! In:   deaths of a tick, picks and goals.
//! Out:  why it is broken: who did not, after whose death.
//! Cost: a look at each who still owes it.

use super::{Decided, Idle, Judge, Progress, Tick, View};
use crate::story::Reaction;
use crate::story::incident::Incident;

impl Judge {
    /// Whoever kills picks another, or wants one of the goals.
    pub(super) fn after_kill(
        &self,
        reaction: &Reaction,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        for incident in view.incidents() {
            if let Incident::Died { whom, by: Some(by), .. } = *incident
                && by != whom
                && self.minds.contains(&by)
            {
                progress.owed.push((by, whom, now + reaction.within));
            }
        }
        self.settle(reaction, now, view, progress, "kill of")
    }

    /// Whoever of the side sees one of them dead picks, or wants, one of these.
    pub(super) fn after_death(
        &self,
        side: &[usize],
        reaction: &Reaction,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        for &dead in side.iter().filter(|&&actor| !view.is_alive(actor)) {
            for &who in side.iter().filter(|&&who| who != dead && self.minds.contains(&who)) {
                // Once for each who sees it.
                if view.saw_dead(who, dead) && !progress.since.contains_key(&(who, dead)) {
                    progress.since.insert((who, dead), now);
                    progress.owed.push((who, dead, now + reaction.within));
                }
            }
        }
        self.settle(reaction, now, view, progress, "death of")
    }

    /// Who has done it, or can do nothing any more, owes it no longer; who is late breaks it.
    fn settle(
        &self,
        reaction: &Reaction,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
        after: &str,
    ) -> Decided {
        let is_done = |who: usize, dead: usize| {
            let other = |select: &String| {
                view.picked(who, select).iter().any(|picked| picked != self.name(dead))
            };
            let wants = view.wants(who).is_some_and(|goal| reaction.wants.contains(&goal));
            wants || reaction.picks.iter().any(other)
        };
        let is_gone = |who: usize| !view.is_alive(who) || view.idle(who) == Idle::Absent;
        progress.owed.retain(|&(who, dead, _)| !is_gone(who) && !is_done(who, dead));
        let late = progress.owed.iter().find(|(.., until)| now >= *until);
        late.map(|&(who, dead, until)| {
            let at = self.pace.seconds(until.saturating_sub(reaction.within));
            Err(format!(
                "`{}` did not, after the {after} `{}` at {at:.1} s",
                self.name(who),
                self.name(dead)
            ))
        })
    }
}
