//! Navigation: goes along a way, opens doors, dives through windows, takes nodes.
//!
//! In:   `Move` orders.
//! Out:  actors in other cells; the order's end: arrived, or what stopped it.
//! Cost: one search per order; then a comparison per tick, and a cell now and then.
//!
//! A way is found once, with what the mover believes; who meets others on it is told in
//! [`meeting`](super::meeting). A shut door on it is opened; a blocked one,
//! or one whose needs do not hold, stops the mover with `blocked`.

use super::World;
use crate::actor::Posture;
use crate::actor::jobs::Going;
use crate::cell::Cell;
use crate::news::News;
use crate::paths::{Manner, plain};
use crate::thing::ThingKind;
use throng_mind::orders::OrderId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

impl World {
    pub(super) fn begin_move(
        &mut self,
        index: usize,
        id: OrderId,
        to: Cell,
        node: Word,
        manner: Word,
    ) {
        self.release_node(index);
        self.actors.edit(index).blocked_by = None;
        if let Err(why) = self.take_node(index, node, manner) {
            return self.end(index, id, Err(why));
        }
        let manner = self.manner(manner);
        // Down from a perch one leaps as well; a lunge is a leap.
        let is_up = self.is_perch(self.actors[index].cell) && self.actors[index].cell != to;
        if is_up && !matches!(manner, Manner::Leap | Manner::Dive) {
            return self.stop_moving(index, id, self.words.no_path);
        }
        let going = Going {
            id,
            to,
            manner,
            rest: Vec::new(),
            until: 0,
            opening: None,
            waits: None,
            held: 0,
        };
        self.set_out(index, going, true);
    }

    /// Finds the way from where an actor is, and sets out.
    pub(super) fn set_out(&mut self, index: usize, going: Going, is_new: bool) {
        match self.way_of(index, &going) {
            None => self.stop_moving(index, going.id, self.words.no_path),
            Some(cells) if cells.is_empty() => self.end(index, going.id, Ok(())),
            Some(cells) => {
                let rest = cells.into_iter().rev().collect();
                if is_new {
                    self.rise(index, going.manner);
                }
                self.next_leg(index, Going { rest, ..going });
            }
        }
    }

    /// Cells to enter: round what the actor avoids, sneaking out of the view of enemies that he
    /// believes to be about, leaping out of their reach.
    fn way_of(&self, index: usize, going: &Going) -> Option<Vec<Cell>> {
        let me = &self.actors[index];
        let view = self.cost_of_view(&me.shuns);
        let near = self.cost_of_nearness(&me.shuns);
        let besides: &dyn Fn(Cell) -> u32 = match going.manner {
            Manner::Sneak => &view,
            Manner::Leap => &near,
            _ => &plain,
        };
        let path = self.path(me.cell, going.to, going.manner, &me.avoids, besides);
        path.map(|path| path.cells)
    }

    pub(super) fn navigate(&mut self, index: usize) {
        let is_due = |going: &Going| going.until <= self.now;
        if !self.actors[index].jobs.moving.as_ref().is_some_and(is_due) {
            return;
        }
        let Some(mut going) = self.actors.edit(index).jobs.moving.take() else { return };
        let Some(&next) = going.rest.last() else { return self.end(index, going.id, Ok(())) };
        let shut = self.link_index(next).filter(|&link| self.things()[link].is_shut_door());
        match (shut, going.opening.take()) {
            (None, None) => {
                if let Some(other) = self.index_in(next).filter(|&other| other != index) {
                    return self.meet(index, going, other);
                }
                going.rest.pop();
                going.waits = None;
                self.enter(index, next);
                return self.go_on_or_arrive(index, going);
            }
            (Some(door), Some(_)) => {
                let who = self.actors[index].handle;
                if !self.site.open_door(door, self.words.open, who) {
                    let door = self.things()[door].handle;
                    self.actors.edit(index).blocked_by = Some(door);
                    return self.stop_moving(index, going.id, self.words.blocked);
                }
                self.note(News::Opened { by: who, door: self.things()[door].handle });
            }
            // Nothing is in the way any more, or the door was shut before him.
            (None, Some(_)) | (Some(_), None) => {}
        }
        self.next_leg(index, going);
    }

