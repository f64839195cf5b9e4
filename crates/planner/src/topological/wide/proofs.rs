//! Why a word got stuck: which failures prove that there is no plan.
//!
//! In:   the fields of a type.
//! Out:  tables to look at when a word did not end at its goal: needs that nothing can serve, and
//!       loops of which more than one value is asked for.
//! Cost: at load only; the tables are read for failures alone.
//!
//! The reasons are those of `closure.rs` and of `Closure::one_request_per_loop`: they hold for
//! every planner, and under every mask, since fewer actions never help.

use super::fields::Fields;

/// A value that actions need during themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) variable: usize,
    /// Who needs it.
    pub(super) any: u64,
    /// The bit of the action that sets it; none if no action does.
    pub(super) setter: u64,
    /// The starts from which it is a way off, as a set of values.
    pub(super) starts: u64,
    /// Those of them that have it on their loop: the goal's path is part of the loop, so an action
    /// would be needed twice.
    pub(super) on_loop: u64,
}

/// Values of which two may be needed at different times, round a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Contest {
    pub(super) variable: usize,
    /// Whether this is for words whose goal leaves the variable open.
    pub(super) is_open: bool,
    /// The starts for which it matters, as a set of values.
    pub(super) starts: u64,
    /// For each value, who needs it.
    pub(super) requesters: Vec<u64>,
}

/// What to look at in words that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Proofs {
    pub(super) requests: Vec<Request>,
    pub(super) contests: Vec<Contest>,
}

impl Proofs {
    pub(super) fn new(fields: &Fields) -> Proofs {
        let mut proofs = Proofs { requests: Vec::new(), contests: Vec::new() };
        for variable in 0..fields.variables.len() {
            proofs.add_requests(fields, variable);
            proofs.add_contests(fields, variable);
        }
        proofs
    }

    fn add_requests(&mut self, fields: &Fields, variable: usize) {
        let field = &fields.variables[variable];
        for value in 0..usize::from(field.size) {
            let any = field.requesters[value];
            if any == 0 {
                continue;
            }
            let setter = field.setters[value].map_or(0, |setter| fields.action(setter));
            let mut request = Request { variable, any, setter, starts: 0, on_loop: 0 };
            for start in (0..usize::from(field.size)).filter(|&start| start != value) {
                request.starts |= 1 << start;
                request.on_loop |= u64::from(field.loops[start] & setter != 0) << start;
            }
            self.requests.push(request);
        }
    }

    fn add_contests(&mut self, fields: &Fields, variable: usize) {
        let field = &fields.variables[variable];
        let values = || 0..usize::from(field.size);
        let requesters = |values: u64| -> Vec<u64> {
            let asked = field.requesters.iter().enumerate();
            let asked = asked.filter(|(value, any)| values >> value & 1 == 1 && **any != 0);
            asked.map(|(_, any)| *any).collect()
        };
        let mut on_loops = 0u64;
        for first in values().filter(|&value| field.loops[value] != 0) {
            if on_loops >> first & 1 == 1 {
                continue;
            }
            let same = values().filter(|&value| field.loops[value] == field.loops[first]);
            let starts = same.fold(0u64, |all, value| all | 1 << value);
            on_loops |= starts;
            self.add_contest(Contest {
                variable,
                is_open: false,
                starts,
                requesters: requesters(starts),
            });
        }
        let requesters = requesters(u64::MAX);
        self.add_contest(Contest { variable, is_open: true, starts: on_loops, requesters });
    }

    fn add_contest(&mut self, contest: Contest) {
        if contest.starts != 0 && contest.requesters.len() >= 2 {
            self.contests.push(contest);
        }
    }
}
