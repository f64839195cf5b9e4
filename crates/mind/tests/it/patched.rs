//! A file is patched and games that were saved go on: from version to version, by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use crate::common::spec;
use throng_base::codec::{Decoder, Encoder};
use throng_mind::fact::Value;
use throng_mind::prelude::*;
use throng_mind::{Dropped, Lost, RestoreError, Restored};

const FIRST: &str = "domain yard
var at: gate, post, hut
var gun: holstered, drawn
var mood: calm, angry
action walk(place in at): at -> place   takes 3
action draw: gun holstered -> drawn   does code
action salute: mood angry -> calm   if sober   takes 1
action sing: mood -> calm
goal on_post: at = post   priority 2
goal ready: gun = drawn   priority 5   relevance if noise
npc guard
    can walk, draw, salute, sing
    wants on_post, ready
    starts at = gate, gun = holstered, mood = angry
npc clerk
    can walk
    wants on_post
    starts at = hut
sensor ears: on noise keeps 60
learn salute: drill
learn sing: songbook
";

struct Waits;

impl Behaviour<()> for Waits {
    fn start(&self, a: &mut Acting<'_, ()>) -> Progress {
        a.board.order(Order::Weapon { what: a.spec.told, at: None, to: None });
        Progress::Waiting
    }
}

fn minds(text: &str) -> Minds<()> {
    Minds::new(spec(text), Body::new().behaviour("code", Waits), 1).unwrap()
}

const GUARD: MindId = MindId(1);
const CLERK: MindId = MindId(2);

/// A guard who has heard something, has learnt to salute, and draws; and a clerk on his way.
fn living() -> Minds<()> {
    let mut minds = minds(FIRST);
    let map = minds.spec().domain.map();
    let (guard, clerk) = (map.find_npc("guard").unwrap(), map.find_npc("clerk").unwrap());
    let sober = map.find_check("sober").unwrap();
    assert_eq!(minds.spawn(guard, EntityId(7)).unwrap(), GUARD);
    assert_eq!(minds.spawn(clerk, EntityId(8)).unwrap(), CLERK);
    minds.set_check(GUARD, sober, false).unwrap();
    minds.set_place(GUARD, [1.0, 2.0, 0.0]).unwrap();
    let word = |text: &str| minds.spec().words.find(text).unwrap();
    let (noise, drill) = (word("noise"), word("drill"));
    minds.tell(GUARD, Message::Told(Box::new(FactDraft::new(drill).keep(500)))).unwrap();
    minds.tell(GUARD, Stimulus { event: drill, ..Stimulus::new(noise, [3.0, 0.0, 0.0]) }).unwrap();
    (0..5).for_each(|now| minds.tick(&(), now));
    // Arrived and not yet heard.
    minds.tell(GUARD, Stimulus::new(noise, [4.0, 0.0, 0.0])).unwrap();
    let run = |id| minds.mind(id).unwrap().follow().run().is_some();
    assert!(run(GUARD) && run(CLERK));
    minds
}

fn saved(minds: &Minds<()>) -> Vec<u8> {
    minds.save()
}

fn into(text: &str, bytes: &[u8]) -> Result<(Minds<()>, Restored), RestoreError> {
    let mut later = minds(text);
    let restored = later.restore(bytes)?;
    // Whatever was taken over goes on, and is saved and restored like any other.
    let mut twin = minds(text);
    assert!(twin.restore(&saved(&later)).unwrap().same_file);
    for now in 5..60 {
        twin.tick(&(), now);
    }
    Ok((later, restored))
}

