//! The made modules beside the loaded domains: the same numbers, names and tables; the same
//! bytes each time; the layout that `rustfmt` wants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use throng::prelude::*;
use throng_typed::stable::{self, Action, Bucket, Fact, Goal, Haystack, Variable};
use throng_typed::{TypedError, animation, camp, fact_of, load, odd, put, steps};

const STABLE: &str = include_str!("../../../domains/papers/horse_breeder_000.npc");
const ODD: &str = include_str!("../domains/odd.json");
const CAMP: &str = include_str!("../domains/camp.npc");

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

#[test]
fn a_program_plans_with_values_that_match_knows() {
    let domain = load(STABLE).unwrap();
    let mut npc = Npc::new(&domain, stable::NPCS[0].npc.name()).unwrap();
    put(&mut npc, Fact::Haystack(Haystack::InHands)).unwrap();
    assert_eq!(fact_of(&npc, Variable::Haystack), Some(Fact::Haystack(Haystack::InHands)));
    let request = Request::new(domain.goal_target(Goal::ALL[0].name()).unwrap());
    let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
    let steps = steps(answer.plan());
    assert_eq!(steps.len(), answer.plan().len());
    assert_eq!((steps[0], animation(steps[0])), (Action::StoreHaystack, "put down"));
    // The tables alone can replay the plan.
    let mut state: Vec<Fact> = Variable::ALL.iter().filter_map(|&it| fact_of(&npc, it)).collect();
    for step in &steps {
        let row = step.row();
        assert!(row.needs.iter().all(|need| state.contains(need)), "{step:?} in {state:?}");
        state.retain(|fact| row.sets.iter().all(|set| set.variable() != fact.variable()));
        state.extend(row.sets);
    }
    assert!(Goal::ALL[0].row().wants.iter().all(|want| state.contains(want)), "{state:?}");
    assert!(state.contains(&Fact::Bucket(Bucket::OnFloor)));
    let cost: u64 = steps.iter().map(|step| step.row().cost).sum();
    assert_eq!(Cost(cost), answer.plan().cost());
}

#[test]
fn a_file_of_another_version_is_refused() {
    assert!(matches!(load("domain"), Err(TypedError::Broken(_))));
    let refused = load(&format!("{STABLE}\nvar moon: new, full\n"));
    assert!(matches!(refused, Err(TypedError::OtherVersion)), "{refused:?}");
    assert!(load(&format!("# the same\n{STABLE}")).is_ok());
}

/// Compares numbers, names and tables of a module with the domain it was made of.
macro_rules! is_the_domain {
    ($module:path, $domain:expr) => {{
        use $module as made;
        let domain: &Domain = $domain;
        let model = domain.model();
        assert_eq!((made::DOMAIN, made::DIGEST), (domain.name(), domain.digest().0));
        let fact = |of: &throng::Fact| {
            let fact = made::Fact::from_index(
                made::Variable::from_index(of.variable.index()).unwrap(),
                of.value.index(),
            );
            let fact = fact.unwrap();
            assert_eq!(fact.value_index(), of.value.index());
            let name = NameOf::name_of(fact.value_name());
            let (variable, value) = model.fact_names(*of);
            assert_eq!((fact.variable().name(), name.unwrap_or(value)), (variable, value));
            fact
        };
        let facts = |of: &[throng::Fact]| of.iter().map(fact).collect::<Vec<_>>();
        let action = |id: &throng::ActionId| made::Action::from_index(id.index()).unwrap();
        assert_eq!(made::Variable::ALL.len(), model.variables().len());
        for (variable, it) in made::Variable::ALL.iter().zip(model.variables()) {
            let row = variable.row();
            assert_eq!((variable.name(), row.variable), (it.name(), *variable));
            assert_eq!(domain.variable(it.name()).unwrap().index(), variable.index());
            assert_eq!((row.n_values, row.shared), (it.values().len(), it.is_shared()));
            for at in 0..row.n_values {
                let fact = made::Fact::from_index(*variable, at).unwrap();
                let name = NameOf::name_of(fact.value_name());
                assert_eq!(name.is_none(), it.values().ends().is_some());
                assert_eq!(name.unwrap_or(&it.values()[at]), it.values()[at]);
            }
            assert_eq!(made::Fact::from_index(*variable, row.n_values), None);
        }
        assert_eq!(made::Check::ALL.len(), model.checks().len());
        for (check, name) in made::Check::ALL.iter().zip(model.checks()) {
            assert_eq!(check.name(), name);
            assert_eq!(domain.check(name).unwrap().index(), check.index());
        }
        assert_eq!(made::Action::ALL.len(), model.actions().len());
        for (made_action, it) in made::Action::ALL.iter().zip(model.actions()) {
            let row = made_action.row();
            assert_eq!((made_action.name(), row.action), (it.name(), *made_action));
            assert_eq!(domain.action(it.name()).unwrap().index(), made_action.index());
            assert_eq!(made::Action::from_name(it.name()), Some(*made_action));
            assert_eq!(row.needs, facts(it.requires()));
            assert_eq!(row.sets, facts(it.sets()));
            let uses = it
                .checks()
                .iter()
                .map(|used| (made::Check::from_index(used.check.index()).unwrap(), used.expected));
            assert_eq!(row.checks, uses.collect::<Vec<_>>());
            assert_eq!(row.overrides, it.overrides().iter().map(action).collect::<Vec<_>>());
            assert_eq!(row.parts, it.parts().iter().map(action).collect::<Vec<_>>());
            assert_eq!(row.cost, it.cost().0);
        }
        assert_eq!(made::Goal::ALL.len(), model.goals().len());
        for (goal, it) in made::Goal::ALL.iter().zip(model.goals()) {
            let row = goal.row();
            assert_eq!((goal.name(), row.goal), (it.name(), *goal));
            assert_eq!(domain.goal(it.name()).unwrap().index(), goal.index());
            assert_eq!((row.serves, row.priority), (it.serves(), it.priority().0));
            assert_eq!(row.wants, facts(it.wants()));
        }
        assert_eq!(made::Npc::ALL.len(), model.npcs().len());
        for (npc, it) in made::Npc::ALL.iter().zip(model.npcs()) {
            let row = npc.row();
            assert_eq!((npc.name(), row.npc), (it.name(), *npc));
            assert_eq!(domain.npc_type(it.name()).unwrap().index(), npc.index());
            assert_eq!(row.can, it.can().iter().map(action).collect::<Vec<_>>());
            let goals = it.wants().iter().map(|id| made::Goal::from_index(id.index()).unwrap());
            assert_eq!(row.wants, goals.collect::<Vec<_>>());
            assert_eq!(row.starts, facts(it.starts()));
        }
        assert_eq!(made::Action::from_index(made::Action::ALL.len()), None);
        assert_eq!(made::Action::from_name("nobody does this"), None);
    }};
}

