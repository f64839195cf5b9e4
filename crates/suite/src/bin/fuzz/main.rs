//! Mutation fuzzing with the stable toolchain: throws damaged files at everything that reads.
//!
//! In:   a target, a number of seconds, a seed.
//! Out:  what was tried; or, for the first input that panics, breaks a promise or takes too
//!       long, where it was saved, and exit code 1.
//! Cost: the seconds asked for, one core.
//!
//! ```text
//! cargo xtask fuzz npc --seconds 60
//! cargo run --profile ci -p throng-suite --bin fuzz -- npc --replay FILE
//! ```
//!
//! The inputs follow from the seed alone; the clock only says when to stop.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod layout;
mod pddl;
mod seeds;
mod solve;
mod targets;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use targets::{FuzzTarget, TARGETS, Verdict};
use throng_base::checksum;
use throng_lab::corpus;
use throng_suite::mutate::Mutator;
use throng_suite::shrink::shrink_bytes;

/// An input that takes longer is a finding.
const TOO_LONG: Duration = Duration::from_secs(10);
/// How often a failing input is tried in smaller forms.
const SHRINK_TRIES: usize = 4_000;
/// And how long.
const SHRINK_TIME: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--list"] {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return ExitCode::SUCCESS;
    }
    match Options::read(words.into_iter()) {
        Ok(options) => run(&options).unwrap_or_else(|error| {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    target: &'static FuzzTarget,
    seconds: f64,
    seed: u64,
    /// Go on after a finding, until the time is over.
    all: bool,
    replay: Option<PathBuf>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        let usage = format!(
            "usage: fuzz {} [--seconds N] [--seed N] [--all] [--replay FILE] | --list",
            names.join("|")
        );
        let name = words.next().ok_or(&usage)?;
        let target = TARGETS.iter().find(|target| target.name == name).ok_or(&usage)?;
        let mut options = Options { target, seconds: 30.0, seed: 1, all: false, replay: None };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{text}: no number"));
            match word.as_str() {
                "--seconds" => options.seconds = number(value()?)?,
                "--seed" => options.seed = number(value()?)? as u64,
                "--all" => options.all = true,
                "--replay" => options.replay = Some(PathBuf::from(value()?)),
                _ => return Err(usage),
            }
        }
        Ok(options)
    }
}

