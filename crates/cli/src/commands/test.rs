//! `throng test`: the `test` statements of files and folders, and the promises of stories.

use crate::args::TestArgs;
use crate::console::{CommandResult, Console, Fail, bad, because_of_errors, count, plain};
use crate::loading::{self, Unusable, has_throng_key};
use crate::writing::replace;
use crate::{BAD, FINE, NO};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use throng::domain::read_bounded;
use throng::expectations::run as run_test;
use throng::{Domain, Planner, Scratch};
use throng_domain::{Format, Limits};
use throng_world::story::Story;
use throng_world::story::judged::judge;
use throng_world::story::run::PlayError;

#[derive(Serialize)]
struct TestShape {
    file: String,
    line: u32,
    test: String,
    passed: bool,
    failures: Vec<String>,
}

/// A file whose tests could not run.
#[derive(Serialize)]
struct UnusableShape {
    file: String,
    mistakes: Vec<String>,
}

#[derive(Serialize)]
struct ReportShape {
    passed: usize,
    failed: usize,
    tests: Vec<TestShape>,
    unusable: Vec<UnusableShape>,
}

/// A file to run.
struct Found {
    path: PathBuf,
    /// Named by the user, not found in a folder.
    named: bool,
}

pub(crate) fn run(args: &TestArgs, console: &mut Console<'_>) -> CommandResult {
    let mut loaded = Vec::new();
    for found in find(&args.paths)? {
        let domain = loading::try_domain_by_ending(&found.path, console);
        loaded.push((found, domain));
    }
    if let Some(report) = &args.junit {
        is_no_input(report, &loaded)?;
    }
    leave_out_parts(&mut loaded);
    let n_files = loaded.len();
    let mut n_stories = 0;
    let mut report = ReportShape { passed: 0, failed: 0, tests: vec![], unusable: vec![] };
    for (found, domain) in loaded {
        if console.interrupted() {
            return Ok(crate::INTERRUPTED);
        }
        match domain {
            Ok(domain) => {
                run_file(&domain, args.json, &mut report.tests, console)?;
                n_stories += usize::from(Story::is_in(domain.model()));
                play(&found, &domain, args.json, &mut report, console)?;
            }
            Err(unusable) => {
                unusable.show(console);
                console.message(&format!("error: {}", unusable.message));
                let file = found.path.display().to_string();
                report.unusable.push(UnusableShape { file, mistakes: unusable.lines });
            }
        }
    }
    report.failed = report.tests.iter().filter(|test| !test.passed).count();
    report.passed = report.tests.len() - report.failed;
    // A story that was cut short says nothing about its promises.
    if console.interrupted() {
        return Ok(crate::INTERRUPTED);
    }
    let mut where_from = count(n_files, "file");
    if n_stories > 0 {
        let stories = if n_stories == 1 { "story" } else { "stories" };
        where_from.push_str(&format!(", {n_stories} {stories}"));
    }
    tell(&report, &where_from, args, console)
}

/// Prints and writes the report; gives the exit code.
fn tell(
    report: &ReportShape,
    where_from: &str,
    args: &TestArgs,
    console: &mut Console<'_>,
) -> CommandResult {
    if let Some(path) = &args.junit {
        write_junit(path, report)?;
    }
    match args.json {
        true => console.json(report)?,
        false => {
            let (passed, failed) = (report.passed, report.failed);
            writeln!(console, "{passed} passed, {failed} failed, in {where_from}")?;
        }
    }
    if !report.unusable.is_empty() {
        return Ok(BAD);
    }
    if report.tests.is_empty() {
        return bad(
            "no `test` statement found, and no story with promises; add one, as in `test dawn: horse_breeder`",
        );
    }
    Ok(if report.failed > 0 { NO } else { FINE })
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
        let Some(result) = run_test(domain, test, &planner, &mut scratch) else { continue };
        let place = sources.place(result.span);
        let file = sources.file(place.file).map_or("", |file| file.name());
        if !quiet && !result.passed() {
            writeln!(console, "{file}:{}: {} failed", place.line, result.name)?;
            for (span, text) in &result.failures {
                writeln!(console, "    line {}: {text}", sources.place(*span).line)?;
            }
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

/// Plays the story of a file, if it tells one: each promise is a test.
fn play(
    found: &Found,
    domain: &Domain,
    quiet: bool,
    report: &mut ReportShape,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let (sources, name) = (domain.model().sources(), found.path.display().to_string());
    let judged = match judge(domain.model(), || console.interrupted()) {
        Ok(judged) => judged,
        Err(PlayError::Mistakes(mistakes)) => {
            console.show(&mistakes, sources);
            let why = because_of_errors(&mistakes);
            console.message(&format!("error: `{name}` cannot be played {why}"));
            let mistakes = mistakes.diagnostics().iter().map(|it| it.short(sources)).collect();
            report.unusable.push(UnusableShape { file: name, mistakes });
            return Ok(());
        }
        Err(refused) => {
            let why = refused.to_string();
            console.message(&format!("error: `{name}` cannot be played: {why}"));
            report.unusable.push(UnusableShape { file: name, mistakes: vec![why] });
            return Ok(());
        }
    };
    for promise in judged {
        let place = sources.place(promise.span);
        let file = sources.file(place.file).map_or("", |file| file.name()).to_string();
        if let Some(why) = promise.broken.as_ref().filter(|_| !quiet) {
            writeln!(console, "{file}:{}: {} failed", place.line, promise.name)?;
            writeln!(console, "    line {}: {why}", place.line)?;
        }
        report.tests.push(TestShape {
            file,
            line: place.line,
            test: promise.name,
            passed: promise.broken.is_none(),
            failures: promise.broken.into_iter().collect(),
        });
    }
    Ok(())
}

/// The files of all paths, folders searched in order of name.
fn find(paths: &[PathBuf]) -> Result<Vec<Found>, Fail> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            in_folder(path, 0, &mut files)?;
            if files.len() == before {
                let name = path.display();
                return bad(format!(
                    "`{name}` has no .npc file, and no .json file with the key `throng`"
                ));
            }
        } else {
            files.push(Found { path: path.clone(), named: true });
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path, depth: usize, files: &mut Vec<Found>) -> Result<(), Fail> {
    let name = folder.display();
    if depth > 32 {
        return bad(format!("`{name}` is nested too deep"));
    }
    let entries = std::fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.and_then(|e| Ok((e.path(), e.file_type()?)))).collect()
    });
    let mut entries: Vec<(PathBuf, std::fs::FileType)> = match entries {
        Ok(entries) => entries,
        Err(error) => return bad(format!("cannot read `{name}`: {}", plain(&error))),
    };
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, kind) in entries {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        // A link to a folder is not followed: it may lead back here.
        if kind.is_dir() && !hidden {
            in_folder(&path, depth + 1, files)?;
        } else if path.is_file() && is_domain(&path) {
            files.push(Found { path, named: false });
        }
    }
    Ok(())
}

