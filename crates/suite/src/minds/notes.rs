//! Random conditions, patterns and terms, as files write them.
//!
//! In:   dice, and the variables there are.
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

const RELATIONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];
/// Seconds; at ten ticks a second all of them are whole ticks.
pub(super) const SECONDS: [&str; 7] = ["0", "0.1", "0.3", "0.5", "1", "2", "4"];

/// Where a condition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Symbol,
    /// In the price of an action with a parameter.
    It,
    Elsewhere,
}

/// Writes conditions over these variables, each with its values.
pub(super) struct Rules<'v> {
    pub(super) variables: &'v [Vec<String>],
}

impl Rules<'_> {
    /// A condition.
    pub(super) fn condition(&self, dice: &mut SplitMix, scope: Scope) -> String {
        self.nested(dice, scope, 2)
    }

    fn nested(&self, dice: &mut SplitMix, scope: Scope, depth: usize) -> String {
        let part = |dice: &mut SplitMix| self.nested(dice, scope, depth - 1);
        match dice.below(if depth == 0 { 6 } else { 10 }) {
            0..=2 => self.pattern(dice, scope),
            3 => {
                let pattern = self.pattern(dice, scope);
                format!("count {pattern} {} {}", dice.pick(&RELATIONS), dice.below(4))
            }
            4 | 5 if scope != Scope::Symbol => self.variable(dice),
            4 | 5 => self.pattern(dice, scope),
            6 => format!("not ({})", part(dice)),
            7 => format!("not {}", self.pattern(dice, scope)),
            8 => format!("({}) and ({})", part(dice), part(dice)),
            _ => format!("({}) or ({})", part(dice), part(dice)),
        }
    }

    fn variable(&self, dice: &mut SplitMix) -> String {
        let variable = dice.below(self.variables.len());
        let values = &self.variables[variable];
        let has_size = values[0] == "0";
        let relations = if has_size { &RELATIONS[..] } else { &RELATIONS[..2] };
        format!("v{variable} {} {}", dice.pick(relations), dice.pick(values))
    }

    /// A pattern, often of few tests so that facts pass.
    pub(super) fn pattern(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let shared = if dice.percent(12) { "shared " } else { "" };
        let tests: Vec<String> =
            (0..*dice.pick(&[0, 0, 1, 1, 1, 2])).map(|_| test(dice, scope == Scope::It)).collect();
        let kind = dice.pick(&KINDS);
        match tests.is_empty() {
            true => format!("{shared}{kind}"),
            false => format!("{shared}{kind}({})", tests.join(", ")),
        }
    }

    /// A number from facts.
    pub(super) fn aspect(&self, dice: &mut SplitMix, scope: Scope) -> String {
        let what = match dice.below(8) {
            0 | 1 => format!("sure {}", dice.pick(&WORD_ATTRIBUTES)),
            2..=4 => dice.pick(&["amount", "index"]).to_string(),
            5 => "distance".to_string(),
            6 => "age".to_string(),
            _ => "count".to_string(),
        };
        format!("{what} of {}", self.pattern(dice, scope))
    }

    /// A term of a relevance.
    pub(super) fn term(&self, dice: &mut SplitMix) -> String {
        let measure = match dice.below(6) {
            0 => dice.pick(&["0.2", "0.5", "0.9", "1"]).to_string(),
            1..=3 => format!("if {}", self.condition(dice, Scope::Elsewhere)),
            _ => self.aspect(dice, Scope::Elsewhere),
        };
        if !dice.percent(70) {
            return measure;
        }
        let mut x = 0.0;
        // Most begin above zero, so that goals matter without any fact.
        let lowest = usize::from(dice.percent(70));
        let points: Vec<String> = (0..dice.within(1, 3))
            .map(|_| {
                let heights = ["0", "0.2", "0.5", "0.7", "1"];
                let point = format!("{x} {}", dice.pick(&heights[lowest..]));
                x += dice.pick(&[0.5, 1.0, 2.5]);
                point
            })
            .collect();
        format!("{measure} curve {}", points.join(", "))
    }
}

fn test(dice: &mut SplitMix, it: bool) -> String {
    let word = |dice: &mut SplitMix| dice.pick(&WORD_ATTRIBUTES).to_string();
    let attribute = word(dice);
    match dice.below(9) {
        0 => format!("{attribute} = {}", if it { "it" } else { *dice.pick(&WORDS) }),
        1 => format!("{attribute} = {}", dice.pick(&WORDS)),
        2 => format!("{attribute} != {}", dice.pick(&WORDS)),
        3 => dice.pick(&["node", "position", "object", "amount"]).to_string(),
        4 => format!("sure {attribute} {} {}", dice.pick(&RELATIONS), dice.pick(&["0", "0.5"])),
        5 => format!("amount {} {}", dice.pick(&RELATIONS), dice.below(3)),
        6 | 7 => format!("age {} {}", dice.pick(&RELATIONS), dice.pick(&SECONDS)),
        _ => format!("distance {} {}", dice.pick(&RELATIONS), dice.within(1, 5)),
    }
}
