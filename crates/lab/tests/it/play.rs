//! `throng play` from outside: exit codes, lines, JSON, one moment in full, and a screen that is
//! left as it was found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::Value;

/// A soldier without senses, who does what he planned; a player who walks.
const TINY: &str = "domain yard
var where: start, wall, crate
var enemy: up, down
action go(place in where): where -> place  takes 1
action shoot: enemy up -> down while where = wall  takes 0.5
goal fight: enemy = down
npc Soldier
    can go, shoot
    wants fight
    starts where = start, enemy = up
story tiny \"He goes to the wall and shoots.\" lasts 4
map \"#######\"
    \"#s.c.p#\"
    \"#######\"
node wall at c: cover
actor soldier at s: npc Soldier side red
actor player at p: player side blue
at 1: player moves to c
promise soldier plans go(wall), shoot
promise soldier does go(wall), shoot by 3
promise soldier never does go(crate)
promise player at wall
promise nobody stands
";

fn tiny(folder: &Folder) -> String {
    folder.write("tiny.npc", TINY)
}

/// The tiny story with one thing otherwise.
fn otherwise(folder: &Folder, from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    folder.write("otherwise.npc", TINY.replacen(from, to, 1))
}

#[test]
fn a_story_is_told_in_lines_and_its_promises_are_kept() {
    let folder = Folder::new();
    let said = exits(&["play", &tiny(&folder)], 0);
    assert_has(
        &said.out,
        &[
            "   0.1 s  soldier  plans go(wall), shoot: it had nothing to do\n",
            "   0.1 s  soldier  starts go(wall)\n",
            "   1.0 s  -        player moves to c\n",
            "   1.1 s  soldier  has done go(wall)\n",
            "✓ soldier does go(wall), shoot by 3  (1.7 s)\n",
            "tiny: 5 promises kept · 40 ticks · 1 mind · 1 question to the planner, 1 search",
        ],
    );
    assert!(!said.out.contains('\x1b'), "no codes where nobody watches");
    assert_eq!(said.err, "");
}

#[test]
fn fast_tells_only_the_promises() {
    let folder = Folder::new();
    let said = exits(&["play", &tiny(&folder), "--fast"], 0);
    assert_eq!(said.out.lines().count(), 6, "{}", said.out);
    assert!(said.out.lines().take(5).all(|line| line.starts_with("✓ ")), "{}", said.out);
}

#[test]
fn a_broken_promise_exits_with_one_and_says_why() {
    let folder = Folder::new();
    let file = otherwise(&folder, "never does go(crate)", "never does go(wall)");
    for mode in [&[][..], &["--fast"], &["--json"]] {
        let said = exits(&[&["play", &file], mode].concat(), 1);
        assert_has(&said.out, &["it did"]);
    }
    let said = exits(&["play", &file, "--fast"], 1);
    assert_has(&said.out, &["✗ soldier never does go(wall)  (1.1 s: it did)", "1 of 5 promises"]);
    let late = otherwise(&folder, "shoot by 3", "shoot by 1.5");
    let said = exits(&["play", &late, "--fast"], 1);
    assert_has(&said.out, &["`go(wall)` was done at 1.1 s, `shoot` was not after it"]);
}

#[test]
fn json_is_a_line_per_event_and_one_at_the_end() {
    let folder = Folder::new();
    let said = exits(&["play", &tiny(&folder), "--json"], 0);
    let lines: Vec<Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, events) = lines.split_last().unwrap();
    for event in events {
        assert_keys(event, &["tick", "seconds", "actor", "event", "name", "why", "code"]);
    }
    let starts: Vec<&Value> = events.iter().filter(|event| event["event"] == "start").collect();
    assert_eq!((&starts[0]["name"], &starts[0]["tick"]), (&"go(wall)".into(), &1.into()));
    assert!(events.iter().any(|event| event["actor"].is_null() && event["event"] == "script"));
    assert_keys(last, &["story", "passed", "ticks", "digest", "promises"]);
    let begin = "{\"story\":\"tiny\",\"passed\":true,\"ticks\":40,\"digest\":\"";
    let text = said.out.lines().last().unwrap();
    assert!(text.starts_with(begin), "{text}");
    let digest = last["digest"].as_str().unwrap();
    assert!(digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    assert_eq!(last["promises"].as_array().unwrap().len(), 5);
    assert_keys(&last["promises"][0], &["text", "kept", "at", "why"]);
}

