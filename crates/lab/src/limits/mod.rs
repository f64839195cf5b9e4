//! `throng bench limits`: how close to the machine's limit a crowd's plans are.
//!
//! In:   a session.
//! Out:  rows by the [`harness`](crate::harness), hot and cold, one thread and two;
//!       each with its bar if it has one; a page with a figure.
//! Cost: two to three minutes and half a gigabyte.
//!
//! Three numbers, never mixed: *direct*, a plan computed for every NPC, one at a time (`direct`) or
//! a thousand side by side (`wide`); *shared*, plans of all states computed once and looked up
//! after, by the kernel (`shared`) and through a crowd (`crowd_ids`); *end to end*, a whole frame
//! of a town (`end_to_end`). What the timed passes wrote is compared with the single planner's
//! plans: a bar that is missed is shown, a wrong answer is an error.

mod crowd_ids;
mod direct;
mod end_to_end;
mod folk;
pub mod lists;
mod page;
mod shared;
mod town_check;
mod wide;

use crate::harness::{Passes, ROUNDS, Timed, Turn, race_cold};
use crate::measuring::{SWEEP_BYTES, Sweep};
use crate::record::{Bar, Record};
use crate::report::{BenchResult, Report, Session};
use crate::town::Ours;
use direct::{mixed, plan_cases, plan_group};
use folk::{Folk, Piece, check_cases};
use shared::Shelf;
use std::hint::black_box;
use throng_planner::topological::wide::{Kernel, LanePlans, WideScratch};
use wide::Kernels;

/// NPCs of the rows that compare with the scalar kernel.
const NPCS: usize = 1_000_000;
/// NPCs of the papers' claim.
const CLAIMED: usize = 3_000_000;
/// A tenth of a frame at 60 Hz, in milliseconds: what the papers give to planning.
const BUDGET_MS: f64 = 1.67;
/// Rounds where two threads must be left alone by the machine at the same time.
const ROUNDS_TOGETHER: usize = 400;

/// The three numbers that are never mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    /// A plan is computed for every NPC.
    Direct,
    /// A plan is computed once per state and goal, and looked up after.
    Shared,
    /// All that a frame of a crowd does.
    EndToEnd,
}

impl Number {
    const ALL: [Number; 3] = [Number::Direct, Number::Shared, Number::EndToEnd];
}

throng_base::display! { Number {
    Self::Direct => "direct";
    Self::Shared => "shared";
    Self::EndToEnd => "end to end";
} }

/// A measured row, and the number it belongs to.
type Row = (Number, Record);

/// Runs all rows.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> BenchResult<Report> {
    session.sweep = Sweep::new(session.pick(SWEEP_BYTES, 1 << 16));
    let mut rows = kernels(session)?;
    rows.extend(claimed(session)?);
    session.sweep = Sweep::default();
    rows.extend(end_to_end::measure(session)?);
    let (tables, files) = (page::tables(&rows), page::files(&rows)?);
    let records = rows.into_iter().map(|(_, record)| record).collect();
    Ok(Report { records, tables, files })
}

fn rounds(session: &Session<'_>) -> usize {
    session.pick(ROUNDS, 2)
}

/// How rows of two threads are measured.
fn together(session: &Session<'_>) -> String {
    format!("wall time, caches swept, best of {}", session.pick(ROUNDS_TOGETHER, 2))
}

/// How rows of one thread are measured.
fn alone(caches: &str) -> String {
    format!("thread time, caches {caches}, best of {ROUNDS}")
}

/// A row that should take less than a tenth of a frame, from nanoseconds of wall time.
fn within_a_tenth(number: Number, name: &str, nanoseconds: Timed, protocol: String) -> Row {
    let against = "a tenth of a frame at 60 Hz";
    let record = Record::ours_by_theirs(
        name,
        nanoseconds / 1e6,
        BUDGET_MS,
        against,
        "ms, wall, two threads",
    );
    (number, record.by(protocol).held(Bar::AtMost(1.0)))
}

/// Three million NPCs: the papers' claim.
fn claimed(session: &mut Session<'_>) -> BenchResult<Vec<Row>> {
    let folk = Folk::new(session.pick(CLAIMED, 600), session)?;
    let (shelf, kernels) = (Shelf::new(&folk, session)?, Kernels::new(&folk, session)?);
    let mut rows = shared::serving(session, &folk, &shelf)?;
    rows.push(wide::two_threads(session, &folk, &kernels)?);
    rows.extend(crowd_ids::measure(session, &folk)?);
    Ok(rows)
}

