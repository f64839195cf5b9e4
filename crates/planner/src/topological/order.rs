//! Puts the actions of K in order.
//!
//! In:   the walks of the closure.
//! Out:  an order in which every action finds what it needs, or how far the proof goes that
//!       there is none.
//! Cost: linear in the occurrences and their needs, unless choices remain (`choices`).
//!
//! Nodes are *occurrences*: path and loop may share an action. Edges: along each walk; from the
//! step that establishes a needed value; to the step that ends it. A value that a walk passes
//! twice leaves a choice: the needing action stands in the first stretch or in the second.
//!
//! 1. No choice: one sort. At each step the ready action of smallest id.
//! 2. Choices around pairs of actions, in a type of class C2*: one sort that finishes a pair
//!    before anything else (`pairs`). Decides nearly all, and all of the class `nested`.
//! 3. Otherwise, or if that fails: propagation and branching (`choices`), then the sort of 1.

use super::choices::{Choice, Choices};
use super::closure::Closure;
use super::moves::MoveTable;
use super::pairs::Pairs;
use super::ready::Ready;
use crate::classes::Class;
use throng_base::{Rows, reset};
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables};

/// No such node.
pub(super) const NONE: u32 = u32::MAX;

/// The result of ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ordered {
    /// The order is in [`Order::plan`].
    Yes,
    /// The edges form a cycle, whatever is chosen: [`Order::cycle`] has it.
    Cycle,
    /// Every choice was tried, and none works; the first is in [`Order::torn`].
    Exhausted,
    /// The limit was hit.
    Unknown,
}

/// The occurrence graph, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) graph: Graph,
    choices: Choices,
    pairs: Pairs,
    ready: Ready,
    pub(super) plan: Vec<LocalAction>,
}

/// Occurrences, what must come before what, and what is left open.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) actions: Vec<LocalAction>,
    /// First node of each variable's walk, and the node after its last; by variable.
    walks: Vec<(u32, u32)>,
    /// For each slot: the position in its walk where the value begins, first and second time.
    positions: Vec<[u32; 2]>,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) open: Vec<Choice>,
    successors: Rows<u32>,
    /// After a sort: how many predecessors of a node were not placed.
    waiting: Vec<u32>,
}

impl Order {
    /// Orders the walks of a closure from the problem's start; takes what choices cost from
    /// `allowed`.
    pub(super) fn order(
        &mut self,
        table: &MoveTable<'_>,
        closure: &Closure,
        allowed: &mut u64,
    ) -> Ordered {
        let npc = table.npc;
        self.graph.build(table, closure);
        if self.graph.open.is_empty() {
            return if self.sort(npc) { Ordered::Yes } else { Ordered::Cycle };
        }
        if table.classes.holds(Class::C2Star)
            && self.pairs.sort(table, &mut self.graph, &mut self.plan)
        {
            return Ordered::Yes;
        }
        // The hard edges alone, also to know their order.
        if !self.sort(npc) {
            return Ordered::Cycle;
        }
        // For `nested` the sort above was a proof; what choices cost is then only the reason.
        let is_proved = table.is_total() && table.classes.holds(Class::Nested);
        let linear = (self.graph.actions.len() + 4 * self.graph.open.len()) as u64;
        let mut allowed_here = if is_proved { linear.min(*allowed) } else { *allowed };
        let before = allowed_here;
        let solved = self.choices.solve(&self.graph, &mut allowed_here);
        *allowed -= before - allowed_here;
        debug_assert!(!is_proved || solved != Some(true), "a failed sort is a proof in `nested`");
        match solved {
            Some(true) => {
                self.graph.edges.extend_from_slice(self.choices.decided());
                if self.sort(npc) { Ordered::Yes } else { Ordered::Unknown }
            }
            None if !is_proved => Ordered::Unknown,
            Some(false) | None => Ordered::Exhausted,
        }
    }

    /// Sorts topologically, the ready action of smallest id first; `false` on a cycle.
    fn sort(&mut self, npc: &NpcTables) -> bool {
        self.graph.index();
        self.graph.sort(npc, &mut self.ready, &mut self.plan)
    }

