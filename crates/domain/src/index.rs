//! Names to positions: what a model holds, found by name.
//!
//! In:   lists whose members have names, as they grow; at the end, their former names.
//! Out:  the position of a name.
//! Cost: about eight bytes per name, because the names stay in their lists; a look-up is a hash
//!       and a comparison. A domain may have millions of names, and a stranger may have chosen
//!       them: each table hashes from a seed of its own that no text can know.

use crate::source::Span;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use throng_base::IndexTable;
use throng_base::mix::{Mixer, hash_bytes};

/// Hashes what a text says, from a seed that is drawn at random.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextHash(u64);

impl TextHash {
    /// The hash of a name.
    #[inline]
    pub(crate) fn of(self, name: &str) -> u64 {
        hash_bytes(self.0, name.as_bytes())
    }

    /// The hash of several, in order.
    pub(crate) fn of_all<'n>(self, names: impl Iterator<Item = &'n str>) -> u64 {
        names.fold(self.0, |hash, name| hash_bytes(hash, name.as_bytes()))
    }
}

impl Default for TextHash {
    fn default() -> Self {
        TextHash(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for TextHash {
    type Hasher = Mixer;

    fn build_hasher(&self) -> Mixer {
        Mixer::seeded(self.0)
    }
}

/// A map from what a text says.
pub(crate) type TextMap<K, V> = HashMap<K, V, TextHash>;
/// A set of what a text says.
pub(crate) type TextSet<K> = HashSet<K, TextHash>;

/// What can be found by name.
pub(crate) trait Named {
    fn name(&self) -> &str;

    fn was(&self) -> &[String] {
        &[]
    }

    fn span(&self) -> Span {
        Span::default()
    }
}

impl Named for String {
    fn name(&self) -> &str {
        self
    }
}

/// Positions in one list by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    present: IndexTable,
    hash: TextHash,
    former: TextMap<String, u32>,
}

impl NameTable {
    /// The position of a present name; else of the first thing that had it.
    pub(crate) fn find<T: Named>(&self, list: &[T], name: &str) -> Option<usize> {
        if self.present.is_empty() {
            return None;
        }
        let is_same = |at: u32| list[at as usize].name() == name;
        let present = self.present.find(self.hash.of(name), is_same);
        present.or_else(|| self.former.get(name).copied()).map(|at| at as usize)
    }

    /// Takes in the last of a list, whose name is new.
    pub(crate) fn add_last<T: Named>(&mut self, list: &[T]) {
        let hash = |at: u32| self.hash.of(list[at as usize].name());
        let Some(last) = list.len().checked_sub(1) else { return };
        self.present.insert(hash(last as u32), last as u32, hash);
    }

    /// Takes in the former names, once all present ones are there: none of them hides one.
    pub(crate) fn add_former<T: Named>(&mut self, list: &[T]) {
        for (at, thing) in list.iter().enumerate() {
            for name in thing.was() {
                if self.find(list, name).is_none() {
                    self.former.insert(name.clone(), at as u32);
                }
            }
        }
    }
}

/// Things by name, in the order in which they were named first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByName<T> {
    table: NameTable,
    list: Vec<(String, T)>,
}

impl<T> Named for (String, T) {
    fn name(&self) -> &str {
        &self.0
    }
}

impl<T: Default> ByName<T> {
    /// The thing of this name, made if there was none.
    pub(crate) fn entry(&mut self, name: &str) -> &mut T {
        let at = self.table.find(&self.list, name).unwrap_or_else(|| {
            self.list.push((name.to_string(), T::default()));
            self.table.add_last(&self.list);
            self.list.len() - 1
        });
        &mut self.list[at].1
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.table.find(&self.list, name).map(|at| &self.list[at].1)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> + Clone {
        self.list.iter().map(|(name, thing)| (name.as_str(), thing))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.iter().map(|(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(&'static str, Vec<String>);

    impl Named for Thing {
        fn name(&self) -> &str {
            self.0
        }

        fn was(&self) -> &[String] {
            &self.1
        }
    }

    #[test]
    fn every_name_is_found_and_no_other() {
        let names: Vec<String> = (0..5_000).map(|at| format!("v{at}")).collect();
        let mut table = NameTable::default();
        (0..=names.len()).for_each(|end| table.add_last(&names[..end]));
        assert!(names.iter().enumerate().all(|(at, name)| table.find(&names, name) == Some(at)));
        assert_eq!((table.find(&names, "v5000"), table.find(&names, "")), (None, None));
        assert_eq!(NameTable::default().find(&names, "v1"), None);
    }

    #[test]
    fn former_names_lead_to_the_present_thing_and_hide_none() {
        let was = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let things = [Thing("a", was(&["b", "c", "c"])), Thing("b", was(&["c"]))];
        let mut table = NameTable::default();
        (1..=things.len()).for_each(|end| table.add_last(&things[..end]));
        assert_eq!(table.find(&things, "c"), None);
        table.add_former(&things);
        let found = ["b", "c", "a", "d"].map(|name| table.find(&things, name));
        assert_eq!(found, [Some(1), Some(0), Some(0), None]);
    }
}
