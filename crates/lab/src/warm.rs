//! A member of a family with all that planning it needs, warm: what is measured.
//!
//! In:   a member.
//! Out:  calls, each everything between the values of an NPC and its replayed plan: the problem,
//!       the choice of the engine, closure, order, replay; and a check of the answer.

use crate::members::Member;
use std::io;
use throng_domain::compile::{CompiledDomain, PackedValue};
use throng_planner::choose::choose;
use throng_planner::topological::{Moves, TopologicalScratch, decide_by_order};
use throng_planner::{ActionMask, Call, Checks, Engine, Outcome, Problem, Solver};

/// A problem with all that planning it needs.
#[derive(Debug)]
pub struct Warm {
    member: Member,
    values: Vec<PackedValue>,
    checks: Checks,
    forbidden: ActionMask,
    problem: Problem,
    solver: Solver,
    /// For the plain twin, which no user meets.
    twin: (Moves, TopologicalScratch),
    rows: Rows,
}

/// Which layout of the planner is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Flat rows, which serve every type.
    Flat,
    /// The layout that suits the type best: rows of bits if it needs much.
    Best,
}

impl Warm {
    /// Plans once and checks the answer.
    ///
    /// # Errors
    ///
    /// If the answer is wrong.
    pub fn new(member: Member, rows: Rows) -> io::Result<Warm> {
        let npc = &member.domain.npcs()[0];
        let values = npc.starts().iter().map(|fact| fact.value.index() as PackedValue).collect();
        let checks = Checks::all(0);
        let forbidden = ActionMask::none(npc.n_actions());
        let problem = Problem::new(&member.domain, npc.id());
        let mut warm = Warm {
            values,
            checks,
            forbidden,
            problem,
            member,
            solver: Solver::default(),
            twin: Default::default(),
            rows,
        };
        let outcome = warm.plan();
        warm.check(&outcome)?;
        Ok(warm)
    }

    /// The compiled domain.
    pub fn domain(&self) -> &CompiledDomain {
        &self.member.domain
    }

    /// The question.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Actions of the plan.
    pub fn n_actions(&self) -> u64 {
        self.member.length as u64
    }

    /// What its actions need during themselves, together.
    pub fn n_needs(&self) -> u64 {
        self.member.n_needs
    }

    /// Actions and needs of one plan.
    pub fn work(&self) -> u64 {
        self.n_actions() + self.member.n_needs
    }

    /// One call.
    pub fn plan(&mut self) -> Option<Outcome> {
        let domain = &self.member.domain;
        let npc = &domain.npcs()[0];
        let values = &self.values;
        let goal = domain.goals()[0].wants();
        let (checks, forbidden) = (&self.checks, &self.forbidden);
        self.problem.fill(domain, npc.id(), |at| values[at], goal, checks, forbidden);
        let call = Call::new(domain, &self.problem);
        match self.rows {
            Rows::Best => {
                self.solver.begin();
                Some(self.solver.solve(&call))
            }
            Rows::Flat => {
                let (moves, scratch) = &mut self.twin;
                let serves = choose(npc, &self.problem, moves).0 == Engine::Topological;
                let decide = || decide_by_order(&call, moves, scratch, &mut self.solver.plan);
                serves.then(decide).flatten()
            }
        }
    }

    /// Whether the answer is a plan of the known length that leads to the goal.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check(&self, outcome: &Option<Outcome>) -> io::Result<()> {
        let npc = &self.member.domain.npcs()[0];
        let mut state = self.values.clone();
        let is_plan = matches!(outcome, Some(Outcome::Plan { cost })
            if cost.0 == 1000 * self.n_actions())
            && self.solver.plan.len() == self.member.length
            && self.solver.plan.iter().all(|&action| {
                let can = npc.needs(action).iter().all(|n| state[n.variable.index()] == n.value);
                npc.sets(action).iter().for_each(|set| state[set.variable.index()] = set.value);
                can
            });
        let wants = self.member.domain.goals()[0].wants();
        let arrives = wants
            .iter()
            .all(|fact| usize::from(state[fact.variable.index()]) == fact.value.index());
        match is_plan && arrives {
            true => Ok(()),
            false => Err(io::Error::other(format!("a wrong answer: {outcome:?}"))),
        }
    }
}
