//! What a file calls everything: kept in a save, so that another version of the file can take it
//! over.
//!
//! In:   the names of a [`Spec`](crate::spec::Spec); or bytes, not to be trusted.
//! Out:  [`Names`] by the numbers of that file, which say what a number meant and how many there
//!       were of everything, and nothing of what it did; or the bytes of them.
//! Cost: the names, once per file; not for the frame.

use crate::words::Word;
use std::sync::Arc;
use throng_base::codec::{DecodeError, Decoder, Encode, Encoder};
use throng_domain::compile::FormerValues;
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId, VariableId};

/// A type of mind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypeNames {
    pub(crate) name: String,
    /// How many facts it can hold.
    pub(crate) memory: usize,
    /// How many sensors it has.
    pub(crate) sensors: usize,
    pub(crate) otherwise: Option<ActionId>,
    pub(crate) variables: Vec<VariableId>,
    pub(crate) actions: Vec<ActionId>,
    pub(crate) goals: Vec<GoalId>,
}

/// A version of the file, without its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Names {
    /// Of the compiled domain.
    pub(crate) digest: u128,
    /// Each with its values, which neighbours share.
    pub(crate) variables: Vec<(String, FormerValues)>,
    pub(crate) checks: Vec<String>,
    pub(crate) goals: Vec<String>,
    /// Each with the number of its parts, and of the amounts that it moves.
    pub(crate) actions: Vec<(String, usize, usize)>,
    /// The variable of each `symbol`.
    pub(crate) symbols: Vec<VariableId>,
    /// What each `learn` rule teaches.
    pub(crate) learns: Vec<Vec<ActionId>>,
    pub(crate) n_flavours: usize,
    /// What picks are called.
    pub(crate) slots: Vec<String>,
    pub(crate) n_selects: usize,
    pub(crate) npcs: Vec<TypeNames>,
}

impl Names {
    /// Reads names as a version of the format wrote them; whatever refers to another is there.
    pub(crate) fn decode(from: &mut Decoder<'_>, version: u32) -> Result<Names, DecodeError> {
        let counts = version >= WITH_AMOUNTS;
        let mut values = FormerValues::Words(Arc::default());
        let digest = from.read()?;
        let variables = from.list(|from| {
            let name = from.read()?;
            if from.read::<bool>()? {
                let is_range = counts && from.read::<bool>()?;
                values = if is_range { read_range(from)? } else { read_words(from)? };
            }
            Ok((name, values.clone()))
        })?;
        let checks = from.read()?;
        let goals: Vec<String> = from.read()?;
        let actions = from.list(|from| {
            let n_shifts = |from: &mut Decoder<'_>| if counts { from.read() } else { Ok(0) };
            Ok((from.read()?, from.read()?, n_shifts(from)?))
        })?;
        let (n_variables, n_goals, n_actions) = (variables.len(), goals.len(), actions.len());
        let symbols = ids(from, n_variables, VariableId::at)?;
        let learns = from.list(|from| ids(from, n_actions, ActionId::at))?;
        let n_flavours = from.read()?;
        let (slots, n_selects): (Vec<String>, usize) =
            if version >= WITH_PICKS { from.read()? } else { Default::default() };
        let npcs = from.list(|from| {
            Ok(TypeNames {
                name: from.read()?,
                memory: from.read()?,
                sensors: from.below(MOST_SENSORS, "number of sensors")?,
                otherwise: match from.read()? {
                    true => Some(ActionId::at(from.below(n_actions, "action")?)),
                    false => None,
                },
                variables: ids(from, n_variables, VariableId::at)?,
                actions: ids(from, n_actions, ActionId::at)?,
                goals: ids(from, n_goals, GoalId::at)?,
            })
        })?;
        Ok(Names {
            digest,
            variables,
            checks,
            goals,
            actions,
            symbols,
            learns,
            n_flavours,
            slots,
            n_selects,
            npcs,
        })
    }
}

impl Encode for Names {
    fn encode(&self, to: &mut Encoder) {
        to.write(&self.digest).number(self.variables.len() as u64);
        let mut before = &FormerValues::Words(Arc::default());
        for (name, values) in &self.variables {
            // Neighbours often have the same.
            to.write(name).write(&(values != before));
            if values != before {
                write_values(values, to);
            }
            before = values;
        }
        to.write(&self.checks).write(&self.goals).write(&self.actions).write(&self.symbols);
        to.write(&self.learns).write(&self.n_flavours).write(&self.slots);
        to.write(&self.n_selects);
        to.number(self.npcs.len() as u64);
        for own in &self.npcs {
            to.write(&own.name).write(&own.memory).write(&own.sensors).write(&own.otherwise);
            to.write(&own.variables).write(&own.actions).write(&own.goals);
        }
    }
}

