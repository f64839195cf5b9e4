//! Ctrl-C ends the program with 130, whether it thinks or waits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![cfg(unix)]

use crate::common::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// As Ctrl-C does.
fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// A program that does not outlive its test.
struct Running {
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(words: &[&str]) -> Running {
    Running { child: program(words).stdin(Stdio::piped()).spawn().unwrap() }
}

/// Two doors that shut each other, behind thirty switches: the goal looks near and is out of
/// reach, and a billion states must be tried to know.
fn labyrinth() -> String {
    let mut text = "domain labyrinth\nvar left: shut, open\nvar right: shut, open\n".to_string();
    let mut starts = "left = shut, right = shut".to_string();
    let mut all_on = String::new();
    for n in 0..30 {
        text.push_str(&format!("var s{n}: bool\n"));
        text.push_str(&format!("action on{n}: s{n} false -> true\n"));
        text.push_str(&format!("action off{n}: s{n} true -> false\n"));
        starts.push_str(&format!(", s{n} = false"));
        all_on.push_str(&format!(", s{n} = true"));
    }
    for (door, other) in [("left", "right"), ("right", "left")] {
        text.push_str(&format!(
            "action open_{door}: {door} shut -> open while {other} = shut{all_on}\n"
        ));
    }
    text.push_str("goal through: left = open, right = open\n");
    let list = |what: &str| (0..30).map(|n| format!("{what}{n}")).collect::<Vec<_>>().join(", ");
    text.push_str(&format!(
        "npc walker\n    can {}, {}, open_left, open_right\n    wants through\n    starts {starts}\n",
        list("on"),
        list("off")
    ));
    text
}

/// Waits until the search has stored a good number of states, where the system tells.
fn is_busy(child: &mut Child) {
    let begin = Instant::now();
    while kilobytes(child, "VmRSS").is_some_and(|kilobytes| kilobytes < 20_000) {
        assert!(begin.elapsed() < PATIENCE, "the search does not begin");
        assert_eq!(child.try_wait().unwrap(), None, "the search ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_plan_in_the_making_can_be_interrupted() {
    let mut running = start(&["plan", "-", "--planner", "forward"]);
    let child = &mut running.child;
    // More than a pipe holds: when all is written, the program has begun to read, so it knows
    // what to do with the signal.
    let padding = "# as long as a pipe and longer\n".repeat(40_000);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{padding}{}", labyrinth()).as_bytes()).unwrap();
    drop(stdin);
    is_busy(child);
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
}

#[test]
fn a_task_of_the_planning_field_can_be_interrupted() {
    let folder = Folder::new();
    let file = folder.write("labyrinth.npc", labyrinth());
    let (task, pddl) = (folder.path("l.sas"), folder.path("l.pddl"));
    exits(&["convert", &file, &task], 0);
    exits(&["convert", &file, &pddl], 0);
    let [domain, problem] = ["l-domain.pddl", "l-problem.pddl"].map(|name| folder.path(name));
    for words in [
        &["sas", "solve", &task, "--json"][..],
        &["pddl", "solve", &domain, &problem, "--json"],
        &["pddl", "solve", &domain, &problem, "--planner", "seed", "--json"],
    ] {
        let mut running = start(words);
        is_busy(&mut running.child);
        interrupt(&running.child);
        assert_eq!(ends(&mut running.child).code(), Some(130), "{words:?}");
    }
}

#[test]
fn a_stream_that_waits_for_a_question_can_be_interrupted() {
    let mut running = start(&["solve"]);
    let child = &mut running.child;
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, r#"{{"id": 1, "file": "{HORSES}", "goal": "feed_horses"}}"#).unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_has(&answers.next().unwrap().unwrap(), &["\"plan\""]);
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
    drop(stdin);
}

#[test]
fn a_stream_in_the_middle_of_a_hard_question_can_be_interrupted() {
    let folder = Folder::new();
    let file = folder.write("labyrinth.npc", labyrinth());
    let mut running = start(&["solve", "--root", "/"]);
    let child = &mut running.child;
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(stdin, r#"{{"id": 1, "file": "{HORSES}", "goal": "feed_horses"}}"#).unwrap();
    assert_has(&answers.next().unwrap().unwrap(), &["\"plan\""]);
    writeln!(stdin, r#"{{"id": 2, "file": "{file}", "goal": "through", "planner": "forward"}}"#)
        .unwrap();
    is_busy(child);
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
}

/// Time on the processor so far, in hundredths of a second, where the system tells.
fn ticks(child: &Child) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let user = rest.split_whitespace().nth(11)?;
    user.parse().ok()
}

/// A crowd that has lived at least one of its many frames; and who reads its messages.
fn crowd_in_its_days(words: &[&str]) -> (Running, impl BufRead) {
    let folder = Folder::new();
    let tables = folder.path("tables");
    let always = ["--npcs", "500", "--frames", "10000000", "--tables", "at-load"];
    let town = ["crowd", "domains/papers/western.npc", "--table-folder", &tables];
    let mut running = start(&[&town, &always[..], words].concat());
    let mut messages = BufReader::new(running.child.stderr.take().unwrap());
    let mut line = String::new();
    messages.read_line(&mut line).unwrap();
    assert_has(&line, &["built"]);
    // Tables are made, so frames follow; the first is lived long before this.
    let begin = Instant::now();
    match ticks(&running.child) {
        Some(before) => {
            while ticks(&running.child).is_some_and(|now| now < before + 50) {
                assert!(begin.elapsed() < PATIENCE, "the crowd does not live");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        None => std::thread::sleep(Duration::from_secs(2)),
    }
    (running, messages)
}

/// What is left to read.
fn rest(mut stream: impl std::io::Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_crowd_in_the_middle_of_its_days_can_be_interrupted_and_tells_what_it_lived() {
    let (mut running, messages) = crowd_in_its_days(&[]);
    let child = &mut running.child;
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
    assert_has(&rest(messages), &["interrupted after ", " of 10,000,000 frames"]);
    let page = rest(child.stdout.take().unwrap());
    assert_has(&page, &["500 NPCs of", "whole frame", "digest of all states"]);
}

#[test]
fn an_interrupted_crowd_tells_programs_how_many_frames_it_lived() {
    let (mut running, messages) = crowd_in_its_days(&["--json"]);
    let child = &mut running.child;
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
    let run: serde_json::Value = serde_json::from_str(&rest(child.stdout.take().unwrap())).unwrap();
    let frames = run["frames"].as_u64().unwrap();
    assert!((1..10_000_000).contains(&frames), "{run}");
    assert_has(&rest(messages), &["interrupted after "]);
}
