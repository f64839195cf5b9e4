//! Direct, scalar: a plan computed for each NPC by the kernel for small types, one at a time.
//!
//! In:   the folk.
//! Out:  the kernel in random order and in the order of groups; one thread and two.
//! Cost: some eighty nanoseconds per NPC and pass.

use super::folk::{Folk, Piece};
use super::{Number, ROUNDS_TOGETHER, Row};
use crate::harness::{Sweep, wall_together};
use crate::record::{Bar, Record};
use crate::report::{BenchError, Session};
use crate::town::Ours;
use throng_base::SplitMix;

/// NPCs of the row with two threads: few enough that a busy machine leaves some pass alone.
const NPCS_TOGETHER: usize = 25_000;

/// What one thread does: NPCs, the place for their plans, a planner.
type Part<'p> = (&'p [(u32, u64)], &'p mut [u64], Ours);

/// Everybody in random order: groups mixed, so that no predictor of branches learns it.
pub(super) fn mixed(folk: &Folk) -> Vec<(u32, u64)> {
    let groups = folk.groups.iter();
    let all = groups.flat_map(|group| group.cases.iter().copied().zip(group.words.iter().copied()));
    let mut all: Vec<(u32, u64)> = all.collect();
    SplitMix::new(3).shuffle(&mut all);
    all
}

/// Plans for some in random order, a word each.
pub(super) fn plan_mixed(folk: &Folk, ours: &mut Ours, npcs: &[(u32, u64)], plans: &mut [u64]) {
    for (&(case, state), plan) in npcs.iter().zip(plans) {
        let case = &folk.town.cases[case as usize];
        *plan = ours.kernel(&folk.town, case, state).unwrap_or(0);
    }
}

/// Plans for some NPCs of a group, a word each.
pub(super) fn plan_group(folk: &Folk, ours: &mut Ours, piece: &mut Piece<'_, u64>) {
    let group = &folk.groups[piece.group];
    let npcs = piece.of(&group.cases).iter().zip(piece.of(&group.words));
    for ((&case, &state), plan) in npcs.zip(&mut *piece.out) {
        let case = &folk.town.cases[case as usize];
        *plan = ours.kernel(&folk.town, case, state).unwrap_or(0);
    }
}

/// Adds to `wrong` if plans of NPCs in random order are not the right ones.
pub(super) fn check_mixed(
    row: &str,
    npcs: &[(u32, u64)],
    plans: &[u64],
    right: &[u64],
    wrong: &mut Vec<String>,
) {
    let pairs = npcs.iter().zip(plans);
    let n_wrong = pairs.filter(|((case, _), plan)| right[*case as usize] != **plan).count();
    if n_wrong > 0 || npcs.len() != plans.len() {
        wrong.push(format!("{row}: {n_wrong} of {} NPCs got another plan", npcs.len()));
    }
}

/// The wall time of one thread divided by that of two, each with half of the NPCs.
pub(super) fn two_threads(
    session: &mut Session<'_>,
    folk: &Folk,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Row, BenchError> {
    session.begin("direct, one thread and two")?;
    let (mut npcs, right) = (mixed(folk), folk.right_words());
    npcs.truncate(session.pick(NPCS_TOGETHER, 100));
    let mut plans = vec![0u64; npcs.len()];
    let mut fastest = [f64::INFINITY; 2];
    // One thread and two alternate, so that what else the machine does falls on both.
    for _ in 0..session.pick(ROUNDS_TOGETHER, 2) {
        session.go_on()?;
        for (n_threads, fastest) in [1, 2].into_iter().zip(&mut fastest) {
            let share = npcs.len().div_ceil(n_threads).max(1);
            let halves = npcs.chunks(share).zip(plans.chunks_mut(share));
            let ours =
                |(npcs, plans)| Some((npcs, plans, Ours::new(folk.town.domain.compiled()).ok()?));
            let mut parts: Vec<Part<'_>> = halves.filter_map(ours).collect();
            let wall = wall_together(1, &mut parts, &mut || sweep.run(), |(npcs, plans, ours)| {
                plan_mixed(folk, ours, npcs, plans);
            });
            *fastest = fastest.min(wall);
            drop(parts);
            check_mixed("direct_two_threads", &npcs, &plans, &right, wrong);
            plans.fill(0);
        }
    }
    let [one, two] = fastest.map(|wall| wall / 1e6);
    let record = Record::theirs_by_ours("direct_two_threads", two, one, "one thread", "ms, wall");
    Ok((Number::Direct, record.held(Bar::AtLeast(1.6))))
}
