//! Every story can be recorded and lives again from its recording alone: without the world,
//! without the code, tick by tick the same.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use crate::recorded::{GAME, begin, record, record_play, source, stories, story};
use throng_lab::corpus::is_large;
use throng_mind::body::{Body, Progress, Work};
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::prelude::{Acting, Event, EventKind, Minds, Order, Sensing, Stimulus};
use throng_mind::time::Pace;
use throng_trace::{Recorder, RecorderSettings, RecordingSource, Replay};
use throng_world::story::run::Play;
use throng_world::story::staging::Staging;

#[test]
fn every_story_lives_again_from_its_recording_alone_tick_by_tick() {
    for file in stories() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        // Of markets the smaller one is enough.
        if name == "market_hundred" {
            continue;
        }
        let domain = story(&name);
        let recorded = record(&domain, 1, 10.0, 0);
        let mut play = begin(&domain, 1);
        while play.tick() {}
        assert_eq!(play.digest(), recorded.digest, "{name}: recording changes nothing");
        let mut replay = Replay::open(recorded.bytes.clone()).unwrap();
        assert_eq!(replay.damage(), None, "{name}");
        for (tick, digest) in recorded.minds.iter().enumerate() {
            assert_eq!(replay.now() as usize, tick, "{name}");
            assert_eq!(replay.minds().digest(), *digest, "{name}, tick {tick}");
            let stepped = replay.step().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(stepped, tick + 1 < recorded.minds.len(), "{name}");
        }
        let (last, game) = replay.game_at(replay.last()).unwrap();
        assert_eq!((last, game), (play.now(), GAME), "{name}");
        // All keyframes but the first are compared with the minds, byte by byte.
        let keyframes = replay.recording().keyframes().count();
        let checked = replay.check().unwrap();
        assert_eq!(checked.ticks as usize, recorded.minds.len() - 1, "{name}");
        assert_eq!(checked.keyframes as usize, keyframes - 1, "{name}");
        if !is_large(&file) {
            let three = record(&domain, 3, 10.0, 0);
            assert_eq!(three.bytes, recorded.bytes, "{name}: three threads write the same");
            check_with_a_budget(&name, &domain);
        }
        println!("{name}: {} bytes, {:?}", recorded.bytes.len(), recorded.figures);
    }
}

/// Three minds may ask the planner in a tick: who has to wait waits again, tick by tick.
fn check_with_a_budget(name: &str, domain: &throng::Domain) {
    let mut play = begin(domain, 1);
    play.minds_mut().set_budget(Some(3));
    let (settings, source) = (RecorderSettings::default(), source(domain, &play));
    let mut recorder = Recorder::ring(1e6, settings, play.minds_mut(), source, GAME).unwrap();
    let mut minds = vec![play.minds().digest()];
    while play.tick() {
        recorder.after_tick(play.minds_mut(), GAME).unwrap();
        minds.push(play.minds().digest());
    }
    recorder.finish(play.minds_mut(), GAME).unwrap();
    let mut replay = Replay::open(recorder.save_last(1e6).unwrap()).unwrap();
    assert_eq!((replay.damage(), replay.minds().budget()), (None, Some(3)), "{name}");
    for (tick, digest) in minds.iter().enumerate() {
        assert_eq!(replay.minds().digest(), *digest, "{name} with a budget, tick {tick}");
        replay.step().unwrap_or_else(|error| panic!("{name} with a budget: {error}"));
    }
    replay.check().unwrap_or_else(|error| panic!("{name} with a budget: {error}"));
}

/// What he may do he asks the world, in every tick in which it matters.
const ASKS: &str = "domain asks
body kit
sensor self: every 0.1 keeps 1
sensor see: on sight keeps 20
sensor ways: every 0.3 keeps 2
fact wish
select target: one of character(knowledge = alive)   score distance of it curve 0 1, 30 0.1
var at: here, there
check clear: asks sight of target   keeps 0.3   default false
check near: asks path of target   keeps 0.3   default false
action go: at here -> there   if clear, near   takes 1
action back: at there -> here   if not clear   takes 1
action wait: takes 1
goal gone: at = there   relevance if wish
goal home: at = here   priority 0.5   relevance if wish
npc one
    can go, back, wait
    wants gone, home
    otherwise wait
    starts at = here
