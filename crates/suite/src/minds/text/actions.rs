//! Random actions: what they bring about, what they are about, what they do besides.

use super::super::notes::{KINDS, Scope, Select, WORDS};
use super::{About, Action, BEHAVIOURS, COSTS, Writer};
use std::fmt::Write;
use throng_base::SplitMix;

impl Writer<'_> {
    fn check(&mut self) -> String {
        let check = self.dice.below(3);
        if !self.checks.contains(&check) {
            self.checks.push(check);
        }
        format!("c{check}")
    }

    /// A check about the parameter, which takes the values of this.
    fn check_about(&mut self, range: &str) -> String {
        self.checks_about.insert(range.to_string());
        format!("d_{range}(p)")
    }

    /// Needs only variables before the ones it changes, so that most values are in reach.
    pub(super) fn action(&mut self, at: usize) {
        let n = self.variables.len();
        let variable = at % n;
        let values = self.variables[variable].words.clone();
        let has_slots = !self.variables[variable].slots.is_empty();
        let is_template = self.chance(if has_slots { 65 } else { 20 }) && values[0] != "0";
        let (name, mut line) = (format!("a{at}"), String::new());
        let mut range = None;
        if is_template {
            let except = match has_slots && self.chance(80) {
                // The words that are no slots, as a rule.
                true => format!(" except {}", values.join(", ")),
                false => String::new(),
            };
            _ = write!(line, "action {name}(p in v{variable}{except}): v{variable} -> p");
            range = Some(format!("v{variable}"));
        } else {
            // Deep down every value can be brought about.
            let nth = if self.deep { at / n } else { self.dice.below(values.len()) };
            let to = values[nth % values.len()].clone();
            let from = self.dice.pick(&values).clone();
            let from = if self.chance(if self.deep { 10 } else { 35 }) && from != to {
                format!("{from} ")
            } else {
                String::new()
            };
            _ = write!(line, "action {name}: v{variable} {from}-> {to}");
        }
        if self.chance(20) && variable + 1 < n {
            let value = self.value(variable + 1);
            _ = write!(line, ", v{} -> {value}", variable + 1);
        }
        let needs = if self.deep { 85 } else { 45 };
        if self.chance(needs) && variable > 0 {
            let needed = if self.deep { variable - 1 } else { self.dice.below(variable) };
            let fact = self.fact(needed);
            _ = write!(line, "  while {fact}");
        }
        self.rest_of_action(name, line, range, at);
    }

    /// Actions about what is picked: for each slot one.
    pub(super) fn actions_about(&mut self) {
        for at in 0..self.abouts.len() {
            let About { name, select } = &self.abouts[at];
            let (about, select) = (name.clone(), select.name.clone());
            let is_place = |groups: &[String]| groups.contains(&select);
            let place = self.variables.iter().find(|variable| is_place(&variable.groups));
            let place = place.map(|variable| variable.name.clone());
            let name = format!("x{at}");
            let mut line = format!("action {name}(p in {select}): {about}(p) -> true");
            if let Some(place) = place.filter(|_| self.chance(60)) {
                _ = write!(line, "  while {place} = p");
            }
            self.rest_of_action(name, line, Some(select.clone()), 0);
            if self.chance(50) {
                let variable = self.dice.below(self.variables.len());
                let to = self.dice.pick(&self.variables[variable].words).clone();
                let (name, needs) =
                    (format!("y{at}"), self.maybe(50, |_| format!("  while {about}(p) = true")));
                let line = format!("action {name}(p in {select}): v{variable} -> {to}{needs}");
                self.rest_of_action(name, line, Some(select), 0);
            }
        }
    }

    /// What any action may have besides what it brings about and needs.
    fn rest_of_action(
        &mut self,
        name: String,
        mut line: String,
        range: Option<String>,
        before: usize,
    ) {
        let is_template = range.is_some();
        if self.chance(35) {
            let not = if self.chance(30) { "not " } else { "" };
            let check = match range {
                Some(range) if self.chance(60) => self.check_about(&range),
                _ => self.check(),
            };
            _ = write!(line, "  if {not}{check}");
        }
        let has_kinds = !is_template && self.chance(15);
        if self.chance(50) && !has_kinds {
            _ = write!(line, "  cost {}", self.dice.pick(&COSTS));
        }
        if self.chance(8) && before > 0 {
            _ = write!(line, "  overrides a{}", self.dice.below(before));
        }
        line += &self.maybe(60, |writer| {
            let slots: Vec<&String> = writer.selects.iter().flat_map(|it| &it.slots).collect();
            let about = match !slots.is_empty() && writer.dice.percent(20) {
                true => format!("({})", writer.dice.pick(&slots)),
                false => String::new(),
            };
            format!("  does {}{about}", writer.dice.pick(&BEHAVIOURS))
        });
        line += &self.maybe(50, |writer| format!("  takes {}", writer.seconds()));
        if has_kinds {
            let (one, two) = (self.check(), self.check());
            _ = write!(line, "  kinds roll if {one}, duck cost 2 if not {two}");
        }
        line += &self.maybe(12, |writer| {
            let of = writer.dice.pick(&["", " of squad", " of squad", " of side", " of all"]);
            format!("  cooldown {}{of}", writer.seconds())
        });
        line += &self.maybe(10, |writer| {
            let odds = writer.dice.pick(&["0.2", "0.5", "0.9"]);
            format!("  chance {odds} per {}", writer.seconds())
        });
        for moment in ["first", "then", "else", "finally"] {
            line += &self.maybe(9, |writer| {
                let scope = if is_template { Scope::IT } else { Scope::ELSEWHERE };
                let effects: Vec<String> =
                    (0..writer.dice.within(1, 2)).map(|_| writer.effect(scope)).collect();
                format!("  {moment} {}", effects.join(" and "))
            });
        }
        let (clause, uses) = self.uses();
        line += &clause;
        let is_group = |select: &Select| {
            let is = format!("= {}", select.name);
            select.slots.len() > 1 && line.split("  ").any(|part| part.ends_with(&is))
        };
        let is_one = !is_template && !self.selects.iter().any(is_group);
        self.line(&line);
        self.actions.push(Action { name, is_template, is_one, has_kinds, uses });
    }

    pub(super) fn effect(&mut self, scope: Scope) -> String {
        let own = |writer: &mut Self| writer.write(|rules, dice| rules.own_pattern(dice, scope));
        let place = |writer: &mut Self| writer.write(|rules, dice| rules.reference(dice, scope));
        match self.dice.below(5) {
            0 | 1 => format!("forgets {}", own(self)),
            2 => {
                let kind = KINDS[self.dice.below(KINDS.len())];
                let node = if scope.it { "it" } else { *self.dice.pick(&WORDS) };
                let about = |dice: &mut SplitMix| dice.percent(60);
                let object = match about(self.dice) {
                    true => format!(", object = {}, position = {}", place(self), place(self)),
                    false => String::new(),
                };
                let says = format!("node = {node}, amount = {}{object}", self.dice.below(3));
                format!("remembers {kind}({says}) for {}", self.seconds())
            }
            3 => {
                let to = *self.dice.pick(&["squad", "side", "all", "within 2"]);
                format!("tells {} to {to}", own(self))
            }
            _ => {
                let at = self.maybe(40, |writer| format!(" at {}", place(writer)));
                format!("noise bang radius {}{at}", self.dice.below(9))
            }
        }
    }

    pub(super) fn compound(&mut self) {
        let plain = self.names(|action| action.is_one && !action.has_kinds);
        if !self.chance(50) || plain.len() < 3 {
            return;
        }
        let count = self.dice.within(2, 3);
        let parts = self.dice.some_of(plain.len(), count);
        let parts: Vec<&str> = parts.into_iter().map(|at| plain[at].as_str()).collect();
        let cost = self.dice.pick(&COSTS);
        let (clause, uses) = self.uses();
        let line = format!("compound m0: {}  cost {cost}{clause}", parts.join(", "));
        self.line(&line);
        self.actions.push(Action {
            name: "m0".into(),
            is_template: false,
            is_one: true,
            has_kinds: true,
            uses,
        });
    }
}
