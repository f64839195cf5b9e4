//! What all of a crowd works with: its type, its rows, and what their numbers mean.
//!
//! In:   a type of a domain, settings, threads.
//! Out:  the parts, each with walls of its own; what takes several of them to say of a row.
//! Cost: a look-up; filling a problem is that of its state.
//!
//! Sources of answers stand beside it and are handed all of it; none of them is known here.

use crate::claims::Claims;
use crate::columns::{Columns, Parts};
use crate::goals::{CrowdGoalId, Goals};
use crate::groups::{GroupId, Groups};
use crate::kind::Kind;
use crate::ledger::{PlanLedger, Remainder};
use crate::pool::Pool;
use crate::settings::{CrowdSettings, TablePolicy};
use crate::turns::Turns;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_domain::compile::{LocalAction, LocalVariable, PackedValue, UNKNOWN};
use throng_planner::{ActionMask, Context, Problem};

/// The parts of a crowd.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) kind: Kind,
    pub(crate) settings: CrowdSettings,
    pub(crate) pool: Arc<Pool>,
    pub(crate) goals: Goals,
    pub(crate) groups: Groups,
    pub(crate) columns: Columns,
    pub(crate) claims: Claims,
    pub(crate) turns: Turns,
    pub(crate) book: PlanLedger,
    pub(crate) parts: Parts,
}

impl Core {
    /// Nobody yet, with one group, and no goal but to want nothing.
    pub(crate) fn new(kind: Kind, settings: CrowdSettings, pool: Arc<Pool>) -> Core {
        let numbered =
            if settings.tables == TablePolicy::Never { 0 } else { settings.table_states };
        Core {
            settings,
            pool,
            goals: Goals::none(),
            groups: Groups::new(&kind),
            columns: Columns::new(&kind, numbered),
            claims: Claims::default(),
            turns: Turns::new(0, &BTreeMap::new()),
            book: PlanLedger::default(),
            parts: Parts::new(),
            kind,
        }
    }

