//! What something was made of: so that it is made anew only when that has changed.
//!
//! In:   counters of memories and picks, and a place.
//! Out:  the same, to be compared.
//! Cost: 48 bytes.

use crate::fact::Position;
use throng_base::codec_struct;

/// What something was made of: how new the memories were, and where the mind was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Versions {
    pub(crate) memory: (u64, u64),
    pub(crate) shared: (u64, u64),
    pub(crate) here: Position,
}

impl Versions {
    pub(crate) const fn nothing() -> Self {
        Versions { memory: (0, 0), shared: (0, 0), here: [0.0; 3] }
    }

    /// Whether these are others bit by bit: two zeros may differ in their sign.
    pub(crate) fn is_same(&self, other: &Versions) -> bool {
        let &Versions { memory, shared, here } = self;
        (memory, shared) == (other.memory, other.shared)
            && here.iter().zip(other.here).all(|(one, two)| one.to_bits() == two.to_bits())
    }
}

codec_struct!(Versions { memory, shared, here });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_something_was_made_of_comes_back() {
        comes_back::<Versions>(|trial, _| Versions {
            memory: trial.any(),
            shared: trial.any(),
            here: trial.any(),
        });
    }
}
