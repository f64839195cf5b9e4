//! Minds as a user of the library meets them: one text, a little code, and life.

use throng::Domain;
use throng::mind::BodyError;
use throng::mind::events::{Activity, EventKind};
use throng::mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng::mind::orders::{Message, Order, Stimulus};
use throng::mind::{Acting, Body, Progress, Sensing, Work};
use throng::mind::{Ending, Minds};

const GUARD: &str = "domain guard
var at: post, noise
var area: quiet, disturbed
var gun: holstered, drawn

action draw: gun -> drawn
action walk(place in at): at -> place
action inspect: area disturbed -> quiet  while at = noise, gun = drawn
action idle:
    takes 1

goal calm: area = quiet
    priority 10
    relevance sure stimulus of noise
    keep 1
goal guard_post: at = post
    priority 1

npc guard
    can draw, walk, inspect, idle
    wants calm, guard_post
    starts at = post, gun = holstered
    otherwise idle

sensor hear: on noise keeps 20 feeds area
sensor feet: every 0 feeds at
symbol area: disturbed if noise, quiet
symbol at: node of self
";

#[derive(Default)]
struct Town {
    at_noise: bool,
}

fn body() -> Body<Town> {
    Body::new()
        .words(&["post", "noise", "self", "node"])
        .sensor("feet", |s: &mut Sensing<'_, Town>| {
            let node = s.word(if s.world.at_noise { "noise" } else { "post" });
            let fact = FactDraft::new(s.word("self"));
            s.remember_one(fact.with(Attribute::Node, Value::Word(node), 1.0), &[]);
            Work::Light
        })
        .behaviour("walk", |a: &mut Acting<'_, Town>| {
            let node = a.parameter(0).unwrap_or(throng::mind::words::Word::NONE);
            a.board.order(Order::Move { to: [0.0; 3], node, manner: node });
            Progress::Waiting
        })
        .behaviour("inspect", Inspect)
}

struct Inspect;
impl throng::mind::Behaviour<Town> for Inspect {
    fn start(&self, acting: &mut Acting<'_, Town>) -> Progress {
        Progress::Until(acting.now + 5)
    }
    fn go_on(&self, _: &mut Acting<'_, Town>) -> Progress {
        Progress::Done
    }
    fn end(&self, acting: &mut Acting<'_, Town>, how: Ending) {
        let noise = acting.word("noise");
        if how == Ending::Done {
            acting.memory.remove_if(|fact| fact.kind() == noise);
        }
    }
}

#[test]
fn a_guard_hears_inspects_and_returns() {
    let domain = Domain::from_text(GUARD).unwrap();
    let spec = domain.mind_spec(10).unwrap();
    let noise = spec.words.find("noise").unwrap();
    let mut minds = Minds::new(spec, body(), 1).unwrap();
    let guard = domain.npc_type("guard").unwrap();
    let id = minds.spawn(guard, EntityId(1)).unwrap();
    let mut town = Town::default();
    let mut done = Vec::new();
    let mut walks = Vec::new();
    for now in 0..200 {
        if now == 20 {
            minds.tell(id, Message::Stimulus(Stimulus::new(noise, [5.0, 5.0, 0.0]))).unwrap();
        }
        walks.retain(|&(at, to_noise, order)| {
            if at == now {
                town.at_noise = to_noise;
                minds.tell(id, Message::Done(order)).unwrap();
            }
            at != now
        });
        minds.tick(&town, now);
        for sent in minds.orders() {
            if let Order::Move { node, .. } = sent.order {
                walks.push((now + 10, node == noise, sent.id));
            }
        }
        for event in minds.events() {
            if let EventKind::Ended { doing: Activity::Step(action), how: Ending::Done, .. } =
                event.what
            {
                done.push(minds.spec().domain.map().action(action).to_string());
            }
        }
        if now == 27 {
            let text = minds.mind(id).unwrap().inspect(minds.spec(), now).to_string();
            println!("{text}");
        }
    }
    assert_eq!(done[..3], ["draw", "walk(noise)", "inspect"].map(String::from)[..].to_vec()[..]);
    assert_eq!(done[3], "walk(post)");
    assert_eq!(done.len(), 4);
    let mind = minds.mind(id).unwrap();
    assert_eq!(mind.doing(minds.spec()), "idle");
    assert!(mind.why(minds.spec(), 199).contains("holds"));
    println!("{:?} {} bytes", minds.totals(), minds.bytes());
}

#[test]
fn a_failed_step_is_not_started_again_before_there_is_another_plan() {
    let domain = Domain::from_text(GUARD).unwrap();
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body(), 1).unwrap();
    let id = minds.spawn(domain.npc_type("guard").unwrap(), EntityId(1)).unwrap();
    let (town, noise) = (Town::default(), minds.word("noise").unwrap());
    minds.tell(id, Stimulus::new(noise, [5.0, 5.0, 0.0])).unwrap();
    let mut diary = Vec::new();
    for now in 0..12 {
        minds.tick(&town, now);
        diary.extend(minds.events().iter().map(|event| minds.describe(event)));
        let orders: Vec<_> = minds.drain_orders().collect();
        assert!(minds.orders().is_empty(), "each order is handed out once");
        for sent in orders.iter().filter(|sent| matches!(sent.order, Order::Move { .. })) {
            minds.tell(id, Message::Failed(sent.id, noise)).unwrap();
        }
    }
    let failed = diary.iter().position(|line| line == "fails walk(noise): noise").unwrap();
    assert!(!diary[failed + 1..].iter().any(|line| line == "starts walk(noise)"), "{diary:#?}");
}

