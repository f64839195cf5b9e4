//! Minds that were saved with another version of the file.
//!
//! In:   minds in the numbers of that file, and what it called them.
//! Out:  minds of the file in force: they remember what they knew, by name, and think anew, as
//!       after a reload; and what could not be carried over, told with its reason.
//! Cost: one pass over minds and facts; not for the frame.
//!
//! What was under way is given up: its orders are cancelled among the orders of the minds. The
//! code of its behaviour is not called: it may be another by now.

use super::reload::{carry_cooling, carry_facts, carry_message, carry_mind, carry_others};
use super::{Minds, SHARED_FACTS, saved};
use crate::blackboard::OrderState;
use crate::former::{Former, Names};
use crate::known::File;
use crate::mind::Mind;
use crate::orders::{IssuedOrder, Message, Order, OrderId};
use crate::spec::Spec;
use crate::time::Tick;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use throng_base::codec::ReadError;
use throng_base::text::count;
use throng_domain::compile::{CarriedValue, UNKNOWN};
use throng_domain::model::{Fact, NpcTypeId, VariableId};

/// What can be lost when another version of the file takes over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Lost {
    /// Minds, because their type is gone.
    Type,
    /// Values of a variable that is gone.
    Variable,
    /// A value that its variable does not have any more.
    Value,
    /// A number that is out of the range of its amount by now; the nearest took its place.
    Number,
    /// The game's own answer to a check that is gone.
    Check,
    /// Something learnt that is gone, or is now learnt together with more.
    Learnt,
    /// A goal that was pursued and is gone.
    Goal,
    /// Facts for which there is less room.
    Facts,
}

/// Something that could not be carried over, and of how many minds; of facts, how many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// What sort of thing was lost.
    pub what: Lost,
    /// As the other version of the file calls it; of a value, `variable = value`.
    pub name: String,
    /// How many minds lost it; of facts, how many were.
    pub count: usize,
}

throng_base::display! { Dropped {
    Self { what: Lost::Type, name, count: n } =>
        "{}: there is no NPC type `{name}`, present or former", count(*n, "mind");
    Self { what: Lost::Variable, name, count: n } =>
        "`{name}` of {}: there is no such variable, present or former", count(*n, "mind");
    Self { what: Lost::Value, name, count: n } =>
        "`{name}` of {}: the variable has no such value", count(*n, "mind");
    Self { what: Lost::Number, name, count: n } =>
        "`{name}` of {}: it is out of range, and the nearest number took its place",
        count(*n, "mind");
    Self { what: Lost::Check, name, count: n } =>
        "what {} were told of `{name}`: there is no such check", count(*n, "mind");
    Self { what: Lost::Learnt, name, count: n } =>
        "`{name}`, learnt by {}: there is no such action, present or former, or it is learnt with \
         others now", count(*n, "mind");
    Self { what: Lost::Goal, name, count: n } =>
        "`{name}`, pursued by {}: there is no such goal, present or former", count(*n, "mind");
    Self { what: Lost::Facts, count, .. } =>
        "the oldest facts, {count} in all: there is less room";
} }

/// The result of restoring minds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Restored {
    /// They were saved with this very file, and go on exactly as they would have; else they were
    /// carried over by name, think anew, and the rest of this tells about that.
    pub same_file: bool,
    /// How many minds there are.
    pub minds: usize,
    /// How many were in the middle of an action, which is given up. Its orders are cancelled:
    /// see [`Minds::orders`](crate::Minds::orders).
    pub interrupted: usize,
    /// What could not be carried over, by kind and name.
    pub dropped: Vec<Dropped>,
    words: Option<Arc<[u32]>>,
}

impl Restored {
    pub(super) fn with_the_same_file(minds: usize) -> Self {
        Restored { same_file: true, minds, ..Restored::default() }
    }

    /// What the words of the save are now, if that was made with another version of the file: for
    /// [`Decoder::rename_symbols`](throng_base::codec::Decoder::rename_symbols), before words of your own are read that were saved with the minds.
    pub fn words(&self) -> Option<Arc<[u32]>> {
        self.words.clone()
    }
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.same_file {
            return write!(f, "saved with the same file");
        }
        write!(f, "saved with another version of the file: all minds think anew")?;
        match self.interrupted {
            0 => {}
            1 => write!(f, "; 1 action under way is given up")?,
            n => write!(f, "; {n} actions under way are given up")?,
        }
        self.dropped.iter().try_for_each(|dropped| write!(f, "\nnot carried over: {dropped}"))
    }
}

