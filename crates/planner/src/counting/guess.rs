//! How many steps are left, guessed: a bill of materials.
//!
//! In:   a task and the rows of its packed form; a state.
//! Out:  a guess that may be too high or too low, and which rows seem to help. It never says that
//!       there is no way, so a search that goes by it is still complete.
//! Cost: the needs, times the rows that serve each, a few times; whatever the ranges are.
//!
//! First what each need costs by itself: a value that is away by so much takes so many steps of
//! whatever shifts it (h_add, where a shift is done as often as it must be). Then the bill: what
//! is wanted is ordered where it is cheapest, what that uses up is ordered in turn, until the
//! books balance. So three ingots are three ores and three coals, which h_add does not see.

use super::packed::Packed;
use super::task::{CountingTask, Effect, Need};
use throng_base::{Bits, Rows, reset};
use throng_domain::amounts::{ShiftEnd, ValueSet};

/// The price of what nothing serves.
const FAR: u64 = 1 << 40;
/// No upper end: above everything that can be counted, and far from overflow.
const ANY: i64 = 1 << 50;
/// So often prices are passed on.
const MOST_ROUNDS: usize = 12;
/// So many orders are placed; wares that go in circles would never end.
const MOST_ORDERS: usize = 64;

/// A row that changes a variable.
#[derive(Clone, Copy, Debug)]
struct Server {
    row: u32,
    effect: Effect,
}

/// The books of a variable.
#[derive(Clone, Copy, Debug, Default)]
struct Books {
    /// What is there.
    value: i64,
    /// How much comes in and goes out by the rows that were ordered, and how much of it in any
    /// case: what stops at an end needs nothing to be there.
    raised: i64,
    lowered: i64,
    used: i64,
    filled: i64,
    /// At least and at most so much must have been there sometimes.
    least: i64,
    most: i64,
    /// And at the end.
    last_least: i64,
    last_most: i64,
}

/// Guesses, and the memory for it.
#[derive(Debug, Default)]
pub(super) struct Guess {
    sizes: Vec<u16>,
    /// Of each row, the goal's last.
    needs: Rows<Need>,
    /// By variable: who changes it; those that shift it come first, and how many there are.
    servers: Rows<Server>,
    n_shifts: Vec<usize>,
    effects: Rows<(u32, Effect)>,
    /// By need.
    prices: Vec<u64>,
    /// By row: the price of all its needs.
    ready: Vec<u64>,
    counts: Vec<u64>,
    books: Vec<Books>,
    /// Needs of words that wait to be ordered.
    words: Vec<Need>,
    n_orders: usize,
    is_served: bool,
    helps: Bits,
}

impl Guess {
    pub(super) fn fill(&mut self, task: &CountingTask, packed: &Packed) {
        task.sizes().clone_into(&mut self.sizes);
        let actions = packed.actions();
        self.needs.clear();
        self.effects.clear();
        for &action in actions {
            self.needs.push(task.needs(action));
            let changes = task.changes(action).iter();
            self.effects.push_list(changes.map(|change| (change.variable, change.effect)));
        }
        self.needs.push(task.goal());
        let effects = &self.effects;
        let all = (0..actions.len()).flat_map(|row| {
            let changes = effects.row(row).iter();
            changes.map(move |&(variable, effect)| {
                (variable as usize, Server { row: row as u32, effect })
            })
        });
        let is_shift = |server: &Server| matches!(server.effect, Effect::Shift(_));
        let shifts = all.clone().filter(move |(_, server)| is_shift(server));
        let servers = shifts.clone().chain(all.filter(move |(_, server)| !is_shift(server)));
        self.servers.refill(task.n_variables(), servers);
        reset(&mut self.n_shifts, task.n_variables(), 0);
        shifts.for_each(|(variable, _)| self.n_shifts[variable] += 1);
        self.helps.reset(actions.len(), false);
    }

    /// Whether a row was ordered for the state that was guessed last.
    pub(super) fn helps(&self, row: usize) -> bool {
        self.helps.get(row)
    }

    /// Guesses how many steps are left from a state.
    pub(super) fn of(&mut self, state: &[u16]) -> u64 {
        self.price(state);
        self.open_books(state);
        let goal = self.needs.len() - 1;
        for at in self.needs.range(goal) {
            let need = self.needs.entries()[at];
            self.ask(&need, true);
        }
        while self.n_orders < MOST_ORDERS && (self.order_words() || self.order_amounts()) {}
        let steps = self.counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        steps.saturating_add(if self.is_served { 0 } else { FAR })
    }

