//! The one place that knows what a legal model is.
//!
//! In:   declarations in words, from any reader, in the order: variables, actions, goals,
//!       capabilities, NPC types, tests.
//! Out:  a [`Model`] if nothing was wrong, and the report either way.
//! Cost: a hash lookup per name; everything written out is counted against
//!       [`Limits::entries`] before it is stored.
//!
//! Readers differ in syntax only: a mistake reads the same in `.npc` and in JSON because it
//! is found here. Declarations are in `declare.rs`, `roles.rs` and `compound.rs`, names in
//! `resolve.rs`; what they share are parts of their own.

mod amounts;
mod budget;
mod check_names;
mod compound;
mod counted;
mod declare;
mod drafts;
mod gaps;
mod level_needs;
mod lint;
mod needs;
mod notes;
mod resolve;
mod roles;
mod selects;
mod value_lists;

pub(crate) use compound::least_cost;
pub(crate) use declare::{
    ActionDraft, Clash, GoalDraft, GroupDraft, ValuesDraft, VariableDraft, kinds_of, overrides_of,
};
pub(crate) use drafts::*;
pub(crate) use gaps::Missing;
pub(crate) use needs::{LACKS, WayMet};
pub(crate) use notes::NoteOwners;
pub(crate) use roles::Role;
pub(crate) use selects::select_head;

use crate::diagnostics::{Code, Report};
use crate::index::{ByName, TextMap, TextSet};
use crate::level::Level;
use crate::limits::Limits;
use crate::model::*;
use crate::notes::{NoteOn, NoteWords};
use crate::source::{Format, Sources, Span};
use budget::Spent;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use value_lists::ValueLists;

/// What can be declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Variable,
    Action,
    Goal,
    Capability,
    Npc,
    Test,
    Check,
    OrderPreference,
}

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Kind::Variable => "variables",
            Kind::Action => "actions",
            Kind::Goal => "goals",
            Kind::Capability => "capabilities",
            Kind::Npc => "NPC types",
            Kind::Test => "tests",
            Kind::Check => "context checks",
            Kind::OrderPreference => "wishes",
        }
    }
}

/// A former name, which must not be a present one.
struct FormerName {
    of: Kind,
    /// Position of its owner in the model, and of the name among the owner's.
    owner: u32,
    nth: u32,
    span: Span,
}

/// A name for a list of actions, gone once NPC types have been read.
#[derive(Default)]
struct Capability {
    members: Vec<ActionId>,
    span: Span,
    /// Whether an NPC type has it.
    used: bool,
}

