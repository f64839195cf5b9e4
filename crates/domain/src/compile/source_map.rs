//! Names and places of everything, for the edges.
//!
//! In:   the model.
//! Out:  id → name and place, name → id; former names (`was`) lead to the present thing.
//! Cost: a hash look-up per name, an index per id.

use super::many_names::ManyNames;
use super::packed::PackedValue;
use crate::model::*;
use crate::source::{FileId, Location};
use std::collections::HashMap;
use std::sync::Arc;

/// Names of one small table, with places.
#[derive(Clone, Debug)]
struct Names {
    names: Vec<String>,
    places: Vec<Location>,
    index: HashMap<String, u32>,
}

impl Names {
    /// Present names first: a former name never hides a present one.
    fn new<'m>(
        entries: impl Iterator<Item = (&'m String, &'m [String], Location)> + Clone,
    ) -> Self {
        let mut names = Names { names: Vec::new(), places: Vec::new(), index: HashMap::new() };
        for (at, (name, _, place)) in entries.clone().enumerate() {
            names.index.insert(name.clone(), at as u32);
            names.names.push(name.clone());
            names.places.push(place);
        }
        for (at, (_, was, _)) in entries.enumerate() {
            for former in was {
                names.index.entry(former.clone()).or_insert(at as u32);
            }
        }
        names
    }

    fn len(&self) -> usize {
        self.names.len()
    }

    fn name(&self, at: usize) -> &str {
        &self.names[at]
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }

    fn place(&self, at: usize) -> Location {
        self.places[at]
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        throng_base::nearest(name, self.names.iter().map(String::as_str))
    }
}

/// Values of one variable by name, if there are many.
const SCANNED: usize = 16;

/// The way back from ids to words.
#[derive(Clone, Debug)]
pub struct SourceMap {
    domain: String,
    files: Vec<String>,
    variables: ManyNames,
    values: Vec<Arc<[String]>>,
    value_index: HashMap<VariableId, HashMap<String, ValueId>>,
    shared: Vec<bool>,
    actions: ManyNames,
    goals: Names,
    /// The goals that serve a name, by that name.
    served: HashMap<String, Vec<GoalId>>,
    /// The name that a goal serves.
    serves: HashMap<GoalId, String>,
    npcs: Names,
    implicit_npc: bool,
    checks: Names,
}

macro_rules! lookups {
    ($($name:ident $at:ident $find:ident $nearest:ident $place:ident $id:ident $field:ident $what:literal;)*) => {
        impl SourceMap {
            $(
                #[doc = concat!("The name of ", $what, ".")]
                pub fn $name(&self, id: $id) -> &str {
                    self.$field.name(id.index())
                }

                #[doc = concat!("The id of ", $what, " by its position; `None` if there are not so many.")]
                pub fn $at(&self, index: usize) -> Option<$id> {
                    $id::from_index(index).filter(|_| index < self.$field.len())
                }

                #[doc = concat!("Finds ", $what, " by its present or a former name.")]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    self.$field.find(name).map($id)
                }

                #[doc = concat!("The known name nearest to a mistyped name of ", $what, ".")]
                pub fn $nearest(&self, name: &str) -> Option<&str> {
                    self.$field.nearest(name)
                }

                #[doc = concat!("Where ", $what, " is declared.")]
                pub fn $place(&self, id: $id) -> Location {
                    self.$field.place(id.index())
                }
            )*
        }
    };
}

lookups! {
    variable variable_at find_variable nearest_variable variable_place VariableId variables "a variable";
    action action_at find_action nearest_action action_place ActionId actions "an action";
    goal goal_at find_goal nearest_goal goal_place GoalId goals "a goal";
    npc npc_at find_npc nearest_npc npc_place NpcTypeId npcs "an NPC type";
    check check_at find_check nearest_check check_place CheckId checks "a context check";
}

impl SourceMap {
    pub(super) fn new(model: &Model) -> Self {
        let place = |span| model.sources.place(span);
        let variables = model.variables.iter();
        let large = variables.clone().enumerate().filter(|(_, v)| v.values.len() > SCANNED);
        let value_index = large.map(|(at, variable)| {
            let values = variable.values.iter().cloned();
            (VariableId::at(at), values.enumerate().map(|(v, n)| (n, ValueId::at(v))).collect())
        });
        let mut served: HashMap<String, Vec<GoalId>> = HashMap::new();
        let mut serves = HashMap::new();
        for (at, goal) in model.goals.iter().enumerate() {
            if let Some(name) = goal.serves() {
                served.entry(name.to_string()).or_default().push(GoalId::at(at));
                serves.insert(GoalId::at(at), name.to_string());
            }
        }
        SourceMap {
            served,
            serves,
            domain: model.name.clone(),
            files: model.sources.files().iter().map(|file| file.name().to_string()).collect(),
            value_index: value_index.collect(),
            values: shared_lists(variables.clone().map(|variable| &variable.values[..])),
            shared: variables.clone().map(|variable| variable.shared).collect(),
            variables: ManyNames::new(variables.map(|v| (&v.name, &v.was[..], place(v.span)))),
            actions: ManyNames::new(
                model.actions.iter().map(|a| (&a.name, &a.was[..], place(a.span))),
            ),
            goals: Names::new(model.goals.iter().map(|g| (&g.name, &g.was[..], place(g.span)))),
            npcs: Names::new(model.npcs.iter().map(|n| (&n.name, &n.was[..], place(n.span)))),
            implicit_npc: model.npcs.iter().any(|npc| npc.implicit),
            checks: Names::new(
                model.checks.iter().map(|name| (name, &[][..], Location::default())),
            ),
        }
    }