    /// What each need costs by itself.
    fn price(&mut self, state: &[u16]) {
        let n_rows = self.needs.len();
        reset(&mut self.prices, self.needs.n_entries(), FAR);
        reset(&mut self.ready, n_rows, FAR);
        for (price, need) in self.prices.iter_mut().zip(self.needs.entries()) {
            if need.values.has(state[need.variable as usize]) {
                *price = 0;
            }
        }
        for _ in 0..MOST_ROUNDS {
            for row in 0..n_rows {
                let sum: u64 = self.prices[self.needs.range(row)].iter().sum();
                self.ready[row] = sum.min(FAR);
            }
            let mut is_settled = true;
            for at in 0..self.prices.len() {
                if self.prices[at] == 0 {
                    continue;
                }
                let need = self.needs.entries()[at];
                let price = self.cheapest(&need, state[need.variable as usize]);
                is_settled &= price >= self.prices[at];
                self.prices[at] = price.min(self.prices[at]);
            }
            if is_settled {
                return;
            }
        }
    }

    /// The price of the cheapest way to a need, by one row as often as it must be, or by one that
    /// assigns and another behind it.
    fn cheapest(&self, need: &Need, value: u16) -> u64 {
        let variable = need.variable as usize;
        let (shifts, sets) = self.servers.row(variable).split_at(self.n_shifts[variable]);
        let price = |server: &Server| self.ready[server.row as usize];
        let by_shifts = |from: u16| {
            let prices = shifts.iter().map(|s| price(s) + times(s.effect, from, &need.values));
            prices.min().unwrap_or(FAR)
        };
        let is_known = value < self.sizes[variable];
        let mut best = if is_known { by_shifts(value) } else { FAR };
        for server in sets {
            let Effect::Set(to) = server.effect else { continue };
            let rest = if need.values.has(to) { 0 } else { by_shifts(to) };
            best = best.min(price(server) + 1 + rest);
        }
        best
    }

    fn open_books(&mut self, state: &[u16]) {
        self.books.clear();
        self.books.extend(state.iter().zip(&self.sizes).map(|(&value, &size)| Books {
            // Unknown is nothing that can be used.
            value: if value < size { i64::from(value) } else { 0 },
            most: ANY,
            last_most: ANY,
            ..Books::default()
        }));
        self.words.clear();
        self.n_orders = 0;
        self.is_served = true;
        reset(&mut self.counts, self.needs.len(), 0);
        self.helps.reset(self.needs.len(), false);
    }

    /// Whether a variable is counted by some row.
    fn is_amount(&self, variable: u32) -> bool {
        self.n_shifts[variable as usize] > 0
    }

    /// Enters a need into the books.
    fn ask(&mut self, need: &Need, is_last: bool) {
        if !self.is_amount(need.variable) {
            self.words.push(*need);
            return;
        }
        let books = &mut self.books[need.variable as usize];
        // The run that it is in, or the next one, or the last.
        let mut runs = need.values.runs().iter();
        let near = runs.find(|run| i64::from(run.1) >= books.value);
        let Some(&(first, last)) = near.or(need.values.runs().last()) else { return };
        let (first, last) = (i64::from(first), i64::from(last));
        let top = i64::from(self.sizes[need.variable as usize]) - 1;
        match is_last {
            true => {
                books.last_least = first;
                books.last_most = if last < top { last } else { ANY };
            }
            false => {
                books.least = books.least.max(first);
                // A rise that needs room: at the very end only, as a rule.
                if books.value > last {
                    books.most = books.most.min(last);
                }
            }
        }
    }

    /// Orders a row so many times.
    fn order(&mut self, row: usize, times: u64) {
        self.n_orders += 1;
        let is_first = self.counts[row] == 0;
        self.counts[row] = self.counts[row].saturating_add(times);
        if is_first {
            self.helps.insert(row);
            for at in self.needs.range(row) {
                let need = self.needs.entries()[at];
                self.ask(&need, false);
            }
        }
        for &(variable, effect) in self.effects.row(row) {
            let books = &mut self.books[variable as usize];
            let Effect::Shift(shift) = effect else {
                if let Effect::Set(to) = effect {
                    let by = i64::from(to) - books.value;
                    books.raised += by.max(0);
                    books.lowered += (-by).max(0);
                }
                continue;
            };
            let by = i64::from(shift.by).saturating_mul(times.min(1 << 20) as i64);
            let must = shift.end == ShiftEnd::Refuse;
            match by >= 0 {
                true => {
                    books.raised += by;
                    books.filled += if must { by } else { 0 };
                }
                false => {
                    books.lowered -= by;
                    books.used -= if must { by } else { 0 };
                }
            }
        }
    }

