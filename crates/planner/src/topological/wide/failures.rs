//! The proofs as conditions on rows: who failed for good, and who is left to the exact planner.
//!
//! In:   the rows of a block, at the end and before anything ran.
//! Out:  the NPCs whose failure proves nothing.
//! Cost: per needed value and per loop a few operations on rows, only in blocks where somebody
//!       failed.
//!
//! The plain twin is `Machine::judge`.

use super::bits::On;
use super::block::{EMPTY, FULL, Rows, Simd};
use super::covers::cover;
use super::fields::{Fields, low_bits};
use super::machine::Machine;
use super::program::{BEGIN, Condition, GOAL, Lists, Span, cubes, placed, relation};

/// A need, as rows.
#[derive(Clone, Debug)]
struct Request {
    any: Span,
    setter: Span,
    /// Where the goal leaves the variable open, and where not: nothing can serve it.
    never: Vec<Condition>,
    /// An action would be needed twice.
    twice: Vec<Condition>,
}

/// A contest, as rows.
#[derive(Clone, Debug)]
struct Contest {
    requesters: Vec<Span>,
    starts: Vec<Condition>,
}

/// What to look at where NPCs failed.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    lists: Lists,
    /// The goal value cannot be had.
    no_way: Vec<Condition>,
    requests: Vec<Request>,
    /// Something could still run.
    goes_on: Vec<Condition>,
    contests: Vec<Contest>,
}

impl Failures {
    pub(super) fn new(machine: &Machine) -> Failures {
        let mut failures = Failures::default();
        let fields = &machine.fields;
        for (variable, field) in fields.variables.iter().enumerate() {
            let all = low_bits(field.size.into());
            let pairs =
                relation(field.size, all, |from, to| fields.chain(variable, from, to).is_none());
            for (state, goal) in cubes(&pairs, field.size, all, field.width) {
                let (state, goal) = (placed(state, field.shift), placed(goal, field.shift));
                let open = (0, fields.open(variable), 0);
                let parts = [(BEGIN, state.0, state.1), (GOAL, goal.0, goal.1), open];
                failures.no_way.push(failures.lists.condition(&parts));
            }
        }
        for request in &machine.proofs.requests {
            let (variable, starts) = (request.variable, request.starts);
            let mut never = failures.starts(fields, variable, starts, true);
            never.extend(failures.starts(fields, variable, starts & !request.on_loop, false));
            let twice = failures.starts(fields, variable, request.on_loop, false);
            let any = failures.lists.add_bits(BEGIN, request.any);
            let setter = failures.lists.add_bits(BEGIN, request.setter);
            failures.requests.push(Request { any, setter, never, twice });
        }
        for rule in &machine.order {
            failures.goes_on.push(failures.lists.condition(&[(0, rule.care, rule.want)]));
        }
        for contest in &machine.proofs.contests {
            let starts = failures.starts(fields, contest.variable, contest.starts, contest.is_open);
            let requesters = contest.requesters.iter();
            let requesters = requesters.map(|&any| failures.lists.add_bits(BEGIN, any)).collect();
            failures.contests.push(Contest { requesters, starts });
        }
        failures
    }

    /// A set of starts of a variable that the goal leaves open, or does not.
    fn starts(&mut self, fields: &Fields, variable: usize, set: u64, open: bool) -> Vec<Condition> {
        let field = &fields.variables[variable];
        let mut conditions = Vec::new();
        for cube in cover(set, low_bits(field.size.into()), field.width) {
            let (care, want) = placed(cube, field.shift);
            let bit = fields.open(variable);
            let parts = [(BEGIN, care, want), (0, bit, if open { bit } else { 0 })];
            conditions.push(self.lists.condition(&parts));
        }
        conditions
    }

    /// The NPCs whose failure, if they failed, proves nothing.
    #[inline(always)]
    pub(super) fn undecided<S: Simd>(&self, simd: S, rows: &Rows) -> S::V {
        let on = On { simd, lists: &self.lists };
        let mut proved = on.any_of(rows, &self.no_way, simd.load(&FULL));
        let mut open = on.any_of(rows, &self.goes_on, simd.load(&FULL));
        for request in &self.requests {
            let is_set = on.any(rows, request.setter);
            let asked = simd.without(on.any(rows, request.any), is_set);
            proved = simd.or(proved, on.any_of(rows, &request.never, asked));
            open = simd.or(open, on.any_of(rows, &request.twice, asked));
        }
        for contest in &self.contests {
            let (mut one, mut two) = (simd.load(&EMPTY), simd.load(&EMPTY));
            for &requesters in &contest.requesters {
                let asked = on.any(rows, requesters);
                two = simd.or(two, simd.and(one, asked));
                one = simd.or(one, asked);
            }
            open = simd.or(open, on.any_of(rows, &contest.starts, two));
        }
        simd.without(open, proved)
    }
}
