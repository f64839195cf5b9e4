//! Stories against the world's vocabulary: each slip of the fingers is told, with its code, the
//! nearest name and the cure, and what is right is not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{loaded_with, model, spec, told};
use throng_domain::notes::{Keyword, NoteWords};
use throng_mind::notes::listed;
use throng_world::story::Story;
use throng_world::story::read::{NotesRead, USUAL_PACE};

const STORY: &str = "domain yard
var target: none, alive, dead
var place: nowhere, wall
var pipe: lying, taken
var armed: bool
sensor self: every 0 keeps 1 feeds place, armed
sensor see_enemy: on sight keeps 8 feeds target
sensor nodes: every 0.33
sensor things: every 0.5
sensor hear: on noise
sensor call_out: every 0.5
symbol target: dead if character(knowledge = dead), alive if character, none
symbol place: node of self, nowhere
symbol pipe: taken if thing(node = pipe, knowledge = taken), lying
symbol armed: true if weapon(knowledge = armed), false
check covered: node(node = wall, knowledge = cover) or node(knowledge = perch)
price hide: amount of weapon, 4 if shared alarm(knowledge = red)
action hide: place -> wall if covered does goto(wall)
action grab: pipe -> taken does pick_up
action hit: target -> dead while armed = true does attack
action kick: armed -> true
action shrug: armed -> true
goal win: target = dead
    relevance if character(knowledge = alive) or disturbance(stimulus = noise)
npc soldier
    can hide, grab, hit, kick, shrug
    wants win
story yard \"He fights.\" lasts 5
map
    \"#########\"
    \"#s.c#..p#\"
    \"#...D.t.#\"
    \"#########\"
thing gate at D: door
thing pipe at t: item
node wall at c: cover
node roof at p: perch
actor bob at s: npc soldier side red weapon rifle
actor eve at p: player side blue
promise bob remembers character
promise bob forgets blocked
";

/// The mistakes of a file, a line each.
fn mistakes(text: &str) -> Vec<String> {
    let (model, sources) = model(text);
    told(&Story::with_minds(&model).err().unwrap_or_default(), &sources)
}

#[test]
fn a_mistake_in_one_line_of_a_story_hides_none_in_another() {
    let text = STORY
        .replace("actor bob at s:", "actor bob at x:")
        .replace("thing gate at D:", "thing gate at X:")
        .replace("promise bob remembers character", "promise bob remembers caracter")
        .replace("promise bob forgets", "promise bob does hitt\npromise bob forgets")
        .replace("does pick_up", "does pickup");
    let all = mistakes(&text);
    for part in ["behaviour `pickup`", "mark `X`", "mark `x`", "`caracter`", "`hitt`"] {
        assert!(all.iter().any(|said| said.contains(part)), "{part}: {all:#?}");
    }
    assert_eq!(all.len(), 5, "and nothing that only follows: {all:#?}");
}

/// The one mistake that the story has after a change.
fn mistake(from: &str, to: &str) -> String {
    assert!(STORY.contains(from), "{from}");
    let mut all = mistakes(&STORY.replacen(from, to, 1));
    assert_eq!(all.len(), 1, "{from} -> {to}: {all:#?}");
    all.remove(0)
}

const HERD: &str = "domain deer
body kit
sensor self: every 0   keeps 1
sensor see:  on sight  keeps 8
sensor lose: every 0.3 keeps 8
fact startled: time
fact haven:    object
select threat: one of character(knowledge = alive)
select mate:   one of friend(knowledge = alive)
var mood: calm, afraid
var told: bool
symbol mood: afraid if threat and not startled, calm
symbol told: true if haven or mate(distance < 3), false
action start: mood afraid -> calm  takes 1
    first tells haven to side
    then remembers startled for 10
action warn: told -> true  takes 1
    then remembers haven(object = threat) for 10
goal quiet: mood = calm
goal heard: told = true
npc deer
    can start, warn
    wants quiet, heard
";

