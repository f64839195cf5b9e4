//! Random files about minds.
//!
//! In:   dice.
//! Out:  `.npc` text: a domain in which most goals are in reach, and notes of every sort about
//!       it. Few of the texts are refused (compounds whose parts contradict each other).
//!
//! Two files of three pick something: see `text/selects.rs`; what actions do is in
//! `text/actions.rs`, what is done beside them in `text/besides.rs`, what is known and asked in
//! `text/rules.rs`.

mod actions;
mod besides;
mod rules;
mod selects;

use super::notes::{Rules, SECONDS, Scope, Select, Variable, WORDS};
use std::collections::BTreeSet;
use std::fmt::Write;
use throng_base::SplitMix;

/// Names of behaviours that there is code for.
pub(super) const BEHAVIOURS: [&str; 4] = ["b0", "b1", "b2", "b3"];

const COSTS: [&str; 5] = ["0.5", "1.5", "2", "4", "7"];

struct Action {
    name: String,
    is_template: bool,
    /// One action of the planner; an action may be there once for each slot.
    is_one: bool,
    has_kinds: bool,
    /// The channels that it takes; empty: all.
    uses: Vec<&'static str>,
}

/// A variable about a parameter: `w0(p in t1)`.
struct About {
    name: String,
    select: Select,
}

struct Writer<'d> {
    dice: &'d mut SplitMix,
    selects: Vec<Select>,
    variables: Vec<Variable>,
    abouts: Vec<About>,
    actions: Vec<Action>,
    /// Checks that actions ask for.
    checks: Vec<usize>,
    /// Checks about a parameter, by what that takes: a variable or a selection.
    checks_about: BTreeSet<String>,
    /// What NPC types can do.
    done: BTreeSet<String>,
    /// One of them does nothing without a plan.
    idles: bool,
    n_goals: usize,
    n_sensors: usize,
    /// Most actions need what others do, and few rules speak against what they have done.
    deep: bool,
    /// A kind of facts is declared.
    declares: bool,
    text: String,
}

/// A file.
pub(super) fn text(dice: &mut SplitMix) -> String {
    let n_selects = if dice.percent(67) { dice.within(1, 3) } else { 0 };
    let selects = selects::heads(dice, n_selects);
    let mut writer = Writer {
        variables: variables(dice, &selects),
        abouts: Vec::new(),
        deep: dice.percent(50),
        declares: dice.percent(40),
        selects,
        dice,
        actions: Vec::new(),
        checks: Vec::new(),
        checks_about: BTreeSet::new(),
        done: BTreeSet::new(),
        idles: false,
        n_goals: 0,
        n_sensors: 0,
        text: "domain d\n".to_string(),
    };
    writer.all();
    writer.text
}

