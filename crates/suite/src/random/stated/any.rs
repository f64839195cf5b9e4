//! Draws domains: variables, statements, goals.

use super::{CHECKS, Change, ChangeKind, Check, Formula, State, Stated, Statement, Variable, Word};
use throng_base::SplitMix;

const LETTERS: [&str; 4] = ["a", "b", "c", "d"];
const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];
const COSTS: [u64; 5] = [500, 1000, 1500, 3000, 10_250];

impl Stated {
    /// Any domain; some of its statements may be possible nowhere.
    pub fn any(dice: &mut SplitMix) -> Self {
        let mut stated = Stated {
            variables: (0..dice.within(2, 4)).map(|at| any_variable(at, dice)).collect(),
            statements: Vec::new(),
            goals: Vec::new(),
            compound: None,
        };
        let count = dice.within(2, 8);
        for at in 0..count {
            let statement = stated.any_statement(at, count, dice);
            stated.statements.push(statement);
        }
        for _ in 0..3 {
            let goal = (0..dice.within(1, 2)).map(|_| stated.any_goal(dice)).collect();
            stated.goals.push(goal);
        }
        stated
    }

    /// Any state; a variable is now and then unknown.
    pub fn any_state(&self, dice: &mut SplitMix) -> State {
        let each = self.variables.iter();
        each.map(|v| (!dice.percent(8)).then(|| dice.below(v.values.len()))).collect()
    }

    /// Mostly an equation, for what is easily had is no question.
    fn any_goal(&self, dice: &mut SplitMix) -> Formula {
        let variable = dice.below(self.variables.len());
        match dice.below(4) {
            0 => self.any_formula(&[variable], &[], 1, dice),
            _ => Formula::One(variable, "=", self.any_value(variable, &[], dice)),
        }
    }

    fn any_statement(&self, at: usize, count: usize, dice: &mut SplitMix) -> Statement {
        let n_parameters = *dice.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2]);
        let parameters: Vec<usize> =
            (0..n_parameters).map(|_| dice.below(self.variables.len())).collect();
        let n_changes = *dice.pick(&[1, 2, 2, 2, 3]);
        let mut changed = dice.some_of(self.variables.len(), n_changes);
        if dice.percent(3) {
            // The same twice: possible where both say the same.
            changed.push(changed[0]);
        }
        let changes = changed.iter().map(|&v| self.any_change(v, &parameters, dice)).collect();
        let conditions = (0..*dice.pick(&[0, 1, 1, 1, 2]))
            .map(|_| self.any_formula(&changed, &parameters, dice.below(3), dice))
            .collect();
        let overrides = (count > 1 && dice.percent(8)).then(|| (at + 1) % count);
        let n_kinds = if dice.percent(10) { dice.within(1, 3) } else { 0 };
        Statement {
            name: format!("s{at}"),
            parameters,
            changes,
            conditions,
            check: any_check(20, dice),
            kinds: (0..n_kinds).map(|_| (any_check(60, dice), *dice.pick(&COSTS))).collect(),
            overrides,
            cost: dice.percent(50).then(|| *dice.pick(&COSTS)),
        }
    }

    fn any_change(&self, variable: usize, parameters: &[usize], dice: &mut SplitMix) -> Change {
        let kind = match self.variables[variable].counts && dice.percent(45) {
            true => {
                let by = match parameters.is_empty() || dice.percent(80) {
                    // By nothing now and then: a change that never changes anything.
                    true => Word::Text(dice.pick(&["1", "1", "1", "1", "2", "2", "0"]).to_string()),
                    false => Word::Parameter(dice.below(parameters.len())),
                };
                ChangeKind::Count { down: dice.percent(50), by }
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
                let signs = if self.variables[variable].counts { 6 } else { 2 };
                let sign = SIGNS[dice.below(signs)];
                let number = |dice: &mut SplitMix| (dice.below(6) as i64 - 2).to_string();
                let word = match sign {
                    "=" | "!=" => self.any_value(variable, parameters, dice),
                    _ if parameters.is_empty() || dice.percent(70) => Word::Text(number(dice)),
                    _ => Word::Parameter(dice.below(parameters.len())),
                };
                Formula::One(variable, sign, word)
            }
        }
    }
}

fn any_variable(at: usize, dice: &mut SplitMix) -> Variable {
    let size = dice.within(2, 4);
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    let (values, counts) = match dice.below(10) {
        0..=3 => {
            let low = *dice.pick(&[-1, 0, 0, 0, 1]);
            ((low..low + size as i64).map(|number| number.to_string()).collect(), true)
        }
        4 => (words(&["none", "0", "1"]), false),
        5 => (words(&["false", "true"]), false),
        // Not all the same, so that a parameter may lack its value.
        6 => (words(&LETTERS[4 - size..]), false),
        _ => (words(&LETTERS[..size]), false),
    };
    Variable { name: format!("v{at}"), values, counts }
}

fn any_check(chance: usize, dice: &mut SplitMix) -> Check {
    dice.percent(chance).then(|| (dice.below(CHECKS), dice.percent(70)))
}
