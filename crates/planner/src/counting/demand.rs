//! Demands: a set of values per variable, as lanes of sixteen bits, and what must hold before an
//! action so that a demand holds after it.
//!
//! In:   a question.
//! Out:  its start, its goal and its actions in `L` lanes; regression, which is exact: sets of
//!       values per variable stay sets of values per variable.
//! Cost: a few operations on all lanes at once, and a short list of what does not fit that form.
//!
//! A variable has one lane or two, in one of four forms (`layout`). In every form a lane of 0 asks
//! for nothing. *Bounds* ask for at least so much, or, counted from the top, for at most; more in a
//! lane asks for more. *Masks* have a bit per value that is not allowed, the highest for unknown.
//! *Sets* are numbers of sets with holes.

use super::lane::{Lane, Lanes};
use super::layout::{Form, Layout};
use super::question::Question;
use super::run_sets::RunSets;
use super::task::{Effect, Need};
use throng_base::Rows;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// What must hold before an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before<N, const L: usize> {
    /// This.
    Demand(Lanes<N, L>),
    /// Nothing makes it true.
    Nothing,
    /// More than can be counted of this variable, whose upper end is ignored.
    Beyond(u32),
}

/// What an action does to all lanes at once. To bounds: take off the first, add the second, ask
/// for the need. To masks: keep the first, fail on the second, add the need.
#[derive(Clone, Copy, Debug)]
struct Moves<N, const L: usize> {
    first: Lanes<N, L>,
    second: Lanes<N, L>,
    need: Lanes<N, L>,
}

/// What an action does to a lane besides.
#[derive(Clone, Copy, Debug)]
enum Special {
    /// A bound rises by so much, up to a stop.
    RaiseTo { lane: u8, by: u16, stop: u16, need: u16 },
    /// A bound falls by so much, down to a stop.
    FallTo { lane: u8, by: u16, stop: u16, need: u16 },
    /// A bound becomes this.
    Assign { lane: u8, value: u16, need: u16 },
    /// The two bounds of a variable leave something between them.
    Check { lane: u8, top: u16 },
    /// The values of a mask move.
    Mask { lane: u8, size: u16, need: u16, shift: ShiftBy },
    /// A set with holes: needed, assigned, or shifted.
    Needs { lane: u8, need: u16 },
    /// See above.
    Sets { lane: u8, value: u16, need: u16 },
    /// See above.
    Shifts { lane: u8, size: u16, need: u16, shift: ShiftBy },
}

/// A question in lanes, kept between calls.
#[derive(Clone, Debug)]
pub(super) struct Model<N, const L: usize> {
    pub(super) start: Lanes<N, L>,
    pub(super) goal: Lanes<N, L>,
    pub(super) costs: Vec<u64>,
    pub(super) layout: Layout,
    pub(super) sets: RunSets,
    /// All ones in lanes that are bounds, and in lanes that are masks.
    pub(super) is_bound: Lanes<N, L>,
    pub(super) is_mask: Lanes<N, L>,
    /// What is more than this cannot be, or not be counted.
    most: Lanes<N, L>,
    moves: Vec<Moves<N, L>>,
    specials: Rows<Special>,
}

impl<N: Lane, const L: usize> Default for Model<N, L> {
    fn default() -> Self {
        Model {
            start: [N::ZERO; L],
            goal: [N::ZERO; L],
            costs: Vec::new(),
            layout: Layout::default(),
            sets: RunSets::default(),
            is_bound: [N::ZERO; L],
            is_mask: [N::ZERO; L],
            most: [N::ZERO; L],
            moves: Vec::new(),
            specials: Rows::default(),
        }
    }
}

impl<N: Lane, const L: usize> Model<N, L> {
    /// Writes a question whose layout, which must not have more than `L` lanes, is known; it is
    /// taken, and an old one given for it.
    pub(super) fn fill(&mut self, question: &Question, layout: &mut Layout) {
        std::mem::swap(&mut self.layout, layout);
        self.sets.clear();
        self.fill_lanes(question);
        let task = &question.task;
        self.goal = [N::ZERO; L];
        for need in task.goal() {
            let mut goal = self.goal;
            self.write_need(need, &mut goal);
            self.goal = goal;
        }
        self.moves.clear();
        self.specials.clear();
        self.costs.clear();
        for action in 0..task.n_actions() as u32 {
            self.fill_action(question, action);
            self.costs.push(task.cost(action));
        }
    }

