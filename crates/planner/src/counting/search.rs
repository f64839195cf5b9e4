//! The loop of the search from the goal back, for demands of `L` lanes.
//!
//! In:   a question in lanes.
//! Out:  the first demand on a cheapest way that holds at the start; that there is none, and why;
//!       the limit hit.
//! Cost: per node the actions of a stubborn set, an estimate per new demand.
//!
//! Order: least total first, then least rest, then the node found first; actions in their order.
//! In haste there is no estimate: most questions of a game are answered before one has paid for
//! itself. Then the search begins again, with all of them.

use super::cover::{Cover, MOST_KEPT as MOST_COVERING, Ranks};
use super::demand::{Before, Model};
use super::estimate::{Estimates, MOST_KEPT};
use super::lane::{Lane, Lanes};
use super::layout::Layout;
use super::nodes::{NO_NODE, Nodes, Way};
use super::question::Question;
use super::reach::{NEVER, Reach};
use super::solver::{PotentialSolver, Weighed, Weighing, common_divisor};
use super::stubborn::Stubborn;
use super::switches::Switches;
use super::task::Need;
use crate::budget::{Limit, SearchBudget};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::ones;

/// After how many nodes a search that has not ended begins again with estimates.
const HASTE_NODES: u64 = 24;
/// How often the caller's `stop` is asked, in nodes.
const STOP_EVERY: u64 = 1024;
/// After how many nodes the demand at hand is weighed anew.
const REFINE_AT: [u64; MOST_KEPT - 1] = [8, 24, 72, 216, 648];

/// Bits of a rank for what is left, in units; the others are for the total. What is left only parts
/// equals, so more than fits is as much as fits.
const REST_BITS: u32 = 24;
const MOST_REST: u64 = (1 << REST_BITS) - 1;
/// Totals are below this, in units: a thousand steps of the greatest cost.
const MOST_TOTAL: u64 = u64::MAX >> REST_BITS;

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// The way from this node to the goal is a plan.
    At(u32),
    /// There is none.
    Never(CountingProof),
    /// More is demanded of this variable than can be counted.
    Beyond(u32),
}

/// Why there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountingProof {
    /// Some value that is wanted can never be had, even if nothing is ever lost.
    Reach,
    /// Something that no action raises would have to rise.
    Ray,
    /// All that leads to the goal was tried.
    Exhausted,
}

/// A search, kept between calls.
#[derive(Clone, Debug)]
pub(super) struct Search<N, const L: usize> {
    model: Model<N, L>,
    pub(super) nodes: Nodes<N, L>,
    /// The open list: f and h in units of cost, as one number; node.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The greatest common divisor of all costs.
    unit: u64,
    pub(super) estimates: Estimates<L>,
    stubborn: Stubborn,
    cover: Cover<N>,
    /// Without estimates, so far.
    is_hasty: bool,
    /// Nodes since it began with estimates, and how many of the times to weigh anew are over.
    expanded: u64,
    n_refined: usize,
    beyond: Option<u32>,
    needs: Vec<Need>,
}

impl<N: Lane, const L: usize> Default for Search<N, L> {
    fn default() -> Self {
        Search {
            model: Model::default(),
            nodes: Nodes::default(),
            open: BinaryHeap::new(),
            unit: 1,
            estimates: Estimates::default(),
            stubborn: Stubborn::default(),
            cover: Cover::default(),
            is_hasty: false,
            expanded: 0,
            n_refined: 0,
            beyond: None,
            needs: Vec::new(),
        }
    }
}

/// What searches of any width work with.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    pub(super) question: Question,
    pub(super) reach: Reach,
    pub(super) solver: PotentialSolver,
    pub(super) switches: Switches,
    /// Nodes expanded in all.
    pub(super) n_nodes: u64,
}

