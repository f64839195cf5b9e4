//! Declarations of who does what: capabilities, NPC types, tests.

use super::counted::{Comparer, Counted};
use super::declare::{ENTRIES_OF_A_NAME, bare};
use super::resolve::some_of;
use super::{
    Capability, Condition, ExpectDraft, Kind, ModelBuilder, NpcDraft, Reference, TestDraft,
    WantsDraft, Word, with_argument,
};
use crate::diagnostics::Code;
use crate::model::*;
use crate::source::Span;
use crate::token::Relation;
use std::borrow::Cow;

/// What facts are named for.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// What a test wants.
    Goal,
    /// How an NPC type or a test starts.
    Start,
    /// Anything else; a reader takes care that the values are exact.
    Fact,
}

impl ModelBuilder {
    pub(crate) fn declare_capability(&mut self, name: &str, members: &[Reference<'_>], span: Span) {
        let count = self.capabilities.iter().len();
        if !self.admits(Kind::Capability, count, name, span) {
            return;
        }
        if let Some(first) = self.capabilities.get(name) {
            let first = first.span;
            self.declared_twice(Code::CapabilityTwice, "capability", name, span, first);
            return;
        }
        let template = self.templates.get(name).and_then(|members| members.first().copied());
        if let Some(action) = self.model.find_action(name).or(template) {
            let first = self.model[action].span;
            let text = format!("`{name}` is an action and a capability");
            let cure = "rename one: `can` takes both, so their names must differ";
            self.report.say_twice(Code::CapabilityIsAction, span, first, text, cure);
            return;
        }
        let members = self.action_list(members, false);
        *self.capabilities.entry(name) = Capability { members, span, used: false };
    }

    /// Whether the lists of an NPC type name single actions and goals that are there: what is
    /// declared later adds nothing to them.
    pub(crate) fn lists_single_things(&self, draft: &NpcDraft<'_>) -> bool {
        let is_action = |it: &Reference<'_>| self.model.find_action(&it.name).is_some();
        let is_goal = |it: &Reference<'_>| self.model.find_goal(&it.name).is_some();
        draft.can.iter().all(is_action) && draft.wants.iter().all(is_goal)
    }

    pub(crate) fn declare_npc(&mut self, draft: &NpcDraft<'_>) {
        let (count, Word { text: name, span }) = (self.model.npcs.len(), draft.name);
        let starts = self.facts(&draft.starts, Role::Start);
        if !self.admits(Kind::Npc, count, name, span) {
            return;
        }
        if let Some(first) = self.model.find_npc(name) {
            let first = self.model[first].span;
            self.declared_twice(Code::NpcTwice, "NPC type", name, span, first);
            return;
        }
        let can = self.action_list(&draft.can, true);
        for word in &draft.can {
            if self.capabilities.get(&word.name).is_some() {
                self.capabilities.entry(&word.name).used = true;
            }
        }
        let wants = self.goal_list(&draft.wants);
        let mut starts = self.one_value_each(Code::StartsTwice, starts.unwrap_or_default(), name);
        starts.extend(self.starts_of_lacks(&starts, &can));
        starts.sort_unstable();
        self.spend(1 + starts.len() + ENTRIES_OF_A_NAME * draft.was.len(), span);
        let was = self.former_names(Kind::Npc, count, &draft.was);
        let name = name.to_string();
        self.model.add_npc(NpcType { name, implicit: false, can, wants, starts, was, span });
    }

    /// The facts that conditions name, each with its place; `None`, with a report, if some cannot
    /// be found or are not exact.
    pub(crate) fn facts(
        &mut self,
        conditions: &[Condition<'_>],
        role: Role,
    ) -> Option<Vec<(Fact, Span)>> {
        let mut facts = Vec::with_capacity(conditions.len());
        for Condition { variable, argument, relation, value, span } in conditions {
            if *relation == Relation::Is {
                let name = with_argument(variable.text, argument.map(|word| word.text));
                let fact = self.find_fact(Word { text: &name, ..*variable }, *value);
                facts.extend(fact.map(|fact| (fact, *span)));
                continue;
            }
            let (who, cure) = match role {
                Role::Goal => ("`to` wants", "; if several values will do, declare a `goal`"),
                Role::Start | Role::Fact => ("a start is", ""),
            };
            // `>= 2` can be written as `= 2`; `< 2` cannot.
            let reaches = matches!(relation, Relation::AtMost | Relation::AtLeast);
            let value = if reaches { value.text } else { "…" };
            let text = format!("{who} one exact value, so only `=` can stand here");
            let cure = format!("name the value: `{} = {value}`{cure}", variable.text);
            self.report.say(Code::NeedsExactValue, *span, text, cure);
        }
        (facts.len() == conditions.len()).then_some(facts)
    }

    /// Takes a test in; `wanted` is what it wants, if that could be read.
    pub(crate) fn declare_test(&mut self, draft: &TestDraft<'_>, wanted: Option<WantsDraft>) {
        let Word { text: name, span } = draft.name;
        let from = self.facts(&draft.from, Role::Start);
        if !self.admits(Kind::Test, self.model.tests.len(), name, span) {
            return;
        }
        if let Some(&first) = self.tests.get(name) {
            self.declared_twice(Code::TestTwice, "test", name, span, first);
            return;
        }
        self.tests.insert(name.to_string(), span);
        if draft.expects.is_empty() && draft.complete {
            let example = self.format.words(
                "`expect length 7` or `expect impossible`",
                "`\"expect\": [{\"length\": 7}]`",
            );
            let text = format!("test `{name}` expects nothing, so it cannot fail");
            let cure = format!("add what must come out, as in {example}");
            self.report.say(Code::ExpectsNothing, span, text, cure);
        }
        let npc = self.npc_of_test(draft);
        let from = self.one_value_each(Code::StartsTwice, from.unwrap_or_default(), name);
        let ask = self.ask_of_test(draft, npc, wanted);
        let context = self.context_of_test(draft);
        let expects = self.expects_of_test(&draft.expects);
        self.spend(from.len(), span);
        if let (Some(npc), Some(ask)) = (npc, ask) {
            let name = name.to_string();
            push(&mut self.model.tests, Test { name, npc, from, ask, context, expects, span });
        }
    }

    fn ask_of_test(
        &mut self,
        draft: &TestDraft<'_>,
        npc: Option<NpcTypeId>,
        wanted: Option<WantsDraft>,
    ) -> Option<Target> {
        let name = draft.name.text;
        match (&draft.goal, &draft.to) {
            (Some(goal), Some(to)) => {
                let text = format!("test `{name}` has both `goal` and `to`");
                let cure = "keep one: `goal` names a goal, `to` gives values";
                let also = (goal.span, "the goal is here");
                self.report.say_also(Code::GoalAndTo, *to, also, text, cure);
                None
            }
            (Some(goal), None) => self.find_goal(goal),
            (None, Some(span_of_to)) => {
                let wants = self.wants(wanted?, npc?, name)?;
                self.spend(wants.conditions().len(), *span_of_to);
                Some(Target::Conditions(wants))
            }
            (None, None) => Some(Target::Best),
        }
    }

    /// What a test wants, in form; reported if it cannot be.
    fn wants(&mut self, draft: WantsDraft, npc: NpcTypeId, name: &str) -> Option<Wants> {
        let WantsDraft { facts, ranges, comparisons } = draft;
        self.add_compared(Comparer::Test(npc), &comparisons);
        let counted = Counted { requires: facts, ranges, comparisons, ..Counted::default() };
        match self.settle(Code::WantsTwoValues, counted) {
            Ok(it) => Some(Wants {
                facts: bare(&it.requires),
                ranges: it.ranges,
                comparisons: it.comparisons,
            }),
            Err(clash) => {
                self.report_clash(clash, name);
                None
            }
        }
    }

    fn context_of_test(&mut self, draft: &TestDraft<'_>) -> TestContext {
        match (&draft.without, &draft.only) {
            (Some((_, without)), Some((_, only))) => {
                let text = format!("test `{}` has both `without` and `only`", draft.name.text);
                let cure = "keep one: `without` names the checks that fail, `only` those that hold";
                let also = (*without, "`without` is here");
                self.report.say_also(Code::WithoutAndOnly, *only, also, text, cure);
                TestContext::Without(Vec::new())
            }
            (None, Some((words, _))) => TestContext::Only(self.checks_of_test(words)),
            (Some((words, _)), None) => TestContext::Without(self.checks_of_test(words)),
            (None, None) => TestContext::Without(Vec::new()),
        }
    }

    fn expects_of_test(&mut self, drafts: &[(ExpectDraft<'_>, Span)]) -> Vec<(Expect, Span)> {
        let mut expects = Vec::with_capacity(drafts.len());
        for (draft, span) in drafts {
            let mut steps: Cow<'_, [Reference<'_>]> = Cow::default();
            if let ExpectDraft::Plan(list) | ExpectDraft::Never(list) = draft {
                self.spend(list.len(), *span);
                steps = self.present_names(list, Kind::Action);
                steps.iter().for_each(|action| self.expect_action(action));
            }
            let found = match draft {
                ExpectDraft::Length(word) => self.length(*word).map(Expect::Length),
                ExpectDraft::Cost(word) => self.expected_cost(*word).map(Expect::Cost),
                ExpectDraft::Plan(_) => {
                    Some(Expect::Plan(steps.iter().map(|word| word.name.to_string()).collect()))
                }
                ExpectDraft::Impossible => Some(Expect::Impossible),
                ExpectDraft::Satisfied => Some(Expect::Satisfied),
                ExpectDraft::Never(_) => {
                    let each =
                        steps.iter().map(|word| (Expect::Never(word.name.to_string()), *span));
                    expects.extend(each);
                    None
                }
            };
            expects.extend(found.map(|expect| (expect, *span)));
        }
        expects
    }

    fn npc_of_test(&mut self, draft: &TestDraft<'_>) -> Option<NpcTypeId> {
        match draft.npc {
            Some(word) => self.find_npc(word.text, word.span),
            // Without `npc` statements there is one implicit NPC; with one, it is meant.
            None if self.model.npcs.len() <= 1 => Some(NpcTypeId(0)),
            None => {
                let names = self.model.npcs.iter().map(NpcType::name);
                let (name, first) = (draft.name.text, names.clone().next().unwrap_or("…"));
                let example = self
                    .format
                    .words(format!("`test {name}: {first}`"), format!("`\"npc\": \"{first}\"`"));
                let text = format!("test `{name}` does not say which NPC type it tests");
                let cure =
                    format!("write {example}; the NPC types of this domain: {}", some_of(names));
                self.report.say(Code::TestNamesNobody, draft.name.span, text, cure);
                None
            }
        }
    }

    fn checks_of_test(&mut self, words: &[Reference<'_>]) -> Vec<CheckId> {
        let mut checks: Vec<_> = words.iter().filter_map(|word| self.find_check(word)).collect();
        checks.sort_unstable();
        checks.dedup();
        checks
    }
}
