//! Domains with amounts as PDDL with numeric fluents: what is written is read back, plans of the
//! one are plans of the other, and the written task, solved as a domain again or with its numbers
//! written out, costs as much.

use super::case::{Case, MOST_NODES, MOST_STATES, limited};
use super::{Tally, domains, note};
use std::collections::HashMap;
use std::path::Path;
use throng::check::{CheckContext, Question, Verdict, replay};
use throng::prelude::*;
use throng::{GoalId, Target};
use throng_base::SplitMix;
use throng_domain::model::Conditions;
use throng_domain::{Code, Diagnostic, Format};
use throng_lab::corpus::{self, load_text};
use throng_pddl::convert::{
    PddlText, counted_from_alternatives, counted_out, has_numbers, to_counted_domain_until,
    to_numeric_pddl_until,
};
use throng_pddl::ground::{self, GroundedCounting, ground_counted};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::PlanStep;
use throng_pddl::read::{self, Text, read_task};
use throng_pddl::validate::{self, validate};
use throng_planner::SearchBudget;
use throng_planner::forward::{Found, Search};
use throng_suite::golden::difference;

/// A question written as PDDL and read again.
struct WrittenTask {
    text: PddlText,
    task: Lifted,
    /// By action of the model, its number in the task.
    actions: HashMap<usize, usize>,
    /// What costs were multiplied by.
    factor: u64,
}

impl WrittenTask {
    /// A question with these alternatives; `None` if it counts nothing.
    fn of(npc: &Npc, wanted: &[Conditions<'_>], place: &str) -> Option<WrittenTask> {
        let compiled = npc.domain().compiled();
        let problems: Vec<_> = wanted.iter().map(|&wanted| npc.problem(wanted)).collect();
        if !has_numbers(compiled, &problems) {
            return None;
        }
        let counted = counted_from_alternatives(compiled, &problems, "wish");
        let text = to_numeric_pddl_until(&counted, "task", &|| false).unwrap().unwrap();
        let task = read_back(&text, place);
        let kind = problems[0].kind(compiled);
        let there = kind.local_actions().filter(|&action| problems[0].enabled().has(action));
        let ids = there.map(|action| kind.actions()[action.index()].index());
        let actions: HashMap<usize, usize> = ids.zip(0..).collect();
        assert_eq!(actions.len(), task.actions.len(), "{place}");
        let says = |factor: &u64| {
            text.notes.iter().any(|note| note.contains(&format!("multiplied by {factor},")))
        };
        let factor = [1000, 100, 10].into_iter().find(says).unwrap_or(1);
        Some(WrittenTask { text, task, actions, factor })
    }

    /// The cost of some actions of the model in thousandths, as the validator sees it; `None` if
    /// they are no plan.
    fn judge(&self, plan: &[usize]) -> Option<u64> {
        let steps: Option<Vec<PlanStep>> = plan
            .iter()
            .map(|action| Some(PlanStep::of(&self.task, *self.actions.get(action)?, &[])))
            .collect();
        match validate(&self.task, &steps?) {
            validate::Verdict::Valid { cost, .. } => Some(cost.0 / self.factor),
            validate::Verdict::Invalid(_) => None,
        }
    }
}

fn read_back(text: &PddlText, place: &str) -> Lifted {
    let domain = Text { name: "domain.pddl", text: &text.domain };
    let problem = Text { name: "problem.pddl", text: &text.problem };
    let reading = read_task(domain, problem, &read::Limits::default());
    let undeclared = |d: &Diagnostic| d.code == Code::PddlRequirement;
    let clean = !reading.report.diagnostics().iter().any(undeclared);
    let (domain, problem) = (&text.domain, &text.problem);
    let report = &reading.report;
    assert!(clean && !report.has_errors(), "{place}: {report:?}\n{domain}\n{problem}");
    reading.task.unwrap()
}

pub(crate) fn grounded(task: &Lifted, place: &str) -> GroundedCounting {
    let made = ground_counted(task, &ground::Limits::default(), None, &mut |_| {});
    made.unwrap_or_else(|why| panic!("{why}: {place}"))
}

/// The cheapest plan of a task as a domain with amounts: `Err` if it cannot be one or the search
/// gave up, `Ok(None)` if there is no plan. The plan is judged on the task.
pub(crate) fn solved(
    task: &Lifted,
    made: &GroundedCounting,
    nodes: u64,
    place: &str,
) -> Result<Option<u64>, String> {
    if made.grounded.unreachable.is_some() {
        return Ok(None);
    }
    let domain = to_counted_domain_until(&made.counted, "again", &|| false);
    let domain = domain.map_err(|reasons| reasons.join("; "))?.unwrap();
    if !domain.assumed.is_empty() {
        return Err(format!("assumed: {:?}", domain.assumed));
    }
    let loaded = Domain::from_loaded(load_text(&domain.text, Format::Json));
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}\n{}\n{place}", domain.text));
    let npc = Npc::new(&loaded, "npc").unwrap();
    let goals = (0..loaded.model().goals().len()).filter_map(|at| loaded.goal_at(at));
    let request = Request::any(goals).max_nodes(nodes);
    let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
    let cost = match answer.outcome() {
        Outcome::Plan { cost } => cost.0,
        Outcome::Satisfied => 0,
        Outcome::Impossible(_) => return Ok(None),
        Outcome::GaveUp(_) => return Err("gave up".to_owned()),
    };
    let operator = |name: &str| domain.actions.iter().find(|(known, _)| known == name).unwrap().1;
    let operators: Vec<u32> = answer.plan().names().map(operator).collect();
    match validate(task, &made.plan(task, &operators)) {
        validate::Verdict::Valid { cost: judged, .. } => assert_eq!(judged.0, cost, "{place}"),
        validate::Verdict::Invalid(failure) => panic!("{failure}: {place}"),
    }
    Ok(Some(cost))
}

