//! What a demand costs at least from the start, from prices and potentials, read off its lanes.
//!
//! In:   prices of values (`reach`), and potentials as they are found.
//! Out:  the greatest of all estimates; never above the truth.
//! Cost: a look-up per lane, and a product per lane and potential.

use super::demand::Model;
use super::lane::{Lane, Lanes};
use super::layout::Form;
use super::potential::{Part, Potential};
use super::reach::{NEVER, Reach};
use throng_base::reset;
use throng_domain::amounts::ValueSet;

/// Words with at most so many values, unknown included, have a table of all their sets.
const MOST_IN_TABLE: usize = 6;

/// Greater weights are not kept: with as much of every lane as is counted they would overflow.
const MOST_WEIGHT: u64 = 1 << 30;

/// How many potentials are kept.
pub(super) const MOST_KEPT: usize = 6;

/// Estimates of demands, kept between calls.
#[derive(Clone, Debug)]
pub(super) struct Estimates<const L: usize> {
    /// By lane: where its prices begin and how many there are; by bound, or by set of a mask.
    places: Vec<(u32, u32)>,
    prices: Vec<u64>,
    has_prices: bool,
    worths: Vec<Worth<L>>,
    n_worths: usize,
}

/// A word in a potential.
#[derive(Clone, Copy, Debug)]
struct Word {
    lane: u8,
    /// It is a set with holes: of this variable.
    is_set: bool,
    n_values: u16,
    variable: u32,
    /// Where its table begins.
    table: u32,
}

/// A potential by lanes.
#[derive(Clone, Debug)]
pub(super) struct Worth<const L: usize> {
    pub(super) potential: Potential,
    /// By bound.
    weights: [u32; L],
    /// Words that add something.
    words: Vec<Word>,
    sets: Vec<i64>,
    /// What is there even without a demand, less what the start is worth.
    base: i64,
}

impl<const L: usize> Default for Estimates<L> {
    fn default() -> Self {
        Estimates {
            places: Vec::new(),
            prices: Vec::new(),
            has_prices: false,
            worths: Vec::new(),
            n_worths: 0,
        }
    }
}

impl<const L: usize> Default for Worth<L> {
    fn default() -> Self {
        Worth {
            potential: Potential::default(),
            weights: [0; L],
            words: Vec::new(),
            sets: Vec::new(),
            base: 0,
        }
    }
}

impl<const L: usize> Estimates<L> {
    /// Forgets everything: the estimate is 0.
    pub(super) fn clear(&mut self) {
        self.has_prices = false;
        self.n_worths = 0;
    }

    pub(super) fn n_worths(&self) -> usize {
        self.n_worths
    }

    /// The potentials, the first one found first.
    pub(super) fn worths(&self) -> impl Iterator<Item = &Potential> {
        self.worths[..self.n_worths].iter().map(|worth| &worth.potential)
    }

    /// Takes over prices.
    pub(super) fn set_prices<N: Lane>(&mut self, model: &Model<N, L>, reach: &Reach) {
        self.has_prices = true;
        self.prices.clear();
        reset(&mut self.places, model.layout.n_lanes, (0, 0));
        for (variable, &form) in model.layout.forms.iter().enumerate() {
            let (variable, lane) = (variable as u32, usize::from(form.lane()));
            let from = self.prices.len();
            match form {
                _ if !reach.is_exact() => continue,
                Form::Set { .. } => self.prices.extend_from_slice(reach.prices(variable)),
                Form::Lower { .. } => self.prices.extend_from_slice(reach.prices_from(variable)),
                Form::Between { .. } => {
                    self.prices.extend_from_slice(reach.prices_from(variable));
                    let middle = self.prices.len();
                    self.prices.extend(reach.prices_to(variable).iter().rev());
                    let end = self.prices.len();
                    self.places[lane + 1] = (middle as u32, (end - middle) as u32);
                    self.places[lane] = (from as u32, (middle - from) as u32);
                    continue;
                }
                Form::Mask { .. } => self.prices.extend_from_slice(reach.prices(variable)),
            }
            self.places[lane] = (from as u32, (self.prices.len() - from) as u32);
        }
    }