#[test]
fn the_same_story_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let file = tiny(&folder);
    let one = exits(&["play", &file, "--json"], 0).out;
    assert_eq!(one, exits(&["play", &file, "--json", "--threads", "3"], 0).out);
    let other = otherwise(&folder, "takes 1\n", "takes 1.2\n");
    assert_ne!(one, exits(&["play", &other, "--json"], 0).out);
}

#[test]
fn one_moment_is_shown_in_full() {
    let folder = Folder::new();
    let said = exits(&["play", &tiny(&folder), "--at", "12"], 0);
    assert_has(
        &said.out,
        &[
            "tick 12 of 40, 1.2 s of 4.0 s",
            "\n#S.",
            "soldier: Soldier at (1.0 1.0), tick 12",
            "plan   go(wall) ✓ → [shoot]",
            "▶ fight",
            "state  where = wall, enemy = up",
        ],
    );
    assert_eq!(said.out, exits(&["play", &tiny(&folder), "--at", "1.2s"], 0).out);
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    refuses(&["play", &tiny(&folder), "--at", "41"], &["`tiny` has 40 ticks", "`2.5s`"]);
    refuses(&["play", &tiny(&folder), "--at", "4.1s"], &["`tiny` has 40 ticks, 4.0 s"]);
    refuses(&["play", &tiny(&folder), "--at", "soon"], &["a tick, as in `30`, or seconds"]);
}

#[test]
fn a_moment_as_json_has_numbers_names_and_what_is_open() {
    let folder = Folder::new();
    let said = exits(&["play", &tiny(&folder), "--json", "--at", "12"], 0);
    let lines: Vec<Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mind = &lines[0]["minds"][0]["mind"];
    assert_eq!(mind["here"], serde_json::json!([1.0, 1.0]));
    assert_eq!(mind["goals"][0]["standing"], "active");
    let end = &lines[1];
    assert_eq!((&end["passed"], &end["ticks"]), (&true.into(), &12.into()));
    assert_eq!(
        (&end["promises"][0]["kept"], &end["promises"][1]["kept"]),
        (&true.into(), &Value::Null)
    );
}

#[test]
fn why_a_selection_holds_what_it_holds_is_told() {
    let asked =
        |more: &[&'static str]| [&["play", "two_enemies", "--npc", "soldier"], more].concat();
    let said = exits(&asked(&["--at", "3s", "--why", "target"]), 0).out;
    assert_has(
        &said,
        &[
            "soldier picks target: first for ",
            "  candidate  score  distance of it\n",
            "\n  second ",
            " → 0.7",
            "  would change: if first is gone or left out; if another scores above 0.",
        ],
    );
    let json = exits(&asked(&["--at", "3s", "--why", "target", "--json"]), 0).json();
    assert_eq!(json["slots"][0]["holds"], "first");
    assert_eq!(json["candidates"].as_array().map(Vec::len), Some(2));
    assert!(json["candidates"][0]["terms"][0]["measured"].is_number(), "{json}");
    let cover = exits(&["play", "cover", "--npc", "soldier", "--at", "3s", "--why", "cover"], 0);
    assert_has(&cover.out, &["cover.1 = cover1 for ", ", planned; cover.2 = ", "has for itself: "]);
    refuses(
        &asked(&["--at", "3s", "--why", "tagret"]),
        &[
            "no selection and no action of `soldier` is called",
            "did you mean `target`? (selections: target",
        ],
    );
    refuses(&["play", "cover", "--why", "target"], &["add `--at SECONDSs --npc NAME`"]);
    let folder = Folder::new();
    let none = [&tiny(&folder), "--at", "1s", "--npc", "soldier", "--why", "target"];
    refuses(
        &[&["play"][..], &none[..]].concat(),
        &["the file has no selection: add one, as in `select "],
    );
}

#[test]
fn why_an_action_is_not_done_is_told() {
    let asked = |why: &'static str| {
        let words = ["play", "two_enemies", "--npc", "soldier", "--at", "3s", "--why", why];
        exits(&words, 0).out
    };
    let said = asked("goto(nowhere)");
    assert_has(
        &said,
        &["soldier: why not goto(nowhere)?", "`nowhere` is in no slot: ", "it knows of: "],
    );
    assert_has(&asked("attack_from_cover(c1)"), &["`attack_from_cover(cover.1=c1)` is "]);
    assert_has(&asked("attack"), &["for `", "`attack`"]);
    let words =
        ["play", "two_enemies", "--npc", "soldier", "--at", "3s", "--why", "attack", "--json"];
    let json = exits(&words, 0).json();
    assert_keys(&json, &["actor", "asked", "tick", "seconds", "actions", "why"]);
}

