//! Which part of a goal is to blame, where all that counts was tried.
//!
//! In:   a problem without a plan, each part of whose goal looks as if it could be had.
//! Out:  a part that cannot be had by itself, or two that cannot be had together.
//! Cost: a search per part and pair of parts, little more in all than the answer itself took.

use super::CountingScratch;
use crate::asks::{global, wanted, with_goal};
use crate::budget::SearchBudget;
use crate::call::Call;
use crate::outcome::Outcome;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::proof::Exhausted;
use crate::reason::{Reason, Root};
use throng_domain::compile::LocalRange;

/// Of so many parts single ones and pairs are tried.
const MOST_PARTS: usize = 6;
/// Nodes that the parts may take beside those that the whole took.
const NODES_PER_PART: u64 = 1_000;

/// The part of the goal that is to blame.
pub(super) fn blame(domain: &PreparedDomain, problem: &Problem, exhausted: &Exhausted) -> Reason {
    let &Exhausted { mode, tried, bytes, .. } = exhausted;
    let parts = wanted(problem);
    let few = &parts[..parts.len().min(MOST_PARTS)];
    let mut nodes = tried.saturating_add(NODES_PER_PART);
    let mut scratch = CountingScratch::default();
    let mut is_impossible = |parts: &[LocalRange]| {
        let part = with_goal(problem, parts).without_reasons();
        let budget = SearchBudget { nodes, bytes, stop: None };
        let call = Call::new(domain, &part).mode(mode).budget(budget);
        let answer = super::plan(&call, &mut scratch, &mut Vec::new());
        nodes = nodes.saturating_sub(answer.nodes);
        matches!(answer.outcome, Outcome::Impossible(_))
    };
    // A goal of one part, or of two, is its own proof.
    let never = match few {
        [only] if parts.len() == 1 => Some(*only),
        _ => few.iter().copied().find(|&part| is_impossible(&[part])),
    };
    let pairs = few.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, &a)| few[at + 1..].iter().map(move |&b| [a, b]));
    let pair = match (never, few) {
        (Some(_), _) => None,
        (None, &[a, b]) if parts.len() == 2 => Some([a, b]),
        (None, _) => pairs.find(|pair| is_impossible(pair)),
    };
    let npc = problem.kind(domain);
    let whole = never.or(pair.map(|[a, _]| a)).or(parts.first().copied());
    let root = Root::NoWayBack {
        never: never.map(|part| global(npc, part)),
        never_together: pair.map(|[a, b]| (global(npc, a), global(npc, b))),
        tried,
    };
    let wanted = whole.map(|part| global(npc, part));
    Reason { wanted, ..Reason::new(problem.npc(), root) }
}