/// The mistakes and doubts of a level that uses this herd under a name.
fn told_of_herd(herd: &str, level: &str) -> Vec<String> {
    let text = format!(
        "domain wood\nuse \"deer.npc\" as prey\nstory wood \"A herd.\" lasts 5\nmap \"#####\" \"#d.w#\" \
         \"#####\"\nactor doe at d: npc deer side herd\nactor wolf at w: player side wolves\n{level}"
    );
    let loaded = loaded_with(&text, &[("deer.npc", herd)]);
    let report = match &loaded.model {
        Some(model) => NotesRead::of(model).report,
        None => loaded.report,
    };
    told(&report, &loaded.sources)
}

#[test]
fn facts_that_a_file_thinks_of_are_declared_and_asked_for() {
    let herd = |from: &str, to: &str| {
        assert!(HERD.contains(from), "{from}");
        told_of_herd(&HERD.replacen(from, to, 1), "")
    };
    assert_eq!(herd("fact", "fact"), [""; 0]);
    for (from, to, part) in [
        (
            "remembers startled",
            "remembers startld",
            "`startld` are declared nowhere; did you mean `startled`?",
        ),
        (
            "fact startled: time\n",
            "",
            "[E149]: facts `startled` are declared nowhere; help: declare them: `fact startled: time`",
        ),
        ("fact haven:    object\n", "", "declare them: `fact haven: object`"),
        (
            "tells haven to",
            "tells havn to",
            "unknown kind of facts or select `havn`; did you mean `haven`?",
        ),
        (
            "if threat and not startled",
            "if threat",
            "[W154]: facts `startled` are remembered, and nobody asks for them",
        ),
    ] {
        let told = herd(from, to);
        assert!(told.iter().any(|line| line.contains(part)), "{to}: {told:#?}");
    }
    // Where nothing is declared, only what is nearly a kind that is and asked for by nobody is a slip.
    let bare = HERD.replace("fact startled: time\nfact haven:    object\n", "");
    assert_eq!(told_of_herd(&bare, ""), [""; 0]);
    let level = "fact haven: object\nfact startled: time";
    assert_eq!(told_of_herd(&bare, level), [""; 0]);
    let told = told_of_herd(&bare.replace("remembers startled", "remembers startld"), level);
    assert!(told[0].contains("[E149]") && told[0].contains("`startled`?"), "{told:#?}");
}

/// Kinds, selects and actions of the file are told before those of the body and of others.
#[test]
fn what_a_file_calls_its_own_is_told_first() {
    for (from, to, level, parts) in [
        (
            "haven or mate(",
            "havn or mate(",
            "",
            ["did you mean `haven`?", "use one of: startled, haven, threat, mate, "],
        ),
        (
            "haven or mate(",
            "haven or mat(",
            "",
            ["kind of facts or select `mat`; did you mean `mate`?", "startled, haven"],
        ),
        ("", "", "promise doe does wern", ["did you mean `warn`?", "use one of: start, warn"]),
        (
            "action warn:",
            "action warn(wood):",
            "promise doe does warn(wod)",
            ["did you mean `warn(wood)`?", "use one of: start, warn"],
        ),
        ("", "", "promise doe wants heart", ["did you mean `heard`?", "use one of: heard, quiet"]),
        ("wants quiet", "wants quit", "", ["[E053]", "did you mean `quiet`?"]),
    ] {
        let told = told_of_herd(&HERD.replacen(from, to, 1), level);
        let has = |line: &String| parts.iter().all(|part| line.contains(part));
        assert!(told.iter().any(has), "{to}{level}: {told:#?}");
    }
}

#[test]
fn what_a_behaviour_is_given_is_there() {
    let herd = HERD.replace("    first tells haven", "    does sneak(hom)\n    first tells haven");
    let told = told_of_herd(&herd, "node home at w: work");
    let part =
        "[E143]: `sneak` is given `hom`, and nothing there is called so; did you mean `home`?";
    assert!(told.iter().any(|line| line.contains(part)), "{told:#?}");
    assert_eq!(told_of_herd(&herd.replace("hom)", "home)"), "node home at w: work"), [""; 0]);
    assert_eq!(told_of_herd(&herd.replace("hom)", "threat)"), ""), [""; 0]);
    assert_eq!(told_of_herd(&herd.replace("hom)", "wolf)"), ""), [""; 0]);
    // A word that is no place is none.
    let says = HERD.replace("    first tells haven", "    does say(hom)\n    first tells haven");
    assert_eq!(told_of_herd(&says, ""), [""; 0]);
}

