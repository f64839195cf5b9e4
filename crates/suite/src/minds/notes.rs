//! Random conditions, patterns and terms, as files write them.
//!
//! In:   dice, and the variables and selections there are.
//! Out:  words that make sense: names that exist, attributes of the right sort.

use throng_base::SplitMix;

/// Kinds of facts that rules ask for and the world writes.
pub(super) const KINDS: [&str; 4] = ["k0", "k1", "k2", "k3"];
/// Words that attributes have; the first four are values of variables too.
pub(super) const WORDS: [&str; 5] = ["a", "b", "c", "d", "x"];
/// Stimuli that sensors run on.
pub(super) const STIMULI: [&str; 3] = ["k0", "st1", "st2"];
/// Attributes that are words, of those that the world writes.
pub(super) const WORD_ATTRIBUTES: [&str; 3] = ["node", "knowledge", "stimulus"];
/// The kind that a file may declare, with names of its own for attributes.
pub(super) const DECLARED: &str = "k3";

const RELATIONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];
/// Seconds; at ten ticks a second all of them are whole ticks.
pub(super) const SECONDS: [&str; 7] = ["0", "0.1", "0.3", "0.5", "1", "2", "4"];

/// What may be named where a condition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Scope {
    /// Variables have values by then.
    variables: bool,
    /// There is an `it`: a candidate, or the first parameter.
    pub(super) it: bool,
    /// The parameter has its name, too.
    parameter: bool,
}

impl Scope {
    pub(super) const ELSEWHERE: Scope = Scope { variables: true, it: false, parameter: false };
    /// A candidate, or the parameter of an action.
    pub(super) const IT: Scope = Scope { it: true, ..Scope::ELSEWHERE };
    pub(super) const SYMBOL: Scope = Scope { variables: false, ..Scope::ELSEWHERE };
    /// Rules of a check about a parameter.
    pub(super) const ABOUT: Scope = Scope { parameter: true, ..Scope::IT };
    /// Rules of a variable about a parameter.
    pub(super) const SYMBOL_ABOUT: Scope = Scope { variables: false, ..Scope::ABOUT };
}

/// What is picked: `t0`, or `t1.1` and `t1.2`.
#[derive(Clone)]
pub(super) struct Select {
    pub(super) name: String,
    pub(super) slots: Vec<String>,
}

/// A variable: its plain values, then its slots.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    pub(super) slots: Vec<String>,
    /// The selections that the slots are of.
    pub(super) groups: Vec<String>,
}

impl Variable {
    pub(super) fn values(&self) -> Vec<String> {
        [&self.words[..], &self.slots].concat()
    }

    pub(super) fn has_size(&self) -> bool {
        self.words[0] == "0"
    }
}

/// Writes conditions over these.
pub(super) struct Rules<'v> {
    pub(super) variables: &'v [Variable],
    pub(super) selects: &'v [Select],
    /// Attributes of one kind have names of the file's own.
    pub(super) declares: bool,
}

