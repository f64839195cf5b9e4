//! Which sensors a type has use for, and what is asked of facts at all.
//!
//! In:   a spec that is otherwise complete.
//! Out:  for every NPC type its sensors, without those that feed only what it never asks for.
//! Cost: one pass over what each type can do and wants, and over the sensors.
//!
//! A type asks for the variables that its actions and goals touch, for those in the conditions
//! about them, and for the checks of its actions. A sensor that runs only while a variable has a
//! value asks for that variable too, so what feeds it is kept with it.

use super::{SelectSpec, Spec};
use crate::condition::{Condition, Term};
use std::collections::{BTreeSet, HashMap};
use throng_domain::compile::NpcTables;
use throng_domain::model::{ActionId, CheckId};

/// For every NPC type its sensors, in the order of the file. `senses` has, by type, those that a
/// type names; one that names none has all.
pub(super) fn sensors_of_types(spec: &Spec, senses: &HashMap<usize, Vec<u16>>) -> Vec<Vec<u16>> {
    let asked = Asked::new(spec);
    let types = spec.domain.npcs().iter().enumerate();
    types.map(|(at, npc)| asked.sensors_of(npc, senses.get(&at))).collect()
}

/// What the conditions of a spec ask for, by what they are about.
struct Asked<'s> {
    spec: &'s Spec,
    /// Variables in prices, learning and flavours of an action, and in what is done beside it.
    by_action: HashMap<ActionId, BTreeSet<u32>>,
    /// Variables in flavours and besides of any action.
    by_all: BTreeSet<u32>,
    checks: HashMap<CheckId, &'s Condition>,
    /// Sensors by the variables and checks that they feed.
    feed_variable: HashMap<u32, Vec<u16>>,
    feed_check: HashMap<CheckId, Vec<u16>>,
}

impl<'s> Asked<'s> {
    fn new(spec: &'s Spec) -> Self {
        let mut asked = Asked {
            spec,
            by_action: HashMap::new(),
            by_all: BTreeSet::new(),
            checks: spec.checks.iter().map(|it| (it.check, &it.condition)).collect(),
            feed_variable: HashMap::new(),
            feed_check: HashMap::new(),
        };
        for price in &spec.prices {
            let conditions = price.rules.iter().filter_map(|(_, condition)| condition.as_ref());
            let mut variables = variables(conditions);
            variables.extend(measured(price.rules.iter().map(|(term, _)| term)));
            asked.about(price.actions.iter().map(|(id, _)| *id), &variables);
        }
        for learn in &spec.learns {
            asked.about(learn.actions.iter().copied(), &variables([&learn.condition]));
        }
        for flavour in &spec.flavours {
            let variables = variables(&flavour.condition);
            if flavour.after.is_empty() && flavour.before.is_empty() {
                asked.by_all.extend(&variables);
            }
            asked.about(flavour.after.iter().chain(&flavour.before).copied(), &variables);
        }
        for beside in &spec.besides {
            let variables = variables(&beside.condition);
            if beside.with.is_empty() {
                asked.by_all.extend(&variables);
            }
            asked.about(beside.with.iter().copied(), &variables);
        }
        for (sensor, at) in spec.sensors.iter().zip(0u16..) {
            for variable in &sensor.feeds_variables {
                let variable = variable.index() as u32;
                asked.feed_variable.entry(variable).or_default().push(at);
            }
            for &check in &sensor.feeds_checks {
                asked.feed_check.entry(check).or_default().push(at);
            }
        }
        asked
    }

    fn about(&mut self, actions: impl Iterator<Item = ActionId>, variables: &BTreeSet<u32>) {
        if !variables.is_empty() {
            actions.for_each(|id| self.by_action.entry(id).or_default().extend(variables));
        }
    }

