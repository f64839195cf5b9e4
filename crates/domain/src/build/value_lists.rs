//! Equal lists of values, kept once: many variables have the values of others.
//!
//! In:   the words of a variable.
//! Out:  its values, shared with all variables before it that have the same.
//! Cost: a hash and a comparison of the words.

use crate::index::TextHash;
use crate::values::Values;
use std::borrow::Cow;
use throng_base::IndexTable;

/// The lists so far, each once.
#[derive(Default)]
pub(super) struct ValueLists {
    hash: TextHash,
    table: IndexTable,
    lists: Vec<Values>,
}

impl ValueLists {
    /// The values of these names.
    pub(super) fn shared(&mut self, words: &[(Cow<'_, str>, crate::source::Span)]) -> Values {
        let Self { hash, table, lists } = self;
        let of_list = |at: u32| {
            let words = lists[at as usize].words().unwrap_or_default();
            hash.of_all(words.iter().map(String::as_str))
        };
        let is_same = |at: u32| {
            let list = lists[at as usize].words().unwrap_or_default();
            list.len() == words.len() && list.iter().zip(words).all(|(old, (new, _))| old == new)
        };
        let of_words = hash.of_all(words.iter().map(|(word, _)| &**word));
        match table.find_or_insert(of_words, lists.len() as u32, is_same, of_list) {
            Some(at) => lists[at as usize].clone(),
            None => {
                let values = Values::new(words.iter().map(|(word, _)| word.to_string()).collect());
                lists.push(values.clone());
                values
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn equal_lists_are_one_and_others_are_not() {
        let mut lists = ValueLists::default();
        let mut list = |text: &'static str| {
            let words: Vec<_> =
                text.split(' ').map(|word| (Cow::Borrowed(word), Span::default())).collect();
            lists.shared(&words)
        };
        let first = list("off on");
        for other in ["on off", "off", "off on on", "offon", "o ff on"] {
            assert_ne!(list(other), first, "{other}");
        }
        let again = list("off on");
        assert_eq!(again, first);
        assert_eq!(again.as_ptr(), first.as_ptr(), "shared");
    }
}
