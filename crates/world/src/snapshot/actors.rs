//! Actors and their orders under way as bytes and back.

use crate::actor::{Actor, Control, Posture, Weapon};
use crate::cell::Cell;
use crate::grid::LARGEST_SIDE;
use crate::jobs::{Going, Jobs, Timed};
use crate::paths::{MOST_EYES, Manner};
use crate::world::{OFF_THE_MAP, World};
use throng_mind::orders::Order;
use throng_mind::pack::{Damaged, Pack, Packer, Unpacker};
use throng_mind::pack_choices;

pack_choices!("posture" Posture { Standing = 0, Crouched = 1, Riding = 2, Climbing = 3 });
pack_choices!("control of an actor" Control { Mind = 0, Script = 1 });
pack_choices!("manner of going" Manner { Walk = 0, Run = 1, Sneak = 2, Dive = 3 });

impl Pack for Weapon {
    fn pack(&self, to: &mut Packer) {
        let Weapon { name, armed, rounds, holds } = self;
        to.put(name).put(armed).put(rounds).put(holds);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (name, armed, rounds, holds) = from.take()?;
        Ok(Weapon { name, armed, rounds, holds })
    }
}

impl Pack for Timed {
    fn pack(&self, to: &mut Packer) {
        let Timed { id, until, order } = self;
        to.put(id).put(until).put(order);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (id, until, order) = from.take()?;
        Ok(Timed { id, until, order })
    }
}

impl Pack for Going {
    fn pack(&self, to: &mut Packer) {
        let Going { id, to: place, manner, rest, until, opening } = self;
        to.put(id).put(place).put(manner).put(rest).put(until).put(opening);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Going {
            id: from.take()?,
            to: from.take()?,
            manner: from.take()?,
            rest: from.take()?,
            until: from.take()?,
            opening: from.take()?,
        })
    }
}

impl Pack for Jobs {
    fn pack(&self, to: &mut Packer) {
        let Jobs { moving, weapon, animation, targeting, hands } = self;
        to.put(moving).put(weapon).put(animation).put(targeting).put(hands);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Jobs {
            moving: from.take()?,
            weapon: from.take()?,
            animation: from.take()?,
            targeting: from.take()?,
            hands: from.take()?,
        })
    }
}

impl Jobs {
    /// Whether each order is with the subsystem that it is for.
    fn fit(&self) -> bool {
        let is = |slot: &Option<Timed>, fits: fn(&Order) -> bool| {
            slot.as_ref().is_none_or(|job| fits(&job.order))
        };
        is(&self.weapon, |order| matches!(order, Order::Weapon { .. }))
            && is(&self.animation, |order| matches!(order, Order::Animate { .. }))
            && is(&self.targeting, |order| matches!(order, Order::Target { .. }))
            && is(&self.hands, |order| matches!(order, Order::Use { .. } | Order::Other { .. }))
    }
}

pub(super) fn pack(actor: &Actor, to: &mut Packer) {
    let Actor {
        handle,
        name,
        text,
        side,
        cell,
        facing,
        health,
        weapon,
        grenades,
        carries,
        posture,
        on,
        climbed,
        aims_at,
        alive,
        control,
        avoids,
        shuns,
        blocked_by,
        holds_node,
        plays,
        pinned,
        jobs,
    } = actor;
    to.put(handle).put(name).put(text).put(side).put(cell).put(facing).put(health);
    to.put(weapon).put(grenades).put(carries).put(posture).put(on).put(climbed);
    to.put(aims_at).put(alive).put(control).put(avoids).put(shuns).put(blocked_by);
    to.put(holds_node).put(plays).put(pinned).put(jobs);
}

impl World {
    pub(super) fn read_actor(&self, from: &mut Unpacker<'_>) -> Result<Actor, Damaged> {
        let actor = Actor {
            handle: from.take()?,
            name: from.take()?,
            text: from.take()?,
            side: from.take()?,
            cell: from.take()?,
            facing: from.take()?,
            health: from.take()?,
            weapon: from.take()?,
            grenades: from.take()?,
            carries: from.take()?,
            posture: from.take()?,
            on: from.take()?,
            climbed: from.take()?,
            aims_at: from.take()?,
            alive: from.take()?,
            control: from.take()?,
            avoids: from.take()?,
            shuns: from.take()?,
            blocked_by: from.take()?,
            holds_node: from.take()?,
            plays: from.take()?,
            pinned: from.take()?,
            jobs: from.take()?,
        };
        let fits = self.is_possible(&actor) && self.jobs_fit(&actor);
        if fits { Ok(actor) } else { from.damaged("actor of this world") }
    }

    /// Whether somebody can be so, by himself.
    fn is_possible(&self, actor: &Actor) -> bool {
        let is_there = !self.grid.is_wall(actor.cell);
        let is_off = !actor.alive && actor.cell == OFF_THE_MAP;
        // Steps on a map, which turn into products.
        let is_step = |step: i16| usize::from(step.unsigned_abs()) <= LARGEST_SIDE + 1;
        let avoids = &actor.avoids;
        (is_there || is_off)
            && is_step(actor.facing.0)
            && is_step(actor.facing.1)
            && actor.health >= 0
            && avoids.is_sorted_by(|one, two| one < two)
            && avoids.iter().all(|&link| self.thing_index(link).is_some())
            && actor.shuns.len() <= MOST_EYES
            && actor.holds_node.is_none_or(|node| node < self.nodes.len())
    }

    fn jobs_fit(&self, actor: &Actor) -> bool {
        let rest = actor.jobs.moving.as_ref().map_or(&[][..], |going| &going.rest);
        let dead_rest = actor.jobs.is_empty()
            && actor.holds_node.is_none()
            && actor.aims_at.is_none()
            && actor.carries.is_empty();
        let is_floor = |cell: &Cell| !self.grid.is_wall(*cell);
        actor.jobs.fit() && rest.iter().all(is_floor) && (actor.alive || dead_rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::comes_back;
    use throng_mind::pack::trial::Trial;

    #[test]
    fn actors_parts_and_their_jobs_come_back() {
        // The lists of choices are checked by the compiler.
        comes_back::<Posture>(|trial, _| trial.any());
        comes_back::<Control>(|trial, _| trial.any());
        comes_back::<Manner>(|trial, _| trial.any());
        comes_back::<Weapon>(|trial, _| Weapon {
            name: trial.any(),
            armed: trial.any(),
            rounds: trial.any(),
            holds: trial.any(),
        });
        let timed =
            |trial: &mut Trial| Timed { id: trial.any(), until: trial.any(), order: trial.any() };
        let going = |trial: &mut Trial| Going {
            id: trial.any(),
            to: trial.any(),
            manner: trial.any(),
            rest: trial.any(),
            until: trial.any(),
            opening: trial.any(),
        };
        comes_back::<Timed>(|trial, _| timed(trial));
        comes_back::<Going>(|trial, _| going(trial));
        comes_back::<Jobs>(|trial, round| {
            let mut has = |at: usize| (round >> at & 1 == 1).then(|| timed(trial));
            let (weapon, animation, targeting, hands) = (has(0), has(1), has(2), has(3));
            let moving = (round >> 4 & 1 == 1).then(|| going(trial));
            Jobs { moving, weapon, animation, targeting, hands }
        });
    }
}
