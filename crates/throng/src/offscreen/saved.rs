//! Those who are away as bytes and back, each with its row.
//!
//! In:   those who are away, and the population that has their rows; or bytes, not to be trusted,
//!       the minds that were saved with them, and a population with the same groups.
//! Out:  bytes; or the same who are away, with rows of the same values, goals and plans.
//! Cost: one pass; every mind that is away is read once, to see that it can come back.
//!
//! A population is not saved as a whole: what is said of its groups, goals of the game's own, and
//! how urgent somebody is are the game's to say again. Who had such a goal wants nothing until
//! then. Type, goal and plan of a mind are read from the mind itself, so they cannot differ.

mod moved;

use super::{Away, Offscreen, rest_of};
use std::fmt;
use std::sync::Arc;
use throng_base::codec::{ByteFormat, DecodeError, Decoder, Encoder, ReadError};
use throng_crowd::{Crowd, CrowdError, GoalRef, GroupRef, NpcHandle, Population, Status};
use throng_domain::compile::{CompiledDomain, LocalAction, LocalFact, NpcTables};
use throng_domain::model::{ActionId, Fact, GoalId, NpcTypeId};
use throng_mind::orders::{IssuedOrder, Message, MindId};
use throng_mind::time::Tick;
use throng_mind::{Dropped, Lost, Minds, Moving};

/// Why those who were away cannot be restored; everything is as before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RestoreOffscreenError {
    /// The population is of another domain than the minds, or of another version of it.
    OtherDomain,
    /// They were saved with another file, or another version of it, than the minds that were
    /// restored.
    OtherSave,
    /// The type of somebody who was away is gone: each type, and of how many.
    NoSuchType(Vec<Dropped>),
    /// The population does not have a group that somebody was in, or no room.
    NoRoom,
    /// The bytes are no minds that could be away from these.
    Read(ReadError),
}

impl fmt::Display for RestoreOffscreenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreOffscreenError::OtherDomain => {
                write!(f, "the population is of another domain than the minds")
            }
            RestoreOffscreenError::OtherSave => {
                write!(f, "they were saved with another version of the file than the minds")
            }
            RestoreOffscreenError::NoSuchType(gone) => {
                let gone: Vec<String> = gone.iter().map(Dropped::to_string).collect();
                write!(f, "{}; say `was` for a type that has another name now", gone.join("; "))
            }
            RestoreOffscreenError::NoRoom => {
                write!(f, "the population has no such group, or no room")
            }
            RestoreOffscreenError::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RestoreOffscreenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RestoreOffscreenError::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl<E: Into<ReadError>> From<E> for RestoreOffscreenError {
    fn from(error: E) -> Self {
        RestoreOffscreenError::Read(error.into())
    }
}

/// What restoring those who were away came to; empty if they were saved with the same file.
#[derive(Clone, PartialEq, Debug, Default)]
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

/// Those who are away. Before version 3 their minds did not say what they are.
const FAR: ByteFormat =
    ByteFormat { kind: "far", name: "saved minds that are away", version: 3, oldest: 3 };

/// A row as it was.
struct Row {
    group: usize,
    /// By variable of the type.
    values: Vec<Option<Fact>>,
    goal: Option<GoalId>,
    doing: Doing,
}

/// What a row was told last.
enum Doing {
    /// Nothing that holds: it is to be planned for.
    Waits,
    Rests,
    Follows(Vec<ActionId>),
}

impl Offscreen {
    /// All who are away as bytes, with their rows, sealed. Save the minds too: numbers of minds and
    /// words are theirs, and so are the names of the file.
    pub fn save(&self, people: &Population) -> Vec<u8> {
        let mut to = FAR.begin();
        to.seal(|to| {
            let first = self.away.values().next();
            let domain = first.map_or(people.domain(), |away| &away.domain);
            to.write(&domain.digest().0);
            self.encode(people, to);
        });
        to.bytes
    }

    fn encode(&self, people: &Population, to: &mut Encoder) {
        to.number(self.away.len() as u64);
        for (id, away) in &self.away {
            let Away { mind, left, domain, npc, row, said, goal: _, rest: _, messages } = away;
            to.write(id).write(left).write(messages).section(mind);
            said.iter().for_each(|fact| encode_fact(*fact, to));
            let crowd = people.crowd(*npc).filter(|crowd| crowd.contains(*row));
            to.write(&crowd.is_some());
            if let Some(crowd) = crowd {
                encode_row(crowd, *row, domain, to);
            }
        }
    }

