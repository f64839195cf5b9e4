//! A ray in the task's own variables: something that no action raises, and that would have to rise.
//!
//! In:   a ray of the part of a task that matters, with amounts turned round.
//! Out:  weights per unit or per value of the task's variables, how much is wanted at least, and
//!       how much there is: what a sentence is made of.
//! Cost: a few lists; only made when somebody asks.

use super::potential::{Potential, Weight, moves, need};
use super::question::Question;
use super::task::{CountingTask, Effect, Need};
use throng_domain::amounts::ValueSet;

/// What a variable adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RayWeight {
    /// So much a unit.
    Each(i64),
    /// So much by value; an unknown one is the last, if it starts so.
    Values(Vec<i64>),
}

/// A proof that a goal can never be had: a sum that no action raises, of which there is too little.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ray {
    /// The variables that count, and how; by variable.
    pub weights: Vec<(u32, RayWeight)>,
    /// The goal asks for at least so much of the sum.
    pub wanted: i64,
    /// There is so much.
    pub there: i64,
}

impl Ray {
    /// Reads a ray of a question.
    pub(super) fn new(task: &CountingTask, question: &Question, ray: &Potential) -> Ray {
        let weights = ray.weights().map(|(variable, weight)| {
            let origin = question.origins[variable as usize];
            let weight = match weight {
                Weight::Each(weight) if origin.is_turned => RayWeight::Each(-weight),
                Weight::Each(weight) => RayWeight::Each(weight),
                Weight::Values(values) => {
                    let mut values = values.to_vec();
                    let n = usize::from(task.sizes()[origin.variable as usize]);
                    if origin.is_turned && n <= values.len() {
                        values[..n].reverse();
                    }
                    RayWeight::Values(values)
                }
            };
            (origin.variable, weight)
        });
        let mut ray = Ray { weights: weights.collect(), wanted: 0, there: 0 };
        ray.weights.sort_unstable_by_key(|&(variable, _)| variable);
        let parts = ray.weights.iter();
        ray.there = parts.map(|(at, weight)| worth(weight, task.start()[*at as usize])).sum();
        let least = |(at, weight): &(u32, RayWeight)| {
            least(weight, goal_of(task.goal(), *at), task.sizes()[*at as usize])
        };
        ray.wanted = ray.weights.iter().map(least).sum();
        ray
    }

    /// Whether the goal asks for more than there is, and none of the actions raises it. Those that
    /// can never run do not count.
    pub fn holds(&self, task: &CountingTask, used: impl Fn(u32) -> bool) -> bool {
        let can_run = |action| !task.needs(action).iter().any(|need| need.values.is_empty());
        let actions = 0..task.n_actions() as u32;
        let mut actions = actions.filter(|&action| used(action) && can_run(action));
        self.wanted > self.there && actions.all(|action| self.rise(task, action) <= 0)
    }

    /// The most that an action raises the sum by.
    pub fn rise(&self, task: &CountingTask, action: u32) -> i64 {
        let rises = task.changes(action).iter().map(|change| {
            let at = self.weights.binary_search_by_key(&change.variable, |&(at, _)| at);
            let Ok(at) = at else { return 0 };
            match (&self.weights[at].1, change.effect) {
                (RayWeight::Each(weight), _) => {
                    let (low, high) = moves(task, action, change);
                    weight * i64::from(if *weight >= 0 { high } else { low })
                }
                (weight @ RayWeight::Values(_), Effect::Set(value)) => {
                    let size = task.sizes()[change.variable as usize];
                    worth(weight, value) - least(weight, need(task, action, change.variable), size)
                }
                (RayWeight::Values(_), Effect::Shift(_)) => 0,
            }
        });
        rises.sum()
    }
}

fn worth(weight: &RayWeight, value: u16) -> i64 {
    match weight {
        RayWeight::Each(weight) => weight * i64::from(value),
        RayWeight::Values(values) => {
            let last = values.len().saturating_sub(1);
            values.get(usize::from(value).min(last)).copied().unwrap_or(0)
        }
    }
}

/// The least worth of a value of a set; without one, of any value.
fn least(weight: &RayWeight, values: Option<&ValueSet>, size: u16) -> i64 {
    let all = ValueSet::all(size);
    match weight {
        RayWeight::Each(_) => {
            let (first, last) = values.unwrap_or(&all).ends().unwrap_or((0, 0));
            worth(weight, first).min(worth(weight, last))
        }
        RayWeight::Values(list) => {
            let has = |at: usize| values.is_none_or(|values| values.has(at as u16));
            let worths = list.iter().enumerate().filter(|&(at, _)| has(at));
            worths.map(|(_, &worth)| worth).min().unwrap_or(0)
        }
    }
}

fn goal_of(goal: &[Need], variable: u32) -> Option<&ValueSet> {
    let at = goal.binary_search_by_key(&variable, |need| need.variable).ok()?;
    Some(&goal[at].values)
}
