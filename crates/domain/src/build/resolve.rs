//! Names to ids, with the nearest name when there is none.

use super::{CheckWord, Kind, ModelBuilder, Reference, Word, with_argument};
use crate::diagnostics::Code;
use crate::index::TextMap;
use crate::model::*;
use crate::names;
use crate::source::Span;
use std::borrow::Cow;
use std::collections::HashMap;
use throng_base::DidYouMean;

/// All actions behind `can`, all goals behind `wants`.
const EVERYTHING: &str = "everything";

/// Values listed in a cure; more than these are counted.
const LISTED: usize = 5;

/// `a, b, c` or `a, b, c and 9 more`.
pub(super) fn some_of<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let shown: Vec<&str> = names.take(LISTED).collect();
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The truth value that a word of other languages means.
fn truth(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "on" | "yes" | "1" | "y" => "true",
        "off" | "no" | "0" | "n" => "false",
        _ => return None,
    })
}

/// The values to write instead of the name of a type.
pub(super) fn instead_of_type(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "bool" | "boolean" | "flag" | "yesno" => "bool",
        "int" | "integer" | "number" | "float" | "double" | "real" | "uint" => "0..10",
        "string" | "str" | "text" | "enum" | "symbol" => "first_value, second_value",
        _ => return None,
    })
}

/// What a name in a list stands for.
#[derive(Clone, Copy)]
enum Members<'m, T> {
    One(T),
    Several(&'m Vec<T>),
    /// All there are, so many.
    All(usize),
}

impl<T: Copy> Members<'_, T> {
    fn len(self) -> usize {
        match self {
            Members::One(_) => 1,
            Members::Several(members) => members.len(),
            Members::All(count) => count,
        }
    }

    fn add_to(self, list: &mut Vec<T>, at: fn(usize) -> T) {
        match self {
            Members::One(one) => list.push(one),
            Members::Several(members) => list.extend_from_slice(members),
            Members::All(count) => list.extend((0..count).map(at)),
        }
    }
}

/// `write `near`, or declare it: …`, as far as there is one.
fn write_or_declare(near: Option<&str>, declare: &str) -> String {
    match near {
        Some(near) => format!("write `{near}`, or declare it: {declare}"),
        None => format!("declare it: {declare}"),
    }
}

impl ModelBuilder {
    pub(crate) fn find_variable(&mut self, name: &str, span: Span) -> Option<VariableId> {
        self.find_variable_of(name, span, "first_value, second_value")
    }

    /// The amount of a name; one that is not declared would be a range.
    pub(crate) fn find_amount(&mut self, name: &str, span: Span) -> Option<VariableId> {
        self.find_variable_of(name, span, "0..100")
    }

    fn find_variable_of(&mut self, name: &str, span: Span, values: &str) -> Option<VariableId> {
        let found = self.model.find_variable(name);
        if found.is_none() && !self.is_explained(name) && !self.reported_check(name, span) {
            let near = self.report.nearest(name, self.model.variables.iter().map(Variable::name));
            let text = format!("unknown variable `{name}`{}", DidYouMean::by_letter(name, near));
            let declare = self.format.words(
                format!("`var {name}: {values}`"),
                format!("`{{\"name\": \"{name}\", \"values\": [\"first\", \"second\"]}}`"),
            );
            let template = names::template_of(name).unwrap_or(name);
            let members = self.variable_templates.get(template);
            let cure = match name.split_once('.').filter(|(owner, _)| self.is_variable(owner)) {
                _ if members.is_some() => {
                    let names = members.into_iter().flatten().map(|id| self.model[*id].name());
                    let names: Vec<&str> = names.collect();
                    format!("say what it is about, as in {}", some_of(names.into_iter()))
                }
                Some((owner, value)) => format!("write the value apart, as in `{owner} = {value}`"),
                None => write_or_declare(near, &declare),
            };
            self.report.say(Code::UnknownVariable, span, text, cure);
        }
        found
    }

