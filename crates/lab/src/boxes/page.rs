//! The page of the boxes: one table of time and memory, phases.
//!
//! In:   all that was measured.
//! Out:  `scaling.md` or `competition.md`, one sentence per line; the rows as CSV; the tables
//!       alone.

use super::{Carrying, Measured, Profile, per_state};
use crate::families::boxes::{Boxes, Kind};
use crate::machine::measured_under_load;
use crate::record::{self, Record};
use crate::report::page_head;
use crate::seed::PHASES;
use crate::seed::plain::Answer;
use crate::table::{Table, known};
use std::fmt::Write;
use throng_base::text::grouped;

/// The whole page.
pub(super) fn write(measured: &Measured, records: &[Record]) -> String {
    let name = measured.kind.word();
    let title = format!("Boxes, {name}: the seed's planner and the grounded one");
    format!(
        "{}\
         {}, one thread.\n\
         {}\n\
         The members are those of `throng gen boxes {name}`, read from their PDDL.\n\n\
         | planner | what it is |\n|---|---|\n\
         | plain | sets of trees for states, every choice of objects for every action, a plan of its own for every state |\n\
         | seed | \"Optimizing Practical Planning for Game AI\" as printed: columns by predicate, all tuples counted, parameters unified by recorded positions; states as sorted arrays, as bit sets, or as arrays that are computed as bit sets |\n\
         | grounded | reachable actions found once, states packed into variables, successor tree; time includes grounding |\n\n\
         All are breadth-first, so all plans are shortest, and every plan is replayed on the task as written.\n\
         The grounded one looks for the goal when a state is made, the others when it is taken out.\n\
         *Content* is what the states' own positions, bits or packed variables take, *bytes per state* adds the tables to find them, the ways back and all names; *peak* is that of a fresh process beyond one in which the same planner carries a single box.\n\
         All planners of a member take turns and the fastest turn counts.\n\n\
         ![Time]({name}_time.svg)\n\n\
         ![Bytes]({name}_bytes.svg)\n\n\
         Rows are in `{name}.csv`, points in `{name}_time.csv` and `{name}_bytes.csv`.\n\n\
         {}\n## In short\n\n\
         Of the largest member of each kind; a time ratio says how many times as fast as the seed's arrays, a ratio of bytes how much of theirs.\n\n{}",
        page_head(&title, &format!("{name} --out docs/boxes")),
        measured_under_load(),
        about(measured.kind),
        tables(measured),
        record::table(records)
    )
}

fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::Scaling => {
            "One box is wanted at the other place; the plan has three actions however many objects there are.\n\
             With N boxes, one creature and two places the seed's search expands 2N + 2 states, meets 3N + 2 and generates 7N + 4: asserted in every run."
        }
        Kind::Competition => {
            "All boxes are wanted at the other place, one at a time: 4N - 1 actions in any order of the boxes.\n\
             With N boxes, one creature and two places (N + 2) · 2^N states can be reached: asserted on the twins without a plan, which meet all of them."
        }
    }
}

/// All tables, also for the terminal.
pub(super) fn tables(measured: &Measured) -> String {
    let mut text = String::new();
    for grown in &measured.grown {
        let mut table = Table::new(&format!(
            "{}: | planner | plan: | expanded: | generated: | states: | content per state: | bytes per state: | bytes: | peak: | time: | times the seed's:",
            grown.name
        ));
        grown.all.iter().for_each(|carrying| rows(carrying, &mut table));
        text += &format!("**{}**\n\n{table}\n", grown.name);
    }
    text + &phases(&measured.profiles)
}

fn rows(carrying: &Carrying, table: &mut Table) {
    for row in &carrying.rows {
        let Answer { plan, expanded, generated, states, bytes, row_bytes } = &row.carried;
        let (size, planner) = (carrying.size, row.planner.name());
        let plan = plan.as_ref().map_or("none".to_string(), |plan| plan.len().to_string());
        let counts = [*expanded, *generated, *states].map(grouped).join(" | ");
        let [own, all] = [*row_bytes, *bytes].map(|bytes| per_state(bytes, &row.carried));
        let (bytes, peak) = (grouped(*bytes), known(row.peak, grouped));
        let (time, times) = (row.nanoseconds.fastest / 1e6, carrying.times_as_long(row));
        let times = known(times, |times| format!("{times:.3}"));
        table.row(format_args!(
            "{size} | {planner} | {plan} | {counts} | {own:.1} | {all:.1} | {bytes} | {peak} | \
             {time:.3} ms | {times}"
        ));
    }
}

fn phases(profiles: &[Profile]) -> String {
    let words = PHASES.map(|phase| format!("{phase}:")).join(" | ");
    let heads = "member | tuples tried: | unified: | actions passed over:";
    let mut table = Table::new(&format!("{heads} | {words}"));
    for Profile { member, time, tried, unified, passed_over } in profiles {
        let counts = [*tried, *unified, *passed_over].map(grouped).join(" | ");
        let total = time.iter().sum::<u64>().max(1) as f64;
        let shares = time.map(|time| format!("{:.0} %", time as f64 * 100.0 / total)).join(" | ");
        table.row(format_args!("{} | {counts} | {shares}", member.name()));
    }
    let title = "**where the time of the seed's planner goes** (arrays, measured state by state, which costs time itself)";
    format!("{title}\n\n{table}\n")
}

/// Every row of the tables.
pub(super) fn csv(measured: &Measured) -> String {
    let mut text = "growth,size,boxes,places,creatures,unsolvable,planner,plan,expanded,generated,\
                    states,content_bytes,bytes,peak_bytes,nanoseconds\n"
        .to_string();
    for grown in &measured.grown {
        for carrying in &grown.all {
            let Boxes { boxes, places, creatures, unsolvable, .. } = carrying.member;
            for row in &carrying.rows {
                let Answer { plan, expanded, generated, states, bytes, row_bytes } = &row.carried;
                let (name, size, planner) = (grown.name, carrying.size, row.planner.word());
                let plan = plan.as_ref().map_or(String::new(), |plan| plan.len().to_string());
                let peak = row.peak.map_or(String::new(), |peak| peak.to_string());
                _ = writeln!(
                    text,
                    "{name},{size},{boxes},{places},{creatures},{unsolvable},{planner},{plan},\
                     {expanded},{generated},{states},{row_bytes},{bytes},{peak},{:.0}",
                    row.nanoseconds.fastest
                );
            }
        }
    }
    text
}
