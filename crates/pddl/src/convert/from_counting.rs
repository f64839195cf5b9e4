//! An NPC's problem as a task that counts.
//!
//! In:   a compiled domain with amounts and a problem, or one for each alternative of a goal.
//! Out:  the same task: amounts are numbers, words are variables.
//! Cost: linear in the NPC type's tables.
//!
//! What an amount needs so as not to leave its range is a condition. A shift that stops at an end
//! is two changes, one for each side of the place where it begins to stop. A number always has a
//! value: an amount that is unknown at the start has a word beside it, `hp_known`, which every
//! condition on it asks for and every action that sets it makes true.

use super::from_domain::{add_outside, has_metric, outside_facts, set_goal, variable_names};
use super::written_out::add_lost;
use crate::counted::{
    CountedChange, CountedTask, Known, Number, NumberChange, NumberRun, NumberTest,
};
use crate::named::VariableNames;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalShift, LocalVariable, PackedValue, SourceMap,
    UNKNOWN,
};
use throng_domain::model::Range;
use throng_domain::{NpcTables, ShiftEnd, ValueSet};
use throng_planner::forward::Atom;
use throng_planner::{Mode, Problem};

/// The value of a word beside an amount that is known, and of one that is not.
const KNOWN: [PackedValue; 2] = [1, 0];

/// Whether problems take numbers: an action that is there counts, or a set of values is wanted.
pub fn has_numbers(domain: &CompiledDomain, problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.counts(problem.kind(domain)))
}

/// Makes problems that differ in their goals alone one task that counts: a plan that reaches one
/// of the goals reaches the goal called `name`. Without a problem the task is empty.
pub fn counted_from_alternatives(
    domain: &CompiledDomain,
    problems: &[Problem],
    name: &str,
) -> CountedTask {
    let Some(problem) = problems.first() else { return CountedTask::default() };
    let (map, npc) = (domain.map(), problem.kind(domain));
    let mut maker = Maker {
        npc,
        map,
        task: CountedTask::default(),
        tests: Known::new(),
        places: Vec::with_capacity(npc.variables().len()),
    };
    for (variable, &value) in npc.local_variables().zip(problem.start()) {
        maker.add_variable(variable, value);
    }
    let outside = add_outside(&mut maker.task.named, map, problems);
    let mut wanted = Vec::with_capacity(problems.len());
    for problem in problems {
        let mut all = Vec::new();
        problem.goal().iter().for_each(|&fact| maker.ask_fact(fact, &mut all));
        all.extend(outside_facts(problem, &outside));
        for range in problem.goal_ranges() {
            maker.ask_set(range.variable, &range.values, &mut all);
        }
        all.extend(add_lost(&mut maker.task.named, map, problem));
        wanted.push(all);
    }
    set_goal(&mut maker.task.named, wanted, name, 1);
    for action in npc.local_actions().filter(|&action| problem.enabled().has(action)) {
        maker.add_operator(problem, action);
    }
    maker.task.named.has_metric = has_metric(&maker.task.named);
    maker.task
}

/// What a variable of the type is in the task.
#[derive(Clone, Copy)]
enum Place {
    /// A variable.
    Word(u32),
    /// A number, of a range that begins so low; and the word that says whether it is known, if it
    /// is not at the start.
    Number(u32, i64, Option<u32>),
}

struct Maker<'d> {
    npc: &'d NpcTables,
    map: &'d SourceMap,
    task: CountedTask,
    tests: Known,
    places: Vec<Place>,
}

