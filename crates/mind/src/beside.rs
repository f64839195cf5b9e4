//! What a mind does beside the step of its plan, as it stands: at most one thing for each channel.
//!
//! In:   what the file says with `beside`, and what [`tick`](crate::tick) makes of it.
//! Out:  plain data: what is under way, its orders, and when each may begin again.
//! Cost: for types that have none an empty list; else a place for each channel.
//!
//! Something that takes several channels has its place at the first of them. No two things that are
//! under way share a channel, so no two want one place.

use crate::blackboard::{GivenOrders, OrderState};
use crate::channels::{Channel, ChannelSet};
use crate::events::Activity;
use crate::known::Known;
use crate::orders::OrderId;
use crate::run::{AskAgain, Run};
use crate::seldom::Empty;
use crate::spec::Spec;
use crate::time::{NEVER, Tick};
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_domain::model::NpcTypeId;

/// A place for something that is under way.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Lane {
    pub(crate) run: Option<Run>,
    /// An order of it has ended since it was last asked.
    pub(crate) news: bool,
    pub(crate) given: GivenOrders,
}

impl Empty for Besides {
    fn empty() -> &'static Self {
        const { &Besides::nothing() }
    }
}

impl Default for Besides {
    fn default() -> Self {
        Besides::nothing()
    }
}

/// What is done beside the step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Besides {
    /// By channel; empty for types that have none.
    pub(crate) lanes: Vec<Lane>,
    /// By position among those of the type: when each may begin again.
    pub(crate) ready: Vec<Tick>,
    /// When one of them may begin or must end for no other reason than that time has passed.
    pub(crate) wake: Tick,
}

impl Besides {
    /// Of a type that has none: there is nothing to wake for.
    const fn nothing() -> Self {
        Besides { lanes: Vec::new(), ready: Vec::new(), wake: NEVER }
    }

    /// Nothing is under way yet.
    pub(crate) fn new(spec: &Spec, npc: NpcTypeId) -> Self {
        let own = spec.npcs.get(npc.index()).map_or(&[][..], |npc| &npc.besides);
        let lanes = if own.is_empty() { 0 } else { Channel::ALL.len() };
        Besides { lanes: vec![Lane::default(); lanes], ready: vec![0; own.len()], wake: NEVER }
    }

    /// Something begins: where anything of the type ever is there is room for orders from now on.
    pub(crate) fn take_room(&mut self, spec: &Spec, npc: NpcTypeId) {
        for lane in spec.npcs[npc.index()].besides.iter().filter_map(|&at| lane_of(spec, at)) {
            if let Some(lane) = self.lanes.get_mut(lane) {
                lane.given.take_room();
            }
        }
    }

    /// What is under way.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.lanes.iter().filter_map(|lane| lane.run.as_ref())
    }

    /// The channels that are taken by what is under way.
    pub(crate) fn taken(&self, spec: &Spec) -> ChannelSet {
        self.runs().fold(ChannelSet::NONE, |all, run| all.and(channels_of(spec, run.doing)))
    }

    /// An order has ended; says whether it was one of these.
    pub(crate) fn report(&mut self, id: OrderId, state: OrderState) -> bool {
        let is_of = |lane: &mut Lane| {
            let is_own = lane.given.report(id, state);
            lane.news |= is_own;
            is_own
        };
        self.lanes.iter_mut().any(is_of)
    }

    /// When one of them is to be asked, may begin or must end.
    pub(crate) fn next_due(&self) -> Tick {
        let asked = self.runs().map(|run| match run.ask {
            AskAgain::Orders => NEVER,
            AskAgain::At(tick) | AskAgain::Over(tick) => tick,
        });
        asked.fold(self.wake, Tick::min)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let given: usize = self.lanes.iter().map(|lane| lane.given.heap_bytes()).sum();
        let lanes = self.lanes.capacity() * size_of::<Lane>();
        lanes + given + self.ready.capacity() * size_of::<Tick>()
    }
}

/// The channels that something takes: all, unless the file says otherwise.
pub(crate) fn channels_of(spec: &Spec, doing: Activity) -> ChannelSet {
    match doing {
        Activity::Step(action) | Activity::Otherwise(action) => spec.action(action).uses,
        Activity::Flavour(_) => ChannelSet::ALL,
        Activity::Beside(at) => {
            spec.besides.get(usize::from(at)).map_or(ChannelSet::ALL, |beside| beside.uses)
        }
    }
}

/// The place of something that is done beside: its first channel.
pub(crate) fn lane_of(spec: &Spec, at: u16) -> Option<usize> {
    let first = spec.besides.get(usize::from(at))?.uses.iter().next()?;
    Some(first as usize)
}

impl CodecIn<Known<'_>> for Besides {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let Besides { lanes, ready, wake } = self;
        to.write(ready).write(wake);
        for Lane { run, news, given } in lanes {
            to.write_in(run, known);
            if run.is_some() {
                to.write(news).write(given);
            }
        }
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let (ready, wake): (Vec<Tick>, Tick) = (from.read()?, from.read()?);
        let lanes = from.items(Channel::ALL.len(), |from| {
            let run: Option<Run> = from.read_in(known)?;
            let is_beside = run.is_none_or(|run| matches!(run.doing, Activity::Beside(_)));
            from.sound((), is_beside, "what is done beside")?;
            match run {
                None => Ok(Lane::default()),
                run => Ok(Lane { run, news: from.read()?, given: from.read()? }),
            }
        })?;
        let read = Besides { lanes, ready, wake };
        let fits = known.spec.is_none_or(|spec| read.fits(spec, known.npc));
        from.sound(read, fits, "what is done beside")
    }
}

impl Besides {
    /// Whether a mind of this type can do this: each in its place, and no two with one channel.
    fn fits(&self, spec: &Spec, npc: NpcTypeId) -> bool {
        let own = &spec.npcs[npc.index()].besides;
        let mut taken = ChannelSet::NONE;
        let is_own = self.lanes.iter().enumerate().all(|(lane, it)| match it.run {
            Some(Run { doing: doing @ Activity::Beside(at), .. }) => {
                let channels = channels_of(spec, doing);
                let is_free = !taken.meets(channels);
                taken = taken.and(channels);
                is_free && own.contains(&at) && lane_of(spec, at) == Some(lane)
            }
            Some(_) => false,
            None => true,
        });
        is_own && !own.is_empty() && self.ready.len() == own.len()
    }
}
