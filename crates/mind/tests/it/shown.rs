//! Steps that count and show what they do early, late, little by little or never, beside amounts that
//! move by themselves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_mind::events::{Activity, EventKind};
use throng_mind::prelude::*;

/// What the senses see of the amount that the domain is about.
struct World {
    amount: f32,
}

/// When a step's effect shows.
#[derive(Clone, Copy)]
enum When {
    /// So many ticks after its beginning, if it is still under way.
    After(u32),
    /// Little by little, from its beginning on, in so many ticks; no more if it is ended.
    Within(u32),
    /// So many ticks after its end; 0: before the next tick.
    Late(u32),
    Never,
}

/// What came of a life.
struct Life {
    minds: Minds<World>,
    world: World,
    /// Plans made, steps begun and ended, in order and in words, each with its tick.
    diary: Vec<(u32, String)>,
}

const MIND: MindId = MindId(1);

impl Life {
    fn told(&self) -> Vec<&str> {
        self.diary.iter().map(|(_, line)| line.as_str()).collect()
    }

    fn count(&self, start: &str) -> usize {
        self.diary.iter().filter(|(_, line)| line.starts_with(start)).count()
    }

    fn amount(&self, name: &str) -> i64 {
        self.minds.amount(MIND, name).unwrap()
    }
}

/// Lives some ticks of a domain whose `step` moves the amount `by`; besides it moves by `drift` in a
/// tick.
fn live(
    text: &str,
    step: &str,
    when: When,
    (start, by, drift): (f32, f32, f32),
    ticks: u32,
) -> Life {
    let body = Body::new().sensor("eyes", |sensing: &mut Sensing<'_, World>| {
        let amount = sensing.world.amount;
        sensing.remember_one(sensing.fact("seen").with(Attribute::Amount, amount, 1.0), &[]);
        Work::Light
    });
    let mut minds = Minds::new(spec(text), body, 1).unwrap();
    minds.spawn("one", EntityId(1)).unwrap();
    let step = minds.spec().domain.map().find_action(step).unwrap();
    let mut life = Life { minds, world: World { amount: start }, diary: Vec::new() };
    // When the step under way began; when effects come that are late.
    let mut since = None;
    let mut due = Vec::new();
    for now in 0..ticks {
        life.minds.tick(&life.world, now);
        for event in life.minds.events() {
            match event.what {
                EventKind::Started { doing: Activity::Step(it), .. } if it == step => {
                    since = Some(now);
                }
                EventKind::Ended { doing: Activity::Step(it), how, .. } if it == step => {
                    since = None;
                    if let (When::Late(n), Ending::Done) = (when, how) {
                        due.push(now + n);
                    }
                }
                _ => {}
            }
            life.diary.push((now, life.minds.describe(event)));
        }
        match (when, since) {
            (When::After(n), Some(since)) if now == since + n => life.world.amount += by,
            (When::Within(n), Some(since)) if now < since + n => {
                life.world.amount += by / n as f32;
            }
            _ => {}
        }
        life.world.amount += by * due.iter().filter(|&&at| at == now).count() as f32 + drift;
    }
    life
}

/// Meals are her own book, hunger is felt.
const EATER: &str = "domain eater
var hunger: 0..100
var meals: 0..5
sensor eyes: every 0 keeps forever feeds hunger
symbol hunger: amount of seen
action cook: meals += 2   takes 1
action eat: meals -= 1, hunger -= 40 down to 0   takes 1
goal fed: hunger <= 20
npc one
    can cook, eat
    wants fed
    starts meals = 0
";

const MEALS: [&str; 7] = [
    "plans cook, eat, eat: it had nothing to do",
    "starts cook",
    "has done cook",
    "starts eat",
    "has done eat",
    "starts eat",
    "has done eat",
];

/// Everything that is told but goals.
fn steps(life: &Life) -> Vec<&str> {
    let goals = ["wants ", "rests: its goal was reached"];
    let is_step = |line: &&str| !goals.iter().any(|goal| line.starts_with(goal));
    life.told().into_iter().filter(is_step).collect()
}

