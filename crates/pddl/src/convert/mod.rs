//! Between our domains and the planning field's files.
//!
//! ```text
//! domain + problem ─▶ named task ─┬─▶ for_sas ─▶ .sas
//!      │     PDDL, .sas ──────▲   ├─▶ PDDL: a domain and a problem
//!      │      │               │   └─▶ the JSON twin of a domain, or why there is none
//!      │      │          numbers written out
//!      │      ▼               │
//!      └─▶ counted task ──────┴───▶ PDDL with numeric fluents; a domain with amounts
//! ```
//!
//! In:   a domain with one question about it, whose goal may have alternatives; or a ground task.
//! Out:  the same in other words, and what the other language has no words for.
//! Cost: linear in what is written, but for pairs of effects on one variable in PDDL, which are
//!       bounded.
//!
//! Whatever is lost is told, never guessed: plans of the result are plans of the question, and
//! cost the same up to a factor that is told too.

mod bounds;
mod cases;
mod counted_domain;
mod counted_out;
mod either;
mod error;
mod exclusive;
mod for_sas;
mod from_counting;
mod from_domain;
mod names;
mod to_domain;
mod to_pddl;
mod unexpressed;
mod written_out;

pub use counted_domain::{CountedDomain, to_counted_domain_until};
pub use counted_out::{NotWrittenOut, counted_out};
pub use error::WritePddlError;
pub use for_sas::for_sas;
pub use from_counting::{counted_from_alternatives, has_numbers};
pub use from_domain::from_alternatives;
pub use to_domain::{to_domain, to_domain_until};
pub use to_pddl::{PddlText, to_numeric_pddl_until, to_pddl, to_pddl_until};
pub use unexpressed::unexpressed;
pub use written_out::{MOST_WRITTEN_OUT, TooManyOperators};
