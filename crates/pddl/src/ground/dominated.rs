//! Operators that another makes needless.
//!
//! In:   a ground task whose alternatives of one step stand together.
//! Out:  the task without those that are another's copy, or need more for the same.
//! Cost: a sort, and what [`super::subsets`] compares.

use super::limits::{Checked, Guard};
use super::propositional::{Ground, Literal, Operator};
use super::subsets::Subsets;
use std::cmp::Ordering;

/// Drops alternatives of one step that need more than another for the same; of equals the first
/// stays.
pub(super) fn drop_dominated(
    ground: &mut Ground,
    same_step: impl Fn(&Operator, &Operator) -> bool,
    guard: &Guard<'_>,
) -> Checked<()> {
    let operators = std::mem::take(&mut ground.operators);
    let mut kept: Vec<Operator> = Vec::with_capacity(operators.len());
    for same in operators.chunk_by(same_step) {
        guard.pass(same.len())?;
        match same {
            [only] => kept.push(*only),
            _ => keep_undominated(ground, same, &mut kept, guard)?,
        }
    }
    ground.operators = kept;
    Ok(())
}

fn keep_undominated(
    ground: &Ground,
    same: &[Operator],
    kept: &mut Vec<Operator>,
    guard: &Guard<'_>,
) -> Checked<()> {
    // Those with the same effects together; of them what needs less first, equals in order.
    let mut by_effects: Vec<usize> = (0..same.len()).collect();
    by_effects.sort_by(|&a, &b| {
        let n_needs = |at: usize| ground.needs(&same[at]).len();
        compare_effects(ground, &same[a], &same[b]).then_with(|| n_needs(a).cmp(&n_needs(b)))
    });
    let mut is_kept = vec![false; same.len()];
    for alike in by_effects.chunk_by(|&a, &b| compare_effects(ground, &same[a], &same[b]).is_eq()) {
        let needs = alike.iter().map(|&at| ground.needs(&same[at]));
        for (at, least) in alike.iter().zip(Subsets::least(needs, usize::MAX, guard)?) {
            is_kept[*at] = least;
        }
    }
    kept.extend(same.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(one, _)| *one));
    Ok(())
}

/// Any order in which the same effects are equal.
fn compare_effects(ground: &Ground, one: &Operator, other: &Operator) -> Ordering {
    fn effects<'a>(
        ground: &'a Ground,
        operator: &Operator,
    ) -> impl Iterator<Item = (u32, bool, &'a [Literal])> {
        let of = ground.effects(operator).iter();
        of.map(|effect| (effect.fact, effect.adds, ground.when(effect)))
    }
    effects(ground, one).cmp(effects(ground, other))
}
