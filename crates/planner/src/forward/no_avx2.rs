//! Stands in for `avx2` on processors of other kinds: it is never there.

use super::glances::Quad;
use super::states::Glimpse;

/// There are no such instructions here, so there is no such value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Avx2 {}

impl Avx2 {
    pub(super) fn detect() -> Option<Avx2> {
        None
    }

    pub(super) fn glimpse(
        self,
        _: &[u32],
        _: u32,
        _: impl Iterator<Item = u64>,
        _: &mut Vec<Glimpse>,
    ) {
        match self {}
    }

    pub(super) fn find(self, _: &[Quad], _: u64, _: &mut [u32]) -> usize {
        match self {}
    }
}
