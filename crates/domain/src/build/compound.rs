//! Declarations that speak of other actions: compounds, and wishes for an order.
//!
//! A compound becomes one action. What it requires is what its parts require and no part
//! before provides; what it sets and shifts is what the parts leave behind; its checks are theirs
//! and its own. Parts run unbroken, so nothing can come between them.

use super::counted::Counted;
use super::declare::{bare, one_value_each, overrides_of};
use super::roles::Role;
use super::{ActionDraft, CompoundDraft, Kind, KindDraft, ModelBuilder, Reference, Word};
use crate::diagnostics::Code;
use crate::model::*;
use crate::number::Cost;
use crate::sequence::{Cannot, Part, Sequence, Whole};
use crate::source::Span;
use std::collections::HashMap;

/// The price of an action that is not given: that of its cheapest kind, or one.
pub(crate) fn least_cost(kinds: &[ActionKind]) -> Cost {
    kinds.iter().map(|kind| kind.cost).min().unwrap_or(Cost::ONE)
}

impl ModelBuilder {
    pub(crate) fn declare_compound(&mut self, draft: &CompoundDraft<'_>) {
        if self.compound(draft).is_none() {
            self.add_broken(&draft.name.name);
        }
    }

    fn compound(&mut self, draft: &CompoundDraft<'_>) -> Option<()> {
        let Reference { name, span } = &draft.name;
        let (checks, cost) = (self.checks(name, &draft.checks), self.price(draft.cost));
        let said = [&draft.requires, &draft.sets]
            .map(|said| said.as_ref().map(|said| self.facts(said, Role::Fact)));
        let found: Vec<_> = draft.parts.iter().map(|part| self.plain_action(part)).collect();
        let parts: Vec<ActionId> = found.into_iter().collect::<Option<_>>()?;
        if parts.is_empty() {
            let cure = self.format.words(
                "list its actions in their order, as in `compound ambush: draw, shoot`",
                "list its actions in their order, as in `\"parts\": [\"draw\", \"shoot\"]`",
            );
            let text = format!("compound `{name}` has no parts");
            self.report.say(Code::NotOneAction, *span, text, cure);
            return None;
        }
        let facts: usize = parts.iter().map(|id| self.size_of(*id)).sum();
        if !self.spend(parts.len() + facts, *span) {
            return None;
        }
        let whole = self.net_effect(draft, &parts)?;
        let [says_requires, says_sets] = said;
        self.fits("require", says_requires, &whole.requires, draft)?;
        self.fits("set", says_sets, &whole.sets, draft)?;
        self.counting_fits(&whole, draft)?;
        let checks = self.checks_of_parts(draft, checks?, &parts)?;
        let cost = match cost? {
            Some(cost) => cost,
            None => self.cost_of_parts(draft, &parts)?,
        };
        let place = |fact: &Fact| (*fact, *span);
        let taken = self.declare_action(ActionDraft {
            name: name.to_string(),
            requires: whole.requires.iter().map(place).collect(),
            sets: whole.sets.iter().map(place).collect(),
            ranges: whole.ranges.iter().map(|it| (*it, *span)).collect(),
            comparisons: whole.comparisons.iter().map(|it| (*it, *span)).collect(),
            shifts: whole.shifts.iter().map(|it| (*it, *span)).collect(),
            checks,
            overrides: overrides_of(&draft.overrides),
            cost,
            parts,
            kinds: None,
            was: draft.was.iter().map(Reference::to_owned).collect(),
            variant: 1,
            is_alone: true,
            span: *span,
        });
        taken.map_err(|clash| self.report_clash(clash, name)).ok()
    }

    fn size_of(&self, id: ActionId) -> usize {
        let action = &self.model[id];
        let counted = action.ranges().len() + action.comparisons().len() + action.shifts().len();
        action.requires().len() + action.sets().len() + action.checks().len() + 4 * counted
    }

