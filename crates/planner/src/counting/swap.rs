//! Whether two steps in a row may change places.
//!
//! In:   a question.
//! Out:  `swap(a, b)`: wherever `a` and then `b` can run, `b` and then `a` can, to a state that is
//!       as good: the same, or with more of what is only ever asked to be enough.
//! Cost: per pair of actions and variable that both touch, a few values: both ways are straight
//!       lines between the ends of sets, the stops, and what is moved to them.
//!
//! Variables are judged one by one, because what can run is a set of values per variable.

use super::question::Question;
use super::task::Effect;
use throng_domain::amounts::{ShiftEnd, ValueSet};

/// Ranges of so many values are tried whole.
const MOST_TRIED: i32 = 24;

/// A value that is not known.
const UNKNOWN: i32 = i32::MIN;

/// What an action does to a variable.
#[derive(Clone, Copy, Debug)]
struct Touch<'q> {
    need: Option<&'q ValueSet>,
    effect: Option<Effect>,
    /// The upper end is ignored.
    is_open: bool,
    top: i32,
}

/// What is known of two steps and a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// The two never run in a row.
    Never,
    Yes,
    No,
}

/// Whether the steps `a`, `b` may change places. `is_lower` says which variables are only ever
/// asked to be enough.
pub(super) fn swap(question: &Question, is_lower: &impl Fn(u32) -> bool, a: u32, b: u32) -> bool {
    if a == b {
        return true;
    }
    let mut all = true;
    for variable in shared(question, a, b) {
        let (one, other) = (touch(question, a, variable), touch(question, b, variable));
        match judge(question, variable, is_lower(variable), &one, &other) {
            Verdict::Never => return true,
            Verdict::Yes => {}
            Verdict::No => all = false,
        }
    }
    all
}

/// The variables that both actions touch.
fn shared(question: &Question, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
    let task = &question.task;
    let changes = move |action: u32, variable: u32| {
        task.changes(action).binary_search_by_key(&variable, |change| change.variable).is_ok()
    };
    let needs = move |action: u32, variable: u32| {
        task.needs(action).binary_search_by_key(&variable, |need| need.variable).is_ok()
    };
    let of_a = task.needs(a).iter().map(|need| need.variable);
    let only_changed = task.changes(a).iter().map(|change| change.variable);
    let all = of_a.chain(only_changed.filter(move |&variable| !needs(a, variable)));
    all.filter(move |&variable| needs(b, variable) || changes(b, variable))
}

fn touch(question: &Question, action: u32, variable: u32) -> Touch<'_> {
    let task = &question.task;
    let changes = task.changes(action);
    let at = changes.binary_search_by_key(&variable, |change| change.variable).ok();
    Touch {
        need: super::potential::need(task, action, variable),
        effect: at.map(|at| changes[at].effect),
        is_open: question.is_open[variable as usize],
        top: i32::from(task.sizes()[variable as usize]) - 1,
    }
}

impl Touch<'_> {
    /// The least value it takes, and by how much it moves it, if that is all there is to it.
    fn plain(&self) -> Option<(i32, i32)> {
        let least = self.need.map_or(Some(0), |need| need.ends().map(|ends| i32::from(ends.0)))?;
        let by = match self.effect {
            None => 0,
            Some(Effect::Shift(shift)) if shift.end == ShiftEnd::Refuse => shift.by,
            Some(_) => return None,
        };
        self.is_open.then_some((least, by))
    }

    /// What becomes of a value; `None` if it is not taken.
    fn run(&self, value: i32) -> Option<i32> {
        if let Some(need) = self.need {
            let is_in = match self.is_open {
                true => need.ends().is_some_and(|(first, _)| i32::from(first) <= value),
                false => u16::try_from(value).is_ok_and(|value| need.has(value)),
            };
            if !is_in {
                return None;
            }
        }
        Some(match self.effect {
            None => value,
            Some(Effect::Set(to)) => i32::from(to),
            Some(Effect::Shift(shift)) => match shift.end {
                ShiftEnd::Refuse => value + shift.by,
                ShiftEnd::Stop(stop) => match shift.by > 0 {
                    true => value.max((value + shift.by).min(i32::from(stop))),
                    false => value.min((value + shift.by).max(i32::from(stop))),
                },
            },
        })
    }

    /// Calls `see` with every value beside which it becomes another straight line.
    fn ends(&self, see: &mut impl FnMut(i32)) {
        for &(first, last) in self.need.map_or(&[][..], ValueSet::runs) {
            see(i32::from(first));
            see(i32::from(last));
        }
        if let Some(Effect::Shift(shift)) = self.effect
            && let ShiftEnd::Stop(stop) = shift.end
        {
            see(i32::from(stop));
            see(i32::from(stop) - shift.by);
        }
    }

    /// By how much it moves values that it moves.
    fn by(&self) -> i32 {
        match self.effect {
            Some(Effect::Shift(shift)) => shift.by,
            _ => 0,
        }
    }
}

fn judge(
    question: &Question,
    variable: u32,
    is_lower: bool,
    a: &Touch<'_>,
    b: &Touch<'_>,
) -> Verdict {
    if let (Some((least_a, by_a)), Some((least_b, by_b))) = (a.plain(), b.plain()) {
        // From how much on each order runs; where it ends is the same.
        let (a_b, b_a) = (least_a.max(least_b - by_a), least_b.max(least_a - by_b));
        return if b_a <= a_b { Verdict::Yes } else { Verdict::No };
    }
    let mut verdict = Verdict::Never;
    let mut see = |value: i32| {
        let Some(end) = a.run(value).and_then(|value| b.run(value)) else { return };
        let other = b.run(value).and_then(|value| a.run(value));
        let is_as_good = other.is_some_and(|other| other == end || (is_lower && other > end));
        if !is_as_good {
            verdict = Verdict::No;
        } else if verdict == Verdict::Never {
            verdict = Verdict::Yes;
        }
    };
    let start = question.task.start()[variable as usize];
    if i32::from(start) > a.top {
        see(UNKNOWN);
    }
    if a.top < MOST_TRIED && !a.is_open {
        (0..=a.top).for_each(see);
        return verdict;
    }
    let mut beside = |value: i32| {
        for value in value - 1..=value + 1 {
            if value >= 0 && (a.is_open || value <= a.top) {
                see(value);
            }
        }
    };
    beside(0);
    beside(a.top);
    for (one, other) in [(a, b), (b, a)] {
        one.ends(&mut |value| {
            beside(value);
            beside(value - other.by());
        });
    }
    verdict
}
