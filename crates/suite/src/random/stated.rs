//! Random statements, and what they mean as they are written.
//!
//! In:   dice.
//! Out:  a [`Stated`] domain: actions with several changes, templates, amounts that are counted,
//!       stopped and compared, lists that are counted with, `or`, `and`, `not`, checks, kinds,
//!       overrides, compounds, NPC types and goals, in every combination; its text; the same
//!       domain written otherwise; and, for every state, what each statement does there.
//! Cost: some microseconds to draw; one look at every state to judge a statement.
//!
//! The oracle beside this one reads the model, in which statements are ground actions already,
//! so it can never see a ground action that is missing. This one never looks at the model: a
//! statement is tried in a state by reading its conditions and changes as they stand in the
//! text. Conditions speak of changed variables as often as of others, because that is where
//! writing out can go wrong.

mod any;
mod judge;
mod meaning;
mod names;
mod recipes;
mod twins;
mod words;

pub use judge::{Judgement, Ways};
pub use meaning::Deed;

/// The value of every variable, by position; `None` is unknown.
pub type State = Vec<Option<usize>>;

/// Something that has one of some values.
#[derive(Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its values in their order.
    pub values: Vec<String>,
    /// Whether all of them are numbers.
    pub counts: bool,
    /// Whether it is an amount: declared by its range, not by the list of its values.
    pub is_amount: bool,
    /// Whether a group shares it.
    pub is_shared: bool,
}

/// What stands for a value or a number.
#[derive(Clone)]
pub enum Word {
    /// Itself.
    Text(String),
    /// The value of a parameter of the statement.
    Parameter(usize),
}

/// A condition as it is written.
#[derive(Clone)]
pub enum Formula {
    /// A variable, a sign, and what it is compared with.
    One(usize, &'static str, Word),
    /// An amount, a sign, and another one, which nothing changes.
    Other(usize, &'static str, usize),
    /// The opposite.
    Not(Box<Formula>),
    /// Joined by `and`.
    All(Vec<Formula>),
    /// Joined by `or`.
    Any(Vec<Formula>),
}

/// A change as it is written.
#[derive(Clone)]
pub struct Change {
    /// What it changes.
    pub variable: usize,
    /// How.
    pub kind: ChangeKind,
}

/// What a change does.
#[derive(Clone)]
pub enum ChangeKind {
    /// From one value, or from any, to another.
    Move {
        /// The value before, if it is said.
        from: Option<Word>,
        /// The value after.
        to: Word,
    },
    /// Up or down by a number.
    Count {
        /// Whether down.
        down: bool,
        /// By how much.
        by: Word,
        /// The number that it does not pass, of an amount.
        stop: Option<i64>,
    },
}

/// A check and the answer that it must have, or none.
pub type Check = Option<(usize, bool)>;

/// An `action` statement.
#[derive(Clone)]
pub struct Statement {
    /// Its name, without parameters.
    pub name: String,
    /// The variable of each parameter.
    pub parameters: Vec<usize>,
    /// Its changes; at least one.
    pub changes: Vec<Change>,
    /// Its conditions, all of which must hold.
    pub conditions: Vec<Formula>,
    /// Its check.
    pub check: Check,
    /// Its kinds, each with its check and its cost in thousandths; none if it is plain.
    pub kinds: Vec<(Check, u64)>,
    /// Another statement, none of whose actions is there while this one is enabled.
    pub overrides: Option<usize>,
    /// In thousandths; without it, that of its cheapest kind, or one.
    pub cost: Option<u64>,
}

/// One statement with its parameters given, in those states in which some variables have some
/// values: what the name of a ground action says.
#[derive(Clone)]
pub struct Ground {
    /// The statement.
    pub statement: usize,
    /// The value of each parameter.
    pub arguments: Vec<String>,
    /// What its name says besides.
    pub pins: Vec<(usize, String)>,
    /// What its name says of amounts.
    pub texts: Vec<Formula>,
}

/// An `npc` statement.
#[derive(Clone)]
pub struct Folk {
    /// The statements whose actions it can do.
    pub can: Vec<usize>,
    /// The variables that it knows at first, and their values.
    pub starts: Vec<(usize, usize)>,
}

/// A `compound` of ground actions.
#[derive(Clone)]
pub struct Compound {
    /// The names of its parts.
    pub names: Vec<String>,
    /// What they mean.
    pub parts: Vec<Ground>,
    /// In thousandths; without it, the sum of its parts.
    pub cost: Option<u64>,
}

/// The name of the compound of a domain.
pub const COMPOUND: &str = "all_of_it";
/// The number of context checks.
pub const CHECKS: usize = 3;

/// A domain as it is written.
#[derive(Clone)]
pub struct Stated {
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its actions.
    pub statements: Vec<Statement>,
    /// Its goals: `g0`, `g1` …, each with its conditions.
    pub goals: Vec<Vec<Formula>>,
    /// At most one compound.
    pub compound: Option<Compound>,
    /// Its NPC types: `n`, which can do the compound too and is the one that is asked, and others.
    pub folk: Vec<Folk>,
    /// Statements whose steps should come before those of others.
    pub preferences: Vec<(usize, usize)>,
}
