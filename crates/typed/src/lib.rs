//! A program that knows its domain when it is built: what an engine's own code looks like with
//! the module that `build.rs` makes.
//!
//! In:   the domain file, twice: when this package is built and when the program runs.
//! Out:  steps of plans as values that `match` knows; a file of another version is refused.
//! Cost: an index each way; no name is looked up after loading.
//!
//! The other modules are there to be compiled: names that Rust keeps for itself, names that are
//! alike, a domain that counts, and one with next to nothing in it.
#![forbid(unsafe_code)]
#![deny(warnings)]

use std::fmt;
use throng::LoadError;
use throng::prelude::*;

/// The paper's horse breeder, as the file was when this package was built.
pub mod stable {
    include!(concat!(env!("OUT_DIR"), "/stable.rs"));
}

/// Names that make trouble.
pub mod odd {
    include!(concat!(env!("OUT_DIR"), "/odd.rs"));
}

/// Amounts: numbers with ends instead of a name for each value.
pub mod camp {
    include!(concat!(env!("OUT_DIR"), "/camp.rs"));
}

/// Types without values. Private, as in a program that uses a part of a module only.
mod bare {
    include!(concat!(env!("OUT_DIR"), "/bare.rs"));
}

use stable::{Action, Fact, Variable};

/// Why a file is of no use to this program.
#[derive(Debug)]
pub enum TypedError {
    /// It cannot be read, or has mistakes.
    Broken(LoadError),
    /// It is not the version that this program was built with.
    OtherVersion,
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypedError::Broken(error) => error.fmt(f),
            TypedError::OtherVersion => {
                write!(f, "the domain is not the one that this program was built with")
            }
        }
    }
}

impl std::error::Error for TypedError {}

/// Loads the stable; from here on numbers of the module and ids of the domain are the same.
///
/// # Errors
///
/// If the text has mistakes, or is of another version than the module.
pub fn load(text: &str) -> Result<Domain, TypedError> {
    let domain = Domain::from_text(text).map_err(TypedError::Broken)?;
    match domain.digest().0 == stable::DIGEST {
        true => Ok(domain),
        false => Err(TypedError::OtherVersion),
    }
}

/// Puts an NPC where a fact says; `None` if its domain does not know the fact: it did not come
/// from [`load`].
pub fn put(npc: &mut Npc, fact: Fact) -> Option<()> {
    let fact = npc.domain().fact_at(fact.variable().index(), fact.value_index())?;
    npc.set_fact(fact);
    Some(())
}

/// The value of a variable, if it is known.
pub fn fact_of(npc: &Npc, variable: Variable) -> Option<Fact> {
    let fact = npc.fact_of(npc.domain().variable_at(variable.index())?)?;
    Fact::from_index(variable, fact.value.index())
}

/// What to do, step by step, as values.
pub fn steps(plan: &Plan) -> Vec<Action> {
    plan.steps().filter_map(|step| Action::from_index(step.action.index())).collect()
}

/// How an engine would play a step. Without an arm for each action this does not compile, so a
/// new action in the file is a task for the programmer and no surprise at run time.
pub fn animation(action: Action) -> &'static str {
    match action {
        Action::TakeHaystack | Action::PickUpBucket => "bend and lift",
        Action::StoreHaystack | Action::DropBucket => "put down",
        Action::FillFeeder => "fork hay",
        Action::FillBucket => "scoop",
        Action::FillTrough => "pour",
    }
}
