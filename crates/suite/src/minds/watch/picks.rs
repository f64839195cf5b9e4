//! What a mind has picked: told without a gap, never somebody else's, and fixed while it is named.
//!
//! In:   events about slots, what was planned before them, what others had.
//! Out:  nothing, or what is wrong.
//! Cost: a pass over the slots; where all is asked again, a walk over the facts of each selection.

use super::super::eyes::{Eyes, NOBODY};
use super::truth::{is_committed, is_unbroken};
use super::{Moment, Seen, Watch};
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, SlotId, ValueId, VariableId};
use throng_mind::Mind;
use throng_mind::condition::{AttributeTest, Ref};
use throng_mind::events::{Event, EventKind};
use throng_mind::fact::{Attribute, Value};
use throng_mind::memory::FactRef;
use throng_mind::select::{Claim, Key, PickReason};
use throng_mind::spec::{SelectSpec, Spec};
use throng_mind::time::{Tick, after};

/// What is known about the slots of one mind.
#[derive(Default)]
pub(super) struct Slots {
    /// What each holds, as events tell it.
    held: Vec<Key>,
    /// When each last lost something, and was not only outbid.
    lost: Vec<Tick>,
    /// Those that the plan and what is under way have as parameters, as of the last tick.
    pinned: Vec<bool>,
    /// What the run under way is about, by slot.
    about: Vec<(usize, Key)>,
    /// By selection: since when its `while` is known not to hold.
    off: Vec<Option<Tick>>,
}

impl Slots {
    pub(super) fn new(spec: &Spec) -> Slots {
        let (n, n_selects) = (spec.n_slots(), spec.selects.len());
        Slots {
            held: vec![Key::None; n],
            lost: vec![0; n],
            pinned: vec![false; n],
            about: Vec::new(),
            off: vec![None; n_selects],
        }
    }

    /// What it holds by now, if that changed without a word: facts are others after a reload.
    pub(super) fn carried(&mut self, mind: &Mind) {
        self.held = mind.picks().slots().iter().map(|pick| pick.key).collect();
        self.lets_go();
    }

    /// Nothing is planned or under way any more.
    pub(super) fn lets_go(&mut self) {
        self.pinned.fill(false);
        self.about.clear();
        self.off.fill(None);
    }

    /// Something may have changed out of sight.
    pub(super) fn knows_no_more(&mut self) {
        self.off.fill(None);
    }

    /// Whether something that the slots of a value held has been lost since a run began.
    pub(super) fn is_lost(
        &self,
        spec: &Spec,
        variable: VariableId,
        value: PackedValue,
        since: Tick,
    ) -> bool {
        slots_about(spec, variable, value).into_iter().any(|slot| self.lost[slot] > since)
    }
}

/// The slots that a value of a variable is about.
fn slots_about(spec: &Spec, variable: VariableId, value: PackedValue) -> Vec<usize> {
    let map = spec.domain.map();
    let index = |slot: SlotId| slot.index();
    let own = map.value_slot(variable, ValueId::at(value.into())).map(index);
    let symbol = spec.symbols.iter().find(|symbol| symbol.variable == variable);
    let asks = symbol.map_or(0, |symbol| symbol.asks);
    let asked = (0..spec.n_slots()).filter(|slot| asks >> slot & 1 == 1);
    own.into_iter().chain(map.variable_slot(variable).map(index)).chain(asked).collect()
}

/// The slots that are parameters of an action.
pub(super) fn parameters(spec: &Spec, action: ActionId) -> impl Iterator<Item = usize> {
    spec.domain.map().parameter_slots(action).iter().map(|(_, slot)| slot.index())
}

/// The slots that an action names in any way.
pub(super) fn named(spec: &Spec, action: ActionId) -> impl Iterator<Item = usize> {
    spec.domain.map().named_slots(action).into_iter().map(|slot| slot.index())
}

impl Watch {
    /// A slot holds something else.
    pub(super) fn picked(&mut self, spec: &Spec, event: &Event) -> Result<(), String> {
        let EventKind::Picked { slot, now, before, why, .. } = event.what else { return Ok(()) };
        let at = usize::from(slot);
        let held = std::mem::replace(&mut self.slots.held[at], now);
        if held != before || now == before {
            return Err(format!("{event:?}, and it held {held:?}"));
        }
        let is_outbid = matches!(why, PickReason::Better | PickReason::Shared);
        if before != Key::None && !is_outbid {
            self.slots.lost[at] = event.at;
        }
        if is_outbid && self.slots.pinned[at] {
            return Err(format!("{event:?}, and it was pinned"));
        }
        // What no rule speaks of does not follow by itself.
        for &variable in spec.domain.npc(self.npc).variables() {
            let value = self.values[variable.index()];
            let has_rule = spec.symbols.iter().any(|symbol| symbol.variable == variable);
            if value != UNKNOWN && !has_rule && slots_about(spec, variable, value).contains(&at) {
                self.values[variable.index()] = UNKNOWN;
            }
        }
        // What failed failed with another thing.
        let others = |action: &ActionId| !parameters(spec, *action).any(|slot| slot == at);
        self.absent.retain(|action, _| others(action));
        self.fails.retain(|action, _| others(action));
        Ok(())
    }

