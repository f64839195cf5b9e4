//! `cargo xtask bench growth`: measures, and writes the tables into `docs/benchmarks.md`.
//! `cargo xtask bench peers`: Throng beside other libraries, in one run.
//!
//! In:   the page, with a pair of markers.
//! Out:  the same page with what the measuring program printed between them.

use crate::command::{Outcome, built, cargo, root, run};
use std::fs;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/benchmarks.md";
const BEGIN: &str = "<!-- growth: written by cargo xtask bench growth -->";
const END: &str = "<!-- end of growth -->";

pub(crate) fn growth() -> Outcome {
    run(&mut cargo(&["build", "--release", "-p", "throng-suite", "--bin", "growth"]))?;
    let mut command = Command::new(built("release", "growth")?);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let tables = String::from_utf8_lossy(&output.stdout);
    print!("{tables}");
    let page = root().join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let text = replaced(&text, &tables).ok_or_else(|| format!("{PAGE}: no line `{BEGIN}`"))?;
    fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err("growth is not linear, see above".into()) }
}

/// The comparison is a package of its own: other libraries stay out of our lock file.
pub(crate) fn peers() -> Outcome {
    run(&mut cargo(&["run", "--release", "--manifest-path", "peers/Cargo.toml"]))
}

/// The page with `tables` between the markers.
fn replaced(page: &str, tables: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", tables.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let page = format!("# A\n{BEGIN}\nold\n{END}\nend\n");
        let wanted = format!("# A\n{BEGIN}\n\nnew\n\n{END}\nend\n");
        assert_eq!(replaced(&page, "new\n"), Some(wanted.clone()));
        assert_eq!(replaced(&wanted, "new\n"), Some(wanted));
        assert_eq!(replaced("# A\n", "new"), None);
    }
}