    pub(crate) fn value_name(&self, variable: VariableId, value: ValueId) -> &str {
        &self.model[variable].values[value.index()]
    }

    pub(crate) fn find_value(
        &mut self,
        variable: VariableId,
        name: &str,
        span: Span,
    ) -> Option<ValueId> {
        if let Some(value) = self.model.value_named(variable, name) {
            return Some(value);
        }
        if self.reported_type_word(variable, name) || self.reported_number(variable, name, span) {
            return None;
        }
        let declared = &self.model[variable];
        let values = || declared.values.iter().map(String::as_str);
        // No number is a slip of the pen for another one.
        let is_number = names::as_integer(name).is_some();
        let near = if is_number { None } else { self.report.nearest(name, values()) };
        let near = near.or_else(|| truth(name).filter(|_| declared.is_bool()));
        let cure = match (near, names::as_range(&declared.values)) {
            (Some(near), _) => format!("write `{near}`"),
            (None, Some(range)) => format!("`{}` is one of {range}", declared.name),
            (None, None) => format!("`{}` is one of: {}", declared.name, some_of(values())),
        };
        let did = DidYouMean::by_letter(name, near);
        let text = format!("`{}` has no value `{name}`{did}", declared.name);
        self.report.say(Code::UnknownValue, span, text, cure);
        None
    }

    /// Whether the variable has the name of a type for its only value, as in `var lamp: boolean`:
    /// then that is the mistake, said once, where it stands.
    fn reported_type_word(&mut self, variable: VariableId, missing: &str) -> bool {
        let Variable { name, values, span, .. } = &self.model[variable];
        let [only] = &values[..] else { return false };
        let Some(write) = instead_of_type(only) else { return false };
        let text =
            format!("`{only}` is the only value of `{name}`, so it has no value `{missing}`");
        let cure = self
            .format
            .words(format!("write `var {name}: {write}`"), "list its values".to_string());
        self.report.say(Code::UnknownValue, *span, text, cure);
        true
    }

    /// Whether a value of an amount is looked for, which its range does not have: then reported.
    fn reported_number(&mut self, variable: VariableId, name: &str, span: Span) -> bool {
        let declared = &self.model[variable];
        let Some((low, high)) = declared.values.ends() else { return false };
        match names::as_integer(name) {
            Some(number) => _ = self.position(variable, number, span),
            None => {
                let text = format!("`{}` has no value `{name}`", declared.name);
                let cure = format!("`{}` is a number from {low} to {high}", declared.name);
                self.report.say(Code::UnknownValue, span, text, cure);
            }
        }
        true
    }

    /// `; did you mean …?` of the variables; `None` if another mistake explains the name.
    pub(crate) fn near_variable(&mut self, name: &str) -> Option<String> {
        if self.is_explained(name) {
            return None;
        }
        let near = self.report.nearest(name, self.model.variables.iter().map(Variable::name));
        Some(DidYouMean::by_letter(name, near))
    }

