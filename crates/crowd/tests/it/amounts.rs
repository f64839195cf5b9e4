//! Crowds that count: every source answers as the single planner does, steps move amounts, goals
//! want ranges, numbers go in and out, and a save carries them over.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::sync::Arc;
use throng_crowd::{
    Crowd, CrowdError, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, NpcHandle, PlanSource,
    Pool, Population, Status, TablePolicy,
};
use throng_domain::compile::{CompiledDomain, UNKNOWN};
use throng_domain::formats::no_includes;
use throng_domain::model::{ActionId, Fact, VariableId, Wants};
use throng_domain::{Format, Limits, load};
use throng_planner::{ActionMask, Call, Checks, Context, Outcome, PreparedDomain, Problem, Solver};

/// Something of everything: a shared stock, refused and stopped shifts, sets of words, a comparison
/// with what stands still.
const CAMP: &str = r#"{"throng": 1, "domain": "camp",
"variables": [
  {"name": "stock", "range": [0, 4], "shared": true},
  {"name": "hunger", "range": [-1, 5]},
  {"name": "energy", "range": [0, 6]},
  {"name": "limit", "range": [0, 3]},
  {"name": "axe", "values": ["none", "stone", "iron"]}],
"actions": [
  {"name": "forage", "shifts": {"stock": {"add": 2, "up_to": 4}, "energy": -1}},
  {"name": "eat", "ranges": {"hunger": [[0, 5]]},
   "shifts": {"stock": -1, "hunger": {"add": -3, "down_to": -1}}},
  {"name": "sleep", "sets": {"energy": 6}, "shifts": {"hunger": 1}, "cost": 3},
  {"name": "make", "requires": {"axe": "none"}, "sets": {"axe": "stone"},
   "compare": [["energy", ">", "limit"]]},
  {"name": "better", "ranges": {"axe": ["none", "stone"]}, "sets": {"axe": "iron"},
   "shifts": {"energy": -3}, "cost": 2, "if": ["forge"]}],
"goals": [
  {"name": "fed", "ranges": {"hunger": [[-1, 1]]}},
  {"name": "rich", "ranges": {"stock": [[3, 4]], "energy": [[2, 6]]}},
  {"name": "ready", "ranges": {"axe": ["stone", "iron"]}, "compare": [["energy", ">=", "limit"]]},
  {"name": "sharp", "wants": {"axe": "iron"}, "ranges": {"hunger": [[0, 2]]}}],
"npcs": [{"name": "camper", "can": ["forage", "eat", "sleep", "make", "better"],
  "wants": ["fed", "rich", "ready", "sharp"],
  "starts": {"stock": 0, "hunger": 3, "energy": 4, "limit": 2, "axe": "none"}}]}"#;

fn domain(text: &str) -> Arc<PreparedDomain> {
    let loaded = load("a.json", text, Format::Json, &Limits::default(), &[], &mut no_includes);
    let report = &loaded.report;
    Arc::new(PreparedDomain::new(loaded.model.as_ref().unwrap_or_else(|| panic!("{report:?}"))))
}

fn pool(threads: usize) -> Arc<Pool> {
    Arc::new(Pool::new(threads))
}

fn crowd(domain: &Arc<PreparedDomain>, settings: CrowdSettings, threads: usize) -> Crowd {
    let npc = domain.npcs()[0].id();
    Crowd::new(Arc::clone(domain), npc, settings, pool(threads)).unwrap()
}

fn without_tables() -> CrowdSettings {
    CrowdSettings { tables: TablePolicy::Never, list_entries: 0, ..CrowdSettings::default() }
}

fn by_lists() -> CrowdSettings {
    CrowdSettings { tables: TablePolicy::Never, ..CrowdSettings::default() }
}

fn variable(domain: &CompiledDomain, name: &str) -> VariableId {
    domain.map().find_variable(name).unwrap()
}

