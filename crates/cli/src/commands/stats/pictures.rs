//! Statistics as pictures, one file each, with the numbers beside them.
//!
//! Everything is by type, not by mind, so a thousand NPCs need no more room than one. Actions of a
//! template stand together where there are too many to read.

use crate::console::{Console, Fail};
use crate::writing::fill;
use std::collections::BTreeMap;
use std::path::Path;
use throng_domain::model::NpcTypeId;
use throng_mind::events::Cause;
use throng_mind::inspect::cause_words;
use throng_picture::figure::{Axis, Figure, Line, Panel};
use throng_picture::rows::Rows;
use throng_trace::stats::{ActionStats, Lived, StatsReport, TypeStats};

/// So many types have a colour of their own; the others are one.
const TYPES: usize = 7;
/// More actions than these are drawn by their templates.
const ACTIONS: usize = 60;
/// So many points has a line at most.
const POINTS: usize = 240;

pub(super) fn write(
    folder: &Path,
    report: &StatsReport,
    lived: &Lived,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let drawing = Drawing { report, lived };
    let rows = [drawing.actions(), drawing.lengths(), drawing.causes()];
    let drawn = rows.iter().map(Rows::files).chain([drawing.over_time().files()]);
    let files = drawn.collect::<Result<Vec<_>, _>>();
    let files = files.map_err(|error| Fail::Bad(format!("cannot draw: {error}")))?.concat();
    fill(folder, &files)?;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    console.message(&format!("wrote {} into `{}`", names.join(", "), folder.display()));
    Ok(())
}

/// The name of each row, and its amounts.
type NamedAmounts = Vec<(String, Vec<f64>)>;

struct Drawing<'s> {
    report: &'s StatsReport,
    lived: &'s Lived,
}