    /// A potential that is to be filled; [`Estimates::keep`] keeps it.
    pub(super) fn next(&mut self) -> &mut Potential {
        if self.worths.len() <= self.n_worths {
            self.worths.resize_with(self.n_worths + 1, Worth::default);
        }
        &mut self.worths[self.n_worths].potential
    }

    /// Keeps the potential that was filled last; whether there is room and its weights fit.
    pub(super) fn keep<N: Lane>(&mut self, model: &Model<N, L>) -> bool {
        if self.n_worths >= MOST_KEPT {
            return false;
        }
        let is_kept = self.worths.get_mut(self.n_worths).is_some_and(|worth| worth.fill(model));
        self.n_worths += usize::from(is_kept);
        is_kept
    }

    /// The least that a demand costs from the start, by prices and by all potentials but so many.
    #[inline]
    pub(super) fn of<N: Lane>(
        &self,
        model: &Model<N, L>,
        demand: &Lanes<N, L>,
        known: usize,
    ) -> u64 {
        let mut most = if known == 0 && self.has_prices { self.price(model, demand) } else { 0 };
        for worth in &self.worths[known.min(self.n_worths)..self.n_worths] {
            most = most.max(worth.of(model, demand));
        }
        most
    }

    fn price<N: Lane>(&self, model: &Model<N, L>, demand: &Lanes<N, L>) -> u64 {
        let mut most = 0;
        for (lane, &(first, n)) in self.places.iter().enumerate() {
            let asked = demand[lane];
            if asked == N::ZERO || n == 0 {
                continue;
            }
            let prices = &self.prices[first as usize..(first + n) as usize];
            let is_bound = model.is_bound[lane] != N::ZERO;
            let asked = asked.narrow();
            let price = if is_bound {
                prices[usize::from(asked).min(prices.len() - 1)]
            } else if model.is_mask[lane] != N::ZERO {
                let allowed = prices.iter().enumerate().filter(|(at, _)| asked >> at & 1 == 0);
                allowed.map(|(_, &price)| price).min().unwrap_or(NEVER)
            } else {
                let runs = model.sets.runs(asked).iter();
                let values = runs.flat_map(|&(first, last)| {
                    let last = usize::from(last).min(prices.len() - 1);
                    prices[usize::from(first).min(last)..=last].iter().copied()
                });
                values.min().unwrap_or(NEVER)
            };
            most = most.max(price);
        }
        most
    }
}

impl<const L: usize> Worth<L> {
    /// Reads the potential's weights by lane; `false` if one is too great.
    fn fill<N: Lane>(&mut self, model: &Model<N, L>) -> bool {
        self.weights = [0; L];
        self.words.clear();
        self.sets.clear();
        self.base = -self.potential.there();
        let mut fits = true;
        for (variable, &form) in model.layout.forms.iter().enumerate() {
            let part = self.potential.parts.get(variable).copied().unwrap_or(Part::Nothing);
            let (variable, lane) = (variable as u32, usize::from(form.lane()));
            match (form, part) {
                (_, Part::Nothing) => {}
                (Form::Lower { .. } | Form::Between { .. }, Part::Line { weight, .. }) => {
                    let size = weight.unsigned_abs().min(MOST_WEIGHT) as u32;
                    fits &= weight.unsigned_abs() <= MOST_WEIGHT;
                    if weight >= 0 {
                        self.weights[lane] = size;
                    } else if matches!(form, Form::Between { .. }) {
                        self.weights[lane + 1] = size;
                        self.base += self.potential.least(variable, None);
                    } else {
                        // Whatever is at least so much may be the most.
                        self.base += self.potential.least(variable, None);
                    }
                }
                (Form::Lower { .. } | Form::Between { .. }, Part::Table { .. }) => {
                    // Wide words are weighed by line; a table here says its least.
                    self.base += self.potential.least(variable, None);
                }
                (Form::Mask { .. }, _) => self.fill_mask(model, variable, lane),
                (Form::Set { lane }, _) => {
                    let n_values = model.layout.top(variable as usize) + 1;
                    self.words.push(Word { lane, is_set: true, n_values, variable, table: 0 });
                }
            }
        }
        fits
    }

