//! The page: what was measured, what differs from the papers and why, what holds.
//!
//! In:   all findings.
//! Out:  `papers.md`, one sentence per line, figures by name; and its tables alone.
//!
//! Judgements that could change with a measurement are made from it here; the words around them
//! are about the papers' text and do not.

use super::{COPY, Findings, KERNEL, OURS, PRINTED, crowds, families, name_of, pairs};
use crate::figure::{Figure, Line, Panel, exponent};
use crate::measuring::{machine, thousands};
use std::fmt::Write;

/// The whole page.
pub(super) fn write(found: &Findings) -> String {
    let mut page = head();
    page += &glance(found);
    page += "\n## The figures\n\n";
    page += &figures(found);
    page += "\n## Tables\n\n";
    page += &tables(found);
    page += DIFFERENCES;
    page
}

fn head() -> String {
    format!(
        "# The papers' experiments, redrawn\n\n\
         This page and its figures are written by\n\n\
         ```console\n\
         cargo run --release -- bench papers --out docs/papers\n\
         ```\n\n\
         Machine: {}, one thread.\n\
         Times are thread time on the processor; everybody takes turns in one run and the fastest turn counts.\n\
         Every answer was replayed and its length compared with that of the shortest plan.\n\
         A wrong answer of Throng fails the command; those of the printed algorithms are counted below.\n\n\
         \"P\" and \"Bäckström\" are the two planners of \"SAS Planning As Topological Sorting\" (there 𝒫 is Bäckström's), \"TopoPlan\" is that of \"Topological Planning with Post-unique and Unary Actions\".\n\
         All three are kept as printed in `crates/planner/src/papers`.\n",
        machine()
    )
}

/// The last point of somebody's line.
fn last(panel: &Panel, who: &str) -> Option<(f64, f64)> {
    panel.lines.iter().find(|line| line.name == who)?.points.last().copied()
}

fn line_of<'f>(figure: &'f Figure, panel: usize, who: &str) -> Option<&'f Line> {
    figure.panels.get(panel)?.lines.iter().find(|line| line.name == who)
}

/// Growth as a reader says it.
fn growth(line: Option<&Line>) -> String {
    let exponent = line.and_then(|line| exponent(&line.points));
    exponent.map_or("not measured".to_string(), |e| format!("{e:.2}"))
}

fn glance(found: &Findings) -> String {
    let mut text =
        "\n## At a glance\n\n| the papers say | here | verdict |\n|---|---|---|\n".to_string();
    let printed = PRINTED.map(name_of);
    let mut row = |claim: &str, here: String, verdict: &str| {
        let _ = writeln!(text, "| {claim} | {here} | {verdict} |");
    };
    let exponents = |figure: &Figure, panel: usize| -> String {
        let all = [OURS, printed[0], printed[1], printed[2]];
        let all = all.map(|who| format!("{who} {}", growth(line_of(figure, panel, who))));
        format!("time grows with the power {}", all.join(", "))
    };
    row(
        "Time is linear in the number of values (figure 1).",
        exponents(&found.figure_1, 0),
        "holds: a power near 1",
    );
    row(
        "Linear in actions and orders: quadratic in m on the tunnel, linear on OnePrv_5 (figure 2).",
        format!(
            "tunnel: {}; OnePrv_5: {}",
            exponents(&found.figure_2, 0),
            exponents(&found.figure_2, 1)
        ),
        "holds for time; P also clears m² flags, which Theorem 2 does not count",
    );
    row(
        "P is twenty thousand times as fast as Bäckström's planner (figure 3).",
        p_against_backstrom(found),
        "overstated: the same language, machine and care leave a small factor",
    );
    row(
        "P makes plans for two million NPCs in 1 ms (figure 3).",
        two_million(found),
        "not by planning each: see below",
    );
    row(
        "TopoPlan gives more than 3,000,000 plans in 1.67 ms (section 6).",
        section_6(found),
        "not by planning each: see below",
    );
    row(
        "P and TopoPlan are correct and complete for their classes.",
        wrong_answers(found),
        "does not hold: see the table of answers",
    );
    text += &cycles(found);
    text
}

