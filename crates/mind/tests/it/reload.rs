//! A new file under living minds: who goes on, who stands in its way, and that a refusal leaves
//! no trace.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_mind::body::{Acting, Body, Ending, Progress};
use throng_mind::events::EventKind;
use throng_mind::fact::EntityId;
use throng_mind::orders::{MindId, Order};
use throng_mind::{Minds, TypeGone};

const VILLAGE: &str = "domain village
var at: home, field
action walk(place in at): at -> place
goal out: at = field
npc farmer
    can walk
    wants out
    starts at = home
npc smith
    can walk
    wants out
    starts at = home
npc priest
    can walk
    wants out
    starts at = home
";

/// Three farmers and two smiths on their way, and no priest.
fn village() -> (Minds<()>, Vec<MindId>) {
    let walk = |acting: &mut Acting<'_, ()>| {
        let to = acting.parameter(0).unwrap();
        acting.board.order(Order::Move { to: [0.0; 3], node: to, manner: to });
        Progress::Waiting
    };
    let spec = spec(VILLAGE);
    let npc = |name| spec.domain.map().find_npc(name).unwrap();
    let types = [npc("farmer"), npc("smith"), npc("farmer"), npc("farmer"), npc("smith")];
    let mut minds = Minds::new(spec, Body::new().behaviour("walk", walk), 1).unwrap();
    let ids = (1..).zip(types).map(|(me, npc)| minds.spawn(npc, EntityId(me)).unwrap()).collect();
    minds.tick(&(), 0);
    minds.drain_orders().for_each(drop);
    (minds, ids)
}

#[test]
fn a_type_that_is_gone_refuses_the_new_file_and_everything_stays() {
    let (mut minds, ids) = village();
    assert!(minds.record().is_ok());
    let (digest, events) = (minds.digest(), minds.events().to_vec());
    let doing = |minds: &Minds<()>| {
        ids.iter().map(|&id| minds.mind(id).unwrap().doing(minds.spec())).collect::<Vec<_>>()
    };
    let before = doing(&minds);
    // Two letters in the wrong order, and everything else as it was.
    let error = minds.reload(spec(&VILLAGE.replace("npc farmer", "npc framer")), &()).unwrap_err();
    let gone =
        TypeGone { name: "farmer".to_string(), minds: 3, nearest: Some("framer".to_string()) };
    assert_eq!(error.gone, [gone]);
    assert_eq!(
        error.to_string(),
        "the new file has no NPC type `farmer`, which 3 minds are of, and none that `was farmer` \
         (did you mean `framer`?); the old version stays"
    );
    assert_eq!((minds.digest(), minds.events()), (digest, &events[..]));
    assert!(minds.orders().is_empty(), "nothing was cancelled");
    assert!(minds.entries().unwrap().is_empty(), "nothing was written down");
    assert_eq!(doing(&minds), before);
    assert!(minds.spec().domain.map().find_npc("farmer").is_some());
    // They go on as others do who never heard of the new file.
    let (mut others, _) = village();
    for now in 1..20 {
        minds.tick(&(), now);
        others.tick(&(), now);
        assert_eq!(minds.events(), others.events());
        assert_eq!(minds.digest(), others.digest());
    }
}

#[test]
fn all_types_that_are_gone_are_told_at_once_with_how_many_minds() {
    let (mut minds, _) = village();
    let newer = VILLAGE.replace("npc farmer", "npc peasant").replace("npc smith", "npc smithy");
    let newer = newer.replace("npc priest", "npc nun");
    let error = minds.reload(spec(&newer), &()).unwrap_err();
    let told: Vec<_> = error.gone.iter().map(|gone| (gone.name.as_str(), gone.minds)).collect();
    assert_eq!(told, [("farmer", 3), ("smith", 2)], "nobody is a priest");
    let text = error.to_string();
    assert!(text.contains("`farmer`, which 3 minds are of"), "{text}");
    assert!(text.contains("`smith`, which 2 minds are of"), "{text}");
    assert!(text.ends_with(" (did you mean `smithy`?); the old version stays"), "{text}");
}

#[test]
fn a_type_without_minds_may_go() {
    let (mut minds, _) = village();
    let newer = VILLAGE.split("npc priest").next().unwrap();
    let reloaded = minds.reload(spec(newer), &()).unwrap();
    assert_eq!((reloaded.kept, reloaded.ended), (5, 0));
}

#[test]
fn a_type_with_another_name_carries_its_minds_over() {
    let (mut minds, ids) = village();
    let newer = VILLAGE.replace("npc farmer\n", "npc peasant\n    was farmer\n");
    let reloaded = minds.reload(spec(&newer), &()).unwrap();
    assert_eq!((reloaded.kept, reloaded.ended, reloaded.values_lost), (5, 0, 0));
    let peasant = minds.spec().domain.map().find_npc("peasant").unwrap();
    assert_eq!(minds.mind(ids[0]).unwrap().npc(), peasant);
}

#[test]
fn who_says_so_ends_those_whose_type_is_gone() {
    let (mut minds, ids) = village();
    let newer = spec(&VILLAGE.replace("npc farmer", "npc framer"));
    let reloaded = minds.reload_and_end(newer, &()).unwrap();
    assert_eq!((reloaded.kept, reloaded.ended), (2, 3));
    assert_eq!(minds.len(), 2);
    let is_end = |what| matches!(what, EventKind::Ended { how: Ending::Cancelled, .. });
    let ends = minds.events().iter().filter(|event| is_end(event.what));
    let cancelled = minds.orders().iter().filter(|sent| matches!(sent.order, Order::Cancel(_)));
    assert_eq!((ends.count(), cancelled.count()), (5, 5), "whoever goes on thinks anew");
    assert!(ids.iter().filter(|&&id| minds.mind(id).is_some()).eq([&ids[1], &ids[4]]));
}

#[test]
fn missing_code_and_types_that_are_gone_are_told_together() {
    let (mut minds, _) = village();
    let worse = VILLAGE.replace("npc smith", "npc smithy") + "sensor nose: every 1\n";
    for ending in [false, true] {
        let worse = spec(&worse);
        let refused =
            if ending { minds.reload_and_end(worse, &()) } else { minds.reload(worse, &()) };
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("`nose`"), "{text}");
        assert_eq!(text.contains("`smith`"), !ending, "{text}");
        assert!(text.ends_with("the old version stays"), "{text}");
    }
    assert_eq!(minds.len(), 5);
}
