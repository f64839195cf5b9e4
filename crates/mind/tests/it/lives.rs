//! Lives with all that happens between minds: told facts, shared cooldowns, chance. They are the
//! same asleep or not, on any number of threads, from a save of any tick, and from a recording.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use crate::random_life::{Dice, TEXT, World, body};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use throng_domain::model::ActionId;
use throng_mind::AskRules;
use throng_mind::channels::ChannelSet;
use throng_mind::events::{Activity, Cause};
use throng_mind::memory::FactRef;
use throng_mind::prelude::*;

/// More than a group of minds, for threads to share; elsewhere fewer do.
const MANY: u32 = 70;
const FEW: u32 = 14;

fn minds(threads: usize, count: u32) -> Minds<World> {
    let mut minds = Minds::new(spec(TEXT), body(), threads).unwrap();
    minds.set_seed(11);
    for at in 0..count {
        minds.spawn(["one", "two"][at as usize % 2], EntityId(u64::from(at))).unwrap();
    }
    minds
}

/// What happens before a tick: the same for all that live it.
fn happens(minds: &mut Minds<World>, orders: &[IssuedOrder], now: Tick) {
    let mut dice = Dice::new(u64::from(now) << 8 | 7);
    for sent in orders.iter().filter(|sent| sent.order.is_reported()) {
        match dice.below(8) {
            0 => _ = minds.tell(sent.mind, Message::Failed(sent.id, Word::NONE)),
            1..=5 => _ = minds.tell(sent.mind, Message::Done(sent.id)),
            _ => {}
        }
    }
    for _ in 0..6 {
        let id = MindId(1 + dice.below(FEW as usize + 4) as u32);
        let side = minds.spec().words.find(["a", "b"][dice.below(2)]).unwrap();
        let squad = MindId(1 + dice.below(3) as u32);
        let fact = dice.fact(minds.spec()).keep(12);
        // Some of them have ended.
        match dice.below(9) {
            0 => _ = minds.tell(id, Message::Told(Box::new(fact))),
            1 => _ = minds.set_check(id, "open", dice.below(3) > 0),
            2 => _ = minds.set_place(id, dice.place()),
            3 | 4 => _ = minds.set_side(id, side),
            5 | 6 => _ = minds.set_squad(id, (dice.below(4) > 0).then_some(squad)),
            7 if dice.below(12) == 0 => minds.set_seed(dice.below(5) as u64),
            8 if dice.below(9) == 0 => {
                _ = minds.despawn(id, &7);
                _ = minds.spawn("one", EntityId(u64::from(id.0)));
            }
            _ => {}
        }
    }
}

/// Answers what was asked, at once, later, twice or never: the same for all that live it. Gives what
/// was taken.
fn answers(
    minds: &mut Minds<World>,
    open: &mut Vec<(QuestionId, Tick)>,
    now: Tick,
) -> Vec<QuestionId> {
    let mut dice = Dice::new(u64::from(now) << 8 | 9);
    for question in minds.questions() {
        // Those that were restored are asked again.
        if open.iter().all(|(id, _)| *id != question.id) {
            open.push((question.id, now + [0, 0, 1, 3, 30][question.id.number() as usize % 5]));
        }
    }
    let due: Vec<QuestionId> = open.iter().filter(|it| it.1 <= now).map(|it| it.0).collect();
    open.retain(|it| it.1 > now);
    let mut taken = Vec::new();
    for id in due {
        let mut dice = Dice::new(id.0 << 8 ^ u64::from(now));
        let way = Reply::Way { cost: 2.0, link: None, shut: dice.below(2) == 0, watched: false };
        let there = Reply::At([1.0, 2.0, 0.0]);
        let reply = [Reply::Yes, Reply::No, Reply::Amount(0.5), way, there][dice.below(5)];
        if minds.answer(id, reply) {
            assert!(!minds.answer(id, reply), "it has one end");
            taken.push(id);
        }
    }
    if dice.below(9) == 0 {
        minds.set_questions([None, Some(3), Some(1), Some(0)][dice.below(4)]);
    }
    taken
}

/// A life: the digest after each tick; `each` may put other minds in the place of these.
fn life(
    mut minds: Minds<World>,
    ticks: Tick,
    mut each: impl FnMut(&mut Minds<World>, Tick),
) -> Vec<u64> {
    let (mut orders, mut open) = (Vec::new(), Vec::new());
    let mut digests = Vec::new();
    for now in 1..ticks {
        happens(&mut minds, &orders, now);
        minds.tick(&7, now);
        orders = minds.orders().to_vec();
        if let Some(most) = minds.question_budget() {
            assert!(minds.questions().len() <= most as usize, "tick {now}");
        }
        digests.push(minds.digest());
        each(&mut minds, now);
        _ = answers(&mut minds, &mut open, now);
    }
    digests
}

