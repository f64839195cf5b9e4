//! Demand lists: all that leads to a goal, for every start at once.
//!
//! In:   a task, of which the start does not matter.
//! Out:  demands with costs, cheapest first: the first one that holds in a state says what the
//!       cheapest plan from it costs, and its first step; if none holds there is no plan.
//! Cost: building expands every demand that no cheaper one covers, and gives up beyond a limit. A
//!       look-up walks the demands that fit the words of a state, some lanes at a time.
//!
//! All ends of ranges count, and every order is tried: both cures that depend on the start are
//! off. An unknown value is one more value, below all others.

use super::cover::Cover;
use super::demand::{Before, Model};
use super::lane::Lanes;
use super::layout::{Form, Layout};
use super::nodes::{NO_NODE, Nodes, Way};
use super::question::Question;
use super::run_sets::RunSets;
use super::stubborn::Stubborn;
use super::task::{Change, CountingTask, Effect, Need};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::{Rows, ones};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// More entries than so many are not worth a list.
pub const MOST_ENTRIES: usize = 4_096;
/// Demands that wait, per entry that may be.
const MOST_WAITING: usize = 64;
/// Combinations of words that have a list of their own.
const MOST_KEYS: usize = 64;
/// Lanes that are compared together; rows are padded to it.
const CHUNK: usize = 8;

/// Demands with costs, for every start.
#[derive(Clone, Debug)]
pub struct DemandList {
    /// By variable of the task: how it is demanded, if it is.
    places: Vec<Option<(Form, u16)>>,
    /// How many lanes are bounds, and where sets begin.
    n_bounds: usize,
    first_set: usize,
    n_lanes: usize,
    /// Lanes of a row, padded.
    width: usize,
    rows: Vec<u16>,
    costs: Vec<u64>,
    /// The action to do first; none where the goal holds.
    actions: Vec<Option<u32>>,
    sets: RunSets,
    /// Words that make up a key: variable of the task, how many values.
    keys: Vec<(u32, u16)>,
    /// By key: the entries that may hold.
    by_key: Rows<u32>,
}

impl DemandList {
    /// The list of a task's goal; `None` if it has more entries than so many, at most
    /// [`MOST_ENTRIES`], or demands are too wide.
    pub fn build(task: &CountingTask, limit: usize) -> Option<DemandList> {
        let shifted = with_unknown(task)?;
        let (mut question, mut layout) = (Question::default(), Layout::default());
        question.fill(&shifted, &|_| true);
        if !layout.fill(&question) {
            return None;
        }
        let limit = limit.min(MOST_ENTRIES);
        match layout.n_lanes {
            0..=16 => expand::<16>(task, &question, &mut layout, limit),
            17..=32 => expand::<32>(task, &question, &mut layout, limit),
            33..=64 => expand::<64>(task, &question, &mut layout, limit),
            _ => None,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Whether there are none: the goal can never hold.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        let entries = self.len() * (size_of::<u64>() + size_of::<Option<u32>>());
        2 * self.rows.len() + entries + self.sets.bytes() + self.by_key.bytes()
    }

    /// What the cheapest plan from a state costs, and the action it begins with: none if the goal
    /// holds. `None` if there is no plan.
    pub fn find(&self, state: &[u16]) -> Option<(u64, Option<u32>)> {
        let mut lanes = [0u16; 64];
        for (place, &value) in self.places.iter().zip(state) {
            let &Some((form, top)) = place else { continue };
            let (lane, value) = (usize::from(form.lane()), shifted(value, top));
            match form {
                Form::Lower { .. } | Form::Set { .. } => lanes[lane] = value,
                Form::Between { .. } => {
                    lanes[lane] = value;
                    lanes[lane + 1] = top - value;
                }
                Form::Mask { .. } => lanes[lane] = 1 << value.min(15),
            }
        }
        let mut key = 0;
        for &(variable, n_values) in &self.keys {
            let value = *state.get(variable as usize)?;
            key = key * usize::from(n_values) + usize::from(shifted(value, n_values - 1));
        }
        let mut entries = self.by_key.get(key)?.iter();
        let &entry = entries.find(|&&entry| self.holds(entry as usize, &lanes))?;
        Some((self.costs[entry as usize], self.actions[entry as usize]))
    }

    #[inline]
    fn holds(&self, entry: usize, lanes: &[u16; 64]) -> bool {
        let row = &self.rows[entry * self.width..][..self.width];
        for (from, chunk) in row.chunks_exact(CHUNK).enumerate().map(|(at, c)| (at * CHUNK, c)) {
            let own = &lanes[from..from + CHUNK];
            let is_bad = if from + CHUNK <= self.n_bounds {
                (0..CHUNK).fold(0, |bad, at| bad | chunk[at].saturating_sub(own[at])) != 0
            } else {
                chunk.iter().zip(own).zip(from..).any(|((&asked, &has), lane)| match lane {
                    lane if lane < self.n_bounds => asked > has,
                    lane if lane < self.first_set => asked & has != 0,
                    lane => lane < self.n_lanes && !self.sets.has(asked, has),
                })
            };
            if is_bad {
                return false;
            }
        }
        true
    }
}

/// A value one up, so that unknown is 0; what is none is taken as unknown.
fn shifted(value: u16, top: u16) -> u16 {
    if value < top { value + 1 } else { 0 }
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
    let change = |change: &Change| {
        let effect = match change.effect {
            Effect::Set(value) => Effect::Set(value + 1),
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) => {
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse })
            }
            Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) }) => {
                Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop + 1) })
            }
        };
        Change { variable: change.variable, effect }
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
    limit: usize,
) -> Option<DemandList> {
    let mut model = Model::<u16, L>::default();
    model.fill(question, layout);
    let mut list = DemandList::new(task, question, &model);
    if task.goal().iter().any(|need| need.values.is_empty()) {
        return Some(list);
    }
    let (mut nodes, mut cover) = (Nodes::<u16, L>::default(), Cover::default());
    let mut stubborn = Stubborn::default();
    stubborn.fill(question, &model.layout, &|_| true, false);
    nodes.clear();
    let mut open = BinaryHeap::new();
    let node = nodes.find_or_add(&model.goal)?;
    nodes.ways[node as usize].g = 0;
    open.push(Reverse((0u64, node)));
    while let Some(Reverse((g, node))) = open.pop() {
        let way = nodes.ways[node as usize];
        let demand = nodes.demands[node as usize];
        if way.done || g != way.g {
            continue;
        }
        nodes.ways[node as usize].done = true;
        // What was taken out before is not dearer.
        if cover.find(&model, &demand, [0; 2], |_| true).is_some() {
            continue;
        }
        if list.len() >= limit || nodes.demands.len() > limit.saturating_mul(MOST_WAITING) {
            return None;
        }
        cover.keep(&demand, [0; 2], node, usize::MAX);
        let action = (way.parent != NO_NODE).then(|| question.actions[way.action as usize]);
        list.push(&demand, g, action);
        stubborn.begin();
        for lane in (0..model.layout.n_lanes).filter(|&lane| demand[lane] != 0) {
            stubborn.add(lane);
        }
        for word in 0..stubborn.words {
            for bit in ones(stubborn.tried()[word]) {
                let action = (word * 64 + bit) as u32;
                let Before::Demand(before) = model.before(&demand, action) else { continue };
                if model.is_within(&before, &demand) {
                    continue;
                }
                let g = g.saturating_add(model.costs[action as usize]);
                let found = nodes.find_or_add(&before)?;
                let known = &mut nodes.ways[found as usize];
                if g < known.g {
                    *known = Way { g, parent: node, action, ..*known };
                    open.push(Reverse((g, found)));
                }
            }
        }
        if model.sets.is_full {
            return None;
        }
    }
    list.finish(&model);
    Some(list)
}

