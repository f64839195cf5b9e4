//! Random tasks with amounts, the same for the same seed: two styles, for tests.
//!
//! In:   a seed.
//! Out:  [`anything`]: small ranges, every feature beside every other, much of it senseless;
//!       [`recipes`]: wares, tools, sales and needs, as games have them, with tight ceilings.

use super::{CountingChange, CountingTask, Effect, Need};
use throng_base::SplitMix;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::UNKNOWN;

/// A task of any kind, with few states.
pub(crate) fn anything(seed: u64) -> CountingTask {
    let random = &mut SplitMix::new(seed);
    let mut task = CountingTask::default();
    let n_variables = random.within(1, 4);
    for _ in 0..n_variables {
        let size = random.within(1, 7) as u16;
        let start = if random.percent(12) { UNKNOWN } else { value(random, size) };
        task.add_variable(size, start);
    }
    let unit = [1, 1, 500, 1][random.below(4)];
    let n_actions = random.within(1, 6).max(random.within(1, 6));
    let mut last = None;
    for _ in 0..n_actions {
        let cost = any_cost(random, unit);
        let (needs, changes) = match last.take() {
            // The same again, perhaps at another price.
            Some(same) if random.percent(10) => same,
            _ => any_action(random, &task),
        };
        task.add_action(needs.iter().copied(), changes.iter().copied(), cost);
        last = Some((needs, changes));
    }
    any_goal(random, &mut task);
    task
}

/// Mostly a goal that does not hold at once and that some action may serve.
fn any_goal(random: &mut SplitMix, task: &mut CountingTask) {
    for _ in 0..random.within(1, 6) {
        let n_wanted = random.within(1, task.n_variables().min(3));
        let mut goal = Vec::new();
        for at in random.some_of(task.n_variables(), n_wanted) {
            goal.push(Need { variable: at as u32, values: any_set(random, task.sizes()[at]) });
        }
        task.set_goal(goal.into_iter());
        let is_changed = |variable: u32| {
            let mut actions = 0..task.n_actions() as u32;
            actions.any(|at| task.changes(at).iter().any(|change| change.variable == variable))
        };
        let is_met = |need: &&Need| need.values.has(task.start()[need.variable as usize]);
        let mut unmet = task.goal().iter().filter(|need| !is_met(need)).peekable();
        if unmet.peek().is_some() && unmet.all(|need| is_changed(need.variable)) {
            return;
        }
    }
}

fn value(random: &mut SplitMix, size: u16) -> u16 {
    random.below(usize::from(size)) as u16
}

/// Whole numbers, or thousandths.
fn any_cost(random: &mut SplitMix, unit: u64) -> u64 {
    match random.percent(70) {
        true => unit * random.within(1, 5) as u64,
        false => random.within(1, 5_000) as u64,
    }
}

/// A set: one value, up to one, from one on, between two, all but one, any; not empty.
fn any_set(random: &mut SplitMix, size: u16) -> ValueSet {
    let (a, b) = (value(random, size), value(random, size));
    let top = size - 1;
    let set = match random.below(7) {
        0 => Some(ValueSet::one(a)),
        1 | 2 => Some(ValueSet::run(a, top)),
        3 => Some(ValueSet::run(0, a)),
        4 => Some(ValueSet::run(a.min(b), a.max(b))),
        5 => ValueSet::one(a).others(size),
        _ => ValueSet::of((0..size).filter(|_| random.one_in(2))),
    };
    set.filter(|set| !set.is_empty()).unwrap_or(ValueSet::one(a))
}

/// An effect: assigned, refused at the end, stopped at the end, stopped anywhere.
fn any_effect(random: &mut SplitMix, size: u16) -> Effect {
    let by = random.within(1, 4) as i32 * if random.one_in(2) { 1 } else { -1 };
    let end = match random.below(6) {
        0 => return Effect::Set(value(random, size)),
        1..=3 => ShiftEnd::Refuse,
        4 => ShiftEnd::Stop(if by > 0 { size - 1 } else { 0 }),
        _ => ShiftEnd::Stop(value(random, size)),
    };
    Effect::Shift(ShiftBy { by, end })
}

