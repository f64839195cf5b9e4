//! What actions do besides their behaviours: to memory, to others, and to themselves for a while.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{PACE, spec};
use throng_mind::events::Cause;
use throng_mind::prelude::*;

fn minds(text: &str, count: u64) -> Minds<()> {
    let mut minds = Minds::new(spec(text), Body::new(), 1).unwrap();
    (0..count).for_each(|me| _ = minds.spawn("guard", EntityId(me)).unwrap());
    minds
}

fn word(minds: &Minds<()>, text: &str) -> Word {
    minds.spec().words.find(text).unwrap()
}

fn told(minds: &mut Minds<()>, id: u32, kind: &str) {
    let kind = word(minds, kind);
    minds.tell(MindId(id), Message::Told(Box::new(FactDraft::new(kind)))).unwrap();
}

/// The facts of a kind that a mind has: who wrote them, and their source.
fn facts(minds: &Minds<()>, id: u32, kind: &str) -> Vec<(String, Option<EntityId>)> {
    let memory = minds.mind(MindId(id)).unwrap().memory();
    let facts = memory.of_kind(word(minds, kind));
    let text = |word| minds.spec().words.text(word).to_string();
    facts.map(|fact| (text(fact.writer()), fact.entity(Attribute::Source))).collect()
}

/// Ticks until one; says what was started, and by whom.
fn started(minds: &mut Minds<()>, from: Tick, to: Tick) -> Vec<(Tick, u32, String)> {
    let mut all = Vec::new();
    for now in from..to {
        minds.tick(&(), now);
        for event in minds.events() {
            if let EventKind::Started { doing, .. } = event.what
                && let Some(action) = doing.action()
            {
                all.push((now, event.mind.0, minds.name(action).unwrap().to_string()));
            }
        }
    }
    all
}

const CALM: &str = "domain d
var alarm: quiet, loud
action hide: alarm -> quiet   takes 0.3
    first remembers hiding(object = me, node = shed, amount = 2) for 9 and noise steps radius 4
    then forgets noise and tells hiding to within 5
    finally remembers tried for 2
goal calm: alarm = quiet
npc guard
    can hide
    wants calm
    starts alarm = quiet
sensor ear: on noise
symbol alarm: loud if noise, quiet
";

#[test]
fn effects_come_at_their_moments_and_are_signed() {
    let mut minds = minds(CALM, 3);
    minds.set_place(MindId(2), [4.0, 0.0, 0.0]).unwrap();
    minds.set_place(MindId(3), [6.0, 0.0, 0.0]).unwrap();
    told(&mut minds, 1, "noise");
    minds.tick(&(), 1);
    assert_eq!(facts(&minds, 1, "hiding"), [("hide.first".to_string(), None)]);
    let sent: Vec<_> = minds.orders().iter().map(|sent| (sent.id, sent.order)).collect();
    let Some((OrderId(0), Order::Emit(heard))) = sent.iter().find(|it| it.0 == OrderId(0)) else {
        panic!("{sent:?}");
    };
    assert_eq!((heard.kind, heard.event), (word(&minds, "noise"), word(&minds, "steps")));
    assert_eq!((heard.radius, heard.source), (4.0, Some(EntityId(0))));
    assert!(facts(&minds, 1, "tried").is_empty() && facts(&minds, 2, "hiding").is_empty());
    (2..=4).for_each(|now| minds.tick(&(), now));
    assert!(facts(&minds, 1, "noise").is_empty());
    assert_eq!(facts(&minds, 1, "tried"), [("hide.finally".to_string(), None)]);
    // What it forgot it does not look for the effect of any more; others know in the next tick.
    minds.tick(&(), 5);
    assert_eq!(facts(&minds, 2, "hiding"), [("told".to_string(), Some(EntityId(0)))]);
    assert!(facts(&minds, 3, "hiding").is_empty(), "too far to hear");
    assert!(minds.mind(MindId(1)).unwrap().plan().goal().is_none());
}

