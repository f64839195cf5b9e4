//! Operators by what they look at, compared with a state of one word: four at a time.
//!
//! In:   operators, each a mask and what must be seen through it.
//! Out:  those that can run in a state, in the order in which they were added.
//! Cost: one and a half instructions per operator with AVX2 and some for each that can run; five
//!       per operator without.
//!
//! The plain twin of the vector kernel (`avx2`) is [`Glances::find_plainly`].

use super::avx2::Avx2;

/// Operators of a quad.
pub(super) const QUAD: usize = 4;

/// Four operators: what they look at, what they must see, and their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    pub(super) look: [u64; QUAD],
    pub(super) see: [u64; QUAD],
    pub(super) operators: [u32; QUAD],
}

/// What is not there never can run: nothing is seen through an empty mask.
const NOBODY: Quad = Quad { look: [0; QUAD], see: [1; QUAD], operators: [0; QUAD] };

/// Operators that are all compared.
#[derive(Debug, Default)]
pub(super) struct Glances {
    quads: Vec<Quad>,
    n_operators: usize,
    avx2: Option<Avx2>,
}

impl Glances {
    /// Forgets all operators, and asks the processor what it can do.
    pub(super) fn clear(&mut self) {
        self.quads.clear();
        self.n_operators = 0;
        self.avx2 = Avx2::detect();
    }

    /// Whether operators are compared several at a time.
    pub(super) fn is_wide(&self) -> bool {
        self.avx2.is_some()
    }

    /// Lets operators be compared one by one.
    pub(super) fn be_plain(&mut self) {
        self.avx2 = None;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.quads.is_empty()
    }

    /// How many numbers [`find`](Self::find) needs room for.
    pub(super) fn room(&self) -> usize {
        self.quads.len() * QUAD
    }

    /// Adds an operator behind the others.
    pub(super) fn push(&mut self, look: u64, see: u64, operator: u32) {
        let lane = self.n_operators % QUAD;
        if lane == 0 {
            self.quads.push(NOBODY);
        }
        self.n_operators += 1;
        let Some(quad) = self.quads.last_mut() else { return };
        quad.look[lane] = look;
        quad.see[lane] = see;
        quad.operators[lane] = operator;
    }

    /// Writes the operators that can run in a state, and says how many they are. There must be
    /// [`room`](Self::room) for all; what lies behind those written has no meaning.
    #[inline]
    pub(super) fn find(&self, state: u64, found: &mut [u32]) -> usize {
        match self.avx2 {
            Some(avx2) => avx2.find(&self.quads, state, found),
            None => self.find_plainly(state, found),
        }
    }

    /// The same, one operator after the other.
    pub(super) fn find_plainly(&self, state: u64, found: &mut [u32]) -> usize {
        let mut n_found = 0;
        for quad in &self.quads {
            for lane in 0..QUAD {
                // Written always, kept if it can run: no predictor can guess whether it can.
                found[n_found] = quad.operators[lane];
                n_found += usize::from(state & quad.look[lane] == quad.see[lane]);
            }
        }
        n_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    #[test]
    fn both_ways_find_the_same_in_the_order_of_adding() {
        let mut random = SplitMix::new(11);
        for n in (0..70).chain([255, 256, 257]) {
            let mut glances = Glances::default();
            glances.clear();
            let operators: Vec<(u64, u64)> = (0..n)
                .map(|_| {
                    let look = (0..random.below(4)).fold(0, |look, _| look | 1 << random.below(64));
                    (look, look & random.number())
                })
                .collect();
            for (at, &(look, see)) in operators.iter().enumerate() {
                glances.push(look, see, 1_000 + at as u32);
            }
            assert_eq!(glances.is_empty(), n == 0);
            let (mut plain, mut wide) = (vec![0; glances.room()], vec![0; glances.room()]);
            for _ in 0..50 {
                let state = random.number();
                let can_run = |at: &usize| state & operators[*at].0 == operators[*at].1;
                let expected: Vec<u32> =
                    (0..n).filter(can_run).map(|at| 1_000 + at as u32).collect();
                let n_plain = glances.find_plainly(state, &mut plain);
                assert_eq!(plain[..n_plain], expected);
                let n_wide = glances.find(state, &mut wide);
                assert_eq!(wide[..n_wide], expected);
            }
        }
    }
}
