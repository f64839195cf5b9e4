//! Amounts: whatever engine is asked, in whatever mode, with whatever of the language around them,
//! the answer is that of trying everything.
//!
//! In:   random domains of two kinds ([`Stated::any_counting`], [`Stated::any_recipes`]): amounts
//!       that are counted, stopped, compared, wanted by sets, beside words, lists, templates,
//!       `or`, checks, kinds, overrides, compounds, preferences, shared variables, several types,
//!       unknown values.
//! Out:  the same cost as the oracle's in every mode and by every engine, also with other checks,
//!       own costs and forbidden actions, resumed and on several threads; plans that the replay
//!       and the interpreter of the text take; twins with the same answers; orders of the steps of
//!       a plan, all of which are plans.
//!
//! Each domain is named by its seed. More than 200,000 answers; `THRONG_LONG=1` asks for ten times
//! as many.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

mod answers;
mod case;
mod crowds;
mod mutations;
mod orders;
pub(crate) mod pddl;
mod twins;

use std::collections::BTreeMap;

/// What was seen, by what it is.
type Tally = BTreeMap<&'static str, u64>;

fn note(tally: &mut Tally, what: &'static str, happened: bool) {
    *tally.entry(what).or_default() += u64::from(happened);
}

/// How many domains to try, of so many in the normal run.
fn domains(usual: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * usual } else { usual }
}
