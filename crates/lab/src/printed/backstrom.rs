//! Bäckström's planner of 1992 for SAS+-PUS, the papers' baseline.
//!
//! In:   tables in which every variable has at most one needed value, and two full states.
//! Out:  a plan, not replayed, or why there is none.
//! Cost: O(m²n) for m variables of n values: for every action it goes through *all* variables,
//!       whether needed or not. The papers compare with that, so it stays.
//!
//! 1. A chain from start to goal for every variable.
//! 2. For every action and every variable: if the needed value is neither the start nor on the
//!    chain, the chain is replaced by one from the start to that value and on to the goal. An
//!    action may occur twice then.
//! 3. For every occurrence and every variable: after what sets the needed value, before what
//!    ends it.
//! 4. If the orders have no circle, any order that respects them is the plan.
//!
//! # Readings
//!
//! The thesis itself was not at hand; this follows how the papers describe it. Lines are
//! numbered by the steps above. Partial goals, which SAS+ knows, are left out as in the papers.
//!
//! # Where it fails
//!
//! Nowhere in its class: the tests find it in agreement with exhaustive search. Outside (two
//! values of a variable are needed, as with the Horse Breeder's bucket) it refuses to begin.

use super::Answer;
use super::failure::Failure;
use super::tables::{Ends, Post, Tables};
use super::trace::{Colour, Event, Set, Trace};
use std::collections::VecDeque;
use throng_domain::compile::LocalVariable;

/// The whole planner.
pub fn plan(tables: &Tables, ends: &Ends, trace: &mut Trace<'_>) -> Answer {
    let mut run = Run { tables, ends, trace, chains: Vec::new(), position: Vec::new() };
    Ok(run.all_steps()?.iter().filter_map(|&a| tables.action(a)).collect())
}

/// No position: the chain does not pass the value.
const NOWHERE: usize = usize::MAX;

struct Run<'r, 't> {
    tables: &'r Tables,
    ends: &'r Ends,
    trace: &'r mut Trace<'t>,
    /// For each variable its actions in order.
    chains: Vec<Vec<Post>>,
    /// For each value after how many actions of its chain it holds, the last time.
    position: Vec<usize>,
}

impl Run<'_, '_> {
    fn all_steps(&mut self) -> Result<Vec<Post>, Failure> {
        self.check_single_valued()?;
        (self.trace)(Event::Phase(1));
        self.position = vec![NOWHERE; self.tables.n_posts()];
        for variable in 0..self.tables.n_variables() {
            let (start, goal) = (self.ends.start[variable], self.ends.goal[variable]);
            let chain = self.chain("1", start, goal)?;
            self.chains.push(Vec::new());
            self.put_chain(variable, chain);
        }
        (self.trace)(Event::Step);
        (self.trace)(Event::Phase(2));
        self.replace_chains()?;
        (self.trace)(Event::Phase(3));
        self.linearise()
    }

    fn check_single_valued(&self) -> Result<(), Failure> {
        let mut needed = vec![false; self.tables.n_variables()];
        for post in self.tables.posts().filter(|&post| self.tables.is_requested(post)) {
            let variable = self.tables.variable(post);
            if std::mem::replace(&mut needed[variable], true) {
                return Err(Failure::NotSingleValued(LocalVariable(variable as u32)));
            }
        }
        Ok(())
    }

    /// The actions that lead from one value to another, in order.
    fn chain(&mut self, line: &'static str, from: Post, to: Post) -> Result<Vec<Post>, Failure> {
        if from != to {
            (self.trace)(Event::Chain { line, from, to });
        }
        let mut chain = Vec::new();
        let mut at = to;
        while at != from {
            if !self.tables.is_action(at) {
                return Err(Failure::NobodySets(line, self.tables.fact(at)));
            }
            // A walk back that misses `from` goes round and round.
            if chain.len() == self.tables.n_values(self.tables.variable(to)) {
                return Err(Failure::MeetsItself(line, self.tables.fact(at)));
            }
            chain.push(at);
            at = self.tables.pre(at);
        }
        chain.reverse();
        Ok(chain)
    }

