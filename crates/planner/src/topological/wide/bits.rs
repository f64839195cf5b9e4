//! The rule machine on rows of bits: a thousand NPCs side by side, one bit each.
//!
//! In:   the rows of the states; of goals and of actions that are there if these differ.
//! Out:  a row for each position of the word, and two rows of status.
//! Cost: per rule a handful of operations on whole rows, a few hundred NPCs per instruction. No
//!       branch depends on an NPC; blocks in which no NPC fails skip the proofs.
//!
//! The same three passes as in `machine`, which is the plain twin.

use super::Wide;
use super::block::{EMPTY, FULL, Fired, Row, Rows, Simd};
use super::fields::Fields;
use super::goal::GoalWord;
use super::program::{BEGIN, Condition, ENABLED, GOAL, Lists, Program, Span};
use throng_base::ones;

/// The table of a block, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) rows: Box<Rows>,
    pub(super) fired: Box<Fired>,
    /// NPCs with a value or a goal that is unknown.
    pub(super) unknown: Row,
    /// Status: no plan; and of these, nothing proved.
    pub(super) failed: Row,
    pub(super) undecided: Row,
}

impl Default for Table {
    fn default() -> Self {
        Table {
            rows: Box::new([EMPTY; super::program::ROWS]),
            fired: Box::new([EMPTY; 32]),
            unknown: EMPTY,
            failed: EMPTY,
            undecided: EMPTY,
        }
    }
}

/// Which actions are there.
#[derive(Clone, Copy, Debug)]
pub(super) enum EnabledActions {
    /// These, for all NPCs: bits of the machine word.
    Same(u64),
    /// As the rows from [`ENABLED`] on say.
    Rows,
}

/// Row operations with the rows they work on.
#[derive(Clone, Copy)]
pub(super) struct On<'l, S> {
    pub(super) simd: S,
    pub(super) lists: &'l Lists,
}

impl<S: Simd> On<'_, S> {
    /// The NPCs for which a condition holds, out of `of`.
    #[inline(always)]
    pub(super) fn holds(self, rows: &Rows, condition: Condition, of: S::V) -> S::V {
        let mut all = of;
        for &row in self.lists.rows(condition.set) {
            all = self.simd.and(all, self.simd.load(&rows[usize::from(row)]));
        }
        for &row in self.lists.rows(condition.unset) {
            all = self.simd.without(all, self.simd.load(&rows[usize::from(row)]));
        }
        all
    }

    /// The NPCs for which one of the conditions holds, out of `of`.
    #[inline(always)]
    pub(super) fn any_of(self, rows: &Rows, conditions: &[Condition], of: S::V) -> S::V {
        let mut any = self.simd.load(&EMPTY);
        for &condition in conditions {
            any = self.simd.or(any, self.holds(rows, condition, of));
        }
        any
    }

    /// The NPCs for which one of the rows is set.
    #[inline(always)]
    pub(super) fn any(self, rows: &Rows, span: Span) -> S::V {
        let mut any = self.simd.load(&EMPTY);
        for &row in self.lists.rows(span) {
            any = self.simd.or(any, self.simd.load(&rows[usize::from(row)]));
        }
        any
    }
}

impl Table {
    /// Plans for the block. The rows of the states are there; those of goals and enabled actions
    /// too where they differ between NPCs. `goal` is the goal of all, if they have the same.
    #[inline(always)]
    pub(super) fn plan<S: Simd>(
        &mut self,
        simd: S,
        wide: &Wide,
        program: &Program,
        goal: Option<&GoalWord>,
        enabled: EnabledActions,
    ) {
        let (fields, failures) = (&wide.machine.fields, &wide.failures);
        let on = On { simd, lists: &program.lists };
        self.begin(on, program);
        self.close(on, program);
        let missing = self.missing(on, fields, program, enabled);
        self.order(on, program);
        let mut failed = simd.or(missing, simd.load(&self.unknown));
        failed = simd.or(failed, self.not_at_the_end(on, program));
        simd.store(&mut self.failed, failed);
        if simd.is_empty(failed) {
            self.undecided = EMPTY;
            return;
        }
        if let Some(goal) = goal {
            self.write_goal(fields, goal);
        }
        self.undo(on, program);
        let open = failures.undecided(simd, &self.rows);
        let undecided = simd.without(simd.and(failed, open), missing);
        simd.store(&mut self.undecided, simd.or(undecided, simd.load(&self.unknown)));
        for position in &program.order {
            let row = &mut self.fired[usize::from(position.position)];
            simd.store(row, simd.without(simd.load(row), failed));
        }
    }

