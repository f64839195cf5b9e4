//! Fighting: `attack`, `attack_from_cover`, `melee`, `lunge`, `draw`, `reload`, `holster`, `dodge`.
//!
//! In:   the target.
//! Out:  `Weapon` orders, one after the other until he is dead.
//! Cost: an order at a time.
//!
//! An attack is done when the target is dead, and writes that down. It follows the pick `target`: if
//! another matters more, the next shot is at him. It fails with `lost` if the target cannot be hit for
//! a while, and then it is dropped: the next attack is on the enemy that matters most then. Else it
//! fails with what the weapons say: `empty`, `unarmed`, `too_far`.

use crate::facts::{eye_of, is_surely_seen, own_name, place_of, soon};

use crate::geometry::{across, direction, distance, is_beside};
use crate::going::move_to;
use crate::lists::Lent;
use crate::references::{Reference, given};
use crate::scene::{EngineAnswer, Mark, Scene};
use crate::targets::{is_selected, target, target_slot};
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, Position, Value};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Order, OrderId};
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Progress};

/// A target out of sight for so many seconds is lost.
const LOST_AFTER: f64 = 2.0;
/// How far a lunge carries, in steps, and for how many seconds it goes on after one who moves.
const LUNGE: f32 = 6.0;
const LEAPS: f64 = 2.0;
/// For so many seconds after one was seen last one who leaps at him knows where he is.
const EYES_ON: f64 = 1.0;

/// Hits until the target is dead: shoots, or strikes if the weapon is one for arm's length.
pub(crate) struct Attack {
    /// Strikes, whatever the weapon is.
    pub(crate) strikes: bool,
}

/// Shoots; strikes if the weapon is one for arm's length.
pub(crate) const ATTACK: Attack = Attack { strikes: false };
/// Strikes.
pub(crate) const MELEE: Attack = Attack { strikes: true };

