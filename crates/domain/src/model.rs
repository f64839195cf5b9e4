//! The model: a domain with everything written out, still in words.
//!
//! In:   a reader ([`crate::formats`]) after all checks have passed.
//! Out:  variables, ground actions, goals, NPC types and tests, each with its name and its
//!       place in the text; cross-references are ids, so nothing can dangle.
//! Cost: plain vectors, declared order.
//!
//! Templates, integers, capabilities and includes no longer exist here. A `Model` can only
//! come from a reader, which is why the compiler below and the independent checker beside it
//! need not validate it again.

use crate::notes::{Note, NoteWord, NoteWords, Role};
use crate::number::Cost;
use crate::source::{Sources, Span};
use std::sync::Arc;

throng_base::typed_id! {
    /// Position of a variable in [`Model::variables`].
    pub struct VariableId(pub(crate) u32);
    /// Position of a value among its variable's values.
    pub struct ValueId(pub(crate) u32);
    /// Position of an action in [`Model::actions`].
    pub struct ActionId(pub(crate) u32);
    /// Position of a goal in [`Model::goals`].
    pub struct GoalId(pub(crate) u32);
    /// Position of an NPC type in [`Model::npcs`].
    pub struct NpcTypeId(pub(crate) u32);
    /// Position of a context check in [`Model::checks`].
    pub struct CheckId(pub(crate) u32);
}

/// A variable having a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The variable.
    pub variable: VariableId,
    /// Its value.
    pub value: ValueId,
}

/// Something that has one of finitely many values at any time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    pub(crate) shared: bool,
    pub(crate) was: Vec<String>,
    pub(crate) span: Span,
}

impl Variable {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, in declared order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether one value is shared by a whole group of NPCs.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Former names, found in saved games and logs.
    pub fn was(&self) -> &[String] {
        &self.was
    }

    /// Where it is declared.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the values are `false, true`.
    pub fn is_bool(&self) -> bool {
        self.values == ["false", "true"]
    }
}

/// A context check that an action asks for: it must hold, or must not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CheckUse {
    /// The check.
    pub check: CheckId,
    /// The answer the action needs.
    pub expected: bool,
}

/// One way to do an action, chosen when the action starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionKind {
    pub(crate) name: String,
    pub(crate) checks: Vec<CheckUse>,
    pub(crate) cost: Cost,
}

impl ActionKind {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The context checks it asks for, in the order written.
    pub fn checks(&self) -> &[CheckUse] {
        &self.checks
    }

    /// Its price beside the other kinds, above zero.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

/// Steps of some actions that should come before steps of others, where that is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    pub(crate) before: Vec<ActionId>,
    pub(crate) after: Vec<ActionId>,
}

impl Wish {
    /// The actions to come first, by id; at least one.
    pub fn before(&self) -> &[ActionId] {
        &self.before
    }

    /// The actions to come later, by id; at least one, and none of those to come first.
    pub fn after(&self) -> &[ActionId] {
        &self.after
    }
}

/// One ground action: what it requires, what it sets, when it is there, what it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub(crate) name: String,
    pub(crate) requires: Vec<Fact>,
    pub(crate) sets: Vec<Fact>,
    pub(crate) checks: Vec<CheckUse>,
    pub(crate) overrides: Vec<ActionId>,
    pub(crate) cost: Cost,
    pub(crate) parts: Vec<ActionId>,
    pub(crate) kinds: Arc<[ActionKind]>,
    pub(crate) was: Vec<String>,
    pub(crate) span: Span,
}

impl Action {
    /// Its ground name, such as `go(pipe)`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values that must hold, at most one per variable, by variable.
    pub fn requires(&self) -> &[Fact] {
        &self.requires
    }

    /// The values it brings about, at most one per variable, by variable. A value that is
    /// also required is not listed: it only has to hold during the action.
    pub fn sets(&self) -> &[Fact] {
        &self.sets
    }

    /// The context checks it asks for, in the order written.
    pub fn checks(&self) -> &[CheckUse] {
        &self.checks
    }

    /// The actions that are not there while this one is enabled.
    pub fn overrides(&self) -> &[ActionId] {
        &self.overrides
    }

    /// Its price, above zero.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The actions that it consists of, in the order to do them; none unless it is a compound.
    pub fn parts(&self) -> &[ActionId] {
        &self.parts
    }

    /// The ways to do it, one of which is chosen at start; none if there is only one way.
    pub fn kinds(&self) -> &[ActionKind] {
        &self.kinds
    }

    /// Former names.
    pub fn was(&self) -> &[String] {
        &self.was
    }

    /// Where it (or its template) is declared.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// Values that an NPC may want to hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    pub(crate) name: String,
    pub(crate) wants: Vec<Fact>,
    pub(crate) serves: Option<String>,
    pub(crate) priority: Cost,
    pub(crate) was: Vec<String>,
    pub(crate) span: Span,
}

impl Goal {
    /// Its ground name, such as `cover(n7)`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values that must hold, at most one per variable, by variable.
    pub fn wants(&self) -> &[Fact] {
        &self.wants
    }

