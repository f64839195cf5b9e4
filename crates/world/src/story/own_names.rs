//! Names of files that are read under a name (`use … as beast`), as their own people say them.
//!
//! In:   what the names of a type's own file begin with: `beast.`.
//! Out:  what somebody says without it.
//! Cost: a look at a text.

use super::cast::Cast;

impl Cast {
    /// What the names begin with that are of the file of an actor's type; empty if it has none.
    fn prefix(&self, voice: usize) -> &str {
        let npc = self.mind(voice).map(|mind| &self.minds().spec().npcs[mind.npc().index()]);
        npc.and_then(|npc| npc.prefixes.first()).map_or("", String::as_str)
    }

    /// A slot as an actor's own file calls it; `None` if it is of another file.
    pub(super) fn own_slot<'s>(&self, voice: usize, slot: &'s str) -> Option<&'s str> {
        slot.strip_prefix(self.prefix(voice))
    }

    /// What is told of an actor, in the words of its own file.
    pub(super) fn in_own_names(&self, voice: usize, text: &str) -> Option<String> {
        let prefix = self.prefix(voice);
        (!prefix.is_empty() && text.contains(prefix)).then(|| text.replace(prefix, ""))
    }
}
