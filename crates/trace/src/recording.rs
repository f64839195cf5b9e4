//! A recording being read: its frames, up to the first that is damaged.
//!
//! In:   bytes, not to be trusted.
//! Out:  what it says of itself, where its ticks and keyframes are, and where and why it ends.
//! Cost: one pass; 24 bytes per frame beside the bytes themselves.

#[cfg(any(test, feature = "forge"))]
mod forge;

#[cfg(test)]
pub(crate) use forge::as_version_4;
#[cfg(any(test, feature = "forge"))]
pub use forge::forge;

use crate::frame::{self, Kind, NAMES_FROM, RECORDING};
use crate::header::Header;
use crate::names::Named;
use crate::source::RecordingSource;
use std::collections::BTreeMap;
use std::ops::Range;
use throng_base::checksum;
use throng_base::codec::{DecodeError, Decoder, FormatError};
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;

/// Where and why a recording ends before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Damage {
    /// The byte at which the first frame begins, or would, that is not read.
    pub at: usize,
    /// The last tick before it.
    pub tick: Tick,
    /// The cause. `None`: all frames are whole, but the recording was not finished; its process was
    /// ended, or the rest was cut off between two frames.
    pub why: Option<String>,
}

throng_base::display! { Damage {
    Self { at, tick, why: Some(why) } => "damaged at byte {at}, after tick {tick}: {why}";
    Self { tick, why: None, .. } => "not finished, ends after tick {tick}";
} }

/// Why bytes cannot be read as a recording at all.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// They do not begin as a recording does, or it is of a version that is not read.
    Format(FormatError),
    /// What it says of itself, or its first keyframe, is damaged.
    Start(String),
    /// The file in it cannot be read by this version.
    File(String),
}

throng_base::error! { RecordingError {
    Self::Format(error) => "{error}";
    Self::Start(why) => "the recording is damaged from the start: {why}";
    Self::File(why) => "the file in the recording is refused: {why}";
} source {
    Self::Format(error) => error;
} }

impl RecordingError {
    /// Whether the bytes are a recording all the same: one of another version, or a damaged one.
    pub fn is_of_a_recording(&self) -> bool {
        match self {
            RecordingError::Format(FormatError { wanted, found }) => {
                found.as_ref().is_some_and(|(kind, _)| kind == wanted.kind)
            }
            RecordingError::Start(_) | RecordingError::File(_) => true,
        }
    }
}

/// A frame that is whole.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: Kind,
    pub(crate) tick: Tick,
    start: usize,
    payload: Range<usize>,
}

/// What a keyframe holds.
pub(crate) struct Keyframe<'r> {
    tick: Tick,
    pub(crate) era: u32,
    pub(crate) words: Option<Vec<String>>,
    pub(crate) minds: &'r [u8],
    pub(crate) game: &'r [u8],
}

/// What a tick holds.
pub(crate) struct TickFrame<'r> {
    /// Ticks since the one before.
    ahead: Tick,
    files: Vec<RecordingSource>,
    names: Vec<Named>,
    pub(crate) digest: u64,
    /// In the few bytes that [`compact`](crate::compact) makes of them.
    pub(crate) entries: &'r [u8],
}

/// A recording, read up to its end or its first damage.
#[derive(Clone, Debug)]
#[must_use]
pub struct Recording {
    bytes: Vec<u8>,
    version: u32,
    header: Header,
    /// How the game called things.
    names: BTreeMap<EntityId, String>,
    pub(crate) frames: Vec<Frame>,
    /// The new files, in order, each with the position of its tick's frame.
    files: Vec<(usize, RecordingSource)>,
    /// The position after the last frame, which says that it is the last.
    end: Option<usize>,
    damage: Option<Damage>,
}

