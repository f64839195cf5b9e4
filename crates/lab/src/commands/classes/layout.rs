//! Where the actions of an NPC type stand in its picture.
//!
//! In:   the compiled type.
//! Out:  for each variable a block of boxes, one for each action that changes it, in levels from
//!       top to bottom; for the action graph, the blocks in columns, so that most needs point to
//!       the right.
//! Cost: linear in actions and needs, with sorts; only drawn types pay.

use super::formal::symbol;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, SourceMap};
use throng_planner::tables::as_move;

const CHARACTER: f64 = 6.9;
/// Height of the box of an action.
pub(super) const BOX_HEIGHT: f64 = 38.0;
const LEVEL_GAP: f64 = 30.0;
const SIDE_GAP: f64 = 22.0;
/// Space between the border of a block and its boxes, for arrows that lead back.
const MARGIN: f64 = 40.0;
/// Height of the title of a block.
pub(super) const TITLE: f64 = 26.0;
/// Widest page before figure 1 begins a new row.
const PAGE: f64 = 1300.0;
const BLOCK_GAP: f64 = 24.0;
/// Space between columns of the action graph, for its arrows.
const COLUMN_GAP: f64 = 90.0;

/// An action drawn.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) action: LocalAction,
    pub(super) label: String,
    pub(super) change: String,
    /// Left and top, within its block.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) level: usize,
}

/// The actions of one variable.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) variable: LocalVariable,
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
    /// From post to pre, as positions in `nodes`.
    pub(super) edges: Vec<(usize, usize)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Blocks with their left upper corners, and the size of all.
pub(super) struct Placed {
    pub(super) corners: Vec<(f64, f64)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// One block for each variable that some action changes. An action that changes several
/// variables stands in the block of each.
pub(super) fn blocks(npc: &NpcTables, map: &SourceMap) -> Vec<Block> {
    let variables = (0..npc.variables().len() as u32).map(LocalVariable);
    variables.filter(|&variable| npc.can_change(variable)).map(|v| block(npc, map, v)).collect()
}

fn block(npc: &NpcTables, map: &SourceMap, variable: LocalVariable) -> Block {
    let mut actions: Vec<(LocalAction, LocalFact)> =
        npc.setters_of(variable).map(|(fact, action)| (action, fact)).collect();
    actions.sort_unstable();
    let sources: Vec<Option<LocalFact>> =
        actions.iter().map(|&(action, set)| source(npc, action, set)).collect();
    let mut edges = Vec::new();
    for (from, (_, set)) in actions.iter().enumerate() {
        let to = sources.iter().enumerate().filter(|(_, source)| **source == Some(*set));
        edges.extend(to.map(|(to, _)| (from, to)));
    }
    let levels = levels(actions.len(), &edges);
    let title = format!("v_{}  {}", variable.0, map.variable(npc.variables()[variable.index()]));
    let nodes =
        actions.iter().zip(&sources).zip(&levels).map(|((&(action, set), source), &level)| {
            let value = |fact: LocalFact| map.value(npc.fact(fact)).to_string();
            let name = map.action(npc.actions()[action.index()]);
            let label = format!("{}  {name}", symbol(action));
            let change = format!("{} → {}", source.map_or("any".to_string(), value), value(set));
            let letters = label.chars().count().max(change.chars().count());
            let width = letters as f64 * CHARACTER + 20.0;
            Node { action, label, change, x: 0.0, y: 0.0, width, level }
        });
    let mut block = Block {
        variable,
        nodes: nodes.collect(),
        edges,
        width: title.chars().count() as f64 * CHARACTER * 1.1 + 24.0,
        height: 0.0,
        title,
    };
    block.arrange();
    block
}

/// The value that an action takes the variable of `set` from; `None` for any.
fn source(npc: &NpcTables, action: LocalAction, set: LocalFact) -> Option<LocalFact> {
    let own = npc.needs(action).iter().find(|need| need.variable == set.variable).copied();
    own.or_else(|| as_move(npc, action).map(|(to, value)| LocalFact { value, ..to }))
}

/// How far each action is from the first ones: those that nothing leads to, and where a loop
/// has none, the one declared first.
fn levels(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    const NOT_YET: usize = usize::MAX;
    let mut levels = vec![NOT_YET; n];
    let is_first = |node: usize| edges.iter().all(|&(from, to)| to != node || from == node);
    let firsts = (0..n).filter(|&node| is_first(node));
    for root in firsts.chain(0..n).collect::<Vec<_>>() {
        if levels[root] != NOT_YET {
            continue;
        }
        levels[root] = 0;
        let mut reached = vec![root];
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            next += 1;
            for &(_, to) in edges.iter().filter(|&&(from, _)| from == node) {
                if levels[to] == NOT_YET {
                    levels[to] = levels[node] + 1;
                    reached.push(to);
                }
            }
        }
    }
    levels
}

