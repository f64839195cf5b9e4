//! Stubborn sets: of actions that may be done in any order, one order is tried.
//!
//! In:   a question and its forms, and which actions can ever run.
//! Out:  per lane the actions that bring a demand nearer; per lane that does not hold a set of
//!       actions one of which ends some cheapest plan.
//! Cost: a look at each pair of actions, then one bit row per lane; no allocation once warm.
//!
//! Let a demand not hold at the start. Every plan to it has a step that moves one of its lanes the
//! needed way. Take all such actions, and with each action all those with which it may not change
//! places (`swap`). The last step of this set in a plan can be moved to the end: all behind it may
//! change places with it. The steps stay the same, so does the cost. The set depends on the
//! demand and the start only, not on the way.

use super::layout::{Form, Layout};
use super::question::Question;
use super::swap::swap;
use super::task::Effect;
use throng_base::{ones, reset};

/// With more actions or variables than so many, every order is tried.
const MOST_ACTIONS: usize = 256;
/// See [`MOST_ACTIONS`].
const MOST_VARIABLES: usize = 64;

/// How many values a mask may have.
const VALUES: usize = 16;

/// Bit rows of actions, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Stubborn {
    /// Words of a bit row.
    pub(super) words: usize,
    /// By lane: who can bring it nearer.
    movers: Vec<u64>,
    /// By action: it, and all that must stay where it is with it. Empty if not known.
    bound: Vec<u64>,
    /// By lane: the set for it, and how many are in it.
    sets: Vec<u64>,
    counts: Vec<u32>,
    /// By lane and value: the set for this value, if the lane is a mask.
    by_value: Vec<u64>,
    is_on: bool,
    n_lanes: usize,
    /// The set under way, and the best one so far.
    made: Vec<u64>,
    best: Vec<u64>,
}

impl Stubborn {
    /// Finds who moves what; and the sets, if they are wanted.
    pub(super) fn fill(
        &mut self,
        question: &Question,
        layout: &Layout,
        is_used: &impl Fn(u32) -> bool,
        is_wanted: bool,
    ) {
        let task = &question.task;
        let n_actions = task.n_actions();
        self.words = n_actions.div_ceil(64).max(1);
        self.n_lanes = layout.n_lanes;
        self.is_on = is_wanted && n_actions <= MOST_ACTIONS && task.n_variables() <= MOST_VARIABLES;
        reset(&mut self.movers, self.n_lanes * self.words, 0);
        for action in (0..n_actions as u32).filter(|&action| is_used(action)) {
            for change in task.changes(action) {
                let is_rise = match change.effect {
                    Effect::Set(_) => None,
                    Effect::Shift(shift) => Some(shift.by > 0),
                };
                let form = layout.forms[change.variable as usize];
                let lane = usize::from(form.lane());
                match form {
                    Form::Lower { .. } if is_rise == Some(false) => {}
                    Form::Between { .. } => {
                        if is_rise != Some(false) {
                            self.add_mover(lane, action);
                        }
                        if is_rise != Some(true) {
                            self.add_mover(lane + 1, action);
                        }
                    }
                    _ => self.add_mover(lane, action),
                }
            }
        }
        if self.is_on {
            self.bind(question, layout, is_used);
            self.fill_sets(question, layout, is_used);
        }
    }

    fn add_mover(&mut self, lane: usize, action: u32) {
        self.movers[lane * self.words + action as usize / 64] |= 1 << (action % 64);
    }

    /// By action: all that may not change places with it, with one of these, and so on.
    fn bind(&mut self, question: &Question, layout: &Layout, is_used: &impl Fn(u32) -> bool) {
        let n_actions = question.task.n_actions();
        let is_lower =
            |variable: u32| matches!(layout.forms[variable as usize], Form::Lower { .. });
        reset(&mut self.bound, n_actions * self.words, 0);
        for a in 0..n_actions as u32 {
            for b in 0..n_actions as u32 {
                let is_bound = a == b || !swap(question, &is_lower, a, b);
                if is_used(a) && is_used(b) && is_bound {
                    self.bound[a as usize * self.words + b as usize / 64] |= 1 << (b % 64);
                }
            }
        }
        for by in 0..n_actions {
            for row in 0..n_actions {
                if row != by && self.bound[row * self.words + by / 64] >> (by % 64) & 1 == 1 {
                    for word in 0..self.words {
                        self.bound[row * self.words + word] |= self.bound[by * self.words + word];
                    }
                }
            }
        }
    }

