//! Which start value of an amount would give a plan: the nearest one to what it is now.
//!
//! In:   a question without a plan, an amount.
//! Out:  all values that give a plan, or if these are too many to tell or to try, the nearest one.
//! Cost: where more (or less) is never worse, by halving: seven questions for a range of a hundred,
//!       sixteen for sixty thousand. Else one per value that makes a difference; or a look per value
//!       at all that leads to the goal, if that is not too much; or the nearest values one by one,
//!       up to [`MOST_TRIED`].
//!
//! More is never worse of an amount that is only ever asked to be at least so much. Then what is
//! possible with some is possible with more, with one exception: a rise is refused at the end of
//! the range. So halving asks a kinder question, in which such a rise stops at the end instead. In
//! that more is never worse, and what is impossible in it is impossible. The least value that is
//! possible in it is then tried as it is, and so is what is better: of a plan it is known up to
//! where it gets to the end, beyond that another one is looked for. What it is now may be possible
//! in the kinder question: then less may help as well as more, and halving says nothing.

use super::asked::Asked;
use super::change::Change;
use super::fixes::{Fix, Trial};
use crate::asks::{as_range, asked_of};
use crate::budget::{Limit, Mode};
use crate::context::ActionMask;
use crate::counting::{
    Counting, CountingChange as Moves, CountingFound, CountingTask, Effect, Need,
};
use crate::problem::Problem;
use crate::replay::replay;
use throng_domain::Relation;
use throng_domain::amounts::{MOST_RUNS, ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue};
use throng_domain::model::{ActionId, Comparison, Range, VariableId};

/// So many values are tried one by one.
const MOST_TRIED: usize = 64;

/// So many other plans are looked for where the nearest one gets to the end of the range.
const MOST_BEYOND: usize = 16;

/// Which way is never worse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Better {
    More,
    Less,
    /// It depends.
    Neither,
}

/// The nearest value that gives a plan; `None` if no value does.
pub(super) fn nearest_value(
    trial: &mut Trial<'_, '_>,
    variable: VariableId,
) -> Result<Option<Fix>, Limit> {
    let asked = trial.asked;
    let Some(local) = asked.kind().local_variable(variable) else {
        return outside(trial, variable);
    };
    let amount = Amount::new(asked, variable, local);
    match amount.better() {
        Better::Neither => amount.by_values(trial),
        better => amount.by_halving(trial, better),
    }
}

/// Of a variable that the type does not touch: it has to be as it is wanted.
fn outside(trial: &mut Trial<'_, '_>, variable: VariableId) -> Result<Option<Fix>, Limit> {
    let ranges = trial.asked.goal.ranges.iter().filter(|range| range.variable == variable);
    let mut all = ranges.map(|range| range.values);
    let Some(first) = all.next() else { return Ok(None) };
    let values = all.try_fold(first, |both, values| both.both(&values));
    match values.filter(|values| !values.is_empty()) {
        Some(values) => trial.plan_after(Change::Amount(Range { variable, values })),
        None => Ok(None),
    }
}

/// An amount and the actions that may be there.
struct Amount<'q> {
    asked: Asked<'q>,
    kind: &'q NpcTables,
    problem: Problem,
    variable: VariableId,
    local: LocalVariable,
    /// Those that are there if what stands still is otherwise.
    there: ActionMask,
    top: PackedValue,
}

impl<'q> Amount<'q> {
    fn new(asked: Asked<'q>, variable: VariableId, local: LocalVariable) -> Self {
        let (kind, problem) = (asked.kind(), asked.problem());
        let mut there = ActionMask::none(kind.n_actions());
        there.fill_enabled(kind, asked.checks, asked.forbidden);
        let top = (kind.n_values(local) as PackedValue).saturating_sub(1);
        Amount { asked, kind, problem, variable, local, there, top }
    }

    fn actions(&self) -> impl Iterator<Item = LocalAction> {
        self.kind.local_actions().filter(|&action| self.there.has(action))
    }

