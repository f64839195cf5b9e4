//! A question that can be changed by hand, answered by trying everything: the oracle of
//! explanations.
//!
//! In:   a model and a question in present names.
//! Out:  plain numbers that a test may change, the least price of a plan, all plans without circles.
//! Cost: every reachable state, or every way without circles; for small domains only.
//!
//! Works on the model alone and knows neither planners nor variations of compiled domains. Amounts
//! are numbers here: conditions on them are compared, and shifts added up, in the designer's own
//! numbers, by code that nobody else uses.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use throng_check::{CheckContext, Question, Wanted};
use throng_domain::model::{Comparison, Range, Shift};
use throng_domain::{Model, Relation, ShiftEnd};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silent {
    /// The question has a name that the model does not know.
    UnknownName(String),
    /// More states than allowed can be reached.
    TooManyStates,
}

throng_base::error! { Silent {
    Self::UnknownName(name) => "unknown name `{name}`";
    Self::TooManyStates => "more states than allowed";
} }

/// The value of every variable; `None` is unknown.
pub type State = Vec<Option<usize>>;
/// A variable and one of its values.
pub type Pair = (usize, usize);
/// A variable, and runs of numbers one of which its value must be in; of words, their positions.
pub type Within = (usize, Vec<(i64, i64)>);
/// A variable, how it must stand to another, and that one.
pub type Compared = (usize, Relation, usize);

/// How an amount moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The variable.
    pub variable: usize,
    /// By how much.
    pub by: i64,
    /// The number beyond which it does not go; without it, it must not leave the range.
    pub stop: Option<i64>,
}

/// An action in numbers.
#[derive(Clone, Debug)]
pub struct Deed {
    /// What must hold.
    pub needs: Vec<Pair>,
    /// What must hold of amounts, and of words of which several will do.
    pub within: Vec<Within>,
    /// What must stand to what.
    pub compared: Vec<Compared>,
    /// What it sets.
    pub sets: Vec<Pair>,
    /// What it moves.
    pub moves: Vec<Move>,
    /// Which checks it asks for, and the answers.
    pub checks: Vec<(usize, bool)>,
    /// The same for each of its kinds, one of which must be possible if there are any.
    pub kinds: Vec<Vec<(usize, bool)>>,
    /// The actions it overrides.
    pub overrides: Vec<usize>,
    /// Its price in thousandths.
    pub cost: u64,
}

/// A question in numbers; change it as you like.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// What holds now.
    pub start: State,
    /// What must hold.
    pub goal: Vec<Pair>,
    /// What must hold of amounts, and of words of which several will do.
    pub goal_within: Vec<Within>,
    /// What must stand to what at the end.
    pub goal_compared: Vec<Compared>,
    /// The first and the last number of each variable; of words, positions.
    pub ends: Vec<(i64, i64)>,
    /// All actions of the model.
    pub deeds: Vec<Deed>,
    /// Those of the NPC type.
    pub can: Vec<usize>,
    /// Those that the caller forbids.
    pub forbidden: Vec<usize>,
    /// The answers to the checks.
    pub checks: Vec<bool>,
}

