//! The page of minds: a quiet tick, a fight by phase, a thousand in a town, bytes; two figures.
//!
//! In:   all figures.
//! Out:  `minds.md`, one sentence per line; bars and lines as SVG and CSV; the tables alone.

use super::beside::Beside;
use super::bytes::{self, AIM, Bytes};
use super::day::Town;
use super::day_page;
use super::fight;
use super::fight::Fight;
use super::quiet::{self, Quiet};
use super::soldiers_page::{self, Soldiers};
use crate::machine::measured_under_load;
use crate::record::{Bar, Record, table};
use crate::report::{BenchResult, File};
use crate::table::Table;
use throng_base::text::grouped;
use throng_mind::tick::PHASES;
use throng_picture::figure::{Axis, Bars, Series};
use throng_picture::rounded;

/// What was asked for of a quiet tick, in nanoseconds per mind: all awake; most asleep; and what the
/// naive loop takes at most, for it profits from a faster memory too.
const QUIET_NS: f64 = 300.0;
const ASLEEP_NS: f64 = 120.0;
const NAIVE_NS: f64 = 1000.0;

/// What soldiers may cost beside those who ask all rules in every tick.
const MOST_PARTIAL: f64 = 0.75;

/// All that was measured.
pub(super) struct Found {
    pub(super) quiet: Quiet,
    pub(super) fight: Fight,
    pub(super) beside: Beside,
    pub(super) town: Town,
    pub(super) bytes: Bytes,
    pub(super) soldiers: Soldiers,
}

/// How what takes turns is measured.
fn turns() -> String {
    format!("thread time, best of {}", quiet::ROUNDS)
}

impl Found {
    pub(super) fn records(&self) -> Vec<Record> {
        let Found { quiet, fight, beside, town, bytes, soldiers } = self;
        let (naive, ns) = ("the naive loop over the same guards", "ns per mind and tick");
        let mut records = vec![
            Record::theirs_by_ours("quiet_tick", quiet.ours, quiet.naive, naive, ns).by(turns()),
            Record::theirs_by_ours("quiet_tick_asleep", quiet.asleep, quiet.naive, naive, ns)
                .by(turns()),
        ];
        for (name, ours, bar) in [
            ("quiet_tick_ns", quiet.ours, QUIET_NS),
            ("quiet_tick_asleep_ns", quiet.asleep, ASLEEP_NS),
            ("naive_loop_ns", quiet.naive, NAIVE_NS),
        ] {
            let record = Record::ours_by_theirs(name, ours, bar, format!("{bar} ns"), ns);
            records.push(record.by(turns()).held(Bar::AtMost(1.0)));
        }
        let ticks = (fight.ticks.max(1) * fight.minds.max(1) as u64) as f64;
        let [partial, whole] = [fight.partial / ticks, fight.whole / ticks];
        let all = "the same soldiers who ask all rules if anything has changed";
        let unit = "ns per mind and tick, with the world";
        let record = Record::ours_by_theirs("partial_updates", partial, whole, all, unit);
        let record = record.by(format!("thread time, best of {}", fight::ROUNDS));
        records.push(record.held(Bar::AtMost(MOST_PARTIAL)));
        let (share, calls) = (fight.planner_share() * 100.0, fight.calls_per_second());
        let (phases, call) =
            ("all phases of the minds, ten soldiers", "one call per second and NPC");
        let (heavy, bytes) = (fight.most_heavy as f64, bytes.all as f64);
        let run = "one heavy sensor run per mind and tick";
        for (name, ours, theirs, against, unit) in [
            ("planner_share", share, 100.0, phases, "per cent"),
            ("planner_calls", calls, 1.0, call, "calls per second and NPC"),
            ("heavy_per_tick", heavy, 1.0, run, "runs"),
        ] {
            records.push(Record::ours_by_theirs(name, ours, theirs, against, unit));
        }
        let aim = "4 kB with 32 facts";
        records.push(
            Record::ours_by_theirs("bytes_per_mind", bytes, AIM as f64, aim, "bytes")
                .held(Bar::AtMost(1.0)),
        );
        let alone = "the same runners who do nothing beside";
        let record = Record::ours_by_theirs("beside", beside.with, beside.without, alone, ns);
        records.push(record.by(turns()));
        records.extend(day_page::records(town));
        records.extend(soldiers_page::records(soldiers));
        records
    }
}

fn per_tick(fight: &Fight, nanoseconds: u64) -> f64 {
    nanoseconds as f64 / (fight.ticks.max(1) * fight.minds.max(1) as u64) as f64
}

/// For the terminal.
pub(super) fn tables(found: &Found) -> String {
    let (records, town) = (table(&found.records()), day_page::ticks(&found.town));
    format!("{}\n{records}\n{}\n{town}", head(), phases(&found.fight))
}

fn head() -> String {
    format!("{}.\n", measured_under_load())
}

