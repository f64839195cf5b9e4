//! Rows to serve, cut into parts that threads work on at the same time.
//!
//! In:   the rows to serve, and what is to be done with a part.
//! Out:  answers written into the columns; a report, put together in the order of the parts.
//! Cost: the cut is a step per part.
//!
//! Parts depend on the number of rows and never on that of threads, so the outcome does not
//! either.

mod look_up;

use super::Columns;
use crate::ids::IdsMut;
use crate::kind::Kind;
use crate::ledger::{PlanLedger, Remainder};
use crate::plans::{PlanId, PlanStore};
use crate::pool::Pool;
use crate::settings::FrameReport;
use crate::states::States;
use throng_base::{Bits, ones};
use throng_domain::compile::PackedValue;

/// Into how many parts a column is cut at most.
pub(crate) const MOST_PARTS: usize = 64;

/// The fewest rows of a part.
const LEAST_ROWS: usize = 4096;

/// Fewer rows than these are left to one thread: waking another takes longer.
pub(crate) const ALONE: usize = 8192;

/// How many rows a part of a column has, but for the last; whole words of bits.
pub(crate) fn rows_of_parts(n_rows: usize) -> usize {
    n_rows.div_ceil(MOST_PARTS).max(LEAST_ROWS).next_multiple_of(64)
}

/// What parts came to, kept from frame to frame.
#[derive(Debug)]
pub(crate) struct Parts {
    found: Vec<Found>,
}

/// What one part came to.
#[derive(Debug, Default)]
struct Found {
    report: FrameReport,
    /// Plans that rows no longer go by.
    released: Vec<PlanId>,
}

/// What all parts read.
#[derive(Clone, Copy)]
struct Read<'c> {
    states: &'c States,
    goal: &'c [u16],
    group: &'c [u16],
    plans: &'c PlanStore,
    /// Whether some rows may go by plans that are counted.
    has_counted: bool,
}

/// Some rows, to be served by one thread; they are numbered from its first one on.
pub(crate) struct Part<'c> {
    first: usize,
    serve: &'c mut [u64],
    waiting: &'c mut [u64],
    moving: &'c mut [u64],
    ids: IdsMut<'c>,
    step: &'c mut [u16],
    read: Read<'c>,
    found: &'c mut Found,
}

