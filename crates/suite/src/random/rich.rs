//! Random `.npc` files that use the whole language.
//!
//! In:   a seed.
//! Out:  text that loads without errors, or such text spread over two files.
//!
//! Templates, counting, ranges, capabilities, former names, tests: everything that a writer, a
//! reader or the layout must get right. The domains need not make sense, and what their tests
//! expect need not come true. Many things are called like keywords, or like other things.

mod actions;
mod notes;

use super::sloppy::{self, BREAK};
use std::collections::HashSet;
use throng_base::SplitMix;

/// A random file.
pub fn rich_text(seed: u64) -> String {
    let mut dice = SplitMix::new(seed);
    let statements = Writer::new(&mut dice).statements();
    sloppy::write(&statements, &mut dice)
}

/// A random domain in two files, each with its path; the first one uses the second.
pub fn rich_files(seed: u64) -> Vec<(String, String)> {
    let mut dice = SplitMix::new(seed);
    let mut first = Writer::new(&mut dice).statements();
    let domain = first.remove(0);
    let mut second = Vec::new();
    for index in (0..first.len()).rev() {
        if dice.percent(50) {
            second.push(first.remove(index));
        }
    }
    first.insert(dice.below(first.len() + 1), "use \"parts/more.npc\"".to_string());
    first.insert(0, domain.clone());
    if dice.percent(50) {
        second.insert(dice.below(second.len() + 1), domain);
    }
    let texts = [first, second].map(|statements| sloppy::write(&statements, &mut dice));
    ["main.npc", "parts/more.npc"].map(str::to_string).into_iter().zip(texts).collect()
}

/// Names for anything; all but the last few are keywords somewhere.
#[rustfmt::skip]
const NAMES: [&str; 31] = [
    "domain", "use", "var", "shared", "action", "goal", "capability", "npc", "test", "while", "if",
    "cost", "was", "can", "starts", "expect", "from", "to", "Node.Cover-2", "_", "x", "a.b",
    "not", "or", "and", "kinds", "before", "compound", "prefer", "Zügel", "pick_up_the_very_long_bucket_of_the_second_horse",
];
/// Values of variables; from `PLACES` on those that several variables are likely to share.
#[rustfmt::skip]
const VALUES: [&str; 14] = [
    "off", "on", "while", "cost", "true", "false", "Link.Invalid", "in_hands", "N7", "_0",
    "pipe", "road", "tree", "well",
];
const PLACES: usize = 10;
const NUMBERS: [&str; 7] = ["1", "2.5", "0.001", "10.250", "1000000", "0.5", "3"];
const CHECKS: [&str; 4] = ["room_to_roll", "crouched", "is.dark", "not-tired"];

/// Where a variable's values come from.
enum Kind {
    Words,
    /// All integers from a low one to a high one, written as a list.
    List(i64, i64),
    /// An amount: the same, written as a range.
    Range(i64, i64),
}

impl Kind {
    /// The least and the greatest number, if all values are numbers.
    fn ends(&self) -> Option<(i64, i64)> {
        match *self {
            Kind::Words => None,
            Kind::List(low, high) | Kind::Range(low, high) => Some((low, high)),
        }
    }
}

struct Variable {
    name: String,
    values: Vec<String>,
    kind: Kind,
}

struct Writer<'d> {
    dice: &'d mut SplitMix,
    /// Names that are taken, each among things of its kind.
    used: HashSet<(&'static str, String)>,
    variables: Vec<Variable>,
    /// Actions, templates and some of their members, as one refers to them.
    actions: Vec<String>,
    /// Actions and templates by their bare names.
    bases: Vec<String>,
    /// Goals as a test refers to them.
    goals: Vec<String>,
    /// Goals and goal templates as an NPC type refers to them.
    wishes: Vec<String>,
    /// Checks that some action asks for.
    checks: Vec<&'static str>,
    statements: Vec<String>,
}

/// Clauses behind a statement, a blank before each.
fn behind(clauses: &[String]) -> String {
    clauses.iter().map(|clause| format!(" {clause}")).collect()
}

