//! Names of a large table, packed: one text, where each name ends, and a hash table of numbers.
//!
//! In:   names in order, former names, places.
//! Out:  number → name and place, name → number.
//! Cost: about a dozen bytes per name beyond its letters; a look-up is a hash and a comparison.
//!
//! A string of its own and a second one as a key cost a name over a hundred bytes; a domain may
//! have millions.

use crate::source::Location;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use throng_base::IndexTable;

/// Names of one table, with places.
#[derive(Clone, Debug)]
pub(super) struct ManyNames {
    text: String,
    /// There may be more letters than [`throng_base::Rows`] can count.
    ends: Vec<usize>,
    /// Empty if no name has a place.
    places: Vec<Location>,
    /// Numbers by the hash of their names.
    table: IndexTable,
    hasher: RandomState,
    former: HashMap<String, u32>,
}

impl ManyNames {
    /// Present names first: a former name never hides a present one.
    pub(super) fn new<'m>(
        entries: impl Iterator<Item = (&'m String, &'m [String], Location)> + Clone,
    ) -> Self {
        let mut names = ManyNames::empty();
        for (name, _, place) in entries.clone() {
            names.text.push_str(name);
            names.ends.push(names.text.len());
            names.places.push(place);
        }
        names.fill_table();
        for (at, (_, was, _)) in entries.enumerate() {
            for former in was {
                if names.find(former).is_none() {
                    names.former.insert(former.clone(), at as u32);
                }
            }
        }
        names
    }

    /// A letter and the numbers from 1; nothing has a place.
    pub(super) fn numbered(letter: char, count: usize) -> Self {
        let mut names = ManyNames::empty();
        for number in 1..=count {
            names.text.push(letter);
            names.text.push_str(&number.to_string());
            names.ends.push(names.text.len());
        }
        names.fill_table();
        names
    }

    fn empty() -> Self {
        ManyNames {
            text: String::new(),
            ends: Vec::new(),
            places: Vec::new(),
            table: IndexTable::default(),
            hasher: RandomState::new(),
            former: HashMap::new(),
        }
    }

    fn fill_table(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.places.shrink_to_fit();
        let mut table = IndexTable::with_places(self.ends.len() * 2);
        // A later name takes the place of an equal one before it.
        for at in (0..self.ends.len()).rev() {
            let is_same = |other: u32| self.name(other as usize) == self.name(at);
            table.find_or_insert(self.hash(self.name(at)), at as u32, is_same, |other| {
                self.hash(self.name(other as usize))
            });
        }
        self.table = table;
    }

    fn hash(&self, name: &str) -> u64 {
        self.hasher.hash_one(name)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn name(&self, at: usize) -> &str {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[begin..self.ends[at]]
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let found = self.table.find(self.hash(name), |at| self.name(at as usize) == name);
        found.or_else(|| self.former.get(name).copied())
    }

    pub(super) fn place(&self, at: usize) -> Location {
        self.places.get(at).copied().unwrap_or_default()
    }

    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        throng_base::nearest(name, (0..self.ends.len()).map(|at| self.name(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_no_other() {
        let names = ManyNames::numbered('v', 5_000);
        for at in 0..5_000 {
            assert_eq!(names.name(at), format!("v{}", at + 1));
            assert_eq!(names.find(names.name(at)), Some(at as u32));
        }
        assert_eq!((names.find("v0"), names.find("v5001"), names.find("")), (None, None, None));
        assert_eq!(ManyNames::numbered('v', 0).find("v1"), None);
    }

    #[test]
    fn former_names_lead_to_the_present_thing_and_hide_none() {
        let (a, b) = ("a".to_string(), "b".to_string());
        let was = ["b".to_string(), "c".to_string(), "c".to_string()];
        let entries = [(&a, &was[..], Location::default()), (&b, &[][..], Location::default())];
        let names = ManyNames::new(entries.into_iter());
        assert_eq!(
            (names.find("b"), names.find("c"), names.find("a")),
            (Some(1), Some(0), Some(0))
        );
        assert_eq!(names.place(1), Location::default());
    }
}
