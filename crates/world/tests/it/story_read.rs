//! Stories as files: what is read, and every mistake with its place and the nearest name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{loaded, told};
use throng_domain::formats::Loaded;
use throng_domain::{Report, Sources};
use throng_world::cell::Cell;
use throng_world::story::{Claim, Deed, Story};
use throng_world::thing::ThingKind;

/// A domain with two places to go to and somebody to shoot at.
const DOMAIN: &str = "domain yard
var where: start, wall, crate
var enemy: up, down
action go(place in where): where -> place
action shoot: enemy up -> down while where = wall
action wave: enemy down -> up
goal fight: enemy = down
goal idle: where = crate
npc Soldier
    can go, shoot
    wants fight
    starts where = start, enemy = up
";

const STORY: &str = "story cover \"He takes cover.\" lasts 12 pace 20
map \"########\"
    \"#s.c..p#\"
    \"#..d.t.#\"
    \"########\"
thing gate at d: door
thing table at t: device standing, flipped needs gate = open
node wall at c: cover needs table = flipped
actor soldier at s: npc Soldier side red weapon rifle health 80 rounds 6 holstered
actor player at p: player side blue weapon pistol crouched
flavour laugh: after shoot takes 1
at 5: table = flipped
at 0.5: player moves to t
at 5: gate is blocked
at 2: noise at d radius 8
promise soldier plans go(wall), shoot by 10
promise soldier does go, laugh, shoot
promise soldier wants fight by 1
promise soldier never does go(crate)
promise player is dead
promise table = flipped by 6
promise soldier at wall
promise calls below 0.5 per second
promise heavy at most 1
promise nobody stands
";

fn read(text: &str) -> Result<Story, Box<(Report, Sources)>> {
    let Loaded { model, report, sources } = loaded(text);
    let story = model.map_or(Err(report), |model| Story::read(&model));
    story.map_err(|report| Box::new((report, sources)))
}

fn good(text: &str) -> Story {
    read(&format!("{DOMAIN}{text}")).unwrap_or_else(|refused| panic!("{:#?}", refused.0))
}

/// The mistakes of a story, a line each, without the name of the file.
fn mistakes(text: &str) -> Vec<String> {
    let (report, sources) = *read(&format!("{DOMAIN}{text}")).expect_err("a mistake");
    told(&report, &sources)
}

/// The one mistake that a story has after a change.
fn mistake(from: &str, to: &str) -> String {
    assert!(STORY.contains(from), "{from}");
    let mut all = mistakes(&STORY.replacen(from, to, 1));
    assert_eq!(all.len(), 1, "{from} -> {to}: {all:#?}");
    all.remove(0)
}

#[test]
fn a_story_is_read_whole() {
    let story = good(STORY);
    assert_eq!((story.name.as_str(), story.sentence.as_str()), ("cover", "He takes cover."));
    assert_eq!((story.lasts, story.pace.ticks_per_second), (240, 20));
    assert_eq!(story.map.len(), 4);
    let marks: Vec<(&str, [i16; 2])> =
        story.marks.iter().map(|mark| (mark.name.as_str(), [mark.cell.x, mark.cell.y])).collect();
    assert_eq!(marks, [("s", [1, 1]), ("c", [3, 1]), ("p", [6, 1]), ("d", [3, 2]), ("t", [5, 2])]);
    let [soldier, player] = &story.actors[..] else { panic!() };
    assert_eq!((soldier.npc, soldier.cell), (Some(0), Cell::new(1, 1)));
    assert_eq!((soldier.health, soldier.rounds, soldier.drawn), (80, 6, false));
    assert_eq!(soldier.weapon.as_deref(), Some("rifle"));
    assert_eq!((player.npc, player.side.as_str()), (None, "blue"));
    assert_eq!(
        (story.things[0].kind, &story.things[0].states[..]),
        (ThingKind::Door, &["shut".to_string(), "open".to_string()][..])
    );
    let names = [&story.things[0].name, &story.things[1].name];
    assert_eq!([&story.things[1].needs[0].0, &story.nodes[0].needs[0].0], names);
}

#[test]
fn the_script_is_sorted_by_time_and_then_by_text() {
    let story = good(STORY);
    let script: Vec<(u32, &str)> =
        story.script.iter().map(|entry| (entry.cue.tick().unwrap(), entry.text.as_str())).collect();
    assert_eq!(
        script,
        [
            (10, "player moves to t"),
            (40, "noise at d radius 8"),
            (100, "table = flipped"),
            (100, "gate is blocked"),
        ]
    );
    let first = &story.script[0];
    assert_eq!((first.who, &first.deed), (Some(1), &Deed::Moves(Cell::new(5, 2))));
}

