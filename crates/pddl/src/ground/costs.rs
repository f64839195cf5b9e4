//! What the steps cost.
//!
//! In:   the values that the problem gives its functions, and steps.
//! Out:  the cost of each, in thousandths.
//! Cost: one probe per function that an action's cost names.

use super::limits::{Checked, GroundError};
use super::relation::Relation;
use crate::lifted::{CostTerm, Lifted, ObjectId, Term};

/// The values of the functions, to look up.
pub(super) struct Costs {
    /// By function, its arguments; in the same order the values.
    arguments: Vec<Relation>,
    values: Vec<Vec<u64>>,
    objects: Vec<u32>,
}

impl Costs {
    pub(super) fn new(lifted: &Lifted) -> Self {
        let mut costs = Costs {
            arguments: lifted.functions.iter().map(|f| Relation::new(f.arguments.len())).collect(),
            values: vec![Vec::new(); lifted.functions.len()],
            objects: Vec::new(),
        };
        for (function, arguments, value) in &lifted.values {
            let objects: Vec<u32> = arguments.iter().map(|object| object.0).collect();
            if costs.arguments[function.0 as usize].insert(&objects).is_some() {
                costs.values[function.0 as usize].push(value.0);
            }
        }
        costs
    }

    /// What a step costs, in thousandths.
    ///
    /// # Errors
    ///
    /// If the problem gives no value.
    pub(super) fn of(&mut self, lifted: &Lifted, action: usize, objects: &[u32]) -> Checked<u64> {
        if !lifted.has_metric {
            return Ok(1000);
        }
        let action_of = &lifted.actions[action];
        let mut total: u64 = 0;
        for part in &action_of.cost {
            let (function, terms) = match part {
                CostTerm::Number(number) => {
                    total = total.saturating_add(number.0);
                    continue;
                }
                CostTerm::Function(function, terms) => (function.0 as usize, terms),
            };
            self.objects.clear();
            self.objects.extend(terms.iter().map(|&term| match term {
                Term::Object(object) => object.0,
                Term::Variable(variable) => objects.get(variable as usize).copied().unwrap_or(0),
            }));
            let Some(at) = self.arguments[function].find(&self.objects) else {
                let text = |name: &str, objects: &[u32]| {
                    lifted.call_text(name, objects.iter().map(|&object| ObjectId(object)))
                };
                let value = text(&lifted.functions[function].name, &self.objects);
                let step = text(&action_of.name, objects);
                return Err(GroundError::NoCost { value, step });
            };
            total = total.saturating_add(self.values[function][at as usize]);
        }
        Ok(total)
    }
}
