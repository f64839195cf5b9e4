//! The town lives: a day leads to the next, and nobody is ever stuck.
//!
//! In:   `domains/papers/town.npc`, every NPC type of it.
//! Out:  with nothing but the two checks that make day, dusk and night, an NPC that follows its
//!       best goal serves all of its goals every day and wakes up where it woke up the day before;
//!       from every state it can get into, every goal has a plan of at most ten actions in its
//!       part of the day.
//! Cost: all reachable states of small types, every so many of the large one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use throng::prelude::*;
use throng::{Cost, GoalId, NpcTypeId};
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable};
use throng_lab::corpus;

/// The checks that hold in a part of the day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Day,
    Dusk,
    Night,
    /// A day on which not all is quiet.
    Alarm,
}

/// More steps than any part of the day takes; who takes so many goes in circles.
const MOST_STEPS: usize = 60;
/// The seeds speak of plans of up to ten actions.
const LONGEST: usize = 10;
/// So many states of a type are asked from.
const MOST_STATES: usize = 4_000;

/// The goal that is not meant to have a plan all day: a ripe field is for the harvest.
const NOT_ALL_DAY: &str = "sow_the_field";

#[test]
fn a_day_serves_all_goals_and_comes_back_to_where_it_began() {
    let domain = town();
    let mut story = String::new();
    for id in types(&domain) {
        let mut npc = citizen_of(&domain, id);
        let mut mornings = Vec::new();
        for _ in 0..3 {
            let mut reached = BTreeSet::new();
            for part in [Part::Day, Part::Dusk, Part::Night] {
                let goals = live_through(&mut npc, part);
                story += &format!("{} {part:?}: {goals:?}\n", npc.type_name());
                reached.extend(goals);
            }
            let everyday =
                wanted(&domain, id).filter(|&goal| part_of(&domain, goal) != Part::Alarm);
            for goal in everyday.map(|goal| domain.compiled().map().goal(goal)) {
                let is_peace = goal == "all_clear" || goal == "restore_power";
                assert!(is_peace || reached.contains(goal), "{goal} is never served\n{story}");
            }
            mornings.push(values(&npc));
        }
        assert_eq!(mornings[1], mornings[2], "{} has no everyday life", npc.type_name());
    }
    println!("{story}");
}

#[test]
fn every_goal_has_a_short_plan_from_every_state_in_its_part_of_the_day() {
    let domain = town();
    for id in types(&domain) {
        let mut npc = citizen_of(&domain, id);
        let states = reachable(&npc);
        let stride = states.len().div_ceil(MOST_STATES);
        let mut scratch = Scratch::default();
        let mut lengths: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for goal in wanted(&domain, id) {
            let name = domain.compiled().map().goal(goal);
            set_part(&mut npc, part_of(&domain, goal));
            for state in states.iter().step_by(stride) {
                state.iter().for_each(|&fact| npc.set_fact(fact));
                let answer = Planner::new().plan(&npc, &Request::goal(goal), &mut scratch);
                let (longest, stuck) = lengths.entry(name).or_default();
                *longest = (*longest).max(answer.plan().len());
                *stuck += usize::from(!answer.is_solved());
            }
        }
        println!("{}: {} states, {lengths:?}", npc.type_name(), states.len());
        for (name, (longest, stuck)) in lengths {
            assert!(longest <= LONGEST, "{name} takes {longest} actions");
            assert_eq!(stuck > 0, name == NOT_ALL_DAY, "{name} has no plan from {stuck} states");
        }
    }
}

fn town() -> Domain {
    Domain::from_file(corpus::folder().join("papers/town.npc")).unwrap()
}

fn types(domain: &Domain) -> Vec<NpcTypeId> {
    let names = domain.model().npcs().iter().map(|npc| npc.name());
    let types: Vec<NpcTypeId> = names.map(|name| domain.npc_type(name).unwrap()).collect();
    assert!(types.len() >= 16, "a small town");
    types
}

/// An NPC as it starts, in a town where others do their part: the bell has rung for the citizen.
/// The engineer meets a storm on the first day, so that states without power count.
fn citizen_of(domain: &Domain, id: NpcTypeId) -> Npc {
    let mut npc = Npc::of_type(domain, id).unwrap();
    match npc.type_name() {
        "citizen" => npc.set("bell", "rung").unwrap(),
        "engineer" => npc.set("power", "off").unwrap(),
        _ => {}
    }
    npc
}

fn wanted(domain: &Domain, id: NpcTypeId) -> impl Iterator<Item = GoalId> {
    domain.compiled().npc(id).goals().iter().copied()
}

/// When a goal has its time: the priorities of the file say so.
fn part_of(domain: &Domain, goal: GoalId) -> Part {
    let goal = &domain.model().goals()[goal.index()];
    match goal.priority() {
        Cost(0..2_000) => Part::Dusk,
        Cost(2_000..3_000) => Part::Day,
        Cost(3_000) => Part::Night,
        _ if goal.name() == "raise_alarm" => Part::Alarm,
        _ => Part::Day,
    }
}

fn set_part(npc: &mut Npc, part: Part) {
    npc.set_check("working_hours", matches!(part, Part::Day | Part::Alarm)).unwrap();
    npc.set_check("daylight", part != Part::Night).unwrap();
    npc.set_check("all_quiet", part != Part::Alarm).unwrap();
}

/// Takes the first step of the best plan until there is none; gives the goals that were reached.
fn live_through(npc: &mut Npc, part: Part) -> Vec<String> {
    set_part(npc, part);
    let mut scratch = Scratch::default();
    let mut reached = Vec::new();
    for _ in 0..MOST_STEPS {
        let answer = Planner::new().plan(npc, &Request::best(), &mut scratch);
        let Some(step) = answer.plan().first() else {
            return reached;
        };
        let domain = npc.domain().clone();
        let kind = domain.compiled().npc(npc.type_id());
        let action = kind.local_action(domain.action(step.name).unwrap()).unwrap();
        kind.sets(action).iter().for_each(|&fact| npc.set_fact(kind.fact(fact)));
        if answer.plan().len() == 1 {
            let goal = answer.goal().unwrap();
            reached.push(domain.compiled().map().goal(goal).to_string());
        }
    }
    panic!("{} goes in circles by {part:?}: {reached:?}", npc.type_name());
}

fn values(npc: &Npc) -> Vec<Fact> {
    let kind = npc.domain().compiled().npc(npc.type_id());
    kind.variables().iter().map(|&variable| npc.fact_of(variable).unwrap()).collect()
}

/// Every state that the type's actions lead to, whatever the hour.
fn reachable(npc: &Npc) -> Vec<Vec<Fact>> {
    let kind = npc.domain().compiled().npc(npc.type_id());
    let start: Vec<u16> = values(npc).iter().map(|fact| fact.value.index() as u16).collect();
    let mut seen = HashSet::from([start.clone()]);
    let mut all = vec![start];
    let mut at = 0;
    while at < all.len() {
        for action in (0..kind.n_actions() as u32).map(LocalAction) {
            let holds = |fact: &LocalFact| all[at][fact.variable.index()] == fact.value;
            if kind.needs(action).iter().all(holds) {
                let mut next = all[at].clone();
                kind.sets(action).iter().for_each(|set| next[set.variable.index()] = set.value);
                if seen.insert(next.clone()) {
                    all.push(next);
                }
            }
        }
        at += 1;
    }
    let fact = |(at, &value): (usize, &u16)| {
        kind.fact(LocalFact { variable: LocalVariable(at as u32), value })
    };
    all.iter().map(|state| state.iter().enumerate().map(fact).collect()).collect()
}
