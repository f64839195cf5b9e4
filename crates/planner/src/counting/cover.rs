//! Cover: a demand that lies within a weaker one, expanded at no greater cost, need not be looked
//! at: every way to it is a way to the other.
//!
//! In:   demands as they are expanded.
//! Out:  whether a demand lies within one of them.
//! Cost: linear in what is kept, but eight at a time, and only those that demand something of
//!       no other variable; not more than [`MOST_KEPT`] are kept.
//!
//! With upper ends ignored, demands could grow without end. Lower bounds cannot without one at last
//! lying within another (Dickson), so with cover an impossible question ends.

use super::demand::Model;
use super::lane::{Lane, Lanes};
use throng_base::ones;

/// Beyond so many, looking costs more than it saves.
pub(super) const MOST_KEPT: usize = 1_024;

/// How many demands are looked at together.
const BLOCK: usize = 8;

/// No block.
const NONE: u32 = u32::MAX;

/// Demands that ask for something of the same lanes.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// A bit per lane that asks for something. Demands within one of this group have them all.
    asks: u64,
    /// Its block that has room.
    last: u32,
}

/// Some demands of a group: of all of them the first lane, then the second.
#[derive(Clone, Copy, Debug)]
struct Block {
    nodes: [u32; BLOCK],
    n: u32,
    /// The block of the group before it.
    before: u32,
}

/// Expanded demands, kept between calls.
#[derive(Clone, Debug)]
pub(super) struct Cover<N> {
    groups: Vec<Group>,
    blocks: Vec<Block>,
    lanes: Vec<[N; BLOCK]>,
    n_kept: usize,
}

impl<N> Default for Cover<N> {
    fn default() -> Self {
        Cover { groups: Vec::new(), blocks: Vec::new(), lanes: Vec::new(), n_kept: 0 }
    }
}

impl<N: Lane> Cover<N> {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.blocks.clear();
        self.lanes.clear();
        self.n_kept = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks = self.blocks.len() * size_of::<Block>();
        blocks + self.lanes.len() * size_of::<[N; BLOCK]>() + self.groups.len() * 16
    }

    /// Keeps a demand, if there is room for one more of so many.
    pub(super) fn keep<const L: usize>(
        &mut self,
        model: &Model<N, L>,
        demand: &Lanes<N, L>,
        node: u32,
        most: usize,
    ) {
        if self.n_kept >= most {
            return;
        }
        self.n_kept += 1;
        let (n_lanes, asks) = (model.layout.n_lanes, asks(demand));
        let at = self.groups.iter().position(|group| group.asks == asks);
        let at = at.unwrap_or_else(|| {
            self.groups.push(Group { asks, last: NONE });
            self.groups.len() - 1
        });
        let last = self.groups[at].last;
        if self.blocks.get(last as usize).is_none_or(|block| block.n as usize == BLOCK) {
            self.groups[at].last = self.blocks.len() as u32;
            self.blocks.push(Block { nodes: [0; BLOCK], n: 0, before: last });
            // Nothing lies within what is not there.
            self.lanes.resize(self.lanes.len() + n_lanes, [N::MAX; BLOCK]);
        }
        let last = self.groups[at].last as usize;
        let Some(block) = self.blocks.get_mut(last) else { return };
        let place = block.n as usize;
        block.nodes[place] = node;
        block.n += 1;
        for (row, &lane) in self.lanes[last * n_lanes..][..n_lanes].iter_mut().zip(demand) {
            row[place] = lane;
        }
    }

    /// A kept demand that a demand lies within, and that is not too dear.
    pub(super) fn find<const L: usize>(
        &self,
        model: &Model<N, L>,
        demand: &Lanes<N, L>,
        is_fine: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let own = asks(demand);
        for group in self.groups.iter().filter(|group| group.asks & !own == 0) {
            let mut at = group.last;
            while let Some(block) = self.blocks.get(at as usize) {
                let found = self.find_in(model, demand, group.asks, at, block, &is_fine);
                if found.is_some() {
                    return found;
                }
                at = block.before;
            }
        }
        None
    }

    #[inline]
    fn find_in<const L: usize>(
        &self,
        model: &Model<N, L>,
        demand: &Lanes<N, L>,
        asks: u64,
        at: u32,
        block: &Block,
        is_fine: &impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let n_lanes = model.layout.n_lanes;
        let (bounds, sets) = (model.layout.n_bounds, model.layout.sets());
        let rows = self.lanes.get(at as usize * n_lanes..)?;
        let mut more = [N::ZERO; BLOCK];
        // Lanes in which nothing is asked are no hindrance; bounds tell most apart.
        for lane in ones(asks & low_bits(bounds)) {
            let (row, &asked) = (rows.get(lane)?, demand.get(lane)?);
            (0..BLOCK).for_each(|at| more[at] |= row[at].less(asked));
            if !has_zero(&more) {
                return None;
            }
        }
        for lane in ones(asks & low_bits(sets.start) & !low_bits(bounds)) {
            let (row, &asked) = (rows.get(lane)?, demand.get(lane)?);
            (0..BLOCK).for_each(|at| more[at] |= row[at] & !asked);
        }
        if !has_zero(&more) {
            return None;
        }
        let is_in = |place: usize| {
            let mut sets = sets.clone();
            sets.all(|lane| model.sets.is_within(demand[lane].narrow(), rows[lane][place].narrow()))
        };
        let mut places = 0..block.n as usize;
        let place =
            places.find(|&at| more[at] == N::ZERO && is_in(at) && is_fine(block.nodes[at]))?;
        Some(block.nodes[place])
    }
}

/// A bit per lane that asks for something.
#[inline]
fn asks<N: Lane, const L: usize>(demand: &Lanes<N, L>) -> u64 {
    let bits = demand.iter().zip(0..64).map(|(&lane, at)| u64::from(lane != N::ZERO) << at);
    bits.fold(0, |asks, bit| asks | bit)
}

#[inline]
fn has_zero<N: Lane>(lanes: &[N; BLOCK]) -> bool {
    lanes.iter().fold(N::ZERO, |any, &lane| any | N::all(lane == N::ZERO)) != N::ZERO
}

/// So many ones.
#[inline]
fn low_bits(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
