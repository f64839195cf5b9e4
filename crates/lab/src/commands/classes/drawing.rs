//! The graphs of an NPC type as a picture, like figures 1 and 2 of "Topological Planning with
//! Post-unique and Unary Actions".
//!
//! In:   compiled types.
//! Out:  one SVG: for each type its domain-action graphs (which action can follow which on one variable)
//!       and its action graph (who brings about what another needs). No fonts are embedded.
//! Cost: linear in what is drawn, but for needs with many setters.

use super::formal::is_requestable;
use super::layout::{BOX_HEIGHT, Block, Node, Placed, TITLE, blocks, in_columns, in_rows};
use std::collections::BTreeSet;
use std::fmt::Write;
use throng_domain::compile::{LocalAction, NpcTables, SourceMap};
use throng_planner::classes::classify;

/// Larger types are left out: they could not be read.
pub(super) const MOST_DRAWN: usize = 300;

const EDGE: f64 = 30.0;
const HEADING: f64 = 40.0;
const LEGEND: f64 = 34.0;
const LEAST_WIDTH: f64 = 760.0;

const BLUE: &str = "#2b6cb0";
const GREEN: &str = "#2f855a";

/// The text of the picture, and the names of the types that are too large for it.
pub(super) struct Picture {
    pub(super) svg: String,
    pub(super) left_out: Vec<String>,
}

/// Draws all types, one below the other.
pub(super) fn picture(npcs: &[&NpcTables], map: &SourceMap) -> Picture {
    let (drawn, large): (Vec<&NpcTables>, Vec<&NpcTables>) =
        npcs.iter().partition(|npc| npc.n_actions() <= MOST_DRAWN);
    let mut pen = Pen::default();
    let (mut width, mut y) = (LEAST_WIDTH, EDGE);
    for npc in drawn {
        let (right, below) = section(&mut pen, npc, map, y);
        width = width.max(right);
        y = below + EDGE;
    }
    let (width, height) = (width + 2.0 * EDGE, y);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs>\n{}{}</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
        arrow_head("blue", BLUE),
        arrow_head("green", GREEN),
        pen.0
    );
    let left_out = large.iter().map(|npc| map.npc(npc.id()).to_string()).collect();
    Picture { svg, left_out }
}

fn arrow_head(name: &str, colour: &str) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"{colour}\"/>\
         </marker>\n"
    )
}

/// What is drawn so far.
#[derive(Default)]
struct Pen(String);

impl Pen {
    /// Words whose line stands at a height.
    fn words(&mut self, (x, y): (f64, f64), style: &str, words: &str) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\"{style}>{words}</text>");
    }

    /// A rectangle from its left upper corner.
    fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), style: &str) {
        _ = writeln!(
            self.0,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
        );
    }

    /// An arrow along a path, green for needs, blue for what may follow.
    fn arrow(&mut self, path: &str, is_need: bool) {
        let (colour, marker) = if is_need { (GREEN, "green") } else { (BLUE, "blue") };
        _ = writeln!(
            self.0,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" \
             marker-end=\"url(#{marker})\"/>"
        );
    }

    fn heading(&mut self, y: f64, size: u32, words: &str) {
        let style = format!(" font-size=\"{size}\" font-weight=\"bold\"");
        self.words((EDGE, y + 18.0), &style, words);
    }
}

/// Both figures of one type, from `top` down; gives how far they reach to the right and down.
fn section(pen: &mut Pen, npc: &NpcTables, map: &SourceMap, top: f64) -> (f64, f64) {
    let blocks = blocks(npc, map);
    let marks = Marks::new(npc);
    pen.heading(top, 18, map.npc(npc.id()));
    let mut y = top + HEADING - 8.0;
    legend(pen, y);
    y += LEGEND;
    pen.heading(y, 14, "Domain-action graphs");
    y += HEADING - 10.0;
    let first = in_rows(&blocks);
    figure(pen, npc, &blocks, &first, y, &marks, false);
    y += first.height + EDGE;
    pen.heading(y, 14, "Action graph");
    y += HEADING - 10.0;
    let second = in_columns(npc, &blocks);
    figure(pen, npc, &blocks, &second, y, &marks, true);
    // Arrows that bulge out of the last column need a little room.
    (first.width.max(second.width + 40.0), y + second.height)
}

fn legend(pen: &mut Pen, y: f64) {
    let arrows =
        [(false, "one may follow the other"), (true, "sets what the other needs during itself")];
    let mut x = EDGE;
    for (is_need, words) in arrows {
        pen.arrow(&format!("M{x:.1} {:.1} h34", y + 8.0), is_need);
        pen.words((x + 42.0, y + 12.0), "", words);
        x += 64.0 + words.len() as f64 * 6.6;
    }
    for (on_loop, requestable, words) in
        [(true, false, "on a loop"), (false, true, "sets a needed value")]
    {
        pen.rectangle((x, y + 1.0), (26.0, 14.0), &box_style(on_loop, requestable));
        pen.words((x + 34.0, y + 12.0), "", words);
        x += 56.0 + words.len() as f64 * 6.6;
    }
}

fn box_style(on_loop: bool, requestable: bool) -> String {
    let fill = if on_loop { "#fff3d6" } else { "white" };
    let stroke = if requestable { 2.6 } else { 1.2 };
    format!("rx=\"5\" fill=\"{fill}\" stroke=\"#444\" stroke-width=\"{stroke}\"")
}

/// What is to be seen of each action.
struct Marks {
    on_loop: BTreeSet<LocalAction>,
    requestable: BTreeSet<LocalAction>,
}

