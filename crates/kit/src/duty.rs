//! Tasks of a squad, as its members carry them out: the sensor `orders` and the behaviours
//! `take_post`, `sneak_to_post`, `hold`, `suppress`, `search`, `comply`, `assault`.
//!
//! In:   the fact `task` that his squad has told him.
//! Out:  `post{knowledge, node, position, task}`, the same as `assignment{object, index}`; `Move` and `Weapon` orders; reports to the squad.
//! Cost: light; behaviours look up twice a second whether the task is still the same.
//!
//! Who has no task has no post. A behaviour whose task is over is done; one whose task has become
//! another is cancelled by his mind, and begun anew for that one.

use crate::facts::{is_surely_seen, place_of, rewrite, soon};
use crate::fighting::{ATTACK, is_alive};
use crate::geometry::{HERE, distance};
use crate::going::move_to;
use crate::reacting::play;
use crate::scene::Scene;
use crate::targets::{enemy, is_selected, target};
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::orders::{Order, OrderId};
use throng_mind::squad::{Duty, OnDuty, my_task};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress, Sensing, Work};

/// Seconds between two shots that are to keep heads down.
const BETWEEN: f64 = 0.3;
/// Seconds that one who is to attack looks out for a target that he has not seen.
const LOOK_OUT: f64 = 3.0;

/// Where he is to be, and whether he is there.
pub(crate) fn orders<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let words = sensing.world.words();
    let task = my_task(sensing.memory(), sensing.spec);
    let (Some(task), Some(here)) = (task, place_of(sensing.world, sensing.me)) else {
        sensing.forget_the_rest();
        return Work::Light;
    };
    let is_there = distance(here, task.place) < HERE;
    let draft = FactDraft::new(words.post)
        .with(Attribute::Knowledge, if is_there { words.there } else { words.away }, 1.0)
        .with(Attribute::Position, task.place, 1.0)
        .with(Attribute::Task, task.what, 1.0)
        .with_some(Attribute::Node, Some(task.node).filter(|&node| node != Word::NONE), 1.0);
    rewrite(sensing, draft, &[]);
    let mut assignment = draft;
    assignment.kind = words.assignment;
    let assignment = assignment.with(Attribute::Index, task.index, 1.0).with_some(
        Attribute::Object,
        sensing.world.named(task.node),
        1.0,
    );
    rewrite(sensing, assignment, &[]);
    Work::Light
}

/// What is done for a task, at the beginning and then.
type ForTask<W> = fn(&mut Acting<'_, W>, Duty) -> Progress;

/// A behaviour for the one task that it began with; who has none is done. `state` is the order under
/// way.
pub(crate) struct OneTask<W>(ForTask<W>, ForTask<W>);

impl<W: Scene> Behaviour<W> for OneTask<W> {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some(task) = my_task(acting.memory, acting.spec) else { return Progress::Done };
        self.0(acting, task)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some(task) = my_task(acting.memory, acting.spec) else { return Progress::Done };
        self.1(acting, task)
    }
}

fn note_order<W: Scene>(acting: &mut Acting<'_, W>, order: OrderId) {
    *acting.state = *acting.state >> 32 << 32 | u64::from(order.0);
}

fn order_of<W: Scene>(acting: &Acting<'_, W>) -> Option<OrderState> {
    acting.board.state_of(OrderId(*acting.state as u32))
}

/// A behaviour with which the task is done.
pub(crate) fn whole<B>(does: B) -> OnDuty<B> {
    OnDuty { does, is_all: true }
}

/// A behaviour that is a part of what the task asks for.
pub(crate) fn part<B>(does: B) -> OnDuty<B> {
    OnDuty { does, is_all: false }
}

impl<W: Scene> OneTask<W> {
    /// Runs to where the task is to be done.
    pub(crate) const TAKE_POST: Self =
        OneTask(|acting, task| set_out(acting, task, acting.world.words().run), arrive);
    /// Goes there out of the enemies' view as far as possible.
    pub(crate) const SNEAK_TO_POST: Self =
        OneTask(|acting, task| set_out(acting, task, acting.world.words().sneak), arrive);
    /// Stays where he is, and fires at who comes into view.
    pub(crate) const HOLD: Self = OneTask(hold, hold);
    /// Fires at where the enemy is, whether he can be hit or not, until the task is over or the
    /// enemy is dead.
    const SUPPRESS: Self = OneTask(suppress, suppress);
    /// Looks around where he was sent.
    pub(crate) const SEARCH: Self = OneTask(search, |acting, _| acting.board.progress());
}

fn set_out<W: Scene>(acting: &mut Acting<'_, W>, task: Duty, manner: Word) -> Progress {
    let order = move_to(acting, task.place, task.node, manner);
    note_order(acting, order);
    soon(acting, 0.5)
}

fn arrive<W: Scene>(acting: &mut Acting<'_, W>, _: Duty) -> Progress {
    match order_of(acting) {
        Some(OrderState::Done) => Progress::Done,
        Some(OrderState::Failed(why)) => Progress::Failed(why),
        _ => soon(acting, 0.5),
    }
}

fn hold<W: Scene>(acting: &mut Acting<'_, W>, _: Duty) -> Progress {
    if let Some(at) = in_view(acting) {
        let fire = acting.world.words().fire;
        shoot(acting, fire, at, None);
    }
    soon(acting, BETWEEN)
}

fn suppress<W: Scene>(acting: &mut Acting<'_, W>, task: Duty) -> Progress {
    let known = || enemy_to_suppress(acting);
    let Some(at) = task.about.or_else(known).filter(|&at| is_alive(acting.world, at)) else {
        return Progress::Done;
    };
    let suppress = acting.world.words().suppress;
    shoot(acting, suppress, at, None);
    unless_unarmed(acting)
}

