//! A recording being replayed.
//!
//! In:   a recording; ticks to go to.
//! Out:  the minds as they were then, what happened in the tick, and whether all is as recorded.
//! Cost: a step costs a tick of minds without the game; going anywhere, the ticks since the
//!       keyframe before it.
//!
//! Every step is compared with what was recorded: what entered and left in the tick by a number,
//! and where there is a keyframe all that the minds are, byte by byte.

use crate::compact::Table;
use crate::frame::{Kind, tick_digest};
use crate::recording::{Recording, RecordingError};
use std::ops::Deref;
use std::sync::Arc;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_mind::events::Event;
use throng_mind::orders::MindId;
use throng_mind::spec::Spec;
use throng_mind::tape::Entries;
use throng_mind::time::Tick;
use throng_mind::{Mind, Minds};

/// Where a replay left what was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayError {
    /// The tick in which it left.
    pub tick: Tick,
    /// The mind, if it is about one.
    pub mind: Option<MindId>,
    /// The whole sentence, tick and mind included.
    pub sentence: String,
}

throng_base::error! { ReplayError {
    Self { sentence, .. } => "{sentence}";
} }

impl ReplayError {
    fn at(tick: Tick, what: &str) -> ReplayError {
        ReplayError { tick, mind: None, sentence: format!("tick {tick}: {what}") }
    }
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Ticks that are as recorded.
    pub ticks: u32,
    /// Keyframes that are as recorded, byte by byte; the one it began with is not counted.
    pub keyframes: u32,
}

/// A recording being replayed.
///
/// ```
/// # use throng_domain::{Format, Limits, formats::no_includes, load};
/// # use throng_mind::{Minds, PreparedDomain, body::Body, fact::EntityId, spec::Spec, time::Pace};
/// # use throng_trace::{Recorder, RecorderSettings, RecordingSource};
/// use throng_trace::Replay;
///
/// # let text = "domain d\nvar x: a, b\naction go: x a -> b\ngoal g: x = b\nnpc guard\n can go\n wants g\n starts x = a";
/// # let loaded = load("d.npc", text, Format::Npc, &Limits::default(), &throng_mind::notes::WORDS, &mut no_includes);
/// # let model = loaded.model.unwrap();
/// # let pace = Pace { ticks_per_second: 10 };
/// # let domain = std::sync::Arc::new(PreparedDomain::new(&model));
/// # let mut minds = Minds::<()>::new(Spec::read(&model, domain, pace).unwrap(), Body::new(), 1).unwrap();
/// # let source = RecordingSource::of(model.sources(), pace);
/// # let mut recorder = Recorder::ring(9.0, RecorderSettings::default(), &mut minds, source, &[]).unwrap();
/// # let guard = minds.spawn("guard", EntityId(7)).unwrap();
/// # for now in 1..20 {
/// #     minds.tick(&(), now);
/// #     recorder.after_tick(&mut minds, &[]).unwrap();
/// # }
/// # let bytes = recorder.save_last(9.0).unwrap();
/// let mut replay = Replay::open(bytes).unwrap();
/// replay.seek(3).unwrap();
/// let mind = replay.minds().mind(guard).unwrap();
/// assert_eq!(mind.doing(replay.minds().spec()), "go");
/// assert_eq!((replay.first(), replay.now(), replay.last()), (0, 3, 19));
/// ```
#[must_use]
pub struct Replay {
    recording: Recording,
    minds: Minds<()>,
    /// How often the file of these minds was replaced.
    era: u32,
    table: Table,
    /// The next frame.
    next: usize,
    events: Vec<Event>,
    entries: Arc<Entries>,
    /// Where it left what was recorded, if it did.
    diverged: Option<ReplayError>,
    keyframes_compared: u32,
}

/// All that can be read of a recording can be read of its replay.
impl Deref for Replay {
    type Target = Recording;

    fn deref(&self) -> &Recording {
        &self.recording
    }
}

impl Replay {
    /// Reads a recording and stands at its first tick.
    ///
    /// # Errors
    ///
    /// There is no recording, or it cannot be read by this version.
    pub fn open(bytes: Vec<u8>) -> Result<Replay, RecordingError> {
        Replay::of(Recording::read(bytes)?)
    }

