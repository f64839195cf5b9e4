//! Names and places of everything, for the edges.
//!
//! In:   the model, which keeps the names; of a domain without text, its [`Numbered`] names.
//! Out:  id → name and place, name → id; former names (`was`) lead to the present thing.
//! Cost: a hash look-up per name, an index per id; a place is looked for when it is asked for.

use super::numbered::Numbered;
use crate::index::Named;
use crate::model::*;
use crate::names;
use crate::source::{FileId, Location};

/// The way back from ids to words.
#[derive(Clone, Debug)]
pub struct SourceMap(Names);

/// Who keeps the names.
#[derive(Clone, Debug)]
enum Names {
    Model(Box<Model>),
    Numbered(Box<Numbered>),
}

macro_rules! lookups {
    ($($name:ident $ids:ident $names:ident $at:ident $find:ident $nearest:ident $place:ident $id:ident $field:ident $what:literal;)*) => {
        impl SourceMap {
            $(
                #[doc = concat!("The name of ", $what, ".")]
                #[must_use]
                pub fn $name(&self, id: $id) -> &str {
                    match &self.0 {
                        Names::Model(model) => Named::name(&model[id]),
                        Names::Numbered(names) => names.$field.name(id.index()),
                    }
                }

                #[doc = concat!("All that are ", $what, ", in declared order.")]
                pub fn $ids(&self) -> impl ExactSizeIterator<Item = $id> + Clone + use<> {
                    let count = match &self.0 {
                        Names::Model(model) => model.$field.len(),
                        Names::Numbered(names) => names.$field.len(),
                    };
                    (0..count).map($id::at)
                }

                #[doc = concat!("The names of all that are ", $what, ", in declared order.")]
                pub fn $names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
                    self.$ids().map(|id| self.$name(id))
                }

                #[doc = concat!("The id of ", $what, " by its position; `None` if there are not so many.")]
                #[must_use]
                pub fn $at(&self, index: usize) -> Option<$id> {
                    $id::from_index(index).filter(|_| index < self.$names().len())
                }

                #[doc = concat!("Finds ", $what, " by its present or a former name.")]
                #[must_use]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    match &self.0 {
                        Names::Model(model) => model.$find(name),
                        Names::Numbered(names) => names.$field.find(name).map($id::at),
                    }
                }

                #[doc = concat!("The known name nearest to a mistyped name of ", $what, ".")]
                #[must_use]
                pub fn $nearest(&self, name: &str) -> Option<&str> {
                    throng_base::nearest(name, self.$names())
                }

                #[doc = concat!("Where ", $what, " is declared; line 0 if nowhere.")]
                #[must_use]
                pub fn $place(&self, id: $id) -> Location {
                    match &self.0 {
                        Names::Model(model) => model.sources.place(Named::span(&model[id])),
                        Names::Numbered(_) => Location::default(),
                    }
                }
            )*
        }
    };
}

lookups! {
    variable variable_ids variable_names variable_at find_variable nearest_variable variable_place VariableId variables "a variable";
    action action_ids action_names action_at find_action nearest_action action_place ActionId actions "an action";
    goal goal_ids goal_names goal_at find_goal nearest_goal goal_place GoalId goals "a goal";
    npc npc_ids npc_names npc_at find_npc nearest_npc npc_place NpcTypeId npcs "an NPC type";
    check check_ids check_names check_at find_check nearest_check check_place CheckId checks "a context check";
    select select_ids select_names select_at find_select nearest_select select_place SelectId selects "a select";
    slot slot_ids slot_names slot_at find_slot nearest_slot slot_place SlotId slots "a slot of a select";
}

impl SourceMap {
    pub(super) fn new(model: &Model) -> Self {
        SourceMap(Names::Model(Box::new(model.clone())))
    }

    /// The map of a domain that has no text.
    pub(super) fn numbered(names: Numbered) -> Self {
        SourceMap(Names::Numbered(Box::new(names)))
    }

