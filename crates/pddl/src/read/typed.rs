//! Lists of names with types: `a b - truck c - (either car bike) d`.
//!
//! In:   the forms of the list.
//! Out:  groups: names, and the forms of their types.
//! Cost: linear.
//!
//! The names may be words (objects, types, variables) or lists (functions).

use super::notes::Notes;
use super::tree::Form;
use crate::features;
use throng_domain::Code;

/// Names that share their types.
pub(super) struct Group<'t> {
    /// The names.
    pub(super) names: Vec<Form<'t>>,
    /// The forms of their types; none if the list does not say.
    pub(super) types: Vec<Typed<'t>>,
}

/// The name of a type as a list says it.
#[derive(Clone, Copy)]
pub(super) struct Typed<'t> {
    /// Where it stands.
    pub(super) form: Form<'t>,
    /// Its name, without a `-` that was glued to it; `None` for a list in its place.
    pub(super) name: Option<&'t str>,
    /// Whether a `-` is glued to its word, which has been told.
    pub(super) is_glued: bool,
}

/// The groups of a list.
pub(super) fn groups<'t>(
    forms: impl Iterator<Item = Form<'t>>,
    notes: &mut Notes<'t>,
) -> Vec<Group<'t>> {
    let mut forms = forms.peekable();
    let mut groups = Vec::new();
    let mut names = Vec::new();
    while let Some(form) = forms.next() {
        let types = match form.word() {
            Some("-") => {
                while let Some(again) = forms.next_if(|next| next.word() == Some("-")) {
                    let cure = "write one, as in `?x - truck`";
                    notes.expected(again.span(), "a second `-` before the type", cure);
                }
                match forms.next() {
                    Some(of) => alternatives(of, notes),
                    None => {
                        let cure = "write the type after it, as in `?x - truck`";
                        notes.expected(form.span(), "no type follows this `-`", cure);
                        Vec::new()
                    }
                }
            }
            Some(word) if word.starts_with('-') => {
                let text = format!("no blank between `-` and the type in `{}`", form.written());
                let cure = format!("write `- {}`", word.trim_start_matches('-'));
                notes.report.say(Code::PddlGluedType, form.span(), text, cure);
                vec![Typed { form, name: word.strip_prefix('-'), is_glued: true }]
            }
            _ => {
                names.push(form);
                continue;
            }
        };
        notes.requirements.uses(features::TYPING, form.span());
        if names.is_empty() {
            let text = "no name stands before this `-`";
            notes.expected(form.span(), text, "write the names first: `a b - truck`");
        }
        groups.push(Group { names: std::mem::take(&mut names), types });
    }
    if !names.is_empty() {
        groups.push(Group { names, types: Vec::new() });
    }
    groups
}

/// A type, or all of `(either a b)`.
fn alternatives<'t>(of: Form<'t>, notes: &mut Notes<'t>) -> Vec<Typed<'t>> {
    if of.head() != Some("either") {
        return vec![alternative(of, notes)];
    }
    if of.rest().next().is_none() {
        let cure = "name the types: `(either car bike)`";
        notes.expected(of.span(), "`either` without a type", cure);
    }
    of.rest().map(|form| alternative(form, notes)).collect()
}

/// A name or list where a type should stand: `- -truck` and `(either - truck)` are slips.
fn alternative<'t>(form: Form<'t>, notes: &mut Notes<'t>) -> Typed<'t> {
    let name = form.word().map(|word| word.trim_start_matches('-'));
    let is_glued = name != form.word();
    if is_glued {
        let text = format!("a type is expected here, not `{}`", form.written());
        notes.expected(form.span(), text, "write its name, without `-` in front");
    }
    Typed { form, name: name.filter(|name| !name.is_empty()), is_glued }
}
