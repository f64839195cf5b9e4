//! The files of `domains/fear` say what `fear_soldier.json` says: the same actions, the same
//! goals, and for every scenario the plan it must give.
//!
//! In:   the folder of shared data; without it the test says so and passes.
//! Out:  agreement of every action (needs, effects, cost, checks), goal and scenario, by every
//!       engine; each scenario stands in its file as a `test` that asks the same.
//!
//! `$K` in the data is the value demanded of symbol K: a parameter here. `@x` is bound by the goal
//! or by the action's record. `null` is `none`, `nothing` or `nowhere` where a variable has such
//! a value, and unknown where it has not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use throng::expectations::setting;
use throng::prelude::*;
use throng::{Engine, NpcTypeId};
use throng_domain::formats::json::tree::{JsonValue, JsonValueKind, parse};
use throng_domain::model::{Action, Expect};
use throng_domain::names::template_of;
use throng_domain::source::FileId;
use throng_lab::corpus;
use throng_lab::shared::shared_data;

// --- Reading ------------------------------------------------------------------------------

fn find<'v>(value: &'v JsonValue<'_>, key: &str) -> Option<&'v JsonValue<'v>> {
    let JsonValueKind::Object(members) = &value.kind else { panic!("no object around {key}") };
    members.iter().find(|member| member.key == key).map(|member| &member.value)
}

fn member<'v>(value: &'v JsonValue<'_>, key: &str) -> &'v JsonValue<'v> {
    find(value, key).unwrap_or_else(|| panic!("no {key}"))
}

fn list<'v>(value: &'v JsonValue<'_>) -> &'v [JsonValue<'v>] {
    let JsonValueKind::List(items) = &value.kind else {
        panic!("{} is no list", value.kind.words())
    };
    items
}

/// A text, number or truth value as words; `null` is empty.
fn word(value: &JsonValue<'_>) -> String {
    match &value.kind {
        JsonValueKind::Text(text) => text.to_string(),
        JsonValueKind::Number(digits) => digits.to_string(),
        JsonValueKind::Bool(truth) => truth.to_string(),
        JsonValueKind::Null => String::new(),
        other => panic!("{} is no word", other.words()),
    }
}

fn words(value: &JsonValue<'_>) -> Vec<String> {
    list(value).iter().map(word).collect()
}

fn object(value: &JsonValue<'_>) -> BTreeMap<String, String> {
    let JsonValueKind::Object(members) = &value.kind else { panic!("no object") };
    members.iter().map(|member| (member.key.to_string(), word(&member.value))).collect()
}

fn milli(value: &JsonValue<'_>) -> u64 {
    (word(value).parse::<f64>().unwrap() * 1000.0).round() as u64
}

// --- Ours ---------------------------------------------------------------------------------

/// The name of a template for its actions, else the name itself.
fn bare(name: &str) -> &str {
    template_of(name).unwrap_or(name)
}

fn values_of(domain: &Domain, variable: &str) -> BTreeSet<String> {
    let id = domain.variable(variable).unwrap_or_else(|error| panic!("{error}"));
    domain.model().variables()[id.index()].values().iter().cloned().collect()
}

/// What the data's `null` is for a variable of ours; `None` if it is unknown.
fn nothing(domain: &Domain, variable: &str) -> Option<String> {
    let values = values_of(domain, variable);
    ["none", "nothing", "nowhere"].map(String::from).into_iter().find(|word| values.contains(word))
}

/// A value of the data as a value of ours.
fn ours(domain: &Domain, variable: &str, value: &str) -> Option<String> {
    match value {
        "" => nothing(domain, variable),
        // The action's record says at which kind of node.
        "@record.node_type" => Some("Node.View".into()),
        other => Some(other.into()),
    }
}

fn named(domain: &Domain, facts: &[Fact]) -> BTreeMap<String, String> {
    let names = facts.iter().map(|&fact| domain.model().fact_names(fact));
    names.map(|(variable, value)| (variable.to_string(), value.to_string())).collect()
}

// --- Actions ------------------------------------------------------------------------------

