//! What was counted of selections: how long they held something, and why not.
//!
//! In:   minds after each tick; events of slots.
//! Out:  a [`SelectStats`] for each type and selection.
//! Cost: a look at every slot of every mind a tick; for those that are empty, at the facts that
//!       might have been picked.

use super::Stats;
use throng_domain::model::NpcTypeId;
use throng_mind::Minds;
use throng_mind::events::EventKind;
use throng_mind::inspect::EmptyReason;
use throng_mind::orders::MindId;
use throng_mind::select::{Key, PickReason};
use throng_mind::spec::Spec;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// One selection of a type; ticks are those of all minds together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelectStats {
    /// The ticks in which it held something.
    pub held: u64,
    /// The ticks in which it held nothing, by reason, in the order of [`EmptyReason::ALL`].
    pub empty: [u64; EmptyReason::ALL.len()],
    /// How often a slot exchanged what it held for something else.
    pub switches: u64,
    /// Of these, because something was better, or others had it before.
    pub outbid: u64,
    /// How often a slot lost what it held because another had claimed it.
    pub taken: u64,
    /// Of a selection of one: the ticks in which a mind held what another of its side had picked
    /// before.
    pub doubled: u64,
}

impl SelectStats {
    /// The ticks in which it held nothing for a reason.
    pub fn empty_for(&self, why: EmptyReason) -> u64 {
        let at = EmptyReason::ALL.iter().position(|known| *known == why);
        at.map_or(0, |at| self.empty[at])
    }

    /// The ticks in which it held nothing.
    pub fn empty_ticks(&self) -> u64 {
        self.empty.iter().sum()
    }

    /// The ticks in which it held nothing though something was known that might have been picked.
    pub fn empty_though_known(&self) -> u64 {
        let all = EmptyReason::ALL.into_iter().zip(self.empty);
        all.filter(|(why, _)| why.is_known()).map(|(_, ticks)| ticks).sum()
    }

    /// Whether there is anything to tell: it held something, or something was known.
    pub fn is_used(&self) -> bool {
        self.held + self.switches + self.taken + self.empty_though_known() > 0
    }
}

/// What one mind has picked: selection, side, thing; then who came first.
pub(super) type HeldPick = ((usize, Word, Key), (Tick, MindId), NpcTypeId);

/// Looks at the selections of all minds after a tick. `held` is kept for the next time.
pub(super) fn look<W: ?Sized + Sync>(
    stats: &mut Stats,
    minds: &Minds<W>,
    held: &mut Vec<HeldPick>,
) {
    held.clear();
    for mind in minds.iter() {
        let Some(own) = stats.types.get_mut(mind.npc().index()) else { continue };
        if let Some(why) = mind.idles(minds.spec(), minds.now()) {
            *own.idle_reasons.entry(why).or_default() += 1;
        }
        for (at, select) in minds.spec().selects.iter().enumerate() {
            let Some(counts) = own.selects.get_mut(at) else { continue };
            let slots = usize::from(select.slots.start)..usize::from(select.slots.end);
            let slots = mind.picks().slots().get(slots).unwrap_or_default();
            match minds.why_empty(mind.id(), select.select) {
                None => counts.held += 1,
                Some(why) => {
                    let at = EmptyReason::ALL.iter().position(|known| *known == why);
                    at.into_iter().for_each(|at| counts.empty[at] += 1);
                }
            }
            // Facts are one mind's own; of the best few several may think alike.
            if let [pick] = slots
                && pick.key.can_be_claimed()
            {
                held.push(((at, mind.side(), pick.key), (pick.since, mind.id()), mind.npc()));
            }
        }
    }
    held.sort_unstable();
    for pair in held.windows(2) {
        let [(first, ..), (second, _, npc)] = pair else { continue };
        let own = stats.types.get_mut(npc.index()).filter(|_| first == second);
        let counts = own.and_then(|own| own.selects.get_mut(second.0));
        counts.into_iter().for_each(|counts| counts.doubled += 1);
    }
}