#[test]
fn who_tells_what_to_whom_is_told() {
    let mut minds = minds(CALM, 3);
    minds.set_place(MindId(2), [4.0, 0.0, 0.0]).unwrap();
    minds.set_place(MindId(3), [6.0, 0.0, 0.0]).unwrap();
    told(&mut minds, 1, "noise");
    let mut said = Vec::new();
    for now in 1..=5 {
        minds.tick(&(), now);
        let tellings = minds.events().iter().filter(|event| event.what.is_for_readers());
        said.extend(tellings.map(|event| (now, event.mind.0, minds.describe(event))));
    }
    let tells = "tells hiding #0 to all who are near".to_string();
    let is_told = "is told hiding #0 by mind 1".to_string();
    assert_eq!(said, [(4, 1, tells), (4, 2, is_told)]);
}

#[test]
fn what_is_remembered_again_is_one_fact() {
    let mut minds = minds(CALM, 1);
    for round in 0..5 {
        told(&mut minds, 1, "noise");
        (1..=9).for_each(|at| minds.tick(&(), round * 10 + at));
    }
    assert_eq!(facts(&minds, 1, "hiding").len(), 1);
}

const GOSSIP: &str = "domain d
var chatted: no, yes
action chat: chatted -> yes   takes 0.1   then remembers news(node = shed) for 60 and tells news to within 50
goal talk: chatted = yes
npc guard
    can chat
    wants talk
    starts chatted = no
symbol chatted: no
";

#[test]
fn who_is_told_the_same_again_and_again_knows_one_thing() {
    let mut minds = minds(GOSSIP, 3);
    (1..=60).for_each(|now| minds.tick(&(), now));
    for id in 1..=3 {
        let tellers = facts(&minds, id, "news");
        let own = tellers.iter().filter(|(by, _)| by == "chat.then").count();
        assert_eq!((own, tellers.len()), (1, 2), "{tellers:?}");
    }
}

const WARN: &str = "domain d
var warned: no, yes
action warn: warned -> yes   takes 0.1
    then tells foe to side within 5 and remembers hello(object = him) for 60 and tells hello to side within 5
goal talk: warned = yes
npc guard
    can warn
    wants talk
    starts warned = no
sensor eye: on sight
select him: one of foe
symbol warned: yes if hello, no
";

/// The second of them is the one that it is all about; the third stands far off, the fourth is of
/// another side.
#[test]
fn nobody_is_told_what_senses_say_of_himself_and_a_circle_may_be_near() {
    let mut minds = minds(WARN, 5);
    let (one, two) = (word(&minds, "foe"), word(&minds, "him"));
    for (id, side) in [(1, one), (2, one), (3, one), (4, two), (5, one)] {
        minds.set_side(MindId(id), side).unwrap();
    }
    minds.set_place(MindId(3), [9.0, 0.0, 0.0]).unwrap();
    let foe = FactDraft::new(one).with(Attribute::Object, EntityId(1), 1.0);
    minds.tell(MindId(1), Message::Told(Box::new(foe))).unwrap();
    (1..=9).for_each(|now| minds.tick(&(), now));
    let by_first = |id: u32, kind: &str| {
        let all = facts(&minds, id, kind);
        all.iter().filter(|(by, source)| by == "told" && *source == Some(EntityId(0))).count()
    };
    // The fifth hears both; a greeting is meant for whom it is about.
    assert_eq!([2, 3, 4, 5].map(|id| by_first(id, "foe")), [0, 0, 0, 1]);
    assert_eq!([2, 3, 4, 5].map(|id| by_first(id, "hello")), [1, 0, 0, 1]);
}

const SING: &str = "domain d
var x: a, b
action go: x -> b
action sing:   takes 0.2   cooldown 2 of all
goal g: x = b
npc guard
    can go, sing
    wants g
    starts x = b
    otherwise sing
";

#[test]
fn what_is_done_without_a_plan_cools_for_all_who_began_it_together() {
    let mut minds = minds(SING, 2);
    let all = started(&mut minds, 1, 60);
    // Both begin in the same tick; the one who was second waits as long as the first.
    assert!(
        all.len() >= 4 && all.iter().all(|(now, ..)| (now - all[0].0).is_multiple_of(20)),
        "{all:?}"
    );
}

const THROW: &str = "domain d
var foe: there, gone
action throw: foe -> gone   takes 0.2   cooldown 2 of squad   first tells foe_seen to squad
action shoot: foe -> gone   takes 0.2   cost 9
goal win: foe = gone
npc guard
    can throw, shoot
    wants win
    starts foe = there
sensor eye: on sight
symbol foe: there
";

