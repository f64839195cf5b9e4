//! The replay itself: one step after the other, by names.
//!
//! In:   a model, a question, the names of a plan's actions.
//! Out:  the verdict on the first thing that goes wrong, or on the whole.
//! Cost: one pass over the model's actions to learn who is there, then the facts of each step.
//!
//! An amount is a number here, and a shift an addition: neither positions nor sets of them are
//! asked what they think.
//!
//! An action is *there* if the NPC type can do it, all its checks have the answer it expects,
//! so have those of one of its kinds if it has any, and no action that the type can do and whose checks all hold overrides it. An overridden
//! action still overrides: who is there never depends on who else is.

use crate::names::{QuestionError, nearest};
use crate::question::{Asked, Question};
use crate::state::{State, Value};
use crate::verdict::{Failure, FailureReason, Verdict};
use crate::wanted::Need;
use std::collections::HashMap;
use throng_domain::model::{Action, CheckUse, Shift};
use throng_domain::names::template_of;
use throng_domain::{ActionId, Cost, Model, ShiftEnd};

/// Judges a plan: replays it from the question's start and looks whether its goal holds.
///
/// An empty plan is valid if the goal holds at the start. Former names are understood.
///
/// # Errors
///
/// If the question names something that the model does not have, or contradicts itself. A
/// plan can only be invalid, never an error.
pub fn replay<S: AsRef<str>>(
    model: &Model,
    question: &Question<'_>,
    plan: &[S],
) -> Result<Verdict, QuestionError> {
    let asked = Asked::of(model, question)?;
    let stage = Stage::of(model, &asked);
    let mut state = asked.start.clone();
    let mut cost = 0u64;
    for (index, name) in plan.iter().enumerate() {
        let name = name.as_ref();
        match stage.perform(name, &mut state) {
            // Ten billion steps of the highest cost fit.
            Ok(Cost(price)) => cost = cost.saturating_add(price),
            Err(why) => {
                let (step, action) = (Some(index + 1), Some(name.to_string()));
                return Ok(Verdict::Invalid(Failure { step, action, why }));
            }
        }
    }
    Ok(match unmet(&asked.goal, &state) {
        None => Verdict::Valid { cost: Cost(cost) },
        Some(why) => Verdict::Invalid(Failure { step: None, action: None, why }),
    })
}

