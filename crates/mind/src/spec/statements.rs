//! The statements about minds: `sensor`, `symbol`, `check`, `price`, `learn`, `flavour`.

use super::conditions::{Scope, attribute};
use super::defaults;
use super::parts::{Seen, listed, no_part, number};
use super::read::{Read, Reading};
use super::templates::{self, Head};
use super::terms::wrong_sort;
use super::{
    AmountRange, CheckSpec, FlavourSpec, LearnSpec, PriceSpec, SensorSpec, SymbolRule, SymbolSpec,
    When,
};
use crate::condition::{Condition, Measure, Ref, Term};
use crate::fact::{Attribute, Sort};
use crate::time::NEVER;
use std::collections::HashMap;
use throng_base::DidYouMean;
use throng_domain::Code;
use throng_domain::model::{ActionId, CheckId, VariableId};
use throng_domain::notes::{Note, NoteReader, NoteWord, WordKind};
use throng_domain::source::Span;

const SENSOR_PARTS: [&str; 3] = ["keeps", "feeds", "while"];
const FLAVOUR_PARTS: [&str; 5] = ["after", "before", "if", "every", "takes"];
/// How many names a cure lists.
const LISTED: usize = 20;
/// By how much a price can differ from mind to mind: nothing is for free.
const MOST_VARIED: f64 = 0.9;
/// The largest cost that a domain can have.
const DEAREST: f64 = 1_000_000.0;

impl<'m> Reading<'m> {
    /// `NAME: on STIMULUS | every SECONDS [keeps …] [feeds …] [while …]`.
    pub(super) fn sensor(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let name = r.name("the sensor's name, as in `sensor see: every 0.5`")?;
        if let Some((_, first)) = self.names.sensor(&name.text).filter(|s| s.1 != name.span) {
            let text = format!("the sensor `{}` is declared twice", name.text);
            let cure = "rename one of them, or put both in one".to_string();
            r.report.say_twice(Code::NoteTwice, name.span, first, text, cure);
        }
        r.sign(WordKind::Colon)?;
        let when = if r.take_word("on") {
            When::On(self.spec.words.intern(&r.name("a stimulus, as in `on noise`")?.text))
        } else if r.take_word("every") {
            When::Every(self.seconds(r, "seconds, as in `every 0.5`")?)
        } else {
            return Err(r.expected("`on` and a stimulus, or `every` and seconds"));
        };
        let mut sensor = SensorSpec {
            name: self.spec.words.intern(&name.text),
            when,
            keeps: self.spec.pace.ticks(defaults::KEEPS),
            feeds_variables: Vec::new(),
            feeds_checks: Vec::new(),
            during: None,
        };
        let mut seen = Seen::default();
        while !r.is_done() {
            match seen.part(r, &SENSOR_PARTS) {
                Some("keeps") if r.take_word("forever") => sensor.keeps = NEVER,
                Some("keeps") => {
                    let what = "seconds or `forever`, as in `keeps 5`";
                    // What is not kept for a tick would never be seen.
                    sensor.keeps = self.seconds(r, what)?.max(1);
                }
                Some("feeds") => self.feeds(r, &mut sensor)?,
                Some(_) => sensor.during = Some(self.condition(r, Scope::Elsewhere)?),
                None => return Err(no_part(r, "a sensor", &SENSOR_PARTS)),
            }
        }
        self.spec.sensors.push(sensor);
        Ok(())
    }

    fn feeds(&mut self, r: &mut NoteReader<'_, '_>, sensor: &mut SensorSpec) -> Read<()> {
        let each = listed(r, |r| {
            let word = r.name("a variable or a check")?;
            let map = self.names.map;
            let mut variables: Vec<VariableId> =
                self.names.variable(&word.text).into_iter().collect();
            let mut checks: Vec<CheckId> = map.find_check(&word.text).into_iter().collect();
            // Of a template: all that it became.
            if variables.is_empty()
                && checks.is_empty()
                && self.spend(
                    map.variable_ids().count() + map.check_ids().count(),
                    word.span,
                    r.report,
                )
            {
                let is_of_it = |ground: &str| Self::is_of_template(ground, &word.text);
                variables.extend(map.variable_ids().filter(|&id| is_of_it(map.variable(id))));
                checks.extend(map.check_ids().filter(|&id| is_of_it(map.check(id))));
            }
            if variables.is_empty() && checks.is_empty() {
                let known = self.names.variables().chain(map.check_names()).map(defaults::bare);
                let _ = r.unknown("variable or check", &word.text, word.span, known);
            }
            sensor.feeds_variables.extend(variables);
            sensor.feeds_checks.extend(checks);
            Ok(())
        });
        each.map(|_| ())
    }

