//! A problem: which NPC type plans, from where, to where, with which actions.
//!
//! In:   facts of the whole domain.
//! Out:  the same in the NPC type's own numbers; goals on variables that the type does not
//!       touch are set apart, because they hold now or never.
//! Cost: one binary search per fact.

mod costs;

use crate::context::{ActionMask, Checks, Context};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalRange, NpcTables, PackedValue, UNKNOWN,
};
use throng_domain::model::{Comparison, Conditions, Fact, NpcTypeId, Range};

/// A goal on a variable that nothing of this NPC type touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutsideFact {
    /// What is wanted.
    pub fact: Fact,
    /// Whether it holds; if not it never will.
    pub holds: bool,
    /// Whether the variable's value is known.
    pub known: bool,
}

/// A set of values wanted of a variable that nothing of this NPC type touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutsideRange {
    /// What is wanted.
    pub range: Range,
    /// Whether it holds; if not it never will.
    pub holds: bool,
    /// What the variable has; `None` if that is unknown.
    pub now: Option<Fact>,
}

/// What a goal wants that compares amounts: sets of values once the right sides are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Compared {
    /// What is wanted besides.
    facts: Vec<LocalFact>,
    ranges: Vec<LocalRange>,
    is_contradictory: bool,
    /// Each with the value of its right side when the problem was filled.
    comparisons: Vec<(Comparison, PackedValue)>,
}

impl Compared {
    fn clear(&mut self) {
        self.facts.clear();
        self.ranges.clear();
        self.is_contradictory = false;
        self.comparisons.clear();
    }

    fn copy_from(&mut self, other: &Compared) {
        self.facts.clone_from(&other.facts);
        self.ranges.clone_from(&other.ranges);
        self.is_contradictory = other.is_contradictory;
        self.comparisons.clone_from(&other.comparisons);
    }
}

/// Everything a planner needs to know, owned and reusable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    npc: NpcTypeId,
    start: Vec<PackedValue>,
    goal: Vec<LocalFact>,
    /// Whether the type has amounts, or sets of values were asked for. If not, there is nothing in
    /// all that is only of amounts.
    has_amounts: bool,
    /// At most one per variable, and none of a variable in `goal`, by variable.
    goal_ranges: Vec<LocalRange>,
    outside: Vec<OutsideFact>,
    outside_ranges: Vec<OutsideRange>,
    /// Whether wanted values contradict each other, so that nothing can have them all.
    is_contradictory: bool,
    compared: Compared,
    checks: Checks,
    forbidden: ActionMask,
    enabled: ActionMask,
    /// Of a type with amounts: the same before those were left out that ask for what stands still
    /// and is otherwise.
    without_amounts: ActionMask,
    /// By action, in thousandths; empty if all actions cost what the domain says.
    costs: Vec<u64>,
    /// Whether an "impossible" comes with its reason.
    pub(crate) says_why: bool,
}

impl Problem {
    /// A problem without goal, everything unknown, all checks holding, nothing forbidden.
    pub fn new(domain: &CompiledDomain, npc: NpcTypeId) -> Self {
        let kind = domain.npc(npc);
        Problem {
            npc,
            start: kind.unknown_state(),
            goal: Vec::new(),
            has_amounts: kind.has_amounts(),
            goal_ranges: Vec::new(),
            outside: Vec::new(),
            outside_ranges: Vec::new(),
            is_contradictory: false,
            compared: Compared::default(),
            checks: Checks::all(domain.map().n_checks()),
            forbidden: ActionMask::none(kind.n_actions()),
            enabled: ActionMask::default(),
            without_amounts: ActionMask::default(),
            costs: Vec::new(),
            says_why: true,
        }
    }

    /// The same for callers who have no use for the reason of an "impossible": finding it is work
    /// of its own, which no budget counts, and it allocates. The reason that comes then says
    /// nothing.
    pub fn without_reasons(self) -> Self {
        Problem { says_why: false, ..self }
    }

