//! `cargo xtask fuzz`: builds the fuzzer and runs its targets, as many at once as there are
//! cores.
//!
//! In:   a target or none for all, seconds for each, a seed.
//! Out:  a line for each target; where a failing input was saved.

use crate::command::{Outcome, built, cargo, run as run_command};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// What to fuzz and how long.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Options {
    target: Option<String>,
    seconds: u32,
    seed: u64,
}

impl Options {
    /// All targets, so many seconds each.
    pub(crate) fn all_targets(seconds: u32) -> Options {
        Options { target: None, seconds, seed: 1 }
    }

    /// Options from words.
    pub(crate) fn read(words: &[&str]) -> Result<Options, String> {
        let mut options = Options::all_targets(30);
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number = || -> Result<u64, String> {
                let value = words.next().ok_or_else(|| format!("{word} needs a number"))?;
                value.parse().map_err(|_| format!("{word}: `{value}` is no whole number"))
            };
            match word {
                "--seconds" => {
                    let seconds = number()?;
                    options.seconds = u32::try_from(seconds).map_err(|error| error.to_string())?;
                }
                "--seed" => options.seed = number()?,
                _ if word.starts_with('-') || options.target.is_some() => {
                    return Err(format!("`{word}` means nothing to fuzz"));
                }
                _ => options.target = Some(word.to_string()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    // The same features and profile as the tests, so that nothing is built twice.
    let build = ["build", "--quiet", "--workspace", "--all-features", "--profile", "ci"];
    run_command(&mut cargo(&[&build[..], &["--bin", "fuzz"]].concat()))?;
    let program = built("ci", "fuzz")?;
    let targets = match &options.target {
        Some(target) => vec![target.clone()],
        None => targets(&program)?,
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (queue, failed) = (Mutex::new(targets.into_iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(target) = next() {
                    if let (Err(why), Ok(mut failed)) =
                        (one(&program, &target, options), failed.lock())
                    {
                        failed.push(why);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}

/// The names of all targets, as the program says them.
fn targets(program: &Path) -> Result<Vec<String>, String> {
    let output = Command::new(program).arg("--list").output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_string).collect())
}

/// Runs one target; its output is shown when it is done, so that targets do not mix.
fn one(program: &PathBuf, target: &str, options: &Options) -> Outcome {
    let seconds = options.seconds.to_string();
    let seed = options.seed.to_string();
    let mut command = Command::new(program);
    command.args([target, "--seconds", &seconds, "--seed", &seed]);
    let output = command.output().map_err(|error| format!("{target}: {error}"))?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => Ok(()),
        Some(_) => Err(format!("fuzzing {target} found something, see above")),
        None => Err(format!(
            "fuzzing {target} ended by a crash ({}); its last input is the file `current` in \
             fuzz/{target} of the build folder",
            output.status
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let wanted = Options { target: Some("npc".into()), seconds: 5, seed: 7 };
        assert_eq!(Options::read(&["--seconds", "5", "npc", "--seed", "7"]), Ok(wanted));
        assert_eq!(Options::read(&[]), Ok(Options::all_targets(30)));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for words in [&["--seconds"][..], &["--seconds", "x"], &["npc", "json"], &["--fast"]] {
            assert!(Options::read(words).is_err(), "{words:?}");
        }
    }
}
