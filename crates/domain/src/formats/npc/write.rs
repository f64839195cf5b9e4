//! A model as `.npc` text: everything written out, in canonical layout.
//!
//! In:   a [`Model`].
//! Out:  text that reads back to the same compiled domain, or the list of what the language
//!       cannot say (names that came from JSON or PDDL).
//! Cost: linear in the model.

use super::layout::format as lay_out;
use crate::formats::notes::{ClauseNotes, statements};
use crate::model::*;
use crate::names;
use crate::notes::{Note, NoteOn};
use crate::number::Cost;
use std::borrow::Borrow;
use std::fmt::Write as _;

/// Something in a model that `.npc` text cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressError {
    /// What it is: `variable`, `value of …`, `action` …
    pub what: String,
    /// Its name.
    pub name: String,
}

/// Writes a model as `.npc` text.
///
/// # Errors
///
/// Everything that cannot be said in `.npc`, all at once.
pub fn write(model: &Model) -> Result<String, Vec<ExpressError>> {
    let problems = inexpressible(model);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut text = format!("domain {}\n\n", model.name);
    let mut writer = Writer { model, notes: ClauseNotes::of(model) };
    model.variables.iter().for_each(|variable| writer.variable(variable, &mut text));
    text.push('\n');
    let is_compound = |action: &&Action| !action.parts.is_empty();
    let plain = model.actions.iter().filter(|action| !is_compound(action));
    plain.for_each(|action| writer.action(action, &mut text));
    let compounds = model.actions.iter().filter(is_compound);
    compounds.for_each(|action| writer.compound(action, &mut text));
    text.push('\n');
    model.goals.iter().for_each(|goal| writer.goal(goal, &mut text));
    model.preferences.iter().for_each(|preference| writer.preference(preference, &mut text));
    model.npcs.iter().filter(|npc| !npc.implicit).for_each(|npc| writer.npc(npc, &mut text));
    model.tests.iter().for_each(|test| writer.test(test, &mut text));
    text.push('\n');
    statements(model).for_each(|note| text.push_str(&format!("{}\n", note.text())));
    // The names were checked, so the text parses; if not, the plain text says the same.
    Ok(lay_out(&text, &model.note_words).unwrap_or(text))
}

fn inexpressible(model: &Model) -> Vec<ExpressError> {
    let mut problems = Vec::new();
    let mut check = |legal: bool, what: &str, name: &str| {
        if !legal {
            problems.push(ExpressError { what: what.to_string(), name: name.to_string() });
        }
    };
    check(names::is_npc_name(&model.name), "domain", &model.name);
    for variable in model.variables.iter() {
        check(names::is_npc_name(&variable.name), "variable", &variable.name);
        for value in variable.values.iter().filter(|value| !names::is_npc_value(value)) {
            check(false, &format!("value of `{}`", variable.name), value);
        }
        // `bool` alone is a type, not a value.
        check(variable.values != ["bool"], "only value of a variable", "bool");
        variable.was.iter().for_each(|was| check(names::is_npc_name(was), "former name", was));
    }
    for check_name in model.checks.iter() {
        check(names::is_npc_name(check_name), "check", check_name);
    }
    let actions = model.actions.iter().map(|a| ("action", &a.name, &a.was));
    let goals = model.goals.iter().map(|g| ("goal", &g.name, &g.was));
    for (what, name, was) in actions.chain(goals) {
        check(names::is_npc_ground_name(name), what, name);
        was.iter().for_each(|was| check(names::is_npc_reference(was), "former name", was));
    }
    for action in model.actions.iter().filter(|action| !action.kinds.is_empty()) {
        let kinds = || action.kinds.iter();
        kinds().for_each(|kind| check(names::is_npc_name(&kind.name), "kind", &kind.name));
        // `not` and `and` are words of the language between the checks of kinds.
        let used = action.checks.last().into_iter().chain(kinds().flat_map(|k| &k.checks));
        let named = used.map(|used| model[used.check].as_str());
        named.filter(|name| matches!(*name, "not" | "and")).for_each(|name| {
            check(false, "check of an action with kinds", name);
        });
    }
    for served in model.goals.iter().filter_map(Goal::serves) {
        check(names::is_npc_reference(served), "goal that others serve", served);
    }
    for npc in model.npcs.iter() {
        check(names::is_npc_name(&npc.name), "NPC type", &npc.name);
        npc.was.iter().for_each(|was| check(names::is_npc_name(was), "former name", was));
    }
    for test in model.tests.iter() {
        check(names::is_npc_name(&test.name), "test", &test.name);
    }
    problems
}

