//! `throng whynot`: why there is no plan and the nearest fix; why an action is not in the plan.

mod passed;

use crate::args::plan::WhyNotArgs;
use crate::commands::plan::{ask, headline};
use crate::complaint::{of_plan, told};
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::PlanQuestion;
use crate::shapes::{CostShape, ReasonShape, cost_of, outcome_word};
use serde_json::{Value, json};
use throng::{
    Advice, Advices, Answer, Explanation, OtherCauses, Outcome, Plan, Planner, Scratch, WhyNot,
    WhyNotAction,
};
use throng_planner::explain::{Group, NotUsed};

/// How many fixes of a kind are listed for people; programs get all.
const LISTED: usize = 5;

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
    let action = question.npc.domain().action(name).map_err(Fail::from);
    let action = told(action, json, of_plan, console)?;
    let mut scratch = Scratch::default();
    let why = Planner::new().why_not_action(&question.npc, &request, action, &mut scratch);
    match json {
        true => console.json(&action_shape(&question, name, &why))?,
        false => print_action(&question, &why, console)?,
    }
    match why.why {
        NotUsed::GaveUp(_) => Ok(crate::LIMIT),
        _ => Ok(code(&why.answer)),
    }
}

/// An explanation was given, whatever it says; unless a limit came first.
fn code(answer: &Answer) -> u8 {
    match answer.outcome() {
        Outcome::GaveUp(_) => crate::LIMIT,
        _ => crate::FINE,
    }
}

fn print(question: &PlanQuestion, why: &WhyNot, console: &mut Console<'_>) -> Result<(), Fail> {
    let Outcome::Impossible(_) = why.answer.outcome() else {
        console.print(&headline(question, &why.answer))?;
        if matches!(why.answer.outcome(), Outcome::Plan { .. }) {
            let names: Vec<&str> = why.answer.plan().names().collect();
            writeln!(console, "  There is a plan: {}", names.join(", "))?;
            writeln!(console, "  `throng why` explains it; `--action A` asks why A is not in it.")?;
        }
        return passed::print(question, why, console);
    };
    let (who, what) = (question.npc.type_name(), question.wish(why.answer.goal()));
    writeln!(console, "{who} → {what}: impossible")?;
    writeln!(console, "\nwhy not")?;
    links(&why.causes, console)?;
    let map = question.npc.domain().compiled().map();
    for other in &why.other_causes {
        writeln!(console, "\nnor {}, which would do as well", map.goal(other.goal))?;
        links(&other.causes, console)?;
    }
    match &why.fixes {
        Some(fixes) => print_fixes(fixes, console),
        None => Ok(()),
    }
}

fn links(causes: &[Explanation], console: &mut Console<'_>) -> Result<(), Fail> {
    for (at, cause) in causes.iter().enumerate() {
        writeln!(console, "  {}. {}", at + 1, cause.text)?;
        place(cause, "     ", console)?;
    }
    Ok(())
}