fn phases(fight: &Fight) -> Table {
    let mut table = Table::new("phase | ns per mind and tick: | share:");
    let all = fight.minds_cost().max(1) as f64;
    for (phase, &cost) in PHASES.iter().zip(&fight.phases) {
        let (ns, share) = (rounded(per_tick(fight, cost)), 100.0 * cost as f64 / all);
        table.row(format_args!("{} | {ns} | {share:.1} %", phase.name));
    }
    table
}

/// The page, the figure and its points.
pub(super) fn files(found: &Found) -> BenchResult<Vec<File>> {
    let mut files = chart(&found.fight).files()?.to_vec();
    files.extend(day_page::figure(&found.town).files()?);
    files.push(("minds.md".to_string(), page(found)));
    Ok(files)
}

fn chart(fight: &Fight) -> Bars {
    let heights = fight.phases.iter().map(|&cost| Some(per_tick(fight, cost).max(0.1))).collect();
    Bars {
        name: "minds".to_string(),
        title: "Ten soldiers in combat: nanoseconds per mind and tick, by phase".to_string(),
        y: Axis::logarithmic("nanoseconds"),
        groups: PHASES.iter().map(|phase| phase.name.to_string()).collect(),
        series: vec![Series { name: "cost of the phase".to_string(), colour: 0, heights }],
        mark: ("all phases together".to_string(), per_tick(fight, fight.minds_cost())),
    }
}

fn page(found: &Found) -> String {
    let Found { quiet, fight, beside, town, bytes, soldiers } = found;
    let Quiet { awake, awake_asleep, .. } = quiet;
    let Fight { seconds, ticks, minds, calls, recalls, most_heavy, .. } = fight;
    let (guards, heavy) = (grouped(quiet.minds as u64), grouped(fight.heavy));
    let (rate, share) = (fight.calls_per_second(), fight.planner_share() * 100.0);
    let whole = 100.0 * fight.minds_cost() as f64 / fight.everything.max(1) as f64;
    let runners = grouped(beside.minds as u64);
    let [shooting, running] = [beside.with, beside.without].map(|it| rounded(it.fastest));
    let (mind, full) = (grouped(bytes.all as u64), &soldiers.selecting.bytes);
    let parts = bytes::table([
        ("a guard", bytes),
        ("a soldier", full),
        ("a soldier of the office", &soldiers.levels.office.bytes),
    ]);
    format!(
        "# What minds cost\n\n\
         Made by `throng bench minds --out docs/mind-costs`.\n\
         {}\
         Times are of one thread on the processor, the fastest of several turns; compare ratios, not times.\n\n\
         {}\n\
         ## A quiet tick\n\n\
         {guards} guards with ten sensors each: two look in every tick, four have rates of 3 to 10 in a second, four wait for stimuli.\n\
         They have eight goals, eight symbols and two checks, and nothing changes.\n\
         The naive loop runs the six polled sensors and evaluates all symbols, checks and goals of everybody in every frame; both must come to the same values and the same goal, and the planner must not be called at all.\n\
         In {awake:.1} % of the ticks of a mind anything was due; with rates instead of every tick (`quiet_tick_asleep`) in {awake_asleep:.1} %.\n\n\
         ## Ten soldiers in combat\n\n\
         The story `crates/lab/stories/ten_soldiers.npc`: {seconds:.0} seconds, {ticks} ticks, {minds} minds.\n\
         The planner searched {calls} times, {rate:.3} times per second and NPC, and knew {recalls} answers from before.\n\
         Planning is {share:.1} % of what the minds cost; the minds are {whole:.0} % of the whole, which includes the simulated world.\n\
         Phases are measured by a clock whose own cost is taken off.\n\
         Symbols, checks, prices and the relevance of goals are asked for again only where something has changed; `partial_updates` holds the whole story, world and all, beside that of soldiers who ask for all of them whenever anything has changed, in turns, in the same fight.\n\
         Sensors did {heavy} pieces of heavy work, never more than {most_heavy} for a mind in a tick.\n\n\
         ![by phase](minds.svg)\n\n\
         {}\n\
         ## Two things at once\n\n\
         {runners} runners see an enemy in every tick and shoot beside their step; a second thing waits for its time.\n\
         A tick takes {shooting} ns per mind, {running} for the same runners who do nothing beside.\n\
         All must run for the same plan, and do one thing beside it.\n\n\
         {}\
         {}\
         ## Bytes\n\n\
         A guard whose memory holds {} facts takes {mind} bytes, a soldier with {} facts {}.\n\
         The sensors, symbols and behaviours are shared by all minds and not counted.\n\n\
         {parts}\n\
         `itself` is what has one size in every mind; the other rows are what each part has besides (`Mind::bytes_by_part`).\n\
         The guard and the first soldier know as much as they can; of the office's soldiers it is the one that took most in any tick.\n",
        head(),
        table(&found.records()),
        phases(fight),
        day_page::section(town),
        soldiers_page::section(soldiers),
        bytes.facts,
        full.facts,
        grouped(full.all as u64),
    )
}
