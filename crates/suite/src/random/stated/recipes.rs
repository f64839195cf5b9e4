//! Domains as games have them: wares that are gathered, worked up, sold and eaten, tools that are
//! needed for it, and needs that grow on the way.
//!
//! In:   dice.
//! Out:  a [`Stated`] domain of amounts with few numbers, whose plans are long.
//! Cost: a few microseconds.
//!
//! Domains drawn blindly seldom make anything of what they gather; these mostly do.

use super::any::{COSTS, any_check};
use super::{Change, ChangeKind, Formula, State, Stated, Statement, Variable, Word};
use throng_base::SplitMix;

const TOOLS: [&str; 4] = ["none", "wood", "stone", "iron"];

/// Which variables a domain of recipes has.
struct Places {
    wares: usize,
    tool: Option<usize>,
    /// A need that work uses up and rest fills.
    energy: Option<usize>,
    gold: Option<usize>,
    price: Option<usize>,
}

impl Stated {
    /// Any domain of recipes.
    pub fn any_recipes(dice: &mut SplitMix) -> Self {
        let (variables, places) = any_places(dice);
        let mut stated = Stated {
            variables,
            statements: Vec::new(),
            goals: Vec::new(),
            compound: None,
            folk: Vec::new(),
            preferences: Vec::new(),
        };
        for ware in 0..places.wares {
            stated.gather(ware, &places, dice);
            if ware > 0 {
                stated.work_up(ware - 1, ware, &places, dice);
            }
        }
        stated.make_tools(&places, dice);
        stated.trade(&places, dice);
        stated.rest(&places, dice);
        let count = stated.statements.len();
        for (at, statement) in stated.statements.iter_mut().enumerate() {
            statement.check = any_check(8, dice);
            statement.cost = dice.percent(60).then(|| *dice.pick(&COSTS));
            if dice.percent(30) {
                statement.add_clauses(at, count, dice);
            }
        }
        for _ in 0..3 {
            let goal = (0..dice.within(1, 2)).map(|_| stated.any_aim(&places, dice)).collect();
            stated.goals.push(goal);
        }
        stated.add_folk(dice);
        stated
    }

    /// A state with little in store; a variable is now and then unknown.
    pub fn poor_state(&self, dice: &mut SplitMix) -> State {
        let each = self.variables.iter();
        each.map(|variable| match dice.percent(4) {
            true => None,
            false if variable.is_amount => {
                Some(dice.below(2 + variable.values.len() / 3) % variable.values.len())
            }
            false => Some(dice.below(2) % variable.values.len()),
        })
        .collect()
    }

    fn add(&mut self, changes: Vec<Change>, conditions: Vec<Formula>) {
        let at = self.statements.len();
        self.statements.push(Statement {
            name: format!("s{at}"),
            parameters: Vec::new(),
            changes,
            conditions,
            check: None,
            kinds: Vec::new(),
            overrides: None,
            cost: None,
        });
    }

    /// `ware += n`, with a tool, or tiring.
    fn gather(&mut self, ware: usize, places: &Places, dice: &mut SplitMix) {
        if ware > 0 && dice.percent(50) {
            return;
        }
        let mut changes = vec![self.count(ware, dice.within(1, 2) as i64, 25, dice)];
        let mut conditions = Vec::new();
        self.tire(places, &mut changes, &mut conditions, dice);
        self.ask_for_tool(places, 30, &mut conditions, dice);
        self.add(changes, conditions);
    }

    /// `ore -= 2, ingot += 1`.
    fn work_up(&mut self, from: usize, to: usize, places: &Places, dice: &mut SplitMix) {
        let mut changes = vec![
            self.count(from, -(dice.within(1, 3) as i64), 10, dice),
            self.count(to, dice.within(1, 2) as i64, 20, dice),
        ];
        let mut conditions = Vec::new();
        self.tire(places, &mut changes, &mut conditions, dice);
        self.ask_for_tool(places, 60, &mut conditions, dice);
        if dice.percent(20) {
            conditions.push(self.compared(from, dice));
        }
        self.add(changes, conditions);
    }