#[test]
fn an_effect_that_shows_in_the_middle_of_its_step_is_its_own() {
    for after in 0..10 {
        let life = live(EATER, "eat", When::After(after), (90.0, -40.0, 0.0), 80);
        assert_eq!(steps(&life), MEALS, "{after}: {:#?}", life.diary);
        assert_eq!((life.amount("meals"), life.amount("hunger")), (0, 10), "{after}");
        assert_eq!(life.world.amount, 10.0);
    }
}

#[test]
fn an_effect_that_comes_little_by_little_is_waited_for() {
    for within in 1..=10 {
        let life = live(EATER, "eat", When::Within(within), (90.0, -40.0, 0.0), 80);
        assert_eq!(steps(&life), MEALS, "{within}: {:#?}", life.diary);
        assert_eq!(life.amount("meals"), 0, "{within}");
        assert!(life.amount("hunger") <= 20, "{within}");
    }
}

#[test]
fn hunger_that_grows_meanwhile_is_no_reason_to_plan_again() {
    let when = [When::After(0), When::After(4), When::After(9), When::Late(0), When::Within(9)];
    for (at, when) in when.into_iter().enumerate() {
        for drift in [0.05, 0.2, -0.1] {
            let life = live(EATER, "eat", when, (90.0, -40.0, drift), 40);
            // Fed, she may become hungry again.
            let steps = steps(&life);
            assert_eq!(steps[..7], MEALS, "{at} {drift}: {:#?}", life.diary);
            let anew = "plans cook, eat: it had nothing to do";
            let plans = steps[7..].iter().filter(|line| line.starts_with("plans"));
            assert!(plans.clone().all(|&line| line == anew), "{at} {drift}: {:#?}", life.diary);
            let asked = life.minds.mind(MIND).unwrap().plan().asked();
            assert_eq!(asked as usize, 1 + plans.count(), "{at} {drift}: {:#?}", life.diary);
        }
    }
}

/// Wood is seen, strength is his own book.
const WOODMAN: &str = "domain woodman
var wood: 0..20
var strength: 0..9
sensor eyes: every 0 keeps forever feeds wood
symbol wood: amount of seen
action chop: wood += 1, strength -= 2   takes 1
action rest: strength -> 9   cost 5   takes 1
goal stocked: wood >= 3
npc one
    can chop, rest
    wants stocked
    starts strength = 8
    doubt 2 for 10
";

const CHOPS: [&str; 7] = [
    "plans chop, chop, chop: it had nothing to do",
    "starts chop",
    "has done chop",
    "starts chop",
    "has done chop",
    "starts chop",
    "has done chop",
];

#[test]
fn repeated_steps_that_show_early_or_in_time_are_counted_once_each() {
    // With a book of his own that cannot show, and without.
    let bare = WOODMAN.replace(", strength -= 2", "");
    for after in 0..10 {
        for (text, strength) in [(WOODMAN, 2), (bare.as_str(), 8)] {
            let life = live(text, "chop", When::After(after), (0.0, 1.0, 0.0), 60);
            assert_eq!(steps(&life), CHOPS, "{after}: {:#?}", life.diary);
            assert_eq!((life.amount("wood"), life.amount("strength")), (3, strength), "{after}");
            assert_eq!(life.world.amount, 3.0);
        }
    }
    let life = live(WOODMAN, "chop", When::Late(0), (0.0, 1.0, 0.0), 60);
    assert_eq!(steps(&life), CHOPS, "{:#?}", life.diary);
    assert_eq!((life.amount("wood"), life.amount("strength")), (3, 2));
}