    /// The least worth of every set of a word's values, or nothing if there are too many.
    fn fill_mask<N: Lane>(&mut self, model: &Model<N, L>, variable: u32, lane: usize) {
        let top = model.layout.top(variable as usize);
        let n = usize::from(top) + 1;
        let (lane, table) = (lane as u8, self.sets.len() as u32);
        self.words.push(Word { lane, is_set: false, n_values: top + 1, variable, table });
        if n > MOST_IN_TABLE {
            self.sets.extend((0..=top).map(|value| self.potential.worth(variable, value)));
            self.sets.push(self.unknown(variable, top));
            return;
        }
        // By what is not allowed; then the same with unknown not allowed either.
        for unknown in [false, true] {
            for not in 0..1u32 << n {
                let values = (0..=top).filter(|value| not >> value & 1 == 0);
                let worths = values.map(|value| self.potential.worth(variable, value));
                let known = worths.min().unwrap_or(i64::MAX);
                let least = match unknown {
                    false => known.min(self.unknown(variable, top)),
                    true => known,
                };
                self.sets.push(if least == i64::MAX { 0 } else { least });
            }
        }
    }

    /// What an unknown value is worth, if there is one.
    fn unknown(&self, variable: u32, top: u16) -> i64 {
        match self.potential.parts[variable as usize] {
            Part::Table { n_values, .. } if n_values > top + 1 => {
                self.potential.worth(variable, u16::MAX)
            }
            _ => i64::MAX,
        }
    }

    #[inline]
    fn of<N: Lane>(&self, model: &Model<N, L>, demand: &Lanes<N, L>) -> u64 {
        // Lanes that are no bounds weigh nothing here.
        let products = self.weights.iter().zip(demand);
        let products = products.map(|(&weight, &lane)| u64::from(weight) * lane.into());
        let sum = products.sum::<u64>();
        let mut missing = self.base.saturating_add_unsigned(sum);
        for word in &self.words {
            missing += self.of_word(model, demand, word);
        }
        self.potential.cost_of(missing)
    }

    #[inline]
    fn of_word<N: Lane>(&self, model: &Model<N, L>, demand: &Lanes<N, L>, word: &Word) -> i64 {
        let (not, n) = (demand[usize::from(word.lane)].narrow(), usize::from(word.n_values));
        let table = &self.sets[word.table as usize..];
        if !word.is_set && n <= MOST_IN_TABLE {
            let known = usize::from(not) & ((1 << n) - 1);
            return table[known | usize::from(not >> 15) << n];
        }
        if word.is_set {
            return self.of_set(model, word.variable, not);
        }
        let allowed = (0..n).filter(|value| not >> value & 1 == 0);
        let least = allowed.map(|value| table[value]).min().unwrap_or(i64::MAX);
        let least = if not >> 15 == 0 { least.min(table[n]) } else { least };
        if least == i64::MAX { 0 } else { least }
    }

    /// A set with holes: its ends decide for a line, its values for a table.
    fn of_set<N: Lane>(&self, model: &Model<N, L>, variable: u32, set: u16) -> i64 {
        let runs = model.sets.runs(set);
        if set == super::run_sets::ANY {
            return self.potential.least(variable, None);
        }
        let ends = runs.first().zip(runs.last()).map(|(a, b)| ValueSet::run(a.0, b.1));
        let values = ValueSet::of_runs(runs.iter().copied()).or(ends);
        self.potential.least(variable, values.as_ref())
    }
}
