//! Declarations as readers find them: words and places, nothing resolved yet.

use crate::model::{Comparison, Fact, Range, Shift};
use crate::source::Span;
use crate::token::Relation;
use std::borrow::Cow;

/// A name used somewhere: an action, a template, a goal, a capability, a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reference<'t> {
    /// The name, spelled canonically: `go`, `go(pipe)`.
    pub(crate) name: Cow<'t, str>,
    pub(crate) span: Span,
}

impl Reference<'_> {
    /// The same, to outlive the text.
    pub(crate) fn to_owned(&self) -> Reference<'static> {
        Reference { name: Cow::Owned(self.name.to_string()), span: self.span }
    }
}

/// A word of the text: a name, a number, or a quoted text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

impl<'t> Word<'t> {
    pub(crate) fn reference(&self) -> Reference<'t> {
        Reference { name: Cow::Borrowed(self.text), span: self.span }
    }
}

/// What stands in the parentheses behind a variable or a check: `p` of `ready(p)`.
pub(crate) type Argument<'t> = Option<Word<'t>>;

/// The name of a variable or a check with what stands in its parentheses: `ready(prop.1)`.
pub(crate) fn with_argument<'t>(name: &'t str, argument: Option<&str>) -> Cow<'t, str> {
    match argument {
        None => Cow::Borrowed(name),
        Some(argument) => Cow::Owned(format!("{name}({argument})")),
    }
}

/// `ammo >= 1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition<'t> {
    pub(crate) variable: Word<'t>,
    pub(crate) argument: Argument<'t>,
    pub(crate) relation: Relation,
    pub(crate) value: Word<'t>,
    pub(crate) span: Span,
}

/// `room_to_roll` or `not crouched`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckWord<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) argument: Argument<'t>,
    pub(crate) negated: bool,
}

/// `roll if room_to_roll cost 2`.
#[derive(Clone, Debug)]
pub(crate) struct KindDraft<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) checks: Vec<CheckWord<'t>>,
    pub(crate) cost: Option<Word<'t>>,
}

/// What a tool says that a compound asks of amounts and how it moves them.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedDraft {
    pub(crate) ranges: Vec<(Range, Span)>,
    pub(crate) comparisons: Vec<(Comparison, Span)>,
    pub(crate) shifts: Vec<(Shift, Span)>,
}

/// A compound.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompoundDraft<'t> {
    pub(crate) name: Reference<'t>,
    pub(crate) parts: Vec<Reference<'t>>,
    pub(crate) checks: Vec<CheckWord<'t>>,
    /// Without it, the sum of the parts.
    pub(crate) cost: Option<Word<'t>>,
    /// What a tool says that it requires and sets; must be what follows from the parts.
    pub(crate) requires: Option<Vec<Condition<'t>>>,
    pub(crate) sets: Option<Vec<Condition<'t>>>,
    /// The same of amounts, names found.
    pub(crate) counted: Option<CountedDraft>,
    pub(crate) overrides: Vec<Reference<'t>>,
    pub(crate) was: Vec<Reference<'t>>,
}

/// An NPC type.
#[derive(Clone, Debug, Default)]
pub(crate) struct NpcDraft<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) can: Vec<Reference<'t>>,
    pub(crate) wants: Vec<Reference<'t>>,
    pub(crate) starts: Vec<Condition<'t>>,
    pub(crate) was: Vec<Reference<'t>>,
}

/// What a test expects.
#[derive(Clone, Debug)]
pub(crate) enum ExpectDraft<'t> {
    Length(Word<'t>),
    Cost(Word<'t>),
    Plan(Vec<Reference<'t>>),
    Impossible,
    Satisfied,
    Never(Vec<Reference<'t>>),
}

/// What a test wants, names found.
#[derive(Default)]
pub(crate) struct WantsDraft {
    pub(crate) facts: Vec<(Fact, Span)>,
    pub(crate) ranges: Vec<(Range, Span)>,
    pub(crate) comparisons: Vec<(Comparison, Span)>,
}

/// A test; of `goal` and `to`, and of `without` and `only`, it may have one.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestDraft<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) npc: Option<Word<'t>>,
    pub(crate) from: Vec<Condition<'t>>,
    pub(crate) goal: Option<Reference<'t>>,
    /// Where it says what is wanted.
    pub(crate) to: Option<Span>,
    pub(crate) without: Option<(Vec<Reference<'t>>, Span)>,
    pub(crate) only: Option<(Vec<Reference<'t>>, Span)>,
    pub(crate) expects: Vec<(ExpectDraft<'t>, Span)>,
    /// No expectation was left out because of a mistake in it.
    pub(crate) complete: bool,
}
