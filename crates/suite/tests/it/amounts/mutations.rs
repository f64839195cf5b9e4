//! Plans with a step dropped, doubled, swapped or exchanged: the replay, the oracle and the
//! interpreter of the text say the same of each.

use super::case::{Case, limited, prices};
use super::{Tally, domains, note};
use throng::Target;
use throng::check::{CheckContext, Question, Verdict, replay};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_suite::what_if::WhatIf;

/// Judges a list of actions thrice.
fn judge(case: &Case, goal: usize, plan: &[usize], tally: &mut Tally) {
    let model = case.model();
    let target = case.goal(goal);
    let wants = case.alternatives(&target).swap_remove(0);
    let ((from, unknown), failing) = (case.from(), case.failing());
    let context = CheckContext::Without(&failing);
    let question =
        Question { npc: "n", from: &from, unknown: &unknown, to: &[], wants: &wants, context };
    let names: Vec<&str> = plan.iter().map(|&at| model.actions()[at].name()).collect();
    let place = || format!("g{goal}, {names:?}: {}", case.place());
    let verdict = replay(model, &question, &names).unwrap();
    let price = WhatIf::of(model, &question).unwrap().price(plan);
    let judged = match &verdict {
        Verdict::Valid { cost } => Some(cost.0),
        Verdict::Invalid(_) => None,
    };
    assert_eq!(judged, price, "{verdict:?}: {}", place());
    note(tally, "judged", true);
    note(tally, "valid", price.is_some());
    // As the text says it, whatever is there.
    let deeds = names.iter().map(|name| case.stated.deed(name).unwrap());
    let end = deeds
        .into_iter()
        .try_fold(case.start.clone(), |state, deed| case.stated.after_deed(&deed, &state));
    if let Verdict::Invalid(failure) = &verdict {
        let words = failure.why.to_string();
        note(tally, "leaves the range", words.contains("would make"));
        note(tally, "needs other amounts", words.contains("needs") && words.contains("; it is"));
        let is_there = !["is there only", "overrides", "cannot do it", "kinds"]
            .iter()
            .any(|why| words.contains(why));
        let runs = failure.step.is_none();
        assert!(!is_there || end.is_some() == runs, "{failure}: {}", place());
    } else {
        assert!(end.is_some(), "{}", place());
    }
}

#[test]
fn a_plan_with_one_slip_is_judged_alike_by_all() {
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    for seed in 0..domains(2_500) {
        let Some(case) = Case::of(seed, &mut tally) else { continue };
        let npc = case.npc();
        let mut dice = SplitMix::new(seed ^ 0x0517);
        let goal = dice.below(case.stated.goals.len());
        let target @ Target::Goal(_) = case.goal(goal) else { continue };
        let answer = Planner::new().plan(&npc, &limited(target), &mut scratch);
        note(&mut tally, "gave up", matches!(answer.outcome(), Outcome::GaveUp(_)));
        let plan: Vec<usize> = answer.plan().actions().iter().map(|id| id.index()).collect();
        assert_eq!(prices(&npc).len(), case.model().actions().len());
        judge(&case, goal, &plan, &mut tally);
        for _ in 0..4 {
            let mut slip = plan.clone();
            let (a, b) = (dice.below(plan.len().max(1)), dice.below(plan.len().max(1)));
            let other = dice.below(case.model().actions().len());
            match dice.below(5) {
                0 if !slip.is_empty() => _ = slip.remove(a),
                1 if !slip.is_empty() => slip.insert(a, slip[a]),
                2 if !slip.is_empty() => slip.swap(a, b),
                3 if !slip.is_empty() => slip[a] = other,
                _ => slip.insert(a.min(slip.len()), other),
            }
            judge(&case, goal, &slip, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally["gave up"] * 100 <= tally["domains"], "{tally:?}");
    for what in ["valid", "leaves the range", "needs other amounts"] {
        assert!(tally[what] * 50 > tally["judged"], "{what}: {tally:?}");
    }
}
