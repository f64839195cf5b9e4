//! Runs the real program and collects what it says, for all test files of this folder.
#![allow(dead_code, reason = "every test file uses a part of this one")]

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Long enough for the slowest machine; nobody waits that long if all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The paper's horse breeder, whose shortest morning has six steps.
pub(crate) const HORSES: &str = "domains/papers/horse_breeder_000.npc";
/// Seven NPC types.
pub(crate) const WESTERN: &str = "domains/papers/western.npc";

/// One NPC, one goal, one context check, one action that costs more than the others.
pub(crate) const STABLE: &str = "domain stable

var haystack: stored, in_hands, in_feeder
var bucket:   on_floor, in_hands
var water:    in_fountain, in_bucket, in_trough

action take_haystack:  haystack stored -> in_hands     while bucket = on_floor
action store_haystack: haystack in_hands -> stored     while bucket = on_floor
action fill_feeder:    haystack in_hands -> in_feeder  while bucket = on_floor
action pick_up_bucket: bucket on_floor -> in_hands     while haystack = stored
action drop_bucket:    bucket in_hands -> on_floor     while haystack = stored
action fill_bucket:    water in_fountain -> in_bucket  while bucket = in_hands
action fill_trough:    water in_bucket -> in_trough    while bucket = in_hands  if trough_reachable
    cost 2

goal feed_horses: haystack = in_feeder, water = in_trough, bucket = on_floor

npc horse_breeder
    can take_haystack, store_haystack, fill_feeder, pick_up_bucket, drop_bucket, fill_bucket,
        fill_trough
    wants feed_horses
    starts haystack = stored, bucket = on_floor, water = in_fountain
";

/// What the program said.
#[derive(Debug)]
pub(crate) struct Said {
    /// The exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The results as JSON; they must be one line.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one line of JSON: {self:?}");
        serde_json::from_str(&self.out).unwrap()
    }
}

/// The folder that the paths of the corpus are relative to.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program, to be run where the corpus is.
pub(crate) fn program<S: AsRef<std::ffi::OsStr>>(words: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(words).current_dir(root()).env_remove("NO_COLOR");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program without input.
pub(crate) fn throng(words: &[&str]) -> Said {
    throng_reads(words, b"")
}

/// Runs the program with this on its standard input.
pub(crate) fn throng_reads(words: &[&str], input: &[u8]) -> Said {
    let mut child = program(words).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that does not want all of its input may end early.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    let text = |bytes| String::from_utf8(bytes).expect("the program speaks UTF-8");
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program and compares the exit code; gives what it said.
pub(crate) fn exits(words: &[&str], code: i32) -> Said {
    let said = throng(words);
    assert_eq!(said.code, Some(code), "throng {}\n{said:?}", words.join(" "));
    said
}

/// Runs a command line that the program must refuse: exit code 2, nothing on the results, and a
/// message with all these parts.
pub(crate) fn refuses(words: &[&str], parts: &[&str]) {
    let said = exits(words, 2);
    assert_eq!(said.out, "", "throng {}", words.join(" "));
    assert_has(&said.err, parts);
}

/// Checks that a text has all these parts.
pub(crate) fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// Checks that an object has exactly these keys.
pub(crate) fn assert_keys(value: &Value, keys: &[&str]) {
    let mut found: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let mut keys = keys.to_vec();
    found.sort_unstable();
    keys.sort_unstable();
    assert_eq!(found, keys, "{value}");
}

/// Waits for a program to end.
pub(crate) fn ends(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the program does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A figure of a running process in kilobytes, as in `VmHWM`; `None` where the system does not
/// tell.
pub(crate) fn kilobytes(child: &Child, figure: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with(figure))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A folder of its own for one test; gone when the test ends.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let name = format!("throng-cli-{process}-{}-{count}", env!("CARGO_CRATE_NAME"));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder { path }
    }

    /// The folder that all of them are in.
    pub(crate) fn all() -> String {
        std::env::temp_dir().to_str().unwrap().to_string()
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.path.join(name).to_str().unwrap().to_string()
    }

    /// Writes a file, with the folders it needs, and gives its path.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        self.path(name)
    }

    /// The text of a file in it.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap()
    }

    /// The names of what is in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.path).unwrap();
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
