//! One ground action, kept small: there may be a million.
//!
//! In:   what the builder found.
//! Out:  lists by name, empty ones for what it does not have.
//! Cost: a pointer for all that most actions do not have; one list for what it requires and sets.

use super::{ActionId, ActionKind, CheckUse, SlotAt, VariableId};
use super::{Comparison, Conditions, Fact, Range, Shift};
use crate::number::Cost;
use crate::source::Span;
use std::sync::Arc;

/// One ground action: what it requires, what it sets, when it is there, what it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub(crate) name: Box<str>,
    /// What it requires, then what it sets.
    facts: Box<[Fact]>,
    n_required: u32,
    pub(crate) variant: u32,
    pub(crate) cost: Cost,
    pub(crate) span: Span,
    /// None if it would be empty.
    more: Option<Box<More>>,
}

/// What most actions do not have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct More {
    pub(crate) ranges: Vec<Range>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) shifts: Vec<Shift>,
    pub(crate) checks: Vec<CheckUse>,
    pub(crate) overrides: Vec<ActionId>,
    pub(crate) parts: Vec<ActionId>,
    pub(crate) slots: Vec<SlotAt>,
    /// Never an empty list.
    pub(crate) kinds: Option<Arc<[ActionKind]>>,
    pub(crate) was: Vec<String>,
}

impl More {
    fn is_empty(&self) -> bool {
        let More { ranges, comparisons, shifts, checks, overrides, parts, slots, kinds, was } =
            self;
        let amounts = ranges.is_empty() && comparisons.is_empty() && shifts.is_empty();
        let others = checks.is_empty() && overrides.is_empty() && kinds.is_none();
        amounts && others && parts.is_empty() && slots.is_empty() && was.is_empty()
    }
}

impl Action {
    /// An action of these facts, the first of which it requires; it sets the others.
    pub(crate) fn new(
        name: String,
        (facts, n_required): (Vec<Fact>, usize),
        (cost, variant, span): (Cost, u32, Span),
        more: More,
    ) -> Action {
        let n_required = crate::source::clip(n_required);
        let more = (!more.is_empty()).then(|| Box::new(more));
        let (name, facts) = (name.into_boxed_str(), facts.into_boxed_slice());
        Action { name, facts, n_required, variant, cost, span, more }
    }

    /// What most actions do not have, for those that get some of it.
    pub(crate) fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// Its ground name, such as `go(pipe)`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values that must hold, at most one per variable, by variable.
    #[must_use]
    #[inline]
    pub fn requires(&self) -> &[Fact] {
        &self.facts[..self.n_required as usize]
    }

    /// The values it brings about, at most one per variable, by variable. A value that is
    /// also required is not listed: it only has to hold during the action.
    #[must_use]
    #[inline]
    pub fn sets(&self) -> &[Fact] {
        &self.facts[self.n_required as usize..]
    }

    /// Its price, above zero.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Which of the actions of its name it is, from 1. They differ in how the needs of what they
    /// are about are met, and a plan, a log and a list of actions speak of all of them.
    #[must_use]
    pub fn variant(&self) -> u32 {
        self.variant
    }

    /// Where it (or its template) is declared.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }
}

macro_rules! lists {
    ($($(#[$doc:meta])* $field:ident: $kind:ty;)*) => {
        impl Action {
            $(
                $(#[$doc])*
                #[must_use]
                #[inline]
                pub fn $field(&self) -> &[$kind] {
                    self.more.as_ref().map_or(&[], |more| &more.$field)
                }
            )*
        }
    };
}

lists! {
    /// The sets of values that must hold, at most one per variable and none of a variable in
    /// `requires`, by variable; what a shift needs so as not to leave the range is in them.
    ranges: Range;
    /// The amounts that must stand to each other.
    comparisons: Comparison;
    /// How it moves values, at most once per variable and none of a variable in `sets`, by
    /// variable.
    shifts: Shift;
    /// The context checks it asks for, in the order written.
    checks: CheckUse;
    /// The actions that are not there while this one is enabled.
    overrides: ActionId;
    /// The actions that it consists of, in the order to do them; none unless it is a compound.
    parts: ActionId;
    /// Those of the words in parentheses of its name that are slots.
    slots: SlotAt;
    /// Former names.
    was: String;
}

impl Action {
    /// The ways to do it, one of which is chosen at start; none if there is only one way.
    #[must_use]
    pub fn kinds(&self) -> &[ActionKind] {
        self.more.as_ref().and_then(|more| more.kinds.as_deref()).unwrap_or_default()
    }

    /// All that must hold for it to run.
    #[must_use]
    pub fn conditions(&self) -> Conditions<'_> {
        let (facts, ranges, comparisons) = (self.requires(), self.ranges(), self.comparisons());
        Conditions { facts, ranges, comparisons }
    }

    /// The variables that it sets or shifts, each once.
    pub fn changed(&self) -> impl Iterator<Item = VariableId> {
        let sets = self.sets().iter().map(|set| set.variable);
        sets.chain(self.shifts().iter().map(|shift| shift.variable))
    }

    /// Whether it counts: compares an amount, or moves it.
    #[must_use]
    pub fn counts(&self) -> bool {
        !(self.ranges().is_empty() && self.comparisons().is_empty() && self.shifts().is_empty())
    }

    /// Whether its cost must be written: it is not the one that would be taken without a word.
    pub(crate) fn says_cost(&self) -> bool {
        self.cost != Cost::ONE || !self.parts().is_empty() || !self.kinds().is_empty()
    }
}
