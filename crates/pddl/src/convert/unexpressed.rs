//! What of a domain its ground task does not say.
//!
//! In:   a model, its compiled form and the problem that was taken from it, one for each
//!       alternative of its goal.
//! Out:  a line for each thing left out, in words.
//! Cost: one pass over the model.

use std::collections::BTreeSet;
use throng_domain::compile::{CompiledDomain, LocalAction};
use throng_domain::model::{ActionId, Goal, Model};
use throng_planner::Problem;

/// Lists what is left out if a domain goes out as one task.
pub fn unexpressed(model: &Model, domain: &CompiledDomain, problems: &[Problem]) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(problem) = problems.first() else { return lines };
    let mut say = |count: usize, one: &str, many: &str, why: &str| match count {
        0 => {}
        1 => lines.push(format!("not expressed: 1 {one}{why}")),
        _ => lines.push(format!("not expressed: {count} {many}{why}")),
    };
    let kind = problem.kind(domain);
    let own = |id: &ActionId| kind.local_action(*id).is_some();
    let actions = || domain.map().action_ids().filter(own).map(|id| &model[id]);
    say(
        model.npcs().len().saturating_sub(1),
        "other NPC type",
        "other NPC types",
        ": a task is about one",
    );
    let asks = |problem: &Problem, goal: &Goal| {
        let wants = goal.wants().iter();
        let n_ranges = problem.goal_ranges().len() + problem.outside_ranges().len();
        goal.ranges().len() + goal.comparisons().len() == n_ranges
            && wants.len() == problem.goal().len() + problem.outside().len()
            && goal.wants().iter().all(|fact| {
                problem.goal().iter().any(|&local| kind.fact(local) == *fact)
                    || problem.outside().iter().any(|outside| outside.fact == *fact)
            })
    };
    // Alternatives of one name are one goal; what is asked for is one of them, or facts.
    let is_goal = |problem: &Problem| model.goals().iter().any(|goal| asks(problem, goal));
    let names = model.goals().iter().map(|goal| goal.serves().unwrap_or(goal.name()));
    let names: BTreeSet<&str> = names.collect();
    let others = names.len() - usize::from(problems.iter().all(is_goal));
    say(others, "other goal", "other goals", ": a task has one, without priority");
    let checked = actions().filter(|action| !action.checks().is_empty()).count();
    say(
        checked,
        "action's context checks",
        "actions' context checks",
        ": they are taken as they stand now",
    );
    let not_there =
        (0..kind.n_actions() as u32).filter(|&at| !problem.enabled().has(LocalAction(at)));
    say(
        not_there.count(),
        "action that is not there now",
        "actions that are not there now",
        " (checks, overrides)",
    );
    let kinds = actions().filter(|action| !action.kinds().is_empty()).count();
    say(kinds, "action's kinds", "actions' kinds", ": the cheapest that is possible now is taken");
    let compounds = actions().filter(|action| !action.parts().is_empty()).count();
    say(compounds, "compound's parts", "compounds' parts", ": it is one action");
    say(model.preferences().len(), "wish", "wishes", " for an order (`prefer`)");
    let shared = kind.variables().iter().filter(|&&id| domain.map().is_shared(id)).count();
    say(shared, "variable's sharing", "variables' sharing", ": a task has one NPC");
    say(model.tests().len(), "test", "tests", "");
    say(model.notes().len(), "clause", "clauses", " about minds and stories");
    lines
}