/// A million NPCs: every kernel in one run of alternating passes.
fn kernels(session: &mut Session<'_>) -> BenchResult<Vec<Row>> {
    let folk = Folk::new(session.pick(NPCS, 500), session)?;
    let (shelf, kernels) = (Shelf::new(&folk, session)?, Kernels::new(&folk, session)?);
    session.begin("direct, wide and shared, in turns")?;
    let n_npcs = folk.len();
    let mut scalar = Ours::new(folk.town.domain.compiled())?;
    let mut grouped_scalar = Ours::new(folk.town.domain.compiled())?;
    let npcs = mixed(&folk);
    // Separate buffers for all; what fails to write leaves what no answer is.
    let none = || vec![u64::MAX; n_npcs];
    let (mut random, mut grouped, mut copied) = (none(), none(), none());
    let (from, mut plans, mut lists, mut portable_lists) = (none(), none(), none(), none());
    let short = || vec![u16::MAX; n_npcs];
    let (mut ids, mut masks, mut portable_masks) = (short(), short(), short());
    let mut scratch = [(); 4].map(|()| WideScratch::default());
    let [scratch_0, scratch_1, scratch_2, scratch_3] = &mut scratch;
    let list = |kernel: Kernel, piece: &mut Piece<'_, u64>, scratch: &mut WideScratch| {
        kernels.plan(&folk, kernel, piece, LanePlans::Lists, scratch);
    };
    let mask = |kernel: Kernel, piece: &mut Piece<'_, u16>, scratch: &mut WideScratch| {
        kernels.plan(&folk, kernel, piece, LanePlans::Masks16, scratch);
    };
    let (best, portable) = (Kernel::Best, Kernel::Portable);
    let turns = vec![
        Turn::new(1, || {
            plan_cases(&folk, &mut scalar, npcs.iter().copied(), black_box(&mut random));
        }),
        Turn::new(1, || folk.each(&mut grouped, |p| plan_group(&folk, &mut grouped_scalar, p))),
        Turn::new(1, || black_box(&mut copied).copy_from_slice(black_box(&from))),
        Turn::new(1, || folk.each(&mut ids, |p| shelf.serve_ids(&folk, p))),
        Turn::new(1, || folk.each(&mut plans, |p| shelf.serve_plans(&folk, p))),
        Turn::new(1, || folk.each(&mut lists, |p| list(best, p, scratch_0))),
        Turn::new(1, || folk.each(&mut masks, |p| mask(best, p, scratch_1))),
        Turn::new(1, || folk.each(&mut portable_lists, |p| list(portable, p, scratch_2))),
        Turn::new(1, || folk.each(&mut portable_masks, |p| mask(portable, p, scratch_3))),
    ];
    let passes = race_cold(rounds(session), turns, session)?;
    check_cases("direct", npcs.iter().map(|npc| &npc.0), &random, &shelf.words, session);
    folk.check("direct_grouped", &grouped, &shelf.words, session);
    folk.check("table_vs_direct", &ids, &shelf.ids, session);
    folk.check("table_plans_vs_direct", &plans, &shelf.words, session);
    folk.check("wide_vs_direct", &lists, &kernels.lists, session);
    folk.check("wide_mask_vs_direct", &masks, &kernels.masks, session);
    folk.check("wide_portable_vs_direct", &portable_lists, &kernels.lists, session);
    folk.check("wide_portable_mask_vs_direct", &portable_masks, &kernels.masks, session);
    let mut rows = compared(&passes, n_npcs);
    rows.push(direct::two_threads(session, &folk)?);
    rows.push(shared::building(session, &folk)?);
    Ok(rows)
}

/// The rows of the alternating passes, in the order in which they were given.
fn compared(passes: &[Passes], n_npcs: usize) -> Vec<Row> {
    let &[random, grouped, copied, ids, plans, lists, masks, portable_lists, portable_masks] =
        passes
    else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (name, ours) in [("direct", random), ("direct_grouped", grouped)] {
        rows.extend(hot_and_cold(name, Number::Direct, [ours, copied], n_npcs, None, |n, o, t| {
            Record::ours_by_theirs(n, o, t, "memcpy of a word per NPC", "ns per NPC")
        }));
    }
    let in_groups = "the scalar kernel on the same NPCs in the same order";
    let in_random = "the scalar kernel, random order";
    for (name, number, ours, theirs, against, bar) in [
        ("wide_vs_direct", Number::Direct, lists, grouped, in_groups, Some(12.0)),
        ("wide_mask_vs_direct", Number::Direct, masks, grouped, in_groups, Some(40.0)),
        ("wide_portable_vs_direct", Number::Direct, portable_lists, grouped, in_groups, None),
        ("wide_portable_mask_vs_direct", Number::Direct, portable_masks, grouped, in_groups, None),
        ("table_vs_direct", Number::Shared, ids, random, in_random, Some(60.0)),
        ("table_plans_vs_direct", Number::Shared, plans, random, in_random, None),
    ] {
        let bar = bar.map(Bar::AtLeast);
        rows.extend(hot_and_cold(name, number, [ours, theirs], n_npcs, bar, |n, o, t| {
            Record::theirs_by_ours(n, o, t, against, "ns per NPC")
        }));
    }
    rows
}

/// A row for swept caches, with the bar, and one for warm ones.
fn hot_and_cold(
    name: &str,
    number: Number,
    passes: [Passes; 2],
    n_npcs: usize,
    bar: Option<Bar>,
    record: impl Fn(String, Timed, Timed) -> Record,
) -> [Row; 2] {
    let [cold, hot] = [|pass: Passes| pass.cold, |pass: Passes| pass.hot]
        .map(|of| passes.map(|pass| of(pass) / n_npcs.max(1) as f64));
    let hot = record(format!("{name}_hot"), hot[0], hot[1]);
    let cold = record(name.to_string(), cold[0], cold[1]).by(alone("swept"));
    [(number, cold.held(bar)), (number, hot.by(alone("warm")))]
}
