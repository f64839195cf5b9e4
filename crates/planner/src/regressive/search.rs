//! The loop of the regressive search, for states of `W` words.
//!
//! In:   the tables of masks, a problem.
//! Out:  a plan, or that there is none, or the limit hit.
//! Cost: per node the setters of its demands.
//!
//! Order: least total first, then least rest, then the node found first. Actions are tried by
//! demanded variable, then in file order.

use super::HASTE_NODES;
use super::nodes::{Demands, NO_NODE, Node, Nodes};
use super::open::{Entry, OpenList};
use crate::budget::{Limit, Mode, SearchBudget};
use crate::call::Call;
use crate::heuristic::{NEVER, RelaxedCosts, Together};
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::tables::{ActionMasks, look_and_see};
use throng_domain::compile::{LocalAction, NpcTables};

/// How often the caller's `stop` is asked, in nodes.
const STOP_EVERY: u64 = 1024;

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
    /// The start as it is packed, if the caller has it at hand.
    start: Option<&'t [u64]>,
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
        Some(Table { npc: problem.kind(domain), problem, mode, start: None, masks })
    }

    /// The same for a call.
    pub(super) fn of_call(call: &Call<'t>) -> Option<Self> {
        let table = Table::new(call.domain, call.problem, call.mode)?;
        Some(Table { start: call.start_words, ..table })
    }

    /// The start as it is packed, in the number of words that the masks have.
    fn packed_start<const W: usize>(&self) -> [u64; W] {
        let mut start = [0; W];
        let layout = self.npc.layout();
        match self.start {
            // So few words are moved one by one.
            Some(at_hand) => start.iter_mut().zip(at_hand).for_each(|(to, &word)| *to = word),
            None => layout.pack(self.problem.start(), &mut start[..layout.n_words()]),
        }
        start
    }
}

/// A search, kept between calls.
#[derive(Debug)]
pub(super) struct Search<const W: usize> {
    nodes: Nodes<W>,
    open: OpenList,
    costs: RelaxedCosts,
    heuristic: Heuristic,
    start: [u64; W],
    /// For the count: the cheapest action, and the most that one sets.
    least: u64,
    most_sets: u64,
    /// Whether the shares of the type's tables say more: costs are the domain's and every demand
    /// is one that they know of.
    by_shares: bool,
}

impl<const W: usize> Default for Search<W> {
    fn default() -> Self {
        Search {
            nodes: Nodes::default(),
            open: OpenList::default(),
            costs: RelaxedCosts::default(),
            heuristic: Heuristic::default(),
            start: [0; W],
            least: 0,
            most_sets: 1,
            by_shares: false,
        }
    }
}

