//! What a step does to numbers.
//!
//! In:   an action that can be done, and its objects.
//! Out:  the numbers that change with their new values; or why they cannot.
//! Cost: a few hash lookups per change.
//!
//! All changes happen at once, on the state before: what is added to one number adds up, and
//! nothing is added to what is set.

use super::facts::Fact;
use super::matching::holds;
use super::verdict::Why;
use super::world::{Binding, World};
use crate::lifted::{Action, NumberEffectKind, NumberTerm, ObjectId};
use std::collections::BTreeMap;

/// What is done to one number so far.
#[derive(Default)]
struct Done {
    set: Option<i64>,
    added: Option<i64>,
}

/// The new values after an action.
pub(super) fn changed(
    world: &World<'_>,
    action: &Action,
    binding: &mut Binding,
) -> Result<Vec<(Fact, i64)>, Why> {
    let text = |key: &Fact| {
        let task = world.task;
        let objects = key[1..].iter().map(|&object| ObjectId(object));
        task.call_text(&task.functions[key[0] as usize].name, objects)
    };
    let mut done: BTreeMap<Fact, Done> = BTreeMap::new();
    for change in &action.changes {
        if !holds(world, &change.condition, binding) {
            continue;
        }
        let key = world.number_key(change.function, &change.arguments, binding);
        let Some(by) = world.number(&change.by, binding) else {
            let unsaid = match &change.by {
                NumberTerm::Function(function, arguments) => {
                    text(&world.number_key(*function, arguments, binding))
                }
                NumberTerm::Number(number) => number.to_string(),
            };
            return Err(Why::NoValue(unsaid));
        };
        let too_large = || Why::TooLarge(text(&key));
        let so_far = done.entry(key.clone()).or_default();
        let by = match change.kind {
            NumberEffectKind::Assign if so_far.set.is_some_and(|set| set != by) => {
                return Err(Why::TwoValues(text(&key)));
            }
            NumberEffectKind::Assign => {
                so_far.set = Some(by);
                continue;
            }
            NumberEffectKind::Increase => by,
            NumberEffectKind::Decrease => by.checked_neg().ok_or_else(too_large)?,
        };
        let sum = so_far.added.unwrap_or(0).checked_add(by);
        so_far.added = Some(sum.ok_or_else(too_large)?);
    }
    let mut values = Vec::with_capacity(done.len());
    for (key, Done { set, added }) in done {
        let value = match (set, added) {
            (Some(_), Some(_)) => return Err(Why::TwoValues(text(&key))),
            (Some(set), None) => set,
            (None, added) => {
                let Some(before) = world.numbers.get(&key) else {
                    return Err(Why::NoValue(text(&key)));
                };
                let sum = before.checked_add(added.unwrap_or(0));
                sum.ok_or_else(|| Why::TooLarge(text(&key)))?
            }
        };
        values.push((key, value));
    }
    Ok(values)
}