/// The first wish that does not hold.
fn unmet(goal: &[Need<'_>], state: &State<'_>) -> Option<FailureReason> {
    let need = goal.iter().find(|need| !need.holds(state))?;
    let variable = need.at_fault(state).name();
    let is = state.get(variable).map(Value::to_string);
    let variable = variable.to_string();
    Some(match need {
        Need::Is(_, wanted) => {
            FailureReason::GoalNotReached { variable, wanted: wanted.to_string(), is }
        }
        _ => FailureReason::EndsElsewhere { wanted: need.words(), variable, is },
    })
}

/// What stays the same during a plan: which actions are there for this NPC, here and now.
struct Stage<'m, 'q> {
    model: &'m Model,
    asked: &'q Asked<'m>,
    /// Overridden actions, each with an action that overrides it.
    overridden: HashMap<ActionId, &'m str>,
}

impl<'m, 'q> Stage<'m, 'q> {
    fn of(model: &'m Model, asked: &'q Asked<'m>) -> Self {
        let mut stage = Stage { model, asked, overridden: HashMap::new() };
        for &id in asked.npc.can() {
            let action = &model[id];
            if stage.failing_check(action).is_none() {
                for &other in action.overrides() {
                    stage.overridden.entry(other).or_insert(action.name());
                }
            }
        }
        stage
    }

    /// Takes one step; gives its price.
    fn perform(&self, name: &str, state: &mut State<'m>) -> Result<Cost, FailureReason> {
        let mut failure = None;
        // Of several variants of one name any that can be done here is meant.
        for id in self.model.find_actions(name) {
            match self.perform_one(id, state) {
                Ok(cost) => return Ok(cost),
                Err(why) => _ = failure.get_or_insert(why),
            }
        }
        Err(failure.unwrap_or_else(|| self.unknown(name)))
    }

    /// Takes the step of one action; gives its price.
    fn perform_one(&self, id: ActionId, state: &mut State<'m>) -> Result<Cost, FailureReason> {
        let action = &self.model[id];
        if self.asked.npc.can().binary_search(&id).is_err() {
            return Err(FailureReason::NotForThisNpc);
        }
        if let Some(why) = self.failing_check(action) {
            return Err(why);
        }
        if let Some(by) = self.overridden.get(&id) {
            return Err(FailureReason::Overridden { by: by.to_string() });
        }
        *state = match action.parts() {
            [] => self.after(action, state)?,
            // A compound is what its parts are, one after the other.
            parts => {
                let mut now = state.clone();
                for &part in parts {
                    now = self.after(&self.model[part], &now).map_err(|why| {
                        // What the compound as a whole lacks says more than what a part does.
                        self.requirements_hold(action, state).err().unwrap_or(why)
                    })?;
                }
                now
            }
        };
        Ok(action.cost())
    }

    /// The state after an action.
    fn after(&self, action: &Action, state: &State<'m>) -> Result<State<'m>, FailureReason> {
        self.requirements_hold(action, state)?;
        let mut next = state.clone();
        for shift in action.shifts() {
            let (variable, moved) = self.moved(shift, state)?;
            next.insert(variable, Value::Number(moved));
        }
        next.extend(action.sets().iter().map(|&fact| Value::of_fact(self.model, fact)));
        Ok(next)
    }

    /// What an amount becomes.
    fn moved(&self, shift: &Shift, state: &State<'m>) -> Result<(&'m str, i64), FailureReason> {
        let variable = &self.model[shift.variable];
        let name = || variable.name().to_string();
        let known = (state.get(variable.name()), variable.values().ends());
        let (Some(&Value::Number(is)), Some((low, high))) = known else {
            return Err(FailureReason::NeedsKnownAmount { variable: name() });
        };
        let by = i64::from(shift.by.by);
        let sum = is.saturating_add(by);
        let moved = match shift.by.end {
            ShiftEnd::Refuse if sum > high => {
                return Err(FailureReason::LeavesRange {
                    variable: name(),
                    would_be: sum,
                    end: high,
                });
            }
            ShiftEnd::Refuse if sum < low => {
                return Err(FailureReason::LeavesRange {
                    variable: name(),
                    would_be: sum,
                    end: low,
                });
            }
            ShiftEnd::Refuse => sum,
            ShiftEnd::Stop(at) => {
                let stop = low.saturating_add(at.into());
                // Never against its own direction: what is beyond the stop already stays.
                match by > 0 {
                    true if is >= stop => is,
                    false if is <= stop => is,
                    true => {
                        if sum > stop {
                            stop
                        } else {
                            sum
                        }
                    }
                    false => {
                        if sum < stop {
                            stop
                        } else {
                            sum
                        }
                    }
                }
            }
        };
        Ok((variable.name(), moved))
    }

    fn unknown(&self, name: &str) -> FailureReason {
        let known = || self.model.actions().iter().map(Action::name);
        // `go` alone is no action; one of its kind shows how to say which.
        let member = || known().find(|known| template_of(known) == Some(name)).map(str::to_string);
        FailureReason::UnknownAction { nearest: nearest(name, known()).or_else(member) }
    }

    fn failing_check(&self, action: &Action) -> Option<FailureReason> {
        if let Some((check, expected)) = self.first_failing(action.checks()) {
            return Some(FailureReason::CheckFails { check, expected });
        }
        // One kind without a failing check is enough.
        let mut needs = Vec::new();
        for kind in action.kinds() {
            let (check, expected) = self.first_failing(kind.checks())?;
            needs.push((kind.name().to_string(), check, expected));
        }
        (!needs.is_empty()).then_some(FailureReason::NoKind { needs })
    }

    fn first_failing(&self, checks: &[CheckUse]) -> Option<(String, bool)> {
        checks.iter().find_map(|wanted| {
            let check = &self.model[wanted.check];
            let expected = wanted.expected;
            let fails = self.asked.holding.contains(check.as_str()) != expected;
            fails.then(|| (check.clone(), expected))
        })
    }

    fn requirements_hold(&self, action: &Action, state: &State<'m>) -> Result<(), FailureReason> {
        for &fact in action.requires() {
            let (variable, needed) = Value::of_fact(self.model, fact);
            let (variable, needed, is) = match state.get(variable) {
                Some(is) if *is == needed => continue,
                is => (variable.to_string(), needed.to_string(), is.map(Value::to_string)),
            };
            return Err(match is {
                Some(is) => FailureReason::NeedsOtherValue { variable, needed, is },
                None => FailureReason::NeedsKnownValue { variable, needed },
            });
        }
        let ranges = action.ranges().iter();
        for range in ranges {
            let need = Need::of_range(self.model, range);
            if !need.holds(state) {
                // Where the set ends for the shift's sake, the shift says it better.
                let own = action.shifts().iter().find(|shift| shift.variable == range.variable);
                let own = own.filter(|shift| need.fails_by(shift, state));
                let leaves = own.and_then(|shift| self.moved(shift, state).err());
                return Err(leaves.unwrap_or_else(|| lacks(&need, state)));
            }
        }
        let mut compared =
            action.comparisons().iter().map(|it| Need::of_comparison(self.model, it));
        compared.find(|need| !need.holds(state)).map_or(Ok(()), |need| Err(lacks(&need, state)))
    }
}

/// What an action needs, and what is there instead.
fn lacks(need: &Need<'_>, state: &State<'_>) -> FailureReason {
    let variable = need.at_fault(state).name();
    let is = state.get(variable).map(Value::to_string);
    FailureReason::NeedsOtherAmount { needed: need.words(), variable: variable.to_string(), is }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckContext;
    use throng_domain::{Format, Limits, formats::no_includes, load};

    const STABLE: &str = "domain stable
var haystack: stored, in_hands, in_feeder
var bucket:   on_floor, in_hands  was pail
var water:    in_fountain, in_bucket, in_trough
action take_haystack:  haystack stored -> in_hands     while bucket = on_floor
action fill_feeder:    haystack in_hands -> in_feeder  while bucket = on_floor
action pick_up_bucket: bucket on_floor -> in_hands     while haystack = stored
action drop_bucket:    bucket in_hands -> on_floor     while haystack = stored  was drop_pail
action fill_bucket:    water in_fountain -> in_bucket  while bucket = in_hands  cost 0.125
action fill_trough:    water in_bucket -> in_trough    while bucket = in_hands  if trough_reachable
    cost 2
action kick: bucket -> on_floor  if not tired  cost 0.001
npc horse_breeder
    can take_haystack, fill_feeder, pick_up_bucket, drop_bucket, fill_bucket, fill_trough
    starts haystack = stored, bucket = on_floor, water = in_fountain
npc horse
    can kick
";

    const STREET: &str = "domain street
var at: road, pipe, tree
var target: alive, dead
action go(place in at): at -> place
action shoot:   target -> dead
action ride_by: target -> dead  if riding          overrides shoot
action ram:     target -> dead  if riding, armoured  overrides ride_by
npc rider
    can go, shoot, ride_by, ram
npc walker
    can go, shoot
";

    fn pairs(facts: &str) -> Vec<(String, String)> {
        let split = |fact: &str| fact.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
        facts.split_whitespace().filter_map(split).collect()
    }

    /// Replays `plan` and compares the verdict in words; `not` lists checks that fail.
    fn check(text: &str, (npc, from, to, not): (&str, &str, &str, &str), plan: &str, words: &str) {
        let loaded = load("test.npc", text, Format::Npc, &Limits::default(), &[], &mut no_includes);
        let model = loaded.model.unwrap();
        let not: Vec<String> = not.split_whitespace().map(str::to_string).collect();
        let (from, to) = (pairs(from), pairs(to));
        let context = CheckContext::Without(&not);
        let question = Question { npc, from: &from, to: &to, context, ..Question::default() };
        let plan: Vec<&str> = plan.split_whitespace().collect();
        let verdict = match replay(&model, &question, &plan).unwrap() {
            Verdict::Valid { cost } => format!("cost {cost}"),
            Verdict::Invalid(failure) => failure.to_string(),
        };
        assert_eq!(verdict, words, "{plan:?}");
    }

    const WATER: &str = "pick_up_bucket fill_bucket fill_trough drop_bucket";
    const BREEDER: (&str, &str, &str, &str) = ("horse_breeder", "", "water=in_trough", "");

    #[test]
    fn costs_add_up_exactly() {
        check(STABLE, BREEDER, WATER, "cost 4.125");
    }

    #[test]
    fn a_goal_that_holds_needs_no_step() {
        check(STABLE, ("horse_breeder", "", "bucket=on_floor", ""), "", "cost 0");
        check(STABLE, ("horse_breeder", "", "", ""), "", "cost 0");
    }

    #[test]
    fn a_step_without_its_requirement_is_named_with_what_is_there_instead() {
        let words = "step 1, fill_bucket: needs bucket = in_hands, but bucket is on_floor";
        check(STABLE, BREEDER, "fill_bucket", words);
        let words = "step 2, pick_up_bucket: needs haystack = stored, but haystack is in_hands";
        check(STABLE, BREEDER, "take_haystack pick_up_bucket", words);
    }

    #[test]
    fn an_unknown_value_equals_nothing_and_can_be_set_from_any() {
        check(STABLE, ("horse", "", "bucket=on_floor", "tired"), "kick", "cost 0.001");
        let words = "at the end bucket should be on_floor, but bucket is unknown";
        check(STABLE, ("horse", "", "bucket=on_floor", ""), "", words);
        let everybody = STABLE.split("npc").next().unwrap();
        let words = "step 1, drop_bucket: needs bucket = in_hands, but bucket is unknown";
        check(everybody, ("stable", "haystack=stored", "", ""), "drop_bucket", words);
    }

    #[test]
    fn a_plan_that_runs_but_misses_the_goal_fails_at_the_end() {
        let words = "at the end water should be in_trough, but water is in_bucket";
        check(STABLE, BREEDER, "pick_up_bucket fill_bucket", words);
    }

    #[test]
    fn unknown_actions_come_with_the_nearest_name() {
        let words = "step 1, pick_up_buckt: there is no such action; did you mean pick_up_bucket?";
        check(STABLE, BREEDER, "pick_up_buckt", words);
        let words = "step 1, go: there is no such action; did you mean go(road)?";
        check(STREET, ("walker", "", "", ""), "go", words);
        check(
            STREET,
            ("walker", "", "", ""),
            "fly_away",
            "step 1, fly_away: there is no such action",
        );
    }

    #[test]
    fn nobody_does_what_is_not_in_his_list() {
        check(STABLE, BREEDER, "kick", "step 1, kick: this type of NPC cannot do it");
    }

    #[test]
    fn checks_must_have_the_answer_that_the_action_expects() {
        let context = ("horse_breeder", "", "water=in_trough", "trough_reachable");
        let words = "step 3, fill_trough: is there only if trough_reachable, which does not hold";
        check(STABLE, context, WATER, words);
        let words = "step 1, kick: is there only if not tired, but tired holds";
        check(STABLE, ("horse", "", "", ""), "kick", words);
    }

    #[test]
    fn an_enabled_action_takes_the_place_of_what_it_overrides() {
        let dead = "target=dead";
        let words = "step 1, shoot: is not there because ride_by overrides it";
        check(STREET, ("rider", "", dead, "armoured"), "shoot", words);
        check(STREET, ("rider", "", dead, "armoured"), "ride_by", "cost 1");
        check(STREET, ("rider", "", dead, "riding"), "shoot", "cost 1");
        check(STREET, ("walker", "", dead, ""), "shoot", "cost 1");
    }

    #[test]
    fn an_overridden_action_still_overrides() {
        let dead = "target=dead";
        let words = "step 1, ride_by: is not there because ram overrides it";
        check(STREET, ("rider", "", dead, ""), "ride_by", words);
        let words = "step 1, shoot: is not there because ride_by overrides it";
        check(STREET, ("rider", "", dead, ""), "shoot", words);
        check(STREET, ("rider", "", dead, ""), "ram", "cost 1");
    }

    #[test]
    fn former_names_of_actions_are_understood() {
        let context = ("horse_breeder", "pail=in_hands", "pail=on_floor", "");
        check(STABLE, context, "drop_pail", "cost 1");
    }
}