    /// The map of a domain that has no text: variables `v1`, `v2` …, values `0`, `1` …, actions
    /// `a1`, `a2` …, one goal, one NPC type.
    pub(super) fn numbered(
        domain: &str,
        sizes: &[PackedValue],
        n_actions: usize,
        goal: &str,
        npc: &str,
    ) -> Self {
        let one = |name: &str| Names {
            names: vec![name.to_string()],
            places: vec![Location::default()],
            index: HashMap::from([(name.to_string(), 0)]),
        };
        let mut known = HashMap::new();
        let mut values = |&size: &PackedValue| -> Arc<[String]> {
            let list = || (0..size).map(|value| value.to_string()).collect();
            Arc::clone(known.entry(size).or_insert_with(list))
        };
        SourceMap {
            domain: domain.to_string(),
            files: Vec::new(),
            value_index: HashMap::new(),
            values: sizes.iter().map(&mut values).collect(),
            shared: vec![false; sizes.len()],
            variables: ManyNames::numbered('v', sizes.len()),
            actions: ManyNames::numbered('a', n_actions),
            goals: one(goal),
            served: HashMap::new(),
            serves: HashMap::new(),
            npcs: one(npc),
            implicit_npc: false,
            checks: Names::new(std::iter::empty()),
        }
    }

    /// The domain's name.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The name of a file.
    pub fn file(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", String::as_str)
    }

    /// How many variables the domain has.
    pub fn n_variables(&self) -> usize {
        self.values.len()
    }

    /// All variables, in declared order.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + Clone + use<> {
        (0..self.values.len()).map(VariableId::at)
    }

    /// All actions, in declared order.
    pub fn action_ids(&self) -> impl Iterator<Item = ActionId> + Clone + use<> {
        (0..self.actions.len()).map(ActionId::at)
    }

    /// How many context checks the domain has.
    pub fn n_checks(&self) -> usize {
        self.checks.names.len()
    }

    /// All NPC types by name, in declared order.
    pub fn npc_names(&self) -> &[String] {
        &self.npcs.names
    }

    /// All goals by name, in declared order.
    pub fn goal_names(&self) -> &[String] {
        &self.goals.names
    }

    /// The goals that serve a name: any of them will do. `None` if that is no such name.
    pub fn find_alternatives(&self, name: &str) -> Option<&[GoalId]> {
        self.served.get(name).map(Vec::as_slice)
    }

    /// The name that a goal serves, and all goals that serve it.
    pub fn served_by(&self, goal: GoalId) -> Option<(&str, &[GoalId])> {
        let name = self.serves.get(&goal)?;
        Some((name, self.served.get(name)?))
    }

    /// A goal as it is wished for: the name it serves, if it is one of several alternatives, else
    /// its own.
    pub fn wish(&self, goal: GoalId) -> &str {
        self.serves.get(&goal).map_or_else(|| self.goal(goal), String::as_str)
    }

    /// All checks by name, in the order of first mention.
    pub fn check_names(&self) -> &[String] {
        &self.checks.names
    }

    /// Whether the domain has no `npc` statement, so that one NPC stands for everybody.
    pub fn has_implicit_npc(&self) -> bool {
        self.implicit_npc
    }

    /// A variable having a value, by their positions; `None` if there are not so many.
    pub fn fact_at(&self, variable: usize, value: usize) -> Option<Fact> {
        let variable = self.variable_at(variable)?;
        let value = ValueId::from_index(value).filter(|_| value < self.values(variable).len())?;
        Some(Fact { variable, value })
    }

    /// The values of a variable.
    pub fn values(&self, variable: VariableId) -> &[String] {
        &self.values[variable.index()]
    }

    /// Whether a variable is shared by a group of NPCs.
    pub fn is_shared(&self, variable: VariableId) -> bool {
        self.shared[variable.index()]
    }

    /// Whether the domain has this variable and value; an id of another domain may not fit.
    pub fn has_fact(&self, fact: Fact) -> bool {
        let values = self.values.get(fact.variable.index());
        values.is_some_and(|values| fact.value.index() < values.len())
    }

    /// The name of a value.
    pub fn value(&self, fact: Fact) -> &str {
        &self.values[fact.variable.index()][fact.value.index()]
    }

    /// A value of a variable by name.
    pub fn find_value(&self, variable: VariableId, name: &str) -> Option<ValueId> {
        match self.value_index.get(&variable) {
            Some(index) => index.get(name).copied(),
            None => {
                let values = &self.values[variable.index()];
                values.iter().position(|value| value == name).map(ValueId::at)
            }
        }
    }

    /// `variable = value`, for sentences.
    pub fn fact(&self, fact: Fact) -> String {
        format!("{} = {}", self.variable(fact.variable), self.value(fact))
    }
}

/// The lists of values of all variables; neighbours that are equal share one.
fn shared_lists<'m>(lists: impl Iterator<Item = &'m [String]>) -> Vec<Arc<[String]>> {
    let mut shared: Vec<Arc<[String]>> = Vec::new();
    for list in lists {
        let same = shared.last().filter(|last| &last[..] == list).map(Arc::clone);
        shared.push(same.unwrap_or_else(|| list.into()));
    }
    shared
}
