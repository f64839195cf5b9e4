//! Small linear programs: the most of a sum, under sums that may not exceed limits.
//!
//! In:   rows of coefficients with limits of zero or more; variables are zero or more, so nothing
//!       at all is a first answer.
//! Out:  weights at which the aim is greatest, or a direction in which it has no end.
//! Cost: rows times columns per pivot, at most [`MOST_PIVOTS`]; no allocation once warm.
//!
//! What comes out is only proposed: floating point decides nothing, whoever asks verifies it in
//! whole numbers. The same operations in the same order everywhere, so the same on every machine.

use throng_base::reset;

/// After so many pivots the rule is one that cannot go in circles (Bland's).
const HASTY_PIVOTS: usize = 200;
/// And after so many there is no answer.
const MOST_PIVOTS: usize = 2_000;
/// What is smaller is zero.
const SMALL: f64 = 1e-9;

/// What a program came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Solved {
    /// The weights are the best ones.
    Best,
    /// The weights are a direction without end.
    Endless,
    /// It took too long.
    Nothing,
}

/// A program and its tableau, kept between calls. Row by row: a coefficient per column, the limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Simplex {
    n_columns: usize,
    table: Vec<f64>,
    /// What is left to gain, per column.
    aim: Vec<f64>,
    /// Who is at each row, and who at each column: variables, then those that fill up the rows.
    rows: Vec<u32>,
    columns: Vec<u32>,
    weights: Vec<f64>,
}

impl Simplex {
    /// Begins a program with so many variables.
    pub(super) fn begin(&mut self, n_variables: usize) {
        self.n_columns = n_variables;
        self.table.clear();
        self.rows.clear();
        reset(&mut self.aim, n_variables, 0.0);
        reset(&mut self.weights, n_variables, 0.0);
        self.columns.clear();
        self.columns.extend(0..n_variables as u32);
    }

    /// Adds a row without coefficients, and its limit.
    pub(super) fn add_row(&mut self, limit: f64) {
        let n = self.table.len();
        self.table.resize(n + self.n_columns + 1, 0.0);
        if let Some(last) = self.table.last_mut() {
            *last = limit;
        }
        self.rows.push((self.n_columns + self.rows.len()) as u32);
    }

    /// Adds to a coefficient of the last row.
    pub(super) fn add(&mut self, variable: u32, coefficient: f64) {
        let at = self.table.len() - 1 - self.n_columns + variable as usize;
        self.table[at] += coefficient;
    }

    /// Adds to what a variable is worth.
    pub(super) fn add_aim(&mut self, variable: u32, worth: f64) {
        self.aim[variable as usize] += worth;
    }

    /// What came out for each variable.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Finds the best weights.
    pub(super) fn solve(&mut self) -> Solved {
        for pivots in 0..MOST_PIVOTS {
            let Some(column) = self.entering(pivots >= HASTY_PIVOTS) else {
                self.read_best();
                return Solved::Best;
            };
            let Some(row) = self.leaving(column) else {
                self.read_direction(column);
                return Solved::Endless;
            };
            self.pivot(row, column);
        }
        Solved::Nothing
    }

    /// The column to gain by: the one with most, or the first of its name.
    fn entering(&self, by_name: bool) -> Option<usize> {
        let gains = (0..self.n_columns).filter(|&column| self.aim[column] > SMALL);
        if by_name {
            return gains.min_by_key(|&column| self.columns[column]);
        }
        let mut best: Option<usize> = None;
        for column in gains {
            if best.is_none_or(|best| self.aim[column] > self.aim[best]) {
                best = Some(column);
            }
        }
        best
    }

