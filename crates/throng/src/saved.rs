//! States and plans in words, for saved games and logs.
//!
//! Ids change when a file is edited; names do not, and `was` leads former names to present
//! ones. With the feature `serde` both types can be written in any format serde knows.

use crate::answer::Plan;
use crate::domain::Domain;
use crate::npc::Npc;
use std::collections::BTreeMap;
use throng_domain::Cost;
use throng_domain::compile::UnknownNameError;

/// The state of an NPC in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SavedState {
    /// Its type.
    pub npc: String,
    /// The known values, by variable.
    pub values: BTreeMap<String, String>,
    /// The context checks that do not hold.
    pub without: Vec<String>,
}

/// A plan in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SavedPlan {
    /// The ground names of its actions.
    pub actions: Vec<String>,
}

impl Npc {
    /// The state in words.
    pub fn save(&self) -> SavedState {
        let map = self.domain().compiled().map();
        let facts = map.variable_ids().filter_map(|variable| self.fact_of(variable));
        let failing = map.check_ids().filter(|&check| !self.checks().holds(check));
        SavedState {
            npc: self.type_name().to_string(),
            values: facts
                .map(|fact| (map.variable(fact.variable).to_string(), map.value(fact).to_string()))
                .collect(),
            without: failing.map(|check| map.check(check).to_string()).collect(),
        }
    }

    /// An NPC with exactly the saved state; `starts` do not count.
    ///
    /// # Errors
    ///
    /// The first name that the domain does not know, neither as present nor as former name.
    pub fn restore(domain: &Domain, saved: &SavedState) -> Result<Npc, UnknownNameError> {
        let mut npc = Npc::new(domain, &saved.npc)?;
        for variable in domain.compiled().map().variable_ids() {
            npc.forget(variable)?;
        }
        for (variable, value) in &saved.values {
            npc.set(variable, value)?;
        }
        for check in &saved.without {
            npc.set_check(check, false)?;
        }
        Ok(npc)
    }
}

impl Plan {
    /// The plan in words.
    pub fn save(&self) -> SavedPlan {
        SavedPlan { actions: self.names().map(str::to_string).collect() }
    }

    /// The plan that was saved. Whether it still works is for `throng-check` to say.
    ///
    /// # Errors
    ///
    /// The first action that the domain does not know, neither as present nor as former name.
    pub fn restore(domain: &Domain, saved: &SavedPlan) -> Result<Plan, UnknownNameError> {
        let mut plan = Plan::empty(domain);
        for name in &saved.actions {
            let action = domain.action(name)?;
            plan.actions.push(action);
            plan.cost = Cost(plan.cost.0 + domain.model().actions()[action.index()].cost().0);
        }
        Ok(plan)
    }
}
