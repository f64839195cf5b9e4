//! What happens in a story, in words.
//!
//! In:   a happening, and the play it is of.
//! Out:  a [`Told`]: an event, what it is about, why; as data and as a line.
//! Cost: allocates; for those who watch.

use super::cast::Cast;
use super::promise::{Happening, View};
use throng_mind::Mind;
use throng_mind::inspect::Told;
use throng_mind::spec::Spec;

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
        let mind = self.mind(happening.actor);
        Told::of(happening.what, self.minds.spec(), mind, self.world.now())
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
