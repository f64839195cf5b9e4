//! What was seen while watching, so that a watch over nothing is noticed.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use throng_mind::body::Ending;
use throng_mind::events::{Activity, Event, EventKind};
use throng_mind::spec::Spec;

/// Counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Minds times ticks.
    pub ticks: u64,
    /// Of those, in which the mind went to sleep for more than a tick.
    pub asleep: u64,
    /// Of those, in which all that it believes of itself was computed again.
    pub truths: u64,
    /// New plans that were walked, and their steps.
    pub plans: u64,
    /// See [`plans`](Self::plans).
    pub steps: u64,
    /// Times that no plan was found, and none is in reach.
    pub no_plans: u64,
    /// Rests of plans that were walked.
    pub rests: u64,
    /// Goals that were replaced by better ones.
    pub better: u64,
    /// Goals found resting.
    pub resting: u64,
    /// Values found believed against the rules.
    pub beliefs: u64,
    /// Times that a mind was asked why it does nothing.
    pub reasons: u64,
    /// Events by name.
    pub events: BTreeMap<String, u64>,
}

impl Seen {
    pub(super) fn event(&mut self, spec: &Spec, event: &Event) {
        let name = match event.what {
            EventKind::Goal(_) => "goal".to_string(),
            EventKind::Planned { cause, .. } => format!("planned {cause:?}"),
            EventKind::Waits(cause) => format!("waits {cause:?}"),
            EventKind::NoPlan(cause) => format!("no plan {cause:?}"),
            EventKind::Started { doing, kind, .. } => match doing {
                Activity::Step(action) if !spec.action(action).parts.is_empty() => {
                    "compound".into()
                }
                Activity::Step(_) if kind.is_some() => "kind".to_string(),
                Activity::Step(_) => "step".to_string(),
                Activity::Otherwise(_) => "otherwise".to_string(),
                Activity::Flavour(_) => "flavour".to_string(),
            },
            EventKind::Ended { how: Ending::Done, .. } => "done".to_string(),
            EventKind::Ended { how: Ending::Failed(_), .. } => "failed".to_string(),
            EventKind::Ended { how: Ending::Cancelled, .. } => "cancelled".to_string(),
            EventKind::Skipped(_) => "skipped".to_string(),
            EventKind::NoEffect(_) => "no effect".to_string(),
            EventKind::Doubted(_) => "doubted".to_string(),
            EventKind::Learnt(_) => "learnt".to_string(),
            EventKind::Heavy(_) => "heavy".to_string(),
            EventKind::Mistake(_) => "mistake".to_string(),
            other => format!("{other:?}"),
        };
        *self.events.entry(name).or_default() += 1;
    }

    /// How often something of this name happened.
    pub fn of(&self, name: &str) -> u64 {
        self.events.get(name).copied().unwrap_or(0)
    }
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.ticks += other.ticks;
        self.asleep += other.asleep;
        self.truths += other.truths;
        self.plans += other.plans;
        self.steps += other.steps;
        self.no_plans += other.no_plans;
        self.rests += other.rests;
        self.better += other.better;
        self.resting += other.resting;
        self.beliefs += other.beliefs;
        self.reasons += other.reasons;
        for (name, count) in other.events {
            *self.events.entry(name).or_default() += count;
        }
    }
}
