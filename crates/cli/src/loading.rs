//! Files into domains, with the diagnostics where they belong.

use crate::console::{Console, Fail, bad};
use crate::render::render;
use std::io::Read;
use std::path::Path;
use throng::domain::load_file;
use throng::model::formats::{self, Loaded};
use throng::model::{Format, Limits, Severity};
use throng::{Domain, LoadError};

/// The format of a file: as said, or as its ending tells.
pub(crate) fn format_of(path: &Path, said: Option<Format>) -> Result<Format, Fail> {
    if let Some(format) = said {
        return Ok(format);
    }
    let name = path.display().to_string();
    match (Format::of_path(&name), path.extension().and_then(|ending| ending.to_str())) {
        (Some(format), _) => Ok(format),
        (None, Some("pddl" | "sas")) => {
            bad(format!("`{name}`: this version reads .npc and .json, not yet PDDL or .sas"))
        }
        (None, _) => bad(format!(
            "`{name}`: the ending tells no format; rename it to .npc or .json, or say `--format npc`"
        )),
    }
}

/// Reads and checks a file, or standard input for `-`.
pub(crate) fn read(
    path: &Path,
    said: Option<Format>,
    console: &mut Console<'_>,
) -> Result<Loaded, Fail> {
    let limits = Limits::default();
    if path == Path::new("-") {
        let bytes = read_input(limits.text_bytes, console)?;
        return Ok(match formats::decode("-", bytes) {
            Ok(text) => {
                let format = said.unwrap_or(Format::Npc);
                formats::load("-", &text, format, &limits, &mut formats::no_includes)
            }
            Err(refused) => *refused,
        });
    }
    let format = format_of(path, said)?;
    load_file(path, format, &limits).map_err(|error| Fail::Bad(error.to_string()))
}

/// Standard input, one byte beyond the limit at most.
pub(crate) fn read_input(limit: usize, console: &mut Console<'_>) -> Result<Vec<u8>, Fail> {
    let mut bytes = Vec::new();
    let read = (&mut console.input).take(limit as u64 + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => bad(format!("cannot read standard input: {error}")),
    }
}

/// Loads a domain for a command that needs it without errors. Errors are shown on the message
/// stream; warnings are `check`'s business.
pub(crate) fn domain(
    path: &Path,
    said: Option<Format>,
    console: &mut Console<'_>,
) -> Result<Domain, Fail> {
    let loaded = read(path, said, console)?;
    match Domain::from_loaded(loaded) {
        Ok(domain) => Ok(domain),
        Err(LoadError::Rejected { report, sources }) => {
            let text = render(&report, &sources, console.colour_err);
            console.message(text.trim_end())?;
            let errors = report.diagnostics().iter().filter(|d| d.severity() == Severity::Error);
            let plural = if errors.count() == 1 { "" } else { "s" };
            bad(format!("`{}` cannot be used because of the error{plural} above", path.display()))
        }
        Err(error) => bad(error.to_string()),
    }
}
