//! Counting, event by event.
//!
//! In:   ticks, the minds in each, their events.
//! Out:  [`Stats`].
//! Cost: one look-up per event; a reason for "no plan" costs its caller a plan.

use super::questions;
use super::selects::{self, HeldPick};
use super::{ActionStats, GoalStats, MindStats, SelectStats, Stats, TaskStats, TypeStats};
use std::collections::HashMap;
use throng_domain::model::{ActionId, GoalId, NpcTypeId};
use throng_mind::choose::Standing;
use throng_mind::events::{Activity, Event, EventKind};
use throng_mind::orders::MindId;
use throng_mind::spec::Spec;
use throng_mind::squad::{TaskEnd, TaskEvent};
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{Ending, Mind, Minds};

/// To say why there is no plan takes a plan: of a crowd without plans so many are asked.
const MOST_REASONS: u32 = 5_000;

/// So many stretches of time are counted apart: an hour by seconds, more in longer stretches.
const MOST_STRETCHES: usize = 3_600;

/// Counts what happens.
#[must_use]
pub struct Collector {
    stats: Stats,
    /// By mind and run: since when. A run is named again when it ends.
    runs: HashMap<(u32, u32), Tick>,
    /// How many reasons were told.
    reasons: u32,
    /// Kept for the next look at selections.
    held: Vec<HeldPick>,
}

impl Collector {
    /// Nothing counted yet, for minds of this spec.
    pub fn new(spec: &Spec) -> Collector {
        let of_type = TypeStats {
            actions: vec![ActionStats::default(); spec.actions.len()],
            flavours: vec![ActionStats::default(); spec.flavours.len()],
            besides: vec![ActionStats::default(); spec.besides.len()],
            goals: vec![GoalStats::default(); spec.goals.len()],
            selects: vec![SelectStats::default(); spec.selects.len()],
            ..TypeStats::default()
        };
        Collector {
            stats: Stats {
                pace: spec.pace,
                first: 0,
                last: 0,
                minds: Default::default(),
                types: vec![of_type; spec.npcs.len()],
                stretch: 1,
                tasks: Default::default(),
            },
            runs: HashMap::new(),
            reasons: 0,
            held: Vec::new(),
        }
    }

    /// Counts minds and their events after a tick.
    pub fn watch<W: ?Sized + Sync>(&mut self, minds: &Minds<W>) {
        self.tick(minds.now());
        for mind in minds.iter() {
            self.there(mind.id().0, mind.npc(), mind.goals().active());
        }
        self.look(minds);
        for &Event { at, mind: MindId(who), what } in minds.events() {
            self.see(at, who, what, minds.mind(MindId(who)), minds.spec());
        }
    }

    /// Counts an event of a mind; with the reason, if there was no plan.
    pub fn see(&mut self, at: Tick, who: u32, what: EventKind, mind: Option<&Mind>, spec: &Spec) {
        let known = self.stats.minds.get(&who).map(|known| known.npc);
        // Of a mind that came and went within the tick nothing is known.
        let Some(npc) = mind.map(Mind::npc).or(known) else { return };
        self.hear(at, who, npc, what, mind);
        selects::picked(&mut self.stats, npc, what, spec);
        if let (EventKind::NoPlan(_), Some(mind)) = (what, mind)
            && wants_something(mind)
            && self.reasons < MOST_REASONS
            && let Some(why) = mind.why_no_plan(spec, at)
            && let Some(own) = self.stats.types.get_mut(npc.index())
        {
            self.reasons += 1;
            *own.reasons.entry(without_seconds(&why)).or_default() += 1;
        }
    }

    /// Looks at what all minds have picked and asked after a tick, and at who has nothing to do.
    pub fn look<W: ?Sized + Sync>(&mut self, minds: &Minds<W>) {
        selects::look(&mut self.stats, minds, &mut self.held);
        questions::look(&mut self.stats, minds);
    }

    /// A tick begins.
    pub fn tick(&mut self, now: Tick) {
        if self.stats.first == 0 {
            self.stats.first = now;
        }
        self.stats.last = now;
    }

