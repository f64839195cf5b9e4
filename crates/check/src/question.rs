//! What a plan is judged against, in words; and the same after every name was found.
//!
//! In:   a [`Question`].
//! Out:  the NPC type, its first state, the wished values, the checks that hold; or the first
//!       name that means nothing, with the nearest one that does.
//! Cost: linear in the model; one hash look-up per name asked.

use crate::names::{QuestionError, find_value, find_variable, unknown};
use crate::state::{State, Value};
use crate::wanted::{Need, Wanted};
use std::collections::{HashMap, HashSet};
use throng_domain::Model;
use throng_domain::model::{NpcType, Variable};

/// Which context checks hold; all unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckContext<'q> {
    /// All but these.
    Without(&'q [String]),
    /// These and no others.
    Only(&'q [String]),
}

impl Default for CheckContext<'_> {
    fn default() -> Self {
        CheckContext::Without(&[])
    }
}

/// A question that a plan claims to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Question<'q> {
    /// The NPC type; a former name will do. The implicit one is called like the domain.
    pub npc: &'q str,
    /// Variable and value: replaces or completes the NPC's `starts`; the rest is unknown.
    pub from: &'q [(String, String)],
    /// Variables whose value is unknown, whatever the NPC's `starts` say.
    pub unknown: &'q [String],
    /// Variable and value that must hold at the end.
    pub to: &'q [(String, String)],
    /// What else must hold at the end: one of some values, an amount between two numbers, two
    /// amounts compared.
    pub wants: &'q [Wanted],
    /// Which context checks hold.
    pub context: CheckContext<'q>,
}

/// A question in the model's own words.
pub(crate) struct Asked<'m> {
    /// Who acts.
    pub(crate) npc: &'m NpcType,
    /// The value of every known variable, by name.
    pub(crate) start: State<'m>,
    /// What must hold at the end, in the order asked.
    pub(crate) goal: Vec<Need<'m>>,
    /// The checks that hold.
    pub(crate) holding: HashSet<&'m str>,
}

impl<'m> Asked<'m> {
    pub(crate) fn of(model: &'m Model, question: &Question<'_>) -> Result<Self, QuestionError> {
        let npc = model.find_npc(question.npc).map(|id| &model[id]).ok_or_else(|| {
            unknown("NPC type", question.npc, model.npcs().iter().map(NpcType::name))
        })?;
        let mut start: State<'m> =
            npc.starts().iter().map(|&fact| Value::of_fact(model, fact)).collect();
        for name in question.unknown {
            start.remove(find_variable(model, name)?.name());
        }
        let given = find_facts(model, question.from, false)?;
        start.extend(given.into_iter().map(|(variable, value)| (variable.name(), value)));
        let facts = find_facts(model, question.to, true)?;
        let mut goal: Vec<Need<'m>> =
            facts.into_iter().map(|(variable, value)| Need::is(variable, value)).collect();
        for wanted in question.wants {
            goal.push(Need::of_wanted(model, wanted)?);
        }
        let holding = find_holding(model, question.context)?;
        Ok(Asked { npc, start, goal, holding })
    }
}

fn find_facts<'m>(
    model: &'m Model,
    facts: &[(String, String)],
    at_end: bool,
) -> Result<Vec<(&'m Variable, Value<'m>)>, QuestionError> {
    let mut found = Vec::with_capacity(facts.len());
    let mut seen = HashMap::with_capacity(facts.len());
    for (name, value) in facts {
        let variable = find_variable(model, name)?;
        found.push((variable, find_value(variable, value)?));
    }
    for &(variable, second) in &found {
        let first = *seen.entry(variable.name()).or_insert(second);
        if first != second {
            let variable = variable.name().to_string();
            let [first, second] = [first, second].map(|value| value.to_string());
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
        let question =
            Question { npc, from: &pairs(from), to: &pairs(to), context, ..Question::default() };
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
