//! Goals of the rule machine: total or partial.
//!
//! In:   facts of the type's own variables.
//! Out:  what the end must look like, and which variables may end anywhere, as bits of the machine
//!       word.
//! Cost: at load, or when a goal is first met; one step per variable.

use super::NotWide;
use super::fields::Fields;
use throng_domain::compile::{LocalFact, Value};

/// A goal in the machine word of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GoalWord {
    /// By variable; `None` is open.
    pub(super) wants: Vec<Option<Value>>,
    /// The bits of the end that matter.
    pub(super) look: u64,
    /// What they must be.
    pub(super) see: u64,
    /// The open bits.
    pub(super) open: u64,
}

impl GoalWord {
    pub(super) fn new(fields: &Fields, facts: &[LocalFact]) -> Result<GoalWord, NotWide> {
        let mut wants = vec![None; fields.variables.len()];
        for &fact in facts {
            let size = fields.variables.get(fact.variable.index()).map(|field| field.size);
            let want = wants.get_mut(fact.variable.index());
            match (size, want) {
                (Some(size), Some(want))
                    if fact.value < size && want.is_none_or(|known| known == fact.value) =>
                {
                    *want = Some(fact.value);
                }
                _ => return Err(NotWide::Goal { fact }),
            }
        }
        Ok(GoalWord::of_wants(fields, wants))
    }

    pub(super) fn of_wants(fields: &Fields, wants: Vec<Option<Value>>) -> GoalWord {
        let (mut look, mut see, mut open) = (0, 0, 0);
        for (variable, want) in wants.iter().enumerate() {
            match want {
                Some(value) => {
                    look |= fields.field_mask(variable);
                    see |= fields.code(variable, *value);
                }
                None => open |= fields.open(variable),
            }
        }
        GoalWord { wants, look, see, open }
    }
}
