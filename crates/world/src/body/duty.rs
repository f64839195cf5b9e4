//! Tasks of a squad, as its members carry them out: the sensor `orders` and the behaviours
//! `take_post`, `sneak_to_post`, `hold`, `suppress`, `search`, `comply`, `assault`.
//!
//! In:   the fact `task` that his squad has told him.
//! Out:  `post{knowledge, node, position, task}`; `Move` and `Weapon` orders; reports to the squad.
//! Cost: light; behaviours look up twice a second whether the task is still the same.
//!
//! Who has no task has no post. A behaviour whose task is over is done; one whose task has become
//! another fails with `replaced`, so that he thinks again.

use super::facts::{enemy, is_surely_seen, my_cell, rewrite, soon};
use super::fighting::ATTACK;
use super::going::move_to;
use super::reacting::play;
use crate::cell::Cell;
use crate::world::World;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::orders::{Order, OrderId};
use throng_mind::squad::{Duty, OnDuty, my_task};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress, Sensing, Work};

/// Seconds between two shots that are to keep heads down.
const BETWEEN: f64 = 0.3;
/// Seconds that one who is to attack looks out for a target that he has not seen.
const LOOK_OUT: f64 = 3.0;

/// Where he is to be, and whether he is there.
pub(super) fn orders(sensing: &mut Sensing<'_, World>) -> Work {
    let words = &sensing.world.words;
    let task = my_task(sensing.memory(), sensing.spec);
    let (Some(task), Some(here)) = (task, my_cell(sensing.world, sensing.me)) else {
        sensing.forget_the_rest();
        return Work::Light;
    };
    let is_there = here == Cell::of(task.place);
    let draft = FactDraft::new(sensing.word("post"))
        .with(Attribute::Knowledge, if is_there { words.there } else { words.away }, 1.0)
        .with(Attribute::Position, task.place, 1.0)
        .with(Attribute::Task, task.what, 1.0)
        .with_some(Attribute::Node, Some(task.node).filter(|&node| node != Word::NONE), 1.0);
    rewrite(sensing, draft, &[]);
    Work::Light
}

/// What is done for a task, at the beginning and then.
type ForTask = fn(&mut Acting<'_, World>, Duty) -> Progress;

/// A behaviour for the one task that it began with; who has none is done. `state` keeps the number
/// of the task, above the order under way.
pub(super) struct OneTask(ForTask, ForTask);

impl Behaviour<World> for OneTask {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some(task) = my_task(acting.memory, acting.spec) else { return Progress::Done };
        // Numbers of tasks are whole and below 2^24.
        *acting.state = u64::from(task.index as u32) << 32;
        self.0(acting, task)
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some(task) = my_task(acting.memory, acting.spec) else { return Progress::Done };
        match (*acting.state >> 32) as u32 == task.index as u32 {
            true => self.1(acting, task),
            false => Progress::Failed(acting.world.words.replaced),
        }
    }
}

fn note_order(acting: &mut Acting<'_, World>, order: OrderId) {
    *acting.state = *acting.state >> 32 << 32 | u64::from(order.0);
}

fn order_of(acting: &Acting<'_, World>) -> Option<OrderState> {
    acting.board.state_of(OrderId(*acting.state as u32))
}

/// A behaviour with which the task is done.
pub(super) fn whole<B: Behaviour<World>>(does: B) -> OnDuty<B> {
    OnDuty { does, is_all: true }
}

/// A behaviour that is a part of what the task asks for.
pub(super) fn part<B: Behaviour<World>>(does: B) -> OnDuty<B> {
    OnDuty { does, is_all: false }
}

/// Runs to where the task is to be done.
pub(super) const TAKE_POST: OneTask =
    OneTask(|acting, task| set_out(acting, task, acting.world.words.run), arrive);
/// Goes there out of the enemies' view as far as possible.
pub(super) const SNEAK_TO_POST: OneTask =
    OneTask(|acting, task| set_out(acting, task, acting.world.words.sneak), arrive);
