//! Words as numbers: kinds of facts, stimuli, nodes, tasks.
//!
//! In:   words of the file and of the game's code.
//! Out:  a [`Word`] each, equal for equal text.
//! Cost: a hash look-up when interned; below that only numbers.
//!
//! Everything is interned at load, so ticks see numbers only. Order of interning is the order of
//! the text, so the same file gives the same numbers.

use std::collections::HashMap;
use throng_base::codec::{Decode, DecodeError, Decoder, Encode, Encoder};
use throng_base::mix::BuildKeyedMix;
use throng_base::{DidYouMean, nearest};

/// A word by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word(pub u32);

impl Word {
    /// No word of any table.
    pub const NONE: Word = Word(u32::MAX);
}

/// Held against the table that the decoder knows.
impl Encode for Word {
    fn encode(&self, to: &mut Encoder) {
        to.symbol(self.0);
    }
}

impl Decode for Word {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        from.symbol().map(Word)
    }
}

/// By number: they are read back against the table that is in force.
impl Encode for Words {
    fn encode(&self, to: &mut Encoder) {
        to.write(&self.texts);
    }
}

/// All words of a mind's file and game.
#[derive(Clone, Debug, Default)]
pub struct Words {
    pub(crate) texts: Vec<String>,
    index: HashMap<String, Word, BuildKeyedMix>,
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

    /// Takes the words of another table, in its order; whether all of them have the same numbers
    /// here, and there are no others.
    pub fn take(&mut self, words: &[String]) -> bool {
        let is_at = |(at, word): (usize, &String)| self.intern(word).0 as usize == at;
        words.iter().enumerate().map(is_at).fold(true, |all, same| all & same)
            && self.len() == words.len()
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

    /// The same as the limit of a decoder that reads words of this table.
    pub fn limit(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
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

/// A word that neither the file nor the code has named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownWordError {
    /// As it was asked for.
    pub word: String,
    /// The nearest one that is known.
    pub nearest: Option<String>,
}

throng_base::error! { UnknownWordError {
    Self { word, nearest } => "neither the file nor `Body::words` has the word `{word}`{}",
        DidYouMean(nearest.as_deref());
} }

impl UnknownWordError {
    pub(crate) fn of(text: &str, words: &Words) -> UnknownWordError {
        let nearest = nearest(text, words.iter()).map(str::to_string);
        UnknownWordError { word: text.to_string(), nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn words_come_back() {
        comes_back::<Word>(|trial, round| match round % 3 {
            0 => Word::NONE,
            _ => Word(trial.any()),
        });
    }

    #[test]
    fn words_are_of_the_table() {
        let mut to = Encoder::default();
        to.write(&Word(6)).write(&Word::NONE).write(&Word(7));
        let mut from = Decoder::new(&to.bytes);
        assert_eq!(from.limit_symbols(7), u32::MAX);
        assert_eq!(from.read(), Ok((Word(6), Word::NONE)));
        assert!(from.read::<Word>().is_err());
    }
}
