//! `throng bench scaling` and `throng bench competition`: boxes carried by the seed's planner and
//! by the grounded one, in one table of time and memory.
//!
//! In:   a session.
//! Out:  for growing numbers of boxes, places and creatures, and for twins without a plan: states,
//!       bytes and time of every planner, its answers judged.
//! Cost: a minute.
//!
//! The problems are those of section 3.2 of "Optimizing Practical Planning for Game AI".

mod page;
mod planners;

use crate::clock::thread_nanoseconds;
use crate::families::boxes::{Boxes, Kind};
use crate::harness::{Timed, Turn, race};
use crate::record::Record;
use crate::report::{BenchResult, Report, Session};
use crate::seed::plain::Answer;
use crate::seed::{Counting, Keep, PHASES};
use planners::{PLANNERS, Planner, SEED, carry, seeded, task, wrong};
use std::hint::black_box;
use throng_picture::figure::{Axis, Figure, Line, Panel};
use throng_planner::SearchBudget;

/// A number of objects that grows while the others stay.
struct Growth {
    /// What grows: one word.
    name: &'static str,
    of_size: fn(u32) -> Boxes,
    sizes: &'static [u32],
    /// The plain planner is not asked beyond.
    most_plain: u32,
}

impl Growth {
    /// All sizes, or two of them: what does not depend on time is compared with the page by a test.
    fn sizes(&self, session: &Session<'_>) -> &'static [u32] {
        session.pick(self.sizes, &self.sizes[..2])
    }
}

const fn growth(
    name: &'static str,
    sizes: &'static [u32],
    most_plain: u32,
    of_size: fn(u32) -> Boxes,
) -> Growth {
    Growth { name, of_size, sizes, most_plain }
}

fn boxes(kind: Kind, boxes: u32, places: u32, creatures: u32) -> Boxes {
    Boxes { kind, boxes, places, creatures, unsolvable: false }
}

/// Turns of each planner; the fastest counts.
const ROUNDS: usize = 3;

const SCALING: [Growth; 4] = [
    growth("boxes", &[10, 30, 100, 300, 1000], 100, |n| boxes(Kind::Scaling, n, 2, 1)),
    growth("places", &[10, 30, 100, 300], 100, |n| boxes(Kind::Scaling, 1, n, 1)),
    growth("creatures", &[2, 4, 8, 16, 32], 8, |n| boxes(Kind::Scaling, 1, 2, n)),
    growth("unsolvable", &[2, 4, 6, 8, 10, 12], 8, |n| boxes(Kind::Scaling, n, 2, 1).twin()),
];

const COMPETITION: [Growth; 4] = [
    growth("boxes", &[2, 4, 6, 8, 10, 12, 14], 8, |n| boxes(Kind::Competition, n, 2, 1)),
    growth("places", &[2, 4, 8, 12, 16], 8, |n| boxes(Kind::Competition, 3, n, 1)),
    growth("creatures", &[1, 2, 3, 4, 5], 3, |n| boxes(Kind::Competition, 4, 2, n)),
    growth("unsolvable", &[2, 4, 6, 8, 10, 12, 14], 8, |n| {
        boxes(Kind::Competition, n, 2, 1).twin()
    }),
];

/// A planner on a member, measured.
struct Row {
    planner: Planner,
    carried: Answer,
    nanoseconds: Timed,
    /// The peak of a fresh process beyond that of one that carries a single box.
    peak: Option<u64>,
}

/// All planners on a member.
struct Carrying {
    size: u32,
    member: Boxes,
    rows: Vec<Row>,
}

impl Carrying {
    fn row(&self, planner: Planner) -> Option<&Row> {
        self.rows.iter().find(|row| row.planner == planner)
    }

