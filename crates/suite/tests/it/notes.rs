//! Notes: words that the planner does not know are kept, clauses belong to bare names, and
//! mistakes have a place in `.npc` and in JSON.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use throng_domain::formats::{json, npc};
use throng_domain::notes::{NoteOn, Relation, WordKind};
use throng_domain::{Format, Loaded, Model};
use throng_lab::corpus::load_text;
use throng_mind::notes::listed;
use throng_suite::random::rich_text;

const HEAD: &str = "domain d\nvar at: a, b, c\n";

fn read(text: &str, format: Format) -> Loaded {
    load_text(text, format)
}

/// Code, line, column and text under each diagnostic.
fn told(loaded: &Loaded) -> Vec<(&str, u32, u32, &str)> {
    let one = |d: &throng_domain::Diagnostic| {
        let place = loaded.sources.place(d.span);
        // The text lives in the sources, which live as long as what was loaded.
        let file = loaded.sources.file(d.span.file).unwrap().text();
        let under = &file[d.span.start as usize..d.span.end as usize];
        (d.code.id(), place.line, place.column, under)
    };
    loaded.report.diagnostics().iter().map(one).collect()
}

fn model(rest: &str) -> Model {
    let loaded = read(&format!("{HEAD}{rest}"), Format::Npc);
    let errors: Vec<_> = told(&loaded);
    assert!(loaded.model.is_some(), "{errors:?}");
    loaded.model.unwrap()
}

/// The codes of a text, with what they underline.
fn codes(rest: &str) -> Vec<(String, String)> {
    let loaded = read(&format!("{HEAD}{rest}"), Format::Npc);
    told(&loaded).iter().map(|d| (d.0.to_string(), d.3.to_string())).collect()
}

fn pair(code: &str, under: &str) -> (String, String) {
    (code.to_string(), under.to_string())
}

#[test]
fn words_are_kept_with_their_kinds_and_places() {
    let text = format!("{HEAD}action go: at -> a\nstory s \"a #1\" \"\" lasts 2.5, (x)..-3 >= y\n");
    let model = read(&text, Format::Npc).model.unwrap();
    let [note] = model.notes() else { panic!("{:?}", model.notes()) };
    assert_eq!((note.keyword.word, &note.on), ("story", &NoteOn::Itself));
    let words: Vec<_> = note.words.iter().map(|word| (word.kind, word.text.as_str())).collect();
    use WordKind::*;
    let expected = [
        (Name, "s"),
        (Text, "a #1"),
        (Text, ""),
        (Name, "lasts"),
        (Decimal, "2.5"),
        (Comma, ","),
        (Open, "("),
        (Name, "x"),
        (Close, ")"),
        (Range, ".."),
        (Integer, "-3"),
        (Compare(Relation::AtLeast), ">="),
        (Name, "y"),
    ];
    assert_eq!(words, expected);
    let under = |span: throng_domain::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(under(note.words[1].span), "\"a #1\"");
    assert_eq!(note.text(), under(note.span));
}

#[test]
fn a_clause_is_twice_only_within_one_statement() {
    let goals =
        "action go(p in at): at -> p\ngoal g(a): at = a  keep 2\ngoal g(b): at = b  keep 2\n";
    assert_eq!(model(goals).notes().len(), 1, "the same again adds nothing");
    let twice = "goal g: at = a  keep 2  margin 1  keep 2\n";
    assert_eq!(codes(twice), [pair("E023", "keep")]);
}

#[test]
fn one_bare_name_says_one_thing() {
    let actions = "action go(a): at -> a  takes 2\naction go(b): at -> b  takes 3\n";
    assert_eq!(codes(actions), [pair("E103", "takes 3")]);
    let other = "action go(a): at -> a  takes 2\naction go(b): at -> b  does 2\n";
    assert_eq!(model(other).notes().len(), 2);
    // What broke elsewhere says nothing.
    let broken = "action go(a): at -> a  takes 2\naction go(b): at -> b  takes 3 @\n";
    assert_eq!(codes(broken), [pair("E010", "@")]);
}

#[test]
fn what_is_no_word_is_told_once() {
    let go = "action go: at -> a\n";
    assert_eq!(codes(&format!("{go}sensor see: on @ sight\n")), [pair("E010", "@")]);
    assert_eq!(codes(&format!("{go}map \"##\n")), [pair("E011", "\"##")]);
    assert_eq!(codes("action go: at -> a  does 3x  takes 2\n"), [pair("E012", "3x")]);
}

#[test]
fn a_clause_does_not_look_like_a_condition_or_a_change() {
    // Here the words are those of a variable, which is not declared.
    assert_eq!(codes("action go: at -> a\ngoal g: keep = 2\n"), [pair("E050", "keep")]);
    assert_eq!(codes("action go: does a -> b\n"), [pair("E050", "does")]);
    // Where only a clause can stand they are none, so that every note can be written anywhere.
    assert_eq!(codes("goal g: at = a  keep = 2\n"), [pair("E024", "=")]);
    assert_eq!(codes("action go: at -> a  does a -> b\n"), [pair("E024", "->")]);
}

