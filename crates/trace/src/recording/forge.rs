//! For tests: recordings that only a forger writes.
//!
//! In:   a recording, and a change of one of its frames.
//! Out:  the same with all checksums made to fit.
//! Cost: one pass.

use super::Recording;
use crate::frame::{self, Kind, RECORDING};
use throng_base::codec::Encoder;

/// The same recording with the payload of one frame changed and all numbers made to fit: for tests
/// of what only a replay can find. `None`: what it says of itself; after all others comes the end.
pub fn forge(
    recording: &Recording,
    frame: Option<usize>,
    change: &mut dyn FnMut(&mut Vec<u8>),
) -> Vec<u8> {
    let mut to = RECORDING.begin();
    let mut link = frame::first_link();
    let mut write = |at: Option<usize>, kind: Kind, mut payload: Vec<u8>| {
        if at == frame {
            change(&mut payload);
        }
        link = frame::write(&mut to, link, kind, &payload);
    };
    write(None, Kind::Header, Encoder::bytes_of(&recording.header));
    for (at, known) in recording.frames.iter().enumerate() {
        write(Some(at), known.kind, recording.payload(at).to_vec());
    }
    if recording.end.is_some() {
        let end = Encoder::bytes_of(&recording.last());
        write(Some(recording.frames.len()), Kind::End, end);
    }
    to.bytes
}
