//! Ids by name: what calls take where they want an id.
//!
//! In:   an id, or its name; of a fact the variable and the name of its value.
//! Out:  the id; or an [`UnknownNameError`], with the nearest name that there is.
//! Cost: none for an id, a hash look-up for a name. Names are best asked for once, at load.

use super::SourceMap;
use crate::amounts::ValueSet;
use crate::model::{ActionId, CheckId, Fact, GoalId, NpcTypeId, Target, ValueId, VariableId};
use crate::names::{as_integer, as_range, template_of};
use std::fmt;
use throng_base::{DidYouMean, nearest};

/// An id that has a name in its domain.
pub trait DomainId: Copy {
    /// What it is the id of: `variable`, `action`, `goal`, `NPC type`, `check`.
    const WHAT: &'static str;

    /// Its name; `None` if it is of another domain.
    fn name(self, map: &SourceMap) -> Option<&str>;

    /// The id of a present or a former name.
    fn find(map: &SourceMap, name: &str) -> Option<Self>;

    /// All names, in declared order.
    fn names(map: &SourceMap) -> impl Iterator<Item = &str> + Clone;
}

/// What is taken for an id: the id itself, or its name; for a [`Fact`] the variable, either way,
/// with the name of its value.
pub trait IdOrName<Id> {
    /// The id. One that was given is not held against the domain: [`SourceMap::id`] does that.
    ///
    /// # Errors
    ///
    /// There is no such name.
    fn id(self, map: &SourceMap) -> Result<Id, UnknownNameError>;
}

macro_rules! domain_ids {
    ($($id:ident, $what:literal, $at:ident, $name:ident, $find:ident, $names:ident;)*) => {$(
        impl DomainId for $id {
            const WHAT: &'static str = $what;

            fn name(self, map: &SourceMap) -> Option<&str> {
                map.$at(self.index()).map(|id| map.$name(id))
            }

            fn find(map: &SourceMap, name: &str) -> Option<Self> {
                map.$find(name)
            }

            fn names(map: &SourceMap) -> impl Iterator<Item = &str> + Clone {
                map.$names()
            }
        }
    )*
    domain_ids!(@given $($id)* Fact);
    };
    (@given $($id:ident)*) => {$(
        impl IdOrName<$id> for $id {
            #[inline]
            fn id(self, _: &SourceMap) -> Result<$id, UnknownNameError> {
                Ok(self)
            }
        }
    )*};
}

domain_ids! {
    VariableId, "variable", variable_at, variable, find_variable, variable_names;
    ActionId, "action", action_at, action, find_action, action_names;
    GoalId, "goal", goal_at, goal, find_goal, goal_names;
    NpcTypeId, "NPC type", npc_at, npc, find_npc, npc_names;
    CheckId, "check", check_at, check, find_check, check_names;
}

impl<Id: DomainId, S: AsRef<str> + ?Sized> IdOrName<Id> for &S {
    fn id(self, map: &SourceMap) -> Result<Id, UnknownNameError> {
        let name = self.as_ref();
        let unknown = || UnknownNameError::new(Id::WHAT, name, Id::names(map));
        Id::find(map, name).ok_or_else(unknown)
    }
}

impl<V: IdOrName<VariableId>, S: AsRef<str>> IdOrName<Fact> for (V, S) {
    fn id(self, map: &SourceMap) -> Result<Fact, UnknownNameError> {
        let (variable, value) = (map.id(self.0)?, self.1.as_ref());
        let found = map.find_value(variable, value);
        let value: ValueId = found.ok_or_else(|| unknown_value(map, variable, value))?;
        Ok(Fact { variable, value })
    }
}

fn unknown_value(map: &SourceMap, variable: VariableId, value: &str) -> UnknownNameError {
    let values = map.values(variable);
    let mut unknown = UnknownNameError::new("value", value, values.iter().map(String::as_str));
    unknown.of = Some(map.variable(variable).to_string());
    // No number is a slip of the pen for another one.
    unknown.nearest.take_if(|_| as_integer(value).is_some());
    if let Some(range) = as_range(values) {
        (unknown.known, unknown.more) = (vec![range], 0);
    }
    unknown
}

impl SourceMap {
    /// The id that is given or named, held against the domain.
    ///
    /// # Errors
    ///
    /// The domain has no such name, or the id is of another domain.
    pub fn id<Id: DomainId>(&self, given: impl IdOrName<Id>) -> Result<Id, UnknownNameError> {
        let id = given.id(self)?;
        id.name(self).map(|_| id).ok_or_else(|| UnknownNameError::foreign(Id::WHAT))
    }