    /// How many times as long as the seed's planner with arrays.
    fn times_as_long(&self, row: &Row) -> Option<f64> {
        Some(row.nanoseconds.fastest / self.row(SEED)?.nanoseconds.fastest)
    }
}

/// All members of a growth.
struct Grown {
    name: &'static str,
    all: Vec<Carrying>,
}

/// Where the time of the seed's planner goes, and how many tuples it tries.
struct Profile {
    member: Boxes,
    time: [u64; PHASES.len()],
    tried: u64,
    unified: u64,
    passed_over: u64,
}

/// All that was measured.
struct Measured {
    kind: Kind,
    grown: Vec<Grown>,
    profiles: Vec<Profile>,
}

/// More objects, the same plan.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn scaling(session: &mut Session<'_>) -> BenchResult<Report> {
    run(Kind::Scaling, &SCALING, session)
}

/// Long plans in many orders.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn competition(session: &mut Session<'_>) -> BenchResult<Report> {
    run(Kind::Competition, &COMPETITION, session)
}

fn run(kind: Kind, growths: &[Growth], session: &mut Session<'_>) -> BenchResult<Report> {
    let mut grown = Vec::new();
    let least = PLANNERS
        .map(|planner| (planner, (session.peak_of)(&case(&least_member().name(), planner.word()))));
    for growth in growths {
        session.begin(&format!("{}: more {}", kind.word(), growth.name))?;
        let mut all = Vec::new();
        for &size in growth.sizes(session) {
            all.push(measure(size, growth, &least, session)?);
        }
        grown.push(Grown { name: growth.name, all });
    }
    session.begin("where the time goes")?;
    let largest =
        |growth: &Growth| growth.sizes(session).last().map(|&size| (growth.of_size)(size));
    let profiles = growths.iter().filter_map(largest).map(|member| profile(member, session));
    let profiles = profiles.collect::<Result<_, _>>()?;
    let measured = Measured { kind, grown, profiles };
    report(&measured)
}

fn report(measured: &Measured) -> BenchResult<Report> {
    let (records, name) = (records(measured), measured.kind.word());
    let page = (format!("{name}.md"), page::write(measured, &records));
    let rows = (format!("{name}.csv"), page::csv(measured));
    let report = Report::new(&page::tables(measured), records);
    let bytes_of = |row: &Row| per_state(row.carried.bytes, &row.carried);
    let bytes_about = "bytes per state, all tables included";
    let time = figure(measured, "time", "time for a plan", "milliseconds", |row| {
        row.nanoseconds.fastest / 1e6
    });
    let bytes = figure(measured, "bytes", bytes_about, "bytes", bytes_of).files()?;
    Ok(report.with(time.files()?).with(bytes).with([page, rows]))
}

fn measure(
    size: u32,
    growth: &Growth,
    least: &[(Planner, Option<u64>)],
    session: &mut Session<'_>,
) -> BenchResult<Carrying> {
    let member = (growth.of_size)(size);
    let lifted = task(&member)?;
    let is_asked = |who: &Planner| size <= growth.most_plain || *who != Planner::Plain;
    let asked: Vec<Planner> = PLANNERS.into_iter().filter(is_asked).collect();
    let mut answers = Vec::new();
    for &planner in &asked {
        let carried = carry(planner, &lifted, &session.stop)?;
        session.wrong.extend(wrong(&member, planner, &lifted, &carried));
        answers.push(carried);
    }
    let (turn, lifted) = (session.pick(5_000_000, 1), &lifted);
    let turns = asked.iter().map(|&planner| {
        Turn::lasting(turn, move || _ = black_box(carry(planner, lifted, &|| false).is_ok()))
    });
    let times = race(session.pick(ROUNDS, 1), turns.collect(), session)?;
    let mut rows = Vec::new();
    for ((planner, carried), nanoseconds) in asked.into_iter().zip(answers).zip(times) {
        let peak = (session.peak_of)(&case(&member.name(), planner.word()));
        let least = least.iter().find(|(who, _)| *who == planner).and_then(|(_, least)| *least);
        let peak = peak.zip(least).map(|(peak, least)| peak.saturating_sub(least));
        rows.push(Row { planner, carried, nanoseconds, peak });
    }
    Ok(Carrying { size, member, rows })
}

