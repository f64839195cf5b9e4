//! Why a call to a crowd is refused.

use throng_domain::compile::UnknownNameError;
use throng_domain::model::{ActionId, CheckId, Fact, GoalId, NpcTypeId, VariableId};

/// Why a call to a crowd is refused; nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CrowdError {
    /// The domain has no such NPC type.
    UnknownType(NpcTypeId),
    /// The domain has no such goal.
    UnknownGoal(GoalId),
    /// The domain has nothing of this name.
    UnknownName(Box<UnknownNameError>),
    /// The domain has no such fact.
    UnknownFact(Fact),
    /// The domain does not have what conditions speak of.
    UnknownConditions,
    /// The variable is no amount: it has words, or a list of values.
    NoAmount(VariableId),
    /// The number is not in the range of the amount.
    OutOfRange {
        /// The amount.
        variable: VariableId,
        /// The number.
        number: i64,
        /// The least and the greatest that it can have.
        range: (i64, i64),
    },
    /// There are not as many numbers as NPCs, or not as many things as crowds.
    OtherLength,
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
    /// The setter is one of another crowd, or of another version of the domain.
    OtherSetter,
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

throng_base::error! { CrowdError {
    Self::UnknownType(_) =>
        "the domain has no such NPC type; take ids from the domain of the crowd";
    Self::UnknownGoal(_) => "the domain has no such goal; take ids from the domain of the crowd";
    Self::UnknownName(unknown) => "{unknown}";
    Self::UnknownFact(_) => "the domain has no such value; take facts from the domain of the crowd";
    Self::UnknownConditions =>
        "the domain does not have what the conditions speak of; take them from the domain of the \
         crowd";
    Self::NoAmount(_) => "the variable is no amount, as `var hp: 0..100` is; use `set`";
    Self::OutOfRange { number, range: (low, high), .. } =>
        "{number} is out of the range {low}..{high} of the amount; clamp it first";
    Self::OtherLength => "there are not as many as they are for; give one for each";
    Self::UnknownCheck(_) => "the domain has no such check; take ids from the domain of the crowd";
    Self::UnknownAction(_) => "this type does not do the action; list it under the type's `can`";
    Self::UnknownVariable(_) =>
        "this type does not touch the variable; tell it to a type that does";
    Self::SharedVariable(_) =>
        "the variable is shared by groups; use `set_shared` or `forget_shared`";
    Self::PrivateVariable(_) =>
        "the variable is not shared; use `set` or `forget`, or declare it `shared var`";
    Self::NoSuchNpc => "the NPC was despawned or is not of this crowd; drop the handle";
    Self::OtherSetter =>
        "the setter is one of another crowd, or was made before the domain was reloaded; make a new \
         one with `setter`";
    Self::NoSuchGroup => "the crowd has no such group; make one with `add_group`";
    Self::NoSuchGoal =>
        "the crowd has no such goal; a `CrowdGoalId` is good for the crowd that gave it";
    Self::NoGoals => "there is nothing to choose from; name a goal";
    Self::TooManyNpcs => "the crowd has no row left; despawn NPCs first";
    Self::TooManyGroups => "a crowd has at most 65,535 groups; reuse one";
    Self::TooManyGoals => "a crowd has at most 65,535 goals; reuse one";
} source {
    Self::UnknownName(unknown) => &**unknown;
} }

impl From<UnknownNameError> for CrowdError {
    fn from(unknown: UnknownNameError) -> CrowdError {
        CrowdError::UnknownName(Box::new(unknown))
    }
}
