//! What a run came to: one object for programs, a page for people.
//!
//! In:   a [`Life`] that was lived, and its [`Figures`].
//! Out:  JSON, and lines.
//! Cost: one pass over the NPCs for the digest.

use super::figures::{Figures, TENTH_OF_A_FRAME, Times};
use super::{Life, Setup};
use crate::console::{Console, Fail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use throng::crowd::{Crowd, GoalSource, NpcHandle, PlanSource, Population};
use throng_base::text::grouped;

/// With fewer NPCs, bytes are told in all: tables and working memory do not grow with them, so that
/// a share of each would say nothing of a larger crowd.
const FEWEST_TO_SHARE: usize = 1000;

/// How many goals are listed for people.
const MOST_LISTED: usize = 5;

/// A run that was lived.
pub(crate) struct Summary<'l> {
    pub(crate) setup: &'l Setup,
    pub(crate) life: &'l Life,
    pub(crate) figures: &'l Figures,
    /// Milliseconds to make tables before the first frame.
    pub(crate) load_ms: f64,
}

impl Summary<'_> {
    fn people(&self) -> &Population {
        &self.life.people
    }

    /// The crowd of each type.
    fn crowds(&self) -> impl Iterator<Item = &Crowd> {
        self.setup.types.iter().filter_map(|&npc| self.people().crowd(npc))
    }

    /// A digest of all states, goals and plans at the end.
    fn digest(&self) -> String {
        format!("{:016x}", self.people().digest())
    }

    /// Bytes of the columns and of all, divided by the NPCs.
    fn bytes_per_npc(&self) -> [f64; 2] {
        let bytes = [self.people().column_bytes(), self.people().bytes()];
        bytes.map(|bytes| bytes as f64 / self.people().len().max(1) as f64)
    }

    /// What NPCs of a type want in turn, with who answers for it.
    fn goals_of<'s>(&'s self, crowd: &'s Crowd) -> impl Iterator<Item = (&'s str, GoalSource)> {
        let goals = self.life.goals_of(crowd.npc());
        goals.filter_map(|(name, goal)| Some((name, crowd.goal_source(goal)?)))
    }

    /// Who waited for what and behind whom, in names.
    fn waiting_for(&self) -> Option<[String; 3]> {
        let (npc_type, npc, why) = self.life.queued()?;
        let map = self.people().domain().map();
        let name = |kind, npc: NpcHandle| format!("{} {}", map.npc(kind), npc.row());
        let other = name(why.npc_type, why.npc);
        Some([name(npc_type, npc), map.variable(why.variable).to_string(), other])
    }

    /// All figures.
    pub(crate) fn json(&self) -> Value {
        let Summary { setup, life, figures, load_ms } = self;
        let (people, map) = (self.people(), self.people().domain().map());
        let (report, steps) = (&figures.report, &figures.applied);
        let (first_plan, first_whole) = figures.first();
        let phases = figures.phases().map(|[world, plan, apply, whole]| {
            json!({"world": world, "plan": plan, "apply": apply, "whole": whole})
        });
        let sources = self.crowds().map(|crowd| {
            let source = crowd.source();
            json!({
                "npc": map.npc(crowd.npc()), "npcs": crowd.len(), "source": source.by.name(),
                "because": source.to_string(), "states": source.states,
                "tables": source.tables, "table_bytes": source.table_bytes,
                "lists": source.lists, "longest_list": source.list_entries,
                "goals": self.goals_of(crowd).map(|(goal, it)| json!({
                    "goal": goal, "source": it.by.name(), "because": it.to_string(),
                    "no_table": it.no_table.map(|why| json!({
                        "reason": why.name(), "sentence": why.sentence(crowd.settings()).to_string(),
                    })),
                })).collect::<Vec<_>>(),
            })
        });
        let refused = life.refusals().into_iter().map(|it| {
            json!({"npc": map.npc(it.npc), "goal": it.goal, "times": it.n, "reason": it.reason})
        });
        let [columns_per_npc, all_per_npc] = self.bytes_per_npc();
        let (per_plan, per_whole) = figures.per_second();
        json!({
            "domain": map.domain(), "npcs": people.len(), "types": setup.types.len(),
            "groups": setup.groups, "frames": life.n_frames(), "threads": setup.threads,
            "seed": setup.seed, "load_ms": load_ms,
            "first_frame_ms": {"plan": first_plan, "whole": first_whole},
            // What a phase is compared with.
            "tenth_of_a_frame_ms": TENTH_OF_A_FRAME,
            "frame_ms": phases,
            "answers": {
                "served": report.served, "looked_up": report.looked_up,
                "remembered": report.remembered, "computed": report.computed,
                "listed": report.listed, "planned": report.planned, "searched": report.searched,
                "plans": report.plans, "satisfied": report.satisfied,
                "impossible": report.impossible, "gave_up": report.gave_up,
                // Waiting at the end, and the most that waited after a frame.
                "deferred": report.deferred, "most_deferred": figures.most_deferred,
                "nodes": report.nodes, "tables_made": report.tables,
            },
            // Blocked are those that came too late; queued, in all frames together, those that
            // waited for what another had claimed.
            "steps": {
                "done": steps.moved, "arrived": steps.arrived, "blocked": steps.blocked,
                "queued": steps.queued,
            },
            "claims": {
                "given": report.claimed, "queued": report.queued,
                "most_queued": figures.most_queued,
                "for_example": self.waiting_for().map(|[npc, variable, other]| json!({
                    "npc": npc, "waited_for": variable, "behind": other,
                })),
            },
            "refused": refused.collect::<Vec<_>>(),
            "sources": sources.collect::<Vec<_>>(),
            "bytes": {
                "columns": people.column_bytes(), "all": people.bytes(),
                "columns_per_npc": columns_per_npc, "all_per_npc": all_per_npc,
            },
            // Of the time spent planning, and of all time.
            "answers_per_second": {"plan": per_plan, "whole": per_whole},
            "digest": self.digest(),
        })
    }

    /// The page for people.
    pub(crate) fn print(&self, page: &mut Console<'_>) -> Result<(), Fail> {
        let Setup { types, groups, threads, seed, .. } = self.setup;
        let map = self.people().domain().map();
        writeln!(
            page,
            "{}: {} of {} in {}, {} on {}, seed {seed}",
            map.domain(),
            count(self.people().len() as u64, "NPC"),
            count(types.len() as u64, "type"),
            count((*groups).into(), "group"),
            count(self.life.n_frames(), "frame"),
            count(*threads as u64, "thread"),
        )?;
        self.write_times(page)?;
        self.write_answers(page)?;
        self.write_refused(page)?;
        writeln!(page, "\nwhere the plans come from")?;
        let name = |crowd: &Crowd| map.npc(crowd.npc());
        let width = self.crowds().map(|crowd| name(crowd).len()).max().unwrap_or(0);
        for crowd in self.crowds() {
            let (npc, source) = (name(crowd), crowd.source());
            let made = match (source.tables, source.lists) {
                (0, 0) => String::new(),
                (0, n) => format!(" ({})", count(n as u64, "list")),
                (n, _) => format!(" ({})", count(n as u64, "table")),
            };
            writeln!(page, "  {npc:width$}  {:7}  {source}{made}", source.by.name())?;
            self.write_goals(page, crowd, width)?;
        }
        self.write_bytes(page)?;
        writeln!(page, "\nanswers per second")?;
        let (plan, whole) = self.figures.per_second();
        writeln!(page, "  {:>13}  of the time spent planning", grouped(plan as u64))?;
        writeln!(page, "  {:>13}  of all time, world and steps included", grouped(whole as u64))?;
        writeln!(
            page,
            "\ndigest of all states, goals and plans: {} (the same for any number of threads)",
            self.digest()
        )
    }

    /// Who answers for each goal of a type and why no table does, in one line those of which the
    /// same is to be said.
    fn write_goals(&self, page: &mut Console<'_>, crowd: &Crowd, width: usize) -> Result<(), Fail> {
        let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, it) in self.goals_of(crowd) {
            let mut line = format!("{:7}  ", it.by.name());
            if it.by == PlanSource::Lists || it.no_list.is_some() {
                let _ = write!(line, "{it}; ");
            }
            let _ = match it.no_table {
                Some(why) => write!(line, "no table: {}", why.sentence(crowd.settings())),
                None => write!(line, "{it}"),
            };
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, names)) => names.push(name),
                None => lines.push((line, vec![name])),
            }
        }
        // The type's own line says it already.
        let is_told = self.goals_of(crowd).all(|(_, it)| it.no_table.is_none());
        for (line, names) in lines.into_iter().filter(|_| !is_told) {
            let more = match names.len().saturating_sub(MOST_LISTED) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let names = names[..names.len().min(MOST_LISTED)].join(", ");
            let (by, why) = line.split_at(9);
            writeln!(page, "  {:width$}  {by}for {names}{more}: {why}", "")?;
        }
        Ok(())
    }

    fn write_times(&self, page: &mut Console<'_>) -> Result<(), Fail> {
        writeln!(page, "\nmilliseconds     median       p99     p99.9     worst   within 1.67 ms")?;
        let names = ["world, goals", "plan", "steps", "whole frame"];
        for (name, times) in names.into_iter().zip(self.figures.phases().into_iter().flatten()) {
            let Times { median, p99, p999, worst, within } = times;
            let p999 = p999.map_or_else(|| "-".to_string(), |ms| format!("{ms:.3}"));
            writeln!(
                page,
                "  {name:12} {median:9.3} {p99:9.3} {p999:>9} {worst:9.3} {:12.1} %",
                within * 100.0
            )?;
        }
        let (plan, whole) = self.figures.first();
        writeln!(
            page,
            "  first frame  {whole:9.3}, of which planning {plan:.3}: everybody waits, told apart"
        )?;
        let has_lists = self.crowds().any(|crowd| crowd.source().lists > 0);
        let made = if has_lists { "tables and lists" } else { "tables" };
        match self.load_ms > 0.0 {
            true => writeln!(page, "  at load      {:9.3}: {made}", self.load_ms),
            false => Ok(()),
        }
    }

    fn write_bytes(&self, page: &mut Console<'_>) -> Result<(), Fail> {
        let people = self.people();
        let (title, [columns, all]) = match people.len() < FEWEST_TO_SHARE {
            true => ("bytes", [people.column_bytes(), people.bytes()].map(of)),
            false => ("bytes per NPC", self.bytes_per_npc().map(|each| format!("{each:.1}"))),
        };
        writeln!(page, "\n{title}")?;
        writeln!(page, "  {columns:>13}  columns: what grows with the crowd")?;
        writeln!(page, "  {all:>13}  with tables, plans, memory of answers, working memory")
    }

    fn write_answers(&self, page: &mut Console<'_>) -> Result<(), Fail> {
        let (answers, steps) = (&self.figures.report, &self.figures.applied);
        writeln!(page, "\n{} answers, by where they came from", of(answers.served))?;
        let sources = [
            (answers.looked_up, "looked up in tables"),
            (answers.remembered, "remembered"),
            (answers.computed, "computed by the wide kernel"),
            (answers.listed, "found in lists of demands"),
            (answers.planned, "planned without search"),
            (answers.searched, "searched"),
        ];
        list_shares(page, &sources, answers.served)?;
        writeln!(page, "and by what they were")?;
        let kinds = [
            (answers.plans, "plans to follow"),
            (answers.satisfied, "satisfied already"),
            (answers.impossible, "impossible, which is proven"),
            (answers.gave_up, "given up at a limit"),
        ];
        list_shares(page, &kinds, answers.served)?;
        writeln!(
            page,
            "{} steps done, {} goals reached, {} steps that came too late\n\
             {} wait at the end; after no frame more than {}",
            of(steps.moved),
            of(steps.arrived),
            of(steps.blocked),
            of(answers.deferred),
            of(self.figures.most_deferred)
        )?;
        if answers.claimed == 0 {
            return Ok(());
        }
        writeln!(
            page,
            "{} claims given to what groups share; {} stand in line at the end, after no frame \
             more than {}",
            of(answers.claimed),
            of(answers.queued),
            of(self.figures.most_queued)
        )?;
        match self.waiting_for() {
            Some([npc, variable, other]) => {
                writeln!(page, "for example {npc} waited for {variable}, behind {other}")
            }
            None => Ok(()),
        }
    }

    fn write_refused(&self, page: &mut Console<'_>) -> Result<(), Fail> {
        let refused = self.life.refusals();
        if refused.is_empty() {
            return Ok(());
        }
        writeln!(
            page,
            "\ngoals that NPCs looked for in vain most often, and what one of them was told"
        )?;
        for it in refused.iter().take(MOST_LISTED) {
            let npc = self.people().domain().map().npc(it.npc);
            writeln!(page, "  {:>13}  {npc} → {}", grouped(it.n), it.goal)?;
            if !it.reason.is_empty() {
                writeln!(page, "                 {}", it.reason)?;
            }
        }
        Ok(())
    }
}

fn list_shares(page: &mut Console<'_>, rows: &[(usize, &str)], all: usize) -> Result<(), Fail> {
    for &(n, what) in rows.iter().filter(|(n, _)| *n > 0) {
        let share = n as f64 * 100.0 / all.max(1) as f64;
        writeln!(page, "  {:>13}  {share:5.1} %  {what}", of(n))?;
    }
    Ok(())
}

/// A number with its thousands apart.
fn of(n: usize) -> String {
    grouped(n as u64)
}

fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}
