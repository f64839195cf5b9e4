//! What changed between two plans: steps that came, went and moved.
//!
//! In:   the names of the steps before and after.
//! Out:  the fewest comings and goings; what both came and went has moved.
//! Cost: the product of what is between the common beginning and the common end, up to
//!       [`MOST_CELLS`]; beyond, that whole middle counts as replaced.

use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// Cells of the table of common subsequences at most: some megabytes.
const MOST_CELLS: usize = 4_000_000;

/// A step that is otherwise; places count from 1.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub(crate) struct Change {
    pub(crate) step: String,
    /// Where it stood; `None` if it is new.
    pub(crate) from: Option<usize>,
    /// Where it stands; `None` if it is gone.
    pub(crate) to: Option<usize>,
}

throng_base::display! { Change {
    Change { step, from: Some(from), to: Some(to) } => "~ {step} (step {from} → {to})";
    Change { step, from: None, to: Some(to) } => "+ {step} (step {to})";
    Change { step, from: Some(from), to: None } => "- {step} (was step {from})";
    Change { step, from: None, to: None } => "{step}";
} }

/// All changes, in the order of the new plan; what is gone stands where it stood.
pub(crate) fn changes(before: &[String], after: &[String]) -> Vec<Change> {
    let same = |(a, b): &(&String, &String)| a == b;
    let head = before.iter().zip(after).take_while(same).count();
    let (before_rest, after_rest) = (&before[head..], &after[head..]);
    let tail = before_rest.iter().rev().zip(after_rest.iter().rev()).take_while(same).count();
    let gone_from = &before_rest[..before_rest.len() - tail];
    let came_from = &after_rest[..after_rest.len() - tail];
    let (gone, came) = unmatched(gone_from, came_from);

    // The same step at another place has moved.
    let mut left: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for &at in &gone {
        left.entry(&gone_from[at]).or_default().push_back(at);
    }
    let mut all: Vec<Change> = Vec::new();
    for at in came {
        let step = &came_from[at];
        let from = left.get_mut(step.as_str()).and_then(VecDeque::pop_front);
        let from = from.map(|from| head + from + 1);
        all.push(Change { step: step.clone(), from, to: Some(head + at + 1) });
    }
    for (step, places) in left {
        let gone = |at| Change { step: step.to_string(), from: Some(head + at + 1), to: None };
        all.extend(places.into_iter().map(gone));
    }
    all.sort_by_key(|change| (change.to.or(change.from), change.to.is_some()));
    all
}

/// The places of both lists that are not on a longest common subsequence.
fn unmatched(before: &[String], after: &[String]) -> (Vec<usize>, Vec<usize>) {
    let (n, m) = (before.len(), after.len());
    if n.saturating_mul(m) > MOST_CELLS {
        return ((0..n).collect(), (0..m).collect());
    }
    // longest[i][j]: of what begins at i and at j.
    let width = m + 1;
    let mut longest = vec![0_u32; (n + 1) * width];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            longest[i * width + j] = match before[i] == after[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut gone, mut came) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < n && j < m {
        if before[i] == after[j] {
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            gone.push(i);
            i += 1;
        } else {
            came.push(j);
            j += 1;
        }
    }
    gone.extend(i..n);
    came.extend(j..m);
    (gone, came)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &[&str]) {
        let plan = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let told: Vec<String> =
            changes(&plan(before), &plan(after)).iter().map(Change::to_string).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn steps_come_go_and_move() {
        check("a b c", "a b c", &[]);
        check("a b c", "a c", &["- b (was step 2)"]);
        check("a c", "a b c", &["+ b (step 2)"]);
        check("a b c", "a x c", &["- b (was step 2)", "+ x (step 2)"]);
        check("a b c d", "b c d a", &["~ a (step 1 → 4)"]);
        check("", "a", &["+ a (step 1)"]);
        check("a", "", &["- a (was step 1)"]);
        check("a a b", "a b a b", &["+ b (step 2)"]);
    }

    #[test]
    fn the_changes_turn_the_old_plan_into_the_new_one() {
        // All pairs of plans of up to four steps out of two.
        let mut plans: Vec<Vec<String>> = vec![Vec::new()];
        for at in 0..30 {
            let longer = ["a", "b"].map(|step| {
                let mut plan = plans[at].clone();
                plan.push(step.to_string());
                plan
            });
            plans.extend(longer.into_iter().filter(|plan| plan.len() <= 4));
        }
        for before in &plans {
            for after in &plans {
                let changes = changes(before, after);
                let stays = |at: &usize| changes.iter().all(|it| it.from != Some(at + 1));
                let mut rest = (0..before.len()).filter(stays).map(|at| before[at].clone());
                let made: Vec<String> = (0..after.len())
                    .filter_map(|at| match changes.iter().find(|it| it.to == Some(at + 1)) {
                        Some(change) => Some(change.step.clone()),
                        None => rest.next(),
                    })
                    .collect();
                assert_eq!(&made, after, "from {before:?} by {changes:?}");
                assert_eq!(rest.next(), None, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn very_long_plans_are_compared_all_the_same() {
        let plan = |from: usize| (from..from + 3000).map(|n| n.to_string()).collect::<Vec<_>>();
        let changes = changes(&plan(0), &plan(1));
        assert!(changes.contains(&Change { step: "0".to_string(), from: Some(1), to: None }));
        assert!(changes.contains(&Change { step: "3000".to_string(), from: None, to: Some(3000) }));
    }
}
