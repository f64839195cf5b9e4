//! What the bytes of crowds and populations begin with, and why they are refused.

use crate::reload::CrowdReloadError;
use throng_base::codec::{ByteFormat, Decode, Encode, ReadError};

pub(crate) const CROWD: ByteFormat =
    ByteFormat { kind: "crowd", name: "a saved crowd", version: 1, oldest: 1 };
pub(crate) const POPULATION: ByteFormat =
    ByteFormat { kind: "population", name: "a saved population", version: 1, oldest: 1 };

/// Why a saved crowd or population cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreCrowdError {
    /// The bytes are something else, of a version that is not read, or damaged.
    Read(ReadError),
    /// The domain has no place for it.
    Reload(CrowdReloadError),
}

throng_base::error! { RestoreCrowdError {
    Self::Read(error) => "{error}";
    Self::Reload(error) => "{error}";
} source {
    Self::Read(error) => error;
    Self::Reload(error) => error;
} }

impl From<ReadError> for RestoreCrowdError {
    fn from(error: ReadError) -> Self {
        RestoreCrowdError::Read(error)
    }
}

impl From<CrowdReloadError> for RestoreCrowdError {
    fn from(error: CrowdReloadError) -> Self {
        RestoreCrowdError::Reload(error)
    }
}

/// The bytes of a value in a format, sealed.
pub(crate) fn bytes(format: &ByteFormat, value: &impl Encode) -> Vec<u8> {
    let mut to = format.begin();
    to.seal(|to| _ = to.write(value));
    to.bytes
}

/// The value that bytes of a format hold under their seal, and nothing else.
pub(crate) fn read<T: Decode>(format: &ByteFormat, bytes: &[u8]) -> Result<T, ReadError> {
    let (_, mut from) = format.open(bytes)?;
    let mut whole = from.unseal()?;
    from.finish()?;
    let value = whole.read()?;
    whole.finish()?;
    Ok(value)
}
