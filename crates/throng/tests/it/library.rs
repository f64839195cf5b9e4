//! The library as a game programmer meets it: names and ids, masks, limits, saved games.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::prelude::*;
use throng::{Limit, Target};

const GARDEN: &str = "
domain garden
var at: shed, pond, bed
var can: empty, full  was bucket
var ammo: 0, 1, 2, 3
shared var tap: off, on
action go(place in at): at -> place  was walk
action fill: can empty -> full  while at = pond, tap = on  if pond_free
action water: can full -> empty  while at = bed
    cost 2.5
action shoot: ammo -= 1  while ammo >= 1
goal tended: can = empty, at = bed
goal armed(n in ammo): ammo = n
npc gardener
    can go, fill, water
    wants tended
    starts at = shed, can = full
npc guard
    can shoot
    wants armed
    starts ammo = 3
";

fn garden() -> Domain {
    Domain::from_text(GARDEN).unwrap()
}

fn plan(npc: &Npc, request: &Request) -> Answer {
    Planner::new().plan(npc, request, &mut Scratch::default())
}

#[test]
fn domains_are_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Domain>();
    shared::<Npc>();
    shared::<Planner>();
    shared::<Plan>();
    shared::<Answer>();
    shared::<Request>();
    fn sent<T: Send>() {}
    sent::<Scratch>();
}

#[test]
fn names_and_ids_say_the_same() {
    let domain = garden();
    let mut by_name = Npc::new(&domain, "gardener").unwrap();
    by_name.set("at", "bed").unwrap();
    let mut by_id = Npc::of_type(&domain, domain.npc_type("gardener").unwrap()).unwrap();
    by_id.set_fact(domain.fact("at", "bed").unwrap());
    assert_eq!(by_name.get("at").unwrap(), by_id.get("at").unwrap());
    let tended = domain.goal("tended").unwrap();
    let answer = plan(&by_id, &Request::goal(tended));
    assert_eq!(answer.plan().names().collect::<Vec<_>>(), ["water"]);
    assert_eq!(answer.plan().cost(), Cost(2500));
    assert_eq!(answer.goal(), Some(tended));
}

/// What takes an id takes a name, and the other way round; and an id tells its name.
#[test]
fn every_call_takes_either() {
    let domain = garden();
    let kind = domain.npc_type("gardener").unwrap();
    let [mut by_id, mut by_name] =
        [Npc::new(&domain, kind).unwrap(), Npc::new(&domain, &"gardener".to_string()).unwrap()];
    let (can, free) = (domain.variable("can").unwrap(), domain.check("pond_free").unwrap());
    let water = domain.action("water").unwrap();
    by_id.set(can, "empty").unwrap();
    by_name.set("bucket", "empty").unwrap();
    by_id.set_check(free, false).unwrap();
    by_name.set_check("pond_free", false).unwrap();
    by_id.forbid(water, true).unwrap();
    by_name.forbid("water", true).unwrap();
    by_id.set_cost(water, Cost(7)).unwrap();
    by_name.set_cost("water", Cost(7)).unwrap();
    assert_eq!(by_id.save(), by_name.save());
    assert_eq!((by_id.cost("water"), by_name.cost(water)), (Some(Cost(7)), Some(Cost(7))));
    assert_eq!((by_id.get(can), by_name.get("can")), (Ok(Some("empty")), Ok(Some("empty"))));
    assert_eq!(by_id.fact_of("can"), by_name.fact_of(can));
    assert!(!by_id.can_do(water) && !by_name.can_do("water") && by_id.kind_of("water").is_none());
    assert!(by_id.apply("go(bed)") && by_name.apply(domain.action("go(bed)").unwrap()));
    by_id.forget(can).unwrap();
    by_name.forget("can").unwrap();
    assert_eq!(by_id.save(), by_name.save());
    assert_eq!((domain.name_of(can), domain.name_of(free)), (Some("can"), Some("pond_free")));
    assert_eq!((domain.name_of(water), domain.name_of(kind)), (Some("water"), Some("gardener")));
    // Neither a name that is not there nor an id of another domain does anything.
    assert!(!by_name.apply("wter") && by_name.cost("wter").is_none());
    let other =
        Domain::from_text("domain o\nvar a: x, y\naction b: a x -> y\ngoal c: a = y").unwrap();
    let mut stranger = Npc::new(&other, other.npc_type_at(0).unwrap()).unwrap();
    let error = stranger.set_check(free, true).unwrap_err();
    assert!(error.is_foreign && error.to_string() == "the check is of another domain");
    assert!(Npc::of_type(&other, domain.npc_type("guard").unwrap()).is_none());
    assert_eq!((other.name_of(water), stranger.forget(can).is_err()), (None, true));
}

