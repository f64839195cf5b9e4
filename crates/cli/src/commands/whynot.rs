//! `throng whynot`: why there is no plan and the nearest fix; why an action is not in the plan.

mod passed;

use crate::args::WhyNotArgs;
use crate::commands::plan::{answered, ask, headline};
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::Question;
use crate::shapes::{CostNumber, ReasonShape, outcome_word};
use serde::Serialize;
use throng::{
    Advice, Advices, Answer, Explanation, OtherCauses, Outcome, Plan, Planner, Request, Scratch,
    WhyNot, WhyNotAction,
};
use throng_planner::explain::{Group, NotUsed};

/// How many fixes of a kind are listed for people; programs get all.
const LISTED: usize = 5;

#[derive(Serialize)]
struct WhyNotShape<'a> {
    outcome: &'static str,
    goal: Option<&'a str>,
    cost: Option<CostNumber>,
    reason: Option<ReasonShape>,
    /// From what is wanted down to the root.
    causes: Vec<ToldShape<'a>>,
    /// The same for the other alternatives of the goal, as far as it differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_causes: Vec<OtherShape<'a>>,
    /// `null` unless it is certain that there is no plan.
    fixes: Option<Vec<FixShape<'a>>>,
    /// Changes that could not be decided within the limits.
    undecided: usize,
    /// What the plan is worth, if that decided among the goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<passed::WorthShape>,
    passed_over: Vec<passed::PassedShape<'a>>,
    /// With `--action`.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<ActionShape<'a>>,
}

#[derive(Serialize)]
struct ToldShape<'a> {
    text: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
}

#[derive(Serialize)]
struct OtherShape<'a> {
    goal: &'a str,
    causes: Vec<ToldShape<'a>>,
}

#[derive(Serialize)]
struct FixShape<'a> {
    /// What is changed: value, check, allow, `drop_override`, grant, `drop_need`.
    change: &'static str,
    #[serde(flatten)]
    told: ToldShape<'a>,
    /// Whether it gives away a part of the goal.
    gives_goal: bool,
    plan: Vec<&'a str>,
    cost: CostNumber,
}

#[derive(Serialize)]
struct ActionShape<'a> {
    action: &'a str,
    code: &'static str,
    #[serde(flatten)]
    told: ToldShape<'a>,
    /// The cheapest plan with it, and its price.
    plan: Option<Vec<&'a str>>,
    cost: Option<CostNumber>,
    /// How much dearer that plan is.
    dearer: Option<CostNumber>,
}

pub(crate) fn run(args: &WhyNotArgs, console: &mut Console<'_>) -> CommandResult {
    let (question, request) = ask(&args.plan, "whynot", console)?;
    let json = args.plan.question.json;
    let Some(name) = &args.action else {
        let why = Planner::new().why_not(&question.npc, &request, &mut Scratch::default());
        match json {
            true => console.json(&shape(&question, &why))?,
            false => print(&question, &why, console)?,
        }
        return Ok(code(&why.answer));
    };
    let action = match question.npc.domain().action(name) {
        Ok(action) => action,
        Err(unknown) => return Err(answered(unknown.into(), &args.plan, console)),
    };
    let why = ask_action(&question, &request, action);
    match json {
        true => console.json(&action_shape(&question, name, &why))?,
        false => print_action(&question, &why, console)?,
    }
    match why.why {
        NotUsed::GaveUp(_) => Ok(crate::LIMIT),
        _ => Ok(code(&why.answer)),
    }
}

fn ask_action(question: &Question, request: &Request, action: throng::ActionId) -> WhyNotAction {
    let mut scratch = Scratch::default();
    Planner::new().why_not_action(&question.npc, request, action, &mut scratch)
}

/// An explanation was given, whatever it says; unless a limit came first.
fn code(answer: &Answer) -> u8 {
    match answer.outcome() {
        Outcome::GaveUp(_) => crate::LIMIT,
        _ => crate::FINE,
    }
}

