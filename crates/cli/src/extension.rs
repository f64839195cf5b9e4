//! What a program adds to the commands of this library.
//!
//! ```text
//! Arguments ─▶ words (adds) ─▶ clap ─▶ run (its own) ─▶ dispatch (ours) ─▶ exit code
//! ```
//!
//! In:   commands and words of a program that is built on this library.
//! Out:  help, tips, exit codes and the console are the same for all of them.
//! Cost: nothing where nothing is added.
//!
//! The published `throng` adds nothing; the one of this repository adds its laboratory.

use crate::console::{CommandResult, Console};
use clap::{ArgMatches, Command};
use throng::Mode;
use throng_pddl::lifted::{Lifted, ObjectId};
use throng_planner::SearchBudget;
use throng_planner::forward::Found;

/// What is added.
#[derive(Clone, Copy)]
pub struct Extension {
    /// Adds commands, and words to commands that are there.
    pub words: fn(Command) -> Command,
    /// Runs a command that was added; `None` if it is one of this library.
    pub run: fn(&ArgMatches, &mut Console<'_>) -> Option<CommandResult>,
    /// Names of planners that only commands of the program ask: those of this library refuse
    /// them by name.
    pub planners: &'static [&'static str],
}

impl Extension {
    /// Nothing is added.
    pub const NONE: Extension =
        Extension { words: |program| program, run: |_, _| None, planners: &[] };
}

/// A planner for tasks of the planning field that works on the task as written.
pub trait TaskPlanner: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// The mode it plans in if none is asked for.
    fn usual(&self) -> Mode;
    /// Begins a search.
    ///
    /// # Errors
    ///
    /// If it cannot take the task or the mode, or not in so many bytes.
    fn begin(
        &self,
        task: &Lifted,
        mode: Mode,
        bytes: usize,
    ) -> Result<Box<dyn TaskSearch>, NoSearch>;
}

/// Why a search does not begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSearch {
    /// It would take more memory than it was given.
    Memory,
    /// It is not for this planner: why, and what to write instead.
    NotForThis(String),
}

/// A search that was begun.
pub trait TaskSearch {
    /// Goes on until something is found or the budget ends.
    fn run(&mut self, budget: &SearchBudget<'_>) -> Found;
    /// How much work it was so far.
    fn work(&self) -> Work;
    /// The actions on the way to a state that was found, with their objects.
    fn plan(&self, state: u32) -> Vec<(usize, Vec<ObjectId>)>;
}

/// How much work a search was.
#[derive(Clone, Copy, Default)]
pub struct Work {
    /// States whose successors were made.
    pub nodes: u64,
    /// Successors made.
    pub generated: u64,
    /// Different states.
    pub states: u64,
    /// Bytes of working memory.
    pub bytes: u64,
    /// Whether states were left aside from which the goal is out of reach: what lies behind
    /// them is not among `states`.
    pub has_dead_ends: bool,
}
