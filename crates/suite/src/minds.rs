//! Random minds in a random world, and the rules that every life must obey.
//!
//! In:   a seed.
//! Out:  a [`Stage`] (a file with notes, read as games read it), the [`World`] its code lives in,
//!       a [`Script`] of what happens to the minds, and a [`Watch`] per mind, and a [`Company`]
//!       over all, that say what is wrong.
//! Cost: a millisecond per stage; some microseconds per mind and tick.
//!
//! The watch knows what the documents say and computes it plainly from public data: it shares no
//! code with the engine of minds beyond the types of the file's rules.

mod eyes;
mod legal;
mod notes;
mod script;
mod stage;
mod text;
mod watch;
mod world;

pub use eyes::Eyes;
pub use script::{Op, Script};
pub use stage::{PACE, Stage};
pub use watch::{Company, Seen, Watch};
pub use world::{World, any_fact};