/// Whether a file of a folder is ours. Every project has other JSON files, so those must have
/// the key that our own have; a broken one is ours if it mentions it.
fn is_domain(path: &Path) -> bool {
    match Format::of_path(&path.display().to_string()) {
        None => return false,
        Some(Format::Npc) => return true,
        Some(Format::Json) => {}
    }
    let limits = Limits::default();
    // What cannot be read is for the loader to complain about.
    let Ok(bytes) = read_bounded(path, &limits) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    text.contains("\"throng\"") && has_throng_key(&text).unwrap_or(true)
}

/// Leaves out the files of folders that another file includes: they were tested with it, and
/// need not make sense alone.
fn leave_out_parts(loaded: &mut Vec<(Found, Result<Domain, Unusable>)>) {
    let domains = loaded.iter().filter_map(|(_, domain)| domain.as_ref().ok());
    let parts: BTreeSet<PathBuf> = domains
        .flat_map(|domain| domain.model().sources().files().iter().skip(1))
        .filter_map(|file| Path::new(file.name()).canonicalize().ok())
        .collect();
    loaded.retain(|(found, _)| {
        found.named || !found.path.canonicalize().is_ok_and(|path| parts.contains(&path))
    });
}

/// The report that build servers read. A file that cannot be used counts as one test with an
/// error, so that nobody takes its silence for success.
fn write_junit(path: &Path, report: &ReportShape) -> Result<(), Fail> {
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        report.tests.len() + report.unusable.len(),
        report.failed,
        report.unusable.len()
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites {counts}>\n  <testsuite name=\"throng\" {counts}>\n"
    );
    for test in &report.tests {
        let failure = (!test.passed).then(|| ("failure", test.failures.join("\n")));
        xml.push_str(&testcase(&test.file, &test.test, test.line, failure));
    }
    for unusable in &report.unusable {
        let error = ("error", unusable.mistakes.join("\n"));
        xml.push_str(&testcase(&unusable.file, "can be used", 1, Some(error)));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    replace(path, xml)
}

/// Refuses a report that would be written over a file that is tested, or over one that such a
/// file uses, whatever it is called. Asked before anything is run.
fn is_no_input(report: &Path, loaded: &[(Found, Result<Domain, Unusable>)]) -> Result<(), Fail> {
    let Ok(report_file) = report.canonicalize() else { return Ok(()) };
    for (found, domain) in loaded {
        let used: Vec<PathBuf> = match domain {
            Ok(domain) => {
                let files = domain.model().sources().files().iter();
                files.map(|file| PathBuf::from(file.name())).collect()
            }
            Err(unusable) => unusable.files.clone(),
        };
        let mut all = std::iter::once(&found.path).chain(&used);
        if all.any(|path| path.canonicalize().is_ok_and(|path| path == report_file)) {
            let (report, tested) = (report.display(), found.path.display());
            return bad(format!(
                "`{report}` is read to test `{tested}`; name another file for `--junit`"
            ));
        }
    }
    Ok(())
}

fn testcase(file: &str, name: &str, line: u32, trouble: Option<(&str, String)>) -> String {
    let (file, name) = (escape(file), escape(name));
    let open = format!(
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{line}\""
    );
    match trouble {
        None => format!("{open}/>\n"),
        Some((kind, text)) => {
            let text = escape(&text);
            format!("{open}>\n      <{kind} message=\"{text}\"/>\n    </testcase>\n")
        }
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
            // Not allowed in XML, escaped or not.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
