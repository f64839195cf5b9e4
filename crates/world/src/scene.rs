//! The world as a scene of the kit: who there is, what is seen, ways, places, things.
//!
//! In:   questions of sensors and behaviours.
//! Out:  answers from the world as it is; at once, or later where the rules say so.
//! Cost: a look-up; what is near; a line of sight or a way where one is asked for.

use crate::actor::{Actor, Posture};
use crate::cell::Cell;
use crate::node::Node;
use crate::paths::{Manner, plain};
use crate::site::Site;
use crate::thing::Thing;
use crate::world::World;
use throng_kit::scene::{
    self, Arms, Avoided, EngineAnswer, Eye, Faces, Mark, Seen, SpotView, Stock, Trip, Way,
};
use throng_kit::{Bodies, Paths, Sight, Spots, Vocabulary};
use throng_mind::fact::{EntityId, Position};
use throng_mind::words::Word;

impl Bodies for World {
    fn words(&self) -> &Vocabulary {
        &self.words
    }

    fn side(&self, who: EntityId) -> Word {
        self.actor(who).map_or(Word::NONE, |actor| actor.side)
    }

    fn body(&self, who: EntityId) -> Option<Seen> {
        self.actor(who).map(|actor| seen(self, actor))
    }

    fn arms(&self, who: EntityId) -> Arms {
        let Some(actor) = self.actor(who) else { return Arms::default() };
        let grenades = u32::from(actor.grenades);
        let Some(weapon) = actor.weapon else { return Arms { grenades, ..Arms::default() } };
        Arms {
            weapon: Some(weapon.name),
            in_hand: weapon.armed,
            rounds: u32::from(weapon.rounds),
            holds: u32::from(weapon.holds),
            spare: match actor.spare {
                _ if weapon.holds == 0 => 0,
                spare => spare.map_or(u32::MAX, u32::from),
            },
            grenades,
        }
    }

    fn carries(&self, who: EntityId, out: &mut Vec<EntityId>) {
        out.extend(self.actor(who).into_iter().flat_map(|actor| &actor.carries));
    }

    fn owns(&self, who: EntityId, out: &mut Vec<EntityId>) {
        out.extend(self.actor(who).into_iter().flat_map(|actor| &actor.owns));
    }

    fn near(&self, place: Position, radius: f32, out: &mut Vec<EntityId>) {
        let from = Cell::of(place);
        // The cast saturates, and turns what is no number into zero.
        let around = self.actors().around(from, radius.ceil() as u16);
        let near = around.map(|(_, actor)| (from.distance_squared(actor.cell), actor.handle));
        let mut near: Vec<(i64, EntityId)> =
            near.filter(|&(far, _)| far as f32 <= radius * radius).collect();
        near.sort_unstable();
        out.extend(near.into_iter().map(|(_, handle)| handle));
    }

    fn aiming_at(&self, who: EntityId, out: &mut Vec<EntityId>) {
        out.extend(self.actors().aiming_at(who).map(|actor| actor.handle));
    }
}

fn seen(world: &World, actor: &Actor) -> Seen {
    let words = &world.words;
    let posture = match actor.posture {
        Posture::Standing => words.standing,
        Posture::Crouched => words.crouched,
        Posture::Riding => words.riding,
        Posture::Climbing => words.climbing,
    };
    Seen {
        facing: [f32::from(actor.facing.0), f32::from(actor.facing.1), 0.0],
        alive: actor.alive,
        health: actor.health as f32,
        posture,
        aims_at: actor.aims_at,
        pinned: world.is_pinned(actor),
        on: actor.on,
        climbed: actor.climbed,
        cloaked: actor.cloaked,
        name: actor.name,
        roofed: world.grid().is_roofed(actor.cell),
        ..Seen::at(actor.cell.place())
    }
}

impl Sight for World {
    fn sees(&self, from: Eye, to: Mark) -> EngineAnswer<f32> {
        if self.rules.rays_later.is_some() {
            return EngineAnswer::Later;
        }
        let is_seen = self.could_see(Cell::of(from.place), to.what, Cell::of(to.place));
        EngineAnswer::Now(if is_seen { 1.0 } else { 0.0 })
    }

