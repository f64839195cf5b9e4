//! What statements mean: tried in a state as they are written.

use super::{
    COMPOUND, ChangeKind, Check, Compound, Formula, Ground, State, Stated, Statement, Variable,
    Word,
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
                ChangeKind::Count { down, by } => {
                    let (now, by) = (number(now?)?, number(text(by, arguments))?);
                    (if *down { now - by } else { now + by }).to_string()
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
                let Some(value) = state[*variable] else { return false };
                let (left, right) =
                    (&self.variables[*variable].values[value], text(with, arguments));
                let holds = match *sign {
                    "=" => left == right,
                    "!=" => left != right,
                    _ => {
                        // What is no number is neither less nor more.
                        let (Some(left), Some(right)) = (number(left), number(right)) else {
                            return false;
                        };
                        match *sign {
                            "<" => left < right,
                            "<=" => left <= right,
                            ">" => left > right,
                            _ => left >= right,
                        }
                    }
                };
                holds != negated
            }
        }
    }

    /// What the name of a ground action means: its parameters, then a value for each variable
    /// that is compared or counted with, then for each that only alternatives speak of.
    pub fn deed(&self, name: &str) -> Option<Deed> {
        if name == COMPOUND {
            return self.compound.as_ref().map(|compound| compound.parts.clone());
        }
        let (base, words) = name.split_once('(').unwrap_or((name, ")"));
        let words: Vec<String> =
            words.strip_suffix(')')?.split_whitespace().map(str::to_string).collect();
        let at = self.statements.iter().position(|statement| statement.name == base)?;
        let statement = &self.statements[at];
        let said = said(statement);
        if words.len() != statement.parameters.len() + said.len() {
            return None;
        }
        let (arguments, values) = words.split_at(statement.parameters.len());
        let pins = said.into_iter().zip(values.iter().cloned());
        let pins = pins.filter(|(_, value)| value != "_").collect();
        Some(vec![Ground { statement: at, arguments: arguments.to_vec(), pins }])
    }

    /// The state after a step of a plan; `None` if it cannot be done there.
    pub fn after_deed(&self, deed: &Deed, state: &State) -> Option<State> {
        deed.iter().try_fold(state.clone(), |state, part| {
            let is = |(variable, value): &(usize, String)| {
                state[*variable].is_some_and(|at| self.variables[*variable].values[at] == *value)
            };
            let found = part.pins.iter().all(is);
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

impl Statement {
    /// What it costs.
    pub fn price(&self) -> u64 {
        let cheapest = self.kinds.iter().map(|(_, cost)| *cost).min();
        self.cost.or(cheapest).unwrap_or(1000)
    }
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

/// The variables whose values stand behind the parameters in the names of ground actions.
fn said(statement: &Statement) -> Vec<usize> {
    let mut sorted = Sorted::default();
    statement.conditions.iter().for_each(|condition| sorted.add(condition, false));
    let Sorted { mut pinned, mut compared, open } = sorted;
    for change in &statement.changes {
        match change.kind {
            ChangeKind::Move { from: Some(_), .. } => pinned.push(change.variable),
            ChangeKind::Move { from: None, .. } => {}
            ChangeKind::Count { .. } => compared.push(change.variable),
        }
    }
    let mut said = Vec::new();
    for variable in compared.into_iter().chain(open) {
        if !pinned.contains(&variable) && !said.contains(&variable) {
            said.push(variable);
        }
    }
    said
}

/// The variables of conditions: those that must have one value, those that are compared whatever
/// happens, those below an `or`.
#[derive(Default)]
struct Sorted {
    pinned: Vec<usize>,
    compared: Vec<usize>,
    open: Vec<usize>,
}

impl Sorted {
    fn add(&mut self, formula: &Formula, negated: bool) {
        match formula {
            Formula::Not(inner) => self.add(inner, !negated),
            Formula::All(list) | Formula::Any(list) => {
                let is_or = matches!(formula, Formula::Any(_)) != negated;
                list.iter().for_each(|part| match is_or {
                    true => mention(part, &mut self.open),
                    false => self.add(part, negated),
                });
            }
            Formula::One(variable, sign, _) => {
                let equation = (*sign == "=" && !negated) || (*sign == "!=" && negated);
                if equation { self.pinned.push(*variable) } else { self.compared.push(*variable) }
            }
        }
    }
}

fn mention(formula: &Formula, open: &mut Vec<usize>) {
    match formula {
        Formula::One(variable, ..) => open.push(*variable),
        Formula::Not(inner) => mention(inner, open),
        Formula::All(list) | Formula::Any(list) => list.iter().for_each(|part| mention(part, open)),
    }
}
