//! The planning field's files, damaged.
//!
//! In:   any bytes: a domain, a problem and a plan, with [`NEXT`] between them; or a `.sas` text.
//! Out:  which way they went, or the promise that was broken.

use crate::seeds::{self, NEXT};
use crate::targets::{NEAR, Seen, Verdict, feature_of, promise, report_is_sound};
use std::fmt::Write as _;
use throng_base::SplitMix;
use throng_pddl::convert::{counted_out, to_counted_domain_until, to_numeric_pddl_until};
use throng_pddl::ground::{self, GroundError, Grounded, GroundedCounting, ground, ground_counted};
use throng_pddl::lifted::Lifted;
use throng_pddl::named::NamedTask;
use throng_pddl::plan::read_plan;
use throng_pddl::read::{self, Reading, Text, read_task};
use throng_pddl::sas;
use throng_pddl::validate::validate;
use throng_planner::forward::{Found, Search};
use throng_planner::{Mode, SearchBudget};
use throng_suite::pddl::{Features, draft};

/// Small, so that every limit is met and nothing legal is slow.
const READ: read::Limits = read::Limits {
    text_bytes: 150_000,
    name_bytes: 64,
    declarations: 200,
    facts: 2_000,
    entries: 20_000,
};
const GROUND: ground::Limits = ground::Limits {
    atoms: 2_000,
    operators: 2_000,
    literals: 128_000,
    joins: 200_000,
    bytes: 64 << 20,
};
const SAS: sas::Limits = sas::Limits {
    text_bytes: 150_000,
    variables: 500,
    values: 500,
    operators: 2_000,
    rules: 500,
    mutexes: 500,
};
const BUDGET: SearchBudget<'static> = SearchBudget { nodes: 300, bytes: 4 << 20, stop: None };
const MODES: [Mode; 3] = [Mode::Shortest, Mode::Cheapest, Mode::Fast];
/// So many random tasks of each kind to begin with.
const RANDOM: u64 = 60;

#[rustfmt::skip]
pub(crate) const WORDS: [&str; 90] = [
    "(", ")", "()", "(define", "(domain d)", "(problem p)", "(:domain d)", "(:requirements",
    ":strips", ":adl", ":typing", ":fluents", ":durative-actions", "(:types", "(:constants",
    "(:objects", "(:predicates", "(:functions", "(:action", ":parameters", ":precondition",
    ":preconditions", ":effect", ":effects", "(:derived", "(:init", "(:goal", "(:metric minimize",
    "(total-cost)", "(increase (total-cost) 1)", "(increase", "(decrease", "(assign", "(and",
    "(or", "(not", "(imply", "(exists (?x)", "(forall (?x)", "(when", "(= ?x ?y)", "(either a b)",
    "- object", "-object", "?x", "?", "-", ";", "; c\n", "\n", "object", "(:durative-action",
    "(:constraints", "(at 3 (p))", "(over all (p))", "(preference", "(:types a - b b - a)", "(p)",
    "(not (p))", "(= (toll o0) 3)", "(= (total-cost) 0)", ":duration", "(:process", "number",
    "(:goal (and))", "(:init)", "1.5", "-1", "99999999999", "(:length", "(:metric maximize", "#t",
    ":numeric-fluents", "(gold)", "(fuel ?x)", "(fuel o0)", "(>= (gold) 3)", "(< (fuel ?x) (gold))",
    "(= (gold) 5)", "(<= 2 (gold))", "(> (gold) -1)", "(increase (gold) 2)", "(decrease (gold) 1)",
    "(assign (gold) 4)", "(increase (fuel ?x) (gold))", "(when (> (gold) 6) (assign (gold) 9))",
    "(= (fuel o0) 3)", "1000000000", "nan", "1e300",
];

#[rustfmt::skip]
pub(crate) const SAS_WORDS: [&str; 24] = [
    "begin_version", "3", "end_version", "begin_metric", "end_metric", "begin_variable",
    "end_variable", "begin_mutex_group", "end_mutex_group", "begin_state", "end_state",
    "begin_goal", "end_goal", "begin_operator", "end_operator", "begin_rule", "end_rule", "-1",
    "0 -1 1", "1 0 1 0 -1 1", "0", "1", "2", "<none of those>",
];

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let random = texts().map(|[domain, problem]| format!("{domain}{NEXT}{problem}{NEXT}(a0 o0)\n"));
    seeds::pddl().into_iter().chain(random.map(String::into_bytes)).collect()
}