    /// What a goal's name asks for: the goal, or any of the alternatives that serve the name.
    ///
    /// # Errors
    ///
    /// The nearest name, if there is none.
    pub fn goal_target(&self, name: &str) -> Result<Target, UnknownNameError> {
        match (self.find_goal(name), self.find_alternatives(name)) {
            (Some(goal), _) => Ok(Target::Goal(goal)),
            (None, Some(goals)) => Ok(Target::Any(goals.to_vec())),
            (None, None) => Err(self.unknown_target(name)),
        }
    }

    /// What to say of a name that is neither a goal nor serves any: alternatives are asked for by
    /// the name that they serve.
    fn unknown_target(&self, name: &str) -> UnknownNameError {
        let unknown = UnknownNameError::new(GoalId::WHAT, name, self.goal_names());
        if unknown.is_template {
            return unknown;
        }
        let goals = 0..self.goal_names().len();
        let mut names: Vec<&str> = goals.map(|at| self.wish(GoalId::at(at))).collect();
        names.dedup();
        UnknownNameError::new(GoalId::WHAT, name, names.iter().copied())
    }

    /// The values of a variable that a word means: one, or those of a group, as the slots of a
    /// select.
    ///
    /// # Errors
    ///
    /// The nearest name, if it means none.
    pub fn values_named(
        &self,
        variable: VariableId,
        name: &str,
    ) -> Result<ValueSet, UnknownNameError> {
        if let Some(group) = self.group(variable, name) {
            // A group has members.
            return Ok(ValueSet::run(group.start as u16, group.end as u16 - 1));
        }
        let fact: Fact = (variable, name).id(self)?;
        Ok(ValueSet::one(fact.value.index() as u16))
    }

    /// The name of an id; `None` if it is of another domain.
    #[must_use]
    pub fn name(&self, id: impl DomainId) -> Option<&str> {
        id.name(self)
    }
}

/// A name that the domain does not have, with the nearest one that it does; or an id that is of
/// another domain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct UnknownNameError {
    /// What was looked for: `variable`, `value`, `action`, `goal`, `NPC type`, `check`.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    /// The variable, if a value of it was looked for.
    pub of: Option<String>,
    /// The nearest known name.
    pub nearest: Option<String>,
    /// Whether the name is that of a template, and `known` are the names made of it.
    pub is_template: bool,
    /// Whether an id was given, which has no name here.
    pub is_foreign: bool,
    /// Some or all known names, for a message; a range such as `0..6` stands for its numbers.
    pub known: Vec<String>,
    /// How many more are known.
    pub more: u32,
}

/// Most known names in a message.
const LISTED: usize = 12;

impl UnknownNameError {
    /// A name that is none of those that are known.
    pub fn new<'n>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Self {
        // Of a template one knows the name before one knows its parameters.
        let templates = || nearest(name, known.clone().filter_map(template_of));
        let near = nearest(name, known.clone()).or_else(templates);
        let is_template = known.clone().any(|known| template_of(known) == Some(name));
        let mut all = known.filter(|known| !is_template || template_of(known) == Some(name));
        UnknownNameError {
            what,
            name: name.to_string(),
            nearest: near.map(str::to_string),
            is_template,
            known: all.by_ref().take(LISTED).map(str::to_string).collect(),
            more: u32::try_from(all.count()).unwrap_or(u32::MAX),
            ..UnknownNameError::default()
        }
    }

    /// An id of another domain.
    pub fn foreign(what: &'static str) -> Self {
        UnknownNameError { what, is_foreign: true, ..UnknownNameError::default() }
    }
}

impl fmt::Display for UnknownNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (&self.name, self.what);
        let known = match self.more {
            0 => self.known.join(", "),
            more => format!("{}, … and {more} more", self.known.join(", ")),
        };
        if self.is_foreign {
            return write!(f, "the {what} is of another domain");
        }
        if self.is_template {
            return write!(f, "`{name}` is a template of {what}s; name one of them: {known}");
        }
        write!(f, "unknown {what} `{name}`")?;
        if let Some(of) = &self.of {
            write!(f, " of `{of}`")?;
        }
        match &self.nearest {
            Some(nearest) => DidYouMean(Some(nearest)).fmt(f),
            None if self.known.is_empty() => write!(f, "; the domain has none"),
            None => write!(f, "; known are: {known}"),
        }
    }
}

impl std::error::Error for UnknownNameError {}
