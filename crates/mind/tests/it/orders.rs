//! A task that is told: the sensor `orders` looks in the same tick, however seldom it looks else and
//! whatever the others do, so nothing is begun by what was true of the task before.

use crate::common::spec;
use throng_mind::events::{Activity, EventKind};
use throng_mind::prelude::*;
use throng_mind::squad::{OnDuty, my_task};

const TEXT: &str = "domain tasks
var duty: none, move
var post: none, away, there
sensor busy:   every 0
sensor orders: every 5 keeps 30
symbol duty: task of task, none
symbol post: there if post(knowledge = there), away if post, none
action take_post: post away -> there  while duty = move  takes 60
action report:    duty move -> none   while post = there
goal obey: duty = none  relevance if task
npc man
    can take_post, report
    wants obey
    commits 0.3
npc squad
    can take_post
    wants obey
squad squad: of man within 9
";

/// Where his task is to be done, and whether that is where he is: at the origin.
fn orders(sensing: &mut Sensing<'_, ()>) -> Work {
    let Some(task) = my_task(sensing.memory(), sensing.spec) else {
        sensing.forget_the_rest();
        return Work::Light;
    };
    let state = sensing.word(if task.place == [0.0; 3] { "there" } else { "away" });
    let post = sensing.fact("post").with(Attribute::Knowledge, state, 1.0);
    sensing.remember_one(post.with(Attribute::Position, task.place, 1.0), &[]);
    Work::Light
}

fn minds() -> (Minds<()>, MindId) {
    let walks = |acting: &mut Acting<'_, ()>| Progress::Until(acting.now + 600);
    let body = Body::new()
        // It is heavy from its first run on: in that tick no other has its turn.
        .sensor("busy", |_: &mut Sensing<'_, ()>| Work::Heavy)
        .sensor("orders", orders)
        .behaviour("take_post", OnDuty { does: walks, is_all: false })
        .behaviour("report", OnDuty { does: walks, is_all: true })
        .words(&["post", "task"]);
    let mut minds = Minds::new(spec(TEXT), body, 1).unwrap();
    let mind = minds.spawn("man", EntityId(1)).unwrap();
    (minds, mind)
}

/// A task with a number, for a place.
fn task(minds: &Minds<()>, number: f32, x: f32) -> Box<FactDraft> {
    let task = FactDraft::new(minds.word("task").unwrap())
        .with(Attribute::Task, minds.word("move").unwrap(), 1.0)
        .with(Attribute::Index, number, 1.0)
        .with(Attribute::Position, [x, 0.0, 0.0], 1.0);
    Box::new(task)
}

/// The steps that begin in a tick.
fn begun(minds: &mut Minds<()>, now: Tick) -> Vec<String> {
    minds.tick(&(), now);
    let started = minds.events().iter().filter_map(|event| match event.what {
        EventKind::Started { doing: Activity::Step(action), .. } => Some(action),
        _ => None,
    });
    started.map(|action| minds.spec().domain.map().action(action).to_string()).collect()
}

#[test]
fn what_is_begun_for_a_new_task_follows_from_that_one() {
    let (mut minds, mind) = minds();
    minds.tell(mind, Message::Told(task(&minds, 1.0, 0.0))).unwrap();
    assert_eq!(begun(&mut minds, 1), ["report"], "he is there");
    minds.tell(mind, Message::Untold(task(&minds, 1.0, 0.0))).unwrap();
    minds.tell(mind, Message::Told(task(&minds, 2.0, 7.0))).unwrap();
    assert_eq!(begun(&mut minds, 2), ["take_post"], "he is not there, and it is not done");
    assert!((3..40).all(|now| begun(&mut minds, now).is_empty()));
    // Nor is anything left of a task that was taken back.
    let post = minds.word("post").unwrap();
    let posts = |minds: &Minds<()>| minds.mind(mind).unwrap().memory().of_kind(post).count();
    assert_eq!(posts(&minds), 1);
    minds.tell(mind, Message::Untold(task(&minds, 2.0, 7.0))).unwrap();
    minds.tick(&(), 40);
    assert_eq!(posts(&minds), 0);
}
