//! `throng play --record`, `--save`, `--resume` and `throng replay` from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::Value;

/// Records a story; gives the path of the recording and what `play` said, as JSON.
fn record(folder: &Folder, story: &str, more: &[&str]) -> (String, Value) {
    let file = folder.path(&format!("{story}.trace"));
    let words = [&["play", story, "--fast", "--json", "--record", &file], more].concat();
    let said = throng(&words);
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    assert_has(&said.err, &["recorded ", " ticks, ", " bytes into `"]);
    (file, said.json())
}

#[test]
fn a_recording_is_replayed_as_it_was_played() {
    let folder = Folder::new();
    let file = folder.path("door.trace");
    let played = exits(&["play", "door", "--record", &file], 0);
    let replayed = exits(&["replay", &file], 0);
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains(" s  ")).map(str::to_string).collect()
    };
    let (events, again) = (lines(&played.out), lines(&replayed.out));
    assert!(again.len() > 10, "{}", replayed.out);
    assert_eq!(events[..again.len()], again[..]);
    assert_has(&replayed.out, &["door: 260 ticks and ", " are as recorded · 1 mind · digest "]);
    assert_eq!(replayed.err, "");
    // One NPC only, and as JSON.
    let one = exits(&["replay", &file, "--npc", "soldier"], 0);
    assert!(!one.out.contains("  -  ") && one.out.contains("soldier  starts kick"), "{}", one.out);
    let json = exits(&["replay", &file, "--json"], 0);
    let last: Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["ticks"], &last["as_recorded"]), (&Value::from(260), &Value::from(true)));
}

#[test]
fn the_digest_of_a_replay_is_that_of_the_play() {
    let folder = Folder::new();
    for story in ["cover", "grenade", "squad_flank", "learning"] {
        let (file, played) = record(&folder, story, &[]);
        let checked = exits(&["replay", &file, "--check", "--json"], 0).json();
        assert_eq!(checked["digest"], played["digest"], "{story}");
        assert_eq!((&checked["world"], &checked["whole"]), (&true.into(), &true.into()), "{story}");
    }
}

#[test]
fn a_moment_of_a_recording_is_that_of_the_play() {
    let folder = Folder::new();
    let (file, _) = record(&folder, "cover", &[]);
    for moment in ["3s", "1", "100", "0"] {
        let played = exits(&["play", "cover", "--at", moment], 0);
        let replayed = exits(&["replay", &file, "--at", moment], 0);
        assert_eq!(played.out, replayed.out, "{moment}");
    }
    let why = ["--at", "3s", "--npc", "soldier", "--why", "target"];
    let played = exits(&[&["play", "cover"][..], &why[..]].concat(), 0);
    let replayed = exits(&[&["replay", &file][..], &why[..]].concat(), 0);
    assert_eq!(played.out, replayed.out);
    refuses(&["replay", &file, "--why", "target"], &["add `--at SECONDSs --npc NAME`"]);
}

#[test]
fn the_last_seconds_are_a_recording_of_their_own() {
    let folder = Folder::new();
    let (file, played) = record(&folder, "ten_soldiers", &["--last", "3"]);
    let checked = exits(&["replay", &file, "--check", "--json"], 0).json();
    assert!(checked["first"].as_u64().unwrap() > 0, "{checked}");
    assert_eq!(checked["last"], played["ticks"]);
    assert_eq!(checked["digest"], played["digest"]);
    refuses(&["replay", &file, "--at", "0"], &["has the ticks ", "there is no tick 0"]);
    // What is said is what the file has.
    let words = ["play", "ten_soldiers", "--fast", "--record", &file, "--last", "3"];
    let said = throng(&words);
    let (first, last) = (&checked["first"], &checked["last"]);
    let ticks = checked["ticks"].as_u64().unwrap();
    let (begin, from, to) = (
        format!("recorded {ticks} ticks, "),
        format!("from tick {first}, "),
        format!("tick {last}, "),
    );
    assert_has(&said.err, &[&begin, &from, &to]);
}