/// Since this version of saved minds an amount is its range, and actions may move amounts.
const WITH_AMOUNTS: u32 = 5;
/// Since this one minds have picks.
const WITH_PICKS: u32 = 6;

fn write_values(values: &FormerValues, to: &mut Encoder) {
    match values {
        FormerValues::Words(words) => to.write(&false).write(&**words),
        FormerValues::Range { low, len } => to.write(&true).write(low).write(len),
    };
}

fn read_words(from: &mut Decoder<'_>) -> Result<FormerValues, DecodeError> {
    Ok(FormerValues::Words(from.read::<Vec<String>>()?.into()))
}

fn read_range(from: &mut Decoder<'_>) -> Result<FormerValues, DecodeError> {
    let (low, len): (i64, u16) = (from.read()?, from.read()?);
    let high = low.checked_add(i64::from(len) - 1);
    let range = high.and_then(|high| FormerValues::range(low, high));
    range.map_or_else(|| from.error("range of an amount"), Ok)
}

/// Sensors have positions of sixteen bits.
const MOST_SENSORS: usize = 1 << 16;

fn ids<T>(from: &mut Decoder<'_>, bound: usize, id: fn(usize) -> T) -> Result<Vec<T>, DecodeError> {
    from.list(|from| from.below(bound, "position of a name").map(id))
}

/// The names and the words of a file that minds lived by.
#[derive(Clone, Copy)]
pub(crate) struct Former<'f> {
    pub(crate) names: &'f Names,
    pub(crate) words: &'f [String],
}

impl<'f> Former<'f> {
    pub(crate) fn word(self, word: Word) -> &'f str {
        self.words.get(word.0 as usize).map_or("", String::as_str)
    }

    pub(crate) fn npc(self, npc: NpcTypeId) -> &'f str {
        &self.names.npcs[npc.index()].name
    }

    pub(crate) fn variable(self, variable: VariableId) -> &'f str {
        &self.names.variables[variable.index()].0
    }

    /// The values that a variable had.
    pub(crate) fn values(self, variable: VariableId) -> &'f FormerValues {
        &self.names.variables[variable.index()].1
    }

    pub(crate) fn check(self, check: CheckId) -> &'f str {
        &self.names.checks[check.index()]
    }

    pub(crate) fn action(self, action: ActionId) -> &'f str {
        &self.names.actions[action.index()].0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn some() -> Names {
        let words =
            |list: &[&str]| FormerValues::Words(list.iter().map(|word| word.to_string()).collect());
        Names {
            digest: 7,
            variables: vec![
                ("a".into(), words(&["x", "y"])),
                ("b".into(), words(&["x", "y"])),
                ("hp".into(), FormerValues::range(-3, 59_000).unwrap()),
                ("mp".into(), FormerValues::range(-3, 59_000).unwrap()),
                ("c".into(), words(&["x", "y"])),
            ],
            goals: vec!["g".into()],
            actions: vec![("go".into(), 0, 2), ("both".into(), 2, 0)],
            symbols: vec![VariableId::at(2)],
            slots: vec!["target".into(), "cover.1".into()],
            ..Names::default()
        }
    }

    #[test]
    fn names_come_back_and_a_range_is_two_numbers() {
        let names = some();
        let bytes = Encoder::bytes_of(&names);
        assert!(bytes.len() < 120, "{}", bytes.len());
        let mut from = Decoder::new(&bytes);
        assert_eq!(Names::decode(&mut from, WITH_PICKS).unwrap(), names);
        from.finish().unwrap();
        for end in 0..bytes.len() {
            assert!(Names::decode(&mut Decoder::new(&bytes[..end]), WITH_PICKS).is_err());
        }
    }

    #[test]
    fn names_of_before_amounts_are_still_read() {
        let mut to = Encoder::default();
        let list = vec!["0".to_string(), "1".to_string()];
        to.write(&7u128).number(2);
        to.write("a").write(&Some(list.clone())).write("b").write(&None::<Vec<String>>);
        to.write(&Vec::<String>::new()).write(&vec!["g".to_string()]);
        to.write(&vec![("go".to_string(), 3usize)]);
        to.write(&Vec::<u32>::new()).write(&Vec::<Vec<u32>>::new()).write(&0usize).number(0);
        let mut from = Decoder::new(&to.bytes);
        let names = Names::decode(&mut from, WITH_AMOUNTS - 1).unwrap();
        from.finish().unwrap();
        let values = FormerValues::Words(list.into());
        assert_eq!(names.variables, [("a".into(), values.clone()), ("b".into(), values)]);
        assert_eq!(names.actions, [("go".to_string(), 3, 0)]);
    }
}
