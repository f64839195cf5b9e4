//! The planning field's own tasks are grounded, small enough and right.
//!
//! In:   the folder of benchmark tasks that the environment variable `THRONG_PDDL` names. The
//!       files belong to others and are not part of the project, so without it the test says
//!       that it skips. `THRONG_LONG=1` gives each task ten seconds instead of a count of nodes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use throng_pddl::ground::{Grounded, Limits, ground};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan};
use throng_pddl::read::{self, Text, read_task};
use throng_pddl::validate::{Verdict, validate};
use throng_planner::forward::{Found, Search};
use throng_planner::{Mode, SearchBudget};

/// Enough for most small tasks, and little enough for a test.
const NODES: u64 = 20_000;
/// How many of the tasks with a known shortest length are to be solved so, at least.
const SOLVED_AT_LEAST: usize = 60;
/// The same in ten seconds and four gigabytes each.
const LONG: Duration = Duration::from_secs(10);
const LONG_BYTES: usize = 4 << 30;
const SOLVED_AT_LEAST_LONG: usize = 80;

fn is_long() -> bool {
    std::env::var_os("THRONG_LONG").is_some()
}

#[test]
fn shortest_plans_of_ground_tasks_are_as_long_as_others_found_them() {
    let Some(root) = folder() else { return };
    let lengths = expected(&root);
    let (mut n_grounded, mut n_solved) = (0, 0);
    for (domain, problem) in tasks(&root) {
        let Some(lifted) = task(&domain, &problem) else { continue };
        let made = ground(&lifted, &Limits::default(), None)
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", problem.display()));
        assert_eq!(made.unreachable, None, "{}", problem.display());
        n_grounded += 1;
        let name = problem.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let Some(&length) = lengths.get(&name) else { continue };
        if let Some(plan) = plan(&lifted, &made) {
            assert_eq!(plan.len(), length, "{name}");
            let verdict = validate(&lifted, &plan);
            assert!(matches!(verdict, Verdict::Valid { .. }), "{name}: {verdict:?}");
            n_solved += 1;
        }
    }
    assert!(n_grounded >= 130, "only {n_grounded} tasks in {}", root.display());
    println!("{n_grounded} tasks grounded, {n_solved} of {} solved", lengths.len());
    let least = if is_long() { SOLVED_AT_LEAST_LONG } else { SOLVED_AT_LEAST };
    assert!(n_solved >= least, "only {n_solved} of {} solved", lengths.len());
}

/// Quantifiers over objects become plain conditions where facts that never change decide them.
#[test]
fn quantified_conditions_need_no_rules_where_static_facts_decide_them() {
    let Some(root) = folder() else { return };
    for folder in ["assembly", "openstacks-adl", "citycar-adl", "schedule", "maintenance-adl"] {
        for (domain, problem) in
            tasks(&root).iter().filter(|(d, _)| d.starts_with(root.join(folder)))
        {
            let lifted = task(domain, problem).unwrap();
            let made = ground(&lifted, &Limits::default(), None).unwrap();
            assert!(!made.named.task.has_axioms(), "{}", problem.display());
        }
    }
}

/// A shortest plan by names, if it is found within the budget.
fn plan(lifted: &Lifted, made: &Grounded) -> Option<Vec<PlanStep>> {
    let task = &made.named.task;
    let mut search = Search::default();
    search.begin(task, Mode::Shortest);
    let begin = Instant::now();
    let stop = || begin.elapsed() > LONG;
    let found = match is_long() {
        true => search
            .run(task, &SearchBudget { nodes: u64::MAX, bytes: LONG_BYTES, stop: Some(&stop) }),
        false => search.run(task, &SearchBudget { nodes: NODES, ..SearchBudget::DEFAULT }),
    };
    let Found::Goal(state) = found else {
        assert_ne!(found, Found::Nothing, "a plan is known");
        return None;
    };
    let mut operators = Vec::new();
    search.way_to(state, &mut operators);
    let lines: Vec<String> =
        made.plan(lifted, &operators).iter().map(PlanStep::to_string).collect();
    Some(read_plan(&lines.join("\n")).expect("a plan as it is written"))
}

fn task(domain: &Path, problem: &Path) -> Option<Lifted> {
    let (domain_text, problem_text) = (text(domain), text(problem));
    let domain = Text { name: "domain", text: &domain_text };
    let problem = Text { name: "problem", text: &problem_text };
    read_task(domain, problem, &read::Limits::default()).task
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// The folder of tasks, or a word that nothing was tested.
#[allow(clippy::print_stderr, reason = "a test that skips must say so aloud")]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("THRONG_PDDL").map(PathBuf::from).filter(|path| path.is_dir());
    if folder.is_none() {
        eprintln!("SKIPPED: THRONG_PDDL names no folder of benchmark tasks");
    }
    folder
}

/// Lines of the form `"blocks/p.pddl": {` and `"shortest": 6`.
fn expected(root: &Path) -> HashMap<String, usize> {
    let mut lengths = HashMap::new();
    let mut name = String::new();
    for line in text(&root.join("expected.json")).lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let (key, value) = (key.trim().trim_matches('"'), value.trim().trim_end_matches(','));
        match value.parse() {
            Ok(length) if key == "shortest" => drop(lengths.insert(name.clone(), length)),
            _ => key.clone_into(&mut name),
        }
    }
    assert!(lengths.len() > 50, "expected.json was not understood");
    lengths
}

/// Every problem with its domain: `domain.pddl` of the folder, or the one named like it.
fn tasks(root: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut tasks = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let mut files: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".pddl"))
            .collect();
        files.sort();
        for problem in files.iter().filter(|name| !name.contains("domain")) {
            let own = problem.split(['-', '.']).next().unwrap_or_default();
            let candidates =
                [format!("{own}-domain.pddl"), format!("domain_{own}.pddl"), "domain.pddl".into()];
            if let Some(domain) = candidates.iter().find(|name| files.contains(name)) {
                tasks.push((folder.join(domain), folder.join(problem)));
            }
        }
    }
    tasks
}