fn print(question: &Question, why: &WhyNot, console: &mut Console<'_>) -> Result<(), Fail> {
    let Outcome::Impossible(_) = why.answer.outcome() else {
        headline(question, &why.answer, console)?;
        if matches!(why.answer.outcome(), Outcome::Plan { .. }) {
            let names: Vec<&str> = why.answer.plan().names().collect();
            console.line(&format!("  There is a plan: {}", names.join(", ")))?;
            console.line("  `throng why` explains it; `--action A` asks why A is not in it.")?;
        }
        return passed::print(question, why, console);
    };
    let (who, what) = (question.npc.type_name(), question.wish(why.answer.goal()));
    console.line(&format!("{who} → {what}: impossible"))?;
    console.line("\nwhy not")?;
    links(&why.causes, console)?;
    let map = question.npc.domain().compiled().map();
    for other in &why.other_causes {
        console.line(&format!("\nnor {}, which would do as well", map.goal(other.goal)))?;
        links(&other.causes, console)?;
    }
    match &why.fixes {
        Some(fixes) => print_fixes(fixes, console),
        None => Ok(()),
    }
}

fn links(causes: &[Explanation], console: &mut Console<'_>) -> Result<(), Fail> {
    for (at, cause) in causes.iter().enumerate() {
        console.line(&format!("  {}. {}", at + 1, cause.text))?;
        place(cause, "     ", console)?;
    }
    Ok(())
}

fn place(told: &Explanation, indent: &str, console: &mut Console<'_>) -> Result<(), Fail> {
    match &told.place {
        Some((file, line)) => console.line(&format!("{indent}at {file}:{line}")),
        None => Ok(()),
    }
}

fn print_fixes(fixes: &Advices, console: &mut Console<'_>) -> Result<(), Fail> {
    let titles = [
        (Group::Mends, "nearest fix: any one of these gives a plan, the cheapest first"),
        (Group::GivesGoal, "or a part of the goal holds from the start"),
        (Group::DropsNeed, "or an action asks for less"),
    ];
    let mends = fixes.list.iter().any(|fix| fix.group == Group::Mends);
    if !mends && !fixes.list.is_empty() {
        let head = match fixes.undecided {
            0 => "No single change of a value, a check or an action gives a plan.",
            _ => "No single change of a value, a check or an action was found that gives a plan.",
        };
        console.line(&format!("\n{head}"))?;
    }
    for (group, title) in titles {
        let of_group: Vec<&Advice> = fixes.list.iter().filter(|fix| fix.group == group).collect();
        if of_group.is_empty() {
            continue;
        }
        console.line(&format!("\n{title}"))?;
        for fix in of_group.iter().take(LISTED) {
            console.line(&format!("  - {}", fix.told.text))?;
            console.line(&format!("    → {}", result(&fix.plan)))?;
            place(&fix.told, "    ", console)?;
        }
        if of_group.len() > LISTED {
            console
                .line(&format!("  … and {} more; `--json` lists all", of_group.len() - LISTED))?;
        }
    }
    let tried = count(fixes.tried, "single change");
    match (fixes.list.is_empty(), fixes.undecided) {
        (true, 0) => console.line(&format!("\nNo single change gives a plan: {tried} tried.")),
        (true, open) => console.line(&format!(
            "\nNo single change was found that gives a plan; {open} of {tried} could not be decided."
        )),
        (false, 0) => Ok(()),
        (false, open) => {
            console.line(&format!("\n{open} of {tried} could not be decided and may help, too."))
        }
    }
}

fn result(plan: &Plan) -> String {
    let names: Vec<&str> = plan.names().collect();
    match names.len() {
        0 => "nothing is left to do".to_string(),
        n => format!("{}, cost {}: {}", count(n, "action"), plan.cost(), names.join(", ")),
    }
}

