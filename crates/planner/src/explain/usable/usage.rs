//! The verdict on one action, and what to say about it.
//!
//! In:   what was found out about the action.
//! Out:  a [`Usage`], in a stable word, a sentence, and a cure.
//! Cost: none to speak of; text is allocated.

use super::Undecided;
use super::contexts::{Contexts, Prices};
use super::distances::Tally;
use super::proofs::Proofs;
use crate::asks::{as_range, global};
use throng_domain::Cost;
use throng_domain::compile::{CompiledDomain, LocalAction, LocalRange, NpcTables};
use throng_domain::model::{ActionId, GoalId, Range};

/// Whether an action can be in a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Usage {
    /// Some plan for this goal has it.
    InPlans(GoalId),
    /// It is never there: this action overrides it whenever its checks hold; without one, its
    /// checks contradict each other.
    NeverThere(Option<ActionId>),
    /// It needs something that no state has that can be reached.
    NeverReady(Vec<Range>),
    /// Each of its needs holds at times, but never all of them together.
    NeverTogether(Vec<Range>),
    /// It sets nothing.
    ChangesNothing,
    /// Wherever it can be done, what it sets holds already.
    HoldsAlready,
    /// The type has no goals, so there are no plans.
    NothingWanted,
    /// No goal, and no action on the way to one, asks for what it sets.
    NotAsked,
    /// Wherever it can be done, all goals hold.
    TooLate,
    /// After it no goal can be reached that does not hold.
    DeadEnd,
    /// This one does the same and is cheaper.
    Twin(ActionId),
    /// Plans have it, but a cheaper plan exists in every case; at best it is dearer by so much, for
    /// this goal.
    Beaten {
        /// How much dearer the best plan with it is, at least.
        by: Cost,
        /// The goal for which it is least.
        goal: GoalId,
    },
    /// Whatever holds, a cheaper plan goes without it, or none is left behind it.
    InNoPlan,
    /// Not known.
    Undecided(Undecided),
}

/// What was found out about a type.
pub(super) struct Known<'k> {
    pub(super) kind: &'k NpcTables,
    /// By action: whether it is known that no plan has it; empty if that was not looked for.
    pub(super) in_none: &'k [bool],
    pub(super) contexts: &'k Contexts,
    pub(super) tally: &'k Tally,
    pub(super) proofs: &'k Proofs,
    /// Why not everything is known.
    pub(super) open: Option<Undecided>,
    /// Whether all states were looked at.
    pub(super) searched: bool,
    /// Whether that was done goal by goal: of one goal what matters only to another is not known.
    pub(super) by_goal: bool,
    pub(super) prices: &'k Prices,
}

impl Known<'_> {
    pub(super) fn judge(&self, action: LocalAction) -> Usage {
        let (kind, proofs) = (self.kind, self.proofs);
        let fared = &self.tally.actions[action.index()];
        let words = |all: &[LocalRange]| all.iter().map(|&range| global(kind, range)).collect();
        let never = proofs.never_holds(kind, action);
        let id = |action: LocalAction| kind.actions()[action.index()];
        // What was found is right even where something else is not known.
        match fared.used_for {
            Some(goal) => Usage::InPlans(goal),
            None if kind.goals().is_empty() => Usage::NothingWanted,
            None if !self.contexts.ever[action.index()] => {
                Usage::NeverThere(proofs.overriders[action.index()].map(id))
            }
            None if !never.is_empty() => Usage::NeverReady(words(&never)),
            None if self.searched && !fared.ready => {
                let facts = kind.needs(action).iter().map(|&need| as_range(need));
                let all: Vec<LocalRange> =
                    facts.chain(kind.ranges(action).iter().copied()).collect();
                Usage::NeverTogether(words(&all))
            }
            None if kind.sets(action).is_empty() && kind.shifts(action).is_empty() => {
                Usage::ChangesNothing
            }
            None if !proofs.asked[action.index()] => Usage::NotAsked,
            None => match (self.open, proofs.twins[action.index()], fared.dearer_by) {
                (_, Some(twin), _) => Usage::Twin(id(twin)),
                (Some(_), ..) if self.in_none.get(action.index()) == Some(&true) => Usage::InNoPlan,
                (Some(why), ..) => Usage::Undecided(why),
                (None, None, _) if !fared.changes => Usage::HoldsAlready,
                // For another goal it may be a detour, dearer by what it costs.
                (None, None, near) if self.by_goal && !self.is_near(action, near) => {
                    Usage::InNoPlan
                }
                (None, None, None) if !fared.wanted => Usage::TooLate,
                (None, None, None) => Usage::DeadEnd,
                (None, None, Some(_)) if !self.prices.complete => {
                    Usage::Undecided(Undecided::Prices)
                }
                (None, None, Some((by, goal))) => Usage::Beaten { by: Cost(by), goal },
            },
        }
    }
}

