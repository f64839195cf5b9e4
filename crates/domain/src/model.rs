//! The model: a domain with everything written out, still in words.
//!
//! In:   a reader ([`crate::formats`]) after all checks have passed.
//! Out:  variables, ground actions, goals, NPC types and tests, each with its name and its
//!       place in the text; cross-references are ids, so nothing can dangle.
//! Cost: plain vectors, declared order.
//!
//! Templates, capabilities and includes no longer exist here; amounts are still amounts. A `Model`
//! can only come from a reader, which is why the compiler below and the independent checker beside
//! it need not validate it again.

mod action;
mod conditions;
mod slots;

use crate::index::{ByName, NameTable, Named};
use crate::notes::{Note, NoteWord, NoteWords, Role};
use crate::number::Cost;
use crate::source::{Sources, Span};
pub use crate::values::Values;
pub use action::Action;
pub(crate) use action::More;
pub use conditions::{Comparison, Conditions, Fact, Range, Shift, Wants};
pub use slots::{Select, Slot, SlotAt};
use std::collections::HashMap;
use std::ops::Index;
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
    #[derive(Default)]
    pub struct NpcTypeId(pub(crate) u32);
    /// Position of a context check in [`Model::checks`].
    pub struct CheckId(pub(crate) u32);
    /// Position of a select in [`Model::selects`].
    pub struct SelectId(pub(crate) u32);
    /// Position of a slot in [`Model::slots`].
    pub struct SlotId(pub(crate) u32);
}

throng_base::readable! {
    /// Something that has one of finitely many values at any time.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Variable {
        /// Its name.
        name: String => &str,
        /// Its values, in declared order.
        values: Values => &Values,
        /// The first value of each select whose slots are values of it.
        picks: Vec<(ValueId, SelectId)> => &[(ValueId, SelectId)],
        /// The slot that it speaks of, as `ready(prop.1)` does.
        slot: Option<SlotId> as slot,
        /// Whether one value is shared by a whole group of NPCs.
        shared: bool as is_shared,
        /// Former names, found in saved games and logs.
        was: Vec<String> => &[String],
        /// Where it is declared.
        span: Span,
    }
}

impl Variable {
    /// Whether the values are `false, true`.
    #[must_use]
    pub fn is_bool(&self) -> bool {
        self.values.words().is_some_and(|words| words == ["false", "true"])
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

throng_base::readable! {
    /// One way to do an action, chosen when the action starts.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct ActionKind {
        /// Its name.
        name: String => &str,
        /// The context checks it asks for, in the order written.
        checks: Vec<CheckUse> => &[CheckUse],
        /// Its price beside the other kinds, above zero.
        cost: Cost,
    }

    /// Steps of some actions that should come before steps of others, where that is possible.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct OrderPreference {
        /// The actions to come first, by id; at least one.
        before: Vec<ActionId> => &[ActionId],
        /// The actions to come later, by id; at least one, and none of those to come first.
        after: Vec<ActionId> => &[ActionId],
    }

    /// Values that an NPC may want to hold together.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Goal {
        /// Its ground name, such as `cover(n7)`.
        name: String => &str,
        /// The values that must hold, at most one per variable, by variable.
        wants: Vec<Fact> => &[Fact],
        /// The sets of values that must hold, at most one per variable and none of a variable in
        /// `wants`, by variable.
        ranges: Vec<Range> => &[Range],
        /// The amounts that must stand to each other.
        comparisons: Vec<Comparison> => &[Comparison],
        serves: Option<String> as _,
        /// How much it matters beside other goals; 1 unless said otherwise.
        priority: Cost,
        /// Former names.
        was: Vec<String> => &[String],
        /// Where it is declared.
        span: Span,
    }
}

impl Goal {
    /// All that must hold.
    #[must_use]
    pub fn conditions(&self) -> Conditions<'_> {
        let Goal { wants, ranges, comparisons, .. } = self;
        Conditions { facts: wants, ranges, comparisons }
    }

    /// The name it is an alternative of: `armed` for `armed(gun)`, if any weapon will do. All
    /// goals that serve one name count as one goal that each of them satisfies.
    #[must_use]
    pub fn serves(&self) -> Option<&str> {
        self.serves.as_deref()
    }
}