impl Block {
    /// Puts each level in a row, all rows centred.
    fn arrange(&mut self) {
        let n_levels = self.nodes.iter().map(|node| node.level + 1).max().unwrap_or(0);
        let row_width = |level: usize| {
            let row = self.nodes.iter().filter(|node| node.level == level);
            row.map(|node| node.width + SIDE_GAP).sum::<f64>() - SIDE_GAP
        };
        let widths: Vec<f64> = (0..n_levels).map(row_width).collect();
        let widest = widths.iter().copied().fold(0.0, f64::max);
        self.width = (widest + 2.0 * MARGIN).max(self.width);
        for (level, width) in widths.iter().enumerate() {
            let mut x = (self.width - width) / 2.0;
            for node in self.nodes.iter_mut().filter(|node| node.level == level) {
                node.x = x;
                node.y = TITLE + 12.0 + level as f64 * (BOX_HEIGHT + LEVEL_GAP);
                x += node.width + SIDE_GAP;
            }
        }
        self.height = TITLE + 24.0 + n_levels as f64 * (BOX_HEIGHT + LEVEL_GAP) - LEVEL_GAP;
    }
}

/// The blocks side by side, in rows no wider than a page.
pub(super) fn in_rows(blocks: &[Block]) -> Placed {
    let (mut x, mut y, mut row_height, mut widest) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    let mut corners = Vec::new();
    for block in blocks {
        if x > 0.0 && x + block.width > PAGE {
            (x, y, row_height) = (0.0, y + row_height + BLOCK_GAP, 0.0);
        }
        corners.push((x, y));
        row_height = row_height.max(block.height);
        widest = widest.max(x + block.width);
        x += block.width + BLOCK_GAP;
    }
    Placed { corners, width: widest, height: y + row_height }
}

/// The blocks in columns: what is needed stands left of what needs it, where loops allow.
pub(super) fn in_columns(npc: &NpcTables, blocks: &[Block]) -> Placed {
    let columns = columns(npc, blocks);
    let n_columns = columns.iter().map(|column| column + 1).max().unwrap_or(0);
    let mut corners = vec![(0.0, 0.0); blocks.len()];
    let mut x = 0.0;
    let mut heights = vec![0.0f64; n_columns];
    for (column, height) in heights.iter_mut().enumerate() {
        let members = || (0..blocks.len()).filter(|&at| columns[at] == column);
        let width = members().map(|at| blocks[at].width).fold(0.0, f64::max);
        for at in members() {
            corners[at] = (x + (width - blocks[at].width) / 2.0, *height);
            *height += blocks[at].height + BLOCK_GAP * 1.5;
        }
        x += width + COLUMN_GAP;
    }
    let tallest = heights.iter().copied().fold(0.0, f64::max);
    for (at, corner) in corners.iter_mut().enumerate() {
        corner.1 += (tallest - heights[columns[at]]) / 2.0;
    }
    Placed { corners, width: (x - COLUMN_GAP).max(0.0), height: (tallest - BLOCK_GAP).max(0.0) }
}

/// The column of each block: one more than the largest of those it needs, loops cut where the
/// walk comes back.
fn columns(npc: &NpcTables, blocks: &[Block]) -> Vec<usize> {
    let position = |variable: LocalVariable| {
        blocks.binary_search_by_key(&variable, |block| block.variable).ok()
    };
    let needed: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            let needs = block.nodes.iter().flat_map(|node| npc.needs(node.action));
            let others = needs.filter(|need| need.variable != block.variable);
            let mut needed: Vec<usize> =
                others.filter_map(|need| position(need.variable)).collect();
            needed.sort_unstable();
            needed.dedup();
            needed
        })
        .collect();
    let mut columns = vec![None; blocks.len()];
    let mut entered = vec![false; blocks.len()];
    // A block is done once all it needs is; until then it waits below them on the stack.
    for first in 0..blocks.len() {
        let mut open = vec![first];
        while let Some(&at) = open.last() {
            entered[at] = true;
            let next = needed[at].iter().find(|&&need| !entered[need]);
            match next {
                Some(&need) => open.push(need),
                None => {
                    open.pop();
                    let below = needed[at].iter().filter_map(|&need| columns[need]);
                    let column = below.max().map_or(0, |column: usize| column + 1);
                    columns[at].get_or_insert(column);
                }
            }
        }
    }
    columns.into_iter().map(|column| column.unwrap_or(0)).collect()
}
