//! How the check of a file grows with the file: time and memory per byte of text.
//!
//! In:   nothing; the files are generated.
//! Out:  Markdown tables, what holds of the bars for files without mistakes, and exit code 1 if time
//!       or memory per byte grows with the size.
//! Cost: a minute or two. Files lie in the build folder meanwhile.
//!
//! Each figure is the median of five runs of `throng check`, each in a fresh process of this
//! program, so that the peak of memory is that of one file. Run it by `cargo xtask bench
//! growth`, which also writes the tables into `docs/benchmarks.md`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use throng_base::text::grouped;
use throng_cli::{Console, Extension};
use throng_lab::clock::thread_nanoseconds;
use throng_lab::corpus;
use throng_lab::machine::measured_under_load;
use throng_lab::measuring::{fresh, peak_bytes};
use throng_lab::program::{Outcome, program};
use throng_lab::record::{self, Bar, Record};
use throng_lab::table::Table;
use throng_lab::timed::Timed;

/// Runs of each file; the median counts.
const RUNS: usize = 5;
/// Ten times the text may cost so many times as much per byte: room for caches that no longer
/// hold everything and for noise, far below the ten of quadratic growth.
const STEEPEST: f64 = 3.0;
/// The most that a file without mistakes may cost per byte, from [`BAR_FROM`] actions on:
/// nanoseconds, and bytes of memory beyond those of a two-line file.
const MOST_NANOSECONDS: f64 = 25.0;
const MOST_BYTES: f64 = 10.0;
/// Below so many actions, what every run costs still shows.
const BAR_FROM: usize = 10_000;
/// Less memory than this beyond a two-line file is mostly what the allocator had taken ahead: the
/// next size is not compared with it.
const LEAST_COMPARED: f64 = 1e6;
/// Actions of one NPC type in the natural shape.
const PER_NPC: usize = 10;

fn main() -> ExitCode {
    program(|words| match words {
        [] => measure_all(),
        ["--one", path] => check_one(path),
        _ => Err("usage: growth".into()),
    })
}

/// In the fresh process: checks one file, prints the exit code, nanoseconds and the peak in bytes.
fn check_one(path: &str) -> Outcome {
    let mut console = Console::silent(io::sink());
    let begin = thread_nanoseconds();
    let code = throng_cli::run(["throng", "check", path], &Extension::NONE, &mut console);
    println!("{code} {} {}", thread_nanoseconds() - begin, peak_bytes().unwrap_or(0));
    Ok(true)
}

/// A kind of file.
struct Shape {
    title: &'static str,
    counted: &'static str,
    /// The exit code that the check must give.
    code: u8,
    text: fn(usize) -> String,
}

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const TYPES: Shape = Shape {
    title: "Many NPC types of ten actions each",
    counted: "actions",
    code: throng_cli::FINE,
    text: town,
};
const TYPOS: Shape = Shape {
    title: "Mistakes: names that are nearly right, and names that are nowhere near",
    counted: "mistakes",
    code: throng_cli::BAD,
    text: typos,
};
const SHAPES: [Shape; 4] = [
    TYPES,
    Shape { title: "One NPC type that can do everything", text: flat, ..TYPES },
    TYPOS,
    Shape { title: "Mistakes: every line is broken", text: broken, ..TYPOS },
];

/// NPC types with variables, actions and a goal of their own.
fn town(n_actions: usize) -> String {
    let mut text = "domain town\n".to_string();
    for npc in 0..n_actions.div_ceil(PER_NPC) {
        let _ = write!(text, "\nvar tool_{npc}: stored, in_hands, in_use\nvar work_{npc}: ");
        let stages: Vec<String> = (0..PER_NPC - 1).map(|stage| format!("stage_{stage}")).collect();
        let _ = writeln!(text, "{}", stages.join(", "));
        let _ = writeln!(text, "action take_{npc}: tool_{npc} stored -> in_hands");
        let _ = writeln!(text, "action ready_{npc}: tool_{npc} in_hands -> in_use  if awake");
        for stage in 1..PER_NPC - 1 {
            let _ = writeln!(
                text,
                "action work_{npc}_{stage}: work_{npc} stage_{} -> stage_{stage}  \
                 while tool_{npc} = in_use  cost 1.5",
                stage - 1
            );
        }
        let _ = writeln!(text, "goal done_{npc}: work_{npc} = stage_{}", PER_NPC - 2);
        let works: Vec<String> =
            (1..PER_NPC - 1).map(|stage| format!("work_{npc}_{stage}")).collect();
        let _ = writeln!(
            text,
            "npc worker_{npc}\n    can take_{npc}, ready_{npc}, {}\n    wants done_{npc}\n    \
             starts tool_{npc} = stored, work_{npc} = stage_0",
            works.join(", ")
        );
    }
    text
}

