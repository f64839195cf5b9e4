//! Questions to the game, told one by one: asked when they matter, handed out in order, answered
//! once, saved, restored, withdrawn.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_mind::prelude::*;
use throng_mind::questions::{AskKind, MOST_OPEN};
use throng_mind::{Followed, Meanwhile};

const TEXT: &str = "domain d
var at: here, there
var rest: no, yes
action go: at -> there   if clear   while rest = no
action walk: at -> there   cost 9   while rest = yes
goal g: at = there   relevance if wish
npc one
    can go, walk
    wants g
    starts at = here, rest = no
select target: one of thing
sensor eyes: every 0.5
check clear: asks sight of target   keeps 0.3   default false
fact wish
fact thing: object
";

/// Asks what the world says it is to look at.
#[derive(Default)]
struct World {
    looks_at: Vec<u64>,
}

fn eyes(sensing: &mut Sensing<'_, World>) -> Work {
    let kind = sensing.spec.words.find("wish").unwrap();
    if let Some((_, reply)) = sensing.answer {
        let sure = if reply.holds() == Some(true) { 1.0 } else { 0.1 };
        sensing.remember(FactDraft::new(kind).with(Attribute::Amount, sure, 1.0));
        return Work::Light;
    }
    for &who in &sensing.world.looks_at {
        let _ = sensing.ask(Ask::sight(Point::of(EntityId(who), [0.0; 3])));
    }
    Work::Light
}

fn minds(threads: usize) -> Minds<World> {
    Minds::new(spec(TEXT), Body::new().sensor("eyes", eyes), threads).unwrap()
}

fn told(minds: &mut Minds<World>, id: MindId, kind: &str, object: u64) {
    let kind = minds.spec().words.find(kind).unwrap();
    let fact = FactDraft::new(kind).with(Attribute::Object, EntityId(object), 1.0).keep(1_000);
    minds.tell(id, Message::Told(Box::new(fact))).unwrap();
}

fn asked(minds: &Minds<World>) -> Vec<u64> {
    let about =
        |question: &IssuedQuestion| question.to.and_then(|to| to.what).map_or(0, |what| what.0);
    minds.questions().iter().map(about).collect()
}

fn holds(minds: &Minds<World>, id: MindId) -> bool {
    let check = minds.spec().domain.map().find_check("clear").unwrap();
    minds.mind(id).unwrap().state().checks().holds(check)
}

#[test]
fn a_check_is_asked_for_when_it_matters_and_again_when_the_answer_is_old() {
    let (mut minds, world) = (minds(1), World::default());
    let id = minds.spawn("one", EntityId(1)).unwrap();
    told(&mut minds, id, "thing", 7);
    minds.tick(&world, 1);
    assert!(asked(&minds).is_empty(), "nothing is wanted");
    let inspection = minds.inspect(id).unwrap().to_string();
    assert!(inspection.contains("clear false by default, never answered"), "{inspection}");
    told(&mut minds, id, "wish", 0);
    minds.tick(&world, 2);
    assert_eq!(asked(&minds), [7]);
    let question = minds.questions()[0];
    assert_eq!((question.mind, question.me, question.since), (id, EntityId(1), 2));
    assert!(!holds(&minds, id), "by default");
    minds.tick(&world, 3);
    assert!(asked(&minds).is_empty(), "one is open");
    assert!(minds.answer(question.id, true));
    assert!(!minds.answer(question.id, false), "it is answered");
    minds.tick(&world, 4);
    assert!(holds(&minds, id) && !minds.answer(question.id, false));
    assert_eq!(minds.mind(id).unwrap().plan().steps().len(), 1, "he goes");
    let inspection = minds.inspect(id).unwrap().to_string();
    assert!(inspection.contains("clear true, answered 0.0 s ago"), "{inspection}");
    for now in 5..7 {
        minds.tick(&world, now);
        assert!(asked(&minds).is_empty(), "it keeps 0.3 seconds");
    }
    minds.tick(&world, 7);
    assert_eq!(asked(&minds), [7], "the answer is old");
    assert!(holds(&minds, id), "the last answer counts until there is another");
}