/// Why minds cannot be restored; everything is as before.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes are no minds, or not as they were written.
    Read(ReadError),
    /// Minds were saved whose type is gone: each type, and of how many.
    NoSuchType(Vec<Dropped>),
    /// A second had so many ticks: moments would mean something else now.
    OtherPace(u32),
    /// They were read by other minds, or by these before they learnt words or another file.
    Stale,
}

throng_base::error! { RestoreError {
    Self::Read(error) => "{error}";
    Self::NoSuchType(gone) => "{}; say `was` for a type that has another name now",
        gone.iter().map(Dropped::to_string).collect::<Vec<_>>().join("; ");
    Self::OtherPace(ticks) => "it was saved at another pace: {ticks} ticks a second";
    Self::Stale => "it was read by other minds, or before these had another file or words";
} source {
    Self::Read(error) => error;
} }

impl<E: Into<ReadError>> From<E> for RestoreError {
    fn from(error: E) -> Self {
        RestoreError::Read(error.into())
    }
}

/// What was lost, by kind and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses(BTreeMap<(Lost, String), usize>);

impl Losses {
    pub(crate) fn add(&mut self, what: Lost, name: &str, count: usize) {
        if count > 0 {
            *self.0.entry((what, name.to_string())).or_default() += count;
        }
    }

    /// How many of these were.
    pub(crate) fn count(&self, of: &[Lost]) -> usize {
        self.0.iter().filter(|((what, _), _)| of.contains(what)).map(|(_, count)| count).sum()
    }

    fn told(self) -> Vec<Dropped> {
        let told = |((what, name), count)| Dropped { what, name, count };
        self.0.into_iter().map(told).collect()
    }
}

/// A former file, its words, and what they are now.
#[derive(Clone, Debug)]
pub(crate) struct Migrated {
    names: Names,
    texts: Vec<String>,
    words: Arc<[u32]>,
}

impl Migrated {
    /// All its words become words of the file in force.
    pub(super) fn new(names: Names, texts: Vec<String>, spec: &mut Spec) -> Self {
        let words = texts.iter().map(|word| spec.words.intern(word).0).collect();
        Migrated { names, texts, words }
    }

    fn former(&self) -> Former<'_> {
        Former { names: &self.names, words: &self.texts }
    }

    pub(super) fn file(&self) -> File<'_> {
        File::former(&self.names)
    }

    /// How many words it had.
    pub(super) fn n_words(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    /// Carries all over; minds whose type is gone end if `end_unknown`, else they are an error.
    pub(super) fn carry(
        &self,
        mut all: saved::All,
        spec: &mut Spec,
        end_unknown: bool,
    ) -> Result<(saved::All, Vec<IssuedOrder>, Restored), RestoreError> {
        let (mut losses, mut cancelled, mut interrupted) = (Losses::default(), Vec::new(), 0);
        let mut kept = Vec::with_capacity(all.minds.len());
        for mind in all.minds {
            interrupted += usize::from(mind.follow.is_busy());
            cancel_orders(&mind, &mut cancelled);
            kept.extend(self.carry_mind(mind, spec, all.now, &mut losses));
        }
        all.shared = carry_facts(&all.shared, self.former(), spec, SHARED_FACTS);
        all.others = carry_others(&all.others, self.former(), spec, &kept);
        carry_cooling(&mut all.cooling, self.former(), spec);
        all.minds = kept;
        let dropped = losses.told();
        if !end_unknown && dropped.iter().any(|it| it.what == Lost::Type) {
            let types = dropped.into_iter().filter(|it| it.what == Lost::Type);
            return Err(RestoreError::NoSuchType(types.collect()));
        }
        let (minds, words) = (all.minds.len(), Some(Arc::clone(&self.words)));
        let restored = Restored { same_file: false, minds, interrupted, dropped, words };
        Ok((all, cancelled, restored))
    }
}

impl Migrated {
    /// The same mind now; `None`, and a loss, if its type is gone.
    fn carry_mind(
        &self,
        mind: Mind,
        spec: &mut Spec,
        now: Tick,
        losses: &mut Losses,
    ) -> Option<Mind> {
        let name = self.former().npc(mind.npc);
        let npc = spec.domain.map().find_npc(name);
        if npc.is_none() {
            losses.add(Lost::Type, name, 1);
        }
        Some(carry_mind(mind, npc?, self.former(), spec, now, losses))
    }
}

