//! Stories being played: who dies, leaves and comes back, and that it is the same each time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{model, tale_with};
use throng_base::codec::{Decoder, Encoder};
use throng_mind::Body;
use throng_mind::body::Ending;
use throng_mind::events::EventKind;
use throng_world::cell::Cell;
use throng_world::story::run::Play;
use throng_world::story::staging::Staging;

const TEXT: &str = "domain yard
var where: start, wall
var enemy: up, down
action go: where start -> wall  takes 2
action shoot: enemy up -> down while where = wall  takes 2
goal fight: enemy = down
npc Soldier
    can go, shoot
    wants fight
    starts where = start, enemy = up
story yard \"Somebody comes and goes.\" lasts 8
map \"#######\"
    \"#s.c.p#\"
    \"#..d..#\"
    \"#######\"
thing gate at d: door
actor soldier at s: npc Soldier side red
actor player at p: player side blue weapon pistol
";

fn play(script: &str, threads: usize) -> Play {
    tale_with(&format!("{TEXT}{script}"), Body::new(), threads)
}

/// Plays to a tick; every run that was started and ended on the way.
fn until(play: &mut Play, tick: u32) -> (Vec<u32>, Vec<(u32, Ending)>) {
    let (mut started, mut ended) = (Vec::new(), Vec::new());
    while play.now() < tick && play.tick() {
        for happening in play.happenings() {
            match happening.what {
                EventKind::Started { run, .. } => started.push(run),
                EventKind::Ended { run, how, .. } => ended.push((run, how)),
                _ => {}
            }
        }
    }
    (started, ended)
}

#[test]
fn a_story_ends_and_stays_ended() {
    let mut play = play("promise soldier does go, shoot\n", 1);
    let (started, ended) = until(&mut play, 1000);
    assert_eq!((play.now(), play.is_over(), play.tick()), (80, true, false));
    assert_eq!(started, [1, 2]);
    assert_eq!(ended, [(1, Ending::Done), (2, Ending::Done)]);
    assert!(play.is_kept());
}

#[test]
fn a_promise_that_is_open_is_not_kept() {
    let mut play = play("promise soldier does shoot\n", 1);
    until(&mut play, 10);
    assert!(!play.is_kept());
}

#[test]
fn who_dies_has_no_mind_and_what_he_did_has_ended_once() {
    let mut play = play("at 1: soldier dies\npromise soldier is dead by 1\n", 1);
    let (started, ended) = until(&mut play, 80);
    assert_eq!((started, ended), (vec![1], vec![(1, Ending::Cancelled)]));
    assert!(play.cast().mind(0).is_none() && play.minds().is_empty());
    assert!(play.is_kept(), "{:?}", play.judge().verdicts().collect::<Vec<_>>());
}

#[test]
fn who_leaves_is_nowhere_and_alive_and_may_come_back_with_a_new_mind() {
    let mut play =
        play("at 1: soldier leaves\nat 3: soldier appears at c\npromise soldier is alive\n", 1);
    until(&mut play, 15);
    assert!(play.cast().handle(0).is_none() && play.cast().mind(0).is_none());
    let drawn = play.world().draw_as(&play.cast().signs());
    assert!(!drawn.concat().contains(['S', '%']), "{drawn:#?}");
    let (started, _) = until(&mut play, 80);
    assert_eq!(started, [1, 2], "the new mind begins anew");
    let handle = play.cast().handle(0).unwrap();
    assert_eq!(play.world().actor(handle).unwrap().cell, Cell::new(3, 1));
    assert!(play.is_kept());
}

#[test]
fn who_appears_is_not_there_before() {
    let mut play = play("at 2: soldier appears at c\n", 1);
    until(&mut play, 19);
    assert!(play.cast().handle(0).is_none() && play.minds().is_empty());
    until(&mut play, 20);
    assert!(play.cast().mind(0).is_some());
}

#[test]
fn the_script_changes_the_world_and_says_what_had_no_effect() {
    let mut play = play(
        "at 1: player moves to c\nat 1: gate = open\nat 4: player dies\nat 5: player moves to p\n\
         promise gate = open\npromise player is dead by 4\n",
        1,
    );
    let mut worked = Vec::new();
    while play.tick() {
        worked.extend(play.scripted().iter().map(|scripted| (play.now(), scripted.worked)));
    }
    assert_eq!(worked, [(10, true), (10, true), (40, true), (50, false)]);
    let player = play.world().actor(play.cast().handle(1).unwrap()).unwrap();
    assert_eq!(player.cell, Cell::new(3, 1), "the dead stay where they are");
    assert!(play.is_kept());
}

#[test]
fn the_same_story_gives_the_same_digest_for_any_number_of_threads() {
    let script = "at 1: player moves to c\nat 3: soldier dies\n";
    let digest = |script: &str, threads: usize| {
        let mut play = play(script, threads);
        until(&mut play, 80);
        play.digest()
    };
    let one = digest(script, 1);
    assert_eq!([digest(script, 1), digest(script, 2), digest(script, 4)], [one; 3]);
    assert_ne!(digest("at 1: player moves to c\nat 2.9: soldier dies\n", 1), one);
}

