//! Minds that are far away live as rows of a crowd, and come back as minds.
//!
//! In:   a mind far from the player, and a population of the same domain.
//! Out:  a row with its values, its goal and the rest of its plan; later the same mind, with what
//!       the crowd has done meanwhile.
//! Cost: a mind as bytes and back; not for every NPC in a frame.
//!
//! | part of a mind | while it is away | when it is back |
//! |---|---|---|
//! | values of its type | values of the row | what the crowd says, where that has changed |
//! | goal, rest of its plan | goal and plan of the row, if it can be followed there | what is left of it; the crowd's, if the crowd has made another |
//! | action under way | the row does that step | in the tick in which it left, and if nothing has happened, it goes on; else it is cancelled, once, with its orders |
//! | memory, senses, doubts, what was learnt, counters | kept as bytes | the same; what has expired is forgotten in the next tick |
//! | messages, told to [`Offscreen::tell`] | kept | in its inbox |
//!
//! Who leaves and comes straight back, before the next tick, is the same, bit for bit.

mod saved;

pub use saved::{RestoreOffscreenError, RestoredOffscreen};

use std::collections::BTreeMap;
use std::sync::Arc;
use throng_base::codec::ReadError;
use throng_crowd::{Crowd, CrowdError, CrowdGoalId, GroupId, NpcHandle, Population, Status};
use throng_domain::compile::{NpcTables, UNKNOWN};
use throng_domain::model::{ActionId, Fact, GoalId, NpcTypeId, ValueId, VariableId};
use throng_mind::orders::{Message, MindId};
use throng_mind::time::Tick;
use throng_mind::{Followed, Meanwhile, MeanwhileError, Mind, Minds};
use throng_planner::PreparedDomain;

/// Why a mind cannot leave; it stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DemoteError {
    /// There is no such mind, or it has left already.
    NoMind,
    /// The population is of another domain than the minds, or of another version of it.
    OtherDomain,
    /// The population has no such group, or no room.
    NoRoom,
}

throng_base::error! { DemoteError {
    Self::NoMind => "there is no such mind, or it has left already";
    Self::OtherDomain => "the population is of another domain than the minds";
    Self::NoRoom => "the population has no such group, or no room";
} }

/// Why a mind cannot come back; it stays away.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PromoteError {
    /// It has not left.
    NotAway,
    /// The minds, or the population, are of another domain than when it left, or of another
    /// version of it: promote all minds before a new file is loaded.
    OtherDomain,
    /// Its row is gone: it was removed from the crowd. [`Offscreen::end`] ends the mind too.
    NoRow,
    /// What was kept of it cannot be read by these minds.
    Read(ReadError),
    /// What the crowd did cannot have happened to it.
    Meanwhile(MeanwhileError),
}

throng_base::error! { PromoteError {
    Self::NotAway => "this mind has not left";
    Self::OtherDomain => "minds or population are of another domain than when it left";
    Self::NoRow => "its row has been removed from the crowd";
    Self::Read(error) => "{error}";
    Self::Meanwhile(error) => "{error}";
} source {
    Self::Read(error) => error;
    Self::Meanwhile(error) => error;
} }

/// A mind that is away.
#[derive(Clone, Debug)]
struct Away {
    /// All of it, as bytes.
    mind: Vec<u8>,
    left: Tick,
    domain: Arc<PreparedDomain>,
    npc: NpcTypeId,
    row: NpcHandle,
    /// What the crowd said of each variable of the type when it left.
    said: Vec<Option<Fact>>,
    goal: Option<GoalId>,
    /// The rest of its plan.
    rest: Vec<ActionId>,
    messages: Vec<Message>,
}

/// The minds that are away.
///
/// ```
/// use std::sync::Arc;
/// use throng::crowd::{CrowdSettings, FrameBudget, GroupId, Pool, Population};
/// use throng::mind::{Body, Minds, fact::EntityId};
/// use throng::{Domain, Offscreen};
///
/// # let domain = Domain::from_text(
/// #     "domain mill\nvar flour: none, ground\naction grind: flour none -> ground\n\
/// #      goal full: flour = ground\nnpc miller\n    can grind\n    wants full\n    starts flour = none",
/// # )?;
/// let mut minds = Minds::<()>::new(domain.mind_spec(10)?, Body::new(), 1)?;
/// let miller = minds.spawn("miller", EntityId(1))?;
/// let settings = CrowdSettings::default();
/// let mut people = Population::new(domain.compiled_arc(), settings, Arc::new(Pool::new(1)));
///
/// // Far from the player it is a row, which plans and acts with the others.
/// let mut away = Offscreen::new();
/// let row = away.demote(miller, &mut minds, &mut people, GroupId::FIRST)?;
/// assert!(minds.is_empty() && people.len() == 1);
/// people.crowd_mut("miller").ok_or("no such type")?.set(row, ("flour", "ground"))?;
///
/// // Back in sight it is the same mind, and knows what has happened meanwhile.
/// away.promote(miller, &mut minds, &mut people, &())?;
/// assert!(away.is_empty() && people.is_empty() && minds.mind(miller).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Offscreen {
    away: BTreeMap<MindId, Away>,
}

