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

mod check_names;
mod compound;
mod declare;
mod lint;
mod notes;
mod resolve;
mod roles;

pub(crate) use compound::{CompoundDraft, least_cost};
pub(crate) use declare::{ActionDraft, Clash, GoalDraft, VariableDraft};
pub(crate) use notes::NoteOwners;
pub(crate) use roles::{AskDraft, ContextDraft, NpcDraft, TestDraft};

use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::model::*;
use crate::names;
use crate::notes::{NoteOn, NoteWords};
use crate::source::{Format, Sources, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A name used somewhere: an action, a template, a goal, a capability, a variable.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The name, spelled canonically: `go`, `go(pipe)`.
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// What cannot be judged because a part of the text could not be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unknown {
    /// A file is missing: any name may be declared in it.
    pub(crate) names: bool,
    /// An action is missing: any check may be asked for by it.
    pub(crate) checks: bool,
}

/// A former name, which must not be a present one.
struct FormerName {
    of: Kind,
    /// Position of its owner in the model, and of the name among the owner's.
    owner: u32,
    nth: u32,
    span: Span,
}

/// What has former names.
#[derive(Clone, Copy)]
enum Kind {
    Variable,
    Action,
    Goal,
    Npc,
}

/// Collects declarations, checks them, and gives the model.
pub(crate) struct ModelBuilder<'l> {
    limits: &'l Limits,
    /// Whose words cures are given in.
    format: Format,
    pub(crate) report: Report,
    model: Model,
    variables: HashMap<String, VariableId>,
    /// Value lookup for variables with many values; the others are scanned.
    values: HashMap<VariableId, HashMap<String, ValueId>>,
    actions: HashMap<String, ActionId>,
    templates: Groups<ActionId>,
    goals: HashMap<String, GoalId>,
    goal_templates: Groups<GoalId>,
    /// Alternatives by the name that they serve.
    goal_groups: Groups<GoalId>,
    npcs: HashMap<String, NpcTypeId>,
    checks: HashMap<String, CheckId>,
    /// Of each check, where it is asked for first and in how many places.
    check_uses: Vec<(Span, usize)>,
    capabilities: HashMap<String, usize>,
    capability_list: Vec<Capability>,
    tests: HashMap<String, Span>,
    overrides: Vec<(ActionId, Rc<[Reference]>)>,
    former_names: Vec<FormerName>,
    /// Which of the model's notes is the clause of this owner and keyword.
    clause_notes: HashMap<(NoteOn, &'static str), usize>,
    /// Names that a statement with a mistake would have declared: their uses are no news.
    broken: HashSet<String>,
    unknown: Unknown,
    entries: usize,
    /// The limits that were passed: each is said once.
    passed: HashSet<(Code, String)>,
    full: bool,
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
    pub(crate) fn new(
        limits: &'l Limits,
        report: Report,
        format: Format,
        note_words: &[&'static NoteWords],
    ) -> Self {
        ModelBuilder {
            limits,
            format,
            report,
            model: Model { note_words: note_words.to_vec(), ..Model::default() },
            variables: HashMap::new(),
            values: HashMap::new(),
            actions: HashMap::new(),
            templates: Groups::new(),
            goals: HashMap::new(),
            goal_templates: Groups::new(),
            goal_groups: Groups::new(),
            npcs: HashMap::new(),
            checks: HashMap::new(),
            check_uses: Vec::new(),
            capabilities: HashMap::new(),
            capability_list: Vec::new(),
            tests: HashMap::new(),
            overrides: Vec::new(),
            former_names: Vec::new(),
            clause_notes: HashMap::new(),
            broken: HashSet::new(),
            unknown: Unknown::default(),
            entries: 0,
            passed: HashSet::new(),
            full: false,
        }
    }

    /// Names the domain.
    pub(crate) fn set_name(&mut self, name: &str, span: Span) {
        if self.name_fits(name, span) {
            self.model.name = name.to_string();
        }
    }

    /// Remembers a name whose declaration had a mistake; of an action of a template, the
    /// template.
    pub(crate) fn add_broken(&mut self, name: &str) {
        let name = names::template_of(name).unwrap_or(name);
        if !self.broken.contains(name) {
            self.broken.insert(name.to_string());
        }
    }

    /// Says what could not be read, so that what depends on it is not reported.
    pub(crate) fn set_unknown(&mut self, unknown: Unknown) {
        self.unknown = unknown;
    }

    /// Whether a name that is not declared follows from another mistake.
    fn is_no_news(&self, name: &str) -> bool {
        let base = names::template_of(name).unwrap_or(name);
        self.unknown.names || self.broken.contains(name) || self.broken.contains(base)
    }

    /// The words for the format that is read.
    fn words<T>(&self, npc: T, json: T) -> T {
        match self.format {
            Format::Npc => npc,
            Format::Json => json,
        }
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
        self.full = true;
        if self.passed.insert((Code::TooMuchInTotal, String::new())) {
            self.report.say(
                Code::TooMuchInTotal,
                span,
                format!("the domain, written out, has more than {} entries", self.limits.entries),
                "use fewer or smaller templates, lists and NPC types, or split the domain",
            );
        }
        false
    }

    /// Whether a limit was passed, and said to be, so that no template need be written out
    /// any more.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Checks a count against a limit, reporting once past it.
    fn within(&mut self, count: usize, limit: usize, code: Code, span: Span, what: &str) -> bool {
        if count < limit {
            return true;
        }
        self.full |= matches!(code, Code::TooManyActions | Code::TooManyDeclarations);
        if self.passed.insert((code, what.to_string())) {
            self.report.say(
                code,
                span,
                format!("too many {what}: the limit is {limit}"),
                "split the domain, or raise the limit where it is loaded if you trust the text",
            );
        }
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
        if self.report.has_errors() {
            return (None, self.report);
        }
        self.model.notes.sort_by_key(|note| note.span);
        self.model.sources = sources.clone();
        (Some(self.model), self.report)
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
            if !self.spend(references.len() + targets.len(), span) {
                return;
            }
            let is_itself = |r: &&Reference| self.names_one(r, action);
            if let Some(itself) = references.iter().find(is_itself) {
                self.report.say(
                    Code::OverridesItself,
                    itself.span,
                    format!("`{}` overrides itself", itself.name),
                    "name the action that should not be there while this one is enabled",
                );
                continue;
            }
            let others = targets.iter().copied().filter(|&target| target != action);
            self.model.actions[action.index()].overrides = others.collect();
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
                count += action.kinds.iter().map(|kind| 2 + kind.checks.len()).sum::<usize>();
                for fact in action.requires.iter().chain(&action.sets) {
                    let variable = fact.variable.index();
                    let first = std::mem::replace(&mut last_touched[variable], npc) != npc;
                    let values = self.model.variables[variable].values.len();
                    count += if first { 2 + values } else { 2 };
                }
            }
            let wishes = self.model.wishes.iter();
            count += wishes.map(|wish| wish.before.len() + wish.after.len()).sum::<usize>();
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
        self.model.npcs.push(NpcType {
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