    fn range(&self) -> f32 {
        f32::from(self.rules.sight)
    }

    fn protects(&self, spot: EntityId, from: Position) -> EngineAnswer<bool> {
        EngineAnswer::Now(World::protects(self, spot, Cell::of(from)))
    }
}

impl World {
    /// The way as it is now.
    pub(crate) fn way_now(&self, from: Eye, to: Mark, trip: &Trip<'_>) -> EngineAnswer<Way> {
        let eyes: Vec<Cell> = trip.eyes.iter().map(|&eye| Cell::of(eye)).collect();
        let view = self.cost_of_view(&eyes);
        let besides: &dyn Fn(Cell) -> u32 = if eyes.is_empty() { &plain } else { &view };
        let (from, to) = (Cell::of(from.place), Cell::of(to.place));
        let path = self.path(from, to, self.manner(trip.manner), trip.avoid, besides);
        let way = path.map(|path| {
            let link = path.first_link.and_then(|link| site(self).thing(link));
            Way {
                cost: path.cost as f32,
                link: path.first_link,
                shut: link.is_some_and(|link| link.is_shut_door()),
                watched: path.cells.iter().any(|&cell| besides(cell) > 0),
            }
        });
        way.into()
    }
}

impl Paths for World {
    fn way(&self, from: Eye, to: Mark, trip: &Trip<'_>) -> EngineAnswer<Way> {
        match self.rules.paths_later {
            Some(_) => EngineAnswer::Later,
            None => self.way_now(from, to, trip),
        }
    }

    fn clear(&self, at: Position, _: f32) -> EngineAnswer<bool> {
        EngineAnswer::Now(is_clear(self, Cell::of(at)))
    }

    fn step(&self, from: Position, towards: Position) -> EngineAnswer<Position> {
        let [up, left, right, down] = Cell::of(from).neighbours();
        let to = match towards[0].abs() > towards[1].abs() {
            true if towards[0] < 0.0 => left,
            true => right,
            false if towards[1] < 0.0 => up,
            false => down,
        };
        Some(to).filter(|&cell| is_clear(self, cell)).map(Cell::place).into()
    }

    /// The side that is farther without the link, or out of reach.
    fn beyond(&self, from: Eye, link: Mark, avoid: &[EntityId]) -> EngineAnswer<Position> {
        let here = Cell::of(from.place);
        let without = |&cell: &Cell| {
            let path = self.path(here, cell, Manner::Dive, avoid, &plain);
            path.map_or(u32::MAX, |path| path.cost)
        };
        let beside = Cell::of(link.place).neighbours().into_iter();
        let beside = beside.filter(|&cell| !self.is_opaque(cell));
        beside.max_by_key(without).map(Cell::place).into()
    }

    fn shelter(
        &self,
        from: Eye,
        reach: f32,
        dangers: &[(Position, f32)],
    ) -> EngineAnswer<Position> {
        // Casts saturate.
        let dangers: Vec<(Cell, u16)> =
            dangers.iter().map(|&(at, radius)| (Cell::of(at), radius.ceil() as u16)).collect();
        self.nearest_safe(Cell::of(from.place), reach as u32, &dangers).map(Cell::place).into()
    }

    fn stopped_by(&self, who: EntityId) -> Option<EntityId> {
        self.actor(who)?.blocked_by
    }

    fn waits_for(&self, who: EntityId) -> Option<EntityId> {
        let me = self.actor(who).filter(|me| me.alive)?;
        self.waiting_for(me).filter(|it| !it.is_enemy_of(me)).map(|it| it.handle)
    }

    fn avoided(&self, who: EntityId, out: &mut Vec<Avoided>) {
        let Some(actor) = self.actor(who) else { return };
        out.extend(actor.avoids.iter().map(|&link| Avoided::Link(link)));
        out.extend(actor.shuns.iter().map(|cell| Avoided::View(cell.place())));
    }
}