    /// `wood -= 2, tool none -> wood`, or a template of tools.
    fn make_tools(&mut self, places: &Places, dice: &mut SplitMix) {
        let Some(tool) = places.tool else { return };
        let kinds = self.variables[tool].values.clone();
        if dice.percent(25) {
            let ware = dice.below(places.wares);
            let to = Word::Parameter(0);
            let by = self.count(ware, -1, 0, dice);
            let change = Change { variable: tool, kind: ChangeKind::Move { from: None, to } };
            self.add(vec![by, change], Vec::new());
            if let Some(statement) = self.statements.last_mut() {
                statement.parameters.push(tool);
            }
            return;
        }
        for pair in kinds.windows(2) {
            let ware = dice.below(places.wares);
            let from = dice.percent(60).then(|| Word::Text(pair[0].clone()));
            let to = Word::Text(pair[1].clone());
            let by = self.count(ware, -(dice.within(1, 2) as i64), 0, dice);
            let change = Change { variable: tool, kind: ChangeKind::Move { from, to } };
            self.add(vec![by, change], Vec::new());
        }
    }

    /// `ingot -= 1, gold += 3 up to 9`; `gold -= 2, ore += 1 while gold >= price`.
    fn trade(&mut self, places: &Places, dice: &mut SplitMix) {
        let Some(gold) = places.gold else { return };
        let (sold, bought) = (dice.below(places.wares), dice.below(places.wares));
        let sale = [(sold, -1), (gold, dice.within(1, 3) as i64)];
        let sale = sale.map(|(ware, by)| self.count(ware, by, 40, dice));
        self.add(sale.to_vec(), Vec::new());
        if dice.percent(70) {
            let purchase = [(gold, -(dice.within(1, 3) as i64)), (bought, 1)];
            let purchase = purchase.map(|(ware, by)| self.count(ware, by, 15, dice));
            let conditions = places.price.map(|price| Formula::Other(gold, ">=", price));
            self.add(purchase.to_vec(), conditions.into_iter().collect());
        }
    }

    /// `energy -> 9 while energy < 4`, or `energy += 3 up to 9`, or a meal.
    fn rest(&mut self, places: &Places, dice: &mut SplitMix) {
        let Some(energy) = places.energy else { return };
        let full = self.variables[energy].values.len() - 1;
        let top = self.variables[energy].number(full);
        match dice.below(3) {
            0 => {
                let to = Word::Text(top.to_string());
                let kind = ChangeKind::Move { from: None, to };
                let tired = Formula::One(energy, "<", Word::Text((top - 2).to_string()));
                let odd = Formula::One(energy, "=", Word::Text((top - 1).to_string()));
                let conditions = match dice.below(3) {
                    0 => Vec::new(),
                    1 => vec![tired],
                    _ => vec![Formula::Any(vec![tired, odd])],
                };
                self.add(vec![Change { variable: energy, kind }], conditions);
            }
            1 => {
                let by = Word::Text(dice.within(2, 5).to_string());
                let kind = ChangeKind::Count { down: false, by, stop: Some(top) };
                self.add(vec![Change { variable: energy, kind }], Vec::new());
            }
            _ => {
                let ware = dice.below(places.wares);
                let by = Word::Text(dice.within(2, 5).to_string());
                let kind = ChangeKind::Count { down: false, by, stop: Some(top) };
                let meal = self.count(ware, -1, 0, dice);
                self.add(vec![meal, Change { variable: energy, kind }], Vec::new());
            }
        }
    }

    /// So many more or fewer; stopped at an end of the range, or elsewhere, so often.
    fn count(&self, variable: usize, by: i64, stops: usize, dice: &mut SplitMix) -> Change {
        let declared = &self.variables[variable];
        let last = declared.values.len() - 1;
        let stop = dice.percent(stops).then(|| match (dice.percent(70), by < 0) {
            (true, true) => declared.number(0),
            (true, false) => declared.number(last),
            (false, _) => declared.number(dice.within(0, last)),
        });
        let by_words = Word::Text(by.abs().to_string());
        Change { variable, kind: ChangeKind::Count { down: by < 0, by: by_words, stop } }
    }

