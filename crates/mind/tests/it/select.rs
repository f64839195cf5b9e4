//! What is picked, when it is exchanged, and what a mind believes of it meanwhile.

use crate::common::spec;
use throng_base::SplitMix;
use throng_mind::events::Activity;
use throng_mind::fact::Value;
use throng_mind::prelude::*;
use throng_mind::select::{Key, PickReason};

const HUNT: &str = "domain hunt
var threat: none, alive, dead
select target: one of character(knowledge = alive)
    score distance of it curve 0 1, 20 0.3   margin 0.1   keep 0.2
sensor see: every 0.1 keeps 3
symbol threat: alive if target(knowledge = alive), dead if target, none
action attack: threat alive -> dead
action wait: takes 1
goal kill: threat = dead   relevance if target
npc hunter
    can attack, wait
    wants kill
    otherwise wait
";

/// Somebody who may be shot at.
#[derive(Clone, Copy, Debug)]
struct Prey {
    id: u64,
    at: f32,
    alive: bool,
    /// Whether its body can be seen.
    there: bool,
}

type Field = Vec<Prey>;

fn see(s: &mut Sensing<'_, Field>) -> Work {
    for prey in s.world.iter().filter(|prey| prey.there) {
        let knowledge = s.word(if prey.alive { "alive" } else { "dead" });
        let fact = s.fact("character").with(Attribute::Object, EntityId(prey.id), 1.0);
        let fact = fact.with(Attribute::Position, [prey.at, 0.0, 0.0], 1.0);
        s.remember_one(fact.with(Attribute::Knowledge, knowledge, 1.0), &[Attribute::Object]);
    }
    s.forget_the_rest();
    Work::Light
}

/// Shoots at whom he has picked, and follows that.
struct Attack;

impl Behaviour<Field> for Attack {
    fn start(&self, a: &mut Acting<'_, Field>) -> Progress {
        let Some(target) = a.picked("target").and_then(|pick| pick.key.entity()) else {
            return Progress::Failed(Word::NONE);
        };
        *a.state = target.0;
        a.board.order(Order::Target { at: Some(target) });
        Progress::Running
    }

    fn go_on(&self, a: &mut Acting<'_, Field>) -> Progress {
        if a.board.progress() == Progress::Done {
            return Progress::Done;
        }
        let target = a.picked("target").and_then(|pick| pick.key.entity());
        if target.is_some_and(|target| target.0 != *a.state) {
            let open: Vec<OrderId> = a.board.orders().map(|(id, _)| id).collect();
            open.into_iter().for_each(|id| _ = a.board.cancel(id));
            return self.start(a);
        }
        Progress::Running
    }
}

fn hunters(text: &str) -> Minds<Field> {
    let body = Body::new().sensor("see", see).behaviour("attack", Attack).words(&["dead"]);
    Minds::new(spec(text), body, 1).unwrap()
}

/// Prey dies, comes and goes; whoever is shot at dies after a while, and the order ends some ticks
/// later.
struct Hunt {
    dice: SplitMix,
    field: Field,
    /// Orders under way: when they hit, when they end, and whom.
    shots: Vec<(MindId, OrderId, Tick, Tick, u64)>,
    kills: u32,
    last: u64,
}

impl Hunt {
    fn new(seed: u64) -> Self {
        let prey = |id| Prey { id, at: id as f32 * 3.0, alive: true, there: true };
        let field = (1..=4).map(prey).collect();
        Hunt { dice: SplitMix::new(seed), field, shots: Vec::new(), kills: 0, last: 4 }
    }

    fn step(&mut self, minds: &mut Minds<Field>, now: Tick) {
        for order in minds.drain_orders() {
            match order.order {
                Order::Target { at: Some(at) } => {
                    let hits = now + 1 + self.dice.below(5) as Tick;
                    let ends = hits + self.dice.below(4) as Tick;
                    self.shots.push((order.mind, order.id, hits, ends, at.0));
                }
                Order::Cancel(id) => self.shots.retain(|it| (it.0, it.1) != (order.mind, id)),
                _ => {}
            }
        }
        for &(_, _, hits, _, at) in &self.shots {
            let prey = self.field.iter_mut().find(|prey| prey.id == at);
            if let Some(prey) = prey.filter(|prey| hits == now && prey.alive) {
                prey.alive = false;
                self.kills += 1;
            }
        }
        let (ended, open) = self.shots.drain(..).partition::<Vec<_>, _>(|it| it.3 <= now);
        self.shots = open;
        for (mind, id, ..) in ended {
            minds.tell(mind, Message::Done(id)).unwrap();
        }
        let at = self.dice.below(self.field.len());
        let prey = &mut self.field[at];
        match self.dice.below(24) {
            0 => prey.alive = false,
            // Another comes in its place.
            1 if !prey.alive => {
                self.last += 1;
                *prey = Prey { id: self.last, alive: true, there: true, ..*prey };
            }
            2 => prey.at = self.dice.below(20) as f32,
            3 if !prey.alive => prey.there = false,
            _ => {}
        }
    }
}