    fn shift(&self, action: LocalAction) -> Option<ShiftBy> {
        let shifts = self.kind.shifts(action).iter();
        shifts.into_iter().find(|shift| shift.variable == self.local).map(|shift| shift.by)
    }

    /// What an action takes of it.
    fn taken(&self, action: LocalAction) -> Option<ValueSet> {
        asked_of(self.kind, self.problem.start(), action, self.local)
    }

    /// What is wanted of it.
    fn wanted(&self) -> impl Iterator<Item = ValueSet> {
        let facts = self.problem.goal().iter().map(|&fact| as_range(fact));
        let all = facts.chain(self.problem.goal_ranges().iter().copied());
        all.filter(|range| range.variable == self.local).map(|range| range.values)
    }

    /// How other amounts are compared with it.
    fn compared_with(&self) -> impl Iterator<Item = Comparison> {
        let own = self.actions().flat_map(|action| self.kind.comparisons(action));
        let own = own.map(|it| it.comparison).chain(self.asked.goal.comparisons.iter().copied());
        own.filter(|it| it.other == self.variable)
    }

    /// Which way is never worse, ends of the range that refuse a shift left aside.
    fn better(&self) -> Better {
        let has_all = |first, last| ValueSet::run(first, last);
        let is_upper = |set: &ValueSet| match set.ends() {
            Some((first, _)) => *set == has_all(first, self.top),
            None => false,
        };
        let is_lower = |set: &ValueSet| match set.ends() {
            Some((_, last)) => *set == has_all(0, last),
            None => false,
        };
        let more = || {
            self.actions().all(|action| self.eased(action, true).is_none_or(|set| is_upper(&set)))
                && self.wanted().all(|set| is_upper(&set))
                && self
                    .compared_with()
                    .all(|it| matches!(it.relation, Relation::AtMost | Relation::Less))
        };
        let less = || {
            self.actions().all(|action| self.eased(action, false).is_none_or(|set| is_lower(&set)))
                && self.wanted().all(|set| is_lower(&set))
                && self
                    .compared_with()
                    .all(|it| matches!(it.relation, Relation::AtLeast | Relation::More))
        };
        match () {
            () if more() => Better::More,
            () if less() => Better::Less,
            () => Better::Neither,
        }
    }

    /// What an action takes of it if a rise (or a fall) is not refused at the end.
    fn eased(&self, action: LocalAction, up: bool) -> Option<ValueSet> {
        let taken = self.taken(action)?;
        Some(ease(&taken, self.shift(action), up, self.top))
    }

    fn change(&self, values: ValueSet) -> Change {
        Change::Amount(Range { variable: self.variable, values })
    }

    /// Whether a rise (or a fall) may be refused at the end.
    fn is_refused(&self, up: bool) -> bool {
        let shifts = self.actions().filter_map(|action| self.shift(action));
        shifts.into_iter().any(|shift| shift.end == ShiftEnd::Refuse && (shift.by > 0) == up)
    }

