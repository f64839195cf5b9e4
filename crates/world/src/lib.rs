//! A small deterministic world in which minds live, and the stories told in it.
//!
//! In:   rows of text as a map, actors, things and nodes; then orders, tick by tick.
//! Out:  what became of the orders, what can be sensed, and answers to sensors' questions.
//! Cost: a tick costs what moves in it; a map has at most 200 × 200 cells, 5,000 actors.
//!
//! A test bed, not a game: no dice, no clock; the same orders give the same digest. Build with
//! [`World::new`](world::World::new) and `add_…`, then each tick: `order` what minds sent, `step`
//! ([`world::orders`]), hand `reports` to the minds. Sensors ask through `&World`.
#![forbid(unsafe_code)]

// What there is.
pub mod actor;
pub mod build;
pub mod cell;
pub mod error;
pub mod goods;
pub mod grenade;
pub mod grid;
pub mod news;
pub mod node;
pub mod noise;
pub mod rules;
pub mod thing;

// The parts of a world, each with its own data.
pub mod actors;
mod near;
pub mod paths;
pub mod register;
mod sight;
pub mod site;

pub mod world;

pub mod body;
pub mod draw;
mod scene;
pub mod story;
