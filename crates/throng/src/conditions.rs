//! Conditions in words: `hp >= 50, mood != 3`.
//!
//! In:   a text: conditions, a comma or `and` between them; `or` between those of one variable.
//! Out:  [`Wants`] that a request takes; or what is wrong with the text, and what to write.
//! Cost: one look at the text, a look-up for each name.
//!
//! Names are taken as they stand between the signs, so whatever a file calls its things can be
//! asked for.

use crate::domain::Domain;
use crate::npc::Npc;
use throng_base::DidYouMean;
use throng_domain::compile::{IdOrName, NpcTables, SourceMap, UnknownNameError};
use throng_domain::model::{Comparison, Fact, Range, ValueId, VariableId, Wants};
use throng_domain::names::as_integer;
use throng_domain::{Relation, ValueSet};

/// What is wrong with conditions in words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ConditionsError {
    /// A variable, or a value of one, that is not there.
    Unknown(UnknownNameError),
    /// Not of the form `variable = value`.
    NoCondition {
        /// The text.
        text: String,
    },
    /// A sign that other languages have.
    OtherSign {
        /// The sign.
        sign: String,
        /// What it is here.
        write: &'static str,
    },
    /// What stands beside an amount is neither a number nor an amount.
    NoNumber {
        /// The amount.
        variable: String,
        /// What stands there.
        value: String,
        /// The nearest name of an amount.
        nearest: Option<String>,
    },
    /// The amount is never so.
    OutOfRange {
        /// The amount.
        variable: String,
        /// The condition.
        text: String,
        /// The first and the last number of its range.
        range: (i64, i64),
    },
    /// Values that have no size are compared by size.
    NoSize {
        /// The variable.
        variable: String,
        /// The condition.
        text: String,
    },
    /// A variable is asked to have two values.
    TwoValues {
        /// The one, as a fact.
        first: String,
        /// The other.
        second: String,
    },
    /// The conditions on a variable leave no value.
    NeverHolds {
        /// The variable.
        variable: String,
    },
    /// The conditions on a variable leave values in too many places.
    TooManyParts {
        /// The variable.
        variable: String,
    },
    /// `or` stands between conditions on several variables.
    SeveralVariables {
        /// The text.
        text: String,
    },
    /// An amount is compared with one that may change meanwhile.
    OtherChanges {
        /// The condition.
        text: String,
        /// The amount on the right.
        other: String,
    },
}

throng_base::error! { ConditionsError {
    Self::Unknown(unknown) => "{unknown}";
    Self::NoCondition { text } =>
        "`{text}` is not of the form `variable=value`, or for an amount `variable>=number`";
    Self::OtherSign { sign, write } => "`{sign}` is written `{write}` here";
    Self::NoNumber { variable, value, nearest } =>
        "`{variable}` is an amount, and `{value}` is {}{}",
        neither(value), DidYouMean(nearest.as_deref());
    Self::OutOfRange { variable, text, range } =>
        "`{variable}` is {}..{}, so `{text}` never holds", range.0, range.1;
    Self::NoSize { variable, text } =>
        "`{text}` compares by size, but `{variable}` lists its values: write `=` or `!=`";
    Self::TwoValues { first, second } =>
        "`{first}` and `{second}` at once: a variable has one value";
    Self::NeverHolds { variable } => "no value of `{variable}` is all of this at once";
    Self::TooManyParts { variable } =>
        "the conditions leave the values of `{variable}` in too many places: ask for fewer";
    Self::SeveralVariables { text } =>
        "`or` in `{text}` joins several variables; write a goal of the file instead, \
         `goal NAME: {text}`";
    Self::OtherChanges { text, other } =>
        "`{text}` compares with `{other}`, which may change meanwhile; write a number";
} source {
    Self::Unknown(unknown) => unknown;
} }

/// What is wrong with what stands in place of a whole number.
fn neither(value: &str) -> &'static str {
    match value.contains('.') && value.parse::<f64>().is_ok() {
        true => "no whole number",
        false => "neither a number nor an amount",
    }
}