    /// `VARIABLE: VALUE if CONDITION, ATTRIBUTE of PATTERN, VALUE`. Of an amount the attribute is a
    /// number, or anything else that can be measured.
    pub(super) fn symbol(&mut self, note: &'m Note, r: &mut NoteReader<'m, '_>) -> Read<()> {
        let head = templates::head(r, "a variable, as in `symbol weapon: armed if weapon`")?;
        self.judge_ranges(&head, r);
        let Head { name, parameters, .. } = head;
        if !parameters.is_empty() {
            let map = self.names.map;
            let all = map.variable_ids().map(|id| (id, map.variable(id)));
            let of_it: Vec<(VariableId, &str)> =
                all.filter(|(_, ground)| Self::is_of_template(ground, &name.text)).collect();
            if of_it.is_empty() {
                let known = self.names.variables();
                return Err(r.unknown("variable with parameters", &name.text, name.span, known));
            }
            return self.each_instance(
                note,
                r,
                &of_it,
                |reading, &(id, ground)| {
                    let slot = map.variable_slot(id).map(|slot| (0, slot));
                    reading.bind(&parameters, ground, slot.as_slice());
                },
                |reading, r, &(id, _)| reading.symbol_rules(r, name, Some(id)),
            );
        }
        let variable = self.names.variable(&name.text);
        if variable.is_none() {
            let _ = r.unknown("variable", &name.text, name.span, self.names.variables());
        }
        self.symbol_rules(r, name, variable)
    }

    /// The rules of a symbol, for one variable.
    pub(super) fn symbol_rules(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        name: &NoteWord,
        variable: Option<VariableId>,
    ) -> Read<()> {
        match variable {
            None => {}
            Some(id) => {
                let first = *self.symbols.entry(id).or_insert(name.span);
                if first != name.span {
                    let text = format!("`{}` has two symbols", name.text);
                    let cure = "put all rules into one: the first that fits decides".to_string();
                    r.report.say_twice(Code::NoteTwice, name.span, first, text, cure);
                }
            }
        }
        r.sign(WordKind::Colon)?;
        let mut always: Option<Span> = None;
        let rules = listed(r, |r| {
            let place = r.place();
            if let Some(first) = always.take() {
                let text = "this rule is never asked: the one before it always gives a value";
                let cure = "put the value without a condition last".to_string();
                let also = (first, "always gives a value");
                r.report.say_also(Code::NoteSense, place, also, text, cure);
            }
            let rule = self.symbol_rule(r, variable)?;
            if matches!(rule, Some(SymbolRule::If(_, None))) {
                always = Some(place);
            }
            Ok(rule)
        })?;
        if let Some(variable) = variable {
            let rules: Vec<SymbolRule> = rules.into_iter().flatten().collect();
            let value_slots = self.value_slots(variable);
            let mut value_words = Vec::new();
            if rules.iter().any(|rule| matches!(rule, SymbolRule::Named(..))) {
                let values = self.names.map.values(variable).iter();
                value_words = values.map(|value| self.spec.words.intern(value)).collect();
            }
            let asks = rules.iter().fold(0, |all, rule| all | rule.slots());
            self.spec.symbols.push(SymbolSpec { variable, rules, value_words, value_slots, asks });
        }
        Ok(())
    }

    /// One rule; `None`, with a report, if it makes no sense.
    fn symbol_rule(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        variable: Option<VariableId>,
    ) -> Read<Option<SymbolRule>> {
        let is_of = |word: &str| word == "of";
        let takes = r.peek_second().is_some_and(|w| w.kind == WordKind::Name && is_of(&w.text));
        // A word names a value of an amount too: a node called `3`.
        let named = r.peek().and_then(|word| Attribute::named(&word.text));
        let is_word = named.is_some_and(|attribute| attribute.sort() == Sort::Word);
        let range = variable.and_then(|id| self.range_of(id)).filter(|_| !is_word);
        if let Some(range) = range
            && (takes || r.sees("sure"))
        {
            return self.number_rule(r, range);
        }
        if takes {
            let word = r.name("an attribute")?;
            let attribute = self.attribute_of(r, word).or_else(|| attribute(r, word, &[]));
            r.take_word("of");
            self.asks(word, None);
            let pattern = self.pattern(r, Scope::Symbol)?;
            let has_slots = variable.is_some_and(|id| !self.value_slots(id).is_empty());
            let attribute = attribute.filter(|&attribute| {
                let is_thing = has_slots && attribute.sort() == Sort::Entity;
                let fits = attribute.sort() == Sort::Word || is_thing;
                if !fits {
                    wrong_sort(r, word, attribute, "no value is called like it");
                }
                fits
            });
            return Ok(attribute.map(|attribute| SymbolRule::Named(attribute, pattern)));
        }
        let word = r.value("a value, or an attribute as in `node of self`")?;
        let value = variable.and_then(|variable| self.value_of(r, variable, word));
        let condition = self.optional_condition(r, Scope::Symbol)?;
        Ok(value.map(|value| SymbolRule::If(value, condition)))
    }