pub(crate) fn sas_seeds() -> Vec<Vec<u8>> {
    let grounded = texts().filter_map(|texts| {
        let [domain, problem] = &texts;
        let task = read(domain, problem).task?;
        sas::write(&ground(&task, &GROUND, None).ok()?.named).ok()
    });
    grounded.map(String::into_bytes).collect()
}

fn texts() -> impl Iterator<Item = [String; 2]> {
    let all = (0..RANDOM).map(|seed| draft(seed, Features::ALL).texts());
    let any = (0..RANDOM).map(|seed| draft(seed, Features::any(&mut SplitMix::new(seed))).texts());
    all.chain(any)
}

fn read(domain: &str, problem: &str) -> Reading {
    let domain = Text { name: "domain.pddl", text: domain };
    read_task(domain, Text { name: "problem.pddl", text: problem }, &READ)
}

pub(crate) fn run(bytes: &[u8]) -> Verdict {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(Seen { loaded: false, is_near: false, feature: "no text".to_string() });
    };
    let mut texts = text.splitn(3, NEXT.trim());
    let [domain, problem, plan] = [(); 3].map(|()| texts.next().unwrap_or_default());
    let reading = read(domain, problem);
    let mut feature = feature(&reading);
    report_is_sound(reading.task.is_some(), &reading.report, &reading.sources)?;
    let is_near = feature.matches('E').count() <= NEAR;
    let loud = read(&domain.to_ascii_uppercase(), &problem.to_ascii_uppercase());
    promise(loud.task == reading.task, "case makes no difference", String::new)?;
    let steps = read_plan(plan);
    let Some(task) = &reading.task else { return Ok(Seen { loaded: false, is_near, feature }) };
    let is_judged = is_small(task);
    if let (Ok(steps), true) = (steps, is_judged) {
        _ = write!(feature, " {}", validate(task, &steps[..steps.len().min(20)]).is_valid());
    }
    let counting = task.has_numbers().then(|| ground_counted(task, &GROUND, None, &mut |_| {}));
    if let Some(Ok(made)) = &counting {
        if is_judged {
            counts(task, made, &mut feature)?;
        }
        return Ok(Seen { loaded: true, is_near, feature });
    }
    let grounded = match counting {
        Some(Err(refusal)) => Err(refusal),
        _ => ground(task, &GROUND, None),
    };
    match grounded {
        Ok(grounded) if is_judged => plans(task, &grounded, &mut feature)?,
        Ok(_) => feature.push_str(" large"),
        Err(refusal) => {
            let word = format!("{refusal:?}");
            _ = write!(feature, " {}", word.split([' ', '{']).next().unwrap_or_default());
            promise(!refusal.to_string().is_empty(), "a refusal in words", String::new)?;
            let strange = matches!(refusal, GroundError::Stopped);
            promise(!strange, "nobody said stop", || word.clone())?;
        }
    }
    Ok(Seen { loaded: true, is_near, feature })
}

/// The judge tries all objects for all variables: larger tasks are left alone.
fn is_small(task: &Lifted) -> bool {
    let actions = task.actions.iter().map(|action| action.n_variables);
    let axioms = task.axioms.iter().map(|axiom| axiom.n_variables);
    let most = actions.chain(axioms).max().unwrap_or(0).max(task.n_goal_variables);
    task.objects.len() <= 12 && most <= 5
}

/// Codes, and sizes to the nearest power of two.
fn feature(reading: &Reading) -> String {
    let sizes = reading.task.as_ref().map(|task| {
        let sizes = [task.types.len(), task.objects.len(), task.predicates.len()];
        [sizes, [task.actions.len(), task.axioms.len(), task.init.len()]]
    });
    feature_of(&reading.report, sizes)
}

