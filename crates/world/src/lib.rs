//! A small deterministic world in which minds live, and the stories told in it.
//!
//! In:   rows of text as a map, actors, things and nodes; then orders, tick by tick.
//! Out:  what became of the orders, what can be sensed, and answers to sensors' questions.
//! Cost: a tick costs what moves in it; a map has at most 200 × 200 cells, 5,000 actors.
//!
//! A test bed, not a game: no dice, no clock; the same orders give the same digest. Build with
//! [`World::new`](world::World::new) and `add_…` (`build.rs`), then each tick: `order` what
//! minds sent, `step`, hand `reports` to the minds. Sensors ask through `&World` (`queries.rs`).
#![forbid(unsafe_code)]

pub mod cell;
pub mod grid;
pub mod vocabulary;

pub mod actor;
pub mod grenade;
pub mod node;
pub mod noise;
pub mod rules;
pub mod thing;

pub mod build;
mod near;
pub mod refused;
pub mod world;

mod animation;
pub mod health;
pub mod jobs;
mod navigation;
pub mod step;
mod targeting;
mod using;
mod weapons;

pub mod paths;
pub mod queries;
pub mod script;
pub mod sight;
mod stimuli;

mod ground;

pub mod draw;
pub mod snapshot;

pub mod body;
pub mod story;
