//! A frame: those who wait get their answers, each from the cheapest source that has one.
//!
//! In:   the rows that wait, and a budget.
//! Out:  their plans and verdicts, and a [`Report`].
//! Cost: a load per row that a table serves; see `wide` and `direct` for the others.
//!
//! ```text
//! waiting ─▶ turns ─▶ tables ─▶ wide kernel ─▶ memory ─▶ planner ─▶ searches ─▶ (next frame)
//! ```
//!
//! Who is served and what is planned is decided before work is split; parts depend on the number
//! of rows and never on that of threads, and what they find is put together in their order.

use crate::bits::ones;
use crate::changes::Settling;
use crate::crowd::Crowd;
use crate::direct::Direct;
use crate::groups::Groups;
use crate::ids::{Ids, IdsMut};
use crate::plans::{PlanId, Plans};
use crate::settings::{Budget, Report, Tables};
use crate::states::{Column, States};
use crate::table::{Limits, NoTable, PolicyTable, Question};
use crate::turns::Waiting;
use crate::wide::{Gathered, WideWork};
use throng_domain::compile::{CompiledDomain, LocalAction};
use throng_domain::model::NpcId;

/// Into how many parts a column is cut at most.
const MOST_PARTS: usize = 64;

/// The fewest rows of a part.
const LEAST_ROWS: usize = 4096;

/// Rows with the same goal and group that lie together are looked up in one go.
const RUN: usize = 1024;

/// Working memory of a crowd.
#[derive(Debug)]
pub(crate) struct Work {
    parts: Vec<Found>,
    pub(crate) settling: Settling,
    pub(crate) direct: Direct,
    pub(crate) wide: WideWork,
    wanted: Vec<(u32, u16)>,
    /// By plan, for `sweep`.
    pub(crate) is_needed: Vec<bool>,
}

/// What one part came to.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) report: Report,
    /// Goals in situations for which there is no table yet.
    wanted: Vec<(u32, u16)>,
    /// Plans that rows no longer go by.
    released: Vec<PlanId>,
    pub(crate) gathered: Gathered,
}

impl Work {
    pub(crate) fn new(
        domain: &CompiledDomain,
        npc: NpcId,
        threads: usize,
        may_be_wide: bool,
    ) -> Work {
        Work {
            parts: (0..MOST_PARTS).map(|_| Found::default()).collect(),
            settling: Settling::default(),
            direct: Direct::new(domain, npc, threads),
            wide: WideWork::new(domain.npc(npc), may_be_wide),
            wanted: Vec::new(),
            is_needed: Vec::new(),
        }
    }

    /// The word that plans of the wide kernel speak of.
    pub(crate) fn word(&self) -> &[LocalAction] {
        self.wide.word()
    }

    pub(crate) fn bytes(&self) -> usize {
        let part = |part: &Found| 4 * part.released.capacity() + part.gathered.bytes();
        self.parts.iter().map(part).sum::<usize>()
            + self.settling.bytes()
            + self.direct.bytes()
            + self.wide.bytes()
            + self.is_needed.capacity()
    }
}

/// Some rows, to be served by one thread.
pub(crate) struct Part<'c> {
    /// The row at which it begins; its own columns begin there.
    pub(crate) first: usize,
    pub(crate) serve: &'c mut [u64],
    dirty: &'c mut [u64],
    ids: IdsMut<'c>,
    step: &'c mut [u16],
    pub(crate) found: &'c mut Found,
}

/// What all parts read.
pub(crate) struct Shared<'c> {
    pub(crate) states: &'c States,
    pub(crate) goal: &'c [u16],
    pub(crate) group: &'c [u16],
    groups: &'c Groups,
    plans: &'c Plans,
}

