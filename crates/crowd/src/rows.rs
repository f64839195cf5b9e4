//! Rows and handles: who is where, and who is still there.
//!
//! In:   arrivals and departures.
//! Out:  a [`NpcHandle`] that stays good while its NPC lives and is known to be stale afterwards.
//! Cost: one step each. A row whose generations are used up is never given out again.

use throng_base::Bits;

/// An NPC of a crowd: its row, and which of the NPCs that had that row it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NpcHandle {
    row: u32,
    generation: u16,
    /// Which crowd of a population, so that an NPC is not taken for one of another type.
    crowd: u16,
}

impl NpcHandle {
    /// The row: stable while the NPC lives, for columns of your own beside the crowd's.
    pub fn row(self) -> usize {
        self.row as usize
    }

    /// The handle as a number, for saves of your own: beside that of its crowd it is good again.
    pub fn to_bits(self) -> u64 {
        u64::from(self.row) << 32 | u64::from(self.generation) << 16 | u64::from(self.crowd)
    }

    /// The handle of a number. One that no crowd gave finds no NPC.
    pub fn from_bits(bits: u64) -> NpcHandle {
        NpcHandle { row: (bits >> 32) as u32, generation: (bits >> 16) as u16, crowd: bits as u16 }
    }
}

/// Who is where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    generations: Vec<u16>,
    alive: Bits,
    free: Vec<u32>,
    n_alive: usize,
    /// What is written on every handle.
    crowd: u16,
}

impl Rows {
    throng_base::getters! { pub(crate):
        /// How many NPCs there are.
        n_alive: usize;
        alive: &Bits;
    }

    /// How many rows there are, lived in or not.
    pub(crate) fn len(&self) -> usize {
        self.generations.len()
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        self.generations.reserve(more);
        self.alive.reserve(more);
    }

    /// A row for a newcomer, and whether it is a new one; `None` if there are too many.
    pub(crate) fn add(&mut self) -> Option<(NpcHandle, bool)> {
        self.n_alive += 1;
        if let Some(row) = self.free.pop() {
            self.alive.set(row as usize, true);
            return Some((self.handle(row as usize), false));
        }
        let Some(row) = u32::try_from(self.len()).ok().filter(|&row| row < u32::MAX) else {
            self.n_alive -= 1;
            return None;
        };
        self.generations.push(0);
        self.alive.push(true);
        Some((NpcHandle { row, generation: 0, crowd: self.crowd }, true))
    }

    /// The handle of who lives in a row now.
    pub(crate) fn handle(&self, row: usize) -> NpcHandle {
        NpcHandle { row: row as u32, generation: self.generations[row], crowd: self.crowd }
    }

    /// The row of an NPC that is still there.
    pub(crate) fn find(&self, handle: NpcHandle) -> Option<usize> {
        let row = handle.row as usize;
        let is_there = handle.crowd == self.crowd
            && self.alive.get(row)
            && self.generations[row] == handle.generation;
        is_there.then_some(row)
    }

    /// Frees the row of an NPC that was found.
    pub(crate) fn remove(&mut self, row: usize) {
        self.alive.set(row, false);
        self.n_alive -= 1;
        if let Some(next) = self.generations[row].checked_add(1) {
            self.generations[row] = next;
            self.free.push(row as u32);
        }
    }

    /// The generation of each row, those to be given out again, and the number on handles.
    pub(crate) fn parts(&self) -> (&[u16], &[u32], u16) {
        (&self.generations, &self.free, self.crowd)
    }

    /// The same rows again; `None` if one that is to be given out is no row, or lived in.
    pub(crate) fn of_parts(rows: &[(u16, bool)], free: &[u32], crowd: u16) -> Option<Rows> {
        let alive: Bits = rows.iter().map(|(_, is_alive)| *is_alive).collect();
        // Those lived in count as seen, so that each row is free once at most.
        let mut seen = alive.clone();
        free.iter().all(|&row| seen.insert(row as usize)).then(|| Rows {
            generations: rows.iter().map(|(generation, _)| *generation).collect(),
            n_alive: alive.count(),
            alive,
            free: free.to_vec(),
            crowd,
        })
    }

    /// Handles of another number are those of another crowd.
    pub(crate) fn set_crowd(&mut self, number: u16) {
        self.crowd = number;
    }

    pub(crate) fn bytes(&self) -> usize {
        2 * self.generations.capacity() + self.alive.bytes() + 4 * self.free.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_outlives_its_npc_but_finds_nobody() {
        let mut rows = Rows::default();
        let (first, is_new) = rows.add().unwrap();
        assert!(is_new);
        assert_eq!(rows.find(first), Some(0));
        rows.remove(0);
        assert_eq!(rows.find(first), None);
        let (second, is_new) = rows.add().unwrap();
        assert!(!is_new);
        assert_eq!((second.row(), rows.find(first), rows.find(second)), (0, None, Some(0)));
        assert_eq!(rows.find(NpcHandle { row: 7, generation: 0, crowd: 0 }), None);
    }

    #[test]
    fn a_row_that_is_used_up_is_not_given_out_again() {
        let mut rows = Rows::default();
        let (mut last, _) = rows.add().unwrap();
        for _ in 0..u32::from(u16::MAX) {
            rows.remove(last.row());
            last = rows.add().unwrap().0;
            assert_eq!(last.row(), 0);
        }
        rows.remove(0);
        assert_eq!(rows.add().unwrap().0.row(), 1);
        assert_eq!(rows.n_alive(), 1);
    }
}
