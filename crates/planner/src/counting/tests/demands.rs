//! Demands in lanes beside plain sets of values, one by one.

use crate::counting::demand::{Before, Model};
use crate::counting::lane::{Lane, Lanes};
use crate::counting::layout::{Form, Layout};
use crate::counting::question::Question;
use crate::counting::random::{anything, recipes};
use crate::counting::{CountingTask, Effect};
use std::collections::BTreeSet;
use throng_base::SplitMix;
use throng_domain::amounts::{ShiftBy, ShiftEnd};

/// A value that is not known.
const NOT_KNOWN: i32 = -1;

/// A set of values per variable.
type Plain = Vec<BTreeSet<i32>>;

/// The values that are looked at: all there are, and some beyond an end that is ignored.
fn values(question: &Question, variable: usize) -> BTreeSet<i32> {
    let size = i32::from(question.task.sizes()[variable]);
    let is_known = i32::from(question.task.start()[variable]) < size;
    let all = if question.is_open[variable] { 0..8 * size + 60 } else { 0..size };
    all.chain((!is_known).then_some(NOT_KNOWN)).collect()
}

/// What becomes of a value of a variable, by a way of its own; `None` if it is not taken.
fn after(question: &Question, action: u32, variable: usize, value: i32) -> Option<i32> {
    let (task, is_open) = (&question.task, question.is_open[variable]);
    let need = task.needs(action).iter().find(|need| need.variable as usize == variable);
    if let Some(need) = need {
        let least = i32::from(need.values.ends()?.0);
        let is_in = u16::try_from(value).is_ok_and(|value| need.values.has(value));
        if value == NOT_KNOWN || !(is_in || (is_open && value >= least)) {
            return None;
        }
    }
    let change = task.changes(action).iter().find(|change| change.variable as usize == variable);
    match change.map(|change| change.effect) {
        None => Some(value),
        Some(Effect::Set(to)) => Some(i32::from(to)),
        Some(Effect::Shift(_)) if value == NOT_KNOWN => None,
        Some(Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse })) => Some(value + by),
        Some(Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) })) => {
            let stop = i32::from(stop);
            Some(if by > 0 {
                value.max(stop.min(value + by))
            } else {
                value.min(stop.max(value + by))
            })
        }
    }
}

fn before(question: &Question, demand: &Plain, action: u32) -> Option<Plain> {
    let n = demand.len();
    let sets = (0..n).map(|variable| {
        let fits = |value: &i32| {
            // Beyond what is looked at an open amount is as good as at its end.
            let after = after(question, action, variable, *value);
            let most = values(question, variable).last().copied().unwrap_or(0);
            after.is_some_and(|after| demand[variable].contains(&after.min(most)))
        };
        values(question, variable).into_iter().filter(fits).collect::<BTreeSet<i32>>()
    });
    let sets: Plain = sets.collect();
    sets.iter().all(|set| !set.is_empty()).then_some(sets)
}

/// What lanes ask for.
fn plain<N: Lane, const L: usize>(
    question: &Question,
    model: &Model<N, L>,
    demand: &Lanes<N, L>,
) -> Plain {
    let forms = model.layout.forms.iter().enumerate();
    let sets = forms.map(|(variable, &form)| {
        let lane = usize::from(form.lane());
        let (asked, top) = (demand[lane].into(), i64::from(model.layout.top(variable)));
        let fits = |value: &i32| {
            let is_known = *value != NOT_KNOWN;
            match form {
                Form::Lower { .. } => i64::from(*value) >= asked as i64,
                Form::Between { .. } => {
                    let below: u64 = demand[lane + 1].into();
                    i64::from(*value) >= asked as i64 && i64::from(*value) <= top - below as i64
                }
                Form::Mask { .. } => {
                    let bit = if is_known { *value as u64 } else { 15 };
                    asked >> bit & 1 == 0
                }
                Form::Set { .. } => {
                    let value = if is_known { *value as u16 } else { u16::MAX };
                    model.sets.has(demand[lane].narrow(), value)
                }
            }
        };
        values(question, variable).into_iter().filter(fits).collect()
    });
    sets.collect()
}

