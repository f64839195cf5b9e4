//! Names to ids, with the nearest name when there is none.

use super::{ModelBuilder, Reference};
use crate::diagnostics::{Code, Report};
use crate::model::*;
use crate::names;
use crate::source::Span;
use throng_base::DidYouMean;

/// `; did you mean …?`, and where the two names differ if that is hard to see: in a letter that may look like
/// another (Cyrillic `а`), or that is written in two ways (`é`).
pub(crate) fn did_you_mean_by_letter(name: &str, near: Option<&str>) -> String {
    let mut text = DidYouMean(near).to_string();
    let Some(near) = near else { return text };
    let mut pairs = name.chars().zip(near.chars()).enumerate();
    let differs = pairs.find(|(_, (here, there))| here != there);
    if let Some((at, (here, there))) = differs.filter(|(_, (a, b))| !(a.is_ascii() && b.is_ascii()))
    {
        let (at, here, there) = (at + 1, u32::from(here), u32::from(there));
        text.push_str(&format!(" (letter {at} is U+{here:04X} here, U+{there:04X} there)"));
    }
    text
}

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

impl ModelBuilder<'_> {
    pub(crate) fn find_variable(&mut self, name: &str, span: Span) -> Option<VariableId> {
        if let Some(&id) = self.variables.get(name) {
            return Some(id);
        }
        if !self.is_no_news(name) {
            let known = self.model.variables.iter().map(|variable| variable.name.as_str());
            let near = self.report.nearest(name, known);
            let text = format!("unknown variable `{name}`{}", did_you_mean_by_letter(name, near));
            let declare = self.words(
                format!("`var {name}: first_value, second_value`"),
                format!("`{{\"name\": \"{name}\", \"values\": [\"first\", \"second\"]}}`"),
            );
            let dotted = name.split_once('.').filter(|(owner, _)| self.is_variable(owner));
            let cure = match (dotted, near) {
                (Some((owner, value)), _) => {
                    format!("write the value apart, as in `{owner} = {value}`")
                }
                (None, Some(near)) => format!("write `{near}`, or declare it: {declare}"),
                (None, None) => format!("declare it: {declare}"),
            };
            self.report.say(Code::UnknownVariable, span, text, cure);
        }
        None
    }

    /// The values of a variable.
    pub(crate) fn value_names(&self, variable: VariableId) -> &[String] {
        &self.model.variables[variable.index()].values
    }

    pub(crate) fn value_name(&self, variable: VariableId, value: ValueId) -> &str {
        &self.model.variables[variable.index()].values[value.index()]
    }

    pub(crate) fn variable_name(&self, variable: VariableId) -> &str {
        &self.model.variables[variable.index()].name
    }

    /// The value without a report; `None` if the variable has no such value.
    pub(crate) fn value_of(&self, variable: VariableId, name: &str) -> Option<ValueId> {
        match self.values.get(&variable) {
            Some(index) => index.get(name).copied(),
            None => {
                let values = &self.model.variables[variable.index()].values;
                values.iter().position(|value| value == name).map(ValueId::at)
            }
        }
    }

    pub(crate) fn find_value(
        &mut self,
        variable: VariableId,
        name: &str,
        span: Span,
    ) -> Option<ValueId> {
        if let Some(value) = self.value_of(variable, name) {
            return Some(value);
        }
        if self.reported_type_word(variable, name) {
            return None;
        }
        let declared = &self.model.variables[variable.index()];
        let values = || declared.values.iter().map(String::as_str);
        // No number is a slip of the pen for another one.
        let is_number = names::as_integer(name).is_some();
        let near = if is_number { None } else { self.report.nearest(name, values()) };
        let near = near.or_else(|| {
            truth(name)
                .filter(|truth| values().eq(["false", "true"]) && values().any(|v| v == *truth))
        });
        let cure = match (near, names::as_range(&declared.values)) {
            (Some(near), _) => format!("write `{near}`"),
            (None, Some(range)) => format!("`{}` is one of {range}", declared.name),
            (None, None) => format!("`{}` is one of: {}", declared.name, some_of(values())),
        };
        let text = format!(
            "`{}` has no value `{name}`{}",
            declared.name,
            did_you_mean_by_letter(name, near)
        );
        self.report.say(Code::UnknownValue, span, text, cure);
        None
    }

    /// Whether the variable has the name of a type for its only value, as in `var lamp: boolean`:
    /// then that is the mistake, said once, where it stands.
    fn reported_type_word(&mut self, variable: VariableId, missing: &str) -> bool {
        let Variable { name, values, span, .. } = &self.model.variables[variable.index()];
        let [only] = &values[..] else { return false };
        let Some(write) = instead_of_type(only) else { return false };
        let text =
            format!("`{only}` is the only value of `{name}`, so it has no value `{missing}`");
        let cure =
            self.words(format!("write `var {name}: {write}`"), "list its values".to_string());
        self.report.say(Code::UnknownValue, *span, text, cure);
        true
    }

    /// `; did you mean …?` of the variables; `None` if the name is no news.
    pub(crate) fn near_variable(&mut self, name: &str) -> Option<String> {
        if self.is_no_news(name) {
            return None;
        }
        let known = self.model.variables.iter().map(|variable| variable.name.as_str());
        Some(did_you_mean_by_letter(name, self.report.nearest(name, known)))
    }

    /// Whether a variable has this name.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    pub(crate) fn find_fact(
        &mut self,
        (variable, variable_span): (&str, Span),
        (value, value_span): (&str, Span),
    ) -> Option<Fact> {
        let variable = self.find_variable(variable, variable_span)?;
        let value = self.find_value(variable, value, value_span)?;
        Some(Fact { variable, value })
    }

    /// The check of this name, taken in on first mention.
    pub(crate) fn check_named(&mut self, name: &str, span: Span) -> Option<CheckId> {
        if let Some(&id) = self.checks.get(name) {
            self.check_uses[id.index()].1 += 1;
            return Some(id);
        }
        let (count, limit) = (self.model.checks.len(), self.limits.declarations);
        if !self.within(count, limit, Code::TooManyDeclarations, span, "context checks")
            || !self.name_fits(name, span)
        {
            self.unknown.checks = true;
            return None;
        }
        let id = CheckId::at(count);
        self.model.checks.push(name.to_string());
        self.check_uses.push((span, 1));
        self.checks.insert(name.to_string(), id);
        Some(id)
    }

    /// A check that some action already mentions.
    pub(crate) fn find_check(&mut self, name: &str, span: Span) -> Option<CheckId> {
        if let Some(&id) = self.checks.get(name) {
            return Some(id);
        }
        if self.unknown.checks || self.unknown.names {
            return None;
        }
        let known = self.model.checks.iter().map(String::as_str);
        let near = self.report.nearest(name, known.clone());
        let cure = match known.len() {
            0 => format!("no action has a check; give one to an action: `if {name}`"),
            _ => format!("the checks of this domain: {}", some_of(known)),
        };
        let text =
            format!("no action asks for a check `{name}`{}", did_you_mean_by_letter(name, near));
        self.report.say(Code::UnknownCheck, span, text, cure);
        None
    }

    /// All actions that a list of references names, in declared order, each once.
    pub(crate) fn action_list(
        &mut self,
        references: &[Reference],
        capabilities: bool,
    ) -> Vec<ActionId> {
        let mut list = Vec::new();
        for reference in references {
            let count = self.count_actions(reference, capabilities);
            // Counted before it is written out; beyond the limit nothing is kept.
            if !self.spend(count, reference.span) {
                return Vec::new();
            }
            self.add_actions(reference, capabilities, &mut list);
        }
        warn_repeated(&mut self.report, references);
        list.sort_unstable();
        list.dedup();
        list
    }

    /// How many actions a reference stands for.
    fn count_actions(&self, reference: &Reference, capabilities: bool) -> usize {
        let name = reference.name.as_str();
        if let Some(members) = self.templates.get(name) {
            return members.len();
        }
        if capabilities && self.is_everything(name) {
            return self.model.actions.len();
        }
        let capability = self.capabilities.get(name).filter(|_| capabilities);
        capability.map_or(1, |&at| self.capability_list[at].members.len())
    }

    /// Whether a name means all actions: `everything`, unless something is called so.
    fn is_everything(&self, name: &str) -> bool {
        name == EVERYTHING
            && !self.actions.contains_key(name)
            && !self.capabilities.contains_key(name)
            && self.templates.get(name).is_none()
    }

    fn add_actions(&mut self, reference: &Reference, capabilities: bool, list: &mut Vec<ActionId>) {
        let name = reference.name.as_str();
        if let Some(&action) = self.actions.get(name) {
            list.push(action);
        } else if let Some(members) = self.templates.get(name) {
            list.extend_from_slice(members);
        } else if let Some(&at) = self.capabilities.get(name).filter(|_| capabilities) {
            self.capability_list[at].used = true;
            list.extend_from_slice(&self.capability_list[at].members);
        } else if capabilities && self.is_everything(name) {
            list.extend((0..self.model.actions.len()).map(ActionId::at));
        } else {
            self.report_unknown_action(reference, capabilities);
        }
    }

    /// Whether an action or a template of this name exists; reported if not.
    pub(crate) fn has_action(&mut self, reference: &Reference) -> bool {
        let name = reference.name.as_str();
        let known = self.actions.contains_key(name) || self.templates.get(name).is_some();
        if !known {
            self.report_unknown_action(reference, false);
        }
        known
    }

    fn report_unknown_action(&mut self, reference: &Reference, capabilities: bool) {
        let name = reference.name.as_str();
        if self.is_no_news(name) {
            return;
        }
        if self.capabilities.contains_key(name) {
            let text = format!("`{name}` is a capability; only an action can stand here");
            let cure = "list the actions of the capability here";
            self.report.say(Code::UnknownAction, reference.span, text, cure);
            return;
        }
        let base = names::template_of(name).unwrap_or(name);
        // `go(pip)`: look among the actions of `go` first, if there is such a template.
        let own = self.templates.get(base).filter(|_| base != name).unwrap_or_default();
        let own = own.iter().map(|id| self.model.actions[id.index()].name.as_str());
        let mut near = self.report.nearest(name, own);
        if near.is_none() {
            let plain = self.model.actions.iter().map(|action| action.name.as_str());
            let listed = self.capability_list.iter().filter(|_| capabilities);
            let groups = self.templates.names().chain(listed.map(|c| c.name.as_str()));
            near = self.report.nearest(name, plain.chain(groups));
        }
        let declare = self.words(
            format!("`action {name}: variable from -> to`"),
            format!("`{{\"name\": \"{name}\", \"sets\": {{…}}}}`"),
        );
        let all = ["all", "any", "anything", "every", "all_actions"].contains(&name);
        let cure = match near {
            _ if all && capabilities => "write `everything` for all actions".to_string(),
            Some(near) => format!("write `{near}`, or declare it: {declare}"),
            None => format!("declare it: {declare}"),
        };
        let what = if capabilities { "action or capability" } else { "action" };
        let text = format!("unknown {what} `{name}`{}", did_you_mean_by_letter(name, near));
        self.report.say(Code::UnknownAction, reference.span, text, cure);
    }

    /// All goals that a list of references names, in declared order, each once.
    pub(crate) fn goal_list(&mut self, references: &[Reference]) -> Vec<GoalId> {
        let mut list = Vec::new();
        for reference in references {
            let all = reference.name == EVERYTHING && self.goals_named(EVERYTHING).is_none();
            let members = match all {
                true => self.model.goals.len(),
                false => self.goals_named(&reference.name).map_or(1, <[GoalId]>::len),
            };
            if !self.spend(members, reference.span) {
                return Vec::new();
            }
            match self.goals_named(&reference.name) {
                _ if all => list.extend((0..self.model.goals.len()).map(GoalId::at)),
                Some(members) => list.extend_from_slice(members),
                None => self.report_unknown_goal(reference),
            }
        }
        warn_repeated(&mut self.report, references);
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The goals that a name in a list stands for: one, alternatives, or a whole template.
    fn goals_named(&self, name: &str) -> Option<&[GoalId]> {
        let one = self.goals.get(name).map(std::slice::from_ref);
        one.or_else(|| self.goal_groups.get(name)).or_else(|| self.goal_templates.get(name))
    }

    /// The goal of this name, or its alternatives.
    pub(crate) fn find_goal(&mut self, reference: &Reference) -> Option<Target> {
        if let Some(&goal) = self.goals.get(&reference.name) {
            return Some(Target::Goal(goal));
        }
        let group = self.goal_groups.get(&reference.name).map(<[GoalId]>::to_vec);
        match group {
            None => self.report_unknown_goal(reference),
            Some(_) if !self.spend(group.iter().flatten().count(), reference.span) => return None,
            Some(_) => {}
        }
        group.map(Target::Any)
    }

    fn report_unknown_goal(&mut self, reference: &Reference) {
        let name = reference.name.as_str();
        if self.is_no_news(name) {
            return;
        }
        let of_template = self.goal_templates.get(name).map(|members| members.len());
        let known = self.model.goals.iter().map(|goal| goal.name.as_str());
        let groups = self.goal_templates.names().chain(self.goal_groups.names());
        let near = self.report.nearest(name, known.chain(groups));
        let declare = self.words(
            format!("`goal {name}: variable = value`"),
            format!("`{{\"name\": \"{name}\", \"wants\": {{…}}}}`"),
        );
        let (text, cure) = match of_template {
            Some(count) => (
                format!("`{name}` is a template of {count} goals; a test needs one of them"),
                format!("say which, such as `{}`", self.first_goal_of(name)),
            ),
            None => (
                format!("unknown goal `{name}`{}", did_you_mean_by_letter(name, near)),
                match near {
                    Some(near) => format!("write `{near}`, or declare it: {declare}"),
                    None => format!("declare it: {declare}"),
                },
            ),
        };
        self.report.say(Code::UnknownGoal, reference.span, text, cure);
    }

    fn first_goal_of<'s>(&'s self, template: &'s str) -> &'s str {
        let first = self.goal_templates.get(template).and_then(|members| members.first());
        first.map_or(template, |id| &self.model.goals[id.index()].name)
    }

    pub(crate) fn find_npc(&mut self, name: &str, span: Span) -> Option<NpcTypeId> {
        if let Some(&id) = self.npcs.get(name) {
            return Some(id);
        }
        if self.is_no_news(name) {
            return None;
        }
        let known = self.model.npcs.iter().map(|npc| npc.name.as_str());
        let near = self.report.nearest(name, known.clone());
        let cure = match known.len() {
            0 => "declare it with `npc`, or leave the name out: everybody can do everything"
                .to_string(),
            _ => format!("the NPC types of this domain: {}", some_of(known)),
        };
        let text = format!("unknown NPC type `{name}`{}", did_you_mean_by_letter(name, near));
        self.report.say(Code::UnknownNpc, span, text, cure);
        None
    }

    /// Whether the reference names exactly this action, not its template.
    pub(super) fn names_one(&self, reference: &Reference, action: ActionId) -> bool {
        self.model.actions[action.index()].name == reference.name
    }
}

fn warn_repeated(report: &mut Report, references: &[Reference]) {
    let mut seen = std::collections::HashMap::new();
    for reference in references {
        if let Some(first) = seen.insert(reference.name.as_str(), reference.span) {
            report.say_also(
                Code::ListedTwice,
                reference.span,
                (first, "first listed here"),
                format!("`{}` is listed twice", reference.name),
                "remove one",
            );
        }
    }
}