/// One NPC type, one long list.
fn flat(n_actions: usize) -> String {
    let mut text = "domain flat\n".to_string();
    let n_variables = n_actions.div_ceil(4);
    for variable in 0..n_variables {
        let _ = writeln!(text, "var part_{variable}: raw, cut, bent, drilled, done");
    }
    let stages = ["raw", "cut", "bent", "drilled", "done"];
    for action in 0..n_actions {
        let (variable, stage) = (action / 4, action % 4);
        let _ = writeln!(
            text,
            "action step_{action}: part_{variable} {} -> {}  while part_{} = raw",
            stages[stage],
            stages[stage + 1],
            (variable + 1) % n_variables
        );
    }
    let names: Vec<String> = (0..n_actions).map(|action| format!("step_{action}")).collect();
    let starts: Vec<String> = (0..n_variables).map(|v| format!("part_{v} = raw")).collect();
    let _ = writeln!(text, "goal first: part_0 = done");
    let _ = writeln!(text, "npc maker\n    can {}\n    wants first", names.join(", "));
    let _ = writeln!(text, "    starts {}", starts.join(", "));
    text
}

/// As many mistakes as actions: variables, values and actions that do not exist.
fn typos(n_mistakes: usize) -> String {
    let mut text = "domain typos\n".to_string();
    for variable in 0..n_mistakes.div_ceil(4) {
        let _ = writeln!(text, "var lamp_{variable}: off, on, broken");
    }
    for action in 0..n_mistakes {
        let near = action / 4;
        let _ = match action % 4 {
            0 => writeln!(text, "action a_{action}: lmap_{near} off -> on"),
            1 => writeln!(text, "action a_{action}: lamp_{near} off -> brokn"),
            2 => {
                writeln!(text, "action a_{action}: lamp_{near} off -> on  while zzz_{action} = on")
            }
            _ => writeln!(text, "action a_{action}: lamp_{near} -> on  overrides b_{action}"),
        };
    }
    text
}

/// Lines that are no statements, or end too early, or hold strange characters.
fn broken(n_mistakes: usize) -> String {
    let mut text = "domain broken\nvar lamp: off, on\n".to_string();
    for line in 0..n_mistakes {
        let _ = match line % 4 {
            0 => writeln!(text, "acton light_{line}: lamp off -> on"),
            1 => writeln!(text, "action light_{line}: lamp off on"),
            2 => writeln!(text, "action light_{line}: lamp off -> on  whlie lamp = off"),
            _ => writeln!(text, "action light_{line}: lamp off § on"),
        };
    }
    text
}

/// One measured file.
struct Row {
    size: usize,
    bytes: usize,
    /// Of the processor, in nanoseconds. The run in the middle counts, so that its spread is to the
    /// fastest one.
    time: Timed,
    /// Peak of memory, in bytes.
    peak: Option<u64>,
}

fn measure_all() -> Outcome {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    let empty = measure(&folder, "domain empty\nvar x: a, b\n", throng_cli::FINE)?;
    let (mut steepest, mut records): (f64, Vec<Record>) = (0.0, Vec::new());
    println!("{}.\n", measured_under_load());
    for shape in &SHAPES {
        eprintln!("{} …", shape.title);
        let mut rows = Vec::new();
        for size in SIZES {
            let text = (shape.text)(size);
            let (time, peak) = measure(&folder, &text, shape.code)?;
            rows.push(Row { size, bytes: text.len(), time, peak });
        }
        println!("**{}**\n\n{}", shape.title, table(shape, &rows, empty.1));
        if shape.code == throng_cli::FINE {
            println!("{}\n", bars(&rows, empty.1));
            records.extend(rows.iter().flat_map(|row| row.records(shape, empty.1)));
        }
        steepest = steepest.max(growth(&rows, empty.1));
    }
    fs::remove_dir_all(&folder)?;
    record::collect("cargo xtask bench growth", &records)?;
    println!(
        "From one size to the next, ten times larger, the cost of a byte grew at most {steepest:.1} times."
    );
    let linear = steepest <= STEEPEST;
    if !linear {
        eprintln!("that is more than {STEEPEST}: something grows faster than the text");
    }
    Ok(linear)
}

/// `growth` in the build folder.
fn folder() -> PathBuf {
    let build = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    build.unwrap_or_else(|| corpus::folder().join("../target")).join("growth")
}

