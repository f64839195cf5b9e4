//! Fighting: `attack`, `attack_from_cover`, `melee`, `lunge`, `draw`, `reload`, `holster`, `dodge`.
//!
//! In:   the enemy to care about.
//! Out:  `Weapon` orders, one after the other until he is dead.
//! Cost: an order at a time.
//!
//! An attack is done when the target is dead, and writes that down. It fails with `lost` if the
//! target cannot be hit for a while, and then it is dropped: the next attack is on
//! the enemy that matters most then. While another enemy is surely seen, the attack turns to him.
//! Else it fails with what the weapons say: `empty`, `unarmed`, `too_far`.

use super::facts::{my_cell, own_name, soon, target};
use super::going::move_to;
use crate::world::World;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, Value};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Order, OrderId};
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Progress};

/// A target out of sight for so many seconds is lost.
const LOST_AFTER: f64 = 2.0;
/// How far a lunge carries, in cells.
const LUNGE: f32 = 6.0;

/// Hits until the target is dead, with what the function says.
pub(super) struct Attack(fn(&Acting<'_, World>) -> Word);

/// Shoots; strikes if the weapon is one for arm's length.
pub(super) const ATTACK: Attack = Attack(how_to_hit);
/// Strikes.
pub(super) const MELEE: Attack = Attack(|acting| acting.world.words.melee);

impl Behaviour<World> for Attack {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some((object, _)) = target(acting) else {
            return Progress::Failed(acting.world.words.lost);
        };
        acting.board.target = Some(object);
        self.hit(acting, object, 0)
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let (order, lost_since) = (OrderId(*acting.state as u32), (*acting.state >> 32) as Tick);
        let words = &acting.world.words;
        let Some(object) = acting.board.target else { return Progress::Failed(words.lost) };
        match acting.board.state_of(order) {
            Some(OrderState::Open) => Progress::Waiting,
            Some(OrderState::Done) => self.hit(acting, object, 0),
            Some(OrderState::Failed(why)) if why == words.no_line => {
                if let Some((other, _)) = target(acting).filter(|&(other, _)| other != object) {
                    acting.board.target = Some(other);
                    return self.hit(acting, other, 0);
                }
                // Perhaps he shows himself again.
                let since = if lost_since == 0 { acting.now } else { lost_since };
                let patience = acting.spec.pace.ticks(LOST_AFTER);
                if acting.now.saturating_sub(since) >= patience {
                    acting.board.target = None;
                    return Progress::Failed(words.lost);
                }
                *acting.state = pack(OrderId(0), since);
                soon(acting, 0.3)
            }
            Some(OrderState::Failed(why)) if why == words.gone => self.hit(acting, object, 0),
            Some(OrderState::Failed(why)) => Progress::Failed(why),
            None => self.hit(acting, object, lost_since),
        }
    }
}

impl Attack {
    /// One shot or blow more, if the target still lives.
    fn hit(&self, acting: &mut Acting<'_, World>, object: EntityId, lost_since: Tick) -> Progress {
        if !acting.world.actor(object).is_some_and(|it| it.alive) {
            remember_dead(acting, object);
            return Progress::Done;
        }
        let what = (self.0)(acting);
        let order = acting.board.order(Order::Weapon { what, at: Some(object) });
        *acting.state = pack(order, lost_since);
        Progress::Waiting
    }
}

fn how_to_hit(acting: &Acting<'_, World>) -> Word {
    let weapon = acting.world.actor(acting.me).and_then(|me| me.weapon);
    let words = &acting.world.words;
    if weapon.is_some_and(|weapon| weapon.holds > 0) { words.fire } else { words.melee }
}

/// What an attack remembers: its order, and since when the target is out of sight.
fn pack(order: OrderId, lost_since: Tick) -> u64 {
    u64::from(lost_since) << 32 | u64::from(order.0)
}

/// He is dead: who has just hit him sees that.
fn remember_dead(acting: &mut Acting<'_, World>, object: EntityId) {
    let words = &acting.world.words;
    let is_he = |fact: &FactRef<'_>| fact.entity(Attribute::Object) == Some(object);
    let fact = acting.memory.of_kind(words.character).find(is_he).map(FactRef::id);
    if let Some(id) = fact {
        let memory = &mut acting.memory;
        let _ = memory.set(id, Attribute::Knowledge, Value::Word(words.dead), 1.0, acting.now);
        let _ = memory.set(id, Attribute::Stimulus, Value::Word(words.body), 1.0, acting.now);
    }
    acting.board.target = None;
}

/// Leaps at the enemy and strikes. `state` 0: on the way; else as an attack.
pub(super) struct Lunge;

impl Behaviour<World> for Lunge {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let (world, words) = (acting.world, &acting.world.words);
        let (Some((object, to)), Some(here)) = (target(acting), my_cell(world, acting.me)) else {
            return Progress::Failed(words.lost);
        };
        if here.distance(to) > LUNGE {
            return Progress::Failed(words.too_far);
        }
        acting.board.target = Some(object);
        move_to(acting, to, Word::NONE, words.dive);
        Progress::Until(after(acting.now, 2))
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        if *acting.state != 0 {
            return MELEE.go_on(acting);
        }
        let Some((object, to)) = target(acting) else {
            return Progress::Failed(acting.world.words.lost);
        };
        let here = my_cell(acting.world, acting.me);
        match acting.board.progress() {
            _ if here.is_some_and(|here| here.is_beside(to)) => MELEE.hit(acting, object, 0),
            Progress::Waiting => Progress::Until(after(acting.now, 2)),
            Progress::Done => Progress::Failed(acting.world.words.too_far),
            other => other,
        }
    }
}

/// Something done with the weapon alone.
pub(super) fn arms(what: Word) -> Order {
    Order::Weapon { what, at: None }
}

/// Gets out of the line: a step to the side, played as the kind that was chosen at the start
/// (`roll`, `shuffle` …). Without room to the side only the movement is played.
pub(super) fn dodge(acting: &mut Acting<'_, World>) -> Progress {
    let (world, words) = (acting.world, &acting.world.words);
    let what = acting.kind.unwrap_or(own_name(acting));
    let ticks = acting.takes();
    acting.board.order(Order::Animate { what, ticks });
    let Some(here) = my_cell(world, acting.me) else { return Progress::Failed(words.gone) };
    let (dx, dy) = target(acting).map_or((1, 0), |(_, to)| here.to(to));
    // Across the line: up or down if it is rather level, else left or right.
    let across = match dx.abs() >= dy.abs() {
        true => [here.neighbours()[0], here.neighbours()[3]],
        false => [here.neighbours()[1], here.neighbours()[2]],
    };
    if let Some(side) = across.into_iter().find(|&cell| !world.is_opaque(cell)) {
        move_to(acting, side, Word::NONE, words.run);
    }
    Progress::Waiting
}
