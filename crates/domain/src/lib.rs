//! From words to tables: reads `.npc` files and their JSON twin, checks them, and compiles
//! them into the dense form that planners work on.
//!
//! ```text
//! .npc text ─┐
//!            ├─▶ Model ─▶ CompiledDomain
//! JSON ──────┘  (names,    (ids, rows, packed
//!                places)    states, source map)
//! ```
//!
//! In:   text, and a function that fetches included files.
//! Out:  a [`Model`] and its [`CompiledDomain`], or every mistake at once as [`Diagnostic`]s.
//! Cost: linear in the text and in what it expands to; [`Limits`] bound both.
//!
//! Nothing here does I/O, prints, reads a clock or panics: text from a stranger is data.
#![forbid(unsafe_code)]

pub mod amounts;
mod circles;
pub mod compile;
pub mod conditions;
pub mod diagnostics;
pub mod formats;
mod former;
mod index;
pub mod level;
pub mod limits;
pub mod model;
pub mod names;
pub mod notes;
pub mod number;
mod sequence;
pub mod source;
pub mod token;
pub mod values;

mod build;

pub use amounts::{ShiftBy, ShiftEnd, ValueSet};
pub use compile::{CompiledDomain, NpcTables};
pub use diagnostics::{Code, Diagnostic, Report, Severity};
pub use formats::{Format, Loaded, load};
pub use level::Level;
pub use limits::Limits;
pub use model::{
    ActionId, CheckId, Comparison, Conditions, Fact, GoalId, Model, NpcTypeId, Range, SelectId,
    Shift, SlotId, ValueId, VariableId, Wants,
};
pub use notes::NoteWords;
pub use number::Cost;
pub use source::{FileId, Location, Sources, Span};
pub use token::{Relation, WordKind};
