//! Many names in one text.
//!
//! In:   names, one after the other.
//! Out:  each by its number.
//! Cost: eight bytes per name beyond its letters: a string of its own costs three times that.
//!
//! It is no [`crate::Rows`]: there may be more letters than those can count.

/// Names number 0, 1, 2 …
///
/// ```
/// let mut names = throng_base::Names::default();
/// names.push("guard");
/// names.push("cook");
/// assert_eq!((names.get(1), names.get(2), names.len()), ("cook", "", 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// Adds a name.
    pub fn push(&mut self, name: &str) {
        self.push_words([name]);
    }

    /// Adds a name of several words; gives its length in bytes.
    pub fn push_words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> usize {
        let from = self.text.len();
        for word in words {
            self.text.push_str(if self.text.len() == from { "" } else { " " });
            self.text.push_str(word);
        }
        self.ends.push(self.text.len());
        self.text.len() - from
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A name by number; empty beyond the end.
    #[must_use]
    pub fn get(&self, number: usize) -> &str {
        let Some(&end) = self.ends.get(number) else { return "" };
        let from = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[from..end]
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(all: I) -> Self {
        let mut names = Names::default();
        all.into_iter().for_each(|name| names.push(name.as_ref()));
        names
    }
}
