//! Ctrl-C ends the program with 130, whether it thinks or waits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![cfg(unix)]

mod common;

use common::*;
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
    let mut running = start(&["solve"]);
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

#[test]
fn a_crowd_in_the_middle_of_its_days_can_be_interrupted() {
    let words = ["crowd", "domains/papers/town.npc", "--npcs", "300000", "--frames", "10000000"];
    let mut running = start(&words);
    let child = &mut running.child;
    is_busy(child);
    interrupt(child);
    assert_eq!(ends(child).code(), Some(130));
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut out).unwrap();
    assert_eq!(out, "", "figures of a run that did not end");
}
