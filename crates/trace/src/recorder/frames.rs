//! Frames being made: of the entries of a tick, or of all that minds are.
//!
//! In:   jobs, in order.
//! Out:  frames in the ring, or in the writer.
//! Cost: a comparison per entry that is as before, a few bytes for each that is not; no clock, no
//!       thread of its own.
//!
//! What comes of a job depends on the jobs before it alone, so frames are the same bytes on whatever
//! thread and whenever they are made.

use super::ring::{Ring, Segment};
use super::{RecorderError, RecorderFigures};
use crate::compact::Table;
use crate::frame::{self, Kind, LONGEST, tick_digest};
use std::io;
use throng_base::checksum;
use throng_base::codec::Encoder;
use throng_mind::tape::Entries;

/// Where frames go.
pub(super) enum Sink {
    Ring(Ring),
    Writer { writer: Box<dyn io::Write + Send>, link: u64 },
}

/// What a frame is to be made of.
#[derive(Default)]
pub(super) struct Job {
    pub(super) what: What,
    /// The payload, as far as the tick itself writes it.
    pub(super) payload: Encoder,
    /// What entered in the tick, not yet small.
    pub(super) entries: Entries,
    /// What left in the tick, in one number.
    pub(super) output: u64,
    pub(super) n_events: u64,
}

/// What a job is about.
#[derive(Default)]
pub(super) enum What {
    #[default]
    Header,
    /// The minds begin at this byte of the payload. In a ring they begin a segment.
    Keyframe(usize, Option<Segment>),
    Tick,
    End,
}

impl Job {
    /// How much of it waits.
    pub(super) fn bytes(&self) -> usize {
        // A mark beside each entry is about as long as what it says.
        self.payload.bytes.len() + self.entries.bytes().len() + 12 * self.entries.len()
    }

    /// Forgets what it was, and keeps the room.
    pub(super) fn clear(&mut self) {
        let Job { what, payload, entries, output, n_events } = self;
        (*what, *output, *n_events) = (What::Header, 0, 0);
        payload.bytes.clear();
        entries.clear();
    }
}

/// Frames being made, and where they go.
pub(super) struct Frames {
    pub(super) sink: Sink,
    pub(super) table: Table,
    pub(super) figures: RecorderFigures,
    /// Kept for the next frame.
    bytes: Encoder,
}

impl Frames {
    pub(super) fn new(sink: Sink) -> Self {
        let (figures, bytes) = (RecorderFigures::default(), Encoder::default());
        Frames { sink, table: Table::new(), figures, bytes }
    }

    /// Does a job.
    pub(super) fn take(&mut self, job: &mut Job) -> Result<(), RecorderError> {
        match std::mem::take(&mut job.what) {
            What::Header => self.header(job),
            What::Keyframe(minds_at, segment) => self.keyframe(job, minds_at, segment),
            What::Tick => self.tick(job),
            What::End => self.end(job),
        }
    }

    fn header(&mut self, job: &Job) -> Result<(), RecorderError> {
        if let Sink::Writer { writer, .. } = &mut self.sink {
            let line = frame::RECORDING.line();
            writer.write_all(line.as_bytes()).map_err(RecorderError::Writer)?;
            let length = self.frame(Kind::Header, &job.payload)?;
            self.figures.header_bytes = line.len() as u64 + length;
        }
        Ok(())
    }

    fn tick(&mut self, job: &mut Job) -> Result<(), RecorderError> {
        let Job { payload, entries, output, n_events, .. } = job;
        payload.raw(&tick_digest(entries, *output).to_le_bytes());
        self.table.shrink(entries, payload);
        self.figures.ticks += 1;
        self.figures.entries += entries.len() as u64;
        self.figures.events += *n_events;
        self.figures.tick_bytes += self.frame(Kind::Tick, payload)?;
        Ok(())
    }

    fn keyframe(
        &mut self,
        job: &mut Job,
        minds_at: usize,
        segment: Option<Segment>,
    ) -> Result<(), RecorderError> {
        if job.payload.bytes.len() > LONGEST {
            return Err(RecorderError::TooMuch);
        }
        let bytes = &mut job.payload.bytes;
        if let Some((before, minds)) = bytes.split_at_mut_checked(minds_at)
            && let Some(digest) = before.last_chunk_mut()
        {
            *digest = checksum(0, minds).to_le_bytes();
        }
        // What follows is read without what came before.
        self.table.clear();
        self.figures.keyframes += 1;
        // A segment is never there without its keyframe.
        self.figures.keyframe_bytes += match (&mut self.sink, segment) {
            (Sink::Ring(ring), Some(segment)) => ring.begin(segment, &job.payload.bytes),
            _ => self.frame(Kind::Keyframe, &job.payload)?,
        };
        Ok(())
    }

    /// The ring says that nothing comes after when it is saved.
    fn end(&mut self, job: &Job) -> Result<(), RecorderError> {
        if let Sink::Writer { .. } = &self.sink {
            self.frame(Kind::End, &job.payload)?;
        }
        match &mut self.sink {
            Sink::Writer { writer, .. } => writer.flush().map_err(RecorderError::Writer),
            Sink::Ring(_) => Ok(()),
        }
    }

    /// Hands a payload on as a frame; says how many bytes it takes in a file.
    fn frame(&mut self, kind: Kind, payload: &Encoder) -> Result<u64, RecorderError> {
        if payload.bytes.len() > LONGEST {
            return Err(RecorderError::TooMuch);
        }
        Ok(match &mut self.sink {
            Sink::Ring(ring) => ring.add(kind, &payload.bytes),
            Sink::Writer { writer, link } => {
                self.bytes.bytes.clear();
                *link = frame::write(&mut self.bytes, *link, kind, &payload.bytes);
                writer.write_all(&self.bytes.bytes).map_err(RecorderError::Writer)?;
                self.bytes.bytes.len() as u64
            }
        })
    }
}