impl<N: Lane, const L: usize> Search<N, L> {
    /// Begins a question, in haste if that is wanted.
    pub(super) fn begin(&mut self, tools: &Tools, layout: &mut Layout, in_haste: bool) {
        self.model.fill(&tools.question, layout);
        self.estimates.clear();
        self.is_hasty = in_haste;
        self.expanded = 0;
        self.unit = self.model.costs.iter().copied().fold(0, common_divisor).max(1);
        self.nodes.clear();
        if in_haste {
            self.stubborn.fill(&tools.question, &self.model.layout, &|_| true, false);
            self.start_over();
        }
    }

    /// Begins with estimates; a proof if they already say that there is no plan.
    fn begin_estimates(&mut self, tools: &mut Tools) -> Option<CountingProof> {
        let Tools { question, reach, solver, switches, .. } = tools;
        self.is_hasty = false;
        self.expanded = 0;
        self.n_refined = 0;
        self.estimates.clear();
        if switches.reach {
            reach.explore(&question.task, &|variable| question.is_open[variable as usize]);
            self.estimates.set_prices(&self.model, reach);
            let mut goal = question.task.goal().iter();
            if goal.any(|need| reach.price(need.variable, &need.values) == NEVER) {
                return Some(CountingProof::Reach);
            }
        }
        if switches.potentials {
            self.needs.clear();
            self.needs.extend_from_slice(question.task.goal());
            if weigh(question, reach, solver, switches, &self.needs, self.estimates.next())
                .is_some_and(|weighed| self.keep(weighed) == Weighed::Ray)
            {
                return Some(CountingProof::Ray);
            }
        }
        let is_used = |action| !switches.reach || reach.ready(action) != NEVER;
        self.stubborn.fill(question, &self.model.layout, &is_used, switches.stubborn);
        self.start_over();
        None
    }

    /// Keeps what was weighed, if it is worth anything.
    fn keep(&mut self, weighed: Weighed) -> Weighed {
        if weighed != Weighed::Nothing {
            self.estimates.keep(&self.model);
        }
        weighed
    }

    fn start_over(&mut self) {
        self.nodes.clear();
        self.open.clear();
        self.cover.clear();
        self.beyond = None;
        let goal = self.model.goal;
        let way = Way { g: 0, h: 0, parent: NO_NODE, action: 0, n_worths: 0, done: false };
        self.add(&goal, way);
    }

    /// Expands until there is an end, or a limit is hit.
    pub(super) fn run(
        &mut self,
        tools: &mut Tools,
        budget: &SearchBudget<'_>,
        spent: &mut u64,
    ) -> Result<Ended, Limit> {
        let is_new = !self.is_hasty && self.nodes.demands.is_empty();
        if is_new && let Some(proof) = self.begin_estimates(tools) {
            return Ok(Ended::Never(proof));
        }
        while let Some(&Reverse((rank, node))) = self.open.peek() {
            let way = self.nodes.ways[node as usize];
            if way.done || rank != self.rank(&way) {
                self.open.pop();
                continue;
            }
            let demand = self.nodes.demands[node as usize];
            if self.model.holds(&demand) {
                return Ok(Ended::At(node));
            }
            if *spent >= budget.nodes {
                return Err(Limit::Nodes);
            }
            if self.bytes() > budget.bytes || self.nodes.is_full || self.model.sets.is_full {
                return Err(Limit::Memory);
            }
            if spent.is_multiple_of(STOP_EVERY) && budget.stop.is_some_and(|stop| stop()) {
                return Err(Limit::Stopped);
            }
            if self.is_hasty && self.expanded >= HASTE_NODES {
                if let Some(proof) = self.begin_estimates(tools) {
                    return Ok(Ended::Never(proof));
                }
                continue;
            }
            self.open.pop();
            let ranks = self.ranks(&way);
            if self.is_dearer_now(node, &demand) || self.is_covered(tools, node, &demand, ranks) {
                continue;
            }
            *spent += 1;
            tools.n_nodes += 1;
            self.expanded += 1;
            if self.refine(tools, &demand) && self.is_dearer_now(node, &demand) {
                continue;
            }
            self.nodes.ways[node as usize].done = true;
            if tools.switches.cover && !self.is_hasty {
                self.cover.keep(&demand, ranks, node, MOST_COVERING);
            }
            if let Some(node) = self.expand(node, &demand) {
                return Ok(Ended::At(node));
            }
            if let Some(variable) = self.beyond {
                return Ok(Ended::Beyond(variable));
            }
        }
        Ok(Ended::Never(CountingProof::Exhausted))
    }

