//! Promises about several and about all: what keeps each, what breaks it, and who is named then.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::story_promises::{Court, is_broken};
use throng_mind::body::Ending;
use throng_mind::events::{Activity, EventKind};
use throng_mind::words::Word;
use throng_world::cell::Cell;
use throng_world::story::incident::Incident;
use throng_world::story::promise::Verdict;

const KEPT: Verdict = Verdict::Kept(100);

fn started(court: &Court, run: u32, name: &str) -> EventKind {
    let doing = Activity::Step(court.action(name));
    EventKind::Started { run, doing, kind: None }
}

fn ended(court: &Court, run: u32, name: &str, how: Ending) -> EventKind {
    let doing = Activity::Step(court.action(name));
    EventKind::Ended { run, doing, how }
}

#[test]
fn one_of_a_side_is_enough_for_some_and_each_is_needed_for_all() {
    // The first does it, the other never does.
    for (promise, broken) in [
        ("some red does shoot", None),
        ("side red does shoot", Some("`other`: `shoot` was not done")),
        ("everybody does shoot", Some("`other`: `shoot` was not done")),
        ("nobody of red does shoot", Some("`soldier` did, or is so")),
        ("some red does go", Some("none of them: `soldier`: `go` was not done; `other`: `go` was")),
        ("nobody of red does go", None),
    ] {
        let mut court = Court::of(promise);
        let done = court.done("shoot");
        let verdict = court.at(7, &[done]).end();
        match broken {
            None => assert!(matches!(verdict, Verdict::Kept(_)), "{promise}: {verdict:?}"),
            Some(part) => {
                let Verdict::Broken(_, why) = &verdict else { panic!("{promise}: {verdict:?}") };
                assert!(why.contains(part), "{promise}: {why}");
            }
        }
    }
    let mut court = Court::of("side red is alive");
    court.at(4, &[]).moment.dead.insert(1);
    is_broken(&court.end(), 5, "`other`: it died");
    assert_eq!(Court::of("side red is alive").end(), KEPT);
    let mut court = Court::of("some red is dead by 3");
    court.at(4, &[]).moment.dead.insert(1);
    assert_eq!(court.end(), Verdict::Kept(5));
}

#[test]
fn one_of_a_side_is_one_and_no_other() {
    let mut court = Court::of("one of red does shoot");
    let done = court.done("shoot");
    assert_eq!(court.at(7, &[done]).verdict(), Verdict::Open, "another may still do it");
    assert_eq!(court.end(), Verdict::Kept(7));
    let mut court = Court::of("one of red does shoot");
    is_broken(&court.at(7, &[done]).by(9, 1, done).verdict(), 9, "`soldier` and `other` both");
    is_broken(&Court::of("one of red does shoot").end(), 100, "none of them");
}

#[test]
fn what_must_never_be_may_be_said_up_to_a_moment() {
    let mut court = Court::of("gate never = open until 3");
    assert_eq!(court.at(30, &[]).verdict(), Verdict::Kept(30));
    let mut court = Court::of("gate never = open");
    court.at(4, &[]).moment.state = "open".to_string();
    is_broken(&court.end(), 5, "it was");
    // Of one without a mind too.
    let mut court = Court::of("player never at wall");
    court.at(4, &[]).moment.at.insert((2, "wall".to_string()));
    is_broken(&court.end(), 5, "it was there");
    let mut court = Court::of("soldier never does shoot until 3");
    let done = court.done("shoot");
    assert_eq!(court.at(40, &[done]).verdict(), Verdict::Kept(30), "he did it afterwards");
    for (promise, part) in [
        ("soldier never does shoot by 3", "write `until` for `by`"),
        ("soldier does shoot until 3", "write `by`"),
        ("gate never open", "`gate never = open`"),
        ("soldier never shoot", "`does`, `plans`, `starts` or `at`"),
    ] {
        let told = Court::refused(promise).join("\n");
        assert!(told.contains(part), "{promise}: {told}");
    }
}

#[test]
fn somebody_has_an_item_or_a_weapon() {
    let more = "thing key at p: item\nactor armed at s: npc Soldier side red weapon pistol\n";
    let mut court = Court::with(more, "soldier has key by 3");
    court.at(4, &[]).moment.at.insert((0, "key".to_string()));
    assert_eq!(court.end(), Verdict::Kept(5));
    is_broken(&Court::with(more, "armed has pistol").end(), 100, "it has not");
    assert!(Court::refused("soldier has key").join("\n").contains("unknown item or weapon"));
}