    /// Work may use up energy, or ask for some of it.
    fn tire(
        &self,
        places: &Places,
        changes: &mut Vec<Change>,
        conditions: &mut Vec<Formula>,
        dice: &mut SplitMix,
    ) {
        let Some(energy) = places.energy else { return };
        match dice.below(4) {
            0 => {}
            1 => conditions.push(self.compared(energy, dice)),
            _ => changes.push(self.count(energy, -(dice.within(1, 3) as i64), 30, dice)),
        }
    }

    fn ask_for_tool(
        &self,
        places: &Places,
        chance: usize,
        conditions: &mut Vec<Formula>,
        dice: &mut SplitMix,
    ) {
        let Some(tool) = places.tool.filter(|_| dice.percent(chance)) else { return };
        let kinds = &self.variables[tool].values;
        let last = kinds.len() - 1;
        let is = |at: usize, sign| Formula::One(tool, sign, Word::Text(kinds[at].clone()));
        conditions.push(match dice.below(4) {
            0 => is(0, "!="),
            1 => Formula::Any(vec![is(last, "="), is(dice.below(last), "=")]),
            // Either a tool or a store: two actions.
            2 => Formula::Any(vec![is(last, "="), self.compared(0, dice)]),
            _ => is(dice.within(1, last), "="),
        });
    }

    /// `v >= n`, mostly.
    fn compared(&self, variable: usize, dice: &mut SplitMix) -> Formula {
        let declared = &self.variables[variable];
        let number = declared.number(dice.below(declared.values.len()));
        let sign = *dice.pick(&[">=", ">=", ">=", ">", "<=", "<", "!=", "="]);
        Formula::One(variable, sign, Word::Text(number.to_string()))
    }

    /// Something to have at the end.
    fn any_aim(&self, places: &Places, dice: &mut SplitMix) -> Formula {
        let last = places.wares - 1;
        let at_least = |variable: usize, dice: &mut SplitMix| {
            let declared = &self.variables[variable];
            let number = declared.number(dice.within(1, declared.values.len() - 1));
            let sign = *dice.pick(&[">=", ">=", ">=", "=", ">", "!="]);
            Formula::One(variable, sign, Word::Text(number.to_string()))
        };
        match (dice.below(6), places.gold, places.tool) {
            (0, Some(gold), _) => match places.price {
                Some(price) => Formula::Other(gold, ">=", price),
                None => at_least(gold, dice),
            },
            (1, _, Some(tool)) => {
                let kinds = &self.variables[tool].values;
                Formula::One(tool, "=", Word::Text(kinds[kinds.len() - 1].clone()))
            }
            (2, ..) => {
                let (one, other) = (at_least(last, dice), at_least(0, dice));
                Formula::Any(vec![one, other])
            }
            (3, ..) => self.compared(dice.below(places.wares), dice),
            _ => at_least(last, dice),
        }
    }
}

/// Variables with few numbers together, so that everything can be tried.
fn any_places(dice: &mut SplitMix) -> (Vec<Variable>, Places) {
    let wares = dice.within(2, 3);
    let mut variables: Vec<Variable> = Vec::new();
    for at in 0..wares {
        let count = *dice.pick(&[3, 4, 5, if wares == 2 { 9 } else { 5 }]);
        let low = *dice.pick(&[0, 0, 0, 0, 1, -2]);
        variables.push(Variable::amount(format!("v{at}"), low, count));
    }
    let mut add = |variable: Variable| {
        variables.push(variable);
        variables.len() - 1
    };
    let tool = dice.percent(55).then(|| {
        let n = dice.within(2, 4);
        add(Variable::words("tool".to_string(), &TOOLS[..n]))
    });
    let energy = dice.percent(45).then(|| {
        let is_shared = dice.percent(10);
        add(Variable { is_shared, ..Variable::amount("energy".to_string(), 0, dice.within(4, 7)) })
    });
    let gold =
        dice.percent(45).then(|| add(Variable::amount("gold".to_string(), 0, dice.within(4, 8))));
    let price = gold
        .filter(|_| dice.percent(50))
        .map(|_| add(Variable::amount("price0".to_string(), 1, 4)));
    (variables, Places { wares, tool, energy, gold, price })
}
