//! A crowd of before taken over by a version of its domain: a reload, or a save that is restored.
//!
//! In:   a [`Former`] crowd, and an empty one of the type that it is now.
//! Out:  the same crowd in that domain: handles, goals and groups keep their numbers; states and
//!       plans go over by name, former names (`was`) included. Or an error.
//! Cost: one pass over the rows; the rest of each plan is replayed.
//!
//! Only those concerned wait: who lost a value, whose goal reads otherwise, whose remaining steps
//! are no longer the same actions or lead elsewhere, and those that the actions that came or went
//! concern by the rules of `changes`. In the same version there are none.

mod goals;
mod names;

use crate::changes::is_affected;
use crate::core::Core;
use crate::former::{Former, FormerNpc};
use crate::goals::CrowdGoalId;
use crate::groups::{Difference, GroupId};
use crate::kind::Kind;
use crate::ledger::Remainder;
use crate::plans::PlanId;
use crate::rows::Rows;
use crate::settings::add_counts;
use crate::turns::Turns;
use names::{Losses, Names};
use std::collections::BTreeSet;
use throng_domain::compile::{LocalAction, LocalVariable};
use throng_planner::ActionMask;

/// What a reload, or a restored save, did to the NPCs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Migration {
    /// NPCs that go on as before.
    pub kept: usize,
    /// NPCs that wait for an answer now, and did not before.
    pub concerned: usize,
    /// NPCs that had a value which no longer exists; it is unknown now.
    pub lost_values: usize,
    /// NPCs that had a number which is out of the range of its amount by now; it is the nearest
    /// that is in it.
    pub clamped_amounts: usize,
    /// NPCs whose goal no longer exists; they want nothing now.
    pub lost_goals: usize,
}

add_counts!(Migration { kept, concerned, lost_values, clamped_amounts, lost_goals });

/// Why the old version stays.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CrowdReloadError {
    /// The new domain has no such NPC type, present or former.
    NoSuchType {
        /// Its name in the old domain.
        name: String,
    },
    /// Two NPC types with members of their own would be this one.
    TwoTypesBecomeOne {
        /// Its name in the new domain.
        name: String,
    },
    /// There are more goals, old and new together, than can be numbered.
    TooManyGoals,
    /// There are more groups than can be numbered.
    TooManyGroups,
}

throng_base::error! { CrowdReloadError {
    Self::NoSuchType { name } =>
        "the new domain has no NPC type `{name}`, and none that `was {name}`; the old version stays";
    Self::TwoTypesBecomeOne { name } =>
        "two NPC types of the old domain would both become `{name}`; the old version stays";
    Self::TooManyGoals => "there are more goals than can be numbered; the old version stays";
    Self::TooManyGroups => "there are more groups than can be numbered; the old version stays";
} }

/// Actions in new numbers; `None` if one of them is no longer the same.
fn mapped(same: &[Option<LocalAction>], actions: &[u32]) -> Option<Vec<LocalAction>> {
    actions.iter().map(|&action| same.get(action as usize).copied().flatten()).collect()
}

fn same_preferences(same: &[Option<LocalAction>], old: &Former, new: &Kind) -> bool {
    let preferences =
        old.preferences.iter().map(|(before, after)| (mapped(same, before), mapped(same, after)));
    let now = new.npc().preferences().iter();
    preferences
        .eq(now.map(|preference| (Some(preference.before.clone()), Some(preference.after.clone()))))
}

/// Makes an empty crowd the one that it was before.
pub(crate) fn take(next: &mut Core, old: &Former) -> Result<Migration, CrowdReloadError> {
    let names = Names::new(old, &next.kind);
    let same = names.same_actions(old, &next.kind);
    let has_same_wishes = same_preferences(&same, old, &next.kind);
    let same_goals = goals::take(&mut next.goals, &next.kind, &old.goals)?;
    let differences = take_groups(next, old, &names, &same)?;
    let rows = Rows::of_parts(&old.rows, &old.free, old.crowd).unwrap_or_default();
    next.columns.set_rows(rows.clone());
    if !old.is_narrow {
        next.columns.widen();
    }
    let has_same_word = mapped(&same, &old.word).is_some_and(|word| word == next.book.word);
    let own_goals = old.own_goals();
    let mut migration = Migration::default();
    let (mut state, mut work) = (Vec::new(), next.kind.npc().unknown_state());
    for (at, (row, npc)) in rows.alive().iter().zip(&old.npcs).enumerate() {
        // The values that still exist, and the type's `starts` for variables that are new.
        old.read_state(at, &mut state);
        let losses = names.translate(&state, &mut work);
        next.columns.write(row, &next.kind, &work);
        migration.lost_values += usize::from(losses.lost);
        migration.clamped_amounts += usize::from(losses.clamped);
        let (has_goal, goal_is_same) = same_goals[usize::from(npc.goal)];
        next.columns
            .set_goal(row, if has_goal { CrowdGoalId(npc.goal) } else { CrowdGoalId::NONE });
        migration.lost_goals += usize::from(!has_goal);
        next.columns.set_group(row, GroupId(npc.group));
        next.columns.set_urgency(row, npc.urgency);
        let left: Option<Vec<LocalAction>> =
            old.left(npc).map(|action| same.get(action).copied().flatten()).collect();
        take_answer(next, row, (old, npc), &same, has_same_word);
        // A goal may speak of what the type no longer touches, and hence no longer knows.
        let is_own = next.goals.is_own(next.columns.goal(row));
        let knows_the_same = is_own == own_goals[usize::from(npc.goal)];
        let difference = &differences[usize::from(npc.group)];
        let has_verdict = matches!(PlanId(npc.id), PlanId::IMPOSSIBLE | PlanId::GAVE_UP);
        let leads = |left: Vec<LocalAction>| {
            (has_same_wishes || left.is_empty()) && (has_verdict || next.leads(row, &left))
        };
        let waits = npc.waits
            || losses != Losses::default()
            || !goal_is_same
            || !knows_the_same
            || !left.is_some_and(leads)
            || is_affected(next, row, difference, &mut work);
        if waits {
            next.columns.wait(row);
        }
        let held = old.claims.holders.binary_search(&(row as u32)).is_ok();
        if next.kind.effects().some_touch_shared() {
            next.claims.make_room(next.columns.len(), next.groups.len());
            if held && waits == npc.waits {
                // They are to be added up.
                next.claims.grant(row, next.columns.group(row));
                next.claims.say(next.columns.group(row));
            }
            if !waits {
                next.stand(row);
            }
        }
        migration.concerned += usize::from(waits && !npc.waits);
        migration.kept += usize::from(!waits || npc.waits);
    }
    next.turns = Turns::new(old.frame, &old.served_after);
    Ok(migration)
}

