//! Promises about what happens in the world, and about minds that have nothing to do, double each
//! other or twitch.
//!
//! In:   happenings and incidents of a tick.
//! Out:  why a promise is broken: when it is known, with who and whom.
//! Cost: a look at each mind; for doubled picks at each pair of a side.

use super::{Claim, Decided, Happening, Idle, Judge, Progress, Tick, View};
use crate::story::incident::Incident;
use crate::story::squads::SquadWhat;
use std::collections::BTreeMap;
use throng_domain::model::GoalId;
use throng_mind::body::Ending;
use throng_mind::events::{Activity, EventKind};

/// What was begun may not be given up within so many seconds.
const TWITCH: f64 = 0.3;
/// An order explains what one does who has had none for so many seconds.
const FREE: f64 = 0.5;
/// Stands for no run of a mind: they are counted from 1 up.
const NO_RUN: usize = usize::MAX;
/// So many seconds an enemy threatens who has done harm.
const THREATENS: f64 = 3.0;

impl Judge {
    /// One tick, for a promise about all.
    pub(super) fn watch(
        &self,
        claim: &Claim,
        happenings: &[Happening],
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        match claim {
            Claim::NobodyIdle(ticks, pattern, counting, of) => {
                let is_meant = |actor: &&usize| of.as_ref().is_none_or(|of| of.contains(actor));
                for &actor in self.minds.iter().filter(is_meant) {
                    let beside_it = view.wants(actor).filter(|goal| counting.contains(goal));
                    let idle = view.rests(actor) || beside_it.is_some();
                    let idles =
                        idle && view.idle(actor) != Idle::Absent && view.knows(actor, pattern);
                    let lasted = progress.between.entry(actor).or_default();
                    *lasted = if idles { *lasted + 1 } else { 0 };
                    if *lasted >= (*ticks).max(1) {
                        let goal = beside_it.and_then(|goal| self.goals.get(goal as usize));
                        let what = match goal {
                            Some(goal) => format!("nothing better to do than `{goal}`"),
                            None => "nothing to do".to_string(),
                        };
                        return broken(format!(
                            "`{}` has had {what} for {:.1} s and knows a `{}`",
                            self.name(actor),
                            self.pace.seconds(*lasted),
                            pattern.kind
                        ));
                    }
                }
                None
            }
            Claim::NobodyKnows(pattern) => {
                let knows = |actor: &&usize| view.knows(**actor, pattern);
                let who = self.minds.iter().find(knows)?;
                broken(format!("`{}` knows such a `{}`", self.name(*who), pattern.kind))
            }
            Claim::NobodyTwitches => self.twitches(happenings, now, view, progress),
            Claim::NobodyDoubles(select, ticks) => {
                self.doubles(select, *ticks, now, view, progress)
            }
            Claim::DeathsHaveCauses => {
                let died = |actor: usize| {
                    let is_it =
                        |it: &Incident| matches!(it, Incident::Died { whom, .. } if *whom == actor);
                    view.incidents().iter().any(is_it)
                };
                let dead = (0..self.actors.len()).filter(|&actor| !view.is_alive(actor));
                for actor in dead {
                    let is_new = progress.since.insert((actor, actor), now).is_none();
                    if is_new && !died(actor) {
                        return broken(format!("nobody knows of what `{}` died", self.name(actor)));
                    }
                }
                None
            }
            Claim::ThrowsAtMost(most, who, ticks) => {
                for incident in view.incidents() {
                    if let Incident::Thrown { by: Some(by), .. } = *incident
                        && who.contains(&by)
                    {
                        progress.owed.push((by, by, now));
                    }
                }
                progress.owed.retain(|&(.., at)| now - at < *ticks);
                (progress.owed.len() > *most as usize).then(|| {
                    let names: Vec<String> = progress
                        .owed
                        .iter()
                        .map(|&(by, _, at)| {
                            format!("`{}` at {:.1} s", self.name(by), self.pace.seconds(at))
                        })
                        .collect();
                    Err(format!("{} grenades: {}", progress.owed.len(), names.join(", ")))
                })
            }
            Claim::NobodyHurt(whom, by) => view.incidents().iter().find_map(|it| match *it {
                Incident::Hurt { whom: hurt, by: Some(who), amount, .. }
                    if whom.contains(&hurt) && by.contains(&who) =>
                {
                    let (who, hurt) = (self.name(who), self.name(hurt));
                    Some(Err(format!("`{who}` hurt `{hurt}` ({amount})")))
                }
                _ => None,
            }),
            Claim::AfterKill(reaction) => self.after_kill(reaction, now, view, progress),
            Claim::AfterDeath(side, reaction) => {
                self.after_death(side, reaction, now, view, progress)
            }
            _ => None,
        }
    }

