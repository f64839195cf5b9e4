//! Limits are kept, what was told up to them is consistent, and a search goes on behind them.
//!
//! In:   the random tasks, tasks of switches, and a chain; stops wherever a search can be
//!       stopped, little memory, successors made a few at a time.
//! Out:  the answers and counts of one go; what is told about memory and states fits together.

use super::{Atom, Dice, How, WAYS, any_task, begin, replay, run};
use crate::budget::{Limit, Mode, SearchBudget};
use crate::forward::{Found, GroundTask, Search};
use std::cell::Cell;
use throng_domain::compile::PackedValue;

/// What a search tells belongs together: each state but the start of each search was generated,
/// and takes its bytes.
pub(super) fn check_counts(search: &Search, about: &str) {
    let n_searches = 1 + search.other().iter().count();
    let (states, bytes) = (search.n_states(), search.bytes());
    let generated = search.generated();
    assert!(generated + n_searches as u64 >= states as u64, "{about}: {generated} of {states}");
    assert!(bytes >= states * search.state_bytes(), "{about}: {states} states in {bytes} bytes");
    assert!(search.n_states_of_answer() <= states, "{about}");
    // Each state is expanded once, unless a cheaper way comes or haste began anew.
    let progress = search.progress();
    assert_eq!((progress.nodes, progress.bytes), (search.nodes(), bytes), "{about}");
    assert_eq!(progress.states, states, "{about}");
}

fn told(search: &Search) -> (u64, u64, usize) {
    (search.nodes(), search.generated(), search.n_states())
}

#[test]
fn a_search_that_is_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    let mut search = Search::default();
    let mut n_stops = 0;
    for seed in 0..1_500 {
        let task = any_task(seed);
        for (mode, how) in WAYS {
            let about = format!("seed {seed}, {mode:?}, {how:?}");
            begin(&mut search, &task, mode, how);
            let (expected, _) = run(&mut search, &task, u64::MAX);
            let whole = told(&search);
            begin(&mut search, &task, mode, how);
            let found = loop {
                // In each call the third question is answered with yes.
                let n_asked = Cell::new(0);
                let stop = || n_asked.replace(n_asked.get() + 1) >= 2;
                let found =
                    search.run(&task, &SearchBudget { stop: Some(&stop), ..SearchBudget::DEFAULT });
                check_counts(&search, &about);
                if found != Found::Limit(Limit::Stopped) {
                    break found;
                }
                n_stops += 1;
            };
            assert_eq!((found, told(&search)), (expected, whole), "{about}");
        }
    }
    assert!(n_stops > 50_000, "{n_stops} stops");
}

#[test]
fn successors_made_a_few_at_a_time_are_the_same() {
    let mut search = Search::default();
    for seed in 0..1_500 {
        let task = any_task(seed);
        let most_made = 1 + Dice::new(seed).below(3) as usize;
        // When turns and haste end depends on how many are made at a time.
        let is_even = |way: &(Mode, How)| way.1 != How::InTurns && *way != (Mode::Fast, How::Alone);
        for (mode, how) in WAYS.into_iter().filter(is_even) {
            let about = format!("seed {seed}, {mode:?}, {how:?}, {most_made} at a time");
            begin(&mut search, &task, mode, how);
            let expected = (run(&mut search, &task, u64::MAX), told(&search));
            let plan_of = |search: &mut Search, found| {
                let mut plan = Vec::new();
                if let Found::Goal(state) = found {
                    search.extract_plan(state, &mut plan);
                }
                plan
            };
            let plan = plan_of(&mut search, expected.0.0);
            for slice in [u64::MAX, 2] {
                begin(&mut search, &task, mode, how);
                search.most_made = most_made;
                let found = (run(&mut search, &task, slice), told(&search));
                assert_eq!(found, expected, "{about}, in slices of {slice}");
                assert_eq!(plan_of(&mut search, found.0.0), plan, "{about}");
            }
        }
    }
}

/// Switches that are off, and have to be on: as many states as sets of switches, but the bound
/// leads straight on.
fn switches(n_switches: u32) -> GroundTask {
    let mut task = GroundTask::default();
    for _ in 0..n_switches {
        let variable = task.add_variable(2, 0);
        let [off, on] = [0, 1].map(|value| std::iter::once(Atom { variable, value }));
        task.add_operator(off, on, 1 + u64::from(variable % 2));
    }
    task.set_goal((0..n_switches).map(|variable| Atom { variable, value: 1 }));
    task
}