#[test]
fn what_one_of_a_squad_began_the_others_leave_alone() {
    let mut minds = minds(THROW, 3);
    for id in [1, 2] {
        minds.set_squad(MindId(id), Some(MindId(9))).unwrap();
    }
    let all = started(&mut minds, 1, 4);
    // All begin in the same tick; the second of the squad lets go of it in the next.
    let first: Vec<_> = all.iter().map(|(now, id, name)| (*now, *id, name.as_str())).collect();
    assert_eq!(first[..3], [(1, 1, "throw"), (1, 2, "throw"), (1, 3, "throw")]);
    assert_eq!(first[3], (2, 2, "shoot"), "{first:?}");
    let why = |minds: &Minds<()>, id: u32| {
        let cooling = minds.inspect(MindId(id)).unwrap().cooling;
        cooling.iter().map(|it| format!("{}: {}", it.action, it.why)).collect::<Vec<_>>()
    };
    assert_eq!(why(&minds, 1), ["throw: cools 1.8 s more (squad)"]);
    assert_eq!(why(&minds, 2), ["throw: cools 1.8 s more (squad)"]);
    assert_eq!(why(&minds, 3), ["throw: cools 1.8 s more"], "it is in no squad");
    let text = minds.inspect(MindId(2)).unwrap().to_string();
    assert!(text.contains("\n  not there: throw: cools 1.8 s more (squad)\n"), "{text}");
    // One who joins later leaves it alone too; one who leaves need not.
    minds.set_squad(MindId(3), Some(MindId(9))).unwrap();
    let later = started(&mut minds, 4, 40);
    let throws: Vec<_> = later.iter().filter(|it| it.2 == "throw").collect();
    for pair in throws.windows(2) {
        assert!(pair[1].0 >= pair[0].0 + 20 || pair[1].0 == pair[0].0, "{throws:?}");
    }
    assert!(throws.len() >= 2);
}