#[test]
fn who_dies_leaves_and_comes_is_known_from_a_save_at_any_tick() {
    let scripts = [
        "at 1: soldier leaves\nat 3: soldier appears at c\npromise soldier is alive\n",
        "at 2: soldier appears at c\nat 5: player fires at soldier\npromise soldier does go\n",
        "at 1: player moves to c\nat 1: gate = open\nat 4: player dies\nat 5: soldier dies\n",
        "at 1: player throws grenade at d\nat 2: noise at s radius 5\npromise soldier is dead\n",
    ];
    for script in scripts {
        let mut whole = play(script, 1);
        let mut saves = vec![whole.save()];
        while whole.tick() {
            saves.push(whole.save());
        }
        for (now, bytes) in saves.iter().enumerate() {
            let mut again = play(script, 2);
            again.restore(bytes).unwrap_or_else(|why| panic!("{script} at {now}: {why}"));
            assert!(again.save() == *bytes, "{script} at {now}");
            while again.tick() {}
            assert!(again.save() == saves[saves.len() - 1], "{script} from {now} on");
            assert_eq!(again.digest(), whole.digest(), "{script} from {now} on");
        }
    }
}

#[test]
fn a_save_says_how_its_story_is_staged_and_another_staging_is_refused() {
    let (model, _) = model(&format!("{TEXT}promise soldier does go by 5\n"));
    let staged = |staging: &Staging| Play::staged(&model, staging, 1).unwrap();
    let plain = Staging::default();
    for other in [
        Staging { seed: Some(7), ..plain },
        Staging { late: Some(3), ..plain },
        Staging { late: Some(0), questions: Some(4), ..plain },
    ] {
        let mut play = staged(&other);
        until(&mut play, 20);
        let (bytes, stage) = (play.save(), play.save_stage());
        assert_eq!(Staging::of_save(&bytes).unwrap(), other);
        assert_eq!(Staging::of_stage(&stage).unwrap(), other);
        assert!(Staging::of_save(&stage).is_err() && Staging::of_stage(&bytes).is_err());
        let mut fresh = staged(&plain);
        let before = fresh.save();
        let why = fresh.restore(&bytes).unwrap_err().to_string();
        assert!(why.contains("staged as this one is"), "{why}");
        assert!(fresh.save() == before);
        let mut fresh = staged(&other);
        fresh.restore(&bytes).unwrap();
        assert_eq!((fresh.digest(), fresh.staging()), (play.digest(), other));
        assert_eq!(fresh.story().promises[0].by, play.story().promises[0].by);
    }
}

/// The bytes under a seal, and how many it takes in all.
fn unsealed(bytes: &[u8]) -> (&[u8], usize) {
    let mut from = Decoder::new(bytes);
    let mut whole = from.unseal().unwrap();
    (whole.raw(whole.left()).unwrap(), from.at())
}

/// A save in which the minds know one more word, and bytes follow that belong to nothing; under
/// seals of its own, as if it had been written so.
fn with_a_word_learnt(play: &Play, behind: &[u8]) -> Vec<u8> {
    let table = |more: &[&str]| {
        let words = &play.minds().spec().words;
        let all: Vec<&str> = words.iter().chain(more.iter().copied()).collect();
        Encoder::bytes_of(&all)
    };
    let place = |all: &[u8], part: &[u8]| all.windows(part.len()).position(|some| some == part);
    let (known, learnt) = (table(&[]), table(&["a word nobody has heard"]));
    let bytes = play.save();
    let begin = 1 + place(&bytes, b"\n").unwrap();
    let (whole, _) = unsealed(&bytes[begin..]);
    let line_at = place(whole, b"throng minds ").unwrap();
    let line = &whole[line_at..=line_at + place(&whole[line_at..], b"\n").unwrap()];
    let (minds, length) = unsealed(&whole[line_at + line.len()..]);
    // How long they are stands before them.
    let end = line_at + line.len() + length;
    let minds_at = line_at - Encoder::bytes_of(&(end - line_at)).len();
    let at = place(minds, &known).unwrap();
    let mut to = Encoder { bytes: bytes[..begin].to_vec() };
    to.seal(|to| {
        to.raw(&whole[..minds_at]);
        let mut section = Encoder { bytes: line.to_vec() };
        section.seal(|to| to.raw(&[&minds[..at], &learnt, &minds[at + known.len()..]].concat()));
        to.section(&section.bytes);
        to.raw(&[&whole[end..], behind].concat());
    });
    to.bytes
}

#[test]
fn a_save_that_is_refused_changes_nothing_at_all() {
    let mut other = play("promise soldier does go\n", 1);
    until(&mut other, 30);
    let right = with_a_word_learnt(&other, &[]);
    // What is wrong comes behind the minds, which are right.
    let wrong = with_a_word_learnt(&other, &[0]);
    let mut live = play("promise soldier does go\n", 1);
    while live.minds().events().is_empty() || live.happenings().is_empty() {
        assert!(live.tick());
    }
    let all = |play: &Play| {
        let minds = play.minds();
        let happened = (format!("{:?}", play.happenings()), minds.events().to_vec());
        (play.save(), play.digest(), minds.totals(), minds.spec().words.len(), happened)
    };
    let before = all(&live);
    assert!(before.2.calls > 0, "{:?}", before.2);
    assert!(live.restore(&wrong).is_err());
    assert!(all(&live) == before);
    // Without the last byte it is a play.
    live.restore(&right).unwrap();
    assert_eq!(live.minds().spec().words.len(), before.3 + 1);
    assert_eq!(live.digest(), other.digest());
}
