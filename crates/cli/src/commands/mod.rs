//! One file per command.

pub(crate) mod check;
pub(crate) mod classes;
pub(crate) mod convert;
pub(crate) mod crowd;
pub(crate) mod demo;
pub(crate) mod fmt;
pub(crate) mod gen_rust;
pub(crate) mod pddl;
pub(crate) mod plan;
pub(crate) mod plans;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod sas;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod test;
pub(crate) mod validate;
pub(crate) mod watch;
pub(crate) mod why;
pub(crate) mod whynot;
