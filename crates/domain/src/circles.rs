//! Edges that close a circle.
//!
//! In:   a graph: how many nodes there are, and where the edges of each lead, in their order.
//! Out:  every edge that leads back to a node on the way to it, as a walk in depth meets them.
//! Cost: one look at every edge.

/// Calls `found` with a node and the number of its edge, for each edge that leads back.
pub(crate) fn each_edge_back(
    n_nodes: usize,
    target: impl Fn(usize, usize) -> Option<usize>,
    mut found: impl FnMut(usize, usize),
) {
    let (mut seen, mut on_the_way) = (vec![false; n_nodes], vec![false; n_nodes]);
    let mut stack = Vec::new();
    for root in 0..n_nodes {
        stack.push((root, 0));
        while let Some((node, edge)) = stack.pop() {
            if edge == 0 && std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let to = target(node, edge);
            on_the_way[node] = to.is_some();
            let Some(to) = to else { continue };
            stack.push((node, edge + 1));
            if on_the_way[to] {
                found(node, edge);
            } else {
                stack.push((to, 0));
            }
        }
    }
}