    /// Makes it a problem about `npc`. `value_of` gives the value of each variable of the
    /// domain, [`UNKNOWN`] included; `goal` is what must hold. Reuses what it holds.
    pub fn fill<'g>(
        &mut self,
        domain: &CompiledDomain,
        npc: NpcTypeId,
        value_of: impl Fn(usize) -> PackedValue,
        goal: impl Into<Conditions<'g>>,
        context: Context<'_>,
    ) {
        let variables = domain.npc(npc).variables();
        self.start.clear();
        self.start.extend(variables.iter().map(|id| value_of(id.index())));
        self.ask(domain, npc, value_of, goal.into(), context);
    }

    /// The same for callers that have the values of the type's own variables at hand.
    pub fn fill_from<'g>(
        &mut self,
        domain: &CompiledDomain,
        npc: NpcTypeId,
        start: &[PackedValue],
        value_of: impl Fn(usize) -> PackedValue,
        goal: impl Into<Conditions<'g>>,
        context: Context<'_>,
    ) {
        start.clone_into(&mut self.start);
        self.ask(domain, npc, value_of, goal.into(), context);
    }

    /// All but the start.
    #[inline]
    fn ask(
        &mut self,
        domain: &CompiledDomain,
        npc: NpcTypeId,
        value_of: impl Fn(usize) -> PackedValue,
        goal: Conditions<'_>,
        context: Context<'_>,
    ) {
        let Context { checks, forbidden, enabled } = context;
        match enabled {
            Some(enabled) => self.enabled.copy_from(enabled),
            None => self.enabled.fill_enabled(domain.npc(npc), checks, forbidden),
        }
        let kind = domain.npc(npc);
        self.npc = npc;
        self.goal.clear();
        self.outside.clear();
        for &fact in goal.facts {
            let wanted = fact.value.index() as PackedValue;
            match kind.local_variable(fact.variable) {
                Some(variable) => self.goal.push(LocalFact { variable, value: wanted }),
                None => {
                    let value = value_of(fact.variable.index());
                    let (holds, known) = (value == wanted, value != UNKNOWN);
                    self.outside.push(OutsideFact { fact, holds, known });
                }
            }
        }
        // The same wishes in another order are the same problem, with the same answer.
        self.goal.sort_unstable();
        self.goal.dedup();
        self.outside.sort_unstable_by_key(|outside| outside.fact);
        let has_ranges = !(goal.ranges.is_empty() && goal.comparisons.is_empty());
        let has_amounts = kind.has_amounts() || has_ranges;
        if has_amounts || self.has_amounts {
            self.has_amounts = has_amounts;
            self.ask_amounts(domain, goal, &value_of);
        }
        self.checks.copy_from(checks);
        self.forbidden.copy_from(forbidden);
        self.costs.clear();
    }

    #[cold]
    fn ask_amounts(
        &mut self,
        domain: &CompiledDomain,
        goal: Conditions<'_>,
        value_of: &impl Fn(usize) -> PackedValue,
    ) {
        self.goal_ranges.clear();
        self.outside_ranges.clear();
        self.is_contradictory = false;
        self.compared.clear();
        if !(goal.ranges.is_empty() && goal.comparisons.is_empty()) {
            self.fill_ranges(domain, goal, value_of);
        }
        let kind = domain.npc(self.npc);
        if kind.has_amounts() {
            self.without_amounts.copy_from(&self.enabled);
            self.leave_out_standing(kind);
        } else {
            self.without_amounts.copy_from(&ActionMask::default());
        }
    }

    /// Takes in what is wanted of amounts: a comparison is a set of values now, because the right
    /// side stands still.
    fn fill_ranges(
        &mut self,
        domain: &CompiledDomain,
        goal: Conditions<'_>,
        value_of: &impl Fn(usize) -> PackedValue,
    ) {
        let kind = domain.npc(self.npc);
        let add = |problem: &mut Problem, range: Range| match kind.local_variable(range.variable) {
            Some(variable) => problem.want(LocalRange { variable, values: range.values }),
            None => {
                let value = value_of(range.variable.index());
                let holds = range.values.has(value);
                let now = domain.map().fact_at(range.variable.index(), usize::from(value));
                problem.outside_ranges.push(OutsideRange { range, holds, now });
            }
        };
        goal.ranges.iter().for_each(|&range| add(self, range));
        if !goal.comparisons.is_empty() {
            self.compared.facts.clone_from(&self.goal);
            self.compared.ranges.clone_from(&self.goal_ranges);
            self.compared.is_contradictory = self.is_contradictory;
        }
        for it in goal.comparisons {
            let n_values = domain.map().n_values(it.variable) as PackedValue;
            let other = value_of(it.other.index());
            self.compared.comparisons.push((*it, other));
            let values = compared(it, other, n_values);
            add(self, Range { variable: it.variable, values });
        }
        self.goal_ranges.sort_unstable();
        self.outside_ranges.sort_unstable_by_key(|outside| outside.range);
        self.outside_ranges.dedup();
    }

    /// Takes in again what is wanted of amounts beside others, now that the start is another.
    fn compare_again(&mut self, npc: &NpcTables) {
        let all = std::mem::take(&mut self.compared);
        self.goal.clone_from(&all.facts);
        self.goal_ranges.clear();
        self.is_contradictory = all.is_contradictory;
        all.ranges.iter().for_each(|&range| self.want(range));
        for (it, other) in &all.comparisons {
            // What is outside the type stays as it is.
            let Some(variable) = npc.local_variable(it.variable) else { continue };
            let own = npc.local_variable(it.other).map(|local| self.start[local.index()]);
            let n_values = npc.n_values(variable) as PackedValue;
            let values = compared(it, own.unwrap_or(*other), n_values);
            self.want(LocalRange { variable, values });
        }
        self.goal_ranges.sort_unstable();
        self.compared = all;
    }

    /// Adds a wanted set of values to what is wanted of its variable already.
    fn want(&mut self, range: LocalRange) {
        let fact = self.goal.iter().find(|fact| fact.variable == range.variable);
        if let Some(fact) = fact {
            self.is_contradictory |= !range.values.has(fact.value);
            return;
        }
        let known = self.goal_ranges.iter().position(|it| it.variable == range.variable);
        let mut values = range.values;
        if let Some(at) = known {
            // Two sets of many runs each may have more in common than a set can hold: both stay, as
            // two wishes of one variable.
            let Some(both) = values.both(&self.goal_ranges[at].values) else {
                self.goal_ranges.push(range);
                return;
            };
            values = both;
            self.goal_ranges.remove(at);
        }
        match values.only() {
            _ if values.is_empty() => self.is_contradictory = true,
            Some(value) => {
                self.goal.push(LocalFact { variable: range.variable, value });
                self.goal.sort_unstable();
            }
            None => self.goal_ranges.push(LocalRange { values, ..range }),
        }
    }

    /// Takes away the actions that ask for what a variable does not have that nothing of the type
    /// changes.
    fn leave_out_standing(&mut self, kind: &NpcTables) {
        let mut enabled = std::mem::take(&mut self.enabled);
        self.leave_out_standing_of(kind, &mut enabled);
        self.enabled = enabled;
    }

    fn leave_out_standing_of(&self, kind: &NpcTables, of: &mut ActionMask) {
        if !kind.has_amounts() {
            return;
        }
        for action in kind.local_actions() {
            if of.has(action) && !kind.standing_allows(action, &self.start) {
                of.set(action, false);
            }
        }
    }

    /// The same question from another start, a value per variable of the type; what is outside
    /// the type stays as it is. For those who ask it from every state.
    pub fn set_start(&mut self, npc: &NpcTables, start: &[PackedValue]) {
        start.clone_into(&mut self.start);
        if !self.compared.comparisons.is_empty() {
            self.compare_again(npc);
        }
        if npc.has_amounts() {
            self.enabled.copy_from(&self.without_amounts);
            self.leave_out_standing(npc);
        }
    }

    /// Becomes equal to `other`, reusing its memory.
    pub(crate) fn copy_from(&mut self, other: &Problem) {
        self.npc = other.npc;
        self.start.clone_from(&other.start);
        self.goal.clone_from(&other.goal);
        self.outside.clone_from(&other.outside);
        if self.has_amounts || other.has_amounts {
            self.copy_amounts(other);
        }
        self.checks.copy_from(&other.checks);
        self.forbidden.copy_from(&other.forbidden);
        self.enabled.copy_from(&other.enabled);
        self.costs.clone_from(&other.costs);
        self.says_why = other.says_why;
    }

    #[cold]
    fn copy_amounts(&mut self, other: &Problem) {
        self.has_amounts = other.has_amounts;
        self.goal_ranges.clone_from(&other.goal_ranges);
        self.outside_ranges.clone_from(&other.outside_ranges);
        self.is_contradictory = other.is_contradictory;
        self.compared.copy_from(&other.compared);
        self.without_amounts.copy_from(&other.without_amounts);
    }

    /// The same problem with another goal.
    pub fn with_goal(&self, goal: &[LocalFact]) -> Problem {
        self.with_goals(goal, &[])
    }

    /// The same problem with another goal, of values and of sets of values.
    pub fn with_goals(&self, goal: &[LocalFact], ranges: &[LocalRange]) -> Problem {
        Problem {
            goal: goal.to_vec(),
            has_amounts: self.has_amounts || !ranges.is_empty(),
            goal_ranges: ranges.to_vec(),
            outside: Vec::new(),
            outside_ranges: Vec::new(),
            is_contradictory: false,
            compared: Compared::default(),
            ..self.clone()
        }
    }

    throng_base::getters! {
        /// Who plans.
        npc: NpcTypeId;
        /// The state planning begins in.
        start: &[PackedValue];
        /// What must hold at the end, among the type's own variables.
        goal: &[LocalFact];
        /// The sets of values that must hold beside the facts, at the end; at most one per
        /// variable, and none of a variable in the facts.
        goal_ranges: &[LocalRange];
        /// What must hold but cannot be changed by this type.
        outside: &[OutsideFact];
        /// The same of sets of values.
        outside_ranges: &[OutsideRange];
        /// Whether the type has amounts, or sets of values were asked for.
        has_amounts: bool;
        /// Whether what is wanted contradicts itself.
        is_contradictory: bool;
        /// Which checks hold.
        checks: &Checks;
        /// Which actions the caller forbids.
        forbidden: &ActionMask;
        /// Which actions are there.
        enabled: &ActionMask;
    }

    /// The tables of who plans.
    pub fn kind<'d>(&self, domain: &'d CompiledDomain) -> &'d NpcTables {
        domain.npc(self.npc)
    }

    /// Whether the goal holds in a state of the type, outside facts left aside.
    #[inline]
    pub fn is_goal(&self, state: &[PackedValue]) -> bool {
        self.goal.iter().all(|fact| state[fact.variable.index()] == fact.value)
            && (!self.has_amounts || self.ranges_hold(state))
    }

    #[inline(never)]
    fn ranges_hold(&self, state: &[PackedValue]) -> bool {
        self.goal_ranges.iter().all(|it| it.values.has(state[it.variable.index()]))
            && !self.is_contradictory
    }

    /// The comparisons that are wanted, each with the value of its right side.
    pub(crate) fn comparisons(&self) -> &[(Comparison, PackedValue)] {
        &self.compared.comparisons
    }

    /// Whether all that is wanted of variables outside the type holds, now and forever.
    #[inline]
    pub fn outside_holds(&self) -> bool {
        self.outside.iter().all(|fact| fact.holds)
            && (!self.has_amounts || self.outside_ranges_hold())
    }

    #[inline(never)]
    fn outside_ranges_hold(&self) -> bool {
        self.outside_ranges.iter().all(|range| range.holds) && !self.is_contradictory
    }

    /// Whether it takes an engine that counts: an action that is there does, or what is wanted is
    /// a set of values.
    pub fn counts(&self, npc: &NpcTables) -> bool {
        !self.goal_ranges.is_empty() || (npc.has_amounts() && self.counting_action(npc).is_some())
    }

    /// The actions that would be there with other answers to the checks.
    pub(crate) fn enabled_with(&self, npc: &NpcTables, checks: &Checks, into: &mut ActionMask) {
        into.fill_enabled(npc, checks, &self.forbidden);
        self.leave_out_standing_of(npc, into);
    }

    /// The first action that is there and counts.
    pub fn counting_action(&self, npc: &NpcTables) -> Option<LocalAction> {
        npc.local_actions().find(|&action| self.enabled.has(action) && npc.counts(action))
    }
}

/// The values that a comparison allows while its right side has this value.
pub(crate) fn compared(it: &Comparison, other: PackedValue, n_values: PackedValue) -> ValueSet {
    let (Some(top), true) = (n_values.checked_sub(1), other != UNKNOWN) else {
        return ValueSet::EMPTY;
    };
    // Every relation is the same on either side of the value that the two would share.
    let same = i64::from(other).saturating_add(it.offset);
    let run = |first: i64, last: i64| {
        let (first, last) = (first.max(0), last.min(i64::from(top)));
        let holds = first <= last && it.holds(first as PackedValue, other);
        holds.then_some((first as PackedValue, last as PackedValue))
    };
    let runs =
        [run(0, same.saturating_sub(1)), run(same, same), run(same.saturating_add(1), i64::MAX)];
    ValueSet::of_runs(runs.into_iter().flatten()).unwrap_or(ValueSet::EMPTY)
}
