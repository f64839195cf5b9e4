//! The same questions for `dogoap`.
//!
//! In:   a domain: its first type, its first goal.
//! Out:  the names of a plan's actions, each followed by `/` and which of its ways it is.
//!
//! An action that stops at an end becomes two, and one that asks for one of several words as many
//! as there are words. Costs are whole numbers, in the largest unit in which all costs of the
//! domain are.

use crate::Failure;
use dogoap::prelude::{Action, Compare, Datum, Effect, Goal, LocalState, Mutator};
use dogoap::prelude::{get_effects_from_plan, make_plan};
use throng::Domain;
use throng::VariableId;
use throng::model::{Model, ShiftEnd, ValueSet};

/// A question.
pub(crate) struct Theirs {
    start: LocalState,
    actions: Vec<Action>,
    goal: Goal,
}

/// An action in the making: what it needs, what it does.
type Half = (Vec<(String, Compare)>, Vec<Mutator>);

impl Theirs {
    pub(crate) fn new(domain: &Domain) -> Result<Theirs, Failure> {
        let model = domain.model();
        let number = |variable: VariableId, position: u16| {
            let low = model[variable].values().ends().map_or(0, |ends| ends.0);
            Datum::I64(low + i64::from(position))
        };
        let name = |variable: VariableId| model[variable].name().to_string();
        let mut start = LocalState::new();
        for fact in model.npcs()[0].starts() {
            let value = number(fact.variable, fact.value.index() as u16);
            start = start.with_datum(&name(fact.variable), value);
        }
        let unit = model.actions().iter().map(|action| action.cost().0).fold(0, gcd).max(1);
        let mut actions = Vec::new();
        for action in model.actions() {
            let mut halves: Vec<Half> = vec![Default::default()];
            for fact in action.requires() {
                let is = Compare::Equals(number(fact.variable, fact.value.index() as u16));
                halves.iter_mut().for_each(|it| it.0.push((name(fact.variable), is.clone())));
            }
            for fact in action.sets() {
                let to = number(fact.variable, fact.value.index() as u16);
                halves.iter_mut().for_each(|it| it.1.push(Mutator::Set(name(fact.variable), to)));
            }
            for range in action.ranges() {
                let parts = compares(model, range.variable, &range.values);
                halves = product(&halves, &parts, |half, part| {
                    half.0.extend(part.iter().map(|it| (name(range.variable), it.clone())));
                });
            }
            for shift in action.shifts() {
                let n = model[shift.variable].values().len() as i64;
                let by = i64::from(shift.by.by);
                let add = match by < 0 {
                    true => Mutator::Decrement(name(shift.variable), Datum::I64(-by)),
                    false => Mutator::Increment(name(shift.variable), Datum::I64(by)),
                };
                let ShiftEnd::Stop(stop) = shift.by.end else {
                    halves.iter_mut().for_each(|it| it.1.push(add.clone()));
                    continue;
                };
                // Before the end it adds, near the end it stops there.
                let (rises, stop) = (by > 0, i64::from(stop));
                let runs = match rises {
                    true => [(0, stop - by), ((stop - by + 1).max(0), stop)],
                    false => [(stop - by, n - 1), (stop, (stop - by - 1).min(n - 1))],
                };
                let set = Mutator::Set(name(shift.variable), number(shift.variable, stop as u16));
                let ways: Vec<_> = runs.into_iter().zip([add, set]).collect();
                let ways: Vec<_> = ways.into_iter().filter(|((from, to), _)| from <= to).collect();
                halves = product(&halves, &ways, |half, ((from, to), mutator)| {
                    let set = ValueSet::run(*from as u16, *to as u16);
                    let compares = compares(model, shift.variable, &set);
                    let compares = compares.into_iter().flatten();
                    half.0.extend(compares.map(|it| (name(shift.variable), it)));
                    half.1.push(mutator.clone());
                });
            }
            for (at, (needs, mutators)) in halves.into_iter().enumerate() {
                let key = format!("{}/{at}", action.name());
                let effect = Effect {
                    action: key.clone(),
                    mutators,
                    state: LocalState::new(),
                    cost: (action.cost().0 / unit) as usize,
                };
                let made = Action { key, preconditions: needs, effects: vec![effect] };
                actions.push(made);
            }
        }
        let wanted = &model.goals()[0];
        let mut goal = Goal::new();
        for fact in wanted.wants() {
            let is = Compare::Equals(number(fact.variable, fact.value.index() as u16));
            goal = goal.with_req(&name(fact.variable), is);
        }
        for range in wanted.ranges() {
            let parts = compares(model, range.variable, &range.values);
            let [part] = &parts[..] else { return Err("a goal that dogoap cannot say".into()) };
            let [only] = &part[..] else { return Err("a goal that dogoap cannot say".into()) };
            goal = goal.with_req(&name(range.variable), only.clone());
        }
        Ok(Theirs { start, actions, goal })
    }

    pub(crate) fn plan(&self) -> Option<Vec<String>> {
        let (nodes, _) = make_plan(&self.start, &self.actions, &self.goal)?;
        Some(get_effects_from_plan(nodes).into_iter().map(|effect| effect.action).collect())
    }
}

/// A set of values as comparisons, all of which must hold; several where any of them will do.
fn compares(model: &Model, variable: VariableId, set: &ValueSet) -> Vec<Vec<Compare>> {
    let values = model[variable].values();
    let (low, last) = (values.ends().map_or(0, |ends| ends.0), values.len() - 1);
    let number = |position: u16| Datum::I64(low + i64::from(position));
    let of_run = |&(from, to): &(u16, u16)| {
        let mut all = Vec::new();
        if from > 0 {
            all.push(Compare::GreaterThanEquals(number(from)));
        }
        if usize::from(to) < last {
            all.push(Compare::LessThanEquals(number(to)));
        }
        all
    };
    set.runs().iter().map(of_run).collect()
}

/// Every half with every part.
fn product<P>(halves: &[Half], parts: &[P], mut add: impl FnMut(&mut Half, &P)) -> Vec<Half> {
    let mut all = Vec::new();
    for half in halves {
        for part in parts {
            let mut one = half.clone();
            add(&mut one, part);
            all.push(one);
        }
    }
    all
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