impl DemandList {
    fn new<const L: usize>(
        task: &CountingTask,
        question: &Question,
        model: &Model<u16, L>,
    ) -> DemandList {
        let layout = &model.layout;
        let mut places = vec![None; task.n_variables()];
        let mut keys = Vec::new();
        let mut n_keys = 1;
        for (at, (origin, &form)) in question.origins.iter().zip(&layout.forms).enumerate() {
            let top = layout.top(at);
            places[origin.variable as usize] = Some((form, top));
            let n_values = top + 1;
            if matches!(form, Form::Mask { .. }) && n_keys * usize::from(n_values) <= MOST_KEYS {
                n_keys *= usize::from(n_values);
                keys.push((origin.variable, n_values));
            }
        }
        DemandList {
            places,
            n_bounds: layout.n_bounds,
            first_set: layout.sets().start,
            n_lanes: layout.n_lanes,
            width: layout.n_lanes.next_multiple_of(CHUNK),
            rows: Vec::new(),
            costs: Vec::new(),
            actions: Vec::new(),
            sets: RunSets::default(),
            keys,
            by_key: Rows::default(),
        }
    }

    fn push<const L: usize>(&mut self, demand: &Lanes<u16, L>, cost: u64, action: Option<u32>) {
        self.rows.extend_from_slice(&demand[..self.n_lanes]);
        self.rows.resize((self.costs.len() + 1) * self.width, 0);
        self.costs.push(cost);
        self.actions.push(action);
    }

    /// Sorts the entries by words.
    fn finish<const L: usize>(&mut self, model: &Model<u16, L>) {
        self.sets = model.sets.clone();
        let n_keys: usize = self.keys.iter().map(|&(_, n)| usize::from(n)).product();
        for key in 0..n_keys {
            let fits = |entry: &u32| {
                let row = &self.rows[*entry as usize * self.width..][..self.width];
                let mut rest = key;
                self.keys.iter().rev().all(|&(variable, n_values)| {
                    let value = rest % usize::from(n_values);
                    rest /= usize::from(n_values);
                    let form = self.places[variable as usize].map(|(form, _)| form.lane());
                    form.is_none_or(|lane| row[usize::from(lane)] >> value & 1 == 0)
                })
            };
            let entries: Vec<u32> = (0..self.costs.len() as u32).filter(fits).collect();
            self.by_key.push(&entries);
        }
    }
}