impl<W: Scene> Behaviour<W> for Attack {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some((object, _)) = target(acting) else {
            return Progress::Failed(acting.world.words().lost);
        };
        acting.board.target = Some(object);
        self.hit(acting, object, 0)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (order, lost_since) = (OrderId(*acting.state as u32), (*acting.state >> 32) as Tick);
        let words = acting.world.words();
        let Some(object) = acting.board.target else { return Progress::Failed(words.lost) };
        if is_selected(acting) && !is_known_dead(acting, object) {
            match target(acting) {
                Some((now, _)) if now != object => {
                    acting.board.target = Some(now);
                    return self.hit(acting, now, 0);
                }
                Some(_) => {}
                None => {
                    acting.board.target = None;
                    return Progress::Failed(words.lost);
                }
            }
        }
        match acting.board.state_of(order) {
            Some(OrderState::Open) if is_selected(acting) && is_known_dead(acting, object) => {
                self.hit(acting, object, 0)
            }
            Some(OrderState::Open) => Progress::Waiting,
            Some(OrderState::Done) => self.hit(acting, object, 0),
            Some(OrderState::Failed(why))
                if why == words.no_line || self.is_out_of_view(acting, object, why) =>
            {
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
    /// Whether he is too far for a shot, or fell where nobody sees it: for who attacks that is as if he
    /// hid.
    fn is_out_of_view<W: Scene>(
        &self,
        acting: &Acting<'_, W>,
        object: EntityId,
        why: Word,
    ) -> bool {
        let words = acting.world.words();
        let is_shot = !self.strikes && how_to_hit(acting) == words.fire;
        is_shot && why == words.too_far || why == words.gone && !is_known_dead(acting, object)
    }

    /// One shot or blow more, if the target still lives.
    fn hit<W: Scene>(
        &self,
        acting: &mut Acting<'_, W>,
        object: EntityId,
        lost_since: Tick,
    ) -> Progress {
        if is_known_dead(acting, object) {
            remember_dead(acting, object);
            // Whom he fights now may be another, who came to matter more while the shot was on its
            // way: of him nothing is done yet.
            // (Who is picked in this very tick is so because the other died: that is done.)
            let is_older =
                acting.picked(target_slot(acting)).is_some_and(|pick| pick.since < acting.now);
            let now = target(acting).filter(|_| is_selected(acting) && is_older);
            let other = now.filter(|&(now, _)| now != object);
            let Some((other, _)) = other else { return Progress::Done };
            if is_known_dead(acting, other) {
                // Somebody else was faster, and he sees it now.
                remember_dead(acting, other);
                return Progress::Done;
            }
            acting.board.target = Some(other);
            return self.hit(acting, other, 0);
        }
        let what = match self.strikes {
            true => acting.world.words().melee,
            false => how_to_hit(acting),
        };
        let order = acting.board.order(Order::Weapon { what, at: Some(object), to: None });
        *acting.state = pack(order, lost_since);
        Progress::Waiting
    }
}

/// Whether he is dead, or not there any more, and who attacks can know it: of one who fell out of view
/// he believes what he believed. (Files that select no target know at once, as ever.)
fn is_known_dead<W: Scene>(acting: &Acting<'_, W>, who: EntityId) -> bool {
    let Some(body) = acting.world.body(who) else { return true };
    let mark = Mark { what: Some(who), place: body.place };
    let character = acting.world.words().character;
    // Of what the engine says later he goes by what he knows.
    let is_taken_for_seen = || acting.memory.about(character, who).any(is_surely_seen);
    let sees = |here| match acting.world.sees(eye_of(acting.me, here), mark) {
        EngineAnswer::Now(how_well) => how_well > 0.0,
        EngineAnswer::Later => is_taken_for_seen(),
        EngineAnswer::Never => false,
    };
    let can_know = || place_of(acting.world, acting.me).is_some_and(sees);
    !body.alive && (!is_selected(acting) || can_know())
}

pub(crate) fn is_alive<W: Scene>(world: &W, who: EntityId) -> bool {
    world.body(who).is_some_and(|body| body.alive)
}

fn how_to_hit<W: Scene>(acting: &Acting<'_, W>) -> Word {
    let (arms, words) = (acting.world.arms(acting.me), acting.world.words());
    if arms.weapon.is_some() && arms.holds > 0 { words.fire } else { words.melee }
}

/// What an attack remembers: its order, and since when the target is out of sight.
fn pack(order: OrderId, lost_since: Tick) -> u64 {
    u64::from(lost_since) << 32 | u64::from(order.0)
}

/// He is dead: who has just hit him sees that.
fn remember_dead<W: Scene>(acting: &mut Acting<'_, W>, object: EntityId) {
    let words = acting.world.words();
    // Several senses may have written of him.
    let known: Lent<_> = acting.memory.about(words.character, object).map(FactRef::id).collect();
    for &id in known.iter() {
        let memory = &mut acting.memory;
        let _ = memory.set(id, Attribute::Knowledge, Value::Word(words.dead), 1.0, acting.now);
        let _ = memory.set(id, Attribute::Stimulus, Value::Word(words.body), 1.0, acting.now);
    }
    acting.board.target = None;
}

/// Whom one leaps at, with where he is: who leaps has his eyes on him, unless he has not seen him for
/// a while.
fn prey<W: Scene>(acting: &Acting<'_, W>) -> Option<(EntityId, Position)> {
    let (object, believed) = target(acting)?;
    let mut known = acting.memory.about(acting.world.words().character, object);
    let long = acting.spec.pace.ticks(EYES_ON);
    let is_fresh = known.any(|fact| acting.now.saturating_sub(fact.updated()) < long);
    let there = is_fresh.then(|| place_of(acting.world, object)).flatten();
    Some((object, there.unwrap_or(believed)))
}

/// Leaps at the enemy and strikes. `state` 0: on the way; else as an attack.
pub(crate) struct Lunge;

impl<W: Scene> Behaviour<W> for Lunge {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (world, words) = (acting.world, acting.world.words());
        let (Some((object, to)), Some(here)) = (prey(acting), place_of(world, acting.me)) else {
            return Progress::Failed(words.lost);
        };
        if distance(here, to) > LUNGE {
            return Progress::Failed(words.too_far);
        }
        acting.board.target = Some(object);
        move_to(acting, to, Word::NONE, words.dive);
        Progress::Until(after(acting.now, 2))
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let strikes = *acting.state != 0;
        let struck = if strikes { MELEE.go_on(acting) } else { acting.board.progress() };
        if strikes && struck != Progress::Failed(words.too_far) {
            return struck;
        }
        let (Some((object, to)), Some(here)) = (prey(acting), place_of(acting.world, acting.me))
        else {
            return Progress::Failed(words.lost);
        };
        let is_over = acting.now.saturating_sub(acting.since) >= acting.spec.pace.ticks(LEAPS);
        match struck {
            _ if is_beside(here, to) && !strikes => MELEE.hit(acting, object, 0),
            Progress::Waiting => Progress::Until(after(acting.now, 2)),
            // Who walks on is leapt at once more, from where the last leap ended.
            Progress::Done | Progress::Failed(_) if distance(here, to) <= LUNGE && !is_over => {
                *acting.state = 0;
                move_to(acting, to, Word::NONE, words.dive);
                Progress::Until(after(acting.now, 2))
            }
            // The leap before the last was replaced by it.
            Progress::Failed(why) if why == words.replaced => Progress::Failed(words.too_far),
            Progress::Done => Progress::Failed(words.too_far),
            other => other,
        }
    }
}

/// Something done with the weapon alone.
pub(crate) fn arms(what: Word) -> Order {
    Order::Weapon { what, at: None, to: None }
}

/// Throws a grenade at what the file gives, else at the target: to where that is believed to be. It
/// is done when the grenade has gone off, as far as he knows, and after the time that the action
/// takes: only then is there an effect, and nobody runs after his own grenade. `state` 1: it is on its
/// way.
pub(crate) struct Throw;

/// A grenade is noticed by so many seconds after it was thrown.
const NOTICED: f64 = 0.5;

impl<W: Scene> Behaviour<W> for Throw {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let at_target = || {
            let (what, place) = target(acting)?;
            Some(Reference { what: Some(what), name: Word::NONE, place: Some(place) })
        };
        let goal = given(acting, 0).or_else(at_target);
        let Some((at, to)) = goal.and_then(|goal| Some((goal.what, goal.place?))) else {
            return Progress::Failed(words.lost);
        };
        acting.board.order(Order::Weapon { what: words.throw, at, to: Some(to) });
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let knows = |kind: Word| acting.memory.of_kind(kind).next().is_some();
        match acting.board.progress() {
            Progress::Done if *acting.state == 0 => {
                *acting.state = 1;
                soon(acting, NOTICED)
            }
            Progress::Done if acting.now.saturating_sub(acting.since) < acting.takes() => {
                Progress::Until(after(acting.since, acting.takes()))
            }
            Progress::Done if knows(words.grenade) || knows(words.danger) => soon(acting, 0.2),
            other => other,
        }
    }
}

