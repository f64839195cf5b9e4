//! The planning field's files on the command line: what `pddl`, `sas` and `convert` share.
//!
//! 1. `files`: texts into tasks, mistakes shown as those of `.npc` are. `ground`: the ground task.
//! 2. `run`: a search with its limits, seen from outside, also for planners that are added.
//! 3. `answer`: what is printed. `measure`: what `--stats` says.
//! 4. `distance`: how far a task is from the fast class.

pub(crate) mod answer;
pub(crate) mod distance;
pub(crate) mod files;
pub(crate) mod ground;
pub(crate) mod measure;
pub(crate) mod run;
