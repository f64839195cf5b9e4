//! The printed algorithms for `throng plan --planner papers/…`.

use crate::printed::{self, Answer, Failure, Printed};
use throng_cli::extension::{Refusal, UntrustedPlanner};
use throng_domain::compile::{CompiledDomain, LocalAction};
use throng_planner::Problem;

impl UntrustedPlanner for Printed {
    fn name(&self) -> &'static str {
        Printed::name(*self)
    }

    fn plan(
        &self,
        domain: &CompiledDomain,
        problem: &Problem,
        trace: bool,
    ) -> (Result<Vec<LocalAction>, Refusal>, String) {
        let (answer, sheet) = match trace {
            true => printed::plan_with_trace(*self, domain, problem),
            false => {
                let answer = printed::plan(*self, problem.kind(domain), problem, &mut |_| {});
                (answer, String::new())
            }
        };
        let told = match answer {
            Answer::Plan(plan) => Ok(plan),
            Answer::Failure(failure) => Err(Refusal {
                why: failure.sentence(domain, problem.kind(domain)),
                line: failure.line(),
                cure: cure(failure),
            }),
        };
        (told, sheet)
    }
}

/// What to do about it; `None` if the algorithm says with it that there is no plan.
fn cure(failure: Failure) -> Option<&'static str> {
    match failure {
        _ if failure.line().is_some() => None,
        Failure::OutsideGoal(_) => None,
        Failure::UnknownStart(_) => Some("give it one as in `variable=value`"),
        Failure::NoGoalValue(_) => Some("name a value for every variable with `--to`"),
        _ => Some("`--planner auto` takes it"),
    }
}