#[test]
fn when_memory_ends_in_the_first_turn_the_bound_has_all_of_it() {
    let task = switches(18);
    for mode in [Mode::Shortest, Mode::Cheapest] {
        let bytes = 40_000;
        let budget = SearchBudget { bytes, ..SearchBudget::DEFAULT };
        let mut search = Search::default();
        begin(&mut search, &task, mode, How::Alone);
        assert_eq!(search.run(&task, &budget), Found::Limit(Limit::Memory), "{mode:?}, plain");
        let mut whole = None;
        for slice in [u64::MAX, 100, 1] {
            let about = format!("{mode:?}, slices of {slice}");
            search.begin(&task, mode);
            let budget = SearchBudget { nodes: slice, ..budget };
            let found = loop {
                let found = search.run(&task, &budget);
                check_counts(&search, &about);
                if found != Found::Limit(Limit::Nodes) {
                    break found;
                }
            };
            assert!(matches!(found, Found::Goal(_)), "{about}: {found:?}");
            let Found::Goal(state) = found else { return };
            assert!(search.bytes() <= bytes, "{about}: {} bytes", search.bytes());
            let mut plan = Vec::new();
            search.extract_plan(state, &mut plan);
            assert_eq!((plan.len(), replay(&task, &plan)), (18, Some(27)), "{about}");
            assert!(search.progress().depth > 0, "{about}");
            let this = (found, told(&search), plan);
            assert_eq!(*whole.get_or_insert(this.clone()), this, "{about}");
        }
        // Too little for both.
        for slice in [u64::MAX, 1] {
            search.begin(&task, mode);
            let budget = SearchBudget { bytes: 3_000, nodes: slice, ..SearchBudget::DEFAULT };
            let found = (0..1_000).map(|_| search.run(&task, &budget));
            let found = found.into_iter().find(|&found| found != Found::Limit(Limit::Nodes));
            assert_eq!(found, Some(Found::Limit(Limit::Memory)), "{mode:?}");
            // With more it goes on.
            let found = search.run(&task, &SearchBudget::DEFAULT);
            assert!(matches!(found, Found::Goal(_)), "{mode:?}: {found:?}");
        }
    }
}

#[test]
fn little_memory_is_exceeded_by_little_also_among_many_successors() {
    let task = switches(300);
    let mut search = Search::default();
    search.begin_bounded(&task, Mode::Shortest);
    // A state takes 40 bytes for its variables, 8 for its way and 32 for its price; the search that
    // has no turn takes a thousand.
    let bytes = 10_000;
    let found = search.run(&task, &SearchBudget { bytes, ..SearchBudget::DEFAULT });
    assert_eq!((found, search.nodes()), (Found::Limit(Limit::Memory), 1));
    assert!(search.bytes() < bytes + 1_500, "{} bytes", search.bytes());
}

#[test]
fn a_state_without_a_number_is_no_proof() {
    // The last state that has a number is the last but one of a chain.
    let n_states: PackedValue = 205;
    let mut task = GroundTask::default();
    let variable = task.add_variable(n_states.into(), 0);
    for value in 1..n_states {
        let [before, after] =
            [value - 1, value].map(|value| std::iter::once(Atom { variable, value }));
        task.add_operator(before, after, u64::from(value));
    }
    task.set_goal(std::iter::once(Atom { variable, value: n_states - 1 }));
    let mut search = Search::default();
    for (mode, how) in WAYS {
        if how == How::Alone && mode != Mode::Fast || how == How::Greedily {
            begin(&mut search, &task, mode, how);
            assert!(
                matches!(search.run(&task, &SearchBudget::DEFAULT), Found::Goal(204)),
                "{mode:?}"
            );
            begin(&mut search, &task, mode, how);
            search.states.be_small();
            for _ in 0..2 {
                let found = search.run(&task, &SearchBudget::DEFAULT);
                assert_eq!(found, Found::Limit(Limit::Memory), "{mode:?}");
            }
            assert_eq!(search.n_states(), 204, "{mode:?}");
        }
    }
}
