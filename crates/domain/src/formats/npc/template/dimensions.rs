//! What a statement is written out over: the values of a variable or the slots of a select, some
//! of them left out.
//!
//! In:   the parameters of a head.
//! Out:  dimensions; what is wrong with a parameter is reported.
//! Cost: a look-up per parameter and per value left out.

use super::{Expansion, Term};
use crate::build::{ModelBuilder, with_argument};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{
    Argument, Arguments, CheckWord, Head, Parameter, Relation, Word,
};
use crate::model::{SelectId, SlotId, ValueId, VariableId};
use std::ops::Range;
use std::rc::Rc;

/// Whose values a dimension takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Variable(VariableId),
    /// The slots, numbered like values.
    Select(SelectId),
}

/// Something that a statement is written out over: values given by name.
#[derive(Clone)]
pub(super) struct Dimension<'t> {
    /// The parameter, or nothing for a list that is counted with.
    pub(super) parameter: Option<Word<'t>>,
    pub(super) source: Source,
    /// The values it takes, if not all.
    only: Option<Rc<[ValueId]>>,
    pub(super) size: usize,
}

impl Dimension<'_> {
    /// All values of a variable that is counted with.
    pub(super) fn counted(variable: VariableId, size: usize) -> Self {
        Dimension { parameter: None, source: Source::Variable(variable), only: None, size }
    }

    /// The value at a position below its size.
    pub(super) fn value(&self, at: usize) -> ValueId {
        self.only.as_ref().and_then(|only| only.get(at).copied()).unwrap_or(ValueId::at(at))
    }

    /// The same with one value alone.
    pub(super) fn fixed(&self, value: ValueId) -> Self {
        Dimension { only: Some([value].into()), size: 1, ..self.clone() }
    }

    /// The variable that is counted with.
    pub(super) fn counted_variable(&self) -> Option<VariableId> {
        match self.source {
            Source::Variable(variable) if self.parameter.is_none() => Some(variable),
            _ => None,
        }
    }

    pub(super) fn name<'b>(&self, value: ValueId, builder: &'b ModelBuilder) -> &'b str {
        match self.source {
            Source::Variable(variable) => builder.value_name(variable, value),
            Source::Select(_) => {
                self.slot(value, builder).map_or("", |slot| builder.model[slot].name())
            }
        }
    }

    pub(super) fn slot(&self, value: ValueId, builder: &ModelBuilder) -> Option<SlotId> {
        match self.source {
            Source::Variable(variable) => builder.model.value_slot(variable, value),
            Source::Select(select) => builder.model[select].slots().nth(value.index()),
        }
    }
}

impl Source {
    fn n_values(self, builder: &ModelBuilder) -> usize {
        match self {
            Source::Variable(variable) => builder.model[variable].values().len(),
            Source::Select(select) => builder.model[select].n_slots(),
        }
    }

    /// The values that a word behind `except` means: one, or all of a group.
    fn named(self, word: &str, builder: &ModelBuilder) -> Option<Range<usize>> {
        let one = |at: usize| at..at + 1;
        match self {
            Source::Variable(variable) => builder.model.values_meant(variable, word),
            Source::Select(select) => {
                let slot = builder.model.find_slot(word)?;
                builder.model[select].slots().position(|own| own == slot).map(one)
            }
        }
    }
}

/// The dimensions of the parameters of a head; `None`, with reports, if something is wrong.
pub(super) fn parameters<'t>(
    arguments: &Arguments<'t>,
    builder: &mut ModelBuilder,
) -> Option<Vec<Dimension<'t>>> {
    let Arguments::Parameters(parameters) = arguments else { return Some(Vec::new()) };
    let mut dimensions: Vec<Dimension<'t>> = Vec::with_capacity(parameters.len());
    let mut complete = true;
    for parameter in parameters {
        let name = parameter.name;
        let same = |it: &&Dimension<'t>| it.parameter.is_some_and(|word| word.text == name.text);
        if let Some(first) = dimensions.iter().find(same).and_then(|it| it.parameter) {
            let text = format!("parameter `{}` is declared twice", name.text);
            builder.report.say_twice(
                Code::ParameterTwice,
                name.span,
                first.span,
                text,
                "rename one",
            );
            complete = false;
            continue;
        }
        match dimension(parameter, builder) {
            Some(dimension) => dimensions.push(dimension),
            None => complete = false,
        }
    }
    complete.then_some(dimensions)
}

/// The names of the values of the first parameter of a head. A word that is called like a slot is
/// a mistake here: what has it in its name would seem to be about the slot.
pub(in super::super) fn values_of_parameter(
    head: &Head<'_>,
    builder: &mut ModelBuilder,
) -> Option<Vec<String>> {
    let dimensions = parameters(&head.arguments, builder)?;
    let dimension = dimensions.first()?;
    let mut names = Vec::with_capacity(dimension.size);
    for value in (0..dimension.size).map(|at| dimension.value(at)) {
        let name = dimension.name(value, builder);
        if dimension.slot(value, builder).is_none() && builder.model.find_slot(name).is_some() {
            let text = format!("the word `{name}` is called like the slot of a select");
            let cure = "rename one of them, or leave it out by `except`";
            builder.report.say(Code::SelectName, head.span, text, cure);
            return None;
        }
        names.push(name.to_string());
    }
    Some(names)
}

