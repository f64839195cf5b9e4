//! What the bytes of crowds and populations begin with, and why they are refused.

use crate::former::{Former, FormerAmounts, FormerPopulation};
use crate::reload::CrowdReloadError;
use throng_base::codec::{ByteFormat, Decode, DecodeError, Decoder, Encode, Encoder, ReadError};

/// Before version 2 nothing counted: the sections of amounts were not there. Before version 3
/// nothing was claimed.
pub(crate) const CROWD: ByteFormat =
    ByteFormat { kind: "crowd", name: "a saved crowd", version: 3, oldest: 1 };
pub(crate) const POPULATION: ByteFormat =
    ByteFormat { kind: "population", name: "a saved population", version: 3, oldest: 1 };

/// What has sections of amounts behind the rest.
pub(crate) trait Saved: Encode + Decode {
    /// The crowds that they are of, in order.
    fn crowds(&self) -> &[Former];
    /// The same, to be completed.
    fn crowds_mut(&mut self) -> &mut [Former];
}

impl Saved for Former {
    fn crowds(&self) -> &[Former] {
        std::slice::from_ref(self)
    }

    fn crowds_mut(&mut self) -> &mut [Former] {
        std::slice::from_mut(self)
    }
}

impl Saved for FormerPopulation {
    fn crowds(&self) -> &[Former] {
        &self.crowds
    }

    fn crowds_mut(&mut self) -> &mut [Former] {
        &mut self.crowds
    }
}

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

/// The bytes of crowds in a format, sealed.
pub(crate) fn bytes(format: &ByteFormat, value: &impl Saved) -> Vec<u8> {
    let mut to = format.begin();
    to.seal(|to| {
        to.write(value);
        write_amounts(value.crowds(), to);
        value.crowds().iter().for_each(|crowd| _ = to.write(&crowd.claims));
    });
    to.bytes
}

fn write_amounts(crowds: &[Former], to: &mut Encoder) {
    crowds.iter().for_each(|crowd| _ = to.write(&crowd.amounts()));
}

/// The crowds that bytes of a format hold under their seal, and nothing else.
pub(crate) fn read<T: Saved>(format: &ByteFormat, bytes: &[u8]) -> Result<T, ReadError> {
    let (version, mut from) = format.open(bytes)?;
    let mut whole = from.unseal()?;
    from.finish()?;
    let mut value: T = whole.read()?;
    if version > 1 {
        read_amounts(value.crowds_mut(), &mut whole)?;
    }
    if version > 2 {
        for crowd in value.crowds_mut() {
            crowd.claims = whole.read()?;
        }
    }
    whole.finish()?;
    Ok(value)
}

fn read_amounts(crowds: &mut [Former], from: &mut Decoder<'_>) -> Result<(), DecodeError> {
    for crowd in crowds {
        let amounts: FormerAmounts = from.read()?;
        let fits = crowd.take_amounts(amounts);
        from.sound((), fits, "amounts of a crowd")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
