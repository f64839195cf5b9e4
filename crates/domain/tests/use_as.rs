//! `use "file.npc" as NAME`: the file's own names are told apart from those of others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng_domain::formats::{Loaded, npc};
use throng_domain::notes::{Keyword, NoteWords, Role};
use throng_domain::{Code, CompiledDomain, Format, Limits, load};

static WORDS: NoteWords = NoteWords {
    statements: &[
        Keyword::new("select", "select cover: best 3 of spot").with(Role::Selects),
        Keyword::new("symbol", "symbol at: here if danger").with(Role::SetsVariable),
        Keyword::new("check", "check near: danger").with(Role::AnswersCheck),
        Keyword::new("price", "price go: 4 if danger"),
        Keyword::new("sensor", "sensor see: on sight feeds target").with(Role::OwnNames),
        Keyword::new("feeler", "feeler nose: on scent feeds target"),
        Keyword::new("flavour", "flavour wave: after attack"),
    ],
    action_clauses: &[
        Keyword::new("does", "does kick").with(Role::NamesCode),
        Keyword::new("then", "then forgets danger"),
    ],
    goal_clauses: &[Keyword::new("relevance", "relevance if danger")],
    npc_clauses: &[Keyword::new("otherwise", "otherwise wait").with(Role::NamesAction)],
};

fn read(files: &[(&str, &str)]) -> Loaded {
    let mut fetch = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.to_string()).ok_or_else(|| "no such file".to_string())
    };
    load(files[0].0, files[0].1, Format::Npc, &Limits::default(), &[&WORDS], &mut fetch)
}

fn codes(files: &[(&str, &str)]) -> Vec<Code> {
    read(files).report.diagnostics().iter().map(|d| d.code).collect()
}

const WOLF: &str = "domain wolf
use \"kit.npc\"
select prey: best 2 of character(knowledge = alive) where age of it < 20 and not danger(within 5 of prey.1)
select link: one of path(object = prey, knowledge = blocked) by link
var place: den, any prey
var mood: calm, prey, hungry
var near(p in prey): bool
symbol place: prey.1 if prey.1(distance < 2), object of self, den
symbol mood: prey if prey(sure stimulus >= 0.9), hungry if mood = calm and link, calm
symbol near(p in prey): true if spot(object = p, source != prey.2), false
check safe(p in place except den): not link and count prey(object = prey.2) >= 1 and distance of prey < 3
price creep: amount of path(object = prey.1), 4 if place = prey.1 or near(prey.2) = true
flavour growl: after bite, creep if mood = prey
feeler nose: on scent feeds mood, safe
action creep(p in place except den): place -> p  if safe(p), raining
action bite(p in prey): mood hungry -> calm  while place = p, near(p) = true, tired = no
action howl: near(prey.1) -> true, near(prey.2) -> true  while mood = hungry  does cry  then remembers trail(position = prey.2, direction = prey.1) for 5
goal fed: mood = calm  relevance if mood = hungry times distance of prey curve 0 1, 9 0
goal close: place = prey
compound hunt: howl, creep(prey.1)
capability hunting: creep, bite, howl, hunt
npc wolf
    can hunting
    wants fed, close
    starts place = den, mood = hungry
    otherwise howl
test feeds: wolf
    from near(prey.1) = true, tired = no
    goal fed
    only safe(prey.1), raining
    expect plan creep(prey.1), bite(prey.1)
";

const KIT: &str = "var tired: no, yes
action rest: tired -> no
";

const LEVEL: &str = "domain forest
use \"wolf.npc\" as beast
use \"kit.npc\"
select prey: one of food
var place: here, any prey
action creep: place -> here
action howl: place here -> prey
goal fed: place = prey
npc boar
    can creep, howl, rest, beast.creep, beast.bite(beast.prey.1)
    wants fed, beast.close
    starts beast.mood = calm, beast.place = beast.prey.2, beast.near(beast.prey.1) = false
";

