//! Meetings: two never stand in one cell, so who finds the next cell of his way taken goes round,
//! changes places, waits, or gives up.
//!
//! In:   a walker whose next cell somebody lives in.
//! Out:  the walker a step farther, on another way, waiting, or at his order's end.
//! Cost: a look at one cell; a search of a way for each meeting with one who stands.
//!
//! | who is in the way | what the walker does |
//! |---|---|
//! | one who comes towards him, no enemy | both change places at once |
//! | one who stays, in the cell that the way ends in | stops beside him: arrived; `taken` if it is a node |
//! | one who stays, elsewhere | goes round him if that is not far; else waits a moment for him to step aside, then squeezes past: both change places |
//! | one on the way elsewhere | waits for him; squeezes past when that takes too long |
//! | an enemy, or one on a ladder | goes round or waits, and gives up with `blocked` in the end |
//!
//! So a corridor never locks: of two who are no enemies one always gets past. Who comes first
//! follows from the numbers of the actors, as in every subsystem. With `rules.bodies_pass` nobody
//! is in anybody's way.

use super::World;
use crate::actor::jobs::Going;
use crate::actor::{Actor, Posture};
use crate::cell::Cell;
use crate::thing::ThingKind;
use std::collections::HashSet;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;

/// Who waits for one who is on the way himself waits so many times as long.
const FOR_WALKERS: Tick = 3;

impl World {
    /// Who lives in a cell and is in the way of others.
    pub fn standing_in(&self, cell: Cell) -> Option<&Actor> {
        self.index_in(cell).map(|index| &self.actors[index])
    }

    pub(super) fn index_in(&self, cell: Cell) -> Option<usize> {
        if self.rules.bodies_pass { None } else { self.actors.last_in(cell) }
    }

    /// Whether another than this actor is in a cell.
    pub fn is_taken(&self, cell: Cell, me: EntityId) -> bool {
        self.standing_in(cell).is_some_and(|it| it.handle != me)
    }

    /// The nearest cell that nobody is in, through open doors: the cell itself if it is free; of
    /// several one without a node, then the first in reading order.
    pub(super) fn room_near(&self, cell: Cell, me: EntityId) -> Option<Cell> {
        if !self.is_taken(cell, me) {
            return Some(cell);
        }
        let is_node = |cell: Cell| self.nodes().around(cell, 0).any(|(_, it)| it.cell == cell);
        let mut visited: HashSet<Cell> = HashSet::from([cell]);
        let (mut ring, mut second) = (vec![cell], None);
        while !ring.is_empty() {
            let around = ring.iter().flat_map(|cell| cell.neighbours());
            let mut next: Vec<Cell> =
                around.filter(|&cell| self.is_open(cell) && visited.insert(cell)).collect();
            next.sort_unstable_by_key(|cell| (cell.y, cell.x));
            let mut free = next.iter().copied().filter(|&cell| !self.is_taken(cell, me));
            let first = free.clone().next();
            if let Some(room) = free.find(|&cell| !is_node(cell)) {
                return Some(room);
            }
            second = second.or(first);
            ring = next;
        }
        second
    }

    /// Whether one can step into a cell without opening or breaking anything.
    fn is_open(&self, cell: Cell) -> bool {
        let is_window = || self.link_at(cell).is_some_and(|it| it.kind == ThingKind::Window);
        !self.is_opaque(cell) && !is_window()
    }

    /// Who waits because this actor is in the way: one in a cell beside, whose way leads through
    /// where this one stands. The first by number.
    pub fn waiting_for(&self, me: &Actor) -> Option<&Actor> {
        let beside = me.cell.neighbours().into_iter().filter_map(|cell| self.standing_in(cell));
        let waits = |it: &&Actor| {
            let going = it.jobs.moving.as_ref();
            going.is_some_and(|way| way.waits.is_some() && way.rest.last() == Some(&me.cell))
        };
        beside.filter(waits).min_by_key(|it| it.handle)
    }

