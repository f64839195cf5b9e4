//! One number for everything that a world has come to.
//!
//! In:   a world, at any time.
//! Out:  a digest of all that decides how it goes on, and of the reports not yet fetched.
//! Cost: one pass; for tests and recordings, not for frames.

use crate::actor::Actor;
use crate::jobs::{Going, Timed};
use crate::thing::Thing;
use crate::world::World;
use throng_base::Digest64;
use throng_mind::fact::{FactDraft, Handle, Place, Value};
use throng_mind::orders::{Message, Order};

/// Marks the tick until which somebody is pinned: no other number is as large.
const PINNED: u64 = 1 << 40;

/// A digest, with words for what worlds are made of.
struct Mixed(Digest64);

impl Mixed {
    fn add(&mut self, word: impl Into<u64>) {
        self.0.word(word);
    }

    fn size(&mut self, count: usize) {
        self.add(count as u64);
    }

    fn handle(&mut self, handle: Option<Handle>) {
        // Handles count from 1.
        self.add(handle.map_or(0, |handle| handle.0));
    }

    fn signed(&mut self, number: impl Into<i64>) {
        self.add(number.into().cast_unsigned());
    }

    fn cell(&mut self, cell: crate::cell::Cell) {
        self.signed(cell.x);
        self.signed(cell.y);
    }

    fn place(&mut self, place: Place) {
        place.iter().for_each(|part| self.add(part.to_bits()));
    }
}

impl World {
    /// A digest of everything: worlds with the same map, rules and words and with the same digest
    /// go on alike.
    pub fn digest(&self) -> u64 {
        let mut mixed = Mixed(Digest64::new());
        mixed.add(self.now);
        mixed.add(self.next_handle);
        mixed.add(self.next_command);
        mixed.size(self.actors.len());
        self.actors.iter().for_each(|actor| add_actor(&mut mixed, actor));
        mixed.size(self.things.len());
        self.things.iter().for_each(|thing| add_thing(&mut mixed, thing));
        mixed.size(self.nodes.len());
        self.nodes.iter().for_each(|node| mixed.handle(node.taken_by));
        mixed.size(self.grenades.len());
        for grenade in &self.grenades {
            mixed.handle(Some(grenade.handle));
            mixed.cell(grenade.cell);
            mixed.add(grenade.fuse);
            mixed.add(grenade.radius);
            mixed.handle(grenade.thrower);
        }
        mixed.size(self.noises.len());
        for noise in &self.noises {
            mixed.cell(noise.cell);
            mixed.add(noise.radius);
            mixed.add(noise.what.0);
            mixed.handle(noise.source);
            mixed.add(noise.at);
        }
        mixed.size(self.reports.len());
        for (to, message) in &self.reports {
            mixed.handle(Some(*to));
            add_message(&mut mixed, message);
        }
        mixed.0.value()
    }
}

fn add_actor(mixed: &mut Mixed, actor: &Actor) {
    mixed.handle(Some(actor.handle));
    mixed.add(actor.name.0);
    mixed.add(actor.side.0);
    mixed.cell(actor.cell);
    mixed.signed(actor.facing.0);
    mixed.signed(actor.facing.1);
    mixed.signed(actor.health);
    mixed.add(u64::from(actor.weapon.is_some()));
    if let Some(weapon) = actor.weapon {
        mixed.add(weapon.name.0);
        mixed.add(weapon.armed);
        mixed.add(weapon.rounds);
        mixed.add(weapon.holds);
    }
    mixed.add(actor.grenades);
    mixed.size(actor.carries.len());
    actor.carries.iter().for_each(|&held| mixed.handle(Some(held)));
    mixed.add(actor.posture as u64);
    mixed.handle(actor.on);
    mixed.add(actor.climbed);
    mixed.handle(actor.aims_at);
    mixed.add(actor.alive);
    mixed.add(actor.control as u64);
    mixed.size(actor.avoids.len());
    actor.avoids.iter().for_each(|&link| mixed.handle(Some(link)));
    mixed.size(actor.shuns.len());
    actor.shuns.iter().for_each(|&cell| mixed.cell(cell));
    mixed.handle(actor.blocked_by);
    mixed.size(actor.holds_node.map_or(0, |node| node + 1));
    let (what, until) = actor.plays.map_or((0, 0), |(what, until)| (what.0, until));
    mixed.add(what);
    mixed.add(until);
    // Who was never under fire counts as he did before there was such fire.
    actor.pinned.iter().for_each(|&until| mixed.add(PINNED | u64::from(until)));
    let jobs = &actor.jobs;
    mixed.add(jobs.moving.is_some());
    jobs.moving.iter().for_each(|going| add_going(mixed, going));
    for job in [&jobs.weapon, &jobs.animation, &jobs.targeting, &jobs.hands] {
        mixed.add(job.is_some());
        job.iter().for_each(|job| add_timed(mixed, job));
    }
}