fn any_action(random: &mut SplitMix, task: &CountingTask) -> (Vec<Need>, Vec<CountingChange>) {
    let n_variables = task.n_variables();
    let (n_needs, n_changes) = (random.below(3).min(random.below(3)), random.within(1, 3));
    let (mut needs, mut changes) = (Vec::new(), Vec::new());
    for at in random.some_of(n_variables, n_needs) {
        needs.push(Need { variable: at as u32, values: any_set(random, task.sizes()[at]) });
    }
    for at in random.some_of(n_variables, n_changes) {
        let effect = any_effect(random, task.sizes()[at]);
        changes.push(CountingChange { variable: at as u32, effect });
    }
    (needs, changes)
}

/// A task as games have them: wares that are made of each other, tools that stay, sales, a need
/// that work raises, with ceilings that may bind.
pub(crate) fn recipes(seed: u64) -> CountingTask {
    let random = &mut SplitMix::new(seed ^ 0x7265_6369_7065);
    let mut task = CountingTask::default();
    let n_wares = random.within(2, 4) as u32;
    for _ in 0..n_wares {
        // Tight, or with room.
        let size = if random.percent(40) { random.within(2, 5) } else { random.within(6, 21) };
        let start = if random.percent(60) { 0 } else { value(random, size as u16) };
        task.add_variable(size as u16, start);
    }
    let n_tools = random.below(3) as u32;
    for _ in 0..n_tools {
        task.add_variable(random.within(2, 4) as u16, 0);
    }
    let energy = random.percent(60).then(|| {
        let size = random.within(6, 21) as u16;
        let start = if random.percent(5) { UNKNOWN } else { value(random, size) };
        task.add_variable(size, start)
    });
    let parts = Parts { n_wares, n_tools, energy };
    for ware in 0..n_wares {
        produce(random, &mut task, &parts, ware);
    }
    for at in 0..n_tools {
        make_tool(random, &mut task, &parts, n_wares + at);
    }
    if let Some(energy) = energy {
        rest(random, &mut task, &parts, energy);
    }
    for _ in 0..random.below(3) {
        exchange(random, &mut task, &parts);
    }
    let mut goal = Vec::new();
    for at in random.some_of(task.n_variables(), random.clone().within(1, 3)) {
        goal.push(wanted(random, &task, at));
    }
    task.set_goal(goal.into_iter());
    task
}

/// What a task of recipes has.
struct Parts {
    n_wares: u32,
    n_tools: u32,
    energy: Option<u32>,
}

impl Parts {
    /// A tool is held, any tool or one at least so good; the work tires.
    fn work(
        &self,
        random: &mut SplitMix,
        task: &CountingTask,
        needs: &mut Vec<Need>,
        changes: &mut Vec<CountingChange>,
    ) {
        if self.n_tools > 0 && random.percent(50) {
            let variable = self.n_wares + random.below(self.n_tools as usize) as u32;
            let size = task.sizes()[variable as usize];
            let least = random.within(1, usize::from(size) - 1) as u16;
            let values = match random.percent(70) {
                true => ValueSet::run(least, size - 1),
                false => ValueSet::one(least).others(size).unwrap_or(ValueSet::one(0)),
            };
            needs.push(Need { variable, values });
        }
        if let Some(variable) = self.energy.filter(|_| random.percent(60)) {
            let by = -(random.within(1, 5) as i32);
            let end = if random.percent(75) { ShiftEnd::Refuse } else { ShiftEnd::Stop(0) };
            changes.push(CountingChange { variable, effect: Effect::Shift(ShiftBy { by, end }) });
        }
    }
}

fn shift(variable: u32, by: i32) -> CountingChange {
    CountingChange { variable, effect: Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) }
}

/// A ware out of nothing, or out of others.
fn produce(random: &mut SplitMix, task: &mut CountingTask, parts: &Parts, ware: u32) {
    let (mut needs, mut changes) = (Vec::new(), Vec::new());
    let by = random.within(1, 4) as i32;
    let made = match random.percent(20) {
        true => {
            let stop = value(random, task.sizes()[ware as usize]);
            let end = ShiftEnd::Stop(stop);
            CountingChange { variable: ware, effect: Effect::Shift(ShiftBy { by, end }) }
        }
        false => shift(ware, by),
    };
    changes.push(made);
    for other in 0..parts.n_wares {
        if other != ware && random.percent(if other < ware { 45 } else { 12 }) {
            changes.push(shift(other, -(random.within(1, 3) as i32)));
        }
    }
    parts.work(random, task, &mut needs, &mut changes);
    let cost = any_cost(random, 1);
    task.add_action(needs.into_iter(), changes.into_iter(), cost);
}

