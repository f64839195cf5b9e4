//! All tests of this crate that look at it from outside, in one program: one link step.

mod field;
mod ground_field;
mod ground_random;
mod ground_stop;
mod ground_traps;
mod numbers;
mod plain;
mod read;
mod sas;
mod validate;
