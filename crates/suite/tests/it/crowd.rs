//! A crowd beside a plain model of it, through random histories.
//!
//! In:   random domains with shared variables, goals with alternatives and priorities; inserts,
//!       removals, changes of values, goals, groups, checks, forbidden actions and shared values,
//!       finished steps, budgets, rates, new versions of the domain.
//! Out:  whoever does not wait has, at any moment, the answer that the single planner gives for
//!       its state of now: the same outcome and cost, and steps that replay; of several goals the
//!       same one. (Who chooses among all it wants has that answer when it sets out; what it does
//!       on its way may make something else more important.) Nobody is served beyond a budget. In
//!       types with one way to each value exactly those wait after a change of their group whose
//!       steps no longer lead to the goal, or who had none; with a choice of goals at least those.
//!
//! Every history is run with tables, with the wide kernel, and with memory and planner alone.
//! `THRONG_LONG=1` runs histories of ten million operations in all.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

mod answers;
mod changes;
mod reload;

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng::crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, Migration, NpcHandle, Pool, Status,
    TablePolicy,
};
use throng::prelude::*;
use throng::{GoalId, Target};
use throng_base::SplitMix;
use throng_domain::compile::LocalAction;
use throng_domain::formats::json;
use throng_planner::replay::replay;
use throng_suite::random::{Shape, add_wishes, instance_of};

/// Operations in all, over all histories and sources.
fn operations() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10_000_000 } else { 400_000 }
}

/// Operations of one history.
const HISTORY: u64 = 2_000;

/// The most NPCs at a time.
const MOST: usize = 60;

/// Names of variables and values.
type Facts = BTreeMap<String, String>;

#[derive(Clone, Debug)]
struct PlainNpc {
    handle: NpcHandle,
    values: Facts,
    goal: usize,
    group: usize,
    /// It has done a step since it was served.
    has_moved: bool,
}

#[derive(Clone, Debug, Default)]
struct PlainGroup {
    shared: Facts,
    /// Checks that do not hold.
    without: Vec<String>,
    forbidden: Vec<String>,
    /// Something was said of it since claims were last given: who holds one may lose it.
    was_told: bool,
}

struct PlainGoal {
    goal: CrowdGoalId,
    asks: Asks,
}

#[derive(Clone, Debug)]
enum Asks {
    Facts(Facts),
    /// Any of these goals.
    Any(Vec<String>),
    /// What serves a name.
    Name(String),
    /// All that the type wants, by priority.
    Best,
}

impl Asks {
    fn is_choice(&self) -> bool {
        !matches!(self, Asks::Facts(_))
    }
}

/// The plain model and the crowd, told the same.
struct Both {
    json: Json,
    domain: Domain,
    kind: String,
    crowd: Crowd,
    settings: CrowdSettings,
    npcs: Vec<PlainNpc>,
    groups: Vec<PlainGroup>,
    goals: Vec<PlainGoal>,
    rates: bool,
    planner: Planner,
    scratch: Scratch,
    tally: Tally,
    told: String,
}

#[derive(Default)]
struct Tally {
    operations: u64,
    answers: u64,
    plans: u64,
    impossible: u64,
    waiting: u64,
    concerned: u64,
    unconcerned: u64,
    reloads: u64,
    kept: u64,
    saves: u64,
    /// Of the answers compared, those to a choice among goals, and those that chose a goal.
    choices: u64,
    chosen: u64,
    served: throng::crowd::FrameReport,
}

fn load(json: &Json) -> Domain {
    Domain::from_json(&json.to_string()).unwrap()
}

impl Both {
    fn new(seed: u64, settings: CrowdSettings, threads: usize) -> Option<Both> {
        let mut dice = SplitMix::new(seed);
        let mut shape = Shape::any(&mut dice);
        shape.npcs = 1;
        let instance = instance_of(shape, &mut dice);
        let text = json::write(Domain::from_loaded(instance.load()).unwrap().model());
        let mut json: Json = serde_json::from_str(&text).unwrap();
        for variable in json["variables"].as_array_mut()? {
            if dice.percent(30) {
                variable["shared"] = json!(true);
            }
        }
        add_wishes(&mut json, &instance.npc, &mut SplitMix::new(seed));
        let domain = load(&json);
        let npc = domain.npc_type(&instance.npc).unwrap();
        let pool = Arc::new(Pool::new(threads));
        let crowd = Crowd::new(domain.compiled_arc(), npc, settings, pool).ok()?;
        let mut both = Both {
            json,
            kind: instance.npc.clone(),
            crowd,
            settings,
            npcs: Vec::new(),
            groups: vec![PlainGroup::default()],
            goals: Vec::new(),
            rates: false,
            planner: Planner::new(),
            scratch: Scratch::default(),
            tally: Tally::default(),
            told: String::new(),
            domain,
        };
        both.groups[0].shared = both.starts(true);
        both.add_goal(instance.to.iter().cloned().collect());
        let blind = (0..dice.within(1, 3)).map(|_| both.any_fact(&mut dice)).collect();
        both.add_goal(blind);
        for _ in 0..4 {
            let facts = both.facts_in_reach(&mut dice);
            both.add_goal(facts);
        }
        both.add_choices(&mut dice);
        Some(both)
    }