/// What counts is read again as it is written, and is a domain or says why it is none; its plans
/// survive the judge.
fn counts(task: &Lifted, made: &GroundedCounting, feature: &mut String) -> Result<(), String> {
    feature.push_str(" counts");
    if made.grounded.unreachable.is_some() {
        return Ok(());
    }
    if let Ok(Some(text)) = to_numeric_pddl_until(&made.counted, "task", &|| false) {
        let domain = Text { name: "domain.pddl", text: &text.domain };
        let problem = Text { name: "problem.pddl", text: &text.problem };
        let again = read_task(domain, problem, &read::Limits::default());
        let said = || format!("{:?}\n{}\n{}", again.report, text.domain, text.problem);
        promise(again.task.is_some(), "what is written can be read", said)?;
    }
    match to_counted_domain_until(&made.counted, "task", &|| false) {
        Ok(made) => _ = write!(feature, " domain {}", made.map_or(0, |made| made.assumed.len())),
        Err(reasons) => {
            promise(!reasons.is_empty(), "a refusal in words", String::new)?;
            _ = write!(feature, " no domain {}", reasons.len());
        }
    }
    let Ok(named) = counted_out(&made.counted) else {
        feature.push_str(" not out");
        return Ok(());
    };
    for mode in MODES {
        let Some(plan) = search(&named, mode, feature) else { continue };
        let verdict = validate(task, &made.plan(task, &plan));
        promise(verdict.is_valid(), "every plan survives the judge", || format!("{verdict:?}"))?;
    }
    Ok(())
}

/// Plans of every mode survive the judge; and through `.sas` the task stays the same.
fn plans(task: &Lifted, grounded: &Grounded, feature: &mut String) -> Result<(), String> {
    for mode in MODES {
        let Some(plan) = search(&grounded.named, mode, feature) else { continue };
        let verdict = validate(task, &grounded.plan(task, &plan));
        promise(verdict.is_valid(), "every plan survives the judge", || format!("{verdict:?}"))?;
    }
    match sas::write(&grounded.named) {
        Ok(text) => sas_round_trip(&grounded.named, &text),
        Err(why) => {
            _ = write!(feature, " {}", why.to_string().len());
            Ok(())
        }
    }
}

fn search(named: &NamedTask, mode: Mode, feature: &mut String) -> Option<Vec<u32>> {
    let mut search = Search::default();
    search.begin(&named.task, mode);
    match search.run(&named.task, &BUDGET) {
        Found::Goal(state) => {
            let mut plan = Vec::new();
            search.extract_plan(state, &mut plan);
            _ = write!(feature, " g{}", plan.len().min(9));
            Some(plan)
        }
        Found::Nothing => {
            feature.push_str(" n");
            None
        }
        Found::Limit(_) => {
            feature.push_str(" l");
            None
        }
    }
}

fn sas_round_trip(named: &NamedTask, text: &str) -> Result<(), String> {
    let again = match sas::read(text, &sas::Limits::default()) {
        Ok(again) => again,
        Err(error) => return Err(format!("what is written can be read\n{error}\n{text}")),
    };
    promise(again.task == named.task, "read again it is the same task", || text.to_string())?;
    let twice = sas::write(&again).unwrap_or_default();
    promise(twice == text, "written again it is the same text", || format!("{text}\n{twice}"))
}

pub(crate) fn run_sas(bytes: &[u8]) -> Verdict {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(Seen { loaded: false, is_near: false, feature: "no text".to_string() });
    };
    let named = match sas::read(text, &SAS) {
        Ok(named) => named,
        Err(error) => {
            let said = error.to_string();
            let lines = text.split('\n').count();
            promise(error.line <= lines.max(1), "the line is in the text", || said.clone())?;
            promise(!said.contains(char::is_control), "no control characters", || said.clone())?;
            // Without the numbers of lines, which would make every error a new one.
            let feature: String = said.chars().filter(|letter| !letter.is_ascii_digit()).collect();
            return Ok(Seen { loaded: false, is_near: false, feature });
        }
    };
    let mut feature = format!("{} {}", named.variables.len(), named.operators.len());
    for mode in MODES {
        if let Some(plan) = search(&named, mode, &mut feature) {
            let judged = sas::replay(&named, &plan);
            promise(judged.is_ok(), "every plan survives the replay", || format!("{judged:?}"))?;
        }
    }
    if let Ok(written) = sas::write(&named) {
        sas_round_trip(&named, &written)?;
    }
    Ok(Seen { loaded: true, is_near: true, feature })
}