#[test]
fn a_mistyped_name_is_an_error_that_names_the_nearest() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    let texts = [
        Npc::new(&domain, "gardner").map(|_| ()).unwrap_err().to_string(),
        npc.set("att", "bed").unwrap_err().to_string(),
        npc.set("at", "bad").unwrap_err().to_string(),
        npc.set_check("pond_fre", false).unwrap_err().to_string(),
        npc.forbid("wter", true).unwrap_err().to_string(),
        domain.goal("tendet").unwrap_err().to_string(),
    ];
    assert_eq!(
        texts,
        [
            "unknown NPC type `gardner`; did you mean `gardener`?",
            "unknown variable `att`; did you mean `at`?",
            "unknown value `bad` of `at`; did you mean `bed`?",
            "unknown check `pond_fre`; did you mean `pond_free`?",
            "unknown action `wter`; did you mean `water`?",
            "unknown goal `tendet`; did you mean `tended`?",
        ]
    );
}

#[test]
fn a_plan_is_walked_step_by_step() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    let answer = plan(&npc, &Request::best());
    for step in answer.plan().steps() {
        assert!(npc.can_do(step.action), "{}", step.name);
        assert!(npc.apply(step.action));
    }
    assert_eq!(npc.get("can").unwrap(), Some("empty"));
    assert_eq!(plan(&npc, &Request::best()).outcome(), &Outcome::Satisfied);
    let water = domain.action("water").unwrap();
    assert!(!npc.apply(water), "an empty can waters nothing, and nothing changes");
    assert_eq!(npc.get("can").unwrap(), Some("empty"));
}

#[test]
fn forbidding_a_template_forbids_all_of_it() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    npc.forbid("go", true).unwrap();
    let answer = plan(&npc, &Request::best());
    assert_eq!(
        answer.reason(),
        "`at = bed` cannot be reached: `go(bed)` would set `at = bed`, but the caller forbids it"
    );
    npc.forbid("go(bed)", false).unwrap();
    assert!(plan(&npc, &Request::best()).is_solved());
}

#[test]
fn goals_may_speak_of_what_the_npc_does_not_touch() {
    let domain = garden();
    let mut guard = Npc::new(&domain, "guard").unwrap();
    let wish = Request::to([domain.fact("ammo", "1").unwrap(), domain.fact("at", "pond").unwrap()]);
    assert!(matches!(plan(&guard, &wish).outcome(), Outcome::Impossible(_)));
    guard.set("at", "pond").unwrap();
    let answer = plan(&guard, &wish);
    assert_eq!(answer.plan().names().collect::<Vec<_>>(), ["shoot(3)", "shoot(2)"]);
}

#[test]
fn limits_end_a_search_and_resuming_finishes_it() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    npc.set("can", "empty").unwrap();
    npc.set("tap", "on").unwrap();
    let wish =
        Request::to([domain.fact("can", "full").unwrap(), domain.fact("at", "shed").unwrap()]);
    let planner = Planner::new();
    let mut scratch = Scratch::default();
    let whole = planner.plan(&npc, &wish, &mut scratch);
    let limited = wish.clone().max_nodes(1);
    let mut answer = planner.plan(&npc, &limited, &mut scratch);
    assert_eq!(answer.outcome(), &Outcome::GaveUp(Limit::Nodes));
    assert_eq!(answer.nodes(), 1);
    while !answer.is_solved() {
        answer = planner.resume(&npc, &limited, &mut scratch);
    }
    assert_eq!(answer.plan().actions(), whole.plan().actions());
    let stopped = planner.plan(&npc, &wish.clone().stop_when(|| true), &mut scratch);
    assert_eq!(stopped.outcome(), &Outcome::GaveUp(Limit::Stopped));
    let cramped = planner.plan(&npc, &wish.max_bytes(1), &mut scratch);
    assert_eq!(cramped.outcome(), &Outcome::GaveUp(Limit::Memory));
}

