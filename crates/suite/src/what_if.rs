//! A question that can be changed by hand, answered by trying everything: the oracle of
//! explanations.
//!
//! In:   a model and a question in present names.
//! Out:  plain numbers that a test may change, the least price of a plan, all plans without circles.
//! Cost: every reachable state, or every way without circles; for small domains only.
//!
//! Works on the model alone and knows neither planners nor variations of compiled domains.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use throng_check::{CheckContext, Question};
use throng_domain::Model;

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

/// An action in numbers.
#[derive(Clone, Debug)]
pub struct Deed {
    /// What must hold.
    pub needs: Vec<Pair>,
    /// What it sets.
    pub sets: Vec<Pair>,
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
            let variable = model.variables().iter().position(|known| known.name() == name);
            let variable = variable.ok_or_else(|| unknown(name))?;
            let mut values = model.variables()[variable].values().iter();
            let at = values.position(|known| known == value).ok_or_else(|| unknown(value))?;
            Ok((variable, at))
        };
        let from = question.from.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        for (variable, value) in pairs(npc.starts()).into_iter().chain(from) {
            start[variable] = Some(value);
        }
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
            sets: pairs(action.sets()),
            checks: asks(action.checks()),
            kinds: action.kinds().iter().map(|kind| asks(kind.checks())).collect(),
            overrides: action.overrides().iter().map(|id| id.index()).collect(),
            cost: action.cost().0,
        });
        Ok(WhatIf {
            start,
            goal: question.to.iter().map(named).collect::<Result<_, _>>()?,
            deeds: deeds.collect(),
            can: npc.can().iter().map(|id| id.index()).collect(),
            forbidden: Vec::new(),
            checks,
        })
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
    }

    /// The state after an action; `None` if its needs do not hold.
    pub fn after(&self, deed: usize, state: &State) -> Option<State> {
        let deed = &self.deeds[deed];
        let holds = deed.needs.iter().all(|&(variable, value)| state[variable] == Some(value));
        holds.then(|| {
            let mut next = state.clone();
            deed.sets.iter().for_each(|&(variable, value)| next[variable] = Some(value));
            next
        })
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

    /// All plans that pass no state twice and end where the goal first holds; `None` if that takes
    /// more than `most` steps to find out.
    pub fn plans(&self, most: usize) -> Option<Vec<Vec<usize>>> {
        let mut walk = Walk { world: self, there: self.there(), plans: Vec::new(), left: most };
        walk.on(&mut vec![self.start.clone()], &mut Vec::new()).then_some(walk.plans)
    }
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
