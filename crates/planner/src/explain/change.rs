//! One thing that could be changed, and the question after the change.
//!
//! In:   a question.
//! Out:  all single changes of it; for each the changed question and a place (`words`: a sentence).
//! Cost: linear in the domain to list them; applying one costs a problem, or a compiled NPC type.
//!
//! Of an amount there is one change, whatever its range: that it starts with another value. Which
//! values help is found by planning (`nearest_value`).

mod words;

use super::asked::Asked;
use crate::absence::{all_asked, asks};
use crate::context::is_enabled;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use std::borrow::Cow;
use throng_domain::Location;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{LocalAction, PackedValue, Variation};
use throng_domain::model::{Action, ActionId, CheckId, Comparison, Fact, Range, VariableId};

/// Of an amount that nobody counts and that has more values than so many, only those are tried
/// that something speaks of, and one beside.
const MOST_VALUES: usize = 64;

/// A single change. The order is the order among equally good ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// A variable starts with another value.
    Value(Fact),
    /// An amount starts with another value: any of these, or as long as they are not known, none.
    Amount(Range),
    /// A context check is answered otherwise.
    Check {
        /// The check.
        check: CheckId,
        /// The answer after the change.
        holds: bool,
    },
    /// The caller no longer forbids an action.
    Allow(ActionId),
    /// One action no longer overrides another.
    DropOverride {
        /// Who overrides.
        by: ActionId,
        /// Who is overridden.
        action: ActionId,
    },
    /// The NPC type can do one more action of the domain.
    Grant(ActionId),
    /// An action no longer needs something, be it done by itself or as a part of a compound. Of a
    /// compound: none of its parts needs it at the outset.
    DropNeed {
        /// The action.
        action: ActionId,
        /// What it needs.
        need: Fact,
    },
    /// An action no longer asks for certain values of a variable.
    DropRange {
        /// The action.
        action: ActionId,
        /// The variable.
        variable: VariableId,
    },
    /// An action asks for less of an amount.
    Loosen {
        /// The action.
        action: ActionId,
        /// What it asks for instead.
        range: Range,
    },
    /// An action no longer compares two amounts.
    DropComparison {
        /// The action.
        action: ActionId,
        /// How it compares them.
        comparison: Comparison,
    },
}

impl Change {
    /// All single changes that can make a difference to a question, in order.
    pub fn all(asked: &Asked<'_>) -> Vec<Change> {
        let mut changes = values(asked);
        let flip = |check| Change::Check { check, holds: !asked.checks.holds(check) };
        changes.extend(all_asked(asked.kind()).into_iter().map(flip));
        let kind = asked.kind();
        let own = || kind.local_actions();
        let id = |action: LocalAction| kind.actions()[action.index()];
        let forbidden = own().filter(|&action| asked.forbidden.has(action));
        changes.extend(forbidden.map(|action| Change::Allow(id(action))));
        let is_enabled = |action| is_enabled(kind, asked.checks, asked.forbidden, action);
        for by in own().filter(|&by| is_enabled(by)) {
            let overridden = kind.overrides(by).iter().filter(|&&action| is_enabled(action));
            let drop = |&action| Change::DropOverride { by: id(by), action: id(action) };
            changes.extend(overridden.map(drop));
        }
        let foreign = asked.all_actions().filter(|&action| kind.local_action(action).is_none());
        changes.extend(foreign.map(Change::Grant));
        for action in own().map(id).chain(parts_of_several(asked)) {
            let needs = asked.model.actions()[action.index()].requires().iter();
            changes.extend(needs.map(|&need| Change::DropNeed { action, need }));
        }
        for action in own().map(id).chain(parts_of_several(asked)) {
            changes.extend(looser(&asked.model.actions()[action.index()], action, asked));
        }
        changes
    }

    /// What is tried: the change without what is found by trying. Two that are one in this are not
    /// told beside each other as different tries.
    pub fn tried(self) -> Change {
        match self {
            Change::Amount(range) => Change::Amount(Range { values: ValueSet::EMPTY, ..range }),
            Change::Loosen { action, range } => {
                Change::DropRange { action, variable: range.variable }
            }
            other => other,
        }
    }

