//! The problem families of `throng gen` have the sizes, classes and plan lengths that the papers
//! state, and the gadget decides formulas.
//!
//! In:   generated members; formulas, listed and random; the pages that show instances.
//! Out:  agreement with the oracle for small members, with the topological planner for larger
//!       ones, and with trying every assignment for formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::io;
use throng::expectations;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_check::{CheckContext, Question, Verdict, replay};
use throng_cli::Console;
use throng_domain::classes::Class;
use throng_domain::compile::UNKNOWN;
use throng_lab::corpus;
use throng_lab::printed::{self, Ghosts, Printed};
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
        Question { npc: &self.npc, from: &[], to: &self.to, context }
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
        problem.fill(compiled, id, |v| values[v], goal, &checks, &none);
        problem
    }

    /// The plan of the topological planner without search, replayed; `None` if it leaves the
    /// question open.
    fn decided(&self) -> Option<Result<Vec<String>, ()>> {
        let (compiled, problem) = (self.domain.compiled(), self.problem());
        let (mut moves, mut plan) = (Moves::default(), Vec::new());
        let npc = problem.kind(compiled);
        moves.certify(npc, problem.enabled()).expect("post-unique and unary");
        let mut scratch = topological::TopologicalScratch::default();
        match topological::decide(&Call::new(compiled, &problem), &moves, &mut scratch, &mut plan)?
        {
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
        self.domain.compiled().npc(id).classes().holds(class)
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
        moves.certify(problem.kind(compiled), problem.enabled()).unwrap();
        let mut scratch = topological::TopologicalScratch::default();
        let mut search = forward::ForwardScratch::default();
        let call = Call::new(compiled, &problem).mode(Mode::Shortest);
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

type Formula = Vec<Vec<i64>>;

fn text_of(formula: &Formula) -> String {
    let clause =
        |clause: &Vec<i64>| clause.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    formula.iter().map(clause).collect::<Vec<_>>().join(", ")
}

fn satisfies(formula: &Formula, truth: impl Fn(u64) -> bool) -> bool {
    let holds = |literal: &i64| truth(literal.unsigned_abs()) == (*literal > 0);
    formula.iter().all(|clause| clause.iter().any(holds))
}

/// Tries every assignment of variables 1 to 8.
fn is_satisfiable(formula: &Formula) -> bool {
    (0..256_u32).any(|bits| satisfies(formula, |x| bits >> (x - 1) & 1 == 1))
}

fn gadget(formula: &Formula) -> Member {
    Member::of(&generated(&["threesat", "--clauses", &text_of(formula)]))
}

/// Every action once: what comes before what, closed under transitivity, and what is still to
/// be chosen. Knows nothing of planners; reads the model and the meaning of its variables: those
/// that start where they should end are opened and shut, the others move once.
#[derive(Clone)]
struct Orders {
    /// Which actions come after each.
    after: Vec<Vec<bool>>,
    /// An action that must not be between the two others.
    choices: Vec<(usize, usize, usize)>,
}

impl Orders {
    fn of(member: &Member) -> Option<Orders> {
        let model = member.domain.model();
        let actions = model.actions();
        let setter = |variable: usize, value: usize| {
            let sets = |fact: &Fact| (fact.variable.index(), fact.value.index());
            actions.iter().position(|a| sets(&a.sets()[0]) == (variable, value))
        };
        let after = vec![vec![false; actions.len()]; actions.len()];
        let mut orders = Orders { after, choices: Vec::new() };
        let mut edges = Vec::new();
        for (at, action) in actions.iter().enumerate() {
            let own = action.sets()[0].variable;
            for need in action.requires().iter().filter(|need| need.variable != own) {
                let (variable, value) = (need.variable.index(), need.value.index());
                let there = setter(variable, 1).unwrap();
                match (setter(variable, 0), value) {
                    (None, 0) => edges.push((at, there)),
                    (None, _) => edges.push((there, at)),
                    (Some(back), 1) => edges.extend([(there, at), (at, back)]),
                    (Some(back), _) => orders.choices.push((at, there, back)),
                }
            }
        }
        for variable in 0..model.variables().len() {
            if let (Some(there), Some(back)) = (setter(variable, 1), setter(variable, 0)) {
                edges.push((there, back));
            }
        }
        edges.into_iter().all(|(first, then)| orders.put(first, then)).then_some(orders)
    }

    /// Adds an order; `false` if it closes a circle.
    fn put(&mut self, first: usize, then: usize) -> bool {
        if first == then || self.after[then][first] {
            return false;
        }
        let mut gained = self.after[then].clone();
        gained[then] = true;
        for at in 0..self.after.len() {
            if at == first || self.after[at][first] {
                for (held, &new) in self.after[at].iter_mut().zip(&gained) {
                    *held |= new;
                }
            }
        }
        true
    }

    /// Whether everything can be chosen without a circle.
    fn exist(mut self) -> bool {
        loop {
            let n_open = self.choices.len();
            for (at, there, back) in std::mem::take(&mut self.choices) {
                let (not_before, not_after) = (self.after[there][at], self.after[at][back]);
                let fits = match (not_before, not_after) {
                    (true, true) => false,
                    (true, false) => self.put(back, at),
                    (false, true) => self.put(at, there),
                    (false, false) => {
                        self.choices.push((at, there, back));
                        true
                    }
                };
                if !fits {
                    return false;
                }
            }
            if self.choices.len() == n_open {
                break;
            }
        }
        let Some((at, there, back)) = self.choices.first().copied() else { return true };
        let mut other = self.clone();
        other.choices.remove(0);
        self.choices.remove(0);
        (self.put(at, there) && self.exist()) || (other.put(back, at) && other.exist())
    }
}

/// The assignment that a plan tells satisfies the formula.
fn check_told(formula: &Formula, plan: &[String]) {
    let position = |name: String| plan.iter().position(|step| *step == name).unwrap();
    let truth = |x: u64| position(format!("set_{x}")) < position(format!("open_{x}"));
    assert!(satisfies(formula, truth), "{} by {plan:?}", text_of(formula));
}

#[derive(Default, Debug)]
struct Tally {
    satisfiable: u32,
    unsatisfiable: u32,
    without_search: u32,
    planned: u32,
    proved: u32,
}

/// The gadget has a plan exactly if the formula is satisfiable, and no planner says otherwise.
fn check_gadget(formula: &Formula, max_nodes: u64, tally: &mut Tally) {
    let (member, satisfiable) = (gadget(formula), is_satisfiable(formula));
    assert!(member.holds(Class::C2Star), "{}", text_of(formula));
    let exist = Orders::of(&member).is_some_and(Orders::exist);
    assert_eq!(exist, satisfiable, "{}", text_of(formula));
    let counter = if satisfiable { &mut tally.satisfiable } else { &mut tally.unsatisfiable };
    *counter += 1;
    match member.decided() {
        Some(Ok(plan)) => {
            check_told(formula, &plan);
            tally.without_search += 1;
        }
        Some(Err(())) => {
            assert!(!satisfiable, "{}", text_of(formula));
            tally.without_search += 1;
        }
        None => {}
    }
    let npc = Npc::new(&member.domain, &member.npc).unwrap();
    let request = Request::best().max_nodes(max_nodes);
    let answer = Planner::new().plan(&npc, &request, &mut throng::Scratch::default());
    match answer.outcome() {
        Outcome::Plan { .. } => {
            let plan = member.replayed(answer.plan().names().map(str::to_string).collect());
            assert_eq!(plan.len(), member.domain.model().actions().len(), "every action once");
            check_told(formula, &plan);
            tally.planned += 1;
        }
        Outcome::Impossible(_) => {
            assert!(!satisfiable, "{}", text_of(formula));
            tally.proved += 1;
        }
        Outcome::GaveUp(_) => {}
        Outcome::Satisfied => panic!("nothing is done at the start"),
    }
}

fn formula_of(text: &str) -> Formula {
    let literals = |part: &str| part.split_whitespace().map(|l| l.parse().unwrap()).collect();
    text.split(',').map(literals).collect()
}

#[test]
fn the_gadget_agrees_with_the_oracle_on_the_smallest_formulas() {
    let small = ["1", "-1", "1, -1", "1, 1", "-1, -1", "1 -1", "1 1", "1 2", "1 -2", "-1 -2"];
    for formula in small.map(formula_of) {
        let member = gadget(&formula);
        let (model, question) = (member.domain.model(), member.question());
        let shortest = oracle::shortest(model, &question, 300_000).unwrap();
        let expected = is_satisfiable(&formula).then_some(model.actions().len());
        assert_eq!(shortest, expected, "{}", text_of(&formula));
    }
}

#[test]
fn the_gadget_decides_listed_formulas() {
    let listed = [
        "1 2, -1, -2",
        "1 2, 1 -2, -1 2, -1 -2",
        "1 2, 1 -2, -1 2",
        "1 2 3, -1 -2 -3",
        "1, -1 2, -2 3, -3",
        "1, -1 2, -2 3, 3",
        "1 -2 3, -1 2, -3 -1",
        "1 2 3, 1 2 -3, 1 -2 3, 1 -2 -3, -1 2 3, -1 2 -3, -1 -2 3",
        "1 2 3, 1 2 -3, 1 -2 3, 1 -2 -3, -1 2 3, -1 2 -3, -1 -2 3, -1 -2 -3",
        // Shared variables at different places of different clauses.
        "-1 2 -3, -1 -3 2, 3 1, -2 1",
        "1 2 3 4, -1 -2 -3 -4, 1 -2, 2 -3, 3 -4, 4 -1",
    ];
    let mut tally = Tally::default();
    for formula in listed.map(formula_of) {
        check_gadget(&formula, 200, &mut tally);
    }
    assert_eq!((tally.satisfiable, tally.unsatisfiable), (6, 5), "{tally:?}");
}

#[test]
fn the_gadget_decides_random_formulas() {
    let mut dice = SplitMix::new(2022);
    let mut tally = Tally::default();
    for _ in 0..300 {
        let n_variables = dice.within(1, 4);
        let clause = |dice: &mut SplitMix| -> Vec<i64> {
            let literal = |dice: &mut SplitMix| {
                let x = dice.within(1, n_variables) as i64;
                if dice.percent(50) { x } else { -x }
            };
            (0..dice.within(1, 3)).map(|_| literal(dice)).collect()
        };
        let formula: Formula = (0..dice.within(1, 7)).map(|_| clause(&mut dice)).collect();
        check_gadget(&formula, 50, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.satisfiable > 100 && tally.unsatisfiable > 50, "{tally:?}");
    assert!(tally.planned > 50, "{tally:?}");
}

// --- Files --------------------------------------------------------------------------------

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

/// The instances that `docs/theory.md` shows, as texts.
fn instances_of_the_page() -> Vec<String> {
    let page = corpus::folder().join("../docs/theory.md");
    let page = std::fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let is_instance = |block: &&str| block.starts_with("domain ");
    blocks.map(|(block, _)| block).filter(is_instance).map(str::to_string).collect()
}

#[test]
fn the_instances_on_the_page_of_theory_are_what_it_says() {
    let mut scratch = throng::Scratch::default();
    let instances = instances_of_the_page();
    assert_eq!(instances.len(), 10);
    for text in instances {
        let domain = Domain::from_text(&text).unwrap();
        check_tests(&domain, 1, &mut scratch);
        let laid_out =
            throng_domain::formats::npc::format(&text, &throng_mind::notes::WORDS).ok().unwrap();
        assert_eq!(laid_out, text, "{}", domain.name());
    }
}

#[test]
fn a_requested_loop_of_three_need_not_make_an_action_occur_twice() {
    let text = instances_of_the_page().into_iter().find(|t| t.starts_with("domain never_twice"));
    let domain = Domain::from_text(&text.unwrap()).unwrap();
    let states = || (0..3).flat_map(|v| (0..2).map(move |w| (v.to_string(), w.to_string())));
    let (mut pairs, mut plans) = (0, 0);
    for ((v, w), (to_v, to_w)) in
        states().flat_map(|from| states().map(move |to| (from.clone(), to)))
    {
        let mut npc = Npc::new(&domain, "worker").unwrap();
        npc.set("v", &v).unwrap();
        npc.set("w", &w).unwrap();
        let wanted = [domain.fact("v", &to_v).unwrap(), domain.fact("w", &to_w).unwrap()];
        let answer =
            Planner::new().plan(&npc, &Request::to(wanted), &mut throng::Scratch::default());
        let names: Vec<&str> = answer.plan().names().collect();
        let once: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(once.len(), names.len(), "{names:?}");
        pairs += 1;
        plans += usize::from(!names.is_empty());
    }
    assert_eq!((pairs, plans), (36, 15));
}

/// What a printed algorithm makes of an instance of the page: a plan, an order that is none, or
/// a failure.
fn printed(name: &str, algorithm: Printed) -> &'static str {
    let head = format!("domain {name}\n");
    let text = instances_of_the_page().into_iter().find(|text| text.starts_with(&head));
    let member = Member::of(&text.unwrap_or_else(|| panic!("no instance `{name}`")));
    let (compiled, problem) = (member.domain.compiled(), member.problem());
    let npc = problem.kind(compiled);
    let printed::Answer::Plan(plan) = printed::plan(algorithm, npc, &problem, &mut |_| {}) else {
        return "failure";
    };
    let actions = npc.actions();
    let names: Vec<&str> = plan.iter().map(|a| compiled.map().action(actions[a.index()])).collect();
    match replay(member.domain.model(), &member.question(), &names).unwrap() {
        Verdict::Valid { .. } => "plan",
        Verdict::Invalid(_) => "no order",
    }
}

#[test]
fn the_printed_algorithms_do_on_the_page_of_theory_what_it_says() {
    let (handled, skipped) =
        (Printed::TopoPlan(Ghosts::Handled), Printed::TopoPlan(Ghosts::Skipped));
    assert_eq!(printed("before_the_loop", handled), "failure");
    assert_eq!(printed("before_the_loop", Printed::P), "no order");
    assert_eq!(printed("between", handled), "failure");
    assert_eq!(printed("between", Printed::P), "failure");
    assert_eq!(printed("no_order", Printed::P), "no order");
    assert_eq!(printed("twice", handled), "failure");
    assert_eq!(printed("ghost", skipped), "no order");
    assert_eq!(printed("ghost", handled), "failure");
    assert_eq!(printed("ghost_in_order", skipped), "no order");
    assert_eq!(printed("ghost_in_order", handled), "plan");
    assert_eq!(printed("around_and_on", handled), "failure");
    assert_eq!(printed("outside", handled), "no order");
}
