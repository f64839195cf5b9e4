//! Which groups become variables.
//!
//! In:   groups of facts of which at most one holds, and the facts to cover.
//! Out:  disjoint groups that cover them: the largest first, what is left of the others after.
//! Cost: linear in the groups, and a heap.

use super::limits::{Checked, Guard};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Disjoint groups of all the facts that are `wanted`, each sorted, in the order of their first
/// facts. None has more than `most` facts.
pub(super) fn cover(
    groups: &[Vec<u32>],
    wanted: &[bool],
    most: usize,
    guard: &Guard<'_>,
) -> Checked<Vec<Vec<u32>>> {
    let mut is_open = wanted.to_vec();
    let is_counted = |is_open: &[bool], fact: u32| is_open[fact as usize];
    let left = |is_open: &[bool], group: &[u32]| -> Vec<u32> {
        group.iter().copied().filter(|&fact| is_counted(is_open, fact)).collect()
    };
    let sizes = groups.iter().map(|group| left(&is_open, group).len());
    let mut heap: BinaryHeap<(usize, Reverse<usize>)> =
        sizes.enumerate().map(|(at, size)| (size, Reverse(at))).collect();
    let mut chosen: Vec<Vec<u32>> = Vec::new();
    while let Some((size, Reverse(at))) = heap.pop() {
        guard.pass(1 + groups[at].len())?;
        let facts = left(&is_open, &groups[at]);
        if facts.len() < 2 {
            continue;
        }
        if facts.len() < size {
            heap.push((facts.len(), Reverse(at)));
            continue;
        }
        facts.iter().for_each(|&fact| is_open[fact as usize] = false);
        chosen.extend(facts.chunks(most.max(1)).map(<[u32]>::to_vec));
    }
    let alone = (0..is_open.len() as u32).filter(|&fact| is_open[fact as usize]);
    chosen.extend(alone.map(|fact| vec![fact]));
    chosen.sort_unstable_by_key(|group| group[0]);
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::*;

    fn check(groups: &[Vec<u32>], wanted: &[bool], most: usize, expected: &[Vec<u32>]) {
        let guard = Guard::new(&Limits::default(), None);
        assert_eq!(cover(groups, wanted, most, &guard).unwrap(), expected);
    }

    #[test]
    fn the_largest_group_is_taken_and_the_others_keep_what_is_left() {
        let groups = [vec![0, 1, 2], vec![2, 3, 4, 5], vec![6, 7]];
        let all = [true; 9];
        let expected = [vec![0, 1], vec![2, 3, 4, 5], vec![6, 7], vec![8]];
        check(&groups, &all, 100, &expected);
    }

    #[test]
    fn facts_that_nobody_wants_are_in_no_variable() {
        let wanted = [true, false, true, false];
        check(&[vec![0, 1, 2]], &wanted, 100, &[vec![0, 2]]);
    }

    #[test]
    fn a_group_beyond_the_largest_size_is_cut() {
        check(&[vec![0, 1, 2, 3, 4]], &[true; 5], 2, &[vec![0, 1], vec![2, 3], vec![4]]);
    }
}
