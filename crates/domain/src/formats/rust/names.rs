//! The enumerations of the module: variables, values, checks, actions, goals, NPC types, facts.
//!
//! In:   the model and its identifiers.
//! Out:  a type for each kind, with names and numbers both ways.
//! Cost: linear in the names.

use super::layout::{Item, Page, in_comment, quoted};
use super::{GENERATED, Names, amounts};
use crate::model::{Model, Variable};
use crate::names::as_integer;

pub(super) const DERIVED: &str = "derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)";
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
        if let Some(ends) = variable.values().ends() {
            amounts::write(variable.name(), &made.value_types[at], ends, page);
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
        let name = |at: usize| quoted(self.variants[at].1);
        item.method(
            "Its name in the domain.",
            "const fn name(self) -> &'static str",
            &self.each(name),
        );
        if let Some(numbers) = &self.numbers {
            let number = self.each(|at| numbers[at].to_string());
            item.method("The number that it is.", "const fn number(self) -> i64", &number);
        }
        let unless_empty =
            |body: String| [if is_empty { "match self {}".to_string() } else { body }];
        item.method(
            "Its own number: the index of Throng's id.",
            "const fn index(self) -> usize",
            &unless_empty("self as usize".to_string()),
        );
        if let Some((table, row)) = self.table {
            let body = unless_empty(format!("&{table}[self as usize]"));
            let head = format!("const fn row(self) -> &'static {row}");
            item.method("What the domain says about it.", &head, &body);
        }
        item.method(
            "The one of this number.",
            "const fn from_index(index: usize) -> Option<Self>",
            &[
                "if index < Self::ALL.len() {",
                "    Some(Self::ALL[index])",
                "} else {",
                "    None",
                "}",
            ],
        );
        item.method(
            "The one of this name: looks at all.",
            "fn from_name(name: &str) -> Option<Self>",
            &["Self::ALL.iter().copied().find(|it| it.name() == name)"],
        );
        item.line(0, "}");
        page.item(item);
    }

    /// The body of a method that gives something else for each.
    fn each(&self, value: impl Fn(usize) -> String) -> Vec<String> {
        let arms = self.variants.iter().enumerate();
        matching("self", arms.map(|(at, (it, _))| format!("Self::{it} => {},", value(at))))
    }
}

/// `match what { arms }` as the body of a method.
pub(super) fn matching(what: &str, arms: impl Iterator<Item = String>) -> Vec<String> {
    let mut body = vec![format!("match {what} {{")];
    body.extend(arms.map(|arm| format!("    {arm}")));
    if body.len() == 1 {
        return vec![format!("match {what} {{}}")];
    }
    body.push("}".to_string());
    body
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
    item.line(0, "impl Fact {");
    let of_value = |of_bool: &str, of_others: &str| {
        let given = |of: &str| if of == "bool" { of_bool } else { of_others }.to_string();
        matching("self", each().map(|(it, of)| format!("Self::{it}(value) => {},", given(of))))
    };
    let variable = each().map(|(it, _)| format!("Self::{it}(_) => Variable::{it},"));
    item.method(
        "The variable.",
        "const fn variable(self) -> Variable",
        &matching("self", variable),
    );
    item.method(
        "The number of the value: the index of Throng's id.",
        "const fn value_index(self) -> usize",
        &of_value("value as usize", "value.index()"),
    );
    let name_of = |of: &str| match of {
        "bool" => "[\"false\", \"true\"][value as usize]",
        _ => "value.name()",
    };
    match made.has_amounts {
        false => item.method(
            "The name of the value.",
            "const fn value_name(self) -> &'static str",
            &of_value(name_of("bool"), name_of("")),
        ),
        true => amounts::write_numbers(model, made, &name_of, &mut item),
    }
    let facts = each().flat_map(|(it, of)| match of == "bool" {
        true => vec![
            format!("Variable::{it} => match value {{"),
            format!("    0 => Some(Self::{it}(false)),"),
            format!("    1 => Some(Self::{it}(true)),"),
            "    _ => None,".to_string(),
            "},".to_string(),
        ],
        false => vec![
            format!("Variable::{it} => match {of}::from_index(value) {{"),
            format!("    Some(value) => Some(Self::{it}(value)),"),
            "    None => None,".to_string(),
            "},".to_string(),
        ],
    });
    item.method(
        "The fact of these numbers.",
        "const fn from_index(variable: Variable, value: usize) -> Option<Self>",
        &matching("variable", facts),
    );
    item.line(0, "}");
    page.item(item);
}
