//! What must hold of a variable: in words, and found in the model.
//!
//! In:   a [`Wanted`] of a question, or what an action of the model asks for.
//! Out:  a [`Need`] that can be tried in a state.
//! Cost: a few comparisons of words or numbers.
//!
//! The model keeps sets of values as positions. Here they become numbers again, those the
//! designer wrote, and are compared as such.

use crate::names::{QuestionError, find_value, find_variable};
use crate::state::{State, Value};
use throng_domain::amounts::ValueSet;
use throng_domain::model::{Comparison, Conditions, Range, Shift, Values, Variable};
use throng_domain::token::Relation;
use throng_domain::{Model, ShiftEnd};

/// One thing that must hold at the end, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A variable has one of these values.
    OneOf {
        /// The variable.
        variable: String,
        /// The values, by name.
        values: Vec<String>,
    },
    /// An amount is from one number to another, both included, in one of these runs.
    Within {
        /// The variable, an amount.
        variable: String,
        /// First and last of each run.
        runs: Vec<(i64, i64)>,
    },
    /// An amount stands so to another one.
    Compared {
        /// The amount on the left.
        variable: String,
        /// How it must stand to the other.
        relation: Relation,
        /// The amount on the right.
        other: String,
    },
}

impl Wanted {
    /// Conditions of a model, in words: of a goal, of a test.
    #[must_use]
    pub fn of(model: &Model, conditions: Conditions<'_>) -> Vec<Wanted> {
        let name = |variable: &Variable| variable.name().to_string();
        let facts = conditions.facts.iter().map(|&fact| {
            let (variable, value) = model.fact_names(fact);
            Wanted::OneOf { variable: variable.to_string(), values: vec![value.to_string()] }
        });
        let ranges = conditions.ranges.iter().map(|range| {
            let variable = &model[range.variable];
            match Allowed::of(variable, &range.values) {
                Allowed::Runs(runs) => Wanted::Within { variable: name(variable), runs },
                Allowed::Words(words) => Wanted::OneOf {
                    variable: name(variable),
                    values: words.into_iter().map(str::to_string).collect(),
                },
            }
        });
        let compared = conditions.comparisons.iter().map(|it| Wanted::Compared {
            variable: name(&model[it.variable]),
            relation: it.relation,
            other: name(&model[it.other]),
        });
        facts.chain(ranges).chain(compared).collect()
    }
}

/// Values that will do.
pub(crate) enum Allowed<'m> {
    /// These words.
    Words(Vec<&'m str>),
    /// The numbers of these runs, both ends included.
    Runs(Vec<(i64, i64)>),
}

impl<'m> Allowed<'m> {
    fn of(variable: &'m Variable, set: &ValueSet) -> Allowed<'m> {
        let number = |low: i64, position: u16| low.saturating_add(position.into());
        match variable.values().ends() {
            Some((low, _)) => {
                let runs = set.runs().iter();
                Allowed::Runs(runs.map(|run| (number(low, run.0), number(low, run.1))).collect())
            }
            None => {
                let words = variable.values().iter().enumerate().filter(|(at, _)| {
                    set.runs().iter().any(|run| (run.0.into()..=run.1.into()).contains(at))
                });
                Allowed::Words(words.map(|(_, word)| word.as_str()).collect())
            }
        }
    }

    fn has(&self, value: Value<'_>) -> bool {
        match (self, value) {
            (Allowed::Words(words), Value::Word(is)) => words.contains(&is),
            (Allowed::Runs(runs), Value::Number(is)) => {
                runs.iter().any(|&(first, last)| first <= is && is <= last)
            }
            _ => false,
        }
    }
}

/// Something that must hold, and how to say it.
pub(crate) enum Need<'m> {
    /// A variable has this value.
    Is(&'m Variable, Value<'m>),
    /// A variable has one of these.
    In(&'m Variable, Allowed<'m>),
    /// An amount stands so to another.
    Compared(&'m Variable, Relation, &'m Variable),
}

