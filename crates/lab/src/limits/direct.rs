//! Direct, scalar: a plan computed for each NPC by the kernel for small types, one at a time.
//!
//! In:   the folk.
//! Out:  the kernel in random order and in the order of groups; one thread and two.
//! Cost: some eighty nanoseconds per NPC and pass.

use super::folk::{Folk, Piece, check_cases};
use super::{Number, ROUNDS_TOGETHER, Row, together};
use crate::harness::{Timed, wall_together};
use crate::record::{Bar, Record};
use crate::report::{BenchResult, Session};
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

/// Plans from some states of cases, a word each.
pub(super) fn plan_cases(
    folk: &Folk,
    ours: &mut Ours,
    npcs: impl Iterator<Item = (u32, u64)>,
    plans: &mut [u64],
) {
    for ((case, state), plan) in npcs.zip(plans) {
        let case = &folk.town.cases[case as usize];
        *plan = ours.kernel(&folk.town, case, state).unwrap_or(0);
    }
}

/// Plans for some NPCs of a group, a word each.
pub(super) fn plan_group(folk: &Folk, ours: &mut Ours, piece: &mut Piece<'_, u64>) {
    let group = &folk.groups[piece.group];
    let (cases, words) = (piece.of(&group.cases), piece.of(&group.words));
    plan_cases(folk, ours, cases.iter().copied().zip(words.iter().copied()), piece.out);
}

/// The wall time of one thread divided by that of two, each with half of the NPCs.
pub(super) fn two_threads(session: &mut Session<'_>, folk: &Folk) -> BenchResult<Row> {
    session.begin("direct, one thread and two")?;
    let (mut npcs, right) = (mixed(folk), folk.right_words());
    npcs.truncate(session.pick(NPCS_TOGETHER, 100));
    let mut plans = vec![0u64; npcs.len()];
    let mut walls = [Vec::new(), Vec::new()];
    // One thread and two alternate, so that what else the machine does falls on both.
    for _ in 0..session.pick(ROUNDS_TOGETHER, 2) {
        session.go_on()?;
        for (n_threads, walls) in [1, 2].into_iter().zip(&mut walls) {
            let share = npcs.len().div_ceil(n_threads).max(1);
            let halves = npcs.chunks(share).zip(plans.chunks_mut(share));
            let ours =
                |(npcs, plans)| Some((npcs, plans, Ours::new(folk.town.domain.compiled()).ok()?));
            let mut parts: Vec<Part<'_>> = halves.filter_map(ours).collect();
            let sweep = &mut || session.sweep.run();
            let wall = wall_together(1, &mut parts, sweep, |(npcs, plans, ours)| {
                plan_cases(folk, ours, npcs.iter().copied(), plans);
            });
            walls.push(wall.fastest);
            drop(parts);
            check_cases(
                "direct_two_threads",
                npcs.iter().map(|npc| &npc.0),
                &plans,
                &right,
                session,
            );
            plans.fill(0);
        }
    }
    let [one, two] = walls.map(|walls| Timed::of(walls) / 1e6);
    let record = Record::theirs_by_ours("direct_two_threads", two, one, "one thread", "ms, wall");
    Ok((Number::Direct, record.by(together(session)).held(Bar::AtLeast(1.6))))
}
