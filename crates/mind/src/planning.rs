//! Planning: only when it is needed, and why it was.
//!
//! In:   state, goals in the order to try, the plan there is.
//! Out:  a plan for the first goal that has one, with the cause; or none.
//! Cost: nothing while the plan is good; else the planner's, and answers found before cost a
//!       look-up.
//!
//! The rest of a plan is checked against the state whenever that changes. Steps that the world
//! has done are left out. A plan is only replaced if it would not work any more, a step failed,
//! it came to its end, a better goal has a plan, or its goal reconsiders and there is a cheaper one.

mod ask;
mod reconsider;

use crate::choose::{Goals, Tried, holds};
use crate::events::Cause;
use crate::known::Known;
use crate::shown::{Shown, expected, shown};
use crate::spec::Spec;
use crate::symbols::State;
use crate::time::Tick;
use ask::Found;
pub(crate) use ask::Scratch;
pub(crate) use reconsider::Considered;
use reconsider::{read_considered, write_considered};
use throng_base::{codec_enum, codec_struct};
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, GoalId, VariableId};

/// Most plans have at most so many steps: there is room for them from the beginning.
const USUAL_STEPS: usize = 8;

/// The plan of one mind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanBook {
    /// What to reach; `None`: there is no plan.
    pub(crate) goal: Option<GoalId>,
    pub(crate) steps: Vec<ActionId>,
    /// The step under way, or the next.
    pub(crate) at: usize,
    pub(crate) cost: u64,
    /// Why it was made, or why the last attempt was.
    pub(crate) cause: Option<Cause>,
    pub(crate) made: Tick,
    /// What must be seen to before anything goes on.
    pub(crate) need: Option<Cause>,
    /// In this tick the step under way was heard first, and the plan was not checked, so nothing of
    /// it is begun.
    pub(crate) late: bool,
    /// How often it asked the planner.
    pub(crate) asked: u32,
    /// The minds have a budget, and it is not this one's turn to ask the planner yet.
    pub(crate) waits: Option<Waits>,
    /// The version of the state that the rest was checked against.
    pub(crate) checked: u64,
    /// The step that would not work, when a plan was last found invalid.
    pub(crate) broken_at: Option<ActionId>,
    /// Counts plans.
    pub(crate) serial: u32,
    /// When it was last held against a cheaper one.
    pub(crate) considered: Considered,
}

/// What a mind that waits for its turn to plan waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waits {
    /// Why it wants to plan.
    pub cause: Cause,
    /// The tick since which it waits.
    pub since: Tick,
    /// Nothing is begun until then: it has no plan, or one that cannot be gone on with.
    pub holds_up: bool,
}

/// How the rest of a plan stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// Go on with this step; those before it need not be done.
    From(usize),
    /// Nothing is left to do: the goal holds.
    Reached,
    /// It would not work: this step could not be done.
    Broken(Option<ActionId>),
}

impl PlanBook {
    pub(crate) fn new() -> Self {
        let (need, checked) = (Some(Cause::NothingToDo), u64::MAX);
        let steps = Vec::with_capacity(USUAL_STEPS);
        PlanBook { steps, need, checked, ..PlanBook::default() }
    }

    throng_base::getters! {
        /// What it is for.
        goal: Option<GoalId>;

        /// All its steps.
        steps: &[ActionId];

        /// The step under way, or the next, by position.
        at: usize;

        /// Its price when it was made, in thousandths.
        cost: u64;

        /// Why it was made; without a plan, why one was looked for.
        cause: Option<Cause>;

        /// The tick in which it was made, or looked for in vain.
        made: Tick;

        /// How often it asked the planner so far, for a goal or an alternative of one. Whether that
        /// searched or knew the answer is not the mind's affair: see [`Totals`](crate::Totals).
        asked: u32;

        /// Whether it waits for its turn to ask the planner, why and since when.
        waits: Option<Waits>;
    }

    /// Whether nothing may be begun before the plan was seen to.
    pub(crate) fn holds_up(&self) -> bool {
        self.need.is_some() || self.late || self.waits.is_some_and(|waits| waits.holds_up)
    }

