//! All tests of this crate that look at it from outside, in one program: one link step.

mod beliefs;
mod belongings;
mod blasts;
mod body;
mod crowds;
mod drawing;
mod ends;
mod hidden;
mod orders;
mod own_names;
mod paths;
mod place;
mod saved;
mod shots;
mod sight;
mod story_all;
mod story_log;
mod story_play;
mod story_promises;
mod story_read;
mod story_typos;
mod tale;
mod warned;
mod wires;
