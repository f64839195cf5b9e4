//! The part of the page about soldiers with selections: what picking costs, what contending costs,
//! five hundred in a fight.
//!
//! In:   all figures about soldiers.
//! Out:  records, a section of the page.

use super::claims::Contending;
use super::levels::{Levels, plan_phase};
use super::questions::Questions;
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
    pub(super) asking: Questions,
    pub(super) levels: Played,
}

/// Levels that were played by five hundred, and a market of a hundred.
pub(super) struct Played {
    pub(super) office: Levels,
    pub(super) courtyard: Levels,
    pub(super) warehouse: Levels,
    pub(super) market: Levels,
    pub(super) barracks: Levels,
}

/// What was asked for: at most so many bytes, of a soldier with 160 facts.
const MOST_BYTES: f64 = 14_000.0;

/// What was asked for of five hundred whom nothing happens to, and of a hundred townspeople.
const QUIET_MS: f64 = 8.0;
const MARKET_RATE: f64 = 0.3;

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

pub(super) fn records(of: &Soldiers) -> Vec<Record> {
    let Soldiers { selecting, contending, asking, levels } = of;
    let offices = &levels.office;
    let ns = "ns per mind and tick";
    let (all, aim) = (selecting.all / 1000.0, select::AIM / 1000.0);
    let [full, fighting] = [&selecting.bytes, &offices.bytes].map(|bytes| bytes.all as f64);
    let held = |name, bytes| {
        let against = "14 kB with 160 facts";
        Record::ours_by_theirs(name, bytes, MOST_BYTES, against, "bytes").held(Bar::AtMost(1.0))
    };
    let (with, without) = (contending.with.all, contending.without.all);
    let alone = "the same soldiers without claims and `spread`";
    let p99 = |of: &Levels| microseconds(of.at_most(990));
    let frame = "a tenth of a frame at 60 Hz";
    let fight = |name, of| {
        Record::ours_by_theirs(name, p99(of), 1667.0, frame, "µs per tick of five hundred")
    };
    let share = 100.0 * offices.share(plan_phase());
    vec![
        Record::ours_by_theirs(
            "select",
            all,
            aim,
            "15 µs, the aim for 14 selections",
            "µs per mind",
        )
        .held(Bar::AtMost(1.0)),
        Record::ours_by_theirs(
            "select_quiet",
            selecting.quiet,
            selecting.all,
            "the same when all are made",
            ns,
        ),
        held("bytes_per_soldier", full),
        held("bytes_in_office", fighting),
        Record::ours_by_theirs("claims", with, without, alone, ns),
        Record::ours_by_theirs(
            "questions",
            asking.later,
            asking.at_once,
            "the same rays answered at once",
            ns,
        ),
        fight("office_p99", offices),
        fight("courtyard_p99", &levels.courtyard),
        fight("warehouse_p99", &levels.warehouse),
        Record::ours_by_theirs(
            "soldiers_quiet",
            levels.barracks.milliseconds(),
            QUIET_MS,
            "8 ms a second for five hundred",
            "ms per second at 60 Hz",
        )
        .held(Bar::AtMost(1.0)),
        Record::ours_by_theirs(
            "market",
            levels.market.rate(),
            MARKET_RATE,
            "0.3 a second and mind",
            "planner questions per mind-second",
        )
        .held(Bar::AtMost(1.0)),
        Record::ours_by_theirs("office_planning", share, 100.0, "all of a tick", "per cent"),
    ]
}

