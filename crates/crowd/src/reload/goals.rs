//! The goals of a crowd in a new version of the domain.
//!
//! In:   the goals of the old version, choices among them included.
//! Out:  goals of the new one under the same numbers; for each old one, whether it still exists and
//!       whether it wants the same.
//! Cost: one pass over the goals.
//!
//! Goals of the domain go over by name, facts of the game's own by theirs. A choice among all that
//! the type wants is that again; one among the alternatives of a name is among those that the name
//! has now.

use super::{CrowdReloadError, Names};
use crate::error::CrowdError;
use crate::goals::{Choice, Goals};
use crate::kind::Kind;
use throng_domain::model::GoalId;

fn too_many(_: CrowdError) -> CrowdReloadError {
    CrowdReloadError::TooManyGoals
}

/// Old goals with their numbers, then new ones. For each old one, whether it still exists and
/// whether it wants the same.
pub(super) fn take(
    goals: &mut Goals,
    kind: &Kind,
    old: &Goals,
    names: &Names<'_>,
) -> Result<Vec<(bool, bool)>, CrowdReloadError> {
    let map = names.new.map();
    // A goal may have become one with alternatives.
    let has_become = |goal: u16| {
        let name = names.old.map().goal(old.id(goal)?);
        map.find_alternatives(name).filter(|_| map.find_goal(name).is_none())
    };
    let mut same = vec![(true, true)];
    for number in 1..old.len() as u16 {
        if old.choice(number).is_some() || has_become(number).is_some() {
            // A choice is made once its goals are there.
            goals.push(kind, None, Vec::new()).map_err(too_many)?;
            same.push((true, true));
            continue;
        }
        let mapped = names.facts(old.facts(number));
        let found = match old.id(number) {
            Some(id) => map.find_goal(names.old.map().goal(id)).map(|id| {
                let mut wants = names.new.goal(id).wants().to_vec();
                wants.sort_unstable();
                (Some(id), wants)
            }),
            None => mapped.clone().map(|facts| (None, facts)),
        };
        same.push((
            found.is_some(),
            found.is_some() && found.as_ref().map(|f| &f.1) == mapped.as_ref(),
        ));
        let (id, facts) = found.unwrap_or_default();
        goals.push(kind, id, facts).map_err(too_many)?;
    }
    goals.declare(kind).map_err(too_many)?;
    for number in 1..old.len() as u16 {
        if let Some(choice) = old.choice(number) {
            same[usize::from(number)] =
                take_choice(goals, kind, (number, choice), old, names, &same)?;
        } else if let Some(ids) = has_become(number) {
            let choice = goals.among(kind, ids).map_err(too_many)?;
            goals.set_choice(number, choice);
            same[usize::from(number)] = (true, false);
        }
    }
    Ok(same)
}

/// A choice under its old number, among what the new version has.
fn take_choice(
    goals: &mut Goals,
    kind: &Kind,
    (number, choice): (u16, &Choice),
    old: &Goals,
    names: &Names<'_>,
    same: &[(bool, bool)],
) -> Result<(bool, bool), CrowdReloadError> {
    let next = if choice.is_best() {
        goals.best(kind)
    } else {
        goals.among(kind, &alternatives_in(old, choice, names))
    };
    let next = next.map_err(too_many)?;
    let is = choice.is_best() || next.parts().next().is_some();
    // Old goals have their old numbers, so the same choice has the same.
    let is_same = next == *choice && choice.parts().all(|part| same[usize::from(part)].1);
    if is {
        goals.set_choice(number, next);
    }
    Ok((is, is_same))
}

/// The goals of another version that a choice is among: those that serve the same name, if it
/// is all of a name's; else those that are left.
fn alternatives_in(goals: &Goals, choice: &Choice, names: &Names<'_>) -> Vec<GoalId> {
    let (old, new) = (names.old.map(), names.new.map());
    let ids: Vec<GoalId> = choice.parts().filter_map(|part| goals.id(part)).collect();
    let mapped = ids.iter().filter_map(|&id| new.find_goal(old.goal(id)));
    let mapped: Vec<GoalId> = mapped.collect();
    let served = ids.first().and_then(|&id| old.served_by(id));
    let Some((name, _)) = served.filter(|(_, goals)| *goals == ids) else { return mapped };
    // The name may be another one now.
    let again = mapped.first().and_then(|&id| new.served_by(id));
    match (new.find_alternatives(name), new.find_goal(name), again) {
        (Some(goals), ..) | (None, None, Some((_, goals))) => goals.to_vec(),
        (None, Some(goal), _) => vec![goal],
        (None, None, None) => mapped,
    }
}
