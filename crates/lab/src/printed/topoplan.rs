//! TopoPlan, as printed in "Topological Planning with Post-unique and Unary Actions".
//!
//! In:   tables and two full states.
//! Out:  a plan, not replayed, or the printed line that fails.
//! Cost: linear in the actions and their orders, as the paper proves.
//!
//! 1. Chains from the start to the goal of every variable, built backward (Procedure 1).
//! 2. For every action and need: a chain to the needed value and back, and orders around it.
//! 3. A depth-first sort (Procedure 2).
//!
//! # Readings
//!
//! - The loop over D ∪ T takes D first, then T as it grows; the sort takes the same order.
//! - "a is not the first action to modify s₀" (2.3): the first one is that of the chain of
//!   3.15 if there was one (σ₂), otherwise that of 3.4 (σ₁).
//! - "concerned by C₂*" (3.27): the cycle has two actions and both are requested. Where
//!   `Req ∪ Cycle` is printed, ∩ is meant. A variable whose values fall apart may have two
//!   cycles; the paper takes it for two variables, so each cycle counts by itself.
//! - Predecessors by need: the definition of E_prv has actions only, no ghosts, but 3.12 fails
//!   for "a ∉ A", which could then never happen. [`Ghosts`] has both readings.
//!
//! # Where it fails
//!
//! - [`Ghosts::Skipped`], the definition to the letter, is unsound with one action:
//!   `action a: x 0 -> 1 while y = 1` from ⟨0,0⟩ to ⟨1,0⟩ is answered by `a`.
//! - Line 3.28 orders who needs a start value *after* the loop that comes back to it, even if
//!   the loop waits for that very action. Smallest instance of the strict class PUC2*:
//!   `x 1 -> 0`, `x 0 -> 1 while z = 1`, `y 0 -> 1 while x = 1`, `z 0 -> 1 while x = 0` from
//!   ⟨0,0,0⟩ to ⟨0,1,1⟩ is refused; z, x, y, x is a plan. Of the 87 solvable pairs of the
//!   Horse Breeder in the first paper it refuses nine.
//! - Theorem 4 promises that the class of Definition 7 needs each action once. It does not:
//!   threats on ghosts are missing from the action graph. `x 1 -> 0`, `x 0 -> 1`,
//!   `y 0 -> 1 while x = 0`, `z 0 -> 1 while x = 1, y = 0` from ⟨0,0,0⟩ to ⟨1,1,1⟩ needs
//!   `x 0 -> 1` twice and is refused.
//! - Outside its classes it is also unsound: with a requested cycle of three values 3.27 does
//!   not apply, and who needs the start value is not ordered at all.
//!   `x 0 -> 1 -> 2 -> 0`, `y 0 -> 1 while x = 1`, `y 1 -> 2 while x = 0`, from ⟨0,0⟩ to ⟨0,2⟩.

use super::Answer;
use super::failure::Failure;
use super::graph::{Chain, ChainLines, Graph};
use super::tables::{Ends, Post, Tables};
use super::trace::{Colour, Event, Set, Trace};

/// Whether a need counts if no action sets the needed value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ghosts {
    /// It counts, as line 3.12 implies.
    Handled,
    /// It is not looked at, as the definition of E_prv says.
    Skipped,
}

const LINES: ChainLines = ChainLines { no_last: "1.2", no_link: "1.9", yellow: "1.11" };

/// Procedure 3.
pub fn plan(tables: &Tables, ends: &Ends, ghosts: Ghosts, trace: &mut Trace<'_>) -> Answer {
    let mut run = Run {
        graph: Graph::new(tables, trace),
        ends,
        next: vec![None; tables.n_posts()],
        first: vec![None; tables.n_variables()],
    };
    run.all_phases(ghosts)?;
    Ok(run.graph.plan.iter().filter_map(|&a| tables.action(a)).collect())
}

struct Run<'r, 't> {
    graph: Graph<'r, 't>,
    ends: &'r Ends,
    next: Vec<Option<Post>>,
    /// For each variable the first action to modify its start value.
    first: Vec<Option<Post>>,
}

impl Run<'_, '_> {
    fn all_phases(&mut self, ghosts: Ghosts) -> Result<(), Failure> {
        let tables = self.graph.tables;
        self.graph.note(Event::Phase(1));
        for (variable, (&start, &goal)) in self.ends.start.iter().zip(&self.ends.goal).enumerate() {
            if start != goal {
                let chain = Chain { line: "3.4", from: start, to: goal, set: Set::D };
                self.first[variable] = Some(self.build_chain(chain)?);
                self.graph.note(Event::Step);
            }
        }
        if self.graph.d.is_empty() {
            return Ok(());
        }
        self.graph.note(Event::Phase(2));
        let mut at = 0;
        while at < self.graph.d.len() + self.graph.t.len() {
            let n_d = self.graph.d.len();
            let action = if at < n_d { self.graph.d[at] } else { self.graph.t[at - n_d] };
            for &need in tables.prevail(action) {
                if tables.is_action(need) || ghosts == Ghosts::Handled {
                    self.serve(action, need)?;
                    self.graph.note(Event::Step);
                }
            }
            at += 1;
        }
        self.graph.note(Event::Phase(3));
        let first = &self.first;
        self.graph.sort(|action| first[tables.variable(action)] == Some(action))
    }

    fn build_chain(&mut self, chain: Chain) -> Result<Post, Failure> {
        let next = &mut self.next;
        self.graph.build_chain(chain, LINES, |of, then| {
            let is_empty = next[of.index()].is_none();
            next[of.index()].get_or_insert(then);
            is_empty
        })
    }

    /// The body of the inner loop, 3.11 to 3.29.
    fn serve(&mut self, action: Post, need: Post) -> Result<(), Failure> {
        let tables = self.graph.tables;
        let variable = tables.variable(need);
        let (start, goal) = (self.ends.start[variable], self.ends.goal[variable]);
        self.graph.note(Event::Need { line: "3.10", of: action, need });
        if need != start {
            if !tables.is_action(need) {
                return Err(Failure::NobodySets("3.12", tables.fact(need)));
            }
            if self.graph.colour(need) == Colour::White {
                let chain = Chain { line: "3.15", from: start, to: need, set: Set::T };
                self.first[variable] = Some(self.build_chain(chain)?);
            }
            self.graph.order("3.17", need, action);
        }
        if need != goal {
            if self.next[need.index()].is_none() {
                self.build_chain(Chain { line: "3.21", from: need, to: start, set: Set::T })?;
            }
            if let Some(next) = self.next[need.index()]
                && tables.prevail_on(next, tables.variable(action)) != Some(action)
            {
                self.graph.order("3.24", action, next);
            }
        }
        if need == start && tables.on_two_way_cycle(need) {
            self.graph.order("3.28", start, action);
        }
        Ok(())
    }
}
