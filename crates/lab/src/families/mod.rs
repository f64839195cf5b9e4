//! Problem families: domains of any size, described by position, so that they can be written
//! without ever being held in memory.
//!
//! In:   the sizes of a member, or a formula.
//! Out:  a [`Family`]; `npc_text` and `json_text` write it as it is asked for.
//! Cost: writing is linear in the text; memory does not grow with it (a formula is kept).
//!
//! All members are post-unique and unary, start and goal are total, and every action costs 1.

pub mod boxes;
mod climbing;
pub mod formula;
mod json_text;
mod npc_text;
mod switches;
mod threesat;

pub use climbing::Climbing;
pub use switches::Switches;
pub use threesat::ThreeSat;

use std::io::{self, Write};
use throng_domain::{Format, Limits};

/// A variable having a value, both by position.
pub type Needed = (u64, u32);

/// An action without what it needs: it moves a variable from one value to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The variable that changes.
    pub variable: u64,
    /// The value before.
    pub from: u32,
    /// The value after.
    pub to: u32,
}

/// The values of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// `0..n-1`.
    Numbers(u32),
    /// Words, the first of which is the start.
    Words(&'static [&'static str]),
}

/// What is known about the only question of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The shortest plan has so many actions.
    Length(u64),
    /// There is no plan.
    Impossible,
    /// It was not computed.
    Nothing,
}

/// A member of a problem family. Variables and actions are numbered from 0.
pub trait Family {
    /// The name of the domain.
    fn domain(&self) -> String;
    /// What it is and where it comes from, in lines.
    fn about(&self) -> String;
    /// The only NPC type, and its only goal.
    fn names(&self) -> (&'static str, &'static str);
    /// What is known of the way from start to goal.
    fn known(&self) -> Known;

    /// How many variables there are.
    fn n_variables(&self) -> u64;
    /// The name of a variable.
    fn variable_name(&self, variable: u64) -> String;
    /// The values of a variable.
    fn values(&self, variable: u64) -> Values;
    /// Where a variable starts and where it has to end.
    fn start_and_goal(&self, variable: u64) -> (u32, u32);

    /// How many actions there are.
    fn n_actions(&self) -> u64;
    /// The name of an action.
    fn action_name(&self, action: u64) -> String;
    /// What an action changes.
    fn action(&self, action: u64) -> Move;
    /// What an action needs during itself, by variable in order.
    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_>;
    /// The number of needs of all actions together.
    fn n_needs(&self) -> u64;
}

/// Why the text of a member ends early.
pub enum Halt {
    /// The user asked for it.
    Stopped,
    /// It cannot be written.
    Writing(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Halt::Writing(error)
    }
}

/// Where the text goes, and whether anybody still wants it.
pub struct Sink<'s> {
    /// The stream.
    pub out: &'s mut dyn Write,
    /// Whether to stop.
    pub stop: &'s dyn Fn() -> bool,
    /// Parts written; `stop` is asked now and then.
    pub parts: u64,
}

/// So many parts are written between two looks at `stop`.
const PARTS_PER_LOOK: u64 = 4096;

impl Sink<'_> {
    fn put(&mut self, text: &str) -> Result<(), Halt> {
        self.parts += 1;
        if self.parts.is_multiple_of(PARTS_PER_LOOK) && (self.stop)() {
            return Err(Halt::Stopped);
        }
        Ok(self.out.write_all(text.as_bytes())?)
    }
}

/// Writes a member as `.npc` text or as its JSON twin, in canonical layout.
pub fn write(family: &dyn Family, format: Format, sink: &mut Sink<'_>) -> Result<(), Halt> {
    match format {
        Format::Npc => npc_text::write(family, sink),
        Format::Json => json_text::write(family, sink),
    }
}

/// The name of a value.
fn value_name(family: &dyn Family, (variable, value): Needed) -> String {
    match family.values(variable) {
        Values::Numbers(_) => value.to_string(),
        Values::Words(words) => words[value as usize].to_string(),
    }
}

/// The name of the only test and the length it expects, none for no plan; `None` if nothing is
/// known. A test can state lengths of at most fifteen digits; beyond, nothing is said.
fn sayable(known: Known) -> Option<(&'static str, Option<u64>)> {
    match known {
        Known::Length(length @ ..1_000_000_000_000_000) => Some(("known_length", Some(length))),
        Known::Impossible => Some(("known_to_be_impossible", None)),
        Known::Length(_) | Known::Nothing => None,
    }
}

/// Variables of a member at most.
pub const MOST_VARIABLES: u64 = 10_000_000;
/// Actions and needs of a member at most: a text of some dozen gigabytes.
pub const MOST_ENTRIES: u64 = 1_000_000_000;

/// Checks a size that the user gave.
pub fn check_size(what: &str, size: u64, least: u64, most: u64) -> Result<(), String> {
    match (least..=most).contains(&size) {
        true => Ok(()),
        false => Err(format!("{what} must be from {least} to {most}, not {size}")),
    }
}

/// Checks that a member is not larger than anybody could want to write.
pub fn check_total(family: &dyn Family) -> Result<(), String> {
    let total = family.n_actions().saturating_add(family.n_needs());
    match total <= MOST_ENTRIES {
        true => Ok(()),
        false => Err(format!(
            "this member has {total} actions and needs together; at most {MOST_ENTRIES} are \
             written; ask for a smaller one"
        )),
    }
}

/// What the other commands would refuse about a member, if anything.
pub fn beyond_limits(family: &dyn Family) -> Option<String> {
    let limits = Limits::default();
    let entries = family.n_needs().saturating_add(family.n_actions().saturating_mul(3));
    let counts = [
        ("variables", family.n_variables(), limits.variables),
        ("actions", family.n_actions(), limits.actions),
        ("entries", entries, limits.entries),
    ];
    let over = counts.iter().find(|&&(_, count, limit)| count > limit as u64)?;
    let (what, count, limit) = over;
    Some(format!("this member has {count} {what}; the other commands read {limit} at most"))
}