impl Parts {
    pub(crate) fn new() -> Parts {
        Parts { found: (0..MOST_PARTS).map(|_| Found::default()).collect() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.found.iter().map(|found| 4 * found.released.capacity()).sum()
    }

    /// Lets all threads work on rows to be served, part by part, each with working memory of its
    /// own; returns how many parts there were. Fewer rows than `alone` are left to the caller.
    pub(crate) fn each<S: Send + Default>(
        &mut self,
        (pool, alone): (&Pool, usize),
        (columns, serve): (&mut Columns, &mut Bits),
        book: &mut PlanLedger,
        report: &mut FrameReport,
        memory: &mut Vec<S>,
        work: &(dyn Fn(&mut Part<'_>, &mut S) + Sync),
    ) -> usize {
        memory.resize_with(MOST_PARTS, S::default);
        let n_rows = columns.rows.len();
        let n_served = serve.count();
        let size = rows_of_parts(n_rows);
        let mut parts: [Option<(Part<'_>, &mut S)>; MOST_PARTS] = [const { None }; MOST_PARTS];
        let Columns { states, goal, group, ids, step, waiting, moving, .. } = columns;
        let (plans, has_counted) = (&book.plans, book.plans.has_counted());
        let read = Read { states, goal, group, plans, has_counted };
        let mut n_parts = 0;
        let (mut serve, mut waiting) = (serve.words_mut(), waiting.words_mut());
        let mut moving = moving.words_mut();
        let (mut ids, mut step) = (ids.all_mut(), &mut step[..]);
        for ((found, memory), part) in self.found.iter_mut().zip(memory).zip(&mut parts) {
            let first = n_parts * size;
            if first >= n_rows {
                break;
            }
            let rows = size.min(n_rows - first);
            let words = rows.div_ceil(64);
            found.report = FrameReport::default();
            let (own_serve, rest_serve) = serve.split_at_mut(words);
            let (own_waiting, rest_waiting) = waiting.split_at_mut(words);
            let (own_moving, rest_moving) = moving.split_at_mut(words);
            let (own_ids, rest_ids) = ids.split_at(rows);
            let (own_step, rest_step) = step.split_at_mut(rows);
            let part_of = Part {
                first,
                serve: own_serve,
                waiting: own_waiting,
                moving: own_moving,
                ids: own_ids,
                step: own_step,
                read,
                found,
            };
            (serve, waiting, moving) = (rest_serve, rest_waiting, rest_moving);
            (ids, step) = (rest_ids, rest_step);
            *part = Some((part_of, memory));
            n_parts += 1;
        }
        let each = |_: usize, part: &mut Option<(Part<'_>, &mut S)>| {
            if let Some((part, memory)) = part {
                work(part, memory);
            }
        };
        match n_served < alone {
            true => parts[..n_parts].iter_mut().for_each(|part| each(0, part)),
            false => pool.each(&mut parts[..n_parts], &each),
        }
        for found in &mut self.found[..n_parts] {
            *report += found.report;
            for id in found.released.drain(..) {
                book.plans.release(id);
            }
        }
        n_parts
    }
}

impl Part<'_> {
    /// How many words of 64 rows it has.
    pub(crate) fn n_words(&self) -> usize {
        self.serve.len()
    }

    /// The rows of a word that are to be served.
    pub(crate) fn rows(&self, word: usize) -> impl Iterator<Item = usize> + use<> {
        ones(self.serve[word]).map(move |bit| word * 64 + bit)
    }

    pub(crate) fn goal(&self, row: usize) -> u16 {
        self.read.goal[self.first + row]
    }

    pub(crate) fn group(&self, row: usize) -> usize {
        self.read.group[self.first + row].into()
    }

    /// The number of a row's state; `None` if it has none.
    pub(crate) fn index(&self, row: usize) -> Option<u64> {
        self.read.states.index(self.first + row)
    }

    /// The private state of a row in one word; `None` if it is kept aside.
    pub(crate) fn word(&self, row: usize, kind: &Kind, state: &mut [PackedValue]) -> Option<u64> {
        self.read.states.word(self.first + row, kind, state)
    }

    /// Writes the private values of a row into a plain state; shared places are left alone.
    pub(crate) fn read(&self, row: usize, kind: &Kind, state: &mut [PackedValue]) {
        self.read.states.read(self.first + row, kind, state);
    }

    /// The plans that answers are numbers of.
    pub(crate) fn plans(&self) -> &PlanStore {
        self.read.plans
    }

    /// Writes what was computed for a row.
    pub(crate) fn compute(&mut self, row: usize, id: u32) {
        self.found.report.computed += 1;
        self.answer(row, id);
    }

    /// Writes what a list says of a row.
    pub(crate) fn list(&mut self, row: usize, id: PlanId) {
        self.found.report.listed += 1;
        self.answer(row, id.0);
    }

    /// Lets a row go by an answer, from its first step.
    #[inline]
    fn give(&mut self, row: usize, id: u32) {
        if self.read.has_counted {
            let before = PlanId(self.ids.get(row));
            if self.read.plans.is_counted(before) {
                self.found.released.push(before);
            }
        }
        self.ids.set(row, id);
        self.step[row] = 0;
    }

    /// Writes the answer of a row: a plan that nobody counts, or a verdict.
    fn answer(&mut self, row: usize, id: u32) {
        self.give(row, id);
        self.found.report.count(PlanId(id));
        let bit = 1 << (row % 64);
        self.serve[row / 64] &= !bit;
        self.waiting[row / 64] &= !bit;
        let moves = u64::from(Remainder::has_steps(id)) << (row % 64);
        self.moving[row / 64] = self.moving[row / 64] & !bit | moves;
    }
}