    /// The name it is an alternative of: `armed` for `armed(gun)`, if any weapon will do. All
    /// goals that serve one name count as one goal that each of them satisfies.
    pub fn serves(&self) -> Option<&str> {
        self.serves.as_deref()
    }

    /// How much it matters beside other goals; 1 unless said otherwise.
    pub fn priority(&self) -> Cost {
        self.priority
    }

    /// Former names.
    pub fn was(&self) -> &[String] {
        &self.was
    }

    /// Where it is declared.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// A type of NPC: what it can do, what it wants, how it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NpcType {
    pub(crate) name: String,
    pub(crate) implicit: bool,
    pub(crate) can: Vec<ActionId>,
    pub(crate) wants: Vec<GoalId>,
    pub(crate) starts: Vec<Fact>,
    pub(crate) was: Vec<String>,
    pub(crate) span: Span,
}

impl NpcType {
    /// Its name; the domain's name for the implicit NPC of a domain without `npc`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether no `npc` statement was written and this one stands for "everybody".
    pub fn is_implicit(&self) -> bool {
        self.implicit
    }

    /// Its actions, in declared order of the actions.
    pub fn can(&self) -> &[ActionId] {
        &self.can
    }

    /// Its goals, in declared order of the goals.
    pub fn wants(&self) -> &[GoalId] {
        &self.wants
    }

    /// The values it starts with, by variable; the others are unknown.
    pub fn starts(&self) -> &[Fact] {
        &self.starts
    }

    /// Former names.
    pub fn was(&self) -> &[String] {
        &self.was
    }

    /// Where it is declared.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// What should be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The NPC's unsatisfied goal of highest priority that has a plan; among equals the one
    /// declared first.
    Best,
    /// A goal of the domain.
    Goal(GoalId),
    /// Any of these goals of the domain, at least one: the one whose plan is cheapest, of equals
    /// the first.
    Any(Vec<GoalId>),
    /// These facts.
    Facts(Vec<Fact>),
}

/// Which context checks hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestContext {
    /// All but these.
    Without(Vec<CheckId>),
    /// These and no others.
    Only(Vec<CheckId>),
}

/// What a test expects of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expect {
    /// A plan of so many actions.
    Length(u32),
    /// A plan of this price.
    Cost(Cost),
    /// Exactly these actions; a template's bare name stands for any of its actions.
    Plan(Vec<String>),
    /// No plan exists.
    Impossible,
    /// Nothing has to be done.
    Satisfied,
    /// The plan does without this action (or template).
    Never(String),
}

/// A `test` statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    pub(crate) name: String,
    pub(crate) npc: NpcTypeId,
    pub(crate) from: Vec<Fact>,
    pub(crate) ask: Target,
    pub(crate) context: TestContext,
    pub(crate) expects: Vec<(Expect, Span)>,
    pub(crate) span: Span,
}

impl Test {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who is tested.
    pub fn npc(&self) -> NpcTypeId {
        self.npc
    }

    /// Values that replace or complete the NPC's `starts`, by variable.
    pub fn from(&self) -> &[Fact] {
        &self.from
    }

    /// What is asked.
    pub fn ask(&self) -> &Target {
        &self.ask
    }

    /// Which checks hold.
    pub fn context(&self) -> &TestContext {
        &self.context
    }

    /// What must come out, each with its place.
    pub fn expects(&self) -> &[(Expect, Span)] {
        &self.expects
    }

    /// Where it is declared.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// A whole domain in words.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) name: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) checks: Vec<String>,
    pub(crate) actions: Vec<Action>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) npcs: Vec<NpcType>,
    pub(crate) tests: Vec<Test>,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) notes: Vec<Note>,
    pub(crate) note_words: Vec<&'static NoteWords>,
    pub(crate) sources: Sources,
}

impl Model {
    /// The domain's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All variables, in declared order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The names of all context checks, in the order of first mention.
    pub fn checks(&self) -> &[String] {
        &self.checks
    }

    /// All ground actions, in declared order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// All goals, in declared order.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// All NPC types, in declared order; at least one.
    pub fn npcs(&self) -> &[NpcType] {
        &self.npcs
    }

    /// All tests, in declared order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// What should come before what in a plan, the most important wish first.
    pub fn wishes(&self) -> &[Wish] {
        &self.wishes
    }

    /// What the file says to others than the planner, in the order of the text.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The words that its reader knew as notes.
    pub fn note_words(&self) -> &[&'static NoteWords] {
        &self.note_words
    }

    /// The first words of the notes in this role.
    pub(crate) fn first_words(&self, role: Role) -> impl Iterator<Item = &NoteWord> {
        let notes = self.notes.iter().filter(move |note| note.keyword.role == role);
        notes.filter_map(|note| note.words.first())
    }

    /// The texts it was read from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The name that these goals serve; empty if there is none.
    pub fn served_name(&self, goals: &[GoalId]) -> &str {
        let first = goals.first().map(|goal| &self.goals[goal.index()]);
        first.and_then(Goal::serves).unwrap_or_default()
    }

    /// The words of a fact: variable and value.
    pub fn fact_names(&self, fact: Fact) -> (&str, &str) {
        let variable = &self.variables[fact.variable.index()];
        (&variable.name, &variable.values[fact.value.index()])
    }
}