impl Maker<'_> {
    fn add_variable(&mut self, variable: LocalVariable, value: PackedValue) {
        let id = self.npc.variables()[variable.index()];
        let named = &mut self.task.named;
        let Some((low, _)) = self.map.amount(id) else {
            let n_values = self.npc.n_values(variable) as u32;
            let at = match value {
                UNKNOWN => named.task.add_variable(n_values + 1, n_values as PackedValue),
                _ => named.task.add_variable(n_values.max(1), value),
            };
            named.variables.push(variable_names(self.map, id, value != UNKNOWN));
            return self.places.push(Place::Word(at));
        };
        let name = self.map.variable(id);
        let is_known = (value == UNKNOWN).then(|| {
            let name = format!("{name}_known");
            let values = ["no", "yes"].map(|value| format!("Atom {name}({value})")).to_vec();
            named.variables.push(VariableNames { name, values });
            named.task.add_variable(2, KNOWN[1])
        });
        let start = if value == UNKNOWN { low } else { low + i64::from(value) };
        self.places.push(Place::Number(self.task.numbers.len() as u32, low, is_known));
        self.task.numbers.push(Number { name: name.to_owned(), start });
    }

    /// Adds that a number is known, if that is a question.
    fn ask_known(&self, variable: LocalVariable, into: &mut Vec<Atom>) {
        if let Place::Number(_, _, Some(variable)) = self.places[variable.index()] {
            let atom = Atom { variable, value: KNOWN[0] };
            if !into.contains(&atom) {
                into.push(atom);
            }
        }
    }

    fn ask_fact(&mut self, fact: LocalFact, into: &mut Vec<Atom>) {
        match self.places[fact.variable.index()] {
            Place::Word(variable) => into.push(Atom { variable, value: fact.value }),
            Place::Number(..) => self.ask_set(fact.variable, &ValueSet::one(fact.value), into),
        }
    }

    fn ask_set(&mut self, variable: LocalVariable, values: &ValueSet, into: &mut Vec<Atom>) {
        let id = self.npc.variables()[variable.index()];
        let test = match self.places[variable.index()] {
            Place::Word(word) => NumberTest::Words(word, values.values().collect()),
            Place::Number(number, low, _) => {
                self.ask_known(variable, into);
                let top = (self.npc.n_values(variable) - 1) as PackedValue;
                let number_of = |at: PackedValue| low + i64::from(at);
                let runs = values.runs().iter().map(|&(first, last)| NumberRun {
                    first: (first > 0).then(|| number_of(first)),
                    last: (last < top).then(|| number_of(last)),
                });
                let runs: Vec<NumberRun> = runs.collect();
                if runs == [NumberRun { first: None, last: None }] {
                    return;
                }
                NumberTest::In(number, runs)
            }
        };
        let name = self.map.range(Range { variable: id, values: *values });
        into.push(self.task.test(&mut self.tests, test, &name));
    }

    fn add_operator(&mut self, problem: &Problem, action: LocalAction) {
        let (npc, map) = (self.npc, self.map);
        let mut needs = Vec::new();
        npc.needs(action).iter().for_each(|&fact| self.ask_fact(fact, &mut needs));
        for range in npc.ranges(action) {
            self.ask_set(range.variable, &range.values, &mut needs);
        }
        for it in npc.comparisons(action) {
            let places = [it.variable, it.other].map(|variable| self.places[variable.index()]);
            let [Place::Number(number, ..), Place::Number(other, ..)] = places else { continue };
            [it.variable, it.other].into_iter().for_each(|of| self.ask_known(of, &mut needs));
            let test = NumberTest::Compare(number, it.comparison.relation, other);
            let name = map.comparison(it.comparison);
            needs.push(self.task.test(&mut self.tests, test, &name));
        }
        let (mut sets, mut changes) = (Vec::new(), Vec::new());
        for &LocalFact { variable, value } in npc.sets(action) {
            match self.places[variable.index()] {
                Place::Word(variable) => sets.push(Atom { variable, value }),
                Place::Number(number, low, is_known) => {
                    let what = NumberChange::Set(low + i64::from(value));
                    changes.push(CountedChange { when: vec![Vec::new()], number, what });
                    sets.extend(is_known.map(|variable| Atom { variable, value: KNOWN[0] }));
                }
            }
        }
        for shift in npc.shifts(action) {
            self.ask_known(shift.variable, &mut needs);
            self.add_shift(*shift, &mut changes);
        }
        let name = map.action(npc.actions()[action.index()]);
        self.task.named.operators.push(&name.replace('(', " ").replace(')', ""));
        let cost = problem.step_cost(npc, Mode::Cheapest, action);
        self.task.named.task.add_operator(needs.into_iter(), sets.into_iter(), cost);
        self.task.changes.push(changes);
    }

    fn add_shift(&mut self, shift: LocalShift, changes: &mut Vec<CountedChange>) {
        let LocalShift { variable, by } = shift;
        let Place::Number(number, low, _) = self.places[variable.index()] else { return };
        let mut change = |when: Vec<Atom>, what| {
            changes.push(CountedChange { when: vec![when], number, what });
        };
        let ShiftEnd::Stop(stop) = by.end else {
            return change(Vec::new(), NumberChange::Add(by.by.into()));
        };
        let n_values = self.npc.n_values(variable) as PackedValue;
        let all = ValueSet::all(n_values);
        // Values that move by all of it, and those that move to the stop.
        let moves = |value: &PackedValue| by.apply(*value, n_values);
        let full = |value: &PackedValue| {
            moves(value).is_some_and(|to| i32::from(to) == i32::from(*value) + by.by)
        };
        let part = |value: &PackedValue| !full(value) && moves(value) != Some(*value);
        let [full, part] =
            [ValueSet::of(all.values().filter(full)), ValueSet::of(all.values().filter(part))];
        for (set, what) in [
            (full, NumberChange::Add(by.by.into())),
            (part, NumberChange::Set(low + i64::from(stop))),
        ] {
            let Some(set) = set.filter(|set| !set.is_empty()) else { continue };
            let mut when = Vec::new();
            self.ask_set(variable, &set, &mut when);
            // What is needed anyway is no condition of the change.
            when.retain(|atom| self.task.tests.contains_key(&atom.variable));
            change(when, what);
        }
    }
}