    /// A cell was entered: on to the next, unless it was the last.
    pub(super) fn go_on_or_arrive(&mut self, index: usize, going: Going) {
        match going.rest.is_empty() {
            true => self.end(index, going.id, Ok(())),
            false => self.next_leg(index, going),
        }
    }

    /// Sets out for the next cell, or to open the door before it.
    pub(super) fn next_leg(&mut self, index: usize, mut going: Going) {
        let Some(&next) = going.rest.last() else { return };
        let link = self.link_at(next);
        let door = link.filter(|link| link.is_shut_door()).map(|door| door.handle);
        let is_window = link.is_some_and(|link| link.kind == ThingKind::Window);
        let ticks = match door {
            Some(_) => self.rules.open_door,
            None if is_window => self.rules.dive,
            None => self.ticks_per_cell(going.manner),
        };
        going.opening = door;
        going.until = self.in_ticks(ticks);
        let mut me = self.actors.edit(index);
        let (dx, dy) = me.cell.to(next);
        me.facing = (dx.signum() as i16, dy.signum() as i16);
        me.jobs.moving = Some(going);
    }

    /// Ends a way before its end.
    pub(super) fn stop_moving(&mut self, index: usize, id: OrderId, why: Word) {
        self.release_node(index);
        self.end(index, id, Err(why));
    }

    /// An actor was put elsewhere: goes on from there, or fails.
    pub(super) fn go_on_from_here(&mut self, index: usize) {
        let going = self.actors.edit(index).jobs.moving.take();
        if let Some(going) = going {
            self.set_out(index, going, false);
        }
    }

    /// Moves an actor and all that he holds; the only place where an actor's cell changes while he
    /// is on the map.
    pub(super) fn enter(&mut self, index: usize, cell: Cell) {
        let mut me = self.actors.edit(index);
        let before = std::mem::replace(&mut me.cell, cell);
        if me.posture == Posture::Climbing && before != cell {
            (me.posture, me.on, me.climbed) = (Posture::Standing, None, 0);
        }
        drop(me);
        let me = &self.actors[index];
        let ridden = me.on.filter(|_| me.posture == Posture::Riding);
        for &held in me.carries.iter().chain(&ridden) {
            if let Some(thing) = self.things().index_of(held) {
                self.site.edit_thing(thing).cell = cell;
            }
        }
    }

    /// Who walks does so upright; who sneaks, crouched.
    fn rise(&mut self, index: usize, manner: Manner) {
        let mut me = self.actors.edit(index);
        if matches!(me.posture, Posture::Standing | Posture::Crouched) {
            let is_low = manner == Manner::Sneak;
            me.posture = if is_low { Posture::Crouched } else { Posture::Standing };
        }
    }

    fn take_node(&mut self, index: usize, name: Word, manner: Word) -> Result<(), Word> {
        let Some(at) = self.nodes().index_named(name) else { return Ok(()) };
        let (node, me) = (&self.nodes()[at], self.actors[index].handle);
        if !self.exists(node) {
            return Err(self.words.needs);
        }
        if self.is_perch(node.cell) && manner != self.words.leap {
            return Err(self.words.no_path);
        }
        if node.taken_by.is_some() || self.all_in(node.cell).any(|it| it.handle != me) {
            return Err(self.words.taken);
        }
        self.site.set_taken(at, Some(me));
        self.actors.edit(index).holds_node = Some(at);
        Ok(())
    }

    pub(super) fn release_node(&mut self, index: usize) {
        if let Some(node) = self.actors.edit(index).holds_node.take() {
            self.site.set_taken(node, None);
        }
    }

    /// What a word says about going; [`Manner::Walk`] for other words.
    pub(crate) fn manner(&self, word: Word) -> Manner {
        let words = &self.words;
        match word {
            _ if word == words.run => Manner::Run,
            _ if word == words.sneak => Manner::Sneak,
            _ if word == words.dive => Manner::Dive,
            _ if word == words.leap => Manner::Leap,
            _ => Manner::Walk,
        }
    }

    fn ticks_per_cell(&self, manner: Manner) -> Tick {
        match manner {
            Manner::Walk => self.rules.walk,
            Manner::Run | Manner::Dive | Manner::Leap => self.rules.run,
            Manner::Sneak => self.rules.sneak,
        }
    }
}
