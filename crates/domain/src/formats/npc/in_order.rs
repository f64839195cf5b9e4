//! A file in which everything is declared before it is used: read in one go.
//!
//! In:   a text that includes nothing.
//! Out:  a builder that has all of it, as if the statements had been declared kind by kind
//!       ([`expand`](super::expand)); nothing if the text has to be read that way.
//! Cost: each statement is parsed once and gone once it is declared. A text that has to be read the
//!       other way was read in vain up to where that shows: at the first statement with a mistake,
//!       or with something that others before it may speak of.
//!
//! Things are numbered kind by kind, so only the order within a kind matters, and what each finds by
//! name. What may find less than it would at the end waits until then: NPC types whose lists name
//! more than single actions and goals, and all compounds, capabilities, wishes and tests.

use super::lex::{Lexed, Lexer};
use super::parse::Found;
use super::syntax::*;
use super::{Keywords, domain_name, expand, template, variables};
use crate::build::ModelBuilder;
use crate::source::FileId;

/// What is declared when all else is there.
#[derive(Default)]
struct Waiting<'t> {
    compounds: Vec<CompoundDraft<'t>>,
    capabilities: Vec<CapabilitySyntax<'t>>,
    wishes: Vec<WishSyntax<'t>>,
    npcs: Vec<NpcDraft<'t>>,
    tests: Vec<TestSyntax<'t>>,
}

/// Declares all that a text says; `false` if it has to be read kind by kind.
pub(super) fn read(text: &str, words: &Keywords<'_>, builder: &mut ModelBuilder) -> bool {
    let (mut found, mut waiting) = (Found::default(), Waiting::default());
    let (mut domains, mut lexed) = (Vec::new(), Lexed::default());
    let mut lexer = Lexer::new(text, FileId(0), &mut builder.report);
    while lexer.statement(&mut lexed, &mut builder.report) {
        let statement = found.statement(&lexed.tokens, 0, words, &mut builder.report);
        let goes_on = match statement {
            Some(Statement::Domain(word)) => {
                domains.push(word);
                true
            }
            Some(statement) => waiting.declare_or_keep(statement, builder),
            None => false,
        };
        if !goes_on || builder.report.errors() + builder.report.warnings() > 0 {
            return false;
        }
        found.forget_marks();
        lexed.clear();
    }
    if let Some(word) = domain_name(domains.iter(), &mut builder.report, false) {
        builder.set_name(word.text, word.span);
    }
    waiting.declare(builder);
    found.tree.notes.into_iter().for_each(|note| builder.add_note(note));
    true
}

impl<'t> Waiting<'t> {
    /// Declares a statement, or keeps it for the end; `false` if others before it may have found
    /// too little because of it.
    fn declare_or_keep(&mut self, statement: Statement<'t>, builder: &mut ModelBuilder) -> bool {
        match statement {
            // What has parentheses is one of several, and stands behind all that has none.
            Statement::Variable(it) if matches!(it.head.arguments, Arguments::None) => {
                variables::plain(&it, builder);
            }
            Statement::Action(it) if it.needs.is_empty() && it.variant.is_none() => {
                template::actions(&it, builder);
            }
            Statement::Goal(it) => template::goals(&it, builder),
            Statement::Npc(it) if self.npcs.is_empty() && builder.lists_single_things(&it) => {
                builder.declare_npc(&it);
            }
            Statement::Npc(it) => self.npcs.push(it),
            Statement::Compound(it) => self.compounds.push(it),
            Statement::Capability(it) => self.capabilities.push(it),
            Statement::Prefer(it) => self.wishes.push(it),
            Statement::Test(it) => self.tests.push(it),
            _ => return false,
        }
        true
    }

    /// Declares what was kept, kind by kind.
    fn declare(self, builder: &mut ModelBuilder) {
        self.compounds.iter().for_each(|it| builder.declare_compound(it));
        builder.settle_checks();
        for it in &self.capabilities {
            builder.declare_capability(it.name.text, &it.members, it.name.span);
        }
        for it in &self.wishes {
            builder.declare_preference(&it.before, &it.after, it.span);
        }
        self.npcs.iter().for_each(|it| builder.declare_npc(it));
        self.tests.iter().for_each(|it| expand::test(it, builder));
    }
}
