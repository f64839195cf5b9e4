//! A recording being made.
//!
//! In:   after each tick what entered the minds; now and then all that they are.
//! Out:  frames: to a writer of the caller's as they come, or kept for the last seconds.
//! Cost: a few bytes per entry; a keyframe every so many seconds. The ring is bounded by its
//!       seconds.
//!
//! A tick with a ring hands over what entered, as it was written down, and gets empty room back:
//! entries are made small and framed by a thread that the recorder has for it, and ends. With a
//! writer all of that is done in the tick, so that the file has it when the tick is over.
//!
//! ```
//! # use throng_domain::{Format, Limits, load, formats::no_includes};
//! # use throng_planner::PreparedDomain;
//! # use throng_mind::{Minds, body::Body, fact::EntityId, spec::Spec, time::Pace};
//! use throng_trace::{Recorder, Replay, RecorderSettings, RecordingSource};
//!
//! # let text = "domain d\nvar x: a, b\naction go: x a -> b\ngoal g: x = b\nnpc n\n can go\n wants g\n starts x = a";
//! # let loaded = load("d.npc", text, Format::Npc, &Limits::default(), &throng_mind::notes::WORDS, &mut no_includes);
//! # let model = loaded.model.unwrap();
//! let pace = Pace { ticks_per_second: 10 };
//! # let domain = std::sync::Arc::new(PreparedDomain::new(&model));
//! # let spec = Spec::read(&model, domain, pace).unwrap();
//! let mut minds = Minds::<()>::new(spec, Body::new(), 1).unwrap();
//! let source = RecordingSource::of(model.sources(), pace);
//! let mut recorder = Recorder::ring(30.0, RecorderSettings::default(), &mut minds, source, &[]).unwrap();
//! minds.spawn("n", EntityId(1)).unwrap();
//! for now in 1..100 {
//!     minds.tick(&(), now);
//!     recorder.after_tick(&mut minds, &[]).unwrap();
//! }
//! let bytes = recorder.save_last(30.0).unwrap();
//!
//! let mut replay = Replay::open(bytes).unwrap();
//! replay.check().unwrap();
//! assert_eq!(replay.minds().digest(), minds.digest());
//! ```

mod desk;
mod frames;
mod ring;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{RecorderError, RecorderFigures, RecorderSettings};

use crate::compact::{MOST_BYTES, MOST_ENTRIES, MUCH_HELD};
use crate::frame::{self, LONGEST, RECORDING};
use crate::header::Header;
use crate::names::{Named, Names};
use crate::source::RecordingSource;
use desk::Desk;
use frames::{Frames, Job, Sink, What};
use ring::{Ring, Segment};
use std::io;
use std::sync::Arc;
use throng_base::codec::Encoder;
use throng_mind::Minds;
use throng_mind::fact::EntityId;
use throng_mind::tape::{Entries, MindCall};
use throng_mind::time::Tick;

/// A recording being made.
#[must_use]
pub struct Recorder {
    desk: Desk,
    /// Keeps segments; otherwise frames are written.
    has_ring: bool,
    header: Arc<Header>,
    every: Tick,
    /// When the next keyframe is due.
    next_keyframe: Tick,
    /// The tick that was recorded last.
    last: Tick,
    /// New files since then.
    files: Vec<RecordingSource>,
    /// How the game calls things.
    names: Names,
    /// Room for the next.
    job: Job,
    /// How many bytes the entries since the last keyframe say.
    said: usize,
    is_stopped: bool,
}

impl Recorder {
    /// Keeps so many seconds at least, and not more than twice as many: what is older than the
    /// keyframe before them is dropped, and keyframes are at most these seconds apart, whatever the
    /// settings say. `game` is what the game wants to keep beside the minds in a keyframe.
    ///
    /// # Errors
    ///
    /// The minds are more than a recording holds, or are recorded already.
    pub fn ring<W: ?Sized + Sync>(
        seconds: f64,
        settings: RecorderSettings,
        minds: &mut Minds<W>,
        source: RecordingSource,
        game: &[u8],
    ) -> Result<Recorder, RecorderError> {
        let keep = source.pace.ticks(seconds);
        Recorder::begin(Sink::Ring(Ring::new(keep)), settings, minds, source, game)
    }

    /// Writes everything as it comes: a frame per tick, in one call of the writer. A file that is
    /// given as it is has every tick when the process is killed; a buffered one loses the last.
    ///
    /// # Errors
    ///
    /// The writer refuses, or the minds are recorded already.
    pub fn to<W: ?Sized + Sync>(
        writer: impl io::Write + Send + 'static,
        settings: RecorderSettings,
        minds: &mut Minds<W>,
        source: RecordingSource,
        game: &[u8],
    ) -> Result<Recorder, RecorderError> {
        let sink =
            Sink::Writer { writer: Box::new(writer), link: frame::first_link(RECORDING.version) };
        Recorder::begin(sink, settings, minds, source, game)
    }

