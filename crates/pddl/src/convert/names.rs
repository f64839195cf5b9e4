//! Names that another language can say.
//!
//! In:   any name, and whether a name is free.
//! Out:  a legal name that is not in use.
//! Cost: a look-up per try; equal names are numbered from where the last one stopped.

use std::collections::{HashMap, HashSet};

/// Longer names are cut: readers have limits, people too.
pub(super) const LONGEST: usize = 120;

/// The names in use.
#[derive(Default)]
pub(super) struct Free {
    used: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Free {
    /// All names but these words.
    pub(super) fn without(words: &str) -> Self {
        let used = words.split_whitespace().map(str::to_owned).collect();
        Free { used, next: HashMap::new() }
    }

    /// The name itself, or `make` of the first number from 2 on that is free.
    pub(super) fn take(&mut self, name: String, make: impl Fn(usize) -> String) -> String {
        if self.used.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name).or_insert(2);
        loop {
            let numbered = make(*next);
            *next += 1;
            if self.used.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// A name of small letters, digits and `joint`, beginning with a letter: what every reader of
/// PDDL and of `.npc` takes. Other characters become one joint together.
pub(super) fn plain(name: &str, joint: char) -> String {
    let mut plain = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if plain.len() >= LONGEST {
            break;
        }
        match c {
            'a'..='z' | '0'..='9' => plain.push(c),
            '_' | '-' if !plain.is_empty() && !plain.ends_with(['_', '-']) => plain.push(c),
            _ if !plain.is_empty() && !plain.ends_with(['_', '-']) => plain.push(joint),
            _ => {}
        }
    }
    let end = plain.trim_end_matches(['_', '-']).len();
    plain.truncate(end);
    if !plain.starts_with(|c: char| c.is_ascii_lowercase()) {
        plain.insert_str(0, if plain.is_empty() { "x" } else { "n" });
    }
    plain
}

/// What a value is called for people: `Atom on(a, b)` of variable `on` is `a, b`, of another
/// variable `on(a, b)`.
pub(super) fn value_words(variable: &str, value: &str) -> String {
    let Some(atom) = value.strip_prefix("Atom ") else {
        return value.strip_prefix("NegatedAtom ").map_or(value.to_owned(), |a| format!("not-{a}"));
    };
    let own = atom.strip_prefix(variable).and_then(|rest| rest.strip_prefix('('));
    match own.and_then(|rest| rest.strip_suffix(')')) {
        Some(words) if !words.is_empty() => words.to_owned(),
        _ => atom.to_owned(),
    }
}
