//! Files into domains, with the diagnostics where they belong.

use crate::args::DomainArgs;
use crate::args::field::Form;
use crate::console::{Console, Fail, bad, because_of_errors, plain};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use throng::domain::load_file_seen;
use throng::{Domain, LoadError};
use throng_base::DidYouMean;
use throng_domain::formats::json::tree::{JsonValueKind, parse};
use throng_domain::formats::{self, Loaded};
use throng_domain::{FileId, Format, Limits, Report, Severity, Sources};
use throng_trace::Recording;
use throng_world::story::run::PLAY;

/// The format of a file to read: as said, or as its ending tells.
pub(crate) fn format_of(path: &Path, said: Option<Format>) -> Result<Format, Fail> {
    format_or(path, said, ", or say `--format npc`")
}

/// The same for commands that have no word for the format; `-` is whatever it is.
pub(crate) fn must_tell_its_format(path: &Path) -> Result<(), Fail> {
    if path == Path::new("-") { Ok(()) } else { format_or(path, None, "").map(|_| ()) }
}

fn format_or(path: &Path, said: Option<Format>, or_say: &str) -> Result<Format, Fail> {
    if let Some(format) = said.or_else(|| Format::of_path(&path.display().to_string())) {
        return Ok(format);
    }
    if let Some(message) = not_a_domain(path) {
        return bad(message);
    }
    let name = path.display();
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => bad(format!("`{name}` is a folder; name a file in it")),
        Err(error) => {
            let with_ending = ["npc", "json"].map(|ending| format!("{name}.{ending}"));
            let meant = with_ending.iter().find(|guess| Path::new(guess).is_file());
            let did = DidYouMean(meant.map(String::as_str));
            bad(format!("cannot read `{name}`: {}{did}", plain(&error)))
        }
        Ok(_) => bad(format!("`{name}`: the ending tells no format; use .npc or .json{or_say}")),
    }
}

/// What was found of this severity, a line each.
pub(crate) fn short(report: &Report, severity: Severity, sources: &Sources) -> Vec<String> {
    let found = report.diagnostics().iter().filter(|it| it.severity() == severity);
    found.map(|it| it.short(sources)).collect()
}

/// Whether a file begins as a recording does.
pub(crate) fn is_recording(path: &Path) -> bool {
    begin_of(path, BEGIN).is_some_and(begins_recording)
}

/// Whether these are the first bytes of a recording.
pub(crate) fn begins_recording(begin: Vec<u8>) -> bool {
    Recording::read(begin).map_or_else(|it| it.is_of_a_recording(), |_| true)
}

/// Enough bytes of a file to tell what wrote it.
pub(crate) const BEGIN: u64 = 64;

/// The first bytes of a file; `None` if it cannot be read.
pub(crate) fn begin_of(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut begin = Vec::new();
    // What is said to have nothing is not opened: to open a pipe would be to wait for its writer.
    let length = std::fs::metadata(path).ok()?.len().min(most);
    if length > 0 {
        File::open(path).and_then(|file| file.take(length).read_to_end(&mut begin)).ok()?;
    }
    Some(begin)
}

/// Whether a JSON text is a domain: ours have the key `throng`. `None` if it is no JSON.
pub(crate) fn has_throng_key(text: &str) -> Option<bool> {
    let value = parse(text, FileId(0), Limits::default().json_depth).ok()?;
    Some(match value.kind {
        JsonValueKind::Object(members) => members.iter().any(|member| member.key == "throng"),
        _ => false,
    })
}

