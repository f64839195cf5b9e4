//! Steps that may change places, by trying all states.

use crate::counting::CountingTask;
use crate::counting::layout::{Form, Layout};
use crate::counting::question::Question;
use crate::counting::random::{anything, recipes};
use crate::counting::swap::swap;
use throng_base::SplitMix;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::UNKNOWN;

/// The question's task with room above the ends that are ignored.
fn roomy(question: &Question) -> CountingTask {
    let task = &question.task;
    let mut wide = CountingTask::default();
    let room = |variable: usize| if question.is_open[variable] { 40 } else { 0 };
    for (variable, (&size, &start)) in task.sizes().iter().zip(task.start()).enumerate() {
        wide.add_variable(size + room(variable), start);
    }
    for action in 0..task.n_actions() as u32 {
        let mut needs = task.needs(action).to_vec();
        for need in &mut needs {
            let variable = need.variable as usize;
            if question.is_open[variable] {
                let (first, _) = need.values.ends().unwrap();
                need.values = ValueSet::run(first, wide.sizes()[variable] - 1);
            }
        }
        let changes = task.changes(action).iter().copied();
        wide.add_action(needs.into_iter(), changes, task.cost(action));
    }
    wide
}

/// All states, those of open amounts up to twice their range.
fn states(question: &Question) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for (variable, &size) in question.task.sizes().iter().enumerate() {
        let top = if question.is_open[variable] { size + 12 } else { size };
        let is_known = question.task.start()[variable] < size;
        let values = (0..top).chain((!is_known).then_some(UNKNOWN));
        let longer = |state: &Vec<u16>| {
            let with = values.clone().map(|value| [&state[..], &[value]].concat());
            with.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn both(task: &CountingTask, state: &[u16], a: u32, b: u32) -> Option<Vec<u16>> {
    let mut state = state.to_vec();
    for action in [a, b] {
        if !task.can_run(action, &state) {
            return None;
        }
        task.run(action, &mut state);
    }
    Some(state)
}

#[test]
fn steps_change_places_exactly_where_all_states_allow_it() {
    let mut random = SplitMix::new(5);
    let (mut yes, mut no) = (0, 0);
    let (mut question, mut layout) = (Question::default(), Layout::default());
    for seed in 0..2_500 {
        for task in [anything(seed), recipes(seed)] {
            let closed = random.number() & random.number();
            question.fill(&task, &|variable| closed >> (variable % 64) & 1 == 1);
            layout.fill(&question);
            let sizes = question.task.sizes().iter().map(|&size| usize::from(size) + 12);
            if sizes.product::<usize>() > 40_000 {
                continue;
            }
            let is_lower =
                |variable: u32| matches!(layout.forms[variable as usize], Form::Lower { .. });
            let (wide, states) = (roomy(&question), states(&question));
            for _ in 0..4 {
                let n = question.task.n_actions();
                if n < 2 {
                    break;
                }
                let (a, b) = (random.below(n) as u32, random.below(n) as u32);
                let may = states.iter().all(|state| {
                    let Some(end) = both(&wide, state, a, b) else { return true };
                    let other = both(&wide, state, b, a);
                    other.is_some_and(|other| {
                        let mut pairs = (0..).zip(end.iter().zip(&other));
                        pairs.all(|(at, (x, y))| x == y || (is_lower(at) && x < y))
                    })
                });
                assert_eq!(swap(&question, &is_lower, a, b), may, "{seed} {a} {b} {question:?}");
                *if may { &mut yes } else { &mut no } += 1;
            }
        }
    }
    assert!(yes > 2_000 && no > 2_000, "{yes} {no}");
}
