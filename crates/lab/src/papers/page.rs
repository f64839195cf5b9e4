//! The page: what was measured, what differs from the papers and why, what holds.
//!
//! In:   all findings.
//! Out:  `papers.md`, one sentence per line, figures by name; and its tables alone.
//!
//! Judgements that could change with a measurement are made from it here; the words around them
//! are about the papers' text and do not.

use super::{COPY, FLAT, Findings, KERNEL, OURS, PRINTED, crowds, drawn, families, name_of, pairs};
use crate::judge::Verdict;
use crate::machine::measured;
use crate::report::page_head;
use crate::table::{Table, known};
use std::ops::Range;
use throng_base::text::grouped;
use throng_picture::figure::{Figure, Panel, exponent};

/// The whole page.
pub(super) fn write(found: &Findings) -> String {
    let head = page_head("The papers' experiments, redrawn", "papers --out docs/papers");
    format!(
        "{head}\
         {}, one thread.\n\
         Times are thread time on the processor; everybody takes turns in one run and the fastest turn counts.\n\
         Every answer was replayed and its length compared with that of the shortest plan.\n\
         A wrong answer of Throng fails the command; those of the printed algorithms are counted below.\n\n\
         \"P\" and \"Bäckström\" are the two planners of \"SAS Planning As Topological Sorting\" (there 𝒫 is Bäckström's), \"TopoPlan\" is that of \"Topological Planning with Post-unique and Unary Actions\".\n\
         P and TopoPlan are kept as printed, Bäckström's planner is rebuilt from what the papers say about it; all three are in `crates/lab/src/printed`.\n\
         \n## At a glance\n\n{}{}\
         \n## The figures\n\n{}\
         \n## Tables\n\n{}{DIFFERENCES}",
        measured(),
        glance(found),
        cycles(found),
        figures(found),
        tables(found),
    )
}

/// The points of a planner's line.
fn points<'p>(panel: &'p Panel, who: &str) -> Option<&'p [(f64, f64)]> {
    Some(&panel.lines.iter().find(|line| line.name == who)?.points)
}

/// The last of them.
fn last(panel: &Panel, who: &str) -> Option<(f64, f64)> {
    points(panel, who)?.last().copied()
}

/// The powers that times grow with, and whether they are what is expected of everybody.
fn powers(figure: &Figure, panel: usize, expected: &[(&str, Range<f64>)]) -> (String, bool) {
    let (mut all, mut holds) = (Vec::new(), true);
    for (who, range) in expected {
        let panel = figure.panels.get(panel);
        let power = panel.and_then(|panel| exponent(points(panel, who)?));
        let word = power.map_or("not measured".to_string(), |power| format!("{power:.2}"));
        all.push(format!("{who} {word} (bar {} to {})", range.start, range.end));
        holds &= power.is_some_and(|power| range.contains(&power));
    }
    (format!("time grows with the power {}", all.join(", ")), holds)
}

/// Growth that passes for linear: caches that no longer hold everything add to it.
const LINEAR: Range<f64> = 0.8..1.35;
/// The same for quadratic growth.
const QUADRATIC: Range<f64> = 1.7..2.6;

fn glance(found: &Findings) -> Table {
    let mut table = Table::new("the papers say | here | verdict");
    let [p, topoplan, backstrom] = PRINTED.map(name_of);
    let mut row = |claim: &str, (here, holds): (String, bool)| {
        let verdict = if holds { "**holds**" } else { "**does not hold here**" };
        table.row(format_args!("{claim} | {here} | {verdict}"));
    };
    let all = |range: Range<f64>| [FLAT, p, topoplan, backstrom].map(|who| (who, range.clone()));
    row(
        "Time is linear in the number of values (figure 1).",
        powers(&found.figure_1, 0, &all(LINEAR)),
    );
    row(
        "Time is linear in actions and orders: quadratic in m on the tunnel (figure 2).",
        powers(&found.figure_2, 0, &all(QUADRATIC)),
    );
    let expected = [(FLAT, LINEAR), (p, LINEAR), (topoplan, LINEAR), (backstrom, QUADRATIC)];
    row(
        "The same: linear in m on OnePrv_5, where Bäckström's planner is quadratic (figure 2).",
        powers(&found.figure_2, 1, &expected),
    );
    row(
        "P is several orders of magnitude faster than Bäckström's planner (section 5).",
        magnitudes(found),
    );
    let times = p_against_backstrom(&found.figure_3.panels[0]);
    let here = times.map_or("not measured".to_string(), |times| {
        format!("{times:.1} times, on the restricted Western")
    });
    row(
        "P is twenty thousand times as fast as Bäckström's planner (figure 3).",
        (here, times.is_some_and(|times| times >= 20_000.0)),
    );
    row("P makes plans for two million NPCs in 1 ms (figure 3).", two_million(found));
    row("TopoPlan gives more than 3,000,000 plans in 1.67 ms (section 6).", section_6(found));
    for (who, claim) in [
        (p, "P is correct and complete where no action is needed twice."),
        (topoplan, "TopoPlan is correct and complete for its classes."),
        (backstrom, "Bäckström's planner is correct and complete for single-valued problems."),
        (OURS, "*(Throng's own claim)* Every answer is right."),
    ] {
        row(claim, answers(found, who));
    }
    table
}

