//! What symbols, checks, prices and the relevance of goals depend on: so that only those are made anew
//! for which something has changed.
//!
//! In:   the conditions and terms of a file.
//! Out:  for each rule a set of inputs, and whether time alone can change its answer.
//! Cost: one pass over the file's rules.

use super::{CheckSpec, GoalSpec, PriceSpec, SelectSpec, Spec, SymbolRule, SymbolSpec};
use crate::condition::{Aspect, AttributeTest, Condition, Measure, Pattern, Ref, Source, Term};
use crate::memory::KindSet;
use crate::picks::SlotSet;
use std::collections::HashSet;
use throng_domain::model::GoalId;

/// Something that the answer of a rule depends on, as a set of bits: the lower 32 are kinds of the
/// mind's own facts, as a [`KindSet`] has them.
pub(crate) type Inputs = u64;

/// Where the mind is.
pub(crate) const HERE: Inputs = 1 << 32;
/// What is picked.
pub(crate) const PICKS: Inputs = 1 << 33;
/// What all share.
pub(crate) const SHARED: Inputs = 1 << 34;
/// Values of variables.
pub(crate) const VALUES: Inputs = 1 << 35;

/// That rules were asked before: every rule depends on it.
const ASKED: Inputs = 1 << 63;

/// What one rule depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Watched {
    pub(crate) inputs: Inputs,
    /// If time alone can change its answer too, where the moment of that is kept.
    pub(crate) clock: Option<u16>,
}

/// What all rules depend on, by position in the spec.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct AllWatched {
    pub(crate) symbols: Vec<Watched>,
    pub(crate) checks: Vec<Watched>,
    pub(crate) prices: Vec<Watched>,
    /// Of the relevance of goals, by [`GoalId`]; their moments are kept with the goals.
    pub(crate) goals: Vec<Inputs>,
    /// How many moments are kept.
    pub(crate) n_clocks: usize,
    /// An action has two prices: they are made together.
    pub(crate) prices_overlap: bool,
}

impl AllWatched {
    /// What the relevance of a goal depends on.
    #[inline]
    pub(crate) fn goal(&self, goal: GoalId) -> Inputs {
        // A spec that was read from no file watches nothing.
        self.goals.get(goal.index()).copied().unwrap_or(Inputs::MAX)
    }

    pub(super) fn of(spec: &Spec) -> Self {
        let mut all = AllWatched::default();
        let mut n_clocks = 0;
        let mut made = |watcher: Watcher<'_>| {
            let clock = watcher.is_timed.then_some(n_clocks);
            n_clocks += u16::from(watcher.is_timed);
            Watched { inputs: watcher.inputs | ASKED, clock }
        };
        let watcher =
            || Watcher { selects: &spec.selects, it: SlotSet::MAX, inputs: 0, is_timed: false };
        all.symbols = spec.symbols.iter().map(|it| made(watcher().symbol(it))).collect();
        all.checks = spec.checks.iter().map(|it| made(watcher().check(it))).collect();
        all.prices = spec.prices.iter().map(|it| made(watcher().price(it))).collect();
        all.n_clocks = n_clocks.into();
        all.goals = spec.goals.iter().map(|it| watcher().goal(it).inputs | ASKED).collect();
        let mut priced = HashSet::new();
        let mut actions = spec.prices.iter().flat_map(|price| &price.actions);
        all.prices_overlap = !actions.all(|(action, _)| priced.insert(*action));
        all
    }
}

/// Gathers what a rule depends on.
struct Watcher<'s> {
    selects: &'s [SelectSpec],
    /// The slots that `it` may be.
    it: SlotSet,
    inputs: Inputs,
    is_timed: bool,
}

