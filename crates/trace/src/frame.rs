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
use throng_mind::tape::Entries;

/// What every recording begins with. Before version 3 it began with `THRONGRE` and a byte; before 5
/// it had no names of things, before 6 no questions and answers, and nothing was done beside steps.
pub(crate) const RECORDING: ByteFormat =
    ByteFormat { kind: "recording", name: "a recording", version: 6, oldest: 4 };

/// The first version that has the names of things.
pub(crate) const NAMES_FROM: u32 = 5;

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

/// Where the chain of numbers begins in a recording of a version.
pub(crate) fn first_link(version: u32) -> u64 {
    checksum(0, ByteFormat { version, ..RECORDING }.line().as_bytes())
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

/// What entered in a tick and what left, in one number.
pub(crate) fn tick_digest(entries: &Entries, output: u64) -> u64 {
    let mut digest = checksum(output, entries.bytes());
    for (mind, call, says) in entries.iter() {
        let key = u64::from(mind) << 32 | u64::from(call);
        // One multiplication an entry, cheaper than the floor's mixers; it is part of the format.
        digest =
            (digest ^ key).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(23) ^ says.len() as u64;
    }
    digest ^ digest >> 32
}
