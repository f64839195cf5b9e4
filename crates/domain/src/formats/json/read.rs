//! The JSON twin into declarations.
//!
//! In:   a tree of values with places.
//! Out:  the model and the report, through the same [`ModelBuilder`] as `.npc` text.
//! Cost: linear in the text.

mod notes;
mod pieces;

use super::tree::{JsonMember, JsonValue, JsonValueKind};
use crate::build::*;
use crate::diagnostics::{Code, Diagnostic, Report};
use crate::formats::{Format, npc};
use crate::limits::Limits;
use crate::model::{ActionKind, CheckUse, Expect, Fact, Model};
use crate::names;
use crate::notes::NoteWords;
use crate::number::Cost;
use crate::source::{Sources, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads a domain from a parsed value; `sources` holds the text that its places speak of.
pub fn read_value(
    value: &JsonValue<'_>,
    sources: &Sources,
    limits: &Limits,
    words: &[&'static NoteWords],
) -> (Option<Model>, Report) {
    let builder = ModelBuilder::new(limits, Report::default(), Format::Json, words);
    let mut reader = Reader { builder, sources, words: npc::Keywords::new(words) };
    reader.domain(value);
    reader.builder.finish(sources)
}

/// An object whose keys were checked: each known, each once.
struct Fields<'v, 't> {
    members: Vec<&'v JsonMember<'t>>,
    span: Span,
    what: &'static str,
    /// How many errors there were before its keys were looked at.
    errors: usize,
}

impl<'v, 't> Fields<'v, 't> {
    fn get(&self, key: &str) -> Option<&'v JsonValue<'t>> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.value)
    }
}

struct Reader<'l> {
    builder: ModelBuilder<'l>,
    sources: &'l Sources,
    words: npc::Keywords<'l>,
}

