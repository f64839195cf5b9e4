//! The rows of a crowd: who is there, in which state, wanting what, going by which plan.
//!
//! In:   arrivals and departures, what the game changes, answers, finished steps.
//! Out:  one entry per row in each column. A row that was changed *waits*; saying what is so
//!       already changes nothing.
//! Cost: a step or two each.
//!
//! Every number that a row goes by holds a reference in the [`PlanLedger`]; it is exchanged here and,
//! for many rows at once, in [`part`].

mod own_steps;
mod part;

pub(crate) use own_steps::Walked;
pub(crate) use part::{ALONE, MOST_PARTS, Part, Parts, rows_of_parts};

use crate::goals::CrowdGoalId;
use crate::groups::GroupId;
use crate::ids::Ids;
use crate::kind::Kind;
use crate::ledger::{PlanLedger, Remainder};
use crate::plans::PlanId;
use crate::rows::{NpcHandle, Rows};
use crate::setter::Setter;
use crate::states::States;
use throng_base::Bits;
use throng_domain::compile::{LocalAction, LocalVariable, PackedValue, UNKNOWN};
use throng_domain::model::Fact;

/// One entry per row.
#[derive(Debug)]
pub(crate) struct Columns {
    rows: Rows,
    states: States,
    goal: Vec<u16>,
    group: Vec<u16>,
    /// The lowest and the highest group in each word of 64 rows. It follows from `group`.
    spans: Vec<(u16, u16)>,
    ids: Ids,
    /// Steps done of the plan that a row goes by.
    step: Vec<u16>,
    urgency: Vec<u8>,
    waiting: Bits,
    /// Rows that have a step left of what they go by, whether they wait or not. It follows from
    /// `ids` and `step`; whoever writes those writes it too.
    moving: Bits,
    /// What is on setters for these rows.
    stamp: u64,
    /// Working memory: one plain state.
    state: Vec<PackedValue>,
}

impl Columns {
    throng_base::getters! { pub(crate):
        rows: &Rows;
        urgency: &[u8];
        waiting: &Bits;
        moving: &Bits;
        /// The lowest and the highest group in each word of 64 rows.
        spans: &[(u16, u16)];
        states: &States;
    }

    /// Nobody yet; states will be numbered if there are at most `most` of them.
    pub(crate) fn new(kind: &Kind, most: u64) -> Columns {
        let states = States::new(kind, most);
        Columns {
            rows: Rows::default(),
            stamp: Setter::stamp_of(kind, states.is_numbered()),
            states,
            goal: Vec::new(),
            group: Vec::new(),
            spans: Vec::new(),
            ids: Ids::Narrow(Vec::new()),
            step: Vec::new(),
            urgency: Vec::new(),
            waiting: Bits::default(),
            moving: Bits::default(),
            state: kind.npc().unknown_state(),
        }
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
        self.states.reserve(more);
        self.goal.reserve(more);
        self.group.reserve(more);
        self.spans.reserve(more.div_ceil(64));
        self.ids.reserve(more);
        self.step.reserve(more);
        self.urgency.reserve(more);
        self.waiting.reserve(more);
        self.moving.reserve(more);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.states.bytes()
            + 2 * (self.goal.capacity() + self.group.capacity() + self.step.capacity())
            + 4 * self.spans.capacity()
            + self.ids.bytes()
            + self.urgency.capacity()
            + self.waiting.bytes()
            + self.moving.bytes()
    }

    // Who is there.

