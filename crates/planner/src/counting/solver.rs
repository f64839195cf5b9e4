//! Where potentials come from: a linear program per question, its answer verified in whole numbers.
//!
//! In:   a task, the actions that matter, what is wanted and from where, whose upper ends are
//!       ignored.
//! Out:  a [`Potential`] that says most about this question, or a ray, which is a proof that it is
//!       impossible, or nothing.
//! Cost: a small program (`simplex`), as many rows as actions; no allocation once warm.
//!
//! The program: a weight per unit of each amount (up, and down if the upper end counts), one per
//! value of each word, and the least of each set of words that something asks for. A row per
//! action says that it gains no more than it costs. Aim: what is wanted, less what there is. What
//! comes out is rounded, verified, and shrunk until it holds, or thrown away.

use super::potential::{PLACES, Part, Potential, moves, need};
use super::simplex::{Simplex, Solved};
use super::task::{CountingTask, Effect, Need};
use throng_base::reset;
use throng_domain::amounts::ValueSet;

/// With more actions or variables than so many there are no potentials.
pub(super) const MOST_ACTIONS: usize = 256;
/// See [`MOST_ACTIONS`].
pub(super) const MOST_VARIABLES: usize = 64;
/// Words of more values are weighed like amounts.
pub(super) const MOST_WORDS: u16 = 32;
/// Weights beyond could overflow.
const MOST_WEIGHT: f64 = (1u64 << 38) as f64;
/// How often weights are shrunk until they hold.
const MOST_SHRINKS: usize = 6;
/// Directions are tried in so many multiples, to be whole.
const MOST_TIMES: u32 = 64;

/// What a question came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weighed {
    /// An estimate.
    Estimate,
    /// A proof that what is wanted can never be had.
    Ray,
    /// Neither.
    Nothing,
}

/// What is weighed, and against what.
#[derive(Clone, Copy, Debug)]
pub struct Weighing<'t, Open, Used> {
    /// The task.
    pub task: &'t CountingTask,
    /// Whether a variable has no upper end. Such a one is asked for at least so much only.
    pub open: Open,
    /// Whether an action may be used.
    pub used: Used,
    /// What is wanted, by variable.
    pub wanted: &'t [Need],
    /// From where.
    pub start: &'t [u16],
    /// Whether more than is wanted of what nobody takes away is worth no more. For searches from
    /// the start on, in which it would look like progress.
    pub caps: bool,
}

/// Which weights a variable has in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Nothing,
    /// A unit more, and a unit less if that is one.
    Line {
        up: u32,
        down: Option<u32>,
    },
    /// One per value, unknown last.
    Table {
        first: u32,
        n_values: u16,
    },
}

/// Working memory; keep one per thread and reuse it.
#[derive(Clone, Debug, Default)]
pub struct PotentialSolver {
    simplex: Simplex,
    columns: Vec<Column>,
    /// By variable: who changes it.
    traits: Vec<Traits>,
    /// The least of some values of a word, and its column.
    sets: Vec<(u32, ValueSet, u32)>,
    n_columns: u32,
    /// What is proposed, by variable or place in the table.
    lines: Vec<f64>,
    table: Vec<f64>,
}

/// What happens to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Traits {
    shifts: bool,
    sets: bool,
    rises: bool,
    falls: bool,
}

