//! Why bytes are no table for a question.

use std::fmt;
use throng_domain::compile::Digest;

/// Why bytes are refused; building the table anew is always the cure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFileError {
    /// They do not begin as a table does.
    NotATable,
    /// They end too early.
    Truncated {
        /// How many bytes there are.
        found: usize,
        /// How many there should be, at least.
        expected: usize,
    },
    /// Their content contradicts itself.
    Damaged {
        /// What is wrong, as a sentence.
        what: &'static str,
    },
    /// They were written by another version of this library.
    OtherVersion {
        /// The version they say.
        found: u32,
        /// The version of now.
        expected: u32,
    },
    /// They are about another domain, or about this one before it was changed.
    OtherDomain {
        /// The digest they say.
        found: Digest,
        /// The digest of the domain.
        expected: Digest,
    },
    /// They are about this domain, but answer something else.
    OtherQuestion {
        /// What differs.
        what: &'static str,
        /// What they answer, as numbers of the domain.
        found: String,
        /// What was asked.
        expected: String,
    },
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFileError::NotATable => {
                write!(f, "this is no policy table: it does not begin with `thrtable`")
            }
            TableFileError::Truncated { found, expected } => {
                write!(f, "the table is cut off: {found} bytes, and it announces {expected}")
            }
            TableFileError::Damaged { what } => write!(f, "the table is damaged: {what}"),
            TableFileError::OtherVersion { found, expected } => {
                write!(f, "the table has format {found}, and this version reads format {expected}")
            }
            TableFileError::OtherDomain { found, expected } => {
                write!(f, "the table is for domain {found}, and the domain now is {expected}")
            }
            TableFileError::OtherQuestion { what, found, expected } => {
                let [found, expected] =
                    [found, expected].map(|s| if s.is_empty() { "none" } else { s });
                write!(f, "the table answers another question: {what} {found}, not {expected}")
            }
        }
    }
}

impl std::error::Error for TableFileError {}
