//! Judges statements and questions by trying everything.

use super::meaning::mention;
use super::{Formula, State, Stated, Statement};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What is to be said of a statement.
pub struct Judgement {
    /// Whether it can be done in some state.
    pub possible: bool,
    /// For each change, whether it finds its value already wherever the statement can be done.
    pub idle: Vec<bool>,
}

impl Stated {
    /// Tries a statement in every state with every value of its parameters.
    pub fn judge(&self, statement: &Statement) -> Judgement {
        let mut judgement =
            Judgement { possible: false, idle: vec![true; statement.changes.len()] };
        let all = self.arguments(statement);
        for state in self.states() {
            for next in all.iter().filter_map(|given| self.after(statement, given, &state)) {
                judgement.possible = true;
                for (idle, change) in judgement.idle.iter_mut().zip(&statement.changes) {
                    *idle &= state[change.variable] == next[change.variable];
                }
            }
        }
        judgement
    }

    /// Whether the conditions hold in some state.
    pub fn is_somewhere(&self, conditions: &[Formula]) -> bool {
        let mut spoken = Vec::new();
        conditions.iter().for_each(|formula| mention(formula, &mut spoken));
        self.some_state(&spoken, |state| self.all_hold(conditions, &[], state))
    }

    /// Whether a statement can be done in some state.
    pub fn is_possible(&self, statement: &Statement) -> bool {
        let mut spoken: Vec<usize> = statement.changes.iter().map(|it| it.variable).collect();
        statement.conditions.iter().for_each(|formula| mention(formula, &mut spoken));
        let all = self.arguments(statement);
        let can = |state: &State| all.iter().any(|it| self.after(statement, it, state).is_some());
        self.some_state(&spoken, can)
    }

    /// Whether a state will do in which only these variables are known, or not even they.
    fn some_state(&self, spoken: &[usize], mut will_do: impl FnMut(&State) -> bool) -> bool {
        let mut state: State = vec![None; self.variables.len()];
        loop {
            if will_do(&state) {
                return true;
            }
            // The next one: the first that is not at its end goes on, those before begin again.
            let at_end = |at: usize, state: &State| {
                state[at].is_some_and(|value| value + 1 == self.variables[at].values.len())
            };
            let Some(on) = spoken.iter().position(|&at| !at_end(at, &state)) else { return false };
            spoken[..on].iter().for_each(|&at| state[at] = None);
            state[spoken[on]] = Some(state[spoken[on]].map_or(0, |value| value + 1));
        }
    }

    /// Leaves only the statements and goals that are possible somewhere.
    pub fn keep_possible(&mut self) {
        let keep: Vec<bool> =
            self.statements.iter().map(|statement| self.is_possible(statement)).collect();
        self.keep(&keep);
        let goals = std::mem::take(&mut self.goals);
        self.goals = goals.into_iter().filter(|goal| self.is_somewhere(goal)).collect();
    }

    /// Leaves only these statements.
    pub fn keep(&mut self, keep: &[bool]) {
        let place = |at: usize| keep[at].then(|| keep[..at].iter().filter(|kept| **kept).count());
        for statement in &mut self.statements {
            statement.overrides = statement.overrides.and_then(place);
        }
        for folk in &mut self.folk {
            folk.can = folk.can.iter().filter_map(|&at| place(at)).collect();
        }
        let placed = |&(a, b): &(usize, usize)| Some((place(a)?, place(b)?));
        self.preferences = self.preferences.iter().filter_map(placed).collect();
        let mut kept = keep.iter();
        self.statements.retain(|_| kept.next() == Some(&true));
    }
}

/// Which state leads to which, at what cost, while the checks answer the same.
pub struct Ways<'s> {
    stated: &'s Stated,
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    steps: Vec<Vec<(usize, u64)>>,
}

impl<'s> Ways<'s> {
    /// Tries everything that is there in every state.
    pub fn of(stated: &'s Stated, answers: &[bool]) -> Self {
        let states = stated.states();
        let numbers = states.iter().cloned().zip(0..).collect();
        let mut ways = Ways { stated, numbers, steps: vec![Vec::new(); states.len()], states };
        let (there, has_compound) = stated.there(answers);
        for (statement, _) in stated.statements.iter().zip(there).filter(|(_, there)| *there) {
            let all = stated.arguments(statement);
            ways.add(statement.price(), |state| {
                all.iter().filter_map(|given| stated.after(statement, given, state)).collect()
            });
        }
        if let Some(compound) = stated.compound.as_ref().filter(|_| has_compound) {
            ways.add(stated.cost_of(&compound.parts), |state| {
                stated.after_deed(&compound.parts, state).into_iter().collect()
            });
        }
        ways
    }

    fn add(&mut self, cost: u64, after: impl Fn(&State) -> Vec<State>) {
        for (at, state) in self.states.iter().enumerate() {
            let next = after(state);
            self.steps[at].extend(next.iter().map(|state| (self.numbers[state], cost)));
        }
    }

    /// The least cost from a state to one in which the conditions hold; `None` if no way leads
    /// there.
    pub fn cheapest(&self, start: &State, goal: &[Formula]) -> Option<u64> {
        let mut costs: Vec<Option<u64>> = vec![None; self.states.len()];
        let mut open = BinaryHeap::from([Reverse((0, self.numbers[start]))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if costs[at].is_some() {
                continue;
            }
            costs[at] = Some(cost);
            if self.stated.all_hold(goal, &[], &self.states[at]) {
                return Some(cost);
            }
            let steps = self.steps[at].iter().filter(|(next, _)| costs[*next].is_none());
            open.extend(steps.map(|(next, step)| Reverse((cost + step, *next))));
        }
        None
    }
}
