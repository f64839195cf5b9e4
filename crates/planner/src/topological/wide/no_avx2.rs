//! Stands in for `avx2` on processors of other kinds: it is never there.

use super::Wide;
use super::lanes::{Counted, LanePlans, Lanes, WideScratch};

/// There are no such instructions here, so there is no such value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Avx2 {}

impl Avx2 {
    pub(super) fn detect() -> Option<Avx2> {
        None
    }

    pub(super) fn blocks(
        self,
        _: &Wide,
        _: &Lanes<'_>,
        _: &mut LanePlans<'_>,
        _: &mut WideScratch,
    ) -> Counted {
        match self {}
    }
}
