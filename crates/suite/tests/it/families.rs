//! The problem families of `throng gen` have the sizes, classes and plan lengths that the papers
//! state, and the gadget decides formulas.
//!
//! In:   generated members; formulas, listed and random; the pages that show instances.
//! Out:  agreement with the oracle for small members, with the topological planner for larger
//!       ones, and with trying every assignment for formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod gadget;
mod theory;

use std::io;
use throng::expectations;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_check::{CheckContext, Question, Verdict, replay};
use throng_cli::Console;
use throng_domain::compile::UNKNOWN;
use throng_lab::corpus;
use throng_lab::printed::{self, Ghosts, Printed};
use throng_planner::classes::Class;
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Problem, forward};
use throng_suite::oracle;

/// What `throng gen` prints.
fn generated(words: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console::new(io::empty(), &mut out, &mut err);
    let code = throng_lab::commands::run(["throng", "gen"].iter().chain(words), console);
    assert_eq!(code, 0, "{words:?}: {}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

/// The only question of a member: its only NPC type, from its start, to its only goal.
struct Member {
    domain: Domain,
    npc: String,
    to: Vec<(String, String)>,
}

impl Member {
    fn of(text: &str) -> Member {
        let domain = Domain::from_text(text).unwrap();
        let model = domain.model();
        let name = |&fact: &Fact| {
            let (variable, value) = model.fact_names(fact);
            (variable.to_string(), value.to_string())
        };
        let to = model.goals()[0].wants().iter().map(name).collect();
        let npc = model.npcs()[0].name().to_string();
        Member { domain, npc, to }
    }

    fn question(&self) -> Question<'_> {
        let context = CheckContext::Without(&[]);
        Question { npc: &self.npc, from: &[], to: &self.to, context, ..Question::default() }
    }

    fn problem(&self) -> Problem {
        let compiled = self.domain.compiled();
        let id = self.domain.npc_type(&self.npc).unwrap();
        let mut values = vec![UNKNOWN; compiled.map().n_variables()];
        for fact in compiled.npc(id).starts() {
            values[fact.variable.index()] = fact.value.index() as u16;
        }
        let goal = self.domain.model().goals()[0].wants();
        let mut problem = Problem::new(compiled, id);
        let none = ActionMask::none(compiled.npc(id).n_actions());
        let checks = Checks::all(compiled.map().n_checks());
        problem.fill(
            compiled,
            id,
            |v| values[v],
            goal,
            throng_planner::Context::new(&checks, &none),
        );
        problem
    }

    /// The plan of the topological planner without search, replayed; `None` if it leaves the
    /// question open.
    fn decided(&self) -> Option<Result<Vec<String>, ()>> {
        let (compiled, problem) = (self.domain.compiled(), self.problem());
        let (mut moves, mut plan) = (Moves::default(), Vec::new());
        let npc = problem.kind(compiled);
        let call = Call::new(compiled, &problem);
        moves.certify(&call).expect("post-unique and unary");
        let mut scratch = topological::TopologicalScratch::default();
        match topological::decide(&call, &moves, &mut scratch, &mut plan)? {
            Outcome::Plan { .. } => {}
            Outcome::Impossible(_) => return Some(Err(())),
            other => panic!("{other:?}"),
        }
        let name = |a: &throng_domain::compile::LocalAction| {
            compiled.map().action(npc.actions()[a.index()]).to_string()
        };
        Some(Ok(self.replayed(plan.iter().map(name).collect())))
    }

    /// The names of a plan that the independent replay accepts.
    fn replayed(&self, names: Vec<String>) -> Vec<String> {
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        let verdict = replay(self.domain.model(), &self.question(), &words).unwrap();
        assert!(matches!(verdict, Verdict::Valid { .. }), "{verdict:?}");
        names
    }

    fn holds(&self, class: Class) -> bool {
        let id = self.domain.npc_type(&self.npc).unwrap();
        self.domain.compiled().classes(id).holds(class)
    }
}

/// Checks sizes, and the length that the planner without search finds.
fn check_sizes(words: &[&str], variables: usize, actions: usize, length: usize) -> Member {
    let member = Member::of(&generated(words));
    let model = member.domain.model();
    assert_eq!(model.variables().len(), variables, "{words:?}");
    assert_eq!(model.actions().len(), actions, "{words:?}");
    assert_eq!(member.decided().expect("decided").expect("a plan").len(), length, "{words:?}");
    member
}

/// The same, and the oracle agrees.
fn check_small(words: &[&str], variables: usize, actions: usize, length: usize) {
    let member = check_sizes(words, variables, actions, length);
    let shortest = oracle::shortest(member.domain.model(), &member.question(), 200_000);
    assert_eq!(shortest, Ok(Some(length)), "{words:?}");
}

#[test]
fn small_members_need_what_the_papers_say() {
    for n in 1..=8 {
        check_small(&["tunnel", &n.to_string()], n, 2 * n, 2 * n - 1);
        check_small(&["multiprv", "2", &n.to_string()], n, 2 * n, 2 * n - 1);
    }
    for x in 2..=5 {
        for n in 1..=5 {
            let (values, variables) = (x.to_string(), n.to_string());
            check_small(&["multiprv", &values, &variables], n, x * n, x * n - 1);
            check_small(&["oneprv", &values, &variables], n, (x - 1) * n, (x - 1) * n);
        }
    }
    check_small(&["oneprv", "5", "7"], 7, 28, 28);
}

#[test]
fn large_members_are_decided_without_search() {
    check_sizes(&["tunnel", "200"], 200, 400, 399);
    check_sizes(&["multiprv", "2", "150"], 150, 300, 299);
    check_sizes(&["multiprv", "7", "60"], 60, 420, 419);
    check_sizes(&["oneprv", "5", "3000"], 3000, 12_000, 12_000);
    check_sizes(&["oneprv", "2", "5000"], 5000, 5000, 5000);
    check_sizes(&["oneprv", "200", "20"], 20, 3980, 3980);
}

#[test]
fn the_tunnel_is_multiprv_told_from_the_entrance() {
    let tunnel = Member::of(&generated(&["tunnel", "6"])).decided().unwrap().unwrap();
    let same: Vec<String> = tunnel
        .iter()
        .map(|name| {
            let (verb, light) = name.rsplit_once('_').unwrap();
            let from_inside = 7 - light.parse::<usize>().unwrap();
            format!("a{from_inside}_{}", u8::from(verb == "switch_on"))
        })
        .collect();
    let multiprv = Member::of(&generated(&["multiprv", "2", "6"]));
    assert_eq!(multiprv.decided().unwrap().unwrap(), same, "there is one order only");
}

#[test]
fn the_gray_code_takes_every_state_and_is_left_to_search() {
    for n in 1..=7_usize {
        let member = Member::of(&generated(&["gray", &n.to_string()]));
        assert_eq!(member.domain.model().actions().len(), 2 * n);
        let length = (1 << n) - 1;
        let shortest = oracle::shortest(member.domain.model(), &member.question(), 1000);
        assert_eq!(shortest, Ok(Some(length)));
        let decided = member.decided();
        assert_eq!(decided.is_some(), n < 3, "from three bits on actions repeat");
        let (compiled, problem) = (member.domain.compiled(), member.problem());
        let (mut moves, mut plan) = (Moves::default(), Vec::new());
        let call = Call::new(compiled, &problem).mode(Mode::Shortest);
        moves.certify(&call).unwrap();
        let mut scratch = topological::TopologicalScratch::default();
        let mut search = forward::ForwardScratch::default();
        let answer = topological::search(&call, &moves, &mut scratch, &mut search, &mut plan);
        assert!(matches!(answer.outcome, Outcome::Plan { .. }));
        assert_eq!(plan.len(), length);
    }
}

// --- Classes ------------------------------------------------------------------------------

/// Checks which of the classes hold; `classes` are the ids of those that do.
fn check_classes(words: &[&str], classes: &str) {
    let member = Member::of(&generated(words));
    let held: Vec<&str> =
        Class::ALL.into_iter().filter(|&class| member.holds(class)).map(Class::id).collect();
    assert_eq!(held.join(" "), classes, "{words:?}");
}

#[test]
fn the_families_are_in_the_classes_the_papers_state() {
    check_classes(&["tunnel", "5"], "U P S B C2S C2* nested one_per_cycle");
    check_classes(&["multiprv", "2", "5"], "U P S B C2S C2* nested one_per_cycle");
    check_classes(&["multiprv", "3", "5"], "U P S one_per_cycle");
    check_classes(&["oneprv", "5", "5"], "U P S C0 C2S C2* nested one_per_cycle");
    check_classes(&["gray", "2"], "U P S B C2S C2* nested one_per_cycle");
    check_classes(&["gray", "3"], "U P B");
    check_classes(&["threesat", "--clauses", "1 -2 3, -1 2"], "U P B C2*");
}

// --- The gadget ---------------------------------------------------------------------------

#[test]
fn the_members_in_the_corpus_are_what_the_generator_writes() {
    let members: [(&str, &[&str]); 7] = [
        ("tunnel_8", &["tunnel", "8"]),
        ("multiprv_2_6", &["multiprv", "2", "6"]),
        ("multiprv_3_5", &["multiprv", "3", "5"]),
        ("oneprv_5_4", &["oneprv", "5", "4"]),
        ("gray_4", &["gray", "4"]),
        ("threesat_satisfiable", &["threesat", "--clauses", "1 -2 3, -1 2, -3 -1"]),
        ("threesat_unsatisfiable", &["threesat", "--clauses", "1, -1"]),
    ];
    for (name, words) in members {
        let path = corpus::folder().join(format!("stress/{name}.npc"));
        let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        assert_eq!(text, generated(words), "{name}");
    }
    let mut planner_scratch = throng::Scratch::default();
    for path in corpus::files("stress", "npc").unwrap() {
        let domain = Domain::from_loaded(corpus::read(&path).unwrap()).unwrap();
        check_tests(&domain, 1, &mut planner_scratch);
    }
}

fn check_tests(domain: &Domain, at_least: usize, scratch: &mut throng::Scratch) {
    let tests = domain.model().tests();
    assert!(tests.len() >= at_least, "{}", domain.name());
    for test in tests {
        let result = expectations::run(domain, test, &Planner::new(), scratch).unwrap();
        assert!(result.passed(), "{} {}: {:?}", domain.name(), result.name, result.failures);
    }
}