#[test]
fn squads_are_asked_for_by_name_and_by_number() {
    let folder = Folder::new();
    let file = folder.path("flank.trace");
    let played = exits(&["play", "squad_flank", "--record", &file], 0);
    let replayed = exits(&["replay", &file], 0);
    // Both count alike, and so do figures.
    let minds = |text: &str| -> String {
        let last = text.lines().last().unwrap();
        last.split(" · ").find(|part| part.contains("mind")).unwrap().to_string()
    };
    assert_eq!(minds(&played.out), minds(&replayed.out));
    assert_has(&minds(&played.out), &[" minds, 1 squad"]);
    for counted in ["squad_flank", &file] {
        let said = exits(&["stats", counted, "--npc", "fireteam"], 0);
        assert_has(said.out.lines().next().unwrap(), &[&minds(&played.out)]);
        let json = exits(&["stats", counted, "--npc", "fireteam", "--json"], 0).json();
        assert_eq!(json["lived"]["minds"][0]["name"], "fireteam", "{counted}");
    }
    let squad = exits(&["replay", &file, "--npc", "fireteam"], 0).out;
    let events: Vec<&str> = squad.lines().filter(|line| line.contains(" s  ")).collect();
    assert!(events.len() > 1, "{squad}");
    assert!(events.iter().all(|line| line.contains(" s  fireteam ")), "{squad}");
    // The same by the number of its mind, which nobody has at the beginning.
    let by_number = |number: usize| throng(&["replay", &file, "--npc", &number.to_string()]);
    let same = (0..12).any(|number| by_number(number).out == squad);
    assert!(same, "{squad}");
    let moment = exits(&["replay", &file, "--at", "2s", "--npc", "fireteam"], 0).out;
    assert_has(&moment, &["fireteam ("]);
    assert!(!moment.contains("#9223372036854775"), "{moment}");
    let all = exits(&["replay", &file, "--at", "2s"], 0).out;
    assert!(!all.contains("#9223372036854775"), "{all}");
    refuses(&["replay", &file, "--npc", "firetem"], &["did you mean `fireteam`?"]);
    refuses(&["replay", &file, "--npc", "fireteam.7"], &["`fireteam.7` never was there"]);
    refuses(&["replay", &file, "--npc", "4000"], &["`4000` never was there"]);
    refuses(&["replay", &file, "--at", "0", "--npc", "fireteam"], &["no `fireteam` at tick 0"]);
}

#[test]
fn a_death_is_told() {
    let said = exits(&["play", "door"], 0);
    assert_has(&said.out, &["enemy    dies: struck by soldier with baton\n"]);
    let json = exits(&["play", "door", "--json"], 0);
    let events = json.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let dead: Vec<Value> = events.filter(|event| event["event"] == "dies").collect();
    let [dead] = &dead[..] else { panic!("{dead:?}") };
    assert_eq!(
        (&dead["actor"], &dead["why"]),
        (&"enemy".into(), &"struck by soldier with baton".into())
    );
}

#[test]
fn a_saved_game_goes_on_to_the_same_end() {
    let folder = Folder::new();
    let file = folder.path("door.save");
    let whole = exits(&["play", "door", "--fast", "--json"], 0).json();
    for moment in ["0", "2.7s", "80", "260"] {
        let said = exits(&["play", "door", "--at", moment, "--save", &file], 0);
        assert_has(&said.out, &["saved `door` at tick ", " bytes into `"]);
        let words = ["play", "door", "--resume", &file, "--fast", "--json"];
        assert_eq!(exits(&words, 0).json()["digest"], whole["digest"], "{moment}");
    }
    refuses(&["play", "cover", "--resume", &file], &["is no saved game of `cover`", "--save"]);
    refuses(&["play", "door", "--resume", &file, "--at", "10"], &["at tick 260", "later moment"]);
    let half = std::fs::read(&file).unwrap();
    let half = folder.write("half.save", &half[..half.len() / 2]);
    refuses(&["play", "door", "--resume", &half], &["is no saved game of `door`"]);
    refuses(&["play", "door", "--save", &file], &["--at"]);
}

#[test]
fn a_budget_is_recorded_too() {
    let folder = Folder::new();
    let (file, played) = record(&folder, "ten_soldiers", &["--budget", "1"]);
    let checked = exits(&["replay", &file, "--check", "--json"], 0).json();
    assert_eq!(checked["digest"], played["digest"]);
    let made = folder.path("made.npc");
    refuses(&["replay", &file, "--make-test", &made], &["--budget"]);
}

