//! The part of a task that matters to its goal, with every amount the same way up.
//!
//! In:   a task, and the variables whose ends must all count.
//! Out:  a task of its own: only actions that can move something towards what is asked, only
//!       variables that are asked for; amounts that are asked to be at most so much are turned
//!       round, so that more is better; and which of them are *open*.
//! Cost: the actions a few times over; no allocation once warm.
//!
//! An amount is open if its upper end is ignored: it is only ever asked to be at least so much, and
//! a rise that would leave the range is done all the same. That only adds plans. The end of a range
//! that refuses a shift counts as asked for, unless it is the end that is ignored.

use super::task::{CountingChange, CountingTask, Effect, Need};
use throng_base::reset;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// A variable that is none.
pub(super) const NO_VARIABLE: u32 = u32::MAX;

/// What is asked of a variable by the goal and by actions that matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Asks {
    /// At least, at most: by conditions.
    lower: bool,
    upper: bool,
    /// The same by ends of the range that refuse a shift.
    floor: bool,
    ceiling: bool,
    /// To be known, while it is not.
    known: bool,
    /// Some action that matters raises it.
    raised: bool,
}

/// Which end of a variable is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Open {
    #[default]
    Neither,
    Above,
    Below,
}

/// Where a variable of the question comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) variable: u32,
    pub(super) is_turned: bool,
}

/// The part of a task that matters, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    /// The task to be solved.
    pub(super) task: CountingTask,
    /// By variable of it.
    pub(super) origins: Vec<Origin>,
    pub(super) is_open: Vec<bool>,
    /// By action of it: which one of the given task.
    pub(super) actions: Vec<u32>,
    asks: Vec<Asks>,
    ends: Vec<Open>,
    /// By variable of the given task.
    numbers: Vec<u32>,
    matters: Vec<bool>,
    needs: Vec<Need>,
    changes: Vec<CountingChange>,
}

impl Question {
    /// Becomes the part of a task that matters. `is_closed` says of which variables both ends
    /// count.
    pub(super) fn fill(&mut self, task: &CountingTask, is_closed: &impl Fn(u32) -> bool) {
        reset(&mut self.ends, task.n_variables(), Open::Neither);
        self.find_relevant(task);
        // What is asked in the widest sense decides which ends may be ignored; what is still asked
        // then decides what matters.
        let mut any_open = false;
        for (variable, (end, asks)) in self.ends.iter_mut().zip(&self.asks).enumerate() {
            let is_known = task.start()[variable] < task.sizes()[variable];
            *end = match asks {
                _ if is_closed(variable as u32) || !is_known => Open::Neither,
                Asks { lower: true, upper: true, .. } => Open::Neither,
                // What is taken away is a need, if it can be brought back.
                Asks { upper: true, floor: true, raised: true, .. } => Open::Neither,
                Asks { upper: true, .. } => Open::Below,
                _ => Open::Above,
            };
            any_open |= *end != Open::Neither;
        }
        if any_open {
            self.find_relevant(task);
        }
        self.write(task);
    }

    /// Finds the actions that can move something the way it is asked, and what they ask.
    fn find_relevant(&mut self, task: &CountingTask) {
        reset(&mut self.asks, task.n_variables(), Asks::default());
        reset(&mut self.matters, task.n_actions(), false);
        for need in task.goal() {
            self.ask(task, need, None);
        }
        let mut is_more = true;
        while is_more {
            is_more = false;
            for action in 0..task.n_actions() as u32 {
                let is_new = !self.matters[action as usize];
                if is_new && can_run(task, action) && self.serves(task, action) {
                    is_more = true;
                    self.matters[action as usize] = true;
                    for need in task.needs(action) {
                        self.ask(task, need, shift_of(task, action, need.variable));
                    }
                }
            }
        }
    }

    fn ask(&mut self, task: &CountingTask, need: &Need, shift: Option<ShiftBy>) {
        let at = need.variable as usize;
        let top = i32::from(task.sizes()[at].saturating_sub(1));
        let Some((first, last)) = need.values.ends() else { return };
        let (first, last) = (i32::from(first), i32::from(last));
        let refused = shift.filter(|shift| shift.end == ShiftEnd::Refuse).map_or(0, |s| s.by);
        let has_holes = need.values.runs().len() > 1;
        let is_floor = refused < 0 && first == -refused;
        let is_ceiling = refused > 0 && last == top - refused;
        let asks = &mut self.asks[at];
        asks.lower |= has_holes || (first > 0 && !is_floor);
        asks.upper |= has_holes || (last < top && !is_ceiling);
        asks.floor |= is_floor && self.ends[at] != Open::Below;
        asks.ceiling |= is_ceiling && self.ends[at] != Open::Above;
        asks.known |= task.start()[at] >= task.sizes()[at];
    }

