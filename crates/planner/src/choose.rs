//! Which engine serves a problem, and why. Read top to bottom.
//!
//! In:   a call.
//! Out:  the cheapest engine that is exact for it, and the reason in words.
//! Cost: that of the certificate: nothing but a mask to copy when the type is the one before.

use crate::call::Call;
use crate::engine::Engine;
use crate::topological::{Moves, NotMoves};
use throng_domain::compile::{CompiledDomain, LocalAction, NpcTables};

/// Why an engine was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EngineReason {
    /// Every action that is there moves one variable, and no two set the same value.
    AllMoves,
    /// Some action is no move, or two set the same value.
    NotMoves(NotMoves),
    /// A variable that is set from any value has an unknown one.
    UnknownStart,
    /// The states of the type take too many words for the search from the goal back.
    Wide,
    /// The search from the goal back took too long.
    Patience,
    /// The search from the goal back took too much memory.
    Memory,
    /// The caller asked for it.
    Asked,
    /// Something counts: an action, or what is wanted is a set of values.
    Counts(Option<LocalAction>),
}

/// The engine that answers a call: the one that is asked for if it is exact for the problem, else
/// the cheapest that is. `moves` holds its proof if the topological planner is chosen.
pub fn choose(call: &Call<'_>, moves: &mut Moves) -> (Engine, EngineReason) {
    if call.problem.has_amounts()
        && let Some(counts) = counting(call)
    {
        let engine = match call.engine {
            Some(Engine::Forward) => Engine::Forward,
            _ => Engine::Regressive,
        };
        return (engine, counts);
    }
    let regressive_serves = call.tables().masks.is_some();
    match call.engine {
        Some(Engine::Forward) => return (Engine::Forward, EngineReason::Asked),
        Some(Engine::Regressive) if regressive_serves => {
            return (Engine::Regressive, EngineReason::Asked);
        }
        _ => {}
    }
    let because = match moves.certify(call) {
        Ok(()) if moves.fits(call) => return (Engine::Topological, EngineReason::AllMoves),
        Ok(()) => EngineReason::UnknownStart,
        Err(not_moves) => EngineReason::NotMoves(not_moves),
    };
    match regressive_serves {
        true => (Engine::Regressive, because),
        false => (Engine::Forward, EngineReason::Wide),
    }
}

/// Whether it takes an engine that counts, and why.
#[cold]
fn counting(call: &Call<'_>) -> Option<EngineReason> {
    let (npc, problem) = (call.npc(), call.problem);
    let action = problem.counting_action(npc);
    (action.is_some() || !problem.goal_ranges().is_empty()).then_some(EngineReason::Counts(action))
}

impl EngineReason {
    /// The reason as a sentence.
    pub fn sentence(self, domain: &CompiledDomain, npc: &NpcTables) -> String {
        let name = |action: LocalAction| domain.map().action(npc.actions()[action.index()]);
        let text = match self {
            EngineReason::AllMoves => {
                "every action moves one variable, and no two set the same value"
            }
            EngineReason::NotMoves(NotMoves::NotUnary(action)) => {
                return format!("`{}` does not change exactly one variable", name(action));
            }
            EngineReason::NotMoves(NotMoves::FromSeveral(action)) => {
                return format!("`{}` sets a variable from any of several values", name(action));
            }
            EngineReason::NotMoves(NotMoves::NotPostUnique(a, b)) => {
                return format!("`{}` and `{}` set the same value", name(a), name(b));
            }
            EngineReason::NotMoves(NotMoves::Counts(action)) => {
                return format!("`{}` counts", name(action));
            }
            EngineReason::UnknownStart => "a variable that is set from any value is unknown",
            EngineReason::Wide => "its states are too wide for the search from the goal",
            EngineReason::Patience => "the search from the goal took too long",
            EngineReason::Memory => "the search from the goal took too much memory",
            EngineReason::Asked => "it was asked for",
            EngineReason::Counts(Some(action)) => return format!("`{}` counts", name(action)),
            EngineReason::Counts(None) => "what is wanted is a set of values",
        };
        text.to_string()
    }
}