#[test]
fn clauses_of_a_template_are_written_once() {
    let model = model(
        "action go(p in at): at -> p  takes 2\ngoal be(p in at): at = p  keep 2  urgent\n\
         npc n\n  can go\n  wants be\n  memory 8\nlearn go: deed(event = go)\n",
    );
    let text = npc::write(&model).unwrap();
    for (words, times) in [("takes 2", 1), ("keep 2", 1), ("urgent", 1), ("memory 8", 1)] {
        assert_eq!(text.matches(words).count(), times, "{words}\n{text}");
    }
    assert!(text.contains("\nlearn go: deed(event = go)\n"), "{text}");
    let twin = json::write(&model);
    let notes = &twin[twin.find("\"notes\"").unwrap()..];
    let expected = r#""notes": [
  {"on": "action go", "text": "takes 2"},
  {"on": "goal be", "text": "keep 2"},
  {"on": "goal be", "text": "urgent"},
  {"on": "npc n", "text": "memory 8"},
  {"text": "learn go: deed(event = go)"}]}
"#;
    assert_eq!(notes, expected);
}

#[test]
fn a_compound_has_the_clause_of_its_channels_and_no_other() {
    let both = "action go(a): at -> a\ncompound both: go(a)";
    let model = model(&format!("{both}  cost 2  uses legs, hands\n"));
    let text = npc::write(&model).unwrap();
    assert!(text.contains("compound both: go(a)  cost 2  uses legs, hands\n"), "{text}");
    let twin = json::write(&model);
    assert!(twin.contains(r#"{"on": "action both", "text": "uses legs, hands"}"#), "{twin}");
    let again = read(&twin, Format::Json);
    // Nobody can do both, in either form.
    let found = told(&again);
    assert!(found.len() == 1 && found[0].0 == "W105", "{found:?}");
    assert_eq!(npc::write(&again.model.unwrap()).unwrap(), text);
    assert_eq!(codes(&format!("{both}  takes 2\n")), [pair("E022", "takes")]);
}

/// A domain in JSON with these notes, each on a line of its own; the first is line 4.
fn twin(notes: &[&str]) -> String {
    format!(
        "{{\"throng\": 1, \"domain\": \"d\", \"variables\": [{{\"name\": \"at\", \"values\": [\"a\", \"b\"]}}],\n \
         \"actions\": [{{\"name\": \"go(a)\", \"sets\": {{\"at\": \"a\"}}}}, {{\"name\": \"both\", \"parts\": [\"go(a)\"]}}],\n \
         \"goals\": [{{\"name\": \"g\", \"wants\": {{\"at\": \"a\"}}}}], \"npcs\": [{{\"name\": \"n\", \"can\": [\"go(a)\"]}}], \"notes\": [\n{}]}}\n",
        notes.join(",\n")
    )
}

#[test]
fn notes_of_json_have_places_in_the_json() {
    let good = [
        r#"{"on": "action go", "text": "takes 2"}"#,
        r###"{"text": "map \"#.\u0041#\" \"\ud83d\udc0e\" x"}"###,
    ];
    let text = twin(&good);
    let loaded = read(&text, Format::Json);
    let model = loaded.model.as_ref().unwrap();
    let under = |span: throng_domain::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(under(model.notes()[0].words[0].span), "2");
    let row = &model.notes()[1].words;
    let seen: Vec<_> = row.iter().map(|word| (word.text.as_str(), under(word.span))).collect();
    let rows = [("#.A#", r###"\"#.\u0041#\""###), ("🐎", r###"\"\ud83d\udc0e\""###), ("x", "x")];
    assert_eq!(seen, rows);
}

#[test]
fn mistakes_in_notes_of_json_are_told_where_they_stand() {
    let cases = [
        (r###"{"text": "map \"#\" @"}"###, ("E010", "@")),
        (r###"{"text": "map \"#"}"###, ("E011", r###"\"#"###)),
        (r#"{"text": "sensr see: every 1"}"#, ("E021", "sensr")),
        (r#"{"text": "keep 2"}"#, ("E021", "keep")),
        (r#"{"on": "goal g", "text": "takes 2"}"#, ("E022", "takes")),
        (r#"{"on": "goal g", "text": "keep 2 margin 3"}"#, ("E024", "margin")),
        (r#"{"on": "goal g", "text": "keep 2 priority 3"}"#, ("E024", "priority")),
        (r#"{"on": "goal g", "text": "keep >= 2"}"#, ("E024", ">=")),
        (r#"{"text": ""}"#, ("E024", r#""""#)),
        (r#"{"text": "map # rows"}"#, ("E010", r#""map # rows""#)),
        (r#"{"text": "map\nrows"}"#, ("E010", r#""map\nrows""#)),
        (r#"{"on": "action go(a)", "text": "takes 2"}"#, ("E052", r#""action go(a)""#)),
        (r#"{"on": "action both", "text": "takes 2"}"#, ("E022", "takes 2")),
        (r#"{"on": "goal h", "text": "keep 2"}"#, ("E053", r#""goal h""#)),
        (r#"{"on": "npc m", "text": "memory 2"}"#, ("E054", r#""npc m""#)),
        (r#"{"on": "test t", "text": "memory 2"}"#, ("E085", r#""test t""#)),
        (r#"{"on": 3, "text": "memory 2"}"#, ("E085", "3")),
        (r#"{"text": 3}"#, ("E085", "3")),
        (r#"{"on": "goal g"}"#, ("E082", "{")),
        (r#"{"text": "map", "of": 1}"#, ("E083", r#""of""#)),
    ];
    for (note, (code, under)) in cases {
        let loaded = read(&twin(&[note]), Format::Json);
        let told = told(&loaded);
        let [(found, line, _, stands)] = told[..] else { panic!("{note}: {told:?}") };
        assert_eq!((found, line, stands), (code, 4, under), "{note}");
    }
    let both = [r#"{"on": "npc n", "text": "memory 2"}"#, r#"{"on": "npc n", "text": "memory 3"}"#];
    let loaded = read(&twin(&both), Format::Json);
    let told = told(&loaded);
    assert_eq!((told.len(), told[0].0, told[0].1, told[0].3), (1, "E103", 5, "memory 3"));
}

#[test]
fn the_world_sets_what_a_symbol_names() {
    let text = "var seen: bool\nvar alone: bool\nvar other: bool\naction go: at -> a  while seen = true\n\
                goal look: seen = true\nnpc n\n  can go\n  wants look\n  starts at = b\n";
    assert_eq!(codes(text).iter().map(|d| &d.0[..]).collect::<Vec<_>>(), ["W100", "W100", "W102"]);
    let symbols = "symbol seen: true if character\nsymbol alone: false if character, true\n";
    assert_eq!(codes(&format!("{text}{symbols}")), [pair("W100", "other")]);
}

#[test]
fn what_a_condition_of_a_note_compares_is_used() {
    let text = "var rank: low, high\naction go: at -> a\nnpc n\n  can go\n  starts at = b\n";
    assert_eq!(codes(text), [pair("W100", "rank")]);
    assert_eq!(codes(&format!("{text}learn go: deed or rank = high\n")), []);
    assert_eq!(codes(&format!("{text}learn go: deed(event = rank)\n")), [pair("W100", "rank")]);
    assert_eq!(codes(&format!("{text}at 2: rank = high\n")), [pair("W100", "rank")]);
}

fn statements() -> Vec<&'static str> {
    listed(|words| words.statements).iter().map(|keyword| keyword.word).collect()
}

fn clauses() -> Vec<&'static str> {
    let [actions, goals, npcs] = [
        listed(|words| words.action_clauses),
        listed(|words| words.goal_clauses),
        listed(|words| words.npc_clauses),
    ];
    [actions, goals, npcs].concat().iter().map(|keyword| keyword.word).collect()
}

#[test]
fn random_texts_have_notes_of_every_kind() {
    let mut seen = BTreeSet::new();
    for seed in 0..400 {
        let model = read(&rich_text(seed), Format::Npc).model.unwrap();
        seen.extend(model.notes().iter().map(|note| note.keyword.word));
    }
    let all = statements().into_iter().chain(clauses());
    let missing: Vec<_> = all.filter(|word| !seen.contains(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_examples_of_the_reference_can_be_laid_out() {
    let path = throng_lab::corpus::folder().join("../docs/language.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut keywords = BTreeSet::new();
    for section in ["\n## Minds\n", "\n## Stories\n"] {
        let from = &page[page.find(section).unwrap()..];
        let start = from.find("```text\n").unwrap() + "```text\n".len();
        let example = &from[start..start + from[start..].find("```").unwrap()];
        let laid_out = npc::format(example, &throng_mind::notes::WORDS)
            .unwrap_or_else(|report| panic!("{report:?}"));
        keywords
            .extend(laid_out.lines().filter_map(|line| line.split(' ').next().map(str::to_string)));
    }
    let missing: Vec<_> =
        statements().into_iter().filter(|word| !keywords.contains(*word)).collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
}

#[test]
fn the_editor_knows_every_word_that_begins_a_note() {
    let file = "../editors/vscode/syntaxes/npc.tmLanguage.json";
    let grammar = std::fs::read_to_string(throng_lab::corpus::folder().join(file)).unwrap();
    for begins in [format!("^({})", statements().join("|")), format!("({})", clauses().join("|"))] {
        assert!(grammar.contains(&begins), "{begins}");
    }
}
