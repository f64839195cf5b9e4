//! Several goals of which any will do: the cheapest plan is taken.
//!
//! In:   the answers for the goals, as they come, each with its plan.
//! Out:  the plan that costs least, of equals the first; the limit that was hit; impossible if all
//!       are, with the reason of the goal that needs the fewest changes, of equals the first.
//! Cost: a look at each answer, plans are swapped and not copied; reasons are read only where two
//!       have to be compared.
//!
//! To say which plan is cheapest every goal must have been answered, so a limit hit by one of them
//! is the answer, unless any plan will do ([`Mode::Fast`]) or the caller would rather have one.

use crate::outcome::{Limit, Mode, Outcome};
use crate::proof::Proof;
use throng_domain::Cost;
use throng_domain::compile::CompiledDomain;

/// What has been answered so far, kept between calls. `G` is a goal, `A` a step of a plan.
#[derive(Debug)]
pub struct AnyOf<G, A> {
    /// Its measure, its price, its goal.
    best: Option<(u64, Cost, G)>,
    kept: Vec<A>,
    gave_up: Option<(Limit, G)>,
    no: Vec<(Proof, G)>,
}

impl<G, A> Default for AnyOf<G, A> {
    fn default() -> Self {
        AnyOf { best: None, kept: Vec::new(), gave_up: None, no: Vec::new() }
    }
}

impl<G: Copy, A> AnyOf<G, A> {
    /// Forgets all answers.
    pub fn begin(&mut self) {
        (self.best, self.gave_up) = (None, None);
        self.no.clear();
    }

    /// Takes the answer for a goal, and its plan if that is the best so far. Whether the answer is
    /// settled by that, so that nothing else need be asked.
    pub fn take(&mut self, mode: Mode, goal: G, outcome: Outcome, plan: &mut Vec<A>) -> bool {
        match outcome {
            Outcome::Plan { cost } => {
                let measure = match mode {
                    Mode::Cheapest => cost.0,
                    Mode::Shortest | Mode::Fast => plan.len() as u64,
                };
                if self.best.as_ref().is_none_or(|&(least, ..)| measure < least) {
                    self.best = Some((measure, cost, goal));
                    std::mem::swap(&mut self.kept, plan);
                }
                mode == Mode::Fast
            }
            Outcome::GaveUp(limit) => {
                self.gave_up.get_or_insert((limit, goal));
                // If any plan will do, another goal may still have one.
                mode != Mode::Fast
            }
            Outcome::Impossible(proof) => {
                self.no.push((proof, goal));
                false
            }
            Outcome::Satisfied => false,
        }
    }

    /// The best plan that is known, into `plan`: its price and its goal.
    pub fn best(&mut self, plan: &mut Vec<A>) -> Option<(Cost, G)> {
        let (_, cost, goal) = self.best.take()?;
        std::mem::swap(&mut self.kept, plan);
        Some((cost, goal))
    }

    /// What all answers come to, and the goal that this is about; a plan is put into `plan`. `None`
    /// if there was nothing to ask.
    pub fn end(
        &mut self,
        domain: &CompiledDomain,
        mode: Mode,
        plan: &mut Vec<A>,
    ) -> Option<(Outcome, G)> {
        if (self.gave_up.is_none() || mode == Mode::Fast)
            && let Some((cost, goal)) = self.best(plan)
        {
            return Some((Outcome::Plan { cost }, goal));
        }
        if let Some((limit, goal)) = self.gave_up {
            return Some((Outcome::GaveUp(limit), goal));
        }
        let far = |no: &(Proof, G)| no.0.far(domain).unwrap_or(u64::MAX);
        let nearest = match self.no.len() {
            0 | 1 => 0,
            n => (0..n).min_by_key(|&at| far(&self.no[at]))?,
        };
        let (proof, goal) = self.no.drain(..).nth(nearest)?;
        Some((Outcome::Impossible(proof), goal))
    }
}
