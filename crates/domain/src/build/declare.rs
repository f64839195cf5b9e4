//! Declarations of variables, actions and goals.

use super::{FormerName, Kind, ModelBuilder, Reference};
use crate::diagnostics::Code;
use crate::model::*;
use crate::names;
use crate::number::Cost;
use crate::source::Span;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Up to this many values a scan beats a hash table.
const SCANNED: usize = 16;

/// A name takes about as much memory as so many conditions, and is counted like them.
pub(super) const ENTRIES_OF_A_NAME: usize = 16;

/// A variable as a reader found it.
pub(crate) struct VariableDraft {
    pub(crate) name: String,
    pub(crate) values: Vec<(String, Span)>,
    pub(crate) shared: bool,
    pub(crate) was: Vec<Reference>,
    pub(crate) span: Span,
}

/// A ground action as a reader found it.
pub(crate) struct ActionDraft {
    pub(crate) name: String,
    pub(crate) requires: Vec<(Fact, Span)>,
    pub(crate) sets: Vec<(Fact, Span)>,
    pub(crate) checks: Vec<CheckUse>,
    pub(crate) overrides: Rc<[Reference]>,
    pub(crate) cost: Cost,
    /// Of a compound, what it consists of.
    pub(crate) parts: Vec<ActionId>,
    pub(crate) kinds: Arc<[ActionKind]>,
    pub(crate) was: Vec<Reference>,
    /// Whether it is judged alone; if not, its reader judges the statement that it is one of.
    pub(crate) is_alone: bool,
    pub(crate) span: Span,
}

/// A ground goal as a reader found it.
pub(crate) struct GoalDraft {
    pub(crate) name: String,
    pub(crate) wants: Vec<(Fact, Span)>,
    /// The name it is an alternative of.
    pub(crate) serves: Option<Reference>,
    pub(crate) priority: Cost,
    pub(crate) was: Vec<Reference>,
    pub(crate) span: Span,
}

/// Two values asked of one variable at once.
pub(crate) struct Clash {
    pub(crate) variable: VariableId,
    pub(crate) first: (ValueId, Span),
    pub(crate) second: (ValueId, Span),
}

/// Sorts facts by variable and drops repetitions; two values of one variable clash.
pub(crate) fn one_value_each(facts: &mut Vec<(Fact, Span)>) -> Result<(), Clash> {
    facts.sort_by_key(|&(fact, span)| (fact.variable, span));
    facts.dedup_by_key(|&mut (fact, _)| fact);
    match facts.windows(2).find(|pair| pair[0].0.variable == pair[1].0.variable) {
        None => Ok(()),
        Some(pair) => Err(Clash {
            variable: pair[0].0.variable,
            first: (pair[0].0.value, pair[0].1),
            second: (pair[1].0.value, pair[1].1),
        }),
    }
}

/// The facts without their places.
pub(crate) fn bare(facts: &[(Fact, Span)]) -> Vec<Fact> {
    facts.iter().map(|&(fact, _)| fact).collect()
}

