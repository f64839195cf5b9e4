//! What the steps cost.
//!
//! In:   the values that the problem gives its functions, and steps.
//! Out:  the cost of each, in thousandths.
//! Cost: one probe per function that an action's cost names.

use super::body::value;
use super::limits::{Checked, GroundError};
use crate::lifted::{CostTerm, FunctionId, Lifted, ObjectId};
use std::collections::HashMap;
use throng_base::mix::BuildMix;
use throng_domain::Cost;

/// The values of the functions, to look up.
pub(super) struct Costs<'a> {
    values: HashMap<(FunctionId, &'a [ObjectId]), Cost, BuildMix>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(lifted: &'a Lifted) -> Self {
        let values = lifted.values.iter().map(|(of, on, value)| ((*of, &on[..]), *value));
        Costs { values: values.collect() }
    }

    /// What a step costs, in thousandths.
    ///
    /// # Errors
    ///
    /// If the problem gives no value.
    pub(super) fn of(&self, lifted: &Lifted, action: usize, objects: &[u32]) -> Checked<u64> {
        if !lifted.has_metric {
            return Ok(1000);
        }
        let action_of = &lifted.actions[action];
        let mut total: u64 = 0;
        for part in &action_of.cost {
            let cost = match part {
                CostTerm::Number(number) => *number,
                CostTerm::Function(function, terms) => {
                    let on = terms.iter().map(|&term| ObjectId(value(term, objects)));
                    let on: Vec<ObjectId> = on.collect();
                    *self.values.get(&(*function, &on[..])).ok_or_else(|| {
                        let name = &lifted.functions[function.index()].name;
                        let objects = objects.iter().map(|&object| ObjectId(object));
                        let step = lifted.call_text(&action_of.name, objects);
                        GroundError::NoCost {
                            value: lifted.call_text(name, on.iter().copied()),
                            step,
                        }
                    })?
                }
            };
            total = total.saturating_add(cost.0);
        }
        Ok(total)
    }
}
