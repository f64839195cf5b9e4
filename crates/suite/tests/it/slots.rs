//! Plans over slots: the same as those of the soldier with everything written out, and the same
//! for random texts and their plain twins.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::PathBuf;
use throng::expectations;
use throng::prelude::*;
use throng_domain::model::Target;
use throng_suite::random::{plain, slots_text};

fn soldier(file: &str) -> Domain {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/slots");
    Domain::from_file(folder.join(file)).unwrap_or_else(|error| panic!("{error}"))
}

/// What an answer comes to: the steps and the price.
fn told(answer: &Answer) -> (Vec<String>, Cost) {
    (answer.plan().names().map(str::to_string).collect(), answer.plan().cost())
}

#[test]
fn the_soldier_plans_as_with_all_written_out() {
    let (short, long) = (soldier("soldier.npc"), soldier("soldier_plain.npc"));
    assert_eq!(short.warnings().diagnostics().len(), 0);
    let actions = |domain: &Domain| -> Vec<String> {
        domain.model().actions().iter().map(|action| action.name().to_string()).collect()
    };
    assert_eq!(actions(&short), actions(&long));
    let mut scratch = Scratch::default();
    let tests = short.model().tests().iter().zip(long.model().tests());
    assert_eq!(tests.len(), 10);
    for (one, other) in tests {
        let one = expectations::run(&short, one, &Planner::new(), &mut scratch).unwrap();
        let other = expectations::run(&long, other, &Planner::new(), &mut scratch).unwrap();
        assert!(one.passed(), "{}: {:?}", one.name, one.failures);
        assert!(other.passed(), "{}: {:?}", other.name, other.failures);
        assert_eq!(told(&one.answer), told(&other.answer), "{}", one.name);
    }
}

#[test]
fn fixes_that_differ_in_the_slot_alone_are_told_once() {
    let domain = soldier("soldier.npc");
    let mut npc = Npc::new(&domain, "soldier").unwrap();
    npc.set("place", "elsewhere").unwrap();
    for check in ["way_to(cover.1)", "way_to(cover.2)", "way_to(cover.3)"] {
        npc.set_check(check, false).unwrap();
    }
    let goals = domain.compiled().map().find_alternatives("take_cover").unwrap().to_vec();
    let request = Request::any(goals);
    let why = Planner::new().why_not(&npc, &request, &mut Scratch::default());
    let fixes = why.fixes.unwrap();
    let about = |word: &str| fixes.list.iter().filter(|fix| fix.told.text.contains(word)).count();
    assert_eq!(about("the check `way_to(cover."), 1, "{:?}", fixes.list);
}

#[test]
fn random_texts_plan_as_their_plain_twins() {
    let mut compared = 0;
    for seed in 0..400 {
        let text = slots_text(seed);
        let Ok(twin) = plain(&text) else { continue };
        let [one, other] = [text, twin].map(|text| Domain::from_text(&text).unwrap());
        let mut scratch = Scratch::default();
        for goal in one.model().goals() {
            let answers = [&one, &other].map(|domain| {
                let mut npc = Npc::of_type(domain, domain.npc_type("slots").unwrap()).unwrap();
                let variables = domain.model().variables();
                for (at, variable) in variables.iter().enumerate() {
                    // What is lacking, and whether that is there, is another thing each time.
                    let is_need =
                        ["lacks", "ready"].iter().any(|it| variable.name().starts_with(it));
                    let first =
                        if is_need { (seed as usize + at) % variable.values().len() } else { 0 };
                    npc.set(variable.name(), &variable.values()[first]).unwrap();
                }
                let goal = domain.goal(goal.name()).unwrap();
                let request = Request::new(Target::Goal(goal));
                told(&Planner::new().plan(&npc, &request, &mut scratch))
            });
            assert_eq!(answers[0], answers[1], "{seed}: {}", goal.name());
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}
