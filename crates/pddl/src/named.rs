//! A ground task with its names: what grounding gives, and what a `.sas` file says.
//!
//! In:   variables, operators and rules one by one.
//! Out:  a [`GroundTask`] of numbers to search, and what the numbers mean.
//!
//! Costs of the task are thousandths, as everywhere in Throng. A task's operators have costs
//! even if there is no metric; then they are all 1.

pub use throng_base::Names;
use throng_planner::forward::{Atom, GroundTask};

/// A ground task with its names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedTask {
    /// The numbers.
    pub task: GroundTask,
    /// Per variable its name and the names of its values.
    pub variables: Vec<VariableNames>,
    /// The operators' names, without parentheses: `move a b`.
    pub operators: Names,
    /// Groups of atoms of which at most one holds at a time, beside those of one variable.
    pub mutexes: Vec<Vec<Atom>>,
    /// Whether costs count; else every operator counts 1.
    pub has_metric: bool,
}

impl NamedTask {
    /// A fact in words: `on(a, b)`, `not on(a, b)`, `none of at(a), at(b)`; with its variable,
    /// as in `door = open`, if the value's name alone says too little.
    pub fn fact_text(&self, atom: Atom) -> String {
        let Some(names) = self.variables.get(atom.variable as usize) else {
            return String::new();
        };
        let value = names.values.get(usize::from(atom.value)).map_or("", String::as_str);
        if let Some(fact) = value.strip_prefix("Atom ") {
            return fact.to_owned();
        }
        if let Some(fact) = value.strip_prefix("NegatedAtom ") {
            return format!("not {fact}");
        }
        match names.is_made_up() && value == NONE_OF_THOSE {
            true => format!("none of {}", names.facts(MOST_FACTS)),
            false => format!("{} = {value}", names.name),
        }
    }

    /// A variable in words: its name, or its facts if the name is only a number's.
    pub fn variable_text(&self, variable: usize) -> String {
        let Some(names) = self.variables.get(variable) else { return String::new() };
        match names.is_made_up() && names.values.iter().any(|value| value.starts_with("Atom ")) {
            true => names.facts(MOST_FACTS),
            false => names.name.clone(),
        }
    }
}

/// Sorts facts and leaves each once; a variable of which they have two values.
pub(crate) fn clash(atoms: &mut Vec<Atom>) -> Option<u32> {
    atoms.sort_unstable();
    atoms.dedup();
    let mut pairs = atoms.windows(2).filter(|pair| pair[0].variable == pair[1].variable);
    pairs.next().map(|pair| pair[0].variable)
}

/// How many facts stand for a variable in a message.
const MOST_FACTS: usize = 2;
/// The value of a variable where none of its facts holds.
const NONE_OF_THOSE: &str = "<none of those>";

/// What a variable and its values are called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableNames {
    /// Such as `var0`.
    pub name: String,
    /// Such as `Atom on(a, b)`, `NegatedAtom on(a, b)`, `<none of those>`.
    pub values: Vec<String>,
}

impl VariableNames {
    /// Whether the name is a translator's number: `var16`.
    fn is_made_up(&self) -> bool {
        let number = self.name.strip_prefix("var");
        number.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The first facts among the values.
    fn facts(&self, most: usize) -> String {
        let facts = || self.values.iter().filter_map(|value| value.strip_prefix("Atom "));
        let shown: Vec<&str> = facts().take(most).collect();
        let more = if facts().count() > most { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    }
}
