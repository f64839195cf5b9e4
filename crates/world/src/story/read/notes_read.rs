//! All that a model says beside planning, read and judged: its minds, its story, its body.
//!
//! In:   a model; a vocabulary, if the caller has one.
//! Out:  the story, if there is one, and every mistake, doubt and remark.
//! Cost: one reading of the notes.

use super::{USUAL_PACE, in_order, statements};
use crate::story::Story;
use crate::story::check::AnyStory;
use std::sync::Arc;
use throng_domain::notes::NoteReader;
use throng_domain::{Model, Report};
use throng_mind::PreparedDomain;
use throng_mind::spec::{AskedPattern, Spec};
use throng_mind::vocabulary::{BodyVocabulary, FileCheck};

/// What a model says beside planning, read and judged once.
#[derive(Default)]
pub struct NotesRead {
    /// The story, if there is one and it is right.
    pub story: Option<Story>,
    /// Every mistake, or what is probably not meant.
    pub report: Report,
    /// What is worth knowing of the level and no mistake: selections that it never fills.
    pub remarks: Vec<String>,
}

impl NotesRead {
    /// Reads what a model says of a story and about minds; files without a story have the usual
    /// pace, and are held against the body that they name, if it is known here.
    pub fn of(model: &Model) -> NotesRead {
        if Story::is_in(model) {
            return match Story::with_minds(model) {
                Ok((story, spec)) => {
                    let report = in_order(&[&Story::doubts(model, &spec), &spec.doubts(model)]);
                    let remarks = crate::story::check::remarks(model, &story, &spec);
                    NotesRead { story: Some(story), report, remarks }
                }
                Err(report) => NotesRead { report, ..NotesRead::default() },
            };
        }
        let report = minds_alone(model).unwrap_or_else(|report| report);
        NotesRead { report, ..NotesRead::default() }
    }

    /// Holds the file against a body too, whatever it calls its own.
    #[must_use]
    pub fn held_against(self, model: &Model, body: &BodyVocabulary) -> NotesRead {
        let domain = Arc::new(PreparedDomain::new(model));
        // What cannot be read was told.
        let Ok((spec, asked)) = Spec::read_with_asked(model, domain, USUAL_PACE) else {
            return self;
        };
        let report = in_order(&[&self.report, &against(model, &spec, &asked, body)]);
        NotesRead { report, ..self }
    }
}

/// What is wrong or doubtful in a file about minds without a story.
fn minds_alone(model: &Model) -> Result<Report, Report> {
    if model.notes().is_empty() {
        return Ok(Report::default());
    }
    let domain = Arc::new(PreparedDomain::new(model));
    let (spec, asked) = Spec::read_with_asked(model, domain, USUAL_PACE)?;
    let wrong = match spec.body.as_deref().and_then(crate::story::check::known_body) {
        Some(body) => against(model, &spec, &asked, &body),
        None => unknown_body(model),
    };
    Ok(in_order(&[&wrong, &spec.doubts(model)]))
}

/// A file in no level in particular against a body.
fn against(model: &Model, spec: &Spec, asked: &[AskedPattern], body: &BodyVocabulary) -> Report {
    let types = (0..model.npcs().len()).collect();
    let mut checking = FileCheck::new(model, spec, body, &AnyStory, &types);
    checking.check(asked);
    checking.report
}

/// A body that is not known here is the game's own, unless its name is nearly one that is.
fn unknown_body(model: &Model) -> Report {
    let mut report = Report::default();
    let known = ["kit", "world"];
    for note in statements(model, "body") {
        let Some(name) = note.words.first() else { continue };
        if report.nearest(&name.text, known.into_iter()).is_some() {
            let mut reader = NoteReader::new(note, &mut report);
            let _ = reader.unknown("body", &name.text, name.span, known.into_iter());
        }
    }
    report
}
