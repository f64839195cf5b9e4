//! The tables of a crowd: when they are made, and where they come from.
//!
//! In:   goals in situations that rows ask about; or, ahead of time, all of them, and a place
//!       where tables of earlier runs may lie.
//! Out:  a table each, read, built, or of a choice put together from those of its goals; or none,
//!       and then other sources answer.
//! Cost: a load per row that a table answers. That of building counts against the budget of a
//!       frame: a state is a node.

use crate::columns::ALONE;
use crate::core::Core;
use crate::goals::{Choice, CrowdGoalId, Goals, Verdict};
use crate::kind::Kind;
use crate::memory::Memory;
use crate::no_table::NoTableReason;
use crate::plans::{PlanId, PlanStore};
use crate::settings::{Frame, FrameReport, TablePolicy, add_counts};
use crate::situations::{Refusal, Situations};
use crate::table::{self, PolicyTable, TableError, TableLimits, TableQuestion};
use crate::table_file::TableFileError;
use std::sync::atomic::{AtomicBool, Ordering};
use throng_domain::compile::{Digest, LocalAction};

/// How many wishes for tables a part notes before it looks for equal ones.
const MOST_WANTED: usize = 1024;

/// So many policies are forgotten at a time.
const FEWEST_GONE: usize = 64;

/// A situation and a goal.
type Pair = (u32, u16);

/// Where tables are kept from run to run: a folder, in most games.
///
/// A name stays the same when the domain is edited; what lies there is then refused, built anew
/// and kept again.
pub trait TableStore {
    /// What lies under a name.
    fn fetch(&mut self, name: &str) -> Option<Vec<u8>>;
    /// Puts a table there.
    fn keep(&mut self, name: &str, bytes: &[u8]);
    /// What lay there was no use, and why.
    fn refused(&mut self, name: &str, why: &TableFileError);
}

/// How many tables preparing read, built, refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Prepared {
    /// Tables that were read.
    pub read: usize,
    /// Tables that were built.
    pub built: usize,
    /// Tables that lay there and were refused; they were built.
    pub refused: usize,
    /// Lists of demands that are there, for what can have no tables.
    pub lists: usize,
}

add_counts!(Prepared { read, built, refused, lists });

/// Hears how many states of how many of a table are done; `false` ends it.
pub type TableProgress<'p> = &'p (dyn Fn(u64, u64) -> bool + Sync);

/// What came of the wish for a table.
#[derive(Default)]
struct Making {
    /// How many tables were made, and the nodes that it took, whatever came of it.
    tables: usize,
    nodes: u64,
    /// Who hears of progress has ended it.
    is_stopped: bool,
}

/// Goals in situations for which rows want a table that is not there.
#[derive(Debug, Default)]
pub(crate) struct TableWork {
    wanted: Vec<Pair>,
    /// The same, by part.
    parts: Vec<Vec<Pair>>,
}

impl TableWork {
    /// Answers all rows that a table can answer, and makes tables that are wanted until there is
    /// none more.
    pub(crate) fn serve(&mut self, core: &mut Core, memory: &Memory, frame: &mut Frame) {
        while core.settings.tables != TablePolicy::Never {
            self.look_up(core, &mut frame.report);
            if self.make_wanted(core, memory, frame) == 0 {
                break;
            }
        }
    }

    fn look_up(&mut self, core: &mut Core, report: &mut FrameReport) {
        let Core { pool, groups, columns, turns, book, parts, .. } = core;
        if u16::try_from(book.plans.max_id().0).is_err() {
            columns.widen();
        }
        let (rows, groups) = ((columns, &mut turns.serve), &*groups);
        let n_parts =
            parts.each((pool, ALONE), rows, book, report, &mut self.parts, &|part, wanted| {
                part.look_up(groups, |group, goal| {
                    let situation = groups.situation(group.into());
                    if groups.situations.wants_table(situation, goal) {
                        want(wanted, (situation, goal));
                    }
                });
            });
        for wanted in &mut self.parts[..n_parts] {
            self.wanted.append(wanted);
        }
        self.wanted.sort_unstable();
        self.wanted.dedup();
    }

