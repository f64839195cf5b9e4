//! Which actions can be in a plan at all, and what keeps the others out of every plan.
//!
//! In:   an NPC type, what the game may change about it, limits.
//! Out:  for every action a [`Usage`]: a goal whose plans have it, or why no plan ever has it, or
//!       that this is not decided and why.
//! Cost: every state that can be reached, once for each set of actions that can be there, each
//!       goal and each set of prices; all counted against [`UsableLimits`] by one `meter`.
//!
//! A plan is a cheapest plan from a state that can be reached from the type's `starts` (a variable
//! that these leave open has any value, or none that is known) to one of its goals, with the
//! actions that some answer to the context checks leaves there. An action is in such a plan if
//! and only if it is the first step of one: what a plan passes through can be reached as well.
//! So the distances of all states to a goal decide: an action is used where its price and the
//! distance behind it are the distance before it. Goals that serve one name are one goal: it is
//! reached where any of them holds.
//!
//! Where there are too many states, each goal is looked at with those alone that differ in something
//! that matters to it. Where these are too many as well, proofs that need none are left: what can never become true
//! even if nothing were lost, what no goal asks for, a cheaper twin, and where amounts are counted
//! the lists of all that leads to a goal; and plans that are found.

mod contexts;
mod distances;
mod lists;
mod matters;
mod meter;
mod proofs;
mod samples;
mod space;
mod usage;

pub use usage::Usage;

use crate::asks::as_range;
use crate::prepared::PreparedDomain;
use crate::problem::compared;
use contexts::{Contexts, Prices};
use distances::Tally;
use matters::Matters;
use meter::Meter;
use space::Space;
use std::collections::HashMap;
use throng_domain::compile::{
    LocalAction, LocalComparison, LocalFact, LocalRange, LocalVariable, NpcTables, PackedValue,
};
use throng_domain::model::{
    ActionId, Comparison, Conditions, Fact, GoalId, NpcTypeId, Range, VariableId,
};

/// What the game may change about an NPC type, whatever the domain says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Variables that have any value at any time, also if `starts` names one.
    pub open: Vec<VariableId>,
    /// Actions that are not there at times, all of a list together: not learnt yet.
    pub lacking: Vec<Vec<ActionId>>,
    /// Actions with prices of their own, in thousandths; an empty list: any price.
    pub prices: Vec<(ActionId, Vec<u64>)>,
}

/// How much work the answer may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsableLimits {
    /// States of one type that are looked at to know all of them; where these are too few, plans
    /// are looked for among as many again, or some thousand.
    pub states: usize,
    /// Looks at an action in a state, at a step between states, at a set of actions: everything
    /// that takes time, in one sum.
    pub work: u64,
}

impl UsableLimits {
    /// Some seconds at the very most.
    pub const DEFAULT: UsableLimits = UsableLimits { states: 200_000, work: 1_000_000_000 };

    /// The sum of work at which a part of the answer must be done, in eighths of all: who comes
    /// late finds something left.
    fn until(&self, eighths: u64) -> u64 {
        self.work / 8 * eighths
    }
}

/// Why something is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// More states than allowed can be reached.
    TooManyStates,
    /// More sets of actions than can be tried may be there.
    TooManyContexts,
    /// The limit of work was hit.
    TooMuchWork,
    /// Prices are told by the game, and not all of them were tried.
    Prices,
    /// The watcher said stop.
    Stopped,
}

/// What can be in plans of one NPC type.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Usable {
    /// Whose.
    pub npc: NpcTypeId,
    /// By action of the type, in declared order.
    pub uses: Vec<(ActionId, Usage)>,
    /// How many states can be reached; `None`: more than allowed.
    pub states: Option<usize>,
    /// Where these are too many: how many there are at most that differ in something that matters to
    /// one goal; `None`: of some goal these are too many as well.
    pub states_of_a_goal: Option<usize>,
    /// How many different sets of actions can be there; those that were tried, if not all.
    pub contexts: usize,
}

