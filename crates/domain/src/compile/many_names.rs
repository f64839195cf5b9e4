//! Names of a large table, packed: one text, where each name ends, and a hash table of numbers.
//!
//! In:   names in order, former names, places.
//! Out:  number → name and place, name → number.
//! Cost: about a dozen bytes per name beyond its letters; a look-up is a hash and a comparison.
//!
//! A string of its own and a second one as a key cost a name over a hundred bytes; a domain may
//! have millions.

use crate::source::Place;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

const FREE: u32 = u32::MAX;

/// Names of one table, with places.
#[derive(Clone, Debug)]
pub(super) struct ManyNames {
    text: String,
    ends: Vec<usize>,
    /// Empty if no name has a place.
    places: Vec<Place>,
    /// Numbers by the hash of their names, each at the first free entry after its hash.
    table: Vec<u32>,
    hasher: RandomState,
    former: HashMap<String, u32>,
}

impl ManyNames {
    /// Present names first: a former name never hides a present one.
    pub(super) fn new<'m>(
        entries: impl Iterator<Item = (&'m String, &'m [String], Place)> + Clone,
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
            table: Vec::new(),
            hasher: RandomState::new(),
            former: HashMap::new(),
        }
    }

    fn fill_table(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.places.shrink_to_fit();
        // At most half full, so that a free entry is never far.
        self.table = vec![FREE; (self.ends.len() * 2).next_power_of_two()];
        for at in 0..self.ends.len() {
            let mut entry = self.entry(self.name(at));
            // A later name takes the place of an equal one before it.
            while self.table[entry] != FREE
                && self.name(self.table[entry] as usize) != self.name(at)
            {
                entry = (entry + 1) & (self.table.len() - 1);
            }
            self.table[entry] = at as u32;
        }
    }

    fn entry(&self, name: &str) -> usize {
        self.hasher.hash_one(name) as usize & (self.table.len() - 1)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn name(&self, at: usize) -> &str {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[begin..self.ends[at]]
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let mut entry = self.entry(name);
        while self.table[entry] != FREE {
            if self.name(self.table[entry] as usize) == name {
                return Some(self.table[entry]);
            }
            entry = (entry + 1) & (self.table.len() - 1);
        }
        self.former.get(name).copied()
    }

    pub(super) fn place(&self, at: usize) -> Place {
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
        let entries = [(&a, &was[..], Place::default()), (&b, &[][..], Place::default())];
        let names = ManyNames::new(entries.into_iter());
        assert_eq!(
            (names.find("b"), names.find("c"), names.find("a")),
            (Some(1), Some(0), Some(0))
        );
        assert_eq!(names.place(1), Place::default());
    }
}