    /// By value of a variable: the slot that it is; empty if none is.
    fn value_slots(&self, variable: VariableId) -> Vec<Option<u16>> {
        let known = self.spec.slot_values.iter().find(|(id, _)| *id == variable);
        known.map_or(Vec::new(), |(_, slots)| slots.clone())
    }

    fn range_of(&self, variable: VariableId) -> Option<AmountRange> {
        let (low, high) = self.names.map.amount(variable)?;
        Some(AmountRange { low, high })
    }

    /// Of an amount: `ATTRIBUTE of PATTERN`, `count of PATTERN`, …; `None`, with a report, if that is
    /// no number.
    fn number_rule(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        range: AmountRange,
    ) -> Read<Option<SymbolRule>> {
        let measure = self.aspect(r, Scope::Symbol)?;
        // What is wrong was told and is read as a number of its own.
        let is_taken = matches!(measure, Measure::Of(..));
        Ok(is_taken.then_some(SymbolRule::Number(measure, range)))
    }

    /// `NAME: CONDITION`.
    pub(super) fn check(&mut self, note: &'m Note, r: &mut NoteReader<'m, '_>) -> Read<()> {
        let head = templates::head(r, "a check that an action asks for by `if`")?;
        self.judge_ranges(&head, r);
        let Head { name, parameters, ranges } = head;
        let ranges = ranges.iter().map(|range| range.text.clone()).collect();
        self.check_ranges.insert(name.text.clone(), ranges);
        let map = self.names.map;
        let of_it: Vec<(Option<CheckId>, &str)> = match parameters.is_empty() {
            true => vec![(map.find_check(&name.text), "")],
            false => map
                .check_ids()
                .map(|id| (Some(id), map.check(id)))
                .filter(|(_, ground)| Self::is_of_template(ground, &name.text))
                .collect(),
        };
        if of_it.iter().all(|(check, _)| check.is_none()) {
            let near = r.report.nearest(&name.text, self.names.map.check_names());
            let did = DidYouMean(near);
            let text = format!("no action asks for a check `{}`{did}", name.text);
            let known: Vec<&str> = self.names.map.check_names().take(LISTED).collect();
            let cure = match known.is_empty() {
                true => "ask for it in an action, behind `if`".to_string(),
                false => format!("actions ask for: {}", known.join(", ")),
            };
            r.report.say(Code::NoteUnknown, name.span, text, cure);
        }
        let first = *self.checks.entry(name.text.clone()).or_insert(name.span);
        if first != name.span {
            let text = format!("the check `{}` is answered twice", name.text);
            let cure = "join the conditions by `or` or `and`".to_string();
            r.report.say_twice(Code::NoteTwice, name.span, first, text, cure);
        }
        let instances: &[_] = if of_it.is_empty() { &[(None, "")] } else { &of_it };
        self.each_instance(
            note,
            r,
            instances,
            |reading, &(check, ground)| {
                let slots = check.map_or(&[][..], |check| map.check_slots(check));
                reading.bind(&parameters, ground, slots);
            },
            |reading, r, &(check, ground)| {
                r.sign(WordKind::Colon)?;
                let name = if ground.is_empty() { &name.text } else { ground };
                reading.check_answer(r, name, check)
            },
        )
    }

    /// What answers a check: the game, chance, or memory.
    fn check_answer(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        name: &str,
        check: Option<CheckId>,
    ) -> Read<()> {
        if self.is_form(r, "told") {
            return self.told_check(r, check);
        }
        if self.is_form(r, "asks") {
            return self.asked_check(r, name, check);
        }
        if r.sees("chance") && r.peek_second().is_some_and(|word| word.kind.is_number()) {
            r.take_word("chance");
            let chance = self.chance(name, r)?;
            self.spec.chance_checks.extend(check.map(|check| (check, chance)));
            return Ok(());
        }
        let condition = self.condition(r, Scope::Elsewhere)?;
        let needs = self.bound.iter().fold(0, |all, bound| all | bound.what.slots());
        self.spec.checks.extend(check.map(|check| CheckSpec { check, condition, needs }));
        Ok(())
    }

    /// Whether a check has this form, and is not a condition on facts of that kind.
    fn is_form(&self, r: &NoteReader<'_, '_>, form: &str) -> bool {
        let second = r.peek_second();
        let is_condition = second.is_some_and(|word| {
            word.kind == WordKind::Open || matches!(word.text.as_str(), "and" | "or")
        });
        r.sees(form) && !is_condition
    }