/// A goal of a type as its wishes are written: any of its alternatives will do.
struct GoalGroup {
    /// The first of them, which stands for all.
    goal: GoalId,
    alternatives: Vec<LocalWants>,
}

/// What a goal wants, in the type's own numbers.
struct LocalWants {
    facts: Vec<LocalFact>,
    ranges: Vec<LocalRange>,
    comparisons: Vec<LocalComparison>,
}

impl LocalWants {
    fn new(kind: &NpcTables, wants: Conditions<'_>) -> LocalWants {
        let at = |id| kind.local_variable(id);
        let fact = |fact: &Fact| {
            Some(LocalFact {
                variable: at(fact.variable)?,
                value: fact.value.index() as PackedValue,
            })
        };
        let range = |range: &Range| {
            Some(LocalRange { variable: at(range.variable)?, values: range.values })
        };
        let comparison = |it: &Comparison| {
            let (variable, other) = (at(it.variable)?, at(it.other)?);
            Some(LocalComparison { variable, other, comparison: *it })
        };
        LocalWants {
            facts: wants.facts.iter().filter_map(fact).collect(),
            ranges: wants.ranges.iter().filter_map(range).collect(),
            comparisons: wants.comparisons.iter().filter_map(comparison).collect(),
        }
    }

    fn hold(&self, state: &[PackedValue]) -> bool {
        self.facts.iter().all(|want| state[want.variable.index()] == want.value)
            && self.ranges.iter().all(|want| want.values.has(state[want.variable.index()]))
            && self.comparisons.iter().all(|want| want.holds(state))
    }

    /// The same as sets of values, as what stands still is at a start.
    fn from(&self, kind: &NpcTables, start: &[PackedValue]) -> Vec<LocalRange> {
        let facts = self.facts.iter().map(|&fact| as_range(fact));
        let compared = self.comparisons.iter().map(|it| {
            let n_values = kind.n_values(it.variable) as PackedValue;
            let values = compared(&it.comparison, start[it.other.index()], n_values);
            LocalRange { variable: it.variable, values }
        });
        facts.chain(self.ranges.iter().copied()).chain(compared).collect()
    }

    /// The variables of which one of several values is wanted.
    fn counted(&self) -> impl Iterator<Item = LocalVariable> {
        let ranges = self.ranges.iter().map(|range| range.variable);
        ranges.chain(self.comparisons.iter().map(|it| it.variable))
    }
}

/// The wishes of a type, in declared order.
fn goal_groups(domain: &PreparedDomain, kind: &NpcTables) -> Vec<GoalGroup> {
    let mut goal_groups: Vec<GoalGroup> = Vec::new();
    let mut known: HashMap<GoalId, usize> = HashMap::new();
    for &goal in kind.goals() {
        let wants = LocalWants::new(kind, domain.goal(goal).conditions());
        let group = domain.goal(goal).group().unwrap_or(goal);
        let at = *known.entry(group).or_insert(goal_groups.len());
        match goal_groups.get_mut(at) {
            Some(wish) => wish.alternatives.push(wants),
            None => goal_groups.push(GoalGroup { goal, alternatives: vec![wants] }),
        }
    }
    goal_groups
}

