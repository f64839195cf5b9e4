//! Saving minds, all or one, and going on from what was saved.
//!
//! In:   minds between two ticks; or bytes, not to be trusted.
//! Out:  bytes; or the same minds, which go on exactly as the others would have.
//! Cost: one pass; not for the frame.
//!
//! | saved | not saved |
//! |---|---|
//! | all of every mind, what all share, the moment, the last number given, the limits of planning, what was counted | the file and the code: the game has them |
//! | the words, so that those learnt since the file was read are known again | orders and events of the last tick: take them before you save |
//! | | answers the planner knows from before: they are found again, and are the same |
//!
//! Bytes are held against the file as they are read, so whatever is accepted can go on. Nothing
//! is changed unless all is read.

use super::migrated::{Migrated, RestoreError, Restored};
use super::{MindError, Minds, SHARED_FACTS, Totals};
use crate::effects::TeamCooling;
use crate::former::Names;
use crate::known::File;
use crate::memory::Memory;
use crate::mind::Mind;
use crate::orders::{IssuedOrder, MindId};
use crate::select::{Claim, Others};
use crate::spec::Spec;
use crate::tape::MindCall;
use crate::time::Tick;
use std::collections::HashSet;
use std::sync::Arc;
use throng_base::codec::{ByteFormat, DecodeError, Decoder, Encoder, FormatError, ReadError};

/// All minds. Before version 3 floats, facts and actions were numbered otherwise; before version 5
/// names did not tell ranges; before version 6 minds had no picks and no sides; before version 7 no
/// questions, and nothing was done beside steps.
const MINDS: ByteFormat = ByteFormat { kind: "minds", name: "saved minds", version: 7, oldest: 4 };
/// One of them. Before version 3 it had no such line, before version 5 no picks and no side, before
/// version 6 no questions and nothing that is done beside steps.
const MIND: ByteFormat = ByteFormat { kind: "mind", name: "a saved mind", version: 6, oldest: 4 };

/// Since this version what is sealed tells the version too.
const TELLS_VERSION: u32 = 7;