/// How many times as fast P must be everywhere for "several orders of magnitude".
const MAGNITUDES: f64 = 100.0;

/// P beside Bäckström's planner on the largest instance of each figure that both answer.
fn magnitudes(found: &Findings) -> (String, bool) {
    let panels = [
        ("values, figure 1", found.figure_1.panels.first()),
        ("tunnel, figure 2", found.figure_2.panels.first()),
        ("OnePrv_5, figure 2", found.figure_2.panels.get(1)),
        ("restricted Western, figure 3", found.figure_3.panels.first()),
    ];
    let (mut all, mut holds) = (Vec::new(), true);
    for (name, panel) in panels {
        let times = panel.and_then(p_against_backstrom);
        all.push(match times {
            Some(times) => format!("{times:.2} ({name})"),
            None => format!("not measured ({name})"),
        });
        holds &= times.is_some_and(|times| times >= MAGNITUDES);
    }
    let here = format!(
        "times as fast on the largest instance: {}; bar: {MAGNITUDES} in each. Below 1 P is the slower one",
        all.join(", ")
    );
    (here, holds)
}

fn p_against_backstrom(panel: &Panel) -> Option<f64> {
    let [p, backstrom] = [PRINTED[0], PRINTED[2]].map(|who| points(panel, name_of(who)));
    p?.iter().rev().find_map(|&(size, p)| {
        let other = backstrom?.iter().find(|point| point.0 == size)?;
        Some(other.1 / p)
    })
}

fn two_million(found: &Findings) -> (String, bool) {
    let panel = &found.figure_3.panels[0];
    let p = name_of(PRINTED[0]);
    let all = [p, OURS, KERNEL, COPY].map(|who| {
        let (npcs, time) = last(panel, who).unwrap_or((0.0, 0.0));
        format!("{who} {time:.1} ms ({:.1} ns each)", time * 1e6 / npcs.max(1.0))
    });
    let npcs = last(panel, OURS).map_or(0.0, |point| point.0);
    let here = format!("{} NPCs on one core: {}", grouped(npcs as u64), all.join(", "));
    // In the paper's favour: the processor that it names has eight cores.
    (here, last(panel, p).is_some_and(|(npcs, time)| npcs >= 2e6 && time <= 8.0))
}

fn section_6(found: &Findings) -> (String, bool) {
    let heights = |who: &str| -> Vec<f64> {
        let series = found.section_6.series.iter().find(|series| series.name == who);
        series.into_iter().flat_map(|series| series.heights.iter().flatten().copied()).collect()
    };
    let of = |who: &str| {
        let heights = heights(who);
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = heights.iter().copied().fold(0.0, f64::max);
        format!("{who} {} to {}", grouped(least as u64), grouped(most as u64))
    };
    let topoplan = name_of(PRINTED[1]);
    let all = [topoplan, OURS, KERNEL].map(of);
    let holds = heights(topoplan).iter().all(|npcs| npcs * 8.0 >= 3e6);
    (format!("NPCs in 1.67 ms on one core: {}", all.join("; ")), holds)
}

/// How many answers are wrong, in the games and in the rest of the class.
fn answers(found: &Findings, who: &str) -> (String, bool) {
    let sum = |of_games: bool, of: &dyn Fn(&pairs::Row) -> u64| -> u64 {
        let rows = found.pairs.iter().filter(|row| row.who == who);
        rows.filter(|row| (row.domain != drawn::NAME) == of_games).map(of).sum()
    };
    let served = |row: &pairs::Row| row.count.all - row.count.of(Verdict::NotServed);
    let wrong = |row: &pairs::Row| row.count.wrong();
    let [games, rest] = [true, false].map(|of_games| {
        let (wrong, served) = (sum(of_games, &wrong), sum(of_games, &served));
        format!("{} of {}", grouped(wrong), grouped(served))
    });
    let here = format!(
        "wrong answers: {games} pairs of states that it serves in the games, {rest} in drawn types of PUC2*"
    );
    (here, sum(true, &wrong) + sum(false, &wrong) == 0)
}

