//! The shapes of JSON results. Scripts rely on them: keys are only ever added.

use serde::Serialize;
use serde::ser::Serializer;
use std::collections::BTreeMap;
use throng::{Answer, Cost, Npc, Outcome};
use throng_domain::diagnostics::Diagnostic;
use throng_domain::source::Sources;

/// A cost as a number: whole if it is whole.
#[derive(Clone, Copy)]
pub(crate) struct CostNumber(pub(crate) Cost);

impl Serialize for CostNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_whole() {
            true => serializer.serialize_u64(self.0.0 / 1000),
            false => serializer.serialize_f64(self.0.0 as f64 / 1000.0),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct ReasonShape {
    pub(crate) code: String,
    pub(crate) text: String,
}

/// The answer of `solve` and of `plan --json`.
#[derive(Serialize)]
pub(crate) struct AnswerShape<'a> {
    /// The id as it stood in the question.
    pub(crate) id: &'a serde_json::value::RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    pub(crate) outcome: &'static str,
    pub(crate) plan: Option<Vec<&'a str>>,
    pub(crate) cost: Option<CostNumber>,
    pub(crate) planner: Option<&'static str>,
    pub(crate) reason: Option<ReasonShape>,
    pub(crate) nodes: u64,
    pub(crate) goal: Option<&'a str>,
    /// The parts of each compound in the plan, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<BTreeMap<&'a str, Vec<&'a str>>>,
    /// The kind to choose now of each action in the plan that has kinds, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kinds: Option<BTreeMap<&'a str, &'a str>>,
    /// Only if an algorithm as printed was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) printed: Option<PrintedShape<'a>>,
}

/// What an algorithm as printed in a paper answered, right or wrong.
#[derive(Serialize)]
pub(crate) struct PrintedShape<'a> {
    /// Its actions; `null` if it finds no plan.
    pub(crate) plan: Option<Vec<&'a str>>,
    /// Whether they were replayed to the goal; `null` if there are none.
    pub(crate) valid: Option<bool>,
    /// The step that fails, from 1; `null` if all run or there are none.
    pub(crate) failed_step: Option<usize>,
    /// The printed line that gives up, as in `2.4`.
    pub(crate) failed_line: Option<&'static str>,
    /// What the exact planner says where the printed algorithm has no valid plan.
    pub(crate) exact: Option<&'static str>,
    /// With `--trace`, the sheet line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<&'a str>>,
}

impl<'a> AnswerShape<'a> {
    pub(crate) fn new(
        id: &'a serde_json::value::RawValue,
        npc: &'a Npc,
        answer: &'a Answer,
    ) -> Self {
        let domain = npc.domain();
        let steps = || answer.plan().steps();
        let compounds = steps().filter(|step| !step.parts.is_empty());
        let parts: BTreeMap<_, _> =
            compounds.map(|step| (step.name, step.part_names().collect())).collect();
        let kinds = steps().filter_map(|step| Some((step.name, npc.kind_of(step.action)?.name())));
        let kinds: BTreeMap<_, _> = kinds.collect();
        let solved = answer.is_solved();
        let reason = (!solved)
            .then(|| ReasonShape { code: answer.reason_code().to_string(), text: answer.reason() });
        AnswerShape {
            id,
            line: None,
            outcome: outcome_word(answer.outcome()),
            plan: solved.then(|| answer.plan().names().collect()),
            cost: solved.then(|| CostNumber(answer.plan().cost())),
            planner: Some(answer.engine().name()),
            reason,
            nodes: answer.nodes(),
            goal: answer.goal().map(|goal| domain.compiled().map().goal(goal)),
            parts: (!parts.is_empty()).then_some(parts),
            kinds: (!kinds.is_empty()).then_some(kinds),
            printed: None,
        }
    }

    pub(crate) fn error(
        id: &'a serde_json::value::RawValue,
        line: Option<u64>,
        code: &str,
        text: String,
    ) -> Self {
        AnswerShape {
            id,
            line,
            outcome: "error",
            plan: None,
            cost: None,
            planner: None,
            reason: Some(ReasonShape { code: code.to_string(), text }),
            nodes: 0,
            goal: None,
            parts: None,
            kinds: None,
            printed: None,
        }
    }
}

/// The word for an outcome.
pub(crate) fn outcome_word(outcome: &Outcome) -> &'static str {
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

/// One diagnostic of `check --json`.
#[derive(Serialize)]
pub(crate) struct DiagnosticShape<'a> {
    code: &'static str,
    severity: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    cure: &'a str,
}

impl<'a> DiagnosticShape<'a> {
    pub(crate) fn new(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Self {
        let place = sources.place(diagnostic.span);
        DiagnosticShape {
            code: diagnostic.code.id(),
            severity: diagnostic.severity().word(),
            file: sources.file(diagnostic.span.file).map_or("", |file| file.name()),
            line: place.line,
            column: place.column,
            text: &diagnostic.text,
            cure: &diagnostic.cure,
        }
    }
}

/// A mistake in bad input, as `check` lists it; without a place if it is in no file.
#[derive(Clone, Serialize)]
pub struct Mistake {
    /// Which kind of mistake.
    pub code: String,
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
    pub(crate) fn sentence(code: &str, text: String) -> Mistake {
        Mistake { code: code.to_string(), file: None, line: None, column: None, text, cure: None }
    }

    /// One that a reader found.
    pub(crate) fn of(found: &Diagnostic, sources: &Sources) -> Mistake {
        let place = sources.place(found.span);
        Mistake {
            code: found.code.id().to_string(),
            file: sources.file(found.span.file).map(|file| file.name().to_string()),
            line: Some(place.line),
            column: Some(place.column),
            text: found.text.clone(),
            cure: Some(found.cure.clone()),
        }
    }
}