    /// Makes the tables that rows wanted, as far as the budget goes; returns how many.
    fn make_wanted(&mut self, core: &mut Core, memory: &Memory, frame: &mut Frame) -> usize {
        let mut n_made = 0;
        for (situation, goal) in self.wanted.drain(..) {
            // Also those who get no table get a number, by which answers are remembered.
            core.groups.situations.policy_mut(situation, goal);
            if core.settings.tables == TablePolicy::OnFirstUse
                && may_have_table(core, memory, situation, goal)
            {
                let making = make(core, memory, (situation, goal), frame.nodes, &|_, _| true);
                frame.use_nodes(making.nodes);
                n_made += making.tables;
            }
        }
        frame.report.tables += n_made;
        n_made
    }
}

/// Notes that there is no table; mostly once, never often.
fn want(wanted: &mut Vec<Pair>, pair: Pair) {
    if wanted.last() == Some(&pair) {
        return;
    }
    if wanted.len() == MOST_WANTED {
        wanted.sort_unstable();
        wanted.dedup();
    }
    wanted.push(pair);
}

/// Makes, or reads, the tables for all goals in all groups; keeps those it builds.
pub(crate) fn prepare(
    core: &mut Core,
    memory: &Memory,
    mut store: Option<&mut dyn TableStore>,
    progress: TableProgress<'_>,
) -> Prepared {
    let goals = 1..core.goals.len() as u16;
    let now = (0..core.groups.len()).map(|group| core.groups.situation(group));
    let mut wanted: Vec<Pair> =
        now.flat_map(|now| goals.clone().map(move |goal| (now, goal))).collect();
    // Those of choices are put together from the others.
    wanted.sort_unstable_by_key(|&pair| (core.goals.choice(pair.1).is_some(), pair));
    wanted.dedup();
    let mut prepared = Prepared::default();
    for (situation, goal) in wanted {
        if !core.columns.states().is_numbered() {
            // No table can be had; a number is what there is to prepare.
            core.groups.situations.policy_mut(situation, goal);
            continue;
        }
        if !may_have_table(core, memory, situation, goal) {
            continue;
        }
        let is_choice = core.goals.choice(goal).is_some();
        let mut store = store.as_deref_mut().filter(|_| !is_choice);
        let name = table_name(core, situation, goal);
        if let Some(store) = &mut store
            && let Some(bytes) = store.fetch(&name)
        {
            match read_table(core, situation, goal, &bytes) {
                Ok(()) => {
                    prepared.read += 1;
                    continue;
                }
                Err(why) => {
                    store.refused(&name, &why);
                    prepared.refused += 1;
                }
            }
        }
        let making = make(core, memory, (situation, goal), u64::MAX, progress);
        prepared.built += making.tables;
        if making.is_stopped {
            break;
        }
        if let (Some(store), Some(bytes)) = (store, written(core, situation, goal)) {
            store.keep(&name, &bytes);
        }
    }
    prepared
}

/// Whether there is no table for a goal in a situation and may be one. Makes room first: tables of
/// situations that nobody is in go.
fn may_have_table(core: &mut Core, memory: &Memory, situation: u32, goal: u16) -> bool {
    if core.groups.situations.table(situation, goal).is_some() {
        return false;
    }
    let is_numbered = core.columns.states().is_numbered();
    let states = core.kind.space().n_states().unwrap_or(u64::MAX);
    let most = core.settings.table_bytes;
    let is_room = |core: &Core| {
        let tables = core.groups.situations.table_bytes() as u64;
        let all = tables.saturating_add(states.saturating_mul(2));
        all <= most as u64 && core.book.plans.live_bytes() <= most
    };
    while is_numbered && !is_room(core) && core.groups.situations.drop_oldest() {
        unpin_lost_plans(core, memory);
    }
    let no_room = !is_room(core);
    let policy = core.groups.situations.policy_mut(situation, goal);
    let why = match no_room {
        true => Some(NoTableReason::NoRoom(states.saturating_mul(2))),
        false => policy.no.why.filter(|_| policy.no.for_good),
    };
    policy.no = Refusal { for_good: policy.no.for_good || !is_numbered, no_room, why };
    !policy.no.is_any()
}

/// Forgets the answers of policies that no longer exist. Nobody can ask for them, so it waits
/// until there are some: each time all that is remembered is looked at.
pub(crate) fn forget_gone(core: &mut Core, memory: &mut Memory) {
    let gone = core.groups.situations.gone();
    if gone.len() < FEWEST_GONE {
        return;
    }
    gone.sort_unstable();
    memory.forget(gone, &mut core.book.plans);
    gone.clear();
    unpin_lost_plans(core, memory);
}