/// What a mind has ordered is not wanted any more.
fn cancel_orders(mind: &Mind, cancelled: &mut Vec<IssuedOrder>) {
    let besides = mind.follow.besides.lanes.iter().map(|lane| &lane.given);
    let given = [&mind.board.given].into_iter().chain(besides);
    let open = given.flat_map(|given| &given.orders);
    let open = open.filter(|(_, state)| *state == OrderState::Open);
    cancelled.extend(open.map(|&(id, _)| IssuedOrder {
        mind: mind.id,
        me: mind.me,
        id: OrderId(0),
        order: Order::Cancel(id),
    }));
}

/// Single minds and what is beside them, of the version of the file that the minds were last
/// restored from, on their way into the one in force.
#[derive(Clone, Debug)]
#[must_use]
pub struct Moving {
    former: Arc<Migrated>,
    spec: Spec,
    now: Tick,
    last: u32,
    losses: Losses,
    cancelled: Vec<IssuedOrder>,
}

impl<W: ?Sized + Sync> Minds<W> {
    /// Whether these minds were last restored from another version of the file.
    pub fn is_migrated(&self) -> bool {
        self.former.is_some()
    }

    /// If these minds were last restored from another version of the file: what carries over what
    /// else was saved with them. The digest is that of the domain then.
    pub fn moving(&self, digest: u128) -> Option<Moving> {
        let former = self.former.as_ref().filter(|former| former.names.digest == digest)?;
        Some(Moving {
            former: Arc::clone(former),
            spec: (*self.spec).clone(),
            now: self.now,
            last: self.last,
            losses: Losses::default(),
            cancelled: Vec::new(),
        })
    }
}

impl Moving {
    /// Reads a mind that was [saved](Minds::save_mind) then; gives what it is now, and its former
    /// type and goal. `None` for a mind whose type is gone.
    ///
    /// # Errors
    ///
    /// The bytes are no mind of that version.
    pub fn mind(&mut self, bytes: &[u8]) -> Result<(Option<Mind>, FormerKind), ReadError> {
        let mut from = saved::open_mind(bytes)?;
        from.limit_symbols(self.former.n_words());
        let mind = Mind::decode(&mut from, self.former.file(), self.now)?;
        from.sound((), (1..=self.last).contains(&mind.id.0), "number of a mind")?;
        from.finish()?;
        let kind = FormerKind { npc: mind.npc };
        cancel_orders(&mind, &mut self.cancelled);
        let Moving { former, spec, losses, now, .. } = self;
        Ok((former.carry_mind(mind, spec, *now, losses), kind))
    }

    /// A mind as the file in force has it, as [`Minds::save_mind`] would give it.
    pub fn save_mind(&self, mind: &Mind) -> Vec<u8> {
        saved::mind_bytes(mind, &self.spec)
    }

    /// The same message now; nothing of orders, which have ended.
    pub fn message(&mut self, message: Message) -> Option<Message> {
        carry_message(message, self.former.former(), &mut self.spec)
    }

    /// How many words there were.
    pub fn n_words(&self) -> u32 {
        self.former.n_words()
    }

    /// The variables of a former type, each with the number of its values.
    pub fn variables(&self, kind: FormerKind) -> impl Iterator<Item = (VariableId, usize)> {
        let names = &self.former.names;
        let all = names.npcs[kind.npc.index()].variables.iter();
        all.map(|&variable| (variable, names.variables[variable.index()].1.len()))
    }

    /// What a former variable is now.
    pub fn variable(&self, variable: VariableId) -> Option<VariableId> {
        self.spec.domain.map().find_variable(self.former.former().variable(variable))
    }

    /// What a value of a former variable is now.
    pub fn fact(&self, variable: VariableId, value: usize) -> Option<Fact> {
        let former = self.former.former();
        let now = self.variable(variable)?;
        let value = u16::try_from(value).ok().filter(|&value| value != UNKNOWN)?;
        match former.values(variable).carry(value, self.spec.domain.map(), now) {
            CarriedValue::Same(value) | CarriedValue::Nearest(value) => {
                Some(Fact { variable: now, value })
            }
            CarriedValue::Gone => None,
        }
    }

    /// What could not be carried over, and which orders of theirs are cancelled.
    pub fn finish(self) -> (Vec<Dropped>, Vec<IssuedOrder>) {
        (self.losses.told(), self.cancelled)
    }
}

/// A type of the former file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormerKind {
    npc: NpcTypeId,
}
