//! `throng bench growth`: time and bytes as one size grows and the others stay.
//!
//! In:   a session.
//! Out:  for variables, values, actions, needs, NPCs and crowds: time per plan and bytes, beside what the
//!       papers promise.
//! Cost: a minute.
//!
//! The papers' bounds, for m variables of n values: time O(|A| + |E|) for actions A and their
//! orders E ("SAS Planning As Topological Sorting", Theorem 2; "Topological Planning with
//! Post-unique and Unary Actions", Theorem 6); space O(m²n) (the former, Theorem 3) and O(m²n²)
//! (the latter, Theorem 7). Ours is held against them: time per action and need should stay
//! level, and bytes should grow with actions, needs and values, not with their products.

mod crowd;
mod npcs;
mod page;
mod sizes;

use crate::harness::Timed;
use crate::record::Record;
use crate::report::{BenchResult, Report, Session};
use throng_picture::figure::{Axis, Figure, Line, Panel};

/// One size of one axis, measured.
struct Point {
    /// The size that grows.
    size: u64,
    /// Actions and needs of the plan; NPCs on the axis of NPCs.
    work: u64,
    /// Nanoseconds for all of it.
    nanoseconds: Timed,
    /// The peak of a fresh process, beyond that of one that does nothing.
    bytes: Option<u64>,
    /// m²n and m²n² of the papers' bounds on space; nothing where they say nothing.
    bounds: Option<[f64; 2]>,
}

impl Point {
    /// So many NPCs, served in so many nanoseconds.
    fn of_npcs(size: u64, nanoseconds: Timed) -> Point {
        Point { size, work: size, nanoseconds, bytes: None, bounds: None }
    }

    /// Nanoseconds per action and need, or per NPC.
    fn each(&self) -> f64 {
        self.each_timed().fastest
    }

    fn each_timed(&self) -> Timed {
        self.nanoseconds / self.work.max(1) as f64
    }

    /// Bytes, if they are more than the grain of the system's count.
    fn known_bytes(&self) -> Option<f64> {
        self.bytes.filter(|&bytes| bytes > 0).map(|bytes| bytes as f64)
    }
}

/// A size that grows alone.
struct Axes {
    /// What grows: one word.
    name: &'static str,
    /// What stays.
    fixed: String,
    /// What the time is divided by.
    per: &'static str,
    points: Vec<Point>,
}

/// Runs all of it.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> BenchResult<Report> {
    let mut axes = sizes::measure(session)?;
    axes.push(npcs::measure(session)?);
    axes.push(crowd::measure(session)?);
    let nothing = (session.peak_of)(NOTHING);
    for axis in &mut axes {
        session.begin(&format!("bytes as {} grow", axis.name))?;
        for point in &mut axis.points {
            let peak = (session.peak_of)(&format!("{}:{}", axis.name, point.size));
            // A member smaller than the grain of the system's count has no figure of its own.
            point.bytes = peak.zip(nothing).map(|(peak, nothing)| peak.saturating_sub(nothing));
        }
    }
    let records: Vec<Record> = axes.iter().flat_map(records).collect();
    let page = ("growth.md".to_string(), page::write(&axes, &records));
    let report = Report::new(&page::tables(&axes), records);
    let (time, bytes) = (time_figure(&axes).files()?, bytes_figure(&axes).files()?);
    Ok(report.with(time).with(bytes).with([page]))
}

/// Whether all of so many NPCs got a plan.
fn served_all(served: u64, size: u64) -> BenchResult {
    if served == size { Ok(()) } else { Err("an NPC got no plan".into()) }
}

/// The case that makes nothing: what a process takes by itself.
const NOTHING: &str = "nothing:0";

/// Makes and plans one case, named as in `variables:1000`: for a fresh process whose peak of memory
/// is looked at.
///
/// # Errors
///
/// If there is no such case.
pub fn do_case(case: &str) -> BenchResult {
    let unknown = || format!("no case `{case}`");
    let (axis, size) = case.split_once(':').ok_or_else(unknown)?;
    let size: u64 = size.parse().map_err(|_| unknown())?;
    match axis {
        _ if case == NOTHING => {}
        npcs::NAME => npcs::make_and_plan(size)?,
        crowd::NAME => crowd::make_and_plan(size)?,
        _ => sizes::make_and_plan(axis, size).ok_or_else(unknown)??,
    }
    Ok(())
}