/// Plans that only dropped tables had are counted again like others, and freed if nobody goes by
/// them.
fn unpin_lost_plans(core: &mut Core, memory: &Memory) {
    if !core.groups.situations.take_dropped() {
        return;
    }
    let situations = &core.groups.situations;
    let in_tables = situations.tables().flat_map(PolicyTable::plans).copied();
    let elsewhere = core.columns.plans().chain(memory.plans());
    core.book.plans.recount(in_tables.chain(situations.lists.plans()), elsewhere);
}

fn question<'q>(
    kind: &'q Kind,
    goals: &'q Goals,
    situations: &'q Situations,
    (situation, goal): Pair,
) -> TableQuestion<'q> {
    let known = situations.get(situation);
    TableQuestion {
        domain: kind.domain(),
        npc: kind.id(),
        goal: goals.wants(goal).conditions(),
        checks: &known.checks,
        forbidden: &known.forbidden,
        shared: &known.shared,
        outside: &[],
    }
}

/// Makes the table of a goal in a situation, if that takes no more than `most_nodes`.
fn make(
    core: &mut Core,
    memory: &Memory,
    (situation, goal): Pair,
    most_nodes: u64,
    progress: TableProgress<'_>,
) -> Making {
    match core.goals.choice(goal).cloned() {
        None => build(core, (situation, goal), most_nodes, progress),
        Some(choice) => {
            put_together(core, memory, (situation, goal), &choice, most_nodes, progress)
        }
    }
}

/// Builds the table of a goal that is no choice.
fn build(core: &mut Core, pair: Pair, most_nodes: u64, progress: TableProgress<'_>) -> Making {
    let Core { kind, settings, pool, goals, groups, book, .. } = core;
    let (situation, goal) = pair;
    let states = kind.space().n_states().unwrap_or(u64::MAX);
    // So much search is worth a table. Where a frame allows less it is tried too, but not again
    // before there is much more.
    let worth = states.saturating_mul(settings.first_try);
    let nodes = most_nodes.saturating_sub(states).min(worth);
    let tried = groups.situations.policy(situation, goal).map_or(0, |policy| policy.tried);
    if states > most_nodes || (nodes < worth && nodes / 2 < tried) {
        return Making::default();
    }
    let is_stopped = AtomicBool::new(false);
    let stop = || is_stopped.load(Ordering::Relaxed);
    let limits = TableLimits {
        states: settings.table_states,
        nodes,
        bytes: settings.table_bytes,
        stop: Some(&stop),
    };
    let heard = |done, all| {
        if !progress(done, all) {
            is_stopped.store(true, Ordering::Relaxed);
        }
    };
    let question = question(kind, goals, &groups.situations, pair);
    let plans = &mut book.plans;
    let (built, searched) = table::build(&question, kind.space(), plans, pool, &limits, &heard);
    let situations = &mut groups.situations;
    let is_stopped = matches!(built, Err(TableError::Stopped));
    let tables = usize::from(built.is_ok());
    match built {
        Ok(table) => situations.set_table(situation, goal, table),
        Err(TableError::Stopped) => {}
        Err(why) => {
            let may_be_had = matches!(why, TableError::TooMuchSearch { .. }) && nodes < worth;
            let policy = situations.policy_mut(situation, goal);
            (policy.tried, policy.no.for_good) = (nodes.max(1), !may_be_had);
            policy.no.why = Some(match why {
                TableError::TooManyStates { states, .. } => NoTableReason::TooManyStates(states),
                TableError::TooMuchSearch { limit } => NoTableReason::TooMuchSearch(limit),
                TableError::TooMuchMemory { .. } => NoTableReason::LongPlans,
                TableError::ForeignGoal => NoTableReason::ForeignGoal,
                TableError::Stopped | TableError::WrongPlan { .. } => NoTableReason::WrongPlan,
            });
        }
    }
    Making { tables, nodes: states.saturating_add(searched), is_stopped }
}

