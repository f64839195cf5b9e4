//! Promises of who hunts unseen.

use super::{Statement, whole};
use crate::story::{Claim, Crowd};
use throng_domain::notes::Reported;

/// The most that is counted.
const MOST: f64 = 1000.0;

/// So many seconds pass until one who looks around now and then has seen who came into view.
const NOTICED: f64 = 0.6;

impl Statement<'_, '_> {
    /// `while N of SIDE [in its view] are within CELLS of SELECT`, behind `never starts ACTION`.
    pub(super) fn crowd(&mut self, npcs: &[usize]) -> Result<Crowd, Reported> {
        let what = "`while N of SIDE are within CELLS of SELECT`";
        self.keyword("while", what)?;
        let count = whole(self, "how many", 1.0, MOST)?;
        self.keyword("of", what)?;
        let (_, of) = self.side()?;
        let mut in_view = None;
        if self.take_word("in") {
            self.phrase("its view", what)?;
            in_view = Some(self.story.pace.ticks(NOTICED));
        }
        self.phrase("are within", what)?;
        let cells = self.number("how many cells", 0.0, MOST)? as f32;
        self.keyword("of", what)?;
        Ok(Crowd { count, of, in_view, cells, select: self.select(npcs)? })
    }

    /// `within S while N of SIDE could see it`, behind `is cloaked`.
    pub(super) fn cloaked(&mut self) -> Result<Claim, Reported> {
        let what = "`within SECONDS while N of SIDE could see it`";
        self.keyword("within", what)?;
        let ticks = self.ticks("how many seconds")?;
        self.keyword("while", what)?;
        let count = whole(self, "how many", 1.0, MOST)?;
        self.keyword("of", what)?;
        let (_, of) = self.side()?;
        self.phrase("could see it", what)?;
        Ok(Claim::Cloaked(count, of, ticks))
    }
}
