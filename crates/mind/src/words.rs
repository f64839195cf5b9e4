//! Words as numbers: kinds of facts, stimuli, nodes, tasks.
//!
//! In:   words of the file and of the game's code.
//! Out:  a [`Word`] each, equal for equal text.
//! Cost: a hash look-up when interned; below that only numbers.
//!
//! Everything is interned at load, so ticks see numbers only. Order of interning is the order of
//! the text, so the same file gives the same numbers.

use std::collections::HashMap;

/// A word by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word(pub u32);

impl Word {
    /// No word of any table.
    pub const NONE: Word = Word(u32::MAX);
}

/// All words of a mind's file and game.
#[derive(Clone, Debug, Default)]
pub struct Words {
    texts: Vec<String>,
    index: HashMap<String, Word>,
}

impl Words {
    /// The number of a word, new or known.
    pub fn intern(&mut self, text: &str) -> Word {
        if let Some(&word) = self.index.get(text) {
            return word;
        }
        let word = Word(u32::try_from(self.texts.len()).unwrap_or(u32::MAX - 1));
        self.texts.push(text.to_string());
        self.index.insert(text.to_string(), word);
        word
    }

    /// The number of a word that is known.
    pub fn find(&self, text: &str) -> Option<Word> {
        self.index.get(text).copied()
    }

    /// The text of a word; empty for [`Word::NONE`] and numbers of another table.
    pub fn text(&self, word: Word) -> &str {
        self.texts.get(word.0 as usize).map_or("", String::as_str)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
