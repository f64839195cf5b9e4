//! Which actions of a type can be in a plan; on a terminal with what is being done.
//!
//! In:   the spec of the minds.
//! Out:  for each type what the planner's proofs say.
//! Cost: all states of a type, up to the limit asked for.

use crate::console::{Console, LIVE};
use std::time::Instant;
use throng_base::text::grouped;
use throng_domain::model::NpcTypeId;
use throng_mind::spec::Spec;
use throng_planner::explain::{Usable, UsableLimits, usable};
use throng_trace::stats::circumstances;

/// Work allowed for each state allowed: some hundreds of goals and answers to checks.
const WORK_PER_STATE: u64 = 5_000;

/// So much work is a moment, and enough for what needs few states.
const LEAST_WORK: u64 = 10_000_000;

/// What is known of each type that is asked for. On a terminal it is told what is being done.
pub(super) fn of(
    spec: &Spec,
    types: &[NpcTypeId],
    states: u64,
    console: &mut Console<'_>,
) -> Vec<Usable> {
    let limits = UsableLimits {
        states: usize::try_from(states).unwrap_or(usize::MAX),
        work: states.saturating_mul(WORK_PER_STATE).max(LEAST_WORK),
    };
    let given = circumstances(spec);
    let (mut last_line, mut has_line) = (Instant::now(), false);
    let known = types.iter().map(|&npc| {
        let mut watch = |work: u64| {
            if last_line.elapsed() >= LIVE {
                (last_line, has_line) = (Instant::now(), true);
                let name = spec.domain.map().npc(npc);
                let (millions, most) = (work / 1_000_000, limits.work / 1_000_000);
                console.progress(&format!(
                    "{name}: {} of at most {} million steps of work; Ctrl-C tells what is known",
                    grouped(millions),
                    grouped(most)
                ));
            }
            console.interrupted()
        };
        usable(&spec.domain, npc, &given, &limits, &mut watch)
    });
    let known = known.collect();
    if has_line {
        console.end_progress();
    }
    known
}
