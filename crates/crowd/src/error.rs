//! Why a call to a crowd is refused.

use std::fmt;
use throng_domain::model::{ActionId, CheckId, Fact, GoalId, NpcTypeId, VariableId};

/// Why a call to a crowd is refused; nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CrowdError {
    /// The domain has no such NPC type.
    UnknownType(NpcTypeId),
    /// The domain has no such goal.
    UnknownGoal(GoalId),
    /// The domain has no goal, and no alternatives, of this name.
    UnknownName(String),
    /// The domain has no such fact.
    UnknownFact(Fact),
    /// The domain has no such context check.
    UnknownCheck(CheckId),
    /// The type does not do this action.
    UnknownAction(ActionId),
    /// The type does not touch this variable.
    UnknownVariable(VariableId),
    /// The variable is shared: it belongs to groups.
    SharedVariable(VariableId),
    /// The variable is not shared: it belongs to each NPC.
    PrivateVariable(VariableId),
    /// The NPC was despawned, or is one of another crowd.
    NoSuchNpc,
    /// The crowd has no such group.
    NoSuchGroup,
    /// The crowd has no such goal.
    NoSuchGoal,
    /// A choice among no goals.
    NoGoals,
    /// There are as many NPCs as a crowd can hold.
    TooManyNpcs,
    /// There are as many groups as a crowd can hold.
    TooManyGroups,
    /// There are as many goals as a crowd can hold.
    TooManyGoals,
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CrowdError::UnknownType(_) => {
                "the domain has no such NPC type; take ids from the domain of the crowd"
            }
            CrowdError::UnknownGoal(_) => {
                "the domain has no such goal; take ids from the domain of the crowd"
            }
            CrowdError::UnknownName(name) => {
                return write!(f, "the domain has no goal `{name}`; name one that it declares");
            }
            CrowdError::UnknownFact(_) => {
                "the domain has no such value; take facts from the domain of the crowd"
            }
            CrowdError::UnknownCheck(_) => {
                "the domain has no such check; take ids from the domain of the crowd"
            }
            CrowdError::UnknownAction(_) => {
                "this type does not do the action; list it under the type's `can`"
            }
            CrowdError::UnknownVariable(_) => {
                "this type does not touch the variable; tell it to a type that does"
            }
            CrowdError::SharedVariable(_) => {
                "the variable is shared by groups; use `set_shared` or `forget_shared`"
            }
            CrowdError::PrivateVariable(_) => {
                "the variable is not shared; use `set` or `forget`, or declare it `shared var`"
            }
            CrowdError::NoSuchNpc => {
                "the NPC was despawned or is not of this crowd; drop the handle"
            }
            CrowdError::NoSuchGroup => "the crowd has no such group; make one with `add_group`",
            CrowdError::NoSuchGoal => {
                "the crowd has no such goal; a `GoalRef` is good for the crowd that gave it"
            }
            CrowdError::NoGoals => "there is nothing to choose from; name a goal",
            CrowdError::TooManyNpcs => "the crowd has no row left; despawn NPCs first",
            CrowdError::TooManyGroups => "a crowd has at most 65,535 groups; reuse one",
            CrowdError::TooManyGoals => "a crowd has at most 65,535 goals; reuse one",
        })
    }
}

impl std::error::Error for CrowdError {}