fn is_within(inner: &Plain, outer: &Plain) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| inner.is_subset(outer))
}

fn holds(question: &Question, demand: &Plain) -> bool {
    let start = question.task.start().iter().zip(question.task.sizes());
    let start = start.map(|(&value, &size)| if value < size { value.into() } else { NOT_KNOWN });
    start.zip(demand).all(|(value, set)| set.contains(&value))
}

/// Walks from the goal back by any actions, in lanes and in sets; how many steps were compared.
fn walk<N: Lane, const L: usize>(task: &CountingTask, random: &mut SplitMix, closed: bool) -> u32 {
    let (mut question, mut layout) = (Question::default(), Layout::default());
    let closed_bits = random.number() | if closed { u64::MAX } else { 0 };
    question.fill(task, &|variable| closed_bits >> (variable % 64) & 1 == 1);
    assert!(layout.fill(&question) && layout.n_lanes <= L);
    let mut model = Model::<N, L>::default();
    model.fill(&question, &mut layout);
    let mut steps = 0;
    let n_actions = question.task.n_actions();
    for _ in 0..6 {
        let mut demand = model.goal;
        let mut twin = plain(&question, &model, &demand);
        let mut last = twin.clone();
        for _ in 0..8 {
            if n_actions == 0 {
                break;
            }
            let action = random.below(n_actions) as u32;
            let expected = before(&question, &twin, action);
            match model.before(&demand, action) {
                Before::Demand(next) => {
                    let next_twin = plain(&question, &model, &next);
                    assert_eq!(Some(&next_twin), expected.as_ref(), "{action} {twin:?} {task:?}");
                    assert_eq!(model.is_within(&next, &demand), is_within(&next_twin, &twin));
                    assert_eq!(model.is_within(&demand, &next), is_within(&twin, &next_twin));
                    assert_eq!(model.is_within(&next, &model.goal), is_within(&next_twin, &last));
                    assert_eq!(model.holds(&next), holds(&question, &next_twin));
                    (demand, twin) = (next, next_twin);
                }
                Before::Nothing => assert_eq!(expected, None, "{action} {twin:?} {task:?}"),
                Before::Beyond(_) => panic!("small numbers"),
            }
            steps += 1;
        }
        last.clear();
    }
    steps
}

#[test]
fn lanes_are_sets_of_values() {
    let mut random = SplitMix::new(11);
    let mut steps = 0;
    for seed in 0..250 {
        for task in [anything(seed), recipes(seed)] {
            steps += walk::<u16, 32>(&task, &mut random, seed % 2 == 0);
            steps += walk::<u32, 16>(&task, &mut random, seed % 2 == 0);
        }
    }
    assert!(steps > 15_000, "{steps}");
}

/// The same with wide ranges, so that sets with holes have numbers.
#[test]
fn sets_with_holes_are_sets_of_values() {
    let mut random = SplitMix::new(12);
    let (mut steps, mut sets) = (0, 0);
    for seed in 0..1_500 {
        let task = widened(&anything(seed), 17);
        steps += walk::<u16, 16>(&task, &mut random, true);
        let (mut question, mut layout) = (Question::default(), Layout::default());
        question.fill(&task, &|_| true);
        layout.fill(&question);
        sets += layout.sets().len();
    }
    assert!(steps > 20_000 && sets > 500, "{steps} {sets}");
}

/// The same task with so many values more of everything, at the top.
fn widened(task: &CountingTask, more: u16) -> CountingTask {
    let mut wide = CountingTask::default();
    for (&size, &start) in task.sizes().iter().zip(task.start()) {
        wide.add_variable(size + more, start);
    }
    for action in 0..task.n_actions() as u32 {
        let (needs, changes) = (task.needs(action), task.changes(action));
        wide.add_action(needs.iter().copied(), changes.iter().copied(), task.cost(action));
    }
    wide.set_goal(task.goal().iter().copied());
    wide
}
