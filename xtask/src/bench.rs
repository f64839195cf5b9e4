//! `cargo xtask bench …`: measures, and writes the tables into `docs/benchmarks.md`.
//!
//! In:   the page, with a pair of markers for each measurement.
//! Out:  the same page with what the measuring program printed between them.
//!
//! `growth`: a check by size of the file. `topological`: a plan by size of the problem.
//! `forward`: forward search beside a plain one. `recording`: stories with a recorder and without.
//! `instructions`: counted, not timed, where valgrind is there. `peers`: Throng beside other
//! libraries, in one run; `numbers`: the same on domains with amounts. `downward`: beside Fast
//! Downward, on PDDL. `all`: these and the suites of `throng bench`, in one go.

mod all;
mod figures;

use crate::collected::{Figure, collect};
use crate::command::{Outcome, built, cargo, root, run};
pub(crate) use all::all;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/benchmarks.md";
/// The Python package with the other planner, and the version that was compared.
const DOWNWARD: &str = "up-fast-downward==1.0.0";

/// The measuring programs that print their tables by themselves.
pub(crate) const PROGRAMS: [&str; 4] = ["growth", "topological", "forward", "recording"];

/// The others, which more than a program of ours is needed for.
pub(crate) const OTHERS: [&str; 4] = ["instructions", "peers", "numbers", "downward"];

/// Builds one of [`PROGRAMS`], runs it, prints its tables and writes them into the page.
pub(crate) fn program(name: &str) -> Outcome {
    build(name)?;
    let outcome = tables_of(name, &mut Command::new(built("release", name)?));
    outcome.map_err(|why| format!("{why}: a bar is missed, or see above"))
}

/// The comparison is a package of its own: other libraries stay out of our lock file.
pub(crate) fn peers() -> Outcome {
    tables_of(
        "peers",
        &mut cargo(&[
            "run",
            "--release",
            "--manifest-path",
            "peers/Cargo.toml",
            "--bin",
            "throng-peers",
        ]),
    )
}

/// Domains with amounts: a program of the same package, which asks the command line too.
pub(crate) fn numbers() -> Outcome {
    build_throng()?;
    let words = ["run", "--release", "--manifest-path", "peers/Cargo.toml", "--bin", "numbers"];
    tables_of("numbers", cargo(&words).env("THRONG", built("release", "throng")?))
}

/// Throng beside Fast Downward, which is set up in a folder of its own; says when it is absent.
pub(crate) fn downward(section: Option<&str>) -> Outcome {
    let planner = match set_up_downward() {
        Ok(planner) => planner,
        Err(why) => {
            println!("Fast Downward is not there ({why}), so nothing was compared or changed");
            return Ok(());
        }
    };
    build("downward")?;
    build_throng()?;
    let mut command = Command::new(built("release", "downward")?);
    command.env("THRONG", built("release", "throng")?).env("DOWNWARD", planner);
    match section {
        // A part of the page is no page.
        Some(section) => run(command.arg(section)),
        None => tables_of("downward", &mut command),
    }
}

/// The words that start the planner, a line each: from the folder where it was set up, or after
/// setting it up there with Python's own tools.
fn set_up_downward() -> Result<String, String> {
    let folder = root().join("target").join("downward");
    let python = folder.join("bin").join("python");
    if !python.is_file() {
        let mut venv = Command::new("python3");
        run(venv.args(["-m", "venv"]).arg(&folder))?;
    }
    // Found, not imported: importing wants another package that is of no use here.
    let find = "from importlib.util import find_spec; \
                print(find_spec('up_fast_downward').submodule_search_locations[0])";
    let place = || Command::new(&python).args(["-c", find]).stderr(Stdio::null()).output();
    let mut found = place().map_err(|error| error.to_string())?;
    if !found.status.success() {
        let mut install = Command::new(&python);
        run(install.args(["-m", "pip", "install", "--quiet", DOWNWARD]))?;
        found = place().map_err(|error| error.to_string())?;
    }
    let place = String::from_utf8_lossy(&found.stdout).trim().to_string();
    let driver = Path::new(&place).join("downward").join("fast-downward.py");
    if !driver.is_file() {
        return Err("the package has no driver".to_string());
    }
    Ok(format!("{}\n{}", python.display(), driver.display()))
}

/// Runs a measuring program, prints its tables and writes them into the page. One that ends with
/// an error may have missed a bar, and its figures count; one that says nothing changes nothing.
fn tables_of(name: &str, command: &mut Command) -> Outcome {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let tables = String::from_utf8_lossy(&output.stdout);
    print!("{tables}");
    if !tables.trim().is_empty() {
        keep(name, &tables)?;
    }
    if output.status.success() { Ok(()) } else { Err(format!("{name}: {}", output.status)) }
}