/// Aims at where the target is expected: done when he shows himself, failed with `lost` if he does
/// not while it takes.
pub(crate) struct AimAtLast;

impl<W: Scene> Behaviour<W> for AimAtLast {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some((object, _)) = target(acting) else {
            return Progress::Failed(acting.world.words().lost);
        };
        acting.board.order(Order::Target { at: Some(object) });
        soon(acting, 0.1)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let Some((object, _)) = target(acting) else { return Progress::Failed(words.lost) };
        let known = acting.memory.about(words.character, object).next();
        if known.is_some_and(is_surely_seen) {
            return Progress::Done;
        }
        let is_over = acting.now.saturating_sub(acting.since) >= acting.takes();
        if is_over { Progress::Failed(words.lost) } else { soon(acting, 0.1) }
    }
}

/// Gets out of the line: a step to the side, played as the kind that was chosen at the start
/// (`roll`, `shuffle` …). Without room to the side only the movement is played.
pub(crate) fn dodge<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (world, words) = (acting.world, acting.world.words());
    let what = acting.kind.unwrap_or(own_name(acting));
    let ticks = acting.takes();
    acting.board.order(Order::Animate { what, ticks });
    let Some(here) = place_of(world, acting.me) else { return Progress::Failed(words.gone) };
    let line = target(acting).map_or([1.0, 0.0, 0.0], |(_, to)| direction(here, to));
    let side = across(line).into_iter().find_map(|way| world.step(here, way).now());
    if let Some(side) = side {
        move_to(acting, side, Word::NONE, words.run);
    }
    Progress::Waiting
}
