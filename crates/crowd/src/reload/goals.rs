//! The goals of a crowd in a new version of the domain.
//!
//! In:   the goals of the old version, choices among them included.
//! Out:  goals of the new one under the same numbers; for each old one, whether it still exists and
//!       whether it wants the same.
//! Cost: one pass over the goals.
//!
//! Goals of the domain go over by name, conditions of the game's own by theirs and by number. A choice among all that
//! the type wants is that again; one among the alternatives of a name is among those that the name
//! has now.

use super::CrowdReloadError;
use crate::error::CrowdError;
use crate::former::FormerGoal;
use crate::goals::{Choice, Goals, sorted};
use crate::kind::Kind;
use throng_domain::compile::SourceMap;
use throng_domain::model::{Fact, GoalId, Wants};

fn too_many(_: CrowdError) -> CrowdReloadError {
    CrowdReloadError::TooManyGoals
}

/// Old goals with their numbers, then new ones. For each old one, whether it still exists and
/// whether it wants the same.
pub(super) fn take(
    goals: &mut Goals,
    kind: &Kind,
    old: &[FormerGoal],
) -> Result<Vec<(bool, bool)>, CrowdReloadError> {
    let map = kind.domain().map();
    // A goal may have become one with alternatives.
    let has_become = |goal: &FormerGoal| {
        let name = goal.name.as_deref()?;
        map.find_alternatives(name).filter(|_| map.find_goal(name).is_none())
    };
    let mut same = vec![(true, true)];
    for goal in old {
        if goal.choice.is_some() || has_become(goal).is_some() {
            // A choice is made once its goals are there.
            goals.push(kind, None, Wants::default()).map_err(too_many)?;
            same.push((true, true));
            continue;
        }
        let mapped = wants_now(goal, map);
        let found = match &goal.name {
            Some(name) => map
                .find_goal(name)
                .map(|id| (Some(id), sorted(kind.domain().goal(id).conditions()))),
            None => mapped.clone().map(|wants| (None, wants)),
        };
        let is_same = found.is_some() && found.as_ref().map(|(_, wants)| wants) == mapped.as_ref();
        same.push((found.is_some(), is_same));
        let (id, wants) = found.unwrap_or_default();
        goals.push(kind, id, wants).map_err(too_many)?;
    }
    goals.declare(kind).map_err(too_many)?;
    for (number, goal) in (1..=u16::MAX).zip(old) {
        if let Some(choice) = &goal.choice {
            let next = match choice.is_best {
                true => goals.best(kind),
                false => goals.among(kind, &alternatives(old, goal, choice, map)),
            };
            let next = next.map_err(too_many)?;
            let exists = choice.is_best || next.parts().next().is_some();
            // Old goals have their old numbers, so the same choice has the same.
            let is_same = |part: u16| same.get(usize::from(part)).is_some_and(|same| same.1);
            let is_same = next == *choice && choice.parts().all(is_same);
            same[usize::from(number)] = (exists, is_same);
            if exists {
                goals.set_choice(number, next);
            }
        } else if let Some(ids) = has_become(goal) {
            let choice = goals.among(kind, ids).map_err(too_many)?;
            goals.set_choice(number, choice);
            same[usize::from(number)] = (true, false);
        }
    }
    Ok(same)
}

/// What a goal wants, in the names of now; `None` if something of it is gone.
fn wants_now(goal: &FormerGoal, map: &SourceMap) -> Option<Wants> {
    let facts = goal.facts.iter().map(|(variable, value)| {
        let variable = map.find_variable(variable)?;
        Some(Fact { variable, value: map.find_value(variable, value)? })
    });
    let facts: Vec<Fact> = facts.collect::<Option<_>>()?;
    let mut wants = Wants::from(facts);
    goal.amounts.add_to(&mut wants, map)?;
    Some(sorted(wants.conditions()))
}

/// The goals that a choice is among: those that serve the same name, if it was all of a name's;
/// else those that are left.
fn alternatives(
    old: &[FormerGoal],
    goal: &FormerGoal,
    choice: &Choice,
    map: &SourceMap,
) -> Vec<GoalId> {
    let names = choice
        .parts()
        .filter_map(|part| old.get(usize::from(part).checked_sub(1)?)?.name.as_deref());
    let mapped: Vec<GoalId> = names.filter_map(|name| map.find_goal(name)).collect();
    let Some(name) = &goal.serves else { return mapped };
    // The name may be another one now.
    let again = mapped.first().and_then(|&id| map.served_by(id));
    match (map.find_alternatives(name), map.find_goal(name), again) {
        (Some(goals), ..) | (None, None, Some((_, goals))) => goals.to_vec(),
        (None, Some(goal), _) => vec![goal],
        (None, None, None) => mapped,
    }
}
