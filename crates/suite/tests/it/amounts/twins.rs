//! The same domain written otherwise has the same answers.

use super::case::{Case, limited, load, npc};
use super::{Tally, domains, note};
use throng::Target;
use throng::check::{CheckContext, Question, Verdict, Wanted, replay};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_suite::random::stated::Stated;

/// The cost of a goal, `None` if it is impossible, and the plan; nothing if the planner gave up.
fn cost(npc: &Npc, target: Target, scratch: &mut Scratch) -> Option<(Option<u64>, Vec<String>)> {
    let answer = Planner::new().plan(npc, &limited(target), scratch);
    let cost = answer.is_solved().then(|| answer.plan().cost().0);
    let has_given_up = matches!(answer.outcome(), Outcome::GaveUp(_));
    (!has_given_up).then(|| (cost, answer.plan().names().map(str::to_string).collect()))
}

/// Asks a twin for all goals; its values stand where those of the domain do.
fn same(case: &Case, what: &'static str, twin: &Stated, scratch: &mut Scratch, tally: &mut Tally) {
    let Some(domain) = load(&twin.text(), case.seed, tally) else { return };
    let (one, other) = (case.npc(), npc(&domain, twin, &case.start, &case.answers));
    for at in 0..case.stated.goals.len() {
        let target = domain.goal_target(&format!("g{at}")).unwrap();
        let both = cost(&one, case.goal(at), scratch).zip(cost(&other, target, scratch));
        note(tally, "asked", true);
        note(tally, "gave up", both.is_none());
        let Some((expected, found)) = both else { continue };
        let place = || format!("{what}, g{at}: {}\n{}", case.place(), twin.text());
        assert_eq!(found.0, expected.0, "{:?} beside {:?}, {}", found.1, expected.1, place());
        note(tally, what, true);
        note(tally, "plans", expected.0 > Some(0));
    }
}

/// A wider range adds plans and takes none; one that stays where the range was is a plan there.
fn wider(case: &Case, scratch: &mut Scratch, tally: &mut Tally) {
    // Parts that are one change may be none in a wider range.
    if case.stated.compound.is_some() {
        return;
    }
    let twin = case.stated.widened(2);
    let Some(domain) = load(&twin.text(), case.seed, tally) else { return };
    let mut other = Npc::new(&domain, "n").unwrap();
    let (from, unknown) = case.from();
    unknown.iter().for_each(|name| other.forget(name).unwrap());
    from.iter().for_each(|(name, value)| other.set(name, value).unwrap());
    let failing = case.failing();
    failing.iter().for_each(|check| other.set_check(check, false).unwrap());
    for at in 0..case.stated.goals.len() {
        let target = domain.goal_target(&format!("g{at}")).unwrap();
        let both = cost(&case.npc(), case.goal(at), scratch).zip(cost(&other, target, scratch));
        note(tally, "asked", true);
        note(tally, "gave up", both.is_none());
        let Some(((narrow, _), (wide, plan))) = both else { continue };
        let place = || format!("wider, g{at}: {plan:?} {}\n{}", case.place(), twin.text());
        assert!(narrow.is_none() || wide.is_some_and(|wide| Some(wide) <= narrow), "{}", place());
        let judged = |wants: &Vec<Wanted>| {
            let context = CheckContext::Without(&failing);
            let question =
                Question { npc: "n", from: &from, unknown: &unknown, to: &[], wants, context };
            replay(case.model(), &question, &plan).unwrap()
        };
        let alternatives = case.alternatives(&case.goal(at));
        let fits = alternatives.iter().any(|it| matches!(judged(it), Verdict::Valid { .. }));
        if wide.is_some() && fits {
            assert_eq!(wide, narrow, "{}", place());
        }
        note(tally, "wider", wide.is_some());
        note(tally, "wider is cheaper", wide.is_some() && wide != narrow);
    }
}

#[test]
fn twins_have_the_same_answers() {
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    for seed in 0..domains(2_000) {
        let Some(case) = Case::of(seed, &mut tally) else { continue };
        let mut dice = SplitMix::new(seed ^ 0x7715);
        let by = *dice.pick(&[-7, -1, 3, 1000]);
        let permuted = case.stated.permuted(&mut dice);
        for (what, twin) in [
            ("listed", case.stated.listed()),
            ("raised", case.stated.raised(by)),
            ("worded", case.stated.worded()),
            ("permuted", Some(permuted)),
        ] {
            if let Some(twin) = twin {
                same(&case, what, &twin, &mut scratch, &mut tally);
            }
        }
        wider(&case, &mut scratch, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally["gave up"] * 100 <= tally["asked"], "{tally:?}");
    for what in ["listed", "raised", "worded", "permuted", "wider", "wider is cheaper"] {
        assert!(tally.get(what).is_some_and(|&seen| seen > 40), "{what}: {tally:?}");
    }
}