    fn put_chain(&mut self, variable: usize, chain: Vec<Post>) {
        for &action in &self.chains[variable] {
            self.position[action.index()] = NOWHERE;
        }
        self.position[self.ends.start[variable].index()] = 0;
        for (at, &action) in chain.iter().enumerate() {
            self.position[action.index()] = at + 1;
            (self.trace)(Event::Joins { action, set: Set::D });
            (self.trace)(Event::Colours { action, colour: Colour::Yellow });
        }
        self.chains[variable] = chain;
    }

    /// What an action needs, as a list over all variables: that is how the paper counts.
    fn list_needs(&self, action: Post, needs: &mut Vec<Option<Post>>) {
        needs.clear();
        needs.resize(self.tables.n_variables(), None);
        for &need in self.tables.prevail(action) {
            needs[self.tables.variable(need)] = Some(need);
        }
    }

    /// Step 2.
    fn replace_chains(&mut self) -> Result<(), Failure> {
        let mut open: Vec<Post> = self.chains.iter().flatten().copied().collect();
        let (mut needs, mut at) = (Vec::new(), 0);
        while let Some(&action) = open.get(at) {
            at += 1;
            self.list_needs(action, &mut needs);
            for (variable, &need) in needs.iter().enumerate() {
                let Some(need) = need else { continue };
                if self.position[need.index()] != NOWHERE {
                    continue;
                }
                (self.trace)(Event::Need { line: "2", of: action, need });
                let mut chain = self.chain("2", self.ends.start[variable], need)?;
                chain.extend(self.chain("2", need, self.ends.goal[variable])?);
                open.extend(&chain);
                self.put_chain(variable, chain);
                (self.trace)(Event::Step);
            }
        }
        Ok(())
    }

    /// Steps 3 and 4.
    fn linearise(&mut self) -> Result<Vec<Post>, Failure> {
        let mut firsts = vec![0];
        for chain in &self.chains {
            firsts.push(firsts[firsts.len() - 1] + chain.len());
        }
        let nodes: Vec<Post> = self.chains.iter().flatten().copied().collect();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut waits = vec![0; nodes.len()];
        let mut order = |trace: &mut Trace<'_>, first: usize, then: usize| {
            after[first].push(then);
            waits[then] += 1;
            trace(Event::Orders { line: "3", before: nodes[first], after: nodes[then] });
        };
        let mut needs = Vec::new();
        for (node, &action) in nodes.iter().enumerate() {
            if node > firsts[self.tables.variable(action)] {
                order(self.trace, node - 1, node);
            }
            self.list_needs(action, &mut needs);
            for (variable, &need) in needs.iter().enumerate() {
                let Some(need) = need else { continue };
                let position = self.position[need.index()];
                if position > 0 {
                    order(self.trace, firsts[variable] + position - 1, node);
                }
                if firsts[variable] + position < firsts[variable + 1] {
                    order(self.trace, node, firsts[variable] + position);
                }
            }
        }
        (self.trace)(Event::Step);
        (self.trace)(Event::Phase(4));
        self.sort(&nodes, &after, waits)
    }

    /// Step 4: whatever waits for nothing, in order of its number.
    fn sort(
        &mut self,
        nodes: &[Post],
        after: &[Vec<usize>],
        mut waits: Vec<usize>,
    ) -> Result<Vec<Post>, Failure> {
        let mut ready: VecDeque<usize> = (0..nodes.len()).filter(|&n| waits[n] == 0).collect();
        let mut plan = Vec::new();
        while let Some(node) = ready.pop_front() {
            plan.push(nodes[node]);
            (self.trace)(Event::Colours { action: nodes[node], colour: Colour::Green });
            (self.trace)(Event::Placed(nodes[node]));
            (self.trace)(Event::Step);
            for &then in &after[node] {
                waits[then] -= 1;
                if waits[then] == 0 {
                    ready.push_back(then);
                }
            }
        }
        match (0..nodes.len()).find(|&node| waits[node] > 0) {
            Some(node) => Err(Failure::Circle("4", self.tables.fact(nodes[node]))),
            None => Ok(plan),
        }
    }
}
