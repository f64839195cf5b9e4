//! Soldiers of the kit allocate nothing once warm: they select, claim, tell, remember, forget, shout,
//! fire and call out beside their steps, wait for chance and cooldowns, die and come back.
//!
//! Counted, not believed. The file is that of the levels; actions tell others besides.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use crate::battle::{Battle, Mood, PACE};
use crate::counting::allocations_of;
use throng::Domain;
use throng_mind::Minds;
use throng_mind::events::{Activity, EventKind};
use throng_mind::select::PickReason;

const KIT: &str = include_str!("../../../../domains/levels/soldiers/kit.npc");
const SOLDIER: &str = include_str!("../../../../domains/levels/soldiers/soldier.npc");

/// What every shot tells besides, and whom.
const TELLS: &str = "finally remembers fired for 6 and tells target to squad \
    and tells target to side and tells target to within 8 and tells body(age < 1) to all";

/// The soldiers' file, with actions that tell; targets need not be hidden for a grenade.
fn text() -> String {
    let changes = [
        ("use \"kit.npc\"", KIT),
        ("finally remembers fired for 6", TELLS),
        ("action recoil: reacted -> true  takes 0.4", RECOIL),
        ("then remembers dodged for 4", "then remembers dodged for 4 and tells dodged to squad"),
        ("check target_hidden: target(age > 2.5)", "check target_hidden: target"),
    ];
    changes.into_iter().fold(SOLDIER.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

const RECOIL: &str = "action recoil: reacted -> true  takes 0.4
    first noise shout radius 12 and tells target to squad
    finally forgets damage(age > 1) and tells target to side";

const WARM: u32 = 1_200;
const COUNTED: u32 = 600;

/// What happened while it was counted.
#[derive(Default, Debug)]
struct Happened {
    plans: u64,
    tells: u64,
    told: u64,
    beside: u64,
    picked: u64,
    taken: u64,
    shared: u64,
    unanswered: u64,
}

impl Happened {
    fn note(&mut self, minds: &Minds<Battle>) {
        for event in minds.events() {
            match event.what {
                EventKind::Planned { .. } => self.plans += 1,
                EventKind::Tells { .. } => self.tells += 1,
                EventKind::Told { .. } => self.told += 1,
                EventKind::Unanswered { .. } => self.unanswered += 1,
                EventKind::Started { doing: Activity::Beside(_), .. } => self.beside += 1,
                EventKind::Picked { why, .. } => {
                    self.picked += 1;
                    self.taken += u64::from(why == PickReason::Taken);
                    self.shared += u64::from(why == PickReason::Shared);
                }
                _ => {}
            }
        }
    }
}

fn check_warm(soldiers: u32, threads: usize, budget: Option<u32>) {
    check(soldiers, threads, budget, None);
}

/// With `questions`, rays and ways come later, so many a tick.
fn check(soldiers: u32, threads: usize, budget: Option<u32>, questions: Option<u32>) {
    let domain = Domain::from_text(&text()).unwrap_or_else(|error| panic!("{error}"));
    let spec = domain.mind_spec(PACE).unwrap();
    let mut minds = Minds::new(spec, throng::kit::body(), threads).unwrap();
    minds.set_budget(budget);
    minds.set_seed(5);
    minds.set_questions(questions);
    let mut battle = Battle::new(&mut minds, soldiers);
    battle.is_late = questions.is_some();
    // Two worse fights first: what comes then needs no more room. Each thread has lists of its own, and
    // sees only a part of the fights; who waits for answers does less in the same time.
    let warm = if threads > 1 || questions.is_some() { 2 * WARM } else { WARM };
    for now in 0..warm {
        battle.mood = match now * 3 / warm {
            0 => Mood::Failing,
            1 => Mood::Wild,
            _ => Mood::Usual,
        };
        battle.tick(&mut minds);
    }
    let (before, counters) = (battle.counts, battle.counters());
    let mut happened = Happened::default();
    let mut claims = 0;
    let allocations = allocations_of(|| {
        for _ in 0..COUNTED {
            battle.tick(&mut minds);
            happened.note(&minds);
            claims = claims.max(minds.claims().len());
        }
    });
    let after = battle.counts;
    println!("{soldiers} soldiers, {threads} threads, {allocations} allocations");
    println!("{after:?}, {happened:?}, {claims} claims");
    assert_eq!(allocations, 0);
    // Those of the pool's own threads.
    assert!(counters.iter().flatten().count() <= threads);
    for (thread, before) in counters.into_iter().flatten() {
        let mut now = battle.counters().into_iter().flatten();
        let after = now.find(|it| it.0 == thread).map(|it| it.1);
        assert_eq!(after, Some(before), "{thread:?}");
    }
    if questions.is_some() {
        // Some are never answered.
        let (asked, answered) =
            (after.questions - before.questions, after.answered - before.answered);
        assert!(asked > 5_000 && answered > 4_000 && happened.unanswered > 100, "{after:?}");
        return;
    }
    assert!(after.deaths - before.deaths > 20 && after.shots - before.shots > 500, "{after:?}");
    assert!(after.grenades > before.grenades && after.shouts > before.shouts, "{after:?}");
    let Happened { plans, tells, told, beside, picked, taken, shared, .. } = happened;
    assert!(plans > 1_000 && tells > 1_000 && told > 10_000 && beside > 500);
    assert!(picked > 1_000 && taken > 10 && shared > 10 && claims > 5);
}

#[test]
fn warm_soldiers_who_tell_without_end_allocate_nothing() {
    check_warm(40, 1, None);
}

#[test]
fn warm_soldiers_who_wait_for_answers_allocate_nothing() {
    check(40, 1, None, Some(12));
}

#[test]
fn warm_soldiers_with_a_budget_allocate_nothing() {
    check_warm(40, 1, Some(20));
}

#[test]
fn warm_soldiers_allocate_nothing_on_any_thread() {
    // Two groups of minds: two threads have something to do.
    check_warm(80, 3, None);
}
