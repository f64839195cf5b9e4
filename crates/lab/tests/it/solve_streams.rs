//! `throng solve` as a machine uses it: a hundred thousand lines, bad ones among them; clients
//! that wait for each answer; readers that go away.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic and print"
)]

use crate::common::*;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// The program waiting for lines, and its answers as they come.
struct Conversation {
    child: Child,
    ask: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Conversation {
    fn begin() -> Conversation {
        let mut child =
            program(&["solve", "--root", &Folder::all()]).stdin(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (told, answers) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).all(|line| told.send(line).is_ok()));
        let ask = child.stdin.take();
        Conversation { child, ask, answers }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.ask.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn answer(&mut self) -> String {
        self.answers.recv_timeout(PATIENCE).expect("an answer, or the two wait for each other")
    }

    /// Closes the input; the program must end well and have nothing more to say.
    fn end(mut self) {
        drop(self.ask.take());
        assert_eq!(ends(&mut self.child).code(), Some(0));
        assert_eq!(self.answers.recv_timeout(PATIENCE).ok(), None, "more answers than questions");
        let mut messages = String::new();
        let mut err = self.child.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut err, &mut messages).unwrap();
        assert_eq!(messages, "");
    }
}

/// A line of a stream and what must come of it.
struct Line {
    bytes: Vec<u8>,
    /// The id as it must come back, the outcome, and the code of an error; `None` if the line
    /// gets no answer.
    expected: Option<(String, &'static str, Option<&'static str>)>,
}

/// A domain that is different for every name: one variable that goes from `a` to `c`.
fn domain(name: usize) -> String {
    format!(
        r#"{{"throng": 1, "domain": "d{name}", "variables": [{{"name": "v", "values": ["a", "b", "c"]}}], "actions": [{{"name": "ab", "requires": {{"v": "a"}}, "sets": {{"v": "b"}}}}, {{"name": "bc", "requires": {{"v": "b"}}, "sets": {{"v": "c"}}}}], "goals": [{{"name": "g", "wants": {{"v": "c"}}}}]}}"#
    )
}

const TOO_LONG: usize = 4 << 20;

/// Line `n` of the stream: every seventh is bad or blank, the others ask for something good.
fn line(n: usize, file: &str) -> Line {
    // Few, for they are long; one before the first look at the memory and one after.
    if n == 7_000 || n == 77_000 {
        let bytes = format!("{{\"id\": {n}, \"goal\": \"{}\"}}", "x".repeat(TOO_LONG)).into_bytes();
        return Line { bytes, expected: Some(("null".into(), "error", Some("line_too_long"))) };
    }
    if n.is_multiple_of(7) { bad_line(n / 7, n, file) } else { good_line(n, file) }
}

