//! What engines look up of an NPC type beside its compiled tables: made once, at load.
//!
//! In:   a compiled type.
//! Out:  [`EngineTables`]: the same actions in the layouts that engines are fast with, and the
//!       proofs that engines rest on; each is there only if the type fits it.
//! Cost: each file says its own; all are linear in what the type's actions need and set.
//!
//! A mask of enabled actions only takes actions away, so the tables serve every mask.

mod dense;
mod flat;
mod masks;
mod small;
mod sole;

pub use dense::DenseMoves;
pub use flat::{FlatMove, FlatMoves};
pub(crate) use masks::look_and_see;
pub use masks::{ActionMasks, FieldPlace, MOST_WORDS};
pub use small::{Loop, SmallMove, SmallMoves, SmallWay};
pub use sole::{NotMoves, SoleSetters, Suspects};

use std::sync::Arc;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

/// The tables of one NPC type that only engines need.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineTables {
    /// The tables of machine words, if the type is small and all its actions are moves; to be kept
    /// at hand by whoever plans for one NPC.
    pub small_moves: Option<Arc<SmallMoves>>,
    /// The tables of bits, if the type is large, all its actions are moves, and they need much.
    pub dense_moves: Option<DenseMoves>,
    /// The tables by slot, if the type is large, all its actions are moves, and they need little.
    pub flat_moves: Option<FlatMoves>,
    /// Its actions as masks of the packed state, if that is a few words.
    pub masks: Option<ActionMasks>,
    /// The proof that all its actions are moves with values of their own, if they are.
    pub sole_setters: Option<SoleSetters>,
    /// If they are not: those that may be to blame, whichever of them are there.
    pub suspects: Suspects,
}

impl EngineTables {
    /// All tables that the type fits.
    pub fn new(npc: &NpcTables) -> EngineTables {
        let sole_setters = SoleSetters::of_all(npc);
        // Who plans by machine words looks at no amounts, not even at those that stand still.
        let small_moves = (!npc.has_amounts()).then(|| SmallMoves::new(npc)).flatten();
        let dense_moves = sole_setters.as_ref().and_then(|_| DenseMoves::new(npc));
        let is_flat = sole_setters.is_some() && small_moves.is_none() && dense_moves.is_none();
        EngineTables {
            small_moves: small_moves.map(Arc::new),
            dense_moves,
            flat_moves: is_flat.then(|| FlatMoves::new(npc)).flatten(),
            suspects: if sole_setters.is_some() { Suspects::default() } else { Suspects::new(npc) },
            sole_setters,
            ..EngineTables::for_search(npc)
        }
    }

    /// Those that search needs, for a type that is planned with once or twice.
    pub(crate) fn for_search(npc: &NpcTables) -> EngineTables {
        EngineTables { masks: ActionMasks::new(npc), ..EngineTables::default() }
    }
}

/// The one variable an action moves, from where to where; `None` if it is no move, as none is
/// that counts. What stands still is no matter of the move: who does not have it lacks the action.
pub fn as_move(npc: &NpcTables, action: LocalAction) -> Option<(LocalFact, PackedValue)> {
    let [set] = npc.sets(action) else { return None };
    if npc.counts(action) {
        return None;
    }
    let own = npc.needs(action).iter().find(|need| need.variable == set.variable);
    match own {
        Some(need) => Some((*set, need.value)),
        // From any of two values: from the other one.
        None if npc.n_values(set.variable) == 2 => Some((*set, 1 - set.value)),
        None => None,
    }
}
