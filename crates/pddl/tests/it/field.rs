//! The planning field's own files are read: all but two, which are broken on purpose.
//!
//! In:   the folder of benchmark tasks that the environment variable `THRONG_PDDL` names. The
//!       files belong to others and are not part of the project, so without it the test says
//!       that it skips.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use throng_domain::Code;
use throng_pddl::read::{Limits, Reading, Text, read_task};

/// Folders whose domains are broken on purpose.
const BROKEN: [&str; 2] = ["fridge", "tyreworld"];

#[test]
fn every_task_of_the_field_is_read() {
    let Some(root) = folder() else { return };
    let mut failed = Vec::new();
    let mut n_read = 0;
    for (domain, problem) in tasks(&root) {
        if BROKEN.iter().any(|name| domain.starts_with(root.join(name))) {
            continue;
        }
        let reading = reading(&domain, &problem);
        match reading.task {
            Some(_) => n_read += 1,
            None => failed.push(told(&reading)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(n_read >= 100, "only {n_read} tasks in {}", root.display());
}

#[test]
fn a_type_glued_to_its_dash_is_named() {
    let Some(root) = folder() else { return };
    for (domain, problem) in
        tasks(&root).into_iter().filter(|(d, _)| d.ends_with("fridge/domain.pddl"))
    {
        let reading = reading(&domain, &problem);
        assert!(reading.task.is_none());
        let [error] = errors(&reading)[..] else { panic!("{}", told(&reading)) };
        assert_eq!(error.code, Code::PddlGluedType);
        let place = reading.sources.place(error.span);
        assert_eq!((place.file.0, place.line), (0, 19));
        assert!(error.text.contains("-compressor") && error.cure.contains("- compressor"));
    }
}

#[test]
fn objects_of_the_problem_are_no_constants() {
    let Some(root) = folder() else { return };
    for (domain, problem) in
        tasks(&root).into_iter().filter(|(d, _)| d.ends_with("tyreworld/domain.pddl"))
    {
        let reading = reading(&domain, &problem);
        assert!(reading.task.is_none());
        let errors = errors(&reading);
        assert!(errors.iter().all(|e| e.code == Code::PddlUnknownObject && e.span.file.0 == 0));
        let names: Vec<&str> = errors.iter().map(|e| reading.sources.snippet(e.span)).collect();
        assert_eq!(names, ["wrench", "jack", "pump"]);
        assert!(errors[0].cure.contains("(:constants wrench - tool)"), "{}", errors[0].cure);
    }
}

fn errors(reading: &Reading) -> Vec<&throng_domain::Diagnostic> {
    let errors = reading.report.diagnostics().iter();
    errors.filter(|d| d.severity() == throng_domain::Severity::Error).collect()
}

fn told(reading: &Reading) -> String {
    let lines = reading.report.diagnostics().iter().map(|d| d.short(&reading.sources));
    lines.collect::<Vec<_>>().join("\n")
}

fn reading(domain: &Path, problem: &Path) -> Reading {
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    let (domain_text, problem_text) = (text(domain), text(problem));
    let name = |path: &Path| path.display().to_string();
    read_task(
        Text { name: &name(domain), text: &domain_text },
        Text { name: &name(problem), text: &problem_text },
        &Limits::default(),
    )
}

/// All pairs of domain and problem below the folder, in order.
fn tasks(root: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut tasks = Vec::new();
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.is_dir()) {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        for problem in files {
            let name = problem.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".pddl") || name.contains("domain") {
                continue;
            }
            tasks.push((domain_of(&folder, &name), problem));
        }
    }
    tasks.sort();
    tasks
}

/// One domain for all problems of a folder, or one for each.
fn domain_of(folder: &Path, problem: &str) -> PathBuf {
    let stem = problem.trim_end_matches(".pddl");
    let first = stem.split('-').next().unwrap_or(stem);
    let names = [
        format!("domain_{stem}.pddl"),
        format!("{stem}-domain.pddl"),
        format!("{first}-domain.pddl"),
        "domain.pddl".to_string(),
    ];
    let paths = names.iter().map(|name| folder.join(name));
    paths.into_iter().find(|path| path.exists()).unwrap_or_default()
}

/// The folder of tasks, or a word that nothing was tested.
#[allow(clippy::print_stderr, reason = "a test that skips must say so aloud")]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("THRONG_PDDL").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("SKIPPED: THRONG_PDDL does not name the folder of benchmark tasks");
    }
    folder
}
