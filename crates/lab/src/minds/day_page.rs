//! The part of the page about a thousand minds: percentiles, phases, turns, and a figure.
//!
//! In:   the western day with and without a budget.
//! Out:  records, a section of the page, lines over the day as SVG and CSV.

use super::day::{Day, Town};
use super::ticks::TickCost;
use crate::record::{Bar, Record};
use crate::table::Table;
use throng_base::text::grouped;
use throng_mind::tick::PHASES;
use throng_picture::figure::{Axis, Figure, Line, Panel};
use throng_picture::rounded;

/// A tenth of a frame at 60 Hz, in microseconds.
const AIM: f64 = 1667.0;

/// What was asked for on two threads: a tick in a hundred may take longer, and half of them, in
/// microseconds.
const P99_ON_TWO: f64 = 1000.0;
const MEDIAN_ON_TWO: f64 = 450.0;

/// How many ticks a point of the figure stands for.
const POINT: usize = 5;

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

fn name(day: &Day) -> String {
    let name = day.budget.map_or("no budget".to_string(), |budget| format!("{budget} a tick"));
    if day.threads == 1 { name } else { format!("{name}, {} threads", day.threads) }
}

fn plan_phase() -> usize {
    PHASES.iter().position(|phase| phase.name == "plan").unwrap_or(0)
}

pub(super) fn records(town: &Town) -> Vec<Record> {
    let tenth = "a tenth of a frame at 60 Hz";
    let mut records = Vec::new();
    for day in &town.days {
        let budget = day.budget.map_or(String::new(), |budget| format!("_{budget}"));
        let p99 = microseconds(day.at_most(990));
        let row = format!("day_p99{budget}");
        records.push(Record::ours_by_theirs(row, p99, AIM, tenth, "µs per tick of a thousand"));
    }
    let on_two = [("p99", 990, P99_ON_TWO), ("median", 500, MEDIAN_ON_TWO)];
    for (name, thousandths, bar) in on_two {
        let (row, ours) =
            (format!("day_{name}_two"), microseconds(town.on_two.at_most(thousandths)));
        let against = format!("{bar} µs, on two threads");
        let unit = "µs per tick of a thousand";
        let record = Record::ours_by_theirs(row, ours, bar, against, unit);
        records.push(record.held(Bar::AtMost(1.0)));
    }
    if let [free, .., scarce] = &town.days[..] {
        let [ours, theirs] = [&town.on_two, free].map(|day| microseconds(day.sum()) / 1000.0);
        let against = "the same on one thread";
        records.push(Record::theirs_by_ours("day_two", ours, theirs, against, "ms, all ticks"));
        let plan = plan_phase();
        let [ours, theirs] = [scarce, free].map(|day| microseconds(day.worst_of(plan)));
        let (row, against) = ("day_worst_plan_20", "the same without a budget");
        records.push(Record::ours_by_theirs(row, ours, theirs, against, "µs of phase 6"));
        let [ours, theirs] = [scarce, free].map(|day| microseconds(day.at_most(1000)));
        records.push(Record::ours_by_theirs("day_worst_20", ours, theirs, against, "µs per tick"));
        let [ours, theirs] = [scarce, free].map(|day| f64::from(day.most_asked()));
        records.push(Record::ours_by_theirs("day_asked_20", ours, theirs, against, "minds"));
    }
    let (ours, theirs) = (town.bytes.far as f64, town.bytes.near as f64);
    let against = "the same minds near";
    records.push(Record::ours_by_theirs("bytes_far", ours, theirs, against, "bytes per mind"));
    records
}

/// Percentiles and turns, a row for each budget.
pub(super) fn ticks(town: &Town) -> Table {
    let mut table = Table::new(
        "planning | median µs: | p99 µs: | p99.9 µs: | first tick µs: | dearest `plan` µs: \
         | most who asked at once: | longest line, ticks:",
    );
    for day in town.days.iter().take(1).chain([&town.on_two]).chain(town.days.iter().skip(1)) {
        let at = |thousandths| rounded(microseconds(day.at_most(thousandths)));
        let (median, p99, p999) = (at(500), at(990), at(999));
        let first = rounded(microseconds(day.ticks.first().map_or(0, |tick| tick.whole)));
        let plan = rounded(microseconds(day.worst_of(plan_phase())));
        let (asked, line) = (grouped(day.most_asked().into()), day.longest_line());
        table.row(format_args!(
            "{} | {median} | {p99} | {p999} | {first} | {plan} | {asked} | {line}",
            name(day)
        ));
    }
    table
}