struct Writer<'m> {
    model: &'m Model,
    notes: ClauseNotes<'m>,
}

impl Writer<'_> {
    fn variable(&self, variable: &Variable, text: &mut String) {
        let shared = if variable.shared { "shared " } else { "" };
        let values = values(variable);
        let _ = write!(text, "{shared}var {}: {values}", variable.name);
        clause(text, "was", &variable.was);
        text.push('\n');
    }

    fn action(&mut self, action: &Action, text: &mut String) {
        let required = |variable| action.requires.iter().find(|fact| fact.variable == variable);
        let effects: Vec<String> = action
            .sets
            .iter()
            .map(|&set| {
                let (variable, to) = self.model.fact_names(set);
                match required(set.variable) {
                    Some(&from) => format!("{variable} {} -> {to}", self.model.fact_names(from).1),
                    None => format!("{variable} -> {to}"),
                }
            })
            .collect();
        let _ = write!(text, "action {}: {}", action.name, effects.join(", "));
        let is_set = |fact: &&Fact| action.sets.iter().any(|set| set.variable == fact.variable);
        let during = action.requires.iter().filter(|fact| !is_set(fact)).copied();
        clause(text, "while", &self.facts(during));
        let notes = self.notes.take(NoteOn::Action, &action.name);
        self.clauses(action, &notes, text);
    }

    fn compound(&self, action: &Action, text: &mut String) {
        let _ = write!(text, "compound {}: {}", action.name, self.names(&action.parts).join(", "));
        self.clauses(action, &[], text);
    }

    fn preference(&self, preference: &OrderPreference, text: &mut String) {
        let [before, after] =
            [&preference.before, &preference.after].map(|ids| self.names(ids).join(", "));
        let _ = writeln!(text, "\nprefer {before} before {after}");
    }

    fn checks(&self, checks: &[CheckUse]) -> Vec<String> {
        let check = |used: &CheckUse| {
            let name = &self.model[used.check];
            if used.expected { name.clone() } else { format!("not {name}") }
        };
        checks.iter().map(check).collect()
    }

    /// The clauses that actions and compounds have, and the end of the line.
    fn clauses(&self, action: &Action, notes: &[&Note], text: &mut String) {
        let checks = self.checks(&action.checks);
        // A check called `not` would negate the word after it: let nothing follow.
        let ends_in_not = checks.last().is_some_and(|last| last == "not");
        if !ends_in_not {
            clause(text, "if", &checks);
        }
        if action.says_cost() {
            let _ = write!(text, "  cost {}", action.cost);
        }
        clause(text, "overrides", &self.names(&action.overrides));
        clause(text, "was", &action.was);
        note_clauses(text, notes);
        if ends_in_not {
            clause(text, "if", &checks);
        }
        // Last: an `if` or `cost` behind a kind is the kind's own.
        let kinds: Vec<String> = action.kinds.iter().map(|kind| self.kind(kind)).collect();
        clause(text, "kinds", &kinds);
        text.push('\n');
    }

    fn kind(&self, kind: &ActionKind) -> String {
        let mut text = kind.name.clone();
        if kind.cost != Cost::ONE {
            let _ = write!(text, " cost {}", kind.cost);
        }
        if !kind.checks.is_empty() {
            let _ = write!(text, " if {}", self.checks(&kind.checks).join(" and "));
        }
        text
    }

    fn goal(&mut self, goal: &Goal, text: &mut String) {
        let wants = self.facts(goal.wants.iter().copied()).join(", ");
        let _ = write!(text, "goal {}: {wants}", goal.name);
        if let Some(serves) = &goal.serves {
            let _ = write!(text, "  serves {serves}");
        }
        if goal.priority != Cost::ONE {
            let _ = write!(text, "  priority {}", goal.priority);
        }
        clause(text, "was", &goal.was);
        note_clauses(text, &self.notes.take(NoteOn::Goal, &goal.name));
        text.push('\n');
    }

    fn npc(&mut self, npc: &NpcType, text: &mut String) {
        let _ = write!(text, "\nnpc {}", npc.name);
        clause(text, "can", &self.names(&npc.can));
        let wants: Vec<&str> = npc.wants.iter().map(|&id| self.model[id].name()).collect();
        clause(text, "wants", &wants);
        clause(text, "starts", &self.facts(npc.starts.iter().copied()));
        clause(text, "was", &npc.was);
        note_clauses(text, &self.notes.take(NoteOn::Npc, &npc.name));
        text.push('\n');
    }

    fn test(&self, test: &Test, text: &mut String) {
        let npc = &self.model[test.npc];
        let _ = write!(text, "\ntest {}", test.name);
        if !npc.implicit {
            let _ = write!(text, ": {}", npc.name);
        }
        clause(text, "from", &self.facts(test.from.iter().copied()));
        match &test.ask {
            Target::Best => {}
            Target::Goal(goal) => clause(text, "goal", &[self.model[*goal].name()]),
            Target::Any(goals) => clause(text, "goal", &[self.model.served_name(goals)]),
            Target::Facts(facts) => clause(text, "to", &self.facts(facts.iter().copied())),
        }
        let named = |checks: &[CheckId]| -> Vec<&str> {
            checks.iter().map(|&id| self.model[id].as_str()).collect()
        };
        match &test.context {
            TestContext::Without(checks) => clause(text, "without", &named(checks)),
            // A bare `only` must end its line, or the next word would be its check.
            TestContext::Only(checks) if checks.is_empty() => text.push_str("  only"),
            TestContext::Only(checks) => clause(text, "only", &named(checks)),
        }
        for (expect, _) in &test.expects {
            text.push_str("\n    expect ");
            let _ = match expect {
                Expect::Length(length) => write!(text, "length {length}"),
                Expect::Cost(cost) => write!(text, "cost {cost}"),
                Expect::Plan(plan) => write!(text, "plan {}", plan.join(", ")),
                Expect::Impossible => write!(text, "impossible"),
                Expect::Satisfied => write!(text, "satisfied"),
                Expect::Never(action) => write!(text, "never {action}"),
            };
        }
        text.push('\n');
    }

    fn facts(&self, facts: impl Iterator<Item = Fact>) -> Vec<String> {
        let words = |fact| {
            let (variable, value) = self.model.fact_names(fact);
            format!("{variable} = {value}")
        };
        facts.map(words).collect()
    }

    fn names(&self, actions: &[ActionId]) -> Vec<&str> {
        actions.iter().map(|&id| self.model[id].name()).collect()
    }
}

/// Adds a clause, if it has anything to say; the layout decides about lines.
fn clause<S: Borrow<str>>(text: &mut String, word: &str, items: &[S]) {
    if !items.is_empty() {
        let _ = write!(text, "  {word} {}", items.join(", "));
    }
}

/// Adds the clauses that are notes.
fn note_clauses(text: &mut String, notes: &[&Note]) {
    notes.iter().for_each(|note| text.push_str(&format!("  {}", note.text())));
}

/// `bool`, `0..6`, or the list, as which two numbers are written too.
fn values(variable: &Variable) -> String {
    let range = names::as_range(&variable.values).filter(|_| variable.values.len() > 2);
    match variable.is_bool() {
        true => "bool".to_string(),
        false => range.unwrap_or_else(|| variable.values.join(", ")),
    }
}
