//! The page of statistics: how much minds plan, and what is done.
//!
//! In:   what was counted.
//! Out:  lines.
//! Cost: linear in what is told.

use super::{LISTED, Lived, NAMED, StatsReport, WIDTH, minds_and_squads};
use crate::stats::{ActionStats, MindStats, TaskStats, TypeStats};
use throng_base::text::{columns, count, grouped};
use throng_domain::model::NpcTypeId;
use throng_mind::inspect::cause_words;
use throng_mind::words::Word;

/// A page that grows.
pub(super) struct Page {
    pub(super) lines: Vec<String>,
    pub(super) width: fn(&str) -> usize,
}

impl Page {
    pub(super) fn line(&mut self, text: &str) {
        self.lines.push(text.trim_end().to_string());
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.line("");
        self.line(text);
    }

    /// Rows in columns: the first to the left, the others to the right.
    pub(super) fn table(&mut self, rows: &[Vec<String>]) {
        self.lines.extend(columns(rows, 1, self.width));
    }

    /// Words behind a head, separated by commas, wrapped below the first of them; of very many, the
    /// first.
    pub(super) fn list(&mut self, head: &str, words: &[String]) {
        let more = words.len().saturating_sub(NAMED);
        let rest = (more > 0).then(|| format!("… and {} more", grouped(more as u64)));
        let words: Vec<&str> = words.iter().take(NAMED).chain(&rest).map(String::as_str).collect();
        self.wrapped(head, &words, ", ");
    }

    /// Parts behind a head, with a gap between them, wrapped below the first.
    pub(super) fn wrapped(&mut self, head: &str, parts: &[&str], gap: &str) {
        let (mut line, indent) = (head.to_string(), (self.width)(head));
        for (at, part) in parts.iter().enumerate() {
            if (self.width)(&line) + (self.width)(part) > WIDTH && line.trim() != head.trim() {
                self.line(&line);
                line = " ".repeat(indent);
            }
            line.push_str(part);
            line.push_str(if at + 1 < parts.len() { gap } else { "" });
        }
        self.line(&line);
    }

    /// How much minds plan.
    pub(super) fn overview(&mut self, report: &StatsReport, lived: &Lived) {
        let stats = &lived.stats;
        let is_squad =
            |mind: &&MindStats| report.spec.squads.iter().any(|squad| squad.npc == mind.npc);
        let squads = stats.minds.values().filter(is_squad).count();
        let minds = minds_and_squads(stats.minds.len() - squads, squads);
        let ticks = count(stats.ticks() as usize, "tick");
        self.line(&format!("{}: {:.1} s, {ticks}, {minds}", report.name, stats.seconds()));
        self.line("");
        let head = [
            "NPC type",
            "minds",
            "plans",
            "plans/s each",
            "steps",
            "longest",
            "no plan",
            "content",
        ];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        for &npc in &report.types {
            let own = &stats.types[npc.index()];
            rows.push(vec![
                report.spec.domain.map().npc(npc).to_string(),
                own.minds.to_string(),
                own.plans.to_string(),
                format!("{:.3}", stats.rate_of_type(own)),
                format!("{:.1}", own.mean_length()),
                own.longest().to_string(),
                own.no_plans.to_string(),
                own.content.to_string(),
            ]);
        }
        self.table(&rows);
        let told = |npc: NpcTypeId| report.types.contains(&npc);
        let mut busiest: Vec<_> = stats.minds.iter().filter(|(_, mind)| told(mind.npc)).collect();
        busiest.sort_by(|a, b| stats.rate_of(b.1).total_cmp(&stats.rate_of(a.1)));
        if busiest.len() > 1 {
            let one = |(who, mind): &(&u32, &MindStats)| {
                format!("{} {:.3}/s", lived.name(**who), stats.rate_of(mind))
            };
            let words: Vec<String> = busiest.iter().take(LISTED).map(one).collect();
            self.heading("Who plans most often");
            self.list("  ", &words);
        }
    }

    /// All about a type that was seen.
    pub(super) fn lived(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let (spec, own) = (&report.spec, &lived.stats.types[npc.index()]);
        let map = spec.domain.map();
        if own.minds == 0 {
            return self.heading(&format!("{}: nobody was there", map.npc(npc)));
        }
        self.heading(&format!("{}: what was done", map.npc(npc)));
        self.actions(report, lived, npc);
        self.tasks(report, lived, npc);
        self.goals(report, own, npc, lived);
        self.selects(report, own, lived);
        self.idle(report, own, lived);
        self.questions(own, lived);
        if own.waits > 0 {
            let times = own.waits;
            self.line(&format!("  waited for their turn to plan: {times} times"));
        }
        self.heading("  Plan lengths");
        let some = |(_, plans): &(usize, &u64)| **plans > 0;
        let lengths = own.lengths.iter().enumerate().filter(some);
        let length = |(steps, plans)| format!("{} × {plans}", count(steps, "step"));
        let mut lengths: Vec<String> = lengths.map(length).collect();
        if lengths.is_empty() {
            lengths.push("no plan was made".to_string());
        }
        self.list("    ", &lengths);
        self.heading("  Why a plan was asked for");
        let mut causes: Vec<_> = own.causes.iter().collect();
        causes.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        self.counted(causes.into_iter().map(|(cause, times)| (*times, cause_words(*cause))));
        if !own.reasons.is_empty() {
            self.heading("  Why there was no plan");
            let mut reasons: Vec<_> = own.reasons.iter().collect();
            reasons.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
            let more = reasons.len().saturating_sub(LISTED);
            let listed = reasons.into_iter().take(LISTED);
            self.counted(listed.map(|(why, times)| (*times, why.as_str())));
            if more > 0 {
                self.line(&format!("    and {}", count(more, "other reason")));
            }
        }
    }