impl<'m> Need<'m> {
    pub(crate) fn is(variable: &'m Variable, value: Value<'m>) -> Need<'m> {
        Need::Is(variable, value)
    }

    pub(crate) fn of_range(model: &'m Model, range: &Range) -> Need<'m> {
        let variable = &model[range.variable];
        Need::In(variable, Allowed::of(variable, &range.values))
    }

    pub(crate) fn of_comparison(model: &'m Model, it: &Comparison) -> Need<'m> {
        Need::Compared(&model[it.variable], it.relation, &model[it.other])
    }

    pub(crate) fn of_wanted(model: &'m Model, wanted: &Wanted) -> Result<Self, QuestionError> {
        match wanted {
            Wanted::OneOf { variable, values } => {
                let variable = find_variable(model, variable)?;
                let values: Vec<Value<'m>> = values
                    .iter()
                    .map(|value| find_value(variable, value))
                    .collect::<Result<_, _>>()?;
                if let &[only] = &values[..] {
                    return Ok(Need::Is(variable, only));
                }
                let allowed = match variable.values().ends() {
                    None => {
                        Allowed::Words(values.iter().filter_map(|value| value.word()).collect())
                    }
                    Some(_) => {
                        let numbers = values.iter().filter_map(|value| value.number());
                        Allowed::Runs(numbers.map(|number| (number, number)).collect())
                    }
                };
                Ok(Need::In(variable, allowed))
            }
            Wanted::Within { variable, runs } => {
                let variable = amount(find_variable(model, variable)?)?;
                Ok(Need::In(variable, Allowed::Runs(runs.clone())))
            }
            Wanted::Compared { variable, relation, other } => {
                let variable = amount(find_variable(model, variable)?)?;
                let other = amount(find_variable(model, other)?)?;
                Ok(Need::Compared(variable, *relation, other))
            }
        }
    }

    /// Whether it holds; nothing holds of what is unknown.
    pub(crate) fn holds(&self, state: &State<'_>) -> bool {
        match self {
            Need::Is(variable, value) => state.get(variable.name()) == Some(value),
            Need::In(variable, allowed) => {
                state.get(variable.name()).is_some_and(|&is| allowed.has(is))
            }
            Need::Compared(variable, relation, other) => {
                match (state.get(variable.name()), state.get(other.name())) {
                    (Some(&Value::Number(left)), Some(&Value::Number(right))) => {
                        stands(left, *relation, right)
                    }
                    _ => false,
                }
            }
        }
    }

    /// Whether it fails for no other reason than that a shift would leave the range, or finds no
    /// known value.
    pub(crate) fn fails_by(&self, shift: &Shift, state: &State<'_>) -> bool {
        let Need::In(variable, Allowed::Runs(runs)) = self else { return false };
        let ends = (variable.values().ends(), runs.first(), runs.last());
        let (Some((low, high)), Some(&(first, _)), Some(&(_, last))) = ends else { return false };
        let by = i64::from(shift.by.by);
        let (bottom, top) = match shift.by.end {
            ShiftEnd::Stop(_) => (low, high),
            ShiftEnd::Refuse => (low.saturating_sub(by.min(0)), high.saturating_sub(by.max(0))),
        };
        match state.get(variable.name()) {
            Some(&Value::Number(is)) => {
                (is > top && last == top) || (is < bottom && first == bottom)
            }
            _ => runs[..] == [(bottom, top)],
        }
    }

    /// The variable to name where it does not hold: the one that is unknown, if one is.
    pub(crate) fn at_fault(&self, state: &State<'_>) -> &'m Variable {
        match self {
            Need::Is(variable, _) | Need::In(variable, _) => variable,
            Need::Compared(variable, _, other) => {
                let known = |variable: &Variable| state.contains_key(variable.name());
                if known(variable) && !known(other) { other } else { variable }
            }
        }
    }

    /// As the language writes it: `hp >= 50`.
    pub(crate) fn words(&self) -> String {
        match self {
            Need::Is(variable, value) => format!("{} = {value}", variable.name()),
            Need::In(variable, allowed) => allowed.words(variable.name(), variable.values()),
            Need::Compared(variable, relation, other) => {
                format!("{} {} {}", variable.name(), relation.sign(), other.name())
            }
        }
    }
}

impl Allowed<'_> {
    fn words(&self, name: &str, values: &Values) -> String {
        let each: Vec<String> = match (self, values.ends()) {
            (Allowed::Words(words), _) => {
                let mut others = values.iter().filter(|value| !words.contains(&value.as_str()));
                if let (Some(other), None, 2..) = (others.next(), others.next(), words.len()) {
                    return format!("{name} != {other}");
                }
                words.iter().map(|word| format!("{name} = {word}")).collect()
            }
            (Allowed::Runs(runs), ends) => {
                let (low, high) = ends.unwrap_or((i64::MIN, i64::MAX));
                if let &[(first, before), (after, last)] = &runs[..]
                    && (first <= low && last >= high && before.checked_add(2) == Some(after))
                {
                    return format!("{name} != {}", before.saturating_add(1));
                }
                let is_alone = runs.len() == 1;
                let run = |&(first, last): &(i64, i64)| match (first <= low, last >= high) {
                    _ if first == last => format!("{name} = {first}"),
                    (_, true) => format!("{name} >= {first}"),
                    (true, false) => format!("{name} <= {last}"),
                    _ if is_alone => format!("{name} >= {first} and {name} <= {last}"),
                    _ => format!("({name} >= {first} and {name} <= {last})"),
                };
                runs.iter().map(run).collect()
            }
        };
        match each.is_empty() {
            true => format!("{name} is never"),
            false => each.join(" or "),
        }
    }
}

impl<'m> Value<'m> {
    fn word(self) -> Option<&'m str> {
        match self {
            Value::Word(word) => Some(word),
            Value::Number(_) => None,
        }
    }

    fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            Value::Word(_) => None,
        }
    }
}

/// The variable, if it is an amount.
fn amount(variable: &Variable) -> Result<&Variable, QuestionError> {
    match variable.values().ends() {
        Some(_) => Ok(variable),
        None => Err(QuestionError::NoAmount { variable: variable.name().to_string() }),
    }
}

fn stands(left: i64, relation: Relation, right: i64) -> bool {
    match relation {
        Relation::Is => left == right,
        Relation::IsNot => left != right,
        Relation::Less => left < right,
        Relation::AtMost => left <= right,
        Relation::More => left > right,
        Relation::AtLeast => left >= right,
    }
}