#[test]
fn no_kill_is_without_effect_and_no_attack_that_killed_is_doubted() {
    let (mut kills, mut done, mut picked) = (0, 0, 0);
    for seed in 0..300 {
        // Whom he shoots at is exchanged by margin, time, death, and because bodies go.
        let every = ["0", "0.1", "0.3", "0.5"][seed as usize % 4];
        let text = HUNT.replace("every 0.1 keeps", &format!("every {every} keeps"));
        let mut minds = hunters(&text);
        let mut hunt = Hunt::new(seed);
        (1..=3).for_each(|me| _ = minds.spawn("hunter", EntityId(100 + me)).unwrap());
        for now in 1..200 {
            minds.tick(&hunt.field, now);
            for event in minds.events() {
                match event.what {
                    EventKind::NoEffect(_) | EventKind::Doubted(_) => {
                        panic!("seed {seed} at {now}: {event:?}")
                    }
                    EventKind::Ended { doing: Activity::Step(_), how: Ending::Done, .. } => {
                        done += 1
                    }
                    EventKind::Picked { .. } => picked += 1,
                    _ => {}
                }
            }
            hunt.step(&mut minds, now);
        }
        kills += hunt.kills;
    }
    assert!(kills > 3_000 && done > 3_000 && picked > 6_000, "{kills} {done} {picked}");
}

fn key(id: u64) -> Key {
    Key::Entity(EntityId(id))
}

fn picked(minds: &Minds<Field>) -> Vec<(Key, PickReason)> {
    let events = minds.events().iter();
    let picked = events.filter_map(|event| match event.what {
        EventKind::Picked { now, why, .. } => Some((now, why)),
        _ => None,
    });
    picked.collect()
}

#[test]
fn who_killed_one_turns_to_the_next_in_the_tick_that_he_sees_it() {
    let mut minds = hunters(HUNT);
    let id = minds.spawn("hunter", EntityId(100)).unwrap();
    let prey = |id, at| Prey { id, at, alive: true, there: true };
    let mut field = vec![prey(1, 3.0), prey(2, 6.0)];
    minds.tick(&field, 1);
    assert_eq!(picked(&minds), [(key(1), PickReason::Best)]);
    assert_eq!(minds.orders()[0].order, Order::Target { at: Some(EntityId(1)) });
    for now in 2..5 {
        minds.tick(&field, now);
    }
    field[0].alive = false;
    minds.tick(&field, 5);
    // The attack has done its part, though its order has not ended; another is begun at once.
    assert_eq!(picked(&minds), [(key(2), PickReason::Gone)]);
    let ended = minds.events().iter().any(|event| {
        matches!(event.what, EventKind::Ended { how: Ending::Done, doing: Activity::Step(_), .. })
    });
    assert!(ended, "{:?}", minds.events());
    let last = minds.orders().last().unwrap();
    assert_eq!(last.order, Order::Target { at: Some(EntityId(2)) });
    let mind = minds.mind(id).unwrap();
    assert_eq!(mind.plan().cause(), Some(throng_mind::events::Cause::Reselected));
}

#[test]
fn a_margin_and_a_time_hold_a_pick_and_death_does_not() {
    let text = HUNT.replace("keep 0.2", "keep 0.5");
    let mut minds = hunters(&text);
    minds.spawn("hunter", EntityId(100)).unwrap();
    let prey = |id, at| Prey { id, at, alive: true, there: true };
    let mut field = vec![prey(1, 10.0), prey(2, 10.5)];
    minds.tick(&field, 1);
    assert_eq!(picked(&minds), [(key(1), PickReason::Best)]);
    // Nearer by less than the margin.
    field[1].at = 9.0;
    (2..20).for_each(|now| minds.tick(&field, now));
    assert_eq!(minds.iter().next().unwrap().picks().get(0).unwrap().key, key(1));
    // Nearer by more, after the time; and dead before it.
    field[1].at = 1.0;
    minds.tick(&field, 20);
    assert_eq!(picked(&minds), [(key(2), PickReason::Better)]);
    field[1].alive = false;
    minds.tick(&field, 21);
    assert_eq!(picked(&minds), [(key(1), PickReason::Gone)]);
    field[0].there = false;
    minds.tick(&field, 22);
    assert_eq!(picked(&minds), [(Key::None, PickReason::Gone)]);
}

