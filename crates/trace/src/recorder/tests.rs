//! What a recorder takes and what it refuses, how a recording ends, and what only forgers write.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::*;
use crate::frame::Kind;
use crate::{Recording, RecordingError, Replay, forge};
use std::sync::Mutex;
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits};
use throng_mind::body::{Body, Sensing, Work};
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::orders::MindId;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_planner::PreparedDomain;

const TEXT: &str = "domain d
var x: a, b
action go: x a -> b   takes 0.3
action back: x b -> a   takes 0.2
goal g: x = b   relevance if thing(age < 0.5)
goal h: x = a
npc n
    can go, back
    wants g, h
    starts x = a
sensor eyes: every 0.1 keeps 1
";

/// Another thing is picked every half second.
const PICKS: &str = "domain d
var x: a, b
select target: one of thing   margin 0
action go: x a -> b
goal g: x = b   relevance if target
npc n
    can go
    wants g
    starts x = a
sensor eyes: every 0.1 keeps 0.1
";

/// What is there to do is asked of the game.
const ASKS: &str = "domain d
var x: a, b
check dry: asks weather   keeps 0.2   default false
check calm: told   default true
action go: x a -> b   if dry   takes 0.2
action back: x b -> a   if calm   takes 0.2
goal g: x = b   relevance if thing(age < 0.5)
goal h: x = a   priority 0.5
npc n
    can go, back
    wants g, h
    starts x = a
sensor eyes: every 0.1 keeps 1
";

/// Minds that see something now and then, with the texts that they are made of.
fn minds() -> (Minds<()>, RecordingSource) {
    minds_of(TEXT)
}

fn minds_of(text: &str) -> (Minds<()>, RecordingSource) {
    let loaded = load(
        "d.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let model = loaded.model.unwrap();
    let pace = Pace { ticks_per_second: 10 };
    let spec = Spec::read(&model, Arc::new(PreparedDomain::new(&model)), pace).unwrap();
    let eyes = |sensing: &mut Sensing<'_, ()>| {
        if sensing.now % 9 < 3 {
            let seen = sensing.fact("thing").with(Attribute::Index, sensing.now as f32, 0.5);
            let id = EntityId(u64::from(sensing.now / 9));
            sensing.remember_one(seen.with(Attribute::Object, id, 1.0), &[]);
        }
        Work::Light
    };
    let body = Body::new().sensor("eyes", eyes).words(&["thing"]);
    (Minds::new(spec, body, 1).unwrap(), RecordingSource::of(model.sources(), pace))
}

fn spawn(minds: &mut Minds<()>) -> MindId {
    let npc = minds.spec().domain.map().find_npc("n").unwrap();
    minds.spawn(npc, EntityId(1)).unwrap()
}

/// A writer whose bytes can be looked at.
#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Minds recorded up to a tick, who records them, and where to.
fn recorded(ticks: Tick) -> (Minds<()>, Recorder, Bytes) {
    let (mut minds, source) = minds();
    let to = Bytes::default();
    let mut recorder =
        Recorder::to(to.clone(), RecorderSettings::default(), &mut minds, source, b"").unwrap();
    spawn(&mut minds);
    live(&mut minds, &mut recorder, 1..=ticks);
    (minds, recorder, to)
}

fn live(minds: &mut Minds<()>, recorder: &mut Recorder, ticks: impl IntoIterator<Item = Tick>) {
    for now in ticks {
        minds.tick(&(), now);
        recorder.after_tick(minds, b"").unwrap();
    }
}

fn read(to: &Bytes) -> Recording {
    Recording::read(to.0.lock().unwrap().clone()).unwrap()
}

/// How often a check compares the minds with a keyframe; it must find nothing.
fn checked(recording: Recording) -> u32 {
    Replay::of(recording).unwrap().check().unwrap().keyframes
}

#[test]
fn a_recording_is_whole_only_if_it_says_where_it_ends() {
    let (mut minds, mut recorder, to) = recorded(5);
    let unfinished = read(&to);
    let damage = unfinished.damage().unwrap();
    assert_eq!((damage.tick, &damage.why), (5, &None));
    assert_eq!(damage.to_string(), "not finished, ends after tick 5");
    checked(unfinished);
    recorder.finish(&mut minds, b"").unwrap();
    let whole = read(&to);
    assert_eq!(whole.damage(), None);
    let ends: Vec<usize> = whole.frame_ends().collect();
    // Without the mark of the end alone, and cut before the closing keyframe.
    for cut in [ends[ends.len() - 2], ends[ends.len() - 3]] {
        let cut = Recording::read(to.0.lock().unwrap()[..cut].to_vec()).unwrap();
        assert_eq!(cut.damage().unwrap().to_string(), "not finished, ends after tick 5");
    }
    // Nothing comes after the end, and the end is that of the last tick.
    let other = forge(&whole, Some(ends.len() - 2), &mut |end| end[0] = 4);
    let other = Recording::read(other).unwrap();
    assert!(other.damage().unwrap().to_string().ends_with("this is no end after this tick"));
    let mut more = Encoder { bytes: to.0.lock().unwrap().clone() };
    let tail = &more.bytes[more.bytes.len() - 8..];
    let link = u64::from_le_bytes(tail.try_into().unwrap());
    frame::write(&mut more, link, Kind::End, &[5]);
    let more = Recording::read(more.bytes).unwrap();
    assert!(more.damage().unwrap().to_string().ends_with("something comes after the end"));
}

