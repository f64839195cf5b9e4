//! What the actions of a type are good for besides plans, and what the game may change.
//!
//! In:   the spec of minds.
//! Out:  the circumstances under which actions are tried, other uses of each action.
//! Cost: one pass over the spec.

use std::collections::HashMap;
use throng_domain::model::{ActionId, NpcTypeId};
use throng_mind::condition::Measure;
use throng_mind::spec::{PriceSpec, Spec};
use throng_planner::explain::{Circumstances, Usage};

/// What the game may change: what memory tells is not what actions left behind, what others can
/// change is not what it was, what is not learnt is not there, and prices are as memory says.
pub fn circumstances(spec: &Spec) -> Circumstances {
    let map = spec.domain.map();
    let told = spec.symbols.iter().map(|symbol| symbol.variable);
    let all = spec.domain.npcs().iter().flat_map(|npc| npc.variables()).copied();
    let mut open: Vec<_> = all.filter(|&variable| map.is_shared(variable)).chain(told).collect();
    open.sort_unstable();
    open.dedup();
    let price = |price: &PriceSpec| {
        let numbers = price.rules.iter().map(|(term, _)| match term.measure {
            Measure::Number(number) => Some((f64::from(number) * 1000.0).round() as u64),
            Measure::If(_) | Measure::Of(..) | Measure::Else(_) => None,
        });
        let is_sure = price.rules.last().is_some_and(|(_, condition)| condition.is_none());
        let numbers: Option<Vec<u64>> = numbers.collect();
        let numbers = numbers.map(|all| all.into_iter().filter(|&n| n > 0).collect::<Vec<u64>>());
        let own = move |action: ActionId| {
            let mut numbers = numbers.clone().unwrap_or_default();
            // Where no rule need give a number, the domain's own price is one of them.
            let said = said_cost(spec, action).filter(|_| !is_sure && !numbers.is_empty());
            numbers.extend(said);
            (action, numbers)
        };
        price.actions.iter().map(move |&(action, _)| own(action)).collect::<Vec<_>>()
    };
    Circumstances {
        open,
        lacking: spec.learns.iter().map(|learn| learn.actions.clone()).collect(),
        prices: spec.prices.iter().flat_map(price).collect(),
    }
}

/// What the domain says that an action costs, in thousandths.
pub fn said_cost(spec: &Spec, action: ActionId) -> Option<u64> {
    let mut types = spec.domain.npcs().iter();
    types.find_map(|npc| npc.local_action(action).map(|local| npc.cost(local)))
}

/// What the actions of a type are good for besides plans.
pub struct OtherUses<'s> {
    spec: &'s Spec,
    otherwise: Option<ActionId>,
    /// For each part of a compound, the first compound that it is a part of.
    wholes: HashMap<ActionId, ActionId>,
}

impl<'s> OtherUses<'s> {
    /// Of the actions of a type.
    pub fn new(spec: &'s Spec, npc: NpcTypeId) -> OtherUses<'s> {
        let mut wholes = HashMap::new();
        for &whole in spec.domain.npc(npc).actions() {
            for &part in &spec.action(whole).parts {
                wholes.entry(part).or_insert(whole);
            }
        }
        OtherUses { spec, otherwise: spec.npcs[npc.index()].otherwise, wholes }
    }

    /// What this one is good for besides plans; `None`: nothing.
    pub fn of(&self, action: ActionId) -> Option<String> {
        if self.otherwise == Some(action) {
            return Some("what it does without a plan (`otherwise`)".to_string());
        }
        let whole = self.wholes.get(&action)?;
        Some(format!("a part of `{}`", self.spec.domain.map().action(*whole)))
    }

    /// Whether an action is for nothing, as far as is known.
    pub fn has_none(&self, action: ActionId, usage: &Usage) -> bool {
        usage.is_never() && self.of(action).is_none()
    }
}
