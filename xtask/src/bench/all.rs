//! `cargo xtask bench all`: every measurement in one go, one page of what holds, what has changed.
//!
//! In:   names of measurements, or none for all of them.
//! Out:  all pages of figures made anew; `docs/figures.tsv`, a line for every figure;
//!       `docs/what-holds.md`, a row for every bar; on the terminal, what differs from the figures
//!       of the last commit.
//! Cost: an hour, most of it beside Fast Downward. Measurements run one after the other.
//!
//! Each measurement is a process of its own that adds its figures to one file.

use super::figures::{self, Figure};
use super::{OTHERS, PROGRAMS, build_throng};
use crate::collected::FILE;
use crate::command::{Outcome, built, root, run, words};
use std::fs;
use std::path::Path;
use std::process::Command;

const TABLE: &str = "docs/figures.tsv";
const PAGE: &str = "docs/what-holds.md";

/// The suites of `throng bench` that write pages, and the folder of each.
const SUITES: [(&str, &str); 6] = [
    ("limits", "docs/limits"),
    ("minds", "docs/mind-costs"),
    ("papers", "docs/papers"),
    ("growth", "docs/growth"),
    ("scaling", "docs/boxes"),
    ("competition", "docs/boxes"),
];

const HEAD: &str = "\
# What holds

Every bar of every measurement, and whether it holds.
The page is written by

```console
cargo xtask bench all
```

which makes all pages of figures anew, one measurement after the other, and says what changed since the last commit; `cargo xtask bench all limits peers` makes some of them anew and leaves the others as they are.
A ratio divides theirs by ours beside another way to get the same answers, and ours by theirs beside anything else ([benchmarks](benchmarks.md)).
*Spread* is how much longer the round in the middle took than the fastest, which counts: where it is large, the machine was busy, and only ratios of one run mean much.
*Commit* is the one that was measured; a `+` behind it says that files differed from it.
All figures, also those without a bar, are in `figures.tsv`.

";

/// Runs these measurements, or all.
pub(crate) fn all(names: &[&str]) -> Outcome {
    let known = || SUITES.iter().map(|(name, _)| *name).chain(PROGRAMS).chain(OTHERS);
    if let Some(name) = names.iter().find(|name| !known().any(|known| known == **name)) {
        let known: Vec<&str> = known().collect();
        return Err(format!("no measurement `{name}`; there are {}", known.join(", ")));
    }
    let is_wanted = |name: &str| names.is_empty() || names.contains(&name);
    let collected = built("release", "figures.tsv")?;
    _ = fs::remove_file(&collected);
    build_throng()?;
    let mut failed = Vec::new();
    for mut command in commands(is_wanted)? {
        let told = words(&command);
        println!("\n== {told}\n");
        if let Err(why) = run(command.env(FILE, &collected)) {
            failed.push(why);
        }
    }
    keep(&collected)?;
    match failed.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("a bar is missed or nothing was measured:\n  {}", failed.join("\n  ")))
        }
    }
}

/// The processes of the measurements that are wanted.
fn commands(is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Command>, String> {
    let throng = built("release", "throng")?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let suites = SUITES.iter().filter(|(name, _)| is_wanted(name)).map(|(name, folder)| {
        let mut command = Command::new(&throng);
        command.args(["bench", name, "--out", folder]).current_dir(root());
        command
    });
    let programs = PROGRAMS.into_iter().chain(OTHERS).filter(|name| is_wanted(name)).map(|name| {
        let mut command = Command::new(&own);
        command.args(["bench", name]).current_dir(root());
        command
    });
    Ok(suites.chain(programs).collect())
}

/// Writes the table and the page, and tells what has changed.
fn keep(collected: &Path) -> Outcome {
    let new = fs::read_to_string(collected).map(|text| figures::read(&text)).unwrap_or_default();
    if new.is_empty() {
        return Err("no figure was measured".to_string());
    }
    let here = fs::read_to_string(root().join(TABLE)).unwrap_or_default();
    let all = figures::merged(&figures::read(&here), &new);
    let write = |path: &str, text: String| {
        fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))
    };
    write(TABLE, figures::write(&all))?;
    write(PAGE, format!("{HEAD}{}", figures::page(&all)))?;
    let committed = committed();
    let changes = figures::changes(&committed, &new);
    println!("\n== since the last commit, of {} figures\n", new.len());
    match (committed.is_empty(), changes.is_empty()) {
        (true, _) => println!("no figures are committed yet"),
        (_, true) => println!("nothing has changed beyond noise"),
        _ => changes.iter().for_each(|change| println!("{change}")),
    }
    Ok(())
}

/// The figures of the last commit.
fn committed() -> Vec<Figure> {
    let mut git = Command::new("git");
    git.args(["show", &format!("HEAD:{TABLE}")]).current_dir(root());
    let shown = git.output().ok().filter(|output| output.status.success());
    shown.map(|output| figures::read(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measurement_is_run_once_and_others_are_refused() {
        let told = |name: Option<&str>| -> Vec<String> {
            let wanted = |it: &str| name.is_none_or(|name| name == it);
            commands(wanted).unwrap().iter().map(words).collect()
        };
        assert_eq!(told(None).len(), SUITES.len() + PROGRAMS.len() + OTHERS.len());
        assert_eq!(told(Some("limits")), ["throng bench limits --out docs/limits"]);
        assert_eq!(told(Some("growth")).len(), 2);
        let refused = all(&["limits", "speed"]).unwrap_err();
        assert!(refused.starts_with("no measurement `speed`; there are limits, "), "{refused}");
    }
}
