//! Minds that become rows of a crowd and come back lose nothing: not goal, plan, memory, nor an
//! action under way; at random moments of every story and of random lives.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::sync::Arc;
use throng::crowd::{CrowdSettings, FrameBudget, GroupId, Pool, Population, Status};
use throng::{DemoteError, Domain, Offscreen, PromoteError};
use throng_base::SplitMix;
use throng_domain::model::{ActionId, Fact};
use throng_mind::body::Ending;
use throng_mind::events::EventKind;
use throng_mind::orders::{Message, MindId, Order};
use throng_mind::time::Tick;
use throng_mind::{Mind, Minds};
use throng_suite::minds::{Op, Script, Stage};
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;

const GROUP: GroupId = GroupId::FIRST;

/// What was seen, so that nothing is proven about nothing.
#[derive(Default, Debug)]
struct Seen {
    straight: u64,
    returns: u64,
    /// Of these, with exactly the memory they left with.
    memories: u64,
    /// Came back with some steps of their own plan done by the crowd, or all.
    went_on: u64,
    other_plans: u64,
    other_goals: u64,
    /// Of these plans, those of which the crowd chose the goal.
    chosen: u64,
    cancelled: u64,
    values: u64,
    messages: u64,
}

fn bytes<W: ?Sized + Sync>(minds: &Minds<W>) -> (u64, Vec<u8>) {
    (minds.digest(), minds.save())
}

fn people(domain: &Domain) -> Population {
    Population::new(domain.compiled_arc(), CrowdSettings::default(), Arc::new(Pool::new(1)))
}

fn rest(mind: &Mind) -> Vec<ActionId> {
    mind.plan().steps().get(mind.plan().at()..).unwrap_or(&[]).to_vec()
}

/// Some of the minds, in random order.
fn some<W: ?Sized + Sync>(minds: &Minds<W>, dice: &mut SplitMix) -> Vec<MindId> {
    let percent = *dice.pick(&[10, 50, 100]);
    let mut ids: Vec<MindId> = minds.iter().map(Mind::id).collect();
    ids.retain(|_| dice.percent(percent));
    for at in (1..ids.len()).rev() {
        ids.swap(at, dice.below(at + 1));
    }
    ids
}

/// Out and straight back: the same minds, bit for bit.
fn straight_back<W: ?Sized + Sync>(
    domain: &Domain,
    minds: &mut Minds<W>,
    world: &W,
    dice: &mut SplitMix,
    seen: &mut Seen,
) {
    let before = bytes(minds);
    let (mut far, mut people) = (Offscreen::new(), people(domain));
    let mut ids = some(minds, dice);
    for &id in &ids {
        let row = far.demote(id, minds, &mut people, GROUP).unwrap();
        assert_eq!(far.row(id).map(|(_, row)| row), Some(row));
        assert!(minds.mind(id).is_none());
        assert_eq!(far.demote(id, minds, &mut people, GROUP), Err(DemoteError::NoMind));
    }
    assert_eq!((far.len(), people.len()), (ids.len(), ids.len()));
    // Plans are looked at, and nobody does a step.
    if dice.percent(50) {
        people.settle();
    }
    ids.reverse();
    for &id in &ids {
        far.promote(id, minds, &mut people, world).unwrap();
        seen.straight += 1;
    }
    assert!(far.is_empty() && people.is_empty());
    assert!(bytes(minds) == before, "the same minds, bit for bit");
}

/// What is known of a mind that leaves.
struct Left {
    mind: Mind,
    rest: Vec<ActionId>,
    told: bool,
}