#[test]
fn a_story_whose_answers_come_late_is_recorded_and_saved_as_it_is_staged() {
    let folder = Folder::new();
    let (saved, made) = (folder.path("late.save"), folder.path("made.npc"));
    for (story, staging) in [
        ("office", &["--late", "3", "--questions", "4"][..]),
        ("office", &["--late", "1"]),
        ("squad_flank", &["--late", "0", "--questions", "2"]),
    ] {
        let (file, played) = record(&folder, story, staging);
        let checked = exits(&["replay", &file, "--check", "--json"], 0).json();
        assert_eq!((&checked["whole"], &checked["world"]), (&true.into(), &true.into()), "{story}");
        assert_eq!(checked["digest"], played["digest"], "{story}");
        let moment = [&["play", story, "--at", "5s"], staging].concat();
        let replayed = exits(&["replay", &file, "--at", "5s"], 0);
        assert_eq!(exits(&moment, 0).out, replayed.out, "{story}");
        refuses(&["replay", &file, "--make-test", &made], &["was recorded with `--late`"]);
        let (last, _) = record(&folder, story, &[staging, &["--last", "3"]].concat());
        let checked = exits(&["replay", &last, "--check", "--json"], 0).json();
        assert_eq!(checked["digest"], played["digest"], "{story}, its last seconds");
        // It goes on as it was staged, without a word.
        exits(&[&moment[..], &["--save", &saved]].concat(), 0);
        let words = ["play", story, "--resume", &saved, "--fast", "--json"];
        let resumed = throng(&words).json();
        assert_eq!(resumed["digest"], played["digest"], "{story}, from a save");
        assert_eq!(resumed["promises"], played["promises"], "{story}, from a save");
    }
    for said in [["--late", "2"], ["--questions", "2"]] {
        let words = [&["play", "office", "--resume", &saved][..], &said].concat();
        refuses(&words, &[said[0], "cannot be used with", "--resume"]);
    }
}

#[test]
fn a_damaged_recording_is_played_up_to_the_damage() {
    let folder = Folder::new();
    let (file, _) = record(&folder, "cover", &[]);
    let bytes = std::fs::read(&file).unwrap();
    let cut = folder.write("cut.trace", &bytes[..bytes.len() * 3 / 5]);
    let said = exits(&["replay", &cut, "--check"], 1);
    assert_has(&said.out, &["cover: ", " are as recorded"]);
    assert_has(&said.err, &["is damaged at byte ", "it was replayed up to there"]);
    let mut wrong = bytes.clone();
    let at = bytes.len() * 3 / 5;
    wrong[at] ^= 0x40;
    let wrong = folder.write("wrong.trace", &wrong);
    let said = exits(&["replay", &wrong], 1);
    assert_has(&said.err, &["is damaged at byte "]);
    let said = exits(&["stats", &wrong], 1);
    assert_has(&said.err, &["is damaged at byte ", "counted up to there"]);
    let said = exits(&["replay", &cut, "--check", "--json"], 1);
    assert_eq!(said.json()["whole"], false);
}

#[test]
fn a_recording_that_was_not_finished_is_played_and_says_so() {
    let folder = Folder::new();
    let (file, _) = record(&folder, "cover", &[]);
    let bytes = std::fs::read(&file).unwrap();
    let recording = throng_trace::Recording::read(bytes.clone()).unwrap();
    let ends: Vec<usize> = recording.frame_ends().collect();
    // A keyframe, forty ticks; and all but the mark of the end.
    for (frames, tick) in [(41, 40), (ends.len() - 2, 100)] {
        let cut = folder.write("cut.trace", &bytes[..ends[frames]]);
        let said = exits(&["replay", &cut, "--check"], 1);
        assert_has(&said.out, &[&format!("cover: {tick} ticks and "), " are as recorded"]);
        let told = format!("is not finished, ends after tick {tick}; it was replayed up to there");
        assert_has(&said.err, &[&told]);
        let json = exits(&["replay", &cut, "--check", "--json"], 1).json();
        assert_eq!((&json["whole"], &json["as_recorded"]), (&false.into(), &true.into()));
        assert_has(&exits(&["stats", &cut], 1).err, &["not finished", "counted up to there"]);
    }
}

