//! The order that a plan really needs: which steps must come before which.
//!
//! In:   a plan, and where it starts.
//! Out:  for every step those that must come right before it, and stages of steps that may run at
//!       the same time.
//! Cost: a walk over the needs and settings of the plan; to drop what follows from the rest, at
//!       most a look at every earlier step for each step.
//!
//! Two steps *touch* if one of them sets a variable that the other needs or sets. Steps that touch
//! stay in the order of the plan, all others are free. So every order that keeps these constraints
//! is a plan with the same end, steps without order between them may run in parallel, and no
//! constraint can be dropped without letting two steps interfere.
//!
//! Where amounts are counted, two steps touch only if their order matters ([`commute`]): three who
//! take wood may come in any order, and who brings it comes before them. Any two orders that keep
//! the constraints differ by steps that change places, so all of them are plans.

use crate::commute::commute;
use std::collections::HashMap;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};

/// Which steps of a plan must come before which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartialOrder {
    /// For every step the steps right before it, ascending; what follows from others is left out.
    pub after: Vec<Vec<usize>>,
    /// Steps that may run at the same time, as early as possible; each stage after the one before.
    pub stages: Vec<Vec<usize>>,
}

impl PartialOrder {
    /// The constraints as pairs: the first must come before the second.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.after.iter().enumerate();
        rows.flat_map(|(step, before)| before.iter().map(move |&before| (before, step)))
    }
}

/// Who used a variable last.
#[derive(Clone, Default)]
struct LastUse {
    set_by: Option<usize>,
    /// Steps that needed it since then.
    needed_by: Vec<usize>,
}

/// The order constraints of a plan from a state of the type.
pub fn partial_order(npc: &NpcTables, start: &[PackedValue], plan: &[LocalAction]) -> PartialOrder {
    let mut order = PartialOrder::default();
    let mut uses = vec![LastUse::default(); npc.variables().len()];
    let mut seen = vec![usize::MAX; plan.len()];
    let mut level = vec![0; plan.len()];
    let mut pairs = Pairs { npc, start, known: HashMap::new() };
    for (step, &action) in plan.iter().enumerate() {
        let touched = match npc.has_amounts() {
            false => touched_before(npc, action, &uses),
            true => (0..step).filter(|&before| pairs.touch(plan[before], action)).collect(),
        };
        let before = without_implied(step, touched, &order.after, &mut seen);
        level[step] = before.iter().map(|&before| level[before] + 1).max().unwrap_or(0);
        if order.stages.len() == level[step] {
            order.stages.push(Vec::new());
        }
        order.stages[level[step]].push(step);
        order.after.push(before);
        for need in npc.needs(action) {
            uses[need.variable.index()].needed_by.push(step);
        }
        for set in npc.sets(action) {
            uses[set.variable.index()] = LastUse { set_by: Some(step), needed_by: Vec::new() };
        }
    }
    order
}

/// Which actions touch, each pair looked at once.
struct Pairs<'p> {
    npc: &'p NpcTables,
    start: &'p [PackedValue],
    known: HashMap<(LocalAction, LocalAction), bool>,
}

impl Pairs<'_> {
    fn touch(&mut self, a: LocalAction, b: LocalAction) -> bool {
        let Pairs { npc, start, known } = self;
        *known.entry((a.min(b), a.max(b))).or_insert_with(|| !commute(npc, start, a, b))
    }
}

/// Earlier steps that touch this action; the others that do come before one of these.
fn touched_before(npc: &NpcTables, action: LocalAction, uses: &[LastUse]) -> Vec<usize> {
    let mut touched = Vec::new();
    for need in npc.needs(action) {
        touched.extend(uses[need.variable.index()].set_by);
    }
    for set in npc.sets(action) {
        let last = &uses[set.variable.index()];
        touched.extend(last.set_by);
        touched.extend(&last.needed_by);
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Drops the steps that come before another of them anyway. `seen` holds who looked last.
fn without_implied(
    step: usize,
    touched: Vec<usize>,
    after: &[Vec<usize>],
    seen: &mut [usize],
) -> Vec<usize> {
    let Some(&first) = touched.first() else { return touched };
    let mut kept = Vec::new();
    let mut open = Vec::new();
    for &before in touched.iter().rev() {
        if seen[before] == step {
            continue;
        }
        kept.push(before);
        open.push(before);
        while let Some(at) = open.pop() {
            for &earlier in after[at].iter().filter(|&&earlier| earlier >= first) {
                if seen[earlier] != step {
                    seen[earlier] = step;
                    open.push(earlier);
                }
            }
        }
    }
    kept.reverse();
    kept
}