#[test]
fn what_fails_only_the_filter_stays_for_its_time() {
    let text = HUNT.replace("score", "where not damage(object = it)\n    score");
    let text = text.replace("keep 0.2", "keep 0.5");
    let mut minds = hunters(&text);
    let id = minds.spawn("hunter", EntityId(100)).unwrap();
    let field = vec![Prey { id: 1, at: 3.0, alive: true, there: true }];
    (1..10).for_each(|now| minds.tick(&field, now));
    let damage = minds.spec().words.find("damage").unwrap();
    let hurt = FactDraft::new(damage).with(Attribute::Object, Value::Entity(EntityId(1)), 1.0);
    minds.tell(id, Message::Told(Box::new(hurt.keep(30)))).unwrap();
    let gone: Vec<Tick> = (10..40)
        .filter(|&now| {
            minds.tick(&field, now);
            picked(&minds) == [(Key::None, PickReason::Gone)]
        })
        .collect();
    assert_eq!(gone, [15], "half a second after it failed");
}

#[test]
fn what_was_picked_is_explained() {
    let text = HUNT.replace("score", "where not damage(object = it)\n    score");
    let mut minds = hunters(&text);
    let id = minds.spawn("hunter", EntityId(100)).unwrap();
    let prey = |id, at| Prey { id, at, alive: true, there: true };
    let damage = minds.spec().words.find("damage").unwrap();
    let hurt = FactDraft::new(damage).with(Attribute::Object, Value::Entity(EntityId(3)), 1.0);
    minds.tell(id, Message::Told(Box::new(hurt.keep(300)))).unwrap();
    minds.tick(&vec![prey(1, 20.0), prey(2, 10.0), prey(3, 1.0)], 1);
    let why = minds.why_picked(id, "target").unwrap();
    let told: Vec<_> = why.candidates.iter().map(|it| (it.key, it.left_out)).collect();
    let left_out = Some(throng_mind::inspect::LeftOut::Filter);
    assert_eq!(told, [(key(2), None), (key(1), None), (key(3), left_out)]);
    assert_eq!(why.candidates[0].factors, [0.65]);
    assert!((why.bar.unwrap() - 0.65 * 1.1).abs() < 1e-6);
    assert_eq!((why.slots.len(), why.slots[0].key), (1, key(2)));
    assert!(minds.why_picked(id, "cover").is_none());
    let shown = minds.inspect(id).unwrap().to_string();
    assert!(shown.contains("picks  target = #2 (0.65)"), "{shown}");
}

#[test]
fn selections_that_wait_for_each_other_are_told() {
    let text = HUNT.replace(
        "sensor see",
        "select a: one of x(source = b)\nselect b: one of x(source = a)\nsensor see",
    );
    let told = crate::spec::mistakes(&text);
    assert!(told.iter().any(|text| text.contains("in a circle: `a`, `b`")), "{told:?}");
}

const HIDE: &str = "domain hide
var place: open, any cover
var fit: yes, no
select cover: best 2 of spot(knowledge = free)
    where distance of it < 9
    score distance of it curve 0 1, 20 0.1   claims
sensor see: every 0.1 keeps 3
symbol place: object of self, open
action goto(spot in place except open): place -> spot   takes 9
action limp(spot in cover): place -> spot   while fit = no
action heal: fit -> yes   cooldown 5
goal hidden: place = cover
npc hider
    can goto, limp, heal
    wants hidden
    starts place = open, fit = yes
";

/// Spots at these distances.
fn look_for_spots(s: &mut Sensing<'_, Vec<f32>>) -> Work {
    for (id, &at) in (1..).zip(s.world) {
        let knowledge = s.word("free");
        let fact = s.fact("spot").with(Attribute::Object, EntityId(id), 1.0);
        let fact = fact.with(Attribute::Position, [at, 0.0, 0.0], 1.0);
        s.remember_one(fact.with(Attribute::Knowledge, knowledge, 1.0), &[Attribute::Object]);
    }
    s.forget_the_rest();
    Work::Light
}

fn hiders(n: u64) -> Minds<Vec<f32>> {
    let body = Body::new().sensor("see", look_for_spots);
    let mut minds = Minds::new(spec(HIDE), body, 1).unwrap();
    (1..=n).for_each(|me| _ = minds.spawn("hider", EntityId(100 + me)).unwrap());
    minds
}