#[test]
fn what_is_right_is_not_told() {
    assert_eq!(mistakes(STORY), [""; 0]);
}

/// A sort of places is any word that somebody asks for, or whose members are values.
#[test]
fn places_may_be_of_any_sort_that_the_file_speaks_of() {
    let asked = STORY.replace("node(knowledge = perch)", "spot(knowledge = perch)");
    let asked = asked
        .replace("sensor nodes: every 0.33", "sensor nodes: every 0.33\nsensor spots: every 0.33");
    assert_eq!(mistakes(&asked), [""; 0]);
    let listed =
        STORY.replace("var place: nowhere, wall", "var place: nowhere, wall, any landmark");
    assert_eq!(
        mistakes(
            &listed.replace(
                "node roof at p: perch",
                "node roof at p: perch\nnode mill at s: landmark"
            )
        ),
        [""; 0]
    );
}

#[test]
fn each_slip_is_told_with_the_cure() {
    for (from, to, parts) in [
        ("sensor nodes:", "sensor noeds:", &["[E101]", "sensor of the world", "`nodes`?"][..]),
        ("on sight", "on sigth", &["[E101]", "stimulus `sigth`; did you mean `sight`?"]),
        ("on sight", "on noise", &["[E104]", "write `sensor see_enemy: on sight`"]),
        ("sensor hear: on noise", "sensor hear: every 1", &["[E104]", "sensor hear: on noise"]),
        ("does pick_up", "does pickup", &["[E101]", "behaviour `pickup`; did you mean `pick_up`?"]),
        ("alive if character,", "alive if charcter,", &["[E101]", "did you mean `character`?"]),
        ("(knowledge = dead)", "(knowledge = dea)", &["unknown knowledge `dea` of `character`"]),
        ("(knowledge = dead)", "(event = dead)", &["unknown attribute `event` of `character`"]),
        ("amount of weapon", "radius of weapon", &["unknown attribute `radius` of `weapon`"]),
        ("pipe, knowledge = taken", "pipe, knowledge = takn", &["unknown state `takn` of `pipe`"]),
        ("thing(node = pipe", "thing(node = pip", &["unknown node `pip` of `thing`", "`pipe`?"]),
        ("at c: cover", "at c: covr", &["[E101]", "sort of nodes `covr`; did you mean `cover`?"]),
        ("knowledge = cover)", "knowledge = covr)", &["`covr` of `node`; did you mean `cover`?"]),
        ("remembers character", "remembers caracter", &["[E101]", "did you mean `character`?"]),
        ("forgets blocked", "forgets danger", &["[E104]", "add `sensor see_danger: on grenade`"]),
        ("stimulus = noise", "stimulus = grenade", &["[E104]", "`sensor see_danger: on grenade`"]),
        ("shared alarm", "alarm", &["[E104]", "ask for `shared alarm`"]),
        ("knowledge = red", "knowledge = rad", &["`rad` of `alarm`; did you mean `red`?"]),
        ("sensor things: every 0.5\n", "", &["[E104]", "add `sensor things: every 0.5`"]),
        (
            "    wants win",
            "    wants win\n    senses self, nodes, hear, things, call_out",
            &["[E104]", "`soldier` has nothing", "add `see_enemy` to the `senses` of `soldier`"],
        ),
        ("does goto(wall)", "does goto", &["[E143]", "`goto` is not told what `hide` is about"]),
        (
            "does goto(wall)",
            "does goto(perch)",
            &["[E143]", "`perch` is what some places are good"],
        ),
        ("does goto(wall)", "does goto(wall, x)", &["[E143]", "takes one thing, and is given 2"]),
        ("does attack", "does draw(eve)", &["[E143]", "takes nothing", "write `does draw`"]),
        (
            "amount of weapon",
            "amount of path",
            &["[E104]", "a `amount`", "`sensor ways: every 0.33`"],
        ),
        ("at D: door", "at D: door shut, open needs pipe", &["[E100]", "or `by me`"]),
        ("thing gate at D: door\n", "", &["[E104]", "the mark `D` is a hole in the wall"]),
        ("\"#s.c#..p#\"\n", "\"#s.c#..p#\"\n    #...#...#\n", &["[E104]", "is a comment"]),
        ("\"#########\"\nthing", "\"#########\"\n    #########\nthing", &["is a comment"]),
    ] {
        // Two asks for one kind are two mistakes; the first is looked at.
        let all = mistakes(&STORY.replacen(from, to, 1));
        assert!(STORY.contains(from) && !all.is_empty() && all.len() <= 4, "{to}: {all:#?}");
        for part in parts {
            assert!(all[0].contains(part), "{to}: `{part}` is missing in {}", all[0]);
        }
    }
}

