//! How much one load may ask for.
//!
//! A domain file may come from a stranger (a mod, a network). Everything that grows is
//! counted against a stated limit *before* it is built, so a small hostile text can never
//! become a large bill. Beyond a limit there is an error that names it, never a truncation.

/// Bounds on text, nesting and counts. The defaults fit the largest games we know of with
/// room to spare; tests and servers set smaller ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of text, included files together.
    pub text_bytes: usize,
    /// Files, the first one included.
    pub files: usize,
    /// How deep `use` may nest.
    pub include_depth: usize,
    /// How deep JSON may nest. The twin needs six levels.
    pub json_depth: usize,
    /// Bytes of one name.
    pub name_bytes: usize,
    /// Variables of the domain.
    pub variables: usize,
    /// Values of one variable; of an amount, how far the ends of its range are apart.
    pub values: usize,
    /// Ground actions of the domain, templates written out.
    pub actions: usize,
    /// Ground actions that one template may become.
    pub template: usize,
    /// Alternatives that the conditions of one statement may have.
    pub alternatives: usize,
    /// Goals, NPC types, capabilities, tests, checks: each at most this many.
    pub declarations: usize,
    /// Everything written out, together: conditions and effects of all ground actions,
    /// members of all lists, table entries of all NPC types, combinations of templates that
    /// turn out not to exist. A name counts as sixteen: it takes about as much memory.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            text_bytes: 256 << 20,
            files: 256,
            include_depth: 16,
            json_depth: 64,
            name_bytes: 256,
            variables: 1 << 20,
            values: 60_000,
            actions: 1 << 21,
            template: 1 << 18,
            alternatives: 256,
            declarations: 1 << 18,
            entries: 1 << 26,
        }
    }
}

impl Limits {
    /// Tighter bounds for text that arrives over a wire from someone unknown: a hundred times
    /// the largest domain of our corpus. A text made to hurt takes some 25 bytes of memory per
    /// byte, so about a hundred megabytes at worst.
    pub fn for_strangers() -> Self {
        Limits {
            text_bytes: 4 << 20,
            files: 32,
            variables: 1 << 16,
            actions: 1 << 17,
            template: 1 << 14,
            declarations: 1 << 14,
            entries: 1 << 21,
            ..Limits::default()
        }
    }
}