impl Known<'_> {
    /// Whether a plan that begins with an action is dearer by less than the action itself.
    fn is_near(&self, action: LocalAction, dearer_by: Option<(u64, GoalId)>) -> bool {
        dearer_by.is_some_and(|(by, _)| by < self.kind.cost(action))
    }
}

impl Usage {
    /// Whether it is known that no plan has it.
    pub fn is_never(&self) -> bool {
        !matches!(self, Usage::InPlans(_) | Usage::Undecided(_))
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Usage::InPlans(_) => "in_plans",
            Usage::NeverThere(_) => "never_there",
            Usage::NeverReady(_) => "never_ready",
            Usage::NeverTogether(_) => "never_together",
            Usage::ChangesNothing => "changes_nothing",
            Usage::HoldsAlready => "holds_already",
            Usage::NothingWanted => "nothing_wanted",
            Usage::NotAsked => "not_asked",
            Usage::TooLate => "too_late",
            Usage::DeadEnd => "dead_end",
            Usage::Twin(_) => "twin",
            Usage::Beaten { .. } => "beaten",
            Usage::InNoPlan => "in_no_plan",
            Usage::Undecided(_) => "undecided",
        }
    }

    /// What is the case, and after a semicolon what to change; without a full stop.
    pub fn sentence(&self, domain: &CompiledDomain, action: ActionId, cost: Cost) -> String {
        let map = domain.map();
        let word = |asked: &Range| format!("`{}`", map.range(*asked));
        let list = |all: &[Range]| all.iter().map(word).collect::<Vec<_>>().join(" and ");
        let name = map.action(action);
        match self {
            Usage::InPlans(goal) => format!("plans for `{}` have it", map.wish(*goal)),
            Usage::NeverThere(Some(by)) => format!(
                "it is never there: `{}` overrides it whenever its checks hold; give that one a \
                 check, or drop the override",
                map.action(*by)
            ),
            Usage::NeverThere(None) => {
                "it is never there: its checks contradict each other; mend its `if`".to_string()
            }
            Usage::NeverReady(facts) => format!(
                "it can never be done: {} never holds; let a start or an action set it, or mend \
                 what it needs",
                list(facts)
            ),
            Usage::NeverTogether(facts) => format!(
                "it can never be done: {} never hold together; mend what it needs",
                list(facts)
            ),
            Usage::ChangesNothing => {
                "it changes nothing; give it an effect, or keep it for `otherwise`".to_string()
            }
            Usage::HoldsAlready => "wherever it can be done, what it sets holds already; let \
                something undo that, or start otherwise"
                .to_string(),
            Usage::NothingWanted => {
                "the type wants nothing, so it never plans; give it goals in `wants`".to_string()
            }
            Usage::NotAsked => "nothing asks for what it sets, neither a goal nor a step towards \
                one; add a goal or a need for it, or drop it"
                .to_string(),
            Usage::TooLate => "wherever it can be done, every goal holds already; loosen what it \
                needs, or add a goal"
                .to_string(),
            Usage::DeadEnd => {
                "after it no goal can be reached; add a way on from there".to_string()
            }
            Usage::Twin(by) => format!(
                "`{}` does the same and is cheaper; make `{name}` cheaper, or tell the two apart",
                map.action(*by)
            ),
            Usage::Beaten { by, goal } => {
                let goal = map.wish(*goal);
                match cost.0.checked_sub(by.0).filter(|&rest| rest > 0) {
                    Some(rest) => format!(
                        "a cheaper plan exists in every case; at a cost below {} instead of {cost} it \
                         would come up, first for `{goal}`",
                        Cost(rest)
                    ),
                    None => format!(
                        "a cheaper plan exists in every case, even if it cost nothing; it only \
                         makes ways longer, for `{goal}` by {by}"
                    ),
                }
            }
            Usage::InNoPlan => "whatever holds, a cheaper plan goes without it, or no goal can be \
                reached after it; make it cheaper, or let a goal ask for what it does"
                .to_string(),
            Usage::Undecided(why) => format!("not decided: {}", why.sentence()),
        }
    }
}

impl Undecided {
    /// Why, without a full stop.
    pub fn sentence(self) -> &'static str {
        match self {
            Undecided::TooManyStates => "too many states can be reached to look at all",
            Undecided::TooManyContexts => "the context checks have too many answers to try all",
            Undecided::TooMuchWork => "the limit of work was hit",
            Undecided::Prices => "prices are told by memory, and not all could be tried",
            Undecided::Stopped => "it was stopped",
        }
    }
}