    /// Whether an action can move something the way it is asked.
    fn serves(&mut self, task: &CountingTask, action: u32) -> bool {
        let mut serves = false;
        for change in task.changes(action) {
            let at = change.variable as usize;
            let all = ValueSet::all(task.sizes()[at]);
            let values = super::potential::need(task, action, change.variable).unwrap_or(&all);
            let Some((first, last)) = values.ends() else { continue };
            let (rises, falls) = match change.effect {
                Effect::Set(value) => (first < value, value < last),
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) => (by > 0, by < 0),
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) }) => {
                    (by > 0 && first < stop, by < 0 && stop < last)
                }
            };
            let is_set = matches!(change.effect, Effect::Set(_));
            let asks = &self.asks[at];
            serves |= rises && (asks.lower || asks.floor);
            serves |= falls && (asks.upper || asks.ceiling);
            serves |= is_set && asks.known;
        }
        if serves {
            for change in task.changes(action) {
                let is_rise = match change.effect {
                    Effect::Set(_) => true,
                    Effect::Shift(shift) => shift.by > 0,
                };
                self.asks[change.variable as usize].raised |= is_rise;
            }
        }
        serves
    }

    /// Writes the task to be solved.
    fn write(&mut self, task: &CountingTask) {
        self.task.clear();
        self.origins.clear();
        self.is_open.clear();
        self.actions.clear();
        self.numbers.clear();
        for (at, asks) in self.asks.iter().enumerate() {
            let Asks { lower, upper, floor, ceiling, known, .. } = *asks;
            if !(lower || upper || floor || ceiling || known) {
                self.numbers.push(NO_VARIABLE);
                continue;
            }
            let is_turned = self.ends[at] == Open::Below;
            let (size, start) = (task.sizes()[at], task.start()[at]);
            let start = if is_turned { turned(start, size) } else { start };
            self.numbers.push(self.task.add_variable(size, start));
            self.origins.push(Origin { variable: at as u32, is_turned });
            self.is_open.push(self.ends[at] != Open::Neither);
        }
        for action in (0..task.n_actions() as u32).filter(|&at| self.matters[at as usize]) {
            self.needs.clear();
            self.changes.clear();
            for need in task.needs(action) {
                self.needs.extend(self.turn_need(task, need));
            }
            for change in task.changes(action) {
                self.changes.extend(self.turn_change(task, change));
            }
            let (needs, changes) = (self.needs.iter().copied(), self.changes.iter().copied());
            self.task.add_action(needs, changes, task.cost(action));
            self.actions.push(action);
        }
        self.needs.clear();
        for need in task.goal() {
            self.needs.extend(self.turn_need(task, need));
        }
        self.task.set_goal(self.needs.iter().copied());
    }

    fn turn_need(&self, task: &CountingTask, need: &Need) -> Option<Need> {
        let at = need.variable as usize;
        let variable = Some(self.numbers[at]).filter(|&variable| variable != NO_VARIABLE)?;
        let size = task.sizes()[at];
        let mut values = need.values;
        if self.ends[at] == Open::Below {
            let runs = values.runs().iter().rev();
            let runs = runs.map(|&(first, last)| (turned(last, size), turned(first, size)));
            values = ValueSet::of_runs(runs).unwrap_or(values);
        }
        if self.ends[at] != Open::Neither {
            let (first, _) = values.ends()?;
            values = ValueSet::run(first, size.saturating_sub(1));
        }
        let is_known = task.start()[at] < size;
        (!is_known || values != ValueSet::all(size)).then_some(Need { variable, values })
    }

    fn turn_change(&self, task: &CountingTask, change: &CountingChange) -> Option<CountingChange> {
        let at = change.variable as usize;
        let variable = Some(self.numbers[at]).filter(|&variable| variable != NO_VARIABLE)?;
        if self.ends[at] != Open::Below {
            return Some(CountingChange { variable, effect: change.effect });
        }
        let size = task.sizes()[at];
        let effect = match change.effect {
            Effect::Set(value) => Effect::Set(turned(value, size)),
            Effect::Shift(ShiftBy { by, end }) => {
                let end = match end {
                    ShiftEnd::Refuse => ShiftEnd::Refuse,
                    ShiftEnd::Stop(stop) => ShiftEnd::Stop(turned(stop, size)),
                };
                Effect::Shift(ShiftBy { by: -by, end })
            }
        };
        Some(CountingChange { variable, effect })
    }
}

/// A value counted from the other end.
fn turned(value: u16, size: u16) -> u16 {
    if value < size { size - 1 - value } else { value }
}

/// Whether an action's needs can hold at all.
fn can_run(task: &CountingTask, action: u32) -> bool {
    !task.needs(action).iter().any(|need| need.values.is_empty())
}

/// How an action shifts a variable.
pub(super) fn shift_of(task: &CountingTask, action: u32, variable: u32) -> Option<ShiftBy> {
    let changes = task.changes(action);
    let at = changes.binary_search_by_key(&variable, |change| change.variable).ok()?;
    match changes[at].effect {
        Effect::Shift(shift) => Some(shift),
        Effect::Set(_) => None,
    }
}
