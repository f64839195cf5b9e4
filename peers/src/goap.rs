//! The Horse Breeder for the `dogoap` crate.

use dogoap::prelude::*;

type Problem = (LocalState, Vec<Action>, Goal);

pub fn horse_breeder() -> Problem {
    let start = LocalState::new()
        .with_datum("haystack", Datum::I64(0))
        .with_datum("bucket", Datum::I64(0))
        .with_datum("water", Datum::I64(0));
    let goal = Goal::new()
        .with_req("haystack", Compare::Equals(Datum::I64(2)))
        .with_req("bucket", Compare::Equals(Datum::I64(0)))
        .with_req("water", Compare::Equals(Datum::I64(2)));
    let action = |name: &str,
                  (variable, from, to): (&str, i64, i64),
                  (other, value): (&str, i64)| {
        Action::new(name)
            .with_precondition(variable, Compare::Equals(Datum::I64(from)))
            .with_precondition(other, Compare::Equals(Datum::I64(value)))
            .with_effect(
                Effect::new(name).with_mutator(Mutator::Set(variable.to_string(), Datum::I64(to))),
            )
    };
    let actions = vec![
        action("store_haystack", ("haystack", 1, 0), ("bucket", 0)),
        action("take_haystack", ("haystack", 0, 1), ("bucket", 0)),
        action("fill_feeder", ("haystack", 1, 2), ("bucket", 0)),
        action("drop_bucket", ("bucket", 1, 0), ("haystack", 0)),
        action("pick_up_bucket", ("bucket", 0, 1), ("haystack", 0)),
        action("fill_bucket", ("water", 0, 1), ("bucket", 1)),
        action("fill_trough", ("water", 1, 2), ("bucket", 1)),
    ];
    (start, actions, goal)
}

/// The names of a plan's actions.
pub fn plan(start: &LocalState, actions: &[Action], goal: &Goal) -> Option<Vec<String>> {
    let (nodes, _) = make_plan(start, actions, goal)?;
    Some(get_effects_from_plan(nodes).into_iter().map(|effect| effect.action).collect())
}
