//! The planners of the papers, as printed: P, TopoPlan and Bäckström's.
//!
//! ```text
//! NPC type, enabled actions ─▶ Tables ─┐
//!                                      ├─▶ p, topoplan, backstrom ─▶ Answer (not replayed)
//! problem ───────────────────▶ Ends ───┘                        └──▶ Events ─▶ Sheet (text)
//! ```
//!
//! In:   a problem whose enabled actions are moves ([`Moves`](throng_planner::topological::Moves)
//!       certifies them), with every start value known and every variable in the goal.
//! Out:  the plan that the printed lines come to, *unreplayed*, or the printed line that fails.
//! Cost: the papers' own, plus memory for every call.
//!
//! These are exhibits, not engines. Two of the three are wrong on instances of their own
//! classes; they are kept to the letter so that the papers' figures can be drawn and the tests
//! can show where they fail. Who wants a plan asks [`topological`](throng_planner::topological).
//!
//! Sources: "SAS Planning as Topological Sorting" for [`p`], "Topological Planning with
//! Post-unique and Unary Actions" for [`topoplan`], and what both say about Bäckström's
//! planner of 1992 for [`backstrom`].

pub mod backstrom;
pub mod failure;
mod graph;
pub mod p;
pub mod sheet;
pub mod tables;
pub mod topoplan;
pub mod trace;

pub use failure::Failure;
pub use sheet::Sheet;
pub use tables::{Ends, Post, Tables};
pub use topoplan::Ghosts;
pub use trace::{Colour, Event, Set, Trace};

use throng_domain::compile::{CompiledDomain, LocalAction, NpcTables};
use throng_planner::problem::Problem;

/// What a printed algorithm answers: the actions in order, valid or not, none if the start is the
/// goal; or no plan, and why. The plan is not replayed. As printed a failure claims that there is
/// none; the claim may be wrong.
pub type Answer = Result<Vec<LocalAction>, Failure>;

/// Which printed algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Printed {
    /// The algorithm of "SAS Planning as Topological Sorting".
    P,
    /// The algorithm of "Topological Planning with Post-unique and Unary Actions".
    TopoPlan(Ghosts),
    /// Bäckström's planner for single-valued problems.
    Backstrom,
}

impl Printed {
    /// All of them; TopoPlan in both readings.
    pub const ALL: [Printed; 4] = [
        Printed::P,
        Printed::TopoPlan(Ghosts::Handled),
        Printed::TopoPlan(Ghosts::Skipped),
        Printed::Backstrom,
    ];

    /// Its name on a command line, as in `papers/topoplan`.
    pub fn name(self) -> &'static str {
        match self {
            Printed::P => "papers/p",
            Printed::TopoPlan(Ghosts::Handled) => "papers/topoplan",
            Printed::TopoPlan(Ghosts::Skipped) => "papers/topoplan-without-ghosts",
            Printed::Backstrom => "papers/backstrom",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Printed> {
        Printed::ALL.into_iter().find(|printed| printed.name() == name)
    }

    /// Runs it on tables that are read already.
    pub fn run(self, tables: &Tables, ends: &Ends, trace: &mut Trace<'_>) -> Answer {
        match self {
            Printed::P => p::plan(tables, ends, trace),
            Printed::TopoPlan(ghosts) => topoplan::plan(tables, ends, ghosts, trace),
            Printed::Backstrom => backstrom::plan(tables, ends, trace),
        }
    }
}

/// Reads the problem as the papers see it and runs a printed algorithm on it.
pub fn plan(printed: Printed, npc: &NpcTables, problem: &Problem, trace: &mut Trace<'_>) -> Answer {
    let (tables, ends) = tables::read(npc, problem)?;
    printed.run(&tables, &ends, trace)
}

/// The answer and, as text, how it came about step by step.
pub fn plan_with_trace(
    printed: Printed,
    domain: &CompiledDomain,
    problem: &Problem,
) -> (Answer, String) {
    let npc = problem.kind(domain);
    let (tables, ends) = match tables::read(npc, problem) {
        Ok(read) => read,
        Err(failure) => {
            let text = format!("failure: {}\n", failure.sentence(domain, npc));
            return (Err(failure), text);
        }
    };
    let mut sheet = Sheet::new(printed, domain, npc, &tables, &ends);
    let answer = printed.run(&tables, &ends, &mut |event| sheet.note(event));
    let text = sheet.finish(&answer);
    (answer, text)
}
