//! `throng test`: the `test` statements of files and folders.

use crate::args::TestArgs;
use crate::console::{Console, Fail, Outcome, bad};
use crate::loading;
use crate::{BAD, FINE, NO};
use serde::Serialize;
use std::path::{Path, PathBuf};
use throng::expectations::{TestResult, run as run_test};
use throng::model::Format;
use throng::{Domain, Planner, Scratch};

#[derive(Serialize)]
struct TestShape {
    file: String,
    line: u32,
    test: String,
    passed: bool,
    failures: Vec<String>,
}

#[derive(Serialize)]
struct ReportShape<'a> {
    passed: usize,
    failed: usize,
    tests: &'a [TestShape],
}

pub(crate) fn run(args: &TestArgs, console: &mut Console<'_>) -> Outcome {
    let files = files(&args.paths)?;
    let mut tests = Vec::new();
    let mut unreadable = 0;
    for file in &files {
        match loading::domain(file, None, console) {
            Ok(domain) => run_file(&domain, args.json, &mut tests, console)?,
            Err(Fail::Bad(message)) => {
                console.message(&format!("error: {message}"))?;
                unreadable += 1;
            }
            Err(gone) => return Err(gone),
        }
        if console.interrupted() {
            return Ok(crate::INTERRUPTED);
        }
    }
    let failed = tests.iter().filter(|test| !test.passed).count();
    let passed = tests.len() - failed;
    if let Some(path) = &args.junit {
        write_junit(path, &tests)?;
    }
    if args.json {
        console.json(&ReportShape { passed, failed, tests: &tests })?;
    } else {
        let files = files.len();
        console.line(&format!("{passed} passed, {failed} failed, in {files} files"))?;
    }
    if unreadable > 0 {
        return Ok(BAD);
    }
    if tests.is_empty() {
        return bad("no `test` statement found; add one, as in `test dawn: horse_breeder`");
    }
    Ok(if failed > 0 { NO } else { FINE })
}

fn run_file(
    domain: &Domain,
    quiet: bool,
    tests: &mut Vec<TestShape>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let sources = domain.model().sources();
    for test in domain.model().tests() {
        let result = run_test(domain, test, &planner, &mut scratch);
        let place = sources.place(result.span);
        let file = sources.file(place.file).map_or("", |file| file.name());
        if !quiet && !result.passed() {
            console.line(&format!("{file}:{}: {} failed", place.line, result.name))?;
            list_failures(&result, domain, console)?;
        }
        tests.push(TestShape {
            file: file.to_string(),
            line: place.line,
            passed: result.passed(),
            failures: result.failures.into_iter().map(|(_, text)| text).collect(),
            test: result.name,
        });
    }
    Ok(())
}

fn list_failures(
    result: &TestResult,
    domain: &Domain,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    for (span, text) in &result.failures {
        let line = domain.model().sources().place(*span).line;
        console.line(&format!("    line {line}: {text}"))?;
    }
    Ok(())
}

/// The files of all paths, folders searched in order of name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Fail> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            in_folder(path, 0, &mut files)?;
            if files.len() == before {
                return bad(format!("`{}` has no .npc or .json file", path.display()));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Fail> {
    let name = folder.display().to_string();
    if depth > 32 {
        return bad(format!("`{name}` is nested too deep"));
    }
    let entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|e| e.path())).collect());
    let mut entries: Vec<PathBuf> = match entries {
        Ok(entries) => entries,
        Err(error) => return bad(format!("cannot read `{name}`: {error}")),
    };
    entries.sort();
    for path in entries {
        if path.is_dir() {
            in_folder(&path, depth + 1, files)?;
        } else if Format::of_path(&path.display().to_string()).is_some() {
            files.push(path);
        }
    }
    Ok(())
}

/// The report that build servers read.
fn write_junit(path: &Path, tests: &[TestShape]) -> Result<(), Fail> {
    let failed = tests.iter().filter(|test| !test.passed).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"{}\" failures=\"{failed}\">\n  \
         <testsuite name=\"throng\" tests=\"{}\" failures=\"{failed}\">\n",
        tests.len(),
        tests.len()
    );
    for test in tests {
        let (file, name) = (escape(&test.file), escape(&test.test));
        xml.push_str(&format!(
            "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{}\"",
            test.line
        ));
        if test.passed {
            xml.push_str("/>\n");
            continue;
        }
        let text = escape(&test.failures.join("\n"));
        xml.push_str(&format!(">\n      <failure message=\"{text}\"/>\n    </testcase>\n"));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    match std::fs::write(path, xml) {
        Ok(()) => Ok(()),
        Err(error) => bad(format!("cannot write `{}`: {error}", path.display())),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
