//! What is picked, as code asks for it: by a name, whatever others call it.
//!
//! In:   a name that code knows, as `target`, or the position of a parameter.
//! Out:  what the slot of that name holds, to who senses or acts; what a selection may pick.
//! Cost: a walk over the selections of the type; for candidates one over the facts of their kinds.

use super::{Acting, Sensing};
use crate::condition::Situation;
use crate::fact::EntityId;
use crate::select::{Candidates, Pick, Picks};
use crate::spec::SelectSpec;
use std::ops::Range;

impl<W: ?Sized> Sensing<'_, W> {
    /// What a slot holds, as of the tick before: `target`, `cover.2`. Of a `best K` by its bare name
    /// the first slot that is not empty. `None` if nothing is picked, or there is no such slot.
    ///
    /// A name means what the file of the mind's type calls so, whatever others call it.
    pub fn picked(&self, name: &str) -> Option<Pick> {
        self.picks.first(self.spec.slots_meant(self.npc, "", name)?)
    }

    /// Whether the mind's type picks something under this name.
    pub fn has_slot(&self, name: &str) -> bool {
        self.spec.slots_meant(self.npc, "", name).is_some()
    }

    /// What all slots hold, as of the tick before.
    pub fn picks(&self) -> &Picks {
        self.picks
    }

    /// What a selection may pick, at most sixteen, the nearest first: the facts that it is `of` and
    /// that pass its `where`; nothing of one that the mind's type does not make. Work on what is picked first, then on these.
    pub fn candidates(&self, name: &str) -> Candidates {
        let slots = self.spec.slots_meant(self.npc, "", name);
        let mut made = self.spec.selects_of(self.npc).map(|(_, select)| select);
        let select = made.find(|known| Some(&known.slots) == slots.as_ref());
        select.map_or_else(Candidates::default, |select| self.candidates_of(select))
    }

    /// The same for each selection that the mind's type makes, in the order of the file.
    pub fn all_candidates(&self) -> impl Iterator<Item = Candidates> {
        let ids = self.spec.domain.map().select_ids();
        let made = |id| self.spec.selects_of(self.npc).find(|(_, select)| select.select == id);
        ids.filter_map(made).map(|(_, select)| self.candidates_of(select))
    }

    fn candidates_of(&self, select: &SelectSpec) -> Candidates {
        let from = Situation {
            here: *self.here,
            me: self.me,
            picks: self.picks,
            ..Situation::new(self.memory, self.shared, self.values, self.now, self.spec.pace)
        };
        Candidates::of(select, &from)
    }
}

impl<W: ?Sized> Acting<'_, W> {
    /// What a slot holds: `target`, `cover.2`. Of a `best K` by its bare name the first slot that is
    /// not empty. `None` if nothing is picked, or there is no such slot.
    ///
    /// A name means what the file of the action calls so, else that of the mind's type, whatever
    /// others call it. What the file itself gives ([`given`](Self::given)) is the name of a slot for
    /// everybody: that is looked up by [`Picks::named`].
    pub fn picked(&self, name: &str) -> Option<Pick> {
        self.picks.first(self.slots_meant(name)?)
    }

    /// Whether something is picked under this name by who does this.
    pub fn has_slot(&self, name: &str) -> bool {
        self.slots_meant(name).is_some()
    }

    fn slots_meant(&self, name: &str) -> Option<Range<u16>> {
        let doing = match (self.beside, self.action) {
            (Some(beside), _) => self.spec.words.text(beside.name),
            (None, Some(action)) => self.spec.words.text(self.spec.action(action).template),
            (None, None) => "",
        };
        self.spec.slots_meant(self.npc, doing, name)
    }

    /// What all slots hold.
    pub fn picks(&self) -> &Picks {
        self.picks
    }

    /// The thing of the game that a parameter stands for: what its slot holds. `None` if the
    /// parameter is no slot, or what is picked is no thing.
    pub fn object(&self, at: usize) -> Option<EntityId> {
        let slot = match self.beside {
            Some(beside) => {
                let (first, n) = beside.slots.get(at).copied().flatten()?;
                let mut slots = first..first.saturating_add(n);
                slots.find(|&slot| self.picks.get(usize::from(slot)).is_some())?
            }
            None => self.spec.action(self.action?).slots.get(at).copied().flatten()?,
        };
        self.picks.get(usize::from(slot))?.key.entity()
    }
}
