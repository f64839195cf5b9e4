//! All tests of this crate that look at it from outside, in one program: one link step.

mod examples;
mod library;
mod minds;
mod minds_rules;
