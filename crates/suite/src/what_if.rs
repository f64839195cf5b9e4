//! A question that can be changed by hand, answered by trying everything: the oracle of
//! explanations.
//!
//! In:   a model and a question in present names.
//! Out:  plain numbers that a test may change, the least price of a plan, all plans without circles.
//! Cost: every reachable state, or every way without circles; for small domains only.
//!
//! Works on the model alone and knows neither planners nor variations of compiled domains.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use throng_check::{CheckContext, Question};
use throng_domain::Model;

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
    /// Whom it overrides.
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
    /// The question as it is asked; `None` if it has a name that the model does not know.
    pub fn of(model: &Model, question: &Question<'_>) -> Option<WhatIf> {
        let npc = model.npcs().iter().find(|npc| npc.name() == question.npc)?;
        let mut start: State = vec![None; model.variables().len()];
        let pairs = |facts: &[throng_domain::Fact]| -> Vec<Pair> {
            facts.iter().map(|fact| (fact.variable.index(), fact.value.index())).collect()
        };
        let named = |(name, value): &(String, String)| -> Option<Pair> {
            let variable = model.variables().iter().position(|known| known.name() == name)?;
            let values = model.variables()[variable].values();
            Some((variable, values.iter().position(|known| known == value)?))
        };
        for (variable, value) in pairs(npc.starts()) {
            start[variable] = Some(value);
        }
        for fact in question.from {
            let (variable, value) = named(fact)?;
            start[variable] = Some(value);
        }
        let (told, answer) = match question.context {
            CheckContext::Without(told) => (told, false),
            CheckContext::Only(told) => (told, true),
        };
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
        Some(WhatIf {
            start,
            goal: question.to.iter().map(named).collect::<Option<_>>()?,
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
        let there = self.there();
        let mut done = BTreeMap::new();
        let start = (0, self.start.clone(), wanted.is_none());
        let mut open = BinaryHeap::from([Reverse(start)]);
        while let Some(Reverse((cost, state, has))) = open.pop() {
            if done.insert((state.clone(), has), ()).is_some() {
                continue;
            }
            if has && self.is_goal(&state) {
                return Some(cost);
            }
            for &deed in &there {
                if let Some(next) = self.after(deed, &state) {
                    let has = has || wanted == Some(deed);
                    open.push(Reverse((cost + self.deeds[deed].cost, next, has)));
                }
            }
        }
        None
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
