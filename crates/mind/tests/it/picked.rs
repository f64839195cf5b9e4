//! What slots name, step by step: parameters are fixed, values are about one thing, what names an
//! empty slot does not begin; and what the game keeps for minds is saved.

use crate::common::spec;
use throng_mind::events::Activity;
use throng_mind::prelude::*;
use throng_mind::select::Key;

fn minds(text: &str) -> Minds<()> {
    let body = Body::new().words(&["dead", "alive"]).for_many_files();
    Minds::new(spec(text), body, 1).unwrap()
}

/// A thing is there, or something is known of it.
fn fact(minds: &Minds<()>, kind: &str, object: u64) -> FactDraft {
    let kind = minds.spec().words.find(kind).unwrap();
    FactDraft::new(kind).with(Attribute::Object, EntityId(object), 1.0)
}

fn tell(minds: &mut Minds<()>, id: MindId, kind: &str, object: u64) {
    let fact = fact(minds, kind, object);
    minds.tell(id, Message::Told(Box::new(fact))).unwrap();
}

fn untell(minds: &mut Minds<()>, id: MindId, kind: &str, object: u64) {
    let fact = fact(minds, kind, object);
    minds.tell(id, Message::Untold(Box::new(fact))).unwrap();
}

fn shown(minds: &Minds<()>) -> Vec<String> {
    let spec = minds.spec();
    let name = |doing: Activity| spec.domain.map().action(doing.action().unwrap()).to_string();
    let show = |event: &Event| match event.what {
        EventKind::Started { doing, .. } => Some(format!("starts {}", name(doing))),
        EventKind::Ended { doing, how, .. } => Some(format!("{how:?} {}", name(doing))),
        _ => None,
    };
    minds.events().iter().filter_map(show).collect()
}

const WALK: &str = "domain walk
select spot: one of place   score index of it else 0.5
var at: nowhere, any spot
var seen(p in spot): bool
action goto(p in spot): at -> p   takes 2
action look(p in spot): seen(p) -> true   while at = p   takes 1
goal looked: seen(spot) = true
npc one
    can goto, look
    wants looked
    starts at = nowhere, seen(spot) = false
";

#[test]
fn what_is_under_way_does_not_go_on_about_another_thing() {
    let mut minds = minds(WALK);
    let id = minds.spawn("one", EntityId(1)).unwrap();
    tell(&mut minds, id, "place", 7);
    minds.tick(&(), 1);
    assert_eq!(shown(&minds), ["starts goto(spot)"]);
    // It is gone, and another takes its name: the way there is another way.
    untell(&mut minds, id, "place", 7);
    tell(&mut minds, id, "place", 8);
    minds.tick(&(), 2);
    assert_eq!(minds.mind(id).unwrap().picks().get(0).unwrap().key, Key::Entity(EntityId(8)));
    assert_eq!(shown(&minds), ["Cancelled goto(spot)", "starts goto(spot)"]);
}

#[test]
fn what_was_seen_of_one_thing_is_not_known_of_the_next() {
    let mut minds = minds(WALK);
    let id = minds.spawn("one", EntityId(1)).unwrap();
    tell(&mut minds, id, "place", 7);
    let mut now = 0;
    let mut until = |minds: &mut Minds<()>, what: &str| {
        for _ in 0..100 {
            now += 1;
            minds.tick(&(), now);
            if shown(minds).iter().any(|it| it == what) {
                return;
            }
        }
        panic!("never: {what}");
    };
    until(&mut minds, "Done look(spot)");
    untell(&mut minds, id, "place", 7);
    tell(&mut minds, id, "place", 8);
    until(&mut minds, "starts goto(spot)");
    until(&mut minds, "Done look(spot)");
}

#[test]
fn what_is_done_without_a_plan_waits_until_its_slot_holds_something() {
    let mut minds = minds(
        "domain d\nselect spot: one of place   score 0.5\nvar at: nowhere, any spot\n\
         action stay: at -> nowhere\naction gaze: while at = spot   takes 0.2\n\
         goal g: at = nowhere   relevance if never\n\
         npc one\n    can stay, gaze\n    wants g\n    otherwise gaze\n    starts at = spot\n",
    );
    let id = minds.spawn("one", EntityId(1)).unwrap();
    for now in 1..10 {
        minds.tick(&(), now);
        assert_eq!(shown(&minds), [""; 0], "tick {now}");
    }
    tell(&mut minds, id, "place", 7);
    minds.tick(&(), 10);
    assert_eq!(shown(&minds), ["starts gaze"]);
}

