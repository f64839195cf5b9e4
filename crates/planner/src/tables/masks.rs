//! Conditions and effects of actions as masks of the packed state, for types of few words.
//!
//! In:   the compiled type.
//! Out:  for every action what it looks at, must see, writes and leaves alone, in words; for every
//!       bit of a state the variable it belongs to; for every value the least it costs.
//! Cost: four states per action. Types of more than [`MOST_WORDS`] words have no such tables.

use throng_domain::compile::{LocalAction, LocalFact, NpcTables, StateLayout};

/// How many words a state may take.
pub const MOST_WORDS: usize = 8;

/// A variable's place in the packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldPlace {
    /// Its bits within its word.
    pub mask: u64,
    /// How far its value is shifted up.
    pub shift: u32,
    /// The slot of its first value.
    pub first_slot: u32,
}

impl FieldPlace {
    /// The slot of the value that the variable has in its word.
    #[inline]
    pub fn slot(self, word: u64) -> usize {
        self.first_slot as usize + ((word & self.mask) >> self.shift) as usize
    }
}

/// The tables of masks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionMasks {
    n_words: usize,
    rows: Vec<u64>,
    /// By bit of the state.
    fields: Vec<FieldPlace>,
    least_cost: u64,
    most_sets: u64,
    /// By slot.
    shares: Vec<u64>,
    demandable: Vec<bool>,
}

/// The share of a value that no action sets.
const NO_SETTER: u64 = u64::MAX;

impl ActionMasks {
    /// Whether a type has such tables: its states take few words.
    pub(crate) fn serves(npc: &NpcTables) -> bool {
        (1..=MOST_WORDS).contains(&npc.layout().n_words())
    }

    pub(super) fn new(npc: &NpcTables) -> Option<ActionMasks> {
        if !ActionMasks::serves(npc) {
            return None;
        }
        let layout = npc.layout();
        let n_words = layout.n_words().next_power_of_two();
        let mut rows = vec![0; npc.n_actions() * 4 * n_words];
        for action in npc.local_actions() {
            let row = &mut rows[action.index() * 4 * n_words..][..4 * n_words];
            let (needs, sets) = row.split_at_mut(2 * n_words);
            for (facts, row) in [(npc.needs(action), needs), (npc.sets(action), sets)] {
                let (look, see) = row.split_at_mut(n_words);
                look_and_see(layout, facts, look, see);
            }
        }
        let mut fields = vec![FieldPlace::default(); n_words * 64];
        for variable in npc.local_variables() {
            let (word, mask) = (layout.word(variable.index()), layout.field_mask(variable.index()));
            let shift = mask.trailing_zeros();
            let first_slot = npc.slot(LocalFact { variable, value: 0 }) as u32;
            let place = FieldPlace { mask, shift, first_slot };
            for bit in shift..shift + mask.count_ones() {
                fields[word * 64 + bit as usize] = place;
            }
        }
        let actions = || npc.local_actions();
        let least_cost = actions().map(|action| npc.cost(action)).min().unwrap_or(1);
        let most_sets = actions().map(|action| npc.sets(action).len() as u64).max().unwrap_or(1);
        let demandable = demandable(npc);
        let shares = shares(npc, &demandable);
        let most_sets = most_sets.max(1);
        Some(ActionMasks { n_words, rows, fields, least_cost, most_sets, shares, demandable })
    }

    /// What a slot's value costs at least, in thousandths, if everybody who could set it shares its
    /// price among all values that anybody can want of it: so shares add up. `u64::MAX` if
    /// no action sets it.
    #[inline]
    pub fn share(&self, slot: usize) -> u64 {
        self.shares[slot]
    }

    /// Whether an action needs a slot's value or a goal of the type wants it. Shares only add up
    /// for these.
    pub fn is_demandable(&self, slot: usize) -> bool {
        self.demandable[slot]
    }

    throng_base::getters! {
        /// How many words a state takes here: 1, 2, 4 or 8; those beyond the layout's are zero.
        n_words: usize;
        /// What the cheapest action costs, in thousandths.
        least_cost: u64;
        /// How many values one action sets at most; never zero.
        most_sets: u64;
    }

    /// An action: the bits that it looks at, what it must see there, the bits it writes, and what
    /// it writes there. `W` is the number of words.
    #[inline]
    pub fn action<const W: usize>(&self, action: LocalAction) -> [[u64; W]; 4] {
        let words = &self.rows[action.index() * 4 * W..][..4 * W];
        let mut row = [[0; W]; 4];
        for part in 0..4 {
            for at in 0..W {
                row[part][at] = words[part * W + at];
            }
        }
        row
    }

    /// The variable that a bit belongs to.
    #[inline]
    pub fn field(&self, word: usize, bit: u32) -> FieldPlace {
        self.fields[word * 64 + bit as usize]
    }
}

fn demandable(npc: &NpcTables) -> Vec<bool> {
    let mut demandable = vec![false; npc.n_slots()];
    let actions = npc.local_actions();
    let needed = actions.flat_map(|action| npc.needs(action));
    let wanted =
        npc.goals().iter().filter_map(|&goal| npc.wants(goal)).flat_map(|(facts, ..)| facts);
    needed.chain(wanted).for_each(|&fact| demandable[npc.slot(fact)] = true);
    demandable
}

fn shares(npc: &NpcTables, demandable: &[bool]) -> Vec<u64> {
    let mut shares = vec![NO_SETTER; npc.n_slots()];
    for action in npc.local_actions() {
        let useful = npc.sets(action).iter().filter(|&&fact| demandable[npc.slot(fact)]).count();
        let share = npc.cost(action) / (useful as u64).max(1);
        for &fact in npc.sets(action) {
            let least = &mut shares[npc.slot(fact)];
            *least = share.min(*least);
        }
    }
    shares
}

/// Adds the bits of a packed state that facts look at, and what they see there.
pub(crate) fn look_and_see(
    layout: &StateLayout,
    facts: &[LocalFact],
    look: &mut [u64],
    see: &mut [u64],
) {
    for fact in facts {
        let (variable, word) = (fact.variable.index(), layout.word(fact.variable.index()));
        look[word] |= layout.field_mask(variable);
        see[word] |= layout.field_bits(variable, fact.value);
    }
}
