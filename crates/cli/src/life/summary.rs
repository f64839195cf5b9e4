//! What a run came to: one object for programs, a page for people.
//!
//! In:   a [`Life`] that was lived, and its [`Figures`].
//! Out:  a [`Summary`] that serializes, and its lines.
//! Cost: one pass over the NPCs for the digest.

use super::figures::{Figures, TENTH_OF_A_FRAME, Times};
use super::{Life, Setup};
use serde::Serialize;
use std::fmt::Write as _;
use throng_base::text::grouped;

/// With fewer NPCs, bytes are told in all: tables and working memory do not grow with them, so that
/// a share of each would say nothing of a larger crowd.
const FEWEST_TO_SHARE: usize = 1000;

/// How many refused goals are listed for people.
const MOST_LISTED: usize = 5;

/// All figures of a run.
#[derive(Serialize)]
pub(crate) struct Summary {
    pub(crate) domain: String,
    pub(crate) npcs: usize,
    pub(crate) types: usize,
    pub(crate) groups: u16,
    pub(crate) frames: u64,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    /// Milliseconds to make tables before the first frame.
    pub(crate) load_ms: f64,
    pub(crate) first_frame_ms: FirstFrame,
    /// What a phase is compared with.
    pub(crate) tenth_of_a_frame_ms: f64,
    pub(crate) frame_ms: Option<Phases>,
    pub(crate) answers: Answers,
    pub(crate) steps: Steps,
    pub(crate) refused: Vec<Refused>,
    pub(crate) sources: Vec<SourceShape>,
    pub(crate) bytes: Bytes,
    pub(crate) answers_per_second: PerSecond,
    /// Of all states, goals and plans at the end.
    pub(crate) digest: String,
}

#[derive(Serialize)]
pub(crate) struct FirstFrame {
    pub(crate) plan: f64,
    pub(crate) whole: f64,
}

#[derive(Serialize)]
pub(crate) struct Phases {
    pub(crate) world: Times,
    pub(crate) plan: Times,
    pub(crate) apply: Times,
    pub(crate) whole: Times,
}

/// How NPCs were answered, over all frames.
#[derive(Serialize)]
pub(crate) struct Answers {
    pub(crate) served: usize,
    pub(crate) looked_up: usize,
    pub(crate) remembered: usize,
    pub(crate) computed: usize,
    pub(crate) planned: usize,
    pub(crate) searched: usize,
    pub(crate) plans: usize,
    pub(crate) satisfied: usize,
    pub(crate) impossible: usize,
    pub(crate) gave_up: usize,
    /// Waiting at the end, and the most that waited after a frame.
    pub(crate) deferred: usize,
    pub(crate) most_deferred: usize,
    pub(crate) nodes: u64,
    pub(crate) tables_made: usize,
}

#[derive(Serialize)]
pub(crate) struct Steps {
    pub(crate) done: usize,
    pub(crate) arrived: usize,
    pub(crate) blocked: usize,
}

#[derive(Serialize)]
pub(crate) struct Refused {
    pub(crate) npc: String,
    pub(crate) goal: String,
    pub(crate) times: u64,
    pub(crate) reason: String,
}

#[derive(Serialize)]
pub(crate) struct SourceShape {
    pub(crate) npc: String,
    pub(crate) npcs: usize,
    pub(crate) source: &'static str,
    pub(crate) because: String,
    pub(crate) states: Option<u64>,
    pub(crate) tables: usize,
    pub(crate) table_bytes: usize,
}

#[derive(Serialize)]
pub(crate) struct Bytes {
    pub(crate) columns: usize,
    pub(crate) all: usize,
    pub(crate) columns_per_npc: f64,
    pub(crate) all_per_npc: f64,
}

#[derive(Serialize)]
pub(crate) struct PerSecond {
    /// Of time spent planning.
    pub(crate) plan: f64,
    /// Of all time.
    pub(crate) whole: f64,
}

