//! Every "no" says what stands in the way, and mending that gives a plan.
//!
//! Each fact is a small domain, the sentence a designer reads, and the change it suggests.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::Engine;
use throng::prelude::*;

const STABLE: &str = "
domain stable
var hay: stored, in_hands, in_feeder
var door: shut, open
var horse: hungry, fed
var weather: dry, wet
action take: hay stored -> in_hands  while door = open
action feed: hay in_hands -> in_feeder  if feeder_clean, not horse_asleep
action eat: horse hungry -> fed  while hay = in_feeder
action air: door shut -> open  while weather = dry
action airing_by_hand: door -> open  if strong
    overrides air
goal well: horse = fed
npc breeder
    can take, feed, eat, air
    wants well
    starts hay = stored, door = shut, horse = hungry, weather = dry
npc porter
    can air, airing_by_hand
npc idler
    can eat
    wants well
    starts hay = stored, horse = hungry
";

fn npc(kind: &str, facts: &[(&str, &str)]) -> Npc {
    let domain = Domain::from_text(STABLE).unwrap();
    let mut npc = Npc::new(&domain, kind).unwrap();
    for (variable, value) in facts {
        npc.set(variable, value).unwrap();
    }
    npc
}

fn answer(npc: &Npc, variable: &str, value: &str) -> Answer {
    let fact = npc.domain().fact(variable, value).unwrap();
    Planner::new().plan(npc, &Request::to([fact]), &mut Scratch::default())
}

fn check(npc: &Npc, (variable, value): (&str, &str), code: &str, sentence: &str) {
    let answer = answer(npc, variable, value);
    assert_eq!(answer.reason(), sentence);
    assert_eq!(answer.reason_code(), code);
    assert!(matches!(answer.outcome(), Outcome::Impossible(_)));
}

#[test]
fn a_value_that_nobody_sets_is_named() {
    check(
        &npc("breeder", &[("hay", "in_hands"), ("door", "open")]),
        ("hay", "stored"),
        "nobody_sets",
        "`hay = stored` cannot be reached: no action of `breeder` sets `hay = stored`",
    );
}

#[test]
fn a_value_that_only_another_type_sets_names_that_type() {
    check(
        &npc("idler", &[]),
        ("horse", "fed"),
        "only_world_sets",
        "`horse = fed` cannot be reached: `eat` needs `hay = in_feeder`; no action of `idler` \
         changes `hay`, only the world can, and it is not `in_feeder`; `breeder` can, by `feed`",
    );
}

#[test]
fn a_failing_check_is_named_and_mending_it_gives_a_plan() {
    let mut breeder = npc("breeder", &[]);
    breeder.set_check("feeder_clean", false).unwrap();
    check(
        &breeder,
        ("hay", "in_feeder"),
        "check_false",
        "`hay = in_feeder` cannot be reached: `feed` would set `hay = in_feeder`, but the check \
         `feeder_clean` is false, and the check `horse_asleep` is true unless told otherwise \
         (`--without horse_asleep`)",
    );
    breeder.set_check("feeder_clean", true).unwrap();
    check(
        &breeder,
        ("hay", "in_feeder"),
        "check_false",
        "`hay = in_feeder` cannot be reached: `feed` would set `hay = in_feeder`, but the check \
         `horse_asleep` is true unless told otherwise (`--without horse_asleep`)",
    );
    breeder.set_check("horse_asleep", false).unwrap();
    assert!(answer(&breeder, "hay", "in_feeder").is_solved());
}

#[test]
fn what_only_the_world_changes_is_said() {
    check(
        &npc("breeder", &[("weather", "wet")]),
        ("hay", "in_hands"),
        "only_world_sets",
        "`hay = in_hands` cannot be reached: `take` needs `door = open`; `air` needs \
         `weather = dry`; no action of `breeder` changes `weather`, only the world can, and it is \
         not `dry`",
    );
    assert!(answer(&npc("breeder", &[]), "hay", "in_hands").is_solved());
}

#[test]
fn an_unknown_value_is_asked_for() {
    let mut breeder = npc("breeder", &[]);
    breeder.forget("weather").unwrap();
    check(
        &breeder,
        ("door", "open"),
        "unknown_start",
        "`door = open` cannot be reached: `air` needs `weather = dry`; the value of `weather` is \
         unknown: say it, as in `weather=dry`, or give it in `starts`",
    );
}

