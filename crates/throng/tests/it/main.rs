//! All tests of this crate that look at it from outside, in one program: one link step.

mod examples;
mod kit_field;
mod kit_promises;
mod levels;
mod library;
mod minds;
mod minds_rules;
