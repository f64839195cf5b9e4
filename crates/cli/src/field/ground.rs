//! Grounding within the limits of a command.
//!
//! In:   a lifted task.
//! Out:  the ground task, or the limit that was hit; what is wrong with the task is a complaint.
//! Cost: that of grounding.

use crate::console::Fail;
use crate::field::measure::Stopwatch;
use crate::field::run::{Hit, RunLimits, Stopped};
use throng_pddl::ground::{GroundError, Grounded, Phase, ground_observed};
use throng_pddl::lifted::Lifted;

/// Grounds, with a look at the clock before and after: small tasks are done before grounding
/// itself looks. The stopwatch is told of its phases.
pub(crate) fn ground(
    task: &Lifted,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
) -> Result<Result<Grounded, Stopped>, Fail> {
    let stop = || limits.is_over();
    if stop() {
        return Ok(Err(limits.over().into()));
    }
    let mut observer = |phase: Phase| {
        stopwatch.begin(match phase {
            Phase::Normalise => "ground: normalise",
            Phase::Reach => "ground: reach",
            Phase::Invariants => "ground: invariants",
            Phase::Build => "ground: build",
        });
    };
    match ground_observed(task, &limits.grounding(), Some(&stop), &mut observer) {
        Ok(_) if stop() => Ok(Err(limits.over().into())),
        Ok(grounded) => Ok(Ok(grounded)),
        Err(refusal) => refused(&refusal, limits).map(Err),
    }
}

/// Which limit a refusal is, with its words.
fn refused(refusal: &GroundError, limits: &RunLimits) -> Result<Stopped, Fail> {
    let (hit, why) = match refusal {
        GroundError::Stopped => return Ok(limits.over().into()),
        GroundError::NotStratified { .. } | GroundError::NoCost { .. } => {
            return Err(Fail::known("bad_task", refusal.to_string()));
        }
        GroundError::TooMuchWork { .. } => (Hit::Size, refusal.to_string()),
        _ => match limits.has_memory() {
            true => (Hit::Memory, format!("{refusal}; or give more `--memory`")),
            false => (Hit::Size, refusal.to_string()),
        },
    };
    Ok(Stopped { hit, why: Some(why) })
}