    /// The least (or greatest) value that gives a plan, and what is better.
    fn by_halving(&self, trial: &mut Trial<'_, '_>, better: Better) -> Result<Option<Fix>, Limit> {
        let up = better == Better::More;
        // How far from the worse end on.
        let at = |steps: PackedValue| if up { steps } else { self.top - steps };
        let mut kinder = Kinder { amount: self, up, search: Counting::default() };
        let is_refused = self.is_refused(up);
        let now = self.asked.now(self.variable);
        let is_in_the_way = match now {
            // It may be only the end of the range that is in the way of what it is now.
            Some(now) => is_refused && kinder.has_plan(trial, now)?,
            // The least is the nearest to what is unknown, and that is the end.
            None => is_refused && !up,
        };
        if is_in_the_way {
            return self.by_values(trial);
        }
        // What it is now gives no plan, and hence nothing that is worse.
        let mut first = now.map_or(0, |now| at(now).saturating_add(1));
        let mut last = self.top;
        if first > last || !kinder.has_plan(trial, at(last))? {
            return Ok(None);
        }
        while first < last {
            let middle = first + (last - first) / 2;
            match kinder.has_plan(trial, at(middle))? {
                true => last = middle,
                false => first = middle + 1,
            }
        }
        if !is_refused {
            let values = match up {
                true => ValueSet::run(first, self.top),
                false => ValueSet::run(0, at(first)),
            };
            return trial.plan_after(self.change(values));
        }
        if let Some(fix) = trial.plan_after(self.change(ValueSet::one(at(first))))? {
            let values = self.with_better(trial, &fix, first, at);
            let change = values.map_or(fix.change, |values| self.change(values));
            return Ok(Some(Fix { change, ..fix }));
        }
        // The end of the range is in the way: what is a little better may still do.
        for steps in (first + 1..=self.top).take(MOST_TRIED) {
            let fix = trial.plan_after(self.change(ValueSet::one(at(steps))))?;
            if fix.is_some() {
                return Ok(fix);
            }
        }
        let is_all = usize::from(self.top - first) <= MOST_TRIED;
        if is_all { Ok(None) } else { Err(Limit::Nodes) }
    }

    /// All values that give a plan from one on that does, in steps from the worse end; `None` if
    /// that is too much to try or to tell.
    ///
    /// A plan for some value is one for every better value from which no rise gets beyond the end;
    /// hence it is one for all values up to some point, and for none after it.
    fn with_better(
        &self,
        trial: &mut Trial<'_, '_>,
        fix: &Fix,
        first: PackedValue,
        at: impl Fn(PackedValue) -> PackedValue,
    ) -> Option<ValueSet> {
        let mut runs: Vec<(PackedValue, PackedValue)> = Vec::new();
        let add = |from: PackedValue, plan: &[ActionId], runs: &mut Vec<_>| {
            let to = self.known_up_to(plan, from, &at);
            runs.push((at(from).min(at(to)), at(from).max(at(to))));
            to
        };
        let mut known = add(first, &fix.plan, &mut runs);
        let mut n_tried = 0;
        while known < self.top {
            if n_tried == MOST_BEYOND {
                return None;
            }
            n_tried += 1;
            let next = known + 1;
            let found = trial.plan_after(self.change(ValueSet::one(at(next)))).ok()?;
            known = found.map_or(next, |fix| add(next, &fix.plan, &mut runs));
        }
        runs.sort_unstable();
        ValueSet::of_runs(runs)
    }

    /// The last step up to which a plan for some step is one.
    fn known_up_to(
        &self,
        plan: &[ActionId],
        from: PackedValue,
        at: impl Fn(PackedValue) -> PackedValue,
    ) -> PackedValue {
        let steps = plan.iter().map(|&action| self.kind.local_action(action));
        let Some(plan) = steps.collect::<Option<Vec<LocalAction>>>() else { return from };
        let mut state = Vec::new();
        let mut is_plan = |steps: PackedValue| {
            let (_, problem) = self.change(ValueSet::one(at(steps))).apply(&self.asked);
            replay(self.kind, &problem, &plan, &mut state).is_some()
        };
        // Of a plan that costs nothing the steps are not told.
        if !is_plan(from) {
            return from;
        }
        let (mut known, mut last) = (from, self.top);
        while known < last {
            let middle = last - (last - known) / 2;
            match is_plan(middle) {
                true => known = middle,
                false => last = middle - 1,
            }
        }
        known
    }

    /// The nearest value that gives a plan, where more may be better or worse.
    fn by_values(&self, trial: &mut Trial<'_, '_>) -> Result<Option<Fix>, Limit> {
        if let Some(runs) = self.alike().filter(|runs| runs.len() <= MOST_TRIED) {
            return self.by_runs(trial, &runs);
        }
        match self.by_list(trial) {
            Some(None) => Ok(None),
            Some(Some(values)) => trial.plan_after(self.change(values)),
            None => self.one_by_one(trial),
        }
    }

