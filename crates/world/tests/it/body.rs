//! What the body's sensors write, and what its behaviours leave behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::tale;
use throng_mind::Mind;
use throng_mind::events::Activity;
use throng_mind::fact::Attribute;
use throng_mind::memory::FactRef;
use throng_world::story::run::Play;

/// Somebody who does nothing, with these sensors, in this story.
fn idler(sensors: &str, story: &str) -> Play {
    let domain = "domain test\nvar calm: bool\naction wait: calm -> true\n\
        goal rest: calm = true\nnpc idler\n    can wait\n    wants rest\n    starts calm = true\n";
    tale(&format!("{domain}{sensors}\nstory test \"A test.\" lasts 60\n{story}"))
}

/// Plays to a moment.
fn until(play: &mut Play, seconds: f64) {
    let end = play.story().pace.ticks(seconds);
    while play.now() < end {
        assert!(play.tick(), "the story is over");
    }
}

fn mind(play: &Play) -> &Mind {
    play.cast().mind(0).unwrap()
}

/// The facts of a kind that the first actor has.
fn facts<'p>(play: &'p Play, kind: &str) -> Vec<FactRef<'p>> {
    let kind = play.cast().words().find(kind).unwrap();
    mind(play).memory().of_kind(kind).collect()
}

fn text(play: &Play, fact: FactRef<'_>, attribute: Attribute) -> String {
    fact.word(attribute).map_or(String::new(), |w| play.cast().words().text(w).to_string())
}

#[test]
fn nodes_are_ranked_by_distance_and_those_that_are_gone_are_cleared() {
    let mut play = idler(
        "sensor nodes: every 0.3",
        "map \"##############\" \"#m.a....b...c#\" \"#......t.....#\" \"##############\"
thing table at t: device standing, flipped
node near at a: cover
node middle at b: cover needs table = standing
node far at c: view
actor me at m: npc idler
at 2: table = flipped
",
    );
    until(&mut play, 1.0);
    let told = |play: &Play| {
        let mut told: Vec<_> = facts(play, "node")
            .into_iter()
            .map(|fact| {
                let rank = fact.number(Attribute::Index).unwrap();
                (rank as u32, text(play, fact, Attribute::Node), fact.sure(Attribute::Position))
            })
            .collect();
        told.sort_by_key(|(rank, ..)| *rank);
        told
    };
    let before = told(&play);
    let names: Vec<_> = before.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["near", "middle", "far"]);
    assert_eq!((before[0].2, before[2].2), (1.0, 0.0));
    assert!(before[1].2 > 0.0 && before[1].2 < 1.0);
    until(&mut play, 3.0);
    let after: Vec<_> = told(&play).into_iter().map(|(_, name, _)| name).collect();
    assert_eq!(after, ["near", "far"]);
}

#[test]
fn a_node_in_which_another_stands_is_not_there() {
    let mut play = idler(
        "sensor nodes: every 0.3",
        "map \"##########\" \"#m.a...b.#\" \"##########\"
node near at a: cover
node far at b: cover
actor me at m: npc idler
actor other at a: player
",
    );
    until(&mut play, 1.0);
    let names: Vec<_> =
        facts(&play, "node").into_iter().map(|fact| text(&play, fact, Attribute::Node)).collect();
    assert_eq!(names, ["far"]);
}

#[test]
fn who_is_out_of_sight_is_remembered_where_he_was_seen_and_less_and_less_surely() {
    let mut play = idler(
        "sensor see_enemy: on sight keeps 10\nsensor lose_enemy: every 0.5 keeps 10",
        "map \"############\" \"#m...d..e.f#\" \"############\"
thing door at d: door open, shut
actor me at m: npc idler
actor foe at e: player
at 2: door = shut
at 3: foe runs to f
",
    );
    until(&mut play, 1.9);
    let seen = facts(&play, "character")[0];
    let place = seen.position(Attribute::Position).unwrap();
    assert_eq!(seen.sure(Attribute::Stimulus), 1.0);
    let sure = |play: &Play| facts(play, "character")[0].sure(Attribute::Stimulus);
    until(&mut play, 2.7);
    let first = sure(&play);
    assert!(first < 1.0);
    until(&mut play, 3.3);
    assert!(sure(&play) < first);
    until(&mut play, 4.5);
    let believed = facts(&play, "character");
    assert_eq!(believed.len(), 1);
    assert_eq!(believed[0].position(Attribute::Position), Some(place));
    // Doubt does not make the belief live longer than ten seconds after he was last seen.
    until(&mut play, 12.5);
    assert!(facts(&play, "character").is_empty());
}

#[test]
fn a_way_is_blocked_by_a_shut_door_and_clear_when_it_opens() {
    let mut play = idler(
        "sensor self: every 0\nsensor see_enemy: on sight keeps 60\nsensor path_target: every 0.3",
        "map \"############\" \"#m...d....e#\" \"############\"
thing door at d: door open, shut
actor me at m: npc idler
actor foe at e: player
at 2: door = shut
",
    );
    until(&mut play, 1.9);
    let way = facts(&play, "path")[0];
    assert_eq!(text(&play, way, Attribute::Knowledge), "clear");
    assert_eq!((way.get(Attribute::Link), way.number(Attribute::Amount)), (None, Some(9.0)));
    until(&mut play, 3.0);
    let ways = facts(&play, "path");
    assert_eq!(ways.len(), 1);
    assert_eq!(text(&play, ways[0], Attribute::Knowledge), "blocked");
    assert_eq!(text(&play, ways[0], Attribute::Link), "door");
}

