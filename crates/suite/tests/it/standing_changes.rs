//! A change whose value holds already is no change, and takes nothing from the others: an
//! action of several changes can be done where some of them hold, and a statement is judged the
//! same whether it is one action or many.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng::prelude::*;
use throng_domain::formats::json;
use throng_domain::{Code, Format};
use throng_lab::corpus::load_text;

const ARCHER: &str = "domain archery
var posture: prone, crouched, upright
var deer: grazing, shot
action loose: posture -> upright, deer -> shot  while posture != prone
action rise: posture prone -> crouched  cost 4
compound rise_and_loose: rise, loose(crouched)  cost 2
goal meat: deer = shot
npc archer
    can loose, rise, rise_and_loose
    wants meat
    starts deer = grazing
";

const BELL: &str = "domain village
var bell: still, ringing
var people: asleep, awake
var rope: lost, found
action toll: bell -> ringing, people -> awake  while CONDITION
goal warned: people = awake
npc sexton
    can toll
    wants warned
    starts people = asleep
";

/// The plan of the only NPC type for its best goal; `None` if there is none.
fn plan(text: &str, starts: &[(&str, &str)]) -> Option<Vec<String>> {
    let domain = Domain::from_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let twin = Domain::from_json(&json::write(domain.model())).unwrap();
    let [plain, twin] = [domain, twin].map(|domain| {
        let kind = domain.model().npcs()[0].name().to_string();
        let mut npc = Npc::new(&domain, &kind).unwrap();
        starts.iter().for_each(|(variable, value)| npc.set(variable, value).unwrap());
        let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
        let names = answer.plan().names().map(str::to_string).collect();
        answer.is_solved().then_some(names)
    });
    assert_eq!(plain, twin, "as JSON\n{text}");
    plain
}

#[test]
fn an_archer_who_is_upright_already_can_shoot() {
    let shot = |posture: &str| plan(ARCHER, &[("posture", posture)]).map(|names| names.join(" "));
    assert_eq!(shot("upright").as_deref(), Some("loose(upright)"));
    assert_eq!(shot("crouched").as_deref(), Some("loose(crouched)"));
    assert_eq!(shot("prone").as_deref(), Some("rise_and_loose"));
    // Of a posture that is unknown nobody can say that it is not prone.
    assert_eq!(plan(ARCHER, &[]), None);
}

#[test]
fn a_compound_may_have_a_part_that_changes_less_than_it_says() {
    let text = ARCHER.replace("rise, loose(crouched)", "loose(upright)");
    let domain = Domain::from_text(&text).unwrap();
    let compound = domain.model().actions().last().unwrap();
    let words = |facts: &[Fact]| -> Vec<String> {
        let names = facts.iter().map(|&fact| domain.model().fact_names(fact));
        names.map(|(variable, value)| format!("{variable} = {value}")).collect()
    };
    assert_eq!(words(compound.requires()), ["posture = upright"]);
    assert_eq!(words(compound.sets()), ["deer = shot"]);
}

#[test]
fn a_weaker_condition_takes_no_plan_away() {
    let asked = |condition: &str, bell: &str, rope: &str| {
        let text = BELL.replace("CONDITION", condition);
        plan(&text, &[("bell", bell), ("rope", rope)]).map(|names| names.join(" "))
    };
    assert_eq!(asked("bell = ringing", "ringing", "lost").as_deref(), Some("toll"));
    let weaker = "bell = ringing or rope = found";
    assert_eq!(asked(weaker, "ringing", "lost").as_deref(), Some("toll(ringing _)"));
    assert_eq!(asked(weaker, "still", "found").as_deref(), Some("toll(_ found)"));
    assert_eq!(asked(weaker, "still", "lost"), None);
    let weakest = "bell = ringing or bell = still";
    assert_eq!(asked(weakest, "ringing", "lost").as_deref(), Some("toll(ringing)"));
}

#[test]
fn counting_on_does_not_stop_because_another_change_holds() {
    let text = "domain d
var lamp: off, on
var oil: 0..3
action burn: lamp -> on, oil -= 1
action burn_on(how in lamp): lamp -> how, oil -= 1  while lamp = how
goal dry: oil = 0
npc n
    can burn
    wants dry
npc m
    can burn_on
    wants dry
";
    assert_eq!(plan(text, &[("lamp", "on"), ("oil", "2")]).unwrap(), ["burn", "burn"]);
    let only_m = text.replace("npc n\n    can burn\n    wants dry\n", "");
    let names = plan(&only_m, &[("lamp", "on"), ("oil", "1")]).unwrap();
    assert_eq!(names, ["burn_on(on)"]);
}

#[test]
fn what_changes_nothing_beside_others_that_do_is_no_action() {
    let text = "domain d
var x: a, b, c
var y: a, b, c
action both: x -> a, y -> a  while x != b, y != b
";
    let domain = Domain::from_text(text).unwrap();
    let names: Vec<_> = domain.model().actions().iter().map(|action| action.name()).collect();
    assert_eq!(names, ["both(a c)", "both(c a)", "both(c c)"]);
    assert!(domain.warnings().diagnostics().is_empty(), "a case in which one holds is no mistake");
}

/// What is said of a statement over two word variables and a number.
fn told(statement: &str) -> Vec<(Code, String)> {
    let text = format!("domain d\nvar x: a, b\nvar y: a, b\nvar n: 0..3\n{statement}\n");
    let loaded = load_text(&text, Format::Npc);
    let found = loaded.report.diagnostics().iter();
    let of_statement = found.filter(|found| found.code != Code::UnusedVariable);
    of_statement.map(|found| (found.code, found.text.clone())).collect()
}

#[test]
fn a_statement_is_judged_the_same_with_and_without_counting() {
    let sets = |name: &str, value: &str| {
        (Code::SetsWhatItRequires, format!("`{name}` sets `x = {value}`, which it requires"))
    };
    let nothing = |name: &str| {
        (Code::ChangesNothing, format!("action `{name}` changes nothing, so no plan will use it"))
    };
    // One of two changes always holds already: a warning, once.
    for rest in ["y -> b", "y -> b, n -= 1", "y -> b while n >= 1", "y -> b while n = 1 or y = a"] {
        assert_eq!(told(&format!("action go: x a -> a, {rest}")), [sets("go", "a")], "{rest}");
    }
    assert_eq!(told("action go(p in y): x p -> p, y -> p"), [sets("go", "p")]);
    // All of them do: the action changes nothing, and is there all the same.
    for rest in ["", " while n >= 1", " while n = 1 or y = a", " while y != a, n < 2"] {
        let expected = [sets("go", "a"), nothing("go")];
        let mut told = told(&format!("action go: x a -> a{rest}"));
        told.sort_by_key(|(code, _)| code.id());
        assert_eq!(told, expected, "{rest}");
    }
    // Counting by nothing is no change either.
    let counts = |name: &str| (Code::CountsByNothing, format!("`{name}` counts `n` by nothing"));
    for rest in ["", " while n = 2", " while n >= 1"] {
        assert_eq!(told(&format!("action go: x -> a, n += 0{rest}")), [counts("go")], "{rest}");
    }
    // Nothing makes it possible: an error.
    for rest in ["n = 2", "n >= 2", "n = 2 or n = 3"] {
        let told = told(&format!("action go: x -> a, n += 2 while {rest}"));
        let codes: Vec<Code> = told.into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, [Code::NothingExists], "{rest}");
    }
}
