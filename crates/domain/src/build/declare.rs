//! Declarations of variables, actions and goals.

use super::counted::{Comparer, Counted, MOST_PARTS, Settled};
use super::{FormerName, Kind, ModelBuilder, Reference, Word};
use crate::amounts::MOST_RUNS;
use crate::diagnostics::Code;
use crate::index::{TextMap, TextSet};
use crate::model::*;
use crate::names;
use crate::number::Cost;
use crate::source::{Span, clip};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// A name takes about as much memory as so many conditions, and is counted like them.
pub(super) const ENTRIES_OF_A_NAME: usize = 16;

/// A variable as a reader found it.
pub(crate) struct VariableDraft<'t> {
    pub(crate) name: String,
    pub(crate) values: ValuesDraft<'t>,
    /// Which of the values came as a group.
    pub(crate) groups: Vec<GroupDraft>,
    pub(crate) shared: bool,
    pub(crate) was: Vec<Reference<'t>>,
    pub(crate) span: Span,
}

/// Values of a variable that have a name together: the slots of a select, the members of a sort.
pub(crate) struct GroupDraft {
    pub(crate) name: String,
    /// Their positions.
    pub(crate) of: std::ops::Range<usize>,
}

/// The values of a variable as a reader found them.
pub(crate) enum ValuesDraft<'t> {
    /// Words, each with its place.
    Words(Vec<(Cow<'t, str>, Span)>),
    /// The values of an amount, from one number to another; not more than are allowed.
    Range { low: i64, high: i64 },
}

impl ValuesDraft<'_> {
    fn len(&self) -> usize {
        match self {
            ValuesDraft::Words(words) => words.len(),
            ValuesDraft::Range { low, high } => {
                usize::try_from(high.saturating_sub(*low).saturating_add(1)).unwrap_or(0)
            }
        }
    }
}

