//! The body of those who live in the world: sensors and behaviours, by the names used in files.
//!
//! In:   the world, a mind's memory, its blackboard.
//! Out:  facts in the words of the table; orders.
//! Cost: sensors that search a way, cast a ray or sort say so: minds take them in turns.
//!
//! Which there are, what each sensor writes and each behaviour needs is one table: [`vocabulary`].
//!
//! Behaviours write an order and wait for it; what they do besides stands in their own files.

mod disturbances;
mod duty;
mod enemies;
mod facts;
mod fighting;
mod going;
mod handling;
mod own;
mod places;
mod reacting;
pub mod vocabulary;
mod ways;

use crate::vocabulary::Vocabulary;
use crate::world::World;
use handling::Settled;
use throng_mind::Body;
use vocabulary::{BEHAVIOURS, SENSORS};

/// All sensors and behaviours of the world, for any story: each uses what it needs.
pub fn body() -> Body<World> {
    let body = Body::new().for_many_files();
    let body = body.words(Vocabulary::TEXTS).words(&["self", "day", "alarm"]);
    let body = SENSORS.iter().fold(body, |body, entry| body.sensor(entry.name, entry.code));
    BEHAVIOURS.iter().fold(body, |body, it| body.behaviour(it.name, Settled((it.code)())))
}