    /// Begun and given up, and nothing came between that would explain it.
    fn twitches(
        &self,
        happenings: &[Happening],
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        let least = self.pace.ticks(TWITCH);
        // A death explains what anybody does, as does an urgent goal of a squad; harm explains what the
        // one does who has it. Who begins something in the tick of such news does not know of it yet.
        let dies = |incident: &Incident| matches!(incident, Incident::Died { .. });
        let calls = |it: &Happening| {
            let is_squad = it.actor >= self.actors.len();
            let urgent = |goal: GoalId| view.is_urgent(goal.index() as u32);
            is_squad && matches!(it.what, EventKind::Goal(Some(goal)) if urgent(goal))
        };
        let is_news = view.incidents().iter().any(dies) || happenings.iter().any(calls);
        if is_news {
            progress.since.clear();
        }
        for incident in view.incidents() {
            if let Incident::Hurt { whom, .. } = *incident {
                progress.since.retain(|&(actor, _), _| actor != whom);
            }
        }
        self.orders_explain(now, view, progress);
        for &Happening { actor, what } in happenings {
            match what {
                EventKind::Goal(Some(goal)) if view.is_urgent(goal.index() as u32) => {
                    progress.since.retain(|&(who, _), _| who != actor);
                }
                _ => {}
            }
        }
        for &Happening { actor, what } in happenings {
            match what {
                EventKind::Started { run, doing: Activity::Step(_), .. } if !is_news => {
                    progress.since.insert((actor, run as usize), now);
                }
                EventKind::Ended { run, doing, how } => {
                    let begun = progress.since.remove(&(actor, run as usize));
                    let quick = begun.filter(|&begun| now - begun < least.max(1));
                    let gone = view.idle(actor) == Idle::Absent;
                    if let Some(begun) = quick.filter(|_| how == Ending::Cancelled && !gone) {
                        let (what, name) = (self.name_of(doing), self.name(actor));
                        let seconds = self.pace.seconds(begun);
                        return broken(format!(
                            "`{name}` began `{what}` at {seconds:.1} s and gave it up"
                        ));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// So does an order, what the one does who gets it, unless he had another a moment ago: a squad
    /// that takes back and gives again makes its members twitch.
    fn orders_explain(&self, now: Tick, view: &dyn View, progress: &mut Progress) {
        for told in view.squad_news() {
            let last = (told.who, NO_RUN);
            match told.what {
                SquadWhat::Ended(_) => _ = progress.since.insert(last, now),
                SquadWhat::Given => {
                    let free = progress.since.get(&last).map(|&ended| now - ended);
                    if free.is_none_or(|free| free >= self.pace.ticks(FREE)) {
                        progress.since.retain(|&(who, _), _| who != told.who);
                    }
                }
                _ => {}
            }
        }
    }

    /// Two of a side on one, while somebody else threatens whom nobody of the side has picked.
    fn doubles(
        &self,
        select: &str,
        ticks: Tick,
        now: Tick,
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        for incident in view.incidents() {
            if let Incident::Hurt { whom, by: Some(by), .. } = *incident {
                progress.since.insert((by, whom), now);
            }
        }
        let picks: BTreeMap<usize, Vec<String>> = self
            .minds
            .iter()
            .filter(|&&actor| view.idle(actor) != Idle::Absent)
            .map(|&actor| (actor, view.picked(actor, select)))
            .collect();
        for (&one, held) in &picks {
            for (&other, also) in picks.range(one + 1..) {
                let shared = held.iter().find(|it| also.contains(it));
                let is_side = !self.sides[one].is_empty() && self.sides[one] == self.sides[other];
                let third = shared
                    .filter(|_| is_side)
                    .and_then(|_| self.unpicked_threat((one, other), &picks, now, view, progress));
                let lasted = progress.lasted.entry((one, other)).or_default();
                *lasted = if third.is_some() { *lasted + 1 } else { 0 };
                if let (Some(shared), Some(third)) = (shared, third)
                    && *lasted >= ticks.max(1)
                {
                    let (one, other, third) = (self.name(one), self.name(other), self.name(third));
                    let seconds = self.pace.seconds(*lasted);
                    return broken(format!(
                        "`{one}` and `{other}` both had `{shared}` for {seconds:.1} s, while \
                         nobody had `{third}`, who threatened them"
                    ));
                }
            }
        }
        None
    }

    /// An enemy that both know alive (who does not know of him cannot turn to him, and who came first
    /// need not), that aims at their side or has hurt it of late,
    /// and that is nobody's pick.
    fn unpicked_threat(
        &self,
        two: (usize, usize),
        picks: &BTreeMap<usize, Vec<String>>,
        now: Tick,
        view: &dyn View,
        progress: &Progress,
    ) -> Option<usize> {
        let side = &self.sides[two.0];
        let is_mine = |actor: usize| self.sides.get(actor) == Some(side);
        let late = self.pace.ticks(THREATENS);
        (0..self.actors.len()).filter(|&enemy| !is_mine(enemy) && view.is_alive(enemy)).find(
            |&enemy| {
                let name = &self.actors[enemy];
                let mut mine = picks.iter().filter(|(actor, _)| is_mine(**actor));
                let aims = view.aims_at(enemy).is_some_and(is_mine);
                let mut hurt = progress.since.iter();
                let threatens = aims
                    || hurt
                        .any(|(&(by, whom), &at)| by == enemy && is_mine(whom) && now - at <= late);
                threatens
                    && [two.0, two.1].into_iter().all(|me| view.believes_alive(me, enemy))
                    && !mine.any(|(_, held)| held.contains(name))
            },
        )
    }

    /// Too far from somebody.
    pub(super) fn strays(
        &self,
        who: usize,
        other: usize,
        cells: f32,
        view: &dyn View,
    ) -> Option<String> {
        let far = view.distance(who, other).filter(|&far| far > cells)?;
        Some(format!("it is {far:.1} cells from `{}`", self.name(other)))
    }
}

fn broken(why: String) -> Decided {
    Some(Err(why))
}
