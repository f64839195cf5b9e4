//! What is written can be read back: `.npc → JSON → .npc` keeps the digest, layout keeps the
//! meaning and every comment, and laying out twice changes nothing.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng_domain::compile::CompiledDomain;
use throng_domain::formats::{json, npc};
use throng_domain::notes::{Note, NoteOn, WordKind};
use throng_domain::{Format, Loaded, Model};
use throng_lab::corpus::{self, load_text};
use throng_suite::random::{instance, rich_text};
use throng_suite::shrink::shrink;

fn read(text: &str, format: Format) -> Loaded {
    load_text(text, format)
}

fn digest(model: &Model) -> String {
    CompiledDomain::new(model).digest().to_string()
}

/// A note without its places.
type Said = (NoteOn, &'static str, Vec<(WordKind, String)>);

/// What the notes say: statements in the order of the text, clauses in that of their owners.
fn said(model: &Model) -> Vec<Said> {
    let words = |note: &Note| note.words.iter().map(|w| (w.kind, w.text.clone())).collect();
    let notes = model.notes().iter();
    let mut said: Vec<_> =
        notes.map(|note| (note.on.clone(), note.keyword.word, words(note))).collect();
    // Stable: what belongs to the same stays in order.
    said.sort_by(|a, b| a.0.cmp(&b.0));
    said
}

/// What goes wrong on the way to JSON and back; `None` if nothing does.
fn round_trip_problem(model: &Model) -> Option<String> {
    let first = digest(model);
    let as_json = json::write(model);
    let Some(from_json) = read(&as_json, Format::Json).model else {
        return Some(format!("the JSON does not load\n{as_json}"));
    };
    if digest(&from_json) != first {
        return Some(format!("the JSON has another digest\n{as_json}"));
    }
    if json::write(&from_json) != as_json {
        return Some(format!("the JSON changes when written again\n{as_json}"));
    }
    let Ok(as_npc) = npc::write(&from_json) else {
        return Some("`.npc` cannot express what came from `.npc`".to_string());
    };
    let Some(from_npc) = read(&as_npc, Format::Npc).model else {
        return Some(format!("the written .npc does not load\n{as_npc}"));
    };
    if digest(&from_npc) != first {
        return Some(format!("the written .npc has another digest\n{as_npc}"));
    }
    // Notes and tests are not part of the digest, but they must survive too.
    if said(&from_json) != said(model) {
        return Some(format!("the JSON has other notes\n{as_json}"));
    }
    if said(&from_npc) != said(model) {
        return Some(format!("the written .npc has other notes\n{as_npc}"));
    }
    if json::write(&from_npc) != as_json {
        return Some(format!("the twin changes after .npc\n{as_npc}"));
    }
    let same_tests = from_npc.tests().len() == model.tests().len()
        && from_npc.tests().iter().zip(model.tests()).all(|(a, b)| {
            let expects = |t: &throng_domain::model::Test| -> Vec<_> {
                t.expects().iter().map(|(expect, _)| expect.clone()).collect()
            };
            (a.name(), a.npc(), a.from(), a.ask(), a.context(), expects(a))
                == (b.name(), b.npc(), b.from(), b.ask(), b.context(), expects(b))
        });
    (!same_tests).then(|| format!("the tests changed\n{as_npc}"))
}

/// The comments of a text, in order: from a `#` outside quotes to the end of the line.
fn comments(text: &str) -> Vec<&str> {
    let comment = |line: &'_ str| {
        let mut quoted = false;
        let start = |&(_, c): &(usize, char)| {
            quoted ^= c == '"';
            c == '#' && !quoted
        };
        line.char_indices().find(start).map(|(at, _)| at)
    };
    text.lines().filter_map(|line| Some(line[comment(line)?..].trim_end())).collect()
}

/// What goes wrong when a text is laid out; `None` if nothing does.
fn layout_problem(text: &str) -> Option<String> {
    let Ok(once) = npc::format(text, &throng_mind::notes::WORDS) else { return None };
    let Ok(twice) = npc::format(&once, &throng_mind::notes::WORDS) else {
        return Some(format!("the layout does not parse\n{once}"));
    };
    if once != twice {
        return Some(format!("laying out twice changes it\n--- once\n{once}\n--- twice\n{twice}"));
    }
    if comments(text) != comments(&once) {
        return Some(format!("a comment is lost or moved\n{once}"));
    }
    let (before, after) = (read(text, Format::Npc), read(&once, Format::Npc));
    match (before.model, after.model) {
        (Some(before), Some(after)) if digest(&before) != digest(&after) => {
            Some(format!("the meaning changes\n{once}"))
        }
        (Some(before), Some(after)) if said(&before) != said(&after) => {
            Some(format!("the notes change\n{once}"))
        }
        (Some(_), None) => Some(format!("the layout does not load\n{once}")),
        _ => None,
    }
}

