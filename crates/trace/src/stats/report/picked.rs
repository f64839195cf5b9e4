//! What was picked, and why minds had nothing to do, for people.
//!
//! In:   what was counted of selections and of idle time.
//! Out:  a table, and a line for each reason.
//! Cost: linear in what is told.

use super::page::Page;
use super::{Lived, StatsReport};
use crate::stats::{QuestionStats, TypeStats};
use throng_base::text::count;
use throng_mind::inspect::EmptyReason;

impl Page {
    /// What was picked, for how long, and why nothing was.
    pub(super) fn selects(&mut self, report: &StatsReport, own: &TypeStats, lived: &Lived) {
        let used = report.selects(own);
        if used.is_empty() {
            return;
        }
        let (map, pace) = (report.spec.domain.map(), lived.stats.pace);
        let seconds = |ticks: u64| pace.seconds(1) * ticks as f64;
        let told = |ticks: u64| format!("{:.1}", seconds(ticks));
        let minutes = seconds(own.ticks) / 60.0;
        let head = ["    select", "held s", "empty s", "though known s", "switches/min"];
        let more = ["for better", "doubled s", "claims lost"];
        let mut rows = vec![head.iter().chain(&more).map(ToString::to_string).collect::<Vec<_>>()];
        for (select, counts) in &used {
            // What does not apply is not a nought.
            let if_any = |applies: bool, text: String| match applies {
                true => text,
                false => "-".to_string(),
            };
            rows.push(vec![
                format!("    {}", map.select(select.select)),
                told(counts.held),
                told(counts.empty_ticks()),
                told(counts.empty_though_known()),
                format!("{:.1}", counts.switches as f64 / minutes),
                counts.outbid.to_string(),
                if_any(select.slots.len() == 1, told(counts.doubled)),
                if_any(select.claims.is_some(), counts.taken.to_string()),
            ]);
        }
        self.heading("  What was picked");
        self.table(&rows);
        for (select, counts) in used {
            let why = EmptyReason::ALL.into_iter().filter(|why| why.is_known());
            let some = why.filter(|why| counts.empty_for(*why) > 0);
            let words: Vec<String> = some
                .map(|why| {
                    format!("{} {}", seconds_of(seconds(counts.empty_for(why))), why.words())
                })
                .collect();
            if !words.is_empty() {
                let name = map.select(select.select);
                self.list(&format!("    {name} empty though something was known: "), &words);
            }
        }
    }

    /// Why they had nothing to do.
    pub(super) fn idle(&mut self, report: &StatsReport, own: &TypeStats, lived: &Lived) {
        let reasons = report.idle(own);
        if reasons.is_empty() {
            return;
        }
        self.heading("  Nothing to do, or only what is done without a plan");
        let seconds = |ticks: u64| seconds_of(lived.stats.pace.seconds(1) * ticks as f64);
        let times: Vec<String> = reasons.iter().map(|(_, ticks)| seconds(*ticks)).collect();
        let width = times.iter().map(String::len).max().unwrap_or(0);
        for (time, (why, _)) in times.iter().zip(&reasons) {
            self.line(&format!("    {time:>width$}  {why}"));
        }
    }

    /// What they asked the game, and how soon it answered.
    pub(super) fn questions(&mut self, own: &TypeStats, lived: &Lived) {
        let QuestionStats { asked, answered, late, ticks, unanswered } = own.questions;
        if asked + unanswered == 0 {
            return;
        }
        let each = lived.stats.pace.seconds(1) * ticks as f64 / answered.max(1) as f64;
        let asked = count(asked as usize, "question");
        self.line(&format!(
            "  asked the game: {asked}, {answered} answered after {} each, {late} of them late, \
             {unanswered} never",
            seconds_of(each)
        ));
    }
}

/// `1.2 s`.
fn seconds_of(seconds: f64) -> String {
    format!("{seconds:.1} s")
}