    /// Orders what sets the next word that is asked for and not there; whether there was one.
    fn order_words(&mut self) -> bool {
        while let Some(need) = self.words.pop() {
            let value = self.books[need.variable as usize].value as u16;
            let is_set = |server: &&Server| match server.effect {
                Effect::Set(to) => need.values.has(to),
                Effect::Shift(_) => false,
            };
            if need.values.has(value) {
                continue;
            }
            let setters = self.servers.row(need.variable as usize).iter().filter(is_set);
            let best = setters.min_by_key(|server| self.ready[server.row as usize]);
            // Another one that was ordered may need this very word first.
            match best.map(|server| server.row as usize) {
                Some(row) if self.counts[row] > 0 => continue,
                Some(row) => self.order(row, 1),
                None => self.is_served = false,
            }
            return true;
        }
        false
    }

    /// Orders for the first variable whose books do not balance; whether there was one.
    fn order_amounts(&mut self) -> bool {
        for variable in 0..self.books.len() {
            let books = self.books[variable];
            let least = books.least.max(books.last_least + books.used);
            let missing = least - books.value - books.raised;
            if missing > 0 {
                return self.order_best(variable, missing, 1);
            }
            let there = books.value - books.lowered;
            let too_much = (there - books.most).max(there + books.filled - books.last_most);
            if too_much > 0 {
                return self.order_best(variable, too_much, -1);
            }
        }
        false
    }

    /// Orders what moves a variable up or down by so much at the least price a unit; whether
    /// something does.
    fn order_best(&mut self, variable: usize, by: i64, sign: i64) -> bool {
        let value = self.books[variable].value;
        let gain = |effect: Effect| match effect {
            Effect::Set(to) => sign * (i64::from(to) - value),
            Effect::Shift(shift) => sign * i64::from(shift.by),
        };
        let mut best: Option<(u64, i64, usize)> = None;
        for server in self.servers.row(variable) {
            let gain = gain(server.effect);
            if gain <= 0 {
                continue;
            }
            let (row, times) = (server.row as usize, (by as u64).div_ceil(gain as u64));
            // What was ordered before is ready.
            let ready = if self.counts[row] > 0 { 0 } else { self.ready[row] };
            let price = ready.saturating_add(times);
            if best.is_none_or(|(least, _, _)| price < least) {
                best = Some((price, gain, row));
            }
        }
        match best {
            Some((_, gain, row)) => self.order(row, (by as u64).div_ceil(gain as u64)),
            None => {
                self.is_served = false;
                self.n_orders = MOST_ORDERS;
            }
        }
        true
    }
}

/// How often an effect must be done to come from a value to a set, or beyond it; far if it leads
/// away.
fn times(effect: Effect, value: u16, values: &ValueSet) -> u64 {
    let Effect::Shift(shift) = effect else { return FAR };
    let by = u64::from(shift.by.unsigned_abs()).max(1);
    let (value, up) = (i64::from(value), shift.by > 0);
    let away = values.runs().iter().filter_map(|&(first, last)| {
        let near = i64::from(if up { first } else { last });
        let is_stopped = match shift.end {
            ShiftEnd::Stop(stop) if up => near > i64::from(stop),
            ShiftEnd::Stop(stop) => near < i64::from(stop),
            ShiftEnd::Refuse => false,
        };
        let away = if up { near - value } else { value - near };
        (away > 0 && !is_stopped).then_some(away as u64)
    });
    away.min().map_or(FAR, |away| away.div_ceil(by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::samples::sample;

    fn guessed(name: &str) -> u64 {
        let (task, mut packed, mut guess) = (sample(name), Packed::default(), Guess::default());
        packed.fill(&task);
        guess.fill(&task, &packed);
        guess.of(task.start())
    }

    /// Tools and all that they are made of, which no other estimate sees from the start.
    #[test]
    fn a_bill_counts_what_is_used_up() {
        assert_eq!(guessed("craft"), 32);
        assert_eq!(guessed("large"), 204);
        assert_eq!(guessed("repeat"), 160);
        assert_eq!(guessed("hpmp"), 5);
        // There are fewer supplies than soldiers, and nothing makes any.
        assert!(guessed("rts_no") >= FAR);
    }
}