    /// Whether a variable has this name.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.model.find_variable(name).is_some()
    }

    pub(super) fn find_fact(&mut self, variable: Word<'_>, value: Word<'_>) -> Option<Fact> {
        let variable = self.find_variable(variable.text, variable.span)?;
        let value = self.find_value(variable, value.text, value.span)?;
        Some(Fact { variable, value })
    }

    /// The checks that an action asks for, each with the answer it needs, each once; `None`, with
    /// a report, if some cannot be had or two are opposites.
    pub(crate) fn checks(
        &mut self,
        action: &str,
        words: &[CheckWord<'_>],
    ) -> Option<Vec<CheckUse>> {
        let mut checks = Vec::with_capacity(words.len());
        if words.is_empty() {
            return Some(checks);
        }
        let mut seen: HashMap<CheckId, (bool, Span)> = HashMap::new();
        let mut complete = true;
        for CheckWord { name: Word { text: name, span }, argument, negated } in words {
            let (span, expected) = (*span, !negated);
            let name = &*with_argument(name, argument.map(|word| word.text));
            let Some(check) = self.check_named(name, span) else {
                complete = false;
                continue;
            };
            let &mut (first, place) = seen.entry(check).or_insert_with(|| {
                checks.push(CheckUse { check, expected });
                (expected, span)
            });
            if first != expected {
                let text = format!("`{action}` asks for `{name}` and for its opposite");
                let cure = "keep one: with both, the action could never run";
                let also = (place, "the opposite is here");
                self.report.say_also(Code::ContradictoryCheck, span, also, text, cure);
                complete = false;
            }
        }
        complete.then_some(checks)
    }

    /// The check of this name, taken in on first mention.
    fn check_named(&mut self, name: &str, span: Span) -> Option<CheckId> {
        if let Some(id) = self.model.find_check(name) {
            self.check_uses[id.index()].1 += 1;
            return Some(id);
        }
        let count = self.model.checks.len();
        if !self.has_room(Kind::Check, count, span) || !self.name_fits(name, span) {
            self.missing.checks = true;
            return None;
        }
        self.check_uses.push((span, 1));
        let slots = self.model.slots_in(name);
        push(&mut self.model.check_slots, slots);
        Some(self.model.add_check(name.to_string()))
    }

    /// A check that some action already mentions.
    pub(super) fn find_check(&mut self, word: &Reference<'_>) -> Option<CheckId> {
        let Reference { name, span } = word;
        let found = self.model.find_check(name);
        if found.is_none() && !self.missing.checks && !self.missing.names {
            let known = self.model.checks.iter().map(String::as_str);
            let near = self.report.nearest(name, known.clone());
            let cure = match known.len() {
                0 => format!("no action has a check; give one to an action: `if {name}`"),
                _ => format!("the checks of this domain: {}", some_of(known)),
            };
            let did = DidYouMean::by_letter(name, near);
            let text = format!("no action asks for a check `{name}`{did}");
            self.report.say(Code::UnknownCheck, *span, text, cure);
        }
        found
    }

    /// All actions that a list of references names, in declared order, each once.
    pub(crate) fn action_list(
        &mut self,
        references: &[Reference<'_>],
        capabilities: bool,
    ) -> Vec<ActionId> {
        let references = &self.present_names(references, Kind::Action)[..];
        self.listed(
            references,
            ActionId::at,
            |builder, name| builder.actions_named(name, capabilities),
            |builder, reference| builder.report_unknown_action(reference, capabilities),
        )
    }

    /// The actions that a name in a list stands for: one, a whole template, or a capability's.
    fn actions_named(&self, name: &str, capabilities: bool) -> Option<Members<'_, ActionId>> {
        let one = self.model.find_action(name).map(Members::One);
        let one = self.model.index.variants.get(name).map(Members::Several).or(one);
        let template = || self.templates.get(name).map(Members::Several);
        let capability = || self.capabilities.get(name).map(|it| Members::Several(&it.members));
        let everything = || (name == EVERYTHING).then_some(Members::All(self.model.actions.len()));
        let plain = one.or_else(template);
        if capabilities { plain.or_else(capability).or_else(everything) } else { plain }
    }

    /// References under present names. Names that had the numbers of amounts in them are told.
    pub(super) fn present_names<'r, 't>(
        &mut self,
        list: &'r [Reference<'t>],
        of: Kind,
    ) -> Cow<'r, [Reference<'t>]> {
        let mut present = Cow::Borrowed(list);
        for (at, reference) in list.iter().enumerate() {
            if let Some(name) = self.present_name(reference, of) {
                present.to_mut()[at].name = name.into();
            }
        }
        present
    }

    /// The present name of something that is called by a name with the numbers of amounts in it,
    /// which is told; `None` if it is called otherwise.
    pub(super) fn present_name(&mut self, reference: &Reference<'_>, of: Kind) -> Option<String> {
        let (model, name) = (&self.model, &*reference.name);
        // Numbers stood in parentheses.
        names::template_of(name)?;
        let present = match of {
            Kind::Goal if model.find_goal(name).is_none() => {
                model.goal_before_amounts(name).map(|id| model[id].name.clone())
            }
            Kind::Action if model.find_action(name).is_none() => {
                model.action_before_amounts(name).map(|id| model[id].name().to_string())
            }
            _ => None,
        }?;
        let text = format!("`{name}` is called `{present}`, whatever the numbers");
        let cure = format!("write `{present}`");
        self.report.say(Code::NumbersInName, reference.span, text, cure);
        Some(present)
    }

    /// Reports a name that is neither an action nor a template.
    pub(super) fn expect_action(&mut self, reference: &Reference<'_>) {
        if self.actions_named(&reference.name, false).is_none() {
            self.report_unknown_action(reference, false);
        }
    }

    fn report_unknown_action(&mut self, reference: &Reference<'_>, capabilities: bool) {
        let name = &*reference.name;
        if self.is_explained(name) {
            return;
        }
        if self.capabilities.get(name).is_some() {
            let text = format!("`{name}` is a capability; only an action can stand here");
            let cure = "list the actions of the capability here";
            self.report.say(Code::UnknownAction, reference.span, text, cure);
            return;
        }
        let base = names::template_of(name).unwrap_or(name);
        // `go(pip)`: look among the actions of `go` first, if there is such a template.
        let own = self.templates.get(base).filter(|_| base != name);
        let own = own.into_iter().flatten().map(|id| self.model[*id].name());
        let mut near = self.report.nearest(name, own);
        if near.is_none() {
            let plain = self.model.actions.iter().map(Action::name);
            let listed = self.capabilities.names().filter(|_| capabilities);
            near = self.report.nearest(name, plain.chain(self.templates.names()).chain(listed));
        }
        let declare = self.format.words(
            format!("`action {name}: variable from -> to`"),
            format!("`{{\"name\": \"{name}\", \"sets\": {{…}}}}`"),
        );
        let all = ["all", "any", "anything", "every", "all_actions"].contains(&name);
        let cure = match all && capabilities {
            true => "write `everything` for all actions".to_string(),
            false => write_or_declare(near, &declare),
        };
        let what = if capabilities { "action or capability" } else { "action" };
        let text = format!("unknown {what} `{name}`{}", DidYouMean::by_letter(name, near));
        self.report.say(Code::UnknownAction, reference.span, text, cure);
    }

    /// All goals that a list of references names, in declared order, each once.
    pub(crate) fn goal_list(&mut self, references: &[Reference<'_>]) -> Vec<GoalId> {
        let references = &self.present_names(references, Kind::Goal)[..];
        self.listed(references, GoalId::at, Self::goals_named, Self::report_unknown_goal)
    }

    /// What references name, in declared order and each once; what is unknown or named twice is
    /// reported.
    fn listed<T: Ord + Copy>(
        &mut self,
        references: &[Reference<'_>],
        at: fn(usize) -> T,
        named: impl for<'b> Fn(&'b Self, &str) -> Option<Members<'b, T>>,
        unknown: impl Fn(&mut Self, &Reference<'_>),
    ) -> Vec<T> {
        let mut list = Vec::with_capacity(references.len());
        // Two equal names stand for the same, unless that is nothing.
        let mut may_repeat = false;
        for reference in references {
            let found = named(self, &reference.name);
            let (count, one) = match found {
                Some(Members::One(one)) => (1, Some(one)),
                Some(members) => (members.len(), None),
                None => (1, None),
            };
            may_repeat |= found.is_none() || count == 0;
            // Counted before it is written out; beyond the limit nothing is kept.
            if !self.spend(count, reference.span) {
                return Vec::new();
            }
            match one {
                Some(one) => list.push(one),
                None => match named(self, &reference.name) {
                    Some(members) => members.add_to(&mut list, at),
                    None => unknown(self, reference),
                },
            }
        }
        list.sort_unstable();
        let count = list.len();
        list.dedup();
        if may_repeat || list.len() < count {
            self.report_repeated(references);
        }
        list.shrink_to_fit();
        list
    }

    /// Reports names that a list has several times.
    fn report_repeated(&mut self, references: &[Reference<'_>]) {
        let mut seen: TextMap<&str, Span> = TextMap::default();
        for Reference { name, span } in references {
            if let Some(first) = seen.insert(name, *span) {
                let (also, text) =
                    ((first, "first listed here"), format!("`{name}` is listed twice"));
                self.report.say_also(Code::ListedTwice, *span, also, text, "remove one");
            }
        }
    }

    /// The goals that a name in a list stands for: one, alternatives, or a whole template.
    fn goals_named(&self, name: &str) -> Option<Members<'_, GoalId>> {
        let one = self.model.find_goal(name).map(Members::One);
        let group = || self.model.index.alternatives.get(name).map(Members::Several);
        let template = || self.goal_templates.get(name).map(Members::Several);
        let everything = || (name == EVERYTHING).then_some(Members::All(self.model.goals.len()));
        one.or_else(group).or_else(template).or_else(everything)
    }

    /// The goal of this name, or its alternatives.
    pub(crate) fn find_goal(&mut self, reference: &Reference<'_>) -> Option<Target> {
        let list = std::slice::from_ref(reference);
        let present = self.present_names(list, Kind::Goal);
        let reference = &present[0];
        if let Some(goal) = self.model.find_goal(&reference.name) {
            return Some(Target::Goal(goal));
        }
        let Some(group) = self.model.index.alternatives.get(&reference.name).cloned() else {
            self.report_unknown_goal(reference);
            return None;
        };
        self.spend(group.len(), reference.span).then_some(Target::Any(group))
    }

    fn report_unknown_goal(&mut self, reference: &Reference<'_>) {
        let name = &*reference.name;
        if self.is_explained(name) {
            return;
        }
        let known = self.model.goals.iter().map(Goal::name);
        let groups = self.goal_templates.names().chain(self.model.index.alternatives.names());
        let near = self.report.nearest(name, known.chain(groups));
        let declare = self.format.words(
            format!("`goal {name}: variable = value`"),
            format!("`{{\"name\": \"{name}\", \"wants\": {{…}}}}`"),
        );
        let (text, cure) = match self.goal_templates.get(name) {
            Some(members) => {
                let (count, first) = (members.len(), members.first());
                let first = first.map_or(name, |id| self.model[*id].name());
                (
                    format!("`{name}` is a template of {count} goals; a test needs one of them"),
                    format!("say which, such as `{first}`"),
                )
            }
            None => (
                format!("unknown goal `{name}`{}", DidYouMean::by_letter(name, near)),
                write_or_declare(near, &declare),
            ),
        };
        self.report.say(Code::UnknownGoal, reference.span, text, cure);
    }

    pub(crate) fn find_npc(&mut self, name: &str, span: Span) -> Option<NpcTypeId> {
        let found = self.model.find_npc(name);
        if found.is_none() && !self.is_explained(name) {
            let known = self.model.npcs.iter().map(NpcType::name);
            let near = self.report.nearest(name, known.clone());
            let cure = match known.len() {
                0 => "declare it with `npc`, or leave the name out: everybody can do everything"
                    .to_string(),
                _ => format!("the NPC types of this domain: {}", some_of(known)),
            };
            let text = format!("unknown NPC type `{name}`{}", DidYouMean::by_letter(name, near));
            self.report.say(Code::UnknownNpc, span, text, cure);
        }
        found
    }
}