impl<'d> Writer<'d> {
    fn new(dice: &'d mut SplitMix) -> Self {
        Writer {
            dice,
            used: HashSet::new(),
            variables: Vec::new(),
            actions: Vec::new(),
            bases: Vec::new(),
            goals: Vec::new(),
            wishes: Vec::new(),
            checks: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// All statements, `domain` first, the others in any order.
    fn statements(mut self) -> Vec<String> {
        let name = self.fresh("domain");
        for at in 0..self.dice.within(2, 6) {
            self.variable(at == 0);
        }
        for _ in 0..self.dice.within(1, 8) {
            self.action();
        }
        if self.dice.percent(30) {
            self.compound();
        }
        for _ in 0..self.dice.within(0, 3) {
            self.goal();
        }
        let mut can = self.actions.clone();
        for _ in 0..self.dice.within(0, 2) {
            can.push(self.capability());
        }
        for _ in 0..self.dice.within(0, 2) {
            self.prefer();
        }
        let npcs: Vec<String> = (0..self.dice.within(0, 3)).map(|_| self.npc(&can)).collect();
        for _ in 0..self.dice.within(0, 3) {
            self.test(&npcs);
        }
        for _ in 0..self.dice.within(0, 3) {
            self.note();
        }
        if self.dice.percent(40) {
            self.dice.shuffle(&mut self.statements);
        }
        self.statements.insert(0, format!("domain {name}"));
        self.statements
    }

    /// A name that nothing of this kind has yet.
    fn fresh(&mut self, kind: &'static str) -> String {
        let base = *self.dice.pick(&NAMES);
        let mut name = base.to_string();
        while !self.used.insert((kind, name.clone())) {
            name = format!("{base}_{}", self.used.len());
        }
        name
    }

    /// ` was old_7`, mostly nothing.
    fn was(&mut self) -> String {
        if !self.dice.percent(15) {
            return String::new();
        }
        let names: Vec<String> = (0..self.dice.within(1, 2)).map(|_| self.former()).collect();
        format!(" was {}", names.join(" , "))
    }

    fn former(&mut self) -> String {
        let name = format!("old_{}", self.used.len());
        self.used.insert(("former", name.clone()));
        name
    }

    /// Declares a variable; no amount, if that is not allowed.
    fn variable(&mut self, is_listed: bool) {
        let name = self.fresh("variable");
        let (kind, written, values) = match self.dice.below(10) {
            2..=4 if is_listed => {
                (Kind::Words, "bool".to_string(), vec!["false".into(), "true".into()])
            }
            0 | 1 => (Kind::Words, "bool".to_string(), vec!["false".into(), "true".into()]),
            2..=4 => {
                let low = *self.dice.pick(&[0, 0, -3, 1, -1]);
                let high = low + 1 + self.dice.below(4) as i64;
                let values: Vec<_> = (low..=high).map(|number| number.to_string()).collect();
                match self.dice.percent(30) {
                    true => (Kind::List(low, high), values.join(" , "), values),
                    false => (Kind::Range(low, high), format!("{low} .. {high}"), values),
                }
            }
            5 => {
                let values = ["none", "-1", "0", "1", "9"].map(str::to_string).to_vec();
                (Kind::Words, "none , -1 .. 1 , 9".to_string(), values)
            }
            _ => {
                // Half of them from the places, so that variables have values in common.
                let first = if self.dice.percent(50) { PLACES } else { 0 };
                let count = self.dice.within(2, 4);
                let some = self.dice.some_of(VALUES.len() - first, count);
                let values: Vec<_> =
                    some.iter().map(|&at| VALUES[first + at].to_string()).collect();
                (Kind::Words, values.join(" , "), values)
            }
        };
        let shared = if self.dice.percent(15) { "shared " } else { "" };
        let was = self.was();
        self.statements.push(format!("{shared}var {name} : {written}{was}"));
        self.variables.push(Variable { name, values, kind });
    }

    /// The index of a variable, other than those given.
    fn other_than(&mut self, taken: &[usize]) -> Option<usize> {
        let free = (0..self.variables.len()).filter(|index| !taken.contains(index));
        let free: Vec<usize> = free.collect();
        (!free.is_empty()).then(|| *self.dice.pick(&free))
    }

    /// The index of a variable whose values a parameter may take: of any but an amount. The first
    /// variable is none.
    fn listed(&mut self) -> usize {
        let is_listed = |at: &usize| !matches!(self.variables[*at].kind, Kind::Range(..));
        let listed: Vec<usize> = (0..self.variables.len()).filter(is_listed).collect();
        *self.dice.pick(&listed)
    }

    fn value_of(&mut self, variable: usize) -> String {
        let values = &self.variables[variable].values;
        values[self.dice.below(values.len())].clone()
    }

    fn name_of(&self, variable: usize) -> &str {
        &self.variables[variable].name
    }

    /// `a = x , b = y` for some variables that are not taken.
    fn facts(&mut self, taken: &[usize], most: usize) -> Vec<String> {
        let mut taken = taken.to_vec();
        let mut facts = Vec::new();
        for _ in 0..self.dice.within(0, most) {
            let Some(variable) = self.other_than(&taken) else { break };
            let value = self.value_of(variable);
            facts.push(format!("{} = {value}", self.name_of(variable)));
            taken.push(variable);
        }
        facts
    }

    /// One condition on a variable, of any form that the variable allows.
    fn condition(&mut self, variable: usize) -> String {
        let value = self.value_of(variable);
        let form = self.dice.below(5);
        let name = self.name_of(variable);
        match (form, self.variables[variable].kind.ends()) {
            (0, _) => format!("{name} != {value}"),
            (1, Some((low, _))) => format!("{name} > {low}"),
            (2, Some((_, high))) => format!("{name} <= {high}"),
            (3, _) => format!("not {name} != {value}"),
            _ => format!("{name} = {value}"),
        }
    }

    /// Conditions with `or`, `and` and `not` on two variables that are not taken, at least one
    /// alternative of which can be had.
    fn alternatives(&mut self, taken: &[usize]) -> Option<String> {
        let a = self.other_than(taken)?;
        let b = self.other_than(&[taken, &[a]].concat()).unwrap_or(a);
        let (first, second) = (self.condition(a), self.condition(b));
        let (third, fourth) = (self.condition(a), self.condition(b));
        // The opposite of an equation can be had: every variable has two values.
        let (x, y) = (self.value_of(a), self.value_of(b));
        let (x, y) = (format!("{} = {x}", self.name_of(a)), format!("{} = {y}", self.name_of(b)));
        Some(match self.dice.below(6) {
            0 => format!("( {first} or {second} )"),
            1 => format!("not ( {x} and {y} )"),
            2 => format!("{first} or ( {second} , {third} ) or {fourth}"),
            3 => format!("{first} and {x} or {third} or {y} and {second}"),
            4 => format!("not ( not ( {first} or {fourth} ) )"),
            _ => format!("{first} or {second}"),
        })
    }

    fn goal(&mut self) {
        let name = self.fresh("goal");
        let (head, wants, one) = match self.dice.below(6) {
            1 => (name.clone(), self.alternatives(&[]).into_iter().collect(), name.clone()),
            form @ (0 | 2) => {
                let at = self.listed();
                let variable = self.name_of(at).to_string();
                let mut wants = vec![format!("{variable} = p_1")];
                wants.extend(match form {
                    0 => self.facts(&[at], 2),
                    _ => self.alternatives(&[at]).into_iter().collect(),
                });
                let one = format!("{name} ( {} )", self.value_of(at));
                (format!("{name} ( p_1 in {variable} )"), wants, one)
            }
            _ => (name.clone(), self.facts(&[], 3), name.clone()),
        };
        let mut clauses = self.note_clauses(|words| words.goal_clauses);
        if self.dice.percent(40) {
            clauses.push(format!("priority {}", self.dice.pick(&NUMBERS)));
        }
        self.dice.shuffle(&mut clauses);
        let (clauses, was) = (behind(&clauses), self.was());
        let wants = wants.join(" , ");
        self.statements.push(format!("goal {head} : {wants}{clauses}{was}").replace("  ", " "));
        self.wishes.extend([name, one.clone()]);
        self.goals.push(one);
    }

    /// Some items of a list, each once, at least one.
    fn some(&mut self, items: &[String], most: usize) -> String {
        let count = self.dice.within(1, most);
        let some = self.dice.some_of(items.len(), count);
        let some: Vec<&str> = some.iter().map(|&at| items[at].as_str()).collect();
        some.join(" , ")
    }

    fn capability(&mut self) -> String {
        let name = self.fresh("action");
        let members = self.some(&self.actions.clone(), 6);
        self.statements.push(format!("capability {name} : {members}"));
        name
    }

    /// `prefer a , b before c`, if there are so many.
    fn prefer(&mut self) {
        let bases = self.bases.clone();
        if bases.len() < 2 || self.dice.percent(50) {
            return;
        }
        let some = self.dice.some_of(bases.len(), 3);
        let names: Vec<&str> = some.iter().map(|&at| bases[at].as_str()).collect();
        let (first, later) = names.split_at(1.max(names.len() - 1 - self.dice.below(2)));
        if !later.is_empty() {
            let (first, later) = (first.join(" , "), later.join(" , "));
            self.statements.push(format!("prefer {first} before {later}"));
        }
    }

    fn npc(&mut self, can: &[String]) -> String {
        let name = self.fresh("npc");
        let mut clauses = Vec::new();
        if self.dice.percent(90) {
            clauses.push(format!("can {}", self.some(can, 12)));
        }
        if self.dice.percent(60) && !self.wishes.is_empty() {
            clauses.push(format!("wants {}", self.some(&self.wishes.clone(), 3)));
        }
        let starts = self.facts(&[], 6);
        if !starts.is_empty() {
            clauses.push(format!("starts {}", starts.join(" , ")));
        }
        if self.dice.percent(20) {
            clauses.push(format!("was {}", self.former()));
        }
        clauses.extend(self.note_clauses(|words| words.npc_clauses));
        self.dice.shuffle(&mut clauses);
        self.push_clauses(&format!("npc {name}"), &clauses);
        name
    }

    fn test(&mut self, npcs: &[String]) {
        let name = self.fresh("test");
        let head = match npcs {
            [] => format!("test {name}"),
            [_] if self.dice.percent(30) => format!("test {name}"),
            _ => format!("test {name} : {}", self.dice.pick(npcs)),
        };
        let mut clauses = Vec::new();
        let (from, to) = (self.facts(&[], 3), self.facts(&[], 3));
        if !from.is_empty() {
            clauses.push(format!("from {}", from.join(" , ")));
        }
        match self.dice.below(3) {
            0 if !self.goals.is_empty() => {
                clauses.push(format!("goal {}", self.dice.pick(&self.goals)));
            }
            1 if !to.is_empty() && self.dice.percent(50) => {
                // Sets of values, too, of one variable each.
                let at = self.dice.below(self.variables.len());
                let (one, other) = (self.condition(at), self.condition(at));
                clauses.push(format!("to {one} or {other}"));
            }
            1 if !to.is_empty() => clauses.push(format!("to {}", to.join(" , "))),
            _ => {}
        }
        let checks: Vec<String> = self.checks.iter().map(|check| check.to_string()).collect();
        match self.dice.below(5) {
            0 if !checks.is_empty() => clauses.push(format!("without {}", self.some(&checks, 3))),
            1 if !checks.is_empty() => clauses.push(format!("only {}", self.some(&checks, 3))),
            2 => clauses.push(format!("only {BREAK}")),
            _ => {}
        }
        for _ in 0..self.dice.within(1, 3) {
            clauses.push(self.expectation());
        }
        self.dice.shuffle(&mut clauses);
        self.push_clauses(&head, &clauses);
    }

    fn expectation(&mut self) -> String {
        let actions = self.actions.clone();
        match self.dice.below(6) {
            0 => format!("expect length {}", self.dice.below(20)),
            1 => format!("expect cost {}", self.dice.pick(&NUMBERS)),
            2 => format!("expect plan {}", self.some(&actions, 8)),
            3 => "expect impossible".to_string(),
            4 => "expect satisfied".to_string(),
            _ => format!("expect never {}", self.some(&actions, 2)),
        }
    }

    /// Clauses on lines of their own, mostly.
    fn push_clauses(&mut self, head: &str, clauses: &[String]) {
        let mut statement = head.to_string();
        for clause in clauses {
            let own_line = self.dice.percent(80) && !statement.ends_with(BREAK);
            statement.push_str(if own_line { " \n " } else { " " });
            statement.push_str(clause);
        }
        self.statements.push(statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_domain::formats::npc;
    use throng_domain::{Format, Limits, Loaded, Severity, load};
    use throng_lab::corpus::load_text;

    fn assert_loads(loaded: &Loaded, seed: u64, text: &str) {
        let errors = loaded.report.diagnostics().iter();
        let errors = errors.filter(|found| found.severity() == Severity::Error);
        let errors: Vec<_> = errors.map(|error| error.short(&loaded.sources)).collect();
        assert!(errors.is_empty(), "{seed}: {errors:?}\n{text}");
    }

    #[test]
    fn rich_texts_load_and_can_be_laid_out() {
        for seed in 0..5_000 {
            let text = rich_text(seed);
            let loaded = load_text(&text, Format::Npc);
            assert_loads(&loaded, seed, &text);
            assert!(npc::format(&text, &throng_mind::notes::WORDS).is_ok(), "{seed}:\n{text}");
        }
    }

    #[test]
    fn two_files_load_as_one_domain() {
        for seed in 0..2_000 {
            let files = rich_files(seed);
            let mut fetch = |path: &str| {
                let found = files.iter().find(|file| file.0 == path);
                found.map(|file| file.1.clone()).ok_or_else(|| "no such file".to_string())
            };
            let (name, text) = &files[0];
            let loaded = load(
                name,
                text,
                Format::Npc,
                &Limits::default(),
                &throng_mind::notes::WORDS,
                &mut fetch,
            );
            assert_loads(&loaded, seed, text);
            assert_eq!(loaded.sources.files().len(), 2);
        }
    }
}
