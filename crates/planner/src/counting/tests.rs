//! Random tasks through every part, beside the oracle; `THRONG_LONG=1` tries ten times as many.

#[cfg(test)]
mod backward;
#[cfg(test)]
mod demands;
#[cfg(test)]
mod estimates;
#[cfg(test)]
mod forward;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod swaps;

/// How many seeds to try, of so many in the normal run.
fn seeds(usual: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * usual } else { usual }
}