/// A file that picks.
const PICKS: &str = "domain yard
select target: one of character(knowledge = alive) where it(sure stimulus > 0.1)
select wall: best 2 of spot(knowledge = cover) score distance of it curve 0 1, 30 0.1 claims
var threat: none, alive, dead
var place: elsewhere, any wall
sensor self: every 0 keeps 1
sensor see: on sight keeps 8
sensor spots: every 0.33
symbol threat: alive if target(knowledge = alive), dead if target, none
symbol place: object of self, elsewhere
price goto: distance of it curve 0 0.3, 30 6
action goto(spot in wall): place -> spot
action attack: threat alive -> dead while place = wall
goal win: threat = dead relevance sure stimulus of target
npc soldier
    can goto, attack
    wants win
story yard \"He fights.\" lasts 5
map
    \"#########\"
    \"#s.c...p#\"
    \"#########\"
node ledge at c: cover
actor bob at s: npc soldier side red weapon rifle
actor eve at p: player side blue
";

#[test]
fn what_is_picked_is_held_against_what_it_is_picked_from() {
    assert_eq!(mistakes(PICKS), [""; 0]);
    for (from, to, parts) in [
        (
            "if target(knowledge = alive)",
            "if target(knowlege = alive)",
            &["[E101]", "knowledge"][..],
        ),
        (
            "if target(knowledge = alive)",
            "if target(knowledge = alve)",
            &["[E101]", "unknown knowledge `alve` of `character`; did you mean `alive`?"],
        ),
        ("sure stimulus of target", "radius of target", &["unknown attribute `radius`"]),
        ("it(sure stimulus > 0.1)", "it(event = x)", &["unknown attribute `event` of `character`"]),
        (
            "    wants win",
            "    wants win\n    senses self, see",
            &["[E104]", "`soldier` has nothing that writes facts `spot`", "add `spots` to the"],
        ),
    ] {
        assert!(PICKS.contains(from), "{from}");
        let all = mistakes(&PICKS.replacen(from, to, 1));
        assert_eq!(all.len(), 1, "{to}: {all:#?}");
        parts.iter().for_each(|part| assert!(all[0].contains(part), "{part}: {}", all[0]));
    }
    // Which place is nearer matters, and which enemy is meant.
    assert_eq!(doubts(PICKS), [""; 0]);
    let priceless = PICKS.replace("price goto: distance of it curve 0 0.3, 30 6\n", "");
    assert!(doubts(&priceless)[0].contains("[W142]"), "{:#?}", doubts(&priceless));
    let empty = PICKS.replace("at c: cover", "at c: view");
    assert!(doubts(&empty)[0].contains("it has no node `cover`"), "{:#?}", doubts(&empty));
}

