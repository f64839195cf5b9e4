//! Groups of minds, by positions alone.
//!
//! In:   places, how near is near, how many at least and at most.
//! Out:  groups, each connected: every one in it is near another that came before.
//! Cost: the square of the positions.
//!
//! The same places in the same order give the same groups; ties go to the first.

use super::distance;
use crate::fact::Position;

/// Of these, the largest part that hangs together; of equals the one with the first. Rising.
pub(super) fn largest_part(places: &[Position], within: f32) -> Vec<usize> {
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut best: Vec<usize> = Vec::new();
    while let Some(&first) = left.first() {
        let mut part = grow(places, &left, first, within, usize::MAX);
        left.retain(|at| !part.contains(at));
        if part.len() > best.len() {
            part.sort_unstable();
            best = part;
        }
    }
    best
}

/// Groups of at least `least` and at most `most`; those in none are too far from others.
pub(super) fn groups(
    places: &[Position],
    within: f32,
    least: usize,
    most: usize,
) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut all = Vec::new();
    while let Some(&first) = left.first() {
        let mut group = grow(places, &left, first, within, most);
        left.retain(|at| !group.contains(at));
        if group.len() >= least {
            group.sort_unstable();
            all.push(group);
        }
    }
    all
}

/// The nearest of some places to a place, and how far it is; of equals the first.
pub(super) fn nearest(places: &[Position], to: Position) -> Option<(usize, f32)> {
    let far = places.iter().map(|&place| distance(place, to)).enumerate();
    far.reduce(|best, next| if next.1 < best.1 { next } else { best })
}

/// One and those near it, the nearest first, until there are enough.
fn grow(places: &[Position], left: &[usize], first: usize, within: f32, most: usize) -> Vec<usize> {
    let mut group = vec![first];
    while group.len() < most {
        let inside: Vec<Position> = group.iter().map(|&at| places[at]).collect();
        let others = left.iter().filter(|at| !group.contains(at));
        let far = others.filter_map(|&at| Some((at, nearest(&inside, places[at])?.1)));
        let next = far.reduce(|best, next| if next.1 < best.1 { next } else { best });
        match next {
            Some((at, far)) if far <= within => group.push(at),
            _ => break,
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: &[f32]) -> Vec<Position> {
        at.iter().map(|&x| [x, 0.0, 0.0]).collect()
    }

    #[test]
    fn who_is_near_another_belongs_to_him() {
        let places = line(&[0.0, 10.0, 2.0, 12.0, 4.0, 50.0]);
        assert_eq!(groups(&places, 3.0, 2, 6), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(groups(&places, 3.0, 3, 6), [vec![0, 2, 4]]);
    }

    #[test]
    fn groups_are_not_larger_than_they_may_be() {
        let places = line(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(groups(&places, 1.5, 2, 2), [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn the_larger_part_stays_and_of_equals_the_first() {
        assert_eq!(largest_part(&line(&[0.0, 9.0, 1.0]), 2.0), [0, 2]);
        assert_eq!(largest_part(&line(&[0.0, 9.0, 1.0, 10.0]), 2.0), [0, 2]);
        assert!(largest_part(&[], 2.0).is_empty());
    }
}
