//! How a list is made: every demand, cheapest first.
//!
//! In:   a task, and how much the list may take.
//! Out:  a list, or which limit was hit, and at how many demands was looked.
//! Cost: every demand that no cheaper one covers is expanded.

use super::look_up::LookUp;
use super::{DemandList, ListLimit, ListLimits, MOST_ENTRIES};
use crate::counting::cover::Cover;
use crate::counting::demand::{Before, Model};
use crate::counting::lane::Lanes;
use crate::counting::layout::Layout;
use crate::counting::nodes::{NO_NODE, Nodes, Way};
use crate::counting::question::Question;
use crate::counting::run_sets::RunSets;
use crate::counting::stubborn::Stubborn;
use crate::counting::task::{CountingChange, CountingTask, Effect, Need};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::ones;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// Demands that wait, per entry that may be.
const MOST_WAITING: usize = 64;

/// A node that is no entry.
const NO_ENTRY: u32 = u32::MAX;

impl DemandList {
    /// The list of a task's goal; `None` if it has more entries than so many, at most
    /// [`MOST_ENTRIES`], or demands are too wide.
    pub fn build(task: &CountingTask, limit: usize) -> Option<DemandList> {
        let entries = limit.min(MOST_ENTRIES);
        DemandList::build_within(task, ListLimits { entries, work: u64::MAX }).0.ok()
    }

    /// The list of a task's goal, if it keeps within some limits; and at how many demands was
    /// looked.
    pub fn build_within(
        task: &CountingTask,
        limits: ListLimits,
    ) -> (Result<DemandList, ListLimit>, u64) {
        let (mut question, mut layout) = (Question::default(), Layout::default());
        let Some(shifted) = with_unknown(task) else { return (Err(ListLimit::TooLong), 0) };
        question.fill(&shifted, &|_| true);
        if !layout.fill(&question) {
            return (Err(ListLimit::TooLong), 0);
        }
        let mut seen = 0;
        let list = match layout.n_lanes {
            0..=16 => expand::<16>(task, &question, &mut layout, limits, &mut seen),
            17..=32 => expand::<32>(task, &question, &mut layout, limits, &mut seen),
            33..=64 => expand::<64>(task, &question, &mut layout, limits, &mut seen),
            _ => Err(ListLimit::TooLong),
        };
        (list, seen)
    }
}

/// The same task with one more value of each variable, the first: it is not known.
fn with_unknown(task: &CountingTask) -> Option<CountingTask> {
    let mut with = CountingTask::default();
    for &size in task.sizes() {
        with.add_variable(size.checked_add(1).filter(|&size| size < u16::MAX)?, 0);
    }
    let need = |need: &Need| {
        let runs = need.values.runs().iter().map(|&(first, last)| (first + 1, last + 1));
        let values = ValueSet::of_runs(runs).unwrap_or(ValueSet::EMPTY);
        Need { variable: need.variable, values }
    };
    let change = |change: &CountingChange| {
        let effect = match change.effect {
            Effect::Set(value) => Effect::Set(value + 1),
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) => {
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse })
            }
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) }) => {
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop + 1) })
            }
        };
        CountingChange { variable: change.variable, effect }
    };
    for action in 0..task.n_actions() as u32 {
        // A shift needs a known value, so its need is there already.
        let needs = task.needs(action).iter().map(need);
        with.add_action(needs, task.changes(action).iter().map(change), task.cost(action));
    }
    with.set_goal(task.goal().iter().map(need));
    Some(with)
}

/// Expands all demands, cheapest first.
fn expand<const L: usize>(
    task: &CountingTask,
    question: &Question,
    layout: &mut Layout,
    limits: ListLimits,
    seen: &mut u64,
) -> Result<DemandList, ListLimit> {
    let mut model = Model::<u16, L>::default();
    model.fill(question, layout);
    let mut places = vec![None; task.n_variables()];
    for (at, (origin, &form)) in question.origins.iter().zip(&model.layout.forms).enumerate() {
        places[origin.variable as usize] = Some((form, model.layout.top(at)));
    }
    let mut list = DemandList {
        places,
        costs: Vec::new(),
        steps: Vec::new(),
        begins: vec![false; task.n_actions()],
        sets: RunSets::default(),
        look_up: LookUp::default(),
    };
    let mut entries: Vec<Lanes<u16, L>> = Vec::new();
    if task.goal().iter().any(|need| need.values.is_empty()) {
        return Ok(list);
    }
    let (mut nodes, mut cover) = (Nodes::<u16, L>::default(), Cover::default());
    let mut stubborn = Stubborn::default();
    stubborn.fill(question, &model.layout, &|_| true, false);
    nodes.clear();
    // By node: which entry it is.
    let mut numbers: Vec<u32> = Vec::new();
    let mut open = BinaryHeap::new();
    let node = nodes.find_or_add(&model.goal).ok_or(ListLimit::TooLong)?;
    nodes.ways[node as usize].g = 0;
    open.push(Reverse((0u64, node)));
    while let Some(Reverse((g, node))) = open.pop() {
        let way = nodes.ways[node as usize];
        let demand = nodes.demands[node as usize];
        if way.done || g != way.g {
            continue;
        }
        nodes.ways[node as usize].done = true;
        if *seen >= limits.work {
            return Err(ListLimit::Work);
        }
        *seen += 1;
        let action = (way.parent != NO_NODE).then(|| question.actions[way.action as usize]);
        // What was taken out before is not dearer; where it costs the same, both begin a plan.
        if cover.find(&model, &demand, [0; 2], |_| true).is_some() {
            let is_cheaper = |other: u32| nodes.ways[other as usize].g < g;
            if cover.find(&model, &demand, [0; 2], is_cheaper).is_none() {
                list.note(action);
            }
            continue;
        }
        let most_waiting = limits.entries.saturating_mul(MOST_WAITING);
        if entries.len() >= limits.entries || nodes.demands.len() > most_waiting {
            return Err(ListLimit::TooLong);
        }
        cover.keep(&demand, [0; 2], node, usize::MAX);
        numbers.resize(nodes.demands.len(), NO_ENTRY);
        numbers[node as usize] = entries.len() as u32;
        entries.push(demand);
        list.costs.push(g);
        list.note(action);
        list.steps.push(action.map(|action| (action, numbers[way.parent as usize])));
        stubborn.begin();
        for lane in (0..model.layout.n_lanes).filter(|&lane| demand[lane] != 0) {
            stubborn.add(lane);
        }
        for word in 0..stubborn.words {
            for bit in ones(stubborn.tried()[word]) {
                let action = (word * 64 + bit) as u32;
                if *seen >= limits.work {
                    return Err(ListLimit::Work);
                }
                *seen += 1;
                let Before::Demand(before) = model.before(&demand, action) else { continue };
                if model.is_within(&before, &demand) {
                    continue;
                }
                let g = g.saturating_add(model.costs[action as usize]);
                let found = nodes.find_or_add(&before).ok_or(ListLimit::TooLong)?;
                let known = &mut nodes.ways[found as usize];
                if g < known.g {
                    *known = Way { g, parent: node, action, ..*known };
                    open.push(Reverse((g, found)));
                } else if g == known.g {
                    list.note(Some(question.actions[action as usize]));
                }
            }
        }
        if model.sets.is_full {
            return Err(ListLimit::TooLong);
        }
    }
    list.look_up = LookUp::new(&list.places, &model.layout, &entries);
    list.sets = model.sets.clone();
    Ok(list)
}
