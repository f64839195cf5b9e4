//! All tests of this crate that look at it from outside, in one program: one link step.

mod amounts;
mod choices;
mod claims;
mod common;
mod edges;
mod edits;
mod idle;
mod population;
mod saved;
mod smithy;