    /// The row that limits a column most; of several the first of its name.
    fn leaving(&self, column: usize) -> Option<usize> {
        let width = self.n_columns + 1;
        let mut best: Option<(f64, u32, usize)> = None;
        for (row, list) in self.table.chunks_exact(width).enumerate() {
            if list[column] > SMALL {
                let ratio = list[self.n_columns] / list[column];
                let name = self.rows[row];
                let is_better = best.is_none_or(|(least, first, _)| {
                    ratio < least - SMALL || (ratio <= least + SMALL && name < first)
                });
                if is_better {
                    best = Some((ratio, name, row));
                }
            }
        }
        best.map(|(_, _, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.n_columns + 1;
        let (before, rest) = self.table.split_at_mut(row * width);
        let (own, after) = rest.split_at_mut(width);
        let factor = 1.0 / own[column];
        own.iter_mut().for_each(|entry| *entry *= factor);
        own[column] = factor;
        let others = before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width));
        for list in others.chain([&mut self.aim[..]]) {
            let times = list[column];
            if times == 0.0 {
                continue;
            }
            list[column] = 0.0;
            list.iter_mut().zip(own.iter()).for_each(|(entry, own)| *entry -= times * own);
        }
        std::mem::swap(&mut self.rows[row], &mut self.columns[column]);
    }

    fn read_best(&mut self) {
        let (n, width) = (self.n_columns, self.n_columns + 1);
        self.weights.fill(0.0);
        for (list, &name) in self.table.chunks_exact(width).zip(&self.rows) {
            if let Some(weight) = self.weights.get_mut(name as usize) {
                *weight = list[n].max(0.0);
            }
        }
    }

    fn read_direction(&mut self, column: usize) {
        let width = self.n_columns + 1;
        self.weights.fill(0.0);
        if let Some(weight) = self.weights.get_mut(self.columns[column] as usize) {
            *weight = 1.0;
        }
        for (list, &name) in self.table.chunks_exact(width).zip(&self.rows) {
            if let Some(weight) = self.weights.get_mut(name as usize) {
                *weight = (-list[column]).max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(rows: &[(&[f64], f64)], aim: &[f64]) -> (Solved, Vec<f64>) {
        let mut simplex = Simplex::default();
        // What was there before does not matter.
        simplex.begin(1);
        simplex.add_row(3.0);
        simplex.begin(aim.len());
        for (row, limit) in rows {
            simplex.add_row(*limit);
            row.iter().enumerate().for_each(|(at, &by)| simplex.add(at as u32, by));
        }
        aim.iter().enumerate().for_each(|(at, &worth)| simplex.add_aim(at as u32, worth));
        (simplex.solve(), simplex.weights().to_vec())
    }

    #[test]
    fn a_corner_is_found() {
        // Of the textbooks: 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18.
        let rows: [(&[f64], f64); 3] =
            [(&[1.0, 0.0], 4.0), (&[0.0, 2.0], 12.0), (&[3.0, 2.0], 18.0)];
        let (solved, weights) = program(&rows, &[3.0, 5.0]);
        assert_eq!(solved, Solved::Best);
        assert!((weights[0] - 2.0).abs() < 1e-9 && (weights[1] - 6.0).abs() < 1e-9);
    }

    #[test]
    fn what_has_no_end_is_a_direction() {
        let (solved, weights) = program(&[(&[1.0, -2.0], 4.0)], &[1.0, 1.0]);
        assert_eq!(solved, Solved::Endless);
        assert!(weights[0] - 2.0 * weights[1] <= 1e-9 && weights[0] + weights[1] > 0.5);
    }

    #[test]
    fn one_that_goes_in_circles_ends() {
        // Beale's example, on which the greedy rule alone may turn in circles.
        let rows: [(&[f64], f64); 3] = [
            (&[0.25, -60.0, -0.04, 9.0], 0.0),
            (&[0.5, -90.0, -0.02, 3.0], 0.0),
            (&[0.0, 0.0, 1.0, 0.0], 1.0),
        ];
        let (solved, weights) = program(&rows, &[0.75, -150.0, 0.02, -6.0]);
        let aim = 0.75 * weights[0] - 150.0 * weights[1] + 0.02 * weights[2] - 6.0 * weights[3];
        assert_eq!(solved, Solved::Best);
        assert!((aim - 0.05).abs() < 1e-9);
    }
}
