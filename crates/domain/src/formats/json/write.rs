//! A model as the JSON twin, version 1.
//!
//! In:   a [`Model`].
//! Out:  text with one variable, action, goal, NPC type or test a line: small diffs.
//! Cost: linear in the model.

use crate::formats::notes::{ClauseNotes, statements};
use crate::model::*;
use crate::notes::{Note, NoteOn};
use crate::number::Cost;

/// A text in quotes, escaped.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if (c as u32) < 0x20 => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a model as JSON text.
pub fn write(model: &Model) -> String {
    let writer = Writer { model };
    let mut sections = vec![
        format!("{{\"throng\": 1, \"domain\": {}", quote(&model.name)),
        section("variables", model.variables.iter().map(|v| writer.variable(v))),
        section("actions", model.actions.iter().map(|a| writer.action(a))),
    ];
    if !model.goals.is_empty() {
        sections.push(section("goals", model.goals.iter().map(|g| writer.goal(g))));
    }
    if !model.wishes.is_empty() {
        sections.push(section("prefer", model.wishes.iter().map(|wish| writer.wish(wish))));
    }
    let mut npcs = model.npcs.iter().filter(|npc| !npc.is_implicit()).peekable();
    if npcs.peek().is_some() {
        sections.push(section("npcs", npcs.map(|npc| writer.npc(npc))));
    }
    if !model.tests.is_empty() {
        sections.push(section("tests", model.tests.iter().map(|t| writer.test(t))));
    }
    let notes = notes(model);
    if !notes.is_empty() {
        sections.push(section("notes", notes.into_iter().map(note)));
    }
    let mut text = sections.join(",\n");
    text.push_str("}\n");
    text
}

fn section(key: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.map(|item| format!("\n  {item}")).collect();
    format!(" {}: [{}]", quote(key), items.join(","))
}

/// All notes in the order in which `.npc` text has them, so that both twins agree.
fn notes(model: &Model) -> Vec<&Note> {
    let mut clauses = ClauseNotes::of(model);
    let mut notes = Vec::with_capacity(model.notes.len());
    let plain = model.actions.iter().filter(|action| action.parts.is_empty());
    plain.for_each(|action| notes.extend(clauses.take(NoteOn::Action, &action.name)));
    model.goals.iter().for_each(|goal| notes.extend(clauses.take(NoteOn::Goal, &goal.name)));
    model.npcs.iter().for_each(|npc| notes.extend(clauses.take(NoteOn::Npc, &npc.name)));
    notes.extend(statements(model));
    notes
}

fn note(note: &Note) -> String {
    let on = note.on.owner().map(|(kind, name)| format!("{kind} {name}"));
    let mut members: Vec<(&str, String)> = on.iter().map(|on| ("on", quote(on))).collect();
    members.push(("text", quote(&note.text())));
    object(&members)
}

/// `{"key": value, …}` from ready values.
fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!("{}: {value}", quote(key))).collect();
    format!("{{{}}}", members.join(", "))
}

fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", texts.map(quote).collect::<Vec<_>>().join(", "))
}

struct Writer<'m> {
    model: &'m Model,
}

