//! The oracle: cheapest and shortest plans by exhaustive search, straight on the model.
//!
//! In:   a model and a question in present names.
//! Out:  the least cost, the least number of steps, or the certainty that there is no plan.
//! Cost: every reachable state, each a vector in a hash table; for small domains only.
//!
//! Deliberately plain, and a stranger to `throng-check` (of which it takes the type of the
//! question only) and to every planner: names, enabled actions and successors are found by
//! [`WhatIf`] in its own way, so that agreement between the three means something.

use crate::what_if::{Silent, WhatIf};
use throng_check::Question;
use throng_domain::Model;
use throng_domain::model::Action;

/// The least cost of a plan, in thousandths; `None` if there is no plan.
///
/// # Errors
///
/// If a name is unknown, or more than `max_states` different states are met.
pub fn cheapest(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<u64>, Silent> {
    cheapest_by(model, question, max_states, &|action| action.cost().0)
}

/// The same if actions cost what `price` says.
///
/// # Errors
///
/// As [`cheapest`].
pub fn cheapest_by(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
    price: &dyn Fn(&Action) -> u64,
) -> Result<Option<u64>, Silent> {
    let price = |deed: usize| price(&model.actions()[deed]);
    let found = WhatIf::of(model, question)?.search(None, max_states, price)?;
    Ok(found.map(|(cost, _)| cost))
}

/// A plan of least cost, as names; `None` if there is no plan.
///
/// # Errors
///
/// As [`cheapest`].
pub fn cheapest_plan(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<Vec<String>>, Silent> {
    let price = |deed: usize| model.actions()[deed].cost().0;
    let found = WhatIf::of(model, question)?.search(None, max_states, price)?;
    let name = |deed: usize| model.actions()[deed].name().to_string();
    Ok(found.map(|(_, plan)| plan.into_iter().map(name).collect()))
}

/// The least number of steps of a plan; `None` if there is no plan.
///
/// # Errors
///
/// As [`cheapest`].
pub fn shortest(
    model: &Model,
    question: &Question<'_>,
    max_states: usize,
) -> Result<Option<usize>, Silent> {
    let found = WhatIf::of(model, question)?.search(None, max_states, |_| 1)?;
    Ok(found.map(|(_, plan)| plan.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use crate::random::{Told, pairs_of};
    use throng_check::{CheckContext, Verdict, Wanted, replay};
    use throng_domain::Cost;
    use throng_domain::model::{Expect, Target, Test};
    use throng_lab::corpus;

    fn pairs(facts: &str) -> Vec<(String, String)> {
        let split = |fact: &str| fact.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
        facts.split_whitespace().filter_map(split).collect()
    }

    fn model_of(path: &str) -> Model {
        corpus::read(&corpus::folder().join(path)).unwrap().model.unwrap()
    }

    /// Asks the horse breeder of the first table; every action costs 1.
    fn check(from: &str, to: &str, expected: Option<usize>) {
        let model = model_of("papers/horse_breeder_000.npc");
        let (from, to) = (pairs(from), pairs(to));
        let context = CheckContext::Without(&[]);
        let question =
            Question { npc: "horse_breeder", from: &from, to: &to, context, ..Question::default() };
        assert_eq!(shortest(&model, &question, 100), Ok(expected), "{from:?} {to:?}");
        let cost = expected.map(|steps| 1000 * steps as u64);
        assert_eq!(cheapest(&model, &question, 100), Ok(cost), "{from:?} {to:?}");
    }

    const FED: &str = "haystack=in_feeder bucket=on_floor water=in_trough";

    #[test]
    fn the_horses_are_fed_in_six_steps() {
        check("", FED, Some(6));
        check("bucket=in_hands", FED, Some(5));
    }

    #[test]
    fn hay_in_the_hands_costs_a_seventh_step() {
        check("haystack=in_hands", FED, Some(7));
    }

    #[test]
    fn a_full_feeder_leaves_no_way_to_the_trough() {
        check("haystack=in_feeder", FED, None);
        check("haystack=in_hands bucket=in_hands", FED, None);
    }

    #[test]
    fn what_already_holds_needs_no_step() {
        check("haystack=in_feeder water=in_trough", FED, Some(0));
    }

    #[test]
    fn too_many_states_and_unknown_names_are_said() {
        let model = model_of("papers/horse_breeder_000.npc");
        let to = pairs(FED);
        let context = CheckContext::Without(&[]);
        let question =
            Question { npc: "horse_breeder", from: &[], to: &to, context, ..Question::default() };
        assert_eq!(shortest(&model, &question, 3), Err(Silent::TooManyStates));
        assert_eq!(cheapest(&model, &question, 3), Err(Silent::TooManyStates));
        let nobody = Question { npc: "nobody", ..question };
        assert_eq!(cheapest(&model, &nobody, 3), Err(Silent::UnknownName("nobody".to_string())));
    }

    /// Takes random steps until one fails; the replay must stumble over the same one.
    fn stumbles_alike(seed: u64) {
        let instance = random::instance(seed);
        let (model, question) = (instance.load().model.unwrap(), instance.question());
        let world = WhatIf::of(&model, &question).unwrap();
        let there = world.there();
        let mut dice = throng_base::SplitMix::new(seed);
        let (mut state, mut plan, mut cost) = (world.start.clone(), Vec::new(), 0);
        let mut failed = None;
        for step in 1..=dice.within(0, 8) {
            // Mostly something that works, so that the walk is longer than a step.
            let works = |deed: &usize| there.contains(deed) && world.after(*deed, &state).is_some();
            let all = 0..model.actions().len();
            let some: Vec<usize> = all.filter(|deed| dice.percent(30) || works(deed)).collect();
            let Some(&deed) = some.get(dice.below(some.len())) else { break };
            plan.push(model.actions()[deed].name());
            if !works(&deed) {
                failed = Some(step);
                break;
            }
            (state, cost) = (world.after(deed, &state).unwrap(), cost + world.deeds[deed].cost);
        }
        match replay(&model, &question, &plan).unwrap() {
            Verdict::Invalid(failure) => {
                assert_eq!(failure.step, failed, "{seed}: {plan:?} {failure}");
                assert!(failed.is_some() || !world.is_goal(&state), "{seed}: {failure}");
            }
            Verdict::Valid { cost: judged } => {
                assert_eq!((judged, failed), (Cost(cost), None), "{seed}: {plan:?}");
                assert!(world.is_goal(&state), "{seed}: {plan:?}");
            }
        }
    }

    #[test]
    fn the_replay_stumbles_where_the_oracle_does() {
        (0..5_000).for_each(stumbles_alike);
    }

    /// What a test of the corpus asks, answered by the oracle and judged by the replay.
    fn holds(model: &Model, test: &Test) -> bool {
        let from = pairs_of(model, test.from());
        let wants = match test.ask() {
            Target::Goal(goal) => Wanted::of(model, model.goals()[goal.index()].conditions()),
            Target::Conditions(wants) => Wanted::of(model, wants.conditions()),
            Target::Best | Target::Any(_) => return true,
        };
        let told = Told::of(model, test.context());
        let npc = model.npcs()[test.npc().index()].name();
        let question = Question {
            npc,
            from: &from,
            wants: &wants,
            context: told.context(),
            ..Question::default()
        };
        // A domain too large for the oracle is another test's business.
        let Ok(cost) = cheapest(model, &question, 200_000) else { return true };
        if let Ok(Some(plan)) = cheapest_plan(model, &question, 200_000) {
            let judged = replay(model, &question, &plan).unwrap();
            assert_eq!(Some(judged), cost.map(|cost| Verdict::Valid { cost: Cost(cost) }));
        }
        test.expects().iter().all(|(expect, _)| match expect {
            Expect::Cost(expected) => cost == Some(expected.0),
            Expect::Impossible => cost.is_none(),
            Expect::Satisfied => cost == Some(0),
            Expect::Length(_) | Expect::Plan(_) | Expect::Never(_) => cost.is_some(),
        })
    }

    #[test]
    fn the_tests_of_the_corpus_hold() {
        let folders = ["papers", "fear", "strategy", "beyond"];
        for path in folders.iter().flat_map(|folder| corpus::files(folder, "npc").unwrap()) {
            let model = corpus::read(&path).unwrap().model.unwrap();
            for test in model.tests() {
                assert!(holds(&model, test), "{}: {}", path.display(), test.name());
            }
        }
    }
}
