//! One thing that could be changed, and the question after the change.
//!
//! In:   a question.
//! Out:  all single changes of it; for each the changed question, a sentence and a place.
//! Cost: linear in the domain to list them; applying one costs a problem, or a compiled NPC type.

use super::asked::Asked;
use crate::absence::{WrongCheck, all_asked, asks};
use crate::context::is_enabled;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::reason::{answer_now, quoted};
use std::borrow::Cow;
use throng_domain::Location;
use throng_domain::compile::{LocalAction, PackedValue, Variation};
use throng_domain::model::{ActionId, CheckId, Fact};

/// A single change. The order is the order among equally good ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// A variable starts with another value.
    Value(Fact),
    /// A context check is answered otherwise.
    Check {
        /// The check.
        check: CheckId,
        /// The answer after the change.
        holds: bool,
    },
    /// The caller no longer forbids an action.
    Allow(ActionId),
    /// One action no longer overrides another.
    DropOverride {
        /// Who overrides.
        by: ActionId,
        /// Who is overridden.
        action: ActionId,
    },
    /// The NPC type can do one more action of the domain.
    Grant(ActionId),
    /// An action no longer needs something, be it done by itself or as a part of a compound. Of a
    /// compound: none of its parts needs it at the outset.
    DropNeed {
        /// The action.
        action: ActionId,
        /// What it needs.
        need: Fact,
    },
}

impl Change {
    /// All single changes that can make a difference to a question, in order.
    pub fn all(asked: &Asked<'_>) -> Vec<Change> {
        let mut changes = values(asked);
        let flip = |check| Change::Check { check, holds: !asked.checks.holds(check) };
        changes.extend(all_asked(asked.kind()).into_iter().map(flip));
        let kind = asked.kind();
        let own = || kind.local_actions();
        let id = |action: LocalAction| kind.actions()[action.index()];
        let forbidden = own().filter(|&action| asked.forbidden.has(action));
        changes.extend(forbidden.map(|action| Change::Allow(id(action))));
        let is_enabled = |action| is_enabled(kind, asked.checks, asked.forbidden, action);
        for by in own().filter(|&by| is_enabled(by)) {
            let overridden = kind.overrides(by).iter().filter(|&&action| is_enabled(action));
            let drop = |&action| Change::DropOverride { by: id(by), action: id(action) };
            changes.extend(overridden.map(drop));
        }
        let foreign = asked.all_actions().filter(|&action| kind.local_action(action).is_none());
        changes.extend(foreign.map(Change::Grant));
        for action in own().map(id).chain(parts_of_several(asked)) {
            let needs = asked.model.actions()[action.index()].requires().iter();
            changes.extend(needs.map(|&need| Change::DropNeed { action, need }));
        }
        changes
    }

