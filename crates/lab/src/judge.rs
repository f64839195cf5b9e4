//! What an answer is worth, judged by replay and by the known distance.
//!
//! In:   a question, its true length, an answer.
//! Out:  a [`Verdict`]; a [`Count`] of many.
//! Cost: one visit per condition of the plan.

use crate::printed;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_planner::replay::replay;
use throng_planner::{Outcome, Problem};

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// A shortest plan; or rightly none.
    Right,
    /// A plan, but a longer one than needed.
    Longer,
    /// A list of actions that does not lead to the goal.
    NoPlan,
    /// "There is none", and there is one.
    Refused,
    /// The question is outside what the planner says it serves.
    NotServed,
}

/// A question and the truth about it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Who.
    pub npc: &'q NpcTables,
    /// From where to where.
    pub problem: &'q Problem,
    /// How long the shortest plan is; `None` if there is none.
    pub shortest: Option<usize>,
}

impl Question<'_> {
    /// Judges a list of actions.
    pub fn of_plan(&self, plan: &[LocalAction]) -> Verdict {
        let is_plan = replay(self.npc, self.problem, plan, &mut Vec::new()).is_some();
        match self.shortest {
            Some(shortest) if is_plan && plan.len() == shortest => Verdict::Right,
            Some(_) if is_plan => Verdict::Longer,
            _ => Verdict::NoPlan,
        }
    }

    fn of_refusal(&self) -> Verdict {
        if self.shortest.is_none() { Verdict::Right } else { Verdict::Refused }
    }

    /// Judges an answer of ours.
    pub fn ours(&self, outcome: &Outcome, plan: &[LocalAction]) -> Verdict {
        match outcome {
            Outcome::Plan { .. } => self.of_plan(plan),
            Outcome::Satisfied => self.of_plan(&[]),
            Outcome::Impossible(_) => self.of_refusal(),
            Outcome::GaveUp(_) => Verdict::NotServed,
        }
    }

    /// Judges an answer of a printed algorithm.
    pub fn printed(&self, answer: &printed::Answer) -> Verdict {
        match answer {
            Ok(plan) => self.of_plan(plan),
            // The question is none of the papers'.
            Err(failure) if failure.line().is_none() => Verdict::NotServed,
            Err(_) => self.of_refusal(),
        }
    }
}

/// How often each verdict was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Questions that have a plan.
    pub solvable: u64,
    /// Questions.
    pub all: u64,
    verdicts: [u64; 5],
}

impl Count {
    /// Counts a verdict.
    pub fn add(&mut self, question: &Question<'_>, verdict: Verdict) {
        self.all += 1;
        self.solvable += u64::from(question.shortest.is_some());
        self.verdicts[verdict as usize] += 1;
    }

    /// How often it was given.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    /// Lists that are no plans, and refusals of what has one.
    pub fn wrong(&self) -> u64 {
        self.of(Verdict::NoPlan) + self.of(Verdict::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Domain;
    use throng_domain::Cost;
    use throng_planner::{ActionMask, Checks, Context};

    #[test]
    fn answers_are_judged_by_replay_and_length() {
        let text = "domain d\nvar x: 0..2\naction up: x 0 -> 1\naction top: x 1 -> 2\n\
            action down: x 1 -> 0\ngoal g: x = 1\nnpc n\n  can up, top, down\n  starts x = 0\n";
        let Ok(domain) = Domain::from_text(text) else { panic!("it loads") };
        let compiled = domain.compiled();
        let npc = &compiled.npcs()[0];
        let mut problem = Problem::new(compiled, npc.id());
        let (checks, nothing) = (Checks::all(0), ActionMask::none(3));
        problem.fill(
            compiled,
            npc.id(),
            |_| 0,
            compiled.goals()[0].wants(),
            Context::new(&checks, &nothing),
        );
        let question = Question { npc, problem: &problem, shortest: Some(1) };
        let [up, top, down] = [0, 1, 2].map(LocalAction);
        let plan = Outcome::Plan { cost: Cost(1000) };
        assert_eq!(question.ours(&plan, &[up]), Verdict::Right);
        assert_eq!(question.ours(&plan, &[up, down, up]), Verdict::Longer);
        assert_eq!(question.ours(&plan, &[up, top]), Verdict::NoPlan);
        assert_eq!(question.ours(&plan, &[down]), Verdict::NoPlan);
        let refusal = Err(printed::Failure::Circle("4", npc.needs(up)[0]));
        assert_eq!(question.printed(&refusal), Verdict::Refused);
        let none = Question { shortest: None, ..question };
        assert_eq!(none.printed(&refusal), Verdict::Right);
        assert_eq!(none.ours(&plan, &[up]), Verdict::NoPlan);
        let mut count = Count::default();
        count.add(&question, Verdict::Refused);
        count.add(&none, Verdict::Right);
        assert_eq!((count.all, count.solvable, count.wrong()), (2, 1, 1));
    }
}
