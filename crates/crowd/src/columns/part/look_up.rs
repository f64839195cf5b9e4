//! What tables say of the rows of a part: runs in one go, all others 64 at a time.
//!
//! In:   rows to be served, and the tables of the situations that their groups are in.
//! Out:  plan numbers and bits written; those that no table answers stay to be served.
//! Cost: a load or two per row. What the rows of a few words need is asked for before the first
//!       is looked at, so that the memory works on all of them at once; bits are written by words.

use super::Part;
use crate::groups::Groups;
use crate::ids::IdsMut;
use crate::ledger::Remainder;
use crate::plans::PlanId;
use crate::situations::Policies;
use crate::table::PolicyTable;
use std::hint::black_box;
use throng_base::ones;

/// Rows with the same goal and group that lie together are looked up in one go.
const RUN: usize = 1024;

/// Words of a run.
const WORDS: usize = RUN / 64;

/// For about so many rows what they need is asked for together.
const AHEAD: u32 = 64;

/// The tables of the group that was asked about last.
struct Shelf<'g> {
    groups: &'g Groups,
    group: u16,
    policies: Policies<'g>,
}

impl<'g> Shelf<'g> {
    fn new(groups: &'g Groups) -> Shelf<'g> {
        Shelf { groups, group: 0, policies: groups.policies(0) }
    }

    #[inline]
    fn table(&mut self, group: u16, goal: u16) -> Option<&'g PolicyTable> {
        if group != self.group {
            (self.group, self.policies) = (group, self.groups.policies(group.into()));
        }
        self.policies.table(goal)
    }
}

/// The entries of the 64 rows of a word.
fn of_word(rows: &[u16]) -> Option<&[u16; 64]> {
    rows.try_into().ok()
}