/// How the largest size compares with the smallest, per unit of work, and with the bounds.
fn records(axis: &Axes) -> Vec<Record> {
    let (Some(first), Some(last)) = (axis.points.first(), axis.points.last()) else {
        return Vec::new();
    };
    let Axes { name, per, .. } = axis;
    let against = format!("{} {name}, not {}", first.size, last.size);
    let unit = format!("ns per {per}");
    let row = |what: &str, ours: Timed, theirs: Timed, against: &str, unit: &str| {
        Record::ours_by_theirs(format!("growth_{name}_{what}"), ours, theirs, against, unit)
    };
    let time = row("time", last.each_timed(), first.each_timed(), &against, &unit);
    let mut records = vec![time.by("thread time, the fastest turn")];
    let row = |what: &str, ours: f64, theirs: f64, against: &str, unit: &str| {
        row(what, ours.into(), theirs.into(), against, unit).by("peak of a fresh process")
    };
    if let (Some(few), Some(many)) = (first.known_bytes(), last.known_bytes()) {
        let each = |bytes: f64, point: &Point| bytes / point.work.max(1) as f64;
        let unit = format!("bytes per {per}");
        records.push(row("bytes", each(many, last), each(few, first), &against, &unit));
        for (at, bound) in BOUNDS.into_iter().enumerate() {
            if let Some(allowed) = axis.allowed(at) {
                let unit = "times as much at the largest size";
                let name = ["bound_m2n", "bound_m2n2"][at];
                records.push(row(name, many / few, allowed, &format!("{bound} grows"), unit));
            }
        }
    }
    records
}

/// The papers' bounds on space.
const BOUNDS: [&str; 2] = ["m²n", "m²n²"];

impl Axes {
    /// How much more a bound allows at the largest size than at the smallest; `None` where it
    /// does not move: it has room for these needs and actions from the beginning.
    fn allowed(&self, bound: usize) -> Option<f64> {
        let allowed = self.points.last()?.bounds?[bound] / self.points.first()?.bounds?[bound];
        (allowed > 1.0).then_some(allowed)
    }

    /// What is known of its points, by size.
    fn line(&self, of: &dyn Fn(&Point) -> Option<f64>) -> Vec<(f64, f64)> {
        self.points.iter().filter_map(|p| Some((p.size as f64, of(p)?))).collect()
    }

    fn panel(&self, y: Axis, lines: Vec<Line>) -> Panel {
        let title = format!("{} ({})", self.name, self.fixed);
        Panel { title, x: Axis::logarithmic(self.name), y, lines }
    }
}

fn line(name: &str, colour: usize, points: Vec<(f64, f64)>) -> Line {
    Line { name: name.to_string(), colour, points }
}

fn time_figure(axes: &[Axes]) -> Figure {
    let panels = axes.iter().map(|axis| {
        let lines = vec![line("time", 0, axis.line(&|p| Some(p.each())))];
        axis.panel(Axis::linear(&format!("nanoseconds per {}", axis.per)), lines)
    });
    let title = "Time as one size grows: level is linear".to_string();
    Figure { name: "growth_time".to_string(), title, panels: panels.collect() }
}

fn bytes_figure(axes: &[Axes]) -> Figure {
    let known =
        axes.iter().filter(|axis| axis.points.iter().all(|p| p.bytes.is_some_and(|b| b > 0)));
    let panels = known.map(|axis| {
        let mut lines = vec![line("Throng, peak", 0, axis.line(&Point::known_bytes))];
        for (at, bound) in BOUNDS.into_iter().enumerate() {
            // The bounds have no unit; they are drawn from where the first size is.
            let first = axis.points.first().and_then(|p| Some((p.known_bytes()?, p.bounds?[at])));
            if let (Some((bytes, least)), Some(_)) = (first, axis.allowed(at)) {
                let scaled = axis.line(&|p| Some(bytes * p.bounds?[at] / least));
                lines.push(line(&format!("growth of {bound}"), at + 1, scaled));
            }
        }
        axis.panel(Axis::logarithmic("bytes"), lines)
    });
    let title = "Bytes as one size grows, and the papers' bounds".to_string();
    Figure { name: "growth_bytes".to_string(), title, panels: panels.collect() }
}