#[test]
fn nobody_idles_while_it_knows_something() {
    let mut court = Court::of("nobody idle for 0.5 while noise(age < 3)");
    court.moment.resting.insert(1);
    assert_eq!(court.at(30, &[]).verdict(), Verdict::Open, "who knows nothing may rest");
    court.moment.kinds.insert((1, "noise".to_string()));
    court.at(34, &[]).moment.resting.clear();
    court.at(35, &[]).moment.resting.insert(1);
    is_broken(
        &court.at(60, &[]).verdict(),
        40,
        "`other` has had nothing to do for 0.5 s and knows a `noise`",
    );
    let mut court = Court::of("nobody idle for 0.5 while noise");
    court.moment.kinds.insert((1, "noise".to_string()));
    assert_eq!(court.end(), KEPT, "who is busy does not idle");
}

#[test]
fn what_is_done_for_a_goal_that_counts_as_idling_is_idling() {
    let knowing = |promise: &str, wants: &str| {
        let mut court = Court::of(promise);
        court.moment.kinds.insert((0, "noise".to_string()));
        court.moment.wants = Some(court.goal(wants).index() as u32);
        court.end()
    };
    let counting = "nobody idle for 0.5 while noise counting rest";
    is_broken(
        &knowing(counting, "rest"),
        5,
        "`soldier` has had nothing better to do than `rest` for 0.5 s and knows a `noise`",
    );
    assert_eq!(knowing(counting, "fight"), KEPT, "what does not count is something to do");
    assert_eq!(knowing("nobody idle for 0.5 while noise", "rest"), KEPT);
}

#[test]
fn whoever_kills_wants_something_soon() {
    let promise = "after a kill the killer wants rest within 0.3";
    let died = |by| Incident::Died { whom: 2, harm: Word::NONE, by };
    let mut court = Court::of(promise);
    court.at(4, &[]).moment.incidents = vec![died(Some(0))];
    court.at(5, &[]).moment.incidents.clear();
    is_broken(&court.end(), 8, "`soldier` did not, after the kill of `player` at 0.5 s");
    let mut court = Court::of(promise);
    court.at(4, &[]).moment.incidents = vec![died(Some(0))];
    court.at(5, &[]).moment.incidents.clear();
    court.at(7, &[]).moment.wants = Some(1);
    assert_eq!(court.end(), KEPT);
    // A player owes nothing, and who is dead owes nothing any more.
    let mut court = Court::of(promise);
    court.at(4, &[]).moment.incidents = vec![died(Some(2)), died(None), died(Some(0))];
    court.at(5, &[]).moment.incidents.clear();
    court.moment.dead.insert(0);
    assert_eq!(court.end(), KEPT);
}

#[test]
fn those_who_see_one_of_their_own_dead_want_something_soon() {
    let promise = "after a death of red those who see it want rest within 0.5";
    let mut court = Court::of(promise);
    court.moment.dead.insert(1);
    assert_eq!(court.at(30, &[]).verdict(), Verdict::Open, "nobody has seen it");
    court.moment.seen_dead.insert(1);
    is_broken(&court.end(), 36, "`soldier` did not, after the death of `other` at 3.1 s");
    let mut court = Court::of(promise);
    court.moment.dead.insert(1);
    court.moment.seen_dead.insert(1);
    court.at(3, &[]).moment.wants = Some(1);
    court.at(5, &[]).moment.wants = None;
    assert_eq!(court.end(), KEPT, "once is enough");
}

#[test]
fn who_gives_up_at_once_what_he_began_twitches() {
    let promise = "nobody twitches";
    let mut court = Court::of(promise);
    let (begun, given_up) =
        (started(&court, 1, "shoot"), ended(&court, 1, "shoot", Ending::Cancelled));
    court.at(5, &[begun]).at(6, &[given_up]);
    is_broken(&court.verdict(), 6, "`soldier` began `shoot` at 0.5 s and gave it up");
    // It lasted, was done, or something came between: an urgent goal, harm, a death.
    let done = ended(&court, 1, "shoot", Ending::Done);
    let urgent = EventKind::Goal(Some(court.goal("rest")));
    let hurt = Incident::Hurt { whom: 0, amount: 5, left: 3, harm: Word::NONE, by: None };
    let died = Incident::Died { whom: 2, harm: Word::NONE, by: None };
    for (events, incident, at) in [
        (vec![given_up], None, 8),
        (vec![done], None, 6),
        (vec![urgent, given_up], None, 6),
        (vec![given_up], Some(hurt), 6),
        (vec![given_up], Some(died), 6),
    ] {
        let mut court = Court::of(promise);
        court.at(5, &[begun]).moment.incidents = incident.into_iter().collect();
        court.at(at, &events);
        assert_eq!(court.end(), KEPT, "{events:?}");
    }
}

