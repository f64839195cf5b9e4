//! A model as the JSON twin, version 1.
//!
//! In:   a [`Model`].
//! Out:  text with one variable, action, goal, NPC type or test a line: small diffs.
//! Cost: linear in the model.

use crate::amounts::ShiftEnd;
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
    let npcs: Vec<&NpcType> = model.npcs.iter().filter(|npc| !npc.implicit).collect();
    let sections = [
        Some(format!("{{\"throng\": 1, \"domain\": {}", quote(&model.name))),
        some(&model.selects, |selects| section("selects", selects, select)),
        Some(section("variables", &model.variables, |variable| writer.variable(variable))),
        Some(section("actions", &model.actions, |action| writer.action(action))),
        some(&model.goals, |goals| section("goals", goals, |goal| writer.goal(goal))),
        some(&model.preferences, |preferences| {
            section("prefer", preferences, |preference| writer.preference(preference))
        }),
        some(&npcs, |npcs| section("npcs", npcs, |npc| writer.npc(npc))),
        some(&model.tests, |tests| section("tests", tests, |test| writer.test(test))),
        some(&notes(model), |notes| section("notes", notes, |one| note(one))),
    ];
    format!("{}}}\n", sections.into_iter().flatten().collect::<Vec<_>>().join(",\n"))
}

fn select(select: &Select) -> String {
    let slots = select.n_slots.to_string();
    object([("name", Some(quote(&select.name))), ("slots", Some(slots))])
}

fn section<T>(key: &str, items: &[T], write: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("\n  {}", write(item))).collect();
    format!(" {}: [{}]", quote(key), items.join(","))
}

/// What is written of a list, if there is anything in it.
fn some<T>(list: &[T], write: impl FnOnce(&[T]) -> String) -> Option<String> {
    (!list.is_empty()).then(|| write(list))
}

/// All notes in the order in which `.npc` text has them, so that both twins agree.
fn notes(model: &Model) -> Vec<&Note> {
    let mut clauses = ClauseNotes::of(model);
    let mut notes = Vec::with_capacity(model.notes.len());
    let is_compound = |action: &&Action| !action.parts().is_empty();
    let plain = model.actions.iter().filter(|action| !is_compound(action));
    let actions = plain.chain(model.actions.iter().filter(is_compound));
    actions.for_each(|action| notes.extend(clauses.take(NoteOn::Action, &action.name)));
    model.goals.iter().for_each(|goal| notes.extend(clauses.take(NoteOn::Goal, &goal.name)));
    model.npcs.iter().for_each(|npc| notes.extend(clauses.take(NoteOn::Npc, &npc.name)));
    notes.extend(statements(model));
    notes
}

fn note(note: &Note) -> String {
    let on = note.on.owner().map(|(kind, name)| quote(&format!("{kind} {name}")));
    object([("on", on), ("text", Some(quote(&note.text())))])
}

/// An object of the members that have a value.
fn object<const N: usize>(members: [(&str, Option<String>); N]) -> String {
    let said = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let said: Vec<String> = said.map(|(key, value)| format!("{}: {value}", quote(key))).collect();
    format!("{{{}}}", said.join(", "))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    list(texts.map(quote))
}

struct Writer<'m> {
    model: &'m Model,
}