#[test]
fn chance_decides_for_a_while_and_says_so() {
    let text = THROW.replace("cooldown 2 of squad", "chance 0.5 per 3");
    let mut minds = minds(&text, 1);
    let mut seen = [0; 2];
    for now in 1..600 {
        minds.tick(&(), now);
        let cooling = minds.inspect(MindId(1)).unwrap().cooling;
        let by_chance = cooling.iter().find(|it| it.chance == Some((0.5, 3.0)));
        seen[usize::from(by_chance.is_none())] += 1;
        if let Some(it) = by_chance {
            let until = f64::from((now / 30 + 1) * 30) / 10.0;
            assert_eq!(it.why, format!("its chance (0.5 per 3) says no until {until:.1} s"));
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

#[test]
fn another_seed_is_another_life_and_the_same_seed_the_same() {
    let text = THROW.replace("cooldown 2 of squad", "chance 0.5 per 1");
    let life = |seed| {
        let mut minds = minds(&text, 3);
        minds.set_seed(seed);
        started(&mut minds, 1, 200)
    };
    assert_eq!(life(1), life(1));
    assert_ne!(life(1), life(2));
}

#[test]
fn a_check_is_as_the_file_says_until_the_game_tells_it() {
    let text = "domain d\nvar x: a, b\naction go: x -> b if open\ngoal g: x = b\nnpc guard\n can go\n \
                wants g\n starts x = a\ncheck open: told default false\n";
    let mut minds = minds(text, 1);
    assert!(started(&mut minds, 1, 5).is_empty());
    let told =
        |minds: &Minds<()>| minds.mind(MindId(1)).unwrap().inspect(minds.spec(), 4).to_string();
    assert!(told(&minds).contains("checks open false by default, never told"), "{}", told(&minds));
    minds.set_check(MindId(1), "open", true).unwrap();
    assert!(told(&minds).contains("checks open true, told 0.0 s ago"), "{}", told(&minds));
    assert_eq!(started(&mut minds, 5, 7).len(), 1);
}

#[test]
fn prices_vary_from_mind_to_mind_and_stay() {
    let text = "domain d\nvar x: a, b, c\naction one: x -> b\naction two: x -> b\naction three: x -> b\n\
                goal g: x = b\nnpc guard\n can one, two, three\n wants g\n starts x = a\n\
                price one: 2 vary 0.2\nprice two: 2 vary 0.2\nprice three: 2 vary 0.2\n";
    let mut minds = minds(text, 60);
    let all = started(&mut minds, 1, 2);
    for name in ["one", "two", "three"] {
        let count = all.iter().filter(|it| it.2 == name).count();
        assert!((8..35).contains(&count), "{name}: {count} of 60");
    }
    let price = minds.mind(MindId(1)).unwrap().state().costs()[0];
    assert!((1600..=2400).contains(&price));
}

#[test]
fn a_plan_that_works_is_left_for_a_cheaper_one() {
    let text = "domain d\nvar foe: there, gone\nvar place: open, cover\n\
                action shoot: foe -> gone   takes 30   cost 9\n\
                action hide: place -> cover   takes 0.5   if free\n\
                action snipe: foe -> gone   while place = cover   takes 0.5\n\
                goal win: foe = gone   reconsiders 1\n\
                npc guard\n can shoot, hide, snipe\n wants win\n starts foe = there, place = open\n\
                check free: told default false\n";
    let mut minds = minds(text, 1);
    started(&mut minds, 1, 4);
    minds.set_check(MindId(1), "free", true).unwrap();
    let all = started(&mut minds, 4, 40);
    let names: Vec<_> = all.iter().map(|it| (it.0, it.2.as_str())).collect();
    assert_eq!(names, [(11, "hide"), (16, "snipe")]);
    assert_eq!(minds.mind(MindId(1)).unwrap().plan().cause(), Some(Cause::GoalReached));
    // Without the clause he goes on.
    let mut other = self::minds(&text.replace("reconsiders 1", ""), 1);
    started(&mut other, 1, 4);
    other.set_check(MindId(1), "free", true).unwrap();
    assert!(started(&mut other, 4, 40).is_empty());
}

#[test]
fn nobody_fidgets_before_the_file_says_so() {
    let text = "domain d\nvar x: a, b\naction go: x -> b   takes 0.5\naction yawn:   takes 1\n\
                goal g: x = b\nnpc guard\n can go, yawn\n wants g\n starts x = a\n otherwise yawn after 2\n";
    let mut minds = minds(text, 1);
    let all = started(&mut minds, 1, 60);
    let names: Vec<_> = all.iter().map(|it| (it.0, it.2.as_str())).collect();
    assert_eq!(names[..3], [(1, "go"), (26, "yawn"), (36, "yawn")], "{names:?}");
    assert_eq!(PACE.ticks_per_second, 10);
}

#[test]
fn what_failed_is_tried_again_when_what_it_depends_on_has_changed() {
    let text = "domain d\nvar x: a, b\naction go: x -> b   if clear   does fail\ngoal g: x = b\n\
                npc guard\n can go\n wants g\n starts x = a\n retry 8\n\
                check clear: not blocked\nsensor eye: on sight\n";
    let fail = |_: &mut Acting<'_, ()>| Progress::Failed(Word::NONE);
    let mut minds = Minds::new(spec(text), Body::new().behaviour("fail", fail), 1).unwrap();
    minds.spawn("guard", EntityId(1)).unwrap();
    let all = started(&mut minds, 1, 40);
    assert_eq!(all.len(), 1, "{all:?}");
    // Blocked, and not any more: that is something else than it was when it failed.
    told(&mut minds, 1, "blocked");
    assert!(started(&mut minds, 40, 42).is_empty());
    let like = FactDraft::new(word(&minds, "blocked"));
    minds.tell(MindId(1), Message::Untold(Box::new(like))).unwrap();
    let all = started(&mut minds, 42, 50);
    assert_eq!(all.iter().map(|it| it.0).collect::<Vec<_>>(), [42]);
}

/// A designer writes the parameter's own name; `it` is the same.
#[test]
fn effects_may_name_the_first_parameter_or_call_it_it() {
    let file = |name: &str| {
        spec(&format!(
            "domain d
var place: home, mill
action go(spot in place): place -> spot
    first noise steps radius 3 at me
    then remembers been(node = {name}) for 9 and forgets sign(node = {name})
goal there: place = mill
npc guard
    can go
    wants there
    starts place = home
"
        ))
    };
    let [by_name, by_it] = ["spot", "it"].map(file);
    assert_eq!(by_name.effects, by_it.effects);
    assert_ne!(by_name.effects, file("spit").effects);
}