impl Recording {
    /// Reads as much as is whole.
    ///
    /// # Errors
    ///
    /// Not even the first keyframe is.
    pub fn read(bytes: Vec<u8>) -> Result<Recording, RecordingError> {
        let (version, mut from) = RECORDING.open(&bytes).map_err(RecordingError::Format)?;
        let start = |why: &str| RecordingError::Start(why.to_string());
        let (kind, payload, mut link) =
            frame::read(&mut from, frame::first_link(version)).map_err(start)?;
        if kind != Kind::Header {
            return Err(start("it does not begin with what it is"));
        }
        let header = whole(payload, |from| Ok((read_names(from, version)?, from.read()?)));
        let (names, header): (_, Header) =
            header.map_err(|damaged| RecordingError::Start(damaged.to_string()))?;
        let mut names = BTreeMap::from_iter(names);
        let mut frames: Vec<Frame> = Vec::new();
        let mut files = Vec::new();
        let (mut damage, mut end) = (None, None);
        while from.left() > 0 && damage.is_none() {
            let at = from.at();
            let tick = frames.last().map_or(0, |frame| frame.tick);
            let damaged = |why: &str| Some(Damage { at, tick, why: Some(why.to_string()) });
            match frame::read(&mut from, link) {
                Ok(_) if end.is_some() => damage = damaged("something comes after the end"),
                Ok((kind, payload, next)) => {
                    let position = frames.len();
                    let last = frames.last().map(|frame| frame.tick);
                    let era = header.era + files.len() as u32;
                    match look(kind, payload, version, last, era) {
                        Ok(_) if kind == Kind::End => end = Some(from.at()),
                        Ok((tick, new, named)) => {
                            let end = from.at() - size_of::<u64>();
                            let payload = end - payload.len()..end;
                            frames.push(Frame { kind, tick, start: at, payload });
                            files.extend(new.into_iter().map(|file| (position, file)));
                            names.extend(named);
                        }
                        Err(wrong) => damage = damaged(&wrong.to_string()),
                    }
                    link = next;
                }
                Err(why) => damage = damaged(why),
            }
        }
        let Some(tick) = frames.last().map(|frame| frame.tick) else {
            let why = damage.and_then(|damage| damage.why);
            return Err(RecordingError::Start(why.unwrap_or_else(|| "it ends there".to_string())));
        };
        if end.is_none() && damage.is_none() {
            damage = Some(Damage { at: bytes.len(), tick, why: None });
        }
        Ok(Recording { bytes, version, header, names, frames, files, end, damage })
    }

    /// What it says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How the game called a thing; `None` if it was never picked, had no name, or the recording is
    /// older than names in recordings are.
    pub fn name_of(&self, thing: EntityId) -> Option<&str> {
        self.names.get(&thing).map(String::as_str)
    }

    /// Where and why it ends before its end; `None` if it is whole.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// The tick of the first keyframe: before what comes next, nothing is known.
    pub fn first(&self) -> Tick {
        self.frames.first().map_or(0, |frame| frame.tick)
    }

    /// The last tick that is whole.
    pub fn last(&self) -> Tick {
        self.frames.last().map_or(0, |frame| frame.tick)
    }

    /// The ticks of the keyframes.
    pub fn keyframes(&self) -> impl Iterator<Item = Tick> {
        let keyframes = self.frames.iter().filter(|frame| frame.kind == Kind::Keyframe);
        keyframes.map(|frame| frame.tick)
    }

    /// What the game kept beside the minds in the last keyframe up to a tick, and when.
    pub fn game_at(&self, tick: Tick) -> Option<(Tick, &[u8])> {
        let at = self.keyframe_before(tick.saturating_add(1))?;
        let keyframe = self.keyframe(at).ok()?;
        Some((self.frames[at].tick, keyframe.game))
    }

    /// The minds as they were [saved](throng_mind::Minds::save) in that keyframe.
    pub fn minds_at(&self, tick: Tick) -> Option<&[u8]> {
        let at = self.keyframe_before(tick.saturating_add(1))?;
        Some(self.keyframe(at).ok()?.minds)
    }

    /// Where what it says of itself ends, in bytes, and then each frame, the last one included.
    pub fn frame_ends(&self) -> impl Iterator<Item = usize> {
        let first = self.frames.first().map_or(0, |frame| frame.start);
        let ends = self.frames.iter().map(|frame| frame.payload.end + size_of::<u64>());
        std::iter::once(first).chain(ends).chain(self.end)
    }

    /// The position of the last keyframe before a tick.
    pub(crate) fn keyframe_before(&self, tick: Tick) -> Option<usize> {
        let found = |frame: &Frame| frame.kind == Kind::Keyframe && frame.tick < tick;
        self.frames.iter().rposition(found)
    }

