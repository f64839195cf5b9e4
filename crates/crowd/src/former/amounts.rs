//! What a saved crowd says of amounts: ranges of variables, and what actions and goals count.
//!
//! In:   a former crowd; or bytes, not to be trusted.
//! Out:  a section behind the bytes of a crowd, since version 2 of its format; nothing but three
//!       zeros where nothing counts.
//! Cost: one pass over what counts.
//!
//! Of a variable of the type values are positions, as everywhere in a former crowd; what goals speak
//! of may be outside the type, so they use names and numbers.

use super::{Former, FormerVariable};
use throng_base::codec::{Decode, DecodeError, Decoder, Encode, Encoder};
use throng_base::codec_struct;
use throng_domain::Relation;
use throng_domain::amounts::{ShiftEnd, ValueSet};
use throng_domain::compile::{FormerValues, LocalAction, NpcTables, PackedValue, SourceMap};
use throng_domain::model::{Comparison, Fact, Range, ValueId, Wants};

/// How amounts can be compared, by the number in bytes.
const RELATIONS: [Relation; 6] = [
    Relation::Is,
    Relation::IsNot,
    Relation::Less,
    Relation::AtMost,
    Relation::More,
    Relation::AtLeast,
];

/// The number of a relation in bytes.
pub(crate) fn number_of(relation: Relation) -> u8 {
    RELATIONS.iter().position(|&it| it == relation).unwrap_or(0) as u8
}

/// First and last values of runs.
type Runs = Vec<(PackedValue, PackedValue)>;

/// What an action of the type counts, by variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ActionAmounts {
    pub(crate) ranges: Vec<(u32, Runs)>,
    /// The variable, how it is compared, the other one.
    pub(crate) comparisons: Vec<(u32, u8, u32)>,
    /// By how much, and where it stops if it does.
    pub(crate) shifts: Vec<(u32, i32, Option<PackedValue>)>,
}

codec_struct!(ActionAmounts { ranges, comparisons, shifts });

impl ActionAmounts {
    pub(super) fn of(npc: &NpcTables, action: LocalAction) -> ActionAmounts {
        let stop = |end: ShiftEnd| match end {
            ShiftEnd::Refuse => None,
            ShiftEnd::Stop(at) => Some(at),
        };
        ActionAmounts {
            ranges: npc
                .ranges(action)
                .iter()
                .map(|it| (it.variable.0, it.values.runs().to_vec()))
                .collect(),
            comparisons: npc
                .comparisons(action)
                .iter()
                .map(|it| (it.variable.0, number_of(it.comparison.relation), it.other.0))
                .collect(),
            shifts: npc
                .shifts(action)
                .iter()
                .map(|it| (it.variable.0, it.by.by, stop(it.by.end)))
                .collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.comparisons.is_empty() && self.shifts.is_empty()
    }
}

/// Values that a goal allows a variable, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerRange {
    pub(crate) variable: String,
    /// Of words.
    pub(crate) words: Vec<String>,
    /// Of an amount: first and last numbers of runs, and the ends of its range.
    pub(crate) numbers: Vec<(i64, i64)>,
    pub(crate) ends: Option<(i64, i64)>,
}

codec_struct!(FormerRange { variable, words, numbers, ends });

impl FormerRange {
    fn of(range: &Range, map: &SourceMap) -> FormerRange {
        let ends = map.amount(range.variable);
        let runs = range.values.runs().iter();
        let number = |low: i64, at: PackedValue| low + i64::from(at);
        let numbers = ends.map(|(low, _)| {
            runs.map(|&(first, last)| (number(low, first), number(low, last))).collect()
        });
        let word = |value: PackedValue| {
            let value = ValueId::at(value.into());
            map.value(Fact { variable: range.variable, value }).to_string()
        };
        FormerRange {
            variable: map.variable(range.variable).to_string(),
            words: match ends {
                Some(_) => Vec::new(),
                None => range.values.values().map(word).collect(),
            },
            numbers: numbers.unwrap_or_default(),
            ends,
        }
    }

    /// The same now; `None` if the variable is gone, or nothing is left of it. What reached to an
    /// end of the range reaches to where that is now.
    fn now(&self, map: &SourceMap) -> Option<Range> {
        let variable = map.find_variable(&self.variable)?;
        let Some(((low, high), was)) = map.amount(variable).zip(self.ends) else {
            return self.words_now(map);
        };
        let run = |&(first, last): &(i64, i64)| {
            let first = if first == was.0 { low } else { first.max(low) };
            let last = if last == was.1 { high } else { last.min(high) };
            (first <= last).then(|| ((first - low) as PackedValue, (last - low) as PackedValue))
        };
        let values = ValueSet::of_runs(self.numbers.iter().filter_map(run))?;
        (!values.is_empty()).then_some(Range { variable, values })
    }

