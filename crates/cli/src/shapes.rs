//! The shapes of JSON results. Scripts rely on them: keys are only ever added.

use serde::Serialize;
use serde::ser::Serializer;
use serde_json::json;
use serde_json::value::{RawValue, Value};
use std::collections::BTreeMap;
use throng::{Answer, Cost, Npc, Outcome, Step};
use throng_domain::{Diagnostic, Report, Severity, Sources};

/// A cost as a number: whole if it is whole.
#[derive(Clone, Copy)]
pub struct CostShape(
    /// The cost.
    pub Cost,
);

impl Serialize for CostShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_whole() {
            true => serializer.serialize_u64(self.0.0 / 1000),
            false => serializer.serialize_f64(self.0.0 as f64 / 1000.0),
        }
    }
}

/// A number with three digits behind the point, as they are read: 0.9, not 0.8999999762.
pub(crate) fn rounded(number: impl Into<f64>) -> Value {
    json!((number.into() * 1000.0).round() / 1000.0)
}

/// A list of values.
pub(crate) fn list<T: Into<Value>>(values: impl IntoIterator<Item = T>) -> Value {
    values.into_iter().collect()
}

/// Why there is no answer.
#[derive(Clone, Serialize)]
pub(crate) struct ReasonShape {
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

impl ReasonShape {
    /// Why there is no plan; `None` if there is one.
    pub(crate) fn of(answer: &Answer) -> Option<ReasonShape> {
        (!answer.is_solved())
            .then(|| ReasonShape { code: answer.reason_code(), text: answer.reason() })
    }
}

/// What a plan costs; `null` if there is none.
pub(crate) fn cost_of(answer: &Answer) -> Option<CostShape> {
    answer.is_solved().then(|| CostShape(answer.plan().cost()))
}

/// The answer of `solve` and of `plan --json`.
#[derive(Default, Serialize)]
pub(crate) struct AnswerShape<'a> {
    /// The id as it stood in the question; `null` if it has none.
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    outcome: &'static str,
    plan: Option<Vec<&'a str>>,
    cost: Option<CostShape>,
    planner: Option<&'static str>,
    reason: Option<ReasonShape>,
    nodes: u64,
    goal: Option<&'a str>,
    /// The parts of each compound in the plan, if there is one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<&'a str, Vec<&'a str>>,
    /// The kind to choose now of each action in the plan that has kinds, if there is one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    kinds: BTreeMap<&'a str, &'a str>,
}

impl<'a> AnswerShape<'a> {
    pub(crate) fn new(id: Option<&'a RawValue>, npc: &'a Npc, answer: &'a Answer) -> Self {
        let steps = || answer.plan().steps();
        let compounds = steps().filter(|step| !step.parts.is_empty());
        let kind = |step: Step<'a>| Some((step.name, npc.kind_of(step.action)?.name()));
        let map = npc.domain().compiled().map();
        AnswerShape {
            id,
            line: None,
            outcome: outcome_word(answer.outcome()),
            plan: answer.is_solved().then(|| answer.plan().names().collect()),
            cost: cost_of(answer),
            planner: Some(answer.engine().name()),
            reason: ReasonShape::of(answer),
            nodes: answer.nodes(),
            goal: answer.goal().map(|goal| map.goal(goal)),
            parts: compounds.map(|step| (step.name, step.part_names().collect())).collect(),
            kinds: steps().filter_map(kind).collect(),
        }
    }

    pub(crate) fn error(id: Option<&'a RawValue>, line: Option<u64>, reason: ReasonShape) -> Self {
        AnswerShape { id, line, outcome: "error", reason: Some(reason), ..AnswerShape::default() }
    }
}

/// The word for an outcome.
pub fn outcome_word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Plan { .. } => "plan",
        Outcome::Satisfied => "satisfied",
        Outcome::Impossible(_) => "impossible",
        Outcome::GaveUp(_) => "gave_up",
    }
}

/// The exit code for an outcome.
pub(crate) fn exit_code(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Plan { .. } | Outcome::Satisfied => crate::FINE,
        Outcome::Impossible(_) => crate::NO,
        Outcome::GaveUp(_) => crate::LIMIT,
    }
}

/// A mistake in bad input, as `check` lists it; without a place if it is in no file.
#[derive(Clone, Default, Serialize)]
pub struct Mistake {
    /// Which kind of mistake.
    pub code: &'static str,
    /// `error` or `warning`, where both are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<&'static str>,
    /// The file it stands in.
    pub file: Option<String>,
    /// Its line there.
    pub line: Option<u32>,
    /// Its column there.
    pub column: Option<u32>,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub cure: Option<String>,
}

impl Mistake {
    /// One that stands nowhere.
    pub(crate) fn sentence(ReasonShape { code, text }: ReasonShape) -> Mistake {
        Mistake { code, text, ..Mistake::default() }
    }

    /// All errors that a reader found.
    pub(crate) fn all(report: &Report, sources: &Sources) -> Vec<Mistake> {
        let errors = report.diagnostics().iter().filter(|it| it.severity() == Severity::Error);
        errors.map(|it| Mistake::of(it, sources)).collect()
    }

    /// One that a reader found.
    pub(crate) fn of(found: &Diagnostic, sources: &Sources) -> Mistake {
        let place = sources.place(found.span);
        Mistake {
            code: found.code.id(),
            severity: None,
            file: sources.file(found.span.file).map(|file| file.name().to_string()),
            line: Some(place.line),
            column: Some(place.column),
            text: found.text.clone(),
            cure: Some(found.cure.clone()),
        }
    }
}