    /// The one action that a reference names, if that is no compound itself; reported if not.
    fn plain_action(&mut self, reference: &Reference<'_>) -> Option<ActionId> {
        let present = self.present_name(reference, Kind::Action);
        let name = present.as_deref().unwrap_or(&reference.name);
        if let Some(id) = self.model.find_action(name) {
            let action = &self.model[id];
            let is_one = self.model.variants(id).is_empty();
            if action.parts().is_empty() && action.kinds().is_empty() && is_one {
                return Some(id);
            }
            let (what, cure) = match (action.parts().is_empty(), is_one) {
                (false, _) => ("a compound itself", "list its parts here instead"),
                (_, false) => (
                    "an action that is done in one of several states of what it needs",
                    "name an action without `needs`, and ask for what it takes by `while`",
                ),
                _ => ("an action of several kinds", "name an action for the kind you mean"),
            };
            let text = format!("`{name}` is {what}, so it cannot be a part of a compound");
            self.report.say(Code::NotOneAction, reference.span, text, cure);
            return None;
        }
        let members = self.templates.get(name).map(|members| (members.len(), members.first()));
        let Some((count, Some(first))) = members else {
            self.expect_action(reference);
            return None;
        };
        let first = self.model[*first].name.clone();
        let text = format!("`{name}` stands for {count} actions; a part is one of them");
        let cure = format!("say which, such as `{first}`");
        self.report.say(Code::NotOneAction, reference.span, text, cure);
        None
    }

    /// What the parts, one after the other, require and change; reported if one cannot follow.
    fn net_effect(&mut self, draft: &CompoundDraft<'_>, parts: &[ActionId]) -> Option<Whole> {
        let mut sequence = Sequence::default();
        let mut complete = true;
        let model = self.model.clone();
        let n_values = |variable: VariableId| model[variable].values.len() as u16;
        for (at, id) in parts.iter().enumerate() {
            let action = &model[*id];
            for cannot in sequence.add(Part::of(action), n_values) {
                complete = false;
                self.report_part(draft, at, cannot);
            }
        }
        let whole = complete.then(|| sequence.whole())?;
        whole.map_err(|variable| self.report_untold(variable, &draft.name)).ok()
    }

    /// Reports a part whose need cannot hold where it stands.
    fn report_part(&mut self, draft: &CompoundDraft<'_>, at: usize, cannot: Cannot) {
        let part = &draft.parts[at];
        let (needed, earlier, what, note) = match cannot {
            Cannot::Tell(variable) => {
                self.report_untold(variable, part);
                return;
            }
            Cannot::Value(need, earlier) => {
                let needed = self.model.fact_names(need);
                let other = self.model.fact_names(Fact { value: earlier.value, ..need }).1;
                let (verb, note) = match earlier.is_set {
                    true => ("sets", "it is set here"),
                    false => ("needs", "the other value is needed here"),
                };
                let what = format!("{verb} `{} = {other}`", needed.0);
                (format!("{} = {}", needed.0, needed.1), earlier.part, what, note)
            }
            Cannot::Set(range, earlier) => {
                let Variable { name, values, .. } = &self.model[range.variable];
                let what = format!("leaves no such value of `{name}`");
                (values.condition(name, &range.values), earlier, what, "this part")
            }
        };
        let before = &draft.parts[earlier];
        let text =
            format!("`{}` needs `{needed}`, but `{}` before it {what}", part.name, before.name);
        let cure = "put the parts into an order in which each can follow, \
                    or add the part that is missing between them";
        let also = (before.span, note);
        self.report.say_also(Code::PartsDoNotFollow, part.span, also, text, cure);
    }

    /// Reports an amount that parts together neither set nor shift in one way.
    fn report_untold(&mut self, variable: VariableId, place: &Reference<'_>) {
        let name = &self.model[variable].name;
        let text = format!("what the parts do to `{name}` together is no single change");
        let cure = format!(
            "let all parts that count `{name}` stop at the same number, or do without the compound"
        );
        self.report.say(Code::PartsDoNotCompose, place.span, text, cure);
    }

    /// Whether what a tool says of amounts is what follows from the parts; reported if not.
    fn counting_fits(&mut self, whole: &Whole, draft: &CompoundDraft<'_>) -> Option<()> {
        let Some(said) = &draft.counted else { return Some(()) };
        let counted = Counted {
            requires: whole.requires.iter().map(|fact| (*fact, Span::default())).collect(),
            ranges: said.ranges.clone(),
            comparisons: said.comparisons.clone(),
            shifts: said.shifts.clone(),
            sets: Vec::new(),
        };
        let is_same = self.settle(Code::PartsGiveOther, counted).is_ok_and(|it| {
            (it.ranges, it.comparisons, it.shifts)
                == (whole.ranges.clone(), whole.comparisons.clone(), whole.shifts.clone())
        });
        if is_same {
            return Some(());
        }
        let Reference { name, span } = &draft.name;
        let text = format!("the parts of `{name}` together count otherwise than it says");
        let cure = "leave `ranges`, `compare` and `shifts` out: they follow from the parts";
        self.report.say(Code::PartsGiveOther, *span, text, cure);
        None
    }

