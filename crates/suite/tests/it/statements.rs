//! Statements mean what they say: what loading makes of them does, in every state, what the
//! text says, neither more nor less.
//!
//! In:   random statements with several changes, conditions on what they change, `or`, lists and
//!       amounts that are counted, stopped and compared, sets of words and numbers with holes,
//!       templates, checks, kinds, overrides, compounds; interpreted as they are written
//!       ([`throng_suite::random::stated`]), never by way of the model.
//! Out:  the same judgement of each statement (refused, warned of, taken), the same cheapest
//!       plans, steps that do what their names say; the same from the JSON twin, from `.npc`
//!       written back, before the independent replay and in generated code.
//!
//! Each domain is named by its seed. Usually more than twenty thousand questions;
//! `THRONG_LONG=1` asks a million.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use std::collections::BTreeMap;
use throng::check::{CheckContext, Question, Verdict, Wanted, replay};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_domain::formats::{json, npc};
use throng_domain::{Code, Cost, Format, Loaded};
use throng_lab::corpus::load_text;
use throng_suite::random::stated::{
    CHECKS, COMPOUND, Compound, Formula, Ground, State, Stated, Statement, Ways,
};

fn seeds() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 120_000 } else { 3_000 }
}

fn read(text: &str, format: Format) -> Loaded {
    load_text(text, format)
}

fn codes(loaded: &Loaded) -> Vec<Code> {
    loaded.report.diagnostics().iter().map(|found| found.code).collect()
}

fn count(loaded: &Loaded, code: Code) -> usize {
    codes(loaded).iter().filter(|found| **found == code).count()
}

/// What was asked and seen, by what it is.
type Tally = BTreeMap<&'static str, usize>;

fn note(tally: &mut Tally, what: &'static str, happened: bool) {
    *tally.entry(what).or_default() += usize::from(happened);
}

/// How domains are drawn: of few values, or with amounts.
const DRAWN: [fn(&mut SplitMix) -> Stated; 2] = [Stated::any, Stated::any_counting];

/// Whether every state can be tried.
fn is_small(stated: &Stated) -> bool {
    let sizes = stated.variables.iter().map(|variable| variable.values.len() + 1);
    sizes.product::<usize>() <= 1_000
}

/// Whether a condition compares two amounts: whether it can ever hold is not said of all of them.
fn compares(formula: &Formula) -> bool {
    match formula {
        Formula::One(..) => false,
        Formula::Other(..) => true,
        Formula::Not(inner) => compares(inner),
        Formula::All(list) | Formula::Any(list) => list.iter().any(compares),
    }
}

#[test]
fn a_statement_is_refused_exactly_if_nothing_makes_it_possible() {
    let mut tally = Tally::new();
    let mut wrong = Vec::new();
    for (seed, draw) in (0..seeds()).flat_map(|seed| DRAWN.map(|draw| (seed, draw))) {
        let stated = draw(&mut SplitMix::new(seed));
        if !is_small(&stated) {
            continue;
        }
        for statement in &stated.statements {
            let alone = [Statement { overrides: None, ..statement.clone() }];
            let text = stated.text_of(&alone);
            let (loaded, judged) = (read(&text, Format::Npc), stated.judge(statement));
            let idle = judged.idle.iter().filter(|idle| **idle).count();
            let of_several = statement.changes.len() > 1;
            note(&mut tally, "statements", true);
            note(&mut tally, "impossible", !judged.possible);
            note(&mut tally, "with an idle change", judged.possible && idle > 0 && of_several);
            note(&mut tally, "all idle", judged.possible && idle == statement.changes.len());
            let errors: Vec<Code> = codes(&loaded);
            let has_comparison = statement.conditions.iter().any(compares);
            let in_parts = errors.contains(&Code::TooManyParts);
            note(&mut tally, "of amounts", stated.speaks_of_amounts(statement));
            note(&mut tally, "with amounts compared", has_comparison);
            note(&mut tally, "in too many parts", in_parts);
            let right = match judged.possible {
                _ if in_parts => true,
                true if has_comparison => loaded.model.is_some(),
                false if has_comparison && loaded.model.is_some() => true,
                // Of one action the contradiction itself is told.
                false => [Code::NothingExists, Code::RequiresTwoValues, Code::SetsTwoValues]
                    .iter()
                    .any(|code| errors.contains(code)),
                true => {
                    let nothing = usize::from(idle == statement.changes.len());
                    loaded.model.is_some()
                        && count(&loaded, Code::SetsWhatItRequires)
                            + count(&loaded, Code::CountsByNothing)
                            == idle
                        && count(&loaded, Code::ChangesNothing) == nothing
                }
            };
            note(&mut tally, "misjudged", !right);
            if !right {
                wrong.push(format!("seed {seed}: {errors:?}, {idle} idle\n{text}"));
            }
        }
    }
    println!("{tally:?}");
    assert!(wrong.is_empty(), "{} of {:?}, first {}", wrong.len(), tally, wrong[0]);
    for what in ["impossible", "with an idle change", "all idle", "of amounts"] {
        assert!(tally[what] * 100 >= tally["statements"], "{what}: {tally:?}");
    }
    assert!(tally["in too many parts"] * 1000 < tally["statements"], "{tally:?}");
}

