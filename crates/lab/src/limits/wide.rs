//! Direct, wide: a plan computed for each NPC by the wide kernel, a thousand at a time.
//!
//! In:   the folk.
//! Out:  the kernel of every group, what it must answer, and the pass of two threads.
//! Cost: one to three nanoseconds per NPC and pass.
//!
//! What the kernel must answer is found by its plain twin, one case at a time, and held against
//! the single planner: the same actions, in an order that leads to the goal.

use super::folk::{Folk, Group, Piece};
use super::{Number, Row, within_a_tenth};
use crate::harness::Sweep;
use crate::judge::Verdict;
use crate::report::{BenchError, Session};
use crate::town::Given;
use std::ops::Range;
use throng_domain::Cost;
use throng_domain::compile::LocalAction;
use throng_planner::Outcome;
use throng_planner::topological::wide::{
    Kernel, Lane, LaneActions, LaneGoals, LanePlans, LaneStates, Lanes, Wide, WideGoal, WideScratch,
};

/// The kernels of all groups.
pub(super) struct Kernels {
    each: Vec<(Wide, WideGoal)>,
    /// By case, the mask and the list that the kernel must give.
    pub(super) masks: Vec<u16>,
    pub(super) lists: Vec<u64>,
}

impl Kernels {
    pub(super) fn new(folk: &Folk, wrong: &mut Vec<String>) -> Result<Kernels, BenchError> {
        let mut each = Vec::new();
        for Group { trade, .. } in &folk.groups {
            let trade = &folk.town.trades[*trade];
            let wide = Wide::new(folk.town.domain.compiled().npc(trade.npc));
            let wide = wide.map_err(BenchError::because)?;
            let goal = wide.goal(&trade.goal).map_err(BenchError::because)?;
            each.push((wide, goal));
        }
        let (mut masks, mut lists) = (Vec::new(), Vec::new());
        for (case, right) in folk.town.cases.iter().zip(&folk.right) {
            let ((wide, goal), trade) = (&each[case.trade], &folk.town.trades[case.trade]);
            let mask = match wide.plan_one(case.start, goal, trade.enabled) {
                Lane::Plan(mask) => mask,
                other => {
                    wrong.push(format!("wide: {other:?} from {:?}", case.values));
                    0
                }
            };
            let plan: Vec<LocalAction> = wide.decode(mask).collect();
            let outcome = Outcome::Plan { cost: Cost(0) };
            let verdict = folk.town.judge(case, &Given::Ours(&outcome, &plan));
            if verdict != Verdict::Right || sorted(&plan) != sorted(right) {
                wrong.push(format!("wide: {verdict:?}, other actions from {:?}", case.values));
            }
            masks.push(mask as u16);
            lists.push(listed(&plan));
        }
        Ok(Kernels { each, masks, lists })
    }

    /// Lists for some NPCs of a group.
    pub(super) fn lists(
        &self,
        folk: &Folk,
        kernel: Kernel,
        piece: &mut Piece<'_, u64>,
        scratch: &mut WideScratch,
    ) {
        let rows = piece.rows();
        self.ask(folk, kernel, piece.group, rows, LanePlans::Lists(piece.out), scratch);
    }

    /// Word masks for some NPCs of a group.
    pub(super) fn masks(
        &self,
        folk: &Folk,
        kernel: Kernel,
        piece: &mut Piece<'_, u16>,
        scratch: &mut WideScratch,
    ) {
        let rows = piece.rows();
        self.ask(folk, kernel, piece.group, rows, LanePlans::Masks16(piece.out), scratch);
    }

    /// Asks; what does not fit leaves the place for plans as it was, which the check sees.
    fn ask(
        &self,
        folk: &Folk,
        kernel: Kernel,
        group: usize,
        rows: Range<usize>,
        plans: LanePlans<'_>,
        scratch: &mut WideScratch,
    ) {
        let (wide, goal) = &self.each[group];
        let group = &folk.groups[group];
        let columns: Vec<&[u8]> = group.columns.iter().map(|c| &c[rows.clone()]).collect();
        let lanes = Lanes {
            states: LaneStates::Columns(&columns),
            goals: LaneGoals::Same(goal),
            enabled: LaneActions::Same(folk.town.trades[group.trade].enabled),
        };
        _ = wide.plan_many_with(kernel, &lanes, plans, scratch);
    }
}

/// Three million NPCs, a plan computed for each, on two threads.
pub(super) fn two_threads(
    session: &mut Session<'_>,
    folk: &Folk,
    kernels: &Kernels,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Row, BenchError> {
    session.begin("wide, two threads")?;
    let mut masks = vec![u16::MAX; folk.len()];
    let wall = folk.wall_of_two(session, &mut masks, sweep, |piece, scratch: &mut WideScratch| {
        kernels.masks(folk, Kernel::Best, piece, scratch);
    });
    folk.check("wide_3m", &masks, &kernels.masks, wrong);
    Ok(within_a_tenth(Number::Direct, "wide_3m", wall))
}

fn sorted(plan: &[LocalAction]) -> Vec<LocalAction> {
    let mut plan = plan.to_vec();
    plan.sort_unstable();
    plan
}

/// The kernel's form of a list: four bits per action, the length above.
fn listed(plan: &[LocalAction]) -> u64 {
    let actions = plan.iter().rev().fold(0, |all, action| all << 4 | u64::from(action.0));
    actions | (plan.len() as u64) << 56
}
