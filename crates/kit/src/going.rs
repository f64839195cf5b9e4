//! Going: `goto`, `run_to`, `sneak`, `goto_target`, `traverse`, `escape`, `retreat`, `step_aside`.
//!
//! In:   a name, the enemy, a link, the dangers remembered.
//! Out:  `Move` orders. Before each, navigation is told what is believed: links that are impassable,
//!       and for those who sneak the places of enemies. It knows nothing of them by itself.
//! Cost: an order or a few; `goto_target` looks up twice a second whether the enemy has moved.
//!
//! Context effect: who is stopped by a blocked door remembers for a while that this way leads
//! through it, as `path{node, knowledge = blocked, link}`. Who sneaks keeps an eye out, whatever his
//! senses: enemies in view that he does not know of he remembers as `character`, and he takes
//! another way when an enemy turns up or has moved.

use crate::enemies::seen_as_fact;
use crate::facts::{
    are_enemies, believed_enemies, blocked_links, eye_of, is_surely_seen, name, place_of, soon,
    thing_called,
};
use crate::geometry::{across, direction, distance, is_beside};
use crate::lists::Lent;
use crate::references::{given, given_thing, picked};
use crate::scene::{Avoided, EngineAnswer, Mark, Scene, Thing};
use crate::targets::{TARGET, enemy, target};
use crate::words::Vocabulary;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Order, OrderId};
use throng_mind::questions::Ask;
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// How far one runs from a grenade, in steps.
const ESCAPE_REACH: f32 = 12.0;
/// How long a way that led to a blocked door is remembered as such, in seconds.
const WAY_KEPT: f64 = 5.0;
/// How long an enemy noticed while sneaking is remembered, in seconds.
const NOTICED_KEPT: f64 = 10.0;
/// The enemy is followed if he is so far from where he was when the way was found.
const MOVED_ON: f32 = 2.0;
/// The same of somebody who is only visited.
const WALKED_ON: f32 = 1.0;
/// How much farther than now one gets away from an enemy.
const RETREAT: f32 = 4.0;
/// Who is so near stands in the way.
const ELBOW: f32 = 2.0;
/// Who sneaks looks at so many enemies, and takes notice of so many.
const MOST_RAYS: usize = 32;
const MOST_NOTICED: usize = 8;

/// Orders a move, round everything that is believed impassable.
pub(crate) fn move_to<W: Scene>(
    acting: &mut Acting<'_, W>,
    to: Position,
    node: Word,
    manner: Word,
) -> OrderId {
    let words = acting.world.words();
    let avoid = |on, name, place| Order::Other { what: words.avoid, on, name, place, amount: 0.0 };
    let links = blocked_links(acting.memory, acting.world);
    let mut avoided = Lent::new();
    acting.world.avoided(acting.me, &mut avoided);
    if !avoided.is_empty() {
        acting.board.order(avoid(None, Word::NONE, [0.0; 3]));
    }
    for &link in links.iter() {
        acting.board.order(avoid(Some(link), Word::NONE, [0.0; 3]));
    }
    if manner == words.sneak || manner == words.leap {
        for &eye in believed_enemies(acting.memory, acting.world, (acting.me, acting.here)).iter() {
            acting.board.order(avoid(None, words.watched, eye));
        }
    }
    acting.board.order(Order::Move { to, node, manner })
}

/// In a fight one runs.
fn pace<W: Scene>(acting: &Acting<'_, W>) -> Word {
    let words = acting.world.words();
    if knows_an_enemy(acting) { words.run } else { words.walk }
}

fn knows_an_enemy<W: Scene>(acting: &Acting<'_, W>) -> bool {
    enemy(acting.memory, acting.world, (acting.me, acting.here)).is_some()
}

/// Goes to what the file gives: a slot, a spot, a thing, somebody.
pub(crate) struct Goto(pub(crate) Gait);

/// How one goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gait {
    /// Runs if there is an enemy, else walks.
    Fitting,
    /// In a hurry.
    Running,
    /// Out of the enemies' view as far as possible.
    Sneaking,
    /// Onto and off what is out of reach for who walks.
    Leaping,
}

impl Gait {
    /// Whether it keeps away from the enemies that he knows of.
    fn goes_round(self) -> bool {
        matches!(self, Gait::Sneaking | Gait::Leaping)
    }

    /// How navigation is told.
    fn manner<W: Scene>(self, acting: &Acting<'_, W>) -> Word {
        let words = acting.world.words();
        match self {
            Gait::Fitting => pace(acting),
            Gait::Running => words.run,
            Gait::Sneaking => words.sneak,
            Gait::Leaping => words.leap,
        }
    }
}