story asks \"He goes while the way to whom he knows is clear.\"
    lasts 12
map
    \"#################\"
    \"#.s....#......E.#\"
    \"#......#........#\"
    \"#.....C.........#\"
    \"#################\"
actor s at s: npc one side red
actor t at s: npc one side red
actor e at E: player side blue
at 1: e appears at C
at 2: everybody is told wish for 9
at 5: e moves to E
promise s does go by 9
";

/// Questions are answered after the tick that asks them, or some ticks later: the answers are in
/// the recording, before keyframes, after them, and where it begins in the middle.
#[test]
fn stories_whose_questions_are_answered_live_again_from_their_recordings() {
    let asks = throng::Domain::from_text(ASKS).unwrap();
    let staged = |late, questions| Staging { late, questions, ..Staging::default() };
    for (name, domain, staging) in [
        ("office", &story("office"), staged(Some(3), Some(4))),
        ("courtyard", &story("courtyard"), staged(Some(1), None)),
        ("stalker", &story("stalker"), staged(Some(0), Some(2))),
        ("asks", &asks, staged(None, None)),
        ("asks, late", &asks, staged(Some(3), Some(1))),
    ] {
        let begin = |threads| Play::staged(domain.model(), &staging, threads).unwrap();
        let recorded = record_play(domain, begin(1), 3.0, 0);
        let mut play = begin(1);
        let mut asked = 0;
        while play.tick() {
            asked += play.minds().questions().len();
        }
        assert!(asked > 20, "{name}: {asked} questions");
        assert_eq!(play.digest(), recorded.digest, "{name}: recording changes nothing");
        let three = record_play(domain, begin(3), 3.0, 0);
        assert_eq!(three.bytes, recorded.bytes, "{name}: three threads write the same");
        let mut replay = Replay::open(recorded.bytes.clone()).unwrap();
        assert_eq!(replay.damage(), None, "{name}");
        let keyframes = replay.recording().keyframes().count();
        let checked = replay.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(checked.ticks as usize, recorded.minds.len() - 1, "{name}");
        assert_eq!(checked.keyframes as usize, keyframes - 1, "{name}");
        let last = replay.last();
        for tick in (0..=last).chain((0..last).rev().step_by(17)) {
            replay.seek(tick).unwrap();
            assert_eq!(replay.minds().digest(), recorded.minds[tick as usize], "{name} {tick}");
        }
        check_the_last_seconds(name, begin(1), source(domain, &play), &recorded.minds);
    }
}

/// A ring that begins where questions are open goes on as the play did.
fn check_the_last_seconds(name: &str, mut play: Play, source: RecordingSource, minds: &[u64]) {
    let settings = RecorderSettings::default().keyframe_every(1.0);
    let mut recorder = Recorder::ring(2.0, settings, play.minds_mut(), source, GAME).unwrap();
    while play.tick() {
        recorder.after_tick(play.minds_mut(), GAME).unwrap();
        if play.now() % 29 == 5 {
            let mut replay = Replay::open(recorder.save_last(2.0).unwrap()).unwrap();
            replay.check().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(replay.minds().digest(), minds[play.now() as usize], "{name}");
        }
    }
}

#[test]
fn any_tick_can_be_gone_to_and_inspected_as_it_was_inspected_live() {
    for file in stories() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if is_large(&file) {
            continue;
        }
        let recorded = record(&story(&name), 1, 3.0, 17);
        let mut replay = Replay::open(recorded.bytes).unwrap();
        // To and fro, so that most ways lead over a keyframe.
        let mut order: Vec<usize> = (0..recorded.inspected.len()).collect();
        order.sort_by_key(|at| at.wrapping_mul(0x9e37_79b9) % 1009);
        for at in order {
            let (tick, mind, live) = &recorded.inspected[at];
            replay.seek(*tick).unwrap();
            assert_eq!(replay.now(), *tick);
            assert_eq!(replay.minds().digest(), recorded.minds[*tick as usize], "{name} {tick}");
            assert_eq!(replay.minds().inspect(*mind).as_ref(), Some(live), "{name} {tick}");
        }
    }
}