    fn fill_lanes(&mut self, question: &Question) {
        self.start = [N::ZERO; L];
        self.is_mask = [N::ZERO; L];
        // Lanes that are not used are bounds that nobody asks for.
        self.is_bound = [N::MAX; L];
        self.most = [N::MOST; L];
        for (variable, &form) in self.layout.forms.iter().enumerate() {
            let (start, size) = (question.task.start()[variable], question.task.sizes()[variable]);
            let top = size.saturating_sub(1);
            match form {
                Form::Lower { lane } => {
                    let lane = usize::from(lane);
                    self.start[lane] = start.into();
                    if !question.is_open[variable] {
                        self.most[lane] = top.into();
                    }
                }
                Form::Between { lane } => {
                    let lane = usize::from(lane);
                    self.start[lane] = start.into();
                    self.start[lane + 1] = top.saturating_sub(start).into();
                    self.most[lane] = top.into();
                    self.most[lane + 1] = top.into();
                }
                Form::Mask { lane } => {
                    let lane = usize::from(lane);
                    (self.is_bound[lane], self.is_mask[lane]) = (N::ZERO, N::MAX);
                    self.start[lane] = (1 << start.min(15)).into();
                    self.most[lane] = self.layout.nothing(variable).saturating_sub(1).into();
                }
                Form::Set { lane } => {
                    let lane = usize::from(lane);
                    self.is_bound[lane] = N::ZERO;
                    self.start[lane] = start.into();
                    self.most[lane] = N::MAX;
                }
            }
        }
    }

    /// Writes a need into lanes that ask for nothing of its variable.
    fn write_need(&mut self, need: &Need, into: &mut Lanes<N, L>) {
        let variable = need.variable as usize;
        let Some((first, last)) = need.values.ends() else { return };
        match self.layout.forms[variable] {
            Form::Lower { lane } => into[usize::from(lane)] = first.into(),
            Form::Between { lane } => {
                into[usize::from(lane)] = first.into();
                let below = self.layout.top(variable).saturating_sub(last);
                into[usize::from(lane) + 1] = below.into();
            }
            Form::Mask { lane } => {
                let allowed =
                    need.values.values().fold(0u16, |bits, value| bits | 1 << value.min(15));
                into[usize::from(lane)] = (self.layout.nothing(variable) & !allowed).into();
            }
            Form::Set { lane } => {
                into[usize::from(lane)] = self.sets.add(&need.values).into();
            }
        }
    }

    fn fill_action(&mut self, question: &Question, action: u32) {
        let task = &question.task;
        let mut needs = [N::ZERO; L];
        for need in task.needs(action) {
            self.write_need(need, &mut needs);
        }
        let mut moves = Moves { first: [N::ZERO; L], second: [N::ZERO; L], need: needs };
        for lane in 0..L {
            if self.is_bound[lane] == N::ZERO {
                moves.first[lane] = N::MAX;
            }
        }
        for need in task.needs(action) {
            let is_changed = task.changes(action).iter().any(|at| at.variable == need.variable);
            match self.layout.forms[need.variable as usize] {
                Form::Set { lane } => {
                    let need = std::mem::take(&mut moves.need[usize::from(lane)]).narrow();
                    if !is_changed {
                        self.specials.push_entry(Special::Needs { lane, need });
                    }
                }
                Form::Between { lane } if !is_changed => {
                    let top = self.layout.top(need.variable as usize);
                    self.specials.push_entry(Special::Check { lane, top });
                }
                _ => {}
            }
        }
        for change in task.changes(action) {
            let variable = change.variable as usize;
            let top = self.layout.top(variable);
            match self.layout.forms[variable] {
                Form::Lower { lane } => {
                    self.fill_bound(&mut moves, lane, change.effect);
                }
                Form::Between { lane } => {
                    self.fill_bound(&mut moves, lane, change.effect);
                    self.fill_bound(&mut moves, lane + 1, turned(change.effect, top));
                    self.specials.push_entry(Special::Check { lane, top });
                }
                Form::Mask { lane } => self.fill_mask(&mut moves, lane, change.effect, top + 1),
                Form::Set { lane } => {
                    let need = needs[usize::from(lane)].narrow();
                    self.specials.push_entry(match change.effect {
                        Effect::Set(value) => Special::Sets { lane, value, need },
                        Effect::Shift(shift) => {
                            Special::Shifts { lane, size: top + 1, need, shift }
                        }
                    });
                }
            }
        }
        self.specials.end_row();
        self.moves.push(moves);
    }