/// Makes the table of a choice from those of its goals, which are made if need be. None can be had
/// if one of theirs cannot.
fn put_together(
    core: &mut Core,
    memory: &Memory,
    (situation, goal): Pair,
    choice: &Choice,
    most_nodes: u64,
    progress: TableProgress<'_>,
) -> Making {
    let mut all = Making::default();
    for part in choice.parts() {
        if may_have_table(core, memory, situation, part) {
            let left = most_nodes.saturating_sub(all.nodes);
            let making = build(core, (situation, part), left, progress);
            all.nodes = all.nodes.saturating_add(making.nodes);
            all.tables += making.tables;
            if making.is_stopped {
                return Making { is_stopped: true, ..all };
            }
        }
        let situations = &mut core.groups.situations;
        if situations.table(situation, part).is_none() {
            let no = situations.policy_mut(situation, part).no;
            let why = Some(NoTableReason::Part(CrowdGoalId(part)));
            situations.policy_mut(situation, goal).no = Refusal { why, ..no };
            return all;
        }
    }
    let states = core.kind.space().n_states().unwrap_or(u64::MAX);
    let is_affordable = states <= most_nodes.saturating_sub(all.nodes);
    // Its goals may have taken the room.
    if is_affordable && may_have_table(core, memory, situation, goal) {
        let situations = &mut core.groups.situations;
        let table = merged(choice, situation, states, situations, &core.book.plans);
        all.nodes = all.nodes.saturating_add(states);
        if let Some(table) = table {
            situations.set_table(situation, goal, table);
            all.tables += 1;
        }
    }
    all
}

/// What each state chooses; `None` if a table is missing.
fn merged(
    choice: &Choice,
    situation: u32,
    states: u64,
    situations: &Situations,
    plans: &PlanStore,
) -> Option<PolicyTable> {
    let tables = choice.parts().map(|part| situations.table(situation, part));
    let tables: Vec<&PolicyTable> = tables.collect::<Option<_>>()?;
    let (mut ids, mut used, mut is_used) = (Vec::new(), Vec::new(), Vec::new());
    for state in 0..states {
        let came = |part: usize| match tables[part].plan(state) {
            PlanId::SATISFIED => Verdict::Holds,
            id if id.is_plan() => Verdict::Plan(id),
            _ => Verdict::Impossible,
        };
        let id = match choice.decide(came, |id| plans.cost(id)) {
            Verdict::Holds => PlanId::SATISFIED,
            Verdict::Plan(id) => id,
            Verdict::Impossible | Verdict::Open => PlanId::IMPOSSIBLE,
        };
        ids.push(id.0);
        if id.is_plan() {
            is_used.resize(is_used.len().max(id.index() + 1), false);
            if !std::mem::replace(&mut is_used[id.index()], true) {
                used.push(id);
            }
        }
    }
    Some(PolicyTable::of_ids(ids, used))
}

fn read_table(
    core: &mut Core,
    situation: u32,
    goal: u16,
    bytes: &[u8],
) -> Result<(), TableFileError> {
    let Core { kind, goals, groups, book, .. } = core;
    let question = question(kind, goals, &groups.situations, (situation, goal));
    let table = PolicyTable::from_bytes(bytes, &question, kind.space(), &mut book.plans)?;
    groups.situations.set_table(situation, goal, table);
    Ok(())
}

fn written(core: &Core, situation: u32, goal: u16) -> Option<Vec<u8>> {
    let Core { kind, goals, groups, book, .. } = core;
    let question = question(kind, goals, &groups.situations, (situation, goal));
    let table = groups.situations.table(situation, goal)?;
    Some(table.to_bytes(&question, kind.space(), &book.plans))
}

/// What a table is called: by names, so that an edited domain asks under the same one.
fn table_name(core: &Core, situation: u32, goal: u16) -> String {
    let (map, kind) = (core.kind.domain().map(), core.kind.npc());
    let known = core.groups.situations.get(situation);
    let mut all = String::new();
    let mut add = |word: &str| {
        all.push_str(word);
        all.push('\n');
    };
    for wanted in map.conditions(core.goals.wants(goal).conditions()) {
        add(&wanted);
    }
    let there = |at: &usize| known.enabled.has(LocalAction(*at as u32));
    for at in (0..kind.n_actions()).filter(there) {
        add(map.action(kind.actions()[at]));
    }
    for &variable in core.kind.space().shared() {
        add(map.variable(kind.variables()[variable.index()]));
        add(&known.shared[variable.index()].to_string());
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let type_name: String = map
        .npc(core.kind.id())
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .take(64)
        .collect();
    format!("{type_name}-{:016x}", Digest::of(all.as_bytes()).0 as u64)
}
