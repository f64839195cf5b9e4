//! Those who were away under another version of the file, by name.
//!
//! In:   their bytes, in the numbers of that version, and what carries minds over.
//! Out:  the same in the file in force, without plans.
//! Cost: one pass.

use crate::offscreen::{Away, known};
use std::sync::Arc;
use throng_base::codec::{Decoder, ReadError};
use throng_crowd::NpcHandle;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::Fact;
use throng_mind::Moving;
use throng_mind::orders::{Message, MindId};
use throng_mind::time::Tick;

/// Reads a mind; `None` if its type is gone, which is told in the end. A value that is gone is in
/// the mind as the type starts, and `replaced` has it for its row.
pub(super) fn read_one(
    from: &mut Decoder<'_>,
    moving: &mut Moving,
    domain: &Arc<CompiledDomain>,
    (id, left): (MindId, Tick),
    replaced: &mut Vec<(MindId, Fact)>,
) -> Result<Option<Away>, ReadError> {
    let messages: Vec<Message> = from.read()?;
    let messages = messages.into_iter().filter_map(|message| moving.message(message)).collect();
    let (mind, kind) = moving.mind(from.section()?)?;
    let is_he = mind.as_ref().is_none_or(|mind| mind.id() == id);
    from.sound((), is_he, "mind that is away")?;
    let mut gone = Vec::new();
    for (variable, n_values) in moving.variables(kind) {
        let value = from.below(n_values + 1, "value of a variable")?.checked_sub(1);
        if value.is_some_and(|value| moving.fact(variable, value).is_none()) {
            gone.extend(moving.variable(variable));
        }
    }
    let row = NpcHandle::from_bits(from.read()?);
    let Some(mind) = mind else { return Ok(None) };
    let domain = Arc::clone(domain);
    let said = known(&mind, domain.npc(mind.npc()));
    let facts = said.iter().copied().flatten().filter(|fact| gone.contains(&fact.variable));
    replaced.extend(facts.map(|fact| (id, fact)));
    let (npc, goal, rest) = (mind.npc(), None, Vec::new());
    let mind = moving.save_mind(&mind);
    Ok(Some(Away { mind, left, domain, npc, row, said, goal, rest, messages }))
}
