//! What each variable can ever be, roughly: one run of values, whatever its width.
//!
//! In:   a task, and whose upper ends are ignored.
//! Out:  a run that holds every value that can be had, so that what is outside is a proof.
//! Cost: the actions, as often as one of them widens a run: each does so a few times at most,
//!       because a shift is taken as far as it can ever go at once.

use super::reach::taken;
use super::task::{CountingTask, Effect};
use throng_base::{Bits, reset};
use throng_domain::amounts::{ShiftEnd, ValueSet};

/// A run of values per variable, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Hulls {
    /// First and last; the first is above the last if there is none.
    runs: Vec<(u16, u16)>,
    /// The last value of each variable.
    tops: Vec<u16>,
    can_run: Bits,
}

impl Hulls {
    pub(super) fn explore(&mut self, task: &CountingTask, open: &impl Fn(u32) -> bool) {
        reset(&mut self.runs, task.n_variables(), (u16::MAX, 0));
        self.tops.clear();
        self.tops.extend(task.sizes().iter().map(|size| size.saturating_sub(1)));
        for ((run, &value), &size) in self.runs.iter_mut().zip(task.start()).zip(task.sizes()) {
            if value < size {
                *run = (value, value);
            }
        }
        self.can_run.reset(task.n_actions(), false);
        let mut is_wider = true;
        while is_wider {
            is_wider = false;
            for action in 0..task.n_actions() as u32 {
                is_wider |= self.perform(task, action, open);
            }
        }
    }

    /// Widens the runs by what an action can do now; whether it did.
    fn perform(&mut self, task: &CountingTask, action: u32, open: &impl Fn(u32) -> bool) -> bool {
        let of = |need| taken(task, action, need, open(need.variable));
        let is_ready = task.needs(action).iter().all(|need| self.meets(need.variable, &of(need).0));
        if !is_ready {
            return false;
        }
        let mut is_wider = self.can_run.insert(action as usize);
        for need in task.needs(action) {
            let (values, Some(shift)) = of(need) else { continue };
            let top = task.sizes()[need.variable as usize].saturating_sub(1);
            let Some((least, most)) = values.ends() else { continue };
            // From the farthest value that it takes, one step more.
            let far = match (shift.by > 0, shift.end) {
                (true, ShiftEnd::Refuse) => (i32::from(most) + shift.by).min(i32::from(top)),
                (false, ShiftEnd::Refuse) => (i32::from(least) + shift.by).max(0),
                (true, ShiftEnd::Stop(stop)) => (i32::from(most) + shift.by).min(i32::from(stop)),
                (false, ShiftEnd::Stop(stop)) => (i32::from(least) + shift.by).max(i32::from(stop)),
            };
            let run = self.runs[need.variable as usize];
            let is_farther = match shift.by > 0 {
                true => far > i32::from(run.1),
                false => far < i32::from(run.0),
            };
            if let (true, Ok(far)) = (is_farther, u16::try_from(far)) {
                is_wider |= self.widen(need.variable, far);
            }
        }
        for change in task.changes(action) {
            if let Effect::Set(value) = change.effect {
                is_wider |= self.widen(change.variable, value);
            }
        }
        is_wider
    }

    fn widen(&mut self, variable: u32, value: u16) -> bool {
        let run = &mut self.runs[variable as usize];
        let wider = (run.0.min(value), run.1.max(value));
        let is_wider = wider != *run;
        *run = wider;
        is_wider
    }

    /// Whether some value of a set may be had; what is beyond the range is taken as its end.
    pub(super) fn meets(&self, variable: u32, values: &ValueSet) -> bool {
        let (first, last) = self.runs[variable as usize];
        let top = self.tops[variable as usize];
        let meets = |&(from, to): &(u16, u16)| first <= to && from.min(top) <= last;
        first <= last && values.runs().iter().any(meets)
    }

    pub(super) fn can_run(&self, action: u32) -> bool {
        self.can_run.get(action as usize)
    }
}
