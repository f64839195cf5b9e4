//! What breaks a class: which actions, where, and what exactly, as ids.
//!
//! In:   what each check comes upon.
//! Out:  [`Violation`]s, the first [`MOST_TOLD`] of each class, and the count of all.
//! Cost: constant for each; words are made only when they are read (`words.rs`).

use super::Class;
use throng_domain::model::{ActionId, Fact, VariableId};

/// How many violations of one class are kept; the others are counted.
pub const MOST_TOLD: usize = 32;
/// How many actions a violation names; the others are counted.
pub const MOST_NAMED: usize = 16;

/// The thing whose line should change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// An action.
    Action(ActionId),
    /// A variable.
    Variable(VariableId),
}

/// What exactly breaks a class.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Breach {
    /// The class is a part of another one, which fails already.
    Asks(Class),
    /// The actions count these variables: move their values, or ask for a set of them.
    Counts(Vec<VariableId>),
    /// The action changes no variable.
    ChangesNothing,
    /// The action changes all these variables.
    ChangesSeveral(Vec<VariableId>),
    /// The action brings this about from any value of a variable that has so many.
    FromAny(Fact, usize),
    /// All the actions set this; `apart` if no two of them are ever there together.
    SameValue {
        /// What they set.
        fact: Fact,
        /// Whether overrides or checks keep every two of them apart.
        apart: bool,
    },
    /// The actions need the one value, another action needs the other.
    TwoDuringValues {
        /// What the named actions need.
        odd: Fact,
        /// What most actions need.
        usual: Fact,
        /// One of those.
        usual_by: ActionId,
    },
    /// The variable has so many values.
    ManyValues(VariableId, usize),
    /// The action needs a value that a loop passes.
    OnLoop {
        /// What it needs.
        needed: Fact,
        /// The actions of the loop, in order; the first [`MOST_NAMED`].
        cycle: Vec<ActionId>,
    },
    /// A loop of more than two actions passes a needed value.
    LongLoop {
        /// The needed value.
        needed: Fact,
        /// Who needs it.
        by: ActionId,
        /// How many actions the loop has.
        length: usize,
    },
    /// Two values of one loop are needed.
    TwoOnLoop {
        /// What the named actions need.
        odd: Fact,
        /// What most actions need.
        usual: Fact,
        /// One of those.
        usual_by: ActionId,
    },
    /// Both values of a loop of two are needed, by work that hangs together.
    Linked {
        /// What the first named action needs.
        one: Fact,
        /// What the second named action needs.
        other: Fact,
        /// The variables that link the two, from the one that the first changes to the one that
        /// the second changes; empty if the link was not traced.
        through: Vec<VariableId>,
    },
    /// The two actions of a loop want different things of the same part of the domain.
    Different {
        /// What only the first named action needs.
        one: Fact,
        /// What only the second needs.
        other: Fact,
    },
}

/// One thing that breaks a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub(super) class: Class,
    pub(super) place: Where,
    pub(super) actions: Vec<ActionId>,
    pub(super) n_actions: usize,
    pub(super) breach: Breach,
}

impl Violation {
    /// A violation whose line to change is that of its first action.
    pub(super) fn new(
        class: Class,
        first: ActionId,
        others: impl IntoIterator<Item = ActionId>,
        breach: Breach,
    ) -> Self {
        let mut violation = Violation {
            class,
            place: Where::Action(first),
            actions: vec![first],
            n_actions: 1,
            breach,
        };
        others.into_iter().for_each(|action| violation.name(action));
        violation
    }

    /// Names one more action.
    pub(super) fn name(&mut self, action: ActionId) {
        self.n_actions += 1;
        if self.actions.len() < MOST_NAMED {
            self.actions.push(action);
        }
    }

    throng_base::getters! {
        /// The class that it breaks.
        class: Class;
        /// The thing whose line should change.
        place: Where;
        /// The actions that break it, the one to change first; at most [`MOST_NAMED`].
        actions: &[ActionId];
        /// How many actions break it, named or not.
        n_actions: usize;
        /// What exactly breaks it.
        breach: &Breach;
    }

    /// Whether it only says that another class fails first.
    pub fn follows_from_another(&self) -> bool {
        matches!(self.breach, Breach::Asks(_))
    }
}

/// All violations so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Findings {
    pub(super) violations: Vec<Violation>,
    pub(super) counts: [usize; Class::ALL.len()],
    /// Loops that the strict reading of C2* refuses, as positions in the list of cycles.
    pub(super) linked_cycles: Vec<usize>,
}

impl Findings {
    /// Whether nothing has been found against a class.
    pub(super) fn holds(&self, class: Class) -> bool {
        self.counts[class as usize] == 0
    }

    /// Counts a violation, and keeps it if there is room.
    pub(super) fn add(&mut self, class: Class, violation: impl FnOnce() -> Violation) {
        self.counts[class as usize] += 1;
        if self.counts[class as usize] <= MOST_TOLD {
            self.violations.push(violation());
        }
    }

    /// A class fails because it is a part of `first`, which does.
    pub(super) fn asks(&mut self, class: Class, first: Class) {
        let found = self.violations.iter().find(|violation| violation.class == first);
        if let Some(violation) = found.cloned() {
            self.add(class, || Violation { class, breach: Breach::Asks(first), ..violation });
        }
    }
}