#[test]
fn every_death_has_a_cause_or_the_promise_is_broken() {
    let promise = "every death has a cause";
    let mut court = Court::of(promise);
    court.at(4, &[]).moment.dead.insert(2);
    court.moment.incidents = vec![Incident::Died { whom: 2, harm: Word::NONE, by: None }];
    court.at(5, &[]).moment.incidents.clear();
    assert_eq!(court.end(), KEPT, "the script is a cause");
    let mut court = Court::of(promise);
    court.at(4, &[]).moment.dead.insert(2);
    is_broken(&court.end(), 5, "nobody knows of what `player` died");
}

#[test]
fn grenades_of_a_side_are_counted_in_their_time() {
    let thrown = |by| Incident::Thrown { by: Some(by), to: Cell::new(1, 1) };
    for (second, broken) in [(16, false), (14, true)] {
        let mut court = Court::of("at most 1 of red throws per 1");
        court.at(4, &[]).moment.incidents = vec![thrown(0), thrown(2)];
        court.at(5, &[]).moment.incidents.clear();
        court.at(second - 1, &[]).moment.incidents = vec![thrown(1)];
        court.at(second, &[]).moment.incidents.clear();
        let verdict = court.end();
        match broken {
            false => assert_eq!(verdict, KEPT),
            true => is_broken(&verdict, second, "2 grenades: `soldier` at 0.5 s, `other` at 1.4 s"),
        }
    }
}

#[test]
fn harm_between_sides_is_named() {
    let hurt = |by| Incident::Hurt { whom: 0, amount: 7, left: 1, harm: Word::NONE, by };
    let mut court = Court::of("nobody of red is hurt by red");
    court.moment.incidents = vec![hurt(Some(2)), hurt(None)];
    court.at(4, &[]);
    assert_eq!(court.verdict(), Verdict::Open);
    court.moment.incidents = vec![hurt(Some(1))];
    court.at(5, &[]);
    is_broken(&court.verdict(), 5, "`other` hurt `soldier` (7)");
    assert_eq!(Court::of("nobody of red is hurt by red").end(), KEPT);
}

#[test]
fn who_leaves_was_there_and_who_stays_near_is_never_far() {
    let wall = || (0, "wall".to_string());
    let mut court = Court::of("soldier leaves wall");
    court.moment.at.insert(wall());
    court.at(5, &[]).moment.at.clear();
    assert_eq!(court.end(), Verdict::Kept(6));
    let mut court = Court::of("soldier leaves wall by 2");
    court.moment.at.insert(wall());
    is_broken(&court.end(), 20, "it is still there");
    is_broken(&Court::of("soldier leaves wall").end(), 100, "it never was there");

    let mut court = Court::of("soldier is within 4 of other until 5");
    court.moment.far = Some(4.0);
    court.at(49, &[]).moment.far = Some(9.0);
    is_broken(&court.end(), 50, "it is 9.0 cells from `other`");
    let mut court = Court::of("soldier is within 4 of other until 5");
    court.at(50, &[]).moment.far = Some(9.0);
    assert_eq!(court.end(), Verdict::Kept(50));
}

#[test]
fn who_is_to_come_near_by_a_moment_is_near_once() {
    let mut court = Court::of("soldier is within 4 of other by 5");
    court.moment.far = Some(9.0);
    court.at(30, &[]).moment.far = Some(4.0);
    court.at(31, &[]).moment.far = Some(9.0);
    assert_eq!(court.end(), Verdict::Kept(31));
    let mut court = Court::of("soldier is within 4 of other by 5");
    court.moment.far = Some(4.1);
    is_broken(&court.end(), 50, "it was never so near to `other`");
    let told = Court::refused("soldier is within 4 of other");
    assert!(told[0].contains("`until`, for all the time, or `by`, for once"), "{told:?}");
}

