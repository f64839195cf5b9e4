//! Small domains as plain numbers: what exhaustive and massive tests enumerate.
//!
//! In:   actions that each set one variable, as numbers.
//! Out:  the same as `.npc` text; which actions are there; what each does to a state; the least
//!       cost to everywhere ([`Distances`]); and a [`Judge`] who asks planners and checks them.
//! Cost: nanoseconds per action; loading the text costs most, so one domain serves many
//!       questions.
//!
//! Nothing here looks at compiled tables: states are bytes, and an action is tried by reading
//! them. That is the point.

mod any;
mod distances;
mod judge;
mod tally;

pub use any::{AnyGrid, Situation};
pub use distances::Distances;
pub use judge::Judge;
pub use tally::{Seen, Tally};

use std::fmt::Write;

/// The most variables a grid has.
pub const MAX_VARIABLES: usize = 6;

/// A value for each variable; one more than the last value is unknown. Unused variables are 0.
pub type State = [u8; MAX_VARIABLES];

/// A variable and one of its values.
pub type At = (usize, u8);

/// An action that sets one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it sets.
    pub to: At,
    /// The value that the variable must have before; `None` is any, also unknown.
    pub from: Option<u8>,
    /// What must hold meanwhile, on other variables.
    pub during: Vec<At>,
    /// In thousandths.
    pub cost: u64,
    /// A check, and the answer it must have.
    pub check: Option<(usize, bool)>,
    /// An earlier or later action that is not there while this one is enabled.
    pub overrides: Option<usize>,
}

impl Step {
    /// An action of cost 1 without check.
    pub fn new(to: At, from: Option<u8>, during: Vec<At>) -> Self {
        Step { to, from, during, cost: 1000, check: None, overrides: None }
    }

    /// The state after it; `None` if it is not applicable.
    pub fn after(&self, state: &State) -> Option<State> {
        let (variable, value) = self.to;
        let comes_from = self.from.is_none_or(|from| state[variable] == from);
        if !comes_from || !self.during.iter().all(|&(other, need)| state[other] == need) {
            return None;
        }
        let mut next = *state;
        next[variable] = value;
        Some(next)
    }
}

/// A domain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// How many values each variable has: at most [`MAX_VARIABLES`] numbers.
    pub sizes: Vec<u8>,
    /// Its actions, in file order.
    pub steps: Vec<Step>,
    /// How many checks there are.
    pub n_checks: usize,
}

/// The names of the values.
pub const VALUES: [&str; 4] = ["a", "b", "c", "d"];

impl Grid {
    /// The domain as text: variables `v0`, `v1` …, actions `a0`, `a1` …, checks `c0`, `c1` ….
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(1024);
        text.push_str("domain d\n");
        for (variable, &size) in self.sizes.iter().enumerate() {
            _ = writeln!(text, "var v{variable}: {}", VALUES[..usize::from(size)].join(", "));
        }
        for (index, step) in self.steps.iter().enumerate() {
            let name = |value: u8| VALUES[usize::from(value)];
            let from = step.from.map_or("", name);
            _ = write!(text, "action a{index}: v{} {from} -> {}", step.to.0, name(step.to.1));
            for (nth, &(variable, value)) in step.during.iter().enumerate() {
                let word = if nth == 0 { " while" } else { "," };
                _ = write!(text, "{word} v{variable} = {}", name(value));
            }
            if let Some((check, expected)) = step.check {
                _ = write!(text, " if {}c{check}", if expected { "" } else { "not " });
            }
            if step.cost != 1000 {
                _ = write!(text, " cost {}.{:03}", step.cost / 1000, step.cost % 1000);
            }
            if let Some(other) = step.overrides {
                _ = write!(text, " overrides a{other}");
            }
            text.push('\n');
        }
        text
    }

    /// Which actions are there, if some are forbidden and the checks have these answers.
    pub fn there(&self, forbidden: &[bool], answers: &[bool]) -> Vec<bool> {
        let is_enabled = |index: usize| {
            let check = self.steps[index].check;
            !forbidden[index] && check.is_none_or(|(check, expected)| answers[check] == expected)
        };
        let mut there: Vec<bool> = (0..self.steps.len()).map(is_enabled).collect();
        for index in (0..self.steps.len()).filter(|&index| is_enabled(index)) {
            if let Some(other) = self.steps[index].overrides {
                there[other] = false;
            }
        }
        there
    }

    /// Whether topological planning serves these actions from this start: each comes from one
    /// value, and no two set the same.
    pub fn is_topological(&self, there: &[bool], start: &State) -> bool {
        let mut is_set = [[false; VALUES.len()]; MAX_VARIABLES];
        self.steps.iter().zip(there).filter(|&(_, &is_there)| is_there).all(|(step, _)| {
            let (variable, value) = step.to;
            let is_known = start[variable] < self.sizes[variable];
            let is_move = step.from.is_some() || (self.sizes[variable] == 2 && is_known);
            let is_second = std::mem::replace(&mut is_set[variable][usize::from(value)], true);
            is_move && !is_second
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overridden_actions_still_override() {
        let over = |overrides| Step { overrides, ..Step::new((0, 1), Some(0), vec![]) };
        let steps = vec![over(Some(1)), over(Some(2)), over(None)];
        let grid = Grid { sizes: vec![2], steps, n_checks: 0 };
        assert_eq!(grid.there(&[false; 3], &[]), [true, false, false]);
        assert_eq!(grid.there(&[true, false, false], &[]), [false, true, false]);
        assert!(!grid.is_topological(&[true; 3], &[0; MAX_VARIABLES]));
    }

    #[test]
    fn needs_are_read_from_the_state() {
        let step = Step::new((0, 1), Some(0), vec![(1, 2)]);
        assert_eq!(step.after(&[0, 2, 0, 0, 0, 0]), Some([1, 2, 0, 0, 0, 0]));
        assert_eq!(step.after(&[0, 1, 0, 0, 0, 0]), None);
        assert_eq!(step.after(&[1, 2, 0, 0, 0, 0]), None);
    }
}
