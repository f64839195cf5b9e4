//! Why bytes are no table for a question.

use throng_base::codec::ReadError;
use throng_domain::compile::Digest;

/// Why bytes are refused; building the table anew always helps.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableFileError {
    /// They are no table, one of a version that is not read, or damaged.
    Read(ReadError),
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

throng_base::error! { TableFileError {
    Self::Read(error) => "{error}";
    Self::OtherDomain { found, expected } =>
        "the table is for domain {found}, and the domain now is {expected}";
    Self::OtherQuestion { what, found, expected } =>
        "the table answers another question: {what} {found}, not {expected}";
} source {
    Self::Read(error) => error;
} }

impl<E: Into<ReadError>> From<E> for TableFileError {
    fn from(error: E) -> Self {
        TableFileError::Read(error.into())
    }
}
