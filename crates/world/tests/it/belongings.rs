//! What minds learn of ways, belongings and locks, and how the log and promises tell of it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::tale::{facts, idler, tale, until};
use throng_mind::fact::Attribute;
use throng_world::story::log::Log;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

fn word(play: &Play, kind: &str, attribute: Attribute) -> Vec<String> {
    let words = play.cast().words();
    let of = facts(play, kind).into_iter().filter_map(|fact| fact.word(attribute));
    of.map(|word| words.text(word).to_string()).collect()
}

#[test]
fn he_knows_what_he_carries_what_he_owns_and_that_his_rounds_do_not_end() {
    let mut play = idler(
        "sensor self: every 0 keeps 1",
        "map \"########\" \"#m...b.#\" \"########\"
thing key at m: item
thing box at b: device shut, open
actor me at m: npc idler weapon rifle carries key owns box
",
    );
    until(&mut play, 1.0);
    assert_eq!(word(&play, "item", Attribute::Node), ["key"]);
    assert_eq!(word(&play, "mine", Attribute::Node), ["box"]);
    assert_eq!(word(&play, "mine", Attribute::Knowledge), ["shut"]);
    let ammo: Vec<_> = facts(&play, "ammo").iter().map(|it| it.number(Attribute::Amount)).collect();
    assert_eq!(ammo, [Some(9_999.0)]);
}

#[test]
fn a_window_that_is_the_only_way_stands_in_it_as_a_shut_door_does() {
    let mut play = idler(
        "sensor see: on sight keeps 60\nsensor ways: every 0.3 keeps 2\nsensor path_target: every 0.5 keeps 2
select target: one of character  score distance of it curve 0 1, 30 0.1",
        "map \"############\" \"#m...w....e#\" \"############\"
thing pane at w: window
actor me at m: npc idler side red
actor foe at e: player side blue
",
    );
    until(&mut play, 2.0);
    let foe = play.cast().handle(1);
    let ways = facts(&play, "path");
    assert_eq!(ways.len(), 2, "one of each sensor");
    assert!(ways.iter().all(|way| way.entity(Attribute::Object) == foe));
    assert!(word(&play, "path", Attribute::Link).contains(&"pane".to_string()));
    assert!(word(&play, "path", Attribute::Knowledge).contains(&"blocked".to_string()));
}

#[test]
fn the_log_names_the_key_that_a_locked_door_needs_and_a_promise_knows_what_all_know() {
    let mut play = tale(
        "domain locks
var gate_is: shut, open
var calm: bool
sensor things: every 0.3 keeps 2
symbol gate_is: open if thing(node = gate, knowledge = open), shut
fact stuck: node
action open_gate: gate_is -> open  does use(gate)
    else remembers stuck for 20 and tells stuck to all
action nap: calm -> true  does wait
goal out: gate_is = open
goal rest: calm = true
npc guard
    can open_gate
    wants out
    retry 60
npc idler
    can nap
    wants rest
    starts calm = true
story locks \"He has no key.\" lasts 5
map \"########\" \"#.mg.ik#\" \"########\"
thing key at k: item
thing gate at g: door shut, open needs key by me
actor me at m: npc guard
actor bob at i: npc idler
promise me fails open_gate by 3
promise bob remembers stuck by 4
",
    );
    let (mut log, mut told) = (Log::default(), Vec::new());
    while play.tick() {
        told.extend(log.tick(&play).iter().map(|line| line.text(true)));
    }
    let fails: Vec<&String> = told.iter().filter(|line| line.starts_with("fails")).collect();
    assert_eq!(fails, ["fails open_gate: `gate` needs `key`"], "{told:#?}");
    let kept = |verdict: &Verdict| matches!(verdict, Verdict::Kept(_));
    assert!(play.judge().verdicts().all(|(_, verdict)| kept(verdict)));
}
