//! The tables of the module: what the domain says about each variable, action, goal, NPC type.
//!
//! In:   the model and its identifiers.
//! Out:  a type of row and a constant for each kind.
//! Cost: linear in the model.
//!
//! Left out: former names, kinds of actions, wishes, tests and notes. They are for those who
//! have the domain loaded.

use super::layout::{Item, Page, quoted};
use super::{GENERATED, Names};
use crate::model::{ActionId, CheckUse, Fact, Model};

/// What a row has in one column.
enum Cell {
    One(String),
    List(Vec<String>),
}

use Cell::{List, One};

/// A type of row, and the constant that holds the rows.
struct Table {
    /// What one row and all of them are about.
    what: [&'static str; 2],
    row: &'static str,
    constant: &'static str,
    /// The name of each field, its type, what it is.
    columns: &'static [Column],
    /// The same of the fields that only rows of domains with amounts have.
    of_amounts: &'static [Column],
}

type Column = (&'static str, &'static str, &'static str);

const RANGES: Column = (
    "ranges",
    "&'static [(Variable, &'static [(i64, i64)])]",
    "Variables that must be in one of some runs: by number, or by index if they are no amounts.",
);
const COMPARED: Column = (
    "compared",
    "&'static [(Variable, &'static str, Variable)]",
    "Amounts that must stand so to each other.",
);

const VARIABLES: Table = Table {
    what: ["a variable", "variables"],
    row: "VariableRow",
    constant: "VARIABLES",
    columns: &[
        ("variable", "Variable", "The variable."),
        ("n_values", "usize", "How many values it has."),
        ("shared", "bool", "Whether one value is shared by a whole group of NPCs."),
    ],
    of_amounts: &[(
        "range",
        "Option<(i64, i64)>",
        "Its first and its last number, if it is an amount.",
    )],
};

#[rustfmt::skip]
const ACTIONS: Table = Table {
    what: ["an action", "actions"],
    row: "ActionRow",
    constant: "ACTIONS",
    columns: &[
        ("action", "Action", "The action."),
        ("needs", "&'static [Fact]", "What must hold, by variable."),
        ("sets", "&'static [Fact]", "What it brings about, by variable."),
        ("checks", "&'static [(Check, bool)]", "The context checks it asks for, with the answers it needs."),
        ("overrides", "&'static [Action]", "The actions that are not there while this one is enabled."),
        ("parts", "&'static [Action]", "The actions that it consists of, if it is a compound."),
        ("cost", "u64", "Its cost in thousandths."),
    ],
    of_amounts: &[
        RANGES,
        COMPARED,
        ("shifts", "&'static [(Variable, i64, Option<i64>)]", "How it moves amounts: by how much, and where they stop; without a stop they must stay in their range."),
    ],
};

const GOALS: Table = Table {
    what: ["a goal", "goals"],
    row: "GoalRow",
    constant: "GOALS",
    columns: &[
        ("goal", "Goal", "The goal."),
        ("wants", "&'static [Fact]", "What must hold together, by variable."),
        ("serves", "Option<&'static str>", "The name that it is an alternative of."),
        ("priority", "u64", "How much it matters beside other goals, in thousandths."),
    ],
    of_amounts: &[RANGES, COMPARED],
};

#[rustfmt::skip]
const NPCS: Table = Table {
    what: ["an NPC type", "NPC types"],
    row: "NpcRow",
    constant: "NPCS",
    columns: &[
        ("npc", "Npc", "The NPC type."),
        ("can", "&'static [Action]", "The actions it can do, by number."),
        ("wants", "&'static [Goal]", "The goals it has, by number."),
        ("starts", "&'static [Fact]", "The values it starts with, by variable; the others are unknown."),
    ],
    of_amounts: &[],
};

pub(super) fn write(model: &Model, made: &Names, page: &mut Page) {
    let has_amounts = made.has_amounts;
    VARIABLES.write(page, has_amounts, model.variables(), |at, variable| {
        let name = format!("Variable::{}", made.variables[at]);
        let n_values = variable.values().len().to_string();
        let range = variable.values().ends().map(|ends| format!("Some({ends:?})"));
        vec![
            One(name),
            One(n_values),
            One(variable.is_shared().to_string()),
            One(range.unwrap_or("None".to_string())),
        ]
    });
    ACTIONS.write(page, has_amounts, model.actions(), |at, action| {
        vec![
            One(format!("Action::{}", made.actions[at])),
            List(made.facts(model, action.requires())),
            List(made.facts(model, action.sets())),
            List(made.uses(action.checks())),
            List(made.actions_of(action.overrides())),
            List(made.actions_of(action.parts())),
            One(action.cost().0.to_string()),
            List(made.ranges(model, action.ranges())),
            List(made.compared(action.comparisons())),
            List(made.shifts(model, action.shifts())),
        ]
    });
    GOALS.write(page, has_amounts, model.goals(), |at, goal| {
        let serves = goal.serves().map(|name| format!("Some({})", quoted(name)));
        vec![
            One(format!("Goal::{}", made.goals[at])),
            List(made.facts(model, goal.wants())),
            One(serves.unwrap_or("None".to_string())),
            One(goal.priority().0.to_string()),
            List(made.ranges(model, goal.ranges())),
            List(made.compared(goal.comparisons())),
        ]
    });
    NPCS.write(page, has_amounts, model.npcs(), |at, npc| {
        let wants = npc.wants().iter().map(|goal| format!("Goal::{}", made.goals[goal.index()]));
        vec![
            One(format!("Npc::{}", made.npcs[at])),
            List(made.actions_of(npc.can())),
            List(wants.collect()),
            List(made.facts(model, npc.starts())),
        ]
    });
}

impl Table {
    /// The fields of a row; those about amounts come last.
    fn columns(&self, has_amounts: bool) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(self.of_amounts.iter().filter(move |_| has_amounts))
    }

    fn write<T>(
        &self,
        page: &mut Page,
        has_amounts: bool,
        rows: &[T],
        cells: impl Fn(usize, &T) -> Vec<Cell>,
    ) {
        let [one, all] = self.what;
        let comment = format!("What the domain says about {one}.");
        let derived = "derive(Clone, Copy, PartialEq, Eq, Debug)";
        let mut item = Item::new(&[&comment], &[GENERATED, derived]);
        item.line(0, &format!("pub struct {} {{", self.row));
        for (field, of, comment) in self.columns(has_amounts) {
            item.line(1, &format!("/// {comment}"));
            item.line(1, &format!("pub {field}: {of},"));
        }
        item.line(0, "}");
        page.item(item);

        let mut item = Item::new(&[&format!("All {all}, by number.")], &[GENERATED]);
        let before = format!("pub const {}: &[{}] = ", self.constant, self.row);
        item.rows(&before, self.row, rows.len(), |item, at, depth| {
            for ((field, ..), cell) in self.columns(has_amounts).zip(cells(at, &rows[at])) {
                match cell {
                    One(value) => item.line(depth, &format!("{field}: {value},")),
                    List(list) => item.list(depth, &format!("{field}: "), &list, ","),
                }
            }
        });
        page.item(item);
    }
}

impl Names {
    fn facts(&self, model: &Model, facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|&fact| self.fact(model, fact)).collect()
    }

    /// `Fact::Door(Door::Open)`, `Fact::Lamp(true)`, `Fact::Hp(Hp(40))`.
    fn fact(&self, model: &Model, fact: Fact) -> String {
        let variable = fact.variable.index();
        let (name, of) = (&self.variables[variable], &self.value_types[variable]);
        let at = fact.value.index();
        match (model[fact.variable].values().ends(), of == "bool") {
            (Some((low, _)), _) => format!("Fact::{name}({of}({}))", low + at as i64),
            (None, true) => format!("Fact::{name}({})", at == 1),
            (None, false) => format!("Fact::{name}({of}::{})", self.values[variable][at]),
        }
    }

    fn uses(&self, checks: &[CheckUse]) -> Vec<String> {
        let name = |used: &CheckUse| &self.checks[used.check.index()];
        checks.iter().map(|used| format!("(Check::{}, {})", name(used), used.expected)).collect()
    }

    fn actions_of(&self, actions: &[ActionId]) -> Vec<String> {
        actions.iter().map(|action| format!("Action::{}", self.actions[action.index()])).collect()
    }
}
