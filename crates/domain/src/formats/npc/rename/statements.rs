//! Statements: each name by what it is the name of.

use super::{Kind, Renaming};
use crate::build::ExpectDraft;
use crate::formats::npc::syntax::*;

const ACTIONS: [Kind; 2] = [Kind::Action, Kind::Capability];

impl<'t> Renaming<'t> {
    fn word(&self, kinds: &[Kind], word: &mut Word<'t>) {
        word.text = self.new_name(kinds, word.text).unwrap_or(word.text);
    }

    fn reference(&self, kinds: &[Kind], reference: &mut Reference<'t>) {
        if let Some(name) = self.new_reference(kinds, &reference.name) {
            reference.name = name.into();
        }
    }

    fn references(&self, kinds: &[Kind], list: &mut [Reference<'t>]) {
        list.iter_mut().for_each(|reference| self.reference(kinds, reference));
    }

    fn argument(&self, argument: &mut Argument<'t>, parameters: &[&str]) {
        if let Some(word) = argument.as_mut().filter(|word| !parameters.contains(&word.text)) {
            word.text = self.new_slot(word.text).unwrap_or(word.text);
        }
    }

    fn value(&self, variable: &str, word: &mut Word<'t>, parameters: &[&str]) {
        if !parameters.contains(&word.text) {
            word.text = self.new_value(variable, word.text).unwrap_or(word.text);
        }
    }

    fn head(&self, kind: Kind, head: &mut Head<'t>) {
        self.word(&[kind], &mut head.name);
        match &mut head.arguments {
            Arguments::None => {}
            Arguments::Values(values) => {
                for word in values {
                    word.text = self.new_slot(word.text).unwrap_or(word.text);
                }
            }
            Arguments::Parameters(parameters) => {
                for parameter in parameters {
                    let of = parameter.variable.text;
                    for word in &mut parameter.except {
                        let is_slot = self.select_of(of).is_some();
                        let slot = is_slot.then(|| self.new_slot(word.text)).flatten();
                        word.text =
                            slot.or_else(|| self.new_value(of, word.text)).unwrap_or(word.text);
                    }
                    self.word(&[Kind::Variable, Kind::Select], &mut parameter.variable);
                }
            }
        }
    }

    fn condition(&self, condition: &mut Condition<'t>, parameters: &[&str]) {
        let variable = condition.variable.text;
        self.value(variable, &mut condition.value, parameters);
        // An amount may be compared with another.
        if !parameters.contains(&condition.value.text) {
            let is_value = self.declared.listed.get(variable);
            let is_value = is_value.is_some_and(|(words, _)| words.contains(condition.value.text));
            if !is_value {
                self.word(&[Kind::Variable], &mut condition.value);
            }
        }
        self.argument(&mut condition.argument, parameters);
        self.word(&[Kind::Variable], &mut condition.variable);
    }

    fn formula(&self, formula: &mut Formula<'t>, parameters: &[&str]) {
        match formula {
            Formula::One(condition) => self.condition(condition, parameters),
            Formula::Bare(word, _) => self.word(&[Kind::Variable], word),
            Formula::Not(inner) => self.formula(inner, parameters),
            Formula::All(list) | Formula::Any(list) => {
                list.iter_mut().for_each(|formula| self.formula(formula, parameters));
            }
        }
    }

    fn checks(&self, checks: &mut [CheckWord<'t>], parameters: &[&str]) {
        for check in checks {
            self.argument(&mut check.argument, parameters);
            self.word(&[Kind::Check], &mut check.name);
        }
    }

    fn effect(&self, effect: &mut Effect<'t>, parameters: &[&str]) {
        let variable = effect.variable.text;
        if let Change::Move { from, to } = &mut effect.change {
            from.iter_mut().for_each(|from| self.value(variable, from, parameters));
            self.value(variable, to, parameters);
        }
        self.argument(&mut effect.argument, parameters);
        self.word(&[Kind::Variable], &mut effect.variable);
    }

    pub(in super::super) fn statement(&self, statement: &mut Statement<'t>) {
        match statement {
            Statement::Domain(_) | Statement::Use(..) | Statement::Note(_) => {}
            Statement::Variable(it) => {
                self.head(Kind::Variable, &mut it.head);
                for values in &mut it.values {
                    if let Values::Any(word) = values {
                        self.word(&[Kind::Select], word);
                    }
                }
            }
            Statement::Action(it) => {
                let parameters = parameters(&it.head);
                self.head(Kind::Action, &mut it.head);
                it.effects.iter_mut().for_each(|effect| self.effect(effect, &parameters));
                it.conditions.iter_mut().for_each(|it| self.formula(it, &parameters));
                self.checks(&mut it.checks, &parameters);
                for kind in &mut it.kinds {
                    self.checks(&mut kind.checks, &parameters);
                }
                for word in &mut it.needs {
                    if !parameters.contains(&word.text) {
                        word.text = self.new_slot(word.text).unwrap_or(word.text);
                    }
                }
                self.references(&ACTIONS, &mut it.overrides);
            }
            Statement::Compound(it) => {
                self.reference(&ACTIONS, &mut it.name);
                self.references(&ACTIONS, &mut it.parts);
                self.checks(&mut it.checks, &[]);
                self.references(&ACTIONS, &mut it.overrides);
            }
            Statement::Goal(it) => {
                let parameters = parameters(&it.head);
                self.head(Kind::Goal, &mut it.head);
                it.conditions.iter_mut().for_each(|it| self.formula(it, &parameters));
                it.serves.iter_mut().for_each(|it| self.reference(&[Kind::Goal], it));
            }
            Statement::Prefer(it) => {
                self.references(&ACTIONS, &mut it.before);
                self.references(&ACTIONS, &mut it.after);
            }
            Statement::Capability(it) => {
                self.word(&[Kind::Capability], &mut it.name);
                self.references(&ACTIONS, &mut it.members);
            }
            Statement::Npc(it) => {
                self.word(&[Kind::Npc], &mut it.name);
                self.references(&ACTIONS, &mut it.can);
                self.references(&[Kind::Goal], &mut it.wants);
                it.starts.iter_mut().for_each(|it| self.condition(it, &[]));
            }
            Statement::Test(it) => self.test(it),
        }
    }

    fn test(&self, test: &mut TestSyntax<'t>) {
        let draft = &mut test.draft;
        self.word(&[Kind::Test], &mut draft.name);
        draft.npc.iter_mut().for_each(|npc| self.word(&[Kind::Npc], npc));
        draft.from.iter_mut().for_each(|it| self.condition(it, &[]));
        draft.goal.iter_mut().for_each(|it| self.reference(&[Kind::Goal], it));
        for (checks, _) in draft.without.iter_mut().chain(&mut draft.only) {
            self.references(&[Kind::Check], checks);
        }
        for (expect, _) in &mut draft.expects {
            if let ExpectDraft::Plan(list) | ExpectDraft::Never(list) = expect {
                self.references(&ACTIONS, list);
            }
        }
        test.to.iter_mut().for_each(|it| self.formula(it, &[]));
    }
}

/// The parameters of a head.
fn parameters<'t>(head: &Head<'t>) -> Vec<&'t str> {
    match &head.arguments {
        Arguments::Parameters(list) => list.iter().map(|it| it.name.text).collect(),
        _ => Vec::new(),
    }
}
