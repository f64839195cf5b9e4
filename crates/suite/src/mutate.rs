//! Texts made of other texts by small damage, for fuzzing.
//!
//! In:   seeds, words that mean something to the reader under test, and a number.
//! Out:  any number of mutated texts, the same for the same number.
//! Cost: a few microseconds for a text of ordinary size.
//!
//! Texts are bytes here: what is not UTF-8 is input like any other.

use throng_base::SplitMix;

/// No text grows beyond this, whatever is repeated.
pub const LONGEST: usize = 200_000;
/// Texts that are repeated or spliced stay below this, except one in a few hundred.
const ORDINARY: usize = 12_000;
/// Larger texts are not kept: they would be read most of the time.
const LARGEST_KEPT: usize = 5_000;
/// So many texts that showed something new are kept beside the seeds.
const MOST_KEPT: usize = 4_000;

/// Numbers at which something may break.
#[rustfmt::skip]
const NUMBERS: [&str; 22] = [
    "0", "-0", "00", "1", "-1", "2", "7", "63", "64", "65", "255", "256", "65535", "65536",
    "4294967296", "999999999999999", "9223372036854775808", "-9223372036854775809",
    "99999999999999999999999999", "0.0005", "1000000.001", "1e308",
];

/// Characters that readers like to get wrong: blanks that are none, marks, wide and tall ones,
/// bytes that are no text.
#[rustfmt::skip]
const ODD: [&[u8]; 16] = [
    b"\0", b"\r", b"\r\n", b"\x0b", b"\x0c", b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80",
    "\u{feff}".as_bytes(), "\u{a0}".as_bytes(), "\u{2028}".as_bytes(), "\u{85}".as_bytes(),
    "\u{202e}e\u{301}".as_bytes(), "家".as_bytes(), "👩‍🚀".as_bytes(),
];

/// A source of mutated texts.
pub struct Mutator {
    dice: SplitMix,
    pool: Vec<Vec<u8>>,
    seeds: usize,
    words: &'static [&'static str],
}