fn dimension<'t>(parameter: &Parameter<'t>, builder: &mut ModelBuilder) -> Option<Dimension<'t>> {
    let Word { text: name, span } = parameter.variable;
    let source = match builder.model.find_select(name) {
        Some(select) => Source::Select(select),
        None => Source::Variable(builder.find_variable(name, span)?),
    };
    if let Source::Variable(variable) = source {
        if !super::amounts::ranges_over_words(parameter, variable, builder) {
            return None;
        }
        builder.of_parameters.insert(variable);
    }
    let size = source.n_values(builder);
    let mut out = vec![false; if parameter.except.is_empty() { 0 } else { size }];
    let mut complete = true;
    for word in &parameter.except {
        match source.named(word.text, builder) {
            Some(values) => values.for_each(|at| out[at] = true),
            None => {
                complete = false;
                let text = format!("`{name}` has no value `{}` that could be left out", word.text);
                let cure = format!("write a value of `{name}`, or a group of its values");
                builder.report.say(Code::UnknownValue, word.span, text, cure);
            }
        }
    }
    let only: Option<Rc<[ValueId]>> =
        (!out.is_empty()).then(|| (0..size).filter(|&at| !out[at]).map(ValueId::at).collect());
    let size = only.as_ref().map_or(size, |only| only.len());
    complete.then_some(Dimension { parameter: Some(parameter.name), source, only, size })
}

impl Expansion<'_> {
    /// What a parameter stands for, if it stands for one value alone.
    pub(super) fn fixed_name<'b>(&self, word: &str, builder: &'b ModelBuilder) -> Option<&'b str> {
        let dimension = &self.dimensions[self.dimension_of(word)?];
        (dimension.size == 1).then(|| dimension.name(dimension.value(0), builder))
    }

    /// What the arguments of checks stand for, where they are parameters.
    pub(super) fn arguments(
        &self,
        checks: &[CheckWord<'_>],
        builder: &ModelBuilder,
    ) -> Vec<Option<String>> {
        let name = |word: Word<'_>| self.fixed_name(word.text, builder).map(str::to_string);
        checks.iter().map(|check| check.argument.and_then(name)).collect()
    }

    /// The variable of a name and of what it is about; reported if there is none. That there is
    /// none for this value of a parameter is no mistake.
    pub(super) fn variable(
        &self,
        word: Word<'_>,
        argument: Argument<'_>,
        counts: bool,
        builder: &mut ModelBuilder,
    ) -> Option<VariableId> {
        let fixed = argument.and_then(|it| self.fixed_name(it.text, builder).map(str::to_string));
        let argument = fixed.as_deref().or(argument.map(|word| word.text));
        let name = with_argument(word.text, argument);
        let known = builder.model.find_variable(&name);
        if known.is_some() {
            return known;
        }
        if fixed.is_some() && builder.is_variable_template(word.text) {
            self.is_missing.set(true);
            return None;
        }
        match counts {
            true => builder.find_amount(&name, word.span),
            false => builder.find_variable(&name, word.span),
        }
    }

    /// The values of a variable that a word means which is none of them, but a group.
    pub(super) fn group(
        &self,
        variable: VariableId,
        relation: Relation,
        word: Word<'_>,
        builder: &ModelBuilder,
    ) -> Option<Range<usize>> {
        let has_groups = builder.model.has_groups();
        if !has_groups || relation.is_by_size() || self.dimension_of(word.text).is_some() {
            return None;
        }
        builder.model.group(variable, word.text)
    }

    /// Warns of a parameter that takes words which mean "nothing" beside slots: to go there is to
    /// go nowhere.
    pub(super) fn warn_of_words_beside_slots(&self, builder: &mut ModelBuilder) {
        let Arguments::Parameters(parameters) = &self.head.arguments else { return };
        for (at, (dimension, parameter)) in self.dimensions.iter().zip(parameters).enumerate() {
            let Source::Variable(variable) = dimension.source else { continue };
            let model = &builder.model;
            let sets = self.outcomes.iter().any(|outcome| {
                let is_set = matches!(outcome.kind, super::OutcomeKind::Set(Term::Dimension(it)) if it == at);
                is_set && outcome.variable == variable
            });
            if !sets || !parameter.except.is_empty() || model[variable].picks().is_empty() {
                continue;
            }
            let mut words = (0..model[variable].values().len()).map(ValueId::at);
            let Some(word) = words.find(|&value| model.value_slot(variable, value).is_none())
            else {
                continue;
            };
            let (word, whose) = (builder.value_name(variable, word), model[variable].name());
            let (name, action) = (parameter.name.text, self.head.name.text);
            let text = format!("`{action}` may go for `{word}`, which is nothing that was picked");
            let cure = format!("leave it out: `{action}({name} in {whose} except {word})`");
            builder.report.say(Code::WordBesideSlots, parameter.variable.span, text, cure);
        }
    }
}