fn profile(member: Boxes, session: &Session<'_>) -> BenchResult<Profile> {
    let lifted = task(&member)?;
    let budget = SearchBudget { stop: Some(&*session.stop), ..SearchBudget::DEFAULT };
    let mut meter = Counting::new(thread_nanoseconds);
    seeded(&lifted, Keep::Arrays, &budget, &mut meter)?;
    let Counting { time, tried, unified, passed_over, .. } = meter;
    Ok(Profile { member, time, tried, unified, passed_over })
}

/// One box: what a process takes by itself, with the code of the planner.
fn least_member() -> Boxes {
    Boxes::new(Kind::Scaling, 1)
}

/// How the cases of this suite begin.
pub const CASE: &str = "carry:";

fn case(member: &str, what: &str) -> String {
    format!("{CASE}{member}:{what}")
}

/// Does one case, such as `carry:boxes-scaling-10-2-1:bits`: for a fresh process whose peak of
/// memory is looked at.
///
/// # Errors
///
/// If there is no such case.
pub fn do_case(case: &str) -> BenchResult {
    let unknown = || format!("no case `{case}`");
    let (member, what) =
        case.strip_prefix(CASE).and_then(|rest| rest.split_once(':')).ok_or_else(unknown)?;
    let member = Boxes::from_name(member).ok_or_else(unknown)?;
    let planner = PLANNERS.into_iter().find(|planner| planner.word() == what);
    carry(planner.ok_or_else(unknown)?, &task(&member)?, &|| false).map(|_| ())
}

/// The largest member of every growth: grounded beside the seed's, and the seed's ways beside
/// each other.
fn records(measured: &Measured) -> Vec<Record> {
    let mut records = Vec::new();
    for grown in &measured.grown {
        let Some(largest) = grown.all.last() else { continue };
        let name = format!("{}_{}_{}", measured.kind.word(), grown.name, largest.size);
        let Some(seed) = largest.row(SEED) else { continue };
        let against = "the seed's planner, arrays";
        for row in largest.rows.iter().filter(|row| row.planner != SEED) {
            let row_of = |what: &str| format!("{name}_{}_{what}", row.planner.word());
            let [ours, theirs] = [row, seed].map(|row| row.nanoseconds / 1e6);
            let time = Record::theirs_by_ours(row_of("time"), ours, theirs, against, "ms");
            records.push(time.by(format!("thread time, best of {ROUNDS}")));
            let [ours, theirs] = [row, seed].map(|row| per_state(row.carried.bytes, &row.carried));
            let unit = "bytes per state";
            let bytes = Record::ours_by_theirs(row_of("bytes"), ours, theirs, against, unit);
            records.push(bytes.counted());
        }
    }
    records
}

/// So many bytes, for each state.
fn per_state(bytes: u64, carried: &Answer) -> f64 {
    bytes as f64 / carried.states.max(1) as f64
}

fn figure(
    measured: &Measured,
    name: &str,
    about: &str,
    unit: &str,
    of: impl Fn(&Row) -> f64,
) -> Figure {
    let kind = measured.kind.word();
    let (name, title) = (format!("{kind}_{name}"), format!("Boxes, {kind}: {about}"));
    let panels = measured.grown.iter().map(|grown| {
        let line = |(colour, planner): (usize, Planner)| Line {
            name: planner.name(),
            colour,
            points: grown
                .all
                .iter()
                .filter_map(|one| Some((f64::from(one.size), of(one.row(planner)?))))
                .collect(),
        };
        Panel {
            title: format!("more {}", grown.name),
            x: Axis::logarithmic(grown.name),
            y: Axis::logarithmic(unit),
            lines: PLANNERS.into_iter().enumerate().map(line).collect(),
        }
    });
    Figure { name, title, panels: panels.collect() }
}