impl WhatIf {
    /// The question as it is asked.
    ///
    /// # Errors
    ///
    /// If it has a name that the model does not know.
    pub fn of(model: &Model, question: &Question<'_>) -> Result<WhatIf, Silent> {
        let unknown = |name: &str| Silent::UnknownName(name.to_string());
        let npc = model.npcs().iter().find(|npc| npc.name() == question.npc);
        let npc = npc.ok_or_else(|| unknown(question.npc))?;
        let mut start: State = vec![None; model.variables().len()];
        let pairs = |facts: &[throng_domain::Fact]| -> Vec<Pair> {
            facts.iter().map(|fact| (fact.variable.index(), fact.value.index())).collect()
        };
        let named = |(name, value): &(String, String)| -> Result<Pair, Silent> {
            let variable = variable_of(model, name)?;
            Ok((variable, position_of(model, variable, value)?))
        };
        for (variable, value) in pairs(npc.starts()) {
            start[variable] = Some(value);
        }
        for name in question.unknown {
            start[variable_of(model, name)?] = None;
        }
        for (variable, value) in question.from.iter().map(named).collect::<Result<Vec<_>, _>>()? {
            start[variable] = Some(value);
        }
        let ends: Vec<(i64, i64)> = model.variables().iter().map(|it| ends(it.values())).collect();
        let (told, answer) = match question.context {
            CheckContext::Without(told) => (told, false),
            CheckContext::Only(told) => (told, true),
        };
        if let Some(name) = told.iter().find(|name| !model.checks().contains(name)) {
            return Err(unknown(name));
        }
        let checks = model.checks().iter().map(|name| told.contains(name) == answer).collect();
        let asks = |uses: &[throng_domain::model::CheckUse]| -> Vec<(usize, bool)> {
            uses.iter().map(|used| (used.check.index(), used.expected)).collect()
        };
        let deeds = model.actions().iter().map(|action| Deed {
            needs: pairs(action.requires()),
            within: action.ranges().iter().map(|range| within(range, &ends)).collect(),
            compared: action.comparisons().iter().map(compared).collect(),
            sets: pairs(action.sets()),
            moves: action.shifts().iter().map(|shift| moves(shift, &ends)).collect(),
            checks: asks(action.checks()),
            kinds: action.kinds().iter().map(|kind| asks(kind.checks())).collect(),
            overrides: action.overrides().iter().map(|id| id.index()).collect(),
            cost: action.cost().0,
        });
        let mut world = WhatIf {
            start,
            goal: question.to.iter().map(named).collect::<Result<_, _>>()?,
            goal_within: Vec::new(),
            goal_compared: Vec::new(),
            deeds: deeds.collect(),
            ends,
            can: npc.can().iter().map(|id| id.index()).collect(),
            forbidden: Vec::new(),
            checks,
        };
        question.wants.iter().try_for_each(|wanted| world.want(model, wanted))?;
        Ok(world)
    }

    /// Adds to what must hold.
    ///
    /// # Errors
    ///
    /// If it has a name that the model does not know.
    pub fn want(&mut self, model: &Model, wanted: &Wanted) -> Result<(), Silent> {
        match wanted {
            Wanted::OneOf { variable, values } => {
                let at = variable_of(model, variable)?;
                let low = self.ends[at].0;
                let number = |value: &String| -> Result<(i64, i64), Silent> {
                    let number = low + position_of(model, at, value)? as i64;
                    Ok((number, number))
                };
                let runs = values.iter().map(number).collect::<Result<_, _>>()?;
                self.goal_within.push((at, runs));
            }
            Wanted::Within { variable, runs } => {
                self.goal_within.push((variable_of(model, variable)?, runs.clone()));
            }
            Wanted::Compared { variable, relation, other } => {
                let (left, right) = (variable_of(model, variable)?, variable_of(model, other)?);
                self.goal_compared.push((left, *relation, right));
            }
        }
        Ok(())
    }

    /// The actions that are there.
    pub fn there(&self) -> Vec<usize> {
        let hold = |asks: &Vec<(usize, bool)>| asks.iter().all(|&(c, yes)| self.checks[c] == yes);
        let enabled = |at: &usize| {
            let deed = &self.deeds[*at];
            let possible = deed.kinds.is_empty() || deed.kinds.iter().any(hold);
            !self.forbidden.contains(at) && hold(&deed.checks) && possible
        };
        let enabled: Vec<usize> = self.can.iter().copied().filter(enabled).collect();
        let free =
            |deed: &&usize| !enabled.iter().any(|by| self.deeds[*by].overrides.contains(deed));
        enabled.iter().filter(free).copied().collect()
    }

    /// Whether the goal holds.
    pub fn is_goal(&self, state: &State) -> bool {
        self.goal.iter().all(|&(variable, value)| state[variable] == Some(value))
            && self.amounts_fit(&self.goal_within, &self.goal_compared, state)
    }

    /// The number that a variable has; of words, the position.
    pub fn number(&self, variable: usize, state: &State) -> Option<i64> {
        Some(self.ends[variable].0 + state[variable]? as i64)
    }