impl Summary {
    pub(crate) fn new(setup: &Setup, life: &Life, figures: &Figures, load_ms: f64) -> Summary {
        let people = life.people();
        let map = people.domain().map();
        let Figures { report, applied, most_deferred, .. } = figures;
        let (plan, whole) = figures.first();
        let sources = setup.types.iter().filter_map(|&npc| {
            let crowd = people.crowd(npc)?;
            let source = crowd.source();
            Some(SourceShape {
                npc: map.npc(npc).to_string(),
                npcs: crowd.len(),
                source: source.by.name(),
                because: source.to_string(),
                states: source.states,
                tables: source.tables,
                table_bytes: source.table_bytes,
            })
        });
        let refused = life.refusals().into_iter().map(|refusal| Refused {
            npc: map.npc(refusal.npc).to_string(),
            goal: refusal.goal.to_string(),
            times: refusal.n,
            reason: refusal.reason.to_string(),
        });
        let (columns, all) = (people.column_bytes(), people.bytes());
        let per_npc = |bytes: usize| bytes as f64 / people.len().max(1) as f64;
        let (per_plan, per_whole) = figures.per_second();
        Summary {
            domain: map.domain().to_string(),
            npcs: people.len(),
            types: setup.types.len(),
            groups: setup.groups,
            frames: life.n_frames(),
            threads: setup.threads,
            seed: setup.seed,
            load_ms,
            first_frame_ms: FirstFrame { plan, whole },
            tenth_of_a_frame_ms: TENTH_OF_A_FRAME,
            frame_ms: figures.phases().map(|[world, plan, apply, whole]| Phases {
                world,
                plan,
                apply,
                whole,
            }),
            answers: Answers {
                served: report.served,
                looked_up: report.looked_up,
                remembered: report.remembered,
                computed: report.computed,
                planned: report.planned,
                searched: report.searched,
                plans: report.plans,
                satisfied: report.satisfied,
                impossible: report.impossible,
                gave_up: report.gave_up,
                deferred: report.deferred,
                most_deferred: *most_deferred,
                nodes: report.nodes,
                tables_made: report.tables,
            },
            steps: Steps {
                done: applied.moved,
                arrived: applied.arrived,
                blocked: applied.blocked,
            },
            refused: refused.collect(),
            sources: sources.collect(),
            bytes: Bytes {
                columns,
                all,
                columns_per_npc: per_npc(columns),
                all_per_npc: per_npc(all),
            },
            answers_per_second: PerSecond { plan: per_plan, whole: per_whole },
            digest: format!("{:016x}", people.digest()),
        }
    }