#[test]
fn promises_know_their_actions() {
    let story = good(STORY);
    assert_eq!((story.promises[0].who, story.promises[1].who), (Some(0), Some(0)));
    let Claim::Plans(steps) = &story.promises[0].claim else { panic!() };
    assert_eq!((&steps[0].actions[..], steps[0].text.as_str()), (&[1][..], "go(wall)"));
    assert_eq!(
        (story.promises[0].by, story.promises[0].text.as_str()),
        (Some(200), "soldier plans go(wall), shoot by 10")
    );
    let Claim::Does(steps) = &story.promises[1].claim else { panic!() };
    assert_eq!(steps[0].actions, [0, 1, 2], "the bare name stands for all");
    assert_eq!((steps[1].flavour, steps[1].actions.len()), (Some(0), 0));
}

#[test]
fn whom_the_script_lets_appear_is_not_there_before() {
    let late = STORY
        .replace("at 2: noise at d radius 8", "at 2: player appears at p\nat 1: player leaves");
    assert!(good(&late).is_present(1), "leaves first");
    let late = STORY.replace("at 2: noise at d radius 8", "at 2: player appears at p");
    assert!(!good(&late).is_present(1));
}

#[test]
fn every_name_is_checked_and_the_nearest_is_named() {
    for (from, to, parts) in [
        (
            "player moves to t",
            "player moves to x",
            &["unknown mark `x`", "use one of: c, d, p, s, t"][..],
        ),
        ("player moves to t", "plaier moves to t", &["did you mean `player`"]),
        ("player moves to t", "player mooves to t", &["unknown deed", "did you mean `moves`"]),
        ("player moves to t", "soldier moves to t", &["has a mind"]),
        ("npc Soldier side", "npc Soldat side", &["unknown NPC type `Soldat`"]),
        (
            "table = flipped by",
            "table = fliped by",
            &["unknown state `fliped` of `table`", "`flipped`"],
        ),
        ("table = flipped by", "tabel = flipped by", &["did you mean `table`"]),
        ("needs gate = open", "needs gat = open", &["unknown thing `gat`; did you mean `gate`"]),
        ("does go, laugh", "does go, lauhg", &["unknown action", "did you mean `laugh`"]),
        ("plans go(wall), shoot", "plans go(wall), shot", &["did you mean `shoot`"]),
        ("never does go(crate)", "never does wave", &["is not in the `can` of `Soldier`"]),
        ("wants fight by", "wants figth by", &["unknown goal", "did you mean `fight`"]),
        ("wants fight by", "wants idle by", &["is not in the `wants` of `Soldier`"]),
        ("wants fight by", "starts shoot as fast by", &["unknown kind `fast`"]),
        ("soldier at wall", "soldier at wal", &["did you mean `wall`"]),
        ("player is dead", "player wants fight", &["`player` has no mind"]),
        ("side blue", "sied blue", &["did you mean `side`"]),
        ("gate at d: door", "gate at d: dor", &["unknown kind of thing", "did you mean `door`"]),
        ("weapon pistol", "weapon pistol riding gate", &["unknown vehicle"]),
        (
            "gate at d: door",
            "gate at d: door needs table = flipped",
            &["needs what in the end needs"],
        ),
        ("gate is blocked", "table is blocked", &["is no door"]),
        ("c: cover", "c: cover faces noth", &["unknown direction `noth`; did you mean `north`"]),
        ("gate = open\nnode", "gate by me\nnode", &["`gate` is no item", "needs THING = STATE"]),
        ("c: cover needs table = flipped", "c: cover needs gate by me", &["for all or for nobody"]),
        (
            "at d: door",
            "at d: door follows table = fliped -> open",
            &["unknown state `fliped` of `table`"],
        ),
        (
            "at d: door",
            "at d: door follows table = flipped -> opne",
            &["unknown state `opne` of `gate`", "did you mean `open`"],
        ),
        ("at d: door", "at d: door follows gate = open -> shut", &["`gate` follows itself"]),
        (
            "at d: door",
            "at d: door follows table = flipped -> open",
            &["needs what in the end needs", "need or follow nothing"],
        ),
        ("weapon pistol", "weapon pistol carries table", &["unknown item `table`"]),
        ("weapon pistol", "weapon pistol owns tabel", &["did you mean `table`"]),
        ("side red", "each side red", &["`each` is the last word"]),
        ("pace 20", "pace 20 bodies stop", &["`pass`"]),
    ] {
        let said = mistake(from, to);
        for part in parts {
            assert!(said.contains(part), "{to}: `{part}` is missing in {said}");
        }
    }
}

#[test]
fn numbers_and_repetitions_are_checked() {
    for (from, to, part) in [
        ("at 2: noise", "at 13: noise", "from 0 to 12"),
        ("by 10", "by ten", "found `ten`"),
        ("by 10", "by 100", "from 0 to 12"),
        ("heavy at most 1", "heavy at most 1.5", "not a whole number"),
        ("lasts 12", "lasts 0", "from 0.1 to 86400"),
        ("health 80", "health 0", "from 1 to"),
        ("health 80", "health 80 health 3", "said twice"),
        ("actor player at", "actor soldier at", "the name of something else"),
        ("nobody stands", "nobody stands by 3", "the whole story"),
        ("#s.c..p#", "#s.c..s#", "twice"),
        ("#s.c..p#", "#s.c..p", "this row has 7 cells"),
        ("#s.c..p#", "#s.c?.p#", "`?` means nothing"),
        ("flipped needs", "standing needs", "listed twice"),
        ("pace 20", "pace 20 accuracy 2", "from 0 to 1"),
        ("pace 20", "pace 20 seed 1.5", "not a whole number"),
        ("c: cover", "c: cover faces north arc 400", "from 1 to 360"),
        ("blue weapon", "blue times 99 weapon", "cells that one can stand in"),
    ] {
        let all = mistakes(&STORY.replacen(from, to, 1));
        assert!(all.iter().any(|said| said.contains(part)), "{to}: {all:#?}");
    }
}