    pub(super) fn counted<'t>(&mut self, rows: impl Iterator<Item = (u64, &'t str)>) {
        let rows: Vec<(u64, &str)> = rows.collect();
        let width = rows.iter().map(|(times, _)| times.to_string().len()).max().unwrap_or(0);
        for (times, text) in rows {
            self.line(&format!("    {times:>width$} × {text}"));
        }
    }

    fn actions(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let (spec, stats) = (&report.spec, &lived.stats);
        let own = &stats.types[npc.index()];
        let head = ["  action", "planned", "started", "done", "failed", "given up", "s each"];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        let (mut used, never): (Vec<_>, Vec<_>) =
            report.actions(own, npc).into_iter().partition(|(_, counts)| counts.is_used());
        used.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.started));
        let flavours = spec.flavours.iter().zip(&own.flavours);
        let flavours = flavours.filter(|(_, counts)| counts.started > 0);
        used.extend(flavours.map(|(f, counts)| (spec.words.text(f.name).to_string(), *counts)));
        let besides = spec.besides.iter().zip(&own.besides);
        let besides = besides.filter(|(_, counts)| counts.started > 0);
        let beside = |name| format!("beside {}", spec.words.text(name));
        used.extend(besides.map(|(it, counts)| (beside(it.name), *counts)));
        for (name, counts) in used {
            let ends = counts.done + counts.failed + counts.cancelled;
            let each = stats.pace.seconds(1) * counts.ticks as f64 / ends.max(1) as f64;
            let numbers =
                [counts.planned, counts.started, counts.done, counts.failed, counts.cancelled];
            let numbers = numbers.into_iter().map(|n| n.to_string());
            let mut row = vec![format!("  {name}")];
            row.extend(numbers.chain([format!("{each:.1}")]));
            rows.push(row);
        }
        self.table(&rows);
        if !never.is_empty() {
            let names: Vec<String> = never.into_iter().map(|(name, _)| name).collect();
            self.list(&format!("  never used ({}): ", names.len()), &names);
        }
        self.mishaps(report, npc, own);
    }

    /// What became of the tasks that squads of this type gave.
    fn tasks(&mut self, report: &StatsReport, lived: &Lived, npc: NpcTypeId) {
        let is_squad = report.spec.squads.iter().any(|squad| squad.npc == npc);
        if is_squad && !lived.knows_tasks {
            return self.heading("  Tasks: unknown, as their ends are not in minds alone");
        }
        let own = lived.stats.tasks.iter().filter(|((squad, _), _)| *squad == npc);
        let row = |(&(_, what), counts): (&(NpcTypeId, Word), &TaskStats)| {
            let TaskStats { given, done, refused, cancelled, timed_out, dead, failed } = *counts;
            let name = [format!("    {}", report.spec.words.text(what))];
            let numbers = [given, done, refused, cancelled, timed_out, dead, failed];
            name.into_iter().chain(numbers.map(|n| n.to_string())).collect::<Vec<String>>()
        };
        let mut rows: Vec<Vec<String>> = own.map(row).collect();
        if rows.is_empty() {
            return;
        }
        let head =
            ["    task", "given", "done", "refused", "cancelled", "timed out", "dead", "failed"];
        rows.insert(0, head.map(str::to_string).to_vec());
        self.heading("  Tasks");
        self.table(&rows);
    }

    /// What went otherwise than planned.
    fn mishaps(&mut self, report: &StatsReport, npc: NpcTypeId, own: &TypeStats) {
        let all = report.actions(own, npc);
        type Pick = fn(&ActionStats) -> u64;
        let kinds: [(&str, Pick); 4] = [
            ("done by the world already", |counts| counts.skipped),
            ("done without effect", |counts| counts.no_effect),
            ("not trusted for a while", |counts| counts.doubted),
            ("learnt", |counts| counts.learnt),
        ];
        for (what, pick) in kinds {
            let times = all.iter().map(|(name, counts)| (name, pick(counts)));
            let some = times.filter(|(_, times)| *times > 0);
            let words: Vec<String> =
                some.map(|(name, times)| format!("{name} × {times}")).collect();
            if !words.is_empty() {
                self.list(&format!("  {what}: "), &words);
            }
        }
    }

    fn goals(&mut self, report: &StatsReport, own: &TypeStats, npc: NpcTypeId, lived: &Lived) {
        self.line("");
        let head = ["  goal", "chosen", "plans", "s pursued", "of the time"];
        let mut rows = vec![head.map(str::to_string).to_vec()];
        let share = |ticks: u64| format!("{:.0} %", 100.0 * ticks as f64 / own.ticks as f64);
        let seconds = |ticks: u64| format!("{:.1}", lived.stats.pace.seconds(1) * ticks as f64);
        for (name, counts) in report.goals(own, npc) {
            rows.push(vec![
                format!("  {name}"),
                counts.chosen.to_string(),
                counts.plans.to_string(),
                seconds(counts.ticks),
                share(counts.ticks),
            ]);
        }
        let (none, time) = ("  (no goal)".to_string(), seconds(own.idle));
        rows.push(vec![none, String::new(), String::new(), time, share(own.idle)]);
        self.table(&rows);
    }
}
