//! Why a plan is as it is: what each step needs and where that comes from, what it enables.
//!
//! In:   a problem and a plan for it.
//! Out:  per step, a source for every need and a use for every change that matters. Of an amount
//!       the source is the set of steps that moved it to where it had to be.
//! Cost: one pass over the plan with a table of the variables; for each need of an amount a look at
//!       the steps that moved it since it was last set.

use crate::asks::as_written;
use crate::problem::{Problem, compared};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalComparison, LocalFact, LocalRange, LocalVariable, NpcTables,
    PackedValue,
};
use throng_domain::model::Range;

/// Something that a step needs, or the goal wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepCondition {
    /// A variable has one of these values.
    Values(LocalRange),
    /// An amount stands so to another one.
    Compared(LocalComparison),
}

impl StepCondition {
    /// What it is about.
    pub fn variable(&self) -> LocalVariable {
        match self {
            StepCondition::Values(range) => range.variable,
            StepCondition::Compared(it) => it.variable,
        }
    }

    /// As the language writes it.
    pub fn text(&self, domain: &CompiledDomain, npc: &NpcTables) -> String {
        match *self {
            StepCondition::Values(range) => {
                let variable = npc.variables()[range.variable.index()];
                domain.map().range(Range { variable, values: range.values })
            }
            StepCondition::Compared(it) => domain.map().comparison(it.comparison),
        }
    }
}

impl From<LocalFact> for StepCondition {
    fn from(fact: LocalFact) -> Self {
        let values = ValueSet::one(fact.value);
        StepCondition::Values(LocalRange { variable: fact.variable, values })
    }
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CauseSource {
    /// It held at the start.
    Start,
    /// The step with this index set it.
    Step(usize),
    /// An amount was moved there.
    Moved {
        /// The step that last set it before; `None` for the start.
        base: Option<usize>,
        /// What it was then.
        from: PackedValue,
        /// Whether it had to rise.
        up: bool,
        /// The steps that moved it that way since.
        steps: Vec<usize>,
    },
}

impl CauseSource {
    /// All steps that it names, in order.
    pub fn steps(&self) -> Vec<usize> {
        match self {
            CauseSource::Start => Vec::new(),
            CauseSource::Step(step) => vec![*step],
            CauseSource::Moved { base, steps, .. } => base.iter().chain(steps).copied().collect(),
        }
    }
}

/// What a value is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// The step with this index needs it.
    Step(usize),
    /// The goal wants it.
    Goal,
}

/// The causes around one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Causes {
    /// What it needs, and where each comes from.
    pub needs: Vec<(StepCondition, CauseSource)>,
    /// What it brings about that is used later, and for what.
    pub enables: Vec<(StepCondition, Use)>,
}

/// What became of a variable so far.
#[derive(Clone, Default)]
struct Past {
    /// Who last set it; `None`: the start.
    base: Option<usize>,
    /// What it was then.
    from: PackedValue,
    /// Who moved it since, and by how much.
    moves: Vec<(usize, i32)>,
}

/// The causes around every step of a plan.
pub fn causes(npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) -> Vec<Causes> {
    let mut steps: Vec<Causes> = vec![Causes::default(); plan.len()];
    let start = problem.start().iter();
    let mut pasts: Vec<Past> = start.map(|&from| Past { from, ..Past::default() }).collect();
    let mut state = problem.start().to_vec();
    for (at, &action) in plan.iter().enumerate() {
        for (condition, values, is_room) in needs(npc, problem, action) {
            let past = &pasts[condition.variable().index()];
            let source = past.source(npc, &state, condition.variable(), &values);
            // That there is room is worth a word only where somebody had to make it.
            if is_room && source == CauseSource::Start {
                continue;
            }
            note(&mut steps, condition, &source, Use::Step(at));
            steps[at].needs.push((condition, source));
        }
        let before = state.clone();
        npc.run(action, &mut state);
        for set in npc.sets(action) {
            let from = set.value;
            pasts[set.variable.index()] = Past { base: Some(at), from, moves: Vec::new() };
        }
        for shift in npc.shifts(action) {
            let variable = shift.variable.index();
            let by = i32::from(state[variable]) - i32::from(before[variable]);
            pasts[variable].moves.push((at, by));
        }
    }
    let facts = problem.goal().iter().map(|&fact| StepCondition::from(fact));
    let ranges = problem.goal_ranges().iter().map(|&range| StepCondition::Values(range));
    for condition in facts.chain(ranges) {
        let StepCondition::Values(range) = condition else { continue };
        let past = &pasts[range.variable.index()];
        let source = past.source(npc, &state, range.variable, &range.values);
        note(&mut steps, condition, &source, Use::Goal);
    }
    steps
}

/// Tells the steps that brought something about what it is for.
fn note(steps: &mut [Causes], condition: StepCondition, source: &CauseSource, used: Use) {
    for step in source.steps() {
        steps[step].enables.push((condition, used));
    }
}

/// What an action needs, as it is written: the condition, the values that it allows now, and
/// whether it only asks for room in the range.
fn needs(
    npc: &NpcTables,
    problem: &Problem,
    action: LocalAction,
) -> Vec<(StepCondition, ValueSet, bool)> {
    let facts = npc.needs(action).iter();
    let mut all: Vec<(StepCondition, ValueSet, bool)> =
        facts.map(|&need| (StepCondition::from(need), ValueSet::one(need.value), false)).collect();
    let mut room = Vec::new();
    for &range in npc.ranges(action) {
        let n_values = npc.n_values(range.variable) as PackedValue;
        let shift = npc.shifts(action).iter().find(|shift| shift.variable == range.variable);
        let (values, end) = as_written(range.values, shift.map(|shift| shift.by), n_values);
        let condition = |values| StepCondition::Values(LocalRange { values, ..range });
        if values != ValueSet::all(n_values) {
            all.push((condition(values), values, false));
        }
        room.extend(end.map(|end| (condition(end), end, true)));
    }
    for it in npc.comparisons(action) {
        let n_values = npc.n_values(it.variable) as PackedValue;
        let values = compared(&it.comparison, problem.start()[it.other.index()], n_values);
        all.push((StepCondition::Compared(*it), values, false));
    }
    all.extend(room);
    all
}

impl Past {
    /// Where a value comes from that is one of some now.
    fn source(
        &self,
        npc: &NpcTables,
        state: &[PackedValue],
        variable: LocalVariable,
        values: &ValueSet,
    ) -> CauseSource {
        let unmoved = self.base.map_or(CauseSource::Start, CauseSource::Step);
        let now = state[variable.index()];
        let run = values.runs().iter().find(|run| run.0 <= now && now <= run.1);
        let (Some(&(first, last)), false) = (run, self.moves.is_empty()) else { return unmoved };
        let sum = |up: bool| -> i64 {
            let moves = self.moves.iter().filter(|(_, by)| (*by > 0) == up);
            moves.map(|&(_, by)| i64::from(by)).sum()
        };
        let top = npc.n_values(variable) as i64 - 1;
        let (from, first, last) = (i64::from(self.from), i64::from(first), i64::from(last));
        // Without the moves that way it would not be where it has to be.
        let up = match () {
            () if first > 0 && from + sum(false) < first => true,
            () if last < top && from + sum(true) > last => false,
            () => return unmoved,
        };
        let moves = self.moves.iter().filter(|(_, by)| (*by > 0) == up && *by != 0);
        let steps = moves.map(|&(step, _)| step).collect();
        CauseSource::Moved { base: self.base, from: self.from, up, steps }
    }
}