impl Marks {
    fn new(npc: &NpcTables) -> Marks {
        let report = classify(npc);
        let cycles = report.cycles().iter();
        let actions = (0..npc.n_actions() as u32).map(LocalAction);
        Marks {
            on_loop: cycles.flat_map(|cycle| cycle.actions().iter().copied()).collect(),
            requestable: actions.filter(|&action| is_requestable(npc, action)).collect(),
        }
    }
}

/// Blocks with their arrows; with the needs between them if `needs`.
fn figure(
    pen: &mut Pen,
    npc: &NpcTables,
    blocks: &[Block],
    placed: &Placed,
    top: f64,
    marks: &Marks,
    needs: bool,
) {
    let corners: Vec<(f64, f64)> =
        placed.corners.iter().map(|(x, y)| (x + EDGE, y + top)).collect();
    let all = || blocks.iter().zip(corners.iter().copied());
    for (block, (x, y)) in all() {
        let style = "rx=\"8\" fill=\"#f7f8fa\" stroke=\"#c9ced6\"";
        pen.rectangle((x, y), (block.width, block.height), style);
        let style = " fill=\"#555\" font-weight=\"bold\"";
        pen.words((x + 12.0, y + TITLE - 7.0), style, &block.title);
    }
    all().for_each(|(block, corner)| follow_arrows(pen, block, corner));
    if needs {
        need_arrows(pen, npc, blocks, &corners);
    }
    // Last, so that an arrow between far blocks passes behind the boxes on its way.
    for (block, corner) in all() {
        block.nodes.iter().for_each(|node| action_box(pen, node, corner, marks));
    }
}

fn action_box(pen: &mut Pen, node: &Node, (x, y): (f64, f64), marks: &Marks) {
    let (x, y) = (x + node.x, y + node.y);
    let on_loop = marks.on_loop.contains(&node.action);
    let style = box_style(on_loop, marks.requestable.contains(&node.action));
    pen.rectangle((x, y), (node.width, BOX_HEIGHT), &style);
    let middle = x + node.width / 2.0;
    pen.words((middle, y + 16.0), " text-anchor=\"middle\"", &node.label);
    let style = " text-anchor=\"middle\" font-size=\"11\" fill=\"#666\"";
    pen.words((middle, y + 31.0), style, &node.change);
}

/// From each action to those that can follow it on its variable: down, or back along the left.
fn follow_arrows(pen: &mut Pen, block: &Block, (x, y): (f64, f64)) {
    for &(from, to) in &block.edges {
        let (from, to) = (&block.nodes[from], &block.nodes[to]);
        let path = if to.level > from.level {
            let begin = (x + from.x + from.width / 2.0, y + from.y + BOX_HEIGHT);
            let end = (x + to.x + to.width / 2.0, y + to.y - 1.0);
            format!("M{:.1} {:.1} L{:.1} {:.1}", begin.0, begin.1, end.0, end.1)
        } else {
            let begin = (x + from.x, y + from.y + BOX_HEIGHT / 2.0);
            let end = (x + to.x - 1.0, y + to.y + BOX_HEIGHT / 2.0);
            let left = begin.0.min(end.0) - 34.0;
            format!(
                "M{:.1} {:.1} C{left:.1} {:.1} {left:.1} {:.1} {:.1} {:.1}",
                begin.0, begin.1, begin.1, end.1, end.0, end.1
            )
        };
        pen.arrow(&path, false);
    }
}

/// From each action to those that need what it sets while changing another variable.
fn need_arrows(pen: &mut Pen, npc: &NpcTables, blocks: &[Block], corners: &[(f64, f64)]) {
    for (at, block) in blocks.iter().enumerate() {
        for (to_at, other) in blocks.iter().enumerate().filter(|&(to_at, _)| to_at != at) {
            for node in &block.nodes {
                let set = npc.sets(node.action).iter().find(|set| set.variable == block.variable);
                let needs = |to: &&Node| {
                    let mut sets = npc.sets(to.action).iter();
                    let during = sets.all(|its| its.variable != block.variable);
                    during && set.is_some_and(|set| npc.needs(to.action).contains(set))
                };
                for to in other.nodes.iter().filter(needs) {
                    pen.arrow(&across(node, corners[at], to, corners[to_at]), true);
                }
            }
        }
    }
}

/// A curve from one block to another: from side to side, or around on the right if one stands
/// above the other.
fn across(from: &Node, (fx, fy): (f64, f64), to: &Node, (tx, ty): (f64, f64)) -> String {
    let (from_left, from_right) = (fx + from.x, fx + from.x + from.width);
    let (to_left, to_right) = (tx + to.x, tx + to.x + to.width);
    // Where it ends a little lower than where others begin, so that both can be told apart.
    let (begin_y, end_y) = (fy + from.y + BOX_HEIGHT * 0.4, ty + to.y + BOX_HEIGHT * 0.6);
    let (begin, end, pull) = if to_left > from_right {
        (from_right, to_left - 1.0, ((to_left - from_right) * 0.5).max(40.0))
    } else if to_right < from_left {
        (from_left, to_right + 1.0, -((from_left - to_right) * 0.5).max(40.0))
    } else {
        let right = from_right.max(to_right) + 60.0;
        return format!(
            "M{from_right:.1} {begin_y:.1} C{right:.1} {begin_y:.1} {right:.1} {end_y:.1} {:.1} \
             {end_y:.1}",
            to_right + 1.0
        );
    };
    let (first, second) = (begin + pull, end - pull);
    format!(
        "M{begin:.1} {begin_y:.1} C{first:.1} {begin_y:.1} {second:.1} {end_y:.1} {end:.1} {end_y:.1}"
    )
}
