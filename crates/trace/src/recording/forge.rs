//! For tests: recordings that only a forger writes.
//!
//! In:   a recording, and a change of one of its frames.
//! Out:  the same with all checksums made to fit; the same as an older version wrote it.
//! Cost: one pass.

use super::Recording;
#[cfg(test)]
use super::read_tick;
use crate::frame::{self, Kind, NAMES_FROM, RECORDING};
use throng_base::codec::{ByteFormat, Encoder};

/// The same recording with the payload of one frame changed and all numbers made to fit: for tests
/// of what only a replay can find. `None`: what it says of itself; after all others comes the end.
pub fn forge(
    recording: &Recording,
    frame: Option<usize>,
    change: &mut dyn FnMut(&mut Vec<u8>),
) -> Vec<u8> {
    written(recording, recording.version, &mut |at, _, payload| {
        if at == frame {
            change(payload);
        }
    })
}

/// The same recording as version 4 wrote it, which had no names.
#[cfg(test)]
pub(crate) fn as_version_4(recording: &Recording) -> Vec<u8> {
    written(recording, NAMES_FROM - 1, &mut |_, kind, payload| {
        if kind == Kind::Tick
            && let Ok(tick) = read_tick(payload, recording.version)
        {
            let mut to = Encoder::default();
            to.write(&tick.ahead).write(&tick.files).raw(&tick.digest.to_le_bytes());
            to.raw(tick.entries);
            *payload = to.bytes;
        }
    })
}

/// Changes the payload of a frame: which it is, and of which kind; `None`: the header.
type ChangeFrame<'c> = dyn FnMut(Option<usize>, Kind, &mut Vec<u8>) + 'c;

/// All frames, each changed, in a recording of a version.
fn written(recording: &Recording, version: u32, change: &mut ChangeFrame<'_>) -> Vec<u8> {
    let mut to = ByteFormat { version, ..RECORDING }.begin();
    let mut link = frame::first_link(version);
    let mut write = |at: Option<usize>, kind: Kind, mut payload: Vec<u8>| {
        change(at, kind, &mut payload);
        link = frame::write(&mut to, link, kind, &payload);
    };
    let mut header = Encoder::default();
    if version >= NAMES_FROM {
        // Those of ticks are said there again.
        header.write(&Vec::from_iter(recording.names.clone()));
    }
    header.write(&recording.header);
    write(None, Kind::Header, header.bytes);
    for (at, known) in recording.frames.iter().enumerate() {
        write(Some(at), known.kind, recording.payload(at).to_vec());
    }
    if recording.end.is_some() {
        let end = Encoder::bytes_of(&recording.last());
        write(Some(recording.frames.len()), Kind::End, end);
    }
    to.bytes
}
