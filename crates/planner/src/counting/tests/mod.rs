//! Random tasks through every part, beside the oracle.

mod backward;
mod demands;
mod estimates;
mod forward;
mod lists;
mod swaps;
