//! Notes: kept, but for clauses that say the same again; what they mean is not judged here.
//!
//! Clauses hold for a bare name: `action go(pipe): …  takes 2` speaks of every `go`. So two
//! statements of one bare name may not differ in what they say.

use super::{ModelBuilder, Reference};
use crate::diagnostics::{Code, Report};
use crate::model::push;
use crate::names;
use crate::notes::{Note, NoteOn, Role};
use throng_base::DidYouMean;

/// What a clause can belong to, by bare names in order; for readers that name the owner in words.
pub(crate) struct NoteOwners {
    actions: Vec<String>,
    compounds: Vec<String>,
    goals: Vec<String>,
}

impl ModelBuilder {
    /// Keeps a note; its words count like anything written out.
    pub(crate) fn add_note(&mut self, note: Note) {
        if !self.spend(1 + note.words.len(), note.span) {
            return;
        }
        let at = self.model.notes.len();
        let first = match note.on {
            NoteOn::Itself => at,
            _ => *self.clauses.entry((note.on.clone(), note.keyword.word)).or_insert(at),
        };
        match self.model.notes.get(first) {
            Some(first) => judge_repeated(&note, first, &mut self.report),
            None => push(&mut self.model.notes, note),
        }
    }
    /// The owners there are, once all actions and goals are declared.
    pub(crate) fn note_owners(&self) -> NoteOwners {
        let bare = |name: &str| names::template_of(name).unwrap_or(name).to_string();
        let named = |are_compounds: bool| -> Vec<String> {
            let actions = self.model.actions.iter();
            let wanted = actions.filter(|action| action.parts().is_empty() != are_compounds);
            wanted.map(|action| bare(&action.name)).collect()
        };
        let (mut actions, mut compounds) = (named(false), named(true));
        let mut goals: Vec<String> = self.model.goals.iter().map(|goal| bare(&goal.name)).collect();
        for names in [&mut actions, &mut compounds, &mut goals] {
            names.sort_unstable();
            names.dedup();
        }
        NoteOwners { actions, compounds, goals }
    }

    /// Whether what owns a clause can have it; reported if it is a compound and cannot.
    pub(crate) fn owner_can_have(&mut self, note: &Note, owners: &NoteOwners) -> bool {
        let NoteOn::Action(name) = &note.on else { return true };
        let fits = note.keyword.role == Role::OfCompoundsToo
            || owners.actions.binary_search(name).is_ok()
            || self.is_explained(name);
        if !fits {
            let word = note.keyword.word;
            let text = format!("`{name}` is a compound, and compounds have no clause `{word}`");
            let cure = "give the clause to one of its parts";
            self.report.say(Code::UnknownClause, note.span, text, cure);
        }
        fits
    }

    /// The owner of this kind and bare name; reported if there is none.
    pub(crate) fn find_note_owner(
        &mut self,
        kind: &str,
        owner: &Reference<'_>,
        owners: &NoteOwners,
    ) -> Option<NoteOn> {
        let name = &owner.name.to_string();
        let (known, code, what) = match kind {
            "action" => (&owners.actions, Code::UnknownAction, "plain action"),
            "goal" => (&owners.goals, Code::UnknownGoal, "goal"),
            _ => return self.find_npc(name, owner.span).map(|_| NoteOn::Npc(name.clone())),
        };
        let is_compound = kind == "action" && owners.compounds.binary_search(name).is_ok();
        if known.binary_search(name).is_err() && !is_compound {
            self.unknown_owner(code, what, owner, known);
            return None;
        }
        Some(NoteOn::of(kind, name.clone()))
    }

    fn unknown_owner(&mut self, code: Code, what: &str, owner: &Reference<'_>, known: &[String]) {
        let Reference { name, span } = owner;
        if self.is_explained(name) {
            return;
        }
        let near = self.report.nearest(name, known.iter().map(String::as_str));
        let bare = names::template_of(name).filter(|&bare| known.iter().any(|known| known == bare));
        let near = bare.or(near);
        let text = format!("no {what} has the bare name `{name}`{}", DidYouMean(near));
        let cure = "name it without its values: the note holds for all of that name";
        self.report.say(code, *span, text, cure);
    }
}

/// Reports a clause that says something else than the one before it of the same owner.
fn judge_repeated(note: &Note, first: &Note, report: &mut Report) {
    let Some((kind, name)) = note.on.owner() else { return };
    let what = if kind == "npc" { "NPC type" } else { kind };
    if !note.says_the_same(first) {
        let keyword = note.keyword.word;
        report.say_also(
            Code::NoteTwice,
            note.span,
            (first.span, "first said here"),
            format!("`{keyword}` of {what} `{name}` is said twice, and differently"),
            format!("say it once: it holds for every {what} called `{name}`, whatever its values"),
        );
    }
}