/// A message for files that are tasks, recordings or saved games, where a domain is wanted.
pub fn not_a_domain(path: &Path) -> Option<String> {
    let name = path.display();
    if path.is_file() && is_recording(path) {
        return Some(format!("`{name}` is a recording; `throng replay {name}` shows it"));
    }
    if path.is_file() && begin_of(path, BEGIN).is_some_and(|begin| PLAY.begins(&begin)) {
        return Some(format!(
            "`{name}` is a saved game; `throng play STORY --resume {name}` goes on with it"
        ));
    }
    let reader = match Form::of_path(path)? {
        Form::Pddl => "`throng pddl` takes PDDL",
        Form::Sas => "`throng sas` takes .sas",
        Form::Npc | Form::Json => return None,
    };
    Some(format!(
        "`{name}`: a domain is wanted here, in .npc or .json; {reader}, `throng convert` makes a \
         domain of it if it can be one"
    ))
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
            Ok(text) => load_text("-", &text, said.unwrap_or(Format::Npc)),
            Err(refused) => *refused,
        });
    }
    let format = format_of(path, said)?;
    let loaded = load_file_seen(path, format, &limits, &console.surroundings(), &mut |_| {});
    loaded.map_err(|error| Fail::Bad(error.to_string()))
}

/// A domain that is not in a file of its own.
pub(crate) fn load_text(name: &str, text: &str, format: Format) -> Loaded {
    let (limits, words) = (Limits::default(), throng::domain::NOTE_WORDS);
    formats::load(name, text, format, &limits, words, &mut formats::no_includes)
}

/// Standard input, one byte beyond the limit at most.
///
/// # Errors
///
/// If that is not possible, in words for the user.
pub fn read_input(limit: usize, console: &mut Console<'_>) -> Result<Vec<u8>, Fail> {
    let mut bytes = Vec::new();
    match console.input().take(limit as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => bad(format!("cannot read standard input: {}", plain(&error))),
    }
}

/// Loads a domain for a command that needs it without errors. Errors are shown on the message
/// stream; warnings are `check`'s business.
pub(crate) fn domain(args: &DomainArgs, console: &mut Console<'_>) -> Result<Domain, Fail> {
    console.set_root(args.root.as_ref());
    domain_at(&args.file, args.format, console)
}

/// The same of a path, and its format if that is said.
pub(crate) fn domain_at(
    path: &Path,
    said: Option<Format>,
    console: &mut Console<'_>,
) -> Result<Domain, Fail> {
    try_domain(path, said, console).map_err(|unusable| {
        unusable.show(console);
        let (text, message) = (unusable.lines().join(" · "), unusable.message);
        Fail::Known { code: "bad_domain", message, text, mistakes: Vec::new() }
    })
}

/// Why a file cannot be used.
pub(crate) struct LoadFailure {
    /// The whole of it in a sentence that may follow the mistakes.
    pub(crate) message: String,
    /// The mistakes, and the files that were read; `None` if it could not even be read.
    pub(crate) found: Option<Box<(Report, Sources)>>,
}

impl LoadFailure {
    /// Shows the mistakes; the message is left to the caller.
    pub(crate) fn show(&self, console: &mut Console<'_>) {
        self.found.iter().for_each(|found| console.show(&found.0, &found.1));
    }

    /// Its mistakes, a line each, or the one thing that keeps it from being read.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self.found.as_deref() {
            Some((report, sources)) => short(report, Severity::Error, sources),
            None => vec![self.message.clone()],
        }
    }
}

impl From<Fail> for LoadFailure {
    fn from(fail: Fail) -> LoadFailure {
        LoadFailure { message: fail.reason().text, found: None }
    }
}

/// Loads a domain and says nothing yet.
pub(crate) fn try_domain(
    path: &Path,
    said: Option<Format>,
    console: &mut Console<'_>,
) -> Result<Domain, LoadFailure> {
    Domain::from_loaded(read(path, said, console)?).map_err(|error| match error {
        LoadError::Rejected { report, sources } => {
            let (name, why) = (path.display(), because_of_errors(&report));
            let message = format!("`{name}` cannot be used {why}");
            LoadFailure { message, found: Some(Box::new((*report, sources))) }
        }
        error => LoadFailure { message: error.to_string(), found: None },
    })
}
