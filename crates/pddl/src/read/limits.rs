//! How much one pair of files may ask for.
//!
//! A task may come from a stranger. What grows is counted before it is built, and beyond a
//! limit there is an error that names it, never a truncation.

/// Bounds on texts and counts. How deep conditions nest is bounded by
/// [`DEEPEST`](crate::lifted::DEEPEST); parentheses may nest as deep as the text is long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of both texts together.
    pub text_bytes: usize,
    /// Bytes of one name.
    pub name_bytes: usize,
    /// Types, objects, predicates, functions, actions, rules: each at most this many.
    pub declarations: usize,
    /// Facts and values of the initial state together.
    pub facts: usize,
    /// Everything written out, together: conditions and effects, where a `when` or `forall`
    /// counts again for each effect below it, and objects, once for each type they are of.
    pub entries: usize,
}

/// Something written out, with as much again for what is made of it.
const ENTRY_BYTES: usize = 256;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            text_bytes: 256 << 20,
            name_bytes: 256,
            declarations: 1 << 20,
            facts: 1 << 23,
            entries: 1 << 22,
        }
    }
}

impl Limits {
    /// The usual bounds, with less written out if only so many bytes may be taken: what is
    /// written out takes at most about half of them.
    pub fn for_bytes(bytes: usize) -> Self {
        let usual = Limits::default();
        Limits { entries: usual.entries.min(bytes / ENTRY_BYTES), ..usual }
    }
}