#[test]
fn numbers_names_and_tables_are_those_of_the_domain() {
    is_the_domain!(throng_typed::stable, &load(STABLE).unwrap());
    is_the_domain!(throng_typed::odd, &Domain::from_json(ODD).unwrap());
    is_the_domain!(throng_typed::camp, &Domain::from_text(CAMP).unwrap());
}

/// The name of a value, which an amount does not have.
trait NameOf {
    fn name_of(self) -> Option<&'static str>;
}

impl NameOf for &'static str {
    fn name_of(self) -> Option<&'static str> {
        Some(self)
    }
}

impl NameOf for Option<&'static str> {
    fn name_of(self) -> Option<&'static str> {
        self
    }
}

/// What a run of steps leaves, by the tables of the module alone.
#[allow(clippy::panic, reason = "a test")]
fn replayed(mut numbers: Vec<Option<i64>>, steps: &[camp::Action]) -> Vec<Option<i64>> {
    for step in steps {
        let row = step.row();
        let before = numbers.clone();
        let of = |variable: camp::Variable| before[variable.index()];
        let holds = |need: &camp::Fact| of(need.variable()) == Some(need.number());
        assert!(row.needs.iter().all(holds), "{step:?} in {before:?}");
        for (variable, runs) in row.ranges {
            let Some(is) = of(*variable) else { panic!("{step:?} in {before:?}") };
            assert!(runs.iter().any(|run| (run.0..=run.1).contains(&is)), "{step:?}: {is}");
        }
        for (left, sign, right) in row.compared {
            assert!(*sign == ">=" && of(*left) >= of(*right), "{step:?} in {before:?}");
        }
        for (variable, by, stop) in row.shifts {
            let Some(is) = of(*variable) else { panic!("{step:?} in {before:?}") };
            let moved = match (stop, *by > 0) {
                (None, _) => is + by,
                (Some(stop), true) => is.max((is + by).min(*stop)),
                (Some(stop), false) => is.min((is + by).max(*stop)),
            };
            let Some((low, high)) = variable.row().range else { panic!("{step:?} moves a word") };
            assert!((low..=high).contains(&moved), "{step:?}: {moved}");
            numbers[variable.index()] = Some(moved);
        }
        for set in row.sets {
            numbers[set.variable().index()] = Some(set.number());
        }
    }
    numbers
}

