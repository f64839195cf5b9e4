//! What a file calls everything: kept in a save, so that another version of the file can take it
//! over.
//!
//! In:   a [`Spec`]; or bytes, not to be trusted.
//! Out:  bytes; or [`Names`] by the numbers of that file, which say what a number meant and how
//!       many there were of everything, and nothing of what it did.
//! Cost: the names; not for the frame.

use crate::pack::{Damaged, Packer, Unpacker};
use crate::spec::Spec;
use crate::words::Word;
use std::sync::Arc;
use throng_domain::compile::{Digest, Value};
use throng_domain::model::{ActionId, CheckId, GoalId, NpcId, VariableId};

/// A file that minds lived by: what its numbers were called.
pub(crate) trait Former {
    fn word(&self, word: Word) -> &str;
    fn npc(&self, npc: NpcId) -> &str;
    /// The variables of a type.
    fn variables(&self, npc: NpcId) -> &[VariableId];
    fn variable(&self, variable: VariableId) -> &str;
    fn value(&self, variable: VariableId, value: Value) -> &str;
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

    fn npc(&self, npc: NpcId) -> &str {
        self.domain.map().npc(npc)
    }

    fn variables(&self, npc: NpcId) -> &[VariableId] {
        self.domain.npc(npc).variables()
    }

    fn variable(&self, variable: VariableId) -> &str {
        self.domain.map().variable(variable)
    }

    fn value(&self, variable: VariableId, value: Value) -> &str {
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

    fn npc(&self, npc: NpcId) -> &str {
        &self.npcs[npc.index()].name
    }

    fn variables(&self, npc: NpcId) -> &[VariableId] {
        &self.npcs[npc.index()].variables
    }

    fn variable(&self, variable: VariableId) -> &str {
        &self.variables[variable.index()].0
    }

    fn value(&self, variable: VariableId, value: Value) -> &str {
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
    pub(crate) fn pack(spec: &Spec, to: &mut Packer) {
        let map = spec.domain.map();
        to.bytes.extend(spec.domain.digest().0.to_le_bytes());
        to.number(map.n_variables() as u64);
        let mut before: &[String] = &[];
        for variable in map.variable_ids() {
            let values = map.values(variable);
            to.text(map.variable(variable));
            // Neighbours often have the same.
            let is_other = values != before;
            to.put(&is_other);
            if is_other {
                texts(values, to);
            }
            before = values;
        }
        texts(map.check_names(), to);
        texts(map.goal_names(), to);
        to.number(spec.actions.len() as u64);
        for (id, action) in map.action_ids().zip(&spec.actions) {
            to.text(map.action(id));
            to.number(action.parts.len() as u64);
        }
        positions(spec.symbols.iter().map(|symbol| symbol.variable.index()), to);
        to.number(spec.learns.len() as u64);
        for rule in &spec.learns {
            positions(rule.actions.iter().map(|id| id.index()), to);
        }
        to.number(spec.flavours.len() as u64);
        to.number(spec.npcs.len() as u64);
        for (kind, own) in spec.domain.npcs().iter().zip(&spec.npcs) {
            to.text(map.npc(kind.id()));
            to.put(&own.memory).put(&own.sensors.len());
            to.put(&own.otherwise.map(|action| action.index()));
            positions(kind.variables().iter().map(|id| id.index()), to);
            positions(kind.actions().iter().map(|id| id.index()), to);
            positions(kind.goals().iter().map(|id| id.index()), to);
        }
    }

    /// Reads names; whatever refers to another is there.
    pub(crate) fn unpack(from: &mut Unpacker<'_>) -> Result<Names, Damaged> {
        let mut digest = [0; 16];
        digest.copy_from_slice(from.raw(16)?);
        let mut names = Names { digest: u128::from_le_bytes(digest), ..Names::default() };
        let mut values: Arc<[String]> = Arc::default();
        for _ in 0..from.count()? {
            let name = from.take()?;
            if from.take()? {
                values = from.take::<Vec<String>>()?.into();
            }
            names.variables.push((name, Arc::clone(&values)));
        }
        (names.checks, names.goals) = (from.take()?, from.take()?);
        names.actions = from.take()?;
        let (n_variables, n_actions) = (names.variables.len(), names.actions.len());
        names.symbols = ids(from, n_variables, VariableId::at)?;
        for _ in 0..from.count()? {
            names.learns.push(ids(from, n_actions, ActionId::at)?);
        }
        names.flavours = from.take()?;
        for _ in 0..from.count()? {
            let (name, memory, sensors) = from.take()?;
            let has_otherwise: bool = from.take()?;
            let otherwise = match has_otherwise {
                true => Some(ActionId::at(from.below(n_actions, "action")?)),
                false => None,
            };
            names.npcs.push(FormerType {
                name,
                memory,
                sensors,
                otherwise,
                variables: ids(from, n_variables, VariableId::at)?,
                actions: ids(from, n_actions, ActionId::at)?,
                goals: ids(from, names.goals.len(), GoalId::at)?,
            });
        }
        Ok(names)
    }
}

fn texts(texts: &[String], to: &mut Packer) {
    to.number(texts.len() as u64);
    texts.iter().for_each(|text| to.text(text));
}

fn positions(positions: impl ExactSizeIterator<Item = usize>, to: &mut Packer) {
    to.number(positions.len() as u64);
    positions.for_each(|at| to.number(at as u64));
}

fn ids<T>(from: &mut Unpacker<'_>, bound: usize, id: fn(usize) -> T) -> Result<Vec<T>, Damaged> {
    let mut all = Vec::new();
    for _ in 0..from.count()? {
        all.push(id(from.below(bound, "position of a name")?));
    }
    Ok(all)
}
