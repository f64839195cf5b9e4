//! The tree of an `.npc` file: statements as written, nothing resolved yet.
//!
//! Everything borrows from the text and carries its span; meaning comes in `expand`.

pub(crate) use crate::build::{
    Argument, CheckWord, CompoundDraft, Condition, KindDraft, NpcDraft, Reference, TestDraft, Word,
};
use crate::notes::Note;
use crate::source::Span;
pub(crate) use crate::token::Relation;

/// The name of a declared action or goal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head<'t> {
    /// The name without parentheses.
    pub(crate) name: Word<'t>,
    pub(crate) arguments: Arguments<'t>,
    pub(crate) span: Span,
}

/// What stands in the parentheses of a head.
#[derive(Clone, Debug, Default)]
pub(crate) enum Arguments<'t> {
    #[default]
    None,
    /// `(place in at)`: a template.
    Parameters(Vec<Parameter<'t>>),
    /// `(pipe)`: a ground name, as the expanded model is written.
    Values(Vec<Word<'t>>),
}

/// `place in at`, `spot in place except elsewhere`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'t> {
    pub(crate) name: Word<'t>,
    /// The variable whose values it takes, or the select whose slots.
    pub(crate) variable: Word<'t>,
    /// Values and groups of values that it does not take.
    pub(crate) except: Vec<Word<'t>>,
}

/// One change of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect<'t> {
    pub(crate) variable: Word<'t>,
    pub(crate) argument: Argument<'t>,
    pub(crate) change: Change<'t>,
}

/// How an effect changes its variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'t> {
    /// `a -> b`, or `-> b` from any value.
    Move { from: Option<Word<'t>>, to: Word<'t> },
    /// `+= n` or `-= n`, perhaps `up to m` or `down to m`.
    Add { negative: bool, amount: Word<'t>, stop: Option<Word<'t>> },
}

/// Conditions joined by `or`, `and`, `not` and parentheses, as written.
#[derive(Clone, Debug)]
pub(crate) enum Formula<'t> {
    One(Condition<'t>),
    /// A name that is compared with nothing, and the variable of the condition that `or` or `and`
    /// joins to it: a mistake, told when variables are known.
    Bare(Word<'t>, Option<&'t str>),
    Not(Box<Formula<'t>>),
    /// All of these, at least one.
    All(Vec<Formula<'t>>),
    /// One of these, at least two.
    Any(Vec<Formula<'t>>),
}

impl<'t> Formula<'t> {
    /// Calls `each` with every condition, in the order of the text.
    pub(crate) fn each_condition(&self, each: &mut impl FnMut(&Condition<'t>)) {
        match self {
            Formula::One(condition) => each(condition),
            Formula::Bare(..) => {}
            Formula::Not(inner) => inner.each_condition(each),
            Formula::All(list) | Formula::Any(list) => {
                list.iter().for_each(|formula| formula.each_condition(each));
            }
        }
    }
}

/// Values of a variable: a name, a number, a range of numbers, or all of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'t> {
    One(Word<'t>),
    /// `any cover`: the slots of a select, or the members of a sort.
    Any(Word<'t>),
    Range {
        first: Word<'t>,
        last: Word<'t>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct VariableSyntax<'t> {
    pub(crate) head: Head<'t>,
    pub(crate) shared: bool,
    pub(crate) values: Vec<Values<'t>>,
    pub(crate) was: Vec<Reference<'t>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ActionSyntax<'t> {
    pub(crate) head: Head<'t>,
    pub(crate) effects: Vec<Effect<'t>>,
    /// All of these must hold.
    pub(crate) conditions: Vec<Formula<'t>>,
    pub(crate) checks: Vec<CheckWord<'t>>,
    /// The parameters whose needs must be met: `needs spot`.
    pub(crate) needs: Vec<Word<'t>>,
    pub(crate) cost: Option<Word<'t>>,
    pub(crate) kinds: Vec<KindDraft<'t>>,
    pub(crate) overrides: Vec<Reference<'t>>,
    /// Which of several actions of one name it is, as the expanded model is written.
    pub(crate) variant: Option<Word<'t>>,
    pub(crate) was: Vec<Reference<'t>>,
}

#[derive(Clone, Debug)]
pub(crate) struct WishSyntax<'t> {
    pub(crate) before: Vec<Reference<'t>>,
    pub(crate) after: Vec<Reference<'t>>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GoalSyntax<'t> {
    pub(crate) head: Head<'t>,
    /// All of these are wanted.
    pub(crate) conditions: Vec<Formula<'t>>,
    pub(crate) priority: Option<Word<'t>>,
    /// The goal that this one is an alternative of.
    pub(crate) serves: Option<Reference<'t>>,
    pub(crate) was: Vec<Reference<'t>>,
}

#[derive(Clone, Debug)]
pub(crate) struct CapabilitySyntax<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) members: Vec<Reference<'t>>,
}

/// A test, and what it wants.
#[derive(Clone, Debug)]
pub(crate) struct TestSyntax<'t> {
    pub(crate) draft: TestDraft<'t>,
    /// All of these are wanted.
    pub(crate) to: Vec<Formula<'t>>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement<'t> {
    Domain(Word<'t>),
    /// The file, and the name it goes by.
    Use(Word<'t>, Option<Word<'t>>),
    Variable(VariableSyntax<'t>),
    Action(ActionSyntax<'t>),
    Compound(CompoundDraft<'t>),
    Goal(GoalSyntax<'t>),
    Prefer(WishSyntax<'t>),
    Capability(CapabilitySyntax<'t>),
    Npc(NpcDraft<'t>),
    Test(TestSyntax<'t>),
    Note(Note),
}

/// What parsing finds beside the statement itself.
#[derive(Default)]
pub(crate) struct Tree<'t> {
    /// Clauses that are notes.
    pub(crate) notes: Vec<Note>,
    /// Whether a statement is read that was read before: then its notes are there.
    pub(crate) is_read_again: bool,
    /// The clauses that the statement has so far.
    pub(crate) seen: Vec<&'t str>,
    /// Positions of the tokens that begin a clause, rising; layout breaks lines there.
    pub(crate) clause_starts: Vec<usize>,
    /// Positions of the parentheses that open a group of conditions, and of `or` between
    /// conditions, rising.
    pub(crate) joints: Vec<usize>,
}
