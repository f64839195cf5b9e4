//! Statements that read well and mean nothing, told with the words that were probably meant.
//!
//! In:   a statement whose names are known.
//! Out:  reports.
//! Cost: one look at each condition and change.

use super::facts::holds;
use super::{Demand, Expansion, Operand, OutcomeKind, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::parse::BEFORE_CHANGES;
use crate::formats::npc::syntax::{Change, Effect, Relation, Word};
use crate::model::VariableId;
use crate::names;
use crate::source::Span;

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
            let value = &declared.values[usize::from(declared.is_bool() && !negated)];
            let sign = if negated && value != "false" { "!=" } else { "=" };
            let cure = format!("write `{name} {sign} {value}`");
            builder.report.say(Code::Expected, word.span, nothing, cure);
        } else if let Some(variable) = before {
            // `door = open or ajar`.
            let cure = format!("repeat the variable: `{variable} = {name}`");
            builder.report.say(Code::Expected, word.span, nothing, cure);
        } else if self.what == "goals" {
            builder.find_variable(name, word.span);
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
        let never = self.demands.iter().find_map(|demand| {
            let Operand::Number(number) = demand.operand else { return None };
            let values = &builder.model[demand.variable].values;
            let number = number.to_string();
            let holds = |value: &String| holds(demand.relation, value, &number);
            let sign = demand.relation.sign();
            (demand.relation != Relation::Is && !values.iter().any(holds))
                .then(|| (demand.variable, format!("{sign} {number}` never holds"), demand.span))
        });
        let never = never.or_else(|| self.count_out_of_range(builder));
        if let (None, Some((variable, span))) = (&never, self.nothing_left(builder)) {
            let variable = &builder.model[variable].name;
            let text = format!("no value of `{variable}` meets all conditions of `{name}`");
            let cure = "leave one of them out, or join them by `or`";
            builder.report.say(Code::NothingExists, span, text, cure);
            return;
        }
        let (span, text, cure) = match never {
            Some((variable, what, span)) => {
                let variable_name = &builder.model[variable].name;
                let values = &builder.model[variable].values;
                let range = names::as_range(values).unwrap_or_else(|| values.join(", "));
                (
                    span,
                    format!("`{variable_name}` is {range}, so `{variable_name} {what}"),
                    format!("use a number that fits, or widen `var {variable_name}: {range}`"),
                )
            }
            None => (
                self.head.span,
                format!("no combination of values makes `{name}` possible"),
                "check the ranges: the values it needs and sets must exist together".to_string(),
            ),
        };
        builder.report.say(Code::NothingExists, span, text, cure);
    }

    /// A variable of which the conditions together leave no value.
    fn nothing_left(&self, builder: &ModelBuilder) -> Option<(VariableId, Span)> {
        let fixed = |demand: &&Demand| !matches!(demand.operand, Operand::Term(Term::Dimension(_)));
        self.demands.iter().filter(fixed).find_map(|last| {
            let variable = last.variable;
            let of_it = || self.demands.iter().filter(fixed).filter(|d| d.variable == variable);
            let meets = |value: &String| {
                of_it().all(|demand| {
                    let other = self.operand_name(variable, demand.operand, &[], builder);
                    holds(demand.relation, value, &other)
                })
            };
            let none = !builder.model[variable].values.iter().any(meets);
            (none && of_it().count() > 1).then_some((variable, last.span))
        })
    }

    fn count_out_of_range(&self, builder: &ModelBuilder) -> Option<(VariableId, String, Span)> {
        self.outcomes.iter().find_map(|outcome| {
            let OutcomeKind::Add { negative, amount: Operand::Number(amount) } = &outcome.kind
            else {
                return None;
            };
            let values = &builder.model[outcome.variable].values;
            let by = if *negative { -amount } else { *amount };
            let fits = |value: &String| {
                let sum = names::as_integer(value).map(|value| (value + by).to_string());
                sum.is_some_and(|sum| builder.model.value_named(outcome.variable, &sum).is_some())
            };
            let sign = if *negative { "-=" } else { "+=" };
            let never = !values.iter().any(fits);
            never.then(|| {
                (outcome.variable, format!("{sign} {amount}` never happens"), outcome.span)
            })
        })
    }
}
