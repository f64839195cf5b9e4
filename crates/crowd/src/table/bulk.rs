//! Many look-ups at once: a column of states in, a column of plan ids out.
//!
//! In:   states by number, each below the number of states of the table.
//! Out:  their plans' ids.
//! Cost: one load per NPC. The table's room is a power of two known to the compiler, so a state
//!       is cut to fit instead of tested; sixteen at a time, so that loads overlap. For tables of
//!       game size about one and a half times what copying the column takes.
//!
//! A state that the table does not have gives some other state's id or [`PlanId::UNPLANNED`]:
//! never a fault, never an answer to rely on.
//!
//! [`PlanId::UNPLANNED`]: crate::plans::PlanId::UNPLANNED

use super::{Ids, PADDED, PolicyTable};

/// How many look-ups are under way together.
const TOGETHER: usize = 16;

impl PolicyTable {
    /// Writes the plan id of each state; `false`, and nothing written, if ids or states of this
    /// table do not fit 16 bits. Of columns of different length the shorter counts.
    pub fn serve_u16(&self, states: &[u16], ids: &mut [u16]) -> bool {
        let Ids::Narrow(table) = &self.ids else { return false };
        let [few, some, many, most] = PADDED;
        match table.len() {
            room if room == few => look_up::<{ PADDED[0] }>(table, states, ids),
            room if room == some => look_up::<{ PADDED[1] }>(table, states, ids),
            room if room == many => look_up::<{ PADDED[2] }>(table, states, ids),
            room if room == most => look_up::<{ PADDED[3] }>(table, states, ids),
            _ => false,
        }
    }
}

/// The kernel, for tables with `ROOM` entries, a power of two.
fn look_up<const ROOM: usize>(table: &[u16], states: &[u16], ids: &mut [u16]) -> bool {
    let Ok(table) = <&[u16; ROOM]>::try_from(table) else { return false };
    let look = |state: u16| table[usize::from(state) & (ROOM - 1)];
    let n = states.len().min(ids.len());
    let (rows, rest) = states[..n].as_chunks::<TOGETHER>();
    let (id_rows, id_rest) = ids[..n].as_chunks_mut::<TOGETHER>();
    for (ids, states) in id_rows.iter_mut().zip(rows) {
        for at in 0..TOGETHER {
            ids[at] = look(states[at]);
        }
    }
    for (id, &state) in id_rest.iter_mut().zip(rest) {
        *id = look(state);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::PlanId;

    #[test]
    fn columns_of_all_sizes_are_the_look_ups_one_by_one() {
        for n_states in [1usize, 2, 255, 256, 257, 4096, 4097, 16_384, 16_385, 65_535, 65_536] {
            let ids: Vec<u32> = (0..n_states as u32).map(|at| 1 + at * 7 % 60_000).collect();
            let table = PolicyTable::of_ids(ids.clone(), Vec::new());
            for n in [0, 1, 15, 16, 17, 1000] {
                let states: Vec<u16> = (0..n).map(|at| (at * 31 % n_states) as u16).collect();
                let mut out = vec![0xffffu16; n + 3];
                assert!(table.serve_u16(&states, &mut out));
                let expected: Vec<u16> =
                    states.iter().map(|&state| ids[usize::from(state)] as u16).collect();
                assert_eq!((&out[..n], &out[n..]), (&expected[..], &[0xffff; 3][..]));
                let one = |&state: &u16| table.plan(state.into()).0 as u16;
                assert!(states.iter().map(one).eq(expected));
            }
        }
    }

    #[test]
    fn tables_too_large_for_short_columns_say_so() {
        let many = PolicyTable::of_ids(vec![5; 65_537], Vec::new());
        assert!(many.is_narrow() && !many.serve_u16(&[0], &mut [0]));
        let wide = PolicyTable::of_ids(vec![70_000, 3], Vec::new());
        assert!(!wide.is_narrow() && !wide.serve_u16(&[0], &mut [0]));
        assert_eq!([wide.plan(0), wide.plan(1), wide.plan(2)].map(|id| id.0), [70_000, 3, 0]);
        assert_eq!(many.plan(65_537), PlanId::UNPLANNED);
        assert_eq!(many.plan(u64::MAX), PlanId::UNPLANNED);
    }
}
