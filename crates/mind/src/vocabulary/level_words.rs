//! The names that a level has, for who holds a file against a vocabulary.

use crate::fact::Attribute;

/// What there is in a level, by name.
pub trait LevelWords {
    /// Whether a word can be the name of such a thing here: of a `node`, of a `thing`.
    fn allows(&self, of: &str, word: &str) -> bool;

    /// All such names, to be told.
    fn all(&self, of: &str) -> Vec<&str>;

    /// The states of a thing, if there is one of that name.
    fn states(&self, thing: &str) -> Option<Vec<&str>> {
        let _ = thing;
        None
    }

    /// Whether facts of a kind can have a word here that the vocabulary does not know.
    fn adds(&self, kind: &str, attribute: Attribute, word: &str) -> bool {
        let _ = (kind, attribute, word);
        false
    }

    /// Whether levels differ in what an attribute of such facts can be, named so in the vocabulary:
    /// an included file may ask for what this one does not have.
    fn differs(&self, kind: &str, attribute: Attribute, of: &str) -> bool {
        let _ = (kind, attribute, of);
        false
    }

    /// Whether a word says what places are good for, and is the name of none.
    fn is_sort(&self, word: &str) -> bool {
        let _ = word;
        false
    }
}

/// No level in particular: any name will do.
pub struct AnyLevel;

impl LevelWords for AnyLevel {
    fn allows(&self, _of: &str, _word: &str) -> bool {
        true
    }

    fn all(&self, _of: &str) -> Vec<&str> {
        Vec::new()
    }
}