impl<W: ?Sized + Sync> Minds<W> {
    /// All that these minds are as bytes, sealed, with the names of the file, so that another
    /// version of it can [restore](Self::restore) them.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut to = MINDS.begin();
        to.seal(|to| {
            // The first line is not sealed, so its version is told again: no slip makes one readable
            // as another. (Before version 7 the order did that: in version 4 the pace came first.)
            to.write(&MINDS.version).write(&self.spec.fingerprint).write(&self.spec.pace);
            to.section(&Encoder::bytes_of(&**self.spec.names()));
            self.save_bare(to);
        });
        to.bytes
    }

    /// The same without names and seal, for callers that keep the file's text beside it: only minds of the
    /// very same file can [restore](Self::restore_bare) it.
    pub fn save_bare(&self, to: &mut Encoder) {
        let Minds { spec, places, last, shared, totals, now, budget, nodes, .. } = self;
        let Minds { seed, cooling, heavy, others, question_budget: questions, .. } = self;
        to.write(&spec.words);
        // How many of the questions were searches depends on what was known, which is not saved.
        let Totals { mind_ticks, awake, asked, calls: _, recalls: _ } = totals;
        to.write(now).write(last);
        // Before there was chance a budget was or was not: two more say that there is more, four that
        // heavy senses have one, eight that the game has claimed something in a file that picks
        // nothing, and sixteen that questions have a budget.
        let says_more = *seed != 0 || !cooling.is_empty();
        let has_heavy = u8::from(heavy.is_some()) << 2;
        let only_given = spec.n_slots() == 0 && !others.claims().is_empty();
        let has_questions = u8::from(questions.is_some()) << 4;
        let has_more =
            u8::from(says_more) << 1 | has_heavy | u8::from(only_given) << 3 | has_questions;
        to.write(&(u8::from(budget.is_some()) | has_more));
        [budget, heavy, questions].into_iter().flatten().for_each(|budget| _ = to.write(budget));
        if says_more {
            to.number(*seed);
            to.write(cooling);
        }
        to.write(nodes);
        to.write(mind_ticks).write(awake).write(asked);
        shared.encode(to);
        to.number(places.len() as u64);
        self.iter().for_each(|mind| mind.encode(spec, to));
        if spec.n_slots() > 0 || only_given {
            to.write(others);
        }
    }

    /// Replaces these minds by those that were saved. Orders and events of the last tick are gone,
    /// and a recording under way ends: what was before leads nowhere from here. Begin another.
    ///
    /// Saved with the same file, they go on exactly as the others would have. Saved with another
    /// version of it, they are carried over by name, former names (`was`) included, as by
    /// [`reload`](Self::reload): they remember and know what they did, and think anew; the result
    /// says what could not be carried over. What was under way is given up; its orders are
    /// cancelled among the [orders](Self::orders) of these minds: hand them to the game.
    ///
    /// # Errors
    ///
    /// The bytes are no minds, the type of one of them is gone, or the pace is another; then
    /// everything is as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<Restored, RestoreError> {
        self.take_saved(self.read_saved(bytes)?)
    }

    /// The same, but minds whose type is gone end, and the result tells of them.
    ///
    /// # Errors
    ///
    /// The bytes are no minds, or the pace is another; then everything is as before.
    pub fn restore_known(&mut self, bytes: &[u8]) -> Result<Restored, RestoreError> {
        self.take_saved(self.read_named(bytes, true)?)
    }

    /// Replaces these minds by those that were [saved](Self::save_bare) with this very file.
    ///
    /// # Errors
    ///
    /// The bytes are no minds of this file; then everything is as before.
    pub fn restore_bare(&mut self, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let saved = self.read_bare(from)?;
        // These minds have just read it.
        self.take_saved(saved).map(|_| ()).or_else(|_| from.error("save of these minds"))
    }

    /// Reads minds that were saved and leaves these as they are, for callers that check more before
    /// they are [taken](Self::take_saved).
    ///
    /// # Errors
    ///
    /// As of [`restore`](Self::restore).
    pub fn read_saved(&self, bytes: &[u8]) -> Result<SavedMinds, RestoreError> {
        self.read_named(bytes, false)
    }

    fn read_named(&self, bytes: &[u8], end_unknown: bool) -> Result<SavedMinds, RestoreError> {
        let (version, mut from) = MINDS.open(bytes)?;
        let mut whole = from.unseal()?;
        from.finish()?;
        if version >= TELLS_VERSION {
            let told: u32 = whole.read()?;
            whole.sound((), told == version, "version of a save")?;
        }
        let (fingerprint, pace): (u128, u32) = match version {
            4 => {
                let pace = whole.read()?;
                (whole.read()?, pace)
            }
            _ => (whole.read()?, whole.read()?),
        };
        if pace != self.spec.pace.ticks_per_second {
            return Err(RestoreError::OtherPace(pace));
        }
        let is_same = fingerprint == self.spec.fingerprint;
        let n_names = whole.count()?;
        let start = whole.clone();
        whole.raw(n_names)?;
        // Words that the code brings may have changed too; then numbers mean something else.
        if is_same && read_words(&mut whole.clone(), &self.spec).is_ok() {
            let saved = self.read_bare(&mut whole)?;
            whole.finish()?;
            return Ok(saved);
        }
        let names = Names::decode(&mut start.clone(), version)?;
        let mut spec = (*self.spec).clone();
        let former = Migrated::new(names, whole.read()?, &mut spec);
        whole.limit_symbols(former.n_words());
        let all = read_all(&mut whole, former.file())?;
        whole.finish()?;
        let (all, cancelled, restored) = former.carry(all, &mut spec, end_unknown)?;
        let (read_by, spec) = (Arc::clone(&self.spec), Arc::new(spec));
        let former = Some(Arc::new(former));
        Ok(SavedMinds { read_by, spec, all, former, cancelled, restored })
    }

    /// Reads minds that were [saved](Self::save_bare) with this very file, and leaves these as they
    /// are.
    ///
    /// # Errors
    ///
    /// The bytes are no minds of this file.
    pub fn read_bare(&self, from: &mut Decoder<'_>) -> Result<SavedMinds, DecodeError> {
        let learnt = read_words(from, &self.spec)?;
        let mut spec = Arc::clone(&self.spec);
        if !learnt.is_empty() {
            let spec = Arc::make_mut(&mut spec);
            learnt.iter().for_each(|word| _ = spec.words.intern(word));
        }
        let before = from.limit_symbols(spec.words.limit());
        let read = read_all(from, File::present(&spec));
        from.limit_symbols(before);
        let (read_by, all) = (Arc::clone(&self.spec), read?);
        let restored = Restored::with_the_same_file(all.minds.len());
        Ok(SavedMinds { read_by, spec, all, former: None, cancelled: Vec::new(), restored })
    }

    /// Replaces these minds by those that they have [read](Self::read_saved), as
    /// [`restore`](Self::restore) does.
    ///
    /// # Errors
    ///
    /// Other minds have read them, or these have learnt words or another file since; nothing
    /// changes.
    pub fn take_saved(&mut self, saved: SavedMinds) -> Result<Restored, RestoreError> {
        let SavedMinds { read_by, spec, all, former, cancelled, restored } = saved;
        if !Arc::ptr_eq(&read_by, &self.spec) {
            return Err(RestoreError::Stale);
        }
        let All { now, last, budget, heavy, nodes, totals, shared, others, minds, .. } = all;
        let All { seed, cooling, questions, .. } = all;
        self.spec = spec;
        self.former = former;
        (self.now, self.last, self.budget, self.nodes) = (now, last, budget, nodes);
        (self.totals, self.shared, self.others) = (totals, shared, others);
        (self.seed, self.cooling, self.heavy) = (seed, cooling, heavy);
        self.question_budget = questions;
        self.orders = cancelled;
        self.events.clear();
        self.settle(minds);
        self.hand_out_again();
        self.stop_recording();
        Ok(restored)
    }

    /// All that one mind is as bytes.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn save_mind(&self, id: MindId) -> Result<Vec<u8>, MindError> {
        let mind = self.mind(id).ok_or(MindError::NoMind(id))?;
        Ok(mind_bytes(mind, &self.spec))
    }

    /// All that one mind is as bytes, and takes it out, as if it had never been here: nothing ends,
    /// nothing is cancelled, and no order goes out. What it has ordered is still under way, and is
    /// the caller's to look after until the mind is [restored](Self::restore_mind). A member of a
    /// squad leaves it first ([`Squads::leave`](crate::squad::Squads::leave)): else the squad takes
    /// it for dead.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn put_aside(&mut self, id: MindId) -> Result<Vec<u8>, MindError> {
        let bytes = self.save_mind(id)?;
        self.remove(id);
        self.forget_questions(id);
        self.tape.door(id, MindCall::Aside, |_| {});
        Ok(bytes)
    }

    /// Reads a mind that was saved and leaves these as they are, for callers that ask what would
    /// be [restored](Self::restore_mind).
    ///
    /// # Errors
    ///
    /// The bytes are no mind of this file that could be here by now.
    pub fn read_mind(&self, bytes: &[u8]) -> Result<Mind, ReadError> {
        let mut from = open_mind(bytes)?;
        let mind = self.decode_mind(&mut from)?;
        from.finish()?;
        Ok(mind)
    }

    fn decode_mind(&self, from: &mut Decoder<'_>) -> Result<Mind, DecodeError> {
        let before = from.limit_symbols(self.spec.words.limit());
        let read = Mind::decode(from, File::present(&self.spec), self.now);
        from.limit_symbols(before);
        let mind = read?;
        let is_possible = (1..=self.last).contains(&mind.id.0);
        from.sound(mind, is_possible, "number of a mind")
    }

    /// Puts a mind that was saved into its place among these, in place of the one of its number if
    /// that is here.
    ///
    /// # Errors
    ///
    /// The bytes are no mind of this file that could be here by now; then everything is as before.
    pub fn restore_mind(&mut self, bytes: &[u8]) -> Result<MindId, ReadError> {
        let mind = self.read_mind(bytes)?;
        Ok(self.take_mind(mind))
    }

    /// The same from a recording.
    pub(crate) fn enter_mind(&mut self, from: &mut Decoder<'_>) -> Result<MindId, DecodeError> {
        let mind = self.decode_mind(from)?;
        Ok(self.take_mind(mind))
    }

    fn take_mind(&mut self, mind: Mind) -> MindId {
        self.tape.door(mind.id, MindCall::Back, |to| mind.encode(&self.spec, to));
        let id = mind.id;
        match self.mind_mut(id) {
            Some(here) => *here = mind,
            None => self.place_by_number(mind),
        }
        self.hand_out_again_of(id);
        id
    }
}

