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

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng::crowd::{
    Crowd, CrowdSettings, FrameBudget, GoalRef, GroupRef, Migration, NpcHandle, Pool, Status,
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
}

struct PlainGoal {
    goal: GoalRef,
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
            let can = |at: &u32| {
                let needs = kind.needs(LocalAction(*at)).iter().map(|&need| kind.fact(need));
                npc.has_all(&needs.collect::<Vec<_>>()) && !kind.sets(LocalAction(*at)).is_empty()
            };
            let possible: Vec<u32> = (0..kind.n_actions() as u32).filter(can).collect();
            if possible.is_empty() {
                break;
            }
            let action = LocalAction(*dice.pick(&possible));
            changed.extend(kind.sets(action).iter().map(|&set| kind.fact(set).variable));
            npc.apply(kind.actions()[action.index()]);
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

    /// An NPC of the library with everything that the plain model knows of one.
    fn npc(&self, plain: &PlainNpc) -> Npc {
        let mut npc = Npc::new(&self.domain, &self.kind).unwrap();
        for variable in self.domain.model().variables() {
            npc.forget(variable.name()).unwrap();
        }
        let group = &self.groups[plain.group];
        for (variable, value) in plain.values.iter().chain(&group.shared) {
            npc.set(variable, value).unwrap();
        }
        for check in &group.without {
            npc.set_check(check, false).unwrap();
        }
        for action in &group.forbidden {
            npc.forbid(action, true).unwrap();
        }
        npc
    }

    /// What the single planner is asked.
    fn request(&self, plain: &PlainNpc) -> Request {
        match &self.goals[plain.goal].asks {
            Asks::Facts(facts) => {
                let fact =
                    |(variable, value): (&String, &String)| self.domain.fact(variable, value);
                Request::to(facts.iter().map(|pair| fact(pair).unwrap()))
            }
            Asks::Any(names) => {
                Request::any(names.iter().map(|name| self.domain.goal(name).unwrap()))
            }
            Asks::Name(name) => Request::new(self.domain.goal_target(name).unwrap()),
            Asks::Best => Request::best(),
        }
    }

    /// Facts of which one list must hold at the end.
    fn wanted(&self, plain: &PlainNpc) -> Vec<Vec<Fact>> {
        let compiled = self.domain.compiled();
        let wants = |goal: GoalId| compiled.goal(goal).wants().to_vec();
        let kind = compiled.npc(self.crowd.npc());
        match &self.goals[plain.goal].asks {
            Asks::Facts(facts) => {
                vec![facts.iter().map(|(v, x)| self.domain.fact(v, x).unwrap()).collect()]
            }
            Asks::Any(names) => {
                names.iter().map(|name| wants(self.domain.goal(name).unwrap())).collect()
            }
            Asks::Name(name) => match self.domain.goal_target(name).unwrap() {
                Target::Any(goals) => goals.into_iter().map(wants).collect(),
                Target::Goal(goal) => vec![wants(goal)],
                other => panic!("{other:?}"),
            },
            Asks::Best => kind.goals().iter().copied().map(wants).collect(),
        }
    }

    /// Whether somebody who chooses among all it wants is on its way.
    fn is_under_way(&self, plain: &PlainNpc) -> bool {
        matches!(self.goals[plain.goal].asks, Asks::Best) && plain.has_moved
    }

    fn local(&self, plan: impl Iterator<Item = throng::ActionId>) -> Vec<LocalAction> {
        let kind = self.domain.compiled().npc(self.domain.npc_type(&self.kind).unwrap());
        plan.map(|id| kind.local_action(id).unwrap()).collect()
    }

    /// Whether steps lead a plain NPC to its goal.
    fn replays(&self, plain: &PlainNpc, steps: &[LocalAction]) -> Option<u64> {
        let npc = self.npc(plain);
        self.wanted(plain).iter().find_map(|facts| {
            let problem = npc.problem(facts);
            let kind = self.domain.compiled().npc(problem.npc());
            replay(kind, &problem, steps, &mut Vec::new())
        })
    }

    /// The state of an NPC is the same in both.
    fn check_state(&self, plain: &PlainNpc) {
        let map = self.domain.compiled().map();
        for variable in self.domain.model().variables() {
            let name = variable.name();
            if !self.is_touched(name) {
                continue;
            }
            let known = self.crowd.get(plain.handle, self.domain.variable(name).unwrap());
            let known = known.map(|fact| map.value(fact).to_string());
            let group = &self.groups[plain.group];
            let wanted = plain.values.get(name).or_else(|| group.shared.get(name)).cloned();
            assert_eq!(known, wanted, "{name}");
        }
    }

