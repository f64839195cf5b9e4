//! A member of a family with all that planning it needs, warm: what is measured.
//!
//! In:   a member.
//! Out:  calls, each everything between the values of an NPC and its replayed plan: the problem,
//!       the choice of the engine, closure, order, replay; and a check of the answer.

use crate::harness::Turn;
use crate::judge::{Question, Verdict};
use crate::members::Member;
use crate::report::BenchResult;
use crate::town::Ours;
use std::hint::black_box;
use throng_domain::compile::PackedValue;
use throng_planner::choose::choose;
use throng_planner::topological::{Moves, TopologicalScratch, decide_by_order};
use throng_planner::{Call, Engine, Outcome, Problem};

/// A problem with all that planning it needs.
#[derive(Debug)]
pub struct Warm {
    /// The member.
    pub member: Member,
    values: Vec<PackedValue>,
    ours: Ours,
    /// For the plain twin, which no user meets.
    twin: (Moves, TopologicalScratch),
    rows: Rows,
}

/// Which layout of the planner is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// The graph of closure and order, which serves every type: the plain twin of the others.
    Graph,
    /// The layout that suits the type best: rows of bits if it needs much, else flat rows.
    Best,
}

impl Warm {
    /// Plans once and checks the answer.
    ///
    /// # Errors
    ///
    /// If the answer is wrong.
    pub fn new(member: Member, rows: Rows) -> BenchResult<Warm> {
        let starts = member.domain.npcs()[0].starts();
        let values = starts.iter().map(|fact| fact.value.index() as PackedValue).collect();
        let ours = Ours::new(&member.domain)?;
        let mut warm = Warm { member, values, ours, twin: Default::default(), rows };
        let outcome = warm.plan();
        warm.check(&outcome)?;
        Ok(warm)
    }

    /// The question.
    pub fn problem(&self) -> &Problem {
        &self.ours.problem
    }

    /// Actions of the plan.
    pub fn n_actions(&self) -> u64 {
        self.member.length as u64
    }

    /// Actions and needs of one plan.
    pub fn work(&self) -> u64 {
        self.n_actions() + self.member.n_needs
    }

    /// One call.
    pub fn plan(&mut self) -> Option<Outcome> {
        let domain = &self.member.domain;
        let (npc, goal) = (&domain.npcs()[0], domain.goals()[0].wants());
        let ours = &mut self.ours;
        if self.rows == Rows::Best {
            return Some(ours.whole_call(domain, npc.id(), &self.values, goal));
        }
        ours.fill(domain, npc.id(), &self.values, goal);
        let (moves, scratch) = &mut self.twin;
        let call = Call::new(domain, &ours.problem);
        let serves = choose(&call, moves).0 == Engine::Topological;
        let decide = || decide_by_order(&call, moves, scratch, &mut ours.solver.plan);
        serves.then(decide).flatten()
    }

    /// Work that takes turns: as many calls as last about so many nanoseconds.
    pub fn turn(&mut self, nanoseconds: u64) -> Turn<'_> {
        Turn::lasting(nanoseconds, move || _ = black_box(self.plan()))
    }

    /// Whether the answer is a plan of the known length and cost that leads to the goal.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check(&self, outcome: &Option<Outcome>) -> BenchResult {
        let (npc, shortest) = (&self.member.domain.npcs()[0], Some(self.member.length));
        let question = Question { npc, problem: self.problem(), shortest };
        match outcome {
            Some(outcome @ Outcome::Plan { cost })
                if cost.0 == 1000 * self.n_actions()
                    && question.ours(outcome, &self.ours.solver.plan) == Verdict::Right =>
            {
                Ok(())
            }
            _ => Err(format!("a wrong answer: {outcome:?}").into()),
        }
    }
}
