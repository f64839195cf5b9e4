//! What is asked of amounts, and how they move, in the one form that models have it in.
//!
//! In:   facts, sets of values, comparisons and shifts as readers found them.
//! Out:  of each variable one fact or one set, one value set or one shift. A set holds what a
//!       refused shift needs, or that the value is known; a set of one value is a fact; a shift
//!       of a value that is known beforehand sets what comes out.
//! Cost: sorting; a few comparisons per condition.

use super::declare::{Clash, one_value_each};
use super::{ModelBuilder, Word};
use crate::amounts::{MOST_RUNS, ShiftBy, ShiftEnd, ValueSet};
use crate::diagnostics::Code;
use crate::model::*;
use crate::source::Span;
use crate::token::Relation;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most runs of numbers that conditions may leave of an amount.
pub(super) const MOST_PARTS: usize = 4;

/// Shifts by more are alike: no range is as wide.
const FARTHEST: i64 = 1_000_000;

/// Who compares two amounts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comparer {
    Action(ActionId),
    /// Any goal: anybody may be asked for it.
    Goal,
    Test(NpcTypeId),
}

/// What must hold and what changes, before it is brought into form.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) requires: Vec<(Fact, Span)>,
    pub(super) ranges: Vec<(Range, Span)>,
    pub(super) comparisons: Vec<(Comparison, Span)>,
    pub(super) sets: Vec<(Fact, Span)>,
    pub(super) shifts: Vec<(Shift, Span)>,
}

/// The same in form.
#[derive(Default)]
pub(super) struct Settled {
    /// At most one per variable, by variable; so are all others.
    pub(super) requires: Vec<(Fact, Span)>,
    pub(super) ranges: Vec<Range>,
    pub(super) comparisons: Vec<Comparison>,
    pub(super) sets: Vec<(Fact, Span)>,
    pub(super) shifts: Vec<Shift>,
}

impl Settled {
    /// How much it says.
    pub(super) fn size(&self) -> usize {
        let facts = self.requires.len() + self.sets.len();
        facts + 4 * self.ranges.len() + 2 * self.comparisons.len() + 2 * self.shifts.len()
    }
}

impl ModelBuilder {
    /// Brings conditions and changes into form; two facts of one variable are a clash of this
    /// code.
    pub(super) fn settle(&self, code: Code, mut it: Counted) -> Result<Settled, Clash> {
        one_value_each(code, &mut it.requires)?;
        one_value_each(Code::SetsTwoValues, &mut it.sets)?;
        if it.ranges.is_empty() && it.comparisons.is_empty() && it.shifts.is_empty() {
            let (requires, sets) = (it.requires, it.sets);
            return Ok(Settled { requires, sets, ..Settled::default() });
        }
        it.shifts.sort_by_key(|&(shift, span)| (shift.variable, span));
        one_change_each(&it.sets, &it.shifts)?;
        let mut left = self.sets_left(&it)?;
        self.few_parts(&left, &it.comparisons)?;
        for &(fact, span) in &it.requires {
            if let Some((set, _)) = left.remove(&fact.variable)
                && !set.has(fact.value.0 as u16)
            {
                return Err(Clash::NothingLeft { variable: fact.variable, span });
            }
        }
        let mut ranges = Vec::with_capacity(left.len());
        for (variable, (values, span)) in left {
            match values.only() {
                Some(only) => {
                    it.requires.push((Fact { variable, value: ValueId(only.into()) }, span));
                }
                None => ranges.push(Range { variable, values }),
            }
        }
        it.requires.sort_by_key(|&(fact, _)| fact.variable);
        self.can_compare(&it.requires, &ranges, &it.comparisons)?;
        let mut shifts = Vec::with_capacity(it.shifts.len());
        for (shift, span) in it.shifts.into_iter().filter(|(shift, _)| shift.by.by != 0) {
            let variable = shift.variable;
            match it.requires.binary_search_by_key(&variable, |(fact, _)| fact.variable) {
                Ok(at) => {
                    let from = it.requires[at].0.value.0 as u16;
                    let to = shift.by.apply(from, self.size(variable));
                    let value = to.ok_or(Clash::NothingLeft { variable, span })?;
                    it.sets.push((Fact { variable, value: ValueId(value.into()) }, span));
                }
                // One that is beyond its stop wherever it can be done moves nothing.
                Err(_) => {
                    let left = ranges.iter().find(|range: &&Range| range.variable == variable);
                    if left.is_some_and(|left| shift.by.moves(&left.values)) {
                        shifts.push(shift);
                    }
                }
            }
        }
        it.sets.sort_by_key(|&(fact, _)| fact.variable);
        let mut comparisons: Vec<Comparison> = it.comparisons.iter().map(|(it, _)| *it).collect();
        comparisons.sort_unstable();
        comparisons.dedup();
        Ok(Settled { requires: it.requires, ranges, comparisons, sets: it.sets, shifts })
    }

