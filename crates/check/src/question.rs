//! What a plan is judged against, in words; and the same after every name was found.
//!
//! In:   a [`Question`].
//! Out:  the NPC type, its first state, the wished values, the checks that hold; or the first
//!       name that means nothing, with the nearest one that does.
//! Cost: linear in the model; one hash look-up per name asked.

use std::collections::{HashMap, HashSet};
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
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// Nothing has or had this name.
    UnknownName {
        /// What it was asked for as: `NPC type`, `variable` or `check`.
        what: &'static str,
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
    /// `from` gives a variable two values, or `to` wants two of it.
    TwoValues {
        /// Whether it is `to` that does.
        at_end: bool,
        /// The variable, by its present name.
        variable: String,
        /// The value named first.
        first: String,
        /// The other value.
        second: String,
    },
}

throng_base::error! { QuestionError {
    Self::UnknownName { what: "check", name, nearest } =>
        "no action asks for a check `{name}`{}", DidYouMean(nearest.as_deref());
    Self::UnknownName { what, name, nearest } =>
        "unknown {what} `{name}`{}", DidYouMean(nearest.as_deref());
    Self::UnknownValue { variable, value, nearest } =>
        "`{variable}` has no value `{value}`{}", DidYouMean(nearest.as_deref());
    Self::TwoValues { at_end: true, variable, first, second } =>
        "`{variable}` cannot end both `{first}` and `{second}`";
    Self::TwoValues { variable, first, second, .. } =>
        "`{variable}` cannot start both `{first}` and `{second}`";
} }

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
        let npc = model.find_npc(question.npc).map(|id| &model[id]).ok_or_else(|| {
            unknown("NPC type", question.npc, model.npcs().iter().map(NpcType::name))
        })?;
        let mut start: HashMap<_, _> =
            npc.starts().iter().map(|&fact| model.fact_names(fact)).collect();
        start.extend(find_facts(model, question.from, false)?);
        let goal = find_facts(model, question.to, true)?;
        let holding = find_holding(model, question.context)?;
        Ok(Asked { npc, start, goal, holding })
    }
}

fn unknown<'n>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> QuestionError {
    QuestionError::UnknownName { what, name: name.to_string(), nearest: nearest(name, known) }
}

fn find_facts<'m>(
    model: &'m Model,
    facts: &[(String, String)],
    at_end: bool,
) -> Result<Vec<(&'m str, &'m str)>, QuestionError> {
    let mut found = Vec::with_capacity(facts.len());
    let mut seen = HashMap::with_capacity(facts.len());
    for (name, value) in facts {
        let Some(variable) = model.find_variable(name).map(|id| &model[id]) else {
            return Err(unknown("variable", name, model.variables().iter().map(Variable::name)));
        };
        let Some(value) = variable.values().iter().find(|known| *known == value) else {
            return Err(QuestionError::UnknownValue {
                variable: variable.name().to_string(),
                value: value.clone(),
                nearest: nearest(value, variable.values().iter().map(String::as_str)),
            });
        };
        found.push((variable.name(), value.as_str()));
    }
    for &(variable, second) in &found {
        let first = *seen.entry(variable).or_insert(second);
        if first != second {
            let [variable, first, second] = [variable, first, second].map(str::to_string);
            return Err(QuestionError::TwoValues { at_end, variable, first, second });
        }
    }
    Ok(found)
}

fn find_holding<'m>(
    model: &'m Model,
    context: CheckContext<'_>,
) -> Result<HashSet<&'m str>, QuestionError> {
    let all = || model.checks().iter().map(String::as_str);
    let (CheckContext::Without(said) | CheckContext::Only(said)) = context;
    if let Some(name) = said.iter().find(|name| model.find_check(name).is_none()) {
        return Err(unknown("check", name, all()));
    }
    let said: HashSet<&str> = said.iter().map(String::as_str).collect();
    let only = matches!(context, CheckContext::Only(_));
    Ok(all().filter(|check| said.contains(check) == only).collect())
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
