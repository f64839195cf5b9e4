//! A play as bytes and back: saved at a tick, it goes on as if nothing had been.
//!
//! In:   a play between two ticks; or bytes, not to be trusted, and a fresh play of the story.
//! Out:  bytes; or the play that has the same end: digest, verdicts, all.
//! Cost: one pass; not for frames.
//!
//! What happened in the last tick is not saved: it was told.

use super::Play;
use throng_domain::compile::Digest;
use throng_mind::pack::{Damaged, Packer, Unpacker};

/// What such bytes begin with; the digit counts what they look like.
const MAGIC: &[u8] = b"throng play 1\n";
/// What those of any version begin with.
const OF_ANY_VERSION: &[u8] = b"throng play ";

/// Whether bytes begin as a saved play of any version does, so that a file of them may be written
/// over by another.
pub fn begins_as_saved(bytes: &[u8]) -> bool {
    bytes.starts_with(OF_ANY_VERSION)
}

/// The same of a play without its minds.
const STAGE: &[u8] = b"throng stage 1\n";

impl Play {
    /// All that it has come to.
    pub fn save(&self) -> Vec<u8> {
        self.pack(MAGIC, true)
    }

    /// The same but for the minds: what a recording keeps beside them.
    pub fn save_stage(&self) -> Vec<u8> {
        self.pack(STAGE, false)
    }

    fn pack(&self, magic: &[u8], with_minds: bool) -> Vec<u8> {
        let Play { cast, judge, next_entry, scripted: _, happenings: _, deaths: _, told } = self;
        let mut to = Packer::default();
        to.bytes.extend(magic);
        to.bytes.extend(self.what_is_played().to_le_bytes());
        to.put(&self.now()).put(next_entry);
        to.bytes.extend(told.to_le_bytes());
        judge.pack(&mut to);
        cast.pack(with_minds, &mut to);
        to.bytes
    }

    /// Makes this play of the same story what the saved one was. What happened in the last tick is
    /// not known any more.
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story; then everything is as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Damaged> {
        self.unpack(MAGIC, bytes, None)
    }

    /// The same for a play that was saved without its [minds](throng_mind::Minds::save).
    ///
    /// # Errors
    ///
    /// The bytes are no play of this story with these minds; then everything is as before.
    pub fn restore_stage(&mut self, stage: &[u8], minds: &[u8]) -> Result<(), Damaged> {
        self.unpack(STAGE, stage, Some(minds))
    }

    fn unpack(&mut self, magic: &[u8], bytes: &[u8], minds: Option<&[u8]>) -> Result<(), Damaged> {
        let mut from = Unpacker::new(bytes);
        if from.raw(magic.len())? != magic {
            return from.damaged("saved play, or not one that this version can read");
        }
        if from.raw(16)? != self.what_is_played().to_le_bytes() {
            return from.damaged("play of this story: it or its domain is another");
        }
        let n_words = self.cast.words().len();
        from.limit_words(u32::try_from(n_words).unwrap_or(u32::MAX));
        let now = from.past(self.cast.story.lasts)?;
        let next_entry = from.below(self.cast.story.script.len() + 1, "entry of the script")?;
        let mut told = [0; 8];
        told.copy_from_slice(from.raw(8)?);
        let standing = self.judge.unpack(&mut from, now)?;
        // The last that can fail, and changes nothing then.
        self.cast.unpack(&mut from, minds, now)?;
        self.judge.take(standing);
        (self.next_entry, self.told) = (next_entry, u64::from_le_bytes(told));
        self.scripted.clear();
        self.happenings.clear();
        self.deaths.clear();
        Ok(())
    }

    /// Story and domain in one number: another text is another play.
    fn what_is_played(&self) -> u128 {
        let domain = self.cast.minds.spec().domain.digest();
        Digest::of(format!("{domain:?} {:?}", self.cast.story).as_bytes()).0
    }
}