    /// What the sets of each variable leave together, with what its shift needs.
    fn sets_left(&self, it: &Counted) -> Result<BTreeMap<VariableId, (ValueSet, Span)>, Clash> {
        let mut left: BTreeMap<VariableId, (ValueSet, Span)> = BTreeMap::new();
        let asked = it.ranges.iter().map(|&(range, span)| (range.variable, range.values, span));
        let needed = it.shifts.iter().map(|&(Shift { variable, by }, span)| {
            (variable, by.domain(self.size(variable)), span)
        });
        for (variable, values, span) in asked.chain(needed) {
            let (set, place) = left.entry(variable).or_insert((values, span));
            *set = set.both(&values).ok_or(Clash::TooManyParts { variable, span })?;
            if set.is_empty() {
                return Err(Clash::NothingLeft { variable, span: *place });
            }
            *place = span;
        }
        Ok(left)
    }

    /// Sets have few runs, so that comparisons can still cut them when a question is asked.
    fn few_parts(
        &self,
        left: &BTreeMap<VariableId, (ValueSet, Span)>,
        comparisons: &[(Comparison, Span)],
    ) -> Result<(), Clash> {
        for (&variable, &(set, span)) in left {
            let compared = comparisons.iter().filter(|(it, _)| it.variable == variable).count();
            let is_amount = self.model[variable].values.ends().is_some();
            let most = if is_amount { MOST_PARTS } else { MOST_RUNS };
            if set.runs().len() > most || set.runs().len() + compared > MOST_RUNS {
                return Err(Clash::TooManyParts { variable, span });
            }
        }
        // Of a variable that has no set, all values are one run.
        let mut alone: Vec<(VariableId, Span)> =
            comparisons.iter().map(|&(it, span)| (it.variable, span)).collect();
        alone.sort_unstable();
        match alone.chunk_by(|a, b| a.0 == b.0).find(|same| same.len() >= MOST_RUNS) {
            Some(same) => Err(Clash::TooManyParts { variable: same[0].0, span: same[0].1 }),
            None => Ok(()),
        }
    }

    /// Comparisons that no values of the two amounts meet leave nothing.
    fn can_compare(
        &self,
        facts: &[(Fact, Span)],
        ranges: &[Range],
        comparisons: &[(Comparison, Span)],
    ) -> Result<(), Clash> {
        let ends = |variable: VariableId| {
            let fact = facts.binary_search_by_key(&variable, |(fact, _)| fact.variable).ok();
            let range = ranges.binary_search_by_key(&variable, |range| range.variable).ok();
            let all = ValueSet::all(self.size(variable));
            let left = range.map_or(all, |at| ranges[at].values);
            let left = fact.map_or(left, |at| ValueSet::one(facts[at].0.value.0 as u16));
            left.ends().map(|(least, greatest)| (i64::from(least), i64::from(greatest)))
        };
        for &(it, span) in comparisons {
            let (Some(left), Some(right)) = (ends(it.variable), ends(it.other)) else { continue };
            let right = (right.0 + it.offset, right.1 + it.offset);
            let can = match it.relation {
                Relation::Is => left.0 <= right.1 && right.0 <= left.1,
                Relation::IsNot => left != right || left.0 != left.1,
                Relation::Less | Relation::AtMost => it.relation.holds(left.0, right.1),
                Relation::More | Relation::AtLeast => it.relation.holds(left.1, right.0),
            };
            if !can {
                return Err(Clash::NothingLeft { variable: it.variable, span });
            }
        }
        Ok(())
    }

    /// How many values a variable has.
    fn size(&self, variable: VariableId) -> u16 {
        self.model[variable].values.len() as u16
    }

    /// Warns of shifts that move nothing.
    pub(super) fn warn_of_idle_shifts(&mut self, name: &str, shifts: &[(Shift, Span)]) {
        for (shift, span) in shifts.iter().filter(|(shift, _)| shift.by.by == 0) {
            let variable = &self.model[shift.variable].name;
            let text = format!("`{name}` counts `{variable}` by nothing");
            let cure = "count by another number than 0, or leave it out";
            self.report.say(Code::CountsByNothing, *span, text, cure);
        }
    }