    /// `told [default true|false]`.
    fn told_check(&mut self, r: &mut NoteReader<'_, '_>, check: Option<CheckId>) -> Read<()> {
        r.take_word("told");
        let holds = if r.take_word("default") { truth(r)? } else { true };
        self.spec.told_checks.extend(check.map(|check| (check, holds)));
        Ok(())
    }

    /// `ACTION: NUMBER if CONDITION, amount of PATTERN [vary F]`.
    pub(super) fn price(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let (ids, span) = self.action(r)?;
        let twice = claim(&mut self.prices, &ids, span);
        self.say_claimed(r, twice, span, "is priced twice", "put all rules behind one `price`");
        r.sign(WordKind::Colon)?;
        let first = |id: &ActionId| self.spec.action(*id).first_parameter();
        let actions: Vec<(ActionId, Ref)> =
            ids.iter().map(|id| (*id, first(id).unwrap_or(Ref::Slots(0, 0)))).collect();
        let has_it = ids.iter().all(|id| first(id).is_some());
        let scope = Scope::Price { has_it };
        let rules = listed(r, |r| {
            let is_number = r.peek().is_some_and(|word| word.kind.is_number());
            let measure = match is_number {
                true => Measure::Number(number(r, "a cost", 0.001, DEAREST)? as f32),
                false => self.measured(r, scope)?,
            };
            let curve = if is_number { Vec::new() } else { self.curve(r, DEAREST)? };
            Ok((Term { measure, curve }, self.optional_condition(r, scope)?))
        })?;
        let mut vary = 0.0;
        if r.take_word("vary") {
            vary = number(r, "a part, as in `vary 0.1`", 0.0, MOST_VARIED)? as f32;
        }
        self.spec.prices.push(PriceSpec { actions, rules, vary });
        Ok(())
    }

    fn optional_condition(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Option<Condition>> {
        if r.take_word("if") { self.condition(r, scope).map(Some) } else { Ok(None) }
    }

    /// `ACTION, ACTION: CONDITION`.
    pub(super) fn learn(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let actions = listed(r, |r| {
            let (ids, span) = self.action(r)?;
            let twice = claim(&mut self.learns, &ids, span);
            let cure = "name it in one `learn` only, and join the conditions by `or`";
            self.say_claimed(r, twice, span, "is learnt twice", cure);
            Ok(ids)
        });
        let mut actions = actions?.concat();
        r.sign(WordKind::Colon)?;
        let condition = self.condition(r, Scope::Elsewhere)?;
        actions.sort_unstable();
        self.spec.learns.push(LearnSpec { actions, condition });
        Ok(())
    }

    fn say_claimed(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        twice: Option<(ActionId, Span)>,
        span: Span,
        what: &str,
        cure: &str,
    ) {
        if let Some((action, first)) = twice {
            let text = format!("`{}` {what}", self.names.map.action(action));
            r.report.say_twice(Code::NoteTwice, span, first, text, cure.to_string());
        }
    }

    /// `NAME: after ACTION, … before ACTION, … if CONDITION every SECONDS takes SECONDS`.
    pub(super) fn flavour(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let name = r.name("the flavour's name, as in `flavour yawn: every 30`")?;
        r.sign(WordKind::Colon)?;
        let mut flavour = FlavourSpec {
            name: self.spec.words.intern(&name.text),
            after: Vec::new(),
            before: Vec::new(),
            condition: None,
            every: 0,
            takes: self.spec.pace.ticks(defaults::TAKES),
        };
        let mut seen = Seen::default();
        while !r.is_done() {
            match seen.part(r, &FLAVOUR_PARTS) {
                Some("after") => flavour.after = self.actions(r)?,
                Some("before") => flavour.before = self.actions(r)?,
                Some("if") => flavour.condition = Some(self.condition(r, Scope::Elsewhere)?),
                Some("every") => flavour.every = self.seconds(r, "seconds, as in `every 30`")?,
                Some(_) => flavour.takes = self.seconds(r, "seconds, as in `takes 1.5`")?,
                None => return Err(no_part(r, "a flavour", &FLAVOUR_PARTS)),
            }
        }
        self.spec.flavours.push(flavour);
        Ok(())
    }
}

/// `true` or `false`.
pub(super) fn truth(r: &mut NoteReader<'_, '_>) -> Read<bool> {
    match (r.take_word("true"), r.take_word("false")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => Err(r.expected("`true` or `false`")),
    }
}

/// Claims these actions for a statement; gives the first that another has claimed.
fn claim(
    taken: &mut HashMap<ActionId, Span>,
    ids: &[ActionId],
    span: Span,
) -> Option<(ActionId, Span)> {
    for &id in ids {
        if let Some(&first) = taken.get(&id) {
            return Some((id, first));
        }
        taken.insert(id, span);
    }
    None
}
