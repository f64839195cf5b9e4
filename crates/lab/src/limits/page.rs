//! The page of limits: what holds, what is missed, what the papers say; and one figure.
//!
//! In:   all rows.
//! Out:  `limits.md`, one sentence per line; a bar chart as SVG and CSV; the tables alone.

use super::{BUDGET_MS, CLAIMED, Number, ROUNDS_TOGETHER, Row};
use crate::harness::ROUNDS;
use crate::machine::measured_under_load;
use crate::measuring::SWEEP_BYTES;
use crate::record::{self, Record};
use crate::report::{BenchResult, File, page_head};
use crate::table::Table;
use throng_base::text::grouped;
use throng_picture::figure::{Axis, Bars, Series};

/// All rows by number, also for the terminal.
pub(super) fn tables(rows: &[Row]) -> String {
    let table = |number| format!("\n**{number}**\n\n{}", record::table(of(rows, number)));
    let tables: String = Number::ALL.map(table).concat();
    format!("{}.\n{tables}\n{}\n", measured_under_load(), verdict(rows))
}

fn of(rows: &[Row], number: Number) -> impl Iterator<Item = &Record> {
    rows.iter().filter(move |row| row.0 == number).map(|(_, record)| record)
}

/// The page, the figure and its points.
pub(super) fn files(rows: &[Row]) -> BenchResult<Vec<File>> {
    let mut files = chart(rows).files()?.to_vec();
    files.push(("limits.md".to_string(), page(rows)));
    Ok(files)
}

/// How many bars hold, and which do not.
fn verdict(rows: &[Row]) -> String {
    let held = rows.iter().filter_map(|(_, record)| Some((record, record.bar?)));
    let n_bars = held.clone().count();
    let missed: Vec<String> = held
        .filter(|(record, _)| record.is_missed())
        .map(|(Record { name, ratio, .. }, bar)| format!("`{name}` ({ratio} instead of {bar})"))
        .collect();
    match missed.is_empty() {
        true => format!("All {n_bars} bars hold."),
        false => format!(
            "{} of {n_bars} bars hold; missed: {}.",
            n_bars - missed.len(),
            missed.join(", ")
        ),
    }
}

/// A row by name.
fn find<'r>(rows: &'r [Row], name: &str) -> Option<&'r Record> {
    rows.iter().map(|(_, record)| record).find(|record| record.name == name)
}

fn ours(rows: &[Row], name: &str) -> f64 {
    find(rows, name).map_or(0.0, |record| record.ours)
}

fn ratio(rows: &[Row], name: &str) -> f64 {
    find(rows, name).map_or(0.0, |record| record.ratio)
}

/// Nanoseconds of one thread that the claim leaves for an NPC, if two threads share the work.
fn claimed_nanoseconds() -> f64 {
    BUDGET_MS * 1e6 * 2.0 / CLAIMED as f64
}

/// What the bars are called, and the row of each.
const BARS: [(&str, &str); 6] = [
    ("direct: scalar", "direct"),
    ("direct: wide, lists", "wide_vs_direct"),
    ("direct: wide, masks", "wide_mask_vs_direct"),
    ("shared: plans", "plans_u64_3m"),
    ("shared: ids", "ids_u16_3m"),
    ("shared: in a crowd", "crowd_ids_3m"),
];

fn chart(rows: &[Row]) -> Bars {
    let heights = |suffix: &str| {
        let height = |(_, name): &(&str, &str)| {
            find(rows, &format!("{name}{suffix}")).map(|record| record.ours.max(1e-3))
        };
        BARS.iter().map(height).collect()
    };
    Bars {
        name: "limits".to_string(),
        title: "Nanoseconds of one thread per NPC: less is better".to_string(),
        y: Axis::logarithmic("nanoseconds per NPC"),
        groups: BARS.iter().map(|(name, _)| (*name).to_string()).collect(),
        series: vec![
            Series { name: "caches swept".to_string(), colour: 0, heights: heights("") },
            Series { name: "caches warm".to_string(), colour: 4, heights: heights("_hot") },
        ],
        mark: (
            "three million in 1.67 ms, if two threads share them".to_string(),
            claimed_nanoseconds(),
        ),
    }
}

fn page(rows: &[Row]) -> String {
    let mut sections = String::new();
    for (number, about) in Number::ALL.into_iter().zip(ABOUT) {
        let mut title = number.to_string();
        title[..1].make_ascii_uppercase();
        let table = record::table(of(rows, number));
        sections += &format!("## {title}\n\n{about}\n\n{table}\n");
    }
    let head = page_head("Limits: how close to the machine", "limits --out docs/limits");
    format!(
        "{head}\
         {}; the load counts this command.\n\n\
         ## At a glance\n\n\
         {}\n\n\
         {}\n\
         ![Nanoseconds per NPC](limits.svg)\n\n\
         Points are in `limits.csv`.\n\n\
         The papers claim 2 million NPCs in 1 ms and more than 3 million plans of up to 10 actions in {BUDGET_MS} ms, on a processor of 8 cores.\n\
         If all of them were at work, that is 16 cycles for a plan on each core.\n\
         Computing plans one NPC at a time does not come near it, with our planner or with the printed ones ([the papers' experiments](../papers/papers.md)).\n\
         The claim leaves open what is delivered: a plan can also be looked up, or computed for a thousand NPCs side by side.\n\
         {}\n\
         A whole frame of a crowd does more, and its figures stand apart.\n\n\
         ## Protocol\n\n\
         Passes of ours and of theirs alternate over separate buffers, {ROUNDS} rounds; before each cold pass {} MB are swept, the hot pass follows at once.\n\
         Time is thread time on the processor, the least of all rounds; bars are for cold.\n\
         With two threads it is wall time from a common start to the last one's end, the least of {ROUNDS_TOGETHER} rounds (of {ROUNDS} through a crowd and end to end): a busy machine can only lengthen it.\n\
         Every NPC of the Western needs three to ten steps.\n\
         Whatever a timed pass wrote is compared with the single planner's plan of every NPC (end to end: everybody's plan, after the last frame); one that differs ends the command with exit code 1.\n\
         A missed bar is shown and is no error.\n\n\
         {sections}",
        measured_under_load(),
        verdict(rows),
        glance(rows),
        claim(rows),
        SWEEP_BYTES >> 20,
    )
}