    /// Makes those who are away those that were saved, and gives each a row of the population.
    /// Restore the minds first, and make the groups of the population as they were. Rows of those
    /// who are away now are removed.
    ///
    /// If the minds were saved with another version of the file, those who are away are carried
    /// over by name like them: they keep what they know and what their rows came to, and are
    /// planned for anew. The result says what could not be carried over, and which orders of what
    /// they did before they left are cancelled.
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
        let (_, mut from) = FAR.open(bytes)?;
        let mut whole = from.unseal()?;
        from.finish()?;
        let digest = whole.read()?;
        let mut moving = minds.moving(digest);
        if moving.is_none() && (minds.is_migrated() || digest != people.domain().digest().0) {
            return Err(RestoreOffscreenError::OtherSave);
        }
        let saved = read_all(&mut whole, minds, moving.as_mut())?;
        whole.finish()?;
        let restored = moving.map_or_else(RestoredOffscreen::default, RestoredOffscreen::of);
        let gone: Vec<Dropped> =
            restored.dropped.iter().filter(|it| it.what == Lost::Type).cloned().collect();
        if !gone.is_empty() {
            return Err(RestoreOffscreenError::NoSuchType(gone));
        }
        let mut far = Offscreen::new();
        for saved in saved {
            let crowd = people.crowd_mut(saved.npc);
            let Some(row) = crowd.and_then(|crowd| enter(crowd, saved.row.as_ref()).ok()) else {
                far.remove_rows(people);
                return Err(RestoreOffscreenError::NoRoom);
            };
            let (id, domain) = (saved.id, Arc::clone(people.domain()));
            far.away.insert(id, saved.with_row(row, domain));
        }
        self.remove_rows(people);
        *self = far;
        Ok(restored)
    }

    fn remove_rows(&self, people: &mut Population) {
        for away in self.away.values() {
            people.crowd_mut(away.npc).map(|crowd| crowd.despawn(away.row));
        }
    }
}

/// Somebody who was away, whose row is still to be made.
struct Saved {
    id: MindId,
    mind: Vec<u8>,
    left: Tick,
    npc: NpcTypeId,
    said: Vec<Option<Fact>>,
    goal: Option<GoalId>,
    rest: Vec<ActionId>,
    messages: Vec<Message>,
    row: Option<Row>,
}

impl Saved {
    fn with_row(self, row: NpcHandle, domain: Arc<CompiledDomain>) -> Away {
        let Saved { id: _, mind, left, npc, said, goal, rest, messages, row: _ } = self;
        Away { mind, left, domain, npc, row, said, goal, rest, messages }
    }
}

fn read_all<W: ?Sized + Sync>(
    from: &mut Decoder<'_>,
    minds: &Minds<W>,
    mut moving: Option<&mut Moving>,
) -> Result<Vec<Saved>, ReadError> {
    let n_words = minds.spec().words.limit();
    from.limit_symbols(moving.as_ref().map_or(n_words, |moving| moving.n_words()));
    let mut all: Vec<Saved> = Vec::new();
    let mut last = None;
    for _ in 0..from.count()? {
        let (id, left) = (from.read::<MindId>()?, from.past(minds.now())?);
        if last.replace(id).is_some_and(|last| last >= id) {
            return Ok(from.error("number of a mind that is away")?);
        }
        if minds.mind(id).is_some() {
            return Ok(from.error("mind that is away")?);
        }
        match &mut moving {
            None => all.push(read_one(from, minds, id, left)?),
            Some(moving) => all.extend(moved::read_one(from, moving, id, left)?),
        }
    }
    Ok(all)
}

fn read_one<W: ?Sized + Sync>(
    from: &mut Decoder<'_>,
    minds: &Minds<W>,
    id: MindId,
    left: Tick,
) -> Result<Saved, ReadError> {
    let messages: Vec<Message> = from.read()?;
    let bytes = from.section()?;
    let mind = minds.read_mind(bytes)?;
    from.sound((), mind.id() == id, "mind that is away")?;
    let domain = &minds.spec().domain;
    let npc = mind.npc();
    let said = decode_facts(domain.npc(npc), from)?;
    let has_row = from.read()?;
    let row = if has_row { Some(decode_row(domain, domain.npc(npc), from)?) } else { None };
    let (goal, rest) = (mind.plan().goal(), rest_of(&mind).to_vec());
    Ok(Saved { id, mind: bytes.to_vec(), left, npc, said, goal, rest, messages, row })
}