    /// The model that the names are from; `None` of a domain that a program made.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match &self.0 {
            Names::Model(model) => Some(model),
            Names::Numbered(_) => None,
        }
    }

    /// The domain's name.
    #[must_use]
    pub fn domain(&self) -> &str {
        match &self.0 {
            Names::Model(model) => &model.name,
            Names::Numbered(names) => &names.domain,
        }
    }

    /// All actions of a present or former name: one, or the variants that `needs` makes of it.
    pub fn find_actions(&self, name: &str) -> impl Iterator<Item = ActionId> + Clone {
        let first = self.find_action(name);
        let several = first.map_or(&[][..], |id| self.variants(id));
        first.filter(|_| several.is_empty()).into_iter().chain(several.iter().copied())
    }

    /// The actions that have the name of this one, if they are several, itself among them.
    #[must_use]
    pub fn variants(&self, action: ActionId) -> &[ActionId] {
        self.model().map_or(&[], |model| model.variants(action))
    }

    /// The slots of a select, in order.
    pub fn slots_of(&self, select: SelectId) -> impl ExactSizeIterator<Item = SlotId> + use<> {
        let of = self.model().map(|model| model[select].slots().map(SlotId::index));
        let (first, count) = of.map_or((0, 0), |mut of| {
            let count = of.len();
            (of.next().unwrap_or(0), count)
        });
        (first..first + count).map(SlotId::at)
    }

    /// The select that a slot belongs to.
    #[must_use]
    pub fn select_of(&self, slot: SlotId) -> Option<SelectId> {
        Some(self.model()?[slot].select())
    }

    /// The slot that a value stands for; `None` of a plain word, even one called like a slot.
    #[must_use]
    pub fn value_slot(&self, variable: VariableId, value: ValueId) -> Option<SlotId> {
        self.model()?.value_slot(variable, value)
    }

    /// The value of a variable that stands for a slot.
    #[must_use]
    pub fn slot_value(&self, variable: VariableId, slot: SlotId) -> Option<ValueId> {
        self.model()?.slot_value(variable, slot)
    }

    /// The slot that a variable speaks of, as `ready(prop.1)` does.
    #[must_use]
    pub fn variable_slot(&self, variable: VariableId) -> Option<SlotId> {
        self.model()?[variable].slot()
    }

    /// Those of the words in parentheses of an action's name that are slots: `cover.1` of
    /// `goto(cover.1)` at position 0.
    #[must_use]
    pub fn parameter_slots(&self, action: ActionId) -> &[SlotAt] {
        self.model().map_or(&[], |model| model[action].slots())
    }

    /// All slots that an action names, each once: as a parameter, as a value that it requires or
    /// sets, or as what a variable or a check of it speaks of.
    #[must_use]
    pub fn named_slots(&self, action: ActionId) -> Vec<SlotId> {
        self.model().map_or(Vec::new(), |model| model.named_slots(action))
    }

    /// The same of a context check: `cover.1` of `way_to(cover.1)`.
    #[must_use]
    pub fn check_slots(&self, check: CheckId) -> &[SlotAt] {
        self.model().map_or(&[], |model| model.check_slots(check))
    }

    /// A sentence with the slots of one select all alike: two that differ only in the numbers of
    /// slots are then the same.
    #[must_use]
    pub fn alike(&self, text: &str) -> String {
        let mut alike = String::with_capacity(text.len());
        let mut rest = text;
        let is_part = |c: char| names::continues_name(c) || c == '.' || c == '-';
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length);
            let select = self.find_slot(word).and_then(|slot| self.select_of(slot));
            alike.push_str(select.map_or(word, |select| self.select(select)));
            rest = after;
        }
        alike
    }

    /// The name of a file.
    #[must_use]
    pub fn file(&self, file: FileId) -> &str {
        self.model().and_then(|model| model.sources.file(file)).map_or("", |file| file.name())
    }

    /// How many variables the domain has.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        self.variable_names().len()
    }

    /// How many context checks the domain has.
    #[must_use]
    pub fn n_checks(&self) -> usize {
        self.check_names().len()
    }

    /// The goals that serve a name: any of them will do. `None` if that is no such name.
    #[must_use]
    pub fn find_alternatives(&self, name: &str) -> Option<&[GoalId]> {
        self.model()?.index.alternatives.get(name).map(Vec::as_slice)
    }

    /// The name that a goal serves, and all goals that serve it.
    #[must_use]
    pub fn served_by(&self, goal: GoalId) -> Option<(&str, &[GoalId])> {
        let name = self.model()?.goals[goal.index()].serves()?;
        Some((name, self.find_alternatives(name)?))
    }

    /// A goal as it is wished for: the name it serves, if it is one of several alternatives, else
    /// its own.
    #[must_use]
    pub fn wish(&self, goal: GoalId) -> &str {
        self.served_by(goal).map_or_else(|| self.goal(goal), |(name, _)| name)
    }

    /// Whether the domain has no `npc` statement, so that one NPC type stands for all.
    #[must_use]
    pub fn has_implicit_npc(&self) -> bool {
        self.model().is_some_and(|model| model.npcs.iter().any(|npc| npc.implicit))
    }

    /// A variable having a value, by their positions; `None` if there are not so many.
    #[must_use]
    pub fn fact_at(&self, variable: usize, value: usize) -> Option<Fact> {
        let variable = self.variable_at(variable)?;
        let value = ValueId::from_index(value).filter(|_| value < self.n_values(variable))?;
        Some(Fact { variable, value })
    }

    /// How many values a variable has.
    #[must_use]
    pub fn n_values(&self, variable: VariableId) -> usize {
        self.values_of(variable).len()
    }

    /// The ends of the range of an amount; `None` of what is none.
    #[must_use]
    pub fn amount(&self, variable: VariableId) -> Option<(i64, i64)> {
        self.values_of(variable).ends()
    }

    /// The values of a variable. The names of an amount are made when they are first asked for.
    #[must_use]
    pub fn values(&self, variable: VariableId) -> &[String] {
        self.values_of(variable)
    }

    fn values_of(&self, variable: VariableId) -> &Values {
        match &self.0 {
            Names::Model(model) => &model[variable].values,
            Names::Numbered(names) => &names.values[variable.index()],
        }
    }

    /// Whether a variable is shared by a group of NPCs.
    #[must_use]
    pub fn is_shared(&self, variable: VariableId) -> bool {
        self.model().is_some_and(|model| model[variable].shared)
    }

    /// Whether the domain has this variable and value; an id of another domain may not fit.
    #[must_use]
    pub fn has_fact(&self, fact: Fact) -> bool {
        self.fact_at(fact.variable.index(), fact.value.index()).is_some()
    }

    /// Whether the domain has all that conditions speak of; those of another domain may not fit.
    #[must_use]
    pub fn has_conditions(&self, all: Conditions<'_>) -> bool {
        let has = |id: VariableId| id.index() < self.n_variables();
        let fits = |range: &Range| {
            let last = range.values.ends().map(|ends| usize::from(ends.1));
            has(range.variable) && last.is_none_or(|last| last < self.n_values(range.variable))
        };
        all.facts.iter().all(|&fact| self.has_fact(fact))
            && all.ranges.iter().all(fits)
            && all.comparisons.iter().all(|it| has(it.variable) && has(it.other))
    }

    /// The name of a value.
    #[must_use]
    pub fn value(&self, fact: Fact) -> &str {
        &self.values(fact.variable)[fact.value.index()]
    }

    /// A value of a variable by name.
    #[must_use]
    pub fn find_value(&self, variable: VariableId, name: &str) -> Option<ValueId> {
        match &self.0 {
            Names::Model(model) => model.value_named(variable, name),
            Names::Numbered(_) => self.values_of(variable).find(name).map(ValueId::at),
        }
    }

    /// The positions of the values of a variable that a word means which is none of them, but a
    /// group, as the slots of a select.
    #[must_use]
    pub fn group(&self, variable: VariableId, name: &str) -> Option<std::ops::Range<usize>> {
        self.model()?.group(variable, name)
    }

    /// `variable = value`, for sentences.
    #[must_use]
    pub fn fact(&self, fact: Fact) -> String {
        format!("{} = {}", self.variable(fact.variable), self.value(fact))
    }

    /// What is asked of a variable, as the language writes it: `hp >= 50`.
    #[must_use]
    pub fn range(&self, range: Range) -> String {
        self.values_of(range.variable).condition(self.variable(range.variable), &range.values)
    }

    /// How two amounts must stand to each other: `gold >= price`.
    #[must_use]
    pub fn comparison(&self, it: Comparison) -> String {
        let [left, right] = [it.variable, it.other].map(|id| self.variable(id));
        format!("{left} {} {right}", it.relation.sign())
    }

    /// All that is asked, part by part, as the language writes it.
    #[must_use]
    pub fn conditions(&self, all: Conditions<'_>) -> Vec<String> {
        let facts = all.facts.iter().map(|&fact| self.fact(fact));
        let ranges = all.ranges.iter().map(|&range| self.range(range));
        facts.chain(ranges).chain(all.comparisons.iter().map(|&it| self.comparison(it))).collect()
    }
}