#[test]
fn an_empty_selection_says_why_it_is_empty() {
    use throng_mind::inspect::{EmptyReason, LeftOut};
    let mut minds = hiders(2);
    let cover = minds.spec().selects[0].select;
    let far = LeftOut::Filter;
    for (now, (world, why)) in (1..).zip([
        (vec![], Some(EmptyReason::Unknown)),
        (vec![12.0], Some(EmptyReason::LeftOut(far))),
        (vec![12.0, 3.0], None),
    ]) {
        // More than the time between two looks passes.
        (0..10).for_each(|more| minds.tick(&world, now * 10 + more));
        assert_eq!(minds.why_empty(MindId(1), cover), why, "{world:?}");
    }
    // One has the only spot; for the other it is taken.
    let taken = EmptyReason::LeftOut(LeftOut::Taken);
    assert_eq!(minds.why_empty(MindId(2), cover), Some(taken));
    let seen = minds.inspect(MindId(2)).unwrap();
    assert_eq!(seen.picks[0].why, "claimed by others");
    let text = seen.to_string();
    let lacks = "not there: goto(cover.1), limp(cover.1): nothing is picked as `cover.1`";
    assert!(text.contains("\n  picks  cover.1 empty: claimed by others\n"), "{text}");
    assert!(text.contains(lacks), "{text}");
    let seen = minds.inspect(MindId(1)).unwrap();
    assert_eq!(seen.picks[1].why, "there is no other candidate");
}

#[test]
fn why_an_action_is_not_done_is_told() {
    let mut minds = hiders(1);
    (1..20).for_each(|now| minds.tick(&vec![3.0, 12.0], now));
    let spec = minds.spec();
    let mind = minds.mind(MindId(1)).unwrap();
    let why =
        |name: &str| mind.why_not(spec, spec.domain.map().find_action(name).unwrap(), minds.now());
    assert_eq!(why("goto(cover.1)"), "`goto(cover.1)` is under way");
    let empty = "`goto(cover.2)` is not there: nothing is picked as `cover.2`";
    assert_eq!(why("goto(cover.2)"), empty);
    assert!(why("limp(cover.1)").starts_with("for `hidden`: `limp(cover.1)` can never be done"));
    assert!(why("heal").starts_with("for `hidden`: the cheapest plan with `heal` costs "));
    assert!(why("heal").ends_with("that plan works without it"), "{}", why("heal"));
}

#[test]
fn texts_show_what_slots_hold() {
    use throng_mind::inspect::with_held;
    let mut minds = hiders(1);
    (1..20).for_each(|now| minds.tick(&vec![3.0], now));
    let (spec, mind) = (minds.spec(), minds.mind(MindId(1)).unwrap());
    let name = |thing: EntityId| format!("c{}", thing.0);
    let shown = |text: &str, both| with_held(spec, mind, text, both, &name);
    assert_eq!(shown("plans goto(cover.1), goto(cover.2)", false), "plans goto(c1), goto(cover.2)");
    assert_eq!(shown("goto(cover.1)", true), "goto(cover.1=c1)");
    assert_eq!(shown("cover.1 and (open", false), "cover.1 and (open");
}

#[test]
fn without_a_plan_the_obstacle_of_the_nearest_alternative_is_told() {
    for goal in ["m = b or n = y and k = y", "n = y and k = y or m = b"] {
        let text = format!(
            "domain d\nvar m: a, b\nvar n: x, y\nvar k: x, y\naction go: m a -> b if open_gate\n\
             goal out: {goal}\nnpc guard\n    can go\n    wants out\n    starts m = a, n = x, k = x\n"
        );
        let mut minds = Minds::<()>::new(spec(&text), Body::new(), 1).unwrap();
        let guard = minds.spawn("guard", EntityId(1)).unwrap();
        minds.set_check(guard, "open_gate", false).unwrap();
        minds.tick(&(), 1);
        let why = minds.mind(guard).unwrap().why_no_plan(minds.spec(), 1).unwrap();
        assert!(why.ends_with("but the check `open_gate` is false"), "{goal}: {why}");
    }
}

#[test]
fn without_a_plan_the_obstacle_of_the_cheapest_way_is_told() {
    for (shoot, throw, lacks) in [(2, 5, "rounds"), (5, 2, "grenade"), (3, 3, "rounds")] {
        let text = format!(
            "domain d\nvar foe: there, gone\nvar rounds: none, some\nvar grenade: none, some\n\
             action shoot: foe -> gone while rounds = some cost {shoot}\n\
             action throw: foe -> gone while grenade = some cost {throw}\n\
             goal win: foe = gone\nnpc guard\n    can shoot, throw\n    wants win\n\
             \u{20}   starts foe = there, rounds = none, grenade = none\n"
        );
        let mut minds = Minds::<()>::new(spec(&text), Body::new(), 1).unwrap();
        let guard = minds.spawn("guard", EntityId(1)).unwrap();
        minds.tick(&(), 1);
        let why = minds.mind(guard).unwrap().why_no_plan(minds.spec(), 1).unwrap();
        assert!(why.contains(&format!(" needs `{lacks} = some`")), "{why}");
    }
}