fn build(name: &str) -> Outcome {
    run(&mut cargo(&["build", "--release", "-p", "throng-lab", "--bin", name]))
}

/// The command line with the commands of the lab.
fn build_throng() -> Outcome {
    build("throng")
}

/// Instructions per plan: the difference between a run with N plans and one with 2N.
pub(crate) fn instructions() -> Outcome {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("valgrind is not there, so instructions cannot be counted; nothing was changed");
        return Ok(());
    }
    build("instructions")?;
    let program = built("release", "instructions")?;
    let listed = Command::new(&program).output().map_err(|error| error.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut listed = listed.lines();
    let head = listed.next().ok_or("the program says nothing")?;
    let mut table =
        format!("{head}.\n\n| case | plans counted | instructions per plan |\n|---|--:|--:|\n");
    let mut counted = Vec::new();
    for line in listed {
        let (times, case) = line.split_once(' ').ok_or("the program lists no cases")?;
        let times: u64 = times.parse().map_err(|_| format!("`{line}` is no case"))?;
        eprintln!("{case} …");
        let once = count(&program, case, times)?;
        let twice = count(&program, case, 2 * times)?;
        let each = twice.saturating_sub(once) / times.max(1);
        let _ = writeln!(table, "| {case} | {times} | {each} |");
        counted.push(instructions_of(case, each));
    }
    print!("{table}");
    collect(counted).map_err(|error| format!("the figures cannot be written: {error}"))?;
    keep("instructions", &table)
}

/// The figure of a case.
fn instructions_of(case: &str, each: u64) -> Figure {
    Figure {
        command: "cargo xtask bench instructions".to_string(),
        name: case.to_string(),
        ours: each as f64,
        theirs: 1.0,
        unit: "instructions per plan".to_string(),
        against: "one".to_string(),
        ratio: each as f64,
        bar: String::new(),
        holds: true,
        spread: Some(0.0),
        protocol: figures::INSTRUCTIONS.to_string(),
    }
}

/// Instructions of one run, as callgrind counts them.
fn count(program: &Path, case: &str, times: u64) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = command.arg(case).arg(times.to_string()).output();
    let output = output.map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{case}: {}\n{said}", output.status));
    }
    collected(&said).ok_or_else(|| format!("valgrind counted nothing:\n{said}"))
}

/// The number in callgrind's line `==123== Collected : 456`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.split_once("Collected :"))?;
    line.1.split_whitespace().next()?.parse().ok()
}

/// Writes the tables of a measurement into the page.
fn keep(name: &str, tables: &str) -> Outcome {
    let page = root().join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let text = replaced(&text, name, tables)
        .ok_or_else(|| format!("{PAGE}: no lines `{}` and `{}`", begin(name), end(name)))?;
    fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))
}

fn begin(name: &str) -> String {
    format!("<!-- {name}: written by cargo xtask bench {name} -->")
}

fn end(name: &str) -> String {
    format!("<!-- end of {name} -->")
}

/// The page with `tables` between the markers.
fn replaced(page: &str, name: &str, tables: &str) -> Option<String> {
    let (begin, end) = (begin(name), end(name));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", tables.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let page = format!("# A\n{}\nold\n{}\nend\n", begin("growth"), end("growth"));
        let wanted = format!("# A\n{}\n\nnew\n\n{}\nend\n", begin("growth"), end("growth"));
        assert_eq!(replaced(&page, "growth", "new\n"), Some(wanted.clone()));
        assert_eq!(replaced(&wanted, "growth", "new\n"), Some(wanted.clone()));
        assert_eq!(replaced(&wanted, "other", "new\n"), None);
        assert_eq!(replaced("# A\n", "growth", "new"), None);
    }

    #[test]
    fn the_page_has_a_place_for_every_measurement() {
        let page = fs::read_to_string(root().join(PAGE)).unwrap();
        for name in PROGRAMS.into_iter().chain(OTHERS) {
            assert!(replaced(&page, name, "x").is_some(), "{name}");
        }
    }

    #[test]
    fn the_count_is_read_from_what_callgrind_says() {
        let said = "==7== Events    : Ir\n==7== Collected : 8059123\n==7== \n";
        assert_eq!(collected(said), Some(8_059_123));
        assert_eq!(collected("==7== error\n"), None);
    }
}
