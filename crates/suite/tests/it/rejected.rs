//! Every kind of mistake has an example, and every example is told as it was reviewed.
//!
//! In:   `domains/rejected`: a file for each code, named after it, and files with many
//!       mistakes at once. In `domains/rejected/pddl` an example is a domain, a problem or both
//!       (`E110-unclosed-domain.pddl`); what is missing is that of the boxes, which is right.
//!       In `domains/rejected/first-tries` stand the mistakes of people who are new to the
//!       language, each with the statement as it should be in a comment (`# cured: …`).
//! Out:  the rendering beside each file (`.txt`), and the table in `docs/diagnostics.md`.
//!
//! With `UPDATE_GOLDEN=1` in the environment the expected texts are written anew; they are
//! reviewed like code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use throng_cli::render::render;
use throng_domain::formats::{Loaded, decode, load};
use throng_domain::{Code, Format, Limits, Report, Severity, Sources};
use throng_pddl::read::{Text, read_task};
use throng_suite::golden::difference;
use throng_world::story::read::NotesRead;

#[test]
fn every_example_is_told_as_it_was_reviewed() {
    let mut different = Vec::new();
    for name in examples() {
        let told = told(&name);
        let told = render(&told.report, &told.sources, false);
        let expected = folder().join(stem(&name) + ".txt");
        different.extend(difference(&expected, told.as_str()));
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn an_example_has_its_mistake_and_no_other() {
    for (name, code) in examples().into_iter().filter_map(|name| Some((name.clone(), code(&name)?)))
    {
        let told = told(&name);
        let codes: BTreeSet<Code> = told.report.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(codes, BTreeSet::from([code]), "{name}");
        let loads = code.severity() == Severity::Warning;
        assert_eq!(told.loads, loads, "{name}: only errors stop the load");
    }
}

#[test]
fn what_stands_in_for_a_missing_file_is_right() {
    let told = told("pddl/boxes.pddl");
    assert!(told.loads && told.report.diagnostics().is_empty());
}

#[test]
fn every_code_has_an_example() {
    let shown: BTreeSet<Code> = examples().iter().filter_map(|name| code(name)).collect();
    let missing: Vec<&str> =
        Code::ALL.iter().filter(|code| !shown.contains(code)).map(|code| code.id()).collect();
    assert!(missing.is_empty(), "no file in domains/rejected for {missing:?}");
}

/// Checks that look like others have had a warning of their own (W118) before these.
const OF_MINDS_AND_LEVELS: [&str; 29] = [
    "E140", "E141", "E142", "E143", "E144", "E145", "E146", "E147", "E148", "E149", "E150", "E151",
    "E152", "E153", "E154", "W118", "W141", "W142", "W143", "W144", "W145", "W146", "W147", "W148",
    "W149", "W150", "W151", "W152", "W153",
];

#[test]
fn every_mistake_about_minds_and_levels_is_known_and_shown() {
    let shown: BTreeSet<&str> =
        examples().iter().filter_map(|name| code(name)).map(Code::id).collect();
    let missing: Vec<&&str> =
        OF_MINDS_AND_LEVELS.iter().filter(|id| !shown.contains(*id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_expected_text_belongs_to_an_example() {
    let known: BTreeSet<String> = examples().iter().map(|name| stem(name)).collect();
    let below = |place: &str| -> Vec<String> {
        let names = files_of(&folder().join(place), &["txt"]);
        names.iter().map(|name| format!("{place}/{name}")).collect()
    };
    let names = files_of(&folder(), &["txt"]).into_iter();
    for name in names.chain(below("pddl")).chain(below(FIRST_TRIES)) {
        assert!(known.contains(&stem(&name)), "{name} has no example");
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let files =
        [("many-mistakes.npc", 15), ("tool-mistakes.json", 10), ("pddl/many-mistakes.pddl", 15)];
    for (name, least) in files {
        let told = told(name);
        let codes: BTreeSet<Code> = told.report.diagnostics().iter().map(|d| d.code).collect();
        assert!(codes.len() >= least, "{name} has only {codes:?}");
    }
}

#[test]
fn what_uses_a_broken_declaration_is_not_told_as_well() {
    let loaded = loaded("broken-declarations.npc");
    let spread: Vec<String> =
        loaded.report.diagnostics().iter().map(|d| d.short(&loaded.sources)).collect();
    // Below this line of the file stand only uses, and they are right.
    let uses = line_of(&loaded, "# From here on");
    let first = loaded.report.diagnostics().iter().map(|d| loaded.sources.place(d.span).line);
    assert!(first.max().unwrap() < uses, "{}", spread.join("\n"));
}

#[test]
fn a_first_try_is_told_at_its_place_and_the_cure_works() {
    for name in first_tries() {
        let told = loaded(&name);
        let text = told.sources.files()[0].text().to_string();
        let lines: Vec<&str> = text.split(['\n', '\r']).collect();
        let wrong = wrong_statements(&lines);
        let found: BTreeSet<usize> = told
            .report
            .diagnostics()
            .iter()
            .map(|d| {
                assert_eq!(d.severity(), Severity::Error, "{name}: {}", d.text);
                assert!(d.cure.len() <= 200, "{name}: too long: {}", d.cure);
                // The file with CR alone is one line to everybody else.
                let line = told.sources.place(d.span).line as usize - 1;
                wrong.iter().rposition(|statement| statement.contains(&line)).unwrap_or_else(|| {
                    panic!("{name}:{}: nothing is wrong here: {}", line + 1, d.text)
                })
            })
            .collect();
        let missed: Vec<_> = (0..wrong.len()).filter(|at| !found.contains(at)).collect();
        let missed: Vec<&str> = missed.into_iter().map(|at| lines[wrong[at].start]).collect();
        assert!(missed.is_empty(), "{name}: nothing is said of {missed:?}");
        let cured = cured(&lines, &wrong);
        let path = format!("domains/rejected/{name}");
        let mut none = |_: &str| Err("no such file".to_string());
        let loaded = load(
            &path,
            &cured,
            Format::Npc,
            &Limits::default(),
            &throng_mind::notes::WORDS,
            &mut none,
        );
        let told = render(&loaded.report, &loaded.sources, false);
        assert!(loaded.report.diagnostics().is_empty(), "{name}, cured:\n{}", told.as_str());
    }
}

#[test]
fn what_is_called_like_a_word_of_the_language_is_no_mistake() {
    let text = "domain in\nvar cost: low, high, not\nvar not: to, is, in, 1, 2  was set, then\n\
        var effect: needs, while, or\nvar everything: 0, 1\n\
        action needs: cost low -> high, effect needs -> while  if cost, not while, then\n\
        action effect: effect -> needs, cost -> low\n\
        action set(was in cost, cost in not): cost -> was, not -> cost\n    was do, urgent\n\
        action do: not -> to  while cost = not or effect = or, not (not = is)\n\
        action everything: everything += 1  kinds if if then, cost cost 2, was\n\
        goal urgent: cost = low, not != to  priority 2  was a, urgent_one, keep\n\
        goal cost: everything = 1\n\
        npc can\n    can do, set, everything, effect, needs\n    wants urgent, cost\n    starts cost = low, not = in, everything = 0\n\
        test to: can\n    goal cost\n    without cost, then, while\n    expect plan everything\n";
    let mut none = |_: &str| Err("no such file".to_string());
    let loaded = load(
        "odd.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut none,
    );
    let told = render(&loaded.report, &loaded.sources, false);
    assert!(!loaded.report.has_errors(), "{}", told.as_str());
    let model = loaded.model.unwrap();
    let names: Vec<&str> =
        model.npcs()[0].can().iter().map(|id| model.actions()[id.index()].name()).collect();
    assert!(names.contains(&"everything(0)"), "the action of that name, not all: {names:?}");
}

/// Where statements stand that a comment behind them cures, as lines; the whole file if there is no
/// such comment.
fn wrong_statements(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let begins = |line: &&str| -> bool { !line.is_empty() && !line.starts_with([' ', '#']) };
    let mut wrong = Vec::new();
    for at in 1..lines.len() {
        if lines[at].starts_with(CURED) && !lines[at - 1].starts_with(CURED) {
            wrong.push(lines[..at].iter().rposition(begins).unwrap()..at);
        }
    }
    if wrong.is_empty() {
        wrong.push(0..lines.len());
    }
    wrong
}

/// The text with what the comments say in place of what they cure.
fn cured(lines: &[&str], wrong: &[std::ops::Range<usize>]) -> String {
    let kept = lines.iter().enumerate().filter(|(at, line)| {
        let is_wrong = wrong.iter().any(|statement| statement.contains(at));
        !is_wrong || wrong.len() == 1 && wrong[0].len() == lines.len() || line.starts_with(CURED)
    });
    kept.map(|(_, line)| format!("{}\n", line.strip_prefix(CURED).unwrap_or(line))).collect()
}

#[test]
fn the_page_of_codes_is_what_the_catalogue_says() {
    let different = difference(&root().join("docs/diagnostics.md"), &page());
    assert!(different.is_none(), "{}", different.unwrap_or_default());
}

/// `docs/diagnostics.md`.
fn page() -> String {
    let mut page = String::from(PAGE_HEAD);
    let examples = examples();
    for &code in Code::ALL {
        let own = |name: &&String| self::code(name) == Some(code);
        let example = match examples.iter().find(own) {
            Some(name) => {
                let link = |word: &str, file: &str| format!("[{word}](../domains/rejected/{file})");
                let mut links: Vec<String> = match pair(name) {
                    Some(files) => files.iter().map(|(word, file)| link(word, file)).collect(),
                    None => vec![link("file", name)],
                };
                links.push(link("message", &format!("{}.txt", stem(name))));
                links.join(", ")
            }
            // That each has one is a test of its own; the meaning is told either way.
            None => "–".to_string(),
        };
        page.push_str(&format!("| {} | {} | {example} |\n", code.id(), code.title()));
    }
    page
}

/// Mistakes of people who are new to the language.
const FIRST_TRIES: &str = "first-tries";
/// What a comment begins with that says how the statement before it should be.
const CURED: &str = "# cured: ";

const PAGE_HEAD: &str = "\
# Diagnostics

Every mistake that Throng finds in a domain has a code.
Codes that begin with `E` are errors: the domain cannot be used until they are mended.
Codes that begin with `W` are warnings: everything works, but something is probably not what was meant.
A code never changes its meaning and is never used again for another.

All mistakes of a file are told at once, each with its place, the line, and the cure; `throng check --format short` gives one line each for editors.
What a file says of minds and stories is judged as soon as the planner's part of it is right, again all of it at once; only a story in which an `actor`, `thing` or `node` cannot be read is held against the world's vocabulary later.
A file without a story is held against the body that it names, if that is `kit` or `world`, or against what `throng check --vocabulary` gives.
What only follows from another mistake is not told: a variable whose declaration is broken is not reported as unknown where it is used.

What people write who know other languages is collected in [first-tries](../domains/rejected/first-tries), each mistake with the statement as it should be; a test sees that the cures work.

This table is made from the catalogue in the code; a test keeps it true.

| code | meaning | example |
|---|---|---|
";

/// What is said of an example, and whether it loads all the same.
struct Told {
    report: Report,
    sources: Sources,
    loads: bool,
}

fn told(name: &str) -> Told {
    if pair(name).is_some() {
        return told_pair(name);
    }
    let Loaded { report, sources, model } = loaded(name);
    Told { report, sources, loads: model.is_some() }
}

/// The files of an example in PDDL that are its own, with what they are.
fn pair(name: &str) -> Option<Vec<(&'static str, String)>> {
    let stem = name.strip_suffix(".pddl")?;
    let files = ["domain", "problem"].map(|word| (word, format!("{stem}-{word}.pddl")));
    Some(files.into_iter().filter(|(_, file)| folder().join(file).exists()).collect())
}

/// Reads a domain and a problem.
fn told_pair(name: &str) -> Told {
    let own = pair(name).unwrap();
    let path = |word: &str| match own.iter().find(|(own, _)| *own == word) {
        Some((_, file)) => file.clone(),
        None => format!("pddl/boxes-{word}.pddl"),
    };
    let [domain, problem] = ["domain", "problem"].map(|word| {
        let path = path(word);
        (format!("domains/rejected/{path}"), fs::read_to_string(folder().join(path)).unwrap())
    });
    let text = |(name, text)| Text { name, text };
    let limits = throng_pddl::read::Limits::default();
    let reading = read_task(
        text((domain.0.as_str(), domain.1.as_str())),
        text((problem.0.as_str(), problem.1.as_str())),
        &limits,
    );
    Told { report: reading.report, sources: reading.sources, loads: reading.task.is_some() }
}

/// Loads an example as a program would, under the name by which people know it.
fn loaded(name: &str) -> Loaded {
    let bytes = fs::read(folder().join(name)).unwrap();
    let limits = limits(name, &String::from_utf8_lossy(&bytes));
    let name = format!("domains/rejected/{name}");
    let text = match decode(&name, bytes) {
        Ok(text) => text,
        Err(refused) => return *refused,
    };
    let mut fetch = |path: &str| {
        fs::read_to_string(folder().join(path)).map_err(|_| "no such file".to_string())
    };
    with_minds(load(
        &name,
        &text,
        Format::of_path(&name).unwrap(),
        &limits,
        &throng_mind::notes::WORDS,
        &mut fetch,
    ))
}

/// The same with what the readers of minds and stories have to say: they are asked where the domain
/// has no errors.
fn with_minds(mut loaded: Loaded) -> Loaded {
    let Some(model) = &loaded.model else { return loaded };
    let told = NotesRead::of(model).report;
    told.diagnostics().iter().for_each(|d| loaded.report.add(d.clone()));
    if told.has_errors() {
        loaded.model = None;
    }
    loaded
}

/// The limits of an example: a line `# limit actions 3` at the top of a file sets one.
fn limits(name: &str, text: &str) -> Limits {
    let mut limits = Limits::default();
    // JSON has no comments.
    if name == "E081-json-too-deep.json" {
        limits.json_depth = 6;
    }
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    for words in lines.filter_map(|line| line.strip_prefix("# limit ")) {
        let (field, number) = words.split_once(' ').unwrap();
        let number = number.parse().unwrap();
        *match field {
            "text_bytes" => &mut limits.text_bytes,
            "files" => &mut limits.files,
            "include_depth" => &mut limits.include_depth,
            "json_depth" => &mut limits.json_depth,
            "name_bytes" => &mut limits.name_bytes,
            "variables" => &mut limits.variables,
            "values" => &mut limits.values,
            "actions" => &mut limits.actions,
            "template" => &mut limits.template,
            "alternatives" => &mut limits.alternatives,
            "declarations" => &mut limits.declarations,
            "entries" => &mut limits.entries,
            _ => panic!("{name}: there is no limit `{field}`"),
        } = number;
    }
    limits
}

/// The code that a file's name begins with.
fn code(name: &str) -> Option<Code> {
    let name = name.strip_prefix("pddl/").unwrap_or(name);
    let id = name.split('-').next().unwrap_or_default();
    Code::ALL.iter().copied().find(|code| code.id() == id)
}

/// The first line of the file that begins with `words`.
fn line_of(loaded: &Loaded, words: &str) -> u32 {
    let text = loaded.sources.files()[0].text();
    let line = text.lines().position(|line| line.starts_with(words)).unwrap();
    u32::try_from(line + 1).unwrap()
}

/// The names of all examples, in order.
fn examples() -> Vec<String> {
    let mut names = files_of(&folder(), &["npc", "json"]);
    let pddl = files_of(&folder().join("pddl"), &["pddl"]);
    let stems: BTreeSet<&str> = pddl
        .iter()
        .filter_map(|name| name.strip_suffix("-domain.pddl").or(name.strip_suffix("-problem.pddl")))
        .collect();
    let wrong = stems.iter().filter(|&&stem| stem != "boxes");
    names.extend(wrong.map(|stem| format!("pddl/{stem}.pddl")));
    names.extend(first_tries());
    names
}

fn first_tries() -> Vec<String> {
    let names = files_of(&folder().join(FIRST_TRIES), &["npc"]);
    names.iter().map(|name| format!("{FIRST_TRIES}/{name}")).collect()
}

fn files_of(folder: &Path, endings: &[&str]) -> Vec<String> {
    let has_ending =
        |name: &String| endings.iter().any(|ending| name.ends_with(&format!(".{ending}")));
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        entries.map(|name| name.into_string().unwrap()).filter(has_ending).collect();
    names.sort();
    names
}

fn stem(name: &str) -> String {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string()
}

fn folder() -> PathBuf {
    root().join("domains/rejected")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