#[test]
fn a_grenade_is_a_danger_until_it_goes_off_unless_a_door_is_between() {
    let mut play = idler(
        "sensor see_danger: on grenade keeps 20",
        "map \"############\" \"#m.d.g....e#\" \"############\"
thing door at d: door shut, open
actor me at m: npc idler health 500
actor foe at e: player
at 1: foe throws grenade at g
at 2.2: door = open
",
    );
    until(&mut play, 2.0);
    assert_eq!((facts(&play, "danger").len(), facts(&play, "disturbance").len()), (0, 1));
    until(&mut play, 3.0);
    let danger = facts(&play, "danger");
    assert_eq!(danger.len(), 1);
    assert!(danger[0].number(Attribute::Time).is_some_and(|left| left > 0.0 && left < 1.0));
    until(&mut play, 4.0);
    // It has gone off; that something fell is remembered until somebody has dealt with it.
    assert_eq!((facts(&play, "danger").len(), facts(&play, "disturbance").len()), (0, 1));
}

#[test]
fn who_stops_climbing_to_recover_still_knows_that_he_is_on_the_ladder() {
    let mut play = tale(
        "domain test
var height: ground, top
var shaken: bool
sensor self: every 0 keeps 1
sensor hurt: on damage keeps 5 feeds shaken
symbol shaken: true if damage(age < 1), false
action climb: height ground -> top takes 3
action recover: shaken true -> false takes 0.5
goal up: height = top priority 10
goal calm: shaken = false priority 50 urgent
npc climber
    can climb, recover
    wants up, calm
    starts height = ground
story test \"A test.\" lasts 30
map \"##########\" \"#m.l....e#\" \"##########\"
thing ladder at l: ladder
actor me at m: npc climber
actor foe at e: player weapon rifle
at 3: foe fires at me
promise me does recover, climb
",
    );
    let engaged = |play: &Play| {
        let board = mind(play).board();
        let word = |word: Option<throng_mind::words::Word>| {
            word.map(|word| play.cast().words().text(word).to_string())
        };
        (word(board.engaged), word(board.engaged_with))
    };
    let on_it = (Some("climbing".to_string()), Some("ladder".to_string()));
    until(&mut play, 2.9);
    assert_eq!(engaged(&play), on_it);
    until(&mut play, 3.2);
    let spec = play.minds().spec();
    let Some(Activity::Step(action)) = mind(&play).follow().run().map(|run| run.doing) else {
        panic!("he does nothing")
    };
    assert_eq!(spec.words.text(spec.action(action).template), "recover");
    assert_eq!(engaged(&play), on_it);
    while play.tick() {}
    assert!(play.is_kept());
    assert_eq!(engaged(&play), (None, None));
}

#[test]
fn a_look_at_a_thing_is_remembered_as_it_was_until_somebody_sees_it_again() {
    let mut play = tale(
        "domain test
var known: bool
sensor things: every 0.5 keeps 5 while day(time > 6)
sensor clock: every 1 keeps 5
symbol known: true if thing(node = gate, age < 3), false
action look_at(gate): known -> true takes 1
goal know: known = true
npc guard
    can look_at
    wants know
    retry 60
story test \"A test.\" lasts 30
map \"##########\" \"#m.s...g.#\" \"##########\"
thing gate at g: device open, shut
thing screen at s: door open, shut
actor me at m: npc guard
at 1.5: screen = shut
at 2: gate = shut
",
    );
    let state = |play: &Play| {
        let all = facts(play, "thing");
        let gate = all.iter().filter(|fact| text(play, **fact, Attribute::Node) == "gate");
        gate.map(|fact| text(play, *fact, Attribute::Knowledge)).collect::<Vec<_>>()
    };
    until(&mut play, 1.4);
    assert_eq!(state(&play), ["open"]);
    // It is shut now, and from here that cannot be seen: the second look fails.
    until(&mut play, 5.5);
    assert_eq!(state(&play), ["open"]);
    // What the sensor finds takes the place of what the look found.
    until(&mut play, 8.5);
    assert_eq!(state(&play), ["shut"]);
}

#[test]
fn whom_one_sees_all_know_of_once() {
    let mut play = tale(
        "domain test
var calm: bool
sensor see_enemy: on sight keeps 10
sensor call_out: every 0.5 keeps 4
action wait: calm -> true
goal rest: calm = true
npc idler
    can wait
    wants rest
    starts calm = true
story test \"A test.\" lasts 30
map \"##########\" \"#m..#..o.#\" \"#..e#....#\" \"##########\"
actor me at m: npc idler side red
actor other at o: npc idler side red
actor foe at e: player side blue
at 1: foe appears at e
at 3: foe leaves
",
    );
    let alarms = |play: &Play| {
        let alarm = play.cast().words().find("alarm").unwrap();
        play.minds().shared().of_kind(alarm).count()
    };
    until(&mut play, 0.9);
    assert_eq!(alarms(&play), 0);
    until(&mut play, 2.9);
    // Seen again and again by one, not at all by the other: one fact for both.
    assert_eq!(alarms(&play), 1);
    until(&mut play, 20.0);
    assert_eq!(alarms(&play), 0);
}