    /// Whether both change the same thing, by however much.
    pub fn is_like(self, other: Change, asked: &Asked<'_>) -> bool {
        match (self, other) {
            (Change::Amount(one), Change::Amount(other)) => one.variable == other.variable,
            (Change::Loosen { range, .. }, Change::Loosen { range: others, .. }) => {
                let lower = |range: Range| match self.asked_before(asked) {
                    Some(before) => {
                        range.values.ends().map(|it| it.0) != before.ends().map(|it| it.0)
                    }
                    None => false,
                };
                self.tried() == other.tried() && lower(range) == lower(others)
            }
            _ => self == other,
        }
    }

    /// Of two that start an amount with other values: any value of both where each names several,
    /// else the nearest one. `None` of all other changes.
    pub fn joined(self, other: Change, asked: &Asked<'_>) -> Option<Change> {
        let (Change::Amount(one), Change::Amount(other)) = (self, other) else { return None };
        if one == other {
            return Some(self);
        }
        let are_several = one.values.only().is_none() && other.values.only().is_none();
        let both = one.values.either(&other.values).filter(|_| are_several);
        let values = both.or_else(|| {
            let near = [one, other].map(|range| nearest(asked, range).map(ValueSet::one));
            let near = near.into_iter().flatten();
            near.min_by_key(|&values| Change::Amount(Range { values, ..one }).extent(asked))
        })?;
        Some(Change::Amount(Range { values, ..one }))
    }

    /// The same as a change of an amount, if it starts a variable with another value.
    pub fn as_amount(self) -> Change {
        match self {
            Change::Value(fact) => Change::Amount(Range::from(fact)),
            other => other,
        }
    }

    /// How much it changes, for those that are alike: how far an amount is from what it is now, and
    /// the lower one of two; how many values an action takes.
    pub fn extent(self, asked: &Asked<'_>) -> (u16, u16) {
        match self {
            Change::Amount(range) => match (nearest(asked, range), asked.now(range.variable)) {
                (Some(to), Some(now)) => (to.abs_diff(now), to),
                (Some(to), None) => (to, to),
                (None, _) => (u16::MAX, u16::MAX),
            },
            Change::Loosen { range, .. } => {
                (u16::try_from(range.values.count()).unwrap_or(u16::MAX), 0)
            }
            _ => (0, 0),
        }
    }

    /// What an action asks for that would ask for less.
    fn asked_before(self, asked: &Asked<'_>) -> Option<ValueSet> {
        let Change::Loosen { action, range } = self else { return None };
        let ranges = asked.model.actions()[action.index()].ranges().iter();
        let own = ranges.into_iter().find(|own| own.variable == range.variable)?;
        Some(own.values)
    }

