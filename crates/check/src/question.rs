//! What a plan is judged against, in words; and the same after every name was found.
//!
//! In:   a [`Question`].
//! Out:  the NPC type, its first state, the wished values, the checks that hold; or the first
//!       name that means nothing, with the nearest one that does.
//! Cost: linear in the model; one hash look-up per name asked.

use std::collections::{HashMap, HashSet};
use std::fmt;
use throng_base::DidYouMean;
use throng_domain::Model;
use throng_domain::model::{NpcType, Variable};

/// Which context checks hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckContext<'q> {
    /// All but these.
    Without(&'q [String]),
    /// These and no others.
    Only(&'q [String]),
}

/// A question that a plan claims to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'q> {
    /// The NPC type; a former name will do. The implicit one is called like the domain.
    pub npc: &'q str,
    /// Variable and value: replaces or completes the NPC's `starts`; the rest is unknown.
    pub from: &'q [(String, String)],
    /// Variable and value that must hold at the end.
    pub to: &'q [(String, String)],
    /// Which context checks hold.
    pub context: CheckContext<'q>,
}

/// Why a question cannot be asked of this model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// No NPC type has or had this name.
    UnknownNpc {
        /// The name asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// No variable has or had this name.
    UnknownVariable {
        /// The name asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// The variable has no such value.
    UnknownValue {
        /// The variable, by its present name.
        variable: String,
        /// The value asked for.
        value: String,
        /// The nearest of its values.
        nearest: Option<String>,
    },
    /// No action asks for a check of this name.
    UnknownCheck {
        /// The name asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// `from` gives a variable two values.
    StartsTwice {
        /// The variable, by its present name.
        variable: String,
        /// The value given first.
        first: String,
        /// The other value.
        second: String,
    },
    /// `to` wants two values of a variable.
    WantsTwice {
        /// The variable, by its present name.
        variable: String,
        /// The value wanted first.
        first: String,
        /// The other value.
        second: String,
    },
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nearest = match self {
            QuestionError::UnknownNpc { name, nearest } => {
                write!(f, "unknown NPC type `{name}`")?;
                nearest
            }
            QuestionError::UnknownVariable { name, nearest } => {
                write!(f, "unknown variable `{name}`")?;
                nearest
            }
            QuestionError::UnknownValue { variable, value, nearest } => {
                write!(f, "`{variable}` has no value `{value}`")?;
                nearest
            }
            QuestionError::UnknownCheck { name, nearest } => {
                write!(f, "no action asks for a check `{name}`")?;
                nearest
            }
            QuestionError::StartsTwice { variable, first, second } => {
                write!(f, "`{variable}` cannot start both `{first}` and `{second}`")?;
                &None
            }
            QuestionError::WantsTwice { variable, first, second } => {
                write!(f, "`{variable}` cannot end both `{first}` and `{second}`")?;
                &None
            }
        };
        DidYouMean(nearest.as_deref()).fmt(f)
    }
}

impl std::error::Error for QuestionError {}

/// A question in the model's own words.
pub(crate) struct Asked<'m> {
    /// Who acts.
    pub(crate) npc: &'m NpcType,
    /// The value of every known variable, by name.
    pub(crate) start: HashMap<&'m str, &'m str>,
    /// Variables and the values they must have at the end, in the order asked.
    pub(crate) goal: Vec<(&'m str, &'m str)>,
    /// The checks that hold.
    pub(crate) holding: HashSet<&'m str>,
}

impl<'m> Asked<'m> {
    pub(crate) fn of(model: &'m Model, question: &Question<'_>) -> Result<Self, QuestionError> {
        let npc = find_npc(model, question.npc)?;
        let variables = by_name(model.variables(), |v| v.name(), |v| v.was());
        let mut start: HashMap<_, _> =
            npc.starts().iter().map(|&fact| model.fact_names(fact)).collect();
        let from = find_facts(model, &variables, question.from)?;
        if let Some((variable, first, second)) = two_values(&from) {
            return Err(QuestionError::StartsTwice { variable, first, second });
        }
        start.extend(from);
        let goal = find_facts(model, &variables, question.to)?;
        if let Some((variable, first, second)) = two_values(&goal) {
            return Err(QuestionError::WantsTwice { variable, first, second });
        }
        let holding = find_holding(model, question.context)?;
        Ok(Asked { npc, start, goal, holding })
    }
}

/// A table from present and former names. Where a name is both, the present one is meant;
/// where two things had the same name, the first declared.
pub(crate) fn by_name<T>(
    items: &[T],
    present: fn(&T) -> &str,
    former: fn(&T) -> &[String],
) -> HashMap<&str, usize> {
    let mut table = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        table.insert(present(item), index);
    }
    for (index, item) in items.iter().enumerate() {
        for name in former(item) {
            table.entry(name.as_str()).or_insert(index);
        }
    }
    table
}

fn find_npc<'m>(model: &'m Model, name: &str) -> Result<&'m NpcType, QuestionError> {
    let known = by_name(model.npcs(), |npc| npc.name(), |npc| npc.was());
    known.get(name).map(|&index| &model.npcs()[index]).ok_or_else(|| QuestionError::UnknownNpc {
        name: name.to_string(),
        nearest: nearest(name, model.npcs().iter().map(NpcType::name)),
    })
}