/// The signs, the longer ones first.
const SIGNS: [Relation; 6] = [
    Relation::IsNot,
    Relation::AtMost,
    Relation::AtLeast,
    Relation::Is,
    Relation::Less,
    Relation::More,
];

/// Signs of other languages, and what they are here.
const OTHER_SIGNS: [(&str, Relation); 5] = [
    ("==", Relation::Is),
    ("=<", Relation::AtMost),
    ("=>", Relation::AtLeast),
    ("<>", Relation::IsNot),
    ("=!", Relation::IsNot),
];

/// One condition, its names found.
enum Asked {
    /// One of these values.
    In(VariableId, ValueSet),
    /// So to another amount.
    Compared(Comparison),
}

impl Domain {
    /// Conditions in words, as `--to` of the command line takes them, for a [`Request`].
    ///
    /// A comma or `and` stands between conditions that must all hold, `or` between those of one
    /// variable of which one will do. A name of several values, as the slots of a select, asks for
    /// one of them.
    ///
    /// ```
    /// use throng::prelude::*;
    ///
    /// # let domain = Domain::from_json(
    /// #     r#"{"throng": 1, "domain": "camp", "variables": [{"name": "hp", "range": [0, 100]},
    /// #        {"name": "mood", "range": [-3, 3]}],
    /// #        "actions": [{"name": "rest", "shifts": {"hp": {"add": 30, "up_to": 100}}}]}"#,
    /// # )?;
    /// let mut npc = Npc::new(&domain, "camp")?;
    /// npc.set_amount("hp", 10)?;
    /// npc.set_amount("mood", 0)?;
    /// let request = Request::to_conditions(domain.conditions("hp >= 50, mood != 3")?);
    /// let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
    /// assert_eq!(answer.plan().names().collect::<Vec<_>>(), ["rest", "rest"]);
    ///
    /// let error = domain.conditions("hp >= 500").unwrap_err();
    /// assert_eq!(error.to_string(), "`hp` is 0..100, so `hp >= 500` never holds");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Request`]: crate::Request
    ///
    /// # Errors
    ///
    /// What is wrong with the first condition that is wrong. An amount can be compared with one
    /// that no action changes; [`Npc::conditions`] knows which actions those of the NPC are.
    pub fn conditions(&self, text: &str) -> Result<Wants, ConditionsError> {
        let changed = |variable| {
            let npcs = self.compiled().npcs().iter();
            npcs.into_iter().any(|npc| can_change(npc, variable))
        };
        Reader { map: self.map(), changed: &changed }.read(text)
    }
}

impl Npc {
    /// Conditions in words; as [`Domain::conditions`], but an amount may be compared with any one
    /// that nothing changes that this NPC does.
    ///
    /// # Errors
    ///
    /// What is wrong with the first condition that is wrong.
    pub fn conditions(&self, text: &str) -> Result<Wants, ConditionsError> {
        let changed = |variable| can_change(self.kind(), variable);
        Reader { map: self.domain().map(), changed: &changed }.read(text)
    }
}

fn can_change(npc: &NpcTables, variable: VariableId) -> bool {
    npc.local_variable(variable).is_some_and(|local| npc.can_change(local))
}

struct Reader<'d> {
    map: &'d SourceMap,
    /// Whether something may change a variable.
    changed: &'d dyn Fn(VariableId) -> bool,
}

