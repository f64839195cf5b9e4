//! Random grids and situations that are hard for topological planning.
//!
//! In:   dice.
//! Out:  up to 6 variables of up to 4 values; actions that each set a value of their own, mostly
//!       round short cycles; rivals that set the same value and must be taken out; starts,
//!       masks, goals.
//! Cost: a few microseconds each.
//!
//! Actions are drawn along a story, so that many of them can run after another: what an action
//! needs is mostly what holds when it is drawn. Some variables are *busy*: most needs are
//! about them, so that several values of one cycle are asked for by several actions.

use super::{At, Grid, MAX_VARIABLES, State, Step};
use throng_base::SplitMix;

/// A random grid and what its situations are drawn from.
#[derive(Clone, Debug)]
pub struct AnyGrid {
    /// The domain.
    pub grid: Grid,
    /// Pairs of actions that set the same value and can both be there.
    rivals: Vec<(usize, usize)>,
    /// Where the story began and ended.
    places: [State; 2],
    busy: Vec<usize>,
    /// How many needs an action has: one of these.
    n_needs: &'static [usize],
}

/// Where planning begins, and what is there.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The start.
    pub start: State,
    /// Forbidden actions.
    pub forbidden: Vec<bool>,
    /// The answers of the checks.
    pub answers: Vec<bool>,
}

impl AnyGrid {
    /// A grid.
    pub fn new(dice: &mut SplitMix) -> Self {
        let n_variables = *dice.pick(&[2, 3, 4, 4, 5, 5, 6, 6]);
        let sizes: Vec<u8> = (0..n_variables).map(|_| *dice.pick(&[2, 3, 3, 4])).collect();
        let n_busy = dice.within(1, 2);
        let busy = dice.some_of(n_variables, n_busy);
        let n_needs = *dice.pick(&[&[0, 1, 1, 1][..], &[0, 1, 1, 2], &[0, 1, 1, 2, 2, 3]]);
        let start = any_state(&sizes, dice);
        let grid = Grid { sizes, steps: Vec::new(), n_checks: 2 };
        let mut any = AnyGrid { grid, rivals: Vec::new(), places: [start; 2], busy, n_needs };
        any.add_moves(dice);
        if dice.percent(35) {
            any.add_rivals(dice);
        }
        if dice.percent(50) {
            let costs = |step: &mut Step| step.cost = dice.within(1, 5000) as u64;
            any.grid.steps.iter_mut().for_each(costs);
        }
        any
    }

    /// One action for most values, in the order of the story.
    fn add_moves(&mut self, dice: &mut SplitMix) {
        let mut open: Vec<(At, u8)> = Vec::new();
        for variable in 0..self.grid.sizes.len() {
            let sources = any_sources(self.grid.sizes[variable], dice);
            let moves = sources.into_iter().map(|(to, from)| ((variable, to), from));
            open.extend(moves.filter(|_| dice.percent(94)));
        }
        dice.shuffle(&mut open);
        while !open.is_empty() {
            let here = self.places[1];
            let goes_on = |&((variable, _), from): &(At, u8)| here[variable] == from;
            let next = open.iter().position(goes_on).unwrap_or(0);
            let (to, from) = open.swap_remove(next);
            let during = self.any_needs(to.0, dice);
            // A move between two values may be written without saying from where.
            let is_from_any = self.grid.sizes[to.0] == 2 && dice.percent(10);
            let mut step = Step::new(to, (!is_from_any).then_some(from), during);
            step.check = dice.percent(1).then(|| (dice.below(2), dice.percent(50)));
            self.grid.steps.push(step);
            self.go_on(dice);
        }
    }

    /// The story takes a few steps with what there is.
    fn go_on(&mut self, dice: &mut SplitMix) {
        for _ in 0..dice.within(1, 4) {
            let n_steps = self.grid.steps.len();
            let first = if dice.percent(50) { n_steps - 1 } else { dice.below(n_steps) };
            let mut order = (first..n_steps).chain(0..first);
            let next = order.find_map(|at| self.grid.steps[at].after(&self.places[1]));
            self.places[1] = next.unwrap_or(self.places[1]);
        }
    }

    fn any_needs(&self, own: usize, dice: &mut SplitMix) -> Vec<At> {
        let sizes = &self.grid.sizes;
        let mut needs: Vec<At> = Vec::new();
        for _ in 0..*dice.pick(self.n_needs) {
            let variable = match dice.percent(60) {
                true => *dice.pick(&self.busy),
                false => dice.below(sizes.len()),
            };
            if variable == own || needs.iter().any(|need| need.0 == variable) {
                continue;
            }
            let value = match dice.percent(85) {
                true => self.places[1][variable],
                false => dice.below(usize::from(sizes[variable])) as u8,
            };
            needs.push((variable, value));
        }
        needs
    }

