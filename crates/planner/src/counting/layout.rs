//! Which lanes the variables of a question have in a demand, and in what form.
//!
//! In:   a question.
//! Out:  a form per variable.
//! Cost: the needs once; no allocation once warm.

use super::question::Question;
use super::solver::MOST_WORDS;
use super::task::{CountingTask, Effect};
use throng_base::reset;
use throng_domain::amounts::ValueSet;

/// Variables with more values have no mask: one bit is for unknown.
const MOST_IN_MASK: u16 = 15;

/// How a variable is demanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// At least so much.
    Lower { lane: u8 },
    /// At least so much, and in the lane behind it: at least so much below the top.
    Between { lane: u8 },
    /// A bit per value that is not allowed.
    Mask { lane: u8 },
    /// The number of a set with holes.
    Set { lane: u8 },
}

impl Form {
    pub(super) fn lane(self) -> u8 {
        match self {
            Form::Lower { lane } | Form::Between { lane } => lane,
            Form::Mask { lane } | Form::Set { lane } => lane,
        }
    }
}

/// The forms of all variables, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) forms: Vec<Form>,
    tops: Vec<u16>,
    /// By variable: the mask that allows no value; the bit of unknown only if it starts so.
    nothing: Vec<u16>,
    /// By lane: the variable, if it is one whose upper end is ignored.
    open: Vec<Option<u32>>,
    pub(super) n_lanes: usize,
    /// Bounds are the first lanes.
    pub(super) n_bounds: usize,
    /// Sets are the last lanes.
    first_set: usize,
    traits: Vec<Traits>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    has_holes: bool,
    has_upper: bool,
    shifts: bool,
}

impl Layout {
    /// Lays out a question; `false` if it takes too many lanes.
    pub(super) fn fill(&mut self, question: &Question) -> bool {
        let task = &question.task;
        self.find_traits(task);
        self.forms.clear();
        self.tops.clear();
        self.nothing.clear();
        let (mut bounds, mut masks, mut sets) = (0usize, 0usize, 0usize);
        for (variable, &traits) in self.traits.iter().enumerate() {
            let size = task.sizes()[variable];
            let is_known = task.start()[variable] < size;
            self.tops.push(size.saturating_sub(1));
            let values = ((1u32 << size.min(MOST_IN_MASK)) - 1) as u16;
            self.nothing.push(values | if is_known { 0 } else { 1 << MOST_IN_MASK });
            let is_small = size <= MOST_IN_MASK;
            // Lanes are put behind each other below; here they count within their kind.
            let form = match traits {
                _ if question.is_open[variable] => Form::Lower { lane: 0 },
                Traits { shifts: false, .. } | Traits { has_holes: true, .. } if is_small => {
                    Form::Mask { lane: 0 }
                }
                _ if !is_known && is_small => Form::Mask { lane: 0 },
                Traits { shifts: false, .. } if size <= MOST_WORDS => Form::Set { lane: 0 },
                _ if !is_known || traits.has_holes => Form::Set { lane: 0 },
                Traits { has_upper: false, .. } => Form::Lower { lane: 0 },
                _ => Form::Between { lane: 0 },
            };
            match form {
                Form::Lower { .. } => bounds += 1,
                Form::Between { .. } => bounds += 2,
                Form::Mask { .. } => masks += 1,
                Form::Set { .. } => sets += 1,
            }
            self.forms.push(form);
        }
        self.n_bounds = bounds;
        self.n_lanes = bounds + masks + sets;
        self.first_set = bounds + masks;
        if self.n_lanes > usize::from(u8::MAX) {
            return false;
        }
        self.number(question);
        true
    }

    fn number(&mut self, question: &Question) {
        reset(&mut self.open, self.n_lanes, None);
        let (mut next_bound, mut next_mask, mut next_set) =
            (0, self.n_bounds as u8, self.first_set as u8);
        for (variable, form) in self.forms.iter_mut().enumerate() {
            match form {
                Form::Lower { lane } => {
                    *lane = next_bound;
                    next_bound += 1;
                    if question.is_open[variable] {
                        self.open[usize::from(*lane)] = Some(variable as u32);
                    }
                }
                Form::Between { lane } => {
                    *lane = next_bound;
                    next_bound += 2;
                }
                Form::Mask { lane } => {
                    *lane = next_mask;
                    next_mask += 1;
                }
                Form::Set { lane } => {
                    *lane = next_set;
                    next_set += 1;
                }
            }
        }
    }

    fn find_traits(&mut self, task: &CountingTask) {
        reset(&mut self.traits, task.n_variables(), Traits::default());
        let mut ask = |variable: u32, values: &ValueSet| {
            let traits = &mut self.traits[variable as usize];
            let top = task.sizes()[variable as usize].saturating_sub(1);
            traits.has_holes |= values.runs().len() > 1;
            traits.has_upper |= values.ends().is_none_or(|(_, last)| last < top);
        };
        for need in task.goal() {
            ask(need.variable, &need.values);
        }
        for action in 0..task.n_actions() as u32 {
            for need in task.needs(action) {
                ask(need.variable, &need.values);
            }
        }
        for action in 0..task.n_actions() as u32 {
            for change in task.changes(action) {
                let shifts = matches!(change.effect, Effect::Shift(_));
                self.traits[change.variable as usize].shifts |= shifts;
            }
        }
    }

    pub(super) fn top(&self, variable: usize) -> u16 {
        self.tops[variable]
    }

    /// The mask of a variable that allows nothing.
    pub(super) fn nothing(&self, variable: usize) -> u16 {
        self.nothing[variable]
    }

    /// The variable at a lane, if its upper end is ignored.
    pub(super) fn open_at(&self, lane: usize) -> Option<u32> {
        self.open.get(lane).copied().flatten()
    }

    /// The lanes that are sets.
    #[inline]
    pub(super) fn sets(&self) -> std::ops::Range<usize> {
        self.first_set..self.n_lanes
    }
}
