//! Grounding within the limits of a command.
//!
//! In:   a lifted task.
//! Out:  the ground task, or the limit that was hit; what is wrong with the task is a complaint.
//! Cost: that of grounding.

use crate::console::Fail;
use crate::field::measure::Stopwatch;
use crate::field::run::{Hit, RunLimits};
use throng_pddl::ground::{
    GroundError, Grounded, GroundedCounting, Limits, Phase, ground_counted, ground_observed,
};
use throng_pddl::lifted::Lifted;

/// Grounds, with a look at the clock before and after: small tasks are done before grounding
/// itself looks. The stopwatch is told of its phases.
pub(crate) fn ground(
    task: &Lifted,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
) -> Result<Grounded, Fail> {
    within(limits, stopwatch, |most, stop, observer| {
        ground_observed(task, most, Some(stop), observer)
    })
}

/// The same of a task with numbers.
pub(crate) fn ground_counting(
    task: &Lifted,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
) -> Result<GroundedCounting, Fail> {
    within(limits, stopwatch, |most, stop, observer| {
        ground_counted(task, most, Some(stop), observer)
    })
}

fn within<G>(
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
    ground: impl FnOnce(&Limits, &dyn Fn() -> bool, &mut dyn FnMut(Phase)) -> Result<G, GroundError>,
) -> Result<G, Fail> {
    let stop = || limits.is_over();
    let mut observer = |phase: Phase| {
        stopwatch.begin(match phase {
            Phase::Normalise => "ground: normalise",
            Phase::Reach => "ground: reach",
            Phase::Invariants => "ground: invariants",
            Phase::Build => "ground: build",
        });
    };
    let grounded = match stop() {
        true => Err(GroundError::Stopped),
        false => {
            // As much as fits into the memory.
            let most = Limits::for_bytes(limits.bytes());
            ground(&most, &stop, &mut observer)
        }
    };
    match grounded {
        Ok(grounded) if !stop() => Ok(grounded),
        Ok(_) | Err(GroundError::Stopped) => Err(limits.stopped(limits.over())),
        Err(refusal) => Err(refused(&refusal)),
    }
}

/// Which limit a refusal is, with its words.
fn refused(refusal: &GroundError) -> Fail {
    let text = refusal.to_string();
    match refusal {
        GroundError::NotStratified { .. }
        | GroundError::NoCost { .. }
        | GroundError::Numbers
        | GroundError::NoNumber { .. }
        | GroundError::MovingBy { .. } => Fail::known("bad_task", text),
        GroundError::TooMuchWork { .. } => Hit::Size.because(text),
        _ => Hit::Memory.because(format!("{text}; or give more `--memory`")),
    }
}