#[test]
fn a_check_about_an_empty_slot_does_not_hold_and_says_why() {
    let hopes = TEXT.replace("default false", "default true");
    let mut minds = Minds::new(spec(&hopes), Body::new().sensor("eyes", eyes), 1).unwrap();
    let world = World::default();
    let id = minds.spawn("one", EntityId(1)).unwrap();
    told(&mut minds, id, "wish", 0);
    minds.tick(&world, 1);
    let view = minds.inspect(id).unwrap();
    assert_eq!((view.told_checks[0].holds, view.told_checks[0].by), (false, "empty"));
    let text = view.to_string();
    assert!(text.contains("clear false: nothing is picked as `target`"), "{text}");
    told(&mut minds, id, "thing", 7);
    minds.tick(&world, 2);
    let text = minds.inspect(id).unwrap().to_string();
    assert!(text.contains("clear true by default, never answered"), "{text}");
}

/// An action that needs two answers, and one of whose kinds needs a third.
const TWO: &str = "domain d
var at: here, there
action go: at -> there   if clear, not far
    kinds strides if dry
goal g: at = there   relevance if wish
npc one
    can go
    wants g
    starts at = here
select target: one of thing
sensor eyes: every 0.5
check clear: asks sight of target   keeps 0.3   default false
check far:   asks path of target   keeps 0.5   default true
check dry:   asks weather   keeps 0.3   default false
fact wish
fact thing: object
";

#[test]
fn checks_that_an_action_needs_together_are_asked_for_together() {
    let mut minds = Minds::new(spec(TWO), Body::new().sensor("eyes", eyes), 1).unwrap();
    let world = World::default();
    let id = minds.spawn("one", EntityId(1)).unwrap();
    told(&mut minds, id, "thing", 7);
    told(&mut minds, id, "wish", 0);
    let asked = |minds: &Minds<World>| -> Vec<(AskKind, QuestionId)> {
        minds.questions().iter().map(|it| (it.ask.kind(), it.id)).collect()
    };
    let weather = AskKind::Other(minds.spec().words.find("weather").unwrap());
    minds.tick(&world, 1);
    let first = asked(&minds);
    let kinds: Vec<AskKind> = first.iter().map(|it| it.0).collect();
    assert_eq!(kinds, [AskKind::Sight, AskKind::Path, weather]);
    // One that is known to be against it makes the others idle, until it may be otherwise.
    minds.answer(first[1].1, true);
    minds.answer(first[2].1, true);
    for now in 2..7 {
        minds.tick(&world, now);
        assert_eq!(asked(&minds), [], "tick {now}: it is too far");
    }
    minds.answer(first[0].1, true);
    minds.tick(&world, 7);
    let again = asked(&minds);
    let kinds: Vec<AskKind> = again.iter().map(|it| it.0).collect();
    assert_eq!(kinds, [AskKind::Path, weather], "half a second later");
    for (kind, question) in again {
        minds.answer(question, kind == weather);
    }
    minds.tick(&world, 8);
    assert_eq!(minds.mind(id).unwrap().plan().steps().len(), 1, "he goes");
}

#[test]
fn what_is_not_answered_is_dropped_after_two_seconds_and_told() {
    let (mut minds, world) = (minds(1), World::default());
    let id = minds.spawn("one", EntityId(1)).unwrap();
    told(&mut minds, id, "thing", 7);
    told(&mut minds, id, "wish", 0);
    minds.tick(&world, 1);
    let question = minds.questions()[0].id;
    for now in 2..21 {
        minds.tick(&world, now);
        assert!(
            minds.events().iter().all(|event| !matches!(event.what, EventKind::Unanswered { .. }))
        );
    }
    assert!(minds.inspect(id).unwrap().to_string().contains("asks   sight of #7, asked 1.9 s ago"));
    minds.tick(&world, 21);
    let event = minds.events().iter().find(|it| matches!(it.what, EventKind::Unanswered { .. }));
    let event = *event.unwrap();
    assert!(matches!(
        event.what,
        EventKind::Unanswered { what: AskKind::Sight, handed_out: true, .. }
    ));
    assert_eq!(minds.describe(&event), "gets no answer to sight of #7: the game did not say");
    assert!(!minds.answer(question, true), "too late");
    assert!(minds.inspect(id).unwrap().to_string().contains("clear false by default, unanswered"));
}

