//! The page: what grows how, and what the papers allow.
//!
//! In:   all axes and records.
//! Out:  `growth.md`, one sentence per line; and its tables alone.

use super::Axes;
use crate::machine::measured;
use crate::measuring::thousands;
use crate::record::{self, Record};
use std::fmt::Write;

/// The whole page.
pub(super) fn write(axes: &[Axes], records: &[Record]) -> String {
    format!(
        "# Growth: time and bytes as one size grows\n\n\
         This page and its figures are written by\n\n\
         ```console\n\
         cargo run --release -- bench growth --out docs/growth\n\
         ```\n\n\
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
    for axis in axes {
        let Axes { name, fixed, per, points } = axis;
        let head = format!(
            "| {name} | time per call | ns per {per} | bytes | bytes per {per} | m²n | m²n² |"
        );
        let _ = writeln!(text, "**{name}** ({fixed})\n\n{head}\n|--:|--:|--:|--:|--:|--:|--:|");
        for point in points {
            let (size, time) = (thousands(point.size), point.nanoseconds / 1e6);
            let bytes = point.bytes.map_or(none(), thousands);
            let each = point
                .bytes
                .map_or(none(), |bytes| format!("{:.0}", bytes as f64 / point.work.max(1) as f64));
            let [mmn, mmnn] =
                point.bounds.map_or([none(), none()], |bounds| bounds.map(|b| format!("{b:.1e}")));
            let _ = writeln!(
                text,
                "| {size} | {time:.3} ms | {:.1} | {bytes} | {each} | {mmn} | {mmnn} |",
                point.each()
            );
        }
        text += "\n";
    }
    text
}

fn none() -> String {
    "–".to_string()
}
