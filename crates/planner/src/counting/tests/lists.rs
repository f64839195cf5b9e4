//! Demand lists beside the oracle, from every state of small tasks.

use super::seeds;
use crate::counting::oracle::{Truth, after, truth_from};
use crate::counting::random::{anything, recipes};
use crate::counting::samples::sample;
use crate::counting::{CountingTask, DemandList, ListLimit, ListLimits};
use throng_base::SplitMix;
use throng_domain::compile::UNKNOWN;

/// All states, with every value unknown too; or some of them if there are many.
fn states(task: &CountingTask, random: &mut SplitMix, most: usize) -> Vec<Vec<u16>> {
    let n: usize = task.sizes().iter().map(|&size| usize::from(size) + 1).product();
    let one = |mut number: usize| {
        let values = task.sizes().iter().map(|&size| {
            let value = (number % (usize::from(size) + 1)) as u16;
            number /= usize::from(size) + 1;
            if value < size { value } else { UNKNOWN }
        });
        values.collect()
    };
    match n <= most {
        true => (0..n).map(one).collect(),
        false => (0..most).map(|_| random.below(n)).map(one).collect(),
    }
}

/// Compares a look-up with the truth, and follows the first steps to the goal.
fn check(task: &CountingTask, list: &DemandList, start: &[u16], name: &str) -> bool {
    let truth = truth_from(task, start, 40_000);
    let found = list.find(start);
    match truth {
        Truth::TooLarge => return false,
        Truth::Impossible => assert_eq!(found, None, "{name} {start:?}"),
        Truth::Cost(cost) => {
            assert_eq!(found.map(|(cost, _)| cost), Some(cost), "{name} {start:?} {task:?}");
        }
    }
    // Whatever begins a cheapest plan is known to.
    for action in (0..task.n_actions() as u32).filter(|_| matches!(truth, Truth::Cost(1..))) {
        let next = after(task, action, start).and_then(|next| list.find(&next));
        let is_first = next.map(|(rest, _)| rest + task.cost(action)) == found.map(|it| it.0);
        assert!(!is_first || list.may_begin(action), "{name} {action} in {start:?} {task:?}");
    }
    let mut state = start.to_vec();
    while let Some((cost, Some(action))) = list.find(&state) {
        state = after(task, action, &state).unwrap();
        let rest = list.find(&state).map(|(rest, _)| rest + task.cost(action));
        assert_eq!(rest, Some(cost), "{name} {start:?}");
    }
    assert_eq!(task.is_goal(&state), found.is_some(), "{name} {start:?}");
    true
}

#[test]
fn lists_are_right_for_every_state() {
    let mut random = SplitMix::new(21);
    let (mut lists, mut checked, mut possible, mut unused) = (0, 0, 0, 0);
    for seed in 0..seeds(220) {
        for (style, task) in [("anything", anything(seed)), ("recipes", recipes(seed))] {
            let Some(list) = DemandList::build(&task, 600) else { continue };
            lists += 1;
            unused += (0..task.n_actions() as u32).filter(|&it| !list.may_begin(it)).count();
            for state in states(&task, &mut random, 400) {
                checked += u32::from(check(&task, &list, &state, &format!("{style} {seed}")));
                possible += u32::from(list.find(&state).is_some());
            }
        }
    }
    assert!(lists > 250 && checked > 10_000 && possible > 2_000, "{lists} {checked} {possible}");
    assert!(unused > 100, "{unused}");
}

/// What the design saw of the samples, and a few starts of them.
#[test]
fn lists_of_the_samples_are_short() {
    let mut random = SplitMix::new(22);
    for (name, most) in [("hpmp", 40), ("truck", 4_096), ("sims_no", 4_096)] {
        let task = sample(name);
        let list = DemandList::build(&task, most).unwrap_or_else(|| panic!("{name}: too long"));
        assert!(!list.is_empty() && list.len() <= most && list.bytes() > 0, "{name}");
        for state in states(&task, &mut random, 40) {
            check(&task, &list, &state, name);
        }
    }
    assert!(DemandList::build(&sample("economy"), 50).is_none());
}

#[test]
fn a_list_takes_no_more_work_than_it_may_and_has_a_plan_for_every_entry() {
    let task = sample("truck");
    let limits = |work: u64| ListLimits { entries: 4_096, work };
    let (list, all) = DemandList::build_within(&task, limits(u64::MAX));
    let list = list.unwrap_or_else(|why| panic!("{why:?}"));
    for work in [0, 1, 2, 3, 10, 97, 1_000, all - 1] {
        let (short, seen) = DemandList::build_within(&task, limits(work));
        assert_eq!((short.err(), seen), (Some(ListLimit::Work), work));
    }
    let (again, seen) = DemandList::build_within(&task, limits(all));
    assert_eq!((again.map(|again| again.len()).ok(), seen), (Some(list.len()), all));
    let few = ListLimits { entries: list.len() - 1, work: u64::MAX };
    assert_eq!(DemandList::build_within(&task, few).0.err(), Some(ListLimit::TooLong));
    let mut random = SplitMix::new(23);
    for state in states(&task, &mut random, 400) {
        let Some(entry) = list.entry(&state) else { continue };
        let (mut then, mut cost) = (state, 0);
        for action in list.plan(entry) {
            then = after(&task, action, &then).unwrap();
            cost += task.cost(action);
        }
        assert!(task.is_goal(&then) && cost == list.cost(entry));
    }
}
