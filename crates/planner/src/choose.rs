//! Which engine serves a problem, and why. Read top to bottom.
//!
//! In:   an NPC type and a problem.
//! Out:  the cheapest engine that is exact for it, and the reason in words.
//! Cost: that of the certificate: nothing but a mask to copy when the type is the one before.

use crate::problem::Problem;
use crate::regressive;
use crate::topological::{Moves, NotMoves};
pub use throng_domain::classes::Engine;
use throng_domain::compile::{CompiledDomain, LocalAction, NpcTables};

/// Why an engine was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineReason {
    /// Every action that is there moves one variable, and no two set the same value.
    AllMoves,
    /// This action changes no or several variables.
    NotUnary(LocalAction),
    /// This action sets a variable from any of several values.
    FromSeveral(LocalAction),
    /// These two actions set the same value.
    NotPostUnique(LocalAction, LocalAction),
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
}

/// The engine for a problem. Fills `moves` if the topological planner is chosen.
pub fn choose(npc: &NpcTables, problem: &Problem, moves: &mut Moves) -> (Engine, EngineReason) {
    let because = match moves.certify(npc, problem.enabled()) {
        Ok(()) if moves.fits(npc, problem.start()) => {
            return (Engine::Topological, EngineReason::AllMoves);
        }
        Ok(()) => EngineReason::UnknownStart,
        Err(NotMoves::NotUnary(action)) => EngineReason::NotUnary(action),
        Err(NotMoves::FromSeveral(action)) => EngineReason::FromSeveral(action),
        Err(NotMoves::NotPostUnique(a, b)) => EngineReason::NotPostUnique(a, b),
    };
    match regressive::serves(npc) {
        true => (Engine::Regressive, because),
        false => (Engine::Forward, EngineReason::Wide),
    }
}

/// The engine for a problem if one is asked for: that one if it is exact for it.
pub fn choose_asked(
    asked: Option<Engine>,
    npc: &NpcTables,
    problem: &Problem,
    moves: &mut Moves,
) -> (Engine, EngineReason) {
    match asked {
        Some(Engine::Forward) => (Engine::Forward, EngineReason::Asked),
        Some(Engine::Regressive) if regressive::serves(npc) => {
            (Engine::Regressive, EngineReason::Asked)
        }
        _ => choose(npc, problem, moves),
    }
}

impl EngineReason {
    /// The reason as a sentence.
    pub fn sentence(self, domain: &CompiledDomain, npc: &NpcTables) -> String {
        let name = |action: LocalAction| domain.map().action(npc.actions()[action.index()]);
        match self {
            EngineReason::AllMoves => {
                "every action moves one variable, and no two set the same value".to_string()
            }
            EngineReason::NotUnary(action) => {
                format!("`{}` does not change exactly one variable", name(action))
            }
            EngineReason::FromSeveral(action) => {
                format!("`{}` sets a variable from any of several values", name(action))
            }
            EngineReason::NotPostUnique(a, b) => {
                format!("`{}` and `{}` set the same value", name(a), name(b))
            }
            EngineReason::UnknownStart => {
                "a variable that is set from any value is unknown".to_string()
            }
            EngineReason::Wide => {
                "its states are too wide for the search from the goal".to_string()
            }
            EngineReason::Patience => "the search from the goal took too long".to_string(),
            EngineReason::Memory => "the search from the goal took too much memory".to_string(),
            EngineReason::Asked => "it was asked for".to_string(),
        }
    }
}
