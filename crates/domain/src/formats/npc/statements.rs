//! The statements of a file: read once to tell what is wrong with them, and again when they are
//! declared.
//!
//! In:   the text of a file.
//! Out:  at once what all others depend on: the name of the domain, the files it uses, its notes,
//!       and what is broken; each statement when its kind is asked for.
//! Cost: eight bytes for each token meanwhile, where the trees of all statements took ten times
//!       as much; a statement is parsed twice. One with a mistake from which the parser went on is
//!       kept as it was read, so that nothing is told twice; so is one with a token too long to
//!       keep.

use super::keywords::Keywords;
use super::lex::{KeptToken, Lexed, Lexer, Token};
use super::parse::Found;
use super::syntax::*;
use crate::diagnostics::Report;
use crate::notes::Note;
use crate::source::{FileId, clip};

/// What a statement declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declares {
    Variable,
    /// A variable for each value of a parameter.
    VariableTemplate,
    Action,
    /// An action whose parameters have needs.
    ActionWithNeeds,
    Compound,
    Goal,
    Capability,
    Preference,
    Npc,
    Test,
}

/// A statement that was read and can be read again.
struct Kept {
    declares: Declares,
    /// Its first token among those that are kept; without tokens, its place among those that are
    /// kept as they were read.
    first: u32,
    n_tokens: u32,
}

/// A file, read.
pub(super) struct Parsed<'t> {
    text: &'t str,
    file: FileId,
    /// The names that `domain` gives.
    pub(super) domains: Vec<Word<'t>>,
    /// The files that `use` names, and the name each goes by.
    pub(super) uses: Vec<(Word<'t>, Option<Word<'t>>)>,
    /// Statements that are notes.
    pub(super) notes: Vec<Note>,
    pub(super) found: Found<'t>,
    statements: Vec<Kept>,
    tokens: Vec<KeptToken>,
    /// Statements as they were read.
    whole: Vec<Statement<'t>>,
}

impl<'t> Parsed<'t> {
    /// Reads a file.
    pub(super) fn new(
        text: &'t str,
        file: FileId,
        words: &Keywords<'_>,
        report: &mut Report,
    ) -> Self {
        let mut parsed = Parsed {
            text,
            file,
            domains: Vec::new(),
            uses: Vec::new(),
            notes: Vec::new(),
            found: Found::default(),
            statements: Vec::new(),
            tokens: Vec::new(),
            whole: Vec::new(),
        };
        let mut lexer = Lexer::new(text, file, report);
        let mut lexed = Lexed::default();
        while lexer.statement(&mut lexed, report) {
            let told = report.errors() + report.warnings();
            if let Some(statement) = parsed.found.statement(&lexed.tokens, 0, words, report) {
                let is_told = told < report.errors() + report.warnings();
                parsed.keep(statement, &lexed.tokens, is_told);
            }
            parsed.found.forget_marks();
            lexed.clear();
        }
        parsed
    }

    fn keep(&mut self, statement: Statement<'t>, tokens: &[Token<'t>], is_told: bool) {
        let declares = match &statement {
            Statement::Domain(word) => return self.domains.push(*word),
            Statement::Use(file, name) => return self.uses.push((*file, *name)),
            Statement::Variable(it) => match it.head.arguments {
                Arguments::Parameters(_) => Declares::VariableTemplate,
                _ => Declares::Variable,
            },
            Statement::Action(it) if it.needs.is_empty() => Declares::Action,
            Statement::Action(_) => Declares::ActionWithNeeds,
            Statement::Compound(_) => Declares::Compound,
            Statement::Goal(_) => Declares::Goal,
            Statement::Prefer(_) => Declares::Preference,
            Statement::Capability(_) => Declares::Capability,
            Statement::Npc(_) => Declares::Npc,
            Statement::Test(_) => Declares::Test,
            Statement::Note(_) => {
                if let Statement::Note(note) = statement {
                    self.notes.push(note);
                }
                return;
            }
        };
        let first = self.tokens.len();
        self.tokens.extend(tokens.iter().map_while(KeptToken::of));
        let n_tokens = self.tokens.len() - first;
        if is_told || n_tokens < tokens.len() {
            self.tokens.truncate(first);
            self.statements.push(Kept { declares, first: clip(self.whole.len()), n_tokens: 0 });
            self.whole.push(statement);
            return;
        }
        self.statements.push(Kept { declares, first: clip(first), n_tokens: clip(n_tokens) });
    }

    /// Calls `each` with every statement that declares one of these, in the order of the text.
    pub(super) fn each(
        &self,
        wanted: &[Declares],
        words: &Keywords<'_>,
        each: &mut dyn FnMut(Statement<'t>),
    ) {
        let (mut again, mut report) = (Found::default(), Report::default());
        again.tree.is_read_again = true;
        let mut tokens = Vec::new();
        for kept in self.statements.iter().filter(|kept| wanted.contains(&kept.declares)) {
            let first = kept.first as usize;
            if kept.n_tokens == 0 {
                self.whole.get(first).cloned().into_iter().for_each(&mut *each);
                continue;
            }
            let Some(own) = self.tokens.get(first..first + kept.n_tokens as usize) else {
                continue;
            };
            tokens.clear();
            tokens.extend(own.iter().map(|token| token.token(self.text, self.file)));
            again.statement(&tokens, 0, words, &mut report).into_iter().for_each(&mut *each);
            again.forget_marks();
        }
        debug_assert_eq!(report.errors() + report.warnings(), 0, "was told when it was read first");
    }
}