/// Out, some frames of the crowd and ticks of the others, and back.
fn out_and_back<W: ?Sized + Sync>(
    domain: &Domain,
    minds: &mut Minds<W>,
    world: &W,
    dice: &mut SplitMix,
    seen: &mut Seen,
) {
    let (mut far, mut people) = (Offscreen::new(), people(domain));
    let mut left: Vec<Left> = Vec::new();
    for id in some(minds, dice) {
        let mind = minds.mind(id).unwrap().clone();
        far.demote(id, minds, &mut people, GROUP).unwrap();
        left.push(Left { rest: rest(&mind), mind, told: false });
    }
    let mut now = minds.now();
    for _ in 0..1 + dice.below(4) {
        disturb(domain, &far, &mut people, dice);
        people.plan(FrameBudget::UNLIMITED);
        for _ in 0..dice.below(3) {
            people.apply_next();
        }
        if dice.percent(50) {
            people.plan(FrameBudget::UNLIMITED);
        }
        now += 1;
        minds.tick(world, now);
    }
    for left in &mut left {
        left.told = dice.percent(30);
        if left.told {
            let fact = throng_mind::fact::FactDraft::new(minds.spec().told);
            far.tell(left.mind.id(), Message::Told(Box::new(fact))).unwrap();
        }
    }
    for left in &left {
        check_return(&mut far, minds, &mut people, world, left, seen);
    }
    for _ in 0..5 {
        now += 1;
        minds.tick(world, now);
        for mind in minds.iter() {
            let (started, ended) = mind.follow().counts();
            let under_way = mind.follow().run().into_iter().chain(mind.follow().besides());
            assert_eq!(started, ended + under_way.count() as u32);
            // What was written after this tick's forgetting may be meant for no longer.
            let mut facts = mind.memory().iter();
            assert!(facts.all(|fact| fact.expires() > now || fact.updated() == now));
        }
    }
}

/// Changes values and goals of some rows, as a game does.
fn disturb(domain: &Domain, far: &Offscreen, people: &mut Population, dice: &mut SplitMix) {
    let tables = domain.compiled_arc();
    let rows: Vec<_> = far.rows().collect();
    for (_, npc, row) in rows {
        let kind = tables.npc(npc);
        let crowd = people.crowd_mut(npc).unwrap();
        if dice.percent(20) && !kind.variables().is_empty() {
            let variable = *dice.pick(kind.variables());
            let values = tables.map().values(variable);
            let name: &String = dice.pick(values);
            let value = tables.map().find_value(variable, name).unwrap();
            let _ = crowd.set(row, Fact { variable, value });
        }
        if dice.percent(10) && !kind.goals().is_empty() {
            let goal = crowd.goal(*dice.pick(kind.goals())).unwrap();
            crowd.set_goal(row, goal).unwrap();
        }
        // Or it chooses for itself.
        if dice.percent(10) {
            let goal = match dice.percent(50) && !kind.goals().is_empty() {
                true => crowd.any_goal(kind.goals()).unwrap(),
                false => crowd.best().unwrap(),
            };
            crowd.set_goal(row, goal).unwrap();
        }
    }
}

