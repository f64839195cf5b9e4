//! Puts the actions of K in order.
//!
//! In:   the walks of the closure.
//! Out:  an order in which every action finds what it needs, or why there is none.
//! Cost: linear in the occurrences and their needs, but for picking the ready action of
//!       smallest id (a heap); choices between two stretches are propagated, then branched on
//!       under a limit.
//!
//! Nodes are *occurrences*: path and loop may share an action. Edges: along each walk; from the
//! step that establishes a needed value; to the step that ends it. A value that a walk passes
//! twice leaves a choice: the needing action stands in the first stretch or in the second.

use super::closure::Closure;
use super::moves::Moves;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::{LocalAction, LocalFact, NpcType, Value};

const NONE: u32 = u32::MAX;

/// How many choices may be tried before the answer is left to search.
const MAX_BRANCHES: u32 = 256;

/// What ordering came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ordered {
    /// The order is in [`Order::plan`].
    Yes,
    /// There were no choices, and the edges form a cycle.
    Cycle,
    /// There were choices, and none of those tried works.
    Unknown,
}

/// A need that either of two stretches of a walk could serve.
#[derive(Clone, Copy, Debug)]
struct Choice {
    node: u32,
    /// The step that leaves the first stretch, and the one that begins it (or none).
    leaves_first: u32,
    begins_first: u32,
    /// The step that begins the second stretch, and the one that leaves it (or none).
    begins_second: u32,
    leaves_second: u32,
}

/// The occurrence graph, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Order {
    actions: Vec<LocalAction>,
    /// First node of each variable's walk, and the node after its last; by variable.
    walks: Vec<(u32, u32)>,
    /// For each slot: the position in its walk where the value begins, first and second time.
    positions: Vec<[u32; 2]>,
    edges: Vec<(u32, u32)>,
    choices: Vec<Choice>,
    decided: Vec<(u32, u32)>,
    row_starts: Vec<u32>,
    rows: Vec<u32>,
    waiting: Vec<u32>,
    ready: BinaryHeap<Reverse<(LocalAction, u32)>>,
    seen: Vec<bool>,
    stack: Vec<u32>,
    branches: u32,
    pub(super) plan: Vec<LocalAction>,
}

impl Order {
    pub(super) fn order(
        &mut self,
        npc: &NpcType,
        moves: &Moves,
        closure: &Closure,
        start: &[Value],
    ) -> Ordered {
        self.build(npc, moves, closure, start);
        self.decided.clear();
        if self.choices.is_empty() {
            return if self.sort() { Ordered::Yes } else { Ordered::Cycle };
        }
        if !self.propagate() {
            return Ordered::Unknown;
        }
        self.branches = 0;
        if self.branch(0) { Ordered::Yes } else { Ordered::Unknown }
    }

    fn build(&mut self, npc: &NpcType, moves: &Moves, closure: &Closure, start: &[Value]) {
        self.actions.clear();
        self.edges.clear();
        self.choices.clear();
        self.walks.clear();
        self.walks.resize(start.len(), (0, 0));
        self.positions.clear();
        self.positions.resize(npc.n_slots(), [NONE; 2]);
        for &variable in closure.moved() {
            let first = self.actions.len() as u32;
            closure.walk(npc, moves, variable, &mut self.actions);
            let last = self.actions.len() as u32;
            self.walks[variable.index()] = (first, last);
            let begin = LocalFact { variable, value: start[variable.index()] };
            self.positions[npc.slot(begin)][0] = 0;
            for node in first..last {
                if node > first {
                    self.edges.push((node - 1, node));
                }
                let set = npc.sets(self.actions[node as usize])[0];
                let slot = npc.slot(set);
                let place = usize::from(self.positions[slot][0] != NONE);
                self.positions[slot][place] = node - first + 1;
            }
        }
        for node in 0..self.actions.len() as u32 {
            let action = self.actions[node as usize];
            let own = npc.sets(action)[0].variable;
            for &need in npc.needs(action).iter().filter(|need| need.variable != own) {
                self.add_need(npc, node, need);
            }
        }
    }

    /// Steps around a stretch: the one that begins it and the one that leaves it.
    fn around(&self, walk: (u32, u32), position: u32) -> (u32, u32) {
        let begins = if position == 0 { NONE } else { walk.0 + position - 1 };
        let leaves = if walk.0 + position < walk.1 { walk.0 + position } else { NONE };
        (begins, leaves)
    }

    fn add_need(&mut self, npc: &NpcType, node: u32, need: LocalFact) {
        let walk = self.walks[need.variable.index()];
        if walk.0 == walk.1 {
            return;
        }
        let [first, second] = self.positions[npc.slot(need)];
        let (begins_first, leaves_first) = self.around(walk, first);
        if second == NONE {
            self.add_edge(begins_first, node);
            self.add_edge(node, leaves_first);
            return;
        }
        let (begins_second, leaves_second) = self.around(walk, second);
        self.choices.push(Choice {
            node,
            leaves_first,
            begins_first,
            begins_second,
            leaves_second,
        });
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        if from != NONE && to != NONE {
            self.edges.push((from, to));
        }
    }

