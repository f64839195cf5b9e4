//! The planning field's files into tasks.
//!
//! In:   paths.
//! Out:  a lifted task or a ground one; mistakes are shown like those of `.npc`, and then the
//!       command fails.

use crate::args::field::{Form, TaskFiles};
use crate::console::{Console, Fail, bad, because_of_errors, cannot};
use crate::field::run::{Hit, RunLimits};
use crate::loading::{self, begin_of, short};
use crate::shapes::{Mistake, ReasonShape};
use crate::writing::{is_same_file, replace};
use std::path::Path;
use throng_domain::{Code, Diagnostic, Severity};
use throng_pddl::lifted::Lifted;
use throng_pddl::named::NamedTask;
use throng_pddl::read::{self, Reading, Text, read_task_until};
use throng_pddl::sas;

/// Reads a domain and a problem. Errors are shown and end the command, and so does a limit;
/// warnings are shown too if the command is asked what there is to say about the files.
pub(crate) fn lifted(
    files: &TaskFiles,
    running: &RunLimits,
    warns: bool,
    console: &mut Console<'_>,
) -> Result<Lifted, Fail> {
    let Reading { task, report, sources, .. } = reading(files, running, console)?;
    if task.is_none() || warns && !report.diagnostics().is_empty() {
        console.show(&report, &sources);
    }
    task.ok_or_else(|| {
        let message = format!("the task cannot be used {}", because_of_errors(&report));
        let text = short(&report, Severity::Error, &sources).join(" · ");
        Fail::Known { code: "bad_task", message, text, mistakes: Mistake::all(&report, &sources) }
    })
}

/// Reads both files, and says nothing yet.
pub(crate) fn reading(
    files: &TaskFiles,
    running: &RunLimits,
    console: &mut Console<'_>,
) -> Result<Reading, Fail> {
    let limits = read::Limits::for_bytes(running.bytes());
    if files.domain == Path::new("-") && files.problem == Path::new("-") {
        return bad("only one of the two files can come from standard input");
    }
    let domain = text(&files.domain, limits.text_bytes, console)?;
    let problem = text(&files.problem, limits.text_bytes, console)?;
    let names = [&files.domain, &files.problem].map(|path| path.display().to_string());
    let reading = read_task_until(
        Text { name: &names[0], text: &domain },
        Text { name: &names[1], text: &problem },
        &limits,
        &|| running.is_over(),
    );
    let reading = reading.ok_or_else(|| running.stopped(running.over()))?;
    let is_too_much = |d: &Diagnostic| d.code == Code::TooMuchInTotal;
    let is_limited = limits.entries < read::Limits::default().entries;
    match is_limited && reading.report.diagnostics().iter().any(is_too_much) {
        true => Err(running.stopped(Hit::Memory)),
        false => Ok(reading),
    }
}

/// Reads a ground task.
pub(crate) fn ground(path: &Path, console: &mut Console<'_>) -> Result<NamedTask, Fail> {
    if let Some(message) = not_ground(path) {
        return Err(Fail::known("bad_task", message));
    }
    let limits = sas::Limits::default();
    let text = text(path, limits.text_bytes, console)?;
    sas::read(&text, &limits).map_err(|error| {
        let (name, line) = (path.display(), error.line);
        let text = format!("{name}:{line}: {}; {}", error.what, error.cure);
        let message = format!("{}\n  --> {name}:{line}\n  = help: {}", error.what, error.cure);
        let mistake = Mistake {
            file: Some(name.to_string()),
            line: u32::try_from(line).ok(),
            cure: Some(error.cure),
            ..Mistake::sentence(ReasonShape { code: "bad_task", text: error.what })
        };
        Fail::Known { code: "bad_task", message, text, mistakes: vec![mistake] }
    })
}

/// A message for files that are something else, as their ending tells.
fn not_ground(path: &Path) -> Option<String> {
    let name = path.display();
    let (what, reader) = match Form::of_path(path)? {
        Form::Pddl => ("PDDL", "`throng pddl` reads it, the domain and the problem"),
        Form::Npc | Form::Json => ("a domain", "`throng plan` reads it"),
        Form::Sas => return None,
    };
    Some(format!(
        "`{name}` is {what}, and a ground task (.sas) is wanted here; {reader}, and \
         `throng convert` makes a ground task of it"
    ))
}

/// Takes an old plan away before a search, so that a file of this name is the plan of this
/// search or is not there. What the search reads is not touched.
pub(crate) fn clear(out: Option<&Path>, inputs: &[&Path]) -> Result<(), Fail> {
    let Some(path) = out else { return Ok(()) };
    let name = path.display();
    if inputs.iter().any(|input| is_same_file(input, path)) {
        return bad(format!("`{name}` is read; name another file for `--out`"));
    }
    let removed = match std::fs::symlink_metadata(path) {
        Ok(old) if old.is_dir() => return bad(format!("cannot write `{name}`: it is a folder")),
        Ok(old) if old.is_file() && old.permissions().readonly() => {
            return bad(format!("cannot write `{name}`: it is read-only"));
        }
        Ok(old) if old.is_file() && !may_be_a_plan(path) => {
            return bad(format!("`{name}` is there and no plan; name another file for `--out`"));
        }
        Ok(old) if old.is_file() => std::fs::remove_file(path),
        // A link or a device stays what it is; a file behind a link says that there is no plan.
        Ok(_) if path.is_file() => return replace(path, "; no plan yet\n"),
        _ => Ok(()),
    };
    removed.or_else(cannot("write", path))
}

/// Whether a file begins as a plan does: with a step or a comment, or with nothing at all. What
/// does not is somebody's, and stays.
fn may_be_a_plan(path: &Path) -> bool {
    let Some(begin) = begin_of(path, 4096) else { return false };
    let text = String::from_utf8_lossy(&begin);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.is_none_or(|line| {
        line.starts_with(';') || line.starts_with('(') && !line.starts_with("(define")
    })
}

/// A whole text, or standard input for `-`; what is not UTF-8 is named by its place.
pub(crate) fn text(path: &Path, most: usize, console: &mut Console<'_>) -> Result<String, Fail> {
    let name = path.display();
    let bytes = match path == Path::new("-") {
        true => loading::read_input(most, console)?,
        false => {
            let length = std::fs::metadata(path).or_else(cannot("read", path))?.len();
            if length > most as u64 {
                return bad(format!("`{name}` has {length} bytes, at most {most} are read"));
            }
            std::fs::read(path).or_else(cannot("read", path))?
        }
    };
    if bytes.len() > most {
        return bad(format!("`{name}` has more than {most} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Fail::Bad(format!("`{name}` is no text: line {line} is not UTF-8; save it as UTF-8"))
    })
}