/// All states of the private variables.
fn every_state(domain: &CompiledDomain) -> Vec<Vec<Fact>> {
    let map = domain.map();
    let mut all = vec![Vec::new()];
    for id in map.variable_ids().filter(|&id| !map.is_shared(id)) {
        let longer = all.iter().flat_map(|some: &Vec<Fact>| {
            (0..map.n_values(id)).map(|value| {
                let fact = map.fact_at(id.index(), value).unwrap();
                some.iter().copied().chain([fact]).collect::<Vec<_>>()
            })
        });
        all = longer.collect();
    }
    all
}

/// What the single planner says: what a plan costs, nothing if there is none.
fn alone(crowd: &Crowd, npc: NpcHandle, goal: &Wants, forge: bool) -> Option<u64> {
    let domain = crowd.domain();
    let value = |at: usize| {
        let id = domain.map().variable_at(at).unwrap();
        crowd.get(npc, id).map_or(UNKNOWN, |fact| fact.value.index() as u16)
    };
    let n_checks = domain.map().n_checks();
    let checks = if forge { Checks::all(n_checks) } else { Checks::none(n_checks) };
    let forbidden = ActionMask::none(domain.npcs()[0].n_actions());
    let mut problem = Problem::new(domain, crowd.npc());
    problem.fill(domain, crowd.npc(), value, goal, Context::new(&checks, &forbidden));
    match Solver::default().solve(&Call::new(domain, &problem)) {
        Outcome::Plan { cost } => Some(cost.0),
        Outcome::Satisfied => Some(0),
        Outcome::Impossible(_) => None,
        Outcome::GaveUp(limit) => panic!("{limit:?}"),
    }
}

/// Everybody of every state, with every goal in every situation, walks to its goal by the steps
/// that it is told, one at a time; each of its plans costs what the single planner's does.
fn serve_all(settings: CrowdSettings, by: PlanSource) {
    let domain = domain(CAMP);
    let states = every_state(&domain);
    let mut found = [0; 3];
    for (goal, stock, forge) in (0..4).flat_map(|goal| [(goal, 0, true), (goal, 3, false)]) {
        let mut crowd = crowd(&domain, settings, 2);
        let wants = domain.goals()[goal].conditions().to_wants();
        let goal = crowd.goal(domain.map().goal_at(goal).unwrap()).unwrap();
        crowd.set_check(GroupId::FIRST, "forge", forge).unwrap();
        crowd.set_shared_amount(GroupId::FIRST, "stock", stock).unwrap();
        let spawn = |state: &Vec<Fact>| crowd.spawn_with(GroupId::FIRST, goal, state).unwrap();
        let npcs: Vec<NpcHandle> = states.iter().map(spawn).collect();
        let report = crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!((report.served, report.deferred), (states.len(), 0));
        assert_eq!(crowd.source().by, by, "{}", crowd.source());
        for &npc in &npcs {
            let cost = alone(&crowd, npc, &wants, forge);
            let status = match cost {
                None => Status::Impossible,
                Some(0) => Status::Satisfied,
                Some(_) => Status::Following,
            };
            found[cost.map_or(0, |cost| 1 + usize::from(cost > 0))] += 1;
            assert_eq!(crowd.status(npc), Some(status));
            assert_eq!(crowd.cost_of(npc).0, cost.unwrap_or(0));
            assert_eq!(crowd.has(npc, goal), status == Status::Satisfied);
        }
    }
    assert!(found.iter().all(|&n| n > 400), "{found:?}");
}

#[test]
fn tables_answer_as_the_single_planner_does() {
    serve_all(CrowdSettings::default(), PlanSource::Tables);
}

#[test]
fn searches_answer_as_the_single_planner_does() {
    serve_all(without_tables(), PlanSource::Search);
}

#[test]
fn lists_answer_as_the_single_planner_does() {
    serve_all(by_lists(), PlanSource::Lists);
}

/// What each of some NPCs has of each variable.
fn columns(crowd: &Crowd, npcs: &[NpcHandle]) -> Vec<Vec<Option<Fact>>> {
    let ids = || crowd.domain().map().variable_ids();
    npcs.iter().map(|&npc| ids().map(|id| crowd.get(npc, id)).collect()).collect()
}