fn p_against_backstrom(found: &Findings) -> String {
    let panel = &found.figure_3.panels[0];
    let times = [PRINTED[0], PRINTED[2]].map(|who| last(panel, name_of(who)));
    match times {
        [Some((_, p)), Some((_, backstrom))] => {
            format!("{:.1} times, on the restricted Western", backstrom / p)
        }
        _ => "not measured".to_string(),
    }
}

fn two_million(found: &Findings) -> String {
    let panel = &found.figure_3.panels[0];
    let all = [name_of(PRINTED[0]), OURS, KERNEL, COPY].map(|who| {
        let (npcs, time) = last(panel, who).unwrap_or((0.0, 0.0));
        format!("{who} {time:.1} ms ({:.1} ns each)", time * 1e6 / npcs.max(1.0))
    });
    let npcs = last(panel, OURS).map_or(0.0, |point| point.0);
    format!("{} NPCs on one core: {}", thousands(npcs as u64), all.join(", "))
}

fn section_6(found: &Findings) -> String {
    let bars = &found.section_6;
    let of = |who: &str| {
        let series = bars.series.iter().find(|series| series.name == who);
        let heights: Vec<f64> =
            series.into_iter().flat_map(|s| s.heights.iter().flatten().copied()).collect();
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = heights.iter().copied().fold(0.0, f64::max);
        format!("{who} {} to {}", thousands(least as u64), thousands(most as u64))
    };
    let all = [name_of(PRINTED[1]), OURS, KERNEL].map(of);
    format!("NPCs in 1.67 ms on one core: {}", all.join("; "))
}

fn wrong_answers(found: &Findings) -> String {
    let count = |who: &str| {
        let rows = found.pairs.iter().filter(|row| row.who == who);
        rows.map(|row| row.count.wrong()).sum::<u64>()
    };
    let all: u64 = found.pairs.iter().filter(|row| row.who == OURS).map(|row| row.count.all).sum();
    let [p, topoplan, backstrom] = PRINTED.map(|printed| count(name_of(printed)));
    format!(
        "of {} pairs of states P answers {} wrongly, TopoPlan {}, Bäckström {} (where it serves), Throng {}",
        thousands(all),
        thousands(p),
        thousands(topoplan),
        thousands(backstrom),
        thousands(count(OURS))
    )
}

/// What the headline can mean.
fn cycles(found: &Findings) -> String {
    let panel = &found.figure_3.panels[0];
    let copy = last(panel, COPY).map_or(0.0, |(npcs, time)| time * 1e6 / npcs);
    format!(
        "\nWhat can \"two million NPCs in a millisecond\" mean?\n\
         3,000,000 plans in 1.67 ms on eight cores of 3.7 GHz are 16 cycles per plan and core; 2,000,000 in 1 ms are 15.\n\
         In 16 cycles a core does not read a state, build the chains of a plan of up to ten actions, order them and write the plan: P as the paper prints it touches every action and order of the plan several times.\n\
         On this machine copying a finished plan of one word costs {copy:.2} ns per NPC by itself.\n\
         So the claim needs one of two readings, and Throng never mixes them:\n\n\
         - **direct**: a plan is computed for every NPC. That is what the figures here measure, one NPC at a time on one core.\n\
         - **shared**: the same start and goal are planned for once and looked up after. The Western has few states, so millions of NPCs share few plans.\n\n\
         The papers do not say which of them was measured.\n"
    )
}