#[test]
fn a_dead_end_is_where_it_is() {
    check(
        &npc("breeder", &[("hay", "in_feeder")]),
        ("hay", "in_hands"),
        "stuck",
        "`hay = in_hands` cannot be reached: `hay` is `in_feeder` now, and no action of `breeder` \
         leads away from that",
    );
}

#[test]
fn an_overridden_action_names_the_one_that_overrides() {
    let mut porter = npc("porter", &[("door", "shut"), ("weather", "dry")]);
    porter.forbid("airing_by_hand", true).unwrap();
    assert!(answer(&porter, "door", "open").is_solved(), "a forbidden action overrides nothing");
    let domain = Domain::from_text(
        "domain yard\nvar door: shut, open\nvar arm: well, hurt\n\
         action air: door shut -> open\n\
         action lift: door shut -> open  while arm = hurt  if strong  overrides air\n",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "yard").unwrap();
    npc.set("door", "shut").unwrap();
    npc.set("arm", "well").unwrap();
    check(
        &npc,
        ("door", "open"),
        "overridden",
        "`door = open` cannot be reached: `air` would set `door = open`, but `lift`, which \
         overrides it, is there: the check `strong` is true unless told otherwise (`--without \
         strong`)",
    );
    npc.set_check("strong", false).unwrap();
    assert!(answer(&npc, "door", "open").is_solved());
}

const WALKS: &str = "
domain walks
var place: home, work, park
var bus: none, here
var ticket: none, bought
action ride: place home -> work  while bus = here, ticket = bought
action walk: place home -> work  if not raining
action tram: place home -> park  while ticket = bought
action stroll: place work -> park
action drive: place home -> park  if has_car, fuelled
goal out: place = work or place = park
npc clerk
    can ride, walk, tram, stroll, drive
    wants out
    starts place = home, bus = none, ticket = none
npc driver
    can ride, drive
    starts place = home, bus = none, ticket = none
npc passenger
    can ride, tram
    wants out
    starts place = home, bus = none, ticket = none
";

fn walker(kind: &str) -> Npc {
    Npc::new(&Domain::from_text(WALKS).unwrap(), kind).unwrap()
}

#[test]
fn where_only_a_check_stands_in_the_way_it_is_named() {
    // `ride` comes first in the text, but needs two things of the world.
    let mut clerk = walker("clerk");
    clerk.set_check("has_car", false).unwrap();
    check(
        &clerk,
        ("place", "work"),
        "check_false",
        "`place = work` cannot be reached: `walk` would set `place = work`, but the check \
         `raining` is true unless told otherwise (`--without raining`)",
    );
    clerk.clear_checks();
    clerk.set_check("raining", true).unwrap();
    check(
        &clerk,
        ("place", "work"),
        "check_false",
        "`place = work` cannot be reached: `walk` would set `place = work`, but the check \
         `raining` is true",
    );
    clerk.set_check("raining", false).unwrap();
    assert!(answer(&clerk, "place", "work").is_solved());
}

#[test]
fn a_check_that_is_false_only_because_others_are_named_says_so() {
    let mut driver = walker("driver");
    driver.clear_checks();
    driver.set_check("fuelled", true).unwrap();
    check(
        &driver,
        ("place", "park"),
        "check_false",
        "`place = park` cannot be reached: `drive` would set `place = park`, but the check \
         `has_car` is false unless told otherwise (`--only` does not name it)",
    );
}

#[test]
fn the_reason_follows_what_needs_the_fewest_changes() {
    let passenger = walker("passenger");
    let by_tram = "`place = park` cannot be reached: `tram` needs `ticket = bought`; no action of \
                   `passenger` changes `ticket`, only the world can, and it is not `bought`";
    check(&passenger, ("place", "park"), "only_world_sets", by_tram);
    // Of the alternatives of a goal, too: work needs the bus besides.
    let out = Request::new(passenger.domain().goal_target("out").unwrap());
    let answer = Planner::new().plan(&passenger, &out, &mut Scratch::default());
    assert_eq!(answer.goal(), passenger.domain().goal("out(park)").ok());
    assert_eq!(answer.reason(), by_tram);
    // One check beats one change of the world, and two changes of the world.
    let mut driver = walker("driver");
    driver.set_check("fuelled", false).unwrap();
    let reason = self::answer(&driver, "place", "park").reason();
    assert!(reason.ends_with("but the check `fuelled` is false"), "{reason}");
}