/// What the headline can mean.
fn cycles(found: &Findings) -> String {
    let panel = &found.figure_3.panels[0];
    let p = last(panel, name_of(PRINTED[0])).map_or(0.0, |(npcs, time)| time * 1e6 / npcs);
    let (npcs, copy) = last(panel, COPY).unwrap_or((0.0, 0.0));
    format!(
        "\nWhat can \"two million NPCs in a millisecond\" mean?\n\
         The papers name a processor with eight cores of 3.7 GHz and do not say how many of them were at work.\n\
         If all were, 3,000,000 plans in 1.67 ms are 16 cycles per plan and core, and 2,000,000 in 1 ms are 15.\n\
         P as printed takes {p:.0} ns here for one plan, hundreds of cycles on any machine of today: it goes through chains, orders and a sort, one NPC at a time.\n\
         On one core of this machine copying a finished plan of one word for {} NPCs takes {copy:.1} ms by itself.\n\
         So the claim needs another reading, and Throng never mixes them:\n\n\
         - **direct**: a plan is computed for every NPC. That is what the figures here measure, one NPC at a time on one core, and so it does not come near 16 cycles. Throng's wide kernel does, by another algorithm than the printed ones: a thousand NPCs go through the same steps side by side, one bit each.\n\
         - **shared**: the same start and goal are planned for once and looked up after. The Western has few states, so millions of NPCs share few plans; Throng's tables hold the plan of every state.\n\n\
         The papers do not say which of them was measured.\n\
         How long both take for 3,000,000 NPCs, in this project's own kernels and on two cores, is measured on another page: [limits](../limits/limits.md).\n",
        grouped(npcs as u64)
    )
}

fn figures(found: &Findings) -> String {
    let variables = families::VARIABLES;
    let mut text = format!(
        "![Figure 1](figure1.svg)\n\n\
         MultiPrv_n with m = {variables}: every action needs value 1 of all later variables; all m(n - 1) actions are in the plan.\n\n\
         ![Figure 2](figure2.svg)\n\n\
         \"{OURS}\" is the layout it takes by itself: machine words for small types, rows of bits for those that need much, flat rows for all others; where its line jumps it changes the layout.\n\
         \"{FLAT}\" is the one that serves every type, and the one whose growth is held against the claims.\n\
         The tunnel needs 2m - 1 actions and about m² orders; OnePrv_5 needs 4m actions and about as many orders.\n\n\
         ![Figure 3](figure3.svg)\n\n\
         Every NPC is in a state of its own with a plan of 3 to 10 actions to one of its goals.\n\
         \"{OURS}\" is the whole call, from the values of an NPC to its replayed plan; \"{KERNEL}\" begins with the packed state and ends with the plan in one word.\n\
         A printed planner is timed on the cases that it answers rightly.\n\n\
         ![Section 6](section6.svg)\n\n\
         Points and bars are in `figure1.csv`, `figure2.csv`, `figure3.csv` and `section6.csv`, the table of answers in `answers.csv`.\n"
    );
    if !found.notes.misses.is_empty() {
        text += "\nNot in figures 1 and 2, because the answer is not right:\n\n";
        found.notes.misses.iter().for_each(|miss| text += &format!("- {miss}\n"));
    }
    text
}

/// The tables, also for the terminal.
pub(super) fn tables(found: &Findings) -> String {
    let heads = "domain | planner | pairs: | solvable: | right: | refused though solvable: | no plan: | longer: | not served:";
    let mut answers = Table::new(heads);
    for row in &found.pairs {
        let cells = pairs::cells(row).map(grouped).join(" | ");
        answers.row(format_args!("{} | {} | {cells}", row.domain, row.who));
    }
    let mut cases = Table::new("domain | planner | cases: | served: | right:");
    for crowds::Share { domain, who, right, served, all } in &found.notes.cases {
        cases.row(format_args!("{domain} | {who} | {all} | {served} | {right}"));
    }
    let mut npcs = Table::new(&format!("planner | {}:", found.section_6.groups.join(": | ")));
    for series in &found.section_6.series {
        let cells = series.heights.iter().map(|height| known(*height, |n| grouped(n as u64)));
        let cells: Vec<String> = cells.collect();
        npcs.row(format_args!("{} | {}", series.name, cells.join(" | ")));
    }
    format!(
        "Answers to all pairs of states, judged by plain search:\n\n{answers}\
         \nCases of figure 3 and section 6 (plans of 3 to 10 actions to declared goals) answered by the printed planners:\n\n{cases}\
         \nNPCs that get a plan in 1.67 ms, one core:\n\n{npcs}"
    )
}

/// What differs from the papers, and why: the end of the page.
const DIFFERENCES: &str = include_str!("differences.md");