    /// That one amount stands to another in some relation; `None`, with a report, if one of them
    /// is none.
    pub(crate) fn comparison(
        &mut self,
        left: (VariableId, Span),
        relation: Relation,
        right: (VariableId, Span),
    ) -> Option<Comparison> {
        let ends = [left, right].map(|(variable, _)| self.model[variable].values.ends());
        if let [Some((low, _)), Some((other, _))] = ends {
            let (variable, other_variable, offset) = (left.0, right.0, other - low);
            return Some(Comparison { variable, relation, other: other_variable, offset });
        }
        for ((variable, span), _) in
            [left, right].into_iter().zip(ends).filter(|(_, e)| e.is_none())
        {
            self.needs_amount(variable, span, Code::ComparesWords);
        }
        None
    }

    /// The ends of a range; `None`, with a report, if it is empty or too wide.
    pub(crate) fn range(&mut self, low: i64, high: i64, span: Span) -> Option<(i64, i64)> {
        let limit = self.limits.values;
        let (code, text, cure) = if low > high {
            let turned = self.format.words(format!("{high}..{low}"), format!("[{high}, {low}]"));
            (
                Code::EmptyRange,
                format!("the range {low}..{high} is empty"),
                format!("write the smaller number first: `{turned}`"),
            )
        } else if high - low > i64::try_from(limit).unwrap_or(i64::MAX) {
            (
                Code::TooManyValues,
                format!("the range {low}..{high} is wider than {limit}"),
                "use larger steps: count in hundreds, for example".to_string(),
            )
        } else {
            return Some((low, high));
        };
        self.report.say(code, span, text, cure);
        None
    }

    /// A number as a position of an amount; `None`, with a report, if it is outside its range.
    pub(crate) fn position(
        &mut self,
        variable: VariableId,
        number: i64,
        span: Span,
    ) -> Option<u16> {
        let declared = &self.model[variable];
        let found = declared.values.position(number);
        if let (None, Some((low, high))) = (found, declared.values.ends()) {
            let nearest = number.clamp(low, high);
            let name = &declared.name;
            let (low, high) = (low.min(number), high.max(number));
            let text = format!("`{name}` is {:?}, so it is never {number}", declared.values);
            let widen = self.format.words(
                format!("`var {name}: {low}..{high}`"),
                format!("`\"range\": [{low}, {high}]`"),
            );
            let cure = format!("write `{nearest}`, the nearest, or widen the range: {widen}");
            self.report.say(Code::OutsideRange, span, text, cure);
        }
        found
    }

    /// How an amount moves; `None`, with a report, if it is none, or where it should stop is
    /// outside its range or on the other side.
    pub(crate) fn shift(
        &mut self,
        variable: (VariableId, Span),
        by: i64,
        stop: Option<(i64, Span)>,
    ) -> Option<Shift> {
        self.needs_amount(variable.0, variable.1, Code::CountsWithWords)?;
        if let Some((number, span)) = stop {
            self.position(variable.0, number, span)?;
        }
        self.shift_of(variable.0, by, stop.map(|(number, _)| number))
    }

    /// How an amount moves; `None` if where it should stop is outside its range.
    pub(crate) fn shift_of(
        &self,
        variable: VariableId,
        by: i64,
        stop: Option<i64>,
    ) -> Option<Shift> {
        let end = match stop {
            None => ShiftEnd::Refuse,
            Some(number) => ShiftEnd::Stop(self.model[variable].values.position(number)?),
        };
        let by = by.clamp(-FARTHEST, FARTHEST) as i32;
        Some(Shift { variable, by: ShiftBy { by, end } })
    }

    /// `Some` if a variable is an amount; reported if not.
    pub(crate) fn needs_amount(
        &mut self,
        variable: VariableId,
        span: Span,
        code: Code,
    ) -> Option<()> {
        let declared = &self.model[variable];
        if declared.values.ends().is_some() {
            return Some(());
        }
        let name = &declared.name;
        let text = format!("`{name}` is no amount");
        let range =
            self.format.words(format!("`var {name}: 0..100`"), "`\"range\": [0, 100]`".to_string());
        let cure = format!("give it a range of whole numbers: {range}");
        self.report.say(code, span, text, cure);
        None
    }

    /// The runs from one number to another, as a set of positions; `None`, with a report, if a
    /// number is outside the range, or there are too many.
    pub(crate) fn set_of_numbers(
        &mut self,
        variable: VariableId,
        runs: &[((i64, i64), Span)],
        whose: Word<'_>,
    ) -> Option<ValueSet> {
        let mut found = Vec::with_capacity(runs.len());
        let mut complete = true;
        for &((first, last), span) in runs {
            let ends = [first, last].map(|number| self.position(variable, number, span));
            match ends {
                [Some(first), Some(last)] if first <= last => found.push((first, last)),
                [Some(_), Some(_)] => {
                    let text = format!("the range {first}..{last} is empty");
                    let cure = format!("write the smaller number first: {last}, {first}");
                    self.report.say(Code::EmptyRange, span, text, cure);
                    complete = false;
                }
                _ => complete = false,
            }
        }
        complete.then(|| self.set_of(variable, found, whose)).flatten()
    }