fn variables(dice: &mut SplitMix, selects: &[Select]) -> Vec<Variable> {
    let one = |dice: &mut SplitMix, at: usize| {
        let (n, numbers) = (dice.within(2, 4), dice.percent(30));
        let words =
            (0..n).map(|at| if numbers { at.to_string() } else { WORDS[at].to_string() }).collect();
        let of = selects.iter().filter(|_| !numbers && dice.percent(40)).cloned();
        let of: Vec<Select> = of.collect();
        let groups = of.iter().map(|select| select.name.clone()).collect();
        let slots = of.into_iter().flat_map(|select| select.slots).collect();
        Variable { name: format!("v{at}"), words, slots, groups }
    };
    (0..dice.within(2, 5)).map(|at| one(dice, at)).collect()
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
        let selects_first = self.chance(50);
        if selects_first {
            self.write_selects();
        }
        self.write_variables();
        let n_actions = if self.deep { 3 * self.variables.len() } else { self.dice.within(4, 9) };
        for at in 0..n_actions {
            self.action(at);
        }
        self.actions_about();
        let (clause, uses) = self.uses();
        self.line(&format!("action idle:  takes 0.4{clause}"));
        self.actions.push(Action {
            name: "idle".into(),
            is_template: false,
            is_one: true,
            has_kinds: false,
            uses,
        });
        self.compound();
        self.n_goals = self.dice.within(1, 5);
        (0..self.n_goals).for_each(|at| self.goal(at));
        self.n_sensors = self.dice.within(1, 5);
        (0..self.dice.within(1, 3)).for_each(|at| self.npc(at));
        (0..self.n_sensors).for_each(|at| self.sensor(at));
        if self.declares {
            let named = "amount as level, index, node, knowledge as sky = a, b, c, d, x";
            self.line(&format!("fact k3: {named}, stimulus, object, source, position"));
        }
        self.symbols();
        self.answers();
        self.prices();
        self.learning();
        (0..self.dice.below(3)).for_each(|at| self.flavour(at));
        (0..self.dice.below(4)).for_each(|at| self.beside(at));
        if !selects_first {
            self.write_selects();
        }
    }

    fn write_variables(&mut self) {
        for at in 0..self.variables.len() {
            let Variable { name, words, groups, .. } = &self.variables[at];
            let values = match self.variables[at].has_size() {
                true => format!("0..{}", words.len() - 1),
                false => {
                    let groups = groups.iter().map(|group| format!("any {group}"));
                    words.iter().cloned().chain(groups).collect::<Vec<_>>().join(", ")
                }
            };
            let line = format!("var {name}: {values}");
            self.line(&line);
        }
        for select in self.selects.clone() {
            if self.chance(40) {
                let name = format!("w{}", self.abouts.len());
                self.line(&format!("var {name}(p in {}): bool", select.name));
                self.abouts.push(About { name, select });
            }
        }
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

    /// Writes something over all that the file has.
    fn write<T>(&mut self, what: impl FnOnce(Rules<'_>, &mut SplitMix) -> T) -> T {
        let Writer { variables, selects, declares, dice, .. } = self;
        what(Rules { variables, selects, declares: *declares }, dice)
    }

    fn condition(&mut self, scope: Scope) -> String {
        self.write(|rules, dice| rules.condition(dice, scope))
    }

    fn seconds(&mut self) -> &'static str {
        SECONDS[self.dice.below(SECONDS.len())]
    }

    /// The names of actions of a kind.
    fn names(&self, of: impl Fn(&&Action) -> bool) -> Vec<String> {
        self.actions.iter().filter(of).map(|action| action.name.clone()).collect()
    }

    /// A value that a variable may have; a slot now and then.
    fn value(&mut self, variable: usize) -> String {
        let Variable { words, slots, .. } = &self.variables[variable];
        if !slots.is_empty() && self.dice.percent(50) {
            return self.dice.pick(slots).clone();
        }
        self.dice.pick(words).clone()
    }

    fn fact(&mut self, variable: usize) -> String {
        // One of the slots of a selection, whichever.
        let groups = &self.variables[variable].groups;
        if !groups.is_empty() && self.dice.percent(25) {
            return format!("v{variable} = {}", self.dice.pick(groups));
        }
        format!("v{variable} = {}", self.value(variable))
    }

    fn goal(&mut self, at: usize) {
        let n = self.variables.len();
        let lowest = if self.deep { n / 2 } else { 0 };
        let (one, two) = (self.dice.within(lowest, n - 1), self.dice.below(n));
        let (first, second) = (self.fact(one), self.fact(two));
        let wants = match self.dice.below(10) {
            _ if !self.abouts.is_empty() && self.dice.percent(25) => {
                let About { name, select } = self.dice.pick(&self.abouts);
                format!("{name}({}) = true", self.dice.pick(&select.slots))
            }
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
        line += &self.maybe(90, |writer| {
            let count = writer.dice.within(1, 2);
            let term = |_| writer.write(|rules, dice| rules.term(dice, Scope::ELSEWHERE));
            let mut terms: Vec<String> = (0..count).map(term).collect();
            // Some matter only while something is known.
            terms.extend(writer.dice.percent(12).then(|| {
                let scope = Scope::ELSEWHERE;
                format!("if {}", writer.write(|rules, dice| rules.pattern(dice, scope)))
            }));
            format!("  relevance {}", terms.join(" times "))
        });
        for (clause, choices) in [
            ("margin", ["0", "0.1", "0.5", "2"]),
            ("keep", ["0.2", "1", "3", "0"]),
            ("cooldown", ["0.2", "1", "4", "0"]),
        ] {
            line += &self.maybe(45, |writer| format!("  {clause} {}", writer.dice.pick(&choices)));
        }
        line += &self.maybe(45, |writer| format!("  reconsiders {}", writer.seconds()));
        line += &self.maybe(20, |writer| format!("  lingers {}", writer.seconds()));
        line += &self.maybe(15, |_| "  urgent".to_string());
        self.line(&line);
    }

    fn npc(&mut self, at: usize) {
        let names = self.names(|_| true);
        let can = some(self.dice, &names, 85);
        let plain = self.names(|action| action.is_one && can.contains(&action.name));
        let goals: Vec<String> = (0..self.n_goals).map(|goal| format!("g{goal}")).collect();
        let wants = some(self.dice, &goals, 80);
        let mut text = format!("npc n{at}\n    can {}\n", can.join(", "));
        _ = writeln!(text, "    wants {}", wants.join(", "));
        let starts: Vec<usize> = (0..self.variables.len()).collect();
        let starts = some(self.dice, &starts, 70);
        // Nothing is picked before it has looked.
        let start = |at: usize, dice: &mut SplitMix| {
            format!("v{at} = {}", dice.pick(&self.variables[at].words))
        };
        let starts: Vec<String> = starts.into_iter().map(|at| start(at, self.dice)).collect();
        _ = writeln!(text, "    starts {}", starts.join(", "));
        text += &self.maybe(60, |writer| {
            let sensors: Vec<String> = (0..writer.n_sensors).map(|s| format!("s{s}")).collect();
            format!("    senses {}\n", some(writer.dice, &sensors, 50).join(", "))
        });
        self.done.extend(can);
        let has_otherwise = self.chance(60) && !plain.is_empty();
        self.idles |= !has_otherwise;
        if has_otherwise {
            let after = self.maybe(30, |writer| format!(" after {}", writer.seconds()));
            _ = writeln!(text, "    otherwise {}{after}", self.dice.pick(&plain));
        }
        text += &self.maybe(70, |writer| {
            format!("    memory {}\n", writer.dice.pick(&[1, 2, 4, 8, 32, 40]))
        });
        text += &self.maybe(50, |writer| {
            let seconds = writer.seconds();
            format!("    doubt {} for {seconds}\n", writer.dice.within(1, 3))
        });
        text += &self.maybe(50, |writer| format!("    retry {}\n", writer.seconds()));
        // Without a throw of the dice: what else is written stays as it was.
        if text.len() % 5 < 2 {
            text += ["    commits 0.1\n", "    commits 0.4\n", "    commits 1\n"][text.len() % 3];
        }
        self.text.push_str(&text);
    }
}