    /// Goals that are choices: of each sort some.
    fn add_choices(&mut self, dice: &mut SplitMix) {
        let goal = self.crowd.best().unwrap();
        assert_eq!(self.crowd.best(), Ok(goal), "it is known");
        self.goals.push(PlainGoal { goal, asks: Asks::Best });
        let names: Vec<String> = ["wish_0", "wish_1"].map(str::to_string).into();
        for name in names.into_iter().filter(|name| self.domain.goal_target(name).is_ok()) {
            let goal = self.crowd.wish(&name).unwrap();
            self.goals.push(PlainGoal { goal, asks: Asks::Name(name) });
        }
        let all: Vec<String> =
            self.domain.model().goals().iter().map(|goal| goal.name().to_string()).collect();
        let mut some: Vec<String> = (0..3).map(|_| dice.pick(&all).clone()).collect();
        some.sort();
        some.dedup();
        let ids: Vec<GoalId> = some.iter().map(|name| self.domain.goal(name).unwrap()).collect();
        let goal = self.crowd.any_goal(&ids).unwrap();
        self.goals.push(PlainGoal { goal, asks: Asks::Any(some) });
    }

    /// What the type starts with, of shared variables or of its own.
    fn starts(&self, shared: bool) -> Facts {
        let kind = self.domain.compiled().npc(self.domain.npc_type(&self.kind).unwrap());
        let map = self.domain.compiled().map();
        let starts = kind.starts().iter().filter(|fact| map.is_shared(fact.variable) == shared);
        let names = |fact: &Fact| (map.variable(fact.variable).into(), map.value(*fact).into());
        starts.map(names).collect()
    }

    fn add_goal(&mut self, facts: Facts) {
        let ids: Vec<Fact> = facts.iter().map(|(v, x)| self.domain.fact(v, x).unwrap()).collect();
        let goal = self.crowd.add_goal(&ids).unwrap();
        self.goals.push(PlainGoal { goal, asks: Asks::Facts(facts) });
    }

    fn any_fact(&self, dice: &mut SplitMix) -> (String, String) {
        let variable = dice.pick(self.domain.model().variables());
        (variable.name().to_string(), dice.pick(variable.values()).to_string())
    }

    /// Some values that hold after a few steps from the start.
    fn facts_in_reach(&self, dice: &mut SplitMix) -> Facts {
        let mut npc = Npc::new(&self.domain, &self.kind).unwrap();
        let kind = self.domain.compiled().npc(npc.type_id());
        let mut changed = Vec::new();
        for _ in 0..dice.within(2, 8) {
            let can = |id: &throng::ActionId| {
                let action = &self.domain.model()[*id];
                npc.has_all(action.conditions()) && action.changed().next().is_some()
            };
            let possible: Vec<_> = kind.actions().iter().copied().filter(can).collect();
            if possible.is_empty() {
                break;
            }
            let action = *dice.pick(&possible);
            changed.extend(self.domain.model()[action].changed());
            npc.apply(action);
        }
        if changed.is_empty() {
            return [self.any_fact(dice)].into();
        }
        let map = self.domain.compiled().map();
        let picked = (0..dice.within(1, 3)).filter_map(|_| npc.fact_of(*dice.pick(&changed)));
        picked.map(|fact| (map.variable(fact.variable).into(), map.value(fact).into())).collect()
    }

    fn is_shared(&self, variable: &str) -> bool {
        self.domain.compiled().map().is_shared(self.domain.variable(variable).unwrap())
    }

    /// Whether the type touches a variable; the crowd keeps no others.
    fn is_touched(&self, variable: &str) -> bool {
        let id = self.domain.variable(variable).unwrap();
        let kind = self.domain.compiled().npc(self.domain.npc_type(&self.kind).unwrap());
        kind.local_variable(id).is_some()
    }