    /// The question after the change.
    pub fn apply<'q>(self, asked: &Asked<'q>) -> (Cow<'q, PreparedDomain>, Problem) {
        let varied = |variation| {
            let (domain, problem) = asked.varied(variation);
            (Cow::Owned(domain), problem)
        };
        match self {
            Change::Value(fact) => {
                let mut values = asked.values.to_vec();
                values[fact.variable.index()] = fact.value.index() as PackedValue;
                (Cow::Borrowed(asked.domain), Asked { values: &values, ..*asked }.problem())
            }
            Change::Check { check, holds } => {
                let mut checks = asked.checks.clone();
                checks.set(check, holds);
                (Cow::Borrowed(asked.domain), Asked { checks: &checks, ..*asked }.problem())
            }
            Change::Allow(action) => {
                let mut forbidden = asked.forbidden.clone();
                if let Some(action) = asked.kind().local_action(action) {
                    forbidden.set(action, false);
                }
                (Cow::Borrowed(asked.domain), Asked { forbidden: &forbidden, ..*asked }.problem())
            }
            Change::DropOverride { by, action } => varied(Variation::DropOverride(by, action)),
            Change::Grant(action) => varied(Variation::Grant(action)),
            Change::DropNeed { action, need } => varied(Variation::DropNeed(action, need)),
        }
    }

    /// A stable word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Change::Value(_) => "value",
            Change::Check { .. } => "check",
            Change::Allow(_) => "allow",
            Change::DropOverride { .. } => "drop_override",
            Change::Grant(_) => "grant",
            Change::DropNeed { .. } => "drop_need",
        }
    }

    /// The change as an advice, without a full stop.
    pub fn sentence(self, asked: &Asked<'_>) -> String {
        let map = asked.domain.map();
        match self {
            Change::Value(fact) => {
                let name = map.variable(fact.variable);
                let now = asked.now(fact).and_then(|at| map.values(fact.variable).get(at));
                let now = now.map_or("it is unknown".to_string(), |now| format!("it is `{now}`"));
                format!("let `{name}` be `{}` at the start ({now})", map.value(fact))
            }
            Change::Check { check, holds } => {
                let wrong = WrongCheck { check, needed: holds, told: asked.checks.is_told(check) };
                let (name, now) = (map.check(check), answer_now(map, wrong));
                match wrong.told {
                    true => format!("let the check `{name}` be {holds} ({now})"),
                    false => format!("let the check `{name}` be {holds}: {now}"),
                }
            }
            Change::Allow(action) => {
                format!("allow `{}` (the caller forbids it)", map.action(action))
            }
            Change::DropOverride { by, action } => {
                format!("let `{}` not override `{}`", map.action(by), map.action(action))
            }
            Change::Grant(action) => {
                let (who, action) = (map.npc(asked.npc), map.action(action));
                format!("let `{who}` do `{action}`: add it to its `can`")
            }
            Change::DropNeed { action, need } => {
                let text = format!("let `{}` do without `{}`", map.action(action), map.fact(need));
                text + &about_parts(asked, action, need)
            }
        }
    }

    /// Where the text would be changed: the action or the NPC type, or what the change is about.
    pub fn place(self, asked: &Asked<'_>) -> Location {
        let map = asked.domain.map();
        match self {
            Change::Value(fact) => {
                let starts = asked.kind().starts().iter();
                let given = starts.filter(|start| start.variable == fact.variable);
                // A value that the caller said is not mended in the text.
                match given.filter(|&&start| asked.holds(start)).count() {
                    0 => map.variable_place(fact.variable),
                    _ => map.npc_place(asked.npc),
                }
            }
            Change::Check { check, .. } => {
                let kind = asked.kind();
                let asks = |&action: &LocalAction| asks(kind, action).any(|asked| asked == check);
                let user = kind.local_actions().find(asks);
                let id = user.map(|action| kind.actions()[action.index()]);
                id.map_or_else(Location::default, |action| map.action_place(action))
            }
            Change::Allow(action) | Change::DropNeed { action, .. } => map.action_place(action),
            Change::DropOverride { by, .. } => map.action_place(by),
            Change::Grant(_) => map.npc_place(asked.npc),
        }
    }
}

/// Actions that the type does only as parts of its compounds, of more than one: a need that such
/// a part loses, all of them lose. What only one compound has is a need of that compound.
fn parts_of_several(asked: &Asked<'_>) -> Vec<ActionId> {
    let mut parts = Vec::new();
    for id in asked.kind().actions() {
        let mut of_one = asked.model.actions()[id.index()].parts().to_vec();
        of_one.sort_unstable();
        of_one.dedup();
        parts.extend(of_one);
    }
    parts.sort_unstable();
    let several = parts.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
    let foreign = |part: &ActionId| asked.kind().local_action(*part).is_none();
    several.map(|same| same[0]).filter(foreign).collect()
}

/// The compounds of the type that an action is a part of.
pub(super) fn compounds_with<'q>(
    asked: &Asked<'q>,
    part: ActionId,
) -> impl Iterator<Item = ActionId> + use<'q> {
    let (kind, model) = (asked.kind(), asked.model);
    let own = kind.actions().iter().copied();
    own.filter(move |id| model.actions()[id.index()].parts().contains(&part))
}

/// Where a need of a compound comes from, and what a part that is only that is a part of.
fn about_parts(asked: &Asked<'_>, action: ActionId, need: Fact) -> String {
    let map = asked.domain.map();
    let requires =
        |part: &&ActionId| asked.model.actions()[part.index()].requires().contains(&need);
    let parts = asked.model.actions()[action.index()].parts();
    if let Some(&part) = parts.iter().find(requires) {
        return format!(" (its part `{}` needs it)", map.action(part));
    }
    match asked.kind().local_action(action) {
        Some(_) => String::new(),
        None => {
            let compounds = quoted(map, compounds_with(asked, action));
            format!(" (a part of {})", compounds.join(", "))
        }
    }
}

/// Other start values: any of a variable that the type touches, the wanted one of the others.
fn values(asked: &Asked<'_>) -> Vec<Change> {
    let kind = asked.kind();
    let own = kind.local_variables().flat_map(|variable| kind.facts_of(variable));
    let outside = asked.goal.iter().copied();
    let outside = outside.filter(|fact| kind.local_variable(fact.variable).is_none());
    let all = own.map(|fact| kind.fact(fact)).chain(outside);
    let mut all: Vec<Change> = all.filter(|&f| !asked.holds(f)).map(Change::Value).collect();
    all.sort_unstable();
    all.dedup();
    all
}