#[test]
fn what_is_no_recording_is_refused_with_a_cure() {
    let folder = Folder::new();
    refuses(&["replay", "domains/stories/cover.npc"], &["is no recording", "throng play"]);
    refuses(&["replay", &folder.write("empty.trace", "")], &["is empty", "--record"]);
    refuses(&["replay", "domains"], &["is a folder"]);
    refuses(&["replay", "nowhere.trace"], &["nowhere.trace", "no such file"]);
    refuses(&["replay", &folder.write("text", "hello")], &["is no recording", "--record"]);
    refuses(&["replay", "squad_flank"], &["throng play squad_flank --record FILE"]);
    let (file, _) = record(&folder, "cover", &[]);
    // A recording or a saved game where a file is wanted says what to do with it.
    let save = folder.path("cover.save");
    let said = exits(&["play", "cover", "--at", "2s", "--save", &save, "--json"], 0).json();
    assert_eq!((&said["story"], &said["tick"]), (&"cover".into(), &20.into()), "{said}");
    for command in ["play", "check", "plan"] {
        refuses(&[command, &file], &["is a recording", "throng replay "]);
        refuses(&[command, &save], &["is a saved game", "--resume "]);
    }
    assert_has(&exits(&["test", &file], 2).err, &["is a recording", "throng replay "]);
    for command in ["stats", "play", "test"] {
        let said = exits(&[command, "README.md"], 2);
        assert_has(&said.err, &["the ending tells no format"]);
        assert!(!said.err.contains("--format"), "{command}: {}", said.err);
    }
    let written = std::fs::read(&file).unwrap();
    let header = written.iter().position(|byte| *byte == b'\n').unwrap();
    let other = [b"throng recording 250", &written[header..]].concat();
    let other = folder.write("other.trace", &other);
    refuses(&["replay", &other], &["format 250", "record it anew"]);
    let former = folder.write("former.trace", [b"THRONGRE\x01", &written[header..]].concat());
    refuses(&["replay", &former], &["a recording of format 1", "record it anew"]);
    refuses(&["replay", &file, "--at", "500"], &["has the ticks 0 to 100", "there is no tick 500"]);
    refuses(&["replay", &file, "--at", "99s"], &["there is no second 99"]);
    refuses(&["replay", &file, "--npc", "soldir"], &["did you mean `soldier`?"]);
}

#[test]
fn recordings_are_written_only_where_that_harms_nothing() {
    let folder = Folder::new();
    let story =
        folder.write("own.npc", std::fs::read(root().join("domains/stories/cover.npc")).unwrap());
    refuses(&["play", &story, "--record", &story], &["is no recording", "another file"]);
    assert!(folder.read("own.npc").starts_with("# Attack"));
    let nowhere = folder.path("no/such/folder.trace");
    refuses(&["play", "cover", "--fast", "--record", &nowhere], &["cannot record into"]);
    refuses(&["play", "cover", "--fast", "--record", &folder.path("")], &["is a folder"]);
    refuses(&["play", "cover", "door", "--fast", "--record", &nowhere], &["only one story"]);
    let (file, _) = record(&folder, "cover", &[]);
    refuses(&["replay", &file, "--make-test", &story], &["was not made from a recording"]);
    refuses(&["replay", &file, "--make-test", &folder.path("t.txt")], &["ends in .npc"]);
    // A saved game is not written over either what is none.
    let save = |file: &str| ["play", "cover", "--at", "10", "--save", file].map(str::to_string);
    let saves = |file: &str| throng(&save(file).each_ref().map(String::as_str));
    let said = saves(&story);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert_has(&said.err, &["is neither a saved game nor a recording", "another file"]);
    assert!(folder.read("own.npc").starts_with("# Attack"));
    let game = folder.path("own.save");
    assert_eq!((saves(&game).code, saves(&game).code), (Some(0), Some(0)));
    // A recording may be recorded over.
    exits(&["play", "cover", "--fast", "--record", &file], 0);
}