impl PotentialSolver {
    /// Weighs a question; `into` is worth something only if the answer is not [`Weighed::Nothing`].
    pub fn solve<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &mut self,
        asked: &Weighing<'_, Open, Used>,
        into: &mut Potential,
    ) -> Weighed {
        if !self.lay_out(asked) {
            return Weighed::Nothing;
        }
        let unit = unit(asked);
        self.fill(asked, unit);
        let solved = self.simplex.solve();
        into.unit = unit;
        into.is_ray = solved == Solved::Endless;
        match solved {
            Solved::Best if self.round_best(asked, into) => Weighed::Estimate,
            Solved::Endless if self.round_ray(asked, into) => Weighed::Ray,
            _ => Weighed::Nothing,
        }
    }

    /// Which columns there are; `false` if too many.
    fn lay_out<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &mut self,
        asked: &Weighing<'_, Open, Used>,
    ) -> bool {
        let &Weighing { task, wanted, start, .. } = asked;
        reset(&mut self.traits, task.n_variables(), Traits::default());
        let mut n_actions = 0;
        for action in used(asked) {
            n_actions += 1;
            for change in task.changes(action) {
                let (least, most) = moves(task, action, change);
                let own = &mut self.traits[change.variable as usize];
                own.shifts |= matches!(change.effect, Effect::Shift(_));
                own.sets |= matches!(change.effect, Effect::Set(_));
                own.rises |= most > 0;
                own.falls |= least < 0;
            }
        }
        self.columns.clear();
        self.sets.clear();
        self.n_columns = 0;
        let mut n_variables = 0;
        for (variable, own) in (0..).zip(&self.traits) {
            let at = variable as usize;
            let (size, is_known) = (task.sizes()[at], start[at] < task.sizes()[at]);
            let is_wanted = find(wanted, variable).is_some();
            let column = match own {
                Traits { shifts: false, sets: false, .. } if !is_wanted => Column::Nothing,
                Traits { shifts: false, .. } if size <= MOST_WORDS => {
                    let n_values = size + u16::from(!is_known);
                    Column::Table { first: self.n_columns, n_values }
                }
                // An unknown amount is worth nothing: no unit of it is there.
                _ if !is_known => Column::Nothing,
                _ => {
                    let down = (!(asked.open)(variable)).then_some(self.n_columns + 1);
                    Column::Line { up: self.n_columns, down }
                }
            };
            self.n_columns += match column {
                Column::Nothing => 0,
                Column::Line { down, .. } => 1 + u32::from(down.is_some()),
                Column::Table { n_values, .. } => u32::from(n_values),
            };
            n_variables += usize::from(column != Column::Nothing);
            self.columns.push(column);
        }
        if n_actions > MOST_ACTIONS || n_variables > MOST_VARIABLES {
            return false;
        }
        for action in used(asked) {
            for change in task.changes(action) {
                if let Some(values) = need(task, action, change.variable) {
                    self.add_set(change.variable, values);
                }
            }
        }
        wanted.iter().for_each(|need| self.add_set(need.variable, &need.values));
        true
    }

    /// A set of several values of a word gets a column.
    fn add_set(&mut self, variable: u32, values: &ValueSet) {
        let is_table = matches!(self.columns[variable as usize], Column::Table { .. });
        let is_new = !self.sets.iter().any(|(of, set, _)| (*of, set) == (variable, values));
        if is_table && values.only().is_none() && is_new {
            self.sets.push((variable, *values, self.n_columns));
            self.n_columns += 1;
        }
    }

    /// The column of the least worth of a word's values.
    fn least(&self, first: u32, variable: u32, values: &ValueSet) -> Option<u32> {
        if let Some(value) = values.only() {
            return Some(first + u32::from(value));
        }
        let same = |entry: &&(u32, ValueSet, u32)| (entry.0, &entry.1) == (variable, values);
        self.sets.iter().find(same).map(|&(_, _, column)| column)
    }

    /// Writes the program.
    fn fill<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &mut self,
        asked: &Weighing<'_, Open, Used>,
        unit: u64,
    ) {
        let &Weighing { task, wanted, start, .. } = asked;
        self.simplex.begin(self.n_columns as usize);
        for action in used(asked) {
            self.simplex.add_row((task.cost(action) / unit) as f64);
            for change in task.changes(action) {
                let variable = change.variable;
                match (self.columns[variable as usize], change.effect) {
                    (Column::Line { up, down }, _) => {
                        let (least, most) = moves(task, action, change);
                        self.simplex.add(up, f64::from(most));
                        if let Some(down) = down {
                            self.simplex.add(down, -f64::from(least));
                        }
                    }
                    (Column::Table { first, .. }, Effect::Set(value)) => {
                        self.simplex.add(first + u32::from(value), 1.0);
                        let from = need(task, action, variable);
                        let from = from.and_then(|values| self.least(first, variable, values));
                        if let Some(column) = from {
                            self.simplex.add(column, -1.0);
                        }
                    }
                    _ => {}
                }
            }
        }
        for &(variable, values, column) in &self.sets {
            let Column::Table { first, .. } = self.columns[variable as usize] else { continue };
            for value in values.values() {
                self.simplex.add_row(0.0);
                self.simplex.add(column, 1.0);
                self.simplex.add(first + u32::from(value), -1.0);
            }
        }
        for (variable, &column) in (0..).zip(&self.columns) {
            let values = find(wanted, variable);
            let at = variable as usize;
            match column {
                Column::Nothing => {}
                Column::Line { up, down } => {
                    let top = task.sizes()[at].saturating_sub(1);
                    let (first, last) = values.and_then(ValueSet::ends).unwrap_or((0, top));
                    let is_up = !asked.caps || self.traits[at].falls;
                    let is_down = !asked.caps || self.traits[at].rises;
                    let from = if is_up { start[at] } else { start[at].min(first) };
                    self.simplex.add_aim(up, f64::from(first) - f64::from(from));
                    if let Some(down) = down {
                        let last = last.min(top);
                        let from = if is_down { start[at] } else { start[at].max(last) };
                        self.simplex.add_aim(down, f64::from(from) - f64::from(last));
                    }
                }
                Column::Table { first, n_values } => {
                    let least = values.and_then(|values| self.least(first, variable, values));
                    if let Some(column) = least {
                        self.simplex.add_aim(column, 1.0);
                    }
                    let from = u32::from(start[at].min(n_values.saturating_sub(1)));
                    self.simplex.add_aim(first + from, -1.0);
                }
            }
        }
    }

    /// Reads the proposed weights, a net one per line.
    fn read(&mut self) {
        let weights = self.simplex.weights();
        self.lines.clear();
        self.table.clear();
        for &column in &self.columns {
            self.lines.push(match column {
                Column::Line { up, down } => {
                    weights[up as usize] - down.map_or(0.0, |down| weights[down as usize])
                }
                _ => 0.0,
            });
            if let Column::Table { first, n_values } = column {
                let range = first as usize..first as usize + usize::from(n_values);
                self.table.extend_from_slice(&weights[range]);
            }
        }
    }

    /// Becomes the proposed weights, so many times; `false` if they are too great.
    fn round<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &self,
        asked: &Weighing<'_, Open, Used>,
        times: f64,
        into: &mut Potential,
    ) -> bool {
        let &Weighing { task, wanted, start, .. } = asked;
        let mut is_small = true;
        let mut whole = |weight: f64| {
            let weight = (weight * times).round();
            is_small &= weight.abs() <= MOST_WEIGHT;
            weight as i64
        };
        into.parts.clear();
        into.table.clear();
        for (variable, &column) in (0..).zip(&self.columns) {
            let at = variable as usize;
            into.parts.push(match column {
                Column::Nothing => Part::Nothing,
                Column::Table { n_values, .. } => {
                    let first = into.table.len();
                    let values = &self.table[first..first + usize::from(n_values)];
                    into.table.extend(values.iter().map(|&weight| whole(weight)));
                    Part::Table { first: first as u32, n_values }
                }
                Column::Line { .. } => {
                    let weight = whole(self.lines[at]);
                    let top = task.sizes()[at].saturating_sub(1);
                    let (mut low, mut high) = (0, top);
                    let ends = find(wanted, variable).and_then(ValueSet::ends);
                    let (first, last) = ends.unwrap_or((0, top));
                    let traits = self.traits[at];
                    if (asked.open)(variable) {
                        high = u16::MAX;
                    }
                    if asked.caps && weight > 0 && !traits.falls {
                        high = first;
                    }
                    if asked.caps && weight < 0 && !traits.rises {
                        low = last.min(high);
                    }
                    Part::Line { weight, low, high }
                }
            });
        }
        into.there = (0..).zip(start).map(|(variable, &value)| into.worth(variable, value)).sum();
        let least = |variable| into.least(variable, find(wanted, variable));
        into.wanted = (0..self.columns.len() as u32).map(least).sum();
        is_small
    }

    fn round_best<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &mut self,
        asked: &Weighing<'_, Open, Used>,
        into: &mut Potential,
    ) -> bool {
        self.read();
        let mut times = f64::from(1u32 << PLACES);
        for _ in 0..MOST_SHRINKS {
            if !self.round(asked, times, into) {
                return false;
            }
            let mut factor = 1.0f64;
            for action in used(asked) {
                let rise = into.most_rise(asked.task, action);
                let most = i128::from(asked.task.cost(action) / into.unit) << PLACES;
                if rise > most {
                    factor = factor.min(most as f64 / rise as f64);
                }
            }
            if factor == 1.0 {
                return into.wanted > into.there;
            }
            // A little more than needed, because rounding may go the wrong way again.
            times *= factor * (1.0 - 1.0 / 65_536.0);
        }
        false
    }

    fn round_ray<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
        &mut self,
        asked: &Weighing<'_, Open, Used>,
        into: &mut Potential,
    ) -> bool {
        self.read();
        let all = self.lines.iter().chain(&self.table).map(|weight| weight.abs());
        let least = all.filter(|&weight| weight > 1e-7).fold(f64::INFINITY, f64::min);
        if !least.is_finite() {
            return false;
        }
        for times in (1..=MOST_TIMES).map(|times| f64::from(times) / least) {
            let mut all = self.lines.iter().chain(&self.table).map(|weight| weight * times);
            if !all.all(|weight| (weight - weight.round()).abs() < 1e-5) {
                continue;
            }
            let is_small = self.round(asked, times, into);
            return is_small && verify_ray(asked, into);
        }
        false
    }
}

