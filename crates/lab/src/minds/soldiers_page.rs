//! The part of the page about soldiers with selections: what picking costs, what contending costs,
//! five hundred in a fight.
//!
//! In:   all figures about soldiers.
//! Out:  records, a section of the page.

use super::claims::Contending;
use super::office::{Offices, plan_phase};
use super::select::{self, Selecting};
use super::soldiers::{FACTS, SELECTS};
use super::ticks::TickCost;
use crate::record::{Bar, Record};
use crate::table::Table;
use throng_base::text::grouped;
use throng_mind::tick::PHASES;
use throng_picture::rounded;

/// All that was measured of soldiers.
pub(super) struct Soldiers {
    pub(super) selecting: Selecting,
    pub(super) contending: Contending,
    pub(super) offices: Offices,
}

/// What was asked for: at most so many bytes.
const MOST_BYTES: f64 = 26_000.0;

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

pub(super) fn records(of: &Soldiers) -> Vec<Record> {
    let Soldiers { selecting, contending, offices } = of;
    let ns = "ns per mind and tick";
    let (all, aim) = (selecting.all / 1000.0, select::AIM / 1000.0);
    let (bytes, most) = (offices.bytes as f64, MOST_BYTES);
    let (with, without) = (contending.with.all, contending.without.all);
    let alone = "the same soldiers without claims and `spread`";
    let p99 = microseconds(offices.at_most(990));
    let share = 100.0 * offices.share(plan_phase());
    vec![
        Record::ours_by_theirs("select", all, aim, "15 µs for 14 selections", "µs per mind")
            .held(Bar::AtMost(1.0)),
        Record::ours_by_theirs(
            "select_quiet",
            selecting.quiet,
            selecting.all,
            "the same when all are made",
            ns,
        ),
        Record::ours_by_theirs("bytes_per_soldier", bytes, most, "26 kB with 160 facts", "bytes")
            .held(Bar::AtMost(1.0)),
        Record::ours_by_theirs("claims", with, without, alone, ns),
        Record::ours_by_theirs(
            "office_p99",
            p99,
            1667.0,
            "a tenth of a frame at 60 Hz",
            "µs per tick of five hundred",
        ),
        Record::ours_by_theirs("office_planning", share, 100.0, "all of a tick", "per cent"),
    ]
}

/// What the phases cost in the offices.
fn phases(offices: &Offices) -> Table {
    let mut table = Table::new("phase | µs per tick: | p99 µs: | share:");
    let n = offices.ticks.len().max(1) as f64;
    let mut row = |name: &str, of: &dyn Fn(&TickCost) -> u64| {
        let sum: u64 = offices.ticks.iter().map(of).sum();
        let p99 = super::ticks::at_most(offices.ticks.iter().map(of), 990);
        let (mean, p99) = (rounded(sum as f64 / n / 1000.0), rounded(microseconds(p99)));
        let share = 100.0 * sum as f64 / offices.sum().max(1) as f64;
        table.row(format_args!("{name} | {mean} | {p99} | {share:.1} %"));
    };
    for (at, phase) in PHASES.iter().enumerate() {
        row(phase.name, &|tick| tick.phases[at]);
    }
    row("between", &TickCost::between);
    row("all", &|tick| tick.whole);
    table
}

/// The section of the page.
pub(super) fn section(of: &Soldiers) -> String {
    let Soldiers { selecting, contending, offices } = of;
    let [all, quiet] = [selecting.all / 1000.0, selecting.quiet / 1000.0].map(rounded);
    let bytes = grouped(offices.bytes as u64);
    let [many, soldiers] = [contending.minds, offices.minds].map(|n| grouped(n as u64));
    let lost = grouped(contending.lost);
    let [with, without] = [contending.with, contending.without];
    let [own, alone] = [with.between, without.between].map(rounded);
    let [median, p99, worst] =
        [500, 990, 1000].map(|at| rounded(microseconds(offices.at_most(at))));
    let plan = plan_phase();
    let (share, plan) =
        (100.0 * offices.share(plan), microseconds(offices.phase_at_most(plan, 990)));
    let rate = offices.asked as f64 / offices.lived.max(1.0);
    format!(
        "## Soldiers who select\n\n\
         The file `domains/levels/soldiers/soldier.npc` with three selections more: {SELECTS} in all, and {FACTS} facts.\n\
         Once a second all enemies move, and every selection is made anew: {all} µs of the phase `select` per mind, of {} minds.\n\
         In a tick in which nothing has changed none is made: {quiet} µs, which is to look whether one is due.\n\
         Whom it fights, and its first covers, must be those that a plain loop over its memory picks.\n\n\
         {many} soldiers of two sides know the same ten covers and eight enemies, and a tenth of them has news in every tick.\n\
         There were up to {} claims at once, and {lost} times one was lost to another.\n\
         What is in no phase, the settling of claims with it, takes {own} ns per mind and tick, {alone} without claims and `spread`.\n\
         After every tick each claim must have one holder, who has picked it.\n\n\
         ## Five hundred in the office fight\n\n\
         The level `domains/levels/office.npc`, 63 times with a seed each: {soldiers} soldiers, all in step; a tick is the sum of the offices' ticks.\n\
         Counted are the {} ticks in which at least half of them live; every office must keep its promises.\n\
         A tick of all minds takes {median} µs (median), {p99} µs (p99), {worst} µs at most; planning is {share:.1} % of all and {} µs at p99.\n\
         The planner was asked {rate:.2} times per second and soldier and searched {} of {} times.\n\
         A soldier took {bytes} bytes at most; room for {FACTS} facts is taken when a mind begins.\n\n\
         {}\n",
        selecting.minds,
        contending.claims,
        offices.ticks.len(),
        rounded(plan),
        grouped(offices.searched),
        grouped(offices.asked),
        phases(offices),
    )
}
