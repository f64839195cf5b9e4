//! What statements mean: tried in a state as they are written.

use super::{
    Change, ChangeKind, Check, Compound, Formula, Ground, State, Stated, Statement, Variable, Word,
};
use throng_lab::choices::choices;

/// What a step of a plan does: a compound's parts, or one ground action.
pub type Deed = Vec<Ground>;

impl Stated {
    /// All states, with unknown values.
    pub fn states(&self) -> Vec<State> {
        let values = |variable: &Variable| (0..variable.values.len()).map(Some).chain([None]);
        choices(self.variables.iter().map(|variable| values(variable).collect()))
    }

    /// Every way to give a statement's parameters.
    pub fn arguments(&self, statement: &Statement) -> Vec<Vec<String>> {
        choices(statement.parameters.iter().map(|&of| self.variables[of].values.clone()))
    }

    /// The state after a statement is done; `None` if it cannot be done there. All changes
    /// happen at once, and those that find their value already are none.
    pub fn after(
        &self,
        statement: &Statement,
        arguments: &[String],
        state: &State,
    ) -> Option<State> {
        if !self.all_hold(&statement.conditions, arguments, state) {
            return None;
        }
        let mut next: Vec<Option<usize>> = vec![None; state.len()];
        for change in &statement.changes {
            let variable = &self.variables[change.variable];
            let now = state[change.variable].map(|value| &variable.values[value]);
            let value = match &change.kind {
                ChangeKind::Move { from, to } => {
                    let from = from.as_ref().map(|from| text(from, arguments));
                    if from.is_some() && from != now.map(String::as_str) {
                        return None;
                    }
                    text(to, arguments).to_string()
                }
                ChangeKind::Count { .. }
                    if variable.is_amount && changed_twice(statement, change) =>
                {
                    return None;
                }
                ChangeKind::Count { down, by, stop } => {
                    let (now, by) = (number(now?)?, number(text(by, arguments))?);
                    // Up to the stop, but never down to it; and the other way round.
                    let counted = match (down, *stop) {
                        (false, None) => now + by,
                        (true, None) => now - by,
                        (false, Some(stop)) => now.max(stop.min(now + by)),
                        (true, Some(stop)) => now.min(stop.max(now - by)),
                    };
                    counted.to_string()
                }
            };
            let value = variable.values.iter().position(|known| *known == value)?;
            if next[change.variable].replace(value).is_some_and(|other| other != value) {
                return None;
            }
        }
        Some(next.into_iter().zip(state).map(|(new, old)| new.or(*old)).collect())
    }

    /// Whether all conditions hold in a state.
    pub fn all_hold(&self, list: &[Formula], arguments: &[String], state: &State) -> bool {
        list.iter().all(|formula| self.holds(formula, false, arguments, state))
    }

    /// Of what is unknown neither a condition nor its opposite holds.
    fn holds(&self, formula: &Formula, negated: bool, arguments: &[String], state: &State) -> bool {
        let mut each = |part: &Formula| self.holds(part, negated, arguments, state);
        match formula {
            Formula::Not(inner) => self.holds(inner, !negated, arguments, state),
            Formula::All(list) if negated => list.iter().any(each),
            Formula::Any(list) if !negated => list.iter().any(each),
            Formula::All(list) | Formula::Any(list) => list.iter().all(&mut each),
            Formula::One(variable, sign, with) => {
                let Some(left) = self.word(*variable, state) else { return false };
                // What is no number is neither less nor more.
                compare(left, sign, text(with, arguments)).is_some_and(|holds| holds != negated)
            }
            Formula::Other(variable, sign, other) => {
                let both = self.word(*variable, state).zip(self.word(*other, state));
                let holds = both.and_then(|(left, right)| compare(left, sign, right));
                holds.is_some_and(|holds| holds != negated)
            }
        }
    }

    /// The value of a variable, if it is known.
    fn word(&self, variable: usize, state: &State) -> Option<&str> {
        Some(&self.variables[variable].values[state[variable]?])
    }