/// What the phases cost, a column for each budget.
fn phases(town: &Town) -> Table {
    let columns: Vec<String> = town.days.iter().map(name).collect();
    let mut table = Table::new(&format!("phase | {}:", columns.join(": | ")));
    let mut row = |name: &str, of: &dyn Fn(&TickCost) -> u64| {
        let cost = |day: &Day| {
            let sum: u64 = day.ticks.iter().map(of).sum();
            rounded(sum as f64 / day.ticks.len().max(1) as f64 / 1000.0).to_string()
        };
        let costs: Vec<String> = town.days.iter().map(cost).collect();
        table.row(format_args!("{name} | {}", costs.join(" | ")));
    };
    for (at, phase) in PHASES.iter().enumerate() {
        row(phase.name, &|tick| tick.phases[at]);
    }
    row("between", &TickCost::between);
    row("all", &|tick| tick.whole);
    table
}

pub(super) fn figure(town: &Town) -> Figure {
    let panel = |title: &str, y: &str, of: fn(&TickCost) -> f64| {
        let line = |(colour, day): (usize, &Day)| {
            // The dearest of a few: a figure of every tick would be too fine to see.
            let few = day.ticks.chunks(POINT).enumerate();
            let dearest = |ticks: &[TickCost]| ticks.iter().map(of).fold(0.0, f64::max);
            let points = few.map(|(at, ticks)| ((at * POINT + 1) as f64, dearest(ticks))).collect();
            Line { name: name(day), colour, points }
        };
        let lines = town.days.iter().enumerate().map(line).collect();
        let x = Axis::linear(&format!("tick of the day, the dearest of {POINT}"));
        let title = title.to_string();
        Panel { title, x, y: Axis::linear(y), lines }
    };
    let all = |tick: &TickCost| microseconds(tick.whole);
    let asked = |tick: &TickCost| f64::from(tick.asked);
    Figure {
        name: "day".to_string(),
        title: "A thousand minds in the western day".to_string(),
        panels: vec![
            panel("a tick of all minds", "microseconds", all),
            panel("minds that ask the planner", "minds", asked),
        ],
    }
}

/// The section of the page.
pub(super) fn section(town: &Town) -> String {
    let (asked, searched) = town.days.first().map_or((0, 0), |day| (day.asked, day.searched));
    let n_ticks = town.days.first().map_or(0, |day| day.ticks.len());
    let [minds, near, far] =
        [town.minds, town.bytes.near, town.bytes.far].map(|n| grouped(n as u64));
    let [asked, searched] = [asked, searched].map(grouped);
    format!(
        "## A thousand in the western day\n\n\
         The story `domains/stories/western_day.npc`: {minds} minds, {n_ticks} ticks.\n\
         All begin in the same tick, all have lunch at noon, all go home in the evening: these are the dear ticks.\n\
         The planner was asked {asked} times and searched {searched} times; the other answers were known from minds in the same situation.\n\
         With a budget so many minds ask in a tick, the others wait for their turn, and every promise of the story is kept.\n\
         Times are from the beginning of a tick to its end, on one thread unless the row says otherwise; on two the day must be the same, bit by bit.\n\
         Of five runs, which are the same in all else, the cheapest counts, as it was; p99.9 of {n_ticks} ticks is the dearest.\n\n\
         {}\n\
         ![over the day](day.svg)\n\n\
         Microseconds per tick of all minds, by phase; `between` is what is in no phase: whose turn it is, who sleeps on, joining, sharing.\n\n\
         {}\n\
         A mind of that town takes {near} bytes; far away, as a row of a crowd with all else of it packed, {far}.\n\
         All of them left at noon and came back the same, bit for bit.\n\n",
        ticks(town),
        phases(town),
    )
}