fn check_return<W: ?Sized + Sync>(
    far: &mut Offscreen,
    minds: &mut Minds<W>,
    people: &mut Population,
    world: &W,
    left: &Left,
    seen: &mut Seen,
) {
    let Left { mind: before, rest: given, told } = left;
    let id = before.id();
    let (npc, row) = far.row(id).unwrap();
    let crowd = people.crowd(npc).unwrap();
    let domain = Arc::clone(crowd.domain());
    let says: Vec<Option<Fact>> =
        domain.npc(npc).variables().iter().map(|&variable| crowd.get(row, variable)).collect();
    let status = crowd.status(row).unwrap();
    let steps: Vec<ActionId> = crowd.plan_of(row).collect();
    let goal = crowd.aim_of(row).and_then(|goal| crowd.goal_id(goal));
    let has_chosen = crowd.goal_of(row) != crowd.aim_of(row);
    let (n_events, n_orders) = (minds.events().len(), minds.orders().len());
    far.promote(id, minds, people, world).unwrap();
    let mind = minds.mind(id).unwrap();
    seen.returns += 1;

    // Memory, senses and what was counted are as they were.
    // But for what the code of an action's end writes.
    let is_same = mind.memory() == before.memory();
    let acted = before.follow().run().into_iter().chain(before.follow().besides()).next();
    assert!(is_same || acted.is_some(), "memory");
    seen.memories += u64::from(is_same);
    assert!(mind.senses() == before.senses(), "senses");
    assert_eq!(mind.plan().asked(), before.plan().asked());
    assert_eq!((mind.me(), mind.npc(), mind.here()), (before.me(), before.npc(), before.here()));

    // Values are those of the crowd.
    for (&variable, says) in domain.npc(npc).variables().iter().zip(&says) {
        let is = mind.state().values()[variable.index()];
        let was = before.state().values()[variable.index()];
        match says {
            Some(fact) => {
                let told = fact.value.index() as u16;
                // What a group shares counts once it changes.
                assert!(is == told || (is == was && domain.map().is_shared(variable)));
            }
            None => {
                assert!(is == throng_domain::compile::UNKNOWN || domain.map().is_shared(variable))
            }
        }
        seen.values += u64::from(is != was);
    }

    // The plan is the rest of the plan, or the crowd's.
    let served = matches!(status, Status::Following | Status::Satisfied);
    if served && goal == before.plan().goal() && given.ends_with(&steps) {
        assert_eq!(mind.plan().goal(), before.plan().goal());
        assert_eq!(mind.goals().active(), before.goals().active());
        assert_eq!(rest(mind), steps);
        assert_eq!(mind.plan().steps(), before.plan().steps());
        seen.went_on += u64::from(steps.len() < given.len());
    } else if status == Status::Following {
        assert_eq!((mind.plan().goal(), rest(mind)), (goal, steps));
        assert_eq!(mind.goals().active(), goal);
        seen.other_plans += 1;
        seen.chosen += u64::from(has_chosen);
        seen.other_goals += u64::from(goal != before.plan().goal());
    } else {
        assert_eq!((mind.plan().goal(), rest(mind)), (before.plan().goal(), given.clone()));
    }

    // What was under way has ended once, with its orders.
    let (started, ended) = before.follow().counts();
    let ran = u32::from(before.follow().run().is_some());
    let n_ran = ran + before.follow().besides().count() as u32;
    assert_eq!(mind.follow().counts(), (started, ended + n_ran));
    assert!(mind.follow().run().is_none() && mind.follow().besides().next().is_none());
    let is_end = |what: EventKind| matches!(what, EventKind::Ended { how: Ending::Cancelled, .. });
    // Besides whom its end tells what, and what it ordered in vain.
    let is_other =
        |what: EventKind| what.is_for_readers() || matches!(what, EventKind::WrongChannel(_));
    let events = minds.events()[n_events..].iter().filter(|event| !is_other(event.what));
    let events: Vec<_> = events.collect();
    assert!(events.iter().all(|event| event.mind == id && is_end(event.what)));
    assert_eq!(events.len(), n_ran as usize);
    let cancels = minds.orders()[n_orders..].iter();
    assert!(n_ran > 0 || cancels.clone().count() == 0);
    assert!(cancels.clone().all(|sent| sent.mind == id));
    seen.cancelled += cancels.filter(|sent| matches!(sent.order, Order::Cancel(_))).count() as u64;
    seen.messages += u64::from(*told);
}