    /// The question after the change; of several values, with the one nearest to what it is now.
    pub fn apply<'q>(self, asked: &Asked<'q>) -> (Cow<'q, PreparedDomain>, Problem) {
        let varied = |variation| {
            let (domain, problem) = asked.varied(variation);
            (Cow::Owned(domain), problem)
        };
        let from = |variable: VariableId, value: PackedValue| {
            let mut values = asked.values.to_vec();
            values[variable.index()] = value;
            (Cow::Borrowed(asked.domain), Asked { values: &values, ..*asked }.problem())
        };
        match self {
            Change::Value(fact) => from(fact.variable, fact.value.index() as PackedValue),
            Change::Amount(range) => match nearest(asked, range) {
                Some(value) => from(range.variable, value),
                None => (Cow::Borrowed(asked.domain), asked.problem()),
            },
            Change::Check { check, holds } => {
                let mut checks = asked.checks.clone();
                checks.set(check, holds);
                (Cow::Borrowed(asked.domain), Asked { checks: &checks, ..*asked }.problem())
            }
            Change::Allow(action) => {
                let mut forbidden = asked.forbidden.clone();
                if let Some(action) = asked.kind().local_action(action) {
                    forbidden.set(action, false);
                }
                (Cow::Borrowed(asked.domain), Asked { forbidden: &forbidden, ..*asked }.problem())
            }
            Change::DropOverride { by, action } => varied(Variation::DropOverride(by, action)),
            Change::Grant(action) => varied(Variation::Grant(action)),
            Change::DropNeed { action, need } => varied(Variation::DropNeed(action, need)),
            Change::DropRange { action, variable } => {
                varied(Variation::DropRange(action, variable))
            }
            Change::Loosen { action, range } => varied(Variation::SetRange(action, range)),
            Change::DropComparison { action, comparison } => {
                varied(Variation::DropComparison(action, comparison))
            }
        }
    }

    /// Of an amount: what it is, and the nearest value that it would have to be, by position.
    pub fn values(self, asked: &Asked<'_>) -> Option<(Option<PackedValue>, Option<PackedValue>)> {
        match self {
            Change::Amount(range) => Some((asked.now(range.variable), nearest(asked, range))),
            _ => None,
        }
    }

    /// A stable word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Change::Value(_) => "value",
            Change::Amount(_) => "amount",
            Change::Check { .. } => "check",
            Change::Allow(_) => "allow",
            Change::DropOverride { .. } => "drop_override",
            Change::Grant(_) => "grant",
            Change::DropNeed { .. } | Change::DropRange { .. } | Change::DropComparison { .. } => {
                "drop_need"
            }
            Change::Loosen { .. } => "loosen_need",
        }
    }

    /// Where the text would be changed: the action or the NPC type, or what the change is about.
    pub fn place(self, asked: &Asked<'_>) -> Location {
        let map = asked.domain.map();
        match self {
            Change::Value(Fact { variable, .. }) | Change::Amount(Range { variable, .. }) => {
                let starts = asked.kind().starts().iter();
                let given = starts.filter(|start| start.variable == variable);
                // A value that the caller said is not mended in the text.
                match given.filter(|&&start| asked.holds(start)).count() {
                    0 => map.variable_place(variable),
                    _ => map.npc_place(asked.npc),
                }
            }
            Change::Check { check, .. } => {
                let kind = asked.kind();
                let asks = |&action: &LocalAction| asks(kind, action).any(|asked| asked == check);
                let user = kind.local_actions().find(asks);
                let id = user.map(|action| kind.actions()[action.index()]);
                id.map_or_else(Location::default, |action| map.action_place(action))
            }
            Change::Allow(action)
            | Change::DropNeed { action, .. }
            | Change::DropRange { action, .. }
            | Change::Loosen { action, .. }
            | Change::DropComparison { action, .. } => map.action_place(action),
            Change::DropOverride { by, .. } => map.action_place(by),
            Change::Grant(_) => map.npc_place(asked.npc),
        }
    }
}

/// Of some values the one nearest to what a variable has now; of two the lower. If that is unknown,
/// the least.
pub(super) fn nearest(asked: &Asked<'_>, range: Range) -> Option<PackedValue> {
    let Some(now) = asked.now(range.variable) else {
        return range.values.ends().map(|ends| ends.0);
    };
    let near = |&(first, last): &(PackedValue, PackedValue)| now.clamp(first, last);
    let values = range.values.runs().iter().map(near);
    values.min_by_key(|value| (value.abs_diff(now), *value))
}

/// What an action asks of sets of values beyond what its shifts need.
fn looser<'q>(
    action: &'q Action,
    id: ActionId,
    asked: &Asked<'q>,
) -> impl Iterator<Item = Change> + use<'q> {
    let map = asked.domain.map();
    let ranges = action.ranges().iter().filter(|range| {
        let shift = action.shifts().iter().find(|shift| shift.variable == range.variable);
        let n_values = map.n_values(range.variable) as PackedValue;
        shift.is_none_or(|shift| shift.by.domain(n_values) != range.values)
    });
    let ranges =
        ranges.map(move |range| Change::DropRange { action: id, variable: range.variable });
    // A comparison of a part is one of its compound.
    let own = asked.kind().local_action(id).map_or(&[][..], |_| action.comparisons());
    let compared =
        own.iter().map(move |&comparison| Change::DropComparison { action: id, comparison });
    ranges.chain(compared)
}

