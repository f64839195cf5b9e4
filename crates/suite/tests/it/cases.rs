//! The instances of `cases.json` through our own planner: those where printed algorithms fail,
//! and those that need search.
//!
//! In:   the folder of shared data; without it the test says so and passes.
//! Out:  the library and the topological planner agree with the known answers, their plans
//!       replay, what is decided without search never contradicts what is known, and every
//!       case is in the classes that it is known to be in.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "who gives up is said aloud")]

use std::fmt::Write;
use std::fs;
use throng::prelude::{Domain, Fact, Mode, Npc, Outcome, Planner, Request, Scratch};
use throng_check::{CheckContext, Question, Verdict, replay};
use throng_domain::formats::json::tree::{JsonValue, JsonValueKind, parse};
use throng_domain::source::FileId;
use throng_planner::classes::Class;
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Problem, SolverAnswer, forward};

struct Action {
    variable: usize,
    from: usize,
    to: usize,
    during: Vec<(usize, usize)>,
}

struct Case {
    sizes: Vec<usize>,
    actions: Vec<Action>,
    start: Vec<usize>,
    goal: Vec<Option<usize>>,
    shortest: Option<usize>,
    closure: Option<usize>,
    /// "plan", "unsolvable" or "unknown": what can be known without search.
    fast: String,
    /// The classes it is in, by the names of the theory.
    classes: Vec<String>,
    note: String,
}

// --- Reading ------------------------------------------------------------------------------

fn member<'v>(value: &'v JsonValue<'_>, key: &str) -> &'v JsonValue<'v> {
    let JsonValueKind::Object(members) = &value.kind else { panic!("no object around {key}") };
    &members.iter().find(|member| member.key == key).unwrap_or_else(|| panic!("no {key}")).value
}

fn list<'v>(value: &'v JsonValue<'_>) -> &'v [JsonValue<'v>] {
    let JsonValueKind::List(items) = &value.kind else {
        panic!("{} is no list", value.kind.words())
    };
    items
}

fn number(value: &JsonValue<'_>) -> Option<usize> {
    match &value.kind {
        JsonValueKind::Number(digits) => Some(digits.parse().unwrap()),
        JsonValueKind::Null => None,
        other => panic!("{} is no number", other.words()),
    }
}

fn text(value: &JsonValue<'_>) -> String {
    let JsonValueKind::Text(text) = &value.kind else {
        panic!("{} is no text", value.kind.words())
    };
    text.to_string()
}

fn numbers(value: &JsonValue<'_>) -> Vec<usize> {
    list(value).iter().map(|item| number(item).unwrap()).collect()
}

fn action_of(value: &JsonValue<'_>) -> Action {
    let one = |key: &str| number(member(value, key)).unwrap();
    let pair = |need: &JsonValue<'_>| (numbers(need)[0], numbers(need)[1]);
    let during = list(member(value, "prevail")).iter().map(pair).collect();
    Action { variable: one("var"), from: one("pre"), to: one("post"), during }
}

fn case_of(value: &JsonValue<'_>) -> Case {
    Case {
        sizes: numbers(member(value, "variables")),
        actions: list(member(value, "actions")).iter().map(action_of).collect(),
        start: numbers(member(value, "s0")),
        goal: list(member(value, "goal")).iter().map(number).collect(),
        shortest: number(member(value, "shortest_len")),
        closure: number(member(value, "closure_len")),
        fast: text(member(value, "fast_verdict")),
        classes: list(member(value, "classes")).iter().map(text).collect(),
        note: text(member(value, "note")),
    }
}

fn cases() -> Option<Vec<Case>> {
    let folder = throng_lab::shared::shared_data()?;
    let text = fs::read_to_string(folder.join("cases.json")).unwrap();
    let tree = parse(&text, FileId(0), 50).unwrap();
    Some(list(member(&tree, "cases")).iter().map(case_of).collect())
}

// --- Asking -------------------------------------------------------------------------------

/// Most states that a search may expand: the cases need far fewer.
const MAX_NODES: u64 = 20_000;

impl Case {
    /// The case as a domain: variables `v0`, `v1`, …, values `x0`, `x1`, ….
    fn text(&self) -> String {
        let mut text = "domain d\n".to_string();
        for (variable, &size) in self.sizes.iter().enumerate() {
            let values: Vec<String> = (0..size).map(|value| format!("x{value}")).collect();
            _ = writeln!(text, "var v{variable}: {}", values.join(", "));
        }
        for (at, action) in self.actions.iter().enumerate() {
            let Action { variable, from, to, during } = action;
            _ = write!(text, "action a{at}: v{variable} x{from} -> x{to}");
            let during: Vec<String> = during.iter().map(|(v, x)| format!("v{v} = x{x}")).collect();
            let word = if during.is_empty() { "" } else { "  while " };
            _ = writeln!(text, "{word}{}", during.join(", "));
        }
        let names: Vec<String> = (0..self.actions.len()).map(|at| format!("a{at}")).collect();
        let starts = self.start.iter().enumerate().map(|(v, x)| format!("v{v} = x{x}"));
        let starts: Vec<String> = starts.collect();
        _ = writeln!(text, "npc n\n    can {}", names.join(", "));
        _ = writeln!(text, "    starts {}", starts.join(", "));
        text
    }

    fn to(&self) -> Vec<(String, String)> {
        let wanted = self.goal.iter().enumerate();
        wanted.filter_map(|(v, x)| Some((format!("v{v}"), format!("x{}", (*x)?)))).collect()
    }
}

struct Asked<'c> {
    case: &'c Case,
    domain: Domain,
    to: Vec<(String, String)>,
    goal: Vec<Fact>,
}