/// Where to, and under which name navigation takes it. Somebody who moves is followed. Who is not to be
/// seen does not run after the enemy.
fn goal_of<W: Scene>(acting: &Acting<'_, W>, gait: Gait) -> Option<Destination> {
    let enemy_is = || match gait.goes_round() {
        true => target(acting).map(|(_, place)| Destination::Somebody(place)),
        false => Some(Destination::Target),
    };
    if acting.given(0) == Some(acting.world.words().target) && !acting.has_slot(TARGET) {
        return enemy_is();
    }
    let given = given(acting, 0)?;
    let enemy = picked(acting, TARGET).and_then(|it| it.what);
    if given.what.is_some() && given.what == enemy {
        return enemy_is();
    }
    // Who is somebody is no place that navigation could take.
    let is_body = given.what.is_some_and(|what| acting.world.body(what).is_some());
    let place = given.place?;
    Some(match is_body {
        true => Destination::Somebody(place),
        false => Destination::Place(place, given.name),
    })
}

enum Destination {
    Target,
    Somebody(Position),
    Place(Position, Word),
}

impl Goto {
    /// Goes to somebody, and after him if he walks on; done at arm's length, or where he was last
    /// believed to be. `state` is the number of the order under way.
    fn go_after<W: Scene>(&self, acting: &mut Acting<'_, W>, to: Position) -> Progress {
        let Some(here) = place_of(acting.world, acting.me) else {
            return Progress::Failed(acting.world.words().gone);
        };
        if is_beside(here, to) {
            return Progress::Done;
        }
        let going_to = acting.board.destination;
        let walked_on = going_to.is_none_or(|place| distance(place, to) >= WALKED_ON);
        match acting.board.state_of(OrderId(*acting.state as u32)) {
            Some(OrderState::Failed(why)) => return Progress::Failed(why),
            Some(OrderState::Done) if !walked_on => return Progress::Done,
            Some(OrderState::Open) if !walked_on => {}
            _ => {
                let manner = self.0.manner(acting);
                *acting.state = u64::from(move_to(acting, to, Word::NONE, manner).0);
            }
        }
        soon(acting, 0.3)
    }
}

impl<W: Scene> Behaviour<W> for Goto {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let manner = self.0.manner(acting);
        match goal_of(acting, self.0) {
            Some(Destination::Target) => GotoTarget.start(acting),
            Some(Destination::Somebody(to)) if self.0.goes_round() => {
                sneak_on(acting, to, Word::NONE, manner)
            }
            Some(Destination::Somebody(to)) => {
                acting.board.destination = None;
                self.go_after(acting, to)
            }
            Some(Destination::Place(to, name)) if self.0.goes_round() => {
                sneak_on(acting, to, name, manner)
            }
            Some(Destination::Place(to, name)) => {
                move_to(acting, to, name, manner);
                Progress::Waiting
            }
            None => Progress::Failed(acting.world.words().gone),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let manner = self.0.manner(acting);
        match goal_of(acting, self.0) {
            Some(Destination::Target) => GotoTarget.go_on(acting),
            Some(Destination::Somebody(to)) if self.0.goes_round() => {
                sneak_on(acting, to, Word::NONE, manner)
            }
            Some(Destination::Somebody(to)) => self.go_after(acting, to),
            Some(Destination::Place(to, name)) if self.0.goes_round() => {
                sneak_on(acting, to, name, manner)
            }
            _ => acting.board.progress(),
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        remember_the_door(acting, how);
    }
}

/// Sets out round enemies, or anew if enemies are elsewhere than when he did. `state` is the number of
/// the order under way.
fn sneak_on<W: Scene>(
    acting: &mut Acting<'_, W>,
    to: Position,
    name: Word,
    manner: Word,
) -> Progress {
    notice_enemies(acting);
    let eyes = believed_enemies(acting.memory, acting.world, (acting.me, acting.here));
    let mut avoided = Lent::new();
    acting.world.avoided(acting.me, &mut avoided);
    let is_known = |eye: &Position| {
        let is_it =
            |it: &Avoided| matches!(it, Avoided::View(place) if distance(*place, *eye) < MOVED_ON);
        avoided.iter().any(is_it)
    };
    match acting.board.state_of(OrderId(*acting.state as u32)) {
        Some(OrderState::Failed(why)) => return Progress::Failed(why),
        Some(OrderState::Done) => return Progress::Done,
        Some(OrderState::Open) if eyes.iter().all(is_known) => {}
        _ => {
            *acting.state = u64::from(move_to(acting, to, name, manner).0);
        }
    }
    soon(acting, 0.5)
}

/// Enemies that he has in view, the nearest first.
fn enemies_in_view<W: Scene>(acting: &mut Acting<'_, W>) -> Lent<EntityId> {
    let (world, me) = (acting.world, acting.me);
    let mut near = Lent::new();
    let Some(from) = place_of(world, me) else { return near };
    world.near(from, world.range(), &mut near);
    let enemies = near.iter().copied().filter(|&other| are_enemies(world, me, other));
    let in_view = |other: &EntityId| {
        let mark = place_of(world, *other).map(|place| Mark { what: Some(*other), place });
        mark.is_some_and(|mark| match world.sees(eye_of(me, from), mark) {
            EngineAnswer::Now(how_well) => how_well > 0.0,
            EngineAnswer::Later => acting.ask(Ask::sight(mark.into())).holds() == Some(true),
            EngineAnswer::Never => false,
        })
    };
    enemies.take(MOST_RAYS).filter(in_view).take(MOST_NOTICED).collect()
}

/// Remembers the enemies in view that he does not know of.
fn notice_enemies<W: Scene>(acting: &mut Acting<'_, W>) {
    let world = acting.world;
    let keep = acting.spec.pace.ticks(NOTICED_KEPT);
    for &other in enemies_in_view(acting).iter() {
        let character = world.words().character;
        let is_he = |fact: FactRef<'_>| {
            fact.kind() == character && fact.entity(Attribute::Object) == Some(other)
        };
        let is_known = acting.memory.iter().any(|fact| is_he(fact) && is_surely_seen(fact));
        let body = world.body(other).filter(|_| !is_known);
        if let Some(body) = body {
            // What was believed of him is older than this.
            acting.memory.remove_if(is_he);
            acting.remember_one(
                seen_as_fact(world, acting.me, other, &body),
                &[Attribute::Object],
                keep,
            );
        }
    }
}

