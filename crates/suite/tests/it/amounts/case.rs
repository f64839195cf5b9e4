//! A random domain with amounts, and a question about it.

use super::{Tally, note};
use throng::check::{CheckContext, Question, Wanted};
use throng::prelude::*;
use throng::{GoalId, Target};
use throng_base::SplitMix;
use throng_domain::model::{Conditions, Range, Wants};
use throng_domain::{Code, Format, Model, Severity, ValueSet};
use throng_lab::corpus::load_text;
use throng_suite::random::stated::{
    CHECKS, COMPOUND, ChangeKind, Compound, Ground, State, Stated, Statement,
};
use throng_suite::what_if::WhatIf;

/// More states than these are left to others.
pub(super) const MOST_STATES: usize = 2_000;

/// A question that takes more than these is given up, and counted.
pub(super) const MOST_NODES: u64 = 50_000;

/// A question with that limit.
pub(super) fn limited(target: Target) -> Request {
    Request::new(target).max_nodes(MOST_NODES)
}

pub(super) struct Case {
    pub(super) seed: u64,
    pub(super) stated: Stated,
    pub(super) domain: Domain,
    /// What holds at first.
    pub(super) start: State,
    /// The answers to the checks.
    pub(super) answers: Vec<bool>,
}

/// Why a domain of possible statements may still be refused: what it asks of one variable lies in
/// too many places.
const TOO_MUCH: [Code; 1] = [Code::TooManyParts];

impl Case {
    /// The case of a seed; `None` if nothing is left of its domain, or it asks for too much.
    pub(super) fn of(seed: u64, tally: &mut Tally) -> Option<Case> {
        let mut dice = SplitMix::new(seed);
        let mut stated = match seed % 2 {
            0 => Stated::any_counting(&mut dice),
            _ => Stated::any_recipes(&mut dice),
        };
        stated.keep_possible();
        if stated.statements.is_empty() || stated.goals.is_empty() {
            return None;
        }
        let plain = load(&stated.text(), seed, tally)?;
        let domain = with_compound(&mut stated, plain, &mut dice);
        let start = match seed % 2 {
            0 => stated.any_state(&mut dice),
            _ => stated.poor_state(&mut dice),
        };
        let answers = (0..CHECKS).map(|_| dice.percent(75)).collect();
        let case = Case { seed, stated, domain, start, answers };
        case.note(tally);
        Some(case)
    }

    pub(super) fn model(&self) -> &Model {
        self.domain.model()
    }

    /// What the domain has, of all that should meet.
    fn note(&self, tally: &mut Tally) {
        let (model, stated) = (self.model(), &self.stated);
        let text = stated.text();
        let actions = || model.actions().iter();
        let conditions = || actions().map(|it| it.conditions());
        let goals = || model.goals().iter().map(|it| it.conditions());
        let amounts = || stated.variables.iter().filter(|it| it.is_amount);
        let is_of_words =
            |it: &Range| model.variables()[it.variable.index()].values().ends().is_none();
        note(tally, "domains", true);
        for (what, has) in [
            ("shifts", actions().any(|it| !it.shifts().is_empty())),
            ("stops", text.contains("up to") || text.contains("down to")),
            ("sets", conditions().chain(goals()).any(|it| !it.ranges.is_empty())),
            ("holes", conditions().any(|it| it.ranges.iter().any(|it| it.values.runs().len() > 1))),
            ("comparisons", conditions().chain(goals()).any(|it| !it.comparisons.is_empty())),
            ("or", text.contains(" or ")),
            ("not", text.contains("not (")),
            ("templates", text.contains("(p0 in")),
            ("kinds", text.contains("kinds ")),
            ("overrides", text.contains("overrides ")),
            ("compounds", stated.compound.is_some()),
            ("checks", text.contains(" if ")),
            ("shared", text.contains("shared ")),
            ("preferences", text.contains("prefer ")),
            ("several types", text.contains("npc other")),
            ("lists that count", stated.variables.iter().any(|it| it.counts && !it.is_amount)),
            ("goals with alternatives", model.goals().iter().any(|it| it.serves().is_some())),
            ("unknown starts", self.start.contains(&None)),
            ("negative ranges", amounts().any(|it| it.number(0) < 0)),
            ("ranges of one number", amounts().any(|it| it.values.len() == 1)),
            ("stops inside", stated.statements.iter().any(|it| self.stops_inside(it))),
            ("standing conditions", self.has_standing()),
            ("sets of words", conditions().any(|it| it.ranges.iter().any(is_of_words))),
            ("compounds that count", actions().any(|it| !it.parts().is_empty() && it.counts())),
        ] {
            note(tally, what, has);
        }
    }