/// A domain of statements that are possible, with a compound of some of their actions.
fn any_domain(
    mut stated: Stated,
    dice: &mut SplitMix,
    tally: &mut Tally,
) -> Option<(Stated, Domain)> {
    // Every question says itself what is known.
    stated.folk.iter_mut().for_each(|folk| folk.starts.clear());
    stated.keep_possible();
    if stated.statements.is_empty() || stated.goals.is_empty() {
        return None;
    }
    let loaded = read(&stated.text(), Format::Npc);
    if codes(&loaded).contains(&Code::TooManyParts) {
        note(tally, "domains in too many parts", true);
        return None;
    }
    let plain = Domain::from_loaded(loaded).ok();
    note(tally, "domains", true);
    note(tally, "wrongly refused", plain.is_none());
    let plain = plain?;
    if !dice.percent(50) {
        return Some((stated, plain));
    }
    let runs = |one: &Compound| {
        stated.states().iter().any(|state| stated.after_deed(&one.parts, state).is_some())
    };
    // Mostly one whose parts can follow each other, if there is one.
    let runs_wanted = dice.percent(80);
    let mut drawn = (0..30).filter_map(|_| any_compound(&stated, &plain, dice));
    stated.compound = drawn.find(|one| runs(one) == runs_wanted);
    let Some(compound) = &stated.compound else { return Some((stated, plain)) };
    let loaded = read(&stated.text(), Format::Npc);
    if loaded.model.is_some() {
        note(tally, "compounds", true);
        return Some((stated, Domain::from_loaded(loaded).unwrap()));
    }
    // Parts whose counting is no single change are refused too; which ones, the domain's own tests
    // judge.
    let told = codes(&loaded);
    let is_untold =
        [Code::PartsDoNotCompose, Code::TooManyParts].iter().any(|it| told.contains(it));
    let never = stated.states().iter().all(|s| stated.after_deed(&compound.parts, s).is_none());
    let follows = told.contains(&Code::PartsDoNotFollow) || told.contains(&Code::NothingExists);
    assert!(is_untold || follows, "{told:?}\n{}", stated.text());
    assert!(is_untold || never, "the parts can follow each other\n{}", stated.text());
    note(tally, "compounds refused", true);
    note(tally, "compounds that are no single change", is_untold);
    stated.compound = None;
    Some((stated, plain))
}

/// Two or three actions of the domain that ask for no opposite checks.
fn any_compound(stated: &Stated, domain: &Domain, dice: &mut SplitMix) -> Option<Compound> {
    let actions = domain.model().actions();
    let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
    let mut compound = Compound { names: Vec::new(), parts: Vec::new(), cost: None };
    for _ in 0..dice.within(2, 3) {
        let name = *dice.pick(&names);
        let part =
            stated.deed(name).unwrap_or_else(|| panic!("{name}\n{}", stated.text())).remove(0);
        let of = |part: &Ground| &stated.statements[part.statement];
        let opposite = of(&part).check.is_some_and(|(check, answer)| {
            compound.parts.iter().any(|other| of(other).check == Some((check, !answer)))
        });
        if !opposite && of(&part).kinds.is_empty() {
            compound.names.push(name.to_string());
            compound.parts.push(part);
        }
    }
    compound.cost = dice.percent(50).then_some(400);
    (compound.parts.len() > 1).then_some(compound)
}

/// The same domain in other forms, and its names in generated code.
fn check_forms(stated: &Stated, domain: &Domain) {
    let model = domain.model();
    let twin = Domain::from_loaded(read(&json::write(model), Format::Json)).unwrap();
    assert_eq!(twin.digest(), domain.digest(), "as JSON\n{}", stated.text());
    let again = npc::write(model).unwrap_or_else(|_| panic!("{}", stated.text()));
    let again = Domain::from_loaded(read(&again, Format::Npc)).unwrap();
    assert_eq!(again.digest(), domain.digest(), "as .npc\n{}", stated.text());
    let module = throng::codegen::rust(domain);
    for action in model.actions() {
        let comment = format!("/// `{}`\n", action.name());
        assert!(module.contains(&comment), "{comment}\n{}", stated.text());
    }
}

/// One question, asked of the library, the replay and the interpreter.
struct Asked<'a> {
    stated: &'a Stated,
    domain: &'a Domain,
    answers: &'a [bool],
    start: &'a State,
    goal: usize,
}

