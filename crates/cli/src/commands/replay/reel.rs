//! A recording on the stage: the minds from the tape, the world from the story in it.
//!
//! In:   the bytes of a recording.
//! Out:  its ticks, one by one or any; the play that it is of, as long as that is what it was.
//! Cost: a step costs a tick of the minds, and one of the story.
//!
//! The minds come from the recording alone. The world does not enter minds, so it is not on the
//! tape: it is played again from the story and the game's part of the keyframes, and after every
//! tick its minds are compared with those of the tape. Where they differ, because the program has
//! changed since, the stage is left and only the minds are told of.

use crate::commands::play;
use crate::commands::play::recorded::STORY;
use crate::commands::play::staged::Staged;
use crate::console::{Fail, bad, cannot};
use std::path::Path;
use throng_domain::Model;
use throng_mind::Mind;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_trace::{RecordingError, Replay, ReplayError};
use throng_world::story::Story;
use throng_world::story::only::{Only, UnknownActorError};
use throng_world::story::picks::ShowSlots;
use throng_world::story::run::{Play, PlayError};
use throng_world::story::staging::Staging;

/// A recording, and the play that it is of.
pub(crate) struct Reel {
    pub(crate) replay: Replay,
    stage: Option<Play>,
    /// Why there is no play, or not any more.
    pub(crate) off_stage: Option<String>,
    /// Where the minds left what was recorded.
    pub(crate) diverged: Option<ReplayError>,
    /// Whether actions are shown with the slot and what it holds.
    pub(crate) shows_slots: bool,
}

impl Reel {
    /// Opens a recording.
    pub(crate) fn open(path: &Path) -> Result<Reel, Fail> {
        let replay = match Replay::open(read(path)?) {
            Ok(replay) => replay,
            Err(unreadable) => return bad(refused(path, &unreadable)),
        };
        let mut reel =
            Reel { replay, stage: None, off_stage: None, diverged: None, shows_slots: false };
        match reel.staged() {
            Ok(play) => reel.stage = Some(play),
            Err(why) => reel.off_stage = Some(why),
        }
        let first = reel.replay.first();
        reel.set_stage(first);
        Ok(reel)
    }

    /// The story of the recording, before its first tick.
    pub(crate) fn staged(&self) -> Result<Play, String> {
        let model = self.model().ok_or("the file in it cannot be read")?;
        if !Story::is_in(&model) {
            return Err("it is not of a story".to_string());
        }
        Play::staged(&model, &self.staging(), 1).map_err(|unplayable| match unplayable {
            PlayError::Mistakes(_) => "this version refuses the story in it".to_string(),
            refused => refused.to_string(),
        })
    }

    /// How the story was staged when it was recorded.
    pub(crate) fn staging(&self) -> Staging {
        let game = self.replay.game_at(self.replay.first());
        game.and_then(|(_, game)| Staging::of_stage(game).ok()).unwrap_or_default()
    }

    /// The model of the file in it.
    pub(crate) fn model(&self) -> Option<Model> {
        self.replay.header().source.load().model
    }

    /// Puts the play to the last keyframe up to a tick.
    fn set_stage(&mut self, tick: Tick) {
        let kept = self.replay.game_at(tick).zip(self.replay.minds_at(tick));
        let restored = match (&mut self.stage, kept) {
            (Some(play), Some(((_, game), minds))) => play.restore_stage(game, minds),
            _ => Ok(()),
        };
        if let Err(damaged) = restored {
            self.leave_stage(format!("its world is of another version: {damaged}"));
        }
    }

    fn leave_stage(&mut self, why: String) {
        (self.stage, self.off_stage) = (None, Some(why));
    }

    /// Shows actions with the slot and what it holds.
    pub(crate) fn show_slots(&mut self) {
        self.shows_slots = true;
        self.stage.iter_mut().for_each(|play| play.set_show_slots(ShowSlots::Both));
    }

    /// The play as it is; `None` if the world cannot be shown.
    pub(crate) fn stage(&self) -> Option<&Play> {
        self.stage.as_ref()
    }