#[test]
fn a_moment_shows_a_line_for_each_slot_and_what_is_claimed() {
    let words = ["play", "cover", "--npc", "soldier", "--at", "3s"];
    let said = exits(&words, 0).out;
    assert_has(
        &said,
        &["\n  picks  target = enemy (", "\n  picks  cover.1 = cover1 (", "\n  claims cover1\n"],
    );
    let json = exits(&[&words[..], &["--json"]].concat(), 0);
    let moment: Value = serde_json::from_str(json.out.lines().next().unwrap()).unwrap();
    let mind = &moment["minds"][0]["mind"];
    assert_eq!(mind["picks"][0]["holds"], "enemy");
    assert_eq!(mind["claims"], serde_json::json!(["cover1"]));
}

/// The corpus has facts of all sorts.
#[test]
fn facts_are_told_with_values_of_their_own_sort() {
    let cover = root().join("domains/stories/cover.npc").display().to_string();
    let said = exits(&["play", &cover, "--json", "--at", "20"], 0);
    let moment: Value = serde_json::from_str(said.out.lines().next().unwrap()).unwrap();
    let facts = moment["minds"][0]["mind"]["facts"].as_array().unwrap();
    let of = |kind: &str| &facts.iter().find(|fact| fact["kind"] == kind).unwrap()["attributes"];
    assert!(of("weapon")["amount"]["value"].is_number());
    assert_eq!(of("character")["object"]["value"], "enemy");
    assert_eq!(of("character")["position"]["value"].as_array().unwrap().len(), 2);
    for event in exits(&["play", &cover, "--json"], 0).out.lines() {
        assert!(!event.contains("\"heavy\""), "{event}");
    }
    assert_has(&exits(&["play", &cover, "--json", "--sensors"], 0).out, &["\"heavy\""]);
}

#[test]
fn causes_come_before_effects() {
    let cover = root().join("domains/stories/cover.npc").display().to_string();
    let said = exits(&["play", &cover], 0);
    let lines: Vec<&str> =
        said.out.lines().filter(|line| line.contains("1.0 s  soldier")).collect();
    let verbs: Vec<&str> = lines.iter().map(|line| line[19..].split(' ').next().unwrap()).collect();
    // Nobody sets out for a cover before it is his own.
    assert_eq!(verbs, ["picks", "wants", "plans"], "{lines:#?}");
    let starts = said.out.lines().find(|line| line.contains("starts"));
    assert!(starts.is_some_and(|line| line.contains("1.1 s  soldier")), "{starts:?}");
}

#[test]
fn several_stories_have_a_summary_each() {
    let folder = Folder::new();
    let (fine, broken) =
        (tiny(&folder), otherwise(&folder, "never does go(crate)", "never does go(wall)"));
    let said = exits(&["play", &fine, &fine, "--fast"], 0);
    assert_eq!(said.out.lines().count(), 2, "{}", said.out);
    let said = exits(&["play", &broken, &fine, "--fast"], 1);
    assert_has(&said.out, &["✗ soldier never does go(wall)", "5 promises kept"]);
    let said = exits(&["play", &fine, &broken, "--fast", "--json"], 1);
    let passed: Vec<Value> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(
        (passed.len(), &passed[0]["passed"], &passed[1]["passed"]),
        (2, &true.into(), &false.into())
    );
    refuses(&["play", &fine, &broken], &["several stories are played with `--fast`"]);
    let said = exits(&["play", &folder.path("gone.npc"), &fine, "--fast"], 2);
    assert_has(&said.out, &["5 promises kept"]);
}

#[test]
fn tests_play_the_stories_they_find() {
    let folder = Folder::new();
    folder.write("stories/tiny.npc", TINY);
    let said = exits(&["test", &folder.path("stories")], 0);
    assert_eq!(said.out, "5 passed, 0 failed, in 1 file, 1 story\n");
    let broken = TINY.replace("never does go(crate)", "never does go(wall)");
    folder.write(
        "stories/broken.npc",
        broken + "test can: Soldier\n    goal fight\n    expect length 2\n",
    );
    let junit = folder.path("report.xml");
    let said = exits(&["test", &folder.path("stories"), "--junit", &junit], 1);
    assert_has(
        &said.out,
        &["tiny: soldier never does go(wall) failed", "1.1 s: it did", ", 2 stories"],
    );
    assert_has(
        &folder.read("report.xml"),
        &["name=\"tiny: nobody stands\"", "<failure message=\"1.1 s: it did\""],
    );
    folder.write("stories/wrong.npc", TINY.replace("moves to c", "moves to x"));
    let said = exits(&["test", &folder.path("stories")], 2);
    assert_has(&said.err, &["unknown mark `x`", "cannot be played"]);
}

