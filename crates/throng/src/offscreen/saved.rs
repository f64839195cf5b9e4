//! Minds that are away as bytes and back.
//!
//! In:   those who are away; or bytes, not to be trusted, and the minds and the population that were
//!       saved with them.
//! Out:  bytes; or the same who are away, each with the row it had.
//! Cost: one pass; every mind that is away is read once, to see that it can come back.
//!
//! Rows are the population's to save ([`Population::save`]). Type, goal and plan of a mind are read
//! from the mind itself, so they cannot differ.

mod moved;

use super::{Away, Offscreen, rest_of};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_base::codec::{ByteFormat, DecodeError, Decoder, ReadError};
use throng_crowd::{NpcHandle, Population};
use throng_domain::compile::NpcTables;
use throng_domain::model::{Fact, ValueId};
use throng_mind::orders::{IssuedOrder, MindId};
use throng_mind::time::Tick;
use throng_mind::{Dropped, Lost, Minds, Moving};

/// Why those who were away cannot be restored; everything is as before.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreOffscreenError {
    /// The population is of another domain than the minds, or of another version of it.
    OtherDomain,
    /// They were saved with another file, or another version of it, than the minds that were
    /// restored.
    OtherSave,
    /// The type of a mind that was away is gone: each type, and of how many.
    NoSuchType(Vec<Dropped>),
    /// The bytes are no minds that could be away from these.
    Read(ReadError),
}

throng_base::error! { RestoreOffscreenError {
    Self::OtherDomain => "the population is of another domain than the minds";
    Self::OtherSave => "they were saved with another version of the file than the minds";
    Self::NoSuchType(gone) => "{}; say `was` for a type that has another name now",
        gone.iter().map(Dropped::to_string).collect::<Vec<_>>().join("; ");
    Self::Read(error) => "{error}";
} source {
    Self::Read(error) => error;
} }

impl<E: Into<ReadError>> From<E> for RestoreOffscreenError {
    fn from(error: E) -> Self {
        RestoreOffscreenError::Read(error.into())
    }
}

/// What restoring those who were away came to; empty if they were saved with the same file.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct RestoredOffscreen {
    /// What could not be carried over, by kind and name.
    pub dropped: Vec<Dropped>,
    /// Orders of theirs that are no longer wanted.
    pub cancelled: Vec<IssuedOrder>,
}

impl RestoredOffscreen {
    fn of(moving: Moving) -> Self {
        let (dropped, cancelled) = moving.finish();
        RestoredOffscreen { dropped, cancelled }
    }
}

/// Those who are away. Before version 4 they carried their rows.
const OFFSCREEN: ByteFormat =
    ByteFormat { kind: "far", name: "saved minds that are away", version: 4, oldest: 4 };

impl Offscreen {
    /// All who are away as bytes, sealed. Save the minds and the population too: numbers of minds
    /// and words are theirs, and rows are its own.
    pub fn save(&self, people: &Population) -> Vec<u8> {
        let mut to = OFFSCREEN.begin();
        to.seal(|to| {
            let first = self.away.values().next();
            to.write(&first.map_or(people.domain(), |away| &away.domain).digest().0);
            to.number(self.away.len() as u64);
            for (id, away) in &self.away {
                let Away { mind, left, row, said, messages, .. } = away;
                to.write(id).write(left).write(messages).section(mind);
                // What is known of a variable; 0 for nothing.
                let known = |fact: &Option<Fact>| fact.map_or(0, |fact| fact.value.index() + 1);
                said.iter().for_each(|fact| _ = to.write(&known(fact)));
                to.write(&row.to_bits());
            }
        });
        to.bytes
    }

