//! What the bytes of crowds and populations begin with, and why they are refused.

use crate::reload::CannotReload;
use std::fmt;
use throng_base::codec::{DecodeError, Decoder, Encoder, Format, ReadError};

pub(crate) const CROWD: Format =
    Format { kind: "crowd", name: "a saved crowd", version: 1, oldest: 1 };
pub(crate) const POPULATION: Format =
    Format { kind: "population", name: "a saved population", version: 1, oldest: 1 };

/// Why a saved crowd or population cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreCrowdError {
    /// The bytes are something else, of a version that is not read, or damaged.
    Read(ReadError),
    /// The domain has no place for it.
    Reload(CannotReload),
}

impl fmt::Display for RestoreCrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreCrowdError::Read(error) => error.fmt(f),
            RestoreCrowdError::Reload(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RestoreCrowdError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RestoreCrowdError::Read(error) => Some(error),
            RestoreCrowdError::Reload(error) => Some(error),
        }
    }
}

impl From<CannotReload> for RestoreCrowdError {
    fn from(error: CannotReload) -> Self {
        RestoreCrowdError::Reload(error)
    }
}

/// Bytes of a format, sealed.
pub(crate) fn bytes(format: &Format, fill: impl FnOnce(&mut Encoder)) -> Vec<u8> {
    let mut to = format.begin();
    to.seal(fill);
    to.bytes
}

/// What bytes of a format hold under their seal, and nothing else.
pub(crate) fn read<T>(
    format: &Format,
    bytes: &[u8],
    read: impl FnOnce(&mut Decoder<'_>) -> Result<T, DecodeError>,
) -> Result<T, RestoreCrowdError> {
    let whole = || -> Result<T, ReadError> {
        let (_, mut from) = format.open(bytes)?;
        let mut whole = from.unseal()?;
        from.finish()?;
        let value = read(&mut whole)?;
        whole.finish()?;
        Ok(value)
    };
    whole().map_err(RestoreCrowdError::Read)
}