#[test]
fn a_tick_that_could_not_be_replayed_is_not_recorded() {
    let stops = |minds: &mut Minds<()>, recorder: &mut Recorder, what: &str| {
        let stopped = recorder.after_tick(minds, b"");
        assert!(matches!(stopped, Err(RecorderError::NotRecorded)), "{what}: {stopped:?}");
        assert!(!minds.is_recording(), "{what}");
    };
    let (mut minds, mut recorder, to) = recorded(5);
    minds.tick(&(), 6);
    minds.tick(&(), 7);
    stops(&mut minds, &mut recorder, "left out once");
    checked(read(&to));
    let (mut minds, mut recorder, _) = recorded(5);
    minds.restore(&minds.save()).unwrap();
    minds.tick(&(), 6);
    stops(&mut minds, &mut recorder, "restored");
    let (mut minds, mut recorder, _) = recorded(5);
    minds.stop_recording();
    minds.record().unwrap();
    minds.tick(&(), 6);
    minds.forget_entries();
    stops(&mut minds, &mut recorder, "taken by somebody else");
}

/// Calls of minds, each with other effects: of what enters, ends, begins, is asked and answered.
const DOORS: [fn(&mut Minds<()>); 10] = [
    |minds| minds.questions().to_vec().iter().for_each(|it| _ = minds.answer(it.id, true)),
    |minds| _ = spawn(minds),
    |minds| minds.set_place(first(minds), [1.0, 2.0, 3.0]).unwrap(),
    |minds| minds.interrupt(first(minds), &()).unwrap(),
    |minds| minds.set_check(first(minds), "calm", minds.now() % 3 > 0).unwrap(),
    |minds| minds.set_budget(Some(minds.now() % 4)),
    |minds| {
        let aside = minds.put_aside(first(minds)).unwrap();
        minds.restore_mind(&aside).unwrap();
    },
    |minds| _ = minds.despawn(first(minds), &()),
    |minds| minds.set_side(first(minds), minds.word("thing").unwrap()).unwrap(),
    |_| {},
];

fn first(minds: &Minds<()>) -> MindId {
    minds.iter().next().unwrap().id()
}

#[test]
fn what_enters_between_a_tick_and_its_recording_is_recorded_with_it() {
    let (mut minds, source) = minds_of(ASKS);
    let to = Bytes::default();
    // Every third tick has a keyframe after it.
    let settings = RecorderSettings::default().keyframe_every(0.3);
    let mut recorder = Recorder::to(to.clone(), settings, &mut minds, source, b"").unwrap();
    let (mut digests, mut events) = (vec![minds.digest()], vec![Vec::new()]);
    spawn(&mut minds);
    for now in 1..=120 {
        let told = minds.events().len();
        DOORS[now as usize / 10 % DOORS.len()](&mut minds);
        let mut happened = minds.events()[told..].to_vec();
        minds.tick(&(), now);
        for at in 0..now as usize % 3 {
            DOORS[(now as usize + at) % DOORS.len()](&mut minds);
        }
        if minds.is_empty() {
            spawn(&mut minds);
        }
        recorder.after_tick(&mut minds, b"").unwrap();
        happened.extend_from_slice(minds.events());
        digests.push(minds.digest());
        events.push(happened);
    }
    assert!(minds.totals().asked > 20, "somebody plans when he is answered");
    recorder.finish(&mut minds, b"").unwrap();
    let recording = read(&to);
    assert_eq!(recording.damage(), None);
    let mut replay = Replay::of(recording).unwrap();
    assert!(replay.check().unwrap().keyframes > 30);
    for tick in (0..=120).rev().chain(0..=120) {
        replay.seek(tick).unwrap();
        assert_eq!(replay.minds().digest(), digests[tick as usize], "tick {tick}");
        assert_eq!(replay.events(), events[tick as usize], "tick {tick}");
    }
}