/// A mind of this file as bytes that say so.
pub(super) fn mind_bytes(mind: &Mind, spec: &Spec) -> Vec<u8> {
    let mut to = MIND.begin();
    mind.encode(spec, &mut to);
    to.bytes
}

/// What reads a mind behind the line that says so.
pub(super) fn open_mind(bytes: &[u8]) -> Result<Decoder<'_>, FormatError> {
    MIND.open(bytes).map(|(_, from)| from)
}

/// Minds that have been read and not yet been taken.
#[derive(Clone, Debug)]
#[must_use]
pub struct SavedMinds {
    /// The spec of the minds that read these: no others can take them.
    read_by: Arc<Spec>,
    /// The same with the words that were learnt.
    spec: Arc<Spec>,
    all: All,
    /// The version of the file that they were saved with, if it is another.
    former: Option<Arc<Migrated>>,
    cancelled: Vec<IssuedOrder>,
    restored: Restored,
}

impl SavedMinds {
    throng_base::getters! {
        /// The result of taking them.
        restored: &Restored;

        /// What the file says, with all words that these minds know.
        spec: &Spec;
    }

    /// When their last tick was.
    pub fn now(&self) -> Tick {
        self.all.now
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.minds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.minds.is_empty()
    }

    /// A mind, by its number.
    pub fn mind(&self, id: MindId) -> Option<&Mind> {
        let minds = &self.all.minds;
        minds.binary_search_by_key(&id, Mind::id).ok().map(|at| &minds[at])
    }
}