#[test]
fn ids_of_another_domain_do_no_harm() {
    let small = Domain::from_text("domain small\nvar x: a, b\naction go: x a -> b\n").unwrap();
    let domain = garden();
    let mut npc = Npc::new(&small, "small").unwrap();
    npc.set_fact(domain.fact("ammo", "3").unwrap());
    npc.forbid_id(domain.action("shoot(3)").unwrap(), true);
    npc.set_check_id(domain.check("pond_free").unwrap(), false);
    assert!(!npc.can_do(domain.action("shoot(3)").unwrap()));
    assert!(!npc.apply(domain.action("shoot(3)").unwrap()));
    let foreign_goal = Request::new(Target::Goal(domain.goal("armed(3)").unwrap()));
    let foreign_fact = Request::to([domain.fact("tap", "on").unwrap()]);
    for request in [foreign_goal, foreign_fact] {
        let answer = plan(&npc, &request);
        assert_eq!(answer.reason_code(), "foreign_id");
        assert_eq!(
            answer.reason(),
            "the request speaks of something that this domain does not have"
        );
    }
}

#[test]
fn a_saved_state_survives_a_renamed_variable() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    npc.set("can", "empty").unwrap();
    npc.set_check("pond_free", false).unwrap();
    let mut saved = npc.save();
    assert_eq!(saved.values.get("can").map(String::as_str), Some("empty"));
    assert_eq!(saved.without, ["pond_free"]);
    // An older save, from when the can was called a bucket.
    let value = saved.values.remove("can").unwrap();
    saved.values.insert("bucket".to_string(), value);
    let restored = Npc::restore(&domain, &saved).unwrap();
    assert_eq!(restored.save(), npc.save());
    saved.values.insert("pail".to_string(), "full".to_string());
    assert!(Npc::restore(&domain, &saved).is_err());
}

#[test]
fn a_saved_plan_survives_a_renamed_template() {
    let domain = garden();
    let npc = Npc::new(&domain, "gardener").unwrap();
    let answer = plan(&npc, &Request::best());
    let mut saved = answer.plan().save();
    assert_eq!(saved.actions[0], "go(bed)");
    saved.actions[0] = "walk(bed)".to_string();
    let restored = Plan::restore(&domain, &saved).unwrap();
    assert_eq!(restored.actions(), answer.plan().actions());
    assert_eq!(restored.cost(), answer.plan().cost());
}