    fn amounts_fit(&self, within: &[Within], compared: &[Compared], state: &State) -> bool {
        let is_in = |(variable, runs): &Within| {
            let is = self.number(*variable, state);
            is.is_some_and(|is| runs.iter().any(|run| (run.0..=run.1).contains(&is)))
        };
        let compares = |&(left, relation, right): &Compared| {
            let pair = self.number(left, state).zip(self.number(right, state));
            pair.is_some_and(|(left, right)| match relation {
                Relation::Is => left == right,
                Relation::IsNot => left != right,
                Relation::Less => left < right,
                Relation::AtMost => left <= right,
                Relation::More => left > right,
                Relation::AtLeast => left >= right,
            })
        };
        within.iter().all(is_in) && compared.iter().all(compares)
    }

    /// What an amount becomes, by position; `None` if it is unknown, or would leave its range.
    fn moved(&self, to_move: &Move, state: &State) -> Option<usize> {
        let (low, high) = self.ends[to_move.variable];
        let is = self.number(to_move.variable, state)?;
        let mut sum = is + to_move.by;
        if let Some(stop) = to_move.stop {
            // Up to the stop and no further; who is there already stays.
            sum = match to_move.by > 0 {
                true => sum.min(stop.max(is)),
                false => sum.max(stop.min(is)),
            };
        }
        (low <= sum && sum <= high).then_some((sum - low) as usize)
    }

    /// The state after an action; `None` if its needs do not hold.
    pub fn after(&self, deed: usize, state: &State) -> Option<State> {
        let deed = &self.deeds[deed];
        let holds = deed.needs.iter().all(|&(variable, value)| state[variable] == Some(value));
        if !holds || !self.amounts_fit(&deed.within, &deed.compared, state) {
            return None;
        }
        let mut next = state.clone();
        for to_move in &deed.moves {
            next[to_move.variable] = Some(self.moved(to_move, state)?);
        }
        deed.sets.iter().for_each(|&(variable, value)| next[variable] = Some(value));
        Some(next)
    }

    /// The price of a plan; `None` if it is none.
    pub fn price(&self, plan: &[usize]) -> Option<u64> {
        let there = self.there();
        let mut state = self.start.clone();
        for &deed in plan {
            state = self.after(deed, &state).filter(|_| there.contains(&deed))?;
        }
        self.is_goal(&state).then(|| plan.iter().map(|&deed| self.deeds[deed].cost).sum())
    }

    /// The least price of a plan; `None` if there is none.
    pub fn cheapest(&self) -> Option<u64> {
        self.cheapest_with(None)
    }

    /// The least price of a plan that has an action, if one is named.
    pub fn cheapest_with(&self, wanted: Option<usize>) -> Option<u64> {
        let found = self.search(wanted, usize::MAX, |deed| self.deeds[deed].cost);
        found.ok().flatten().map(|(cost, _)| cost)
    }

