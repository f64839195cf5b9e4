//! `throng validate`: independent replay of a plan; names the step that fails.

use crate::args::ValidateArgs;
use crate::console::{CommandResult, Console, Fail, bad, count};
use crate::loading;
use crate::question::{Question, question};
use crate::{FINE, NO};
use serde::Serialize;
use std::cmp::Reverse;
use throng::check::{CheckContext, Question as Asked, Verdict, replay};
use throng::{Cost, Fact, GoalId, Target};
use throng_domain::Format;

#[derive(Serialize)]
struct VerdictShape {
    valid: bool,
    /// The step that fails, from 1; `null` if all run but the goal does not hold at the end.
    failed_step: Option<usize>,
    reason: Option<String>,
}

pub(crate) fn run(args: &ValidateArgs, console: &mut Console<'_>) -> CommandResult {
    let said = args.question.format.map(Format::from);
    let domain = loading::domain(&args.question.file, said, console)?;
    let question = question(&domain, &args.question)?;
    let plan: Vec<&str> =
        args.plan.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
    let (verdict, goal) = first_valid(&question, &wanted(&question)?, &plan)?;
    let shape = match &verdict {
        Verdict::Valid { .. } => VerdictShape { valid: true, failed_step: None, reason: None },
        Verdict::Invalid(failure) => VerdictShape {
            valid: false,
            failed_step: failure.step,
            reason: Some(failure.to_string()),
        },
    };
    let valid = shape.valid;
    if args.question.json {
        console.json(&shape)?;
    } else {
        let cost = match verdict {
            Verdict::Valid { cost } => cost,
            Verdict::Invalid(_) => Cost(0),
        };
        console.line(&sentence(&question, goal, &plan, cost, shape.reason.as_deref()))?;
    }
    Ok(if valid { FINE } else { NO })
}

fn sentence(
    question: &Question,
    goal: Option<GoalId>,
    plan: &[&str],
    cost: Cost,
    reason: Option<&str>,
) -> String {
    let what = question.wish(goal);
    match reason {
        None => format!("valid for {what}: {}, cost {cost}", count(plan.len(), "action")),
        Some(reason) => format!("not valid for {what}\n  {reason}"),
    }
}

/// What a plan may be for: facts, and the goal that wants them.
type Wanted = (Vec<Fact>, Option<GoalId>);

/// What the plan is for: as asked, or the unsatisfied goal of highest priority; more than one
/// if any of several alternatives will do.
fn wanted(question: &Question) -> Result<Vec<Wanted>, Fail> {
    let npc = &question.npc;
    let compiled = npc.domain().compiled();
    let goals = compiled.npc(npc.type_id()).goals();
    let best;
    let asked = match &question.want {
        Target::Facts(facts) => return Ok(vec![(facts.clone(), None)]),
        Target::Goal(goal) => std::slice::from_ref(goal),
        Target::Any(goals) => goals,
        Target::Best => {
            let same = |a: GoalId, b: GoalId| {
                let group = compiled.goal(a).group();
                a == b || group.is_some() && group == compiled.goal(b).group()
            };
            let holds = |goal: GoalId| {
                let mut alternatives = goals.iter().filter(|&&other| same(goal, other));
                alternatives.any(|&other| npc.has_all(compiled.goal(other).wants()))
            };
            let rank =
                |goal: &&GoalId| (holds(**goal), Reverse(compiled.goal(**goal).priority()), **goal);
            let Some(&first) = goals.iter().min_by_key(rank) else {
                return bad(format!(
                    "`{}` wants nothing: name a goal with `--goal`, or values with `--to`",
                    npc.type_name()
                ));
            };
            best = goals.iter().copied().filter(|&goal| same(first, goal)).collect::<Vec<_>>();
            &best
        }
    };
    Ok(asked.iter().map(|&goal| (compiled.goal(goal).wants().to_vec(), Some(goal))).collect())
}

/// The verdict for the first of these that the plan reaches, else for the first.
fn first_valid(
    question: &Question,
    wanted: &[Wanted],
    plan: &[&str],
) -> Result<(Verdict, Option<GoalId>), Fail> {
    let mut first = None;
    for (facts, goal) in wanted {
        let verdict = judge(question, facts, plan)?;
        if matches!(verdict, Verdict::Valid { .. }) {
            return Ok((verdict, *goal));
        }
        first.get_or_insert((verdict, *goal));
    }
    match first {
        Some(verdict) => Ok(verdict),
        None => bad("there is no such goal"),
    }
}

/// Puts the question to the independent checker, in words.
pub(crate) fn judge(question: &Question, wanted: &[Fact], plan: &[&str]) -> Result<Verdict, Fail> {
    let npc = &question.npc;
    let model = npc.domain().model();
    let words = |fact: Fact| {
        let (variable, value) = model.fact_names(fact);
        (variable.to_string(), value.to_string())
    };
    let saved = npc.save();
    let from: Vec<(String, String)> = saved.values.into_iter().collect();
    let to: Vec<(String, String)> = wanted.iter().map(|&fact| words(fact)).collect();
    let context = CheckContext::Without(&saved.without);
    let asked = Asked { npc: npc.type_name(), from: &from, to: &to, context };
    let verdict = replay(model, &asked, plan).map_err(|bad| Fail::Bad(bad.to_string()))?;
    Ok(match verdict {
        // The checker knows the file's costs; this NPC may have others.
        Verdict::Valid { .. } => {
            let costs = plan.iter().filter_map(|name| npc.cost(npc.domain().action(name).ok()?));
            let cost = costs.fold(0u64, |sum, cost| sum.saturating_add(cost.0));
            Verdict::Valid { cost: Cost(cost) }
        }
        invalid => invalid,
    })
}