throng_base::readable! {
    /// A type of NPC: what it can do, what it wants, how it starts.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct NpcType {
        /// Its name; the domain's name for the implicit NPC of a domain without `npc`.
        name: String => &str,
        /// Whether no `npc` statement was written and this one stands for all NPCs.
        implicit: bool as is_implicit,
        /// Its actions, in declared order of the actions.
        can: Vec<ActionId> => &[ActionId],
        /// Its goals, in declared order of the goals.
        wants: Vec<GoalId> => &[GoalId],
        /// The values it starts with, by variable; the others are unknown.
        starts: Vec<Fact> => &[Fact],
        /// Former names.
        was: Vec<String> => &[String],
        /// Where it is declared.
        span: Span,
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
    /// All of this.
    Conditions(Wants),
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

throng_base::readable! {
    /// A `test` statement.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Test {
        /// Its name.
        name: String => &str,
        /// Who is tested.
        npc: NpcTypeId,
        /// Values that replace or complete the NPC's `starts`, by variable.
        from: Vec<Fact> => &[Fact],
        /// What is asked.
        ask: Target => &Target,
        /// Which checks hold.
        context: TestContext => &TestContext,
        /// What must come out, each with its place.
        expects: Vec<(Expect, Span)> => &[(Expect, Span)],
        /// Where it is declared.
        span: Span,
    }

    /// A whole domain in words. Its lists are shared, so a clone costs nothing.
    #[derive(Clone, Debug, Default)]
    pub struct Model {
        /// The domain's name.
        name: String => &str,
        /// All variables, in declared order.
        variables: Arc<Vec<Variable>> => &[Variable],
        /// The names of all context checks, in the order of first mention.
        checks: Arc<Vec<String>> => &[String],
        /// Of each check, those of the words in parentheses of its name that are slots.
        check_slots: Arc<Vec<Vec<SlotAt>>> as _,
        /// All ground actions, in declared order.
        actions: Arc<Vec<Action>> => &[Action],
        /// All goals, in declared order.
        goals: Arc<Vec<Goal>> => &[Goal],
        /// All NPC types, in declared order; at least one.
        npcs: Arc<Vec<NpcType>> => &[NpcType],
        /// All tests, in declared order.
        tests: Arc<Vec<Test>> => &[Test],
        /// What should come before what in a plan, the most important wish first.
        preferences: Arc<Vec<OrderPreference>> => &[OrderPreference],
        /// What the file says to others than the planner, in the order of the text.
        notes: Arc<Vec<Note>> => &[Note],
        /// All selects, in declared order.
        selects: Arc<Vec<Select>> => &[Select],
        /// The slots of all selects, in the order of the selects.
        slots: Arc<Vec<Slot>> => &[Slot],
        /// The words that its reader knew as notes.
        note_words: Vec<&'static NoteWords> => &[&'static NoteWords],
        /// The texts it was read from.
        sources: Sources => &Sources,
        /// All of it by name.
        index: Arc<NameIndex> as _,
    }
}

impl Model {
    /// The first words of the notes in this role.
    pub(crate) fn first_words(&self, role: Role) -> impl Iterator<Item = &NoteWord> {
        let notes = self.notes.iter().filter(move |note| note.keyword.role == role);
        notes.filter_map(|note| note.words.first())
    }

    /// A value of a variable by name.
    pub(crate) fn value_named(&self, variable: VariableId, name: &str) -> Option<ValueId> {
        let values = &self.variables[variable.index()].values;
        let found = match self.index.values.get(&variable) {
            Some(table) => table.find(values, name),
            None => values.find(name),
        };
        found.map(ValueId::at)
    }

    /// The sets of values that an action asks for beyond what its shifts need, as wide as they can
    /// be written: with the shifts, they give its [`Action::ranges`]. By variable.
    #[must_use]
    pub fn asked_ranges(&self, action: &Action) -> Vec<Range> {
        let mut asked = Vec::with_capacity(action.ranges().len());
        for range in action.ranges() {
            let n_values = self[range.variable].values.len() as u16;
            let shift = action.shifts().iter().find(|shift| shift.variable == range.variable);
            match shift.map(|shift| shift.by.domain(n_values)) {
                None => asked.push(*range),
                Some(needed) if needed == range.values => {}
                Some(needed) => {
                    let values = range.values.widened(&needed, n_values);
                    asked.push(Range { values, ..*range });
                }
            }
        }
        asked
    }

    /// The name that these goals serve; empty if there is none.
    #[must_use]
    pub fn served_name(&self, goals: &[GoalId]) -> &str {
        let first = goals.first().map(|goal| &self.goals[goal.index()]);
        first.and_then(Goal::serves).unwrap_or_default()
    }

    /// The words of a fact: variable and value.
    #[must_use]
    pub fn fact_names(&self, fact: Fact) -> (&str, &str) {
        let variable = &self.variables[fact.variable.index()];
        (&variable.name, &variable.values[fact.value.index()])
    }
}

