//! Why there is no plan, as the topological planner knows it: reasons that hold for every planner.
//!
//! In:   the result of closure or order.
//! Out:  the simplest reason that holds: a value out of reach comes before an order that
//!       does not exist.
//! Cost: what is known at once; whether a value is out of reach is found when it is asked for.

use super::closure::OffTheWay;
use super::order::{Order, Ordered};
use crate::problem::Problem;
use crate::proof::{Found, Proof};
use crate::reason::{Reason, Root};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, UNKNOWN};
use throng_domain::model::{Fact, Range};

/// The root of actions that cannot be ordered.
pub(super) fn no_order(npc: &NpcTables, order: &Order, ordered: Ordered) -> Root {
    let id = |action: LocalAction| npc.actions()[action.index()];
    // Refused choices are only about this order if there were any.
    if ordered != Ordered::Exhausted {
        return Root::BeforeAndAfter(order.graph.cycle().into_iter().map(id).collect());
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

/// A value out of reach, if there is one; else the root that is given, about what is wanted.
pub(super) fn simplest(
    problem: &Problem,
    wanted: Option<Fact>,
    root: impl FnOnce() -> Root,
) -> Proof {
    let reason =
        || Reason { wanted: wanted.map(Range::from), ..Reason::new(problem.npc(), root()) };
    Proof::new(problem, || Found::Known(reason()))
}

/// The reason of a closure that fails.
pub(super) fn off_the_way(npc: &NpcTables, problem: &Problem, off: OffTheWay) -> Proof {
    // If the goal itself wants it, that is what cannot be reached.
    let wanted = off.by.is_none().then(|| npc.fact(off.needed));
    simplest(problem, wanted, || {
        let variable = off.needed.variable;
        let start = problem.start()[variable.index()];
        let start = (start != UNKNOWN).then_some(LocalFact { variable, value: start });
        let end = problem.goal().iter().find(|wanted| wanted.variable == variable);
        Root::NotOnTheWay {
            needed: npc.fact(off.needed),
            by: off.by.map(|action| npc.actions()[action.index()]),
            start: start.map(|fact| npc.fact(fact)),
            end: end.map(|&fact| npc.fact(fact)),
        }
    })
}