/// Compares one of our actions with the data's; gives the values of its `$` symbols.
fn same_action(domain: &Domain, data: &JsonValue<'_>, action: &Action) -> BTreeMap<String, String> {
    let name = action.name();
    let (pre, eff) = (object(member(data, "pre")), object(member(data, "eff")));
    let (requires, sets) = (named(domain, action.requires()), named(domain, action.sets()));
    let mut bound = BTreeMap::new();
    for (variable, value) in &eff {
        if let Some(symbol) = value.strip_prefix('$') {
            bound.insert(symbol.to_string(), sets[variable].clone());
        }
    }
    let expected = |facts: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        let value = |variable: &str, value: &str| match value.strip_prefix('$') {
            Some(symbol) => bound[symbol].clone(),
            None => ours(domain, variable, value).expect("a value that can be asked for"),
        };
        facts.iter().map(|(at, wanted)| (at.clone(), value(at, wanted))).collect()
    };
    assert_eq!(requires, expected(&pre), "{name}: needs");
    assert_eq!(sets, expected(&eff), "{name}: effects");
    assert_eq!(action.cost().0, milli(member(data, "cost")), "{name}: cost");
    assert!(action.overrides().is_empty(), "{name}: the data override nothing");
    let checks = action.checks().iter().map(|used| {
        let not = if used.expected { "" } else { "!" };
        format!("{not}{}", domain.model().checks()[used.check.index()])
    });
    let flags = find(data, "context_flags").map(words).unwrap_or_default();
    assert_eq!(checks.collect::<BTreeSet<_>>(), flags.into_iter().collect(), "{name}: checks");
    bound
}

/// How many actions a template should have: every value that all its variables share.
fn expected_count(domain: &Domain, data: &JsonValue<'_>) -> usize {
    let (pre, eff) = (object(member(data, "pre")), object(member(data, "eff")));
    let mut shared: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (variable, value) in pre.iter().chain(&eff) {
        if let Some(symbol) = value.strip_prefix('$') {
            let values = values_of(domain, variable);
            let so_far = shared.entry(symbol.to_string()).or_insert_with(|| values.clone());
            so_far.retain(|value| values.contains(value));
        }
    }
    // Only weapons can be picked up (the data say so in a note), and nodes are none.
    if word(member(data, "name")) == "PickupWeaponInWorld" {
        let nodes = values_of(domain, "AtNode");
        shared.values_mut().for_each(|values| values.retain(|value| !nodes.contains(value)));
    }
    shared.values().map(BTreeSet::len).product()
}

fn same_actions(domain: &Domain, npc: NpcTypeId, data: &[JsonValue<'_>]) {
    let model = domain.model();
    let can: Vec<&Action> =
        model.npcs()[npc.index()].can().iter().map(|id| &model.actions()[id.index()]).collect();
    for theirs in data {
        let name = word(member(theirs, "name"));
        let members: Vec<_> = can.iter().filter(|action| bare(action.name()) == name).collect();
        let bindings: BTreeSet<_> =
            members.iter().map(|action| same_action(domain, theirs, action)).collect();
        assert_eq!(bindings.len(), members.len(), "{name}: one action per binding");
        assert_eq!(members.len(), expected_count(domain, theirs), "{name}: how many");
    }
    let known: BTreeSet<String> = data.iter().map(|theirs| word(member(theirs, "name"))).collect();
    let mine: BTreeSet<String> = can.iter().map(|action| bare(action.name()).to_string()).collect();
    assert_eq!(mine, known, "{}: actions", domain.name());
    assert_eq!(known.len(), data.len());
}

// --- Goals --------------------------------------------------------------------------------

fn same_goals(domain: &Domain, npc: NpcTypeId, data: &JsonValue<'_>, goals: &[JsonValue<'_>]) {
    let model = domain.model();
    let relevance = member(data, "goal_relevance");
    let wants = model.npcs()[npc.index()].wants();
    let mine: BTreeSet<&str> =
        wants.iter().map(|id| bare(model.goals()[id.index()].name())).collect();
    let listed = words(member(data, "goals"));
    assert_eq!(mine, listed.iter().map(String::as_str).collect(), "{}: goals", domain.name());
    for goal in wants.iter().map(|id| &model.goals()[id.index()]) {
        let name = bare(goal.name());
        let theirs = goals.iter().find(|goal| word(member(goal, "name")) == name).unwrap();
        let (mine, theirs) = (named(domain, goal.wants()), object(member(theirs, "want")));
        assert!(mine.keys().eq(theirs.keys()), "{name}: {mine:?} and {theirs:?}");
        for (variable, value) in &theirs {
            assert!(value.starts_with('@') || mine[variable] == *value, "{name}: {variable}");
        }
        assert_eq!(goal.priority().0, milli(member(relevance, name)), "{name}: priority");
    }
}

// --- Scenarios ----------------------------------------------------------------------------