#[test]
fn sensors_are_told_of_a_reply_when_it_comes() {
    let mut minds = minds(1);
    let world = World { looks_at: vec![5] };
    let id = minds.spawn("one", EntityId(1)).unwrap();
    (1..9).for_each(|now| minds.tick(&world, now));
    let all = minds.mind(id).unwrap().questions().all();
    assert_eq!(all.len(), 1, "one about one thing");
    let open = throng_mind::questions::QuestionStatus::HandedOut;
    assert_eq!(all[0].status, open);
    let id_of = QuestionId(u64::from(id.0) << 32 | u64::from(all[0].number));
    assert!(minds.answer(id_of, 0.8));
    minds.tick(&world, 9);
    let wish = minds.spec().words.find("wish").unwrap();
    let fact = minds.mind(id).unwrap().memory().of_kind(wish).next().unwrap();
    assert_eq!(fact.number(Attribute::Amount), Some(1.0));
}

#[test]
fn a_budget_is_kept_and_the_target_comes_first() {
    let mut minds = minds(1);
    let world = World { looks_at: (10..30).collect() };
    minds.set_questions(Some(3));
    let one = minds.spawn("one", EntityId(1)).unwrap();
    let two = minds.spawn("one", EntityId(2)).unwrap();
    let mut handed = Vec::new();
    for now in 1..14 {
        minds.tick(&world, now);
        handed.push(minds.questions().len());
    }
    assert!(handed.iter().all(|&n| n <= 3), "{handed:?}");
    assert_eq!(handed.iter().sum::<usize>(), 12, "{handed:?}");
    let open = |minds: &Minds<World>, id| minds.mind(id).unwrap().questions().open().count();
    assert_eq!(
        [open(&minds, one), open(&minds, two)],
        [MOST_OPEN - 2; 2],
        "two are left to checks"
    );
    // All that was asked is out; of what is asked now the target comes first.
    minds.set_questions(Some(1));
    told(&mut minds, two, "thing", 7);
    told(&mut minds, two, "wish", 0);
    for id in [one, two] {
        let numbers: Vec<u32> =
            minds.mind(id).unwrap().questions().open().map(|it| it.number).collect();
        for number in numbers {
            assert!(minds.answer(QuestionId(u64::from(id.0) << 32 | u64::from(number)), false));
        }
    }
    let mut first = Vec::new();
    for now in 14..22 {
        minds.tick(&world, now);
        first.extend(minds.questions().iter().map(|it| (it.mind, it.to.unwrap().what.unwrap().0)));
    }
    assert!(first.contains(&(two, 7)), "{first:?}");
    let at = first.iter().position(|it| *it == (two, 7)).unwrap();
    assert!(at <= 1, "others waited for longer: {first:?}");
}

