//! A play as bytes and back: saved at a tick, it goes on as if nothing had been.
//!
//! In:   a play between two ticks; or bytes, not to be trusted, and a fresh play of the story.
//! Out:  bytes; or the play that has the same end: digest, verdicts, all.
//! Cost: one pass; not for frames.
//!
//! What happened in the last tick is not saved: it was told.

use super::Play;
use crate::story::{Driver, Story};
use throng_domain::compile::Digest;
use throng_mind::pack::{Damaged, Packer, Unpacker};
use throng_mind::{NotRestored, Restored};

/// What such bytes begin with; the digit counts what they look like. What follows is
/// [sealed](Packer::seal): whatever has changed in it is found before it is read.
const MAGIC: &[u8] = b"throng play 2\n";
/// What those of any version begin with.
const OF_ANY_VERSION: &[u8] = b"throng play ";

/// Whether bytes begin as a saved play of any version does, so that a file of them may be written
/// over by another.
pub fn begins_as_saved(bytes: &[u8]) -> bool {
    bytes.starts_with(OF_ANY_VERSION)
}

/// The same of a play without its minds. Not sealed: the frame of a recording is.
const STAGE: &[u8] = b"throng stage 1\n";

impl Play {
    /// All that it has come to.
    pub fn save(&self) -> Vec<u8> {
        let mut to = Packer { bytes: MAGIC.to_vec() };
        to.seal(|to| self.pack(told_by_itself(self.story()), true, to));
        to.bytes
    }

    /// The same but for the minds: what a recording keeps beside them.
    pub fn save_stage(&self) -> Vec<u8> {
        let mut to = Packer { bytes: STAGE.to_vec() };
        self.pack(self.story_and_domain(), false, &mut to);
        to.bytes
    }

    fn pack(&self, what_is_played: u128, with_minds: bool, to: &mut Packer) {
        let Play { cast, judge, next_entry, scripted: _, happenings: _, deaths: _, told } = self;
        to.bytes.extend(what_is_played.to_le_bytes());
        to.put(&self.now()).put(next_entry);
        to.bytes.extend(told.to_le_bytes());
        judge.pack(to);
        cast.pack(with_minds, to);
    }

    /// Makes this play of the same story what the saved one was. What happened in the last tick is
    /// not known any more. If the domain is another version of that which it was saved with, its
    /// minds are carried over by name, as by [`Minds::restore`](throng_mind::Minds::restore), and
    /// its squads end, and form anew.
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story; then everything is as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<Restored, NotRestored> {
        let mut from = after(MAGIC, bytes)?;
        let whole = from.unseal()?;
        from.finish()?;
        self.unpack(whole, told_by_itself(self.story()), None)
    }

    /// The same for a play that was saved without its [minds](throng_mind::Minds::save_bare).
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story with these minds; then everything is as before.
    pub fn restore_stage(&mut self, stage: &[u8], minds: &[u8]) -> Result<(), NotRestored> {
        self.unpack(after(STAGE, stage)?, self.story_and_domain(), Some(minds)).map(|_| ())
    }

    fn unpack(
        &mut self,
        mut from: Unpacker<'_>,
        what_is_played: u128,
        minds: Option<&[u8]>,
    ) -> Result<Restored, NotRestored> {
        if from.raw(16)? != what_is_played.to_le_bytes() {
            return Ok(from.damaged("play of this story: the story is another")?);
        }
        let n_words = self.cast.words().len();
        from.limit_words(u32::try_from(n_words).unwrap_or(u32::MAX));
        let now = from.past(self.cast.story.lasts)?;
        let next_entry = from.below(self.cast.story.script.len() + 1, "entry of the script")?;
        let mut told = [0; 8];
        told.copy_from_slice(from.raw(8)?);
        let standing = self.judge.unpack(&mut from, now)?;
        // The last that can fail, and changes nothing then.
        let restored = self.cast.unpack(&mut from, minds, now)?;
        self.judge.take(standing);
        (self.next_entry, self.told) = (next_entry, u64::from_le_bytes(told));
        self.scripted.clear();
        self.happenings.clear();
        self.deaths.clear();
        Ok(restored)
    }

    /// Story and domain in one number: another text is another play.
    fn story_and_domain(&self) -> u128 {
        let domain = self.cast.minds.spec().domain.digest();
        Digest::of(format!("{domain:?} {:?}", self.cast.story).as_bytes()).0
    }
}

/// The story in one number, without what follows from the domain: positions of types, actions and
/// goals, and where in the file it all stands.
fn told_by_itself(story: &Story) -> u128 {
    let mut story = story.clone();
    for actor in &mut story.actors {
        if let Driver::Mind(npc) = &mut actor.driver {
            *npc = 0;
        }
    }
    story.squads.clear();
    // A promise is what it says.
    let promises: Vec<_> = story.promises.drain(..).map(|it| (it.text, it.by)).collect();
    Digest::of(format!("{story:?} {promises:?}").as_bytes()).0
}

/// What comes after the first bytes, which say what it is.
fn after<'b>(magic: &[u8], bytes: &'b [u8]) -> Result<Unpacker<'b>, Damaged> {
    let mut from = Unpacker::new(bytes);
    if bytes.starts_with(magic) {
        from.raw(magic.len())?;
        return Ok(from);
    }
    // All but the digit and the end of the line.
    let is_of_another = bytes.starts_with(&magic[..magic.len().saturating_sub(2)]);
    from.damaged(match is_of_another {
        true => "saved play that this version can read: another version of Throng has written it",
        false => "saved play",
    })
}
