//! How actions go on and end, told one by one: compounds part by part, flavours between steps,
//! what is said at the very end.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_domain::model::NpcTypeId;
use throng_mind::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Work};
use throng_mind::choose::Standing;
use throng_mind::events::{Activity, EventKind};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::orders::{Message, MindId, Order, OrderId};
use throng_mind::words::Word;
use throng_mind::{MindError, Minds};

/// Gives an order, and is done without waiting for it.
struct Quick;

impl Behaviour<()> for Quick {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        acting.board.order(Order::Use { what: acting.word("quick"), on: EntityId(1) });
        Progress::Done
    }

    fn go_on(&self, _: &mut Acting<'_, ()>) -> Progress {
        Progress::Failed(Word::NONE)
    }
}

/// Waits, and tells everybody when it has to stop.
struct Wait;

impl Behaviour<()> for Wait {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        acting.board.order(Order::Use { what: acting.word("wait"), on: EntityId(1) });
        Progress::Waiting
    }

    fn end(&self, acting: &mut Acting<'_, ()>, _: Ending) {
        acting.share(FactDraft::new(acting.word("bye")), 100);
    }
}

/// Takes three ticks, and fails if things are bad.
struct Slow;

impl Behaviour<()> for Slow {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        Progress::Until(acting.now + 3)
    }

    fn go_on(&self, acting: &mut Acting<'_, ()>) -> Progress {
        let bad = acting.word("bad");
        let is_bad = acting.memory.of_kind(bad).next().is_some();
        if is_bad { Progress::Failed(bad) } else { Progress::Done }
    }
}