#[test]
fn a_reload_keeps_what_the_game_has_answered_itself() {
    let text = GUARD.replace("gun -> drawn\n", "gun -> drawn  if has_gun\n");
    let domain = Domain::from_text(&text).unwrap();
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body(), 1).unwrap();
    let id = minds.spawn(domain.npc_type("guard").unwrap(), EntityId(1)).unwrap();
    minds.set_check(id, domain.check("has_gun").unwrap(), false).unwrap();
    let town = Town::default();
    minds.tick(&town, 0);
    // Another check before it moves its number.
    let shout = "action shout: area -> quiet  if alone\naction draw:";
    let newer = text.replace("action draw:", shout);
    let newer = Domain::from_text(&newer).unwrap();
    minds.reload(newer.mind_spec(10).unwrap(), &town).unwrap();
    minds.tick(&town, 1);
    assert_eq!(minds.inspect(id).unwrap().false_checks, ["has_gun"]);
}

#[test]
fn two_hundred_guards_live_the_same_on_any_number_of_threads() {
    let lives = |threads: usize| {
        let domain = Domain::from_text(GUARD).unwrap();
        let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body(), threads).unwrap();
        let guard = domain.npc_type("guard").unwrap();
        let ids: Vec<_> = (0..200).map(|me| minds.spawn(guard, EntityId(me)).unwrap()).collect();
        let (town, noise) = (Town::default(), minds.word("noise").unwrap());
        let (mut diary, mut digests) = (Vec::new(), Vec::new());
        for now in 0..100 {
            // Not all hear the same, so that they differ.
            for &id in ids.iter().filter(|id| now % 40 == id.0 % 37) {
                minds.tell(id, Stimulus::new(noise, [5.0, 5.0, 0.0])).unwrap();
            }
            minds.tick(&town, now);
            diary.extend(minds.events().iter().map(|event| (*event, minds.describe(event))));
            digests.push(minds.digest());
        }
        assert!(diary.len() > 1000, "they do something");
        (diary, digests)
    };
    let alone = lives(1);
    assert!(alone == lives(2) && alone == lives(7));
}

#[test]
fn a_word_that_nobody_knows_is_told_with_the_nearest() {
    let domain = Domain::from_text(GUARD).unwrap();
    let minds = Minds::new(domain.mind_spec(10).unwrap(), body(), 1).unwrap();
    let unknown = minds.word("nois").unwrap_err().to_string();
    let told = "neither the file nor `Body::words` has the word `nois`; did you mean `noise`?";
    assert_eq!(unknown, told);
}

#[test]
fn a_reload_cancels_what_is_under_way_and_keeps_what_is_known() {
    let domain = Domain::from_text(GUARD).unwrap();
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body(), 1).unwrap();
    let id = minds.spawn(domain.npc_type("guard").unwrap(), EntityId(1)).unwrap();
    let town = Town::default();
    let noise = minds.spec().words.find("noise").unwrap();
    minds.tell(id, Message::Stimulus(Stimulus::new(noise, [5.0, 5.0, 0.0]))).unwrap();
    for now in 0..10 {
        minds.tick(&town, now);
    }
    assert_eq!(minds.mind(id).unwrap().doing(minds.spec()), "walk(noise)");
    // A new first line moves every number; `draw` is gone, so there is no plan any more.
    let text = GUARD.replace("var at:", "var mood: bad, good\nvar at:");
    let text = text.replace("action draw: gun -> drawn\n", "").replace("can draw, ", "can ");
    let newer = Domain::from_text(&text).unwrap();
    let result = minds.reload(newer.mind_spec(10).unwrap(), &town).unwrap();
    assert_eq!((result.kept, result.ended, result.values_lost), (1, 0, 0));
    let cancelled = |what| matches!(what, EventKind::Ended { how: Ending::Cancelled, .. });
    assert_eq!(minds.events().iter().filter(|event| cancelled(event.what)).count(), 1);
    minds.tick(&town, 10);
    let mind = minds.mind(id).unwrap();
    let view = mind.inspect(minds.spec(), 10);
    assert!(view.facts.iter().any(|fact| fact.kind == "noise" && fact.writer == "hear"));
    assert!(view.state.contains(&("gun".to_string(), Some("drawn".to_string()))), "{view}");
    assert_eq!(view.goal.as_deref(), Some("calm"));
    // Code that is missing leaves everything as it was.
    let worse = text + "sensor nose: every 1\n";
    let worse = Domain::from_text(&worse).unwrap().mind_spec(10).unwrap();
    let missing = minds.reload(worse, &town).unwrap_err();
    let nose = BodyError::NoCode { sensor: "nose".to_string(), hint: None };
    assert_eq!(missing.code.unwrap().all, [nose]);
    assert_eq!(minds.mind(id).unwrap().inspect(minds.spec(), 10), view);
}
