//! Frames: what a recording is cut into, each with its length and a number over all before it.
//!
//! In:   payloads; or bytes, not to be trusted.
//! Out:  bytes; or the payloads up to the first that is not whole or not what was written.
//! Cost: nine bytes per frame, a few more for large ones.
//!
//! The number at the end of a frame goes on from that of the frame before, so a frame that is
//! missing, repeated or exchanged is found like a flipped bit.

use throng_base::checksum;
use throng_base::codec::{ByteFormat, Decoder, Encoder};

/// What every recording begins with. Before version 3 it began with `THRONGRE` and a byte.
pub(crate) const RECORDING: ByteFormat =
    ByteFormat { kind: "recording", name: "a recording", version: 3, oldest: 3 };

/// No frame is longer: it would not be read.
pub(crate) const LONGEST: usize = 1 << 28;

/// What a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Header,
    Keyframe,
    Tick,
    /// The last: without it a recording may go on.
    End,
}

/// Where the chain of numbers begins.
pub(crate) fn first_link() -> u64 {
    checksum(0, RECORDING.line().as_bytes())
}

/// Writes a frame; gives the link for the next.
pub(crate) fn write(to: &mut Encoder, link: u64, kind: Kind, payload: &[u8]) -> u64 {
    to.number((payload.len() as u64) << 2 | kind as u64);
    to.raw(payload);
    let link = checksum(link ^ kind as u64, payload);
    to.raw(&link.to_le_bytes());
    link
}

/// Reads a frame; gives the link for the next.
pub(crate) fn read<'b>(
    from: &mut Decoder<'b>,
    link: u64,
) -> Result<(Kind, &'b [u8], u64), &'static str> {
    const CUT: &str = "the recording ends in the middle of a frame";
    const DAMAGED: &str = "these bytes are not what was written";
    let number = match from.number() {
        Ok(number) => number,
        Err(_) if from.left() == 0 => return Err(CUT),
        Err(_) => return Err(DAMAGED),
    };
    let kind = match number & 3 {
        0 => Kind::Header,
        1 => Kind::Keyframe,
        2 => Kind::Tick,
        _ => Kind::End,
    };
    let length = usize::try_from(number >> 2).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(DAMAGED);
    }
    let payload = from.raw(length).map_err(|_| CUT)?;
    let written: [u8; 8] = from.array().map_err(|_| CUT)?;
    let link = checksum(link ^ kind as u64, payload);
    if written != link.to_le_bytes() {
        return Err(DAMAGED);
    }
    Ok((kind, payload, link))
}
