//! Declarations of who does what: capabilities, NPC types, tests.

use super::declare::{ENTRIES_OF_A_NAME, bare, one_value_each};
use super::resolve::some_of;
use super::{Capability, Kind, ModelBuilder, Reference};
use crate::diagnostics::Code;
use crate::model::*;
use crate::source::Span;

/// An NPC type as a reader found it.
pub(crate) struct NpcDraft {
    pub(crate) name: String,
    pub(crate) can: Vec<Reference>,
    pub(crate) wants: Vec<Reference>,
    pub(crate) starts: Vec<(Fact, Span)>,
    pub(crate) was: Vec<Reference>,
    pub(crate) span: Span,
}

/// What a test asks, in words.
pub(crate) enum AskDraft {
    Best,
    Goal(Reference),
    To(Vec<(Fact, Span)>),
}

/// The checks of a test, in words.
pub(crate) enum ContextDraft {
    Without(Vec<Reference>),
    Only(Vec<Reference>),
}

/// A test as a reader found it.
pub(crate) struct TestDraft {
    pub(crate) name: String,
    pub(crate) npc: Option<Reference>,
    pub(crate) from: Vec<(Fact, Span)>,
    pub(crate) ask: AskDraft,
    pub(crate) context: ContextDraft,
    pub(crate) expects: Vec<(Expect, Span)>,
    /// No expectation was left out because of a mistake in it.
    pub(crate) complete: bool,
    /// The actions that the expectations name.
    pub(crate) actions: Vec<Reference>,
    pub(crate) span: Span,
}

impl ModelBuilder<'_> {
    pub(crate) fn declare_capability(&mut self, name: &str, members: &[Reference], span: Span) {
        let (count, limit) = (self.capability_list.len(), self.limits.declarations);
        if !self.within(count, limit, Code::TooManyDeclarations, span, "capabilities")
            || !self.name_fits(name, span)
        {
            self.add_broken(name);
            return;
        }
        if let Some(&first) = self.capabilities.get(name) {
            let first = self.capability_list[first].span;
            self.declared_twice(Code::CapabilityTwice, "capability", name, span, first);
            return;
        }
        let action = self.actions.get(name).copied();
        let template = self.templates.get(name).and_then(|members| members.first().copied());
        if let Some(action) = action.or(template) {
            self.report.say_twice(
                Code::CapabilityIsAction,
                span,
                self.model.actions[action.index()].span,
                format!("`{name}` is an action and a capability"),
                "rename one: `can` takes both, so their names must differ".to_string(),
            );
            return;
        }
        let members = self.action_list(members, false);
        self.capabilities.insert(name.to_string(), count);
        self.capability_list.push(Capability {
            name: name.to_string(),
            members,
            span,
            used: false,
        });
    }

    pub(crate) fn declare_npc(&mut self, mut draft: NpcDraft) {
        let (count, limit) = (self.model.npcs.len(), self.limits.declarations);
        if !self.within(count, limit, Code::TooManyDeclarations, draft.span, "NPC types")
            || !self.name_fits(&draft.name, draft.span)
        {
            self.add_broken(&draft.name);
            return;
        }
        if let Some(&first) = self.npcs.get(&draft.name) {
            let first = self.model.npcs[first.index()].span;
            self.declared_twice(Code::NpcTwice, "NPC type", &draft.name, draft.span, first);
            return;
        }
        let can = self.action_list(&draft.can, true);
        let wants = self.goal_list(&draft.wants);
        self.one_start_each(&mut draft.starts, &draft.name);
        let was = ENTRIES_OF_A_NAME * draft.was.len();
        self.spend(1 + draft.starts.len() + was, draft.span);
        let was = self.former_names(Kind::Npc, count, &draft.was);
        self.npcs.insert(draft.name.clone(), NpcTypeId::at(count));
        self.model.npcs.push(NpcType {
            name: draft.name,
            implicit: false,
            can,
            wants,
            starts: bare(&draft.starts),
            was,
            span: draft.span,
        });
    }

    /// Reports a variable that is given two values to start from.
    fn one_start_each(&mut self, facts: &mut Vec<(Fact, Span)>, name: &str) {
        if let Err(clash) = one_value_each(facts) {
            self.report_clash((Code::StartsTwice, clash), name);
        }
    }

    pub(crate) fn declare_test(&mut self, mut draft: TestDraft) {
        let (count, limit) = (self.model.tests.len(), self.limits.declarations);
        if !self.within(count, limit, Code::TooManyDeclarations, draft.span, "tests")
            || !self.name_fits(&draft.name, draft.span)
        {
            return;
        }
        if let Some(&first) = self.tests.get(&draft.name) {
            self.declared_twice(Code::TestTwice, "test", &draft.name, draft.span, first);
            return;
        }
        self.tests.insert(draft.name.clone(), draft.span);
        if draft.expects.is_empty() && draft.complete {
            let example = self.words(
                "`expect length 7` or `expect impossible`",
                "`\"expect\": [{\"length\": 7}]`",
            );
            self.report.say(
                Code::ExpectsNothing,
                draft.span,
                format!("test `{}` expects nothing, so it cannot fail", draft.name),
                format!("add what must come out, as in {example}"),
            );
        }
        let npc = self.npc_of_test(&draft);
        self.one_start_each(&mut draft.from, &draft.name);
        let ask = match &mut draft.ask {
            AskDraft::Best => Some(Target::Best),
            AskDraft::Goal(reference) => self.find_goal(reference),
            AskDraft::To(facts) => {
                if let Err(clash) = one_value_each(facts) {
                    self.report_clash((Code::WantsTwoValues, clash), &draft.name);
                }
                Some(Target::Facts(bare(facts)))
            }
        };
        let context = match &draft.context {
            ContextDraft::Without(words) => TestContext::Without(self.checks_of_test(words)),
            ContextDraft::Only(words) => TestContext::Only(self.checks_of_test(words)),
        };
        for reference in &draft.actions {
            self.has_action(reference);
        }
        self.spend(draft.from.len() + draft.actions.len(), draft.span);
        if let (Some(npc), Some(ask)) = (npc, ask) {
            self.model.tests.push(Test {
                name: draft.name,
                npc,
                from: bare(&draft.from),
                ask,
                context,
                expects: draft.expects,
                span: draft.span,
            });
        }
    }

    fn npc_of_test(&mut self, draft: &TestDraft) -> Option<NpcTypeId> {
        match &draft.npc {
            Some(reference) => self.find_npc(&reference.name, reference.span),
            // Without `npc` statements there is one implicit NPC; with one, it is meant.
            None if self.model.npcs.len() <= 1 => Some(NpcTypeId(0)),
            None => {
                let names = self.model.npcs.iter().map(|npc| npc.name.as_str());
                let first = names.clone().next().unwrap_or("…");
                let example = self.words(
                    format!("`test {}: {first}`", draft.name),
                    format!("`\"npc\": \"{first}\"`"),
                );
                self.report.say(
                    Code::TestNamesNobody,
                    draft.span,
                    format!("test `{}` does not say which NPC type it tests", draft.name),
                    format!("write {example}; the NPC types of this domain: {}", some_of(names)),
                );
                None
            }
        }
    }

    fn checks_of_test(&mut self, words: &[Reference]) -> Vec<CheckId> {
        let mut checks: Vec<_> =
            words.iter().filter_map(|word| self.find_check(&word.name, word.span)).collect();
        checks.sort_unstable();
        checks.dedup();
        checks
    }
}