    /// After a tick: events told all, nothing that is under way is about another thing by now.
    pub(super) fn picks(&mut self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let Moment { spec, mind, .. } = *moment;
        let slots = mind.picks().slots();
        if slots.iter().map(|pick| pick.key).ne(self.slots.held.iter().copied()) {
            return Err(format!("holds {slots:?}, told of {:?}", self.slots.held));
        }
        for event in moment.events {
            let EventKind::Started { doing, .. } = event.what else { continue };
            let action = doing.action().into_iter();
            if let Some(slot) =
                action.flat_map(|it| named(spec, it)).find(|&it| !slots[it].is_bound())
            {
                return Err(format!("{event:?}, and slot {slot} is empty"));
            }
        }
        let run = mind.follow().run();
        let action = run.and_then(|run| run.doing.action());
        let now: Vec<(usize, Key)> = action
            .into_iter()
            .flat_map(|action| parameters(spec, action))
            .map(|slot| (slot, slots[slot].key))
            .collect();
        let is_new = run.is_some_and(|run| run.since == moment.now);
        let may_go_on = is_unbroken(moment) || is_committed(moment);
        let goes_on = run.is_some() && !is_new && !may_go_on;
        if goes_on && now != self.slots.about {
            return Err(format!("{run:?} is about {now:?}, and was about {:?}", self.slots.about));
        }
        self.slots.about = now;
        let plan = mind.plan();
        let rest = &plan.steps()[plan.at().min(plan.steps().len())..];
        let rest = plan.goal().map_or(&[][..], |_| rest);
        self.slots.pinned.fill(false);
        for slot in rest.iter().copied().chain(action).flat_map(|action| parameters(spec, action)) {
            self.slots.pinned[slot] = true;
        }
        let pinned =
            self.slots.pinned.iter().zip(slots).filter(|(is, pick)| **is && pick.is_bound());
        seen.add("pinned", pinned.count() as u64);
        seen.add("bound", slots.iter().filter(|pick| pick.is_bound()).count() as u64);
        Ok(())
    }

    /// What is picked is there to be picked, nobody else's, and once.
    pub(super) fn picks_are_true(
        &mut self,
        moment: &Moment<'_>,
        eyes: &Eyes<'_>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let Moment { spec, mind, now, .. } = *moment;
        for (at, select) in spec.selects.iter().enumerate() {
            let own = usize::from(select.slots.start)..usize::from(select.slots.end);
            let bound: Vec<_> = eyes.picks[own].iter().filter(|pick| pick.is_bound()).collect();
            for pick in &bound {
                let fact = mind.memory().get(pick.fact);
                let is_there = fact.is_some_and(|fact| {
                    // One that asks for itself was asked before it picked this.
                    let is_of = asks_itself(select) || eyes.is_of(&select.of, fact);
                    key(select, fact) == pick.key && is_of
                });
                if !is_there {
                    return Err(format!("{pick:?} is not there any more"));
                }
                if bound.iter().filter(|other| other.key == pick.key).count() > 1 {
                    return Err(format!("{pick:?} twice"));
                }
                if select.claims.is_some_and(|most| is_taken(moment.claims, pick.key, mind, most)) {
                    return Err(format!("{pick:?} is another's: {:?}", moment.claims));
                }
            }
            let is_on = select.during.as_ref().is_none_or(|during| eyes.holds(during, NOBODY));
            let off = if is_on { None } else { Some(self.slots.off[at].unwrap_or(now)) };
            self.slots.off[at] = off;
            // Values are known a tick later than what is picked by them.
            if off.is_some_and(|since| now >= after(since, select.every + 1)) {
                seen.add("off", 1);
                if !bound.is_empty() {
                    return Err(format!("{bound:?} while {off:?} is off"));
                }
            }
        }
        Ok(())
    }
}

/// Whether what may be picked depends on what the selection itself has picked.
fn asks_itself(select: &SelectSpec) -> bool {
    let is_own = |what: Ref| match what {
        Ref::Slots(first, n) => first < select.slots.end && select.slots.start < first + n,
        _ => false,
    };
    select.of.iter().flat_map(|pattern| &pattern.tests).any(|test| match *test {
        AttributeTest::Is(_, _, what) | AttributeTest::Within(_, what) => is_own(what),
        _ => false,
    })
}

/// What makes a fact be about what it is about.
fn key(select: &SelectSpec, fact: FactRef<'_>) -> Key {
    let key = |attribute| match fact.get(attribute)?.0 {
        Value::Entity(entity) => Some(Key::Entity(entity)),
        Value::Word(word) => Some(Key::Word(word)),
        Value::Number(number) => Some(Key::number(number)),
        Value::Position(_) => None,
    };
    let found = match select.by {
        Some(attribute) => key(attribute),
        None => key(Attribute::Object).or_else(|| key(Attribute::Node)),
    };
    found.unwrap_or(Key::Fact(fact.id()))
}

/// Whether as many others as may had something before the tick.
fn is_taken(claims: &[Claim], key: Key, mind: &Mind, most: u32) -> bool {
    let holders = || claims.iter().filter(|claim| claim.key == key);
    holders().all(|claim| claim.mind != mind.id()) && holders().count() >= most as usize
}

/// Whether a step is about something that is to be the mind's own and was not before the tick.
pub(super) fn waits_for_a_claim(moment: &Moment<'_>, action: ActionId) -> bool {
    let Moment { spec, mind, claims, .. } = *moment;
    spec.action(action).slots.iter().flatten().any(|&slot| {
        let select = spec.selects.iter().find(|select| select.slots.contains(&slot));
        let pick = mind.picks().get(slot.into()).filter(|pick| pick.key.can_be_claimed());
        let has_it = |key| claims.iter().any(|claim| (claim.key, claim.mind) == (key, mind.id()));
        select.is_some_and(|select| select.claims.is_some())
            && pick.is_some_and(|pick| !has_it(pick.key))
    })
}