fn fail(seed: u64, text: &str, problem: impl Fn(&str) -> Option<String>) {
    let small = shrink(text, |text| problem(text).is_some());
    panic!("seed {seed}\n{small}\n{}", problem(&small).unwrap_or_default());
}

#[test]
fn the_corpus_survives_the_round_trip() {
    for folder in ["papers", "fear", "strategy", "beyond"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let model = corpus::read(&path).unwrap().model.unwrap();
            assert_eq!(round_trip_problem(&model), None, "{}", path.display());
        }
    }
}

#[test]
fn random_domains_survive_the_round_trip() {
    let problem = |text: &str| round_trip_problem(&read(text, Format::Npc).model?);
    for seed in 0..20_000 {
        let text = instance(seed).text;
        if problem(&text).is_some() {
            fail(seed, &text, problem);
        }
    }
}

#[test]
fn the_whole_language_survives_the_round_trip() {
    let problem = |text: &str| round_trip_problem(&read(text, Format::Npc).model?);
    for seed in 0..5_000 {
        let text = rich_text(seed);
        assert!(read(&text, Format::Npc).model.is_some(), "seed {seed} does not load\n{text}");
        if problem(&text).is_some() {
            fail(seed, &text, problem);
        }
    }
}

#[test]
fn layout_keeps_meaning_and_every_comment() {
    for seed in 0..20_000 {
        let text = rich_text(seed);
        if layout_problem(&text).is_some() {
            fail(seed, &text, layout_problem);
        }
    }
}

#[test]
fn a_check_called_not_negates_nothing_when_written_back() {
    let text = "domain d\nvar x: a, b\naction go: x a -> b  cost 5  if ready, not\n";
    let model = read(text, Format::Npc).model.unwrap();
    assert_eq!(round_trip_problem(&model), None);
    assert_eq!(model.checks(), ["ready", "not"]);
}

#[test]
fn a_former_name_of_a_ground_action_keeps_its_spelling() {
    let text = "domain d\nvar x: a, b\naction go(a b): x a -> b  was walk, run(a)\n";
    let model = read(text, Format::Npc).model.unwrap();
    assert_eq!(model.actions()[0].was(), ["walk", "run(a)"]);
    assert_eq!(round_trip_problem(&model), None);
}

#[test]
fn every_slip_of_a_statement_is_told() {
    let text = "domain d\nvar door: shut, open\n\
                action a: dor shut -> open  wihle door = opne  cots 0\n";
    let codes: Vec<_> =
        read(text, Format::Npc).report.diagnostics().iter().map(|d| d.code.id()).collect();
    assert_eq!(codes, ["E050", "E022", "E051", "E022", "E070"]);
}

#[test]
fn the_same_text_gives_the_same_bytes() {
    for seed in 0..500 {
        let text = rich_text(seed);
        let bytes = || CompiledDomain::canonical_bytes(&read(&text, Format::Npc).model.unwrap());
        assert_eq!(bytes(), bytes(), "seed {seed}");
    }
}

#[test]
fn names_that_would_not_read_back_are_not_written() {
    let named = |name: &str| {
        let text = format!(
            r#"{{"throng": 1, "domain": "d", "variables": [{{"name": "helper", "range": [0, 3]}}],
                "actions": [{{"name": "call", "sets": {{"helper": 3}}}}],
                "goals": [{{"name": "{name}", "wants": {{"helper": 2}}}}]}}"#
        );
        read(&text, Format::Json).model.unwrap()
    };
    for name in ["fell(helper >= 2)", "fell(oak helper = 2)", "fell(oak 2)"] {
        let model = named(name);
        assert_eq!(round_trip_problem(&model), None, "{name}");
    }
    for name in ["fell(oak helper = = 2)", "fell(2 >= 2)", "fell(> 2)"] {
        let refused: Vec<String> =
            npc::write(&named(name)).unwrap_err().into_iter().map(|it| it.name).collect();
        assert_eq!(refused, [name]);
    }
}