#[test]
fn a_second_recorder_is_refused_and_harms_nothing() {
    let (mut minds, mut recorder, to) = recorded(5);
    let (_, source) = self::minds();
    let second = Recorder::ring(1.0, RecorderSettings::default(), &mut minds, source, b"");
    assert!(matches!(second, Err(RecorderError::Taken(_))));
    live(&mut minds, &mut recorder, 6..9);
    recorder.finish(&mut minds, b"").unwrap();
    assert_eq!((read(&to).damage(), checked(read(&to))), (None, 1));
    let (_, source) = self::minds();
    assert!(Recorder::ring(1.0, RecorderSettings::default(), &mut minds, source, b"").is_ok());
}

#[test]
fn what_enters_after_the_last_tick_is_not_in_the_recording() {
    type Enter = fn(&mut Minds<()>);
    let enters: [Enter; 4] = [
        |minds| _ = spawn(minds),
        |minds| _ = minds.despawn(MindId(1), &()),
        |minds| minds.set_budget(Some(3)),
        |minds| minds.tick(&(), 6),
    ];
    for enter in enters {
        let (mut minds, mut recorder, to) = recorded(5);
        enter(&mut minds);
        recorder.finish(&mut minds, b"").unwrap();
        let recording = read(&to);
        assert_eq!((recording.damage(), recording.last()), (None, 5));
        assert_eq!(checked(recording), 0, "no keyframe of it");
    }
}

#[test]
fn a_ring_is_bounded_by_its_seconds_whatever_the_settings_say() {
    let (mut minds, source) = minds();
    let settings = RecorderSettings::default().keyframe_every(1e6);
    let mut recorder = Recorder::ring(2.0, settings, &mut minds, source, b"").unwrap();
    spawn(&mut minds);
    let mut kept = Vec::new();
    for now in 1..=4_000 {
        live(&mut minds, &mut recorder, [now]);
        kept.push(recorder.bytes_kept());
        if now % 333 == 0 {
            let recording = Recording::read(recorder.save_last(2.0).unwrap()).unwrap();
            assert_eq!((recording.damage(), recording.last()), (None, now));
            let ticks = now - recording.first();
            assert!((20..=40).contains(&ticks), "{ticks} ticks");
            checked(recording);
        }
    }
    let most = |kept: &[usize]| kept.iter().copied().max().unwrap();
    // Counters take a byte more when they pass 2^7 and 2^14, which the first half has behind it.
    let (early, late) = (most(&kept[2_000..3_000]), most(&kept[3_000..]));
    assert!(late <= early, "it goes on growing: {early}, {late}");
}

/// Minds with a ring and ten ticks in it.
fn ring_of_ten() -> (Minds<()>, Recorder) {
    let (mut minds, source) = minds();
    let settings = RecorderSettings::default();
    let mut recorder = Recorder::ring(9.0, settings, &mut minds, source, b"").unwrap();
    spawn(&mut minds);
    live(&mut minds, &mut recorder, 1..=10);
    (minds, recorder)
}

#[test]
fn a_keyframe_that_is_too_long_is_refused_before_anything_is_dropped() {
    let (minds, mut recorder) = ring_of_ten();
    let before = recorder.save_last(9.0).unwrap();
    // Never touched, so it takes no memory.
    let long = || Encoder { bytes: vec![0; LONGEST + 1] };
    // As if minds wrote so much.
    recorder.desk.lend_room(&mut long());
    assert!(matches!(recorder.keyframe(&minds, b""), Err(RecorderError::TooMuch)));
    assert!(recorder.job.payload.bytes.is_empty());
    assert!(recorder.save_last(9.0).unwrap() == before);
    let segment = Segment::new(10, Arc::clone(&recorder.header), Vec::new());
    let mut job = Job { what: What::Keyframe(8, Some(segment)), payload: long(), ..Job::default() };
    let refused = recorder.desk.frames().take(&mut job);
    assert!(matches!(refused, Err(RecorderError::TooMuch)));
    assert!(recorder.save_last(9.0).unwrap() == before);
}

#[test]
fn what_is_saved_tells_that_a_tick_is_missing() {
    let (mut minds, mut recorder) = ring_of_ten();
    recorder.job.what = What::Tick;
    recorder.job.payload.bytes = vec![0; LONGEST + 1];
    recorder.desk.put(&mut recorder.job).unwrap();
    for _ in 0..2 {
        assert!(matches!(recorder.save_last(9.0), Err(RecorderError::TooMuch)));
    }
    minds.tick(&(), 11);
    let told = recorder.after_tick(&mut minds, b"");
    assert!(matches!(told, Err(RecorderError::TooMuch)), "{told:?}");
    let recording = Recording::read(recorder.save_last(9.0).unwrap()).unwrap();
    assert_eq!(recording.damage().unwrap().to_string(), "not finished, ends after tick 10");
    checked(recording);
}