    /// Fixes a choice: `second` for the later stretch.
    fn decide(&mut self, choice: Choice, second: bool) {
        let (begins, leaves) = match second {
            true => (choice.begins_second, choice.leaves_second),
            false => (choice.begins_first, choice.leaves_first),
        };
        if begins != NONE {
            self.decided.push((begins, choice.node));
        }
        if leaves != NONE {
            self.decided.push((choice.node, leaves));
        }
    }

    /// Decides every choice that the edges force; `false` if one is forced both ways.
    fn propagate(&mut self) -> bool {
        loop {
            let before = self.choices.len();
            let mut at = 0;
            while at < self.choices.len() {
                let choice = self.choices[at];
                self.index_edges();
                let not_second = self.reaches(choice.node, choice.begins_second);
                let not_first = self.reaches(choice.leaves_first, choice.node);
                match (not_first, not_second) {
                    (true, true) => return false,
                    (false, false) => at += 1,
                    (not_first, _) => {
                        self.decide(choice, not_first);
                        self.choices.swap_remove(at);
                    }
                }
            }
            if self.choices.len() == before {
                return true;
            }
        }
    }

    fn branch(&mut self, at: usize) -> bool {
        if at == self.choices.len() {
            return self.sort();
        }
        self.branches += 1;
        if self.branches > MAX_BRANCHES {
            return false;
        }
        let fixed = self.decided.len();
        for second in [false, true] {
            self.decide(self.choices[at], second);
            if self.branch(at + 1) {
                return true;
            }
            self.decided.truncate(fixed);
        }
        false
    }

    /// A cycle among the actions that the last sort could not place, each before the next.
    pub(super) fn cycle(&self) -> Vec<LocalAction> {
        let is_stuck = |node: u32| self.waiting[node as usize] > 0;
        let Some(first) = (0..self.actions.len() as u32).find(|&node| is_stuck(node)) else {
            return Vec::new();
        };
        // Every stuck node has a stuck predecessor; going back must come to one seen before.
        let mut way = vec![first];
        loop {
            let here = way[way.len() - 1];
            let mut edges = self.edges.iter().chain(&self.decided);
            let Some(&(before, _)) = edges.find(|&&(from, to)| to == here && is_stuck(from)) else {
                return Vec::new();
            };
            if let Some(at) = way.iter().position(|&node| node == before) {
                let cycle = way[at..].iter().rev();
                let mut cycle: Vec<_> = cycle.map(|&node| self.actions[node as usize]).collect();
                // Begin with the action of smallest id, whatever way led here.
                let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
                cycle.rotate_left(first);
                return cycle;
            }
            way.push(before);
        }
    }

    /// Flat rows of successors from the edges, fixed and decided.
    fn index_edges(&mut self) {
        let n = self.actions.len();
        self.row_starts.clear();
        self.row_starts.resize(n + 1, 0);
        for &(from, _) in self.edges.iter().chain(&self.decided) {
            self.row_starts[from as usize + 1] += 1;
        }
        for node in 0..n {
            self.row_starts[node + 1] += self.row_starts[node];
        }
        self.rows.clear();
        self.rows.resize(self.edges.len() + self.decided.len(), 0);
        self.waiting.clear();
        self.waiting.extend_from_slice(&self.row_starts[..n]);
        for &(from, to) in self.edges.iter().chain(&self.decided) {
            let next = &mut self.waiting[from as usize];
            self.rows[*next as usize] = to;
            *next += 1;
        }
    }

    fn successors(&self, node: u32) -> std::ops::Range<usize> {
        self.row_starts[node as usize] as usize..self.row_starts[node as usize + 1] as usize
    }

    fn reaches(&mut self, from: u32, to: u32) -> bool {
        if from == NONE || to == NONE {
            return false;
        }
        self.seen.clear();
        self.seen.resize(self.actions.len(), false);
        self.stack.clear();
        self.stack.push(from);
        while let Some(node) = self.stack.pop() {
            for at in self.successors(node) {
                let next = self.rows[at];
                if next == to {
                    return true;
                }
                if !self.seen[next as usize] {
                    self.seen[next as usize] = true;
                    self.stack.push(next);
                }
            }
        }
        false
    }

    /// Sorts topologically, the ready action of smallest id first; `false` on a cycle.
    fn sort(&mut self) -> bool {
        self.index_edges();
        let n = self.actions.len();
        self.waiting.clear();
        self.waiting.resize(n, 0);
        for &to in &self.rows {
            self.waiting[to as usize] += 1;
        }
        self.plan.clear();
        self.ready.clear();
        for node in 0..n as u32 {
            if self.waiting[node as usize] == 0 {
                self.ready.push(Reverse((self.actions[node as usize], node)));
            }
        }
        while let Some(Reverse((action, node))) = self.ready.pop() {
            self.plan.push(action);
            for at in self.successors(node) {
                let next = self.rows[at];
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 {
                    self.ready.push(Reverse((self.actions[next as usize], next)));
                }
            }
        }
        self.plan.len() == n
    }
}