/// What the phases cost in the offices.
fn phases(offices: &Levels) -> Table {
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
    let Soldiers { selecting, contending, asking, levels } = of;
    let offices = &levels.office;
    let [all, quiet] = [selecting.all / 1000.0, selecting.quiet / 1000.0].map(rounded);
    let bytes = grouped(offices.bytes.all as u64);
    let [many, soldiers] = [contending.minds, offices.minds].map(|n| grouped(n as u64));
    let lost = grouped(contending.lost);
    let (watchers, asked) = (grouped(asking.minds as u64), asking.rate);
    let [later, at_once, none, each] =
        [asking.later, asking.at_once, asking.none, asking.each()].map(rounded);
    let [with, without] = [contending.with, contending.without];
    let [own, alone] = [with.between, without.between].map(rounded);
    let [median, p99, worst] =
        [500, 990, 1000].map(|at| rounded(microseconds(offices.at_most(at))));
    let plan = plan_phase();
    let (share, plan) =
        (100.0 * offices.share(plan), microseconds(offices.phase_at_most(plan, 990)));
    let rate = offices.rate();
    let barracks = rounded(levels.barracks.milliseconds());
    let awake = phases(&levels.barracks);
    let people = grouped(levels.market.minds as u64);
    let market = levels.market.rate();
    format!(
        "## Soldiers who select\n\n\
         The file `domains/levels/soldiers/soldier.npc` with two selections more: {SELECTS} in all, and {FACTS} facts.\n\
         Once a second all enemies move, and every selection is made anew: {all} µs of the phase `select` per mind, of {} minds.\n\
         In a tick in which nothing has changed none is made: {quiet} µs, which is to look whether one is due.\n\
         Whom it fights, and its first covers, must be those that a plain loop over its memory picks.\n\n\
         {many} soldiers of two sides know the same ten covers and eight enemies, and a tenth of them has news in every tick.\n\
         There were up to {} claims at once, and {lost} times one was lost to another.\n\
         What is in no phase, the settling of claims with it, takes {own} ns per mind and tick, {alone} without claims and `spread`.\n\
         After every tick each claim must have one holder, who has picked it.\n\n\
         ## Questions\n\n\
         {watchers} watchers want to know in every tick whether another is in view, and the game answers a tick later: {asked:.2} questions per mind and tick.\n\
         That takes {later} ns per mind and tick; {at_once} ns with every ray answered at once, and {none} ns if nobody looks: {each} ns for a question, asked and answered, beyond its ray.\n\
         What they know in the end must be what is so.\n\n\
         ## Five hundred in the office fight\n\n\
         The level `domains/levels/office.npc`, 63 times with a seed each: {soldiers} soldiers, all in step; a tick is the sum of the offices' ticks.\n\
         Counted are the {} ticks in which at least half of them live; every office must keep its promises.\n\
         A tick of all minds takes {median} µs (median), {p99} µs (p99), {worst} µs at most; planning is {share:.1} % of all and {} µs at p99.\n\
         The planner was asked {rate:.2} times per second and soldier and searched {} of {} times.\n\
         A soldier took {bytes} bytes at most, with what had arrived for it.\n\n\
         {}\n\n\
         The same of the other fights, of as many copies as make five hundred:\n\n\
         {}\n\n\
         ## A quiet night\n\n\
         Soldiers of the same file in barracks, at 60 ticks a second, whom nothing happens to: {barracks} ms a second for five hundred, on one thread.\n\n\
         {awake}\n\n\
         ## A market of a hundred\n\n\
         `domains/levels/market_hundred.npc`: {people} people ask the planner {market:.2} times per mind and second.\n",
        selecting.minds,
        contending.claims,
        offices.ticks.len(),
        rounded(plan),
        grouped(offices.searched),
        grouped(offices.asked),
        phases(offices),
        fights(levels),
    )
}

/// What a tick of five hundred takes in each fight.
fn fights(of: &Played) -> Table {
    let mut table =
        Table::new("level | minds: | median µs: | p99 µs: | most µs: | asked per second:");
    for level in [&of.office, &of.courtyard, &of.warehouse] {
        let [median, p99, most] =
            [500, 990, 1000].map(|at| rounded(microseconds(level.at_most(at))));
        let (name, minds, rate) = (level.level.name(), level.minds, level.rate());
        table.row(format_args!("{name} | {minds} | {median} | {p99} | {most} | {rate:.2}"));
    }
    table
}