    /// A mind is there in this tick, and pursues this goal.
    pub fn there(&mut self, who: u32, npc: NpcTypeId, goal: Option<GoalId>) {
        let Some(own) = self.stats.types.get_mut(npc.index()) else { return };
        let mind = self.stats.minds.entry(who).or_insert_with(|| {
            own.minds += 1;
            MindStats { npc, ticks: 0, plans: 0, no_plans: 0 }
        });
        mind.ticks += 1;
        own.ticks += 1;
        match goal.and_then(|goal| own.goals.get_mut(goal.index())) {
            Some(goal) => goal.ticks += 1,
            None => own.idle += 1,
        }
    }

    /// Counts an event of this mind; `None`: it has ended.
    fn hear(&mut self, at: Tick, who: u32, npc: NpcTypeId, what: EventKind, mind: Option<&Mind>) {
        let plan = mind.map_or(&[][..], |mind| mind.plan().steps());
        let wants = mind.is_none_or(wants_something);
        let stretch = self.stretch_of(at);
        let Some(own) = self.stats.types.get_mut(npc.index()) else { return };
        let counts = self.stats.minds.get_mut(&who);
        match what {
            EventKind::Goal(goal) => {
                let goal = goal.and_then(|goal| own.goals.get_mut(goal.index()));
                goal.into_iter().for_each(|goal| goal.chosen += 1);
            }
            EventKind::Planned { cause, goal, steps } => {
                *own.causes.entry(cause).or_default() += 1;
                own.plans += 1;
                counts.into_iter().for_each(|mind| mind.plans += 1);
                own.goals.get_mut(goal.index()).into_iter().for_each(|goal| goal.plans += 1);
                *at_least(&mut own.lengths, usize::from(steps)) += 1;
                *at_least(&mut own.plans_over_time, stretch) += 1;
                // A plan that was dropped in the same tick is not there any more.
                for action in plan.iter().filter(|_| plan.len() == usize::from(steps)) {
                    count(own, *action, |counts| counts.planned += 1);
                }
            }
            EventKind::NoPlan(cause) => {
                *own.causes.entry(cause).or_default() += 1;
                own.content += u64::from(!wants);
                own.no_plans += u64::from(wants);
                counts.into_iter().for_each(|mind| mind.no_plans += u64::from(wants));
            }
            EventKind::Started { run, doing, .. } => {
                self.runs.insert((who, run), at);
                let of = of_doing(own, doing);
                of.into_iter().for_each(|counts| {
                    counts.started += 1;
                    counts.otherwise += u64::from(matches!(doing, Activity::Otherwise(_)));
                });
            }
            EventKind::Ended { run, doing, how } => {
                let since = self.runs.remove(&(who, run)).unwrap_or(at);
                let of = of_doing(own, doing);
                of.into_iter().for_each(|counts| {
                    counts.ticks += u64::from(at.saturating_sub(since));
                    let (times, at) = match how {
                        Ending::Done => (&mut counts.done, 0),
                        Ending::Failed(_) => (&mut counts.failed, 1),
                        Ending::Cancelled => (&mut counts.cancelled, 2),
                    };
                    *times += 1;
                    counts.otherwise_ends[at] += u64::from(matches!(doing, Activity::Otherwise(_)));
                });
            }
            EventKind::Skipped(action) => count(own, action, |counts| counts.skipped += 1),
            EventKind::NoEffect(action) => count(own, action, |counts| counts.no_effect += 1),
            EventKind::Doubted(action) => count(own, action, |counts| counts.doubted += 1),
            EventKind::Learnt(action) => count(own, action, |counts| counts.learnt += 1),
            EventKind::Waits(_) => own.waits += 1,
            _ => {}
        }
    }

    /// The stretch of time that a moment is in. If there would be too many, all become twice as
    /// long first.
    fn stretch_of(&mut self, at: Tick) -> usize {
        let Stats { pace, first, types, stretch, .. } = &mut self.stats;
        let second = at.saturating_sub(*first) / pace.ticks_per_second.max(1);
        while (second / *stretch) as usize >= MOST_STRETCHES {
            *stretch *= 2;
            for own in types.iter_mut() {
                let pairs = own.plans_over_time.chunks(2);
                own.plans_over_time = pairs.map(|pair| pair.iter().sum()).collect();
            }
        }
        (second / *stretch) as usize
    }