    /// What carries each variable to its goal value is to be done.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, on: On<'_, S>, program: &Program) {
        for init in &program.inits {
            let all = on.any_of(&self.rows, &init.conditions, on.simd.load(&FULL));
            on.simd.store(&mut self.rows[usize::from(init.row)], all);
        }
    }

    #[inline(always)]
    fn close<S: Simd>(&mut self, on: On<'_, S>, program: &Program) {
        for segment in program.closing.chunk_by(|a, b| a.segment == b.segment) {
            loop {
                let mut fired = on.simd.load(&EMPTY);
                for rule in segment {
                    let asked = on.any(&self.rows, rule.any);
                    let fires = on.holds(&self.rows, rule.condition, asked);
                    for &row in on.lists.rows(rule.set) {
                        let row = &mut self.rows[usize::from(row)];
                        on.simd.store(row, on.simd.or(on.simd.load(row), fires));
                    }
                    fired = on.simd.or(fired, fires);
                }
                if !segment[0].repeats || on.simd.is_empty(fired) {
                    break;
                }
            }
        }
    }

    /// The NPCs who need an action that is not there.
    #[inline(always)]
    fn missing<S: Simd>(
        &self,
        on: On<'_, S>,
        fields: &Fields,
        program: &Program,
        enabled: EnabledActions,
    ) -> S::V {
        let mut missing = on.simd.load(&EMPTY);
        match enabled {
            EnabledActions::Same(enabled) => {
                for row in ones(program.can_need & !enabled) {
                    missing = on.simd.or(missing, on.simd.load(&self.rows[row]));
                }
            }
            EnabledActions::Rows => {
                for init in &program.inits {
                    let action = u32::from(init.row) - fields.n_state_bits();
                    let needed = on.simd.load(&self.rows[usize::from(init.row)]);
                    let enabled = on.simd.load(&self.rows[(ENABLED + action) as usize]);
                    missing = on.simd.or(missing, on.simd.without(needed, enabled));
                }
            }
        }
        missing
    }

    #[inline(always)]
    fn order<S: Simd>(&mut self, on: On<'_, S>, program: &Program) {
        for position in &program.order {
            let fires = on.holds(&self.rows, position.condition, on.simd.load(&FULL));
            for &row in on.lists.rows(position.flip) {
                let row = &mut self.rows[usize::from(row)];
                on.simd.store(row, on.simd.xor(on.simd.load(row), fires));
            }
            on.simd.store(&mut self.fired[usize::from(position.position)], fires);
        }
    }

    /// The NPCs who have something left to do, or did not come to their goal.
    #[inline(always)]
    fn not_at_the_end<S: Simd>(&self, on: On<'_, S>, program: &Program) -> S::V {
        let mut not = on.any(&self.rows, program.end.unset);
        for &row in on.lists.rows(program.end.set) {
            let row = on.simd.load(&self.rows[usize::from(row)]);
            not = on.simd.or(not, on.simd.without(on.simd.load(&FULL), row));
        }
        for bit in &program.end_bits {
            let row = on.simd.load(&self.rows[usize::from(bit.row)]);
            let mut differs = on.simd.xor(row, on.simd.load(&self.rows[usize::from(bit.goal_row)]));
            if let Some(open) = bit.open_row {
                differs = on.simd.without(differs, on.simd.load(&self.rows[usize::from(open)]));
            }
            not = on.simd.or(not, differs);
        }
        not
    }

    /// The same goal for all, as rows: only proofs look at them.
    fn write_goal(&mut self, fields: &Fields, goal: &GoalWord) {
        for row in 0..fields.n_state_bits() {
            let is_set = goal.see >> row & 1 == 1;
            self.rows[(GOAL + row) as usize] = if is_set { FULL } else { EMPTY };
        }
        for variable in 0..fields.variables.len() {
            let row = fields.open_row(variable);
            let is_set = goal.open >> row & 1 == 1;
            self.rows[row as usize] = if is_set { FULL } else { EMPTY };
        }
    }

    /// Writes what the rows were before anything ran: every flip undone where it fired.
    #[inline(always)]
    fn undo<S: Simd>(&mut self, on: On<'_, S>, program: &Program) {
        self.rows.copy_within(0..64, BEGIN as usize);
        for position in &program.order {
            let fired = on.simd.load(&self.fired[usize::from(position.position)]);
            for &row in on.lists.rows(position.flip) {
                let row = &mut self.rows[BEGIN as usize + usize::from(row)];
                on.simd.store(row, on.simd.xor(on.simd.load(row), fired));
            }
        }
    }
}
