//! A stated domain as `.npc` text.

use super::{COMPOUND, ChangeKind, Check, Folk, Formula, Stated, Statement, Variable, Word};

impl Stated {
    /// The whole domain; `n` is the NPC type to ask.
    pub fn text(&self) -> String {
        let mut text = self.text_of(&self.statements);
        for (at, goal) in self.goals.iter().enumerate() {
            text += &format!("goal g{at}: {}\n", self.conditions(goal));
        }
        if let Some(compound) = &self.compound {
            let cost = compound.cost.map(cost).unwrap_or_default();
            text += &format!("compound {COMPOUND}: {}{cost}\n", compound.names.join(", "));
        }
        for &(first, later) in &self.preferences {
            let name = |at: usize| &self.statements[at].name;
            text += &format!("prefer {} before {}\n", name(first), name(later));
        }
        for (at, folk) in self.folk.iter().enumerate() {
            text += &self.npc(at, folk);
        }
        text
    }

    fn npc(&self, at: usize, folk: &Folk) -> String {
        let mut can: Vec<&str> = folk.can.iter().map(|&at| &*self.statements[at].name).collect();
        can.extend(self.compound.iter().filter(|_| at == 0).map(|_| COMPOUND));
        let mut text = match at {
            0 => "npc n\n".to_string(),
            at => format!("npc other{at}\n"),
        };
        let starts: Vec<String> = folk
            .starts
            .iter()
            .map(|&(at, value)| {
                let variable = &self.variables[at];
                format!("{} = {}", variable.name, variable.values[value])
            })
            .collect();
        let goals: Vec<String> = (0..self.goals.len()).map(|at| format!("g{at}")).collect();
        for (word, list) in
            [("can", can.join(", ")), ("wants", goals.join(", ")), ("starts", starts.join(", "))]
        {
            text += &match list.is_empty() {
                true => String::new(),
                false => format!("    {word} {list}\n"),
            };
        }
        text
    }

    /// The variables and these statements alone.
    pub fn text_of(&self, statements: &[Statement]) -> String {
        let mut text = "domain d\n".to_string();
        for Variable { name, values, is_amount, is_shared, .. } in &self.variables {
            let shared = if *is_shared { "shared " } else { "" };
            text += &match (is_amount, &values[..]) {
                (true, [first, .., last]) => format!("{shared}var {name}: {first}..{last}\n"),
                (true, [only]) => format!("{shared}var {name}: {only}..{only}\n"),
                _ => format!("{shared}var {name}: {}\n", values.join(", ")),
            };
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
                ChangeKind::Count { down, by, stop } => {
                    let (sign, to) = if *down { ("-=", "down to") } else { ("+=", "up to") };
                    let stop = stop.map_or_else(String::new, |stop| format!(" {to} {stop}"));
                    format!("{name} {sign} {}{stop}", word(by))
                }
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
                Formula::One(..) | Formula::Other(..) => self.formula(part),
                _ => format!("({})", self.formula(part)),
            };
            list.iter().map(inner).collect::<Vec<_>>().join(by)
        };
        match formula {
            Formula::One(variable, sign, with) => {
                format!("{} {sign} {}", self.variables[*variable].name, word(with))
            }
            Formula::Other(variable, sign, other) => {
                format!("{} {sign} {}", self.variables[*variable].name, self.variables[*other].name)
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
