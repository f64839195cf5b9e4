//! A stated domain as `.npc` text.

use super::{COMPOUND, ChangeKind, Check, Formula, Stated, Statement, Word};

impl Stated {
    /// The whole domain: one NPC type, `n`, that can do everything and starts knowing nothing.
    pub fn text(&self) -> String {
        let mut text = self.text_of(&self.statements);
        for (at, goal) in self.goals.iter().enumerate() {
            text += &format!("goal g{at}: {}\n", self.conditions(goal));
        }
        let mut can: Vec<&str> = self.statements.iter().map(|one| &*one.name).collect();
        if let Some(compound) = &self.compound {
            let cost = compound.cost.map(cost).unwrap_or_default();
            text += &format!("compound {COMPOUND}: {}{cost}\n", compound.names.join(", "));
            can.push(COMPOUND);
        }
        text += &format!("npc n\n    can {}\n", can.join(", "));
        let goals: Vec<String> = (0..self.goals.len()).map(|at| format!("g{at}")).collect();
        text + &format!("    wants {}\n", goals.join(", "))
    }

    /// The variables and these statements alone.
    pub fn text_of(&self, statements: &[Statement]) -> String {
        let mut text = "domain d\n".to_string();
        for variable in &self.variables {
            text += &format!("var {}: {}\n", variable.name, variable.values.join(", "));
        }
        statements.iter().for_each(|statement| text += &self.action(statement));
        text
    }

    fn action(&self, statement: &Statement) -> String {
        let named = statement.parameters.iter().enumerate();
        let heads: Vec<String> =
            named.map(|(at, &of)| format!("p{at} in {}", self.variables[of].name)).collect();
        let head = if heads.is_empty() { String::new() } else { format!("({})", heads.join(", ")) };
        let changes = statement.changes.iter().map(|change| {
            let name = &self.variables[change.variable].name;
            match &change.kind {
                ChangeKind::Move { from: Some(from), to } => {
                    format!("{name} {} -> {}", word(from), word(to))
                }
                ChangeKind::Move { from: None, to } => format!("{name} -> {}", word(to)),
                ChangeKind::Count { down: true, by } => format!("{name} -= {}", word(by)),
                ChangeKind::Count { down: false, by } => format!("{name} += {}", word(by)),
            }
        });
        let changes: Vec<String> = changes.collect();
        let mut text = format!("action {}{head}: {}", statement.name, changes.join(", "));
        if !statement.conditions.is_empty() {
            text += &format!("  while {}", self.conditions(&statement.conditions));
        }
        text += &if_clause(statement.check);
        text += &statement.cost.map(cost).unwrap_or_default();
        if let Some(other) = statement.overrides {
            text += &format!("  overrides {}", self.statements[other].name);
        }
        let kinds = statement.kinds.iter().enumerate();
        let kinds: Vec<String> = kinds
            .map(|(at, (check, of))| format!("k{at}{}{}", if_clause(*check), cost(*of)))
            .collect();
        if !kinds.is_empty() {
            text += &format!("  kinds {}", kinds.join(", "));
        }
        text + "\n"
    }

    fn conditions(&self, list: &[Formula]) -> String {
        let each: Vec<String> = list.iter().map(|formula| self.formula(formula)).collect();
        each.join(", ")
    }

    fn formula(&self, formula: &Formula) -> String {
        let join = |list: &[Formula], by: &str| {
            let inner = |part: &Formula| match part {
                Formula::One(..) => self.formula(part),
                _ => format!("({})", self.formula(part)),
            };
            list.iter().map(inner).collect::<Vec<_>>().join(by)
        };
        match formula {
            Formula::One(variable, sign, with) => {
                format!("{} {sign} {}", self.variables[*variable].name, word(with))
            }
            Formula::Not(inner) => format!("not ({})", self.formula(inner)),
            Formula::All(list) => join(list, " and "),
            Formula::Any(list) => join(list, " or "),
        }
    }
}

fn word(word: &Word) -> String {
    match word {
        Word::Text(text) => text.clone(),
        Word::Parameter(at) => format!("p{at}"),
    }
}

fn if_clause(check: Check) -> String {
    check.map_or_else(String::new, |(at, answer)| {
        format!("  if {}c{at}", if answer { "" } else { "not " })
    })
}

fn cost(cost: u64) -> String {
    format!("  cost {}.{:03}", cost / 1000, cost % 1000)
}