/// A ground action as a reader found it.
pub(crate) struct ActionDraft {
    pub(crate) name: String,
    pub(crate) requires: Vec<(Fact, Span)>,
    pub(crate) sets: Vec<(Fact, Span)>,
    /// Sets of values that must hold, what shifts need left out.
    pub(crate) ranges: Vec<(Range, Span)>,
    pub(crate) comparisons: Vec<(Comparison, Span)>,
    pub(crate) shifts: Vec<(Shift, Span)>,
    pub(crate) checks: Vec<CheckUse>,
    /// None, or some.
    pub(crate) overrides: Option<Rc<[Reference<'static>]>>,
    pub(crate) cost: Cost,
    /// Of a compound, what it consists of.
    pub(crate) parts: Vec<ActionId>,
    /// Not an empty list.
    pub(crate) kinds: Option<Arc<[ActionKind]>>,
    /// Which of the actions of its name it is, from 1.
    pub(crate) variant: u32,
    pub(crate) was: Vec<Reference<'static>>,
    /// Whether it is judged alone; if not, its reader judges the statement that it is one of.
    pub(crate) is_alone: bool,
    pub(crate) span: Span,
}

impl ActionDraft {
    fn take_counted(&mut self) -> Counted {
        Counted {
            requires: std::mem::take(&mut self.requires),
            ranges: std::mem::take(&mut self.ranges),
            comparisons: std::mem::take(&mut self.comparisons),
            sets: std::mem::take(&mut self.sets),
            shifts: std::mem::take(&mut self.shifts),
        }
    }
}

/// A ground goal as a reader found it.
pub(crate) struct GoalDraft {
    pub(crate) name: String,
    pub(crate) wants: Vec<(Fact, Span)>,
    pub(crate) ranges: Vec<(Range, Span)>,
    pub(crate) comparisons: Vec<(Comparison, Span)>,
    /// The name it is an alternative of.
    pub(crate) serves: Option<Reference<'static>>,
    pub(crate) priority: Cost,
    pub(crate) was: Vec<Reference<'static>>,
    pub(crate) span: Span,
}

impl GoalDraft {
    fn take_counted(&mut self) -> Counted {
        Counted {
            requires: std::mem::take(&mut self.wants),
            ranges: std::mem::take(&mut self.ranges),
            comparisons: std::mem::take(&mut self.comparisons),
            ..Counted::default()
        }
    }
}

/// Why something that is declared cannot be.
pub(crate) enum Clash {
    /// Two values asked of one variable at once, which is this mistake.
    TwoValues { code: Code, variable: VariableId, first: (ValueId, Span), second: (ValueId, Span) },
    /// Two changes of one variable, not both to a value.
    TwoChanges { variable: VariableId, first: Span, second: Span },
    /// No value of a variable meets all that is asked.
    NothingLeft { variable: VariableId, span: Span },
    /// The values of a variable that are left are in too many parts.
    TooManyParts { variable: VariableId, span: Span },
}

impl Clash {
    /// Whether it is a mistake of the statement, whatever its values: no gap of a template.
    pub(crate) fn is_of_all(&self) -> bool {
        matches!(self, Clash::TwoChanges { .. } | Clash::TooManyParts { .. })
    }
}

/// Sorts facts by variable and drops repetitions; two values of one variable clash.
pub(crate) fn one_value_each(code: Code, facts: &mut Vec<(Fact, Span)>) -> Result<(), Clash> {
    if facts.len() < 2 {
        return Ok(());
    }
    facts.sort_by_key(|&(fact, span)| (fact.variable, span));
    facts.dedup_by_key(|&mut (fact, _)| fact);
    match facts.windows(2).find(|pair| pair[0].0.variable == pair[1].0.variable) {
        None => Ok(()),
        Some(pair) => Err(Clash::TwoValues {
            code,
            variable: pair[0].0.variable,
            first: (pair[0].0.value, pair[0].1),
            second: (pair[1].0.value, pair[1].1),
        }),
    }
}

/// What an action overrides, if it overrides something.
pub(crate) fn overrides_of(list: &[Reference<'_>]) -> Option<Rc<[Reference<'static>]>> {
    (!list.is_empty()).then(|| list.iter().map(Reference::to_owned).collect())
}

/// The ways to do an action, if there are several.
pub(crate) fn kinds_of(list: Vec<ActionKind>) -> Option<Arc<[ActionKind]>> {
    (!list.is_empty()).then(|| list.into())
}

/// The facts without their places.
pub(crate) fn bare(facts: &[(Fact, Span)]) -> Vec<Fact> {
    facts.iter().map(|&(fact, _)| fact).collect()
}

impl ModelBuilder {
    pub(crate) fn declare_variable(&mut self, draft: VariableDraft<'_>) {
        let count = self.model.variables.len();
        if !self.admits(Kind::Variable, count, &draft.name, draft.span) {
            return;
        }
        // `ready` beside `ready(prop.1)`: the bare name would mean two things.
        let base = names::template_of(&draft.name);
        let plain = base.and_then(|base| self.model.find_variable(base));
        let template = self.variable_templates.get(&draft.name);
        let template = template.and_then(|members| members.first().copied());
        let same = self.model.find_variable(&draft.name).or(plain).or(template);
        if let Some(first) = same {
            let first = self.model[first].span;
            self.declared_twice(Code::VariableTwice, "variable", &draft.name, draft.span, first);
            return;
        }
        if !self.is_no_select(Word { text: &draft.name, span: draft.span }) {
            return;
        }
        if draft.values.len() == 0 {
            let cure = self.format.words("`var lamp: off, on`", "`\"values\": [\"off\", \"on\"]`");
            let text = format!("variable `{}` has no value", draft.name);
            let cure = format!("give it at least two, as in {cure}");
            self.report.say(Code::NoValues, draft.span, text, cure);
            self.add_broken(&draft.name);
            return;
        }
        // The names of a range are made only for those who print them.
        let values = match &draft.values {
            ValuesDraft::Words(words) => ENTRIES_OF_A_NAME * words.len(),
            ValuesDraft::Range { .. } => draft.values.len(),
        };
        let names = ENTRIES_OF_A_NAME * draft.was.len();
        let has_room = self.spend(1 + values + names, draft.span);
        let Some(values) = has_room.then(|| self.distinct_values(&draft)).flatten() else {
            self.add_broken(&draft.name);
            return;
        };
        let was = self.former_names(Kind::Variable, count, &draft.was);
        if !self.groups_are_plain(&draft) {
            self.add_broken(&draft.name);
            return;
        }
        if let Some(base) = names::template_of(&draft.name) {
            self.variable_templates.entry(base).push(VariableId::at(count));
        }
        let VariableDraft { name, groups, shared, span, .. } = draft;
        let picks = self.add_groups(VariableId::at(count), groups);
        let slot = self.model.slots_in(&name).first().map(|&(_, slot)| slot);
        let id = self.model.add_variable(Variable { name, values, picks, slot, shared, was, span });
        if slot.is_some() {
            self.needs.note_variable(id);
        }
        self.model.index_values(id);
    }

    /// The values, each once; `None`, with a report, if some cannot be taken in.
    fn distinct_values(&mut self, draft: &VariableDraft<'_>) -> Option<Values> {
        let limit = self.limits.values;
        // A range is as wide as its ends are apart: `0..100` counts like a hundred.
        let one_more = matches!(draft.values, ValuesDraft::Range { .. });
        if draft.values.len() > limit + usize::from(one_more) {
            let what = format!("values of `{}`", draft.name);
            self.too_many(&what, limit, Code::TooManyValues, draft.span);
            return None;
        }
        let words = match &draft.values {
            ValuesDraft::Words(words) => words,
            &ValuesDraft::Range { low, high } => return Values::range(low, high),
        };
        if !words.iter().fold(true, |fit, (name, span)| self.name_fits(name, *span) && fit) {
            return None;
        }
        let mut of_many: TextMap<&str, Span> = TextMap::default();
        let mut has_twice = false;
        for (at, (value, span)) in words.iter().enumerate() {
            let first = match words.len() > SCANNED {
                true => of_many.insert(value, *span),
                false => {
                    words[..at].iter().find(|(other, _)| other == value).map(|(_, span)| *span)
                }
            };
            if let Some(first) = first {
                of_many.insert(value, first);
                has_twice = true;
                let text = format!("`{}` has the value `{value}` twice", draft.name);
                let cure = "remove one, or rename it";
                self.report.say_twice(Code::ValueTwice, *span, first, text, cure);
            }
        }
        if !has_twice {
            return Some(self.value_lists.shared(words));
        }
        let mut values: Vec<String> = Vec::with_capacity(words.len());
        let mut known = TextSet::default();
        for (value, _) in words.iter().filter(|(value, _)| known.insert(value.as_ref())) {
            values.push(value.to_string());
        }
        Some(Values::new(values))
    }

    /// Takes an action in. `Err` gives back contradictory requirements or settings, which are
    /// a mistake in a plain action and a gap in a template.
    pub(crate) fn declare_action(&mut self, mut draft: ActionDraft) -> Result<(), Clash> {
        let count = self.model.actions.len();
        if !self.admits(Kind::Action, count, &draft.name, draft.span) {
            return Ok(());
        }
        let compared = draft.comparisons.clone();
        let shifts = draft.shifts.clone();
        let settled = self.settle(Code::RequiresTwoValues, draft.take_counted())?;
        if !self.action_name_is_free(&draft) {
            return Ok(());
        }
        let was = ENTRIES_OF_A_NAME * draft.was.len();
        if !self.spend(1 + settled.size() + draft.checks.len() + was, draft.span) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        self.warn_of_idle_shifts(&draft.name, &shifts);
        self.add_compared(Comparer::Action(ActionId::at(count)), &compared);
        let facts = self.facts_of_action(&draft, &settled);
        let was = self.former_names(Kind::Action, count, &draft.was);
        let id = ActionId::at(count);
        if let Some(base) = names::template_of(&draft.name) {
            self.templates.entry(base).push(id);
        }
        if let Some(overrides) = draft.overrides {
            self.overrides.push((id, overrides));
        }
        let slots = self.parameter_slots(&draft.name, &settled);
        let first = (draft.variant > 1).then(|| self.model.find_action(&draft.name)).flatten();
        let more = More {
            slots,
            ranges: settled.ranges,
            comparisons: settled.comparisons,
            shifts: settled.shifts,
            checks: draft.checks,
            overrides: Vec::new(),
            parts: draft.parts,
            kinds: draft.kinds,
            was,
        };
        let rest = (draft.cost, draft.variant, draft.span);
        let action = Action::new(draft.name, (facts, settled.requires.len()), rest, more);
        match first {
            Some(first) => self.model.add_variant(first, action),
            None => self.model.add_action(action),
        };
        Ok(())
    }

    /// Which action of this name one more would be.
    pub(crate) fn next_variant(&self, name: &str) -> u32 {
        clip(self.model.find_actions(name).count() + 1)
    }

    fn action_name_is_free(&mut self, draft: &ActionDraft) -> bool {
        let same = self.model.find_action(&draft.name);
        let base = names::template_of(&draft.name);
        // `go` beside `go(pipe)`: the bare name would mean two things.
        let plain = base.and_then(|base| self.model.find_action(base));
        let template = self.templates.get(&draft.name).and_then(|members| members.first().copied());
        let is_next = draft.variant > 1 && draft.variant == self.next_variant(&draft.name);
        let same = same.filter(|_| !is_next);
        let Some(first) = same.or(plain).or(template) else { return true };
        let first = self.model[first].span;
        let name = base.unwrap_or(&draft.name);
        self.declared_twice(Code::ActionTwice, "action", name, draft.span, first);
        false
    }

    /// What the action requires, and behind it what it sets beyond that, warning where that is less
    /// than written.
    fn facts_of_action(&mut self, draft: &ActionDraft, settled: &Settled) -> Vec<Fact> {
        let mut facts = Vec::with_capacity(settled.requires.len() + settled.sets.len());
        facts.extend(settled.requires.iter().map(|&(fact, _)| fact));
        for &(fact, span) in &settled.sets {
            let required =
                settled.requires.binary_search_by_key(&fact.variable, |&(f, _)| f.variable);
            if !required.is_ok_and(|at| settled.requires[at].0 == fact) {
                facts.push(fact);
            } else if draft.is_alone {
                let (variable, value) = self.model.fact_names(fact);
                let fact = (variable.to_string(), value.to_string());
                self.warn_sets_what_it_requires(&draft.name, fact, span);
            }
        }
        facts
    }

    /// Warns that an action sets a value that it requires.
    pub(crate) fn warn_sets_what_it_requires(
        &mut self,
        name: &str,
        (variable, value): (String, String),
        span: Span,
    ) {
        let text = format!("`{name}` sets `{variable} = {value}`, which it requires");
        let cure = self.format.words(
            format!("if it only has to hold, write `while {variable} = {value}`"),
            "if it only has to hold, remove it from `sets`".to_string(),
        );
        self.report.say(Code::SetsWhatItRequires, span, text, cure);
    }

    pub(crate) fn declare_goal(&mut self, mut draft: GoalDraft) -> Result<(), Clash> {
        let count = self.model.goals.len();
        if !self.admits(Kind::Goal, count, &draft.name, draft.span) {
            return Ok(());
        }
        let compared = draft.comparisons.clone();
        let wanted = self.settle(Code::WantsTwoValues, draft.take_counted())?;
        let serves = draft.serves.as_ref().map(|serves| &*serves.name);
        let of_the_name = serves.and_then(|serves| self.model.find_goal(serves));
        let served = self.model.index.alternatives.get(&draft.name);
        let served = served.and_then(|group| group.first().copied());
        if let Some(first) = self.model.find_goal(&draft.name).or(served).or(of_the_name) {
            let first = self.model[first].span;
            self.declared_twice(Code::GoalTwice, "goal", &draft.name, draft.span, first);
            return Ok(());
        }
        let fits = |word: &Reference<'_>| self.name_fits(&word.name, word.span);
        if !draft.serves.as_ref().is_none_or(fits) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        if wanted.size() == 0 {
            self.report.say(
                Code::EmptyGoal,
                draft.span,
                format!("goal `{}` wants nothing, so it is always satisfied", draft.name),
                self.format.words(
                    "say what should hold, as in `goal lit: lamp = on`",
                    "say what should hold, as in `\"wants\": {\"lamp\": \"on\"}`",
                ),
            );
        }
        let n_names = draft.was.len() + usize::from(draft.serves.is_some());
        if !self.spend(1 + wanted.size() + ENTRIES_OF_A_NAME * n_names, draft.span) {
            self.add_broken(&draft.name);
            return Ok(());
        }
        self.add_compared(Comparer::Goal, &compared);
        let id = GoalId::at(count);
        if let Some(base) = names::template_of(&draft.name) {
            self.goal_templates.entry(base).push(id);
        }
        if let Some(serves) = &draft.serves {
            Arc::make_mut(&mut self.model.index).alternatives.entry(&serves.name).push(id);
        }
        let was = self.former_names(Kind::Goal, count, &draft.was);
        self.model.add_goal(Goal {
            name: draft.name,
            wants: bare(&wanted.requires),
            ranges: wanted.ranges,
            comparisons: wanted.comparisons,
            serves: draft.serves.map(|serves| serves.name.into_owned()),
            priority: draft.priority,
            was,
            span: draft.span,
        });
        Ok(())
    }

    /// Facts of something, by variable; reported if two are values of one variable.
    pub(super) fn one_value_each(
        &mut self,
        code: Code,
        mut facts: Vec<(Fact, Span)>,
        name: &str,
    ) -> Vec<Fact> {
        if let Err(clash) = one_value_each(code, &mut facts) {
            self.report_clash(clash, name);
        }
        bare(&facts)
    }

    /// Reports a clash as the mistake it is.
    pub(crate) fn report_clash(&mut self, clash: Clash, name: &str) {
        let (Clash::TwoValues { variable, .. }
        | Clash::TwoChanges { variable, .. }
        | Clash::NothingLeft { variable, .. }
        | Clash::TooManyParts { variable, .. }) = clash;
        let Variable { name: variable, values, .. } = &self.model[variable];
        let keep_one = format!("`{variable}` has one value at a time: keep one of the two");
        match clash {
            Clash::TwoValues { code, first, second, .. } => {
                let word = match code {
                    Code::SetsTwoValues => "sets",
                    Code::RequiresTwoValues => "requires",
                    Code::StartsTwice => "starts with",
                    _ => "wants",
                };
                let [one, other] = [first.0, second.0].map(|value| &values[value.index()]);
                let text =
                    format!("`{name}` {word} both `{variable} = {one}` and `{variable} = {other}`");
                let also = (first.1, "the other value is here");
                self.report.say_also(code, second.1, also, text, keep_one);
            }
            Clash::TwoChanges { first, second, .. } => {
                let text = format!("`{name}` changes `{variable}` twice");
                let also = (first, "the other change is here");
                self.report.say_also(Code::SetsTwoValues, second, also, text, keep_one);
            }
            Clash::NothingLeft { span, .. } => {
                let text = format!("no value of `{variable}` meets all conditions of `{name}`");
                let cure = "leave one of them out, or join them by `or`";
                self.report.say(Code::NothingExists, span, text, cure);
            }
            Clash::TooManyParts { span, .. } => {
                let most = if values.ends().is_some() { MOST_PARTS } else { MOST_RUNS };
                let text =
                    format!("`{name}` asks for values of `{variable}` in more than {most} parts");
                let cure = format!(
                    "split it into two that each ask for fewer, or name what these values have \
                     in common by a variable beside `{variable}`"
                );
                self.report.say(Code::TooManyParts, span, text, cure);
            }
        }
    }

    pub(super) fn declared_twice(
        &mut self,
        code: Code,
        what: &str,
        name: &str,
        span: Span,
        first: Span,
    ) {
        let text = format!("{what} `{name}` is declared twice");
        let cure = match span.file == first.file {
            true => "rename one, or remove it",
            false => "rename one, or read one of the two files by `use \"…\" as NAME`",
        };
        self.report.say_twice(code, span, first, text, cure);
    }

    /// The former names of something, noted for the check against present ones.
    pub(super) fn former_names(
        &mut self,
        of: Kind,
        owner: usize,
        was: &[Reference<'_>],
    ) -> Vec<String> {
        let mut names = Vec::with_capacity(was.len());
        for word in was {
            if self.name_fits(&word.name, word.span) {
                let (owner, nth) = (clip(owner), clip(names.len()));
                let former = FormerName { of, owner, nth, span: word.span };
                self.former_names.push(former);
                names.push(word.name.to_string());
            }
        }
        names
    }
}
