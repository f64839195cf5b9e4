//! `cargo xtask bench growth`, `cargo xtask bench forward`: measure, and write their tables into
//! `docs/benchmarks.md`.
//! `cargo xtask bench peers`: Throng beside other libraries, in one run.
//!
//! In:   the page, with a pair of markers.
//! Out:  the same page with what the measuring program printed between them.

use crate::command::{Outcome, built, cargo, root, run};
use std::fs;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/benchmarks.md";

pub(crate) fn growth() -> Outcome {
    measure("growth", "growth is not linear, see above")
}

pub(crate) fn forward() -> Outcome {
    measure("forward", "forward search is slower than it should be, see above")
}

/// Runs a measuring program of the suite and writes what it prints into the page; `complaint` is
/// what its failure means.
fn measure(program: &str, complaint: &str) -> Outcome {
    run(&mut cargo(&["build", "--release", "-p", "throng-suite", "--bin", program]))?;
    let mut command = Command::new(built("release", program)?);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let tables = String::from_utf8_lossy(&output.stdout);
    print!("{tables}");
    let page = root().join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let text = replaced(&text, program, &tables)
        .ok_or_else(|| format!("{PAGE}: no line `{}`", begin(program)))?;
    fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(complaint.into()) }
}

/// The comparison is a package of its own: other libraries stay out of our lock file.
pub(crate) fn peers() -> Outcome {
    run(&mut cargo(&["run", "--release", "--manifest-path", "peers/Cargo.toml"]))
}

fn begin(program: &str) -> String {
    format!("<!-- {program}: written by cargo xtask bench {program} -->")
}

fn end(program: &str) -> String {
    format!("<!-- end of {program} -->")
}

/// The page with `tables` between the markers of a program.
fn replaced(page: &str, program: &str, tables: &str) -> Option<String> {
    let (begin, end) = (begin(program), end(program));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", tables.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let (begin, end) = (begin("a"), end("a"));
        let page = format!("# A\n{begin}\nold\n{end}\nend\n");
        let wanted = format!("# A\n{begin}\n\nnew\n\n{end}\nend\n");
        assert_eq!(replaced(&page, "a", "new\n"), Some(wanted.clone()));
        assert_eq!(replaced(&wanted, "a", "new\n"), Some(wanted));
        assert_eq!(replaced(&page, "b", "new"), None);
    }
}