    fn begin<W: ?Sized + Sync>(
        sink: Sink,
        settings: RecorderSettings,
        minds: &mut Minds<W>,
        source: RecordingSource,
        game: &[u8],
    ) -> Result<Recorder, RecorderError> {
        let RecorderSettings { keyframe_every, notes } = settings;
        let (sensors, behaviours) = minds.code_names();
        let mut every = source.pace.ticks(keyframe_every);
        let has_ring = match &sink {
            Sink::Ring(ring) => {
                every = every.min(ring.keep);
                true
            }
            Sink::Writer { .. } => false,
        };
        let frames = Frames::new(sink);
        let header = Header { source, words: words(minds), sensors, behaviours, notes, era: 0 };
        let mut recorder = Recorder {
            desk: if has_ring { Desk::beside(frames) } else { Desk::at_once(frames) },
            has_ring,
            header: Arc::new(header),
            every: every.max(1),
            next_keyframe: 0,
            last: minds.now(),
            files: Vec::new(),
            names: Names::default(),
            job: Job::default(),
            said: 0,
            is_stopped: false,
        };
        minds.record().map_err(RecorderError::Taken)?;
        let begun = recorder.header().and_then(|()| recorder.keyframe(minds, game));
        if begun.is_err() {
            minds.stop_recording();
        }
        begun.map(|()| recorder)
    }

    /// Whether the next [`after_tick`](Self::after_tick) would write a keyframe: only then is
    /// `game` asked for.
    pub fn is_keyframe_due<W: ?Sized + Sync>(&self, minds: &Minds<W>) -> bool {
        // No more is held than was said.
        minds.now() >= self.next_keyframe
            || self.said > MUCH_HELD && self.desk.frames().table.is_full()
    }

    /// Records a tick that has just happened, with all that has entered since it was last called:
    /// before the tick, and after it, as answers to its questions do.
    ///
    /// # Errors
    ///
    /// Why nothing more is recorded from here on: this tick, or with a ring one of those before.
    pub fn after_tick<W: ?Sized + Sync>(
        &mut self,
        minds: &mut Minds<W>,
        game: &[u8],
    ) -> Result<(), RecorderError> {
        if self.is_stopped {
            return Err(RecorderError::Before);
        }
        // As `is_keyframe_due` said: `game` is only there if it was.
        let is_due = self.is_keyframe_due(minds);
        let recorded = self
            .tick(minds)
            .and_then(|()| if is_due { self.keyframe(minds, game) } else { Ok(()) });
        self.is_stopped = recorded.is_err();
        if self.is_stopped {
            minds.stop_recording();
        }
        recorded
    }

    /// Asks how the game calls the things that minds have picked, and the minds' own, each once; so
    /// that a replay without the game can say `goto(c7)`. To be called before each
    /// [`after_tick`](Self::after_tick); `name` gives `None` for what has no name. Names are cut at a
    /// hundred characters, and no more than 65,536 are kept.
    pub fn name_picks<W: ?Sized + Sync>(
        &mut self,
        minds: &Minds<W>,
        mut name: impl FnMut(EntityId) -> Option<String>,
    ) {
        self.names.look(minds, &mut name);
    }

    /// The file under the minds was replaced by this one, since the last
    /// [`after_tick`](Self::after_tick).
    pub fn reloaded(&mut self, source: RecordingSource) {
        self.files.push(source);
    }

    /// The last seconds as a recording of its own; at least those, if there are as many. After an
    /// error was told it is what came before that, and says that it is not finished.
    ///
    /// # Errors
    ///
    /// This recorder keeps nothing because it has a writer; or a tick could not be recorded, which
    /// the next [`after_tick`](Self::after_tick) tells as well.
    pub fn save_last(&self, seconds: f64) -> Result<Vec<u8>, RecorderError> {
        let frames = self.desk.frames();
        let Sink::Ring(ring) = &frames.sink else { return Err(RecorderError::NoRing) };
        if let Some(error) = self.desk.pending_error() {
            return Err(error);
        }
        let ticks = self.header.source.pace.ticks(seconds);
        let last = (!self.desk.has_failed()).then_some(self.last);
        ring.save(self.last.saturating_sub(ticks), last).ok_or(RecorderError::NoRing)
    }

