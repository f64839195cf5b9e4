//! Draws domains: variables, statements, goals.

use super::{
    CHECKS, Change, ChangeKind, Check, Folk, Formula, State, Stated, Statement, Variable, Word,
};
use throng_base::SplitMix;

const LETTERS: [&str; 4] = ["a", "b", "c", "d"];
pub(super) const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];
pub(super) const COSTS: [u64; 5] = [500, 1000, 1500, 3000, 10_250];
/// Where the ranges of amounts begin and how many numbers they have.
const RANGES: [(i64, usize); 9] =
    [(0, 4), (0, 4), (0, 6), (-3, 7), (2, 6), (0, 9), (-2, 3), (-9, 4), (5, 1)];

impl Stated {
    /// Any domain of few values; some of its statements may be possible nowhere.
    pub fn any(dice: &mut SplitMix) -> Self {
        let variables = (0..dice.within(2, 4)).map(|at| any_variable(at, dice)).collect();
        Stated::of_variables(variables, dice)
    }

    /// Any domain in which amounts are counted, stopped and compared, mostly without lists.
    pub fn any_counting(dice: &mut SplitMix) -> Self {
        let mut variables: Vec<Variable> = (0..dice.within(2, 4))
            .map(|at| match dice.percent(65) {
                true => any_amount(at, dice),
                false => any_variable(at, dice),
            })
            .collect();
        if variables.iter().all(|variable| !variable.is_amount) {
            variables[0] = any_amount(0, dice);
        }
        if dice.percent(25) {
            // Nothing changes it: the others may be compared with it.
            let at = variables.len();
            let name = format!("price{at}");
            variables.push(Variable { name, is_shared: false, ..any_amount(at, dice) });
        }
        let mut stated = Stated::of_variables(variables, dice);
        stated.add_folk(dice);
        stated
    }

    fn of_variables(variables: Vec<Variable>, dice: &mut SplitMix) -> Self {
        let mut stated = Stated {
            variables,
            statements: Vec::new(),
            goals: Vec::new(),
            compound: None,
            folk: Vec::new(),
            preferences: Vec::new(),
        };
        let count = dice.within(3, 8);
        for at in 0..count {
            let statement = stated.any_statement(at, count, dice);
            stated.statements.push(statement);
        }
        for _ in 0..3 {
            let goal = (0..dice.within(1, 2)).map(|_| stated.any_goal(dice)).collect();
            stated.goals.push(goal);
        }
        stated.folk.push(Folk { can: (0..count).collect(), starts: Vec::new() });
        stated
    }

    /// Lets the first type do less, mostly, and adds other types, starts and preferences.
    pub(super) fn add_folk(&mut self, dice: &mut SplitMix) {
        let n = self.statements.len();
        for folk in 0..*dice.pick(&[1, 1, 1, 2, 3]) {
            let chance = if folk == 0 { 95 } else { 60 };
            let can = (0..n).filter(|_| dice.percent(chance)).collect();
            let mut starts = Vec::new();
            for (at, variable) in self.variables.iter().enumerate() {
                if dice.percent(40) {
                    starts.push((at, dice.below(variable.values.len())));
                }
            }
            let folk_of = Folk { can, starts };
            match folk {
                0 => self.folk = vec![folk_of],
                _ => self.folk.push(folk_of),
            }
        }
        if n > 1 && dice.percent(20) {
            let some = dice.some_of(n, 2);
            self.preferences.push((some[0], some[1]));
        }
    }

    /// Any state; a variable is now and then unknown.
    pub fn any_state(&self, dice: &mut SplitMix) -> State {
        let each = self.variables.iter();
        each.map(|v| (!dice.percent(8)).then(|| dice.below(v.values.len()))).collect()
    }

    /// The variables that statements may change.
    fn changeable(&self) -> usize {
        self.variables.iter().filter(|variable| !variable.is_price()).count()
    }