#[test]
fn what_is_done_without_a_plan_cools_even_if_it_is_doubted() {
    let mut minds = minds(
        "domain d\nvar a: no, yes\naction try: a -> yes   takes 0.1   cooldown 2\n\
         action rest: a -> no\ngoal g: a = no\n\
         symbol a: no\nsensor see: on light\n\
         npc one\n    can try, rest\n    wants g\n    otherwise try\n    doubt 1 for 1\n",
    );
    minds.spawn("one", EntityId(1)).unwrap();
    let mut starts = Vec::new();
    for now in 1..60 {
        minds.tick(&(), now);
        if shown(&minds).iter().any(|it| it == "starts try") {
            starts.push(now);
        }
    }
    assert!(starts.len() > 1 && starts.windows(2).all(|it| it[1] - it[0] >= 20), "{starts:?}");
}

#[test]
fn a_pick_that_is_kept_speaks_of_a_fact_that_is_there() {
    let mut minds = minds(
        "domain d\nselect spot: one of place   where not fire   keep 5   every 0\n\
         var a: no, yes\naction go: a -> yes\ngoal g: a = yes   relevance if spot(knowledge = dead)\n\
         npc one\n    can go\n    wants g\n    starts a = no\n",
    );
    let id = minds.spawn("one", EntityId(1)).unwrap();
    tell(&mut minds, id, "place", 7);
    minds.tick(&(), 1);
    let first = minds.mind(id).unwrap().picks().get(0).unwrap().fact;
    // It burns, so the place is kept for a while; and what is known of the place is told anew.
    tell(&mut minds, id, "fire", 9);
    minds.tick(&(), 2);
    let dead = minds.spec().words.find("dead").unwrap();
    untell(&mut minds, id, "place", 7);
    let anew = fact(&minds, "place", 7).with(Attribute::Knowledge, dead, 1.0);
    minds.tell(id, Message::Told(Box::new(anew))).unwrap();
    minds.tick(&(), 3);
    let mind = minds.mind(id).unwrap();
    let pick = mind.picks().get(0).unwrap();
    assert_eq!(pick.key, Key::Entity(EntityId(7)));
    assert!(pick.fact != first && mind.memory().get(pick.fact).is_some());
    assert_eq!(shown(&minds), ["starts go"]);
}

#[test]
fn after_a_compound_nothing_begins_that_is_not_there_any_more() {
    let mut minds = minds(
        "domain d\nvar a: no, yes\nvar b: no, yes\nvar c: no, yes\n\
         action one: a -> yes   takes 0.3\naction two: b -> yes   takes 0.3\n\
         action three: c -> yes   while b = yes   if open\ncompound both: one, two   cost 0.1\n\
         goal g: c = yes\ncheck open: told\n\
         npc one\n    can both, three\n    wants g\n    starts a = no, b = no, c = no\n",
    );
    let id = minds.spawn("one", EntityId(1)).unwrap();
    minds.tick(&(), 1);
    assert_eq!(shown(&minds), ["starts both"]);
    minds.set_check(id, "open", false).unwrap();
    for now in 2..20 {
        minds.tick(&(), now);
        assert!(!shown(&minds).iter().any(|it| it == "starts three"), "tick {now}");
    }
}

#[test]
fn what_the_game_keeps_for_a_mind_is_saved_whether_or_not_the_file_picks_anything() {
    let text = "domain d\nvar a: no, yes\naction go: a -> yes\ngoal g: a = yes\n\
                npc one\n    can go\n    wants g\n    starts a = no\n";
    let mut one = minds(text);
    let id = one.spawn("one", EntityId(1)).unwrap();
    one.tick(&(), 1);
    assert!(one.claim(id, Key::Entity(EntityId(5))).unwrap());
    let mut two = minds(text);
    two.restore(&one.save()).unwrap();
    assert_eq!((two.claims(), two.digest()), (one.claims(), one.digest()));
}

#[test]
fn what_a_mind_was_given_and_asks_for_counts_once() {
    let mut minds = minds(&WALK.replace("0.5\n", "0.5   claims 2\n"));
    let ids = [1, 2].map(|me| minds.spawn("one", EntityId(me)).unwrap());
    minds.claim(ids[0], Key::Entity(EntityId(7))).unwrap();
    ids.iter().for_each(|&id| tell(&mut minds, id, "place", 7));
    (1..4).for_each(|now| minds.tick(&(), now));
    let holders: Vec<MindId> = minds.claims().iter().map(|claim| claim.mind).collect();
    assert_eq!(holders, ids);
}

#[test]
fn own_names_of_attributes_are_known_of_what_all_share() {
    let minds = minds(
        "domain d\nfact hunger: amount as level\nvar a: no, yes\naction eat: a -> yes\n\
         goal g: a = yes   relevance level of shared hunger curve 0 0, 9 1\n\
         npc one\n    can eat\n    wants g\n",
    );
    assert_eq!(minds.spec().goals[0].relevance.len(), 1);
}