/// Who was stopped by a blocked door knows where this way leads.
fn remember_the_door<W: Scene>(acting: &mut Acting<'_, W>, how: Ending) {
    let (world, words) = (acting.world, acting.world.words());
    let door = world.stopped_by(acting.me).and_then(|door| world.thing(door));
    let is_stopped = how == Ending::Failed(words.blocked);
    let to = acting.given(0).filter(|&name| name != words.target && is_stopped);
    if let (Some(door), Some(to)) = (door, to) {
        let given = given(acting, 0);
        // A slot's name is no place's.
        let (what, to) = given.map_or((None, to), |it| (it.what, it.name));
        let draft = FactDraft::new(words.path)
            .with_some(Attribute::Node, name(to), 1.0)
            .with_some(Attribute::Object, what, 1.0)
            .with(Attribute::Knowledge, words.blocked, 1.0)
            .with_some(Attribute::Link, name(door.name), 1.0);
        let keep = acting.spec.pace.ticks(WAY_KEPT);
        acting.remember_one(draft, &[Attribute::Node], keep);
    }
}

/// Runs to where the enemy is believed to be, and after him; done at arm's length. `state` is the
/// number of the order under way.
pub(crate) struct GotoTarget;

impl GotoTarget {
    fn follow<W: Scene>(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some((object, to)) = target(acting) else {
            return Progress::Failed(acting.world.words().lost);
        };
        let Some(here) = place_of(acting.world, acting.me) else {
            return Progress::Failed(acting.world.words().gone);
        };
        let mark = Mark { what: Some(object), place: to };
        // At arm's length he need not wait for an engine that answers later.
        let is_hidden = || match acting.world.sees(eye_of(acting.me, here), mark) {
            EngineAnswer::Now(how_well) => how_well <= 0.0,
            EngineAnswer::Later => false,
            EngineAnswer::Never => true,
        };
        if is_beside(here, to) && !is_hidden() {
            return Progress::Done;
        }
        acting.board.target = Some(object);
        let order = OrderId(*acting.state as u32);
        let going_to = acting.board.destination;
        let moved_on = going_to.is_none_or(|place| distance(place, to) >= MOVED_ON);
        match acting.board.state_of(order) {
            Some(OrderState::Failed(why)) => return Progress::Failed(why),
            Some(OrderState::Done) if !moved_on => {
                // He is not where he was believed to be.
                return Progress::Failed(acting.world.words().lost);
            }
            Some(OrderState::Open) if !moved_on => {}
            _ => {
                // Windows may be on the way.
                let dive = acting.world.words().dive;
                *acting.state = u64::from(move_to(acting, to, Word::NONE, dive).0);
            }
        }
        soon(acting, 0.5)
    }
}

