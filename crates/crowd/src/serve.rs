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

use crate::changes::Settling;
use crate::crowd::Crowd;
use crate::direct::Direct;
use crate::goals::Goals;
use crate::groups::Groups;
use crate::ids::IdsMut;
use crate::plans::{PlanId, Plans};
use crate::settings::{Budget, Report, Tables};
use crate::space::Space;
use crate::states::{Column, States};
use crate::turns::Waiting;
use crate::wide::{Gathered, WideWork};
use throng_base::ones;
use throng_domain::compile::{CompiledDomain, LocalAction, NpcType};
use throng_domain::model::NpcId;

/// Into how many parts a column is cut at most.
const MOST_PARTS: usize = 64;

/// The fewest rows of a part.
const LEAST_ROWS: usize = 4096;

/// Rows with the same goal and group that lie together are looked up in one go.
const RUN: usize = 1024;

/// How many wishes for tables a part notes before it looks for equal ones.
const MOST_WANTED: usize = 1024;

/// Working memory of a crowd.
#[derive(Debug)]
pub(crate) struct Work {
    parts: Vec<Found>,
    pub(crate) settling: Settling,
    pub(crate) direct: Direct,
    pub(crate) wide: WideWork,
    pub(crate) wanted: Vec<(u32, u16)>,
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
    pub(crate) fn new(domain: &CompiledDomain, npc: NpcId, threads: usize) -> Work {
        Work {
            parts: (0..MOST_PARTS).map(|_| Found::default()).collect(),
            settling: Settling::default(),
            direct: Direct::new(domain, npc, threads),
            wide: WideWork::default(),
            wanted: Vec::new(),
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
    pub(crate) npc: &'c NpcType,
    pub(crate) space: &'c Space,
    pub(crate) states: &'c States,
    pub(crate) goal: &'c [u16],
    pub(crate) group: &'c [u16],
    pub(crate) goals: &'c Goals,
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
        self.compute(&mut nodes, &mut report);
        self.plan_the_rest(&mut nodes, &mut report);
        report.served = report.plans + report.satisfied + report.impossible + report.gave_up;
        report.deferred = self.dirty.count();
        report
    }

    /// How many would wait in the next frame, by urgency; those without a turn left aside.
    pub(crate) fn count_waiting(&mut self, counts: &mut [usize; 256]) {
        self.settle();
        let waiting = Waiting {
            dirty: &self.dirty,
            urgency: &self.urgency,
            group: &self.group,
            groups: &self.groups.list,
            frame: self.frame + 1,
        };
        waiting.count(counts);
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
            npc: self.domain.npc(self.npc),
            space: &self.space,
            states: &self.states,
            goal: &self.goal,
            group: &self.group,
            goals: &self.goals,
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
            self.work.wanted.append(&mut found.wanted);
        }
        self.work.wanted.sort_unstable();
        self.work.wanted.dedup();
    }
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
        if !is_uniform {
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
        // Rows with plans to give back, or with a state kept aside, are looked at one by one.
        let is_counted = |id: &u16| shared.plans.is_counted(PlanId((*id).into()));
        if (shared.plans.has_counted() && ids.iter().any(is_counted))
            || (shared.states.has_aside() && states[all.clone()].contains(&u16::MAX))
        {
            return false;
        }
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
                if !policy.no_table && !policy.no_room {
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
    /// Notes that there is no table; mostly once, never often.
    fn want(&mut self, situation: u32, goal: u16) {
        if self.wanted.last() == Some(&(situation, goal)) {
            return;
        }
        if self.wanted.len() == MOST_WANTED {
            self.wanted.sort_unstable();
            self.wanted.dedup();
        }
        self.wanted.push((situation, goal));
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
}
