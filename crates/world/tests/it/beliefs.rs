//! Minds act on what they believe, and let go of what they do not believe any more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::place::{Place, thing};
use crate::tale::{facts, idler, tale, until};
use throng_mind::fact::Attribute;
use throng_mind::memory::FactRef;
use throng_world::build::ThingDraft;
use throng_world::story::run::Play;
use throng_world::thing::ThingKind;

/// Plays to the end; the promises that were not kept.
fn broken(mut play: Play) -> Vec<String> {
    while play.tick() {}
    let kept = |verdict: &_| matches!(verdict, throng_world::story::promise::Verdict::Kept(_));
    let verdicts = play.judge().verdicts().filter(|(_, verdict)| !kept(verdict));
    verdicts.map(|(promise, _)| promise.text.clone()).collect()
}

fn names(play: &Play, kind: &str) -> Vec<String> {
    let name = |fact: &FactRef<'_>| fact.word(Attribute::Node).unwrap();
    let text = |fact| play.cast().words().text(name(&fact)).to_string();
    let mut names: Vec<String> = facts(play, kind).into_iter().map(text).collect();
    names.sort();
    names
}

const FIGHTER: &str = "domain test
var foe: none, alive, dead
sensor self: every 0 keeps 1
sensor see_enemy: on sight keeps 30 feeds foe
sensor lose_enemy: every 0.5 keeps 30
symbol foe: alive if character(knowledge = alive), dead if character(knowledge = dead), none
action attack: foe -> dead
action wait: takes 1
goal kill: foe = dead priority 5 relevance if character(knowledge = alive)
npc fighter
    can attack, wait
    wants kill
    otherwise wait
story test \"A test.\" lasts 12
";

#[test]
fn who_hides_is_let_go_of_for_one_who_is_seen() {
    let play = tale(&format!(
        "{FIGHTER}map \"###########\" \"#m...d...a#\" \"#b...######\" \"###########\"
thing door at d: door open, shut
actor me at m: npc fighter side red weapon rifle rounds 100
actor first at a: player side blue health 1000
actor second at b: player side blue
at 1.5: door = shut
at 2: second appears at b
promise second is dead by 5
promise first is alive
"
    ));
    assert_eq!(broken(play), [""; 0]);
}

#[test]
fn a_lost_target_is_no_target_any_more() {
    let mut play = tale(&format!(
        "{FIGHTER}map \"###########\" \"#m...d...a#\" \"###########\"
thing door at d: door open, shut
actor me at m: npc fighter side red weapon rifle rounds 100
actor first at a: player side blue health 1000
at 1.5: door = shut
promise me is alive
"
    ));
    let target = |play: &Play| play.cast().mind(0).unwrap().board().target;
    until(&mut play, 1.4);
    assert_eq!(target(&play), play.cast().handle(1));
    let mut was_free = false;
    while play.tick() {
        was_free |= target(&play).is_none();
    }
    assert!(was_free);
}

#[test]
fn doubt_keeps_the_time_of_the_last_sight() {
    let mut play = idler(
        "sensor see_enemy: on sight keeps 10\nsensor lose_enemy: every 0.5 keeps 10",
        "map \"############\" \"#m...d..e..#\" \"############\"
thing door at d: door open, shut
actor me at m: npc idler
actor foe at e: player
at 2: door = shut
",
    );
    until(&mut play, 1.9);
    assert_eq!(facts(&play, "character")[0].sure(Attribute::Stimulus), 1.0);
    for seconds in [3.0, 5.0, 8.0] {
        until(&mut play, seconds);
        let known = facts(&play, "character");
        let (seen, sure) = (known[0].updated(), known[0].sure(Attribute::Stimulus));
        assert!((10..=20).contains(&seen) && sure < 1.0, "tick {seen}, {sure} at {seconds}");
    }
}

#[test]
fn a_kick_is_for_the_door_on_the_way_to_the_target() {
    let mut play = tale(
        "domain test
var shut: bool
sensor see_enemy: on sight keeps 30
sensor pass_target: every 0.4 keeps 5
sensor path_target: every 0.3 keeps 5 feeds shut while path(node = shed)
symbol shut: true if path(node = target, knowledge = blocked), false
action kick: shut true -> false
action wait: takes 1
goal in: shut = false priority 5
npc kicker
    can kick, wait
    wants in
    otherwise wait
story test \"A test.\" lasts 12
map \"###############\" \"#..#.....#....#\" \"#s.e...m.d..f.#\" \"#..#.....#....#\" \"###############\"
thing shed_door at e: door shut, open
thing door at d: door open, shut
node shed at s: view
actor me at m: npc kicker side red
actor foe at f: player side blue
at 1: door = shut
promise me does kick by 8
promise shed_door = shut
",
    );
    until(&mut play, 0.9);
    assert!(names(&play, "path").contains(&"shed".to_string()));
    assert_eq!(broken(play), [""; 0]);
}

#[test]
fn a_node_with_a_radius_is_there_only_for_a_target_within_it() {
    let mut play = idler(
        "sensor see_enemy: on sight keeps 10\nsensor nodes: every 0.3 keeps 1",
        "map \"################\" \"#m.a...b....e..#\" \"################\"
node far at a: cover radius 6
node near at b: cover radius 6
node plain at a: view
actor me at m: npc idler
actor foe at e: player
at 2: foe appears at e
",
    );
    until(&mut play, 1.9);
    assert_eq!(names(&play, "node"), ["plain"]);
    until(&mut play, 3.5);
    assert_eq!(names(&play, "node"), ["near", "plain"]);
}

