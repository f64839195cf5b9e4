//! Cover: a demand that lies within a weaker one, expanded at no greater cost, need not be looked
//! at: every way to it is a way to the other.
//!
//! In:   demands as they are expanded.
//! Out:  whether a demand lies within one of them.
//! Cost: linear in what is kept, but eight at a time, and only those that demand something of
//!       no other variable; not more than [`MOST_KEPT`] are kept. What costs more, or was
//!       estimated to be further from the start, is passed over at once.
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

/// Some demands of a group: of all of them what they cost and the rest, then the first lane that
/// asks for something, then the second.
#[derive(Clone, Copy, Debug)]
struct Block {
    nodes: [u32; BLOCK],
    n: u32,
    /// Where its rows begin.
    first: u32,
    /// The block of the group before it.
    before: u32,
}

/// Rows of a block before those of lanes.
const RANKS: usize = 2;

/// What a demand costs, and the least that is left from the start to it; neither is more for a
/// demand that covers it.
pub(super) type Ranks<N> = [N; RANKS];

/// Expanded demands, kept between calls.
#[derive(Clone, Debug)]
pub(super) struct Cover<N> {
    groups: Vec<Group>,
    blocks: Vec<Block>,
    rows: Vec<[N; BLOCK]>,
    n_kept: usize,
}

impl<N> Default for Cover<N> {
    fn default() -> Self {
        Cover { groups: Vec::new(), blocks: Vec::new(), rows: Vec::new(), n_kept: 0 }
    }
}

impl<N: Lane> Cover<N> {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.blocks.clear();
        self.rows.clear();
        self.n_kept = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks = self.blocks.len() * size_of::<Block>();
        blocks + self.rows.len() * size_of::<[N; BLOCK]>() + self.groups.len() * 16
    }

    /// Keeps a demand, if there is room for one more of so many.
    pub(super) fn keep<const L: usize>(
        &mut self,
        demand: &Lanes<N, L>,
        ranks: Ranks<N>,
        node: u32,
        most: usize,
    ) {
        if self.n_kept >= most {
            return;
        }
        self.n_kept += 1;
        let asks = asks(demand);
        let at = self.groups.iter().position(|group| group.asks == asks);
        let at = at.unwrap_or_else(|| {
            self.groups.push(Group { asks, last: NONE });
            self.groups.len() - 1
        });
        let last = self.groups[at].last;
        if self.blocks.get(last as usize).is_none_or(|block| block.n as usize == BLOCK) {
            self.groups[at].last = self.blocks.len() as u32;
            let first = self.rows.len() as u32;
            self.blocks.push(Block { nodes: [0; BLOCK], n: 0, first, before: last });
            // Nothing lies within what is not there.
            let n_rows = RANKS + asks.count_ones() as usize;
            self.rows.resize(self.rows.len() + n_rows, [N::MAX; BLOCK]);
        }
        let last = self.groups[at].last as usize;
        let Some(block) = self.blocks.get_mut(last) else { return };
        let place = block.n as usize;
        block.nodes[place] = node;
        block.n += 1;
        let lanes = ranks.into_iter().chain(ones(asks).map(|lane| demand[lane]));
        for (row, lane) in self.rows[block.first as usize..].iter_mut().zip(lanes) {
            row[place] = lane;
        }
    }

    /// A kept demand that a demand lies within, and that is not too dear.
    pub(super) fn find<const L: usize>(
        &self,
        model: &Model<N, L>,
        demand: &Lanes<N, L>,
        ranks: Ranks<N>,
        is_fine: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let own = asks(demand);
        let (bounds, sets) = (model.layout.n_bounds, model.layout.sets());
        for group in self.groups.iter().filter(|group| group.asks & !own == 0) {
            let mut asked = [N::ZERO; L];
            let lanes = ones(group.asks).map(|lane| demand[lane]);
            asked.iter_mut().zip(lanes).for_each(|(asked, lane)| *asked = lane);
            // Bounds come first, then masks, then sets.
            let n_of = |lanes: u64| (group.asks & lanes).count_ones() as usize;
            let (n_bounds, n_masks) = (n_of(low_bits(bounds)), n_of(low_bits(sets.start)));
            let mut at = group.last;
            while let Some(block) = self.blocks.get(at as usize) {
                at = block.before;
                let rows = self.rows.get(block.first as usize..)?;
                let more = within(rows, ranks, &asked[..n_bounds], &asked[n_bounds..n_masks]);
                let Some(more) = more else { continue };
                let is_in = |place: usize| {
                    let mut sets = sets.clone().filter(|lane| group.asks >> lane & 1 == 1);
                    let mut rows = rows[RANKS + n_masks..].iter();
                    sets.all(|lane| {
                        let wider = rows.next().map_or(0, |row| row[place].narrow());
                        model.sets.is_within(demand[lane].narrow(), wider)
                    })
                };
                let mut places = 0..block.n as usize;
                let place =
                    places.find(|&at| more[at] == N::ZERO && is_in(at) && is_fine(block.nodes[at]));
                if let Some(place) = place {
                    return Some(block.nodes[place]);
                }
            }
        }
        None
    }
}

/// By place of a block what is asked there and not asked by a demand; `None` if that is something
/// everywhere.
#[inline]
fn within<N: Lane>(
    rows: &[[N; BLOCK]],
    ranks: Ranks<N>,
    bounds: &[N],
    masks: &[N],
) -> Option<[N; BLOCK]> {
    let (of_ranks, of_lanes) = rows.split_at_checked(RANKS)?;
    let mut more = [N::ZERO; BLOCK];
    for (row, rank) in of_ranks.iter().zip(ranks) {
        (0..BLOCK).for_each(|at| more[at] |= row[at].less(rank));
    }
    if !has_zero(&more) {
        return None;
    }
    for (row, &asked) in of_lanes.iter().zip(bounds) {
        (0..BLOCK).for_each(|at| more[at] |= row[at].less(asked));
        if !has_zero(&more) {
            return None;
        }
    }
    for (row, &asked) in of_lanes.get(bounds.len()..)?.iter().zip(masks) {
        (0..BLOCK).for_each(|at| more[at] |= row[at] & !asked);
    }
    has_zero(&more).then_some(more)
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