impl Crowd {
    /// Serves those who wait, the most urgent first, within a budget.
    pub fn plan(&mut self, budget: Budget) -> Report {
        self.frame += 1;
        self.settle();
        self.forget_gone();
        let n_rows = self.rows.len();
        let waiting = Waiting {
            dirty: &self.dirty,
            urgency: &self.urgency,
            group: &self.group,
            groups: &self.groups.list,
            frame: self.frame,
        };
        self.turns.choose(&waiting, n_rows, budget.npcs);
        let mut report = Report::default();
        let mut nodes = budget.nodes;
        while self.settings.tables != Tables::Never {
            self.look_up(&mut report);
            if self.make_wanted_tables(&mut nodes, &mut report) == 0 {
                break;
            }
        }
        self.compute(&mut report);
        self.plan_the_rest(&mut nodes, &mut report);
        report.served = report.plans + report.satisfied + report.impossible + report.gave_up;
        report.deferred = self.dirty.count();
        report
    }

    /// Makes the tables for all goals in use in all groups, as while a level is loaded.
    /// `progress` hears how many states of all are done; it returns `false` to stop. Returns how
    /// many tables were made.
    pub fn prepare(&mut self, progress: &(dyn Fn(u64, u64) -> bool + Sync)) -> usize {
        self.settle();
        let mut wanted: Vec<(u32, u16)> = Vec::new();
        for row in self.rows.alive().iter() {
            let situation = self.groups.list[usize::from(self.group[row])].now;
            let pair = (situation, self.goal[row]);
            if wanted.last() != Some(&pair) {
                wanted.push(pair);
            }
        }
        for group in &self.groups.list {
            wanted.extend((1..self.goals.len() as u16).map(|goal| (group.now, goal)));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let before = self.groups.tables().count();
        for (situation, goal) in wanted {
            if self.make_table(situation, goal, u64::MAX, progress).0 == Made::Stopped {
                break;
            }
        }
        self.groups.tables().count() - before
    }

    /// Answers all rows that a table can answer.
    fn look_up(&mut self, report: &mut Report) {
        if u16::try_from(self.plans.max_id().0).is_err() {
            self.ids.widen();
        }
        self.each_part(report, &|part, shared| part.look_up(shared));
    }

    /// Lets all threads work on rows to be served, part by part.
    pub(crate) fn each_part(
        &mut self,
        report: &mut Report,
        work: &(dyn Fn(&mut Part<'_>, &Shared<'_>) + Sync),
    ) {
        let n_rows = self.rows.len();
        let shared = Shared {
            states: &self.states,
            goal: &self.goal,
            group: &self.group,
            groups: &self.groups,
            plans: &self.plans,
        };
        let size = n_rows.div_ceil(MOST_PARTS).max(LEAST_ROWS).next_multiple_of(64);
        let mut parts: [Option<Part<'_>>; MOST_PARTS] = [const { None }; MOST_PARTS];
        let mut n_parts = 0;
        let mut serve = self.turns.serve.words_mut();
        let mut dirty = self.dirty.words_mut();
        let mut ids = self.ids.all_mut();
        let mut step = &mut self.step[..];
        for (found, part) in self.work.parts.iter_mut().zip(&mut parts) {
            let first = n_parts * size;
            if first >= n_rows {
                break;
            }
            let rows = size.min(n_rows - first);
            let words = rows.div_ceil(64);
            found.report = Report::default();
            let (own_serve, rest_serve) = serve.split_at_mut(words);
            let (own_dirty, rest_dirty) = dirty.split_at_mut(words);
            let (own_ids, rest_ids) = ids.split_at(rows);
            let (own_step, rest_step) = step.split_at_mut(rows);
            (serve, dirty, ids, step) = (rest_serve, rest_dirty, rest_ids, rest_step);
            let (serve, dirty, ids, step) = (own_serve, own_dirty, own_ids, own_step);
            *part = Some(Part { first, serve, dirty, ids, step, found });
            n_parts += 1;
        }
        self.pool.each(&mut parts[..n_parts], &|_, part| {
            if let Some(part) = part {
                work(part, &shared);
            }
        });
        for found in &mut self.work.parts[..n_parts] {
            *report += found.report;
            for id in found.released.drain(..) {
                self.plans.release(id);
            }
            for pair in found.wanted.drain(..) {
                if !self.work.wanted.contains(&pair) {
                    self.work.wanted.push(pair);
                }
            }
        }
    }

    /// Makes the tables that rows wanted, as far as the budget goes; returns how many.
    fn make_wanted_tables(&mut self, nodes: &mut u64, report: &mut Report) -> usize {
        let mut wanted = std::mem::take(&mut self.work.wanted);
        let mut n_made = 0;
        for (situation, goal) in wanted.drain(..) {
            // Also those who get no table get a number, by which answers are remembered.
            let policy = self.groups.policy_mut(situation, goal);
            if policy.is_none_or(|policy| policy.table.is_some())
                || self.settings.tables != Tables::OnFirstUse
            {
                continue;
            }
            let (made, used) = self.make_table(situation, goal, *nodes, &|_, _| true);
            report.nodes += used;
            *nodes = nodes.saturating_sub(used);
            n_made += usize::from(made == Made::Yes);
        }
        report.tables += n_made;
        self.work.wanted = wanted;
        n_made
    }

    /// Makes the table of a goal in a situation, if that takes no more than `most_nodes`; and
    /// what it took, whatever came of it.
    fn make_table(
        &mut self,
        situation: u32,
        goal: u16,
        most_nodes: u64,
        progress: &(dyn Fn(u64, u64) -> bool + Sync),
    ) -> (Made, u64) {
        let is_numbered = !matches!(self.states.column, Column::Packed(..));
        let bytes = self.groups.table_bytes();
        let Some(policy) = self.groups.policy_mut(situation, goal) else { return (Made::No, 0) };
        if policy.table.is_some() || policy.no_table {
            return (Made::No, 0);
        }
        let states = self.space.n_states().unwrap_or(u64::MAX);
        let is_room = (bytes as u64).saturating_add(states.saturating_mul(2))
            <= self.settings.table_bytes as u64
            && self.plans.bytes() <= self.settings.table_bytes;
        if !is_numbered || !is_room {
            policy.no_table = true;
            return (Made::No, 0);
        }
        // So much search is worth a table. Where a frame allows less it is tried too, but not
        // again before there is much more.
        let worth = states.saturating_mul(self.settings.first_try);
        let nodes = most_nodes.saturating_sub(states).min(worth);
        if states > most_nodes || (nodes < worth && nodes / 2 < policy.tried) {
            return (Made::No, 0);
        }
        let situation_is = self.groups.situation(situation);
        let question = Question {
            domain: &self.domain,
            npc: self.npc,
            goal: &self.goals.get(goal).facts,
            checks: &situation_is.checks,
            forbidden: &situation_is.forbidden,
            shared: &situation_is.shared,
            outside: &[],
        };
        let is_stopped = std::sync::atomic::AtomicBool::new(false);
        let stop = || is_stopped.load(std::sync::atomic::Ordering::Relaxed);
        let limits = Limits { states: self.settings.table_states, nodes, stop: Some(&stop) };
        let heard = |done, all| {
            if !progress(done, all) {
                is_stopped.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let (built, searched) = PolicyTable::build_counting(
            &question,
            &self.space,
            &mut self.plans,
            &self.pool,
            &limits,
            &heard,
        );
        let used = states.saturating_add(searched);
        let Some(policy) = self.groups.policy_mut(situation, goal) else { return (Made::No, used) };
        let made = match built {
            Ok(table) => {
                policy.table = Some(table);
                Made::Yes
            }
            Err(NoTable::Stopped) => Made::Stopped,
            Err(why) => {
                let may_be_had = matches!(why, NoTable::TooMuchSearch { .. }) && nodes < worth;
                policy.tried = nodes.max(1);
                policy.no_table = !may_be_had;
                Made::No
            }
        };
        (made, used)
    }
}

/// What came of the wish for a table.
#[derive(PartialEq, Eq)]
enum Made {
    Yes,
    No,
    Stopped,
}

impl Part<'_> {
    fn look_up(&mut self, shared: &Shared<'_>) {
        let mut at = 0;
        while at < self.serve.len() {
            let full = self.serve[at..].iter().take(RUN / 64).take_while(|word| **word == !0);
            let n_full = full.count();
            if n_full == RUN / 64 && self.look_up_run(at, shared) {
                at += n_full;
                continue;
            }
            self.look_up_word(at, shared);
            at += 1;
        }
    }

    /// A run of rows with the same goal and group, in one go.
    fn look_up_run(&mut self, at: usize, shared: &Shared<'_>) -> bool {
        let rows = at * 64..at * 64 + RUN;
        let all = self.first + rows.start..self.first + rows.end;
        let (goal, group) = (&shared.goal[all.clone()], &shared.group[all.clone()]);
        let is_uniform =
            goal.iter().all(|&one| one == goal[0]) && group.iter().all(|&one| one == group[0]);
        if !is_uniform || shared.plans.has_counted() || shared.states.has_aside() {
            return false;
        }
        let (Column::Narrow(states), IdsMut::Narrow(ids)) = (&shared.states.column, &mut self.ids)
        else {
            return false;
        };
        let situation = shared.groups.list[usize::from(group[0])].now;
        let policy = shared.groups.policy(situation, goal[0]);
        let Some(table) = policy.and_then(|policy| policy.table.as_ref()) else { return false };
        let ids = &mut ids[rows.clone()];
        if !table.serve_u16(&states[all], ids) {
            return false;
        }
        let count = |id: PlanId| ids.iter().filter(|&&one| u32::from(one) == id.0).count();
        let report = &mut self.found.report;
        let (satisfied, impossible) = (count(PlanId::SATISFIED), count(PlanId::IMPOSSIBLE));
        report.satisfied += satisfied;
        report.impossible += impossible;
        report.plans += RUN - satisfied - impossible;
        report.looked_up += RUN;
        self.step[rows].fill(0);
        self.serve[at..at + RUN / 64].fill(0);
        self.dirty[at..at + RUN / 64].fill(0);
        true
    }

    fn look_up_word(&mut self, at: usize, shared: &Shared<'_>) {
        for bit in ones(self.serve[at]) {
            let own = at * 64 + bit;
            let row = self.first + own;
            let goal = shared.goal[row];
            let situation = shared.groups.list[usize::from(shared.group[row])].now;
            let Some(policy) = shared.groups.policy(situation, goal) else {
                self.found.want(situation, goal);
                continue;
            };
            let Some(table) = &policy.table else {
                if !policy.no_table {
                    self.found.want(situation, goal);
                }
                continue;
            };
            let Some(index) = shared.states.index(row) else { continue };
            let id = table.plan(index);
            self.found.report.looked_up += 1;
            self.answer(own, id.0, shared);
        }
    }

    /// Writes the answer of a row: a plan that nobody counts, or a verdict.
    pub(crate) fn answer(&mut self, own: usize, id: u32, shared: &Shared<'_>) {
        let before = self.ids.get(own);
        if shared.plans.is_counted(PlanId(before)) {
            self.found.released.push(PlanId(before));
        }
        self.ids.set(own, id);
        self.step[own] = 0;
        self.found.report.count(PlanId(id));
        let bit = 1 << (own % 64);
        self.serve[own / 64] &= !bit;
        self.dirty[own / 64] &= !bit;
    }
}

impl Found {
    fn want(&mut self, situation: u32, goal: u16) {
        if self.wanted.last() != Some(&(situation, goal))
            && !self.wanted.contains(&(situation, goal))
        {
            self.wanted.push((situation, goal));
        }
    }
}

impl Report {
    /// Counts an answer among its kind.
    pub(crate) fn count(&mut self, id: PlanId) {
        match id {
            PlanId::SATISFIED => self.satisfied += 1,
            PlanId::IMPOSSIBLE => self.impossible += 1,
            PlanId::GAVE_UP => self.gave_up += 1,
            _ => self.plans += 1,
        }
    }
}

impl Crowd {
    /// Writes the answer of a row that waited.
    pub(crate) fn answer(&mut self, row: usize, id: u32) {
        self.assign(row, id);
        self.step[row] = 0;
        self.dirty.set(row, false);
        self.turns.serve.set(row, false);
    }

    /// Whether the column of plans still has narrow numbers.
    pub fn has_narrow_plans(&self) -> bool {
        matches!(self.ids, Ids::Narrow(_))
    }
}
