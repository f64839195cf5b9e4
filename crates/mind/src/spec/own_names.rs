//! Names that code says, as the file of who acts means them.
//!
//! In:   a name that code knows, as `target`, and who says it.
//! Out:  the slots of that name. Of a file that is read under a name (`use … as beast`) they are
//!       called `beast.target`, and its own people still mean these.
//! Cost: a walk over the selections that the type makes.

use super::Spec;
use std::ops::Range;
use throng_domain::compile::{NpcTables, SourceMap};
use throng_domain::model::NpcTypeId;
use throng_domain::names::{prefix_of, prefixes_of};

impl Spec {
    /// The slots that code means by a name, when somebody of a type does what is called `doing`
    /// (nothing, if it senses): those of the file of `doing`, else of the type's own, else of one that
    /// all share. Selections that the type does not make are not meant.
    pub fn slots_meant(&self, npc: NpcTypeId, doing: &str, name: &str) -> Option<Range<u16>> {
        let of_doing = Some(prefix_of(doing)).filter(|prefix| !prefix.is_empty());
        let own = self.npcs.get(npc.index()).map_or(&[][..], |npc| &npc.prefixes);
        let mut prefixes = of_doing.into_iter().chain(own.iter().map(String::as_str));
        prefixes.find_map(|prefix| {
            let is_it = |called: &str| called.strip_prefix(prefix) == Some(name);
            self.selects_of(npc).find_map(|(_, select)| {
                if is_it(self.domain.map().select(select.select)) {
                    return Some(select.slots.clone());
                }
                let slot = select.slots.clone().find(|&slot| is_it(self.slot_name(slot)))?;
                Some(slot..slot + 1)
            })
        })
    }
}

/// What names of a type begin with: of its goals first, then of its actions.
pub(super) fn prefixes_of_type(map: &SourceMap, npc: &NpcTables) -> Vec<String> {
    let goals = npc.goals().iter().map(|&goal| map.goal(goal));
    let actions = npc.actions().iter().map(|&action| map.action(action));
    prefixes_of(goals.chain(actions)).into_iter().map(str::to_string).collect()
}
