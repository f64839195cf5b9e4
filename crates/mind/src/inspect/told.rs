//! Events in words: what happened, what it is about, why.
//!
//! In:   an event of the last tick, and the mind it happened in.
//! Out:  a [`EventText`]: data for scripts, and a line for people.
//! Cost: allocates; a missing plan is explained by planning again.

use super::asks::question_word;
use super::besides::begins_words;
use super::{action_name, cause_words, doing_words};
use super::{key_name, why_words};
use crate::effects::Circle;
use crate::events::{Activity, Cause, EventKind};
use crate::mind::Mind;
use crate::progress::Ending;
use crate::select::{Key, PickReason};
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::Word;
use throng_domain::model::GoalId;

/// Something that happened, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EventText {
    /// What happened, as one word that never changes: `start`, `plan`, `goal` … for scripts.
    pub id: &'static str,
    /// The same as people say it: `starts`, `plans`, `wants` …
    pub event: &'static str,
    /// What it is about: an action, a goal, a sensor, the steps of a plan.
    pub name: String,
    /// PickReason, if there is more to say.
    pub why: Option<String>,
}

throng_base::display! { EventText {
    Self { event, name, why, .. } => "{event}{}{name}{}",
        if name.is_empty() || event.is_empty() { "" } else { " " },
        why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
} }

impl EventText {
    /// An event of somebody else's making, as a game's or a world's own.
    pub fn new(id: &'static str, event: &'static str, name: String, why: Option<String>) -> Self {
        EventText { id, event, name, why }
    }

    /// An event of the last tick; `mind` is the one it happened in, if it lives.
    pub fn of(what: EventKind, spec: &Spec, mind: Option<&Mind>, now: Tick) -> EventText {
        let because = |id, event, name: String, why| EventText { id, event, name, why };
        let told = |id, event, name| because(id, event, name, None);
        let action = |id, event, action| told(id, event, action_name(spec, action));
        let words = |cause| Some(cause_words(cause).to_string());
        match what {
            EventKind::Goal(Some(goal)) => told("goal", "wants", goal_name(spec, goal)),
            EventKind::Goal(None) => told("goal", "wants", "nothing".to_string()),
            EventKind::Planned { cause, .. } => {
                let steps = mind.map_or(&[][..], |mind| mind.plan().steps());
                let names: Vec<String> = steps.iter().map(|&a| action_name(spec, a)).collect();
                because("plan", "plans", names.join(", "), words(cause))
            }
            EventKind::Waits(cause) => {
                because("waits", "waits for its turn to plan", String::new(), words(cause))
            }
            EventKind::NoPlan(cause) => no_plan(cause, spec, mind, now),
            EventKind::Started { doing: Activity::Beside(at), .. } => {
                let beside = spec.besides.get(usize::from(at));
                told("beside", "", beside.map_or(String::new(), |it| begins_words(spec, it)))
            }
            EventKind::Started { doing, kind, .. } => {
                let why = kind.map(|kind| format!("as {}", spec.words.text(kind)));
                because("start", "starts", doing_words(spec, doing), why)
            }
            EventKind::Ended { doing, how, .. } => {
                let name = doing_words(spec, doing);
                let [done, cancelled, failed] = match doing {
                    Activity::Beside(_) => ["beside_done", "beside_cancelled", "beside_failed"],
                    _ => ["done", "cancelled", "failed"],
                };
                match how {
                    Ending::Done => told(done, "has done", name),
                    Ending::Cancelled => told(cancelled, "gives up", name),
                    Ending::Failed(why) => {
                        let why = Some(spec.words.text(why).to_string());
                        because(failed, "fails", name, why.filter(|why| !why.is_empty()))
                    }
                }
            }
            EventKind::WrongChannel(at) => {
                let why = Some("it does not have the legs".to_string());
                let name = doing_words(spec, Activity::Beside(at));
                because("wrong_channel", "is not to go anywhere for", name, why)
            }
            EventKind::Skipped(id) => action("skipped", "need not do", id),
            EventKind::NoEffect(id) => action("no_effect", "sees no effect of", id),
            EventKind::Doubted(id) => action("doubt", "doubts", id),
            EventKind::Learnt(id) => action("learnt", "learns", id),
            EventKind::Heavy(sensor) => {
                let sensor = spec.sensors.get(usize::from(sensor));
                let name = sensor.map_or("", |sensor| spec.words.text(sensor.name));
                told("heavy", "looks hard with", name.to_string())
            }
            EventKind::Picked { slot, now, score, why, .. } => {
                picked(spec.slot_name(slot), now, score, why, (spec, mind))
            }
            EventKind::Tells { kind, about, to } => {
                let whom = to.map_or("all who are near", |to| match to {
                    Circle::Squad => "its squad",
                    Circle::Side => "its side",
                    Circle::All => "everybody",
                });
                let what = told_of(spec, mind, kind, about);
                told("tells", "tells", format!("{what} to {whom}"))
            }
            EventKind::Told { kind, about, by } => {
                let what = told_of(spec, mind, kind, about);
                told("told", "is told", format!("{what} by mind {}", by.0))
            }
            EventKind::Unanswered { what, about, handed_out } => {
                let word = question_word(spec, what);
                let name = match about {
                    Key::None => word.to_string(),
                    about => format!("{word} of {}", key_name(spec, mind, about)),
                };
                let why = if handed_out { "the game did not say" } else { "its turn never came" };
                because("unanswered", "gets no answer to", name, Some(why.to_string()))
            }
            EventKind::Mistake(by) => {
                told("mistake", "has a mistake in the code of", spec.words.text(by).to_string())
            }
        }
    }
}

/// `character #7`.
fn told_of(spec: &Spec, mind: Option<&Mind>, kind: Word, about: Key) -> String {
    let kind = spec.words.text(kind);
    match about {
        Key::None => kind.to_string(),
        about => format!("{kind} {}", key_name(spec, mind, about)),
    }
}

fn picked(
    slot: &str,
    now: Key,
    score: u16,
    why: PickReason,
    (spec, mind): (&Spec, Option<&Mind>),
) -> EventText {
    let (event, name) = match now {
        Key::None => ("lets go of", slot.to_string()),
        _ => {
            let (score, key) = (f64::from(score) / 1000.0, key_name(spec, mind, now));
            ("picks", format!("{slot} = {key} ({score:.2})"))
        }
    };
    EventText { id: "picked", event, name, why: Some(why_words(why).to_string()) }
}

/// To have reached what one wanted, or to want nothing, is not to lack a plan.
fn no_plan(cause: Cause, spec: &Spec, mind: Option<&Mind>, now: Tick) -> EventText {
    let reason = mind.and_then(|mind| mind.why_no_plan(spec, now));
    let (event, why) = match (cause, reason) {
        (Cause::GoalReached, None) => ("rests", Some(cause_words(cause).to_string())),
        (_, None) => ("has nothing to do", None),
        (Cause::TryAgain, Some(reason)) => ("still has no plan", Some(reason)),
        (_, Some(reason)) => ("has no plan", Some(reason)),
    };
    EventText { id: "no_plan", event, name: String::new(), why }
}

/// A goal as it is written: one of several that a condition like `danger != near` gives is told by
/// the name that they serve, without what was added to tell them apart.
pub fn goal_name(spec: &Spec, goal: GoalId) -> String {
    spec.domain.map().wish(goal).to_string()
}