impl Drawing<'_> {
    fn own(&self, npc: NpcTypeId) -> &TypeStats {
        &self.lived.stats.types[npc.index()]
    }

    fn type_name(&self, npc: NpcTypeId) -> &str {
        self.report.spec.domain.map().npc(npc)
    }

    /// The types that were there, those with most plans first.
    fn seen(&self) -> Vec<NpcTypeId> {
        let mut seen: Vec<NpcTypeId> =
            self.report.types.iter().copied().filter(|&npc| self.own(npc).minds > 0).collect();
        seen.sort_by_key(|&npc| std::cmp::Reverse(self.own(npc).plans));
        seen
    }

    /// The names of the types that have a colour, and of the rest.
    fn parts(&self) -> Vec<String> {
        let seen = self.seen();
        let named = seen.iter().take(TYPES).map(|&npc| self.type_name(npc).to_string());
        let rest = (seen.len() > TYPES).then(|| "others".to_string());
        named.chain(rest).collect()
    }

    /// An amount for each part.
    fn by_part(&self, amount: impl Fn(&TypeStats) -> u64) -> Vec<f64> {
        let mut parts = vec![0.0; self.parts().len()];
        for (at, &npc) in self.seen().iter().enumerate() {
            if let Some(part) = parts.get_mut(at.min(TYPES)) {
                *part += amount(self.own(npc)) as f64;
            }
        }
        parts
    }

    fn title(&self, what: &str) -> String {
        format!("{}: {what}", self.report.name)
    }

    fn rows(&self, name: &str, what: &str, parts: Vec<String>, rows: NamedAmounts) -> Rows {
        Rows { name: name.to_string(), title: self.title(what), parts, rows }
    }

    /// Every action, used or not, and how it ended.
    fn actions(&self) -> Rows {
        let (spec, seen) = (&self.report.spec, self.seen());
        let map = spec.domain.map();
        let all: usize = seen.iter().map(|&npc| spec.domain.npc(npc).n_actions()).sum();
        let mut rows = NamedAmounts::new();
        for &npc in &seen {
            let mut sums: BTreeMap<String, [u64; 4]> = BTreeMap::new();
            for &action in spec.domain.npc(npc).actions() {
                let name = match all > ACTIONS {
                    true => spec.words.text(spec.action(action).template),
                    false => map.action(action),
                };
                let name = match seen.len() {
                    1 => name.to_string(),
                    _ => format!("{}: {name}", self.type_name(npc)),
                };
                let ends = as_steps(&self.own(npc).actions[action.index()]);
                let sum = sums.entry(name).or_default();
                sum.iter_mut().zip(ends).for_each(|(sum, more)| *sum += more);
            }
            let mut own: Vec<_> = sums.into_iter().collect();
            own.sort_by_key(|(_, ends)| std::cmp::Reverse(ends.iter().sum::<u64>()));
            let amounts = |ends: [u64; 4]| ends.iter().map(|&n| n as f64).collect();
            rows.extend(own.into_iter().map(|(name, ends)| (name, amounts(ends))));
        }
        let parts = ["done", "failed", "given up", "under way at the end"].map(str::to_string);
        let what = "how steps of plans ended; what is done without a plan is left out";
        self.rows("actions", what, parts.to_vec(), rows)
    }

    fn lengths(&self) -> Rows {
        let longest = self.seen().iter().map(|&npc| self.own(npc).longest()).max().unwrap_or(0);
        let row = |steps: usize| {
            let amount = |own: &TypeStats| own.lengths.get(steps).copied().unwrap_or(0);
            (crate::console::count(steps, "step"), self.by_part(amount))
        };
        let rows = (1..=longest.max(1)).map(row).collect();
        self.rows("lengths", "how long plans were", self.parts(), rows)
    }

    fn causes(&self) -> Rows {
        let mut causes: Vec<Cause> =
            self.seen().iter().flat_map(|&npc| self.own(npc).causes.keys().copied()).collect();
        causes.sort_unstable();
        causes.dedup();
        let row = |cause: Cause| {
            let amount = |own: &TypeStats| own.causes.get(&cause).copied().unwrap_or(0);
            (cause_words(cause).to_string(), self.by_part(amount))
        };
        let mut rows: NamedAmounts = causes.into_iter().map(row).collect();
        rows.sort_by(|a, b| b.1.iter().sum::<f64>().total_cmp(&a.1.iter().sum()));
        self.rows("causes", "why plans were asked for", self.parts(), rows)
    }

    /// Plans per second of all minds of a type together, over the time. Where a point stands for
    /// several seconds it is the busiest of them: a mean would hide the peaks that cost frames.
    fn over_time(&self) -> Figure {
        let stats = &self.lived.stats;
        let seconds = (stats.seconds().ceil() as usize).max(1);
        // A point is of whole stretches.
        let stretch = stats.stretch as usize;
        let each = seconds.div_ceil(POINTS).next_multiple_of(stretch);
        let parts = self.parts();
        let mut rates = vec![vec![0.0; seconds / stretch + 1]; parts.len()];
        let first = stats.pace.seconds(stats.first) as usize;
        for (at, &npc) in self.seen().iter().enumerate() {
            for (at_stretch, &plans) in self.own(npc).plans_over_time.iter().enumerate() {
                let line = rates.get_mut(at.min(TYPES));
                if let Some(sum) = line.and_then(|line| line.get_mut(at_stretch)) {
                    *sum += f64::from(plans) / stretch as f64;
                }
            }
        }
        let most = |seconds: &[f64]| seconds.iter().copied().fold(0.0, f64::max);
        let peaks = |line: Vec<f64>| line.chunks(each / stretch).map(most).collect::<Vec<f64>>();
        let line = |(colour, (name, seconds)): (usize, (String, Vec<f64>))| Line {
            name,
            colour,
            points: (0..)
                .zip(peaks(seconds))
                .map(|(at, y)| ((first + at * each) as f64, y))
                .collect(),
        };
        let panel = Panel {
            title: match each {
                1 => "all minds of a type together".to_string(),
                _ => format!("all minds of a type together, the most of each {each} seconds"),
            },
            x: Axis::linear("seconds"),
            y: Axis::linear("plans per second"),
            lines: parts.into_iter().zip(rates).enumerate().map(line).collect(),
        };
        let title = self.title("plans over time");
        Figure { name: "plans_over_time".to_string(), title, panels: vec![panel] }
    }
}

/// How often an action was done, failed, was given up and was under way at the end as a step of a
/// plan. Who has no plan does the same all day: that would make all other bars too short to see.
fn as_steps(counts: &ActionStats) -> [u64; 4] {
    let ActionStats { started, otherwise, done, failed, cancelled, otherwise_ends, .. } = *counts;
    let ends = [done, failed, cancelled];
    let [done, failed, given_up] =
        [0, 1, 2].map(|at: usize| ends[at].saturating_sub(otherwise_ends[at]));
    let ended = done + failed + given_up;
    let under_way = started.saturating_sub(otherwise).saturating_sub(ended);
    [done, failed, given_up, under_way]
}