/// What was saved, but the words.
#[derive(Clone, Debug)]
pub(super) struct All {
    pub(super) now: u32,
    last: u32,
    budget: Option<u32>,
    heavy: Option<u32>,
    questions: Option<u32>,
    nodes: u64,
    totals: Totals,
    pub(super) shared: Memory,
    pub(super) others: Others,
    pub(super) minds: Vec<Mind>,
    seed: u64,
    pub(super) cooling: Vec<TeamCooling>,
}

fn read_all(from: &mut Decoder<'_>, file: File<'_>) -> Result<All, DecodeError> {
    let (now, last) = (from.counter()?, from.counter()?);
    let has: u8 = from.read()?;
    from.sound((), has < 32, "budget for planning")?;
    let budget = if has & 1 != 0 { Some(from.read()?) } else { None };
    let heavy = if has & 4 != 0 { Some(from.read()?) } else { None };
    let questions = if has & 16 != 0 { Some(from.read()?) } else { None };
    let (seed, cooling) = if has & 2 != 0 { (from.read()?, from.read()?) } else { (0, Vec::new()) };
    let nodes = from.read()?;
    let totals = Totals {
        mind_ticks: from.long_counter()?,
        awake: from.long_counter()?,
        asked: from.long_counter()?,
        ..Totals::default()
    };
    let shared = Memory::decode(from, SHARED_FACTS, now)?;
    let mut minds: Vec<Mind> = Vec::new();
    for _ in 0..from.count()? {
        let mind = Mind::decode(from, file, now)?;
        let before = minds.last().map_or(0, |mind| mind.id.0);
        from.sound((), (before + 1..=last).contains(&mind.id.0), "number of a mind")?;
        minds.push(mind);
    }
    let others = match file.names.slots.is_empty() && has & 8 == 0 {
        true => Others::default(),
        false => from.read()?,
    };
    // Who was put aside may come back to what the game has claimed for it.
    let is_known = |claim: &Claim| (1..=last).contains(&claim.mind.0);
    let is_sound = others.claims().iter().chain(&others.given).all(|claim| claim.since <= now);
    let all_known = others.given.iter().all(is_known);
    from.sound((), is_sound && all_known, "claim of a mind")?;
    Ok(All {
        now,
        last,
        budget,
        heavy,
        questions,
        nodes,
        totals,
        shared,
        others,
        minds,
        seed,
        cooling,
    })
}

/// Reads the words, which begin as the file's do; gives those that the file does not have.
fn read_words(from: &mut Decoder<'_>, spec: &Spec) -> Result<Vec<String>, DecodeError> {
    let mut known = spec.words.iter();
    let mut learnt: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..from.count()? {
        let text: String = from.read()?;
        match known.next() {
            Some(word) if word == text => {}
            Some(_) => return from.error("word of this file: it is another file's save"),
            None if spec.words.find(&text).is_none() && seen.insert(text.clone()) => {
                learnt.push(text);
            }
            None => return from.error("new word"),
        }
    }
    Ok(learnt)
}
