//! What a mind believes of itself is what its rules say, at every moment, asleep or not.
//!
//! In:   a mind after a tick in which no behaviour was called.
//! Out:  nothing, or what is out of date.

use super::super::eyes::Eyes;
use super::super::legal::name;
use super::company::number;
use super::picks::{named, parameters};
use super::plans::legal;
use super::{Moment, Seen, Watch};
use crate::minds::eyes::NOBODY;
use throng_domain::model::{GoalId, VariableId};
use throng_mind::choose::{GoalState, Standing};
use throng_mind::condition::Situation;
use throng_mind::events::{Activity, EventKind};
use throng_mind::spec::{AskedCheck, When};
use throng_mind::time::{Tick, after};

impl Watch {
    pub(super) fn truth(&mut self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let eyes = Eyes::of(moment.mind, moment.spec, moment.shared, moment.now);
        self.values_are_true(moment, &eyes, seen)?;
        self.checks_are_true(moment, &eyes)?;
        self.actions_are_there(moment, &eyes)?;
        self.picks_are_true(moment, &eyes, seen)?;
        self.besides_are_true(moment, &eyes, seen)?;
        prices_are_true(moment, &eyes)?;
        scores_are_true(moment, &eyes)?;
        if !self.late {
            self.goals_stand(moment, seen)?;
            self.rest_works(moment, seen)?;
        }
        seen.add("truths", 1);
        Ok(())
    }

    fn values_are_true(
        &mut self,
        moment: &Moment<'_>,
        eyes: &Eyes<'_>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let (spec, values) = (moment.spec, moment.mind.state().values());
        for symbol in &spec.symbols {
            let is = values[symbol.variable.index()];
            self.values[symbol.variable.index()] = is;
            let wanted = eyes.symbol(symbol);
            if is == wanted {
                self.believed.remove(&symbol.variable);
                continue;
            }
            match self.believed.get(&symbol.variable) {
                Some(&(value, since)) if value == is => {
                    if has_looked(moment, symbol.variable, since) {
                        return Err(format!("{:?} is still believed", symbol.variable));
                    }
                    seen.add("beliefs", 1);
                }
                _ => return Err(format!("{:?} is {is}, not {wanted}", symbol.variable)),
            }
        }
        match values.iter().zip(&self.values).position(|(is, wanted)| is != wanted) {
            Some(at) => Err(format!("variable {at} is {}, not {}", values[at], self.values[at])),
            None => Ok(()),
        }
    }

    fn checks_are_true(&self, moment: &Moment<'_>, eyes: &Eyes<'_>) -> Result<(), String> {
        for &check in &moment.stage.checks {
            let rule = moment.spec.checks.iter().find(|rule| rule.check == check);
            let is_bound = |needs: u64| {
                let picks = eyes.picks.iter().enumerate();
                picks.filter(|(slot, _)| needs >> slot & 1 == 1).all(|(_, pick)| pick.is_bound())
            };
            let default = moment.spec.told_checks.iter().find(|(known, _)| *known == check);
            let default = default.is_none_or(|(_, holds)| *holds);
            let by_rule = rule.map_or(default, |rule| {
                is_bound(rule.needs) && eyes.holds(&rule.condition, NOBODY)
            });
            let mut chances = moment.spec.chance_checks.iter();
            let by_rule = chances.find(|(known, _)| *known == check).map_or(by_rule, |(_, it)| {
                let name = moment.spec.domain.map().check(check);
                let at = u64::from(moment.now / it.per);
                number(moment.seed, self.id, name, at) < f64::from(it.probability)
            });
            let mut asked = moment.spec.asked_checks.iter();
            let by_rule = match asked.find(|asked| asked.check == check) {
                Some(asked) => is_bound(asked.needs) && last_answer(moment, asked),
                None => by_rule,
            };
            let wanted = self.told.get(&check).copied().unwrap_or(by_rule);
            if moment.mind.state().checks().holds(check) != wanted {
                return Err(format!("{check:?} is not {wanted}"));
            }
        }
        Ok(())
    }

