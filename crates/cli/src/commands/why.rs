//! `throng why`: what each step needs and what it enables.

use crate::args::PlanArgs;
use crate::commands::plan::{ask, headline};
use crate::console::{Console, Fail, Outcome};
use crate::question::wanted_facts;
use crate::shapes::{Cost, ReasonShape, exit_code, outcome_word};
use serde::Serialize;
use throng::engines::explain::{Causes, Source, Use};
use throng::model::compile::LocalFact;
use throng::{Answer, Npc, Planner};

#[derive(Serialize)]
struct WhyShape<'a> {
    outcome: &'static str,
    goal: Option<&'a str>,
    cost: Option<Cost>,
    steps: Vec<StepShape<'a>>,
    reason: Option<ReasonShape>,
}

#[derive(Serialize)]
struct StepShape<'a> {
    step: usize,
    action: &'a str,
    cost: Cost,
    file: &'a str,
    line: u32,
    needs: Vec<NeedShape>,
    enables: Vec<UseShape>,
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

pub(crate) fn run(args: &PlanArgs, console: &mut Console<'_>) -> Outcome {
    let (question, answer) = ask(args, "why", console)?;
    let npc = &question.npc;
    let wanted = wanted_facts(npc.domain(), &question.want, answer.goal());
    let causes = Planner::new().explain(npc, &wanted, answer.plan());
    if args.question.json {
        console.json(&shape(npc, &answer, &causes))?;
    } else {
        headline(&question, &answer, console)?;
        for (step, causes) in answer.plan().steps().zip(&causes) {
            console.line(&format!(
                "\n  {}. {}  (cost {})",
                step.index + 1,
                step.name,
                step.cost
            ))?;
            explain(npc, &answer, causes, console)?;
        }
    }
    Ok(exit_code(answer.outcome()))
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
            Source::Start => "true from the start".to_string(),
            Source::Step(step) => format!("set by step {}, {}", step + 1, names[step]),
        };
        console.line(&format!("     needs    {}   ({source})", words(npc, fact)))?;
    }
    for &(fact, used) in &causes.enables {
        let used = match used {
            Use::Goal => "wanted by the goal".to_string(),
            Use::Step(step) => format!("for step {}, {}", step + 1, names[step]),
        };
        console.line(&format!("     enables  {}   ({used})", words(npc, fact)))?;
    }
    Ok(())
}

fn shape<'a>(npc: &'a Npc, answer: &'a Answer, causes: &[Causes]) -> WhyShape<'a> {
    let map = npc.domain().compiled().map();
    let steps = answer.plan().steps().zip(causes).map(|(step, causes)| {
        let place = map.action_place(step.action);
        StepShape {
            step: step.index + 1,
            action: step.name,
            cost: Cost(step.cost),
            file: map.file(place.file),
            line: place.line,
            needs: causes.needs.iter().map(|&(fact, source)| need(npc, fact, source)).collect(),
            enables: causes.enables.iter().map(|&(fact, used)| enabled(npc, fact, used)).collect(),
        }
    });
    let solved = answer.is_solved();
    WhyShape {
        outcome: outcome_word(answer.outcome()),
        goal: answer.goal().map(|goal| map.goal(goal)),
        cost: solved.then(|| Cost(answer.plan().cost())),
        steps: steps.collect(),
        reason: (!solved)
            .then(|| ReasonShape { code: answer.reason_code().to_string(), text: answer.reason() }),
    }
}

fn need(npc: &Npc, fact: LocalFact, source: Source) -> NeedShape {
    let from_step = match source {
        Source::Start => None,
        Source::Step(step) => Some(step + 1),
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
