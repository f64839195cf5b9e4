//! What effects remember: kinds of facts that a file has thought of itself.
//!
//! In:   the effects of a file, what it declares, a vocabulary.
//! Out:  kinds that nothing else writes and that are not declared where declarations begin, or that
//!       nobody asks for and that are nearly one that is declared: a slip of the fingers.
//! Cost: one pass over the notes.

use super::FileCheck;
use super::check::is_declared;
use crate::effects::EffectMoment;
use throng_base::DidYouMean;
use throng_domain::notes::{Note, NoteOn, NoteWord, WordKind};
use throng_domain::{Code, Model};

/// Before what an effect speaks of.
const EFFECTS: [&str; 3] = ["remembers", "forgets", "tells"];

impl FileCheck<'_> {
    /// Judges the kinds that effects remember.
    pub(super) fn remembers(&mut self) {
        let model = self.model;
        for (note, at) in remembered(model) {
            let kind = &note.words[at];
            // What nobody else writes is declared, if the file declares what it has thought of.
            if is_declared(self.spec, &kind.text) || self.whole.writes(&kind.text, false) {
                continue;
            }
            let mut facts = model.notes().iter().filter(|it| is_statement(it, "fact"));
            let declares = facts.any(|fact| fact.span.file == note.span.file);
            let near = self.report.nearest(&kind.text, self.spec.declared_kinds());
            if declares || near.is_some() && !is_asked(model, &kind.text) {
                let text =
                    format!("facts `{}` are declared nowhere{}", kind.text, DidYouMean(near));
                let declare = format!("`fact {}: {}`", kind.text, attributes(note, at));
                let cure = match near {
                    Some(near) => format!("write `{near}`, or declare them: {declare}"),
                    None => format!("declare them: {declare}"),
                };
                self.report.say(Code::EffectOfNothing, kind.span, text, cure);
            }
        }
    }
}

/// Each kind that an effect remembers: the note, and the word in it.
pub fn remembered(model: &Model) -> impl Iterator<Item = (&Note, usize)> {
    let moments = EffectMoment::ALL.map(EffectMoment::name);
    let has_effects = move |note: &&Note| match note.on {
        NoteOn::Action(_) => moments.contains(&note.keyword.word),
        _ => is_statement(note, "beside"),
    };
    let notes = model.notes().iter().filter(has_effects);
    notes.flat_map(|note| {
        let pairs = note.words.windows(2).zip(1..);
        let kinds = pairs.filter(|(pair, _)| pair[0].text == "remembers");
        kinds.map(move |(_, at)| (note, at))
    })
}

/// Whether anything asks for facts of a kind: not what remembers, forgets or tells them, nor what
/// declares them.
pub fn is_asked(model: &Model, kind: &str) -> bool {
    model.notes().iter().any(|note| {
        let first = usize::from(is_statement(note, "fact"));
        let before = |at: usize| at.checked_sub(1).map_or("", |at| note.words[at].text.as_str());
        let mut words = note.words.iter().enumerate().skip(first);
        words.any(|(at, word)| word.text == kind && !EFFECTS.contains(&before(at)))
    })
}

fn is_statement(note: &Note, keyword: &str) -> bool {
    note.on == NoteOn::Itself && note.keyword.word == keyword
}

/// The attributes that an effect gives a fact, as `fact` lists them; when it was, if it gives none.
fn attributes(note: &Note, kind: usize) -> String {
    let words = note.words.get(kind + 1..).unwrap_or_default();
    let is_open = words.first().is_some_and(|word| word.kind == WordKind::Open);
    let inside = words.iter().skip(1).take_while(|word| is_open && word.kind != WordKind::Close);
    let inside: Vec<&NoteWord> = inside.collect();
    let named = inside.split(|word| word.kind == WordKind::Comma);
    let named: Vec<&str> = named.filter_map(|it| Some(it.first()?.text.as_str())).collect();
    if named.is_empty() { "time".to_string() } else { named.join(", ") }
}