    /// Whoever does not wait has the single planner's answer.
    fn check_answer(&mut self, at: usize) {
        let plain = self.npcs[at].clone();
        let status = self.crowd.status(plain.handle).unwrap();
        if status == Status::Waiting {
            self.tally.waiting += 1;
            assert_eq!(self.crowd.next_action(plain.handle), None);
            return;
        }
        self.tally.answers += 1;
        let npc = self.npc(&plain);
        let steps = self.local(self.crowd.plan_of(plain.handle));
        if status == Status::Following && self.is_under_way(&plain) {
            assert!(self.replays(&plain, &steps).is_some(), "{}", self.json);
            return;
        }
        let answer = self.planner.plan(&npc, &self.request(&plain), &mut self.scratch);
        self.told = format!(
            "{}\n{plain:?} in {:?} wants {:?}: {status:?} {:?}, planner {:?} {:?}",
            self.json,
            self.groups[plain.group],
            self.goals[plain.goal].asks,
            self.crowd
                .plan_of(plain.handle)
                .map(|id| self.domain.compiled().map().action(id))
                .collect::<Vec<_>>(),
            answer.outcome(),
            answer.plan().names().collect::<Vec<_>>(),
        );
        match answer.outcome() {
            Outcome::Plan { cost } => {
                assert_eq!(status, Status::Following, "{}", self.told);
                assert_eq!(self.crowd.cost_of(plain.handle), *cost, "{}", self.told);
                assert_eq!(self.replays(&plain, &steps), Some(cost.0));
                self.tally.plans += 1;
                if self.goals[plain.goal].asks.is_choice() {
                    let aim = self.crowd.aim_of(plain.handle).unwrap();
                    assert_eq!(self.crowd.goal_id(aim), answer.goal(), "{}", self.told);
                    self.tally.chosen += 1;
                }
            }
            Outcome::Satisfied => {
                assert_eq!((status, steps.len()), (Status::Satisfied, 0), "{}", self.told);
            }
            Outcome::Impossible(_) => {
                assert_eq!((status, steps.len()), (Status::Impossible, 0), "{}", self.told);
                self.tally.impossible += 1;
            }
            Outcome::GaveUp(_) => panic!("nothing limits the planner"),
        }
        self.tally.choices += u64::from(self.goals[plain.goal].asks.is_choice());
    }

    fn insert(&mut self, dice: &mut SplitMix) {
        if self.npcs.len() >= MOST {
            return;
        }
        let (goal, group) = (dice.below(self.goals.len()), dice.below(self.groups.len()));
        let mut values = self.starts(false);
        let mut facts = Vec::new();
        for _ in 0..dice.below(2) {
            let (variable, value) = self.any_fact(dice);
            if !self.is_shared(&variable) && self.is_touched(&variable) {
                facts.push(self.domain.fact(&variable, &value).unwrap());
                values.insert(variable, value);
            }
        }
        let group_ref = self.group(group);
        let handle = self.crowd.spawn_with(group_ref, self.goals[goal].goal, &facts).unwrap();
        assert!(self.npcs.iter().all(|npc| npc.handle != handle));
        self.npcs.push(PlainNpc { handle, values, goal, group, has_moved: false });
    }

    fn group(&self, at: usize) -> GroupRef {
        self.crowd.groups().nth(at).unwrap()
    }

    fn change_value(&mut self, dice: &mut SplitMix, at: usize) {
        let (variable, value) = self.any_fact(dice);
        let handle = self.npcs[at].handle;
        let id = self.domain.variable(&variable).unwrap();
        let is_own = !self.is_shared(&variable) && self.is_touched(&variable);
        if dice.percent(5) {
            assert_eq!(self.crowd.forget(handle, id).is_ok(), is_own);
            if is_own {
                self.npcs[at].values.remove(&variable);
            }
            return;
        }
        let fact = self.domain.fact(&variable, &value).unwrap();
        assert_eq!(self.crowd.set(handle, fact).is_ok(), is_own);
        if is_own {
            self.npcs[at].values.insert(variable, value);
        }
    }

