//! Goal-oriented action planning: A* from the goal back to what holds now.
//!
//! In:   a problem of a type whose states take few words, a mode, a budget.
//! Out:  a cheapest (or shortest, or any) plan, a proof that there is none, or the limit hit.
//! Cost: one look at the setters of each demanded value per node; no allocation once warm.
//!
//! A node is a set of *demands*: values that must hold so that the rest of the plan runs. It
//! begins as the goal. An action that sets a demanded value, and no other value of a demanded
//! variable, takes off the demands that it meets and adds what it needs. Whoever demands only
//! what holds now is a plan. What nobody demands is never looked at, so a soldier with forty
//! actions weighs the five that matter.
//!
//! Follows "Applying Goal-Oriented Action Planning to Games" and "Three States and a Plan: The
//! A.I. of F.E.A.R.", with three corrections. *Every* demand may be supported by an action, not
//! only those that do not hold now: some plans must destroy what holds and bring it back. A
//! demand is never overwritten by another value: such an action does not fit here. And the
//! estimate never exceeds the true price, so `cheapest` is.
//!
//! Most questions of a game are answered in a few nodes, before a good estimate has paid for
//! itself. So a search begins with a bad one, the number of demands that do not hold (or their
//! shares of prices, known at load); if it has not ended after `HASTE` nodes, it begins again
//! with a good one (`reach`).
//!
//! 1. `nodes`: the demands met so far, and how.
//! 2. `reach`: the least that a value costs from here.
//! 3. `search`: the loop.

mod nodes;
mod reach;
mod search;

use crate::outcome::{Answer, Budget, Limit, Mode, Outcome};
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use crate::replay::replay;
use search::{Found, Search};
use throng_domain::Milli;
use throng_domain::compile::{ActionMasks, CompiledDomain, Digest, LocalAction, NpcType, Value};

/// After how many nodes a search that has not ended begins again with a better estimate.
const HASTE: u64 = 24;

/// How many parts of a goal are tried alone and in pairs, to say which of them is out of reach.
const MOST_PARTS: usize = 8;
/// And with how many nodes each.
const NODES_PER_PART: u64 = 2_000;

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Scratch {
    one: Search<1>,
    two: Search<2>,
    four: Search<4>,
    eight: Search<8>,
    relaxed: Relaxed,
    state: Vec<Value>,
    /// What the search is about, while it can be resumed.
    under_way: Option<(Digest, Problem, Mode)>,
    nodes: u64,
    nodes_of_last_call: u64,
}

/// Whether this engine can serve a type: its states take few words.
pub fn serves(npc: &NpcType) -> bool {
    npc.masks().is_some()
}

/// Plans from the beginning, whatever the scratch held before. A type that this engine does not
/// [serve](serves) gets the answer of a memory limit.
pub fn plan(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
) -> Answer {
    plan.clear();
    scratch.under_way = None;
    scratch.nodes = 0;
    scratch.nodes_of_last_call = 0;
    let npc = problem.kind(domain);
    if let Some(reason) = Reason::outside(problem) {
        return Answer { outcome: Outcome::Impossible(reason), nodes: 0 };
    }
    if problem.is_goal(problem.start()) {
        return Answer { outcome: Outcome::Satisfied, nodes: 0 };
    }
    let Some(masks) = npc.masks() else {
        return Answer { outcome: Outcome::GaveUp(Limit::Memory), nodes: 0 };
    };
    scratch.begin(npc, masks, problem, mode);
    run(domain, problem, mode, budget, scratch, plan)
}

/// Goes on with a search that gave up; plans from the beginning if the scratch is about
/// something else.
pub fn resume(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    buffer: &mut Vec<LocalAction>,
) -> Answer {
    if !scratch.is_about(domain, problem, mode) {
        return plan(domain, problem, mode, budget, scratch, buffer);
    }
    buffer.clear();
    run(domain, problem, mode, budget, scratch, buffer)
}

fn run(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
) -> Answer {
    let npc = problem.kind(domain);
    let before = scratch.nodes;
    let found = match npc.masks() {
        Some(masks) => scratch.search(npc, masks, problem, mode, budget, plan),
        None => Found::Limit(Limit::Memory),
    };
    scratch.nodes_of_last_call = scratch.nodes - before;
    let outcome = match found {
        Found::Plan => match replay(npc, problem, plan, &mut scratch.state) {
            Some(cost) => Outcome::Plan { cost: Milli(cost) },
            // Cannot happen; if it does, saying "unknown" is the only honest answer.
            None => {
                plan.clear();
                Outcome::GaveUp(Limit::Stopped)
            }
        },
        Found::Nothing => {
            let tried = scratch.nodes;
            let reason = scratch.why(domain, problem, mode, budget, tried);
            scratch.nodes = tried;
            Outcome::Impossible(reason)
        }
        Found::Limit(limit) => {
            if scratch.under_way.is_none() {
                scratch.under_way = Some((domain.digest(), problem.clone(), mode));
            }
            return Answer { outcome: Outcome::GaveUp(limit), nodes: scratch.nodes };
        }
    };
    scratch.under_way = None;
    Answer { outcome, nodes: scratch.nodes }
}

