//! What happens in a story, in words.
//!
//! In:   a happening, and the play it is of.
//! Out:  a [`EventText`]: an event, what it is about, why; as data and as a line. Happenings in the
//!       order in which they are told. A mind in one line.
//! Cost: allocates; for those who watch.

use super::cast::Cast;
use super::promise::{Happening, View};
use crate::cell::Cell;
use crate::draw::{self, Signs};
use throng_domain::model::ActionId;
pub use throng_kit::vocabulary::failure_words;
use throng_mind::Mind;
use throng_mind::body::Ending;
use throng_mind::events::{Activity, EventKind};
use throng_mind::fact::EntityId;
use throng_mind::inspect::{EventText, cause_words, goal_name};
use throng_mind::spec::Spec;

/// The happenings of a tick with causes before effects: what has ended, what is wanted instead, the
/// plan for it, its first step. Minds plan first and then say for what.
#[must_use]
pub fn in_order(happenings: &[Happening]) -> Vec<Happening> {
    // Only these change places with each other; all else stays where it was.
    let rank = |happening: &Happening| match happening.what {
        EventKind::Ended { .. } => Some(0),
        EventKind::Goal(_) => Some(1),
        EventKind::Planned { .. } | EventKind::NoPlan(_) => Some(2),
        _ => None,
    };
    let mut told: Vec<Happening> = Vec::with_capacity(happenings.len());
    for &happening in happenings {
        let comes_before = |other: &Happening| {
            let ranks = rank(other).zip(rank(&happening));
            other.actor == happening.actor && ranks.is_some_and(|(other, own)| own < other)
        };
        let passed = told.iter().rev().take_while(|other| comes_before(other)).count();
        told.insert(told.len() - passed, happening);
    }
    told
}

/// A mind in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MindLine {
    /// What it is drawn as.
    pub sign: char,
    /// The name of the actor, or of the squad with its members.
    pub who: String,
    /// What it wants; empty if nothing.
    pub goal: String,
    /// What it does; `dead` or `away` if it has no mind now.
    pub doing: String,
    /// Why; of a plan only what made it plan.
    pub why: String,
}

impl Cast {
    /// A happening of the last tick in words.
    pub fn tell(&self, happening: &Happening) -> EventText {
        let (mind, spec) = (self.mind(happening.actor), self.minds.spec());
        let own = self.tell_pick(happening.actor, happening.what);
        if let Some(told) = own.or_else(|| self.tell_told(happening.actor, happening.what)) {
            return told;
        }
        let mut told = EventText::of(happening.what, spec, mind, self.world.now());
        told.name = match happening.what {
            EventKind::Ended { .. } => {
                self.with_old_names(happening.actor, &told.name, self.show_slots)
            }
            _ => self.with_names(happening.actor, &told.name, self.show_slots),
        };
        if let EventKind::Ended { doing, how: Ending::Failed(word), .. } = happening.what
            && told.why.is_some()
        {
            let behaviour = match doing {
                Activity::Step(action) | Activity::Otherwise(action) => spec.action(action).does,
                Activity::Beside(at) => {
                    let beside = spec.besides.get(usize::from(at));
                    beside.map_or(throng_mind::words::Word::NONE, |beside| beside.does)
                }
                Activity::Flavour(_) => throng_mind::words::Word::NONE,
            };
            let (word, behaviour) = (spec.words.text(word), spec.words.text(behaviour));
            let missing = || self.missing(happening.actor, doing.action()?);
            let missing = if word == "needs" { missing() } else { None };
            told.why = Some(missing.unwrap_or_else(|| failure_words(word, behaviour)));
        }
        told
    }

    /// What the thing that an action is about lacks for one who would use it: `gate` needs `key`.
    fn missing(&self, actor: usize, action: ActionId) -> Option<String> {
        let action = self.minds.spec().action(action);
        let given = *action.given.first().or(action.parameters.first())?;
        let picked = self.picks_named(actor, self.words().text(given)).next();
        let thing = match picked.and_then(|pick| pick.key.entity()) {
            Some(entity) => self.world.thing(entity)?,
            None => self.world.thing_named(given)?,
        };
        let name = &thing.text;
        let mut needs = Vec::new();
        throng_kit::Spots::needs(&self.world, thing.handle, self.handle(actor)?, &mut needs);
        let unmet = needs.iter().filter(|need| !need.met).filter_map(|need| {
            let name = self.name_of(need.thing)?;
            let is_key = thing.keys.contains(&need.thing);
            let state = self.words().text(need.state);
            Some(if is_key { format!("`{name}`") } else { format!("`{name} = {state}`") })
        });
        let unmet: Vec<String> = unmet.collect();
        (!unmet.is_empty()).then(|| format!("`{name}` needs {}", unmet.join(", ")))
    }