impl Offscreen {
    /// No mind is away.
    pub fn new() -> Self {
        Offscreen::default()
    }

    /// How many are away.
    pub fn len(&self) -> usize {
        self.away.len()
    }

    /// Whether no mind is away.
    pub fn is_empty(&self) -> bool {
        self.away.is_empty()
    }

    /// The row of a mind that is away, and the type whose crowd has it.
    pub fn row(&self, id: MindId) -> Option<(NpcTypeId, NpcHandle)> {
        self.away.get(&id).map(|away| (away.npc, away.row))
    }

    /// All who are away, by number, each with type and row.
    pub fn rows(&self) -> impl Iterator<Item = (MindId, NpcTypeId, NpcHandle)> {
        self.away.iter().map(|(&id, away)| (id, away.npc, away.row))
    }

    /// Bytes kept for those who are away, beside their rows.
    pub fn bytes(&self) -> usize {
        let own = |away: &Away| {
            away.mind.capacity()
                + away.said.capacity() * size_of::<Option<Fact>>()
                + away.rest.capacity() * size_of::<ActionId>()
                + away.messages.capacity() * size_of::<Message>()
        };
        self.away.values().map(|away| size_of::<(MindId, Away)>() + own(away)).sum()
    }

    /// Keeps a message until the mind is back.
    ///
    /// # Errors
    ///
    /// The mind is not away.
    pub fn tell(&mut self, id: MindId, message: impl Into<Message>) -> Result<(), PromoteError> {
        let away = self.away.get_mut(&id).ok_or(PromoteError::NotAway)?;
        away.messages.push(message.into());
        Ok(())
    }

    /// Makes a mind a row of the crowd of its type, in a group of the population. It is no longer
    /// among the minds. What the game carries out for it may be dropped. A mind that is
    /// in a squad leaves it first ([`Squads::leave`](throng_mind::squad::Squads::leave)): else he is
    /// taken for dead. The mind of a squad is not to leave: without it the squad ends.
    ///
    /// # Errors
    ///
    /// Then nothing has changed.
    pub fn demote<W: ?Sized + Sync>(
        &mut self,
        id: MindId,
        minds: &mut Minds<W>,
        people: &mut Population,
        group: GroupId,
    ) -> Result<NpcHandle, DemoteError> {
        let mind = minds.mind(id).ok_or(DemoteError::NoMind)?;
        let domain = Arc::clone(&minds.spec().domain);
        if !Arc::ptr_eq(&domain, people.domain()) {
            return Err(DemoteError::OtherDomain);
        }
        let (npc, goal) = (mind.npc(), mind.plan().goal());
        let crowd = people.crowd_mut(npc).ok_or(DemoteError::OtherDomain)?;
        let rest = rest_of(mind).to_vec();
        let row = enter(crowd, mind, group, &rest).map_err(|_| DemoteError::NoRoom)?;
        let said = says(crowd, row);
        let mut mind = minds.put_aside(id).map_err(|_| DemoteError::NoMind)?;
        mind.shrink_to_fit();
        let (left, messages) = (minds.now(), Vec::new());
        let away = Away { mind, left, domain, npc, row, said, goal, rest, messages };
        self.away.insert(id, away);
        Ok(row)
    }

    /// Makes a row a mind again: the one that left, with what the crowd has done meanwhile. The
    /// row is gone. Orders and events of an action that is cancelled are with those of the last
    /// tick of the minds.
    ///
    /// # Errors
    ///
    /// Then nothing has changed, and the mind is still away.
    pub fn promote<W: ?Sized + Sync>(
        &mut self,
        id: MindId,
        minds: &mut Minds<W>,
        people: &mut Population,
        world: &W,
    ) -> Result<(), PromoteError> {
        let away = self.away.get(&id).ok_or(PromoteError::NotAway)?;
        let is_same = |domain| Arc::ptr_eq(&away.domain, domain);
        if !is_same(&minds.spec().domain) || !is_same(people.domain()) {
            return Err(PromoteError::OtherDomain);
        }
        let crowd = people.crowd_mut(away.npc).ok_or(PromoteError::OtherDomain)?;
        if !crowd.contains(away.row) {
            return Err(PromoteError::NoRow);
        }
        let values = away.changes(crowd);
        let steps: Vec<ActionId> = crowd.plan_of(away.row).collect();
        let plan = away.followed(crowd, &steps);
        minds.restore_mind(&away.mind).map_err(PromoteError::Read)?;
        let happened = !values.is_empty() || plan != Followed::Own { done: 0 };
        if happened || minds.now() != away.left {
            let meanwhile = Meanwhile { values: &values, plan };
            if let Err(unfit) = minds.catch_up(id, &meanwhile, world) {
                let _ = minds.put_aside(id);
                return Err(PromoteError::Meanwhile(unfit));
            }
        }
        crowd.despawn(away.row);
        let messages = self.away.remove(&id).map_or(Vec::new(), |away| away.messages);
        messages.into_iter().for_each(|message| _ = minds.tell(id, message));
        Ok(())
    }