#[cfg(feature = "serde")]
#[test]
fn saved_states_and_plans_are_serde_data() {
    let domain = garden();
    let npc = Npc::new(&domain, "gardener").unwrap();
    let state = serde_json::to_string(&npc.save()).unwrap();
    assert_eq!(state, r#"{"npc":"gardener","values":{"at":"shed","can":"full"},"without":[]}"#);
    let back: throng::SavedState = serde_json::from_str(&state).unwrap();
    assert_eq!(back, npc.save());
    let plan = plan(&npc, &Request::best()).plan().save();
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(text, r#"{"actions":["go(bed)","water"]}"#);
    assert_eq!(serde_json::from_str::<throng::SavedPlan>(&text).unwrap(), plan);
}

#[test]
fn every_mistake_of_a_text_is_in_the_error() {
    let error =
        Domain::from_text("domain d\nvar x: a, b\naction go: y a -> b\nnpc n\n    can gö\n");
    let text = error.map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("unknown variable `y`"), "{text}");
    assert!(text.contains("`gö`"), "{text}");
}

#[test]
fn a_file_that_is_not_there_says_so() {
    let error = Domain::from_file("no/such/file.npc").map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `no/such/file.npc`: no such file");
}

#[test]
fn limits_are_the_callers() {
    use throng::LoadError;
    use throng_domain::{Format, Limits};
    let tight = Limits { actions: 5, ..Limits::default() };
    let load = |limits: &Limits| Domain::from_text_within(GARDEN, Format::Npc, limits);
    // `go` alone becomes three actions.
    let refused = load(&tight);
    assert!(matches!(&refused, Err(LoadError::Rejected { .. })));
    assert!(refused.unwrap_err().to_string().contains("the limit is 5"));
    let wide = Limits { actions: 1 << 23, ..Limits::default() };
    assert_eq!(load(&wide).unwrap().digest(), garden().digest());
    let missing = Domain::from_file_within("no/such/file.npc", &wide);
    let Err(missing @ LoadError::Unreadable { .. }) = missing else { panic!("there is no file") };
    let cause = std::error::Error::source(&missing).and_then(|it| it.downcast_ref());
    let kind = cause.map(|cause: &std::io::Error| cause.kind());
    assert_eq!(kind, Some(std::io::ErrorKind::NotFound));
}

#[test]
fn among_several_goals_worth_is_value_less_price() {
    let text = "domain d\nvar a: bool\nvar b: bool\n\
        action far: a false -> true  cost 9\naction near: b false -> true  cost 2\n\
        goal dear: a = true\n    priority 10\ngoal cheap: b = true\n    priority 5\n\
        npc n\n    can far, near\n    wants dear, cheap\n    starts a = false, b = false\n";
    let domain = Domain::from_text(text).unwrap();
    let mut npc = Npc::new(&domain, "n").unwrap();
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut ask = |npc: &Npc, request: Request| {
        let answer = planner.plan(npc, &request, &mut scratch);
        let names: Vec<String> = answer.plan().names().map(str::to_string).collect();
        (names.join(" "), answer.plan().cost())
    };
    let worth = || Request::best().among(throng::GoalSelection::Worth);
    assert_eq!(ask(&npc, Request::best()), ("far".to_string(), Cost(9000)));
    assert_eq!(ask(&npc, worth()), ("near".to_string(), Cost(2000)), "5 - 2 beats 10 - 9");
    npc.set("b", "true").unwrap();
    assert_eq!(ask(&npc, worth()), ("far".to_string(), Cost(9000)), "what holds is no wish");
}

#[test]
fn costs_of_ones_own_choose_another_way_and_are_what_the_plan_says() {
    let domain = Domain::from_text(
        "domain trip
var at: home, road, town
action fly:  at home -> town  cost 9
action walk: at home -> road
action ride: at road -> town
goal there: at = town
npc hero
    can fly, walk, ride
    wants there
    starts at = home",
    )
    .unwrap();
    let mut npc = Npc::new(&domain, "hero").unwrap();
    let names = |npc: &Npc| -> (Vec<String>, String) {
        let answer = plan(npc, &Request::best());
        let names = answer.plan().names().map(str::to_string).collect();
        (names, answer.plan().cost().to_string())
    };
    assert_eq!(names(&npc), (vec!["walk".into(), "ride".into()], "2".into()));
    npc.set_cost("walk", Cost(12_500)).unwrap();
    assert_eq!(names(&npc), (vec!["fly".into()], "9".into()));
    npc.set_cost("fly", Cost(14_000)).unwrap();
    assert_eq!(names(&npc), (vec!["walk".into(), "ride".into()], "13.5".into()));
    let answer = plan(&npc, &Request::best());
    let costs: Vec<Cost> = answer.plan().steps().map(|step| step.cost).collect();
    assert_eq!(costs, [Cost(12_500), Cost::ONE]);
    npc.clear_costs();
    assert_eq!(names(&npc).1, "2");
}

#[test]
fn a_template_costs_as_a_whole_or_one_by_one_also_on_the_straight_way() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    npc.set_cost("go", Cost(3000)).unwrap();
    npc.set_cost("go(bed)", Cost(4000)).unwrap();
    let cost = |name: &str| npc.cost(domain.action(name).unwrap()).unwrap().0;
    assert_eq!([cost("go(pond)"), cost("go(bed)"), cost("water")], [3000, 4000, 2500]);
    let answer = plan(&npc, &Request::best());
    assert_eq!((answer.plan().len(), answer.plan().cost()), (2, Cost(6500)));
    assert!(npc.cost(domain.action("shoot(1)").unwrap()).is_none(), "not his to do");
}

