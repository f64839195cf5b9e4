//! A play as bytes and back: saved at a tick, it goes on as if nothing had been.
//!
//! In:   a play between two ticks; or bytes, not to be trusted, and a fresh play of the story.
//! Out:  bytes; or the play that has the same end: digest, verdicts, all.
//! Cost: one pass; not for frames.
//!
//! What happened in the last tick is not saved: it was told.

use super::Play;
use crate::story::staging::Staging;
use throng_base::codec::{ByteFormat, Decoder, Encoder};
use throng_domain::compile::Digest;
use throng_mind::{RestoreError, Restored};

/// A saved play. What follows is [sealed](Encoder::seal): whatever has changed in it is found
/// before it is read. Before version 4 no script waited for anything, nodes had no numbers, and
/// walkers did not wait; before version 5 squads had no leaders; before version 6 it did not say how
/// the story is staged.
pub const PLAY: ByteFormat =
    ByteFormat { kind: "play", name: "a saved play", version: 6, oldest: 6 };

/// The same of a play without its minds. Not sealed: the frame of a recording is.
const STAGE: ByteFormat =
    ByteFormat { kind: "stage", name: "the stage of a play", version: 5, oldest: 5 };

/// Who goes on with a play begins with one that is staged as that was.
impl Staging {
    /// How the story of a [saved](Play::save) play is staged.
    ///
    /// # Errors
    ///
    /// The bytes are no saved play.
    pub fn of_save(bytes: &[u8]) -> Result<Staging, RestoreError> {
        let (_, mut from) = PLAY.open(bytes)?;
        let (_, staging): (u128, Staging) = from.unseal()?.read()?;
        Ok(staging)
    }

    /// The same of a play that was saved [without its minds](Play::save_stage).
    ///
    /// # Errors
    ///
    /// The bytes are no stage of a play.
    pub fn of_stage(bytes: &[u8]) -> Result<Staging, RestoreError> {
        let (_, mut from) = STAGE.open(bytes)?;
        let (_, staging): (u128, Staging) = from.read()?;
        Ok(staging)
    }
}

impl Play {
    /// All that it has come to.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut to = PLAY.begin();
        to.seal(|to| self.encode(self.story().digest, true, to));
        to.bytes
    }

    /// The same but for the minds: what a recording keeps beside them.
    #[must_use]
    pub fn save_stage(&self) -> Vec<u8> {
        let mut to = STAGE.begin();
        self.encode(self.story_and_domain(), false, &mut to);
        to.bytes
    }

    fn encode(&self, what_is_played: u128, with_minds: bool, to: &mut Encoder) {
        let Play { cast, judge, staging, next_entry, fired, told, .. } = self;
        // What happened in the last tick was told.
        let Play { scripted: _, happenings: _, deaths: _, .. } = self;
        to.write(&what_is_played).write(staging);
        to.write(&self.now()).write(next_entry).write(told);
        to.list(fired.iter());
        judge.encode(to);
        cast.encode(with_minds, to);
    }

    /// Makes this play of the same story what the saved one was. What happened in the last tick is
    /// not known any more. If the domain is another version of that which it was saved with, its
    /// minds are carried over by name, as by [`Minds::restore`](throng_mind::Minds::restore), and
    /// its squads end, and form anew.
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story, staged [as this one](Staging::of_save); then everything is
    /// as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<Restored, RestoreError> {
        let (_, mut from) = PLAY.open(bytes)?;
        let whole = from.unseal()?;
        from.finish()?;
        self.decode(whole, self.story().digest, None)
    }

    /// The same for a play that was saved without its [minds](throng_mind::Minds::save_bare).
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story with these minds; then everything is as before.
    pub fn restore_stage(&mut self, stage: &[u8], minds: &[u8]) -> Result<(), RestoreError> {
        let (_, from) = STAGE.open(stage)?;
        self.decode(from, self.story_and_domain(), Some(minds)).map(|_| ())
    }

    fn decode(
        &mut self,
        mut from: Decoder<'_>,
        what_is_played: u128,
        minds: Option<&[u8]>,
    ) -> Result<Restored, RestoreError> {
        if from.read::<u128>()? != what_is_played {
            return Ok(from.error("play of this story: the story is another")?);
        }
        if from.read::<Staging>()? != self.staging {
            let other = "play that is staged as this one is: seed, late answers, questions a tick";
            return Ok(from.error(other)?);
        }
        from.limit_symbols(self.cast.words().limit());
        let now = from.past(self.cast.story.lasts)?;
        let next_entry = from.below(self.cast.story.script.len() + 1, "entry of the script")?;
        let told = from.read()?;
        let fired: Vec<usize> = from.read()?;
        let fits = fired.is_sorted_by(|one, two| one < two)
            && fired.iter().all(|&at| at < self.cast.story.script.len());
        from.sound((), fits, "entries of the script that have happened")?;
        let standing = self.judge.decode(&mut from, now)?;
        // The last that can fail, and changes nothing then.
        let restored = self.cast.decode(&mut from, minds, now)?;
        self.judge.take(standing);
        (self.next_entry, self.told) = (next_entry, told);
        self.fired = fired.into_iter().collect();
        self.scripted.clear();
        self.happenings.clear();
        self.deaths.clear();
        self.cast.incidents.clear();
        Ok(restored)
    }

    /// Story and domain in one number: another text is another play.
    fn story_and_domain(&self) -> u128 {
        let domain = self.cast.minds.spec().domain.digest();
        Digest::of(&Encoder::bytes_of(&(self.story().digest, domain.0))).0
    }
}
