//! The undirected causal graph, and what falls apart when one variable is taken out of it.
//!
//! In:   pairs of variables: an action changes the one and needs the other during itself.
//! Out:  for two neighbours of a variable, whether they hang together without it.
//! Cost: linear in variables and pairs; a question is a binary search.
//!
//! A depth-first walk gives every variable its entry time and the earliest entry that its
//! subtree reaches. Without `v`, the subtree of a child that reaches nothing before `v` is cut
//! off from the rest; all other neighbours of `v` still hang together above it.

use throng_base::Rows;
use throng_domain::compile::LocalVariable;

const NONE: u32 = u32::MAX;

/// A part that the graph falls into when a variable is taken out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part(u32);

/// Variables as nodes, with the marks of one depth-first walk.
#[derive(Clone, Debug)]
pub(super) struct CausalGraph {
    neighbours: Rows<u32>,
    pub(super) parts: Parts,
}

/// Into which parts the causal graph falls when a variable is taken out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// When the walk came to a variable.
    entered: Vec<u32>,
    /// The last entry in its subtree.
    last: Vec<u32>,
    /// The earliest entry that its subtree reaches by one link.
    reaches: Vec<u32>,
    /// The children of a variable in the walk, in order of entry.
    children: Rows<u32>,
}

impl CausalGraph {
    pub(super) fn new(n_variables: usize, links: &[(LocalVariable, LocalVariable)]) -> Self {
        let both_ways = links.iter().flat_map(|&(a, b)| [(a.index(), b.0), (b.index(), a.0)]);
        let mut graph = CausalGraph {
            neighbours: Rows::from_pairs(n_variables, both_ways),
            parts: Parts {
                entered: vec![NONE; n_variables],
                last: vec![NONE; n_variables],
                reaches: vec![NONE; n_variables],
                children: Rows::default(),
            },
        };
        graph.walk();
        graph
    }

    /// The depth-first walk over all variables, without recursion.
    fn walk(&mut self) {
        let n_variables = self.neighbours.len();
        let mut tree = Vec::new();
        let mut clock = 0;
        // The variable, its parent, and how many of its neighbours have been looked at.
        let mut open: Vec<(u32, u32, usize)> = Vec::new();
        for root in 0..n_variables as u32 {
            if self.parts.entered[root as usize] == NONE {
                self.parts.enter(root, &mut clock);
                open.push((root, NONE, 0));
            }
            while let Some((node, parent, looked)) = open.last_mut() {
                let (node, parent) = (*node, *parent);
                match self.neighbours.row(node as usize).get(*looked) {
                    Some(&next) => {
                        *looked += 1;
                        let seen = self.parts.entered[next as usize];
                        if seen == NONE {
                            self.parts.enter(next, &mut clock);
                            tree.push((node as usize, next));
                            open.push((next, node, 0));
                        } else {
                            let reaches = &mut self.parts.reaches[node as usize];
                            *reaches = seen.min(*reaches);
                        }
                    }
                    None => {
                        open.pop();
                        self.parts.last[node as usize] = clock - 1;
                        if parent != NONE {
                            let below = self.parts.reaches[node as usize];
                            let reaches = &mut self.parts.reaches[parent as usize];
                            *reaches = below.min(*reaches);
                        }
                    }
                }
            }
        }
        self.parts.children = Rows::from_pairs(n_variables, tree.iter().copied());
    }

    /// The variables on a shortest way from one to another that avoids `without`, both ends
    /// included; `None` if there is no way. Linear, so it is asked for a few only.
    pub(super) fn way(
        &self,
        without: LocalVariable,
        from: LocalVariable,
        to: LocalVariable,
    ) -> Option<Vec<LocalVariable>> {
        let mut before = vec![NONE; self.neighbours.len()];
        before[from.index()] = from.0;
        let mut reached = vec![from.0];
        let mut next = 0;
        while before[to.index()] == NONE {
            let at = *reached.get(next)?;
            next += 1;
            for &neighbour in self.neighbours.row(at as usize) {
                if neighbour != without.0 && before[neighbour as usize] == NONE {
                    before[neighbour as usize] = at;
                    reached.push(neighbour);
                }
            }
        }
        let mut way = vec![to];
        let mut at = to.0;
        while at != from.0 {
            at = before[at as usize];
            way.push(LocalVariable(at));
        }
        way.reverse();
        Some(way)
    }
}

impl Parts {
    fn enter(&mut self, node: u32, clock: &mut u32) {
        self.entered[node as usize] = *clock;
        self.reaches[node as usize] = *clock;
        *clock += 1;
    }

    /// The part that a variable is in when `without` is taken out. Two variables that hang
    /// together with `without` hang together without it exactly if their parts are equal;
    /// those that do not are counted with the part above it.
    pub fn part(&self, without: LocalVariable, variable: LocalVariable) -> Part {
        let entered = self.entered[variable.index()];
        let own = self.entered[without.index()];
        if entered < own || entered > self.last[without.index()] {
            return Part(NONE);
        }
        // It is below `without`, hence below the last child entered before it.
        let children = self.children.row(without.index());
        let after = children.partition_point(|&child| self.entered[child as usize] <= entered);
        match after.checked_sub(1).map(|at| children[at]) {
            Some(child) if self.reaches[child as usize] >= own => Part(child),
            _ => Part(NONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, links: &[(u32, u32)]) -> CausalGraph {
        let links: Vec<_> =
            links.iter().map(|&(a, b)| (LocalVariable(a), LocalVariable(b))).collect();
        CausalGraph::new(n, &links)
    }

    fn together(graph: &CausalGraph, without: u32, a: u32, b: u32) -> bool {
        let part = |of| graph.parts.part(LocalVariable(without), LocalVariable(of));
        let way = graph.way(LocalVariable(without), LocalVariable(a), LocalVariable(b));
        assert_eq!(part(a) == part(b), way.is_some(), "without {without}: {a} and {b}");
        way.is_some()
    }

    #[test]
    fn a_star_falls_apart_without_its_middle() {
        let star = graph(4, &[(1, 0), (1, 2), (3, 1)]);
        assert!(!together(&star, 1, 0, 2));
        assert!(!together(&star, 1, 2, 3));
    }

    #[test]
    fn a_ring_holds_together_without_any_one() {
        let ring = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        for without in 0..4 {
            assert!(together(&ring, without, (without + 1) % 4, (without + 3) % 4));
        }
    }

    #[test]
    fn parts_are_what_search_finds() {
        let mut random = throng_base::SplitMix::new(7);
        let mut below = |n: u32| random.below(n as usize) as u32;
        for _ in 0..2_000 {
            let n = 2 + below(7);
            let links: Vec<(u32, u32)> =
                (0..below(11)).map(|_| (below(n), below(n))).filter(|(a, b)| a != b).collect();
            let graph = graph(n as usize, &links);
            for without in 0..n {
                let neighbours = graph.neighbours.row(without as usize);
                for &a in neighbours {
                    for &b in neighbours {
                        together(&graph, without, a, b);
                    }
                }
            }
        }
    }
}