impl<W: Scene> Behaviour<W> for GotoTarget {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.board.destination = None;
        self.follow(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        self.follow(acting)
    }
}

/// The link of one of these kinds that an action is about: its parameter, else the one on the way to
/// the enemy. What is known of other ways does not count.
pub(crate) fn link_of<W: Scene>(
    acting: &Acting<'_, W>,
    kinds: impl Fn(&Vocabulary) -> [Word; 2],
) -> Option<Thing> {
    let (world, words) = (acting.world, acting.world.words());
    let on_the_way = || {
        let ways = acting.memory.of_kind(words.path);
        let target = picked(acting, TARGET).and_then(|it| it.what);
        let mut ways = ways.filter(|way| {
            let object = way.entity(Attribute::Object);
            way.word(Attribute::Node) == Some(words.target) || object.is_some() && object == target
        });
        ways.find_map(|way| thing_called(world, way.word(Attribute::Link)?))
    };
    given_thing(acting).or_else(on_the_way).filter(|link| kinds(words).contains(&link.kind))
}

/// Goes through a door or window to the other side.
pub(crate) fn traverse<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (world, words) = (acting.world, acting.world.words());
    let (Some(link), Some(here)) =
        (link_of(acting, |words| [words.door, words.window]), place_of(world, acting.me))
    else {
        return Progress::Failed(words.gone);
    };
    let mut avoid = blocked_links(acting.memory, world);
    avoid.push(link.id);
    let mark = Mark { what: Some(link.id), place: link.place };
    match world.beyond(eye_of(acting.me, here), mark, &avoid) {
        EngineAnswer::Now(far_side) => {
            move_to(acting, far_side, Word::NONE, words.dive);
            Progress::Waiting
        }
        EngineAnswer::Later => soon(acting, 0.1),
        EngineAnswer::Never => Progress::Failed(words.no_path),
    }
}

/// Runs out of reach of every danger that he knows of.
pub(crate) fn escape<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (world, words) = (acting.world, acting.world.words());
    let known = acting.memory.of_kind(words.danger).filter_map(|fact| {
        let (at, radius) = (fact.position(Attribute::Position)?, fact.number(Attribute::Radius)?);
        Some((at, radius.ceil()))
    });
    let dangers: Lent<(Position, f32)> = known.collect();
    let here = place_of(world, acting.me);
    let safe = here.map(|here| world.shelter(eye_of(acting.me, here), ESCAPE_REACH, &dangers));
    match safe.and_then(EngineAnswer::now) {
        Some(safe) => {
            move_to(acting, safe, Word::NONE, words.run);
            Progress::Waiting
        }
        None => Progress::Failed(words.no_path),
    }
}

/// Runs out of the enemy's reach.
pub(crate) fn retreat<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (world, words) = (acting.world, acting.world.words());
    let (Some((_, enemy)), Some(here)) = (target(acting), place_of(world, acting.me)) else {
        return Progress::Failed(words.lost);
    };
    let far = distance(here, enemy) + RETREAT;
    let safe = world.shelter(eye_of(acting.me, here), ESCAPE_REACH * 2.0, &[(enemy, far)]);
    match safe.now() {
        Some(safe) => {
            move_to(acting, safe, Word::NONE, words.run);
            Progress::Waiting
        }
        None => Progress::Failed(words.no_path),
    }
}

/// Makes room: a step across the way of the friend who waits, or away from the one who stands
/// nearest.
pub(crate) fn step_aside<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (world, words) = (acting.world, acting.world.words());
    let Some(here) = place_of(world, acting.me) else { return Progress::Failed(words.gone) };
    let mut near = Lent::new();
    world.near(here, ELBOW, &mut near);
    let nearest = || near.iter().copied().find(|&other| other != acting.me);
    let friend = world.waits_for(acting.me).or_else(nearest);
    let from = friend.and_then(|friend| place_of(world, friend));
    // Who stands in the very same place is as well on this side as on that.
    let away = from.map(|from| direction(from, here)).filter(|away| *away != [0.0; 3]);
    let away = away.unwrap_or([1.0, 0.0, 0.0]);
    let [left, right] = across(away);
    let ways = [left, right, away, away.map(|at| -at)];
    match ways.into_iter().find_map(|way| world.step(here, way).now()) {
        Some(to) => {
            move_to(acting, to, Word::NONE, words.walk);
            Progress::Waiting
        }
        None => Progress::Failed(words.no_path),
    }
}