/// Whether no action raises a worth, and what is wanted is worth more than what there is.
fn verify_ray<Open: Fn(u32) -> bool, Used: Fn(u32) -> bool>(
    asked: &Weighing<'_, Open, Used>,
    ray: &Potential,
) -> bool {
    let is_low = |action| ray.most_rise(asked.task, action) <= 0;
    ray.wanted > ray.there && used(asked).all(is_low)
}

/// The actions that matter and can run somewhere.
fn used<'a, Open, Used: Fn(u32) -> bool>(
    asked: &'a Weighing<'_, Open, Used>,
) -> impl Iterator<Item = u32> + 'a {
    let can_run = |action: u32| !asked.task.needs(action).iter().any(|need| need.values.is_empty());
    let actions = 0..asked.task.n_actions() as u32;
    actions.filter(move |&action| (asked.used)(action) && can_run(action))
}

/// The greatest common divisor of the costs.
fn unit<Open, Used: Fn(u32) -> bool>(asked: &Weighing<'_, Open, Used>) -> u64 {
    let costs = used(asked).map(|action| asked.task.cost(action));
    costs.fold(0, common_divisor).max(1)
}

/// The greatest common divisor of two numbers; the other one if one is 0.
pub(super) fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What is wanted of a variable.
fn find(wanted: &[Need], variable: u32) -> Option<&ValueSet> {
    let at = wanted.binary_search_by_key(&variable, |need| need.variable).ok()?;
    Some(&wanted[at].values)
}