fn print_action(
    question: &Question,
    why: &WhyNotAction,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    headline(question, &why.answer, console)?;
    let plan: Vec<&str> = why.answer.plan().names().collect();
    if !plan.is_empty() {
        console.line(&format!("  the plan: {}", plan.join(", ")))?;
    }
    if let NotUsed::GaveUp(limit) = why.why {
        console.line(&format!("\n  No answer: {}.", question.limits.reached(limit)))?;
        place(&why.told, "  ", console)?;
    } else if why.causes.is_empty() {
        console.line(&format!("\n  {}", why.told.text))?;
        place(&why.told, "  ", console)?;
    } else {
        console.line("\n  It can never be done from here:")?;
        links(&why.causes, console)?;
    }
    if let Some(with) = &why.with {
        console.line(&format!("  with it: {}", with.names().collect::<Vec<_>>().join(", ")))?;
    }
    Ok(())
}

fn told_shape(told: &Explanation) -> ToldShape<'_> {
    let place = told.place.as_ref();
    ToldShape {
        text: &told.text,
        file: place.map(|(file, _)| file.as_str()),
        line: place.map(|(_, line)| *line),
    }
}

fn base<'a>(
    question: &'a Question,
    answer: &'a Answer,
    causes: &'a [Explanation],
) -> WhyNotShape<'a> {
    let map = question.npc.domain().compiled().map();
    let solved = answer.is_solved();
    WhyNotShape {
        outcome: outcome_word(answer.outcome()),
        goal: answer.goal().map(|goal| map.goal(goal)),
        cost: solved.then(|| CostNumber(answer.plan().cost())),
        reason: (!solved).then(|| reason(answer)),
        causes: causes.iter().map(told_shape).collect(),
        other_causes: Vec::new(),
        fixes: None,
        undecided: 0,
        worth: None,
        passed_over: Vec::new(),
        action: None,
    }
}

fn reason(answer: &Answer) -> ReasonShape {
    ReasonShape { code: answer.reason_code().to_string(), text: answer.reason() }
}

fn shape<'a>(question: &'a Question, why: &'a WhyNot) -> WhyNotShape<'a> {
    let map = question.npc.domain().compiled().map();
    let fix = |fix: &'a Advice| FixShape {
        change: fix.change.code(),
        told: told_shape(&fix.told),
        gives_goal: fix.group == Group::GivesGoal,
        plan: fix.plan.names().collect(),
        cost: CostNumber(fix.plan.cost()),
    };
    let other = |other: &'a OtherCauses| OtherShape {
        goal: map.goal(other.goal),
        causes: other.causes.iter().map(told_shape).collect(),
    };
    WhyNotShape {
        other_causes: why.other_causes.iter().map(other).collect(),
        fixes: why.fixes.as_ref().map(|fixes| fixes.list.iter().map(fix).collect()),
        undecided: why.fixes.as_ref().map_or(0, |fixes| fixes.undecided),
        passed_over: why.passed_over.iter().map(|one| passed::shape(map, one)).collect(),
        worth: why.worth.map(passed::WorthShape),
        ..base(question, &why.answer, &why.causes)
    }
}

fn action_shape<'a>(
    question: &'a Question,
    name: &'a str,
    why: &'a WhyNotAction,
) -> WhyNotShape<'a> {
    let with = why.with.as_ref();
    let solved = why.answer.is_solved();
    let dearer = with
        .filter(|_| solved)
        .map(|with| throng::Cost(with.cost().0.saturating_sub(why.answer.plan().cost().0)));
    WhyNotShape {
        action: Some(ActionShape {
            action: name,
            code: why.why.code(),
            told: told_shape(&why.told),
            plan: with.map(|plan| plan.names().collect()),
            cost: with.map(|plan| CostNumber(plan.cost())),
            dearer: dearer.map(CostNumber),
        }),
        ..base(question, &why.answer, &why.causes)
    }
}