fn find_facts<'m>(
    model: &'m Model,
    variables: &HashMap<&str, usize>,
    facts: &[(String, String)],
) -> Result<Vec<(&'m str, &'m str)>, QuestionError> {
    let find = |(name, value): &(String, String)| {
        let Some(&index) = variables.get(name.as_str()) else {
            return Err(QuestionError::UnknownVariable {
                name: name.clone(),
                nearest: nearest(name, model.variables().iter().map(Variable::name)),
            });
        };
        let variable = &model.variables()[index];
        match variable.values().iter().find(|known| *known == value) {
            Some(value) => Ok((variable.name(), value.as_str())),
            None => Err(QuestionError::UnknownValue {
                variable: variable.name().to_string(),
                value: value.clone(),
                nearest: nearest(value, variable.values().iter().map(String::as_str)),
            }),
        }
    };
    facts.iter().map(find).collect()
}

/// A variable with two different values, if there is one.
fn two_values(facts: &[(&str, &str)]) -> Option<(String, String, String)> {
    let mut seen = HashMap::with_capacity(facts.len());
    for &(variable, second) in facts {
        let first = *seen.entry(variable).or_insert(second);
        if first != second {
            return Some((variable.to_string(), first.to_string(), second.to_string()));
        }
    }
    None
}

fn find_holding<'m>(
    model: &'m Model,
    context: CheckContext<'_>,
) -> Result<HashSet<&'m str>, QuestionError> {
    let all: HashSet<&str> = model.checks().iter().map(String::as_str).collect();
    let (CheckContext::Without(said) | CheckContext::Only(said)) = context;
    if let Some(name) = said.iter().find(|name| !all.contains(name.as_str())) {
        return Err(QuestionError::UnknownCheck {
            name: name.clone(),
            nearest: nearest(name, model.checks().iter().map(String::as_str)),
        });
    }
    let said: HashSet<&str> = said.iter().map(String::as_str).collect();
    let holds = |check: &&str| match context {
        CheckContext::Without(_) => !said.contains(check),
        CheckContext::Only(_) => said.contains(check),
    };
    Ok(all.into_iter().filter(holds).collect())
}

/// The nearest known name, owned.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    throng_base::nearest(name, known).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_domain::{Format, Limits, formats::no_includes, load};

    const TEXT: &str = "domain hall
var lamp: off, on  was light, candle
var candle: whole, burnt
action light_up: lamp off -> on  if dark
action burn: candle whole -> burnt  if not dark
npc servant
    can light_up, burn
    starts lamp = off
    was maid
";

    fn pairs(facts: &str) -> Vec<(String, String)> {
        let split = |fact: &str| fact.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
        facts.split_whitespace().filter_map(split).collect()
    }

    /// Asks `npc: from -> to / context`; the first state by name, or the mistake in words.
    fn check(
        npc: &str,
        from: &str,
        to: &str,
        context: CheckContext<'_>,
        expected: Result<&str, &str>,
    ) {
        let loaded = load("hall.npc", TEXT, Format::Npc, &Limits::default(), &[], &mut no_includes);
        let model = loaded.model.unwrap();
        let question = Question { npc, from: &pairs(from), to: &pairs(to), context };
        let words = Asked::of(&model, &question).map_err(|bad| bad.to_string()).map(|asked| {
            let mut start: Vec<_> = asked.start.iter().map(|(a, b)| format!("{a}={b}")).collect();
            start.sort();
            start.join(" ")
        });
        assert_eq!(words.as_deref().map_err(String::as_str), expected);
    }

    const ALL: CheckContext<'static> = CheckContext::Without(&[]);

    #[test]
    fn what_the_question_says_replaces_or_completes_the_starts() {
        check("servant", "", "", ALL, Ok("lamp=off"));
        check("servant", "lamp=on", "", ALL, Ok("lamp=on"));
        check("servant", "candle=whole", "", ALL, Ok("candle=whole lamp=off"));
    }

    #[test]
    fn former_names_are_understood_and_present_ones_win() {
        check("maid", "light=on", "", ALL, Ok("lamp=on"));
        check("servant", "candle=burnt", "", ALL, Ok("candle=burnt lamp=off"));
    }

    #[test]
    fn the_same_value_twice_is_no_contradiction_two_values_are() {
        check("servant", "lamp=on light=on", "lamp=on lamp=on", ALL, Ok("lamp=on"));
        let two = "`lamp` cannot start both `on` and `off`";
        check("servant", "lamp=on light=off", "", ALL, Err(two));
        check("servant", "", "lamp=on lamp=off", ALL, Err("`lamp` cannot end both `on` and `off`"));
    }

    #[test]
    fn unknown_names_come_with_the_nearest_one() {
        let err = "unknown NPC type `servnt`; did you mean `servant`?";
        check("servnt", "", "", ALL, Err(err));
        check("servant", "lmap=on", "", ALL, Err("unknown variable `lmap`; did you mean `lamp`?"));
        check("servant", "", "lamp=onn", ALL, Err("`lamp` has no value `onn`; did you mean `on`?"));
        let darc = ["darc".to_string()];
        let err = "no action asks for a check `darc`; did you mean `dark`?";
        check("servant", "", "", CheckContext::Without(&darc), Err(err));
        check("servant", "", "", CheckContext::Only(&darc), Err(err));
        check("servant", "moon=full", "", ALL, Err("unknown variable `moon`"));
    }
}
