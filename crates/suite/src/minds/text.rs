//! Random files about minds.
//!
//! In:   dice.
//! Out:  `.npc` text: a domain in which most goals are in reach, and notes of every sort about
//!       it. Few of the texts are refused (compounds whose parts contradict each other).

use super::notes::{Rules, SECONDS, STIMULI, Scope, WORD_ATTRIBUTES, WORDS};
use std::fmt::Write;
use throng_base::SplitMix;

/// Names of behaviours that there is code for.
pub(super) const BEHAVIOURS: [&str; 4] = ["b0", "b1", "b2", "b3"];

const COSTS: [&str; 5] = ["0.5", "1.5", "2", "4", "7"];

struct Action {
    name: String,
    is_template: bool,
    has_kinds: bool,
}

struct Writer<'d> {
    dice: &'d mut SplitMix,
    variables: Vec<Vec<String>>,
    actions: Vec<Action>,
    /// Checks that actions ask for.
    checks: Vec<usize>,
    n_goals: usize,
    n_sensors: usize,
    /// Most actions need what others do, and few rules speak against what they have done.
    deep: bool,
    text: String,
}

/// A file.
pub(super) fn text(dice: &mut SplitMix) -> String {
    let mut writer = Writer {
        variables: variables(dice),
        deep: dice.percent(50),
        dice,
        actions: Vec::new(),
        checks: Vec::new(),
        n_goals: 0,
        n_sensors: 0,
        text: "domain d\n".to_string(),
    };
    writer.all();
    writer.text
}

fn variables(dice: &mut SplitMix) -> Vec<Vec<String>> {
    let one = |dice: &mut SplitMix| {
        let (n, numbers) = (dice.within(2, 4), dice.percent(30));
        (0..n).map(|at| if numbers { at.to_string() } else { WORDS[at].to_string() }).collect()
    };
    (0..dice.within(2, 5)).map(|_| one(dice)).collect()
}

/// Some of the items, at least one if there are any.
fn some<T: Clone>(dice: &mut SplitMix, items: &[T], chance: usize) -> Vec<T> {
    let mut kept: Vec<T> = items.iter().filter(|_| dice.percent(chance)).cloned().collect();
    if kept.is_empty() && !items.is_empty() {
        kept.push(dice.pick(items).clone());
    }
    kept
}