#[test]
fn parts_that_never_hold_together_are_named() {
    let domain = Domain::from_text(
        "domain d\nvar a: x, y\nvar b: x, y\n\
         action one: a x -> y  while b = x\naction two: b x -> y  while a = x\n\
         action reset: a -> x, b -> x\n\
         goal both: a = y, b = y\n",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "d").unwrap();
    npc.set("a", "x").unwrap();
    npc.set("b", "x").unwrap();
    let sentences = [
        (
            Engine::Forward,
            "all 3 states that can be reached from here were tried; `a = y` and `b = y` never \
             hold together",
        ),
        (
            Engine::Regressive,
            "`a = y` and `b = y` cannot be had together from here; no action leads to it",
        ),
    ];
    for (engine, sentence) in sentences {
        let request = Request::best().engine(engine);
        let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
        assert_eq!((answer.engine(), answer.reason()), (engine, sentence.to_string()));
        assert_eq!(answer.reason_code(), "unreachable");
    }
}

#[test]
fn each_needing_the_other_first_is_a_circle() {
    let domain = Domain::from_text(
        "domain d\nvar key: in_safe, in_hand\nvar safe: shut, open\n\
         action take: key in_safe -> in_hand  while safe = open\n\
         action unlock: safe shut -> open  while key = in_hand\n",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "d").unwrap();
    npc.set("key", "in_safe").unwrap();
    npc.set("safe", "shut").unwrap();
    check(
        &npc,
        ("key", "in_hand"),
        "circle",
        "`key = in_hand` cannot be reached: `take` needs `safe = open`; `unlock` needs \
         `key = in_hand`; and `key = in_hand` is what we came from: each needs the other first",
    );
}

#[test]
fn the_best_goal_is_the_highest_that_has_a_plan() {
    let domain = Domain::from_text(
        "domain d\nvar a: x, y, z\naction go: a x -> y\n\
         goal low: a = y\ngoal high: a = z\n    priority 9\n",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "d").unwrap();
    npc.set("a", "x").unwrap();
    let mut scratch = Scratch::default();
    let answer = Planner::new().plan(&npc, &Request::best(), &mut scratch);
    assert_eq!(answer.goal(), domain.goal("low").ok(), "high has no plan, so low is served");
    npc.set("a", "y").unwrap();
    let answer = Planner::new().plan(&npc, &Request::best(), &mut scratch);
    assert_eq!(answer.goal(), domain.goal("high").ok(), "low is satisfied, so high is the answer");
    assert_eq!(answer.reason(), "`a = z` cannot be reached: no action of `d` sets `a = z`");
}

#[test]
fn actions_that_must_each_come_first_are_named() {
    let domain = Domain::from_text(
        "domain d\nvar left: shut, open\nvar right: shut, open\n\
         action open_left: left shut -> open  while right = shut\n\
         action open_right: right shut -> open  while left = shut\n\
         goal both: left = open, right = open\n",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "d").unwrap();
    npc.set("left", "shut").unwrap();
    npc.set("right", "shut").unwrap();
    let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
    assert_eq!(
        answer.reason(),
        "every plan needs `open_left`, `open_right`, but `open_left` must come before \
         `open_right`, and that before `open_left`"
    );
    assert_eq!(answer.reason_code(), "before_and_after");
}

#[test]
fn of_alternatives_as_many_changes_away_the_one_with_fewer_steps_is_told() {
    let of = |goal: &str| {
        let text = format!(
            "domain d\nvar m: a, b\nvar n: x, y, z\naction s1: n x -> y\n\
             action s2: n y -> z while m = b\naction go: m a -> b if not raining\n\
             goal k: {goal}\nnpc p\n    can s1, s2, go\n    wants k\n    starts m = a, n = x\n"
        );
        let domain = Domain::from_text(&text).unwrap();
        let npc = Npc::new(&domain, "p").unwrap();
        let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
        answer.reason()
    };
    for goal in ["n = z and m = a or m = b", "m = b or n = z and m = a"] {
        let said = of(goal);
        assert!(said.contains("`m = b` cannot be reached: `go` would set"), "{goal}: {said}");
    }
}