/// All want to know more than they can be told. Who has an urgent goal does not wait in the same line,
/// and the others get on.
#[test]
fn under_a_backlog_every_other_place_is_for_those_who_have_waited() {
    let text = TEXT.replace("relevance if wish", "relevance if wish   urgent");
    let text = text.replace("default false", "default true");
    for budget in [1, 2, 5] {
        let body = Body::new().sensor("eyes", eyes);
        let mut minds = Minds::new(spec(&text), body, 1).unwrap();
        let world = World { looks_at: (10..16).collect() };
        minds.set_questions(Some(budget));
        (1..=30).for_each(|me| _ = minds.spawn("one", EntityId(me)).unwrap());
        // All have asked by now, and nearly all have waited for a second.
        (1..=14).for_each(|now| minds.tick(&world, now));
        let asked = |mind: &throng_mind::Mind| (mind.questions().all()[0].since, mind.id());
        let (_, last) = minds.iter().map(asked).max().unwrap();
        told(&mut minds, last, "thing", 7);
        told(&mut minds, last, "wish", 0);
        minds.tick(&world, 15);
        let (mut own, mut others) = (0, 0);
        for now in 16..=20 {
            minds.tick(&world, now);
            assert_eq!(minds.questions().len(), budget as usize);
            let n = minds.questions().iter().filter(|it| it.mind == last).count();
            (own, others) = (own + n, others + budget as usize - n);
        }
        assert!(own >= 2 * budget.min(2) as usize, "{budget}: {own} of who is in need");
        assert!(others >= 2 * budget as usize, "{budget}: {others} of those who have waited");
    }
}

#[test]
fn open_questions_are_saved_and_asked_again() {
    let mut own = minds(1);
    let world = World { looks_at: vec![5, 6] };
    let id = own.spawn("one", EntityId(1)).unwrap();
    own.set_questions(Some(1));
    (1..12).for_each(|now| own.tick(&world, now));
    let open: Vec<u32> = own.mind(id).unwrap().questions().open().map(|it| it.number).collect();
    assert_eq!(open.len(), 2);
    let mut other = minds(1);
    other.restore(&own.save()).unwrap();
    assert_eq!((other.question_budget(), asked(&other)), (Some(1), vec![5, 6]));
    let question = other.questions()[0].id;
    assert!(other.answer(question, true) && own.answer(question, true));
    for minds in [&mut own, &mut other] {
        minds.tick(&world, 12);
    }
    assert_eq!(own.digest(), other.digest());
}

#[test]
fn who_ends_or_is_put_aside_asks_nothing_any_more() {
    let mut minds = minds(1);
    let world = World { looks_at: vec![5] };
    let one = minds.spawn("one", EntityId(1)).unwrap();
    let two = minds.spawn("one", EntityId(2)).unwrap();
    (1..8).for_each(|now| minds.tick(&world, now));
    let ids: Vec<QuestionId> = [one, two]
        .map(|id| minds.mind(id).unwrap().questions().open().next().unwrap().number)
        .into_iter()
        .zip([one, two])
        .map(|(number, id)| QuestionId(u64::from(id.0) << 32 | u64::from(number)))
        .collect();
    minds.despawn(one, &world).unwrap();
    let bytes = minds.put_aside(two).unwrap();
    assert!(minds.questions().is_empty());
    assert!(!minds.answer(ids[0], true) && !minds.answer(ids[1], true));
    minds.restore_mind(&bytes).unwrap();
    assert_eq!(minds.questions().len(), 1, "back at once it asks again");
    let meanwhile = Meanwhile { values: &[], plan: Followed::Own { done: 0 } };
    minds.catch_up(two, &meanwhile, &world).unwrap();
    assert_eq!(minds.mind(two).unwrap().questions().open().count(), 0);
    assert!(!minds.answer(ids[1], true) && minds.questions().is_empty());
    assert!(!minds.answer(QuestionId(u64::MAX), true), "nobody asked this");
}

#[test]
fn a_new_file_keeps_what_is_asked_by_name() {
    let (mut minds, world) = (minds(1), World::default());
    let id = minds.spawn("one", EntityId(1)).unwrap();
    told(&mut minds, id, "thing", 7);
    told(&mut minds, id, "wish", 0);
    minds.tick(&world, 1);
    let question = minds.questions()[0].id;
    let text = TEXT.replace("var at: here", "var more: 0..3\nvar at: here");
    minds.reload(spec(&text), &world).unwrap();
    assert_eq!(asked(&minds), [7], "it is asked again");
    assert!(minds.answer(question, true));
    minds.tick(&world, 2);
    assert!(holds(&minds, id));
}