    fn step(&mut self, dice: &mut SplitMix) {
        self.tally.operations += 1;
        if self.npcs.is_empty() {
            return self.insert(dice);
        }
        let at = dice.below(self.npcs.len());
        let handle = self.npcs[at].handle;
        match dice.below(100) {
            0..=11 => self.insert(dice),
            12..=19 => {
                assert!(self.crowd.despawn(handle));
                assert!(!self.crowd.despawn(handle) && self.crowd.status(handle).is_none());
                self.npcs.swap_remove(at);
            }
            20..=29 => self.change_value(dice, at),
            30..=36 => {
                let goal = dice.below(self.goals.len());
                assert!(self.crowd.set_goal(handle, self.goals[goal].goal).is_ok());
                self.npcs[at].goal = goal;
            }
            37..=39 => {
                let group = dice.below(self.groups.len());
                assert!(self.crowd.set_group(handle, self.group(group)).is_ok());
                self.npcs[at].group = group;
            }
            40..=49 => self.change_group(dice),
            50 if self.groups.len() < 5 => {
                self.crowd.add_group().unwrap();
                let shared = self.starts(true);
                self.groups.push(PlainGroup { shared, ..PlainGroup::default() });
            }
            51 => {
                self.rates = dice.percent(50);
                let every = if self.rates { dice.within(2, 4) as u16 } else { 1 };
                for group in self.crowd.groups().collect::<Vec<_>>() {
                    assert!(self.crowd.set_rate(group, every, dice.below(256) as u8).is_ok());
                }
            }
            52..=53 => assert!(self.crowd.set_urgency(handle, dice.below(256) as u8)),
            54..=74 => self.finish(at),
            75..=79 => self.apply_next(),
            80 if dice.percent(20) => self.reload(dice),
            81 if dice.percent(50) => self.save_and_restore(),
            _ => self.plan(dice),
        }
    }
}

fn settings() -> [CrowdSettings; 3] {
    let tables = CrowdSettings { remembered: 64, ..CrowdSettings::default() };
    let wide = CrowdSettings { tables: TablePolicy::Never, ..tables };
    let alone = CrowdSettings { wide: false, first_try: 20, searches: 2, ..wide };
    [tables, wide, alone]
}

#[test]
fn nobody_has_a_stale_plan() {
    let mut all = Tally::default();
    let mut history = 0;
    while all.operations < operations() {
        for (at, settings) in settings().into_iter().enumerate() {
            let mut dice = SplitMix::new(history * 7 + at as u64);
            let Some(mut both) = Both::new(history, settings, 1 + at) else { continue };
            for _ in 0..HISTORY {
                both.step(&mut dice);
                for _ in 0..2.min(both.npcs.len()) {
                    let at = dice.below(both.npcs.len());
                    both.check_answer(at);
                    both.check_state(&both.npcs[at].clone());
                }
            }
            both.rates = false;
            for group in both.crowd.groups().collect::<Vec<_>>() {
                both.crowd.set_rate(group, 1, 0).unwrap();
            }
            assert_eq!(both.crowd.plan(FrameBudget::UNLIMITED).deferred, 0);
            both.note_served();
            (0..both.npcs.len()).for_each(|at| both.check_answer(at));
            let tally = both.tally;
            all.operations += tally.operations;
            all.answers += tally.answers;
            all.plans += tally.plans;
            all.impossible += tally.impossible;
            all.waiting += tally.waiting;
            all.concerned += tally.concerned;
            all.unconcerned += tally.unconcerned;
            all.reloads += tally.reloads;
            all.kept += tally.kept;
            all.saves += tally.saves;
            all.choices += tally.choices;
            all.chosen += tally.chosen;
            all.served += tally.served;
        }
        history += 1;
    }
    println!(
        "{} operations: {} answers compared ({} plans, {} impossible, {} more waited); after \
         changes of groups {} concerned and {} not; {} reloads kept {}; {} saves; of several goals \
         {} answers, {} plans; served: {:?}",
        all.operations,
        all.answers,
        all.plans,
        all.impossible,
        all.waiting,
        all.concerned,
        all.unconcerned,
        all.reloads,
        all.kept,
        all.saves,
        all.choices,
        all.chosen,
        all.served
    );
    for (what, n) in [
        ("plans", all.plans),
        ("impossible", all.impossible),
        ("concerned", all.concerned),
        ("unconcerned", all.unconcerned),
        ("kept", all.kept),
        ("saves", all.saves),
        ("choices", all.choices),
        ("chosen", all.chosen),
        ("looked up", all.served.looked_up as u64),
        ("remembered", all.served.remembered as u64),
        ("computed", all.served.computed as u64),
        ("planned", all.served.planned as u64),
        ("searched", all.served.searched as u64),
    ] {
        assert!(n > 100, "too few {what}: {n}");
    }
}
