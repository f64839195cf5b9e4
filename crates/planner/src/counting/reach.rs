//! The least that each value of each variable costs from the start, if needs are taken one at a
//! time and nothing is ever lost: h_max on values.
//!
//! In:   a task, and whose upper ends are ignored.
//! Out:  the price of a set of values, never above the truth; which actions can ever run.
//! Cost: each value of each variable once, and per value the needs and shifts of its variable; no
//!       cross products. Beyond [`MOST_VALUES`] values only whether, not for how much (`hull`).
//!       No allocation once warm.
//!
//! A ready action moves every reached value that it takes: a shift is an edge per value, and the
//! action is still one.

use super::hull::Hulls;
use super::task::{CountingTask, Effect, Need};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::{Rows, reset};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// The price of what cannot be had.
pub const NEVER: u64 = u64::MAX;

/// With more values in all than so many, prices cost more than they save.
pub(super) const MOST_VALUES: usize = 4_096;

/// Prices of values, kept between calls.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Where the values of each variable begin.
    firsts: Vec<u32>,
    price: Vec<u64>,
    /// By variable and value: the least price from this value up, and up to this value.
    above: Vec<u64>,
    below: Vec<u64>,
    /// By action: the price of all that it needs.
    ready: Vec<u64>,
    missing: Vec<u32>,
    /// By variable: who needs something of it (action, position of the need among all, set).
    asked: Rows<Asked>,
    met: Vec<bool>,
    settled: Vec<bool>,
    queue: BinaryHeap<Reverse<(u64, u32, u16)>>,
    hulls: Hulls,
    is_exact: bool,
}

/// A need of an action, as its variable sees it.
#[derive(Clone, Copy, Debug)]
struct Asked {
    action: u32,
    need: u32,
    values: ValueSet,
    shift: Option<ShiftBy>,
}

impl Reach {
    /// Computes all prices from the task's start. The variables that are `open` have no upper end:
    /// they may only be asked to be at least so much, and a rise that is refused at the end stops
    /// there instead, which stands for all that is beyond.
    pub fn explore(&mut self, task: &CountingTask, open: &impl Fn(u32) -> bool) {
        let n_values: usize = task.sizes().iter().map(|&size| usize::from(size)).sum();
        self.is_exact = n_values <= MOST_VALUES;
        if !self.is_exact {
            self.hulls.explore(task, open);
            return;
        }
        self.begin(task, open);
        while let Some(Reverse((price, variable, value))) = self.queue.pop() {
            let at = self.firsts[variable as usize] as usize + usize::from(value);
            if self.settled[at] {
                continue;
            }
            self.settled[at] = true;
            for place in self.asked.range(variable as usize) {
                let asked = self.asked.entries()[place];
                if asked.values.has(value) {
                    self.meet(task, variable, value, price, asked);
                }
            }
        }
        self.sum_up(task);
    }

    fn begin(&mut self, task: &CountingTask, open: &impl Fn(u32) -> bool) {
        self.firsts.clear();
        let mut first = 0u32;
        for &size in task.sizes() {
            self.firsts.push(first);
            first += u32::from(size);
        }
        let n_values = first as usize;
        reset(&mut self.price, n_values, NEVER);
        reset(&mut self.settled, n_values, false);
        self.queue.clear();
        reset(&mut self.ready, task.n_actions(), NEVER);
        self.missing.clear();
        let actions = 0..task.n_actions() as u32;
        self.missing.extend(actions.clone().map(|action| task.needs(action).len() as u32));
        let needs = actions
            .clone()
            .flat_map(|action| task.needs(action).iter().map(move |need| (action, need)));
        let asked = needs.enumerate().map(|(at, (action, need))| {
            let (values, shift) = taken(task, action, need, open(need.variable));
            (need.variable as usize, Asked { action, need: at as u32, values, shift })
        });
        self.asked.refill(task.n_variables(), asked);
        reset(&mut self.met, self.asked.n_entries(), false);
        for (variable, &value) in task.start().iter().enumerate() {
            self.offer(task, variable as u32, value, 0);
        }
        for action in actions.filter(|&action| task.needs(action).is_empty()) {
            self.perform(task, action, 0);
        }
    }

    /// A value is one that an action takes.
    fn meet(&mut self, task: &CountingTask, variable: u32, value: u16, price: u64, asked: Asked) {
        let is_ready = self.ready[asked.action as usize] != NEVER;
        if is_ready {
            if let Some(shift) = asked.shift {
                self.shift(
                    task,
                    variable,
                    value,
                    shift,
                    price.saturating_add(task.cost(asked.action)),
                );
            }
        } else if !self.met[asked.need as usize] {
            self.met[asked.need as usize] = true;
            let missing = &mut self.missing[asked.action as usize];
            *missing -= 1;
            if *missing == 0 {
                self.perform(task, asked.action, price);
            }
        }
    }

