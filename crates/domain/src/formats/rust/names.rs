//! The enumerations of the module: variables, values, checks, actions, goals, NPC types, facts.
//!
//! In:   the model and its identifiers.
//! Out:  a type for each kind, with names and numbers both ways.
//! Cost: linear in the names.

use super::layout::{Item, Page, in_comment, quoted};
use super::{GENERATED, Names};
use crate::model::{Model, Variable};
use crate::names::as_integer;

const DERIVED: &str = "derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)";
/// Names are the domain's: that all begin alike is no mistake of the module.
const ALIKE: &str = "allow(clippy::enum_variant_names, reason = \"generated\")";

/// One enumeration.
struct Kind<'k> {
    type_name: &'k str,
    comment: String,
    /// Identifier and name of each.
    variants: Vec<(&'k str, &'k str)>,
    /// The table whose rows it numbers, and the type of a row.
    table: Option<(&'k str, &'k str)>,
    /// The number that each is, if all are numbers.
    numbers: Option<Vec<i64>>,
}

pub(super) fn write(model: &Model, made: &Names, page: &mut Page) {
    fn zip<'z>(
        made: &'z [String],
        names: impl Iterator<Item = &'z str>,
    ) -> Vec<(&'z str, &'z str)> {
        made.iter().map(String::as_str).zip(names).collect()
    }
    let tabled = |type_name, what: &str, variants, table| Kind {
        type_name,
        comment: format!("{what}, numbered as in Throng."),
        variants,
        table,
        numbers: None,
    };
    let variables = zip(&made.variables, model.variables().iter().map(|it| it.name()));
    let table = Some(("VARIABLES", "VariableRow"));
    tabled("Variable", "A variable", variables, table).write(page);
    for (at, variable) in model.variables().iter().enumerate() {
        if variable.is_bool() {
            continue;
        }
        let values = variable.values().iter().map(String::as_str);
        let kind = Kind {
            type_name: &made.value_types[at],
            comment: format!("A value of {}.", in_comment(variable.name())),
            variants: zip(&made.values[at], values),
            table: None,
            numbers: numbers(variable),
        };
        kind.write(page);
    }
    write_facts(model, made, page);
    let checks = zip(&made.checks, model.checks().iter().map(String::as_str));
    tabled("Check", "A context check", checks, None).write(page);
    let actions = zip(&made.actions, model.actions().iter().map(|it| it.name()));
    tabled("Action", "An action", actions, Some(("ACTIONS", "ActionRow"))).write(page);
    let goals = zip(&made.goals, model.goals().iter().map(|it| it.name()));
    tabled("Goal", "A goal", goals, Some(("GOALS", "GoalRow"))).write(page);
    let npcs = zip(&made.npcs, model.npcs().iter().map(|it| it.name()));
    tabled("Npc", "An NPC type", npcs, Some(("NPCS", "NpcRow"))).write(page);
}

fn numbers(variable: &Variable) -> Option<Vec<i64>> {
    variable.values().iter().map(|value| as_integer(value)).collect()
}

impl Kind<'_> {
    fn write(&self, page: &mut Page) {
        let is_empty = self.variants.is_empty();
        let name = self.type_name;
        // A type without values has no numbers to lay out.
        let attributes = [GENERATED, ALIKE, DERIVED, "repr(u32)"];
        let attributes = if is_empty { &attributes[..3] } else { &attributes };
        let mut item = Item::new(&[&self.comment], attributes);
        match is_empty {
            true => item.line(0, &format!("pub enum {name} {{}}")),
            false => {
                item.line(0, &format!("pub enum {name} {{"));
                for (variant, name) in &self.variants {
                    item.line(1, &format!("/// {}", in_comment(name)));
                    item.line(1, &format!("{variant},"));
                }
                item.line(0, "}");
            }
        }
        page.item(item);

        let mut item = Item::new(&[], &[GENERATED]);
        item.line(0, &format!("impl {name} {{"));
        item.line(1, "/// All of them, by number.");
        let all: Vec<String> = self.variants.iter().map(|(it, _)| format!("Self::{it}")).collect();
        item.list(1, "pub const ALL: &[Self] = ", &all, ";");
        self.method(&mut item, "Its name in the domain.", "name", "&'static str", |at| {
            quoted(self.variants[at].1)
        });
        if let Some(numbers) = &self.numbers {
            let number = |at: usize| numbers[at].to_string();
            self.method(&mut item, "The number that it is.", "number", "i64", number);
        }
        let index = if is_empty { "match self {}" } else { "self as usize" };
        let comment = "/// Its own number: the index of Throng's id.";
        item.lines(1, &["", comment, "pub const fn index(self) -> usize {"]);
        item.line(2, index);
        item.line(1, "}");
        if let Some((table, row)) = self.table {
            item.lines(1, &["", "/// What the domain says about it."]);
            item.line(1, &format!("pub const fn row(self) -> &'static {row} {{"));
            match is_empty {
                true => item.line(2, "match self {}"),
                false => item.line(2, &format!("&{table}[self as usize]")),
            }
            item.line(1, "}");
        }
        item.lines(1, &["", "/// The one of this number."]);
        item.line(1, "pub const fn from_index(index: usize) -> Option<Self> {");
        item.line(2, "if index < Self::ALL.len() {");
        item.line(3, "Some(Self::ALL[index])");
        item.line(2, "} else {");
        item.line(3, "None");
        item.lines(2, &["}"]);
        item.lines(1, &["}", "", "/// The one of this name: looks at all."]);
        item.line(1, "pub fn from_name(name: &str) -> Option<Self> {");
        item.line(2, "Self::ALL.iter().copied().find(|it| it.name() == name)");
        item.line(1, "}");
        item.line(0, "}");
        page.item(item);
    }

    /// A method that gives something else for each.
    fn method(
        &self,
        item: &mut Item,
        comment: &str,
        name: &str,
        gives: &str,
        value: impl Fn(usize) -> String,
    ) {
        item.lines(1, &["", &format!("/// {comment}")]);
        item.line(1, &format!("pub const fn {name}(self) -> {gives} {{"));
        let arms = self.variants.iter().enumerate();
        let arms = arms.map(|(at, (it, _))| format!("Self::{it} => {},", value(at)));
        matching(item, "self", arms.collect());
        item.line(1, "}");
    }
}