    pub(super) fn bytes(&self) -> usize {
        let open = self.open.len() * size_of::<(u64, u32)>();
        self.nodes.bytes() + open + self.cover.bytes() + self.model.bytes()
    }

    /// No plan costs less, as far as it has come.
    pub(super) fn bound(&self) -> u64 {
        self.open
            .peek()
            .map_or(0, |Reverse((rank, _))| (rank >> REST_BITS).saturating_mul(self.unit))
    }

    /// Whether potentials that are newer than a node's estimate say more: then it goes back.
    fn is_dearer_now(&mut self, node: u32, demand: &Lanes<N, L>) -> bool {
        let way = &mut self.nodes.ways[node as usize];
        if usize::from(way.n_worths) >= self.estimates.n_worths() {
            return false;
        }
        let h = self.estimates.of(&self.model, demand, usize::from(way.n_worths));
        way.n_worths = self.estimates.n_worths() as u8;
        if h <= way.h {
            return false;
        }
        way.h = h;
        self.push(node);
        true
    }

    fn is_covered(
        &mut self,
        tools: &Tools,
        node: u32,
        demand: &Lanes<N, L>,
        ranks: Ranks<N>,
    ) -> bool {
        if !tools.switches.cover || self.is_hasty {
            return false;
        }
        let ways = &self.nodes.ways;
        let g = ways[node as usize].g;
        let is_fine = |other: u32| other != node && ways[other as usize].g <= g;
        let is_covered = self.cover.find(&self.model, demand, ranks, is_fine).is_some();
        self.nodes.ways[node as usize].done |= is_covered;
        is_covered
    }

    /// Weighs the demand at hand anew, now and then; whether there is a new potential.
    fn refine(&mut self, tools: &mut Tools, demand: &Lanes<N, L>) -> bool {
        let Tools { question, reach, solver, switches, .. } = tools;
        let is_time = REFINE_AT.get(self.n_refined).is_some_and(|&at| self.expanded >= at);
        if self.is_hasty || !switches.refine || !switches.potentials || !is_time {
            return false;
        }
        self.n_refined += 1;
        self.model.needs(demand, &mut self.needs);
        let weighed = weigh(question, reach, solver, switches, &self.needs, self.estimates.next());
        let before = self.estimates.n_worths();
        weighed.is_some_and(|weighed| self.keep(weighed) != Weighed::Nothing)
            && self.estimates.n_worths() > before
    }

    /// Tries the actions of the smallest stubborn set; gives a node that holds at the start and
    /// costs no more than the least that any plan can: nothing better is to come.
    fn expand(&mut self, node: u32, demand: &Lanes<N, L>) -> Option<u32> {
        let way = self.nodes.ways[node as usize];
        let bound = way.g.saturating_add(way.h);
        self.choose(demand);
        for word in 0..self.stubborn.words {
            for bit in ones(self.stubborn.tried()[word]) {
                let action = (word * 64 + bit) as u32;
                let before = match self.model.before(demand, action) {
                    Before::Demand(before) => before,
                    Before::Nothing => continue,
                    Before::Beyond(variable) => {
                        self.beyond = Some(variable);
                        return None;
                    }
                };
                if self.model.is_within(&before, demand) {
                    continue;
                }
                let g = way.g.saturating_add(self.model.costs[action as usize]);
                let way = Way { g, h: 0, parent: node, action, n_worths: 0, done: false };
                let added = self.add(&before, way);
                if let Some((node, f)) = added
                    && f <= bound
                    && self.model.holds(&before)
                {
                    return Some(node);
                }
            }
        }
        None
    }

