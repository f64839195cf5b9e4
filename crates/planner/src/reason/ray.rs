//! A sum of amounts that no action raises: why a goal is impossible whose parts can all be had.
//!
//! In:   a problem that takes an engine that counts.
//! Out:  weights in small whole numbers, verified: how much the start is worth, and how much is
//!       needed at least.
//! Cost: one small linear program ([`PotentialSolver`]).

use super::amounts::Values;
use super::{Reason, Root};
use crate::counting::{Potential, PotentialSolver, Weighed, Weighing, Weight};
use crate::problem::Problem;
use crate::relaxed::relevant;
use throng_domain::compile::{CompiledDomain, LocalVariable, NpcTables, UNKNOWN};
use throng_domain::model::{ValueId, VariableId};

/// A part of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RayTerm {
    /// How much it counts; not zero.
    pub weight: i64,
    /// An amount, of which each counts so much; or a variable that counts so much while it has a
    /// value.
    pub variable: VariableId,
    /// That value.
    pub value: Option<ValueId>,
}

/// The reason, if there is such a sum.
pub(crate) fn ray(domain: &CompiledDomain, problem: &Problem) -> Option<Reason> {
    let npc = problem.kind(domain);
    let values = Values::new(npc, problem);
    let matters = relevant(npc, problem, |action| problem.enabled().has(action));
    let asked = Weighing {
        task: &values.task,
        open: |_| false,
        used: |action: u32| {
            matters[values.actions[action as usize].index()] && values.is_ready(action)
        },
        wanted: values.task.goal(),
        start: values.task.start(),
        caps: false,
    };
    let mut potential = Potential::default();
    if PotentialSolver::default().solve(&asked, &mut potential) != Weighed::Ray {
        return None;
    }
    let root = Sum { domain, npc, values: &values, potential: &potential }.root()?;
    Some(Reason::new(problem.npc(), root))
}

/// A ray on its way into words.
struct Sum<'r> {
    domain: &'r CompiledDomain,
    npc: &'r NpcTables,
    values: &'r Values,
    potential: &'r Potential,
}

impl Sum<'_> {
    /// The terms, with the worth of the least value of words taken as nothing; the numbers as
    /// designers count them. `None` if they are too large to say.
    fn root(&self) -> Option<Root> {
        let (mut terms, mut there, mut needed) = (Vec::new(), 0i128, 0i128);
        for (at, weight) in self.potential.weights() {
            let local = LocalVariable(at);
            let variable = self.npc.variables()[local.index()];
            let (start, asked) = (self.values.task.start()[local.index()], self.asked(at));
            match weight {
                Weight::Each(each) => {
                    let low = self.domain.map().amount(variable).map_or(0, |(low, _)| low);
                    let top = (self.npc.n_values(local) as u16).saturating_sub(1);
                    let (first, last) = asked.unwrap_or((0, top));
                    let number =
                        |value: u16| i128::from(each) * (i128::from(value) + i128::from(low));
                    there += number(start);
                    needed += number(first).min(number(last));
                    terms.push(RayTerm { weight: each, variable, value: None });
                }
                Weight::Values(worths) => {
                    let n_values = self.npc.n_values(local);
                    let least = i128::from(*worths.iter().min()?);
                    let above = |value: usize| Some(i128::from(*worths.get(value)?) - least);
                    let known = worths.iter().enumerate().take(n_values);
                    for (value, _) in known.clone().filter(|&(at, _)| above(at) != Some(0)) {
                        let weight = i64::try_from(above(value)?).ok()?;
                        terms.push(RayTerm { weight, variable, value: Some(ValueId::at(value)) });
                    }
                    let start = if start == UNKNOWN { n_values } else { usize::from(start) };
                    there += above(start)?;
                    let has = |value: usize| self.allows(at, value as u16);
                    let wanted = known.filter(|&(value, _)| has(value));
                    needed += wanted.filter_map(|(value, _)| above(value)).min().unwrap_or(0);
                }
            }
        }
        let divisor =
            terms.iter().fold(0, |divisor, term| gcd(divisor, term.weight.unsigned_abs()));
        let divisor = i64::try_from(divisor).ok().filter(|&divisor| divisor > 0)?;
        terms.iter_mut().for_each(|term| term.weight /= divisor);
        let [there, needed] = [there, needed].map(|sum| i64::try_from(sum).ok());
        let (there, needed) = (there? / divisor, needed? / divisor);
        (there < needed).then_some(Root::NeverRises { sum: terms, there, needed })
    }

    /// The least and the greatest value that is wanted of a variable.
    fn asked(&self, variable: u32) -> Option<(u16, u16)> {
        self.values.task.goal().iter().find(|need| need.variable == variable)?.values.ends()
    }

    fn allows(&self, variable: u32, value: u16) -> bool {
        let mut goal = self.values.task.goal().iter();
        goal.find(|need| need.variable == variable).is_none_or(|need| need.values.has(value))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