#[test]
fn figures_of_a_recording_are_those_of_the_story() {
    let folder = Folder::new();
    for story in ["door", "squad_flank", "ten_soldiers"] {
        let (file, _) = record(&folder, story, &[]);
        let [of_story, of_recording] =
            [story, file.as_str()].map(|file| exits(&["stats", file, "--json"], 0).json());
        assert_eq!(of_story["types"], of_recording["types"], "{story}");
        assert_eq!(of_story["lived"]["seconds"], of_recording["lived"]["seconds"]);
        assert_eq!(of_story["lived"]["tasks"], of_recording["lived"]["tasks"], "{story}");
    }
}

/// Records a story, makes a test of it, and runs the test.
fn make_test(folder: &Folder, story: &str) -> String {
    let (file, _) = record(folder, story, &[]);
    let made = folder.path(&format!("{story}_made.npc"));
    let said = exits(&["replay", &file, "--make-test", &made], 0);
    assert_has(&said.out, &["wrote `", " promises, all kept"]);
    exits(&["test", &made], 0);
    made
}

#[test]
fn every_story_becomes_a_test_that_passes() {
    let folder = Folder::new();
    let stories = std::fs::read_dir(root().join("domains/stories")).unwrap();
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        name.strip_suffix(".npc").map(str::to_string)
    };
    let mut names: Vec<String> = stories.filter_map(|entry| name(entry.unwrap())).collect();
    names.sort();
    assert!(names.len() > 20);
    for story in &names {
        make_test(&folder, story);
    }
}

#[test]
fn a_made_test_fails_when_behaviour_changes() {
    let folder = Folder::new();
    let made = make_test(&folder, "cover");
    let text = std::fs::read_to_string(&made).unwrap();
    let cheaper = folder.write("cheaper.npc", text.replacen("    cost 5\n", "    cost 1\n", 1));
    let said = exits(&["test", &cheaper], 1);
    assert_has(&said.out, &["never plans attack"]);
    // The same, but later, is a change too.
    let later = text.replacen("at 1:", "at 1.3:", 1);
    exits(&["test", &folder.write("later.npc", later)], 1);
    // A part of a story is a story.
    let (file, _) = record(&folder, "door", &[]);
    let bytes = std::fs::read(&file).unwrap();
    let cut = folder.write("cut.trace", &bytes[..bytes.len() / 2]);
    let made = folder.path("cut.npc");
    let said = exits(&["replay", &cut, "--make-test", &made], 0);
    assert_has(&said.err, &["is damaged at byte", "the test ends there"]);
    exits(&["test", &made], 0);
}

