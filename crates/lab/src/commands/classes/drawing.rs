//! The graphs of an NPC type as a picture, like figures 1 and 2 of "Topological Planning with
//! Post-unique and Unary Actions".
//!
//! In:   compiled types.
//! Out:  one SVG: for each type its domain-action graphs (who can follow whom on one variable)
//!       and its action graph (who brings about what another needs). No fonts are embedded.
//! Cost: linear in what is drawn, but for needs with many setters.

use super::formal::is_requestable;
use super::layout::{BOX_HEIGHT, Block, Node, Placed, TITLE, blocks, in_columns, in_rows};
use std::collections::BTreeSet;
use std::fmt::Write;
use throng_domain::compile::{LocalAction, NpcTables, SourceMap};

/// Larger types are left out: nobody could read them.
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
    let mut body = String::new();
    let mut width = LEAST_WIDTH;
    let mut y = EDGE;
    for npc in drawn {
        let section = section(npc, map, y);
        body.push_str(&section.text);
        width = width.max(section.width);
        y += section.height + EDGE;
    }
    let (width, height) = (width + 2.0 * EDGE, y);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs>\n{}{}</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n",
        arrow_head("blue", BLUE),
        arrow_head("green", GREEN)
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

struct Section {
    text: String,
    width: f64,
    height: f64,
}

/// Both figures of one type, from `top` down.
fn section(npc: &NpcTables, map: &SourceMap, top: f64) -> Section {
    let blocks = blocks(npc, map);
    let marks = Marks::new(npc);
    let mut text = String::new();
    let mut y = top;
    let heading = |text: &mut String, y: f64, size: u32, words: &str| {
        let words = escaped(words);
        let _ = writeln!(
            text,
            "<text x=\"{EDGE}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"bold\">{words}</text>",
            y + 18.0
        );
    };
    heading(&mut text, y, 18, map.npc(npc.id()));
    y += HEADING - 8.0;
    legend(&mut text, y);
    y += LEGEND;
    heading(&mut text, y, 14, "Domain-action graphs");
    y += HEADING - 10.0;
    let first = in_rows(&blocks);
    figure(&mut text, npc, &blocks, &first, y, &marks, false);
    y += first.height + EDGE;
    heading(&mut text, y, 14, "Action graph");
    y += HEADING - 10.0;
    let second = in_columns(npc, &blocks);
    figure(&mut text, npc, &blocks, &second, y, &marks, true);
    y += second.height;
    // Arrows that bulge out of the last column need a little room.
    Section { text, width: first.width.max(second.width + 40.0), height: y - top }
}

fn legend(text: &mut String, y: f64) {
    let entries =
        [(BLUE, "one may follow the other"), (GREEN, "sets what the other needs during itself")];
    let mut x = EDGE;
    for (colour, words) in entries {
        let marker = if colour == BLUE { "blue" } else { "green" };
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} {:.1} h34\" stroke=\"{colour}\" stroke-width=\"1.6\" \
             marker-end=\"url(#{marker})\"/><text x=\"{:.1}\" y=\"{:.1}\">{words}</text>",
            y + 8.0,
            x + 42.0,
            y + 12.0
        );
        x += 64.0 + words.len() as f64 * 6.6;
    }
    let boxes = [("#fff3d6", "1.2", "on a loop"), ("white", "2.6", "sets a needed value")];
    for (fill, stroke, words) in boxes {
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"14\" rx=\"4\" fill=\"{fill}\" \
             stroke=\"#444\" stroke-width=\"{stroke}\"/><text x=\"{:.1}\" y=\"{:.1}\">{words}</text>",
            y + 1.0,
            x + 34.0,
            y + 12.0
        );
        x += 56.0 + words.len() as f64 * 6.6;
    }
}

/// What is to be seen of each action.
struct Marks {
    on_loop: BTreeSet<LocalAction>,
    requestable: BTreeSet<LocalAction>,
}

impl Marks {
    fn new(npc: &NpcTables) -> Marks {
        let cycles = npc.classes().cycles().iter();
        let actions = (0..npc.n_actions() as u32).map(LocalAction);
        Marks {
            on_loop: cycles.flat_map(|cycle| cycle.actions().iter().copied()).collect(),
            requestable: actions.filter(|&action| is_requestable(npc, action)).collect(),
        }
    }
}

/// Blocks with their arrows; with the needs between them if `needs`.
fn figure(
    text: &mut String,
    npc: &NpcTables,
    blocks: &[Block],
    placed: &Placed,
    top: f64,
    marks: &Marks,
    needs: bool,
) {
    let corner = |at: usize| (placed.corners[at].0 + EDGE, placed.corners[at].1 + top);
    for (at, block) in blocks.iter().enumerate() {
        frame(text, block, corner(at));
    }
    for (at, block) in blocks.iter().enumerate() {
        follow_arrows(text, block, corner(at));
    }
    if needs {
        need_arrows(text, npc, blocks, &corner);
    }
    // Last, so that an arrow between far blocks passes behind the boxes on its way.
    for (at, block) in blocks.iter().enumerate() {
        block.nodes.iter().for_each(|node| action_box(text, node, corner(at), marks));
    }
}

fn frame(text: &mut String, block: &Block, (x, y): (f64, f64)) {
    let _ = writeln!(
        text,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\" \
         fill=\"#f7f8fa\" stroke=\"#c9ced6\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555\" \
         font-weight=\"bold\">{}</text>",
        block.width,
        block.height,
        x + 12.0,
        y + TITLE - 7.0,
        escaped(&block.title)
    );
}

fn action_box(text: &mut String, node: &Node, (x, y): (f64, f64), marks: &Marks) {
    let (x, y) = (x + node.x, y + node.y);
    let fill = if marks.on_loop.contains(&node.action) { "#fff3d6" } else { "white" };
    let stroke = if marks.requestable.contains(&node.action) { 2.6 } else { 1.2 };
    let middle = x + node.width / 2.0;
    let _ = writeln!(
        text,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BOX_HEIGHT}\" rx=\"6\" \
         fill=\"{fill}\" stroke=\"#444\" stroke-width=\"{stroke}\"/>\
         <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" \
         fill=\"#666\">{}</text>",
        node.width,
        y + 16.0,
        escaped(&node.label),
        y + 31.0,
        escaped(&node.change)
    );
}

/// From each action to those that can follow it on its variable: down, or back along the left.
fn follow_arrows(text: &mut String, block: &Block, (x, y): (f64, f64)) {
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
        arrow(text, &path, BLUE, "blue");
    }
}

/// From each action to those that need what it sets while changing another variable.
fn need_arrows(
    text: &mut String,
    npc: &NpcTables,
    blocks: &[Block],
    corner: &impl Fn(usize) -> (f64, f64),
) {
    for (from_block, block) in blocks.iter().enumerate() {
        for (to_block, other) in blocks.iter().enumerate().filter(|&(at, _)| at != from_block) {
            for node in &block.nodes {
                let set = npc.sets(node.action).iter().find(|set| set.variable == block.variable);
                let needs = |to: &&Node| {
                    let during =
                        npc.sets(to.action).iter().all(|its| its.variable != block.variable);
                    during && set.is_some_and(|set| npc.needs(to.action).contains(set))
                };
                for to in other.nodes.iter().filter(needs) {
                    arrow(
                        text,
                        &across(node, corner(from_block), to, corner(to_block)),
                        GREEN,
                        "green",
                    );
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

fn arrow(text: &mut String, path: &str, colour: &str, marker: &str) {
    let _ = writeln!(
        text,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" \
         marker-end=\"url(#{marker})\"/>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
