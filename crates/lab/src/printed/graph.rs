//! What P and TopoPlan have in common: colours, the sets, chains built backward, and the sort.
//!
//! In:   the tables.
//! Out:  the sets D, T and E as the algorithms fill them; a plan.
//! Cost: the papers': one visit per action of a chain, one per order in the sort.
//!
//! Procedures 1 and 2 differ between the papers in a line each; those lines are arguments here.
//! One departure: the sort keeps its own stack, so that a long chain cannot exhaust the thread's.

use super::failure::Failure;
use super::tables::{Post, Tables};
use super::trace::{Colour, Event, Line, Set, Trace};

/// The lines of Procedure 1 that fail.
#[derive(Clone, Copy)]
pub(super) struct ChainLines {
    /// No action sets the value that the chain is for.
    pub(super) no_last: Line,
    /// No action sets a value on the way.
    pub(super) no_link: Line,
    /// An action on the way is yellow.
    pub(super) yellow: Line,
}

/// A chain to be built: for which line, between which values, into which set.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) line: Line,
    pub(super) from: Post,
    pub(super) to: Post,
    pub(super) set: Set,
}

/// A run of P or TopoPlan.
pub(super) struct Graph<'r, 't> {
    pub(super) tables: &'r Tables,
    trace: &'r mut Trace<'t>,
    pub(super) d: Vec<Post>,
    pub(super) t: Vec<Post>,
    colours: Vec<Colour>,
    /// The set E: for every action those ordered before it.
    before: Vec<Vec<Post>>,
    pub(super) plan: Vec<Post>,
}

impl<'r, 't> Graph<'r, 't> {
    pub(super) fn new(tables: &'r Tables, trace: &'r mut Trace<'t>) -> Self {
        Graph {
            tables,
            trace,
            d: Vec::new(),
            t: Vec::new(),
            colours: vec![Colour::White; tables.n_posts()],
            before: vec![Vec::new(); tables.n_posts()],
            plan: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, event: Event) {
        (self.trace)(event);
    }

    pub(super) fn colour(&self, action: Post) -> Colour {
        self.colours[action.index()]
    }

    fn set_colour(&mut self, action: Post, colour: Colour) {
        self.colours[action.index()] = colour;
        self.note(Event::Colours { action, colour });
    }

    /// Adds an order to E.
    pub(super) fn order(&mut self, line: Line, before: Post, after: Post) {
        self.before[after.index()].push(before);
        self.note(Event::Orders { line, before, after });
    }

    /// Procedure 1: colours and collects the actions from `to` back to `from`; gives the one
    /// that leaves `from`. `set_next` is told what follows what, and says if it is news.
    pub(super) fn build_chain(
        &mut self,
        chain: Chain,
        lines: ChainLines,
        mut set_next: impl FnMut(Post, Post) -> bool,
    ) -> Result<Post, Failure> {
        let tables = self.tables;
        let Chain { line, from, to, set } = chain;
        self.note(Event::Chain { line, from, to });
        if !tables.is_action(to) {
            return Err(Failure::NobodySets(lines.no_last, tables.fact(to)));
        }
        let mut at = to;
        loop {
            if self.colour(at) == Colour::White {
                match set {
                    Set::D => self.d.push(at),
                    Set::T => self.t.push(at),
                }
                self.note(Event::Joins { action: at, set });
            }
            self.set_colour(at, Colour::Yellow);
            let pre = tables.pre(at);
            self.order(line, pre, at);
            if set_next(pre, at) {
                self.note(Event::Next { of: pre, next: at });
            }
            if pre == from {
                return Ok(at);
            }
            if !tables.is_action(pre) {
                return Err(Failure::NobodySets(lines.no_link, tables.fact(pre)));
            }
            if self.colour(pre) == Colour::Yellow {
                return Err(Failure::MeetsItself(lines.yellow, tables.fact(pre)));
            }
            at = pre;
        }
    }

    /// Phase 3: sorts everything yellow in D, then in T. `is_first` tells the actions that
    /// leave a start value before anything sets it again: their source need not be sorted.
    pub(super) fn sort(&mut self, is_first: impl Fn(Post) -> bool) -> Result<(), Failure> {
        for at in 0..self.d.len() + self.t.len() {
            let action = if at < self.d.len() { self.d[at] } else { self.t[at - self.d.len()] };
            if self.colour(action) == Colour::Yellow {
                self.sort_from(action, &is_first)?;
            }
        }
        Ok(())
    }

    /// Procedure 2.
    fn sort_from(&mut self, root: Post, is_first: &impl Fn(Post) -> bool) -> Result<(), Failure> {
        self.set_colour(root, Colour::Blue);
        let mut stack = vec![(root, 0)];
        while let Some((action, next)) = stack.last_mut() {
            let action = *action;
            let Some(&before) = self.before[action.index()].get(*next) else {
                self.set_colour(action, Colour::Green);
                self.plan.push(action);
                self.note(Event::Placed(action));
                self.note(Event::Step);
                stack.pop();
                continue;
            };
            *next += 1;
            if before == self.tables.pre(action) && is_first(action) {
                continue;
            }
            match self.colour(before) {
                Colour::Blue => return Err(Failure::Circle("2.4", self.tables.fact(before))),
                Colour::Yellow => {
                    self.set_colour(before, Colour::Blue);
                    stack.push((before, 0));
                }
                Colour::White | Colour::Green => {}
            }
        }
        Ok(())
    }
}
