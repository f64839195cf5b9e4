//! The tables of the module: what the domain says about each variable, action, goal, NPC type.
//!
//! In:   the model and its identifiers.
//! Out:  a type of row and a constant for each kind.
//! Cost: linear in the model.
//!
//! Left out: former names, kinds of actions, wishes, tests and notes. They are for those who
//! have the domain loaded.

use super::Names;
use super::layout::{Item, Page, quoted};
use crate::model::{ActionId, CheckUse, Fact, Model};

pub(super) fn write(model: &Model, made: &Names, page: &mut Page) {
    write_type(
        page,
        "What the domain says about a variable.",
        "VariableRow",
        &[
            ("variable", "Variable", "The variable."),
            ("n_values", "usize", "How many values it has."),
            ("shared", "bool", "Whether one value is shared by a whole group of NPCs."),
        ],
    );
    let mut item = table("All variables, by number.");
    let variables = model.variables();
    item.rows(
        "pub const VARIABLES: &[VariableRow] = ",
        "VariableRow",
        variables.len(),
        |item, at, depth| {
            let variable = &variables[at];
            item.line(depth, &format!("variable: Variable::{},", made.variables[at]));
            item.line(depth, &format!("n_values: {},", variable.values().len()));
            item.line(depth, &format!("shared: {},", variable.is_shared()));
        },
    );
    page.item(item);

    write_type(
        page,
        "What the domain says about an action.",
        "ActionRow",
        &[
            ("action", "Action", "The action."),
            ("needs", "&'static [Fact]", "What must hold, by variable."),
            ("sets", "&'static [Fact]", "What it brings about, by variable."),
            (
                "checks",
                "&'static [(Check, bool)]",
                "The context checks it asks for, with the answers it needs.",
            ),
            (
                "overrides",
                "&'static [Action]",
                "The actions that are not there while this one is enabled.",
            ),
            ("parts", "&'static [Action]", "The actions that it consists of, if it is a compound."),
            ("cost", "u64", "Its cost in thousandths."),
        ],
    );
    let mut item = table("All actions, by number.");
    let actions = model.actions();
    item.rows(
        "pub const ACTIONS: &[ActionRow] = ",
        "ActionRow",
        actions.len(),
        |item, at, depth| {
            let action = &actions[at];
            item.line(depth, &format!("action: Action::{},", made.actions[at]));
            item.list(depth, "needs: ", &made.facts(action.requires()), ",");
            item.list(depth, "sets: ", &made.facts(action.sets()), ",");
            item.list(depth, "checks: ", &made.uses(action.checks()), ",");
            item.list(depth, "overrides: ", &made.actions_of(action.overrides()), ",");
            item.list(depth, "parts: ", &made.actions_of(action.parts()), ",");
            item.line(depth, &format!("cost: {},", action.cost().0));
        },
    );
    page.item(item);

    write_type(
        page,
        "What the domain says about a goal.",
        "GoalRow",
        &[
            ("goal", "Goal", "The goal."),
            ("wants", "&'static [Fact]", "What must hold together, by variable."),
            ("serves", "Option<&'static str>", "The name that it is an alternative of."),
            ("priority", "u64", "How much it matters beside other goals, in thousandths."),
        ],
    );
    let mut item = table("All goals, by number.");
    let goals = model.goals();
    item.rows("pub const GOALS: &[GoalRow] = ", "GoalRow", goals.len(), |item, at, depth| {
        let goal = &goals[at];
        let serves = goal.serves().map(|name| format!("Some({})", quoted(name)));
        item.line(depth, &format!("goal: Goal::{},", made.goals[at]));
        item.list(depth, "wants: ", &made.facts(goal.wants()), ",");
        item.line(depth, &format!("serves: {},", serves.as_deref().unwrap_or("None")));
        item.line(depth, &format!("priority: {},", goal.priority().0));
    });
    page.item(item);

    write_type(
        page,
        "What the domain says about an NPC type.",
        "NpcRow",
        &[
            ("npc", "Npc", "The NPC type."),
            ("can", "&'static [Action]", "The actions it can do, by number."),
            ("wants", "&'static [Goal]", "The goals it has, by number."),
            (
                "starts",
                "&'static [Fact]",
                "The values it starts with, by variable; the others are unknown.",
            ),
        ],
    );
    let mut item = table("All NPC types, by number.");
    let npcs = model.npcs();
    item.rows("pub const NPCS: &[NpcRow] = ", "NpcRow", npcs.len(), |item, at, depth| {
        let npc = &npcs[at];
        let wants = npc.wants().iter().map(|goal| format!("Goal::{}", made.goals[goal.index()]));
        item.line(depth, &format!("npc: Npc::{},", made.npcs[at]));
        item.list(depth, "can: ", &made.actions_of(npc.can()), ",");
        item.list(depth, "wants: ", &wants.collect::<Vec<_>>(), ",");
        item.list(depth, "starts: ", &made.facts(npc.starts()), ",");
    });
    page.item(item);
}

fn table(comment: &str) -> Item {
    Item::new(&[comment], &["allow(dead_code, unreachable_pub, reason = \"generated\")"])
}

fn write_type(page: &mut Page, comment: &str, name: &str, fields: &[(&str, &str, &str)]) {
    let attributes = [
        "allow(dead_code, unreachable_pub, reason = \"generated\")",
        "derive(Clone, Copy, PartialEq, Eq, Debug)",
    ];
    let mut item = Item::new(&[comment], &attributes);
    item.line(0, &format!("pub struct {name} {{"));
    for (field, of, comment) in fields {
        item.line(1, &format!("/// {comment}"));
        item.line(1, &format!("pub {field}: {of},"));
    }
    item.line(0, "}");
    page.item(item);
}

impl Names {
    fn facts(&self, facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|&fact| self.fact(fact)).collect()
    }

    /// `Fact::Door(Door::Open)`, `Fact::Lamp(true)`.
    fn fact(&self, fact: Fact) -> String {
        let variable = fact.variable.index();
        let (name, of) = (&self.variables[variable], &self.value_types[variable]);
        match of == "bool" {
            true => format!("Fact::{name}({})", fact.value.index() == 1),
            false => format!("Fact::{name}({of}::{})", self.values[variable][fact.value.index()]),
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
