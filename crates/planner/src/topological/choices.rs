//! Decides which of two stretches serves a need.
//!
//! In:   the occurrence graph, its hard edges known to be free of cycles.
//! Out:  edges that decide every choice without a cycle; or that there are none; or that the
//!       limit was hit.
//! Cost: what reaches what, among the nodes that have a part in a choice, is kept as rows of bits:
//!       one pass over all edges to begin with. An edge costs a look at every such row, a choice
//!       a look at four bits; so many of these as the caller allows.
//!
//! A choice is forced when the other side would close a cycle. Everything forced is decided
//! first, to a fixpoint, after every decision; then one choice is tried both ways, the earlier
//! stretch first. In practice nothing is left to try. In the worst case this is an NP-complete
//! question (`docs/theory.md`), hence the limit.

use super::order::{Graph, NONE};
use throng_base::reset;

/// How much work an ordering may spend before the answer is left to search.
pub(super) const MOST_LOOKS: u64 = 2_000_000;

/// How many words the rows of bits may take, for all nodes while they are made.
const MOST_WORDS: usize = 1 << 22;

/// How many changes a trial may leave to be undone.
const MOST_CHANGES: usize = 1 << 22;

/// A need that either of two stretches of a walk could serve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Who needs it.
    pub(super) node: u32,
    /// The step that begins the first stretch (or none), and the one that leaves it.
    pub(super) begins_first: u32,
    pub(super) leaves_first: u32,
    /// The step that begins the second stretch, and the one that leaves it (or none).
    pub(super) begins_second: u32,
    pub(super) leaves_second: u32,
}

/// A choice that is being tried, and how to undo it.
#[derive(Clone, Copy, Debug)]
struct Trial {
    choice: u32,
    second: bool,
    n_decided: usize,
    n_changes: usize,
    n_settled: usize,
}

/// The state of the search, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Choices {
    reach: Reach,
    is_open: Vec<bool>,
    /// The choices that are decided, in that order.
    settled: Vec<u32>,
    decided: Vec<(u32, u32)>,
    trials: Vec<Trial>,
    looks: u64,
    refused: Option<u32>,
}

impl Choices {
    /// Decides all open choices of a graph; takes what it spends from `allowed`. False if every way
    /// to decide them closes a cycle, `None` if they are too many or the limit was hit.
    pub(super) fn solve(&mut self, graph: &Graph, allowed: &mut u64) -> Option<bool> {
        self.looks = 0;
        let solved = self.decide_all(graph, *allowed);
        *allowed = allowed.saturating_sub(self.looks);
        solved
    }

    fn decide_all(&mut self, graph: &Graph, allowed: u64) -> Option<bool> {
        self.refused = None;
        if !self.reach.build(graph) {
            return None;
        }
        reset(&mut self.is_open, graph.open.len(), true);
        self.settled.clear();
        self.decided.clear();
        self.trials.clear();
        let mut is_fine = self.propagate(graph);
        let mut first_open = 0;
        loop {
            if self.looks > allowed || self.reach.changes.len() > MOST_CHANGES {
                return None;
            }
            if !is_fine {
                let Some(trial) = self.trials.pop() else { return Some(false) };
                self.undo(trial);
                first_open = trial.choice as usize;
                // What failed as the earlier stretch must be the later one.
                is_fine = !trial.second && self.attempt(graph, trial.choice, true);
                continue;
            }
            while self.is_open.get(first_open) == Some(&false) {
                first_open += 1;
            }
            if first_open == self.is_open.len() {
                return Some(true);
            }
            is_fine = self.attempt(graph, first_open as u32, false);
        }
    }

    /// The edges that decide the choices.
    pub(super) fn decided(&self) -> &[(u32, u32)] {
        &self.decided
    }

    /// The choice that is impossible both ways whatever the others are.
    pub(super) fn first_refused(&self, graph: &Graph) -> Option<Choice> {
        self.refused.map(|at| graph.open[at as usize])
    }

    fn attempt(&mut self, graph: &Graph, choice: u32, second: bool) -> bool {
        self.trials.push(Trial {
            choice,
            second,
            n_decided: self.decided.len(),
            n_changes: self.reach.changes.len(),
            n_settled: self.settled.len(),
        });
        self.decide(graph, choice, second) && self.propagate(graph)
    }

    fn undo(&mut self, trial: Trial) {
        self.decided.truncate(trial.n_decided);
        self.reach.undo(trial.n_changes);
        for &choice in &self.settled[trial.n_settled..] {
            self.is_open[choice as usize] = true;
        }
        self.settled.truncate(trial.n_settled);
    }

    /// Fixes a choice; `false` if that closes a cycle.
    fn decide(&mut self, graph: &Graph, at: u32, second: bool) -> bool {
        let choice = graph.open[at as usize];
        self.is_open[at as usize] = false;
        self.settled.push(at);
        let edge = match second {
            true => (choice.begins_second, choice.node),
            false => (choice.node, choice.leaves_first),
        };
        self.decided.push(edge);
        let touched = self.reach.changes.len();
        let is_fine = self.reach.add(edge.0, edge.1);
        self.looks += (self.reach.n + self.reach.changes.len() - touched) as u64 / 8;
        is_fine
    }

