//! Actions about slots, by name: slots of one selection are alike.
//!
//! In:   the name of an action, as `goto(cover.1)` or `goto(cover)`.
//! Out:  the action that is meant, or what to ask instead.
//! Cost: a pass over the actions, if there is none of the name.

use crate::console::Fail;
use crate::question::PlanQuestion;
use throng_domain::model::ActionId;

/// The action of a name; of `goto(cover)` the first that is about a slot of that selection.
pub(super) fn action(question: &PlanQuestion, name: &str) -> Result<ActionId, Fail> {
    let (npc, map) = (&question.npc, question.npc.domain().compiled().map());
    let all: Vec<ActionId> = map.action_ids().collect();
    let unknown = match npc.domain().action(name) {
        Ok(action) => return Ok(action),
        Err(unknown) => unknown,
    };
    let (own, template) = (&all[..], name.split('(').next().unwrap_or(name));
    if let Some(&first) = own.iter().find(|&&it| map.alike(map.action(it)) == name) {
        return Ok(first);
    }
    let slot = own.iter().find(|&&it| {
        map.action(it).split('(').next() == Some(template) && !map.parameter_slots(it).is_empty()
    });
    match slot {
        // The name of a thing is for minds.
        Some(&slot) => Err(Fail::Bad(format!(
            "{unknown}; a plan is about slots, as `{}`: which thing a slot holds is a mind's \
             affair, so ask one: `throng play STORY --at SECONDSs --npc NAME --why '{name}'`",
            map.action(slot)
        ))),
        None => Err(unknown.into()),
    }
}
