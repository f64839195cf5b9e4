//! A model as `.npc` text: everything written out, in canonical layout.
//!
//! In:   a [`Model`].
//! Out:  text that reads back to the same compiled domain, or the list of what the language
//!       cannot say (names that came from JSON or PDDL).
//! Cost: linear in the model.

use super::layout::format as lay_out;
use crate::amounts::ShiftEnd;
use crate::formats::notes::{ClauseNotes, statements};
use crate::model::*;
use crate::names;
use crate::notes::{Note, NoteOn};
use crate::number::Cost;
use std::borrow::{Borrow, Cow};
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
    let is_compound = |action: &&Action| !action.parts().is_empty();
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
        check(names::is_npc_about(&variable.name), "variable", &variable.name);
        let words = variable.values.words().unwrap_or_default();
        for value in words.iter().filter(|value| !names::is_npc_value(value)) {
            check(false, &format!("value of `{}`", variable.name), value);
        }
        // `bool` alone is a type, not a value.
        check(words != ["bool"], "only value of a variable", "bool");
        variable.was.iter().for_each(|was| check(names::is_npc_about(was), "former name", was));
    }
    for select in model.selects.iter() {
        check(names::is_npc_name(&select.name), "select", &select.name);
    }
    for check_name in model.checks.iter() {
        check(names::is_npc_about(check_name), "check", check_name);
    }
    let actions = model.actions.iter().map(|a| ("action", a.name(), a.was()));
    let goals = model.goals.iter().map(|g| ("goal", g.name(), g.was()));
    for (what, name, was) in actions.chain(goals) {
        check(names::is_npc_ground_name(name) && compares_amounts(model, name), what, name);
        was.iter().for_each(|was| check(names::is_npc_reference(was), "former name", was));
    }
    for action in model.actions.iter() {
        let legal = is_said_of_amounts(model, action.requires(), action.conditions())
            || !action.shifts().is_empty()
            || !action.parts().is_empty();
        check(legal, "set of words of an action that does not count", &action.name);
    }
    for goal in model.goals.iter() {
        let legal = is_said_of_amounts(model, &goal.wants, goal.conditions());
        check(legal, "set of words of a goal that asks of no amount", &goal.name);
    }
    for action in model.actions.iter().filter(|action| !action.kinds().is_empty()) {
        let kinds = || action.kinds().iter();
        kinds().for_each(|kind| check(names::is_npc_name(&kind.name), "kind", &kind.name));
        // `not` and `and` are words of the language between the checks of kinds.
        let used = action.checks().last().into_iter().chain(kinds().flat_map(|k| &k.checks));
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

/// Whether the text would keep sets of words as sets: it does beside something about an amount.
fn is_said_of_amounts(model: &Model, facts: &[Fact], all: Conditions<'_>) -> bool {
    let is_amount = |id: VariableId| model[id].values.ends().is_some();
    let only_amounts = all.ranges.iter().all(|range| is_amount(range.variable));
    only_amounts || has_amount(model, all) || facts.iter().any(|fact| is_amount(fact.variable))
}

/// Whether something is asked of an amount that is more than one value.
fn has_amount(model: &Model, all: Conditions<'_>) -> bool {
    let is_amount = |range: &Range| model[range.variable].values.ends().is_some();
    !all.comparisons.is_empty() || all.ranges.iter().any(is_amount)
}

/// Whether what a ground name compares are amounts: nothing else can stand so in the text.
fn compares_amounts(model: &Model, name: &str) -> bool {
    let words = name.split_once('(').map_or("", |(_, words)| words);
    let words: Vec<&str> = words.trim_end_matches(')').split(' ').collect();
    let Some(at) = words.iter().position(|word| names::is_comparison(word)) else { return true };
    let before = at.checked_sub(1).and_then(|at| model.find_variable(words[at]));
    before.is_some_and(|id| model[id].values.ends().is_some())
}

struct Writer<'m> {
    model: &'m Model,
    notes: ClauseNotes<'m>,
}

