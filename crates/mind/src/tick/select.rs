//! Phase 4: what matters is picked.
//!
//! In:   the selections of the type, in the order in which they ask for each other; memory, what
//!       others have, what the plan names.
//! Out:  what each slot holds; beliefs about what it held, judged; events.
//! Cost: one comparison while nothing has changed; else what [`look`](crate::select) costs for the
//!       selections that are due.
//!
//! A selection is made anew when something that it asks for has changed and its time has come; at
//! once if a pick is no longer one of what it picks from, or is another's, and if a selection that it
//! asks for has picked something else: who has a new target knows in the same tick where to hide from
//! him. A pick that is only outbid waits for the time. Everything that can change an answer marks the selection or lowers
//! the moment to wake, so that a mind that sleeps picks as one that never does.

use super::{Context, MindTick};
use crate::condition::{Situation, Source};
use crate::events::{Activity, Event, EventKind};
use crate::memory::{FactRef, Memory};
use crate::mind::Mind;
use crate::picks::{Look, Made};
use crate::planning::Scratch;
use crate::select::{Chooser, Chosen, MOST_SLOTS, Pick, SlotSet};
use crate::spec::{SelectSpec, Spec};
use crate::time::{NEVER, Tick, after};
use crate::versions::Versions;
use throng_domain::model::NpcTypeId;

impl<W: ?Sized> MindTick<'_, W> {
    pub(super) fn select(&mut self, scratch: &mut Scratch) {
        let spec = self.context.spec;
        let own = &spec.npcs[self.mind.npc.index()].selects;
        if own.is_empty() {
            return;
        }
        self.mark();
        for &at in own {
            if self.is_to_be_made(at.into()) {
                self.make_selection(at.into(), scratch);
            }
        }
    }

    /// The slots that the plan's rest and what is under way have as parameters.
    pub(super) fn pins(&self) -> SlotSet {
        let spec = self.context.spec;
        let Mind { plan, follow, .. } = &*self.mind;
        let rest = plan.goal.map_or(&[][..], |_| &plan.steps[plan.at.min(plan.steps.len())..]);
        let run = follow.run.and_then(|run| run.doing.action());
        let named = rest.iter().copied().chain(run);
        named.fold(0, |all, action| all | spec.action(action).pins())
    }

    /// Marks the selections for which something has changed.
    fn mark(&mut self) {
        let spec = self.context.spec;
        let made = self.made();
        let before = std::mem::replace(&mut self.mind.picks.made, made);
        if before == made {
            return;
        }
        for (at, select) in spec.selects_of(self.mind.npc) {
            self.mind.picks.looks[at].pending |= select.is_touched(&before, &made);
        }
    }

    /// What selections are made of, as it is now, but for what is picked.
    pub(super) fn made(&self) -> Made {
        let spec = self.context.spec;
        let mind = &*self.mind;
        let own = &spec.npcs[mind.npc.index()];
        let state = if own.selects_read_state { mind.state.version() } else { 0 };
        let others = if own.selects_ask_others { self.context.others.version } else { 0 };
        let from = Versions::without_picks(spec, &self.situation());
        Made { from, state, others, pins: self.pins() }
    }

    /// Whether a selection is to be made anew in this tick.
    fn is_to_be_made(&mut self, at: usize) -> bool {
        let Context { spec, now, .. } = *self.context;
        let look = self.mind.picks.looks[at];
        let is_due = (look.pending || look.wake <= now) && look.due <= now;
        is_due || ((look.pending || look.gone <= now) && self.has_lost_one(&spec.selects[at], at))
    }

    /// Whether a pick is not one of what is picked from any more, or is another's.
    fn has_lost_one(&mut self, select: &SelectSpec, at: usize) -> bool {
        let (gone, lost) = gone(select, &self.situation());
        self.mind.picks.looks[at].gone = gone;
        let others = self.context.others;
        let taken = |pick: &Pick| {
            let most = select.claims.filter(|_| pick.is_bound());
            most.is_some_and(|most| others.is_taken(pick.key, self.mind.id, most))
        };
        lost || slots(&self.mind.picks.slots, select).iter().any(taken)
    }

    /// Makes a selection; one that asks for itself until nothing changes.
    fn make_selection(&mut self, at: usize, scratch: &mut Scratch) {
        let Context { spec, now, .. } = *self.context;
        let select = &spec.selects[at];
        let rounds = if select.reads_itself() { select.slots.len() } else { 1 };
        let mut wake = NEVER;
        for _ in 0..rounds {
            let situation = self.situation();
            let Mind { id, side, picks, .. } = &*self.mind;
            let chooser = Chooser {
                id: *id,
                side: *side,
                pins: picks.made.pins,
                others: self.context.others,
            };
            let chosen = select.choose(&situation, &chooser, &mut scratch.candidates);
            wake = chosen.wake;
            if !self.take_chosen(select, &chosen) {
                break;
            }
        }
        let (gone, _) = gone(select, &self.situation());
        let due = after(now, select.every);
        self.mind.picks.looks[at] = Look { due, wake, gone, pending: false };
    }

    /// Puts what was chosen into the slots; says whether one of them holds something else.
    fn take_chosen(&mut self, select: &SelectSpec, chosen: &Chosen) -> bool {
        let Context { spec, now, .. } = *self.context;
        let (mind, outbox) = (&mut *self.mind, &mut *self.outbox);
        let id = mind.id;
        let mut event = |what| outbox.events.push(Event { at: now, mind: id, what });
        let mut before = [Pick::default(); MOST_SLOTS];
        let held = slots(&mind.picks.slots, select);
        before.iter_mut().zip(held).for_each(|(to, pick)| *to = *pick);
        let new = &chosen.slots[..held.len()];
        let changes = |(one, two): (&Pick, &Pick)| one.key != two.key;
        let changing = before.iter().zip(new).zip(select.slots.clone());
        let changing: SlotSet =
            changing.filter(|(pair, _)| changes(*pair)).fold(0, |all, (_, slot)| all | 1 << slot);
        let other_facts = before.iter().zip(new).any(|(one, two)| one.fact != two.fact);
        if changing != 0 {
            let Mind { me, memory, senses, picks, state, here, follow, .. } = mind;
            find_again(select, memory, &mut picks.slots);
            let from = self.context.situation(memory, picks, &[], (*me, *here));
            let run = follow.run.filter(|run| matches!(run.doing, Activity::Step(_)));
            let doing = run.and_then(|run| run.doing.action());
            // What must not be broken goes on to its end.
            let doing = doing.filter(|&action| spec.action(action).parts.is_empty());
            if state.settle(spec, senses, &from, changing, doing, &mut event) {
                picks.fulfilled = run.map_or(0, |run| run.run);
            }
        }
        let start = usize::from(select.slots.start);
        self.mind.picks.slots[start..start + new.len()].copy_from_slice(new);
        for ((before, pick), slot) in before.iter().zip(new).zip(select.slots.clone()) {
            if before.key != pick.key {
                let score = (pick.score * 1000.0).round() as u16;
                let (now, before, why) = (pick.key, before.key, pick.why);
                event(EventKind::Picked { slot, now, before, score, why });
            }
        }
        if changing != 0 || other_facts {
            self.mind.picks.version += 1;
            let due = if changing != 0 { now } else { NEVER };
            let Mind { npc, picks, .. } = &mut *self.mind;
            mark_readers(spec, *npc, select, due, &mut picks.looks);
        }
        changing != 0 || other_facts
    }

    /// The slots that the mind wants for itself: the plan's rest names them, or it is there.
    pub(super) fn asks(&self) -> SlotSet {
        let spec = self.context.spec;
        let Mind { plan, state, .. } = &*self.mind;
        let rest = plan.goal.map_or(&[][..], |_| &plan.steps[plan.at.min(plan.steps.len())..]);
        let named = rest.iter().fold(0, |all, &action| all | spec.action(action).named);
        let mut all = named;
        for (variable, slots) in &spec.slot_values {
            let value = usize::from(state.values()[variable.index()]);
            if let Some(&Some(slot)) = slots.get(value) {
                all |= 1 << slot;
            }
        }
        all & spec.claimed_slots
    }
}

