//! The JSON twin into declarations.
//!
//! In:   a tree of values with places.
//! Out:  the model and the report, through the same [`ModelBuilder`] as `.npc` text.
//! Cost: linear in the text.

mod amounts;
mod notes;
mod pieces;
mod selects;

use super::tree::{JsonMember, JsonValue, JsonValueKind};
use crate::build::*;
use crate::diagnostics::{Code, Diagnostic, Report};
use crate::formats::{Format, npc};
use crate::limits::Limits;
use crate::model::{Model, Select};
use crate::names;
use crate::notes::NoteWords;
use crate::source::{Sources, Span};
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
    builder: ModelBuilder,
    sources: &'l Sources,
    words: npc::Keywords<'l>,
}

impl Reader<'_> {
    fn domain(&mut self, value: &JsonValue<'_>) {
        #[rustfmt::skip]
        let known = [
            "throng", "domain", "selects", "variables", "actions", "goals", "prefer", "npcs",
            "tests", "notes",
        ];
        let Some(fields) = self.fields(value, "the domain", &known) else { return };
        self.version(&fields);
        if let Some(name) = self.name(&fields, "domain") {
            self.builder.set_name(name.text, name.span);
        }
        for (key, needed) in [
            ("selects", false),
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
                    "selects" => self.select(item),
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
        self.add_bare_selects();
    }

    fn version(&mut self, fields: &Fields<'_, '_>) {
        match fields.get("throng") {
            None => self.missing(fields, "throng"),
            Some(JsonValue { kind: JsonValueKind::Number("1"), .. }) => {}
            Some(value) => {
                let text = match value.kind {
                    JsonValueKind::Number(text) => {
                        format!("version `{text}` of the format is not known")
                    }
                    _ => "the version of the format is not a number".to_string(),
                };
                let cure = "write `\"throng\": 1`, the version that this reader knows";
                self.builder.report.say(Code::JsonVersion, value.span, text, cure);
            }
        }
    }

    fn variable(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "values", "range", "any", "shared", "was"];
        let fields = self.fields(value, "a variable", &known)?;
        let Word { text: name, span } = self.name(&fields, "name")?;
        let shared = match fields.get("shared") {
            None => false,
            Some(JsonValue { kind: JsonValueKind::Bool(shared), .. }) => *shared,
            Some(other) => self.wrong(other, "true or false", "`shared`").unwrap_or_default(),
        };
        let values = self.values(&fields);
        let was = self.plain_words(&fields, "was");
        self.is_sound(&fields, name)?;
        let name = name.to_string();
        let values = values?;
        let groups = self.groups(&fields, &values);
        self.builder.declare_variable(VariableDraft { name, values, groups, shared, was, span });
        Some(())
    }

    /// `"values": ["off", "on"]` or `"range": [0, 100]`.
    fn values(&mut self, fields: &Fields<'_, '_>) -> Option<ValuesDraft<'static>> {
        if let Some(range) = fields.get("range") {
            if fields.get("values").is_some() {
                return self.wrong(range, "nothing", "`range` beside `values`");
            }
            let (low, high) = self.range(range)?;
            return Some(ValuesDraft::Range { low, high });
        }
        let Some(list) = fields.get("values") else {
            self.missing(fields, "values");
            return None;
        };
        let mut values = Vec::new();
        for item in self.list(list, "values") {
            values.extend(self.value_word(item).map(|word| (word.to_string().into(), item.span)));
        }
        Some(ValuesDraft::Words(values))
    }

    fn action(&mut self, value: &JsonValue<'_>) -> Option<()> {
        #[rustfmt::skip]
        let known = [
            "name", "requires", "ranges", "compare", "sets", "shifts", "cost", "if", "parts",
            "kinds", "overrides", "variant", "was",
        ];
        let fields = self.fields(value, "an action", &known)?;
        let name = self.reference(&fields, "name")?;
        let cost = self.number(&fields, "cost");
        let checks = self.checks(&fields);
        let kinds = self.kinds(&fields);
        let requires = self.facts(&fields, "requires");
        let sets = self.facts(&fields, "sets");
        let (ranges, comparisons) = (self.ranges(&fields, "ranges"), self.comparisons(&fields));
        let shifts = self.shifts(&fields);
        let overrides = self.words(&fields, "overrides");
        let was = self.words(&fields, "was");
        let variant = self.variant(&fields, name.text);
        if fields.get("parts").is_some() {
            if let (Some(value), false) = (fields.get("kinds"), kinds.is_empty()) {
                self.wrong::<()>(value, "nothing", "`kinds` of a compound");
            }
            let said = |key: &str, facts| fields.get(key).map(|_| facts);
            let (requires, sets) = (said("requires", requires), said("sets", sets));
            let parts = self.words(&fields, "parts");
            self.is_sound(&fields, name.text)?;
            let name = name.reference();
            let says = ["ranges", "compare", "shifts"].iter().any(|key| fields.get(key).is_some());
            let counted = ranges.zip(comparisons).zip(shifts).filter(|_| says);
            let counted = counted.map(|((ranges, comparisons), shifts)| CountedDraft {
                ranges,
                comparisons,
                shifts,
            });
            #[rustfmt::skip]
            let draft = CompoundDraft {
                name, parts, checks, cost, requires, sets, counted, overrides, was,
            };
            self.builder.declare_compound(&draft);
            return Some(());
        }
        let (checks, kinds) =
            (self.builder.checks(name.text, &checks), self.builder.kinds(name.text, &kinds));
        let cost = self.builder.price(cost);
        let [requires, sets] = [requires, sets].map(|facts| self.builder.facts(&facts, Role::Fact));
        let counted = ranges.zip(comparisons).zip(shifts);
        let (Some(()), Some(checks), Some(kinds), Some(cost), Some(requires), Some(sets)) =
            (self.is_sound(&fields, name.text), checks, kinds, cost, requires, sets)
        else {
            self.builder.add_broken(name.text);
            return None;
        };
        let Some(((ranges, comparisons), shifts)) = counted else {
            self.builder.add_broken(name.text);
            return None;
        };
        let draft = ActionDraft {
            name: name.text.to_string(),
            requires,
            sets,
            ranges,
            comparisons,
            shifts,
            checks,
            overrides: overrides_of(&overrides),
            cost: cost.unwrap_or_else(|| least_cost(&kinds)),
            parts: Vec::new(),
            kinds: kinds_of(kinds),
            variant,
            was,
            is_alone: true,
            span: name.span,
        };
        let declared = self.builder.declare_action(draft);
        self.judge(declared, name.text);
        Some(())
    }

    /// Which of the actions of its name an action is; one behind another is said to be.
    fn variant(&mut self, fields: &Fields<'_, '_>, name: &str) -> u32 {
        let Some(value) = fields.get("variant") else { return 1 };
        let next = self.builder.next_variant(name);
        match &value.kind {
            JsonValueKind::Number(text) if text.parse() == Ok(next) && next > 1 => next,
            _ => {
                let fits = format!("{next}, which is next among the actions of its name");
                let fits = if next > 1 { &fits } else { "nothing: it is the first of its name" };
                self.wrong::<()>(value, fits, "`variant`");
                next
            }
        }
    }

    /// Reports that something contradicts itself, if it does.
    fn judge(&mut self, declared: Result<(), Clash>, name: &str) {
        if let Err(clash) = declared {
            self.builder.report_clash(clash, name);
            self.builder.add_broken(name);
        }
    }

    /// The ways to do an action; what is wrong with one is reported.
    fn kinds<'v>(&mut self, fields: &Fields<'v, '_>) -> Vec<KindDraft<'v>> {
        let Some(value) = fields.get("kinds") else { return Vec::new() };
        let mut kinds = Vec::new();
        for item in self.list(value, "kinds") {
            let Some(fields) = self.fields(item, "a kind", &["name", "if", "cost"]) else {
                continue;
            };
            let (name, cost) = (self.name(&fields, "name"), self.number(&fields, "cost"));
            let checks = self.checks(&fields);
            kinds.extend(name.map(|name| KindDraft { name, checks, cost }));
        }
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
        self.builder.declare_preference(&before?, &after?, value.span);
        Some(())
    }

    /// One name, or a list of names.
    fn names_in(&mut self, value: &JsonValue<'_>) -> Option<Vec<Reference<'static>>> {
        let items = match &value.kind {
            JsonValueKind::List(items) if !items.is_empty() => &items[..],
            _ => std::slice::from_ref(value),
        };
        let mut names = Vec::with_capacity(items.len());
        for item in items {
            let JsonValueKind::Text(text) = &item.kind else {
                return self.wrong(item, "an action", "`prefer`");
            };
            names.push(Reference { name: text.to_string().into(), span: item.span });
        }
        Some(names)
    }

    fn checks<'v>(&mut self, fields: &Fields<'v, '_>) -> Vec<CheckWord<'v>> {
        let words = self.texts(fields, "if").into_iter().map(|Word { text, span }| {
            let name = text.strip_prefix('!');
            let (text, negated) = (name.unwrap_or(text), name.is_some());
            CheckWord { name: Word { text, span }, argument: None, negated }
        });
        words.filter(|check| self.legal(check.name.text, check.name.span)).collect()
    }

    fn goal(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "wants", "ranges", "compare", "serves", "priority", "was"];
        let fields = self.fields(value, "a goal", &known)?;
        let Word { text: name, span } = self.reference(&fields, "name")?;
        let number = self.number(&fields, "priority");
        let priority = self.builder.priority(number);
        let wants = self.facts(&fields, "wants");
        let wants = self.builder.facts(&wants, Role::Fact);
        let (ranges, comparisons) = (self.ranges(&fields, "ranges"), self.comparisons(&fields));
        let serves = self.optional_reference(&fields, "serves");
        let was = self.words(&fields, "was");
        let (Some(()), Some(priority), Some(wants), Some(ranges), Some(comparisons)) =
            (self.is_sound(&fields, name), priority, wants, ranges, comparisons)
        else {
            self.builder.add_broken(name);
            return None;
        };
        let draft = GoalDraft {
            name: name.to_string(),
            wants,
            ranges,
            comparisons,
            serves,
            priority,
            was,
            span,
        };
        let declared = self.builder.declare_goal(draft);
        self.judge(declared, name);
        Some(())
    }

    fn npc(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "can", "wants", "starts", "was"];
        let fields = self.fields(value, "an NPC type", &known)?;
        let name = self.name(&fields, "name")?;
        let [can, wants] = ["can", "wants"].map(|key| self.words(&fields, key));
        let was = self.plain_words(&fields, "was");
        let starts = self.facts(&fields, "starts");
        self.builder.declare_npc(&NpcDraft { name, can, wants, starts, was });
        Some(())
    }

    fn test(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let known = ["name", "npc", "from", "goal", "to", "compare", "without", "only", "expect"];
        let fields = self.fields(value, "a test", &known)?;
        let name = self.name(&fields, "name")?;
        let npc = self.optional_name(&fields, "npc");
        let goal = self.optional_reference(&fields, "goal");
        let from = self.facts(&fields, "from");
        let place = |key: &str| fields.get(key).map(|value| value.span);
        let to = place("to").or(place("compare"));
        let wanted = self.wanted(&fields);
        let [without, only] = ["without", "only"]
            .map(|key| place(key).map(|at| (self.legal_texts(&fields, key), at)))
            .map(|said| said.map(|(words, at)| (words.iter().map(Word::reference).collect(), at)));
        let errors = self.builder.report.errors();
        let mut expects = Vec::new();
        if let Some(list) = fields.get("expect") {
            self.list(list, "expect").iter().for_each(|item| self.expectation(item, &mut expects));
        }
        let complete = self.builder.report.errors() == errors;
        let draft = TestDraft { name, npc, from, goal, to, without, only, expects, complete };
        self.builder.declare_test(&draft, wanted);
        Some(())
    }

    /// What a test wants: values, sets of values, amounts that stand to each other.
    fn wanted(&mut self, fields: &Fields<'_, '_>) -> Option<WantsDraft> {
        let is_set = |member: &&JsonMember<'_>| matches!(member.value.kind, JsonValueKind::List(_));
        let (sets, facts): (Vec<_>, Vec<_>) =
            self.members(fields, "to").into_iter().partition(is_set);
        let facts = self.facts_of(&facts);
        let facts = self.builder.facts(&facts, Role::Goal);
        let ranges: Vec<_> = sets.into_iter().map(|member| self.set(member)).collect();
        let ranges: Option<Vec<_>> = ranges.into_iter().collect();
        let comparisons = self.comparisons(fields)?;
        Some(WantsDraft { facts: facts?, ranges: ranges?, comparisons })
    }

    fn expectation<'v>(
        &mut self,
        value: &'v JsonValue<'_>,
        expects: &mut Vec<(ExpectDraft<'v>, Span)>,
    ) {
        let known = ["length", "cost", "plan", "impossible", "satisfied", "never"];
        let Some(fields) = self.fields(value, "an expectation", &known) else { return };
        for member in &fields.members {
            let span = member.value.span;
            let expect = match (member.key.as_ref(), &member.value.kind) {
                ("length", JsonValueKind::Number(text)) if text.parse::<u32>().is_ok() => {
                    ExpectDraft::Length(Word { text, span })
                }
                ("cost", JsonValueKind::Number(text)) => ExpectDraft::Cost(Word { text, span }),
                ("plan", JsonValueKind::List(list)) if !list.is_empty() => {
                    ExpectDraft::Plan(self.words(&fields, "plan"))
                }
                ("impossible", JsonValueKind::Bool(true)) => ExpectDraft::Impossible,
                ("satisfied", JsonValueKind::Bool(true)) => ExpectDraft::Satisfied,
                ("never", JsonValueKind::Text(name)) => {
                    ExpectDraft::Never(vec![Reference { name: name.to_string().into(), span }])
                }
                (key, _) => {
                    let fits = match key {
                        "length" => "a whole number",
                        "cost" => "a number",
                        "plan" => "a list of at least one action",
                        "never" => "an action",
                        _ => "true",
                    };
                    self.wrong::<()>(&member.value, fits, &format!("`{key}`"));
                    return;
                }
            };
            expects.push((expect, value.span));
        }
    }
}
