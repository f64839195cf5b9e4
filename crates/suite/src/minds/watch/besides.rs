//! Rules about what is done beside the step: it begins when the file says so, and no later; it ends
//! once; and no two things that are under way share a channel.
//!
//! In:   events, and a mind after a tick.
//! Out:  nothing, or what is wrong.

use super::super::eyes::Eyes;
use super::company::number;
use super::{Moment, Seen, Watch};
use crate::minds::eyes::NOBODY;
use std::collections::{BTreeMap, HashMap};
use throng_domain::model::NpcTypeId;
use throng_mind::Mind;
use throng_mind::body::Ending;
use throng_mind::channels::ChannelSet;
use throng_mind::events::Activity;
use throng_mind::spec::{BesideSpec, Spec};
use throng_mind::time::{Tick, after};

/// The action under way, as [`Watch`] knows it.
type Step = Option<(u32, Activity)>;

/// What is done beside, and when each may begin again.
#[derive(Default)]
pub(super) struct Beside {
    under_way: BTreeMap<u32, u16>,
    ready: HashMap<u16, Tick>,
}

fn channels(spec: &Spec, doing: Activity) -> ChannelSet {
    match doing {
        Activity::Step(action) | Activity::Otherwise(action) => spec.action(action).uses,
        Activity::Flavour(_) => ChannelSet::ALL,
        Activity::Beside(at) => spec.besides[usize::from(at)].uses,
    }
}

impl Beside {
    /// One of those under way.
    pub(super) fn any(&self) -> Option<u16> {
        self.under_way.values().next().copied()
    }

    /// How many are under way.
    pub(super) fn count(&self) -> u32 {
        self.under_way.len() as u32
    }

    pub(super) fn knows_no_more(&mut self) {
        self.ready.clear();
    }

    /// The channels that are taken.
    fn taken(&self, spec: &Spec, step: Step) -> ChannelSet {
        let own = self.under_way.values().map(|&at| channels(spec, Activity::Beside(at)));
        let step = step.map_or(ChannelSet::NONE, |(_, doing)| channels(spec, doing));
        own.fold(step, ChannelSet::and)
    }

    pub(super) fn begins(
        &mut self,
        spec: &Spec,
        npc: NpcTypeId,
        (run, at, now): (u32, u16, Tick),
        step: Step,
    ) -> Result<(), String> {
        let beside = &spec.besides[usize::from(at)];
        if !spec.npcs[npc.index()].besides.contains(&at) {
            return Err(format!("beside {at} is of another type"));
        }
        if self.taken(spec, step).meets(beside.uses) {
            return Err(format!("beside {at} begins while {step:?} and {:?}", self.under_way));
        }
        if self.ready.get(&at).is_some_and(|ready| now < *ready) {
            return Err(format!("beside {at} begins at {now}, before {:?}", self.ready.get(&at)));
        }
        self.under_way.insert(run, at);
        self.ready.insert(at, after(now, beside.every));
        Ok(())
    }

    pub(super) fn ends(
        &mut self,
        (run, at, now): (u32, u16, Tick),
        how: Ending,
        retry: Tick,
    ) -> Result<(), String> {
        if self.under_way.remove(&run) != Some(at) {
            return Err(format!("beside {at} was not under way"));
        }
        let rest = match how {
            Ending::Done => 1,
            Ending::Failed(_) => retry.max(1),
            Ending::Cancelled => 0,
        };
        let ready = self.ready.entry(at).or_default();
        *ready = after(now, rest).max(*ready);
        Ok(())
    }

    /// Something else begins: what has its channels has ended before.
    pub(super) fn makes_way(&self, spec: &Spec, doing: Activity) -> Result<(), String> {
        match self.taken(spec, None).meets(channels(spec, doing)) {
            true => Err(format!("{doing:?} begins, and {:?} goes on", self.under_way)),
            false => Ok(()),
        }
    }

    /// What can be asked says the same.
    pub(super) fn is_as_told(&self, spec: &Spec, mind: &Mind, step: Step) -> Result<(), String> {
        let mut shown: Vec<(u32, u16)> = Vec::new();
        for run in mind.follow().besides() {
            let Activity::Beside(at) = run.doing else { return Err(format!("{run:?} beside")) };
            shown.push((run.run, at));
        }
        shown.sort_unstable();
        if shown.iter().copied().ne(self.under_way.iter().map(|(run, at)| (*run, *at))) {
            return Err(format!("does {shown:?} beside, told of {:?}", self.under_way));
        }
        let all = step.into_iter().map(|(_, doing)| doing);
        let besides = shown.iter().map(|(_, at)| Activity::Beside(*at));
        let mut taken = ChannelSet::NONE;
        for doing in all.chain(besides) {
            let own = channels(spec, doing);
            if taken.meets(own) {
                return Err(format!("{doing:?} takes {own}, and {taken} are taken"));
            }
            taken = taken.and(own);
        }
        Ok(())
    }
}

impl Watch {
    /// What is under way is wanted, and what is wanted and could be under way is.
    pub(super) fn besides_are_true(
        &self,
        moment: &Moment<'_>,
        eyes: &Eyes<'_>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let Moment { spec, mind, now, .. } = *moment;
        for &at in &spec.npcs[mind.npc().index()].besides {
            let beside = &spec.besides[usize::from(at)];
            let is_wanted = beside.condition.as_ref().is_none_or(|it| eyes.holds(it, NOBODY));
            let mut groups = beside.slots.iter().flatten();
            let is_bound = groups.all(|&(first, n)| {
                (first..first + n).any(|slot| eyes.picks[usize::from(slot)].is_bound())
            });
            let [goes, may_go] = goes_with(spec, mind, beside);
            let between = mind.follow().run().is_none() && mind.plan().goal().is_some();
            if self.beside.under_way.values().any(|it| *it == at) {
                if !is_wanted || !is_bound || !may_go && !between {
                    return Err(format!("beside {at} goes on: {is_wanted}, {is_bound}, {may_go}"));
                }
                seen.add("under way beside", 1);
                continue;
            }
            let is_free = !self.beside.taken(spec, self.run).meets(beside.uses);
            let is_ready = self.beside.ready.get(&at).is_none_or(|ready| *ready <= now);
            let is_lucky = beside.chance.is_none_or(|chance| {
                let name = spec.words.text(beside.name);
                let at = u64::from(now / chance.per);
                number(moment.seed, self.id, name, at) < f64::from(chance.probability)
            });
            if is_wanted && is_bound && goes && is_free && is_ready && is_lucky {
                return Err(format!("beside {at} should be under way"));
            }
            seen.add("could be beside", u64::from(is_wanted && is_bound));
        }
        Ok(())
    }
}

/// Whether one of the actions that it goes with is surely under way, and whether it may be: which part
/// of a compound is, is not told.
fn goes_with(spec: &Spec, mind: &Mind, beside: &BesideSpec) -> [bool; 2] {
    let action = mind.follow().run().and_then(|run| run.doing.action());
    let goes = beside.with.is_empty() || action.is_some_and(|it| beside.with.contains(&it));
    let parts = action.map_or(&[][..], |action| &spec.action(action).parts);
    [goes, goes || parts.iter().any(|part| beside.with.contains(part))]
}
