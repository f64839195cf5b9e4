//! `throng test`: the `test` statements of files and folders, and the promises of stories.

use crate::args::TestArgs;
use crate::console::{CommandResult, Console, Fail, bad, because_of_errors, cannot, count};
use crate::loading::{self, LoadFailure, has_throng_key};
use crate::writing::{is_same_file, replace};
use crate::{BAD, FINE, NO};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use throng::domain::read_bounded;
use throng::expectations::run as run_test;
use throng::{Domain, Planner, Scratch};
use throng_domain::source::Location;
use throng_domain::{Format, Limits, Sources, Span};
use throng_world::story::Story;
use throng_world::story::judged::{JudgedStory, judge_staged};
use throng_world::story::run::PlayError;
use throng_world::story::staging::Staging;

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

#[derive(Default, Serialize)]
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
    console.set_root(args.root.as_ref());
    let mut loaded = Vec::new();
    for found in find(&args.paths)? {
        let path = &found.path;
        let named = loading::must_tell_its_format(path).map_err(LoadFailure::from);
        let domain = named.and_then(|()| loading::try_domain(path, None, console));
        loaded.push((found, domain));
    }
    if let Some(report) = &args.junit {
        is_no_input(report, &loaded)?;
    }
    leave_out_parts(&mut loaded);
    let n_files = loaded.len();
    let mut n_stories = 0;
    let mut told = Told { report: ReportShape::default(), quiet: args.json, console };
    for (found, domain) in loaded {
        if told.console.interrupted() {
            return Ok(crate::INTERRUPTED);
        }
        match domain {
            Ok(domain) => {
                run_file(&domain, &mut told)?;
                n_stories += usize::from(Story::is_in(domain.model()));
                play(&found, &domain, args, &mut told)?;
            }
            Err(unusable) => {
                unusable.show(told.console);
                told.cannot(&found, &unusable.message, unusable.lines());
            }
        }
    }
    let Told { mut report, console, .. } = told;
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

/// Runs the `test` statements of a file.
fn run_file(domain: &Domain, told: &mut Told<'_, '_>) -> Result<(), Fail> {
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let tests = domain.model().tests().iter();
    let mut ran = tests.filter_map(|test| run_test(domain, test, &planner, &mut scratch));
    ran.try_for_each(|ran| told.test(domain, ran.name, ran.span, ran.failures))
}

/// Plays the story of a file, if it tells one: each promise is a test. With `--seeds`, on each of
/// them, and a promise must be kept on all.
fn play(
    found: &Found,
    domain: &Domain,
    args: &TestArgs,
    told: &mut Told<'_, '_>,
) -> Result<(), Fail> {
    let (sources, name) = (domain.model().sources(), found.path.display());
    let stop = || told.console.interrupted();
    let judge = |seed| {
        let staging = Staging { seed, late: args.late, questions: args.questions };
        judge_staged(domain.model(), &staging, stop)
    };
    let all = match args.seeds {
        None => judge(None).map(|judged| vec![(None, judged)]),
        Some(most) => {
            let seeds = 1..=u64::from(most);
            let judged = |seed| Ok((Some(seed), judge(Some(seed))?));
            seeds.map(judged).collect()
        }
    };
    let (why, mistakes) = match all {
        Ok(all) => {
            told.notes(&name.to_string(), &all);
            // A story that was cut short has no promises then.
            let n_promises = all.iter().map(|(_, it)| it.promises.len()).min().unwrap_or(0);
            return (0..n_promises).try_for_each(|at| {
                let failures = all.iter().filter_map(|(seed, judged)| {
                    let promise = &judged.promises[at];
                    let why = promise.broken.as_ref()?;
                    let seed = seed.map_or(String::new(), |seed| format!("seed {seed}: "));
                    Some((promise.span, format!("{seed}{why}")))
                });
                let promise = &all[0].1.promises[at];
                told.test(domain, promise.name.clone(), promise.span, failures.collect())
            });
        }
        Err(PlayError::Mistakes(mistakes)) => {
            told.console.show(&mistakes, sources);
            let lines = mistakes.diagnostics().iter().map(|it| it.short(sources)).collect();
            (format!(" {}", because_of_errors(&mistakes)), lines)
        }
        Err(refused) => (format!(": {refused}"), vec![refused.to_string()]),
    };
    told.cannot(found, &format!("`{name}` cannot be played{why}"), mistakes);
    Ok(())
}

/// What came of the tests so far, and where it is told.
struct Told<'t, 'c> {
    report: ReportShape,
    /// Nothing is told before the report.
    quiet: bool,
    console: &'t mut Console<'c>,
}

impl Told<'_, '_> {
    fn test(
        &mut self,
        domain: &Domain,
        test: String,
        span: Span,
        failures: Vec<(Span, String)>,
    ) -> Result<(), Fail> {
        let sources = domain.model().sources();
        let Location { file, line, .. } = sources.place(span);
        let file = sources.file(file).map_or("", |file| file.name()).to_string();
        let passed = failures.is_empty();
        if !self.quiet && !passed {
            writeln!(self.console, "{file}:{line}: {test} failed")?;
            for (span, text) in &failures {
                writeln!(self.console, "    line {}: {text}", sources.place(*span).line)?;
            }
        }
        let failures = failures.into_iter().map(|(_, text)| text).collect();
        self.report.tests.push(TestShape { file, line, test, passed, failures });
        Ok(())
    }

    /// What makes promises say less than they seem to: seeds that change nothing, and what the script
    /// was to do and never did.
    fn notes(&mut self, name: &str, all: &[(Option<u64>, JudgedStory)]) {
        let [(_, first), others @ ..] = all else { return };
        if self.quiet || first.promises.is_empty() {
            return;
        }
        if !others.is_empty() && others.iter().all(|(_, it)| it.digest == first.digest) {
            let n = all.len();
            self.console.message(&format!(
                "note: {name}: all {n} seeds went alike: nothing that was done is left to chance \
                 (`accuracy`, `chance`, `vary`)"
            ));
        }
        let is_never = |text: &&String| others.iter().all(|(_, it)| it.never.contains(text));
        for text in first.never.iter().filter(is_never) {
            self.console.message(&format!("note: {name}: never happened: {text}"));
        }
    }

    /// A file cannot be used: the sentence, and all that is wrong with it.
    fn cannot(&mut self, found: &Found, message: &str, mistakes: Vec<String>) {
        self.console.message(&format!("error: {message}"));
        let file = found.path.display().to_string();
        self.report.unusable.push(UnusableShape { file, mistakes });
    }
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
    let mut entries: Vec<(PathBuf, std::fs::FileType)> = entries.or_else(cannot("read", folder))?;
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
fn leave_out_parts(loaded: &mut Vec<(Found, Result<Domain, LoadFailure>)>) {
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
fn is_no_input(report: &Path, loaded: &[(Found, Result<Domain, LoadFailure>)]) -> Result<(), Fail> {
    for (found, domain) in loaded {
        let sources = match domain {
            Ok(domain) => Some(domain.model().sources()),
            Err(unusable) => unusable.found.as_deref().map(|(_, sources)| sources),
        };
        let used = sources.into_iter().flat_map(Sources::files).map(|file| Path::new(file.name()));
        let mut all = std::iter::once(found.path.as_path()).chain(used);
        if all.any(|path| is_same_file(path, report)) {
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
