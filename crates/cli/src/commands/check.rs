//! `throng check`: every mistake of every file, at once.

use crate::args::{CheckArgs, CheckFormat};
use crate::console::{CommandResult, Console, Fail, bad, because_of_errors, count, plain};
use crate::loading;
use crate::render::render;
use crate::shapes::Mistake;
use crate::{BAD, FINE};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use throng_domain::formats::Loaded;
use throng_domain::{Code, Format, Limits, Model, Report, Sources, Span};
use throng_mind::vocabulary::BodyVocabulary;
use throng_world::story::Story;
use throng_world::story::read::{NotesRead, in_order};

pub(crate) fn run(args: &CheckArgs, console: &mut Console<'_>) -> CommandResult {
    console.set_root(args.root.as_ref());
    let short = args.format.contains(&CheckFormat::Short);
    let said = args.format.iter().find_map(|format| match format {
        CheckFormat::Npc => Some(Format::Npc),
        CheckFormat::Json => Some(Format::Json),
        CheckFormat::Full | CheckFormat::Short => None,
    });
    let body = match &args.vocabulary {
        Some(path) => Some(vocabulary(path, console)?),
        None => None,
    };
    let mut all = Vec::new();
    let mut unread = false;
    for path in &args.files {
        let loaded = match loading::read(path, said, console) {
            Err(Fail::Bad(message)) if args.json || short => Ok(unreadable(path, &message)),
            loaded => loaded,
        };
        let Some(mut loaded) = console.go_on(loaded)? else {
            unread = true;
            continue;
        };
        let (story, remarks) = with_notes(&mut loaded, body.as_ref());
        match (args.json, short) {
            (true, _) => {}
            (false, true) => {
                let mut found = loaded.report.diagnostics().iter();
                found.try_for_each(|it| writeln!(console, "{}", it.short(&loaded.sources)))?;
            }
            (false, false) => {
                list_full(&loaded, story.as_ref(), path, console)?;
                for remark in remarks.iter().filter(|_| loaded.model.is_some()) {
                    writeln!(console, "  {remark}")?;
                }
            }
        }
        all.push(loaded);
    }
    if args.json {
        let found = all.iter().flat_map(|loaded| {
            loaded.report.diagnostics().iter().map(|found| Mistake {
                severity: Some(found.severity().word()),
                ..Mistake::of(found, &loaded.sources)
            })
        });
        console.json(&found.collect::<Vec<_>>())?;
    }
    let wrong = all.iter().any(|loaded| loaded.report.has_errors());
    Ok(if wrong || unread { BAD } else { FINE })
}

/// What the planner does not read is checked by those who do: minds and stories. Gives the story, and
/// what is worth knowing of its level.
pub(crate) fn with_notes(
    loaded: &mut Loaded,
    body: Option<&BodyVocabulary>,
) -> (Option<Story>, Vec<String>) {
    let Some(model) = &loaded.model else { return (None, Vec::new()) };
    let read = NotesRead::of(model);
    let NotesRead { story, report, remarks } = match body.filter(|_| !read.report.has_errors()) {
        Some(body) => read.held_against(model, body),
        None => read,
    };
    if report.has_errors() {
        loaded.model = None;
    }
    if !report.diagnostics().is_empty() {
        loaded.report = in_order(&[&loaded.report, &report]);
    }
    (story, remarks)
}

/// A vocabulary from a file.
fn vocabulary(path: &Path, console: &mut Console<'_>) -> Result<BodyVocabulary, Fail> {
    let name = path.display().to_string();
    let limit = Limits::default().text_bytes;
    let mut bytes = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(limit as u64 + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return bad(format!("cannot read `{name}`: {}", plain(&error)));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) if text.len() <= limit => text,
        Ok(_) => return bad(format!("`{name}` is larger than {limit} bytes")),
        Err(_) => return bad(format!("`{name}` is not UTF-8 text")),
    };
    let mut sources = Sources::default();
    let file = sources.add(name.clone(), text.as_str());
    BodyVocabulary::from_json(&text, file).or_else(|report| {
        console.show(&report, &sources);
        bad(format!("`{name}` is no vocabulary {}", because_of_errors(&report)))
    })
}

/// A file that cannot be read, as a diagnostic: lists for programs leave nothing out.
fn unreadable(path: &Path, message: &str) -> Loaded {
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), "");
    let mut report = Report::default();
    let cure = "check the name and that it may be read";
    report.say(Code::CannotRead, Span::new(file, 0, 0), message, cure);
    Loaded { model: None, report, sources }
}

fn list_full(
    loaded: &Loaded,
    story: Option<&Story>,
    path: &Path,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    if !loaded.report.diagnostics().is_empty() {
        let text = render(&loaded.report, &loaded.sources, console.terminal().colour_out);
        console.print_styled(&text.trimmed())?;
        writeln!(console)?;
    }
    match &loaded.model {
        Some(model) => writeln!(console, "{}: fine, {}", path.display(), counts(model, story)),
        None => Ok(()),
    }
}

/// `3 variables, 7 actions, 1 goal, 1 NPC type, 2 tests`; of a story also `3 sensors, 2 actors,
/// 9 promises`.
fn counts(model: &Model, story: Option<&Story>) -> String {
    let mut counts = vec![
        count(model.variables().len(), "variable"),
        count(model.actions().len(), "action"),
        count(model.goals().len(), "goal"),
        count(model.npcs().len(), "NPC type"),
        count(model.tests().len(), "test"),
    ];
    if let Some(story) = story {
        let sensors = model.notes().iter().filter(|note| note.keyword.word == "sensor");
        counts.push(count(sensors.count(), "sensor"));
        counts.push(count(story.actors.len(), "actor"));
        counts.push(count(story.promises.len(), "promise"));
    }
    counts.join(", ")
}