macro_rules! by_name {
    ($($add:ident $find:ident $kind:ident $id:ident $list:ident $(or $before:ident)?;)*) => {
        impl Model {
            $(
                /// Adds one while the model is made; its name is new.
                pub(crate) fn $add(&mut self, new: $kind) -> $id {
                    let list = Arc::make_mut(&mut self.$list);
                    list.push(new);
                    Arc::make_mut(&mut self.index).$list.add_last(list);
                    $id::at(list.len() - 1)
                }

                /// The one of this name; of a model that is ready, of this former name too, be it
                /// from `was` or from before amounts stayed amounts.
                #[must_use]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    let found = self.index.$list.find(&self.$list, name).map($id::at);
                    $(if found.is_none() && self.index.is_ready {
                        return self.$before(name);
                    })?
                    found
                }
            )*
        }

        $(
            impl Index<$id> for Model {
                type Output = $kind;

                fn index(&self, id: $id) -> &$kind {
                    &self.$list[id.index()]
                }
            }
        )*
    };
}

by_name! {
    add_variable find_variable Variable VariableId variables;
    add_action find_action Action ActionId actions or action_before_amounts;
    add_goal find_goal Goal GoalId goals or goal_before_amounts;
    add_npc find_npc NpcType NpcTypeId npcs;
    add_check find_check String CheckId checks;
    add_select find_select Select SelectId selects;
    add_slot find_slot Slot SlotId slots;
}

impl Model {
    /// Adds a further action of a name that there is.
    pub(crate) fn add_variant(&mut self, first: ActionId, new: Action) -> ActionId {
        let id = ActionId::at(self.actions.len());
        let variants = Arc::make_mut(&mut self.index).variants.entry(&new.name);
        if variants.is_empty() {
            variants.push(first);
        }
        variants.push(id);
        push(&mut self.actions, new);
        id
    }

    /// All actions of a name: one, or the variants that `needs` makes of it.
    pub fn find_actions(&self, name: &str) -> impl Iterator<Item = ActionId> + Clone {
        let first = self.find_action(name);
        let several = first.map_or(&[][..], |id| self.variants(id));
        first.filter(|_| several.is_empty()).into_iter().chain(several.iter().copied())
    }

    /// The actions that have the name of this one, if they are several, itself among them.
    #[must_use]
    pub fn variants(&self, action: ActionId) -> &[ActionId] {
        self.index.variants.get(&self[action].name).map_or(&[], Vec::as_slice)
    }
}

macro_rules! named {
    ($($kind:ident)*) => {$(
        impl Named for $kind {
            fn name(&self) -> &str {
                self.name()
            }

            fn was(&self) -> &[String] {
                self.was()
            }

            fn span(&self) -> Span {
                self.span()
            }
        }
    )*};
}

named! { Variable Action Goal NpcType }

/// Up to this many values of a variable a scan beats a table.
pub(crate) const SCANNED: usize = 16;

/// Everything in a model by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex {
    pub(crate) variables: NameTable,
    pub(crate) actions: NameTable,
    pub(crate) goals: NameTable,
    pub(crate) npcs: NameTable,
    pub(crate) checks: NameTable,
    pub(crate) selects: NameTable,
    pub(crate) slots: NameTable,
    /// Whether all is there, so that names from before are looked for too.
    is_ready: bool,
    /// Goals by the name that they serve.
    pub(crate) alternatives: ByName<Vec<GoalId>>,
    /// Actions of one name, where there are several.
    pub(crate) variants: ByName<Vec<ActionId>>,
    /// Of variables with many values; the others are scanned.
    values: HashMap<VariableId, NameTable>,
    /// Of each variable, the values that came as a sort of the level.
    pub(crate) sorts: HashMap<VariableId, Vec<(String, std::ops::Range<usize>)>>,
}

impl Model {
    /// Lets the values of a variable be found, if they are many.
    pub(crate) fn index_values(&mut self, variable: VariableId) {
        let Some(values) = self.variables[variable.index()].values.words() else { return };
        if values.len() > SCANNED {
            let mut table = NameTable::default();
            (1..=values.len()).for_each(|end| table.add_last(&values[..end]));
            Arc::make_mut(&mut self.index).values.insert(variable, table);
        }
    }

    /// Puts these checks in place of those there are.
    pub(crate) fn set_checks(&mut self, names: Vec<String>) {
        self.checks = Arc::default();
        Arc::make_mut(&mut self.index).checks = NameTable::default();
        for name in names {
            self.add_check(name);
        }
    }

    /// Lets everything be found by its former names too: the last thing done to a model.
    pub(crate) fn index_former_names(&mut self) {
        let index = Arc::make_mut(&mut self.index);
        index.variables.add_former(&self.variables);
        index.actions.add_former(&self.actions);
        index.goals.add_former(&self.goals);
        index.npcs.add_former(&self.npcs);
        index.is_ready = true;
    }
}

/// Adds to a list of a model that is being made, of things that are not found by name.
pub(crate) fn push<T: Clone>(list: &mut Arc<Vec<T>>, item: T) {
    Arc::make_mut(list).push(item);
}