fn figures(found: &Findings) -> String {
    let variables = families::VARIABLES;
    let mut text = format!(
        "![Figure 1](figure1.svg)\n\n\
         MultiPrv_n with m = {variables}: every action needs value 1 of all later variables; all m(n - 1) actions are in the plan.\n\n\
         ![Figure 2](figure2.svg)\n\n\
         The tunnel needs 2m - 1 actions and about m² orders; OnePrv_5 needs 4m actions and about as many orders.\n\n\
         ![Figure 3](figure3.svg)\n\n\
         Every NPC is in a state of its own with a plan of 3 to 10 actions to one of its goals.\n\
         \"{OURS}\" is the whole call, from the values of an NPC to its replayed plan; \"{KERNEL}\" begins with the packed state and ends with the plan in one word.\n\
         A printed planner is timed on the cases that it answers rightly.\n\n\
         ![Section 6](section6.svg)\n\n\
         Points and bars are in `figure1.csv`, `figure2.csv`, `figure3.csv` and `section6.csv`, the table of answers in `answers.csv`.\n"
    );
    if !found.misses.is_empty() {
        text += "\nNot in figures 1 and 2, because the answer is not right:\n\n";
        found.misses.iter().for_each(|miss| {
            let _ = writeln!(text, "- {miss}");
        });
    }
    text
}

/// The tables, also for the terminal.
pub(super) fn tables(found: &Findings) -> String {
    let mut text = "Answers to all pairs of states, judged by plain search:\n\n\
        | domain | planner | pairs | solvable | right | refused though solvable | no plan | longer | not served |\n\
        |---|---|--:|--:|--:|--:|--:|--:|--:|\n".to_string();
    for row in &found.pairs {
        let cells = pairs::cells(row).map(thousands).join(" | ");
        let _ = writeln!(text, "| {} | {} | {cells} |", row.domain, row.who);
    }
    text += "\nCases of figure 3 and section 6 (plans of 3 to 10 actions to declared goals) answered by the printed planners:\n\n\
        | domain | planner | cases | served | right |\n|---|---|--:|--:|--:|\n";
    for share in &found.cases {
        let crowds::Share { domain, who, right, served, all } = share;
        let _ = writeln!(text, "| {domain} | {who} | {all} | {served} | {right} |");
    }
    text += "\nNPCs that get a plan in 1.67 ms, one core:\n\n| planner |";
    found.section_6.groups.iter().for_each(|group| text += &format!(" {group} |"));
    text += &format!("\n|---|{}\n", "--:|".repeat(found.section_6.groups.len()));
    for series in &found.section_6.series {
        let cells = series.heights.iter().map(|height| match height {
            Some(npcs) => format!(" {} |", thousands(*npcs as u64)),
            None => " – |".to_string(),
        });
        let _ = writeln!(text, "| {} |{}", series.name, cells.collect::<String>());
    }
    text
}

const DIFFERENCES: &str = "
## What differs from the papers, and why

- **Machine and language.** The papers ran C++ on eight cores of an AMD Ryzen 2700X; all planners here are Rust on one core. Ratios can be compared, times cannot.
- **The figures.** Only captions and text of the figures are left; sizes, axes and the number of variables of figure 1 are ours.
- **Starts and goals.** The papers print none for the families. Here all variables start at 0 and climb to their last value (MultiPrv_n, OnePrv_5); in the tunnel the innermost light is wanted on and all others off.
- **MultiPrv_2_Cycle** is drawn as the tunnel, which the paper says it is.
- **The Western** beyond its horse breeder was never published. Ours has the printed sizes: 29 variables, 58 actions, 7 types, 9 goals; restricted: 19 variables, 37 actions, 5 types, 6 goals. Citizens and machines are reconstructions too.
- **What is timed.** The printed planners get their tables and both states ready and pay for memory in every call, as the papers' lists and sets imply. Throng pays for the problem, the choice of the engine and the replay, and allocates nothing.
- **Bäckström's planner** is rebuilt from what both papers say about it; the thesis was not at hand. It lists all variables for every action, as its bound O(m²n) counts, and allocates like the others. That alone does not make it twenty thousand times as slow.
- **Prevail conditions** of the printed planners are looked up by binary search, where the papers have a list over all variables.
- **Wrong answers.** P and TopoPlan refuse solvable pairs and P returns lists that are no plans; `docs/theory.md` has the smallest instances and the lines at fault.
";
