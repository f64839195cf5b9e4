//! `throng pddl solve` of a task with numbers.
//!
//! In:   a lifted task with numeric fluents.
//! Out:  a plan that was judged, or why there is none.
//! Cost: that of the searches that count, on the task as a domain with amounts. What a domain
//!       cannot say is searched with its numbers written out, if they are few.

use super::replayed;
use crate::console::Fail;
use crate::field::ground::ground_counting;
use crate::field::run::{Came, Hit, Run, unreachable};
use throng::{Domain, Npc, Outcome, Planner, Request, Scratch};
use throng_pddl::convert::{CountedDomain, counted_out, to_counted_domain_until};
use throng_pddl::counted::CountedTask;
use throng_pddl::ground::GroundedCounting;
use throng_pddl::lifted::Lifted;
use throng_pddl::named::NamedTask;
use throng_pddl::validate::validate_within;

/// Solves a task with numbers.
pub(super) fn solved(task: &Lifted, run: &mut Run<'_, '_>) -> Result<Came, Fail> {
    let limits = run.limits;
    let is_met = validate_within(task, &[], &limits.judging(&|| limits.is_over()));
    if is_met.is_ok_and(|verdict| verdict.is_valid()) {
        return run.judged(Some(()), |()| replayed(task, &[], limits));
    }
    let grounded = ground_counting(task, limits, &mut run.stopwatch)?;
    if let Some(never) = &grounded.grounded.unreachable {
        return Ok(Err(unreachable(format!("{never}, whatever is done"))));
    }
    let made = to_counted_domain_until(&grounded.counted, "task", &|| limits.is_over());
    let why = match made {
        Ok(None) => return Err(limits.stopped(limits.over())),
        Ok(Some(made)) => match Domain::from_json(&made.text) {
            Ok(domain) => return counted(task, &grounded, &made, &domain, run),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        },
        Err(reasons) => reasons.join("; "),
    };
    let named = counted_out(&grounded.counted).map_err(|not| {
        Hit::Size.because(format!("this task is no domain with amounts ({why}), and {not}"))
    })?;
    let plan = run.search(&named.task)?;
    run.judged(plan, |plan| replayed(task, &grounded.plan(task, &plan), limits))
}

/// The task as a domain, answered by the searches that count.
fn counted(
    task: &Lifted,
    grounded: &GroundedCounting,
    made: &CountedDomain,
    domain: &Domain,
    run: &mut Run<'_, '_>,
) -> Result<Came, Fail> {
    let limits = run.limits;
    run.stopwatch.begin("search");
    let npc = Npc::new(domain, "npc")?;
    let goals = (0..domain.model().goals().len()).filter_map(|at| domain.goal_at(at));
    let request = Request::any(goals)
        .mode(run.mode)
        .max_nodes(limits.nodes())
        .max_bytes(limits.bytes())
        .stop_when(limits.asker());
    let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
    run.work.nodes = answer.nodes();
    match answer.outcome() {
        Outcome::GaveUp(limit) => return Err(limits.stopped(limits.hit(*limit))),
        Outcome::Impossible(_) if made.assumed.is_empty() => {
            return Ok(Err(unreachable(answer.reason())));
        }
        Outcome::Impossible(_) => {
            let assumed = made.assumed.join("; ");
            return Err(Hit::Size.because(format!("no plan within the numbers tried: {assumed}")));
        }
        Outcome::Plan { .. } | Outcome::Satisfied => {}
    }
    for assumed in &made.assumed {
        let text = "plans that go beyond were not looked for";
        run.console.message(&format!("note: {assumed}; {text}"));
    }
    let operator = |name: &str| made.actions.iter().find(|(known, _)| known == name);
    let operators = answer.plan().names().filter_map(|name| Some(operator(name)?.1));
    let operators: Vec<u32> = operators.collect();
    run.judged(Some(operators), |plan| replayed(task, &grounded.plan(task, &plan), limits))
}

/// The numbers written out, or why they are not.
pub(super) fn written_out(task: &CountedTask) -> Result<NamedTask, Fail> {
    counted_out(task).map_err(|not| Hit::Size.because(not.to_string()))
}