    /// What a row has still to do, if it goes by what it was told last.
    #[inline]
    pub(crate) fn remainder(&self, row: usize) -> Remainder<'_> {
        self.book.remainder(self.columns.id(row), self.columns.steps_done(row))
    }

    /// Whether the next step of a row touches what its group shares, and it has no claim to that.
    #[inline]
    pub(crate) fn is_queued(&self, row: usize) -> bool {
        let next = self.remainder(row).next();
        next.is_some_and(|action| self.kind.effects().touches_shared(action))
            && !self.claims.holds().get(row)
    }

    /// A row has another next step than before, or none: it asks for a claim if that touches what
    /// its group shares, and keeps the one that it has for as long as what is left does.
    pub(crate) fn stand(&mut self, row: usize) {
        let (effects, group) = (self.kind.effects(), self.columns.group(row));
        let touches = |action: LocalAction| effects.touches_shared(action);
        if !self.claims.holds().get(row) {
            let next = self.book.next_step(self.columns.id(row), self.columns.steps_done(row));
            return self.claims.ask(row, group, next.is_some_and(|(next, _)| touches(next)));
        }
        let mut left = self.remainder(row);
        match !left.is_empty() && (left.any(touches) || self.wants_shared(row)) {
            true => self.claims.touch(group),
            false => self.claims.leave(row, group),
        }
    }

    /// Whether the goal of a row speaks of what its group shares.
    fn wants_shared(&self, row: usize) -> bool {
        let goal = self.columns.goal(row);
        let is_shared = |variable: LocalVariable| self.kind.space().is_shared(variable);
        let one = |goal: u16| {
            let wanted = self.goals.wanted(goal);
            let mut pairs = wanted.comparisons.iter();
            wanted.facts.iter().any(|it| is_shared(it.variable))
                || wanted.ranges.iter().any(|it| is_shared(it.variable))
                || pairs.any(|it| is_shared(it.variable) || is_shared(it.other))
        };
        match self.goals.choice(goal) {
            Some(choice) => choice.parts().any(one),
            None => one(goal),
        }
    }

    /// A row does something else from now on, or is not there: what it had claimed is free.
    #[inline]
    pub(crate) fn let_go(&mut self, row: usize) {
        if self.claims.knows(row) {
            self.claims.leave(row, self.columns.group(row));
        }
    }

    /// Gives a row a goal.
    #[inline]
    pub(crate) fn set_goal(&mut self, row: usize, goal: CrowdGoalId) {
        if self.columns.goal(row) != goal.0 {
            self.let_go(row);
        }
        self.columns.set_goal(row, goal);
    }

    /// Moves a row to another group.
    pub(crate) fn set_group(&mut self, row: usize, group: GroupId) {
        if self.columns.group(row) != group.index() {
            self.let_go(row);
        }
        self.columns.set_group(row, group);
    }

    /// Writes the answer of a row that was to be served.
    pub(crate) fn answer(&mut self, row: usize, id: u32) {
        self.columns.answer(row, id, &mut self.book);
        self.turns.serve.set(row, false);
    }

    /// The shared values of a row's group, as a plain state.
    #[inline]
    pub(crate) fn shared(&self, row: usize) -> &[PackedValue] {
        self.groups.shared(self.columns.group(row))
    }

    /// The value of a variable of a row, private or shared.
    #[inline]
    pub(crate) fn value(&self, row: usize, variable: LocalVariable) -> PackedValue {
        match self.kind.space().is_shared(variable) {
            true => self.shared(row)[variable.index()],
            false => self.columns.value(row, &self.kind, variable),
        }
    }

    /// Writes the whole state of a row, with what its group shares.
    pub(crate) fn read_state(&self, row: usize, state: &mut [PackedValue]) {
        state.copy_from_slice(self.shared(row));
        self.columns.read(row, &self.kind, state);
    }

    /// Adds what a row asks: the number of its goal in its situation, then its state. `false` for
    /// states with unknown values, which are asked about one by one.
    pub(crate) fn question(&mut self, row: usize, words: &mut Vec<u64>) -> bool {
        let situation = self.groups.situation(self.columns.group(row));
        let number = self.groups.situations.policy_mut(situation, self.columns.goal(row)).number;
        words.push(number.into());
        self.columns.states().key(row, words)
    }

    /// Makes `problem` the one of a row and a goal that is no choice. `state` is working memory.
    pub(crate) fn fill_problem(
        &self,
        row: usize,
        goal: u16,
        problem: &mut Problem,
        state: &mut [PackedValue],
    ) {
        self.read_state(row, state);
        let (domain, npc) = (self.kind.domain(), self.kind.id());
        let own = self.kind.npc().variables();
        let value_of = |variable: usize| {
            // Most types of a small domain touch everything: then numbers are the same.
            let at = match own.get(variable) {
                Some(id) if id.index() == variable => Ok(variable),
                _ => own.binary_search_by_key(&variable, |id| id.index()),
            };
            at.map_or(UNKNOWN, |at| state[at])
        };
        let (goal, group) = (self.goals.wants(goal), self.columns.group(row));
        let (checks, forbidden) = (self.groups.checks(group), self.groups.forbidden(group));
        // Whoever asks between two frames may do so before anybody has looked at the group.
        let now = self.groups.fresh_situation(group);
        let enabled = now.map(|now| &self.groups.situations.get(now).enabled);
        problem.fill(domain, npc, value_of, goal, Context { checks, forbidden, enabled });
    }

    /// Whether steps lead from the state of a row to its goal.
    pub(crate) fn leads(&self, row: usize, plan: &[LocalAction]) -> bool {
        let (kind, group) = (self.kind.npc(), self.columns.group(row));
        let mut enabled = ActionMask::default();
        enabled.fill_enabled(kind, self.groups.checks(group), self.groups.forbidden(group));
        let mut state = kind.unknown_state();
        self.read_state(row, &mut state);
        let before = state.clone();
        for &action in plan {
            if !enabled.has(action) || !kind.can_run(action, &state) {
                return false;
            }
            kind.run(action, &mut state);
        }
        let goal = self.columns.goal(row);
        match self.goals.choice(goal) {
            // Of all that it wants, steps lead to something that it does not have.
            Some(choice) if choice.is_best && !plan.is_empty() => choice.stages.iter().any(|one| {
                !self.goals.holds_one(one, |variable| before[variable.index()])
                    && self.goals.holds_one(one, |variable| state[variable.index()])
            }),
            _ => self.goals.holds(goal, |variable| state[variable.index()]),
        }
    }
}