    /// The step under way, or the next.
    pub fn step(&self) -> Option<ActionId> {
        self.goal?;
        self.steps.get(self.at).copied()
    }

    /// Takes a plan that others have made.
    pub(crate) fn take_over(&mut self, goal: GoalId, steps: &[ActionId], cost: u64, now: Tick) {
        let is_same = self.goal == Some(goal);
        self.cause = Some(if is_same { Cause::PlanInvalid } else { Cause::BetterGoal });
        self.steps.clear();
        self.steps.extend_from_slice(steps);
        (self.goal, self.at, self.cost, self.made) = (Some(goal), 0, cost, now);
        (self.need, self.waits, self.broken_at) = (None, None, None);
        self.checked = u64::MAX;
        self.serial += 1;
    }

    pub(crate) fn drop_plan(&mut self) {
        self.goal = None;
        self.steps.clear();
        self.at = 0;
        self.cost = 0;
    }

    /// Whether the rest of the plan leads to its goal. `running`: its first step is under way, and
    /// the amounts that it moves were these when it began.
    pub(crate) fn check(
        &mut self,
        spec: &Spec,
        state: &State,
        running: Option<&[PackedValue]>,
        scratch: &mut Scratch,
    ) -> Rest {
        let Some(goal) = self.goal else { return Rest::Broken(None) };
        if holds(spec, state, goal) {
            return Rest::Reached;
        }
        if self.checked == state.version() && self.at < self.steps.len() {
            return Rest::From(self.at);
        }
        if let Some(from) = self.goes_on(spec, state, running, scratch) {
            self.checked = state.version();
            return Rest::From(from);
        }
        let values = &mut scratch.values;
        // The shortest rest that works: the world may have done more than one step.
        let mut broken = None;
        for from in (self.at..self.steps.len().max(self.at + 1)).rev() {
            values.clear();
            values.extend_from_slice(state.values());
            match self.leads(spec, state, values, from, running.filter(|_| from == self.at)) {
                Ok(()) => {
                    self.checked = state.version();
                    return Rest::From(from);
                }
                Err(step) => broken = step,
            }
        }
        Rest::Broken(broken)
    }

    /// With which step to go on, if the one under way counts and shows something of its effect: what
    /// it moves is its own doing, not the world's. With the next if all has come.
    fn goes_on(
        &self,
        spec: &Spec,
        state: &State,
        running: Option<&[PackedValue]>,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        let (begun, step) = (running?, self.step()?);
        if begun.is_empty() {
            return None;
        }
        let from = match shown(spec, (state.npc, state.values()), step, begun) {
            Shown::Not => return None,
            Shown::Partly | Shown::Mostly => self.at,
            Shown::Wholly => self.at + 1,
        };
        let values = &mut scratch.values;
        values.clear();
        values.extend_from_slice(state.values());
        self.leads(spec, state, values, self.at, running).ok().map(|()| from)
    }

    /// Whether the steps from `from` on, done in `values`, lead to the goal. Of a step that is
    /// under way the values it changes need not hold any more, amounts may have moved already, and
    /// its kind was chosen before.
    fn leads(
        &self,
        spec: &Spec,
        state: &State,
        values: &mut [PackedValue],
        from: usize,
        under_way: Option<&[PackedValue]>,
    ) -> Result<(), Option<ActionId>> {
        let kind = spec.domain.npc(state.npc);
        let place = |local: LocalVariable| kind.variables()[local.index()].index();
        for (offset, &action) in self.steps[from.min(self.steps.len())..].iter().enumerate() {
            let Some(local) = kind.local_action(action) else { return Err(Some(action)) };
            let begun = under_way.filter(|_| offset == 0);
            let enabled = match begun {
                Some(_) => {
                    state.checks().answer(kind.checks(local)) && state.lets_go_on(spec, local)
                }
                None => state.enabled().has(local),
            };
            if !enabled || !can_run(kind, local, begun.is_some(), |local| values[place(local)]) {
                return Err(Some(action));
            }
            for set in kind.sets(local) {
                values[place(set.variable)] = set.value;
            }
            for (at, shift) in kind.shifts(local).iter().enumerate() {
                let value = &mut values[place(shift.variable)];
                let begun = begun.and_then(|begun| begun.get(at).copied());
                *value = match begun {
                    Some(begun) => expected(kind, *shift, begun, *value),
                    None => kind.shifted(*shift, *value).unwrap_or(*value),
                };
            }
        }
        let value = |id: VariableId| values.get(id.index()).copied().unwrap_or(UNKNOWN);
        let holds = |goal: GoalId| spec.domain.goal(goal).conditions().hold(value);
        if self.goal.is_none_or(holds) { Ok(()) } else { Err(None) }
    }