/// The wolf as it would be written by hand.
fn renamed() -> String {
    let mut text = WOLF.replace("domain wolf\n", "").replace("use \"kit.npc\"\n", "");
    for (inside, outside) in [
        ("select prey", "select beast.prey"),
        ("within 5 of prey.1", "within 5 of beast.prey.1"),
        ("select link", "select beast.link"),
        ("object = prey,", "object = beast.prey,"),
        ("var place: den, any prey", "var beast.place: den, any beast.prey"),
        ("var mood", "var beast.mood"),
        ("var near(p in prey)", "var beast.near(p in beast.prey)"),
        ("symbol place: prey.1 if prey.1(", "symbol beast.place: beast.prey.1 if beast.prey.1("),
        ("symbol mood: prey if prey(", "symbol beast.mood: prey if beast.prey("),
        ("hungry if mood = calm and link,", "hungry if beast.mood = calm and beast.link,"),
        ("symbol near(p in prey)", "symbol beast.near(p in beast.prey)"),
        ("source != prey.2", "source != beast.prey.2"),
        ("check safe(p in place", "check beast.safe(p in beast.place"),
        (
            "not link and count prey(object = prey.2) >= 1 and distance of prey <",
            "not beast.link and count beast.prey(object = beast.prey.2) >= 1 and distance of beast.prey <",
        ),
        (
            "price creep: amount of path(object = prey.1), 4 if place = prey.1 or near(prey.2)",
            "price beast.creep: amount of path(object = beast.prey.1), 4 if beast.place = beast.prey.1 or beast.near(beast.prey.2)",
        ),
        ("feeds mood, safe", "feeds beast.mood, beast.safe"),
        ("after bite, creep if mood = prey", "after beast.bite, beast.creep if beast.mood = prey"),
        (
            "action creep(p in place except den): place -> p  if safe(p)",
            "action beast.creep(p in beast.place except den): beast.place -> p  if beast.safe(p)",
        ),
        (
            "action bite(p in prey): mood hungry -> calm  while place = p, near(p)",
            "action beast.bite(p in beast.prey): beast.mood hungry -> calm  while beast.place = p, beast.near(p)",
        ),
        (
            "tired = no\naction howl: near(prey.1) -> true, near(prey.2) -> true  while mood",
            "tired = no  does bite\naction beast.howl: beast.near(beast.prey.1) -> true, beast.near(beast.prey.2) -> true  while beast.mood",
        ),
        ("safe(p), raining", "safe(p), raining  does creep"),
        (
            "(position = prey.2, direction = prey.1)",
            "(position = beast.prey.2, direction = beast.prey.1)",
        ),
        (
            "goal fed: mood = calm  relevance if mood = hungry times distance of prey",
            "goal beast.fed: beast.mood = calm  relevance if beast.mood = hungry times distance of beast.prey",
        ),
        ("goal close: place = prey", "goal beast.close: beast.place = beast.prey"),
        (
            "compound hunt: howl, creep(prey.1)",
            "compound beast.hunt: beast.howl, beast.creep(beast.prey.1)",
        ),
        (
            "hunting: creep, bite, howl, hunt",
            "hunting: beast.creep, beast.bite, beast.howl, beast.hunt",
        ),
        (
            "wants fed, close\n    starts place = den, mood",
            "wants beast.fed, beast.close\n    starts beast.place = den, beast.mood",
        ),
        ("otherwise howl", "otherwise beast.howl"),
        ("test feeds", "test beast.feeds"),
        ("from near(prey.1)", "from beast.near(beast.prey.1)"),
        ("goal fed\n", "goal beast.fed\n"),
        ("only safe(prey.1)", "only beast.safe(beast.prey.1)"),
        (
            "plan creep(prey.1), bite(prey.1)",
            "plan beast.creep(beast.prey.1), beast.bite(beast.prey.1)",
        ),
    ] {
        assert!(text.contains(inside), "{inside}");
        text = text.replacen(inside, outside, 1);
    }
    text
}

