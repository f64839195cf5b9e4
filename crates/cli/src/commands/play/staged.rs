//! What can be shown tick by tick: a story that is played, recorded, or replayed.

use crate::console::Fail;
use throng_world::story::run::Play;

/// A play, and how it goes on.
pub(crate) trait Staged {
    /// The play as it is.
    fn play(&self) -> &Play;

    /// Goes on by a tick; `false` if there is none.
    fn tick(&mut self) -> Result<bool, Fail>;
}

impl Staged for Play {
    fn play(&self) -> &Play {
        self
    }

    fn tick(&mut self) -> Result<bool, Fail> {
        Ok(Play::tick(self))
    }
}