impl Spots for World {
    fn spots(&self, around: Position, radius: f32, out: &mut Vec<SpotView>) {
        let near = self.nodes().nearest(Cell::of(around), radius).into_iter();
        out.extend(near.filter(|node| self.exists(node)).map(spot));
    }

    fn things(&self, around: Position, radius: f32, out: &mut Vec<scene::Thing>) {
        let near = site(self).things().nearest(Cell::of(around), radius);
        out.extend(near.into_iter().map(|it| thing(self, it)));
    }

    fn wanting(&self, around: Position, radius: f32, out: &mut Vec<SpotView>) {
        let near = self.nodes().nearest(Cell::of(around), radius).into_iter();
        out.extend(near.filter(|node| !self.exists(node)).map(spot));
    }

    fn needs(&self, of: EntityId, who: EntityId, out: &mut Vec<scene::SpotNeed>) {
        let node = self.node(of).map(|node| &node.needs);
        let needs = node.or_else(|| site(self).thing(of).map(|thing| &thing.needs));
        out.extend(needs.into_iter().flatten().map(|need| scene::SpotNeed {
            thing: need.thing,
            state: need.state,
            met: site(self).thing(need.thing).is_some_and(|it| it.state() == need.state),
        }));
        let keys = site(self).thing(of).into_iter().flat_map(|thing| &thing.keys);
        out.extend(keys.map(|&key| scene::SpotNeed {
            thing: key,
            state: self.words.taken,
            met: site(self).thing(key).is_some_and(|it| it.held_by == Some(who)),
        }));
    }

    fn stock(&self, of: EntityId, out: &mut Vec<Stock>) {
        let goods = self.actor(of).map(|actor| &actor.goods);
        let goods = goods.or_else(|| site(self).thing(of).map(|thing| &thing.goods));
        let wares = goods.map_or(&[][..], |goods| goods.wares());
        out.extend(wares.iter().map(|it| Stock { ware: it.name, amount: it.amount }));
    }

    fn spot(&self, id: EntityId) -> Option<SpotView> {
        self.node(id).map(spot)
    }

    fn thing(&self, id: EntityId) -> Option<scene::Thing> {
        site(self).thing(id).map(|it| thing(self, it))
    }

    fn named(&self, name: Word) -> Option<EntityId> {
        let node = self.nodes().named(name).map(|node| node.handle);
        let thing = || self.thing_named(name).map(|thing| thing.handle);
        let actor = || self.actors().named(name).map(|actor| actor.handle);
        node.or_else(thing).or_else(actor)
    }

    fn stands_at(&self, who: EntityId) -> Option<EntityId> {
        self.spot_at(self.actor(who)?.cell).map(|(handle, _)| handle)
    }

    fn place(&self, what: EntityId) -> Option<Position> {
        self.cell_of(what).map(Cell::place)
    }
}

/// The site: it has things and nodes by the same names as the kit, but its own.
fn site(world: &World) -> &Site {
    world
}

/// Whether there is room for one more: neither wall nor shut door, and nobody there.
fn is_clear(world: &World, cell: Cell) -> bool {
    !world.is_opaque(cell) && world.standing_in(cell).is_none()
}

fn spot(node: &Node) -> SpotView {
    SpotView {
        id: node.handle,
        name: node.name,
        sort: node.kind,
        place: node.cell.place(),
        faces: node.faces.map(|it| Faces {
            direction: [f32::from(it.towards.0), f32::from(it.towards.1), 0.0],
            arc: f32::from(it.degrees),
        }),
        radius: node.radius.map(f32::from),
        held_by: node.taken_by,
    }
}

fn thing(world: &World, thing: &Thing) -> scene::Thing {
    let is_weapon = thing.arms.is_some();
    scene::Thing {
        id: thing.handle,
        name: thing.name,
        kind: if is_weapon { world.words.weapon } else { thing.sort },
        place: thing.cell.place(),
        state: thing.state(),
        held_by: thing.held_by,
    }
}
