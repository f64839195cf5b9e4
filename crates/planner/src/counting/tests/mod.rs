//! Random tasks through every part, beside the oracle; `THRONG_LONG=1` tries ten times as many.

mod backward;
mod demands;
mod estimates;
mod forward;
mod lists;
mod swaps;

/// How many seeds to try, of so many in the normal run.
fn seeds(usual: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * usual } else { usual }
}
