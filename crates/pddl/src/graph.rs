//! A walk through a graph of numbers, depth first.
//!
//! In:   how many nodes there are, and the edges of each, by number.
//! Out:  the nodes in the order in which the walk is done with them, and where it met itself.
//! Cost: linear; nothing recurses.

/// Every node, after all that it leads to but for circles. `circle` is told of each node that an
/// edge leads back to, from what it leads to itself.
pub(crate) fn finished(
    n_nodes: usize,
    edge: impl Fn(usize, usize) -> Option<usize>,
    mut circle: impl FnMut(usize),
) -> Vec<usize> {
    #[derive(Clone, Copy)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; n_nodes];
    let mut order = Vec::with_capacity(n_nodes);
    // The way to where the walk is, each node with the number of its next edge.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for from in 0..n_nodes {
        if let Mark::New = marks[from] {
            marks[from] = Mark::Open;
            open.push((from, 0));
        }
        while let Some((at, next)) = open.last_mut() {
            let Some(to) = edge(*at, *next) else {
                marks[*at] = Mark::Done;
                order.push(*at);
                open.pop();
                continue;
            };
            *next += 1;
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    open.push((to, 0));
                }
                Mark::Open => circle(to),
                Mark::Done => {}
            }
        }
    }
    order
}
