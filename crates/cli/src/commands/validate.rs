//! `throng validate`: independent replay of a plan; names the step that fails.

use crate::args::plan::ValidateArgs;
use crate::console::{CommandResult, Console, Fail, bad, count};
use crate::loading;
use crate::question::{PlanQuestion, goals_of, question};
use crate::{FINE, NO};
use serde_json::json;
use std::cmp::Reverse;
use throng::check::Verdict;
use throng::{GoalId, Target};
use throng_domain::model::Conditions;

pub(crate) fn run(args: &ValidateArgs, console: &mut Console<'_>) -> CommandResult {
    let domain = loading::domain(&args.question.domain, console)?;
    let question = question(&domain, &args.question)?;
    let plan: Vec<&str> =
        args.plan.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
    let (verdict, goal) = first_valid(&question, &wanted(&question)?, &plan)?;
    let what = question.wish(goal);
    // `null` as the step if all run but the goal does not hold at the end.
    let (valid, failed_step, reason) = match &verdict {
        Verdict::Valid { .. } => (true, None, None),
        Verdict::Invalid(failure) => (false, failure.step, Some(failure.to_string())),
    };
    match (args.question.json, verdict) {
        (true, _) => {
            console.json(&json!({"valid": valid, "failed_step": failed_step, "reason": reason}))?
        }
        (false, Verdict::Valid { cost }) => {
            writeln!(console, "valid for {what}: {}, cost {cost}", count(plan.len(), "action"))?;
        }
        (false, Verdict::Invalid(failure)) => {
            writeln!(console, "not valid for {what}\n  {failure}")?;
        }
    }
    Ok(if valid { FINE } else { NO })
}

/// What a plan may be for: conditions, and the goal that wants them.
type Wanted<'q> = (Conditions<'q>, Option<GoalId>);

/// What the plan is for: as asked, or the unsatisfied goal of highest priority; more than one
/// if any of several alternatives will do.
fn wanted(question: &PlanQuestion) -> Result<Vec<Wanted<'_>>, Fail> {
    let npc = &question.npc;
    let compiled = npc.domain().compiled();
    let goals = compiled.npc(npc.type_id()).goals();
    let best;
    let asked = match &question.want {
        Target::Conditions(wants) => return Ok(vec![(wants.conditions(), None)]),
        Target::Goal(goal) => std::slice::from_ref(goal),
        Target::Any(goals) => goals,
        Target::Best => {
            let same = |a: GoalId, b: GoalId| {
                let group = compiled.goal(a).group();
                a == b || group.is_some() && group == compiled.goal(b).group()
            };
            let holds = |goal: GoalId| {
                let mut alternatives = goals.iter().filter(|&&other| same(goal, other));
                alternatives.any(|&other| npc.has_all(compiled.goal(other).conditions()))
            };
            let rank =
                |goal: &&GoalId| (holds(**goal), Reverse(compiled.goal(**goal).priority()), **goal);
            let first = goals_of(npc)?.iter().min_by_key(rank);
            let is_alternative = |goal: &GoalId| first.is_some_and(|&first| same(first, *goal));
            best = goals.iter().copied().filter(is_alternative).collect::<Vec<_>>();
            &best
        }
    };
    Ok(asked.iter().map(|&goal| (compiled.goal(goal).conditions(), Some(goal))).collect())
}

/// The verdict for the first of these that the plan reaches, else for the first.
fn first_valid(
    question: &PlanQuestion,
    wanted: &[Wanted<'_>],
    plan: &[&str],
) -> Result<(Verdict, Option<GoalId>), Fail> {
    let judged =
        wanted.iter().map(|&(conditions, goal)| Ok((question.judge(conditions, plan)?, goal)));
    let mut judged = judged.collect::<Result<Vec<_>, Fail>>()?;
    let is_valid = |(verdict, _): &(Verdict, _)| matches!(verdict, Verdict::Valid { .. });
    match judged.iter().position(is_valid).unwrap_or(0) {
        at if at < judged.len() => Ok(judged.swap_remove(at)),
        _ => bad("there is no such goal"),
    }
}