impl Mutator {
    /// Mutates `seeds`, of which there must be one, with `words` of the language under test.
    pub fn new(number: u64, seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> Self {
        Mutator { dice: SplitMix::new(number), seeds: seeds.len(), pool: seeds, words }
    }

    /// Remembers a text that showed something new, to go on from there.
    pub fn keep(&mut self, text: Vec<u8>) {
        if text.len() > LARGEST_KEPT {
            return;
        }
        if self.pool.len() < self.seeds + MOST_KEPT {
            self.pool.push(text);
        } else {
            let old = self.seeds + self.dice.below(MOST_KEPT);
            self.pool[old] = text;
        }
    }

    /// The next text: of a seed or of one that was kept, damaged once or a few times.
    pub fn text(&mut self) -> Vec<u8> {
        let from = if self.dice.percent(40) { self.seeds } else { self.pool.len() };
        let mut text = self.pool[self.dice.below(from)].clone();
        let rounds = if self.dice.percent(60) { 1 } else { self.dice.within(2, 6) };
        for _ in 0..rounds {
            self.damage(&mut text);
        }
        text.truncate(LONGEST);
        text
    }

    fn damage(&mut self, text: &mut Vec<u8>) {
        match self.dice.below(20) {
            0 => self.flip(text),
            1 => self.cut(text),
            2 | 3 => self.insert_word(text),
            4 => self.insert_odd(text),
            5..=7 => self.replace_word(text),
            8 | 9 => self.exchange_words(text),
            10 => self.number(text),
            11..=14 => self.lines(text),
            15 => self.indent(text),
            16 => self.comment(text),
            17 => self.splice(text),
            18 => self.line_ends(text),
            _ => self.repeat(text),
        }
    }

    fn flip(&mut self, text: &mut [u8]) {
        if let Some(byte) = text.get_mut(self.dice.below(text.len())) {
            match self.dice.percent(50) {
                true => *byte ^= 1 << self.dice.below(8),
                false => *byte = 32 + self.dice.below(95) as u8,
            }
        }
    }

    fn cut(&mut self, text: &mut Vec<u8>) {
        let start = self.dice.below(text.len());
        let longest = if self.dice.percent(80) { 12 } else { text.len() };
        let end = (start + self.dice.below(longest + 1)).min(text.len());
        text.drain(start..end);
    }

    fn insert_word(&mut self, text: &mut Vec<u8>) {
        let word = self.dice.pick(self.words).as_bytes();
        let gap: &[u8] = if self.dice.percent(70) { b" " } else { b"" };
        let at = self.word_at(text).start;
        text.splice(at..at, [gap, word, gap].concat());
    }

    fn insert_odd(&mut self, text: &mut Vec<u8>) {
        let at = self.dice.below(text.len() + 1);
        text.splice(at..at, self.dice.pick(&ODD).iter().copied());
    }

    /// A word becomes another word of the same text: what was a value is now an action.
    fn replace_word(&mut self, text: &mut Vec<u8>) {
        let (from, to) = (self.word_at(text), self.word_at(text));
        let word = text[from].to_vec();
        text.splice(to, word);
    }

    /// A word of the text becomes a word of the language, or a number, or the other way round.
    fn exchange_words(&mut self, text: &mut Vec<u8>) {
        let word = self.dice.pick(self.words).as_bytes();
        let at = self.word_at(text);
        text.splice(at, word.iter().copied());
    }

    fn number(&mut self, text: &mut Vec<u8>) {
        let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
        let number = self.dice.pick(&NUMBERS).as_bytes();
        let start = if digits.is_empty() { text.len() } else { *self.dice.pick(&digits) };
        let end = start + text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        text.splice(start..end, number.iter().copied());
    }

    /// Removes, doubles, moves or exchanges lines.
    fn lines(&mut self, text: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        if lines.is_empty() {
            return;
        }
        let (one, other) = (self.dice.below(lines.len()), self.dice.below(lines.len()));
        match self.dice.below(4) {
            0 => drop(lines.remove(one)),
            1 => lines.insert(other, lines[one]),
            2 => lines.swap(one, other),
            _ => {
                let line = lines.remove(one);
                lines.insert(other.min(lines.len()), line);
            }
        }
        *text = lines.concat();
    }

    /// A line begins with a blank, or no longer does.
    fn indent(&mut self, text: &mut Vec<u8>) {
        let at = self.line_start(text);
        match text.get(at) {
            Some(b' ' | b'\t') => {
                let blanks = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
                text.drain(at..at + blanks.count());
            }
            _ => text.insert(at, *self.dice.pick(b" \t")),
        }
    }

    /// A comment, on its own line or behind whatever stands there.
    fn comment(&mut self, text: &mut Vec<u8>) {
        let at = match self.dice.percent(50) {
            true => self.line_start(text),
            false => self.word_at(text).end,
        };
        let comment = *self.dice.pick(&["#\n", "# c\n", " # c \"c\n", "\n # c\n", "\n\n# c\n\n"]);
        text.splice(at..at, comment.bytes());
    }

    /// The beginning of this text and the end of another.
    fn splice(&mut self, text: &mut Vec<u8>) {
        let other = self.dice.below(self.pool.len());
        let (mut mine, mut theirs) = match self.dice.percent(70) {
            true => (self.line_start(text), 0),
            false => (self.dice.below(text.len() + 1), 0),
        };
        let other = &self.pool[other];
        if self.dice.percent(70) {
            let starts = line_starts(other);
            theirs = *self.dice.pick(&starts);
        } else {
            theirs += self.dice.below(other.len() + 1);
        }
        mine = mine.min(ORDINARY);
        text.truncate(mine);
        text.extend_from_slice(&other[theirs..]);
    }

    fn line_ends(&mut self, text: &mut Vec<u8>) {
        let end = self.dice.pick(&["\r\n", "\n\n", "\r", "\n ", " \n"]).as_bytes();
        let every = self.dice.percent(30);
        let chosen = self.dice.below(text.iter().filter(|&&byte| byte == b'\n').count());
        let mut seen = 0;
        let mut changed = Vec::with_capacity(text.len() * 2);
        for &byte in text.iter() {
            let is_end = byte == b'\n';
            match is_end && (every || seen == chosen) {
                true => changed.extend_from_slice(end),
                false => changed.push(byte),
            }
            seen += usize::from(is_end);
        }
        *text = changed;
    }

    /// A stretch many times: deep nesting, long lists, long names, the same mistake often.
    fn repeat(&mut self, text: &mut Vec<u8>) {
        let start = self.dice.below(text.len());
        let end = (start + 1 + self.dice.below(40)).min(text.len());
        let stretch = match self.dice.below(4) {
            0 => self.dice.pick(self.words).as_bytes().to_vec(),
            1 => self.dice.pick(&ODD).to_vec(),
            _ => text[start..end].to_vec(),
        };
        let most = if self.dice.below(200) == 0 { LONGEST } else { ORDINARY };
        let room = most.saturating_sub(text.len()) / stretch.len().max(1);
        let power = self.dice.within(1, 17);
        let times = self.dice.below(1 << power).min(room);
        text.splice(start..start, stretch.repeat(times));
    }

    fn line_start(&mut self, text: &[u8]) -> usize {
        *self.dice.pick(&line_starts(text))
    }

    /// Where some word stands: letters, digits, `_`, or one sign. Empty in an empty text.
    fn word_at(&mut self, text: &[u8]) -> std::ops::Range<usize> {
        let at = self.dice.below(text.len());
        let is_word = |at: &usize| text[*at].is_ascii_alphanumeric() || text[*at] == b'_';
        let start = (0..=at).rev().skip(1).take_while(is_word).last().unwrap_or(at);
        let end = (at..text.len()).take_while(is_word).last().map_or(at + 1, |last| last + 1);
        start..end.min(text.len())
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let breaks = (0..text.len()).filter(|&at| text[at] == b'\n').map(|at| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutator(number: u64) -> Mutator {
        let seeds = vec![b"var lamp: on, off\n".to_vec(), b"domain d\nnpc x\n  can a\n".to_vec()];
        Mutator::new(number, seeds, &["->", "action"])
    }

    #[test]
    fn the_same_number_gives_the_same_texts() {
        let texts = |number| {
            let mut mutator = mutator(number);
            (0..200).map(|_| mutator.text()).collect::<Vec<_>>()
        };
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn no_text_is_too_long_and_many_differ() {
        let mut mutator = mutator(3);
        let mut texts = std::collections::BTreeSet::new();
        for _ in 0..2000 {
            let text = mutator.text();
            assert!(text.len() <= LONGEST);
            mutator.keep(text.clone());
            texts.insert(text);
        }
        assert!(texts.len() > 1500, "{}", texts.len());
    }

    #[test]
    fn empty_texts_are_damaged_without_harm() {
        let mut mutator = Mutator::new(4, vec![Vec::new()], &["x"]);
        assert!((0..2000).map(|_| mutator.text()).any(|text| !text.is_empty()));
    }
}