    /// An action is ready: it moves what is there.
    fn perform(&mut self, task: &CountingTask, action: u32, price: u64) {
        self.ready[action as usize] = price;
        let after = price.saturating_add(task.cost(action));
        for change in task.changes(action) {
            let variable = change.variable;
            match change.effect {
                Effect::Set(value) => self.offer(task, variable, value, after),
                Effect::Shift(_) => {
                    let row = self.asked.range(variable as usize);
                    let mut row = row.map(|place| self.asked.entries()[place]);
                    let Some(asked) = row.find(|asked| asked.action == action) else { continue };
                    let Some(shift) = asked.shift else { continue };
                    let first = self.firsts[variable as usize] as usize;
                    for value in asked.values.values() {
                        if self.settled[first + usize::from(value)] {
                            self.shift(task, variable, value, shift, after);
                        }
                    }
                }
            }
        }
    }

    fn shift(&mut self, task: &CountingTask, variable: u32, from: u16, by: ShiftBy, price: u64) {
        if let Some(value) = by.apply(from, task.sizes()[variable as usize]) {
            self.offer(task, variable, value, price);
        }
    }

    fn offer(&mut self, task: &CountingTask, variable: u32, value: u16, price: u64) {
        if value >= task.sizes()[variable as usize] {
            return;
        }
        let at = self.firsts[variable as usize] as usize + usize::from(value);
        if price < self.price[at] {
            self.price[at] = price;
            self.queue.push(Reverse((price, variable, value)));
        }
    }

    /// The least prices from both ends.
    fn sum_up(&mut self, task: &CountingTask) {
        self.above.clone_from(&self.price);
        self.below.clone_from(&self.price);
        for (&first, &size) in self.firsts.iter().zip(task.sizes()) {
            let range = first as usize..first as usize + usize::from(size);
            let mut least = NEVER;
            for price in &mut self.below[range.clone()] {
                least = least.min(*price);
                *price = least;
            }
            least = NEVER;
            for price in self.above[range].iter_mut().rev() {
                least = least.min(*price);
                *price = least;
            }
        }
    }

    /// Whether there are prices; if not, only what can never be had is known, and the rest is free.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The least that some value of a set costs; [`NEVER`] if none can be had. What a set asks
    /// beyond the end of the range is taken as the end.
    pub fn price(&self, variable: u32, values: &ValueSet) -> u64 {
        if !self.is_exact {
            return if self.hulls.meets(variable, values) { 0 } else { NEVER };
        }
        let prices = self.prices(variable);
        let Some(top) = prices.len().checked_sub(1) else { return NEVER };
        let runs = values.runs().iter().map(|&(first, last)| {
            let first = usize::from(first).min(top);
            match usize::from(last) {
                last if last >= top => self.prices_from(variable)[first],
                last if first == 0 => self.prices_to(variable)[last],
                last => prices[first..=last].iter().copied().min().unwrap_or(NEVER),
            }
        });
        runs.min().unwrap_or(NEVER)
    }

    /// The price of all that an action needs; [`NEVER`] if it can never run.
    pub fn ready(&self, action: u32) -> u64 {
        match self.is_exact {
            true => self.ready[action as usize],
            false if self.hulls.can_run(action) => 0,
            false => NEVER,
        }
    }

    /// The price of each value, if there are prices.
    pub fn prices(&self, variable: u32) -> &[u64] {
        self.part(&self.price, variable)
    }

    /// The least price of each value or a higher one, if there are prices.
    pub fn prices_from(&self, variable: u32) -> &[u64] {
        self.part(&self.above, variable)
    }

    /// The least price of each value or a lower one, if there are prices.
    pub fn prices_to(&self, variable: u32) -> &[u64] {
        self.part(&self.below, variable)
    }

    fn part<'l>(&self, list: &'l [u64], variable: u32) -> &'l [u64] {
        let variable = variable as usize;
        let first = self.firsts[variable] as usize;
        let end = self.firsts.get(variable + 1).map_or(list.len(), |&end| end as usize);
        &list[first..end]
    }
}

/// Which values an action takes of a variable that it needs, and how it moves them. Without an
/// upper end all from the least on; falls then say nothing, because more is never worse.
pub(super) fn taken(
    task: &CountingTask,
    action: u32,
    need: &Need,
    is_open: bool,
) -> (ValueSet, Option<ShiftBy>) {
    let changes = task.changes(action).iter().filter(|change| change.variable == need.variable);
    let shift = changes.map(|change| change.effect).find_map(|effect| match effect {
        Effect::Shift(shift) => Some(shift),
        Effect::Set(_) => None,
    });
    let (true, Some((least, _))) = (is_open, need.values.ends()) else {
        return (need.values, shift);
    };
    let top = task.sizes()[need.variable as usize].saturating_sub(1);
    let rises = shift.filter(|shift| shift.by > 0);
    let stops = rises.map(|shift| match shift.end {
        ShiftEnd::Refuse => ShiftBy { end: ShiftEnd::Stop(top), ..shift },
        ShiftEnd::Stop(_) => shift,
    });
    (ValueSet::run(least, top), stops)
}