#[test]
fn a_keyframe_that_comes_early_has_the_game_beside_it() {
    let (mut minds, mut recorder, to) = recorded(5);
    assert!(!recorder.is_keyframe_due(&minds));
    recorder.desk.frames().table.fill();
    assert!(!recorder.is_keyframe_due(&minds), "so much was never said");
    recorder.said = MUCH_HELD + 1;
    minds.tick(&(), 6);
    assert!(recorder.is_keyframe_due(&minds), "so that the game is packed");
    recorder.after_tick(&mut minds, b"the game").unwrap();
    let recording = read(&to);
    assert_eq!(recording.game_at(6), Some((6, &b"the game"[..])));
    assert!(!recorder.is_keyframe_due(&minds));
    live(&mut minds, &mut recorder, [7]);
    assert_eq!(checked(read(&to)), 1);
}

#[test]
fn a_forged_count_of_files_is_refused() {
    let (.., to) = recorded(5);
    let forged = |era: u32| {
        // It is the last thing that a recording says of itself, and was 0.
        let mut change = |header: &mut Vec<u8>| {
            assert_eq!(header.pop(), Some(0));
            let mut to = Encoder { bytes: std::mem::take(header) };
            to.write(&era);
            *header = to.bytes;
        };
        Recording::read(forge(&read(&to), None, &mut change))
    };
    assert!(forged(0).is_ok());
    for era in [1, u32::MAX / 2, u32::MAX / 2 + 1, u32::MAX - 1, u32::MAX] {
        assert!(matches!(forged(era), Err(RecordingError::Start(_))), "{era}");
    }
}

#[test]
fn a_tick_that_is_not_that_of_its_frame_is_not_lived() {
    let (.., to) = recorded(5);
    let recording = read(&to);
    // The first frame is a keyframe; of a tick the first number says how far ahead it is.
    let far = forge(&recording, Some(5), &mut |tick| {
        assert_eq!(tick[0], 1);
        tick.splice(..1, [0x80, 0x80, 0x80, 0x04]);
    });
    let diverged = Replay::open(far).unwrap().check().unwrap_err();
    let said = "tick 4: the entries are of tick 5, and the recording says 8388612";
    assert_eq!(diverged.sentence, said);
}

/// Minds that pick things with names, recorded; also as the last two seconds.
fn named() -> [Recording; 2] {
    let recordings = [false, true].map(|is_ring| {
        let (mut minds, source) = minds_of(PICKS);
        let (to, settings) = (Bytes::default(), RecorderSettings::default());
        let mut recorder = match is_ring {
            true => Recorder::ring(2.0, settings, &mut minds, source, b"").unwrap(),
            false => Recorder::to(to.clone(), settings, &mut minds, source, b"").unwrap(),
        };
        spawn(&mut minds);
        let mut asked = Vec::new();
        for now in 1..=100 {
            minds.tick(&(), now);
            recorder.name_picks(&minds, |thing| {
                asked.push(thing);
                (thing != EntityId(3)).then(|| format!("thing{}", thing.0))
            });
            recorder.after_tick(&mut minds, b"").unwrap();
        }
        let all = asked.len();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!((asked.len(), all), (12, all), "each is asked for once: {asked:?}");
        recorder.finish(&mut minds, b"").unwrap();
        match is_ring {
            true => Recording::read(recorder.save_last(2.0).unwrap()).unwrap(),
            false => read(&to),
        }
    });
    recordings.map(|recording| {
        assert_eq!(recording.damage(), None);
        recording
    })
}

#[test]
fn things_that_were_picked_have_names_without_the_game() {
    for recording in named() {
        let name = |thing| recording.name_of(EntityId(thing));
        assert_eq!(
            [name(2), name(11), name(3), name(99)],
            [Some("thing2"), Some("thing11"), None, None]
        );
        // The mind's own, too.
        assert_eq!(name(1), Some("thing1"));
        checked(recording);
    }
}

#[test]
fn recordings_of_the_version_before_names_are_read() {
    for recording in named() {
        let (first, last) = (recording.first(), recording.last());
        let old = crate::recording::as_version_4(&recording);
        assert!(
            old.starts_with(b"throng recording 4"),
            "{:?}",
            String::from_utf8_lossy(&old[..20])
        );
        let old = Recording::read(old).unwrap();
        assert_eq!((old.damage(), old.first(), old.last()), (None, first, last));
        assert_eq!(old.name_of(EntityId(2)), None);
        checked(old);
    }
}