#[test]
fn repeated_steps_that_show_late_are_doubted_once_each_and_never_more() {
    for late in 1..8 {
        let life = live(WOODMAN, "chop", When::Late(late), (0.0, 1.0, 0.0), 100);
        // What comes after the senses have looked is seen in the middle of the step after it, and
        // taken for that one's; so no step is begun in vain but the last.
        let done = life.count("has done chop");
        assert!((3..=4).contains(&done), "{late}: {:#?}", life.diary);
        assert_eq!(life.count("starts chop"), done, "{late}: {:#?}", life.diary);
        assert!(life.count("sees no effect of chop") <= 1, "{late}: {:#?}", life.diary);
        assert_eq!(life.count("doubts"), 0, "{late}: {:#?}", life.diary);
        assert!(life.world.amount >= 3.0 && life.amount("wood") >= 3);
    }
}

#[test]
fn repeated_steps_that_never_show_are_doubted() {
    let life = live(WOODMAN, "chop", When::Never, (0.0, 1.0, 0.0), 60);
    assert_eq!(
        steps(&life)[..10],
        [
            "plans chop, chop, chop: it had nothing to do",
            "starts chop",
            "has done chop",
            "starts chop",
            "sees no effect of chop",
            "plans chop, chop, chop: the rest of its plan would not work any more",
            "has done chop",
            "starts chop",
            "sees no effect of chop",
            "doubts chop",
        ],
        "{:#?}",
        life.diary
    );
    assert_eq!(life.amount("wood"), 0);
    assert_eq!(life.amount("strength"), 4);
}

#[test]
fn steps_done_by_others_are_left_out() {
    // Somebody brings wood before the first step can show anything: two at once are more than one
    // step brings, so the plan is shorter.
    let life = live(WOODMAN, "chop", When::Late(0), (0.0, 1.0, 0.0), 5);
    let Life { mut minds, mut world, .. } = life;
    world.amount = 2.0;
    let mut told = Vec::new();
    for now in 5..40 {
        minds.tick(&world, now);
        for event in minds.events() {
            let line = minds.describe(event);
            if line == "has done chop" {
                world.amount += 1.0;
            }
            told.push(line);
        }
    }
    let done = told.iter().filter(|line| *line == "has done chop").count();
    let begun = told.iter().filter(|line| *line == "starts chop").count();
    assert!(done <= 2 && begun <= 1, "{told:#?}");
    assert_eq!(minds.amount(MIND, "wood"), Some(world.amount as i64));
    assert!(world.amount >= 3.0);
}

#[test]
fn a_step_that_goes_on_in_a_new_plan_counts_from_there() {
    // A better goal that begins with the same step: what is under way goes on, and is counted for
    // the new plan alone.
    let text = WOODMAN
        .replace(
            "goal stocked: wood >= 3",
            "goal stocked: wood >= 3\ngoal more: wood >= 4   priority 9   relevance if alarm",
        )
        .replace("wants stocked", "wants stocked, more")
        .replace("sensor eyes", "sensor ears: on alarm keeps 60\nsensor eyes");
    let life = live(&text, "chop", When::Late(0), (0.0, 1.0, 0.0), 5);
    let Life { mut minds, mut world, .. } = life;
    let alarm = minds.word("alarm").unwrap();
    minds.tell(MIND, Stimulus::new(alarm, [0.0; 3])).unwrap();
    let mut told = Vec::new();
    for now in 5..80 {
        minds.tick(&world, now);
        for event in minds.events() {
            let line = minds.describe(event);
            if line == "has done chop" {
                world.amount += 1.0;
            }
            told.push(line);
        }
    }
    let starts = told.iter().filter(|line| line.starts_with("starts chop")).count();
    let plans: Vec<&String> = told.iter().filter(|line| line.starts_with("plans")).collect();
    assert_eq!(
        plans,
        ["plans chop, chop, chop, chop: another goal became more important"],
        "{told:#?}"
    );
    // The first was begun before.
    assert_eq!(starts, 3, "{told:#?}");
    assert_eq!((minds.amount(MIND, "wood"), world.amount), (Some(4), 4.0));
    assert_eq!(minds.amount(MIND, "strength"), Some(0));
}