impl Writer<'_> {
    fn variable(&self, variable: &Variable) -> String {
        let mut members = vec![
            ("name", quote(&variable.name)),
            ("values", texts(variable.values.iter().map(String::as_str))),
        ];
        if variable.shared {
            members.push(("shared", "true".to_string()));
        }
        push_was(&mut members, &variable.was);
        object(&members)
    }

    fn action(&self, action: &Action) -> String {
        let mut members = vec![
            ("name", quote(&action.name)),
            ("requires", self.facts(&action.requires)),
            ("sets", self.facts(&action.sets)),
        ];
        let has_default_cost = action.parts.is_empty() && action.kinds.is_empty();
        if action.cost != Cost::ONE || !has_default_cost {
            members.push(("cost", action.cost.to_string()));
        }
        if !action.checks.is_empty() {
            members.push(("if", self.checks(&action.checks)));
        }
        if !action.parts.is_empty() {
            members.push(("parts", self.action_names(&action.parts)));
        }
        if !action.kinds.is_empty() {
            let kinds: Vec<String> = action.kinds.iter().map(|kind| self.kind(kind)).collect();
            members.push(("kinds", format!("[{}]", kinds.join(", "))));
        }
        if !action.overrides.is_empty() {
            members.push(("overrides", self.action_names(&action.overrides)));
        }
        push_was(&mut members, &action.was);
        object(&members)
    }

    fn checks(&self, checks: &[CheckUse]) -> String {
        let check = |used: &CheckUse| {
            let name = &self.model.checks[used.check.index()];
            quote(&if used.expected { name.clone() } else { format!("!{name}") })
        };
        format!("[{}]", checks.iter().map(check).collect::<Vec<_>>().join(", "))
    }

    fn kind(&self, kind: &ActionKind) -> String {
        let mut members = vec![("name", quote(&kind.name))];
        if !kind.checks.is_empty() {
            members.push(("if", self.checks(&kind.checks)));
        }
        if kind.cost != Cost::ONE {
            members.push(("cost", kind.cost.to_string()));
        }
        object(&members)
    }

    /// A wish: two sides, each one name or a list.
    fn wish(&self, wish: &Wish) -> String {
        let side = |ids: &[ActionId]| match ids {
            [one] => quote(&self.model.actions[one.index()].name),
            several => self.action_names(several),
        };
        format!("[{}, {}]", side(&wish.before), side(&wish.after))
    }

    fn goal(&self, goal: &Goal) -> String {
        let mut members = vec![("name", quote(&goal.name)), ("wants", self.facts(&goal.wants))];
        if let Some(serves) = &goal.serves {
            members.push(("serves", quote(serves)));
        }
        if goal.priority != Cost::ONE {
            members.push(("priority", goal.priority.to_string()));
        }
        push_was(&mut members, &goal.was);
        object(&members)
    }

    fn npc(&self, npc: &NpcType) -> String {
        let goals = npc.wants.iter().map(|id| self.model.goals[id.index()].name.as_str());
        let mut members = vec![
            ("name", quote(&npc.name)),
            ("can", self.action_names(&npc.can)),
            ("wants", texts(goals)),
            ("starts", self.facts(&npc.starts)),
        ];
        push_was(&mut members, &npc.was);
        object(&members)
    }

    fn test(&self, test: &Test) -> String {
        let mut members = vec![("name", quote(&test.name))];
        let npc = &self.model.npcs[test.npc.index()];
        if !npc.is_implicit() {
            members.push(("npc", quote(&npc.name)));
        }
        members.push(("from", self.facts(&test.from)));
        match &test.ask {
            Target::Best => {}
            Target::Goal(goal) => {
                members.push(("goal", quote(&self.model.goals[goal.index()].name)))
            }
            Target::Any(goals) => members.push(("goal", quote(self.model.served_name(goals)))),
            Target::Facts(facts) => members.push(("to", self.facts(facts))),
        }
        let named = |checks: &[CheckId]| {
            texts(checks.iter().map(|id| self.model.checks[id.index()].as_str()))
        };
        match &test.context {
            TestContext::Without(checks) if checks.is_empty() => {}
            TestContext::Without(checks) => members.push(("without", named(checks))),
            TestContext::Only(checks) => members.push(("only", named(checks))),
        }
        let expects: Vec<String> = test.expects.iter().map(|(e, _)| expectation(e)).collect();
        members.push(("expect", format!("[{}]", expects.join(", "))));
        object(&members)
    }

    fn facts(&self, facts: &[Fact]) -> String {
        let fact = |&fact: &Fact| {
            let (variable, value) = self.model.fact_names(fact);
            format!("{}: {}", quote(variable), quote(value))
        };
        format!("{{{}}}", facts.iter().map(fact).collect::<Vec<_>>().join(", "))
    }

    fn action_names(&self, actions: &[ActionId]) -> String {
        texts(actions.iter().map(|id| self.model.actions[id.index()].name.as_str()))
    }
}

fn push_was(members: &mut Vec<(&str, String)>, was: &[String]) {
    if !was.is_empty() {
        members.push(("was", texts(was.iter().map(String::as_str))));
    }
}

fn expectation(expect: &Expect) -> String {
    match expect {
        Expect::Length(length) => object(&[("length", length.to_string())]),
        Expect::Cost(cost) => object(&[("cost", cost.to_string())]),
        Expect::Plan(plan) => object(&[("plan", texts(plan.iter().map(String::as_str)))]),
        Expect::Impossible => object(&[("impossible", "true".to_string())]),
        Expect::Satisfied => object(&[("satisfied", "true".to_string())]),
        Expect::Never(action) => object(&[("never", quote(action))]),
    }
}