fn good_line(n: usize, file: &str) -> Line {
    let ids = [
        format!("{n}"),
        format!("\"line {n}\""),
        format!("[{n},  null , true]"),
        format!("{{\"n\": {n}, \"n\": [{{ }}]}}"),
        format!("-{n}123456789012345678901234567890.5e+400"),
        "\"\\u00e4\\n\\\"ß\"".to_string(),
        "true".to_string(),
        "false".to_string(),
        "null".to_string(),
        "\"\"".to_string(),
    ];
    let id = &ids[n % ids.len()];
    // More domains than the program keeps, and one that comes again and again.
    let domain = match n % 3 {
        0 => format!(r#""domain": {}"#, domain(n % 9000)),
        1 => format!(r#""domain": {}"#, domain(0)),
        _ => format!(r#""file": {}"#, json!(file)),
    };
    let (more, outcome) = match n % 5 {
        0 => (r#""from": {"v": "a"}, "goal": "g""#, "plan"),
        1 => (r#""from": {"v": "b"}, "to": {"v": "c"}"#, "plan"),
        2 => (r#""from": {"v": "c"}, "goal": "g""#, "satisfied"),
        3 => (r#""from": {"v": "c"}, "to": {"v": "a"}"#, "impossible"),
        _ => {
            (r#""from": {"v": "a"}, "goal": "g", "planner": "forward", "max_nodes": 1"#, "gave_up")
        }
    };
    let bytes = format!("{{\"id\": {id}, {domain}, {more}}}").into_bytes();
    Line { bytes, expected: Some((id.clone(), outcome, None)) }
}

fn bad_line(kind: usize, n: usize, file: &str) -> Line {
    let unreadable = |bytes: &[u8], code| Line {
        bytes: bytes.to_vec(),
        expected: Some(("null".to_string(), "error", Some(code))),
    };
    let wrong = |more: &str, code| {
        let file = json!(file);
        let bytes = format!("{{\"id\": {n}, \"file\": {file}, {more}}}").into_bytes();
        Line { bytes, expected: Some((n.to_string(), "error", Some(code))) }
    };
    let blank = |bytes: &[u8]| Line { bytes: bytes.to_vec(), expected: None };
    match kind % 22 {
        0 => unreadable(b"not JSON", "not_json"),
        1 => unreadable(b"{\"id\": 1, \"goal\": ", "not_json"),
        2 => unreadable(b"[]", "not_json"),
        3 => unreadable(b"{\"id\": \"\xff\"}", "not_text"),
        4 => unreadable(format!("{}{}", "[".repeat(999), "]".repeat(999)).as_bytes(), "not_json"),
        5 => unreadable(b"{\"id\": 1,}", "not_json"),
        6 => unreadable(b"\0", "not_json"),
        7 => blank(b""),
        8 => blank(b"  \t \r"),
        9 => wrong(r#""goal": "g", "gaol": "g""#, "unknown_key"),
        10 => wrong(r#""goal": "gg""#, "unknown_name"),
        11 => wrong(r#""from": {"w": "a"}, "goal": "g""#, "unknown_name"),
        12 => wrong(r#""from": {"v": "d"}, "goal": "g""#, "unknown_name"),
        13 => wrong(r#""goal": "g", "to": {"v": "a"}"#, "bad_question"),
        14 => wrong(r#""from": {"v": "a"}"#, "bad_question"),
        15 => wrong(r#""goal": "g", "goal": "g""#, "key_twice"),
        16 => wrong(r#""from": {"v": "a", "v": "a"}, "goal": "g""#, "key_twice"),
        17 => wrong(r#""goal": 1"#, "wrong_type"),
        18 => wrong(r#""goal": "g", "max_nodes": -1"#, "wrong_type"),
        19 => wrong(r#""goal": "g", "domain": {"throng": 1}"#, "bad_question"),
        20 => wrong(r#""goal": "g", "npc": "nobody""#, "unknown_name"),
        _ => wrong(r#""goal": "g", "mode": "slow""#, "unknown_name"),
    }
}

/// Checks one answer against its line.
fn check(n: usize, line: &Line, answer: &str) {
    let (id, outcome, code) = line.expected.as_ref().unwrap();
    let rest = answer.strip_prefix(&format!("{{\"id\":{id},"));
    let rest = rest.unwrap_or_else(|| panic!("line {n} has id {id}, the answer is {answer}"));
    let rest: Value = serde_json::from_str(&format!("{{{rest}")).unwrap();
    assert_eq!(rest["outcome"], *outcome, "line {n}: {answer}");
    if let Some(code) = code {
        assert_eq!(rest["reason"]["code"], *code, "line {n}: {answer}");
        assert_eq!(rest["line"], n as u64, "line {n}: {answer}");
    }
}

/// Asks lines `from..=to` while reading their answers.
fn ask(conversation: &mut Conversation, from: usize, to: usize, file: &str) {
    let mut ask = conversation.ask.take().unwrap();
    let ask = std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for n in from..=to {
                ask.write_all(&line(n, file).bytes).unwrap();
                ask.write_all(b"\n").unwrap();
            }
            ask
        });
        for (n, line) in (from..=to).map(|n| (n, line(n, file))) {
            if line.expected.is_some() {
                check(n, &line, &conversation.answer());
            }
        }
        writer.join().unwrap()
    });
    conversation.ask = Some(ask);
}

#[test]
fn a_hundred_thousand_lines_get_their_answers_in_order_and_in_flat_memory() {
    let folder = Folder::new();
    let file = folder.write("d.json", domain(0));
    let mut conversation = Conversation::begin();
    ask(&mut conversation, 1, 10_000, &file);
    let before = kilobytes(&conversation.child, "VmHWM");
    ask(&mut conversation, 10_001, 100_000, &file);
    match (before, kilobytes(&conversation.child, "VmHWM")) {
        (Some(before), Some(after)) => {
            assert!(
                after < before + 20_000,
                "{before} kB after 10,000 lines, {after} kB at the end"
            );
        }
        _ => println!("SKIPPED: this system does not tell the memory of a process"),
    }
    conversation.end();
}

#[test]
fn a_client_may_wait_for_each_answer_before_it_asks_again() {
    let folder = Folder::new();
    let file = folder.write("d.json", domain(0));
    let mut conversation = Conversation::begin();
    for n in 1..=200 {
        let line = good_line(n, &file);
        conversation.write(&line.bytes);
        conversation.write(b"\n");
        check(n, &line, &conversation.answer());
    }
    conversation.end();
}

#[test]
fn an_answer_does_not_wait_for_the_rest_of_the_next_question() {
    let mut conversation = Conversation::begin();
    let (first, second) = (good_line(1, ""), good_line(3, ""));
    let (begin, rest) = second.bytes.split_at(second.bytes.len() / 2);
    conversation.write(&[&first.bytes, &b"\n"[..], begin].concat());
    check(1, &first, &conversation.answer());
    conversation.write(&[rest, b"\n"].concat());
    check(2, &second, &conversation.answer());
    conversation.end();
}

#[test]
fn blank_lines_do_not_keep_an_answer_waiting() {
    let mut conversation = Conversation::begin();
    let line = good_line(1, "");
    conversation.write(&[&line.bytes, &b"\n\n  \n"[..]].concat());
    check(1, &line, &conversation.answer());
    conversation.end();
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_stream_quietly() {
    let mut child =
        program(&["solve", "--root", &Folder::all()]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    // Far more lines than anybody waits for: only a program that ends stops the writing.
    let writer = std::thread::spawn(move || {
        let line = [&good_line(1, "").bytes[..], b"\n"].concat();
        (0..5_000_000).all(|_| stdin.write_all(&line).is_ok())
    });
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert_has(&first, &["\"outcome\":\"plan\""]);
    drop(out);
    assert_eq!(ends(&mut child).code(), Some(0));
    assert!(!writer.join().unwrap(), "the program read everything before it ended");
    let mut messages = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut messages).unwrap();
    assert_eq!(messages, "");
}

#[test]
fn a_reader_that_went_away_is_no_error_for_any_command() {
    for words in
        [&["demo"][..], &["plan", HORSES], &["check", HORSES], &["fmt", HORSES], &["--help"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program(words).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{words:?}");
    }
}