impl Watcher<'_> {
    fn symbol(mut self, symbol: &SymbolSpec) -> Self {
        for rule in &symbol.rules {
            match rule {
                SymbolRule::If(_, condition) => condition.iter().for_each(|it| self.condition(it)),
                SymbolRule::Number(measure, _) => self.measure(measure),
                SymbolRule::Named(_, pattern) => {
                    self.pattern(pattern);
                    for slot in symbol.value_slots.iter().flatten() {
                        self.reference(Ref::Slots(*slot, 1));
                    }
                }
            }
        }
        self
    }

    fn check(mut self, check: &CheckSpec) -> Self {
        self.condition(&check.condition);
        if check.needs != 0 {
            self.inputs |= PICKS;
        }
        self
    }

    fn price(mut self, price: &PriceSpec) -> Self {
        self.it = price.actions.iter().fold(0, |all, (_, it)| all | it.slots());
        if self.it != 0 {
            self.inputs |= PICKS;
        }
        for (term, condition) in &price.rules {
            self.term(term);
            condition.iter().for_each(|it| self.condition(it));
        }
        self
    }

    fn goal(mut self, goal: &GoalSpec) -> Self {
        goal.relevance.iter().for_each(|it| self.term(it));
        self
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Exists(pattern) | Condition::Count(pattern, ..) => self.pattern(pattern),
            Condition::Variable(..) | Condition::Amounts(..) => self.inputs |= VALUES,
            Condition::Number(measure, ..) => self.measure(measure),
            Condition::Not(inner) => self.condition(inner),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().for_each(|it| self.condition(it));
            }
        }
    }

    fn term(&mut self, term: &Term) {
        self.measure(&term.measure);
    }

    fn measure(&mut self, measure: &Measure) {
        match measure {
            Measure::Number(_) => {}
            Measure::If(condition) => self.condition(condition),
            Measure::Of(aspect, pattern) => {
                self.pattern(pattern);
                match *aspect {
                    Aspect::Sure(_) | Aspect::Amount(_) | Aspect::Count => {}
                    Aspect::Distance => self.inputs |= HERE,
                    Aspect::Age => self.age(pattern),
                    Aspect::From(what) => self.reference(what),
                }
            }
            Measure::Else(list) => list.iter().for_each(|it| self.measure(it)),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern.source {
            Source::Own(kind) => {
                let mut kinds = KindSet::default();
                kinds.insert(kind);
                self.inputs |= Inputs::from(kinds.0);
            }
            Source::Shared(_) => self.inputs |= SHARED,
            Source::It => self.reference(Ref::It),
            Source::Slots(first, n) => self.reference(Ref::Slots(first, n)),
        }
        for test in &pattern.tests {
            match *test {
                AttributeTest::Has(_) | AttributeTest::Value(..) | AttributeTest::Sure(..) => {}
                AttributeTest::Is(_, _, what) | AttributeTest::Within(_, what) => {
                    self.reference(what);
                }
                AttributeTest::Age(..) => self.age(pattern),
                AttributeTest::Distance(..) => self.inputs |= HERE,
            }
        }
    }

    /// The age of the facts of a pattern is asked for.
    fn age(&mut self, pattern: &Pattern) {
        self.is_timed = true;
        let kinds = match pattern.source {
            Source::Own(kind) => {
                let mut kinds = KindSet::default();
                kinds.insert_confirmed(kind);
                kinds
            }
            // Their confirmations count as changes.
            Source::Shared(_) => KindSet::default(),
            Source::It => self.confirmed(self.it),
            Source::Slots(first, n) => self.confirmed(Ref::Slots(first, n).slots()),
        };
        self.inputs |= Inputs::from(kinds.0);
    }

    /// The kinds of what slots hold, to be confirmed.
    fn confirmed(&self, slots: SlotSet) -> KindSet {
        KindSet(self.kinds_of(slots).0 << 16)
    }

    /// The kinds of what slots hold.
    fn kinds_of(&self, slots: SlotSet) -> KindSet {
        let own = self.selects.iter().filter(|select| select.own() & slots != 0);
        let mut kinds = KindSet::default();
        for pattern in own.flat_map(|select| &select.of) {
            match pattern.source {
                Source::Own(kind) => kinds.insert(kind),
                Source::Shared(_) | Source::It | Source::Slots(..) => kinds.0 |= 0xffff,
            }
        }
        kinds
    }

    fn reference(&mut self, what: Ref) {
        let slots = match what {
            Ref::Word(_) => return,
            Ref::Me => {
                self.inputs |= HERE;
                return;
            }
            Ref::It => self.it,
            Ref::Slots(..) => what.slots(),
        };
        self.inputs |= PICKS | Inputs::from(self.kinds_of(slots).0);
    }
}