impl Rules<'_> {
    /// A condition.
    pub(super) fn condition(&self, dice: &mut SplitMix, scope: Scope) -> String {
        self.nested(dice, scope, 2)
    }

    fn nested(&self, dice: &mut SplitMix, scope: Scope, depth: usize) -> String {
        let part = |dice: &mut SplitMix| self.nested(dice, scope, depth - 1);
        match dice.below(if depth == 0 { 7 } else { 11 }) {
            0..=2 => self.pattern(dice, scope),
            3 => {
                let pattern = self.pattern(dice, scope);
                format!("count {pattern} {} {}", dice.pick(&RELATIONS), dice.below(4))
            }
            4 | 5 if scope.variables => self.variable(dice),
            4 | 5 => self.pattern(dice, scope),
            6 => {
                let measured = self.measured(dice, scope);
                format!("{measured} {} {}", dice.pick(&RELATIONS), dice.pick(&["0.5", "1", "3"]))
            }
            7 => format!("not ({})", part(dice)),
            8 => format!("not {}", self.pattern(dice, scope)),
            9 => format!("({}) and ({})", part(dice), part(dice)),
            _ => format!("({}) or ({})", part(dice), part(dice)),
        }
    }

    fn variable(&self, dice: &mut SplitMix) -> String {
        let variable = dice.pick(self.variables);
        let relations = if variable.has_size() { &RELATIONS[..] } else { &RELATIONS[..2] };
        format!("{} {} {}", variable.name, dice.pick(relations), dice.pick(&variable.values()))
    }

    /// A pattern, often of few tests so that facts pass.
    pub(super) fn pattern(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let picked = self.picked(scope);
        if !picked.is_empty() && dice.percent(30) {
            let tests = self.tests(dice, "", scope);
            return format!("{}{tests}", dice.pick(&picked));
        }
        let shared = if dice.percent(12) { "shared " } else { "" };
        format!("{shared}{}", self.of_kind(dice, scope))
    }

    /// A pattern of facts that the mind knows itself.
    pub(super) fn own_pattern(&self, dice: &mut SplitMix, scope: Scope) -> String {
        loop {
            let pattern = self.pattern(dice, scope);
            if !pattern.starts_with("shared") {
                return pattern;
            }
        }
    }

    /// A pattern of facts of a kind.
    pub(super) fn of_kind(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let kind = dice.pick(&KINDS);
        format!("{kind}{}", self.tests(dice, kind, scope))
    }

    fn tests(&self, dice: &mut SplitMix, kind: &str, scope: Scope) -> String {
        let count = *dice.pick(&[0, 0, 1, 1, 1, 2]);
        let tests: Vec<String> = (0..count).map(|_| self.test(dice, kind, scope)).collect();
        if tests.is_empty() { String::new() } else { format!("({})", tests.join(", ")) }
    }

    /// What patterns may be of besides kinds: what is picked, a slot, `it`.
    fn picked(&self, scope: Scope) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for select in self.selects {
            all.push(select.name.clone());
            all.extend(select.slots.iter().cloned());
        }
        if scope.it {
            all.extend(["it".to_string(), "it".to_string()]);
        }
        all
    }

    /// What something may be compared with, or measured from.
    pub(super) fn reference(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let mut all = self.picked(scope);
        all.push("me".to_string());
        if scope.parameter {
            all.extend(["p".to_string(), "p".to_string()]);
        }
        dice.pick(&all).clone()
    }

    /// A number from facts.
    pub(super) fn aspect(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let what = match dice.below(9) {
            0 | 1 => format!("sure {}", dice.pick(&WORD_ATTRIBUTES)),
            2..=4 => dice.pick(&["amount", "index"]).to_string(),
            5 => "distance".to_string(),
            6 => "age".to_string(),
            7 => {
                let pattern = self.pattern(dice, scope);
                return format!("distance of {pattern} from {}", self.reference(dice, scope));
            }
            _ => "count".to_string(),
        };
        let pattern = self.pattern(dice, scope);
        let is_declared = self.declares && pattern.trim_start_matches("shared ").starts_with("k3");
        let what = if is_declared { what.replace("amount", "level") } else { what };
        format!("{what} of {pattern}")
    }

    /// A number from facts, or another where there is none.
    pub(super) fn measured(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let first = self.aspect(dice, scope);
        match dice.below(6) {
            0 => format!("{first} else {}", self.aspect(dice, scope)),
            1 => format!("{first} else {}", dice.pick(&["0.2", "1", "3"])),
            _ => first,
        }
    }

    /// A term of a relevance.
    pub(super) fn term(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let measure = match dice.below(6) {
            0 => dice.pick(&["0.2", "0.5", "0.9", "1"]).to_string(),
            1..=3 => format!("if {}", self.condition(dice, scope)),
            _ => self.measured(dice, scope),
        };
        if !dice.percent(70) {
            return measure;
        }
        // Most begin above zero, so that goals matter without any fact.
        let lowest = usize::from(dice.percent(60));
        format!("{measure} {}", curve(dice, &["0", "0.2", "0.5", "0.7", "1"][lowest..]))
    }

    fn test(&self, dice: &mut SplitMix, kind: &str, scope: Scope) -> String {
        let attribute = dice.pick(&WORD_ATTRIBUTES).to_string();
        let own = |dice: &mut SplitMix, attribute: &str| {
            let is_named = self.declares && kind == DECLARED && dice.percent(50);
            match attribute {
                "amount" if is_named => "level".to_string(),
                "knowledge" if is_named => "sky".to_string(),
                _ => attribute.to_string(),
            }
        };
        match dice.below(13) {
            0 if scope.it => format!("{attribute} = it"),
            0 | 1 => format!("{} = {}", own(dice, &attribute), dice.pick(&WORDS)),
            2 => format!("{} != {}", own(dice, &attribute), dice.pick(&WORDS)),
            3 => dice.pick(&["node", "position", "object", "amount"]).to_string(),
            4 => format!("sure {attribute} {} {}", dice.pick(&RELATIONS), dice.pick(&["0", "0.5"])),
            5 => format!("{} {} {}", own(dice, "amount"), dice.pick(&RELATIONS), dice.below(3)),
            6 | 7 => format!("age {} {}", dice.pick(&RELATIONS), dice.pick(&SECONDS)),
            8 => format!("distance {} {}", dice.pick(&RELATIONS), dice.within(1, 5)),
            9 => format!("within {} of {}", dice.within(1, 4), self.reference(dice, scope)),
            _ => {
                let attribute = dice.pick(&["object", "object", "source", "node"]);
                let what = self.reference(dice, scope);
                // A node is called by a word, and nobody is called `me`.
                let attribute = if what == "me" { &"object" } else { attribute };
                format!("{attribute} {} {what}", dice.pick(&["=", "=", "!="]))
            }
        }
    }
}

/// `curve x y, …` with some of these heights.
pub(super) fn curve(dice: &mut SplitMix, heights: &[&str]) -> String {
    let mut x = 0.0;
    let points: Vec<String> = (0..dice.within(1, 3))
        .map(|_| {
            let point = format!("{x} {}", dice.pick(heights));
            x += dice.pick(&[0.5, 1.0, 2.5]);
            point
        })
        .collect();
    format!("curve {}", points.join(", "))
}
