//! Those who were away under another version of the file, by name.
//!
//! In:   their bytes, in the numbers of that version, and what carries minds over.
//! Out:  the same in the file in force: values that both have, goals by name, no plans.
//! Cost: one pass.
//!
//! Variables that are new are in the row as in the mind: as the type starts.

use super::{Doing, Row, Saved};
use throng_base::codec::{DecodeError, Decoder, ReadError};
use throng_domain::compile::UNKNOWN;
use throng_domain::model::{Fact, ValueId, VariableId};
use throng_mind::orders::{Message, MindId};
use throng_mind::time::Tick;
use throng_mind::{FormerKind, Mind, Moving};

/// Reads somebody; `None` if his type is gone, which is told in the end.
pub(super) fn read_one(
    from: &mut Decoder<'_>,
    moving: &mut Moving,
    id: MindId,
    left: Tick,
) -> Result<Option<Saved>, ReadError> {
    let messages: Vec<Message> = from.read()?;
    let messages = messages.into_iter().filter_map(|message| moving.message(message)).collect();
    let (mind, kind) = moving.mind(from.section()?)?;
    let is_he = mind.as_ref().is_none_or(|mind| mind.id() == id);
    from.sound((), is_he, "mind that is away")?;
    // What the crowd said when he left is what his mind knew.
    facts(from, moving, kind)?;
    let row = if from.read()? { Some(row(from, moving, kind)?) } else { None };
    let Some(mind) = mind else { return Ok(None) };
    let said = values(&mind, moving);
    let row = row.map(|row| {
        let carried = said.iter().map(|&(variable, value)| match row.find(variable) {
            Some(Now::Known(fact)) => Some(fact),
            // The crowd knows it no longer.
            Some(Now::Unknown) => None,
            // New, or of a value that is gone: what the mind has.
            Some(Now::Gone) | None => value,
        });
        let values = carried.collect();
        Row { group: row.group, values, goal: row.goal, doing: Doing::Waits }
    });
    let bytes = moving.save_mind(&mind);
    let said = said.into_iter().map(|(_, value)| value).collect();
    let (npc, goal, rest) = (mind.npc(), None, Vec::new());
    Ok(Some(Saved { id, mind: bytes, left, npc, said, goal, rest, messages, row }))
}

/// What became of what a former row knew.
#[derive(Clone, Copy)]
enum Now {
    Known(Fact),
    Unknown,
    Gone,
}

struct FormerRow {
    group: usize,
    values: Vec<(VariableId, Now)>,
    goal: Option<throng_domain::model::GoalId>,
}

impl FormerRow {
    fn find(&self, variable: VariableId) -> Option<Now> {
        self.values.iter().find(|(known, _)| *known == variable).map(|(_, now)| *now)
    }
}

/// What a row knew of the variables of its type that are still there.
fn facts(
    from: &mut Decoder<'_>,
    moving: &Moving,
    kind: FormerKind,
) -> Result<Vec<(VariableId, Now)>, DecodeError> {
    let mut facts = Vec::new();
    for (variable, n_values) in moving.variables(kind) {
        let value = from.below(n_values + 1, "value of a variable")?;
        let now = match value.checked_sub(1).map(|value| moving.fact(variable, value)) {
            Some(Some(fact)) => Now::Known(fact),
            Some(None) => Now::Gone,
            None => Now::Unknown,
        };
        facts.extend(moving.variable(variable).map(|variable| (variable, now)));
    }
    Ok(facts)
}

fn row(
    from: &mut Decoder<'_>,
    moving: &Moving,
    kind: FormerKind,
) -> Result<FormerRow, DecodeError> {
    let group = from.read()?;
    let values = facts(from, moving, kind)?;
    // A goal that is gone is told of by the mind that had it; the row wants nothing.
    let goal = from.read::<Option<String>>()?.and_then(|name| moving.goal(&name));
    match from.read::<u8>()? {
        0 | 1 => {}
        2 => {
            for _ in 0..from.count()? {
                from.below(moving.n_actions(kind), "action of the type")?;
            }
        }
        _ => return from.error("status of a row"),
    }
    Ok(FormerRow { group, values, goal })
}

/// What a mind knows of each variable of its type.
fn values(mind: &Mind, moving: &Moving) -> Vec<(VariableId, Option<Fact>)> {
    let kind = moving.domain().npc(mind.npc());
    let fact = |&variable: &VariableId| {
        let value = mind.state().values()[variable.index()];
        let value = Some(value).filter(|value| *value != UNKNOWN);
        let value = value.map(|value| ValueId::at(usize::from(value)));
        (variable, value.map(|value| Fact { variable, value }))
    };
    kind.variables().iter().map(fact).collect()
}
