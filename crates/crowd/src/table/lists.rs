//! Whole plans, each in one word: up to ten actions of six bits and the length.
//!
//! In:   a table whose type has few actions; plans that are too long are left to the table.
//! Out:  per state a word; many at once by [`PlanLists::serve_u16`].
//! Cost: eight bytes per state; serving is one load and one store per NPC.
//!
//! Bits 6 *i* … 6 *i* + 5 are action *i*, the first to be done first; the highest four bits are the
//! length, or say why there is none. Bits that nobody uses are zero.

use super::{PADDED, PolicyTable};
use crate::plans::{PlanId, PlanStore};
use throng_domain::compile::{LocalAction, NpcTables};

/// The most actions of a plan in a word.
pub const LIST_LENGTH: usize = 10;

const ACTION_BITS: usize = 6;
const LENGTH_SHIFT: usize = 60;
/// In place of a length: nobody has planned.
const UNPLANNED: u64 = 13;
/// In place of a length: a limit was hit.
const GAVE_UP: u64 = 14;
/// In place of a length: there is no plan.
const IMPOSSIBLE: u64 = 15;

/// How many look-ups are under way together.
const TOGETHER: usize = 8;

/// The plan of every state as a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanLists {
    words: Box<[u64]>,
    n_states: usize,
}

/// A plan as a word; `None` if it is too long or names an action beyond the first 64.
pub fn listed(plans: &PlanStore, id: PlanId) -> Option<u64> {
    let status = |code: u64| Some(code << LENGTH_SHIFT);
    match id {
        PlanId::UNPLANNED => return status(UNPLANNED),
        PlanId::SATISFIED => return Some(0),
        PlanId::IMPOSSIBLE => return status(IMPOSSIBLE),
        PlanId::GAVE_UP => return status(GAVE_UP),
        _ => {}
    }
    let actions = plans.actions(id);
    if actions.len() > LIST_LENGTH || actions.iter().any(|action| action.0 >= 1 << ACTION_BITS) {
        return None;
    }
    let places = actions.iter().enumerate();
    let word = places.fold(0, |word, (at, a)| word | u64::from(a.0) << (ACTION_BITS * at));
    Some(word | (actions.len() as u64) << LENGTH_SHIFT)
}

/// The actions of a word, or the id that says why there are none.
pub fn unlisted(word: u64) -> Result<impl ExactSizeIterator<Item = LocalAction>, PlanId> {
    match word >> LENGTH_SHIFT {
        IMPOSSIBLE => Err(PlanId::IMPOSSIBLE),
        GAVE_UP => Err(PlanId::GAVE_UP),
        length if length as usize <= LIST_LENGTH => {
            let action = move |at: usize| (word >> (ACTION_BITS * at)) as u32 & 0x3f;
            Ok((0..length as usize).map(move |at| LocalAction(action(at))))
        }
        _ => Err(PlanId::UNPLANNED),
    }
}

impl PolicyTable {
    /// The same table with whole plans; `None` if the type has more than 64 actions, or the table
    /// more than 65,536 states. A state whose plan has more than ten actions is unplanned here:
    /// its plan is in the table.
    pub fn lists(&self, plans: &PlanStore, npc: &NpcTables) -> Option<PlanLists> {
        let room = PADDED.into_iter().find(|&room| room >= self.n_states)?;
        if npc.n_actions() > 1 << ACTION_BITS {
            return None;
        }
        let missing = UNPLANNED << LENGTH_SHIFT;
        let word = |index| listed(plans, self.plan(index)).unwrap_or(missing);
        let mut words: Vec<u64> = (0..self.n_states()).map(word).collect();
        words.resize(room, missing);
        Some(PlanLists { words: words.into_boxed_slice(), n_states: self.n_states })
    }
}

impl PlanLists {
    /// The plan of a state as a word.
    pub fn plan(&self, index: usize) -> u64 {
        self.words.get(index).copied().unwrap_or(UNPLANNED << LENGTH_SHIFT)
    }

    /// How many states it has.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The memory it holds.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// Writes the plan of each state, each below the number of states; of columns of different
    /// length the shorter counts.
    pub fn serve_u16(&self, states: &[u16], plans: &mut [u64]) {
        let [few, some, many, _] = PADDED;
        match self.words.len() {
            room if room == few => look_up::<{ PADDED[0] }>(&self.words, states, plans),
            room if room == some => look_up::<{ PADDED[1] }>(&self.words, states, plans),
            room if room == many => look_up::<{ PADDED[2] }>(&self.words, states, plans),
            _ => look_up::<{ PADDED[3] }>(&self.words, states, plans),
        }
    }
}

/// The kernel, for tables with `ROOM` entries, a power of two.
fn look_up<const ROOM: usize>(table: &[u64], states: &[u16], plans: &mut [u64]) {
    let Ok(table) = <&[u64; ROOM]>::try_from(table) else { return };
    let look = |state: u16| table[usize::from(state) & (ROOM - 1)];
    let n = states.len().min(plans.len());
    let (rows, rest) = states[..n].as_chunks::<TOGETHER>();
    let (plan_rows, plan_rest) = plans[..n].as_chunks_mut::<TOGETHER>();
    for (plans, states) in plan_rows.iter_mut().zip(rows) {
        *plans = states.map(look);
    }
    for (plan, &state) in plan_rest.iter_mut().zip(rest) {
        *plan = look(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(numbers: &[u32]) -> Vec<LocalAction> {
        numbers.iter().map(|&number| LocalAction(number)).collect()
    }

    #[test]
    fn plans_survive_being_words() {
        let mut plans = PlanStore::new();
        for actions in [&[0u32][..], &[63], &[5, 0, 63, 1], &[63; 10], &[0; 10]] {
            let id = plans.intern(&list(actions), 1);
            let word = listed(&plans, id).unwrap();
            let back: Vec<_> = unlisted(word).ok().unwrap().collect();
            assert_eq!(back, list(actions));
        }
        assert_eq!(unlisted(listed(&plans, PlanId::SATISFIED).unwrap()).ok().unwrap().len(), 0);
        for id in [PlanId::UNPLANNED, PlanId::IMPOSSIBLE, PlanId::GAVE_UP] {
            assert_eq!(unlisted(listed(&plans, id).unwrap()).err(), Some(id));
        }
    }

    #[test]
    fn a_plan_too_long_for_a_word_is_left_to_the_table() {
        let text = "domain d\nvar x: 0..1\naction up: x 0 -> 1\ngoal g: x = 1\nnpc n\n  can up\n";
        let domain = crate::smithy::compiled(text);
        let mut plans = PlanStore::new();
        let [short, long] = [&[0u32; 10][..], &[0; 11]].map(|all| plans.intern(&list(all), 1));
        let table = PolicyTable::of_ids(vec![short.0, long.0], vec![short, long]);
        let lists = table.lists(&plans, &domain.npcs()[0]).unwrap();
        assert_eq!(unlisted(lists.plan(0)).ok().unwrap().len(), 10);
        assert_eq!(unlisted(lists.plan(1)).err(), Some(PlanId::UNPLANNED));
        assert_eq!(plans.actions(table.plan(1)).len(), 11);
    }

    #[test]
    fn what_does_not_fit_is_no_word() {
        let mut plans = PlanStore::new();
        for actions in [&[0u32; 11][..], &[64], &[1, 2, 1000]] {
            let id = plans.intern(&list(actions), 1);
            assert_eq!(listed(&plans, id), None);
        }
    }
}