#[test]
fn a_file_without_a_story_is_held_against_the_body_that_it_names() {
    let alone = &PICKS[..PICKS.find("story yard").unwrap()];
    let read = |text: &str| {
        let (model, sources) = model(text);
        told(&NotesRead::of(&model).report, &sources)
    };
    assert_eq!(read(alone), [""; 0]);
    for body in ["kit", "world"] {
        let named = format!("{alone}body {body}\n");
        assert_eq!(read(&named), [""; 0]);
        let said = read(&named.replace("sensor spots", "sensor spot"));
        assert!(said[1].contains(&format!("unknown sensor of the {body} `spot`")), "{said:#?}");
    }
    // Without a body that is known, code may write what it likes.
    assert_eq!(read(&alone.replace("sensor spots", "sensor spot")), [""; 0]);
    assert_eq!(read(&format!("{alone}body dragon\n")), [""; 0]);
    assert!(read(&format!("{alone}body kitt\n"))[0].contains("did you mean `kit`?"));
}

const SQUAD: &str = "domain gate
var duty: none, cover, suppress
var ready: bool
sensor orders: every 0
symbol duty: task of task, none
action hide: duty cover -> none does comply
action suppress: duty suppress -> none
action get_to_cover: ready -> true
action lay_fire: ready -> true
goal obey: duty = none
goal win: ready = true
npc guard can hide, suppress wants obey, win
npc watch can get_to_cover, lay_fire wants win
squad watch: of guard within 8
story gate \"Two guards hold the gate.\" lasts 5
map \"####\" \"#ab#\" \"####\"
actor ann at a: npc guard side red
actor bob at b: npc guard side red
";

/// The warnings of a file that has no mistakes, a line each.
fn doubts(text: &str) -> Vec<String> {
    assert_eq!(mistakes(text), [""; 0], "{text}");
    let (model, sources) = model(text);
    told(&Story::doubts(&model, &spec(&model, USUAL_PACE).unwrap()), &sources)
}

#[test]
fn what_a_squad_cannot_do_and_its_members_cannot_understand_is_doubted() {
    assert_eq!(doubts(SQUAD), [""; 0]);
    let told = doubts(&SQUAD.replace("lay_fire", "lay_fier"));
    assert_eq!(told.len(), 1, "{told:#?}");
    let text =
        "warning[W116]: nothing does `lay_fier` of the squad `watch`; did you mean `lay_fire`?";
    assert!(told[0].contains(text), "{}", told[0]);
    // An animation says how long it takes, and members may have as many as they like.
    let timed =
        SQUAD.replace("action lay_fire: ready -> true", "action cheer: ready -> true takes 2");
    assert_eq!(doubts(&timed.replace("lay_fire", "cheer")), [""; 0]);
    assert_eq!(doubts(&SQUAD.replace("does comply", "")), [""; 0]);

    let told = doubts(
        &SQUAD
            .replace("none, cover, suppress", "none, covr, suppress")
            .replace("duty cover", "duty covr"),
    );
    assert_eq!(told.len(), 1, "{told:#?}");
    let text = "t.npc:2:5: warning[W117]: `watch` gives tasks `cover` (`get_to_cover`), and `duty` of `guard` has no such value";
    assert!(told[0].starts_with(text), "{}", told[0]);
    assert!(told[0].contains("add `cover` to the values of `duty`"), "{}", told[0]);
    // Who asks for each task by itself has said what he understands.
    let asked = "symbol duty: suppress if task(task = suppress), none";
    assert_eq!(doubts(&SQUAD.replace("symbol duty: task of task, none", asked)), [""; 0]);
}

#[test]
fn who_is_no_member_of_a_squad_is_told_before_all_that_follows_from_it() {
    let said = mistakes(&SQUAD.replace("squad watch: of guard", "squad guard: of watch"));
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(
        said[0].contains("[E104]: `guard` is the mind of a squad, and of `ann`"),
        "{}",
        said[0]
    );
    let said =
        mistakes(&SQUAD.replace("lay_fire: ready -> true", "lay_fire: ready -> true does fier"));
    let first =
        "use one of: get_to_cover, advance_in_cover, orderly_advance, search_area, lay_fire";
    assert!(said.len() == 1 && said[0].contains(first), "{said:#?}");
    assert!(said[0].ends_with(", …"), "{}", said[0]);
}

