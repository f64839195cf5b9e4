//! Statements that read well and mean nothing, told with the words that were probably meant.
//!
//! In:   a statement whose names are known.
//! Out:  reports.
//! Cost: one look at each condition and change.

use super::alternatives::Tree;
use super::dimensions::Source;
use super::sets::Runs;
use super::{Demand, Expansion, Operand, OutcomeKind, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::parse::BEFORE_CHANGES;
use crate::formats::npc::syntax::{Change, Effect, Head, Relation, Word};
use crate::model::{SelectId, VariableId};
use crate::names;
use crate::source::Span;
use std::collections::HashMap;

impl Expansion<'_> {
    /// `while night`: a variable without a value, or a check behind the wrong word.
    pub(super) fn report_bare(
        &self,
        word: Word<'_>,
        after: Option<&str>,
        negated: bool,
        builder: &mut ModelBuilder,
    ) {
        let name = word.text;
        let nothing = format!("`{name}` is compared with nothing");
        let known = builder.model.find_variable(name);
        let before = after.filter(|after| builder.is_variable(after));
        if let Some(variable) = known {
            let declared = &builder.model[variable];
            let value = declared.values().name_of(usize::from(declared.is_bool() && !negated));
            let sign = if negated && value != "false" { "!=" } else { "=" };
            let cure = format!("write `{name} {sign} {value}`");
            builder.report.say(Code::Expected, word.span, nothing, cure);
        } else if let Some(variable) = before {
            // `door = open or ajar`.
            let cure = format!("repeat the variable: `{variable} = {name}`");
            builder.report.say(Code::Expected, word.span, nothing, cure);
        } else if self.what == "goals" {
            builder.find_variable(name, word.span);
        } else if builder.reported_check(name, word.span) {
        } else if let Some(near) = builder.near_variable(name) {
            let not = if negated { "not " } else { "" };
            let text = format!("`{name}` is no variable{near}");
            let cure = format!("to ask the game, write `if {not}{name}`");
            builder.report.say(Code::UnknownVariable, word.span, text, cure);
        }
    }

    /// `effect mood -> calm`: reads as a variable `effect` that has the value `mood`.
    pub(super) fn misread_effect(&self, effect: &Effect<'_>, builder: &mut ModelBuilder) -> bool {
        let word = effect.variable;
        let Change::Move { from: Some(variable), to } = effect.change else { return false };
        let misread = BEFORE_CHANGES.contains(&word.text)
            && !builder.is_variable(word.text)
            && builder.is_variable(variable.text);
        if misread {
            let text = format!("unknown variable `{}`", word.text);
            let cure = format!(
                "changes stand right behind the colon, without a word before them: `{} -> {}`",
                variable.text, to.text
            );
            builder.report.say(Code::UnknownVariable, word.span, text, cure);
        }
        misread
    }

    /// Says why nothing of the statement exists: by a condition that no value meets, or a count that
    /// leads out of the range; else in general.
    pub(super) fn report_nothing_exists(&self, builder: &mut ModelBuilder) {
        let name = self.head.name.text;
        if self.report_number_that_never_fits(builder) {
            return;
        }
        let (span, text, cure) = match self.nothing_left(builder) {
            Some((variable, span)) => {
                let variable = &builder.model[variable].name();
                let text = format!("no value of `{variable}` meets all conditions of `{name}`");
                (span, text, "leave one of them out, or join them by `or`")
            }
            None => match self.slots_that_are_no_values(builder) {
                Some((variable, select)) => {
                    let (variable, select) =
                        (builder.model[variable].name(), builder.model[select].name());
                    let text = format!(
                        "`{name}` is never there: no slot of `{select}` is a value of `{variable}`"
                    );
                    let cure = format!("write `any {select}` among the values of `var {variable}`");
                    return builder.report.say(Code::NothingExists, self.head.span, text, cure);
                }
                None => return nothing_at_all(self.head, builder),
            },
        };
        builder.report.say(Code::NothingExists, span, text, cure);
    }

    /// A variable that is to be what a parameter over a select stands for, and has none of its
    /// slots.
    fn slots_that_are_no_values(&self, builder: &ModelBuilder) -> Option<(VariableId, SelectId)> {
        let set = self.outcomes.iter().filter_map(|outcome| match outcome.kind {
            OutcomeKind::Set(term) => Some((outcome.variable, term)),
            _ => None,
        });
        let asked = self.all_demands().filter_map(|demand| match demand.operand {
            Operand::Term(term) => Some((demand.variable, term)),
            Operand::Number(_) => None,
        });
        set.chain(asked).find_map(|(variable, term)| {
            let Term::Dimension(at) = term else { return None };
            let Source::Select(select) = self.dimensions.get(at)?.source else { return None };
            let has_it = builder.model[variable].picks().iter().any(|(_, of)| *of == select);
            (!has_it).then_some((variable, select))
        })
    }

    /// Reports a condition that no value meets, or a count that leads out of the range, if there
    /// is one.
    pub(super) fn report_number_that_never_fits(&self, builder: &mut ModelBuilder) -> bool {
        let never = self.never_holds(builder).or_else(|| self.count_out_of_range(builder));
        let Some((variable, what, span)) = never else { return false };
        let (name, values) = (builder.model[variable].name(), builder.model[variable].values());
        let range = match values.words() {
            Some(words) => names::as_range(words).unwrap_or_else(|| words.join(", ")),
            None => format!("{values:?}"),
        };
        let text = format!("`{name}` is {range}, so `{name} {what}");
        let cure = format!("use a number that fits, or widen `var {name}: {range}`");
        builder.report.say(Code::NothingExists, span, text, cure);
        true
    }

    /// All conditions that must hold whatever alternative is taken.
    fn all_demands(&self) -> impl Iterator<Item = &Demand> {
        let asked =
            self.asked.iter().flat_map(|asked| &asked.trees).filter_map(|tree| match tree {
                Tree::Leaf(demand) => Some(demand),
                _ => None,
            });
        self.demands.iter().chain(asked)
    }

    /// A condition that compares with a number and that no value meets.
    fn never_holds(&self, builder: &ModelBuilder) -> Option<(VariableId, String, Span)> {
        let compared = self.all_demands().filter(|demand| demand.relation != Relation::Is);
        compared.into_iter().find_map(|demand| {
            let Operand::Number(number) = demand.operand else { return None };
            let never = self.allowed(demand, &[], builder).is_empty();
            let what = format!("{} {number}` never holds", demand.relation.sign());
            never.then_some((demand.variable, what, demand.span))
        })
    }

    /// A variable of which the conditions together leave no value.
    fn nothing_left(&self, builder: &mut ModelBuilder) -> Option<(VariableId, Span)> {
        for asked in self.asked.iter().filter(|asked| !asked.trees.iter().any(Tree::has_parameter))
        {
            let mut left: Option<Runs> = None;
            for tree in &asked.trees {
                let allowed = self.allowed_by_tree(tree, &[], builder).ok()?;
                left = Some(left.map_or(allowed.clone(), |left| left.both(&allowed)));
            }
            if left.is_some_and(|left| left.is_empty()) {
                return Some((asked.variable, asked.span));
            }
        }
        let fixed = |demand: &&Demand| !matches!(demand.operand, Operand::Term(Term::Dimension(_)));
        let mut left: HashMap<VariableId, Vec<&Demand>> = HashMap::new();
        for demand in self.demands.iter().filter(fixed) {
            left.entry(demand.variable).or_default().push(demand);
        }
        self.demands.iter().filter(fixed).find_map(|last| {
            let of_it = left.get(&last.variable).filter(|of_it| of_it.len() > 1)?;
            let mut all = of_it.iter().map(|demand| self.allowed(demand, &[], builder));
            let first = all.next()?;
            let none = all.fold(first, |all, one| all.both(&one)).is_empty();
            none.then_some((last.variable, last.span))
        })
    }

    fn count_out_of_range(&self, builder: &ModelBuilder) -> Option<(VariableId, String, Span)> {
        self.outcomes.iter().find_map(|outcome| {
            let (OutcomeKind::Add { negative, amount: Operand::Number(amount) }
            | OutcomeKind::Shift { negative, amount: Operand::Number(amount), stop: None }) =
                &outcome.kind
            else {
                return None;
            };
            let values = builder.model[outcome.variable].values();
            let by = if *negative { -amount } else { *amount };
            let never = match values.ends() {
                Some((low, high)) => by.abs() > high - low,
                None => {
                    let fits = |value: &String| {
                        let sum = names::as_integer(value).map(|value| (value + by).to_string());
                        let found =
                            sum.and_then(|sum| builder.model.value_named(outcome.variable, &sum));
                        found.is_some()
                    };
                    !values.iter().any(fits)
                }
            };
            let sign = if *negative { "-=" } else { "+=" };
            never.then(|| {
                (outcome.variable, format!("{sign} {amount}` never happens"), outcome.span)
            })
        })
    }
}

/// Says that nothing of a statement exists.
pub(super) fn nothing_at_all(head: &Head<'_>, builder: &mut ModelBuilder) {
    let text = format!("no combination of values makes `{}` possible", head.name.text);
    let cure = "check the ranges: the values it needs and sets must exist together";
    builder.report.say(Code::NothingExists, head.span, text, cure);
}