    /// Who is meant by a word: by the names of the story; without one, by those in the recording,
    /// at the moment that it stands at.
    pub(crate) fn only(&self, said: &str) -> Result<Only, UnknownActorError> {
        let is_it = |mind: &&Mind| self.replay.name_of(mind.me()) == Some(said);
        let minds = self.replay.minds();
        match minds.iter().find(is_it).filter(|_| self.stage.is_none()) {
            Some(mind) => Only::find(&mind.id().0.to_string(), None),
            None => Only::find(said, self.stage()),
        }
    }

    /// What a thing was called; by its number if the recording has no name for it.
    pub(crate) fn thing_name(&self, thing: EntityId) -> String {
        self.replay.name_of(thing).map_or_else(|| format!("#{}", thing.0), str::to_string)
    }

    /// Lets who looks for somebody see this tick.
    pub(crate) fn look_for(&self, only: &mut Only) {
        only.look(self.stage(), |mind| self.replay.minds().mind(mind).is_some());
    }

    /// Goes on by a tick; `false` if there is none, or the minds left what was recorded.
    pub(crate) fn step(&mut self) -> bool {
        let stepped = self.replay.step().unwrap_or_else(|diverged| {
            self.diverged = Some(diverged);
            false
        });
        if let Some(play) = self.stage.as_mut().filter(|_| stepped) {
            let is_on = Play::tick(play) && play.now() == self.replay.now();
            self.compare(is_on);
        }
        stepped
    }

    /// Goes to a tick.
    pub(crate) fn seek(&mut self, tick: Tick) {
        if let Err(diverged) = self.replay.seek(tick) {
            self.diverged = Some(diverged);
        }
        // What happened in a tick is known only if it was played.
        self.set_stage(tick.saturating_sub(1));
        let mut is_on = true;
        if let Some(play) = &mut self.stage {
            while play.now() < tick && is_on {
                is_on = Play::tick(play);
            }
        }
        self.compare(is_on);
    }

    fn compare(&mut self, is_on: bool) {
        let same = |play: &Play| play.minds().is_same(self.replay.minds());
        if self.stage.as_ref().is_some_and(|play| !is_on || !same(play)) {
            let tick = self.replay.now();
            self.leave_stage(format!(
                "at tick {tick} this version does otherwise than was recorded"
            ));
        }
    }

    /// What the recording is called: its story, or the file in it.
    pub(crate) fn name(&self) -> String {
        let header = self.replay.header();
        let file = header.source.files.first().map_or("", |(name, _)| name.as_str());
        header.note(STORY).unwrap_or(file).to_string()
    }

    /// The digest of the play, as `throng play` tells it; without one, that of the minds.
    pub(crate) fn digest(&self) -> u64 {
        self.stage.as_ref().map_or_else(|| self.replay.minds().digest(), Play::digest)
    }
}

/// As long as it has a stage it is shown as a story is.
impl Staged for Reel {
    fn tick(&mut self) -> Result<Option<&Play>, Fail> {
        let goes_on = self.stage.is_some() && self.step();
        Ok(self.stage().filter(|_| goes_on))
    }
}

/// The bytes of a recording.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Fail> {
    let name = path.display();
    if path.is_dir() {
        return bad(format!("`{name}` is a folder; name a recording in it"));
    }
    match std::fs::read(path) {
        Ok(bytes) if bytes.is_empty() => bad(format!(
            "`{name}` is empty; `throng play STORY --record {name}` writes a recording"
        )),
        Ok(bytes) => Ok(bytes),
        Err(_) if !path.exists() && play::find(path).is_ok_and(|story| story != path) => {
            bad(format!(
                "there is no recording `{name}`; `throng play {name} --record FILE` makes one of \
                 this story"
            ))
        }
        Err(error) => cannot("read", path)(error),
    }
}

/// What is wrong with a file, and what to do.
fn refused(path: &Path, unreadable: &RecordingError) -> String {
    let name = path.display();
    match unreadable {
        RecordingError::Format(_) if unreadable.is_of_a_recording() => format!(
            "`{name}`: {unreadable}; replay it with the program that wrote it, or record it anew"
        ),
        RecordingError::Format(_) if path.extension().is_some_and(|ending| ending == "npc") => {
            format!("`{name}` is no recording; `throng play {name}` plays a story")
        }
        RecordingError::Format(_) => {
            format!("`{name}` is no recording; `throng play STORY --record FILE` makes one")
        }
        _ => format!("`{name}`: {unreadable}; record it anew"),
    }
}