    /// Ends the recording, with a keyframe so that all of it can be checked, and stops the minds
    /// from writing. What has entered since the last [`after_tick`](Self::after_tick) is not
    /// recorded; if something has, there is no such keyframe, for it would not be what the recording
    /// leads to.
    ///
    /// # Errors
    ///
    /// The writer refuses.
    pub fn finish<W: ?Sized + Sync>(
        &mut self,
        minds: &mut Minds<W>,
        game: &[u8],
    ) -> Result<RecorderFigures, RecorderError> {
        if !self.is_stopped {
            self.is_stopped = true;
            let is_known = minds.entries().is_some_and(Entries::is_empty);
            minds.stop_recording();
            if is_known {
                self.keyframe(minds, game)?;
            }
            self.job.what = What::End;
            self.job.payload.write(&self.last);
            self.desk.put(&mut self.job)?;
            let figures = self.figures();
            return self.desk.error().map_or(Ok(figures), Err);
        }
        Ok(self.figures())
    }

    /// Its size so far.
    pub fn figures(&self) -> RecorderFigures {
        self.desk.frames().figures
    }

    /// The bytes that are kept; of a recorder with a writer, none.
    pub fn bytes_kept(&self) -> usize {
        match &self.desk.frames().sink {
            Sink::Ring(ring) => ring.bytes(),
            Sink::Writer { .. } => 0,
        }
    }

    fn tick<W: ?Sized + Sync>(&mut self, minds: &mut Minds<W>) -> Result<(), RecorderError> {
        let now = minds.now();
        let Some(entries) = minds.entries() else { return Err(RecorderError::NotRecorded) };
        if entries.len() > MOST_ENTRIES || entries.bytes().len() > MOST_BYTES {
            return Err(RecorderError::TooMuch);
        }
        let ahead =
            now.checked_sub(self.last).filter(|&ahead| ahead > 0).ok_or(RecorderError::Time)?;
        self.check_calls(entries)?;
        self.said += entries.bytes().len();
        let job = &mut self.job;
        job.what = What::Tick;
        job.payload.write(&ahead).write(&self.files).write(self.names.fresh());
        self.names.n_written = self.names.all.len();
        (job.output, job.n_events) = (minds.output_digest(), minds.events().len() as u64);
        minds.take_entries(&mut job.entries);
        self.last = now;
        self.take_files(minds);
        self.desk.put(&mut self.job)
    }

    /// A replay takes one tick at a time; and every file that was loaded must be known.
    fn check_calls(&self, entries: &Entries) -> Result<(), RecorderError> {
        let [tick, reload] = [MindCall::Tick, MindCall::Reload].map(MindCall::number);
        let count = |(ticks, reloads), call| {
            (ticks + usize::from(call == tick), reloads + usize::from(call == reload))
        };
        match entries.calls().fold((0, 0), count) {
            (1, reloads) if reloads == self.files.len() => Ok(()),
            (1, _) => Err(RecorderError::Reload),
            _ => Err(RecorderError::NotRecorded),
        }
    }

    /// The last of the new files is in force from now on.
    fn take_files<W: ?Sized + Sync>(&mut self, minds: &Minds<W>) {
        let era = self.header.era + self.files.len() as u32;
        if let Some(source) = self.files.pop() {
            let header = Header::clone(&self.header);
            self.header = Arc::new(Header { source, words: words(minds), era, ..header });
            self.files.clear();
        }
    }

    fn header(&mut self) -> Result<(), RecorderError> {
        self.job.what = What::Header;
        write_header(&mut self.job.payload, &self.names.all, &self.header);
        self.desk.put(&mut self.job)
    }

    fn keyframe<W: ?Sized + Sync>(
        &mut self,
        minds: &Minds<W>,
        game: &[u8],
    ) -> Result<(), RecorderError> {
        let now = minds.now();
        let segment = || Segment::new(now, Arc::clone(&self.header), self.names.all.clone());
        let segment = self.has_ring.then(segment);
        let payload = &mut self.job.payload;
        self.desk.lend_room(payload);
        payload.write(&now).write(&self.header.era);
        if self.header.era > 0 {
            payload.write(&self.header.words);
        }
        payload.section(game);
        // Room for the digest of what follows.
        let start = payload.bytes.len() + size_of::<u64>();
        payload.bytes.resize(start, 0);
        minds.save_bare(payload);
        if payload.bytes.len() > LONGEST {
            *payload = Encoder::default();
            return Err(RecorderError::TooMuch);
        }
        self.job.what = What::Keyframe(start, segment);
        self.said = 0;
        self.next_keyframe = now.saturating_add(self.every);
        self.desk.put(&mut self.job)
    }
}

/// What a recording says of itself, after the names that are known when it begins.
fn write_header(to: &mut Encoder, names: &[Named], header: &Header) {
    to.write(names).write(header);
}

fn words<W: ?Sized + Sync>(minds: &Minds<W>) -> Vec<String> {
    minds.spec().words.iter().map(str::to_string).collect()
}
