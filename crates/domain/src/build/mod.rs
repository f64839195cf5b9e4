//! The one place that knows what a legal model is.
//!
//! In:   declarations in words, from any reader, in the order: variables, actions, goals,
//!       capabilities, NPC types, tests.
//! Out:  a [`Model`] if nothing was wrong, and the report either way.
//! Cost: a hash lookup per name; everything written out is counted against
//!       [`Limits::entries`] before it is stored.
//!
//! Readers differ in syntax only: a mistake reads the same in `.npc` and in JSON because it
//! is found here.

mod declare;
mod lint;
mod resolve;
mod roles;

pub(crate) use declare::{ActionDraft, Clash, GoalDraft, VariableDraft};
pub(crate) use resolve::did_you_mean;
pub(crate) use roles::{AskDraft, ContextDraft, NpcDraft, TestDraft};

use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::model::*;
use crate::source::{Sources, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A name used somewhere: an action, a template, a goal, a capability, a variable.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The name, spelled canonically: `go`, `go(pipe)`.
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// Collects declarations, checks them, and gives the model.
pub(crate) struct ModelBuilder<'l> {
    limits: &'l Limits,
    pub(crate) report: Report,
    model: Model,
    variables: HashMap<String, VariableId>,
    /// Value lookup for variables with many values; the others are scanned.
    values: HashMap<VariableId, HashMap<String, ValueId>>,
    actions: HashMap<String, ActionId>,
    templates: Groups<ActionId>,
    goals: HashMap<String, GoalId>,
    goal_templates: Groups<GoalId>,
    npcs: HashMap<String, NpcId>,
    checks: HashMap<String, CheckId>,
    capabilities: HashMap<String, usize>,
    capability_list: Vec<Capability>,
    tests: HashMap<String, Span>,
    overrides: Vec<(ActionId, Rc<[Reference]>)>,
    /// Names that a statement with a mistake would have declared: their uses are no news.
    broken: HashSet<String>,
    entries: usize,
}

/// Members of templates by their bare name, in declared order of the templates.
struct Groups<T> {
    index: HashMap<String, usize>,
    list: Vec<(String, Vec<T>)>,
}

impl<T: Copy> Groups<T> {
    fn new() -> Self {
        Groups { index: HashMap::new(), list: Vec::new() }
    }

    fn add(&mut self, base: &str, member: T) {
        let at = match self.index.get(base) {
            Some(&at) => at,
            None => {
                self.index.insert(base.to_string(), self.list.len());
                self.list.push((base.to_string(), Vec::new()));
                self.list.len() - 1
            }
        };
        self.list[at].1.push(member);
    }

    fn get(&self, base: &str) -> Option<&[T]> {
        self.index.get(base).map(|&at| &self.list[at].1[..])
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }
}

struct Capability {
    name: String,
    members: Vec<ActionId>,
    span: Span,
    used: bool,
}

impl<'l> ModelBuilder<'l> {
    pub(crate) fn new(limits: &'l Limits, report: Report) -> Self {
        ModelBuilder {
            limits,
            report,
            model: Model::default(),
            variables: HashMap::new(),
            values: HashMap::new(),
            actions: HashMap::new(),
            templates: Groups::new(),
            goals: HashMap::new(),
            goal_templates: Groups::new(),
            npcs: HashMap::new(),
            checks: HashMap::new(),
            capabilities: HashMap::new(),
            capability_list: Vec::new(),
            tests: HashMap::new(),
            overrides: Vec::new(),
            broken: HashSet::new(),
            entries: 0,
        }
    }

    /// Names the domain.
    pub(crate) fn set_name(&mut self, name: &str) {
        self.model.name = name.to_string();
    }

    /// Remembers a name whose declaration had a mistake.
    pub(crate) fn add_broken(&mut self, name: &str) {
        self.broken.insert(name.to_string());
    }

    pub(crate) fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Counts `count` more written-out things; `false`, with a report, beyond the limit.
    pub(crate) fn spend(&mut self, count: usize, span: Span) -> bool {
        self.entries = self.entries.saturating_add(count);
        if self.entries <= self.limits.entries {
            return true;
        }
        self.report.say(
            Code::TooMuchInTotal,
            span,
            format!("written out, the domain has more than {} entries here", self.limits.entries),
            "use fewer or smaller templates, lists and NPC types, or split the domain",
        );
        false
    }

    /// Checks a count against a limit, reporting once past it.
    fn within(&mut self, count: usize, limit: usize, code: Code, span: Span, what: &str) -> bool {
        if count < limit {
            return true;
        }
        self.report.say(
            code,
            span,
            format!("more than {limit} {what}"),
            "split the domain, or raise the limit where it is loaded if you trust the text",
        );
        false
    }

    /// Gives the model, if there were no errors, and the report.
    pub(crate) fn finish(mut self, sources: &Sources) -> (Option<Model>, Report) {
        self.resolve_overrides();
        self.add_implicit_npc();
        self.count_compiled_tables();
        if !self.report.has_errors() {
            self.lint();
        }
        self.report.sort();
        self.model.sources = sources.clone();
        let usable = !self.report.has_errors();
        (usable.then_some(self.model), self.report)
    }

    fn resolve_overrides(&mut self) {
        let pending = std::mem::take(&mut self.overrides);
        let mut last: Option<(Rc<[Reference]>, Vec<ActionId>)> = None;
        for (action, references) in pending {
            // Actions of one template share their references: resolve them once.
            let known = last.as_ref().is_some_and(|(seen, _)| Rc::ptr_eq(seen, &references));
            if !known {
                let targets = self.action_list(&references, false);
                last = Some((references, targets));
            }
            let Some((references, targets)) = &last else { continue };
            let span = references.first().map_or(Span::default(), |first| first.span);
            if targets.contains(&action) && references.iter().any(|r| self.names_one(r, action)) {
                self.report.say(
                    Code::OverridesItself,
                    span,
                    format!("`{}` overrides itself", self.model.actions[action.index()].name),
                    "name the action that should not be there while this one is enabled",
                );
                continue;
            }
            let targets: Vec<ActionId> = targets.iter().copied().filter(|&t| t != action).collect();
            if self.spend(targets.len(), span) {
                self.model.actions[action.index()].overrides = targets;
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
                let action = &self.model.actions[action.index()];
                count += 1 + action.checks.len() + action.overrides.len();
                for fact in action.requires.iter().chain(&action.sets) {
                    let variable = fact.variable.index();
                    let first = std::mem::replace(&mut last_touched[variable], npc) != npc;
                    let values = self.model.variables[variable].values.len();
                    count += if first { 2 + values } else { 2 };
                }
            }
            if !self.spend(count, self.model.npcs[npc].span) {
                return;
            }
        }
    }

    /// A domain without `npc` has one NPC that can do everything.
    fn add_implicit_npc(&mut self) {
        if !self.model.npcs.is_empty() {
            return;
        }
        self.model.npcs.push(Npc {
            name: self.model.name.clone(),
            implicit: true,
            can: (0..self.model.actions.len()).map(ActionId::at).collect(),
            wants: (0..self.model.goals.len()).map(GoalId::at).collect(),
            starts: Vec::new(),
            was: Vec::new(),
            span: Span::default(),
        });
    }
}