fn npc_of(domain: &Domain, npc: NpcTypeId, scenario: &JsonValue<'_>) -> Npc {
    let mut npc = Npc::of_type(domain, npc).unwrap();
    for (variable, value) in object(member(scenario, "state")) {
        match ours(domain, &variable, &value) {
            Some(value) => npc.set(&variable, &value).unwrap(),
            None => npc.forget(&variable).unwrap(),
        }
    }
    npc.clear_checks();
    for check in words(member(scenario, "facts")) {
        // A fact that nothing this type can do asks about changes nothing.
        if domain.model().checks().contains(&check) {
            npc.set_check(&check, true).unwrap();
        }
    }
    npc
}

fn same_answer(domain: &Domain, npc: NpcTypeId, scenario: &JsonValue<'_>, scratch: &mut Scratch) {
    let name = word(member(scenario, "name"));
    let npc = npc_of(domain, npc, scenario);
    let want = object(member(scenario, "want"));
    let want = want.iter().map(|(variable, value)| domain.fact(variable, value).unwrap());
    let request = Request::to(want);
    let plan = match &member(scenario, "expected_plan").kind {
        JsonValueKind::Null => None,
        _ => Some(words(member(scenario, "expected_plan"))),
    };
    for engine in [None, Some(Engine::Regressive), Some(Engine::Forward)] {
        let request = engine.into_iter().fold(request.clone(), Request::engine);
        let answer = Planner::new().plan(&npc, &request, scratch);
        let names = answer.plan().names().map(|name| bare(name).to_string()).collect();
        let found = answer.is_solved().then_some(names);
        assert_eq!(found, plan, "{name} by {engine:?}: {}", answer.reason());
    }

    // The file asks the same.
    let test = domain.model().tests().iter().find(|test| test.name() == name);
    let test = test.unwrap_or_else(|| panic!("{}: no test {name}", domain.name()));
    let (asked, its_request) = setting(domain, test).unwrap();
    for variable in 0..domain.model().variables().len() {
        let variable = domain.variable(domain.model().variables()[variable].name()).unwrap();
        assert_eq!(asked.fact_of(variable), npc.fact_of(variable), "{name}: start");
    }
    assert_eq!(asked.checks(), npc.checks(), "{name}: checks");
    let answer = Planner::new().plan(&asked, &its_request, scratch);
    let goal = answer.goal().map(|goal| domain.model().goals()[goal.index()].name());
    if let Some(goal) = goal {
        assert_eq!(bare(goal), word(member(scenario, "goal")), "{name}: goal");
    }
    let expects = test.expects().iter().find_map(|(expect, _)| match expect {
        Expect::Plan(names) => Some(Some(names.iter().map(|n| bare(n).to_string()).collect())),
        Expect::Impossible => Some(None),
        _ => None,
    });
    assert_eq!(expects, Some(plan), "{name}: the test expects the plan");
}

/// The file of a type or of a paper's domain, and who plans in it.
fn file_of(name: &str) -> (Domain, NpcTypeId) {
    let path = corpus::folder().join("fear").join(format!("{}.npc", name.to_lowercase()));
    let domain = Domain::from_file(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let npc = match name.starts_with("orkin") {
        true => domain.npc_type("soldier"),
        false => domain.npc_type(name),
    };
    (domain, npc.unwrap())
}

#[test]
fn the_files_agree_with_the_data() {
    let Some(folder) = shared_data() else { return };
    let text = std::fs::read_to_string(folder.join("fear_soldier.json")).unwrap();
    let data = parse(&text, FileId(0), 50).unwrap();
    let goals = list(member(&data, "goals"));

    let types = member(&data, "npc_types");
    let JsonValueKind::Object(members) = &types.kind else { panic!("no types") };
    assert_eq!(members.len(), 4);
    for of_type in members {
        let (domain, npc) = file_of(&of_type.key);
        same_actions(&domain, npc, list(member(&of_type.value, "actions")));
        same_goals(&domain, npc, &of_type.value, goals);
    }
    let JsonValueKind::Object(papers) = &member(&data, "paper_domains").kind else { panic!() };
    for paper in papers {
        let (domain, npc) = file_of(&paper.key);
        same_actions(&domain, npc, list(member(&paper.value, "actions")));
    }

    let scenarios = list(member(&data, "scenarios"));
    assert!(scenarios.len() >= 21);
    let mut scratch = Scratch::default();
    for scenario in scenarios {
        let (domain, npc) = file_of(&word(member(scenario, "domain")));
        same_answer(&domain, npc, scenario, &mut scratch);
    }
}
