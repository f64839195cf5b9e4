//! The sort for types of class C2*: a pair of actions that leaves a value and brings it back is
//! one thing for everybody who needs that value.
//!
//! In:   the occurrence graph, its open choices around pairs.
//! Out:  an order, or that this sort finds none. That is a proof for the class `nested` and goals
//!       that name every variable; else nothing.
//! Cost: linear, times the number of pairs that are open at once.
//!
//! Take the pair's variable out of the causal graph. In class C2*, those who need the value that
//! the pair leaves and those who need the one between stand in different parts. So for the
//! parts of the former, *held* parts, the pair may be taken as one action: what its second
//! action waits for there, the first waits for too; who waits for the first there, waits for
//! the second; and while the pair is open, nothing moves there. A pair is opened only when
//! nothing else can be done.

use super::order::{Graph, NONE};
use super::ready::Ready;
use throng_domain::classes::{Part, Parts};
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables};

/// What the sort keeps between calls.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// By node: the pair that it opens, or closes.
    opens: Vec<u32>,
    closes: Vec<u32>,
    /// The variable of each pair, and the node that opens it.
    pairs: Vec<(LocalVariable, u32)>,
    /// The parts that a pair holds, sorted.
    held: Vec<(u32, Part)>,
    /// The pairs that are open, and the nodes that wait for one of them to close.
    open: Vec<u32>,
    stopped: Vec<(u32, u32)>,
    waiting: Vec<u32>,
    ready: Ready,
    openers: Ready,
}

impl Pairs {
    /// Sorts; `false` if it cannot. Leaves the graph as it was, but for its index.
    pub(super) fn sort(
        &mut self,
        npc: &NpcTables,
        graph: &mut Graph,
        plan: &mut Vec<LocalAction>,
    ) -> bool {
        let Some(parts) = npc.classes().parts() else { return false };
        if !self.find_pairs(npc, parts, graph) {
            return false;
        }
        let n_edges = graph.edges.len();
        self.contract(npc, parts, graph);
        graph.index();
        let done = self.place(npc, parts, graph, plan);
        graph.edges.truncate(n_edges);
        done
    }

    /// Notes who opens and closes the pairs that have choices; `false` if one is no pair.
    fn find_pairs(&mut self, npc: &NpcTables, parts: &Parts, graph: &Graph) -> bool {
        let n = graph.actions.len();
        for marks in [&mut self.opens, &mut self.closes] {
            marks.clear();
            marks.resize(n, NONE);
        }
        self.pairs.clear();
        self.held.clear();
        for choice in &graph.open {
            let first = choice.leaves_first;
            if choice.begins_first != NONE || choice.begins_second != first + 1 {
                return false;
            }
            let variable = graph.variable(npc, first);
            if self.opens[first as usize] == NONE {
                self.opens[first as usize] = self.pairs.len() as u32;
                self.closes[first as usize + 1] = self.pairs.len() as u32;
                self.pairs.push((variable, first));
            }
            let part = parts.part(variable, graph.variable(npc, choice.node));
            self.held.push((self.opens[first as usize], part));
        }
        self.held.sort_unstable();
        self.held.dedup();
        true
    }

    fn holds(&self, npc: &NpcTables, parts: &Parts, graph: &Graph, pair: u32, node: u32) -> bool {
        let (without, variable) = (self.pairs[pair as usize].0, graph.variable(npc, node));
        let part = || parts.part(without, variable);
        without != variable && self.held.binary_search(&(pair, part())).is_ok()
    }

    /// For the parts that a pair holds, lets both its actions have the edges of either.
    fn contract(&self, npc: &NpcTables, parts: &Parts, graph: &mut Graph) {
        for at in 0..graph.edges.len() {
            let (from, to) = graph.edges[at];
            let (opened, closed) = (self.opens[from as usize], self.closes[to as usize]);
            if closed != NONE && self.holds(npc, parts, graph, closed, from) {
                graph.edges.push((from, to - 1));
            }
            if opened != NONE && self.holds(npc, parts, graph, opened, to) {
                graph.edges.push((from + 1, to));
            }
        }
    }

    fn place(
        &mut self,
        npc: &NpcTables,
        parts: &Parts,
        graph: &Graph,
        plan: &mut Vec<LocalAction>,
    ) -> bool {
        let n = graph.actions.len();
        self.waiting.clear();
        self.waiting.resize(n, 0);
        for &(_, to) in &graph.edges {
            self.waiting[to as usize] += 1;
        }
        self.open.clear();
        self.stopped.clear();
        self.ready.begin(npc.n_actions());
        self.openers.begin(npc.n_actions());
        for node in 0..n as u32 {
            if self.waiting[node as usize] == 0 {
                self.offer(npc, parts, graph, node);
            }
        }
        plan.clear();
        while let Some((action, node)) =
            self.ready.take_first().or_else(|| self.openers.take_first())
        {
            let opens = self.opens[node as usize];
            if opens != NONE {
                // It was offered before other pairs were opened.
                if self.stop(npc, parts, graph, node) {
                    continue;
                }
                self.open.push(opens);
            }
            plan.push(action);
            for &next in graph.successors(node) {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 {
                    self.offer(npc, parts, graph, next);
                }
            }
            self.close(npc, parts, graph, node);
        }
        plan.len() == n
    }

    /// Makes a node that waits for nobody ready, unless an open pair holds it.
    fn offer(&mut self, npc: &NpcTables, parts: &Parts, graph: &Graph, node: u32) {
        if self.stop(npc, parts, graph, node) {
            return;
        }
        let action = graph.actions[node as usize];
        match self.opens[node as usize] {
            NONE => self.ready.insert(action, node),
            _ => self.openers.insert(action, node),
        }
    }

    /// Notes a node under the last open pair that holds it; `false` if none does.
    fn stop(&mut self, npc: &NpcTables, parts: &Parts, graph: &Graph, node: u32) -> bool {
        let mut open = self.open.iter().rev().copied();
        let Some(pair) = open.find(|&pair| self.holds(npc, parts, graph, pair, node)) else {
            return false;
        };
        self.stopped.push((pair, node));
        true
    }

    /// If the node closes a pair, offers again whom that pair held.
    fn close(&mut self, npc: &NpcTables, parts: &Parts, graph: &Graph, node: u32) {
        let pair = self.closes[node as usize];
        if pair == NONE {
            return;
        }
        self.open.retain(|&open| open != pair);
        // Mostly the pair that closes is the one opened last, and its nodes are at the end.
        let mut at = self.stopped.len();
        while at > 0 {
            at -= 1;
            if self.stopped[at].0 == pair {
                let (_, node) = self.stopped.swap_remove(at);
                self.offer(npc, parts, graph, node);
            }
        }
    }
}