#[test]
fn an_older_grenade_that_is_noticed_later_startles_too() {
    let mut play = idler(
        "sensor see_danger: on grenade keeps 10",
        "map \"####################\" \"#m.......d....g...e#\" \"#.......h#.........#\" \"####################\"
thing door at d: door shut, open
actor me at m: npc idler
actor foe at e: player grenades 1
actor other at h: player grenades 1
at 1: foe throws grenade at g
at 1.5: other throws grenade at h
at 2: door = open
",
    );
    until(&mut play, 1.9);
    assert_eq!(facts(&play, "disturbance").len(), 1);
    until(&mut play, 2.8);
    assert_eq!(facts(&play, "disturbance").len(), 2);
}

#[test]
fn who_leaves_the_ladder_is_not_climbing_any_more() {
    let mut play = tale(
        "domain test
var height: ground, top
var place: elsewhere, post
sensor self: every 0 keeps 1 feeds place
sensor hurt: on damage keeps 0.8
symbol place: node of self, elsewhere
action climb(ladder): height ground -> top takes 5
action goto(post): place -> post
goal up: height = top priority 10
goal away: place = post priority 50 relevance if damage urgent
npc climber
    can climb, goto
    wants up, away
    starts height = ground
story test \"A test.\" lasts 30
map \"############\" \"#p.m.l....e#\" \"############\"
thing ladder at l: ladder
node post at p: view
actor me at m: npc climber
actor foe at e: player weapon rifle
at 4: foe fires at me
promise me does climb(ladder)
",
    );
    let engaged = |play: &Play| play.cast().mind(0).unwrap().board().engaged.is_some();
    let place = |play: &Play| {
        let me = play.cast().handle(0).unwrap();
        play.world().actor(me).unwrap().clone()
    };
    until(&mut play, 3.9);
    assert!(engaged(&play) && place(&play).climbed > 0);
    while place(&play).on.is_some() {
        assert!(play.tick());
    }
    assert_eq!(place(&play).climbed, 0);
    // On his way back to it he is engaged in nothing yet.
    let mut was_free = false;
    while place(&play).on.is_none() && play.tick() {
        was_free |= !engaged(&play);
    }
    assert!(was_free);
    while play.tick() {}
    assert!(play.is_kept());
}

#[test]
fn a_weapon_stays_what_it_is_whoever_drops_it() {
    let mut place = Place::new(&["A.P.B"]);
    let [a, b, p] = ['A', 'B', 'P'].map(|letter| place.mark(letter));
    let (ann, bob) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "blue"));
    let pistol = thing("pistol", p, ThingKind::Item, &["lying", "taken"]);
    let pistol = ThingDraft { arms: Some(3), ..pistol };
    let pistol = place.world.add_thing(&pistol, &mut place.words).unwrap();
    let run = place.go(ann, p, "run");
    assert_eq!(place.end_of(run).0, "done");
    let take = place.handle(ann, "pick_up", pistol);
    assert_eq!(place.end_of(take).0, "done");
    place.world.rules.shot_damage = 0;
    for _ in 0..3 {
        assert!(place.world.shoot(ann, bob));
    }
    // She dies with it: it lies there, empty, and she has it no more.
    let blow = place.word("blow");
    place.world.hurt(ann, 1_000, blow, None);
    assert_eq!(place.world.actor(ann).unwrap().weapon, None);
    let thing = place.world.thing(pistol).unwrap();
    assert_eq!((place.words.text(thing.state()), thing.held_by), ("lying", None));
    assert_eq!((thing.arms, thing.holds), (Some(0), 3));
    // Whoever takes it has a pistol that can be loaded.
    let run = place.go(bob, p, "run");
    assert_eq!(place.end_of(run).0, "done");
    let take = place.handle(bob, "pick_up", pistol);
    assert_eq!(place.end_of(take).0, "done");
    let weapon = place.world.actor(bob).unwrap().weapon.unwrap();
    assert_eq!((weapon.rounds, weapon.holds), (0, 3));
    // What was no thing of the world stays with its owner when he lets go of everything.
    let eve = place.soldier("eve", a, "red");
    place.world.hurt(eve, 1_000, blow, None);
    assert!(place.world.actor(eve).unwrap().weapon.is_some());
}

/// The story of the cover with something else in it.
fn cover_with(change: impl Fn(String) -> String) -> Play {
    let text = change(include_str!("cover.npc").to_string());
    let kept = text.lines().filter(|line| !line.starts_with("promise "));
    tale(&kept.map(|line| line.replace("PROMISE", "promise") + "\n").collect::<String>())
}

#[test]
fn a_comrade_in_the_cover_or_no_cover_at_all_changes_the_plan() {
    let taken = cover_with(|text| {
        text + "actor comrade at C: player side red\nPROMISE soldier plans goto(cover2), attack_from_cover by 2\n\
            PROMISE soldier never plans goto(cover1)\nPROMISE enemy is dead by 9\n"
    });
    assert_eq!(broken(taken), [""; 0]);
    let none = cover_with(|text| {
        let text = text.replace("node cover1", "# node").replace("node cover2", "# node");
        text + "PROMISE soldier plans attack by 2\nPROMISE soldier never plans goto\n"
    });
    assert_eq!(broken(none), [""; 0]);
}

#[test]
fn nobody_sets_out_for_a_node_in_which_another_stands() {
    let mut place = Place::new(&["A...N"]);
    let (a, n) = (place.mark('A'), place.mark('N'));
    let ann = place.soldier("ann", a, "red");
    place.soldier("bob", n, "red");
    place.node("cover1", n, &[]);
    let (node, manner) = (place.word("cover1"), place.word("run"));
    let id = place.order(ann, throng_mind::orders::Order::Move { to: n.place(), node, manner });
    assert_eq!(place.end_of(id).0, "taken");
}