#[test]
fn events_are_told_again_as_they_were() {
    for name in ["ten_soldiers", "grenade", "late_choice"] {
        let domain = story(name);
        let mut play = begin(&domain, 1);
        let (settings, source) = (RecorderSettings::default(), source(&domain, &play));
        let mut recorder = Recorder::ring(1e6, settings, play.minds_mut(), source, &[]).unwrap();
        let mut happened = vec![Vec::new()];
        while play.tick() {
            recorder.after_tick(play.minds_mut(), &[]).unwrap();
            happened.push(play.happenings().iter().map(|it| it.what).collect());
        }
        let mut replay = Replay::open(recorder.save_last(1e6).unwrap()).unwrap();
        for tick in (1..happened.len()).rev() {
            replay.seek(tick as u32).unwrap();
            let told: Vec<_> = replay.events().iter().map(|event| event.what).collect();
            assert_eq!(told, happened[tick], "{name}, tick {tick}");
        }
    }
}

#[test]
fn a_ring_keeps_the_last_seconds_and_not_much_more() {
    let domain = story("ten_soldiers");
    let mut play = begin(&domain, 1);
    let pace = play.story().pace;
    let (settings, source) = (
        RecorderSettings::default().keyframe_every(2.0).note("story", "ten_soldiers"),
        source(&domain, &play),
    );
    let mut recorder = Recorder::ring(5.0, settings, play.minds_mut(), source, GAME).unwrap();
    let mut minds = vec![play.minds().digest()];
    let mut most = 0;
    while play.tick() {
        recorder.after_tick(play.minds_mut(), GAME).unwrap();
        minds.push(play.minds().digest());
        most = most.max(recorder.bytes_kept());
        if !play.now().is_multiple_of(37) {
            continue;
        }
        for seconds in [1.0, 5.0] {
            let mut replay = Replay::open(recorder.save_last(seconds).unwrap()).unwrap();
            assert_eq!(replay.header().note("story"), Some("ten_soldiers"));
            let wanted = play.now().saturating_sub(pace.ticks(seconds));
            assert!(replay.first() <= wanted, "{} {wanted}", replay.first());
            assert!(replay.first() + pace.ticks(2.0) >= wanted, "no more than a segment");
            assert_eq!(replay.last(), play.now());
            replay.check().unwrap();
            assert_eq!(replay.minds().digest(), minds[replay.last() as usize]);
            let first = replay.first();
            replay.seek(first).unwrap();
            assert_eq!(replay.minds().digest(), minds[first as usize]);
        }
    }
    let all = recorder.figures();
    let all = (all.tick_bytes + all.keyframe_bytes) as usize;
    assert!(most < all / 2, "{most} of {all} bytes are kept");
}

const OLD: &str = "domain d
var v: a, b, c
action first: v a -> b   does code
action second: v b -> c   takes 0.3
action back: v c -> a   does code
goal g: v = c   priority 2
goal h: v = a   relevance if noise(age < 1)   priority 5
npc n
    can first, second, back
    wants g, h
    starts v = a
sensor ears: on noise keeps 2
sensor eyes: every 0.2 keeps 1
";

const NEW: &str = "domain d
var v: a, b, c
var w: up, down
action second: v b -> c   takes 0.2
action first: v a -> b   does code   takes 1
action back: v c -> a   does code
action duck: w up -> down   does code
goal g: v = c, w = down   priority 2
goal h: v = a   relevance if noise(age < 1)   priority 5
npc n
    can second, first, back, duck
    wants g, h
    starts v = a, w = up