    /// The state after a step of a plan; `None` if it cannot be done there.
    pub fn after_deed(&self, deed: &Deed, state: &State) -> Option<State> {
        deed.iter().try_fold(state.clone(), |state, part| {
            let is = |(variable, value): &(usize, String)| {
                state[*variable].is_some_and(|at| self.variables[*variable].values[at] == *value)
            };
            let found = part.pins.iter().all(is) && self.all_hold(&part.texts, &[], &state);
            let statement = &self.statements[part.statement];
            found.then(|| self.after(statement, &part.arguments, &state)).flatten()
        })
    }

    /// What a step of a plan costs.
    pub fn cost_of(&self, deed: &Deed) -> u64 {
        let own = |ground: &Ground| self.statements[ground.statement].price();
        let sum = deed.iter().map(own).sum();
        let of_compound = |compound: &Compound| compound.cost.unwrap_or(sum);
        let is_compound = deed.len() > 1;
        self.compound.as_ref().filter(|_| is_compound).map_or(sum, of_compound)
    }

    /// Which statements are there, and whether the compound is, if the checks answer so.
    pub fn there(&self, answers: &[bool]) -> (Vec<bool>, bool) {
        let right = |check: Check| check.is_none_or(|(at, answer)| answers[at] == answer);
        let enabled: Vec<bool> = self
            .statements
            .iter()
            .map(|statement| {
                let has_kind = statement.kinds.is_empty()
                    || statement.kinds.iter().any(|(check, _)| right(*check));
                right(statement.check) && has_kind
            })
            .collect();
        let enabled: Vec<bool> =
            (0..enabled.len()).map(|at| enabled[at] && self.folk[0].can.contains(&at)).collect();
        let overridden = |at: usize| {
            let mut others = self.statements.iter().zip(&enabled);
            others.any(|(other, enabled)| *enabled && other.overrides == Some(at))
        };
        let there = (0..enabled.len()).map(|at| enabled[at] && !overridden(at)).collect();
        let parts = self.compound.iter().flat_map(|compound| &compound.parts);
        let mut checks = parts.map(|part| self.statements[part.statement].check);
        (there, self.compound.is_some() && checks.all(right))
    }
}

impl Stated {
    /// Whether a statement counts an amount, or asks something of one.
    pub fn speaks_of_amounts(&self, statement: &Statement) -> bool {
        let mut spoken = Vec::new();
        statement.conditions.iter().for_each(|formula| mention(formula, &mut spoken));
        spoken.extend(statement.changes.iter().map(|change| change.variable));
        spoken.into_iter().any(|variable| self.variables[variable].is_amount)
    }
}

impl Statement {
    /// What it costs.
    pub fn price(&self) -> u64 {
        let cheapest = self.kinds.iter().map(|(_, cost)| *cost).min();
        self.cost.or(cheapest).unwrap_or(1000)
    }
}

/// Whether the variable of a change has another one: an amount that is counted may not.
fn changed_twice(statement: &Statement, change: &Change) -> bool {
    statement.changes.iter().filter(|other| other.variable == change.variable).count() > 1
}

fn text<'w>(word: &'w Word, arguments: &'w [String]) -> &'w str {
    match word {
        Word::Text(text) => text,
        Word::Parameter(at) => &arguments[*at],
    }
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Whether two values stand so to each other; `None` if they have no size and are asked for it.
fn compare(left: &str, sign: &str, right: &str) -> Option<bool> {
    Some(match sign {
        "=" => left == right,
        "!=" => left != right,
        _ => {
            let (left, right) = (number(left)?, number(right)?);
            match sign {
                "<" => left < right,
                "<=" => left <= right,
                ">" => left > right,
                _ => left >= right,
            }
        }
    })
}

/// The variables that a condition speaks of.
pub(super) fn mention(formula: &Formula, open: &mut Vec<usize>) {
    match formula {
        Formula::One(variable, ..) => open.push(*variable),
        Formula::Other(variable, _, other) => open.extend([variable, other]),
        Formula::Not(inner) => mention(inner, open),
        Formula::All(list) | Formula::Any(list) => list.iter().for_each(|part| mention(part, open)),
    }
}
