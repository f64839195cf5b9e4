//! Actions about slots, by name: slots of one selection are alike.
//!
//! In:   the name of an action, as `goto(cover.1)`, `goto(cover)` or `goto(c9)`.
//! Out:  the action that is meant, or what to ask instead.
//! Cost: a pass over the actions, and over the level's statements, if there is none of the name.

use crate::args::DomainArgs;
use crate::console::Fail;
use crate::question::PlanQuestion;
use throng_base::{DidYouMean, nearest};
use throng_domain::Level;
use throng_domain::model::ActionId;
use throng_domain::names::{arguments_of, template_of};

/// The action of a name; of `goto(cover)` the first that is about a slot of that selection.
pub(super) fn action(
    question: &PlanQuestion,
    name: &str,
    file: &DomainArgs,
) -> Result<ActionId, Fail> {
    let (npc, map) = (&question.npc, question.npc.domain().compiled().map());
    let unknown = match npc.domain().action(name) {
        Ok(action) => return Ok(action),
        Err(unknown) => unknown,
    };
    if let Some(first) = map.action_ids().find(|&it| map.alike(map.action(it)) == name) {
        return Ok(first);
    }
    let template = template_of(name);
    let slot = map.action_ids().find(|&it| {
        let is_of_template = template.is_some() && template_of(map.action(it)) == template;
        is_of_template && !map.parameter_slots(it).is_empty()
    });
    // Words of the file are no things.
    let is_value = |word: &str| map.variable_ids().any(|it| map.find_value(it, word).is_some());
    let is_select = |word: &str| map.find_slot(word).is_some() || map.find_select(word).is_some();
    let thing = arguments_of(name).find(|word| !is_value(word) && !is_select(word));
    match (slot, thing) {
        (Some(slot), Some(thing)) => {
            let asked = Asked { name, thing, slot, file };
            Err(Fail::known("unknown_name", asked.answer(question)))
        }
        _ => Err(unknown.into()),
    }
}

/// An action that is about a thing: plans are about slots, and which thing a slot holds is known
/// to minds only.
struct Asked<'a> {
    name: &'a str,
    thing: &'a str,
    /// One of the same template that is about a slot.
    slot: ActionId,
    file: &'a DomainArgs,
}

impl Asked<'_> {
    /// What to ask instead.
    fn answer(&self, question: &PlanQuestion) -> String {
        let Asked { name, thing, slot, file } = *self;
        let (npc, map) = (&question.npc, question.npc.domain().compiled().map());
        let slot = map.action(slot);
        let plan = format!(
            "a plan is about slots, whatever they hold: ask for `{slot}`, or for `{}`",
            map.alike(slot)
        );
        let level = Level::of(npc.domain().model());
        if level.is_empty() {
            return format!(
                "`{thing}` is in no slot: no level is here that could have it; {plan}; of a level, \
                 `throng play LEVEL --at 5s --npc NAME --why '{name}'`"
            );
        }
        if !level.names().any(|known| known == thing) {
            let did = DidYouMean(nearest(thing, level.names().collect::<Vec<_>>()));
            return format!("nothing in this level is called `{thing}`{did}; {plan}");
        }
        let who = level.members(npc.type_name()).next().map_or("NAME", |(who, _)| who);
        let root = file.root.as_ref().map(|root| format!(" --root {}", root.display()));
        format!(
            "`{thing}` is in this level, and in no slot until a mind picks it; {plan}; what a mind \
             makes of it is told by `throng play {}{} --at 5s --npc {who} --why '{name}'`",
            file.file.display(),
            root.unwrap_or_default()
        )
    }
}