/// An action done on values by name, by the words of the file alone.
fn by_hand(domain: &CompiledDomain, action: ActionId, values: &mut [i64]) {
    let at = |name: &str| variable(domain, name).index();
    let mut put = |name: &str, change: &dyn Fn(i64) -> i64| {
        values[at(name)] = change(values[at(name)]);
    };
    match domain.map().action(action) {
        "forage" => {
            put("stock", &|it| it.max((it + 2).min(4)));
            put("energy", &|it| it - 1);
        }
        "eat" => {
            put("stock", &|it| it - 1);
            put("hunger", &|it| it.min((it - 3).max(-1)));
        }
        "sleep" => {
            put("energy", &|_| 6);
            put("hunger", &|it| it + 1);
        }
        "make" => put("axe", &|_| 1),
        "better" => {
            put("axe", &|_| 2);
            put("energy", &|it| it - 3);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn finished_steps_move_amounts_in_every_kind_of_column() {
    let domain = domain(CAMP);
    let states = every_state(&domain);
    let narrow = CrowdSettings::default();
    for settings in [narrow, by_lists(), without_tables()] {
        let mut crowd = crowd(&domain, settings, 1);
        let goals = ["fed", "ready", "sharp"].map(|name| crowd.goal(name).unwrap());
        let group = |crowd: &mut Crowd| crowd.add_group().unwrap();
        // Each has a stock of its own: nobody is in another's way.
        let npcs: Vec<NpcHandle> = states
            .iter()
            .enumerate()
            .map(|(at, state)| {
                let group = group(&mut crowd);
                crowd.spawn_with(group, goals[at % 3], state).unwrap()
            })
            .collect();
        let low = |id: VariableId| domain.map().amount(id).map_or(0, |ends| ends.0);
        let numbers = |crowd: &Crowd, npc: NpcHandle| -> Vec<i64> {
            let ids = domain.map().variable_ids();
            let value = |id| crowd.get(npc, id).unwrap().value.index() as i64 + low(id);
            ids.map(value).collect()
        };
        let mut n_moved = 0;
        for _ in 0..12 {
            crowd.plan(FrameBudget::UNLIMITED);
            let next: Vec<Option<ActionId>> =
                npcs.iter().map(|&npc| crowd.next_action(npc)).collect();
            let mut expected: Vec<Vec<i64>> =
                npcs.iter().map(|&npc| numbers(&crowd, npc)).collect();
            for (action, values) in next.iter().zip(&mut expected) {
                action.iter().for_each(|&action| by_hand(&domain, action, values));
            }
            let applied = crowd.apply_next();
            assert_eq!(applied.moved, next.iter().flatten().count());
            n_moved += applied.moved;
            let after: Vec<Vec<i64>> = npcs.iter().map(|&npc| numbers(&crowd, npc)).collect();
            assert_eq!(after, expected);
        }
        assert!(n_moved > 400, "{n_moved}");
        assert!(npcs.iter().all(|&npc| crowd.next_action(npc).is_none()), "all have arrived");
    }
}

#[test]
fn the_last_of_a_shared_stock_is_claimed_and_the_other_asks_again() {
    let domain = domain(CAMP);
    let mut crowd = crowd(&domain, CrowdSettings::default(), 1);
    let fed = crowd.goal("fed").unwrap();
    crowd.set_shared_amount(GroupId::FIRST, "stock", 1).unwrap();
    let [anna, bert] = [(); 2].map(|()| crowd.spawn(GroupId::FIRST, fed).unwrap());
    crowd.plan(FrameBudget::UNLIMITED);
    let eat = domain.map().find_action("eat").unwrap();
    assert_eq!([anna, bert].map(|npc| crowd.next_action(npc)), [Some(eat), None]);
    assert_eq!(crowd.plan_of(bert).collect::<Vec<_>>(), [eat], "he keeps his plan");
    let why = crowd.waiting_for(bert).unwrap();
    assert_eq!((why.npc, why.is_held, crowd.is_queued(anna)), (anna, true, false));
    assert_eq!(domain.map().variable(why.variable), "stock");
    let applied = crowd.apply_next();
    let counts = (applied.moved, applied.queued, applied.blocked, applied.arrived);
    assert_eq!(counts, (1, 1, 0, 1));
    assert_eq!(crowd.shared_amount(GroupId::FIRST, "stock"), Some(0));
    assert_eq!([anna, bert].map(|npc| crowd.amount(npc, "hunger")), [Some(0), Some(3)]);
    assert_eq!(crowd.status(bert), Some(Status::Waiting));
    crowd.plan(FrameBudget::UNLIMITED);
    let forage = domain.map().find_action("forage").unwrap();
    assert_eq!(crowd.plan_of(bert).collect::<Vec<_>>(), [forage, eat]);
    // What others have gathered is there for everybody.
    crowd.set_shared_amount(GroupId::FIRST, "stock", 4).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.plan_of(bert).collect::<Vec<_>>(), [eat]);
}

#[test]
fn numbers_go_in_and_out_by_npc_and_by_column() {
    let domain = domain(CAMP);
    for settings in [CrowdSettings::default(), by_lists(), without_tables()] {
        let mut crowd = crowd(&domain, settings, 1);
        let fed = crowd.wish("fed").unwrap();
        let npcs: Vec<NpcHandle> =
            (0..5).map(|_| crowd.spawn(GroupId::FIRST, fed).unwrap()).collect();
        let [anna, bert, ..] = npcs[..] else { panic!() };
        crowd.set_amount(anna, "hunger", -1).unwrap();
        assert_eq!(crowd.amount(anna, "hunger"), Some(-1));
        assert_eq!(crowd.get(anna, "hunger").unwrap().value.index(), 0);
        crowd.set(bert, ("hunger", "5")).unwrap();
        assert_eq!(crowd.amount(bert, variable(&domain, "hunger")), Some(5));
        // Ends of the range hold; what is unknown has no number and stays so.
        assert_eq!(crowd.shift_amount(anna, "hunger", 4), Ok(Some(3)));
        assert_eq!(crowd.shift_amount(anna, "hunger", i64::MAX), Ok(Some(5)));
        assert_eq!(crowd.shift_amount(anna, "hunger", i64::MIN), Ok(Some(-1)));
        crowd.forget(bert, "hunger").unwrap();
        assert_eq!(
            (crowd.amount(bert, "hunger"), crowd.shift_amount(bert, "hunger", 1)),
            (None, Ok(None))
        );
        assert_eq!(crowd.set_amounts(&npcs, "energy", &[0, 1, 2, 3, 6]), Ok(5));
        let energies: Vec<Option<i64>> = crowd.amounts("energy").unwrap().map(|it| it.1).collect();
        assert_eq!(energies, [0, 1, 2, 3, 6].map(Some));
        assert_eq!(crowd.shift_amounts(&npcs, "energy", 2), Ok(5));
        assert_eq!(crowd.shift_amounts(&npcs, "hunger", 1), Ok(4), "of one it is unknown");
        let energies: Vec<Option<i64>> = crowd.amounts("energy").unwrap().map(|it| it.1).collect();
        assert_eq!(energies, [2, 3, 4, 5, 6].map(Some));
        let handles: Vec<NpcHandle> = crowd.amounts("energy").unwrap().map(|it| it.0).collect();
        assert_eq!(handles, npcs);
        // Saying what is so changes nothing; what differs makes its NPC wait.
        crowd.plan(FrameBudget::UNLIMITED);
        crowd.set_amounts(&npcs, "energy", &[2, 3, 4, 5, 0]).unwrap();
        let waits = |npc: &NpcHandle| crowd.status(*npc) == Some(Status::Waiting);
        assert_eq!(npcs.iter().map(waits).collect::<Vec<_>>(), [false, false, false, false, true]);
        // What is wrong is told, and changes nothing.
        let before = columns(&crowd, &npcs);
        let range = |number| CrowdError::OutOfRange {
            variable: variable(&domain, "energy"),
            number,
            range: (0, 6),
        };
        assert_eq!(crowd.set_amount(anna, "energy", 7), Err(range(7)));
        assert_eq!(crowd.set_amounts(&npcs, "energy", &[1, 1, 1, 1, -1]), Err(range(-1)));
        assert_eq!(crowd.set_amounts(&npcs, "energy", &[1]), Err(CrowdError::OtherLength));
        let axe = variable(&domain, "axe");
        assert_eq!(crowd.set_amount(anna, "axe", 1), Err(CrowdError::NoAmount(axe)));
        assert_eq!(crowd.amount(anna, "axe"), None);
        let stock = variable(&domain, "stock");
        let shared = CrowdError::SharedVariable(stock);
        assert_eq!(crowd.set_amount(anna, "stock", 1), Err(shared.clone()));
        assert_eq!(crowd.shift_amounts(&npcs, "stock", 1), Err(shared));
        assert_eq!(
            crowd.set_shared_amount(GroupId::FIRST, "energy", 1),
            Err(CrowdError::PrivateVariable(variable(&domain, "energy")))
        );
        assert!(crowd.amounts("nothing").is_err() && crowd.set_amount(anna, "hungr", 1).is_err());
        let told = crowd.set_amount(anna, "energy", 7).unwrap_err().to_string();
        assert_eq!(told, "7 is out of the range 0..6 of the amount; clamp it first");
        assert_eq!(columns(&crowd, &npcs), before);
        assert_eq!(crowd.amount(anna, "stock"), Some(0), "shared ones are read too");
        crowd.despawn(bert);
        assert_eq!(crowd.set_amounts(&npcs, "energy", &[1; 5]), Ok(4));
        assert_eq!(crowd.set_amount(bert, "energy", 1), Err(CrowdError::NoSuchNpc));
    }
}

#[test]
fn which_source_serves_a_goal_is_told_with_the_reason() {
    let domain = domain(CAMP);
    let told = |settings: CrowdSettings| {
        let mut crowd = crowd(&domain, settings, 1);
        for name in ["fed", "sharp"] {
            let goal = crowd.wish(name).unwrap();
            crowd.spawn(GroupId::FIRST, goal).unwrap();
        }
        crowd.plan(FrameBudget::UNLIMITED);
        let name = |id| domain.map().goal(crowd.goal_id(id).unwrap()).to_string();
        let goals = crowd.goal_sources();
        let lines = goals.map(|it| format!("{} by {}: {it}", name(it.goal), it.by.name()));
        (crowd.source().to_string(), lines.collect::<Vec<String>>())
    };
    let (_, tables) = told(CrowdSettings::default());
    let table = "every state is in its table";
    assert_eq!(tables, [format!("fed by tables: {table}"), format!("sharp by tables: {table}")]);
    let (all, lists) = told(by_lists());
    let [fed, sharp] = &lists[..] else { panic!("{lists:?}") };
    assert!(fed.starts_with("fed by lists: ") && sharp.starts_with("sharp by lists: "));
    assert!(fed.ends_with(" demands hold the plan of every state"), "{fed}");
    assert!(all.starts_with("tables are not wanted; lists of up to "), "{all}");
    // One of two goals has too long a list.
    let n = |line: &str| line.split(' ').nth(3).unwrap().parse::<usize>().unwrap();
    assert!(n(fed) < n(sharp), "{lists:?}");
    let seldom = "amounts are counted, so answers remembered for one state seldom serve another";
    let too_long = format!("a list of demands would be too long; {seldom}");
    let (all, some) = told(CrowdSettings { list_entries: n(fed), ..by_lists() });
    assert_eq!(some, [fed.clone(), format!("sharp by search: {too_long}")]);
    assert!(all.ends_with("of some goals they do not: a list of demands would be too long"));
    let (all, none) = told(CrowdSettings { list_entries: 1, ..by_lists() });
    assert_eq!(none, ["fed", "sharp"].map(|name| format!("{name} by search: {too_long}")));
    assert_eq!(
        all,
        format!("tables are not wanted; {seldom}; no list: a list of demands would be too long")
    );
}

#[test]
fn a_game_may_want_ranges_of_its_own() {
    let domain = domain(CAMP);
    let mut crowd = crowd(&domain, CrowdSettings::default(), 1);
    let wants = domain.goals()[1].conditions().to_wants();
    let own = crowd.add_goal(&wants).unwrap();
    assert_eq!(crowd.add_goal(&wants), Ok(own), "the same conditions are the same goal");
    assert_eq!(crowd.goal_id(own), None);
    let anna = crowd.spawn(GroupId::FIRST, own).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    let names: Vec<&str> = crowd.plan_of(anna).map(|id| domain.map().action(id)).collect();
    assert_eq!(names, ["forage", "forage"]);
    let wider = CAMP.replace("[0, 6]", "[0, 60]").replace("[[2, 6]]", "[[2, 60]]");
    let other = self::domain(&wider);
    let foreign = other.goals()[1].conditions().to_wants();
    assert_eq!(crowd.add_goal(&foreign), Err(CrowdError::UnknownConditions));
}

#[test]
fn threads_and_sources_change_no_outcome() {
    let domain = domain(CAMP);
    let states = every_state(&domain);
    let live = |settings: CrowdSettings, threads: usize| {
        let mut crowd = crowd(&domain, settings, threads);
        let best = crowd.best().unwrap();
        let groups = [GroupId::FIRST, crowd.add_group().unwrap()];
        for (at, state) in states.iter().enumerate() {
            crowd.spawn_with(groups[at % 2], best, state).unwrap();
        }
        let mut digests = Vec::new();
        for frame in 0..6 {
            crowd.set_check(groups[1], "forge", frame % 2 == 0).unwrap();
            crowd.plan(FrameBudget { npcs: 300, nodes: 4_000 });
            digests.push(crowd.digest());
            crowd.apply_next();
        }
        digests
    };
    for settings in [CrowdSettings::default(), by_lists(), without_tables()] {
        let one = live(settings, 1);
        assert_eq!(one, live(settings, 2));
        assert_eq!(one, live(settings, 5));
    }
}

/// A crowd of campers in the middle of things.
fn camp(settings: CrowdSettings) -> (Population, Vec<NpcHandle>, CrowdGoalId) {
    let domain = domain(CAMP);
    let mut people = Population::new(Arc::clone(&domain), settings, pool(1));
    people.set_shared_amount(GroupId::FIRST, "stock", 3).unwrap();
    let wants = domain.goals()[1].conditions().to_wants();
    let crowd = people.crowd_mut("camper").unwrap();
    let goals = ["fed", "ready", "sharp"].map(|name| crowd.wish(name).unwrap());
    let own = crowd.add_goal(&wants).unwrap();
    let mut npcs: Vec<NpcHandle> = every_state(&domain)
        .iter()
        .zip([goals[0], goals[1], goals[2], own].iter().cycle())
        .map(|(state, &goal)| crowd.spawn_with(GroupId::FIRST, goal, state).unwrap())
        .collect();
    npcs.truncate(200);
    let far = npcs[7];
    crowd.forget(far, "hunger").unwrap();
    people.plan(FrameBudget::UNLIMITED);
    people.apply_next();
    people.plan(FrameBudget::UNLIMITED);
    (people, npcs, own)
}

#[test]
fn what_is_saved_with_the_same_file_goes_on_as_if_nothing_had_happened() {
    for settings in [CrowdSettings::default(), by_lists(), without_tables()] {
        let (mut people, npcs, own) = camp(settings);
        let bytes = people.save();
        let domain = Arc::clone(people.domain());
        let (mut again, migration) =
            Population::restore(&bytes, domain, settings, pool(3)).unwrap();
        assert_eq!((migration.lost_values, migration.clamped_amounts), (0, 0));
        assert_eq!((migration.concerned, migration.kept), (0, people.len()));
        assert_eq!(again.digest(), people.digest());
        assert_eq!(again.save(), bytes);
        for _ in 0..4 {
            people.apply_next();
            again.apply_next();
            let served = [&mut people, &mut again].map(|it| it.plan(FrameBudget::UNLIMITED).served);
            assert_eq!(served[0], served[1]);
            assert_eq!(again.digest(), people.digest());
        }
        assert_eq!(people.crowd("camper").unwrap().goal_of(npcs[3]), Some(own));
    }
}

#[test]
fn a_patched_range_keeps_numbers_and_tells_what_it_clamps() {
    let (mut people, npcs, own) = camp(CrowdSettings::default());
    let bytes = people.save();
    let before = people.crowd("camper").unwrap();
    let settings = CrowdSettings::default();
    let restore =
        |text: &str| Population::restore(&bytes, domain(text), settings, pool(1)).unwrap();
    // Hunger begins lower and ends lower: numbers stay, those above are the highest now.
    let (after, migration) =
        restore(&CAMP.replace("[-1, 5]}", "[-4, 3]}").replace("[[0, 5]]", "[[0, 3]]"));
    let crowd = after.crowd("camper").unwrap();
    let hungers = |crowd: &Crowd| -> Vec<Option<i64>> {
        crowd.amounts("hunger").unwrap().map(|it| it.1).collect()
    };
    let expected: Vec<_> = hungers(before).into_iter().map(|it| it.map(|it| it.min(3))).collect();
    assert_eq!(hungers(crowd), expected);
    let n_above = hungers(before).iter().flatten().filter(|&&it| it > 3).count();
    assert!(n_above > 10);
    assert_eq!((migration.clamped_amounts, migration.lost_values), (n_above, 0));
    assert_eq!(crowd.amount(npcs[7], "hunger"), None);
    // Who was clamped waits, and so do those whose steps are other ones now.
    assert!(migration.concerned >= n_above);
    // A shared amount goes over too; a wish for a range that reaches to the end still does.
    let wider = CAMP.replace("[0, 4], \"shared\"", "[0, 9], \"shared\"");
    let (mut after, migration) = restore(&wider);
    assert_eq!((migration.clamped_amounts, migration.lost_goals), (0, 0));
    let stock = people.crowd("camper").unwrap().shared_amount(GroupId::FIRST, "stock");
    let crowd = after.crowd_mut("camper").unwrap();
    assert_eq!(crowd.shared_amount(GroupId::FIRST, "stock"), stock);
    crowd.set_shared_amount(GroupId::FIRST, "stock", 9).unwrap();
    crowd.set_amount(npcs[3], "energy", 6).unwrap();
    assert!(crowd.has(npcs[3], own), "3 or more");
    // Words where numbers were: those that are called so are kept, the others are lost.
    let words = CAMP
        .replace(
            r#"{"name": "limit", "range": [0, 3]}"#,
            r#"{"name": "limit", "values": ["1", "3"]}"#,
        )
        .replace(r#""compare": [["energy", ">", "limit"]]"#, r#""requires": {"limit": "1"}"#)
        .replace(
            r#""requires": {"axe": "none"}, "sets": {"axe": "stone"},"#,
            r#""sets": {"axe": "stone"},"#,
        )
        .replace(r#", "compare": [["energy", ">=", "limit"]]"#, "")
        .replace(r#""limit": 2"#, r#""limit": 3"#);
    let (after, migration) = restore(&words);
    let n = people.len();
    assert_eq!((migration.lost_values, migration.clamped_amounts), (n / 2, 0));
    let crowd = after.crowd("camper").unwrap();
    assert_eq!(crowd.get(npcs[0], "limit"), None);
    // And back again.
    let (back, migration) = {
        let mut after = after;
        Population::restore(&after.save(), domain(CAMP), settings, pool(1)).unwrap()
    };
    assert_eq!((migration.lost_values, migration.clamped_amounts), (0, 0));
    let limits: Vec<_> = back.crowd("camper").unwrap().amounts("limit").unwrap().collect();
    assert_eq!(limits.iter().filter(|it| it.1 == Some(3)).count(), n / 4);
    assert_eq!(limits.iter().filter(|it| it.1.is_none()).count(), n / 2);
}
