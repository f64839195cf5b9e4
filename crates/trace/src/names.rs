//! How the game calls what minds have picked, as a recording keeps it.
//!
//! In:   minds after a tick; a function of the game that names a thing.
//! Out:  a name for each thing that was picked, and for each mind's own, when it is first met.
//! Cost: a comparison per mind and a look-up per pick that has changed; a name is asked for once.

use std::collections::HashSet;
use throng_mind::Minds;
use throng_mind::events::EventKind;
use throng_mind::fact::EntityId;
use throng_mind::select::Key;

/// So many things have a name in a recording at most.
const MOST_NAMES: usize = 1 << 16;
/// A longer name is cut.
const LONGEST_NAME: usize = 100;

/// The name of a thing.
pub(crate) type Named = (EntityId, String);

/// Names that are known, and those that are yet to be written.
#[derive(Default)]
pub(crate) struct Names {
    met: HashSet<EntityId>,
    pub(crate) all: Vec<Named>,
    /// How many of them are written.
    pub(crate) n_written: usize,
    /// The number of the last mind that was met.
    last_mind: Option<u32>,
}

impl Names {
    /// Those that are yet to be written.
    pub(crate) fn fresh(&self) -> &[Named] {
        self.all.get(self.n_written..).unwrap_or_default()
    }

    /// Asks for the names of what is new.
    pub(crate) fn look<W: ?Sized + Sync>(
        &mut self,
        minds: &Minds<W>,
        name: &mut dyn FnMut(EntityId) -> Option<String>,
    ) {
        let before = self.last_mind;
        for mind in minds.iter().filter(|mind| before.is_none_or(|last| mind.id().0 > last)) {
            self.last_mind = self.last_mind.max(Some(mind.id().0));
            self.meet(mind.me(), name);
            let held = mind.picks().slots().iter().filter_map(|pick| pick.key.entity());
            held.for_each(|entity| self.meet(entity, name));
        }
        for event in minds.events() {
            if let EventKind::Picked { now: Key::Entity(entity), .. } = event.what {
                self.meet(entity, name);
            }
        }
    }

    fn meet(&mut self, entity: EntityId, name: &mut dyn FnMut(EntityId) -> Option<String>) {
        if self.all.len() < MOST_NAMES
            && self.met.insert(entity)
            && let Some(name) = name(entity)
        {
            self.all.push((entity, name.chars().take(LONGEST_NAME).collect()));
        }
    }
}