    /// The file in force after so many were replaced.
    pub(crate) fn file(&self, era: u32) -> Option<&RecordingSource> {
        match era.checked_sub(self.header.era)?.checked_sub(1) {
            None => Some(&self.header.source),
            Some(at) => self.files.get(at as usize).map(|(_, file)| file),
        }
    }

    /// The files that were loaded in the tick of a frame.
    pub(crate) fn files_of(&self, at: usize) -> impl Iterator<Item = &RecordingSource> {
        let from = self.files.partition_point(|(frame, _)| *frame < at);
        self.files[from..].iter().take_while(move |(frame, _)| *frame == at).map(|(_, file)| file)
    }

    fn payload(&self, at: usize) -> &[u8] {
        self.frames.get(at).map_or(&[], |frame| &self.bytes[frame.payload.clone()])
    }

    pub(crate) fn keyframe(&self, at: usize) -> Result<Keyframe<'_>, DecodeError> {
        read_keyframe(self.payload(at))
    }

    pub(crate) fn tick(&self, at: usize) -> Result<TickFrame<'_>, DecodeError> {
        read_tick(self.payload(at), self.version)
    }
}

/// All of the bytes as one thing.
fn whole<'b, T>(
    bytes: &'b [u8],
    read: impl FnOnce(&mut Decoder<'b>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let mut from = Decoder::new(bytes);
    let read = read(&mut from)?;
    from.finish().map(|()| read)
}

/// Names of things; recordings of old versions have none.
fn read_names(from: &mut Decoder<'_>, version: u32) -> Result<Vec<Named>, DecodeError> {
    if version < NAMES_FROM { Ok(Vec::new()) } else { from.read() }
}

/// Looks into a frame: its tick, and the new files and names in it.
fn look(
    kind: Kind,
    payload: &[u8],
    version: u32,
    last: Option<Tick>,
    era: u32,
) -> Result<(Tick, Vec<RecordingSource>, Vec<Named>), DecodeError> {
    let wrong = |what| Err(DecodeError { at: 0, what });
    match (kind, last) {
        (Kind::Header, _) => wrong("place for another beginning"),
        (Kind::Tick | Kind::End, None) => wrong("keyframe, with which a recording begins"),
        (Kind::End, Some(last)) => match whole(payload, |from| from.read::<Tick>())? {
            tick if tick == last => Ok((tick, Vec::new(), Vec::new())),
            _ => wrong("end after this tick"),
        },
        (Kind::Tick, Some(last)) => {
            let TickFrame { ahead, files, names, .. } = read_tick(payload, version)?;
            match last.checked_add(ahead) {
                Some(tick) if ahead > 0 => Ok((tick, files, names)),
                _ => wrong("tick after the one before"),
            }
        }
        (Kind::Keyframe, _) => {
            let keyframe = read_keyframe(payload)?;
            let is_now = last.is_none_or(|last| last == keyframe.tick);
            // It is of the file in force.
            match is_now && keyframe.era == era {
                true => Ok((keyframe.tick, Vec::new(), Vec::new())),
                false => wrong("keyframe of this tick"),
            }
        }
    }
}

fn read_keyframe(payload: &[u8]) -> Result<Keyframe<'_>, DecodeError> {
    let mut from = Decoder::new(payload);
    let (tick, era) = (from.read()?, from.read()?);
    let words = if era > 0 { Some(from.read()?) } else { None };
    let game = from.section()?;
    let digest: [u8; 8] = from.array()?;
    let minds = from.raw(from.left())?;
    // Found here even if the number of the frame was made to fit.
    let is_whole = digest == checksum(0, minds).to_le_bytes();
    from.sound((), is_whole, "keyframe: it is not what was written")?;
    Ok(Keyframe { tick, era, words, minds, game })
}

fn read_tick(payload: &[u8], version: u32) -> Result<TickFrame<'_>, DecodeError> {
    let mut from = Decoder::new(payload);
    let (ahead, files) = (from.read()?, from.read()?);
    let names = read_names(&mut from, version)?;
    let digest = u64::from_le_bytes(from.array()?);
    let entries = from.raw(from.left())?;
    Ok(TickFrame { ahead, files, names, digest, entries })
}
