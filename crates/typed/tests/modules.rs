//! The made modules beside the loaded domains: the same numbers, names and tables; the same
//! bytes each time; the layout that `rustfmt` wants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use throng::prelude::*;
use throng_typed::stable::{self, Action, Bucket, Fact, Goal, Haystack, Variable};
use throng_typed::{TypedError, animation, fact_of, load, odd, put, steps};

const STABLE: &str = include_str!("../../../domains/papers/horse_breeder_000.npc");
const ODD: &str = include_str!("../domains/odd.json");

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
            assert_eq!((fact.variable().name(), fact.value_name()), model.fact_names(*of));
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
                assert_eq!(fact.value_name(), it.values()[at]);
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
    files.extend([package().join("domains/odd.json"), package().join("domains/bare.npc")]);
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