    /// How many rows there are, lived in or not.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn find(&self, npc: NpcHandle) -> Option<usize> {
        self.rows.find(npc)
    }

    pub(crate) fn set_crowd(&mut self, number: u16) {
        self.rows.set_crowd(number);
    }

    /// An NPC with the values of the type's `starts` but for these; `None` if there are too many.
    pub(crate) fn spawn(
        &mut self,
        kind: &Kind,
        group: GroupId,
        goal: CrowdGoalId,
        facts: &[Fact],
    ) -> Option<NpcHandle> {
        let (handle, is_new) = self.rows.add()?;
        if is_new {
            self.push();
        }
        let (row, npc) = (handle.row(), kind.npc());
        self.goal[row] = goal.0;
        self.join(row, group);
        (self.step[row], self.urgency[row]) = (0, 0);
        self.waiting.set(row, true);
        self.state.fill(UNKNOWN);
        for fact in npc.starts().iter().chain(facts) {
            if let Some(local) = npc.local_variable(fact.variable)
                && fact.value.index() < npc.n_values(local)
            {
                self.state[local.index()] = fact.value.index() as PackedValue;
            }
        }
        self.states.write(row, kind, &self.state);
        Some(handle)
    }

    /// A row more, in which nobody waits.
    fn push(&mut self) {
        self.states.push();
        self.goal.push(0);
        match self.spans.last_mut().filter(|_| !self.group.len().is_multiple_of(64)) {
            Some(span) => span.0 = 0,
            None => self.spans.push((0, 0)),
        }
        self.group.push(0);
        self.ids.push();
        self.step.push(0);
        self.urgency.push(0);
        self.waiting.push(false);
        self.moving.push(false);
    }

    pub(crate) fn despawn(&mut self, row: usize, book: &mut PlanLedger) {
        self.assign(row, PlanId::UNPLANNED.0, book);
        self.waiting.set(row, false);
        self.states.forget(row);
        self.rows.remove(row);
    }

    /// These rows, of which nothing is said yet; nobody waits.
    pub(crate) fn set_rows(&mut self, rows: Rows) {
        (0..rows.len()).for_each(|_| self.push());
        self.rows = rows;
    }

    // What is said of a row.

    #[inline]
    pub(crate) fn goal(&self, row: usize) -> u16 {
        self.goal[row]
    }

    #[inline]
    pub(crate) fn group(&self, row: usize) -> usize {
        self.group[row].into()
    }

    pub(crate) fn groups(&self) -> &[u16] {
        &self.group
    }

    #[inline]
    pub(crate) fn set_goal(&mut self, row: usize, goal: CrowdGoalId) {
        let before = std::mem::replace(&mut self.goal[row], goal.0);
        self.wait_if(row, before != goal.0);
    }

    pub(crate) fn set_group(&mut self, row: usize, group: GroupId) {
        let differs = self.group[row] != group.0;
        if differs {
            self.join(row, group);
        }
        self.wait_if(row, differs);
    }

    fn join(&mut self, row: usize, group: GroupId) {
        self.group[row] = group.0;
        self.find_span(row);
    }

    /// Finds the groups of the word of a row anew.
    fn find_span(&mut self, row: usize) {
        let word = self.group[row / 64 * 64..].iter().take(64);
        let span = word.fold((u16::MAX, 0), |(low, high), &it| (low.min(it), high.max(it)));
        self.spans[row / 64] = span;
    }

    pub(crate) fn set_urgency(&mut self, row: usize, urgency: u8) {
        self.urgency[row] = urgency;
    }

    // Who waits.

    #[inline]
    pub(crate) fn wait(&mut self, row: usize) {
        self.waiting.set(row, true);
    }

    /// Who waits, to be written; who takes it out to read the rest meanwhile puts it back.
    pub(crate) fn waiting_mut(&mut self) -> &mut Bits {
        &mut self.waiting
    }

    /// A row waits, or nothing happens; without a branch, as one cannot know.
    #[inline]
    fn wait_if(&mut self, row: usize, waits: bool) {
        self.waiting.words_mut()[row / 64] |= u64::from(waits) << (row % 64);
    }

    // States.

    /// The value of a private variable of a row.
    #[inline]
    pub(crate) fn value(&self, row: usize, kind: &Kind, variable: LocalVariable) -> PackedValue {
        self.states.value(row, kind, variable)
    }

    /// Writes the private values of a row into a plain state; shared places are left alone.
    pub(crate) fn read(&self, row: usize, kind: &Kind, state: &mut [PackedValue]) {
        self.states.read(row, kind, state);
    }

    /// Gives a row a plain state; shared places do not count.
    pub(crate) fn write(&mut self, row: usize, kind: &Kind, state: &[PackedValue]) {
        self.states.write(row, kind, state);
    }

    /// A private variable having a value, to be given to rows.
    pub(crate) fn setter(
        &self,
        kind: &Kind,
        variable: LocalVariable,
        value: PackedValue,
    ) -> Setter {
        Setter::new(kind, (self.stamp, self.states.is_numbered()), variable, value)
    }

    /// Whether a setter is for these rows.
    #[inline]
    pub(crate) fn takes(&self, setter: &Setter) -> bool {
        setter.stamp() == self.stamp
    }

    /// Gives a row a value; the setter is for these rows.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, kind: &Kind, setter: &Setter) {
        match self.states.set(row, setter) {
            Some(differs) => self.wait_if(row, differs),
            None => self.rewrite(row, kind, setter),
        }
    }

    /// The same by way of all values: from or to one that is unknown.
    #[cold]
    fn rewrite(&mut self, row: usize, kind: &Kind, setter: &Setter) {
        let (variable, value) = (setter.variable(), setter.value());
        if self.value(row, kind, variable) != value {
            self.states.read(row, kind, &mut self.state);
            self.state[variable.index()] = value;
            self.states.write(row, kind, &self.state);
            self.wait(row);
        }
    }

    /// Touches what changes of a row go by, so that the memory is asked for it.
    #[inline]
    pub(crate) fn touch(&self, row: usize) -> u64 {
        self.states.touch(row) ^ u64::from(self.goal[row]) ^ u64::from(self.waiting.get(row))
    }

    // Answers, and what becomes of them.

    #[inline]
    pub(crate) fn id(&self, row: usize) -> u32 {
        self.ids.get(row)
    }

    /// How many steps of its plan a row has done.
    #[inline]
    pub(crate) fn steps_done(&self, row: usize) -> u16 {
        self.step[row]
    }

    /// The plans of the arena that rows go by.
    pub(crate) fn plans(&self) -> impl Iterator<Item = PlanId> + '_ {
        let ids = (0..self.len()).map(|row| self.ids.get(row));
        ids.filter(|&id| !Remainder::is_word(id)).map(PlanId)
    }

    /// Whether numbers take two bytes.
    pub(crate) fn is_narrow(&self) -> bool {
        matches!(self.ids, Ids::Narrow(_))
    }

    /// Makes room for any number.
    pub(crate) fn widen(&mut self) {
        self.ids.widen();
    }

    /// Whether what follows from other columns says the truth: which rows have a step left, and
    /// which groups there are in a word.
    pub(crate) fn is_sound(&self, book: &PlanLedger) -> bool {
        let has_step = |row| !book.remainder(self.id(row), self.step[row]).is_empty();
        let span = |rows: &[u16]| rows.iter().min().copied().zip(rows.iter().max().copied());
        (0..self.len()).all(|row| self.moving.get(row) == has_step(row))
            && self.group.chunks(64).map(span).eq(self.spans.iter().copied().map(Some))
    }

    /// Writes what a row goes by from now on, from its first step.
    fn assign(&mut self, row: usize, id: u32, book: &mut PlanLedger) {
        let before = self.ids.get(row);
        if before != id {
            book.exchange(before, id);
            self.ids.set(row, id);
        }
        self.step[row] = 0;
        self.moving.set(row, Remainder::has_steps(id));
    }

    /// Writes the answer of a row: it waits no longer.
    pub(crate) fn answer(&mut self, row: usize, id: u32, book: &mut PlanLedger) {
        self.assign(row, id, book);
        self.waiting.set(row, false);
    }

    /// A row goes by these steps from now on, of which it has done so many.
    pub(crate) fn follow(
        &mut self,
        row: usize,
        steps: &[LocalAction],
        done: u16,
        kind: &Kind,
        book: &mut PlanLedger,
    ) {
        let id = book.plans.intern(steps, kind.cost(steps));
        self.answer(row, id.0, book);
        self.skip(row, done, book);
        book.plans.release(id);
    }

    /// A row goes by the positions of the word that this number is a set of.
    pub(crate) fn follow_word(&mut self, row: usize, id: u32, done: u16, book: &mut PlanLedger) {
        self.answer(row, id, book);
        self.skip(row, done, book);
    }

    /// So many steps of what a row goes by are done.
    fn skip(&mut self, row: usize, done: u16, book: &PlanLedger) {
        self.step[row] = done;
        self.moving.set(row, !book.remainder(self.ids.get(row), done).is_empty());
    }

    /// What an action does to the row's own variables, its next one. Its private needs hold: the
    /// plan was found from this state, and whoever changes a private value makes the row wait.
    pub(crate) fn step(
        &mut self,
        row: usize,
        action: LocalAction,
        kind: &Kind,
        book: &mut PlanLedger,
    ) {
        if !self.states.all_mut().step(row, kind, action) {
            // Shared places do not count.
            self.states.read(row, kind, &mut self.state);
            kind.npc().run(action, &mut self.state);
            self.states.write(row, kind, &self.state);
        }
        let id = self.ids.get(row);
        let next = PlanLedger::after_step(id);
        if next != id {
            self.ids.set(row, next);
        }
        match self.step[row].checked_add(1) {
            Some(step) => self.skip(row, step, book),
            // More steps than can be counted: what is left becomes a plan of its own.
            None => {
                let left: Vec<LocalAction> = book.remainder(id, self.step[row]).skip(1).collect();
                self.follow(row, &left, 0, kind, book);
            }
        }
    }
}

/// Columns without their rules, for tests that scramble them.
#[cfg(test)]
pub(crate) struct Raw<'c> {
    pub(crate) goal: &'c mut [u16],
    pub(crate) group: &'c mut [u16],
    pub(crate) urgency: &'c mut [u8],
    pub(crate) step: &'c mut [u16],
    pub(crate) ids: &'c mut Ids,
    pub(crate) waiting: &'c mut Bits,
}

#[cfg(test)]
impl Columns {
    /// Works out anew what follows from columns that were scrambled.
    pub(crate) fn make_sound(&mut self, book: &PlanLedger) {
        for row in 0..self.len() {
            self.skip(row, self.step[row], book);
            self.find_span(row);
        }
    }

    pub(crate) fn raw(&mut self) -> Raw<'_> {
        let Columns { goal, group, urgency, step, ids, waiting, .. } = self;
        Raw { goal, group, urgency, step, ids, waiting }
    }
}