    /// Mostly an equation, for what is easily had is no question; of an amount any comparison, or
    /// one of the last few numbers at either end.
    fn any_goal(&self, dice: &mut SplitMix) -> Formula {
        let variable = dice.below(self.changeable());
        match dice.below(4) {
            0 => self.any_formula(&[variable], &[], 1, dice),
            1 if self.variables[variable].is_amount => self.any_end(variable, dice),
            2 if self.variables[variable].is_amount => self.any_formula(&[variable], &[], 0, dice),
            _ => Formula::One(variable, "=", self.any_value(variable, &[], dice)),
        }
    }

    /// Much of an amount, or little.
    fn any_end(&self, variable: usize, dice: &mut SplitMix) -> Formula {
        let declared = &self.variables[variable];
        let (last, far) = (declared.values.len() - 1, dice.below(2 + declared.values.len() / 4));
        let (sign, at) = match dice.percent(50) {
            true => (">=", last.saturating_sub(far)),
            false => ("<=", far.min(last)),
        };
        Formula::One(variable, sign, Word::Text(declared.number(at).to_string()))
    }

    fn any_statement(&self, at: usize, count: usize, dice: &mut SplitMix) -> Statement {
        let n_parameters = *dice.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2]);
        // A parameter does not stand for the numbers of an amount.
        let listed: Vec<usize> =
            (0..self.variables.len()).filter(|&at| !self.variables[at].is_amount).collect();
        let n_parameters = if listed.is_empty() { 0 } else { n_parameters };
        let parameters: Vec<usize> = (0..n_parameters).map(|_| *dice.pick(&listed)).collect();
        let n_changes = *dice.pick(&[1, 2, 2, 2, 3]);
        let mut changed = dice.some_of(self.changeable(), n_changes);
        if dice.percent(3) && !self.variables[changed[0]].is_amount {
            // The same twice: possible where both say the same. Of an amount it is a mistake.
            changed.push(changed[0]);
        }
        let changes = changed.iter().map(|&v| self.any_change(v, &parameters, dice)).collect();
        let conditions = (0..*dice.pick(&[0, 1, 1, 1, 2]))
            .map(|_| self.any_formula(&changed, &parameters, dice.below(3), dice))
            .collect();
        let mut statement = Statement {
            name: format!("s{at}"),
            parameters,
            changes,
            conditions,
            check: any_check(20, dice),
            kinds: Vec::new(),
            overrides: None,
            cost: dice.percent(50).then(|| *dice.pick(&COSTS)),
        };
        statement.add_clauses(at, count, dice);
        statement
    }

    fn any_change(&self, variable: usize, parameters: &[usize], dice: &mut SplitMix) -> Change {
        let declared = &self.variables[variable];
        let chance = if declared.is_amount { 70 } else { 45 };
        let kind = match declared.counts && dice.percent(chance) {
            true => {
                let by = match parameters.is_empty() || dice.percent(80) {
                    // By nothing now and then: a change that never changes anything.
                    true => {
                        let words = ["1", "1", "1", "1", "2", "2", "0", "3", "5"];
                        let n = if declared.is_amount { words.len() } else { 7 };
                        Word::Text(words[dice.below(n)].to_string())
                    }
                    false => Word::Parameter(dice.below(parameters.len())),
                };
                let stops = declared.is_amount && dice.percent(40);
                let stop = stops.then(|| declared.number(dice.below(declared.values.len())));
                ChangeKind::Count { down: dice.percent(50), by, stop }
            }
            false => ChangeKind::Move {
                from: dice.percent(25).then(|| self.any_value(variable, parameters, dice)),
                to: self.any_value(variable, parameters, dice),
            },
        };
        Change { variable, kind }
    }

    /// A value of the variable, or a parameter.
    fn any_value(&self, variable: usize, parameters: &[usize], dice: &mut SplitMix) -> Word {
        match parameters.is_empty() || dice.percent(50) {
            true => Word::Text(dice.pick(&self.variables[variable].values).clone()),
            false => Word::Parameter(dice.below(parameters.len())),
        }
    }

    /// Conditions, more often than not about the variables given.
    fn any_formula(
        &self,
        near: &[usize],
        parameters: &[usize],
        depth: usize,
        dice: &mut SplitMix,
    ) -> Formula {
        let list = |dice: &mut SplitMix| {
            let count = dice.within(2, 3);
            (0..count).map(|_| self.any_formula(near, parameters, depth - 1, dice)).collect()
        };
        match dice.below(if depth == 0 { 1 } else { 7 }) {
            1 => Formula::Not(Box::new(self.any_formula(near, parameters, depth - 1, dice))),
            2 | 3 => Formula::All(list(dice)),
            4.. => Formula::Any(list(dice)),
            _ => {
                let variable = match dice.percent(60) {
                    true => *dice.pick(near),
                    false => dice.below(self.variables.len()),
                };
                self.any_condition(variable, parameters, dice)
            }
        }
    }

    fn any_condition(&self, variable: usize, parameters: &[usize], dice: &mut SplitMix) -> Formula {
        let declared = &self.variables[variable];
        let signs = if declared.counts { 6 } else { 2 };
        let sign = SIGNS[dice.below(signs)];
        let price = self.variables.iter().position(Variable::is_price);
        if let Some(price) = price.filter(|&price| declared.is_amount && price != variable)
            && dice.percent(25)
        {
            return Formula::Other(variable, sign, price);
        }
        // Now and then just outside the range.
        let around = |dice: &mut SplitMix| match declared.is_amount {
            true => declared.number(0) + dice.below(declared.values.len() + 2) as i64 - 1,
            false => dice.below(6) as i64 - 2,
        };
        let word = match sign {
            "=" | "!=" => self.any_value(variable, parameters, dice),
            _ if parameters.is_empty() || dice.percent(70) => Word::Text(around(dice).to_string()),
            _ => Word::Parameter(dice.below(parameters.len())),
        };
        Formula::One(variable, sign, word)
    }
}