/// A tool, or a better one, out of wares.
fn make_tool(random: &mut SplitMix, task: &mut CountingTask, parts: &Parts, tool: u32) {
    for to in 1..task.sizes()[tool as usize] {
        let values =
            if random.percent(50) { ValueSet::one(to - 1) } else { ValueSet::run(0, to - 1) };
        let mut changes = vec![CountingChange { variable: tool, effect: Effect::Set(to) }];
        let ware = random.below(parts.n_wares as usize) as u32;
        changes.push(shift(ware, -(random.within(1, 4) as i32)));
        let cost = any_cost(random, 1);
        task.add_action([Need { variable: tool, values }].into_iter(), changes.into_iter(), cost);
    }
}

/// Energy comes back: so much up to the top or to less, or all of it, for a ware or for nothing.
fn rest(random: &mut SplitMix, task: &mut CountingTask, parts: &Parts, energy: u32) {
    let top = task.sizes()[energy as usize] - 1;
    let by = random.within(2, 9) as i32;
    let stop = if random.percent(70) { top } else { value(random, top + 1) };
    let effect = match random.percent(20) {
        true => Effect::Set(stop),
        false => Effect::Shift(ShiftBy { by, end: ShiftEnd::Stop(stop) }),
    };
    let mut changes = vec![CountingChange { variable: energy, effect }];
    if random.percent(50) {
        changes.push(shift(random.below(parts.n_wares as usize) as u32, -1));
    }
    let cost = any_cost(random, 1);
    task.add_action(std::iter::empty(), changes.into_iter(), cost);
}

/// Some of one ware for some of another: wares may go in circles.
fn exchange(random: &mut SplitMix, task: &mut CountingTask, parts: &Parts) {
    let (mut needs, pair) = (Vec::new(), random.some_of(parts.n_wares as usize, 2));
    let give = -(random.within(1, 5) as i32);
    let mut changes = vec![shift(pair[0] as u32, give)];
    changes.push(shift(pair[1] as u32, random.within(1, 6) as i32));
    parts.work(random, task, &mut needs, &mut changes);
    let cost = any_cost(random, 1);
    task.add_action(needs.into_iter(), changes.into_iter(), cost);
}

/// Mostly so much or more.
fn wanted(random: &mut SplitMix, task: &CountingTask, at: usize) -> Need {
    let size = task.sizes()[at];
    let least = random.within(usize::from(size) / 3, usize::from(size) - 1) as u16;
    let values = match random.below(10) {
        0 => ValueSet::one(least),
        1 => ValueSet::run(0, least),
        2 => ValueSet::run(least / 2, least),
        3 => any_set(random, size),
        _ => ValueSet::run(least, size - 1),
    };
    Need { variable: at as u32, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::oracle::{Truth, truth};

    /// Both styles have plans, none, long ones, and every feature often enough to matter.
    #[test]
    fn the_styles_have_plans_and_none_and_all_features() {
        for make in [anything, recipes] {
            let (mut plans, mut none, mut holes, mut stops, mut unknown) = (0, 0, 0, 0, 0);
            for seed in 0..400 {
                let task = make(seed);
                assert_eq!(task, make(seed));
                match truth(&task, 20_000) {
                    Truth::Cost(cost) => plans += u32::from(cost > 0),
                    Truth::Impossible => none += 1,
                    Truth::TooLarge => {}
                }
                let actions = 0..task.n_actions() as u32;
                let needs = || actions.clone().flat_map(|action| task.needs(action));
                let changes = || actions.clone().flat_map(|action| task.changes(action));
                let is_stop = |change: &&CountingChange| match change.effect {
                    Effect::Shift(shift) => shift.end != ShiftEnd::Refuse,
                    Effect::Set(_) => false,
                };
                holes += needs().filter(|need| need.values.runs().len() > 1).count();
                stops += changes().filter(is_stop).count();
                unknown += task.start().iter().filter(|&&value| value == UNKNOWN).count();
            }
            let seen = (plans, none, holes, stops, unknown);
            assert!(
                plans > 80 && none > 40 && holes > 20 && stops > 100 && unknown > 5,
                "{seen:?}"
            );
        }
    }
}