    /// Changes a group; then exactly those wait who must.
    fn change_group(&mut self, dice: &mut SplitMix) {
        let group = dice.below(self.groups.len());
        let members: Vec<usize> =
            (0..self.npcs.len()).filter(|&at| self.npcs[at].group == group).collect();
        let before: Vec<(Status, Vec<LocalAction>)> = members
            .iter()
            .map(|&at| {
                let handle = self.npcs[at].handle;
                (self.crowd.status(handle).unwrap(), self.local(self.crowd.plan_of(handle)))
            })
            .collect();
        let group_ref = self.group(group);
        let shared_before = self.groups[group].shared.len();
        let map = self.domain.compiled().map();
        match dice.below(3) {
            0 => {
                let (variable, value) = self.any_fact(dice);
                let is_shared = self.is_shared(&variable) && self.is_touched(&variable);
                let fact = self.domain.fact(&variable, &value).unwrap();
                if dice.percent(10) {
                    assert_eq!(
                        self.crowd.forget_shared(group_ref, fact.variable).is_ok(),
                        is_shared
                    );
                    self.groups[group].shared.remove(&variable);
                } else {
                    assert_eq!(self.crowd.set_shared(group_ref, fact).is_ok(), is_shared);
                    if is_shared {
                        self.groups[group].shared.insert(variable, value);
                    }
                }
            }
            1 if !map.check_names().is_empty() => {
                let without = &mut self.groups[group].without;
                let from = if dice.percent(70) { &*without } else { map.check_names() };
                let from = if from.is_empty() { map.check_names() } else { from };
                let check = dice.pick(from).clone();
                let id = self.domain.check(&check).unwrap();
                let held = !without.contains(&check);
                assert!(self.crowd.set_check(group_ref, id, !held).is_ok());
                if held {
                    without.push(check);
                } else {
                    without.retain(|other| *other != check);
                }
            }
            _ => {
                let forbidden = &mut self.groups[group].forbidden;
                let action = match dice.percent(80) && !forbidden.is_empty() {
                    true => dice.pick(forbidden).clone(),
                    false => dice.pick(self.domain.model().actions()).name().to_string(),
                };
                let id = self.domain.action(&action).unwrap();
                let was = forbidden.contains(&action);
                let kind = self.domain.compiled().npc(self.crowd.npc());
                let can = kind.local_action(id).is_some();
                assert_eq!(self.crowd.forbid(group_ref, id, !was).is_ok(), can);
                if was {
                    forbidden.retain(|other| *other != action);
                } else {
                    forbidden.push(action);
                }
            }
        }
        let kind = self.domain.compiled().npc(self.crowd.npc());
        let n_shared = kind.variables().iter().filter(|&&id| map.is_shared(id)).count();
        let is_known = shared_before == n_shared && self.groups[group].shared.len() == n_shared;
        let has_one_way = kind.sole_setters().is_some() && is_known;
        for (&at, (status, steps)) in members.iter().zip(&before) {
            let plain = &self.npcs[at];
            let waits = self.crowd.status(plain.handle).unwrap() == Status::Waiting;
            match status {
                Status::Following | Status::Satisfied if has_one_way => {
                    let (npc, request) = (self.npc(plain), self.request(plain));
                    let answer = self.planner.plan(&npc, &request, &mut self.scratch);
                    let cost = self.replays(plain, steps);
                    let is_right = cost == Some(answer.plan().cost().0) && answer.is_solved();
                    if self.goals[plain.goal].asks.is_choice() {
                        assert!(waits || is_right || self.is_under_way(plain), "{}", self.json);
                        continue;
                    }
                    assert_eq!(
                        waits,
                        !is_right,
                        "who must and only who must: {}\n{plain:?} in {:?} wants {:?} had {steps:?}, \
                         costs {cost:?}, planner {:?}",
                        self.json,
                        self.groups[plain.group],
                        self.goals[plain.goal].asks,
                        answer.plan().names().collect::<Vec<_>>()
                    );
                    self.tally.concerned += u64::from(waits);
                    self.tally.unconcerned += u64::from(!waits);
                }
                _ => {}
            }
        }
    }

    fn finish(&mut self, at: usize) {
        let plain = self.npcs[at].clone();
        let next = self.crowd.next_action(plain.handle);
        assert_eq!(self.crowd.finish_step(plain.handle), next);
        if let Some(action) = next {
            self.apply(at, action);
        }
    }