/// The same with the numbers written out.
pub(crate) fn solved_out(
    task: &Lifted,
    made: &GroundedCounting,
    place: &str,
) -> Result<Option<u64>, String> {
    if made.grounded.unreachable.is_some() {
        return Ok(None);
    }
    let named = counted_out(&made.counted).map_err(|why| why.to_string())?;
    let mut search = Search::default();
    search.begin(&named.task, Mode::Cheapest);
    let budget = SearchBudget { nodes: MOST_NODES, ..SearchBudget::DEFAULT };
    let state = match search.run(&named.task, &budget) {
        Found::Goal(state) => state,
        Found::Nothing => return Ok(None),
        Found::Limit(_) => return Err("gave up".to_owned()),
    };
    let mut steps = Vec::new();
    search.extract_plan(state, &mut steps);
    let cost: u64 = steps.iter().map(|&step| named.task.cost(step)).sum();
    match validate(task, &made.plan(task, &steps)) {
        validate::Verdict::Valid { cost: judged, .. } => assert_eq!(judged.0, cost, "{place}"),
        validate::Verdict::Invalid(failure) => panic!("{failure}: {place}"),
    }
    Ok(Some(cost))
}

/// What the replay on the model says of some actions.
fn replayed(case: &Case, target: &Target, plan: &[usize]) -> Option<u64> {
    let model = case.model();
    let ((from, unknown), failing) = (case.from(), case.failing());
    let names: Vec<&str> = plan.iter().map(|&at| model.actions()[at].name()).collect();
    case.alternatives(target).iter().find_map(|wants| {
        let context = CheckContext::Without(&failing);
        let question =
            Question { npc: "n", from: &from, unknown: &unknown, to: &[], wants, context };
        match replay(model, &question, &names).unwrap() {
            Verdict::Valid { cost } => Some(cost.0),
            Verdict::Invalid(_) => None,
        }
    })
}

/// Conditions of each alternative of a target.
fn wanted<'d>(domain: &'d Domain, target: &'d Target) -> Vec<Conditions<'d>> {
    let of = |goal: &GoalId| domain.compiled().goal(*goal).conditions();
    match target {
        Target::Goal(goal) => vec![of(goal)],
        Target::Any(goals) => goals.iter().map(of).collect(),
        Target::Conditions(wants) => vec![wants.conditions()],
        Target::Best => panic!("nobody says what the best goal is"),
    }
}