    /// Whether a change stops at a number that is no end of the range.
    fn stops_inside(&self, statement: &Statement) -> bool {
        statement.changes.iter().any(|change| match change.kind {
            ChangeKind::Count { stop: Some(stop), .. } => {
                let variable = &self.stated.variables[change.variable];
                stop != variable.number(0) && stop != variable.number(variable.values.len() - 1)
            }
            _ => false,
        })
    }

    /// Whether an action asks for a set of values of what nothing that the NPC can do changes.
    fn has_standing(&self) -> bool {
        let model = self.model();
        let can = || model.npcs()[0].can().iter().map(|id| &model.actions()[id.index()]);
        let changes = |variable| can().any(|it| it.changed().any(|other| other == variable));
        can().any(|it| it.ranges().iter().any(|range| !changes(range.variable)))
    }

    /// The NPC that asks.
    pub(super) fn npc(&self) -> Npc {
        npc(&self.domain, &self.stated, &self.start, &self.answers)
    }

    /// Variables and values, and the variables that have none.
    pub(super) fn from(&self) -> (Vec<(String, String)>, Vec<String>) {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for (variable, value) in self.stated.variables.iter().zip(&self.start) {
            match value {
                Some(at) => known.push((variable.name.clone(), variable.values[*at].clone())),
                None => unknown.push(variable.name.clone()),
            }
        }
        (known, unknown)
    }

    /// The checks that fail, of those that some action asks for.
    pub(super) fn failing(&self) -> Vec<String> {
        failing(&self.domain, &self.answers)
    }

    /// The question without a goal, in numbers.
    pub(super) fn world(&self) -> WhatIf {
        let ((from, unknown), failing) = (self.from(), self.failing());
        let context = CheckContext::Without(&failing);
        let question =
            Question { npc: "n", from: &from, unknown: &unknown, context, ..Question::default() };
        WhatIf::of(self.model(), &question).unwrap()
    }

    /// The goals that a target may be reached by, in words.
    pub(super) fn alternatives(&self, target: &Target) -> Vec<Vec<Wanted>> {
        let model = self.model();
        let of = |goal: &GoalId| Wanted::of(model, model.goals()[goal.index()].conditions());
        match target {
            Target::Goal(goal) => vec![of(goal)],
            Target::Any(goals) => goals.iter().map(of).collect(),
            Target::Conditions(wants) => vec![Wanted::of(model, wants.conditions())],
            Target::Best => panic!("nobody says what the best goal is"),
        }
    }

    /// The goal `g0`, `g1` …, or any of its alternatives.
    pub(super) fn goal(&self, at: usize) -> Target {
        self.domain.goal_target(&format!("g{at}")).unwrap()
    }

    /// Sets of values of one or two variables, in no goal of the file.
    pub(super) fn any_wants(&self, dice: &mut SplitMix) -> Target {
        let mut wants = Wants::default();
        let count = dice.within(1, 2);
        let variables = dice.some_of(self.stated.variables.len(), count);
        for at in variables {
            let n_values = self.stated.variables[at].values.len() as u16;
            let variable = self.domain.variable_at(at).unwrap();
            let (a, b) = (dice.below(n_values.into()) as u16, dice.below(n_values.into()) as u16);
            let values = match dice.below(4) {
                0 => ValueSet::run(a.min(b), a.max(b)),
                1 => ValueSet::one(a).others(n_values).unwrap(),
                2 => ValueSet::one(a.min(b)).either(&ValueSet::one(a.max(b))).unwrap(),
                _ => ValueSet::run(a, n_values - 1),
            };
            match values.only() {
                None if values.is_empty() => {}
                None => wants.ranges.push(Range { variable, values }),
                Some(only) => wants.facts.push(self.domain.fact_at(at, only.into()).unwrap()),
            }
        }
        wants.ranges.sort_unstable();
        wants.facts.sort_unstable();
        Target::Conditions(wants)
    }

