//! What plans can have at all, for people.
//!
//! In:   what each action of a type is good for.
//! Out:  names by what is to say of them; actions that differ only in the slot are told once.
//! Cost: linear in what is told.

use super::StatsReport;
use super::page::Page;
use crate::stats::uses::{OtherUses, said_cost};
use std::collections::HashMap;
use throng_base::text::count;
use throng_domain::Cost;
use throng_domain::compile::SourceMap;
use throng_domain::model::ActionId;
use throng_planner::explain::{Usable, Usage};

impl Page {
    /// Which actions can be in a plan at all.
    pub(super) fn usable(&mut self, report: &StatsReport, usable: &Usable) {
        let (spec, map) = (&report.spec, report.spec.domain.map());
        let states = match (usable.states, usable.states_of_a_goal) {
            (Some(n), _) => count(n, "state"),
            (None, Some(n)) => format!("at most {} that matter to a goal", count(n, "state")),
            (None, None) => "too many states".to_string(),
        };
        let sets = match usable.contexts {
            1 => String::new(),
            n => format!(", {n} sets of actions that can be there"),
        };
        self.heading(&format!("{}: what plans can have ({states}{sets})", map.npc(usable.npc)));
        let all = alike(map, usable);
        let in_plans = all.iter().filter(|(.., usage)| matches!(usage, Usage::InPlans(_)));
        let in_plans: Vec<String> = in_plans.map(|(name, ..)| name.clone()).collect();
        self.list(&format!("  in plans ({}): ", in_plans.len()), &in_plans);
        // Those of which the same is to say are told in one line.
        let mut told: Vec<(&str, String, Vec<String>)> = Vec::new();
        let mut places: HashMap<(&str, String), usize> = HashMap::new();
        let others = OtherUses::new(spec, usable.npc);
        for (name, action, usage) in &all {
            let cost = Cost(said_cost(spec, *action).unwrap_or(0));
            let other = others.of(*action).filter(|_| usage.is_never());
            let sentence = || map.alike(&usage.sentence(&spec.domain, *action, cost));
            let (kind, sentence) = match (usage, other) {
                (Usage::InPlans(_), _) => continue,
                (_, Some(other)) => ("      ", other),
                (Usage::Undecided(_), None) => ("open  ", sentence()),
                (_, None) => ("never ", sentence()),
            };
            let place = places.entry((kind, sentence.clone())).or_insert(told.len());
            match told.get_mut(*place) {
                Some((.., names)) => names.push(name.clone()),
                None => told.push((kind, sentence, vec![name.clone()])),
            }
        }
        for (kind, sentence, names) in told {
            self.list(&format!("  {kind} "), &names);
            let words: Vec<&str> = sentence.split(' ').collect();
            self.wrapped("           ", &words, " ");
        }
        let useless = |(_, action, usage): &&Alike<'_>| others.has_none(*action, usage);
        let beaten = |(.., usage): &Alike<'_>| {
            matches!(usage, Usage::Beaten { .. } | Usage::Twin(_) | Usage::InNoPlan)
        };
        if !spec.sensors.is_empty() && all.iter().filter(useless).any(beaten) {
            self.line(
                "  (a mind may still use what is dearer while what is cheaper has just failed)",
            );
        }
    }
}

/// Actions that differ only in the slot: what they are called, and the one of most use.
type Alike<'u> = (String, ActionId, &'u Usage);

/// Actions that differ only in which slot of a selection they are about, as one: what one of them
/// is good for all are, for any of the slots may hold what the other does.
fn alike<'u>(map: &SourceMap, usable: &'u Usable) -> Vec<Alike<'u>> {
    let rank = |usage: &Usage| match usage {
        Usage::InPlans(_) => 2,
        Usage::Undecided(_) => 1,
        _ => 0,
    };
    let mut all: Vec<Alike<'u>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (action, usage) in &usable.uses {
        let name = map.alike(map.action(*action));
        let at = *places.entry(name.clone()).or_insert(all.len());
        match all.get_mut(at) {
            Some(known) if rank(usage) > rank(known.2) => *known = (name, *action, usage),
            Some(_) => {}
            None => all.push((name, *action, usage)),
        }
    }
    all
}