impl Writer<'_> {
    fn variable(&self, variable: &Variable) -> String {
        object([
            ("name", Some(quote(&variable.name))),
            ("values", variable.values.words().map(|it| texts(it.iter().map(String::as_str)))),
            ("range", variable.values.ends().map(|(low, high)| format!("[{low}, {high}]"))),
            (
                "any",
                some(&variable.picks, |picks| {
                    texts(picks.iter().map(|(_, select)| self.model[*select].name()))
                }),
            ),
            ("shared", variable.shared.then(|| "true".to_string())),
            ("was", was(&variable.was)),
        ])
    }

    fn action(&self, action: &Action) -> String {
        let kinds = |kinds: &[ActionKind]| list(kinds.iter().map(|kind| self.kind(kind)));
        object([
            ("name", Some(quote(&action.name))),
            ("requires", Some(self.facts(action.requires()))),
            ("ranges", some(&self.model.asked_ranges(action), |it| self.ranges(it))),
            ("compare", some(action.comparisons(), |it| self.comparisons(it))),
            ("sets", Some(self.facts(action.sets()))),
            ("shifts", some(action.shifts(), |it| self.shifts(it))),
            ("cost", action.says_cost().then(|| action.cost.to_string())),
            ("if", some(action.checks(), |checks| self.checks(checks))),
            ("parts", some(action.parts(), |parts| self.action_names(parts))),
            ("kinds", some(action.kinds(), kinds)),
            ("overrides", some(action.overrides(), |others| self.action_names(others))),
            ("variant", (action.variant > 1).then(|| action.variant.to_string())),
            ("was", was(action.was())),
        ])
    }

    fn checks(&self, checks: &[CheckUse]) -> String {
        let check = |used: &CheckUse| {
            let name = &self.model[used.check];
            quote(&if used.expected { name.clone() } else { format!("!{name}") })
        };
        list(checks.iter().map(check))
    }

    fn kind(&self, kind: &ActionKind) -> String {
        object([
            ("name", Some(quote(&kind.name))),
            ("if", some(&kind.checks, |checks| self.checks(checks))),
            ("cost", (kind.cost != Cost::ONE).then(|| kind.cost.to_string())),
        ])
    }

    /// A wish: two sides, each one name or a list.
    fn preference(&self, preference: &OrderPreference) -> String {
        let side = |ids: &[ActionId]| match ids {
            [one] => quote(&self.model[*one].name),
            several => self.action_names(several),
        };
        format!("[{}, {}]", side(&preference.before), side(&preference.after))
    }

    fn goal(&self, goal: &Goal) -> String {
        object([
            ("name", Some(quote(&goal.name))),
            ("wants", Some(self.facts(&goal.wants))),
            ("ranges", some(&goal.ranges, |it| self.ranges(it))),
            ("compare", some(&goal.comparisons, |it| self.comparisons(it))),
            ("serves", goal.serves().map(quote)),
            ("priority", (goal.priority != Cost::ONE).then(|| goal.priority.to_string())),
            ("was", was(&goal.was)),
        ])
    }

    fn npc(&self, npc: &NpcType) -> String {
        let goals = npc.wants.iter().map(|id| self.model[*id].name());
        object([
            ("name", Some(quote(&npc.name))),
            ("can", Some(self.action_names(&npc.can))),
            ("wants", Some(texts(goals))),
            ("starts", Some(self.facts(&npc.starts))),
            ("was", was(&npc.was)),
        ])
    }

    fn test(&self, test: &Test) -> String {
        let npc = &self.model[test.npc];
        let (goal, to) = match &test.ask {
            Target::Best => (None, None),
            Target::Goal(goal) => (Some(self.model[*goal].name.as_str()), None),
            Target::Any(goals) => (Some(self.model.served_name(goals)), None),
            Target::Conditions(wants) => (None, Some(self.conditions(wants))),
        };
        let compared: &[Comparison] = match &test.ask {
            Target::Conditions(wants) => &wants.comparisons,
            _ => &[],
        };
        let named = |checks: &[CheckId]| texts(checks.iter().map(|id| self.model[*id].as_str()));
        let (without, only) = match &test.context {
            TestContext::Without(checks) => (some(checks, named), None),
            TestContext::Only(checks) => (None, Some(named(checks))),
        };
        object([
            ("name", Some(quote(&test.name))),
            ("npc", (!npc.implicit).then(|| quote(&npc.name))),
            ("from", Some(self.facts(&test.from))),
            ("goal", goal.map(quote)),
            ("to", to),
            ("compare", some(compared, |it| self.comparisons(it))),
            ("without", without),
            ("only", only),
            ("expect", Some(list(test.expects.iter().map(|(expect, _)| expectation(expect))))),
        ])
    }

    fn facts(&self, facts: &[Fact]) -> String {
        members(facts.iter().map(|&fact| self.fact(fact)))
    }

    /// Numbers of amounts are numbers.
    fn fact(&self, Fact { variable, value }: Fact) -> String {
        let Variable { name, values, .. } = &self.model[variable];
        let value = match values.ends() {
            Some((low, _)) => (low + i64::from(value.0)).to_string(),
            None => quote(&values[value.index()]),
        };
        format!("{}: {value}", quote(name))
    }

    fn ranges(&self, ranges: &[Range]) -> String {
        members(ranges.iter().map(|range| self.range(range)))
    }

    /// `"hp": [[50, 100]]` or `"pick": ["stone", "iron"]`.
    fn range(&self, range: &Range) -> String {
        let Variable { name, values, .. } = &self.model[range.variable];
        let set = match values.ends() {
            Some((low, _)) => list(range.values.runs().iter().map(|&(first, last)| {
                format!("[{}, {}]", low + i64::from(first), low + i64::from(last))
            })),
            None => texts(range.values.values().map(|at| values[usize::from(at)].as_str())),
        };
        format!("{}: {set}", quote(name))
    }

    fn conditions(&self, wants: &Wants) -> String {
        let facts = wants.facts.iter().map(|&fact| self.fact(fact));
        members(facts.chain(wants.ranges.iter().map(|range| self.range(range))))
    }

    fn comparisons(&self, comparisons: &[Comparison]) -> String {
        let one = |it: &Comparison| {
            let [left, right] = [it.variable, it.other].map(|id| self.model[id].name.as_str());
            texts([left, it.relation.sign(), right].into_iter())
        };
        list(comparisons.iter().map(one))
    }

    fn shifts(&self, shifts: &[Shift]) -> String {
        members(shifts.iter().map(|shift| {
            let Variable { name, values, .. } = &self.model[shift.variable];
            let by = shift.by.by;
            let key = if by < 0 { "down_to" } else { "up_to" };
            let low = values.ends().map_or(0, |(low, _)| low);
            match shift.by.end {
                ShiftEnd::Refuse => format!("{}: {by}", quote(name)),
                ShiftEnd::Stop(at) => {
                    let stop = low + i64::from(at);
                    format!("{}: {{\"add\": {by}, \"{key}\": {stop}}}", quote(name))
                }
            }
        }))
    }

    /// Names of actions; that of several variants once.
    fn action_names(&self, actions: &[ActionId]) -> String {
        let first = actions.iter().filter(|&&id| self.model[id].variant == 1);
        texts(first.map(|id| self.model[*id].name()))
    }
}

fn members(members: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

fn was(was: &[String]) -> Option<String> {
    some(was, |was| texts(was.iter().map(String::as_str)))
}

fn expectation(expect: &Expect) -> String {
    let (key, value) = match expect {
        Expect::Length(length) => ("length", length.to_string()),
        Expect::Cost(cost) => ("cost", cost.to_string()),
        Expect::Plan(plan) => ("plan", texts(plan.iter().map(String::as_str))),
        Expect::Impossible => ("impossible", "true".to_string()),
        Expect::Satisfied => ("satisfied", "true".to_string()),
        Expect::Never(action) => ("never", quote(action)),
    };
    object([(key, Some(value))])
}