/// What of the papers' claim was reached in this run.
fn claim(rows: &[Row]) -> String {
    let ways = [
        ("plan numbers looked up", "ids_u16_3m_two_threads"),
        ("whole plans looked up", "plans_u64_3m_two_threads"),
        ("plans computed by the wide kernel", "wide_3m"),
    ];
    let told = ways.map(|(way, name)| {
        let verb = match find(rows, name).is_some_and(|record| !record.is_missed()) {
            true => "within",
            false => "**not** within",
        };
        format!("{way} {verb} it ({} ms)", ours(rows, name))
    });
    format!(
        "For {} NPCs on two cores of this machine, {BUDGET_MS} ms and this run: {}.",
        grouped(CLAIMED as u64),
        told.join(", ")
    )
}

/// What each number means, by [`Number::ALL`].
const ABOUT: [&str; 3] = [
    "A plan is computed for every NPC, nothing is remembered.\n\
     `direct` is the scalar kernel from the packed state to the plan in one word, one NPC at a time in random order; `direct_grouped` the same, group by group.\n\
     `wide` computes a thousand NPCs side by side, a bit each: as lists of actions (`wide_vs_direct`) or as masks of the type's word (`wide_mask_vs_direct`); `portable` does so without AVX2.\n\
     Ratios beside another way to get the same plans are theirs divided by ours, all others (memcpy, a tenth of a frame) ours divided by theirs.",
    "The plan of every state is computed once, at load, and looked up after.\n\
     `ids_u16` reads a state's number and writes a plan's number, two bytes each; `plans_u64` writes the whole plan, eight bytes: the kernel and nothing else.\n\
     `crowd_ids` is the same through `Population::plan` with everybody waiting: it also finds who waits, keeps steps and counts.\n\
     `build_western_tables` stands beside asking the single planner about every state.",
    "A million NPCs of sixteen types live in `domains/papers/town.npc`, a third each at day, at dusk and at night, in groups of a thousand that share a forge, a well, a gate.\n\
     In a frame the game gives some NPCs another value and another goal (`change`, all types at the same time), the crowd finds who waits and gives out plans (`plan`), and everybody who has a next action does it (`apply`).\n\
     In a *quiet* frame (`1_percent`) the game changes one NPC in a hundred and nobody changes what its group shares, so that one in a hundred waits; in a *busy* frame (`busy`) they do, and whoever counted on the open gate or the lit forge waits too: `served` says how many; in a frame for *everybody* (`all`) the game changes all of them.\n\
     The end of `throng demo` lives busy frames, and gives whoever reached a goal the next.\n\
     Two threads do all of it.\n\
     `dice` is what the game decides for everybody's changes, which value and which goal, alone and on one thread, nothing done with it: a frame in which everybody changes holds it too.\n\
     `steps` is `apply` of a quiet frame beside that of a frame for everybody: who has no step costs next to nothing.\n\
     The fastest frame is shown by phase, and the median one.\n\
     Bytes are those after a hundred frames.",
];

/// The three numbers side by side.
fn glance(rows: &[Row]) -> Table {
    let (ours, ratio) = (|name| ours(rows, name), |name| ratio(rows, name));
    let claimed = grouped(CLAIMED as u64);
    let mut table = Table::new("number | what is delivered | wall time | beside");
    table.row(format_args!(
        "direct | {claimed} NPCs, a plan computed for each by the wide kernel | {} ms as word masks, two threads | {} times as fast as one NPC at a time (whole plans), {} times (word masks)",
        ours("wide_3m"),
        ratio("wide_vs_direct"),
        ratio("wide_mask_vs_direct"),
    ));
    table.row(format_args!(
        "shared | {claimed} NPCs, a plan looked up for each by the kernel | {} ms for ids, {} ms for whole plans, two threads | {} times memcpy (ids), {} times (whole plans, per byte)",
        ours("ids_u16_3m_two_threads"),
        ours("plans_u64_3m_two_threads"),
        ratio("ids_u16_3m"),
        ratio("plans_u64_3m"),
    ));
    table.row(format_args!(
        "end to end | a frame of 1,000,000 NPCs: changed, found, planned for, moved | {} ms a quiet frame (1 % wait), {} ms a busy one, {} ms one in which everybody waits | {} bytes per NPC",
        ours("end_to_end_1m_1_percent"),
        ours("end_to_end_1m_busy"),
        ours("end_to_end_1m_all"),
        ours("bytes_per_npc"),
    ));
    table
}
