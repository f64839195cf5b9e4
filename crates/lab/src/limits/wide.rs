//! Direct, wide: a plan computed for each NPC by the wide kernel, a thousand at a time.
//!
//! In:   the folk.
//! Out:  the kernel of every group, what it must answer, and the pass of two threads.
//! Cost: one to three nanoseconds per NPC and pass.
//!
//! What the kernel must answer is found by its plain twin, one case at a time, and held against
//! the single planner: the same actions, in an order that leads to the goal.

use super::folk::{Folk, Group, Piece};
use super::{Number, Row, together, within_a_tenth};
use crate::judge::Verdict;
use crate::report::{BenchResult, Session};
use crate::town::sorted;
use throng_domain::compile::LocalAction;
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
    pub(super) fn new(folk: &Folk, session: &mut Session<'_>) -> BenchResult<Kernels> {
        let mut each = Vec::new();
        for Group { trade, .. } in &folk.groups {
            let trade = &folk.town.trades[*trade];
            let wide = Wide::new(folk.town.domain.compiled().npc(trade.npc));
            let wide = wide?;
            let goal = wide.goal(&trade.goal)?;
            each.push((wide, goal));
        }
        let (mut masks, mut lists) = (Vec::new(), Vec::new());
        for (case, right) in folk.town.cases.iter().zip(&folk.right) {
            let ((wide, goal), trade) = (&each[case.trade], &folk.town.trades[case.trade]);
            let mask = match wide.plan_one(case.start, goal, trade.enabled) {
                Lane::Plan(mask) => mask,
                other => {
                    session.wrong.push(format!("wide: {other:?} from {:?}", case.values));
                    0
                }
            };
            let plan: Vec<LocalAction> = wide.decode(mask).collect();
            let verdict = folk.town.judge(case, |asked| asked.of_plan(&plan));
            if verdict != Verdict::Right || sorted(&plan) != sorted(right) {
                session
                    .wrong
                    .push(format!("wide: {verdict:?}, other actions from {:?}", case.values));
            }
            masks.push(mask as u16);
            lists.push(listed(&plan));
        }
        Ok(Kernels { each, masks, lists })
    }

    /// Plans for some NPCs of a group, in a form. What does not fit leaves the place for them as
    /// it was, which the check sees.
    pub(super) fn plan<'o, T>(
        &self,
        folk: &Folk,
        kernel: Kernel,
        piece: &'o mut Piece<'_, T>,
        form: fn(&'o mut [T]) -> LanePlans<'o>,
        scratch: &mut WideScratch,
    ) {
        let ((wide, goal), group) = (&self.each[piece.group], &folk.groups[piece.group]);
        let columns: Vec<&[u8]> = group.columns.iter().map(|column| piece.of(column)).collect();
        let lanes = Lanes {
            states: LaneStates::Columns(&columns),
            goals: LaneGoals::Same(goal),
            enabled: LaneActions::Same(folk.town.trades[group.trade].enabled),
        };
        _ = wide.plan_many_with(kernel, &lanes, form(piece.out), scratch);
    }
}

/// Three million NPCs, a plan computed for each, on two threads.
pub(super) fn two_threads(
    session: &mut Session<'_>,
    folk: &Folk,
    kernels: &Kernels,
) -> BenchResult<Row> {
    session.begin("wide, two threads")?;
    let mut masks = vec![u16::MAX; folk.len()];
    let wall = folk.wall_of_two(session, &mut masks, |piece, scratch: &mut WideScratch| {
        kernels.plan(folk, Kernel::Best, piece, LanePlans::Masks16, scratch);
    });
    folk.check("wide_3m", &masks, &kernels.masks, session);
    Ok(within_a_tenth(Number::Direct, "wide_3m", wall, together(session)))
}

/// The kernel's form of a list: four bits per action, the length above.
fn listed(plan: &[LocalAction]) -> u64 {
    let actions = plan.iter().rev().fold(0, |all, action| all << 4 | u64::from(action.0));
    actions | (plan.len() as u64) << 56
}
