//! A guard on the kit: perception, ways, weapons come with it, the file says the rest.
//! `cargo run -p throng --example kit`
//!
//! In:   `guard.npc`, and a game in continuous space. Out:  half a minute of his life.
#![allow(clippy::print_stdout, reason = "this is a program")]

pub(crate) mod answers;
pub(crate) mod field;
pub(crate) mod shots;
pub(crate) mod walls;

use field::{Field, PACE, Person};
use std::error::Error;
use throng::kit::{Faces, SpotView, Vocabulary};
use throng::mind::prelude::*;
use throng::prelude::*;
use walls::Walls;

pub(crate) const GUARD: &str = include_str!("guard.npc");

/// A yard with a wall in it; the guard's post, crates to hide behind; the intruder is not there yet.
fn yard(minds: &mut Minds<Field>) -> Result<Field, Box<dyn Error>> {
    let words = Vocabulary::find(&minds.spec().words);
    let walls = Walls::new(&[[12.0, -6.0, 12.0, 3.0]]);
    let mut yard = Field::new(words, walls, 7);
    let spots = [("work", [0.0, 0.0, 0.0]), ("cover", [6.0, 3.0, 0.0])];
    for (number, (sort, place)) in spots.into_iter().enumerate() {
        yard.spots.push(SpotView {
            id: EntityId(100 + number as u64),
            name: Word::NONE,
            sort: minds.word(sort)?,
            place,
            faces: Some(Faces { direction: [1.0, 0.0, 0.0], arc: 180.0 }),
            radius: None,
            held_by: None,
        });
    }
    let name = minds.word("guard")?;
    let mut guard = Person::new(1, name, name, [0.0, 0.0, 0.0]);
    guard.mind = Some(minds.spawn("guard", guard.id)?);
    guard.in_hand = false;
    yard.people.push(guard);
    Ok(yard)
}

/// Half a minute of his life, line by line.
pub(crate) fn life() -> Result<Vec<String>, Box<dyn Error>> {
    let spec = Domain::from_text(GUARD)?.mind_spec(PACE)?;
    let mut minds = Minds::new(spec, throng::kit::body(), 1)?;
    let mut yard = yard(&mut minds)?;
    let (mut diary, name) = (Vec::new(), yard.words.person);
    for now in 0..300 {
        match now {
            30 => yard.noise([10.0, 5.0, 0.0], 20.0, yard.words.bang, None),
            120 => yard.people.push(Person::new(2, name, yard.words.enemy, [14.0, 4.0, 0.0])),
            _ => {}
        }
        yard.step();
        for (mind, message) in yard.reports() {
            minds.tell(mind, message)?;
        }
        minds.tick(&yard, now);
        minds.drain_orders().for_each(|sent| yard.take(&sent));
        yard.cast_rays(&mut minds);
        for event in minds.events().iter().filter(|it| !matches!(it.what, EventKind::Heavy(_))) {
            diary.push(format!(
                "{:4.1} s  {}",
                f64::from(now) / f64::from(PACE),
                minds.describe(event)
            ));
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    life()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