#[test]
fn impossible_costs_and_unknown_actions_are_refused_and_change_nothing() {
    let domain = garden();
    let mut npc = Npc::new(&domain, "gardener").unwrap();
    let zero = npc.set_cost("water", Cost(0)).unwrap_err();
    assert_eq!(zero.to_string(), "a cost must be above 0 and at most 1000000, not 0");
    assert!(npc.set_cost("water", Cost(Cost::MAX.0 + 1)).is_err());
    let typo = npc.set_cost("watre", Cost::ONE).unwrap_err();
    assert_eq!(typo.to_string(), "unknown action `watre`; did you mean `water`?");
    npc.set_cost("shoot", Cost::ONE).unwrap_err();
    npc.set_cost("shoot(1)", Cost::ONE).unwrap();
    assert_eq!(npc.cost(domain.action("water").unwrap()), Some(Cost(2500)));
    assert_eq!(plan(&npc, &Request::best()).plan().cost(), Cost(3500));
}

/// Two numbers whose sum stays 20; three goals, of which only the last can be had.
fn scales() -> Domain {
    Domain::from_text(
        "domain scales\nvar x: 0..20\nvar y: 0..20\n\
         action right: x += 1, y -= 1\naction left: x -= 1, y += 1\n\
         action far_right: x += 2, y -= 2  cost 1.5\n\
         goal both: x = 15, y = 15\n    priority 9\n\
         goal high: x = 19, y = 7\n    priority 8\n\
         goal full: x = 20\n    priority 7\n\
         goal empty: x = 0\n    priority 7.5\n\
         npc n\n    can right, left, far_right\n    wants both, high, full, empty\n    \
         starts x = 10, y = 10\n",
    )
    .unwrap()
}

#[test]
fn several_goals_in_slices_come_to_the_answer_of_one_go() {
    let domain = scales();
    let npc = Npc::new(&domain, "n").unwrap();
    let planner = Planner::new();
    let any = ["both", "high", "full", "empty"].map(|name| domain.goal(name).unwrap());
    let asked = [
        Request::best(),
        Request::best().among(throng::GoalSelection::Worth),
        Request::new(Target::Any(any.to_vec())),
    ];
    for request in asked.into_iter().flat_map(|request| {
        let forward = request.clone().engine(throng::Engine::Forward);
        [request, forward]
    }) {
        let whole = planner.plan(&npc, &request, &mut Scratch::default());
        assert!(whole.is_solved() && whole.nodes() > 20, "{} nodes", whole.nodes());
        for slice in [1, 3, 10] {
            let limited = request.clone().max_nodes(slice);
            let mut scratch = Scratch::default();
            let mut answer = planner.plan(&npc, &limited, &mut scratch);
            let mut calls = 1;
            while matches!(answer.outcome(), Outcome::GaveUp(_)) {
                assert!(answer.nodes() <= slice * calls, "{} of {slice}", answer.nodes());
                answer = planner.resume(&npc, &limited, &mut scratch);
                calls += 1;
                assert!(calls < 10_000, "never ends: {request:?}");
            }
            assert_eq!(answer.outcome(), whole.outcome(), "{request:?}");
            assert_eq!(answer.plan().actions(), whole.plan().actions());
            assert_eq!((answer.goal(), answer.nodes()), (whole.goal(), whole.nodes()));
        }
    }
}

#[test]
fn an_engine_asked_for_in_between_does_not_confuse_the_count() {
    let domain = scales();
    let npc = Npc::new(&domain, "n").unwrap();
    let goal = Request::goal(domain.goal("both").unwrap());
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let asked = goal.clone().engine(throng::Engine::Regressive).max_nodes(30);
    _ = planner.plan(&npc, &asked, &mut scratch);
    let answer = planner.resume(&npc, &goal, &mut scratch);
    assert!(matches!(answer.outcome(), Outcome::Impossible(_)));
}