impl Asked<'_> {
    fn npc(&self) -> Npc {
        let mut npc = Npc::new(self.domain, "n").unwrap();
        for (variable, value) in self.stated.variables.iter().zip(self.start) {
            if let Some(value) = value {
                npc.set(&variable.name, &variable.values[*value]).unwrap();
            }
        }
        for check in self.failing() {
            npc.set_check(&check, false).unwrap();
        }
        npc
    }

    /// The checks that do not hold, of those that some action asks for.
    fn failing(&self) -> Vec<String> {
        let names = (0..self.answers.len()).filter(|at| !self.answers[*at]);
        let names = names.map(|at| format!("c{at}"));
        names.filter(|name| self.domain.check(name).is_ok()).collect()
    }

    /// Asks; gives the cost found. A plan must be one, and cost what it says.
    fn ask(&self, scratch: &mut Scratch, tally: &mut Tally) -> Option<u64> {
        let wish = self.domain.goal_target(&format!("g{}", self.goal)).unwrap();
        let answer = Planner::new().plan(&self.npc(), &Request::new(wish), scratch);
        match answer.outcome() {
            Outcome::Impossible(_) => return None,
            Outcome::Satisfied => return Some(0),
            Outcome::Plan { .. } => {}
            Outcome::GaveUp(_) => panic!("without limits nobody gives up"),
        }
        let stated = self.stated;
        let place =
            || format!("{:?}\n{}", answer.plan().names().collect::<Vec<_>>(), stated.text());
        let (mut state, mut cost) = (self.start.clone(), 0);
        for name in answer.plan().names() {
            let deed = stated.deed(name).unwrap_or_else(|| panic!("{name}: {}", place()));
            let next = stated.after_deed(&deed, &state);
            let next = next.unwrap_or_else(|| panic!("{name} in {state:?}: {}", place()));
            let changes = deed.iter().flat_map(|one| &stated.statements[one.statement].changes);
            let idle = changes.filter(|change| state[change.variable] == next[change.variable]);
            note(tally, "steps with a change that holds already", idle.count() > 0);
            note(tally, "compounds done", name == COMPOUND);
            cost += stated.cost_of(&deed);
            state = next;
        }
        assert!(stated.all_hold(&stated.goals[self.goal], &[], &state), "{}", place());
        assert_eq!(answer.plan().cost(), Cost(cost), "{}", place());
        self.check_replay(&answer.plan().names().collect::<Vec<_>>(), answer.goal(), cost);
        Some(cost)
    }

    fn check_replay(&self, plan: &[&str], goal: Option<throng::GoalId>, cost: u64) {
        let model = self.domain.model();
        let known = self.stated.variables.iter().zip(self.start);
        let from: Vec<(String, String)> = known
            .filter_map(|(v, value)| Some((v.name.clone(), v.values[(*value)?].clone())))
            .collect();
        let wants = Wanted::of(model, model.goals()[goal.unwrap().index()].conditions());
        let failing = self.failing();
        let context = CheckContext::Without(&failing);
        let question =
            Question { npc: "n", from: &from, wants: &wants, context, ..Question::default() };
        let verdict = replay(model, &question, plan).unwrap();
        assert_eq!(verdict, Verdict::Valid { cost: Cost(cost) }, "{}", self.stated.text());
    }
}

#[test]
fn plans_are_the_cheapest_of_what_the_statements_say() {
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    let mut wrong = Vec::new();
    for (seed, draw) in (0..seeds()).flat_map(|seed| DRAWN.map(|draw| (seed, draw))) {
        let mut dice = SplitMix::new(seed);
        let stated = draw(&mut dice);
        if !is_small(&stated) {
            continue;
        }
        let Some((stated, domain)) = any_domain(stated, &mut dice, &mut tally) else { continue };
        check_forms(&stated, &domain);
        let answers: Vec<bool> = (0..CHECKS).map(|_| dice.percent(70)).collect();
        let ways = Ways::of(&stated, &answers);
        for _ in 0..4 {
            let start = &stated.any_state(&mut dice);
            for goal in 0..stated.goals.len() {
                let asked =
                    Asked { stated: &stated, domain: &domain, answers: &answers, start, goal };
                let found = asked.ask(&mut scratch, &mut tally);
                let cheapest = ways.cheapest(start, &stated.goals[goal]);
                note(&mut tally, "questions", true);
                note(&mut tally, "plans", found > Some(0));
                note(&mut tally, "impossible", cheapest.is_none());
                let dearer = cheapest.is_some() && found > cheapest;
                note(&mut tally, "wrongly impossible", cheapest.is_some() && found.is_none());
                note(&mut tally, "dearer", dearer);
                if found != cheapest {
                    let text = stated.text();
                    wrong.push(format!(
                        "seed {seed}, g{goal} from {start:?} with checks {answers:?}: \
                         {found:?} instead of {cheapest:?}\n{text}"
                    ));
                }
            }
        }
    }
    println!("{tally:?}");
    assert_eq!(tally["wrongly refused"], 0, "{tally:?}");
    assert!(wrong.is_empty(), "{} wrong of {tally:?}, first {}", wrong.len(), wrong[0]);
    // At least so many in a thousand questions.
    for (what, share) in [
        ("plans", 200),
        ("impossible", 200),
        ("steps with a change that holds already", 30),
        ("compounds done", 2),
    ] {
        assert!(tally[what] * 1000 >= tally["questions"] * share, "{what}: {tally:?}");
    }
}