impl Part<'_> {
    /// Answers all rows that tables can answer; `without` hears goal and group of those for which
    /// there is none.
    pub(crate) fn look_up(&mut self, groups: &Groups, mut without: impl FnMut(u16, u16)) {
        let mut shelf = Shelf::new(groups);
        let mut word = 0;
        while word < self.n_words() {
            if let Some((goal, group)) = self.run(word)
                && let Some(table) = shelf.table(group, goal)
                && let Some(next) = self.look_up_run(word, table)
            {
                word = next;
                continue;
            }
            let end = self.ask_ahead(word);
            for at in word..end {
                if self.serve[at] == !0 {
                    self.look_up_all(at, &mut shelf);
                }
                if self.serve[at] != 0 {
                    self.look_up_word(at, &mut shelf, &mut without);
                }
            }
            word = end;
        }
    }

    /// Touches what the rows of some words need, at least one; the word behind them.
    fn ask_ahead(&self, word: usize) -> usize {
        let (mut n_rows, mut end, mut all) = (0, word, 0);
        while end < self.serve.len() && n_rows < AHEAD {
            let serve = self.serve[end];
            let n = serve.count_ones();
            // Rows that lie together are loaded together anyway.
            if n < AHEAD / 4 {
                for row in self.rows(end) {
                    all ^= u64::from(self.goal(row)) ^ self.group(row) as u64;
                    all ^= self.index(row).unwrap_or(0) ^ u64::from(self.ids.get(row));
                    all ^= u64::from(self.step[row]);
                }
            }
            n_rows += n;
            end += 1;
        }
        black_box(all);
        end
    }

    /// The same as [`Part::look_up_word`] where all rows of a word are to be served, numbers take
    /// two bytes and nothing is to be given back. What is left is for the other.
    fn look_up_all(&mut self, word: usize, shelf: &mut Shelf<'_>) {
        let rows = word * 64..word * 64 + 64;
        let all = self.first + rows.start..self.first + rows.end;
        let IdsMut::Narrow(ids) = &mut self.ids else { return };
        if self.read.has_counted {
            return;
        }
        let (Some(ids), Some(states), Some(goals), Some(groups)) = (
            ids.get_mut(rows.clone()).and_then(|ids| <&mut [u16; 64]>::try_from(ids).ok()),
            self.read.states.narrow(all.clone()).and_then(of_word),
            self.read.goal.get(all.clone()).and_then(of_word),
            self.read.group.get(all).and_then(of_word),
        ) else {
            return;
        };
        let (mut left, mut counts) = (0u64, [0usize; PlanId::FIRST.0 as usize + 1]);
        for at in 0..64 {
            let numbers = shelf.table(groups[at], goals[at]).and_then(PolicyTable::narrow);
            match numbers.and_then(|numbers| numbers.get(usize::from(states[at]))) {
                Some(&id) => {
                    ids[at] = id;
                    counts[usize::from(id.min(PlanId::FIRST.0 as u16))] += 1;
                }
                None => left |= 1 << at,
            }
        }
        let has_steps = |id: u16| u64::from(Remainder::has_steps(id.into()));
        let moving = ids.iter().enumerate().fold(0, |all, (at, &id)| all | has_steps(id) << at);
        match left {
            0 => self.step[rows].fill(0),
            _ => ones(!left).for_each(|bit| self.step[word * 64 + bit] = 0),
        }
        self.serve[word] = left;
        self.waiting[word] = left;
        self.moving[word] = self.moving[word] & left | moving & !left;
        let report = &mut self.found.report;
        report.looked_up += 64 - left.count_ones() as usize;
        report.count_many(counts);
    }

    /// Answers the rows of a word that are to be served.
    fn look_up_word(
        &mut self,
        word: usize,
        shelf: &mut Shelf<'_>,
        without: &mut impl FnMut(u16, u16),
    ) {
        let (mut answered, mut moving) = (0u64, 0u64);
        let mut counts = [0usize; PlanId::FIRST.0 as usize + 1];
        for bit in ones(self.serve[word]) {
            let row = word * 64 + bit;
            let at = self.first + row;
            let (group, goal) = (self.read.group[at], self.read.goal[at]);
            let Some(table) = shelf.table(group, goal) else {
                without(group, goal);
                continue;
            };
            // What is kept aside has no place in a table.
            let Some(index) = self.read.states.index(at) else { continue };
            let id = table.plan(index).0;
            self.give(row, id);
            answered |= 1 << bit;
            moving |= u64::from(Remainder::has_steps(id)) << bit;
            counts[id.min(PlanId::FIRST.0) as usize] += 1;
        }
        self.serve[word] &= !answered;
        self.waiting[word] &= !answered;
        self.moving[word] = self.moving[word] & !answered | moving;
        let report = &mut self.found.report;
        report.looked_up += answered.count_ones() as usize;
        report.count_many(counts);
    }

    /// Goal and group of a run that begins with a word, if all of it is to be served and has the
    /// same ones.
    fn run(&self, word: usize) -> Option<(u16, u16)> {
        let full = self.serve[word..].iter().take(WORDS).take_while(|word| **word == !0);
        if full.count() < WORDS {
            return None;
        }
        let all = self.first + word * 64..self.first + word * 64 + RUN;
        let (goal, group) = (&self.read.goal[all.clone()], &self.read.group[all]);
        let is_uniform =
            goal.iter().all(|&one| one == goal[0]) && group.iter().all(|&one| one == group[0]);
        is_uniform.then(|| (goal[0], group[0]))
    }

    /// Answers a run from a table in one go; the word behind it, or `None` if that cannot be.
    fn look_up_run(&mut self, word: usize, table: &PolicyTable) -> Option<usize> {
        let rows = word * 64..word * 64 + RUN;
        let IdsMut::Narrow(ids) = &mut self.ids else { return None };
        let ids = &mut ids[rows.clone()];
        // Rows with plans to give back, or with a state kept aside, are looked at one by one.
        let plans = self.read.plans;
        let is_counted = |id: &u16| plans.is_counted(PlanId((*id).into()));
        if self.read.has_counted && ids.iter().any(is_counted) {
            return None;
        }
        let states = self.read.states.narrow(self.first + rows.start..self.first + rows.end)?;
        if !table.serve_u16(states, ids) {
            return None;
        }
        let count = |id: PlanId| ids.iter().filter(|&&one| u32::from(one) == id.0).count();
        let report = &mut self.found.report;
        let (satisfied, impossible) = (count(PlanId::SATISFIED), count(PlanId::IMPOSSIBLE));
        report.satisfied += satisfied;
        report.impossible += impossible;
        report.plans += RUN - satisfied - impossible;
        report.looked_up += RUN;
        let moving = self.moving[word..word + WORDS].iter_mut();
        for (moving, ids) in moving.zip(ids.chunks_exact(64)) {
            let bits = ids.iter().enumerate();
            let has_steps = |id: u16| u64::from(Remainder::has_steps(id.into()));
            *moving = bits.fold(0, |all, (bit, &id)| all | has_steps(id) << bit);
        }
        self.step[rows].fill(0);
        self.serve[word..word + WORDS].fill(0);
        self.waiting[word..word + WORDS].fill(0);
        Some(word + WORDS)
    }
}
