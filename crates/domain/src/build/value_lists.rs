//! The values of a variable, each once; and equal lists of values, kept once: many variables have
//! those of others.
//!
//! In:   the words of a variable.
//! Out:  its values, shared with all variables before it that have the same; mistakes.
//! Cost: a hash and a comparison of the words.

use super::{ModelBuilder, ValuesDraft, VariableDraft};
use crate::diagnostics::Code;
use crate::index::{TextHash, TextMap, TextSet};
use crate::model::SCANNED;
use crate::source::Span;
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
    pub(super) fn shared(&mut self, words: &[(Cow<'_, str>, Span)]) -> Values {
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

impl ModelBuilder {
    /// The values, each once; `None`, with a report, if some cannot be taken in.
    pub(super) fn distinct_values(&mut self, draft: &VariableDraft<'_>) -> Option<Values> {
        let limit = self.limits.values;
        // A range is as wide as its ends are apart: `0..100` counts like a hundred.
        let one_more = matches!(draft.values, ValuesDraft::Range { .. });
        if draft.values.len() > limit + usize::from(one_more) {
            let what = format!("values of `{}`", draft.name);
            self.too_many(&what, limit, Code::TooManyValues, draft.span);
            return None;
        }
        let words = match &draft.values {
            ValuesDraft::Words(words) => words,
            &ValuesDraft::Range { low, high } => return Values::range(low, high),
        };
        if !words.iter().fold(true, |fit, (name, span)| self.name_fits(name, *span) && fit) {
            return None;
        }
        let mut of_many: TextMap<&str, Span> = TextMap::default();
        let mut has_twice = false;
        for (at, (value, span)) in words.iter().enumerate() {
            let first = match words.len() > SCANNED {
                true => of_many.insert(value, *span),
                false => {
                    words[..at].iter().find(|(other, _)| other == value).map(|(_, span)| *span)
                }
            };
            if let Some(first) = first {
                of_many.insert(value, first);
                has_twice = true;
                let text = format!("`{}` has the value `{value}` twice", draft.name);
                let cure = "remove one, or rename it";
                self.report.say_twice(Code::ValueTwice, *span, first, text, cure);
            }
        }
        if !has_twice {
            return Some(self.value_lists.shared(words));
        }
        let mut values: Vec<String> = Vec::with_capacity(words.len());
        let mut known = TextSet::default();
        for (value, _) in words.iter().filter(|(value, _)| known.insert(value.as_ref())) {
            values.push(value.to_string());
        }
        Some(Values::new(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