impl Writer<'_> {
    fn all(&mut self) {
        for (at, values) in self.variables.iter().enumerate() {
            let values = match values[0] == "0" {
                true => format!("0..{}", values.len() - 1),
                false => values.join(", "),
            };
            _ = writeln!(self.text, "var v{at}: {values}");
        }
        let n_actions = if self.deep { 3 * self.variables.len() } else { self.dice.within(4, 9) };
        for at in 0..n_actions {
            self.action(at);
        }
        self.line("action idle:  takes 0.4");
        self.actions.push(Action { name: "idle".into(), is_template: false, has_kinds: false });
        self.compound();
        self.n_goals = self.dice.within(1, 5);
        (0..self.n_goals).for_each(|at| self.goal(at));
        self.n_sensors = self.dice.within(1, 5);
        (0..self.dice.within(1, 3)).for_each(|at| self.npc(at));
        (0..self.n_sensors).for_each(|at| self.sensor(at));
        (0..self.variables.len()).for_each(|at| self.symbol(at));
        self.answers();
        self.prices();
        self.learning();
        (0..self.dice.below(3)).for_each(|at| self.flavour(at));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.dice.percent(percent)
    }

    /// A clause, so many times in a hundred.
    fn maybe(&mut self, percent: usize, clause: impl FnOnce(&mut Self) -> String) -> String {
        if self.chance(percent) { clause(self) } else { String::new() }
    }

    fn condition(&mut self, scope: Scope) -> String {
        Rules { variables: &self.variables }.condition(self.dice, scope)
    }

    fn seconds(&mut self) -> &'static str {
        SECONDS[self.dice.below(SECONDS.len())]
    }

    /// The names of actions of a kind.
    fn names(&self, of: impl Fn(&&Action) -> bool) -> Vec<String> {
        self.actions.iter().filter(of).map(|action| action.name.clone()).collect()
    }

    fn fact(&mut self, variable: usize) -> String {
        format!("v{variable} = {}", self.dice.pick(&self.variables[variable]))
    }

    fn check(&mut self) -> String {
        let check = self.dice.below(3);
        if !self.checks.contains(&check) {
            self.checks.push(check);
        }
        format!("c{check}")
    }

    /// Needs only variables before the ones it changes, so that most values are in reach.
    fn action(&mut self, at: usize) {
        let n = self.variables.len();
        let variable = at % n;
        let values = self.variables[variable].clone();
        let is_template = self.chance(20) && values[0] != "0";
        let (name, mut line) = (format!("a{at}"), String::new());
        if is_template {
            _ = write!(line, "action {name}(p in v{variable}): v{variable} -> p");
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
            let value = self.dice.pick(&self.variables[variable + 1]).clone();
            _ = write!(line, ", v{} -> {value}", variable + 1);
        }
        let needs = if self.deep { 85 } else { 45 };
        if self.chance(needs) && variable > 0 {
            let needed = if self.deep { variable - 1 } else { self.dice.below(variable) };
            let fact = self.fact(needed);
            _ = write!(line, "  while {fact}");
        }
        if self.chance(35) {
            let not = if self.chance(30) { "not " } else { "" };
            let check = self.check();
            _ = write!(line, "  if {not}{check}");
        }
        let has_kinds = !is_template && self.chance(15);
        if self.chance(50) && !has_kinds {
            _ = write!(line, "  cost {}", self.dice.pick(&COSTS));
        }
        if self.chance(8) && at > 0 {
            _ = write!(line, "  overrides a{}", self.dice.below(at));
        }
        line += &self.maybe(60, |writer| format!("  does {}", writer.dice.pick(&BEHAVIOURS)));
        line += &self.maybe(50, |writer| format!("  takes {}", writer.seconds()));
        if has_kinds {
            let (one, two) = (self.check(), self.check());
            _ = write!(line, "  kinds roll if {one}, duck cost 2 if not {two}");
        }
        self.line(&line);
        self.actions.push(Action { name, is_template, has_kinds });
    }

    fn compound(&mut self) {
        let plain = self.names(|action| !action.is_template && !action.has_kinds);
        if !self.chance(35) || plain.len() < 3 {
            return;
        }
        let count = self.dice.within(2, 3);
        let parts = self.dice.some_of(plain.len(), count);
        let parts: Vec<&str> = parts.into_iter().map(|at| plain[at].as_str()).collect();
        let cost = self.dice.pick(&COSTS);
        let line = format!("compound m0: {}  cost {cost}", parts.join(", "));
        self.line(&line);
        self.actions.push(Action { name: "m0".into(), is_template: false, has_kinds: true });
    }

    fn goal(&mut self, at: usize) {
        let n = self.variables.len();
        let lowest = if self.deep { n / 2 } else { 0 };
        let (one, two) = (self.dice.within(lowest, n - 1), self.dice.below(n));
        let (first, second) = (self.fact(one), self.fact(two));
        let wants = match self.dice.below(10) {
            _ if self.deep && self.dice.percent(60) => {
                let some = self.dice.some_of(n, 3);
                some.into_iter().map(|v| self.fact(v)).collect::<Vec<_>>().join(", ")
            }
            0..=4 => first,
            5..=7 if one != two => format!("{first}, {second}"),
            8 if one != two => format!("{first} or {second}"),
            9 => first.replace('=', "!="),
            _ => first,
        };
        let mut line = format!("goal g{at}: {wants}");
        _ = write!(line, "  priority {}", self.dice.pick(&["0.5", "1", "1", "2", "3", "5"]));
        line += &self.maybe(75, |writer| {
            let rules = Rules { variables: &writer.variables };
            let terms = (0..writer.dice.within(1, 2)).map(|_| rules.term(writer.dice));
            format!("  relevance {}", terms.collect::<Vec<_>>().join(" times "))
        });
        for (clause, choices) in [
            ("margin", ["0", "0.1", "0.5", "2"]),
            ("keep", ["0.2", "1", "3", "0"]),
            ("cooldown", ["0.2", "1", "4", "0"]),
        ] {
            line += &self.maybe(45, |writer| format!("  {clause} {}", writer.dice.pick(&choices)));
        }
        line += &self.maybe(15, |_| "  urgent".to_string());
        self.line(&line);
    }

    fn npc(&mut self, at: usize) {
        let names = self.names(|_| true);
        let can = some(self.dice, &names, 85);
        let plain = self.names(|action| !action.is_template && can.contains(&action.name));
        let goals: Vec<String> = (0..self.n_goals).map(|goal| format!("g{goal}")).collect();
        let wants = some(self.dice, &goals, 80);
        let mut text = format!("npc n{at}\n    can {}\n", can.join(", "));
        _ = writeln!(text, "    wants {}", wants.join(", "));
        let starts: Vec<usize> = (0..self.variables.len()).collect();
        let starts = some(self.dice, &starts, 70);
        let starts: Vec<String> = starts.into_iter().map(|variable| self.fact(variable)).collect();
        _ = writeln!(text, "    starts {}", starts.join(", "));
        text += &self.maybe(60, |writer| {
            let sensors: Vec<String> = (0..writer.n_sensors).map(|s| format!("s{s}")).collect();
            format!("    senses {}\n", some(writer.dice, &sensors, 50).join(", "))
        });
        if self.chance(60) && !plain.is_empty() {
            _ = writeln!(text, "    otherwise {}", self.dice.pick(&plain));
        }
        text += &self.maybe(70, |writer| {
            format!("    memory {}\n", writer.dice.pick(&[1, 2, 4, 8, 32, 40]))
        });
        text += &self.maybe(50, |writer| {
            let seconds = writer.seconds();
            format!("    doubt {} for {seconds}\n", writer.dice.within(1, 3))
        });
        text += &self.maybe(50, |writer| format!("    retry {}\n", writer.seconds()));
        self.text.push_str(&text);
    }

    fn sensor(&mut self, at: usize) {
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
        line += &self.maybe(45, |writer| format!(" while {}", writer.condition(Scope::Elsewhere)));
        self.line(&line);
    }

    fn symbol(&mut self, at: usize) {
        let share = if self.deep { 20 } else { 45 };
        if !self.chance(share) {
            return;
        }
        let mut rules = Vec::new();
        for _ in 0..self.dice.within(1, 2) {
            let named = self.chance(45);
            rules.push(match named {
                true => {
                    let rules = Rules { variables: &self.variables };
                    let attribute = self.dice.pick(&WORD_ATTRIBUTES);
                    format!("{attribute} of {}", rules.pattern(self.dice, Scope::Symbol))
                }
                false => {
                    let value = self.dice.pick(&self.variables[at]).clone();
                    format!("{value} if {}", self.condition(Scope::Symbol))
                }
            });
        }
        if self.chance(60) {
            rules.push(self.dice.pick(&self.variables[at]).clone());
        }
        let line = format!("symbol v{at}: {}", rules.join(", "));
        self.line(&line);
    }

    fn answers(&mut self) {
        for check in self.checks.clone() {
            if self.chance(70) {
                let condition = self.condition(Scope::Elsewhere);
                self.line(&format!("check c{check}: {condition}"));
            }
        }
    }

    fn prices(&mut self) {
        for at in 0..self.actions.len() {
            if !self.chance(12) {
                continue;
            }
            let (name, is_template) = (self.actions[at].name.clone(), self.actions[at].is_template);
            let scope = if is_template { Scope::It } else { Scope::Elsewhere };
            let first = self.dice.pick(&COSTS).to_string();
            let condition = self.condition(scope);
            let aspect = Rules { variables: &self.variables }.aspect(self.dice, scope);
            let line = format!("price {name}: {first} if {condition}, {aspect}");
            self.line(&line);
        }
    }

    fn learning(&mut self) {
        if self.chance(30) {
            let name = self.dice.pick(&self.actions).name.clone();
            let condition = self.condition(Scope::Elsewhere);
            self.line(&format!("learn {name}: {condition}"));
        }
    }

    fn flavour(&mut self, at: usize) {
        let mut line = format!("flavour f{at}:");
        let names = self.names(|_| true);
        for word in ["after", "before"] {
            let some = |writer: &mut Self| some(writer.dice, &names, 50).join(", ");
            line += &self.maybe(50, |writer| format!(" {word} {}", some(writer)));
        }
        line += &self.maybe(30, |writer| format!(" if {}", writer.condition(Scope::Elsewhere)));
        let (every, takes) = (self.seconds(), self.seconds());
        _ = write!(line, " every {every} takes {takes}");
        self.line(&line);
    }
}