#[test]
fn what_cannot_be_promised_is_told_with_what_can() {
    for (promise, part) in [
        ("some green does shoot", "unknown side or type `green`"),
        ("side red gains shoot", "gains"),
        ("everybody does dance", "dance"),
        (
            "nobody sings",
            "expected `stands`, `shares`, `twitches`, `knows`, `idle`, `doubles` or `of SIDE`",
        ),
        ("nobody of red is hurt by green", "green"),
        ("after a kill the killer dances within 1", "expected `picks SELECT` or `wants GOAL`"),
        ("every death has reasons", "expected `every death has a cause`"),
        ("at most 1 of red jumps per 1", "expected `throws per`"),
        ("soldier is within 4 of nobody until 5", "nobody"),
        ("soldier picks target", "target"),
        ("nobody idle for 1 while noise(colour = red)", "colour"),
        ("nobody idle for 1 while noise counting sleep", "unknown goal `sleep`"),
        ("nobody twitches by 3", "about the whole story"),
    ] {
        let told = Court::refused(promise);
        assert!(told.iter().any(|line| line.contains(part)), "{promise}: {told:?}");
    }
}

const SELECTS: &str = "select foe: one of character
select spot: best 2 of node
var stand: nowhere, any spot
action march(to in stand): stand -> to
npc Marcher
    can march
actor marcher at s: npc Marcher side red
";

#[test]
fn what_was_picked_is_told_by_name() {
    let mut court = Court::with(SELECTS, "soldier picks foe player by 2");
    court.at(4, &[]).moment.picks = vec![(0, "foe", "gate")];
    court.at(9, &[]).moment.picks = vec![(0, "foe", "player")];
    assert_eq!(court.end(), Verdict::Kept(10));
    let mut court = Court::with(SELECTS, "soldier picks foe player by 2");
    court.at(4, &[]).moment.picks = vec![(0, "foe", "gate"), (1, "foe", "player")];
    is_broken(&court.end(), 20, "instead: gate");
    is_broken(&Court::with(SELECTS, "soldier picks foe").end(), 100, "nothing was picked as `foe`");

    let mut court = Court::with(SELECTS, "soldier at spot");
    court.at(4, &[]).moment.at.insert((0, "spot".to_string()));
    assert_eq!(court.end(), Verdict::Kept(5));
    is_broken(&Court::with(SELECTS, "soldier at spot").end(), 100, "it never stood at its `spot`");
}

#[test]
fn after_a_kill_another_must_be_picked() {
    let promise = "after a kill the killer picks foe or wants rest within 0.3";
    let died = Incident::Died { whom: 2, harm: Word::NONE, by: Some(0) };
    for (picked, kept) in [("gate", true), ("player", false)] {
        let mut court = Court::with(SELECTS, promise);
        court.at(4, &[]).moment.incidents = vec![died];
        court.at(5, &[]).moment.incidents.clear();
        court.moment.picks = vec![(0, "foe", picked)];
        let verdict = court.end();
        assert_eq!(verdict == KEPT, kept, "the dead is no other: {verdict:?}");
    }
}

#[test]
fn two_on_one_while_another_threatens_are_named() {
    let promise = "nobody doubles foe for 1 while another threatens";
    let both = vec![(0, "foe", "gate"), (1, "foe", "gate")];
    // The player threatens: one of them believes him alive, and he aims at them.
    let mut court = Court::with(SELECTS, promise);
    court.moment.picks.clone_from(&both);
    assert_eq!(court.at(30, &[]).verdict(), Verdict::Open, "nobody threatens");
    court.moment.believed.insert(2);
    assert_eq!(court.at(60, &[]).verdict(), Verdict::Open, "he does nothing");
    court.moment.aims = vec![(2, 0)];
    is_broken(
        &court.end(),
        70,
        "`soldier` and `other` both had `gate` for 1.0 s, while nobody had `player`, who threatened",
    );
    // Somebody has picked him.
    let mut court = Court::with(SELECTS, promise);
    court.moment.picks = [both, vec![(0, "foe", "player")]].concat();
    court.moment.believed.insert(2);
    court.moment.aims = vec![(2, 0)];
    assert_eq!(court.end(), KEPT);
}

#[test]
fn an_action_may_be_named_by_its_selection_or_by_what_the_slot_holds() {
    for (promise, shown, kept) in [
        ("marcher does march", None, true),
        ("marcher does march(spot)", None, true),
        ("marcher does march(spot.1)", None, true),
        ("marcher does march(spot.2)", None, false),
        ("marcher does march(wall)", Some("march(wall)"), true),
        ("marcher does march(wall)", Some("march(gate)"), false),
    ] {
        let mut court = Court::with(SELECTS, promise);
        court.moment.shown = shown.map(str::to_string);
        let action = court.any_action("march(spot.1)");
        let done = EventKind::Ended { run: 1, doing: Activity::Step(action), how: Ending::Done };
        court.by(5, 3, done);
        let verdict = court.end();
        assert_eq!(matches!(verdict, Verdict::Kept(_)), kept, "{promise} {shown:?}: {verdict:?}");
    }
}