#[test]
fn what_only_looks_like_a_slip_is_not_told() {
    for (from, to) in [
        // A place that is not in this story, but in the domain.
        ("thing pipe at t: item\n", ""),
        // A mark to spare, on the floor.
        ("#...D.t.#", "#.x.D.t.#"),
        // A comment is a comment.
        ("\"#s.c#..p#\"\n", "\"#s.c#..p#\"\n    # Here the wall ends.\n"),
        ("\"#s.c#..p#\"\n", "\"#s.c#..p#\" # north\n"),
        ("map\n", "# -----\nmap\n"),
        ("weapon rifle", "weapon blunderbuss"),
        ("sensor self: every 0", "sensor self: every 0.2"),
    ] {
        assert!(STORY.contains(from), "{from}");
        assert_eq!(mistakes(&STORY.replacen(from, to, 1)), [""; 0], "{to}");
    }
}

#[test]
fn a_passage_is_no_hole() {
    let passage = "\"#########\"\n    \"#s.cxD.t#\"\n    \"#######p#\"\n    \"#########\"";
    let from = "\"#########\"\n    \"#s.c#..p#\"\n    \"#...D.t.#\"\n    \"#########\"";
    assert!(STORY.contains(from));
    assert_eq!(mistakes(&STORY.replace(from, passage)), [""; 0]);
}

#[test]
fn where_a_word_is_expected_the_nearest_and_an_example_are_named() {
    for (from, to, parts) in [
        ("every 0.33", "evry 0.33", &["[E100]", "did you mean `every`?", "as in `sensor "][..]),
        ("lasts 5", "last 5", &["did you mean `lasts`?", "as in `story door"]),
        ("npc soldier side", "ncp soldier side", &["did you mean `npc`?", "as in `actor bob"]),
    ] {
        let said = mistake(from, to);
        for part in parts {
            assert!(said.contains(part), "{to}: `{part}` is missing in {said}");
        }
    }
    let said = mistake("side red", "tims 3");
    assert!(said.contains("did you mean `times`?"), "{said}");
    let said = mistake("promise bob rem", "promise eva rem");
    assert!(said.contains("use one of: bob, eve, gate, pipe, calls"), "{said}");
    let said = mistake("promise bob remembers character", "promise bob does hidde");
    assert!(said.contains("use one of: grab, hide, hit, kick, shrug"), "{said}");
}

/// The lines that are shown where one is wrong are right themselves.
#[test]
fn the_examples_are_right() {
    let clauses = listed(|words| words.action_clauses);
    let line = |keyword: &Keyword| {
        let Keyword { word, example, .. } = keyword;
        // Longer names are cut in messages.
        assert!(example.len() <= 80 && example.starts_with(word), "{example}");
        *example
    };
    let some = |list: fn(&NoteWords) -> &'static [Keyword], from: &str| -> String {
        listed(list).iter().map(|keyword| format!("{from}{}\n", line(keyword))).collect()
    };
    let text = format!(
        "domain d
var target: none, dead, here
action go(place in target): target -> place
action attack: target -> dead if near
    {}
    {}
action dive: target -> dead
action wait: target -> none
goal kill: target = dead
{}npc fireteam
npc soldier
    can go, attack, dive, wait
    wants kill
{}sensor lever_sense: every 1
{}thing lever at W: device up, down
actor eve at A: player
{}",
        line(clauses[0]),
        line(clauses[1]),
        some(|words| words.goal_clauses, "    "),
        some(|words| words.npc_clauses, "    "),
        some(|words| words.statements, "").replace("\"#A.#\"", "\"#AW#\" \"#D.#\""),
        "",
    );
    let (model, _) = model(&text);
    let spec = spec(&model, USUAL_PACE);
    let told: Vec<_> = [spec.err(), Story::read(&model).err()].into_iter().flatten().collect();
    assert!(told.is_empty(), "{told:#?}\n{text}");
}