/// What one sensor has seen another may write anew, in a fact of its own: what a slot holds is
/// judged by that then.
fn find_again(select: &SelectSpec, memory: &Memory, slots: &mut [Pick]) {
    let own = usize::from(select.slots.start)..usize::from(select.slots.end);
    for pick in slots.get_mut(own).unwrap_or_default() {
        if pick.is_bound() && memory.get(pick.fact).is_none() {
            let kinds = select.of.iter().filter_map(|pattern| match pattern.source {
                Source::Own(kind) => Some(kind),
                _ => None,
            });
            let mut facts = kinds.flat_map(|kind| memory.of_kind(kind));
            let again = facts.find(|&fact| select.key(fact) == pick.key).map(FactRef::id);
            pick.fact = again.unwrap_or(pick.fact);
        }
    }
}

/// Those that ask for what this one has picked are to be made anew, by then at the latest.
fn mark_readers(spec: &Spec, npc: NpcTypeId, select: &SelectSpec, due: Tick, looks: &mut [Look]) {
    for (at, _) in spec.selects_of(npc).filter(|(_, other)| other.reads & select.own() != 0) {
        let look = &mut looks[at];
        (look.pending, look.due) = (true, look.due.min(due));
    }
}

fn slots<'p>(slots: &'p [Pick], select: &SelectSpec) -> &'p [Pick] {
    let own = usize::from(select.slots.start)..usize::from(select.slots.end);
    slots.get(own).unwrap_or_default()
}

/// When a pick may be gone, and whether one is.
fn gone(select: &SelectSpec, situation: &Situation<'_>) -> (u32, bool) {
    let mut wake = NEVER;
    let bound = slots(situation.picks.slots(), select).iter().filter(|pick| pick.is_bound());
    let mut is_gone = |pick: &Pick| {
        let fact = situation.memory.get(pick.fact);
        !fact.is_some_and(|fact| {
            select.key(fact) == pick.key && select.is_of(fact, situation, &mut wake)
        })
    };
    let mut lost = false;
    bound.for_each(|pick| lost |= is_gone(pick));
    (wake, lost)
}