#[test]
fn a_made_test_holds_what_squads_and_their_members_did() {
    let folder = Folder::new();
    // The squad of the second story is interrupted before anything is done.
    let promised = [
        ("squad_flank", &[" plans ", " wants ", " does "][..]),
        ("squad_grenade", &[" plans ", " wants "]),
    ];
    for (story, words) in promised {
        let made = std::fs::read_to_string(make_test(&folder, story)).unwrap();
        for word in words {
            let is_it = |line: &str| line.starts_with("promise squad ") && line.contains(word);
            assert!(made.lines().any(is_it), "{story}: no promise{word}of a squad");
        }
        assert!(made.lines().any(|line| line.starts_with("promise ") && line.contains(" gets ")));
    }
    // A squad that need not go round any more plans otherwise, and its members are told otherwise.
    let made = folder.read("squad_flank_made.npc");
    let straight = made.replacen(", side flank -> front  while", "  while", 1);
    assert_ne!(made, straight);
    let changed = folder.write("straight.npc", straight);
    let said = exits(&["test", &changed], 1);
    assert_has(
        &said.out,
        &["squad fireteam plans lay_fire, go_round, strike_from_side by ", "gets flank"],
    );
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::process::{Child, Command};
    use std::time::{Duration, Instant};

    /// Begins to record a long story and waits until there are some ticks in the file.
    fn recording(file: &str) -> Child {
        let mut child =
            program(&["play", "western_day", "--fast", "--record", file]).spawn().unwrap();
        let begin = Instant::now();
        let (mut size, mut grown) = (0, 0);
        while grown < 20 {
            let now = std::fs::metadata(file).map_or(0, |found| found.len());
            grown += u32::from(now > size);
            size = now;
            assert!(begin.elapsed() < PATIENCE, "nothing is recorded");
            assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        child
    }

    #[test]
    fn ctrl_c_leaves_a_recording_that_is_whole() {
        let folder = Folder::new();
        let file = folder.path("day.trace");
        let mut child = recording(&file);
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(ends(&mut child).code(), Some(130));
        let checked = exits(&["replay", &file, "--check", "--json"], 0).json();
        assert!(checked["ticks"].as_u64().unwrap() > 0, "{checked}");
        assert_eq!((&checked["whole"], &checked["as_recorded"]), (&true.into(), &true.into()));
    }

    #[test]
    fn a_killed_program_leaves_a_recording_up_to_its_last_tick() {
        let folder = Folder::new();
        let file = folder.path("day.trace");
        let mut child = recording(&file);
        child.kill().unwrap();
        child.wait().unwrap();
        let said = exits(&["replay", &file, "--check", "--json"], 1);
        let checked = said.json();
        assert_eq!((&checked["as_recorded"], &checked["whole"]), (&true.into(), &false.into()));
        assert!(checked["ticks"].as_u64().unwrap() > 0, "{checked}");
    }
}

const HIDE: &str = "domain hide
var place: open, any cover
select cover: best 2 of spot
    where distance of it < 9   score distance of it curve 0 1, 20 0.1
sensor see: every 0.1 keeps 3
action goto(spot in place except open): place -> spot   takes 1
goal hidden: place = cover
npc hider
    can goto
    wants hidden
    starts place = open
";

/// A recording of a game that this program does not know, with names or without.
fn of_a_game(has_names: bool) -> Vec<u8> {
    use throng_mind::prelude::*;
    use throng_trace::{Recorder, RecorderSettings, RecordingSource};
    let domain = throng::Domain::from_text(HIDE).unwrap();
    let see = |sensing: &mut Sensing<'_, ()>| {
        for id in [7, 8, 9] {
            let fact = sensing.fact("spot").with(Attribute::Object, EntityId(id), 1.0);
            let there = [id as f32 * 2.0 - 10.0, 0.0, 0.0];
            sensing.remember_one(fact.with(Attribute::Position, there, 1.0), &[Attribute::Object]);
        }
        Work::Light
    };
    let body = Body::new().sensor("see", see);
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body, 1).unwrap();
    let source = RecordingSource::of(domain.model().sources(), minds.spec().pace);
    let settings = RecorderSettings::default();
    let mut recorder = Recorder::ring(9.0, settings, &mut minds, source, &[]).unwrap();
    minds.spawn("hider", EntityId(1)).unwrap();
    for now in 1..=20 {
        minds.tick(&(), now);
        let name = |thing: EntityId| has_names.then(|| format!("c{}", thing.0));
        recorder.name_picks(&minds, name);
        recorder.after_tick(&mut minds, &[]).unwrap();
    }
    recorder.save_last(9.0).unwrap()
}

#[test]
fn a_recording_of_a_game_has_its_names_without_the_game() {
    let folder = Folder::new();
    let file = folder.path("named.trace");
    std::fs::write(&file, of_a_game(true)).unwrap();
    let said = exits(&["replay", &file], 0).out;
    assert_has(&said, &["c1 ", "picks cover.1 = c7 (", "starts goto(c7)\n"]);
    let both = exits(&["replay", &file, "--slots"], 0).out;
    assert_has(&both, &["starts goto(cover.1=c7)\n"]);
    let at = exits(&["replay", &file, "--at", "0.5s", "--npc", "c1"], 0).out;
    assert_has(&at, &["does   goto(c7)", "picks  cover.1 = c7 (", "object c8"]);
    let why = |npc: &str, name: &str| {
        exits(&["replay", &file, "--at", "0.5s", "--npc", npc, "--why", name], 0).out
    };
    assert_has(&why("c1", "cover"), &["c1 picks cover: cover.1 = c7 for ", "c8 "]);
    // What was never picked has no name.
    assert_has(&why("1", "goto(#9)"), &["#9 is in no slot of `cover`: its score is "]);
    refuses(
        &["replay", &file, "--at", "0.5s", "--npc", "c1", "--why", "cver"],
        &["did you mean `cover`?"],
    );
    // Without names there are numbers.
    std::fs::write(&file, of_a_game(false)).unwrap();
    let said = exits(&["replay", &file], 0).out;
    assert_has(&said, &["hider 1 ", "picks cover.1 = #7 (", "starts goto(#7)\n"]);
}