fn add_going(mixed: &mut Mixed, going: &Going) {
    mixed.add(going.id.0);
    mixed.cell(going.to);
    mixed.add(going.manner as u64);
    mixed.size(going.rest.len());
    going.rest.iter().for_each(|&cell| mixed.cell(cell));
    mixed.add(going.until);
    mixed.handle(going.opening);
}

fn add_timed(mixed: &mut Mixed, job: &Timed) {
    mixed.add(job.id.0);
    mixed.add(job.until);
    match job.order {
        Order::Weapon { what, at } => {
            mixed.add(what.0);
            mixed.handle(at);
        }
        Order::Animate { what, ticks } => {
            mixed.add(what.0);
            mixed.add(ticks);
        }
        Order::Target { at } => mixed.handle(at),
        Order::Use { what, on } => {
            mixed.add(what.0);
            mixed.handle(Some(on));
        }
        Order::Other { what, on, name, place } => {
            mixed.add(what.0);
            mixed.handle(on);
            mixed.add(name.0);
            mixed.place(place);
        }
        // Never kept as timed.
        Order::Move { .. } | Order::Task { .. } | Order::Cancel(_) => {}
    }
}

fn add_thing(mixed: &mut Mixed, thing: &Thing) {
    mixed.handle(Some(thing.handle));
    mixed.add(thing.name.0);
    mixed.cell(thing.cell);
    mixed.size(thing.at);
    mixed.add(thing.blocked);
    mixed.handle(thing.held_by);
    mixed.add(thing.holds);
    mixed.add(thing.arms.map_or(0, |rounds| u32::from(rounds) + 1));
}

fn add_message(mixed: &mut Mixed, message: &Message) {
    match message {
        Message::Done(id) => {
            mixed.add(1u64);
            mixed.add(id.0);
        }
        Message::Failed(id, why) => {
            mixed.add(2u64);
            mixed.add(id.0);
            mixed.add(why.0);
        }
        Message::Stimulus(stimulus) => {
            mixed.add(3u64);
            add_draft(mixed, &stimulus.as_fact());
        }
        Message::Told(draft) => {
            mixed.add(4u64);
            add_draft(mixed, draft);
        }
        Message::Retold(draft) => {
            mixed.add(5u64);
            add_draft(mixed, draft);
        }
        Message::Untold(like) => {
            mixed.add(6u64);
            add_draft(mixed, like);
        }
    }
}

fn add_draft(mixed: &mut Mixed, draft: &FactDraft) {
    mixed.add(draft.kind.0);
    for (value, sure) in draft.attributes.iter().flatten() {
        mixed.add(sure.to_bits());
        match *value {
            Value::Place(place) => mixed.place(place),
            Value::Word(word) => mixed.add(word.0),
            Value::Handle(handle) => mixed.handle(Some(handle)),
            Value::Number(number) => mixed.add(number.to_bits()),
        }
    }
}
