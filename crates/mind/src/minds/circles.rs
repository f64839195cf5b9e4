//! What minds do to each other between ticks: what one tells, others know; what one has begun, the
//! others of its team leave alone for a while.
//!
//! In:   tellings and beginnings of a tick, in the order of the minds.
//! Out:  messages in others' inboxes, and events of it; the table of what cools for teams.
//! Cost: nothing if there are none; else a pass over the minds for each.
//!
//! Inside a tick the table is only read, and all of this happens on one thread: so it is the same
//! for any number of them. Nothing of it is recorded, for it follows from the tick.

use super::{MindError, Minds};
use crate::effects::{Begun, TeamCooling, Telling};
use crate::events::{Event, EventKind};
use crate::fact::FactDraft;
use crate::mind::Mind;
use crate::orders::{Message, MindId};
use crate::picks::Key;
use crate::tape::{MindCall, NO_MIND};
use std::mem::take;

impl<W: ?Sized + Sync> Minds<W> {
    /// The seed of all chance from now on; 0 in the beginning. The same seed gives the same lives.
    pub fn set_seed(&mut self, seed: u64) {
        if seed != self.seed {
            self.seed = seed;
            self.groups.iter_mut().flat_map(|group| &mut group.minds).for_each(look_anew);
            self.tape.door(NO_MIND, MindCall::Seed, |to| to.number(seed));
        }
    }

    /// Says which squad a mind is a member of, by the squad's own mind: whom `tells … to squad` and
    /// `cooldown … of squad` mean. [`Squads`](crate::squad::Squads) do so themselves.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn set_squad(&mut self, id: MindId, squad: Option<MindId>) -> Result<(), MindError> {
        let mind = self.mind_mut(id).ok_or(MindError::NoMind(id))?;
        if mind.squad != squad {
            mind.squad = squad;
            look_anew(mind);
            self.tape.door(id, MindCall::Squad, |to| _ = to.write(&squad));
        }
        Ok(())
    }

    /// Hands round what has been told and begun since it was last.
    pub(super) fn hand_round(&mut self) {
        // The lists are put back, so that the next ones need no room of their own.
        let mut tellings = take(&mut self.tellings);
        let mut letters = take(&mut self.letters);
        tellings.drain(..).for_each(|telling| self.hand(&telling, &mut letters));
        letters.sent = 0;
        (self.tellings, self.letters) = (tellings, letters);
        let mut begun = take(&mut self.begun);
        begun.drain(..).for_each(|begun| self.share_cooldown(&begun));
        self.begun = begun;
    }

    fn hand(&mut self, telling: &Telling, letters: &mut Letters) {
        let Telling { by, to, fact } = telling;
        let what = EventKind::Told { kind: fact.kind, about: Key::of(fact), by: by.mind };
        // What senses tell of somebody is nothing to tell himself: to him it would be another. What the
        // file says may be meant for him: a greeting.
        let about = Key::of(fact).entity().filter(|_| !self.spec.is_own_kind(fact.kind));
        let Some(team) = by.team(to.circle) else { return };
        let (at, events) = (self.now, &mut self.events);
        let all = self.groups.iter_mut().flat_map(|group| &mut group.minds);
        for mind in all.filter(|mind| mind.id != by.mind && Some(mind.me) != about) {
            let is_near = to.within.is_none_or(|far| is_within(by.here, mind.here, far));
            if is_near && team.has(mind.squad, mind.side) {
                events.push(Event { at, mind: mind.id, what });
                // Who hears the same twice does not know two.
                mind.take_in(Message::Retold(letters.write(fact)));
            }
        }
    }

    fn share_cooldown(&mut self, begun: &Begun) {
        let &Begun { by, template, of, until } = begun;
        let Some(team) = by.team(of) else { return };
        let now = self.now;
        self.cooling.retain(|it| it.until > now);
        let same = |it: &&mut TeamCooling| it.of == team && it.template == template;
        if let Some(first) = self.cooling.iter_mut().find(|it| same(it) && it.since == now) {
            first.until = first.until.max(until);
            if first.by != by.mind
                && let Some(mind) = self.mind_mut(by.mind)
            {
                mind.state.lose(template);
                mind.wake = 0;
            }
            return;
        }
        self.cooling.retain(|it| it.of != team || it.template != template || it.by != by.mind);
        self.cooling.push(TeamCooling { of: team, template, until, by: by.mind, since: now });
        let all = self.groups.iter_mut().flat_map(|group| &mut group.minds);
        let others = all.filter(|mind| mind.id != by.mind && team.has(mind.squad, mind.side));
        others.for_each(look_anew);
    }
}

/// Room for facts that are told: what has been read is written over, so that minds who tell each
/// other as much as before take no more of it.
#[derive(Default)]
pub(super) struct Letters {
    read: Vec<Message>,
    /// How many were sent in this tick, and the most in any: so many are kept.
    sent: usize,
    most: usize,
}

impl Letters {
    fn write(&mut self, fact: &FactDraft) -> Box<FactDraft> {
        self.sent += 1;
        self.most = self.most.max(self.sent);
        match self.read.pop() {
            Some(Message::Told(mut letter) | Message::Retold(mut letter)) => {
                *letter = *fact;
                letter
            }
            _ => Box::new(*fact),
        }
    }

    /// Takes what has been read.
    pub(super) fn take_back(&mut self, read: &mut Vec<Message>) {
        let wanted = self.most.saturating_sub(self.read.len());
        self.read.extend(read.drain(..).take(wanted));
    }
}

fn look_anew(mind: &mut Mind) {
    mind.state.look_anew();
    mind.wake = 0;
}

fn is_within(one: [f32; 3], two: [f32; 3], far: f32) -> bool {
    let square = one.iter().zip(&two).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
    square.sum::<f64>().sqrt() <= f64::from(far)
}