impl<'c> Asked<'c> {
    fn new(case: &'c Case) -> Self {
        let domain = Domain::from_text(&case.text()).unwrap();
        let to = case.to();
        let goal = to.iter().map(|(v, x)| domain.fact(v, x).unwrap()).collect();
        Asked { case, domain, to, goal }
    }

    /// An outcome against the known answer.
    fn check(&self, who: &str, outcome: &Outcome, names: &[&str]) {
        let note = &self.case.note;
        let length = match outcome {
            Outcome::Plan { cost } => {
                let context = CheckContext::Without(&[]);
                let question =
                    Question { npc: "n", from: &[], to: &self.to, context, ..Question::default() };
                let verdict = replay(self.domain.model(), &question, names).unwrap();
                assert_eq!(verdict, Verdict::Valid { cost: *cost }, "{who}: {note}");
                Some(names.len())
            }
            Outcome::Satisfied => Some(0),
            Outcome::Impossible(_) => None,
            Outcome::GaveUp(limit) => panic!("{who} gave up at {limit:?}: {note}"),
        };
        assert_eq!(length, self.case.shortest, "{who}: {note}");
    }

    fn ask_library(&self) {
        let npc = Npc::new(&self.domain, "n").unwrap();
        let request =
            Request::to(self.goal.iter().copied()).mode(Mode::Shortest).max_nodes(MAX_NODES);
        let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
        let names: Vec<&str> = answer.plan().names().collect();
        self.check("library", answer.outcome(), &names);
    }

    /// Asks the topological planner; gives whether it needed search.
    fn ask_topological(&self) -> bool {
        let compiled = self.domain.compiled();
        let id = self.domain.npc_type("n").unwrap();
        let mut problem = Problem::new(compiled, id);
        let checks = Checks::all(0);
        let nothing = ActionMask::none(self.case.actions.len());
        let value_of = |variable: usize| self.case.start[variable] as u16;
        problem.fill(
            compiled,
            id,
            value_of,
            &self.goal,
            throng_planner::Context::new(&checks, &nothing),
        );
        let npc = problem.kind(compiled);
        let mut moves = Moves::default();
        let mut scratch = topological::TopologicalScratch::default();
        let mut plan = Vec::new();
        let call = Call::new(compiled, &problem).mode(Mode::Shortest).nodes(MAX_NODES);
        moves.certify(&call).unwrap();
        let least = topological::least_length(&call, &moves, &mut scratch);
        assert_eq!(least, self.case.closure.map(|n| n as u64), "closure: {}", self.case.note);
        let decided = topological::decide(&call, &moves, &mut scratch, &mut plan);
        self.check_decided(compiled, decided.as_ref(), plan.len());
        let needed_search = decided.is_none();
        let outcome = decided.unwrap_or_else(|| {
            let mut states = forward::ForwardScratch::default();
            let answer: SolverAnswer =
                topological::search(&call, &moves, &mut scratch, &mut states, &mut plan);
            answer.outcome
        });
        let names: Vec<&str> =
            plan.iter().map(|a| compiled.map().action(npc.actions()[a.index()])).collect();
        self.check("topological", &outcome, &names);
        needed_search
    }

    /// What is said without search must fit what can be known without search, and the closure.
    fn check_decided(
        &self,
        domain: &throng_planner::PreparedDomain,
        decided: Option<&Outcome>,
        length: usize,
    ) {
        let Case { closure, fast, note, .. } = self.case;
        match decided {
            Some(Outcome::Plan { .. } | Outcome::Satisfied) => {
                assert_ne!(fast, "unsolvable", "{note}");
                assert_eq!(Some(length), *closure, "any order of the closure is as long: {note}");
            }
            Some(Outcome::Impossible(proof)) => {
                assert_ne!(fast, "plan", "{note}");
                // What is left once the closure holds is the order.
                let reason = proof.reason(domain);
                assert_eq!(closure.is_some(), reason.code() == "before_and_after", "{note}");
            }
            Some(Outcome::GaveUp(limit)) => panic!("decided at {limit:?}: {note}"),
            None => assert!(closure.is_some(), "no closure is a proof: {note}"),
        }
    }
}

#[test]
fn our_planner_knows_the_answer_of_every_case() {
    let Some(cases) = cases() else { return };
    let mut searched = Vec::new();
    for case in &cases {
        let asked = Asked::new(case);
        asked.ask_library();
        if asked.ask_topological() {
            searched.push(format!("  {} (known: {})", case.note, case.fast));
        }
    }
    println!("{} cases, {} by search:\n{}", cases.len(), searched.len(), searched.join("\n"));
    assert!(!cases.is_empty());
}

#[test]
fn every_case_is_in_the_classes_of_the_theory() {
    let Some(cases) = cases() else { return };
    for (at, case) in cases.iter().enumerate() {
        let domain = Domain::from_text(&case.text()).unwrap();
        let report = domain.compiled().classes(domain.compiled().npcs()[0].id());
        let holds = |class: Class| report.holds(class);
        let expected = |name: &str| case.classes.iter().any(|class| class == name);
        let note = format!("case {at}: {}: {:?}", case.note, case.classes);
        assert_eq!(report.are_moves(), expected("PU"), "{note}");
        assert_eq!(holds(Class::SingleValued), expected("PUS"), "{note}");
        assert_eq!(holds(Class::C0), expected("PUC0"), "{note}");
        assert_eq!(holds(Class::C2S), expected("PUC2S"), "{note}");
        assert_eq!(holds(Class::C2Star), expected("PUC2*var"), "{note}");
        assert_eq!(holds(Class::Nested), expected("PUC2nest"), "{note}");
        assert_eq!(holds(Class::OnePerCycle), expected("CK1"), "{note}");
        assert!(expected("PUC2") || !holds(Class::C2Star), "{note}");
    }
}