/// Says of every action of a type whether it can be in a plan. `watch` is told now and then how
/// much work was done, and stops it by saying `true`.
pub fn usable(
    domain: &PreparedDomain,
    npc: NpcTypeId,
    given: &Circumstances,
    limits: &UsableLimits,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Usable {
    let kind = domain.npc(npc);
    let goal_groups = goal_groups(domain, kind);
    let mut meter = Meter::new(watch);
    meter.limit = limits.until(1);
    let contexts = Contexts::of(domain, kind, given, &mut meter);
    let prices = contexts::prices(kind, given);
    meter.limit = limits.until(3);
    let all = Matters::all(kind, &contexts.ever);
    let space = Space::explore(kind, given, &all, limits.states, &mut meter);
    let mut tally = Tally::new(kind);
    let mut states_of_a_goal = None;
    let open = match &space {
        Ok(space) => {
            meter.limit = limits.until(7);
            tally.note_ready(space);
            tally.measure(&goal_groups, space, &contexts, &prices, &mut meter).err()
        }
        Err(why) => {
            meter.limit = limits.until(5);
            let by_goal = ByGoal { kind, given, contexts: &contexts, prices: &prices };
            match by_goal.measure(&goal_groups, limits.states, &mut tally, &mut meter) {
                Ok(states) => states_of_a_goal = Some(states),
                Err(_) => {
                    meter.limit = limits.until(7);
                    let goal_groups = &goal_groups;
                    let asked = samples::Asked { domain, kind, goal_groups, contexts: &contexts };
                    samples::find_plans(&asked, given, limits.states, &mut tally, &mut meter);
                }
            }
            Some(*why).filter(|_| states_of_a_goal.is_none())
        }
    };
    let open = open.or((!contexts.complete).then_some(Undecided::TooManyContexts));
    meter.limit = limits.work;
    let proofs = proofs::Proofs::new(domain, kind, &goal_groups, given, &contexts, &mut meter);
    let searched = space.is_ok() || states_of_a_goal.is_some();
    let in_none = match searched {
        true => None,
        false => lists::in_none(kind, &goal_groups, given, &contexts, &prices, &mut meter),
    };
    let known = usage::Known {
        kind,
        in_none: in_none.as_deref().unwrap_or_default(),
        contexts: &contexts,
        tally: &tally,
        proofs: &proofs,
        open,
        searched,
        by_goal: states_of_a_goal.is_some(),
        prices: &prices,
    };
    let judged = |action: LocalAction| (kind.actions()[action.index()], known.judge(action));
    Usable {
        npc,
        uses: kind.local_actions().map(judged).collect(),
        states: space.as_ref().ok().map(Space::len),
        states_of_a_goal,
        contexts: contexts.masks.len(),
    }
}

/// All goals, each with the states that differ in something that matters to it.
struct ByGoal<'a> {
    kind: &'a NpcTables,
    given: &'a Circumstances,
    contexts: &'a Contexts,
    prices: &'a Prices,
}

impl ByGoal<'_> {
    /// Measures every goal; how many states one has at most, or why one cannot be measured.
    fn measure(
        &self,
        goal_groups: &[GoalGroup],
        limit: usize,
        tally: &mut Tally,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Undecided> {
        // The usual prices of all goals first: the others may take all the work that is left.
        let usual = self.prices.all.iter().take(1).cloned().collect();
        let usual = Prices { all: usual, complete: false };
        let measured = self.measure_with(&usual, goal_groups, limit, tally, meter)?;
        match self.prices.all.len() {
            0 | 1 => Ok(measured),
            _ => self.measure_with(self.prices, goal_groups, limit, tally, meter),
        }
    }

    /// The same with these prices; what can be measured is, though something cannot.
    fn measure_with(
        &self,
        prices: &Prices,
        goal_groups: &[GoalGroup],
        limit: usize,
        tally: &mut Tally,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Undecided> {
        let ByGoal { kind, given, contexts, .. } = *self;
        let mut is_asked = vec![false; kind.n_actions()];
        let (mut most, mut open) = (0, None);
        for wish in goal_groups {
            let matters = Matters::to(kind, &contexts.ever, wish);
            is_asked.iter_mut().zip(&matters.actions).for_each(|(asked, it)| *asked |= it);
            let measured = Space::explore(kind, given, &matters, limit, meter).and_then(|space| {
                tally.note_ready(&space);
                let wish = std::slice::from_ref(wish);
                tally.measure(wish, &space, contexts, prices, meter).map(|()| space.len())
            });
            match measured {
                Ok(states) => most = most.max(states),
                Err(why) => open = open.or(Some(why)),
            }
        }
        // Whether what matters to no goal can be done was not looked at.
        let unasked = tally.actions.iter_mut().zip(is_asked).filter(|(_, asked)| !asked);
        unasked.for_each(|(fared, _)| fared.ready = true);
        open.map_or(Ok(most), Err)
    }
}
