//! `throng watch`, driven from outside: files are edited while it runs, and its answers are
//! waited for by reading them, never by the clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![cfg(unix)]

use crate::common::*;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const ACTIONS: &str = "\
action open_door: door shut -> open
action take_hay:  haystack stored -> in_hands     while door = open
action feed:      haystack in_hands -> in_feeder
";

/// A domain whose actions are in a file of their own.
const FARM: &str = "domain farm
use \"actions.npc\"
var haystack: stored, in_hands, in_feeder
var door:     shut, open
goal fed: haystack = in_feeder
npc breeder
    can open_door, take_hay, feed
    wants fed
    starts haystack = stored, door = shut
";

/// The program at its work, and the lines it says as they come.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn new(words: &[&str]) -> Watching {
        let mut child = program(&[&["watch"], words].concat()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut lines = out.lines().map_while(Result::ok);
            lines.all(|line| send.send(line).is_ok())
        });
        Watching { child, lines }
    }

    /// The next line; there must be one.
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the program says something")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// The next line has all these parts.
    #[track_caller]
    fn says(&self, parts: &[&str]) {
        assert_has(&self.line(), parts);
    }

    /// As Ctrl-C does: it ends with 130 and has said nothing else.
    #[track_caller]
    fn ends_by_interrupt(mut self) {
        let kill = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(ends(&mut self.child).code(), Some(130));
        let rest: Vec<String> = self.lines.iter().collect();
        assert_eq!(rest, Vec::<String>::new());
        let mut messages = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
        assert_eq!(messages, "");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn farm() -> (Folder, String) {
    let folder = Folder::new();
    folder.write("actions.npc", ACTIONS);
    let file = folder.write("farm.npc", FARM);
    (folder, file)
}

#[test]
fn an_edited_action_file_is_answered_at_once() {
    let (folder, file) = farm();
    let watching = Watching::new(&[&file]);
    watching.says(&["farm.npc: breeder → fed: 3 actions, cost 3: open_door, take_hay, feed"]);

    // An easier way: a step goes.
    folder.write("actions.npc", ACTIONS.replace("     while door = open", ""));
    watching.says(&[
        "breeder → fed: 2 actions, cost 2: take_hay, feed",
        "cost 3 → 2",
        "length 3 → 2",
        "- open_door (was step 1)",
    ]);

    // Broken: the last good answer stays, with the error.
    let broken = ACTIONS.replace("door shut -> open", "dor shut -> open");
    folder.write("actions.npc", broken);
    watching.says(&[
        "broken: ",
        "actions.npc:1:",
        "dor",
        "door",
        "still: breeder → fed: 2 actions, cost 2: take_hay, feed",
    ]);

    // Mended, as it was at first: compared with the last good answer.
    folder.write("actions.npc", ACTIONS);
    watching.says(&["fed: 3 actions, cost 3: open_door, take_hay, feed", "+ open_door (step 1)"]);

    // An action is taken out: there is no plan, and the reason says so.
    let without = ACTIONS.lines().filter(|line| !line.starts_with("action feed"));
    folder.write("actions.npc", without.collect::<Vec<_>>().join("\n"));
    let can = FARM.replace("take_hay, feed", "take_hay");
    // Saved as other editors do: beside it, and moved over.
    let beside = folder.write("farm.npc~", can);
    std::fs::rename(beside, &file).unwrap();
    let mut line = watching.line();
    if line.contains("broken") {
        // Between the two saves there is an action that nobody declares.
        assert_has(&line, &["feed", "still: breeder → fed: 3 actions"]);
        line = watching.line();
    }
    assert_has(&line, &["breeder → fed: impossible", "haystack = in_feeder", "plan → impossible"]);
    watching.ends_by_interrupt();
}

#[test]
fn files_may_go_and_come_back() {
    let (folder, file) = farm();
    let watching = Watching::new(&[&file]);
    watching.says(&["fed: 3 actions"]);
    std::fs::remove_file(&file).unwrap();
    watching.says(&["broken: cannot read", "no such file", "still: breeder → fed: 3 actions"]);
    // A folder in its place, and an included file that is none.
    std::fs::create_dir(&file).unwrap();
    watching.says(&["broken: ", "folder", "still: "]);
    std::fs::remove_dir(&file).unwrap();
    watching.says(&["broken: ", "no such file"]);
    folder.write("farm.npc", FARM);
    watching.says(&["fed: 3 actions, cost 3", "the same answer"]);
    std::fs::remove_file(folder.path("actions.npc")).unwrap();
    watching.says(&["broken: ", "farm.npc:2:", "actions.npc", "no such file"]);
    folder.write("actions.npc", ACTIONS.replace("     while door = open", ""));
    watching.says(&["fed: 2 actions, cost 2"]);
    watching.ends_by_interrupt();
}

#[test]
fn what_is_not_there_yet_is_waited_for() {
    let folder = Folder::new();
    let watching = Watching::new(&[&folder.path("stable.npc"), "haystack=in_hands"]);
    watching.says(&["stable.npc: broken: cannot read", "no such file"]);
    folder.write("stable.npc", STABLE);
    watching.says(&["horse_breeder → feed_horses: 7 actions, cost 8: store_haystack"]);
    watching.ends_by_interrupt();
}

/// A file that is emptied and filled again, or written in pieces, is never seen half: the only
/// answers are those to whole files.
#[test]
fn a_file_that_is_being_written_is_waited_for() {
    use std::io::Write;
    let (folder, file) = farm();
    let watching = Watching::new(&[&file]);
    watching.says(&["fed: 3 actions"]);
    for round in 0..6 {
        let cost = 2 + round;
        let text = format!("{}    cost {cost}\n", ACTIONS);
        // Emptied, filled line by line, without waiting.
        let begin = Instant::now();
        let mut writer = std::fs::File::create(folder.path("actions.npc")).unwrap();
        for line in text.split_inclusive('\n') {
            writer.write_all(line.as_bytes()).unwrap();
            writer.flush().unwrap();
        }
        drop(writer);
        let is_slow = begin.elapsed() > Duration::from_millis(50);
        let expected = format!("fed: 3 actions, cost {}", 2 + cost);
        let mut line = watching.line();
        // A machine that takes a break in the middle of it has a half file that rests.
        while is_slow && !line.contains(&expected) {
            line = watching.line();
        }
        assert_has(&line, &[&expected]);
    }
    watching.ends_by_interrupt();
}

#[test]
fn programs_read_a_json_line_for_each_change() {
    let (folder, file) = farm();
    let watching = Watching::new(&[&file, "--json"]);
    let first = watching.json();
    let keys = ["file", "version", "good", "errors", "warnings", "answer", "changes"];
    assert_keys(&first, &keys);
    assert_eq!((&first["version"], &first["good"]), (&1.into(), &true.into()));
    assert_eq!(first["answer"], exits(&["plan", &file, "--json"], 0).json());
    assert!(first["changes"].is_null());
    folder.write("actions.npc", ACTIONS.replace("     while door = open", ""));
    let second = watching.json();
    assert_eq!(second["changes"]["steps"][0]["step"], "open_door");
    assert_eq!(second["changes"]["steps"][0]["from"], 1);
    assert!(second["changes"]["steps"][0]["to"].is_null());
    assert_eq!(second["changes"]["facts"][0], "cost 3 → 2");
    folder.write("actions.npc", format!("action\n{ACTIONS}"));
    let third = watching.json();
    assert_keys(&third, &keys);
    assert_eq!((&third["good"], &third["version"]), (&false.into(), &3.into()));
    assert_eq!(third["answer"], second["answer"]);
    assert_eq!(third["errors"][0]["line"], 1);
    assert_has(third["errors"][0]["file"].as_str().unwrap(), &["actions.npc"]);
    watching.ends_by_interrupt();
}

#[test]
fn several_files_have_an_answer_each() {
    let (folder, file) = farm();
    let stable = folder.write("stable.npc", STABLE);
    let watching = Watching::new(&[&file, &stable]);
    watching.says(&["farm.npc: breeder → fed: 3 actions"]);
    watching.says(&["stable.npc: horse_breeder → feed_horses: 6 actions"]);
    folder.write("stable.npc", STABLE.replace("    cost 2\n", "    cost 5\n"));
    watching.says(&["stable.npc: ", "cost 10", "cost 7 → 10"]);
    watching.ends_by_interrupt();
}

/// Questions may be wrong because of the file, and mended in it.
#[test]
fn a_name_that_the_file_does_not_know_is_waited_for() {
    let (folder, file) = farm();
    let watching = Watching::new(&[&file, "--goal", "warm"]);
    watching.says(&["broken: ", "warm"]);
    folder.write("farm.npc", FARM.replace("goal fed", "goal warm: door = open\ngoal fed"));
    watching.says(&["breeder → warm: 1 action, cost 1: open_door"]);
    watching.ends_by_interrupt();
}

/// A search without an end is given up when the file is saved again.
#[test]
fn a_change_ends_the_search_for_the_old_answer() {
    let folder = Folder::new();
    let mut hard = "domain d\nvar left: shut, open\nvar right: shut, open\n".to_string();
    let mut all_on = String::new();
    for n in 0..30 {
        hard.push_str(&format!("var s{n}: bool\naction on{n}: s{n} false -> true\n"));
        hard.push_str(&format!("action off{n}: s{n} true -> false\n"));
        all_on.push_str(&format!(", s{n} = true"));
    }
    for (door, other) in [("left", "right"), ("right", "left")] {
        let needs = format!("{other} = shut{all_on}");
        hard.push_str(&format!("action open_{door}: {door} shut -> open while {needs}\n"));
    }
    hard.push_str("goal through: left = open, right = open\n");
    let start = (0..30).map(|n| format!("s{n}=false"));
    let start: Vec<String> = start.chain(["left=shut".into(), "right=shut".into()]).collect();
    let file = folder.write("d.npc", hard.replace("while right = shut", "while right = open"));
    let words: Vec<&str> = start.iter().map(String::as_str).collect();
    let words = [&[file.as_str(), "--planner", "forward", "--mode", "fast"], &words[..]].concat();
    let watching = Watching::new(&words);
    watching.says(&["through: 32 actions"]);
    folder.write("d.npc", &hard);
    // It is at work on a billion states when the next version comes.
    let is_busy = || kilobytes(&watching.child, "VmRSS").is_none_or(|kilobytes| kilobytes > 60_000);
    let begin = Instant::now();
    while !is_busy() {
        assert!(begin.elapsed() < PATIENCE, "the search does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let easy = hard.replace("goal through: left = open, right = open", "goal through: s0 = true");
    folder.write("d.npc", easy);
    watching.says(&["through: 1 action, cost 1: on0", "length 32 → 1"]);
    watching.ends_by_interrupt();
}

const HALL: &str = "(define (domain hall)
  (:predicates (at ?x) (way ?x ?y))
  (:action go :parameters (?x ?y)
    :precondition (and (at ?x) (way ?x ?y))
    :effect (and (at ?y) (not (at ?x)))))
";

fn walk(ways: &str) -> String {
    format!(
        "(define (problem walk) (:domain hall) (:objects a b c)
  (:init (at a) {ways}) (:goal (at c)))\n"
    )
}

#[test]
fn tasks_of_the_planning_field_are_watched_alike() {
    let folder = Folder::new();
    let domain = folder.write("hall.pddl", HALL);
    let problem = folder.write("walk.pddl", walk("(way a b) (way b c)"));
    let watching = Watching::new(&[&domain, &problem]);
    watching.says(&["hall.pddl", "walk.pddl: walk: 2 steps, cost 2: (go a b), (go b c)"]);
    folder.write("walk.pddl", walk("(way a b) (way b c) (way a c)"));
    watching.says(&["walk: 1 step, cost 1: (go a c)", "cost 2 → 1", "+ (go a c) (step 1)"]);
    folder
        .write("hall.pddl", HALL.replace("(way ?x ?y))\n    :effect", "(wy ?x ?y))\n    :effect"));
    watching.says(&["broken: ", "hall.pddl:4:", "wy", "still: walk: 1 step, cost 1: (go a c)"]);
    folder.write("hall.pddl", HALL);
    watching.says(&["walk: 1 step, cost 1", "the same answer"]);
    folder.write("walk.pddl", walk("(way a b)"));
    watching.says(&["walk: impossible: ", "plan → impossible", "- (go a c) (was step 1)"]);
    watching.ends_by_interrupt();
}

#[test]
fn ground_tasks_are_watched_and_json_is_that_of_their_command() {
    let folder = Folder::new();
    let domain = folder.write("hall.pddl", HALL);
    let problem = folder.write("walk.pddl", walk("(way a b) (way b c)"));
    let once = exits(&["watch", &domain, &problem, "--json", "--once"], 0).json();
    assert_eq!(once["answer"], exits(&["pddl", "solve", &domain, &problem, "--json"], 0).json());
    let file = folder.path("hall.sas");
    exits(&["convert", HORSES, &file], 0);
    let watching = Watching::new(&[&file]);
    watching.says(&["hall.sas: hall: 6 steps, cost 6: "]);
    folder.write("hall.sas", folder.read("hall.sas").replace("begin_goal", "begin_goat"));
    watching.says(&["broken: ", "hall.sas:", "begin_goa", "still: hall: 6 steps"]);
    watching.ends_by_interrupt();
    refuses(&["watch", &domain], &["two files"]);
    refuses(&["watch", &domain, &file], &["two files", "hall.pddl"]);
    refuses(&["watch", &file, "--goal", "x"], &["hall.sas", "--mode"]);
    refuses(&["watch", &domain, &problem, "a=b"], &["hall.pddl", "--mode"]);
}

/// A search that cannot end within the time is told as one that gave up.
#[test]
fn time_is_for_tasks() {
    let folder = Folder::new();
    let domain = folder.write("hall.pddl", HALL);
    let problem = folder.write("walk.pddl", walk("(way a b) (way b c)"));
    let words = ["watch", &domain, &problem, "--once", "--time", "0.000000001"];
    assert_has(&exits(&words, 3).out, &["walk: gave up: ", "--time"]);
    refuses(&["watch", HORSES, "--time", "1"], &["`--time` is for tasks", "--max-nodes"]);
}

/// `throng watch FILE | head -1` ends without another save.
#[test]
fn it_ends_when_nobody_reads_any_more() {
    let (_folder, file) = farm();
    let mut child = program(&["watch", &file]).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_has(&line, &["fed: 3 actions"]);
    drop(out);
    assert_eq!(ends(&mut child).code(), Some(0));
}

#[test]
fn once_is_one_answer_and_its_exit_code() {
    let (folder, file) = farm();
    let said = exits(&["watch", &file, "--once"], 0);
    assert_eq!(said.out.lines().count(), 1, "{said:?}");
    assert_has(&said.out, &["breeder → fed: 3 actions"]);
    folder.write("actions.npc", ACTIONS.replace("haystack stored ->", "haystack in_feeder ->"));
    assert_has(&exits(&["watch", &file, "--once"], 1).out, &["impossible"]);
    folder.write("actions.npc", "action");
    assert_has(&exits(&["watch", &file, "--once"], 2).out, &["broken"]);
}

#[test]
fn what_no_file_can_mend_is_refused_at_once() {
    let (folder, file) = farm();
    refuses(&["watch"], &["FILE"]);
    refuses(&["watch", "-"], &["standard input"]);
    refuses(&["watch", "domains"], &["folder"]);
    refuses(&["watch", &folder.write("a.txt", FARM)], &["ending"]);
    refuses(&["watch", &file, &file], &["twice"]);
    refuses(&["watch", &file, "--mode", "slow"], &["invalid value 'slow' for '--mode <MODE>'"]);
    refuses(&["watch", &file, "--planner", "papers/p"], &["papers/p", "`watch` does not"]);
}

/// A terminal of our own, as `script` makes one.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_drawn_anew_with_the_error_under_the_last_good_answer() {
    use std::process::Stdio;
    let (folder, file) = farm();
    let line = format!("exec '{}' watch '{file}'", env!("CARGO_BIN_EXE_throng"));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        eprintln!("skipped: there is no `script` to make a terminal");
        return;
    };
    let mut out = child.stdout.take().unwrap();
    let mut until = |end: &str| {
        let mut text = String::new();
        let mut bytes = [0; 4096];
        while !text.contains(end) {
            let n = out.read(&mut bytes).unwrap();
            assert!(n > 0, "`{end}` is missing in {text:?}");
            text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
        text
    };
    let first = until("Ctrl-C ends");
    assert!(first.starts_with("\x1b[H\x1b[2J"), "{first:?}");
    assert_has(&first, &["with 1 other file, version 1", "  1. open_door", "  3. feed"]);
    folder.write("actions.npc", ACTIONS.replace("     while door = open", ""));
    let second = until("Ctrl-C ends");
    assert_has(&second, &["\x1b[2J", "cost 2", "changed: cost 3 → 2, length 3 → 2", "- open_door"]);
    folder.write("actions.npc", "action feed haystack");
    let third = until("Ctrl-C ends");
    let (answer, error) = third.split_once("error").expect("the errors");
    assert_has(answer, &["breeder → fed: 2 actions, cost 2", "  1. take_hay"]);
    let after = "the answer above is that of the last version without errors";
    assert_has(error, &["^", "actions.npc:1:", after]);
    // Ctrl-C, typed.
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"\x03").unwrap();
    assert_eq!(ends(&mut child).code(), Some(130));
}
