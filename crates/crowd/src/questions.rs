//! The questions of a frame: rows that no table and no kernel has answered.
//!
//! In:   the rows of a frame that are left, and what was remembered.
//! Out:  answers from memory; the others as jobs, rows with the same question one job.
//! Cost: a look-up each, and a sort of what is left.
//!
//! Questions are sorted by policy and state, so that neighbours take the same branches.

use crate::core::Core;
use crate::memory::Memory;
use crate::plans::PlanId;
use crate::settings::{Frame, FrameReport};
use std::cmp::Reverse;

/// A row that asks: its key lies at `key` among the keys.
#[derive(Clone, Copy, Debug)]
struct Asking {
    row: u32,
    key: u32,
    /// States with unknown values are asked about one by one.
    has_key: bool,
}

/// Rows that ask the same question, one after the other among those asking.
#[derive(Clone, Copy, Debug)]
struct Job {
    first: u32,
    end: u32,
    /// Left to a search.
    is_open: bool,
    /// Its rows have their answer.
    is_answered: bool,
    /// Whose turn it is, if not all can be afforded: urgency, then who was left out.
    turn: (Reverse<u8>, u32),
}

impl Job {
    /// The job of one that asks.
    fn new(at: u32) -> Job {
        let (is_open, is_answered, turn) = (false, false, (Reverse(0), 0));
        Job { first: at, end: at + 1, is_open, is_answered, turn }
    }
}

/// All questions of a frame; a job is known by its position.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    keys: Vec<u64>,
    /// Words of a key, the policy counted.
    key_words: usize,
    asking: Vec<Asking>,
    jobs: Vec<Job>,
    /// The row behind the last one planned for in a frame that could not afford all: who comes
    /// first in the next.
    pub(crate) after: u32,
}

impl Questions {
    /// Answers from memory; the others become jobs.
    pub(crate) fn gather(&mut self, core: &mut Core, memory: &Memory, frame: &mut Frame) {
        let Questions { keys, asking, .. } = self;
        keys.clear();
        asking.clear();
        for word in 0..core.turns.serve.words().len() {
            for bit in throng_base::ones(core.turns.serve.words()[word]) {
                let row = word * 64 + bit;
                let key = keys.len();
                let has_key = core.question(row, keys);
                let known = has_key.then(|| memory.get(&keys[key..])).flatten();
                if let Some(id) = known {
                    keys.truncate(key);
                    core.answer(row, id.0);
                    frame.report.remembered += 1;
                    frame.report.count(id);
                    continue;
                }
                asking.push(Asking { row: row as u32, key: key as u32, has_key });
            }
        }
        self.key_words = 1 + core.columns.states().key_words();
        self.sort();
    }

    /// Puts rows with the same question together.
    fn sort(&mut self) {
        let Questions { keys, key_words, asking, jobs, .. } = self;
        let question = |one: &Asking| &keys[one.key as usize..one.key as usize + *key_words];
        asking.sort_unstable_by(|a, b| question(a).cmp(question(b)).then(a.row.cmp(&b.row)));
        jobs.clear();
        for (at, one) in asking.iter().enumerate() {
            let at = at as u32;
            let is_same = |job: &Job| {
                let first = &asking[job.first as usize];
                one.has_key && first.has_key && question(first) == question(one)
            };
            match jobs.last_mut() {
                Some(job) if is_same(job) => job.end = at + 1,
                _ => jobs.push(Job::new(at)),
            }
        }
    }

    /// The most urgent come first, and among equals those who were left out before.
    pub(crate) fn put_urgent_first(&mut self, core: &Core) {
        let Questions { asking, jobs, after, .. } = self;
        let rates = core.groups.rates();
        for job in &mut *jobs {
            let rows = asking[job.first as usize..job.end as usize].iter();
            let each = rows.map(|asking| {
                let row = asking.row as usize;
                core.columns.urgency()[row].saturating_add(rates[core.columns.group(row)].urgency)
            });
            let turn = asking[job.first as usize].row.wrapping_sub(*after);
            job.turn = (Reverse(each.max().unwrap_or(0)), turn);
        }
        jobs.sort_unstable_by_key(|job| job.turn);
    }

    /// Jobs behind this one were left out: they come first in the next frame.
    pub(crate) fn leave_out_after(&mut self, job: usize) {
        self.after = self.row(job) as u32 + 1;
    }

    /// How many jobs there are.
    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// The key of a job: its policy, then its state. `None` if it has none.
    pub(crate) fn key(&self, job: usize) -> Option<&[u64]> {
        let asking = self.asking[self.jobs[job].first as usize];
        let at = asking.key as usize;
        asking.has_key.then(|| &self.keys[at..at + self.key_words])
    }

    /// The first row that asks a job's question.
    pub(crate) fn row(&self, job: usize) -> usize {
        self.asking[self.jobs[job].first as usize].row as usize
    }

    /// Leaves a job to a search.
    pub(crate) fn open(&mut self, job: usize) {
        self.jobs[job].is_open = true;
    }

    /// Jobs that were left to searches.
    pub(crate) fn open_jobs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.jobs.len()).filter(|&at| self.jobs[at].is_open)
    }

    /// Whether nobody has answered a job, or was left to.
    pub(crate) fn is_new(&self, job: usize) -> bool {
        !self.jobs[job].is_open && !self.jobs[job].is_answered
    }

    /// Gives all rows of a job its answer, whose reference was the caller's, and remembers it;
    /// returns how many there were.
    pub(crate) fn finish(
        &mut self,
        job: usize,
        id: PlanId,
        core: &mut Core,
        memory: &mut Memory,
        report: &mut FrameReport,
    ) -> usize {
        let Job { first, end, .. } = self.jobs[job];
        (self.jobs[job].is_open, self.jobs[job].is_answered) = (false, true);
        for asking in &self.asking[first as usize..end as usize] {
            core.answer(asking.row as usize, id.0);
            report.count(id);
        }
        let plans = &mut core.book.plans;
        if let Some(key) = self.key(job) {
            memory.keep(key, id, plans);
        }
        plans.release(id);
        (end - first) as usize
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.keys.capacity()
            + self.asking.capacity() * size_of::<Asking>()
            + self.jobs.capacity() * size_of::<Job>()
    }
}
