//! The last seconds of a recording.
//!
//! In:   frames, in segments that begin with a keyframe.
//! Out:  a recording of the last of them.
//! Cost: the bytes of the seconds that are kept, and of at most one segment more.

use crate::frame::{self, Kind, RECORDING};
use crate::header::Header;
use crate::names::Named;
use std::collections::VecDeque;
use std::sync::Arc;
use throng_base::codec::Encoder;
use throng_mind::time::Tick;

/// A keyframe and the ticks after it.
pub(super) struct Segment {
    first: Tick,
    /// As a recording that begins here would have it.
    header: Arc<Header>,
    /// What was named before.
    names: Vec<Named>,
    /// By frame: what it is, and where it ends.
    frames: Vec<(Kind, usize)>,
    bytes: Vec<u8>,
}

impl Segment {
    pub(super) fn new(first: Tick, header: Arc<Header>, names: Vec<Named>) -> Self {
        Segment { first, header, names, frames: Vec::new(), bytes: Vec::new() }
    }

    /// Takes a frame in; says how many bytes it takes in a file.
    fn add(&mut self, kind: Kind, payload: &[u8]) -> u64 {
        self.bytes.extend_from_slice(payload);
        self.frames.push((kind, self.bytes.len()));
        // Seven bits a byte tell how long it is and of which kind.
        let bits = u64::BITS - ((payload.len() as u64) << 2).leading_zeros();
        u64::from(bits.div_ceil(7).max(1)) + (payload.len() + size_of::<u64>()) as u64
    }
}

/// Segments, oldest first.
pub(super) struct Ring {
    /// How many ticks are kept at least.
    pub(super) keep: Tick,
    segments: VecDeque<Segment>,
}

impl Ring {
    pub(super) fn new(keep: Tick) -> Self {
        Ring { keep, segments: VecDeque::new() }
    }

    /// Begins a segment with its keyframe and drops those that are no longer needed; says how many
    /// bytes the keyframe takes in a file.
    pub(super) fn begin(&mut self, mut segment: Segment, keyframe: &[u8]) -> u64 {
        let bytes = segment.add(Kind::Keyframe, keyframe);
        let from = segment.first.saturating_sub(self.keep);
        self.segments.push_back(segment);
        while self.segments.get(1).is_some_and(|second| second.first <= from) {
            self.segments.pop_front();
        }
        bytes
    }

    /// Takes a frame in; says how many bytes it takes in a file.
    pub(super) fn add(&mut self, kind: Kind, payload: &[u8]) -> u64 {
        self.segments.back_mut().map_or(0, |segment| segment.add(kind, payload))
    }

    pub(super) fn bytes(&self) -> usize {
        let of = |segment: &Segment| {
            segment.bytes.capacity() + segment.frames.capacity() * size_of::<(Kind, usize)>()
        };
        self.segments.iter().map(of).sum()
    }

    /// A recording that begins at this tick, or with the keyframe before it, and ends at `last`;
    /// without one it is not finished.
    pub(super) fn save(&self, from: Tick, last: Option<Tick>) -> Option<Vec<u8>> {
        let before = |segment: &Segment| segment.first <= from;
        let first = self.segments.iter().rposition(before).unwrap_or(0);
        let mut payload = Encoder::default();
        let begin = self.segments.get(first)?;
        super::write_header(&mut payload, &begin.names, &begin.header);
        let mut to = RECORDING.begin();
        let link = frame::first_link(RECORDING.version);
        let mut link = frame::write(&mut to, link, Kind::Header, &payload.bytes);
        for segment in self.segments.iter().skip(first) {
            let mut begin = 0;
            for &(kind, end) in &segment.frames {
                link = frame::write(&mut to, link, kind, &segment.bytes[begin..end]);
                begin = end;
            }
        }
        if let Some(last) = last {
            payload.bytes.clear();
            payload.write(&last);
            frame::write(&mut to, link, Kind::End, &payload.bytes);
        }
        Some(to.bytes)
    }
}
