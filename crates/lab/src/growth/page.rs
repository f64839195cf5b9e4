//! The page: what grows how, and what the papers allow.
//!
//! In:   all axes and records.
//! Out:  `growth.md`, one sentence per line; and its tables alone.

use super::Axes;
use crate::machine::measured;
use crate::record::{self, Record};
use crate::report::page_head;
use crate::table::{Table, known};
use throng_base::text::grouped;

/// The whole page.
pub(super) fn write(axes: &[Axes], records: &[Record]) -> String {
    let head = page_head("Growth: time and bytes as one size grows", "growth --out docs/growth");
    format!(
        "{head}\
         {}, one thread.\n\
         A call is everything between the values of an NPC and its replayed plan, with a warm scratch.\n\
         All sizes of an axis take turns and the fastest turn counts; every answer has the known length and is replayed.\n\
         Bytes are the peak of a fresh process that makes the compiled domain and plans once, beyond the peak of one that does nothing.\n\
         On the axis of NPCs they are those of the NPCs and their plans as objects of the library.\n\
         On that of a crowd they are those of its columns, tables and working memory; a call serves everybody, and everybody waits; what a call and its tables cost once weighs on the small crowds.\n\n\
         The domains are chains: every variable climbs from 0 one step at a time, and its first eight steps need value 1 of the variables that follow.\n\
         So variables, values, actions and needs can each grow while the others stay; only a variable brings its actions along.\n\n\
         The papers promise, for m variables of n values: time linear in the actions and their orders, and space O(m²n) (\"SAS Planning As Topological Sorting\", Theorem 3) or O(m²n²) (\"Topological Planning with Post-unique and Unary Actions\", Theorem 7).\n\n\
         ![Time](growth_time.svg)\n\n\
         ![Bytes](growth_bytes.svg)\n\n\
         Points are in `growth_time.csv` and `growth_bytes.csv`.\n\n\
         {}\n## Against the claims\n\n\
         A ratio near 1 in the rows of time is linear time; in the rows of bytes it is memory linear in what there is.\n\
         The rows of bounds say which part of the growth that a bound allows was used: far below 1 means that it is far from tight for Throng, which keeps actions and needs in flat rows and no matrix.\n\
         Where actions or needs grow the bounds stay as they are: they have room for all of them from the beginning.\n\n{}",
        measured(),
        tables(axes),
        record::table(records)
    )
}

/// A table for every axis, also for the terminal.
pub(super) fn tables(axes: &[Axes]) -> String {
    let mut text = String::new();
    for Axes { name, fixed, per, points } in axes {
        let mut table = Table::new(&format!(
            "{name}: | time per call: | ns per {per}: | bytes: | bytes per {per}: | m²n: | m²n²:"
        ));
        for point in points {
            let (size, time) = (grouped(point.size), point.nanoseconds.fastest / 1e6);
            let each = |bytes: u64| format!("{:.0}", bytes as f64 / point.work.max(1) as f64);
            let bounds = [0, 1].map(|at| known(point.bounds, |all| format!("{:.1e}", all[at])));
            table.row(format_args!(
                "{size} | {time:.3} ms | {:.1} | {} | {} | {}",
                point.each(),
                known(point.bytes, grouped),
                known(point.bytes, each),
                bounds.join(" | ")
            ));
        }
        text += &format!("**{name}** ({fixed})\n\n{table}\n");
    }
    text
}