    /// The same for a recording that has been read.
    ///
    /// # Errors
    ///
    /// It cannot be read by this version.
    pub fn of(recording: Recording) -> Result<Replay, RecordingError> {
        let era = recording.header().era;
        let minds = minds_of(&recording, era, None).map_err(RecordingError::File)?;
        let mut replay = Replay {
            minds,
            era,
            recording,
            table: Table::new(),
            next: 0,
            events: Vec::new(),
            entries: Arc::default(),
            diverged: None,
            keyframes_compared: 0,
        };
        match replay.restore(0) {
            Ok(()) => Ok(replay),
            Err(diverged) => Err(RecordingError::Start(diverged.sentence)),
        }
    }

    throng_base::getters! {
        /// The recording.
        recording: &Recording;

        /// The minds as they were after the tick it stands at.
        minds: &Minds<()>;

        /// What happened in this tick, and between the one before and it, by mind.
        events: &[Event];

        /// What entered the minds in this tick.
        entries: &Entries;
    }

    /// The tick it stands at.
    pub fn now(&self) -> Tick {
        self.minds.now()
    }

    /// Replays the next tick; `false` if there is none.
    ///
    /// # Errors
    ///
    /// Where the minds left what was recorded. From there on only another [`seek`](Self::seek)
    /// leads anywhere.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        if let Some(diverged) = &self.diverged {
            return Err(diverged.clone());
        }
        let stepped = self.pass_keyframes().and_then(|()| {
            if self.recording.frames.get(self.next).is_none() {
                return Ok(false);
            }
            self.tick()?;
            self.pass_keyframes().map(|()| true)
        });
        self.diverged = stepped.as_ref().err().cloned();
        stepped
    }

    /// Goes to a tick: the minds are as they were after it, and its events are told. A tick that is
    /// not in the recording is taken for the next that is; beyond the last, for the last.
    ///
    /// # Errors
    ///
    /// Where the minds left what was recorded on the way.
    pub fn seek(&mut self, tick: Tick) -> Result<(), ReplayError> {
        let tick = tick.clamp(self.first(), self.last());
        // The events of a tick are only there if it was replayed.
        let from = self.recording.keyframe_before(tick).unwrap_or(0);
        let is_on_the_way = self.diverged.is_none() && self.now() <= tick && from < self.next;
        if !is_on_the_way {
            self.restore(from)?;
        }
        while self.now() < tick && self.step()? {}
        Ok(())
    }

    /// Replays everything from the first tick to the last and compares it with what was recorded.
    ///
    /// # Errors
    ///
    /// Where the minds left what was recorded.
    pub fn check(&mut self) -> Result<Checked, ReplayError> {
        self.restore(0)?;
        self.keyframes_compared = 0;
        let mut ticks = 0;
        while self.step()? {
            ticks += 1;
        }
        Ok(Checked { ticks, keyframes: self.keyframes_compared })
    }

    /// Replays the tick of the next frame.
    fn tick(&mut self) -> Result<(), ReplayError> {
        let at = self.next;
        let tick = self.recording.frames.get(at).map_or(0, |frame| frame.tick);
        let damaged =
            |damaged| ReplayError::at(tick, &format!("the entries are damaged: {damaged}"));
        let frame = self.recording.tick(at).map_err(damaged)?;
        // Nobody else has them any more, so they are filled where they are.
        let entries = Arc::make_mut(&mut self.entries);
        entries.clear();
        self.table.grow(&mut Decoder::new(frame.entries), entries).map_err(damaged)?;
        self.events.clear();
        let mut files = self.recording.files_of(at);
        let mut loaded = 0;
        let mut next_file = || -> Option<Spec> {
            loaded += 1;
            files.next().and_then(|source| source.spec().ok())
        };
        let Replay { minds, entries, events, .. } = self;
        minds.replay(entries, tick, events, &mut next_file).map_err(|divergence| ReplayError {
            tick: divergence.tick,
            mind: divergence.mind,
            sentence: divergence.sentence(minds.spec()),
        })?;
        self.era += loaded;
        if tick_digest(entries, minds.output_digest()) != frame.digest {
            let what = "what entered the minds, or what they did, is not what was recorded";
            return Err(ReplayError::at(tick, what));
        }
        self.next += 1;
        Ok(())
    }

    /// Compares the minds with the keyframes of this tick.
    fn pass_keyframes(&mut self) -> Result<(), ReplayError> {
        let is_keyframe = |kind| kind == Kind::Keyframe;
        while self.recording.frames.get(self.next).is_some_and(|frame| is_keyframe(frame.kind)) {
            let tick = self.now();
            let damaged = |damaged| ReplayError::at(tick, &format!("the keyframe: {damaged}"));
            let keyframe = self.recording.keyframe(self.next).map_err(damaged)?;
            let mut is = Encoder::default();
            self.minds.save_bare(&mut is);
            if is.bytes != keyframe.minds || self.era != keyframe.era {
                return Err(self.find_difference(self.next));
            }
            self.keyframes_compared += 1;
            self.table.clear();
            self.next += 1;
        }
        Ok(())
    }

    /// The first mind that is not as in a keyframe.
    fn find_difference(&mut self, keyframe: usize) -> ReplayError {
        let tick = self.now();
        let replayed: Vec<Mind> = self.minds.iter().cloned().collect();
        if self.restore(keyframe).is_err() {
            return ReplayError::at(tick, "the keyframe cannot be read");
        }
        let recorded: Vec<&Mind> = self.minds.iter().collect();
        let both = |at| (recorded.get(at).copied(), replayed.get(at));
        let mut pairs = (0..recorded.len().max(replayed.len())).map(both);
        let differs = pairs.find(|(recorded, replayed)| recorded != replayed);
        match differs.and_then(|(recorded, replayed)| recorded.or(replayed)) {
            Some(mind) => {
                let (id, name) = (mind.id(), self.minds.spec().domain.map().npc(mind.npc()));
                let sentence =
                    format!("tick {tick}, mind {id} ({name}): it is not what was recorded");
                ReplayError { tick, mind: Some(id), sentence }
            }
            None => ReplayError::at(tick, "what all minds share is not what was recorded"),
        }
    }

    /// Brings the minds back as a keyframe has them.
    fn restore(&mut self, at: usize) -> Result<(), ReplayError> {
        let tick = self.recording.frames.get(at).map_or(0, |frame| frame.tick);
        let restored = self.restore_minds(at, tick);
        self.table.clear();
        self.events.clear();
        self.entries = Arc::default();
        self.next = at + 1;
        self.diverged = restored.as_ref().err().cloned();
        restored
    }

    fn restore_minds(&mut self, at: usize, tick: Tick) -> Result<(), ReplayError> {
        let told = |what: String| ReplayError::at(tick, &what);
        let damaged = |damaged: DecodeError| told(format!("the keyframe: {damaged}"));
        let keyframe = self.recording.keyframe(at).map_err(damaged)?;
        // Minds that left what was recorded may have another file than they should.
        if keyframe.era != self.era || self.diverged.is_some() {
            let words = keyframe.words.as_deref();
            self.minds = minds_of(&self.recording, keyframe.era, words).map_err(told)?;
            self.era = keyframe.era;
        }
        let mut from = Decoder::new(keyframe.minds);
        self.minds.restore_bare(&mut from).map_err(damaged)?;
        from.finish().map_err(damaged)?;
        if self.minds.now() != tick {
            return Err(told("the keyframe is of another tick".to_string()));
        }
        Ok(())
    }
}

/// Minds of the file in force after so many were replaced, with words as they were.
fn minds_of(
    recording: &Recording,
    era: u32,
    words: Option<&[String]>,
) -> Result<Minds<()>, String> {
    let header = recording.header();
    let words = words.filter(|_| era != header.era).unwrap_or(&header.words);
    let source = recording.file(era).ok_or("the new file is not in the recording")?;
    let mut spec = source.spec()?;
    if !spec.words.take(words) {
        return Err("its words have other numbers now than in the recording".to_string());
    }
    Minds::for_replay(spec, &header.sensors, &header.behaviours)
        .map_err(|missing| missing.to_string())
}
