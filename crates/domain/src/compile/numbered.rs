//! The names of a domain that has no text: a letter and a number each.
//!
//! In:   how many variables with how many values, how many actions.
//! Out:  variables `v1`, `v2` …, values `0`, `1` …, actions `a1`, `a2` …, one goal, one NPC type.
//! Cost: the letters of the names; a look-up reads the number.

use super::packed::PackedValue;
use crate::values::Values;
use std::collections::HashMap;
use throng_base::Names;

/// The names of everything.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub(super) domain: String,
    pub(super) variables: Counted,
    pub(super) actions: Counted,
    pub(super) goals: Counted,
    pub(super) npcs: Counted,
    pub(super) checks: Counted,
    pub(super) selects: Counted,
    pub(super) slots: Counted,
    /// Variables with as many values share the list.
    pub(super) values: Vec<Values>,
}

impl Numbered {
    pub(super) fn new(
        domain: &str,
        sizes: &[PackedValue],
        n_actions: usize,
        goal: &str,
        npc: &str,
    ) -> Self {
        let mut known = HashMap::new();
        let values = |&size: &PackedValue| -> Values {
            let range = || Values::range(0, i64::from(size) - 1).unwrap_or(Values::new(Vec::new()));
            known.entry(size).or_insert_with(range).clone()
        };
        Numbered {
            domain: domain.to_string(),
            variables: Counted::new("v", sizes.len()),
            actions: Counted::new("a", n_actions),
            goals: Counted::one(goal),
            npcs: Counted::one(npc),
            checks: Counted::new("", 0),
            selects: Counted::new("", 0),
            slots: Counted::new("", 0),
            values: sizes.iter().map(values).collect(),
        }
    }
}

/// Names of one kind: one name, or a word and the numbers from 1.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    word: &'static str,
    names: Names,
}

impl Counted {
    fn new(word: &'static str, count: usize) -> Self {
        Counted { word, names: (1..=count).map(|number| format!("{word}{number}")).collect() }
    }

    fn one(name: &str) -> Self {
        Counted { word: "", names: [name].into_iter().collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, at: usize) -> &str {
        self.names.get(at)
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix(self.word)?.parse::<usize>().ok();
        let at = number.unwrap_or(1).checked_sub(1)?;
        (at < self.len() && self.name(at) == name).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_and_no_other() {
        let names = Counted::new("v", 5_000);
        for at in 0..5_000 {
            assert_eq!(names.name(at), format!("v{}", at + 1));
            assert_eq!(names.find(names.name(at)), Some(at));
        }
        for name in ["v0", "v5001", "", "v", "v01", "v+1", "a1"] {
            assert_eq!(names.find(name), None, "{name}");
        }
        assert_eq!(Counted::new("v", 0).find("v1"), None);
        let one = Counted::one("done");
        assert_eq!((one.find("done"), one.find("don"), one.find("1")), (Some(0), None, None));
    }
}
