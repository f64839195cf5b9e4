//! Why there is no plan, as the topological planner knows it: reasons that hold for every planner.
//!
//! In:   what closure or order came to.
//! Out:  the simplest reason that holds: a value nobody can reach comes before an order that
//!       nobody can find.
//! Cost: one exploration of what could be reached at all.

use super::closure::OffTheWay;
use super::order::{Order, Ordered};
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use throng_domain::compile::{CompiledDomain, LocalAction, LocalFact, NpcType, UNKNOWN};

/// The root of actions that cannot be ordered.
pub(super) fn no_order(npc: &NpcType, order: &Order, ordered: Ordered) -> Root {
    let id = |action: LocalAction| npc.actions()[action.index()];
    // What choices came to is only about this order if there were any.
    if ordered != Ordered::Exhausted {
        return Root::BeforeAndAfter(order.cycle().into_iter().map(id).collect());
    }
    match order.torn() {
        Some(torn) => {
            let [by, ends, restores] = torn.map(id);
            Root::NeitherBeforeNorAfter { by, ends, restores }
        }
        None => {
            let torn = order.first_choice().map(|torn| torn.map(id));
            Root::NoOrder { example: Vec::new(), torn, by_going_back: false }
        }
    }
}

/// A value out of reach, if there is one; else the root that is given.
pub(super) fn simplest(
    domain: &CompiledDomain,
    problem: &Problem,
    root: Root,
    relaxed: &mut Relaxed,
) -> Reason {
    if !problem.says_why() {
        return Reason::unsaid(problem.npc());
    }
    relaxed.explore(problem.kind(domain), problem);
    let out_of_reach = Reason::out_of_reach(domain, problem, relaxed);
    let given = Reason { npc: problem.npc(), wanted: None, chain: Vec::new(), root, far: None };
    out_of_reach.unwrap_or(given)
}

/// The reason of a closure that fails.
pub(super) fn off_the_way(
    domain: &CompiledDomain,
    problem: &Problem,
    off: OffTheWay,
    relaxed: &mut Relaxed,
) -> Reason {
    if !problem.says_why() {
        return Reason::unsaid(problem.npc());
    }
    let npc = problem.kind(domain);
    let variable = off.needed.variable;
    let start = problem.start()[variable.index()];
    let start = (start != UNKNOWN).then_some(LocalFact { variable, value: start });
    let end = problem.goal().iter().find(|wanted| wanted.variable == variable);
    let root = Root::NotOnTheWay {
        needed: npc.fact(off.needed),
        by: off.by.map(|action| npc.actions()[action.index()]),
        start: start.map(|fact| npc.fact(fact)),
        end: end.map(|&fact| npc.fact(fact)),
    };
    let mut reason = simplest(domain, problem, root, relaxed);
    // If the goal itself wants it, that is what cannot be reached.
    if reason.wanted.is_none() && off.by.is_none() {
        reason.wanted = Some(npc.fact(off.needed));
    }
    reason
}