sensor eyes: every 0.3 keeps 1
sensor ears: on noise keeps 2
";

fn game() -> Body<u32> {
    let eyes = |sensing: &mut Sensing<'_, u32>| {
        let seen = sensing.fact("thing").with(Attribute::Index, *sensing.world as f32, 0.5);
        let id = sensing.remember_one(seen, &[]);
        if sensing.world.is_multiple_of(3) {
            sensing.lower(id, Attribute::Index, 0.2);
            sensing.share(seen.keep(4));
        }
        if sensing.world.is_multiple_of(5) {
            sensing.forget(id);
        }
        *sensing.state += 1;
        if sensing.world.is_multiple_of(2) { Work::Heavy } else { Work::Light }
    };
    let code = |acting: &mut Acting<'_, u32>| {
        acting.board.order(Order::Target { at: Some(EntityId(u64::from(*acting.world))) });
        acting.board.engaged = Some(acting.word("thing"));
        *acting.state += 7;
        acting.remember(acting.fact("deed"), 20);
        Progress::Until(acting.now + 3)
    };
    Body::new().sensor("eyes", eyes).behaviour("code", code).words(&["thing", "deed"])
}

fn file(text: &str, pace: Pace) -> (throng_mind::spec::Spec, RecordingSource) {
    let domain = throng::Domain::from_text(text).unwrap();
    let spec = domain.mind_spec(pace.ticks_per_second).unwrap();
    (spec, RecordingSource::of(domain.model().sources(), pace))
}

#[test]
fn minds_that_a_new_file_ends_end_again_in_the_replay_and_a_refused_file_is_not_in_it() {
    let pace = Pace { ticks_per_second: 10 };
    let (spec, first) = file(&format!("{OLD}{}", second_type("m")), pace);
    let mut minds = Minds::new(spec, game(), 1).unwrap();
    let mut recorder =
        Recorder::ring(1e6, RecorderSettings::default(), &mut minds, first, &[]).unwrap();
    for (me, npc) in (1..).zip(["n", "m", "m", "n"]) {
        let npc = minds.spec().domain.map().find_npc(npc).unwrap();
        minds.spawn(npc, EntityId(me)).unwrap();
    }
    let mut digests = vec![minds.digest()];
    for now in 1..60u32 {
        let (without, source) = file(OLD, pace);
        match now {
            20 => assert_eq!(minds.reload(without, &now).unwrap_err().gone[0].minds, 2),
            30 => {
                assert_eq!(minds.reload_and_end(without, &now).unwrap().ended, 2);
                recorder.reloaded(source);
            }
            _ => {}
        }
        minds.tick(&now, now);
        recorder.after_tick(&mut minds, &[]).unwrap();
        digests.push(minds.digest());
    }
    assert_eq!(minds.len(), 2);
    let mut replay = Replay::open(recorder.save_last(1e6).unwrap()).unwrap();
    replay.check().unwrap();
    for tick in [59, 29, 30, 31, 20] {
        replay.seek(tick).unwrap();
        assert_eq!(replay.minds().digest(), digests[tick as usize], "tick {tick}");
    }
}