    /// Makes those who are away those that were saved. Restore the minds and the population first.
    ///
    /// If they were saved with another version of the file, those who are away are carried over
    /// by name like them: they keep what they know and what their rows came to. The result says
    /// what could not be carried over, and which orders of what they did before they left are
    /// cancelled.
    ///
    /// # Errors
    ///
    /// Then everything is as before.
    pub fn restore<W: ?Sized + Sync>(
        &mut self,
        bytes: &[u8],
        minds: &Minds<W>,
        people: &mut Population,
    ) -> Result<RestoredOffscreen, RestoreOffscreenError> {
        if !Arc::ptr_eq(&minds.spec().domain, people.domain()) {
            return Err(RestoreOffscreenError::OtherDomain);
        }
        let (_, mut from) = OFFSCREEN.open(bytes)?;
        let mut whole = from.unseal()?;
        from.finish()?;
        let digest = whole.read()?;
        let mut moving = minds.moving(digest);
        if moving.is_none() && (minds.is_migrated() || digest != people.domain().digest().0) {
            return Err(RestoreOffscreenError::OtherSave);
        }
        let mut replaced = Vec::new();
        let away = read_all(&mut whole, minds, moving.as_mut(), &mut replaced)?;
        whole.finish()?;
        let restored = moving.map_or_else(RestoredOffscreen::default, RestoredOffscreen::of);
        let gone: Vec<Dropped> =
            restored.dropped.iter().filter(|it| it.what == Lost::Type).cloned().collect();
        if !gone.is_empty() {
            return Err(RestoreOffscreenError::NoSuchType(gone));
        }
        self.away = away;
        for (id, fact) in replaced {
            let Some((npc, row)) = self.row(id) else { continue };
            if let Some(crowd) = people.crowd_mut(npc)
                && crowd.get(row, fact.variable).is_none()
            {
                // A row that is gone needs no values.
                let _ = crowd.set(row, fact);
            }
        }
        Ok(restored)
    }
}

/// Reads all; `replaced` is what minds know now in place of a value that is gone, for their rows.
fn read_all<W: ?Sized + Sync>(
    from: &mut Decoder<'_>,
    minds: &Minds<W>,
    mut moving: Option<&mut Moving>,
    replaced: &mut Vec<(MindId, Fact)>,
) -> Result<BTreeMap<MindId, Away>, ReadError> {
    let n_words = minds.spec().words.limit();
    from.limit_symbols(moving.as_ref().map_or(n_words, |moving| moving.n_words()));
    let mut all = BTreeMap::new();
    let mut last = None;
    for _ in 0..from.count()? {
        let (id, left) = (from.read::<MindId>()?, from.past(minds.now())?);
        if last.replace(id).is_some_and(|last| last >= id) {
            return Ok(from.error("number of a mind that is away")?);
        }
        if minds.mind(id).is_some() {
            return Ok(from.error("mind that is away")?);
        }
        let away = match &mut moving {
            None => Some(read_one(from, minds, id, left)?),
            Some(moving) => {
                moved::read_one(from, moving, &minds.spec().domain, (id, left), replaced)?
            }
        };
        all.extend(away.map(|away| (id, away)));
    }
    Ok(all)
}

fn read_one<W: ?Sized + Sync>(
    from: &mut Decoder<'_>,
    minds: &Minds<W>,
    id: MindId,
    left: Tick,
) -> Result<Away, ReadError> {
    let messages = from.read()?;
    let bytes = from.section()?;
    let mind = minds.read_mind(bytes)?;
    from.sound((), mind.id() == id, "mind that is away")?;
    let domain = Arc::clone(&minds.spec().domain);
    let (npc, goal, rest) = (mind.npc(), mind.plan().goal(), rest_of(&mind).to_vec());
    let said = read_facts(domain.npc(npc), from)?;
    let row = NpcHandle::from_bits(from.read()?);
    Ok(Away { mind: bytes.to_vec(), left, domain, npc, row, said, goal, rest, messages })
}

fn read_facts(kind: &NpcTables, from: &mut Decoder<'_>) -> Result<Vec<Option<Fact>>, DecodeError> {
    let facts = kind.variables().iter().map(|&variable| {
        let n_values = kind.local_variable(variable).map_or(0, |local| kind.n_values(local));
        let value = from.below(n_values + 1, "value of a variable")?.checked_sub(1);
        Ok(value.map(|value| Fact { variable, value: ValueId::at(value) }))
    });
    facts.collect()
}
