//! The loop of the regressive search, for states of `W` words.
//!
//! In:   the tables of masks, a problem.
//! Out:  a plan, or that there is none, or the limit hit.
//! Cost: per node the setters of its demands.
//!
//! Order: least total first, then least rest, then the node found first. Actions are tried by
//! demanded variable, then in file order.

use super::HASTE_NODES;
use super::nodes::{Demands, NO_NODE, NodeCost, Nodes};
use crate::budget::{Limit, Mode, SearchBudget};
use crate::heuristic::{NEVER, RelaxedCosts, Together};
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::tables::{ActionMasks, look_and_see};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::reset;
use throng_domain::compile::{LocalAction, NpcTables};

/// How often the caller's `stop` is asked, in nodes.
const STOP_EVERY: u64 = 1024;

/// Most searches of games have fewer nodes open: there is room for them from the beginning.
const FEW: usize = 256;

/// How the price of what is left is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Heuristic {
    /// So many demands do not hold, and an action meets only so many; or what they cost if an action
    /// that meets several is paid by all of them.
    #[default]
    Count,
    /// By delete relaxation.
    Relaxed,
}

/// What a search looks up.
#[derive(Clone, Copy)]
pub(super) struct Table<'t> {
    npc: &'t NpcTables,
    problem: &'t Problem,
    mode: Mode,
    pub(super) masks: &'t ActionMasks,
}

impl<'t> Table<'t> {
    /// `None` if the states of the type take too many words.
    pub(super) fn new(
        domain: &'t PreparedDomain,
        problem: &'t Problem,
        mode: Mode,
    ) -> Option<Self> {
        let masks = domain.tables(problem.npc()).masks.as_ref()?;
        Some(Table { npc: problem.kind(domain), problem, mode, masks })
    }
}

/// A search, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Search<const W: usize> {
    nodes: Nodes<W>,
    /// The open list: f, h, node.
    open: BinaryHeap<Reverse<(u64, u64, u32)>>,
    costs: RelaxedCosts,
    heuristic: Heuristic,
    start: Vec<u64>,
    /// For the count: the cheapest action, and the most that one sets.
    least: u64,
    most_sets: u64,
    /// Whether the shares of the type's tables say more: costs are the domain's and every demand
    /// is one that they know of.
    by_shares: bool,
}

impl<const W: usize> Search<W> {
    /// Begins a search in haste.
    pub(super) fn begin(&mut self, table: &Table<'_>) {
        let &Table { npc, problem, mode, masks } = table;
        reset(&mut self.start, W, 0);
        npc.layout().pack(problem.start(), &mut self.start);
        self.least = match (mode, problem.own_costs().iter().copied().min()) {
            (Mode::Cheapest, None) => masks.least_cost(),
            (Mode::Cheapest, Some(least)) => least,
            (Mode::Shortest | Mode::Fast, _) => 1,
        };
        self.most_sets = masks.most_sets();
        self.by_shares = mode == Mode::Cheapest
            && problem.own_costs().is_empty()
            && problem.goal().iter().all(|&fact| masks.is_demandable(npc.slot(fact)));
        self.start_over(table, Heuristic::Count);
    }

    fn start_over(&mut self, table: &Table<'_>, heuristic: Heuristic) {
        let Table { npc, problem, .. } = table;
        self.heuristic = heuristic;
        self.nodes.clear();
        self.open.clear();
        self.open.reserve(FEW);
        let mut goal = Demands { look: [0; W], see: [0; W] };
        look_and_see(npc.layout(), problem.goal(), &mut goal.look, &mut goal.see);
        if let Some(node) = self.nodes.find_or_add(goal) {
            self.nodes.ways[node as usize].g = 0;
            self.open.push(Reverse((0, 0, node)));
        }
    }

