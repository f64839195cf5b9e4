//! Statements into declarations: the meaning of the `.npc` tree.
//!
//! In:   all statements of all files, order free.
//! Out:  declarations handed to the [`ModelBuilder`] in the order it wants them.
//! Cost: linear in the statements and in what templates become (`template.rs`).

use super::syntax::*;
use super::{template, variables};
use crate::build::ModelBuilder;

/// Hands every statement to the builder, each kind after those that it speaks of.
pub(super) fn expand(statements: &[Statement<'_>], builder: &mut ModelBuilder) {
    macro_rules! each {
        ($($kind:ident($it:ident) => $declare:expr;)*) => {$(
            for statement in statements {
                if let Statement::$kind($it) = statement {
                    $declare;
                }
            }
        )*};
    }
    each! {
        Note(note) => builder.declare_noted(note);
        Variable(it) => variables::plain(it, builder);
        Variable(it) => variables::templates(it, builder);
        Note(note) => builder.note_needs(note);
        Action(it) => template::declare_lacks(it, builder);
        Action(it) => template::actions(it, builder);
        Compound(it) => builder.declare_compound(it);
    }
    builder.settle_checks();
    each! {
        Goal(it) => template::goals(it, builder);
        Capability(it) => builder.declare_capability(it.name.text, &it.members, it.name.span);
        Prefer(it) => builder.declare_preference(&it.before, &it.after, it.span);
        Npc(it) => builder.declare_npc(it);
        Test(it) => test(it, builder);
        Note(note) => builder.add_note(note.clone());
    }
}

fn test(syntax: &TestSyntax<'_>, builder: &mut ModelBuilder) {
    let wanted = template::wanted(syntax.draft.name, &syntax.to, builder);
    builder.declare_test(&syntax.draft, wanted);
}