    /// Finds the actions to try at a demand.
    fn choose(&mut self, demand: &Lanes<N, L>) {
        self.stubborn.begin();
        let n_lanes = self.model.layout.n_lanes;
        for (lane, &asked) in demand[..n_lanes].iter().enumerate() {
            if asked != N::ZERO {
                self.stubborn.add(lane);
            }
        }
        if !self.stubborn.is_on() {
            return;
        }
        let mut best: Option<(u32, usize)> = None;
        for lane in 0..n_lanes {
            if demand[lane] == N::ZERO || !self.is_unmet(demand, lane) {
                continue;
            }
            let n = self.stubborn.count(lane, self.allowed(demand, lane));
            if best.is_none_or(|(least, _)| n < least) {
                best = Some((n, lane));
            }
        }
        if let Some((_, lane)) = best {
            self.stubborn.keep_set(lane, self.allowed(demand, lane));
        }
    }

    fn is_unmet(&self, demand: &Lanes<N, L>, lane: usize) -> bool {
        match self.model.layout.sets().contains(&lane) {
            true => {
                let (set, start) = (demand[lane].narrow(), self.model.start[lane].narrow());
                !self.model.sets.has(set, start)
            }
            false => self.model.unmet(demand, lane) != N::ZERO,
        }
    }

    /// The values that a mask allows.
    fn allowed(&self, demand: &Lanes<N, L>, lane: usize) -> Option<u16> {
        (self.model.is_mask[lane] != N::ZERO).then_some(!demand[lane].narrow() & 0x7fff)
    }

    /// Adds a node or betters it by a cheaper way; gives its number and f if it did.
    fn add(&mut self, demand: &Lanes<N, L>, way: Way) -> Option<(u32, u64)> {
        let node = self.nodes.find_or_add(demand)?;
        let before = self.nodes.ways[node as usize];
        if way.g >= before.g {
            return None;
        }
        let (h, n_worths) = match before.g {
            u64::MAX => {
                let h = self.estimates.of(&self.model, demand, 0);
                (h, self.estimates.n_worths() as u8)
            }
            _ => (before.h, before.n_worths),
        };
        self.nodes.ways[node as usize] = Way { h, n_worths, ..way };
        self.push(node);
        (h != NEVER).then(|| (node, way.g.saturating_add(h)))
    }

    /// Puts a node into the open list, unless it can never be had.
    fn push(&mut self, node: u32) {
        let way = self.nodes.ways[node as usize];
        if way.h != NEVER {
            let rank = self.rank(&way);
            // Beyond this costs cannot be told apart.
            self.nodes.is_full |= rank >> REST_BITS == MOST_TOTAL;
            self.open.push(Reverse((rank, node)));
        }
    }

    /// Least total first, then least rest.
    fn rank(&self, way: &Way) -> u64 {
        let total = way.g.saturating_add(way.h) / self.unit;
        total.min(MOST_TOTAL) << REST_BITS | (way.h / self.unit).min(MOST_REST)
    }

    /// What a node costs and what is left, in units.
    fn ranks(&self, way: &Way) -> Ranks<N> {
        let total = way.g.saturating_add(way.h) / self.unit;
        let rest = way.h / self.unit;
        [N::capped(total.saturating_sub(rest)), N::capped(rest)]
    }
}

/// Weighs a demand by actions that can run; `None` if potentials are not wanted.
fn weigh(
    question: &Question,
    reach: &Reach,
    solver: &mut PotentialSolver,
    switches: &Switches,
    wanted: &[Need],
    into: &mut super::potential::Potential,
) -> Option<Weighed> {
    let asked = Weighing {
        task: &question.task,
        open: |variable: u32| question.is_open[variable as usize],
        used: |action: u32| !switches.reach || reach.ready(action) != NEVER,
        wanted,
        start: question.task.start(),
        caps: false,
    };
    switches.potentials.then(|| solver.solve(&asked, into))
}