    /// Actions that set what another sets: one of the two must be forbidden, overridden, or
    /// kept away by a check.
    fn add_rivals(&mut self, dice: &mut SplitMix) {
        for _ in 0..dice.within(1, 3) {
            let first = dice.below(self.grid.steps.len());
            let to = self.grid.steps[first].to;
            let size = self.grid.sizes[to.0];
            let from = (to.1 + dice.within(1, usize::from(size) - 1) as u8) % size;
            let during = self.any_needs(to.0, dice);
            let mut rival = Step::new(to, (!dice.percent(10)).then_some(from), during);
            let second = self.grid.steps.len();
            let check = dice.below(2);
            match dice.below(3) {
                0 => self.rivals.push((first, second)),
                1 => {
                    rival.check = Some((check, true));
                    self.grid.steps[first].check = Some((check, false));
                }
                _ => {
                    rival.check = Some((check, dice.percent(50)));
                    rival.overrides = Some(first);
                }
            }
            self.grid.steps.push(rival);
        }
    }

    /// A situation, mostly such that no two rivals are there.
    pub fn any_situation(&self, dice: &mut SplitMix) -> Situation {
        let sizes = &self.grid.sizes;
        let mut start = match dice.below(5) {
            0..=1 => self.places[0],
            2..=3 => self.places[1],
            _ => any_state(sizes, dice),
        };
        if dice.percent(10) {
            for _ in 0..dice.within(1, 2) {
                let variable = dice.below(sizes.len());
                start[variable] = sizes[variable];
            }
        }
        let chance = if dice.percent(40) { 8 } else { 0 };
        let mut forbidden: Vec<bool> =
            self.grid.steps.iter().map(|_| dice.percent(chance)).collect();
        for &(first, second) in &self.rivals {
            if dice.percent(90) {
                forbidden[if dice.percent(50) { first } else { second }] = true;
            }
        }
        let answers = (0..self.grid.n_checks).map(|_| dice.percent(50)).collect();
        Situation { start, forbidden, answers }
    }

    /// A goal, mostly one that is within reach, rather far, and does not hold at the start: on
    /// all variables or on some. `reached` begins with the start and is sorted by distance.
    pub fn any_goal(&self, reached: &[(State, u64)], dice: &mut SplitMix) -> Vec<At> {
        let start = reached[0].0;
        let mut goal = self.any_wishes(reached, dice);
        for _ in 0..3 {
            if goal.iter().any(|&(variable, value)| start[variable] != value) {
                break;
            }
            goal = self.any_wishes(reached, dice);
        }
        goal
    }

    fn any_wishes(&self, reached: &[(State, u64)], dice: &mut SplitMix) -> Vec<At> {
        let sizes = &self.grid.sizes;
        let end = match dice.percent(75) {
            // The farthest of three.
            true => reached[(0..3).map(|_| dice.below(reached.len())).max().unwrap_or(0)].0,
            false => any_state(sizes, dice),
        };
        let all = sizes.len();
        let count = if dice.percent(50) { all } else { dice.within(1, all - 1) };
        let chosen = dice.some_of(all, count).into_iter().map(|variable| (variable, end[variable]));
        // The unknown cannot be wanted.
        chosen.filter(|&(variable, value)| value < sizes[variable]).collect()
    }
}

fn any_state(sizes: &[u8], dice: &mut SplitMix) -> State {
    let mut state = [0; MAX_VARIABLES];
    for (value, &size) in state.iter_mut().zip(sizes) {
        *value = dice.below(usize::from(size)) as u8;
    }
    state
}

/// For the values of a variable where each comes from: a short cycle with branches, a cycle
/// through all, or anything.
fn any_sources(size: u8, dice: &mut SplitMix) -> Vec<(u8, u8)> {
    let mut values: Vec<u8> = (0..size).collect();
    dice.shuffle(&mut values);
    let n = values.len();
    let round = match dice.below(10) {
        0..=5 => dice.within(2, n.min(3)),
        6..=8 => n,
        _ => 0,
    };
    let from = |at: usize, dice: &mut SplitMix| match at < round {
        true => values[(at + 1) % round],
        // From a value before it, so that the cycle remains the only one; or from anywhere.
        false if at > 0 && dice.percent(80) => values[dice.below(at)],
        false => values[(at + dice.within(1, n - 1)) % n],
    };
    (0..n).map(|at| (values[at], from(at, dice))).collect()
}