    /// An action in the plain model.
    fn apply(&mut self, at: usize, action: throng::ActionId) {
        self.npcs[at].has_moved = true;
        let map = self.domain.compiled().map();
        let kind = self.domain.compiled().npc(self.crowd.npc());
        for &set in kind.sets(kind.local_action(action).unwrap()) {
            let fact = kind.fact(set);
            let (variable, value) = (map.variable(fact.variable), map.value(fact));
            let group = self.npcs[at].group;
            let place = match map.is_shared(fact.variable) {
                true => &mut self.groups[group].shared,
                false => &mut self.npcs[at].values,
            };
            place.insert(variable.to_string(), value.to_string());
        }
    }

    fn apply_next(&mut self) {
        let mut order: Vec<usize> = (0..self.npcs.len()).collect();
        order.sort_by_key(|&at| self.npcs[at].handle.row());
        let next: Vec<_> =
            order.iter().map(|&at| self.crowd.next_action(self.npcs[at].handle)).collect();
        let applied = self.crowd.apply_next();
        let (mut moved, mut blocked) = (0, 0);
        for (&at, next) in order.iter().zip(next) {
            let Some(action) = next else { continue };
            let kind = self.domain.compiled().npc(self.crowd.npc());
            let map = self.domain.compiled().map();
            let needs = kind.needs(kind.local_action(action).unwrap()).iter();
            let shared = needs.map(|&need| kind.fact(need)).filter(|f| map.is_shared(f.variable));
            let group = &self.groups[self.npcs[at].group].shared;
            let holds = |fact: Fact| {
                group.get(map.variable(fact.variable)).map(String::as_str) == Some(map.value(fact))
            };
            if shared.into_iter().all(holds) {
                self.apply(at, action);
                moved += 1;
            } else {
                blocked += 1;
                assert_eq!(self.crowd.status(self.npcs[at].handle), Some(Status::Waiting));
            }
        }
        assert_eq!((applied.moved, applied.blocked), (moved, blocked));
    }

    fn plan(&mut self, dice: &mut SplitMix) {
        let waiting = |both: &Both| {
            let waits = |npc: &&PlainNpc| both.crowd.status(npc.handle) == Some(Status::Waiting);
            both.npcs.iter().filter(waits).count()
        };
        let before = waiting(self);
        let budget = match dice.below(3) {
            0 => FrameBudget { npcs: dice.below(20), nodes: dice.below(200) as u64 },
            1 => FrameBudget { npcs: usize::MAX, nodes: dice.below(2000) as u64 },
            _ => FrameBudget::UNLIMITED,
        };
        let report = self.crowd.plan(budget);
        self.note_served();
        assert!(report.served <= budget.npcs && report.nodes <= budget.nodes, "{report:?}");
        let after = waiting(self);
        assert_eq!((report.served, report.deferred), (before - after, after), "{report:?}");
        let by_source = report.looked_up
            + report.remembered
            + report.computed
            + report.planned
            + report.searched;
        assert_eq!(by_source, report.served, "{report:?}");
        if budget == FrameBudget::UNLIMITED && !self.rates {
            assert_eq!(after, 0, "{report:?}");
        }
        self.tally.served += report;
    }

    fn note_served(&mut self) {
        let served: Vec<NpcHandle> = self.crowd.just_served().collect();
        for npc in self.npcs.iter_mut().filter(|npc| served.contains(&npc.handle)) {
            npc.has_moved = false;
        }
    }

