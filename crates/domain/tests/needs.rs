//! `needs PARAMETER`: what an action is about must have what it needs first.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng_domain::formats::{json, npc};
use throng_domain::model::Model;
use throng_domain::notes::{Keyword, NoteWords, Role};
use throng_domain::{CompiledDomain, Format, Limits, load};

static WORDS: NoteWords = NoteWords {
    statements: &[
        Keyword::new("select", "select cover: best 3 of spot").with(Role::Selects),
        Keyword::new("node", "node mill at M: landmark").with(Role::Places { after: "" }),
        Keyword::new("thing", "thing gate at D: door").with(Role::Places { after: "blocked" }),
    ],
    action_clauses: &[],
    goal_clauses: &[],
    npc_clauses: &[],
};

const PICKED: &str = "domain d
select cover: best 2 of spot(knowledge = cover)
select prop: best 2 of need(source = cover) or need(source = prop)
var place: elsewhere, any cover, any prop
var ready(p in prop): bool
var safe: bool
action goto(spot in place except elsewhere): place -> spot  needs spot
action use(p in prop): ready(p) false -> true  while place = p  needs p
action duck(spot in cover): safe -> true  while place = spot
goal hide: safe = true
npc clerk
    can goto, use, duck
    wants hide
    starts place = elsewhere, safe = false
";

/// The model, and the codes of all that was said.
fn read(text: &str, format: Format) -> (Option<Model>, Vec<&'static str>) {
    let mut none = |_: &str| Err("no such file".to_string());
    let loaded = load("t.npc", text, format, &Limits::default(), &[&WORDS], &mut none);
    let codes = loaded.report.diagnostics().iter().map(|it| it.code.id()).collect();
    (loaded.model, codes)
}

fn model(text: &str) -> Model {
    let (model, codes) = read(text, Format::Npc);
    model.unwrap_or_else(|| panic!("{codes:?}"))
}

/// What the actions of a name require, each in words.
fn requires(model: &Model, name: &str) -> Vec<Vec<String>> {
    let told = |fact| {
        let (variable, value) = model.fact_names(fact);
        format!("{variable} = {value}")
    };
    let actions = model.find_actions(name).map(|id| &model[id]);
    actions.map(|action| action.requires().iter().map(|&fact| told(fact)).collect()).collect()
}

#[test]
fn an_action_is_there_in_one_variant_for_each_way_its_needs_can_be_met() {
    let model = model(PICKED);
    assert_eq!(
        requires(&model, "goto(cover.1)"),
        [
            vec!["lacks(cover.1) = nothing"],
            vec!["ready(prop.1) = true", "lacks(cover.1) = prop.1"],
            vec!["ready(prop.2) = true", "lacks(cover.1) = prop.2"],
        ]
    );
    // Nothing needs itself, and what is to be made ready is not.
    assert_eq!(
        requires(&model, "use(prop.1)"),
        [
            vec!["place = prop.1", "ready(prop.1) = false", "lacks(prop.1) = nothing"],
            vec![
                "place = prop.1",
                "ready(prop.1) = false",
                "ready(prop.2) = true",
                "lacks(prop.1) = prop.2"
            ],
        ]
    );
    let variants: Vec<u32> =
        model.find_actions("goto(cover.2)").map(|id| model[id].variant()).collect();
    assert_eq!(variants, [1, 2, 3]);
    let clerk = &model.npcs()[0];
    assert_eq!(clerk.can().len(), model.actions().len());
    let starts = |fact: &&_| model.fact_names(**fact) == ("lacks(cover.1)", "nothing");
    assert!(clerk.starts().iter().any(|fact| starts(&fact)));
}

#[test]
fn variants_come_back_from_both_forms() {
    let model = model(PICKED);
    let twin = json::write(&model);
    assert!(twin.contains("\"can\": [\"goto(cover.1)\", \"goto(cover.2)\", \"goto(prop.1)\""));
    assert!(twin.contains("\"variant\": 3"), "{twin}");
    let (from_json, codes) = read(&twin, Format::Json);
    let from_json = from_json.unwrap_or_else(|| panic!("{codes:?}"));
    let bytes = CompiledDomain::canonical_bytes;
    assert!(bytes(&from_json) == bytes(&model));
    let text = npc::write(&model).unwrap();
    assert!(bytes(&self::model(&text)) == bytes(&model), "{text}");
}

#[test]
fn a_variant_that_is_not_the_next_of_its_name_is_refused() {
    let twin = json::write(&model(PICKED)).replace("\"variant\": 3", "\"variant\": 7");
    let (model, codes) = read(&twin, Format::Json);
    assert!(model.is_none() && !codes.is_empty(), "{codes:?}");
    let text = "domain d\nvar a: x, y\naction go: a -> y  variant 2\n";
    let (model, codes) = read(text, Format::Npc);
    assert!(model.is_none(), "{codes:?}");
}

#[test]
fn what_a_level_lists_needs_the_states_of_other_things() {
    let text = "domain d
thing table at T: device standing, flipped
node nook at N: cover needs table = flipped
var place: nowhere, any device, any cover
var table: standing, flipped
action goto(spot in place except nowhere): place -> spot  needs spot
action use(table): table standing -> flipped  while place = table
goal there: place = nook
";
    let model = model(text);
    assert_eq!(requires(&model, "goto(nook)"), [["table = flipped"]]);
    assert_eq!(requires(&model, "goto(table)"), [[""; 0]]);
    let written_twice = text.replace("  needs spot", "");
    assert_eq!(read(&written_twice, Format::Npc).1, ["W141"]);
    let by_hand = written_twice.replace("place -> spot", "place -> spot  while table = flipped");
    assert!(!read(&by_hand, Format::Npc).1.contains(&"W141"));
    let nobody_flips = text.replace(
        "action use(table): table standing -> flipped",
        "action use(table): table -> standing",
    );
    assert!(read(&nobody_flips, Format::Npc).1.contains(&"W141"));
    let no_variable = text
        .replace("var table: standing, flipped\n", "var desk: standing, flipped\n")
        .replace("table standing -> flipped", "desk standing -> flipped");
    assert!(read(&no_variable, Format::Npc).1.contains(&"W141"));
}

#[test]
fn needs_without_facts_or_without_ready_are_told() {
    let no_select = PICKED.replace(
        "select prop: best 2 of need(source = cover) or need(source = prop)",
        "select prop: best 2 of thing",
    );
    assert!(read(&no_select, Format::Npc).1.contains(&"E151"));
    let no_ready = PICKED
        .replace("var ready(p in prop)", "var open(p in prop)")
        .replace("ready(p)", "open(p)");
    assert!(read(&no_ready, Format::Npc).1.contains(&"E151"));
    let no_parameter = PICKED.replace("  needs spot", "  needs spots");
    assert!(read(&no_parameter, Format::Npc).1.contains(&"E151"));
    let condition = PICKED.replace("  needs spot", "  needs safe = true");
    assert!(
        read(&condition, Format::Npc).1.contains(&"E024"),
        "{:?}",
        read(&condition, Format::Npc).1
    );
}

#[test]
fn a_part_of_a_compound_has_no_variants() {
    let text = format!("{PICKED}compound both: goto(cover.1), duck(cover.1)\n");
    let (_, codes) = read(&text, Format::Npc);
    assert!(!codes.is_empty(), "a compound took one of several variants");
}
