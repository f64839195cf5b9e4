//! Who is cloaked, and who is up on a perch.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, cover};
use crate::story_promises::{Court, is_broken};
use crate::tale::{tale, until};
use throng_mind::events::{Activity, EventKind};
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;
use throng_world::build::NodeDraft;
use throng_world::cell::Cell;
use throng_world::paths::{Manner, plain};
use throng_world::story::promise::Verdict;

fn say(place: &mut Place, me: EntityId, what: &str) -> String {
    let what = place.word(what);
    let order = Order::Other { what, on: None, name: Word::NONE, place: [0.0; 3], amount: 0.0 };
    let id = place.order(me, order);
    place.end_of(id).0
}

fn is_cloaked(place: &Place, who: EntityId) -> bool {
    place.world.actor(who).unwrap().cloaked
}

#[test]
fn who_is_cloaked_is_seen_from_near_only_until_he_strikes() {
    let mut place = Place::new(&["A.......B"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let (ann, bob) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "blue"));
    assert_eq!(say(&mut place, bob, "cloak"), "done");
    place.told(ann, "sight");
    place.steps(20);
    assert_eq!(place.told(ann, "sight"), 0, "too far");
    let shot = place.fight(ann, "fire", bob);
    assert_eq!(place.end_of(shot).0, "no_line", "nobody shoots at what he does not see");
    let near = place.go(bob, Cell::new(3, 0), "walk");
    assert_eq!(place.end_of(near).0, "done");
    place.told(ann, "sight");
    place.steps(20);
    assert_eq!(place.told(ann, "sight"), 4, "from three cells he is seen");
    assert!(is_cloaked(&place, bob));
    place.world.hurt(bob, 5, Word::NONE, Some(ann));
    assert!(is_cloaked(&place, bob), "who is hurt has not shown himself");
    let shot = place.fight(bob, "fire", ann);
    assert_eq!(place.end_of(shot).0, "done");
    assert!(!is_cloaked(&place, bob), "who fires is seen");
    assert_eq!(
        (say(&mut place, bob, "cloak"), say(&mut place, bob, "uncloak")),
        ("done".into(), "done".into())
    );
    assert!(!is_cloaked(&place, bob));
}

#[test]
fn a_perch_is_reached_and_left_by_leaping_alone() {
    let mut place = Place::new(&["A....P....B"]);
    let [a, b, p] = ['A', 'B', 'P'].map(|letter| place.mark(letter));
    let ann = place.soldier("ann", a, "red");
    let draft = NodeDraft { sort: "perch".to_string(), ..cover("shelf", p, &[]) };
    place.world.add_node(&draft, &mut place.words).unwrap();
    assert!(place.world.path(a, b, Manner::Run, &[], &plain).is_none(), "nobody walks through it");
    let (shelf, run, leap) = (place.word("shelf"), place.word("run"), place.word("leap"));
    let walk = place.order(ann, Order::Move { to: p.place(), node: shelf, manner: run });
    assert_eq!(place.end_of(walk).0, "no_path");
    let up = place.order(ann, Order::Move { to: p.place(), node: shelf, manner: leap });
    assert_eq!(place.end_of(up).0, "done");
    assert_eq!(place.world.actor(ann).unwrap().cell, p);
    let down = place.go(ann, a, "run");
    assert_eq!(place.end_of(down).0, "no_path");
    let down = place.go(ann, a, "leap");
    assert_eq!(place.end_of(down).0, "done");
}

#[test]
fn who_leaps_keeps_away_from_those_he_knows_of() {
    let mut rows = vec!["A...................B".to_string()];
    rows.extend((0..6).map(|_| ".".repeat(21)));
    let place = Place::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let [a, b] = ['A', 'B'].map(|letter| place.mark(letter));
    let eyes = [Cell::new(10, 0)];
    let cost = place.world.cost_of_nearness(&eyes);
    let path = place.world.path(a, b, Manner::Leap, &[], &cost).unwrap();
    assert!(path.cells.iter().all(|cell| !cell.is_within(eyes[0], 5)), "{path:?}");
}

#[test]
fn who_hunts_promises_to_stay_alone_and_unseen() {
    let more = "select prey: one of character(knowledge = alive)\n    score distance of it curve 0 1, 9 0\n";
    let promise = "soldier never starts shoot while 2 of red are within 5 of prey";
    let begun = |court: &Court| EventKind::Started {
        run: 1,
        doing: Activity::Step(court.action("shoot")),
        kind: None,
    };
    let mut court = Court::with(more, promise);
    court.moment.picks = vec![(0, "prey", "player")];
    court.moment.far = Some(6.0);
    let shoot = begun(&court);
    assert_eq!(court.at(4, &[shoot]).end(), Verdict::Kept(100));
    let mut court = Court::with(more, promise);
    court.moment.picks = vec![(0, "prey", "player")];
    court.moment.far = Some(4.0);
    is_broken(&court.at(4, &[shoot]).verdict(), 4, "soldier, other were within 5 of `player`");

    let promise = promise.replace("of red are", "of red in its view are");
    let mut court = Court::with(more, &promise);
    court.moment.picks = vec![(0, "prey", "player")];
    (court.moment.far, court.moment.seeing) = (Some(4.0), Vec::new());
    assert_eq!(court.at(4, &[shoot]).end(), Verdict::Kept(100), "it sees nobody");

    let promise = "player is cloaked within 1 while 2 of red could see it";
    let mut court = Court::of(promise);
    court.moment.seeing = vec![0];
    assert_eq!(court.at(60, &[]).verdict(), Verdict::Open, "one may see it");
    court.moment.seeing = vec![0, 1];
    court.moment.cloaked = vec![2];
    assert_eq!(court.at(90, &[]).verdict(), Verdict::Open, "cloaked");
    let mut court = Court::of(promise);
    court.moment.seeing = vec![0, 1];
    is_broken(
        &court.at(60, &[]).verdict(),
        11,
        "for more than 1.0 s soldier and other could see it",
    );
    let told = Court::refused("soldier is cloaked").join("\n");
    assert!(told.contains("`within SECONDS while N of SIDE could see it`"), "{told}");
}

/// Who sneaks up to whom he has picked as `target` sneaks: he does not run after him.
#[test]
fn who_sneaks_up_to_his_target_does_not_run() {
    for given in ["stalk(who in target)", "stalk"] {
        let does = if given == "stalk" { "sneak(target)" } else { "sneak" };
        let mut play = tale(&format!(
            "domain wood\nbody kit\nsensor self: every 0 keeps 1\nsensor see: on sight keeps 9\n\
             sensor lose: every 0.3 keeps 9\nselect target: one of character(knowledge = alive)\n\
             var near: bool\nsymbol near: true if target(distance < 2), false\n\
             action {given}: near -> true  does {does}\ngoal there: near = true  relevance if target\n\
             npc wolf\n    can stalk\n    wants there\n\
             story wood \"It creeps.\" lasts 12\n\
             map \"####################\" \"#w.............d...#\" \"####################\"\n\
             actor wolf at w: npc wolf side wolves weapon none\n\
             actor deer at d: player side herd weapon none\n\
             promise wolf is within 2 of deer by 12\n"
        ));
        // At two cells a second, and five for who runs.
        until(&mut play, 4.0);
        let wolf = play.world().actor(play.cast().handle(0).unwrap()).unwrap();
        assert!((4..=9).contains(&wolf.cell.x), "{given}: at {}", wolf.cell.x);
        while play.tick() {}
        assert!(play.is_kept(), "{given}");
    }
}
