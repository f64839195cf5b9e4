//! The boxes, read from their text and solved by the text-file planner: the figures that are
//! known of them, and the twins without a plan.

use throng_lab::families::boxes::{Boxes, Figures, Kind};
use throng_lab::seed::{self, Answer, KEEPS, Keep, Silent, Tuples, plain};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan};
use throng_pddl::read::{self, Text, read_task};
use throng_pddl::validate::validate;
use throng_planner::SearchBudget;
use throng_planner::forward::Found;

fn task(member: &Boxes) -> Lifted {
    let problem = member.pddl_problem();
    let domain = Text { name: "domain.pddl", text: Boxes::pddl_domain() };
    let problem = Text { name: "problem.pddl", text: &problem };
    let reading = read_task(domain, problem, &read::Limits::default());
    assert!(reading.report.diagnostics().is_empty(), "{:?}", reading.report);
    reading.task.unwrap()
}

fn solved(member: &Boxes, keep: Keep, tuples: Tuples) -> Answer {
    let task = task(member);
    let answer = seed::solve(&task, keep, tuples, &SearchBudget::DEFAULT, &mut Silent).unwrap();
    let lines: Vec<String> = answer
        .plan
        .iter()
        .map(|(action, arguments)| PlanStep::of(&task, *action, arguments).to_string())
        .collect();
    match member.plan_length() {
        Some(length) => {
            assert_eq!(answer.plan.len() as u64, length, "{}", member.name());
            let plan = read_plan(&lines.join("\n")).unwrap();
            assert!(validate(&task, &plan).is_valid(), "{}: {lines:?}", member.name());
        }
        None => assert_eq!(answer.found, Found::Nothing, "{}", member.name()),
    }
    answer
}

#[test]
fn scaling_has_the_figures_of_the_family() {
    for n in [1, 2, 3, 10, 300] {
        let member = Boxes::new(Kind::Scaling, n);
        for keep in KEEPS {
            let answer = solved(&member, keep, Tuples::Counted);
            let Answer { expanded, generated, states, .. } = answer;
            let figures = Figures { expanded, distinct: states as u64, generated };
            assert_eq!(Some(figures), member.figures(), "{n} {keep:?}");
        }
    }
    let plain = plain::solve(&task(&Boxes::new(Kind::Scaling, 10)), 1000).unwrap();
    assert_eq!((plain.states, plain.plan.map(|plan| plan.len())), (32, Some(3)));
}

#[test]
fn competition_has_the_plan_and_the_states_of_the_family() {
    for n in 1..=8 {
        let member = Boxes::new(Kind::Competition, n);
        let answer = solved(&member, Keep::Combined, Tuples::Joined);
        let all = member.reachable().unwrap();
        assert_eq!(all, u128::from(n + 2) << n);
        assert!(answer.states as u128 <= all);
        // Only the twin meets every state; it is refuted by having met them.
        let twin = solved(&member.twin(), Keep::Bits, Tuples::Joined);
        assert_eq!((twin.states as u128, twin.expanded as u128), (all, all), "{n} boxes");
    }
}

#[test]
fn more_places_and_creatures_keep_what_is_known() {
    for kind in [Kind::Scaling, Kind::Competition] {
        for (boxes, places, creatures) in [(1, 5, 1), (2, 3, 2), (3, 2, 2), (2, 2, 4), (4, 3, 1)] {
            let member = Boxes { kind, boxes, places, creatures, unsolvable: false };
            let counted = solved(&member, Keep::Arrays, Tuples::Counted);
            let joined = solved(&member, Keep::Arrays, Tuples::Joined);
            assert_eq!(counted, joined, "{}", member.name());
            let twin = solved(&member.twin(), Keep::Arrays, Tuples::Joined);
            assert_eq!(twin.states as u128, member.reachable().unwrap(), "{}", member.name());
        }
    }
}

#[test]
fn states_are_as_small_as_the_seed_says() {
    // Up to 256 atoms: a byte for each that holds, here N boxes and the creature, one more if a
    // box is held; as bits, four atoms a box.
    let member = Boxes::new(Kind::Competition, 8).twin();
    let array = solved(&member, Keep::Arrays, Tuples::Joined);
    let per_state = |bytes: usize| bytes as f64 / array.states as f64;
    assert!(per_state(array.bytes.rows) <= 10.0, "{:?}", array.bytes);
    let bits = solved(&member, Keep::Bits, Tuples::Joined);
    assert_eq!(bits.states, array.states);
    assert!(per_state(bits.bytes.rows) <= 4.0, "{:?}", bits.bytes);
    let plain = plain::solve(&task(&member), 10_000).unwrap();
    assert_eq!(plain.states, array.states as u64);
    assert!(plain.bytes > 50 * array.bytes.rows as u64, "{} {:?}", plain.bytes, array.bytes);
}