    fn words_now(&self, map: &SourceMap) -> Option<Range> {
        let variable = map.find_variable(&self.variable)?;
        let found = self.words.iter().map(|word| map.find_value(variable, word));
        let mut found: Vec<usize> =
            found.map(|value| value.map(ValueId::index)).collect::<Option<_>>()?;
        found.sort_unstable();
        let values = ValueSet::of(found.into_iter().map(|at| at as PackedValue))?;
        (!values.is_empty()).then_some(Range { variable, values })
    }
}

/// What a goal counts, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GoalAmounts {
    pub(crate) ranges: Vec<FormerRange>,
    /// The variable, how it is compared, the other one.
    pub(crate) comparisons: Vec<(String, u8, String)>,
}

codec_struct!(GoalAmounts { ranges, comparisons });

impl GoalAmounts {
    pub(super) fn of(wants: &Wants, map: &SourceMap) -> GoalAmounts {
        let name = |it: &Comparison| {
            let [one, other] = [it.variable, it.other].map(|id| map.variable(id).to_string());
            (one, number_of(it.relation), other)
        };
        GoalAmounts {
            ranges: wants.ranges.iter().map(|range| FormerRange::of(range, map)).collect(),
            comparisons: wants.comparisons.iter().map(name).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.comparisons.is_empty()
    }

    /// The variables that it speaks of.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let ranges = self.ranges.iter().map(|range| range.variable.as_str());
        let both = self.comparisons.iter().flat_map(|(one, _, other)| [one.as_str(), other]);
        ranges.chain(both)
    }

    /// Adds the same of now to what else a goal wants; `None` if something is gone.
    pub(crate) fn add_to(&self, wants: &mut Wants, map: &SourceMap) -> Option<()> {
        for range in &self.ranges {
            let now = range.now(map)?;
            match now.values.only() {
                Some(only) => wants
                    .facts
                    .push(Fact { variable: now.variable, value: ValueId::at(only.into()) }),
                None => wants.ranges.push(now),
            }
        }
        for (one, relation, other) in &self.comparisons {
            let (variable, other) = (map.find_variable(one)?, map.find_variable(other)?);
            let (low, other_low) = (map.amount(variable)?.0, map.amount(other)?.0);
            let relation = *RELATIONS.get(usize::from(*relation))?;
            let offset = other_low.checked_sub(low)?;
            wants.comparisons.push(Comparison { variable, relation, other, offset });
        }
        Some(())
    }
}

/// All that a former crowd says of amounts, by position of what it is said of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FormerAmounts {
    variables: Vec<(u32, i64, i64)>,
    actions: Vec<(u32, ActionAmounts)>,
    goals: Vec<(u32, GoalAmounts)>,
}

codec_struct!(FormerAmounts { variables, actions, goals });

impl Former {
    /// What it says of amounts, to be written behind the rest.
    pub(crate) fn amounts(&self) -> FormerAmounts {
        let variables = self.variables.iter().zip(0..);
        let actions = self.actions.iter().zip(0..).filter(|(action, _)| !action.amounts.is_empty());
        let goals = self.goals.iter().zip(0..).filter(|(goal, _)| !goal.amounts.is_empty());
        FormerAmounts {
            variables: variables
                .filter_map(|(it, at)| it.values.ends().map(|(low, high)| (at, low, high)))
                .collect(),
            actions: actions.map(|(action, at)| (at, action.amounts.clone())).collect(),
            goals: goals.map(|(goal, at)| (at, goal.amounts.clone())).collect(),
        }
    }

    /// Takes what was written behind the rest; `false` if it speaks of what is not there.
    #[must_use]
    pub(crate) fn take_amounts(&mut self, amounts: FormerAmounts) -> bool {
        for (at, low, high) in amounts.variables {
            let place = self.variables.get_mut(at as usize);
            let (Some(it), Some(range)) = (place, FormerValues::range(low, high)) else {
                return false;
            };
            it.values = range;
        }
        let n_variables = self.variables.len();
        let is_there = |at: &u32| (*at as usize) < n_variables;
        for (at, amounts) in amounts.actions {
            let ActionAmounts { ranges, comparisons, shifts } = &amounts;
            let fits = ranges.iter().all(|(at, _)| is_there(at))
                && comparisons.iter().all(|(at, _, other)| is_there(at) && is_there(other))
                && shifts.iter().all(|(at, ..)| is_there(at));
            let Some(action) = self.actions.get_mut(at as usize).filter(|_| fits) else {
                return false;
            };
            action.amounts = amounts;
        }
        for (at, amounts) in amounts.goals {
            let Some(goal) = self.goals.get_mut(at as usize) else { return false };
            goal.amounts = amounts;
        }
        true
    }
}

// The values of an amount are two numbers in the section of amounts, and none here.

impl Encode for FormerVariable {
    fn encode(&self, to: &mut Encoder) {
        let words: &[String] = match &self.values {
            FormerValues::Words(words) => words,
            FormerValues::Range { .. } => &[],
        };
        to.write(&self.name).write(&self.is_shared).write(words);
    }
}

impl Decode for FormerVariable {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let (name, is_shared) = (from.read()?, from.read()?);
        let words: Vec<String> = from.read()?;
        Ok(FormerVariable { name, is_shared, values: FormerValues::Words(words.into()) })
    }
}