/// The answer that an NPC had: its plan with the steps done of it, or as much as is the same.
fn take_answer(
    next: &mut Core,
    row: usize,
    (old, npc): (&Former, &FormerNpc),
    same: &[Option<LocalAction>],
    has_same_word: bool,
) {
    let Core { kind, columns, book, .. } = next;
    match PlanId(npc.id) {
        no if !no.is_plan() => columns.answer(row, no.0, book),
        PlanId(word) if Remainder::is_word(word) && has_same_word => {
            columns.follow_word(row, word, npc.done, book);
        }
        _ => match mapped(same, old.plan(npc)).filter(|plan| !plan.is_empty()) {
            Some(plan) => columns.follow(row, &plan, npc.done, kind, book),
            None => {
                let left = old.left(npc).filter_map(|action| same.get(action).copied().flatten());
                columns.follow(row, &left.collect::<Vec<_>>(), 0, kind, book);
            }
        },
    }
}

/// The old groups with their numbers; for each what differs for its members.
fn take_groups(
    next: &mut Core,
    old: &Former,
    names: &Names,
    same: &[Option<LocalAction>],
) -> Result<Vec<Difference>, CrowdReloadError> {
    let Core { kind, groups, .. } = next;
    let mut differences = Vec::with_capacity(old.groups.len());
    for (at, group) in old.groups.iter().enumerate() {
        if at > 0 {
            groups.add(kind).ok_or(CrowdReloadError::TooManyGroups)?;
        }
        groups.set_rate(at, group.rate);
        names.take_checks(groups, at, group);
        for (action, &forbidden) in names.actions.iter().zip(&group.forbidden) {
            if let Some(action) = action {
                groups.forbid(at, *action, forbidden);
            }
        }
        // What was private or unknown to the type, and is shared now, may be another value than
        // the one that plans were made for.
        let mut shared = kind.space().shared().to_vec();
        for (new, value, is_same) in names.shared(old, group, kind) {
            groups.set_shared(at, new, value);
            if is_same {
                shared.retain(|&variable| variable != new);
            }
        }
        groups.update(kind.npc(), at);
        groups.settle(at);
        let now = &groups.situations.get(groups.situation(at)).enabled;
        let was_there = same.iter().zip(&group.enabled).filter(|(_, was_there)| **was_there);
        let (kept, removed): (Vec<LocalAction>, Vec<LocalAction>) =
            was_there.filter_map(|(new, _)| *new).partition(|&new| now.has(new));
        let all = 0..kind.npc().n_actions() as u32;
        let n_now = all.filter(|&action| now.has(LocalAction(action))).count();
        let (has_added, has_unknown) = (n_now > kept.len(), !shared.is_empty());
        let enabled = ActionMask::default();
        differences.push(Difference { shared, removed, has_added, has_unknown, enabled });
    }
    Ok(differences)
}

/// What the groups of other types were told and this type, which was `before`, could not hear: the
/// first who knows a thing tells it.
pub(crate) fn catch_up(next: &mut Core, before: Option<&Former>, others: &[Former]) {
    let Core { kind, groups, .. } = next;
    let tellers = before.into_iter().chain(others);
    let tellers: Vec<(&Former, Names)> =
        tellers.map(|other| (other, Names::new(other, kind))).collect();
    for at in 0..groups.len() {
        if let (None, Some((first, names))) = (before, tellers.first())
            && let Some(group) = first.groups.get(at)
        {
            groups.set_rate(at, group.rate);
            names.take_checks(groups, at, group);
        }
        let mut heard_of: BTreeSet<LocalAction> = BTreeSet::new();
        let mut heard: BTreeSet<LocalVariable> = BTreeSet::new();
        for (nth, (other, names)) in tellers.iter().enumerate() {
            // What the type itself was told is there already.
            let is_own = before.is_some() && nth == 0;
            let Some(group) = other.groups.get(at) else { continue };
            for (action, &forbidden) in names.actions.iter().zip(&group.forbidden) {
                if let Some(action) = action
                    && heard_of.insert(*action)
                    && !is_own
                {
                    groups.forbid(at, *action, forbidden);
                }
            }
            for (new, value, _) in names.shared(other, group, kind) {
                if heard.insert(new) && !is_own {
                    groups.set_shared(at, new, value);
                }
            }
        }
    }
}