#[test]
fn a_module_with_amounts_can_replay_a_plan() {
    let domain = Domain::from_text(CAMP).unwrap();
    let npc = Npc::new(&domain, "camper").unwrap();
    let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
    let plan: Vec<camp::Action> = answer
        .plan()
        .steps()
        .map(|step| camp::Action::from_index(step.action.index()).unwrap())
        .collect();
    assert!(plan.len() > 3, "{plan:?}");
    let starts = camp::Npc::Camper.row().starts;
    let mut numbers = vec![None; camp::Variable::ALL.len()];
    starts.iter().for_each(|fact| numbers[fact.variable().index()] = Some(fact.number()));
    let end = replayed(numbers, &plan);
    let mut walker = npc.clone();
    assert!(answer.plan().names().all(|name| walker.apply(name)));
    for variable in camp::Variable::ALL {
        if variable.row().range.is_some() {
            assert_eq!(end[variable.index()], walker.amount(variable.name()), "{variable:?}");
        }
    }
    for (variable, runs) in camp::Goal::Fit.row().ranges {
        let is = end[variable.index()].unwrap();
        assert!(runs.iter().any(|run| (run.0..=run.1).contains(&is)), "{variable:?} {is}");
    }
}

#[test]
fn an_amount_is_a_number_within_its_range() {
    use camp::{Gold, Hp, Mood};
    assert_eq!((Hp::MIN, Hp::MAX, Mood::MIN, Mood::MAX, Gold::MAX), (0, 100, -3, 3, 60_000));
    assert_eq!(Mood::new(-2).map(|mood| (mood.number(), mood.index())), Some((-2, 1)));
    assert_eq!([Hp::new(101), Hp::new(-1), Hp::from_index(101)], [None; 3]);
    assert_eq!(Mood::from_index(6).map(Mood::number), Some(3));
    assert_eq!(Mood::from_index(7), None);
    assert!(Hp::new(7) < Hp::new(40));
    assert_eq!((size_of::<Hp>(), size_of::<Mood>()), (2, 4));
}

#[test]
fn names_that_make_trouble_have_identifiers_of_their_own() {
    assert_eq!(odd::Type::ALL.map_names(), ["self", "Self", "SELF"]);
    assert_eq!(odd::Fact::Option(odd::Option2::None).value_name(), "None");
    assert_eq!(odd::Variable::U99ac.name(), "馬");
    assert_eq!(odd::Action::GoU99acMinus3Any.name(), "go(馬 -3 _)");
    assert_eq!([odd::Heat::Minus1, odd::Heat::N1].map(odd::Heat::number), [-1, 1]);
    assert!(odd::Fact::Lamp(true) != odd::Fact::Lamp(false));
}

/// The names of a list of values.
trait MapNames {
    fn map_names(&self) -> Vec<&'static str>;
}

impl MapNames for [odd::Type] {
    fn map_names(&self) -> Vec<&'static str> {
        self.iter().map(|it| it.name()).collect()
    }
}

/// If the module is meant to be another, put the new text there:
/// `throng gen rust domains/papers/horse_breeder_000.npc --out …` with this file as its output.
#[test]
fn the_module_of_the_stable_is_the_one_written_down() {
    let written = fs::read_to_string(package().join("tests/stable.rs.txt")).unwrap();
    assert!(include_str!(concat!(env!("OUT_DIR"), "/stable.rs")) == written, "see the test");
    let again = throng::codegen::rust(&load(STABLE).unwrap());
    assert!(again == written, "another load gives other bytes");
}

/// With the defaults of `rustfmt`, not with this repository's.
#[test]
fn modules_have_the_layout_of_rustfmt() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let defaults = folder.join("rustfmt.toml");
    fs::write(&defaults, "").unwrap();
    let mut files = Vec::new();
    for domain in ["papers", "fear", "beyond", "strategy"] {
        let domains = fs::read_dir(package().join("../../domains").join(domain)).unwrap();
        let paths = domains.map(|entry| entry.unwrap().path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "npc")));
    }
    files.sort();
    let own = ["odd.json", "bare.npc", "camp.npc"];
    files.extend(own.map(|name| package().join("domains").join(name)));
    let mut command = Command::new("rustfmt");
    command.args(["--check", "--edition", "2024", "--config-path"]).arg(&defaults);
    let mut n_modules = 0;
    for (at, file) in files.iter().enumerate() {
        // Some files are only there to be included.
        let Ok(domain) = Domain::from_file(file) else { continue };
        n_modules += 1;
        let module = folder.join(format!("layout_{at}.rs"));
        fs::write(&module, throng::codegen::rust(&domain)).unwrap();
        command.arg(module);
    }
    assert!(n_modules > 20, "{n_modules} of {} domains", files.len());
    let said = command.output().expect("rustfmt comes with the toolchain");
    let told = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.success(), "{told}{}", String::from_utf8_lossy(&said.stderr));
}