    /// Whether what a tool says is what follows from the parts; reported if not.
    fn fits(
        &mut self,
        verb: &str,
        said: Option<Option<Vec<(Fact, Span)>>>,
        derived: &[Fact],
        draft: &CompoundDraft<'_>,
    ) -> Option<()> {
        let Some(said) = said else { return Some(()) };
        let mut said = said?;
        if one_value_each(Code::PartsGiveOther, &mut said).is_ok() && bare(&said) == derived {
            return Some(());
        }
        let words = derived.iter().map(|&fact| self.model.fact_names(fact));
        let words: Vec<String> = words.map(|(name, value)| format!("{name} = {value}")).collect();
        let words = if words.is_empty() { "nothing".to_string() } else { words.join(", ") };
        let Reference { name, span } = &draft.name;
        let text = format!("the parts of `{name}` together {verb} something else than it says");
        let cure = format!("leave the key out, or say what the parts {verb}: {words}");
        self.report.say(Code::PartsGiveOther, *span, text, cure);
        None
    }

    /// Its own checks and those of its parts, each once; reported if two are opposites.
    fn checks_of_parts(
        &mut self,
        draft: &CompoundDraft<'_>,
        mut checks: Vec<CheckUse>,
        parts: &[ActionId],
    ) -> Option<Vec<CheckUse>> {
        let mut seen: HashMap<CheckId, bool> =
            checks.iter().map(|used| (used.check, used.expected)).collect();
        let mut complete = true;
        for (part, reference) in parts.iter().zip(&draft.parts) {
            for used in self.model[*part].checks() {
                match seen.insert(used.check, used.expected) {
                    None => checks.push(*used),
                    Some(expected) if expected == used.expected => {}
                    Some(_) => {
                        let check = &self.model[used.check];
                        let text = format!(
                            "`{}` asks for the opposite of `{check}`, for which `{}` or an \
                             earlier part asks",
                            reference.name, draft.name.name
                        );
                        let cure = "keep one: with both, the compound could never run";
                        self.report.say(Code::ContradictoryCheck, reference.span, text, cure);
                        complete = false;
                    }
                }
            }
        }
        complete.then_some(checks)
    }

    fn cost_of_parts(&mut self, draft: &CompoundDraft<'_>, parts: &[ActionId]) -> Option<Cost> {
        let sum = parts.iter().map(|id| self.model[*id].cost.0).sum();
        if sum <= Cost::MAX.0 {
            return Some(Cost(sum));
        }
        let text = format!("the parts of `{}` cost {} together", draft.name.name, Cost(sum));
        let cure = "give it a `cost` of its own, at most 1000000";
        self.report.say(Code::NumberTooLarge, draft.name.span, text, cure);
        None
    }

    /// The kinds of an action; `None`, with a report, if some cannot be had or are called alike.
    pub(crate) fn kinds(
        &mut self,
        action: &str,
        drafts: &[KindDraft<'_>],
    ) -> Option<Vec<ActionKind>> {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut kinds = Vec::with_capacity(drafts.len());
        for KindDraft { name: Word { text, span }, checks, cost } in drafts {
            let (cost, checks) = (self.price(*cost), self.checks(action, checks));
            let first = seen.insert(text, *span);
            if let Some(first) = first {
                let twice = format!("`{action}` has the kind `{text}` twice");
                let cure = "rename one, or remove it";
                self.report.say_twice(Code::KindTwice, *span, first, twice, cure);
            }
            if let (true, None, Some(cost), Some(checks)) =
                (self.name_fits(text, *span), first, cost, checks)
            {
                let cost = cost.unwrap_or(Cost::ONE);
                kinds.push(ActionKind { name: text.to_string(), checks, cost });
            }
        }
        (kinds.len() == drafts.len()).then_some(kinds)
    }

    /// Takes in that some actions should come before others.
    pub(crate) fn declare_preference(
        &mut self,
        before: &[Reference<'_>],
        after: &[Reference<'_>],
        span: Span,
    ) {
        let count = self.model.preferences.len();
        if !self.has_room(Kind::OrderPreference, count, span) {
            return;
        }
        let errors = self.report.errors();
        let preference = OrderPreference {
            before: self.action_list(before, true),
            after: self.action_list(after, true),
        };
        if let Some(both) =
            preference.before.iter().find(|id| preference.after.binary_search(id).is_ok())
        {
            let name = &self.model[*both].name;
            let text = format!("`{name}` should come before itself");
            let cure = "name different actions on the two sides of `before`";
            self.report.say(Code::PrefersItself, span, text, cure);
        }
        let empty = preference.before.is_empty() || preference.after.is_empty();
        if self.report.errors() == errors && !empty {
            push(&mut self.model.preferences, preference);
        }
    }
}