/// One question: its plan, slips of it, and the written task solved again.
fn check(case: &Case, target: &Target, dice: &mut SplitMix, tally: &mut Tally) {
    let npc = case.npc();
    let place = format!("{target:?}, {}", case.place());
    let wanted = wanted(&case.domain, target);
    let Some(written) = WrittenTask::of(&npc, &wanted, &place) else {
        return note(tally, "counts nothing", true);
    };
    note(tally, "asked", true);
    let place = format!("{place}\n{}\n{}", written.text.domain, written.text.problem);
    let answer = Planner::new().plan(&npc, &limited(target.clone()), &mut Scratch::default());
    let expected = match answer.outcome() {
        Outcome::Plan { cost } => Some(cost.0),
        Outcome::Satisfied => Some(0),
        Outcome::Impossible(_) => None,
        Outcome::GaveUp(_) => return note(tally, "gave up", true),
    };
    note(tally, "plans", expected.is_some_and(|cost| cost > 0));
    note(tally, "without plan", expected.is_none());
    let plan: Vec<usize> = answer.plan().actions().iter().map(|id| id.index()).collect();
    if expected.is_some() {
        assert_eq!(written.judge(&plan), expected, "{plan:?}: {place}");
    }
    for _ in 0..6 {
        let mut slip = plan.clone();
        let (a, b) = (dice.below(plan.len().max(1)), dice.below(plan.len().max(1)));
        let other = dice.below(case.model().actions().len());
        match dice.below(5) {
            0 if !slip.is_empty() => _ = slip.remove(a),
            1 if !slip.is_empty() => slip.insert(a, slip[a]),
            2 if !slip.is_empty() => slip.swap(a, b),
            3 if !slip.is_empty() => slip[a] = other,
            _ => slip.insert(a.min(slip.len()), other),
        }
        let judged = replayed(case, target, &slip);
        assert_eq!(written.judge(&slip), judged, "{slip:?}: {place}");
        note(tally, "slips", true);
        note(tally, "slips that are plans", judged.is_some());
    }
    let made = grounded(&written.task, &place);
    let expected = expected.map(|cost| cost * written.factor);
    match solved(&written.task, &made, MOST_NODES, &place) {
        Ok(cost) => assert_eq!(cost, expected, "as a domain: {place}"),
        Err(why) => {
            let is_met = why.contains("satisfied whatever") || why.contains("the goal is empty");
            assert!(!is_met || expected == Some(0), "{why}: {place}");
            let known = ["gave up", "too many cases"];
            assert!(is_met || known.iter().any(|known| why.contains(known)), "{why}: {place}");
            note(tally, "no domain", !is_met);
        }
    }
    match solved_out(&written.task, &made, &place) {
        Ok(cost) => assert_eq!(cost, expected, "written out: {place}"),
        Err(why) => {
            assert!(why == "gave up", "{why}: {place}");
            note(tally, "not searched out", true);
        }
    }
}

#[test]
fn plans_of_a_domain_are_plans_of_its_pddl() {
    let mut tally = Tally::new();
    for seed in 0..domains(3_000) {
        let Some(case) = Case::of(seed, &mut tally) else { continue };
        let mut dice = SplitMix::new(seed ^ 0x9dd1);
        let small = case.stated.states().len() <= MOST_STATES;
        note(&mut tally, "large", !small);
        let goal = dice.below(case.stated.goals.len());
        check(&case, &case.goal(goal), &mut dice, &mut tally);
        let target = case.any_wants(&mut dice);
        check(&case, &target, &mut dice, &mut tally);
    }
    println!("{tally:?}");
    for (what, least) in [("plans", 4), ("without plan", 8), ("unknown starts", 8)] {
        assert!(tally[what] * least > tally["asked"] / 2, "{what}: {tally:?}");
    }
    for what in ["gave up", "no domain", "not searched out"] {
        let seen = tally.get(what).copied().unwrap_or(0);
        assert!(seen * 10 < tally["asked"], "{what}: {tally:?}");
    }
    assert!(tally["slips that are plans"] * 20 > tally["slips"], "{tally:?}");
    for what in ["stops", "holes", "comparisons", "goals with alternatives"] {
        assert!(tally[what] * 20 > tally["domains"], "{what}: {tally:?}");
    }
}