fn run(options: &Options) -> io::Result<ExitCode> {
    let folder = folder(options.target.name);
    fs::create_dir_all(&folder)?;
    let mut runner = Runner::new(options.target, folder)?;
    if let Some(path) = &options.replay {
        return Ok(match runner.try_one(&fs::read(path)?)? {
            Ok(seen) => {
                println!("fine: {}", seen.feature);
                ExitCode::SUCCESS
            }
            Err(failure) => {
                println!("{}", failure.text);
                ExitCode::FAILURE
            }
        });
    }
    let findings = fuzz(options, &mut runner)?;
    // Only kept for a run that ends without a word.
    let _ = fs::remove_file(runner.folder.join("current"));
    Ok(if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `fuzz/<target>` in the build folder.
fn folder(target: &str) -> PathBuf {
    let build = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    build.unwrap_or_else(|| corpus::folder().join("../target")).join("fuzz").join(target)
}

/// Runs the target until the time is over; gives the number of findings.
fn fuzz(options: &Options, runner: &mut Runner) -> io::Result<usize> {
    let target = options.target;
    let seeds = (target.seeds)();
    let mut mutator = Mutator::new(options.seed, seeds.clone(), target.words);
    let begin = Instant::now();
    let mut counts = Counts::default();
    let mut seeds = seeds.into_iter();
    while begin.elapsed().as_secs_f64() < options.seconds {
        // First the seeds as they are, then what can be made of them.
        let input = seeds.next().unwrap_or_else(|| (target.prepare)(mutator.text()));
        let start = Instant::now();
        match runner.try_one(&input)? {
            Ok(seen) => {
                counts.slowest(start.elapsed(), &input);
                counts.loaded += u64::from(seen.loaded);
                let times = counts.features.entry(seen.feature).or_default();
                *times += 1;
                // Texts with many mistakes lead to texts with more; what is nearly right is better.
                if *times == 1 && seen.is_near {
                    mutator.keep(input);
                }
            }
            Err(failure) => {
                if counts.findings.insert(failure.key.clone()) {
                    runner.save(&failure, &input)?;
                }
                if !options.all {
                    break;
                }
            }
        }
        counts.inputs += 1;
    }
    counts.print(target.name, options.seed, begin.elapsed());
    fs::write(runner.folder.join("slowest"), &counts.slowest.1)?;
    Ok(counts.findings.len())
}

#[derive(Default)]
struct Counts {
    inputs: u64,
    loaded: u64,
    /// How often each way of going was seen: which diagnostics, which sizes, which outcomes.
    features: BTreeMap<String, u64>,
    findings: BTreeSet<String>,
    slowest: (Duration, Vec<u8>),
}

impl Counts {
    fn slowest(&mut self, took: Duration, input: &[u8]) {
        if took > self.slowest.0 {
            self.slowest = (took, input.to_vec());
        }
    }

    fn print(&self, target: &str, seed: u64, took: Duration) {
        let per_second = self.inputs as f64 / took.as_secs_f64();
        let words = self.features.keys().flat_map(|feature| feature.split(' '));
        let codes: BTreeSet<&str> = words.filter(|word| word.starts_with(['E', 'W'])).collect();
        println!(
            "fuzz {target}: {} inputs in {:.0} s ({per_second:.0}/s, seed {seed}), {} loaded, \
             {} ways, {} codes, slowest {:.0} ms ({} bytes), {} findings",
            self.inputs,
            took.as_secs_f64(),
            self.loaded,
            self.features.len(),
            codes.len(),
            self.slowest.0.as_secs_f64() * 1e3,
            self.slowest.1.len(),
            self.findings.len(),
        );
    }
}

/// What went wrong: a key that is the same for the same mistake, and the whole story.
struct Failure {
    key: String,
    text: String,
}

/// The input that runs now and since when.
type Watched = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// Runs single inputs: catches panics, watches the clock, saves what fails.
struct Runner {
    target: &'static FuzzTarget,
    folder: PathBuf,
    current: File,
    watched: Watched,
    panicked: Arc<Mutex<String>>,
}

impl Runner {
    fn new(target: &'static FuzzTarget, folder: PathBuf) -> io::Result<Runner> {
        let current = File::create(folder.join("current"))?;
        let watched = Arc::new(Mutex::new(None));
        watch(Arc::clone(&watched), folder.join("too-long"));
        let panicked = Arc::new(Mutex::new(String::new()));
        let message = Arc::clone(&panicked);
        std::panic::set_hook(Box::new(move |info| *lock(&message) = info.to_string()));
        Ok(Runner { target, folder, current, watched, panicked })
    }

    /// One input. It lies in the file `current` meanwhile, for a crash that cannot be caught.
    fn try_one(&mut self, input: &[u8]) -> io::Result<Result<targets::Seen, Failure>> {
        self.current.seek(SeekFrom::Start(0))?;
        self.current.write_all(input)?;
        self.current.set_len(input.len() as u64)?;
        *lock(&self.watched) = Some((Instant::now(), input.to_vec()));
        let verdict: Result<Verdict, _> =
            catch_unwind(AssertUnwindSafe(|| (self.target.run)(input)));
        *lock(&self.watched) = None;
        let key = |text: &str| text.lines().next().unwrap_or("").to_string();
        Ok(match verdict {
            Ok(Ok(seen)) => Ok(seen),
            Ok(Err(broken)) => {
                Err(Failure { key: key(&broken), text: format!("broken promise: {broken}") })
            }
            Err(_) => {
                let text = lock(&self.panicked).clone();
                Err(Failure { key: key(&text), text })
            }
        })
    }

    /// Saves a failing input as it was and as small as it gets.
    fn save(&mut self, failure: &Failure, input: &[u8]) -> io::Result<()> {
        let begin = Instant::now();
        let small = shrink_bytes(input, SHRINK_TRIES, |smaller| {
            begin.elapsed() < SHRINK_TIME
                && matches!(self.try_one(smaller), Ok(Err(other)) if other.key == failure.key)
        });
        let path = self.folder.join(format!("{:016x}", checksum(0, failure.key.as_bytes())));
        let small_path = path.with_extension("small");
        fs::write(&path, input)?;
        fs::write(&small_path, &small)?;
        let found = self.try_one(&small)?.err();
        let text = found.map_or_else(|| failure.text.clone(), |found| found.text);
        eprintln!("fuzz {}: {text}", self.target.name);
        eprintln!("  the input: {}", shown(&path));
        eprintln!("  made smaller: {}\n", shown(&small_path));
        Ok(())
    }
}

/// Ends the program if one input takes too long; its text is saved.
fn watch(watched: Watched, path: PathBuf) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(500));
            let guard = lock(&watched);
            if let Some((_, input)) = guard.as_ref().filter(|(start, _)| start.elapsed() > TOO_LONG)
            {
                let place = match fs::write(&path, input) {
                    Ok(()) => shown(&path),
                    Err(error) => format!("not saved, {error}"),
                };
                eprintln!("an input takes more than {TOO_LONG:?}: {place}");
                exit(1);
            }
        }
    });
}

fn shown(path: &Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// The lock, also after a panic of who held it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
