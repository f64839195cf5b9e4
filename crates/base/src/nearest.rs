//! "Did you mean …?": the known name nearest to a mistyped one.
//!
//! In:   a name and the known names.
//! Out:  the nearest by edit distance (a swap of neighbours counts one), if it is near enough
//!       that a person would think of it; ties go to the name declared first.
//! Cost: one small table per candidate of similar length. Searches may share a budget: beyond it
//!       there is no suggestion, never a wait.

use std::fmt;

/// The nearest of `known` to `name`, or `None` if nothing is near.
///
/// ```
/// use throng_base::{DidYouMean, nearest};
/// let near = nearest("buckt", ["lamp", "bucket"]);
/// assert_eq!(near, Some("bucket"));
/// let text = format!("unknown variable `buckt`{}", DidYouMean(near));
/// assert_eq!(text, "unknown variable `buckt`; did you mean `bucket`?");
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    NearestBudget::default().search(name, known)
}

/// `; did you mean …?`, or nothing: to be written behind what is wrong with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DidYouMean<'n>(pub Option<&'n str>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

impl DidYouMean<'_> {
    /// The same, and where the two names differ if that is hard to see: in a letter that may look
    /// like another (Cyrillic `а`), or that is written in two ways (`é`).
    #[must_use]
    pub fn by_letter(name: &str, near: Option<&str>) -> String {
        let mut text = DidYouMean(near).to_string();
        let mut pairs = name.chars().zip(near.unwrap_or_default().chars()).enumerate();
        let differs = pairs.find(|(_, (here, there))| here != there);
        if let Some((at, (here, there))) = differs
            && !(here.is_ascii() && there.is_ascii())
        {
            let (at, here, there) = (at + 1, u32::from(here), u32::from(there));
            text.push_str(&format!(" (letter {at} is U+{here:04X} here, U+{there:04X} there)"));
        }
        text
    }
}

/// Letters of a name that are looked at.
const LOOKED_AT: usize = 64;

/// Table cells that searches may still fill; about a tenth of a second.
#[derive(Clone, Copy, Debug)]
pub struct NearestBudget(usize);

impl Default for NearestBudget {
    fn default() -> Self {
        NearestBudget(30_000_000)
    }
}

impl NearestBudget {
    /// The nearest of `known` to `name`, as long as the budget lasts.
    pub fn search<'n>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let mut wanted = Vec::with_capacity(LOOKED_AT);
        letters_of(name, &mut wanted);
        // A third of the letters may be wrong, at least one but not all: more is a different
        // word.
        let mut allowed = (wanted.len() / 3).max(1).min(wanted.len().saturating_sub(1));
        let mut letters = Vec::with_capacity(LOOKED_AT);
        let mut distances = Distances::default();
        let mut best = None;
        for candidate in known {
            // Even a candidate of the wrong length costs a look.
            let cells = 1 + wanted.len();
            if self.0 < cells {
                return best;
            }
            self.0 -= cells;
            letters_of(candidate, &mut letters);
            if letters.len().abs_diff(wanted.len()) > allowed {
                continue;
            }
            self.0 = self.0.saturating_sub(wanted.len() * letters.len());
            let distance = distances.distance(&wanted, &letters);
            if distance <= allowed && (best.is_none() || distance < allowed) {
                (best, allowed) = (Some(candidate), distance);
                if distance == 0 {
                    break;
                }
            }
        }
        best
    }
}

/// The first letters of a name, in lower case; one more than is looked at if there are more.
fn letters_of(name: &str, letters: &mut Vec<char>) {
    letters.clear();
    let first = name.bytes().take(LOOKED_AT + 1);
    if first.clone().all(|byte| byte.is_ascii()) {
        letters.extend(first.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        // An accent by itself is no letter: `é` is one, however it is written.
        let plain = name.chars().take(LOOKED_AT + 1).filter(|&c| !is_mark(c));
        letters.extend(plain.flat_map(char::to_lowercase));
    }
}

/// Whether a character is a mark that is drawn on the letter before it: the accent of a
/// decomposed `é`, the signs without which Hindi and Thai cannot be written.
///
/// The standard library has no such question, but it writes marks out at the beginning of a
/// text, where they have no letter to stand on, and leaves them as they are behind one.
pub fn is_mark(c: char) -> bool {
    // Marks that are not seen would make names differ that look the same.
    let unseen = matches!(c, '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    if c.is_ascii() || unseen || c.escape_debug().len() == 1 {
        return false;
    }
    let mut bytes = [0; 4];
    let mark: &str = c.encode_utf8(&mut bytes);
    ["a", mark].concat().escape_debug().skip(1).eq([c])
}

/// The last three rows of the table, kept to be filled again.
#[derive(Default)]
struct Distances {
    before_last: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Distances {
    /// Edit distance with swaps of neighbours ("optimal string alignment").
    fn distance(&mut self, a: &[char], b: &[char]) -> usize {
        let Distances { before_last, last, row } = self;
        for row in [&mut *before_last, &mut *last, &mut *row] {
            row.clear();
            row.extend(0..=b.len());
        }
        for i in 1..=a.len() {
            row[0] = i;
            for j in 1..=b.len() {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(before_last[j - 2] + 1);
                }
                row[j] = least;
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        last[b.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_finds_its_word() {
        let known = ["haystack", "bucket", "water", "bucket2"];
        let near = |name| nearest(name, known);
        assert_eq!(near("buckt"), Some("bucket"));
        assert_eq!(near("Bucket"), Some("bucket"), "case is a slip too");
        assert_eq!(near("wtaer"), Some("water"), "a swap counts one");
        assert_eq!(near("lamp"), None);
        assert_eq!(near(""), None);
        assert_eq!(nearest("x", ["y", "X"]), Some("X"), "another letter is no slip");
    }

    #[test]
    fn the_budget_ends_suggestions_not_the_search() {
        let mut budget = NearestBudget(10);
        assert_eq!(budget.search("buckt", ["bucket"]), Some("bucket"));
        assert_eq!(budget.search("buckt", ["bucket"]), None);
    }
}