impl Reader<'_> {
    fn domain(&mut self, value: &JsonValue<'_>) {
        #[rustfmt::skip]
        let known = [
            "throng", "domain", "variables", "actions", "goals", "prefer", "npcs", "tests", "notes",
        ];
        let Some(fields) = self.fields(value, "the domain", &known) else { return };
        self.version(&fields);
        if let Some((name, span)) = self.name(&fields, "domain") {
            self.builder.set_name(&name, span);
        }
        for (key, needed) in [
            ("variables", true),
            ("actions", true),
            ("goals", false),
            ("prefer", false),
            ("npcs", false),
            ("tests", false),
        ] {
            let items = match fields.get(key) {
                Some(value) => self.list(value, key),
                None if needed => {
                    self.missing(&fields, key);
                    &[]
                }
                None => &[],
            };
            // Compounds speak of other actions, so they come after all of them.
            let is_compound = |item: &&JsonValue<'_>| match &item.kind {
                JsonValueKind::Object(members) => {
                    members.iter().any(|member| member.key == "parts")
                }
                _ => false,
            };
            let compounds = items.iter().filter(|item| key == "actions" && is_compound(item));
            let others = items.iter().filter(|item| key != "actions" || !is_compound(item));
            for item in others.chain(compounds) {
                match key {
                    "variables" => self.variable(item),
                    "actions" => self.action(item),
                    "goals" => self.goal(item),
                    "prefer" => self.wish(item),
                    "npcs" => self.npc(item),
                    _ => self.test(item),
                };
            }
        }
        if let Some(notes) = fields.get("notes") {
            self.notes(notes);
        }
    }

    fn version(&mut self, fields: &Fields<'_, '_>) {
        match fields.get("throng") {
            None => self.missing(fields, "throng"),
            Some(JsonValue { kind: JsonValueKind::Number("1"), .. }) => {}
            Some(JsonValue { kind: JsonValueKind::Number(text), span }) => self.builder.report.say(
                Code::JsonVersion,
                *span,
                format!("version `{text}` of the format is not known"),
                "write `\"throng\": 1`, the version that this reader knows",
            ),
            Some(value) => self.builder.report.say(
                Code::JsonVersion,
                value.span,
                "the version of the format is not a number",
                "write `\"throng\": 1`, the version that this reader knows",
            ),
        }
    }

    fn variable(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let fields = self.fields(value, "a variable", &["name", "values", "shared", "was"])?;
        let (name, span) = self.name(&fields, "name")?;
        let shared = match fields.get("shared") {
            None => false,
            Some(JsonValue { kind: JsonValueKind::Bool(shared), .. }) => *shared,
            Some(other) => self.wrong(other, "true or false", "`shared`").unwrap_or_default(),
        };
        let mut values = Vec::new();
        match fields.get("values") {
            None => self.missing(&fields, "values"),
            Some(list) => {
                for item in self.list(list, "values") {
                    values.extend(self.value_word(item).map(|word| (word.into_owned(), item.span)));
                }
            }
        }
        let was = self.words(&fields, "was");
        self.is_sound(&fields, &name)?;
        self.builder.declare_variable(VariableDraft { name, values, shared, was, span });
        Some(())
    }

    fn action(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known =
            ["name", "requires", "sets", "cost", "if", "parts", "kinds", "overrides", "was"];
        let fields = self.fields(value, "an action", &known)?;
        let (name, span) = self.name(&fields, "name")?;
        let cost = self.cost(&fields);
        let checks = self.checks(&fields, &name);
        let kinds = self.kinds(&fields, &name);
        let requires = self.facts(&fields, "requires");
        let sets = self.facts(&fields, "sets");
        let overrides = self.words(&fields, "overrides").into();
        let was = self.words(&fields, "was");
        let (Some(()), Some(cost), Some(requires), Some(sets)) =
            (self.is_sound(&fields, &name), cost, requires, sets)
        else {
            self.builder.add_broken(&name);
            return None;
        };
        if fields.get("parts").is_some() {
            if let (Some(kinds), false) = (fields.get("kinds"), kinds.is_empty()) {
                self.wrong::<()>(kinds, "nothing", "`kinds` of a compound");
                self.builder.add_broken(&name);
                return None;
            }
            let said = |key: &str, facts| fields.get(key).map(|_| facts);
            let (requires, sets) = (said("requires", requires), said("sets", sets));
            let parts = self.words(&fields, "parts");
            self.is_sound(&fields, &name)?;
            self.builder.declare_compound(CompoundDraft {
                name,
                parts,
                checks,
                cost,
                requires,
                sets,
                overrides,
                was,
                span,
            });
            return Some(());
        }
        let cost = cost.unwrap_or_else(|| least_cost(&kinds));
        let (parts, kinds) = (Vec::new(), kinds.into());
        let draft = ActionDraft {
            name: name.clone(),
            requires,
            sets,
            checks,
            overrides,
            cost,
            parts,
            kinds,
            was,
            is_alone: true,
            span,
        };
        if let Err(clash) = self.builder.declare_action(draft) {
            self.builder.report_clash(clash, &name);
            self.builder.add_broken(&name);
        }
        Some(())
    }

    /// The price under `cost`, if there is one; `None` if it is no price.
    fn cost(&mut self, fields: &Fields<'_, '_>) -> Option<Option<Cost>> {
        match fields.get("cost") {
            None => Some(None),
            Some(JsonValue { kind: JsonValueKind::Number(text), span }) => {
                npc::cost(text, *span, &mut self.builder).map(Some)
            }
            Some(other) => self.wrong(other, "a number", "`cost`"),
        }
    }

    /// The ways to do an action; what is wrong with one is reported.
    fn kinds(&mut self, fields: &Fields<'_, '_>, action: &str) -> Vec<ActionKind> {
        let Some(value) = fields.get("kinds") else { return Vec::new() };
        let mut kinds = Vec::new();
        let mut names = Vec::new();
        for item in self.list(value, "kinds") {
            let Some(fields) = self.fields(item, "a kind", &["name", "if", "cost"]) else {
                continue;
            };
            let name = self.name(&fields, "name");
            let cost = self.cost(&fields).flatten().unwrap_or(Cost::ONE);
            let checks = self.checks(&fields, action);
            if let Some((name, span)) = name {
                names.push((name.clone(), span));
                kinds.push(ActionKind { name, checks, cost });
            }
        }
        let names = names.iter().map(|(name, span)| (name.as_str(), *span));
        self.builder.kinds_differ(action, names);
        kinds
    }

    /// A wish: two sides, each an action or a list of them.
    fn wish(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let fits = "a list of two: what comes first, what comes later";
        let sides = match &value.kind {
            JsonValueKind::List(sides) if sides.len() == 2 => sides,
            _ => return self.wrong(value, fits, "`prefer`"),
        };
        let [before, after] = [&sides[0], &sides[1]].map(|side| self.names_in(side));
        self.builder.declare_wish(&before?, &after?, value.span);
        Some(())
    }

    /// One name, or a list of names.
    fn names_in(&mut self, value: &JsonValue<'_>) -> Option<Vec<Reference>> {
        let items = match &value.kind {
            JsonValueKind::List(items) if !items.is_empty() => &items[..],
            _ => std::slice::from_ref(value),
        };
        let mut names = Vec::with_capacity(items.len());
        for item in items {
            let JsonValueKind::Text(text) = &item.kind else {
                return self.wrong(item, "an action", "`prefer`");
            };
            names.push(Reference { name: text.to_string(), span: item.span });
        }
        Some(names)
    }

    fn checks(&mut self, fields: &Fields<'_, '_>, action: &str) -> Vec<CheckUse> {
        let mut uses = npc::CheckUses::default();
        for word in self.texts(fields, "if") {
            let (name, expected) = match word.name.strip_prefix('!') {
                Some(name) => (name, false),
                None => (word.name.as_str(), true),
            };
            if self.legal(name, word.span) {
                uses.add(action, (name, word.span), expected, &mut self.builder);
            }
        }
        uses.list
    }

    fn goal(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let fields =
            self.fields(value, "a goal", &["name", "wants", "serves", "priority", "was"])?;
        let (name, span) = self.name(&fields, "name")?;
        let priority = match fields.get("priority") {
            None => Some(Cost::ONE),
            Some(JsonValue { kind: JsonValueKind::Number(text), span }) => {
                npc::priority(text, *span, &mut self.builder)
            }
            Some(other) => self.wrong(other, "a number", "`priority`"),
        };
        let wants = self.facts(&fields, "wants");
        let serves = match fields.get("serves") {
            Some(_) => self.name(&fields, "serves").map(|(name, span)| Reference { name, span }),
            None => None,
        };
        let was = self.words(&fields, "was");
        let (Some(()), Some(priority), Some(wants)) =
            (self.is_sound(&fields, &name), priority, wants)
        else {
            self.builder.add_broken(&name);
            return None;
        };
        let draft = GoalDraft { name: name.clone(), wants, serves, priority, was, span };
        if let Err(clash) = self.builder.declare_goal(draft) {
            self.builder.report_clash(clash, &name);
            self.builder.add_broken(&name);
        }
        Some(())
    }

    fn npc(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "can", "wants", "starts", "was"];
        let fields = self.fields(value, "an NPC type", &known)?;
        let (name, span) = self.name(&fields, "name")?;
        let can = self.words(&fields, "can");
        let wants = self.words(&fields, "wants");
        let starts = self.facts(&fields, "starts").unwrap_or_default();
        let was = self.words(&fields, "was");
        self.builder.declare_npc(NpcDraft { name, can, wants, starts, was, span });
        Some(())
    }

    fn test(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "npc", "from", "goal", "to", "without", "only", "expect"];
        let fields = self.fields(value, "a test", &known)?;
        let (name, span) = self.name(&fields, "name")?;
        let npc = match fields.get("npc") {
            Some(_) => self.name(&fields, "npc").map(|(name, span)| Reference { name, span }),
            None => None,
        };
        let ask = match (fields.get("goal"), fields.get("to")) {
            (Some(goal), Some(to)) => {
                npc::goal_and_to(&name, goal.span, to.span, &mut self.builder);
                AskDraft::Best
            }
            (Some(_), None) => {
                let (name, span) = self.name(&fields, "goal")?;
                AskDraft::Goal(Reference { name, span })
            }
            (None, Some(_)) => AskDraft::To(self.facts(&fields, "to").unwrap_or_default()),
            (None, None) => AskDraft::Best,
        };
        let context = match (fields.get("without"), fields.get("only")) {
            (Some(without), Some(only)) => {
                npc::without_and_only(&name, without.span, only.span, &mut self.builder);
                ContextDraft::Without(Vec::new())
            }
            (_, Some(_)) => ContextDraft::Only(self.words(&fields, "only")),
            _ => ContextDraft::Without(self.words(&fields, "without")),
        };
        let from = self.facts(&fields, "from").unwrap_or_default();
        let mut expects = Vec::new();
        let mut actions = Vec::new();
        let errors = self.builder.report.errors();
        if let Some(list) = fields.get("expect") {
            for item in self.list(list, "expect") {
                self.expectation(item, &mut expects, &mut actions);
            }
        }
        let complete = self.builder.report.errors() == errors;
        let draft = TestDraft { name, npc, from, ask, context, expects, complete, actions, span };
        self.builder.declare_test(draft);
        Some(())
    }

    fn expectation(
        &mut self,
        value: &JsonValue<'_>,
        expects: &mut Vec<(Expect, Span)>,
        actions: &mut Vec<Reference>,
    ) -> Option<()> {
        let known = ["length", "cost", "plan", "impossible", "satisfied", "never"];
        let fields = self.fields(value, "an expectation", &known)?;
        for member in &fields.members {
            let expect = match (member.key.as_ref(), &member.value.kind) {
                ("length", JsonValueKind::Number(text)) if text.parse::<u32>().is_ok() => {
                    Expect::Length(text.parse().unwrap_or(u32::MAX))
                }
                ("cost", JsonValueKind::Number(text)) => {
                    Expect::Cost(npc::expected_cost(text, member.value.span, &mut self.builder)?)
                }
                ("plan", JsonValueKind::List(list)) if !list.is_empty() => {
                    let plan = self.words(&fields, "plan");
                    actions.extend_from_slice(&plan);
                    Expect::Plan(plan.into_iter().map(|word| word.name).collect())
                }
                ("impossible", JsonValueKind::Bool(true)) => Expect::Impossible,
                ("satisfied", JsonValueKind::Bool(true)) => Expect::Satisfied,
                ("never", JsonValueKind::Text(name)) => {
                    actions.push(Reference { name: name.to_string(), span: member.value.span });
                    Expect::Never(name.to_string())
                }
                (key, _) => {
                    let fits = match key {
                        "length" => "a whole number",
                        "cost" => "a number",
                        "plan" => "a list of at least one action",
                        "never" => "an action",
                        _ => "true",
                    };
                    return self.wrong(&member.value, fits, &format!("`{key}`"));
                }
            };
            expects.push((expect, value.span));
        }
        Some(())
    }

    // Below: typed access with reports.
}