impl<const W: usize> Search<W> {
    /// Begins a search in haste.
    pub(super) fn begin(&mut self, table: &Table<'_>) {
        let &Table { npc, problem, mode, masks, .. } = table;
        self.start = table.packed_start();
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
        let mut goal = Demands { look: [0; W], see: [0; W] };
        look_and_see(npc.layout(), problem.goal(), &mut goal.look, &mut goal.see);
        if let Some(node) = self.nodes.find_or_add(&goal) {
            self.nodes.all[node as usize].g = 0;
            self.open.push((0, 0, node));
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
        while let Some(entry) = self.open.pop() {
            let (.., at) = entry;
            let node = self.nodes.all[at as usize];
            if node.done {
                continue;
            }
            if self.holds_now(&node.demands) {
                self.extract_plan(at, plan);
                return Ok(true);
            }
            if let Some(limit) = self.limit(budget, expanded) {
                // It is the first when the search goes on.
                self.open.push(entry);
                return Err(limit);
            }
            if self.heuristic == Heuristic::Count && *nodes >= HASTE_NODES {
                self.start_better(table);
                continue;
            }
            self.nodes.all[at as usize].done = true;
            expanded += 1;
            *nodes += 1;
            if let Some(found) = self.expand(table, at, &node) {
                self.extract_plan(found, plan);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The limit that a search hits before it expands the node that it has taken out.
    #[inline]
    fn limit(&self, budget: &SearchBudget<'_>, expanded: u64) -> Option<Limit> {
        if expanded >= budget.nodes {
            return Some(Limit::Nodes);
        }
        if self.bytes() + size_of::<Entry>() > budget.bytes || self.nodes.is_full {
            return Some(Limit::Memory);
        }
        let asks = expanded.is_multiple_of(STOP_EVERY);
        (asks && budget.stop.is_some_and(|stop| stop())).then_some(Limit::Stopped)
    }

    /// Begins again with a good estimate.
    #[cold]
    fn start_better(&mut self, table: &Table<'_>) {
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
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.len() * size_of::<Entry>()
    }

    /// Without a jump per word.
    #[inline]
    fn holds_now(&self, demands: &Demands<W>) -> bool {
        let differ = |at: usize| (self.start[at] ^ demands.see[at]) & demands.look[at];
        (0..W).fold(0, |all, at| all | differ(at)) == 0
    }

    /// Tries every action that meets a demand; gives a node that demands only what holds now and
    /// costs no more than the least that any plan can: nothing better is to come.
    #[inline]
    fn expand(&mut self, table: &Table<'_>, at: u32, node: &Node<W>) -> Option<u32> {
        let &Table { npc, problem, mode, masks, .. } = table;
        let (demands, enabled) = (&node.demands, problem.enabled());
        let bound = self.f(mode, node.g, node.h);
        for word in 0..W {
            let mut open = demands.look[word];
            while open != 0 {
                let field = masks.field(word, open.trailing_zeros());
                open &= !field.mask;
                let below = demands.look[word] & ((1 << field.shift) - 1);
                for &action in npc.setters(field.slot(demands.see[word])) {
                    if !enabled.has(action) {
                        continue;
                    }
                    let row = masks.action::<W>(action);
                    // An action that meets several demands is tried for the first.
                    let before = (0..word).fold(0, |all, at| all | row[2][at] & demands.look[at]);
                    if before | (row[2][word] & below) != 0 {
                        continue;
                    }
                    let Some(before) = regress(demands, &row) else { continue };
                    let g = node.g.saturating_add(problem.step_cost(npc, mode, action));
                    let added = self.add(table, &before, (at, action), g);
                    if let Some((found, f)) = added
                        && f <= bound
                        && self.holds_now(&before)
                    {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// Adds a node or betters it by a cheaper way; gives its number and f if it did.
    #[inline]
    fn add(
        &mut self,
        table: &Table<'_>,
        demands: &Demands<W>,
        (parent, action): (u32, LocalAction),
        g: u64,
    ) -> Option<(u32, u64)> {
        let at = self.nodes.find_or_add(demands)?;
        let before = &self.nodes.all[at as usize];
        if g >= before.g {
            return None;
        }
        let h = if before.g == u64::MAX { self.h(table, demands) } else { before.h };
        let node = &mut self.nodes.all[at as usize];
        *node = Node { g, h, parent, action, done: false, ..*node };
        if h == NEVER {
            return None;
        }
        let f = self.f(table.mode, g, h);
        self.open.push((f, h, at));
        Some((at, f))
    }

    #[inline]
    fn f(&self, mode: Mode, g: u64, h: u64) -> u64 {
        match (self.heuristic, mode) {
            // Any plan, soon: whatever seems nearest to what holds now.
            (Heuristic::Relaxed, Mode::Fast) => h,
            _ => g.saturating_add(h),
        }
    }

    /// The heuristic of demands: the least that they cost from what holds now.
    #[inline]
    fn h(&self, table: &Table<'_>, demands: &Demands<W>) -> u64 {
        match self.heuristic {
            Heuristic::Relaxed => self.relaxed(table, demands),
            Heuristic::Count if self.by_shares => self.shares(table, demands),
            Heuristic::Count => {
                let mut unmet = 0u64;
                self.each_unmet(table, demands, |_| unmet += 1);
                unmet.div_ceil(self.most_sets) * self.least
            }
        }
    }

    fn shares(&self, table: &Table<'_>, demands: &Demands<W>) -> u64 {
        let mut shares = 0u64;
        let masks = table.masks;
        self.each_unmet(table, demands, |slot| shares = shares.saturating_add(masks.share(slot)));
        shares
    }

    #[inline(never)]
    fn relaxed(&self, table: &Table<'_>, demands: &Demands<W>) -> u64 {
        let mut cost = 0u64;
        self.each_unmet(table, demands, |slot| {
            let one = self.costs.cost[slot];
            cost = match table.mode {
                Mode::Fast => cost.saturating_add(one),
                Mode::Cheapest | Mode::Shortest => cost.max(one),
            };
        });
        if self.by_shares { cost.max(self.shares(table, demands)) } else { cost }
    }

    /// The slots of the demands that do not hold now.
    #[inline]
    fn each_unmet(&self, table: &Table<'_>, demands: &Demands<W>, mut visit: impl FnMut(usize)) {
        for word in 0..W {
            let mut open = (self.start[word] ^ demands.see[word]) & demands.look[word];
            while open != 0 {
                let field = table.masks.field(word, open.trailing_zeros());
                open &= !field.mask;
                visit(field.slot(demands.see[word]));
            }
        }
    }

    /// The way from a node to the goal is the plan.
    fn extract_plan(&self, mut at: u32, plan: &mut Vec<LocalAction>) {
        plan.clear();
        loop {
            let node = &self.nodes.all[at as usize];
            if node.parent == NO_NODE {
                return;
            }
            plan.push(node.action);
            at = node.parent;
        }
    }
}

/// What must hold before an action so that the demands hold after it; `None` if it sets another
/// value of a demanded variable, or needs another value of one that it leaves alone.
#[inline]
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