/// `match what { arms }` as the body of a method.
fn matching(item: &mut Item, what: &str, arms: Vec<String>) {
    if arms.is_empty() {
        return item.line(2, &format!("match {what} {{}}"));
    }
    item.line(2, &format!("match {what} {{"));
    arms.iter().for_each(|arm| item.line(3, arm));
    item.line(2, "}");
}

/// The type of facts: a variable with a value of its own type.
fn write_facts(model: &Model, made: &Names, page: &mut Page) {
    let comment = ["A variable having a value."];
    let mut item = Item::new(&comment, &[GENERATED, ALIKE, DERIVED]);
    let each = || made.variables.iter().zip(&made.value_types);
    if made.variables.is_empty() {
        // Nothing can be said of facts that cannot be.
        item.line(0, "pub enum Fact {}");
        return page.item(item);
    }
    item.line(0, "pub enum Fact {");
    for ((variable, value), it) in each().zip(model.variables()) {
        item.line(1, &format!("/// {}", in_comment(it.name())));
        item.line(1, &format!("{variable}({value}),"));
    }
    item.line(0, "}");
    page.item(item);

    let mut item = Item::new(&[], &[GENERATED]);
    item.lines(0, &["impl Fact {"]);
    item.lines(1, &["/// The variable.", "pub const fn variable(self) -> Variable {"]);
    let arms = each().map(|(it, _)| format!("Self::{it}(_) => Variable::{it},"));
    matching(&mut item, "self", arms.collect());
    item.lines(1, &["}", "", "/// The number of the value: the index of Throng's id."]);
    item.line(1, "pub const fn value_index(self) -> usize {");
    let arms = each().map(|(it, of)| match of == "bool" {
        true => format!("Self::{it}(value) => value as usize,"),
        false => format!("Self::{it}(value) => value.index(),"),
    });
    matching(&mut item, "self", arms.collect());
    item.lines(1, &["}", "", "/// The name of the value."]);
    item.line(1, "pub const fn value_name(self) -> &'static str {");
    let arms = each().map(|(it, of)| match of == "bool" {
        true => format!("Self::{it}(value) => [\"false\", \"true\"][value as usize],"),
        false => format!("Self::{it}(value) => value.name(),"),
    });
    matching(&mut item, "self", arms.collect());
    item.lines(1, &["}", "", "/// The fact of these numbers."]);
    item.line(1, "pub const fn from_index(variable: Variable, value: usize) -> Option<Self> {");
    item.line(2, "match variable {");
    for (it, of) in each() {
        let is_bool = of == "bool";
        let asked = if is_bool { "value".to_string() } else { format!("{of}::from_index(value)") };
        item.line(3, &format!("Variable::{it} => match {asked} {{"));
        match is_bool {
            true => {
                item.line(4, &format!("0 => Some(Self::{it}(false)),"));
                item.line(4, &format!("1 => Some(Self::{it}(true)),"));
                item.line(4, "_ => None,");
            }
            false => {
                item.line(4, &format!("Some(value) => Some(Self::{it}(value)),"));
                item.line(4, "None => None,");
            }
        }
        item.line(3, "},");
    }
    item.line(2, "}");
    item.line(1, "}");
    item.line(0, "}");
    page.item(item);
}
