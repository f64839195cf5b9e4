//! Actors and their orders under way as bytes and back.

use crate::actor::{Actor, Control, Posture, Weapon};
use crate::cell::Cell;
use crate::grid::LARGEST_SIDE;
use crate::jobs::{Going, Jobs, Timed};
use crate::paths::{MOST_EYES, Manner};
use crate::world::{OFF_THE_MAP, World};
use throng_base::codec::{DecodeError, Decoder};
use throng_base::{codec_enum, codec_struct};
use throng_mind::orders::Order;

codec_enum!("posture" Posture { 0 => Standing, 1 => Crouched, 2 => Riding, 3 => Climbing });
codec_enum!("control of an actor" Control { 0 => Mind, 1 => Script });
codec_enum!("manner of going" Manner { 0 => Walk, 1 => Run, 2 => Sneak, 3 => Dive });
codec_struct!(Weapon { name, armed, rounds, holds });
codec_struct!(Timed { id, until, order });
codec_struct!(Going { id, to, manner, rest, until, opening });
codec_struct!(Jobs { moving, weapon, animation, targeting, hands });
codec_struct!(Actor {
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
});

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

impl World {
    pub(super) fn read_actor(&self, from: &mut Decoder<'_>) -> Result<Actor, DecodeError> {
        let actor = from.read()?;
        let fits = self.is_possible(&actor) && self.jobs_fit(&actor);
        from.sound(actor, fits, "actor of this world")
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
    use throng_base::codec::trial::{Trial, comes_back};

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
        comes_back::<Actor>(|trial, _| Actor {
            handle: trial.any(),
            name: trial.any(),
            text: trial.any(),
            side: trial.any(),
            cell: trial.any(),
            facing: trial.any(),
            health: trial.any(),
            weapon: trial.any(),
            grenades: trial.any(),
            carries: trial.any(),
            posture: trial.any(),
            on: trial.any(),
            climbed: trial.any(),
            aims_at: trial.any(),
            alive: trial.any(),
            control: trial.any(),
            avoids: trial.any(),
            shuns: trial.any(),
            blocked_by: trial.any(),
            holds_node: trial.any(),
            plays: trial.any(),
            pinned: trial.any(),
            jobs: trial.any(),
        });
    }
}
