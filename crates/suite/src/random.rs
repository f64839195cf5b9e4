//! Random domains and questions, the same for the same seed on every machine.
//!
//! In:   a seed.
//! Out:  an [`Instance`]: a small domain as `.npc` text with a question about it, for checking
//!       planners against the oracle; or a [`rich_text`] that uses the whole language, for
//!       checking readers, writers and the layout; or [`stated`] domains, whose statements are
//!       interpreted as they are written, for checking what loading makes of them.
//! Cost: a few microseconds each.
//!
//! Every text loads without errors (of stated domains, what is possible); warnings are welcome.

mod draft;
mod instance;
mod plain;
mod rich;
mod shape;
mod sloppy;
mod slots;
pub mod stated;
mod wanted;
mod words;

pub use instance::{Instance, Told, instance, instance_of, pairs_of};
pub use plain::plain;
pub use rich::{rich_files, rich_text};
pub use shape::Shape;
pub use slots::slots_text;
pub use wanted::add_wishes;