impl Scratch {
    /// Lets the next search begin anew, whatever was under way.
    pub fn forget(&mut self) {
        self.under_way = None;
    }

    /// How many nodes a search for this problem has expanded, if one is under way.
    pub fn nodes_so_far(&self, domain: &CompiledDomain, problem: &Problem, mode: Mode) -> u64 {
        if self.is_about(domain, problem, mode) { self.nodes } else { 0 }
    }

    fn is_about(&self, domain: &CompiledDomain, problem: &Problem, mode: Mode) -> bool {
        self.under_way.as_ref().is_some_and(|(digest, before, before_mode)| {
            (*digest, *before_mode) == (domain.digest(), mode) && before == problem
        })
    }

    /// How many bytes the searches hold.
    pub fn bytes(&self) -> usize {
        self.one.bytes() + self.two.bytes() + self.four.bytes() + self.eight.bytes()
    }

    /// How many nodes the last call expanded.
    pub fn nodes_of_last_call(&self) -> u64 {
        self.nodes_of_last_call
    }

    fn begin(&mut self, npc: &NpcType, masks: &ActionMasks, problem: &Problem, mode: Mode) {
        match masks.n_words() {
            1 => self.one.begin(npc, problem, mode),
            2 => self.two.begin(npc, problem, mode),
            4 => self.four.begin(npc, problem, mode),
            _ => self.eight.begin(npc, problem, mode),
        }
    }

    fn search(
        &mut self,
        npc: &NpcType,
        masks: &ActionMasks,
        problem: &Problem,
        mode: Mode,
        budget: &Budget<'_>,
        plan: &mut Vec<LocalAction>,
    ) -> Found {
        let nodes = &mut self.nodes;
        match masks.n_words() {
            1 => self.one.run(npc, masks, problem, mode, budget, nodes, plan),
            2 => self.two.run(npc, masks, problem, mode, budget, nodes, plan),
            4 => self.four.run(npc, masks, problem, mode, budget, nodes, plan),
            _ => self.eight.run(npc, masks, problem, mode, budget, nodes, plan),
        }
    }

    /// After everything was tried: a value out of reach, else the smallest part of the goal that
    /// is.
    fn why(
        &mut self,
        domain: &CompiledDomain,
        problem: &Problem,
        mode: Mode,
        budget: &Budget<'_>,
        tried: u64,
    ) -> Reason {
        if !problem.says_why() {
            return Reason::unsaid(problem.npc());
        }
        let npc = problem.kind(domain);
        self.relaxed.explore(npc, problem);
        if let Some(reason) = Reason::out_of_reach(domain, problem, &self.relaxed) {
            return reason;
        }
        // Little more work than the answer itself was. It does not come out of the caller's count
        // of nodes: interrupted or not, the same question has the same reason.
        let nodes = tried.saturating_add(NODES_PER_PART);
        let mut allowed = Budget { nodes, ..*budget };
        let goal = problem.goal();
        let few = &goal[..goal.len().min(MOST_PARTS)];
        let never =
            few.iter().find(|&&fact| self.is_impossible(npc, problem, mode, &[fact], &mut allowed));
        let pairs = few.iter().enumerate();
        let mut pairs = pairs.flat_map(|(at, &a)| few[at + 1..].iter().map(move |&b| [a, b]));
        let pair = match never {
            Some(_) => None,
            None => pairs.find(|pair| self.is_impossible(npc, problem, mode, pair, &mut allowed)),
        };
        // A goal without parts is satisfied before any search, so there is a first.
        let wanted = never.copied().or(pair.map(|[a, _]| a)).or(goal.first().copied());
        Reason {
            npc: problem.npc(),
            wanted: wanted.map(|fact| npc.fact(fact)),
            chain: Vec::new(),
            root: Root::NoWayBack {
                never: never.map(|&fact| npc.fact(fact)),
                never_together: pair.map(|[a, b]| (npc.fact(a), npc.fact(b))),
                tried,
            },
            far: None,
        }
    }

    /// Whether a part of a goal is out of reach by itself; `false` if that takes too long to know.
    fn is_impossible(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        mode: Mode,
        part: &[throng_domain::compile::LocalFact],
        allowed: &mut Budget<'_>,
    ) -> bool {
        let Some(masks) = npc.masks() else { return false };
        let part = problem.with_goal(part);
        let budget = Budget { nodes: NODES_PER_PART.min(allowed.nodes), ..*allowed };
        self.begin(npc, masks, &part, mode);
        let (mut way, before) = (Vec::new(), self.nodes);
        let found = self.search(npc, masks, &part, mode, &budget, &mut way);
        allowed.nodes -= (self.nodes - before).min(allowed.nodes);
        found == Found::Nothing
    }
}