    /// All values that give a plan, or if these are too many runs the nearest one: found by looking
    /// them up among all that leads to the goal. `None` if that is too much, or depends on the
    /// amount.
    fn by_list(&self, trial: &mut Trial<'_, '_>) -> Option<Option<ValueSet>> {
        // What stands still decides which actions are there, and what others are compared with.
        if !self.kind.can_change(self.local) || self.compared_with().next().is_some() {
            return None;
        }
        let list = trial.list()?;
        let mut state = self.problem.start().to_vec();
        let mut helps = |value: &PackedValue| {
            state[self.local.index()] = *value;
            list.find(&state).is_some()
        };
        let found: Vec<PackedValue> = (0..=self.top).filter(&mut helps).collect();
        let now = self.asked.now(self.variable);
        let far = |value: &PackedValue| (now.map_or(*value, |now| now.abs_diff(*value)), *value);
        let nearest = found.iter().min_by_key(|value| far(value)).copied();
        let all = ValueSet::of(found.iter().copied());
        Some(nearest.map(|nearest| all.unwrap_or(ValueSet::one(nearest))))
    }

    /// Values that differ in nothing, as runs; `None` if something moves the amount, or others are
    /// compared with it: then every value may be another matter.
    fn alike(&self) -> Option<Vec<(PackedValue, PackedValue)>> {
        let moves = self.actions().any(|action| self.shift(action).is_some());
        if moves || self.compared_with().next().is_some() {
            return None;
        }
        let asked = self.actions().filter_map(|action| self.taken(action)).chain(self.wanted());
        let mut begins: Vec<PackedValue> = vec![0];
        for set in asked {
            let ends =
                set.runs().iter().flat_map(|&(first, last)| [Some(first), last.checked_add(1)]);
            begins.extend(ends.flatten().filter(|&value| value <= self.top));
        }
        begins.sort_unstable();
        begins.dedup();
        let ends = begins.iter().skip(1).map(|next| next - 1).chain([self.top]);
        Some(begins.iter().copied().zip(ends).collect())
    }

    fn by_runs(
        &self,
        trial: &mut Trial<'_, '_>,
        runs: &[(PackedValue, PackedValue)],
    ) -> Result<Option<Fix>, Limit> {
        let now = self.asked.now(self.variable);
        let is_now = |&&(first, last): &&(PackedValue, PackedValue)| {
            now.is_some_and(|now| first <= now && now <= last)
        };
        let mut found: Vec<(PackedValue, PackedValue)> = Vec::new();
        for &(first, last) in runs.iter().filter(|run| !is_now(run)) {
            if trial.plan_after(self.change(ValueSet::run(first, last)))?.is_some() {
                found.push((first, last));
            }
        }
        let near = |&(first, last): &(PackedValue, PackedValue)| {
            now.map_or(0, |now| now.clamp(first, last).abs_diff(now))
        };
        let all = ValueSet::of_runs(found.iter().copied().take(MOST_RUNS));
        let all = all.filter(|_| found.len() <= MOST_RUNS);
        let nearest = found.iter().min_by_key(|run| near(run));
        let nearest = nearest.map(|&(first, last)| ValueSet::run(first, last));
        match all.filter(|all| !all.is_empty()).or(nearest) {
            Some(values) => trial.plan_after(self.change(values)),
            None => Ok(None),
        }
    }

    /// With the value as near on the other side, if that gives a plan, too.
    fn with_as_near(&self, trial: &mut Trial<'_, '_>, fix: Fix, value: PackedValue) -> Fix {
        let now = self.asked.now(self.variable).filter(|&now| value < now);
        let other = now.and_then(|now| now.checked_add(now - value));
        let Some(other) = other.filter(|&other| other <= self.top) else { return fix };
        let found = trial.plan_after(self.change(ValueSet::one(other)));
        match (found, ValueSet::of([value, other])) {
            (Ok(Some(_)), Some(both)) => Fix { change: self.change(both), ..fix },
            _ => fix,
        }
    }