fn minds(text: &str) -> (Minds<()>, NpcTypeId) {
    let spec = spec(text);
    let npc = spec.domain.map().find_npc("one").unwrap();
    let body = Body::new()
        .for_many_files()
        .words(&["quick", "wait", "bye", "bad"])
        .sensor("look", |_: &mut Sensing<'_, ()>| Work::Light)
        .behaviour("slow", Slow)
        .behaviour("quick", Quick)
        .behaviour("wait", Wait);
    (Minds::new(spec, body, 1).unwrap(), npc)
}

/// What was begun and how it ended, with the moment.
fn story(minds: &mut Minds<()>, ticks: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for now in 0..ticks {
        minds.tick(&(), now);
        for event in minds.events() {
            let name = |doing| throng_mind::inspect::doing_words(minds.spec(), doing);
            lines.extend(match event.what {
                EventKind::Started { doing, .. } => Some(format!("{now} {}", name(doing))),
                EventKind::Ended { doing: Activity::Flavour(_), .. } => None,
                EventKind::Ended { how: Ending::Done, .. } => Some(format!("{now} done")),
                EventKind::Ended { how, .. } => Some(format!("{now} {how:?}")),
                _ => None,
            });
        }
    }
    lines
}

const PARTS: &str = "domain d
var a: 0..1
var b: 0..1
var c: 0..1
action one: a -> 1  takes 0.3
action two: b -> 1  does quick
action three: c -> 1  takes 0.2
action stroll:  takes 0.2
compound all: one, two, three
";

#[test]
fn a_part_that_is_done_at_once_is_not_asked_again() {
    let text = "goal g: c = 1\nnpc one\n    can all\n    wants g\n    starts a = 0, b = 0, c = 0\n";
    let (mut minds, npc) = minds(&format!("{PARTS}{text}"));
    minds.spawn(npc, EntityId(1)).unwrap();
    // Three ticks, one, two.
    assert_eq!(story(&mut minds, 20), ["0 all", "6 done"]);
}

#[test]
fn what_is_done_without_a_plan_has_all_its_parts_too() {
    let text =
        "goal g: a = 0\nnpc one\n    can all\n    wants g\n    starts a = 0\n    otherwise all\n";
    let (mut minds, npc) = minds(&format!("{PARTS}{text}"));
    minds.spawn(npc, EntityId(1)).unwrap();
    assert_eq!(story(&mut minds, 9), ["0 all", "6 done", "6 all"]);
}

#[test]
fn a_flavour_comes_between_two_steps_and_not_after_idling() {
    let text = "domain d
var a: 0..1
var b: 0..1
var c: 0..1
action one: a -> 1  takes 0.2
action two: b -> 1  while a = 1  takes 0.2
action three: c -> 1  takes 0.2
action idle:  takes 0.5
goal g: b = 1  priority 2
goal h: c = 1  relevance if wish
npc one
    can one, two, three, idle
    wants g, h
    starts a = 0, b = 0, c = 0
    otherwise idle
flavour nod: takes 0.1
";
    let (mut minds, npc) = minds(text);
    let id = minds.spawn(npc, EntityId(1)).unwrap();
    let before = story(&mut minds, 10);
    assert_eq!(before, ["0 one", "2 done", "2 nod", "3 two", "5 done", "6 idle"]);
    let wish = FactDraft::new(minds.spec().words.find("wish").unwrap());
    minds.tell(id, Message::Told(Box::new(wish))).unwrap();
    minds.tick(&(), 10);
    let what = |event: &throng_mind::events::Event| match event.what {
        EventKind::Started { doing, .. } => Some(doing),
        _ => None,
    };
    let begun: Vec<Activity> = minds.events().iter().filter_map(what).collect();
    assert!(matches!(begun[..], [Activity::Step(_)]), "{begun:?}");
}

const LAST_WORDS: &str = "domain d
var a: 0..1
action wait: a -> 1
goal g: a = 1
npc one
    can wait
    wants g
    starts a = 0
";

#[test]
fn the_last_words_of_an_action_are_heard_when_its_mind_ends() {
    let (mut minds, npc) = minds(LAST_WORDS);
    let (one, two) =
        (minds.spawn(npc, EntityId(1)).unwrap(), minds.spawn(npc, EntityId(2)).unwrap());
    minds.tick(&(), 0);
    assert_eq!(minds.shared().len(), 0);
    assert!(minds.interrupt(one, &()).is_ok());
    assert_eq!(minds.shared().len(), 1);
    assert!(minds.despawn(two, &()).is_ok());
    // The same words again: they are confirmed, not doubled.
    assert_eq!((minds.shared().len(), minds.shared().refreshed()), (1, 1));
}

#[test]
fn what_a_mind_did_counts_after_its_end() {
    let (mut minds, npc) = minds(LAST_WORDS);
    minds.spawn(npc, EntityId(1)).unwrap();
    minds.tick(&(), 0);
    let before = minds.totals();
    assert_eq!((before.calls, before.recalls), (1, 0));
    assert!(minds.despawn(MindId(1), &()).is_ok());
    assert_eq!(minds.totals(), before);
}

#[test]
fn who_is_doubted_and_fails_is_doubted_as_long_as_before() {
    let text = "domain d
var v: 0..1
var w: 0..1
action one: v -> 1  takes 0.1
action two: w -> 1  does slow
compound both: one, two
goal g: v = 1, w = 1
npc one
    can both
    wants g
    starts v = 0, w = 0
    doubt 1 for 5   retry 0.2
sensor look: every 1  feeds v
symbol v: 0
";
    let (mut minds, npc) = minds(text);
    let id = minds.spawn(npc, EntityId(1)).unwrap();
    let map = minds.spec().domain.map();
    let w = map.find_variable("w").unwrap();
    let empty = throng_domain::model::Fact { variable: w, value: map.find_value(w, "0").unwrap() };
    let bad = FactDraft::new(minds.spec().words.find("bad").unwrap());
    let mut told = Vec::new();
    for now in 0..80 {
        if now == 5 {
            // Once more, as it seems to work: nobody has looked yet.
            minds.set_fact(id, empty).unwrap();
            minds.tell(id, Message::Told(Box::new(bad))).unwrap();
        }
        minds.tick(&(), now);
        for event in minds.events() {
            told.extend(match event.what {
                EventKind::Started { .. } => Some((now, "started")),
                EventKind::Ended { how: Ending::Done, .. } => Some((now, "done")),
                EventKind::Ended { how: Ending::Failed(_), .. } => Some((now, "failed")),
                EventKind::Doubted(_) => Some((now, "doubted")),
                _ => None,
            });
        }
    }
    let first = [(0, "started"), (4, "done"), (5, "started"), (7, "doubted"), (9, "failed")];
    assert_eq!(told[..5], first);
    assert_eq!(told[5], (57, "started"), "five seconds after it was doubted");
}

#[test]
fn what_was_told_before_a_new_file_is_heard_after_it() {
    let (mut minds, npc) = minds(LAST_WORDS);
    let id = minds.spawn(npc, EntityId(1)).unwrap();
    minds.tick(&(), 0);
    let bad = minds.spec().words.find("bad").unwrap();
    let fact = FactDraft::new(bad).with(Attribute::Node, Value::Word(bad), 1.0);
    minds.tell(id, Message::Told(Box::new(fact))).unwrap();
    // Words have other numbers in a file with more of them.
    let more = format!("{LAST_WORDS}action more: a -> 0\n");
    minds.reload(spec(&more), &()).unwrap();
    minds.tick(&(), 1);
    let now_bad = minds.spec().words.find("bad").unwrap();
    assert_ne!(bad, now_bad);
    let heard = minds.mind(id).unwrap().memory().iter().next().unwrap();
    assert_eq!((heard.kind(), heard.word(Attribute::Node)), (now_bad, Some(now_bad)));
}

#[test]
fn what_a_mind_did_counts_after_its_type_is_gone() {
    let (mut minds, npc) = minds(LAST_WORDS);
    minds.spawn(npc, EntityId(1)).unwrap();
    minds.tick(&(), 0);
    let before = minds.totals();
    let two = spec(&LAST_WORDS.replace("npc one", "npc two"));
    let reloaded = minds.reload_and_end(two, &()).unwrap();
    assert_eq!((reloaded.ended, minds.totals()), (1, before));
}

/// Two boxes to carry with one pair of hands: no rule decides this, so states are searched.
const BOXES: &str = "domain boxes
var at: here, there
var hands: free, full
var box1: here, there, held
var box2: here, there, held
action go(from in at, to in at): at from -> to
action take1(place in at): box1 place -> held, hands free -> full
    while at = place
action drop1(place in at): box1 held -> place, hands full -> free
    while at = place
action take2(place in at): box2 place -> held, hands free -> full
    while at = place
action drop2(place in at): box2 held -> place, hands full -> free
    while at = place
goal moved: box1 = there, box2 = there
npc one
    can go, take1, drop1, take2, drop2
    wants moved
    starts at = here, hands = free, box1 = here, box2 = here
";

#[test]
fn a_planner_with_too_few_nodes_gives_up_and_with_more_finds_the_plan() {
    let standing = |minds: &Minds<()>| {
        let mind = minds.iter().next().unwrap();
        (mind.goals().all()[0].standing, mind.plan().steps().len())
    };
    let mut starved = minds(BOXES).0;
    starved.set_nodes_per_call(2);
    let id = starved.spawn("one", EntityId(1)).unwrap();
    starved.tick(&(), 0);
    assert_eq!((starved.nodes_per_call(), standing(&starved)), (2, (Standing::GaveUp, 0)));
    let why = starved.inspect(id).unwrap().why;
    let budget = "the planner's budget was not enough to find a plan";
    assert_eq!(why, format!("no plan: `moved`: {budget}"));
    // The number is part of what is saved.
    let mut fresh = minds(BOXES).0;
    assert_eq!(fresh.nodes_per_call(), 50_000);
    fresh.restore(&starved.save()).unwrap();
    assert_eq!(fresh.nodes_per_call(), 2);
    for minds in [&mut starved, &mut fresh] {
        minds.tick(&(), 1);
        assert_eq!(standing(minds), (Standing::GaveUp, 0), "nothing has changed");
        minds.set_nodes_per_call(50_000);
        // A box that is there already: something to plan anew for.
        minds.set_fact(id, ("box2", "there")).unwrap();
        minds.tick(&(), 2);
        assert_eq!(standing(minds), (Standing::Active, 3), "take, go, drop");
    }
    assert_eq!(starved.digest(), fresh.digest());
}

#[test]
fn the_limit_of_a_planner_call_is_saved_with_the_minds() {
    let mut one = minds(LAST_WORDS).0;
    assert_eq!(one.nodes_per_call(), 50_000);
    one.set_nodes_per_call(700);
    one.spawn("one", EntityId(1)).unwrap();
    one.tick(&(), 0);
    let mut other = minds(LAST_WORDS).0;
    other.restore(&one.save()).unwrap();
    assert_eq!(other.nodes_per_call(), 700);
    for now in 1..5 {
        one.tick(&(), now);
        other.tick(&(), now);
        assert_eq!(one.digest(), other.digest());
    }
}

#[test]
fn ids_and_names_say_the_same_and_what_is_neither_is_refused() {
    let (mut minds, npc) = minds(LAST_WORDS);
    let id = minds.spawn("one", EntityId(1)).unwrap();
    assert_eq!(minds.mind(id).unwrap().npc(), npc);
    assert_eq!(minds.name(npc), Some("one"));
    let goal = minds.spec().domain.map().find_goal("g").unwrap();
    assert_eq!(minds.name(goal), Some("g"));
    assert_eq!(minds.name(minds.word("bye").unwrap()), Some("bye"));
    let nobody = MindId(99);
    let told = |result: Result<(), MindError>| result.unwrap_err().to_string();
    assert_eq!(
        told(minds.spawn("on", EntityId(2)).map(|_| ())),
        "unknown NPC type `on`; did you mean `one`?"
    );
    // Of names of one letter none is near another.
    assert_eq!(told(minds.set_fact(id, ("b", "1"))), "unknown variable `b`; known are: a");
    assert_eq!(told(minds.set_fact(id, ("a", "7"))), "unknown value `7` of `a`; known are: 0..1");
    assert_eq!(
        told(minds.set_check(id, "sober", true)),
        "unknown check `sober`; the domain has none"
    );
    assert_eq!(minds.set_place(id, [f32::NAN; 3]), Err(MindError::NotFinite));
    assert_eq!(minds.tell(nobody, Message::Done(OrderId(1))), Err(MindError::NoMind(nobody)));
    assert_eq!(minds.despawn(nobody, &()), Err(MindError::NoMind(nobody)));
    assert_eq!(minds.put_aside(nobody), Err(MindError::NoMind(nobody)));
    assert_eq!(minds.len(), 1, "what was refused did nothing");
}

#[test]
fn a_name_that_is_nearly_right_is_told_the_nearest() {
    let text = "domain d
var hunger: great, little
action eat: hunger great -> little
    if has_bread
goal sated: hunger = little
npc one
    can eat
    wants sated
    starts hunger = great
";
    let mut minds = minds(text).0;
    let id = minds.spawn("one", EntityId(1)).unwrap();
    let told = |result: Result<(), MindError>| result.unwrap_err().to_string();
    assert_eq!(
        told(minds.set_fact(id, ("hungr", "little"))),
        "unknown variable `hungr`; did you mean `hunger`?"
    );
    assert_eq!(
        told(minds.set_fact(id, ("hunger", "litle"))),
        "unknown value `litle` of `hunger`; did you mean `little`?"
    );
    assert_eq!(
        told(minds.set_check(id, "has_broad", true)),
        "unknown check `has_broad`; did you mean `has_bread`?"
    );
    assert_eq!(
        minds.word("seated").unwrap_err().to_string(),
        "neither the file nor `Body::words` has the word `seated`; did you mean `sated`?"
    );
}