    /// A new version of the domain: a price, an action less, a name, a goal less or of another
    /// priority.
    fn reload(&mut self, dice: &mut SplitMix) {
        let mut json = self.json.clone();
        let mut renamed = None;
        let actions = json["actions"].as_array_mut().unwrap();
        match dice.below(5) {
            3 => {
                let goal = dice.below(json["goals"].as_array().unwrap().len());
                json["goals"][goal]["priority"] = json!(dice.within(1, 4));
            }
            4 => {
                let goals = json["goals"].as_array_mut().unwrap();
                let gone = goals.remove(dice.below(goals.len()))["name"].clone();
                for npc in json["npcs"].as_array_mut().into_iter().flatten() {
                    npc["wants"].as_array_mut().unwrap().retain(|name| *name != gone);
                }
            }
            0 => {
                let at = dice.below(actions.len());
                actions[at]["cost"] = json!(dice.within(1, 9));
            }
            1 if actions.len() > 1 => {
                let gone = actions.remove(dice.below(actions.len()))["name"].clone();
                for action in json["actions"].as_array_mut().unwrap() {
                    if let Some(list) = action.get_mut("overrides") {
                        list.as_array_mut().unwrap().retain(|name| *name != gone);
                    }
                }
                for npc in json["npcs"].as_array_mut().into_iter().flatten() {
                    npc["can"].as_array_mut().unwrap().retain(|name| *name != gone);
                }
                for group in &mut self.groups {
                    group.forbidden.retain(|name| json!(name) != gone);
                }
            }
            _ => {
                let variables = json["variables"].as_array().unwrap();
                let old = dice.pick(variables)["name"].as_str().unwrap().to_string();
                let new = format!("n{}", dice.number() % 1_000_000);
                let text = json.to_string().replace(&format!("\"{old}\""), &format!("\"{new}\""));
                json = serde_json::from_str(&text).unwrap();
                let variables = json["variables"].as_array_mut().unwrap();
                let variable = variables.iter_mut().find(|v| v["name"] == json!(new)).unwrap();
                variable["was"] = json!([old]);
                renamed = Some((old, new));
            }
        }
        // An edit may leave a check without an action that asks for it, or the type with nothing
        // to do; then there is no such version.
        let Ok(next) = Domain::from_json(&json.to_string()) else { return };
        let before: Vec<bool> = self
            .npcs
            .iter()
            .map(|npc| self.crowd.status(npc.handle) == Some(Status::Waiting))
            .collect();
        let touched_before: Vec<String> = self
            .domain
            .model()
            .variables()
            .iter()
            .map(|v| v.name().to_string())
            .filter(|name| self.is_touched(name))
            .collect();
        let migration = self.crowd.reload(next.compiled_arc()).unwrap();
        self.domain = next;
        self.json = json;
        let rename = |facts: &mut Facts| {
            if let Some((old, new)) = &renamed
                && let Some(value) = facts.remove(old)
            {
                facts.insert(new.clone(), value);
            }
        };
        let known_checks = self.domain.compiled().map().check_names().to_vec();
        for group in &mut self.groups {
            rename(&mut group.shared);
            group.without.retain(|check| known_checks.contains(check));
        }
        self.npcs.iter_mut().for_each(|npc| rename(&mut npc.values));
        for goal in &mut self.goals {
            let is_gone = match &mut goal.asks {
                Asks::Facts(facts) => {
                    rename(facts);
                    false
                }
                Asks::Any(names) => {
                    names.retain(|name| self.domain.goal(name).is_ok());
                    names.is_empty()
                }
                Asks::Name(name) => self.domain.goal_target(name).is_err(),
                Asks::Best => false,
            };
            if is_gone {
                goal.asks = Asks::Facts(Facts::new());
            }
        }
        // What the type no longer touches, the crowd no longer knows; `starts` are touched.
        let _ = touched_before;
        for at in 0..self.npcs.len() {
            let mut values = std::mem::take(&mut self.npcs[at].values);
            values.retain(|name, _| self.is_touched(name));
            self.npcs[at].values = values;
        }
        for at in 0..self.groups.len() {
            let mut shared = std::mem::take(&mut self.groups[at].shared);
            shared.retain(|name, _| self.is_touched(name));
            self.groups[at].shared = shared;
        }
        let waits = |npc: &PlainNpc| self.crowd.status(npc.handle) == Some(Status::Waiting);
        let concerned =
            self.npcs.iter().zip(&before).filter(|(npc, was)| waits(npc) && !**was).count();
        assert_eq!(migration.concerned, concerned);
        assert_eq!(migration.kept, self.npcs.len() - concerned);
        self.tally.reloads += 1;
        self.tally.kept += migration.kept as u64;
    }

    /// The crowd goes on from its bytes: everybody as it was.
    fn save_and_restore(&mut self) {
        let bytes = self.crowd.save();
        let pool = Arc::new(Pool::new(1 + self.npcs.len() % 3));
        let restored = Crowd::restore(&bytes, self.domain.compiled_arc(), self.settings, pool);
        let (mut again, migration) = restored.unwrap();
        let unchanged = Migration { kept: self.npcs.len(), ..Migration::default() };
        assert_eq!(migration, unchanged, "{}", self.json);
        assert_eq!((again.digest(), again.save()), (self.crowd.digest(), bytes), "{}", self.json);
        self.crowd = again;
        self.tally.saves += 1;
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
         changes of groups {} concerned and {} not; {} reloads kept {}; {} saves; of several goals {} answers, \
         {} plans; served: {:?}",
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