    fn actions_are_there(&mut self, moment: &Moment<'_>, eyes: &Eyes<'_>) -> Result<(), String> {
        let Moment { spec, mind, now, stage, .. } = *moment;
        let (kind, state) = (spec.domain.npc(mind.npc()), mind.state());
        let legal = legal(moment);
        for &id in stage.domain.model().npcs()[mind.npc().index()].can() {
            let Some(local) = kind.local_action(id) else { return Err(format!("no {id:?}")) };
            let absent = self.absent.get(&id).is_some_and(|until| *until > now);
            let knows = state.knows(spec, id);
            let (is_paused, forbidden) = (state.is_paused(local), state.forbidden().has(local));
            let may_pause = spec.action(id).cooldown.is_some() || spec.action(id).chance.is_some();
            let is_empty = named(spec, id).any(|slot| !eyes.picks[slot].is_bound());
            let is_reason = absent || !knows || is_paused || is_empty;
            if forbidden != is_reason && !(absent && knows) || (is_paused && !may_pause) {
                return Err(format!("{id:?} is absent: {absent}, known: {knows}"));
            }
            // It may be tried again before its time, and then is there until it fails once more.
            if absent && knows && !forbidden {
                self.absent.remove(&id);
            }
            if state.enabled().has(local) != legal.is_there(id) {
                return Err(format!("{id:?} is there: {}", legal.is_there(id)));
            }
            let learnt = spec.learns.iter().filter(|rule| rule.actions.contains(&id));
            for rule in learnt {
                if !knows && eyes.holds(&rule.condition, NOBODY) {
                    return Err(format!("{id:?} should have been learnt"));
                }
            }
        }
        Ok(())
    }

    /// Each goal stands as the file says, and none that may be tried is left untried.
    fn goals_stand(&self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let Moment { spec, mind, now, stage, .. } = *moment;
        let model = stage.domain.model();
        let legal = legal(moment);
        let (unbroken, committed) = (is_unbroken(moment), is_committed(moment));
        let own = self.active.and_then(|active| find(moment, active));
        let kept = |goal: GoalId| now >= after(self.active_since, spec.goal(goal).keep);
        for goal in mind.goals().all() {
            let rules = spec.goal(goal.goal);
            let satisfied = legal.reached(goal.goal, mind.state().values());
            let left = self.left.get(name(model, goal.goal));
            // One that was left because it has no plan says that first.
            let rests = left.is_some_and(|&at| at < now && now < after(at, rules.cooldown));
            let is_active = self.active == Some(goal.goal);
            let should = match () {
                () if satisfied => Standing::Satisfied,
                () if goal.score <= 0.0 => Standing::Irrelevant,
                () if is_active => Standing::Active,
                () if rests => Standing::Resting,
                () if left == Some(&now) => continue,
                () if matches!(goal.standing, Standing::NoPlan | Standing::GaveUp) => continue,
                () if self.is_to_wait(rules, goal.score, now) => Standing::HeldBack,
                () => Standing::Outscored,
            };
            // How goals stand against a new one is seen in the next tick.
            let is_new = self.active_since == now && goal.standing == Standing::HeldBack;
            // What must not be broken hides what was tried.
            if goal.standing != should && !unbroken && !is_new {
                return Err(format!("{goal:?} should be {should:?}"));
            }
            seen.add("resting", u64::from(should == Standing::Resting));
            seen.add("held back", u64::from(should == Standing::HeldBack));
            let may = match own {
                _ if should != Standing::Outscored || unbroken => false,
                // What was only just begun goes on for any but an urgent goal.
                _ if committed && !rules.urgent => false,
                // Measured against the new one in the next tick.
                _ if self.active_since == now => false,
                None => true,
                Some(own) if rules.urgent && !spec.goal(own.goal).urgent => goal.score > own.score,
                Some(own) => {
                    let bar = own.score * (1.0 + spec.goal(own.goal).margin);
                    goal.score > bar && kept(own.goal)
                }
            };
            if may {
                return Err(format!("{goal:?} was not tried; {own:?} since {}", self.active_since));
            }
        }
        let over = own.filter(|own| {
            let is_over = own.standing == Standing::Satisfied
                || own.standing == Standing::Irrelevant && !committed;
            is_over && !unbroken
        });
        over.map_or(Ok(()), |own| Err(format!("{own:?} is active")))
    }

    /// What is left of the plan can be done from here and leads to its goal.
    fn rest_works(&self, moment: &Moment<'_>, seen: &mut Seen) -> Result<(), String> {
        let plan = moment.mind.plan();
        let Some(goal) = plan.goal() else { return Ok(()) };
        if is_unbroken(moment)
            || is_committed(moment)
            || moment.events.iter().any(|e| matches!(e.what, EventKind::Planned { .. }))
        {
            return Ok(());
        }
        let mut values = moment.mind.state().values().to_vec();
        let rest = &plan.steps()[plan.at().min(plan.steps().len())..];
        let slots = moment.mind.picks().slots();
        let mut about = rest.iter().flat_map(|&step| parameters(moment.spec, step));
        if let Some(slot) = about.find(|&slot| slots[slot].since > plan.made()) {
            return Err(format!("slot {slot} was rebound: {:?} {plan:?}", slots[slot]));
        }
        let under_way =
            matches!(self.run, Some((_, Activity::Step(action))) if Some(&action) == rest.first());
        let legal = legal(moment);
        let walked = legal.walk(rest, &mut values, under_way);
        if rest.is_empty() || walked.is_err() || !legal.reached(goal, &values) {
            return Err(format!("{walked:?}: the rest does not work: {plan:?}"));
        }
        seen.add("rests", 1);
        Ok(())
    }
}