/// Every file of `domains/numbers`, for every NPC and goal.
#[test]
fn the_domains_with_numbers_go_out_and_come_back() {
    let (mut asked, mut plans, mut steps) = (0, 0, 0);
    for folder in ["numbers", "numbers/bench"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let domain = Domain::from_loaded(corpus::read(&path).unwrap()).unwrap();
            for kind in domain.compiled().npcs() {
                let npc = Npc::of_type(&domain, kind.id()).unwrap();
                for &goal in kind.goals() {
                    let place = format!("{} {} {goal:?}", path.display(), npc.type_name());
                    let wanted = [domain.compiled().goal(goal).conditions()];
                    let Some(written) = WrittenTask::of(&npc, &wanted, &place) else { continue };
                    let request = Request::goal(goal);
                    let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
                    let expected = match answer.outcome() {
                        Outcome::Plan { cost } => Some(cost.0),
                        Outcome::Satisfied => Some(0),
                        Outcome::Impossible(_) => None,
                        Outcome::GaveUp(_) => panic!("without limits nobody gives up: {place}"),
                    };
                    let plan: Vec<usize> =
                        answer.plan().actions().iter().map(|id| id.index()).collect();
                    if expected.is_some() {
                        assert_eq!(written.judge(&plan), expected, "{place}");
                    }
                    let made = grounded(&written.task, &place);
                    let again = solved(&written.task, &made, u64::MAX, &place);
                    let cost = expected.map(|cost| cost * written.factor);
                    match again {
                        Ok(found) => assert_eq!(found, cost, "{place}"),
                        Err(why) => assert!(why.contains("satisfied whatever"), "{why}: {place}"),
                    }
                    asked += 1;
                    plans += usize::from(expected.is_some_and(|cost| cost > 0));
                    steps += plan.len();
                }
            }
        }
    }
    println!("{asked} questions, {plans} with a plan, {steps} steps");
    assert!(asked > 25 && plans > 15 && steps > 500, "{asked} {plans} {steps}");
}

const EVERYTHING: &str = "domain everything
var hp: 0..100
var mp: -5..20
var ore: 0..64
var price: 0..50
var gold: 0..50
var mood: -3..3
var pick: none, stone, iron
var place: home, mine
action heal:  hp += 10 up to 80, mp -= 5
action bleed: hp -= 7 down to 5   while hp > 5
action dig:   ore += 3   while pick = stone or pick = iron, place = mine   cost 1.5
action sell:  ore -= 2, gold += 9 up to 50   while mood != 0, hp < 30 or hp = 50
action buy:   pick -> iron, gold -> 0   while gold >= price
action rest:  mood -> 2
action go:    place home -> mine
action wait:  mp += 1
goal rich: gold >= 20 and gold <= 40 or ore = 64, mood != -1
npc smith
    can heal, bleed, dig, sell, buy, rest, go, wait
    wants rich
    starts hp = 50, mp = -5, ore = 0, price = 30, gold = 0, pick = stone, place = home
";

/// A domain with every feature: shifts refused and stopped, holes, comparisons, word sets, goals
/// with ranges and alternatives, an unknown start, negative numbers, costs that are no whole ones.
#[test]
fn a_domain_with_everything_reads_well() {
    let domain = Domain::from_text(EVERYTHING).unwrap();
    let npc = Npc::new(&domain, "smith").unwrap();
    let target = domain.goal_target("rich").unwrap();
    let written = WrittenTask::of(&npc, &wanted(&domain, &target), "everything").unwrap();
    let text = format!("{}{}", written.text.domain, written.text.problem);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/numeric_fluents.pddl");
    if let Some(difference) = difference(&path, &text) {
        panic!("{difference}");
    }
    let made = grounded(&written.task, "everything");
    let request = Request::new(target);
    let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
    let Outcome::Plan { cost } = answer.outcome() else { panic!("{:?}", answer.outcome()) };
    let expected = Some(cost.0 * written.factor);
    assert_eq!(solved(&written.task, &made, u64::MAX, &text), Ok(expected));
    // And it is the same domain again: stops are stops, not cases.
    let again = to_counted_domain_until(&made.counted, "again", &|| false).unwrap().unwrap();
    let again = Domain::from_json(&again.text).unwrap();
    let again = throng_domain::formats::npc::write(again.model()).unwrap();
    for words in ["up to 80", "down to 5", "up to 50"] {
        assert!(again.contains(words), "{words}: {again}");
    }
}
