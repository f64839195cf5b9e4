//! What a file calls everything: kept in a save, so that another version of the file can take it
//! over.
//!
//! In:   a [`Spec`]; or bytes, not to be trusted.
//! Out:  bytes; or [`Names`] by the numbers of that file, which say what a number meant and how
//!       many there were of everything, and nothing of what it did.
//! Cost: the names; not for the frame.

use crate::spec::Spec;
use crate::words::Word;
use std::sync::Arc;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_domain::compile::{Digest, PackedValue};
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId, VariableId};

/// A file that minds lived by: what its numbers were called.
pub(crate) trait Former {
    fn word(&self, word: Word) -> &str;
    fn npc(&self, npc: NpcTypeId) -> &str;
    /// The variables of a type.
    fn variables(&self, npc: NpcTypeId) -> &[VariableId];
    fn variable(&self, variable: VariableId) -> &str;
    fn value(&self, variable: VariableId, value: PackedValue) -> &str;
    fn check(&self, check: CheckId) -> &str;
    fn goal(&self, goal: GoalId) -> &str;
    fn action(&self, action: ActionId) -> &str;
    /// What the `learn` rule of a position teaches.
    fn learns(&self, at: usize) -> &[ActionId];
}

impl Former for Spec {
    fn word(&self, word: Word) -> &str {
        self.words.text(word)
    }

    fn npc(&self, npc: NpcTypeId) -> &str {
        self.domain.map().npc(npc)
    }

    fn variables(&self, npc: NpcTypeId) -> &[VariableId] {
        self.domain.npc(npc).variables()
    }

    fn variable(&self, variable: VariableId) -> &str {
        self.domain.map().variable(variable)
    }

    fn value(&self, variable: VariableId, value: PackedValue) -> &str {
        &self.domain.map().values(variable)[usize::from(value)]
    }

    fn check(&self, check: CheckId) -> &str {
        self.domain.map().check(check)
    }

    fn goal(&self, goal: GoalId) -> &str {
        self.domain.map().goal(goal)
    }

    fn action(&self, action: ActionId) -> &str {
        self.domain.map().action(action)
    }

    fn learns(&self, at: usize) -> &[ActionId] {
        &self.learns[at].actions
    }
}

/// What tells a file from all others, but for the words that were learnt since it was read: what
/// was saved with the same goes on as it was.
pub(crate) fn fingerprint(spec: &Spec) -> u128 {
    let Spec {
        domain,
        // Compared by themselves.
        words: _,
        told,
        pace,
        sensors,
        symbols,
        checks,
        prices,
        learns,
        flavours,
        squads,
        // These follow from the rest.
        squad_words: _,
        goals,
        actions,
        npcs,
        asks_age: _,
        asks_distance: _,
    } = spec;
    let first = (domain.digest(), told, pace, sensors, symbols, checks, prices);
    let text = format!("{first:?} {:?}", (learns, flavours, squads, goals, actions, npcs));
    Digest::of(text.as_bytes()).0
}

/// A type of mind in another version of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerType {
    pub(crate) name: String,
    /// How many facts it could hold.
    pub(crate) memory: usize,
    /// How many sensors it had.
    pub(crate) sensors: usize,
    pub(crate) otherwise: Option<ActionId>,
    pub(crate) variables: Vec<VariableId>,
    pub(crate) actions: Vec<ActionId>,
    pub(crate) goals: Vec<GoalId>,
}

/// Another version of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Names {
    /// Of the compiled domain.
    pub(crate) digest: u128,
    pub(crate) words: Vec<String>,
    pub(crate) npcs: Vec<FormerType>,
    /// Neighbours share their values.
    pub(crate) variables: Vec<(String, Arc<[String]>)>,
    pub(crate) checks: Vec<String>,
    pub(crate) goals: Vec<String>,
    /// Each with the number of its parts.
    pub(crate) actions: Vec<(String, usize)>,
    /// The variable of each `symbol`.
    pub(crate) symbols: Vec<VariableId>,
    pub(crate) learns: Vec<Vec<ActionId>>,
    /// How many there were.
    pub(crate) flavours: usize,
}

impl Former for Names {
    fn word(&self, word: Word) -> &str {
        self.words.get(word.0 as usize).map_or("", String::as_str)
    }

    fn npc(&self, npc: NpcTypeId) -> &str {
        &self.npcs[npc.index()].name
    }

    fn variables(&self, npc: NpcTypeId) -> &[VariableId] {
        &self.npcs[npc.index()].variables
    }

    fn variable(&self, variable: VariableId) -> &str {
        &self.variables[variable.index()].0
    }

    fn value(&self, variable: VariableId, value: PackedValue) -> &str {
        &self.variables[variable.index()].1[usize::from(value)]
    }

    fn check(&self, check: CheckId) -> &str {
        &self.checks[check.index()]
    }

    fn goal(&self, goal: GoalId) -> &str {
        &self.goals[goal.index()]
    }

    fn action(&self, action: ActionId) -> &str {
        &self.actions[action.index()].0
    }

    fn learns(&self, at: usize) -> &[ActionId] {
        &self.learns[at]
    }
}

impl Names {
    /// Writes the names of a file, without its words.
    pub(crate) fn encode(spec: &Spec, to: &mut Encoder) {
        let map = spec.domain.map();
        to.write(&spec.domain.digest().0);
        to.number(map.n_variables() as u64);
        let mut before: &[String] = &[];
        for variable in map.variable_ids() {
            let values = map.values(variable);
            // Neighbours often have the same.
            to.write(map.variable(variable)).write(&Some(values).filter(|now| *now != before));
            before = values;
        }
        to.write(map.check_names()).write(map.goal_names());
        to.number(spec.actions.len() as u64);
        for (id, action) in map.action_ids().zip(&spec.actions) {
            to.write(map.action(id)).write(&action.parts.len());
        }
        to.list(spec.symbols.iter().map(|symbol| symbol.variable));
        to.list(spec.learns.iter().map(|rule| &rule.actions));
        to.write(&spec.flavours.len()).write(&spec.npcs.len());
        for (kind, own) in spec.domain.npcs().iter().zip(&spec.npcs) {
            to.write(map.npc(kind.id())).write(&own.memory).write(&own.sensors.len());
            to.write(&own.otherwise).write(kind.variables());
            to.write(kind.actions()).write(kind.goals());
        }
    }

    /// Reads names; whatever refers to another is there.
    pub(crate) fn decode(from: &mut Decoder<'_>) -> Result<Names, DecodeError> {
        let mut names = Names { digest: from.read()?, ..Names::default() };
        let mut values: Arc<[String]> = Arc::default();
        names.variables = from.list(|from| {
            let name = from.read()?;
            if let Some(other) = from.read::<Option<Vec<String>>>()? {
                values = other.into();
            }
            Ok((name, Arc::clone(&values)))
        })?;
        (names.checks, names.goals, names.actions) = from.read()?;
        let (n_variables, n_actions) = (names.variables.len(), names.actions.len());
        let n_goals = names.goals.len();
        names.symbols = ids(from, n_variables, VariableId::at)?;
        names.learns = from.list(|from| ids(from, n_actions, ActionId::at))?;
        names.flavours = from.read()?;
        names.npcs = from.list(|from| {
            Ok(FormerType {
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
        Ok(names)
    }
}

/// Sensors have positions of sixteen bits.
const MOST_SENSORS: usize = 1 << 16;

fn ids<T>(from: &mut Decoder<'_>, bound: usize, id: fn(usize) -> T) -> Result<Vec<T>, DecodeError> {
    from.list(|from| from.below(bound, "position of a name").map(id))
}
