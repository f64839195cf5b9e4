//! Statements into declarations: the meaning of the `.npc` tree.
//!
//! In:   all statements of all files, order free.
//! Out:  declarations handed to the [`ModelBuilder`] in the order it wants them.
//! Cost: linear in the statements and in what templates become (`template.rs`).

use super::amounts;
use super::checks::checks;
use super::syntax::*;
use super::template;
use crate::build::*;
use crate::diagnostics::Code;
use crate::model::{Expect, Fact};
use crate::names;
use crate::source::Span;

/// Hands every statement to the builder.
pub(super) fn expand(statements: &[Statement<'_>], builder: &mut ModelBuilder<'_>) {
    for statement in statements {
        if let Statement::Variable(syntax) = statement {
            variable(syntax, builder);
        }
    }
    for statement in statements {
        if let Statement::Action(syntax) = statement {
            template::actions(syntax, builder);
        }
    }
    // Compounds speak of actions, so they come after all of them.
    for statement in statements {
        if let Statement::Compound(syntax) = statement {
            compound(syntax, builder);
        }
    }
    for statement in statements {
        if let Statement::Goal(syntax) = statement {
            template::goals(syntax, builder);
        }
    }
    for statement in statements {
        if let Statement::Capability(syntax) = statement {
            builder.declare_capability(syntax.name.text, &syntax.members, syntax.name.span);
        }
    }
    for statement in statements {
        if let Statement::Prefer(syntax) = statement {
            builder.declare_wish(&syntax.before, &syntax.after, syntax.span);
        }
    }
    for statement in statements {
        if let Statement::Npc(syntax) = statement {
            npc(syntax, builder);
        }
    }
    for statement in statements {
        if let Statement::Test(syntax) = statement {
            test(syntax, builder);
        }
    }
    for statement in statements {
        if let Statement::Note(note) = statement {
            builder.add_note(note.clone());
        }
    }
}

/// A word as a reference.
pub(super) fn reference(word: &Word<'_>) -> Reference {
    Reference { name: word.text.to_string(), span: word.span }
}

fn references(words: &[Word<'_>]) -> Vec<Reference> {
    words.iter().map(reference).collect()
}

fn variable(syntax: &VariableSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    if builder.is_full() {
        builder.add_broken(syntax.name.text);
        return;
    }
    let errors = builder.report.errors();
    let mut values = Vec::new();
    match &syntax.values[..] {
        [Values::One(word)] if word.text == "bool" => {
            values.extend(["false", "true"].map(|value| (value.to_string(), word.span)));
        }
        several => {
            for entry in several {
                match entry {
                    Values::One(word) => values.extend(single_value(word, builder)),
                    Values::Range { first, last } => range(first, last, &mut values, builder),
                }
            }
        }
    }
    if builder.report.errors() > errors {
        builder.add_broken(syntax.name.text);
        return;
    }
    builder.declare_variable(VariableDraft {
        name: syntax.name.text.to_string(),
        values,
        shared: syntax.shared,
        was: references(&syntax.was),
        span: syntax.name.span,
    });
}

fn single_value(word: &Word<'_>, builder: &mut ModelBuilder<'_>) -> Option<(String, Span)> {
    if names::is_npc_value(word.text) {
        return Some((word.text.to_string(), word.span));
    }
    builder.report.say(
        Code::BadInteger,
        word.span,
        format!("`{}` is not how a whole number is written", word.text),
        "write whole numbers without leading zeros and with at most fifteen digits",
    );
    None
}

fn range(
    first: &Word<'_>,
    last: &Word<'_>,
    values: &mut Vec<(String, Span)>,
    builder: &mut ModelBuilder<'_>,
) {
    let span = first.span.to(last.span);
    let (Some(low), Some(high)) = (names::as_integer(first.text), names::as_integer(last.text))
    else {
        let long = |word: &Word<'_>| word.text.trim_start_matches('-').len() > 15;
        let cure = match long(first) || long(last) {
            true => "use smaller numbers: they have at most fifteen digits",
            false => "write two whole numbers without leading zeros, as in `var ammo: 0..6`",
        };
        let text = format!("`{}..{}` is no range of whole numbers", first.text, last.text);
        builder.report.say(Code::BadInteger, span, text, cure);
        return;
    };
    if low > high {
        builder.report.say(
            Code::EmptyRange,
            span,
            format!("the range {low}..{high} is empty"),
            format!("write the smaller number first: `{high}..{low}`"),
        );
        return;
    }
    let limit = builder.limits().values;
    if high - low >= i64::try_from(limit).unwrap_or(i64::MAX) {
        builder.report.say(
            Code::TooManyValues,
            span,
            format!("the range {low}..{high} has more than {limit} values"),
            "use larger steps: hundreds instead of units, for example",
        );
        return;
    }
    values.extend((low..=high).map(|number| (number.to_string(), span)));
}

/// What names exact values.
#[derive(Clone, Copy)]
enum Role {
    Goal,
    Start,
}

/// Conditions that must name exact values: `starts`, `from`, `to`.
fn exact_facts(
    conditions: &[Condition<'_>],
    role: Role,
    builder: &mut ModelBuilder<'_>,
) -> Vec<(Fact, Span)> {
    let mut facts = Vec::with_capacity(conditions.len());
    for condition in conditions {
        if !is_exact(condition, role, builder) {
            continue;
        }
        let (variable, value) = (&condition.variable, &condition.value);
        let fact = builder.find_fact((variable.text, variable.span), (value.text, value.span));
        facts.extend(fact.map(|fact| (fact, condition.span)));
    }
    facts
}

/// Whether the condition is an equation; reported if not.
fn is_exact(condition: &Condition<'_>, role: Role, builder: &mut ModelBuilder<'_>) -> bool {
    let exact = condition.relation == Relation::Is;
    if !exact {
        let (who, cure) = match role {
            Role::Goal => ("`to` wants", "; if several values will do, declare a `goal`"),
            Role::Start => ("a start is", ""),
        };
        let variable = condition.variable.text;
        // `>= 2` can be mended to `= 2`; `< 2` cannot.
        let value = match condition.relation {
            Relation::AtMost | Relation::AtLeast => condition.value.text,
            _ => "…",
        };
        builder.report.say(
            Code::NeedsExactValue,
            condition.span,
            format!("{who} one exact value, so only `=` can stand here"),
            format!("name the value: `{variable} = {value}`{cure}"),
        );
    }
    exact
}

fn compound(syntax: &CompoundSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    let name = &syntax.name;
    let cost = match &syntax.cost {
        Some(word) => amounts::cost(word.text, word.span, builder).map(Some),
        None => Some(None),
    };
    let checks = checks(&name.name, &syntax.checks, builder);
    let (Some(cost), Some(checks)) = (cost, checks) else {
        builder.add_broken(&name.name);
        return;
    };
    builder.declare_compound(CompoundDraft {
        name: name.name.clone(),
        parts: syntax.parts.clone(),
        checks,
        cost,
        requires: None,
        sets: None,
        overrides: syntax.overrides.clone().into(),
        was: syntax.was.clone(),
        span: name.span,
    });
}

fn npc(syntax: &NpcSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    let starts = exact_facts(&syntax.starts, Role::Start, builder);
    builder.declare_npc(NpcDraft {
        name: syntax.name.text.to_string(),
        can: syntax.can.clone(),
        wants: syntax.wants.clone(),
        starts,
        was: references(&syntax.was),
        span: syntax.name.span,
    });
}

fn test(syntax: &TestSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    let ask = match (&syntax.goal, &syntax.to) {
        (Some(goal), Some((_, span))) => {
            goal_and_to(syntax.name.text, goal.span, *span, builder);
            AskDraft::Best
        }
        (Some(goal), None) => AskDraft::Goal(goal.clone()),
        (None, Some((conditions, _))) => AskDraft::To(exact_facts(conditions, Role::Goal, builder)),
        (None, None) => AskDraft::Best,
    };
    let context = match (&syntax.without, &syntax.only) {
        (Some((_, first)), Some((_, span))) => {
            without_and_only(syntax.name.text, *first, *span, builder);
            ContextDraft::Without(Vec::new())
        }
        (Some((words, _)), None) => ContextDraft::Without(references(words)),
        (None, Some((words, _))) => ContextDraft::Only(references(words)),
        (None, None) => ContextDraft::Without(Vec::new()),
    };
    let from = exact_facts(&syntax.from, Role::Start, builder);
    let mut actions = Vec::new();
    let mut expects = Vec::new();
    let errors = builder.report.errors();
    for (expect, span) in &syntax.expects {
        expectation(expect, *span, &mut expects, &mut actions, builder);
    }
    builder.declare_test(TestDraft {
        name: syntax.name.text.to_string(),
        npc: syntax.npc.as_ref().map(reference),
        from,
        ask,
        context,
        expects,
        complete: builder.report.errors() == errors,
        actions,
        span: syntax.name.span,
    });
}

pub(crate) fn goal_and_to(test: &str, goal: Span, to: Span, builder: &mut ModelBuilder<'_>) {
    builder.report.say_also(
        Code::GoalAndTo,
        to,
        (goal, "the goal is here"),
        format!("test `{test}` has both `goal` and `to`"),
        "keep one: `goal` names a goal, `to` gives values",
    );
}

pub(crate) fn without_and_only(
    test: &str,
    without: Span,
    only: Span,
    builder: &mut ModelBuilder<'_>,
) {
    builder.report.say_also(
        Code::WithoutAndOnly,
        only,
        (without, "`without` is here"),
        format!("test `{test}` has both `without` and `only`"),
        "keep one: `without` names the checks that fail, `only` those that hold",
    );
}

fn expectation(
    syntax: &ExpectSyntax<'_>,
    span: Span,
    expects: &mut Vec<(Expect, Span)>,
    actions: &mut Vec<Reference>,
    builder: &mut ModelBuilder<'_>,
) {
    let expect = match syntax {
        ExpectSyntax::Length(word) => amounts::length(*word, builder).map(Expect::Length),
        ExpectSyntax::Cost(word) => {
            amounts::expected_cost(word.text, word.span, builder).map(Expect::Cost)
        }
        ExpectSyntax::Plan(list) => {
            actions.extend_from_slice(list);
            Some(Expect::Plan(list.iter().map(|reference| reference.name.clone()).collect()))
        }
        ExpectSyntax::Impossible => Some(Expect::Impossible),
        ExpectSyntax::Satisfied => Some(Expect::Satisfied),
        ExpectSyntax::Never(list) => {
            actions.extend_from_slice(list);
            let each = list.iter().map(|reference| (Expect::Never(reference.name.clone()), span));
            expects.extend(each);
            None
        }
    };
    expects.extend(expect.map(|expect| (expect, span)));
}