fn all_stories() -> Vec<String> {
    let files = throng_lab::corpus::stories().unwrap().into_iter();
    let files = files.filter(|file| file.file_stem().is_none_or(|name| name != "market_hundred"));
    files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// The minds of a story as they are, apart from it.
fn minds_of(play: &Play, domain: &Domain) -> Minds<throng_world::world::World> {
    let saved = play.minds().save();
    let spec = domain.mind_spec(play.story().pace.ticks_per_second).unwrap();
    let mut words = spec;
    words.words = play.minds().spec().words.clone();
    let mut minds = Minds::new(words, body(), 1).unwrap();
    minds.restore(&saved).unwrap();
    assert!(bytes(&minds) == bytes(play.minds()));
    minds
}

#[test]
fn minds_of_every_story_leave_and_come_back_without_a_loss() {
    let mut seen = Seen::default();
    for name in &all_stories() {
        let domain = Domain::from_file(throng_lab::corpus::story(name)).unwrap();
        let story = Story::read(domain.model()).unwrap();
        let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
        let lasts = story.lasts as usize;
        let mut play = Play::new(story, domain.model(), spec, body(), 1).unwrap();
        // By name, so that a new story changes nothing for the others.
        let seed = name.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
        let mut dice = SplitMix::new(seed);
        let mut moments: Vec<Tick> = (0..8).map(|_| 1 + dice.below(lasts - 1) as Tick).collect();
        moments.sort_unstable();
        while play.tick() {
            while moments.first() == Some(&play.now()) {
                moments.remove(0);
                let mut minds = minds_of(&play, &domain);
                straight_back(&domain, &mut minds, play.world(), &mut dice, &mut seen);
                out_and_back(&domain, &mut minds, play.world(), &mut dice, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.straight > 1_000 && seen.returns > 2_000, "{seen:?}");
    assert!(seen.memories * 10 > seen.returns * 9, "{seen:?}");
    assert!(seen.went_on > 300 && seen.other_plans > 30 && seen.other_goals > 10, "{seen:?}");
    assert!(seen.chosen > 10, "{seen:?}");
    assert!(seen.cancelled > 100 && seen.values > 500 && seen.messages > 100, "{seen:?}");
}

#[test]
fn minds_of_random_lives_leave_and_come_back_without_a_loss() {
    let mut seen = Seen::default();
    for seed in 0..80 {
        let stage = Stage::new(seed).unwrap();
        let (mut minds, world) = stage.minds(1).unwrap();
        let mut script = Script::new(&stage, &minds);
        script.cast(&stage, 20).iter().for_each(|op| op.apply(&stage, &mut minds, &world));
        let mut dice = SplitMix::new(seed);
        let mut now = 0;
        for _ in 0..12 {
            for _ in 0..1 + dice.below(8) {
                let ops = script.next(&stage, &world, now);
                // A new file is for when everybody is here; numbers of minds are the script's.
                ops.iter().for_each(|op| op.apply(&stage, &mut minds, &world));
                minds.tick(&world, now);
                script.hear(minds.orders(), now);
                script.hear_questions(minds.questions(), now);
                now += 1;
            }
            // After a reload the tables are others.
            if !Arc::ptr_eq(&minds.spec().domain, &stage.domain.compiled_arc()) {
                break;
            }
            straight_back(&stage.domain, &mut minds, &world, &mut dice, &mut seen);
            if dice.percent(40) {
                out_and_back(&stage.domain, &mut minds, &world, &mut dice, &mut seen);
                now = minds.now() + 1;
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.straight > 3_000 && seen.returns > 1_000, "{seen:?}");
    assert!(seen.went_on > 100 && seen.values > 200 && seen.cancelled > 10, "{seen:?}");
}

#[test]
fn a_recording_of_those_who_leave_and_come_back_replays() {
    let mut returns = 0;
    for seed in 0..25 {
        let stage = Stage::new(seed).unwrap();
        let (mut minds, world) = stage.minds(1).unwrap();
        let mut script = Script::new(&stage, &minds);
        script.cast(&stage, 15).iter().for_each(|op| op.apply(&stage, &mut minds, &world));
        let (sensors, behaviours) = minds.code_names();
        let spec = stage.domain.mind_spec(throng_suite::minds::PACE).unwrap();
        let mut twins = Minds::for_replay(spec, &sensors, &behaviours).unwrap();
        twins.restore(&bytes(&minds).1).unwrap();
        assert!(minds.record().is_ok());
        let (mut far, mut people) = (Offscreen::new(), people(&stage.domain));
        let mut dice = SplitMix::new(seed);
        for now in 0..40 {
            let ops = script.next(&stage, &world, now);
            let ops = ops.iter().filter(|op| !matches!(op, Op::Reload));
            ops.for_each(|op| op.apply(&stage, &mut minds, &world));
            let back: Vec<MindId> = far.rows().map(|(id, ..)| id).collect();
            for id in back.into_iter().filter(|_| dice.percent(20)) {
                far.promote(id, &mut minds, &mut people, &world).unwrap();
                returns += 1;
            }
            let here: Vec<MindId> = minds.iter().map(Mind::id).collect();
            for id in here.into_iter().filter(|_| dice.percent(10)) {
                far.demote(id, &mut minds, &mut people, GROUP).unwrap();
            }
            people.plan(FrameBudget::UNLIMITED);
            people.apply_next();
            minds.tick(&world, now);
            script.hear(minds.orders(), now);
            script.hear_questions(minds.questions(), now);
            let entries = Arc::new(minds.entries().unwrap().clone());
            minds.forget_entries();
            twins.replay(&entries, now, &mut Vec::new(), &mut || None).unwrap();
            assert_eq!(twins.digest(), minds.digest(), "seed {seed}, tick {now}");
        }
    }
    assert!(returns > 300, "{returns}");
}

#[test]
fn wrong_use_is_an_error_and_changes_nothing() {
    let text = "domain d\nvar a: no, yes\naction go: a no -> yes\ngoal g: a = yes\n\
                npc one\n    can go\n    wants g\n    starts a = no\n";
    let (domain, other) = (Domain::from_text(text).unwrap(), Domain::from_text(text).unwrap());
    let minds_of = |domain: &Domain| {
        let spec = domain.mind_spec(10).unwrap();
        Minds::<()>::new(spec, throng_mind::Body::new(), 1).unwrap()
    };
    let mut minds = minds_of(&domain);
    let id = minds.spawn(domain.npc_type("one").unwrap(), throng_mind::fact::EntityId(1)).unwrap();
    let (mut far, mut crowd, mut strange) = (Offscreen::new(), people(&domain), people(&other));
    let before = bytes(&minds);
    assert_eq!(far.demote(MindId(9), &mut minds, &mut crowd, GROUP), Err(DemoteError::NoMind));
    assert_eq!(far.demote(id, &mut minds, &mut strange, GROUP), Err(DemoteError::OtherDomain));
    let unknown = strange.add_group().unwrap();
    assert_eq!(far.demote(id, &mut minds, &mut crowd, unknown), Err(DemoteError::NoRoom));
    assert_eq!(far.promote(id, &mut minds, &mut crowd, &()), Err(PromoteError::NotAway));
    assert!(bytes(&minds) == before && far.is_empty() && crowd.is_empty());

    minds.tick(&(), 1);
    let row = far.demote(id, &mut minds, &mut crowd, GROUP).unwrap();
    let wrong = Err(PromoteError::OtherDomain);
    assert_eq!(far.promote(id, &mut minds_of(&other), &mut crowd, &()), wrong);
    assert_eq!(far.promote(id, &mut minds, &mut strange, &()), wrong);
    let npc = domain.npc_type("one").unwrap();
    crowd.crowd_mut(npc).unwrap().despawn(row);
    assert_eq!(far.promote(id, &mut minds, &mut crowd, &()), Err(PromoteError::NoRow));
    assert_eq!((far.len(), minds.len()), (1, 0));
    // Its end is an end of what it did, too.
    far.end(id, &mut minds, &mut crowd, &()).unwrap();
    let ended = |what| matches!(what, EventKind::Ended { how: Ending::Cancelled, .. });
    assert_eq!(minds.events().iter().filter(|event| ended(event.what)).count(), 1);
    assert_eq!((far.len(), minds.len()), (0, 0));
    assert_eq!(far.end(id, &mut minds, &mut crowd, &()), Err(PromoteError::NotAway));
}