    /// The page for people.
    pub(crate) fn text(&self) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut page);
        page
    }

    fn write(&self, page: &mut String) -> std::fmt::Result {
        let Summary { domain, npcs, types, groups, frames, threads, seed, .. } = self;
        writeln!(
            page,
            "{domain}: {} of {} in {}, {} on {}, seed {seed}",
            count(*npcs as u64, "NPC"),
            count(*types as u64, "type"),
            count((*groups).into(), "group"),
            count(*frames, "frame"),
            count(*threads as u64, "thread"),
        )?;
        self.write_times(page)?;
        self.write_answers(page)?;
        self.write_refused(page)?;
        writeln!(page, "\nwhere the plans come from")?;
        let width = self.sources.iter().map(|source| source.npc.len()).max().unwrap_or(0);
        for source in &self.sources {
            let SourceShape { npc, source, because, tables, .. } = source;
            let tables = match tables {
                0 => String::new(),
                &n => format!(" ({})", count(n as u64, "table")),
            };
            writeln!(page, "  {npc:width$}  {source:7}  {because}{tables}")?;
        }
        self.write_bytes(page)?;
        writeln!(page, "\nanswers per second")?;
        let PerSecond { plan, whole } = self.answers_per_second;
        writeln!(page, "  {:>13}  of the time spent planning", grouped(plan as u64))?;
        writeln!(page, "  {:>13}  of all time, world and steps included", grouped(whole as u64))?;
        writeln!(
            page,
            "\ndigest of all states, goals and plans: {} (the same for any number of threads)",
            self.digest
        )
    }

    fn write_times(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "\nmilliseconds     median       p99     p99.9     worst   within 1.67 ms")?;
        if let Some(Phases { world, plan, apply, whole }) = &self.frame_ms {
            let names = ["world, goals", "plan", "steps", "whole frame"];
            for (name, times) in names.into_iter().zip([world, plan, apply, whole]) {
                let Times { median, p99, p999, worst, within } = times;
                let p999 = p999.map_or_else(|| "-".to_string(), |ms| format!("{ms:.3}"));
                writeln!(
                    page,
                    "  {name:12} {median:9.3} {p99:9.3} {p999:>9} {worst:9.3} {:12.1} %",
                    within * 100.0
                )?;
            }
        }
        let FirstFrame { plan, whole } = self.first_frame_ms;
        writeln!(
            page,
            "  first frame  {whole:9.3}, of which planning {plan:.3}: everybody waits, told apart"
        )?;
        if self.load_ms > 0.0 {
            writeln!(page, "  at load      {:9.3}: tables", self.load_ms)?;
        }
        Ok(())
    }

    fn write_bytes(&self, page: &mut String) -> std::fmt::Result {
        let Bytes { columns, all, columns_per_npc, all_per_npc } = self.bytes;
        let (title, [columns, all]) = match self.npcs < FEWEST_TO_SHARE {
            true => ("bytes", [columns, all].map(|bytes| grouped(bytes as u64))),
            false => {
                ("bytes per NPC", [columns_per_npc, all_per_npc].map(|each| format!("{each:.1}")))
            }
        };
        writeln!(page, "\n{title}")?;
        writeln!(page, "  {columns:>13}  columns: what grows with the crowd")?;
        writeln!(page, "  {all:>13}  with tables, plans, memory of answers, working memory")
    }

    fn write_answers(&self, page: &mut String) -> std::fmt::Result {
        let Answers { served, .. } = self.answers;
        writeln!(page, "\n{} answers, by where they came from", grouped(served as u64))?;
        let sources = [
            (self.answers.looked_up, "looked up in tables"),
            (self.answers.remembered, "remembered"),
            (self.answers.computed, "computed by the wide kernel"),
            (self.answers.planned, "planned without search"),
            (self.answers.searched, "searched"),
        ];
        list_shares(page, &sources, served)?;
        writeln!(page, "and by what they were")?;
        let kinds = [
            (self.answers.plans, "plans to follow"),
            (self.answers.satisfied, "satisfied already"),
            (self.answers.impossible, "impossible, which is proven"),
            (self.answers.gave_up, "given up at a limit"),
        ];
        list_shares(page, &kinds, served)?;
        writeln!(
            page,
            "{} steps done, {} goals reached, {} steps that came too late",
            grouped(self.steps.done as u64),
            grouped(self.steps.arrived as u64),
            grouped(self.steps.blocked as u64)
        )?;
        writeln!(
            page,
            "{} wait at the end; after no frame more than {}",
            grouped(self.answers.deferred as u64),
            grouped(self.answers.most_deferred as u64)
        )
    }

    fn write_refused(&self, page: &mut String) -> std::fmt::Result {
        if self.refused.is_empty() {
            return Ok(());
        }
        writeln!(
            page,
            "\ngoals that NPCs looked for in vain most often, and what one of them was told"
        )?;
        for Refused { npc, goal, times, reason } in self.refused.iter().take(MOST_LISTED) {
            writeln!(page, "  {:>13}  {npc} → {goal}", grouped(*times))?;
            if !reason.is_empty() {
                writeln!(page, "                 {reason}")?;
            }
        }
        Ok(())
    }
}

fn list_shares(page: &mut String, rows: &[(usize, &str)], of: usize) -> std::fmt::Result {
    for &(n, what) in rows.iter().filter(|(n, _)| *n > 0) {
        let share = n as f64 * 100.0 / of.max(1) as f64;
        writeln!(page, "  {:>13}  {share:5.1} %  {what}", grouped(n as u64))?;
    }
    Ok(())
}

fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}