    /// Plans for the goals to try, in their order; takes the first plan there is and gives the
    /// goal's position. Without one the plan there was stays as it is. Only for those that
    /// are to be `tried`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one question, each used")]
    pub(crate) fn make(
        &mut self,
        spec: &Spec,
        state: &State,
        goals: &mut Goals,
        cause: Cause,
        tried: Tried,
        now: Tick,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        let mut next = 0;
        while let Some(&at) = goals.order(tried).get(next) {
            next += 1;
            let at = usize::from(at);
            if tried == Tried::Urgent && !spec.goal(goals.all()[at].goal).urgent {
                continue;
            }
            // A goal of which an alternative has just been tried.
            if !goals.is_untried(at) {
                continue;
            }
            match self.plan_for(spec, state, goals.all()[at].goal, scratch) {
                (Found::Plan(cost), goal) => {
                    let kind = spec.domain.npc(state.npc);
                    self.steps.clear();
                    self.steps.extend(scratch.best.iter().map(|a| kind.actions()[a.index()]));
                    (self.goal, self.at, self.cost) = (Some(goal), 0, cost);
                    self.checked = state.version();
                    (self.cause, self.made) = (Some(cause), now);
                    self.serial += 1;
                    self.begin_to_consider(spec, state.version(), now);
                    return Some(at);
                }
                (found, _) => goals.no_plan(spec, at, state.version(), found == Found::GaveUp),
            }
        }
        None
    }
}

/// Whether what an action needs is so. Of one that is under way what it changes itself need not be.
fn can_run(
    kind: &NpcTables,
    action: LocalAction,
    is_under_way: bool,
    value: impl Fn(LocalVariable) -> PackedValue,
) -> bool {
    let is_own = |variable: LocalVariable| {
        is_under_way
            && (kind.sets(action).iter().any(|set| set.variable == variable)
                || kind.shifts(action).iter().any(|shift| shift.variable == variable))
    };
    let mut needs = kind.needs(action).iter();
    let mut ranges = kind.ranges(action).iter();
    let mut comparisons = kind.comparisons(action).iter();
    needs.all(|it| is_own(it.variable) || value(it.variable) == it.value)
        && ranges.all(|it| is_own(it.variable) || it.values.has(value(it.variable)))
        && comparisons.all(|it| {
            is_own(it.variable) || it.comparison.holds(value(it.variable), value(it.other))
        })
}

codec_enum!("cause of a plan" Cause {
    0 => NothingToDo,
    1 => BetterGoal,
    2 => GoalIrrelevant,
    3 => PlanInvalid,
    4 => StepFailed,
    5 => PlanEnded,
    6 => GoalReached,
    7 => TryAgain,
    8 => Reloaded,
    9 => Reselected,
    10 => Cheaper,
});

codec_struct!(in known: Known<'_>; Waits { cause, since: past(known.now), holds_up });

codec_struct!(
    in known: Known<'_>;
    PlanBook {
        goal in known,
        steps in known,
        at,
        cost,
        cause,
        made: past(known.now),
        need,
        late,
        asked: counter,
        waits in known,
        checked,
        broken_at in known,
        serial: counter,
        considered by (write_considered, read_considered),
    }
    // A step that ends as its plan is dropped is counted all the same: so one beyond the end.
    where |plan| plan.at <= plan.steps.len() + 1
        && (plan.goal.is_some() || plan.steps.is_empty()),
        "step of a plan"
);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn causes_come_back() {
        // The list of choices is checked by the compiler.
        comes_back::<Cause>(|trial, _| trial.any());
    }
}
