//! Which actions can be in a plan at all, and what keeps the others out of every plan.
//!
//! In:   an NPC type, what the game may change about it, limits.
//! Out:  for every action a [`Usage`]: a goal whose plans have it, or why no plan ever has it, or
//!       that this is not decided and why.
//! Cost: every state that can be reached, once for each set of actions that can be there, each
//!       goal and each set of prices; all counted against [`UsableLimits`].
//!
//! A plan is a cheapest plan from a state that can be reached from the type's `starts` (a variable
//! that these leave open has any value, or none that is known) to one of its goals, with the
//! actions that some answer to the context checks leaves there. An action is in such a plan if
//! and only if it is the first step of one: what a plan passes through can be reached as well.
//! So the distances of all states to a goal decide: an action is used where its price and the
//! distance behind it are the distance before it.
//!
//! Where there are too many states, proofs that need none are left: what can never become true
//! even if nothing were lost, what no goal asks for, a cheaper twin; and plans that are found.

mod contexts;
mod distances;
mod proofs;
mod samples;
mod space;
mod told;

pub use told::Usage;

use contexts::Contexts;
use distances::Tally;
use space::Space;
use throng_domain::compile::{CompiledDomain, LocalAction};
use throng_domain::model::{ActionId, NpcId, VariableId};

/// What the game may change about an NPC type, whatever the domain says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Variables that have any value at any time, also if `starts` names one.
    pub open: Vec<VariableId>,
    /// Actions that are not there at times, all of a list together: not learnt yet.
    pub lacking: Vec<Vec<ActionId>>,
    /// Actions with prices of their own, in thousandths; an empty list: any price.
    pub prices: Vec<(ActionId, Vec<u64>)>,
}

/// How much work the answer may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsableLimits {
    /// States of one type.
    pub states: usize,
    /// Steps between states that are looked at, over all searches.
    pub work: u64,
}

impl UsableLimits {
    /// A second or two.
    pub const DEFAULT: UsableLimits = UsableLimits { states: 200_000, work: 300_000_000 };
}

/// Why something is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undecided {
    /// More states than allowed can be reached.
    TooManyStates,
    /// More sets of actions than can be tried may be there.
    TooManyContexts,
    /// Every state was looked at and a limit of work was hit.
    TooMuchWork,
    /// Prices are told by the game, and not all of them were tried.
    Prices,
    /// Somebody said stop.
    Stopped,
}

/// What can be in plans of one NPC type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usable {
    /// Whose.
    pub npc: NpcId,
    /// By action of the type, in declared order.
    pub uses: Vec<(ActionId, Usage)>,
    /// How many states can be reached; `None`: more than allowed.
    pub states: Option<usize>,
    /// How many different sets of actions can be there; those that were tried, if not all.
    pub contexts: usize,
}

/// Says of every action of a type whether it can be in a plan. `stop` is asked now and then.
pub fn usable(
    domain: &CompiledDomain,
    npc: NpcId,
    given: &Circumstances,
    limits: &UsableLimits,
    stop: &dyn Fn() -> bool,
) -> Usable {
    let kind = domain.npc(npc);
    let contexts = Contexts::of(domain, kind, given);
    let prices = contexts::prices(kind, given);
    let space = Space::explore(kind, given, &contexts.ever, limits.states, stop);
    let mut tally = Tally::new(kind);
    let mut open = None;
    match &space {
        Ok(space) => {
            tally.note_ready(space);
            if let Err(why) = tally.measure(kind, space, &contexts, &prices, limits.work, stop) {
                open = Some(why);
            }
        }
        Err(why) => {
            open = Some(*why);
            samples::find_plans(domain, kind, given, &contexts, &mut tally, stop);
        }
    }
    open = open.or((!contexts.complete).then_some(Undecided::TooManyContexts));
    let proofs = proofs::Proofs::new(kind, given, &contexts);
    let judged = |at: usize| {
        let action = LocalAction(at as u32);
        (kind.actions()[at], told::judge(kind, action, &contexts, &tally, &proofs, open, &prices))
    };
    Usable {
        npc,
        uses: (0..kind.n_actions()).map(judged).collect(),
        states: space.as_ref().ok().map(Space::len),
        contexts: contexts.masks.len(),
    }
}