    /// Where an actor can step to let somebody pass: a free cell beside that is not on the other's
    /// way; without one, none.
    pub fn aside(&self, me: &Actor, of: &Actor) -> Option<Cell> {
        let way = of.jobs.moving.as_ref().map_or(&[][..], |going| &going.rest);
        let is_free = |cell: &Cell| {
            self.is_open(*cell) && self.standing_in(*cell).is_none() && !way.contains(cell)
        };
        me.cell.neighbours().into_iter().find(is_free)
    }

    /// The next cell of a way is taken by another.
    pub(super) fn meet(&mut self, index: usize, mut going: Going, other: usize) {
        let (me, it) = (&self.actors[index], &self.actors[other]);
        let (is_first, since) = (going.waits.is_none(), going.waits.unwrap_or(self.now));
        let waited = self.now.saturating_sub(since);
        let his_next = it.jobs.moving.as_ref().map(|way| way.rest.last().copied());
        let (stays, comes) = (his_next.is_none(), his_next == Some(Some(me.cell)));
        let ends_here = going.rest.len() == 1;
        let patience = self.rules.patience;
        let limit = if stays { patience } else { patience.saturating_mul(FOR_WALKERS) };
        if stays && ends_here {
            let holds_node = me.holds_node.is_some();
            return match holds_node {
                true => self.stop_moving(index, going.id, self.words.taken),
                false => self.end(index, going.id, Ok(())),
            };
        }
        if !can_change_places(me, it) {
            going.held = going.held.saturating_add(1);
        } else if comes || waited >= limit {
            return self.change_places(index, going, other);
        }
        // Who turns round for his friends and comes back has waited all the same.
        if going.held >= patience.saturating_mul(FOR_WALKERS * FOR_WALKERS) {
            let who = it.handle;
            self.actors.edit(index).blocked_by = Some(who);
            return self.stop_moving(index, going.id, self.words.blocked);
        }
        going.waits = Some(since);
        if is_first && stays && self.go_round(index, &mut going) {
            return self.next_leg(index, going);
        }
        going.until = self.in_ticks(1);
        self.actors.edit(index).jobs.moving = Some(going);
    }

    /// Finds a way on which fewer stand, unless it is far longer; `false` if there is none.
    fn go_round(&self, index: usize, going: &mut Going) -> bool {
        let me = &self.actors[index];
        let stands = |cell: Cell| {
            self.standing_in(cell).is_some_and(|it| it.handle != me.handle && !it.is_moving())
        };
        let view = self.cost_of_view(&me.shuns);
        let sneaks = going.manner == crate::paths::Manner::Sneak;
        let besides = |cell: Cell| {
            let seen = if sneaks { view(cell) } else { 0 };
            // Where the way ends somebody may stand: that is seen when he is there.
            let stands = cell != going.to && stands(cell);
            seen + if stands { self.rules.body_cost } else { 0 }
        };
        let path = self.path(me.cell, going.to, going.manner, &me.avoids, &besides);
        let Some(path) = path else { return false };
        if path.cells.first() == going.rest.last() {
            return false;
        }
        going.rest = path.cells.into_iter().rev().collect();
        !going.rest.is_empty()
    }

    /// Two change places: the walker is a step farther, and so is the other if he came towards
    /// him; else he goes on from where he is now.
    fn change_places(&mut self, index: usize, mut going: Going, other: usize) {
        let (here, there) = (self.actors[index].cell, self.actors[other].cell);
        going.rest.pop();
        self.enter(index, there);
        self.enter(other, here);
        let his = self.actors.edit(other).jobs.moving.take();
        if let Some(mut his) = his {
            his.waits = None;
            if his.rest.last() == Some(&here) {
                his.rest.pop();
                self.go_on_or_arrive(other, his);
            } else {
                self.set_out(other, his, false);
            }
        }
        going.waits = None;
        self.go_on_or_arrive(index, going);
    }
}

/// Whether two let each other pass: no enemies, and nobody is pushed off a ladder.
fn can_change_places(one: &Actor, two: &Actor) -> bool {
    !one.is_enemy_of(two) && [one, two].iter().all(|it| it.posture != Posture::Climbing)
}