impl Variable {
    /// Whether nothing may change it.
    pub(super) fn is_price(&self) -> bool {
        self.name.starts_with("price")
    }

    /// The number at a position; of words, the position.
    pub fn number(&self, at: usize) -> i64 {
        self.values[at].parse().unwrap_or(at as i64)
    }

    /// An amount of so many numbers.
    pub(super) fn amount(name: String, low: i64, count: usize) -> Variable {
        let values = (low..low + count as i64).map(|number| number.to_string()).collect();
        Variable { name, values, counts: true, is_amount: true, is_shared: false }
    }

    /// Words.
    pub(super) fn words(name: String, values: &[&str]) -> Variable {
        let values = values.iter().map(|word| word.to_string()).collect();
        Variable { name, values, counts: false, is_amount: false, is_shared: false }
    }
}

impl Statement {
    /// Kinds and whom it overrides.
    pub(super) fn add_clauses(&mut self, at: usize, count: usize, dice: &mut SplitMix) {
        self.overrides = (count > 1 && dice.percent(8)).then(|| (at + 1) % count);
        let n_kinds = if dice.percent(10) { dice.within(1, 3) } else { 0 };
        self.kinds = (0..n_kinds).map(|_| (any_check(60, dice), *dice.pick(&COSTS))).collect();
    }
}

fn any_amount(at: usize, dice: &mut SplitMix) -> Variable {
    let (low, count) = *dice.pick(&RANGES);
    let is_shared = dice.percent(10);
    Variable { is_shared, ..Variable::amount(format!("v{at}"), low, count) }
}

fn any_variable(at: usize, dice: &mut SplitMix) -> Variable {
    let size = dice.within(2, 4);
    let name = format!("v{at}");
    let is_shared = dice.percent(5);
    let variable = match dice.below(10) {
        0..=3 => {
            let low = *dice.pick(&[-1, 0, 0, 0, 1]);
            // Declared as a list half of the time: then it is written out.
            let is_amount = dice.percent(50);
            Variable { is_amount, ..Variable::amount(name, low, size) }
        }
        4 => Variable::words(name, &["none", "0", "1"]),
        5 => Variable::words(name, &["false", "true"]),
        // Not all the same, so that a parameter may lack its value.
        6 => Variable::words(name, &LETTERS[4 - size..]),
        _ => Variable::words(name, &LETTERS[..size]),
    };
    Variable { is_shared, ..variable }
}

pub(super) fn any_check(chance: usize, dice: &mut SplitMix) -> Check {
    dice.percent(chance).then(|| (dice.below(CHECKS), dice.percent(70)))
}
