//! Crowds beside the single planner, on random domains with amounts: every source of plans.
//!
//! In:   the domains of [`Case`]; random states, unknown values among them, goals of the file and
//!       others, groups with other checks, forbidden actions and shared values.
//! Out:  by tables, lists, memory and search: the outcome and the price of the single planner, and
//!       plans that the independent judge takes; also after steps, after saving and restoring, and
//!       under another version of the file. No number of threads changes anything.

use super::case::{Case, MOST_NODES};
use super::{Tally, domains, note};
use std::sync::Arc;
use throng::check::{CheckContext, Question, Verdict, Wanted, replay};
use throng::crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool, Status,
    TablePolicy,
};
use throng::prelude::*;
use throng::{Target, VariableId};
use throng_base::SplitMix;
use throng_domain::formats::json::write;

const DOMAINS: u64 = 300;
/// NPCs per group and goal.
const EACH: usize = 6;

fn sources() -> [(&'static str, CrowdSettings); 4] {
    // The searches of a crowd may take as much as the single planner.
    let (table_states, most_nodes, remembered) = (3_000, MOST_NODES, 4_096);
    let tables = CrowdSettings { table_states, most_nodes, remembered, ..CrowdSettings::default() };
    let lists = CrowdSettings { tables: TablePolicy::Never, ..tables };
    let memory = CrowdSettings { list_entries: 0, ..lists };
    let search = CrowdSettings { remembered: 0, wide: false, ..memory };
    [("tables", tables), ("lists", lists), ("memory", memory), ("search", search)]
}

/// What is not there for a group.
struct Lacks {
    failing: Vec<String>,
    forbidden: Vec<String>,
}

/// What somebody is after.
struct Wish {
    goal: CrowdGoalId,
    target: Target,
    /// It has no name in the file, so another version of that may understand it otherwise.
    is_own: bool,
}

struct People {
    crowd: Crowd,
    groups: Vec<Lacks>,
    wishes: Vec<Wish>,
    /// Each with its group and its wish.
    npcs: Vec<(NpcHandle, usize, usize)>,
}

impl People {
    fn new(case: &Case, settings: CrowdSettings, pool: &Arc<Pool>) -> People {
        let mut dice = SplitMix::new(case.seed ^ 0x5eed);
        let domain = &case.domain;
        let kind = domain.npc_type("n").unwrap();
        let compiled = domain.compiled_arc();
        let mut crowd = Crowd::new(compiled, kind, settings, Arc::clone(pool)).unwrap();
        let own = domain.compiled().npc(kind).variables();
        let mut wishes = Vec::new();
        let conditions = |goal: &throng::GoalId| domain.compiled().goal(*goal).conditions();
        for at in 0..case.stated.goals.len() {
            let target = case.goal(at);
            let goals = match &target {
                Target::Goal(goal) => vec![*goal],
                Target::Any(goals) => goals.clone(),
                _ => panic!("a goal of the file"),
            };
            // What the type does not know is the game's affair.
            let is_known = |id: VariableId| own.contains(&id);
            if goals.iter().all(|goal| conditions(goal).variables().all(is_known)) {
                let goal = crowd.wish(&format!("g{at}")).unwrap();
                wishes.push(Wish { goal, target, is_own: false });
            }
        }
        for _ in 0..2 {
            let target = case.any_wants(&mut dice);
            let Target::Conditions(wants) = &target else { panic!("conditions") };
            if wants.conditions().variables().all(|id| own.contains(&id)) {
                let goal = crowd.add_goal(wants).unwrap();
                wishes.push(Wish { goal, target, is_own: true });
            }
        }
        let mut people = People { crowd, groups: Vec::new(), wishes, npcs: Vec::new() };
        for at in 0..3 {
            people.add_group(case, at, &mut dice);
        }
        people
    }

    /// A group of its own, and NPCs in it.
    fn add_group(&mut self, case: &Case, at: usize, dice: &mut SplitMix) {
        let People { crowd, groups, wishes, npcs } = self;
        let group = if at == 0 { GroupId::FIRST } else { crowd.add_group().unwrap() };
        let failing = if at == 1 { Vec::new() } else { case.failing() };
        for check in &failing {
            crowd.set_check(group, check.as_str(), false).unwrap();
        }
        let actions = case.model().actions().iter().map(|it| it.name().to_string());
        let own = |name: &String| {
            let id = case.domain.action(name).unwrap();
            case.domain.compiled().npc(crowd.npc()).local_action(id).is_some()
        };
        let forbidden: Vec<String> =
            actions.filter(own).filter(|_| at == 2 && dice.percent(20)).collect();
        for action in &forbidden {
            crowd.forbid(group, action.as_str(), true).unwrap();
        }
        groups.push(Lacks { failing, forbidden });
        let shared = case.stated.any_state(dice);
        let compiled = case.domain.compiled();
        let kind = compiled.npc(crowd.npc());
        for &variable in kind.variables().iter().filter(|id| compiled.map().is_shared(**id)) {
            match shared[variable.index()] {
                Some(value) => {
                    let fact = case.domain.fact_at(variable.index(), value).unwrap();
                    crowd.set_shared(group, fact).unwrap();
                }
                None => crowd.forget_shared(group, variable).unwrap(),
            }
        }
        for (wish, Wish { goal, .. }) in wishes.iter().enumerate() {
            for _ in 0..EACH {
                let npc = crowd.spawn(group, *goal).unwrap();
                let state = case.stated.any_state(dice);
                for &variable in kind.variables() {
                    if compiled.map().is_shared(variable) {
                        continue;
                    }
                    match state[variable.index()] {
                        Some(value) => {
                            let fact = case.domain.fact_at(variable.index(), value).unwrap();
                            crowd.set(npc, fact).unwrap();
                        }
                        None => crowd.forget(npc, variable).unwrap(),
                    }
                }
                npcs.push((npc, at, wish));
            }
        }
    }

    /// Whom the single planner is asked about.
    fn npc(&self, domain: &Domain, npc: NpcHandle, lacks: &Lacks) -> Npc {
        let mut single = Npc::of_type(domain, self.crowd.npc()).unwrap();
        for &variable in domain.compiled().npc(self.crowd.npc()).variables() {
            match self.crowd.get(npc, variable) {
                Some(fact) => single.set_fact(fact),
                None => single.forget(variable).unwrap(),
            }
        }
        for check in lacks.failing.iter().filter(|name| domain.check(name).is_ok()) {
            single.set_check(check.as_str(), false).unwrap();
        }
        for action in &lacks.forbidden {
            single.forbid(action.as_str(), true).unwrap();
        }
        single
    }

    /// Everybody's answer beside the single planner's.
    fn compare(&self, domain: &Domain, own: bool, scratch: &mut Scratch, place: &str) -> [u64; 3] {
        let mut counts = [0; 3];
        for &(handle, group, wish) in &self.npcs {
            let (lacks, wish) = (&self.groups[group], &self.wishes[wish]);
            if wish.is_own && !own {
                continue;
            }
            let npc = self.npc(domain, handle, lacks);
            let request = Request::new(wish.target.clone()).max_nodes(MOST_NODES);
            let answer = Planner::new().plan(&npc, &request, scratch);
            let status = self.crowd.status(handle).unwrap();
            let told = || format!("{place}, {npc:?} to {:?}: {answer:?}", wish.target);
            let (expected, count) = match answer.outcome() {
                Outcome::Plan { .. } => (Status::Following, 0),
                Outcome::Satisfied => (Status::Satisfied, 1),
                Outcome::Impossible(_) => (Status::Impossible, 2),
                Outcome::GaveUp(_) => continue,
            };
            assert_eq!(status, expected, "{}", told());
            counts[count] += 1;
            if status != Status::Following {
                continue;
            }
            assert_eq!(self.crowd.cost_of(handle), answer.plan().cost(), "{}", told());
            self.judge(domain, handle, lacks, &wish.target, &npc, &told);
        }
        counts
    }

    /// A plan step by step, and before the independent judge.
    fn judge(
        &self,
        domain: &Domain,
        handle: NpcHandle,
        lacks: &Lacks,
        target: &Target,
        npc: &Npc,
        told: &dyn Fn() -> String,
    ) {
        let (model, map) = (domain.model(), domain.compiled().map());
        let names: Vec<&str> = self.crowd.plan_of(handle).map(|id| map.action(id)).collect();
        let is_forbidden = |name: &&str| lacks.forbidden.iter().any(|other| other == name);
        assert!(!names.iter().any(&is_forbidden), "{names:?} {}", told());
        let mut walker = npc.clone();
        assert!(names.iter().all(|&name| walker.apply(name)), "{names:?} {}", told());
        // An action that is forbidden frees what it overrides, which the judge cannot know.
        let frees = |action: &throng_domain::model::Action| {
            is_forbidden(&action.name()) && !action.overrides().is_empty()
        };
        if model.actions().iter().any(frees) {
            return;
        }
        let (mut from, mut unknown) = (Vec::new(), Vec::new());
        for &variable in domain.compiled().npc(self.crowd.npc()).variables() {
            match self.crowd.get(handle, variable) {
                Some(fact) => {
                    let (variable, value) = model.fact_names(fact);
                    from.push((variable.to_string(), value.to_string()));
                }
                None => unknown.push(map.variable(variable).to_string()),
            }
        }
        let of =
            |goal: &throng::GoalId| Wanted::of(model, model.goals()[goal.index()].conditions());
        let alternatives = match target {
            Target::Goal(goal) => vec![of(goal)],
            Target::Any(goals) => goals.iter().map(of).collect(),
            Target::Conditions(wants) => vec![Wanted::of(model, wants.conditions())],
            Target::Best => panic!("not asked"),
        };
        let failing: Vec<String> =
            lacks.failing.iter().filter(|name| domain.check(name).is_ok()).cloned().collect();
        let context = CheckContext::Without(&failing);
        let cost = self.crowd.cost_of(handle);
        let is_valid = |wants: &Vec<Wanted>| {
            let question =
                Question { npc: "n", from: &from, unknown: &unknown, to: &[], wants, context };
            replay(model, &question, &names).unwrap() == Verdict::Valid { cost }
        };
        assert!(alternatives.iter().any(is_valid), "{names:?} {}", told());
    }

    fn plan(&mut self) -> FrameReport {
        self.crowd.plan(FrameBudget::UNLIMITED)
    }
}

/// Another version of a domain: a price is another, or an amount goes further.
fn patched(domain: &Domain, dice: &mut SplitMix) -> Option<(Domain, bool)> {
    let mut json: serde_json::Value = serde_json::from_str(&write(domain.model())).unwrap();
    let is_price = dice.percent(50);
    if is_price {
        let actions = json["actions"].as_array_mut().unwrap();
        let at = dice.below(actions.len());
        actions[at]["cost"] = serde_json::json!(dice.within(1, 9));
    } else {
        let variables = json["variables"].as_array_mut().unwrap();
        let ranges: Vec<usize> =
            (0..variables.len()).filter(|&at| variables[at].get("range").is_some()).collect();
        let range = &mut variables[*dice.pick(&ranges)]["range"];
        range[1] = serde_json::json!(range[1].as_i64().unwrap() + 2);
    }
    Some((Domain::from_json(&json.to_string()).ok()?, is_price))
}

#[test]
fn every_source_of_a_crowd_has_the_price_of_the_single_planner() {
    let pools = [1, 3].map(|threads| Arc::new(Pool::new(threads)));
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    let mut reports = [FrameReport::default(); 4];
    let mut counts = [0u64; 3];
    let add = |counts: &mut [u64; 3], more: [u64; 3]| {
        counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    };
    for seed in 0..domains(DOMAINS) {
        let Some(case) = Case::of(seed, &mut tally) else { continue };
        let patch = patched(&case.domain, &mut SplitMix::new(seed));
        for ((name, settings), all) in sources().into_iter().zip(&mut reports) {
            let place = |when: &str| format!("{name} {when}: {}", case.place());
            let [mut one, mut three] = pools.each_ref().map(|pool| {
                let mut people = People::new(&case, settings, pool);
                let report = people.plan();
                (people, report)
            });
            assert_eq!(one.1, three.1, "{}", place("on threads"));
            assert_eq!(one.0.crowd.digest(), three.0.crowd.digest(), "{}", place("on threads"));
            *all += one.1;
            let (one, three) = (&mut one.0, &mut three.0);
            let when = place("at first");
            add(&mut counts, one.compare(&case.domain, true, &mut scratch, &when));
            // Asked again, it has the same plans: they are the only ones it ever has here.
            let digest = one.crowd.digest();
            for (npc, ..) in &one.npcs {
                one.crowd.ask_again(*npc);
            }
            *all += one.plan();
            assert_eq!(one.crowd.digest(), digest, "{}", place("asked again"));
            // Put aside in the middle of things, and taken up again.
            let bytes = one.crowd.save();
            let compiled = case.domain.compiled_arc();
            let restored = Crowd::restore(&bytes, compiled, settings, Arc::clone(&pools[1]));
            let (again, migration) = restored.unwrap();
            assert_eq!((migration.lost_values, migration.clamped_amounts), (0, 0));
            assert_eq!(again.digest(), one.crowd.digest(), "{}", place("restored"));
            three.crowd = again;
            for people in [&mut *one, &mut *three] {
                people.crowd.apply_next();
                people.plan();
            }
            assert_eq!(one.crowd.digest(), three.crowd.digest(), "{}", place("going on"));
            let when = place("after a step");
            // Who is on its way goes on, and what is left costs what is left.
            for (npc, ..) in &three.npcs {
                three.crowd.ask_again(*npc);
            }
            *all += three.plan();
            add(&mut counts, three.compare(&case.domain, true, &mut scratch, &when));
            note(&mut tally, "went on", true);
            let Some((domain, is_price)) = &patch else { continue };
            let migration = three.crowd.reload(domain.compiled_arc()).unwrap();
            assert_eq!(migration.clamped_amounts, 0, "{}", place("under another file"));
            for (npc, ..) in &three.npcs {
                three.crowd.ask_again(*npc);
            }
            three.plan();
            let when = place("under another file");
            add(&mut counts, three.compare(domain, *is_price, &mut scratch, &when));
            note(&mut tally, "reloaded", true);
        }
    }
    let [plans, satisfied, impossible] = counts;
    println!("{tally:?}\n{plans} plans, {satisfied} satisfied, {impossible} impossible");
    for ((name, _), report) in sources().into_iter().zip(&reports) {
        println!("{name}: {report:?}");
    }
    assert!(plans > 20_000 && satisfied > 10_000 && impossible > 10_000, "little was asked");
    assert!(tally["reloaded"] > 500 && tally["holes"] > 30 && tally["comparisons"] > 30);
    assert!(tally["stops"] > 100 && tally["shared"] > 20 && tally["unknown starts"] > 20);
    let [tables, lists, memory, search] = reports;
    assert!(tables.looked_up * 2 > tables.served, "tables serve most: {tables:?}");
    assert!(lists.listed * 2 > lists.served, "lists serve most: {lists:?}");
    assert!(memory.remembered > 10_000, "memory serves many: {memory:?}");
    // Whose goal holds already is not searched for.
    let asked = search.served - search.satisfied;
    assert_eq!(search.planned + search.searched, search.served, "nothing else serves: {search:?}");
    assert!(search.searched * 2 > asked, "most are searched for: {search:?}");
}