#[test]
fn minds_that_never_sleep_live_the_same() {
    // Not `digest`, which tells when a mind wakes.
    fn shown(minds: &Minds<World>) -> Vec<(Vec<ActionId>, usize, Vec<u16>, usize)> {
        let each = minds.iter().map(|mind| {
            let plan = mind.plan();
            (plan.steps().to_vec(), plan.at(), mind.state().values().to_vec(), mind.memory().len())
        });
        each.collect()
    }
    let mut seen = Vec::new();
    life(minds(1, FEW), 300, |minds, _| {
        seen.push((shown(minds), minds.orders().to_vec(), minds.events().to_vec()))
    });
    let mut sleepless = minds(1, FEW);
    sleepless.never_sleep();
    let mut at = 0;
    life(sleepless, 300, |minds, now| {
        let (was, orders, events) = &seen[at];
        assert_eq!(minds.events(), events, "tick {now}");
        assert_eq!(minds.orders(), orders, "tick {now}");
        assert_eq!(&shown(minds), was, "tick {now}");
        at += 1;
    });
}

#[test]
fn minds_that_ask_all_rules_in_every_tick_live_the_same() {
    let partial = life(minds(1, FEW), 300, |_, _| {});
    let mut anew = minds(1, FEW);
    anew.ask_rules(AskRules::Always);
    let whole = life(anew, 300, |_, _| {});
    assert_eq!(partial.iter().zip(&whole).position(|(one, two)| one != two), None);
}

#[test]
fn any_number_of_threads_lives_the_same() {
    let one = life(minds(1, MANY), 120, |_, _| {});
    assert_eq!(one, life(minds(2, MANY), 120, |_, _| {}));
    assert_eq!(one, life(minds(4, MANY), 120, |_, _| {}));
}

#[test]
fn a_save_of_any_tick_goes_on_the_same() {
    let plain = life(minds(1, FEW), 300, |_, _| {});
    let saved = life(minds(1, FEW), 300, |own, _| {
        let bytes = own.save();
        let mut other = minds(1, 0);
        other.restore(&bytes).unwrap();
        assert_eq!((other.digest(), other.seed()), (own.digest(), own.seed()));
        assert_eq!(other.save(), bytes);
        *own = other;
    });
    // The orders of the last tick are taken before it is saved.
    assert_eq!(plain.iter().zip(&saved).position(|(one, two)| one != two), None);
}

#[test]
fn a_recording_lives_the_same_without_the_game() {
    let mut own = minds(1, FEW);
    let mut replayed = {
        let (sensors, behaviours) = own.code_names();
        Minds::for_replay(spec(TEXT), &sensors, &behaviours).unwrap()
    };
    replayed.restore(&own.save()).unwrap();
    own.record().unwrap();
    life(own, 300, |minds, now| {
        let entries = Arc::new(minds.entries().unwrap().clone());
        minds.forget_entries();
        replayed.replay(&entries, now, &mut Vec::new(), &mut || None).unwrap();
        assert_eq!(replayed.digest(), minds.digest(), "tick {now}");
        assert_eq!(replayed.seed(), minds.seed());
    });
}

/// What is under way in a mind, by the number of the run, with the channels that it takes.
type UnderWay = BTreeMap<(MindId, u32), (Activity, ChannelSet)>;

/// Takes events in: every run has one beginning and one end, and no two share a channel.
fn follow_runs(minds: &Minds<World>, events: &[Event], under_way: &mut UnderWay) {
    let channels = |doing: Activity| match doing {
        Activity::Step(action) | Activity::Otherwise(action) => minds.spec().action(action).uses,
        Activity::Beside(at) => minds.spec().besides[usize::from(at)].uses,
        Activity::Flavour(_) => ChannelSet::ALL,
    };
    for event in events {
        match event.what {
            EventKind::Started { run, doing, .. } => {
                let others = under_way.iter().filter(|((mind, _), _)| *mind == event.mind);
                let taken = others.fold(ChannelSet::NONE, |all, (_, (_, it))| all.and(*it));
                let own = channels(doing);
                assert!(!taken.meets(own), "{event:?} takes {own}, and {taken} are taken");
                assert!(under_way.insert((event.mind, run), (doing, own)).is_none(), "{event:?}");
            }
            EventKind::Ended { run, doing, .. } => {
                let was = under_way.remove(&(event.mind, run)).map(|(doing, _)| doing);
                assert_eq!(was, Some(doing), "{event:?}");
            }
            _ => {}
        }
    }
}

#[test]
fn every_run_ends_once_and_no_two_share_a_channel() {
    let mut minds = minds(1, FEW);
    let (mut orders, mut under_way, mut most) = (Vec::new(), UnderWay::new(), 0);
    for now in 1..600 {
        // What ends between ticks is told behind the events of the last one.
        let told = minds.events().len();
        happens(&mut minds, &orders, now);
        let between = minds.events()[told..].to_vec();
        follow_runs(&minds, &between, &mut under_way);
        minds.tick(&7, now);
        let events = minds.events().to_vec();
        follow_runs(&minds, &events, &mut under_way);
        for mind in minds.iter() {
            let runs = mind.follow().run().into_iter().chain(mind.follow().besides());
            let shown: Vec<u32> = runs.map(|run| run.run).collect();
            let told = under_way.keys().filter(|(id, _)| *id == mind.id()).map(|(_, run)| *run);
            let mut sorted = shown.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, told.collect::<Vec<u32>>(), "tick {now}");
            most = most.max(shown.len());
        }
        orders = minds.orders().to_vec();
    }
    assert!(most >= 3, "at most {most} things were done at once");
}