    /// Something happened to a task of a squad of this type.
    pub fn task(&mut self, squad: NpcTypeId, what: Word, event: TaskEvent) {
        let counts: &mut TaskStats = self.stats.tasks.entry((squad, what)).or_default();
        let times = match event {
            TaskEvent::Given => &mut counts.given,
            TaskEvent::Told => return,
            TaskEvent::Ended(TaskEnd::Done) => &mut counts.done,
            TaskEvent::Ended(TaskEnd::Refused) => &mut counts.refused,
            TaskEvent::Ended(TaskEnd::Cancelled) => &mut counts.cancelled,
            TaskEvent::Ended(TaskEnd::TimedOut) => &mut counts.timed_out,
            TaskEvent::Ended(TaskEnd::Dead) => &mut counts.dead,
            TaskEvent::Ended(TaskEnd::Failed(_)) => &mut counts.failed,
        };
        *times += 1;
    }

    /// What was counted.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// What was counted, at the end.
    pub fn finish(self) -> Stats {
        self.stats
    }
}

/// Whether some goal of a mind matters and does not hold.
fn wants_something(mind: &Mind) -> bool {
    let idle = |standing| matches!(standing, Standing::Satisfied | Standing::Irrelevant);
    mind.goals().all().iter().any(|goal| !idle(goal.standing))
}

fn of_doing(own: &mut TypeStats, doing: Activity) -> Option<&mut ActionStats> {
    match doing {
        Activity::Step(action) | Activity::Otherwise(action) => own.actions.get_mut(action.index()),
        Activity::Flavour(flavour) => own.flavours.get_mut(usize::from(flavour)),
        Activity::Beside(beside) => own.besides.get_mut(usize::from(beside)),
    }
}

fn count(own: &mut TypeStats, action: ActionId, add: impl FnOnce(&mut ActionStats)) {
    if let Some(counts) = own.actions.get_mut(action.index()) {
        add(counts);
    }
}

/// The place in a list, which grows until it has it.
fn at_least<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}