/// Collects declarations, checks them, and gives the model.
#[derive(Default)]
pub(crate) struct ModelBuilder {
    pub(crate) limits: Limits,
    pub(crate) report: Report,
    /// Whose words cures are given in.
    format: Format,
    spent: Spent,
    pub(crate) model: Model,
    /// Actions and goals by the bare name of their template.
    templates: ByName<Vec<ActionId>>,
    goal_templates: ByName<Vec<GoalId>>,
    /// Variables by the bare name of their template.
    variable_templates: ByName<Vec<VariableId>>,
    /// What there is in the level.
    pub(crate) level: Level,
    /// Who takes what is needed.
    needs: needs::Needs,
    /// What the level lists and actions say `needs` of.
    needed_members: TextSet<String>,
    /// The checks that notes answer.
    declared_checks: TextSet<String>,
    capabilities: ByName<Capability>,
    value_lists: ValueLists,
    /// Of each check, where it is asked for first and in how many places.
    check_uses: Vec<(Span, usize)>,
    tests: TextMap<String, Span>,
    /// To be resolved when all actions are there.
    overrides: Vec<(ActionId, Rc<[Reference<'static>]>)>,
    former_names: Vec<FormerName>,
    /// Amounts that are compared with amounts, and by whom.
    compared: BTreeMap<counted::Comparer, Vec<(Comparison, Span)>>,
    /// Where the first clause of each kind that is a note is among the notes.
    clauses: TextMap<(NoteOn, &'static str), usize>,
    /// Variables whose values a parameter takes: they have a use even if nothing asks for them.
    pub(crate) of_parameters: HashSet<VariableId>,
    /// What could not be read, so that what depends on it is not reported.
    pub(crate) missing: Missing,
    /// Names that a statement with a mistake would have declared.
    broken: TextSet<String>,
}

impl ModelBuilder {
    pub(crate) fn new(
        limits: &Limits,
        report: Report,
        format: Format,
        note_words: &[&'static NoteWords],
    ) -> Self {
        let model = Model { note_words: note_words.to_vec(), ..Model::default() };
        ModelBuilder { limits: *limits, report, format, model, ..ModelBuilder::default() }
    }

    /// Names the domain.
    pub(crate) fn set_name(&mut self, name: &str, span: Span) {
        if self.name_fits(name, span) {
            self.model.name = name.to_string();
        }
    }

    /// Gives the model, if there were no errors, and the report.
    pub(crate) fn finish(mut self, sources: &Sources) -> (Option<Model>, Report) {
        self.resolve_overrides();
        self.add_implicit_npc();
        self.count_compiled_tables();
        self.judge_comparisons();
        self.judge_check_names();
        if !self.report.has_errors() {
            self.lint();
        }
        self.report.sort();
        if self.report.has_errors() {
            return (None, self.report);
        }
        self.model.index_former_names();
        Arc::make_mut(&mut self.model.notes).sort_by_key(|note| note.span);
        self.order_selects_in_notes();
        self.model.sources = sources.clone();
        (Some(self.model), self.report)
    }

    fn resolve_overrides(&mut self) {
        let pending = std::mem::take(&mut self.overrides);
        let mut last: Option<(Rc<[Reference<'static>]>, Vec<ActionId>)> = None;
        for (action, references) in pending {
            // Actions of one template share their references: resolve them once.
            let known = last.as_ref().is_some_and(|(seen, _)| Rc::ptr_eq(seen, &references));
            if !known {
                let targets = self.action_list(&references, false);
                last = Some((references, targets));
            }
            let Some((references, targets)) = &last else { continue };
            let span = references.first().map_or(Span::default(), |first| first.span);
            if !self.spend(references.len() + targets.len(), span) {
                return;
            }
            let name = &self.model[action].name;
            if let Some(itself) = references.iter().find(|reference| *reference.name == **name) {
                let text = format!("`{name}` overrides itself");
                let cure = "name the action that should not be there while this one is enabled";
                self.report.say(Code::OverridesItself, itself.span, text, cure);
                continue;
            }
            let others: Vec<ActionId> =
                targets.iter().copied().filter(|&target| target != action).collect();
            if !others.is_empty() {
                let actions = Arc::make_mut(&mut self.model.actions);
                actions[action.index()].more_mut().overrides = others;
            }
        }
    }

    /// Compiling writes tables per NPC type; what they will hold is counted here, where there
    /// is a place to report it.
    fn count_compiled_tables(&mut self) {
        let mut last_touched = vec![usize::MAX; self.model.variables.len()];
        for npc in 0..self.model.npcs.len() {
            let mut count = 0usize;
            for action in &self.model.npcs[npc].can {
                let action = &self.model[*action];
                count += 1 + action.checks().len() + action.overrides().len();
                count += action.kinds().iter().map(|kind| 2 + kind.checks.len()).sum::<usize>();
                let asked = action.conditions();
                let named = asked.variables().chain(action.changed());
                for variable in named.map(|variable| variable.index()) {
                    let first = std::mem::replace(&mut last_touched[variable], npc) != npc;
                    let values = self.model.variables[variable].values.len();
                    count += if first { 2 + values } else { 2 };
                }
            }
            let preferences = self.model.preferences.iter();
            count += preferences
                .map(|preference| preference.before.len() + preference.after.len())
                .sum::<usize>();
            if !self.spend(count, self.model.npcs[npc].span) {
                return;
            }
        }
    }

    /// A domain without `npc` has one NPC type that can do everything.
    fn add_implicit_npc(&mut self) {
        if self.model.npcs.is_empty() {
            let can: Vec<ActionId> = (0..self.model.actions.len()).map(ActionId::at).collect();
            let starts = self.starts_of_lacks(&[], &can);
            self.model.add_npc(NpcType {
                name: self.model.name.clone(),
                implicit: true,
                can,
                wants: (0..self.model.goals.len()).map(GoalId::at).collect(),
                starts,
                was: Vec::new(),
                span: Span::default(),
            });
        }
    }
}
