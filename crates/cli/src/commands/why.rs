//! `throng why`: what each step needs, enables and costs, and the next best plan.

use crate::args::PlanArgs;
use crate::commands::plan::{ask, headline};
use crate::commands::plans::difference;
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::Question;
use crate::shapes::{CostNumber, ReasonShape, exit_code, outcome_word};
use serde::Serialize;
use throng::{ActionId, Answer, Cost, Npc, Outcome, Planner, RunnerUp, Scratch, Why};
use throng_domain::compile::LocalFact;
use throng_domain::model::CheckUse;
use throng_planner::Limit;
use throng_planner::explain::{CauseSource, Causes, Use};

#[derive(Serialize)]
struct WhyShape<'a> {
    outcome: &'static str,
    goal: Option<&'a str>,
    cost: Option<CostNumber>,
    steps: Vec<StepShape<'a>>,
    /// The cheapest plan with other actions; `null` if there is none, or none was found.
    runner_up: Option<RunnerUpShape<'a>>,
    /// Whether that is certain.
    runner_up_is_certain: bool,
    reason: Option<ReasonShape>,
}

#[derive(Serialize)]
struct RunnerUpShape<'a> {
    plan: Vec<&'a str>,
    cost: CostNumber,
}

#[derive(Serialize)]
struct StepShape<'a> {
    step: usize,
    action: &'a str,
    cost: CostNumber,
    /// What the plan has cost after this step.
    sum: CostNumber,
    file: &'a str,
    line: u32,
    /// The kind to choose now, if the action has kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// The parts of a compound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<&'a str>,
    /// The context checks that let it be there; all are answered so now.
    checks: Vec<CheckShape<'a>>,
    needs: Vec<NeedShape>,
    enables: Vec<UseShape>,
}

#[derive(Serialize)]
struct CheckShape<'a> {
    check: &'a str,
    expected: bool,
}

#[derive(Serialize)]
struct NeedShape {
    fact: String,
    /// The step that set it; `null` if it held at the start.
    from_step: Option<usize>,
}

#[derive(Serialize)]
struct UseShape {
    fact: String,
    /// The step that needs it; `null` if the goal does.
    for_step: Option<usize>,
}

pub(crate) fn run(args: &PlanArgs, console: &mut Console<'_>) -> CommandResult {
    let (question, request) = ask(args, "why", console)?;
    let npc = &question.npc;
    let why = Planner::new().why(npc, &request, &mut Scratch::default());
    let answer = &why.answer;
    if args.question.json {
        console.json(&shape(npc, &why))?;
    } else {
        headline(&question, answer, console)?;
        let map = npc.domain().compiled().map();
        for (step, why) in answer.plan().steps().zip(&why.steps) {
            let place = map.action_place(step.action);
            let (number, file, line) = (step.index + 1, map.file(place.file), place.line);
            let (name, cost, sum) = (step.name, why.cost, why.sum);
            let now = npc.kind_of(step.action);
            let now = now.map_or(String::new(), |kind| format!(" (now: {})", kind.name()));
            console.line(&format!(
                "\n  {number}. {name}{now}  (cost {cost}, {sum} so far)  {file}:{line}"
            ))?;
            for part in step.part_names() {
                console.line(&format!("     {part}"))?;
            }
            print_checks(npc, step.action, console)?;
            explain(npc, answer, &why.causes, console)?;
        }
        if matches!(answer.outcome(), Outcome::Plan { .. }) {
            costs(&why, console)?;
            runner_up(&question, &why, console)?;
        }
    }
    Ok(exit_code(answer.outcome()))
}

/// The context checks of an action; as it is in a plan, all are answered as it needs.
fn checks(npc: &Npc, action: ActionId) -> &[CheckUse] {
    let kind = npc.domain().compiled().npc(npc.type_id());
    kind.local_action(action).map_or(&[], |local| kind.checks(local))
}

fn print_checks(npc: &Npc, action: ActionId, console: &mut Console<'_>) -> Result<(), Fail> {
    let map = npc.domain().compiled().map();
    let word = |used: &CheckUse| match used.expected {
        true => map.check(used.check).to_string(),
        false => format!("not {}", map.check(used.check)),
    };
    let words: Vec<String> = checks(npc, action).iter().map(word).collect();
    match &words[..] {
        [] => Ok(()),
        [one] => console.line(&format!("     if       {one}   (check, true now)")),
        some => console.line(&format!("     if       {}   (checks, true now)", some.join(", "))),
    }
}

/// What the plan costs, by action: the dearest first.
fn costs(why: &Why, console: &mut Console<'_>) -> Result<(), Fail> {
    let mut parts: Vec<(&str, u64, usize)> = Vec::new();
    for (step, why) in why.answer.plan().steps().zip(&why.steps) {
        match parts.iter_mut().find(|(name, _, _)| *name == step.name) {
            Some((_, cost, times)) => (*cost, *times) = (*cost + why.cost.0, *times + 1),
            None => parts.push((step.name, why.cost.0, 1)),
        }
    }
    parts.sort_by_key(|&(_, cost, _)| std::cmp::Reverse(cost));
    let words = parts.iter().map(|&(name, cost, times)| match times {
        1 => format!("{name} {}", Cost(cost)),
        _ => format!("{name} {} ({times} times)", Cost(cost)),
    });
    let words: Vec<String> = words.collect();
    console.line(&format!("\n  cost {} = {}", why.answer.plan().cost(), words.join(" + ")))
}

