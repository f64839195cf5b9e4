//! How often everybody is right: all pairs of states of every NPC type of the papers' games.
//!
//! In:   the four domains; start and goal are any two full states of a type.
//! Out:  for each domain and planner how many answers are right, longer, no plans, refusals.
//! Cost: half a minute.
//!
//! The truth comes from a plain search that knows nothing of planning.

use super::{OURS, PRINTED, name_of, slug};
use crate::judge::{Count, Question, Verdict};
use crate::printed::Tables;
use crate::record::Record;
use crate::report::{BenchResult, Session};
use crate::town::{self, Ours, spread};
use crate::truth::{NO_WAY, States};
use throng_domain::compile::{LocalFact, LocalVariable, NpcTables, PackedValue};
use throng_domain::model::Fact;
use throng_planner::PreparedDomain;

const DOMAINS: [&str; 4] = ["western_restricted", "western", "citizens", "machines"];

/// The answers of one planner to all questions of a domain.
pub(super) struct Row {
    pub(super) domain: &'static str,
    pub(super) who: &'static str,
    pub(super) count: Count,
}

impl Row {
    /// What is wrong about it, if it is ours.
    pub(super) fn fault(&self) -> Option<String> {
        let right = self.count.of(Verdict::Right);
        (self.who == OURS && right < self.count.all).then(|| {
            format!(
                "{}: {} of {} pairs are not right",
                self.domain,
                self.count.all - right,
                self.count.all
            )
        })
    }
}

/// How many answers of each printed planner are wrong, beside ours to the same questions.
pub(super) fn records(rows: &[Row]) -> Vec<Record> {
    let ours = |domain| rows.iter().find(|row| row.domain == domain && row.who == OURS);
    let printed = rows.iter().filter(|row| row.who != OURS);
    let record = |row: &Row| {
        let (wrong, all) = (row.count.wrong() as f64, row.count.all);
        let name = format!("wrong_answers_{}_{}", slug(row.domain), slug(row.who));
        let (ours, unit) = (ours(row.domain)?.count.wrong() as f64, format!("of {all} pairs"));
        let record = Record::ours_by_theirs(name, ours, wrong, row.who, &unit).counted();
        // None of ours may be wrong, so the share of theirs takes the place of a ratio: the one
        // exception to the rule of records.
        Some(Record { ratio: throng_picture::rounded(wrong / all.max(1) as f64), ..record })
    };
    printed.filter_map(record).collect()
}

pub(super) fn count(session: &mut Session<'_>) -> BenchResult<Vec<Row>> {
    let mut rows = Vec::new();
    for domain in DOMAINS {
        session.begin(&format!("all pairs of {domain}"))?;
        let loaded = town::domain(domain)?;
        let mut counts = Counts::default();
        // The smaller games are asked whole also in a quick look: a test holds the page to them.
        let every = session.pick((1, 1), if domain == "citizens" { (29, 7) } else { (1, 1) });
        for npc in loaded.compiled().npcs() {
            of_type(loaded.compiled(), npc, every, session, &mut counts)?;
        }
        rows.extend(of_counts(domain, counts));
    }
    Ok(rows)
}

/// Ours, then the printed ones.
pub(super) type Counts = [Count; 4];

/// A row for everybody.
pub(super) fn of_counts(domain: &'static str, counts: Counts) -> impl Iterator<Item = Row> {
    let everybody = [OURS].into_iter().chain(PRINTED.map(name_of));
    everybody.zip(counts).map(move |(who, count)| Row { domain, who, count })
}

/// Asks everybody about all pairs of a type, or only about every so many goals and starts.
pub(super) fn of_type(
    compiled: &PreparedDomain,
    npc: &NpcTables,
    (goals, starts): (usize, usize),
    session: &mut Session<'_>,
    counts: &mut Counts,
) -> BenchResult {
    let states = States::new(npc).ok_or("too many states")?;
    let mut ours = Ours::new(compiled)?;
    let mut tables = None;
    for to in (0..states.n_states()).step_by(goals) {
        session.go_on()?;
        let goal = facts(states.values(to));
        let wants: Vec<Fact> = goal.iter().map(|&fact| npc.fact(fact)).collect();
        let far = states.distances(&goal);
        for from in (0..states.n_states()).step_by(starts) {
            let values = spread(compiled, npc, states.values(from));
            let outcome = ours.whole_call(compiled, npc.id(), &values, &wants);
            let (problem, plan) = (&ours.problem, &ours.solver.plan);
            let shortest = (far[from] != NO_WAY).then_some(far[from] as usize);
            let question = Question { npc, problem, shortest };
            counts[0].add(&question, question.ours(&outcome, plan));
            let tables = tables.get_or_insert_with(|| Tables::read(npc, problem.enabled()));
            for (printed, count) in PRINTED.into_iter().zip(&mut counts[1..]) {
                let read = tables.as_ref().map_err(|failure| *failure);
                let ends = read.and_then(|tables| Ok((tables, tables.ends(problem)?)));
                let answer =
                    ends.and_then(|(tables, ends)| printed.run(tables, &ends, &mut |_| {}));
                count.add(&question, question.printed(&answer));
            }
        }
    }
    Ok(())
}

fn facts(values: &[PackedValue]) -> Vec<LocalFact> {
    let numbered = (0..).map(LocalVariable).zip(values);
    numbered.map(|(variable, &value)| LocalFact { variable, value }).collect()
}

/// The cells of a row, as the head of [`csv`] names them.
pub(super) fn cells(row: &Row) -> [u64; 7] {
    let of = |verdict| row.count.of(verdict);
    [
        row.count.all,
        row.count.solvable,
        of(Verdict::Right),
        of(Verdict::Refused),
        of(Verdict::NoPlan),
        of(Verdict::Longer),
        of(Verdict::NotServed),
    ]
}

/// One row per domain and planner.
pub(super) fn csv(rows: &[Row]) -> String {
    let mut text =
        "domain,planner,pairs,solvable,right,refused_though_solvable,no_plan,longer,not_served\n"
            .to_string();
    for row in rows {
        let cells = cells(row).map(|cell| cell.to_string()).join(",");
        text += &format!("{},{},{cells}\n", row.domain, row.who);
    }
    text
}