/// The times, and the median peak in bytes, of several fresh processes.
fn measure(folder: &Path, text: &str, wanted: u8) -> io::Result<(Timed, Option<u64>)> {
    let path = folder.join("file.npc");
    fs::write(&path, text)?;
    let (mut times, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        match fresh(&["--one", &path.to_string_lossy()]).as_deref() {
            Some(&[code, time, peak]) if code == u64::from(wanted) => {
                times.push(time as f64);
                peaks.push(peak);
            }
            said => {
                let head: String = text.chars().take(40).collect();
                return Err(io::Error::other(format!("{head:?}: {said:?}, not code {wanted}")));
            }
        }
    }
    let peak = median(&mut peaks);
    Ok((Timed::of(times), (peak > 0).then_some(peak)))
}

fn median(numbers: &mut [u64]) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

fn table(shape: &Shape, rows: &[Row], empty: Option<u64>) -> Table {
    let heads = "text: | time: | per byte: | peak memory: | per byte of text:";
    let mut table = Table::new(&format!("{}: | {heads}", shape.counted));
    for row in rows {
        let peak = row.peak.map_or("n/a".to_string(), |peak| megabytes(peak as f64));
        let memory = row.memory_per_byte(empty);
        let memory = memory.map_or("n/a".to_string(), |memory| format!("{memory:.1} bytes"));
        let (size, text) = (grouped(row.size as u64), megabytes(row.bytes as f64));
        let (time, each) = (row.time.median / 1e6, row.nanoseconds_per_byte());
        table
            .row(format_args!("{size} | {text} | {time:.1} ms | {each:.0} ns | {peak} | {memory}"));
    }
    table
}

impl Row {
    fn nanoseconds_per_byte(&self) -> f64 {
        self.time.median / self.bytes as f64
    }

    /// Its time and its memory per byte, beside the bars.
    fn records(&self, shape: &Shape, empty: Option<u64>) -> Vec<Record> {
        let name = |what: &str| format!("{}, {} actions: {what}", shape.title, self.size);
        let held = (self.size >= BAR_FROM).then_some(Bar::AtMost(1.0));
        let median = Timed {
            fastest: self.time.median,
            median: self.time.median * (1.0 + self.time.spread().unwrap_or(0.0)),
        };
        let each = median / self.bytes as f64;
        let time =
            Record::ours_by_theirs(name("time"), each, MOST_NANOSECONDS, "the bar", "ns per byte");
        let memory = self.memory_per_byte(empty).map(|bytes| {
            Record::ours_by_theirs(name("memory"), bytes, MOST_BYTES, "the bar", "bytes per byte")
        });
        let time = time.by(format!("thread time of a fresh process, median of {RUNS}"));
        let memory =
            memory.map(|memory| memory.by(format!("peak of a fresh process, median of {RUNS}")));
        [Some(time), memory].into_iter().flatten().map(|record| record.held(held)).collect()
    }

    /// What the file needed beyond an empty one.
    fn memory_per_byte(&self, empty: Option<u64>) -> Option<f64> {
        let beyond = self.peak?.saturating_sub(empty?);
        Some(beyond as f64 / self.bytes as f64)
    }
}

/// Whether the bars hold, with the worst row.
fn bars(rows: &[Row], empty: Option<u64>) -> String {
    let rows = || rows.iter().filter(|row| row.size >= BAR_FROM);
    let time = rows().map(Row::nanoseconds_per_byte).reduce(f64::max);
    let memory = rows().filter_map(|row| row.memory_per_byte(empty)).reduce(f64::max);
    let bar = |most: f64, unit: &str, worst: Option<f64>| {
        let verdict = worst.map_or("not measured".to_string(), |worst| {
            format!("{}: {worst:.1}", if worst <= most { "held" } else { "missed" })
        });
        format!("at most {most} {unit}, {verdict}")
    };
    format!(
        "Bars per byte of text, from {} actions on: {}; {}.",
        grouped(BAR_FROM as u64),
        bar(MOST_NANOSECONDS, "ns", time),
        bar(MOST_BYTES, "bytes", memory)
    )
}

/// The steepest growth of time or memory per byte from a size to the next.
fn growth(rows: &[Row], empty: Option<u64>) -> f64 {
    let times = |pair: &[Row]| pair[1].nanoseconds_per_byte() / pair[0].nanoseconds_per_byte();
    let memory = |pair: &[Row]| {
        let (less, more) = (pair[0].memory_per_byte(empty)?, pair[1].memory_per_byte(empty)?);
        (less * pair[0].bytes as f64 >= LEAST_COMPARED).then(|| more / less)
    };
    let both = rows.windows(2).map(|pair| times(pair).max(memory(pair).unwrap_or(0.0)));
    both.fold(0.0, f64::max)
}

fn megabytes(bytes: f64) -> String {
    format!("{:.2} MB", bytes / 1e6)
}