/// `tried again in 2.4 s` becomes `tried again in … s`: seconds that are left would make a reason of
/// its own of every moment.
fn without_seconds(text: &str) -> String {
    let words = text.split(' ').collect::<Vec<_>>();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut told = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let of_seconds = words
            .get(at + 1)
            .is_some_and(|next| next.trim_end_matches([')', ';', ',', '.']) == "s");
        told.push(if is_number(word) && of_seconds { "…" } else { word });
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_domain::formats::no_includes;
    use throng_domain::{Format, Limits, load};
    use throng_mind::Body;
    use throng_mind::events::Cause;
    use throng_mind::fact::EntityId;
    use throng_mind::time::Pace;
    use throng_planner::PreparedDomain;

    const YARD: &str = "domain yard
var door: shut, open
var hay: away, here
action open: door -> open takes 1
action kick: door -> open cost 3
action fetch: hay -> here while door = open takes 2
action rest: takes 1
goal feed: hay = here
npc Hand
    can open, kick, fetch, rest
    wants feed
    starts door = shut, hay = away
    otherwise rest
npc Guest
    can rest
    wants feed
    starts door = shut, hay = away
";

    /// A hand and a guest live for six seconds; there is no code for anything.
    fn lived() -> (Stats, Spec) {
        let loaded = load(
            "yard.npc",
            YARD,
            Format::Npc,
            &Limits::default(),
            &throng_mind::notes::WORDS,
            &mut no_includes,
        );
        let model = loaded.model.unwrap_or_default();
        let domain = Arc::new(PreparedDomain::new(&model));
        let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 });
        let spec = spec.unwrap_or_else(|report| panic!("{report:?}"));
        let minds = Minds::<()>::new(spec.clone(), Body::new(), 1);
        let mut minds = minds.unwrap_or_else(|missing| panic!("{missing}"));
        let npcs: Vec<NpcTypeId> = spec.domain.npcs().iter().map(|npc| npc.id()).collect();
        npcs.iter().for_each(|&npc| _ = minds.spawn(npc, EntityId(1)));
        let mut collector = Collector::new(&spec);
        for now in 1..=60 {
            minds.tick(&(), now);
            collector.watch(&minds);
        }
        (collector.finish(), spec)
    }

    #[test]
    fn what_a_hand_did_is_counted() {
        let (stats, spec) = lived();
        let hand = &stats.types[0];
        assert_eq!((hand.minds, hand.ticks, hand.plans), (1, 60, 1));
        assert_eq!(hand.lengths, [0, 0, 1]);
        let [open, kick, fetch, rest] = &hand.actions[..] else { panic!("four actions") };
        assert_eq!((open.planned, open.started, open.done, open.ticks), (1, 1, 1, 10));
        assert_eq!((fetch.planned, fetch.done, fetch.ticks), (1, 1, 20));
        assert_eq!(*kick, ActionStats::default());
        assert!(rest.otherwise > 1 && rest.planned == 0 && rest.started == rest.otherwise);
        // What ended without being a step is known apart, for who draws steps only.
        assert_eq!(rest.otherwise_ends, [rest.done, rest.failed, rest.cancelled]);
        assert_eq!(open.otherwise_ends, [0; 3]);
        let can = spec.domain.npcs()[0].actions();
        let never = stats.never_used(spec.domain.npcs()[0].id(), can);
        assert_eq!(never, [can[1]]);
        assert_eq!(hand.causes.get(&Cause::NothingToDo), Some(&1));
        // When the hay is there he asks once more, and wants nothing.
        assert_eq!((hand.no_plans, hand.content), (0, 1));
        assert_eq!((hand.goals[0].chosen, hand.goals[0].plans), (1, 1));
        // Somebody always pursues something or nothing.
        assert_eq!(hand.goals[0].ticks + hand.idle, hand.ticks);
        assert!((stats.rate_of_type(hand) - 1.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn reasons_are_counted_where_there_is_no_plan() {
        let (stats, _) = lived();
        let guest = &stats.types[1];
        assert_eq!((guest.plans, guest.mean_length(), guest.longest()), (0, 0.0, 0));
        assert!(guest.no_plans > 0);
        let (why, count) = guest.reasons.iter().next().unwrap_or_else(|| panic!("a reason"));
        assert!(why.contains("`feed`") && why.contains("hay"), "{why}");
        assert_eq!(*count, guest.no_plans);
    }

    /// Ticks as they are seen of a mind that makes a plan in each of them.
    fn planning_at(ticks: &[Tick]) -> Stats {
        let (_, spec) = lived();
        let (npc, mut collector) = (spec.domain.npcs()[0].id(), Collector::new(&spec));
        let goal = spec.domain.npcs()[0].goals()[0];
        for &at in ticks {
            collector.tick(at);
            collector.there(1, npc, None);
            let what = EventKind::Planned { cause: Cause::NothingToDo, goal, steps: 1 };
            collector.see(at, 1, what, None, &spec);
        }
        collector.finish()
    }

    #[test]
    fn time_is_counted_from_the_first_tick_that_is_seen() {
        // As the last thirty seconds of the fifth hour are, and a game that began late.
        for first in [1, 180_000, 1 << 31] {
            let stats = planning_at(&[first, first + 9, first + 10, first + 25]);
            assert_eq!((&stats.types[0].plans_over_time[..], stats.stretch), (&[2, 1, 1][..], 1));
        }
    }

    #[test]
    fn long_times_are_counted_in_longer_stretches() {
        let hour = 36_000;
        let stats = planning_at(&[1, 5, 12, hour, hour + 2, 2 * hour + 2]);
        assert_eq!(stats.stretch, 4, "of two hours and a little");
        let plans = &stats.types[0].plans_over_time;
        assert_eq!((plans[0], plans[899], plans[900]), (3, 1, 1));
        let longest = planning_at(&[1, 11, u32::MAX - 1]);
        assert!(longest.types[0].plans_over_time.len() <= MOST_STRETCHES);
        for stats in [&stats, &longest] {
            let all: u32 = stats.types[0].plans_over_time.iter().sum();
            assert_eq!(u64::from(all), stats.types[0].plans, "none is lost");
        }
    }

    #[test]
    fn moments_do_not_make_reasons_of_their_own() {
        let text = "kick: it failed; it is tried again in 2.4 s) and 3 steps";
        let told = "kick: it failed; it is tried again in … s) and 3 steps";
        assert_eq!(without_seconds(text), told);
    }
}