fn place(told: &Explanation, indent: &str, console: &mut Console<'_>) -> Result<(), Fail> {
    match &told.place {
        Some((file, line)) => writeln!(console, "{indent}at {file}:{line}"),
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
        writeln!(console, "\n{head}")?;
    }
    for (group, title) in titles {
        let of_group: Vec<&Advice> = fixes.list.iter().filter(|fix| fix.group == group).collect();
        if of_group.is_empty() {
            continue;
        }
        writeln!(console, "\n{title}")?;
        for fix in of_group.iter().take(LISTED) {
            writeln!(console, "  - {}", fix.told.text)?;
            writeln!(console, "    → {}", result(&fix.plan))?;
            place(&fix.told, "    ", console)?;
        }
        if of_group.len() > LISTED {
            writeln!(console, "  … and {} more; `--json` lists all", of_group.len() - LISTED)?;
        }
    }
    let tried = count(fixes.tried, "single change");
    match (fixes.list.is_empty(), fixes.undecided) {
        (true, 0) => writeln!(console, "\nNo single change gives a plan: {tried} tried."),
        (true, open) => writeln!(
            console,
            "\nNo single change was found that gives a plan; {open} of {tried} could not be decided."
        ),
        (false, 0) => Ok(()),
        (false, open) => {
            writeln!(console, "\n{open} of {tried} could not be decided and may help, too.")
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
    question: &PlanQuestion,
    why: &WhyNotAction,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    console.print(&headline(question, &why.answer))?;
    let plan: Vec<&str> = why.answer.plan().names().collect();
    if !plan.is_empty() {
        writeln!(console, "  the plan: {}", plan.join(", "))?;
    }
    if let NotUsed::GaveUp(limit) = why.why {
        writeln!(console, "\n  No answer: {}.", question.limits.reached(limit))?;
        place(&why.told, "  ", console)?;
    } else if why.causes.is_empty() {
        writeln!(console, "\n  {}", why.told.text)?;
        place(&why.told, "  ", console)?;
    } else {
        writeln!(console, "\n  It can never be done from here:")?;
        links(&why.causes, console)?;
    }
    if let Some(with) = &why.with {
        writeln!(console, "  with it: {}", with.names().collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

/// The same with a sentence, and where it is from: `null` if that is no file.
fn with(mut shape: Value, told: &Explanation) -> Value {
    let place = told.place.as_ref();
    shape["text"] = json!(told.text);
    shape["file"] = json!(place.map(|(file, _)| file));
    shape["line"] = json!(place.map(|(_, line)| line));
    shape
}

fn told_shapes(all: &[Explanation]) -> Value {
    all.iter().map(|told| with(json!({}), told)).collect()
}

/// What all answers have; `causes` lead from what is wanted down to the root.
fn base(question: &PlanQuestion, answer: &Answer, causes: &[Explanation]) -> Value {
    let map = question.npc.domain().compiled().map();
    json!({
        "outcome": outcome_word(answer.outcome()),
        "goal": answer.goal().map(|goal| map.goal(goal)),
        "cost": cost_of(answer),
        "reason": ReasonShape::of(answer),
        "causes": told_shapes(causes),
        "fixes": null, "undecided": 0, "passed_over": [],
    })
}

fn shape(question: &PlanQuestion, why: &WhyNot) -> Value {
    let map = question.npc.domain().compiled().map();
    let fix = |fix: &Advice| {
        // value, check, allow, `drop_override`, grant, `drop_need`
        let mut shape = with(json!({"change": fix.change.code()}), &fix.told);
        // Whether it gives away a part of the goal.
        shape["gives_goal"] = json!(fix.group == Group::GivesGoal);
        shape["plan"] = fix.plan.names().collect();
        shape["cost"] = json!(CostShape(fix.plan.cost()));
        shape
    };
    let mut shape = base(question, &why.answer, &why.causes);
    if !why.other_causes.is_empty() {
        // The same for the other alternatives of the goal, as far as it differs.
        let other = |other: &OtherCauses| json!({"goal": map.goal(other.goal), "causes": told_shapes(&other.causes)});
        shape["other_causes"] = why.other_causes.iter().map(other).collect();
    }
    if let Some(fixes) = &why.fixes {
        // Only where it is certain that there is no plan.
        shape["fixes"] = fixes.list.iter().map(fix).collect();
        // Changes that could not be decided within the limits.
        shape["undecided"] = json!(fixes.undecided);
    }
    if let Some(worth) = why.worth {
        // What the plan is worth, if that decided among the goals.
        shape["worth"] = passed::worth(worth);
    }
    shape["passed_over"] = why.passed_over.iter().map(|one| passed::shape(map, one)).collect();
    shape
}

fn action_shape(question: &PlanQuestion, name: &str, why: &WhyNotAction) -> Value {
    let plan = why.with.as_ref();
    // How much dearer the cheapest plan with it is.
    let dearer = plan.filter(|_| why.answer.is_solved()).map(|with| {
        CostShape(throng::Cost(with.cost().0.saturating_sub(why.answer.plan().cost().0)))
    });
    let mut action = with(json!({"action": name, "code": why.why.code()}), &why.told);
    action["plan"] = json!(plan.map(|plan| plan.names().collect::<Vec<_>>()));
    action["cost"] = json!(plan.map(|plan| CostShape(plan.cost())));
    action["dearer"] = json!(dearer);
    let mut shape = base(question, &why.answer, &why.causes);
    shape["action"] = action;
    shape
}