fn find<'m>(moment: &Moment<'m>, goal: GoalId) -> Option<&'m GoalState> {
    moment.mind.goals().all().iter().find(|known| known.goal == goal)
}

/// A compound is under way, which nothing breaks.
pub(super) fn is_unbroken(moment: &Moment<'_>) -> bool {
    match moment.mind.follow().run().map(|run| run.doing) {
        Some(Activity::Step(action)) => !moment.spec.action(action).parts.is_empty(),
        _ => false,
    }
}

/// A step is under way that was begun so short a time ago that it is not given up.
pub(super) fn is_committed(moment: &Moment<'_>) -> bool {
    let commits = moment.spec.npcs[moment.mind.npc().index()].commits;
    moment.mind.follow().run().is_some_and(|run| {
        matches!(run.doing, Activity::Step(_))
            && run.since < moment.now
            && moment.now < after(run.since, commits)
    })
}

/// Whether all polled sensors that may feed a variable have run since an action was done.
fn has_looked(moment: &Moment<'_>, variable: VariableId, since: Tick) -> bool {
    let spec = moment.spec;
    moment.mind.senses().last_runs().all(|(at, ran)| {
        let sensor = &spec.sensors[at];
        let names = !sensor.feeds_variables.is_empty() || !sensor.feeds_checks.is_empty();
        let feeds = !names || sensor.feeds_variables.contains(&variable);
        // Whether one with a `while` was asked is not to be seen from here: it may be waited for.
        let polled = matches!(sensor.when, When::Every(_));
        !feeds || !polled || ran.is_some_and(|ran| ran > since)
    })
}

fn prices_are_true(moment: &Moment<'_>, eyes: &Eyes<'_>) -> Result<(), String> {
    let Moment { spec, mind, stage, .. } = *moment;
    let kind = spec.domain.npc(mind.npc());
    for &id in stage.domain.model().npcs()[mind.npc().index()].can() {
        let (Some(local), false) = (kind.local_action(id), spec.prices.is_empty()) else {
            continue;
        };
        let rule = spec.prices.iter().find_map(|price| {
            price.actions.iter().find(|(action, _)| *action == id).map(|(_, it)| (price, *it))
        });
        let own = stage.domain.model().actions()[id.index()].cost().0;
        let wanted = rule.and_then(|(price, it)| eyes.price(price, it)).unwrap_or(own);
        let is = mind.state().costs()[local.index()];
        let vary = rule.map_or(0.0, |(price, _)| f64::from(price.vary));
        let luck = number(moment.seed, mind.id(), spec.domain.map().action(id), u64::MAX);
        let wanted = (wanted as f64 * (1.0 + vary * (2.0 * luck - 1.0))).round() as u64;
        // Curves have points that cannot be told exactly.
        if is.abs_diff(wanted.max(1)) > 1 + wanted / 100_000 {
            return Err(format!("{id:?} costs {is}, not {wanted}"));
        }
    }
    Ok(())
}

fn scores_are_true(moment: &Moment<'_>, eyes: &Eyes<'_>) -> Result<(), String> {
    for goal in moment.mind.goals().all() {
        let relevance = eyes.relevance(goal.goal);
        let priority = moment.stage.domain.model().goals()[goal.goal.index()].priority().0;
        let score = relevance * priority as f64 / 1000.0;
        let far = |is: f32, wanted: f64| (f64::from(is) - wanted).abs() > 1e-4;
        if far(goal.relevance, relevance) || far(goal.score, score) {
            return Err(format!("{goal:?} scores {score} = {relevance}"));
        }
    }
    Ok(())
}

/// What the game last said of a check that it is asked for; by default before it did.
fn last_answer(moment: &Moment<'_>, asked: &AskedCheck) -> bool {
    let Moment { spec, mind, now, .. } = *moment;
    let situation = Situation {
        here: mind.here(),
        me: mind.me(),
        picks: mind.picks(),
        ..Situation::new(mind.memory(), mind.memory(), mind.state().values(), now, spec.pace)
    };
    let reply = asked.ask(&situation).and_then(|ask| mind.questions().reply_to(&ask));
    reply.and_then(|(reply, _)| reply.holds()).unwrap_or(asked.default)
}