    fn fill_sets(&mut self, question: &Question, layout: &Layout, is_used: &impl Fn(u32) -> bool) {
        let words = self.words;
        reset(&mut self.sets, self.n_lanes * words, 0);
        reset(&mut self.by_value, self.n_lanes * VALUES * words, 0);
        for lane in 0..self.n_lanes {
            for word in 0..words {
                for bit in ones(self.movers[lane * words + word]) {
                    let action = word * 64 + bit;
                    for at in 0..words {
                        self.sets[lane * words + at] |= self.bound[action * words + at];
                    }
                }
            }
        }
        self.counts.clear();
        self.counts.extend(self.sets.chunks_exact(words).map(count));
        for action in (0..question.task.n_actions() as u32).filter(|&action| is_used(action)) {
            for change in question.task.changes(action) {
                let Form::Mask { lane } = layout.forms[change.variable as usize] else { continue };
                let size = question.task.sizes()[change.variable as usize];
                let (first, last) = match change.effect {
                    Effect::Set(value) => (value, value),
                    Effect::Shift(_) => (0, size.saturating_sub(1)),
                };
                for value in usize::from(first)..=usize::from(last).min(VALUES - 1) {
                    let row = (usize::from(lane) * VALUES + value) * words;
                    for at in 0..words {
                        self.by_value[row + at] |= self.bound[action as usize * words + at];
                    }
                }
            }
        }
    }

    /// Begins with no action, to be tried at a demand.
    pub(super) fn begin(&mut self) {
        reset(&mut self.best, self.words, 0);
    }

    /// Adds who brings a lane nearer that is demanded.
    pub(super) fn add(&mut self, lane: usize) {
        let row = &self.movers[lane * self.words..][..self.words];
        self.best.iter_mut().zip(row).for_each(|(word, &movers)| *word |= movers);
    }

    /// Whether there are sets.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// How many actions the set of a lane has that does not hold and allows these values, if it is
    /// a mask.
    #[inline]
    pub(super) fn count(&mut self, lane: usize, allowed: Option<u16>) -> u32 {
        let Some(allowed) = allowed else { return self.counts[lane] };
        if self.words == 1 {
            return self.by_values(lane, allowed).count_ones();
        }
        self.make_set(lane, Some(allowed));
        count(&self.made)
    }

    /// The set of a mask whose row is one word.
    #[inline]
    fn by_values(&self, lane: usize, allowed: u16) -> u64 {
        let rows = &self.by_value[lane * VALUES..][..VALUES];
        ones(u64::from(allowed)).fold(0, |set, value| set | rows[value])
    }

    /// Makes the set of a lane.
    fn make_set(&mut self, lane: usize, allowed: Option<u16>) {
        let words = self.words;
        match allowed {
            None => {
                self.made.clear();
                self.made.extend_from_slice(&self.sets[lane * words..][..words]);
            }
            Some(allowed) => {
                reset(&mut self.made, words, 0);
                for value in ones(u64::from(allowed)) {
                    let row = &self.by_value[(lane * VALUES + value) * words..][..words];
                    self.made.iter_mut().zip(row).for_each(|(word, &set)| *word |= set);
                }
            }
        }
    }

    /// Leaves of the actions to be tried those of the set of a lane.
    pub(super) fn keep_set(&mut self, lane: usize, allowed: Option<u16>) {
        if let (1, Some(best)) = (self.words, self.best.first().copied()) {
            self.best[0] =
                best & allowed.map_or(self.sets[lane], |allowed| self.by_values(lane, allowed));
            return;
        }
        self.make_set(lane, allowed);
        self.best.iter_mut().zip(&self.made).for_each(|(word, &set)| *word &= set);
    }

    /// The actions to be tried.
    pub(super) fn tried(&self) -> &[u64] {
        &self.best
    }
}

/// How many actions a bit row has.
#[inline]
fn count(row: &[u64]) -> u32 {
    row.iter().map(|word| word.count_ones()).sum()
}