    /// Expands until a plan is found (true), nothing is left to expand (false), or a limit is hit.
    pub(super) fn run(
        &mut self,
        table: &Table<'_>,
        budget: &SearchBudget<'_>,
        nodes: &mut u64,
        plan: &mut Vec<LocalAction>,
    ) -> Result<bool, Limit> {
        let mut expanded = 0;
        while let Some(&Reverse((_, _, node))) = self.open.peek() {
            let way = self.nodes.ways[node as usize];
            if way.done {
                self.open.pop();
                continue;
            }
            let demands = self.nodes.demands[node as usize];
            if self.holds_now(&demands) {
                self.extract_plan(node, plan);
                return Ok(true);
            }
            if expanded >= budget.nodes {
                return Err(Limit::Nodes);
            }
            if self.bytes() > budget.bytes || self.nodes.is_full {
                return Err(Limit::Memory);
            }
            if expanded % STOP_EVERY == 0 && budget.stop.is_some_and(|stop| stop()) {
                return Err(Limit::Stopped);
            }
            if self.heuristic == Heuristic::Count && *nodes >= HASTE_NODES {
                let &Table { npc, problem, mode, .. } = table;
                let together = match mode {
                    Mode::Fast => Together::Sum,
                    Mode::Cheapest | Mode::Shortest => Together::Dearest,
                };
                let is_there = |action: &LocalAction| problem.enabled().has(*action);
                let step_cost = |action| problem.step_cost(npc, mode, action);
                let costs = |action| Some(action).filter(is_there).map(step_cost);
                self.costs.explore(npc, problem.start(), together, costs);
                self.start_over(table, Heuristic::Relaxed);
                continue;
            }
            self.open.pop();
            self.nodes.ways[node as usize].done = true;
            expanded += 1;
            *nodes += 1;
            if let Some(node) = self.expand(table, node, &demands) {
                self.extract_plan(node, plan);
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.len() * size_of::<(u64, u64, u32)>()
    }

    fn holds_now(&self, demands: &Demands<W>) -> bool {
        (0..W).all(|at| self.start[at] & demands.look[at] == demands.see[at])
    }

    /// Tries every action that meets a demand; gives a node that demands only what holds now and
    /// costs no more than the least that any plan can: nothing better is to come.
    fn expand(&mut self, table: &Table<'_>, node: u32, demands: &Demands<W>) -> Option<u32> {
        let &Table { npc, problem, mode, masks } = table;
        let way = self.nodes.ways[node as usize];
        let bound = self.f(mode, way.g, way.h);
        for word in 0..W {
            let mut open = demands.look[word];
            while open != 0 {
                let field = masks.field(word, open.trailing_zeros());
                open &= !field.mask;
                let value = (demands.see[word] & field.mask) >> field.shift;
                for &action in npc.setters((field.first_slot as usize) + value as usize) {
                    if !problem.enabled().has(action) {
                        continue;
                    }
                    let row = masks.action::<W>(action);
                    // An action that meets several demands is tried for the first.
                    let earlier = |at: usize| row[2][at] & demands.look[at];
                    let below = earlier(word) & ((1 << field.shift) - 1);
                    if below != 0 || (0..word).any(|at| earlier(at) != 0) {
                        continue;
                    }
                    if let Some(before) = regress(demands, &row) {
                        let g = way.g.saturating_add(problem.step_cost(npc, mode, action));
                        let holds = self.holds_now(&before);
                        let way = NodeCost { g, h: 0, parent: node, action, done: false };
                        let added = self.add(table, before, way);
                        if holds && added.is_some_and(|(_, f)| f <= bound) {
                            return added.map(|(node, _)| node);
                        }
                    }
                }
            }
        }
        None
    }

    /// Adds a node or betters it by a cheaper way; gives its number and f if it did.
    fn add(&mut self, table: &Table<'_>, demands: Demands<W>, way: NodeCost) -> Option<(u32, u64)> {
        let node = self.nodes.find_or_add(demands)?;
        let before = self.nodes.ways[node as usize];
        if way.g >= before.g {
            return None;
        }
        let is_new = before.g == u64::MAX;
        let h = if is_new { self.h(table, &demands) } else { before.h };
        self.nodes.ways[node as usize] = NodeCost { h, ..way };
        if h == NEVER {
            return None;
        }
        let f = self.f(table.mode, way.g, h);
        self.open.push(Reverse((f, h, node)));
        Some((node, f))
    }

    fn f(&self, mode: Mode, g: u64, h: u64) -> u64 {
        match (self.heuristic, mode) {
            // Any plan, soon: whatever seems nearest to what holds now.
            (Heuristic::Relaxed, Mode::Fast) => h,
            _ => g.saturating_add(h),
        }
    }

    /// The heuristic of demands: the least that they cost from what holds now.
    fn h(&self, table: &Table<'_>, demands: &Demands<W>) -> u64 {
        let &Table { mode, masks, .. } = table;
        let mut unmet = 0u64;
        let mut cost = 0u64;
        let mut shares = 0u64;
        for word in 0..W {
            let differs = (self.start[word] ^ demands.see[word]) & demands.look[word];
            let mut open = differs;
            while open != 0 {
                let field = masks.field(word, open.trailing_zeros());
                open &= !field.mask;
                unmet += 1;
                let value = (demands.see[word] & field.mask) >> field.shift;
                let slot = field.first_slot as usize + value as usize;
                if self.by_shares {
                    shares = shares.saturating_add(masks.share(slot));
                }
                if self.heuristic == Heuristic::Relaxed {
                    let one = self.costs.cost[slot];
                    cost = match mode {
                        Mode::Fast => cost.saturating_add(one),
                        Mode::Cheapest | Mode::Shortest => cost.max(one),
                    };
                }
            }
        }
        match self.heuristic {
            Heuristic::Relaxed => cost.max(shares),
            Heuristic::Count if self.by_shares => shares,
            Heuristic::Count => unmet.div_ceil(self.most_sets) * self.least,
        }
    }

    /// The way from a node to the goal is the plan.
    fn extract_plan(&self, mut node: u32, plan: &mut Vec<LocalAction>) {
        plan.clear();
        loop {
            let way = self.nodes.ways[node as usize];
            if way.parent == NO_NODE {
                return;
            }
            plan.push(way.action);
            node = way.parent;
        }
    }
}

/// What must hold before an action so that the demands hold after it; `None` if it sets another
/// value of a demanded variable, or needs another value of one that it leaves alone.
fn regress<const W: usize>(after: &Demands<W>, action: &[[u64; W]; 4]) -> Option<Demands<W>> {
    let [needs_look, needs_see, sets_look, sets_see] = action;
    let mut before = Demands { look: [0; W], see: [0; W] };
    let mut clash = 0;
    for at in 0..W {
        let kept = after.look[at] & !sets_look[at];
        clash |= after.look[at] & sets_look[at] & (after.see[at] ^ sets_see[at]);
        clash |= kept & needs_look[at] & (after.see[at] ^ needs_see[at]);
        before.look[at] = kept | needs_look[at];
        before.see[at] = (after.see[at] & kept) | needs_see[at];
    }
    (clash == 0).then_some(before)
}