impl Reader<'_> {
    fn read(&self, text: &str) -> Result<Wants, ConditionsError> {
        let mut sets: Vec<(VariableId, ValueSet)> = Vec::new();
        let mut comparisons = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let alternatives: Vec<&str> = part.split(" or ").collect();
            let (variable, set) = match &alternatives[..] {
                // Without `or`, each condition stands for itself.
                [all] => {
                    for one in split_and(all) {
                        match self.condition(one)? {
                            Asked::In(variable, set) => self.add(&mut sets, variable, set)?,
                            Asked::Compared(it) => comparisons.push(it),
                        }
                    }
                    continue;
                }
                some => self.any_of(some, part)?,
            };
            self.add(&mut sets, variable, set)?;
        }
        comparisons.sort_unstable();
        comparisons.dedup();
        let mut wants = Wants { comparisons, ..Wants::default() };
        for (variable, values) in sets {
            match values.only() {
                Some(only) => {
                    wants.facts.push(Fact { variable, value: ValueId::at(only.into()) });
                }
                None => wants.ranges.push(Range { variable, values }),
            }
        }
        Ok(wants)
    }

    /// Values of one variable of which one will do.
    fn any_of(
        &self,
        alternatives: &[&str],
        part: &str,
    ) -> Result<(VariableId, ValueSet), ConditionsError> {
        let several = || ConditionsError::SeveralVariables { text: part.to_string() };
        let mut whole: Option<(VariableId, ValueSet)> = None;
        for alternative in alternatives {
            let mut sets = Vec::new();
            for one in split_and(alternative) {
                let Asked::In(variable, set) = self.condition(one)? else { return Err(several()) };
                self.add(&mut sets, variable, set)?;
            }
            let &[(variable, set)] = &sets[..] else { return Err(several()) };
            let (first, known) = whole.unwrap_or((variable, ValueSet::EMPTY));
            if first != variable {
                return Err(several());
            }
            whole = Some((variable, self.few(variable, known.either(&set))?));
        }
        whole.ok_or_else(several)
    }

    /// Asks more of a variable of which something may be asked already.
    fn add(
        &self,
        sets: &mut Vec<(VariableId, ValueSet)>,
        variable: VariableId,
        set: ValueSet,
    ) -> Result<(), ConditionsError> {
        let Some((_, known)) = sets.iter_mut().find(|(known, _)| *known == variable) else {
            sets.push((variable, set));
            return Ok(());
        };
        let both = self.few(variable, known.both(&set))?;
        if !both.is_empty() {
            *known = both;
            return Ok(());
        }
        let fact = |value: u16| self.map.fact(Fact { variable, value: ValueId::at(value.into()) });
        Err(match (known.only(), set.only()) {
            (Some(first), Some(second)) => {
                ConditionsError::TwoValues { first: fact(first), second: fact(second) }
            }
            _ => ConditionsError::NeverHolds { variable: self.name(variable) },
        })
    }

    fn few(
        &self,
        variable: VariableId,
        set: Option<ValueSet>,
    ) -> Result<ValueSet, ConditionsError> {
        set.ok_or_else(|| ConditionsError::TooManyParts { variable: self.name(variable) })
    }

    fn name(&self, variable: VariableId) -> String {
        self.map.variable(variable).to_string()
    }

    /// `hp >= 50`.
    fn condition(&self, text: &str) -> Result<Asked, ConditionsError> {
        let no_condition = || ConditionsError::NoCondition { text: text.to_string() };
        let at = text.find(['=', '!', '<', '>']).ok_or_else(no_condition)?;
        let (name, rest) = text.split_at(at);
        if let Some((sign, ours)) = OTHER_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return Err(ConditionsError::OtherSign { sign: sign.to_string(), write: ours.sign() });
        }
        let signs = SIGNS.iter().find(|sign| rest.starts_with(sign.sign()));
        let &relation = signs.ok_or_else(no_condition)?;
        let value = rest[relation.sign().len()..].trim();
        if value.is_empty() || name.trim().is_empty() {
            return Err(no_condition());
        }
        let variable: VariableId = name.trim().id(self.map).map_err(ConditionsError::Unknown)?;
        match self.map.amount(variable) {
            Some(range) => self.of_amount(variable, range, relation, (value, text)),
            None if relation.is_by_size() => self.of_list(variable, relation, (value, text)),
            None => self.of_words(variable, relation, value),
        }
    }

    /// Values that are listed, and have a size if all are numbers.
    fn of_list(
        &self,
        variable: VariableId,
        relation: Relation,
        (value, text): (&str, &str),
    ) -> Result<Asked, ConditionsError> {
        let no_size =
            || ConditionsError::NoSize { variable: self.name(variable), text: text.to_string() };
        let than = number(value).ok_or_else(no_size)?;
        let numbers = self.map.values(variable).iter().map(|value| as_integer(value));
        let numbers: Vec<i64> = numbers.collect::<Option<_>>().ok_or_else(no_size)?;
        let positions = (0u16..).zip(numbers).filter(|&(_, it)| relation.holds(it, than));
        let set = self.few(variable, ValueSet::of(positions.map(|(at, _)| at)))?;
        match set.is_empty() {
            true => Err(ConditionsError::NeverHolds { variable: self.name(variable) }),
            false => Ok(Asked::In(variable, set)),
        }
    }

    fn of_words(
        &self,
        variable: VariableId,
        relation: Relation,
        value: &str,
    ) -> Result<Asked, ConditionsError> {
        let meant = self.map.values_named(variable, value).map_err(ConditionsError::Unknown)?;
        let set = match relation {
            Relation::IsNot => {
                let n_values = self.map.n_values(variable) as u16;
                self.few(variable, meant.others(n_values))?
            }
            _ => meant,
        };
        match set.is_empty() {
            true => Err(ConditionsError::NeverHolds { variable: self.name(variable) }),
            false => Ok(Asked::In(variable, set)),
        }
    }

    fn of_amount(
        &self,
        variable: VariableId,
        range: (i64, i64),
        relation: Relation,
        (value, text): (&str, &str),
    ) -> Result<Asked, ConditionsError> {
        let Some(number) = number(value) else {
            return self.of_two(variable, range, relation, (value, text));
        };
        let (low, high) = range;
        let is_value = low <= number && number <= high;
        let runs = match relation {
            Relation::Is => [(number, number), (1, 0)],
            // Who asks for another number than one that is never there has mistaken the range.
            Relation::IsNot if !is_value => [(1, 0), (1, 0)],
            Relation::IsNot => [(low, number - 1), (number + 1, high)],
            Relation::Less => [(low, number.saturating_sub(1)), (1, 0)],
            Relation::AtMost => [(low, number), (1, 0)],
            Relation::More => [(number.saturating_add(1), high), (1, 0)],
            Relation::AtLeast => [(number, high), (1, 0)],
        };
        let inside = runs.into_iter().filter_map(|(first, last)| {
            let (first, last) = (first.max(low), last.min(high));
            (first <= last).then(|| ((first - low) as u16, (last - low) as u16))
        });
        let set = self.few(variable, ValueSet::of_runs(inside))?;
        match set.is_empty() {
            true => Err(ConditionsError::OutOfRange {
                variable: self.name(variable),
                text: text.to_string(),
                range,
            }),
            false => Ok(Asked::In(variable, set)),
        }
    }

    /// An amount beside another.
    fn of_two(
        &self,
        variable: VariableId,
        (low, _): (i64, i64),
        relation: Relation,
        (value, text): (&str, &str),
    ) -> Result<Asked, ConditionsError> {
        let other = self.map.find_variable(value);
        let Some((other, other_low)) =
            other.and_then(|other| Some((other, self.map.amount(other)?.0)))
        else {
            let amounts = self.map.variable_ids().filter(|&id| self.map.amount(id).is_some());
            let names: Vec<&str> = amounts.map(|id| self.map.variable(id)).collect();
            return Err(ConditionsError::NoNumber {
                variable: self.name(variable),
                value: value.to_string(),
                nearest: throng_base::nearest(value, names).map(str::to_string),
            });
        };
        if (self.changed)(other) || self.map.is_shared(other) {
            let (text, other) = (text.to_string(), value.to_string());
            return Err(ConditionsError::OtherChanges { text, other });
        }
        Ok(Asked::Compared(Comparison { variable, relation, other, offset: other_low - low }))
    }
}

/// The conditions between `and`s, without brackets around them.
fn split_and(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(text).split(" and ").map(str::trim)
}

/// A whole number, as a condition says it.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    // One too large to keep is as far off as the largest.
    is_plain.then(|| text.parse().unwrap_or(limit))
}