    /// The sensors of one type.
    fn sensors_of(&self, npc: &NpcTables, named: Option<&Vec<u16>>) -> Vec<u16> {
        let sensors = &self.spec.sensors;
        let mut keeping = Keeping {
            may: vec![named.is_none(); sensors.len()],
            kept: vec![false; sensors.len()],
            needed: BTreeSet::new(),
            fresh: Vec::new(),
        };
        for &at in named.into_iter().flatten() {
            keeping.may[usize::from(at)] = true;
        }
        for (sensor, at) in sensors.iter().zip(0u16..) {
            if sensor.feeds_variables.is_empty() && sensor.feeds_checks.is_empty() {
                keeping.keep(self.spec, at);
            }
        }
        keeping.need(self.variables_of(npc));
        for check in checks_of(npc) {
            for &at in self.feed_check.get(&check).into_iter().flatten() {
                keeping.keep(self.spec, at);
            }
            keeping.need(variables(self.checks.get(&check).copied()));
        }
        while let Some(variable) = keeping.fresh.pop() {
            for &at in self.feed_variable.get(&variable).into_iter().flatten() {
                keeping.keep(self.spec, at);
            }
        }
        (0u16..).zip(keeping.kept).filter(|(_, kept)| *kept).map(|(at, _)| at).collect()
    }

    /// The variables that a type asks for, those of its checks left out.
    fn variables_of(&self, npc: &NpcTables) -> BTreeSet<u32> {
        let mut all = self.by_all.clone();
        for &select in &self.spec.npcs[npc.id().index()].selects {
            all.extend(asked_by_select(&self.spec.selects[usize::from(select)]));
        }
        all.extend(npc.variables().iter().map(|variable| variable.index() as u32));
        for id in npc.actions() {
            all.extend(self.by_action.get(id).into_iter().flatten());
        }
        for &goal in npc.goals() {
            let wants = self.spec.domain.goal(goal).conditions();
            all.extend(wants.variables().map(|variable| variable.index() as u32));
            all.extend(measured(&self.spec.goal(goal).relevance));
        }
        all
    }
}

/// Sensors as they are found to be of use.
struct Keeping {
    may: Vec<bool>,
    kept: Vec<bool>,
    needed: BTreeSet<u32>,
    /// Needed, and its sensors are not yet kept.
    fresh: Vec<u32>,
}

impl Keeping {
    fn keep(&mut self, spec: &Spec, at: u16) {
        let index = usize::from(at);
        if self.may[index] && !std::mem::replace(&mut self.kept[index], true) {
            self.need(variables(&spec.sensors[index].during));
        }
    }

    fn need(&mut self, variables: BTreeSet<u32>) {
        for variable in variables {
            if self.needed.insert(variable) {
                self.fresh.push(variable);
            }
        }
    }
}

/// The checks that the actions of a type and their kinds ask for.
pub(super) fn checks_of(npc: &NpcTables) -> BTreeSet<CheckId> {
    let mut checks = BTreeSet::new();
    for action in npc.actions().iter().filter_map(|&id| npc.local_action(id)) {
        checks.extend(npc.checks(action).iter().map(|asked| asked.check));
        for &kind in npc.kinds(action) {
            checks.extend(npc.kind_checks(kind).iter().map(|asked| asked.check));
        }
    }
    checks
}

/// The variables in some terms.
fn measured<'t>(terms: impl IntoIterator<Item = &'t Term>) -> BTreeSet<u32> {
    let mut variables = BTreeSet::new();
    for term in terms {
        term.measure.each_variable(&mut |variable| {
            variables.insert(variable);
        });
    }
    variables
}

/// The variables in some conditions.
pub(super) fn variables<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> BTreeSet<u32> {
    let mut variables = BTreeSet::new();
    for condition in conditions {
        condition.each_variable(&mut |variable| {
            variables.insert(variable);
        });
    }
    variables
}

/// The variables that a selection asks for.
pub(super) fn asked_by_select(select: &SelectSpec) -> BTreeSet<u32> {
    let mut all = variables(select.filter.iter().chain(&select.during));
    all.extend(measured(&select.score));
    all
}