#[test]
fn every_question_ends_once_answered_or_dropped_or_with_its_mind() {
    let mut minds = minds(1, FEW);
    let (mut orders, mut out) = (Vec::new(), Vec::new());
    let mut open: BTreeMap<(MindId, u32), Tick> = BTreeMap::new();
    let mut answered: Vec<QuestionId> = Vec::new();
    let (mut ended, mut ends) = (BTreeSet::new(), [0; 3]);
    for now in 1..800 {
        happens(&mut minds, &orders, now);
        minds.tick(&7, now);
        orders = minds.orders().to_vec();
        let mut still = BTreeMap::new();
        for mind in minds.iter() {
            for it in mind.questions().open() {
                assert!(!ended.contains(&(mind.id(), it.number)), "it ends once");
                still.insert((mind.id(), it.number), it.since);
            }
        }
        for (&(mind, number), &since) in open.iter().filter(|(key, _)| !still.contains_key(key)) {
            let is_it = |id: &QuestionId| (id.mind(), id.number()) == (mind, number);
            let end = match minds.mind(mind) {
                None => 2,
                Some(_) if answered.iter().any(is_it) => 0,
                Some(_) => {
                    assert_eq!(now - since, 20, "open for two seconds");
                    1
                }
            };
            ends[end] += 1;
            assert!(ended.insert((mind, number)));
        }
        open = still;
        answered = answers(&mut minds, &mut out, now);
    }
    assert!(ends[0] > 500 && ends[1] > 100 && ends[2] > 3, "{ends:?}");
}

/// Nothing above is proved by minds to which nothing happens.
#[test]
fn everything_happens() {
    let mut seen = std::collections::BTreeSet::new();
    life(minds(1, FEW), 1000, |minds, now| {
        for sent in minds.orders() {
            if let Order::Emit(_) = sent.order {
                seen.insert("noise".to_string());
            }
        }
        for event in minds.events() {
            let what = match event.what {
                EventKind::Planned { cause: Cause::Cheaper, .. } => "cheaper",
                EventKind::Unanswered { handed_out: true, .. } => "unanswered true",
                EventKind::Unanswered { .. } => "unanswered false",
                EventKind::Started { doing: Activity::Beside(0), .. } => "aims",
                EventKind::Started { doing: Activity::Beside(1), .. } => "calls",
                EventKind::Started { doing: Activity::Beside(2), .. } => "strays",
                EventKind::Started { doing: Activity::Beside(3), .. } => "paces",
                EventKind::Ended { doing: Activity::Beside(_), how, .. } => match how {
                    Ending::Done => "beside done",
                    Ending::Failed(_) => "beside failed",
                    Ending::Cancelled => "beside cancelled",
                },
                EventKind::WrongChannel(_) => "wrong channel",
                _ => continue,
            };
            seen.insert(what.to_string());
        }
        for mind in minds.iter() {
            let told = minds.spec().told;
            let source = |fact: &FactRef<'_>| fact.get(Attribute::Source).is_some();
            if mind.memory().iter().any(|fact| fact.writer() == told && source(&fact)) {
                seen.insert("told".to_string());
            }
            for fact in mind.memory().iter() {
                seen.insert(minds.spec().words.text(fact.writer()).to_string());
            }
        }
        for mind in minds.iter().take(8) {
            let inspection = mind.inspect(minds.spec(), now);
            let answered = inspection.told_checks.iter().filter(|it| it.by == "answered");
            seen.extend(answered.filter(|it| it.age.is_some()).map(|it| it.name.clone()));
            for it in &inspection.cooling {
                let what: Vec<&str> = it.why.split(' ').collect();
                let first = usize::from(it.chance.is_some());
                seen.insert(format!("{} {}", what[first], what[what.len() - 1]));
            }
        }
        let source = |fact: &FactRef<'_>| fact.get(Attribute::Source).is_some();
        if minds.shared().iter().any(|fact| source(&fact)) {
            seen.insert("told to all".to_string());
        }
    });
    for what in ["noise", "cheaper", "told", "told to all", "drop.else", "back.then", "cools more"]
    {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
    for what in ["unanswered true", "unanswered false", "seen", "clear(two.1)", "dry"] {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
    for what in ["aims", "calls", "strays", "paces", "aim.first", "call.finally", "wrong channel"] {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
    for what in ["beside done", "beside failed", "beside cancelled"] {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
    for what in ["cools (squad)", "cools (side)", "cools (all)", "chance s"] {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
}