    fn one_by_one(&self, trial: &mut Trial<'_, '_>) -> Result<Option<Fix>, Limit> {
        let now = self.asked.now(self.variable);
        let others = (0..=self.top).filter(|&value| Some(value) != now);
        let mut others: Vec<PackedValue> = others.collect();
        if let Some(now) = now {
            others.sort_by_key(|value| value.abs_diff(now));
        }
        for &value in others.iter().take(MOST_TRIED) {
            if let Some(fix) = trial.plan_after(self.change(ValueSet::one(value)))? {
                return Ok(Some(self.with_as_near(trial, fix, value)));
            }
        }
        if others.len() > MOST_TRIED { Err(Limit::Nodes) } else { Ok(None) }
    }
}

/// The values that are taken if a rise (or a fall) stops at the end instead of being refused there.
fn ease(taken: &ValueSet, shift: Option<ShiftBy>, up: bool, top: PackedValue) -> ValueSet {
    let Some(shift) = shift.filter(|shift| shift.end == ShiftEnd::Refuse) else { return *taken };
    let (Some((first, last)), Some((least, most))) =
        (taken.ends(), shift.domain(top.saturating_add(1)).ends())
    else {
        return *taken;
    };
    let more = match up {
        true if shift.by > 0 && last == most && last < top => ValueSet::run(last + 1, top),
        false if shift.by < 0 && first == least && first > 0 => ValueSet::run(0, first - 1),
        _ => return *taken,
    };
    taken.either(&more).unwrap_or(*taken)
}

/// The kinder question, in which shifts of the amount stop at the better end.
struct Kinder<'a, 'q> {
    amount: &'a Amount<'q>,
    up: bool,
    search: Counting,
}

impl Kinder<'_, '_> {
    fn has_plan(&mut self, trial: &mut Trial<'_, '_>, value: PackedValue) -> Result<bool, Limit> {
        let (_, problem) = self.amount.change(ValueSet::one(value)).apply(&self.amount.asked);
        if !problem.outside_holds() {
            return Ok(false);
        }
        let mut task = CountingTask::default();
        task.fill(self.amount.kind, &problem, Mode::Shortest, &mut Vec::new());
        let task = self.eased(&task);
        if task.is_goal(task.start()) {
            return Ok(true);
        }
        let budget = trial.budget()?;
        self.search.begin(&task, None);
        let found = self.search.run(&task, &budget, &mut Vec::new());
        trial.spend(self.search.nodes());
        match found {
            CountingFound::Plan => Ok(true),
            CountingFound::Impossible => Ok(false),
            CountingFound::Limit(limit) => Err(limit),
        }
    }

    fn eased(&self, task: &CountingTask) -> CountingTask {
        let (variable, top) = (self.amount.local.0, self.amount.top);
        let mut eased = CountingTask::default();
        for (&size, &start) in task.sizes().iter().zip(task.start()) {
            eased.add_variable(size, start);
        }
        let stop = if self.up { top } else { 0 };
        for action in 0..task.n_actions() as u32 {
            let own = task.changes(action).iter().find(|change| change.variable == variable);
            let shift = own.and_then(|change| match change.effect {
                Effect::Shift(shift) => Some(shift),
                Effect::Set(_) => None,
            });
            let needs = task.needs(action).iter().map(|need| match need.variable == variable {
                true => Need { values: ease(&need.values, shift, self.up, top), ..*need },
                false => *need,
            });
            let changes = task.changes(action).iter().map(|change| match change.effect {
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse })
                    if change.variable == variable && (by > 0) == self.up =>
                {
                    let shift = ShiftBy { by, end: ShiftEnd::Stop(stop) };
                    Moves { effect: Effect::Shift(shift), ..*change }
                }
                _ => *change,
            });
            eased.add_action(needs, changes, task.cost(action));
        }
        eased.set_goal(task.goal().iter().copied());
        eased
    }
}