    /// A need that neither of the two stretches can serve: who needs it, the action that ends
    /// the first and the one that begins the second.
    pub(super) fn torn(&self) -> Option<[LocalAction; 3]> {
        Some(self.around(self.choices.first_refused(&self.graph)?))
    }

    /// The same for a choice that may be had, but not together with the others.
    pub(super) fn first_choice(&self) -> Option<[LocalAction; 3]> {
        self.graph.open.first().map(|&choice| self.around(choice))
    }

    fn around(&self, choice: Choice) -> [LocalAction; 3] {
        let nodes = [choice.node, choice.leaves_first, choice.begins_second];
        nodes.map(|node| self.graph.actions[node as usize])
    }
}

impl Graph {
    fn build(&mut self, table: &MoveTable<'_>, closure: &Closure) {
        let (npc, start) = (table.npc, table.problem.start());
        self.actions.clear();
        self.edges.clear();
        self.open.clear();
        reset(&mut self.walks, start.len(), (0, 0));
        reset(&mut self.positions, npc.n_slots(), [NONE; 2]);
        for &variable in &closure.moved {
            let first = self.actions.len() as u32;
            closure.walk(table, variable, &mut self.actions);
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

    fn add_need(&mut self, npc: &NpcTables, node: u32, need: LocalFact) {
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
        self.open.push(Choice { node, begins_first, leaves_first, begins_second, leaves_second });
        // Either way it comes after the first stretch begins, and before the second ends.
        self.add_edge(begins_first, node);
        self.add_edge(node, leaves_second);
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        if from != NONE && to != NONE {
            self.edges.push((from, to));
        }
    }

    /// The variable that a node moves.
    pub(super) fn variable(&self, npc: &NpcTables, node: u32) -> LocalVariable {
        npc.sets(self.actions[node as usize])[0].variable
    }

    /// Flat rows of successors from the edges.
    pub(super) fn index(&mut self) {
        let edges = self.edges.iter().map(|&(from, to)| (from as usize, to));
        self.successors.refill(self.actions.len(), edges);
    }

    /// What must come after a node, once indexed.
    pub(super) fn successors(&self, node: u32) -> &[u32] {
        self.successors.row(node as usize)
    }

    fn sort(&mut self, npc: &NpcTables, ready: &mut Ready, plan: &mut Vec<LocalAction>) -> bool {
        let n = self.actions.len();
        reset(&mut self.waiting, n, 0);
        for &to in self.successors.entries() {
            self.waiting[to as usize] += 1;
        }
        plan.clear();
        ready.begin(npc.n_actions());
        for node in 0..n as u32 {
            if self.waiting[node as usize] == 0 {
                ready.insert(self.actions[node as usize], node);
            }
        }
        while let Some((action, node)) = ready.take_first() {
            plan.push(action);
            for &next in self.successors.row(node as usize) {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 {
                    ready.insert(self.actions[next as usize], next);
                }
            }
        }
        plan.len() == n
    }

    pub(super) fn cycle(&self) -> Vec<LocalAction> {
        let is_stuck = |node: u32| self.waiting[node as usize] > 0;
        let stuck = self.edges.iter().filter(|&&(from, to)| is_stuck(from) && is_stuck(to));
        let before =
            Rows::from_pairs(self.actions.len(), stuck.map(|&(from, to)| (to as usize, from)));
        let Some(first) = (0..self.actions.len() as u32).find(|&node| is_stuck(node)) else {
            return Vec::new();
        };
        // Every stuck node has a stuck predecessor; going back must come to one seen before.
        let mut way = vec![first];
        let mut place = vec![NONE; self.actions.len()];
        place[first as usize] = 0;
        loop {
            let here = way[way.len() - 1];
            let Some(&next) = before.row(here as usize).first() else { return Vec::new() };
            if place[next as usize] != NONE {
                let cycle = way[place[next as usize] as usize..].iter().rev();
                let mut cycle: Vec<_> = cycle.map(|&node| self.actions[node as usize]).collect();
                // Begin with the action of smallest id, whatever way led here.
                let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
                cycle.rotate_left(first);
                return cycle;
            }
            place[next as usize] = way.len() as u32;
            way.push(next);
        }
    }
}