    /// Decides every choice that the edges force; `false` if one is forced both ways.
    fn propagate(&mut self, graph: &Graph) -> bool {
        let mut again = true;
        while again {
            again = false;
            for at in 0..graph.open.len() as u32 {
                if !self.is_open[at as usize] {
                    continue;
                }
                self.looks += 1;
                let choice = graph.open[at as usize];
                let not_first = self.reach.has_or_is(choice.leaves_first, choice.node);
                let not_second = self.reach.has_or_is(choice.node, choice.begins_second);
                if not_first && not_second {
                    // Only what no trial has brought about holds in general.
                    if self.trials.is_empty() {
                        self.refused = Some(at);
                    }
                    return false;
                }
                if not_first || not_second {
                    if !self.decide(graph, at, not_first) {
                        return false;
                    }
                    again = true;
                }
            }
        }
        true
    }
}

/// Which nodes come after which, directly or not, among those that have a part in a choice.
#[derive(Debug, Default)]
struct Reach {
    /// By node of the graph: its number here.
    number: Vec<u32>,
    n: usize,
    words: usize,
    rows: Vec<u64>,
    /// What was overwritten since the beginning: where, and the word before.
    changes: Vec<(u32, u64)>,
    row: Vec<u64>,
    /// For all nodes of the graph, while the rows are made.
    all: Vec<u64>,
    order: Vec<u32>,
    waiting: Vec<u32>,
}

impl Reach {
    /// Fills the rows from the hard edges; `false` if they would be too large.
    fn build(&mut self, graph: &Graph) -> bool {
        self.number_nodes(graph);
        self.words = self.n.div_ceil(64);
        self.changes.clear();
        let n_nodes = graph.actions.len();
        if n_nodes * self.words > MOST_WORDS {
            return false;
        }
        let words = self.words;
        reset(&mut self.all, n_nodes * words, 0);
        reset(&mut self.rows, self.n * words, 0);
        self.sort(graph);
        for at in (0..self.order.len()).rev() {
            let node = self.order[at] as usize;
            for &next in graph.successors(node as u32) {
                let next = next as usize;
                let number = self.number[next];
                if number != NONE {
                    self.all[node * words + number as usize / 64] |= 1 << (number % 64);
                }
                for word in 0..words {
                    self.all[node * words + word] |= self.all[next * words + word];
                }
            }
            if self.number[node] != NONE {
                let own = self.number[node] as usize * words;
                self.rows[own..own + words].copy_from_slice(&self.all[node * words..][..words]);
            }
        }
        true
    }

    fn number_nodes(&mut self, graph: &Graph) {
        reset(&mut self.number, graph.actions.len(), NONE);
        self.n = 0;
        for choice in &graph.open {
            for node in [choice.node, choice.leaves_first, choice.begins_second] {
                let number = &mut self.number[node as usize];
                if *number == NONE {
                    *number = self.n as u32;
                    self.n += 1;
                }
            }
        }
    }

    /// The nodes in an order that the hard edges allow.
    fn sort(&mut self, graph: &Graph) {
        reset(&mut self.waiting, graph.actions.len(), 0);
        for &(_, to) in &graph.edges {
            self.waiting[to as usize] += 1;
        }
        self.order.clear();
        let n_nodes = graph.actions.len() as u32;
        self.order.extend((0..n_nodes).filter(|&node| self.waiting[node as usize] == 0));
        let mut done = 0;
        while let Some(&node) = self.order.get(done) {
            done += 1;
            for &next in graph.successors(node) {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 {
                    self.order.push(next);
                }
            }
        }
    }

    /// Whether the first comes before the second, by their numbers here.
    fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    /// The same by nodes of the graph that have a part in a choice.
    fn has_or_is(&self, from: u32, to: u32) -> bool {
        let number = |node: u32| self.number[node as usize] as usize;
        from == to || self.has(number(from), number(to))
    }

    /// Adds an edge and what follows from it; `false` if it closes a cycle.
    fn add(&mut self, from: u32, to: u32) -> bool {
        let (from, to) = (self.number[from as usize] as usize, self.number[to as usize] as usize);
        if from == to || self.has(to, from) {
            return false;
        }
        if self.has(from, to) {
            return true;
        }
        let words = self.words;
        self.rows[to * words..][..words].clone_into(&mut self.row);
        self.row[to / 64] |= 1 << (to % 64);
        for node in 0..self.n {
            if node != from && !self.has(node, from) {
                continue;
            }
            for word in 0..words {
                let at = node * words + word;
                let (old, new) = (self.rows[at], self.rows[at] | self.row[word]);
                if new != old {
                    self.changes.push((at as u32, old));
                    self.rows[at] = new;
                }
            }
        }
        true
    }

    fn undo(&mut self, n_changes: usize) {
        for (at, old) in self.changes.drain(n_changes..).rev() {
            self.rows[at as usize] = old;
        }
    }
}
