//! Statements into declarations: the meaning of the `.npc` tree.
//!
//! In:   all statements of all files, order free.
//! Out:  declarations handed to the [`ModelBuilder`] in the order it wants them.
//! Cost: linear in the statements and in what templates become (`template.rs`).

use super::rename::Renaming;
use super::statements::{Declares, Parsed};
use super::syntax::*;
use super::{Keywords, template, variables};
use crate::build::ModelBuilder;

/// A file, and how what it declares is called elsewhere.
pub(super) type Renamed<'t> = (Parsed<'t>, Option<Renaming<'t>>);

/// Hands every statement to the builder, each kind after those that it speaks of.
pub(super) fn expand(
    mut files: Vec<Renamed<'_>>,
    words: &Keywords<'_>,
    builder: &mut ModelBuilder,
) {
    macro_rules! each {
        ($($kind:ident($it:ident) of $($declares:ident)|+ => $declare:expr;)*) => {$(
            for (file, renaming) in &files {
                file.each(&[$(Declares::$declares),+], words, &mut |mut statement| {
                    renaming.iter().for_each(|renaming| renaming.statement(&mut statement));
                    if let Statement::$kind($it) = &statement {
                        $declare;
                    }
                });
            }
        )*};
    }
    let notes = || files.iter().flat_map(|(file, _)| &file.notes);
    notes().for_each(|note| builder.declare_noted(note));
    each! {
        Variable(it) of Variable => variables::plain(it, builder);
        Variable(it) of VariableTemplate => variables::templates(it, builder);
    }
    notes().for_each(|note| builder.note_needs(note));
    each! {
        Action(it) of ActionWithNeeds => template::declare_lacks(it, builder);
        Action(it) of Action | ActionWithNeeds => template::actions(it, builder);
        Compound(it) of Compound => builder.declare_compound(it);
    }
    builder.settle_checks();
    each! {
        Goal(it) of Goal => template::goals(it, builder);
        Capability(it) of Capability => {
            builder.declare_capability(it.name.text, &it.members, it.name.span)
        };
        Prefer(it) of Preference => builder.declare_preference(&it.before, &it.after, it.span);
        Npc(it) of Npc => builder.declare_npc(it);
        Test(it) of Test => test(it, builder);
    }
    // First all that are statements, then all that are clauses.
    let mut clauses = Vec::new();
    for (file, _) in &mut files {
        std::mem::take(&mut file.notes).into_iter().for_each(|note| builder.add_note(note));
        clauses.append(&mut file.found.tree.notes);
    }
    clauses.into_iter().for_each(|note| builder.add_note(note));
}

/// Declares a test.
pub(super) fn test(syntax: &TestSyntax<'_>, builder: &mut ModelBuilder) {
    let wanted = template::wanted(syntax.draft.name, &syntax.to, builder);
    builder.declare_test(&syntax.draft, wanted);
}
