//! What happens in a story, in words.
//!
//! In:   a happening, and the play it is of.
//! Out:  a [`Told`]: an event, what it is about, why; as data and as a line.
//! Cost: allocates; for those who watch.

use super::cast::Cast;
use super::promise::{Happening, View};
use std::fmt;
use throng_mind::events::{Cause, What};
use throng_mind::inspect::{cause_words, doing_words};
use throng_mind::spec::Spec;
use throng_mind::{Ending, Mind};

/// Something that happened, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// What happened: `starts`, `plans`, `wants` … scripts tell these apart.
    pub event: &'static str,
    /// What it is about: an action, a goal, a sensor, the steps of a plan.
    pub name: String,
    /// Why, if there is more to say.
    pub why: Option<String>,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { event, name, why } = self;
        match (*event, why) {
            (event, Some(why)) if name.is_empty() => write!(f, "{event}: {why}"),
            (event, None) if name.is_empty() => write!(f, "{event}"),
            (event, Some(why)) => write!(f, "{event} {name}: {why}"),
            (event, None) => write!(f, "{event} {name}"),
        }
    }
}

/// A mind in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MindLine {
    /// Whose.
    pub who: String,
    /// What it wants; empty if nothing.
    pub goal: String,
    /// What it does; `dead` or `away` if it has no mind now.
    pub doing: String,
    /// Why.
    pub why: String,
}

impl Cast {
    /// A happening of the last tick in words.
    pub fn tell(&self, happening: &Happening) -> Told {
        let spec = self.minds.spec();
        let map = spec.domain.map();
        let told = |event, name: String| Told { event, name, why: None };
        match happening.what {
            What::Goal(Some(goal)) => told("wants", map.goal(goal).to_string()),
            What::Goal(None) => told("wants", "nothing".to_string()),
            What::Planned { cause, .. } => {
                let steps = self.mind(happening.actor).map_or(&[][..], |mind| mind.plan().steps());
                let names: Vec<&str> = steps.iter().map(|&action| map.action(action)).collect();
                let why = Some(cause_words(cause).to_string());
                Told { event: "plans", name: names.join(", "), why }
            }
            What::NoPlan(cause) => {
                // To have reached what one wanted is not to lack something.
                let event = match cause {
                    Cause::GoalReached => "rests",
                    Cause::NothingToDo => return told("has nothing to do", String::new()),
                    Cause::TryAgain => return told("still has no plan", String::new()),
                    _ => "has no plan",
                };
                let why = Some(cause_words(cause).to_string());
                Told { event, name: String::new(), why }
            }
            What::Started { doing, kind, .. } => {
                let why = kind.map(|kind| format!("as {}", spec.words.text(kind)));
                Told { event: "starts", name: doing_words(spec, doing), why }
            }
            What::Ended { doing, how, .. } => ended(spec, doing_words(spec, doing), how),
            What::Skipped(action) => told("skips", map.action(action).to_string()),
            What::NoEffect(action) => told("sees no effect of", map.action(action).to_string()),
            What::Doubted(action) => told("doubts", map.action(action).to_string()),
            What::Learnt(action) => told("learns", map.action(action).to_string()),
            What::Heavy(sensor) => {
                let sensor = spec.sensors.get(usize::from(sensor));
                let name = sensor.map_or("", |sensor| spec.words.text(sensor.name));
                told("senses with", name.to_string())
            }
        }
    }

    /// A line for each actor that has, had, or will have a mind.
    pub fn mind_lines(&self) -> Vec<MindLine> {
        let minded = self.story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded());
        minded.map(|(actor, entry)| self.mind_line(actor, &entry.name)).collect()
    }

    fn mind_line(&self, actor: usize, name: &str) -> MindLine {
        let (who, spec) = (name.to_string(), self.minds.spec());
        let Some(mind) = self.mind(actor) else {
            let doing = if self.is_alive(actor) { "away" } else { "dead" };
            return MindLine {
                who,
                goal: String::new(),
                doing: doing.to_string(),
                why: String::new(),
            };
        };
        let goal = mind.goals().active();
        let goal = goal.map_or(String::new(), |goal| spec.domain.map().goal(goal).to_string());
        MindLine { who, goal, doing: mind.doing(spec), why: self.why(mind, spec) }
    }

    fn why(&self, mind: &Mind, spec: &Spec) -> String {
        mind.why(spec, self.world.now())
    }
}

fn ended(spec: &Spec, name: String, how: Ending) -> Told {
    match how {
        Ending::Done => Told { event: "has done", name, why: None },
        Ending::Cancelled => Told { event: "gives up", name, why: None },
        Ending::Failed(why) => {
            let why = Some(spec.words.text(why).to_string()).filter(|why| !why.is_empty());
            Told { event: "fails", name, why }
        }
    }
}
