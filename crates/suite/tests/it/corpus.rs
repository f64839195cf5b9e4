//! The corpus: every file loads without a warning, is laid out canonically, passes its own
//! tests, and has a test for every goal, named or chosen (of a template, for one of its goals).

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::HashSet;
use std::path::PathBuf;
use throng::expectations;
use throng::prelude::*;
use throng_domain::formats::npc;
use throng_domain::model::{Target, Test};
use throng_domain::names::template_of;
use throng_lab::corpus;

fn files() -> Vec<PathBuf> {
    let mut files = corpus::files("papers", "npc").unwrap();
    files.extend(corpus::files("fear", "npc").unwrap());
    files.extend(corpus::files("strategy", "npc").unwrap());
    assert!(files.len() >= 17, "the corpus has at least seventeen files");
    files
}

#[test]
fn every_file_loads_without_a_warning() {
    for path in files() {
        let loaded = corpus::read(&path).unwrap();
        // The game has actions that differ in their animation only; the files say so.
        let has_twins = path.ends_with("fear/soldier.npc") || path.ends_with("fear/turret.npc");
        let is_fine = |line: &String| has_twins && line.contains("W105");
        let diagnostics = loaded.report.diagnostics().iter();
        let mut lines: Vec<String> = diagnostics.map(|d| d.short(&loaded.sources)).collect();
        lines.retain(|line| !is_fine(line));
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}

#[test]
fn every_file_is_in_canonical_layout() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let canonical = npc::format(&text, &throng_mind::notes::WORDS).unwrap();
        let differs = canonical.lines().zip(text.lines()).position(|(a, b)| a != b);
        assert!(canonical == text, "{}: from line {:?} on", path.display(), differs);
    }
}

#[test]
fn every_test_in_the_corpus_passes() {
    let mut scratch = Scratch::default();
    let mut count = 0;
    for path in files() {
        let domain = Domain::from_file(&path).unwrap();
        for test in domain.model().tests() {
            let result = expectations::run(&domain, test, &Planner::new(), &mut scratch).unwrap();
            assert!(result.passed(), "{}: {}: {:?}", path.display(), result.name, result.failures);
            count += 1;
        }
    }
    assert!(count >= 220, "{count} tests");
}

#[test]
fn every_goal_has_a_test() {
    for path in files() {
        let domain = Domain::from_file(&path).unwrap();
        let model = domain.model();
        // Who names no goal means the best one that has a plan: then that one was tested.
        let chosen = |test: &Test| {
            let (npc, request) = expectations::setting(&domain, test).unwrap();
            Planner::new().plan(&npc, &request, &mut Scratch::default()).goal()
        };
        let asked = |test: &Test| match test.ask() {
            Target::Goal(goal) => vec![*goal],
            Target::Any(goals) => goals.clone(),
            Target::Best => chosen(test).into_iter().collect(),
            Target::Conditions(_) => Vec::new(),
        };
        let tested: HashSet<_> = model.tests().iter().flat_map(asked).collect();
        let templates: HashSet<_> = (tested.iter())
            .filter_map(|id| template_of(model.goals()[id.index()].name()))
            .collect();
        for goal in model.goals() {
            let id = domain.goal(goal.name()).unwrap();
            let by_another = template_of(goal.name()).is_some_and(|of| templates.contains(of));
            assert!(tested.contains(&id) || by_another, "{}: {}", path.display(), goal.name());
        }
    }
}

#[test]
fn the_western_has_the_size_the_paper_gives() {
    let size = |file: &str| {
        let domain = Domain::from_file(corpus::folder().join("papers").join(file)).unwrap();
        let model = domain.model();
        let values = model.variables().iter().map(|v| v.values().len()).max().unwrap();
        (
            model.variables().len(),
            values,
            model.actions().len(),
            model.npcs().len(),
            model.goals().len(),
        )
    };
    assert_eq!(size("western.npc"), (29, 5, 58, 7, 9));
    assert_eq!(size("western_restricted.npc"), (19, 2, 37, 5, 6));
}