#[test]
fn a_story_can_come_through_a_pipe() {
    let said = throng_reads(&["play", "-", "--fast"], TINY.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn what_is_no_story_is_refused() {
    let folder = Folder::new();
    refuses(&["play", HORSES], &["tells no story", "throng plan"]);
    refuses(&["play", &folder.path("gone.npc")], &["cannot read"]);
    refuses(&["play", "no_story_has_this_name"], &["no_story_has_this_name"]);
    refuses(&["play", &tiny(&folder), "--speed", "0"], &["above 0"]);
    refuses(&["play", &tiny(&folder), "--at", "3", "--fast"], &["cannot be used with"]);
}

#[test]
fn a_bare_name_is_a_story_of_the_corpus() {
    let folder = Folder::new();
    folder.write("domains/stories/tiny.npc", TINY);
    folder.write("domains/levels/flat.npc", TINY);
    let run = |name: &str| {
        let output =
            program(&["play", name, "--fast"]).current_dir(folder.path(".")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run("tiny"), (Some(0), String::new()));
    assert_eq!(run("flat"), (Some(0), String::new()));
    let (code, message) = run("tinny");
    assert_eq!(code, Some(2));
    assert_has(&message, &["there is no story `tinny`; did you mean `tiny`?"]);
}

#[test]
fn mistakes_in_stories_and_minds_are_found_by_play_and_check() {
    let folder = Folder::new();
    let file = otherwise(&folder, "moves to c", "moves to x");
    refuses(&["play", &file], &["unknown mark `x`", "cannot be played because of the error above"]);
    let said = exits(&["check", &file, "--format", "short"], 2);
    assert_has(&said.out, &["otherwise.npc:18:23: error[E101]: unknown mark `x`"]);
    let both = TINY
        .replace("moves to c", "moves to x")
        .replace("wants fight\n", "wants fight\n    memory 0\n");
    let both = folder.write("both.npc", both);
    let said = exits(&["check", &both, "--format", "short"], 2);
    assert_eq!(said.out.lines().count(), 2, "{}", said.out);
    assert!(said.out.lines().next().unwrap().contains("E102"), "in the order of the text");
    refuses(&["play", &both], &["E101", "E102", "errors above"]);
    let said = exits(&["check", &tiny(&folder)], 0);
    assert_has(&said.out, &["fine"]);
    let minds = "domain d\nvar x: a, b\naction go: x a -> b\ngoal g: x = b\nsensor eye: evry 1\n";
    let said = exits(&["check", &folder.write("minds.npc", minds), "--json"], 2);
    assert_has(&said.out, &["E100"]);
}

#[test]
fn a_sensor_without_code_is_named() {
    let folder = Folder::new();
    let file = otherwise(&folder, "story tiny", "sensor telepathy: every 1\nstory tiny");
    refuses(&["play", &file], &["cannot be played", "E101", "`telepathy`"]);
}

#[test]
fn text_of_a_stranger_is_shown_and_not_obeyed() {
    let folder = Folder::new();
    let file = otherwise(&folder, "He goes", "\u{1b}[31mHe goes");
    let said = throng(&["play", &file, "--at", "1"]);
    assert!(!said.out.contains('\x1b') && !said.err.contains('\x1b'), "{said:?}");
}

/// A terminal of our own, as `script` makes one.
#[cfg(target_os = "linux")]
mod terminal {
    use super::*;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::Instant;

    const ENTER: &str = "\x1b[?1049h";
    const LEAVE: &str = "\x1b[?1049l";

    /// The program behind a terminal; `None` where the system cannot make one.
    fn on_a_terminal(words: &str) -> Option<Child> {
        on_a_terminal_of("xterm", words)
    }

    fn on_a_terminal_of(kind: &str, words: &str) -> Option<Child> {
        on_a_terminal_after("", kind, words)
    }

    #[allow(clippy::print_stderr, reason = "a test that skips must say so aloud")]
    fn on_a_terminal_after(before: &str, kind: &str, words: &str) -> Option<Child> {
        Command::new("script").arg("--version").output().ok()?;
        if outlives_its_terminal() {
            eprintln!("SKIPPED: these tests were started by `nohup`, and so would be the program");
            return None;
        }
        let program = env!("CARGO_BIN_EXE_throng");
        // `exec`, so that the program is the one who is interrupted and whose code is returned.
        let line = format!("{before}exec '{program}' play {words}");
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "/dev/null"]).env_remove("COLUMNS").env_remove("LINES");
        command.env("SHELL", "/bin/sh").env("TERM", kind).stdin(Stdio::piped());
        Some(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Whether hangups are ignored here, which children inherit: a program that is told so keeps
    /// to it, and to no other signal's handler either.
    fn outlives_its_terminal() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask & 1 == 1)
    }

    /// All that comes, until a text has come; `None`: until the end.
    fn read_until(child: &mut Child, text: Option<&str>, so_far: &mut String) {
        let begin = Instant::now();
        let stdout = child.stdout.as_mut().unwrap();
        let mut bytes = [0; 4096];
        while text.is_none_or(|text| !so_far.contains(text)) {
            assert!(begin.elapsed() < PATIENCE, "{so_far:?}");
            match stdout.read(&mut bytes).unwrap() {
                0 => return,
                n => so_far.push_str(&String::from_utf8_lossy(&bytes[..n])),
            }
        }
    }

    /// What was on the screen last is left, and nothing comes after the leave but plain lines.
    fn is_clean(screen: &str) {
        assert_eq!(screen.matches(ENTER).count(), 1, "{screen:?}");
        let (drawn, after) = screen.split_once(LEAVE).expect("the screen is given back");
        assert!(drawn.contains("\x1b[?25l") && drawn.ends_with("\x1b[?7h\x1b[?25h"), "{drawn:?}");
        assert!(!after.contains('\x1b'), "{after:?}");
    }

    #[test]
    fn a_story_is_drawn_and_the_screen_given_back() {
        let folder = Folder::new();
        let words = format!("{} --speed 100", tiny(&folder));
        let Some(mut child) = on_a_terminal(&words) else { return };
        let mut screen = String::new();
        read_until(&mut child, None, &mut screen);
        assert_eq!(ends(&mut child).code(), Some(0), "{screen:?}");
        is_clean(&screen);
        assert_has(&screen, &["#S.", "soldier", "go(wall)", "promises: ", "5 promises kept"]);
        // No line is wider than the screen, no frame is higher.
        for frame in screen.split("\x1b[H").skip(1) {
            let lines: Vec<&str> =
                frame.split("\r\n").take_while(|l| l.contains("\x1b[K")).collect();
            assert!(lines.len() <= 24, "{lines:?}");
            for line in lines {
                let width = line.split("\x1b[K").next().unwrap().chars().count();
                assert!(width <= 80, "{line:?}");
            }
        }
    }

    #[test]
    fn a_terminal_without_codes_is_told_lines() {
        let folder = Folder::new();
        let Some(mut child) = on_a_terminal_of("dumb", &tiny(&folder)) else { return };
        let mut screen = String::new();
        read_until(&mut child, None, &mut screen);
        assert_eq!(ends(&mut child).code(), Some(0), "{screen:?}");
        assert!(!screen.contains('\x1b'), "{screen:?}");
        assert_has(&screen, &["starts go(wall)", "5 promises kept"]);
    }

    #[test]
    fn who_is_ended_from_outside_gives_the_screen_back_too() {
        for signal in ["-TERM", "-HUP"] {
            let folder = Folder::new();
            // The shell tells its number before it becomes the program.
            let file = tiny(&folder);
            let number = folder.path("number");
            let Some(mut child) = on_a_terminal_after(
                &format!("echo $$ > '{number}'; "),
                "xterm",
                &format!("{file} --speed 0.05"),
            ) else {
                return;
            };
            let mut screen = String::new();
            read_until(&mut child, Some("promises: "), &mut screen);
            let number = folder.read("number");
            assert!(Command::new("kill").args([signal, number.trim()]).status().unwrap().success());
            read_until(&mut child, None, &mut screen);
            assert_eq!(ends(&mut child).code(), Some(130), "{screen:?}");
            is_clean(&screen);
        }
    }

    #[test]
    fn ctrl_c_gives_the_screen_back_and_exits_with_130() {
        let folder = Folder::new();
        let words = format!("{} --speed 0.05", tiny(&folder));
        let Some(mut child) = on_a_terminal(&words) else { return };
        let mut screen = String::new();
        read_until(&mut child, Some("promises: "), &mut screen);
        // As the key does it: through the terminal.
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"\x03").unwrap();
        read_until(&mut child, None, &mut screen);
        assert_eq!(ends(&mut child).code(), Some(130), "{screen:?}");
        is_clean(&screen);
        assert_has(&screen, &["interrupted after "]);
    }
}

#[test]
fn a_goal_with_alternatives_is_told_by_the_name_that_is_written() {
    let said = exits(&["play", "squad_grenade"], 0);
    assert_has(&said.out, &["  wants survive\n"]);
    assert!(!said.out.contains("wants survive("), "{}", said.out);
}