impl Writer<'_> {
    fn variable(&self, variable: &Variable, text: &mut String) {
        let shared = if variable.shared { "shared " } else { "" };
        let values = values(self.model, variable);
        let _ = write!(text, "{shared}var {}: {values}", variable.name);
        clause(text, "was", &variable.was);
        text.push('\n');
    }

    fn action(&mut self, action: &Action, text: &mut String) {
        let asked = self.model.asked_ranges(action);
        let counts = !action.shifts().is_empty();
        let spread = self.spread_fact(action.requires(), &asked, action.comparisons(), counts);
        let required = |variable| action.requires().iter().find(|fact| fact.variable == variable);
        let mut effects: Vec<(VariableId, String)> = Vec::new();
        for &set in action.sets() {
            let (variable, to) = self.model.fact_names(set);
            let from = required(set.variable).filter(|&&from| Some(from) != spread);
            effects.push((
                set.variable,
                match from {
                    Some(&from) => format!("{variable} {} -> {to}", self.model.fact_names(from).1),
                    None => format!("{variable} -> {to}"),
                },
            ));
        }
        effects.extend(action.shifts().iter().map(|it| (it.variable, self.shift(it))));
        effects.sort_by_key(|(variable, _)| *variable);
        let effects: Vec<String> = effects.into_iter().map(|(_, text)| text).collect();
        let _ = write!(text, "action {}: {}", action.name, effects.join(", "));
        let is_set = |fact: &&Fact| {
            Some(**fact) != spread && action.sets().iter().any(|set| set.variable == fact.variable)
        };
        let during = action.requires().iter().filter(|fact| !is_set(fact)).copied();
        clause(text, "while", &self.conditions(during, &asked, action.comparisons(), spread));
        let notes = self.notes.take(NoteOn::Action, &action.name);
        self.clauses(action, &notes, text);
    }

    /// `hp += 10 up to 100`.
    fn shift(&self, Shift { variable, by }: &Shift) -> String {
        let Variable { name, values, .. } = &self.model[*variable];
        let (sign, word) = if by.by < 0 { ("-=", "down") } else { ("+=", "up") };
        let stop = match by.end {
            ShiftEnd::Refuse => String::new(),
            ShiftEnd::Stop(at) => format!(" {word} to {}", values.name_of(at.into())),
        };
        format!("{name} {sign} {}{stop}", by.by.unsigned_abs())
    }

    /// The value of an amount that is written as two conditions, so that sets of words stay sets:
    /// they do beside something that is asked of an amount. Nothing, if there is something already.
    fn spread_fact(
        &self,
        facts: &[Fact],
        ranges: &[Range],
        comparisons: &[Comparison],
        counts: bool,
    ) -> Option<Fact> {
        let has_amount = has_amount(self.model, Conditions { facts: &[], ranges, comparisons });
        let is_amount = |fact: &&Fact| self.model[fact.variable].values.ends().is_some();
        let needs = !ranges.is_empty() && !has_amount && !counts;
        facts.iter().find(is_amount).filter(|_| needs).copied()
    }

    fn conditions(
        &self,
        facts: impl Iterator<Item = Fact>,
        ranges: &[Range],
        comparisons: &[Comparison],
        spread: Option<Fact>,
    ) -> Vec<String> {
        let mut all = Vec::new();
        for fact in facts {
            let (variable, value) = self.model.fact_names(fact);
            all.push(match Some(fact) == spread {
                true => format!("{variable} >= {value}, {variable} <= {value}"),
                false => format!("{variable} = {value}"),
            });
        }
        all.extend(ranges.iter().map(|range| {
            let Variable { name, values, .. } = &self.model[range.variable];
            values.condition(name, &range.values)
        }));
        all.extend(comparisons.iter().map(|it| {
            let [left, right] = [it.variable, it.other].map(|id| &self.model[id].name);
            format!("{left} {} {right}", it.relation.sign())
        }));
        all
    }

    fn compound(&mut self, action: &Action, text: &mut String) {
        let _ = write!(text, "compound {}: {}", action.name, self.names(action.parts()).join(", "));
        let notes = self.notes.take(NoteOn::Action, &action.name);
        self.clauses(action, &notes, text);
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
        let checks = self.checks(action.checks());
        // A check called `not` would negate the word after it: let nothing follow.
        let ends_in_not = checks.last().is_some_and(|last| last == "not");
        if !ends_in_not {
            clause(text, "if", &checks);
        }
        if action.says_cost() {
            let _ = write!(text, "  cost {}", action.cost);
        }
        clause(text, "overrides", &self.names(action.overrides()));
        if action.variant > 1 {
            let _ = write!(text, "  variant {}", action.variant);
        }
        clause(text, "was", action.was());
        note_clauses(text, notes);
        if ends_in_not {
            clause(text, "if", &checks);
        }
        // Last: an `if` or `cost` behind a kind is the kind's own.
        let kinds: Vec<String> = action.kinds().iter().map(|kind| self.kind(kind)).collect();
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
        let Goal { wants, ranges, comparisons, .. } = goal;
        let spread = self.spread_fact(wants, ranges, comparisons, false);
        let wants = self.conditions(wants.iter().copied(), ranges, comparisons, spread).join(", ");
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
            Target::Conditions(Wants { facts, ranges, comparisons }) => {
                let facts = facts.iter().copied();
                clause(text, "to", &self.conditions(facts, ranges, comparisons, None));
            }
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

    /// Names of actions; that of several variants, which come together, once.
    fn names(&self, actions: &[ActionId]) -> Vec<&str> {
        let first = actions.iter().filter(|&&id| self.model[id].variant == 1);
        first.map(|&id| self.model[id].name()).collect()
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

/// `bool`, `0..6` of an amount, or the list.
fn values(model: &Model, variable: &Variable) -> String {
    let Some(words) = variable.values.words() else { return format!("{:?}", variable.values) };
    if variable.is_bool() {
        return "bool".to_string();
    }
    let mut all: Vec<Cow<'_, str>> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let group = variable.picks.iter().find(|(first, _)| first.index() == at);
        let group = group.map(|(_, select)| &model[*select]);
        at += group.map_or(1, Select::n_slots);
        all.push(match group {
            Some(select) => Cow::Owned(format!("any {}", select.name())),
            None => Cow::Borrowed(word),
        });
    }
    all.join(", ")
}