/// Counts that a slot holds something else.
pub(super) fn picked(stats: &mut Stats, npc: NpcTypeId, what: EventKind, spec: &Spec) {
    let EventKind::Picked { slot, now, before, why, .. } = what else { return };
    let at = spec.selects.iter().position(|select| select.slots.contains(&slot));
    let own = stats.types.get_mut(npc.index());
    let Some(counts) = own.zip(at).and_then(|(own, at)| own.selects.get_mut(at)) else { return };
    let is_switch = now != Key::None && before != Key::None;
    counts.switches += u64::from(is_switch);
    let is_outbid = matches!(why, PickReason::Better | PickReason::Shared);
    counts.outbid += u64::from(is_switch && is_outbid);
    counts.taken += u64::from(why == PickReason::Taken);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Collector;
    use std::sync::Arc;
    use throng_domain::formats::no_includes;
    use throng_domain::{Format, Limits, load};
    use throng_mind::body::{Body, Sensing, Work};
    use throng_mind::fact::{Attribute, EntityId};
    use throng_mind::inspect::{IdleReason, LeftOut};
    use throng_mind::time::Pace;
    use throng_planner::PreparedDomain;

    const WATCH: &str = "domain watch
var x: a, b
select target: one of thing
    where amount of it < 5
    while x = a
select spot: best 2 of thing
action go: x a -> b
goal g: x = b   relevance if target(amount > 9)
npc guard
    can go
    wants g
    starts x = a
sensor eyes: every 0.1 keeps 0.1
";

    /// What two guards see from a tick on: a thing, and its amount.
    type Seen = Vec<(Tick, u64, f32)>;

    fn eyes(sensing: &mut Sensing<'_, Seen>) -> Work {
        let seen = sensing.world.iter().rev().find(|(from, ..)| *from <= sensing.now);
        if let Some(&(_, thing, amount)) = seen.filter(|(_, thing, _)| *thing > 0) {
            let fact = sensing.fact("thing").with(Attribute::Object, EntityId(thing), 1.0);
            sensing.remember_one(fact.with(Attribute::Amount, amount, 1.0), &[Attribute::Object]);
        }
        sensing.forget_the_rest();
        Work::Light
    }

    /// Two guards see this for ten seconds.
    fn lived(seen: &Seen) -> Stats {
        let words = &throng_mind::notes::WORDS;
        let limits = &Limits::default();
        let loaded = load("w.npc", WATCH, Format::Npc, limits, words, &mut no_includes);
        let model = loaded.model.unwrap_or_default();
        let domain = Arc::new(PreparedDomain::new(&model));
        let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 });
        let spec = spec.unwrap_or_else(|report| panic!("{report:?}"));
        let minds = Minds::new(spec.clone(), Body::new().sensor("eyes", eyes), 1);
        let mut minds = minds.unwrap_or_else(|missing| panic!("{missing}"));
        (1..=2).for_each(|me| _ = minds.spawn("guard", EntityId(me)));
        let mut collector = Collector::new(&spec);
        for now in 1..=100 {
            minds.tick(seen, now);
            collector.watch(&minds);
        }
        collector.finish()
    }

    #[test]
    fn what_was_picked_and_why_nothing_was_is_counted() {
        // Nothing, a thing, another, one that its `where` leaves out.
        let stats = lived(&vec![(1, 0, 0.0), (21, 7, 1.0), (51, 8, 1.0), (81, 8, 9.0)]);
        let [target, spot] = stats.types[0].selects[..] else { panic!("two selections") };
        let far = EmptyReason::LeftOut(LeftOut::Filter);
        assert_eq!(target.empty_for(EmptyReason::Unknown), 2 * 20);
        // It is kept a little after it fails, and looked at every tenth of a second.
        assert!((36..=40).contains(&target.empty_for(far)), "{target:?}");
        assert_eq!(target.held + target.empty_ticks(), 2 * 100);
        assert_eq!(target.empty_though_known(), target.empty_ticks() - 2 * 20);
        assert_eq!((target.switches, target.outbid, target.taken), (2, 0, 0));
        // The second of the two is one too many, all the time.
        assert_eq!(target.doubled, target.held / 2);
        assert_eq!((spot.doubled, spot.empty_for(EmptyReason::Unknown)), (0, 2 * 20));
        let idle = &stats.types[0].idle_reasons;
        assert_eq!(idle.get(&IdleReason::NothingMatters), Some(&200), "{idle:?}");
    }

    #[test]
    fn nothing_is_told_of_a_selection_that_had_nothing_to_pick() {
        let stats = lived(&vec![]);
        assert!(stats.types[0].selects.iter().all(|counts| !counts.is_used()));
    }
}
