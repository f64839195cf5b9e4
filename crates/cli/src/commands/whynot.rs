//! `throng whynot`: why there is no plan and the nearest fix; why an action is not in the plan.

mod passed;
mod slots;

use crate::args::plan::WhyNotArgs;
use crate::commands::plan::{ask, headline};
use crate::complaint::{of_plan, told};
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::PlanQuestion;
use crate::rows::{in_a_line, rows};
use crate::shapes::{CostShape, ReasonShape, cost_of, outcome_word};
use serde_json::{Value, json};
use throng::{
    Advice, Advices, Answer, Explanation, OtherCauses, Outcome, Plan, Planner, Scratch, WhyNot,
    WhyNotAction,
};
use throng_planner::explain::{Change, Group, NotUsed};

/// How many fixes of a kind are listed for people at most; programs get all.
const LISTED: usize = 5;
/// How many lines people are told, more or less.
const SCREEN: usize = 40;
/// Of a longer chain of causes the beginning and the end are told.
const LINKS: usize = 10;
/// Of a longer plan after a change the beginning is told, in rows of equal steps.
const ROWS: usize = 16;

pub(crate) fn run(args: &WhyNotArgs, console: &mut Console<'_>) -> CommandResult {
    let (question, request) = ask(&args.plan, "whynot", console)?;
    let json = args.plan.question.json;
    let Some(name) = &args.action else {
        let why = Planner::new().why_not(&question.npc, &request, &mut Scratch::default());
        match json {
            true => console.json(&shape(&question, &why))?,
            false => print(&question, &why, args.all, console)?,
        }
        return Ok(code(&why.answer));
    };
    let action =
        told(slots::action(&question, name, &args.plan.question.domain), json, of_plan, console)?;
    let mut scratch = Scratch::default();
    let why = Planner::new().why_not_action(&question.npc, &request, action, &mut scratch);
    match json {
        true => console.json(&action_shape(&question, name, &why))?,
        false => print_action(&question, &why, args.all, console)?,
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

fn print(
    question: &PlanQuestion,
    why: &WhyNot,
    all: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let Outcome::Impossible(_) = why.answer.outcome() else {
        console.print(&headline(question, &why.answer))?;
        if matches!(why.answer.outcome(), Outcome::Plan { .. }) {
            let names = in_a_line(why.answer.plan().names());
            writeln!(console, "  There is a plan: {names}")?;
            writeln!(console, "  `throng why` explains it; `--action A` asks why A is not in it.")?;
        }
        return passed::print(question, why, console);
    };
    let (who, what) = (question.npc.type_name(), question.wish(why.answer.goal()));
    let mut page = Page { all, lines: vec![format!("{who} → {what}: impossible")] };
    page.add("\nwhy not".to_string());
    page.links(&why.causes);
    let map = question.npc.domain().compiled().map();
    for (at, other) in why.other_causes.iter().enumerate() {
        if page.is_half_full() {
            let more = count(why.other_causes.len() - at, "other alternative");
            page.add(format!("\nnor {more}; `--all` says why"));
            break;
        }
        page.add(format!("\nnor {}, which would do as well", map.goal(other.goal)));
        page.links(&other.causes);
    }
    if let Some(fixes) = &why.fixes {
        page.fixes(fixes);
    }
    page.lines.iter().try_for_each(|line| writeln!(console, "{line}"))
}

/// What people are told: a screen of it, or all.
struct Page {
    all: bool,
    lines: Vec<String>,
}

impl Page {
    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    /// How many lines there are; an empty one may stand before another.
    fn len(&self) -> usize {
        self.lines.iter().map(|line| line.lines().count()).sum()
    }

    fn is_half_full(&self) -> bool {
        !self.all && self.len() > SCREEN / 2
    }

    fn links(&mut self, causes: &[Explanation]) {
        let skipped = match self.all {
            true => 0,
            false => causes.len().saturating_sub(LINKS),
        };
        for (at, cause) in causes.iter().enumerate() {
            if skipped > 0 && (LINKS / 2..LINKS / 2 + skipped).contains(&at) {
                if at == LINKS / 2 {
                    self.add(format!("  … and {skipped} more on the way; `--all` tells them"));
                }
                continue;
            }
            self.add(format!("  {}. {}", at + 1, cause.text));
            self.lines.extend(place(cause, "     "));
        }
    }

    /// As many fixes as fit: those that mend come first.
    fn fixes(&mut self, fixes: &Advices) {
        let told = |(mends, others)| {
            let listed = |group| if group == Group::Mends { mends } else { others };
            fix_lines(fixes, listed, self.all)
        };
        let room = SCREEN.saturating_sub(self.len());
        let fits = |lines: &Vec<String>| {
            lines.iter().map(|line| line.lines().count()).sum::<usize>() <= room
        };
        let lines = match self.all {
            true => told((usize::MAX, usize::MAX)),
            false => {
                let fewer_others = (1..=LISTED).rev().map(|others| (LISTED, others));
                let fewer = fewer_others.chain((1..LISTED).rev().map(|mends| (mends, 1)));
                fewer.map(told).find(fits).unwrap_or_else(|| told((1, 1)))
            }
        };
        self.lines.extend(lines);
    }
}

fn place(told: &Explanation, indent: &str) -> Option<String> {
    told.place.as_ref().map(|(file, line)| format!("{indent}at {file}:{line}"))
}

/// So many fixes of each kind.
fn fix_lines(fixes: &Advices, listed: impl Fn(Group) -> usize, all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let titles = [
        (Group::Mends, "nearest fix: any one of these gives a plan, the cheapest first"),
        (Group::GivesGoal, "a part of the goal holds from the start"),
        (Group::DropsNeed, "an action asks for less"),
    ];
    let mends = fixes.list.iter().any(|fix| fix.group == Group::Mends);
    if !mends && !fixes.list.is_empty() {
        let head = match fixes.undecided {
            0 => "No single change of a value, a check or an action gives a plan, but for these.",
            _ => {
                "No single change of a value, a check or an action was found that gives a plan, \
                 but for these."
            }
        };
        lines.push(format!("\n{head}"));
    }
    let mut or = "";
    for (group, title) in titles {
        let of_group: Vec<&Advice> = fixes.list.iter().filter(|fix| fix.group == group).collect();
        if of_group.is_empty() {
            continue;
        }
        lines.push(format!("\n{or}{title}"));
        or = "or ";
        let listed = listed(group);
        for fix in of_group.iter().take(listed) {
            lines.push(format!("  - {}", fix.told.text));
            lines.push(format!("    → {}", result(&fix.plan, all)));
            lines.extend(place(&fix.told, "    "));
        }
        if of_group.len() > listed {
            lines.push(format!("  … and {} more; `--all` lists them", of_group.len() - listed));
        }
    }
    let tried = count(fixes.tried, "single change");
    lines.extend(match (fixes.list.is_empty(), fixes.undecided) {
        (true, 0) => Some(format!("\nNo single change gives a plan: {tried} tried.")),
        (true, open) => Some(format!(
            "\nNo single change was found that gives a plan; {open} of {tried} could not be decided."
        )),
        (false, 0) => None,
        (false, open) => {
            Some(format!("\n{open} of {tried} could not be decided and may help, too."))
        }
    });
    lines
}

fn result(plan: &Plan, all: bool) -> String {
    if plan.is_empty() {
        return "nothing is left to do".to_string();
    }
    let names: Vec<&str> = plan.names().collect();
    let told = rows(&names);
    let end = match told.get(ROWS) {
        Some(row) if !all => row.steps.start,
        _ => names.len(),
    };
    let more = match names.len() - end {
        0 => String::new(),
        more => format!(", … and {more} more"),
    };
    let (length, cost) = (count(names.len(), "action"), plan.cost());
    format!("{length}, cost {cost}: {}{more}", in_a_line(names[..end].iter().copied()))
}

fn print_action(
    question: &PlanQuestion,
    why: &WhyNotAction,
    all: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    console.print(&headline(question, &why.answer))?;
    if !why.answer.plan().is_empty() {
        writeln!(console, "  the plan: {}", in_a_line(why.answer.plan().names()))?;
    }
    if let NotUsed::GaveUp(limit) = why.why {
        writeln!(console, "\n  No answer: {}.", question.limits.reached(limit))?;
        place(&why.told, "  ").iter().try_for_each(|line| writeln!(console, "{line}"))?;
    } else if why.causes.is_empty() {
        writeln!(console, "\n  {}", why.told.text)?;
        place(&why.told, "  ").iter().try_for_each(|line| writeln!(console, "{line}"))?;
    } else {
        writeln!(console, "\n  It can never be done from here:")?;
        let mut page = Page { all, lines: Vec::new() };
        page.links(&why.causes);
        page.lines.iter().try_for_each(|line| writeln!(console, "{line}"))?;
    }
    if let Some(with) = &why.with {
        writeln!(console, "  with it: {}", in_a_line(with.names()))?;
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
        // value, amount, check, allow, `drop_override`, grant, `drop_need`, `loosen_need`
        let mut shape = with(json!({"change": fix.change.code()}), &fix.told);
        if let Change::Amount(range) = fix.change {
            let value = |at: Option<u16>| {
                let name = at.and_then(|at| map.values(range.variable).get(usize::from(at)));
                json!(name.and_then(|name| name.parse::<i64>().ok()))
            };
            // The amount, what it is (`null`: unknown), and the nearest that gives a plan.
            shape["variable"] = json!(map.variable(range.variable));
            shape["now"] = value(fix.now);
            shape["to"] = value(fix.to);
        }
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
