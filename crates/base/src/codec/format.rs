//! What all bytes begin with that leave a program: whose they are, of what kind, of which version.
//!
//! In:   a [`ByteFormat`]; or bytes from anywhere.
//! Out:  the line `throng KIND VERSION`; or a decoder behind it with the version it says, or what
//!       the bytes are instead.
//! Cost: a line of text.
//!
//! A version that was once written stays readable: to change the bytes of a format, raise its
//! `version`, leave `oldest` alone, and read by `match` on the version that [`ByteFormat::open`]
//! gives. What is older than `oldest` is refused by name.

use super::{DecodeError, Decoder, Encoder};
use std::fmt;

/// A kind of bytes that leave a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteFormat {
    /// One word, which no other format has.
    pub kind: &'static str,
    /// The same for people, with its article: `a recording`.
    pub name: &'static str,
    /// The version that is written.
    pub version: u32,
    /// The oldest version that is read.
    pub oldest: u32,
}

/// The longest first line: no kind is longer, and no version.
const LONGEST: usize = 48;

/// How two formats began before all of them had the line; a byte follows that is the version.
const FORMER: [(&[u8], &str); 2] = [(b"THRONGRE", "recording"), (b"thrtable", "table")];

impl ByteFormat {
    /// What bytes of this format begin with.
    pub fn line(&self) -> String {
        format!("throng {} {}\n", self.kind, self.version)
    }

    /// Bytes that begin as this format does; the rest is to follow.
    pub fn begin(&self) -> Encoder {
        Encoder { bytes: self.line().into_bytes() }
    }

    /// Whether bytes begin as this format does, in any version: so a file of them may be written
    /// over by another.
    pub fn begins(&self, bytes: &[u8]) -> bool {
        found(bytes).is_some_and(|(kind, _, _)| kind == self.kind)
    }

    /// The version that bytes of this format say, and what reads the rest of them.
    ///
    /// # Errors
    ///
    /// They are something else, or of a version that is not read.
    pub fn open<'b>(&self, bytes: &'b [u8]) -> Result<(u32, Decoder<'b>), FormatError> {
        let found = found(bytes);
        if let Some((kind, version, Some(length))) = found
            && kind == self.kind
            && (self.oldest..=self.version).contains(&version)
        {
            let mut from = Decoder::new(bytes);
            if from.raw(length).is_ok() {
                return Ok((version, from));
            }
        }
        let found = found.map(|(kind, version, _)| (kind.to_string(), version));
        Err(FormatError { wanted: *self, found })
    }
}

/// The kind and version that bytes say, and how long the line is that says it: of one that had no
/// line, `None`.
fn found(bytes: &[u8]) -> Option<(&str, u32, Option<usize>)> {
    for (magic, kind) in FORMER {
        if let Some([version, ..]) = bytes.strip_prefix(magic) {
            return Some((kind, u32::from(*version), None));
        }
    }
    let start = &bytes[..bytes.len().min(LONGEST)];
    let end = start.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&start[..end]).ok()?;
    let (kind, version) = line.strip_prefix("throng ")?.split_once(' ')?;
    let is_plain = version.bytes().all(|byte| byte.is_ascii_digit()) && !version.starts_with('0');
    Some((kind, version.parse().ok().filter(|_| is_plain)?, Some(end + 1)))
}

/// Bytes that are of another format than was asked for, or of a version that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// What was asked for.
    pub wanted: ByteFormat,
    /// The kind and the version that the bytes say, if they say any.
    pub found: Option<(String, u32)>,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByteFormat { kind, name, version, oldest } = self.wanted;
        match &self.found {
            Some((found, of)) if found == kind => {
                write!(f, "this is {name} of format {of}; this program reads format {version}")?;
                if oldest < version { write!(f, " and those from {oldest} on") } else { Ok(()) }
            }
            Some((found, of)) => {
                write!(f, "this is not {name}: it begins as `throng {found} {of}`")
            }
            None => write!(
                f,
                "this is not {name}, or one of before they said so: it does not begin with \
                 `throng {kind} {version}`"
            ),
        }
    }
}

impl std::error::Error for FormatError {}

/// Why bytes cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// They are something else, or of a version that is not read.
    Format(FormatError),
    /// They are damaged.
    Decode(DecodeError),
}

crate::error! { ReadError {
    Self::Format(error) => "{error}";
    Self::Decode(error) => "{error}";
} source {
    Self::Format(error) => error;
    Self::Decode(error) => error;
} }

impl From<FormatError> for ReadError {
    fn from(error: FormatError) -> Self {
        ReadError::Format(error)
    }
}

impl From<DecodeError> for ReadError {
    fn from(error: DecodeError) -> Self {
        ReadError::Decode(error)
    }
}