    /// For messages.
    pub(super) fn place(&self) -> String {
        let (seed, start, answers) = (self.seed, self.from().0, &self.answers);
        format!("seed {seed} from {start:?}, checks {answers:?}\n{}", self.stated.text())
    }
}

/// An NPC of a domain, or of a twin whose values have other names.
pub(super) fn npc(domain: &Domain, stated: &Stated, start: &State, answers: &[bool]) -> Npc {
    let mut npc = Npc::new(domain, "n").unwrap();
    for (variable, value) in stated.variables.iter().zip(start) {
        match value {
            Some(at) => npc.set(&variable.name, &variable.values[*at]).unwrap(),
            None => npc.forget(&variable.name).unwrap(),
        }
    }
    for check in failing(domain, answers) {
        npc.set_check(&check, false).unwrap();
    }
    npc
}

fn failing(domain: &Domain, answers: &[bool]) -> Vec<String> {
    let names = (0..answers.len()).filter(|at| !answers[*at]).map(|at| format!("c{at}"));
    names.filter(|name| domain.check(name).is_ok()).collect()
}

/// Loads a domain of possible statements; `None` if it asks for too much.
pub(super) fn load(text: &str, seed: u64, tally: &mut Tally) -> Option<Domain> {
    let loaded = load_text(text, Format::Npc);
    let errors = loaded.report.diagnostics().iter();
    let errors = errors.filter(|found| found.severity() == Severity::Error);
    let errors: Vec<_> = errors.map(|found| (found.code, found.text.clone())).collect();
    let is_too_much = errors.iter().any(|(code, _)| TOO_MUCH.contains(code));
    note(tally, "refused for asking too much", is_too_much);
    if is_too_much {
        return None;
    }
    assert!(errors.is_empty(), "seed {seed}: {errors:?}\n{text}");
    Some(Domain::from_loaded(loaded).unwrap())
}

/// Often with a compound of some of its actions, if one can be had.
fn with_compound(stated: &mut Stated, plain: Domain, dice: &mut SplitMix) -> Domain {
    if !dice.percent(40) {
        return plain;
    }
    for _ in 0..4 {
        let Some(compound) = any_compound(stated, &plain, dice) else { continue };
        stated.compound = Some(compound);
        // Parts that cannot follow each other are refused, and so is what has no one form.
        if let Ok(domain) = Domain::from_loaded(load_text(&stated.text(), Format::Npc)) {
            return domain;
        }
        stated.compound = None;
    }
    plain
}

/// Two or three actions of the domain that ask for no opposite checks.
fn any_compound(stated: &Stated, domain: &Domain, dice: &mut SplitMix) -> Option<Compound> {
    let actions = domain.model().actions();
    let mut compound = Compound { names: Vec::new(), parts: Vec::new(), cost: None };
    for _ in 0..dice.within(2, 3) {
        let name = dice.pick(actions).name();
        let part = stated.deed(name)?.remove(0);
        let of = |part: &Ground| &stated.statements[part.statement];
        let opposite = of(&part).check.is_some_and(|(check, answer)| {
            compound.parts.iter().any(|other| of(other).check == Some((check, !answer)))
        });
        if !opposite && of(&part).kinds.is_empty() {
            compound.names.push(name.to_string());
            compound.parts.push(part);
        }
    }
    compound.cost = dice.percent(50).then_some(700);
    (compound.parts.len() > 1).then_some(compound)
}

/// What an NPC has to pay for a step, by the number of the action.
pub(super) fn prices(npc: &Npc) -> Vec<u64> {
    let actions = npc.domain().model().actions().iter();
    let price = |name: &str| npc.cost(npc.domain().action(name).unwrap());
    actions.map(|action| price(action.name()).map_or(u64::MAX >> 20, |cost| cost.0)).collect()
}

/// Whether the name of a step is that of the compound.
pub(super) fn is_compound(name: &str) -> bool {
    name == COMPOUND
}

/// Whether conditions hold of a model's goal, for messages and counts.
pub(super) fn counts(conditions: Conditions<'_>) -> bool {
    !conditions.ranges.is_empty() || !conditions.comparisons.is_empty()
}