    fn fill_bound(&mut self, moves: &mut Moves<N, L>, lane: u8, effect: Effect) {
        let at = usize::from(lane);
        let need = moves.need[at].narrow();
        let by_of = |by: i32| u16::try_from(by.unsigned_abs()).unwrap_or(u16::MAX);
        match effect {
            Effect::Set(value) => {
                moves.first[at] = N::MAX;
                self.specials.push_entry(Special::Assign { lane, value, need });
            }
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) if by >= 0 => {
                moves.first[at] = by_of(by).into();
            }
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) => {
                moves.second[at] = by_of(by).into()
            }
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) }) => {
                moves.first[at] = N::MAX;
                let by_much = by_of(by);
                self.specials.push_entry(match by >= 0 {
                    true => Special::RaiseTo { lane, by: by_much, stop, need },
                    false => Special::FallTo { lane, by: by_much, stop, need },
                });
            }
        }
    }

    fn fill_mask(&mut self, moves: &mut Moves<N, L>, lane: u8, effect: Effect, size: u16) {
        let at = usize::from(lane);
        match effect {
            Effect::Set(value) => {
                moves.first[at] = N::ZERO;
                moves.second[at] = (1 << value.min(15)).into();
            }
            Effect::Shift(shift) => {
                let need = moves.need[at].narrow();
                self.specials.push_entry(Special::Mask { lane, size, need, shift });
                moves.need[at] = N::ZERO;
            }
        }
    }

    /// What must hold before an action so that a demand holds after it.
    #[inline]
    pub(super) fn before(&mut self, after: &Lanes<N, L>, action: u32) -> Before<N, L> {
        let Moves { first, second, need } = &self.moves[action as usize];
        let mut before = [N::ZERO; L];
        let (mut clash, mut over) = (N::ZERO, N::ZERO);
        for at in 0..L {
            let (lane, is_bound) = (after[at], self.is_bound[at]);
            let bound = lane.less(first[at]).plus(second[at]).max(need[at]);
            let mask = (lane & first[at]) | need[at];
            before[at] = (bound & is_bound) | (mask & !is_bound);
            clash |= lane & second[at] & !is_bound;
            over |= before[at].less(self.most[at]);
        }
        if clash != N::ZERO {
            return Before::Nothing;
        }
        let specials = self.specials.row(action as usize);
        if over == N::ZERO && specials.is_empty() {
            return Before::Demand(before);
        }
        self.before_special(after, action, before)
    }

    /// What does not fit the form of all lanes.
    fn before_special(
        &mut self,
        after: &Lanes<N, L>,
        action: u32,
        mut before: Lanes<N, L>,
    ) -> Before<N, L> {
        for special in self.specials.row(action as usize) {
            match *special {
                Special::RaiseTo { lane, by, stop, need } => {
                    let lane = usize::from(lane);
                    let asked = after[lane];
                    let less = if asked <= stop.into() { asked.less(by.into()) } else { asked };
                    before[lane] = less.max(need.into());
                }
                Special::FallTo { lane, by, stop, need } => {
                    let lane = usize::from(lane);
                    let asked = after[lane];
                    let more = if asked <= stop.into() { asked } else { asked.plus(by.into()) };
                    before[lane] = more.max(need.into());
                }
                Special::Assign { lane, value, need } => {
                    let lane = usize::from(lane);
                    if after[lane] > value.into() {
                        return Before::Nothing;
                    }
                    before[lane] = need.into();
                }
                Special::Check { lane, top } => {
                    let lane = usize::from(lane);
                    if before[lane].plus(before[lane + 1]) > top.into() {
                        return Before::Nothing;
                    }
                }
                Special::Mask { lane, size, need, shift } => {
                    let lane = usize::from(lane);
                    before[lane] = mask_before(after[lane].narrow(), need, shift, size).into();
                }
                Special::Needs { lane, need } => {
                    let lane = usize::from(lane);
                    let Some(set) = self.sets.both(after[lane].narrow(), need) else {
                        return Before::Nothing;
                    };
                    before[lane] = set.into();
                }
                Special::Sets { lane, value, need } => {
                    let lane = usize::from(lane);
                    if !self.sets.has(after[lane].narrow(), value) {
                        return Before::Nothing;
                    }
                    before[lane] = need.into();
                }
                Special::Shifts { lane, size, need, shift } => {
                    let lane = usize::from(lane);
                    let set = self.sets.before_shift(after[lane].narrow(), need, shift, size);
                    let Some(set) = set else { return Before::Nothing };
                    before[lane] = set.into();
                }
            }
        }
        let over = (0..L).find(|&lane| before[lane] > self.most[lane]);
        match over.and_then(|lane| self.layout.open_at(lane)) {
            Some(variable) => Before::Beyond(variable),
            None if over.is_some() => Before::Nothing,
            None => Before::Demand(before),
        }
    }

    /// Whether everything that satisfies one demand satisfies another.
    #[inline]
    pub(super) fn is_within(&self, inner: &Lanes<N, L>, outer: &Lanes<N, L>) -> bool {
        let mut more = N::ZERO;
        for at in 0..L {
            more |= outer[at].less(inner[at]) & self.is_bound[at];
            more |= outer[at] & !inner[at] & self.is_mask[at];
        }
        let is_in = |at: usize| self.sets.is_within(inner[at].narrow(), outer[at].narrow());
        more == N::ZERO && self.layout.sets().all(is_in)
    }

    /// Whether a demand holds at the start.
    #[inline]
    pub(super) fn holds(&self, demand: &Lanes<N, L>) -> bool {
        let mut more = N::ZERO;
        for at in 0..L {
            more |= self.unmet(demand, at);
        }
        let has = |at: usize| self.sets.has(demand[at].narrow(), self.start[at].narrow());
        more == N::ZERO && self.layout.sets().all(has)
    }

    /// Whether a lane that is no set asks for what does not hold at the start: not 0.
    #[inline]
    pub(super) fn unmet(&self, demand: &Lanes<N, L>, lane: usize) -> N {
        (demand[lane].less(self.start[lane]) & self.is_bound[lane])
            | (demand[lane] & self.start[lane] & self.is_mask[lane])
    }

    /// A demand as needs of the question's variables; of a set with more holes than a [`ValueSet`]
    /// can have its ends.
    pub(super) fn needs(&self, demand: &Lanes<N, L>, into: &mut Vec<Need>) {
        into.clear();
        for (variable, &form) in self.layout.forms.iter().enumerate() {
            let top = self.layout.top(variable);
            let at = usize::from(form.lane());
            if demand[at] == N::ZERO && !matches!(form, Form::Between { .. }) {
                continue;
            }
            let values = match form {
                Form::Lower { .. } => {
                    let least = demand[at].narrow();
                    ValueSet::run(least, least.max(top))
                }
                Form::Between { .. } if demand[at] | demand[at + 1] == N::ZERO => continue,
                Form::Between { .. } => {
                    ValueSet::run(demand[at].narrow(), top.saturating_sub(demand[at + 1].narrow()))
                }
                Form::Mask { .. } => {
                    let not = demand[at].narrow();
                    let values = (0..=top).filter(|value| not >> value & 1 == 0);
                    ValueSet::of(values).unwrap_or(ValueSet::all(top + 1))
                }
                Form::Set { .. } => {
                    let runs = self.sets.runs(demand[at].narrow());
                    let ends = runs.first().zip(runs.last()).map(|(a, b)| ValueSet::run(a.0, b.1));
                    let set = ValueSet::of_runs(runs.iter().copied()).or(ends);
                    set.unwrap_or(ValueSet::all(top + 1))
                }
            };
            into.push(Need { variable: variable as u32, values });
        }
    }

    /// The memory in use by sets.
    pub(super) fn bytes(&self) -> usize {
        self.sets.bytes()
    }
}

/// An effect on a value as one on what is missing to the top.
fn turned(effect: Effect, top: u16) -> Effect {
    match effect {
        Effect::Set(value) => Effect::Set(top.saturating_sub(value)),
        Effect::Shift(ShiftBy { by, end }) => {
            let end = match end {
                ShiftEnd::Refuse => ShiftEnd::Refuse,
                ShiftEnd::Stop(stop) => ShiftEnd::Stop(top.saturating_sub(stop)),
            };
            Effect::Shift(ShiftBy { by: -by, end })
        }
    }
}

/// The values that are not allowed before a shift, so that none is after it that was not.
fn mask_before(after: u16, need: u16, shift: ShiftBy, size: u16) -> u16 {
    let mut not = need;
    for value in 0..size {
        let is_out = shift.apply(value, size).is_none_or(|to| after >> to & 1 == 1);
        not |= u16::from(is_out) << value;
    }
    not
}
