//! The file formats a domain can be written in, and the one way to load it.
//!
//! In:   a text, its name, its format, limits, the words of notes, and a function that fetches
//!       included files.
//! Out:  [`Loaded`]: the model if there were no errors, the report, and the texts.
//! Cost: linear in the text and in what it expands to.

pub mod json;
mod notes;
pub mod npc;
pub mod rust;

use crate::diagnostics::{Code, Report};
use crate::level::Level;
use crate::limits::Limits;
use crate::model::Model;
use crate::notes::NoteWords;
pub use crate::source::Format;
use crate::source::{Sources, Span};

/// What loading gives.
#[derive(Debug)]
pub struct Loaded {
    /// The model; `None` if there was an error.
    pub model: Option<Model>,
    /// All diagnostics, warnings included.
    pub report: Report,
    /// The texts that the diagnostics speak of.
    pub sources: Sources,
}

/// Fetches an included file by its path relative to the first file's folder, or to the folder of
/// the [`Setting`] if it has one, `/` between parts; gives its text, or says why not.
pub type Fetch<'f> = dyn FnMut(&str) -> Result<String, String> + 'f;

/// A [`Fetch`] for texts that may not include anything.
///
/// # Errors
///
/// Always.
pub fn no_includes(_: &str) -> Result<String, String> {
    Err("this text may not include files".to_string())
}

/// The bytes of a file as text.
///
/// # Errors
///
/// A refusal that points to the first byte that is not UTF-8.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Box<Loaded>> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let mut sources = Sources::default();
        // Up to the bad byte the text is as in the file, so the place is right.
        let file = sources.add(name, text);
        let mut report = Report::default();
        let bad = char::REPLACEMENT_CHARACTER.len_utf8();
        report.say(
            Code::NotText,
            Span::new(file, good, good + bad),
            match error.as_bytes() {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is UTF-16 text, not UTF-8",
                _ => "the file is not UTF-8 text from here on",
            },
            "save it as UTF-8 in the editor",
        );
        Box::new(Loaded { model: None, report, sources })
    })
}

/// What a text is read with.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// How much it may ask for.
    pub limits: &'s Limits,
    /// The words of all owners that may have notes in the text; without any, every note is a
    /// mistake.
    pub words: &'s [&'static NoteWords],
    /// What there is where the NPCs live, beside what the text itself places.
    pub level: &'s Level,
    /// The folder that included files lie in, as the name of the first file begins, with its last
    /// `/`; if that name does not begin so, the folder of the first file.
    pub root: &'s str,
}

/// Reads and checks a domain; every mistake is reported, not only the first. `words` are those
/// of all owners that may have notes in the text; without any, every note is a mistake.
#[must_use]
pub fn load(
    name: &str,
    text: &str,
    format: Format,
    limits: &Limits,
    words: &[&'static NoteWords],
    fetch: &mut Fetch<'_>,
) -> Loaded {
    let level = Level::new();
    load_in(name, text, format, &Setting { limits, words, level: &level, root: "" }, fetch)
}

/// The same in a level, and with included files from a folder above that of the first.
#[must_use]
pub fn load_in(
    name: &str,
    text: &str,
    format: Format,
    setting: &Setting<'_>,
    fetch: &mut Fetch<'_>,
) -> Loaded {
    load_kept(name, text.to_string(), format, setting, fetch)
}

/// The same of a text that the caller hands over: what is read keeps it, so there is one of it.
#[must_use]
pub fn load_kept(
    name: &str,
    text: String,
    format: Format,
    setting: &Setting<'_>,
    fetch: &mut Fetch<'_>,
) -> Loaded {
    let limits = setting.limits;
    let mut sources = Sources::default();
    if text.len() > limits.text_bytes {
        let file = sources.add(name, "");
        let mut report = Report::default();
        too_large(&mut report, Span::new(file, 0, 0), limits);
        return Loaded { model: None, report, sources };
    }
    sources.add(name, text);
    let (model, report) = match format {
        Format::Npc => npc::read(&mut sources, setting, fetch),
        Format::Json => json::read(&sources, limits, setting.words),
    };
    Loaded { model, report, sources }
}

pub(crate) fn too_large(report: &mut Report, span: Span, limits: &Limits) {
    report.say(
        Code::TextTooLarge,
        span,
        format!("the text is larger than {} bytes, included files together", limits.text_bytes),
        "split the domain, or raise the limit where it is loaded if you trust the text",
    );
}
