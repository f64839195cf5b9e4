//! The words that begin statements and clauses: the planner's, and behind them those of notes.
//!
//! In:   the words that the owners of notes hand in.
//! Out:  one list per place.
//! Cost: a few short lists for each load.

use crate::notes::{Keyword, NoteWords, Role};

#[rustfmt::skip]
const STATEMENTS: [&str; 11] = [
    "domain", "use", "var", "shared", "action", "compound", "goal", "capability", "prefer", "npc",
    "test",
];
#[rustfmt::skip]
const ACTION_CLAUSES: [&str; 8] = [
    "while", "if", "needs", "cost", "kinds", "overrides", "variant", "was",
];
const COMPOUND_CLAUSES: [&str; 4] = ["if", "cost", "overrides", "was"];
const GOAL_CLAUSES: [&str; 3] = ["priority", "serves", "was"];
const VARIABLE_CLAUSES: [&str; 1] = ["was"];
const NPC_CLAUSES: [&str; 4] = ["can", "wants", "starts", "was"];
const TEST_CLAUSES: [&str; 6] = ["from", "goal", "to", "without", "only", "expect"];

/// All words that a reader knows.
pub(crate) struct Keywords<'w> {
    notes: &'w [&'static NoteWords],
    /// The words that begin statements, for messages and suggestions.
    pub(crate) statements: Vec<&'static str>,
    action_clauses: Vec<&'static str>,
    compound_clauses: Vec<&'static str>,
    goal_clauses: Vec<&'static str>,
    npc_clauses: Vec<&'static str>,
}

impl<'w> Keywords<'w> {
    pub(crate) fn new(notes: &'w [&'static NoteWords]) -> Self {
        let join = |ours: &[&'static str], theirs: fn(&NoteWords) -> &'static [Keyword]| {
            let theirs = notes.iter().flat_map(|words| theirs(words)).map(|keyword| keyword.word);
            ours.iter().copied().chain(theirs).collect()
        };
        let of_compounds = notes.iter().flat_map(|words| words.action_clauses);
        let of_compounds = of_compounds.filter(|it| it.role == Role::OfCompoundsToo);
        let compound_clauses = COMPOUND_CLAUSES.into_iter().chain(of_compounds.map(|it| it.word));
        Keywords {
            notes,
            statements: join(&STATEMENTS, |words| words.statements),
            action_clauses: join(&ACTION_CLAUSES, |words| words.action_clauses),
            compound_clauses: compound_clauses.collect(),
            goal_clauses: join(&GOAL_CLAUSES, |words| words.goal_clauses),
            npc_clauses: join(&NPC_CLAUSES, |words| words.npc_clauses),
        }
    }

    /// The words that begin a clause of a statement.
    pub(crate) fn clauses_of(&self, statement: &str) -> &[&'static str] {
        match statement {
            "var" | "shared" => &VARIABLE_CLAUSES,
            "action" => &self.action_clauses,
            "compound" => &self.compound_clauses,
            "goal" => &self.goal_clauses,
            "npc" => &self.npc_clauses,
            "test" => &TEST_CLAUSES,
            _ => &[],
        }
    }

    /// Whether a word begins a clause of some statement.
    pub(crate) fn begins_clause(&self, word: &str) -> bool {
        let statements = ["var", "action", "compound", "goal", "npc", "test"];
        statements.iter().any(|statement| self.clauses_of(statement).contains(&word))
    }

    /// The statement that is a note and begins with this word.
    pub(crate) fn note(&self, word: &str) -> Option<&'static Keyword> {
        self.find(word, |words| words.statements)
    }

    /// The word that begins a select, if an owner of notes has one.
    pub(crate) fn selecting(&self) -> Option<&'static Keyword> {
        let mut statements = self.notes.iter().flat_map(|words| words.statements);
        statements.find(|keyword| keyword.role == Role::Selects)
    }

    /// The clause by which an action names its code, if an owner of notes has one.
    pub(crate) fn naming_code(&self) -> Option<&'static Keyword> {
        let mut clauses = self.notes.iter().flat_map(|words| words.action_clauses);
        clauses.find(|keyword| keyword.role == Role::NamesCode)
    }

    /// The clause of a statement that is a note and begins with this word.
    pub(crate) fn clause_note(&self, statement: &str, word: &str) -> Option<&'static Keyword> {
        // Mostly it is one of ours.
        if ACTION_CLAUSES.contains(&word) && statement == "action" {
            return None;
        }
        let found = self.find(word, clause_notes(statement));
        found.filter(|it| statement != "compound" || it.role == Role::OfCompoundsToo)
    }

    /// The words that begin a note: a statement, or a clause of one.
    pub(crate) fn all_notes(&self, statement: Option<&str>) -> Vec<&'static str> {
        let list = statement.map_or((|words| words.statements) as OfOwner, clause_notes);
        self.notes.iter().flat_map(|words| list(words)).map(|keyword| keyword.word).collect()
    }

    fn find(&self, word: &str, list: OfOwner) -> Option<&'static Keyword> {
        self.notes.iter().flat_map(|words| list(words)).find(|keyword| keyword.word == word)
    }
}

/// One of an owner's lists.
type OfOwner = fn(&NoteWords) -> &'static [Keyword];

fn clause_notes(statement: &str) -> OfOwner {
    match statement {
        "action" | "compound" => |words| words.action_clauses,
        "goal" => |words| words.goal_clauses,
        "npc" => |words| words.npc_clauses,
        _ => |_| &[],
    }
}