#[test]
fn a_file_that_goes_by_a_name_says_what_it_would_say_by_hand() {
    let level = ("forest.npc", LEVEL);
    let used = read(&[level, ("wolf.npc", WOLF), ("kit.npc", KIT)]);
    let told: Vec<String> = used
        .report
        .diagnostics()
        .iter()
        .map(|d| format!("{} {}", d.short(&used.sources), d.text))
        .collect();
    assert_eq!(told, [""; 0]);
    let hand = renamed();
    let by_hand = read(&[level, ("wolf.npc", &hand), ("kit.npc", KIT)].map(|(name, text)| {
        let text =
            if name == "forest.npc" { LEVEL.replace(" as beast", "") } else { text.to_string() };
        (name, &*text.leak())
    }));
    let told: Vec<String> = by_hand
        .report
        .diagnostics()
        .iter()
        .map(|d| format!("{} {}", d.short(&by_hand.sources), d.text))
        .collect();
    assert_eq!(told, [""; 0]);
    let (used, by_hand) = (used.model.unwrap(), by_hand.model.unwrap());
    let text = npc::write(&used).unwrap();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        npc::write(&by_hand).unwrap().lines().collect::<Vec<_>>()
    );
    assert!(CompiledDomain::canonical_bytes(&used) == CompiledDomain::canonical_bytes(&by_hand));
}

#[test]
fn what_a_file_uses_is_read_once_and_shared() {
    let used = read(&[("forest.npc", LEVEL), ("wolf.npc", WOLF), ("kit.npc", KIT)]);
    assert_eq!(used.sources.files().len(), 3);
    let model = used.model.unwrap();
    assert!(model.find_variable("tired").is_some() && model.find_action("rest").is_some());
    assert!(model.find_npc("wolf").is_some(), "NPC types stay plain if they are free");
}

#[test]
fn a_slip_is_told_with_the_name_that_the_file_itself_says() {
    let told = |level: &str, wolf: &str| {
        let loaded = read(&[("forest.npc", level), ("wolf.npc", wolf), ("kit.npc", KIT)]);
        let first = loaded.report.diagnostics().first().map(|d| (d.code, d.text.clone()));
        first.unwrap()
    };
    let (code, text) = told(LEVEL, &WOLF.replace("hunting: creep, bite", "hunting: creep, bitte"));
    assert_eq!(code, Code::UnknownAction);
    assert!(text.ends_with("did you mean `bite`?"), "{text}");
    let (_, text) = told(LEVEL, &WOLF.replace("goal fed: mood =", "goal fed: moood ="));
    assert!(text.ends_with("did you mean `mood`?"), "{text}");
    // Outside the file the whole name is said.
    let (_, text) = told(&LEVEL.replace("beast.close", "close"), WOLF);
    assert!(text.ends_with("did you mean `beast.close`?"), "{text}");
    let (_, text) = told(&LEVEL.replace("beast.close", "beast.clse"), WOLF);
    assert!(text.ends_with("did you mean `beast.close`?"), "{text}");
}

#[test]
fn one_file_may_go_by_two_names_and_none_clashes() {
    let twice = "domain two\nuse \"w.npc\" as a\nuse \"w.npc\" as b\nuse \"w.npc\"\n";
    let wolf = "domain w\nvar x: 0, 1\naction go: x 0 -> 1\ngoal there: x = 1\nnpc wolf\n    can go\n    wants there\n";
    let files = [("two.npc", twice), ("w.npc", wolf)];
    let loaded = read(&files);
    let model = loaded.model.unwrap();
    let names: Vec<&str> = model.actions().iter().map(|action| action.name()).collect();
    assert_eq!(names, ["a.go", "b.go", "go"]);
    let npcs: Vec<&str> = model.npcs().iter().map(|npc| npc.name()).collect();
    assert_eq!(npcs, ["a.wolf", "b.wolf", "wolf"]);
    // Without a name they clash, and the cure says so.
    let other = ("three.npc", "domain three\nuse \"w.npc\"\nvar x: 0, 1\n");
    let loaded = read(&[other, ("w.npc", wolf)]);
    assert!(loaded.report.diagnostics()[0].cure.contains("as NAME"));
    assert_eq!(codes(&[other, ("w.npc", wolf)])[0], Code::VariableTwice);
}
