//! A small deterministic world in which minds live, and the stories told in it.
#![forbid(unsafe_code)]

pub mod story;