#[test]
fn all_mistakes_come_at_once_in_the_order_of_the_text() {
    let text = STORY.replace("at d: door", "at x: door").replace("side red", "sied red");
    let all = mistakes(&text.replace("is dead", "is deaf"));
    assert_eq!(all.len(), 3, "{all:#?}");
    let lines: Vec<u32> =
        all.iter().map(|said| said.split(':').nth(1).unwrap().parse().unwrap()).collect();
    assert!(lines.is_sorted(), "{lines:?}");
}

#[test]
fn a_story_needs_a_map_and_there_is_one_story() {
    assert_eq!(mistakes("story empty \"Nothing.\" lasts 1\n").len(), 1);
    assert_eq!(mistakes(&format!("{STORY}story two \"Another.\" lasts 1\n")).len(), 1);
    assert_eq!(mistakes(&format!("{STORY}map \"..\"\n")).len(), 1);
}

#[test]
fn half_a_story_is_refused_and_never_worse() {
    let text = format!("{DOMAIN}{STORY}");
    for end in 0..text.len() {
        // Whatever it gives, it gives it in order.
        let _ = read(&text[..end]);
    }
    let words: Vec<&str> = STORY.split_inclusive([' ', '\n']).collect();
    for gap in 0..words.len() {
        let text: String =
            words.iter().enumerate().filter(|(at, _)| *at != gap).map(|(_, word)| *word).collect();
        let _ = read(&format!("{DOMAIN}{text}"));
    }
}

#[test]
fn one_stands_at_every_cell_with_the_mark_if_each_is_said() {
    let story = good(
        "story many \"Many.\" lasts 9 seed 7 accuracy 0.6 bodies pass
map \"aD.\" \".Do\" \"k.c\"
thing door at D: door shut, open each
thing key at k: item
thing oven1 at o: oven cold, hot needs key by me follows door = open -> hot
node c at c: cover faces southwest arc 90 radius 8 needs door = shut
actor a at a: npc Soldier side red ammo 30 owns oven1, door.2 carries key
",
    );
    assert_eq!((story.seed, story.accuracy, story.bodies_pass), (7, Some(0.6), true));
    let things: Vec<_> = story.things.iter().map(|it| (it.name.as_str(), it.cell)).collect();
    let [one, two] = [Cell::new(1, 0), Cell::new(1, 1)];
    assert_eq!(things[..2], [("door", one), ("door.2", two)]);
    // A key is carried, not fought with; an oven is a device of its own kind.
    assert_eq!((story.things[2].arms, story.things[3].sort.as_str()), (None, "oven"));
    assert_eq!(
        (story.things[3].kind, &story.things[3].keys[..]),
        (ThingKind::Device, &["key".to_string()][..])
    );
    assert_eq!(story.things[3].follows, [("door".into(), "open".into(), "hot".into())]);
    let faces = story.nodes[0].faces.unwrap();
    assert_eq!((faces.towards, faces.degrees), ((-1, 1), 90));
    let actor = &story.actors[0];
    assert_eq!(
        (actor.spare, &actor.owns[..], &actor.carries[..]),
        (Some(30), &["oven1".to_string(), "door.2".to_string()][..], &["key".to_string()][..])
    );
}

#[test]
fn a_mark_of_several_cells_is_for_each_and_for_nothing_else() {
    let text = "story many \"Many.\" lasts 9\nmap \"a.a\" \"..p\"\nactor p at p: player\n";
    let twice = mistakes(&format!("{text}actor a at a: npc Soldier\n"));
    assert!(twice[0].contains("on the map twice"), "{twice:?}");
    let each = format!("{text}actor a at a: npc Soldier each\n");
    let names: Vec<String> = good(&each).actor_names().map(str::to_string).collect();
    assert_eq!(names, ["p", "a", "a.2"]);
    let moved = mistakes(&format!("{each}at 1: p moves to a\n"));
    assert!(moved[0].contains("on the map 2 times"), "{moved:?}");
    let carried =
        mistakes(&format!("{text}thing k at p: item\nactor a at a: npc Soldier carries k each\n"));
    assert!(carried[0].contains("carry one `k`"), "{carried:?}");
    let named = mistakes(&format!(
        "{text}thing k at p: item\nnode a.2 at p: view\nactor a at a: npc Soldier each\n"
    ));
    assert!(!named.is_empty());
}
