//! A ground task with its names: what grounding gives, and what a `.sas` file says.
//!
//! In:   variables, operators and rules one by one.
//! Out:  a [`Task`] of numbers to search, and what the numbers mean.
//!
//! Costs of the task are thousandths, as everywhere in Throng. A task's operators have costs
//! even if there is no metric; then they are all 1.

use throng_planner::forward::{Atom, Task};

/// A ground task with its names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedTask {
    /// The numbers.
    pub task: Task,
    /// Per variable its name and the names of its values.
    pub variables: Vec<VariableNames>,
    /// The operators' names, without parentheses: `move a b`.
    pub operators: Names,
    /// Groups of atoms of which at most one holds at a time, beside those of one variable.
    pub mutexes: Vec<Vec<Atom>>,
    /// Whether costs count; else every operator counts 1.
    pub has_metric: bool,
}

/// What a variable and its values are called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableNames {
    /// Such as `var0`.
    pub name: String,
    /// Such as `Atom on(a, b)`, `NegatedAtom on(a, b)`, `<none of those>`.
    pub values: Vec<String>,
}

/// Many names in one text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// Adds a name.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A name by number; empty beyond the end.
    pub fn get(&self, number: usize) -> &str {
        let Some(&end) = self.ends.get(number) else { return "" };
        let from = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[from..end]
    }
}