impl ModelBuilder<'_> {
    pub(crate) fn declare_variable(&mut self, draft: VariableDraft) {
        let (count, limit) = (self.model.variables.len(), self.limits.variables);
        if !self.within(count, limit, Code::TooManyVariables, draft.span, "variables")
            || !self.name_fits(&draft.name, draft.span)
        {
            self.add_broken(&draft.name);
            return;
        }
        if let Some(&first) = self.variables.get(&draft.name) {
            let first = self.model.variables[first.index()].span;
            self.declared_twice(Code::VariableTwice, "variable", &draft.name, draft.span, first);
            return;
        }
        if draft.values.is_empty() {
            let cure = self.words("`var lamp: off, on`", "`\"values\": [\"off\", \"on\"]`");
            self.report.say(
                Code::NoValues,
                draft.span,
                format!("variable `{}` has no value", draft.name),
                format!("give it at least two, as in {cure}"),
            );
            self.add_broken(&draft.name);
            return;
        }
        let id = VariableId::at(count);
        let n_names = draft.values.len() + draft.was.len();
        let values = match self.spend(1 + ENTRIES_OF_A_NAME * n_names, draft.span) {
            true => self.distinct_values(id, &draft),
            false => None,
        };
        let Some(values) = values else {
            self.add_broken(&draft.name);
            return;
        };
        let was = self.former_names(Kind::Variable, count, &draft.was);
        self.variables.insert(draft.name.clone(), id);
        self.model.variables.push(Variable {
            name: draft.name,
            values,
            shared: draft.shared,
            was,
            span: draft.span,
        });
    }

    /// The values, each once; `None`, with a report, if some cannot be taken in.
    fn distinct_values(&mut self, id: VariableId, draft: &VariableDraft) -> Option<Vec<String>> {
        if draft.values.len() > self.limits.values {
            let limit = self.limits.values;
            let what = format!("values of `{}`", draft.name);
            self.within(draft.values.len(), limit, Code::TooManyValues, draft.span, &what);
            return None;
        }
        if !draft.values.iter().fold(true, |fit, (name, span)| self.name_fits(name, *span) && fit) {
            return None;
        }
        let mut index: HashMap<String, ValueId> = HashMap::with_capacity(draft.values.len());
        let mut values = Vec::with_capacity(draft.values.len());
        for (value, span) in &draft.values {
            if let Some(first) = index.insert(value.clone(), ValueId::at(values.len())) {
                self.report.say_twice(
                    Code::ValueTwice,
                    *span,
                    draft.values[first.index()].1,
                    format!("`{}` has the value `{value}` twice", draft.name),
                    "remove one, or rename it".to_string(),
                );
                index.insert(value.clone(), first);
                continue;
            }
            values.push(value.clone());
        }
        if values.len() > SCANNED {
            self.values.insert(id, index);
        }
        Some(values)
    }

    /// Takes an action in. `Err` gives back contradictory requirements or settings, which are
    /// a mistake in a plain action and a gap in a template.
    pub(crate) fn declare_action(&mut self, mut draft: ActionDraft) -> Result<(), (Code, Clash)> {
        let (count, limit) = (self.model.actions.len(), self.limits.actions);
        if !self.within(count, limit, Code::TooManyActions, draft.span, "actions")
            || !self.name_fits(&draft.name, draft.span)
        {
            self.add_broken(&draft.name);
            return Ok(());
        }
        one_value_each(&mut draft.requires).map_err(|clash| (Code::RequiresTwoValues, clash))?;
        one_value_each(&mut draft.sets).map_err(|clash| (Code::SetsTwoValues, clash))?;
        if !self.action_name_is_free(&draft) {
            return Ok(());
        }
        let facts = draft.requires.len() + draft.sets.len();
        let was = ENTRIES_OF_A_NAME * draft.was.len();
        if !self.spend(1 + facts + draft.checks.len() + was, draft.span) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        let sets = self.real_changes(&draft);
        let id = ActionId::at(count);
        self.actions.insert(draft.name.clone(), id);
        if let Some(base) = names::template_of(&draft.name) {
            self.templates.add(base, id);
        }
        if !draft.overrides.is_empty() {
            self.overrides.push((id, draft.overrides));
        }
        let was = self.former_names(Kind::Action, count, &draft.was);
        self.model.actions.push(Action {
            name: draft.name,
            requires: bare(&draft.requires),
            sets,
            checks: draft.checks,
            overrides: Vec::new(),
            cost: draft.cost,
            parts: draft.parts,
            kinds: draft.kinds,
            was,
            span: draft.span,
        });
        Ok(())
    }

    fn action_name_is_free(&mut self, draft: &ActionDraft) -> bool {
        let same = self.actions.get(&draft.name).copied();
        let base = names::template_of(&draft.name);
        // `go` beside `go(pipe)`: the bare name would mean two things.
        let plain = base.and_then(|base| self.actions.get(base).copied());
        let template = self.templates.get(&draft.name).and_then(|members| members.first().copied());
        let Some(first) = same.or(plain).or(template) else { return true };
        let first = self.model.actions[first.index()].span;
        let name = base.unwrap_or(&draft.name);
        self.declared_twice(Code::ActionTwice, "action", name, draft.span, first);
        false
    }

    /// What the action sets beyond what it requires, warning where that is less than written.
    fn real_changes(&mut self, draft: &ActionDraft) -> Vec<Fact> {
        let mut sets = Vec::with_capacity(draft.sets.len());
        for &(fact, span) in &draft.sets {
            let required =
                draft.requires.binary_search_by_key(&fact.variable, |&(f, _)| f.variable);
            if !required.is_ok_and(|at| draft.requires[at].0 == fact) {
                sets.push(fact);
            } else if draft.is_alone {
                let (variable, value) = self.model.fact_names(fact);
                let names = (variable.to_string(), value.to_string());
                self.warn_sets_what_it_requires(&draft.name, (&names.0, &names.1), span);
            }
        }
        sets
    }

    /// Warns that an action sets a value that it requires.
    pub(crate) fn warn_sets_what_it_requires(
        &mut self,
        name: &str,
        (variable, value): (&str, &str),
        span: Span,
    ) {
        let text = format!("`{name}` sets `{variable} = {value}`, which it requires");
        let cure = self.words(
            format!("if it only has to hold, write `while {variable} = {value}`"),
            "if it only has to hold, remove it from `sets`".to_string(),
        );
        self.report.say(Code::SetsWhatItRequires, span, text, cure);
    }

    pub(crate) fn declare_goal(&mut self, mut draft: GoalDraft) -> Result<(), (Code, Clash)> {
        let (count, limit) = (self.model.goals.len(), self.limits.declarations);
        if !self.within(count, limit, Code::TooManyDeclarations, draft.span, "goals")
            || !self.name_fits(&draft.name, draft.span)
        {
            self.add_broken(&draft.name);
            return Ok(());
        }
        one_value_each(&mut draft.wants).map_err(|clash| (Code::WantsTwoValues, clash))?;
        let serves = draft.serves.as_ref().map(|serves| serves.name.as_str());
        let of_the_name = serves.and_then(|serves| self.goals.get(serves)).copied();
        let served = self.goal_groups.get(&draft.name).and_then(|group| group.first().copied());
        let same = self.goals.get(&draft.name).copied();
        if let Some(first) = same.or(served).or(of_the_name) {
            let first = self.model.goals[first.index()].span;
            self.declared_twice(Code::GoalTwice, "goal", &draft.name, draft.span, first);
            return Ok(());
        }
        let fits = |word: &Reference| self.name_fits(&word.name, word.span);
        if !draft.serves.as_ref().is_none_or(fits) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        if draft.wants.is_empty() {
            self.report.say(
                Code::EmptyGoal,
                draft.span,
                format!("goal `{}` wants nothing, so it is always satisfied", draft.name),
                self.words(
                    "say what should hold, as in `goal lit: lamp = on`",
                    "say what should hold, as in `\"wants\": {\"lamp\": \"on\"}`",
                ),
            );
        }
        let n_names = draft.was.len() + usize::from(draft.serves.is_some());
        if !self.spend(1 + draft.wants.len() + ENTRIES_OF_A_NAME * n_names, draft.span) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        let id = GoalId::at(count);
        self.goals.insert(draft.name.clone(), id);
        if let Some(base) = names::template_of(&draft.name) {
            self.goal_templates.add(base, id);
        }
        if let Some(serves) = &draft.serves {
            self.goal_groups.add(&serves.name, id);
        }
        let was = self.former_names(Kind::Goal, count, &draft.was);
        self.model.goals.push(Goal {
            name: draft.name,
            wants: bare(&draft.wants),
            serves: draft.serves.map(|serves| serves.name),
            priority: draft.priority,
            was,
            span: draft.span,
        });
        Ok(())
    }

    /// Reports a clash of two values as the mistake it is.
    pub(crate) fn report_clash(&mut self, (code, clash): (Code, Clash), name: &str) {
        let word = match code {
            Code::SetsTwoValues => "sets",
            Code::RequiresTwoValues => "requires",
            Code::StartsTwice => "starts with",
            _ => "wants",
        };
        let (variable, first, second) = self.clash_names(&clash);
        let text =
            format!("`{name}` {word} both `{variable} = {first}` and `{variable} = {second}`");
        let cure = format!("`{variable}` has one value at a time: keep one of the two");
        self.report.add(crate::diagnostics::Diagnostic {
            code,
            span: clash.second.1,
            text,
            cure,
            also: Some((clash.first.1, "the other value is here")),
        });
    }

    fn clash_names(&self, clash: &Clash) -> (String, String, String) {
        let variable = &self.model.variables[clash.variable.index()];
        let value = |id: ValueId| variable.values[id.index()].clone();
        (variable.name.clone(), value(clash.first.0), value(clash.second.0))
    }

    pub(super) fn declared_twice(
        &mut self,
        code: Code,
        what: &str,
        name: &str,
        span: Span,
        first: Span,
    ) {
        self.report.say_twice(
            code,
            span,
            first,
            format!("{what} `{name}` is declared twice"),
            "rename one, or remove it".to_string(),
        );
    }

    /// Whether a name is short enough; reported if not.
    pub(super) fn name_fits(&mut self, name: &str, span: Span) -> bool {
        let limit = self.limits.name_bytes;
        if name.len() <= limit {
            return true;
        }
        self.report.say(
            Code::NameTooLong,
            span,
            format!("a name of {} bytes; at most {limit} are allowed", name.len()),
            "shorten it",
        );
        false
    }

    /// The former names of something, noted for the check against present ones.
    pub(super) fn former_names(
        &mut self,
        of: Kind,
        owner: usize,
        was: &[Reference],
    ) -> Vec<String> {
        // Counts are bounded by `Limits` far below this.
        let clip = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mut names = Vec::with_capacity(was.len());
        for word in was {
            if self.name_fits(&word.name, word.span) {
                let (owner, nth) = (clip(owner), clip(names.len()));
                let former = FormerName { of, owner, nth, span: word.span };
                self.former_names.push(former);
                names.push(word.name.clone());
            }
        }
        names
    }
}