fn patched(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(FIRST.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// What somebody knows, in words.
fn knows(minds: &Minds<()>, id: MindId) -> Vec<String> {
    let (spec, mind) = (minds.spec(), minds.mind(id).unwrap());
    let map = spec.domain.map();
    let mut known = vec![format!("is {} at {:?}", map.npc(mind.npc()), mind.here())];
    for &variable in spec.domain.npc(mind.npc()).variables() {
        let value = map.values(variable).get(usize::from(mind.state().values()[variable.index()]));
        known.push(format!("{} = {}", map.variable(variable), value.map_or("?", |it| it)));
    }
    for fact in mind.memory().iter() {
        let event = fact.word(Attribute::Event).map_or("", |word| spec.words.text(word));
        known.push(format!("{} {event} {}", spec.words.text(fact.kind()), fact.expires()));
    }
    for rule in &spec.learns {
        for &action in rule.actions.iter().filter(|&&id| mind.state().knows(spec, id)) {
            known.push(format!("learnt {}", map.action(action)));
        }
    }
    for (name, check) in map.check_names().zip(map.check_names()) {
        let id = map.find_check(check).unwrap();
        known.push(format!("{name}: {}", mind.state().checks().holds(id)));
    }
    known
}

fn dropped(restored: &Restored) -> Vec<(Lost, &str, usize)> {
    restored.dropped.iter().map(|it| (it.what, it.name.as_str(), it.count)).collect()
}

#[test]
fn the_same_file_goes_on_as_if_nothing_had_been() {
    let mut one = living();
    let (mut later, restored) = into(FIRST, &saved(&one)).unwrap();
    assert!(restored.same_file && restored.dropped.is_empty() && restored.minds == 2);
    assert_eq!(saved(&one), saved(&later));
    for now in 5..90 {
        one.tick(&(), now);
        later.tick(&(), now);
        assert_eq!((one.orders(), one.events()), (later.orders(), later.events()));
    }
    assert_eq!(one.digest(), later.digest());
}

/// Statements in another order, an action more, a goal more, a value more, a variable more, a
/// sensor less: nothing is lost.
#[test]
fn what_is_added_or_moved_costs_nobody_anything() {
    let one = living();
    let before = knows(&one, GUARD);
    assert!(before.contains(&"learnt salute".to_string()), "{before:?}");
    let mut lines: Vec<&str> =
        FIRST.lines().skip(1).filter(|it| !it.starts_with("sensor")).collect();
    // An `npc` statement has four lines.
    let npcs: Vec<&str> = lines.drain(9..17).collect();
    lines.reverse();
    let moved = format!(
        "domain yard\n{}\n{}\nvar hat: on, off\naction lift: hat on -> off\n\
         action zap: gun -> holstered   if lucky\ngoal bare: hat = off   priority 1\n",
        npcs.join("\n")
            .replace("walk, draw", "zap, lift, walk, draw")
            .replace("calm, angry", "sad, calm, angry"),
        lines.join("\n").replace("gun: holstered", "gun: broken, holstered"),
    );
    let (later, restored) = into(&moved, &saved(&one)).unwrap();
    assert!(!restored.same_file);
    assert_eq!(dropped(&restored), []);
    let after = knows(&later, GUARD);
    for known in &before {
        assert!(after.contains(known), "{known} is not in {after:?}");
    }
    assert_eq!(later.mind(CLERK).unwrap().me(), EntityId(8));
    assert_eq!(later.mind(GUARD).unwrap().follow().counts(), (1, 1));
}

#[test]
fn what_was_under_way_is_given_up_and_its_orders_are_cancelled() {
    let one = living();
    let open: Vec<OrderId> = one.mind(GUARD).unwrap().board().orders().map(|(id, _)| id).collect();
    assert_eq!(open.len(), 1);
    let more = format!("{FIRST}action more: mood -> angry\n");
    let (mut later, restored) = into(&more, &saved(&one)).unwrap();
    assert_eq!((restored.interrupted, restored.minds), (2, 2));
    let cancels: Vec<IssuedOrder> = later.drain_orders().collect();
    let sent =
        IssuedOrder { mind: GUARD, me: EntityId(7), id: OrderId(0), order: Order::Cancel(open[0]) };
    let walks = IssuedOrder { mind: CLERK, me: EntityId(8), ..sent };
    assert_eq!(cancels, [sent, walks]);
    assert!(later.mind(GUARD).unwrap().follow().run().is_none());
    // He has heard of the noise, hears the second, and goes on by himself.
    later.tick(&(), 5);
    let noise = later.spec().words.find("noise").unwrap();
    let heard = later.mind(GUARD).unwrap().memory().iter().filter(|it| it.kind() == noise);
    assert!(heard.count() >= 1);
    let run = later.mind(GUARD).unwrap().follow().run().copied().unwrap();
    assert_eq!(run.run, 2, "numbers of actions go on");
    let order = later.orders().iter().find(|sent| sent.mind == GUARD).unwrap();
    assert_eq!(order.id, OrderId(open[0].0 + 1), "numbers of orders go on");
}

#[test]
fn former_names_are_honoured() {
    let one = living();
    let text = patched(&[
        ("var mood: calm, angry", "var temper: calm, angry   was mood"),
        ("mood ", "temper "),
        ("action salute", "action greet"),
        ("if sober   takes 1", "if sober   takes 1   was salute"),
        ("draw, salute", "draw, greet"),
        ("learn salute", "learn greet"),
        ("goal ready", "goal armed"),
        ("relevance if noise", "relevance if noise   was ready"),
        ("wants on_post, ready", "wants on_post, armed"),
        ("npc guard", "npc sentry"),
        ("starts at = gate", "was guard\n    starts at = gate"),
    ]);
    let (later, restored) = into(&text, &saved(&one)).unwrap();
    assert_eq!(dropped(&restored), []);
    let rename = |text: &String| {
        text.replace("guard", "sentry").replace("mood", "temper").replace("salute", "greet")
    };
    let before: Vec<String> = knows(&one, GUARD).iter().map(rename).collect();
    assert_eq!(knows(&later, GUARD), before);
    // And once more, to a version that knows only the second names.
    let third = text.replace("npc sentry", "npc warden").replace("was guard", "was sentry");
    let (last, restored) = into(&third, &saved(&later)).unwrap();
    assert_eq!(dropped(&restored), []);
    let rename = |text: &String| text.replace("sentry", "warden");
    assert_eq!(knows(&last, GUARD), before.iter().map(rename).collect::<Vec<_>>());
}

#[test]
fn what_is_gone_is_dropped_and_told_with_its_reason() {
    let one = living();
    let text = patched(&[
        ("var mood: calm, angry\n", ""),
        ("action salute: mood angry -> calm   if sober   takes 1\n", ""),
        ("action sing: mood -> calm\n", ""),
        (", salute, sing", ""),
        (", mood = angry", ""),
        ("gun: holstered, drawn", "gun: sheathed, drawn"),
        ("gun holstered", "gun sheathed"),
        ("gun = holstered", "gun = sheathed"),
        ("goal ready: gun = drawn   priority 5   relevance if noise\n", ""),
        (", ready", ""),
        ("learn salute: drill\nlearn sing: songbook\n", ""),
    ]);
    let (later, restored) = into(&text, &saved(&one)).unwrap();
    let expected = [
        (Lost::Variable, "mood = angry", 1),
        (Lost::Value, "gun = holstered", 1),
        (Lost::Check, "sober", 1),
        (Lost::Learnt, "salute", 1),
        (Lost::Goal, "ready", 1),
    ];
    assert_eq!(dropped(&restored), expected);
    let told = restored.to_string();
    for line in [
        "another version of the file: all minds think anew; 2 actions under way are given up",
        "`mood = angry` of 1 mind: there is no such variable, present or former",
        "`gun = holstered` of 1 mind: the variable has no such value",
        "`salute`, learnt by 1 mind: there is no such action",
    ] {
        assert!(told.contains(line), "{told}");
    }
    // Where nothing is known any more it is as the type starts.
    assert!(knows(&later, GUARD).contains(&"gun = sheathed".to_string()));
}

#[test]
fn minds_without_a_type_are_refused_unless_that_is_wanted() {
    let one = living();
    let text = patched(&[("npc clerk", "npc scribe")]);
    let bytes = saved(&one);
    let mut later = minds(&text);
    let guard = later.spec().domain.map().find_npc("guard").unwrap();
    later.spawn(guard, EntityId(99)).unwrap();
    let before = saved(&later);
    let why = later.restore(&bytes).unwrap_err();
    let gone = Dropped { what: Lost::Type, name: "clerk".to_string(), count: 1 };
    assert_eq!(why, RestoreError::NoSuchType(vec![gone.clone()]));
    assert!(why.to_string().contains("no NPC type `clerk`, present or former"), "{why}");
    assert!(saved(&later) == before, "nothing is changed by what is refused");
    let restored = later.restore_known(&bytes).unwrap();
    assert_eq!((restored.minds, &restored.dropped[..]), (1, &[gone][..]));
    assert!(later.mind(CLERK).is_none() && later.mind(GUARD).is_some());
}

#[test]
fn less_room_for_facts_loses_the_oldest_and_says_so() {
    let mut one = living();
    let word = |minds: &Minds<()>, text: &str| minds.spec().words.find(text).unwrap();
    for at in 0..10 {
        let fact = FactDraft::new(word(&one, "songbook"));
        let fact = fact.with(Attribute::Amount, Value::Number(at as f32), 1.0).keep(900);
        one.tell(CLERK, Message::Told(Box::new(fact))).unwrap();
        one.tick(&(), 5 + at);
    }
    let text = patched(&[("starts at = hut", "starts at = hut   memory 4")]);
    let mut later = minds(&text);
    let restored = later.restore(&saved(&one)).unwrap();
    assert_eq!(dropped(&restored), [(Lost::Facts, "", 6)]);
    assert_eq!(later.mind(CLERK).unwrap().memory().len(), 4);
}

#[test]
fn rules_that_changed_take_hold_though_all_names_are_the_same() {
    let one = living();
    // The same names; what a goal is worth has changed.
    let text = patched(&[("relevance if noise", "relevance if drill")]);
    let (_, restored) = into(&text, &saved(&one)).unwrap();
    assert!(!restored.same_file);
    assert_eq!(dropped(&restored), []);
}

#[test]
fn another_pace_is_refused() {
    let bytes = saved(&living());
    let mut other = spec(FIRST);
    other.pace = throng_mind::time::Pace { ticks_per_second: 30 };
    let mut later = Minds::new(other, Body::new().behaviour("code", Waits), 1).unwrap();
    let why = later.restore(&bytes).unwrap_err();
    assert_eq!(why, RestoreError::OtherPace(10));
}

/// Words of the game's own that were saved beside the minds are found again.
#[test]
fn words_saved_beside_the_minds_are_the_same_words_later() {
    let one = living();
    let word = |minds: &Minds<()>, text: &str| minds.spec().words.find(text).unwrap();
    let bytes = one.save();
    let mut beside = Encoder::default();
    beside.write(&word(&one, "drill")).write(&Word::NONE);
    let text = FIRST.replace("domain yard\n", "domain yard\nsensor nose: on smell\n");
    let mut later = minds(&text);
    let restored = later.restore(&bytes).unwrap();
    assert_ne!(word(&one, "drill"), word(&later, "drill"));
    let mut from = Decoder::new(&beside.bytes);
    from.rename_symbols(restored.words());
    assert_eq!(from.read(), Ok((word(&later, "drill"), Word::NONE)));
    from.finish().unwrap();
}

/// What was learnt and has another name now is known to who goes over while the game runs, too.
#[test]
fn reload_honours_former_names_of_what_was_learnt() {
    let mut one = living();
    let text = patched(&[
        ("action salute", "action greet"),
        ("if sober   takes 1", "if sober   takes 1   was salute"),
        ("draw, salute", "draw, greet"),
        ("learn salute", "learn greet"),
    ]);
    one.reload(spec(&text), &()).unwrap();
    assert!(knows(&one, GUARD).contains(&"learnt greet".to_string()));
}

/// Names under a seal of their own, with something wrong in them: refused, or they go on.
#[test]
fn wrong_names_are_refused_or_minds_go_on() {
    let bytes = saved(&living());
    let begin = 1 + bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let mut whole = Decoder::new(&bytes[begin..]).unseal().unwrap();
    let whole = whole.raw(whole.left()).unwrap().to_vec();
    let more = format!("{FIRST}action more: mood -> angry\n");
    let (mut accepted, mut refused) = (0, 0);
    let mut random = throng_base::SplitMix::new(5);
    let mut dice = |below: usize| random.below(below);
    let mut later = minds(&more);
    for _ in 0..6000 {
        let mut wrong = whole.clone();
        for _ in 0..=dice(3) {
            // Behind the pace.
            let at = 1 + dice(wrong.len() - 1);
            wrong[at] =
                [0, 1, 2, 0x7f, 0x80, 0xff, wrong[at] ^ 1, wrong[at].wrapping_add(1)][dice(8)];
        }
        let mut to = Encoder { bytes: bytes[..begin].to_vec() };
        to.seal(|to| to.raw(&wrong));
        match later.restore_known(&to.bytes) {
            Err(_) => refused += 1,
            Ok(_) => {
                accepted += 1;
                let now = later.now();
                (1..12).for_each(|tick| later.tick(&(), now.saturating_add(tick)));
                let again = saved(&later);
                later.restore(&again).unwrap();
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 300 && refused > 300, "{accepted} accepted, {refused} refused");
}