/// Actions that the type does only as parts of its compounds, of more than one: a need that such
/// a part loses, all of them lose. What only one compound has is a need of that compound.
fn parts_of_several(asked: &Asked<'_>) -> Vec<ActionId> {
    let mut parts = Vec::new();
    for id in asked.kind().actions() {
        let mut of_one = asked.model.actions()[id.index()].parts().to_vec();
        of_one.sort_unstable();
        of_one.dedup();
        parts.extend(of_one);
    }
    parts.sort_unstable();
    let several = parts.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
    let foreign = |part: &ActionId| asked.kind().local_action(*part).is_none();
    several.map(|same| same[0]).filter(foreign).collect()
}

/// The compounds of the type that an action is a part of.
pub(super) fn compounds_with<'q>(
    asked: &Asked<'q>,
    part: ActionId,
) -> impl Iterator<Item = ActionId> + use<'q> {
    let (kind, model) = (asked.kind(), asked.model);
    let own = kind.actions().iter().copied();
    own.filter(move |id| model.actions()[id.index()].parts().contains(&part))
}

/// Other start values: any of a variable that the type touches, the wanted ones of the others. What
/// is counted is one change.
fn values(asked: &Asked<'_>) -> Vec<Change> {
    let kind = asked.kind();
    let counted = counted(asked);
    let amount = |variable| Change::Amount(Range { variable, values: ValueSet::EMPTY });
    let mut all: Vec<Change> = Vec::new();
    for (local, &variable) in kind.local_variables().zip(kind.variables()) {
        if counted.contains(&variable) {
            all.push(amount(variable));
            continue;
        }
        let facts = kind.facts_of(local).map(|fact| kind.fact(fact));
        let is_wide = kind.n_values(local) > MOST_VALUES;
        if is_wide && asked.domain.map().amount(variable).is_some() {
            let spoken = spoken_of(asked, variable);
            let (named, others): (Vec<Fact>, Vec<Fact>) =
                facts.partition(|fact| spoken.contains(&(fact.value.index() as PackedValue)));
            let other = others.into_iter().find(|&other| !asked.holds(other));
            all.extend(named.into_iter().chain(other).map(Change::Value));
        } else {
            all.extend(facts.map(Change::Value));
        }
    }
    let is_outside = |variable: VariableId| kind.local_variable(variable).is_none();
    let facts = asked.goal.facts.iter().filter(|fact| is_outside(fact.variable));
    all.extend(facts.map(|&fact| Change::Value(fact)));
    all.extend(counted.iter().copied().filter(|&variable| is_outside(variable)).map(amount));
    all.retain(|change| !matches!(change, Change::Value(fact) if asked.holds(*fact)));
    all.sort_unstable();
    all.dedup();
    all
}

/// The amounts of which a set of values is asked for, or that something moves; in order.
fn counted(asked: &Asked<'_>) -> Vec<VariableId> {
    let (kind, map) = (asked.kind(), asked.domain.map());
    let mut counted: Vec<VariableId> = Vec::new();
    for action in kind.local_actions().filter(|_| kind.has_amounts()) {
        let shifts = kind.shifts(action).iter().map(|shift| shift.variable);
        let ranges = kind.ranges(action).iter().map(|range| range.variable);
        let both = kind.comparisons(action).iter().flat_map(|it| [it.variable, it.other]);
        let all = shifts.chain(ranges).chain(both);
        counted.extend(all.map(|variable| kind.variables()[variable.index()]));
    }
    counted.extend(asked.goal.ranges.iter().map(|range| range.variable));
    counted.extend(asked.goal.comparisons.iter().flat_map(|it| [it.variable, it.other]));
    counted.sort_unstable();
    counted.dedup();
    counted.retain(|&variable| map.amount(variable).is_some());
    counted
}

/// The values of a variable that the type or the goal names.
fn spoken_of(asked: &Asked<'_>, variable: VariableId) -> Vec<PackedValue> {
    let kind = asked.kind();
    let own =
        kind.local_actions().flat_map(|action| kind.needs(action).iter().chain(kind.sets(action)));
    let own = own.map(|&fact| kind.fact(fact)).chain(asked.goal.facts.iter().copied());
    let own = own.filter(|fact| fact.variable == variable);
    own.map(|fact| fact.value.index() as PackedValue).collect()
}
