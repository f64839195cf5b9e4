//! What is sensed, known and asked: sensors, symbols, checks, prices, learning, flavours.

use super::super::notes::{Rules, STIMULI, Scope, WORD_ATTRIBUTES, curve};
use super::{COSTS, Writer, some};
use std::fmt::Write;
use throng_base::SplitMix;

impl Writer<'_> {
    pub(super) fn sensor(&mut self, at: usize) {
        let when = match self.chance(40) {
            true => format!("on {}", self.dice.pick(&STIMULI)),
            false => format!("every {}", self.dice.pick(&["0", "0", "0.1", "0.3", "1", "2"])),
        };
        let mut line = format!("sensor s{at}: {when}");
        let ages = ["0.1", "0.5", "2", "5", "forever"];
        line += &self.maybe(60, |writer| format!(" keeps {}", writer.dice.pick(&ages)));
        if self.chance(40) {
            let variables = (0..self.variables.len()).map(|v| format!("v{v}"));
            let checks = self.checks.iter().map(|check| format!("c{check}"));
            let all: Vec<String> = variables.chain(checks).collect();
            _ = write!(line, " feeds {}", some(self.dice, &all, 30).join(", "));
        }
        line += &self.maybe(45, |writer| format!(" while {}", writer.condition(Scope::ELSEWHERE)));
        self.line(&line);
    }

    pub(super) fn symbols(&mut self) {
        for at in 0..self.variables.len() {
            let variable = &self.variables[at];
            let has_slots = !variable.slots.is_empty();
            let share = if self.deep && !has_slots { 25 } else { 45 };
            if self.dice.percent(share) {
                let head = variable.name.clone();
                let values = variable.values();
                self.symbol(&head, &values, has_slots, Scope::SYMBOL);
            }
        }
        for at in 0..self.abouts.len() {
            if self.chance(60) {
                let about = &self.abouts[at];
                let head = format!("{}(p in {})", about.name, about.select.name);
                let values = ["true".to_string(), "false".to_string()];
                self.symbol(&head, &values, false, Scope::SYMBOL_ABOUT);
            }
        }
    }

    fn symbol(&mut self, head: &str, values: &[String], has_slots: bool, scope: Scope) {
        let mut rules = Vec::new();
        for _ in 0..self.dice.within(1, 2) {
            let named = self.chance(45) && scope == Scope::SYMBOL;
            rules.push(match named {
                true => {
                    let attribute = match has_slots && self.chance(60) {
                        true => "object",
                        false => self.dice.pick(&WORD_ATTRIBUTES),
                    };
                    let pattern = self.write(|rules, dice| rules.pattern(dice, scope));
                    format!("{attribute} of {pattern}")
                }
                false => {
                    let value = self.dice.pick(values).clone();
                    format!("{value} if {}", self.condition(scope))
                }
            });
        }
        if self.chance(60) {
            rules.push(self.dice.pick(values).clone());
        }
        let line = format!("symbol {head}: {}", rules.join(", "));
        self.line(&line);
    }

    pub(super) fn answers(&mut self) {
        // Where the game tells one, all must be declared.
        let told = self.chance(25);
        for check in self.checks.clone() {
            self.answer(&format!("c{check}"), told, Scope::ELSEWHERE);
        }
        for range in self.checks_about.clone() {
            self.answer(&format!("d_{range}(p in {range})"), told, Scope::ABOUT);
        }
    }

    fn answer(&mut self, head: &str, told: bool, scope: Scope) {
        if told && self.chance(35) {
            let slots: Vec<String> = self.selects.iter().flat_map(|it| it.slots.clone()).collect();
            let of = match slots.is_empty() {
                _ if scope == Scope::ABOUT => "sight of p".to_string(),
                false if self.chance(70) => format!("path of {}", self.dice.pick(&slots)),
                _ => self.dice.pick(&["smell", "sight of me"]).to_string(),
            };
            let (default, keeps) = (self.dice.pick(&["true", "false"]).to_string(), self.seconds());
            self.line(&format!("check {head}: asks {of}  keeps {keeps}  default {default}"));
        } else if told && self.chance(50) {
            let default = self.dice.pick(&["", " default true", " default false"]);
            self.line(&format!("check {head}: told{default}"));
        } else if self.chance(10) {
            let seconds = self.seconds();
            self.line(&format!("check {head}: chance 0.5 per {seconds}"));
        } else if told || self.chance(70) {
            let condition = self.condition(scope);
            self.line(&format!("check {head}: {condition}"));
        }
    }

    pub(super) fn prices(&mut self) {
        for at in 0..self.actions.len() {
            let (name, is_template) = (self.actions[at].name.clone(), self.actions[at].is_template);
            if !self.chance(if is_template { 40 } else { 12 }) {
                continue;
            }
            let scope = if is_template { Scope::IT } else { Scope::ELSEWHERE };
            let first = self.dice.pick(&COSTS).to_string();
            let condition = self.condition(scope);
            let last = |rules: Rules<'_>, dice: &mut SplitMix| {
                let measured = rules.measured(dice, scope);
                let heights = ["0.3", "1", "6", "12.5"];
                let bent = if dice.percent(40) { curve(dice, &heights) } else { String::new() };
                format!("{measured} {bent}")
            };
            let last = self.write(last);
            let vary = self.maybe(30, |_| "  vary 0.25".to_string());
            let line = format!("price {name}: {first} if {condition}, {last}{vary}");
            self.line(&line);
        }
    }

    pub(super) fn learning(&mut self) {
        if self.chance(30) {
            let name = self.dice.pick(&self.actions).name.clone();
            let condition = self.condition(Scope::ELSEWHERE);
            self.line(&format!("learn {name}: {condition}"));
        }
    }

    pub(super) fn flavour(&mut self, at: usize) {
        let mut line = format!("flavour f{at}:");
        let names = self.names(|_| true);
        for word in ["after", "before"] {
            let some = |writer: &mut Self| some(writer.dice, &names, 50).join(", ");
            line += &self.maybe(50, |writer| format!(" {word} {}", some(writer)));
        }
        line += &self.maybe(30, |writer| format!(" if {}", writer.condition(Scope::ELSEWHERE)));
        let (every, takes) = (self.seconds(), self.seconds());
        _ = write!(line, " every {every} takes {takes}");
        self.line(&line);
    }
}
