//! The least cost from one state to all others, by Dijkstra's algorithm.
//!
//! In:   a grid, the actions that are there, a start, and what a step costs.
//! Out:  every state within reach, nearest first, with its distance.
//! Cost: every reachable state times the actions; memory is kept between calls.

use super::{At, Grid, State, Step};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const FAR: u64 = u64::MAX;

/// Distances from one start.
#[derive(Debug, Default)]
pub struct Distances {
    /// By state index; [`FAR`] is not reached.
    distance: Vec<u64>,
    reached: Vec<(State, u64)>,
    open: BinaryHeap<Reverse<(u64, State)>>,
    sizes: Vec<u8>,
}

impl Distances {
    /// Explores everything within reach of `start`.
    pub fn explore(
        &mut self,
        grid: &Grid,
        there: &[bool],
        start: &State,
        cost: impl Fn(&Step) -> u64,
    ) {
        self.sizes.clone_from(&grid.sizes);
        let n_states = grid.sizes.iter().map(|&size| usize::from(size) + 1).product();
        self.distance.clear();
        self.distance.resize(n_states, FAR);
        self.reached.clear();
        self.open.clear();
        let at = self.index(start);
        self.distance[at] = 0;
        self.open.push(Reverse((0, *start)));
        while let Some(Reverse((so_far, state))) = self.open.pop() {
            if so_far > self.distance[self.index(&state)] {
                continue;
            }
            self.reached.push((state, so_far));
            for (step, _) in grid.steps.iter().zip(there).filter(|&(_, &is_there)| is_there) {
                let Some(next) = step.after(&state) else { continue };
                let (at, distance) = (self.index(&next), so_far + cost(step));
                if distance < self.distance[at] {
                    self.distance[at] = distance;
                    self.open.push(Reverse((distance, next)));
                }
            }
        }
    }

    fn index(&self, state: &State) -> usize {
        self.sizes
            .iter()
            .zip(state)
            .fold(0, |index, (&size, &value)| index * (usize::from(size) + 1) + usize::from(value))
    }

    /// All states within reach, nearest first.
    pub fn reached(&self) -> &[(State, u64)] {
        &self.reached
    }

    /// The distance to the nearest state in which all of `goal` holds.
    pub fn to(&self, goal: &[At]) -> Option<u64> {
        let holds = |state: &State| goal.iter().all(|&(variable, value)| state[variable] == value);
        self.reached.iter().find(|(state, _)| holds(state)).map(|&(_, distance)| distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round three values; the second step is dear and needs the other variable.
    fn ring() -> Grid {
        let mut steps: Vec<Step> =
            (0..3).map(|to| Step::new((0, to), Some((to + 2) % 3), vec![])).collect();
        steps[2].cost = 5000;
        steps[2].during = vec![(1, 1)];
        steps.push(Step::new((1, 1), Some(0), vec![(0, 1)]));
        Grid { sizes: vec![3, 2], steps, n_checks: 0 }
    }

    #[test]
    fn the_nearest_state_counts() {
        let mut distances = Distances::default();
        distances.explore(&ring(), &[true; 4], &[0; 6], |step| step.cost);
        assert_eq!(distances.to(&[]), Some(0));
        assert_eq!(distances.to(&[(0, 2)]), Some(7000));
        assert_eq!(distances.to(&[(0, 0), (1, 1)]), Some(8000));
        assert_eq!(distances.to(&[(0, 2), (1, 0)]), None);
        assert_eq!(distances.reached().len(), 5);
    }

    #[test]
    fn what_is_not_there_is_not_taken() {
        let mut distances = Distances::default();
        distances.explore(&ring(), &[true, true, true, false], &[0; 6], |_| 1);
        assert_eq!(distances.to(&[(0, 1)]), Some(1));
        assert_eq!(distances.to(&[(0, 2)]), None);
    }
}