/// What is known of a variable; 0 for nothing.
fn encode_fact(fact: Option<Fact>, to: &mut Encoder) {
    to.number(fact.map_or(0, |fact| fact.value.index() as u64 + 1));
}

fn decode_facts(
    kind: &NpcTables,
    from: &mut Decoder<'_>,
) -> Result<Vec<Option<Fact>>, DecodeError> {
    let mut facts = Vec::with_capacity(kind.variables().len());
    for &id in kind.variables() {
        let Some(variable) = kind.local_variable(id) else {
            return from.error("variable of the type");
        };
        let value = from.below(kind.n_values(variable) + 1, "value of a variable")?;
        let fact = |value: usize| kind.fact(LocalFact { variable, value: value as u16 });
        facts.push(value.checked_sub(1).map(fact));
    }
    Ok(facts)
}

fn encode_row(crowd: &Crowd, row: NpcHandle, domain: &CompiledDomain, to: &mut Encoder) {
    let kind = domain.npc(crowd.npc());
    to.number(crowd.group_of(row).map_or(0, |group| group.index() as u64));
    kind.variables().iter().for_each(|&variable| encode_fact(crowd.get(row, variable), to));
    let wants = crowd.goal_of(row).unwrap_or(GoalRef::NONE);
    let goal = crowd.goal_id(wants);
    to.write(&goal.map(|goal| domain.map().goal_names()[goal.index()].clone()));
    // Where a plan to a goal of the game's own leads is not known here.
    let status = crowd.status(row).filter(|_| goal.is_some() || wants == GoalRef::NONE);
    match status {
        Some(Status::Following) => {
            let steps = crowd.plan_of(row).filter_map(|action| kind.local_action(action));
            let steps: Vec<usize> = steps.map(LocalAction::index).collect();
            to.write(&2u8).write(&steps);
        }
        Some(Status::Satisfied) => _ = to.write(&1u8),
        _ => _ = to.write(&0u8),
    }
}

fn decode_row(
    domain: &CompiledDomain,
    kind: &NpcTables,
    from: &mut Decoder<'_>,
) -> Result<Row, DecodeError> {
    let group = from.read()?;
    let values = decode_facts(kind, from)?;
    let goal = match from.read::<Option<String>>()? {
        None => None,
        Some(name) => match domain.map().find_goal(&name) {
            Some(goal) => Some(goal),
            None => return from.error("goal of this domain"),
        },
    };
    let doing = match from.read::<u8>()? {
        0 => Doing::Waits,
        1 => Doing::Rests,
        2 => Doing::Follows(from.list(|from| {
            Ok(kind.actions()[from.below(kind.n_actions(), "action of the type")?])
        })?),
        _ => return from.error("status of a row"),
    };
    Ok(Row { group, values, goal, doing })
}

/// A row as it was; if there was none, the name of one that is gone.
fn enter(crowd: &mut Crowd, row: Option<&Row>) -> Result<NpcHandle, CrowdError> {
    let Some(row) = row else {
        let gone = crowd.spawn(GroupRef::FIRST, GoalRef::NONE)?;
        crowd.despawn(gone);
        return Ok(gone);
    };
    let group = crowd.groups().nth(row.group).ok_or(CrowdError::NoSuchGroup)?;
    let goal = match row.goal {
        Some(goal) => crowd.goal(goal)?,
        None => GoalRef::NONE,
    };
    let facts: Vec<Fact> = row.values.iter().copied().flatten().collect();
    let handle = crowd.spawn_with(group, goal, &facts)?;
    let domain = Arc::clone(crowd.domain());
    let variables = domain.npc(crowd.npc()).variables().iter().zip(&row.values);
    for (&variable, _) in variables.filter(|(_, value)| value.is_none()) {
        // What groups share is not for a row to forget.
        let _ = crowd.forget(handle, variable);
    }
    // What does not lead to its goal any more is for the crowd to find anew.
    match &row.doing {
        Doing::Waits => {}
        Doing::Rests => _ = crowd.rest(handle),
        Doing::Follows(steps) => _ = crowd.follow(handle, steps),
    }
    Ok(handle)
}