    /// The signs of all actors of the story, whether they are there yet or not.
    pub fn signs(&self) -> Signs {
        let actors = self.story.actors.iter();
        let actors = actors.map(|actor| (actor.name.as_str(), actor.is_minded()));
        draw::signs(actors, &self.world.thing_letters())
    }

    /// What something in the world is called.
    pub fn name_of(&self, handle: EntityId) -> Option<&str> {
        let actor = self.world.actor(handle).map(|actor| actor.text.as_str());
        let thing = || self.world.thing(handle).map(|thing| thing.text.as_str());
        let node = || self.world.node(handle).map(|node| node.text.as_str());
        actor.or_else(thing).or_else(node)
    }

    /// Where the first mind is that acts for a goal; else the first mind.
    pub fn focus(&self) -> Cell {
        let acts =
            |&actor: &usize| self.mind(actor).is_some_and(|it| it.goals().active().is_some());
        let minds = || (0..self.story.actors.len()).filter(|&actor| self.mind(actor).is_some());
        let first = minds().find(acts).or_else(|| minds().next());
        let found = first.and_then(|actor| self.world.actor(self.handle(actor)?));
        found.map_or(Cell::new(0, 0), |actor| actor.cell)
    }

    /// A line for each squad that there is, and for each actor that has, had, or will have a mind:
    /// who it is, what it wants and does, and why.
    pub fn mind_lines(&self) -> Vec<MindLine> {
        let signs = self.signs();
        let squads = self.squad_voices().map(|voice| {
            let who = format!("{} ({})", self.voice_name(voice), self.members_of(voice).join(" "));
            self.mind_line(voice, '*', who)
        });
        let minded = self.story.actors.iter().enumerate().filter(|(_, entry)| entry.is_minded());
        let actors = minded.map(|(actor, entry)| {
            let sign = signs.get(&entry.name).copied().unwrap_or('?');
            self.mind_line(actor, sign, entry.name.clone())
        });
        squads.chain(actors).collect()
    }

    fn mind_line(&self, actor: usize, sign: char, who: String) -> MindLine {
        let spec = self.minds.spec();
        let Some(mind) = self.mind(actor) else {
            let doing = if self.is_alive(actor) { "away" } else { "dead" }.to_string();
            return MindLine { sign, who, goal: String::new(), doing, why: String::new() };
        };
        let goal = mind.goals().active();
        let goal = goal.map_or(String::new(), |goal| goal_name(spec, goal));
        MindLine {
            sign,
            who,
            goal,
            doing: self.with_names(actor, &mind.doing(spec), self.show_slots),
            why: self.why(mind, spec),
        }
    }

    /// The goal has a column of its own, so of a plan only the cause is told.
    fn why(&self, mind: &Mind, spec: &Spec) -> String {
        match (mind.plan().goal(), mind.plan().cause()) {
            (Some(goal), Some(cause)) if mind.goals().active() == Some(goal) => {
                cause_words(cause).to_string()
            }
            _ => mind.why(spec, self.world.now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_mind::events::Cause;

    const NO_GOAL: EventKind = EventKind::Goal(None);
    const NO_PLAN: EventKind = EventKind::NoPlan(Cause::GoalReached);

    fn ended(run: u32, how: Ending) -> EventKind {
        EventKind::Ended { run, doing: Activity::Flavour(0), how }
    }

    fn started(run: u32) -> EventKind {
        EventKind::Started { run, doing: Activity::Flavour(0), kind: None }
    }

    fn ordered(whats: &[(usize, EventKind)]) -> Vec<(usize, EventKind)> {
        let happenings: Vec<Happening> =
            whats.iter().map(|&(actor, what)| Happening { actor, what }).collect();
        in_order(&happenings).iter().map(|it| (it.actor, it.what)).collect()
    }

    #[test]
    fn causes_are_told_before_effects() {
        let done = ended(1, Ending::Done);
        let told = ordered(&[(0, NO_PLAN), (0, NO_GOAL), (0, done), (0, started(2))]);
        assert_eq!(told, [(0, done), (0, NO_GOAL), (0, NO_PLAN), (0, started(2))]);
        let cancelled = ended(1, Ending::Cancelled);
        let told = ordered(&[(0, NO_PLAN), (0, NO_GOAL), (0, cancelled), (0, started(2))]);
        assert_eq!(told, [(0, cancelled), (0, NO_GOAL), (0, NO_PLAN), (0, started(2))]);
    }

    #[test]
    fn nothing_passes_a_beginning_or_somebody_else() {
        let cancelled = ended(2, Ending::Cancelled);
        let whats = [(0, NO_PLAN), (0, started(2)), (0, cancelled), (0, NO_PLAN), (1, NO_GOAL)];
        assert_eq!(ordered(&whats), whats);
    }
}
