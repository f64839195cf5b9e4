//! Runs the `test` statements of a domain.
//!
//! In:   a domain and one of its tests.
//! Out:  passed, or every expectation that was not met, in words.
//! Cost: one plan per test, and an independent replay of it.

use crate::answer::Answer;
use crate::domain::Domain;
use crate::npc::Npc;
use crate::planner::{Planner, Scratch};
use crate::request::Request;
use throng_check::{CheckContext, Question, Verdict, Wanted, replay};
use throng_domain::model::*;
use throng_domain::{Cost, Span, names};
use throng_planner::Outcome;

/// What became of one test.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct TestResult {
    /// The test's name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What was not met: the expectation's place and a sentence. Empty if it passed.
    pub failures: Vec<(Span, String)>,
    /// What the planner answered.
    pub answer: Answer,
}

impl TestResult {
    /// Whether every expectation was met.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// The NPC and the request of a test; `None` if the test belongs to another domain.
pub fn setting(domain: &Domain, test: &Test) -> Option<(Npc, Request)> {
    let mut npc = Npc::of_type(domain, test.npc())?;
    test.from().iter().for_each(|&fact| npc.set_fact(fact));
    match test.context() {
        TestContext::Without(checks) => {
            checks.iter().for_each(|&check| npc.set_check_id(check, false))
        }
        TestContext::Only(checks) => {
            npc.clear_checks();
            checks.iter().for_each(|&check| npc.set_check_id(check, true));
        }
    }
    Some((npc, Request::new(test.ask().clone())))
}

/// Runs one test; `None` if it belongs to another domain.
pub fn run(
    domain: &Domain,
    test: &Test,
    planner: &Planner,
    scratch: &mut Scratch,
) -> Option<TestResult> {
    let (npc, request) = setting(domain, test)?;
    let answer = planner.plan(&npc, &request, scratch);
    let mut failures = Vec::new();
    for (expect, span) in test.expects() {
        if let Some(problem) = unmet(expect, &answer) {
            failures.push((*span, problem));
        }
    }
    if let Some(problem) = replay_fails(domain, test, &answer) {
        failures.push((test.span(), problem));
    }
    Some(TestResult { name: test.name().to_string(), span: test.span(), failures, answer })
}

/// Why an expectation is not met; `None` if it is.
fn unmet(expect: &Expect, answer: &Answer) -> Option<String> {
    let plan = answer.plan();
    let got = describe(answer);
    let is_plan = matches!(answer.outcome(), Outcome::Plan { .. });
    let solved = answer.is_solved();
    match expect {
        Expect::Length(length) => (!solved || plan.len() != *length as usize)
            .then(|| format!("expected a plan of {length} actions, got {got}")),
        Expect::Cost(cost) => (!solved || plan.cost() != *cost)
            .then(|| format!("expected a plan of cost {cost}, got {got}")),
        Expect::Plan(names) => {
            let same =
                plan.len() == names.len() && plan.names().zip(names).all(|(a, b)| is_or_of(a, b));
            (!is_plan || !same).then(|| format!("expected {}, got {got}", names.join(", ")))
        }
        Expect::Impossible => (!matches!(answer.outcome(), Outcome::Impossible(_)))
            .then(|| format!("expected impossible, got {got}")),
        Expect::Satisfied => (!matches!(answer.outcome(), Outcome::Satisfied))
            .then(|| format!("expected that nothing has to be done, got {got}")),
        Expect::Never(name) => match plan.names().any(|step| is_or_of(step, name)) {
            true => Some(format!("expected a plan without {name}, got {got}")),
            false => (!solved).then(|| format!("expected a plan without {name}, got {got}")),
        },
    }
}

/// Whether an action has this name, or is one of this template.
fn is_or_of(action: &str, name: &str) -> bool {
    action == name || names::template_of(action) == Some(name)
}

fn describe(answer: &Answer) -> String {
    let plan = answer.plan();
    match answer.outcome() {
        Outcome::Plan { .. } => {
            format!("{} ({} actions, cost {})", plan.told().join(", "), plan.len(), plan.cost())
        }
        Outcome::Satisfied => "a goal that holds already".to_string(),
        Outcome::Impossible(_) => format!("impossible: {}", answer.reason()),
        Outcome::GaveUp(_) => answer.reason(),
    }
}

/// A test does not only believe the planner: the plan is replayed on the model.
fn replay_fails(domain: &Domain, test: &Test, answer: &Answer) -> Option<String> {
    if !answer.is_solved() {
        return None;
    }
    let model = domain.model();
    let words = |facts: &[Fact]| -> Vec<(String, String)> {
        let names = facts.iter().map(|&fact| model.fact_names(fact));
        names.map(|(variable, value)| (variable.to_string(), value.to_string())).collect()
    };
    let wants = match (test.ask(), answer.goal()) {
        (Target::Conditions(wants), _) => Wanted::of(model, wants.conditions()),
        (_, Some(goal)) => Wanted::of(model, model.goals()[goal.index()].conditions()),
        _ => Vec::new(),
    };
    let named = |checks: &[CheckId]| -> Vec<String> {
        checks.iter().map(|check| model.checks()[check.index()].clone()).collect()
    };
    let (without, only);
    let context = match test.context() {
        TestContext::Without(checks) => {
            without = named(checks);
            CheckContext::Without(&without)
        }
        TestContext::Only(checks) => {
            only = named(checks);
            CheckContext::Only(&only)
        }
    };
    let from = words(test.from());
    let npc = model.npcs()[test.npc().index()].name();
    let question = Question { npc, from: &from, wants: &wants, context, ..Question::default() };
    let plan: Vec<&str> = answer.plan().names().collect();
    match replay(model, &question, &plan) {
        Ok(Verdict::Valid { cost }) if cost == answer.plan().cost() => None,
        Ok(Verdict::Valid { cost }) => Some(wrong_cost(answer.plan().cost(), cost)),
        Ok(Verdict::Invalid(failure)) => Some(format!("the independent replay fails: {failure}")),
        Err(bad) => Some(format!("the independent replay refuses the question: {bad}")),
    }
}

fn wrong_cost(planned: Cost, replayed: Cost) -> String {
    format!("the planner says cost {planned}, the independent replay {replayed}")
}