#[test]
fn mistakes_of_code_are_told_live_and_do_not_disturb_the_replay() {
    let pace = Pace { ticks_per_second: 10 };
    let (spec, source) = file(OLD, pace);
    let eyes = |sensing: &mut Sensing<'_, u32>| {
        let seen = sensing.fact("thnig").with(Attribute::Node, *sensing.world as f32, 0.5);
        sensing.remember_one(seen.with(Attribute::Index, 2.0, 0.5), &[]);
        Work::Light
    };
    let code = |acting: &mut Acting<'_, u32>| Progress::Failed(acting.word("tierd"));
    let body = Body::new().sensor("eyes", eyes).behaviour("code", code);
    let mut minds = Minds::new(spec, body.words(&["thing", "tired"]), 1).unwrap();
    let mut recorder =
        Recorder::ring(1e6, RecorderSettings::default(), &mut minds, source, &[]).unwrap();
    let npc = minds.spec().domain.map().find_npc("n").unwrap();
    let id = minds.spawn(npc, EntityId(1)).unwrap();
    let (mut digests, mut events) = (vec![minds.digest()], 0);
    for now in 1..60u32 {
        minds.tick(&now, now);
        let is_told = |event: &&Event| matches!(event.what, EventKind::Mistake(_));
        events += minds.events().iter().filter(is_told).count();
        recorder.after_tick(&mut minds, &[]).unwrap();
        digests.push(minds.digest());
    }
    let made: Vec<_> = minds.mistakes().iter().map(|it| it.by.as_str()).collect();
    assert_eq!(made, ["eyes", "eyes", "code"], "{:?}", minds.mistakes());
    assert!(events > 20, "{events}");
    let mut replay = Replay::open(recorder.save_last(1e6).unwrap()).unwrap();
    replay.check().unwrap();
    for tick in [59, 7, 30] {
        replay.seek(tick).unwrap();
        assert_eq!(replay.minds().digest(), digests[tick as usize], "tick {tick}");
        assert_eq!(replay.minds().inspect(id).is_some(), tick > 0);
        assert!(replay.minds().mistakes().is_empty(), "no code was called");
    }
}

/// Somebody else who does what the type `n` of the file does.
fn second_type(name: &str) -> String {
    format!("npc {name}\n    can second, first, back\n    wants g\n    starts v = a\n")
}

#[test]
fn a_new_file_in_the_middle_of_a_recording_is_replayed_and_can_be_gone_to() {
    let pace = Pace { ticks_per_second: 10 };
    let (spec, first) = file(OLD, pace);
    let mut minds = Minds::new(spec, game(), 1).unwrap();
    let settings = RecorderSettings::default().keyframe_every(1.5);
    let mut recorder = Recorder::ring(1e6, settings, &mut minds, first, &[]).unwrap();
    let npc = minds.spec().domain.map().find_npc("n").unwrap();
    let mut ids = Vec::new();
    let mut digests = vec![minds.digest()];
    for now in 1..200u32 {
        if now % 20 == 1 {
            ids.push(minds.spawn(npc, EntityId(u64::from(now))).unwrap());
        }
        if now.is_multiple_of(7) {
            let noise = Stimulus::new(minds.word("noise").unwrap(), [1.0, now as f32, 0.0]);
            minds.tell(ids[now as usize % ids.len()], noise).unwrap();
        }
        if now.is_multiple_of(31) {
            minds.interrupt(ids[0], &now).unwrap();
            minds.despawn(ids.remove(1), &now).unwrap();
        }
        for (at, text) in [(61, NEW), (120, OLD), (121, NEW)] {
            if now == at {
                let (spec, source) = file(text, pace);
                minds.reload(spec, &now).unwrap();
                recorder.reloaded(source);
            }
        }
        minds.tick(&now, now);
        recorder.after_tick(&mut minds, &[]).unwrap();
        digests.push(minds.digest());
    }
    let mut replay = Replay::open(recorder.save_last(1e6).unwrap()).unwrap();
    replay.check().unwrap();
    for tick in [199, 3, 62, 61, 60, 119, 125, 120, 122, 1] {
        replay.seek(tick).unwrap();
        assert_eq!(replay.minds().digest(), digests[tick as usize], "tick {tick}");
    }
    // Those that begin after a new file know it.
    let mut replay = Replay::open(recorder.save_last(3.0).unwrap()).unwrap();
    assert!(replay.first() > 121);
    replay.check().unwrap();
    assert_eq!(replay.minds().digest(), digests[199]);
    let mut play = recorder;
    let (spec, _) = file(OLD, pace);
    minds.reload(spec, &200).unwrap();
    minds.tick(&200, 200);
    let stopped = play.after_tick(&mut minds, &[]).unwrap_err().to_string();
    assert_eq!(stopped, "a new file was loaded and `reloaded` was not called");
}