    /// The least price of a plan that has an action, if one is named, and such a plan; actions
    /// cost what `price` says. Of equal states the one met first goes first, so that with equal
    /// prices this is breadth-first.
    ///
    /// # Errors
    ///
    /// If more than `most` states are met.
    pub fn search(
        &self,
        wanted: Option<usize>,
        most: usize,
        price: impl Fn(usize) -> u64,
    ) -> Result<Option<(u64, Vec<usize>)>, Silent> {
        let there = self.there();
        // A state, and whether the wanted action was done on the way.
        let mut states = vec![(self.start.clone(), wanted.is_none())];
        let mut known = HashMap::from([(states[0].clone(), 0)]);
        // By state: the least price so far, and the state and the action before.
        let mut ways: Vec<(u64, Option<(usize, usize)>)> = vec![(0, None)];
        let mut open = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if cost > ways[at].0 {
                continue;
            }
            let (state, has) = states[at].clone();
            if has && self.is_goal(&state) {
                let before = |step: &(usize, usize)| ways[step.0].1;
                let steps = std::iter::successors(ways[at].1, before);
                let mut plan: Vec<usize> = steps.map(|(_, deed)| deed).collect();
                plan.reverse();
                return Ok(Some((cost, plan)));
            }
            for &deed in &there {
                let Some(next) = self.after(deed, &state) else { continue };
                let to =
                    *known.entry((next, has || wanted == Some(deed))).or_insert_with_key(|next| {
                        states.push(next.clone());
                        ways.push((u64::MAX, None));
                        states.len() - 1
                    });
                let price = cost + price(deed);
                if price < ways[to].0 {
                    ways[to] = (price, Some((at, deed)));
                    open.push(Reverse((price, to)));
                }
            }
            if states.len() > most {
                return Err(Silent::TooManyStates);
            }
        }
        Ok(None)
    }

    /// Every state that can be reached, with the least price of a way to it; actions cost what
    /// `price` says.
    ///
    /// # Errors
    ///
    /// If more than `most` states are met.
    pub fn reach(
        &self,
        most: usize,
        price: impl Fn(usize) -> u64,
    ) -> Result<Vec<(State, u64)>, Silent> {
        let there = self.there();
        let mut known = HashMap::from([(self.start.clone(), 0)]);
        let mut states = vec![(self.start.clone(), 0)];
        let mut open = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if cost > states[at].1 {
                continue;
            }
            for &deed in &there {
                let Some(next) = self.after(deed, &states[at].0) else { continue };
                let to = *known.entry(next).or_insert_with_key(|next| {
                    states.push((next.clone(), u64::MAX));
                    states.len() - 1
                });
                let price = cost + price(deed);
                if price < states[to].1 {
                    states[to].1 = price;
                    open.push(Reverse((price, to)));
                }
            }
            if states.len() > most {
                return Err(Silent::TooManyStates);
            }
        }
        Ok(states)
    }

    /// All plans that pass no state twice and end where the goal first holds; `None` if that takes
    /// more than `most` steps to find out.
    pub fn plans(&self, most: usize) -> Option<Vec<Vec<usize>>> {
        let mut walk = Walk { world: self, there: self.there(), plans: Vec::new(), left: most };
        walk.on(&mut vec![self.start.clone()], &mut Vec::new()).then_some(walk.plans)
    }
}

fn variable_of(model: &Model, name: &str) -> Result<usize, Silent> {
    let at = model.variables().iter().position(|known| known.name() == name);
    at.ok_or_else(|| Silent::UnknownName(name.to_string()))
}

fn position_of(model: &Model, variable: usize, value: &str) -> Result<usize, Silent> {
    let values = model.variables()[variable].values();
    let at = match values.ends() {
        None => values.iter().position(|known| known == value),
        Some((low, high)) => {
            let number: Option<i64> = value.parse().ok().filter(|it| (low..=high).contains(it));
            number.map(|number| (number - low) as usize)
        }
    };
    at.ok_or_else(|| Silent::UnknownName(value.to_string()))
}

/// The first and the last number; of words, positions.
fn ends(values: &throng_domain::model::Values) -> (i64, i64) {
    values.ends().unwrap_or((0, values.len() as i64 - 1))
}

fn within(range: &Range, ends: &[(i64, i64)]) -> Within {
    let at = range.variable.index();
    let number = |position: u16| ends[at].0 + i64::from(position);
    (at, range.values.runs().iter().map(|run| (number(run.0), number(run.1))).collect())
}

fn compared(it: &Comparison) -> Compared {
    (it.variable.index(), it.relation, it.other.index())
}

fn moves(shift: &Shift, ends: &[(i64, i64)]) -> Move {
    let variable = shift.variable.index();
    let stop = match shift.by.end {
        ShiftEnd::Refuse => None,
        ShiftEnd::Stop(at) => Some(ends[variable].0 + i64::from(at)),
    };
    Move { variable, by: shift.by.by.into(), stop }
}

struct Walk<'w> {
    world: &'w WhatIf,
    there: Vec<usize>,
    plans: Vec<Vec<usize>>,
    left: usize,
}

impl Walk<'_> {
    /// Whether everything beyond this way was walked.
    fn on(&mut self, states: &mut Vec<State>, steps: &mut Vec<usize>) -> bool {
        let now = states[states.len() - 1].clone();
        if self.world.is_goal(&now) {
            self.plans.push(steps.clone());
            return true;
        }
        for at in 0..self.there.len() {
            let deed = self.there[at];
            let Some(next) = self.world.after(deed, &now).filter(|next| !states.contains(next))
            else {
                continue;
            };
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            states.push(next);
            steps.push(deed);
            let whole = self.on(states, steps);
            states.pop();
            steps.pop();
            if !whole {
                return false;
            }
        }
        true
    }
}