    /// Runs of positions, in any order, as a set; `None`, with a report, if there are too many.
    pub(crate) fn set_of(
        &mut self,
        variable: VariableId,
        mut runs: Vec<(u16, u16)>,
        whose: Word<'_>,
    ) -> Option<ValueSet> {
        runs.sort_unstable();
        let set = ValueSet::of_runs(runs);
        if set.is_none() {
            self.report_clash(Clash::TooManyParts { variable, span: whose.span }, whose.text);
        }
        set
    }

    /// Keeps who compares what: whether that can be is judged when all types are known.
    pub(super) fn add_compared(&mut self, who: Comparer, comparisons: &[(Comparison, Span)]) {
        if !comparisons.is_empty() {
            self.compared.entry(who).or_default().extend_from_slice(comparisons);
        }
    }

    /// The right side of a comparison is known when a question is asked: nothing of the type may
    /// change it, and nobody else.
    pub(super) fn judge_comparisons(&mut self) {
        let compared = std::mem::take(&mut self.compared);
        let others: HashSet<VariableId> =
            compared.values().flatten().map(|it| it.0.other).collect();
        if others.is_empty() {
            return;
        }
        for &(it, span) in compared.values().flatten() {
            if self.model[it.other].shared {
                self.report_comparison(it, span, None);
            }
        }
        let model = self.model.clone();
        let mut changed_by_any = HashMap::new();
        for (at, npc) in model.npcs.iter().enumerate() {
            let id = NpcTypeId::at(at);
            // Of several actions that change one, the first is named.
            let mut changed = HashMap::new();
            for action in npc.can.iter().map(|&id| &model[id]) {
                for variable in action.changed().filter(|variable| others.contains(variable)) {
                    changed.entry(variable).or_insert(action);
                }
            }
            let askers = npc.can.iter().map(|&action| Comparer::Action(action));
            for asker in askers.chain([Comparer::Test(id)]) {
                for &(it, span) in compared.get(&asker).into_iter().flatten() {
                    if let Some(&action) = changed.get(&it.other) {
                        self.report_comparison(it, span, Some((npc, action)));
                    }
                }
            }
            for (variable, action) in changed {
                changed_by_any.entry(variable).or_insert((npc, action));
            }
        }
        for &(it, span) in compared.get(&Comparer::Goal).into_iter().flatten() {
            if let Some(&by) = changed_by_any.get(&it.other) {
                self.report_comparison(it, span, Some(by));
            }
        }
    }

    /// Reports a comparison; `by` is whose action changes its right side, if that is known.
    fn report_comparison(&mut self, it: Comparison, span: Span, by: Option<(&NpcType, &Action)>) {
        let [left, right] = [it.variable, it.other].map(|id| &self.model[id].name);
        let (text, who) = match by {
            None => {
                let text = format!("`{right}` is shared, so others may change it meanwhile");
                (text, "that is not shared and that nobody".to_string())
            }
            Some((NpcType { name: npc, .. }, Action { name: action, .. })) => (
                format!("`{left}` is compared with `{right}`, which `{action}` of `{npc}` changes"),
                format!("that no action of `{npc}`"),
            ),
        };
        let cure = format!("compare with a number, or with an amount {who} changes");
        self.report.say(Code::ComparedAmountChanges, span, text, cure);
    }
}

/// A variable is set or shifted once.
fn one_change_each(sets: &[(Fact, Span)], shifts: &[(Shift, Span)]) -> Result<(), Clash> {
    let twice = shifts.windows(2).find(|pair| pair[0].0.variable == pair[1].0.variable);
    if let Some(pair) = twice {
        let variable = pair[0].0.variable;
        return Err(Clash::TwoChanges { variable, first: pair[0].1, second: pair[1].1 });
    }
    for &(shift, second) in shifts {
        let variable = shift.variable;
        if let Ok(at) = sets.binary_search_by_key(&variable, |(fact, _)| fact.variable) {
            let first = sets[at].1;
            let (first, second) = match first.cmp(&second) {
                Ordering::Greater => (second, first),
                _ => (first, second),
            };
            return Err(Clash::TwoChanges { variable, first, second });
        }
    }
    Ok(())
}
