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
use throng_domain::compile::PackedValue;
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
    pub(crate) variables: Vec<(String, Arc<[String]>)>,
    pub(crate) checks: Vec<String>,
    pub(crate) goals: Vec<String>,
    /// Each with the number of its parts.
    pub(crate) actions: Vec<(String, usize)>,
    /// The variable of each `symbol`.
    pub(crate) symbols: Vec<VariableId>,
    /// What each `learn` rule teaches.
    pub(crate) learns: Vec<Vec<ActionId>>,
    pub(crate) n_flavours: usize,
    pub(crate) npcs: Vec<TypeNames>,
}

impl Names {
    /// Reads names; whatever refers to another is there.
    pub(crate) fn decode(from: &mut Decoder<'_>) -> Result<Names, DecodeError> {
        let mut values: Arc<[String]> = Arc::default();
        let digest = from.read()?;
        let variables = from.list(|from| {
            let name = from.read()?;
            if let Some(other) = from.read::<Option<Vec<String>>>()? {
                values = other.into();
            }
            Ok((name, Arc::clone(&values)))
        })?;
        let checks = from.read()?;
        let goals: Vec<String> = from.read()?;
        let actions: Vec<(String, usize)> = from.read()?;
        let (n_variables, n_goals, n_actions) = (variables.len(), goals.len(), actions.len());
        let symbols = ids(from, n_variables, VariableId::at)?;
        let learns = from.list(|from| ids(from, n_actions, ActionId::at))?;
        let n_flavours = from.read()?;
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
        Ok(Names { digest, variables, checks, goals, actions, symbols, learns, n_flavours, npcs })
    }
}

impl Encode for Names {
    fn encode(&self, to: &mut Encoder) {
        to.write(&self.digest).number(self.variables.len() as u64);
        let mut before: &[String] = &[];
        for (name, values) in &self.variables {
            // Neighbours often have the same.
            to.write(name).write(&Some(&**values).filter(|now| *now != before));
            before = values;
        }
        to.write(&self.checks).write(&self.goals).write(&self.actions).write(&self.symbols);
        to.write(&self.learns).write(&self.n_flavours).number(self.npcs.len() as u64);
        for own in &self.npcs {
            to.write(&own.name).write(&own.memory).write(&own.sensors).write(&own.otherwise);
            to.write(&own.variables).write(&own.actions).write(&own.goals);
        }
    }
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

    pub(crate) fn value(self, variable: VariableId, value: PackedValue) -> &'f str {
        &self.names.variables[variable.index()].1[usize::from(value)]
    }

    pub(crate) fn check(self, check: CheckId) -> &'f str {
        &self.names.checks[check.index()]
    }

    pub(crate) fn action(self, action: ActionId) -> &'f str {
        &self.names.actions[action.index()].0
    }
}