/// Stays where he is, and fires at who comes into view.
pub(super) const HOLD: OneTask = OneTask(hold, hold);
/// Fires at where the enemy is, whether he can be hit or not, until the task is over or the enemy is
/// dead.
pub(super) const SUPPRESS: OneTask = OneTask(suppress, suppress);
/// Looks around where he was sent.
pub(super) const SEARCH: OneTask = OneTask(search, |acting, _| acting.board.progress());

fn set_out(acting: &mut Acting<'_, World>, task: Duty, manner: Word) -> Progress {
    let order = move_to(acting, Cell::of(task.place), task.node, manner);
    note_order(acting, order);
    soon(acting, 0.5)
}

fn arrive(acting: &mut Acting<'_, World>, _: Duty) -> Progress {
    match order_of(acting) {
        Some(OrderState::Done) => Progress::Done,
        Some(OrderState::Failed(why)) => Progress::Failed(why),
        _ => soon(acting, 0.5),
    }
}

fn hold(acting: &mut Acting<'_, World>, _: Duty) -> Progress {
    let seen = enemy(acting.memory, acting.world, acting.here);
    let seen = seen.filter(|&fact| is_surely_seen(fact));
    if let Some(at) = seen.and_then(|fact| fact.entity(Attribute::Object)) {
        let fire = acting.world.words.fire;
        shoot(acting, fire, at);
    }
    soon(acting, BETWEEN)
}

fn suppress(acting: &mut Acting<'_, World>, task: Duty) -> Progress {
    let known = || enemy(acting.memory, acting.world, acting.here);
    let known = || known().and_then(|fact| fact.entity(Attribute::Object));
    let target = task.about.or_else(known).and_then(|at| acting.world.actor(at));
    let Some(at) = target.filter(|target| target.alive).map(|target| target.handle) else {
        return Progress::Done;
    };
    let suppress = acting.world.words.suppress;
    shoot(acting, suppress, at);
    match order_of(acting) {
        Some(OrderState::Failed(why)) if why == acting.world.words.unarmed => Progress::Failed(why),
        _ => soon(acting, BETWEEN),
    }
}

fn search(acting: &mut Acting<'_, World>, _: Duty) -> Progress {
    let order = play(acting);
    note_order(acting, order);
    Progress::Waiting
}

/// One shot more, or a reload if the weapon is empty; waits for the one before.
fn shoot(acting: &mut Acting<'_, World>, how: Word, at: EntityId) {
    if order_of(acting) == Some(OrderState::Open) {
        return;
    }
    let weapon = acting.world.actor(acting.me).and_then(|me| me.weapon);
    let is_empty = weapon.is_some_and(|weapon| weapon.holds > 0 && weapon.rounds == 0);
    let what = if is_empty { acting.world.words.reload } else { how };
    let order = acting.board.order(Order::Weapon { what, at: (!is_empty).then_some(at) });
    acting.board.target = Some(at);
    note_order(acting, order);
}

/// Being there is all that is asked; he says so in the next tick.
pub(super) fn comply(_: &mut Acting<'_, World>) -> Progress {
    Progress::Running
}

/// Attacks the target of the task. A member who does not know of it yet, or not where, looks out for a
/// while. `state` is 0 until the attack has begun.
pub(super) struct Assault;

impl Behaviour<World> for Assault {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let about = my_task(acting.memory, acting.spec).and_then(|task| task.about);
        acting.board.target = about;
        if !about.is_some_and(|about| is_known(acting, about)) {
            let patience = acting.spec.pace.ticks(LOOK_OUT);
            let is_over = acting.now.saturating_sub(acting.since) >= patience;
            let lost = acting.world.words.lost;
            return if is_over { Progress::Failed(lost) } else { soon(acting, 0.2) };
        }
        ATTACK.start(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        if *acting.state == 0 { self.start(acting) } else { ATTACK.go_on(acting) }
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        ATTACK.end(acting, how);
    }
}

/// Whether he remembers this character.
fn is_known(acting: &Acting<'_, World>, who: EntityId) -> bool {
    let mut known = acting.memory.of_kind(acting.world.words.character);
    known.any(|fact| fact.entity(Attribute::Object) == Some(who))
}