fn runner_up(question: &Question, why: &Why, console: &mut Console<'_>) -> Result<(), Fail> {
    match &why.runner_up {
        RunnerUp::NoPlan => Ok(()),
        RunnerUp::NoOther => {
            console.line("  There is no other way: every plan does all of this, or this and more.")
        }
        RunnerUp::Plan(plan) => {
            let more = difference(why.answer.plan(), plan);
            let (length, cost) = (count(plan.len(), "action"), plan.cost());
            console.line(&format!("  The next best plan costs {cost}, {more} ({length}):"))?;
            console.line(&format!("    {}", plan.names().collect::<Vec<_>>().join(", ")))
        }
        RunnerUp::Unknown { limit, nodes } if *limit != Limit::Nodes => {
            let reached = question.limits.reached(*limit);
            console.line(&format!("  No other plan was found within {nodes} ways: {reached}."))
        }
        RunnerUp::Unknown { nodes, .. } => console.line(&format!(
            "  No other plan was found within {nodes} ways; `--max-nodes` looks further."
        )),
    }
}

fn words(npc: &Npc, fact: LocalFact) -> String {
    let compiled = npc.domain().compiled();
    compiled.map().fact(compiled.npc(npc.type_id()).fact(fact))
}

fn explain(
    npc: &Npc,
    answer: &Answer,
    causes: &Causes,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let names: Vec<&str> = answer.plan().names().collect();
    if causes.needs.is_empty() {
        console.line("     needs nothing")?;
    }
    for &(fact, source) in &causes.needs {
        let source = match source {
            CauseSource::Start => "true from the start".to_string(),
            CauseSource::Step(step) => format!("set by step {}, {}", step + 1, names[step]),
        };
        console.line(&format!("     needs    {}   ({source})", words(npc, fact)))?;
    }
    let mut told: Vec<(LocalFact, Vec<usize>, bool)> = Vec::new();
    for &(fact, used) in &causes.enables {
        let at = told.iter().position(|(known, ..)| *known == fact).unwrap_or_else(|| {
            told.push((fact, Vec::new(), false));
            told.len() - 1
        });
        match used {
            Use::Goal => told[at].2 = true,
            Use::Step(step) => told[at].1.push(step),
        }
    }
    for (fact, steps, wanted) in told {
        let used = match (uses(&steps, &names), wanted) {
            (None, _) => "wanted by the goal".to_string(),
            (Some(steps), false) => steps,
            (Some(steps), true) => format!("{steps}; wanted by the goal"),
        };
        console.line(&format!("     enables  {}   ({used})", words(npc, fact)))?;
    }
    Ok(())
}

/// `for step 2, sell` or `for steps 2, 3 and 4`.
fn uses(steps: &[usize], names: &[&str]) -> Option<String> {
    match steps {
        [] => None,
        [one] => Some(format!("for step {}, {}", one + 1, names[*one])),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|step| (step + 1).to_string()).collect();
            Some(format!("for steps {} and {}", first.join(", "), last + 1))
        }
    }
}

fn shape<'a>(npc: &'a Npc, why: &'a Why) -> WhyShape<'a> {
    let answer = &why.answer;
    let map = npc.domain().compiled().map();
    let steps = answer.plan().steps().zip(&why.steps).map(|(step, why)| {
        let causes = &why.causes;
        let place = map.action_place(step.action);
        StepShape {
            step: step.index + 1,
            action: step.name,
            cost: CostNumber(why.cost),
            sum: CostNumber(why.sum),
            file: map.file(place.file),
            line: place.line,
            kind: npc.kind_of(step.action).map(|kind| kind.name()),
            parts: step.part_names().collect(),
            checks: checks(npc, step.action)
                .iter()
                .map(|used| CheckShape { check: map.check(used.check), expected: used.expected })
                .collect(),
            needs: causes.needs.iter().map(|&(fact, source)| need(npc, fact, source)).collect(),
            enables: causes.enables.iter().map(|&(fact, used)| enabled(npc, fact, used)).collect(),
        }
    });
    let solved = answer.is_solved();
    WhyShape {
        outcome: outcome_word(answer.outcome()),
        goal: answer.goal().map(|goal| map.goal(goal)),
        cost: solved.then(|| CostNumber(answer.plan().cost())),
        steps: steps.collect(),
        runner_up: match &why.runner_up {
            RunnerUp::Plan(plan) => {
                Some(RunnerUpShape { plan: plan.names().collect(), cost: CostNumber(plan.cost()) })
            }
            _ => None,
        },
        runner_up_is_certain: !matches!(why.runner_up, RunnerUp::Unknown { .. }),
        reason: (!solved)
            .then(|| ReasonShape { code: answer.reason_code().to_string(), text: answer.reason() }),
    }
}

fn need(npc: &Npc, fact: LocalFact, source: CauseSource) -> NeedShape {
    let from_step = match source {
        CauseSource::Start => None,
        CauseSource::Step(step) => Some(step + 1),
    };
    NeedShape { fact: words(npc, fact), from_step }
}

fn enabled(npc: &Npc, fact: LocalFact, used: Use) -> UseShape {
    let for_step = match used {
        Use::Goal => None,
        Use::Step(step) => Some(step + 1),
    };
    UseShape { fact: words(npc, fact), for_step }
}
