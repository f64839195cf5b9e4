//! What can be shown tick by tick: a story that is played, recorded, or replayed.

use crate::console::{Console, Fail};
use throng_world::story::run::Play;

/// A play that goes on.
pub(crate) trait Staged {
    /// Goes on by a tick: the play after it; `None` if there is none.
    fn tick(&mut self) -> Result<Option<&Play>, Fail>;

    /// The same, unless Ctrl-C was pressed.
    fn next(&mut self, console: &Console<'_>) -> Result<Option<&Play>, Fail> {
        if console.interrupted() { Ok(None) } else { self.tick() }
    }
}

impl Staged for Play {
    fn tick(&mut self) -> Result<Option<&Play>, Fail> {
        Ok(Play::tick(self).then_some(self))
    }
}
