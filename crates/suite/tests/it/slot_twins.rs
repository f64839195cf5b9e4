//! Random texts with selects, slots, sorts and groups say what their plain twins say.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng_domain::formats::{json, npc};
use throng_domain::model::Model;
use throng_domain::notes::{Keyword, NoteWords, Role};
use throng_domain::{Code, CompiledDomain, Format, Limits, load};
use throng_suite::random::{plain, slots_text};

static WORDS: NoteWords = NoteWords {
    statements: &[
        Keyword::new("select", "select cover: best 3 of spot").with(Role::Selects),
        Keyword::new("node", "node mill at M: landmark").with(Role::Places { after: "" }),
    ],
    action_clauses: &[],
    goal_clauses: &[],
    npc_clauses: &[],
};

fn read(text: &str, format: Format) -> Result<Model, Vec<Code>> {
    let mut none = |_: &str| Err("no such file".to_string());
    let loaded = load("t.npc", text, format, &Limits::default(), &[&WORDS], &mut none);
    let codes = loaded.report.diagnostics().iter().filter(|d| d.code.id().starts_with('E'));
    loaded.model.ok_or_else(|| codes.map(|d| d.code).collect())
}

/// A model as both twins would write it: without what selects and places say, and with variables
/// and checks called as in plain words.
fn said(model: &Model) -> String {
    let mut out = Vec::new();
    let mut skips = false;
    for line in json::write(model).lines() {
        // Items are indented; a section begins one blank in.
        if line.starts_with(" \"") {
            skips = line.starts_with(" \"selects\"") || line.starts_with(" \"notes\"");
        }
        if skips {
            continue;
        }
        let mut line = line.to_string();
        if let Some(at) = line.find(", \"any\": [") {
            let end = at + line[at..].find(']').unwrap() + 1;
            line.replace_range(at..end, "");
        }
        out.push(renamed(line.trim_end_matches([']', '}', ','])));
    }
    out.join("\n")
}

/// How names begin that the plain twin writes without parentheses.
const BEGINNINGS: [&str; 5] = ["\"about_", "\"ask_", "\"!ask_", "\"ready(", "\"lacks("];

/// `about_0(x)` as `about_0-x`.
fn renamed(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    let begins = |text: &str| BEGINNINGS.iter().filter_map(|it| text.find(it)).min();
    while let Some(at) = begins(rest) {
        let end = at + 1 + rest[at + 1..].find('"').unwrap();
        out.push_str(&rest[..at]);
        out.push_str(&rest[at..end].replace('(', "-").replace(')', ""));
        rest = &rest[end..];
    }
    out + rest
}

#[test]
fn a_text_with_slots_says_what_its_plain_twin_says() {
    let (mut read_well, mut nothing) = (0, 0);
    for seed in 0..1_500 {
        let text = slots_text(seed);
        let model = read(&text, Format::Npc);
        let twin = match plain(&text) {
            Ok(twin) => twin,
            Err(name) => {
                nothing += 1;
                let clashes = [Code::NothingExists, Code::WantsTwoValues, Code::RequiresTwoValues];
                let codes = model.err().unwrap_or_default();
                assert!(!codes.is_empty(), "{seed}: {name}\n{text}");
                assert!(
                    codes.iter().all(|code| clashes.contains(code)),
                    "{seed}: {codes:?}\n{text}"
                );
                continue;
            }
        };
        let model = model.unwrap_or_else(|codes| panic!("{seed}: {codes:?}\n{text}"));
        let other = read(&twin, Format::Npc);
        let other = other.unwrap_or_else(|codes| panic!("{seed}: {codes:?}\n{text}\n{twin}"));
        // Where a condition leaves several values and a need has several ways, one form takes the
        // values first, the other the ways.
        let both = [said(&model), said(&other)];
        let sorted = both.each_ref().map(|text| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines
        });
        let same =
            if text.contains(" needs ") { sorted[0] == sorted[1] } else { both[0] == both[1] };
        assert!(same, "{seed}\n{text}\n{twin}\n{}\n\n{}", said(&model), said(&other));
        read_well += 1;
    }
    assert!(read_well > 450 && nothing > 20, "{read_well} {nothing}");
}

#[test]
fn texts_with_slots_come_back_from_both_forms() {
    for seed in 0..1_000 {
        let Ok(model) = read(&slots_text(seed), Format::Npc) else { continue };
        let bytes = CompiledDomain::canonical_bytes;
        let twin = json::write(&model);
        let from_twin = read(&twin, Format::Json).unwrap_or_else(|it| panic!("{it:?}\n{twin}"));
        assert!(bytes(&from_twin) == bytes(&model), "{seed}\n{twin}\n{}", json::write(&from_twin));
        let Ok(text) = npc::write(&model) else { continue };
        let again = read(&text, Format::Npc).unwrap_or_else(|it| panic!("{seed}: {it:?}\n{text}"));
        assert!(bytes(&again) == bytes(&model), "{seed}\n{text}");
        for (one, other) in model.actions().iter().zip(again.actions()) {
            assert_eq!(one.slots(), other.slots(), "{}", one.name());
        }
        assert_eq!(npc::write(&again).as_ref(), Ok(&text));
    }
}