    /// Ends a mind that is away, and its row: what was under way when it left is cancelled, as by
    /// [`Minds::despawn`].
    ///
    /// # Errors
    ///
    /// Then nothing has changed, and the mind is still away.
    pub fn end<W: ?Sized + Sync>(
        &mut self,
        id: MindId,
        minds: &mut Minds<W>,
        people: &mut Population,
        world: &W,
    ) -> Result<(), PromoteError> {
        let away = self.away.get(&id).ok_or(PromoteError::NotAway)?;
        if !Arc::ptr_eq(&away.domain, &minds.spec().domain) {
            return Err(PromoteError::OtherDomain);
        }
        minds.restore_mind(&away.mind).map_err(PromoteError::Read)?;
        let _ = minds.despawn(id, world);
        if let Some(crowd) = people.crowd_mut(away.npc) {
            crowd.despawn(away.row);
        }
        self.away.remove(&id);
        Ok(())
    }
}

impl Away {
    /// The variables of which the crowd says something else than when it left.
    fn changes(&self, crowd: &Crowd) -> Vec<(VariableId, Option<ValueId>)> {
        let variables = self.domain.npc(self.npc).variables().iter();
        let pairs = variables.zip(&self.said).filter_map(|(&variable, said)| {
            let now = crowd.get(self.row, variable);
            (now != *said).then(|| (variable, now.map(|fact| fact.value)))
        });
        pairs.collect()
    }

    /// What became of its plan, of which these steps are left in the crowd.
    fn followed<'s>(&self, crowd: &Crowd, steps: &'s [ActionId]) -> Followed<'s> {
        let own = Followed::Own { done: 0 };
        // Who waits, or has no plan there, sees for itself how far its own one holds.
        if !matches!(crowd.status(self.row), Some(Status::Following | Status::Satisfied)) {
            return own;
        }
        let goal = crowd.aim_of(self.row).and_then(|goal| crowd.goal_id(goal));
        if goal == self.goal && self.rest.ends_with(steps) {
            return Followed::Own { done: self.rest.len() - steps.len() };
        }
        let wants = |goal: &GoalId| self.domain.npc(self.npc).goals().contains(goal);
        match goal.filter(wants).filter(|_| !steps.is_empty()) {
            Some(goal) => Followed::Other { goal, steps, cost: crowd.cost_of(self.row).0 },
            None => own,
        }
    }
}

/// The steps of its plan that a mind has still to do.
fn rest_of(mind: &Mind) -> &[ActionId] {
    let plan = mind.plan();
    plan.steps().get(plan.at()..).unwrap_or(&[])
}

/// A row for a mind: its values, its goal, and the rest of its plan if it can be followed there.
fn enter(
    crowd: &mut Crowd,
    mind: &Mind,
    group: GroupId,
    rest: &[ActionId],
) -> Result<NpcHandle, CrowdError> {
    let domain = Arc::clone(crowd.domain());
    let kind = domain.npc(mind.npc());
    let known = known(mind, kind);
    let goal = match mind.plan().goal() {
        Some(goal) => crowd.goal(goal)?,
        None => CrowdGoalId::NONE,
    };
    let facts: Vec<Fact> = known.iter().copied().flatten().collect();
    let row = crowd.spawn_with(group, goal, &facts)?;
    for (&variable, _) in kind.variables().iter().zip(known).filter(|(_, fact)| fact.is_none()) {
        // What groups share is not for a row to forget.
        let _ = crowd.forget(row, variable);
    }
    crowd.follow(row, rest);
    Ok(row)
}

/// What a mind knows of each variable of its type.
fn known(mind: &Mind, kind: &NpcTables) -> Vec<Option<Fact>> {
    let fact = |&variable: &VariableId| {
        let value = Some(mind.state().values()[variable.index()]);
        let value = value.filter(|value| *value != UNKNOWN).map(usize::from);
        value.map(|value| Fact { variable, value: ValueId::at(value) })
    };
    kind.variables().iter().map(fact).collect()
}

/// What a crowd says of each variable of somebody's type.
fn says(crowd: &Crowd, row: NpcHandle) -> Vec<Option<Fact>> {
    let variables = crowd.domain().npc(crowd.npc()).variables().iter();
    variables.map(|&variable| crowd.get(row, variable)).collect()
}
