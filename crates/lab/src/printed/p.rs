//! P, as printed in "SAS Planning as Topological Sorting".
//!
//! In:   tables and two full states.
//! Out:  a plan, not replayed, or the printed line that fails.
//! Cost: linear in the actions and their orders, as the paper proves.
//!
//! The ancestor of [`topoplan`](super::topoplan), with the same three phases. `Next` has up to
//! two entries here, and a matrix, Flag, remembers which variables have actions that needed a
//! value other than the start of which others; it decides on which side of a loop those stand
//! that need the start value.
//!
//! # Readings
//!
//! - The conversion to text lost some indices: `a_{v_i}^q` and `Flag[v_i][v_i]` in lines 12 to
//!   32 are read with j for the variable that is needed.
//! - Line 27 is lost. By the indentation and the number of `end if`s it is the `else` of line
//!   19: lines 28 to 34 are for needs of the start value.
//! - Line 31 asks the last entry of an empty Next; there is nothing to order then.
//!
//! # Where it fails
//!
//! All three with three variables of two values and four actions, of strict class PUC2*.
//!
//! - Refuses what has a plan: the smallest instance is the same as TopoPlan's.
//! - Returns an invalid plan where there is a valid one: `x 1 -> 0 while z = 1`, `x 0 -> 1`,
//!   `y 0 -> 1 while x = 1`, `z 0 -> 1 while x = 0` from ⟨0,0,0⟩ to ⟨0,1,1⟩. Line 29 has
//!   no setter to order z after, because `x 1 -> 0` itself needs z; and no line orders z before
//!   the loop, because Flag is about the *requester's* variable, not the loop's.
//! - Returns a plan where there is none: `x 1 -> 0 while y = 0`, `x 0 -> 1 while y = 1`,
//!   `y 1 -> 0 while x = 0`, `z 1 -> 0 while x = 1` from ⟨0,1,1⟩ to ⟨0,0,0⟩.

use super::Answer;
use super::failure::Failure;
use super::graph::{Chain, ChainLines, Graph};
use super::tables::{Ends, Post, Tables};
use super::trace::{Colour, Event, Line, Set, Trace};

const LINES: ChainLines = ChainLines { no_last: "1.2", no_link: "1.8", yellow: "1.10" };

/// Procedure 3.
pub fn plan(tables: &Tables, ends: &Ends, trace: &mut Trace<'_>) -> Answer {
    let n_variables = tables.n_variables();
    let mut run = Run {
        graph: Graph::new(tables, trace),
        ends,
        next: vec![Vec::new(); tables.n_posts()],
        flags: vec![false; n_variables * n_variables],
    };
    run.all_phases()?;
    Ok(run.graph.plan.iter().filter_map(|&a| tables.action(a)).collect())
}

struct Run<'r, 't> {
    graph: Graph<'r, 't>,
    ends: &'r Ends,
    next: Vec<Vec<Post>>,
    /// The square matrix Flag, row by row.
    flags: Vec<bool>,
}

impl Run<'_, '_> {
    fn all_phases(&mut self) -> Result<(), Failure> {
        let tables = self.graph.tables;
        self.graph.note(Event::Phase(1));
        for (&start, &goal) in self.ends.start.iter().zip(&self.ends.goal) {
            if start != goal {
                self.build_chain("3.4", start, goal)?;
                self.graph.note(Event::Step);
            }
        }
        if self.graph.d.is_empty() {
            return Ok(());
        }
        self.graph.note(Event::Phase(2));
        let mut at = 0;
        while let Some(&action) = self.graph.d.get(at) {
            for &need in tables.prevail(action) {
                self.serve(action, need)?;
                self.graph.note(Event::Step);
            }
            at += 1;
        }
        self.graph.note(Event::Phase(3));
        let (ends, next) = (self.ends, &self.next);
        self.graph.sort(|action| {
            let pre = tables.pre(action);
            pre == ends.start[tables.variable(action)] && next[pre.index()].last() == Some(&action)
        })
    }

    fn build_chain(&mut self, line: Line, from: Post, to: Post) -> Result<(), Failure> {
        let next = &mut self.next;
        let chain = Chain { line, from, to, set: Set::D };
        let built = self.graph.build_chain(chain, LINES, |of, then| {
            let next = &mut next[of.index()];
            let is_new = !next.contains(&then);
            if is_new {
                next.push(then);
            }
            is_new
        });
        built.map(|_| ())
    }

    /// The body of the inner loop, 3.11 to 3.35.
    fn serve(&mut self, action: Post, need: Post) -> Result<(), Failure> {
        let tables = self.graph.tables;
        let variable = tables.variable(need);
        let (start, goal) = (self.ends.start[variable], self.ends.goal[variable]);
        self.graph.note(Event::Need { line: "3.10", of: action, need });
        if need != goal {
            if self.next[need.index()].is_empty() {
                self.build_chain("3.13", need, start)?;
            }
            if let Some(&next) = self.next[need.index()].first()
                && !self.needs_result_of(next, action)
            {
                self.graph.order("3.16", action, next);
            }
        }
        let (own, n_variables) = (tables.variable(action), tables.n_variables());
        let flag = own * n_variables + variable;
        if need != start {
            if !tables.is_action(need) {
                return Err(Failure::NobodySets("3.20", tables.fact(need)));
            }
            if self.graph.colour(need) == Colour::White {
                self.build_chain("3.23", start, need)?;
            }
            self.graph.order("3.25", need, action);
            self.flags[flag] = true;
            self.graph.note(Event::Flags { variable: own, needed: variable });
        } else if !self.flags[flag] && !self.needs_result_of(need, action) {
            self.graph.order("3.29", need, action);
        } else if self.flags[flag]
            && let Some(&last) = self.next[need.index()].last()
            && !self.needs_result_of(last, action)
        {
            self.graph.order("3.32", action, last);
        }
        Ok(())
    }

    /// Whether `who` needs, during itself, the value that `action` sets.
    fn needs_result_of(&self, who: Post, action: Post) -> bool {
        let tables = self.graph.tables;
        tables.prevail_on(who, tables.variable(action)) == Some(action)
    }
}