/// The enemy to fire at, if he is in view.
fn in_view<W: Scene>(acting: &Acting<'_, W>) -> Option<EntityId> {
    let known = acting.memory.of_kind(acting.world.words().character);
    let mut seen = known.filter(|&fact| is_surely_seen(fact));
    if is_selected(acting) {
        let (object, _) = target(acting)?;
        return seen.find_map(|fact| fact.entity(Attribute::Object).filter(|&it| it == object));
    }
    let fact = enemy(acting.memory, acting.world, (acting.me, acting.here))?;
    fact.entity(Attribute::Object).filter(|_| is_surely_seen(fact))
}

/// Whom one keeps down who was told of nobody.
fn enemy_to_suppress<W: Scene>(acting: &Acting<'_, W>) -> Option<EntityId> {
    if is_selected(acting) {
        return target(acting).map(|(object, _)| object);
    }
    enemy(acting.memory, acting.world, (acting.me, acting.here))?.entity(Attribute::Object)
}

/// Goes on firing, if there is something to fire with.
fn unless_unarmed<W: Scene>(acting: &Acting<'_, W>) -> Progress {
    match order_of(acting) {
        Some(OrderState::Failed(why)) if why == acting.world.words().unarmed => {
            Progress::Failed(why)
        }
        _ => soon(acting, BETWEEN),
    }
}

/// Fires at where the enemy is believed to be, whether he can be hit or not. Who was given that as a
/// task does so until it is over; who does it by himself until the enemy is kept down, or for as long
/// as it takes. Blindly: over the edge of his cover, to where the enemy was.
pub(crate) struct Suppress {
    pub(crate) blindly: bool,
}

impl Suppress {
    fn by_himself<W: Scene>(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let Some((at, place)) = target(acting) else { return Progress::Failed(words.lost) };
        let body = acting.world.body(at);
        let is_kept_down = body.is_none_or(|body| body.pinned || !body.alive);
        let is_over = acting.now.saturating_sub(acting.since) >= acting.takes();
        // At least one shot.
        if *acting.state != BY_HIMSELF && (is_kept_down || is_over) {
            return Progress::Done;
        }
        shoot(acting, words.suppress, at, Some(place).filter(|_| self.blindly));
        unless_unarmed(acting)
    }
}

/// Marks in `state` that he does so by himself; the numbers of orders are below.
const BY_HIMSELF: u64 = 1 << 63;

impl<W: Scene> Behaviour<W> for Suppress {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let suppress = acting.world.words().suppress;
        let task = my_task(acting.memory, acting.spec);
        let is_told = task.is_some_and(|task| task.what == suppress);
        // Without a `select target` only tasks say whom to keep down.
        if !self.blindly && (is_told || !is_selected(acting)) {
            return whole(OneTask::<W>::SUPPRESS).start(acting);
        }
        *acting.state = BY_HIMSELF;
        self.by_himself(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        match *acting.state & BY_HIMSELF {
            0 => whole(OneTask::<W>::SUPPRESS).go_on(acting),
            _ => self.by_himself(acting),
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        if *acting.state & BY_HIMSELF == 0 {
            whole(OneTask::<W>::SUPPRESS).end(acting, how);
        }
    }
}

fn search<W: Scene>(acting: &mut Acting<'_, W>, _: Duty) -> Progress {
    let order = play(acting);
    note_order(acting, order);
    Progress::Waiting
}

/// One shot more, or a reload if the weapon is empty; waits for the one before.
fn shoot<W: Scene>(acting: &mut Acting<'_, W>, how: Word, at: EntityId, to: Option<Position>) {
    if order_of(acting) == Some(OrderState::Open) {
        return;
    }
    let arms = acting.world.arms(acting.me);
    let is_empty = arms.weapon.is_some() && arms.holds > 0 && arms.rounds == 0;
    let what = if is_empty { acting.world.words().reload } else { how };
    let at_whom = (!is_empty).then_some(at);
    let order = acting.board.order(Order::Weapon { what, at: at_whom, to });
    acting.board.target = Some(at);
    note_order(acting, order);
}

/// Being there is all that is asked; he says so in the next tick.
pub(crate) fn comply<W: Scene>(_: &mut Acting<'_, W>) -> Progress {
    Progress::Running
}

/// Attacks the target of the task. A member who does not know of it yet, or not where, looks out for a
/// while. `state` is 0 until the attack has begun.
pub(crate) struct Assault;

impl<W: Scene> Behaviour<W> for Assault {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let about = my_task(acting.memory, acting.spec).and_then(|task| task.about);
        acting.board.target = about;
        if about.is_some_and(|about| is_known_dead(acting, about)) {
            return Progress::Done;
        }
        if !about.is_some_and(|about| is_known(acting, about)) {
            let patience = acting.spec.pace.ticks(LOOK_OUT);
            let is_over = acting.now.saturating_sub(acting.since) >= patience;
            let lost = acting.world.words().lost;
            return if is_over { Progress::Failed(lost) } else { soon(acting, 0.2) };
        }
        ATTACK.start(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        if *acting.state == 0 { self.start(acting) } else { ATTACK.go_on(acting) }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        ATTACK.end(acting, how);
    }
}

/// Whether he knows that this character is dead: another was faster.
fn is_known_dead<W: Scene>(acting: &Acting<'_, W>, who: EntityId) -> bool {
    let words = acting.world.words();
    let mut known = acting.memory.about(words.character, who);
    known.any(|fact| fact.word(Attribute::Knowledge) == Some(words.dead))
}

/// Whether he remembers this character.
fn is_known<W: Scene>(acting: &Acting<'_, W>, who: EntityId) -> bool {
    acting.memory.about(acting.world.words().character, who).next().is_some()
}
