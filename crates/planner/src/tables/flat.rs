//! Tables of a large NPC type whose actions are all *moves* and need little: by slot.
//!
//! In:   the compiled type.
//! Out:  for every action the slot it leaves, the one it reaches, and those it needs during itself.
//! Cost: twelve bytes per action and four per need; types with other tables have none of these.
//!
//! Made once at load. A mask of enabled actions only takes actions away, so the tables serve
//! every mask.

use super::as_move;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};

/// Requests of one slot are counted in what such a number leaves of a word.
const MOST_NEEDS: usize = 1 << 25;

/// A move by slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FlatMove {
    /// The slot that the action leaves.
    pub from: u32,
    /// The slot that it reaches.
    pub to: u32,
    /// Where its needs begin.
    first_need: u32,
}

/// The tables of a large type of moves that need little.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatMoves {
    /// By action, and one behind the last.
    moves: Vec<FlatMove>,
    needs: Vec<u32>,
}

impl FlatMoves {
    /// The tables, if nothing needs more than can be counted. The actions must all be moves with
    /// values of their own.
    pub(crate) fn new(npc: &NpcTables) -> Option<FlatMoves> {
        let n_needs: usize = npc.local_actions().map(|action| npc.needs(action).len()).sum();
        if npc.has_amounts() || n_needs > MOST_NEEDS || u32::try_from(npc.n_slots()).is_err() {
            return None;
        }
        let mut tables = FlatMoves {
            moves: Vec::with_capacity(npc.n_actions() + 1),
            needs: Vec::with_capacity(n_needs),
        };
        for action in npc.local_actions() {
            let first_need = tables.needs.len() as u32;
            if npc.sets(action).is_empty() {
                // Part of no plan.
                tables.moves.push(FlatMove { first_need, ..FlatMove::default() });
                continue;
            }
            let (set, source) = as_move(npc, action)?;
            let from = npc.slot(LocalFact { variable: set.variable, value: source }) as u32;
            tables.moves.push(FlatMove { from, to: npc.slot(set) as u32, first_need });
            let others = npc.needs(action).iter().filter(|need| need.variable != set.variable);
            tables.needs.extend(others.map(|&need| npc.slot(need) as u32));
        }
        let first_need = tables.needs.len() as u32;
        tables.moves.push(FlatMove { first_need, ..FlatMove::default() });
        tables.needs.shrink_to_fit();
        Some(tables)
    }

    /// A move.
    #[inline]
    pub fn get(&self, action: LocalAction) -> FlatMove {
        self.moves[action.index()]
    }

    /// The slots that an action needs during itself.
    #[inline]
    pub fn needs(&self, action: LocalAction) -> &[u32] {
        let (this, next) = (&self.moves[action.index()], &self.moves[action.index() + 1]);
        &self.needs[this.first_need as usize..next.first_need as usize]
    }
}
