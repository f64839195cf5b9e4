//! Names that had the numbers of amounts in them, before one action stayed one action.
//!
//! In:   a name that nothing has, such as `chop(0 4)` or `give(bread 3)`.
//! Out:  what is called `chop` or `give(bread)` now, if that counts.
//! Cost: a few look-ups.

use crate::model::*;
use crate::names;

/// What is left of a name without numbers: `give(bread)` of `give(bread 3)`, its bare name, and
/// its other words. `None` if it has no number.
fn without_numbers(name: &str) -> Option<(String, &str, Vec<&str>)> {
    let base = names::template_of(name)?;
    let words = name[base.len()..].trim_start_matches('(').trim_end_matches(')');
    let is_number =
        |word: &&str| names::as_integer(word).is_some() || word.bytes().all(|byte| byte == b'_');
    let (numbers, words): (Vec<&str>, Vec<&str>) = words.split(' ').partition(is_number);
    if numbers.is_empty() {
        return None;
    }
    let rest = match words.is_empty() {
        true => base.to_string(),
        false => format!("{base}({})", words.join(" ")),
    };
    Some((rest, base, words))
}

impl Model {
    /// The action that counts and that had this name with numbers in it.
    pub(crate) fn action_before_amounts(&self, name: &str) -> Option<ActionId> {
        let (rest, base, words) = without_numbers(name)?;
        let find = |name: &str| self.index.actions.find(&self.actions, name).map(ActionId::at);
        let counts = |id: &ActionId| self[*id].counts();
        let found = find(&rest).filter(counts);
        found.or_else(|| {
            let asks = |id: &ActionId| counts(id) && self.asks_for(&words, self[*id].ranges());
            find(base).filter(asks)
        })
    }

    /// The goal that asks of amounts and that had this name with numbers in it.
    pub(crate) fn goal_before_amounts(&self, name: &str) -> Option<GoalId> {
        let (rest, base, words) = without_numbers(name)?;
        let find = |name: &str| self.index.goals.find(&self.goals, name).map(GoalId::at);
        let counts = |id: &GoalId| {
            let goal = &self[*id];
            !(goal.ranges().is_empty() && goal.comparisons().is_empty())
        };
        let found = find(&rest).filter(counts);
        found.or_else(|| {
            let asks = |id: &GoalId| counts(id) && self.asks_for(&words, self[*id].ranges());
            find(base).filter(asks)
        })
    }

    /// Whether each word is one that a set of words has: it stood in the name of its own action.
    fn asks_for(&self, words: &[&str], ranges: &[Range]) -> bool {
        let in_one = |word: &&str| {
            ranges.iter().any(|range| {
                let is_word = self[range.variable].values().words().is_some();
                let value = self.value_named(range.variable, word);
                is_word && value.is_some_and(|it| range.values.has(it.0 as u16))
            })
        };
        words.iter().all(in_one)
    }
}
